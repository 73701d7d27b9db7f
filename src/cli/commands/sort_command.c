/* SPDX-License-Identifier: MIT */
/* clprims sort and argsort: an array in; its elements in order, or the indices that would sort it,
 * out. */
#include "cli/commands/commands.h"
#include "cli/commands/offsets_input.h"

#include <stdio.h>

enum { SORT = 1, ARGSORT = 2 };

typedef struct sort_plan {
    clprims_sort *sort;
    clprims_segmented_sort *segmented; /* with offsets or a length, in the place of sort */
    clprims_segmented_sort_buffers buffers; /* of both */
    size_t n, segments;
} sort_plan;

/* The arrays that a command reads; offsets and values where they are asked for. */
typedef struct sort_inputs {
    npy_input *keys, *values, *offsets;
} sort_inputs;

static const cli_option options[] = {
    {"--descending", NULL, "the greatest element first; equal ones keep their order", OPTIONAL},
    {"--offsets", "O.npy",
     "int32 or int64: elements O[i] to O[i + 1], excluded, are sorted by themselves", OPTIONAL},
    {"--length", "L", "each L elements, and what is left of them, are sorted by themselves",
     OPTIONAL},
    {"--values", "V.npy", "array whose elements move as IN.npy's do", OPTIONAL | OF(SORT)},
    {"--values-out", "W.npy", "where these go", OUTPUT | OF(SORT)},
    OPTION_IN,
    OPTION_OUT,
};

static sort_inputs open_inputs(cli_job *job) {
    sort_inputs in;
    in.keys = job_open(job, "IN.npy", NPY_ELEMENTS);
    in.values = job_open(job, "--values", NPY_ELEMENTS);
    if (in.values->path && in.values->n != in.keys->n)
        JOB_TRY(job, complain(EXIT_USAGE, "%s: it has %zu values for the %zu elements of %s",
                              in.values->path, in.values->n, in.keys->n, in.keys->path));
    in.offsets = job_open(job, "--offsets", NPY_OFFSETS);
    return in;
}

static void describe_segments(cli_job *job, const sort_inputs *in, sort_plan *plan,
                              clprims_segmented_sort_desc *desc) {
    plan->buffers.sizes.length = offsets_length(job, plan->n, &plan->segments);
    if (plan->buffers.sizes.length > 0) desc->by = CLPRIMS_SEGMENTS_EQUAL;
    if (in->offsets->path) {
        desc->offsets = in->offsets->type;
        plan->segments = plan->buffers.sizes.segments = in->offsets->n - 1;
    }
    desc->max_segments = job_most(plan->segments);
}

static void describe(const cli_job *job, const sort_inputs *in, clprims_segmented_sort_desc *desc) {
    desc->type = in->keys->type;
    desc->descending = job_text(job, "--descending") != NULL;
    desc->no_keys = job->command->variant == ARGSORT;
    if (desc->no_keys) desc->indices = CLPRIMS_I64;
    if (in->values->path) {
        desc->payloads = 1;
        desc->payload_bytes[0] = clprims_type_bytes(in->values->type);
    }
    desc->max_n = job_most(in->keys->n);
}

static int create(const cli_job *job, const clprims_segmented_sort_desc *desc, sort_plan *plan) {
    clprims_sort_desc sort = {0};
    if (job_text(job, "--offsets") || job_text(job, "--length"))
        return library_exit(
            clprims_segmented_sort_create(&plan->segmented, job->device.context, desc));
    sort.type = desc->type;
    sort.descending = desc->descending;
    sort.payloads = desc->payloads;
    sort.payload_bytes[0] = desc->payload_bytes[0];
    sort.indices = desc->indices;
    sort.no_keys = desc->no_keys;
    sort.max_n = desc->max_n;
    return library_exit(clprims_sort_create(&plan->sort, job->device.context, &sort));
}

/* ---- The run ---- */

/* An element in no segment has the index -1. */
static void prepare_indices(cli_job *job, sort_plan *plan) {
    const cl_long none = -1;
    const cl_mem *const mem = &plan->buffers.indices.mem;
    job_output(job, "the indices", "-o", npy_vector(CLPRIMS_I64, false, plan->n),
               &plan->buffers.indices.mem);
    if (plan->segmented) JOB_TRY(job, device_fill(&job->device, *mem, &none, sizeof none, plan->n));
}

