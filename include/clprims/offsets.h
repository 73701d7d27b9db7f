/* SPDX-License-Identifier: MIT */
/**
 * Offsets: where each part of a jagged array begins, from the parts' intervals or counts.
 *
 *   offsets[0] = 0,   offsets[i + 1] = offsets[i] + stops[i] - starts[i]
 *
 * With validation: the lowest i with stops[i] < starts[i] is reported, and so is a total that
 * int64 can't hold. Source: awkward_ListArray_compact_offsets of Awkward Array.
 */
#ifndef CLPRIMS_OFFSETS_H
#define CLPRIMS_OFFSETS_H

#include <clprims/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What to compute offsets of. Set type and max_n. */
typedef struct clprims_offsets_desc {
    clprims_type type; /**< of starts and stops, or of the counts: any integer type */
    /** Nonzero: there are no starts; stops holds counts, as if every interval began at 0. */
    int counts;
    size_t max_n; /**< the largest number of intervals that enqueue and run will be given */
    /** As clprims/core.h describes them. */
    clprims_algorithm algorithm;
    const char *tuning; /**< knobs that win over all tuning files; NULL: none */
} clprims_offsets_desc;

/** What is wrong with the intervals. Values are pinned. */
typedef enum clprims_offsets_fault {
    CLPRIMS_OFFSETS_VALID = 0,
    CLPRIMS_OFFSETS_INTERVAL = 1, /**< stops[index] < starts[index], or counts[index] < 0 */
    CLPRIMS_OFFSETS_TOTAL = 2, /**< the sum passes 2^63 - 1 at index */
    CLPRIMS_OFFSETS_COUNT = 3 /**< of a counted run: the number of intervals exceeds max_n */
} clprims_offsets_fault;

/** What a run found, as it is in device memory: three 64-bit integers. */
typedef struct clprims_offsets_report {
    int64_t fault; /**< a clprims_offsets_fault */
    int64_t index; /**< the lowest interval that shows it; -1 if there is none */
    int64_t total; /**< offsets[n]; with a fault, offsets[index]; with COUNT, the number of
                        intervals as it was read, a uint64 */
} clprims_offsets_report;

/** A compiled plan with its scratch. One run at a time; different plans may run at once. */
typedef struct clprims_offsets clprims_offsets;

/** What create decided. Texts belong to the plan. */
typedef struct clprims_offsets_info {
    clprims_algorithm algorithm; /**< what was chosen, or asked for */
    size_t group; /**< work-items of a work-group of the variant */
    size_t tile; /**< outputs of its tile */
    size_t scratch_bytes; /**< device memory that the plan holds */
    const char *variant; /**< what n intervals get, as in clprims_scan_info */
    /** The same where an array does not start at a multiple of 16 bytes of its buffer. */
    const char *unaligned_variant;
} clprims_offsets_info;

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_offsets_create_sized(clprims_offsets **out, clprims_context *context,
                             const clprims_offsets_desc *desc, size_t desc_bytes);

/**
 * Creates a plan. The context must outlive it.
 * Status: ARGUMENT, TOO_LARGE, UNSUPPORTED (an algorithm that the device can't do), and the OpenCL
 * ones.
 */
CLPRIMS_INLINE clprims_status clprims_offsets_create(clprims_offsets **out,
                                                     clprims_context *context,
                                                     const clprims_offsets_desc *desc) {
    return clprims_offsets_create_sized(out, context, desc, sizeof *desc);
}

/**
 * Submits the offsets of n intervals and returns at once. One pass: reads 2n elements (n counts),
 * writes n + 1 int64.
 *
 * starts, stops: n elements each, which may overlap each other; with desc.counts starts.mem is
 * NULL. offsets: n + 1 int64, apart from both. After a fault the offsets up to and at its index are
 * right, those after it undefined. report: where one clprims_offsets_report is written (`first`
 * counts reports), apart from the arrays, or {NULL, 0}. n = 0 writes offsets[0] = 0 and needs
 * neither input.
 * Status: ARGUMENT, TOO_LARGE, and the OpenCL ones. Faults of the data are in the report.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_offsets_enqueue(
    clprims_offsets *plan, cl_command_queue queue, clprims_buffer starts, clprims_buffer stops,
    clprims_buffer offsets, size_t n, clprims_buffer report, cl_uint num_wait, const cl_event *wait,
    cl_event *event);

/**
 * Submits the offsets of intervals whose number is in device memory, and returns at once.
 *
 * n: one uint64 (`first` counts uint64s), read when the work starts: an earlier command may write
 * it. It must be apart from offsets and report. The arrays are as in enqueue, with room for max_n
 * intervals; what follows element n - 1 is neither read nor written. More than max_n is a fault:
 * the report says COUNT, and offsets stays as it is. One plan takes plain and counted runs in any
 * order. The launch is that of max_n; work-groups without intervals end at once. Status: ARGUMENT,
 * and the OpenCL ones. Faults of the data are in the report.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_offsets_enqueue_counted(
    clprims_offsets *plan, cl_command_queue queue, clprims_buffer starts, clprims_buffer stops,
    clprims_buffer offsets, clprims_buffer n, clprims_buffer report, cl_uint num_wait,
    const cl_event *wait, cl_event *event);

/**
 * Turns a report that was read back into a status: OK, ARGUMENT for what is no report, or DATA with
 * the message "offsets: stops[i] < starts[i], or counts[i] < 0, at i = 17" or
 * "offsets: the total exceeds ... at i = 17".
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_offsets_check(const clprims_offsets_report *report);

/**
 * The same on plain arrays: copies in, runs on the context's queue, copies out, returns when done.
 * offsets is written only when there is no fault.
 * Status: as enqueue; DATA, with the values in the message; DEVICE_MEMORY.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_offsets_run(clprims_offsets *plan,
                                                               const void *starts,
                                                               const void *stops, int64_t *offsets,
                                                               size_t n);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_offsets_describe_sized(
    const clprims_offsets *plan, size_t n, clprims_offsets_info *info, size_t info_bytes);

/** Fills *info for n intervals, n <= max_n. Status: ARGUMENT, TOO_LARGE. */
CLPRIMS_INLINE clprims_status clprims_offsets_describe(const clprims_offsets *plan, size_t n,
                                                       clprims_offsets_info *info) {
    return clprims_offsets_describe_sized(plan, n, info, sizeof *info);
}

/** Destroys a plan; no run of it may be in flight. NULL is fine. */
CLPRIMS_API void clprims_offsets_destroy(clprims_offsets *plan);

#ifdef __cplusplus
}
#endif

#endif
