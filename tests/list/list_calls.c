/* SPDX-License-Identifier: MIT */
/* The calls of list ranking: some are shared with list scan, some its own. */
#include "fixtures/list/list_interface.h"

static void spoil(void *desc, subject_refusal *r) {
    clprims_list_desc *d = desc;
    ILLEGAL("result", "result = 2", d->result = (clprims_list_result)2)
    ILLEGAL("algorithm", "algorithm = 4", d->algorithm = (clprims_list_algorithm)4)
    REFUSED("order-in-place", UNSUPPORTED, "order can't be written in place",
            d->result = CLPRIMS_LIST_ORDER, d->algorithm = CLPRIMS_LIST_IN_PLACE)
    REFUSED("no-room-in-place", TOO_LARGE, "max_n = 2147483647 leaves no room",
            d->max_n = INT32_MAX, d->algorithm = CLPRIMS_LIST_IN_PLACE)
    REFUSED("large-visit-log", TOO_LARGE, "max_n = 8589934592 exceeds 4294967294",
            d->max_n = (size_t)1 << 33, d->link = CLPRIMS_I64,
            d->algorithm = CLPRIMS_LIST_VISIT_LOG)
    REFUSED("few-buckets", TOO_LARGE, "more than BUCKETS = 2", d->max_n = 100000,
            d->algorithm = CLPRIMS_LIST_VISIT_LOG, d->tuning = "WINDOW=3 SORT_GROUP=1 BUCKETS=2")
    REFUSED("buckets-of-group", UNSUPPORTED, "BUCKETS = 2 is less than SORT_GROUP = 32",
            d->max_n = 100000, d->algorithm = CLPRIMS_LIST_VISIT_LOG,
            d->tuning = "SORT_GROUP=32 BUCKETS=2")
    REFUSED("coarse", UNSUPPORTED,
            "COARSE = 1 does not count max_n = 8589934592 elements in 32 bits; 2 is",
            d->max_n = (size_t)1 << 33, d->link = CLPRIMS_I64, d->tuning = "COARSE=1")
}

/* A malformed list, whose message names int64 links, too; then a good one with the same plan. */
typedef struct run_case {
    const char *name;
    clprims_type link;
    clprims_list_result result;
    int64_t bad[5];
    const char *part;
    int64_t expected[5];
} run_case;

static void run_is_right(const void *data) {
    static const int64_t good[5] = {3, -1, 0, 1, 2};
    const run_case *c = data;
    const size_t bytes = clprims_type_bytes(c->link);
    const list_setting setting = {"", NULL, CLPRIMS_LIST_AUTO, c->result};
    clprims_list *plan = list_create(c->link, &setting, 5);
    test_array out = test_array_create(NULL, 5, bytes);
    void *links = list_narrow(c->link, good, 5), *bad = list_narrow(c->link, c->bad, 5);
    void *expected = list_narrow(c->link, c->expected, 5);
    expect_failure(
        clprims_list_run(plan, &(clprims_list_arrays){.next = bad, .out = out.values}, 5),
        CLPRIMS_ERR_DATA, c->part);
    expect_failure(clprims_list_run(
                       plan, &(clprims_list_arrays){.next = links, .head = &(const int64_t){4}}, 5),
                   CLPRIMS_ERR_ARGUMENT, " is NULL");
    test_array_expect_untouched(&out);
    expect_ok(clprims_list_run(plan, &(clprims_list_arrays){.next = links, .out = out.values}, 5));
    test_array_expect_guards(&out);
    expect_values(c->link, expected, out.values, 5);
}

static void messages(void) {
    static const list_message all[] = {
        {{CLPRIMS_LIST_LINK_RANGE, 5, 93, 0}, CLPRIMS_ERR_DATA, "list: next[5] = 93 is neither"},
        {{CLPRIMS_LIST_TWO_TAILS, 2, 7, 0},
         CLPRIMS_ERR_DATA,
         "list: next[2] and next[7] are both -1"},
        {{CLPRIMS_LIST_NO_TAIL, -1, -1, 0}, CLPRIMS_ERR_DATA, "list: no link is -1"},
        {{CLPRIMS_LIST_SAME_SUCCESSOR, 4, 17, 0},
         CLPRIMS_ERR_DATA,
         "list: next[4] is also next[17]: two elements have the same successor"},
        {{CLPRIMS_LIST_CYCLE, 4, -1, 9},
         CLPRIMS_ERR_DATA,
         "list: element 4 is on a cycle, which head = 9 does not reach"},
        {{CLPRIMS_LIST_HEAD, 4, 17, 4},
         CLPRIMS_ERR_DATA,
         "list: head = 4 is not the first element: next[17] names it"},
        {{CLPRIMS_LIST_INVALID, -1, -1, 4}, CLPRIMS_ERR_DATA, "list: "},
        {{99, -1, -1, 4}, CLPRIMS_ERR_ARGUMENT, "report.fault = 99"},
        {{-1, -1, -1, 4}, CLPRIMS_ERR_ARGUMENT, "report.fault = -1"},
    };
    list_expect_messages(clprims_list_check, all, sizeof all / sizeof all[0]);
}

void list_add_calls(test_cases *cases) {
    static const clprims_list_desc narrow = {.link = CLPRIMS_I32}, floats = {.link = CLPRIMS_F32},
                                   ten = {.link = CLPRIMS_I32, .max_n = 10};
    static const run_case runs[] = {{"int64",
                                     CLPRIMS_I64,
                                     CLPRIMS_LIST_RANKS,
                                     {3, -1, 3, 1, 2},
                                     "next[0] = 3 is also next[2]",
                                     {2, 4, 1, 3, 0}},
                                    {"order",
                                     CLPRIMS_I32,
                                     CLPRIMS_LIST_ORDER,
                                     {-1, -1, 0, 1, 2},
                                     "next[0] and next[1] are both -1",
                                     {4, 2, 0, 3, 1}}};
    const list_interface interface = {&subject_list, &narrow, &floats, 2, true, 1, 100000 * 12};
    list_interface_add(cases, &interface);
    subject_add_refused(cases, &subject_list, &ten, spoil, "list/create/refuses");
    test_add_rows(cases, run_is_right, runs, "list/run");
    test_add_plain(cases, messages, "list/check/messages");
}
