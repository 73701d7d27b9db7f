/* SPDX-License-Identifier: MIT */
/* What the files of test_create share. */
#ifndef TESTS_CREATE_RUNS_H
#define TESTS_CREATE_RUNS_H

#include "harness/harness.h"

/* Adds the case create/launches-all/NAME. `run` creates plans of programs that no other case has,
 * says so by create_is_over, and runs them. */
void create_add_run(test_cases *cases, const char *name, test_function *run, const void *data);

/* From now on the running case may launch nothing new. */
void create_is_over(void);

/* create_minplus.c: the cases of min-plus products and closures. */
void create_add_minplus(test_cases *cases);

/* create_blank.c: gives the context a blank buffer with a guard behind it, and lets it forget its
 * programs, so that every plan warms up. */
void create_guard_blank(clprims_context *context);

/* create_blank.c: after a plan was made: its warm-up has written nothing there, or, of a list, a
 * report. */
void create_expect_blank(const char *plan);

/* create_blank.c: the context has its own blank buffer again. */
void create_release_blank(void);

#endif
