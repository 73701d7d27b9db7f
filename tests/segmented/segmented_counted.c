/* SPDX-License-Identifier: MIT */
/* Runs whose numbers stand in device memory give what plain runs of these numbers give, bit by bit
 * (test_segmented.c compares those with their twin), and nothing where a number is too large. */
#include "fixtures/count_cases.h"
#include "segmented/segmented_tries.h"

#include <stdlib.h>
#include <string.h>

static size_t most_n(void) {
    return test_small() ? 90 : 1500;
}

typedef struct counted_case {
    clprims_segmented_desc desc;
    bool counts_n, counts_segments;
} counted_case;

/* ---- What a run is given ---- */

enum { BUFFERS = 8, IN = 0, HEADS, OUT, KEYS, COUNT, REPORT, N, SEGMENTS };

typedef struct counted_run {
    const counted_case *c;
    test_segments segments; /* of n elements, as the plain run has them */
    uint64_t n, count; /* as they stand in device memory */
    bool refused;
    size_t capacity; /* of a reduction by keys or flags; else segments */
    void *values[BUFFERS];
    test_buffer buffer[BUFFERS];
} counted_run;

static bool by_offsets(const clprims_segmented_desc *desc) {
    return desc->by == CLPRIMS_SEGMENTS_OFFSETS;
}

/* Room for the largest numbers. Behind those of the run stand offsets that fall, or random heads.
 */
static void make_heads(counted_run *run) {
    const clprims_segmented_desc *desc = &run->c->desc;
    const size_t bytes = segmented_head_bytes(desc);
    const bool bits = desc->by == CLPRIMS_SEGMENTS_BITS;
    const size_t room = by_offsets(desc) ? desc->max_segments + 1
                        : bits           ? (desc->max_n + 7) / 8
                                         : desc->max_n;
    size_t own;
    unsigned char *heads = test_alloc(room, bytes);
    void *few = segmented_heads(desc, &run->segments, 0, &own);
    for (size_t i = 0; i < room * bytes; i++) heads[i] = (unsigned char)test_random();
    memcpy(heads, few, own * bytes);
    const uint64_t last = (uint64_t)run->segments.offsets[run->segments.count];
    for (size_t k = own; by_offsets(desc) && k < room; k++) {
        test_store_integer(bytes, heads, k, run->c->counts_segments ? k % 3 : last);
    }
    free(few);
    run->values[HEADS] = heads;
    run->buffer[HEADS] = test_buffer_create(heads, room, bytes, 0);
}

static size_t outputs_of(const counted_run *run) {
    const clprims_segmented_desc *desc = &run->c->desc;
    if (desc->result != CLPRIMS_SEGMENTED_REDUCE) return desc->max_n;
    return by_offsets(desc) ? desc->max_segments : run->capacity;
}

static void make_outputs(counted_run *run) {
    const clprims_segmented_desc *desc = &run->c->desc;
    const size_t outputs = outputs_of(run), bytes = segmented_out_bytes(desc);
    const size_t head_bytes = segmented_head_bytes(desc);
    run->values[OUT] = count_background(outputs, bytes);
    run->values[KEYS] = count_background(run->capacity, head_bytes);
    run->buffer[OUT] = test_buffer_create(run->values[OUT], outputs, bytes, 1);
    run->buffer[KEYS] = test_buffer_create(run->values[KEYS], run->capacity, head_bytes, 2);
    run->buffer[COUNT] = test_buffer_create(NULL, 1, 8, 1);
    run->buffer[REPORT] = test_buffer_create(NULL, 1, sizeof(clprims_segmented_report), 1);
}

/* Numbers of every kind: k < COUNT_CASES. */
static counted_run make_run(const counted_case *c, size_t k) {
    const size_t max_n = c->desc.max_n, max_segments = c->desc.max_segments;
    const uint64_t too_many[] = {max_segments + 1, UINT64_MAX, (uint64_t)1 << 63};
    counted_run run = {.c = c, .n = max_n};
    if (c->counts_n) run.n = count_case(k, 8, max_n);
    run.refused = run.n > max_n;
    const size_t n = run.refused ? max_n : (size_t)run.n;
    const segments_shape shape = (segments_shape)(k % (by_offsets(&c->desc) ? 6 : 4));
    run.segments = segments_make(shape, n, !by_offsets(&c->desc));
    run.count = run.segments.count;
    if (c->counts_segments && k % 4 == 3) {
        run.count = too_many[k % 3];
        run.refused = true;
    }
    run.capacity = by_offsets(&c->desc) ? max_segments : run.segments.count + 3 - k % 5;
    if (run.segments.count + 3 < k % 5) run.capacity = 0;
    float *in = test_alloc(max_n, sizeof *in);
    test_random_unit(CLPRIMS_F32, in, max_n);
    run.values[IN] = in;
    run.buffer[IN] = test_buffer_create(in, max_n, sizeof *in, 3);
    make_heads(&run);
    make_outputs(&run);
    run.buffer[N] = test_buffer_create(&run.n, 1, 8, 2);
    run.buffer[SEGMENTS] = test_buffer_create(&run.count, 1, 8, 1);
    return run;
}

