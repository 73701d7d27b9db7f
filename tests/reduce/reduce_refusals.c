/* SPDX-License-Identifier: MIT */
/* Bad input: each kind has its own status and a message with the values in it. */
#include "reduce/reduce_cases.h"
#include "subjects/runs/subject_refusals.h"

enum { N = 100 };

static const clprims_reduce_desc good = {.type = CLPRIMS_I32, .max_n = N};

/* ---- create ---- */

static void spoil(void *desc, subject_refusal *r) {
    clprims_reduce_desc *d = desc;
    REFUSED("element-of-a-result", BUILD, "result:1:", d->result = "r + x")
    REFUSED("scratch", TOO_LARGE, "exceeds", d->max_n = (size_t)1 << 58, d->tuning = "GROUP=1")
    REFUSED("groups", TOO_LARGE,
            "max_n = 288230376151711744 takes more than 2147483647 work-groups",
            d->max_n = (size_t)1 << 58, d->tuning = "GROUP=32")
    ILLEGAL("struct-by-argmin", "reduce: op = 8 (argmin) is not defined for structs",
            d->type = CLPRIMS_STRUCT, d->op = CLPRIMS_ARGMIN,
            d->custom.declarations = "typedef struct { int a; int b; } two;",
            d->custom.type_name = "two", d->custom.type_bytes = 8)
    ILLEGAL("group-too-small", "GROUP=16; it must be 1, or 32", d->tuning = "GROUP=16")
}

/* ---- enqueue and run ---- */

static void report_tells_the_number(void) {
    const clprims_reduce_report refused = {CLPRIMS_REDUCE_COUNT, -5};
    expect_failure(clprims_reduce_check(&refused), CLPRIMS_ERR_DATA,
                   "reduce: n = 18446744073709551611");
}

void add_refusal_cases(test_cases *cases) {
    test_add_plain(cases, report_tells_the_number, "reduce/refuses/report");
    subject_add_refused(cases, &subject_reduce, &good, spoil, "reduce/refuses/create");
}
