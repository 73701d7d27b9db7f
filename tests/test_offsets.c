/* SPDX-License-Identifier: MIT */
/* Offsets beside their definition: every type, way, size and place, faults at every kind of place.
 */
#include "oracle.h"
#include "passes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The twin: the definition, in plain C --------------------------------------------------- */

/* An integer of any type as its two's complement in 64 bits; sign-extended if signed. */
static uint64_t integer_at(clprims_type type, const void *values, size_t i) {
    switch (type) {
    case CLPRIMS_I8:
        return (uint64_t)((const int8_t *)values)[i];
    case CLPRIMS_I16:
        return (uint64_t)((const int16_t *)values)[i];
    case CLPRIMS_I32:
        return (uint64_t)((const int32_t *)values)[i];
    case CLPRIMS_U8:
        return ((const uint8_t *)values)[i];
    case CLPRIMS_U16:
        return ((const uint16_t *)values)[i];
    case CLPRIMS_U32:
        return ((const uint32_t *)values)[i];
    default:
        return ((const uint64_t *)values)[i];
    }
}

static bool is_less(clprims_type type, uint64_t a, uint64_t b) {
    return type <= CLPRIMS_I64 ? (int64_t)a < (int64_t)b : a < b;
}

/* starts may be NULL: all 0. Writes the offsets up to the first fault, and the report. */
static clprims_offsets_report define(clprims_type type, const void *starts, const void *stops,
                                     int64_t *offsets, size_t n) {
    clprims_offsets_report report = {CLPRIMS_OFFSETS_VALID, -1, 0};
    offsets[0] = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t start = starts == NULL ? 0 : integer_at(type, starts, i);
        const uint64_t stop = integer_at(type, stops, i);
        const uint64_t length = stop - start;
        const bool backward = is_less(type, stop, start);
        report.total = offsets[i];
        if (backward || length > (uint64_t)(INT64_MAX - offsets[i])) {
            report.fault = backward ? CLPRIMS_OFFSETS_INTERVAL : CLPRIMS_OFFSETS_TOTAL;
            report.index = (int64_t)i;
            return report;
        }
        offsets[i + 1] = offsets[i] + (int64_t)length;
    }
    report.total = offsets[n];
    return report;
}

/* ---- Data ----------------------------------------------------------------------------------- */

static void put_integer(clprims_type type, void *values, size_t i, uint64_t value) {
    const size_t bytes = clprims_type_bytes(type);
    memcpy((char *)values + i * bytes, &value, bytes); /* the low bytes come first */
}

/* Intervals all over the type's range, stop never below start. */
static void fill_intervals(clprims_type type, void *starts, void *stops, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint64_t a = test_random(), b = test_random();
        if (clprims_type_bytes(type) == 8) a >>= 24, b >>= 24; /* their sum stays below 2^63 */
        put_integer(type, starts, i, a);
        put_integer(type, stops, i, b);
        a = integer_at(type, starts, i);
        b = integer_at(type, stops, i);
        if (!is_less(type, b, a)) continue;
        put_integer(type, starts, i, b);
        put_integer(type, stops, i, a);
    }
}

static void fill_counts(clprims_type type, void *counts, size_t n) {
    for (size_t i = 0; i < n; i++) put_integer(type, counts, i, test_random_below(100));
}

/* ---- Cases ---------------------------------------------------------------------------------- */

typedef struct offsets_case {
    clprims_offsets_desc desc;
    size_t n;
    size_t starts_first, stops_first, out_first;
    bool by_run;
    /* Faults: at each of these indices unless they are n or more; a total that is too large too. */
    size_t bad[3];
    uint64_t huge; /* length of interval bad[0] in place of a fault, if not 0 */
} offsets_case;

static struct {
    clprims_offsets_desc desc;
    clprims_offsets *plan;
} kept;

static void forget_plan(void) {
    clprims_offsets_destroy(kept.plan);
    kept.plan = NULL;
}

