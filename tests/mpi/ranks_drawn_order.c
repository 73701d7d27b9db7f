/* SPDX-License-Identifier: MIT */
/* Drawn descriptions of select, offsets and sort over ranks, each beside its definition. */
#include "fixtures/element_keys.h"
#include "fixtures/sort_cases.h"
#include "harness/oracle.h"
#include "mpi/ranks_drawn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* This rank's block of n elements. */
static test_buffer block_of(const void *whole, const size_t *starts, size_t bytes) {
    const size_t me = (size_t)ranks_rank();
    return test_buffer_create((const unsigned char *)whole + starts[me] * bytes,
                              starts[me + 1] - starts[me], bytes, test_random_below(5));
}

/* What a run left in this rank's block, which may have more room, of the expected whole. */
static void expect_block(test_buffer *buffer, const void *whole, size_t start, size_t n,
                         size_t bytes) {
    unsigned char *own = test_alloc(buffer->n, bytes);
    test_buffer_read(buffer, own);
    expect_elements((const unsigned char *)whole + start * bytes, own, n, bytes);
    free(own);
}

/* Element i of the result is element order[i] of the input. */
static unsigned char *reorder(const void *in, const size_t *order, size_t n, size_t bytes) {
    unsigned char *out = test_alloc(n, bytes);
    for (size_t i = 0; i < n; i++) {
        memcpy(out + i * bytes, (const unsigned char *)in + order[i] * bytes, bytes);
    }
    return out;
}

static unsigned char *positions_of(const size_t *order, size_t n, clprims_type type) {
    const size_t bytes = clprims_type_bytes(type);
    unsigned char *out = test_alloc(n, bytes);
    for (size_t i = 0; i < n; i++) test_store_integer(bytes, out, i, order[i]);
    return out;
}

static clprims_type draw_indices(void) {
    static const clprims_type types[] = {CLPRIMS_TYPE_DEFAULT, CLPRIMS_I32, CLPRIMS_U32,
                                         CLPRIMS_I64, CLPRIMS_U64};
    return types[test_random_below(5)];
}

/* ---- Select ---- */

typedef struct drawn_select {
    clprims_select_desc desc;
    char parameters[24];
    uint64_t mask;
} drawn_select;

static void draw_select(drawn_select *d) {
    *d = (drawn_select){.desc = CLPRIMS_SELECT_DESC_INIT, .mask = test_random()};
    clprims_select_desc *desc = &d->desc;
    desc->by = (clprims_select_by)test_random_below(CLPRIMS_SELECT_RUNS);
    desc->indices = draw_indices();
    desc->arrays = 1 + test_random_below(2);
    desc->type[0] = drawn_integer();
    if (desc->arrays == 2) desc->type[1] = CLPRIMS_F64;
    desc->max_n = DRAWN_LARGEST;
    if (desc->by >= CLPRIMS_SELECT_PREDICATE && desc->arrays == 1) desc->no_values = drawn_coin();
    if (desc->by != CLPRIMS_SELECT_PREDICATE) return;
    snprintf(d->parameters, sizeof d->parameters, "%s mask", drawn_text(desc->type[0]));
    desc->parameters = d->parameters;
    desc->predicate = "(x & mask) != 0";
}

/* Each rank's mask is its own. flags: one byte an element. */
static bool is_kept(const drawn_select *d, const void *whole, const unsigned char *flags, size_t i,
                    size_t rank) {
    const uint64_t x = oracle_load_integer(d->desc.type[0], whole, i);
    const size_t bytes = clprims_type_bytes(d->desc.type[0]);
    if (d->desc.by <= CLPRIMS_SELECT_BITS) return flags[i] != 0;
    if (d->desc.by == CLPRIMS_SELECT_NONZERO) return x != 0;
    return (x & (d->mask + rank) & (UINT64_MAX >> (64 - 8 * bytes))) != 0;
}

/* The kept elements' positions, and where those of each rank begin. */
static size_t *define_kept(const drawn_select *d, const void *whole, const unsigned char *flags,
                           const size_t *starts, size_t *kept_starts) {
    const size_t ranks = (size_t)ranks_count();
    size_t *kept = test_alloc(starts[ranks], sizeof *kept), count = 0;
    for (size_t r = 0; r < ranks; r++) {
        kept_starts[r] = count;
        for (size_t i = starts[r]; i < starts[r + 1]; i++) {
            if (is_kept(d, whole, flags, i, r)) kept[count++] = i;
        }
    }
    kept_starts[ranks] = count;
    return kept;
}

