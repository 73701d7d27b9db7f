/* SPDX-License-Identifier: MIT */
/* Select and offsets over ranks beside their definitions in plain C, for the whole array: some
 * descriptions with every layout and size, and drawn ones. */
#include "fixtures/sort_cases.h"
#include "mpi/ranks.h"

enum { LARGEST = 3000 };

typedef struct run_case {
    ranks_layout layout;
    size_t total;
} run_case;

/* ---- Select ---- */

typedef struct selection {
    clprims_select_desc desc;
    char parameters[24];
    uint64_t mask; /* of rank 0; that of each other rank is one more than that of the rank before */
} selection;

static void by_mask(selection *s) {
    s->desc.by = CLPRIMS_SELECT_PREDICATE;
    snprintf(s->parameters, sizeof s->parameters, "%s mask", drawn_text(s->desc.type[0]));
    s->desc.parameters = s->parameters;
    s->desc.predicate = "(x & mask) != 0";
}

static void describe_select(selection *s, bool by_flags) {
    *s = (selection){.mask = 1};
    s->desc.by = CLPRIMS_SELECT_FLAGS;
    s->desc.arrays = 1;
    s->desc.type[0] = CLPRIMS_U32;
    s->desc.indices = by_flags ? CLPRIMS_I64 : CLPRIMS_U32;
    s->desc.max_n = LARGEST;
    if (!by_flags) by_mask(s);
}

static void draw_select(selection *s) {
    static const clprims_type indices[] = {CLPRIMS_TYPE_DEFAULT, CLPRIMS_I32, CLPRIMS_U32,
                                           CLPRIMS_I64, CLPRIMS_U64};
    *s = (selection){.mask = test_random()};
    clprims_select_desc *desc = &s->desc;
    desc->by = (clprims_select_by)test_random_below(CLPRIMS_SELECT_RUNS);
    desc->indices = indices[test_random_below(5)];
    desc->arrays = 1 + test_random_below(2);
    desc->type[0] = drawn_integer();
    if (desc->arrays == 2) desc->type[1] = CLPRIMS_F64;
    desc->max_n = LARGEST;
    if (desc->by >= CLPRIMS_SELECT_PREDICATE && desc->arrays == 1) desc->no_values = drawn_coin();
    if (desc->by == CLPRIMS_SELECT_PREDICATE) by_mask(s);
}

static void set_mask(const selection *s, clprims_mpi_select *plan) {
    const size_t bytes = clprims_type_bytes(s->desc.type[0]);
    uint64_t mask = 0;
    if (s->desc.parameters == NULL) return;
    test_store_integer(bytes, &mask, 0, s->mask + (uint64_t)ranks_rank());
    expect_ranks_ok(clprims_mpi_select_set_parameter(plan, 0, bytes, &mask));
}

/* flags: one byte an element. */
static bool is_kept(const selection *s, const void *whole, const unsigned char *flags, size_t i,
                    size_t rank) {
    const uint64_t x = oracle_load_integer(s->desc.type[0], whole, i);
    const size_t bytes = clprims_type_bytes(s->desc.type[0]);
    if (s->desc.by <= CLPRIMS_SELECT_BITS) return flags[i] != 0;
    if (s->desc.by == CLPRIMS_SELECT_NONZERO) return x != 0;
    return (x & (s->mask + rank) & (UINT64_MAX >> (64 - 8 * bytes))) != 0;
}

/* The kept elements' positions, and this rank's block of them. */
static size_t *define_kept(const selection *s, const void *whole, const unsigned char *flags,
                           const size_t *starts, clprims_mpi_block *block) {
    const size_t ranks = (size_t)ranks_count(), me = (size_t)ranks_rank();
    size_t *kept = test_scratch(starts[ranks], sizeof *kept), count = 0;
    for (size_t r = 0; r < ranks; r++) {
        if (r == me) block->start = count;
        for (size_t i = starts[r]; i < starts[r + 1]; i++) {
            if (is_kept(s, whole, flags, i, r)) kept[count++] = i;
        }
        if (r == me) block->n = count - block->start;
    }
    block->total = count;
    return kept;
}

/* Of this rank's block, as the description wants them. */
static test_buffer make_flags(const selection *s, const unsigned char *flags,
                              clprims_mpi_block block) {
    unsigned char bits[LARGEST / 8 + 1] = {0};
    if (s->desc.by != CLPRIMS_SELECT_BITS) return ranks_buffer(flags, block, 1);
    for (size_t i = 0; i < block.n; i++) {
        if (flags[block.start + i] != 0) bits[i / 8] |= (unsigned char)(1u << i % 8);
    }
    return test_buffer_create(bits, (size_t)block.n / 8 + 1, 1, 0);
}

