/* SPDX-License-Identifier: MIT */
/*
 * Diagnosis of malformed lists. In each of three stages every element is checked for some faults,
 * and the lowest element that shows a fault is kept. Later checks depend on the results of earlier
 * stages. On a valid list every kernel returns at once.
 *
 * On devices that guarantee the progress of work-groups all stages are one launch: work-groups take
 * pieces of stages by ticket, and wait for all pieces of the stage before. That ends, because
 * running work-groups took them before. Elsewhere each stage is a launch.
 */

/* Three checks per stage. found[check] is the number of the lowest element, in units of 2^coarse.
 */
enum {
    CLP_CHECK_RANGE,
    CLP_CHECK_TAIL,
    CLP_CHECK_NO_ELEMENT, /* of given heads; forest.cl finds it */
    CLP_CHECK_SECOND_TAIL,
    CLP_CHECK_SHARED,
    CLP_CHECK_HEAD,
    CLP_CHECK_NAMES_TARGET,
    CLP_CHECK_STRAY
};

/* The heads that the caller gives for a forest. */
typedef struct {
    global const CLP_LINK *heads;
    ulong count;
    uint are_given;
} clp_given;

#if CLP_FOREST
#define CLP_GIVEN , global const CLP_LINK *given, ulong given_at, ulong num_given, uint has_given
#define CLP_GIVEN_OF                                                                               \
    { given + given_at, num_given, has_given }
#else
#define CLP_GIVEN
#define CLP_GIVEN_OF                                                                               \
    { 0, 0, 0 }
#endif

/* What is diagnosed, and what the earlier stages found. */
typedef struct {
    global const CLP_LINK *links;
    volatile global uint *bits; /* marks: two bits per element, see list.cl; in a forest, followed
                                   by one bit per given head */
    global clp_list_state *state;
    CLP_INDEX count;
    uint coarse;
    clp_given given;
    int fault;
    CLP_INDEX tail; /* the lowest one */
    CLP_INDEX index; /* the lowest element that shows the fault */
    CLP_LINK target; /* the element that should not be named */
    long other; /* a given head that is no element */
} clp_diagnosis;

static inline clp_diagnosis clp_diagnosis_of(global const CLP_LINK *links, global uint *bits,
                                             global clp_list_state *state, CLP_INDEX count,
                                             uint coarse, clp_given given) {
    const CLP_INDEX none = CLP_NONE;
    const clp_diagnosis c = {links,     bits, state, count,    coarse, given,
                             CLP_VALID, none, none,  CLP_TAIL, -1};
    return c;
}

/* Returns whether an element is given as a head. */
static inline bool clp_is_given(volatile global const uint *bits, CLP_INDEX i, CLP_INDEX count) {
    return (bits[clp_given_at(count) + i / 32] >> (uint)(i % 32) & 1) != 0;
}

/* An element, its link, and the marks of the element and of the one that the link names. */
typedef struct {
    CLP_INDEX i;
    CLP_LINK to;
    uint own_marks, marks;
} clp_seen;

static inline clp_seen clp_see(const clp_diagnosis *c, CLP_INDEX i, CLP_LINK to) {
    const uint marks = (CLP_INDEX)to < c->count ? clp_bits(c->bits, (CLP_INDEX)to) : 0;
    return (clp_seen){i, to, clp_bits(c->bits, i), marks};
}

static inline bool clp_is_wrong_head(const clp_diagnosis *c, const clp_seen *it) {
    const bool named = (it->own_marks & 1) != 0;
    if (!CLP_FOREST) return named && (long)it->i == c->state->head;
    return c->given.are_given && clp_is_given(c->bits, it->i, c->count) == named;
}

