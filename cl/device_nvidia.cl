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

#if CLP_COMPUTE_CAPABILITY >= 80
/* The sum over the lanes, for all of them. */
static inline uint clp_add_lanes(uint value) {
    uint result;
    __asm__ volatile("redux.sync.add.u32 %0, %1, " CLP_ALL_LANES ";" : "=r"(result) : "r"(value));
    return result;
}
#endif

/* Bit l is set if lane l says yes. */
static inline uint clp_ballot(bool yes) {
    uint result;
    __asm__ volatile(
        "{.reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, " CLP_ALL_LANES ";}"
        : "=r"(result)
        : "r"((uint)yes));
    return result;
}

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

static inline void clp_store_stream(global uint4 *to, uint4 value) {
    __asm__ volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(value.x),
                     "r"(value.y), "r"(value.z), "r"(value.w)
                     : "memory");
}

#if CLP_COMPUTE_CAPABILITY >= 90
/* ---- Pipelines in local memory: gates, bulk copies, crews ---- */

/*
 * A gate opens for one phase after another, each time when all its arrivals (and the bytes that it
 * expects) have come. A wait names the phase by its parity; parity 1 passes a gate never used.
 * Arriving releases, waiting acquires: what was written before is seen behind.
 */
static inline uint clp_local_address(const local void *at) {
    return (uint)(ulong)at;
}

static inline void clp_gate_set(local ulong *gate, uint arrivals) {
    __asm__ volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(clp_local_address(gate)),
                     "r"(arrivals)
                     : "memory");
}

/* Between setting gates and the barrier behind which they are used. */
static inline void clp_gates_are_set(void) {
    __asm__ volatile("fence.proxy.async;" ::: "memory");
}

static inline void clp_gate_arrive(local ulong *gate) {
    __asm__ volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(clp_local_address(gate))
                     : "memory");
}

static inline void clp_gate_wait(local ulong *gate, uint parity) {
    uint open;
    do {
        __asm__ volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2;"
                         " selp.u32 %0, 1, 0, p;}"
                         : "=r"(open)
                         : "r"(clp_local_address(gate)), "r"(parity)
                         : "memory");
    } while (!open);
}

/* Arrives; the gate waits for so many bytes of copies besides. */
static inline void clp_gate_expect(local ulong *gate, uint bytes) {
    __asm__ volatile(
        "mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(clp_local_address(gate)),
        "r"(bytes)
        : "memory");
}

/* Starts a copy of a multiple of 16 bytes, both ends aligned to 16, for a gate that expects it. */
static inline void clp_gate_copy(local ulong *gate, local void *to, const global void *from,
                                 uint bytes) {
    const uint gate_address = clp_local_address(gate);
    __asm__ volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1], %2, [%3];" ::"r"(clp_local_address(to)),
                     "l"(from), "r"(bytes), "r"(gate_address)
                     : "memory");
}

/* Between writing a stage and giving it back to be copied into. */
static inline void clp_stage_was_written(void) {
    __asm__ volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* A barrier of some of the group's sub-groups, which are all that name this number. */
#define CLP_CREW_BARRIER(number, subgroups)                                                        \
    __asm__ volatile("bar.sync %0, %1;" ::"n"(number), "n"((subgroups)*32) : "memory")

static inline void clp_subgroup_barrier(void) {
    __asm__ volatile("bar.warp.sync 0xffffffff;" ::: "memory");
}
#endif
