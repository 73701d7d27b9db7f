/* SPDX-License-Identifier: MIT */
/*
 * Diagnosis of a malformed list. In each of three stages every element is checked for three faults,
 * and the lowest element that shows a fault is kept. Later checks depend on the results of earlier
 * stages. On a valid list every kernel returns at once.
 */

/* Three checks per stage. found[check] is the number of the lowest element, in units of 2^coarse.
 */
enum {
    CLP_CHECK_RANGE,
    CLP_CHECK_TAIL,
    CLP_CHECK_SECOND_TAIL = 3,
    CLP_CHECK_SHARED,
    CLP_CHECK_HEAD_NAMED,
    CLP_CHECK_NAMES_TARGET,
    CLP_CHECK_STRAY
};

typedef struct {
    global const CLP_LINK *links;
    volatile global uint *bits; /* marks: two bits per element, see links.cl */
    CLP_INDEX count;
    CLP_LINK head;
    int fault;
    CLP_INDEX tail; /* the lowest one */
    CLP_INDEX index; /* the lowest element that shows the fault */
    CLP_LINK target; /* the element that two links name */
} clp_list_diagnosis;

static inline bool clp_shows_fault(uint check, const clp_list_diagnosis *c, CLP_INDEX i) {
    const CLP_LINK to = c->links[i];
    const bool inside = (CLP_INDEX)to < c->count;
    switch (check) {
    case CLP_CHECK_RANGE:
        return !inside && to != CLP_TAIL;
    case CLP_CHECK_TAIL:
        return to == CLP_TAIL;
    case CLP_CHECK_SECOND_TAIL:
        return to == CLP_TAIL && i > c->tail;
    case CLP_CHECK_SHARED:
        return inside && (clp_bits(c->bits, (CLP_INDEX)to) & 2) != 0;
    case CLP_CHECK_HEAD_NAMED:
        return i == (CLP_INDEX)c->head && (clp_bits(c->bits, i) & 1) != 0;
    case CLP_CHECK_NAMES_TARGET:
        return to == c->target && i != c->index;
    case CLP_CHECK_STRAY:
        return (clp_bits(c->bits, i) & 1) != 0;
    default:
        return false;
    }
}

/* Returns the lowest element that an earlier stage found: the first of its 2^coarse elements that
 * shows the fault. */
static inline CLP_INDEX clp_found(uint check, const clp_list_diagnosis *c,
                                  global const clp_list_state *state, uint coarse) {
    CLP_INDEX i = (CLP_INDEX)((volatile global const uint *)state->found)[check] << coarse;
    while (i < c->count && !clp_shows_fault(check, c, i)) i++;
    return i;
}

/* Classifies the list by the results of the earlier stages; CLP_CYCLE if they found nothing. */
static inline clp_list_diagnosis clp_classify(global const CLP_LINK *links, global CLP_LINK *ranks,
                                              global const clp_list_state *state,
                                              const clp_list_level *level, uint coarse,
                                              uint stage) {
    volatile global const uint *found = state->found;
    clp_list_diagnosis c = {links + level->links_at,
                            (volatile global uint *)ranks,
                            (CLP_INDEX)level->count,
                            (CLP_LINK)state->heads[0],
                            CLP_CYCLE,
                            CLP_NONE,
                            CLP_NONE,
                            CLP_BROKEN};
    if (state->valid) {
        c.fault = CLP_VALID;
    } else if (stage > 0 && found[CLP_CHECK_RANGE] != UINT_MAX) {
        c.fault = CLP_LINK_RANGE;
        c.index = clp_found(CLP_CHECK_RANGE, &c, state, coarse);
    } else if (stage > 0 && found[CLP_CHECK_TAIL] == UINT_MAX) {
        c.fault = CLP_NO_TAIL;
    } else if (stage > 0) {
        c.tail = clp_found(CLP_CHECK_TAIL, &c, state, coarse);
    }
    if (c.fault != CLP_CYCLE || stage < 2) return c;
    if (found[CLP_CHECK_SECOND_TAIL] != UINT_MAX) {
        c.fault = CLP_TWO_TAILS;
        c.index = c.tail;
    } else if (found[CLP_CHECK_SHARED] != UINT_MAX) {
        c.fault = CLP_SAME_SUCCESSOR;
        c.index = clp_found(CLP_CHECK_SHARED, &c, state, coarse);
        c.target = c.links[c.index];
    } else if (found[CLP_CHECK_HEAD_NAMED] != UINT_MAX) {
        c.fault = CLP_HEAD;
        c.target = c.head;
    }
    return c;
}

/* Returns whether a stage has anything to check. */
static inline bool clp_has_checks(const clp_list_diagnosis *c) {
    return c->fault != CLP_VALID && c->fault != CLP_LINK_RANGE && c->fault != CLP_NO_TAIL;
}

/* Runs the three checks of a stage on this work-item's share of the elements. Stage 0 marks what
 * links name; the marks, in ranks, must be 0 before. */
static inline void clp_find_faults(const clp_list_diagnosis *c, global clp_list_state *state,
                                   uint coarse, uint stage, uint piece, uint pieces) {
    const CLP_INDEX group = (CLP_INDEX)get_local_size(0);
    CLP_INDEX lowest[3] = {CLP_NONE, CLP_NONE, CLP_NONE};
    CLP_INDEX end;
    for (CLP_INDEX i = clp_share_of(c->count, piece, pieces, &end); i < end; i += group) {
        if (stage == 0) clp_mark_link(c->bits, c->links[i], c->count);
        for (uint k = 0; k < 3; k++) {
            if (lowest[k] == CLP_NONE && clp_shows_fault(3 * stage + k, c, i)) lowest[k] = i;
        }
    }
    for (uint k = 0; k < 3; k++) {
        /* Races with all other work-items; later stages read it. */
        if (lowest[k] != CLP_NONE) {
            atomic_min((volatile global uint *)&state->found[3 * stage + k],
                       (uint)(lowest[k] >> coarse));
        }
    }
}

