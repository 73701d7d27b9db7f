/* SPDX-License-Identifier: MIT */
/*
 * The probe of a device layer. Each work-item tries the functions that every layer has: exchanges,
 * words and accesses. It sets a bit for each one that did what it should. The host decides whether
 * the layer serves. No work-group waits for another.
 */

/* found: two words a work-item: the bits, and the width of its sub-group. state: one word a
 * work-item. data: one uint4 a work-item. */
CLP_KERNEL(CLP_GROUP)
void clp_probe(global uint *found, volatile global ulong *state, global uint4 *data) {
    const uint item = (uint)get_global_id(0);
    const uint lane = clp_lane();
    const uint subgroup_first = clp_subgroup_number() * CLP_SUBGROUP;
    uint bits = 0;
    if (subgroup_first + lane == get_local_id(0)) bits |= 1;

#if CLP_SUBGROUP_IS_GROUP
    bits |= 2 | 4 | 8;
#else
    const uint opposite = CLP_SUBGROUP - 1 - lane;
    const uint from_opposite = clp_shuffle_word(3 * lane + 1, opposite);
    const uint from_half = clp_shuffle_word(5 * lane + 2, lane / 2);
    if (from_opposite == 3 * opposite + 1 && from_half == 5 * (lane / 2) + 2) bits |= 2;

    const uint from_below = clp_shuffle_up_word(7 * lane + 5, 1);
    if (lane == 0 || from_below == 7 * (lane - 1) + 5) bits |= 4;

    const clp_lanes odd = clp_ballot((lane & 1) != 0);
    const clp_lanes last = clp_ballot(lane == CLP_SUBGROUP - 1);
    const clp_lanes all = ~(clp_lanes)0 >> (8 * sizeof(clp_lanes) - CLP_SUBGROUP);
    if (odd == all / 3 * 2 && last == all - (all >> 1)) bits |= 8;
#endif

#if CLP_INT64_ATOMICS
    const ulong word = ((ulong)item << 33) + 11;
    clp_publish(state + item, word);
    clp_device_fence();
    if (clp_observe(state + item) == word) bits |= 16;
#else
    bits |= 16;
#endif

    clp_store_stream(data + item, (uint4)(item, lane, 2, 3));
    const uint4 back = clp_load_stream(data + item);
    if (back.x == item && back.y == lane && back.z == 2 && back.w == 3) bits |= 32;

    found[2 * item] = bits;
    found[2 * item + 1] = clp_subgroup_width();
}