static inline bool clp_shows_fault(uint check, const clp_diagnosis *c, const clp_seen *it) {
    switch (check) {
    case CLP_CHECK_RANGE:
        return (CLP_INDEX)it->to >= c->count && it->to != CLP_TAIL;
    case CLP_CHECK_TAIL:
        return it->to == CLP_TAIL;
    case CLP_CHECK_SECOND_TAIL:
        return !CLP_FOREST && it->to == CLP_TAIL && it->i > c->tail;
    case CLP_CHECK_SHARED:
        return (it->marks & 2) != 0;
    case CLP_CHECK_HEAD:
        return clp_is_wrong_head(c, it);
    case CLP_CHECK_NAMES_TARGET:
        return it->to == c->target && it->i != c->index;
    case CLP_CHECK_STRAY: /* by now the second bit is set for elements that a head reaches */
        return (it->own_marks & 2) == 0;
    default:
        return false;
    }
}

static inline uint clp_found_by(uint check, const clp_diagnosis *c) {
    return ((volatile global const uint *)c->state->found)[check];
}

/* Returns the lowest element that an earlier stage found: the first of its 2^coarse elements that
 * shows the fault. CLP_NONE: it found none. */
static inline CLP_INDEX clp_found(uint check, const clp_diagnosis *c) {
    if (clp_found_by(check, c) == UINT_MAX) return CLP_NONE;
    CLP_INDEX i = (CLP_INDEX)clp_found_by(check, c) << c->coarse;
    clp_seen it = clp_see(c, i, c->links[i]);
    while (i + 1 < c->count && !clp_shows_fault(check, c, &it)) {
        i++;
        it = clp_see(c, i, c->links[i]);
    }
    return i;
}

/* A given head that is no element is reported before other wrong heads. */
static inline void clp_classify_heads(clp_diagnosis *c) {
    const uint found = clp_found_by(CLP_CHECK_NO_ELEMENT, c);
    c->target = (CLP_LINK)clp_found(CLP_CHECK_HEAD, c);
    if (c->target >= 0 || found != UINT_MAX) c->fault = CLP_HEAD;
    if (found == UINT_MAX) return;
    ulong k = (ulong)found << c->coarse;
    while (k + 1 < c->given.count && (CLP_INDEX)c->given.heads[k] < c->count) k++;
    c->target = CLP_TAIL;
    c->other = c->given.heads[k];
}

/* Classifies the lists by the results of the earlier stages; CLP_CYCLE if they found nothing. */
static inline void clp_classify(clp_diagnosis *c, uint stage) {
    c->fault = c->state->valid ? CLP_VALID : CLP_CYCLE;
    c->tail = c->index = CLP_NONE;
    c->target = CLP_TAIL;
    c->other = -1;
    if (c->fault == CLP_VALID || stage == 0) return;
    c->index = clp_found(CLP_CHECK_RANGE, c);
    c->tail = clp_found(CLP_CHECK_TAIL, c);
    if (c->index != CLP_NONE) {
        c->fault = CLP_LINK_RANGE;
    } else if (!CLP_FOREST && c->tail == CLP_NONE) {
        c->fault = CLP_NO_TAIL;
    }
    if (c->fault != CLP_CYCLE || stage < 2) return;
    if (clp_found_by(CLP_CHECK_SECOND_TAIL, c) != UINT_MAX) {
        c->fault = CLP_TWO_TAILS;
        c->index = c->tail;
    } else if (clp_found_by(CLP_CHECK_SHARED, c) != UINT_MAX) {
        c->fault = CLP_SAME_SUCCESSOR;
        c->index = clp_found(CLP_CHECK_SHARED, c);
        c->target = c->links[c->index];
    } else {
        clp_classify_heads(c);
    }
}

/* Elements that a work-item looks at together */
#define CLP_SEEN 4

/* Marks what the links of several elements name. Their atomics are in flight together. Links
 * that equal the first one set both of its bits with it: if all links name one element, the time is
 * that of the atomics on its word, of which a work-item makes one, not eight. */
