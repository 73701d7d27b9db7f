/* SPDX-License-Identifier: MIT */
/**
 * The min-plus product of matrices, the same over other semirings, and shortest paths by it.
 *
 *   C[i][j] = min over k of A[i][k] + B[k][j],   or the smaller of that and the old C[i][j]
 *
 * Matrices are stored row by row, with any leading dimension and first element. Sources: Aho,
 * Hopcroft and Ullman, "The Design and Analysis of Computer Algorithms", 1974, 5.6 to 5.9 (closed
 * semirings); Venkataraman, Sahni and Mukhopadhyaya, "A Blocked All-Pairs Shortest-Paths
 * Algorithm", 2003 (the closure).
 */
#ifndef CLPRIMS_MINPLUS_H
#define CLPRIMS_MINPLUS_H

#include <clprims/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Lengths ------------------------------------------------------------------------------ */

/**
 * The default of "no edge": half the type's maximum for int32 and int64, INFINITY for floats.
 * MAX_PLUS has -CLPRIMS_NO_EDGE_I32 - 1, -CLPRIMS_NO_EDGE_I64 - 1 and -INFINITY.
 */
#define CLPRIMS_NO_EDGE_I32 (INT32_MAX / 2)
#define CLPRIMS_NO_EDGE_I64 (INT64_MAX / 2)

/* ---- The product -------------------------------------------------------------------------- */

/** The pair of operators: one extends a path, one chooses between paths. Values are pinned. */
typedef enum clprims_semiring {
    CLPRIMS_MIN_PLUS = 0, /**< shortest paths; no edge is +infinity */
    CLPRIMS_MAX_PLUS = 1, /**< longest paths; no edge is -infinity */
    CLPRIMS_MIN_MAX = 2, /**< least of the greatest steps; no edge is +infinity */
    CLPRIMS_OR_AND = 3, /**< bit by bit; integers only; reachability when the values are 0 and 1 */
    CLPRIMS_SEMIRING_CUSTOM = 4 /**< the operators in desc.custom */
} clprims_semiring;

/** "min-plus", "max-plus", "min-max", "or-and", "custom"; "unknown" for values not listed. */
CLPRIMS_API const char *clprims_semiring_name(clprims_semiring semiring);

/**
 * The user's own pair of operators, as OpenCL C text. Leave all of it zero when not needed.
 * combine is called in the order of k, from `identity` (or from C's value) on. Each is evaluated at
 * least m * n * k times, and also for what a tile has beyond the matrices' ends.
 */
typedef struct clprims_semiring_custom {
    const char *extend; /**< an expression of a, A's element, and b, B's, for example "a * b" */
    const char *combine; /**< an expression of a, what came before, and b, for example "a + b" */
    const char *declarations; /**< functions that the expressions use, or NULL */
    const void *identity; /**< one element e with combine(e, x) = x */
} clprims_semiring_custom;

/** The other sizes of a call, whose n is the number of columns of C: C has m rows and n columns, A
 * m rows and k columns, B k rows and n columns. */
typedef struct clprims_minplus_sizes {
    size_t m, k; /**< as n up to 2^31 - 1 each; k = 0 gives no edge everywhere */
    size_t batch; /**< products in this one call; 0: one */
} clprims_minplus_sizes;

/** What to multiply and how. */
typedef struct clprims_minplus_desc {
    /** Of all elements: CLPRIMS_F32 (the default), F64, I32 or I64; OR_AND takes every integer
     *  type, a custom semiring every built-in type. */
    clprims_type type;
    clprims_semiring semiring;
    int accumulate; /**< nonzero: C = combine(C, A (x) B); zero: C = A (x) B */
    /** Nonzero: also write the lowest k that attains each element of the product, as int32: -1
     *  where there is no edge; with accumulate, written only where C improves. Not for OR_AND
     *  and custom semirings. */
    int argmin;
    /** Nonzero: the caller knows that no float is negative (-0.0 included) or NaN. MIN_PLUS of
     *  F32 without argmin then skips the checks for signs. If it is wrong, results are undefined.
     */
    int nonnegative;
    /** Integers of MIN_PLUS, MAX_PLUS and MIN_MAX: one element, the value that means "no edge".
     *  NULL: half the type's maximum, CLPRIMS_NO_EDGE_I32 or CLPRIMS_NO_EDGE_I64 (MAX_PLUS: half
     *  the minimum), which is also the farthest allowed. */
    const void *no_edge;
    clprims_semiring_custom custom; /**< for CLPRIMS_SEMIRING_CUSTOM */
    const char *tuning; /**< knobs that win over all tuning files; NULL: none */
    /** The largest n and the largest sizes that enqueue and run will be given; 0: any. Small ones
     *  avoid compiling the kernels for large products, which takes seconds on GPUs with an empty
     *  driver cache. */
    size_t max_n;
    clprims_minplus_sizes max;
} clprims_minplus_desc;

