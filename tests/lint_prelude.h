/* SPDX-License-Identifier: MIT */
/*
 * What the host's preludes define, with one value each, so that clang can look at a program of
 * cl/ without the library. tests/tree.cmake sets the layer and what tells the programs apart.
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define CLP_ASK_SUBGROUP_WIDTH 0
#ifndef CLP_COMPUTE_CAPABILITY
#define CLP_COMPUTE_CAPABILITY 90
#endif
#define CLP_INT64_ATOMICS 1

#ifdef LINT_OFFSETS /* src/offsets.c */
#define CLP_A ulong
#define CLP_A_BYTES 8
#define CLP_OUT long
#define CLP_OUT_BYTES 8
#define CLP_STORED(value) (long)(value)
#define CLP_IDENTITY 0ul
#define CLP_INPUTS 2
#define CLP_EXTRA 1
#define CLP_REPORTS 1
#elif defined(LINT_SELECT) /* src/select_text.c */
#define CLP_ARRAYS 2
#define CLP_T0_BYTES 4
typedef uint clp_t0;
#define CLP_T1_BYTES 2
typedef short clp_t1;
#define CLP_T2_BYTES 0
#define CLP_T3_BYTES 0
#define CLP_EACH_ARRAY(step) step(0) step(1)
#define CLP_EACH_ELEMENT(step) step(0) step(1) step(2) step(3)
#define CLP_BY_FLAGS (LINT_SELECT == 0)
#define CLP_BY_BITS (LINT_SELECT == 1)
#define CLP_BY_VALUE (LINT_SELECT == 2)
#define CLP_BY_RUNS (LINT_SELECT == 3)
#define CLP_VALUES 1
#define CLP_PARTITION (LINT_SELECT == 1)
#define CLP_INDICES (LINT_SELECT != 1)
#define CLP_INDEX uint
#define CLP_LENGTHS (LINT_SELECT == 3)
#define CLP_LENGTH long
#define CLP_PLACES CLP_INDICES
#define CLP_OUT uchar
#define CLP_OUT_BYTES 1
#if LINT_SELECT == 3
#define CLP_A clp_heads
#define CLP_A_BYTES 16
#else
#define CLP_A ulong
#define CLP_A_BYTES 8
#endif
static inline bool clp_keep(clp_t0 x, ulong i) {
    return (x > 3 && i % 2 == 0);
}
static inline bool clp_same(clp_t0 a, clp_t0 b) {
    return (a == b);
}
/* src/operation.c */
#elif defined(LINT_FOREST)
#define CLP_A int2
#define CLP_A_BYTES 8
#define CLP_OUT int2
#define CLP_OUT_BYTES 8
#define CLP_STORED(value) (value)
#define CLP_INPUTS 0
#else
#define CLP_A uint
#define CLP_A_BYTES 4
#define CLP_OUT uint
#define CLP_OUT_BYTES 4
#define CLP_STORED(value) (CLP_OUT)(value)
#define CLP_INPUTS 1
#endif
#ifndef CLP_IDENTITY
#define CLP_IDENTITY as_uint((uint)0x0ul)
#endif

/* src/scan_text.c */
#define CLP_GUARD 0
#ifndef CLP_EXTRA
#define CLP_EXTRA 0
#define CLP_REPORTS 0
#endif
#define CLP_HAS_START 1
#define CLP_INCLUSIVE 0
#define CLP_REPRODUCIBLE 0
#define CLP_ROWS 4
#define CLP_EACH_ROW(step) step(0) step(1) step(2) step(3)
#define CLP_VEC 4
#ifndef CLP_PACKED
#define CLP_PACKED 0
#endif
#define CLP_EACH_ITEM(step) step(0)
#ifndef CLP_UNALIGNED
#define CLP_UNALIGNED 0
#endif
#define CLP_WINDOW 1
#define CLP_SPINS 1000
#define CLP_MUTE 0
#define CLP_LATE 3
#define CLP_SCANNERS 4
#define CLP_REDUCERS 2
#define CLP_LOADERS 1
#define CLP_FREED_EARLY (CLP_COMPUTE_CAPABILITY < 90)
#ifdef LINT_SELECT
#define CLP_WORD_SUMS (!CLP_LENGTHS)
#elif defined(LINT_OFFSETS)
#define CLP_WORD_SUMS 0
#else
#define CLP_WORD_SUMS 1
#endif
#define CLP_STAGES 2
#define CLP_UNITS 2
#define CLP_EACH_UNIT(step) step(0) step(1)
#define CLP_EACH_PAIR(step) step(0)
#define CLP_EACH_LOAD(step) step(0)
#define CLP_COMMUTATIVE 1
#ifndef CLP_SIMD
#define CLP_SIMD 1
#endif
#define CLP_AHEAD 2
#define CLP_STREAM_N 1000ul
#ifdef LINT_OFFSETS
#define CLP_A_WIDE ulong8
#define CLP_OUT_WIDE long8
#define CLP_LANES_WIDE(x) as_ulong8(convert_long8(x))
#define CLP_STORED_WIDE(value) as_long8(value)
#define CLP_INPUT_WIDE 1
#define CLP_E_WIDE uint8
#define CLP_WIDENED(x, y) clp_lengths_wide(x, y)
#elif !defined(LINT_FOREST) && !defined(LINT_SELECT)
#define CLP_A_WIDE uint16
#define CLP_OUT_WIDE uint16
#define CLP_STORED_WIDE(value) convert_uint16(value)
#define CLP_INPUT_WIDE 1
#define CLP_E_WIDE uint16
#define CLP_WIDENED(x) convert_uint16(convert_uint16(x))
static inline CLP_A_WIDE clp_op_wide(CLP_A_WIDE a, CLP_A_WIDE b) {
    return (a + b);
}
#endif