static inline void clp_mark_seen(const clp_diagnosis *c, const clp_seen *seen, CLP_INDEX count) {
    uint before[CLP_SEEN];
    bool again = false;
    CLP_UNROLL
    for (uint j = 1; j < CLP_SEEN; j++) again |= j < count && seen[j].to == seen[0].to;
    CLP_UNROLL
    for (uint j = 0; j < CLP_SEEN; j++) {
        const uint named = 1u << (uint)(seen[j].to % 16) * 2;
        const bool wants = j < count && (CLP_INDEX)seen[j].to < c->count;
        const bool is_new = j == 0 || seen[j].to != seen[0].to;
        before[j] = 0;
        /* Races with itself, since elements share a word; later stages read it. */
        if (wants && is_new && (seen[j].marks & 2) == 0) {
            const uint marks = j == 0 && again ? 3 * named : named;
            before[j] = atomic_or(&c->bits[seen[j].to / 16], marks) & named;
        }
    }
    if (again) before[0] = 0; /* both bits are set */
    CLP_UNROLL
    for (uint j = 0; j < CLP_SEEN; j++) {
        /* The same. */
        if (before[j] != 0) atomic_or(&c->bits[seen[j].to / 16], 2 * before[j]);
    }
}

/* Runs the checks of a stage on this work-item's share of the elements. Stage 0 marks what links
 * name. */
static inline void clp_find_faults(const clp_diagnosis *c, uint stage, uint piece, uint pieces) {
    const CLP_INDEX group = (CLP_INDEX)get_local_size(0);
    CLP_INDEX lowest[3] = {CLP_NONE, CLP_NONE, CLP_NONE};
    CLP_INDEX end;
    if (c->fault == CLP_VALID || c->fault == CLP_LINK_RANGE || c->fault == CLP_NO_TAIL) return;
    for (CLP_INDEX i = clp_share_of(c->count, piece, pieces, &end); i < end;
         i += CLP_SEEN * group) {
        CLP_LINK to[CLP_SEEN];
        clp_seen seen[CLP_SEEN];
        CLP_UNROLL
        for (uint j = 0; j < CLP_SEEN; j++) {
            const CLP_INDEX at = i + j * group;
            to[j] = c->links[at < end ? at : i];
        }
        CLP_UNROLL
        for (uint j = 0; j < CLP_SEEN; j++) {
            const CLP_INDEX at = i + j * group;
            seen[j] = clp_see(c, at < end ? at : i, to[j]);
        }
        if (stage == 0) clp_mark_seen(c, seen, min((end - i - 1) / group + 1, (CLP_INDEX)CLP_SEEN));
        CLP_UNROLL
        for (uint j = 0; j < CLP_SEEN; j++) {
            CLP_UNROLL
            for (uint k = 0; k < 3; k++) {
                if (lowest[k] == CLP_NONE && clp_shows_fault(3 * stage + k, c, &seen[j]))
                    lowest[k] = seen[j].i;
            }
        }
    }
    for (uint k = 0; k < 3; k++) {
        /* Races with all other work-items; later stages read it. */
        if (lowest[k] != CLP_NONE) {
            atomic_min((volatile global uint *)&c->state->found[3 * stage + k],
                       (uint)(lowest[k] >> c->coarse));
        }
    }
}

/* Marks an element as reached from a head. */
static inline void clp_mark_reached(const clp_diagnosis *c, CLP_INDEX i) {
    /* Races with itself, since elements share a word; the last stage reads it. */
    atomic_or(&c->bits[i / 16], 2u << (uint)(i % 16) * 2);
}

static inline void clp_mark_path(const clp_diagnosis *c, CLP_INDEX from,
                                 const clp_list_level *level) {
    CLP_INDEX i = from;
    do {
        clp_mark_reached(c, i);
        i = (CLP_INDEX)c->links[i];
    } while (i < c->count && !clp_is_splitter((CLP_LINK)i, level));
}

/* If only a cycle can be wrong: marks every element that a head reaches, so that only elements on
 * cycles are not marked. No two walks meet. offsets, states: of the splitters. */
