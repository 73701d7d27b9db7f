/* SPDX-License-Identifier: MIT */
/* Arguments that every enqueue refuses: malformed wait lists, and queues, events and buffers of
 * another context or device than the plan's. */
#include "core/core_cases.h"

#include <clprims/clprims.h>
#include <stdlib.h>
#include <string.h>

enum { N = 8, BYTES = 1024, MOST_BUFFERS = 5 };

/* One call of a primitive's enqueue. */
typedef struct submission {
    cl_command_queue queue;
    cl_mem mem[MOST_BUFFERS];
    cl_uint num_wait;
    const cl_event *wait;
} submission;

typedef struct primitive {
    const char *name;
    clprims_status (*create)(clprims_context *context, void **plan);
    clprims_status (*enqueue)(void *plan, const submission *s);
    void (*destroy)(void *plan);
    size_t buffers;
} primitive;

#define PRIMITIVE(prim, INIT, set)                                                                 \
    static clprims_status create_##prim(clprims_context *context, void **plan) {                   \
        clprims_##prim##_desc desc = INIT;                                                         \
        clprims_##prim *made = NULL;                                                               \
        set;                                                                                       \
        const clprims_status status = clprims_##prim##_create(&made, context, &desc);              \
        *plan = made;                                                                              \
        return status;                                                                             \
    }                                                                                              \
    static void destroy_##prim(void *plan) {                                                       \
        clprims_##prim##_destroy(plan);                                                            \
    }

PRIMITIVE(scan, CLPRIMS_SCAN_DESC_INIT, (desc.type = CLPRIMS_I32, desc.max_n = N))
PRIMITIVE(offsets, CLPRIMS_OFFSETS_DESC_INIT, (desc.type = CLPRIMS_I32, desc.max_n = N))
PRIMITIVE(select, CLPRIMS_SELECT_DESC_INIT,
          (desc.arrays = 1, desc.type[0] = CLPRIMS_I32, desc.max_n = N))
PRIMITIVE(reduce, CLPRIMS_REDUCE_DESC_INIT, (desc.type = CLPRIMS_I32, desc.max_n = N))
PRIMITIVE(segmented, CLPRIMS_SEGMENTED_DESC_INIT,
          (desc.type = CLPRIMS_I32, desc.max_n = desc.max_segments = N))
PRIMITIVE(sort, CLPRIMS_SORT_DESC_INIT, (desc.type = CLPRIMS_I32, desc.max_n = N))
PRIMITIVE(segmented_sort, CLPRIMS_SEGMENTED_SORT_DESC_INIT,
          (desc.type = CLPRIMS_I32, desc.max_n = desc.max_segments = N))
PRIMITIVE(topk, CLPRIMS_TOPK_DESC_INIT, (desc.type = CLPRIMS_I32, desc.max_n = desc.max_k = N))
PRIMITIVE(histogram, CLPRIMS_HISTOGRAM_DESC_INIT,
          (desc.type = CLPRIMS_I32, desc.bins = 4, desc.most = 8, desc.max_n = N))
PRIMITIVE(merge, CLPRIMS_MERGE_DESC_INIT, (desc.type = CLPRIMS_I32, desc.max_a = desc.max_b = N))
PRIMITIVE(search, CLPRIMS_SEARCH_DESC_INIT,
          (desc.type = CLPRIMS_I32, desc.max_sorted = desc.max_n = N))
PRIMITIVE(parents, CLPRIMS_PARENTS_DESC_INIT, desc.max_n = desc.max_segments = N)
PRIMITIVE(gather, CLPRIMS_GATHER_DESC_INIT, (desc.type = CLPRIMS_I32, desc.max_n = N))
PRIMITIVE(list, CLPRIMS_LIST_DESC_INIT, desc.max_n = N)
PRIMITIVE(listscan, CLPRIMS_LISTSCAN_DESC_INIT, (desc.type = CLPRIMS_I32, desc.max_n = N))
PRIMITIVE(forest, CLPRIMS_FOREST_DESC_INIT, desc.max_n = N)
PRIMITIVE(minplus, CLPRIMS_MINPLUS_DESC_INIT, desc.type = CLPRIMS_F32)
PRIMITIVE(paths, CLPRIMS_PATHS_DESC_INIT, (desc.max_n = N, desc.predecessors = 1))

