/* SPDX-License-Identifier: MIT */
/**
 * List ranking: the position of every element of a linked list that is given as an array of links.
 *
 *   rank[head] = 0,   rank[next[i]] = rank[i] + 1,   next[tail] = -1
 *
 * A list is valid if the path from head visits each of the n elements once and ends at -1. The
 * elements may be in any order in memory. Source: Helman and JaJa, "Designing Practical
 * Efficient Algorithms for Symmetric Multiprocessors", 1999, with splitters chosen by a bijective
 * hash of the index.
 */
#ifndef CLPRIMS_LIST_H
#define CLPRIMS_LIST_H

#include <clprims/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a plan writes. Values are pinned. */
typedef enum clprims_list_result {
    CLPRIMS_LIST_RANKS = 0, /**< rank[i] is the position of element i */
    CLPRIMS_LIST_ORDER = 1 /**< order[r] is the element of rank r */
} clprims_list_result;

/** How level 0 of the list is ranked. Values are pinned. */
typedef enum clprims_list_algorithm {
    CLPRIMS_LIST_AUTO = 0, /**< the fastest for the device and n */
    CLPRIMS_LIST_SCATTERED = 1, /**< stores each element's sublist and offset at the element, by
                                     scattered writes: for CPUs, and for lists that fit the caches;
                                     its scratch is two links per element */
    CLPRIMS_LIST_VISIT_LOG = 2, /**< each walk appends what it visits to a log, which is then
                                     sorted: no scattered writes; n below 2^32 - 1; its scratch
                                     is 12 bytes per element (20 from about 2*10^8 elements on), of
                                     an order 4 */
    CLPRIMS_LIST_IN_PLACE = 3 /**< works in the memory of the result; its scratch is a fraction of
                                   a link per element; ranks only */
} clprims_list_algorithm;

/** What to rank. Set max_n. */
typedef struct clprims_list_desc {
    clprims_type link; /**< CLPRIMS_I32 (the default; max_n up to 2^31 - 1) or CLPRIMS_I64 */
    clprims_list_result result; /**< CLPRIMS_LIST_RANKS by default */
    clprims_list_algorithm algorithm; /**< CLPRIMS_LIST_AUTO by default */
    size_t max_n; /**< the largest n that enqueue and run will be given */
    const char *tuning; /**< knobs that win over all tuning files; NULL: none */
} clprims_list_desc;

/**
 * The fault of a malformed list. Values are pinned. Of several faults one is reported: LINK_RANGE
 * before NO_TAIL, TWO_TAILS, SAME_SUCCESSOR, HEAD and CYCLE, in this order, so that the report of
 * a list is always the same. `other` is the lowest element that belongs to `index`.
 */
typedef enum clprims_list_fault {
    CLPRIMS_LIST_VALID = 0,
    CLPRIMS_LIST_LINK_RANGE = 1, /**< next[index] = other is neither -1 nor in [0, n) */
    CLPRIMS_LIST_TWO_TAILS = 2, /**< next[index] and next[other] are both -1 */
    CLPRIMS_LIST_NO_TAIL = 3, /**< no link is -1 */
    CLPRIMS_LIST_SAME_SUCCESSOR = 4, /**< next[index] is also next[other] */
    CLPRIMS_LIST_CYCLE = 5, /**< index is on a cycle and can't be reached from head */
    CLPRIMS_LIST_HEAD = 6, /**< head = index, but next[other] names it; head is not the
                                element that no link names */
    CLPRIMS_LIST_INVALID = 7 /**< malformed, without details */
} clprims_list_fault;

/** The report of a run, as it is in device memory: four 64-bit integers. */
typedef struct clprims_list_report {
    int64_t fault; /**< a clprims_list_fault */
    int64_t index; /**< the lowest element that shows the fault, -1 if none */
    int64_t other; /**< the second value in the comment of the fault, -1 if none */
    int64_t head; /**< the head given or found, -1 if none */
} clprims_list_report;

/** One run's device buffers. */
typedef struct clprims_list_buffers {
    clprims_buffer next; /**< n links */
    clprims_buffer out; /**< n elements of the link type: ranks, or the order; apart from next.
                             Undefined where the list is invalid. */
    clprims_buffer report; /**< one clprims_list_report (`first` counts reports), apart from the
                                arrays; or {NULL, 0} */
    const int64_t *head; /**< the first element, which the call reads; NULL: the element that no
                              link names, which the run finds */
} clprims_list_buffers;

