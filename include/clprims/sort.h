/* SPDX-License-Identifier: MIT */
/**
 * Sort: keys in order, with payload arrays in the same order, or the indices that would sort them.
 *
 * A stable least-significant-digit radix sort of integers and floats, ascending or descending, of
 * whole keys or of a window of their bits. Equal keys keep their order, also when descending. Keys
 * may be made of elements, structures too, by an expression in OpenCL C; up to four expressions
 * sort by several keys. Source: Satish, Harris, Garland 2009; NumPy's sort and argsort
 * (kind="stable") and lexsort.
 */
#ifndef CLPRIMS_SORT_H
#define CLPRIMS_SORT_H

#include <clprims/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The most payload arrays of one plan. */
#define CLPRIMS_SORT_PAYLOADS 4

/** The most keys by which one plan sorts: `key` and `then`. */
#define CLPRIMS_SORT_KEYS 4

/** How floats are ordered. Values are pinned. */
typedef enum clprims_sort_floats {
    /** As NumPy: NaN, of either sign, comes after all numbers, also when descending; NaNs are
     * equal to each other, and -0.0 is equal to +0.0. */
    CLPRIMS_SORT_NAN_LAST = 0,
    /** By their bits: -NaN, -inf, ..., inf, NaN; but -0.0 is equal to +0.0. */
    CLPRIMS_SORT_NAN_BY_BITS = 1,
    /** IEEE 754 totalOrder: as NAN_BY_BITS, with -0.0 before +0.0. */
    CLPRIMS_SORT_TOTAL_ORDER = 2
} clprims_sort_floats;

/** How sort works. Values are pinned. */
typedef enum clprims_sort_algorithm {
    /** The fastest that is known to be safe on the device. */
    CLPRIMS_SORT_AUTO = 0,
    /** Each digit by three kernels: count per tile, scan the counts, scatter. Needs no progress of
     *  one work-group while another one waits, and no atomics but in local memory. */
    CLPRIMS_SORT_COUNT_SCATTER = 1,
    /** The same with one work-item a part of the keys and no barriers, for CPUs. */
    CLPRIMS_SORT_SERIAL = 2,
    /** Each digit by one kernel that reads and writes the keys once and finds by look-back where
     *  they go (Adinets, Merrill 2022). For NVIDIA GPUs, whose work-groups progress independently.
     *  Keys alone are fastest where local atomics serve the lanes of a sub-group in order; that
     *  they did is checked for each tile, and a tile that is out of order is put in order. */
    CLPRIMS_SORT_ONESWEEP = 3
} clprims_sort_algorithm;

/** "auto", "count-scatter", "serial", "onesweep"; "unknown" for values not listed. */
CLPRIMS_API const char *clprims_sort_algorithm_name(clprims_sort_algorithm algorithm);

/** What to sort and how. Set type and max_n. */
typedef struct clprims_sort_desc {
    clprims_type type; /**< of the keys: any integer type, float32 or float64 */
    int descending; /**< nonzero: the greatest key first; equal keys keep their order */
    clprims_sort_floats floats; /**< of float keys; the default is NumPy's order */
    /** The window [begin_bit, end_bit) of the key's ordered bits: of the unsigned integer that
     *  compares as the key does. That is the key itself for unsigned integers; the key with its
     *  top bit flipped for signed ones; and for floats the bits with the top bit set, all of them
     *  flipped for negative numbers, and all ones for NaN with NAN_LAST. Keys that agree within the
     *  window keep their order. An empty window is refused. */
    unsigned begin_bit, end_bit; /**< end_bit: 0 stands for the key's width */
    size_t payloads; /**< arrays that move as the keys do */
    size_t payload_bytes[CLPRIMS_SORT_PAYLOADS]; /**< of each one's element, 1 to 256 */
    /** 32- or 64-bit integers: also give each key's index before the sort; DEFAULT: do not. */
    clprims_type indices;
    int no_keys; /**< nonzero: the keys are read only; payloads or indices are the results */
    size_t max_n; /**< the largest n that enqueue and run will be given */
    clprims_sort_algorithm algorithm;
    const char *tuning; /**< knobs that win over all tuning files; NULL: none */
    /** The key of an element: an expression, OpenCL C, of x, the element, and i, its index (ulong),
     *  that is converted to `type`: "x.weight". Then keys_in and keys_out have elements.
     *  Evaluated once for an element, as each of `then` is. NULL: the elements are the keys. */
    const char *key;
    clprims_type elements; /**< with `key`, their type; CLPRIMS_TYPE_DEFAULT: `type` */
    clprims_custom custom; /**< declarations, and of a STRUCT type_name and type_bytes */
    /** What `key` and `then` may name besides, as core.h says; NULL: nothing. */
    const char *parameters;
    /** Further keys, expressions as `key` is: then[0] decides between elements whose `key` is
     *  equal, then[1] where then[0] is equal too, and so on. NULL ends the list. `descending` and
     *  `floats` are of all keys, begin_bit and end_bit of `key` alone. Elements that are equal in
     *  all keys keep their order. Needs `key`. */
    const char *then[CLPRIMS_SORT_KEYS - 1];
    clprims_type then_type[CLPRIMS_SORT_KEYS - 1]; /**< of each one; DEFAULT: `type` */
} clprims_sort_desc;

