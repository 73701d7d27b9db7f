/* SPDX-License-Identifier: MIT */
/* clprims select, unique and partition: an array in; its wanted elements, heads of runs, or all of
 * it in another order, out. */
#include "cli/chosen_device.h"
#include "cli/commands/commands.h"
#include "cli/message.h"

#include <stdio.h>
#include <unistd.h>

typedef enum select_kind { SELECT, UNIQUE, PARTITION } select_kind;

typedef struct select_request {
    const char *flags;
    const char *where;
    const char *indices;
    const char *counts;
    const char *in;
    const char *out;
    bool count_aside; /* on standard error */
} select_request;

typedef struct select_job {
    clprims_select *select;
    clprims_select_buffers buffers;
    size_t n;
    size_t room; /* of the outputs: all elements for a partition, else what is kept */
    size_t kept;
} select_job;

static bool read_request(select_kind kind, select_request *request, cli_settings *common, int argc,
                         char **argv, int *exit_status) {
    static const char *const names[] = {"select", "unique", "partition"};
    static const char *const purposes[] = {
        "Takes the elements that are not 0, or those that an option asks for, in their order.",
        "Takes the first of each run of equal elements.",
        ("Puts the elements that are not 0, or those that an option asks for, first, then the\n"
         "others, each in their order, and prints how many come first: on standard error where "
         "the\n"
         "result goes to standard output.")};
    cli_option options[6];
    size_t count = 0;
    if (kind != UNIQUE) {
        options[count++] = (cli_option){"--flags", "F.npy",
                                        "take the elements whose flag, bool or uint8, is not 0",
                                        OPTIONAL, &request->flags};
        options[count++] = (cli_option){
            "--where", "TEXT", "take those for which this OpenCL C of x and the index i is true",
            OPTIONAL, &request->where};
    }
    if (kind == SELECT)
        options[count++] =
            (cli_option){"--indices", NULL, "give their indices, int64, in place of the elements",
                         OPTIONAL, &request->indices};
    if (kind == UNIQUE)
        options[count++] = (cli_option){"--counts", "C.npy", "where the runs' lengths go, int64",
                                        OUTPUT, &request->counts};
    options[count++] = (cli_option){
        "IN.npy", NULL, "one-dimensional array of bool, int8 to uint64, float32 or float64",
        REQUIRED, &request->in};
    options[count++] = (cli_option){"-o", "OUT.npy", "where the result goes; may be the input",
                                    REQUIRED | OUTPUT, &request->out};
    const cli_syntax syntax = {names[kind], purposes[kind], options, count};
    if (!arguments_read(&syntax, common, argc, argv, exit_status)) return false;
    if (request->flags && request->where)
        *exit_status = complain(EXIT_USAGE, "--flags and --where exclude each other");
    request->count_aside = kind == PARTITION && output_goes_to(request->out, STDOUT_FILENO);
    if (*exit_status == EXIT_FINE && request->count_aside)
        *exit_status = arguments_keep_apart(request->out);
    return *exit_status == EXIT_FINE;
}

static void describe(select_kind kind, const select_request *request, const npy_input *input,
                     clprims_select_desc *desc) {
    desc->by = kind == UNIQUE   ? CLPRIMS_SELECT_RUNS
               : request->flags ? CLPRIMS_SELECT_FLAGS
               : request->where ? CLPRIMS_SELECT_PREDICATE
                                : CLPRIMS_SELECT_NONZERO;
    desc->arrays = 1;
    desc->type[0] = input->type;
    desc->predicate = request->where;
    desc->no_values = request->indices != NULL;
    if (request->indices) desc->indices = CLPRIMS_I64;
    if (request->counts) desc->lengths = CLPRIMS_I64;
    desc->partition = kind == PARTITION;
    desc->max_n = input->n > 0 ? input->n : 1;
}

static int check_flags(const npy_input *flags, const npy_input *input) {
    if (flags->n == input->n) return EXIT_FINE;
    return complain(EXIT_USAGE, "%s: it has %zu flags for the %zu elements of %s", flags->path,
                    flags->n, input->n, input->path);
}

/* ---- The run ---- */

static int allocate_inputs(const cli_device *device, const clprims_select_desc *desc,
                           bool has_flags, select_job *job) {
    clprims_select_buffers *const b = &job->buffers;
    *b = (clprims_select_buffers)CLPRIMS_SELECT_BUFFERS_INIT;
    int status = device_allocate(device, "the input", job->n * clprims_type_bytes(desc->type[0]),
                                 &b->in[0].mem);
    if (status == EXIT_FINE && has_flags)
        status = device_allocate(device, "the flags", job->n, &b->flags.mem);
    if (status == EXIT_FINE)
        status = device_allocate(device, "the count", sizeof(cl_ulong), &b->count.mem);
    return status;
}

static int allocate_outputs(const cli_device *device, const clprims_select_desc *desc,
                            select_job *job) {
    clprims_select_buffers *const b = &job->buffers;
    const size_t numbers = job->room * sizeof(int64_t);
    int status = EXIT_FINE;
    if (!desc->no_values)
        status = device_allocate(device, "the output",
                                 job->room * clprims_type_bytes(desc->type[0]), &b->out[0].mem);
    if (status == EXIT_FINE && desc->indices != CLPRIMS_TYPE_DEFAULT)
        status = device_allocate(device, "the indices", numbers, &b->indices.mem);
    if (status == EXIT_FINE && desc->lengths != CLPRIMS_TYPE_DEFAULT)
        status = device_allocate(device, "the lengths", numbers, &b->lengths.mem);
    return status;
}

static clprims_status submit(void *job, cl_command_queue queue, cl_event *event) {
    const select_job *const s = job;
    return clprims_select_enqueue(s->select, queue, &s->buffers, s->n, s->room, 0, NULL, event);
}

