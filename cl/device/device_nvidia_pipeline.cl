/* SPDX-License-Identifier: MIT */
/*
 * Device layer "nvidia": pipelines in local memory, with mbarriers, asynchronous copies and waits
 * of a role. There are three generations:
 *   compute capability 9.0 on  one work-item starts bulk copies; the mbarrier counts their bytes
 *   8.0 on                     all loaders start copies of 16 bytes (cp.async)
 *   below                      all loaders copy by registers; the mbarrier is two words
 * All have the functions and the rules that are stated at the mbarriers and copies below.
 */
#ifdef CLP_LOADERS

/* Loads 16 bytes of local memory by one access. Of words that are used one by one, compilers make
 * four accesses. */
static inline uint4 clp_load_quad(const local uint4 *from) {
    uint4 value;
    __asm__ volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
                     : "r"(clp_local_address(from)));
    return value;
}

/* The upper word of the pair after a shift to the left by shift % 32 bits. */
static inline uint clp_shift_pair(uint low, uint high, uint shift) {
    uint result;
    __asm__("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(shift));
    return result;
}

/* Adds `one` times `more` to the sum if `yes`: by the multipliers, which are idle otherwise. */
static inline uint clp_add_if(uint sum, uint one, uint more, bool yes) {
    __asm__("{.reg .pred p; setp.ne.u32 p, %1, 0; @p mad.lo.u32 %0, %2, %3, %0;}"
            : "+r"(sum)
            : "r"((uint)yes), "r"(one), "r"(more));
    return sum;
}

/* Sets the bit if `yes`: one instruction under a predicate. */
static inline uint clp_with_bit_if(uint bits, uint bit, bool yes) {
    __asm__("{.reg .pred p; setp.ne.u32 p, %1, 0; @p or.b32 %0, %0, %2;}"
            : "+r"(bits)
            : "r"((uint)yes), "r"(1u << bit));
    return bits;
}

/* Whether all loaders copy, instead of one work-item that starts bulk copies. */
#define CLP_COPIES_SHARED (CLP_COMPUTE_CAPABILITY < 90)

/* Pauses between polls in vain: a sub-group that polls takes issue slots from sub-groups that
 * work. */
static inline void clp_rest(uint polls) {
    if (polls >= 16) __asm__ volatile("nanosleep.u32 20;" ::: "memory");
}

/* An mbarrier completes phase after phase. A phase completes when all its arrivals, and the bytes
 * that it expects, have come. A wait names the phase by its parity; a wait for parity 1 passes an
 * mbarrier that was never used. Arriving releases, waiting acquires. */
#if CLP_COMPUTE_CAPABILITY >= 80
static inline void clp_mbarrier_set(local ulong *mbarrier, uint arrivals) {
    __asm__ volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(clp_local_address(mbarrier)),
                     "r"(arrivals)
                     : "memory");
}

static inline void clp_mbarrier_arrive(local ulong *mbarrier) {
    __asm__ volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(clp_local_address(mbarrier))
                     : "memory");
}

#if CLP_COMPUTE_CAPABILITY >= 90
#define CLP_MBARRIER_TRY "try_wait"
#else
#define CLP_MBARRIER_TRY "test_wait"
#endif

static inline void clp_mbarrier_wait(local ulong *mbarrier, uint parity) {
    uint open, polls = 0;
    do {
        __asm__ volatile("{.reg .pred p; mbarrier." CLP_MBARRIER_TRY
                         ".parity.shared.b64 p, [%1], %2;"
                         " selp.u32 %0, 1, 0, p;}"
                         : "=r"(open)
                         : "r"(clp_local_address(mbarrier)), "r"(parity)
                         : "memory");
        if (CLP_COPIES_SHARED && !open) clp_rest(polls++);
    } while (!open);
}
#else
/* An mbarrier in software. The low word counts a phase's arrivals. Bit 0 of the high word is the
 * phase's parity; the bits above are the number of awaited arrivals, less one. */
