/* SPDX-License-Identifier: MIT */
/*
 * Device layer: NVIDIA GPUs, by inline PTX. Every sub-group is one warp; all 32 lanes take part
 * in every exchange. The driver advertises work-group scope atomics only, while PTX has what a
 * look-back needs: relaxed accesses at GPU scope.
 */
#define CLP_SUBGROUP 32
#define CLP_SUBGROUP_IS_GROUP 0
#define CLP_LOCKSTEP 1 /* exchanges may stand in loops that all lanes make alike */
#define CLP_ALL_LANES "0xffffffff"
#define CLP_KERNEL(group) __attribute__((reqd_work_group_size(group, 1, 1))) kernel

static inline uint clp_subgroup_width(void) {
    return 32;
}

static inline uint clp_lane(void) {
    return (uint)get_local_id(0) & 31u;
}

static inline uint clp_subgroup_number(void) {
    return (uint)get_local_id(0) >> 5;
}

static inline uint clp_shuffle_word(uint value, uint lane) {
    uint result;
    __asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, 31, " CLP_ALL_LANES ";"
                     : "=r"(result)
                     : "r"(value), "r"(lane));
    return result;
}

static inline uint clp_shuffle_up_word(uint value, uint distance) {
    uint result;
    __asm__ volatile("shfl.sync.up.b32 %0, %1, %2, 0, " CLP_ALL_LANES ";"
                     : "=r"(result)
                     : "r"(value), "r"(distance));
    return result;
}

/* What happens nearly always: its code stands without gaps, as what is fetched first. */
#define CLP_LIKELY(condition) __builtin_expect(condition, 1)

/* The sum over the lanes, for all of them. */
static inline uint clp_add_lanes(uint value) {
#if CLP_COMPUTE_CAPABILITY >= 80
    uint result;
    __asm__ volatile("redux.sync.add.u32 %0, %1, " CLP_ALL_LANES ";" : "=r"(result) : "r"(value));
    return result;
#else
    const uint lane = clp_lane();
    value += clp_shuffle_word(value, lane ^ 16);
    value += clp_shuffle_word(value, lane ^ 8);
    value += clp_shuffle_word(value, lane ^ 4);
    value += clp_shuffle_word(value, lane ^ 2);
    return value + clp_shuffle_word(value, lane ^ 1);
#endif
}

/* Bit l is set if lane l says yes. */
static inline uint clp_ballot(bool yes) {
    uint result;
    __asm__ volatile(
        "{.reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, " CLP_ALL_LANES ";}"
        : "=r"(result)
        : "r"((uint)yes));
    return result;
}

/* Of floats: a sum that is NaN is 0x7fffffff, whatever NaN its operands are. */
#define CLP_NAN_SUMS_HAVE_NO_SIGN 1

/* Four bytes by the digits of the selector: 0 to 3 are those of a, 4 to 7 those of b; the lowest
 * digit chooses the lowest byte. */