static void free_run(counted_run *run) {
    for (size_t i = 0; i < BUFFERS; i++) {
        free(run->values[i]);
        test_buffer_release(&run->buffer[i]);
    }
    segments_free(&run->segments);
}

static clprims_segmented_buffers buffers_of(const counted_run *run) {
    clprims_segmented_buffers b = CLPRIMS_SEGMENTED_BUFFERS_INIT;
    b.in = run->buffer[IN].at;
    b.heads = run->buffer[HEADS].at;
    b.out = run->buffer[OUT].at;
    b.keys = run->buffer[KEYS].at;
    b.count = run->buffer[COUNT].at;
    b.report = run->buffer[REPORT].at;
    return b;
}

/* ---- Comparing ---- */

/* What a run has written. */
typedef struct written {
    void *out, *keys;
    uint64_t count;
    clprims_segmented_report report;
} written;

static written read_run(const counted_run *run) {
    const clprims_segmented_desc *desc = &run->c->desc;
    written w = {.out = test_alloc(outputs_of(run), segmented_out_bytes(desc)),
                 .keys = test_alloc(run->capacity, segmented_head_bytes(desc))};
    test_buffer_read(&run->buffer[OUT], w.out);
    test_buffer_read(&run->buffer[KEYS], w.keys);
    test_buffer_read(&run->buffer[COUNT], &w.count);
    test_buffer_read(&run->buffer[REPORT], &w.report);
    return w;
}

static void free_written(written *w) {
    free(w->out);
    free(w->keys);
}

static void expect_alike(const counted_run *run, const written *plain, const written *counted) {
    const clprims_segmented_desc *desc = &run->c->desc;
    expect_elements(plain->out, counted->out, outputs_of(run), segmented_out_bytes(desc));
    expect_elements(plain->keys, counted->keys, run->capacity, segmented_head_bytes(desc));
    assert_true(plain->count == counted->count);
    assert_memory_equal(&plain->report, &counted->report, sizeof plain->report);
    assert_int_equal(counted->report.fault, CLPRIMS_SEGMENTED_VALID);
}

static void expect_refused(const counted_run *run, const written *w) {
    const clprims_segmented_desc *desc = &run->c->desc;
    const bool counts = desc->result == CLPRIMS_SEGMENTED_REDUCE && !by_offsets(desc);
    const bool by_n = run->n > desc->max_n;
    count_expect_background(w->out, 0, outputs_of(run), segmented_out_bytes(desc));
    count_expect_background(w->keys, 0, run->capacity, segmented_head_bytes(desc));
    if (counts) assert_true(w->count == CLPRIMS_SEGMENTED_REFUSED);
    assert_int_equal(w->report.fault, by_n ? CLPRIMS_SEGMENTED_COUNT : CLPRIMS_SEGMENTED_SEGMENTS);
    assert_true((uint64_t)w->report.index == (by_n ? run->n : run->count));
    assert_int_equal(w->report.segments, -1);
    expect_failure(clprims_segmented_check(&w->report), CLPRIMS_ERR_DATA,
                   by_n ? "exceeds max_n" : "exceeds max_segments");
}

static void run_plain(clprims_segmented *plan, const counted_run *run) {
    const clprims_segmented_desc *desc = &run->c->desc;
    const bool pads = by_offsets(desc) && !run->c->counts_segments;
    const size_t segments = pads               ? desc->max_segments
                            : by_offsets(desc) ? run->segments.count
                                               : run->capacity;
    const clprims_segmented_buffers b = buffers_of(run);
    expect_ok(clprims_segmented_enqueue(plan, test_queue(), &b, run->segments.n, segments, 0, NULL,
                                        NULL));
}

static void run_counted(clprims_segmented *plan, const counted_run *run) {
    const clprims_buffer none = {NULL, 0};
    const clprims_segmented_buffers b = buffers_of(run);
    expect_ok(clprims_segmented_enqueue_counted(
        plan, test_queue(), &b, run->c->counts_n ? run->buffer[N].at : none,
        run->c->counts_segments ? run->buffer[SEGMENTS].at : none, run->capacity, 0, NULL, NULL));
    test_buffer_expect_unchanged(&run->buffer[N], &run->n);
    test_buffer_expect_unchanged(&run->buffer[SEGMENTS], &run->count);
    test_buffer_expect_unchanged(&run->buffer[IN], run->values[IN]);
    test_buffer_expect_unchanged(&run->buffer[HEADS], run->values[HEADS]);
}