#if !defined(LINT_OFFSETS) && !defined(LINT_SELECT)
#ifdef LINT_FOREST
static inline CLP_A clp_input(ulong i) {
    return (CLP_A)(1, 0);
}
#else
static inline CLP_A clp_input(CLP_E x, ulong i) {
    return (CLP_A)x;
}
#endif
static inline CLP_A clp_op(CLP_A a, CLP_A b) {
    return (a + b);
}
#endif

#ifdef LINT_LIST /* src/list.c */
#define CLP_LINK int
#define CLP_INDEX uint
#define CLP_PAIR uint2
#define CLP_LEVELS 8
#define CLP_WALKS 4
#define CLP_LAST 64
#define CLP_LAST_GROUP 4
#define CLP_EACH_LAST_ROUND(step) step(0) step(1)
#define CLP_LINK_BYTES 4
#define CLP_PLACE_BITS 9
#define CLP_ROWS 4
#define CLP_SORT_GROUP 4
#define CLP_EACH_SORT_ROUND(step) step(0) step(1)
#define CLP_BUCKETS 16
#define CLP_RESULT_WINDOW 250
#define CLP_PLACE_GROUP 4
#endif

#if defined(LINT_LISTSCAN) || defined(LINT_FOREST) /* src/listscan_plan.c */
#define CLP_LINK int
#define CLP_INDEX uint
#define CLP_LEVELS 8
#define CLP_BUCKETS 16
#define CLP_WALKS 1
#define CLP_BATCH 4
#define CLP_CHUNK 64
#define CLP_HELD 2
#endif
#ifdef LINT_LISTSCAN
#define CLP_FOREST 0
#define CLP_START(head) start
#endif
#ifdef LINT_FOREST
#define CLP_FOREST 1
#define CLP_START(head) (CLP_A)((CLP_LINK)0, (CLP_LINK)(head))
#endif

#ifdef LINT_MINPLUS
/* src/minplus_text.c */
#define CLP_T int
#define CLP_T4 int4
#define CLP_W int
#define CLP_NO_EDGE as_int((uint)0x3ffffffful)
#define CLP_REACH ((CLP_T)(536870912L))
#define CLP_SHIFTED 1
#define CLP_MIRRORED 0
#define CLP_HAS_NO_EDGE 1
#define CLP_BITS 0
#define CLP_COLUMNS 4
#define CLP_DEPTH 8
#define CLP_ACCUMULATE 1
#define CLP_ARGMIN 1
#define CLP_FOLLOWS 1
#define CLP_KEEPS 1
#define CLP_LANES 1
#define CLP_BLOCKS 2
#define CLP_BEST_LANE int
#define CLP_BEST int
#define CLP_HIGH 8
#define CLP_WIDE 8
#define CLP_PAIRS 1
#define CLP_STATES_GROUP 1
#define CLP_BARRIERS_IN_LOOPS 1
#define CLP_KEEPS_POINTERS 1
#define CLP_UNROLL_ONES _Pragma("unroll 2")
#define CLP_LEFT_CHUNKS 1
#define CLP_RIGHT_CHUNKS 1
#define CLP_EACH_LEFT_CHUNK(step) step(0)
#define CLP_EACH_RIGHT_CHUNK(step) step(0)
#define CLP_EACH_ROW_CHUNK(step) step(0)
#define CLP_EACH_COLUMN_CHUNK(step) step(0)
#define CLP_EACH_ROW_AND_CHUNK(step) step(0, 0) step(1, 0)
#define CLP_EACH_CELL(step) step(0, 0) step(0, 1) step(1, 0) step(1, 1)
#define CLP_BLOCK 64
#define CLP_PREDECESSORS 1
#define CLP_IS_BETTER(x, than) ((x) < (than))
static inline CLP_W clp_extend(CLP_W a, CLP_W b) {
    return (a + b);
}
static inline CLP_W clp_combine(CLP_W a, CLP_W b) {
    return (min(a, b));
}
#endif
