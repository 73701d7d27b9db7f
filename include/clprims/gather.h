/* SPDX-License-Identifier: MIT */
/**
 * Gather: elements in the order of an array of indices.
 *
 *   out[i] = in[index[i]]
 *
 * An index that is negative or not below the length of `in` is a fault of the data: the report has
 * the lowest position of one, out[position] stays as it is, and all other elements are written.
 */
#ifndef CLPRIMS_GATHER_H
#define CLPRIMS_GATHER_H

#include <clprims/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What to gather. Set at least type and max_n. */
typedef struct clprims_gather_desc {
    clprims_type type; /**< of the elements; STRUCT: custom.type_bytes of any kind */
    clprims_type index_type; /**< CLPRIMS_I64 (also the default), CLPRIMS_I32 or CLPRIMS_U32 */
    size_t max_n; /**< the largest n, of indices, that enqueue and run will be given */
    clprims_custom custom; /**< of a STRUCT: type_bytes, 4, 8, 12 or 16; no text is needed */
    const char *tuning; /**< knobs that win over all tuning files, "GROUP=256"; NULL: none */
} clprims_gather_desc;

/** What a run may find. Values are pinned. */
typedef enum clprims_gather_fault {
    CLPRIMS_GATHER_VALID = 0,
    CLPRIMS_GATHER_INDEX = 1, /**< an index is outside of `in` */
    CLPRIMS_GATHER_COUNT = 2, /**< of a counted run: the number of indices exceeds n */
    CLPRIMS_GATHER_LENGTH = 3 /**< of a counted run: the length of `in` exceeds length */
} clprims_gather_fault;

/** What a run found, as it is in device memory: four 64-bit integers. */
typedef struct clprims_gather_report {
    int64_t fault; /**< a clprims_gather_fault */
    int64_t position; /**< with INDEX, the lowest of an index outside; else -1 */
    int64_t index; /**< the index that stands there; else 0 */
    /** How many indices there are; with COUNT or LENGTH, the number that was read, a uint64. */
    int64_t count;
} clprims_gather_report;

/** A compiled plan with its scratch. One run at a time; different plans may run at once. */
typedef struct clprims_gather clprims_gather;

/** What create decided. Texts belong to the plan. */
typedef struct clprims_gather_info {
    size_t group; /**< work-items of a work-group */
    size_t groups; /**< work-groups that n indices get */
    size_t tile; /**< indices that a work-group takes at a time */
    size_t scratch_bytes; /**< device memory that the plan holds */
    /** "serial": work-items take index after index; "vectors": they load 16 bytes of indices at a
     *  time. Later versions may have more. */
    const char *variant;
} clprims_gather_info;

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_gather_create_sized(clprims_gather **out, clprims_context *context,
                            const clprims_gather_desc *desc, size_t desc_bytes);

/**
 * Creates a plan: checks the description, compiles, allocates scratch. Types of one size have one
 * program.
 *
 * The description and all that it points to may be changed or freed afterwards; the context must
 * outlive the plan.
 * Status: ARGUMENT, TOO_LARGE, and the OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_gather_create(clprims_gather **out, clprims_context *context,
                                                    const clprims_gather_desc *desc) {
    return clprims_gather_create_sized(out, context, desc, sizeof *desc);
}

/**
 * Submits one run, one launch, and returns at once. One pass: reads n indices and as many elements,
 * in their order, and writes n elements.
 *
 * index: n of them. in: `length` elements, which may be 0. out: n elements, apart from both.
 * report: where one clprims_gather_report is written (`first` counts reports), apart from the
 * others, or {NULL, 0}. n = 0 needs none of the arrays, and length = 0 no `in`. The OpenCL triple
 * comes last, with OpenCL's meaning; the event may be NULL. Out-of-order queues are safe. Never
 * waits, reads back, allocates device memory or compiles. Status: ARGUMENT, TOO_LARGE, and the
 * OpenCL ones. Faults of the data are in the report.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_gather_enqueue(
    clprims_gather *plan, cl_command_queue queue, clprims_buffer index, clprims_buffer in,
    clprims_buffer out, size_t n, size_t length, clprims_buffer report, cl_uint num_wait,
    const cl_event *wait, cl_event *event);

/**
 * The same with one or both of the numbers in device memory.
 *
 * counted_n, counted_length: one uint64 each (`first` counts uint64s), read when the work starts:
 * an earlier command may write them. They must be apart from out and report. n and length say what
 * the arrays have room for: more in device memory is a fault, COUNT or LENGTH, and out stays as it
 * is. Where counted_n or counted_length is {NULL, 0}, n or length is the number itself. One plan
 * takes plain and counted runs in any order. The launch is that of n; work-groups without indices
 * end at once. Status: as enqueue.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_gather_enqueue_counted(
    clprims_gather *plan, cl_command_queue queue, clprims_buffer index, clprims_buffer in,
    clprims_buffer out, size_t n, size_t length, clprims_buffer counted_n,
    clprims_buffer counted_length, clprims_buffer report, cl_uint num_wait, const cl_event *wait,
    cl_event *event);

/** Turns a report that was read back into a status: OK, ARGUMENT for what is no report, or DATA
 * with a message such as "gather: index[17] = -1 is outside ...". */
CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_gather_check(const clprims_gather_report *report);

/**
 * The same on plain arrays: copies in, runs on the context's queue, copies out, returns when done.
 * in may be NULL where length is 0. out: n elements, written unless there is a fault.
 * Status: as enqueue; DATA; DEVICE_MEMORY when the arrays do not fit the device.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_gather_run(clprims_gather *plan,
                                                              const void *index, const void *in,
                                                              void *out, size_t n, size_t length);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_gather_describe_sized(const clprims_gather *plan,
                                                                         size_t n,
                                                                         clprims_gather_info *info,
                                                                         size_t info_bytes);

/** Fills *info for n indices, n <= max_n. Status: ARGUMENT, TOO_LARGE. */
CLPRIMS_INLINE clprims_status clprims_gather_describe(const clprims_gather *plan, size_t n,
                                                      clprims_gather_info *info) {
    return clprims_gather_describe_sized(plan, n, info, sizeof *info);
}

/** Destroys a plan; no run of it may be in flight. NULL is fine. */
CLPRIMS_API void clprims_gather_destroy(clprims_gather *plan);

#ifdef __cplusplus
}
#endif

#endif