#define AT(k) ((clprims_buffer){s->mem[k], 0})
#define MATRIX(k) ((clprims_matrix){s->mem[k], 0, N, 0})
#define TRIPLE s->num_wait, s->wait, NULL

static clprims_status enqueue_scan(void *plan, const submission *s) {
    return clprims_scan_enqueue(plan, s->queue, AT(0), AT(1), N, TRIPLE);
}
static clprims_status enqueue_offsets(void *plan, const submission *s) {
    return clprims_offsets_enqueue(plan, s->queue, AT(0), AT(1), AT(2), N, AT(3), TRIPLE);
}
static clprims_status enqueue_select(void *plan, const submission *s) {
    clprims_select_buffers buffers = CLPRIMS_SELECT_BUFFERS_INIT;
    buffers.in[0] = AT(0);
    buffers.out[0] = AT(1);
    buffers.flags = AT(2);
    buffers.count = AT(3);
    return clprims_select_enqueue(plan, s->queue, &buffers, N, N, TRIPLE);
}
static clprims_status enqueue_reduce(void *plan, const submission *s) {
    return clprims_reduce_enqueue(plan, s->queue, AT(0), AT(1), N, AT(2), TRIPLE);
}
static clprims_status enqueue_segmented(void *plan, const submission *s) {
    clprims_segmented_buffers buffers = CLPRIMS_SEGMENTED_BUFFERS_INIT;
    buffers.in = AT(0);
    buffers.heads = AT(1);
    buffers.out = AT(2);
    buffers.report = AT(3);
    return clprims_segmented_enqueue(plan, s->queue, &buffers, N, N, TRIPLE);
}
static clprims_status enqueue_sort(void *plan, const submission *s) {
    clprims_sort_buffers buffers = CLPRIMS_SORT_BUFFERS_INIT;
    buffers.keys_in = AT(0);
    buffers.keys_out = AT(1);
    return clprims_sort_enqueue(plan, s->queue, &buffers, N, TRIPLE);
}
static clprims_status enqueue_segmented_sort(void *plan, const submission *s) {
    clprims_segmented_sort_buffers buffers = CLPRIMS_SEGMENTED_SORT_BUFFERS_INIT;
    buffers.keys_in = AT(0);
    buffers.keys_out = AT(1);
    buffers.offsets = AT(2);
    return clprims_segmented_sort_enqueue(plan, s->queue, &buffers, N, 1, TRIPLE);
}
static clprims_status enqueue_topk(void *plan, const submission *s) {
    clprims_topk_buffers buffers = CLPRIMS_TOPK_BUFFERS_INIT;
    buffers.in = AT(0);
    buffers.values = AT(1);
    return clprims_topk_enqueue(plan, s->queue, &buffers, N, N, TRIPLE);
}
static clprims_status enqueue_histogram(void *plan, const submission *s) {
    const clprims_buffer none = {NULL, 0};
    return clprims_histogram_enqueue(plan, s->queue, AT(0), none, AT(1), N, AT(2), TRIPLE);
}
static clprims_status enqueue_merge(void *plan, const submission *s) {
    clprims_merge_buffers buffers = CLPRIMS_MERGE_BUFFERS_INIT;
    buffers.a = AT(0);
    buffers.b = AT(1);
    buffers.out = AT(2);
    return clprims_merge_enqueue(plan, s->queue, &buffers, N, N, TRIPLE);
}
static clprims_status enqueue_search(void *plan, const submission *s) {
    return clprims_search_enqueue(plan, s->queue, AT(0), N, AT(1), AT(2), N, TRIPLE);
}

