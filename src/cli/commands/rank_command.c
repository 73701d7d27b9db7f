/* SPDX-License-Identifier: MIT */
/* clprims rank and clprims order: one .npy file of links in; the position of each element, or the
 * element in each position, out. */
#include "cli/chosen_device.h"
#include "cli/commands/commands.h"
#include "cli/commands/forest_command.h"
#include "cli/commands/list_input.h"
#include "cli/message.h"

#include <stdio.h>

enum { FOREST_OPTIONS = 3 }; /* the last ones, which an order has not */

typedef struct rank_request {
    const char *head;
    const char *forest;
    const char *heads;
    const char *head_of;
    const char *in;
    const char *out;
} rank_request;

typedef struct rank_job {
    clprims_list *list;
    clprims_buffer next;
    clprims_buffer result;
    clprims_buffer report;
    int64_t head;
    size_t n;
} rank_job;

static bool read_request(rank_request *request, cli_settings *common, clprims_list_result result,
                         int argc, char **argv, int *exit_status) {
    const bool ranks = result == CLPRIMS_LIST_RANKS;
    const cli_option options[] = {
        {"--head", "H", "the list's first element; without it, the one that no link names",
         OPTIONAL, &request->head},
        {"NEXT.npy", NULL, "int32 or int64 links: the index of the next element, -1 at the end",
         REQUIRED, &request->in},
        {"-o", ranks ? "RANK.npy" : "ORDER.npy",
         ranks ? "where the ranks go: links from the head; may be the input"
               : "where the elements go, from head to tail; may be the input",
         REQUIRED | OUTPUT, &request->out},
        {"--forest", NULL, "rank several lists, each element within its own", OPTIONAL,
         &request->forest},
        {"--heads", "HEADS.npy", "the heads of a forest, checked; without it, they are found",
         OPTIONAL, &request->heads},
        {"--head-of", "FIRST.npy", "where the head of each element's list goes, of a forest",
         OUTPUT, &request->head_of},
    };
    const cli_syntax syntax = {ranks ? "rank" : "order",
                               ranks ? "Gives each element of a linked list its position."
                                     : "Lists the elements of a linked list from head to tail.",
                               options,
                               sizeof options / sizeof *options - (ranks ? 0 : FOREST_OPTIONS)};
    if (!arguments_read(&syntax, common, argc, argv, exit_status)) return false;
    *exit_status = EXIT_USAGE;
    if (request->forest && request->head)
        complain(EXIT_USAGE, "--forest and --head exclude each other; --heads gives several");
    else if (!request->forest && (request->heads || request->head_of))
        complain(EXIT_USAGE, "%s goes with --forest", request->heads ? "--heads" : "--head-of");
    else
        *exit_status = EXIT_FINE;
    return *exit_status == EXIT_FINE;
}

static clprims_status submit(void *job, cl_command_queue queue, cl_event *event) {
    const rank_job *const rank = job;
    return clprims_list_enqueue(rank->list, queue, rank->next, rank->result, rank->head, rank->n,
                                rank->report, 0, NULL, event);
}

/* How many sublists a list is cut into is what its time depends on. */
static int print_stats(const cli_device *device, const npy_input *input, const rank_job *job,
                       double seconds) {
    char rate[128], parts[64] = "";
    device_print_rate(rate, sizeof rate, seconds, 2 * job->n * clprims_type_bytes(input->type));
    if (job->n > 0) {
        clprims_list_info info = CLPRIMS_LIST_INFO_INIT;
        const int status = library_exit(clprims_list_describe(job->list, job->n, &info));
        if (status != EXIT_FINE) return status;
        if (info.levels > 1) snprintf(parts, sizeof parts, " in %zu sublists", info.sublists);
    }
    remark("%zu %s links%s on %s (%s layer): %s", job->n, clprims_type_name(input->type), parts,
           device->info.device.name, clprims_layer_name(device->info.layer), rate);
    return EXIT_FINE;
}

static int run_plan(const cli_device *device, npy_input *input, const char *out, bool stats,
                    rank_job *job) {
    const size_t bytes = input->n * clprims_type_bytes(input->type);
    double seconds = 0;
    job->n = input->n;
    int status = device_allocate(device, "the links", bytes, &job->next.mem);
    if (status == EXIT_FINE)
        status = device_allocate(device, "the result", bytes, &job->result.mem);
    if (status == EXIT_FINE)
        status =
            device_allocate(device, "the report", sizeof(clprims_list_report), &job->report.mem);
    if (status == EXIT_FINE) status = device_load(device, input, job->next.mem);
    if (status == EXIT_FINE)
        status = device_run(device, submit, job, job->result.mem, stats ? &seconds : NULL);
    if (status == EXIT_FINE)
        status = list_check_report(device, job->report.mem, clprims_list_check);
    if (status == EXIT_FINE)
        status = device_store(device, job->result.mem, out, input->type, job->n);
    if (status == EXIT_FINE && stats) status = print_stats(device, input, job, seconds);
    return status;
}

static int run(clprims_list_result result, int argc, char **argv) {
    rank_request request = {0};
    cli_settings common = {0};
    clprims_list_desc desc = CLPRIMS_LIST_DESC_INIT;
    npy_input input = NPY_INPUT_INIT;
    cli_device device = {0};
    rank_job job = {0};
    int status = EXIT_FINE;
    if (!read_request(&request, &common, result, argc, argv, &status)) return status;
    if (request.forest) {
        const forest_request forest = {request.heads, request.head_of, request.in, request.out};
        return forest_run(&forest, &common);
    }
    status = npy_open(&input, request.in);
    if (status == EXIT_FINE) status = list_check_links(&input);
    if (status == EXIT_FINE) status = list_find_head(request.head, &input, &job.head);
    if (status == EXIT_FINE) status = device_open(&device, &common);
    desc.link = input.type;
    desc.result = result;
    desc.max_n = input.n > 0 ? input.n : 1;
    if (status == EXIT_FINE)
        status = library_exit(clprims_list_create(&job.list, device.context, &desc));
    if (status == EXIT_FINE)
        status = run_plan(&device, &input, request.out, common.stats != NULL, &job);
    DEVICE_FREE(job.next.mem, job.result.mem, job.report.mem);
    clprims_list_destroy(job.list);
    device_close(&device);
    npy_close(&input);
    return status;
}

int rank_command(int argc, char **argv) {
    return run(CLPRIMS_LIST_RANKS, argc, argv);
}

int order_command(int argc, char **argv) {
    return run(CLPRIMS_LIST_ORDER, argc, argv);
}