/* Numbers of which each third is zero. */
static void *make_elements(size_t total, size_t bytes) {
    void *elements = sort_make_payload(total, bytes);
    for (size_t i = 0; i < total; i += 3) test_store_integer(bytes, elements, i, 0);
    return elements;
}

static void run_select(const selection *s, clprims_mpi_select *plan, ranks_layout layout,
                       size_t total) {
    const size_t bytes[2] = {clprims_type_bytes(s->desc.type[0]), sizeof(double)};
    const size_t index_bytes = clprims_type_bytes(s->desc.indices);
    size_t *starts = ranks_starts(layout, total);
    const clprims_mpi_block block = ranks_own(starts);
    unsigned char *flags = test_scratch(total, 1);
    void *whole[2];
    clprims_mpi_block found, own;
    test_buffer in[2], out[2];
    for (size_t i = 0; i < total; i++) flags[i] = test_random_below(3) == 0 ? 0 : 8;
    for (size_t a = 0; a < s->desc.arrays; a++) whole[a] = make_elements(total, bytes[a]);
    size_t *kept = define_kept(s, whole[0], flags, starts, &own);
    const size_t capacity = (size_t)own.n + 1 + test_random_below(2);
    clprims_select_buffers buffers = {.sizes.capacity = capacity};
    for (size_t a = 0; a < s->desc.arrays; a++) {
        in[a] = ranks_buffer(whole[a], block, bytes[a]);
        out[a] = test_buffer_create(NULL, capacity, bytes[a], test_random_below(5));
        buffers.in[a] = in[a].at;
        if (!s->desc.no_values) buffers.out[a] = out[a].at;
    }
    test_buffer flag = make_flags(s, flags, block);
    test_buffer indices = test_buffer_create(NULL, capacity, index_bytes > 0 ? index_bytes : 1, 3);
    if (s->desc.by <= CLPRIMS_SELECT_BITS) buffers.flags = flag.at;
    if (index_bytes > 0) buffers.indices = indices.at;
    expect_ranks_ok(clprims_mpi_select_run(plan, &buffers, block.n, &found));
    assert_memory_equal(&found, &own, sizeof found);
    for (size_t a = 0; a < s->desc.arrays; a++) {
        unsigned char *values = ranks_reorder(whole[a], kept, (size_t)own.total, bytes[a]);
        if (!s->desc.no_values) ranks_expect_block(&out[a], values, own, bytes[a]);
    }
    unsigned char *positions = ranks_positions(kept, (size_t)own.total, s->desc.indices);
    if (index_bytes > 0) ranks_expect_block(&indices, positions, own, index_bytes);
}

static void elements_are_kept(const void *data) {
    const run_case *c = data;
    for (int by_flags = 0; by_flags < 2; by_flags++) {
        selection s;
        describe_select(&s, by_flags);
        clprims_mpi_select *plan = ranks_plan(&ranks_select, (size_t)by_flags, &s.desc);
        set_mask(&s, plan);
        run_select(&s, plan, c->layout, c->total);
    }
}

static void drawn_select_is_right(void) {
    clprims_mpi_select *plan = NULL;
    selection s;
    draw_select(&s);
    expect_ranks_ok(clprims_mpi_select_create(&plan, ranks_mpi(), &s.desc));
    set_mask(&s, plan);
    for (int k = 0; k < DRAWN_RUNS; k++) run_select(&s, plan, RANKS_DRAWN, drawn_total());
    clprims_mpi_select_destroy(plan);
}

/* A plan that keeps three of these values, or counts them. */
static const uint32_t values[4] = {3, 6, 9, 0};

static clprims_mpi_select *plan_of_three(bool counts) {
    clprims_select_desc desc = {.by = CLPRIMS_SELECT_NONZERO,
                                .arrays = 1,
                                .type[0] = CLPRIMS_U32,
                                .no_values = counts,
                                .indices = counts ? CLPRIMS_TYPE_DEFAULT : CLPRIMS_U32,
                                .max_n = 4};
    return ranks_plan(&ranks_select, 2 + counts, &desc);
}

