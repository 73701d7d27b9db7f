/* SPDX-License-Identifier: MIT */
/*
 * Checks of what host code and kernels have agreed on, above all of counts by which arrays are
 * indexed. Only tests turn them on, by src/core/test_hooks.h; else they are no code at all.
 */

/* A failed assertion stores to the address that is the number of its line. No device maps it: PoCL
 * ends with a segmentation fault at this address, which the tests' harness tells as a line;
 * Oclgrind names address and kernel; a GPU's driver reports a fault and gives the context up. */
#if CLP_CHECKED
#define CLP_ASSERT(condition)                                                                      \
    do {                                                                                           \
        if (!(condition)) *(volatile global uchar *)(size_t)__LINE__ = 0;                          \
    } while (0)
#else
#define CLP_ASSERT(condition)
#endif