static inline uint clp_choose_bytes(uint a, uint b, uint selector) {
    uint result;
    __asm__("prmt.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(selector));
    return result;
}

/* The sum and the word's four bytes, or its two halves. */
#if CLP_COMPUTE_CAPABILITY >= 61
static inline uint clp_add_halves(uint sum, uint word) {
    uint result;
    __asm__("dp2a.lo.u32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(word), "r"(0x0101u), "r"(sum));
    return result;
}

static inline uint clp_add_bytes(uint sum, uint word) {
    uint result;
    __asm__("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(word), "r"(0x01010101u), "r"(sum));
    return result;
}
#else
static inline uint clp_add_halves(uint sum, uint word) {
    return sum + (word & 0xffff) + (word >> 16);
}

static inline uint clp_add_bytes(uint sum, uint word) {
    return clp_add_halves(sum, (word & 0x00ff00ff) + (word >> 8 & 0x00ff00ff));
}
#endif

/* A word that other work-groups observe; published whole, at device scope, unordered. */
static inline void clp_publish(volatile global ulong *word, ulong value) {
    __asm__ volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}

static inline ulong clp_observe(volatile global ulong *word) {
    ulong value;
    __asm__ volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
    return value;
}

/* Two words side by side, aligned to 16 bytes; each is whole, the pair need not be. */
static inline ulong2 clp_observe_pair(volatile global ulong *words) {
    ulong2 pair;
    __asm__ volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                     : "=l"(pair.x), "=l"(pair.y)
                     : "l"(words)
                     : "memory");
    return pair;
}

/* Orders this work-item's accesses to device memory, as other work-groups see them. */
static inline void clp_device_fence(void) {
    __asm__ volatile("membar.gl;" ::: "memory");
}

/* 16 bytes that are not needed again. */
static inline uint4 clp_load_stream(const global uint4 *from) {
    uint4 value;
    __asm__ volatile("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
                     : "l"(from));
    return value;
}

#if CLP_BURST > 0 /* outputs must not push out what is brought long before */
#define CLP_STORE "st.global.cs.v4.u32"
#else
#define CLP_STORE "st.global.v4.u32"
#endif
static inline void clp_store_stream(global uint4 *to, uint4 value) {
    __asm__ volatile(CLP_STORE " [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(value.x), "r"(value.y),
                     "r"(value.z), "r"(value.w)
                     : "memory");
}

/* Brings the 128 bytes around that place into the device's cache. */
static inline void clp_fetch_line(const global void *at) {
    __asm__ volatile("prefetch.global.L2 [%0];" ::"l"(at));
}

static inline void clp_subgroup_barrier(void) {
    __asm__ volatile("bar.warp.sync 0xffffffff;" ::: "memory");
}

#ifdef CLP_LOADERS
/* ---- Pipelines in local memory: gates, copies, crews ---- */

static inline uint clp_local_address(const local void *at) {
    return (uint)(ulong)at;
}

/* Four bytes of eight, low's before high's: each of the selector's four lowest fields of 4 bits
 * says which. */
static inline uint clp_permute_bytes(uint low, uint high, uint selector) {
    uint result;
    __asm__("prmt.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(selector));
    return result;
}

/* The upper word, shifted left by shift % 32 bits, with the lower one's bits behind it. */
static inline uint clp_shift_pair(uint low, uint high, uint shift) {
    uint result;
    __asm__("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(shift));
    return result;
}

/* The bits and that one, if so: one instruction under a predicate. */
static inline uint clp_with_bit_if(uint bits, uint bit, bool yes) {
    __asm__("{.reg .pred p; setp.ne.u32 p, %1, 0; @p or.b32 %0, %0, %2;}"
            : "+r"(bits)
            : "r"((uint)yes), "r"(1u << bit));
    return bits;
}

/* One work-item starts bulk copies; below compute capability 9.0 all of the loaders copy. */
#define CLP_COPIES_SHARED (CLP_COMPUTE_CAPABILITY < 90)

/* Between polls in vain: who polls on takes issue slots from those who work. */
static inline void clp_rest(uint polls) {
    if (polls >= 16) __asm__ volatile("nanosleep.u32 20;" ::: "memory");
}

/*
 * A gate opens for one phase after another, each time when all its arrivals (and the bytes that it
 * expects) have come. A wait names the phase by its parity; parity 1 passes a gate never used.
 * Arriving releases, waiting acquires: what was written before is seen behind.
 */
#if CLP_COMPUTE_CAPABILITY >= 80
static inline void clp_gate_set(local ulong *gate, uint arrivals) {
    __asm__ volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(clp_local_address(gate)),
                     "r"(arrivals)
                     : "memory");
}

static inline void clp_gate_arrive(local ulong *gate) {
    __asm__ volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(clp_local_address(gate))
                     : "memory");
}

#if CLP_COMPUTE_CAPABILITY >= 90
#define CLP_GATE_TRY "try_wait"
#else
#define CLP_GATE_TRY "test_wait"
#endif

static inline void clp_gate_wait(local ulong *gate, uint parity) {
    uint open, polls = 0;
    do {
        __asm__ volatile("{.reg .pred p; mbarrier." CLP_GATE_TRY ".parity.shared.b64 p, [%1], %2;"
                         " selp.u32 %0, 1, 0, p;}"
                         : "=r"(open)
                         : "r"(clp_local_address(gate)), "r"(parity)
                         : "memory");
        if (CLP_COPIES_SHARED && !open) clp_rest(polls++);
    } while (!open);
}
#else
/* The low word counts a phase's arrivals; of the high word, bit 0 is the phase's parity, and above
 * it stand the arrivals that are awaited, less one. */
static inline void clp_gate_set(local ulong *gate, uint arrivals) {
    *gate = (ulong)(arrivals - 1) << 33;
}

static inline uint clp_gate_state(local ulong *gate) {
    uint state;
    __asm__ volatile("ld.acquire.cta.shared.u32 %0, [%1];"
                     : "=r"(state)
                     : "r"(clp_local_address(gate) + 4)
                     : "memory");
    return state;
}

/* Only the last to arrive opens the gate, so nobody else writes the state. */
static inline void clp_gate_arrive(local ulong *gate) {
    const uint at = clp_local_address(gate);
    const uint state = clp_gate_state(gate);
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

static inline void clp_gate_wait(local ulong *gate, uint parity) {
    for (uint polls = 0; (clp_gate_state(gate) & 1) == parity; polls++) clp_rest(polls);
}
#endif

/* A barrier of some of the group's sub-groups, which are all that name this number. */
#define CLP_CREW_BARRIER(number, subgroups)                                                        \
    __asm__ volatile("bar.sync %0, %1;" ::"n"(number), "n"((subgroups)*32) : "memory")

/* All sub-groups of a crew wait at gates. Where a wait is a loop of polls, the first sub-group
 * waits for all. */
#if CLP_COMPUTE_CAPABILITY >= 90
#define CLP_CREW_WAIT(number, subgroups, is_first, waits) waits
#else
#define CLP_CREW_WAIT(number, subgroups, is_first, waits)                                          \
    if (is_first) {                                                                                \
        waits                                                                                      \
    }                                                                                              \
    CLP_CREW_BARRIER(number, subgroups);
#endif

/*
 * A tile's copies into a stage: clp_copies_expect says how many bytes there are, clp_copy starts
 * one, both ends and the size aligned to 16, clp_copies_end ends them; then the gate opens when all
 * have arrived. Called by one work-item, or by all of the loaders if CLP_COPIES_SHARED.
 * CLP_COPIES_ARRIVALS: of the gate.
 */
#if CLP_COMPUTE_CAPABILITY >= 90
#define CLP_COPIES_ARRIVALS 1

/* Between setting gates and the barrier behind which they are used. */
static inline void clp_gates_are_set(void) {
    __asm__ volatile("fence.proxy.async;" ::: "memory");
}

static inline void clp_copies_expect(local ulong *gate, uint bytes) {
    __asm__ volatile(
        "mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(clp_local_address(gate)),
        "r"(bytes)
        : "memory");
}

static inline void clp_copy(local ulong *gate, local void *to, const global void *from,
                            uint bytes) {
    const uint gate_address = clp_local_address(gate);
    __asm__ volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1], %2, [%3];" ::"r"(clp_local_address(to)),
                     "l"(from), "r"(bytes), "r"(gate_address)
                     : "memory");
}

static inline void clp_copies_end(local ulong *gate) {}

/* Brings what will be copied later into the device's cache; both aligned to 16 bytes. */
static inline void clp_fetch_ahead(const global void *from, uint bytes) {
    __asm__ volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes));
}

