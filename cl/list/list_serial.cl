/* SPDX-License-Identifier: MIT */
/*
 * A whole run by one work-item, which ranks or scans as plain C does: a short list or small forest;
 * or, with only_near, a longer list whose links lead near, which takes less time than to cut it
 * into sublists for a few processors. All other kernels of the run then return at once. A malformed
 * list is left to them.
 */

/* ---- Lists whose links lead near ---- */

#define CLP_SAMPLES 64
#define CLP_NEAR 8192 /* elements, which the caches next to a core hold */

/* Returns whether nearly every path ends at its element or comes near it again in two steps, so
 * that a walk hardly waits for memory. */
static inline bool clp_is_near(global const CLP_LINK *links, CLP_INDEX count) {
    uint near = 0;
    for (CLP_INDEX k = 0; k < CLP_SAMPLES; k++) {
        const CLP_INDEX from = count / CLP_SAMPLES * k;
        CLP_INDEX at = from;
        bool is_near = count > 0 && links[from] == CLP_TAIL;
        for (uint step = 0; step < 2 && at < count; step++) {
            at = (CLP_INDEX)links[at];
            is_near |= at < count && (at > from ? at - from : from - at) < CLP_NEAR;
        }
        near += is_near;
    }
    return near >= CLP_SAMPLES / 8 * 7;
}

/* ---- The walk ---- */

/* A list scan records in scratch: its output may stand in the place of its links or values. Macros
 * because ranks and scans have other parameters, whose names they use. */
#if CLP_RANKS
#define CLP_VALUE_OF(i) 1
#define CLP_RECORD(at, value) clp_write(out, at, (CLP_INDEX)(value), as_order)
#define CLP_RECORDER global CLP_LINK *out, uint as_order, const CLP_A start
#define CLP_OWN_RECORDER out + out_at, as_order, 0
#else
#define CLP_RECORD(at, value) results[at] = (value)
#define CLP_RECORDER                                                                               \
    global const CLP_E *values, ulong values_at, global CLP_A *results,                            \
        const CLP_A start CLP_USER_TAKEN
#define CLP_OWN_RECORDER values, values_at, results, start CLP_USER_PASSED
#endif

/* Walks from a head and records the results by element. Returns false unless the path ends at a
 * tail. *left: the number of elements not reached yet, updated. */
static inline bool clp_walk_from(CLP_INDEX first, global const CLP_LINK *restrict links,
                                 CLP_INDEX count, CLP_INDEX *left, CLP_RECORDER) {
    CLP_INDEX at = first, most = *left;
    CLP_A value = CLP_START(first);
#if !CLP_HAS_START
    if (at < count && most > 0) {
        value = CLP_VALUE_OF(at);
        CLP_RECORD(at, value);
        at = (CLP_INDEX)links[at];
        most--;
    }
#endif
    while (at < count && most > 0) {
        const CLP_INDEX next = (CLP_INDEX)links[at];
        const CLP_A own = CLP_VALUE_OF(at);
        if (!CLP_INCLUSIVE) CLP_RECORD(at, value);
        value = clp_op(value, own);
        if (CLP_INCLUSIVE) CLP_RECORD(at, value);
        at = next;
        most--;
    }
    *left = most;
    return at == (CLP_INDEX)CLP_TAIL;
}

#if CLP_FOREST
/* Marks each element: 1 if a link names it, 2 if it is given as a head. Returns false if a link or
 * a head is wrong. */
static inline bool clp_mark_names(const clp_diagnosis *c, global uchar *named) {
    bool good = true;
    for (CLP_INDEX i = 0; i < c->count; i++) named[i] = 0;
    for (CLP_INDEX i = 0; i < c->count; i++) {
        const CLP_LINK link = c->links[i];
        if ((CLP_INDEX)link < c->count) {
            good &= named[link] == 0;
            named[link] = 1;
        } else {
            good &= link == CLP_TAIL;
        }
    }
    for (CLP_INDEX k = 0; k < c->given.count; k++) {
        const CLP_INDEX head = (CLP_INDEX)c->given.heads[k];
        good &= head < c->count;
        if (head < c->count) named[head] |= 2;
    }
    return good;
}
#endif

CLP_KERNEL(1) void CLP_SINGLE_GROUP(CLP_SINGLE_PARAMETERS) {
    CLP_USER_KEPT
    const CLP_INDEX count = (CLP_INDEX)level.count;
    const clp_given own_heads = CLP_GIVEN_OF;
    clp_diagnosis c = CLP_SINGLE_DIAGNOSIS(own_heads);
    if (only_near && !clp_is_near(c.links, count)) return;
    CLP_LINK first = (CLP_LINK)head; /* a forest has none */
    CLP_INDEX left = count;
    if (!CLP_FOREST && head < 0) {
        ulong sum = 0;
        for (CLP_INDEX i = 0; i < count; i++) sum += (ulong)(long)c.links[i];
        first = (CLP_LINK)clp_head_of((uint)sum, (uint)(sum >> 32), count);
    }
#if CLP_FOREST
    bool valid = clp_mark_names(&c, named);
    for (CLP_INDEX i = 0; valid && i < count; i++) {
        valid = named[i] == 1;
        if (named[i] == (own_heads.are_given ? 2 : 0))
            valid = clp_walk_from(i, c.links, count, &left, CLP_OWN_RECORDER);
    }
#else
    bool valid = clp_walk_from((CLP_INDEX)first, c.links, count, &left, CLP_OWN_RECORDER);
#endif
    valid = valid && left == 0;
#if !CLP_RANKS
    const clp_output to = CLP_OUTPUT_OF;
    for (CLP_INDEX i = 0; valid && i < count; i++) clp_put(&to, i, CLP_PLACED_OF(results[i]));
#endif
    if (only_near) {
        state->head = first;
        state->done_near = state->valid = valid;
        return;
    }
    CLP_FINISH(first, valid, clp_mark_all_reached(&c, &level, 0, 0, 0, 1))
}
