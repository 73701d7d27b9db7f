/* SPDX-License-Identifier: MIT */
/*
 * Device layer "local", for devices that no other layer serves: local memory and the atomics of
 * OpenCL 1.2. The sub-group is the whole work-group; its lanes exchange values through local memory
 * and barriers (types.cl). Hence exchanges may stand only where all work-items of the group come.
 */
#if CLP_INT64_ATOMICS
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
#define CLP_SUBGROUP CLP_GROUP
#define CLP_SUBGROUP_IS_GROUP 1
#define CLP_LOCKSTEP 0
#define CLP_KERNEL(group) __attribute__((reqd_work_group_size(group, 1, 1))) kernel

static inline uint clp_subgroup_width(void) {
    return CLP_GROUP;
}

static inline uint clp_lane(void) {
    return (uint)get_local_id(0);
}

static inline uint clp_subgroup_number(void) {
    return 0;
}

/* Orders this work-item's accesses to device memory. */
static inline void clp_device_fence(void) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
}
