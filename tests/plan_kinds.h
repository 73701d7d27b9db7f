/* SPDX-License-Identifier: MIT */
/* A plan of every kind, each made and destroyed, for whatever is to be seen of them all. */
#ifndef TESTS_PLAN_KINDS_H
#define TESTS_PLAN_KINDS_H

#include <clprims/clprims.h>
#include <stdbool.h>

typedef struct plan_visitor {
    /* The context in which the plan of that name, "scan.words.auto", is made next; NULL: it is not.
     */
    clprims_context *(*before)(const char *name);
    void (*after)(clprims_status status); /* the plan was made, and is destroyed next */
    bool looks_ahead; /* else a look-ahead may be refused */
} plan_visitor;

void plan_kinds(const plan_visitor *visitor);

#endif
