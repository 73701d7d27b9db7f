/* SPDX-License-Identifier: MIT */
/* Sort over ranks beside its definition in plain C, for the whole array. */
#include "fixtures/element_keys.h"
#include "fixtures/sort_cases.h"
#include "mpi/ranks.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST = 2000 };

/* Descriptions, in the initializers' order but for what is set here. */
typedef struct kind {
    const char *name;
    clprims_type type;
    int descending;
    unsigned begin_bit, end_bit;
    size_t payloads;
    clprims_type indices;
    clprims_sort_floats floats;
} kind;

static const kind kinds[] = {
    {"uint32", CLPRIMS_U32, 0, 0, CLPRIMS_SORT_ALL_BITS, 0, CLPRIMS_TYPE_DEFAULT, 0},
    {"int64-pairs-descending", CLPRIMS_I64, 1, 0, CLPRIMS_SORT_ALL_BITS, 1, CLPRIMS_I32, 0},
    {"float32-indices", CLPRIMS_F32, 0, 0, CLPRIMS_SORT_ALL_BITS, 0, CLPRIMS_I64,
     CLPRIMS_SORT_NAN_LAST},
    {"float32-descending", CLPRIMS_F32, 1, 0, CLPRIMS_SORT_ALL_BITS, 0, CLPRIMS_TYPE_DEFAULT,
     CLPRIMS_SORT_NAN_LAST},
    {"float32-total-order", CLPRIMS_F32, 0, 0, CLPRIMS_SORT_ALL_BITS, 0, CLPRIMS_TYPE_DEFAULT,
     CLPRIMS_SORT_TOTAL_ORDER},
    {"uint32-window-pairs", CLPRIMS_U32, 0, 4, 9, 1, CLPRIMS_TYPE_DEFAULT, 0},
    {"float64-descending", CLPRIMS_F64, 1, 0, CLPRIMS_SORT_ALL_BITS, 0, CLPRIMS_I64,
     CLPRIMS_SORT_NAN_LAST},
    {"uint16-window-pairs", CLPRIMS_U16, 0, 3, 12, 2, CLPRIMS_TYPE_DEFAULT, 0},
    {"uint8-no-bits", CLPRIMS_U8, 0, 4, 4, 0, CLPRIMS_U32, 0},
};
enum { KINDS = sizeof kinds / sizeof kinds[0], DEFAULT_KINDS = 6, FLOATS = 2 };
static const size_t payload_bytes[2] = {12, 3};

static clprims_mpi_sort *plans[KINDS];

static clprims_sort_desc describe(const kind *k) {
    clprims_sort_desc desc = CLPRIMS_SORT_DESC_INIT;
    desc.type = k->type;
    desc.descending = k->descending;
    desc.floats = k->floats;
    desc.begin_bit = k->begin_bit;
    desc.end_bit = k->end_bit;
    desc.payloads = k->payloads;
    memcpy(desc.payload_bytes, payload_bytes, sizeof payload_bytes);
    desc.indices = k->indices;
    desc.max_n = LARGEST;
    return desc;
}

typedef struct run_case {
    int kind;
    sort_data data;
    ranks_layout from, to;
    size_t total;
    bool in_place; /* where the layouts are one */
    bool zeros; /* float32 keys are 0.0 and -0.0, which are alike */
} run_case;

/* Element i of the result is element order[i] of the input. */
static unsigned char *reorder(const void *in, const size_t *order, size_t n, size_t bytes) {
    unsigned char *out = test_alloc(n, bytes);
    for (size_t i = 0; i < n; i++) {
        memcpy(out + i * bytes, (const unsigned char *)in + order[i] * bytes, bytes);
    }
    return out;
}

/* An array of the run: this rank's block before and after. */
typedef struct moved {
    size_t bytes;
    unsigned char *whole, *sorted;
    test_buffer in, out;
} moved;

static moved prepare(void *whole, const size_t *order, size_t bytes, const run_case *c,
                     const clprims_mpi_block *from, const clprims_mpi_block *to) {
    moved m = {.bytes = bytes, .whole = whole, .sorted = reorder(whole, order, c->total, bytes)};
    m.in = test_buffer_create(m.whole + from->start * bytes, from->n, bytes, 2);
    m.out = c->in_place ? m.in : test_buffer_create(NULL, to->n, bytes, 7);
    return m;
}

static void expect_moved(moved *m, const clprims_mpi_block *to) {
    unsigned char *own = test_alloc(to->n, m->bytes);
    test_buffer_read(&m->out, own);
    expect_elements(m->sorted + to->start * m->bytes, own, to->n, m->bytes);
    if (m->out.at.mem != m->in.at.mem) test_buffer_release(&m->out);
    test_buffer_release(&m->in);
    free(own);
    free(m->sorted);
    free(m->whole);
}

