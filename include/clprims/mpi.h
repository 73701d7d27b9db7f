/* SPDX-License-Identifier: MIT */
/**
 * Primitives over distributed arrays: one MPI rank per device, one block of each array per rank.
 *
 * In a library of its own, libclprims-mpi, which links libclprims and MPI. A distributed array is a
 * block on every rank, in the order of the ranks. Blocks may have any sizes, 0 included, and may
 * differ in size from call to call. Positions in the whole array are 64-bit.
 *
 *   create    collective; checks, compiles, allocates; every rank gives the same description, its
 *             texts, values, algorithm and knobs too, but max_n is the rank's own: the largest
 *             block that it will have, 0 too
 *   run       collective; takes device buffers, blocks, returns when this rank's part of the result
 *             is in device memory
 *   destroy   frees everything, NULL is fine; only clprims_mpi_destroy is collective
 *
 * There is no enqueue: between devices data pass through the host, which has to wait for them.
 * Whatever writes the inputs of a run must have finished before it, or must have been submitted to
 * the context's own queue.
 *
 * Errors are collective, too: where one rank fails, every rank gets its status, and
 * clprims_mpi_last_error names the rank. After a failure the outputs are undefined, and everything
 * can be used again. Where one rank does not make a call, the others wait, as in MPI itself; a rank
 * that passes NULL for the object counts as one that does not, because NULL has no communicator. A
 * failure of MPI itself ends the program (MPI_ERRORS_ARE_FATAL).
 *
 * Ranks wait for each other often. Where a host has more of them than processors, Open MPI's yield
 * while they wait with `mpirun --mca mpi_yield_when_idle 1`; MPICH's never do. PoCL 3.1 to 5.0 may
 * fail to build a program that three ranks of a host build at once for the first time: give each
 * rank a POCL_CACHE_DIR of its own.
 */
#ifndef CLPRIMS_MPI_H
#define CLPRIMS_MPI_H

#include <clprims/core.h>
#include <clprims/list.h>
#include <clprims/minplus.h>
#include <clprims/offsets.h>
#include <clprims/reduce.h>
#include <clprims/scan.h>
#include <clprims/select.h>
#include <clprims/sort.h>
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status ------------------------------------------------------------------------------- */

/** The error of the last clprims_mpi call of this thread, the same on every rank. */
typedef struct clprims_mpi_error {
    clprims_status status;
    int rank; /**< the lowest rank at fault, -1 after success */
    cl_int cl_code; /**< the OpenCL code behind it, CL_SUCCESS if none */
    const char *message; /**< "rank 2: scan: n = 5000 exceeds max_n = 4096 ...", "" after success */
    const char *build_log; /**< of that rank's OpenCL compiler, "" unless CLPRIMS_ERR_BUILD */
} clprims_mpi_error;

/**
 * The calling thread's record. Every call of this library that returns a status clears it on entry;
 * the strings are valid until the thread's next one. (clprims_last_error has the record of calls to
 * libclprims, this library's calls on this rank among them.)
 */
CLPRIMS_API const clprims_mpi_error *clprims_mpi_last_error(void);

/* ---- Ranks and their devices -------------------------------------------------------------- */

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_mpi_context_create_sized(clprims_context **out, MPI_Comm comm,
                                 const clprims_context_options *options, size_t options_bytes);

/**
 * Creates this rank's context on a device of its own: the ranks of one host take its devices in
 * turn. Collective over comm.
 *
 * options: as of clprims_context_create; NULL stands for {0}. device NULL:
 * the GPUs in turn, if there are any, else the other devices. Part of a name: the devices that it
 * names. A number: that device, for all ranks that say so. With options.context all is the
 * caller's.
 * Status: as of clprims_context_create.
 */
CLPRIMS_INLINE clprims_status clprims_mpi_context_create(clprims_context **out, MPI_Comm comm,
                                                         const clprims_context_options *options) {
    return clprims_mpi_context_create_sized(out, comm, options, sizeof *options);
}

/** A duplicate of a communicator, the rank's context, queues and staging memory. One call at a time
 *  and rank; all ranks make their calls in one order. */
typedef struct clprims_mpi clprims_mpi;

