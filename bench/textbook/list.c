/* SPDX-License-Identifier: MIT */
/* Seed 000's list ranking in its two forms: about 200 000 sublists, walked on the device, ranked by
 * a scan on the host. It takes the list to be random, and is correct for any. */
#include "harness/parallel.h"
#include "inputs/orders.h"
#include "textbook.h"
#include <stdlib.h>

enum { GROUP = 128, SUBLISTS = 200000, PACKED = 0, APART = 1 };

/* ---- The subject: int32 links of a random list ------------------------------------------------
 */

static void shape(textbook_problem *problem) {
    problem->in_bytes[0] = problem->out_bytes = problem->n * sizeof(int32_t);
    problem->in_bytes[1] = 0;
}

static void fill(textbook_problem *problem) {
    const order_shape order = order_shape_of(ORDER_RANDOM, problem->n);
    problem->head = order_link(&order, problem->host_in[0]);
}

typedef struct twin_job {
    order_shape order;
    int32_t *rank;
} twin_job;

static void rank_part(void *self, size_t begin, size_t end) {
    const twin_job *job = self;
    for (size_t i = begin; i < end; i++) job->rank[i] = (int32_t)order_rank(&job->order, i);
}

static void twin(const textbook_problem *problem, void *expected, uint64_t *report) {
    twin_job job = {order_shape_of(ORDER_RANDOM, problem->n), expected};
    (void)report;
    bench_parallel(problem->n, rank_part, &job);
}

static double bytes(const textbook_problem *problem) {
    return 2.0 * (double)problem->in_bytes[0];
}

static const textbook_subject subject = {"list", shape, fill, twin, bytes};

/* ---- On the CPU ------------------------------------------------------------------------------ */

static bool run_walk(void *state, const textbook_problem *problem, textbook_time *time) {
    const int32_t *next = problem->host_in[0];
    int32_t *rank = problem->host_out, position = 0;
    const double began = textbook_now();
    (void)state;
    for (int64_t i = problem->head; i >= 0; i = next[i]) rank[i] = position++;
    time->seconds = textbook_now() - began;
    return true;
}

/* ---- On the device, with a scan on the CPU ----------------------------------------------------
 */

typedef struct list_plan {
    textbook_device device;
    int form;
    cl_program program;
    cl_kernel copy, walk, add;
    cl_mem pairs, sublists;
    cl_int2 *host_sublists;
} list_plan;

static void destroy(void *state) {
    list_plan *plan = state;
    if (plan == NULL) return;
    textbook_release_kernel(plan->copy);
    textbook_release_kernel(plan->walk);
    textbook_release_kernel(plan->add);
    textbook_release_buffer(plan->pairs);
    textbook_release_buffer(plan->sublists);
    textbook_release(plan->program);
    free(plan->host_sublists);
    free(plan);
}

static bool create(void **state, const textbook_device *device, const textbook_problem *problem,
                   int number) {
    list_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL) return textbook_fail("no host memory for a plan");
    plan->device = *device;
    plan->form = number;
    plan->host_sublists = malloc((SUBLISTS + 1) * sizeof *plan->host_sublists);
    if (plan->host_sublists == NULL) textbook_fail("no host memory for sublists");
    if (plan->host_sublists != NULL && textbook_build(device, "list.cl", "", &plan->program) &&
        textbook_kernel(plan->program, "copy_links", &plan->copy) &&
        textbook_kernel(plan->program, number == PACKED ? "walk_packed" : "walk_apart",
                        &plan->walk) &&
        textbook_kernel(plan->program, "add_offsets", &plan->add) &&
        textbook_buffer(device, 2 * problem->in_bytes[0], &plan->pairs) &&
        textbook_buffer(device, (SUBLISTS + 1) * sizeof(cl_int2), &plan->sublists)) {
        *state = plan;
        return true;
    }
    destroy(plan);
    return false;
}

static size_t groups_of(size_t items) {
    return (items + GROUP - 1) / GROUP;
}

/* The elements below this one begin sublists, head does too. */
static cl_int own_of(const textbook_problem *problem) {
    const size_t most = problem->n < SUBLISTS ? problem->n : SUBLISTS;
    return (cl_int)most - 1;
}

static bool walk(list_plan *plan, const textbook_problem *problem, cl_event events[2]) {
    const cl_int head = (cl_int)problem->head, own = own_of(problem);
    const cl_int count = head < own ? own : own + 1;
    const cl_ulong n = problem->n;
    if (plan->form == APART) {
        return textbook_launch(&plan->device, plan->walk, groups_of((size_t)count), GROUP,
                               &events[1], TEXTBOOK_ARG(problem->in[0]), TEXTBOOK_ARG(plan->pairs),
                               TEXTBOOK_ARG(plan->sublists), TEXTBOOK_ARG(head), TEXTBOOK_ARG(own),
                               TEXTBOOK_ARG(count));
    }
    return textbook_launch(&plan->device, plan->copy, groups_of(problem->n), GROUP, &events[0],
                           TEXTBOOK_ARG(problem->in[0]), TEXTBOOK_ARG(plan->pairs),
                           TEXTBOOK_ARG(n)) &&
           textbook_launch(&plan->device, plan->walk, groups_of((size_t)count), GROUP, &events[1],
                           TEXTBOOK_ARG(plan->pairs), TEXTBOOK_ARG(plan->sublists),
                           TEXTBOOK_ARG(head), TEXTBOOK_ARG(own), TEXTBOOK_ARG(count));
}

