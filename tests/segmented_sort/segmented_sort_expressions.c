/* SPDX-License-Identifier: MIT */
/* Segmented sorts by keys that an expression with parameters makes of elements. */
#include "fixtures/count_cases.h"
#include "fixtures/element_keys.h"
#include "fixtures/sort_cases.h"
#include "segmented_sort/segmented_sort_suite.h"

#include <clprims/segmented_sort.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_SEGMENTS = 40 };

typedef struct expression_case {
    clprims_segmented_sort_algorithm algorithm;
    const char *tuning;
    clprims_type type; /* of the keys */
    size_t words; /* of an element */
    bool descending, no_elements, local_indices, payload;
    unsigned begin_bit;
    size_t max_n;
} expression_case;

static clprims_segmented_sort_desc describe(const expression_case *c) {
    clprims_segmented_sort_desc desc = CLPRIMS_SEGMENTED_SORT_DESC_INIT;
    desc.type = c->type;
    desc.descending = c->descending;
    desc.begin_bit = c->begin_bit;
    desc.max_n = c->max_n;
    desc.max_segments = MOST_SEGMENTS;
    desc.algorithm = c->algorithm;
    desc.tuning = c->tuning;
    desc.no_keys = c->no_elements;
    desc.payloads = c->payload;
    desc.payload_bytes[0] = 2;
    desc.indices = CLPRIMS_I64;
    desc.local_indices = c->local_indices;
    desc.parameters = element_parameters;
    desc.key = element_key(c->words);
    desc.elements = element_type(c->words);
    desc.custom = element_custom(c->words);
    return desc;
}

/* ---- Runs ---- */

typedef struct run {
    const char *name;
    size_t n, segments;
    const element_values *v;
    bool counts_n, counts_segments, in_place, by_run;
    size_t first;
} run;

/* Short and long segments, and empty ones; some elements before and behind them are in none. */
static int64_t *make_offsets(const run *r) {
    int64_t *offsets = test_alloc(MOST_SEGMENTS + 1, sizeof *offsets);
    const size_t lead = r->n / 20, room = r->n - 2 * lead;
    size_t at = lead;
    for (size_t s = 0; s <= MOST_SEGMENTS; s++) {
        offsets[s] = s <= r->segments ? (int64_t)at : -1;
        const size_t length = s == 1 ? room / 3 : test_random_below(s % 4 == 0 ? 1 : room / 20 + 2);
        at = at + length < r->n - lead ? at + length : r->n - lead;
    }
    return offsets;
}

/* Where the element of each place comes from; SIZE_MAX: it stays. */
static size_t *define_places(const expression_case *c, const run *r, const int64_t *offsets,
                             const uint32_t *elements) {
    const size_t bytes = clprims_type_bytes(c->type);
    clprims_sort_desc like = CLPRIMS_SORT_DESC_INIT;
    char *keys = element_keys(c->type, c->words, elements, r->v, r->n);
    size_t *from = test_alloc(c->max_n, sizeof *from);
    like.type = c->type;
    like.descending = c->descending;
    like.begin_bit = c->begin_bit;
    for (size_t i = 0; i < c->max_n; i++) from[i] = SIZE_MAX;
    for (size_t s = 0; s < r->segments; s++) {
        const size_t begin = (size_t)offsets[s], length = (size_t)offsets[s + 1] - begin;
        size_t *order = sort_define_order(&like, keys + begin * bytes, length);
        for (size_t i = 0; i < length; i++) from[begin + i] = begin + order[i];
        free(order);
    }
    free(keys);
    return from;
}

/* An array of a run: what stands in it, what stood in its output, what must stand there. */
typedef struct subject {
    size_t bytes;
    void *values, *before, *expected;
    test_buffer in, out;
} subject;

enum { ELEMENTS, PAYLOAD, INDICES, SUBJECTS };