/* Clears the mark "named" of an element. The other marks of the word belong to other work-items. */
static inline void clp_unmark(const clp_list_diagnosis *c, CLP_INDEX i) {
    atomic_and(&c->bits[i / 16], ~(1u << (uint)(i % 16) * 2));
}

/*
 * If only a cycle can be wrong: clears the mark "named" of every element that head reaches, so that
 * only elements on cycles keep it. Head is not named then, and no two walks meet.
 */
static inline void clp_unmark_reached(const clp_list_diagnosis *c, const clp_list_level *level,
                                      global const CLP_LINK *ranks_above, uint piece, uint pieces) {
    const ulong own = level->ids - 1, group = get_local_size(0);
    for (ulong id = piece * group + get_local_id(0); id <= own; id += pieces * group) {
        if (ranks_above[level->above + id] < 0) continue;
        CLP_INDEX i = clp_first_node((CLP_INDEX)id, c->head, level);
        while (i < c->count) {
            clp_unmark(c, i);
            i = (CLP_INDEX)c->links[i];
            if (clp_mix(i, &level->hash) < own) break;
        }
    }
}

/* Writes the report from the results of all stages. head: as the caller gave it. */
static inline void clp_write_report(clp_list_diagnosis c, global const clp_list_state *state,
                                    uint coarse, global long *report, long head) {
    CLP_INDEX other = CLP_NONE;
    if (c.fault == CLP_LINK_RANGE) other = (CLP_INDEX)c.links[c.index];
    if (c.fault == CLP_TWO_TAILS) other = clp_found(CLP_CHECK_SECOND_TAIL, &c, state, coarse);
    if (c.fault == CLP_SAME_SUCCESSOR || c.fault == CLP_HEAD) {
        other = clp_found(CLP_CHECK_NAMES_TARGET, &c, state, coarse);
    }
    if (c.fault == CLP_HEAD) c.index = (CLP_INDEX)c.head;
    if (c.fault == CLP_CYCLE) {
        const bool known = state->found[CLP_CHECK_STRAY] != UINT_MAX;
        if (known)
            c.index = clp_found(CLP_CHECK_STRAY, &c, state, coarse);
        else
            c.fault = CLP_INVALID;
    }
    /* A head that was found from the sum of the links is right if no link is wrong. */
    if (head < 0 && (c.fault == CLP_VALID || c.fault == CLP_CYCLE)) head = state->heads[0];
    report[0] = c.fault;
    report[1] = (CLP_LINK)c.index;
    report[2] = (CLP_LINK)other;
    report[3] = head;
}

/* Returns the stage of a ticket in a diagnosis of `pieces` work-groups per stage; CLP_STAGES for
 * the last ticket, which writes the report. */
static inline uint clp_stage_of(uint ticket, uint pieces) {
    return min(ticket / pieces, (uint)CLP_STAGES);
}

/*
 * Three stages of checks, one stage that clears marks, and the report. In one launch, a work-group
 * takes a ticket and waits for the stage before its own, whose groups have all started. Without
 * forward progress between work-groups, each stage is a launch of its own, numbered by `launched`.
 * On a valid list no group takes a ticket.
 */
CLP_KERNEL(CLP_LAST_GROUP)
void clp_list_diagnose(global const CLP_LINK *links, global CLP_LINK *ranks, ulong ranks_at,
                       global clp_list_state *state, const clp_list_level given, uint coarse,
                       global const CLP_LINK *ranks_above, global long *reports, ulong report_at,
                       long head, uint pieces, uint launched) {
    local uint ticket[1];
    const clp_list_level level = clp_as_walked(given, state);
    const bool valid = state->valid, one_launch = launched == UINT_MAX;
    const uint lane = (uint)get_local_id(0);
    if (lane == 0) {
        uint taken = launched * pieces + (uint)get_group_id(0);
        if (one_launch && valid) taken = (uint)get_group_id(0) == 0 ? CLP_STAGES * pieces : 0;
        /* Races with itself, in all other groups. */
        if (one_launch && !valid) taken = atomic_inc((volatile global uint *)&state->tickets);
        const uint stage = clp_stage_of(taken, pieces);
        /* The groups of the stage before add to it below. */
        while (one_launch && !valid && stage > 0 &&
               atomic_add((volatile global uint *)&state->done[stage - 1], 0u) < pieces) {
        }
        ticket[0] = taken;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* ticket written above, read below */
    const uint taken = ticket[0];
    const uint stage = clp_stage_of(taken, pieces), piece = taken % pieces;
    const uint check_stage = stage < 2 ? stage : 2;
    const clp_list_diagnosis c =
        clp_classify(links, ranks + ranks_at, state, &level, coarse, check_stage);
    if (stage == 2 && c.fault == CLP_CYCLE) {
        clp_unmark_reached(&c, &level, ranks_above, piece, pieces);
    }
    if (stage != 2 && stage < CLP_STAGES && clp_has_checks(&c)) {
        clp_find_faults(&c, state, coarse, check_stage, piece, pieces);
    }
    if (stage == CLP_STAGES && lane == 0) {
        clp_write_report(c, state, coarse, reports + 4 * report_at, head);
    }
    clp_device_fence();
    barrier(CLK_GLOBAL_MEM_FENCE); /* all results of this group, before it counts as done */
    if (lane == 0 && !valid && stage < CLP_STAGES) {
        atomic_inc((volatile global uint *)&state->done[stage]); /* read above by later stages */
    }
}
