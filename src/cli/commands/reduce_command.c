/* SPDX-License-Identifier: MIT */
/* clprims reduce: one .npy file in, the combination of all its elements out. */
#include "cli/chosen_device.h"
#include "cli/combination.h"
#include "cli/commands/commands.h"
#include "cli/message.h"

typedef struct reduce_request {
    const char *op, *accumulate, *init, *input;
    const char *in;
    const char *out;
} reduce_request;

typedef struct reduce_job {
    clprims_reduce *reduce;
    clprims_buffer in, out, report;
    size_t n;
} reduce_job;

static bool read_request(reduce_request *request, cli_settings *common, int argc, char **argv,
                         int *exit_status) {
    const cli_option options[] = {
        {"--op", "NAME", "add (the default), min, max, mul, and, or, xor, argmin, argmax", OPTIONAL,
         &request->op},
        {"--accumulate", "TYPE", "type of the running value and the result, e.g. int64", OPTIONAL,
         &request->accumulate},
        {"--init", "V", "a value before the first element; of argmin and argmax: of no elements",
         OPTIONAL, &request->init},
        {"--input", "TEXT", "OpenCL C expression of x, the element, and i, its index, e.g. 'x * x'",
         OPTIONAL, &request->input},
        {"IN.npy", NULL, "one-dimensional array of bool, int8 to uint64, float32 or float64",
         REQUIRED, &request->in},
        {"-o", "OUT.npy", "where the one element goes; may be the input", REQUIRED | OUTPUT,
         &request->out},
    };
    const cli_syntax syntax = {
        "reduce",
        "Combines all elements of an array; floats give the same bits on every device.\n"
        "The result has the elements' type, in which sums wrap around, unless --accumulate names\n"
        "another; that of argmin and argmax is int64, the lowest index. bool counts as 0 and 1;\n"
        "its sums and products are int64, and what --input makes of it is uint8. min, max, argmin\n"
        "and argmax leave NaNs out.\n"
        "An empty array gives --init or the operator's identity; argmin and argmax refuse\n"
        "it without --init.",
        options, sizeof options / sizeof *options};
    return arguments_read(&syntax, common, argc, argv, exit_status);
}

static bool is_arg(const clprims_reduce_desc *desc) {
    return desc->op == CLPRIMS_ARGMIN || desc->op == CLPRIMS_ARGMAX;
}

/* init: room for the value that the description then points to. */
static int describe(const reduce_request *request, const npy_input *input,
                    clprims_reduce_desc *desc, npy_type *result, uint64_t *init) {
    int status = value_reduction("--op", request->op, &desc->op);
    if (status == EXIT_FINE)
        status = running_type(input, desc->op, request->accumulate, request->input != NULL, result);
    if (status != EXIT_FINE) return status;
    desc->type = input->type;
    desc->accumulator = result->type;
    desc->max_n = input->n > 0 ? input->n : 1;
    desc->input = request->input;
    if (is_arg(desc)) *result = (npy_type){CLPRIMS_I64, false};
    return running_init(request->init, desc->op, *result, init, &desc->init);
}

static clprims_status submit(void *job, cl_command_queue queue, cl_event *event) {
    const reduce_job *const r = job;
    return clprims_reduce_enqueue(r->reduce, queue, r->in, r->out, r->n, r->report, 0, NULL, event);
}

static int check_report(const cli_device *device, const reduce_job *job) {
    clprims_reduce_report report;
    const int status = device_read(device, "the report", job->report.mem, sizeof report, &report);
    return status == EXIT_FINE ? library_exit(clprims_reduce_check(&report)) : status;
}

static int print_stats(const cli_device *device, const clprims_reduce_desc *desc,
                       const reduce_job *job, double seconds) {
    char rate[128];
    clprims_reduce_info info = CLPRIMS_REDUCE_INFO_INIT;
    const int status = library_exit(clprims_reduce_describe(job->reduce, job->n, &info));
    if (status != EXIT_FINE) return status;
    device_print_rate(rate, sizeof rate, seconds, job->n * clprims_type_bytes(desc->type));
    remark("%s of %zu %s in %s (%s) on %s (%s layer): %s", clprims_op_name(desc->op), job->n,
           clprims_type_name(desc->type), clprims_type_name(desc->accumulator), info.variant,
           device->info.device.name, clprims_layer_name(device->info.layer), rate);
    return EXIT_FINE;
}

static int run_plan(const cli_device *device, npy_input *input, const char *out, npy_type type,
                    bool stats, const clprims_reduce_desc *desc, reduce_job *job) {
    double seconds = 0;
    job->n = input->n;
    int status =
        device_allocate(device, "the input", job->n * clprims_type_bytes(desc->type), &job->in.mem);
    if (status == EXIT_FINE) status = device_load(device, input, job->in.mem);
    if (status == EXIT_FINE)
        status =
            device_allocate(device, "the result", clprims_type_bytes(type.type), &job->out.mem);
    if (status == EXIT_FINE)
        status =
            device_allocate(device, "the report", sizeof(clprims_reduce_report), &job->report.mem);
    if (status == EXIT_FINE)
        status = device_run(device, submit, job, job->out.mem, stats ? &seconds : NULL);
    if (status == EXIT_FINE) status = check_report(device, job);
    const device_result result = {job->out.mem, out, type.type, 1, 1, 1, type.is_bool};
    if (status == EXIT_FINE) status = device_store_all(device, &result, 1);
    if (status == EXIT_FINE && stats) status = print_stats(device, desc, job, seconds);
    return status;
}

int reduce_command(int argc, char **argv) {
    reduce_request request = {0};
    cli_settings common = {0};
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    npy_input input = NPY_INPUT_INIT;
    cli_device device = {0};
    reduce_job job = {0};
    npy_type type = {CLPRIMS_TYPE_DEFAULT, false};
    uint64_t init = 0;
    int status = EXIT_FINE;
    if (!read_request(&request, &common, argc, argv, &status)) return status;
    status = npy_open(&input, request.in);
    if (status == EXIT_FINE) status = describe(&request, &input, &desc, &type, &init);
    if (status == EXIT_FINE) status = device_open(&device, &common);
    if (status == EXIT_FINE)
        status = library_exit_with_text(clprims_reduce_create(&job.reduce, device.context, &desc),
                                        "--input", request.input);
    if (status == EXIT_FINE)
        status = run_plan(&device, &input, request.out, type, common.stats != NULL, &desc, &job);
    DEVICE_FREE(job.in.mem, job.out.mem, job.report.mem);
    clprims_reduce_destroy(job.reduce);
    device_close(&device);
    npy_close(&input);
    return status;
}