/* Plain, counted and refused runs of one plan follow one another. */
static void counted_is_as_plain(const void *data) {
    const counted_case *c = data;
    clprims_segmented *plan = segmented_plan(&c->desc);
    for (size_t k = 0; k < COUNT_CASES; k++) {
        counted_run run = make_run(c, k);
        test_note("k = %zu, n = %llu, segments = %llu", k, (unsigned long long)run.n,
                  (unsigned long long)run.count);
        run_counted(plan, &run);
        written counted = read_run(&run);
        if (run.refused) {
            expect_refused(&run, &counted);
        } else {
            test_buffer_release(&run.buffer[OUT]);
            test_buffer_release(&run.buffer[KEYS]);
            test_buffer_release(&run.buffer[COUNT]);
            test_buffer_release(&run.buffer[REPORT]);
            free(run.values[OUT]);
            free(run.values[KEYS]);
            make_outputs(&run);
            run_plain(plan, &run);
            written plain = read_run(&run);
            expect_alike(&run, &plain, &counted);
            free_written(&plain);
        }
        free_written(&counted);
        free_run(&run);
    }
}

/* ---- Counts beside offsets ---- */

/* The last offset is compared with the number that was read, not with max_n. */
static void offsets_end_at_the_count(const void *data) {
    const counted_case *c = data;
    clprims_segmented *plan = segmented_plan(&c->desc);
    counted_run run = make_run(c, 0);
    const uint64_t fewer = run.n - 7, segments = 4;
    const int64_t offsets[] = {1, 3, (int64_t)fewer, (int64_t)fewer, (int64_t)fewer + 1};
    test_buffer heads = test_buffer_create(offsets, 5, 8, 1);
    test_buffer n = test_buffer_create(&fewer, 1, 8, 0),
                count = test_buffer_create(&segments, 1, 8, 0);
    test_buffer wide = test_buffer_create(NULL, c->desc.max_segments + 1, 8, 0);
    clprims_segmented_buffers b = buffers_of(&run);
    b.heads = wide.at;
    for (int k = 0; k < 2; k++) {
        const int64_t index = k == 0 ? 4 : -1;
        const uint64_t most = fewer + (uint64_t)k;
        expect_cl(clEnqueueCopyBuffer(test_queue(), heads.at.mem, wide.at.mem, 8, 0, sizeof offsets,
                                      0, NULL, NULL));
        expect_cl(clEnqueueWriteBuffer(test_queue(), n.at.mem, CL_TRUE, n.at.first * 8, 8, &most, 0,
                                       NULL, NULL));
        expect_ok(clprims_segmented_enqueue_counted(plan, test_queue(), &b, n.at, count.at, 0, 0,
                                                    NULL, NULL));
        const written w = read_run(&run);
        assert_int_equal(w.report.index, index);
        assert_int_equal(w.report.fault,
                         k == 0 ? CLPRIMS_SEGMENTED_OFFSETS : CLPRIMS_SEGMENTED_VALID);
        assert_int_equal(w.report.segments, 4);
        free(w.out);
        free(w.keys);
    }
    test_buffer *const all[] = {&heads, &n, &count, &wide};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) test_buffer_release(all[i]);
    free_run(&run);
}

/* ---- Bad input ---- */

static void counted_is_refused(const void *data) {
    const counted_case *c = data;
    const clprims_buffer none = {NULL, 0};
    clprims_segmented *plan = segmented_plan(&c->desc);
    cl_command_queue queue = test_queue();
    counted_run run = make_run(c, 0);
    clprims_segmented_buffers b = buffers_of(&run);
    const clprims_buffer n = run.buffer[N].at, segments = run.buffer[SEGMENTS].at;
    const clprims_buffer far = {n.mem, 1 << 20};
    const clprims_buffer report = {b.report.mem, 3 * b.report.first}; /* as uint64 */
    const bool offsets = by_offsets(&c->desc);
#define REFUSED(plan, queue, buffers, n, segments, part)                                           \
    expect_failure(clprims_segmented_enqueue_counted(plan, queue, buffers, n, segments,            \
                                                     run.capacity, 0, NULL, NULL),                 \
                   CLPRIMS_ERR_ARGUMENT, part)
    REFUSED(NULL, queue, &b, n, none, "segmented: plan is NULL");
    REFUSED(plan, NULL, &b, n, none, "segmented: queue is NULL");
    REFUSED(plan, queue, NULL, n, none, "segmented: buffers is NULL");
    REFUSED(plan, queue, &b, none, none, "segmented: n.mem is NULL");
    REFUSED(plan, queue, &b, far, none, "segmented: n has room");
    REFUSED(plan, queue, &b, report, none, "segmented: report (first = 1, n = 1) overlaps n");
    if (offsets) {
        const clprims_buffer far_segments = {segments.mem, 1 << 20};
        REFUSED(plan, queue, &b, n, far_segments, "segmented: segments has room");
        REFUSED(plan, queue, &b, n, report, "report (first = 1, n = 1) overlaps segments");
        b.heads = n;
        REFUSED(plan, queue, &b, none, segments, "heads has room");
    } else {
        REFUSED(plan, queue, &b, n, segments, "segments.mem is not NULL, but by = 1");
        b.count = n;
        REFUSED(plan, queue, &b, n, none, "n (first = 2, n = 1) overlaps count");
        b = buffers_of(&run);
        b.in = n;
        REFUSED(plan, queue, &b, n, none, "in has room");
    }
    for (size_t i = 0; i < BUFFERS; i++) {
        const bool is_made = i < N && run.values[i] != NULL;
        const void *own = i == N ? &run.n : i == SEGMENTS ? &run.count : NULL;
        test_buffer_expect_unchanged(&run.buffer[i], is_made ? run.values[i] : own);
    }
    free_run(&run);
}