static inline void clp_mbarrier_set(local ulong *mbarrier, uint arrivals) {
    *mbarrier = (ulong)(arrivals - 1) << 33;
}

static inline uint clp_mbarrier_state(local ulong *mbarrier) {
    uint state;
    __asm__ volatile("ld.acquire.cta.shared.u32 %0, [%1];"
                     : "=r"(state)
                     : "r"(clp_local_address(mbarrier) + 4)
                     : "memory");
    return state;
}

/* Only the last work-item to arrive completes the phase, so no other one writes the state. The
 * increment wraps to 0 at the last arrival, which readies the count for the next phase. */
static inline void clp_mbarrier_arrive(local ulong *mbarrier) {
    const uint at = clp_local_address(mbarrier);
    const uint state = clp_mbarrier_state(mbarrier);
    const uint most = state >> 1;
    uint before = 0;
    if (most > 0) {
        __asm__ volatile("atom.acq_rel.cta.shared.inc.u32 %0, [%1], %2;"
                         : "=r"(before)
                         : "r"(at), "r"(most)
                         : "memory");
    }
    if (before < most) return;
    __asm__ volatile("st.release.cta.shared.u32 [%0], %1;" ::"r"(at + 4), "r"(state ^ 1)
                     : "memory");
}

static inline void clp_mbarrier_wait(local ulong *mbarrier, uint parity) {
    for (uint polls = 0; (clp_mbarrier_state(mbarrier) & 1) == parity; polls++) clp_rest(polls);
}
#endif

/* All sub-groups of a role wait at mbarriers. If a wait is a loop of polls, only the first
 * sub-group polls, and the others wait at a barrier of the role. A macro because `waits` is a
 * statement. */
#if CLP_COMPUTE_CAPABILITY >= 90
#define CLP_ROLE_WAIT(number, subgroups, is_first, waits) waits
#else
#define CLP_ROLE_WAIT(number, subgroups, is_first, waits)                                          \
    if (is_first) {                                                                                \
        waits                                                                                      \
    }                                                                                              \
    CLP_ROLE_BARRIER(number, subgroups);
#endif

/*
 * A tile's copies into a stage. clp_copies_expect tells the number of bytes, clp_copy starts a copy
 * (addresses and size are multiples of 16), clp_copies_end ends them. The phase completes when all
 * bytes have arrived. One work-item calls these functions, or all loaders if CLP_COPIES_SHARED.
 * CLP_COPIES_ARRIVALS: the arrivals that the mbarrier awaits.
 */
#if CLP_COMPUTE_CAPABILITY >= 90
#define CLP_COPIES_ARRIVALS 1

/* Comes between setting mbarriers and the barrier behind which they are used: bulk copies access
 * memory by another path (the asynchronous proxy), which must see them set. */
static inline void clp_mbarriers_are_set(void) {
    __asm__ volatile("fence.proxy.async;" ::: "memory");
}

static inline void clp_copies_expect(local ulong *mbarrier, uint bytes) {
    __asm__ volatile(
        "mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(clp_local_address(mbarrier)),
        "r"(bytes)
        : "memory");
}

static inline void clp_copy(local ulong *mbarrier, local void *to, const global void *from,
                            uint bytes) {
    const uint mbarrier_address = clp_local_address(mbarrier);
    __asm__ volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1], %2, [%3];" ::"r"(clp_local_address(to)),
                     "l"(from), "r"(bytes), "r"(mbarrier_address)
                     : "memory");
}

static inline void clp_copies_end(local ulong *mbarrier) {}

/* Prefetches into the device's cache what will be copied later; both arguments are multiples of 16.
 */
static inline void clp_fetch_ahead(const global void *from, uint bytes) {
    __asm__ volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes));
}

