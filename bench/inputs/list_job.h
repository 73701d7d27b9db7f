/* SPDX-License-Identifier: MIT */
/* Ranking a list of int32 links that stands in host memory, as a job that can be timed. */
#ifndef BENCH_LIST_JOB_H
#define BENCH_LIST_JOB_H

#include "inputs/list_data.h"

typedef struct list_job {
    bench *b;
    clprims_list *list;
    cl_mem next, rank, report;
    int64_t head;
    size_t n;
    bool is_order; /* the result is the elements in the list's order, not their ranks */
    bool unasked; /* runs go without a report: nobody asks whether the list is one */
} list_job;

/* A plan and buffers for up to max_n elements; *job is to be destroyed whatever the status. */
clprims_status list_job_create(bench *b, size_t max_n, list_job *job);

/* The same for this result and algorithm; with the links in `next` unless that is NULL. */
clprims_status list_job_create_as(bench *b, size_t max_n, clprims_list_result result,
                                  clprims_list_algorithm algorithm, cl_mem next, list_job *job);
void list_job_destroy(list_job *job);

/* Ranks a list once: copies the links to the device, unless `next` is NULL and they are there
 * already, runs, and looks at the report. */
clprims_status list_job_run(list_job *job, const int32_t *next, size_t n, int64_t head);

/* Submits what ran before once more, as a bench_job does. */
clprims_status list_job_submit(void *job, cl_command_queue queue, cl_event *event);

/* Times the run again. */
clprims_status list_job_measure(list_job *job, bench_time *time);

/* Copies count results from the device. */
void list_job_read(const list_job *job, size_t first, size_t count, int32_t *rank);

/* Compares all results with the order that the list was given. */
bool list_job_verify(const list_job *job, const order_shape *shape, char *fault,
                     size_t fault_bytes);

/* Bytes that ranking n elements must move: each link read, each rank written. */
double list_job_bytes(size_t n);

#endif
