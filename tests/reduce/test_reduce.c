/* SPDX-License-Identifier: MIT */
/* Reductions of built-in types and operators beside their plain-C twins. */
#include "reduce/reduce_cases.h"

/* GROUP=1 is what CPUs take; GROUP=64 is two teams, of one sub-group, of several, or of none;
 * GROUP=128 a group for each block, by ticket or not. */
const reduce_shape reduce_shapes[REDUCE_SHAPES] = {
    {"one", "GROUP=1 GROUPS=2"},
    {"many", "GROUP=64 GROUPS=1 DEPTH=2"},
    {"waits", "GROUP=128 DEPTH=2 WAITERS=0"},
    {"deep", "GROUP=32 GROUPS=3 DEPTH=16"},
    {"unticketed", "GROUP=128 DEPTH=16 WAITERS=1000000"}};

/* ---- Plans and runs ---- */

clprims_reduce *reduce_plan(const clprims_reduce_desc *desc) {
    test_needs_types(desc->type, desc->accumulator);
    return subject_kept_plan(&subject_reduce, desc);
}

subject_data reduce_data(const clprims_reduce_desc *desc, size_t n) {
    return (subject_data){.of = &subject_reduce, .desc = desc, .n = {n}, .most = {desc->max_n}};
}

void reduce_is_right(const void *data) {
    const reduce_case *c = data;
    const size_t firsts[SUBJECT_SLOTS] = {c->first, c->first % 3, c->first % 2};
    subject_data like = reduce_data(&c->desc, c->n);
    like.operand = c->operand;
    like.fill = c->fill;
    subject_drawn_is_right(&like, reduce_plan(&c->desc), firsts, c->by_run);
}

/* ---- Cases ---- */

/* Zeros, NaN, infinities. */
static void fill_edges(const subject_data *d, void *in, size_t n) {
    oracle_edge_values(((const clprims_reduce_desc *)d->desc)->type, in, n);
}

static clprims_reduce_desc describe(clprims_type type, clprims_op op, const reduce_shape *shape) {
    clprims_reduce_desc desc = {.type = type, .op = op, .max_n = 3 << 20, .tuning = shape->tuning};
    return desc;
}

static void add_case(test_cases *cases, const reduce_case *c, const reduce_shape *shape,
                     const char *extra) {
    const clprims_reduce_desc *d = &c->desc;
    if (shape != &reduce_shapes[0] && !test_bears_shapes()) return;
    test_add_row(cases, reduce_is_right, *c, "reduce/%s%s%s/%s/n=%zu/first=%zu/%s%s",
                 clprims_type_name(d->type), d->accumulator ? "-" : "",
                 d->accumulator ? clprims_type_name(d->accumulator) : "", clprims_op_name(d->op),
                 c->n, c->first, shape->name, extra);
}

/* Every size at which something can go wrong: rows, blocks, levels. */
static void add_sizes(test_cases *cases) {
    static const size_t sizes[] = {1,     2,       3,       31,      32,      33,     63,   64,
                                   65,    127,     128,     129,     255,     256,    257,  1023,
                                   1024,  1025,    2047,    2049,    4096,    5000,   5001, 65536,
                                   65537, 1048575, 1048576, 1048577, 1052673, 2097229};
    const size_t largest = test_small() ? 2049 : SIZE_MAX;
    for (size_t s = 0; s < REDUCE_SHAPES; s++) {
        reduce_case c = {.desc = describe(CLPRIMS_F32, CLPRIMS_ADD, &reduce_shapes[s])};
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            c.n = sizes[i];
            c.first = i % 5;
            if (c.n <= largest) add_case(cases, &c, &reduce_shapes[s], "");
        }
        c.n = 5003;
        for (c.first = 0; c.first < 5 && !test_small(); c.first++) {
            add_case(cases, &c, &reduce_shapes[s], "/places");
        }
        c.n = 1500;
        c.first = 0;
        c.by_run = true;
        add_case(cases, &c, &reduce_shapes[s], "/run");
    }
}

/* Every type and operator; each with each in the long tier, with the shapes in turn. */
static void add_types(test_cases *cases) {
    int turn = 0;
    for (int type = CLPRIMS_I8; type <= CLPRIMS_F64; type++) {
        const bool is_float = type >= CLPRIMS_F32;
        for (int op = CLPRIMS_ADD; op <= CLPRIMS_ARGMAX; op++) {
            if (op == CLPRIMS_CUSTOM || (is_float && op >= CLPRIMS_AND && op < CLPRIMS_CUSTOM))
                continue;
            if (test_small() && op != type % 4) continue;
            if (!test_long() && !is_float && (type + 2 * op) % 3 != 0) continue;
            const reduce_shape *shape = &reduce_shapes[turn++ % 3];
            reduce_case c = {.desc = describe((clprims_type)type, (clprims_op)op, shape),
                             .n = test_small() ? 1300 : 20003,
                             .first = (size_t)turn % 5};
            add_case(cases, &c, shape, "");
            c.n = 77;
            add_case(cases, &c, shape, "");
            c.fill = is_float ? fill_edges : NULL;
            c.n = 3000;
            if (is_float) add_case(cases, &c, shape, "/edges");
            for (c.n = 1; c.n < 4 && is_float; c.n++) add_case(cases, &c, shape, "/edges");
        }
    }
}

/* Accumulators of another type, with an initial value; sums of narrow integers in floats follow the
 * tree, too. */
static void add_accumulators(test_cases *cases) {
    static const clprims_type pairs[][2] = {
        {CLPRIMS_U8, CLPRIMS_U64},  {CLPRIMS_I8, CLPRIMS_I64},  {CLPRIMS_I16, CLPRIMS_I32},
        {CLPRIMS_U32, CLPRIMS_U64}, {CLPRIMS_F32, CLPRIMS_F64}, {CLPRIMS_I64, CLPRIMS_I32},
        {CLPRIMS_U8, CLPRIMS_F32},  {CLPRIMS_I16, CLPRIMS_F32}, {CLPRIMS_I32, CLPRIMS_F64}};
    static const uint64_t bits = 7;
    static const double number = 0.1;
    static const float short_number = 0.1f;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const reduce_shape *shape = &reduce_shapes[i % 3];
        if (test_small() && i % 3 != 0) continue;
        reduce_case c = {.desc = describe(pairs[i][0], CLPRIMS_ADD, shape),
                         .n = test_small() ? 1100 : 20011,
                         .first = 3};
        c.desc.accumulator = pairs[i][1];
        c.desc.init = pairs[i][1] == CLPRIMS_F64   ? (const void *)&number
                      : pairs[i][1] == CLPRIMS_F32 ? (const void *)&short_number
                                                   : (const void *)&bits;
        add_case(cases, &c, shape, "/init");
    }
}

void test_program(test_cases *cases) {
    add_sizes(cases);
    add_types(cases);
    add_accumulators(cases);
    add_bit_cases(cases);
    add_custom_cases(cases);
    add_empty_cases(cases);
    add_few_cases(cases);
    add_counted_cases(cases);
    add_parameter_cases(cases);
    add_refusal_cases(cases);
}
