/* SPDX-License-Identifier: MIT */
/**
 * Reduce: the combination of all elements of an array, or the index of the least or the greatest.
 *
 *   out = init op in[0] op ... op in[n-1]
 *
 * The same bits everywhere. The order in which elements are combined depends on n and on whether
 * the operator commutes, not on the device, the layer or the tuning. Lanes of blocks are combined,
 * then the blocks' results are reduced in the same way. This function gives the same bits for
 * sums of floats; + stands for the operator, and init comes in front at the very end:
 *
 *   float reduce(const float *x, size_t n, float *sums) {  // n > 0; sums: room for n / 512 + 8
 *       size_t rows = n <= 1 << 20 ? 8 : n <= 1 << 25 ? 32 : 64, block = 128 * rows, count = 0;
 *       for (size_t b = 0; b < n; b += block) {
 *           float lane[128];
 *           size_t m = n - b < block ? n - b : block;
 *           for (size_t i = 0; i < m; i++)
 *               lane[i % 128] = i < 128 ? x[b + i] : lane[i % 128] + x[b + i];
 *           for (size_t d = 64; d > 0; d /= 2)
 *               for (size_t l = 0; l < d && l + d < m; l++) lane[l] = lane[l] + lane[l + d];
 *           sums[count++] = lane[0];
 *       }
 *       return count == 1 ? sums[0] : reduce(sums, count, sums + count);
 *   }
 *
 * An operator that need not commute (CLPRIMS_CUSTOM without custom.commutative) keeps its operands
 * in the order of the array: in place of the loops over i and d, each row of up to 128 elements is
 * combined by neighbours, d = 1, 2, ..., 64: lane[l] = lane[l] + lane[l + d] for l = 0, 2d, 4d, ...
 * with l + d < m; the block's result is row 0 + row 1 + ... from left to right.
 *
 * Where every order gives these bits (integers, argmin, argmax), the order is not specified.
 * FP_CONTRACT is off in the program: products and sums in the caller's texts round one by one, "x *
 * x" too, unless a text calls fma or mad. MIN and MAX of floats drop NaN; of two equal operands,
 * 0.0 and -0.0 too, they keep the first. A float result that is NaN is the positive quiet NaN
 * without payload (0x7fc00000, 0x7ff8000000000000).
 */
#ifndef CLPRIMS_REDUCE_H
#define CLPRIMS_REDUCE_H

#include <clprims/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What to reduce and how. Set at least type and max_n. */
typedef struct clprims_reduce_desc {
    clprims_type type; /**< of the input's elements */
    /** Of the running value, in which ARGMIN and ARGMAX compare; CLPRIMS_TYPE_DEFAULT: as type, in
     *  which a sum of int8 wraps at 8 bits. CLPRIMS_I64 widens the sum, as clprims_sum of once.h
     *  does. The input is converted as C does, or by `input`. */
    clprims_type accumulator;
    /** ARGMIN, ARGMAX: the lowest index of the least or greatest value. NaN is behind every other
     *  value, so it counts only where all are NaN; -0.0 equals 0.0. */
    clprims_op op;
    /** One accumulator value before the first element; NULL: none. Of ARGMIN and ARGMAX: the int64
     *  that n = 0 gives, for example -1; it has no effect on other n. */
    const void *init;
    size_t max_n; /**< the largest n that enqueue and run will be given; scratch grows with it */
    /** Zero (the default): the order above. Nonzero: any order for sums and products of floats,
     *  the same in every run on one device, where that is faster (narrow integers into floats). */
    int fast_floats;
    /** OpenCL C expression of x, the input's element, and i, its index (ulong): what to combine in
     *  its place, for example "x * x". Evaluated once for an element, as `result` is in a run.
     * NULL: x itself. */
    const char *input;
    /** Nonzero: there is no input array; `input` is an expression of i alone. */
    int no_input_array;
    /** OpenCL C expression of r, the result, of ARGMIN and ARGMAX the index (long), and i, the
     *  number of elements (ulong): what to store in its place, for example "r / i" or "r.sum".
     *  NULL: r itself. */
    const char *result;
    /** Of the output; CLPRIMS_TYPE_DEFAULT: the accumulator, of ARGMIN and ARGMAX int64;
     *  CLPRIMS_STRUCT: custom's type, also where the input has another one. `result` is converted
     *  as C does. */
    clprims_type result_type;
    clprims_custom custom; /**< for CLPRIMS_CUSTOM and CLPRIMS_STRUCT */
    const char
        *tuning; /**< knobs that win over all tuning files, "GROUP=256 DEPTH=4"; NULL: none */
    /** What `input` and `result` may name beside their operands, as core.h says, for example
     * "global const float *weight, float limit". clprims_reduce_set_parameter gives them values.
     * NULL: none. */
    const char *parameters;
} clprims_reduce_desc;

/** One run's device buffers. */
typedef struct clprims_reduce_buffers {
    clprims_buffer in; /**< n elements; with no_input_array or n = 0 {NULL, 0} */
    clprims_buffer out; /**< one value of result_type */
    /** Where n.mem is set: one uint64 (`first` counts uint64s), the number of elements, which is
     * read when the work starts, so that an earlier command may write it. Apart from out and
     * report. */
    clprims_buffer n;
    clprims_buffer report; /**< one clprims_reduce_report (`first` counts reports), or {NULL, 0} */
} clprims_reduce_buffers;

/** One run's plain arrays. */
typedef struct clprims_reduce_arrays {
    const void *in; /**< n elements; NULL with no_input_array */
    void *out; /**< one value of result_type, written unless there is a fault */
} clprims_reduce_arrays;

