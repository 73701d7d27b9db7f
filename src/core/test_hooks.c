/* SPDX-License-Identifier: MIT */
/* The calling thread's hooks for tests. */
#include "core/test_hooks.h"

static _Thread_local clp_test_hooks current;

void clp_test_hooks_set(const clp_test_hooks *hooks) {
    current = hooks != NULL ? *hooks : (clp_test_hooks){0};
}

const clp_test_hooks *clp_test_hooks_get(void) {
    return &current;
}
