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

/** One run's device buffers. */
typedef struct clprims_offsets_buffers {
    clprims_buffer starts; /**< n elements; with desc.counts or n = 0 {NULL, 0} */
    clprims_buffer stops; /**< n elements, with desc.counts the counts; may overlap starts; n = 0:
                               {NULL, 0} */
    clprims_buffer offsets; /**< n + 1 int64 */
    /** Where n.mem is set: one uint64 (`first` counts uint64s), the number of intervals, which is
     * read when the work starts, so that an earlier command may write it. Apart from offsets and
     * report. */
    clprims_buffer n;
    clprims_buffer report; /**< one clprims_offsets_report (`first` counts reports), or {NULL, 0} */
} clprims_offsets_buffers;

/** One run's plain arrays. */
typedef struct clprims_offsets_arrays {
    const void *starts; /**< n elements; NULL with desc.counts */
    const void *stops; /**< n elements, with desc.counts the counts */
    int64_t *offsets; /**< n + 1 elements, written unless there is a fault */
} clprims_offsets_arrays;

/** What is wrong with the intervals. Values are pinned. */
typedef enum clprims_offsets_fault {
    CLPRIMS_OFFSETS_VALID = 0,
    CLPRIMS_OFFSETS_INTERVAL = 1, /**< stops[index] < starts[index], or counts[index] < 0 */
    CLPRIMS_OFFSETS_TOTAL = 2, /**< the sum passes 2^63 - 1 at index */
    CLPRIMS_OFFSETS_COUNT = 3 /**< the number in buffers.n exceeds the n of the call */
} clprims_offsets_fault;

/** What a run found, as it is in device memory: three 64-bit integers. */
typedef struct clprims_offsets_report {
    int64_t fault; /**< a clprims_offsets_fault */
    int64_t index; /**< the lowest interval that shows it; -1 if there is none */
    /** offsets[n]; with a fault, offsets[index]; with COUNT, the number of intervals as it was
     * read, a uint64. clprims_offsets_total makes it another call's n. */
    int64_t total;
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
    const char *programs; /**< where its programs are from, as core.h says */
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

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_offsets_enqueue_sized(
    clprims_offsets *plan, cl_command_queue queue, const clprims_offsets_buffers *buffers,
    size_t buffers_bytes, size_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

/**
 * Submits the offsets of n intervals and returns at once. One pass: reads 2n elements (n counts),
 * writes n + 1 int64.
 *
 * n = 0 writes offsets[0] = 0. After a fault the offsets up to and at its index are right, the
 * offsets after it undefined.
 * Where buffers.n.mem is set, n is the most that the number there may be: the arrays have room for
 * n intervals, what follows the number is neither read nor written, and a greater number is a
 * fault, which the report names and which leaves offsets as it is. The launch is that of n
 * intervals; work-groups without intervals end at once. One plan takes runs of both kinds in any
 * order.
 * Only starts and stops may overlap.
 * The OpenCL triple comes last, with OpenCL's meaning; the event may be NULL. Out-of-order
 * queues are safe. Never waits, reads back, allocates device memory or compiles.
 * Status: ARGUMENT, TOO_LARGE, and the OpenCL ones. Faults of the data are in the report.
 */
CLPRIMS_INLINE clprims_status clprims_offsets_enqueue(clprims_offsets *plan, cl_command_queue queue,
                                                      const clprims_offsets_buffers *buffers,
                                                      size_t n, cl_uint num_wait,
                                                      const cl_event *wait, cl_event *event) {
    return clprims_offsets_enqueue_sized(plan, queue, buffers, sizeof *buffers, n, num_wait, wait,
                                         event);
}

/** The place of the total in a report on the device, which has three 64-bit integers: the n of
 *  another call's buffers. */
CLPRIMS_INLINE clprims_buffer clprims_offsets_total(clprims_buffer report) {
    report.first = 3 * report.first + 2;
    return report;
}

/**
 * Turns a report that was read back into a status: OK, ARGUMENT for what is no report, or DATA with
 * the message "offsets: stops[i] < starts[i], or counts[i] < 0, at i = 17" or
 * "offsets: the total exceeds ... at i = 17".
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_offsets_check(const clprims_offsets_report *report);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_offsets_run_sized(
    clprims_offsets *plan, const clprims_offsets_arrays *arrays, size_t arrays_bytes, size_t n);

/**
 * Takes plain arrays: copies in, runs on the context's queue, copies out, returns when done.
 * Status: as enqueue; DATA, with the values in the message; DEVICE_MEMORY when the arrays do not
 * fit the device.
 */
CLPRIMS_INLINE clprims_status clprims_offsets_run(clprims_offsets *plan,
                                                  const clprims_offsets_arrays *arrays, size_t n) {
    return clprims_offsets_run_sized(plan, arrays, sizeof *arrays, n);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_offsets_describe_sized(
    const clprims_offsets *plan, size_t n, clprims_offsets_info *info, size_t info_bytes);

/** Fills *info for n intervals, n <= max_n. Status: ARGUMENT, TOO_LARGE. */
CLPRIMS_INLINE clprims_status clprims_offsets_describe(const clprims_offsets *plan, size_t n,
                                                       clprims_offsets_info *info) {
    return clprims_offsets_describe_sized(plan, n, info, sizeof *info);
}

/** Destroys a plan. A run in flight ends all the same. NULL is fine. */
CLPRIMS_API void clprims_offsets_destroy(clprims_offsets *plan);

#ifdef __cplusplus
}
#endif

#endif
