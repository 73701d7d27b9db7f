/* SPDX-License-Identifier: MIT */
/* Lists that are none, lists made to be hard, and what a checker in plain C says about them. */
#ifndef BENCH_LIST_SPOILED_H
#define BENCH_LIST_SPOILED_H

#include "inputs/list_data.h"

#define LIST_GOOD "good list"
#define LIST_AGAINST_HASH "against the hash"

typedef struct list_case {
    const char *name;
    /* Changes a random list, of at least eight elements; uses list->rank. */
    void (*spoil)(list_data *list);
} list_case;

/* The good list comes first. */
extern const list_case list_cases[];
extern const size_t list_case_count;

/* The report that the library owes for list->next and list->head. */
clprims_list_report list_report_in_c(const list_data *list);

#endif
