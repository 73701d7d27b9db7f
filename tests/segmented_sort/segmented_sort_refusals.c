/* SPDX-License-Identifier: MIT */
/* What segmented sort refuses, with the values in the message; offsets at fault; what describe
 * tells. */
#include "fixtures/key_cases.h"
#include "segmented_sort/segmented_sort_suite.h"

static clprims_segmented_sort_desc u32_desc(void) {
    clprims_segmented_sort_desc desc = {.type = CLPRIMS_U32, .max_n = 1000, .max_segments = 100};
    return desc;
}

/* The largest shapes fit where a CPU's caches are local memory. */
static void needs_little_local_memory(void) {
    enum { MUCH = 512 << 10 }; /* what the largest shapes need, at least */
    cl_ulong bytes = 0;
    expect_cl(clGetDeviceInfo(test_info().device_id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof bytes, &bytes,
                              NULL));
    if (bytes >= MUCH) test_skip("the device has room for the largest shapes");
}

static void of_groups(clprims_segmented_sort_desc *d, const char *tuning) {
    d->algorithm = CLPRIMS_SEGMENTED_SORT_GROUPS, d->tuning = tuning;
}

static void beyond_local_memory(clprims_segmented_sort_desc *d, const char *tuning) {
    needs_little_local_memory();
    of_groups(d, tuning);
    d->type = CLPRIMS_U64, d->indices = CLPRIMS_I32;
}

static void spoil(void *desc, subject_refusal *r) {
    clprims_segmented_sort_desc *d = desc;
    SORT_REFUSED(segmented_sort)
    ILLEGAL("algorithm", "segmented_sort: algorithm = 3",
            d->algorithm = (clprims_segmented_sort_algorithm)3)
    ILLEGAL("unsigned-offsets", "(uint16); offsets are int32, int64, uint32",
            d->offsets = CLPRIMS_U16)
    ILLEGAL("empty-window", "segmented_sort: bits [7, 7) are no window of the 32 bits",
            d->begin_bit = d->end_bit = 7)
    ILLEGAL("no-max_segments", "segmented_sort: max_segments = 0", d->max_segments = 0)
    REFUSED("huge-max_segments", TOO_LARGE, "max_segments = 4294967296 exceeds 4294967295",
            d->max_segments = (size_t)UINT32_MAX + 1)
    ILLEGAL("payloads", "segmented_sort: payloads = 5; at most 4", d->payloads = 5)
    ILLEGAL("large-payload_bytes", "segmented_sort: payload_bytes[0] = 257", d->payloads = 1,
            d->payload_bytes[0] = 257)
    ILLEGAL("no-result", "segmented_sort: no_keys without payloads", d->no_keys = 1)
    ILLEGAL("no-local_indices", "local_indices = 1 without a type of indices", d->local_indices = 1)
    ILLEGAL("knobs/serial", "GROUP", d->algorithm = CLPRIMS_SEGMENTED_SORT_SERIAL,
            d->tuning = "GROUP=32")
    ILLEGAL("knobs/small-group", "GROUP", of_groups(d, "GROUP=16"))
    ILLEGAL("knobs/even-items", "ITEMS = 4 and LARGE_ITEMS = ", of_groups(d, "ITEMS=4"))
    ILLEGAL("knobs/even-large_items", "LARGE_ITEMS = 6; both must be odd",
            of_groups(d, "LARGE_ITEMS=6"))
    ILLEGAL("knobs/radix", "RADIX = 6 is no multiple of 4", of_groups(d, "RADIX=6"))
    REFUSED("knobs/large-group", UNSUPPORTED,
            "LARGE = 1024, LARGE_ITEMS = ", beyond_local_memory(d, "LARGE=1024 LARGE_ITEMS=63"))
    REFUSED("knobs/large-teams", UNSUPPORTED,
            "TEAMS = 1024, ITEMS = ", beyond_local_memory(d, "TEAMS=1024 ITEMS=63"))
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
    return subject_made_plan(&subject_segmented_sort, desc);
}

/* ---- Offsets at fault ------------------------------------------------------------------------ */

typedef struct fault {
    size_t index, other; /* of the offsets at fault */
    int64_t value, other_value;
    int64_t expected;
} fault;

typedef struct fault_case {
    fault fault;
    clprims_segmented_sort_algorithm algorithm;
} fault_case;

/* Two offsets are replaced, on the device and on plain arrays; then the plan finds nothing in good
 * ones. */