/** What create found. */
typedef struct clprims_mpi_info {
    MPI_Comm comm; /**< the duplicate; of the object */
    clprims_context *context; /**< the caller's */
    int rank;
    int ranks;
    int host_rank; /**< of the ranks of this host */
    int host_ranks;
    size_t chunk_bytes; /**< of a message that carries device data, at most */
    size_t staging_bytes; /**< host memory that the object holds, shared or pinned */
} clprims_mpi_info;

/**
 * Duplicates the communicator and makes the staging memory, chunks of host memory through which
 * data pass between devices. Ranks of one host share it, eight chunks of 2 MiB each, from which a
 * device reads what another one has written. Where they can't, and between hosts, data go as
 * messages, and a rank has sixteen chunks of pinned memory. Collective over comm.
 *
 * context: any of this rank; it must outlive the object.
 * Status: ARGUMENT, and the OpenCL ones.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_mpi_create(clprims_mpi **out, MPI_Comm comm,
                                                              clprims_context *context);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_mpi_describe_sized(const clprims_mpi *mpi,
                                                                      clprims_mpi_info *info,
                                                                      size_t info_bytes);

/** Fills *info. Not collective. Status: ARGUMENT, of this rank alone. */
CLPRIMS_INLINE clprims_status clprims_mpi_describe(const clprims_mpi *mpi, clprims_mpi_info *info) {
    return clprims_mpi_describe_sized(mpi, info, sizeof *info);
}

/** Frees the duplicate, before MPI_Finalize. Collective. What was made with the object must be
 *  destroyed before. NULL is fine. */
CLPRIMS_API void clprims_mpi_destroy(clprims_mpi *mpi);

/* ---- Blocks ------------------------------------------------------------------------------- */

/** A rank's block of a distributed array. */
typedef struct clprims_mpi_block {
    uint64_t n; /**< elements of this rank's block */
    uint64_t start; /**< position of the first one in the whole array */
    uint64_t total; /**< elements of the whole array */
} clprims_mpi_block;

/** Where a block of n elements stands among all ranks' elements. Collective.
 *  Status: ARGUMENT, TOO_LARGE (a total of 2^63 or more). */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_mpi_locate(clprims_mpi *mpi, uint64_t n,
                                                              clprims_mpi_block *block);

/** This rank's block where `total` elements lie in even blocks, whose sizes differ by one at most.
 *  Not collective. */
CLPRIMS_API clprims_mpi_block clprims_mpi_even(const clprims_mpi *mpi, uint64_t total);

/**
 * Moves a distributed array into blocks of other sizes; the elements keep their order. Collective.
 *
 * in: n elements of element_bytes, 1 to 256, the same on all ranks. out: out_n elements, apart from
 * in. The sum of out_n over all ranks must be that of n; with clprims_mpi_even blocks become even.
 * Each element is sent once at most. A block without elements may be {NULL, 0}.
 * Status: ARGUMENT, and the OpenCL ones.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_mpi_rebalance(clprims_mpi *mpi,
                                                                 clprims_buffer in, size_t n,
                                                                 clprims_buffer out, size_t out_n,
                                                                 size_t element_bytes);

/* ---- Reduce ------------------------------------------------------------------------------- */

/** A compiled plan with its scratch. One run at a time. */
typedef struct clprims_mpi_reduce clprims_mpi_reduce;

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_mpi_reduce_create_sized(
    clprims_mpi_reduce **out, clprims_mpi *mpi, const clprims_reduce_desc *desc, size_t desc_bytes);

/**
 * Creates a plan that combines all elements of a distributed array as <clprims/reduce.h> says.
 *
 * desc: the core's description, without a `result`. `input` and its index i are the block's: i
 * counts from 0 on every rank. init is taken once.
 * Each rank's block is reduced in the core's order and the results are combined in the order of the
 * ranks, so that operators need not commute; floats have the same bits in every run with blocks of
 * the same sizes.
 * Status: as of clprims_reduce_create; ARGUMENT where descriptions differ between ranks.
 */
CLPRIMS_INLINE clprims_status clprims_mpi_reduce_create(clprims_mpi_reduce **out, clprims_mpi *mpi,
                                                        const clprims_reduce_desc *desc) {
    return clprims_mpi_reduce_create_sized(out, mpi, desc, sizeof *desc);
}

