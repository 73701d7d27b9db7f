/* SPDX-License-Identifier: MIT */
/* Top-k by keys that an expression with parameters makes of elements. */
#include "fixtures/count_cases.h"
#include "fixtures/element_keys.h"
#include "fixtures/sort_cases.h"
#include "topk/topk_suite.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_K = 300 };

typedef struct expression_case {
    const char *tuning;
    clprims_type type; /* of the keys */
    size_t words; /* of an element */
    bool least, no_values;
    size_t max_n;
} expression_case;

static clprims_topk_desc describe(const expression_case *c) {
    clprims_topk_desc desc = CLPRIMS_TOPK_DESC_INIT;
    desc.type = c->type;
    desc.least = c->least;
    desc.no_values = c->no_values;
    desc.indices = CLPRIMS_I64;
    desc.max_n = c->max_n;
    desc.max_k = MOST_K;
    desc.tuning = c->tuning;
    desc.parameters = element_parameters;
    desc.key = element_key(c->words);
    desc.elements = element_type(c->words);
    desc.custom = element_custom(c->words);
    return desc;
}

/* ---- Runs ---- */

typedef struct run {
    size_t n, k; /* counted: more than max_n is refused, fewer than k are all given */
    const element_values *v;
    bool counted, by_run;
    size_t first;
} run;

typedef struct outcome {
    size_t bytes; /* of an element */
    char *values; /* k of them */
    int64_t *indices;
} outcome;

static outcome define(const expression_case *c, const run *r, const uint32_t *elements) {
    const size_t n = r->n > c->max_n ? 0 : r->n, found = n < r->k ? n : r->k;
    clprims_sort_desc like = CLPRIMS_SORT_DESC_INIT;
    void *keys = element_keys(c->type, c->words, elements, r->v, n);
    outcome o = {.bytes = 4 * c->words};
    like.type = c->type;
    like.descending = !c->least;
    size_t *order = sort_define_order(&like, keys, n);
    o.values = count_background(r->k, o.bytes);
    o.indices = count_background(r->k, sizeof *o.indices);
    for (size_t i = 0; i < found; i++) {
        memcpy(o.values + i * o.bytes, elements + order[i] * c->words, o.bytes);
        o.indices[i] = (int64_t)order[i];
    }
    if (c->no_values) {
        free(o.values);
        o.values = count_background(r->k, o.bytes);
    }
    free(order);
    free(keys);
    return o;
}

static void enqueue(clprims_topk *plan, const run *r, const clprims_topk_buffers *b) {
    const uint64_t number = r->n;
    if (!r->counted) {
        expect_ok(clprims_topk_enqueue(plan, test_queue(), b, r->n, r->k, 0, NULL, NULL));
        return;
    }
    test_buffer count = test_buffer_create(&number, 1, 8, 1);
    test_buffer report = test_buffer_create(NULL, 1, sizeof(clprims_topk_report), 0);
    clprims_topk_report found;
    expect_ok(clprims_topk_enqueue_counted(plan, test_queue(), b, count.at, r->k, report.at, 0,
                                           NULL, NULL));
    test_buffer_read(&report, &found);
    assert_true((uint64_t)found.count == number);
    test_buffer_release(&count);
    test_buffer_release(&report);
}

static void run_on_device(clprims_topk *plan, const expression_case *c, const run *r,
                          const uint32_t *elements, const outcome *o) {
    void *blank = count_background(r->k, o->bytes), *blank_8 = count_background(r->k, 8);
    void *out = test_alloc(r->k, o->bytes > 8 ? o->bytes : 8);
    clprims_topk_buffers b = CLPRIMS_TOPK_BUFFERS_INIT;
    test_buffer in = test_buffer_create(elements, c->max_n, o->bytes, r->first);
    test_buffer values = test_buffer_create(blank, r->k, o->bytes, r->first + 1);
    test_buffer indices = test_buffer_create(blank_8, r->k, 8, r->first * 2);
    b.in = in.at;
    if (!c->no_values) b.values = values.at;
    b.indices = indices.at;
    enqueue(plan, r, &b);
    test_buffer_expect_unchanged(&in, elements);
    test_buffer_read(&values, out);
    expect_elements(o->values, out, r->k, o->bytes);
    test_buffer_read(&indices, out);
    expect_elements(o->indices, out, r->k, 8);
    test_buffer_release(&in);
    test_buffer_release(&values);
    test_buffer_release(&indices);
    free(blank);
    free(blank_8);
    free(out);
}

