/* SPDX-License-Identifier: MIT */
/* Keys that an expression with parameters makes of elements, structures and numbers. */
#include "fixtures/count_cases.h"
#include "fixtures/element_keys.h"
#include "fixtures/sort_cases.h"
#include "sort/sort_suite.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_N = 300 };

/* Elements of some 32-bit words; the last one makes the key. */
typedef struct expression_case {
    clprims_sort_algorithm algorithm;
    const char *tuning;
    clprims_type type; /* of the keys */
    size_t words; /* of an element; 1: a number */
    bool descending, no_elements, indices, payload;
    unsigned begin_bit;
    size_t max_n;
} expression_case;

static clprims_sort_desc describe(const expression_case *c) {
    clprims_sort_desc desc = CLPRIMS_SORT_DESC_INIT;
    desc.type = c->type;
    desc.descending = c->descending;
    desc.begin_bit = c->begin_bit;
    desc.max_n = c->max_n;
    desc.algorithm = c->algorithm;
    desc.tuning = test_small() ? NULL : c->tuning;
    desc.no_keys = c->no_elements;
    desc.payloads = c->payload;
    desc.payload_bytes[0] = 2;
    if (c->indices) desc.indices = CLPRIMS_I64;
    desc.parameters = element_parameters;
    desc.key = element_key(c->words);
    desc.elements = element_type(c->words);
    desc.custom = element_custom(c->words);
    return desc;
}

/* ---- Runs ---- */

typedef struct run {
    size_t n; /* as it is asked for; more than max_n: refused */
    const element_values *v;
    bool counted, in_place;
    size_t first;
} run;

/* An array's first `n` elements in order, the others as they were. */
static void expect_moved(const test_buffer *out, const size_t *order, const void *in, size_t n,
                         const void *before, size_t max_n, size_t bytes) {
    char *expected = test_alloc(max_n, bytes), *found = test_alloc(max_n, bytes);
    memcpy(expected, before, max_n * bytes);
    for (size_t i = 0; i < n; i++) {
        memcpy(expected + i * bytes, (const char *)in + order[i] * bytes, bytes);
    }
    test_buffer_read(out, found);
    expect_elements(expected, found, max_n, bytes);
    free(expected);
    free(found);
}

static void enqueue(clprims_sort *plan, const run *r, const clprims_sort_buffers *b) {
    const uint64_t number = r->n;
    if (!r->counted) {
        expect_ok(clprims_sort_enqueue(plan, test_queue(), b, r->n, 0, NULL, NULL));
        return;
    }
    test_buffer count = test_buffer_create(&number, 1, 8, 1);
    test_buffer report = test_buffer_create(NULL, 1, sizeof(clprims_sort_report), 0);
    clprims_sort_report found;
    expect_ok(
        clprims_sort_enqueue_counted(plan, test_queue(), b, count.at, report.at, 0, NULL, NULL));
    test_buffer_read(&report, &found);
    assert_true((uint64_t)found.count == number);
    test_buffer_release(&count);
    test_buffer_release(&report);
}

static void set_parameters(clprims_sort *plan, const element_values *v, cl_mem weight) {
    expect_ok(clprims_sort_set_parameter(plan, 0, sizeof weight, &weight));
    expect_ok(clprims_sort_set_parameter(plan, 1, sizeof v->limit, &v->limit));
}

static void run_one(clprims_sort *plan, const expression_case *c, const run *r,
                    const uint32_t *elements, const uint16_t *payload) {
    const size_t max_n = c->max_n, sorted = r->n > max_n ? 0 : r->n, bytes = 4 * c->words;
    const clprims_sort_desc desc = describe(c);
    void *keys = element_keys(c->type, c->words, elements, r->v, sorted);
    size_t *order = sort_define_order(&desc, keys, sorted);
    int64_t *numbers = test_alloc(max_n, 8);
    void *blank = count_background(max_n, bytes), *blank_8 = count_background(max_n, 8);
    test_buffer in = test_buffer_create(elements, max_n, bytes, r->first);
    test_buffer out = test_buffer_create(blank, max_n, bytes, r->first + 2);
    test_buffer payload_in = test_buffer_create(payload, max_n, 2, r->first + 1);
    test_buffer payload_out = test_buffer_create(blank, max_n, 2, r->first);
    test_buffer indices = test_buffer_create(blank_8, max_n, 8, r->first);
    test_buffer weight = test_buffer_create(r->v->weight, ELEMENT_WEIGHTS, 4, 0);
    clprims_sort_buffers b = CLPRIMS_SORT_BUFFERS_INIT;
    for (size_t i = 0; i < max_n; i++) numbers[i] = (int64_t)i;
    b.keys_in = in.at;
    if (!c->no_elements) b.keys_out = r->in_place ? in.at : out.at;
    if (c->payload) {
        b.payload_in[0] = payload_in.at;
        b.payload_out[0] = r->in_place ? payload_in.at : payload_out.at;
    }
    if (c->indices) b.indices = indices.at;
    set_parameters(plan, r->v, weight.at.mem);
    enqueue(plan, r, &b);
    const bool apart = c->no_elements || !r->in_place;
    if (apart) test_buffer_expect_unchanged(&in, elements);
    if (!c->no_elements) {
        expect_moved(apart ? &out : &in, order, elements, sorted, apart ? blank : elements, max_n,
                     bytes);
    }
    if (c->payload && r->in_place)
        expect_moved(&payload_in, order, payload, sorted, payload, max_n, 2);
    else if (c->payload)
        expect_moved(&payload_out, order, payload, sorted, blank, max_n, 2);
    if (c->indices) expect_moved(&indices, order, numbers, sorted, blank_8, max_n, 8);
    test_buffer_expect_unchanged(&weight, r->v->weight);
    test_buffer_release(&in);
    test_buffer_release(&out);
    test_buffer_release(&payload_in);
    test_buffer_release(&payload_out);
    test_buffer_release(&indices);
    test_buffer_release(&weight);
    free(keys);
    free(order);
    free(numbers);
    free(blank);
    free(blank_8);
}