static void bad_selects_are_named(void) {
    const int last = ranks_count() - 1;
    const bool is_last = ranks_rank() == last;
    selection good, bad;
    clprims_mpi_select *select = plan_of_three(false);
    clprims_mpi_block found;
    describe_select(&good, false);
    describe_select(&bad, false);
    bad.desc.partition = 1;
    ranks_desc_is_refused(&ranks_select, &good.desc, &bad.desc, CLPRIMS_ERR_UNSUPPORTED,
                          "no partition over ranks");
    describe_select(&bad, false);
    bad.desc.by = CLPRIMS_SELECT_RUNS;
    ranks_desc_is_refused(&ranks_select, &good.desc, &bad.desc, CLPRIMS_ERR_UNSUPPORTED,
                          "runs are not selected over ranks");
    test_buffer in = test_buffer_create(values, 4, 4, 0), out = test_buffer_create(NULL, 4, 4, 0);
    test_buffer indices = test_buffer_create(NULL, 4, 4, 0);
    clprims_select_buffers buffers = {
        .in[0] = in.at, .out[0] = out.at, .indices = indices.at, .sizes.capacity = is_last ? 2 : 4};
    expect_ranks_failure(clprims_mpi_select_run(select, &buffers, 4, &found), CLPRIMS_ERR_TOO_LARGE,
                         last, "mpi_select: 3 elements are kept, and capacity = 2");
    assert_int_equal(found.n, 3);
    expect_ranks_failure(clprims_mpi_select_run(select, &buffers, 4, is_last ? NULL : &found),
                         CLPRIMS_ERR_ARGUMENT, last, "kept is NULL");
    if (is_last) buffers.count = in.at;
    expect_ranks_failure(clprims_mpi_select_run(select, &buffers, 4, &found), CLPRIMS_ERR_ARGUMENT,
                         last, "buffers.count.mem is not NULL");
}

/* A plan with outputs needs their buffers where a rank has elements. */
static void missing_outputs_are_named(void) {
    const int last = ranks_count() - 1;
    const size_t n = ranks_rank() == last ? 4 : 0;
    clprims_mpi_select *select = plan_of_three(false);
    clprims_mpi_block found;
    test_buffer in = test_buffer_create(values, 4, 4, 0);
    clprims_select_buffers buffers = {.in[0] = in.at};
    /* Only the last rank keeps anything. */
    expect_ranks_failure(clprims_mpi_select_run(select, &buffers, n, &found), CLPRIMS_ERR_ARGUMENT,
                         last, "out[0].mem is NULL");
    expect_ranks_failure(clprims_mpi_select_run(select, &buffers, 4, &found), CLPRIMS_ERR_ARGUMENT,
                         0, "out[0].mem is NULL");
    /* A plan without outputs counts. */
    expect_ranks_ok(clprims_mpi_select_run(plan_of_three(true), &buffers, 4, &found));
    assert_int_equal(found.total, 3 * ranks_count());
}

/* ---- Offsets ---- */

static clprims_mpi_offsets *int64_offsets(void) {
    clprims_offsets_desc desc = {.type = CLPRIMS_I64, .max_n = LARGEST};
    return ranks_plan(&ranks_offsets, 0, &desc);
}

/* From this rank's intervals; starts: NULL for a plan of counts. */
static clprims_status run_intervals(clprims_mpi_offsets *plan, const void *starts,
                                    const void *stops, size_t bytes, size_t n, int64_t *out,
                                    clprims_mpi_block *items) {
    test_buffer from = test_buffer_create(starts, n, bytes, test_random_below(5));
    test_buffer to = test_buffer_create(stops, n, bytes, test_random_below(5));
    test_buffer offsets = test_buffer_create(NULL, n + 1, sizeof *out, test_random_below(5));
    const clprims_buffer none = {NULL, 0};
    const clprims_status status =
        clprims_mpi_offsets_run(plan, starts == NULL ? none : from.at, to.at, offsets.at, n, items);
    if (status == CLPRIMS_OK) test_buffer_read(&offsets, out);
    return status;
}

