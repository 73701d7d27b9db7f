/* SPDX-License-Identifier: MIT */
/* Selections whose number of elements stands in device memory, and chains of such runs. */
#include "fixtures/count_cases.h"
#include "fixtures/select_cases.h"

#include <stdlib.h>
#include <string.h>

typedef struct counted_case {
    const pass_way *way;
    bool partition; /* else with indices */
    bool in_place;
} counted_case;

static const pass_way chosen = {CLPRIMS_ALGORITHM_AUTO, NULL, "chosen"};

static size_t most_n(void) {
    return test_small() ? 300 : 9001;
}

static clprims_select_desc describe(const counted_case *c) {
    clprims_select_desc desc = select_describe(CLPRIMS_SELECT_PREDICATE, CLPRIMS_U32, 1, c->way);
    desc.indices = c->partition ? CLPRIMS_TYPE_DEFAULT : CLPRIMS_U32;
    desc.partition = c->partition;
    desc.max_n = most_n();
    return desc;
}

/* Returns how many of n are kept; *written gets how many elements of out are. */
static size_t twin(const counted_case *c, const uint32_t *in, size_t n, uint32_t *out,
                   uint32_t *indices, size_t *written) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (in[i] % 2 == 0) continue;
        indices[kept] = (uint32_t)i;
        out[kept++] = in[i];
    }
    *written = kept;
    for (size_t i = 0; i < n && c->partition; i++) {
        if (in[i] % 2 == 0) out[(*written)++] = in[i];
    }
    return kept;
}

/* What a run left, beside the twin and what stood there before. */
static void expect_run(const counted_case *c, const uint32_t *in, uint64_t n, const uint32_t *out,
                       const uint32_t *indices, uint64_t count) {
    const size_t max_n = most_n();
    uint32_t *wanted = c->in_place ? test_alloc(max_n, 4) : count_background(max_n, 4);
    uint32_t *places = count_background(max_n, 4);
    size_t written = 0;
    if (c->in_place) memcpy(wanted, in, 4 * max_n);
    const size_t kept = n > max_n ? 0 : twin(c, in, (size_t)n, wanted, places, &written);
    assert_true(count == (n > max_n ? CLPRIMS_SELECT_REFUSED : kept));
    expect_elements(wanted, out, max_n, 4);
    if (!c->partition) expect_elements(places, indices, max_n, 4);
    free(wanted);
    free(places);
}

static void run_counted(clprims_select *plan, const counted_case *c, const uint32_t *in,
                        uint64_t n) {
    const size_t max_n = most_n();
    uint32_t *before = count_background(max_n, 4), *out = test_alloc(max_n, 4),
             *places = test_alloc(max_n, 4);
    test_buffer from = test_buffer_create(in, max_n, 4, n % 3);
    test_buffer to = test_buffer_create(before, max_n, 4, n % 2);
    test_buffer indices = test_buffer_create(before, max_n, 4, n % 5);
    test_buffer count = test_buffer_create(NULL, 1, 8, 1);
    test_buffer number = test_buffer_create(&n, 1, 8, 3);
    clprims_select_buffers b = CLPRIMS_SELECT_BUFFERS_INIT;
    uint64_t found;
    b.in[0] = from.at;
    b.out[0] = c->in_place ? from.at : to.at;
    if (!c->partition) b.indices = indices.at;
    b.count = count.at;
    expect_ok(
        clprims_select_enqueue_counted(plan, test_queue(), &b, number.at, max_n, 0, NULL, NULL));
    test_buffer_read(&count, &found);
    test_buffer_read(c->in_place ? &from : &to, out);
    test_buffer_read(&indices, places);
    expect_run(c, in, n, out, places, found);
    test_buffer_expect_unchanged(&number, &n);
    if (!c->in_place) test_buffer_expect_unchanged(&from, in);
    test_buffer_release(&from);
    test_buffer_release(&to);
    test_buffer_release(&indices);
    test_buffer_release(&count);
    test_buffer_release(&number);
    free(before);
    free(out);
    free(places);
}

