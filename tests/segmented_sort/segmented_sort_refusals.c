/* SPDX-License-Identifier: MIT */
/* What segmented sort refuses, with the values in the message; offsets at fault; what describe
 * tells. */
#include "segmented_sort/segmented_sort_suite.h"
#include "subjects/runs/subject_refusals.h"

#include <string.h>

static clprims_segmented_sort_desc u32_desc(void) {
    clprims_segmented_sort_desc desc = CLPRIMS_SEGMENTED_SORT_DESC_INIT;
    desc.type = CLPRIMS_U32;
    desc.max_n = 1000;
    desc.max_segments = 100;
    return desc;
}

static void refuse(const clprims_segmented_sort_desc *desc, clprims_status status,
                   const char *part) {
    subject_is_refused(&subject_segmented_sort, desc, status, part);
}

static void descriptions(const void *data) {
    clprims_segmented_sort_desc desc = u32_desc();
    (void)data;
    subject_null_is_refused(&subject_segmented_sort, &desc);
    desc.struct_size = 3;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "struct_size");
    desc = u32_desc();
    desc.type = CLPRIMS_STRUCT;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "segmented_sort: type = 11 (struct)");
    desc = u32_desc();
    desc.floats = (clprims_sort_floats)3;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "segmented_sort: floats = 3");
    desc = u32_desc();
    desc.algorithm = (clprims_segmented_sort_algorithm)3;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "segmented_sort: algorithm = 3");
    desc = u32_desc();
    desc.offsets = CLPRIMS_U32;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "(uint32); offsets are int32 or int64");
    desc = u32_desc();
    desc.max_n = 0;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "segmented_sort: max_n = 0");
    desc = u32_desc();
    desc.max_segments = (size_t)UINT32_MAX + 1;
    refuse(&desc, CLPRIMS_ERR_TOO_LARGE, "max_segments = 4294967296 exceeds 4294967295");
}

static void arrays(const void *data) {
    clprims_segmented_sort_desc desc = u32_desc();
    (void)data;
    desc.payloads = 5;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "segmented_sort: payloads = 5; at most 4");
    desc.payloads = 1;
    desc.payload_bytes[0] = 17;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "segmented_sort: payload_bytes[0] = 17");
    desc = u32_desc();
    desc.no_keys = 1;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "segmented_sort: no_keys without payloads");
    desc = u32_desc();
    desc.local_indices = 1;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "local_indices = 1 without a type of indices");
    desc.indices = CLPRIMS_I16;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "segmented_sort: indices = 2 (int16)");
    desc.indices = CLPRIMS_I32;
    desc.max_n = (size_t)INT32_MAX + 2;
    refuse(&desc, CLPRIMS_ERR_TOO_LARGE, "segmented_sort: max_n = 2147483649 is beyond");
}

static void knobs(const void *data) {
    enum { MUCH = 512 << 10 }; /* what the largest shapes need, at least */
    clprims_segmented_sort_desc desc = u32_desc();
    cl_ulong local = 0;
    (void)data;
    desc.tuning = "ROWS=3";
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "ROWS");
    desc.algorithm = CLPRIMS_SEGMENTED_SORT_SERIAL;
    desc.tuning = "GROUP=32";
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "GROUP");
    desc.algorithm = CLPRIMS_SEGMENTED_SORT_GROUPS;
    desc.tuning = "GROUP=16";
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "GROUP");
    desc.tuning = "ITEMS=4";
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "ITEMS = 4 and LARGE_ITEMS = ");
    desc.tuning = "LARGE_ITEMS=6";
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "LARGE_ITEMS = 6; both must be odd");
    desc.tuning = "RADIX=6";
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "RADIX = 6 is no multiple of 4");
    expect_cl(clGetDeviceInfo(test_info().device_id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local,
                              NULL));
    if (local >= MUCH) return; /* a CPU whose caches hold the largest shapes */
    desc.type = CLPRIMS_U64;
    desc.indices = CLPRIMS_I32;
    desc.tuning = "LARGE=1024 LARGE_ITEMS=63";
    refuse(&desc, CLPRIMS_ERR_UNSUPPORTED, "LARGE = 1024, LARGE_ITEMS = ");
    desc.tuning = "TEAMS=1024 ITEMS=63";
    refuse(&desc, CLPRIMS_ERR_UNSUPPORTED, "TEAMS = 1024, ITEMS = ");
}

/* ---- Calls ----------------------------------------------------------------------------------- */

enum { N = 100, SEGMENTS = 10 };

