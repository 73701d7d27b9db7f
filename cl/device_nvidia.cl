/* SPDX-License-Identifier: MIT */
/*
 * Device layer: NVIDIA GPUs, by inline PTX. Every sub-group is one warp; all 32 lanes take part
 * in every exchange. The driver advertises work-group scope atomics only, while PTX has what a
 * look-back needs: relaxed accesses at GPU scope.
 */
#define CLP_SUBGROUP 32
#define CLP_SUBGROUP_IS_GROUP 0
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

/* Bit l is set if lane l says yes. */
static inline uint clp_ballot(bool yes) {
    uint result;
    __asm__ volatile(
        "{.reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, " CLP_ALL_LANES ";}"
        : "=r"(result)
        : "r"((uint)yes));
    return result;
}

/* A word that other work-groups observe; published whole, at device scope, unordered. */
static inline void clp_publish(volatile global ulong *word, ulong value) {
    __asm__ volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}

static inline ulong clp_observe(volatile global ulong *word) {
    ulong value;
    __asm__ volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
    return value;
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
    __asm__ volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(value.x),
                     "r"(value.y), "r"(value.z), "r"(value.w)
                     : "memory");
}