/** What a run may find. Values are pinned. */
typedef enum clprims_reduce_fault {
    CLPRIMS_REDUCE_VALID = 0,
    CLPRIMS_REDUCE_EMPTY = 1, /**< n = 0, and there is neither an initial value nor an identity */
    CLPRIMS_REDUCE_COUNT = 2 /**< the number in buffers.n exceeds the n of the call */
} clprims_reduce_fault;

/** What a run found, as it is in device memory: two 64-bit integers. */
typedef struct clprims_reduce_report {
    int64_t fault; /**< a clprims_reduce_fault */
    int64_t
        count; /**< elements that were combined; with COUNT, the number as it was read, a uint64 */
} clprims_reduce_report;

/** A compiled plan with its scratch. One run at a time; different plans may run at once. */
typedef struct clprims_reduce clprims_reduce;

/** What create decided. Texts belong to the plan. */
typedef struct clprims_reduce_info {
    size_t group; /**< work-items of a work-group */
    size_t groups; /**< work-groups that n elements get */
    size_t block; /**< elements of a block of n */
    size_t scratch_bytes; /**< device memory that the plan holds */
    /** "serial": a work-item combines a block by itself; "sub-group": 32 work-items do; "group": a
     *  work-group does, and work-groups of the levels above wait for what they combine. Later
     *  versions may have more. */
    const char *variant;
    const char *programs; /**< where its programs are from, as core.h says */
} clprims_reduce_info;

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_reduce_create_sized(clprims_reduce **out, clprims_context *context,
                            const clprims_reduce_desc *desc, size_t desc_bytes);

/**
 * Creates a plan: checks the description, compiles, allocates scratch.
 *
 * The description and all that it points to may be changed or freed afterwards; the context must
 * outlive the plan.
 * Status: ARGUMENT, TOO_LARGE, UNSUPPORTED (AND, OR, XOR of floats; float64 that the device can't
 * do), BUILD (a text of the caller's does not compile), and the OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_reduce_create(clprims_reduce **out, clprims_context *context,
                                                    const clprims_reduce_desc *desc) {
    return clprims_reduce_create_sized(out, context, desc, sizeof *desc);
}

/**
 * Sets parameter k of desc.parameters, from 0 on, as clSetKernelArg does: `bytes` bytes from
 * `value`, a cl_mem or a clprims_buffer for an array. It stays until it is set again; a run that
 * was submitted before keeps the old one. The plan holds no reference to a buffer: keep it while
 * runs may read it.
 * Status: ARGUMENT (an unknown parameter, a size other than its type's, a buffer of another
 * context), and the OpenCL ones.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_reduce_set_parameter(clprims_reduce *reduce,
                                                                        size_t k, size_t bytes,
                                                                        const void *value);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_reduce_enqueue_sized(
    clprims_reduce *reduce, cl_command_queue queue, const clprims_reduce_buffers *buffers,
    size_t buffers_bytes, size_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

/**
 * Submits the reduction of n elements, one launch, and returns at once. One pass: reads n elements.
 *
 * n = 0 gives `result` of the initial value, else the operator's identity (custom.identity of a
 * custom one); where there is neither, out stays as it is and the report says EMPTY. Where
 * buffers.n.mem is set, n is the most that the number there may be: `in` has room for n elements,
 * elements behind the number are not read, and a greater number is a fault, which the report names
 * and which leaves out as it is. The result has the bits of a run without buffers.n. The launch has
 * enough work-groups for n elements; work-groups without elements end at once. Variant "group" has
 * fewer of them than without buffers.n, each of several blocks. One plan takes runs of both kinds
 * in any order. No buffers overlap. Every parameter must have been set. The OpenCL triple comes
 * last, with OpenCL's meaning; the event may be NULL. Out-of-order queues are safe. Never waits,
 * reads back, allocates device memory or compiles. Status: ARGUMENT, TOO_LARGE, and the OpenCL
 * ones. Faults of the data are in the report.
 */
CLPRIMS_INLINE clprims_status clprims_reduce_enqueue(clprims_reduce *reduce, cl_command_queue queue,
                                                     const clprims_reduce_buffers *buffers,
                                                     size_t n, cl_uint num_wait,
                                                     const cl_event *wait, cl_event *event) {
    return clprims_reduce_enqueue_sized(reduce, queue, buffers, sizeof *buffers, n, num_wait, wait,
                                        event);
}

/** Turns a report that was read back into a status: OK, ARGUMENT for what is no report, or DATA
 * with the message "reduce: no elements, ...". */
CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_reduce_check(const clprims_reduce_report *report);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_reduce_run_sized(
    clprims_reduce *reduce, const clprims_reduce_arrays *arrays, size_t arrays_bytes, size_t n);

/**
 * Reduces plain arrays: copies in, reduces on the context's queue, copies out, returns when done.
 * Status: as enqueue; DATA (EMPTY); DEVICE_MEMORY when the array does not fit the device.
 */
CLPRIMS_INLINE clprims_status clprims_reduce_run(clprims_reduce *reduce,
                                                 const clprims_reduce_arrays *arrays, size_t n) {
    return clprims_reduce_run_sized(reduce, arrays, sizeof *arrays, n);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_reduce_describe_sized(
    const clprims_reduce *reduce, size_t n, clprims_reduce_info *info, size_t info_bytes);

/** Fills *info for n elements, n <= max_n. Status: ARGUMENT, TOO_LARGE. */
CLPRIMS_INLINE clprims_status clprims_reduce_describe(const clprims_reduce *reduce, size_t n,
                                                      clprims_reduce_info *info) {
    return clprims_reduce_describe_sized(reduce, n, info, sizeof *info);
}

/** Destroys a plan. A run in flight ends all the same. NULL is fine. */
CLPRIMS_API void clprims_reduce_destroy(clprims_reduce *reduce);

#ifdef __cplusplus
}
#endif

#endif