static subject make_subject(const run *r, size_t max_n, size_t bytes, const void *values,
                            bool in_place, const size_t *from) {
    subject s = {.bytes = bytes, .before = count_background(max_n, bytes)};
    s.values = test_alloc(max_n, bytes);
    s.expected = test_alloc(max_n, bytes);
    memcpy(s.values, values, max_n * bytes);
    if (in_place) memcpy(s.before, values, max_n * bytes);
    memcpy(s.expected, s.before, max_n * bytes);
    for (size_t i = 0; i < r->n; i++) {
        if (from[i] == SIZE_MAX) continue;
        memcpy((char *)s.expected + i * bytes, (const char *)values + from[i] * bytes, bytes);
    }
    return s;
}

static void make_subjects(const expression_case *c, const run *r, const int64_t *offsets,
                          const uint32_t *elements, subject *subjects) {
    const size_t max_n = c->max_n;
    uint16_t *payload = sort_make_payload(max_n, 2);
    int64_t *numbers = test_alloc(max_n, 8);
    size_t *from = define_places(c, r, offsets, elements);
    for (size_t i = 0; i < max_n; i++) numbers[i] = (int64_t)i;
    for (size_t s = 0; s < r->segments && c->local_indices; s++) {
        for (int64_t i = offsets[s]; i < offsets[s + 1]; i++) numbers[i] = i - offsets[s];
    }
    subjects[ELEMENTS] =
        make_subject(r, max_n, 4 * c->words, elements, r->in_place && !c->no_elements, from);
    subjects[PAYLOAD] = make_subject(r, max_n, 2, payload, r->in_place, from);
    subjects[INDICES] = make_subject(r, max_n, 8, numbers, false, from);
    free(payload);
    free(numbers);
    free(from);
}

static bool is_given(const expression_case *c, size_t k) {
    return k == ELEMENTS ? !c->no_elements : k == PAYLOAD ? c->payload : true;
}

static void run_on_device(clprims_segmented_sort *plan, const expression_case *c, const run *r,
                          const int64_t *offsets, subject *subjects) {
    const uint64_t numbers[] = {r->n, r->segments};
    const clprims_buffer none = {NULL, 0};
    clprims_segmented_sort_buffers b = CLPRIMS_SEGMENTED_SORT_BUFFERS_INIT;
    test_buffer at = test_buffer_create(offsets, MOST_SEGMENTS + 1, 8, r->first);
    test_buffer counts = test_buffer_create(numbers, 2, 8, r->first);
    for (size_t k = 0; k < SUBJECTS; k++) {
        subject *s = &subjects[k];
        s->in = test_buffer_create(s->values, c->max_n, s->bytes, r->first + k);
        s->out = test_buffer_create(s->before, c->max_n, s->bytes, 2 * r->first);
    }
    b.offsets = at.at;
    b.keys_in = subjects[ELEMENTS].in.at;
    if (!c->no_elements) b.keys_out = subjects[ELEMENTS].out.at;
    if (!c->no_elements && r->in_place) b.keys_in = b.keys_out;
    if (c->payload) {
        b.payload_out[0] = subjects[PAYLOAD].out.at;
        b.payload_in[0] = r->in_place ? b.payload_out[0] : subjects[PAYLOAD].in.at;
    }
    b.indices = subjects[INDICES].out.at;
    if (r->counts_n || r->counts_segments) {
        const clprims_buffer second = {counts.at.mem, counts.at.first + 1};
        expect_ok(clprims_segmented_sort_enqueue_counted(
            plan, test_queue(), &b, r->counts_n ? counts.at : none,
            r->counts_segments ? second : none, 0, NULL, NULL));
    } else {
        expect_ok(clprims_segmented_sort_enqueue(plan, test_queue(), &b, r->n, r->segments, 0, NULL,
                                                 NULL));
    }
    for (size_t k = 0; k < SUBJECTS; k++) {
        subject *s = &subjects[k];
        void *out = test_alloc(c->max_n, s->bytes);
        test_buffer_read(&s->out, out);
        expect_elements(is_given(c, k) ? s->expected : s->before, out, c->max_n, s->bytes);
        test_buffer_expect_unchanged(&s->in, s->values);
        test_buffer_release(&s->in);
        test_buffer_release(&s->out);
        free(out);
    }
    test_buffer_release(&at);
    test_buffer_release(&counts);
}

