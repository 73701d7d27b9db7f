/* SPDX-License-Identifier: MIT */
/* List ranking: one plan and many n. */
#include "sizes/sizes.h"

#include "core/test_hooks.h"
#include "harness/crash.h"

#include <stdio.h>
#include <stdlib.h>

#define ROWS                                                                                       \
    "GROUP=8 WALKS=1 SUBLIST=12 SHORT=12 UPPER=8 LAST=64 LAST_GROUP=8 BATCH=2 RETRY=32 ROWS=8 "    \
    "SORT_GROUP=32 BUCKETS=128 WINDOW=60 WINDOW_GROUP=16 "

/* visit-log: one group, scattered, a log with one pass and with two: 200 windows of
 * 60 take two passes of 64 buckets at most, 65 to 128 windows would fit one pass of BUCKETS.
 * one-lane: columns are used up to the last one. in-place: one sublist is cut each 1024 elements.
 */
static const sizes_setting settings[] = {
    {{"visit-log", ROWS "LANES=64 WIDE=64 FIXED=60 LEAST=700", CLPRIMS_LIST_VISIT_LOG,
      CLPRIMS_LIST_RANKS},
     CLPRIMS_I32,
     12000,
     60,
     {64, 700, 3900, 2601, 5440, 7680, 7740}},
    {{"one-lane", ROWS "LANES=1 WIDE=1 FIXED=0 LEAST=1", CLPRIMS_LIST_VISIT_LOG,
      CLPRIMS_LIST_RANKS},
     CLPRIMS_I32,
     12000,
     60,
     {64, 5440, 7680}},
    {{"order", ROWS "LANES=5 WIDE=40 FIXED=30 LEAST=700", CLPRIMS_LIST_VISIT_LOG,
      CLPRIMS_LIST_ORDER},
     CLPRIMS_I32,
     7000,
     256,
     {64, 700}},
    {{"in-place", "GROUP=4 WALKS=1 LANES=32 WIDE=32 SPLITTERS=1 LAST=64 LAST_GROUP=16 RETRY=0",
      CLPRIMS_LIST_IN_PLACE, CLPRIMS_LIST_RANKS},
     CLPRIMS_I32,
     9300,
     1024,
     {64, 4095, 8191}},
    {{"levels",
      "GROUP=4 WALKS=3 LANES=64 WIDE=64 SUBLIST=2 SHORT=2 UPPER=2 LAST=5 LAST_GROUP=4 BATCH=1 "
      "FIXED=90 COARSE=3",
      CLPRIMS_LIST_SCATTERED, CLPRIMS_LIST_RANKS},
     CLPRIMS_I64,
     4300,
     5,
     {4, 5, 10}},
};

static char note[200];

static void expect_empty(clprims_list *plan) {
    const clprims_buffer none = {NULL, 0};
    const clprims_list_report expected = {CLPRIMS_LIST_VALID, -1, -1, -1};
    clprims_list_report report;
    test_buffer place = test_buffer_create(NULL, 1, sizeof report, 0);
    expect_ok(clprims_list_enqueue(plan, test_queue(), none, none, CLPRIMS_LIST_FIND_HEAD, 0,
                                   place.at, 0, NULL, NULL));
    test_buffer_read(&place, &report);
    list_expect_report(expected, report, CLPRIMS_LIST_FIND_HEAD, 0);
    test_buffer_release(&place);
}

/* Every fourth list is none. */
static void expect_one(clprims_list *plan, const sizes_setting *s, size_t n, bool good) {
    int64_t *order = test_alloc(n, sizeof *order), *next = test_alloc(n, sizeof *next);
    int64_t head = CLPRIMS_LIST_FIND_HEAD;
    if (good) {
        list_random(order, n);
        list_link(order, next, n);
        if (n % 2 == 0) head = order[0];
    } else {
        head = list_mutated(s->link, order, next, n);
    }
    const list_case c = {plan, s->link, next, head, n, n % 3, n % 4, n % 2, s->how.result};
    const int64_t fault = list_expect(&c).fault;
    if (good) assert_int_equal(fault, CLPRIMS_LIST_VALID);
    free(order);
    free(next);
}

