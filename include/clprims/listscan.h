/* SPDX-License-Identifier: MIT */
/**
 * List scan: every running combination of values along a linked list, in any order in memory.
 *
 *   inclusive   out[i] = init op values[head] op ... op values[i]
 *   exclusive   the same without values[i],   out[head] = init
 *
 * Floats and structs give the same bits in every run. Method: that of clprims/list.h, with each
 * link packed next to its value, so that an element costs one random access.
 */
#ifndef CLPRIMS_LISTSCAN_H
#define CLPRIMS_LISTSCAN_H

#include <clprims/list.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What to combine and how. Set at least type and max_n. */
typedef struct clprims_listscan_desc {
    clprims_type link; /**< CLPRIMS_I32 (the default; max_n up to 2^31 - 1) or CLPRIMS_I64 */
    clprims_type type; /**< of the values */
    /** Of the running value and so of the output's elements; CLPRIMS_TYPE_DEFAULT: as type. The
     *  values are converted as C does, or by `input`. */
    clprims_type accumulator;
    clprims_op op;
    int inclusive; /**< zero: exclusive */
    const void *init; /**< one accumulator value before head's; NULL: the operator's identity. An
                           exclusive scan by a custom operator needs this or custom.identity. */
    size_t max_n; /**< the largest n that enqueue and run will be given; scratch grows with it */
    /** OpenCL C expression of x, an element's value, and i, its index (ulong): what to combine in
     *  its place, for example "x * x". Evaluated at most three times for an element.
     *  NULL: x itself. */
    const char *input;
    /** Nonzero: there is no array of values; `input` is an expression of i alone. */
    int no_input_array;
    clprims_custom custom; /**< for CLPRIMS_CUSTOM and CLPRIMS_STRUCT */
    const char *tuning; /**< knobs that win over all tuning files; NULL: none */
    /** What `input` may name beside its operands, as core.h says. NULL: none. */
    const char *parameters;
} clprims_listscan_desc;

/** One run's device buffers. */
typedef struct clprims_listscan_buffers {
    clprims_buffer next; /**< n links, as in clprims/list.h */
    clprims_buffer values; /**< n elements; with no_input_array {NULL, 0} */
    clprims_buffer out; /**< n accumulator values, written only if the list is valid; may overlap
                             values or next in any way */
    clprims_buffer report; /**< one clprims_list_report (`first` counts reports), apart from the
                                arrays; or {NULL, 0} */
    const int64_t *head; /**< the first element, which the call reads; NULL: the element that no
                              link names, which the run finds */
} clprims_listscan_buffers;

/** One run's plain arrays. */
typedef struct clprims_listscan_arrays {
    const void *next; /**< n links */
    const void *values; /**< n elements; NULL with no_input_array */
    void *out; /**< n accumulator values, written only if the list is valid; may be next or
                    values */
    const int64_t *head; /**< the first element; NULL: the element that no link names */
} clprims_listscan_arrays;

/** A compiled list scan with its scratch. One run at a time; different plans may run at once. */
typedef struct clprims_listscan clprims_listscan;

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_listscan_create_sized(clprims_listscan **out, clprims_context *context,
                              const clprims_listscan_desc *desc, size_t desc_bytes);

/**
 * Creates a plan: checks the description, compiles, allocates scratch (about three times the size
 * of a link with its value, for each of max_n elements).
 *
 * The description and all that it points to may be changed or freed afterwards; the context must
 * outlive the plan.
 * Status: ARGUMENT, TOO_LARGE, UNSUPPORTED (AND, OR, XOR of floats; float64 on a device without;
 * groups too large for the device), BUILD (a text of the caller's does not compile), and the
 * OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_listscan_create(clprims_listscan **out,
                                                      clprims_context *context,
                                                      const clprims_listscan_desc *desc) {
    return clprims_listscan_create_sized(out, context, desc, sizeof *desc);
}

/** Sets parameter k of desc.parameters, counted from 0, as clprims_scan_set_parameter does.
 *  Status: as there. */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_listscan_set_parameter(clprims_listscan *scan,
                                                                          size_t k, size_t bytes,
                                                                          const void *value);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_listscan_enqueue_sized(
    clprims_listscan *scan, cl_command_queue queue, const clprims_listscan_buffers *buffers,
    size_t buffers_bytes, size_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

/**
 * Submits the scan of one list of n elements and returns at once.
 *
 * n = 0 needs no array and no head. Malformed lists are detected: the run always terminates and
 * writes to no other memory. The OpenCL triple comes last, with OpenCL's meaning; the event may be
 * NULL.
 * Status: ARGUMENT, TOO_LARGE, and the OpenCL ones. Faults of the list are in the report.
 * Cost: links and values are read and the output is written once, all in order. In between, links
 * with values are written and read four times, one of the reads at random (twice if the caches
 * hold the output). Adversarial lists cost a second walk.
 * Short lists take one launch: on GPUs as many elements as fit local memory (some ten thousand of
 * 8 bytes on an H200), on CPUs up to 100000 elements, which one work-item walks.
 */
CLPRIMS_INLINE clprims_status clprims_listscan_enqueue(clprims_listscan *scan,
                                                       cl_command_queue queue,
                                                       const clprims_listscan_buffers *buffers,
                                                       size_t n, cl_uint num_wait,
                                                       const cl_event *wait, cl_event *event) {
    return clprims_listscan_enqueue_sized(scan, queue, buffers, sizeof *buffers, n, num_wait, wait,
                                          event);
}

/**
 * Returns the status of a report that was read back: OK, DATA with a message that names the fault
 * and its elements, or ARGUMENT if it is no report.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_listscan_check(const clprims_list_report *report);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_listscan_run_sized(
    clprims_listscan *scan, const clprims_listscan_arrays *arrays, size_t arrays_bytes, size_t n);

/**
 * Scans plain arrays: copies in, scans on the context's queue, copies out, returns when done.
 * Status: as enqueue; DATA with a message that names the fault; DEVICE_MEMORY.
 */
CLPRIMS_INLINE clprims_status clprims_listscan_run(clprims_listscan *scan,
                                                   const clprims_listscan_arrays *arrays,
                                                   size_t n) {
    return clprims_listscan_run_sized(scan, arrays, sizeof *arrays, n);
}

/** How a plan scans a list of some length. */
typedef struct clprims_listscan_info {
    size_t sublists; /**< number of sublists of level 0: the nodes of the next level */
    size_t levels; /**< 1: a single work-group scans the list, in one launch */
    size_t scratch_bytes; /**< device memory that the plan holds */
    const char *programs; /**< where its programs are from, as core.h says */
} clprims_listscan_info;

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_listscan_describe_sized(
    const clprims_listscan *scan, size_t n, clprims_listscan_info *info, size_t info_bytes);

/** Fills *info for a list of n elements, n <= max_n; of 0, as of one. Status: ARGUMENT, TOO_LARGE.
 */
CLPRIMS_INLINE clprims_status clprims_listscan_describe(const clprims_listscan *scan, size_t n,
                                                        clprims_listscan_info *info) {
    return clprims_listscan_describe_sized(scan, n, info, sizeof *info);
}

/** Destroys a plan. A run in flight ends all the same. NULL is fine. */
CLPRIMS_API void clprims_listscan_destroy(clprims_listscan *scan);

#ifdef __cplusplus
}
#endif

#endif
