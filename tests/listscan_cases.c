/* SPDX-License-Identifier: MIT */
/* One checked run of list scan, and its plain-C twin. */
#include "listscan_cases.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const list_setting listscan_settings[LISTSCAN_SETTINGS] = {
    {"default", NULL, CLPRIMS_LIST_AUTO, CLPRIMS_LIST_RANKS},
    {"groups",
     "ALONE=0 GROUP=64 WALKS=1 LANES=2048 SUBLIST=48 UPPER=16 LEAST=64 SPLITTERS=1000000 LAST=256 "
     "BATCH=4 "
     "CHUNK=256 BUCKET=4096 WINDOW=256",
     CLPRIMS_LIST_AUTO, CLPRIMS_LIST_RANKS},
    {"levels",
     "ALONE=0 GROUP=32 WALKS=1 LANES=64 SUBLIST=2 LEAST=1 UPPER=2 SPLITTERS=1000000 LAST=1 BATCH=1 "
     "CHUNK=32 BUCKET=16 WINDOW=16 COARSE=3",
     CLPRIMS_LIST_AUTO, CLPRIMS_LIST_RANKS},
    {"one-sublist",
     "ALONE=0 GROUP=32 WALKS=1 LANES=32 SUBLIST=64 LEAST=1 UPPER=2 SPLITTERS=1 LAST=1 BATCH=3 "
     "CHUNK=64 BUCKET=1",
     CLPRIMS_LIST_AUTO, CLPRIMS_LIST_RANKS},
    {"interleaved",
     "ALONE=0 GROUP=1 WALKS=5 LANES=3 SUBLIST=7 LEAST=1 UPPER=3 SPLITTERS=1000000 LAST=11 BATCH=2 "
     "CHUNK=3 BUCKET=64 WINDOW=32",
     CLPRIMS_LIST_AUTO, CLPRIMS_LIST_RANKS},
    {"one-group", "ALONE=2049 ALONE_GROUP=32", CLPRIMS_LIST_AUTO, CLPRIMS_LIST_RANKS},
    {"threshold", "ALONE=4097", CLPRIMS_LIST_AUTO, CLPRIMS_LIST_RANKS},
};

bool listscan_suits(const list_setting *setting) {
    /* Each setting is a program, which takes its time in some of PoCL's ways to compile one. */
    const size_t turn = (size_t)(setting - listscan_settings);
    if (test_small() && turn != 0 && turn != 2 && turn != LISTSCAN_ONE_GROUP) return false;
    return turn != 4 || test_info().layer == CLPRIMS_LAYER_LOCAL;
}

clprims_listscan_desc listscan_sums(const list_setting *setting, size_t max_n) {
    static const int64_t init = -77;
    const size_t turn = (size_t)(setting - listscan_settings);
    clprims_listscan_desc desc = CLPRIMS_LISTSCAN_DESC_INIT;
    desc.link = turn % 2 == 0 ? CLPRIMS_I32 : CLPRIMS_I64;
    desc.type = CLPRIMS_I64;
    /* Without init and identity of its own, an inclusive scan has no start. */
    desc.inclusive = turn == 1 || turn == 2;
    if (turn == 3) desc.init = &init;
    desc.max_n = max_n;
    desc.tuning = setting->tuning;
    return desc;
}

clprims_listscan *listscan_create(const clprims_listscan_desc *desc) {
    clprims_listscan *plan = NULL;
    if (desc->tuning != NULL) test_want_shapes();
    expect_ok(clprims_listscan_create(&plan, test_context(), desc));
    assert_non_null(plan);
    return plan;
}

static size_t bytes_of(const clprims_listscan_desc *desc, clprims_type type) {
    return type == CLPRIMS_STRUCT ? desc->custom.type_bytes : clprims_type_bytes(type);
}

size_t listscan_in_bytes(const clprims_listscan_desc *desc) {
    return bytes_of(desc, desc->type);
}

static size_t out_bytes_of(const clprims_listscan_desc *desc) {
    const bool same = desc->accumulator == CLPRIMS_TYPE_DEFAULT;
    return bytes_of(desc, same ? desc->type : desc->accumulator);
}

/* ---- The twin ---- */

/* elements[k] becomes values[order[k]], or the other way round. */
static void permute(void *elements, void *values, const int64_t *order, size_t n, size_t bytes,
                    bool back) {
    for (size_t k = 0; k < n; k++) {
        char *element = (char *)elements + k * bytes;
        char *value = (char *)values + (size_t)order[k] * bytes;
        memcpy(back ? value : element, back ? element : value, bytes);
    }
}