/** One run's plain arrays. */
typedef struct clprims_list_arrays {
    const void *next; /**< n links */
    void *out; /**< n elements of the link type, written only if the list is valid */
    const int64_t *head; /**< the first element; NULL: the element that no link names */
} clprims_list_arrays;

/** A compiled list ranking with its scratch. One run at a time. */
typedef struct clprims_list clprims_list;

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_list_create_sized(clprims_list **out,
                                                                     clprims_context *context,
                                                                     const clprims_list_desc *desc,
                                                                     size_t desc_bytes);

/**
 * Creates a plan for lists of up to max_n elements.
 * The context must outlive the plan.
 * Status: ARGUMENT, TOO_LARGE, UNSUPPORTED (an order in place; groups too large for the device),
 * and the OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_list_create(clprims_list **out, clprims_context *context,
                                                  const clprims_list_desc *desc) {
    return clprims_list_create_sized(out, context, desc, sizeof *desc);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_list_enqueue_sized(
    clprims_list *list, cl_command_queue queue, const clprims_list_buffers *buffers,
    size_t buffers_bytes, size_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

/**
 * Submits the ranking of one list of n elements and returns at once.
 *
 * n = 0 needs neither array and no head. Malformed lists are detected: the run always terminates
 * and writes to no other memory. The OpenCL triple comes last, with OpenCL's meaning; the event may
 * be NULL. Status: ARGUMENT, TOO_LARGE, and the OpenCL ones. Faults of the list are in the report.
 * Cost, with a visit log: links are read once at random addresses, and 4 bytes per element written
 * and read in order. Ranks add 8 bytes per element written and read, twice from about 2*10^8
 * elements on, or from 6*10^7 on in a plan whose max_n is above 2*10^8. The result is written once.
 * In place: each element is accessed once in order, once at random, and once more in order. An
 * adversarial list costs a second walk.
 */
CLPRIMS_INLINE clprims_status clprims_list_enqueue(clprims_list *list, cl_command_queue queue,
                                                   const clprims_list_buffers *buffers, size_t n,
                                                   cl_uint num_wait, const cl_event *wait,
                                                   cl_event *event) {
    return clprims_list_enqueue_sized(list, queue, buffers, sizeof *buffers, n, num_wait, wait,
                                      event);
}

/**
 * Returns the status of a report that was read back: OK, DATA with a message that names the fault
 * and its elements, or ARGUMENT if it is no report.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_list_check(const clprims_list_report *report);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_list_run_sized(clprims_list *list,
                                                                  const clprims_list_arrays *arrays,
                                                                  size_t arrays_bytes, size_t n);

/**
 * Ranks plain arrays: copies in, ranks on the context's queue, copies out, returns when done.
 * Status: as enqueue; DATA with a message that names the fault; DEVICE_MEMORY.
 */
CLPRIMS_INLINE clprims_status clprims_list_run(clprims_list *list,
                                               const clprims_list_arrays *arrays, size_t n) {
    return clprims_list_run_sized(list, arrays, sizeof *arrays, n);
}

/** How a plan ranks a list of some length. */
typedef struct clprims_list_info {
    clprims_list_algorithm algorithm; /**< of level 0, never AUTO; not used if `levels` is 1 */
    size_t sublists; /**< number of sublists of level 0: the nodes of the next level */
    size_t levels; /**< 1: a single work-group ranks the list, in one launch */
    size_t scratch_bytes; /**< device memory that the plan holds */
    const char *programs; /**< where its programs are from, as core.h says */
} clprims_list_info;

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_list_describe_sized(const clprims_list *list,
                                                                       size_t n,
                                                                       clprims_list_info *info,
                                                                       size_t info_bytes);

/** Fills *info for a list of n elements, n <= max_n; of 0, as of one. Status: ARGUMENT, TOO_LARGE.
 */
CLPRIMS_INLINE clprims_status clprims_list_describe(const clprims_list *list, size_t n,
                                                    clprims_list_info *info) {
    return clprims_list_describe_sized(list, n, info, sizeof *info);
}

/** Destroys a plan. A run in flight ends all the same. NULL is fine. */
CLPRIMS_API void clprims_list_destroy(clprims_list *list);

#ifdef __cplusplus
}
#endif

#endif
