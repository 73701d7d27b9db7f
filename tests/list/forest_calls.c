/* SPDX-License-Identifier: MIT */
/* The calls of a forest's ranking: wrong arguments and their messages, run, places, n = 0. */
#include "fixtures/list/forest_cases.h"
#include "fixtures/list/list_interface.h"

/* Two lists, 3 -> 0 -> 1 and 4 -> 2. */
static const int32_t links[5] = {1, -1, -1, 0, 2};
static const int32_t ranks[5] = {1, 2, 1, 0, 0};

static void heads_are_refused(void) {
    const clprims_status wrong = CLPRIMS_ERR_ARGUMENT;
    clprims_forest *plan = forest_create(&forest_settings[0], 5);
    test_buffer next = test_buffer_create(links, 5, 4, 0);
    test_buffer rank = test_buffer_create(NULL, 5, 4, 0), head = test_buffer_create(NULL, 5, 4, 0);
    const clprims_forest_buffers good = {.next = next.at, .rank = rank.at, .head = head.at};
    const clprims_forest_arrays no_heads = {.next = links, .sizes = {2}};
    clprims_forest_buffers a = good;
#define WRONG(part)                                                                                \
    expect_failure(clprims_forest_enqueue(plan, test_queue(), &a, 5, 0, NULL, NULL), wrong, part)
    a.sizes.heads = 2;
    WRONG("sizes.heads = 2, but heads is NULL");
    expect_failure(clprims_forest_run(plan, &no_heads, 5), wrong,
                   "sizes.heads = 2, but heads is NULL");
    a = good, a.heads = next.at, a.sizes.heads = 6;
    WRONG("sizes.heads = 6 exceeds n = 5");
#undef WRONG
    test_buffer_expect_unchanged(&rank, NULL);
    test_buffer_expect_unchanged(&head, NULL);
}

/* The ranks may take the place of the links. */
static void onto_links(void) {
    clprims_forest *plan = forest_create(&forest_settings[0], 5);
    test_buffer next = test_buffer_create(links, 5, 4, 1);
    const clprims_forest_buffers buffers = {.next = next.at, .rank = next.at};
    int32_t out[5];
    expect_ok(clprims_forest_enqueue(plan, test_queue(), &buffers, 5, 0, NULL, NULL));
    test_buffer_read(&next, out);
    assert_memory_equal(out, ranks, sizeof ranks);
    expect_ok(clprims_forest_run(plan, &(clprims_forest_arrays){.next = links}, 5));
}

static void messages(void) {
    static const list_message all[] = {
        {{CLPRIMS_LIST_LINK_RANGE, 5, 93, -1}, CLPRIMS_ERR_DATA, "forest: next[5] = 93 is neither"},
        {{CLPRIMS_LIST_SAME_SUCCESSOR, 4, 17, -1},
         CLPRIMS_ERR_DATA,
         "forest: next[4] is also next[17]"},
        {{CLPRIMS_LIST_CYCLE, 4, -1, -1}, CLPRIMS_ERR_DATA, "forest: element 4 is on a cycle"},
        {{CLPRIMS_LIST_HEAD, 4, 17, -1},
         CLPRIMS_ERR_DATA,
         "forest: element 4 is given as a head, but next[17]"},
        {{CLPRIMS_LIST_HEAD, 4, -1, -1},
         CLPRIMS_ERR_DATA,
         "forest: no link names element 4, but it is not given"},
        {{CLPRIMS_LIST_HEAD, -1, 60, -1},
         CLPRIMS_ERR_DATA,
         "forest: 60 is given as a head and is not in [0, n)"},
    };
    list_expect_messages(clprims_forest_check, all, sizeof all / sizeof all[0]);
}

void forest_add_calls(test_cases *cases) {
    static const clprims_forest_desc narrow = {.link = CLPRIMS_I32}, floats = {.link = CLPRIMS_F32};
    const list_interface interface = {&subject_forest, &narrow, &floats, 4, false, 1, SIZE_MAX};
    list_interface_add(cases, &interface);
    test_add_plain(cases, heads_are_refused, "forest/enqueue/refuses-heads");
    test_add_plain(cases, onto_links, "forest/onto-links");
    test_add_plain(cases, messages, "forest/check/messages");
}
