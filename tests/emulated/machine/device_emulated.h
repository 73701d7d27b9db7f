/* SPDX-License-Identifier: MIT */
/* What cl/device gives kernels for NVIDIA GPUs of compute capability 9.0, and the words of OpenCL
 * C, in clang's C on the machine of machine.h. */
#ifndef EMULATED_DEVICE_H
#define EMULATED_DEVICE_H

#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef uint uint2 __attribute__((ext_vector_type(2)));
typedef uint uint3 __attribute__((ext_vector_type(3)));
typedef uint uint4 __attribute__((ext_vector_type(4)));
typedef int int4 __attribute__((ext_vector_type(4)));
typedef ulong ulong2 __attribute__((ext_vector_type(2)));

#define global
#define local
#define kernel
#define min(a, b)                                                                                  \
    ({                                                                                             \
        __typeof__((a) + (b)) min_a = (a), min_b = (b);                                            \
        min_a < min_b ? min_a : min_b;                                                             \
    })
#define max(a, b)                                                                                  \
    ({                                                                                             \
        __typeof__((a) + (b)) max_a = (a), max_b = (b);                                            \
        max_a > max_b ? max_a : max_b;                                                             \
    })
/* As PTX has them. */
#define fmin(a, b) (-greatest(-(a), -(b)))
#define fmax(a, b) greatest(a, b)
#define clamp(x, least, most) min(max(x, least), most)
#define popcount(x) ((uint)__builtin_popcount(x))
#define clz(x) ((uint)(sizeof(x) == 8 ? __builtin_clzl(x) : __builtin_clz(x)))
#define as_int(x) ((int)(x))
#define as_int4(x) ((int4)(x))
#define rotate(x, by) __builtin_rotateleft32(x, by)
#define atomic_min(word, value) (*(word) = min(*(word), value))
#define atomic_max(word, value) (*(word) = max(*(word), value))
#define atomic_inc(word) __sync_fetch_and_add(word, 1u)
#define atomic_add(word, value) __sync_fetch_and_add(word, value)
#define atomic_or(word, bits) __sync_fetch_and_or(word, bits)
#define atomic_cmpxchg(word, old, value) __sync_val_compare_and_swap(word, old, value)
#define atom_add(word, value) __sync_fetch_and_add(word, value)
#define atom_xchg(word, value) __sync_lock_test_and_set(word, value)
#define atom_cmpxchg(word, old, value) __sync_val_compare_and_swap(word, old, value)
#define atomic_xchg(word, value) __sync_lock_test_and_set(word, value)
#define CLK_LOCAL_MEM_FENCE
#define CLK_GLOBAL_MEM_FENCE
#define barrier(memory) meet_group()
#define get_local_id(d) ((d) == 0 ? (ulong)here.item : 0)
#define get_group_id(d) ((d) == 0 ? (ulong)(first_group + here.group) : 0)
#define get_num_groups(d) ((d) == 0 ? (ulong)groups_of_launch : 1)
#define get_global_size(d) ((d) == 0 ? (ulong)groups_of_launch * items_of_group : 1)
#define get_global_id(d) ((d) == 0 ? get_group_id(0) * items_of_group + here.item : 0)

#define as_uint(x)                                                                                 \
    ({                                                                                             \
        __typeof__(x) as_uint_x = (x);                                                             \
        uint as_uint_bits;                                                                         \
        memcpy(&as_uint_bits, &as_uint_x, sizeof as_uint_bits);                                    \
        as_uint_bits;                                                                              \
    })

