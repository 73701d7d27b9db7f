/* SPDX-License-Identifier: MIT */
/* Sort over ranks beside its definition in plain C, for the whole array: some descriptions with
 * every layout and size, and drawn ones. */
#include "fixtures/sort_cases.h"
#include "mpi/ranks.h"

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
    {"uint32", CLPRIMS_U32, 0, 0, 0, 0, CLPRIMS_TYPE_DEFAULT, 0},
    {"int64-pairs-descending", CLPRIMS_I64, 1, 0, 0, 1, CLPRIMS_I32, 0},
    {"float32-indices", CLPRIMS_F32, 0, 0, 0, 0, CLPRIMS_I64, CLPRIMS_SORT_NAN_LAST},
    {"float32-descending", CLPRIMS_F32, 1, 0, 0, 0, CLPRIMS_TYPE_DEFAULT, CLPRIMS_SORT_NAN_LAST},
    {"float32-total-order", CLPRIMS_F32, 0, 0, 0, 0, CLPRIMS_TYPE_DEFAULT,
     CLPRIMS_SORT_TOTAL_ORDER},
    {"uint32-window-pairs", CLPRIMS_U32, 0, 4, 9, 1, CLPRIMS_TYPE_DEFAULT, 0},
    {"float64-descending", CLPRIMS_F64, 1, 0, 0, 0, CLPRIMS_I64, CLPRIMS_SORT_NAN_LAST},
    {"uint16-window-pairs", CLPRIMS_U16, 0, 3, 12, 2, CLPRIMS_TYPE_DEFAULT, 0},
    {"uint8-one-bit", CLPRIMS_U8, 0, 4, 5, 0, CLPRIMS_U32, 0},
};
enum { KINDS = sizeof kinds / sizeof kinds[0], DEFAULT_KINDS = 6, FLOATS = 2 };
static const size_t payload_bytes[2] = {12, 3};

/* A description, and how an expression makes its keys. */
typedef struct sorted {
    clprims_sort_desc desc;
    size_t words; /* of the elements of which an expression makes keys; 0: they are the keys */
    size_t element_bytes;
} sorted;

static sorted describe(const kind *k) {
    sorted d = {.element_bytes = clprims_type_bytes(k->type)};
    d.desc.type = k->type;
    d.desc.descending = k->descending;
    d.desc.floats = k->floats;
    d.desc.begin_bit = k->begin_bit;
    d.desc.end_bit = k->end_bit;
    d.desc.payloads = k->payloads;
    memcpy(d.desc.payload_bytes, payload_bytes, sizeof payload_bytes);
    d.desc.indices = k->indices;
    d.desc.max_n = LARGEST;
    return d;
}

static void describe_key(clprims_sort_desc *desc, size_t words) {
    desc->key = element_key(words);
    desc->elements = element_type(words);
    desc->custom = element_custom(words);
    desc->parameters = element_parameters;
}

static sorted draw_sort(bool has_key) {
    static const clprims_type made[] = {CLPRIMS_U32, CLPRIMS_F32, CLPRIMS_I64};
    static const clprims_type indices[] = {CLPRIMS_TYPE_DEFAULT, CLPRIMS_I32, CLPRIMS_U32,
                                           CLPRIMS_I64, CLPRIMS_U64};
    sorted d = {0};
    clprims_sort_desc *desc = &d.desc;
    desc->type = has_key ? made[test_random_below(3)]
                         : (clprims_type)(CLPRIMS_I8 + test_random_below(CLPRIMS_F64));
    const unsigned bits = 8 * (unsigned)clprims_type_bytes(desc->type);
    desc->descending = drawn_coin();
    desc->floats = (clprims_sort_floats)test_random_below(3);
    if (test_random_below(4) == 0) {
        desc->end_bit = (unsigned)test_random_below(bits + 1);
        desc->begin_bit = (unsigned)test_random_below(desc->end_bit + 1);
    }
    desc->indices = indices[test_random_below(5)];
    desc->payloads = test_random_below(3);
    for (size_t k = 0; k < desc->payloads; k++) desc->payload_bytes[k] = 1 + test_random_below(16);
    desc->max_n = LARGEST;
    d.words = has_key ? 1 + test_random_below(3) : 0;
    d.element_bytes = has_key ? 4 * d.words : clprims_type_bytes(desc->type);
    if (has_key) describe_key(desc, d.words);
    return d;
}

/* Ranks have their values in turn. */
static const element_values *values_of(size_t rank) {
    return &element_sets[rank % 2];
}

/* ---- A run ---- */

typedef struct run_case {
    int kind;
    sort_data data;
    ranks_layout from, to;
    size_t total;
    bool in_place; /* as it is distributed before */
} run_case;

