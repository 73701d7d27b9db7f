/* SPDX-License-Identifier: MIT */
/* clprims parents: offsets in, the segment of each element out. clprims gather: the elements of one
 * .npy file in the order of another's indices. */
#include "cli/chosen_device.h"
#include "cli/commands/commands.h"
#include "cli/commands/offsets_input.h"
#include "cli/message.h"

#include <stdio.h>

static int load(const cli_device *device, npy_input *input, const char *what, cl_mem *mem) {
    const int status =
        device_allocate(device, what, input->n * clprims_type_bytes(input->type), mem);
    return status == EXIT_FINE ? device_load(device, input, *mem) : status;
}

static void remark_rate(const cli_device *device, const char *what, const char *variant,
                        double seconds, size_t bytes) {
    char rate[128];
    device_print_rate(rate, sizeof rate, seconds, bytes);
    remark("%s (%s) on %s (%s layer): %s", what, variant, device->info.device.name,
           clprims_layer_name(device->info.layer), rate);
}

/* ---- clprims parents ---- */

typedef struct parents_request {
    const char *local;
    const char *offsets;
    const char *out;
} parents_request;

typedef struct parents_job {
    clprims_parents *parents;
    clprims_buffer offsets;
    clprims_buffer numbers, indices; /* one of them has no memory */
    clprims_buffer report;
    size_t n;
    size_t segments;
} parents_job;

static clprims_status submit_parents(void *job, cl_command_queue queue, cl_event *event) {
    const parents_job *const p = job;
    return clprims_parents_enqueue(p->parents, queue, p->offsets, p->numbers, p->indices, p->n,
                                   p->segments, p->report, 0, NULL, event);
}

/* There are as many elements as the last offset says. */
static int find_elements(const cli_device *device, const npy_input *offsets, parents_job *job) {
    const size_t bytes = clprims_type_bytes(offsets->type), most = SIZE_MAX / 64;
    int64_t last = 0;
    int32_t narrow = 0;
    const int status =
        device_read_at(device, "the last offset", job->offsets.mem, job->segments * bytes, bytes,
                       bytes == 4 ? (void *)&narrow : (void *)&last);
    if (status != EXIT_FINE) return status;
    if (bytes == 4) last = narrow;
    if (last > 0 && (uint64_t)last > most)
        return complain(EXIT_DATA, "%s: the last offset, %lld, exceeds %zu", offsets->path,
                        (long long)last, most);
    job->n = last > 0 ? (size_t)last : 0;
    return EXIT_FINE;
}

/* Elements before the first offset have none. */
static int fill_outputs(const cli_device *device, cl_mem mem, size_t n) {
    const int64_t none = -1;
    return device_fill(device, "the output", mem, &none, sizeof none, n);
}

static int check_parents(const cli_device *device, const npy_input *offsets,
                         const parents_job *job) {
    clprims_parents_report report;
    const int status = device_read(device, "the report", job->report.mem, sizeof report, &report);
    if (status == EXIT_FINE && report.fault == CLPRIMS_PARENTS_OFFSETS)
        return offsets_complain(device, offsets, job->offsets.mem, report.index, job->n);
    return status == EXIT_FINE ? library_exit(clprims_parents_check(&report)) : status;
}

static int print_parents_stats(const cli_device *device, const npy_input *offsets,
                               const parents_job *job, double seconds) {
    char what[96];
    clprims_parents_info info = CLPRIMS_PARENTS_INFO_INIT;
    const int status =
        library_exit(clprims_parents_describe(job->parents, job->n, job->segments, &info));
    if (status != EXIT_FINE) return status;
    snprintf(what, sizeof what, "%zu elements of %zu segments", job->n, job->segments);
    remark_rate(device, what, info.variant, seconds,
                offsets->n * clprims_type_bytes(offsets->type) + job->n * sizeof(int64_t));
    return EXIT_FINE;
}

