/* SPDX-License-Identifier: MIT */
/*
 * The min-plus product: a checked description, shapes, compiled tiles. From the call to the kernel
 * and back:
 *   minplus.c         clprims_minplus_enqueue; submission
 *   minplus_check.c   sizes, places of matrices, overlap of C
 *   minplus_tiles.c   the tiles for this size; arguments of the one launch
 *   minplus.cl        the kernel; minplus_serial.cl: on CPUs. It stands on
 *     minplus_staged.cl, minplus_cells.cl  slabs in local memory, cells in registers
 *     minplus_split.cl, minplus_split_reduce.cl  split-k
 *     minplus_argmin.cl  the lowest k
 *     minplus_values.cl  from elements to operands and back
 * When the plan is created:
 *   minplus_spec.c    the checked description; knobs and what the device allows
 *   minplus_knobs.c   what tuning may set
 *   minplus_text.c    the prelude; minplus_tiles.c has the files of the program
 *   minplus_limits.h, minplus_limits.c  limits of integers, and checks of a host's matrices
 * minplus_paths.h has the map of shortest paths.
 */
#ifndef CLP_MINPLUS_PLAN_H
#define CLP_MINPLUS_PLAN_H

#include "core/knobs.h"
#include "minplus/minplus_limits.h"
#include "plan/plan_arguments.h"

#include <clprims/minplus.h>

/* C has m rows and n columns, A m rows and k columns, B k rows and n columns. */
typedef struct clp_minplus_size {
    size_t m, n, k, batch;
} clp_minplus_size;

/* A description with every default filled in. The texts are the caller's and are read during create
 * only. */
typedef struct clp_minplus_spec {
    const char *who; /* for messages */
    clprims_type type;
    clprims_semiring semiring;
    clprims_semiring_custom custom;
    bool accumulate;
    bool argmin;
    bool nonnegative;
    bool follows; /* argmin: `via` replaces k by the element of its row k */
    bool keeps; /* a range of rows and columns of C is not written */
    bool
        updates_panels; /* the products are panel updates; see cl/minplus/minplus_panel_update.cl */
    uint64_t no_edge; /* bits of the element; of the identity for a custom semiring */
    clp_minplus_size most; /* largest sizes; 0: any */
    bool idle; /* of a closure that is too small for products */
} clp_minplus_spec;

/* minplus_knobs.c explains them. */
enum {
    CLP_MINPLUS_HIGH,
    CLP_MINPLUS_WIDTH,
    CLP_MINPLUS_ROWS,
    CLP_MINPLUS_COLUMNS,
    CLP_MINPLUS_DEPTH,
    CLP_MINPLUS_BLOCKS,
    CLP_MINPLUS_PAIRS,
    CLP_MINPLUS_UNROLL,
    CLP_MINPLUS_SIGNLESS,
    CLP_MINPLUS_BARRIERS,
    CLP_MINPLUS_SPLIT,
    CLP_MINPLUS_KNOBS
};
extern const clp_knob clp_minplus_knobs[CLP_MINPLUS_KNOBS];

/* How a tile of C is distributed over work-items; see cl/minplus/minplus.cl and
 * cl/minplus/minplus_serial.cl. */
typedef struct clp_minplus_shape {
    size_t high, wide; /* work-items of a group; both 1: the serial kernel */
    size_t rows, columns; /* cells of a work-item, or rows in registers and columns of a tile */
    size_t depth; /* k of a slab */
    size_t blocks; /* serial: how often `rows` are in a tile */
    /* How two pairs are folded. 1: one by one; 2: in turn; 3: combined with each other first; 4:
     * either, with the sums made by multiplications. */
    size_t pairs;
    size_t unroll; /* k of a slab that are unrolled */
    /* 1: a loop of its own folds operands without a sign, until one has a sign; 2: another folds
     * floats of both signs, once all cells of a tile are negative. */
    size_t signless;
    size_t split; /* split-k slices of high * wide work-items, which share the k of a slab */
    bool barriers; /* barriers in loops are allowed: no CPU, or one that shall try them */
    size_t lanes; /* elements of a vector; 1 unless serial */
    size_t tile_rows, tile_columns;
    size_t group;
} clp_minplus_shape;

/* Tiles by size; each rank is for products too small for the rank before. */
typedef enum clp_minplus_rank {
    CLP_MINPLUS_WIDE,
    CLP_MINPLUS_NARROW,
    CLP_MINPLUS_SMALL,
    CLP_MINPLUS_TINY,
    CLP_MINPLUS_RANKS
} clp_minplus_rank;

/* One specialisation, compiled. */
typedef struct clp_minplus_tiles {
    clp_minplus_shape shape;
    clp_minplus_rank rank;
    bool argmin_by_slab; /* argmin: k is searched in a slab at the end; see
                            cl/minplus/minplus_argmin.cl */
    cl_program program;
    cl_kernel kernel;
} clp_minplus_tiles;

/* The operands of one launch. */
typedef struct clp_minplus_operands {
    clprims_matrix a, b, c;
    clprims_matrix best; /* .mem NULL without argmin */
    clprims_matrix via; /* .mem NULL unless the spec follows */
    clprims_matrix
        transposed; /* b transposed; .mem NULL unless the spec follows, for groups of many */
    cl_uint4
        keep; /* rows .s[0] to before .s[1] and columns .s[2] to before .s[3] are not written */
    clp_minplus_size size;
} clp_minplus_operands;

