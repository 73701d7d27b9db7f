/* SPDX-License-Identifier: MIT */
/*
 * Assertions about what host code and kernels have agreed on, above all counts that index arrays.
 * Only tests turn them on, by src/core/test_hooks.h; otherwise they produce no code.
 */

/* A failed assertion stores to the address that equals its line's number. No device maps this
 * address. On PoCL the process ends with a segmentation fault there, and the tests' harness prints
 * the line. Oclgrind names the address and the kernel. A GPU's driver reports a fault and gives up
 * the context. A macro because __LINE__ must be the caller's. */
#if CLP_CHECKED
#define CLP_ASSERT(condition)                                                                      \
    do {                                                                                           \
        if (!(condition)) *(volatile global uchar *)(size_t)__LINE__ = 0;                          \
    } while (0)
#else
#define CLP_ASSERT(condition)
#endif