/** Sets a parameter of desc.input, as clprims_reduce_set_parameter does. Not collective: values
 *  may differ between ranks. The status is of this rank alone. */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_mpi_reduce_set_parameter(
    clprims_mpi_reduce *reduce, size_t k, size_t bytes, const void *value);

/**
 * Reduces: one pass over each block, then one value per rank is exchanged.
 *
 * in: n elements of this rank's block. out: one value in host memory, the same on every rank; of
 * ARGMIN and ARGMAX an int64, a position in the whole array.
 * Status: as of clprims_reduce_run; DATA where no rank has elements and there is neither an
 * initial value nor an identity.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_mpi_reduce_run(clprims_mpi_reduce *reduce,
                                                                  clprims_buffer in, size_t n,
                                                                  void *out);

/** Destroys a plan. NULL is fine. */
CLPRIMS_API void clprims_mpi_reduce_destroy(clprims_mpi_reduce *reduce);

/* ---- Scan --------------------------------------------------------------------------------- */

/** A compiled plan with its scratch. One run at a time. */
typedef struct clprims_mpi_scan clprims_mpi_scan;

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_mpi_scan_create_sized(
    clprims_mpi_scan **out, clprims_mpi *mpi, const clprims_scan_desc *desc, size_t desc_bytes);

/**
 * Creates a plan that scans a distributed array as <clprims/scan.h> says.
 *
 * desc: the core's description, without a `result`. `input` and its index i are the block's: i
 * counts from 0 on every rank. init comes before the first element of all.
 * Operators need not commute; floats have the same bits in every run with blocks of the same sizes,
 * unless desc.fast_floats allows others.
 * Status: as of clprims_scan_create; ARGUMENT where descriptions differ between ranks.
 */
CLPRIMS_INLINE clprims_status clprims_mpi_scan_create(clprims_mpi_scan **out, clprims_mpi *mpi,
                                                      const clprims_scan_desc *desc) {
    return clprims_mpi_scan_create_sized(out, mpi, desc, sizeof *desc);
}

/** Sets a parameter of desc.input, as clprims_scan_set_parameter does. Not collective: values may
 *  differ between ranks. The status is of this rank alone. */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_mpi_scan_set_parameter(clprims_mpi_scan *scan,
                                                                          size_t k, size_t bytes,
                                                                          const void *value);

/**
 * Scans: each block is reduced, one value per rank is exchanged, and each block is scanned from
 * what comes before it. Reads n elements twice and writes them once.
 *
 * in, out: n elements each of this rank's block, as of clprims_scan_enqueue: in place or apart.
 * Status: as of clprims_scan_enqueue and clprims_reduce_enqueue.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_mpi_scan_run(clprims_mpi_scan *scan,
                                                                clprims_buffer in,
                                                                clprims_buffer out, size_t n);

/** Destroys a plan. NULL is fine. */
CLPRIMS_API void clprims_mpi_scan_destroy(clprims_mpi_scan *scan);

/* ---- Select ------------------------------------------------------------------------------- */

/** A compiled plan with its scratch. One run at a time. */
typedef struct clprims_mpi_select clprims_mpi_select;

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_mpi_select_create_sized(
    clprims_mpi_select **out, clprims_mpi *mpi, const clprims_select_desc *desc, size_t desc_bytes);

/**
 * Creates a plan that keeps elements of a distributed array as <clprims/select.h> says.
 *
 * desc: the core's description. `predicate` and its index i are the block's: i counts from 0 on
 * every rank. desc.indices are positions in the whole array.
 * Status: as of clprims_select_create; UNSUPPORTED by runs and for a partition; ARGUMENT where
 * descriptions differ between ranks.
 */
CLPRIMS_INLINE clprims_status clprims_mpi_select_create(clprims_mpi_select **out, clprims_mpi *mpi,
                                                        const clprims_select_desc *desc) {
    return clprims_mpi_select_create_sized(out, mpi, desc, sizeof *desc);
}

/** Sets a parameter of desc.predicate, as clprims_select_set_parameter does. Not collective: values
 *  may differ between ranks. The status is of this rank alone. */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_mpi_select_set_parameter(
    clprims_mpi_select *select, size_t k, size_t bytes, const void *value);

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_mpi_select_run_sized(clprims_mpi_select *select, const clprims_select_buffers *buffers,
                             size_t buffers_bytes, size_t n, clprims_mpi_block *kept);