static clprims_status enqueue_parents(void *plan, const submission *s) {
    const clprims_buffer none = {NULL, 0};
    return clprims_parents_enqueue(plan, s->queue, AT(0), AT(1), none, N, N, AT(2), TRIPLE);
}
static clprims_status enqueue_gather(void *plan, const submission *s) {
    return clprims_gather_enqueue(plan, s->queue, AT(0), AT(1), AT(2), N, N, AT(3), TRIPLE);
}
static clprims_status enqueue_list(void *plan, const submission *s) {
    return clprims_list_enqueue(plan, s->queue, AT(0), AT(1), 0, N, AT(2), TRIPLE);
}
static clprims_status enqueue_listscan(void *plan, const submission *s) {
    return clprims_listscan_enqueue(plan, s->queue, AT(0), AT(1), AT(2), 0, N, AT(3), TRIPLE);
}
static clprims_status enqueue_forest(void *plan, const submission *s) {
    clprims_forest_arrays arrays = CLPRIMS_FOREST_ARRAYS_INIT;
    arrays.next = AT(0);
    arrays.rank = AT(1);
    arrays.head = AT(2);
    arrays.heads = AT(3);
    arrays.num_heads = 1;
    return clprims_forest_enqueue(plan, s->queue, &arrays, N, AT(4), TRIPLE);
}
static clprims_status enqueue_minplus(void *plan, const submission *s) {
    const clprims_matrix none = {NULL, 0, 0, 0};
    const clprims_minplus_size size = {N, N, N, 1};
    return clprims_minplus_enqueue(plan, s->queue, MATRIX(0), MATRIX(1), MATRIX(2), none, size,
                                   TRIPLE);
}
static clprims_status enqueue_paths(void *plan, const submission *s) {
    return clprims_paths_enqueue(plan, s->queue, MATRIX(0), MATRIX(1), N, AT(2), TRIPLE);
}

