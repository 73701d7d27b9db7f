/* SPDX-License-Identifier: MIT */
/**
 * Scan: every running combination of an array, prefix sums first of all.
 *
 *   inclusive   out[i] = init op in[0] op ... op in[i]
 *   exclusive   out[i] = init op in[0] op ... op in[i-1],   out[0] = init
 *
 * The combination of all elements is the last output of an inclusive scan. An exclusive sum of
 * lengths with the total behind it, n + 1 outputs, is clprims_offsets (offsets.h). By any operator
 * these are an inclusive scan to out.first + 1, with the initial value written to out.first.
 *
 * Sources: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016
 * (LOOKBACK); Smith, Levien and Owens, "Decoupled Fallback", SPAA 2025 (LOOKBACK_FALLBACK).
 */
#ifndef CLPRIMS_SCAN_H
#define CLPRIMS_SCAN_H

#include <clprims/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What to scan and how. Set at least type and max_n. */
typedef struct clprims_scan_desc {
    clprims_type type; /**< of the input's elements */
    /** Of the running value; CLPRIMS_TYPE_DEFAULT: as type, in which sums of int8 wrap at 8 bits.
     *  CLPRIMS_I64 widens the sums, as clprims_cumsum of once.h does. The input is converted as C
     *  does, or by `input`. */
    clprims_type accumulator;
    clprims_op op;
    int inclusive; /**< zero: exclusive */
    const void *init; /**< one accumulator value before the first element; NULL: the operator's
                           identity. An exclusive scan by a custom operator needs this or
                           custom.identity. */
    size_t max_n; /**< the largest n that enqueue and run will be given; scratch grows with it */
    clprims_algorithm algorithm;
    /** Zero (the default): floats and structs give the same bits in every run. Nonzero: allow
     *  orders of addition that vary from run to run where that is faster. */
    int fast_floats;
    /** OpenCL C expression of x, the input's element, and i, its index (ulong): what to scan in
     *  its place, for example "x * x". Evaluated at most twice for an element, three times by
     *  REDUCE_THEN_SCAN; by LOOKBACK_FALLBACK once more for each work-group that computes what it
     *  waits for. NULL: x itself. */
    const char *input;
    /** Nonzero: there is no input array; `input` is an expression of i alone. */
    int no_input_array;
    /** OpenCL C expression of r, the result of element i, of i (ulong), of x, the input's element,
     *  which is read again then, and of an inclusive scan also of `previous`, the result of element
     *  i - 1; of the first element the initial value, or r where there is none: what to store in
     *  place of r, for example "r.sum" or "r != previous". `previous` of floats may be rounded in
     *  another order than the r before it. Evaluated once for an element. Several results are a
     *  struct, or the outputs of a map (map.h) behind the scan. NULL: r itself. */
    const char *result;
    /** Of the output's elements; CLPRIMS_TYPE_DEFAULT: the accumulator; CLPRIMS_STRUCT: custom's
     *  type, also where the input has another one. `result` is converted as C does. */
    clprims_type result_type;
    clprims_custom custom; /**< for CLPRIMS_CUSTOM and CLPRIMS_STRUCT */
    /** Knobs that win over all tuning files, "GROUP=256 ROWS=4"; NULL: none. Algorithms differ in
     *  their knobs: name the algorithm too. */
    const char *tuning;
    /** What `input` and `result` may name beside their operands, as core.h says, for example
     * "global const float *weight, float limit". clprims_scan_set_parameter gives them values.
     * NULL: none. */
    const char *parameters;
} clprims_scan_desc;

/** One run's device buffers. */
typedef struct clprims_scan_buffers {
    clprims_buffer in; /**< n elements; with no_input_array {NULL, 0} */
    clprims_buffer out; /**< n elements of result_type; may be exactly the place of `in` when both
                           element types have one size */
    /** Where n.mem is set: one uint64 (`first` counts uint64s), the number of elements, which is
     * read when the work starts, so that an earlier command may write it. Apart from out and
     * report. */
    clprims_buffer n;
    clprims_buffer report; /**< one clprims_scan_report (`first` counts reports), which a run with
                                n.mem writes; or {NULL, 0} */
} clprims_scan_buffers;

/** One run's plain arrays. */
typedef struct clprims_scan_arrays {
    const void *in; /**< n elements; NULL with no_input_array */
    void *out; /**< n elements of result_type; may be `in` itself when both element types have one
                    size */
} clprims_scan_arrays;

/** A compiled scan with its scratch. One run at a time; different plans may run at once. */
typedef struct clprims_scan clprims_scan;

/** What create decided. Texts belong to the plan. */
typedef struct clprims_scan_info {
    clprims_algorithm algorithm;
    size_t group; /**< work-items of a work-group of the variant */
    size_t tile; /**< elements of its tile */
    size_t scratch_bytes; /**< device memory that the plan holds */
    const char *reason; /**< why this algorithm, in words */
    /** What n elements get: "serial-tile", "serial-tile-fallback", "lookback", "lookback-fallback",
     *  "single-wave", "single-wave-small", "lookahead", "levels" or "levels-serial". Later versions
     *  may have more. */
    const char *variant;
    const char *programs; /**< where its programs are from, as core.h says */
} clprims_scan_info;

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_scan_create_sized(clprims_scan **out,
                                                                     clprims_context *context,
                                                                     const clprims_scan_desc *desc,
                                                                     size_t desc_bytes);