static void run_on_arrays(clprims_topk *plan, const expression_case *c, const run *r,
                          const uint32_t *elements, const outcome *o) {
    void *blank = count_background(r->k, o->bytes);
    test_array values = test_array_create(blank, r->k, o->bytes);
    test_array indices = test_array_create(NULL, r->k, 8);
    clprims_topk_arrays a = CLPRIMS_TOPK_ARRAYS_INIT;
    a.in = elements;
    if (!c->no_values) a.values = values.values;
    a.indices = indices.values;
    expect_ok(clprims_topk_run(plan, &a, r->n, r->k));
    expect_elements(o->values, values.values, r->k, o->bytes);
    expect_elements(o->indices, indices.values, r->k, 8);
    test_array_expect_guards(&values);
    test_array_expect_guards(&indices);
    test_array_free(&values);
    test_array_free(&indices);
    free(blank);
}

static void run_one(clprims_topk *plan, const expression_case *c, const run *r,
                    const uint32_t *elements) {
    test_buffer weight = test_buffer_create(r->v->weight, ELEMENT_WEIGHTS, 4, 0);
    outcome o = define(c, r, elements);
    expect_ok(clprims_topk_set_parameter(plan, 0, sizeof(cl_mem), &weight.at.mem));
    expect_ok(clprims_topk_set_parameter(plan, 1, sizeof r->v->limit, &r->v->limit));
    if (r->by_run)
        run_on_arrays(plan, c, r, elements, &o);
    else
        run_on_device(plan, c, r, elements, &o);
    free(o.values);
    free(o.indices);
    test_buffer_release(&weight);
}

static void expression_is_right(const void *data) {
    const expression_case *c = data;
    const element_values *const one = &element_sets[0], *const other = &element_sets[1];
    const size_t m = c->max_n;
    const run runs[] = {
        {m, MOST_K, other, false, false, 0},  {m - 3, 40, one, false, false, 3},
        {m / 2, 17, other, true, false, 1},   {5, 40, one, true, false, 2},
        {m + 1, MOST_K, one, true, false, 1}, {0, 3, other, true, false, 0},
        {m - 1, 99, other, false, true, 0},   {MOST_K, MOST_K, one, false, true, 0},
        {m, MOST_K - 1, one, true, false, 0}, {1, 1, other, false, false, 1},
    };
    const clprims_topk_desc desc = describe(c);
    clprims_topk *plan = NULL;
    uint32_t *elements = element_make(c->words, m);
    expect_ok(clprims_topk_create(&plan, test_context(), &desc));
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        test_note("run %zu: n = %zu, k = %zu", i, runs[i].n, runs[i].k);
        run_one(plan, c, &runs[i], elements);
    }
    clprims_topk_destroy(plan);
    free(elements);
}

/* ---- Refusals ---- */

static void refuse(const clprims_topk_desc *desc, clprims_status status, const char *part) {
    clprims_topk *plan = NULL;
    expect_failure(clprims_topk_create(&plan, test_context(), desc), status, part);
    assert_null(plan);
}

