/* SPDX-License-Identifier: MIT */
/* Reductions of built-in types and operators beside their plain-C twins. */
#include "reduce/reduce_cases.h"

#include <stdlib.h>
#include <string.h>

/* GROUP=1 is what CPUs take; GROUP=64 is two teams, of one sub-group, of several, or of none;
 * GROUP=128 a group for each block, by ticket or not. */
const reduce_shape reduce_shapes[REDUCE_SHAPES] = {
    {"one", "GROUP=1 GROUPS=2"},
    {"many", "GROUP=64 GROUPS=1 DEPTH=2"},
    {"waits", "GROUP=128 DEPTH=2 WAITERS=0"},
    {"deep", "GROUP=32 GROUPS=3 DEPTH=16"},
    {"unticketed", "GROUP=128 DEPTH=16 WAITERS=1000000"}};

/* ---- Plans and runs ---- */

static struct {
    clprims_reduce_desc desc;
    clprims_reduce *reduce;
} kept;

size_t reduce_in_bytes(const clprims_reduce_desc *desc) {
    return desc->type == CLPRIMS_STRUCT ? desc->custom.type_bytes : clprims_type_bytes(desc->type);
}

clprims_reduce *reduce_plan(const clprims_reduce_desc *desc) {
    test_needs_types(desc->type, desc->accumulator);
    if (kept.reduce != NULL && memcmp(&kept.desc, desc, sizeof *desc) == 0) return kept.reduce;
    clprims_reduce_destroy(kept.reduce);
    kept.reduce = NULL;
    expect_ok(clprims_reduce_create(&kept.reduce, test_context(), desc));
    memcpy(&kept.desc, desc, sizeof *desc);
    return kept.reduce;
}

void reduce_on_device(clprims_reduce *reduce, const clprims_reduce_desc *desc, const void *in,
                      size_t first, size_t n, void *result) {
    const bool has_in = !desc->no_input_array;
    const clprims_buffer none = {NULL, 0};
    test_buffer from = {.n = 0};
    test_buffer to = test_buffer_create(NULL, 1, oracle_reduce_bytes(desc), first % 3);
    test_buffer report = test_buffer_create(NULL, 1, sizeof(clprims_reduce_report), first % 2);
    clprims_reduce_report found;
    if (has_in) from = test_buffer_create(in, n, reduce_in_bytes(desc), first);
    expect_ok(clprims_reduce_enqueue(reduce, test_queue(), has_in ? from.at : none, to.at, n,
                                     report.at, 0, NULL, NULL));
    test_buffer_read(&to, result);
    test_buffer_read(&report, &found);
    expect_ok(clprims_reduce_check(&found));
    if (found.count != (int64_t)n) test_fail("the report counts %lld", (long long)found.count);
    if (has_in) {
        test_buffer_expect_unchanged(&from, in);
        test_buffer_release(&from);
    }
    test_buffer_release(&to);
    test_buffer_release(&report);
}

/* ---- Cases ---- */

typedef struct reduce_case {
    clprims_reduce_desc desc;
    size_t n;
    size_t first;
    bool by_run; /* through clprims_reduce_run */
    bool edges; /* zeros, NaN, infinities */
} reduce_case;

/* Floats whose sums round, values that products do not die out of, or edges. */
static void fill(const reduce_case *c, void *in) {
    const clprims_type type = c->desc.type;
    const bool is_float = type == CLPRIMS_F32 || type == CLPRIMS_F64;
    if (c->edges) {
        oracle_edge_values(type, in, c->n);
    } else if (is_float && c->desc.op != CLPRIMS_MUL) {
        test_random_unit(type, in, c->n);
    } else {
        test_random_values(type, c->desc.op >= CLPRIMS_ARGMIN ? CLPRIMS_MIN : c->desc.op, in, c->n);
    }
}

static void reduce_is_right(const void *data) {
    const reduce_case *c = data;
    clprims_reduce *reduce = reduce_plan(&c->desc);
    void *in = test_alloc(c->n, reduce_in_bytes(&c->desc));
    unsigned char expected[8], actual[8];
    fill(c, in);
    oracle_reduce(&c->desc, in, expected, c->n);
    if (c->by_run) {
        test_array from = test_array_create(in, c->n, reduce_in_bytes(&c->desc));
        test_array to = test_array_create(NULL, 1, oracle_reduce_bytes(&c->desc));
        expect_ok(clprims_reduce_run(reduce, from.values, to.values, c->n));
        memcpy(actual, to.values, oracle_reduce_bytes(&c->desc));
        test_array_expect_guards(&from);
        test_array_expect_guards(&to);
        test_array_free(&from);
        test_array_free(&to);
    } else {
        reduce_on_device(reduce, &c->desc, in, c->first, c->n, actual);
    }
    expect_elements(expected, actual, 1, oracle_reduce_bytes(&c->desc));
    free(in);
}

static clprims_reduce_desc describe(clprims_type type, clprims_op op, const reduce_shape *shape) {
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    desc.type = type;
    desc.op = op;
    desc.max_n = 3 << 20;
    desc.tuning = shape->tuning;
    return desc;
}

static void add_case(test_cases *cases, const reduce_case *c, const reduce_shape *shape,
                     const char *extra) {
    const clprims_reduce_desc *d = &c->desc;
    if (shape != &reduce_shapes[0] && !test_bears_shapes()) return;
    test_add(cases, reduce_is_right, c, sizeof *c, "reduce/%s%s%s/%s/n=%zu/first=%zu/%s%s",
             clprims_type_name(d->type), d->accumulator ? "-" : "",
             d->accumulator ? clprims_type_name(d->accumulator) : "", clprims_op_name(d->op), c->n,
             c->first, shape->name, extra);
}

/* Every size at which something can go wrong: rows, blocks, levels. */
static void add_sizes(test_cases *cases) {
    static const size_t sizes[] = {1,
                                   2,
                                   3,
                                   31,
                                   32,
                                   33,
                                   63,
                                   64,
                                   65,
                                   127,
                                   128,
                                   129,
                                   255,
                                   256,
                                   257,
                                   1023,
                                   1024,
                                   1025,
                                   2047,
                                   2049,
                                   4096,
                                   5000,
                                   5001,
                                   65536,
                                   65537,
                                   (1 << 20) - 1,
                                   1 << 20,
                                   (1 << 20) + 1,
                                   (1 << 20) + 4097,
                                   (1 << 21) + 77};
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
            c.edges = is_float;
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

static void add_cases(test_cases *cases) {
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

int main(int argc, char **argv) {
    return test_main(argc, argv, add_cases);
}
