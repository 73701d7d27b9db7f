/* SPDX-License-Identifier: MIT */
/* The user's own operators, structs and input expressions. */
#include "scan_cases.h"

#include <stdlib.h>
#include <string.h>

/* ---- Operators and their twins ----------------------------------------------------------------
 */

enum { PRIME = 65521 };

/* x -> scale * x + shift modulo PRIME; composition is associative and not commutative. */
typedef struct affine {
    uint32_t scale;
    uint32_t shift;
} affine;

static void load_affine(const void *in, size_t i, void *value) {
    memcpy(value, (const affine *)in + i, sizeof(affine));
}

static void compose(const void *earlier, const void *later, void *result) {
    affine a, b;
    memcpy(&a, earlier, sizeof a);
    memcpy(&b, later, sizeof b);
    const affine c = {(uint32_t)((uint64_t)a.scale * b.scale % PRIME),
                      (uint32_t)(((uint64_t)a.shift * b.scale + b.shift) % PRIME)};
    memcpy(result, &c, sizeof c);
}

static const char affine_text[] =
    "typedef struct { uint scale; uint shift; } affine;\n"
    "affine compose(affine a, affine b) {\n"
    "    affine c;\n"
    "    c.scale = (uint)((ulong)a.scale * b.scale % 65521);\n"
    "    c.shift = (uint)(((ulong)a.shift * b.scale + b.shift) % 65521);\n"
    "    return c;\n"
    "}\n";

/* Twelve bytes: the extent and sum of what was seen. Wider than a vector, no power of two. */
typedef struct extent {
    int32_t least;
    int32_t most;
    int32_t sum;
} extent;

static void load_extent(const void *in, size_t i, void *value) {
    const int32_t x = ((const int32_t *)in)[i];
    const extent e = {x, x, x};
    memcpy(value, &e, sizeof e);
}

static void join(const void *earlier, const void *later, void *result) {
    extent a, b;
    memcpy(&a, earlier, sizeof a);
    memcpy(&b, later, sizeof b);
    const extent c = {a.least < b.least ? a.least : b.least, a.most > b.most ? a.most : b.most,
                      (int32_t)((uint32_t)a.sum + (uint32_t)b.sum)};
    memcpy(result, &c, sizeof c);
}

static const char extent_text[] =
    "typedef struct { int least; int most; int sum; } extent;\n"
    "extent one(int x) { extent e; e.least = e.most = e.sum = x; return e; }\n"
    "extent join(extent a, extent b) {\n"
    "    extent c;\n"
    "    c.least = min(a.least, b.least);\n"
    "    c.most = max(a.most, b.most);\n"
    "    c.sum = (int)((uint)a.sum + (uint)b.sum);\n"
    "    return c;\n"
    "}\n";

/* The last value that is not a multiple of 4; 3 is put in for zero, which the data never hold, so
 * that a call on padding would show in the results. */
static const char last_marked[] = "a == 0 || b == 0 ? 3 : b % 4 != 0 ? b : a";

static void load_u32(const void *in, size_t i, void *value) {
    memcpy(value, (const uint32_t *)in + i, sizeof(uint32_t));
}

static void keep_last_marked(const void *earlier, const void *later, void *result) {
    uint32_t a, b;
    memcpy(&a, earlier, sizeof a);
    memcpy(&b, later, sizeof b);
    const uint32_t c = b % 4 != 0 ? b : a;
    memcpy(result, &c, sizeof c);
}

static void load_square_of_index(const void *in, size_t i, void *value) {
    (void)in;
    const uint64_t square = (uint64_t)i * i;
    memcpy(value, &square, sizeof square);
}

static void load_scaled(const void *in, size_t i, void *value) {
    const uint64_t x = (uint64_t)((const uint8_t *)in)[i] * 3 + i % 7;
    memcpy(value, &x, sizeof x);
}

static void add_u64(const void *earlier, const void *later, void *result) {
    uint64_t a, b;
    memcpy(&a, earlier, sizeof a);
    memcpy(&b, later, sizeof b);
    a += b;
    memcpy(result, &a, sizeof a);
}

/* ---- Cases ------------------------------------------------------------------------------------
 */

typedef enum operand { AFFINE, EXTENT, MARKED, SQUARES, SCALED, OPERANDS } operand;

typedef struct custom_case {
    operand operand;
    clprims_scan_desc desc;
    size_t n;
} custom_case;

static const char *const operand_names[OPERANDS] = {"affine", "extent", "marked", "squares",
                                                    "scaled"};
static const oracle_twin twins[OPERANDS] = {{load_affine, compose, sizeof(affine)},
                                            {load_extent, join, sizeof(extent)},
                                            {load_u32, keep_last_marked, sizeof(uint32_t)},
                                            {load_square_of_index, add_u64, sizeof(uint64_t)},
                                            {load_scaled, add_u64, sizeof(uint64_t)}};

