/* SPDX-License-Identifier: MIT */
/* clprims listscan: links and values in, their running combinations along the list out. */
#include "cli/chosen_device.h"
#include "cli/combination.h"
#include "cli/commands/commands.h"
#include "cli/commands/list_input.h"
#include "cli/message.h"

typedef struct listscan_request {
    const char *values;
    combination combine;
    const char *head;
    const char *in;
    const char *out;
} listscan_request;

typedef struct listscan_job {
    clprims_listscan *scan;
    clprims_buffer next;
    clprims_buffer values;
    clprims_buffer out;
    clprims_buffer report;
    int64_t head;
    size_t n;
} listscan_job;

/* ---- The request ---- */

static bool read_request(listscan_request *request, cli_settings *common, int argc, char **argv,
                         int *exit_status) {
    const cli_option options[] = {
        {"--values", "VALUES.npy", "what to combine: a value for each element", REQUIRED,
         &request->values},
        COMBINATION_OPTIONS(&request->combine),
        {"--head", "H", "the list's first element; without it, the one that no link names",
         OPTIONAL, &request->head},
        {"NEXT.npy", NULL, "int32 or int64 links: the index of the next element, -1 at the end",
         REQUIRED, &request->in},
        {"-o", "OUT.npy", "where the result goes; may be an input", REQUIRED | OUTPUT,
         &request->out},
    };
    const cli_syntax syntax = {
        "listscan",
        "Combines values one after another in the order of a linked list.\n" COMBINATION_NOTE,
        options, sizeof options / sizeof *options};
    if (!arguments_read(&syntax, common, argc, argv, exit_status)) return false;
    *exit_status = combination_check(&request->combine);
    return *exit_status == EXIT_FINE;
}

static int describe(listscan_request *request, const npy_input *next, const npy_input *values,
                    clprims_listscan_desc *desc) {
    combination *c = &request->combine;
    const int status = combination_complete(c, values);
    desc->link = next->type;
    desc->type = values->type;
    desc->max_n = values->n > 0 ? values->n : 1;
    desc->accumulator = c->result.type;
    desc->op = c->op;
    desc->inclusive = c->inclusive;
    desc->init = c->init;
    desc->custom = c->custom;
    return status;
}

static int open_inputs(const listscan_request *request, npy_input *next, npy_input *values,
                       int64_t *head) {
    int status = npy_open(next, request->in);
    if (status == EXIT_FINE) status = list_check_links(next);
    if (status == EXIT_FINE) status = list_find_head(request->head, next, head);
    if (status == EXIT_FINE) status = npy_open(values, request->values);
    if (status == EXIT_FINE && values->n != next->n)
        return complain(EXIT_USAGE, "%s has %zu values for the %zu links of %s", values->path,
                        values->n, next->n, next->path);
    return status;
}

/* ---- The run ---- */

static clprims_status submit(void *job, cl_command_queue queue, cl_event *event) {
    const listscan_job *const j = job;
    return clprims_listscan_enqueue(j->scan, queue, j->next, j->values, j->out, j->head, j->n,
                                    j->report, 0, NULL, event);
}

static int allocate(const cli_device *device, const npy_input *next,
                    const clprims_listscan_desc *desc, listscan_job *job) {
    const size_t out_bytes = clprims_type_bytes(desc->accumulator);
    job->n = next->n;
    if (job->n > SIZE_MAX / out_bytes)
        return complain(EXIT_USAGE, "%zu elements of %s have more bytes than can be counted",
                        job->n, clprims_type_name(desc->accumulator));
    int status = device_allocate(device, "the links", job->n * clprims_type_bytes(next->type),
                                 &job->next.mem);
    if (status == EXIT_FINE)
        status = device_allocate(device, "the values", job->n * clprims_type_bytes(desc->type),
                                 &job->values.mem);
    if (status == EXIT_FINE)
        status = device_allocate(device, "the result", job->n * out_bytes, &job->out.mem);
    if (status == EXIT_FINE)
        status =
            device_allocate(device, "the report", sizeof(clprims_list_report), &job->report.mem);
    return status;
}

static int run_plan(const cli_device *device, npy_input *next, npy_input *values,
                    const clprims_listscan_desc *desc, const listscan_request *request, bool stats,
                    listscan_job *job) {
    const npy_type type = request->combine.result;
    double seconds = 0;
    int status = allocate(device, next, desc, job);
    if (status == EXIT_FINE) status = device_load(device, next, job->next.mem);
    if (status == EXIT_FINE) status = device_load(device, values, job->values.mem);
    if (status == EXIT_FINE)
        status = device_run(device, submit, job, job->out.mem, stats ? &seconds : NULL);
    if (status == EXIT_FINE)
        status = list_check_report(device, job->report.mem, clprims_list_check);
    const device_result result = {job->out.mem, request->out, type.type, 1, job->n, 1,
                                  type.is_bool};
    if (status == EXIT_FINE) status = device_store_all(device, &result, 1);
    if (status == EXIT_FINE && stats) {
        char rate[128];
        const size_t element = clprims_type_bytes(next->type) + clprims_type_bytes(desc->type) +
                               clprims_type_bytes(desc->accumulator);
        device_print_rate(rate, sizeof rate, seconds, job->n * element);
        remark("%s of %zu %s along %s links on %s (%s layer): %s", clprims_op_name(desc->op),
               job->n, clprims_type_name(desc->type), clprims_type_name(next->type),
               device->info.device.name, clprims_layer_name(device->info.layer), rate);
    }
    return status;
}

int listscan_command(int argc, char **argv) {
    listscan_request request = {0};
    cli_settings common = {0};
    clprims_listscan_desc desc = CLPRIMS_LISTSCAN_DESC_INIT;
    npy_input next = NPY_INPUT_INIT, values = NPY_INPUT_INIT;
    cli_device device = {0};
    listscan_job job = {0};
    int status = EXIT_FINE;
    if (!read_request(&request, &common, argc, argv, &status)) return status;
    status = open_inputs(&request, &next, &values, &job.head);
    if (status == EXIT_FINE) status = describe(&request, &next, &values, &desc);
    if (status == EXIT_FINE) status = device_open(&device, &common);
    if (status == EXIT_FINE)
        status = combination_exit(&request.combine,
                                  clprims_listscan_create(&job.scan, device.context, &desc));
    if (status == EXIT_FINE)
        status = run_plan(&device, &next, &values, &desc, &request, common.stats != NULL, &job);
    DEVICE_FREE(job.next.mem, job.values.mem, job.out.mem, job.report.mem);
    clprims_listscan_destroy(job.scan);
    device_close(&device);
    npy_close(&values);
    npy_close(&next);
    return status;
}
