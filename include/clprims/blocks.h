/* SPDX-License-Identifier: MIT */
/**
 * Building blocks for the caller's own kernels: reductions, scans, sorts and the like within a
 * work-group and within a sub-group, as OpenCL C for the device of a context. The functions are the
 * same, and give the same results, on every device.
 *
 *     clprims_block rows = {.name = "row", .type = CLPRIMS_F32, .items = 4};
 *     clprims_blocks_desc desc = {.group = 256, .blocks = &rows, .block_count = 1};
 *     call(clprims_blocks_program(&program, context, &desc, source));
 *
 *     CLPRIMS_KERNEL(CLPRIMS_GROUP) void normalize(global float *values) {
 *         local CLPRIMS_LOCAL(row) room;
 *         float x[4];
 *         global float *from = values + get_group_id(0) * CLPRIMS_row_TILE;
 *         clprims_row_load(x, from, CLPRIMS_WHOLE);
 *         const float sum = clprims_row_reduce(x, CLPRIMS_WHOLE, &room);
 *         for (int j = 0; j < 4; j++) x[j] /= sum;
 *         clprims_row_store(x, from, CLPRIMS_WHOLE);
 *     }
 *
 * A block is one choice of element type, operator and number of elements of a work-item. Its name
 * is a part of the names of its functions, NAME below; T is its type, N the elements of a
 * work-item. A text may hold several blocks. It defines no other names than those that begin with
 * clprims_ or CLPRIMS_, those of desc.declarations aside.
 *
 * **Elements.** A work-group's tile has CLPRIMS_NAME_TILE = N * CLPRIMS_GROUP elements. Work-item i
 * has them in an array of N: in blocked order x[j] is element i * N + j, in striped order element
 * j * CLPRIMS_GROUP + i. The order is blocked where nothing else is said.
 * **count** is how many of the tile's elements are real: CLPRIMS_WHOLE if all of them are, which
 * takes fewer instructions, or any number. Behind them x[j] may be anything; the operator is never
 * called on it.
 * **Operators** are associative, and called as op(earlier, later): they need not commute. Results
 * have the same bits from run to run; those of floats depend on the width of sub-groups.
 * **Local memory.** room is a `local CLPRIMS_LOCAL(NAME)`, declared once in the kernel. When a
 * function returns, its room may be used again at once, by functions and by the kernel itself.
 * clprims_blocks_local gives its bytes.
 * **Who calls.** All work-items of the work-group call a function that takes a room, at the same
 * place, and with the same count: there are barriers inside, of all work-items. Other functions
 * may be called anywhere.
 *
 * CLPRIMS_KERNEL(CLPRIMS_GROUP) stands in place of `kernel`: it states the work-group's size, and
 * on some devices the sub-groups' width.
 *
 * Of the text:
 *
 *     CLPRIMS_GROUP               work-items of a work-group, desc.group
 *     CLPRIMS_SUBGROUP            work-items of a sub-group. Where the device has none that serve,
 *                                 or work-groups are no multiple of them, the work-group is one
 *     uint clprims_lane()         the work-item's number in its sub-group
 *     uint clprims_subgroup_number()  the sub-group's number in its work-group
 *
 * ### Within a sub-group
 *
 * Each takes no barrier on devices with sub-groups, and two where the work-group is one, but for
 * reduce and scan, which then take one for each doubling of the lanes, and one more.
 *
 *     T clprims_NAME_lanes_shuffle(T value, uint lane, &room)
 *     T clprims_NAME_lanes_xor(T value, uint mask, &room)
 *         The value of that lane, which exists; of lane clprims_lane() ^ mask.
 *     T clprims_NAME_lanes_up(T value, uint distance, &room)
 *     T clprims_NAME_lanes_down(T value, uint distance, &room)
 *         The value of the lane that is so many lower, or higher; its own where there is none.
 *     uint clprims_NAME_lanes_ballot(bool yes, uint first, &room)
 *         Bit l is set if lane first + l says yes. For 32 lanes from `first` on, a multiple of 32;
 *         bits of lanes that do not exist are 0.
 *     uint clprims_NAME_lanes_match(T value, uint first, &room)
 *         Bit l is set if lane first + l has a value of the same bits. By 32 shuffles.
 *     bool clprims_NAME_lanes_any(bool yes, &room)
 *     bool clprims_NAME_lanes_all(bool yes, &room)
 *     T clprims_NAME_lanes_reduce(T value, &room)
 *     T clprims_NAME_lanes_inclusive(T value, &room)
 *         The combination of all lanes; of the lanes up to the work-item's own (Kogge, Stone 1973).
 *     T clprims_NAME_lanes_exclusive(T value, T start, &room)
 *         The combination of start and the lanes below.
 *
 * ### Within a work-group
 *
 *     T clprims_NAME_reduce(const T *x, uint count, &room)
 *         The combination of the elements, to every work-item. count is at least 1.
 *     T clprims_NAME_inclusive(T *x, uint count, &room)
 *         x[j] becomes the combination of the elements up to itself. Returns that of all of them.
 *     T clprims_NAME_inclusive_from(T *x, T start, uint count, &room)
 *     T clprims_NAME_exclusive(T *x, T start, uint count, &room)
 *         x[j] becomes the combination of start and the elements up to itself, or before itself.
 *         Returns that of start and all elements, which is the start of a next tile.
 *         These four take two barriers, and one step a lane and one a sub-group.
 *     T clprims_NAME_broadcast(T value, uint item, &room)
 *         The value of that work-item. Two barriers.
 *     uint clprims_NAME_reserve(volatile global uint *counter, uint n, &room)
 *         Adds n, of work-item 0, to the counter by one atomic, and returns what it was before. Two
 *         barriers.
 *
 * ### Tiles
 *
 *     void clprims_NAME_load(T *x, const global T *from, uint count)
 *     void clprims_NAME_store(const T *x, global T *to, uint count)
 *         In blocked order, by vectors of 16 bytes where the addresses allow that.
 *     void clprims_NAME_load_striped(T *x, const global T *from, uint count)
 *     void clprims_NAME_store_striped(const T *x, global T *to, uint count)
 *         In striped order: neighbours access neighbours. The better ones of 32 bytes a work-item.
 *
 *     void clprims_NAME_prefetch(const global T *from, uint count)
 *         Asks for a tile that is loaded later, by this work-group or another one, to be in the
 *         device's cache then. Nothing happens where the device has no such instruction.
 *
 * With CLPRIMS_BLOCK_TILES, through local memory, and with two barriers each:
 *
 *     void clprims_NAME_load_transposed(T *x, const global T *from, uint count, &room)
 *     void clprims_NAME_store_transposed(const T *x, global T *to, uint count, &room)
 *         In blocked order, while neighbours access neighbours: by vectors of 16 bytes where x and
 *         the addresses allow that. The best ones of tiles that are read and written whole.
 *     void clprims_NAME_to_blocked(T *x, &room), clprims_NAME_to_striped(T *x, &room)
 *         From the other order.
 *     void clprims_NAME_take(T *x, const uint *from, &room)
 *         x[j] becomes what element from[j] was.
 *     uint clprims_NAME_compact(T *x, uint keeps, &room)
 *         Bit j of keeps says whether x[j] is kept. The elements that are kept become the first
 *         ones, in striped order, and are in the order in which they were. Returns their number. N
 *         is at most 32. Four barriers; without sub-groups one more for each doubling of the group.
 *
 * ### Sorting
 *
 * With CLPRIMS_BLOCK_SORT, of the scalar types: stable, ascending, or descending with .descending.
 * Floats are sorted by their bits as IEEE 754's totalOrder has it: -0.0 comes before 0.0, and NaN
 * stand at the ends by their signs. Radix sort, least significant digit first, of 4 bits, of 5
 * where a work-item has 8 elements or more (Merrill, Grimshaw 2011). Five barriers a digit, and
 * where the work-group is the sub-group one more for each doubling of the group.
 *
 *     void clprims_NAME_sort(T *x, uint count, &room)
 *         Elements behind the count stay behind it, and are undefined. The k least elements are
 *         then the first k (top-k).
 *     void clprims_NAME_sort_from(T *x, uint *from, uint count, &room)
 *         Also the number of the element that x[j] was, by which clprims_OTHER_take moves values.
 *     void clprims_NAME_rank(const uint *digit, uint *place, uint count, &room)
 *         The place of each element in the order of the digits, which are below 16; elements of
 *         the same digit keep their order. The places of elements behind the count follow.
 *
 * ### Histograms
 *
 * With .bins above 0:
 *
 *     const local uint *clprims_NAME_histogram(const uint *bin, uint count, &room)
 *         The number of elements of each bin, by atomics in local memory; those of other bins do
 *         not count. The array lies in the room: a barrier stands between reading the array and
 *         the next use of the room. Two barriers.
 *
 * ### Prefixes over work-groups
 *
 * With CLPRIMS_BLOCK_LOOK_BACK: the prefix of a work-group's tile within a launch, for kernels that
 * read their input once (decoupled look-back, Merrill and Garland 2016). A kernel that calls them
 * does so once, and each of its work-groups has one tile. scratch is a buffer of
 * clprims_blocks_scratch, which knows the runs: nothing is cleared between them. The kernels of
 * different launches that use it must not overlap.
 *
 *     clprims_NAME_turn clprims_NAME_begin(volatile global ulong *scratch, &room)
 *         Gives the work-group its tile, turn.number. Work-groups get the tiles in the order in
 *         which they start: each waits only for such as have started. Two barriers.
 *     T clprims_NAME_prefix(clprims_NAME_turn turn, T total, T start, &room)
 *         total: the combination of the tile's elements. Returns the combination of start and the
 *         totals of all tiles before. Waits for the work-groups of these tiles. Two barriers, and
 *         one more where the work-group is one sub-group.
 *
 * Work-groups that wait load nothing. So the fastest scan has work-items of 32 elements, loads and
 * stores them transposed, and prefetches the tile that is some 100 ahead of its own.
 * A work-group that returns between the two leaves others waiting for ever.
 */