/* minplus_spec.c: checks the type and the "no edge" value. no_edge: NULL or one element. */
clprims_status clp_minplus_take_type(const clprims_context *context, const void *no_edge,
                                     clp_minplus_spec *spec);

/* minplus_spec.c: a whole description. */
clprims_status clp_minplus_spec_fill(const clprims_context *context,
                                     const clprims_minplus_desc *desc, clp_minplus_spec *spec);

/* minplus_spec.c: knobs from defaults, tuning and the plan's text. */
clprims_status clp_minplus_shape_choose(const clprims_context *context,
                                        const clp_minplus_spec *spec, clp_minplus_rank rank,
                                        const char *tuning, clp_minplus_shape *shape);

/* minplus_spec.c: whether the device can run it. */
clprims_status clp_minplus_shape_check(const clprims_context *context, const clp_minplus_spec *spec,
                                       const clp_minplus_shape *shape);

/* minplus_text.c: the prelude of minplus_values.cl; of shape, group and lanes are read. */
void clp_minplus_add_values(clp_text *text, const clprims_context *context,
                            const clp_minplus_spec *spec, const clp_minplus_shape *shape);

/* minplus_text.c: the whole prelude of a product. */
void clp_minplus_add_prelude(clp_text *text, const clprims_context *context,
                             const clp_minplus_spec *spec, const clp_minplus_shape *shape);

/* The tiles that a plan chooses from at each launch: the widest first, no two of one size, unless
 * the first is argmin by slab. */
typedef struct clp_minplus_choice {
    clp_minplus_tiles tiles[CLP_MINPLUS_RANKS];
    size_t count;
    size_t compute_units;
} clp_minplus_choice;

/* minplus_tiles.c: chooses shapes and compiles. clp_minplus_choice_free frees it, also after a
 * failure. */
clprims_status clp_minplus_choice_build(const clprims_context *context,
                                        const clp_minplus_spec *spec, const char *tuning,
                                        clp_minplus_choice *choice);
void clp_minplus_choice_free(clp_minplus_choice *choice);

/* minplus_tiles.c: the tiles for a product. */
const clp_minplus_tiles *clp_minplus_choose_tiles(const clp_minplus_choice *choice,
                                                  clp_minplus_size size);

/* minplus_tiles.c: a matrix as an argument: its memory, first element and leading dimension. */
void clp_minplus_put_matrix(clp_arguments *a, clprims_matrix matrix);

/* minplus_tiles.c: sets a kernel's arguments and fills in a step; m, n and batch are not 0. */
clprims_status clp_minplus_step(const clp_minplus_choice *choice, const char *who,
                                const clp_minplus_operands *operands, clp_step *step);

/* minplus_tiles.c: the same for a plan's warm-up: one group, no elements. */
clprims_status clp_minplus_blank_step(const clprims_context *context,
                                      const clp_minplus_tiles *tiles, const char *who,
                                      clp_step *step);

/* minplus_tiles.c: returns whether to use wide tiles, given their number and the ratio of their
 * cells to the cells of C. */
bool clp_minplus_is_wide(const clp_minplus_choice *choice, double tiles, double waste);

/* minplus_tiles.c: returns the number of tiles of `length` in n rows or columns, but for tiles
 * entirely in the kept range; see clp_step_over in cl/minplus/minplus_values.cl. */
size_t clp_minplus_count_tiles(size_t n, size_t length, size_t kept, size_t kept_end);

/* minplus_check.c: the sizes of a product are within the plan's. */
clprims_status clp_minplus_check_size(const clp_minplus_spec *spec, clp_minplus_size size);

/* One matrix of a run, or a batch of them. */
typedef struct clp_minplus_operand {
    const char *name; /* of the caller's member */
    clprims_matrix at;
    size_t rows, columns, element_bytes;
} clp_minplus_operand;

/* minplus_limits.c: DATA for the first element of a host's packed matrices that is not within its
 * plan's limits; OK where there are none. values: NULL for an array that the caller lacks. sums:
 * C's elements, which may be sums of two. */
clprims_status clp_minplus_check_values(const clp_minplus_spec *spec,
                                        const clp_minplus_operand *operand, const void *values,
                                        size_t batch, bool sums);

/* minplus_check.c: refuses a matrix of which each row is shorter than the operand's, or whose bytes
 * can't be counted. */
clprims_status clp_minplus_check_place(const char *who, const clp_minplus_operand *operand,
                                       size_t batch);

/* minplus_check.c: the row of clp_arrays_check: all elements from the first to the last, gaps
 * included. Sets *buffer, the row's. */
clp_run_array clp_minplus_row(const clp_minplus_operand *operand, size_t batch, unsigned roles,
                              clprims_buffer *buffer);

/* minplus_check.c: refuses an operand that overlaps an operand before it, or whose matrices overlap
 * each other. Blocks of one matrix in columns of their own do not overlap. */
clprims_status clp_minplus_check_apart(const char *who, const clp_minplus_operand *all,
                                       size_t written, size_t batch);

#endif
