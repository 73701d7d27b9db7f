/* SPDX-License-Identifier: MIT */
/* Select and offsets over ranks beside their definitions in plain C, for the whole array. */
#include "mpi/ranks.h"

#include <stdlib.h>

enum { LARGEST = 3000 };

typedef struct run_case {
    ranks_layout layout;
    size_t total;
} run_case;

/* ---- Select ---- */

static clprims_mpi_select *selects[2]; /* by a predicate with 32-bit positions; by flags with 64 */

static clprims_select_desc describe_select(bool by_flags) {
    clprims_select_desc desc = CLPRIMS_SELECT_DESC_INIT;
    desc.by = by_flags ? CLPRIMS_SELECT_FLAGS : CLPRIMS_SELECT_PREDICATE;
    desc.arrays = 1;
    desc.type[0] = CLPRIMS_U32;
    desc.indices = by_flags ? CLPRIMS_I64 : CLPRIMS_U32;
    desc.predicate = by_flags ? NULL : "x % divisor == 0";
    desc.parameters = by_flags ? NULL : "uint divisor";
    desc.max_n = LARGEST;
    return desc;
}

static void need_select(bool by_flags) {
    const clprims_select_desc desc = describe_select(by_flags);
    const uint32_t divisor = 3;
    clprims_mpi_select **plan = &selects[by_flags];
    if (*plan != NULL) return;
    expect_ranks_ok(clprims_mpi_select_create(plan, ranks_mpi(), &desc));
    if (by_flags) return;
    expect_ranks_ok(clprims_mpi_select_set_parameter(*plan, 0, sizeof divisor, &divisor));
}

/* What this rank keeps, and how many each of the others does. */
typedef struct kept {
    uint32_t values[LARGEST];
    uint32_t narrow[LARGEST];
    int64_t wide[LARGEST];
    clprims_mpi_block block;
} kept;

static void define_kept(const uint32_t *whole, size_t total, const clprims_mpi_block *block,
                        kept *k) {
    k->block = (clprims_mpi_block){0, 0, 0};
    for (size_t i = 0; i < total; i++) {
        if (whole[i] % 3 != 0) continue;
        k->block.total++;
        if (i < block->start) k->block.start++;
        if (i < block->start || i >= block->start + block->n) continue;
        k->values[k->block.n] = whole[i];
        k->narrow[k->block.n] = (uint32_t)i;
        k->wide[k->block.n++] = (int64_t)i;
    }
}

static void elements_are_kept(const void *data) {
    const run_case *c = data;
    static kept expected;
    static unsigned char flags[LARGEST], own[LARGEST * sizeof(int64_t)];
    uint32_t *whole = test_alloc(c->total, sizeof *whole);
    for (size_t i = 0; i < c->total; i++) whole[i] = (uint32_t)test_random();
    const clprims_mpi_block block = ranks_block(c->layout, c->total);
    for (size_t i = 0; i < block.n; i++) flags[i] = whole[block.start + i] % 3 == 0;
    define_kept(whole, c->total, &block, &expected);
    for (int by_flags = 0; by_flags < 2; by_flags++) {
        clprims_select_buffers buffers = CLPRIMS_SELECT_BUFFERS_INIT;
        const size_t n = expected.block.n, index_bytes = by_flags ? 8 : 4;
        clprims_mpi_block found;
        need_select(by_flags);
        test_buffer in = test_buffer_create(whole + block.start, block.n, 4, 1);
        test_buffer flag = test_buffer_create(flags, block.n, 1, 3);
        test_buffer out = test_buffer_create(NULL, n, 4, 2);
        test_buffer indices = test_buffer_create(NULL, n, index_bytes, 5);
        buffers.in[0] = in.at;
        buffers.out[0] = out.at;
        buffers.indices = indices.at;
        if (by_flags) buffers.flags = flag.at;
        expect_ranks_ok(clprims_mpi_select_run(selects[by_flags], &buffers, block.n, n, &found));
        assert_memory_equal(&found, &expected.block, sizeof found);
        test_buffer_read(&out, own);
        expect_elements(expected.values, own, n, 4);
        test_buffer_read(&indices, own);
        expect_elements(by_flags ? (void *)expected.wide : (void *)expected.narrow, own, n,
                        index_bytes);
        test_buffer_release(&in);
        test_buffer_release(&flag);
        test_buffer_release(&out);
        test_buffer_release(&indices);
    }
    free(whole);
}