static inline void clp_mark_all_reached(const clp_diagnosis *c, const clp_list_level *level,
                                        global const CLP_A *offsets, global const uint *states,
                                        uint piece, uint pieces) {
    const ulong group = get_local_size(0), own = piece * group + get_local_id(0);
    const CLP_LINK head = (CLP_LINK)c->state->head;
    if (c->fault != CLP_CYCLE) return;
    for (ulong id = own; id < level->ids; id += pieces * group) {
        if (clp_reaches_node(offsets, states, id)) {
            clp_mark_path(c, clp_unmix((CLP_INDEX)id, &level->hash), level);
        }
    }
#if CLP_FOREST
    CLP_INDEX end;
    for (CLP_INDEX i = clp_share_of(c->count, piece, pieces, &end); i < end; i += group) {
        const bool named = (clp_bits(c->bits, i) & 1) != 0;
        if (!named && !clp_is_splitter((CLP_LINK)i, level)) clp_mark_path(c, i, level);
    }
#else
    const bool inside = (CLP_INDEX)head < c->count;
    if (own == 0 && inside && !clp_is_splitter(head, level))
        clp_mark_path(c, (CLP_INDEX)head, level);
#endif
}

static inline void clp_report(global long *report, long fault, long index, long other, long head) {
    report[0] = fault;
    report[1] = index;
    report[2] = other;
    report[3] = head;
}

/* Writes the report from the results of all stages. head: as the caller gave it. */
static inline void clp_write_report(clp_diagnosis *c, global long *report, long head) {
    CLP_INDEX other = CLP_NONE;
    clp_classify(c, 2);
    if (c->fault == CLP_LINK_RANGE) other = (CLP_INDEX)c->links[c->index];
    if (c->fault == CLP_TWO_TAILS) other = clp_found(CLP_CHECK_SECOND_TAIL, c);
    if (c->target >= 0) other = clp_found(CLP_CHECK_NAMES_TARGET, c);
    if (c->fault == CLP_HEAD) c->index = (CLP_INDEX)c->target;
    if (c->fault == CLP_CYCLE) c->index = clp_found(CLP_CHECK_STRAY, c);
    if (c->fault == CLP_CYCLE && c->index == CLP_NONE) c->fault = CLP_INVALID;
    /* A head that was found from the sum of the links is right if no link is wrong. */
    if (head < 0 && (c->fault == CLP_VALID || c->fault == CLP_CYCLE)) head = c->state->head;
    clp_report(report, c->fault, (CLP_LINK)c->index, other == CLP_NONE ? c->other : (CLP_LINK)other,
               head);
}

/* ---- In a kernel of its own ---- */

/*
 * Three stages of checks, one stage that marks what heads reach, and the report, of the last
 * ticket. In one launch, a work-group takes a ticket and waits for the stage before its own, whose
 * groups have all started. Without forward progress between work-groups, each stage is a launch of
 * its own, numbered by `launched`. On a valid list no group takes a ticket. bits: marks, 0 before.
 */