static void ranks(const void *data) {
    const sizes_setting *s = data;
    size_t sizes[SIZES_ROOM];
    const size_t count = sizes_draw(s, sizes);
    clp_checked = true;
    crash_tell_assertions(note);
    clprims_list *plan = list_create(s->link, &s->how, s->max_n);
    for (size_t k = 0; k < count; k++) {
        snprintf(note, sizeof note, "max_n = %zu, n = %zu, %s", s->max_n, sizes[k], s->how.tuning);
        test_note("%s", note);
        if (sizes[k] == 0)
            expect_empty(plan);
        else
            expect_one(plan, s, sizes[k], k % 4 != 3);
    }
    clprims_list_destroy(plan);
}

/* The same with every max_n around the thresholds: plans of one program, whose scratch differs. */
static void every_max_n(const void *data) {
    const sizes_setting s = *(const sizes_setting *)data;
    clp_checked = true;
    crash_tell_assertions(note);
    for (size_t max_n = 1; max_n <= s.max_n; max_n = sizes_next(&s, max_n)) {
        clprims_list *plan = list_create(s.link, &s.how, max_n);
        for (size_t n = max_n; n > 0; n = n > max_n / 2 ? n / 2 : 0) {
            snprintf(note, sizeof note, "max_n = %zu, n = %zu, %s", max_n, n, s.how.tuning);
            test_note("%s", note);
            expect_one(plan, &s, n, max_n % 4 != 3);
        }
        for (size_t k = 0; k < SIZES_THRESHOLDS && s.thresholds[k] > 0; k++)
            if (s.thresholds[k] < max_n) expect_one(plan, &s, s.thresholds[k], true);
        clprims_list_destroy(plan);
    }
}

/* levels: one work-group of four up to LAST = 5, then levels of two nodes a sublist, of one more
 * behind each power of two. visit-log: from 40 elements on a log, with windows of 60, of which one
 * pass takes 8; in two passes it has at most 8 buckets, too, so that there are two programs.
 * in-place: a sublist is cut each 1024 elements. */
static const sizes_setting around[] = {
    {{"levels",
      "GROUP=4 WALKS=2 LANES=16 WIDE=16 SUBLIST=2 SHORT=2 UPPER=2 LAST=5 LAST_GROUP=4 "
      "BATCH=1 FIXED=40 RETRY=8",
      CLPRIMS_LIST_SCATTERED, CLPRIMS_LIST_RANKS},
     CLPRIMS_I32,
     600,
     37,
     {2, 4, 6, 9, 12, 17, 33, 65}},
    {{"visit-log",
      "GROUP=8 WALKS=1 LANES=16 WIDE=16 SUBLIST=6 SHORT=6 UPPER=4 LAST=8 LAST_GROUP=4 BATCH=2 "
      "FIXED=60 LEAST=40 ROWS=4 SORT_GROUP=8 BUCKETS=8 WINDOW=60 WINDOW_GROUP=16",
      CLPRIMS_LIST_VISIT_LOG, CLPRIMS_LIST_RANKS},
     CLPRIMS_I32,
     700,
     97,
     {8, 40, 60, 120, 240, 481, 540}},
    {{"in-place", "GROUP=4 WALKS=1 LANES=32 WIDE=32 SPLITTERS=1 LAST=64 LAST_GROUP=16 RETRY=0",
      CLPRIMS_LIST_IN_PLACE, CLPRIMS_LIST_RANKS},
     CLPRIMS_I32,
     3200,
     800,
     {64, 1024, 2048, 3072}},
};

void sizes_add_lists(test_cases *cases) {
    for (size_t k = 0; k < sizeof around / sizeof around[0]; k++)
        if (k == 0 || test_long())
            test_add(cases, every_max_n, &around[k], sizeof around[k], "sizes/list/%s/every-max_n",
                     around[k].how.name);
    for (size_t k = 0; k < sizeof settings / sizeof settings[0] - !test_long(); k++)
        test_add(cases, ranks, &settings[k], sizeof settings[k], "sizes/list/%s/max_n=%zu",
                 settings[k].how.name, settings[k].max_n);
}
