/* SPDX-License-Identifier: MIT */
/*
 * Device layer "nvidia": NVIDIA GPUs, by inline PTX. Every sub-group is one warp, and all 32 lanes
 * take part in every exchange.
 *
 * Why PTX: the driver advertises atomics of work-group scope only. PTX has the relaxed accesses at
 * GPU scope that a look-back needs.
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

static inline ulong clp_shuffle_long(ulong value, uint lane) {
    const uint low = clp_shuffle_word((uint)value, lane);
    return (ulong)clp_shuffle_word((uint)(value >> 32), lane) << 32 | low;
}

static inline uint clp_shuffle_up_word(uint value, uint distance) {
    uint result;
    __asm__ volatile("shfl.sync.up.b32 %0, %1, %2, 0, " CLP_ALL_LANES ";"
                     : "=r"(result)
                     : "r"(value), "r"(distance));
    return result;
}

/* A condition that holds nearly always. The compiler then places the code of this case without
 * jumps, and instructions are fetched in order. */
#define CLP_LIKELY(condition) __builtin_expect(condition, 1)

/* Returns the sum over all lanes to every lane. */
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

/* A bit for each lane. */
typedef uint clp_lanes;

/* Bit l is set if lane l says yes. */
static inline uint clp_ballot(bool yes) {
    uint result;
    __asm__ volatile(
        "{.reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, " CLP_ALL_LANES ";}"
        : "=r"(result)
        : "r"((uint)yes));
    return result;
}

/* A float sum that is NaN has the bits 0x7fffffff, whatever NaN its operands are. */
#define CLP_NAN_SUMS_HAVE_NO_SIGN 1

/* A sum that is rounded by itself. The assembler fuses a product and a sum that have no .rn. */
static inline float __attribute__((overloadable)) clp_add_rounded(float a, float b) {
    float sum;
    __asm__("add.rn.f32 %0, %1, %2;" : "=f"(sum) : "f"(a), "f"(b));
    return sum;
}

static inline double __attribute__((overloadable)) clp_add_rounded(double a, double b) {
    double sum;
    __asm__("add.rn.f64 %0, %1, %2;" : "=d"(sum) : "d"(a), "d"(b));
    return sum;
}

/* Combines an element of device memory with x, beside other work-items that do, and returns
 * nothing: an atomic that returns the former value takes longer. Subnormal floats there count as 0.
 */
#define CLP_RED(op, how, type, constraint)                                                         \
    static inline void __attribute__((overloadable))                                               \
    clp_red_##op(volatile global type *at, type x) {                                               \
        __asm__ volatile("red.global." #op "." how " [%0], %1;"                                    \
                         :                                                                         \
                         : "l"(at), constraint(x)                                                  \
                         : "memory");                                                              \
    }
#define CLP_RED_SIGNED(op)                                                                         \
    CLP_RED(op, "s32", int, "r")                                                                   \
    CLP_RED(op, "u32", uint, "r") CLP_RED(op, "s64", long, "l") CLP_RED(op, "u64", ulong, "l")
#define CLP_RED_BITS(op, kind)                                                                     \
    CLP_RED(op, kind "32", int, "r")                                                               \
    CLP_RED(op, kind "32", uint, "r")                                                              \
    CLP_RED(op, kind "64", long, "l") CLP_RED(op, kind "64", ulong, "l")
CLP_RED_BITS(add, "u")
CLP_RED_SIGNED(min)
CLP_RED_SIGNED(max)
CLP_RED_BITS(and, "b")
CLP_RED_BITS(or, "b")
CLP_RED_BITS(xor, "b")
CLP_RED(add, "f32", float, "f")
#if CLP_COMPUTE_CAPABILITY >= 60
CLP_RED(add, "f64", double, "d")
#endif

/* Puts four bytes together. Each hexadecimal digit of the selector chooses one: 0 to 3 a byte of a,
 * 4 to 7 a byte of b. The lowest digit chooses the lowest byte. */
static inline uint clp_choose_bytes(uint a, uint b, uint selector) {
    uint result;
    __asm__("prmt.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(selector));
    return result;
}

/* Adds the word's two halves, or its four bytes, to the sum: a dot product with ones, one
 * instruction. */
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

/* A word that other work-groups observe. Accesses are whole and at device scope, but not ordered
 * with others: the engine's words carry their own tag, so they need no order. */
static inline void clp_publish(volatile global ulong *word, ulong value) {
    __asm__ volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}

static inline ulong clp_observe(volatile global ulong *word) {
    ulong value;
    __asm__ volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
    return value;
}

/* Observes two adjacent words, aligned to 16 bytes. Each word is whole; the pair may be torn. */
static inline ulong2 clp_observe_pair(volatile global ulong *words) {
    ulong2 pair;
    __asm__ volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                     : "=l"(pair.x), "=l"(pair.y)
                     : "l"(words)
                     : "memory");
    return pair;
}

/* Orders this work-item's accesses to device memory, as other work-groups observe them. */
static inline void clp_device_fence(void) {
    __asm__ volatile("membar.gl;" ::: "memory");
}

/* Accesses to 16 bytes that are not needed again: .cs marks them to be evicted first. */
static inline uint4 clp_load_stream(const global uint4 *from) {
    uint4 value;
    __asm__ volatile("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
                     : "l"(from));
    return value;
}

#if CLP_BURST > 0 /* outputs must not evict tiles that were prefetched long before */
#define CLP_STORE "st.global.cs.v4.u32"
#else
#define CLP_STORE "st.global.v4.u32"
#endif
static inline void clp_store_stream(global uint4 *to, uint4 value) {
    __asm__ volatile(CLP_STORE " [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(value.x), "r"(value.y),
                     "r"(value.z), "r"(value.w)
                     : "memory");
}

/* Prefetches the 128 bytes around the address into the device's cache. */
static inline void clp_fetch_line(const global void *at) {
    __asm__ volatile("prefetch.global.L2 [%0];" ::"l"(at));
}

static inline void clp_subgroup_barrier(void) {
    __asm__ volatile("bar.warp.sync 0xffffffff;" ::: "memory");
}

/* The 32-bit address that instructions on local memory take. */
static inline uint clp_local_address(const local void *at) {
    return (uint)(ulong)at;
}

/* A barrier of some of the work-group's sub-groups: of all that name this number. A macro because
 * the number is part of the instruction. */
#define CLP_ROLE_BARRIER(number, subgroups)                                                        \
    __asm__ volatile("bar.sync %0, %1;" ::"n"(number), "n"((subgroups)*32) : "memory")