/* Each array is sorted in its own place. */
static void load(cli_job *job, const sort_inputs *in, sort_plan *plan) {
    clprims_segmented_sort_buffers *const b = &plan->buffers;
    const npy_input *const keys = in->keys, *const values = in->values;
    job_load(job, "the input", in->keys, &b->keys_in.mem);
    if (values->path) job_load(job, "the values", in->values, &b->payload_in[0].mem);
    b->payload_out[0] = b->payload_in[0];
    if (plan->segmented) {
        if (in->offsets->path) job_load(job, "the offsets", in->offsets, &b->offsets.mem);
        job_allocate(job, "the report", sizeof(clprims_segmented_sort_report), &b->report.mem);
    }
    if (job->command->variant == ARGSORT) {
        prepare_indices(job, plan);
        return;
    }
    b->keys_out = b->keys_in;
    job_result(job, "-o", npy_vector(keys->type, keys->is_bool, plan->n), b->keys_out.mem);
    job_result(job, "--values-out", npy_vector(values->type, values->is_bool, plan->n),
               b->payload_out[0].mem);
}

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const sort_plan *const p = self;
    const clprims_segmented_sort_buffers *const b = &p->buffers;
    clprims_sort_buffers buffers = {0};
    if (p->segmented != NULL)
        return clprims_segmented_sort_enqueue(p->segmented, queue, b, p->n, 0, NULL, event);
    buffers.keys_in = b->keys_in;
    buffers.keys_out = b->keys_out;
    buffers.payload_in[0] = b->payload_in[0];
    buffers.payload_out[0] = b->payload_out[0];
    buffers.indices = b->indices;
    return clprims_sort_enqueue(p->sort, queue, &buffers, p->n, 0, NULL, event);
}

static void check_report(cli_job *job, const npy_input *offsets, const sort_plan *plan) {
    const clprims_segmented_sort_buffers *const b = &plan->buffers;
    clprims_segmented_sort_report report = {0};
    job_read(job, b->report.mem, sizeof report, &report);
    if (report.fault == CLPRIMS_SEGMENTED_SORT_OFFSETS)
        offsets_complain(job, offsets, b->offsets.mem, report.index, plan->n);
    JOB_TRY(job, library_exit(clprims_segmented_sort_check(&report)));
}

/* How the elements were sorted. */
static int describe_plan(const sort_plan *plan, char *text, size_t bytes) {
    clprims_sort_info info = {0};
    clprims_segmented_sort_info segmented = {0};
    if (plan->segmented == NULL) {
        const int status = library_exit(clprims_sort_describe(plan->sort, plan->n, &info));
        if (status == EXIT_FINE)
            snprintf(text, bytes, "by %s (%s; %s)", clprims_sort_algorithm_name(info.algorithm),
                     info.variant, info.reason);
        return status;
    }
    const int status = library_exit(
        clprims_segmented_sort_describe(plan->segmented, plan->n, plan->buffers.sizes, &segmented));
    if (status == EXIT_FINE)
        snprintf(text, bytes, "in %zu segments (%s)", plan->segments, segmented.variant);
    return status;
}

/* The bytes that must move: inputs read once, results written once. */
static void print_stats(cli_job *job, const clprims_segmented_sort_desc *desc,
                        const sort_plan *plan) {
    char how[256] = "";
    const size_t key = clprims_type_bytes(desc->type);
    const size_t written = desc->no_keys ? sizeof(int64_t) : key;
    JOB_TRY(job, describe_plan(plan, how, sizeof how));
    job_print(job, CLI_BYTES, plan->n * (key + written + 2 * desc->payload_bytes[0]), "%zu %s %s",
              plan->n, clprims_type_name(desc->type), how);
}

static void run(cli_job *job) {
    clprims_segmented_sort_desc desc = {0};
    sort_plan plan = {0};
    const char *const values = job_text(job, "--values");
    if ((values != NULL) != (job_text(job, "--values-out") != NULL))
        JOB_TRY(job,
                complain(EXIT_USAGE, "--values and --values-out need each other; %s is not given",
                         values ? "--values-out" : "--values"));
    const sort_inputs in = open_inputs(job);
    describe(job, &in, &desc);
    plan.n = in.keys->n;
    describe_segments(job, &in, &plan, &desc);
    job_start(job);
    JOB_TRY(job, create(job, &desc, &plan));
    load(job, &in, &plan);
    job_run(job, submit, &plan);
    if (plan.segmented) check_report(job, in.offsets, &plan);
    job_store(job);
    print_stats(job, &desc, &plan);
    clprims_sort_destroy(plan.sort);
    clprims_segmented_sort_destroy(plan.segmented);
}

const cli_command sort_command = {
    .name = "sort",
    .summary = "the elements of an array in order, and others as these move",
    .purpose =
        "Sorts an array, as NumPy's sort with kind=\"stable\". NaN comes last, also when "
        "descending."
        "\nElements in no segment, before the first offset and from the last on, stay as they are.",
    OPTIONS(options),
    .variant = SORT,
    .run = run,
};

const cli_command argsort_command = {
    .name = "argsort",
    .summary = "the indices that would sort an array",
    .purpose =
        "Gives the indices, int64, that would sort an array, as NumPy's argsort with "
        "kind=\"stable\".\n"
        "NaN comes last, also when descending. With --offsets the indices of each segment are\n"
        "indices in the whole array, and -1 for elements in no segment.",
    OPTIONS(options),
    .variant = ARGSORT,
    .run = run,
};
