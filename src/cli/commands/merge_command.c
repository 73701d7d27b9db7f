/* SPDX-License-Identifier: MIT */
/* clprims merge and searchsorted: two arrays in, of which one at least is sorted; both as one, or
 * positions of one's elements among the other's, out. */
#include "cli/chosen_device.h"
#include "cli/commands/commands.h"
#include "cli/message.h"

#define TYPES "of bool, int8 to uint64, float32 or float64"

typedef struct merge_request {
    const char *right;
    const char *a;
    const char *b;
    const char *out;
} merge_request;

/* The array, the needles or the second array, and what comes of them. */
typedef struct merge_job {
    clprims_merge *merge;
    clprims_search *search; /* one of both is NULL */
    cl_mem a, b, out;
    size_t n_a, n_b;
} merge_job;

static bool read_merge(merge_request *request, cli_settings *common, int argc, char **argv,
                       int *exit_status) {
    const cli_option options[] = {
        {"A.npy", NULL, "sorted array " TYPES, REQUIRED, &request->a},
        {"B.npy", NULL, "sorted array of the same type", REQUIRED, &request->b},
        {"-o", "OUT.npy", "where the result goes; may be an input", REQUIRED | OUTPUT,
         &request->out}};
    const cli_syntax syntax = {"merge",
                               "Merges two sorted arrays; of equal elements those of A.npy come "
                               "first. NaN comes last.\nArrays that are not sorted give some order "
                               "of their elements.",
                               options, sizeof options / sizeof *options};
    return arguments_read(&syntax, common, argc, argv, exit_status);
}

static bool read_search(merge_request *request, cli_settings *common, int argc, char **argv,
                        int *exit_status) {
    const cli_option options[] = {
        {"--right", NULL, "behind equal elements; the default is before them", OPTIONAL,
         &request->right},
        {"SORTED.npy", NULL, "sorted array " TYPES, REQUIRED, &request->a},
        {"NEEDLES.npy", NULL, "array of the same type, in any order", REQUIRED, &request->b},
        {"-o", "OUT.npy", "where the positions go; may be an input", REQUIRED | OUTPUT,
         &request->out}};
    const cli_syntax syntax = {"searchsorted",
                               "Gives the positions, int64, at which elements would stand in a "
                               "sorted array, as NumPy's\nsearchsorted. NaN comes last.",
                               options, sizeof options / sizeof *options};
    return arguments_read(&syntax, common, argc, argv, exit_status);
}

static int check_types(const npy_input *a, const npy_input *b) {
    if (a->type == b->type && a->is_bool == b->is_bool) return EXIT_FINE;
    return complain(EXIT_USAGE, "%s: its elements are %s, those of %s are %s", b->path,
                    npy_type_name(b), a->path, npy_type_name(a));
}

static int create(const cli_device *device, bool searches, const merge_request *request,
                  const npy_input *a, merge_job *job) {
    const size_t most_a = job->n_a > 0 ? job->n_a : 1;
    clprims_merge_desc merge = CLPRIMS_MERGE_DESC_INIT;
    clprims_search_desc search = CLPRIMS_SEARCH_DESC_INIT;
    merge.type = search.type = a->type;
    merge.max_a = search.max_sorted = most_a;
    merge.max_b = search.max_n = job->n_b;
    search.upper = request->right != NULL;
    return library_exit(searches ? clprims_search_create(&job->search, device->context, &search)
                                 : clprims_merge_create(&job->merge, device->context, &merge));
}

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const merge_job *const job = self;
    const clprims_buffer a = {job->a, 0}, b = {job->b, 0}, out = {job->out, 0};
    if (job->search != NULL) {
        return clprims_search_enqueue(job->search, queue, a, job->n_a, b, out, job->n_b, 0, NULL,
                                      event);
    }
    clprims_merge_buffers buffers = CLPRIMS_MERGE_BUFFERS_INIT;
    buffers.a = a;
    buffers.b = b;
    buffers.out = out;
    return clprims_merge_enqueue(job->merge, queue, &buffers, job->n_a, job->n_b, 0, NULL, event);
}

