/* SPDX-License-Identifier: MIT */
/* Malformed and adversarial lists, and the reports that a checker in plain C gives for them. */
#ifndef BENCH_LIST_SPOILED_H
#define BENCH_LIST_SPOILED_H

#include "inputs/list_data.h"

#define LIST_GOOD "good list"
#define LIST_ADVERSARIAL "adversarial list"

typedef struct list_case {
    const char *name;
    /* Corrupts a random list of at least eight elements; uses list->rank. */
    void (*spoil)(list_data *list);
} list_case;

/* The valid list comes first. */
extern const list_case list_cases[];
extern const size_t list_case_count;

/* The report that the library owes for list->next and list->head. */
clprims_list_report list_report_in_c(const list_data *list);

#endif