/* Of a plan with everything. */
static clprims_segmented_sort_desc full_desc(clprims_segmented_sort_algorithm algorithm) {
    clprims_segmented_sort_desc desc = u32_desc();
    desc.payloads = 1;
    desc.payload_bytes[0] = 4;
    desc.indices = CLPRIMS_I32;
    desc.max_n = N;
    desc.max_segments = SEGMENTS;
    desc.algorithm = algorithm;
    desc.tuning = algorithm == CLPRIMS_SEGMENTED_SORT_SERIAL
                      ? "MOST=40"
                      : "GROUP=32 TEAMS=8 ITEMS=5 LARGE=8 LARGE_ITEMS=5 RADIX=0";
    return desc;
}

static subject_data data_like(const clprims_segmented_sort_desc *desc) {
    return (subject_data){.of = &subject_segmented_sort, .desc = desc, .most = {N, SEGMENTS}};
}

static clprims_segmented_sort *plan_of(const clprims_segmented_sort_desc *desc) {
    clprims_segmented_sort *plan = NULL;
    expect_ok(clprims_segmented_sort_create(&plan, test_context(), desc));
    return plan;
}

static void submissions(const void *data) {
    const clprims_segmented_sort_desc desc = full_desc(CLPRIMS_SEGMENTED_SORT_SERIAL);
    const subject_data like = data_like(&desc);
    clprims_segmented_sort *plan = plan_of(&desc);
    clprims_segmented_sort_buffers b = CLPRIMS_SEGMENTED_SORT_BUFFERS_INIT;
    (void)data;
    subject_enqueue_refuses(&like);
#define REFUSE(b, part)                                                                            \
    expect_failure(clprims_segmented_sort_enqueue(plan, test_queue(), b, 0, 0, 0, NULL, NULL),     \
                   CLPRIMS_ERR_ARGUMENT, part)
    REFUSE(NULL, "buffers is NULL");
    REFUSE(&b, "offsets");
    b.struct_size = 5;
    REFUSE(&b, "struct_size");
#undef REFUSE
    clprims_segmented_sort_destroy(plan);
}

static void plain_arrays(const void *data) {
    const clprims_segmented_sort_desc desc = full_desc(CLPRIMS_SEGMENTED_SORT_SERIAL);
    const subject_data like = data_like(&desc);
    clprims_segmented_sort *plan = plan_of(&desc);
    uint32_t in[4] = {3, 1, 2, 0}, out[4], from[4] = {0, 1, 2, 3}, to[4];
    int64_t offsets[3] = {0, 5, 4};
    int32_t indices[4];
    clprims_segmented_sort_arrays a = CLPRIMS_SEGMENTED_SORT_ARRAYS_INIT;
    (void)data;
    subject_run_refuses(&like);
    expect_failure(clprims_segmented_sort_run(plan, NULL, 4, 2), CLPRIMS_ERR_ARGUMENT,
                   "arrays is NULL");
    expect_failure(clprims_segmented_sort_run(plan, &a, 0, 0), CLPRIMS_ERR_ARGUMENT,
                   "offsets is NULL");
    a.offsets = offsets;
    a.keys_in = in;
    a.keys_out = out;
    a.payload_in[0] = from;
    a.payload_out[0] = to;
    a.indices = indices;
    expect_failure(clprims_segmented_sort_run(plan, &a, 4, 2), CLPRIMS_ERR_DATA,
                   "offsets[1] is less than the offset before");
    offsets[1] = 1;
    expect_ok(clprims_segmented_sort_run(plan, &a, 4, 2));
    expect_elements(((uint32_t[]){3, 0, 1, 2}), out, 4, 4);
    expect_elements(((int32_t[]){0, 3, 1, 2}), indices, 4, 4);
    a.struct_size = 1;
    expect_failure(clprims_segmented_sort_run(plan, &a, 4, 2), CLPRIMS_ERR_ARGUMENT, "struct_size");
    clprims_segmented_sort_destroy(plan);
}

/* ---- Offsets at fault ------------------------------------------------------------------------ */

typedef struct fault_case {
    clprims_segmented_sort_algorithm algorithm;
    size_t index, other; /* of the offsets at fault */
    int64_t value, other_value;
    int64_t expected;
} fault_case;

