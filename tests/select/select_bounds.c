/* SPDX-License-Identifier: MIT */
/* Bounds that a selection is given right up to: what is at the bound is taken, what is one beyond
 * is refused. */
#include "fixtures/select_cases.h"

static const pass_way chosen = {CLPRIMS_ALGORITHM_AUTO, NULL, "chosen"};

/* ---- max_n and the types of indices and lengths ---- */

typedef struct reach_case {
    clprims_type type;
    size_t most;
} reach_case;

static const reach_case reaches[] = {{CLPRIMS_I32, INT32_MAX}, {CLPRIMS_U32, UINT32_MAX}};

static void types_reach(const void *data) {
    const reach_case *c = data;
    clprims_select *plan = NULL;
    for (int lengths = 0; lengths < 2; lengths++) {
        clprims_select_desc desc = select_describe(CLPRIMS_SELECT_RUNS, CLPRIMS_U32, 1, &chosen);
        *(lengths ? &desc.lengths : &desc.indices) = c->type;
        desc.max_n = c->most;
        expect_ok(clprims_select_create(&plan, test_context(), &desc));
        clprims_select_destroy(plan);
        desc.max_n = c->most + 1;
        expect_failure(clprims_select_create(&plan, test_context(), &desc), CLPRIMS_ERR_TOO_LARGE,
                       lengths ? "the reach of lengths" : "the reach of indices");
    }
}

/* ---- Bits ---- */

typedef struct bits_case {
    size_t first, n, bytes;
    bool fits;
} bits_case;

static const bits_case bits_cases[] = {
    {0, 8, 1, true}, {0, 9, 1, false}, {5, 3, 1, true},  {5, 4, 1, false}, {5, 8, 1, false},
    {5, 8, 2, true}, {8, 8, 2, true},  {8, 9, 2, false}, {15, 1, 2, true}, {16, 1, 2, false}};

static void bits_fit(const void *data) {
    const bits_case *c = data;
    enum { MOST = 16 };
    clprims_select_desc desc = select_describe(CLPRIMS_SELECT_BITS, CLPRIMS_I32, 1, &chosen);
    desc.max_n = MOST;
    clprims_select *plan = select_plan(&desc);
    const uint8_t ones[MOST] = {255, 255};
    int32_t in_values[MOST];
    uint64_t kept = 0;
    test_random_values(CLPRIMS_I32, CLPRIMS_ADD, in_values, c->n);
    test_buffer in = test_buffer_create(in_values, c->n, 4, 0);
    test_buffer out = test_buffer_create(NULL, c->n, 4, 0),
                count = test_buffer_create(NULL, 1, 8, 0);
    cl_int code = CL_SUCCESS;
    cl_mem bits = clCreateBuffer(test_info().context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                 c->bytes, (void *)(uintptr_t)ones, &code);
    expect_cl(code);
    const clprims_select_buffers b = {
        .in = {in.at}, .out = {out.at}, .flags = {bits, c->first}, .count = count.at};
    const clprims_status status =
        clprims_select_enqueue(plan, test_queue(), &b, c->n, 0, NULL, NULL);
    if (c->fits) {
        test_expect_ok(status, "enqueue", __FILE__, __LINE__);
        test_buffer_read(&count, &kept);
        assert_int_equal(kept, c->n);
        test_buffer_expect_unchanged(&out, in_values);
    } else {
        test_expect_failure(status, CLPRIMS_ERR_ARGUMENT, "flags has room for", "enqueue", __FILE__,
                            __LINE__);
    }
    expect_cl(clReleaseMemObject(bits));
}

/* ---- capacity ---- */

/* Room for far more than there can be, none of which is there. */
static void capacity_is_huge(void) {
    enum { N = 100 };
    clprims_select_desc desc = select_describe(CLPRIMS_SELECT_RUNS, CLPRIMS_I32, 1, &chosen);
    desc.indices = CLPRIMS_I64;
    desc.lengths = CLPRIMS_I32;
    desc.max_n = N;
    int32_t in[N], out[N], lengths[N];
    int64_t indices[N];
    for (int32_t i = 0; i < N; i++) in[i] = i / 4;
    size_t count = 0;
    clprims_select_arrays arrays = {
        .in = {in}, .out = {out}, .indices = indices, .lengths = lengths, .count = &count};
    const size_t capacities[] = {0, N, N + 1, SIZE_MAX / 16, SIZE_MAX};
    for (size_t k = 0; k < sizeof capacities / sizeof capacities[0]; k++) {
        arrays.sizes.capacity = capacities[k];
        expect_ok(clprims_select_run(select_plan(&desc), &arrays, N));
        assert_int_equal(count, N / 4);
        for (int32_t i = 0; i < N / 4; i++) {
            assert_int_equal(out[i], i);
            assert_int_equal(indices[i], 4 * i);
            assert_int_equal(lengths[i], 4);
        }
    }
}

/* Short of room by one to four elements, with every result that the decision has. */
static void add_short(test_cases *cases) {
    const pass_way one = {CLPRIMS_ALGORITHM_LOOKBACK, "GROUP=1 ROWS=16", "lookback/one"};
    for (int by = CLPRIMS_SELECT_FLAGS; by <= CLPRIMS_SELECT_RUNS; by++) {
        select_case c = {.desc = select_describe((clprims_select_by)by, CLPRIMS_U16, 1, &one),
                         .pattern = KEEP_HALF,
                         .n = test_small() ? 300 : 3001};
        c.desc.max_n = c.n;
        c.desc.indices = CLPRIMS_I32;
        if (by == CLPRIMS_SELECT_RUNS) c.desc.lengths = CLPRIMS_U64;
        for (c.lacking = 1; c.lacking <= 4; c.lacking++) {
            char extra[32];
            snprintf(extra, sizeof extra, "/short-by-%zu", c.lacking);
            select_add(cases, &c, one.name, extra);
        }
    }
}

void add_bound_cases(test_cases *cases) {
    add_short(cases);
    test_add_plain(cases, capacity_is_huge, "select/bounds/capacity");
    for (size_t k = 0; k < sizeof bits_cases / sizeof bits_cases[0]; k++) {
        const bits_case *c = &bits_cases[k];
        test_add_row(cases, bits_fit, *c, "select/bounds/bits/first=%zu,n=%zu,bytes=%zu", c->first,
                     c->n, c->bytes);
    }
    for (size_t k = 0; k < sizeof reaches / sizeof reaches[0] && !test_small(); k++) {
        test_add_row(cases, types_reach, reaches[k], "select/bounds/reach/%s",
                     clprims_type_name(reaches[k].type));
    }
}
