/* SPDX-License-Identifier: MIT */
/* Which work-group of a launch ends last: it combines what the others have left. */

/* Whether this work-group is the last one of `groups` to come here; the counter is zero before and
 * after. What the group has written before a fence is seen by the last group behind one. One
 * work-item calls it. */
static inline bool clp_is_last_group(volatile global uint *counter, ulong groups) {
    if (groups == 1) return true;
    const uint before = atomic_inc(counter); /* with the other groups' */
    if (before < groups - 1) return false;
    atomic_xchg(counter, 0u);
    return true;
}