/** One run's device buffers. An array that the plan does not use is {NULL, 0}. */
typedef struct clprims_sort_buffers {
    clprims_buffer keys_in; /**< n keys; with `key` n elements */
    clprims_buffer keys_out; /**< as keys_in, in order; with no_keys {NULL, 0} */
    clprims_buffer payload_in[CLPRIMS_SORT_PAYLOADS]; /**< n elements each */
    clprims_buffer payload_out[CLPRIMS_SORT_PAYLOADS]; /**< n elements each, in the keys' order */
    clprims_buffer indices; /**< n of them, where `indices` of the description names a type */
    /** Where n.mem is set: one uint64 (`first` counts uint64s), the number of keys, which is read
     *  when the work starts, so that an earlier command may write it. Apart from all outputs. */
    clprims_buffer n;
    clprims_buffer report; /**< one clprims_sort_report (`first` counts reports), which a run with
                                n.mem writes; or {NULL, 0} */
} clprims_sort_buffers;

/** One run's plain arrays, as the buffers are. An array that the plan does not use is NULL. */
typedef struct clprims_sort_arrays {
    const void *keys_in;
    void *keys_out; /**< may be keys_in itself */
    const void *payload_in[CLPRIMS_SORT_PAYLOADS];
    void *payload_out[CLPRIMS_SORT_PAYLOADS]; /**< each may be its payload_in itself */
    void *indices;
} clprims_sort_arrays;

/** A compiled sort with its scratch. One run at a time; different plans may run at once. */
typedef struct clprims_sort clprims_sort;

/** What create decided. Texts belong to the library. */
typedef struct clprims_sort_info {
    clprims_sort_algorithm algorithm; /**< never AUTO */
    /** Over the keys, keys of `then` included; a pass in which all keys have the same digit is
     *  skipped. What follows is of the sort by `key`. */
    size_t passes;
    size_t digit_bits; /**< of a pass */
    size_t group; /**< work-items of a work-group, of a run of n keys */
    size_t tile; /**< keys of a work-group's tile, likewise; 0 for SERIAL */
    size_t scratch_bytes; /**< device memory that the plan holds */
    /** What n keys get: "single-group" for few keys, which one launch sorts, "tiles" for some more,
     *  which a second launch merges, else "count-scan-scatter", "serial-parts" or "onesweep". */
    const char *variant;
    const char *reason; /**< why this algorithm, in words */
    const char *programs; /**< where its programs are from, as core.h says */
} clprims_sort_info;

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_sort_create_sized(clprims_sort **out,
                                                                     clprims_context *context,
                                                                     const clprims_sort_desc *desc,
                                                                     size_t desc_bytes);

/**
 * Creates a plan. The context must outlive it; the description and its texts need not. Its scratch
 * is what describe says: mostly one more copy of the keys, payloads and indices of max_n elements;
 * two of the keys with no_keys; with desc.key three of the keys and one of the elements, and of
 * elements of more than 8 bytes two of an index each. With desc.then it is one copy
 * of the elements, of the payloads and of the widest keys, two of an index each, and for each type
 * of the keys two copies of the keys and one of an index each.
 * Status: ARGUMENT, TOO_LARGE (max_n beyond the indices' type too), UNSUPPORTED (knobs or an
 * algorithm that the device can't do; float64 where it has none), BUILD (a text of the caller's
 * does not compile), and the OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_sort_create(clprims_sort **out, clprims_context *context,
                                                  const clprims_sort_desc *desc) {
    return clprims_sort_create_sized(out, context, desc, sizeof *desc);
}

/** Sets parameter k of desc.parameters, counted from 0, as clprims_scan_set_parameter does.
 *  Status: as there. */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_sort_set_parameter(clprims_sort *plan, size_t k,
                                                                      size_t bytes,
                                                                      const void *value);