static void expect_built_in(const listscan_case *c, const int64_t *order, void *out) {
    const size_t in_bytes = listscan_in_bytes(c->desc), out_bytes = out_bytes_of(c->desc);
    clprims_scan_desc scan = CLPRIMS_SCAN_DESC_INIT;
    scan.type = c->desc->type;
    scan.accumulator = c->desc->accumulator;
    scan.op = c->desc->op;
    scan.inclusive = c->desc->inclusive;
    scan.init = c->desc->init;
    scan.max_n = c->n;
    void *values = test_alloc(c->n, in_bytes), *in = test_alloc(c->n, in_bytes);
    void *along = test_alloc(c->n, out_bytes);
    memcpy(values, c->values, c->n * in_bytes);
    permute(in, values, order, c->n, in_bytes, false);
    permute(along, out, order, c->n, out_bytes, false);
    expect_scan(&scan, in, along, c->n, c->roundings);
    free(values);
    free(in);
    free(along);
}

/* The twin loads by the element's own index, so that it goes along the list itself. */
static void expect_twin(const listscan_case *c, const int64_t *order, const void *out) {
    const oracle_twin *twin = c->twin;
    const size_t bytes = twin->accumulator_bytes;
    const void *init = c->desc->init ? c->desc->init : c->desc->custom.identity;
    unsigned char before[ORACLE_TWIN_BYTES], own[ORACLE_TWIN_BYTES], after[ORACLE_TWIN_BYTES];
    /* Sums of input expressions begin with 0. */
    if (init != NULL)
        memcpy(before, init, bytes);
    else
        memset(before, 0, bytes);
    const bool has_start = init != NULL || c->desc->op != CLPRIMS_CUSTOM;
    for (size_t k = 0; k < c->n; k++) {
        const size_t i = (size_t)order[k];
        twin->load(c->values, i, own);
        if (k == 0 && !has_start)
            memcpy(after, own, bytes);
        else
            twin->combine(before, own, after);
        const unsigned char *expected = c->desc->inclusive ? after : before;
        if (memcmp(expected, (const char *)out + i * bytes, bytes) != 0)
            test_fail("n = %zu: element %zu, number %zu of the list, is wrong", c->n, i, k);
        memcpy(before, after, bytes);
    }
}

static void expect_result(const listscan_case *c, int64_t head, void *out) {
    int64_t *order = test_alloc(c->n, sizeof *order);
    for (size_t k = 0; k < c->n; k++, head = c->next[head]) order[k] = head;
    if (c->twin != NULL)
        expect_twin(c, order, out);
    else
        expect_built_in(c, order, out);
    free(order);
}

/* ---- One run ---- */

clprims_list_report listscan_expect(const listscan_case *c, void *out) {
    const size_t out_bytes = out_bytes_of(c->desc);
    const list_case list = {NULL, c->desc->link,     c->next, c->head, c->n, 0, 0,
                            0,    CLPRIMS_LIST_RANKS};
    const clprims_list_report expected = list_expected(&list);
    const clprims_buffer none = {NULL, 0};
    clprims_list_report report = expected;
    void *links = list_narrow(c->desc->link, c->next, c->n);
    void *result = test_alloc(c->n, out_bytes);
    test_buffer next = test_buffer_create(links, c->n, clprims_type_bytes(c->desc->link), 1);
    test_buffer values = test_buffer_create(c->values, c->n, listscan_in_bytes(c->desc), c->first);
    test_buffer to = test_buffer_create(NULL, c->n, out_bytes, 2 * c->first);
    test_buffer place = test_buffer_create(NULL, 1, sizeof report, 1);
    expect_ok(clprims_listscan_enqueue(c->plan, test_queue(), next.at,
                                       c->desc->no_input_array ? none : values.at, to.at, c->head,
                                       c->n, c->without_report ? none : place.at, 0, NULL, NULL));
    if (!c->without_report) test_buffer_read(&place, &report);
    test_buffer_expect_unchanged(&next, links);
    test_buffer_expect_unchanged(&values, c->values);
    list_expect_report(expected, report, c->head, c->n);
    if (expected.fault == CLPRIMS_LIST_VALID) {
        test_buffer_read(&to, result);
        expect_result(c, expected.head, result);
        if (out != NULL) memcpy(out, result, c->n * out_bytes);
    } else {
        test_buffer_expect_unchanged(&to, NULL);
    }
    test_buffer_release(&next);
    test_buffer_release(&values);
    test_buffer_release(&to);
    test_buffer_release(&place);
    free(links);
    free(result);
    return report;
}