/**
 * Selects: each rank keeps elements of its block, and they stay on it. clprims_mpi_rebalance moves
 * them into even blocks.
 *
 * buffers: of this rank's block, as of clprims_select_enqueue; count and n stay {NULL, 0}. kept:
 * how many this rank keeps, the position of the first one among all that are kept, and how many
 * there are; it is set also where sizes.capacity is too small. Status: as of
 * clprims_select_enqueue; TOO_LARGE where a rank keeps more than its capacity, or positions are
 * beyond the type of the indices.
 */
CLPRIMS_INLINE clprims_status clprims_mpi_select_run(clprims_mpi_select *select,
                                                     const clprims_select_buffers *buffers,
                                                     size_t n, clprims_mpi_block *kept) {
    return clprims_mpi_select_run_sized(select, buffers, sizeof *buffers, n, kept);
}

/** Destroys a plan. NULL is fine. */
CLPRIMS_API void clprims_mpi_select_destroy(clprims_mpi_select *select);

/* ---- Offsets ------------------------------------------------------------------------------ */

/** A compiled plan with its scratch. One run at a time. */
typedef struct clprims_mpi_offsets clprims_mpi_offsets;

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_mpi_offsets_create_sized(clprims_mpi_offsets **out, clprims_mpi *mpi,
                                 const clprims_offsets_desc *desc, size_t desc_bytes);

/**
 * Creates a plan that computes the offsets of a distributed jagged array as <clprims/offsets.h>
 * says. desc: the core's description.
 * Status: as of clprims_offsets_create; ARGUMENT where descriptions differ between ranks.
 */
CLPRIMS_INLINE clprims_status clprims_mpi_offsets_create(clprims_mpi_offsets **out,
                                                         clprims_mpi *mpi,
                                                         const clprims_offsets_desc *desc) {
    return clprims_mpi_offsets_create_sized(out, mpi, desc, sizeof *desc);
}

/**
 * Computes offsets into the whole array of parts. Reads the intervals once, writes n + 1 offsets,
 * and on all ranks but the first passes over them once more.
 *
 * starts, stops: n intervals of this rank's block, as of clprims_offsets_enqueue. offsets: n + 1
 * int64; the last one is the next rank's first. items: how many elements this rank's intervals
 * hold, where the first one stands among all, and how many there are; NULL is fine.
 * Status: as of clprims_offsets_enqueue; DATA with what clprims_offsets_run says, the index
 * counted in that rank's block, also where the total of several ranks exceeds int64.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_mpi_offsets_run(clprims_mpi_offsets *plan,
                                                                   clprims_buffer starts,
                                                                   clprims_buffer stops,
                                                                   clprims_buffer offsets, size_t n,
                                                                   clprims_mpi_block *items);

/** Destroys a plan. NULL is fine. */
CLPRIMS_API void clprims_mpi_offsets_destroy(clprims_mpi_offsets *plan);

/* ---- Sort --------------------------------------------------------------------------------- */

/** A compiled plan with its scratch. One run at a time. */
typedef struct clprims_mpi_sort clprims_mpi_sort;

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_mpi_sort_create_sized(
    clprims_mpi_sort **out, clprims_mpi *mpi, const clprims_sort_desc *desc, size_t desc_bytes);

/**
 * Creates a plan that sorts a distributed array as <clprims/sort.h> says.
 *
 * desc: the core's description; max_n is the largest block of this rank before and after the sort.
 * desc.indices are positions in the whole array before the sort; a plan with indices has one
 * payload fewer. desc.key is evaluated once, before the sort; its index i is the block's: i counts
 * from 0 on every rank. A plan with a key has one payload fewer, too, and elements of at most 16
 * bytes. A single rank has the core's plan. Scratch of several is that of the core's plan and two
 * copies of keys, payloads and indices of max_n elements, or one copy and another plan like it
 * where what comes is sorted again; with desc.key one more copy of the keys.
 * Status: as of clprims_sort_create; UNSUPPORTED with no_keys, desc.then or larger elements;
 * ARGUMENT where descriptions differ between ranks.
 */
