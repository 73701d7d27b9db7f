/* SPDX-License-Identifier: MIT */
/* Min-plus products beside their plain-C twins. */
#include "minplus/minplus_cases.h"
#include "subjects/subjects.h"

const minplus_shape minplus_shapes[MINPLUS_SHAPES] = {
    {"serial", "HIGH=1 WIDE=1 ROWS=2 COLUMNS=32 BLOCKS=3 DEPTH=16 PAIRS=1"},
    {"patch", "HIGH=4 WIDE=8 ROWS=4 COLUMNS=4 DEPTH=8 PAIRS=4 UNROLL=2 BARRIERS=1"},
    {"joined", "HIGH=2 WIDE=16 ROWS=4 COLUMNS=4 DEPTH=16 PAIRS=3 UNROLL=2 SIGNLESS=2 BARRIERS=1"},
    {"chosen", NULL}};

/* ---- Plans and data ---------------------------------------------------------------------------
 */

/* PoCL 5.0 loses some of what work-items hold at the barrier behind the loop over slabs, where
 * slices meet. No plan of a CPU's own choosing has split-k slices. */
static void want_slices(const char *tuning) {
    const clprims_device_info device = test_info().device;
    if (tuning != NULL && strstr(tuning, "SPLIT=") != NULL &&
        strcmp(device.platform_name, "Portable Computing Language") == 0 &&
        strncmp(device.driver, "5.", 2) == 0)
        test_skip("PoCL %s loses values at a barrier behind a loop with barriers", device.driver);
}

clprims_minplus *minplus_plan(const clprims_minplus_desc *desc) {
    test_needs_types(desc->type, desc->type);
    want_slices(desc->tuning);
    return subject_kept_plan(&subject_minplus, desc);
}

/* ---- One product ------------------------------------------------------------------------------
 */

typedef struct product_case {
    clprims_minplus_desc desc;
    minplus_size size;
    minplus_signs signs;
    size_t gap; /* added to each leading dimension, and twice that to each stride */
    size_t first; /* of a; b and c take others */
} product_case;

static clprims_minplus_sizes sizes_of(const minplus_size *size) {
    return (clprims_minplus_sizes){size->m, size->k, size->batch};
}

/* A batch of 0 is one. */
static size_t batch_of(const product_case *c) {
    return c->size.batch > 0 ? c->size.batch : 1;
}

static minplus_operand make(const product_case *c, clprims_type type, size_t rows, size_t columns,
                            size_t first) {
    const size_t ld = columns + c->gap, batch = batch_of(c);
    minplus_operand made = {.bytes = clprims_type_bytes(type)};
    const size_t stride = rows * ld + 2 * c->gap;
    made.elements =
        rows == 0 || columns == 0 ? 0 : (batch - 1) * stride + (rows - 1) * ld + columns;
    made.values = test_scratch(made.elements, made.bytes);
    if (type == c->desc.type) {
        minplus_values(&c->desc, made.values, made.elements);
    }
    made.at = (clprims_matrix){NULL, first, ld, stride};
    return made;
}

/* A product's matrices; argmin is empty in a plan without it. */
enum { A, B, C, ARGMIN, OPERANDS };

static void make_operands(const product_case *p, minplus_operand o[OPERANDS]) {
    const minplus_size s = p->size;
    o[A] = make(p, p->desc.type, s.m, s.k, p->first);
    o[B] = make(p, p->desc.type, s.k, s.n, 2 * p->first);
    o[C] = make(p, p->desc.type, s.m, s.n, 3 * p->first);
    o[ARGMIN] = (minplus_operand){.bytes = sizeof(int32_t)};
    if (!p->desc.argmin) return;
    o[ARGMIN] = make(p, CLPRIMS_I32, s.m, s.n, p->first);
    for (size_t i = 0; i < o[ARGMIN].elements; i++) {
        ((int32_t *)o[ARGMIN].values)[i] = (int32_t)(7 * i);
    }
}

static oracle_matrix slice(const minplus_operand *o, size_t i) {
    return (oracle_matrix){(char *)o->values + i * o->at.stride * o->bytes, o->at.ld};
}

static void multiply(const product_case *p, minplus_operand o[OPERANDS]) {
    const minplus_size s = p->size;
    for (size_t i = 0; i < batch_of(p); i++) {
        const oracle_matrix a = slice(&o[A], i), b = slice(&o[B], i), c = slice(&o[C], i);
        int32_t *k = p->desc.argmin ? slice(&o[ARGMIN], i).values : NULL;
        oracle_minplus(&p->desc, &a, &b, &c, k, s.m, s.n, s.k);
    }
}