static void expression_is_right(const void *data) {
    const expression_case *c = data;
    const size_t m = c->max_n;
    const run runs[] = {
        {m, &element_sets[1], false, false, 0},    {m, &element_sets[0], false, true, 3},
        {0, &element_sets[0], false, true, 1},     {1, &element_sets[1], true, false, 1},
        {m - 1, &element_sets[1], true, true, 2},  {m + 1, &element_sets[0], true, true, 0},
        {m / 2, &element_sets[0], false, true, 1}, {0, &element_sets[1], true, false, 0}};
    const clprims_sort_desc desc = describe(c);
    clprims_sort *plan = NULL;
    uint32_t *elements = element_make(c->words, m);
    uint16_t payload[MOST_N];
    expect_ok(clprims_sort_create(&plan, test_context(), &desc));
    for (size_t i = 0; i < m; i++) payload[i] = (uint16_t)test_random();
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        test_note("run %zu: n = %zu%s%s", k, runs[k].n, runs[k].counted ? ", counted" : "",
                  runs[k].in_place ? ", in place" : "");
        run_one(plan, c, &runs[k], elements, payload);
    }
    clprims_sort_destroy(plan);
    free(elements);
}

static void plain_arrays(const void *data) {
    const expression_case *c = data;
    const clprims_sort_desc desc = describe(c);
    const size_t n = c->max_n - 3, bytes = 4 * c->words;
    clprims_sort *plan = NULL;
    uint32_t *elements = element_make(c->words, n);
    clprims_sort_arrays a = CLPRIMS_SORT_ARRAYS_INIT;
    void *keys = element_keys(c->type, c->words, elements, &element_sets[1], n);
    size_t *order = sort_define_order(&desc, keys, n);
    test_array out = test_array_create(NULL, n, bytes);
    test_buffer weight = test_buffer_create(element_sets[1].weight, ELEMENT_WEIGHTS, 4, 0);
    expect_ok(clprims_sort_create(&plan, test_context(), &desc));
    set_parameters(plan, &element_sets[1], weight.at.mem);
    a.keys_in = elements;
    a.keys_out = out.values;
    expect_ok(clprims_sort_run(plan, &a, n));
    for (size_t i = 0; i < n; i++) {
        expect_elements(elements + order[i] * c->words, (const char *)out.values + i * bytes, 1,
                        bytes);
    }
    test_array_expect_guards(&out);
    test_array_free(&out);
    test_buffer_release(&weight);
    clprims_sort_destroy(plan);
    free(elements);
    free(keys);
    free(order);
}

/* ---- Refusals ---- */

static const expression_case usual = {
    CLPRIMS_SORT_AUTO, NULL, CLPRIMS_U32, 3, false, false, false, false, 0, 20};

static void refuse(const clprims_sort_desc *desc, clprims_status status, const char *part) {
    clprims_sort *plan = NULL;
    expect_failure(clprims_sort_create(&plan, test_context(), desc), status, part);
    assert_null(plan);
}

static void texts_are_refused(const void *data) {
    clprims_sort_desc desc = describe(&usual);
    (void)data;
    desc.key = "x.w[2] +";
    refuse(&desc, CLPRIMS_ERR_BUILD, "key");
    desc = describe(&usual);
    desc.key = NULL;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "sort: elements = 11 (struct) and no desc.key");
    desc.elements = CLPRIMS_TYPE_DEFAULT;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "sort: 2 parameters, but no desc.key");
    desc = describe(&usual);
    desc.elements = (clprims_type)99;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "elements = 99 is none of clprims_type");
    desc = describe(&usual);
    desc.custom.type_name = NULL;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "type_name is NULL");
    desc = describe(&usual);
    desc.custom.declarations = NULL;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "declarations is NULL");
    desc = describe(&usual);
    desc.custom.type_bytes = 6;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "custom.type_bytes = 6; it must be a multiple of 4");
    desc.custom.type_bytes = 260;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "custom.type_bytes = 260");
    desc.custom.type_bytes = 16;
    refuse(&desc, CLPRIMS_ERR_BUILD, "clp_element_has_the_stated_size");
    desc = describe(&usual);
    desc.parameters = "uint x";
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "sort: parameter 0, \"uint x\", has a name that stands");
    desc = describe(&usual);
    desc.type = CLPRIMS_STRUCT;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "type = 11 (struct) is no integer or float type");
}

