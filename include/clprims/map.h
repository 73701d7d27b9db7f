/* SPDX-License-Identifier: MIT */
/**
 * Map: from each element of an array, or from its index alone, one to four others.
 *
 *   out[k][i] = value k of x and i, where x = in[i]
 *
 * A value is the caller's expression in OpenCL C. Each output has an expression and a type of its
 * own: a plan converts, scales, splits structs into arrays, fills, or computes what several arrays
 * and numbers give, as its parameters.
 */
#ifndef CLPRIMS_MAP_H
#define CLPRIMS_MAP_H

#include <clprims/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The largest number of outputs. */
#define CLPRIMS_MAP_OUTPUTS 4

/** One output. */
typedef struct clprims_map_output {
    clprims_type type; /**< of the output's elements; CLPRIMS_TYPE_DEFAULT: as desc.type */
    const char *type_name; /**< of a STRUCT; NULL: custom.type_name */
    size_t type_bytes; /**< of a STRUCT, its sizeof on the device; 0: custom.type_bytes */
    /** OpenCL C expression of x, the input's element, and i, its index (ulong), for example
     *  "sqrt(x)". OpenCL C converts its value to the output's type. Evaluated once for an element.
     *  NULL: the plan lacks this output and the later ones. */
    const char *value;
} clprims_map_output;

/** What to compute. Set at least type, max_n and output[0].value. */
typedef struct clprims_map_desc {
    clprims_type type; /**< of the input's elements, and of outputs whose type is not set */
    int no_input_array; /**< nonzero: there is no input array; values are expressions of i alone */
    size_t max_n; /**< the largest n that enqueue and run will be given */
    clprims_map_output output[CLPRIMS_MAP_OUTPUTS];
    /** Its declarations come before the values; type_name and type_bytes describe a STRUCT: of
     *  1 to 256 bytes with any alignment, also a vector of OpenCL C ("float4"), which needs no
     *  declarations. op, identity and commutative have no meaning here. */
    clprims_custom custom;
    /** What the values may name beside x and i, as core.h says, for example "global const float
     *  *weight, float limit". clprims_map_set_parameter gives them values. NULL: none. */
    const char *parameters;
    const char
        *tuning; /**< knobs that win over all tuning files, "GROUP=256 DEPTH=4"; NULL: none */
} clprims_map_desc;

/** One run's device buffers. n = 0 needs none of the arrays. */
typedef struct clprims_map_buffers {
    clprims_buffer in; /**< n elements; with no_input_array {NULL, 0} */
    /** n elements each, apart from each other. One of them may be the input itself where both have
     *  elements of one size. Outputs that the plan lacks are {NULL, 0}. */
    clprims_buffer out[CLPRIMS_MAP_OUTPUTS];
    /** Where n.mem is set: one uint64 (`first` counts uint64s), the number of elements, which is
     *  read when the work starts, so that an earlier command may write it. Apart from the outputs
     *  and the report. */
    clprims_buffer n;
    clprims_buffer report; /**< one clprims_map_report (`first` counts reports), which each run
                                writes, apart from the others; or {NULL, 0} */
} clprims_map_buffers;

/** One run's plain arrays. */
typedef struct clprims_map_arrays {
    const void *in; /**< n elements; NULL with no_input_array */
    void *out[CLPRIMS_MAP_OUTPUTS]; /**< n elements each; NULL for outputs that the plan lacks */
} clprims_map_arrays;

/** What a run may find. Values are pinned. */
typedef enum clprims_map_fault {
    CLPRIMS_MAP_VALID = 0,
    CLPRIMS_MAP_COUNT = 1 /**< the number in buffers.n exceeds the n of the call */
} clprims_map_fault;

/** What a run found, as it is in device memory: two 64-bit integers. */
typedef struct clprims_map_report {
    int64_t fault; /**< a clprims_map_fault */
    int64_t count; /**< the number of elements; with COUNT, the number as it was read, a uint64 */
} clprims_map_report;

/** A compiled plan. One run at a time; different plans may run at once. */
typedef struct clprims_map clprims_map;

/** What create decided. Texts belong to the plan. */
typedef struct clprims_map_info {
    size_t group; /**< work-items of a work-group */
    size_t groups; /**< work-groups that n elements get */
    size_t tile; /**< elements of a work-group */
    size_t scratch_bytes; /**< device memory that the plan holds */
    /** "serial": a work-item takes its tile's elements one by one; "vectors": adjacent work-items
     *  take adjacent elements or short vectors of them. Later versions may have more. */
    const char *variant;
    const char *programs; /**< where its programs are from, as core.h says */
} clprims_map_info;

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_map_create_sized(clprims_map **out,
                                                                    clprims_context *context,
                                                                    const clprims_map_desc *desc,
                                                                    size_t desc_bytes);