static void run_on_arrays(clprims_segmented_sort *plan, const expression_case *c, const run *r,
                          const int64_t *offsets, subject *subjects) {
    clprims_segmented_sort_arrays a = CLPRIMS_SEGMENTED_SORT_ARRAYS_INIT;
    test_array out[SUBJECTS];
    for (size_t k = 0; k < SUBJECTS; k++) {
        out[k] = test_array_create(subjects[k].before, r->n, subjects[k].bytes);
    }
    a.offsets = offsets;
    a.keys_in = subjects[ELEMENTS].values;
    if (!c->no_elements) a.keys_out = out[ELEMENTS].values;
    a.payload_in[0] = subjects[PAYLOAD].values;
    a.payload_out[0] = out[PAYLOAD].values;
    a.indices = out[INDICES].values;
    expect_ok(clprims_segmented_sort_run(plan, &a, r->n, r->segments));
    for (size_t k = 0; k < SUBJECTS; k++) {
        const subject *s = &subjects[k];
        expect_elements(is_given(c, k) ? s->expected : s->before, out[k].values, r->n, s->bytes);
        test_array_expect_guards(&out[k]);
        test_array_free(&out[k]);
    }
}

static void run_one(clprims_segmented_sort *plan, const expression_case *c, const run *r,
                    const uint32_t *elements) {
    subject subjects[SUBJECTS];
    test_buffer weight = test_buffer_create(r->v->weight, ELEMENT_WEIGHTS, 4, 0);
    int64_t *offsets = make_offsets(r);
    make_subjects(c, r, offsets, elements, subjects);
    expect_ok(clprims_segmented_sort_set_parameter(plan, 0, sizeof(cl_mem), &weight.at.mem));
    expect_ok(clprims_segmented_sort_set_parameter(plan, 1, sizeof r->v->limit, &r->v->limit));
    if (r->by_run)
        run_on_arrays(plan, c, r, offsets, subjects);
    else
        run_on_device(plan, c, r, offsets, subjects);
    for (size_t k = 0; k < SUBJECTS; k++) {
        free(subjects[k].values);
        free(subjects[k].before);
        free(subjects[k].expected);
    }
    test_buffer_release(&weight);
    free(offsets);
}

static void expression_is_right(const void *data) {
    const expression_case *c = data;
    const element_values *const one = &element_sets[0], *const other = &element_sets[1];
    const size_t m = c->max_n;
    const run runs[] = {
        {"all", m, MOST_SEGMENTS, other, false, false, false, false, 0},
        {"in place", m, MOST_SEGMENTS - 1, one, false, false, true, false, 3},
        {"no elements", 0, 3, one, false, false, true, false, 1},
        {"counted", m - 30, 20, other, true, true, false, false, 1},
        {"counted, in place", m / 2, MOST_SEGMENTS, one, true, false, true, false, 2},
        {"segments counted", m, 7, other, false, true, true, false, 1},
        {"plain arrays", m - 1, 30, other, false, false, false, true, 0},
        {"no segments", m, 0, other, false, false, false, false, 1},
    };
    const clprims_segmented_sort_desc desc = describe(c);
    clprims_segmented_sort *plan = NULL;
    uint32_t *elements = element_make(c->words, m);
    expect_ok(clprims_segmented_sort_create(&plan, test_context(), &desc));
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        test_note("%s: n = %zu", runs[k].name, runs[k].n);
        run_one(plan, c, &runs[k], elements);
    }
    clprims_segmented_sort_destroy(plan);
    free(elements);
}

/* ---- Refusals ---- */