static clprims_scan_desc describe(operand kind) {
    static const affine no_change = {1, 0};
    static const extent nothing = {INT32_MAX, INT32_MIN, 0};
    static const uint32_t first = 9;
    clprims_scan_desc desc = CLPRIMS_SCAN_DESC_INIT;
    desc.max_n = 100000;
    switch (kind) {
    case AFFINE:
        desc.type = CLPRIMS_STRUCT;
        desc.op = CLPRIMS_CUSTOM;
        desc.custom =
            (clprims_custom){"compose(a, b)", affine_text, "affine", sizeof(affine), &no_change, 0};
        break;
    case EXTENT:
        desc.type = CLPRIMS_I32;
        desc.accumulator = CLPRIMS_STRUCT;
        desc.op = CLPRIMS_CUSTOM;
        desc.input = "one(x)";
        desc.init = &nothing;
        desc.custom =
            (clprims_custom){"join(a, b)", extent_text, "extent", sizeof(extent), NULL, 1};
        break;
    case MARKED:
        desc.type = CLPRIMS_U32;
        desc.op = CLPRIMS_CUSTOM;
        desc.init = &first;
        desc.custom.op = last_marked;
        break;
    case SQUARES:
        desc.type = CLPRIMS_U64;
        desc.input = "i * i";
        desc.no_input_array = 1;
        break;
    default:
        desc.type = CLPRIMS_U8;
        desc.accumulator = CLPRIMS_U64;
        desc.input = "(ulong)x * 3 + i % 7";
        break;
    }
    return desc;
}

static void fill(operand kind, void *in, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const uint32_t x = (uint32_t)test_random();
        if (kind == AFFINE) ((affine *)in)[i] = (affine){x % PRIME, (x >> 8) % PRIME};
        if (kind == EXTENT) ((int32_t *)in)[i] = (int32_t)(x % 2000001) - 1000000;
        if (kind == MARKED) ((uint32_t *)in)[i] = x % 1000 + 1;
        if (kind == SCALED) ((uint8_t *)in)[i] = (uint8_t)x;
    }
}

static void custom_is_right(const void *data) {
    const custom_case *c = data;
    clprims_scan *scan = scan_plan(&c->desc);
    static const uint64_t zero = 0;
    const void *start = c->desc.init           ? c->desc.init
                        : c->operand == AFFINE ? c->desc.custom.identity
                                               : &zero;
    void *in = test_alloc(c->n, scan_in_bytes(&c->desc));
    void *expected = test_alloc(c->n, scan_out_bytes(&c->desc));
    fill(c->operand, in, c->n);
    oracle_scan_custom(&twins[c->operand], c->desc.inclusive, start, in, expected, c->n);
    void *out = scan_on_device(scan, &c->desc, in, 1, 3, c->n);
    expect_elements(expected, out, c->n, scan_out_bytes(&c->desc));
    free(out);
    free(expected);
    free(in);
}

/* An inclusive scan by an operator without identity and init: the first element stands alone. */
static void custom_without_start(const void *data) {
    custom_case c = *(const custom_case *)data;
    c.desc.init = NULL;
    c.desc.inclusive = 1;
    uint32_t *in = test_alloc(c.n, sizeof *in), *expected = test_alloc(c.n, sizeof *in);
    fill(MARKED, in, c.n);
    oracle_scan_custom(&twins[MARKED], true, NULL, in, expected, c.n);
    uint32_t *out = scan_on_device(scan_plan(&c.desc), &c.desc, in, 0, 0, c.n);
    expect_elements(expected, out, c.n, sizeof *in);
    free(out);
    free(expected);
    free(in);
}

void add_custom_cases(test_cases *cases) {
    static const size_t sizes[] = {1, 65, 300, 4099, 40001};
    /* The fallback gives no promise of equal bits for structs, which these cases do not need. */
    for (int mode = 0; mode < OPERANDS * SCAN_SHAPES * 2; mode++) {
        const operand kind = (operand)(mode / 2 / SCAN_SHAPES);
        const scan_shape *shape = &scan_shapes[mode / 2 % SCAN_SHAPES];
        custom_case c = {.operand = kind, .desc = describe(kind)};
        c.desc.inclusive = mode % 2;
        c.desc.fast_floats = 1;
        scan_set(&c.desc, scan_algorithm(mode), shape);
        if (test_small() && mode % 3 != 0) continue;
        for (size_t i = 0; i < (test_small() ? 3 : sizeof sizes / sizeof sizes[0]); i++) {
            c.n = sizes[i];
            test_add(cases, custom_is_right, &c, sizeof c, "scan/custom/%s/%s/n=%zu/%s/%s",
                     operand_names[kind], c.desc.inclusive ? "inclusive" : "exclusive", c.n,
                     clprims_scan_algorithm_name(c.desc.algorithm), shape->name);
        }
    }
    for (int mode = 0; mode < scan_algorithm_count() * SCAN_SHAPES && !test_small(); mode++) {
        const scan_shape *shape = &scan_shapes[mode % SCAN_SHAPES];
        custom_case c = {.operand = MARKED, .desc = describe(MARKED), .n = 5001};
        scan_set(&c.desc, scan_algorithm(mode / SCAN_SHAPES), shape);
        test_add(cases, custom_without_start, &c, sizeof c, "scan/custom/no-start/n=%zu/%s/%s", c.n,
                 clprims_scan_algorithm_name(c.desc.algorithm), shape->name);
    }
}
