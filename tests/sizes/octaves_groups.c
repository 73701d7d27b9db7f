/* SPDX-License-Identifier: MIT */
/* What combines or copies without a single pass: reduce, segmented, histogram, parents, gather. */
#include "harness/custom_operators.h"
#include "harness/oracle_reduce.h"
#include "sizes/octaves.h"

#include <stdlib.h>
#include <string.h>

static union {
    clprims_reduce *reduce;
    clprims_segmented *segmented;
    clprims_histogram *histogram;
    clprims_parents *parents;
    clprims_gather *gather;
} plan;

static const clprims_buffer none = {NULL, 0};

/* ---- Reduce ---- */

static clprims_reduce_desc sums; /* of floats, whose bits show the tree */

static void create_reduce(const clprims_reduce_desc *desc) {
    clprims_reduce_info info = CLPRIMS_REDUCE_INFO_INIT;
    expect_ok(clprims_reduce_create(&plan.reduce, test_context(), desc));
    expect_ok(clprims_reduce_describe(plan.reduce, desc->max_n, &info));
    octaves_expect_scratch(info.scratch_bytes);
}

static void expect_reduced(const void *values, size_t bytes, const void *expected, size_t n) {
    const clprims_reduce_report right = {CLPRIMS_REDUCE_VALID, (int64_t)n};
    clprims_reduce_info info = CLPRIMS_REDUCE_INFO_INIT;
    test_buffer in = octaves_in(values, n, bytes), out = octaves_out(1, bytes);
    test_buffer report = octaves_out(1, sizeof right);
    test_buffer number = octaves_in(&(uint64_t){n}, 1, 8);
    octaves_watch();
    if (octaves_counted) {
        expect_ok(clprims_reduce_enqueue_counted(plan.reduce, test_queue(), in.at, out.at,
                                                 number.at, report.at, 0, NULL, NULL));
    } else {
        expect_ok(clprims_reduce_enqueue(plan.reduce, test_queue(), in.at, out.at, n, report.at, 0,
                                         NULL, NULL));
        expect_ok(clprims_reduce_describe(plan.reduce, n, &info));
        octaves_expect_launched(info.groups, info.group);
    }
    octaves_expect_launches(1);
    octaves_expect(&number, &(uint64_t){n});

    octaves_expect(&out, expected);
    octaves_expect(&report, &right);
    octaves_expect(&in, values);
}

static void create_sums(size_t most) {
    sums = (clprims_reduce_desc)CLPRIMS_REDUCE_DESC_INIT;
    sums.type = CLPRIMS_F32;
    sums.max_n = most;
    create_reduce(&sums);
}

static void run_sums(size_t n) {
    float *values = test_alloc(n, sizeof *values), expected;
    test_random_unit(CLPRIMS_F32, values, n);
    oracle_reduce(&sums, values, &expected, n);
    expect_reduced(values, sizeof *values, &expected, n);
    free(values);
}

static void create_affine(size_t most) {
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    CUSTOM_DESCRIBE(&custom_affine, &desc);
    desc.init = NULL;
    desc.max_n = most;
    create_reduce(&desc);
}

static void run_affine(size_t n) {
    const oracle_twin *twin = &custom_affine.twin;
    void *values = test_alloc(n, twin->accumulator_bytes);
    unsigned char expected[ORACLE_TWIN_BYTES];
    custom_affine.fill(values, n);
    oracle_reduce_custom(twin, false, NULL, values, expected, n);
    expect_reduced(values, twin->accumulator_bytes, expected, n);
    free(values);
}

static void destroy_reduce(void) {
    clprims_reduce_destroy(plan.reduce);
}

/* ---- Segmented ---- */

