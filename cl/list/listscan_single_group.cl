/* SPDX-License-Identifier: MIT */
/*
 * List scan of a short list or small forest in one launch of a single work-group: here by one
 * work-item, which walks as plain C does, in listscan_local.cl by many. The checks of
 * listscan_fault.cl run in turn and diagnose a malformed list.
 */

/* ---- Arguments ---- */

#if CLP_FOREST
#define CLP_GIVEN , global const CLP_LINK *given, ulong given_at, ulong num_given, uint has_given
#define CLP_GIVEN_OF                                                                               \
    { given + given_at, num_given, has_given }
#else
#define CLP_GIVEN
#define CLP_GIVEN_OF                                                                               \
    { 0, 0, 0 }
#endif

/* The heads that the caller gives. */
typedef struct {
    global const CLP_LINK *heads;
    ulong count;
    uint are_given;
} clp_given;

#if CLP_INPUTS
#define CLP_VALUE_OF(i) clp_input(values[values_at + (i)], (ulong)(i))
#else
#define CLP_VALUE_OF(i) clp_input((ulong)(i))
#endif

/* ---- Diagnosis ---- */

/* The diagnosis state of one work-item. */
typedef struct {
    global const CLP_LINK *links;
    global uint *bits;
    global clp_list_state *state;
    CLP_INDEX count;
    CLP_INDEX lane;
    CLP_INDEX lanes;
    clp_given given;
} clp_diagnosis;

static inline clp_fault_query clp_query_about(const clp_diagnosis *p) {
    return clp_query_of(p->links, 0, p->bits, p->state, p->count, p->given.are_given);
}

static inline void clp_start_diagnosis(const clp_diagnosis *p, CLP_LINK head) {
    const CLP_INDEX words = (p->count + 15) / 16 + (CLP_FOREST ? (p->count + 31) / 32 : 0);
    for (CLP_INDEX i = p->lane; i < words; i += p->lanes) p->bits[i] = 0;
    if (p->lane > 0) return;
    clp_start_state(p->state, head, p->count);
    p->state->valid = 0;
}

/* Sets mark bits of an element. */
static inline void clp_mark_bits(const clp_diagnosis *p, CLP_INDEX i, uint bits) {
    const uint word = bits << (uint)(i % 16) * 2;
#if CLP_SINGLE_GROUP == 1
    p->bits[i / 16] |= word;
#else
    /* Races with itself, since elements share a word; clp_find_faults_single reads it. */
    atomic_or((volatile global uint *)&p->bits[i / 16], word);
#endif
}

static inline void clp_mark_links(const clp_diagnosis *p) {
    for (CLP_INDEX i = p->lane; i < p->count; i += p->lanes) {
#if CLP_SINGLE_GROUP == 1
        const CLP_INDEX to = (CLP_INDEX)p->links[i];
        if (to < p->count) clp_mark_bits(p, to, (clp_bits(p->bits, to) & 1) != 0 ? 2 : 1);
#else
        clp_mark_link(p->bits, p->links[i], p->count);
#endif
    }
#if CLP_FOREST
    for (CLP_INDEX k = p->lane; k < p->given.count; k += p->lanes) {
        clp_give(p->given.heads, k, p->bits, p->state, p->count, 0);
    }
#endif
}

static inline void clp_find_faults_single(const clp_diagnosis *p, uint first, uint end) {
    const clp_fault_query q = clp_query_about(p);
    clp_find_faults(&q, p->state, 0, first, end, p->lane, p->count, p->lanes);
}

static inline void clp_classify_single(const clp_diagnosis *p) {
    const clp_fault_query q = clp_query_about(p);
    if (p->lane > 0) return;
    clp_classify(&q, p->state, 0);
#if CLP_FOREST
    if (p->given.are_given) {
        clp_classify_heads(p->given.heads, p->given.count, p->state, p->count, 0);
    }
#endif
}

/* Marks the element as reached from a head. */
static inline void clp_mark_reached(const clp_diagnosis *p, CLP_INDEX i) {
    clp_mark_bits(p, i, 2);
}

static inline void clp_report_single(const clp_diagnosis *p, bool valid, CLP_LINK first, long head,
                                     global long *report) {
    if (valid) {
        clp_store_report(report, CLP_VALID, -1, -1, CLP_FOREST ? head : (long)first);
    } else {
        const clp_fault_query q = clp_query_about(p);
        clp_write_report(&q, p->state, 0, report, head);
    }
}

#if CLP_SINGLE_GROUP == 1
/* ---- One work-item ---- */

/* Walks from a head and writes the results by element. Returns false unless the path ends at a
 * tail. *left: the number of elements not reached yet, updated. */
