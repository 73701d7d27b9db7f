/* SPDX-License-Identifier: MIT */
/* The user's own operators, structs and input expressions. */
#include "harness/special_floats.h"
#include "scan/scan_cases.h"

/* ---- Operators and their twins ----------------------------------------------------------------
 */

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

static void fill_extent(void *in, size_t n) {
    for (size_t i = 0; i < n; i++) {
        ((int32_t *)in)[i] = (int32_t)((uint32_t)test_random() % 2000001) - 1000000;
    }
}

static const extent nothing = {INT32_MAX, INT32_MIN, 0};
static const custom_operand custom_extent = {
    .name = "extent",
    .type = CLPRIMS_I32,
    .accumulator = CLPRIMS_STRUCT,
    .op = CLPRIMS_CUSTOM,
    .custom = {"join(a, b)", extent_text, "extent", sizeof(extent), NULL, 1},
    .input = "one(x)",
    .init = &nothing,
    .twin = {load_extent, join, sizeof(extent)},
    .fill = fill_extent};

/* ---- Cases ------------------------------------------------------------------------------------
 */

static const custom_operand *const operands[] = {&custom_affine, &custom_extent, &custom_marked,
                                                 &custom_squares, &custom_scaled};
enum { OPERANDS = sizeof operands / sizeof operands[0] };

static scan_case case_of(const custom_operand *operand, size_t n) {
    scan_case c = {.operand = operand, .n = n};
    CUSTOM_DESCRIBE(operand, &c.desc);
    c.desc.max_n = 100000;
    return c;
}

/* Whether the knobs ask for groups of single work-items. */
static bool is_alone(const clprims_scan_desc *desc) {
    static const char knob[] = "GROUP=1 ";
    return desc->tuning == NULL || strncmp(desc->tuning, knob, sizeof knob - 1) == 0;
}

static void custom_is_right(const void *data) {
    scan_case c = *(const scan_case *)data;
    if (!is_alone(&c.desc)) test_want_shapes();
    c.in_first = 1;
    c.out_first = 3;
    scan_is_right(&c);
}

/* Nothing is combined with an element that is not one, nor in an order that shows. */
static void special_floats_stay(const void *data) {
    static const size_t sizes[] = {1, 2, 33, 200, 1000, 4097, 100003};
    scan_case c = *(const scan_case *)data;
    const size_t count = test_long() ? 7 : test_small() ? 4 : 6;
    if (!is_alone(&c.desc)) test_want_shapes();
    for (size_t i = 0; i < 2 * count; i++) {
        const size_t step = i % 2 == 0 ? 4 : 1, places = i % 2 == 0 ? 2 : 5;
        c.n = sizes[i / 2] + test_random_below(sizes[i / 2]);
        c.in_first = step * test_random_below(places);
        c.out_first = step * test_random_below(places);
        scan_is_right(&c);
    }
}

/* In forms of some devices. */
static void add_forms(test_cases *cases) {
    int count;
    const scan_shape *forms = scan_forms(&count);
    for (int mode = 0; mode < count * OPERANDS; mode++) {
        const scan_shape *form = &forms[mode / OPERANDS];
        scan_case c = case_of(operands[mode % OPERANDS], 40001);
        c.desc.inclusive = mode / OPERANDS % 2 != mode % 2;
        scan_set(&c.desc, scan_form_algorithm(form), form);
        test_add_row(cases, custom_is_right, c, "scan/custom/%s/%s/n=%zu/%s", c.operand->name,
                     c.desc.inclusive ? "inclusive" : "exclusive", c.n, form->name);
    }
}

/* An operator that does not commute, in the one order that gives the same bits in every run, from a
 * start that is no identity: by every algorithm and shape, each kind of scan in the long tier. */
static void add_orders(test_cases *cases) {
    static const uint32_t start[2] = {3, 40000}; /* x -> 3 * x + 40000 */
    static const size_t sizes[] = {1, 81, 163, 700, 4099};
    for (int mode = 0; mode < scan_algorithm_count() * SCAN_SHAPES * 4; mode++) {
        const scan_shape *shape = &scan_shapes[mode / 4 % SCAN_SHAPES];
        const clprims_algorithm algorithm = scan_algorithm(mode / 4 / SCAN_SHAPES);
        scan_case c = case_of(&custom_affine, 0);
        scan_set(&c.desc, algorithm, shape);
        c.desc.inclusive = mode % 2;
        c.desc.init = mode / 2 % 2 ? NULL : start;
        c.desc.fast_floats =
            algorithm == CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK; /* else it is refused */
        if (!test_long() && mode % 4 != mode / 4 / SCAN_SHAPES % 2) continue;
        for (size_t i = 0; i < (test_small() ? 4 : sizeof sizes / sizeof sizes[0]); i++) {
            c.n = sizes[i];
            test_add_row(cases, custom_is_right, c, "scan/orders/%s/start=%s/n=%zu/%s/%s",
                         c.desc.inclusive ? "inclusive" : "exclusive",
                         c.desc.init ? "given" : "identity", c.n, clprims_algorithm_name(algorithm),
                         shape->name);
        }
    }
}

