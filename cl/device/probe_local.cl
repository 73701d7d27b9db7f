/* SPDX-License-Identifier: MIT */
/* Shows whether the driver gives a kernel's static arrays as much local memory as the device has,
 * which may be more than the driver advertises: otherwise this is not built, not launched, or not
 * right. */

/* right: one word a work-item, not 0 where what others wrote was there. */
CLP_KERNEL(CLP_GROUP)
void clp_probe_local(global uint *right) {
    local uint words[CLP_LOCAL_WORDS];
    const uint item = (uint)get_local_id(0);
    for (uint i = item; i < CLP_LOCAL_WORDS; i += CLP_GROUP) words[i] = 3 * i + 1;
    barrier(
        CLK_LOCAL_MEM_FENCE); /* all words stand; partner: the loop below, of other work-items */
    uint as_written = 1;
    for (uint i = item; i < CLP_LOCAL_WORDS; i += CLP_GROUP) {
        const uint other = CLP_LOCAL_WORDS - 1 - i;
        if (words[other] != 3 * other + 1) as_written = 0;
    }
    right[item] = as_written;
}
