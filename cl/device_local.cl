/* SPDX-License-Identifier: MIT */
/*
 * Device layer: local memory and OpenCL 1.2 atomics, for everything else. The sub-group is the
 * whole work-group; its lanes exchange values through local memory (types.cl).
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

#if CLP_INT64_ATOMICS
/* A word that other work-groups observe; published whole. */
static inline void clp_publish(volatile global ulong *word, ulong value) {
    atom_xchg(word, value);
}

static inline ulong clp_observe(volatile global ulong *word) {
    return atom_add(word, 0ul);
}
#endif

/* Orders this work-item's accesses to device memory. */
static inline void clp_device_fence(void) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
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