/**
 * Creates a plan: checks the description, chooses the algorithm, compiles, allocates scratch.
 *
 * The description and all that it points to may be changed or freed afterwards; the context must
 * outlive the plan.
 * Status: ARGUMENT, TOO_LARGE, UNSUPPORTED (AND, OR, XOR of floats; LOOKBACK_FALLBACK where bits
 * must not vary; float64 or an algorithm that the device can't do), BUILD (a text of the caller's
 * does not compile), and the OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_scan_create(clprims_scan **out, clprims_context *context,
                                                  const clprims_scan_desc *desc) {
    return clprims_scan_create_sized(out, context, desc, sizeof *desc);
}

/**
 * Sets parameter k of desc.parameters, from 0 on, as clSetKernelArg does: `bytes` bytes from
 * `value`, a cl_mem or a clprims_buffer for an array. It stays until it is set again; a run that
 * was submitted before keeps the old one. The plan holds no reference to a buffer: keep it while
 * runs may read it.
 * Status: ARGUMENT (an unknown parameter, a size other than its type's, a buffer of another
 * context), and the OpenCL ones.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_scan_set_parameter(clprims_scan *scan, size_t k,
                                                                      size_t bytes,
                                                                      const void *value);

/**
 * Sets the initial value of the runs to come: one accumulator value, which is copied. It takes the
 * place of desc.init and stays until it is set again; a run that was submitted before keeps the old
 * one. An inclusive plan has an initial value where desc.init was not NULL.
 * Status: ARGUMENT (an inclusive plan without desc.init, too).
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_scan_set_init(clprims_scan *scan,
                                                                 const void *init);

/** What a run with buffers.n may find. Values are pinned. */
typedef enum clprims_scan_fault {
    CLPRIMS_SCAN_VALID = 0,
    CLPRIMS_SCAN_COUNT = 1 /**< the number of elements exceeds the n of the call */
} clprims_scan_fault;

/** What the run found, as it is in device memory: two 64-bit integers. */
typedef struct clprims_scan_report {
    int64_t fault; /**< a clprims_scan_fault */
    int64_t count; /**< the number of elements, as it was read; a uint64 */
} clprims_scan_report;

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_scan_enqueue_sized(
    clprims_scan *scan, cl_command_queue queue, const clprims_scan_buffers *buffers,
    size_t buffers_bytes, size_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

/**
 * Submits one scan of n elements and returns at once.
 *
 * n = 0 needs no arrays. Where buffers.n.mem is set, n is the most that the number there may be:
 * the arrays have room for n elements, elements behind the number are neither read nor written, and
 * a greater number is a fault, which the report names and which leaves out as it is. The launch is
 * that of n elements; work-groups without elements end at once. One plan takes runs of both kinds
 * in any order.
 * Nothing overlaps but in and out as said. Every parameter must have been set.
 * The OpenCL triple comes last, with OpenCL's meaning; the event may be NULL. Out-of-order
 * queues are safe. Never waits, reads back, allocates device memory or compiles.
 * Status: ARGUMENT, TOO_LARGE, and the OpenCL ones. Faults of the data are in the report.
 */
CLPRIMS_INLINE clprims_status clprims_scan_enqueue(clprims_scan *scan, cl_command_queue queue,
                                                   const clprims_scan_buffers *buffers, size_t n,
                                                   cl_uint num_wait, const cl_event *wait,
                                                   cl_event *event) {
    return clprims_scan_enqueue_sized(scan, queue, buffers, sizeof *buffers, n, num_wait, wait,
                                      event);
}

/** Turns a report that was read back into a status: OK, ARGUMENT for what is no report, or DATA
 * with the message "scan: n = 5000, as read on the device, exceeds that of the call". */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_scan_check(const clprims_scan_report *report);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_scan_run_sized(clprims_scan *scan,
                                                                  const clprims_scan_arrays *arrays,
                                                                  size_t arrays_bytes, size_t n);

/**
 * Scans plain arrays: copies in, scans on the context's queue, copies out, returns when done.
 * Status: as enqueue, and DEVICE_MEMORY when the arrays do not fit the device.
 */
CLPRIMS_INLINE clprims_status clprims_scan_run(clprims_scan *scan,
                                               const clprims_scan_arrays *arrays, size_t n) {
    return clprims_scan_run_sized(scan, arrays, sizeof *arrays, n);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_scan_describe_sized(const clprims_scan *scan,
                                                                       size_t n,
                                                                       clprims_scan_info *info,
                                                                       size_t info_bytes);

/** Fills *info for a scan of n elements, n <= max_n; of 0, which launches nothing, as of one.
 *  Status: ARGUMENT, TOO_LARGE. */
CLPRIMS_INLINE clprims_status clprims_scan_describe(const clprims_scan *scan, size_t n,
                                                    clprims_scan_info *info) {
    return clprims_scan_describe_sized(scan, n, info, sizeof *info);
}

/** Destroys a plan. A run in flight ends all the same. NULL is fine. */
CLPRIMS_API void clprims_scan_destroy(clprims_scan *scan);

#ifdef __cplusplus
}
#endif

#endif
