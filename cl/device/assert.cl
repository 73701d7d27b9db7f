/* SPDX-License-Identifier: MIT */
/*
 * Assertions about what host code and kernels have agreed on, above all counts that index arrays.
 * Only tests turn them on, by src/core/test_hooks.h; otherwise they produce no code. And
 * CLP_INLINE, which stands here because every program begins with this file.
 */

/* For functions that take arrays of a work-item by pointer: an array stays in registers only
 * without a call. And for functions that take local memory and are called twice: PoCL miscompiles
 * them unless they are inlined. */
#define CLP_INLINE static inline __attribute__((always_inline))

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