static void expect_indices(test_buffer *indices, clprims_type type, const size_t *order,
                           const clprims_mpi_block *to) {
    unsigned char own[LARGEST * sizeof(uint64_t)];
    uint64_t expected[LARGEST];
    if (type == CLPRIMS_TYPE_DEFAULT) return;
    const size_t bytes = clprims_type_bytes(type);
    for (size_t i = 0; i < to->n; i++) {
        test_store_integer(bytes, expected, i, order[to->start + i]);
    }
    test_buffer_read(indices, own);
    expect_elements(expected, own, to->n, bytes);
    test_buffer_release(indices);
}

static void array_is_sorted(const void *data) {
    const run_case *c = data;
    const kind *k = &kinds[c->kind];
    const clprims_sort_desc desc = describe(k);
    const sort_case keys_case = {.desc = desc, .data = c->data};
    clprims_mpi_sort **plan = &plans[c->kind];
    if (*plan == NULL) expect_ranks_ok(clprims_mpi_sort_create(plan, ranks_mpi(), &desc));
    void *keys = sort_make_keys(&keys_case, c->total);
    if (c->zeros) {
        for (size_t i = 0; i < c->total; i++) ((float *)keys)[i] = test_random() % 2 ? 0.0f : -0.0f;
    }
    size_t *order = sort_define_order(&desc, keys, c->total);
    const clprims_mpi_block from = ranks_block(c->from, c->total);
    const clprims_mpi_block to = c->in_place ? from : ranks_block(c->to, c->total);
    clprims_sort_buffers buffers = CLPRIMS_SORT_BUFFERS_INIT;
    moved arrays[3];
    test_buffer indices = {{NULL, 0}, 0, 0, 0};
    arrays[0] = prepare(keys, order, clprims_type_bytes(k->type), c, &from, &to);
    buffers.keys_in = arrays[0].in.at;
    buffers.keys_out = arrays[0].out.at;
    for (size_t p = 0; p < k->payloads; p++) {
        moved *m = &arrays[p + 1];
        *m = prepare(sort_make_payload(c->total, payload_bytes[p]), order, payload_bytes[p], c,
                     &from, &to);
        buffers.payload_in[p] = m->in.at;
        buffers.payload_out[p] = m->out.at;
    }
    if (k->indices != CLPRIMS_TYPE_DEFAULT) {
        indices = test_buffer_create(NULL, to.n, clprims_type_bytes(k->indices), 1);
        buffers.indices = indices.at;
    }
    expect_ranks_ok(clprims_mpi_sort_run(*plan, &buffers, from.n, to.n));
    for (size_t a = 0; a <= k->payloads; a++) expect_moved(&arrays[a], &to);
    expect_indices(&indices, k->indices, order, &to);
    free(order);
}

/* ---- Refusals ---- */

static void bad_plans_are_named(const void *data) {
    const int last = ranks_count() - 1;
    const bool is_last = ranks_rank() == last;
    clprims_mpi_sort *sort = NULL;
    clprims_sort_desc desc = describe(&kinds[0]);
    (void)data;
    desc.no_keys = is_last;
    expect_ranks_failure(clprims_mpi_sort_create(&sort, ranks_mpi(), &desc),
                         CLPRIMS_ERR_UNSUPPORTED, last, "no_keys must be zero");
    desc = describe(&kinds[1]);
    if (is_last) desc.payloads = 4;
    expect_ranks_failure(clprims_mpi_sort_create(&sort, ranks_mpi(), &desc), CLPRIMS_ERR_ARGUMENT,
                         last, "4 payloads and indices; at most 4 together");
    desc = describe(&kinds[0]);
    desc.payloads = is_last ? 3 : 2;
    desc.key = "-x";
    desc.indices = CLPRIMS_I32;
    memcpy(desc.payload_bytes, (const size_t[4]){4, 4, 4, 4}, sizeof desc.payload_bytes);
    expect_ranks_failure(clprims_mpi_sort_create(&sort, ranks_mpi(), &desc), CLPRIMS_ERR_ARGUMENT,
                         last, "3 payloads and indices and elements of a key; at most 4 together");
    desc = describe(&kinds[0]);
    desc.key = element_key(10);
    desc.elements = element_type(10);
    desc.custom = element_custom(10);
    desc.parameters = element_parameters;
    expect_ranks_failure(clprims_mpi_sort_create(&sort, ranks_mpi(), &desc),
                         CLPRIMS_ERR_UNSUPPORTED, 0, "elements = 11 (struct) of 40 bytes");
    desc = describe(&kinds[0]);
    if (is_last) desc.type = CLPRIMS_STRUCT;
    expect_ranks_failure(clprims_mpi_sort_create(&sort, ranks_mpi(), &desc), CLPRIMS_ERR_ARGUMENT,
                         last, "is no integer or float type");
    desc = describe(&kinds[0]);
    if (is_last && last > 0) desc.descending = 1;
    if (last > 0) {
        expect_ranks_failure(clprims_mpi_sort_create(&sort, ranks_mpi(), &desc),
                             CLPRIMS_ERR_ARGUMENT, last, "differs from that of rank 0");
    }
    assert_null(sort);
}