static int read_count(const cli_device *device, select_job *job) {
    cl_ulong kept = 0;
    const int status = device_read(device, "the count", job->buffers.count.mem, sizeof kept, &kept);
    job->kept = (size_t)kept;
    return status;
}

static int store(const cli_device *device, const clprims_select_desc *desc,
                 const select_request *request, const npy_input *input, const select_job *job) {
    const clprims_select_buffers *const b = &job->buffers;
    const device_result indices = {b->indices.mem, request->out, CLPRIMS_I64, 1, job->kept, 1,
                                   false};
    const device_result values = {
        b->out[0].mem, request->out, desc->type[0], 1, desc->partition ? job->n : job->kept, 1,
        input->is_bool};
    const device_result lengths = {b->lengths.mem, request->counts, CLPRIMS_I64, 1, job->kept, 1,
                                   false};
    const device_result results[] = {request->indices ? indices : values, lengths};
    return device_store_all(device, results, request->counts ? 2 : 1);
}

/* The bytes that must move: what decides, the flags, and what is written. A partition looks at what
 * decides twice, which is its own affair. */
static int print_stats(const cli_device *device, const clprims_select_desc *desc,
                       const select_job *job, double seconds) {
    clprims_select_info info = CLPRIMS_SELECT_INFO_INIT;
    const int status = library_exit(clprims_select_describe(job->select, job->n, &info));
    if (status != EXIT_FINE) return status;
    const size_t element = clprims_type_bytes(desc->type[0]);
    const bool has_flags = job->buffers.flags.mem != NULL;
    const size_t read = (has_flags ? 1 : 0) + (has_flags && desc->no_values ? 0 : element);
    const size_t written = (desc->no_values ? 0 : element) + clprims_type_bytes(desc->indices) +
                           clprims_type_bytes(desc->lengths);
    char rate[128];
    device_print_rate(rate, sizeof rate, seconds,
                      job->n * read + (desc->partition ? job->n : job->kept) * written);
    remark("%zu of %zu %s by %s (%s) on %s (%s layer): %s", job->kept, job->n,
           clprims_type_name(desc->type[0]), clprims_algorithm_name(info.algorithm), info.variant,
           device->info.device.name, clprims_layer_name(device->info.layer), rate);
    return EXIT_FINE;
}

/* A run without room for outputs says how many elements need room. */
static int find_room(const cli_device *device, const clprims_select_desc *desc, select_job *job) {
    int status = EXIT_FINE;
    if (!desc->partition) status = device_run(device, submit, job, job->buffers.count.mem, NULL);
    if (!desc->partition && status == EXIT_FINE) status = read_count(device, job);
    job->room = desc->partition ? job->n : job->kept;
    return status;
}

static int run_plan(const cli_device *device, const clprims_select_desc *desc, npy_input *input,
                    npy_input *flags, bool stats, double *seconds, select_job *job) {
    job->n = input->n;
    int status = allocate_inputs(device, desc, flags->path != NULL, job);
    if (status == EXIT_FINE) status = device_load(device, input, job->buffers.in[0].mem);
    if (status == EXIT_FINE && flags->path)
        status = device_load(device, flags, job->buffers.flags.mem);
    if (status == EXIT_FINE) status = find_room(device, desc, job);
    if (status == EXIT_FINE) status = allocate_outputs(device, desc, job);
    if (status == EXIT_FINE)
        status = device_run(device, submit, job, job->buffers.count.mem, stats ? seconds : NULL);
    if (status == EXIT_FINE) status = read_count(device, job);
    return status;
}

static void release(select_job *job) {
    const clprims_select_buffers *const b = &job->buffers;
    DEVICE_FREE(b->in[0].mem, b->out[0].mem, b->flags.mem, b->indices.mem, b->lengths.mem,
                b->count.mem);
    clprims_select_destroy(job->select);
}

static int run(select_kind kind, int argc, char **argv) {
    select_request request = {0};
    cli_settings common = {0};
    clprims_select_desc desc = CLPRIMS_SELECT_DESC_INIT;
    npy_input input = NPY_INPUT_INIT, flags = NPY_INPUT_INIT;
    cli_device device = {0};
    select_job job = {0};
    double seconds = 0;
    int status = EXIT_FINE;
    if (!read_request(kind, &request, &common, argc, argv, &status)) return status;
    const bool stats = common.stats != NULL;
    status = npy_open(&input, request.in);
    if (status == EXIT_FINE && request.flags) status = npy_open_flags(&flags, request.flags);
    if (status == EXIT_FINE && request.flags) status = check_flags(&flags, &input);
    if (status == EXIT_FINE) status = device_open(&device, &common);
    describe(kind, &request, &input, &desc);
    if (status == EXIT_FINE)
        status = library_exit_with_text(clprims_select_create(&job.select, device.context, &desc),
                                        "--where", request.where);
    if (status == EXIT_FINE)
        status = run_plan(&device, &desc, &input, &flags, stats, &seconds, &job);
    if (status == EXIT_FINE) status = store(&device, &desc, &request, &input, &job);
    if (status == EXIT_FINE && kind == PARTITION)
        fprintf(request.count_aside ? stderr : stdout, "%zu\n", job.kept);
    if (status == EXIT_FINE && stats) status = print_stats(&device, &desc, &job, seconds);
    release(&job);
    device_close(&device);
    npy_close(&flags);
    npy_close(&input);
    return status;
}

int select_command(int argc, char **argv) {
    return run(SELECT, argc, argv);
}

int unique_command(int argc, char **argv) {
    return run(UNIQUE, argc, argv);
}

int partition_command(int argc, char **argv) {
    return run(PARTITION, argc, argv);
}