static clprims_offsets *plan_of(const clprims_offsets_desc *desc) {
    if (kept.plan != NULL && memcmp(&kept.desc, desc, sizeof *desc) == 0) return kept.plan;
    forget_plan();
    expect_ok(clprims_offsets_create(&kept.plan, test_context(), desc));
    memcpy(&kept.desc, desc, sizeof *desc);
    return kept.plan;
}

static void spoil(const offsets_case *c, void *starts, void *stops) {
    for (size_t k = 0; k < 3; k++) {
        if (c->bad[k] >= c->n) continue;
        const bool huge = k == 0 && c->huge != 0;
        if (!c->desc.counts) put_integer(c->desc.type, starts, c->bad[k], huge ? 0 : 2);
        put_integer(c->desc.type, stops, c->bad[k],
                    huge             ? c->huge
                    : c->desc.counts ? (uint64_t)-1
                                     : 1);
    }
}

static void check_by_run(const offsets_case *c, const void *starts, const void *stops,
                         const clprims_offsets_report *expected, const int64_t *offsets) {
    test_array out = test_array_create(NULL, c->n + 1, sizeof *offsets);
    int64_t *before = test_alloc(c->n + 1, sizeof *before);
    memcpy(before, out.values, (c->n + 1) * sizeof *before);
    const void *from = c->desc.counts ? NULL : starts;
    char part[64];
    snprintf(part, sizeof part, "at i = %lld", (long long)expected->index);
    if (expected->fault == CLPRIMS_OFFSETS_VALID) {
        expect_ok(clprims_offsets_run(plan_of(&c->desc), from, stops, out.values, c->n));
        expect_elements(offsets, out.values, c->n + 1, sizeof *offsets);
    } else {
        expect_failure(clprims_offsets_run(plan_of(&c->desc), from, stops, out.values, c->n),
                       CLPRIMS_ERR_DATA, part);
        expect_elements(before, out.values, c->n + 1, sizeof *offsets);
    }
    test_array_expect_guards(&out);
    test_array_free(&out);
    free(before);
}

static void check_on_device(const offsets_case *c, const void *starts, const void *stops,
                            const clprims_offsets_report *expected, const int64_t *offsets) {
    const size_t bytes = clprims_type_bytes(c->desc.type);
    test_buffer from = {.n = 0};
    if (!c->desc.counts) from = test_buffer_create(starts, c->n, bytes, c->starts_first);
    test_buffer with = test_buffer_create(stops, c->n, bytes, c->stops_first);
    test_buffer to = test_buffer_create(NULL, c->n + 1, sizeof *offsets, c->out_first);
    test_buffer said = test_buffer_create(NULL, 1, sizeof *expected, 1);
    int64_t *out = test_alloc(c->n + 1, sizeof *out);
    clprims_offsets_report report;
    expect_ok(clprims_offsets_enqueue(plan_of(&c->desc), test_queue(), from.at, with.at, to.at,
                                      c->n, said.at, 0, NULL, NULL));
    test_buffer_read(&to, out);
    test_buffer_read(&said, &report);
    expect_elements(expected, &report, 1, sizeof report);
    const bool valid = report.fault == CLPRIMS_OFFSETS_VALID;
    expect_elements(offsets, out, valid ? c->n + 1 : (size_t)report.index + 1, sizeof *out);
    if (!c->desc.counts) test_buffer_expect_unchanged(&from, starts);
    test_buffer_expect_unchanged(&with, stops);
    if (!c->desc.counts) test_buffer_release(&from);
    test_buffer_release(&with);
    test_buffer_release(&to);
    test_buffer_release(&said);
    free(out);
}