/* The elements of all ranks and, of each rank by itself, their keys, which may be one array. */
static void make_elements(const sorted *d, sort_data data, const size_t *starts, void **elements,
                          void **keys) {
    const size_t total = starts[ranks_count()], bytes = clprims_type_bytes(d->desc.type);
    const sort_case c = {.desc = d->desc, .data = data};
    if (d->words == 0) {
        *elements = *keys = sort_make_keys(&c, total);
        return;
    }
    uint32_t *words = element_make(d->words, total);
    *elements = words;
    *keys = test_scratch(total, bytes);
    for (size_t r = 0; r < (size_t)ranks_count(); r++) {
        const size_t n = starts[r + 1] - starts[r];
        void *own =
            element_keys(d->desc.type, d->words, words + starts[r] * d->words, values_of(r), n);
        memcpy((unsigned char *)*keys + starts[r] * bytes, own, n * bytes);
    }
}

/* An array that moves: its elements before, and this rank's block of them before and after. */
typedef struct moved {
    size_t bytes;
    void *whole;
    test_buffer in, out;
} moved;

static void expect_moved(moved *m, const size_t *order, clprims_mpi_block to) {
    unsigned char *result = ranks_reorder(m->whole, order, (size_t)to.total, m->bytes);
    ranks_expect_block(&m->out, result, to, m->bytes);
}

static void run_sort(const sorted *d, clprims_mpi_sort *plan, const run_case *c) {
    const size_t index_bytes = clprims_type_bytes(d->desc.indices);
    size_t *starts = ranks_starts(c->from, c->total);
    const clprims_mpi_block from = ranks_own(starts);
    const clprims_mpi_block to = c->in_place ? from : ranks_block(c->to, c->total);
    clprims_sort_desc plain = d->desc;
    clprims_sort_buffers buffers = {0};
    moved arrays[3] = {{.bytes = d->element_bytes}};
    void *keys;
    make_elements(d, c->data, starts, &arrays[0].whole, &keys);
    plain.key = plain.parameters = NULL;
    plain.elements = CLPRIMS_TYPE_DEFAULT;
    size_t *order = sort_define_order(&plain, keys, c->total);
    test_leave(free, order);
    for (size_t k = 0; k <= d->desc.payloads; k++) {
        moved *m = &arrays[k];
        if (k > 0) {
            m->bytes = d->desc.payload_bytes[k - 1];
            m->whole = sort_make_payload(c->total, m->bytes);
        }
        m->in = ranks_buffer(m->whole, from, m->bytes);
        m->out =
            c->in_place ? m->in : test_buffer_create(NULL, to.n, m->bytes, test_random_below(5));
        *(k == 0 ? &buffers.keys_in : &buffers.payload_in[k - 1]) = m->in.at;
        *(k == 0 ? &buffers.keys_out : &buffers.payload_out[k - 1]) = m->out.at;
    }
    test_buffer indices = test_buffer_create(NULL, to.n, index_bytes > 0 ? index_bytes : 1, 3);
    if (index_bytes > 0) buffers.indices = indices.at;
    expect_ranks_ok(clprims_mpi_sort_run(plan, &buffers, from.n, to.n));
    for (size_t k = 0; k <= d->desc.payloads; k++) {
        expect_moved(&arrays[k], order, to);
    }
    unsigned char *positions = ranks_positions(order, c->total, d->desc.indices);
    if (index_bytes > 0) ranks_expect_block(&indices, positions, to, index_bytes);
}

static void array_is_sorted(const void *data) {
    const run_case *c = data;
    const sorted d = describe(&kinds[c->kind]);
    run_sort(&d, ranks_plan(&ranks_sort, (size_t)c->kind, &d.desc), c);
}

/* data: whether an expression makes the keys. */
static void drawn_sort_is_right(const void *data) {
    const element_values *v = values_of((size_t)ranks_rank());
    const sorted d = draw_sort(*(const bool *)data);
    clprims_mpi_sort *plan = NULL;
    expect_ranks_ok(clprims_mpi_sort_create(&plan, ranks_mpi(), &d.desc));
    test_buffer weights = test_buffer_create(v->weight, ELEMENT_WEIGHTS, 4, 0);
    if (d.words > 0) {
        expect_ranks_ok(clprims_mpi_sort_set_parameter(plan, 0, sizeof(cl_mem), &weights.at.mem));
        expect_ranks_ok(clprims_mpi_sort_set_parameter(plan, 1, sizeof v->limit, &v->limit));
    }
    for (int k = 0; k < DRAWN_RUNS; k++) {
        const run_case c = {.data = (sort_data)test_random_below(SORT_DATA_KINDS),
                            .from = RANKS_DRAWN,
                            .to = RANKS_DRAWN,
                            .total = drawn_total()};
        run_sort(&d, plan, &c);
    }
    clprims_mpi_sort_destroy(plan);
}

/* ---- Refusals ---- */