static void add_special_case(test_cases *cases, int operand, int kind, clprims_algorithm algorithm,
                             const scan_shape *shape) {
    static const char *const kinds[] = {"inclusive", "exclusive", "init", "exclusive-init"};
    scan_case c = case_of(special_floats[operand], 0);
    c.desc.max_n = 1 << 20;
    c.desc.inclusive = kind % 2 == 0;
    c.desc.init = kind / 2 ? special_inits[operand] : NULL;
    c.desc.fast_floats = 1;
    scan_set(&c.desc, algorithm, shape);
    test_add_row(cases, special_floats_stay, c, "scan/special-floats/%s/%s/%s/%s", c.operand->name,
                 kinds[kind], clprims_algorithm_name(algorithm), shape->name);
}

/* Every operator and type in every way in the long tier, else in turn. */
static void add_special(test_cases *cases) {
    static const scan_shape chosen = {"chosen", NULL, NULL};
    const int ways = scan_algorithm_count() * SCAN_SHAPES;
    int forms;
    const scan_shape *form = scan_forms(&forms);
    for (int mode = 0; mode < SPECIAL_FLOATS * 4; mode++) {
        const int operand = mode % SPECIAL_FLOATS, kind = mode / SPECIAL_FLOATS;
        for (int way = 0; way < ways; way++) {
            const bool is_turn = kind == way % 2 && way % (SPECIAL_FLOATS - 1) == operand % ways;
            if (!test_long() && !is_turn) continue;
            add_special_case(cases, operand, kind, scan_algorithm(way / SCAN_SHAPES),
                             &scan_shapes[way % SCAN_SHAPES]);
        }
        if (!test_long() && (kind != operand % 4 || operand % 5 > 0)) continue;
        add_special_case(cases, operand, kind, CLPRIMS_ALGORITHM_AUTO, &chosen);
        for (int k = 0; k < forms; k++) {
            add_special_case(cases, operand, kind, scan_form_algorithm(&form[k]), &form[k]);
        }
    }
}

void add_custom_cases(test_cases *cases) {
    add_special(cases);
    static const size_t sizes[] = {1, 65, 300, 4099, 40001};
    /* The fallback gives no promise of equal bits for structs, which these cases do not need. */
    for (int mode = 0; mode < OPERANDS * SCAN_SHAPES * 2; mode++) {
        const scan_shape *shape = &scan_shapes[mode / 2 % SCAN_SHAPES];
        scan_case c = case_of(operands[mode / 2 / SCAN_SHAPES], 0);
        c.desc.inclusive = mode % 2;
        c.desc.fast_floats = 1;
        scan_set(&c.desc, scan_algorithm(mode), shape);
        /* add_orders has this one by every algorithm and shape. */
        if (!test_long() && c.operand == &custom_affine) continue;
        if (test_small() && mode % 3 != 0) continue;
        if (!test_long() && !test_small() && mode % 2 != (mode / 2 + mode / 4) % 2) continue;
        for (size_t i = 0; i < (test_small() ? 3 : sizeof sizes / sizeof sizes[0]); i++) {
            c.n = sizes[i];
            test_add_row(cases, custom_is_right, c, "scan/custom/%s/%s/n=%zu/%s/%s",
                         c.operand->name, c.desc.inclusive ? "inclusive" : "exclusive", c.n,
                         clprims_algorithm_name(c.desc.algorithm), shape->name);
        }
    }
    add_forms(cases);
    add_orders(cases);
    /* Inclusive, without identity and init: the first element stands alone. */
    for (int mode = 0; mode < scan_algorithm_count() * SCAN_SHAPES && !test_small(); mode++) {
        const scan_shape *shape = &scan_shapes[mode % SCAN_SHAPES];
        scan_case c = case_of(&custom_marked, 5001);
        scan_set(&c.desc, scan_algorithm(mode / SCAN_SHAPES), shape);
        c.desc.init = NULL;
        c.desc.inclusive = 1;
        for (size_t turn = 0; turn < 2; turn++) {
            c.n = turn == 0 ? 5001 : 7; /* which is no multiple of a tile's parts */
            test_add_row(cases, custom_is_right, c, "scan/custom/no-start/n=%zu/%s/%s", c.n,
                         clprims_algorithm_name(c.desc.algorithm), shape->name);
        }
    }
}