static void values_are_checked(const void *data) {
    const clprims_sort_desc desc = describe(&usual);
    const clprims_buffer none = {NULL, 0};
    const char *const unset = "sort: parameter 0, weight, was never set";
    uint32_t elements[3 * 4] = {0}, limit = 9;
    clprims_sort *plan = NULL;
    clprims_sort_arrays a = CLPRIMS_SORT_ARRAYS_INIT;
    clprims_sort_buffers b = CLPRIMS_SORT_BUFFERS_INIT;
    (void)data;
    expect_ok(clprims_sort_create(&plan, test_context(), &desc));
    expect_failure(clprims_sort_set_parameter(NULL, 1, 4, &limit), CLPRIMS_ERR_ARGUMENT,
                   "plan is NULL");
    expect_failure(clprims_sort_set_parameter(plan, 2, 4, &limit), CLPRIMS_ERR_ARGUMENT,
                   "sort: parameter 2 of 2");
    expect_failure(clprims_sort_set_parameter(plan, 1, 8, &limit), CLPRIMS_ERR_ARGUMENT,
                   "bytes = 8 for parameter 1");
    expect_ok(clprims_sort_set_parameter(plan, 1, 4, &limit));
    a.keys_in = a.keys_out = elements;
    expect_failure(clprims_sort_run(plan, &a, 4), CLPRIMS_ERR_ARGUMENT, unset);
    test_buffer in = test_buffer_create(elements, 4, 12, 0);
    test_buffer count = test_buffer_create(NULL, 1, 8, 0);
    b.keys_in = b.keys_out = in.at;
    expect_failure(clprims_sort_enqueue(plan, test_queue(), &b, 4, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, unset);
    expect_failure(
        clprims_sort_enqueue_counted(plan, test_queue(), &b, count.at, none, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, unset);
    expect_ok(clprims_sort_set_parameter(plan, 0, sizeof(cl_mem), &count.at.mem));
    b.keys_in.first = in.bytes / 12 - 3;
    expect_failure(clprims_sort_enqueue(plan, test_queue(), &b, 4, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "keys_in has room for");
    test_buffer_release(&in);
    test_buffer_release(&count);
    clprims_sort_destroy(plan);
}

/* ---- Cases ---- */

void sort_add_expressions(test_cases *cases) {
    static const char *const parts = "PARTS=3 SINGLE=0", *const tiles = "GROUP=8 ITEMS=3 SINGLE=0";
    static const struct {
        const char *name;
        expression_case c;
    } ways[] = {
        {"numbers",
         {CLPRIMS_SORT_SERIAL, parts, CLPRIMS_U32, 1, false, false, false, false, 0, 300}},
        {"moved",
         {CLPRIMS_SORT_COUNT_SCATTER, tiles, CLPRIMS_F32, 2, true, false, true, true, 0, 100}},
        {"gathered",
         {CLPRIMS_SORT_SERIAL, parts, CLPRIMS_U32, 3, false, false, true, true, 0, 300}},
        {"indices-alone",
         {CLPRIMS_SORT_SERIAL, NULL, CLPRIMS_U16, 10, true, true, true, false, 0, 99}},
        {"no-bits", {CLPRIMS_SORT_AUTO, NULL, CLPRIMS_I16, 10, true, false, false, true, 16, 99}},
        {"chosen", {CLPRIMS_SORT_AUTO, NULL, CLPRIMS_I64, 10, true, false, true, true, 0, 300}},
    };
    enum { WAYS = sizeof ways / sizeof ways[0], NUMBERS = 0, GATHERED = 2 };
    for (size_t w = 0; w < WAYS; w++) {
        if (w == WAYS - 1 && !test_long() && test_info().layer != CLPRIMS_LAYER_NVIDIA) continue;
        test_add(cases, expression_is_right, &ways[w].c, sizeof ways[w].c, "sort/expressions/%s",
                 ways[w].name);
    }
    expression_case c = ways[NUMBERS].c;
    test_add(cases, plain_arrays, &c, sizeof c, "sort/expressions/run/numbers");
    c = ways[GATHERED].c;
    c.payload = c.indices = false;
    test_add(cases, plain_arrays, &c, sizeof c, "sort/expressions/run/gathered");
    test_add(cases, texts_are_refused, NULL, 0, "sort/expressions/refused");
    test_add(cases, values_are_checked, NULL, 0, "sort/expressions/values");
}
