/* SPDX-License-Identifier: MIT */
/*
 * Device layer "nvidia": accesses for ranking keys by counters in local memory. The compiler's own
 * accesses take more instructions.
 */

/* Returns the value, but the compiler takes it for a new one. It then computes expressions of the
 * value again instead of keeping them in registers. */
static inline uint clp_anew(uint value) {
    uint result;
    __asm__ volatile("mov.u32 %0, %1;" : "=r"(result) : "r"(value));
    return result;
}

/* ---- Local memory by its 32-bit address ---- */

static inline void clp_count_at(uint at) {
    __asm__ volatile("red.shared.add.u32 [%0], 1;" ::"r"(at) : "memory");
}

static inline uint clp_add_at(uint at, uint more) {
    uint before;
    __asm__ volatile("atom.shared.add.u32 %0, [%1], %2;"
                     : "=r"(before)
                     : "r"(at), "r"(more)
                     : "memory");
    return before;
}

static inline uint clp_load_at(uint at) {
    uint value;
    __asm__ volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(at) : "memory");
    return value;
}

static inline void __attribute__((overloadable)) clp_store_at(uint at, uchar value) {
    __asm__ volatile("st.shared.u8 [%0], %1;" ::"r"(at), "r"((uint)value) : "memory");
}

static inline void __attribute__((overloadable)) clp_store_at(uint at, ushort value) {
    __asm__ volatile("st.shared.u16 [%0], %1;" ::"r"(at), "h"(value) : "memory");
}

static inline void __attribute__((overloadable)) clp_store_at(uint at, uint value) {
    __asm__ volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(value) : "memory");
}

static inline void __attribute__((overloadable)) clp_store_at(uint at, ulong value) {
    __asm__ volatile("st.shared.u64 [%0], %1;" ::"r"(at), "l"(value) : "memory");
}

/* One more than count if a is less than b. */
static inline uint clp_count_less(uint count, uint a, uint b) {
    __asm__("{.reg .pred p; setp.lt.u32 p, %1, %2; @p add.u32 %0, %0, 1;}"
            : "+r"(count)
            : "r"(a), "r"(b));
    return count;
}

/* Loads a word that another sub-group writes meanwhile. */
static inline uint clp_observe_local(const volatile local uint *word) {
    return *word;
}

/* ---- Device memory ---- */

/* Loads an element if the condition holds. No work-item jumps, so that several loads may be on
 * their way. */
#define CLP_LOAD_IF(type, bits, moved, word, constraint)                                           \
    static inline type __attribute__((overloadable))                                               \
    clp_load_if(bool yes, const global type *from, type otherwise) {                               \
        moved value;                                                                               \
        __asm__ volatile("{.reg .pred p; setp.ne.u32 p, %1, 0; mov." word " %0, %3;"               \
                         "@p ld.global.u" #bits " %0, [%2];}"                                      \
                         : "=&" constraint(value)                                                  \
                         : "r"((uint)yes), "l"(from), constraint((moved)otherwise));               \
        return (type)value;                                                                        \
    }
CLP_LOAD_IF(uchar, 8, ushort, "b16", "h")
CLP_LOAD_IF(ushort, 16, ushort, "b16", "h")
CLP_LOAD_IF(uint, 32, uint, "b32", "r")
CLP_LOAD_IF(ulong, 64, ulong, "b64", "l")

/* Loads one of 32 adjacent elements that no one writes during the launch, without a place in the
 * first-level cache. */
#if CLP_COMPUTE_CAPABILITY >= 80
#define CLP_LOAD_ROW "ld.global.nc.L1::no_allocate.L2::256B"
#else
#define CLP_LOAD_ROW "ld.global.nc"
#endif
static inline uchar __attribute__((overloadable)) clp_load_row(const global uchar *from) {
    uint value;
    __asm__ volatile(CLP_LOAD_ROW ".u8 %0, [%1];" : "=r"(value) : "l"(from));
    return (uchar)value;
}