/** What a run with buffers.n may find. Values are pinned. */
typedef enum clprims_sort_fault {
    CLPRIMS_SORT_VALID = 0,
    CLPRIMS_SORT_COUNT = 1 /**< the number of keys exceeds the n of the call */
} clprims_sort_fault;

/** What the run found, as it is in device memory: two 64-bit integers. */
typedef struct clprims_sort_report {
    int64_t fault; /**< a clprims_sort_fault */
    int64_t count; /**< the number of keys, as it was read; a uint64 */
} clprims_sort_report;

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_sort_enqueue_sized(
    clprims_sort *plan, cl_command_queue queue, const clprims_sort_buffers *buffers,
    size_t buffers_bytes, size_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

/**
 * Submits the sort of n keys and returns at once. Reads the keys once to count digits; each pass
 * reads keys twice (ONESWEEP: once) and writes them once, and moves payloads and indices once. A
 * pass in which all keys have the same digit moves nothing. Keys that are in order already are
 * read once, and elements, payloads and indices copied. ONESWEEP writes keys of one byte alone
 * by their counts, and so 2^22 keys or more of which at most 255 are distinct, but for floats with
 * equal keys of other bits. With desc.key the elements are read once more to make the keys; those
 * of up to 8 bytes then move in each pass, larger ones once, after the last. With desc.then each
 * key, from the last one to the first, has passes of its own, in which an index of 4 or 8 bytes
 * moves, and reads the elements once: the last key in their order, the others in the order so far,
 * which is random. Elements and payloads move once, after the last pass.
 *
 * n = 0 needs no arrays. Where buffers.n.mem is set, n is the most that the number there may be:
 * the arrays have room for n elements, elements behind the number are neither read nor written, and
 * a greater number is a fault, which the report names and which leaves the outputs as they are. The
 * launches are as for n keys. One plan takes runs of both kinds in any order.
 * Each output may be exactly the place of its own input; nothing else may overlap. Inputs that no
 * output shares are only read. Every parameter must have been set.
 * Status: ARGUMENT, TOO_LARGE, and the OpenCL ones. Faults of the data are in the report.
 */
CLPRIMS_INLINE clprims_status clprims_sort_enqueue(clprims_sort *plan, cl_command_queue queue,
                                                   const clprims_sort_buffers *buffers, size_t n,
                                                   cl_uint num_wait, const cl_event *wait,
                                                   cl_event *event) {
    return clprims_sort_enqueue_sized(plan, queue, buffers, sizeof *buffers, n, num_wait, wait,
                                      event);
}

/** Turns a report that was read back into a status: OK, ARGUMENT for what is no report, or DATA
 * with the message "sort: n = 5000, as read on the device, exceeds that of the call". */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_sort_check(const clprims_sort_report *report);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_sort_run_sized(clprims_sort *plan,
                                                                  const clprims_sort_arrays *arrays,
                                                                  size_t arrays_bytes, size_t n);

/**
 * Sorts plain arrays: copies in, sorts on the context's queue, copies out, returns when done.
 * Status: as enqueue, and DEVICE_MEMORY when the arrays do not fit the device.
 */
CLPRIMS_INLINE clprims_status clprims_sort_run(clprims_sort *plan,
                                               const clprims_sort_arrays *arrays, size_t n) {
    return clprims_sort_run_sized(plan, arrays, sizeof *arrays, n);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_sort_describe_sized(const clprims_sort *plan,
                                                                       size_t n,
                                                                       clprims_sort_info *info,
                                                                       size_t info_bytes);

/** Fills *info for n keys, n <= max_n. Status: ARGUMENT, TOO_LARGE. */
CLPRIMS_INLINE clprims_status clprims_sort_describe(const clprims_sort *plan, size_t n,
                                                    clprims_sort_info *info) {
    return clprims_sort_describe_sized(plan, n, info, sizeof *info);
}

/** Destroys a plan. A run in flight ends all the same. NULL is fine. */
CLPRIMS_API void clprims_sort_destroy(clprims_sort *plan);

#ifdef __cplusplus
}
#endif

#endif
