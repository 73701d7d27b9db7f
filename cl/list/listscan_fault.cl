/* SPDX-License-Identifier: MIT */
/*
 * Diagnosis of a malformed list or forest. Every element is checked for each fault, and the lowest
 * element that shows it is kept. On a valid list every kernel returns at once.
 */

/* found[check] is the number of the lowest element, in units of 2^coarse. The first four checks run
 * first; each later check needs the results of the stage before. */
enum {
    CLP_CHECK_RANGE,
    CLP_CHECK_TAIL,
    CLP_CHECK_SHARED,
    CLP_CHECK_WRONG_HEAD,
    CLP_CHECK_SECOND_TAIL,
    CLP_CHECK_NAMES_TARGET,
    CLP_CHECK_STRAY,
    CLP_CHECK_NO_ELEMENT /* of given heads, forest.cl */
};

typedef struct {
    global const CLP_LINK *links;
    global const uint *bits;
    CLP_INDEX count;
    CLP_LINK tail;
    CLP_LINK index;
    CLP_LINK target;
    bool heads_given; /* the caller gave the heads of a forest */
} clp_fault_query;

/* Returns whether an element is given as a head; the bits follow the marks. */
static inline bool clp_is_given(global const uint *bits, CLP_INDEX i, CLP_INDEX count) {
    return (bits[(count + 15) / 16 + i / 32] >> (uint)(i % 32) & 1) != 0;
}

static inline bool clp_shows_fault(uint check, const clp_fault_query *q, CLP_INDEX i) {
    const CLP_LINK to = q->links[i];
    const bool inside = (CLP_INDEX)to < q->count;
    switch (check) {
    case CLP_CHECK_RANGE:
        return !inside && to != CLP_TAIL;
    case CLP_CHECK_TAIL:
        return to == CLP_TAIL;
    case CLP_CHECK_SHARED:
        return inside && (clp_bits(q->bits, (CLP_INDEX)to) & 2) != 0;
    case CLP_CHECK_WRONG_HEAD:
        return q->heads_given &&
               clp_is_given(q->bits, i, q->count) == ((clp_bits(q->bits, i) & 1) != 0);
    case CLP_CHECK_SECOND_TAIL:
        return to == CLP_TAIL && (CLP_LINK)i > q->tail;
    case CLP_CHECK_NAMES_TARGET:
        return to == q->target && (CLP_LINK)i != q->index;
    default: /* CLP_CHECK_STRAY: by now the second bit is set for elements that a head reaches */
        return (clp_bits(q->bits, i) & 2) == 0;
    }
}

static inline clp_fault_query clp_query_of(global const CLP_LINK *links, ulong links_at,
                                           global const uint *bits,
                                           global const clp_list_state *state, ulong count,
                                           uint heads_given) {
    const clp_fault_query q = {links + links_at,       bits,
                               (CLP_INDEX)count,       (CLP_LINK)state->tail,
                               (CLP_LINK)state->index, (CLP_LINK)state->target,
                               heads_given != 0};
    return q;
}

/* Returns the lowest element that shows the fault; -1 if there is none. */
static inline long clp_lowest(uint check, const clp_fault_query *q,
                              global const clp_list_state *state, uint coarse) {
    if (state->found[check] == UINT_MAX) return -1;
    CLP_INDEX i = (CLP_INDEX)state->found[check] << coarse;
    while (i + 1 < q->count && !clp_shows_fault(check, q, i)) i++;
    return (long)i;
}

/* Marks what links name. In a forest clp_listscan_pack has done this, since the walk needs the
 * heads. */
CLP_KERNEL(CLP_GROUP)
void clp_listscan_name(global const CLP_LINK *links, ulong links_at, global uint *bits,
                       global const clp_list_state *state, ulong count) {
    if (state->valid) return;
    CLP_INDEX end;
    for (CLP_INDEX i = clp_share((CLP_INDEX)count, &end); i < end; i += CLP_GROUP) {
        clp_mark_link(bits, links[links_at + i], (CLP_INDEX)count);
    }
}

/* Runs the checks from `first` to before `end` on every step-th element from start to before stop.
 */
static inline void clp_find_faults(const clp_fault_query *q, global clp_list_state *state,
                                   uint coarse, uint first, uint end, CLP_INDEX start,
                                   CLP_INDEX stop, CLP_INDEX step) {
    for (uint check = first; check < end; check++) {
        CLP_INDEX i = start;
        while (i < stop && !clp_shows_fault(check, q, i)) i += step;
        /* Races with itself; later stages read it. */
        if (i < stop) atomic_min((volatile global uint *)&state->found[check], (uint)(i >> coarse));
    }
}

CLP_KERNEL(CLP_GROUP)
void clp_listscan_find_faults(global const CLP_LINK *links, ulong links_at, global const uint *bits,
                              global clp_list_state *state, ulong count, uint coarse,
                              uint heads_given, uint first, uint end) {
    if (state->valid) return;
    const clp_fault_query q = clp_query_of(links, links_at, bits, state, count, heads_given);
    CLP_INDEX stop;
    const CLP_INDEX start = clp_share((CLP_INDEX)count, &stop);
    clp_find_faults(&q, state, coarse, first, end, start, stop, CLP_GROUP);
}

