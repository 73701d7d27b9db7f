/* SPDX-License-Identifier: MIT */
/*
 * Device layer: KHR sub-groups with shuffles and ballots. The width is what the probe found;
 * where kernels may ask for a width, they ask for that one.
 */
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#if CLP_INT64_ATOMICS
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
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

#if CLP_INT64_ATOMICS
/* A word that other work-groups observe; published whole. A 1.2 atomic acts at device scope. */
static inline void clp_publish(volatile global ulong *word, ulong value) {
    atom_xchg(word, value);
}

static inline ulong clp_observe(volatile global ulong *word) {
    return atom_add(word, 0ul);
}
#endif

/* Orders this work-item's accesses to device memory, as other work-groups see them. */
static inline void clp_device_fence(void) {
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
}