static void refuse(const clprims_segmented_sort_desc *desc, clprims_status status,
                   const char *part) {
    clprims_segmented_sort *plan = NULL;
    expect_failure(clprims_segmented_sort_create(&plan, test_context(), desc), status, part);
    assert_null(plan);
}

static void is_refused(const void *data) {
    const char *const unset = "segmented_sort: parameter 0, weight, was never set";
    const expression_case *c = data;
    const uint32_t limit = 9;
    const int64_t offsets[] = {0, 1};
    clprims_segmented_sort_desc desc = describe(c);
    clprims_segmented_sort *plan = NULL;
    clprims_segmented_sort_buffers b = CLPRIMS_SEGMENTED_SORT_BUFFERS_INIT;
    clprims_segmented_sort_arrays a = CLPRIMS_SEGMENTED_SORT_ARRAYS_INIT;
    uint32_t elements[10];
    desc.key = "x.w[2] +";
    refuse(&desc, CLPRIMS_ERR_BUILD, "key");
    desc.key = NULL;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "segmented_sort: elements = 11 (struct) and no desc.key");
    desc.elements = CLPRIMS_TYPE_DEFAULT;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "segmented_sort: 2 parameters, but no desc.key");
    desc = describe(c);
    desc.custom.type_bytes = 6;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "segmented_sort: custom.type_bytes = 6; it must be");
    desc = describe(c);
    expect_ok(clprims_segmented_sort_create(&plan, test_context(), &desc));
    expect_failure(clprims_segmented_sort_set_parameter(NULL, 1, 4, &limit), CLPRIMS_ERR_ARGUMENT,
                   "segmented_sort: plan is NULL");
    expect_failure(clprims_segmented_sort_set_parameter(plan, 2, 4, &limit), CLPRIMS_ERR_ARGUMENT,
                   "segmented_sort: parameter 2 of 2");
    a.offsets = offsets;
    a.keys_in = a.keys_out = elements;
    a.payload_in[0] = a.payload_out[0] = a.indices = elements;
    expect_failure(clprims_segmented_sort_run(plan, &a, 1, 1), CLPRIMS_ERR_ARGUMENT, unset);
    expect_failure(clprims_segmented_sort_enqueue(plan, test_queue(), &b, 0, 0, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, unset);
    clprims_segmented_sort_destroy(plan);
}

/* ---- Cases ---- */

void segmented_sort_add_expressions(test_cases *cases) {
    static const char *const groups = "GROUP=32 TEAMS=32 ITEMS=5 LARGE=64 LARGE_ITEMS=5 RADIX=0";
    static const struct {
        const char *name;
        expression_case c;
    } ways[] = {
        {"serial",
         {CLPRIMS_SEGMENTED_SORT_SERIAL, "MOST=50", CLPRIMS_U32, 3, false, false, false, true, 0,
          400}},
        {"groups",
         {CLPRIMS_SEGMENTED_SORT_GROUPS, groups, CLPRIMS_F32, 1, true, false, true, false, 0,
          2000}},
        {"groups-large",
         {CLPRIMS_SEGMENTED_SORT_GROUPS, groups, CLPRIMS_U16, 10, false, false, false, true, 3,
          3000}},
        {"no-elements",
         {CLPRIMS_SEGMENTED_SORT_AUTO, NULL, CLPRIMS_I64, 2, true, true, true, true, 0, 5000}},
        {"chosen",
         {CLPRIMS_SEGMENTED_SORT_AUTO, NULL, CLPRIMS_U32, 10, true, false, false, false, 0, 9000}},
    };
    const bool all = test_long() || test_info().layer == CLPRIMS_LAYER_NVIDIA;
    for (size_t w = 0; w < (all ? sizeof ways / sizeof ways[0] : 1); w++) {
        test_add(cases, expression_is_right, &ways[w].c, sizeof ways[w].c,
                 "segmented-sort/expressions/%s", ways[w].name);
    }
    test_add(cases, is_refused, &ways[0].c, sizeof ways[0].c, "segmented-sort/expressions/refused");
}