/* ---- Cases ---- */

static counted_case describe(clprims_segmented_result result, clprims_segments_by by,
                             const char *tuning) {
    counted_case c = {.desc = CLPRIMS_SEGMENTED_DESC_INIT, .counts_n = true};
    c.desc.result = result;
    c.desc.by = by;
    if (by == CLPRIMS_SEGMENTS_KEYS) c.desc.heads_type = CLPRIMS_U32;
    c.desc.unique_keys = by == CLPRIMS_SEGMENTS_KEYS && result == CLPRIMS_SEGMENTED_REDUCE;
    c.desc.type = CLPRIMS_F32;
    c.desc.max_n = most_n();
    c.desc.max_segments = by == CLPRIMS_SEGMENTS_OFFSETS ? 5 * most_n() : 0;
    c.desc.tuning = tuning;
    return c;
}

/* Sums by offsets of another variant. */
static void add_by(test_cases *cases, const char *name, const char *tuning) {
    counted_case c = describe(CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_OFFSETS, tuning);
    if (!test_bears_shapes()) return;
    test_add(cases, offsets_end_at_the_count, &c, sizeof c,
             "segmented/counted/reduce/offsets/fault/%s", name);
    for (int both = 0; both < 4; both++) {
        c.counts_n = both % 2 > 0;
        c.counts_segments = both > 1;
        if (both == 0) continue;
        test_add(cases, counted_is_as_plain, &c, sizeof c,
                 "segmented/counted/reduce/offsets/numbers=%d/%s", both, name);
    }
}

void add_counted_cases(test_cases *cases) {
    static const struct {
        const char *name;
        clprims_segmented_result result;
        clprims_segments_by by;
        bool many;
    } kinds[] = {
        {"reduce/offsets", CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_OFFSETS, true},
        {"exclusive/offsets", CLPRIMS_SEGMENTED_EXCLUSIVE, CLPRIMS_SEGMENTS_OFFSETS, false},
        {"reduce/keys", CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_KEYS, false},
        {"inclusive/flags", CLPRIMS_SEGMENTED_INCLUSIVE, CLPRIMS_SEGMENTS_FLAGS, true},
        {"reduce/bits", CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_BITS, true},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const bool many = kinds[k].many && test_bears_shapes();
        counted_case c = describe(kinds[k].result, kinds[k].by,
                                  many ? "GROUP=8 SHARE=3 GROUPS=64" : "GROUP=1 SHARE=9 GROUPS=16");
        const bool offsets = kinds[k].by == CLPRIMS_SEGMENTS_OFFSETS;
        const char *shape = many ? "many" : "one";
        test_add(cases, counted_is_as_plain, &c, sizeof c, "segmented/counted/%s/n/%s",
                 kinds[k].name, shape);
        if (offsets || k == 2) {
            test_add(cases, counted_is_refused, &c, sizeof c, "segmented/counted/%s/refusals/%s",
                     kinds[k].name, shape);
        }
        if (!offsets) continue;
        test_add(cases, offsets_end_at_the_count, &c, sizeof c, "segmented/counted/%s/fault/%s",
                 kinds[k].name, shape);
        c.counts_segments = true;
        test_add(cases, counted_is_as_plain, &c, sizeof c, "segmented/counted/%s/both/%s",
                 kinds[k].name, shape);
        c.counts_n = false;
        test_add(cases, counted_is_as_plain, &c, sizeof c, "segmented/counted/%s/segments/%s",
                 kinds[k].name, shape);
    }
    add_by(cases, "teams", "TEAM=1 GROUP=16 BLOCK=64");
}