static void create_segmented(clprims_segmented_desc *desc, size_t most) {
    clprims_segmented_info info = CLPRIMS_SEGMENTED_INFO_INIT;
    const size_t segments = desc->by == CLPRIMS_SEGMENTS_OFFSETS ? most + 1 : 0;
    desc->max_n = most;
    desc->max_segments = segments;
    expect_ok(clprims_segmented_create(&plan.segmented, test_context(), desc));
    expect_ok(clprims_segmented_describe(plan.segmented, most, segments, &info));
    octaves_expect_scratch(info.scratch_bytes);
}

/* Submits and compares what describe says. */
static void enqueue_segmented(clprims_segmented_buffers *b, size_t n, size_t segments,
                              bool by_offsets) {
    const uint64_t numbers[] = {n, segments};
    clprims_segmented_info info = CLPRIMS_SEGMENTED_INFO_INIT;
    test_buffer counted = octaves_in(numbers, 2, 8);
    const clprims_buffer second = by_offsets ? octaves_second(&counted) : none;
    octaves_watch();
    if (octaves_counted) {
        expect_ok(clprims_segmented_enqueue_counted(plan.segmented, test_queue(), b, counted.at,
                                                    second, by_offsets ? 0 : segments, 0, NULL,
                                                    NULL));
    } else {
        expect_ok(
            clprims_segmented_enqueue(plan.segmented, test_queue(), b, n, segments, 0, NULL, NULL));
        expect_ok(clprims_segmented_describe(plan.segmented, n, by_offsets ? segments : 0, &info));
        octaves_expect_launches(info.launches);
        octaves_expect_launched(info.groups, info.group);
    }
    octaves_expect(&counted, numbers);
}

static void create_by_offsets(size_t most) {
    clprims_segmented_desc desc = CLPRIMS_SEGMENTED_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.accumulator = CLPRIMS_I64;
    create_segmented(&desc, most);
}

static void run_by_offsets(size_t n) {
    clprims_segmented_buffers b = CLPRIMS_SEGMENTED_BUFFERS_INIT;
    const size_t count = 1 + test_random_below(n / (test_random_below(2) == 0 ? 3 : 300) + 1);
    const clprims_segmented_report right = {CLPRIMS_SEGMENTED_VALID, -1, (int64_t)count};
    int32_t *values = (int32_t *)octaves_words(n, 0);
    int64_t *offsets = octaves_offsets(n, count), *expected = calloc(count, sizeof *expected);
    for (size_t s = 0; s < count; s++) {
        for (int64_t i = offsets[s]; i < offsets[s + 1]; i++) expected[s] += values[i];
    }
    test_buffer in = octaves_in(values, n, 4), heads = octaves_in(offsets, count + 1, 8);
    test_buffer out = octaves_out(count, 8), report = octaves_out(1, sizeof right);
    b.in = in.at;
    b.heads = heads.at;
    b.out = out.at;
    b.report = report.at;
    enqueue_segmented(&b, n, count, true);
    octaves_expect(&out, expected);
    octaves_expect(&report, &right);
    octaves_expect(&in, values);
    octaves_expect(&heads, offsets);
    free(values);
    free(offsets);
    free(expected);
}

static void create_by_keys(size_t most) {
    clprims_segmented_desc desc = CLPRIMS_SEGMENTED_DESC_INIT;
    desc.by = CLPRIMS_SEGMENTS_KEYS;
    desc.heads_type = CLPRIMS_U32;
    desc.unique_keys = 1;
    desc.type = CLPRIMS_U32;
    desc.op = CLPRIMS_MAX;
    create_segmented(&desc, most);
}

