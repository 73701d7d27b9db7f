/* SPDX-License-Identifier: MIT */
/*
 * Fake OpenCL, for programs that are read and not run: devices of several kinds, on which every
 * build succeeds and every launch does nothing. The text of every program that is built is kept.
 */
#ifndef TESTS_FAKE_OPENCL_H
#define TESTS_FAKE_OPENCL_H

#include <stddef.h>
#include <stdio.h>

/* The devices by the library's numbers. Those with sub-groups get the layers that need them. */
typedef enum fake_kind {
    FAKE_NVIDIA, /* H200: compute capability 9.0 */
    FAKE_AMPERE, /* A100: 8.0 */
    FAKE_SUBGROUPS_GPU,
    FAKE_SUBGROUPS_CPU,
    FAKE_GPU,
    FAKE_CPU,
    FAKE_V100, /* 7.0 */
    FAKE_RTX_2080, /* 7.5 */
    FAKE_RTX_3090, /* 8.6 */
    FAKE_RTX_4090, /* 8.9 */
    FAKE_B200, /* 10.0 */
    FAKE_RTX_5090, /* 12.0 */
    FAKE_SMALL_GPU, /* groups of 128 work-items, 32 KB of local memory */
    FAKE_KINDS
} fake_kind;

/* NVIDIA's compute capability, 90 for 9.0; 0: not NVIDIA's. */
unsigned fake_capability(fake_kind kind);

/* Writes each program from now on to FOLDER/NAME[.2, .3, ...].cl, and behind its text a comment
 * with the options of the build. NULL: programs are not written. */
void fake_keep(const char *folder, const char *name);

/* How the driver refuses programs that contain the text, from now on; FAKE_TAKES: not at all. */
typedef enum fake_refusal {
    FAKE_TAKES,
    FAKE_NO_BUILD,
    FAKE_NO_KERNEL,
    FAKE_NO_LAUNCH,
    FAKE_WRONG_RESULT
} fake_refusal;
void fake_refuse(const char *text, fake_refusal how);

/* What the driver makes of each program. */
const char *fake_binary(size_t *bytes);

/* What the driver makes of programs' binaries from now on. */
typedef enum fake_binaries {
    FAKE_BINARIES, /* gives and takes them */
    FAKE_BINARIES_OF_TWO, /* the same, for another device before the context's own */
    FAKE_BINARIES_REFUSED, /* takes none */
    FAKE_BINARIES_NOT_BUILT, /* takes them, and fails to build them */
    FAKE_BINARIES_NONE, /* gives none: they have no bytes */
    FAKE_BINARIES_FAIL /* fails when asked for them */
} fake_binaries;
void fake_make_binaries(fake_binaries how);

/* The driver's version from now on. */
void fake_driver(const char *version);

/* Programs that were created since the last call of this function: from source, and from binaries.
 */
typedef struct fake_created {
    size_t from_source, from_binary;
} fake_created;
fake_created fake_count_created(void);

/* What work-groups see of each other from now on, by the bits of cl/device/probe_groups.cl. */
void fake_see(unsigned bits);

/* The width of the sub-groups that kernels have from now on; 0: the driver does not say. */
void fake_kernel_width(size_t width);

/* Work-items of a group, and compute units, of every device from now on; 0: the device's own. */
void fake_sizes(size_t group, unsigned units);

/* What devices with sub-groups say of themselves from now on, in place of their extensions; and the
 * width of their sub-groups. NULL: their own. */
void fake_subgroups(const char *extensions, unsigned width);

/* From now on devices have so much memory, of which a buffer may have the second number at most;
 * what is allocated is counted anew. */
void fake_memory(size_t bytes, size_t most);

/* Bytes of all buffers made since fake_memory. */
size_t fake_allocated(void);

/* The number of programs written since fake_keep. */
size_t fake_kept(void);

/* What is built and done from now on is printed there: preludes and names of files, kernels'
 * arguments, launches, and buffers with their bytes, which are numbered anew. NULL: nothing is. */
void fake_log(FILE *to);

#endif
