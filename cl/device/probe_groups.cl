/* SPDX-License-Identifier: MIT */
/*
 * The probe of what work-groups see of each other:
 *   - whether a word that one publishes reaches another that runs beside it, whole, as look-back
 *     needs
 *   - whether data before a fence do, as the last work-group of a reduction needs
 *   - whether a work-group that has started makes progress while others wait for it
 *
 * Work-groups are numbered by ticket, and each waits for the one before it. The number of polls is
 * bounded, and the first work-group to give up makes the others give up too. So the probe ends also
 * on a device without progress, and shows that it has none. One work-group publishes late, so that
 * others do wait.
 *
 * Local memory: what work-item 0 found, for its work-group.
 */
#define CLP_WORD_SEEN 1u
#define CLP_DATA_SEEN 2u
#define CLP_WENT_ON 4u /* the group before published in time */

/* The delayed group takes longer than all others together. */
#define CLP_DELAY_LOOKS 2048

/* Faults that tests plant. */
#define CLP_LOSES_WORDS 1u
#define CLP_TEARS_WORDS 2u
#define CLP_LOSES_DATA 3u
#define CLP_STALLS 4u

typedef struct clp_groups_probe {
    volatile global ulong *words; /* one for each group, zero before */
    volatile global uint *flags; /* one for each group, zero before */
    volatile global uint *gave_up; /* whether a group has waited in vain; then all give up */
    uint bound; /* the greatest number of polls */
    uint fault; /* 0, or the fault that a test plants */
} clp_groups_probe;

/* Both halves depend on the group's number, so that a torn word is recognized. */
static inline ulong clp_probe_word(uint number) {
    return (ulong)~number << 32 | (number + 1);
}

static inline uint clp_probe_datum(uint number, uint lane) {
    return 3 * (number * CLP_GROUP + lane) + 1;
}

static inline bool clp_gave_up(const clp_groups_probe *p) {
    return atomic_add(p->gave_up, 0u) != 0;
}

/* Waits for the group's flag; others give up soon after the first one did. */
static inline bool clp_await_flag(const clp_groups_probe *p, uint number) {
    for (uint polls = 0; polls < p->bound; polls++) {
        if (atomic_add(p->flags + number, 0u) != 0) return true; /* with clp_publish_probe */
        if (polls % 64 == 63 && clp_gave_up(p)) return false;
    }
    atomic_xchg(p->gave_up, 1u);
    return false;
}

/* Whether the word arrives, and arrives whole. It was published before the flag, but nothing orders
 * the two; so it is polled for as well. */
static inline bool clp_await_word(const clp_groups_probe *p, uint number) {
#if CLP_INT64_ATOMICS
    for (uint polls = 0; polls < p->bound; polls++) {
        const ulong word = clp_observe(p->words + number); /* with clp_publish_probe */
        if (word != 0) return word == clp_probe_word(number);
    }
    return false;
#else
    return true;
#endif
}

/* Returns what the group sees of the one before it, except its data. */
static inline uint clp_await_before(const clp_groups_probe *p, uint number) {
    if (number == 0) return CLP_WORD_SEEN | CLP_WENT_ON;
    if (!clp_await_flag(p, number - 1)) return CLP_WORD_SEEN;
    return CLP_WENT_ON | (clp_await_word(p, number - 1) ? CLP_WORD_SEEN : 0u);
}

/* Delays the group for which others wait; with the planted fault, until they have given up. */
static inline void clp_delay_group(const clp_groups_probe *p, uint number) {
    for (uint i = 0; i < CLP_DELAY_LOOKS; i++) atomic_add(p->flags + number, 0u);
    while (p->fault == CLP_STALLS && !clp_gave_up(p)) {
    }
}

/* Partners: clp_await_word and clp_await_flag of the next group. */
static inline void clp_publish_probe(const clp_groups_probe *p, uint number) {
#if CLP_INT64_ATOMICS
    ulong word = clp_probe_word(number);
    if (p->fault == CLP_TEARS_WORDS) word &= 0xffffffff00000000ul;
    if (p->fault != CLP_LOSES_WORDS) clp_publish(p->words + number, word);
#endif
    atomic_xchg(p->flags + number, 1u);
}

/* What lane 0 found for its group. */
typedef struct clp_groups_found {
    uint ticket, seen;
} clp_groups_found;

/* found: the bits that all work-items saw; all bits are set before. data: one word for each
 * work-item. tickets: two words, zero before; the second one is set if a group gives up. delayed:
 * the number of the group that publishes long after it could. */
CLP_KERNEL(CLP_GROUP)
void clp_probe_groups(volatile global uint *found, volatile global ulong *words,
                      volatile global uint *flags, global uint *data, volatile global uint *tickets,
                      uint delayed, uint bound, uint fault) {
    local clp_groups_found group;
    const clp_groups_probe p = {words, flags, tickets + 1, bound, fault};
    const uint lane = (uint)get_local_id(0);
    if (lane == 0) {
        group.ticket = atomic_inc(tickets); /* with the other groups' */
        if (group.ticket == delayed) clp_delay_group(&p, group.ticket);
        group.seen = clp_await_before(&p, group.ticket);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* ticket and seen written above, read below */
    const uint number = group.ticket;
    uint bits = group.seen;
    clp_device_fence(); /* flag above, data below; with the fence below of the group before */
    const uint before = number > 0 ? (number - 1) * CLP_GROUP + lane : 0;
    const bool waited = number > 0 && (bits & CLP_WENT_ON) != 0;
    if (!waited || data[before] == clp_probe_datum(number - 1, lane)) bits |= CLP_DATA_SEEN;
    if (fault != CLP_LOSES_DATA) data[number * CLP_GROUP + lane] = clp_probe_datum(number, lane);
    clp_device_fence(); /* data above, flag below; with the fence above of the next group */
    barrier(CLK_LOCAL_MEM_FENCE |
            CLK_GLOBAL_MEM_FENCE); /* data of all lanes above, the flag of lane 0 below */
    if (lane == 0) clp_publish_probe(&p, number);
    atomic_and(found, bits); /* with the other work-items' */
}
