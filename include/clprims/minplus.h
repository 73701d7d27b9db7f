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
 * combine is called in the order of k, from `identity` (or from C's value) on.
 */
typedef struct clprims_semiring_custom {
    const char *extend; /**< an expression of a, A's element, and b, B's, for example "a * b" */
    const char *combine; /**< an expression of a, what came before, and b, for example "a + b" */
    const char *declarations; /**< functions that the expressions use, or NULL */
    const void *identity; /**< one element e with combine(e, x) = x */
} clprims_semiring_custom;

/** C has m rows and n columns, A m rows and k columns, B k rows and n columns. */
typedef struct clprims_minplus_size {
    size_t m, n, k; /**< up to 2^31 - 1 each; k = 0 gives no edge everywhere */
    size_t batch; /**< products in this one call */
} clprims_minplus_size;

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
    /** The largest sizes that enqueue will be given; 0: any. Small ones avoid compiling the kernels
     * for large products, which takes seconds on GPUs with an empty driver cache. */
    clprims_minplus_size max;
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

/** A compiled product. It holds no scratch. */
typedef struct clprims_minplus clprims_minplus;

/** What create decided. */
typedef struct clprims_minplus_info {
    size_t group; /**< work-items of a work-group */
    size_t tile_rows, tile_columns; /**< of C, computed by a work-group */
    size_t tile_depth; /**< k per slab in local memory */
    size_t narrow_rows,
        narrow_columns; /**< of the tiles of C if wide ones do not fill the device */
    size_t small_rows, small_columns; /**< of the smallest tiles, if narrow ones do not */
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
 * on count as no edge, and those beyond the opposite limit as that limit.
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

/**
 * Submits `batch` products and returns at once.
 *
 * c: written, and read with accumulate; it must not overlap a or b, and its matrices must not
 * overlap each other; blocks of one matrix in columns of their own do not overlap. argmin: as c, of
 * int32; {NULL} unless desc.argmin. m, n or batch = 0 needs no matrix and only signals the event.
 * The OpenCL triple comes last, with OpenCL's meaning; the event may be NULL. Out-of-order queues
 * are safe. Never waits, allocates or compiles. Status: ARGUMENT, TOO_LARGE, and the OpenCL ones.
 * Cost: m * n * k pairs of operations; A is read n / tile_columns times, B m / tile_rows times,
 * mostly from caches.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_minplus_enqueue(
    clprims_minplus *minplus, cl_command_queue queue, clprims_matrix a, clprims_matrix b,
    clprims_matrix c, clprims_matrix argmin, clprims_minplus_size size, cl_uint num_wait,
    const cl_event *wait, cl_event *event);

/**
 * Multiplies plain arrays without gaps between rows or matrices: copies in, multiplies on the
 * context's queue, copies out, returns when done.
 *
 * c: written, and read with accumulate. argmin: NULL unless desc.argmin; with accumulate it is
 * read too, since what does not improve stays.
 * Status: as enqueue; DATA for an integer beyond the limits that stand at clprims_minplus_create,
 * which the message names, with c and argmin as they were; DEVICE_MEMORY when the arrays do not fit
 * the device.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_minplus_run(clprims_minplus *minplus,
                                                               const void *a, const void *b,
                                                               void *c, int32_t *argmin,
                                                               clprims_minplus_size size);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_minplus_describe_sized(
    const clprims_minplus *minplus, clprims_minplus_info *info, size_t info_bytes);

/** Fills *info. Status: ARGUMENT. */
CLPRIMS_INLINE clprims_status clprims_minplus_describe(const clprims_minplus *minplus,
                                                       clprims_minplus_info *info) {
    return clprims_minplus_describe_sized(minplus, info, sizeof *info);
}

/** Destroys a plan; no run of it may be in flight. NULL is fine. */
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
 * one that has not: the first such edge in the order of rows, no_edge exceeded included, or the
 * first path whose computed length is out of range. The vertex of a negative cycle may then be on
 * a closed walk of negative length only.
 * Status: ARGUMENT, TOO_LARGE, UNSUPPORTED (another type; float64 that the device lacks), and the
 * OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_paths_create(clprims_paths **out, clprims_context *context,
                                                   const clprims_paths_desc *desc) {
    return clprims_paths_create_sized(out, context, desc, sizeof *desc);
}

/**
 * Submits the closure of one graph of n vertices, in place, and returns at once.
 *
 * d: n rows and columns; the length of the edge from i to j, replaced by that of the shortest
 * path; a NaN is no edge; the diagonal becomes 0 unless it is negative; n = 0 needs no buffer. via:
 * int32, {NULL} unless desc.predecessors; via(i, j) is the vertex before j on a shortest path from
 * i, -1 where there is none and where i = j. report: where one clprims_paths_report is written
 * (`first` counts reports), apart from d and via, or {NULL, 0}. If it names a vertex or a pair, d
 * and via are undefined, but nothing else was written. Of several faults it names an edge first,
 * then a negative cycle, then a path. Floats: of a path whose sums round, the order of its
 * additions differs between devices, but not from run to run. Status: ARGUMENT, TOO_LARGE, and the
 * OpenCL ones. Faults of the graph are in the report. Cost: n^3 pairs of operations; d is read and
 * written n / 512 times (n / 256 with 8-byte elements), and n / 64 times a square of as many rows
 * and columns, or on CPUs and with predecessors a band of as many rows.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_paths_enqueue(
    clprims_paths *paths, cl_command_queue queue, clprims_matrix d, clprims_matrix via, size_t n,
    clprims_buffer report, cl_uint num_wait, const cl_event *wait, cl_event *event);

/**
 * Returns the status of a report that was read back: OK, DATA with a message that names the
 * vertices, or ARGUMENT if it is no report.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_paths_check(const clprims_paths_report *report);

/**
 * Closes a plain array of n * n elements in place: copies in, runs on the context's queue, copies
 * out, returns when done. via: n * n int32, NULL unless desc.predecessors.
 * Status: as enqueue; DATA for a negative cycle or a length out of range, with d and via as they
 * were; DEVICE_MEMORY.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_paths_run(clprims_paths *paths, void *d,
                                                             int32_t *via, size_t n);

/** Destroys a plan; no run of it may be in flight. NULL is fine. */
CLPRIMS_API void clprims_paths_destroy(clprims_paths *paths);

#ifdef __cplusplus
}
#endif

#endif
