/* SPDX-License-Identifier: MIT */
/* What a primitive refuses, for the tests of each subject's own. */
#ifndef TESTS_SUBJECT_REFUSALS_H
#define TESTS_SUBJECT_REFUSALS_H

#include "subjects/runs/subject_buffers.h"

/* Descriptions that create refuses: a function with a row for each,
 *
 *     static void spoil(void *desc, subject_refusal *r) {
 *         clprims_scan_desc *d = desc;
 *         ILLEGAL("no-type", "type = 0", d->type = CLPRIMS_TYPE_DEFAULT)
 *         REFUSED("large", TOO_LARGE, "max_n = ", d->max_n = SIZE_MAX)
 *     }
 *
 * which changes a good description. */
typedef struct subject_refusal subject_refusal;
typedef void subject_spoil(void *desc, subject_refusal *r);

#define REFUSED(name, status, part, ...)                                                           \
    if (subject_refusal_is(r, name, CLPRIMS_ERR_##status, part)) {                                 \
        __VA_ARGS__;                                                                               \
    }
/* With CLPRIMS_ERR_ARGUMENT. */
#define ILLEGAL(name, part, ...) REFUSED(name, ARGUMENT, part, __VA_ARGS__)
bool subject_refusal_is(subject_refusal *r, const char *name, clprims_status status,
                        const char *part);
const subject *subject_refusal_of(const subject_refusal *r);

/* Adds a case `prefix`/NAME for each row. good: of the subject. */
void subject_add_refused(test_cases *cases, const subject *of, const void *good,
                         subject_spoil *spoil, const char *prefix);

/* A description that is given whole. */
void subject_is_refused(const subject *of, const void *desc, clprims_status status,
                        const char *part);

/* Pointers of create that are NULL. */
void subject_null_is_refused(const subject *of, const void *good);

/* What each function of a plan refuses whatever its primitive: pointers that are NULL, buffers that
 * are too small, numbers beyond the plan's. d: drawn for the plan. */
void subject_enqueue_refuses(const subject_data *d, void *plan);
void subject_run_refuses(const subject_data *d, void *plan);
void subject_others_refuse(const subject_data *d, void *plan); /* describe, check, set_parameter */

/* Runs of a plan whose parameter 0 has this name and was never set. */
void subject_unset_is_refused(const subject_data *like, void *plan, const char *name);

/* A plan whose input is an expression alone refuses an array. */
void subject_input_is_refused(const subject_data *like);

#endif
