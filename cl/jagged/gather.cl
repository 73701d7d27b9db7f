/* SPDX-License-Identifier: MIT */
/* Gather, out[i] = in[index[i]]. */
#define CLP_INDEXED clp_gather

static inline ulong clp_take_index(const clp_run *run, ulong i) {
    const ulong at = clp_index_of(run, i);
    if (at >= run->length) return i;
    run->out[i] = run->in[at];
    return CLP_NOWHERE;
}

static inline void clp_end_run(const clp_run *run) {}