/* Comes between writing a stage and releasing it for the next copy. */
static inline void clp_stage_was_written(void) {
    __asm__ volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
#else
/* The work-item's number among the loaders, which are the last work-items of the group. */
static inline uint clp_copier(void) {
    return (uint)get_local_id(0) - (CLP_GROUP - 32 * CLP_LOADERS);
}

static inline void clp_mbarriers_are_set(void) {}
static inline void clp_stage_was_written(void) {}
static inline void clp_copies_expect(local ulong *mbarrier, uint bytes) {}

/* Prefetches into the device's cache what will be copied later; by one sub-group. */
static inline void clp_fetch_ahead(const global void *from, uint bytes) {
    for (uint at = 128 * clp_lane(); at < bytes; at += 128 * 32) {
        clp_fetch_line((const global uchar *)from + at);
    }
}

#define CLP_COPY_STRIDE (16 * 32 * CLP_LOADERS)

#if CLP_COMPUTE_CAPABILITY >= 80
#define CLP_COPIES_ARRIVALS (32 * CLP_LOADERS)

#define CLP_COPY_CHUNK(k)                                                                          \
    __asm__ volatile(                                                                              \
        "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(target + (k)*CLP_COPY_STRIDE),           \
        "l"(source + (k)*CLP_COPY_STRIDE)                                                          \
        : "memory");

static inline void clp_copy(local ulong *mbarrier, local void *to, const global void *from,
                            uint bytes) {
    uint at = 16 * clp_copier();
    for (; at + 3 * CLP_COPY_STRIDE < bytes; at += 4 * CLP_COPY_STRIDE) {
        const uint target = clp_local_address(to) + at;
        const global uchar *source = (const global uchar *)from + at;
        CLP_COPY_CHUNK(0)
        CLP_COPY_CHUNK(1)
        CLP_COPY_CHUNK(2)
        CLP_COPY_CHUNK(3)
    }
    for (; at < bytes; at += CLP_COPY_STRIDE) {
        const uint target = clp_local_address(to) + at;
        const global uchar *source = (const global uchar *)from + at;
        CLP_COPY_CHUNK(0)
    }
}

static inline void clp_copies_end(local ulong *mbarrier) {
    __asm__ volatile(
        "cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(clp_local_address(mbarrier))
        : "memory");
}
#else
#define CLP_COPIES_ARRIVALS CLP_LOADERS

/* Steps are macros because a chunk's number is a part of its variable's name. */
#define CLP_COPY_LOAD(k) const uint4 chunk##k = clp_load_stream(source + (k)*CLP_COPY_STRIDE / 16);
#define CLP_COPY_STORE(k) target[(k)*CLP_COPY_STRIDE / 16] = chunk##k;
#define CLP_EACH_COPY_CHUNK(step) step(0) step(1) step(2) step(3) step(4) step(5) step(6) step(7)

/* Eight loads of a work-item are in flight together. */
static inline void clp_copy(local ulong *mbarrier, local void *to, const global void *from,
                            uint bytes) {
    uint at = 16 * clp_copier();
    for (; at + 7 * CLP_COPY_STRIDE < bytes; at += 8 * CLP_COPY_STRIDE) {
        local uint4 *target = (local uint4 *)((local uchar *)to + at);
        const global uint4 *source = (const global uint4 *)((const global uchar *)from + at);
        CLP_EACH_COPY_CHUNK(CLP_COPY_LOAD)
        CLP_EACH_COPY_CHUNK(CLP_COPY_STORE)
    }
    for (; at < bytes; at += CLP_COPY_STRIDE) {
        *(local uint4 *)((local uchar *)to + at) =
            clp_load_stream((const global uint4 *)((const global uchar *)from + at));
    }
}

static inline void clp_copies_end(local ulong *mbarrier) {
    clp_subgroup_barrier(); /* chunks stored above, before the arrival of lane 0 */
    if (clp_lane() == 0) clp_mbarrier_arrive(mbarrier);
}
#endif
#endif
#endif