static size_t outputs(const merge_job *job) {
    return job->search != NULL ? job->n_b : job->n_a + job->n_b;
}

static size_t out_bytes(const merge_job *job, clprims_type type) {
    return outputs(job) * (job->search != NULL ? sizeof(int64_t) : clprims_type_bytes(type));
}

static int run_plan(const cli_device *device, npy_input *a, npy_input *b, double *seconds,
                    merge_job *job) {
    const size_t bytes = clprims_type_bytes(a->type);
    int status = device_allocate(device, "the first array", job->n_a * bytes, &job->a);
    if (status == EXIT_FINE)
        status = device_allocate(device, "the second array", job->n_b * bytes, &job->b);
    if (status == EXIT_FINE)
        status = device_allocate(device, "the output", out_bytes(job, a->type), &job->out);
    if (status == EXIT_FINE) status = device_load(device, a, job->a);
    if (status == EXIT_FINE) status = device_load(device, b, job->b);
    if (status == EXIT_FINE) status = device_run(device, submit, job, job->out, seconds);
    return status;
}

/* The bytes that must move: inputs read once, the result written once. */
static int print_stats(const cli_device *device, clprims_type type, const merge_job *job,
                       double seconds) {
    clprims_merge_info merge = CLPRIMS_MERGE_INFO_INIT;
    clprims_search_info search = CLPRIMS_SEARCH_INFO_INIT;
    const bool searches = job->search != NULL;
    char rate[128];
    const int status =
        library_exit(searches ? clprims_search_describe(job->search, job->n_a, job->n_b, &search)
                              : clprims_merge_describe(job->merge, job->n_a + job->n_b, &merge));
    if (status != EXIT_FINE) return status;
    device_print_rate(rate, sizeof rate, seconds,
                      (job->n_a + job->n_b) * clprims_type_bytes(type) + out_bytes(job, type));
    remark("%zu and %zu %s (%s) on %s (%s layer): %s", job->n_a, job->n_b, clprims_type_name(type),
           searches ? search.variant : merge.variant, device->info.device.name,
           clprims_layer_name(device->info.layer), rate);
    return EXIT_FINE;
}

static void release(merge_job *job) {
    DEVICE_FREE(job->a, job->b, job->out);
    clprims_merge_destroy(job->merge);
    clprims_search_destroy(job->search);
}

static int run(bool searches, int argc, char **argv) {
    merge_request request = {0};
    cli_settings common = {0};
    npy_input a = NPY_INPUT_INIT, b = NPY_INPUT_INIT;
    cli_device device = {0};
    merge_job job = {0};
    double seconds = 0;
    int status = EXIT_FINE;
    const bool goes_on = searches ? read_search(&request, &common, argc, argv, &status)
                                  : read_merge(&request, &common, argc, argv, &status);
    if (!goes_on) return status;
    const bool stats = common.stats != NULL;
    status = npy_open(&a, request.a);
    if (status == EXIT_FINE) status = npy_open(&b, request.b);
    if (status == EXIT_FINE) status = check_types(&a, &b);
    if (status == EXIT_FINE) status = device_open(&device, &common);
    job.n_a = a.n;
    job.n_b = b.n;
    if (status == EXIT_FINE) status = create(&device, searches, &request, &a, &job);
    if (status == EXIT_FINE) status = run_plan(&device, &a, &b, stats ? &seconds : NULL, &job);
    const device_result result = {job.out,       request.out, searches ? CLPRIMS_I64 : a.type, 1,
                                  outputs(&job), 1,           !searches && a.is_bool};
    if (status == EXIT_FINE) status = device_store_all(&device, &result, 1);
    if (status == EXIT_FINE && stats) status = print_stats(&device, a.type, &job, seconds);
    release(&job);
    device_close(&device);
    npy_close(&b);
    npy_close(&a);
    return status;
}

int merge_command(int argc, char **argv) {
    return run(false, argc, argv);
}

int searchsorted_command(int argc, char **argv) {
    return run(true, argc, argv);
}
