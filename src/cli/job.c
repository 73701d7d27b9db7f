/* SPDX-License-Identifier: MIT */
/* What every subcommand does with its files, its arrays and its plan. */
#include "cli/command.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

/* ---- Arrays ---- */

npy_input *job_open(cli_job *job, const char *option, npy_use use) {
    assert(job->num_inputs < INPUTS_MOST);
    npy_input *const input = &job->inputs[job->num_inputs++];
    const char *const path = job_text(job, option);
    *input = (npy_input)NPY_INPUT_INIT;
    if (path) JOB_TRY(job, npy_open(input, path, use));
    return input;
}

int job_options(const cli_job *job, clprims_context_options *options) {
    const int status = device_options(job_text(job, "--device"), job_text(job, "--layer"), options);
    if (status != EXIT_FINE || job_text(job, "--no-store")) return status;
    return device_store(job_text(job, "--store"), options);
}

void job_start(cli_job *job) {
    clprims_context_options options = {0};
    JOB_TRY(job, job_options(job, &options));
    JOB_TRY(job, device_open(&job->device, &options));
}

void job_allocate(cli_job *job, const char *what, size_t bytes, cl_mem *mem) {
    if (job->status != EXIT_FINE) return;
    assert(job->num_memory < MEMORY_MOST);
    job->status = device_allocate(&job->device, what, bytes, mem);
    job->memory[job->num_memory++] = *mem;
}

void job_load(cli_job *job, const char *what, npy_input *input, cl_mem *mem) {
    job_allocate(job, what, input->n * clprims_type_bytes(input->type), mem);
    JOB_TRY(job, device_load(&job->device, input, *mem, NULL));
}

void job_result(cli_job *job, const char *option, npy_array array, cl_mem mem) {
    const char *const path = job_text(job, option);
    if (!path) return;
    assert(job->num_results < OUTPUTS_MOST);
    job->results[job->num_results++] = (device_result){mem, path, array};
}

void job_output(cli_job *job, const char *what, const char *option, npy_array array, cl_mem *mem) {
    const size_t n = array.rows * array.columns, bytes = clprims_type_bytes(array.type);
    if (job->status != EXIT_FINE || !job_text(job, option)) return;
    if (n > SIZE_MAX / bytes)
        job->status = complain(EXIT_USAGE, "%zu elements of %s have more bytes than can be counted",
                               n, clprims_type_name(array.type));
    job_allocate(job, what, (n > 0 ? n : 1) * bytes, mem);
    job_result(job, option, array, *mem);
}

/* ---- Runs ---- */

void job_run(cli_job *job, device_submit submit, void *self) {
    JOB_TRY(job, device_run(&job->device, submit, self));
    if (job->stats) JOB_TRY(job, device_measure(&job->device, submit, self, &job->seconds));
}

void job_run_once(cli_job *job, device_submit submit, void *self) {
    JOB_TRY(job, job->stats ? device_measure(&job->device, submit, self, &job->seconds)
                            : device_run(&job->device, submit, self));
}

void job_run_reported(cli_job *job, device_submit submit, void *self, cl_mem *mem, void *report,
                      size_t bytes) {
    job_allocate(job, "the report", bytes, mem);
    job_run(job, submit, self);
    job_read(job, *mem, bytes, report);
}

void job_read(cli_job *job, cl_mem mem, size_t bytes, void *out) {
    JOB_TRY(job, device_read(&job->device, mem, 0, bytes, out));
}

void job_store(cli_job *job) {
    JOB_TRY(job, device_store_all(&job->device, job->results, job->num_results));
}

/* ---- Times ---- */

void job_print(const cli_job *job, cli_counted counted, size_t count, const char *format, ...) {
    const double rate = job->seconds > 0 ? (double)count / job->seconds * 1e-9 : 0;
    char what[512], bytes[64] = "";
    va_list arguments;
    if (job->status != EXIT_FINE || !job->stats) return;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (counted == CLI_BYTES) snprintf(bytes, sizeof bytes, " (%zu bytes read and written)", count);
    remark("%s on %s (%s layer): %.6g ms on the device, %.4g %s%s", what,
           job->device.info.device.name, clprims_layer_name(job->device.info.layer),
           job->seconds * 1e3, rate, counted == CLI_BYTES ? "GB/s" : "G pairs/s", bytes);
}

void job_close(cli_job *job) {
    device_free(job->memory, job->num_memory);
    device_close(&job->device);
    for (size_t i = 0; i < job->num_inputs; ++i) npy_close(&job->inputs[i]);
}