static void bad_selects_are_named(const void *data) {
    const int last = ranks_count() - 1;
    const bool is_last = ranks_rank() == last;
    clprims_mpi_select *select = NULL;
    clprims_select_desc desc = describe_select(false);
    clprims_select_buffers buffers = CLPRIMS_SELECT_BUFFERS_INIT;
    clprims_mpi_block found;
    const uint32_t values[4] = {3, 6, 9, 10};
    (void)data;
    if (is_last) desc.partition = 1;
    expect_ranks_failure(clprims_mpi_select_create(&select, ranks_mpi(), &desc),
                         CLPRIMS_ERR_UNSUPPORTED, last, "no partition over ranks");
    desc = describe_select(false);
    if (is_last) desc.by = CLPRIMS_SELECT_RUNS;
    expect_ranks_failure(clprims_mpi_select_create(&select, ranks_mpi(), &desc),
                         CLPRIMS_ERR_UNSUPPORTED, last, "runs are not selected over ranks");
    assert_null(select);
    need_select(false);
    test_buffer in = test_buffer_create(values, 4, 4, 0), out = test_buffer_create(NULL, 4, 4, 0);
    test_buffer indices = test_buffer_create(NULL, 4, 4, 0);
    buffers.in[0] = in.at;
    buffers.out[0] = out.at;
    buffers.indices = indices.at;
    expect_ranks_failure(clprims_mpi_select_run(selects[0], &buffers, 4, is_last ? 2 : 4, &found),
                         CLPRIMS_ERR_TOO_LARGE, last,
                         "mpi_select: 3 elements are kept, and capacity = 2");
    assert_int_equal(found.n, 3);
    expect_ranks_failure(
        clprims_mpi_select_run(selects[0], &buffers, 4, 4, is_last ? NULL : &found),
        CLPRIMS_ERR_ARGUMENT, last, "kept is NULL");
    if (is_last) buffers.count = in.at;
    expect_ranks_failure(clprims_mpi_select_run(selects[0], &buffers, 4, 4, &found),
                         CLPRIMS_ERR_ARGUMENT, last, "buffers.count.mem is not NULL");
    test_buffer_release(&in);
    test_buffer_release(&out);
    test_buffer_release(&indices);
}

/* Buffers that are not given leave a plan its outputs, for which there is no room. */
static void missing_outputs_are_named(const void *data) {
    const uint32_t values[4] = {3, 6, 9, 10};
    const int last = ranks_count() - 1;
    const bool is_last = ranks_rank() == last;
    clprims_select_buffers buffers = CLPRIMS_SELECT_BUFFERS_INIT;
    clprims_select_desc desc = describe_select(false);
    clprims_mpi_select *count = NULL;
    clprims_mpi_block found;
    const uint32_t divisor = 3;
    (void)data;
    need_select(false);
    test_buffer in = test_buffer_create(values, 4, 4, 0);
    buffers.in[0] = in.at;
    /* Only the last rank keeps anything. */
    expect_ranks_failure(clprims_mpi_select_run(selects[0], &buffers, is_last ? 4 : 0, 0, &found),
                         CLPRIMS_ERR_TOO_LARGE, last,
                         "mpi_select: 3 elements are kept, and capacity = 0");
    expect_ranks_failure(clprims_mpi_select_run(selects[0], &buffers, 4, 0, &found),
                         CLPRIMS_ERR_TOO_LARGE, 0, "3 elements are kept, and capacity = 0");
    /* A plan without outputs counts. */
    desc.no_values = 1;
    desc.indices = CLPRIMS_TYPE_DEFAULT;
    expect_ranks_ok(clprims_mpi_select_create(&count, ranks_mpi(), &desc));
    expect_ranks_ok(clprims_mpi_select_set_parameter(count, 0, sizeof divisor, &divisor));
    expect_ranks_ok(clprims_mpi_select_run(count, &buffers, 4, 0, &found));
    assert_int_equal(found.total, 3 * ranks_count());
    clprims_mpi_select_destroy(count);
    test_buffer_release(&in);
}

/* ---- Offsets ---- */

static clprims_mpi_offsets *offsets_plan;

static void need_offsets(void) {
    clprims_offsets_desc desc = CLPRIMS_OFFSETS_DESC_INIT;
    desc.type = CLPRIMS_I64;
    desc.max_n = LARGEST;
    if (offsets_plan != NULL) return;
    expect_ranks_ok(clprims_mpi_offsets_create(&offsets_plan, ranks_mpi(), &desc));
}

