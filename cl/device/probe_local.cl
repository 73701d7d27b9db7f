/* SPDX-License-Identifier: MIT */
/*
 * The probe of local memory: does the driver give a kernel's static arrays all local memory that
 * the device has? This may be more than the driver advertises. If it does not, this kernel is not
 * built, not launched, or not right.
 */

/* right: one word for each work-item: whether it found what other work-items wrote. */
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
