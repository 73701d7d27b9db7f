/* SPDX-License-Identifier: MIT */
/* clprims_list_describe, and the kernels of a run as a watcher sees them. */
#include "fixtures/list/list_cases.h"

enum { N = 1000, MOST_KERNELS = 100, LEVELS_SETTING = 2 };

static void describes(void) {
    for (size_t s = 0; s < LIST_SETTINGS; s++) {
        clprims_list *plan = list_create(CLPRIMS_I32, &list_settings[s], N);
        for (size_t n = 1; n <= N; n += 37) {
            clprims_list_info info = {0};
            expect_ok(clprims_list_describe(plan, n, &info));
            assert_int_not_equal(info.algorithm, CLPRIMS_LIST_AUTO);
            assert_in_range(info.levels, 1, 64);
            assert_in_range(info.sublists, 1, n > 512 ? 2 * n : 1024);
        }
    }
}

typedef struct kernels {
    char names[MOST_KERNELS][64];
    cl_event last;
    size_t count;
} kernels;

static void note_kernel(void *user, cl_kernel kernel, cl_event event) {
    kernels *seen = user;
    cl_command_type type = 0;
    if (seen->count == MOST_KERNELS) test_fail("more than %d kernels", MOST_KERNELS);
    expect_cl(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof seen->names[0],
                              seen->names[seen->count++], NULL));
    expect_cl(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    assert_int_equal(type, CL_COMMAND_NDRANGE_KERNEL);
    seen->last = event;
}

static size_t count_of(const kernels *seen, const char *name) {
    size_t count = 0;
    for (size_t k = 0; k < seen->count; k++) count += strcmp(seen->names[k], name) == 0;
    return count;
}

/* A run has the kernels of its levels, on queues of both kinds, with and without an event; no
 * watcher is called after it is removed. */
static void watches(const void *data) {
    const bool out_of_order = *(const bool *)data;
    cl_command_queue queue = test_queue_create(out_of_order);
    clprims_list *plan = list_create(CLPRIMS_I32, &list_settings[LEVELS_SETTING], N);
    clprims_list_info info = {0};
    int32_t next[N], rank[N];
    for (int32_t i = 0; i < N; i++) next[i] = i - 1;
    test_buffer links = test_buffer_create(next, N, 4, 0),
                ranks = test_buffer_create(NULL, N, 4, 0);
    expect_ok(clprims_list_describe(plan, N, &info));
    assert_in_range(info.levels, 3, 64);
    for (int round = 0; round < 3; round++) {
        kernels seen = {.count = 0};
        cl_event event = NULL;
        const bool watched = round < 2, wanted = round != 1;
        clprims_watch(watched ? note_kernel : NULL, watched ? &seen : NULL);
        expect_ok(clprims_list_enqueue(plan, queue,
                                       &(clprims_list_buffers){.next = links.at,
                                                               .out = ranks.at,
                                                               .head = &(const int64_t){N - 1}},
                                       N, 0, NULL, wanted ? &event : NULL));
        clprims_watch(NULL, NULL);
        expect_cl(clFinish(queue));
        assert_int_equal(count_of(&seen, "clp_list_last"), watched);
        assert_int_equal(count_of(&seen, "clp_list_up_sweep"), watched ? info.levels - 2 : 0);
        assert_int_equal(count_of(&seen, "clp_list_down_sweep"), watched ? info.levels - 2 : 0);
        assert_int_equal(count_of(&seen, "clp_list_expand"), watched);
        if (round == 0) assert_ptr_equal(seen.last, event);
        if (wanted) expect_cl(clReleaseEvent(event));
    }
    test_buffer_read(&ranks, rank);
    for (int32_t i = 0; i < N; i++) assert_int_equal(rank[i], N - 1 - i);
}

void list_add_watched(test_cases *cases) {
    static const bool orders[] = {false, true};
    test_add_plain(cases, describes, "list/describe");
    for (size_t k = 0; k < 2; k++) {
        test_add_row(cases, watches, orders[k], "list/watched/%s",
                     orders[k] ? "out-of-order" : "in-order");
    }
}