/**
 * A matrix, or a batch of them, in device memory: element (i, j) of matrix number p is element
 * first + p * stride + i * ld + j of mem.
 */
typedef struct clprims_matrix {
    cl_mem mem;
    size_t first;
    size_t ld; /**< at least the number of columns */
    size_t stride; /**< ignored for a batch of one */
} clprims_matrix;

/** One run's device buffers. */
typedef struct clprims_minplus_buffers {
    clprims_matrix a, b;
    clprims_matrix c; /**< written, and read with accumulate; apart from a and b. Its matrices must
                           not overlap each other; blocks of one matrix in columns of their own do
                           not overlap. */
    clprims_matrix argmin; /**< as c, of int32; {NULL} unless desc.argmin */
    clprims_minplus_sizes sizes;
} clprims_minplus_buffers;

/** One run's plain arrays, without gaps between rows or matrices. */
typedef struct clprims_minplus_arrays {
    const void *a, *b;
    void *c; /**< written, and read with accumulate */
    int32_t *argmin; /**< as c; NULL unless desc.argmin */
    clprims_minplus_sizes sizes;
} clprims_minplus_arrays;

/** A compiled product. It holds no scratch: its runs do not wait for each other. */
typedef struct clprims_minplus clprims_minplus;

/** What a product of some sizes gets: smaller tiles where large ones do not fill the device. */
typedef struct clprims_minplus_info {
    size_t group; /**< work-items of a work-group */
    size_t tile_rows, tile_columns; /**< of C, computed by a work-group */
    size_t tile_depth; /**< k per slab in local memory */
    const char *programs; /**< where its programs are from, as core.h says */
} clprims_minplus_info;

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_minplus_create_sized(clprims_minplus **out, clprims_context *context,
                             const clprims_minplus_desc *desc, size_t desc_bytes);

/**
 * Creates a plan: checks the description, compiles.
 *
 * Floats: sums are rounded as usual, NaN (of inf - inf, say) is dropped as fmin does.
 * Integers: with elements within these limits no sum of two leaves the type or comes near "no
 * edge", so that every result is exact. Besides no_edge itself, elements of A and B lie
 *   in MIN_PLUS from -2^29 (int64: -2^61) to (no_edge - 1) / 2, which is 2^29 - 1 (2^61 - 1) if
 *   no_edge is not set;
 *   in MAX_PLUS from (no_edge + 1) / 2, which is -2^29 + 1, to 2^29 - 1 (2^61 likewise);
 *   in MIN_MAX below no_edge;
 * and C's elements, with accumulate, in the range of their sums. clprims_minplus_run refuses other
 * elements. clprims_minplus_enqueue can't wait to see them: there, elements and sums from no_edge
 * on count as no edge, and lengths beyond the opposite limit as that limit.
 * The results are the same bits on every device, but for the sign of a zero where there are zeros
 * of both signs. The description and all that it points to may be changed or freed afterwards; the
 * context must outlive the plan.
 * Status: ARGUMENT, UNSUPPORTED (the semiring does not know the type, or argmin; float64 that the
 * device lacks), BUILD (a text of the caller's does not compile), and the OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_minplus_create(clprims_minplus **out,
                                                     clprims_context *context,
                                                     const clprims_minplus_desc *desc) {
    return clprims_minplus_create_sized(out, context, desc, sizeof *desc);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_minplus_enqueue_sized(
    clprims_minplus *minplus, cl_command_queue queue, const clprims_minplus_buffers *buffers,
    size_t buffers_bytes, size_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

/**
 * Submits sizes.batch products and returns at once.
 *
 * m or n = 0 needs no matrix and only signals the event; k = 0 needs neither a nor b.
 * The OpenCL triple comes last, with OpenCL's meaning; the event may be NULL. Out-of-order queues
 * are safe. Never waits, allocates or compiles. Status: ARGUMENT, TOO_LARGE, and the OpenCL ones.
 * Cost: m * n * k pairs of operations; A is read n / tile_columns times, B m / tile_rows times,
 * mostly from caches.
 */
