/* SPDX-License-Identifier: MIT */
/**
 * One-shot calls: sums, extremes, cumulative sums and sorts without a plan, of plain arrays and of
 * device buffers.
 *
 *   double total;
 *   status = clprims_sum(context, CLPRIMS_F64, values, n, &total);
 *
 *   status = clprims_sum_enqueue(context, queue, CLPRIMS_F64, values, n, total, 0, NULL, NULL);
 *
 * A call on plain arrays copies n elements to the device, runs a plan on the context's queue,
 * copies the result back and returns when it is done. A call that ends in _enqueue submits a plan
 * to any queue of the context's cl_context and device, or with NULL to the context's own. Other
 * operators need a plan of the caller's: reduce.h, scan.h, sort.h, select.h.
 *
 * Types. type is an integer type, CLPRIMS_F32 or CLPRIMS_F64. Sums and cumulative sums have 64 bits
 * for integers, as NumPy's: int64_t for signed types, uint64_t for unsigned ones, modulo 2^64; sums
 * of int8 do not wrap at 8 bits, as they do in reduce.h and scan.h without a wider accumulator.
 * Sums of floats have the type of the elements. Indices are int64_t, from 0 on.
 *
 * Plans. The context keeps the plans behind the calls, each for one queue, so that runs on two
 * queues do not wait for each other. The first call compiles, allocates scratch and waits for the
 * context's queue; a later one with the same function, type and queue, and with an n that rounds up
 * to the same power of two (at least 1024), does none of these. 16 plans are kept of each queue,
 * and 64 in all; where another one is needed, the least recently used one is destroyed, which does
 * not stop its runs. The context retains a queue until its last kept plan is destroyed.
 * clprims_forget_plans frees the plans' memory, as destroying the context does. A call on plain
 * arrays allocates its arrays on the device and frees them.
 *
 * Threads. Any number of threads may call at once with one context: calls at the same time have
 * plans of their own.
 *
 * Order. The _enqueue calls have OpenCL's num_wait, wait and event. On an in-order queue each runs
 * behind the one before it. On a queue out of order, and between queues, only events order calls
 * that share buffers.
 *
 * Empty arrays. n = 0 needs no array: the sum is 0, and nothing is written to an array. The least
 * and the greatest element, and their indices, do not exist then: these calls return DATA.
 *
 * Status, of all calls: ARGUMENT (NULL, an unknown type, buffers too small), TOO_LARGE, UNSUPPORTED
 * (float64 that the device can't do), DATA (as above), DEVICE_MEMORY when the arrays do not fit the
 * device, and the other OpenCL ones. After the first four, nothing is written. The message of a
 * failed plan begins with the name of its primitive, "reduce: ...".
 */
#ifndef CLPRIMS_ONCE_H
#define CLPRIMS_ONCE_H

#include <clprims/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Writes the sum of n elements: one int64_t, uint64_t, float or double. The bits of a sum of floats
 * are as in reduce.h, on every device. Reads n elements once.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_sum(clprims_context *context, clprims_type type,
                                                       const void *in, size_t n, void *out);

/**
 * Writes the least of n elements: one element. NaN is dropped, as by fmin; where all are NaN, so
 * is the result. n = 0: DATA. Reads n elements once.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_min(clprims_context *context, clprims_type type,
                                                       const void *in, size_t n, void *out);

/** The same of the greatest element. */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_max(clprims_context *context, clprims_type type,
                                                       const void *in, size_t n, void *out);

/**
 * Writes the lowest index of the least of n elements. NaN comes after every other value; -0.0
 * equals 0.0. n = 0: DATA. Reads n elements once.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_argmin(clprims_context *context,
                                                          clprims_type type, const void *in,
                                                          size_t n, int64_t *out);

/** The same of the greatest element; there, too, NaN counts only where all are NaN. */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_argmax(clprims_context *context,
                                                          clprims_type type, const void *in,
                                                          size_t n, int64_t *out);

/**
 * Writes n sums: out[i] = in[0] + ... + in[i]. Their type is that of clprims_sum. out may be in
 * itself where both have elements of one size; no other overlap. Floats have the same bits in
 * every run on one device. Reads n elements and writes n.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_cumsum(clprims_context *context,
                                                          clprims_type type, const void *in,
                                                          size_t n, void *out);

/** The same without the element itself: out[0] = 0, out[i] = in[0] + ... + in[i-1]. */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_exclusive_cumsum(clprims_context *context,
                                                                    clprims_type type,
                                                                    const void *in, size_t n,
                                                                    void *out);

