/* SPDX-License-Identifier: MIT */
/**
 * Segmented sort: each segment of an array in order by itself, with payload arrays in the same
 * order, or the indices that would sort each segment.
 *
 * Segments are given by offsets (segment s has the elements from offsets[s] to offsets[s + 1] - 1)
 * or by one length.
 * Orders are as in sort.h, and stable, also when descending. Short segments are sorted in local
 * memory, each by a few work-items or a work-group. Segments that have no room there are sorted all
 * at once: on NVIDIA GPUs by a radix sort of each segment where it is, cut into tiles; elsewhere by
 * a radix sort over their keys and then over the numbers of their segments. Runs of up to 2^24
 * elements may sort long segments by parts on NVIDIA GPUs, and merge these. So neither many
 * segments nor one giant segment is slow.
 * Source: Satish, Harris, Garland 2009 (merge and radix sort); Green, McColl, Bader 2012 (merge
 * path); Adinets, Merrill 2022 (onesweep).
 */
#ifndef CLPRIMS_SEGMENTED_SORT_H
#define CLPRIMS_SEGMENTED_SORT_H

#include <clprims/sort.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How segments are sorted. Values are pinned. */
typedef enum clprims_segmented_sort_algorithm {
    CLPRIMS_SEGMENTED_SORT_AUTO = 0, /**< SERIAL on CPUs, else GROUPS */
    CLPRIMS_SEGMENTED_SORT_GROUPS = 1, /**< short segments by several work-items each */
    CLPRIMS_SEGMENTED_SORT_SERIAL = 2 /**< short segments by one work-item each, no barriers */
} clprims_segmented_sort_algorithm;

/** What to sort and how. Set type, max_n and
 *  max_segments. */
typedef struct clprims_segmented_sort_desc {
    clprims_type type; /**< of the keys: any integer type, float32 or float64 */
    int descending; /**< nonzero: the greatest key first; equal keys keep their order */
    clprims_sort_floats floats; /**< of float keys; the default is NumPy's order */
    size_t payloads; /**< arrays that move as the keys do */
    size_t payload_bytes[CLPRIMS_SORT_PAYLOADS]; /**< of each one's element, 1 to 256 */
    /** 32- or 64-bit integers: also give each key's index before the sort; DEFAULT: do not. */
    clprims_type indices;
    int local_indices; /**< zero: indices in the array, else in the segment */
    int no_keys; /**< nonzero: the keys are read only; payloads or indices are the results */
    clprims_type offsets; /**< CLPRIMS_I64 (also the default), CLPRIMS_I32, CLPRIMS_U64, or
                               CLPRIMS_U32 with max_n of at most 2^31 - 1; by length DEFAULT */
    size_t max_n; /**< the largest n that enqueue and run will be given */
    size_t max_segments; /**< the largest number of segments, at least 1 */
    clprims_segmented_sort_algorithm algorithm;
    const char *tuning; /**< knobs that win over all tuning files; NULL: none */
    unsigned begin_bit, end_bit; /**< the window of bits, as clprims_sort_desc has it */
    /** The key of an element, as clprims_sort_desc has it; then keys_in and keys_out have elements.
     *  i, its index, counts from the first element of the array. Evaluated once. NULL: the elements
     * are the keys.
     */
    const char *key;
    clprims_type elements; /**< with `key`, their type; CLPRIMS_TYPE_DEFAULT: `type` */
    clprims_custom custom; /**< declarations, and of a STRUCT type_name and type_bytes */
    /** What `key` and `then` may name besides, as core.h says; NULL: nothing. */
    const char *parameters;
    /** Further keys, as clprims_sort_desc has them. Keys that have at most 64 bits together, of
     *  `key` those of its window, are packed into one integer, by which segments are sorted. Of
     *  longer keys, all n elements are sorted first, and then segments by the ranks of their
     *  elements. Needs `key`. */
    const char *then[CLPRIMS_SORT_KEYS - 1];
    clprims_type then_type[CLPRIMS_SORT_KEYS - 1]; /**< of each one; DEFAULT: `type` */
    clprims_segments_by by; /**< CLPRIMS_SEGMENTS_OFFSETS or CLPRIMS_SEGMENTS_EQUAL */
} clprims_segmented_sort_desc;

/** The sizes of a run besides n. */
typedef struct clprims_segmented_sort_sizes {
    size_t segments; /**< by offsets: the number of segments */
    size_t length; /**< with CLPRIMS_SEGMENTS_EQUAL: the elements of a segment, at least 1 */
} clprims_segmented_sort_sizes;

