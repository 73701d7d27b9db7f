/* SPDX-License-Identifier: MIT */
/*
 * What the host's preludes define, with one value each, so that clang can look at a program of
 * cl/ without the library. tests/tree.cmake sets the layer and what tells the programs apart.
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define CLP_ASK_SUBGROUP_WIDTH 0
#define CLP_COMPUTE_CAPABILITY 90
#define CLP_INT64_ATOMICS 1

/* src/scan_text.c */
#define CLP_A uint
#define CLP_A_BYTES 4
#define CLP_OUT uint
#define CLP_OUT_BYTES 4
#define CLP_STORED(value) (CLP_OUT)(value)
#define CLP_GUARD 0
#define CLP_IDENTITY as_uint((uint)0x0ul)
#define CLP_HAS_INPUT 1
#define CLP_HAS_START 1
#define CLP_INCLUSIVE 0
#define CLP_REPRODUCIBLE 0
#define CLP_ROWS 4
#define CLP_EACH_ROW(step) step(0) step(1) step(2) step(3)
#define CLP_VEC 4
#define CLP_WINDOW 1
#define CLP_SPINS 1000
#define CLP_MUTE 0
#define CLP_SCANNERS 4
#define CLP_REDUCERS 2
#define CLP_STAGES 2
#define CLP_UNITS 2
#define CLP_EACH_UNIT(step) step(0) step(1)
#define CLP_EACH_PAIR(step) step(0)
#define CLP_EACH_LOAD(step) step(0)
#define CLP_COMMUTATIVE 1
static inline CLP_A clp_input(CLP_E x, ulong i) {
    return (CLP_A)x;
}
static inline CLP_A clp_op(CLP_A a, CLP_A b) {
    return (a + b);
}

#ifdef LINT_LIST /* src/list.c */
#define CLP_LINK int
#define CLP_INDEX uint
#define CLP_PAIR uint2
#define CLP_LEVELS 8
#define CLP_WALKS 4
#define CLP_BATCH 4
#endif