/* From this rank's intervals; `items` may be NULL. */
static clprims_status run_offsets(const int64_t *starts, const int64_t *stops, size_t n,
                                  int64_t *out, clprims_mpi_block *items) {
    test_buffer from = test_buffer_create(starts, n, 8, 1), to = test_buffer_create(stops, n, 8, 2);
    test_buffer offsets = test_buffer_create(NULL, n + 1, 8, 3);
    const clprims_status status =
        clprims_mpi_offsets_run(offsets_plan, from.at, to.at, offsets.at, n, items);
    if (status == CLPRIMS_OK) test_buffer_read(&offsets, out);
    test_buffer_release(&from);
    test_buffer_release(&to);
    test_buffer_release(&offsets);
    return status;
}

static void offsets_are_right(const void *data) {
    const run_case *c = data;
    static int64_t starts[LARGEST], stops[LARGEST], expected[LARGEST + 1], own[LARGEST + 1];
    clprims_mpi_block items;
    expected[0] = 0;
    for (size_t i = 0; i < c->total; i++) {
        starts[i] = (int64_t)test_random_below(1 << 20);
        stops[i] = starts[i] + (int64_t)test_random_below((uint64_t)1 << 40);
        expected[i + 1] = expected[i] + stops[i] - starts[i];
    }
    const clprims_mpi_block block = ranks_block(c->layout, c->total);
    need_offsets();
    expect_ranks_ok(run_offsets(starts + block.start, stops + block.start, block.n, own, &items));
    expect_elements(expected + block.start, own, block.n + 1, 8);
    assert_int_equal(items.start, expected[block.start]);
    assert_int_equal(items.n, expected[block.start + block.n] - expected[block.start]);
    assert_int_equal(items.total, expected[c->total]);
}

static void bad_offsets_are_named(const void *data) {
    const int last = ranks_count() - 1;
    const bool is_last = ranks_rank() == last;
    const int64_t starts[3] = {0, 5, 0}, stops[3] = {9, 5, 7}, large[3] = {INT64_MAX / 2, 5, 7};
    int64_t bad[3] = {9, 4, 7}, own[4], most[3] = {INT64_MAX - 16 * last, 5, 0};
    (void)data;
    need_offsets();
    expect_ranks_failure(run_offsets(starts, is_last ? bad : stops, 3, own, NULL), CLPRIMS_ERR_DATA,
                         last, "offsets: stops[i] < starts[i]");
    if (last > 0) {
        expect_ranks_failure(run_offsets(starts, large, 3, own, NULL), CLPRIMS_ERR_DATA, 1,
                             "mpi_offsets: the total exceeds 2^63 - 1");
    }
    expect_ranks_ok(run_offsets(starts, stops, 3, own, NULL));
    assert_int_equal(own[3], 16 * (ranks_rank() + 1));
    /* 2^63 - 1 in all, and one more. */
    expect_ranks_ok(run_offsets(starts, is_last ? most : stops, 3, own, NULL));
    assert_int_equal(own[3], is_last ? INT64_MAX : 16 * (ranks_rank() + 1));
    if (last == 0) return;
    most[2]++;
    expect_ranks_failure(run_offsets(starts, is_last ? most : stops, 3, own, NULL),
                         CLPRIMS_ERR_DATA, last, "mpi_offsets: the total exceeds 2^63 - 1");
}

static void plans_are_destroyed(const void *data) {
    (void)data;
    clprims_mpi_select_destroy(selects[0]);
    clprims_mpi_select_destroy(selects[1]);
    clprims_mpi_offsets_destroy(offsets_plan);
    selects[0] = selects[1] = NULL;
    offsets_plan = NULL;
}

void add_select_cases(test_cases *cases) {
    static const size_t totals[] = {0, 2, 100, LARGEST};
    ranks_add(cases, bad_selects_are_named, NULL, 0, "ranks/select/refused");
    ranks_add(cases, missing_outputs_are_named, NULL, 0, "ranks/select/no-outputs");
    ranks_add(cases, bad_offsets_are_named, NULL, 0, "ranks/offsets/refused");
    for (ranks_layout layout = RANKS_EVEN; layout < RANKS_LAYOUTS; layout++)
        for (size_t t = 0; t < sizeof totals / sizeof totals[0]; t++) {
            const run_case c = {layout, totals[t]};
            const char *name = ranks_layout_name(layout);
            ranks_add(cases, elements_are_kept, &c, sizeof c, "ranks/select/%s/n=%zu", name,
                      c.total);
            ranks_add(cases, offsets_are_right, &c, sizeof c, "ranks/offsets/%s/n=%zu", name,
                      c.total);
        }
    ranks_add(cases, plans_are_destroyed, NULL, 0, "ranks/select/destroy");
}
