/* SPDX-License-Identifier: MIT */
/* Seed 004's compaction: what is not zero is kept, at the place that a scan of the flags gives. */

kernel void flag_kept(global const uint *in, global uint *flags, ulong n) {
    const ulong i = get_global_id(0);
    if (i < n) flags[i] = in[i] != 0;
}

kernel void scatter(global const uint *in, global const uint *flags, global const uint *places,
                    ulong n, global uint *out, global ulong *report) {
    const ulong i = get_global_id(0);
    if (i < n && flags[i] != 0) out[places[i]] = in[i];
    if (i == n - 1) report[1] = places[i] + flags[i];
}
