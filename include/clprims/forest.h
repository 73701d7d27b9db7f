/* SPDX-License-Identifier: MIT */
/**
 * Forests of lists: several linked lists in one array of links. Every element gets its rank within
 * its own list, and its list's head.
 *
 *   rank[h] = 0, head[h] = h for every h that no link names
 *   rank[next[i]] = rank[i] + 1,   head[next[i]] = head[i]
 *
 * A forest is valid if its links are -1 or elements, no two links name the same element, and no
 * links form a cycle: every element is then in exactly one list. Method: that of clprims/list.h.
 */
#ifndef CLPRIMS_FOREST_H
#define CLPRIMS_FOREST_H

#include <clprims/list.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What to rank. Set max_n. */
typedef struct clprims_forest_desc {
    clprims_type link; /**< CLPRIMS_I32 (the default; max_n up to 2^31 - 1) or CLPRIMS_I64 */
    size_t max_n; /**< the largest n that enqueue and run will be given; scratch grows with it */
    const char *tuning; /**< knobs that win over all tuning files; NULL: none */
} clprims_forest_desc;

/** A compiled ranking of forests with its scratch. One run at a time. */
typedef struct clprims_forest clprims_forest;

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_forest_create_sized(clprims_forest **out, clprims_context *context,
                            const clprims_forest_desc *desc, size_t desc_bytes);

/**
 * Creates a plan for forests of up to max_n elements. The context must outlive the plan.
 * Status: ARGUMENT, TOO_LARGE, UNSUPPORTED (groups too large for the device), and the OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_forest_create(clprims_forest **out, clprims_context *context,
                                                    const clprims_forest_desc *desc) {
    return clprims_forest_create_sized(out, context, desc, sizeof *desc);
}

/** Another size of a run than n. */
typedef struct clprims_forest_sizes {
    size_t heads; /**< of the array of heads. 0 with that array: no head is given, which is a fault
                       of every forest with n > 0: HEAD or another one */
} clprims_forest_sizes;

/** One run's device buffers; the arrays have elements of the plan's link type. */
typedef struct clprims_forest_buffers {
    clprims_buffer next; /**< n links: the next element's index, -1 at the end of a list */
    /** n elements each, written only if the forest is valid; {NULL, 0}: not wanted. Either may
     *  overlap next in any way, but not the other. */
    clprims_buffer rank, head;
    clprims_buffer heads; /**< all heads, in any order; {NULL, 0}: heads are found: every element
                               that no link names */
    clprims_buffer report; /**< one clprims_list_report (`first` counts reports), apart from the
                                arrays; or {NULL, 0} */
    clprims_forest_sizes sizes;
} clprims_forest_buffers;

/** One run's plain arrays. */
typedef struct clprims_forest_arrays {
    const void *next; /**< n links */
    void *rank, *head; /**< n elements each, written only if the forest is valid; NULL: not wanted
                        */
    const void *heads; /**< all heads, in any order; NULL: heads are found */
    clprims_forest_sizes sizes;
} clprims_forest_arrays;

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_forest_enqueue_sized(
    clprims_forest *forest, cl_command_queue queue, const clprims_forest_buffers *buffers,
    size_t buffers_bytes, size_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

/**
 * Submits the ranking of a forest of n elements and returns at once.
 *
 * The report's fault is LINK_RANGE, SAME_SUCCESSOR, HEAD or CYCLE, the first of these that applies;
 * its head is -1. HEAD is a fault of heads that are given:
 *   index >= 0, other >= 0   element `index` is given as a head, but next[other] names it
 *   index >= 0, other = -1   no link names element `index`, which is not among the heads
 *   index = -1               `other` is given as a head, but is no element
 * where `index` is the lowest element of its kind. n = 0 needs no arrays.
 * Malformed forests are detected: the run always terminates and writes to no other memory. The
 * OpenCL triple comes last, with OpenCL's meaning; the event may be NULL.
 * Status: ARGUMENT, TOO_LARGE, and the OpenCL ones. Faults of the forest are in the report.
 * Cost: as a list scan of pairs of links (clprims/listscan.h) without values, and one bit an
 * element, written at random.
 */
CLPRIMS_INLINE clprims_status clprims_forest_enqueue(clprims_forest *forest, cl_command_queue queue,
                                                     const clprims_forest_buffers *buffers,
                                                     size_t n, cl_uint num_wait,
                                                     const cl_event *wait, cl_event *event) {
    return clprims_forest_enqueue_sized(forest, queue, buffers, sizeof *buffers, n, num_wait, wait,
                                        event);
}

/**
 * Returns the status of a report that was read back: OK, DATA with a message that names the fault
 * and its elements, or ARGUMENT if it is no report.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_forest_check(const clprims_list_report *report);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_forest_run_sized(
    clprims_forest *forest, const clprims_forest_arrays *arrays, size_t arrays_bytes, size_t n);

/**
 * Ranks plain arrays: copies in, ranks on the context's queue, copies out, returns when done.
 * Status: as enqueue; DATA with a message that names the fault; DEVICE_MEMORY.
 */
CLPRIMS_INLINE clprims_status clprims_forest_run(clprims_forest *forest,
                                                 const clprims_forest_arrays *arrays, size_t n) {
    return clprims_forest_run_sized(forest, arrays, sizeof *arrays, n);
}

/** How a plan ranks a forest of some size. */
typedef struct clprims_forest_info {
    size_t sublists; /**< number of sublists of level 0: the nodes of the next level */
    size_t levels; /**< 1: a single work-group ranks the forest, in one launch */
    size_t scratch_bytes; /**< device memory that the plan holds */
    const char *programs; /**< where its programs are from, as core.h says */
} clprims_forest_info;

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_forest_describe_sized(const clprims_forest *forest, size_t n, clprims_forest_sizes sizes,
                              clprims_forest_info *info, size_t info_bytes);

/** Fills *info for a forest of n elements, n <= max_n; of 0, as of one. Status: ARGUMENT,
 *  TOO_LARGE. */
CLPRIMS_INLINE clprims_status clprims_forest_describe(const clprims_forest *forest, size_t n,
                                                      clprims_forest_sizes sizes,
                                                      clprims_forest_info *info) {
    return clprims_forest_describe_sized(forest, n, sizes, info, sizeof *info);
}

/** Destroys a plan. A run in flight ends all the same. NULL is fine. */
CLPRIMS_API void clprims_forest_destroy(clprims_forest *forest);

#ifdef __cplusplus
}
#endif

#endif