static void bad_runs_are_named(const void *data) {
    const int last = ranks_count() - 1;
    const bool is_last = ranks_rank() == last;
    const clprims_sort_desc desc = describe(&kinds[0]);
    test_buffer keys = test_buffer_create(NULL, 10, 4, 0);
    clprims_sort_buffers buffers = CLPRIMS_SORT_BUFFERS_INIT;
    (void)data;
    if (plans[0] == NULL) {
        expect_ranks_ok(clprims_mpi_sort_create(&plans[0], ranks_mpi(), &desc));
    }
    buffers.keys_in = buffers.keys_out = keys.at;
    expect_ranks_failure(clprims_mpi_sort_run(plans[0], &buffers, is_last ? LARGEST + 1 : 10, 10),
                         CLPRIMS_ERR_TOO_LARGE, last, "mpi_sort: n = 2001 exceeds max_n = 2000");
    expect_ranks_failure(clprims_mpi_sort_run(plans[0], &buffers, 10, is_last ? LARGEST : 10),
                         CLPRIMS_ERR_ARGUMENT, last, "mpi_sort: keys_out has room for");
    expect_ranks_failure(clprims_mpi_sort_run(plans[0], &buffers, 10, is_last ? 9 : 10),
                         CLPRIMS_ERR_ARGUMENT, 0, "elements in all, and blocks wanted for");
    for (int k = 0; k < RANKS_BAD; k++) {
        const clprims_buffer bad = {ranks_bad_create(k), 0};
        clprims_sort_buffers in = buffers, out = buffers;
        if (is_last) in.keys_in = out.keys_out = bad;
        expect_ranks_failure(clprims_mpi_sort_run(plans[0], &in, 10, 10), CLPRIMS_ERR_ARGUMENT,
                             last, ranks_refusal("keys_in", k));
        expect_ranks_failure(clprims_mpi_sort_run(plans[0], &out, 10, 10), CLPRIMS_ERR_ARGUMENT,
                             last, ranks_refusal("keys_out", k));
        expect_cl(clReleaseMemObject(bad.mem));
    }
    if (is_last) buffers.keys_in.mem = NULL;
    expect_ranks_failure(clprims_mpi_sort_run(plans[0], &buffers, 10, 10), CLPRIMS_ERR_ARGUMENT,
                         last, "sort: ");
    test_buffer_release(&keys);
}

static void plans_are_destroyed(const void *data) {
    (void)data;
    for (int k = 0; k < KINDS; k++) {
        clprims_mpi_sort_destroy(plans[k]);
        plans[k] = NULL;
    }
}

static void add_case(test_cases *cases, const run_case *c) {
    ranks_add(cases, array_is_sorted, c, sizeof *c, "ranks/sort/%s/%s/%s-to-%s/n=%zu%s",
              kinds[c->kind].name, sort_data_names[c->data], ranks_layout_name(c->from),
              c->in_place ? "same" : ranks_layout_name(c->to), c->total,
              c->in_place ? "/in-place" : "");
}

void add_sort_cases(test_cases *cases) {
    static const size_t totals[] = {0, 1, 4, LARGEST};
    const int most = test_long() ? KINDS : DEFAULT_KINDS;
    ranks_add(cases, bad_plans_are_named, NULL, 0, "ranks/sort/refused/create");
    ranks_add(cases, bad_runs_are_named, NULL, 0, "ranks/sort/refused/run");
    for (int k = 0; k < most; k++) {
        for (sort_data d = SORT_RANDOM; d < SORT_DATA_KINDS; d++) {
            run_case c = {.kind = k, .data = d, .total = LARGEST, .in_place = d % 3 == 2};
            c.from = (ranks_layout)(d % RANKS_LAYOUTS);
            c.to = (ranks_layout)(((unsigned)d / 2 + (unsigned)k) % RANKS_LAYOUTS);
            add_case(cases, &c);
        }
        for (ranks_layout from = RANKS_EVEN; from < RANKS_LAYOUTS; from++)
            for (size_t t = 0; t < sizeof totals / sizeof totals[0]; t++) {
                const run_case c = {k,         t % 2 == 0 ? SORT_FEW : SORT_RANDOM,
                                    from,      (ranks_layout)((from + t) % RANKS_LAYOUTS),
                                    totals[t], false,
                                    false};
                add_case(cases, &c);
            }
    }
    for (ranks_layout to = RANKS_EVEN; to < RANKS_LAYOUTS; to++) {
        const run_case c = {FLOATS, SORT_RANDOM, RANKS_EVEN, to, LARGEST, false, true};
        ranks_add(cases, array_is_sorted, &c, sizeof c, "ranks/sort/zeros/even-to-%s",
                  ranks_layout_name(to));
    }
    ranks_add(cases, plans_are_destroyed, NULL, 0, "ranks/sort/destroy");
}