/* Lengths become first ranks, from one sublist to the next. */
static bool scan_on_host(list_plan *plan, const textbook_problem *problem) {
    cl_int2 *sublists = plan->host_sublists;
    const cl_int own = own_of(problem);
    const size_t size = ((size_t)own + 1) * sizeof *sublists;
    cl_int rank = 0;
    if (!textbook_cl(clEnqueueReadBuffer(plan->device.queue, plan->sublists, CL_TRUE, 0, size,
                                         sublists, 0, NULL, NULL),
                     "reading sublists"))
        return false;
    cl_int id = problem->head < own ? (cl_int)problem->head : own;
    while (id >= 0) {
        const cl_int next = sublists[id].s[0], length = sublists[id].s[1];
        sublists[id].s[0] = rank;
        rank += length;
        id = next;
    }
    return textbook_cl(clEnqueueWriteBuffer(plan->device.queue, plan->sublists, CL_TRUE, 0, size,
                                            sublists, 0, NULL, NULL),
                       "writing sublists");
}

static void add_part(textbook_time *time, const char *name, double seconds) {
    time->parts[time->part_count].name = name;
    time->parts[time->part_count++].seconds = seconds;
}

static bool run(void *state, const textbook_problem *problem, textbook_time *time) {
    list_plan *plan = state;
    cl_event events[3] = {NULL, NULL, NULL};
    const cl_ulong n = problem->n;
    bool good = walk(plan, problem, events) && scan_on_host(plan, problem) &&
                textbook_launch(&plan->device, plan->add, groups_of(problem->n), GROUP, &events[2],
                                TEXTBOOK_ARG(plan->pairs), TEXTBOOK_ARG(plan->sublists),
                                TEXTBOOK_ARG(problem->out), TEXTBOOK_ARG(n)) &&
                textbook_cl(clWaitForEvents(1, &events[2]), "waiting for ranks");
    if (good) {
        const double copied = events[0] ? textbook_event_seconds(events[0], events[0]) : 0;
        const double walked = textbook_event_seconds(events[1], events[1]);
        const double added = textbook_event_seconds(events[2], events[2]);
        time->seconds = textbook_event_seconds(events[0] ? events[0] : events[1], events[2]);
        time->part_count = 0;
        if (events[0]) add_part(time, "copy", copied);
        add_part(time, "walk", walked);
        add_part(time, "scan on the CPU, with its copies", time->seconds - copied - walked - added);
        add_part(time, "add", added);
    }
    for (int k = 0; k < 3; k++)
        if (events[k] != NULL) clReleaseEvent(events[k]);
    return good;
}

/* ---- The library ----------------------------------------------------------------------------- */

typedef struct library_plan {
    textbook_device device;
    clprims_list *list;
} library_plan;

static void destroy_library(void *state) {
    library_plan *plan = state;
    if (plan == NULL) return;
    clprims_list_destroy(plan->list);
    free(plan);
}

static bool create_library(void **state, const textbook_device *device,
                           const textbook_problem *problem, int number) {
    clprims_list_desc desc = {0};
    library_plan *plan = calloc(1, sizeof *plan);
    (void)number;
    if (plan == NULL) return textbook_fail("no host memory for a plan");
    plan->device = *device;
    desc.max_n = problem->n;
    *state = plan;
    if (clprims_list_create(&plan->list, device->clprims, &desc) == CLPRIMS_OK) return true;
    textbook_fail("%s", clprims_last_error()->message);
    destroy_library(plan);
    *state = NULL;
    return false;
}

static bool submit_library(void *state, const textbook_problem *problem, cl_event *event) {
    const library_plan *plan = state;
    const clprims_buffer next = {problem->in[0], 0}, rank = {problem->out, 0};
    if (clprims_list_enqueue(
            plan->list, plan->device.queue,
            &(clprims_list_buffers){.next = next, .out = rank, .head = &problem->head}, problem->n,
            0, NULL, event) == CLPRIMS_OK)
        return true;
    return textbook_fail("%s", clprims_last_error()->message);
}

/* ---- The table ------------------------------------------------------------------------------- */

static const textbook_step steps[] = {
    {"CPU", 0, 10000000, true, NULL, NULL, run_walk, NULL},
    {"one packed array", PACKED, 0, false, create, NULL, run, destroy},
    {"separate arrays", APART, 0, false, create, NULL, run, destroy},
    {"clprims", 0, 0, false, create_library, submit_library, NULL, destroy_library},
};

static const textbook_variant variants[] = {{"random", 0}};

const textbook_table textbook_list = {
    .seed = "000",
    .title = "list ranking",
    .subject = &subject,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .steps = steps,
    .step_count = sizeof steps / sizeof *steps,
    .gpu = {10, 3, 8, 1, 0},
    .cpu = {10, 3, 6, 1, 0},
};