/** One run's device buffers. An array that the plan does not use is {NULL, 0}. */
typedef struct clprims_segmented_sort_buffers {
    clprims_buffer offsets; /**< segments + 1 of them, none less than the one before, in [0, n]; by
                                 length {NULL, 0} */
    clprims_buffer keys_in; /**< n keys; with `key` n elements */
    clprims_buffer keys_out; /**< as keys_in, each segment in order; with no_keys {NULL, 0} */
    clprims_buffer payload_in[CLPRIMS_SORT_PAYLOADS]; /**< n elements each */
    clprims_buffer payload_out[CLPRIMS_SORT_PAYLOADS]; /**< n elements each, in the keys' order */
    clprims_buffer indices; /**< n of them, where `indices` of the description names a type */
    clprims_buffer report; /**< one clprims_segmented_sort_report (`first` counts reports), or
                               {NULL, 0} */
    /** Where n.mem is set: one uint64 (`first` counts uint64s), the number of elements, which is
     *  read when the work starts, so that an earlier command may write it. Apart from all that is
     *  written. */
    clprims_buffer n;
    clprims_buffer segments; /**< by offsets: likewise, the number of segments */
    clprims_segmented_sort_sizes sizes;
} clprims_segmented_sort_buffers;

/** One run's plain arrays, as the buffers are. An array that the plan does not use is NULL. */
typedef struct clprims_segmented_sort_arrays {
    const void *offsets;
    const void *keys_in;
    void *keys_out; /**< may be keys_in itself */
    const void *payload_in[CLPRIMS_SORT_PAYLOADS];
    void *payload_out[CLPRIMS_SORT_PAYLOADS]; /**< each may be its payload_in itself */
    void *indices;
    clprims_segmented_sort_sizes sizes;
} clprims_segmented_sort_arrays;

/** What a run may find. Values are pinned. */
typedef enum clprims_segmented_sort_fault {
    CLPRIMS_SEGMENTED_SORT_VALID = 0,
    /** offsets[index] is less than offsets[index - 1], or than 0, or greater than n */
    CLPRIMS_SEGMENTED_SORT_OFFSETS = 1,
    /** The number of elements in buffers.n exceeds the n of the call. */
    CLPRIMS_SEGMENTED_SORT_COUNT = 2,
    /** The number in buffers.segments exceeds sizes.segments. */
    CLPRIMS_SEGMENTED_SORT_SEGMENTS = 3
} clprims_segmented_sort_fault;

/** What a run found, as it is in device memory: two 64-bit integers. */
typedef struct clprims_segmented_sort_report {
    int64_t fault; /**< a clprims_segmented_sort_fault */
    /** With OFFSETS the lowest index that shows it; with COUNT and SEGMENTS the number that was
     *  read, a uint64; else -1. */
    int64_t index;
} clprims_segmented_sort_report;

/** A compiled plan with its scratch. One run at a time; different plans may run at once. */
typedef struct clprims_segmented_sort clprims_segmented_sort;

/** What create decided. Texts belong to the library.
 */
typedef struct clprims_segmented_sort_info {
    clprims_segmented_sort_algorithm algorithm; /**< never AUTO */
    size_t local; /**< elements of a segment that is sorted in local memory, at most */
    size_t scratch_bytes; /**< device memory that the plan holds */
    /** "short" where no segment can have more than `local` elements, else "short-and-long". */
    const char *variant;
    const char *programs; /**< where its programs are from, as core.h says */
} clprims_segmented_sort_info;

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_segmented_sort_create_sized(clprims_segmented_sort **out, clprims_context *context,
                                    const clprims_segmented_sort_desc *desc, size_t desc_bytes);

/**
 * Creates a plan. The context must outlive it. Its scratch is what describe says: lists of segments
 * and a copy of the payloads; where a segment may be long, on NVIDIA GPUs a copy of the keys (two
 * with desc.no_keys) and, with payloads or indices, two of their places, elsewhere three or four
 * copies of the keys, of the numbers of their segments and of the places; with desc.key another one
 * of the keys, and one of the elements. With desc.then these keys are packed ones or ranks; ranks
 * need also two of an index of 4 or 8 bytes for each of max_n elements, and for each type of the
 * keys two copies of max_n such keys and one of an index each. Status: ARGUMENT, TOO_LARGE (max_n
 * beyond the indices' type too), UNSUPPORTED (knobs that the device can't do; float64 where it has
 * none), BUILD (a text of the caller's does not compile), and the OpenCL ones.
 */