static int run_parents(const cli_device *device, npy_input *offsets, const parents_request *request,
                       bool stats, parents_job *job) {
    clprims_parents_desc desc = CLPRIMS_PARENTS_DESC_INIT;
    clprims_buffer *const out = request->local ? &job->indices : &job->numbers;
    double seconds = 0;
    job->segments = offsets->n - 1;
    int status = load(device, offsets, "the offsets", &job->offsets.mem);
    if (status == EXIT_FINE) status = find_elements(device, offsets, job);
    if (status == EXIT_FINE)
        status = device_allocate(device, "the outputs", job->n * sizeof(int64_t), &out->mem);
    if (status == EXIT_FINE) status = fill_outputs(device, out->mem, job->n);
    if (status == EXIT_FINE)
        status =
            device_allocate(device, "the report", sizeof(clprims_parents_report), &job->report.mem);
    desc.result = request->local ? CLPRIMS_PARENTS_LOCAL_INDEX : CLPRIMS_PARENTS_SEGMENT;
    desc.offsets_type = offsets->type;
    desc.max_n = job->n > 0 ? job->n : 1;
    desc.max_segments = job->segments;
    if (status == EXIT_FINE)
        status = library_exit(clprims_parents_create(&job->parents, device->context, &desc));
    if (status == EXIT_FINE)
        status = device_run(device, submit_parents, job, out->mem, stats ? &seconds : NULL);
    if (status == EXIT_FINE) status = check_parents(device, offsets, job);
    if (status == EXIT_FINE)
        status = device_store(device, out->mem, request->out, CLPRIMS_I64, job->n);
    if (status == EXIT_FINE && stats) status = print_parents_stats(device, offsets, job, seconds);
    return status;
}

int parents_command(int argc, char **argv) {
    parents_request request = {0};
    cli_settings common = {0};
    npy_input offsets = NPY_INPUT_INIT;
    cli_device device = {0};
    parents_job job = {0};
    int status = EXIT_FINE;
    const cli_option options[] = {
        {"--local", NULL, "write each element's index in its segment instead", OPTIONAL,
         &request.local},
        {"OFFSETS.npy", NULL, "where each segment begins, and the end of the last: int32 or int64",
         REQUIRED, &request.offsets},
        {"-o", "OUT.npy",
         "where the numbers go: int64, as many as the last offset says; -1 before the first",
         REQUIRED | OUTPUT, &request.out},
    };
    const cli_syntax syntax = {"parents",
                               "Writes the number of the segment that each element is in; segment\n"
                               "s goes from offsets[s] to offsets[s + 1].",
                               options, sizeof options / sizeof *options};
    if (!arguments_read(&syntax, &common, argc, argv, &status)) return status;
    status = npy_open(&offsets, request.offsets);
    if (status == EXIT_FINE) status = offsets_check_input(&offsets);
    if (status == EXIT_FINE) status = device_open(&device, &common);
    if (status == EXIT_FINE)
        status = run_parents(&device, &offsets, &request, common.stats != NULL, &job);
    DEVICE_FREE(job.offsets.mem, job.numbers.mem, job.indices.mem, job.report.mem);
    clprims_parents_destroy(job.parents);
    device_close(&device);
    npy_close(&offsets);
    return status;
}

/* ---- clprims gather ---- */

typedef struct gather_request {
    const char *index;
    const char *in;
    const char *out;
} gather_request;

typedef struct gather_job {
    clprims_gather *gather;
    clprims_buffer index, in, out;
    clprims_buffer report;
    size_t n;
    size_t length;
} gather_job;

static clprims_status submit_gather(void *job, cl_command_queue queue, cl_event *event) {
    const gather_job *const g = job;
    return clprims_gather_enqueue(g->gather, queue, g->index, g->in, g->out, g->n, g->length,
                                  g->report, 0, NULL, event);
}

static int check_gather(const cli_device *device, const gather_job *job) {
    clprims_gather_report report;
    const int status = device_read(device, "the report", job->report.mem, sizeof report, &report);
    return status == EXIT_FINE ? library_exit(clprims_gather_check(&report)) : status;
}