/* Plain and counted runs of one plan in turn. */
static void counted_is_right(const void *data) {
    const counted_case *c = data;
    const clprims_select_desc desc = describe(c);
    clprims_select *plan = select_plan(&desc);
    clprims_select_info info = CLPRIMS_SELECT_INFO_INIT;
    uint32_t *in = test_alloc(desc.max_n, 4), *out = test_alloc(desc.max_n, 4),
             *places = test_alloc(desc.max_n, 4);
    for (size_t i = 0; i < desc.max_n; i++) in[i] = (uint32_t)test_random();
    expect_ok(clprims_select_describe(plan, desc.max_n, &info));
    for (size_t k = 0; k < COUNT_CASES; k++) {
        const uint64_t n = count_case(k, info.tile, desc.max_n);
        test_note("n = %llu", (unsigned long long)n);
        run_counted(plan, c, in, n);
        if (n > desc.max_n) continue;
        clprims_select_arrays arrays = CLPRIMS_SELECT_ARRAYS_INIT;
        size_t count = 0, written = 0;
        uint32_t *wanted = test_alloc(desc.max_n, 4), *wanted_places = test_alloc(desc.max_n, 4);
        arrays.in[0] = in;
        arrays.out[0] = out;
        if (!c->partition) arrays.indices = places;
        expect_ok(clprims_select_run(plan, &arrays, (size_t)n, desc.max_n, &count));
        assert_int_equal(count, twin(c, in, (size_t)n, wanted, wanted_places, &written));
        expect_elements(wanted, out, written, 4);
        free(wanted);
        free(wanted_places);
    }
    free(in);
    free(out);
    free(places);
}

/* ---- Chains ---- */

/* A selection whose count is the number of elements of a scan, whose output is reduced. */
typedef struct chain {
    clprims_select *select;
    clprims_scan *scan;
    clprims_reduce *reduce;
    test_buffer in, kept, sums, total, count, number, scan_report, reduce_report;
} chain;

static chain make_chain(const uint32_t *in, size_t max_n) {
    const counted_case c = {.way = &chosen};
    const clprims_select_desc desc = describe(&c);
    clprims_scan_desc scan = CLPRIMS_SCAN_DESC_INIT;
    clprims_reduce_desc reduce = CLPRIMS_REDUCE_DESC_INIT;
    chain made = {.select = select_plan(&desc)};
    scan.type = CLPRIMS_U32;
    scan.inclusive = 1;
    reduce.type = CLPRIMS_U32;
    reduce.op = CLPRIMS_MAX;
    scan.max_n = reduce.max_n = max_n;
    expect_ok(clprims_scan_create(&made.scan, test_context(), &scan));
    expect_ok(clprims_reduce_create(&made.reduce, test_context(), &reduce));
    made.in = test_buffer_create(in, max_n, 4, 1);
    made.kept = test_buffer_create(NULL, max_n, 4, 2);
    made.sums = test_buffer_create(NULL, max_n, 4, 3);
    made.total = test_buffer_create(NULL, 1, 4, 1);
    made.count = test_buffer_create(NULL, 1, 8, 2);
    made.scan_report = test_buffer_create(NULL, 1, sizeof(clprims_scan_report), 1);
    made.reduce_report = test_buffer_create(NULL, 1, sizeof(clprims_reduce_report), 0);
    return made;
}

static void release_chain(chain *c) {
    test_buffer *const buffers[] = {&c->in,    &c->kept,        &c->sums,         &c->total,
                                    &c->count, &c->scan_report, &c->reduce_report};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) test_buffer_release(buffers[i]);
    clprims_scan_destroy(c->scan);
    clprims_reduce_destroy(c->reduce);
}

/* Nothing waits between the three. */
static void submit_chain(const chain *c, size_t max_n) {
    clprims_select_buffers b = CLPRIMS_SELECT_BUFFERS_INIT;
    test_buffer indices = test_buffer_create(NULL, max_n, 4, 0);
    b.in[0] = c->in.at;
    b.out[0] = c->kept.at;
    b.indices = indices.at;
    b.count = c->count.at;
    expect_ok(clprims_select_enqueue_counted(c->select, test_queue(), &b, c->number.at, max_n, 0,
                                             NULL, NULL));
    expect_ok(clprims_scan_enqueue_counted(c->scan, test_queue(), c->kept.at, c->sums.at,
                                           c->count.at, c->scan_report.at, 0, NULL, NULL));
    expect_ok(clprims_reduce_enqueue_counted(c->reduce, test_queue(), c->sums.at, c->total.at,
                                             c->count.at, c->reduce_report.at, 0, NULL, NULL));
    expect_cl(clFinish(test_queue()));
    test_buffer_release(&indices);
}

