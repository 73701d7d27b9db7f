/* SPDX-License-Identifier: MIT */
/* The user's own operators, structs and input expressions. */
#include "reduce/reduce_cases.h"

/* ---- Floats in an operator that need not commute: the tree keeps their order and their bits ----
 */

typedef struct line {
    float scale;
    float shift;
} line;

static const char line_text[] = "typedef struct { float scale; float shift; } line;\n"
                                "line follow(line a, line b) {\n"
                                "    line c;\n"
                                "    c.scale = a.scale * b.scale;\n"
                                "    c.shift = a.shift * b.scale + b.shift;\n"
                                "    return c;\n"
                                "}\n";

static void load_line(const void *in, size_t i, void *value) {
    memcpy(value, (const line *)in + i, sizeof(line));
}

static void follow(const void *earlier, const void *later, void *result) {
    line a, b, c;
    memcpy(&a, earlier, sizeof a);
    memcpy(&b, later, sizeof b);
    const volatile float product = a.shift * b.scale;
    c.scale = a.scale * b.scale;
    c.shift = product + b.shift;
    memcpy(result, &c, sizeof c);
}

static void fill_lines(void *in, size_t n) {
    test_random_unit(CLPRIMS_F32, in, 2 * n);
    for (size_t i = 0; i < n; i++) ((line *)in)[i].scale = 0.9f + 0.2f * ((line *)in)[i].scale;
}

static const custom_operand custom_lines = {
    .name = "lines",
    .type = CLPRIMS_STRUCT,
    .op = CLPRIMS_CUSTOM,
    .custom = {"follow(a, b)", line_text, "line", sizeof(line), NULL, 0},
    .twin = {load_line, follow, sizeof(line)},
    .fill = fill_lines};

/* Twelve bytes of floats, added one by one: they commute, but round. */
typedef struct point {
    float x, y, z;
} point;

static const char point_text[] =
    "typedef struct { float x; float y; float z; } point;\n"
    "point sum(point a, point b) { a.x += b.x; a.y += b.y; a.z += b.z; return a; }\n";

static void load_point(const void *in, size_t i, void *value) {
    memcpy(value, (const point *)in + i, sizeof(point));
}

static void add_points(const void *earlier, const void *later, void *result) {
    point a, b;
    memcpy(&a, earlier, sizeof a);
    memcpy(&b, later, sizeof b);
    const point c = {a.x + b.x, a.y + b.y, a.z + b.z};
    memcpy(result, &c, sizeof c);
}

static void fill_points(void *in, size_t n) {
    test_random_unit(CLPRIMS_F32, in, 3 * n);
}

static const custom_operand custom_points = {
    .name = "points",
    .type = CLPRIMS_STRUCT,
    .op = CLPRIMS_CUSTOM,
    .custom = {"sum(a, b)", point_text, "point", sizeof(point), NULL, 1},
    .twin = {load_point, add_points, sizeof(point)},
    .fill = fill_points};

/* ---- Cases ---- */

void add_custom_cases(test_cases *cases) {
    static const custom_operand *const operands[] = {&custom_affine,  &custom_marked,
                                                     &custom_squares, &custom_scaled,
                                                     &custom_lines,   &custom_points};
    static const size_t sizes[] = {1, 2, 3, 127, 129, 1025, 3000, 70001};
    for (size_t k = 0; k < sizeof operands / sizeof operands[0]; k++) {
        for (size_t s = 0; s < 3; s++) {
            reduce_case c = {.operand = operands[k]};
            CUSTOM_DESCRIBE(operands[k], &c.desc);
            c.desc.max_n = 100000;
            c.desc.tuning = reduce_shapes[s].tuning;
            if (s > 0 && !test_bears_shapes()) continue;
            /* Oclgrind lacks what inlining makes of functions that return structs. */
            const bool is_struct = operands[k]->type == CLPRIMS_STRUCT;
            if (test_small() && (is_struct ? s > 0 : (k + s) % 2 != 0)) continue;
            for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
                c.n = sizes[i];
                c.first = c.n % 3;
                if (test_small() && c.n > 2000) continue;
                test_add_row(cases, reduce_is_right, c, "reduce/custom/%s/n=%zu/%s",
                             operands[k]->name, c.n, reduce_shapes[s].name);
            }
        }
    }
}
