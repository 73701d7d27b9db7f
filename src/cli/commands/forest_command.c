/* SPDX-License-Identifier: MIT */
/* clprims rank --forest: links of several lists in, each element's rank and head out. */
#include "cli/commands/forest_command.h"

#include "cli/commands/list_input.h"
#include "cli/message.h"

typedef struct forest_job {
    clprims_forest *forest;
    clprims_forest_arrays arrays;
    clprims_buffer report;
    size_t n;
} forest_job;

static int open_inputs(const forest_request *request, npy_input *next, npy_input *heads) {
    int status = npy_open(next, request->in);
    if (status == EXIT_FINE) status = list_check_links(next);
    if (status != EXIT_FINE || !request->heads) return status;
    status = npy_open(heads, request->heads);
    if (status == EXIT_FINE && heads->type != next->type)
        return complain(EXIT_USAGE, "%s: its elements are %s, the links of %s are %s", heads->path,
                        npy_type_name(heads), next->path, clprims_type_name(next->type));
    if (status == EXIT_FINE && heads->n > next->n)
        return complain(EXIT_USAGE, "%s has %zu heads for the %zu elements of %s", heads->path,
                        heads->n, next->n, next->path);
    return status;
}

static clprims_status submit(void *job, cl_command_queue queue, cl_event *event) {
    const forest_job *const j = job;
    return clprims_forest_enqueue(j->forest, queue, &j->arrays, j->n, j->report, 0, NULL, event);
}

static int allocate(const cli_device *device, const forest_request *request, const npy_input *next,
                    const npy_input *heads, forest_job *job) {
    const size_t element = clprims_type_bytes(next->type);
    job->n = next->n;
    job->arrays = (clprims_forest_arrays)CLPRIMS_FOREST_ARRAYS_INIT;
    int status = device_allocate(device, "the links", job->n * element, &job->arrays.next.mem);
    if (status == EXIT_FINE)
        status = device_allocate(device, "the ranks", job->n * element, &job->arrays.rank.mem);
    if (status == EXIT_FINE && request->head_of)
        status =
            device_allocate(device, "the lists' heads", job->n * element, &job->arrays.head.mem);
    if (status == EXIT_FINE && request->heads)
        status = device_allocate(device, "the heads", heads->n * element, &job->arrays.heads.mem);
    if (status == EXIT_FINE)
        status =
            device_allocate(device, "the report", sizeof(clprims_list_report), &job->report.mem);
    return status;
}

static int run_plan(const cli_device *device, const forest_request *request, npy_input *next,
                    npy_input *heads, bool stats, forest_job *job) {
    double seconds = 0;
    const clprims_forest_arrays *arrays = &job->arrays;
    int status = allocate(device, request, next, heads, job);
    if (status == EXIT_FINE) status = device_load(device, next, arrays->next.mem);
    if (status == EXIT_FINE && request->heads) {
        status = device_load(device, heads, arrays->heads.mem);
        job->arrays.num_heads = heads->n;
    }
    if (status == EXIT_FINE)
        status = device_run(device, submit, job, arrays->rank.mem, stats ? &seconds : NULL);
    if (status == EXIT_FINE)
        status = list_check_report(device, job->report.mem, clprims_forest_check);
    const device_result results[] = {
        {arrays->rank.mem, request->out, next->type, 1, job->n, 1, false},
        {arrays->head.mem, request->head_of, next->type, 1, job->n, 1, false}};
    const size_t outputs = request->head_of ? 2 : 1;
    if (status == EXIT_FINE) status = device_store_all(device, results, outputs);
    if (status == EXIT_FINE && stats) {
        char rate[128];
        device_print_rate(rate, sizeof rate, seconds,
                          (1 + outputs) * job->n * clprims_type_bytes(next->type));
        remark("%zu %s links of a forest on %s (%s layer): %s", job->n,
               clprims_type_name(next->type), device->info.device.name,
               clprims_layer_name(device->info.layer), rate);
    }
    return status;
}

int forest_run(const forest_request *request, const cli_settings *common) {
    clprims_forest_desc desc = CLPRIMS_FOREST_DESC_INIT;
    npy_input next = NPY_INPUT_INIT, heads = NPY_INPUT_INIT;
    cli_device device = {0};
    forest_job job = {0};
    int status = open_inputs(request, &next, &heads);
    if (status == EXIT_FINE) status = device_open(&device, common);
    desc.link = next.type;
    desc.max_n = next.n > 0 ? next.n : 1;
    if (status == EXIT_FINE)
        status = library_exit(clprims_forest_create(&job.forest, device.context, &desc));
    if (status == EXIT_FINE)
        status = run_plan(&device, request, &next, &heads, common->stats != NULL, &job);
    DEVICE_FREE(job.arrays.next.mem, job.arrays.rank.mem, job.arrays.head.mem, job.arrays.heads.mem,
                job.report.mem);
    clprims_forest_destroy(job.forest);
    device_close(&device);
    npy_close(&heads);
    npy_close(&next);
    return status;
}