/* Elements between rows and between matrices are part of what is compared. */
static void product_is_right(const void *data) {
    const product_case *p = data;
    clprims_minplus *minplus = minplus_plan(&p->desc);
    const size_t count = p->desc.argmin ? OPERANDS : ARGMIN;
    minplus_operand o[OPERANDS];
    make_operands(p, o);
    minplus_place_signs(p->signs, p->desc.type, &p->size,
                        (minplus_operand *[]){&o[A], &o[B], &o[C]});
    for (size_t k = 0; k < count; k++) {
        o[k].buffer = test_buffer_create(o[k].values, o[k].elements, o[k].bytes, o[k].at.first);
        o[k].at.mem = o[k].buffer.at.mem;
    }
    const clprims_minplus_buffers buffers = {o[A].at, o[B].at, o[C].at, o[ARGMIN].at,
                                             sizes_of(&p->size)};
    expect_ok(clprims_minplus_enqueue(minplus, test_queue(), &buffers, p->size.n, 0, NULL, NULL));
    multiply(p, o);
    for (size_t k = 0; k < count; k++) {
        test_buffer_expect_unchanged(&o[k].buffer, o[k].values);
    }
}

/* The same through plain arrays. */
static void run_is_right(const void *data) {
    product_case p = *(const product_case *)data;
    clprims_minplus *minplus = minplus_plan(&p.desc);
    minplus_operand o[OPERANDS];
    test_array arrays[OPERANDS];
    p.gap = 0;
    make_operands(&p, o);
    for (size_t k = 0; k < OPERANDS; k++) {
        if (k < ARGMIN) minplus_keep_within(&p.desc, o[k].values, o[k].elements, k == C);
        arrays[k] = test_array_create(o[k].values, o[k].elements, o[k].bytes);
    }
    const clprims_minplus_arrays host = {arrays[A].values, arrays[B].values, arrays[C].values,
                                         p.desc.argmin ? arrays[ARGMIN].values : NULL,
                                         sizes_of(&p.size)};
    expect_ok(clprims_minplus_run(minplus, &host, p.size.n));
    multiply(&p, o);
    for (size_t k = 0; k < OPERANDS; k++) {
        expect_elements(o[k].values, arrays[k].values, o[k].elements, o[k].bytes);
        test_array_expect_guards(&arrays[k]);
    }
}

/* ---- Cases ------------------------------------------------------------------------------------
 */

static clprims_minplus_desc describe(clprims_type type, clprims_semiring semiring, bool accumulate,
                                     bool argmin, const minplus_shape *shape) {
    clprims_minplus_desc desc = {.type = type,
                                 .semiring = semiring,
                                 .accumulate = accumulate,
                                 .argmin = argmin && semiring <= CLPRIMS_MIN_MAX,
                                 .tuning = shape->tuning};
    return desc;
}

static void add_case(test_cases *cases, test_function *function, const product_case *p,
                     const minplus_shape *shape, const char *extra) {
    const clprims_minplus_desc *d = &p->desc;
    test_add_row(cases, function, *p, "minplus/%s/%s/%zux%zux%zu/batch=%zu/gap=%zu/%s%s%s%s%s",
                 clprims_semiring_name(d->semiring), clprims_type_name(d->type), p->size.m,
                 p->size.n, p->size.k, p->size.batch, p->gap, shape->name,
                 d->accumulate ? "/accumulate" : "", d->argmin ? "/argmin" : "", extra,
                 minplus_signs_names[p->signs]);
}

/* Sizes around tiles, in all three places, with gaps and first elements of every alignment. */
static void add_sizes(test_cases *cases, const clprims_minplus_desc *desc,
                      const minplus_shape *shape, const char *extra, size_t turn) {
    static const size_t sizes[] = {1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129, 13, 47, 101};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    for (size_t i = 0; i < SIZES; i++, turn++) {
        if (test_small() && sizes[i] > 33) continue;
        product_case p = {.desc = *desc, .size = {sizes[i], sizes[i], sizes[i], 1}};
        if (turn % 3 > 0) {
            p.size.n = sizes[(5 * i + turn) % SIZES];
            p.size.k = sizes[(7 * i + 2 * turn) % SIZES];
            p.gap = turn % 5;
            p.first = turn % 4;
        }
        if (test_small()) {
            p.size.n = p.size.n > 40 ? 37 : p.size.n;
            p.size.k = p.size.k > 20 ? 19 : p.size.k;
        }
        add_case(cases, product_is_right, &p, shape, extra);
    }
}