static inline bool clp_walk_from(CLP_INDEX first, global const CLP_LINK *links,
                                 global const CLP_E *values, ulong values_at, global CLP_A *results,
                                 CLP_INDEX count, CLP_INDEX *left, const CLP_A start) {
    CLP_INDEX at = first, most = *left;
    CLP_A value = CLP_START(first);
#if !CLP_HAS_START
    if (at < count && most > 0) {
        results[at] = value = CLP_VALUE_OF(at);
        at = (CLP_INDEX)links[at];
        most--;
    }
#endif
    while (at < count && most > 0) {
        const CLP_INDEX next = (CLP_INDEX)links[at];
        const CLP_A own = CLP_VALUE_OF(at);
#if CLP_INCLUSIVE
        results[at] = value = clp_op(value, own);
#else
        results[at] = value;
        value = clp_op(value, own);
#endif
        at = next;
        most--;
    }
    *left = most;
    return at == (CLP_INDEX)CLP_TAIL;
}

#if CLP_FOREST
/* Marks each element: 1 if a link names it, 2 if it is given as a head. Returns false if a link or
 * a head is wrong. */
static inline bool clp_mark_names(const clp_diagnosis *p, global uchar *named) {
    bool good = true;
    for (CLP_INDEX i = 0; i < p->count; i++) named[i] = 0;
    for (CLP_INDEX i = 0; i < p->count; i++) {
        const CLP_LINK link = p->links[i];
        if ((CLP_INDEX)link < p->count) {
            good &= named[link] == 0;
            named[link] = 1;
        } else {
            good &= link == CLP_TAIL;
        }
    }
    for (CLP_INDEX k = 0; k < p->given.count; k++) {
        const CLP_INDEX head = (CLP_INDEX)p->given.heads[k];
        good &= head < p->count;
        if (head < p->count) named[head] |= 2;
    }
    return good;
}
#endif

/* Runs all stages of the diagnosis in turn. */
static inline void clp_diagnose(const clp_diagnosis *p, CLP_LINK head) {
    clp_start_diagnosis(p, head);
    clp_mark_links(p);
    clp_find_faults_single(p, 0, CLP_CHECK_SECOND_TAIL);
    clp_classify_single(p);
    if (p->state->fault == CLP_CYCLE) {
        for (CLP_INDEX i = CLP_FOREST ? 0 : (CLP_INDEX)head; i < p->count; i++) {
            /* Heads are not named. An element that a head reaches has both bits, a head only the
             * second. */
            if (CLP_FOREST && (clp_bits(p->bits, i) & 1) != 0) continue;
            for (CLP_INDEX at = i; at < p->count; at = (CLP_INDEX)p->links[at])
                clp_mark_reached(p, at);
            if (!CLP_FOREST) break;
        }
    }
    clp_find_faults_single(p, CLP_CHECK_SECOND_TAIL, CLP_CHECK_NO_ELEMENT);
}

CLP_KERNEL(1)
void clp_listscan_single_group(global const CLP_LINK *links, ulong links_at,
                               global const CLP_E *values, ulong values_at, global CLP_A *results,
                               global uchar *named, global uint *bits, global clp_list_state *state,
                               const clp_list_level level, long head, const CLP_A start,
                               global long *reports, ulong report_at, uint wanted,
                               CLP_OUTPUT CLP_GIVEN) {
    const clp_output to = CLP_OUTPUT_OF;
    const CLP_INDEX count = (CLP_INDEX)level.count;
    const clp_diagnosis p = {links + links_at, bits, state, count, 0, 1, CLP_GIVEN_OF};
    CLP_INDEX left = count;
#if CLP_FOREST
    const CLP_LINK first = CLP_TAIL;
    bool valid = clp_mark_names(&p, named);
    for (CLP_INDEX i = 0; valid && i < count; i++) {
        if (named[i] == (p.given.are_given ? 2 : 0)) {
            valid = clp_walk_from(i, p.links, values, values_at, results, count, &left, start);
        } else {
            valid = named[i] == 1;
        }
    }
#else
    ulong sum = 0;
    for (CLP_INDEX i = 0; head < 0 && i < count; i++) sum += (ulong)(long)p.links[i];
    const CLP_LINK first =
        (CLP_LINK)(head < 0 ? clp_head_of((uint)sum, (uint)(sum >> 32), count) : head);
    bool valid =
        clp_walk_from((CLP_INDEX)first, p.links, values, values_at, results, count, &left, start);
#endif
    valid = valid && left == 0;
    for (CLP_INDEX i = 0; valid && i < count; i++) clp_put(&to, i, CLP_PLACED_OF(results[i]));
    if (!wanted) return;
    if (!valid) clp_diagnose(&p, first);
    clp_report_single(&p, valid, first, head, reports + 4 * report_at);
}
#endif
