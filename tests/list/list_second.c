/* SPDX-License-Identifier: MIT */
/* Lists that defeat the first seed of the hash: the walk is given up and repeated. With a retry
 * threshold of one mean length every list does, so that all results come from the second walk. */
#include "fixtures/list/list_cases.h"

#define SMALL                                                                                      \
    "GROUP=8 WALKS=1 LANES=64 WIDE=64 SUBLIST=12 SHORT=12 UPPER=8 SPLITTERS=1000000 LAST=64 "      \
    "LAST_GROUP=8 BATCH=2 FIXED=30 LEAST=1 ROWS=8 SORT_GROUP=32 BUCKETS=2048 WINDOW=60 "           \
    "WINDOW_GROUP=16 "

static const list_setting settings[] = {
    {"scattered", SMALL "RETRY=1", CLPRIMS_LIST_SCATTERED, CLPRIMS_LIST_RANKS},
    {"visit-log", SMALL "RETRY=1", CLPRIMS_LIST_VISIT_LOG, CLPRIMS_LIST_RANKS},
    {"visit-log-order", SMALL "RETRY=1", CLPRIMS_LIST_VISIT_LOG, CLPRIMS_LIST_ORDER},
    {"in-place", SMALL "RETRY=1", CLPRIMS_LIST_IN_PLACE, CLPRIMS_LIST_RANKS},
    {"scattered-retry-32", SMALL "RETRY=32", CLPRIMS_LIST_SCATTERED, CLPRIMS_LIST_RANKS},
    {"visit-log-retry-32", SMALL "RETRY=32", CLPRIMS_LIST_VISIT_LOG, CLPRIMS_LIST_RANKS},
    {"in-place-retry-32", SMALL "RETRY=32", CLPRIMS_LIST_IN_PLACE, CLPRIMS_LIST_RANKS},
};

static void run(const list_setting *setting,
                void expect(list_run *run, const void *like, size_t n)) {
    const size_t n = test_small() ? 300 : 20011;
    const list_case like = {.plan = list_create(CLPRIMS_I32, setting, n),
                            .link = CLPRIMS_I32,
                            .next_first = 1,
                            .rank_first = 2,
                            .result = setting->result};
    expect(list_run_ranks, &like, n);
}

static void ranks_again(const void *data) {
    run(data, list_expect_again);
}

static void reports_again(const void *data) {
    run(data, list_expect_faults_again);
}

void list_add_second(test_cases *cases) {
    for (size_t s = 0; s < sizeof settings / sizeof settings[0]; s++) {
        test_add_row(cases, ranks_again, settings[s], "list/second-seed/%s", settings[s].name);
        test_add_row(cases, reports_again, settings[s], "list/second-seed/%s/malformed",
                     settings[s].name);
    }
}