static void add_signs(test_cases *cases, const clprims_minplus_desc *desc,
                      const minplus_shape *shape) {
    static const minplus_size sizes[] = {
        {5, 3, 1, 1}, {33, 65, 31, 1}, {34, 20, 64, 3}, {65, 35, 101, 1}};
    const bool is_there = desc->type == CLPRIMS_F32 || desc->type == CLPRIMS_I32;
    if (!is_there || desc->semiring != CLPRIMS_MIN_PLUS || desc->argmin) return;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        product_case p = {.desc = *desc, .size = sizes[i], .gap = i, .first = 3 * i};
        for (int signs = SIGNS_NOWHERE; signs < SIGNS_CASES; signs++) {
            const bool of_cells = signs >= CELLS_NEGATIVE;
            if (of_cells && (desc->type != CLPRIMS_F32 || p.size.k < 64)) continue;
            if (signs == C_NEGATIVE && !desc->accumulate) continue;
            if (of_cells && test_small()) p.size = (minplus_size){9, 17, 64, 1};
            if (of_cells && test_small() && i == 3) continue;
            p.signs = (minplus_signs)signs;
            add_case(cases, product_is_right, &p, shape, "");
        }
    }
}

/* Groups of many work-items, which take long to compile. */
static bool is_of_many(size_t shape) {
    return shape == 1 || shape == 2;
}

/* Every semiring and type, with shapes, accumulation and argmin in turn: every pair of them with
 * min-plus, and with all in the long tier. By default each other semiring has one program
 * of groups of many. */
static void add_semirings(test_cases *cases) {
    static const clprims_type ordered[] = {CLPRIMS_F32, CLPRIMS_I32, CLPRIMS_F64, CLPRIMS_I64};
    static const clprims_type bits[] = {CLPRIMS_U8, CLPRIMS_U32, CLPRIMS_I64, CLPRIMS_I32};
    size_t turn = 0;
    for (int semiring = CLPRIMS_MIN_PLUS; semiring <= CLPRIMS_OR_AND; semiring++) {
        size_t of_many = 0;
        for (size_t t = 0; t < 4; t++) {
            for (size_t mode = 0; mode < 4; mode++, turn++) {
                if (test_small() && turn % 3 != 0) continue;
                const size_t step = test_long() ? 1 : semiring == CLPRIMS_MIN_PLUS ? 2 : 4;
                if ((t + mode + (size_t)semiring) % step != 0) continue;
                const size_t which = (t + 2 * (size_t)semiring + mode / 2) % MINPLUS_SHAPES;
                const minplus_shape *shape = &minplus_shapes[which];
                if (!test_long() && semiring != CLPRIMS_MIN_PLUS && is_of_many(which) &&
                    of_many++ > 0)
                    continue;
                const clprims_type type = semiring == CLPRIMS_OR_AND ? bits[t] : ordered[t];
                const clprims_minplus_desc desc =
                    describe(type, (clprims_semiring)semiring, mode % 2, mode / 2 % 2, shape);
                add_sizes(cases, &desc, shape, "", turn);
                add_signs(cases, &desc, shape);
            }
        }
    }
}

/* Every shape with every way of folding, for the type that is used most. */
static void add_shapes(test_cases *cases) {
    static const minplus_shape more[] = {
        {"in-turn",
         "HIGH=4 WIDE=8 ROWS=4 COLUMNS=8 DEPTH=16 PAIRS=2 UNROLL=2 SIGNLESS=2 BARRIERS=1"},
        {"tall", "HIGH=8 WIDE=4 ROWS=8 COLUMNS=4 DEPTH=8 PAIRS=3 UNROLL=2 SIGNLESS=2 BARRIERS=1"},
        {"split", "HIGH=2 WIDE=4 ROWS=4 COLUMNS=4 DEPTH=16 SPLIT=4 PAIRS=3 UNROLL=2 BARRIERS=1"},
        {"narrow", "HIGH=1 WIDE=1 ROWS=1 COLUMNS=16 BLOCKS=1 DEPTH=8"},
    };
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        for (int nonnegative = 0; nonnegative < 2; nonnegative++) {
            if (!test_long() && nonnegative && i != 3) continue;
            clprims_minplus_desc desc = describe(CLPRIMS_F32, CLPRIMS_MIN_PLUS, i % 2, 0, &more[i]);
            desc.nonnegative = nonnegative;
            add_sizes(cases, &desc, &more[i], nonnegative ? "/nonnegative" : "", i);
            if (!nonnegative) add_signs(cases, &desc, &more[i]);
        }
    }
}

/* So many k that groups of many note slabs for argmin; see cl/minplus/minplus_argmin.cl. */
static void add_noted(test_cases *cases) {
    static const clprims_type types[] = {CLPRIMS_F32, CLPRIMS_I32, CLPRIMS_F64, CLPRIMS_I64};
    static const minplus_size sizes[] = {{17, 19, 256, 1}, {9, 35, 267, 2}, {34, 5, 301, 1}};
    for (size_t i = 0; i < 8; i++) {
        const minplus_shape *shape = &minplus_shapes[i < 4 ? 3 : 2];
        if (!test_long() && i > 3) continue;
        const clprims_minplus_desc desc =
            describe(types[i % 4], (clprims_semiring)(i % 4 % 3), i % 2, 1, shape);
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            product_case p = {.desc = desc, .size = sizes[k], .gap = k, .first = 2 * k};
            add_case(cases, product_is_right, &p, shape, "");
        }
    }
}