static void is_refused(const void *data) {
    const char *const unset = "topk: parameter 0, weight, was never set";
    const expression_case *c = data;
    const uint32_t limit = 9;
    const size_t bytes = 4 * c->words;
    clprims_topk_desc desc = describe(c);
    clprims_topk *plan = NULL;
    clprims_topk_buffers b = CLPRIMS_TOPK_BUFFERS_INIT;
    clprims_topk_arrays a = CLPRIMS_TOPK_ARRAYS_INIT;
    uint32_t elements[40] = {0};
    desc.key = "x.w[2] +";
    refuse(&desc, CLPRIMS_ERR_BUILD, "key");
    desc.key = NULL;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "topk: elements = 11 (struct) and no desc.key");
    desc.elements = CLPRIMS_TYPE_DEFAULT;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "topk: 2 parameters, but no desc.key");
    desc = describe(c);
    desc.custom.type_name = NULL;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "topk: CLPRIMS_STRUCT needs custom.type_name");
    desc = describe(c);
    expect_ok(clprims_topk_create(&plan, test_context(), &desc));
    expect_failure(clprims_topk_set_parameter(NULL, 1, 4, &limit), CLPRIMS_ERR_ARGUMENT,
                   "topk: plan is NULL");
    expect_failure(clprims_topk_set_parameter(plan, 1, 8, &limit), CLPRIMS_ERR_ARGUMENT,
                   "topk: bytes = 8 for parameter 1");
    expect_ok(clprims_topk_set_parameter(plan, 1, 4, &limit));
    a.in = a.values = a.indices = elements;
    expect_failure(clprims_topk_run(plan, &a, 2, 1), CLPRIMS_ERR_ARGUMENT, unset);
    test_buffer in = test_buffer_create(elements, 4, bytes, 0);
    test_buffer values = test_buffer_create(elements, 4, bytes, 0);
    test_buffer indices = test_buffer_create(elements, 4, 8, 0);
    b.in = in.at;
    b.values = values.at;
    b.indices = indices.at;
    expect_failure(clprims_topk_enqueue(plan, test_queue(), &b, 4, 2, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, unset);
    expect_ok(clprims_topk_set_parameter(plan, 0, sizeof(cl_mem), &indices.at.mem));
    b.in.first = in.bytes / bytes - 3;
    expect_failure(clprims_topk_enqueue(plan, test_queue(), &b, 4, 2, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "topk: in has room for");
    b.in = in.at;
    b.values.first = values.bytes / bytes - 1;
    expect_failure(clprims_topk_enqueue(plan, test_queue(), &b, 4, 2, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "topk: values has room for");
    test_buffer_release(&in);
    test_buffer_release(&values);
    test_buffer_release(&indices);
    clprims_topk_destroy(plan);
}

/* ---- Cases ---- */

void topk_add_expressions(test_cases *cases) {
    static const struct {
        const char *name;
        expression_case c;
    } ways[] = {
        {"serial",
         {"GROUP=1 ITEMS=3 BITS=6 GROUPS=5 ROOM=100 FEW=0 SAMPLE=256", CLPRIMS_U32, 3, false, false,
          5000}},
        {"groups",
         {"GROUP=16 ITEMS=4 BITS=5 GROUPS=7 ROOM=60 FEW=0 SAMPLE=0", CLPRIMS_F32, 1, true, false,
          3000}},
        {"sample",
         {"GROUP=8 ITEMS=8 BITS=8 GROUPS=3 ROOM=500 FEW=0 SAMPLE=100", CLPRIMS_U16, 10, true, true,
          4000}},
        {"chosen", {NULL, CLPRIMS_I64, 2, false, false, 2000}},
    };
    const bool all = test_long() || test_info().layer == CLPRIMS_LAYER_NVIDIA;
    for (size_t w = 0; w < (all ? sizeof ways / sizeof ways[0] : 1); w++) {
        expression_case c = ways[w].c;
        if (test_small()) c.max_n = 700;
        test_add(cases, expression_is_right, &c, sizeof c, "topk/expressions/%s", ways[w].name);
    }
    test_add(cases, is_refused, &ways[0].c, sizeof ways[0].c, "topk/expressions/refused");
}
