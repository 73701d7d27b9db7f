/* SPDX-License-Identifier: MIT */
/**
 * Histogram: how many elements fall into each bin, or the sum of their weights.
 *
 *   out[b] = number of i with bin(in[i], i) == b, or the sum of weights[i] over these i
 *
 * Bins. CLPRIMS_HISTOGRAM_EVEN divides [least, most] into bins of equal width, as numpy.histogram:
 * edge b is least + b * ((most - least) / bins) in double, each operation rounded, and the last
 * edge is most; of float32 elements edges are rounded to float. An element is compared as a double
 * (float32: as a float): it is in the last bin b with edge b <= x, and x = most is in bin bins - 1.
 * CLPRIMS_HISTOGRAM_EDGES does the same with edges of the caller's. NaN is outside. With
 * CLPRIMS_HISTOGRAM_EXPRESSION an integer expression gives the bin; negative ones and bins from
 * `bins` on are outside.
 *
 * Elements outside are in no bin, whatever their weights are, NaN too; the report has their number
 * and the lowest index of one. With refuse_outside they are a fault of the data.
 *
 * Sums. Counts and sums of integers are exact, modulo 2^32 or 2^64 of the sums' type. Sums of
 * floats have the same bits in every order, on every device: with 2^e the largest power of two in a
 * weight of an element in a bin and n < 2^k, each weight is rounded to a multiple of 2^(e - 126 +
 * k), ties away from zero; these multiples are added exactly, and the sum is rounded once to the
 * sums' type, ties to even. So a double weight loses no bits unless it is more than 2^(73 - k)
 * times smaller than the largest one.
 */
#ifndef CLPRIMS_HISTOGRAM_H
#define CLPRIMS_HISTOGRAM_H

#include <clprims/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What says the bin of an element. Values are pinned. */
typedef enum clprims_histogram_by {
    CLPRIMS_HISTOGRAM_EVEN = 0, /**< bins of equal width: least, most */
    CLPRIMS_HISTOGRAM_EDGES = 1, /**< sorted edges */
    CLPRIMS_HISTOGRAM_EXPRESSION = 2 /**< an expression: bin */
} clprims_histogram_by;

/** What to count. Set at least type, bins and max_n. */
typedef struct clprims_histogram_desc {
    clprims_type type; /**< of the elements; STRUCT with an expression only */
    size_t bins; /**< 1 to 2^31 */
    size_t max_n; /**< the largest n that enqueue and run will be given */
    clprims_histogram_by by;
    double least; /**< EVEN: the first edge; finite */
    double most; /**< EVEN: the last edge, above least; finite */
    /** EDGES: bins + 1 elements of `type`, none below the one before it; copied at create. */
    const void *edges;
    /** EXPRESSION: an integer, OpenCL C, of x, the element, and i, its index (ulong): "x >> 24".
     *  Evaluated at most three times for an element: where it counts, for the largest float weight,
     *  and where a run looks for the element that is at fault. */
    const char *bin;
    /** What `bin` may name besides, as core.h says; NULL: nothing. */
    const char *parameters;
    /** Of the weights' elements, an integer or a float type; CLPRIMS_TYPE_DEFAULT: elements are
     *  counted. */
    clprims_type weights;
    /** Of the output. CLPRIMS_TYPE_DEFAULT: uint64 for counts; int64, uint64, float32 or float64
     *  for sums, as the weights are. Counts may be uint32, sums of integers have 32 or 64 bits,
     * sums of floats are floats. */
    clprims_type sums;
    /** Nonzero: floats are rounded to multiples of 2^(e - 62 + k), which is faster and as
     *  reproducible, but weights that are small beside the largest one lose bits. */
    int fast_floats;
    int refuse_outside; /**< nonzero: an element outside of the bins is a fault */
    clprims_custom custom; /**< of a STRUCT: type_name, type_bytes, declarations */
    const char *tuning; /**< knobs that win over all tuning files, "GROUP=256"; NULL: none */
} clprims_histogram_desc;

/** One run's device buffers. */
typedef struct clprims_histogram_buffers {
    clprims_buffer in; /**< n elements; n = 0: {NULL, 0} */
    clprims_buffer weights; /**< n elements; without weights or with n = 0 {NULL, 0} */
    clprims_buffer out; /**< `bins` sums, written unless there is a fault */
    /** Where n.mem is set: one uint64 (`first` counts uint64s), the number of elements, which is
     * read when the work starts, so that an earlier command may write it. Apart from out and
     * report. */
    clprims_buffer n;
    clprims_buffer
        report; /**< one clprims_histogram_report (`first` counts reports), or {NULL, 0} */
} clprims_histogram_buffers;

/** One run's plain arrays. */
typedef struct clprims_histogram_arrays {
    const void *in; /**< n elements */
    const void *weights; /**< n elements; NULL without weights */
    void *out; /**< `bins` sums, written unless there is a fault */
    uint64_t *outside; /**< where the number of elements outside goes, or NULL */
} clprims_histogram_arrays;

/** What a run may find. Values are pinned. */
typedef enum clprims_histogram_fault {
    CLPRIMS_HISTOGRAM_VALID = 0,
    CLPRIMS_HISTOGRAM_OUTSIDE = 1, /**< with refuse_outside: an element is outside of the bins */
    CLPRIMS_HISTOGRAM_WEIGHT = 2, /**< a float weight of an element in a bin is infinite or NaN */
    CLPRIMS_HISTOGRAM_COUNT = 3 /**< the number in buffers.n exceeds the n of the call */
} clprims_histogram_fault;

