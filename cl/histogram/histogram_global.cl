/* SPDX-License-Identifier: MIT */
/*
 * Counts in device memory, for more bins than local memory holds in a few parts. Each element is an
 * atomic on its bin's sum. No work-group waits for another; local memory holds only whether the
 * group is the last.
 */

/* A macro because CLP_EACH_ELEMENT takes it as an argument and it writes the kernel's variables. */
#define CLP_TAKE(x, index)                                                                         \
    {                                                                                              \
        const uint bin = clp_bin(&io, x, index);                                                   \
        if (bin == CLP_NO_BIN) {                                                                   \
            outside++;                                                                             \
            block = min(block, clp_block(index));                                                  \
        } else {                                                                                   \
            CLP_ASSERT(bin < CLP_BINS);                                                            \
            clp_add_to_global(sums + (ulong)bin * CLP_WORDS, 1,                                    \
                              clp_weight(&io, index, largest, top_bit));                           \
        }                                                                                          \
    }

CLP_KERNEL(CLP_GROUP)
void clp_histogram_global(CLP_IO_PARAMETERS, CLP_OWN_END_PARAMETERS volatile global uint *sums,
                          volatile global uint *found CLP_USER_PARAMETERS) {
    local uint is_last[1]; /* whether this work-group is the last of the run */
    const clp_io io = CLP_IO;
    const ulong n = CLP_N;
    CLP_WEIGHT_SCALE
    const ulong slice = get_group_id(0), slices = get_num_groups(0);
    uint outside = 0, block = CLP_NO_BLOCK;
    CLP_EACH_ELEMENT(slice, slices, CLP_TAKE)
    if (outside > 0) clp_tell_outside(found, outside, block);
    CLP_FINISH_IF_LAST(is_last[0])
}