/* In every third run some segments have no room. */
static void run_by_keys(size_t n) {
    clprims_segmented_buffers b = CLPRIMS_SEGMENTED_BUFFERS_INIT;
    uint32_t *values = octaves_words(n, 0), *keys = octaves_ascending(n, 2);
    uint32_t *expected = test_alloc(n, 4), *unique = test_alloc(n, 4);
    uint64_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || keys[i] != keys[i - 1]) {
            unique[count] = keys[i];
            expected[count++] = values[i];
        } else if (values[i] > expected[count - 1]) {
            expected[count - 1] = values[i];
        }
    }
    const clprims_segmented_report right = {CLPRIMS_SEGMENTED_VALID, -1, (int64_t)count};
    const size_t room = test_random_below(3) == 0 ? test_random_below(count + 1) : count;
    test_buffer in = octaves_in(values, n, 4), heads = octaves_in(keys, n, 4);
    test_buffer out = octaves_out(room, 4), first = octaves_out(room, 4);
    test_buffer number = octaves_out(1, 8), report = octaves_out(1, sizeof right);
    b.in = in.at;
    b.heads = heads.at;
    b.out = out.at;
    b.keys = first.at;
    b.count = number.at;
    b.report = report.at;
    enqueue_segmented(&b, n, room, false);
    octaves_expect(&out, expected);
    octaves_expect(&first, unique);
    octaves_expect(&number, &count);
    octaves_expect(&report, &right);
    octaves_expect(&in, values);
    octaves_expect(&heads, keys);
    free(values);
    free(keys);
    free(expected);
    free(unique);
}

static void create_by_flags(size_t most) {
    clprims_segmented_desc desc = CLPRIMS_SEGMENTED_DESC_INIT;
    desc.result = CLPRIMS_SEGMENTED_EXCLUSIVE;
    desc.by = CLPRIMS_SEGMENTS_FLAGS;
    desc.type = CLPRIMS_U32;
    create_segmented(&desc, most);
}

static void run_by_flags(size_t n) {
    clprims_segmented_buffers b = CLPRIMS_SEGMENTED_BUFFERS_INIT;
    const uint32_t rare = 1 + (uint32_t)test_random_below(2 * n);
    uint32_t *values = octaves_words(n, 0), *expected = test_alloc(n, 4), sum = 0;
    unsigned char *flags = test_alloc(n, 1);
    for (size_t i = 0; i < n; i++) {
        flags[i] = test_random_below(rare) == 0 ? (unsigned char)(1 + i % 255) : 0;
        if (flags[i] != 0) sum = 0;
        expected[i] = sum;
        sum += values[i];
    }
    test_buffer in = octaves_in(values, n, 4), heads = octaves_in(flags, n, 1);
    test_buffer out = octaves_out(n, 4);
    b.in = in.at;
    b.heads = heads.at;
    b.out = out.at;
    enqueue_segmented(&b, n, 0, false);
    octaves_expect(&out, expected);
    octaves_expect(&in, values);
    octaves_expect(&heads, flags);
    free(values);
    free(flags);
    free(expected);
}

static void destroy_segmented(void) {
    clprims_segmented_destroy(plan.segmented);
}

/* ---- Histogram ---- */

enum { BINS = 1000, WIDTH = 1 << 22 };

static void create_histogram(size_t most) {
    clprims_histogram_desc desc = CLPRIMS_HISTOGRAM_DESC_INIT;
    clprims_histogram_info info = CLPRIMS_HISTOGRAM_INFO_INIT;
    desc.type = CLPRIMS_U32;
    desc.bins = BINS;
    desc.most = (double)BINS * WIDTH;
    desc.weights = CLPRIMS_U32;
    desc.max_n = most;
    expect_ok(clprims_histogram_create(&plan.histogram, test_context(), &desc));
    expect_ok(clprims_histogram_describe(plan.histogram, most, &info));
    octaves_expect_scratch(info.scratch_bytes);
}