static void run_offsets(clprims_mpi_offsets *plan, clprims_type type, bool counts,
                        ranks_layout layout, size_t total) {
    static int64_t expected[LARGEST + 1], own[LARGEST + 1];
    const size_t bytes = clprims_type_bytes(type);
    const uint64_t most = bytes == 8 ? (uint64_t)1 << 40 : 100;
    const clprims_mpi_block block = ranks_block(layout, total);
    char *starts = test_scratch(total, bytes), *stops = test_scratch(total, bytes);
    clprims_mpi_block items;
    expected[0] = 0;
    for (size_t i = 0; i < total; i++) {
        const uint64_t from = counts ? 0 : test_random_below(20), length = test_random_below(most);
        test_store_integer(bytes, starts, i, from);
        test_store_integer(bytes, stops, i, from + length);
        expected[i + 1] = expected[i] + (int64_t)length;
    }
    expect_ranks_ok(run_intervals(plan, counts ? NULL : starts + block.start * bytes,
                                  stops + block.start * bytes, bytes, block.n, own, &items));
    expect_elements(expected + block.start, own, block.n + 1, sizeof *own);
    assert_int_equal(items.start, expected[block.start]);
    assert_int_equal(items.n, expected[block.start + block.n] - expected[block.start]);
    assert_int_equal(items.total, expected[total]);
}

static void offsets_are_right(const void *data) {
    const run_case *c = data;
    run_offsets(int64_offsets(), CLPRIMS_I64, false, c->layout, c->total);
}

static void drawn_offsets_are_right(void) {
    clprims_offsets_desc desc = {0};
    clprims_mpi_offsets *plan = NULL;
    desc.type = drawn_integer();
    desc.counts = drawn_coin();
    desc.max_n = LARGEST;
    expect_ranks_ok(clprims_mpi_offsets_create(&plan, ranks_mpi(), &desc));
    for (int k = 0; k < DRAWN_RUNS; k++) {
        run_offsets(plan, desc.type, desc.counts != 0, RANKS_DRAWN, drawn_total());
    }
    clprims_mpi_offsets_destroy(plan);
}

static void bad_offsets_are_named(void) {
    const int last = ranks_count() - 1;
    const bool is_last = ranks_rank() == last;
    const int64_t starts[3] = {0, 5, 0}, stops[3] = {9, 5, 7}, large[3] = {INT64_MAX / 2, 5, 7};
    const int64_t bad[3] = {9, 4, 7};
    int64_t own[4], most[3] = {INT64_MAX - 16 * last, 5, 0};
    clprims_mpi_offsets *plan = int64_offsets();
    expect_ranks_failure(run_intervals(plan, starts, is_last ? bad : stops, 8, 3, own, NULL),
                         CLPRIMS_ERR_DATA, last, "offsets: stops[i] < starts[i]");
    if (last > 0) {
        expect_ranks_failure(run_intervals(plan, starts, large, 8, 3, own, NULL), CLPRIMS_ERR_DATA,
                             1, "mpi_offsets: the total exceeds 2^63 - 1");
    }
    expect_ranks_ok(run_intervals(plan, starts, stops, 8, 3, own, NULL));
    assert_int_equal(own[3], 16 * (ranks_rank() + 1));
    /* 2^63 - 1 in all, and one more. */
    expect_ranks_ok(run_intervals(plan, starts, is_last ? most : stops, 8, 3, own, NULL));
    assert_int_equal(own[3], is_last ? INT64_MAX : 16 * (ranks_rank() + 1));
    if (last == 0) return;
    most[2]++;
    expect_ranks_failure(run_intervals(plan, starts, is_last ? most : stops, 8, 3, own, NULL),
                         CLPRIMS_ERR_DATA, last, "mpi_offsets: the total exceeds 2^63 - 1");
}

void add_select_cases(test_cases *cases) {
    static const size_t totals[] = {0, 2, 100, LARGEST};
    ranks_add_plain(cases, bad_selects_are_named, "ranks/select/refused");
    ranks_add_plain(cases, missing_outputs_are_named, "ranks/select/no-outputs");
    ranks_add_plain(cases, bad_offsets_are_named, "ranks/offsets/refused");
    for (ranks_layout layout = RANKS_EVEN; layout < RANKS_LAYOUTS; layout++)
        for (size_t t = 0; t < sizeof totals / sizeof totals[0]; t++) {
            const run_case c = {layout, totals[t]};
            const char *name = ranks_layout_name(layout);
            ranks_add_row(cases, elements_are_kept, c, "ranks/select/%s/n=%zu", name, c.total);
            ranks_add_row(cases, offsets_are_right, c, "ranks/offsets/%s/n=%zu", name, c.total);
        }
    for (size_t k = 0; k < (test_long() ? 20 : 2); k++) {
        ranks_add_plain(cases, drawn_select_is_right, "ranks/drawn/select/%zu", k);
        if (k % 2 > 0) continue;
        ranks_add_plain(cases, drawn_offsets_are_right, "ranks/drawn/offsets/%zu", k);
    }
}