static void offsets_are_right(const void *data) {
    const offsets_case *c = data;
    const size_t bytes = clprims_type_bytes(c->desc.type);
    void *starts = test_alloc(c->n, bytes), *stops = test_alloc(c->n, bytes);
    int64_t *offsets = test_alloc(c->n + 1, sizeof *offsets);
    if (c->desc.counts) {
        fill_counts(c->desc.type, stops, c->n);
    } else {
        fill_intervals(c->desc.type, starts, stops, c->n);
    }
    spoil(c, starts, stops);
    const clprims_offsets_report expected =
        define(c->desc.type, c->desc.counts ? NULL : starts, stops, offsets, c->n);
    (c->by_run ? check_by_run : check_on_device)(c, starts, stops, &expected, offsets);
    free(starts);
    free(stops);
    free(offsets);
}

static offsets_case describe(clprims_type type, bool counts, const pass_way *way, size_t n) {
    offsets_case c = {.n = n, .bad = {SIZE_MAX, SIZE_MAX, SIZE_MAX}};
    c.desc = (clprims_offsets_desc)CLPRIMS_OFFSETS_DESC_INIT;
    c.desc.type = type;
    c.desc.counts = counts;
    c.desc.max_n = 1 << 20;
    c.desc.algorithm = way->algorithm;
    c.desc.tuning = way->tuning;
    return c;
}

static void add_case(test_cases *cases, const offsets_case *c, const char *way, const char *extra) {
    test_add(cases, offsets_are_right, c, sizeof *c, "offsets/%s/%s/n=%zu/%s%s",
             clprims_type_name(c->desc.type), c->desc.counts ? "counts" : "intervals", c->n, way,
             extra);
}

static void add_sizes(test_cases *cases, const pass_way *way) {
    static const size_t sizes[] = {0,   1,   2,   3,    15,   16,   17,   31,    32,   33,
                                   63,  64,  65,  127,  128,  129,  255,  256,   257,  511,
                                   512, 513, 767, 1023, 1024, 1025, 4095, 16384, 65537};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (test_small() && sizes[i] > 300) continue;
        for (int counts = 0; counts < 2; counts++) {
            const offsets_case c = describe(CLPRIMS_U32, counts, way, sizes[i]);
            add_case(cases, &c, way->name, "");
        }
    }
}

static void add_types(test_cases *cases, const pass_way *way) {
    for (int type = CLPRIMS_I8; type <= CLPRIMS_U64; type++) {
        for (int counts = 0; counts < 2; counts++) {
            offsets_case c = describe((clprims_type)type, counts, way, test_small() ? 100 : 3001);
            c.starts_first = (size_t)type % 3;
            c.stops_first = (size_t)type % 5;
            c.out_first = (size_t)type % 2;
            add_case(cases, &c, way->name, "/first");
            c.by_run = true;
            add_case(cases, &c, way->name, "/run");
        }
    }
}

/* Faults at the first place, the last, around a tile's end, and at several places. */
static void add_faults(test_cases *cases, const pass_way *way) {
    static const size_t places[][3] = {
        {0, SIZE_MAX, SIZE_MAX}, {30, 31, 29},    {SIZE_MAX, 63, 64}, {65, 200, SIZE_MAX},
        {240, 120, 239},         {511, 512, 700}, {2500, 999, 2400},  {2999, SIZE_MAX, SIZE_MAX}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        for (int type = CLPRIMS_I32; type <= CLPRIMS_I64; type++) {
            offsets_case c = describe((clprims_type)type, i % 2, way, test_small() ? 241 : 3000);
            char extra[64];
            memcpy(c.bad, places[i], sizeof c.bad);
            snprintf(extra, sizeof extra, "/bad=%zu", i);
            add_case(cases, &c, way->name, extra);
            c.by_run = true;
            snprintf(extra, sizeof extra, "/bad=%zu/run", i);
            add_case(cases, &c, way->name, extra);
        }
    }
}