/**
 * Creates a plan: checks the description and compiles.
 *
 * The description and all that it points to may be changed or freed afterwards; the context must
 * outlive the plan.
 * Status: ARGUMENT, TOO_LARGE, UNSUPPORTED (float64 that the device can't do), BUILD (a text of the
 * caller's does not compile), and the OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_map_create(clprims_map **out, clprims_context *context,
                                                 const clprims_map_desc *desc) {
    return clprims_map_create_sized(out, context, desc, sizeof *desc);
}

/**
 * Sets parameter k of desc.parameters, from 0 on, as clSetKernelArg does: `bytes` bytes from
 * `value`, a cl_mem or a clprims_buffer for an array. It stays until it is set again; a run that
 * was submitted before keeps the old one. The plan holds no reference to a buffer: keep it while
 * runs may read it.
 * Status: ARGUMENT (an unknown parameter, a size other than its type's, a buffer of another
 * context), and the OpenCL ones.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_map_set_parameter(clprims_map *map, size_t k,
                                                                     size_t bytes,
                                                                     const void *value);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_map_enqueue_sized(
    clprims_map *map, cl_command_queue queue, const clprims_map_buffers *buffers,
    size_t buffers_bytes, size_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

/**
 * Submits one run, one launch, and returns at once. One pass: reads n elements and writes n of each
 * output.
 *
 * Each value is evaluated once for each i from 0 to n - 1, in no order. An array that is a
 * parameter must not be written by the run. On GPUs the speed hardly depends on where the input
 * and the first output begin. A later output of structures or of elements shorter than 4 bytes is
 * slower where its place within 16 bytes is not that of the first output.
 * Where buffers.n.mem is set, n is the most that the number there may be: the arrays have room for
 * n elements, elements behind the number are neither read nor written, and a greater number is a
 * fault, which the report names and which leaves the outputs as they are. The launch is that of n
 * elements; work-groups without elements end at once. One plan takes runs of both kinds in any
 * order.
 * Every parameter must have been set.
 * The OpenCL triple comes last, with OpenCL's meaning; the event may be NULL. Out-of-order queues
 * are safe. Never waits, reads back, allocates device memory or compiles.
 * Status: ARGUMENT, TOO_LARGE, and the OpenCL ones. Faults of the data are in the report.
 */
CLPRIMS_INLINE clprims_status clprims_map_enqueue(clprims_map *map, cl_command_queue queue,
                                                  const clprims_map_buffers *buffers, size_t n,
                                                  cl_uint num_wait, const cl_event *wait,
                                                  cl_event *event) {
    return clprims_map_enqueue_sized(map, queue, buffers, sizeof *buffers, n, num_wait, wait,
                                     event);
}

/** Turns a report that was read back into a status: OK, ARGUMENT for what is no report, or DATA
 * with the message "map: n = 5000, as read on the device, exceeds ...". */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_map_check(const clprims_map_report *report);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_map_run_sized(clprims_map *map,
                                                                 const clprims_map_arrays *arrays,
                                                                 size_t arrays_bytes, size_t n);

/**
 * Maps plain arrays: copies in, computes on the context's queue, copies out, returns when done.
 * Status: as enqueue; DEVICE_MEMORY when the arrays do not fit the device.
 */
CLPRIMS_INLINE clprims_status clprims_map_run(clprims_map *map, const clprims_map_arrays *arrays,
                                              size_t n) {
    return clprims_map_run_sized(map, arrays, sizeof *arrays, n);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_map_describe_sized(const clprims_map *map,
                                                                      size_t n,
                                                                      clprims_map_info *info,
                                                                      size_t info_bytes);

/** Fills *info for n elements, n <= max_n. Status: ARGUMENT, TOO_LARGE. */
CLPRIMS_INLINE clprims_status clprims_map_describe(const clprims_map *map, size_t n,
                                                   clprims_map_info *info) {
    return clprims_map_describe_sized(map, n, info, sizeof *info);
}

/** Destroys a plan. A run in flight ends all the same. NULL is fine. */
CLPRIMS_API void clprims_map_destroy(clprims_map *map);

#ifdef __cplusplus
}
#endif

#endif
