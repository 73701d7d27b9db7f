/* SPDX-License-Identifier: MIT */
/* What the files of test_select share: a case of it, and its check beside the plain-C twin. */
#ifndef TESTS_SELECT_CASES_H
#define TESTS_SELECT_CASES_H

#include "passes.h"

/* Which elements are kept. */
typedef enum select_pattern {
    KEEP_ALL,
    KEEP_NONE,
    KEEP_FIRST,
    KEEP_LAST,
    KEEP_TILE_ENDS, /* every 16th, so the last of each tile of every way */
    KEEP_ALTERNATING,
    KEEP_RUNS, /* 1, 2, 4, 8 ... elements kept and rejected in turn */
    KEEP_RARELY,
    KEEP_HALF,
    KEEP_MOST,
    KEEP_BUT_FIRST, /* all but 40: whole tiles are kept and move a little */
    SELECT_PATTERNS
} select_pattern;

typedef struct select_case {
    clprims_select_desc desc;
    select_pattern pattern;
    size_t n;
    size_t in_first, out_first, flags_first;
    size_t apart; /* so far is each array's first from that of the one before */
    bool in_place;
    bool by_run;
    bool tight; /* room for the result exactly */
    size_t lacking; /* room that the result lacks, as far as there is that much */
    size_t spare; /* room beyond n */
    pass_turn turn; /* not of run() */
    bool endless; /* run() is told of more room than there can be */
} select_case;

/* A description of arrays of that type; texts fit every type. */
clprims_select_desc select_describe(clprims_select_by by, clprims_type type, size_t arrays,
                                    const pass_way *way);

/* Fails the running case unless this select_case gives what its twin gives. */
void select_is_right(const void *argument);

/* Adds the case under "select/BY/TYPE/PATTERN/n=N/WAY EXTRA". */
void select_add(test_cases *cases, const select_case *c, const char *way, const char *extra);

/* The plan of a description; the last one is kept for the next case of the same. */
clprims_select *select_plan(const clprims_select_desc *desc);
void select_forget_plan(void);

/* select_sweeps.c */
void add_sweep_cases(test_cases *cases);

/* select_refusals.c */
void add_refusal_cases(test_cases *cases);
void add_count_cases(test_cases *cases);

/* select_bounds.c */
void add_bound_cases(test_cases *cases);

/* select_compares.c */
void add_compare_cases(test_cases *cases, bool all);

/* select_large.c */
void add_large_cases(test_cases *cases);

#endif
