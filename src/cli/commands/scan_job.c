/* SPDX-License-Identifier: MIT */
/* A scan between two arrays of their own, so that a run can be repeated for its time. */
#include "cli/commands/scan_job.h"

#include "cli/message.h"

static size_t in_bytes(const scan_job *job) {
    return job->n * clprims_type_bytes(job->desc->type);
}

static size_t out_bytes(const scan_job *job) {
    return job->n * clprims_type_bytes(job->desc->accumulator);
}

int scan_job_allocate(const cli_device *device, scan_job *job, size_t n) {
    const clprims_type wide = job->desc->accumulator;
    if (n > SIZE_MAX / clprims_type_bytes(wide))
        return complain(EXIT_USAGE, "%zu elements of %s have more bytes than can be counted", n,
                        clprims_type_name(wide));
    job->n = n;
    const int status = device_allocate(device, "the input", in_bytes(job), &job->in.mem);
    if (status != EXIT_FINE) return status;
    return device_allocate(device, "the output", out_bytes(job), &job->out.mem);
}

static clprims_status submit(void *job, cl_command_queue queue, cl_event *event) {
    const scan_job *const scan = job;
    return clprims_scan_enqueue(scan->scan, queue, scan->in, scan->out, scan->n, 0, NULL, event);
}

int scan_job_run(const cli_device *device, scan_job *job, double *seconds) {
    return device_run(device, submit, job, job->out.mem, seconds);
}

int scan_job_print_stats(const cli_device *device, const scan_job *job, double seconds) {
    char rate[128];
    clprims_scan_info info = CLPRIMS_SCAN_INFO_INIT;
    const int status = library_exit(clprims_scan_describe(job->scan, job->n, &info));
    if (status != EXIT_FINE) return status;
    device_print_rate(rate, sizeof rate, seconds, in_bytes(job) + out_bytes(job));
    remark("%s of %zu %s to %s by %s (%s) on %s (%s layer): %s", clprims_op_name(job->desc->op),
           job->n, clprims_type_name(job->desc->type), clprims_type_name(job->desc->accumulator),
           clprims_algorithm_name(info.algorithm), info.variant, device->info.device.name,
           clprims_layer_name(device->info.layer), rate);
    return EXIT_FINE;
}

void scan_job_release(scan_job *job) {
    DEVICE_FREE(job->in.mem, job->out.mem);
    clprims_scan_destroy(job->scan);
    job->in.mem = NULL;
    job->out.mem = NULL;
    job->scan = NULL;
}