/* Of this rank's block, as the description wants them. */
static test_buffer make_flags(const drawn_select *d, const unsigned char *flags,
                              const size_t *starts) {
    const size_t me = (size_t)ranks_rank(), n = starts[me + 1] - starts[me];
    unsigned char bits[DRAWN_LARGEST / 8 + 1] = {0};
    if (d->desc.by != CLPRIMS_SELECT_BITS) return block_of(flags, starts, 1);
    for (size_t i = 0; i < n; i++) {
        if (flags[starts[me] + i] != 0) bits[i / 8] |= (unsigned char)(1u << i % 8);
    }
    return test_buffer_create(bits, n / 8 + 1, 1, 0);
}

static void run_select(const drawn_select *d, clprims_mpi_select *plan) {
    const size_t total = drawn_total(), me = (size_t)ranks_rank();
    const size_t bytes[2] = {clprims_type_bytes(d->desc.type[0]), sizeof(double)};
    const bool has_values = !d->desc.no_values;
    size_t *starts = drawn_starts(total), *kept_starts = drawn_starts(0);
    unsigned char *flags = test_alloc(total, 1);
    void *whole[2];
    clprims_select_buffers buffers = CLPRIMS_SELECT_BUFFERS_INIT;
    clprims_mpi_block found;
    test_buffer in[2], out[2];
    for (size_t i = 0; i < total; i++) flags[i] = test_random_below(3) == 0 ? 0 : 8;
    for (size_t a = 0; a < d->desc.arrays; a++) {
        whole[a] = sort_make_payload(total, bytes[a]);
        /* Some zeros. */
        for (size_t i = 0; i < total; i += 3) test_store_integer(bytes[a], whole[a], i, 0);
    }
    size_t *kept = define_kept(d, whole[0], flags, starts, kept_starts);
    const size_t start = kept_starts[me], n = kept_starts[me + 1] - start;
    const size_t capacity = n + test_random_below(3);
    const size_t index_bytes = clprims_type_bytes(d->desc.indices);
    for (size_t a = 0; a < d->desc.arrays; a++) {
        in[a] = block_of(whole[a], starts, bytes[a]);
        out[a] = test_buffer_create(NULL, capacity, bytes[a], test_random_below(5));
        buffers.in[a] = in[a].at;
        if (has_values) buffers.out[a] = out[a].at;
    }
    test_buffer flag = make_flags(d, flags, starts);
    test_buffer indices = test_buffer_create(NULL, capacity, index_bytes > 0 ? index_bytes : 1, 3);
    if (d->desc.by <= CLPRIMS_SELECT_BITS) buffers.flags = flag.at;
    if (index_bytes > 0) buffers.indices = indices.at;
    expect_ranks_ok(
        clprims_mpi_select_run(plan, &buffers, starts[me + 1] - starts[me], capacity, &found));
    assert_int_equal(found.n, n);
    assert_int_equal(found.start, start);
    assert_int_equal(found.total, kept_starts[ranks_count()]);
    for (size_t a = 0; a < d->desc.arrays; a++) {
        unsigned char *values = reorder(whole[a], kept, kept_starts[ranks_count()], bytes[a]);
        if (has_values) expect_block(&out[a], values, start, n, bytes[a]);
        free(values);
        free(whole[a]);
        test_buffer_release(&in[a]);
        test_buffer_release(&out[a]);
    }
    if (index_bytes > 0) {
        unsigned char *positions = positions_of(kept, kept_starts[ranks_count()], d->desc.indices);
        expect_block(&indices, positions, start, n, index_bytes);
        free(positions);
    }
    test_buffer_release(&flag);
    test_buffer_release(&indices);
    free(kept);
    free(kept_starts);
    free(starts);
    free(flags);
}

static void select_is_right(const void *data) {
    clprims_mpi_select *plan = NULL;
    drawn_select d;
    (void)data;
    draw_select(&d);
    expect_ranks_ok(clprims_mpi_select_create(&plan, ranks_mpi(), &d.desc));
    if (d.desc.parameters != NULL) {
        const size_t bytes = clprims_type_bytes(d.desc.type[0]);
        uint64_t mask = 0;
        test_store_integer(bytes, &mask, 0, d.mask + (uint64_t)ranks_rank());
        expect_ranks_ok(clprims_mpi_select_set_parameter(plan, 0, bytes, &mask));
    }
    for (int k = 0; k < DRAWN_RUNS; k++) run_select(&d, plan);
    clprims_mpi_select_destroy(plan);
}

/* ---- Offsets ---- */

