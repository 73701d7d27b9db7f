/* SPDX-License-Identifier: MIT */
/*
 * The min-plus product C = A (x) B by work-groups of several work-items, as a classic tiled matrix
 * product: sum takes the place of multiplication, minimum that of addition. A work-group computes
 * one tile of C. Slabs of CLP_DEPTH columns of A and rows of B pass through local memory one after
 * another (minplus_staged.cl); each work-item keeps CLP_ROWS * CLP_COLUMNS cells in registers
 * (minplus_cells.cl). Split-k slices of a work-group may share the k of a slab (minplus_split.cl).
 *
 * Cells outside C are never stored; pairs beyond k are not folded.
 *
 * Local memory: two slabs of A and two of B, so that one barrier a slab suffices; split-k later
 * reuses them for partial cells. No work-group waits for another.
 *
 * A tile goes through at most three loops over its slabs, and its cells stay in registers from one
 * loop to the next. While no operand has a sign, floats are compared as words, which is faster than
 * fmin. Then comes fmin. Once all cells are negative they stay so, and floats are compared as words
 * again (see clp_merge).
 *
 * Barriers in loops: the loops over slabs contain barriers. OpenCL allows this because all
 * work-items take the same iterations, but compilers for CPUs are known to get it wrong. CPUs use
 * minplus_serial.cl; CLP_BARRIERS_IN_LOOPS is 1 on a CPU only if the tuning text of the plan says
 * BARRIERS=1. These compilers also take minutes for many barriers in conditional code; CLP_ONE_LOOP
 * is 1 for them, and one loop replaces the loops that are specialised by the signs of the operands.
 */
#if !CLP_BARRIERS_IN_LOOPS
#error "minplus.cl: barriers in loops are not for this device; minplus_serial.cl is"
#endif

/* Folds all of k into the cells, first by the specialised loops, and closes them. */
CLP_INLINE void clp_multiply_all(const clp_source *source, clp_cells *cells, clp_stages *stages) {
    const uint k = source->k, whole = k - k % CLP_DEPTH;
    uint from_k = 0;
#if CLP_SIGNLESS == 1
#if CLP_ONE_LOOP && !CLP_SHIFTED
    clp_open_cells(cells);
#elif CLP_ARGMIN
    clp_close_signless(cells); /* so that each better sum is also less than C's element */
#endif
    if (whole > 0) from_k = clp_multiply_signless(source, cells, stages);
    const bool done = k > 0 && from_k >= k;
    if (done) clp_close_signless(cells);
#else
    const bool done = false;
#endif
    if (!done) clp_open_cells(cells);
#if CLP_SIGNLESS == 2
    if (from_k < whole) from_k = clp_multiply(source, cells, stages, from_k, CLP_SIGNLESS_SO_FAR);
#elif !CLP_SIGNLESS || CLP_SHIFTED || !CLP_ONE_LOOP
    if (from_k < whole) from_k = clp_multiply(source, cells, stages, from_k, CLP_SIGNS_ANYWHERE);
#endif
#if CLP_TURNS_NEGATIVE && !CLP_ONE_LOOP
    if (from_k < whole) from_k = clp_multiply(source, cells, stages, from_k, CLP_ALL_NEGATIVE);
#endif
    if (from_k < k) clp_multiply_rest(source, cells, stages, from_k);
    if (!done) clp_close_cells(cells);
}

/* tiles: columns and rows of tiles of one matrix. The work-groups of one matrix of the batch are
 * consecutive. */
#if CLP_PANEL_UPDATE
#define CLP_PRODUCT_KERNEL void clp_paths_panel_update(CLP_PANEL_UPDATE_ARGUMENTS)
#else
#define CLP_PRODUCT_KERNEL                                                                         \
    void clp_minplus_product(                                                                      \
        const global CLP_T *a, ulong a_first, ulong a_ld, ulong a_stride, const global CLP_T *b,   \
        ulong b_first, ulong b_ld, ulong b_stride, global CLP_T *c, ulong c_first, ulong c_ld,     \
        ulong c_stride, global int *best, ulong best_first, ulong best_ld, ulong best_stride,      \
        const global int *via, ulong via_first, ulong via_ld, uint4 keep, uint m, uint n, uint k,  \
        uint2 tiles, int one, const global CLP_T *transposed, ulong transposed_ld)
#endif

CLP_KERNEL(CLP_GROUP)
CLP_PRODUCT_KERNEL {
    local CLP_T left[CLP_LEFT_ROOM] __attribute__((aligned(32)));
    local CLP_T right[CLP_RIGHT_ROOM] __attribute__((aligned(32)));
    local uint found[CLP_FOUND];
#if CLP_PANEL_UPDATE
    const clp_panel_update it = CLP_PANEL_UPDATE_MEMBERS;
    clp_target target;
    clp_source source;
    clp_find_update_tile(&target, &source, &it);
#else
    const ulong number = get_group_id(0);
    const uint tile = (uint)(number % ((ulong)tiles.x * tiles.y));
    const ulong matrix = number / ((ulong)tiles.x * tiles.y);
    const uint2 kept = CLP_KEEPS ? keep.xy : (uint2)0;
    const clp_target target = {c + c_first + matrix * c_stride,
                               c_ld,
                               best + best_first + matrix * best_stride,
                               best_ld,
                               via + via_first,
                               via_ld,
                               clp_step_over(tile / tiles.x, CLP_TILE_ROWS, kept),
                               tile % tiles.x * CLP_TILE_COLUMNS,
                               m,
                               n,
                               keep};
    const clp_source source = {a + a_first + matrix * a_stride + target.row * a_ld,
                               b + b_first + matrix * b_stride + target.column,
                               a_ld,
                               b_ld,
                               m - target.row,
                               n - target.column,
                               k,
                               CLP_FOLLOWS ? transposed + target.column * transposed_ld : NULL,
                               transposed_ld};
#endif
    clp_cells cells;
    clp_start(&cells, &target);
    cells.one = (uint)one;
    clp_stages stages = clp_find_stages(&cells, left, right, found);
    clp_multiply_all(&source, &cells, &stages);
#if CLP_SPLIT > 1
    clp_store_reduced(&cells, &target, right, left);
#else
    clp_store(&cells, &target);
#endif
#if CLP_ARGMIN_BY_SLAB
    if (CLP_OWN_SLICE == 0) clp_find_bests(&source, &cells, &target);
#endif
}
