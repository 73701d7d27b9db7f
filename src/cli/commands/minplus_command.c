/* SPDX-License-Identifier: MIT */
/* clprims minplus: two matrices in, their min-plus product out. */
#include "cli/commands/commands.h"
#include "minplus/minplus_limits.h"

CLI_PLAN(minplus)

static const cli_option options[] = {
    {"--argmin", "K.npy", "where the lowest k of each minimum goes, int32; -1: no edge", OUTPUT},
    {"A.npy", NULL, "matrix of float32, float64, int32 or int64", REQUIRED},
    {"B.npy", NULL, "matrix of the same type, with as many rows as A has columns", REQUIRED},
    {"-o", "C.npy", "where min over k of A[i][k] + B[k][j] goes", REQUIRED | OUTPUT},
};

static int check_inputs(const npy_input *a, const npy_input *b) {
    if (a->type != b->type)
        return complain(EXIT_USAGE, "%s: its elements are %s, but those of %s %s", b->path,
                        clprims_type_name(b->type), a->path, clprims_type_name(a->type));
    if (a->columns != b->rows)
        return complain(EXIT_USAGE, "%s: it has %zu rows, but %s %zu columns", b->path, b->rows,
                        a->path, a->columns);
    if (b->columns > 0 && a->rows > SIZE_MAX / sizeof(double) / b->columns)
        return complain(EXIT_USAGE, "a product of %zu * %zu elements is more than can be counted",
                        a->rows, b->columns);
    return EXIT_FINE;
}

/* What clprims_minplus_run refuses, and clprims_minplus_enqueue takes for something else. */
static int check_lengths(const npy_input *input, const void *elements, size_t first, size_t count) {
    const bool wide = input->type == CLPRIMS_I64;
    const clp_minplus_limits limits = clp_minplus_limits_of(
        input->type, CLPRIMS_MIN_PLUS, clp_minplus_no_edge(input->type, CLPRIMS_MIN_PLUS, NULL));
    if (!clp_minplus_is_limited(input->type, CLPRIMS_MIN_PLUS)) return EXIT_FINE;
    for (size_t i = 0; i < count; ++i) {
        const int64_t length =
            wide ? ((const int64_t *)elements)[i] : ((const int32_t *)elements)[i];
        if (clp_minplus_is_within(&limits, length)) continue;
        return complain(EXIT_DATA,
                        "%s: element (%zu, %zu) is %lld; lengths are from %lld to %lld, and no "
                        "edge is %lld",
                        input->path, (first + i) / input->columns, (first + i) % input->columns,
                        (long long)length, (long long)limits.least, (long long)limits.most,
                        (long long)limits.no_edge);
    }
    return EXIT_FINE;
}

static void load(cli_job *job, const char *what, npy_input *input, clprims_matrix *to) {
    to->ld = input->columns;
    job_allocate(job, what, input->n * clprims_type_bytes(input->type), &to->mem);
    JOB_TRY(job, device_load(&job->device, input, to->mem, check_lengths));
}

static void run_plan(cli_job *job, npy_input *a, npy_input *b, minplus_plan *plan) {
    const size_t m = a->rows, n = b->columns;
    clprims_minplus_buffers *const buffers = &plan->at;
    plan->n = n;
    buffers->sizes = (clprims_minplus_sizes){.m = m, .k = a->columns};
    buffers->c.ld = buffers->argmin.ld = n;
    load(job, "A", a, &buffers->a);
    load(job, "B", b, &buffers->b);
    job_output(job, "C", "-o", npy_matrix(a->type, m, n), &buffers->c.mem);
    job_output(job, "argmin", "--argmin", npy_matrix(CLPRIMS_I32, m, n), &buffers->argmin.mem);
    job_run(job, submit_minplus, plan);
    job_store(job);
    job_print(job, CLI_PAIRS, m * n * a->columns, "%zu * %zu * %zu %s", m, n, a->columns,
              clprims_type_name(a->type));
}

static void run(cli_job *job) {
    clprims_minplus_desc desc = {0};
    minplus_plan plan = {0};
    npy_input *const a = job_open(job, "A.npy", NPY_MATRIX);
    npy_input *const b = job_open(job, "B.npy", NPY_MATRIX);
    JOB_TRY(job, check_inputs(a, b));
    desc.type = a->type;
    desc.argmin = job_text(job, "--argmin") != NULL;
    job_start(job);
    JOB_CREATE(job, minplus, &plan, &desc, NULL, NULL);
    run_plan(job, a, b, &plan);
    clprims_minplus_destroy(plan.minplus);
}

const cli_command minplus_command = {
    .name = "minplus",
    .summary = "the min-plus product of two matrices",
    .purpose =
        "Multiplies matrices with + for * and min for +. No edge is inf, or half of the\n"
        "integer's maximum; other int32 are from -2^29 to 2^29 - 1, int64 from -2^61 to 2^61 - 1.",
    OPTIONS(options),
    .run = run,
};