static inline ushort __attribute__((overloadable)) clp_load_row(const global ushort *from) {
    ushort value;
    __asm__ volatile(CLP_LOAD_ROW ".u16 %0, [%1];" : "=h"(value) : "l"(from));
    return value;
}

static inline uint __attribute__((overloadable)) clp_load_row(const global uint *from) {
    uint value;
    __asm__ volatile(CLP_LOAD_ROW ".u32 %0, [%1];" : "=r"(value) : "l"(from));
    return value;
}

static inline ulong __attribute__((overloadable)) clp_load_row(const global ulong *from) {
    ulong value;
    __asm__ volatile(CLP_LOAD_ROW ".u64 %0, [%1];" : "=l"(value) : "l"(from));
    return value;
}

/* base + index * bytes by one instruction, if the compiler does not know `bytes`. */
static inline global void *clp_element(global void *base, int index, uint bytes) {
    global void *at;
    __asm__("mad.wide.s32 %0, %1, %2, %3;" : "=l"(at) : "r"(index), "r"(bytes), "l"(base));
    return at;
}

/* Words that other work-groups observe. Each word is whole; four together may be torn. */
static inline void __attribute__((overloadable)) clp_publish_word(global uint *word, uint value) {
    __asm__ volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
}

static inline void __attribute__((overloadable)) clp_publish_word(global ulong *word, ulong value) {
    __asm__ volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}

static inline void __attribute__((overloadable)) clp_publish_four(global uint *words, uint4 value) {
    __asm__ volatile("st.relaxed.gpu.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(words),
                     "r"(value.x), "r"(value.y), "r"(value.z), "r"(value.w)
                     : "memory");
}

static inline void __attribute__((overloadable))
clp_publish_four(global ulong *words, ulong4 value) {
    __asm__ volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};"
                     "st.relaxed.gpu.global.v2.u64 [%0 + 16], {%3, %4};" ::"l"(words),
                     "l"(value.x), "l"(value.y), "l"(value.z), "l"(value.w)
                     : "memory");
}

static inline uint4 __attribute__((overloadable)) clp_observe_four(const global uint *words) {
    uint4 value;
    __asm__ volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
                     : "l"(words)
                     : "memory");
    return value;
}

static inline ulong4 __attribute__((overloadable)) clp_observe_four(const global ulong *words) {
    ulong4 value;
    __asm__ volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%4];"
                     "ld.relaxed.gpu.global.v2.u64 {%2, %3}, [%4 + 16];"
                     : "=l"(value.x), "=l"(value.y), "=l"(value.z), "=l"(value.w)
                     : "l"(words)
                     : "memory");
    return value;
}

/* ---- Lanes that agree ---- */

/* Returns to every lane the bits that any lane has. */
static inline uint clp_or_lanes(uint value) {
#if CLP_COMPUTE_CAPABILITY >= 80
    uint result;
    __asm__ volatile("redux.sync.or.b32 %0, %1, " CLP_ALL_LANES ";" : "=r"(result) : "r"(value));
    return result;
#else
    const uint lane = clp_lane();
    value |= clp_shuffle_word(value, lane ^ 16);
    value |= clp_shuffle_word(value, lane ^ 8);
    value |= clp_shuffle_word(value, lane ^ 4);
    value |= clp_shuffle_word(value, lane ^ 2);
    return value | clp_shuffle_word(value, lane ^ 1);
#endif
}

static inline uint clp_lanes_below(void) {
    uint lanes;
    __asm__ volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes));
    return lanes;
}

static inline uint clp_lanes_above(void) {
    uint lanes;
    __asm__ volatile("mov.u32 %0, %%lanemask_gt;" : "=r"(lanes));
    return lanes;
}