/**
 * Sorts n elements in place, in ascending order. NaN comes after all numbers; -0.0 and 0.0 are
 * equal and keep their order. The cost is that of clprims_sort_enqueue.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_sort_in_place(clprims_context *context,
                                                                 clprims_type type, void *array,
                                                                 size_t n);

/**
 * Writes the n indices that sort the array: in[out[0]] is the least element. Equal elements are in
 * the order of their indices. The order is that of clprims_sort_in_place.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_argsort(clprims_context *context,
                                                           clprims_type type, const void *in,
                                                           size_t n, int64_t *out);

/**
 * Writes the indices of the elements that are not 0, in ascending order, and to *count how many
 * they are. out: room for n. NaN is not 0; -0.0 is. Reads n elements once. *count is 0 after a
 * failure.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_nonzero(clprims_context *context,
                                                           clprims_type type, const void *in,
                                                           size_t n, int64_t *out, size_t *count);

/* ---- Device buffers ------------------------------------------------------------------------ */

/*
 * As the calls above, on n elements of `in` from in.first on. `first` counts elements of the
 * buffer's own type; elements of `out` have the type that the calls above write. A call with n = 0
 * needs no `in`.
 */

/** Writes the sum of n elements, 0 if n = 0. */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_sum_enqueue(
    clprims_context *context, cl_command_queue queue, clprims_type type, clprims_buffer in,
    size_t n, clprims_buffer out, cl_uint num_wait, const cl_event *wait, cl_event *event);

/** Writes the least element. n = 0: DATA, at once. */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_min_enqueue(
    clprims_context *context, cl_command_queue queue, clprims_type type, clprims_buffer in,
    size_t n, clprims_buffer out, cl_uint num_wait, const cl_event *wait, cl_event *event);

/** Writes the greatest element. n = 0: DATA, at once. */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_max_enqueue(
    clprims_context *context, cl_command_queue queue, clprims_type type, clprims_buffer in,
    size_t n, clprims_buffer out, cl_uint num_wait, const cl_event *wait, cl_event *event);

/** Writes the lowest index, an int64, of the least element. n = 0: DATA, at once. */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_argmin_enqueue(
    clprims_context *context, cl_command_queue queue, clprims_type type, clprims_buffer in,
    size_t n, clprims_buffer out, cl_uint num_wait, const cl_event *wait, cl_event *event);

/** Writes the lowest index, an int64, of the greatest element. n = 0: DATA, at once. */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_argmax_enqueue(
    clprims_context *context, cl_command_queue queue, clprims_type type, clprims_buffer in,
    size_t n, clprims_buffer out, cl_uint num_wait, const cl_event *wait, cl_event *event);

/** Writes n inclusive sums. In place as clprims_cumsum. */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_cumsum_enqueue(
    clprims_context *context, cl_command_queue queue, clprims_type type, clprims_buffer in,
    size_t n, clprims_buffer out, cl_uint num_wait, const cl_event *wait, cl_event *event);

/** Writes n exclusive sums. In place as clprims_cumsum. */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_exclusive_cumsum_enqueue(
    clprims_context *context, cl_command_queue queue, clprims_type type, clprims_buffer in,
    size_t n, clprims_buffer out, cl_uint num_wait, const cl_event *wait, cl_event *event);

/** Sorts n elements in place. */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_sort_in_place_enqueue(
    clprims_context *context, cl_command_queue queue, clprims_type type, clprims_buffer array,
    size_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

/** Writes the n indices, int64, that sort the buffer. */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_argsort_enqueue(
    clprims_context *context, cl_command_queue queue, clprims_type type, clprims_buffer in,
    size_t n, clprims_buffer out, cl_uint num_wait, const cl_event *wait, cl_event *event);

/** Writes the indices, int64, of the elements that are not 0, and their number to `count`, one
 *  uint64. The number may be another call's buffers.n. out: room for n. */
CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_nonzero_enqueue(clprims_context *context, cl_command_queue queue, clprims_type type,
                        clprims_buffer in, size_t n, clprims_buffer out, clprims_buffer count,
                        cl_uint num_wait, const cl_event *wait, cl_event *event);

/** Destroys the plans that the context keeps for these calls, except plans in use.
 *  NULL is fine. */
CLPRIMS_API void clprims_forget_plans(clprims_context *context);

#ifdef __cplusplus
}
#endif

#endif
