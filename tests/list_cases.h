/* SPDX-License-Identifier: MIT */
/* What the tests of list ranking share: orders, settings, plain-C twins, and one checked run. */
#ifndef TESTS_LIST_CASES_H
#define TESTS_LIST_CASES_H

#include "harness.h"

/* A way to rank: the tuning text gives CPUs the paths of a GPU, and tiny lists many levels. */
typedef struct list_setting {
    const char *name;
    const char *tuning;
    clprims_list_algorithm algorithm;
    clprims_list_result result;
} list_setting;

enum { LIST_SETTINGS = 11, LIST_ONE_SUBLIST = 4 };
extern const list_setting list_settings[LIST_SETTINGS];

/* Of list scans and forests: walks that are given up after one mean length, so that each is made
 * again, and after 32. */
enum { LIST_PATIENCES = 2 };
extern const list_setting list_patiences[LIST_PATIENCES];

clprims_list *list_create(clprims_type link, const list_setting *setting, size_t max_n);

/* The same plan as long as it is asked for; the last one is kept. list_plan_forget ends it. */
clprims_list *list_plan(clprims_type link, const list_setting *setting, size_t max_n);
void list_plan_forget(void);

/* ---- Orders: which element comes first, second, ... ---- */

typedef struct list_order {
    const char *name;
    void (*fill)(int64_t *order, size_t n);
} list_order;

enum { LIST_ORDERS = 23 };
extern const list_order list_orders[LIST_ORDERS];

void list_random(int64_t *order, size_t n);
void list_hash_ascending(int64_t *order, size_t n);

/* The links of the list that visits the elements in this order. */
void list_link(const int64_t *order, int64_t *next, size_t n);

/* ---- Lists that are none ---- */

/* Spoils the list that visits `order`; *head is its first element and may be changed. */
typedef void list_spoil(const int64_t *order, int64_t *next, size_t n, int64_t *head);

typedef struct list_spoiled {
    const char *name;
    list_spoil *spoil;
    bool against; /* the order is that of the hash */
    clprims_list_fault given;
    clprims_list_fault found; /* when head is not given */
} list_spoiled;

enum { LIST_SPOILS = 25 };
extern const list_spoiled list_spoils[LIST_SPOILS];

/* Makes a list in the order that suits, spoils it so, and returns the head that goes with it. */
int64_t list_spoiled_links(const list_spoiled *what, int64_t *order, int64_t *next, size_t n);

/* Links of that type which no list of n elements has; returns how many there are. */
enum { LIST_ILLEGAL = 8 };
size_t list_illegal(clprims_type link, size_t n, int64_t illegal[LIST_ILLEGAL]);

/* Changes one to ten links; exchanges of two links keep successors apart and give cycles and other
 * heads. Odd links are drawn for the link type. */
void list_mutate(clprims_type link, int64_t *next, size_t n);

/* Makes a random list, mutates it, and returns a head to look for, given or to be found. */
int64_t list_mutated(clprims_type link, int64_t *order, int64_t *next, size_t n);

/* ---- One run ---- */

/* The same numbers as elements of the link type; free them. */
void *list_narrow(clprims_type link, const int64_t *values, size_t n);

/* head: as it was given, for the message. */
void list_expect_report(clprims_list_report expected, clprims_list_report actual, int64_t head,
                        size_t n);

/* Two runs on a queue out of order, and the copies around them, are held together by events alone.
 * submit: ranks LIST_CHAINED int32 links, with the head to be found. */
enum { LIST_CHAINED = 6000 };
typedef clprims_status list_submit(void *plan, cl_command_queue queue, clprims_buffer next,
                                   clprims_buffer rank, const cl_event *after, cl_event *done);
void list_expect_chained(list_submit *submit, void *plan);

typedef struct list_case {
    clprims_list *plan;
    clprims_type link;
    const int64_t *next;
    int64_t head; /* as it is given to enqueue */
    size_t n;
    size_t next_first;
    size_t rank_first;
    size_t report_first;
    clprims_list_result result;
} list_case;

/* What a run must report, found by plain serial C, which uses next, head and n alone. */
clprims_list_report list_expected(const list_case *c);

/* Runs the case, and fails it unless report and, of a valid list, results are right. */
clprims_list_report list_expect(const list_case *c);

/* ---- Cases ---- */

void list_add_malformed(test_cases *cases);
void list_add_calls(test_cases *cases);
void list_add_large(test_cases *cases);
void list_add_second(test_cases *cases);
void list_add_watched(test_cases *cases);

#endif