/* Sums at and beyond 2^63 - 1. */
static void add_totals(test_cases *cases, const pass_way *way) {
    static const struct {
        size_t at;
        clprims_type type;
        uint64_t huge;
    } totals[] = {
        {0, CLPRIMS_I64, INT64_MAX},         {97, CLPRIMS_I64, INT64_MAX},
        {150, CLPRIMS_I64, INT64_MAX - 5},   {150, CLPRIMS_U64, UINT64_MAX},
        {0, CLPRIMS_U64, (uint64_t)1 << 63}, {199, CLPRIMS_U64, (uint64_t)INT64_MAX - 1000000}};
    for (size_t i = 0; i < sizeof totals / sizeof totals[0]; i++) {
        offsets_case c = describe(totals[i].type, true, way, 200);
        char extra[64];
        c.bad[0] = totals[i].at;
        c.huge = totals[i].huge;
        snprintf(extra, sizeof extra, "/total=%zu", i);
        add_case(cases, &c, way->name, extra);
        c.by_run = true;
        snprintf(extra, sizeof extra, "/total=%zu/run", i);
        add_case(cases, &c, way->name, extra);
    }
}

/* The shapes that the library chooses, and beyond the reach of 32 bits. */
static void add_defaults(test_cases *cases) {
    static const pass_way chosen = {CLPRIMS_SCAN_AUTO, NULL, "chosen"};
    for (int type = CLPRIMS_I8; type <= CLPRIMS_U64; type++) {
        const offsets_case c =
            describe((clprims_type)type, type % 2, &chosen, test_small() ? 100 : 1000003);
        add_case(cases, &c, "chosen", "");
    }
}

/* ---- Refusals ------------------------------------------------------------------------------- */