/* Parts of a text of instructions, in which k is a part of names; hence macros. */
#define CLP_HAS_BIT(k, bit) "and.b32 t, %1, " #bit "; setp.ne.u32 p" #k ", t, 0;"
#define CLP_ALL_BITS                                                                               \
    CLP_HAS_BIT(0, 4)                                                                              \
    CLP_HAS_BIT(1, 8)                                                                              \
    CLP_HAS_BIT(2, 16)                                                                             \
    CLP_HAS_BIT(3, 32)                                                                             \
    CLP_HAS_BIT(4, 64)                                                                             \
    CLP_HAS_BIT(5, 128)                                                                            \
    CLP_HAS_BIT(6, 256)                                                                            \
    CLP_HAS_BIT(7, 512)
#define CLP_KEEP_ALIKE(k)                                                                          \
    "vote.sync.ballot.b32 v, p" #k ", 0xffffffff; selp.b32 x, 0, 0xffffffff, p" #k                 \
    "; lop3.b32 %0, %0, v, x, 0x60;"
#define CLP_ALIKE_IN_ALL                                                                           \
    CLP_KEEP_ALIKE(1)                                                                              \
    CLP_KEEP_ALIKE(2)                                                                              \
    CLP_KEEP_ALIKE(3)                                                                              \
    CLP_KEEP_ALIKE(4)                                                                              \
    CLP_KEEP_ALIKE(5)                                                                              \
    CLP_KEEP_ALIKE(6)                                                                              \
    CLP_KEEP_ALIKE(7)

/* Returns the lanes whose bits 2 to 9 equal this lane's. Each bit takes one ballot, by which
 * lanes with the other value of the bit drop out. */
static inline uint clp_match(uint word) {
    uint lanes;
    __asm__ volatile("{.reg .pred p0, p1, p2, p3, p4, p5, p6, p7; .reg .b32 t, v, x;" CLP_ALL_BITS
                     "vote.sync.ballot.b32 v, p0, 0xffffffff; selp.b32 x, 0, 0xffffffff, p0;"
                     "xor.b32 %0, v, x;" CLP_ALIKE_IN_ALL "}"
                     : "=&r"(lanes)
                     : "r"(word));
    return lanes;
}

#define CLP_HAS_ONE_OF(k, mask) "and.b32 t, %1, %" #mask "; setp.ne.u32 p" #k ", t, 0;"

/* Returns the lanes that agree with this lane, for each mask, on whether the word has its bit. A
 * mask of 0 excludes no lane. */
static inline uint clp_match_four(uint word, uint4 masks) {
    uint lanes;
    __asm__ volatile("{.reg .pred p0, p1, p2, p3; .reg .b32 t, v, x;" CLP_HAS_ONE_OF(0, 2)
                         CLP_HAS_ONE_OF(1, 3) CLP_HAS_ONE_OF(2, 4)
                             CLP_HAS_ONE_OF(3, 5) "vote.sync.ballot.b32 v, p0, 0xffffffff;"
                                                  "selp.b32 x, 0, 0xffffffff, p0;"
                                                  "xor.b32 %0, v, x;" CLP_KEEP_ALIKE(1)
                                                      CLP_KEEP_ALIKE(2) CLP_KEEP_ALIKE(3) "}"
                     : "=&r"(lanes)
                     : "r"(word), "r"(masks.x), "r"(masks.y), "r"(masks.z), "r"(masks.w));
    return lanes;
}

/* ---- Barriers of some sub-groups ---- */

/* CLP_ROLE_BARRIER of work_items work-items, for a number that is known at run time only. */
static inline void clp_team_barrier(uint number, uint work_items) {
    __asm__ volatile("bar.sync %0, %1;" ::"r"(number), "r"(work_items) : "memory");
}

/* CLP_ROLE_BARRIER that also returns whether any of its work-items has `yes`. */
static inline bool clp_any_of(uint number, uint subgroups, bool yes) {
    uint any;
    __asm__ volatile("{.reg .pred p, q; setp.ne.u32 p, %1, 0; bar.red.or.pred q, %2, %3, p;"
                     " selp.u32 %0, 1, 0, q;}"
                     : "=r"(any)
                     : "r"((uint)yes), "r"(number), "r"(32 * subgroups)
                     : "memory");
    return any != 0;
}
