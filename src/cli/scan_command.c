/* SPDX-License-Identifier: MIT */
/* clprims scan: one .npy file in, its running combinations out. */
#include "commands.h"
#include "message.h"
#include "scan_job.h"

typedef struct scan_request {
    const char *op;
    const char *custom;
    const char *identity;
    const char *inclusive;
    const char *exclusive;
    const char *init;
    const char *accumulate;
    const char *algorithm;
    const char *in;
    const char *out;
} scan_request;

/* What a description points to. */
typedef struct scan_values {
    unsigned char init[8];
    unsigned char identity[8];
} scan_values;

static bool read_request(scan_request *request, cli_settings *common, int argc, char **argv,
                         int *exit_status) {
    const cli_option options[] = {
        {"--op", "NAME", "add (the default), min, max, mul, and, or, xor", false, &request->op},
        {"--custom", "TEXT", "OpenCL C expression of a and b in place of --op, e.g. 'a + b'", false,
         &request->custom},
        {"--identity", "V", "the value that leaves the other operand of --custom as it is", false,
         &request->identity},
        {"--exclusive", NULL, "combine what stands before each element (the default)", false,
         &request->exclusive},
        {"--inclusive", NULL, "combine up to and with each element", false, &request->inclusive},
        {"--init", "V", "a value before the first element", false, &request->init},
        {"--accumulate", "TYPE", "type of the running value and the output, e.g. int64", false,
         &request->accumulate},
        {"--algorithm", "NAME", "auto, lookback, lookback-fallback, reduce-then-scan or lookahead",
         false, &request->algorithm},
        {"IN.npy", NULL, "one-dimensional array of int8 to uint64, float32 or float64", true,
         &request->in},
        {"-o", "OUT.npy", "where the result goes; may be the input", true, &request->out},
    };
    const cli_syntax syntax = {"scan", "Combines the elements of an array one after another.",
                               options, sizeof options / sizeof *options};
    if (!arguments_read(&syntax, common, argc, argv, exit_status)) return false;
    *exit_status = EXIT_USAGE;
    if (request->op && request->custom)
        complain(EXIT_USAGE, "--op and --custom exclude each other");
    else if (request->inclusive && request->exclusive)
        complain(EXIT_USAGE, "--inclusive and --exclusive exclude each other");
    else if (request->identity && !request->custom)
        complain(EXIT_USAGE, "--identity goes with --custom; --op %s has its own",
                 request->op ? request->op : "add");
    else if (request->custom && !request->inclusive && !request->identity && !request->init)
        complain(EXIT_USAGE, "--custom needs --identity, --init or --inclusive: nothing stands "
                             "before the first element");
    else
        *exit_status = EXIT_FINE;
    return *exit_status == EXIT_FINE;
}

/* All but the type and n, which the file says. */
static int describe_request(const scan_request *request, clprims_scan_desc *desc) {
    int status = value_op("--op", request->op, &desc->op);
    if (status == EXIT_FINE)
        status = value_type("--accumulate", request->accumulate, &desc->accumulator);
    if (status == EXIT_FINE)
        status = value_algorithm("--algorithm", request->algorithm, &desc->algorithm);
    desc->inclusive = request->inclusive != NULL;
    if (request->custom) {
        desc->op = CLPRIMS_CUSTOM;
        desc->custom.op = request->custom;
    }
    return status;
}

static int describe_elements(const scan_request *request, const npy_input *input,
                             scan_values *values, clprims_scan_desc *desc) {
    desc->type = input->type;
    desc->max_n = input->n > 0 ? input->n : 1;
    if (!request->accumulate) desc->accumulator = input->type;
    const bool is_float = desc->accumulator == CLPRIMS_F32 || desc->accumulator == CLPRIMS_F64;
    if (is_float && desc->op >= CLPRIMS_AND && desc->op <= CLPRIMS_XOR)
        return complain(EXIT_USAGE, "--op %s needs integers, but %s", clprims_op_name(desc->op),
                        request->accumulate ? "--accumulate says otherwise"
                                            : "the elements are floats");
    int status = EXIT_FINE;
    if (request->init) {
        status = value_element("--init", request->init, desc->accumulator, values->init);
        desc->init = values->init;
    }
    if (request->identity && status == EXIT_FINE) {
        status =
            value_element("--identity", request->identity, desc->accumulator, values->identity);
        desc->custom.identity = values->identity;
    }
    return status;
}

static int create_plan(const cli_device *device, const clprims_scan_desc *desc,
                       clprims_scan **scan) {
    const clprims_status created = clprims_scan_create(scan, device->context, desc);
    const int status = library_exit(created);
    /* Text that does not compile is the user's, when there is any. */
    return created == CLPRIMS_ERR_BUILD && desc->custom.op ? EXIT_USAGE : status;
}

static int run_plan(const cli_device *device, npy_input *input, const char *out, bool stats,
                    scan_job *job) {
    double seconds = 0;
    int status = scan_job_allocate(device, job, input->n);
    if (status == EXIT_FINE) status = device_load(device, input, job->in.mem);
    if (status == EXIT_FINE) status = scan_job_run(device, job, stats ? &seconds : NULL);
    if (status == EXIT_FINE)
        status = device_store(device, job->out.mem, out, job->desc->accumulator, job->n);
    if (status == EXIT_FINE && stats) status = scan_job_print_stats(device, job, seconds);
    return status;
}

int scan_command(int argc, char **argv) {
    scan_request request = {0};
    cli_settings common = {0};
    scan_values values;
    clprims_scan_desc desc = CLPRIMS_SCAN_DESC_INIT;
    npy_input input = NPY_INPUT_INIT;
    cli_device device = {0};
    scan_job job = {.desc = &desc};
    int status = EXIT_FINE;
    if (!read_request(&request, &common, argc, argv, &status)) return status;
    status = describe_request(&request, &desc);
    if (status == EXIT_FINE) status = npy_open(&input, request.in);
    if (status == EXIT_FINE) status = describe_elements(&request, &input, &values, &desc);
    if (status == EXIT_FINE) status = device_open(&device, &common);
    if (status == EXIT_FINE) status = create_plan(&device, &desc, &job.scan);
    if (status == EXIT_FINE)
        status = run_plan(&device, &input, request.out, common.stats != NULL, &job);
    scan_job_release(&job);
    device_close(&device);
    npy_close(&input);
    return status;
}
