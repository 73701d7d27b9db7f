/* SPDX-License-Identifier: MIT */
/*
 * Jagged: how the lowest place of a fault is found. A work-item notes its own; a work-group finds
 * the lowest of its work-items', the higher half first.
 */
/* For functions that get arrays which are in registers as long as there is no call. */
#define CLP_INLINE static inline __attribute__((always_inline))

#define CLP_NOWHERE (~0ul)

/* What a work-group shares. */
typedef struct clp_shared {
    ulong place[CLP_GROUP]; /* of each work-item's lowest fault */
    uint high, low; /* halves of the lowest of all */
    uint is_last; /* whether it is the last group of the run */
    uint searches; /* whether it looks for the place of a fault */
} clp_shared;

#if CLP_GROUP > 1
#define CLP_GROUP_BARRIER(memory) barrier(memory);
#else
#define CLP_GROUP_BARRIER(memory)
#endif

/* Sets shared.high and shared.low, which one work-item set to ~0u before, from shared.place. */
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

/* The counters of a run, zero before and after: groups that have ended, and whether one of them
 * found a fault. */
#define CLP_ENDED 0
#define CLP_FAULTY 1
