/* SPDX-License-Identifier: MIT */
/* One scan on one device: the plan, its two arrays, and a run of it. For scan and for info. */
#ifndef CLI_SCAN_JOB_H
#define CLI_SCAN_JOB_H

#include "cli/chosen_device.h"

/* Start from {0}; desc stays the caller's and must outlive the job. */
typedef struct scan_job {
    const clprims_scan_desc *desc;
    clprims_scan *scan;
    clprims_buffer in;
    clprims_buffer out;
    size_t n;
} scan_job;

/* Allocates the arrays for n elements; job->desc and job->scan are set. */
int scan_job_allocate(const cli_device *device, scan_job *job, size_t n);

/* As device_run. */
int scan_job_run(const cli_device *device, scan_job *job, double *seconds);

/* The line that --stats asks for. */
int scan_job_print_stats(const cli_device *device, const scan_job *job, double seconds);

/* Gives back all that the job holds; fine in any state. */
void scan_job_release(scan_job *job);

#endif