#ifndef CLPRIMS_BLOCKS_H
#define CLPRIMS_BLOCKS_H

#include <clprims/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a block does beside reductions and scans; values may be combined. */
typedef enum clprims_block_use {
    CLPRIMS_BLOCK_TILES = 1, /**< exchanges of elements, and compaction */
    CLPRIMS_BLOCK_SORT = 2, /**< sorts, ranks and top-k */
    CLPRIMS_BLOCK_LOOK_BACK = 4 /**< prefixes over the work-groups of a launch */
} clprims_block_use;

/** One block of a text. */
typedef struct clprims_block {
    const char *name; /**< letters and digits, a letter first, at most 31 */
    clprims_type type; /**< of an element; CLPRIMS_STRUCT: custom.type_name */
    clprims_op op;
    clprims_custom custom; /**< for CLPRIMS_CUSTOM and CLPRIMS_STRUCT, without declarations:
                                these are the description's */
    size_t items; /**< of a work-item, at most 64; 0: 1 */
    unsigned uses; /**< values of clprims_block_use, added */
    int descending; /**< nonzero: sorts put the greatest element first */
    size_t bins; /**< of a histogram; 0: there is none */
} clprims_block;

/** What a text holds. */
typedef struct clprims_blocks_desc {
    size_t group; /**< work-items of a work-group, from 1 to what the device allows */
    const clprims_block *blocks;
    size_t block_count;
    const char *declarations; /**< types and functions of the blocks' texts, or NULL */
} clprims_blocks_desc;

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_blocks_text_sized(char **out, size_t *length, clprims_context *context,
                          const clprims_blocks_desc *desc, size_t desc_bytes);

