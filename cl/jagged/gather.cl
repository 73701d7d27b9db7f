/* SPDX-License-Identifier: MIT */
/* Gather, out[i] = in[index[i]]. */
#define CLP_INDEXED clp_gather

/* For an index outside it loads the first element, if there is one. */
static inline void clp_fetch(const clp_run *run, ulong i, ulong at, clp_moved *x) {
    if (run->length > 0) *x = run->in[at < run->length ? at : 0];
}

static inline ulong clp_place(const clp_run *run, ulong i, ulong at, const clp_moved *x) {
    if (at >= run->length) return i;
    run->out[i] = *x;
    return CLP_NOWHERE;
}

static inline void clp_end_run(const clp_run *run) {}