/* Two offsets are replaced; then the plan finds nothing in good ones. */
static void faults(const void *data) {
    const fault_case *c = data;
    const clprims_segmented_sort_desc desc = full_desc(c->algorithm);
    subject_data d = data_like(&desc);
    clprims_segmented_sort *plan = plan_of(&desc);
    clprims_segmented_sort_report found;
    int64_t offsets[SEGMENTS + 1];
    for (int64_t s = 0; s <= SEGMENTS; s++) offsets[s] = s * 10;
    offsets[c->index] = c->value;
    offsets[c->other] = c->other_value;
    d.n[0] = N;
    d.n[1] = SEGMENTS;
    subject_draw(&d);
    test_buffer at = test_buffer_create(offsets, SEGMENTS + 1, 8, 3);
    test_buffer report = test_buffer_create(NULL, 1, sizeof found, 0);
    subject_buffers b = subject_buffers_create(&d, NULL, 0);
    subject_submission call = b.call;
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        if (d.at[k].name == NULL) continue;
        if (strcmp(d.at[k].name, "offsets") == 0) call.at[k] = at.at;
        if (d.at[k].is_report) call.at[k] = report.at;
    }
    expect_ok(d.of->enqueue(plan, &d, &call));
    test_buffer_read(&report, &found);
    assert_int_equal(found.fault, CLPRIMS_SEGMENTED_SORT_OFFSETS);
    assert_int_equal(found.index, c->expected);
    expect_failure(clprims_segmented_sort_check(&found), CLPRIMS_ERR_DATA, "offsets[");
    expect_ok(d.of->enqueue(plan, &d, &b.call));
    subject_buffers_expect(&d, &b);
    test_buffer_release(&at);
    test_buffer_release(&report);
    subject_buffers_release(&b);
    subject_free(&d);
    clprims_segmented_sort_destroy(plan);
}

static void add_faults(test_cases *cases) {
    static const struct {
        size_t index, other;
        int64_t value, other_value, expected;
    } kinds[] = {
        {0, 0, -1, -1, 0},      {0, 0, INT64_MIN, INT64_MIN, 0},
        {0, 0, 11, 11, 1}, /* the second offset falls */
        {10, 10, 101, 101, 10}, {10, 10, INT64_MAX, INT64_MAX, 10},
        {4, 4, 100, 100, 5}, /* a long segment before it */
        {7, 3, 200, 0, 3}, /* the lowest of two */
        {9, 9, 79, 79, 9},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        for (int algorithm = 1; algorithm <= 2; algorithm++) {
            const fault_case c = {(clprims_segmented_sort_algorithm)algorithm,
                                  kinds[i].index,
                                  kinds[i].other,
                                  kinds[i].value,
                                  kinds[i].other_value,
                                  kinds[i].expected};
            test_add(cases, faults, &c, sizeof c, "segmented-sort/faults/%s/%zu",
                     algorithm == 1 ? "groups" : "serial", i);
        }
    }
}

/* ---- What describe tells --------------------------------------------------------------------- */

static void descriptions_of_plans(const void *data) {
    clprims_segmented_sort_desc desc = u32_desc();
    clprims_segmented_sort_info info = CLPRIMS_SEGMENTED_SORT_INFO_INIT;
    const subject_data like = {.of = &subject_segmented_sort, .desc = &desc, .most = {1000, 100}};
    clprims_segmented_sort *plan = NULL;
    (void)data;
    subject_others_refuse(&like);
    desc.algorithm = CLPRIMS_SEGMENTED_SORT_SERIAL;
    desc.tuning = "MOST=40";
    expect_ok(clprims_segmented_sort_create(&plan, test_context(), &desc));
    expect_ok(clprims_segmented_sort_describe(plan, 40, 1, &info));
    assert_string_equal(info.variant, "short");
    assert_int_equal(info.local, 40);
    assert_int_equal(info.algorithm, CLPRIMS_SEGMENTED_SORT_SERIAL);
    expect_ok(clprims_segmented_sort_describe(plan, 41, 1, &info));
    assert_string_equal(info.variant, "short-and-long");
    if (info.scratch_bytes < 1000 * 16) test_fail("scratch_bytes = %zu", info.scratch_bytes);
    clprims_segmented_sort_destroy(plan);
}

void segmented_sort_add_refusals(test_cases *cases) {
    test_add(cases, descriptions, NULL, 0, "segmented-sort/refusals/descriptions");
    test_add(cases, arrays, NULL, 0, "segmented-sort/refusals/arrays");
    test_add(cases, knobs, NULL, 0, "segmented-sort/refusals/knobs");
    test_add(cases, submissions, NULL, 0, "segmented-sort/refusals/submissions");
    test_add(cases, plain_arrays, NULL, 0, "segmented-sort/refusals/plain-arrays");
    test_add(cases, descriptions_of_plans, NULL, 0, "segmented-sort/describe");
    add_faults(cases);
}