static void bad_plans_are_named(void) {
    const clprims_sort_desc plain = describe(&kinds[0]).desc, pairs = describe(&kinds[1]).desc;
    clprims_sort_desc good = plain, bad = plain;
    void *sort = NULL;
    bad.no_keys = 1;
    ranks_desc_is_refused(&ranks_sort, &plain, &bad, CLPRIMS_ERR_UNSUPPORTED,
                          "no_keys must be zero");
    bad = plain;
    bad.then[0] = "x";
    ranks_desc_is_refused(&ranks_sort, &plain, &bad, CLPRIMS_ERR_UNSUPPORTED,
                          "the ranks sort by one key; then[0] must be NULL");
    bad = pairs;
    bad.payloads = 4;
    ranks_desc_is_refused(&ranks_sort, &pairs, &bad, CLPRIMS_ERR_ARGUMENT,
                          "4 payloads and indices; at most 4 together");
    bad = plain;
    bad.type = CLPRIMS_STRUCT;
    ranks_desc_is_refused(&ranks_sort, &plain, &bad, CLPRIMS_ERR_ARGUMENT,
                          "is no integer or float type");
    good.payloads = 2;
    good.key = "-x";
    good.indices = CLPRIMS_I32;
    memcpy(good.payload_bytes, (const size_t[4]){4, 4, 4, 4}, sizeof good.payload_bytes);
    bad = good;
    bad.payloads = 3;
    ranks_desc_is_refused(&ranks_sort, &good, &bad, CLPRIMS_ERR_ARGUMENT,
                          "3 payloads and indices and elements of a key; at most 4 together");
    bad = plain;
    describe_key(&bad, 10);
    expect_ranks_failure(ranks_sort.create(&sort, &bad), CLPRIMS_ERR_UNSUPPORTED, 0,
                         "elements = 11 (struct) of 40 bytes");
    assert_null(sort);
}

static void bad_runs_are_named(void) {
    const int last = ranks_count() - 1;
    const bool is_last = ranks_rank() == last;
    const sorted d = describe(&kinds[0]);
    clprims_mpi_sort *sort = ranks_plan(&ranks_sort, 0, &d.desc);
    test_buffer keys = test_buffer_create(NULL, 10, 4, 0);
    clprims_sort_buffers buffers = {0};
    buffers.keys_in = buffers.keys_out = keys.at;
    expect_ranks_failure(clprims_mpi_sort_run(sort, &buffers, is_last ? LARGEST + 1 : 10, 10),
                         CLPRIMS_ERR_TOO_LARGE, last, "mpi_sort: n = 2001 exceeds max_n = 2000");
    expect_ranks_failure(clprims_mpi_sort_run(sort, &buffers, 10, is_last ? LARGEST : 10),
                         CLPRIMS_ERR_ARGUMENT, last, "mpi_sort: keys_out has room for");
    expect_ranks_failure(clprims_mpi_sort_run(sort, &buffers, 10, is_last ? 9 : 10),
                         CLPRIMS_ERR_ARGUMENT, 0, "elements in all, and blocks wanted for");
    clprims_sort_buffers counted = buffers;
    if (is_last) counted.n = keys.at;
    expect_ranks_failure(clprims_mpi_sort_run(sort, &counted, 10, 10), CLPRIMS_ERR_ARGUMENT, last,
                         "mpi_sort: buffers.n.mem is not NULL");
    for (int k = 0; k < RANKS_BAD; k++) {
        const clprims_buffer bad = {ranks_bad_create(k), 0};
        clprims_sort_buffers in = buffers, out = buffers;
        if (is_last) in.keys_in = out.keys_out = bad;
        expect_ranks_failure(clprims_mpi_sort_run(sort, &in, 10, 10), CLPRIMS_ERR_ARGUMENT, last,
                             ranks_refusal("keys_in", k));
        expect_ranks_failure(clprims_mpi_sort_run(sort, &out, 10, 10), CLPRIMS_ERR_ARGUMENT, last,
                             ranks_refusal("keys_out", k));
    }
    if (is_last) buffers.keys_in.mem = NULL;
    expect_ranks_failure(clprims_mpi_sort_run(sort, &buffers, 10, 10), CLPRIMS_ERR_ARGUMENT, last,
                         "sort: ");
}

static void add_case(test_cases *cases, const run_case *c) {
    ranks_add_row(cases, array_is_sorted, *c, "ranks/sort/%s/%s/%s-to-%s/n=%zu%s",
                  kinds[c->kind].name, sort_data_names[c->data], ranks_layout_name(c->from),
                  c->in_place ? "same" : ranks_layout_name(c->to), c->total,
                  c->in_place ? "/in-place" : "");
}

void add_sort_cases(test_cases *cases) {
    static const size_t totals[] = {0, 1, 4, LARGEST};
    const int most = test_long() ? KINDS : DEFAULT_KINDS;
    ranks_add_plain(cases, bad_plans_are_named, "ranks/sort/refused/create");
    ranks_add_plain(cases, bad_runs_are_named, "ranks/sort/refused/run");
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
                                    totals[t], false};
                add_case(cases, &c);
            }
    }
    for (ranks_layout to = RANKS_EVEN; to < RANKS_LAYOUTS; to++) {
        const run_case c = {FLOATS, SORT_ZEROS, RANKS_EVEN, to, LARGEST, false};
        ranks_add_row(cases, array_is_sorted, c, "ranks/sort/zeros/even-to-%s",
                      ranks_layout_name(to));
    }
    for (size_t k = 0; k < (test_long() ? 20 : 2); k++) {
        const bool has_key = k % 2 == 0;
        ranks_add_row(cases, drawn_sort_is_right, has_key, "ranks/drawn/sort%s/%zu",
                      has_key ? "-by-key" : "", k);
    }
}