CLPRIMS_INLINE clprims_status clprims_mpi_sort_create(clprims_mpi_sort **out, clprims_mpi *mpi,
                                                      const clprims_sort_desc *desc) {
    return clprims_mpi_sort_create_sized(out, mpi, desc, sizeof *desc);
}

/** Sets a parameter of desc.key, as clprims_sort_set_parameter does. Not collective: values may
 *  differ between ranks. The status is of this rank alone. */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_mpi_sort_set_parameter(clprims_mpi_sort *sort,
                                                                          size_t k, size_t bytes,
                                                                          const void *value);

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_mpi_sort_run_sized(clprims_mpi_sort *sort, const clprims_sort_buffers *buffers,
                           size_t buffers_bytes, size_t n, size_t out_n);

/**
 * Sorts into blocks of the wanted sizes. Each rank sorts its block; histograms of all keys, of a
 * few bits at a time, find the keys at which the blocks end; each element is sent once; each rank
 * merges what the others gave it, two ranks' at a time. (It sorts that again if there are two
 * arrays or more beside the keys, or a window of bits, or float64 or another order of floats than
 * NumPy's.) The sort is stable, and each block gets just as many elements as it has room for,
 * however often a key occurs: equal keys are split in their order. Source: Solomonik and Kale 2010
 * (histogram sort).
 *
 * buffers: as of clprims_sort_enqueue, the inputs of n elements, the outputs of out_n; n and report
 * stay {NULL, 0}. An output may share memory with its own input. The sum of out_n over all ranks
 * must be that of n: clprims_mpi_even gives even blocks, out_n = n the blocks of the input.
 * Status: as of clprims_sort_enqueue; TOO_LARGE where positions are beyond the type of the
 * indices.
 */
CLPRIMS_INLINE clprims_status clprims_mpi_sort_run(clprims_mpi_sort *sort,
                                                   const clprims_sort_buffers *buffers, size_t n,
                                                   size_t out_n) {
    return clprims_mpi_sort_run_sized(sort, buffers, sizeof *buffers, n, out_n);
}

/** Destroys a plan. NULL is fine. */
CLPRIMS_API void clprims_mpi_sort_destroy(clprims_mpi_sort *sort);

/* ---- List ranking ------------------------------------------------------------------------- */

/** A compiled plan with its scratch. One run at a time. */
typedef struct clprims_mpi_list clprims_mpi_list;

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_mpi_list_create_sized(
    clprims_mpi_list **out, clprims_mpi *mpi, const clprims_list_desc *desc, size_t desc_bytes);

/**
 * Creates a plan that ranks a list whose links are distributed, as <clprims/list.h> says: links are
 * positions in the whole array and may name elements of any rank.
 *
 * desc: the core's description; link CLPRIMS_I64 (the default here), algorithm CLPRIMS_LIST_AUTO,
 * tuning NULL; max_n is the largest block of this rank, of the order too. A single rank has the
 * core's plan. Scratch of several ranks: some 11 bytes for each of max_n elements, 8 more for an
 * order; some 60 bytes for each node of the contracted list (an eighth of the elements of all
 * ranks, but no more nodes than the largest block of all has elements); and on one rank what a list
 * of 2^23 elements takes. A list that is not in random order may need more, which a run allocates
 * and the plan keeps. Status: ARGUMENT, also where descriptions differ between ranks; TOO_LARGE
 * (max_n of 2^32 - 1 or more); UNSUPPORTED (another link, algorithm or tuning; more than 4096
 * ranks); the OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_mpi_list_create(clprims_mpi_list **out, clprims_mpi *mpi,
                                                      const clprims_list_desc *desc) {
    return clprims_mpi_list_create_sized(out, mpi, desc, sizeof *desc);
}

/**
 * Ranks a list. One element in 16 is a splitter, from which a walk starts. Walks go from rank to
 * rank as messages, half of them while the other half walks, until most have met the next splitter.
 * The splitters and the elements that no walk has visited form a contracted list of about an eighth
 * as many nodes. If it is no longer than the largest block, every rank takes the whole of it and
 * ranks it by the core; else it is contracted in the same way, in the end to a list that the hosts
 * walk. An order needs one more exchange of elements. A list of up to 2^23 elements goes to one
 * rank, which ranks it by the core. Sources: Helman and JaJa 1999 (splitters), Sanders, Schimek,
 * Uhl and Weidmann 2026 (messages, levels).
 *
 * next: n links of this rank's block, -1 or in [0, n of all ranks). out: out_n int64, apart from
 * next. RANKS: the ranks of this rank's elements, with out_n = n. ORDER: the elements of this
 * rank's part of the order, in blocks of any sizes whose sum is that of n; clprims_mpi_even gives
 * even ones. head: the first element, the same on all ranks, or -1, which finds it. report: in host
 * memory, of the whole list and the same on every rank; NULL is fine. Blocks without elements may
 * be {NULL, 0}.
 * Malformed lists are detected: the run always ends, on all ranks.
 * Status: ARGUMENT, TOO_LARGE, and the OpenCL ones; DATA where the list is malformed, with the rank
 * that has the report's element (0 where it has none).
 * Cost: of each link that leaves its rank 12 bytes cross, and of each element one byte to each
 * other rank; 10^9 elements a rank in random order, on 4 ranks: 9 GB and 3 GB out of each, 0.22 s
 * at 55 GB/s. An order: 8 bytes of each element that leaves its rank, 6 GB, 0.11 s.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_mpi_list_run(clprims_mpi_list *list,
                                                                clprims_buffer next,
                                                                clprims_buffer out, int64_t head,
                                                                size_t n, size_t out_n,
                                                                clprims_list_report *report);

/** Destroys a plan. NULL is fine. */
CLPRIMS_API void clprims_mpi_list_destroy(clprims_mpi_list *list);

