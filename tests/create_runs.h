/* SPDX-License-Identifier: MIT */
/* Runs that must find all they launch launched by create; see test_create.c. */
#ifndef TESTS_CREATE_RUNS_H
#define TESTS_CREATE_RUNS_H

#include "harness.h"

/* Adds the case create/launches-all/NAME. `run` creates plans of programs that no other case has,
 * says so by create_is_over, and runs them. */
void create_add_run(test_cases *cases, const char *name, test_function *run, const void *data);

/* From now on the running case may launch nothing new. */
void create_is_over(void);

/* create_minplus.c: the cases of min-plus products and closures. */
void create_add_minplus(test_cases *cases);

#endif