/* Classifies the list by the results of the first checks; CLP_CYCLE if they found nothing. */
static inline void clp_classify(const clp_fault_query *q, global clp_list_state *state,
                                uint coarse) {
    const long range = clp_lowest(CLP_CHECK_RANGE, q, state, coarse);
    const long shared = clp_lowest(CLP_CHECK_SHARED, q, state, coarse);
    const long wrong_head = clp_lowest(CLP_CHECK_WRONG_HEAD, q, state, coarse);
    const long head = state->head;
    state->tail = clp_lowest(CLP_CHECK_TAIL, q, state, coarse);
    state->fault = CLP_CYCLE;
    if (range >= 0) {
        state->fault = CLP_LINK_RANGE;
        state->index = range;
        state->other = q->links[range];
    } else if (!CLP_FOREST && state->tail < 0) {
        state->fault = CLP_NO_TAIL;
    } else if (shared >= 0) {
        state->fault = CLP_SAME_SUCCESSOR;
        state->index = shared;
        state->target = q->links[shared];
    } else if (CLP_FOREST ? wrong_head >= 0 : head >= 0 && (clp_bits(q->bits, head) & 1) != 0) {
        state->fault = CLP_HEAD;
        state->index = -1;
        state->target = CLP_FOREST ? wrong_head : head;
    }
}

CLP_KERNEL(1)
void clp_listscan_classify(global const CLP_LINK *links, ulong links_at, global const uint *bits,
                           global clp_list_state *state, ulong count, uint coarse,
                           uint heads_given) {
    if (state->valid) return;
    const clp_fault_query q = clp_query_of(links, links_at, bits, state, count, heads_given);
    clp_classify(&q, state, coarse);
}

/* If only a cycle can be wrong: marks every element that a head reaches. No two walks meet. */
CLP_KERNEL(CLP_GROUP)
void clp_listscan_reach(global const CLP_LINK *links, ulong links_at, global uint *bits,
                        global const uint *states, global clp_list_state *state,
                        const clp_list_level given) {
    if (state->valid || state->fault != CLP_CYCLE) return;
    const clp_list_level level = state->again ? clp_second_level(given, state) : given;
    const CLP_INDEX count = (CLP_INDEX)level.count;
    const CLP_INDEX ids = (CLP_INDEX)level.ids;
    clp_tasks tasks = clp_tasks_of(0, state->head);
    CLP_INDEX id = (CLP_INDEX)get_global_id(0);
    CLP_INDEX i = clp_next_head(&tasks, bits, state->head, count);
    bool heads = i != CLP_NONE;
    for (;;) {
        if (heads && clp_is_splitter((CLP_LINK)i, &level)) i = CLP_NONE;
        while (i < count) {
            /* Races with itself, since elements share a word; clp_listscan_find_faults reads it. */
            atomic_or((volatile global uint *)&bits[i / 16], 2u << (uint)(i % 16) * 2);
            i = (CLP_INDEX)links[links_at + i];
            if (i < count && clp_is_splitter((CLP_LINK)i, &level)) break;
        }
        if (heads) {
            i = clp_next_head(&tasks, bits, state->head, count);
            heads = i != CLP_NONE;
            if (heads) continue;
        }
        while (id < ids && states[level.above + id] == CLP_UNREACHED)
            id += (CLP_INDEX)get_global_size(0);
        if (id >= ids) return;
        i = clp_unmix(id, &level.hash);
        id += (CLP_INDEX)get_global_size(0);
    }
}

static inline void clp_store_report(global long *report, long fault, long index, long other,
                                    long head) {
    report[0] = fault;
    report[1] = index;
    report[2] = other;
    report[3] = head;
}

/* Writes the report. head: as the caller gave it. */
static inline void clp_write_report(const clp_fault_query *q, global const clp_list_state *state,
                                    uint coarse, global long *report, long head) {
    long fault = state->fault, index = state->index, other = state->other;
    if (fault == CLP_CYCLE || fault == CLP_HEAD || fault == CLP_SAME_SUCCESSOR) {
        const long second = clp_lowest(CLP_CHECK_SECOND_TAIL, q, state, coarse);
        if (!CLP_FOREST && second >= 0) {
            fault = CLP_TWO_TAILS;
            index = state->tail;
            other = second;
        } else if (fault == CLP_CYCLE) {
            index = clp_lowest(CLP_CHECK_STRAY, q, state, coarse);
        } else if (state->target >= 0) {
            other = clp_lowest(CLP_CHECK_NAMES_TARGET, q, state, coarse);
        }
        if (fault == CLP_HEAD) index = state->target;
    }
    if (!CLP_FOREST && head < 0 && (fault == CLP_VALID || fault == CLP_CYCLE)) head = state->head;
    clp_store_report(report, fault, index, other, head);
}

CLP_KERNEL(1)
void clp_listscan_write_report(global const CLP_LINK *links, ulong links_at,
                               global const uint *bits, global const clp_list_state *state,
                               ulong count, uint coarse, global long *reports, ulong report_at,
                               long head) {
    const clp_fault_query q = clp_query_of(links, links_at, bits, state, count, 0);
    clp_write_report(&q, state, coarse, reports + 4 * report_at, head);
}