static void create_refuses(const void *data) {
    (void)data;
    clprims_offsets *plan = NULL;
    clprims_offsets_desc desc = CLPRIMS_OFFSETS_DESC_INIT;
    expect_failure(clprims_offsets_create(NULL, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "out is NULL");
    expect_failure(clprims_offsets_create(&plan, NULL, &desc), CLPRIMS_ERR_ARGUMENT,
                   "context is NULL");
    expect_failure(clprims_offsets_create(&plan, test_context(), NULL), CLPRIMS_ERR_ARGUMENT,
                   "desc is NULL");
    expect_failure(clprims_offsets_create(&plan, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "type = 0");
    desc.type = CLPRIMS_F32;
    expect_failure(clprims_offsets_create(&plan, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "(float32) is no integer type");
    desc.type = CLPRIMS_I32;
    expect_failure(clprims_offsets_create(&plan, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "max_n = 0");
    desc.max_n = SIZE_MAX / 8;
    expect_failure(clprims_offsets_create(&plan, test_context(), &desc), CLPRIMS_ERR_TOO_LARGE,
                   "max_n = ");
    desc.max_n = 8;
    desc.algorithm = CLPRIMS_SCAN_REDUCE_THEN_SCAN;
    expect_failure(clprims_offsets_create(&plan, test_context(), &desc), CLPRIMS_ERR_UNSUPPORTED,
                   "reduce-then-scan");
    desc.algorithm = (clprims_scan_algorithm)77;
    expect_failure(clprims_offsets_create(&plan, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "algorithm = 77");
    desc.algorithm = CLPRIMS_SCAN_AUTO;
    desc.tuning = "LEGS=4";
    expect_failure(clprims_offsets_create(&plan, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "LEGS");
    desc.struct_size = 3;
    expect_failure(clprims_offsets_create(&plan, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "struct_size = 3");
    if (plan != NULL) test_fail("a refused create left a plan");
    clprims_offsets_destroy(NULL);
}

static void enqueue_refuses(const void *data) {
    (void)data;
    static const clprims_buffer none = {NULL, 0};
    offsets_case c = describe(CLPRIMS_I32, false, &(pass_way){CLPRIMS_SCAN_AUTO, NULL, ""}, 8);
    c.desc.max_n = 8;
    clprims_offsets *plan = plan_of(&c.desc);
    cl_command_queue queue = test_queue();
    int32_t zeros[8] = {0};
    test_buffer in = test_buffer_create(zeros, 8, sizeof(int32_t), 0);
    test_buffer out = test_buffer_create(NULL, 9, sizeof(int64_t), 0);
    const clprims_buffer beyond = {out.at.mem, 1000};
    expect_failure(
        clprims_offsets_enqueue(NULL, queue, in.at, in.at, out.at, 8, none, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    expect_failure(
        clprims_offsets_enqueue(plan, NULL, in.at, in.at, out.at, 8, none, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "queue is NULL");
    expect_failure(
        clprims_offsets_enqueue(plan, queue, in.at, in.at, out.at, 9, none, 0, NULL, NULL),
        CLPRIMS_ERR_TOO_LARGE, "n = 9 exceeds max_n = 8");
    expect_failure(
        clprims_offsets_enqueue(plan, queue, none, in.at, out.at, 8, none, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "starts.mem is NULL");
    expect_failure(
        clprims_offsets_enqueue(plan, queue, in.at, none, out.at, 8, none, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "stops.mem is NULL");
    expect_failure(clprims_offsets_enqueue(plan, queue, in.at, in.at, none, 8, none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "offsets.mem is NULL");
    expect_failure(
        clprims_offsets_enqueue(plan, queue, in.at, in.at, beyond, 8, none, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "first = 1000");
    expect_failure(
        clprims_offsets_enqueue(plan, queue, in.at, in.at, out.at, 8, beyond, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "report has room");
    expect_failure(
        clprims_offsets_enqueue(plan, queue, out.at, in.at, out.at, 8, none, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "starts (first = 0) overlaps offsets");
    expect_ok(clprims_offsets_enqueue(plan, queue, in.at, in.at, out.at, 8, none, 0, NULL, NULL));
    expect_cl(clFinish(queue));
    test_buffer_release(&in);
    test_buffer_release(&out);
}

static void run_refuses(const void *data) {
    (void)data;
    int64_t out[3] = {0};
    const int32_t in[2] = {0};
    offsets_case c = describe(CLPRIMS_I32, false, &(pass_way){CLPRIMS_SCAN_AUTO, NULL, ""}, 2);
    clprims_offsets_report report = {9, 0, 0};
    expect_failure(clprims_offsets_run(NULL, in, in, out, 2), CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    expect_failure(clprims_offsets_run(plan_of(&c.desc), NULL, in, out, 2), CLPRIMS_ERR_ARGUMENT,
                   "starts is NULL");
    expect_failure(clprims_offsets_run(plan_of(&c.desc), in, NULL, out, 2), CLPRIMS_ERR_ARGUMENT,
                   "stops is NULL");
    expect_failure(clprims_offsets_run(plan_of(&c.desc), in, in, NULL, 2), CLPRIMS_ERR_ARGUMENT,
                   "offsets is NULL");
    c.desc.counts = 1;
    expect_failure(clprims_offsets_run(plan_of(&c.desc), in, in, out, 2), CLPRIMS_ERR_ARGUMENT,
                   "the plan takes counts");
    expect_failure(clprims_offsets_check(NULL), CLPRIMS_ERR_ARGUMENT, "report is NULL");
    expect_failure(clprims_offsets_check(&report), CLPRIMS_ERR_ARGUMENT, "report.fault = 9");
}

static void add_all(test_cases *cases) {
    size_t count;
    const pass_way *ways = pass_ways(&count);
    for (size_t w = 0; w < count; w++) {
        add_sizes(cases, &ways[w]);
        add_types(cases, &ways[w]);
        add_faults(cases, &ways[w]);
        add_totals(cases, &ways[w]);
    }
    add_defaults(cases);
    test_add(cases, create_refuses, NULL, 0, "offsets/refusals/create");
    test_add(cases, enqueue_refuses, NULL, 0, "offsets/refusals/enqueue");
    test_add(cases, run_refuses, NULL, 0, "offsets/refusals/run");
}

int main(int argc, char **argv) {
    const int result = test_main(argc, argv, add_all);
    forget_plan();
    return result;
}
