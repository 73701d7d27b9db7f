/* SPDX-License-Identifier: MIT */
/*
 * The variant "sub-group": values that lanes exchange, and by offsets the bounds of a share. A
 * worker is a sub-group of 32 lanes, whose exchanges may stand in loops (CLP_LOCKSTEP). All lanes
 * have the same share, and know what is open.
 */
#define CLP_SUBGROUPS (CLP_GROUP / 32)

/* ---- Exchange ---- */

/* Returns the value of the lane `distance` below; the lowest lanes get their own. */
CLP_INLINE clp_value clp_value_below(clp_value value, uint distance) {
    const uint lane = clp_lane();
    return clp_value_of_lane(value, lane >= distance ? lane - distance : lane);
}

/* ---- A share ---- */

/* What is open at a place: the combination of the elements in front of it in its segment. All lanes
 * have the same one. */
typedef struct clp_open {
    clp_value value;
    bool has;
} clp_open;

static inline clp_open clp_nothing_open(void) {
    clp_value_split nothing;
    for (uint w = 0; w < CLP_VALUE_WORDS; w++) nothing.words[w] = 0;
    const clp_open open = {nothing.value, false};
    return open;
}

#if CLP_BY_OFFSETS
/* A search for clp_ends_before(d) by 32 lanes: each step asks for 32 ends at once, so that the
 * range becomes a 32nd in the time of one load. The searches for both bounds of a share go side by
 * side, as they wait for memory. */
typedef struct clp_search {
    ulong d, from, to;
} clp_search;

static inline clp_search clp_search_of(const clp_run *run, ulong span, ulong d) {
    const clp_search search = {d, d > span ? d - span : 0, min(d, run->counts->segments)};
    return search;
}

static inline ulong clp_search_stride(const clp_search *search) {
    return (search->to - search->from + 31) / 32;
}

/* The end that the lane asks for; CLP_NONE: it asks for none. */
static inline ulong clp_search_end(const clp_run *run, long low, const clp_search *search) {
    const ulong k = search->from + clp_lane() * clp_search_stride(search);
    return k < search->to ? (ulong)clp_offset(run, k + 1) - (ulong)low : CLP_NONE;
}

CLP_INLINE void clp_search_narrow(clp_search *search, ulong end) {
    const ulong stride = clp_search_stride(search), k = search->from + clp_lane() * stride;
    const uint count = popcount(clp_ballot(k < search->to && end + k < search->d));
    search->to = count == 0 ? search->from : min(search->from + count * stride, search->to);
    if (count > 0) search->from += (count - 1) * stride + 1;
}

CLP_INLINE clp_share clp_subgroup_share_of(const clp_run *run, ulong worker) {
    clp_share share = {0, 0, 0, 0, false};
    const long low = clp_offset(run, 0), high = clp_offset(run, run->counts->segments);
    if (low < 0 || high < low || (ulong)high > run->counts->n) {
        share.broken = true;
        return share;
    }
    const ulong span = (ulong)(high - low), all = span + run->counts->segments;
    const ulong each = (all + run->counts->workers - 1) / run->counts->workers;
    clp_search begin = clp_search_of(run, span, min(worker * each, all));
    clp_search end = clp_search_of(run, span, min(begin.d + each, all));
    while (begin.from < begin.to || end.from < end.to) {
        const ulong at_begin = clp_search_end(run, low, &begin);
        const ulong at_end = clp_search_end(run, low, &end);
        clp_search_narrow(&begin, at_begin);
        clp_search_narrow(&end, at_end);
    }
    share.segment = begin.from;
    share.last_segment = end.from;
    share.first = (ulong)low + begin.d - share.segment;
    share.last = (ulong)low + end.d - share.last_segment;
    if (share.last_segment < share.segment || share.last < share.first) {
        const clp_share none = {0, 0, 0, 0, true};
        return none;
    }
    return share;
}
#endif