CLPRIMS_INLINE clprims_status clprims_minplus_enqueue(clprims_minplus *minplus,
                                                      cl_command_queue queue,
                                                      const clprims_minplus_buffers *buffers,
                                                      size_t n, cl_uint num_wait,
                                                      const cl_event *wait, cl_event *event) {
    return clprims_minplus_enqueue_sized(minplus, queue, buffers, sizeof *buffers, n, num_wait,
                                         wait, event);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_minplus_run_sized(
    clprims_minplus *minplus, const clprims_minplus_arrays *arrays, size_t arrays_bytes, size_t n);

/**
 * Multiplies plain arrays: copies in, multiplies on the context's queue, copies out, returns when
 * done. With accumulate argmin is read too, since what does not improve stays.
 * Status: as enqueue; DATA for an integer beyond the limits that stand at clprims_minplus_create,
 * which the message names, with c and argmin as they were; DEVICE_MEMORY when the arrays do not fit
 * the device.
 */
CLPRIMS_INLINE clprims_status clprims_minplus_run(clprims_minplus *minplus,
                                                  const clprims_minplus_arrays *arrays, size_t n) {
    return clprims_minplus_run_sized(minplus, arrays, sizeof *arrays, n);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_minplus_describe_sized(
    const clprims_minplus *minplus, size_t n, clprims_minplus_sizes sizes,
    clprims_minplus_info *info, size_t info_bytes);

/** Fills *info for a product of these sizes; of m or n = 0, as of 1. Status: ARGUMENT, TOO_LARGE.
 */
CLPRIMS_INLINE clprims_status clprims_minplus_describe(const clprims_minplus *minplus, size_t n,
                                                       clprims_minplus_sizes sizes,
                                                       clprims_minplus_info *info) {
    return clprims_minplus_describe_sized(minplus, n, sizes, info, sizeof *info);
}

/** Destroys a plan. A run in flight ends all the same. NULL is fine. */
CLPRIMS_API void clprims_minplus_destroy(clprims_minplus *minplus);

/* ---- All-pairs shortest paths ------------------------------------------------------------- */

/** What to close. Set max_n. */
typedef struct clprims_paths_desc {
    clprims_type type; /**< CLPRIMS_F32 (the default), F64, I32 or I64 */
    size_t max_n; /**< the most vertices; up to 4 KiB * max_n + 2 MiB of scratch */
    int predecessors; /**< nonzero: also give each path's last vertex but one */
    /** Integers: one element above 0, the value that means "no edge". NULL: CLPRIMS_NO_EDGE_I32 or
     *  CLPRIMS_NO_EDGE_I64. */
    const void *no_edge;
    const char *tuning; /**< knobs of the product; NULL: none */
} clprims_paths_desc;

/** One run's device buffers. */
typedef struct clprims_paths_buffers {
    clprims_matrix d; /**< n rows and columns: the length of the edge from i to j, replaced by that
                           of the shortest path; a NaN is no edge; the diagonal becomes 0 unless it
                           is negative */
    clprims_matrix via; /**< of int32; {NULL} unless desc.predecessors. via(i, j) is the vertex
                             before j on a shortest path from i, -1 where there is none and where
                             i = j. */
    clprims_buffer report; /**< one clprims_paths_report (`first` counts reports), apart from d and
                                via; or {NULL, 0} */
} clprims_paths_buffers;

/** One run's plain arrays. */
typedef struct clprims_paths_arrays {
    void *d; /**< n * n lengths, replaced */
    int32_t *via; /**< n * n elements; NULL unless desc.predecessors */
} clprims_paths_arrays;

/** A compiled closure with its scratch. One run at a time. */
typedef struct clprims_paths clprims_paths;

/** The report of a run, as it is in device memory. */
typedef struct clprims_paths_report {
    int32_t vertex; /**< a vertex on a negative cycle; -1: none */
    int32_t from, to; /**< integers: the first pair whose length is out of range; -1: none */
    int32_t given; /**< nonzero: the length of the edge is out of range; 0: that of the path */
    int64_t length; /**< of the pair: as given, or as computed */
} clprims_paths_report;

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_paths_create_sized(clprims_paths **out, clprims_context *context,
                           const clprims_paths_desc *desc, size_t desc_bytes);

/**
 * Creates a plan for graphs of up to max_n vertices. The context must outlive it.
 *
 * Integers: edges and shortest paths have lengths from -2^29 to 2^29 - 1 (int64: from -2^61 to
 * 2^61 - 1), below no_edge. If all have, the result is exact. Else the report names the vertices of
 * one that has not: the first of these edges in the order of rows, no_edge exceeded included, or
 * the first path whose computed length is out of range. The vertex of a negative cycle may then be
 * on a closed walk of negative length only.
 * Status: ARGUMENT, TOO_LARGE, UNSUPPORTED (another type; float64 that the device lacks), and the
 * OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_paths_create(clprims_paths **out, clprims_context *context,
                                                   const clprims_paths_desc *desc) {
    return clprims_paths_create_sized(out, context, desc, sizeof *desc);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_paths_enqueue_sized(
    clprims_paths *paths, cl_command_queue queue, const clprims_paths_buffers *buffers,
    size_t buffers_bytes, size_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

/**
 * Submits the closure of one graph of n vertices, in place, and returns at once.
 *
 * n = 0 needs no buffer. If the report names a vertex or a pair, d and via are undefined, but
 * nothing else was written. Of several faults it names an edge first, then a negative cycle, then a
 * path. Floats: of a path whose sums round, the order of its additions differs between devices, but
 * not from run to run. The OpenCL triple comes last, with OpenCL's meaning; the event may be NULL.
 * Status: ARGUMENT, TOO_LARGE, and the OpenCL ones. Faults of the graph are in the report. Cost:
 * n^3 pairs of operations; d is read and written n / 512 times (n / 256 with 8-byte elements), and
 * n / 64 times a square of as many rows and columns, or on CPUs and with predecessors a band of as
 * many rows.
 */
CLPRIMS_INLINE clprims_status clprims_paths_enqueue(clprims_paths *paths, cl_command_queue queue,
                                                    const clprims_paths_buffers *buffers, size_t n,
                                                    cl_uint num_wait, const cl_event *wait,
                                                    cl_event *event) {
    return clprims_paths_enqueue_sized(paths, queue, buffers, sizeof *buffers, n, num_wait, wait,
                                       event);
}

/**
 * Returns the status of a report that was read back: OK, DATA with a message that names the
 * vertices, or ARGUMENT if it is no report.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_paths_check(const clprims_paths_report *report);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_paths_run_sized(
    clprims_paths *paths, const clprims_paths_arrays *arrays, size_t arrays_bytes, size_t n);

/**
 * Closes plain arrays in place: copies in, runs on the context's queue, copies out, returns when
 * done.
 * Status: as enqueue; DATA for a negative cycle or a length out of range, with d and via as they
 * were; DEVICE_MEMORY.
 */
CLPRIMS_INLINE clprims_status clprims_paths_run(clprims_paths *paths,
                                                const clprims_paths_arrays *arrays, size_t n) {
    return clprims_paths_run_sized(paths, arrays, sizeof *arrays, n);
}

/** What create decided. */
typedef struct clprims_paths_info {
    size_t group; /**< work-items of a work-group that closes a block of vertices */
    size_t tile; /**< vertices of a block */
    size_t scratch_bytes; /**< device memory that the plan holds */
    const char *programs; /**< where its programs are from, as core.h says */
} clprims_paths_info;

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_paths_describe_sized(const clprims_paths *paths,
                                                                        size_t n,
                                                                        clprims_paths_info *info,
                                                                        size_t info_bytes);

/** Fills *info for a graph of n vertices, n <= max_n. Status: ARGUMENT, TOO_LARGE. */
CLPRIMS_INLINE clprims_status clprims_paths_describe(const clprims_paths *paths, size_t n,
                                                     clprims_paths_info *info) {
    return clprims_paths_describe_sized(paths, n, info, sizeof *info);
}

/** Destroys a plan. A run in flight ends all the same. NULL is fine. */
CLPRIMS_API void clprims_paths_destroy(clprims_paths *paths);

#ifdef __cplusplus
}
#endif

#endif