/* ---- Matrices ----------------------------------------------------------------------------- */

/**
 * The ranks as a grid, over which matrices lie: rank r is in row r / columns and in column r %
 * columns. Each row of the grid holds some rows of a matrix, each column of the grid some columns,
 * in order; where they meet is a rank's block. So all ranks of a row of the grid have blocks with
 * the same number of rows, and all ranks of a column blocks with the same number of columns; either
 * number may be 0.
 */
typedef struct clprims_mpi_grid {
    int rows, columns; /**< of ranks; rows is the largest divisor of their number up to its root */
    int row, column; /**< of this rank */
} clprims_mpi_grid;

/** The grid of an object's ranks. Not collective. */
CLPRIMS_API clprims_mpi_grid clprims_mpi_grid_of(const clprims_mpi *mpi);

/** The rows of this rank's block where `total` rows lie in even strips, whose sizes differ by one
 * at most. Not collective. */
CLPRIMS_API clprims_mpi_block clprims_mpi_even_rows(const clprims_mpi *mpi, uint64_t total);

/** The same of columns. */
CLPRIMS_API clprims_mpi_block clprims_mpi_even_columns(const clprims_mpi *mpi, uint64_t total);

/* ---- Min-plus ----------------------------------------------------------------------------- */

/** A compiled product with its scratch. One run at a time. */
typedef struct clprims_mpi_minplus clprims_mpi_minplus;

/** This rank's blocks: that of C has m rows and n columns, that of A m rows, that of B n columns.
 */
typedef struct clprims_mpi_minplus_size {
    size_t m, n;
    size_t a_columns, b_rows; /**< their sums over the grid's columns, and over its rows, are k */
} clprims_mpi_minplus_size;

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_mpi_minplus_create_sized(clprims_mpi_minplus **out, clprims_mpi *mpi,
                                 const clprims_minplus_desc *desc, size_t desc_bytes);

/**
 * Creates a plan for products of distributed matrices as <clprims/minplus.h> says.
 *
 * desc: the core's description; max.m and max_n are the most rows and columns of this rank's block
 * of C, 0 too; max.k and max.batch are not looked at. desc.argmin: k is counted in the whole
 * matrix. Scratch: 4 KiB * (max.m + max_n), with argmin 256 MiB at most besides. Status: as of
 * clprims_minplus_create; TOO_LARGE; ARGUMENT where descriptions differ between ranks.
 */
CLPRIMS_INLINE clprims_status clprims_mpi_minplus_create(clprims_mpi_minplus **out,
                                                         clprims_mpi *mpi,
                                                         const clprims_minplus_desc *desc) {
    return clprims_mpi_minplus_create_sized(out, mpi, desc, sizeof *desc);
}