static inline float as_float(uint bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double as_double(ulong bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double greatest(double a, double b) {
    if (a != a || b != b) return a != a ? b : a;
    if (a == b) return __builtin_signbit(a) ? b : a;
    return a > b ? a : b;
}

/* OpenCL's vectors of a number, of numbers and of vectors. */
#define OVERLOADED static inline __attribute__((overloadable))

OVERLOADED uint2 uint2_of(uint x, uint y) {
    return (uint2){x, y};
}

OVERLOADED uint4 uint4_of(uint all) {
    return (uint4){all, all, all, all};
}

OVERLOADED uint4 uint4_of(uint x, uint y, uint z, uint w) {
    return (uint4){x, y, z, w};
}

OVERLOADED uint4 uint4_of(uint2 xy, uint2 zw) {
    return (uint4){xy.x, xy.y, zw.x, zw.y};
}

OVERLOADED uint4 uint4_of(uint x, uint3 yzw) {
    return (uint4){x, yzw.x, yzw.y, yzw.z};
}

OVERLOADED uint4 uint4_of(uint3 xyz, uint w) {
    return (uint4){xyz.x, xyz.y, xyz.z, w};
}

/* What an operator was called on that no elements come to, where all have this sign. */
static int sign_of_elements = 1;
static bool saw_padding;
#define SEE_OPERANDS(a, b)                                                                         \
    saw_padding = saw_padding || !((a)*sign_of_elements > 0 && (b)*sign_of_elements > 0);

/* ---- The device layer ---- */

#define CLP_SUBGROUP 32
#define CLP_SUBGROUP_IS_GROUP 0
#define CLP_LOCKSTEP 1
#define CLP_LIKELY(condition) (condition)
#define CLP_KERNEL(group)
#define CLP_ASSERT(condition)
#define CLP_INLINE static inline
#define CLP_COPIES_SHARED 0
#define CLP_COPIES_ARRIVALS 1
#define CLP_ROLE_WAIT(number, subgroups, is_first, waits) waits
#define CLP_ROLE_BARRIER(number, subgroups) meet_role(number, subgroups)
typedef uint clp_lanes;

static inline uint clp_lane(void) {
    return here.item % LANES;
}

static inline uint clp_subgroup_number(void) {
    return here.item / LANES;
}

static inline uint clp_shuffle_word(uint value, uint lane) {
    return (uint)exchange_lanes(value, lane);
}

static inline ulong clp_shuffle_long(ulong value, uint lane) {
    return exchange_lanes(value, lane);
}

static inline uint clp_shuffle_up_word(uint value, uint distance) {
    return clp_shuffle_word(value, clp_lane() >= distance ? clp_lane() - distance : clp_lane());
}

static inline uint clp_ballot(bool yes) {
    return ballot_lanes(yes);
}

static inline uint clp_add_lanes(uint value) {
    for (uint d = 1; d < LANES; d *= 2) value += clp_shuffle_word(value, clp_lane() ^ d);
    return value;
}

static inline uint clp_or_lanes(uint value) {
    for (uint d = 1; d < LANES; d *= 2) value |= clp_shuffle_word(value, clp_lane() ^ d);
    return value;
}

static inline void clp_subgroup_barrier(void) {
    meet_subgroup();
}

static inline void clp_fetch_line(const void *at) {}

#define clp_load_if(yes, from, otherwise) ((yes) ? *(from) : (otherwise))
#define clp_count_less(count, a, b) ((count) + ((a) < (b)))

static inline void clp_device_fence(void) {}

static inline void clp_stage_was_written(void) {}

static inline uint4 clp_load_stream(const uint4 *from) {
    return *from;
}

static inline void clp_store_stream(uint4 *to, uint4 value) {
    *to = value;
}

static inline uint4 clp_load_quad(const uint4 *from) {
    return *from;
}

static inline uint clp_with_bit_if(uint bits, uint bit, bool yes) {
    return bits | (uint)yes << bit;
}

static inline uint clp_shift_pair(uint low, uint high, uint shift) {
    return (uint)(((ulong)high << 32 | low) << shift % 32 >> 32);
}

static inline uint clp_choose_bytes(uint a, uint b, uint selector) {
    uint chosen = 0;
    for (uint k = 0; k < 4; k++) {
        const ulong both = (ulong)b << 32 | a;
        chosen |= (uint)(both >> (selector >> 4 * k & 7) * 8 & 255) << 8 * k;
    }
    return chosen;
}

static inline void clp_publish(volatile ulong *word, ulong value) {
    *word = value;
}

static inline ulong clp_observe(volatile ulong *word) {
    wait_a_turn();
    return *word;
}

static inline ulong2 clp_observe_pair(volatile ulong *words) {
    wait_a_turn();
    const ulong2 pair = {words[0], words[1]};
    return pair;
}

static inline uint clp_local_address(const void *at) {
    return (uint)(uintptr_t)at;
}

/* The test stands below 4 GB, so that an address of 32 bits says all. */
static inline uint clp_load_at(uint at) {
    return *(uint *)(uintptr_t)at;
}

OVERLOADED void clp_store_at(uint at, uint value) {
    *(uint *)(uintptr_t)at = value;
}

OVERLOADED void clp_store_at(uint at, ulong value) {
    *(ulong *)(uintptr_t)at = value;
}

static inline uint clp_observe_local(const volatile uint *word) {
    wait_a_turn();
    return *word;
}

static inline void clp_count_at(uint at) {
    *(uint *)(uintptr_t)at += 1;
}

static inline uint clp_add_at(uint at, uint more) {
    const uint before = clp_load_at(at);
    clp_store_at(at, before + more);
    return before;
}

static inline uint clp_anew(uint value) {
    return value;
}

/* Which lanes have the same bits 2 to 9. */
static inline uint clp_match(uint word) {
    return match_lanes(word & 0x3fc);
}

/* Which lanes agree on whether the word has the bit of each mask. */
static inline uint clp_match_four(uint word, uint4 masks) {
    return match_lanes(word & (masks.x | masks.y | masks.z | masks.w));
}

static inline void clp_publish_word(volatile uint *word, uint value) {
    *word = value;
}

/* Others may see some of the words before the rest. */
static inline void clp_publish_four(volatile uint *words, uint4 value) {
    const uint first = random_below(4);
    for (uint i = 0; i < 4; i++) {
        words[(first + i) % 4] = value[(first + i) % 4];
        if (i == 1) wait_a_turn();
    }
}

static inline uint4 clp_observe_four(const uint *words) {
    wait_a_turn();
    return (uint4){words[0], words[1], words[2], words[3]};
}

static inline uint4 vload4(ulong i, const uint *from) {
    return (uint4){from[4 * i], from[4 * i + 1], from[4 * i + 2], from[4 * i + 3]};
}

#define vstore4(vector, i, to)                                                                     \
    for (uint part = 0; part < 4; part++) (to)[4 * (i) + part] = (vector)[part]

static inline uint clp_lanes_below(void) {
    return (1u << clp_lane()) - 1;
}

static inline uint clp_lanes_above(void) {
    return ~1u << clp_lane();
}

static inline void clp_team_barrier(uint number, uint work_items) {
    meet_role(number, work_items / LANES);
}

static inline bool clp_any_of(uint number, uint subgroups, bool yes) {
    return any_of_role(number, subgroups, yes);
}

static inline void clp_mbarrier_set(ulong *mbarrier, uint arrivals) {
    mbarrier_set(mbarrier, arrivals);
}

static inline void clp_mbarrier_arrive(ulong *mbarrier) {
    mbarrier_arrive(mbarrier);
}

static inline void clp_mbarrier_wait(ulong *mbarrier, uint parity) {
    mbarrier_wait(mbarrier, parity);
}

static inline void clp_mbarriers_are_set(void) {}

static inline void clp_copies_expect(ulong *mbarrier, uint bytes) {
    mbarrier_expect(mbarrier, bytes);
}

static inline void clp_copy(ulong *mbarrier, void *to, const void *from, uint bytes) {
    mbarrier_copy(mbarrier, to, from, bytes);
}

static inline void clp_copies_end(ulong *mbarrier) {
    (void)mbarrier;
}

static inline void clp_fetch_ahead(const void *from, uint bytes) {
    (void)from, (void)bytes;
}

/* ---- The test ---- */

/* Leaves a function of the trial `t`. TRIAL is how the test describes the trial: a format and
 * values. */
#define CHECK(condition)                                                                           \
    if (!(condition)) {                                                                            \
        printf("trial %u, ", t.number);                                                            \
        printf(TRIAL);                                                                             \
        printf(": not so: %s\n", #condition);                                                      \
        return false;                                                                              \
    }

/* clang-format off */
#include PROGRAM
/* clang-format on */

#endif