/** What a run found, as it is in device memory: three 64-bit integers. */
typedef struct clprims_histogram_report {
    int64_t fault; /**< a clprims_histogram_fault */
    int64_t outside; /**< elements outside of the bins */
    /** Of WEIGHT the lowest index of one, else of an element outside; -1: none. Of COUNT the number
     *  of elements, as it was read; a uint64. */
    int64_t index;
} clprims_histogram_report;

/** A compiled plan with its scratch. One run at a time; different plans may run at once. */
typedef struct clprims_histogram clprims_histogram;

/** What create decided. Texts belong to the plan. */
typedef struct clprims_histogram_info {
    size_t group; /**< work-items of a work-group */
    size_t groups; /**< work-groups that count n elements */
    size_t parts; /**< work-groups that read each element, for a part of the bins each */
    size_t copies; /**< counters of a bin in a work-group */
    size_t scratch_bytes; /**< device memory that the plan holds */
    /** "local": work-groups count in local memory; "bytes": the same, and each work-item counts the
     *  256 values of a byte by itself; "serial": work-items count by themselves, in device memory;
     *  "global": all count in device memory together. */
    const char *variant;
    const char *programs; /**< where its programs are from, as core.h says */
} clprims_histogram_info;

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_histogram_create_sized(clprims_histogram **out, clprims_context *context,
                               const clprims_histogram_desc *desc, size_t desc_bytes);

/**
 * Creates a plan: checks the description, compiles, allocates scratch.
 *
 * The description and all that it points to may be changed or freed afterwards; the context must
 * outlive the plan.
 * Status: ARGUMENT, TOO_LARGE, UNSUPPORTED (float64, or even bins that need it, where the device
 * has none), BUILD (a text of the caller's does not compile), and the OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_histogram_create(clprims_histogram **out,
                                                       clprims_context *context,
                                                       const clprims_histogram_desc *desc) {
    return clprims_histogram_create_sized(out, context, desc, sizeof *desc);
}

/** Sets parameter k of desc.parameters, counted from 0, as clprims_scan_set_parameter does.
 *  Status: as there. */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_histogram_set_parameter(
    clprims_histogram *histogram, size_t k, size_t bytes, const void *value);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_histogram_enqueue_sized(
    clprims_histogram *histogram, cl_command_queue queue, const clprims_histogram_buffers *buffers,
    size_t buffers_bytes, size_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

/**
 * Submits the histogram of n elements and returns at once. Reads n elements, as often as
 * describe says (parts), and n weights, twice if they are floats, then some elements once more;
 * writes `bins` sums.
 *
 * n = 0 gives zeros. Where buffers.n.mem is set, n is the most that the number there may be: `in`
 * and `weights` have room for n elements, elements after the number are not read, and a greater
 * number is a fault, which the report names and which leaves out as it is. The launches are the
 * launches of n elements. One plan takes runs of both kinds in any order.
 * Only in and weights may overlap. Every parameter must have been set.
 * The OpenCL triple comes last, with OpenCL's meaning; the event may be NULL. Out-of-order
 * queues are safe. Never waits, reads back, allocates device memory or compiles.
 * Status: ARGUMENT, TOO_LARGE, and the OpenCL ones. Faults of the data are in the report.
 */
CLPRIMS_INLINE clprims_status clprims_histogram_enqueue(clprims_histogram *histogram,
                                                        cl_command_queue queue,
                                                        const clprims_histogram_buffers *buffers,
                                                        size_t n, cl_uint num_wait,
                                                        const cl_event *wait, cl_event *event) {
    return clprims_histogram_enqueue_sized(histogram, queue, buffers, sizeof *buffers, n, num_wait,
                                           wait, event);
}

/** Turns a report that was read back into a status: OK, ARGUMENT for what is no report, or DATA
 * with the message "histogram: element 5 is outside of the bins ...". */
CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_histogram_check(const clprims_histogram_report *report);

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_histogram_run_sized(clprims_histogram *histogram, const clprims_histogram_arrays *arrays,
                            size_t arrays_bytes, size_t n);

/**
 * Counts plain arrays: copies in, counts on the context's queue, copies out, returns when done.
 * Status: as enqueue; DATA (OUTSIDE, WEIGHT); DEVICE_MEMORY when the arrays do not fit the device.
 */
CLPRIMS_INLINE clprims_status clprims_histogram_run(clprims_histogram *histogram,
                                                    const clprims_histogram_arrays *arrays,
                                                    size_t n) {
    return clprims_histogram_run_sized(histogram, arrays, sizeof *arrays, n);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_histogram_describe_sized(
    const clprims_histogram *histogram, size_t n, clprims_histogram_info *info, size_t info_bytes);

/** Fills *info for n elements, n <= max_n. Status: ARGUMENT, TOO_LARGE. */
CLPRIMS_INLINE clprims_status clprims_histogram_describe(const clprims_histogram *histogram,
                                                         size_t n, clprims_histogram_info *info) {
    return clprims_histogram_describe_sized(histogram, n, info, sizeof *info);
}

/** Destroys a plan. A run in flight ends all the same. NULL is fine. */
CLPRIMS_API void clprims_histogram_destroy(clprims_histogram *histogram);

#ifdef __cplusplus
}
#endif

#endif
