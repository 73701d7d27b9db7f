/* SPDX-License-Identifier: MIT */
/*
 * Jagged arrays: how a work-group finds the lowest position of a fault. Each work-item has a
 * position of 64 bits; the atomics of OpenCL 1.2 have 32 bits. So the group first finds the lowest
 * upper half, and then the lowest lower half among the positions with that upper half.
 *
 * Local memory: clp_shared. No work-group waits for another.
 */

#define CLP_NOWHERE (~0ul)

/* What a work-group shares. */
typedef struct clp_shared {
    ulong place[CLP_GROUP]; /* each work-item's lowest fault */
    uint high, low; /* halves of the lowest fault of all */
    uint is_last; /* whether this work-group is the last of the run */
    uint searches; /* whether this work-group searches for a fault's position */
} clp_shared;

/* Sets shared.high and shared.low from shared.place; one work-item has set both to ~0u before. A
 * macro because its barriers stay at the kernel's top level. */
#define CLP_FIND_LOWEST                                                                            \
    CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* halves set above by one, lowered below by all */     \
    clp_lower_high(&shared);                                                                       \
    CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* high lowered above, read below */                    \
    clp_lower_low(&shared);                                                                        \
    CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* low lowered above, read below by one */

static inline void clp_lower_high(local clp_shared *shared) {
    const ulong own = shared->place[get_local_id(0)];
    if (own != CLP_NOWHERE) atomic_min(&shared->high, (uint)(own >> 32));
}

static inline void clp_lower_low(local clp_shared *shared) {
    const ulong own = shared->place[get_local_id(0)];
    if (own != CLP_NOWHERE && (uint)(own >> 32) == shared->high) {
        atomic_min(&shared->low, (uint)own);
    }
}

static inline ulong clp_lowest_place(const local clp_shared *shared) {
    return (ulong)shared->high << 32 | shared->low;
}

/* The counters of a run, zero before and after it: the number of work-groups that have ended, and
 * whether one of them found a fault. */
#define CLP_ENDED 0
#define CLP_FAULTY 1