/* Split-k slices; see cl/minplus/minplus_split.cl. k ends within the share of a slice, or before
 * it.
 */
static void add_shared(test_cases *cases) {
    static const minplus_shape shapes[] = {
        {"shared", "HIGH=2 WIDE=4 ROWS=4 COLUMNS=4 DEPTH=16 SPLIT=4 PAIRS=4 UNROLL=2 BARRIERS=1"},
        {"by-two", "HIGH=4 WIDE=8 ROWS=4 COLUMNS=4 DEPTH=16 SPLIT=2 UNROLL=2 BARRIERS=1"}};
    static const clprims_type types[] = {CLPRIMS_I32, CLPRIMS_U8, CLPRIMS_F64, CLPRIMS_I64};
    static const clprims_semiring semirings[] = {CLPRIMS_MIN_PLUS, CLPRIMS_OR_AND, CLPRIMS_MAX_PLUS,
                                                 CLPRIMS_MIN_MAX};
    static const minplus_size sizes[] = {{9, 17, 1, 1},   {13, 9, 3, 2},  {8, 16, 16, 1},
                                         {33, 35, 29, 3}, {5, 20, 64, 1}, {17, 19, 261, 1},
                                         {6, 7, 0, 1}};
    for (size_t i = 0; i < (test_long() ? 4 : 2); i++) {
        const clprims_minplus_desc desc =
            describe(types[i], semirings[i], i != 2, true, &shapes[i % 2]);
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            product_case p = {.desc = desc, .size = sizes[k], .gap = k % 4, .first = 3 * k};
            add_case(cases, product_is_right, &p, &shapes[i % 2], "");
        }
    }
}

/* So many products that GPUs take wide tiles, and narrow ones where these would waste much. */
static void add_many(test_cases *cases) {
    if (test_small()) return;
    product_case p = {.desc =
                          describe(CLPRIMS_F32, CLPRIMS_MIN_PLUS, false, false, &minplus_shapes[3]),
                      .size = {120, 125, 9, 600},
                      .gap = 1};
    add_case(cases, product_is_right, &p, &minplus_shapes[3], "");
    p.size = (minplus_size){65, 33, 9, 600};
    add_case(cases, product_is_right, &p, &minplus_shapes[3], "");
}

/* By default groups of many have the programs of add_semirings. */
static clprims_minplus_desc describe_batch(size_t i) {
    const minplus_shape *shape = &minplus_shapes[i];
    if (is_of_many(i) && !test_long())
        return describe(CLPRIMS_I32, CLPRIMS_MIN_PLUS, true, i == 2, shape);
    return describe(CLPRIMS_I32, i % 2 ? CLPRIMS_MAX_PLUS : CLPRIMS_MIN_PLUS, i / 2 % 2, i % 2,
                    shape);
}

static void add_batches(test_cases *cases) {
    static const int32_t none = 1000, lowest = -1000;
    for (size_t i = 0; i < MINPLUS_SHAPES; i++) {
        const minplus_shape *shape = &minplus_shapes[i];
        product_case p = {.desc = describe_batch(i), .size = {17, 19, 13, 5}, .gap = 3, .first = 1};
        add_case(cases, product_is_right, &p, shape, "");
        if (test_long() || !is_of_many(i)) {
            p.desc.no_edge = i % 2 ? &lowest : &none;
            add_case(cases, product_is_right, &p, shape, "/no-edge");
        }
        const char *extra = p.desc.no_edge != NULL ? "/no-edge" : "";
        p.size = (minplus_size){40, 33, 35, 2};
        add_case(cases, product_is_right, &p, shape, extra);
        add_case(cases, run_is_right, &p, shape, "/run");
        p.size.k = 0;
        add_case(cases, product_is_right, &p, shape, "");
        p.size = (minplus_size){0, 33, 35, 2};
        add_case(cases, run_is_right, &p, shape, "/run");
        p.size = (minplus_size){4, 33, 35, 0};
        add_case(cases, run_is_right, &p, shape, "/run");
    }
}

static void add_all(test_cases *cases) {
    add_shapes(cases);
    add_semirings(cases);
    add_batches(cases);
    add_noted(cases);
    add_shared(cases);
    add_many(cases);
    add_paths_cases(cases);
    add_minplus_limits(cases);
    add_minplus_places(cases);
    add_minplus_custom(cases);
    add_minplus_refusals(cases);
}

int main(int argc, char **argv) {
    return test_main(argc, argv, add_all);
}