static void run_offsets(const clprims_offsets_desc *desc, clprims_mpi_offsets *plan) {
    const size_t total = drawn_total(), bytes = clprims_type_bytes(desc->type);
    const size_t me = (size_t)ranks_rank();
    size_t *blocks = drawn_starts(total);
    void *starts = test_alloc(total, bytes), *stops = test_alloc(total, bytes);
    int64_t *expected = test_alloc(total + 1, sizeof *expected);
    clprims_mpi_block items;
    expected[0] = 0;
    for (size_t i = 0; i < total; i++) {
        const uint64_t from = desc->counts ? 0 : test_random_below(20);
        const uint64_t length = test_random_below(100);
        test_store_integer(bytes, starts, i, from);
        test_store_integer(bytes, stops, i, from + length);
        expected[i + 1] = expected[i] + (int64_t)length;
    }
    const size_t n = blocks[me + 1] - blocks[me];
    test_buffer from = block_of(starts, blocks, bytes), to = block_of(stops, blocks, bytes);
    test_buffer offsets = test_buffer_create(NULL, n + 1, sizeof(int64_t), test_random_below(5));
    const clprims_buffer none = {NULL, 0};
    expect_ranks_ok(
        clprims_mpi_offsets_run(plan, desc->counts ? none : from.at, to.at, offsets.at, n, &items));
    expect_block(&offsets, expected, blocks[me], n + 1, sizeof(int64_t));
    assert_int_equal(items.start, expected[blocks[me]]);
    assert_int_equal(items.n, expected[blocks[me + 1]] - expected[blocks[me]]);
    assert_int_equal(items.total, expected[total]);
    test_buffer_release(&from);
    test_buffer_release(&to);
    test_buffer_release(&offsets);
    free(starts);
    free(stops);
    free(expected);
    free(blocks);
}

static void offsets_are_right(const void *data) {
    clprims_offsets_desc desc = CLPRIMS_OFFSETS_DESC_INIT;
    clprims_mpi_offsets *plan = NULL;
    (void)data;
    desc.type = drawn_integer();
    desc.counts = drawn_coin();
    desc.max_n = DRAWN_LARGEST;
    expect_ranks_ok(clprims_mpi_offsets_create(&plan, ranks_mpi(), &desc));
    for (int k = 0; k < DRAWN_RUNS; k++) run_offsets(&desc, plan);
    clprims_mpi_offsets_destroy(plan);
}

/* ---- Sort ---- */

typedef struct drawn_sort {
    clprims_sort_desc desc;
    size_t words; /* of the elements of which an expression makes keys; 0: they are the keys */
    size_t element_bytes;
} drawn_sort;

static void draw_sort(drawn_sort *d, bool has_key) {
    static const clprims_type made[] = {CLPRIMS_U32, CLPRIMS_F32, CLPRIMS_I64};
    *d = (drawn_sort){.desc = CLPRIMS_SORT_DESC_INIT};
    clprims_sort_desc *desc = &d->desc;
    desc->type = has_key ? made[test_random_below(3)]
                         : (clprims_type)(CLPRIMS_I8 + test_random_below(CLPRIMS_F64));
    const unsigned bits = 8 * (unsigned)clprims_type_bytes(desc->type);
    desc->descending = drawn_coin();
    desc->floats = (clprims_sort_floats)test_random_below(3);
    if (test_random_below(4) == 0) {
        desc->end_bit = (unsigned)test_random_below(bits + 1);
        desc->begin_bit = (unsigned)test_random_below(desc->end_bit + 1);
    }
    desc->indices = draw_indices();
    desc->payloads = test_random_below(3);
    for (size_t k = 0; k < desc->payloads; k++) desc->payload_bytes[k] = 1 + test_random_below(16);
    desc->max_n = DRAWN_LARGEST;
    d->element_bytes = clprims_type_bytes(desc->type);
    if (!has_key) return;
    d->words = 1 + test_random_below(3);
    d->element_bytes = 4 * d->words;
    desc->key = element_key(d->words);
    desc->elements = element_type(d->words);
    desc->custom = element_custom(d->words);
    desc->parameters = element_parameters;
}

/* Ranks have their values in turn. */
static const element_values *values_of(size_t rank) {
    return &element_sets[rank % 2];
}

/* The elements of all ranks and, of each rank by itself, their keys, which may be one array. */
static void make_elements(const drawn_sort *d, const size_t *starts, void **elements, void **keys) {
    const size_t total = starts[ranks_count()], bytes = clprims_type_bytes(d->desc.type);
    const sort_case c = {.desc = d->desc, .data = (sort_data)test_random_below(SORT_DATA_KINDS)};
    if (d->words == 0) {
        *elements = *keys = sort_make_keys(&c, total);
        return;
    }
    uint32_t *words = element_make(d->words, total);
    *elements = words;
    *keys = test_alloc(total, bytes);
    for (size_t r = 0; r < (size_t)ranks_count(); r++) {
        void *own = element_keys(d->desc.type, d->words, words + starts[r] * d->words, values_of(r),
                                 starts[r + 1] - starts[r]);
        memcpy((unsigned char *)*keys + starts[r] * bytes, own,
               (starts[r + 1] - starts[r]) * bytes);
        free(own);
    }
}