#define ROW(prim, buffers)                                                                         \
    { #prim, create_##prim, enqueue_##prim, destroy_##prim, buffers }

static const primitive primitives[] = {
    ROW(scan, 2),   ROW(offsets, 4),        ROW(select, 4), ROW(reduce, 3),    ROW(segmented, 4),
    ROW(sort, 2),   ROW(segmented_sort, 3), ROW(topk, 2),   ROW(histogram, 3), ROW(merge, 3),
    ROW(search, 3), ROW(parents, 3),        ROW(gather, 4), ROW(list, 3),      ROW(listscan, 4),
    ROW(forest, 5), ROW(minplus, 3),        ROW(paths, 3)};

/* ---- Another context ---------------------------------------------------------------------------
 */

typedef struct foreign {
    cl_context context;
    cl_command_queue queue;
    cl_mem mem;
    cl_event event;
} foreign;

static foreign foreign_create(void) {
    const clprims_context_info info = test_info();
    cl_int code;
    foreign f;
    f.context = clCreateContext(NULL, 1, &info.device_id, NULL, NULL, &code);
    expect_cl(code);
    f.queue = clCreateCommandQueue(f.context, info.device_id, 0, &code);
    expect_cl(code);
    f.mem = clCreateBuffer(f.context, CL_MEM_READ_WRITE, BYTES, NULL, &code);
    expect_cl(code);
    expect_cl(clEnqueueMarkerWithWaitList(f.queue, 0, NULL, &f.event));
    expect_cl(clFinish(f.queue));
    return f;
}

static void foreign_release(const foreign *f) {
    expect_cl(clReleaseEvent(f->event));
    expect_cl(clReleaseMemObject(f->mem));
    expect_cl(clReleaseCommandQueue(f->queue));
    expect_cl(clReleaseContext(f->context));
}

/* Memory that no kernel is to misread: every list and graph in it is valid enough. */
static cl_mem create_own(void) {
    const cl_int ones = -1;
    cl_int code;
    cl_mem mem = clCreateBuffer(test_info().context, CL_MEM_READ_WRITE, BYTES, NULL, &code);
    expect_cl(code);
    expect_cl(clEnqueueFillBuffer(test_queue(), mem, &ones, sizeof ones, 0, BYTES, 0, NULL, NULL));
    return mem;
}

static void refuse_waits(const primitive *p, void *plan, submission s, cl_event ours,
                         cl_event theirs) {
    const cl_event with_null[] = {ours, NULL}, with_theirs[] = {ours, theirs};
    const clprims_status wrong = CLPRIMS_ERR_ARGUMENT;
    s.num_wait = 1;
    expect_failure(p->enqueue(plan, &s), wrong, "num_wait = 1, but wait is NULL");
    s.num_wait = 0;
    s.wait = &ours;
    expect_failure(p->enqueue(plan, &s), wrong, "num_wait = 0, but wait is not NULL");
    s.num_wait = 2;
    s.wait = with_null;
    expect_failure(p->enqueue(plan, &s), wrong, "wait[1] is NULL, with num_wait = 2");
    s.wait = with_theirs;
    expect_failure(p->enqueue(plan, &s), wrong, "wait[1] is of another context");
}

static void submissions(const void *data) {
    const primitive *p = data;
    const foreign other = foreign_create();
    submission s = {.queue = test_queue()};
    cl_event ours;
    void *plan = NULL;
    expect_ok(p->create(test_context(), &plan));
    for (size_t k = 0; k < p->buffers; k++) s.mem[k] = create_own();
    expect_cl(clEnqueueMarkerWithWaitList(s.queue, 0, NULL, &ours));
    refuse_waits(p, plan, s, ours, other.event);
    s.queue = other.queue;
    expect_failure(p->enqueue(plan, &s), CLPRIMS_ERR_ARGUMENT, "queue is of another context");
    s.queue = test_queue();
    for (size_t k = 0; k < p->buffers; k++) {
        const cl_mem own = s.mem[k];
        s.mem[k] = other.mem;
        expect_failure(p->enqueue(plan, &s), CLPRIMS_ERR_ARGUMENT, "mem is of another context");
        s.mem[k] = own;
    }
    s.num_wait = 1;
    s.wait = &ours;
    expect_ok(p->enqueue(plan, &s));
    expect_cl(clFinish(s.queue));
    expect_cl(clReleaseEvent(ours));
    for (size_t k = 0; k < p->buffers; k++) expect_cl(clReleaseMemObject(s.mem[k]));
    p->destroy(plan);
    foreign_release(&other);
}

/* ---- Another device of the same context --------------------------------------------------------
 */

static void queue_of_other_device(const void *data) {
    (void)data;
    clprims_context_options options = CLPRIMS_CONTEXT_OPTIONS_INIT;
    clprims_context *context = NULL;
    submission s = {.num_wait = 0};
    void *plan = NULL;
    cl_int code;
    cl_device_id devices[2] = {test_info().device_id, test_sub_device()};
    options.context = clCreateContext(NULL, 2, devices, NULL, NULL, &code);
    expect_cl(code);
    options.device_id = devices[0];
    expect_ok(clprims_context_create(&context, &options));
    s.queue = clCreateCommandQueue(options.context, devices[1], 0, &code);
    expect_cl(code);
    for (size_t i = 0; i < sizeof primitives / sizeof primitives[0]; i++) {
        if (primitives[i].create != create_scan && primitives[i].create != create_minplus) continue;
        expect_ok(primitives[i].create(context, &plan));
        expect_failure(primitives[i].enqueue(plan, &s), CLPRIMS_ERR_ARGUMENT,
                       "queue is of another device");
        primitives[i].destroy(plan);
    }
    expect_cl(clReleaseCommandQueue(s.queue));
    clprims_context_destroy(context);
    expect_cl(clReleaseContext(options.context));
    expect_cl(clReleaseDevice(devices[1]));
}

void core_add_submissions(test_cases *cases) {
    for (size_t i = 0; i < sizeof primitives / sizeof primitives[0]; i++)
        test_add(cases, submissions, &primitives[i], sizeof primitives[i], "core/submissions/%s",
                 primitives[i].name);
    test_add(cases, queue_of_other_device, NULL, 0, "core/submissions/other-device");
}