static void expect_chain(const chain *c, const uint32_t *in, uint64_t n, size_t max_n) {
    clprims_scan_report scanned;
    clprims_reduce_report reduced;
    uint64_t kept = 0, count;
    uint32_t sum = 0, most = 0, total;
    test_buffer_read(&c->count, &count);
    test_buffer_read(&c->scan_report, &scanned);
    test_buffer_read(&c->reduce_report, &reduced);
    test_buffer_read(&c->total, &total);
    if (n > max_n) {
        assert_true(count == CLPRIMS_SELECT_REFUSED);
        expect_failure(clprims_scan_check(&scanned), CLPRIMS_ERR_DATA, "scan: n = 18446744");
        expect_failure(clprims_reduce_check(&reduced), CLPRIMS_ERR_DATA, "reduce: n = 18446744");
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (in[i] % 2 == 0) continue;
        sum += in[i];
        if (sum > most) most = sum;
        kept++;
    }
    assert_true(count == kept);
    expect_ok(clprims_scan_check(&scanned));
    expect_ok(clprims_reduce_check(&reduced));
    assert_true((uint64_t)reduced.count == kept);
    assert_int_equal(total, most);
}

static void chains_are_right(const void *data) {
    const size_t max_n = most_n();
    uint32_t *in = test_alloc(max_n, 4);
    (void)data;
    for (size_t i = 0; i < max_n; i++) in[i] = (uint32_t)test_random();
    chain c = make_chain(in, max_n);
    for (size_t k = 0; k < COUNT_CASES; k++) {
        const uint64_t n = count_case(k, 64, max_n);
        test_note("n = %llu", (unsigned long long)n);
        c.number = test_buffer_create(&n, 1, 8, 1);
        submit_chain(&c, max_n);
        expect_chain(&c, in, n, max_n);
        test_buffer_release(&c.number);
    }
    release_chain(&c);
    free(in);
}

/* ---- Refusals ---- */

static void counted_is_refused(const void *data) {
    const counted_case c = {.way = &chosen};
    const clprims_select_desc desc = describe(&c);
    clprims_select *plan = select_plan(&desc);
    const clprims_buffer none = {NULL, 0};
    clprims_select_buffers b = CLPRIMS_SELECT_BUFFERS_INIT;
    cl_command_queue queue = test_queue();
    test_buffer in = test_buffer_create(NULL, desc.max_n, 4, 0);
    test_buffer out = test_buffer_create(NULL, desc.max_n, 4, 0);
    test_buffer indices = test_buffer_create(NULL, desc.max_n, 4, 0);
    test_buffer count = test_buffer_create(NULL, 2, 8, 0);
    const clprims_buffer number = {count.at.mem, 1};
    (void)data;
    b.in[0] = in.at;
    b.out[0] = out.at;
    b.indices = indices.at;
    b.count = count.at;
    expect_failure(clprims_select_enqueue_counted(NULL, queue, &b, number, 4, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    expect_failure(clprims_select_enqueue_counted(plan, NULL, &b, number, 4, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "queue is NULL");
    expect_failure(clprims_select_enqueue_counted(plan, queue, NULL, number, 4, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "buffers is NULL");
    expect_failure(clprims_select_enqueue_counted(plan, queue, &b, none, 4, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "n.mem is NULL");
    expect_failure(clprims_select_enqueue_counted(plan, queue, &b, count.at, 4, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "n (first = 0, n = 1) overlaps count");
    expect_failure(clprims_select_enqueue_counted(plan, queue, &b, out.at, 4, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "overlaps out[0]");
    b.in[0] = count.at;
    expect_failure(clprims_select_enqueue_counted(plan, queue, &b, number, 4, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "in[0] has room for");
    test_buffer_release(&in);
    test_buffer_release(&out);
    test_buffer_release(&indices);
    test_buffer_release(&count);
}

void add_counted_cases(test_cases *cases) {
    size_t count;
    const pass_way *ways = pass_ways(&count);
    for (size_t w = 0; w < count; w++) {
        const bool places = pass_is_in_place(ways[w].algorithm);
        for (int partition = 0; partition < (w % 2 == 0 ? 2 : 1); partition++) {
            const counted_case c = {&ways[w], partition, places && !partition && w % 2 == 1};
            test_add(cases, counted_is_right, &c, sizeof c, "select/counted/%s%s%s", ways[w].name,
                     c.partition ? "/partition" : "", c.in_place ? "/in-place" : "");
        }
    }
    test_add(cases, chains_are_right, NULL, 0, "select/counted/chain");
    test_add(cases, counted_is_refused, NULL, 0, "select/counted/refusals");
}