static int print_gather_stats(const cli_device *device, const npy_input *index,
                              const npy_input *input, const gather_job *job, double seconds) {
    char what[96];
    clprims_gather_info info = CLPRIMS_GATHER_INFO_INIT;
    const int status = library_exit(clprims_gather_describe(job->gather, job->n, &info));
    if (status != EXIT_FINE) return status;
    snprintf(what, sizeof what, "%zu of %zu elements of %s", job->n, job->length,
             npy_type_name(input));
    remark_rate(device, what, info.variant, seconds,
                job->n * (clprims_type_bytes(index->type) + 2 * clprims_type_bytes(input->type)));
    return EXIT_FINE;
}

static int run_gather(const cli_device *device, npy_input *index, npy_input *input,
                      const char *path, bool stats, gather_job *job) {
    clprims_gather_desc desc = CLPRIMS_GATHER_DESC_INIT;
    double seconds = 0;
    job->n = index->n;
    job->length = input->n;
    desc.type = input->type;
    desc.index_type = index->type;
    desc.max_n = job->n > 0 ? job->n : 1;
    int status = library_exit(clprims_gather_create(&job->gather, device->context, &desc));
    if (status == EXIT_FINE) status = load(device, index, "the indices", &job->index.mem);
    if (status == EXIT_FINE) status = load(device, input, "the input", &job->in.mem);
    if (status == EXIT_FINE)
        status = device_allocate(device, "the output", job->n * clprims_type_bytes(input->type),
                                 &job->out.mem);
    if (status == EXIT_FINE)
        status =
            device_allocate(device, "the report", sizeof(clprims_gather_report), &job->report.mem);
    if (status == EXIT_FINE)
        status = device_run(device, submit_gather, job, job->out.mem, stats ? &seconds : NULL);
    if (status == EXIT_FINE) status = check_gather(device, job);
    const device_result result = {.mem = job->out.mem,
                                  .path = path,
                                  .type = input->type,
                                  .dimensions = 1,
                                  .rows = job->n,
                                  .is_bool = input->is_bool};
    if (status == EXIT_FINE) status = device_store_all(device, &result, 1);
    if (status == EXIT_FINE && stats)
        status = print_gather_stats(device, index, input, job, seconds);
    return status;
}

static int check_indices(const npy_input *index) {
    if (index->type == CLPRIMS_I32 || index->type == CLPRIMS_I64 || index->type == CLPRIMS_U32)
        return EXIT_FINE;
    return complain(EXIT_USAGE, "%s: its elements are %s; indices are int32, int64 or uint32",
                    index->path, npy_type_name(index));
}

int gather_command(int argc, char **argv) {
    gather_request request = {0};
    cli_settings common = {0};
    npy_input index = NPY_INPUT_INIT, input = NPY_INPUT_INIT;
    cli_device device = {0};
    gather_job job = {0};
    int status = EXIT_FINE;
    const cli_option options[] = {
        {"INDEX.npy", NULL, "which elements are wanted: int32, int64 or uint32", REQUIRED,
         &request.index},
        {"IN.npy", NULL, "the elements, of any type", REQUIRED, &request.in},
        {"-o", "OUT.npy", "where the elements go, as many as indices", REQUIRED | OUTPUT,
         &request.out},
    };
    const cli_syntax syntax = {
        "gather",
        "Writes the elements of an array in the order of indices: element i\n"
        "of the output is IN[INDEX[i]]. Negative indices are refused.",
        options, sizeof options / sizeof *options};
    if (!arguments_read(&syntax, &common, argc, argv, &status)) return status;
    status = npy_open(&index, request.index);
    if (status == EXIT_FINE) status = check_indices(&index);
    if (status == EXIT_FINE) status = npy_open(&input, request.in);
    if (status == EXIT_FINE) status = device_open(&device, &common);
    if (status == EXIT_FINE)
        status = run_gather(&device, &index, &input, request.out, common.stats != NULL, &job);
    DEVICE_FREE(job.index.mem, job.in.mem, job.out.mem, job.report.mem);
    clprims_gather_destroy(job.gather);
    device_close(&device);
    npy_close(&index);
    npy_close(&input);
    return status;
}