/* Between writing a stage and giving it back to be copied into. */
static inline void clp_stage_was_written(void) {
    __asm__ volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
#else
/* Of the work-item, among all of the loaders; they are the last of the group. */
static inline uint clp_copier(void) {
    return (uint)get_local_id(0) - (CLP_GROUP - 32 * CLP_LOADERS);
}

static inline void clp_gates_are_set(void) {}
static inline void clp_stage_was_written(void) {}
static inline void clp_copies_expect(local ulong *gate, uint bytes) {}

/* Brings what will be copied later into the device's cache; by one sub-group. */
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

static inline void clp_copy(local ulong *gate, local void *to, const global void *from,
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

static inline void clp_copies_end(local ulong *gate) {
    __asm__ volatile(
        "cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(clp_local_address(gate))
        : "memory");
}
#else
#define CLP_COPIES_ARRIVALS CLP_LOADERS

#define CLP_COPY_LOAD(k) const uint4 chunk##k = clp_load_stream(source + (k)*CLP_COPY_STRIDE / 16);
#define CLP_COPY_STORE(k) target[(k)*CLP_COPY_STRIDE / 16] = chunk##k;
#define CLP_EACH_COPY_CHUNK(step) step(0) step(1) step(2) step(3) step(4) step(5) step(6) step(7)

/* Eight chunks of a work-item are on their way together. */
static inline void clp_copy(local ulong *gate, local void *to, const global void *from,
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

static inline void clp_copies_end(local ulong *gate) {
    clp_subgroup_barrier(); /* chunks stored above, before the arrival of lane 0 */
    if (clp_lane() == 0) clp_gate_arrive(gate);
}
#endif
#endif
#endif