/**
 * Writes the blocks as OpenCL C for the context's device, to stand in front of a kernel. *out ends
 * with a zero, has *length characters before it, and belongs to the caller: clprims_blocks_free. It
 * is built with the options that *out names in its first line, a comment. length may be NULL.
 * Status: ARGUMENT; UNSUPPORTED (float64, or look-back where the device lacks it or does not
 * promise that work-groups that have started go on); TOO_LARGE (group, or a room that the device's
 * local memory does not hold); HOST_MEMORY; IO (cl_dir).
 */
CLPRIMS_INLINE clprims_status clprims_blocks_text(char **out, size_t *length,
                                                  clprims_context *context,
                                                  const clprims_blocks_desc *desc) {
    return clprims_blocks_text_sized(out, length, context, desc, sizeof *desc);
}

/** Frees a text. NULL is fine. */
CLPRIMS_API void clprims_blocks_free(char *text);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_blocks_program_sized(
    cl_program *out, clprims_context *context, const clprims_blocks_desc *desc, size_t desc_bytes,
    const char *source);

/**
 * Builds the blocks and the caller's kernels, `source`, as one program, unless the context has it
 * from before, in its program store for example. Errors of the compiler name the lines of source as
 * "source:12". The caller releases the program by clReleaseProgram.
 * Status: as clprims_blocks_text, BUILD, and the OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_blocks_program(cl_program *out, clprims_context *context,
                                                     const clprims_blocks_desc *desc,
                                                     const char *source) {
    return clprims_blocks_program_sized(out, context, desc, sizeof *desc, source);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_blocks_local_sized(size_t *bytes, clprims_context *context, const clprims_blocks_desc *desc,
                           size_t desc_bytes, size_t block);

/** Sets *bytes to the local memory of a room of that block of the description, counted from 0.
 *  Status: as clprims_blocks_text. */
CLPRIMS_INLINE clprims_status clprims_blocks_local(size_t *bytes, clprims_context *context,
                                                   const clprims_blocks_desc *desc, size_t block) {
    return clprims_blocks_local_sized(bytes, context, desc, sizeof *desc, block);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_blocks_scratch_sized(
    clprims_buffer *out, clprims_context *context, const clprims_blocks_desc *desc,
    size_t desc_bytes, size_t block, size_t max_groups);

/**
 * Creates the scratch of a block with CLPRIMS_BLOCK_LOOK_BACK, for launches of at most max_groups
 * work-groups: cleared, with room for the number of the run, tickets and the totals. It serves
 * 2^30 - 2 runs. Give it back by clprims_buffer_release.
 * Status: as clprims_blocks_text, DEVICE_MEMORY, and the OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_blocks_scratch(clprims_buffer *out, clprims_context *context,
                                                     const clprims_blocks_desc *desc, size_t block,
                                                     size_t max_groups) {
    return clprims_blocks_scratch_sized(out, context, desc, sizeof *desc, block, max_groups);
}

#ifdef __cplusplus
}
#endif

#endif