CLPRIMS_INLINE clprims_status
clprims_segmented_sort_create(clprims_segmented_sort **out, clprims_context *context,
                              const clprims_segmented_sort_desc *desc) {
    return clprims_segmented_sort_create_sized(out, context, desc, sizeof *desc);
}

/** Sets parameter k of desc.parameters, counted from 0, as clprims_scan_set_parameter does.
 *  Status: as there. */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_segmented_sort_set_parameter(
    clprims_segmented_sort *plan, size_t k, size_t bytes, const void *value);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_segmented_sort_enqueue_sized(
    clprims_segmented_sort *plan, cl_command_queue queue,
    const clprims_segmented_sort_buffers *buffers, size_t buffers_bytes, size_t n, cl_uint num_wait,
    const cl_event *wait, cl_event *event);

/**
 * Submits the sort of sizes.segments segments in n elements, and returns at once. Elements of short
 * segments are read and written once. On NVIDIA GPUs keys of long segments are read once to count
 * their digits, then read and written once for each 8 bits in which keys of some segment differ;
 * with payloads or indices the places of the elements move with the keys, and payloads move once.
 * Elsewhere long segments are gathered, sorted as sort.h says by the bits of their keys and by as
 * many bits as the numbers of long segments have, and written. With desc.key all n elements are
 * read once more to make the keys, with desc.then also packed ones, and elements move once. Where
 * the keys have more than 64 bits together, ranks of 4 or 8 bytes are the keys; what makes these
 * costs more than all else: a sort of n indices by each key, as desc.then of sort.h has it, and a
 * write of n ranks to random places.
 *
 * Elements before the first offset and from the last one on are in no segment: they are not written
 * nor, without desc.key, read. Each output may be exactly the place of its own input; nothing else
 * may overlap. Where offsets are at fault, nothing is read or written outside the buffers, and the
 * outputs are undefined. n = 0 needs the offsets alone. Every parameter must have been set.
 *
 * Where buffers.n.mem is set, n is the most that the number there may be, and so is sizes.segments
 * where buffers.segments.mem is: the arrays have room for n elements and sizes.segments + 1
 * offsets, and a greater number is a fault, which leaves the outputs as they are. The launches are
 * those of n and sizes.segments. One plan takes runs of all kinds in any order.
 * Status: ARGUMENT, TOO_LARGE, and the OpenCL ones. Faults of the data are in the report.
 */
CLPRIMS_INLINE clprims_status
clprims_segmented_sort_enqueue(clprims_segmented_sort *plan, cl_command_queue queue,
                               const clprims_segmented_sort_buffers *buffers, size_t n,
                               cl_uint num_wait, const cl_event *wait, cl_event *event) {
    return clprims_segmented_sort_enqueue_sized(plan, queue, buffers, sizeof *buffers, n, num_wait,
                                                wait, event);
}

/** Turns a report that was read back into a status: OK, ARGUMENT for what is no report, or DATA
 * with a message like "segmented_sort: offsets[17] is less than the offset before, ...". */
CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_segmented_sort_check(const clprims_segmented_sort_report *report);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_segmented_sort_run_sized(
    clprims_segmented_sort *plan, const clprims_segmented_sort_arrays *arrays, size_t arrays_bytes,
    size_t n);

/**
 * Sorts plain arrays: copies in, sorts on the context's queue, copies out, returns when done.
 * Elements in no segment stay as they are. Outputs are written unless there is a fault.
 * Status: as enqueue, DATA, and DEVICE_MEMORY when the arrays do not fit the device.
 */
CLPRIMS_INLINE clprims_status clprims_segmented_sort_run(
    clprims_segmented_sort *plan, const clprims_segmented_sort_arrays *arrays, size_t n) {
    return clprims_segmented_sort_run_sized(plan, arrays, sizeof *arrays, n);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_segmented_sort_describe_sized(
    const clprims_segmented_sort *plan, size_t n, clprims_segmented_sort_sizes sizes,
    clprims_segmented_sort_info *info, size_t info_bytes);

/** Fills *info for n elements in sizes.segments segments. Status: ARGUMENT, TOO_LARGE. */
CLPRIMS_INLINE clprims_status clprims_segmented_sort_describe(const clprims_segmented_sort *plan,
                                                              size_t n,
                                                              clprims_segmented_sort_sizes sizes,
                                                              clprims_segmented_sort_info *info) {
    return clprims_segmented_sort_describe_sized(plan, n, sizes, info, sizeof *info);
}

/** Destroys a plan. A run in flight ends all the same. NULL is fine. */
CLPRIMS_API void clprims_segmented_sort_destroy(clprims_segmented_sort *plan);

#ifdef __cplusplus
}
#endif

#endif