/* An array that moves: its elements before, and this rank's block of them after. */
typedef struct moved {
    size_t bytes;
    void *whole;
    test_buffer in, out;
} moved;

static void run_sort(const drawn_sort *d, clprims_mpi_sort *plan) {
    const size_t total = drawn_total(), me = (size_t)ranks_rank();
    const size_t index_bytes = clprims_type_bytes(d->desc.indices);
    size_t *from = drawn_starts(total), *to = drawn_starts(total);
    const size_t n = to[me + 1] - to[me];
    clprims_sort_desc plain = d->desc;
    clprims_sort_buffers buffers = CLPRIMS_SORT_BUFFERS_INIT;
    moved arrays[3] = {{.bytes = d->element_bytes}};
    void *keys;
    make_elements(d, from, &arrays[0].whole, &keys);
    plain.key = plain.parameters = NULL;
    plain.elements = CLPRIMS_TYPE_DEFAULT;
    size_t *order = sort_define_order(&plain, keys, total);
    for (size_t k = 0; k <= d->desc.payloads; k++) {
        moved *m = &arrays[k];
        if (k > 0) {
            m->bytes = d->desc.payload_bytes[k - 1];
            m->whole = sort_make_payload(total, m->bytes);
        }
        m->in = block_of(m->whole, from, m->bytes);
        m->out = test_buffer_create(NULL, n, m->bytes, test_random_below(5));
        *(k == 0 ? &buffers.keys_in : &buffers.payload_in[k - 1]) = m->in.at;
        *(k == 0 ? &buffers.keys_out : &buffers.payload_out[k - 1]) = m->out.at;
    }
    test_buffer indices = test_buffer_create(NULL, n, index_bytes > 0 ? index_bytes : 1, 3);
    if (index_bytes > 0) buffers.indices = indices.at;
    expect_ranks_ok(clprims_mpi_sort_run(plan, &buffers, from[me + 1] - from[me], n));
    for (size_t k = 0; k <= d->desc.payloads; k++) {
        moved *m = &arrays[k];
        unsigned char *sorted = reorder(m->whole, order, total, m->bytes);
        expect_block(&m->out, sorted, to[me], n, m->bytes);
        if (m->whole != keys) free(m->whole);
        free(sorted);
        test_buffer_release(&m->in);
        test_buffer_release(&m->out);
    }
    if (index_bytes > 0) {
        unsigned char *positions = positions_of(order, total, d->desc.indices);
        expect_block(&indices, positions, to[me], n, index_bytes);
        free(positions);
    }
    test_buffer_release(&indices);
    free(keys);
    free(order);
    free(from);
    free(to);
}

/* data: whether an expression makes the keys. */
static void sort_is_right_over_ranks(const void *data) {
    const element_values *v = values_of((size_t)ranks_rank());
    clprims_mpi_sort *plan = NULL;
    drawn_sort d;
    draw_sort(&d, *(const bool *)data);
    expect_ranks_ok(clprims_mpi_sort_create(&plan, ranks_mpi(), &d.desc));
    test_buffer weights = test_buffer_create(v->weight, ELEMENT_WEIGHTS, 4, 0);
    if (d.words > 0) {
        expect_ranks_ok(clprims_mpi_sort_set_parameter(plan, 0, sizeof(cl_mem), &weights.at.mem));
        expect_ranks_ok(clprims_mpi_sort_set_parameter(plan, 1, sizeof v->limit, &v->limit));
    }
    for (int k = 0; k < DRAWN_RUNS; k++) run_sort(&d, plan);
    clprims_mpi_sort_destroy(plan);
    test_buffer_release(&weights);
}

void add_drawn_order_cases(test_cases *cases) {
    const size_t most = test_long() ? 20 : 2;
    for (size_t k = 0; k < most; k++) {
        const bool has_key = k % 2 == 0;
        ranks_add(cases, select_is_right, NULL, 0, "ranks/drawn/select/%zu", k);
        if (k % 2 == 0) ranks_add(cases, offsets_are_right, NULL, 0, "ranks/drawn/offsets/%zu", k);
        ranks_add(cases, sort_is_right_over_ranks, &has_key, sizeof has_key,
                  "ranks/drawn/sort%s/%zu", has_key ? "-by-key" : "", k);
    }
}