static void run_histogram(size_t n) {
    clprims_histogram_info info = CLPRIMS_HISTOGRAM_INFO_INIT;
    clprims_histogram_report right = {CLPRIMS_HISTOGRAM_VALID, 0, -1};
    uint32_t *values = octaves_words(n, 0), *weights = octaves_words(n, 0);
    uint64_t expected[BINS] = {0};
    for (size_t i = 0; i < n; i++) {
        const uint32_t bin = values[i] == (uint32_t)BINS * WIDTH ? BINS - 1 : values[i] / WIDTH;
        if (bin < BINS) {
            expected[bin] += weights[i];
        } else if (right.outside++ == 0) {
            right.index = (int64_t)i;
        }
    }
    test_buffer in = octaves_in(values, n, 4), by = octaves_in(weights, n, 4);
    test_buffer out = octaves_out(BINS, 8), report = octaves_out(1, sizeof right);
    test_buffer number = octaves_in(&(uint64_t){n}, 1, 8);
    octaves_watch();
    if (octaves_counted) {
        expect_ok(clprims_histogram_enqueue_counted(plan.histogram, test_queue(), in.at, by.at,
                                                    out.at, number.at, report.at, 0, NULL, NULL));
    } else {
        expect_ok(clprims_histogram_enqueue(plan.histogram, test_queue(), in.at, by.at, out.at, n,
                                            report.at, 0, NULL, NULL));
        expect_ok(clprims_histogram_describe(plan.histogram, n, &info));
        octaves_expect_launched(info.groups, info.group);
    }
    octaves_expect(&number, &(uint64_t){n});

    octaves_expect(&out, expected);
    octaves_expect(&report, &right);
    octaves_expect(&in, values);
    octaves_expect(&by, weights);
    free(values);
    free(weights);
}

static void destroy_histogram(void) {
    clprims_histogram_destroy(plan.histogram);
}

/* ---- Parents ---- */

static void create_parents(size_t most) {
    clprims_parents_desc desc = CLPRIMS_PARENTS_DESC_INIT;
    clprims_parents_info info = CLPRIMS_PARENTS_INFO_INIT;
    desc.result = CLPRIMS_PARENTS_BOTH;
    desc.type = CLPRIMS_I32;
    desc.max_n = desc.max_segments = most + 1;
    expect_ok(clprims_parents_create(&plan.parents, test_context(), &desc));
    expect_ok(clprims_parents_describe(plan.parents, most, most, &info));
    octaves_expect_scratch(info.scratch_bytes);
}

static void run_parents(size_t n) {
    clprims_parents_info info = CLPRIMS_PARENTS_INFO_INIT;
    const size_t count = 1 + test_random_below(n / (test_random_below(2) == 0 ? 3 : 300) + 1);
    const clprims_parents_report right = {CLPRIMS_PARENTS_VALID, -1, (int64_t)count};
    int64_t *offsets = octaves_offsets(n, count);
    int32_t *parents = test_alloc(n, 4), *locals = test_alloc(n, 4);
    for (size_t s = 0; s < count; s++) {
        for (int64_t i = offsets[s]; i < offsets[s + 1]; i++) {
            parents[i] = (int32_t)s;
            locals[i] = (int32_t)(i - offsets[s]);
        }
    }
    test_buffer from = octaves_in(offsets, count + 1, 8), out = octaves_out(n, 4);
    test_buffer local = octaves_out(n, 4), report = octaves_out(1, sizeof right);
    test_buffer number = octaves_in(&(uint64_t){count}, 1, 8);
    octaves_watch();
    if (octaves_counted) {
        expect_ok(clprims_parents_enqueue_counted(plan.parents, test_queue(), from.at, out.at,
                                                  local.at, n, number.at, report.at, 0, NULL,
                                                  NULL));
    } else {
        expect_ok(clprims_parents_enqueue(plan.parents, test_queue(), from.at, out.at, local.at, n,
                                          count, report.at, 0, NULL, NULL));
        expect_ok(clprims_parents_describe(plan.parents, n, count, &info));
        octaves_expect_launched(info.groups, info.group);
    }
    octaves_expect(&number, &(uint64_t){count});

    octaves_expect(&out, parents);
    octaves_expect(&local, locals);
    octaves_expect(&report, &right);
    octaves_expect(&from, offsets);
    free(offsets);
    free(parents);
    free(locals);
}