static void faults(const void *data) {
    const fault *f = &((const fault_case *)data)->fault;
    const clprims_segmented_sort_desc desc = full_desc(((const fault_case *)data)->algorithm);
    subject_data d = data_like(&desc);
    clprims_segmented_sort *plan = plan_of(&desc);
    clprims_segmented_sort_report found;
    int64_t good[SEGMENTS + 1], offsets[SEGMENTS + 1];
    char part[64];
    for (int64_t s = 0; s <= SEGMENTS; s++) good[s] = offsets[s] = s * 10;
    offsets[f->index] = f->value;
    offsets[f->other] = f->other_value;
    snprintf(part, sizeof part, "offsets[%d]", (int)f->expected);
    d.n[0] = N;
    d.n[1] = SEGMENTS;
    d.offsets = good;
    subject_draw(&d);
    test_buffer at = test_buffer_create(offsets, SEGMENTS + 1, 8, 3);
    test_buffer report = test_buffer_create(NULL, 1, sizeof found, 0);
    subject_buffers b = subject_buffers_create(&d, NULL, 0);
    subject_submission call = b.call;
    call.at[SORT_OFFSETS] = at.at;
    call.at[SORT_REPORT] = report.at;
    expect_ok(d.of->enqueue(plan, &d, &call));
    test_buffer_read(&report, &found);
    assert_int_equal(found.fault, CLPRIMS_SEGMENTED_SORT_OFFSETS);
    assert_int_equal(found.index, f->expected);
    expect_failure(clprims_segmented_sort_check(&found), CLPRIMS_ERR_DATA, part);
    expect_ok(d.of->enqueue(plan, &d, &b.call));
    subject_buffers_expect(&d, &b);
    memcpy(d.at[SORT_OFFSETS].values, offsets, sizeof offsets);
    d.status = CLPRIMS_ERR_DATA;
    subject_run_is_right(&d, plan);
    snprintf(part, sizeof part, "offsets[%d] = %lld ", (int)f->expected,
             (long long)offsets[f->expected]);
    expect_contains(clprims_last_error()->message, part);
}

static void add_faults(test_cases *cases) {
    static const fault kinds[] = {
        {0, 0, -1, -1, 0},      {0, 0, INT64_MIN, INT64_MIN, 0},
        {0, 0, 11, 11, 1}, /* the second offset falls */
        {10, 10, 101, 101, 10}, {10, 10, INT64_MAX, INT64_MAX, 10},
        {4, 4, 100, 100, 5}, /* a long segment before it */
        {7, 3, 200, 0, 3}, /* the lowest of two */
        {9, 9, 79, 79, 9},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        for (int algorithm = 1; algorithm <= 2; algorithm++) {
            const fault_case c = {kinds[i], (clprims_segmented_sort_algorithm)algorithm};
            test_add_row(cases, faults, c, "segmented-sort/faults/%s/%zu",
                         algorithm == 1 ? "groups" : "serial", i);
        }
    }
}

/* ---- What describe tells --------------------------------------------------------------------- */

static void descriptions_of_plans(void) {
    clprims_segmented_sort_desc desc = u32_desc();
    clprims_segmented_sort_info info = {0};
    const clprims_segmented_sort_sizes one = {.segments = 1};
    desc.algorithm = CLPRIMS_SEGMENTED_SORT_SERIAL;
    desc.tuning = "MOST=40";
    clprims_segmented_sort *plan = subject_made_plan(&subject_segmented_sort, &desc);
    expect_ok(clprims_segmented_sort_describe(plan, 40, one, &info));
    assert_string_equal(info.variant, "short");
    assert_int_equal(info.local, 40);
    assert_int_equal(info.algorithm, CLPRIMS_SEGMENTED_SORT_SERIAL);
    expect_ok(clprims_segmented_sort_describe(plan, 41, one, &info));
    assert_string_equal(info.variant, "short-and-long");
    if (info.scratch_bytes < 1000 * 16) test_fail("scratch_bytes = %zu", info.scratch_bytes);
}

void segmented_sort_add_refusals(test_cases *cases) {
    const clprims_segmented_sort_desc good = u32_desc();
    subject_add_refused(cases, &subject_segmented_sort, &good, spoil,
                        "segmented-sort/refusals/create");
    test_add_plain(cases, descriptions_of_plans, "segmented-sort/describe");
    add_faults(cases);
}
