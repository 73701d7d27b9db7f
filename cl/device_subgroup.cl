/* SPDX-License-Identifier: MIT */
/*
 * Device layer: KHR sub-groups with shuffles and ballots. The width is what the probe found;
 * where kernels may ask for a width, they ask for that one.
 */
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define CLP_SUBGROUP CLP_SUBGROUP_WIDTH
#define CLP_SUBGROUP_IS_GROUP 0
#define CLP_LOCKSTEP 0
#if CLP_ASK_SUBGROUP_WIDTH && CLP_GROUP > 1
#define CLP_KERNEL(group)                                                                          \
    __attribute__((reqd_work_group_size(group, 1, 1)))                                             \
    __attribute__((intel_reqd_sub_group_size(CLP_SUBGROUP_WIDTH))) kernel
#else
#define CLP_KERNEL(group) __attribute__((reqd_work_group_size(group, 1, 1))) kernel
#endif

static inline uint clp_subgroup_width(void) {
    return get_max_sub_group_size();
}

static inline uint clp_lane(void) {
    return get_sub_group_local_id();
}

static inline uint clp_subgroup_number(void) {
    return get_sub_group_id();
}

static inline uint clp_shuffle_word(uint value, uint lane) {
    return sub_group_shuffle(value, lane);
}

static inline uint clp_shuffle_up_word(uint value, uint distance) {
    const uint lane = get_sub_group_local_id();
    return sub_group_shuffle(value, lane >= distance ? lane - distance : lane);
}

/* Bit l is set if lane l says yes; lanes from 32 on are not asked. */
static inline uint clp_ballot(bool yes) {
    return sub_group_ballot(yes).x;
}

/* A word that other work-groups observe; published whole. A 1.2 atomic acts at device scope. */
static inline void clp_publish(volatile global ulong *word, ulong value) {
    atom_xchg(word, value);
}

static inline ulong clp_observe(volatile global ulong *word) {
    return atom_add(word, 0ul);
}

/* Orders this work-item's accesses to device memory, as other work-groups see them. */
static inline void clp_device_fence(void) {
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
}

/* 16 bytes that are not needed again. */
static inline uint4 clp_load_stream(const global uint4 *from) {
    return *from;
}

static inline void clp_store_stream(global uint4 *to, uint4 value) {
    *to = value;
}

/* Four bytes by the digits of the selector: 0 to 3 are those of a, 4 to 7 those of b; the lowest
 * digit chooses the lowest byte. */
static inline uint clp_choose_bytes(uint a, uint b, uint selector) {
    const ulong both = (ulong)b << 32 | a;
    return (uint)(both >> (selector & 7) * 8 & 0xff) |
           (uint)(both >> (selector >> 4 & 7) * 8 & 0xff) << 8 |
           (uint)(both >> (selector >> 8 & 7) * 8 & 0xff) << 16 |
           (uint)(both >> (selector >> 12 & 7) * 8 & 0xff) << 24;
}

/* The sum and the word's four bytes, or its two halves. */
static inline uint clp_add_halves(uint sum, uint word) {
    return sum + (word & 0xffff) + (word >> 16);
}

static inline uint clp_add_bytes(uint sum, uint word) {
    return clp_add_halves(sum, (word & 0x00ff00ff) + (word >> 8 & 0x00ff00ff));
}
