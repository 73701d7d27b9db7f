/* SPDX-License-Identifier: MIT */
/*
 * Device layer "subgroup": sub-groups of 2 to 64 lanes with shuffles. Shuffles come from
 * cl_khr_subgroup_shuffle, or from Intel's or Qualcomm's extension. Ballots come from
 * cl_khr_subgroup_ballot, or are made of shuffles.
 *
 * The probe found the width; kernels ask for this width where the device lets them. Widths of 8 to
 * 64 ran on Intel's driver for CPUs. Qualcomm's functions follow its documentation: no device of
 * Qualcomm has run them. If they fail the probe, the layer "local" is used.
 */
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#if CLP_INT64_ATOMICS
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
#define CLP_SUBGROUP CLP_SUBGROUP_WIDTH
#define CLP_SUBGROUP_IS_GROUP 0
#define CLP_LOCKSTEP 0
#if CLP_SHUFFLES == 2
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#elif CLP_SHUFFLES == 3
#pragma OPENCL EXTENSION cl_qcom_subgroup_shuffle : enable
#endif
/* A program whose work-groups are all of one work-item asks for no width. */
#define CLP_HAS_GROUPS (CLP_GROUP > 1 || CLP_OTHER_GROUP > 1)
#if CLP_ASK_SUBGROUP_WIDTH == 2 && CLP_HAS_GROUPS && CLP_SUBGROUP_WIDTH == 64
#pragma OPENCL EXTENSION cl_qcom_reqd_sub_group_size : enable
#define CLP_KERNEL(group)                                                                          \
    __attribute__((reqd_work_group_size(group, 1, 1)))                                             \
    __attribute__((qcom_reqd_sub_group_size("half"))) kernel
#elif CLP_ASK_SUBGROUP_WIDTH == 1 && CLP_HAS_GROUPS
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
#if CLP_SHUFFLES == 2
    return intel_sub_group_shuffle(value, lane);
#elif CLP_SHUFFLES == 3 /* each lane may have a mask of its own */
    return qcom_sub_group_shuffle_xor(value, get_sub_group_local_id() ^ lane,
                                      CLK_SUB_GROUP_SHUFFLE_WIDTH_WAVE_SIZE_QCOM, value);
#else
    return sub_group_shuffle(value, lane);
#endif
}

static inline ulong clp_shuffle_long(ulong value, uint lane) {
    const uint low = clp_shuffle_word((uint)value, lane);
    return (ulong)clp_shuffle_word((uint)(value >> 32), lane) << 32 | low;
}

static inline uint clp_shuffle_up_word(uint value, uint distance) {
    const uint lane = get_sub_group_local_id();
    return clp_shuffle_word(value, lane >= distance ? lane - distance : lane);
}

/* Returns the sum over all lanes to every lane. */
static inline uint clp_add_lanes(uint value) {
    return sub_group_reduce_add(value);
}

/* A bit for each lane. */
#if CLP_SUBGROUP > 32
typedef ulong clp_lanes;
#else
typedef uint clp_lanes;
#endif

/* Bit l is set if lane l says yes. */
static inline clp_lanes clp_ballot(bool yes) {
#if CLP_BALLOTS && CLP_SUBGROUP > 32
    const uint4 lanes = sub_group_ballot(yes);
    return (ulong)lanes.y << 32 | lanes.x;
#elif CLP_BALLOTS
    return sub_group_ballot(yes).x;
#else
    const uint lane = get_sub_group_local_id();
    uint low = yes && lane < 32 ? 1u << (lane & 31) : 0;
    uint high = yes && lane >= 32 ? 1u << (lane & 31) : 0;
    for (uint distance = 1; distance < CLP_SUBGROUP; distance *= 2) {
        low |= clp_shuffle_word(low, lane ^ distance);
        if (CLP_SUBGROUP > 32) high |= clp_shuffle_word(high, lane ^ distance);
    }
    return (clp_lanes)((ulong)high << 32 | low);
#endif
}

/* Orders this work-item's accesses to device memory, as other work-groups observe them. */
static inline void clp_device_fence(void) {
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
}