/**
 * Multiplies: C = A (x) B, or combine(C, A (x) B) with desc.accumulate. The next 2 KiB of A's
 * columns and B's rows are sent while the device multiplies the ones before.
 *
 * a, b, c, argmin: this rank's blocks, as of clprims_minplus_enqueue; a block without elements
 * needs no buffer. c and argmin are apart from all others. combine is called in the order of k.
 * Status: as of clprims_minplus_enqueue; DATA with what clprims_minplus_run says, the element
 * counted in the block of the rank that has it, with c and argmin as they were.
 * Cost: m * n * k pairs of operations on each rank; k * (m + n) elements pass through it in all:
 * for 32768 each, float32, on 2 x 2 ranks 4.3 GB, which at 55 GB/s take 78 ms, beside the products.
 * Source: van de Geijn and Watts, "SUMMA: Scalable Universal Matrix Multiplication Algorithm",
 * 1997.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_mpi_minplus_run(clprims_mpi_minplus *minplus, clprims_matrix a, clprims_matrix b,
                        clprims_matrix c, clprims_matrix argmin, clprims_mpi_minplus_size size);

/** Destroys a plan. NULL is fine. */
CLPRIMS_API void clprims_mpi_minplus_destroy(clprims_mpi_minplus *minplus);

/* ---- All-pairs shortest paths ------------------------------------------------------------- */

/** A compiled plan with its scratch. One run at a time. */
typedef struct clprims_mpi_paths clprims_mpi_paths;

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_mpi_paths_create_sized(
    clprims_mpi_paths **out, clprims_mpi *mpi, const clprims_paths_desc *desc, size_t desc_bytes);

/**
 * Creates a plan that closes a distributed graph as <clprims/minplus.h> says of clprims_paths.
 *
 * desc: the core's description; max_n is the most rows or columns of this rank's block, 0 too, and
 * not the vertices of the graph, of which there may be 2^31 - 1. The limits of integer lengths are
 * as of clprims_paths_create.
 * Scratch: 8 KiB * max_n + 3 MiB, with predecessors 1.5 KiB * max_n and 256 MiB at most (with
 * 8-byte lengths up to twice that).
 * Status: ARGUMENT, also where descriptions differ between ranks, TOO_LARGE, UNSUPPORTED (another
 * type; float64 that the device lacks), and the OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_mpi_paths_create(clprims_mpi_paths **out, clprims_mpi *mpi,
                                                       const clprims_paths_desc *desc) {
    return clprims_mpi_paths_create_sized(out, mpi, desc, sizeof *desc);
}

/**
 * Closes a graph in place, by blocked Floyd-Warshall with look-ahead: the rows and columns of the
 * next vertices are relaxed and sent while the device multiplies; 512 vertices at a time (256 with
 * 8-byte lengths, 64 with predecessors), of small graphs some n / 16.
 *
 * d: this rank's block of rows x columns of the matrix of lengths, as of clprims_paths_enqueue; a
 * block without elements needs no buffer. Over all ranks there are as many rows as columns. via:
 * the same block of int32 predecessors, vertices of the whole graph; {NULL} unless
 * desc.predecessors.
 * Status: as of clprims_paths_enqueue; DATA with what clprims_paths_check says, vertices counted
 * in the whole graph, of the fault that comes first in the whole graph, with the rank that holds
 * the edge or found the cycle or path. d and via are then undefined.
 * Cost: n * rows * columns pairs of operations on each rank. With n vertices on a grid of p x q
 * ranks n * (rows + columns) lengths pass through a rank in all, and as many predecessors for the
 * columns: for n = 32768, float32, on 2 x 2 ranks 4.3 GB, which at 55 GB/s take 78 ms, beside the
 * products.
 * Source: Venkataraman, Sahni and Mukhopadhyaya 2003; over ranks Sao et al., "Scalable All-pairs
 * Shortest Paths for Huge Graphs on Multi-GPU Clusters", 2021.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_mpi_paths_run(clprims_mpi_paths *paths,
                                                                 clprims_matrix d,
                                                                 clprims_matrix via, size_t rows,
                                                                 size_t columns);

/** Destroys a plan. NULL is fine. */
CLPRIMS_API void clprims_mpi_paths_destroy(clprims_mpi_paths *paths);

#ifdef __cplusplus
}
#endif

#endif
