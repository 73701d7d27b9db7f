/* SPDX-License-Identifier: MIT */
/* clprims scan: one .npy file in, its running combinations out. */
#include "cli/combination.h"
#include "cli/commands/commands.h"
#include "cli/commands/scan_job.h"
#include "cli/message.h"

typedef struct scan_request {
    combination combine;
    const char *algorithm;
    const char *fast_floats;
    const char *in;
    const char *out;
} scan_request;

static bool read_request(scan_request *request, cli_settings *common, int argc, char **argv,
                         int *exit_status) {
    const cli_option options[] = {
        COMBINATION_OPTIONS(&request->combine),
        {"--algorithm", "NAME", "auto, lookback, lookback-fallback, reduce-then-scan or lookahead",
         OPTIONAL, &request->algorithm},
        {"--fast-floats", NULL, "allow sums of floats whose last bits differ from run to run",
         OPTIONAL, &request->fast_floats},
        {"IN.npy", NULL, "one-dimensional array of bool, int8 to uint64, float32 or float64",
         REQUIRED, &request->in},
        {"-o", "OUT.npy", "where the result goes; may be the input", REQUIRED | OUTPUT,
         &request->out},
    };
    const cli_syntax syntax = {
        "scan", "Combines the elements of an array one after another.\n" COMBINATION_NOTE, options,
        sizeof options / sizeof *options};
    if (!arguments_read(&syntax, common, argc, argv, exit_status)) return false;
    *exit_status = combination_check(&request->combine);
    return *exit_status == EXIT_FINE;
}

/* The library says the same of members that a user of the command does not know. */
static int check_order(const scan_request *request, clprims_algorithm algorithm) {
    const combination *const c = &request->combine;
    const bool is_float = c->result.type >= CLPRIMS_F32;
    const bool is_exact = c->op == CLPRIMS_MIN || c->op == CLPRIMS_MAX;
    if (algorithm != CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK || !is_float || is_exact ||
        request->fast_floats)
        return EXIT_FINE;
    return complain(EXIT_USAGE,
                    "--algorithm %s can't promise the same bits of %s in every run; add "
                    "--fast-floats, or take lookback or reduce-then-scan",
                    clprims_algorithm_name(algorithm), clprims_type_name(c->result.type));
}

static int describe(scan_request *request, const npy_input *input, clprims_scan_desc *desc) {
    combination *c = &request->combine;
    int status = combination_complete(c, input);
    if (status == EXIT_FINE) status = check_order(request, desc->algorithm);
    desc->type = input->type;
    desc->fast_floats = request->fast_floats != NULL;
    desc->max_n = input->n > 0 ? input->n : 1;
    desc->accumulator = c->result.type;
    desc->op = c->op;
    desc->inclusive = c->inclusive;
    desc->init = c->init;
    desc->custom = c->custom;
    return status;
}

static int run_plan(const cli_device *device, npy_input *input, const scan_request *request,
                    bool stats, scan_job *job) {
    const npy_type type = request->combine.result;
    double seconds = 0;
    int status = scan_job_allocate(device, job, input->n);
    if (status == EXIT_FINE) status = device_load(device, input, job->in.mem);
    if (status == EXIT_FINE) status = scan_job_run(device, job, stats ? &seconds : NULL);
    const device_result result = {job->out.mem, request->out, type.type, 1, job->n, 1,
                                  type.is_bool};
    if (status == EXIT_FINE) status = device_store_all(device, &result, 1);
    if (status == EXIT_FINE && stats) status = scan_job_print_stats(device, job, seconds);
    return status;
}

int scan_command(int argc, char **argv) {
    scan_request request = {0};
    cli_settings common = {0};
    clprims_scan_desc desc = CLPRIMS_SCAN_DESC_INIT;
    npy_input input = NPY_INPUT_INIT;
    cli_device device = {0};
    scan_job job = {.desc = &desc};
    int status = EXIT_FINE;
    if (!read_request(&request, &common, argc, argv, &status)) return status;
    status = value_algorithm("--algorithm", request.algorithm, &desc.algorithm);
    if (status == EXIT_FINE) status = npy_open(&input, request.in);
    if (status == EXIT_FINE) status = describe(&request, &input, &desc);
    if (status == EXIT_FINE) status = device_open(&device, &common);
    if (status == EXIT_FINE)
        status = combination_exit(&request.combine,
                                  clprims_scan_create(&job.scan, device.context, &desc));
    if (status == EXIT_FINE)
        status = run_plan(&device, &input, &request, common.stats != NULL, &job);
    scan_job_release(&job);
    device_close(&device);
    npy_close(&input);
    return status;
}