CLP_KERNEL(CLP_LAST_GROUP)
void clp_list_diagnose(global const CLP_LINK *links, global uint *bits, ulong bits_at,
                       global clp_list_state *state, const clp_list_level given_level, uint coarse,
                       global const CLP_A *offsets, global const uint *states, global long *reports,
                       ulong report_at, long head, uint pieces, uint launched CLP_GIVEN) {
    local uint ticket[1];
    const clp_list_level level = clp_as_walked(given_level, state);
    const bool valid = state->valid, one_launch = launched == UINT_MAX;
    const uint lane = (uint)get_local_id(0);
    if (lane == 0) {
        uint taken = launched * pieces + (uint)get_group_id(0);
        if (one_launch && valid) taken = (uint)get_group_id(0) == 0 ? CLP_STAGES * pieces : 0;
        /* Races with itself, in all other groups. */
        if (one_launch && !valid) taken = atomic_inc((volatile global uint *)&state->tickets);
        const uint stage = min(taken / pieces, (uint)CLP_STAGES);
        /* The groups of the stage before add to it below. */
        while (one_launch && !valid && stage > 0 &&
               atomic_add((volatile global uint *)&state->done[stage - 1], 0u) < pieces) {
        }
        ticket[0] = taken;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* ticket written above, read below */
    const uint taken = ticket[0];
    const uint stage = min(taken / pieces, (uint)CLP_STAGES), piece = taken % pieces;
    const uint check_stage = stage < 2 ? stage : 2;
    const clp_given own_heads = CLP_GIVEN_OF;
    clp_diagnosis c = clp_diagnosis_of(links + level.links_at, bits + bits_at, state,
                                       (CLP_INDEX)level.count, coarse, own_heads);
    clp_classify(&c, check_stage);
    if (stage == 2)
        clp_mark_all_reached(&c, &level, offsets + level.above, states + level.above, piece,
                             pieces);
    if (stage != 2 && stage < CLP_STAGES) clp_find_faults(&c, check_stage, piece, pieces);
    if (stage == CLP_STAGES && lane == 0) clp_write_report(&c, reports + 4 * report_at, head);
    clp_device_fence();
    barrier(CLK_GLOBAL_MEM_FENCE); /* all results of this group, before it counts as done */
    if (lane == 0 && !valid && stage < CLP_STAGES) {
        atomic_inc((volatile global uint *)&state->done[stage]); /* read above by later stages */
    }
}

/* ---- At the end of a run by a single work-group ---- */

#if CLP_LAST_GROUP > 1
#define CLP_STAGE_BARRIER barrier(CLK_GLOBAL_MEM_FENCE);
#else
#define CLP_STAGE_BARRIER
#endif

/* Returns from the kernel if nothing is left to do, which is uniform over the group; a macro for
 * that. Not every compiler accepts a barrier behind a return. */
#if CLP_LOCKSTEP || CLP_LAST_GROUP == 1
#define CLP_DONE_IF(done)                                                                          \
    if (done) return;
#else
#define CLP_DONE_IF(done)
#endif

/* Clears marks and state before the diagnosis. head: the one that is reported. */
static inline void clp_clear_marks(const clp_diagnosis *c, long head) {
    const CLP_INDEX words = CLP_FOREST ? clp_named_at(c->count) : clp_given_at(c->count);
    for (CLP_INDEX i = get_local_id(0); i < words; i += CLP_LAST_GROUP) c->bits[i] = 0;
    clp_start(c->state, head, c->count, 0);
}

/* A stage of checks of all elements. */
static inline void clp_check_all(clp_diagnosis *c, uint stage) {
    clp_classify(c, stage);
    clp_find_faults(c, stage, 0, 1);
}

/* Ends a run of lists that the caller's `c` describes, and diagnoses them if they are malformed and
 * a report is wanted. first: the head of valid lists. mark_reached: a statement that marks what
 * heads reach. A macro, as it returns from the kernel and has barriers, which stand at its top
 * level. */
#define CLP_FINISH(first, is_valid, mark_reached)                                                  \
    const bool diagnoses = wants_report && !(is_valid);                                            \
    if (wants_report && (is_valid) && get_local_id(0) == 0)                                        \
        clp_report(reports + 4 * report_at, CLP_VALID, -1, -1, first);                             \
    CLP_DONE_IF(is_valid)                                                                          \
    if (!(is_valid)) clp_clear_marks(&c, first);                                                   \
    CLP_STAGE_BARRIER /* marks and state cleared above, set and read below */                      \
        if (diagnoses) clp_mark_given(&c);                                                         \
    if (diagnoses) clp_check_all(&c, 0);                                                           \
    CLP_STAGE_BARRIER /* found by stage 0 above, classified by stage 1 below */                    \
        if (diagnoses) clp_check_all(&c, 1);                                                       \
    CLP_STAGE_BARRIER /* found by stage 1 above, classified below */                               \
        if (diagnoses) clp_classify(&c, 2);                                                        \
    if (diagnoses) mark_reached;                                                                   \
    CLP_STAGE_BARRIER /* marks set above, checked below */                                         \
        if (diagnoses) clp_find_faults(&c, 2, 0, 1);                                               \
    CLP_STAGE_BARRIER /* found by stage 2 above, reported below by work-item 0 */                  \
        if (diagnoses && get_local_id(0) == 0)                                                     \
            clp_write_report(&c, reports + 4 * report_at, head);
