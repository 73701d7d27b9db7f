/* SPDX-License-Identifier: MIT */
/*
 * An OpenCL of paper, for programs that are to be read and not run: devices of several kinds that
 * build and do nothing, but keep the text of every program that is built for them.
 */
#ifndef TESTS_FAKE_OPENCL_H
#define TESTS_FAKE_OPENCL_H

#include <stddef.h>

/* The library's numbers of the devices. Those with sub-groups get the layers that need them. */
typedef enum fake_kind {
    FAKE_NVIDIA, /* compute capability 9.0 */
    FAKE_AMPERE, /* 8.0 */
    FAKE_SUBGROUPS_GPU,
    FAKE_SUBGROUPS_CPU,
    FAKE_GPU,
    FAKE_CPU,
    FAKE_KINDS
} fake_kind;

/* From now on each program goes to FOLDER/NAME[.2, .3, ...].cl. NULL: programs are not kept. */
void fake_keep(const char *folder, const char *name);

/* How the driver refuses programs of that text from now on; FAKE_TAKES: it does not. */
typedef enum fake_refusal {
    FAKE_TAKES,
    FAKE_NO_BUILD,
    FAKE_NO_KERNEL,
    FAKE_NO_LAUNCH,
    FAKE_WRONG_RESULT
} fake_refusal;
void fake_refuse(const char *text, fake_refusal how);

/* How many were kept since fake_keep. */
size_t fake_kept(void);

#endif
