/* SPDX-License-Identifier: MIT */
/* Which work-group of a launch ends last. It combines what the others have left. */

/* Whether this work-group is the last of `groups` to come here. The counter is zero before and
 * after the launch. Nobody waits. What a work-group wrote before a fence and this call, the last
 * one sees behind this call and a fence. One work-item of each work-group calls it. */
static inline bool clp_is_last_group(volatile global uint *counter, ulong groups) {
    if (groups == 1) return true;
    const uint before = atomic_inc(counter); /* with the other groups' */
    if (before < groups - 1) return false;
    atomic_xchg(counter, 0u);
    return true;
}