static void destroy_parents(void) {
    clprims_parents_destroy(plan.parents);
}

/* ---- Gather ---- */

static size_t max_n;

static void create_gather(size_t most) {
    clprims_gather_desc desc = CLPRIMS_GATHER_DESC_INIT;
    clprims_gather_info info = CLPRIMS_GATHER_INFO_INIT;
    desc.type = CLPRIMS_U32;
    desc.index_type = CLPRIMS_U32;
    max_n = desc.max_n = most;
    expect_ok(clprims_gather_create(&plan.gather, test_context(), &desc));
    expect_ok(clprims_gather_describe(plan.gather, most, &info));
    octaves_expect_scratch(info.scratch_bytes);
}

/* In every third run one index is outside: its element stays as it was. */
static void run_gather(size_t n) {
    clprims_gather_info info = CLPRIMS_GATHER_INFO_INIT;
    clprims_gather_report right = {CLPRIMS_GATHER_VALID, -1, 0, (int64_t)n};
    const size_t length = 1 + test_random_below(2 * n), fault = test_random_below(3 * n);
    uint32_t *index = octaves_words(n, (uint32_t)length), *values = octaves_words(length, 0);
    uint32_t *expected = octaves_words(n, 0);
    test_buffer out = octaves_in(expected, n, 4);
    if (fault < n) {
        index[fault] = (uint32_t)length;
        right.fault = CLPRIMS_GATHER_INDEX;
        right.position = (int64_t)fault;
        right.index = (int64_t)length;
    }
    for (size_t i = 0; i < n; i++) expected[i] = i == fault ? expected[i] : values[index[i]];
    test_buffer at = octaves_in(index, n, 4), in = octaves_in(values, length, 4);
    test_buffer report = octaves_out(1, sizeof right);
    const uint64_t numbers[] = {n, length};
    test_buffer counted = octaves_in(numbers, 2, 8);
    octaves_watch();
    if (octaves_counted) {
        expect_ok(clprims_gather_enqueue_counted(
            plan.gather, test_queue(), at.at, in.at, out.at, max_n, octaves_room(length),
            counted.at, octaves_second(&counted), report.at, 0, NULL, NULL));
    } else {
        expect_ok(clprims_gather_enqueue(plan.gather, test_queue(), at.at, in.at, out.at, n, length,
                                         report.at, 0, NULL, NULL));
        expect_ok(clprims_gather_describe(plan.gather, n, &info));
        octaves_expect_launched(info.groups, info.group);
    }
    octaves_expect(&counted, numbers);

    octaves_expect(&out, expected);
    octaves_expect(&report, &right);
    octaves_expect(&at, index);
    octaves_expect(&in, values);
    free(index);
    free(values);
    free(expected);
}

static void destroy_gather(void) {
    clprims_gather_destroy(plan.gather);
}

static const octaves_subject subjects[] = {
    {"reduce/sums", 12345678, OCTAVES_MOST, create_sums, run_sums, destroy_reduce},
    {"reduce/affine", 5000000, OCTAVES_MOST, create_affine, run_affine, destroy_reduce},
    {"segmented/offsets", 12345678, OCTAVES_MOST, create_by_offsets, run_by_offsets,
     destroy_segmented},
    {"segmented/keys", 12345678, OCTAVES_MOST, create_by_keys, run_by_keys, destroy_segmented},
    {"segmented/flags", 12345678, OCTAVES_MOST, create_by_flags, run_by_flags, destroy_segmented},
    {"histogram", 12345678, OCTAVES_MOST, create_histogram, run_histogram, destroy_histogram},
    {"parents", 12345678, OCTAVES_MOST, create_parents, run_parents, destroy_parents},
    {"gather", 12345678, OCTAVES_MOST, create_gather, run_gather, destroy_gather},
};

void octaves_add_groups(test_cases *cases) {
    octaves_add(cases, subjects, sizeof subjects / sizeof subjects[0]);
}
