/* SPDX-License-Identifier: MIT */
/*
 * An OpenCL of paper, for programs that are to be read and not run: devices of several kinds that
 * build and do nothing, but keep the text of every program that is built for them.
 */
#ifndef TESTS_PAPER_H
#define TESTS_PAPER_H

#include <stddef.h>

/* The library's numbers of the devices. Those with sub-groups get the layers that need them. */
typedef enum paper_kind {
    PAPER_NVIDIA, /* compute capability 9.0 */
    PAPER_AMPERE, /* 8.0 */
    PAPER_SUBGROUPS_GPU,
    PAPER_SUBGROUPS_CPU,
    PAPER_GPU,
    PAPER_CPU,
    PAPER_KINDS
} paper_kind;

/* From now on each program goes to FOLDER/NAME[.2, .3, ...].cl. NULL: programs are not kept. */
void paper_keep(const char *folder, const char *name);

/* How the driver refuses programs of that text from now on; PAPER_TAKES: it does not. */
typedef enum paper_refusal {
    PAPER_TAKES,
    PAPER_NO_BUILD,
    PAPER_NO_KERNEL,
    PAPER_NO_LAUNCH,
    PAPER_WRONG_RESULT
} paper_refusal;
void paper_refuse(const char *text, paper_refusal how);

/* How many were kept since paper_keep. */
size_t paper_kept(void);

#endif
