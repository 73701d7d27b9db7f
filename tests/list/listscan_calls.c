/* SPDX-License-Identifier: MIT */
/* The calls of list scan: some are shared with list ranking, some its own. */
#include "fixtures/list/list_interface.h"
#include "fixtures/list/listscan_cases.h"

static clprims_listscan_desc desc_of(size_t max_n) {
    clprims_listscan_desc desc = {.link = CLPRIMS_I32, .type = CLPRIMS_I32, .max_n = max_n};
    return desc;
}

static void spoil(void *desc, subject_refusal *r) {
    clprims_listscan_desc *d = desc;
    ILLEGAL("op", "op = 8", d->op = (clprims_op)8)
    ILLEGAL("no-first-output", "an exclusive scan by a custom operator needs its first output",
            d->op = CLPRIMS_CUSTOM, d->custom.op = "a + b")
    REFUSED("chunk", TOO_LARGE, "max_n = 1099511627776 takes", d->max_n = (size_t)1 << 40,
            d->link = CLPRIMS_I64, d->tuning = "CHUNK=40")
    REFUSED("coarse", UNSUPPORTED,
            "listscan: COARSE = 1 does not count max_n = ", d->max_n = (size_t)1 << 33,
            d->link = CLPRIMS_I64, d->tuning = "COARSE=1")
}

static const int32_t links[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, -1};
static const int32_t numbers[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
static const int32_t sums[10] = {0, 1, 3, 6, 10, 15, 21, 28, 36, 45};

static void refuses_values(void) {
    int32_t out[10];
    clprims_listscan_desc desc = desc_of(10);
    desc.no_input_array = 1;
    desc.input = "(int)i + 1";
    clprims_listscan *plan = listscan_create(&desc);
    test_buffer x = test_buffer_create(links, 10, 4, 0);
    expect_failure(clprims_listscan_enqueue(
                       plan, test_queue(),
                       &(clprims_listscan_buffers){
                           .next = x.at, .values = x.at, .out = x.at, .head = &(const int64_t){0}},
                       10, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "the plan has no input array");
    expect_failure(clprims_listscan_run(plan,
                                        &(clprims_listscan_arrays){.next = links,
                                                                   .values = numbers,
                                                                   .out = out,
                                                                   .head = &(const int64_t){0}},
                                        10),
                   CLPRIMS_ERR_ARGUMENT, "the plan has no input array");
    expect_ok(clprims_listscan_run(
        plan, &(clprims_listscan_arrays){.next = links, .out = out, .head = &(const int64_t){0}},
        10));
    assert_memory_equal(out, sums, sizeof sums);
}

/* The output may lie on the values or the links, in any way. */
static void onto_inputs(void) {
    int32_t out[10];
    const clprims_listscan_desc desc = desc_of(10);
    clprims_listscan *plan = listscan_create(&desc);
    for (size_t k = 0; k < 6; k++) {
        const bool onto_links = k % 2 == 1;
        test_buffer both = test_buffer_create(onto_links ? links : numbers, 10, 4, 1 + k / 2);
        test_buffer other = test_buffer_create(onto_links ? numbers : links, 10, 4, 0);
        const clprims_buffer out_at = {both.at.mem, 1};
        expect_ok(clprims_listscan_enqueue(
            plan, test_queue(),
            &(clprims_listscan_buffers){.next = onto_links ? both.at : other.at,
                                        .values = onto_links ? other.at : both.at,
                                        .out = out_at,
                                        .head = &(const int64_t){0}},
            10, 0, NULL, NULL));
        expect_cl(clEnqueueReadBuffer(test_queue(), both.at.mem, CL_TRUE, 4, sizeof out, out, 0,
                                      NULL, NULL));
        assert_memory_equal(out, sums, sizeof sums);
    }
}

/* The scan of ones, whose sums are the ranks. */
#define ONES(link_)                                                                                \
    { .type = CLPRIMS_I32, .link = link_, .input = "1", .no_input_array = 1 }

void listscan_add_calls(test_cases *cases) {
    static const clprims_listscan_desc narrow = ONES(CLPRIMS_I32), floats = ONES(CLPRIMS_F32),
                                       ten = {
                                           .link = CLPRIMS_I32, .type = CLPRIMS_I32, .max_n = 10};
    const list_interface interface = {&subject_listscan, &narrow, &floats, 3, true,
                                      100000 * 8,        SIZE_MAX};
    list_interface_add(cases, &interface);
    subject_add_refused(cases, &subject_listscan, &ten, spoil, "listscan/create/refuses");
    test_add_plain(cases, refuses_values, "listscan/enqueue/no-input-array");
    test_add_plain(cases, onto_inputs, "listscan/onto-inputs");
}
