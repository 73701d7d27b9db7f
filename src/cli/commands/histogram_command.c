/* SPDX-License-Identifier: MIT */
/* clprims histogram: one .npy file in, how many of its elements are in each bin out, or the sums of
 * their weights; bins as numpy.histogram has them. */
#include "cli/commands/commands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct histogram_plan {
    CLI_PLAN_MEMBERS(histogram) /* n: 0 where no element of the type is in any bin */
    size_t bins; /* of the output; the plan's are the first ones, the others stay 0 */
} histogram_plan;

CLI_SUBMIT(histogram)

static const cli_option options[] = {
    {"--bins", "N", "number of bins of equal width, from the first to the last edge", OPTIONAL},
    {"--range", "LO HI", "these edges; HI itself is in the last bin", PAIR},
    {"--edges", "E.npy", "edges in ascending order, in place of --bins and --range", OPTIONAL},
    {"--weights", "W.npy", "array whose elements are added up, in place of ones", OPTIONAL},
    OPTION_IN,
    {"-o", "COUNTS.npy", "where the counts or sums go, one for each bin", REQUIRED | OUTPUT},
};

/* ---- Edges ---- */

/*
 * Edges of another type than the elements. Bin k begins with the least element that is not below
 * edge k and ends before the one of edge k + 1; the last bin ends with the greatest element that is
 * not above the last edge. The library gets the edges of the bins up to the last one that has
 * elements, with that one's greatest element as its last edge: the library counts it in, too.
 */

/* The last element of a bin, or the one after it. */
typedef struct bin_end {
    double element;
    bool is_after;
} bin_end;

/* 1 more than the greatest element of an integer type. */
static double beyond(clprims_type type) {
    return ldexp(1, 8 * (int)clprims_type_bytes(type) - (type <= CLPRIMS_I64));
}

/* The least element that is not below the edge; beyond() where an integer type has none. */
static double least_from(clprims_type type, double edge) {
    if (type == CLPRIMS_F64) return edge;
    if (type == CLPRIMS_F32) {
        const float single = (float)edge;
        return (double)single < edge ? nextafterf(single, INFINITY) : single;
    }
    return fmin(fmax(ceil(edge), type <= CLPRIMS_I64 ? -beyond(type) : 0), beyond(type));
}

static bin_end end_at(clprims_type type, double edge, bool is_last) {
    if (!is_last) return (bin_end){least_from(type, edge), true};
    if (type < CLPRIMS_F32) {
        const double whole = fmin(floor(edge), beyond(type));
        return (bin_end){whole, whole == beyond(type)};
    }
    const float single = (float)edge;
    const float below = (double)single > edge ? nextafterf(single, -INFINITY) : single;
    return (bin_end){type == CLPRIMS_F32 ? (double)below : edge, false};
}

static void put_element(clprims_type type, bin_end at, unsigned char *to) {
    const size_t bytes = clprims_type_bytes(type);
    const float single = (float)at.element, before = nextafterf(single, -INFINITY);
    if (type == CLPRIMS_F64) {
        memcpy(to, &at.element, bytes);
    } else if (type == CLPRIMS_F32) {
        memcpy(to, at.is_after ? &before : &single, bytes);
    } else {
        uint64_t whole = 0; /* for 2^64, too */
        if (at.element < 0x1p64)
            whole = at.element < 0 ? (uint64_t)(int64_t)at.element : (uint64_t)at.element;
        whole -= at.is_after;
        memcpy(to, &whole, bytes); /* little endian, as npy.c makes sure */
    }
}

/* Converts float64 or int64 edges, as NumPy makes of a list. *bins: 0 if no element of the type is
 * in any bin. */
static int convert_edges(const npy_input *file, clprims_type type, const void *values,
                         unsigned char *edges, size_t *bins) {
    const size_t bytes = clprims_type_bytes(type);
    double least = 0, before = -INFINITY;
    bin_end last = {0, false};
    *bins = 0;
    for (size_t i = 0; i < file->n; ++i) {
        const double edge = file->type == CLPRIMS_I64 ? (double)((const int64_t *)values)[i]
                                                      : ((const double *)values)[i];
        const bin_end end = end_at(type, edge, i + 1 == file->n);
        if (!(edge >= before))
            return complain(EXIT_USAGE,
                            "%s: edge %zu, %.17g, is NaN or below the one before, %.17g",
                            file->path, i, edge, before);
        if (i > 0 && (end.is_after ? least < end.element : least <= end.element)) {
            *bins = i;
            last = end;
        }
        least = least_from(type, edge);
        before = edge;
        put_element(type, (bin_end){least, false}, edges + i * bytes);
    }
    put_element(type, last, edges + *bins * bytes);
    return EXIT_FINE;
}

static int check_edges(const npy_input *file, clprims_type type) {
    const clprims_type has = file->type;
    if (file->n < 2) return complain(EXIT_USAGE, "%s: %zu edges make no bin", file->path, file->n);
    if (has == type || has == CLPRIMS_F64 || has == CLPRIMS_I64) return EXIT_FINE;
    return complain(EXIT_USAGE, "%s: %s edges for elements of %s; %s, float64 or int64 are needed",
                    file->path, npy_type_name(file), clprims_type_name(type),
                    clprims_type_name(type));
}

/* Reads the edges of file->n - 1 bins into *edges, which is to be freed, for elements of a type.
 * *bins: the bins that the library is to have. */
static void read_edges(cli_job *job, npy_input *file, clprims_type type, unsigned char **edges,
                       size_t *bins) {
    const size_t bytes = clprims_type_bytes(file->type);
    JOB_TRY(job, check_edges(file, type));
    if (job->status != EXIT_FINE) return;
    /* A pipe may claim more than can be counted. */
    unsigned char *const values = calloc(file->n, sizeof(double));
    *edges = calloc(file->n, sizeof(double));
    if (!values || !*edges)
        job->status = complain(EXIT_DEVICE, "%s: no memory for its %zu edges", file->path, file->n);
    JOB_TRY(job, npy_read(file, values, file->n * bytes));
    JOB_TRY(job, npy_expect_end(file));
    *bins = file->n - 1;
    if (file->type != type)
        JOB_TRY(job, convert_edges(file, type, values, *edges, bins));
    else if (job->status == EXIT_FINE)
        memcpy(*edges, values, file->n * bytes);
    free(values);
}

/* ---- The plan ---- */

static void read_range(cli_job *job, clprims_histogram_desc *desc) {
    uint64_t bins = 0;
    const char *const *const range = job_pair(job, "--range");
    if (!job_text(job, "--bins") || !range[0])
        JOB_TRY(job, complain(EXIT_USAGE, "--bins and --range, or --edges, are needed"));
    JOB_TRY(job, value_element("--bins", job_text(job, "--bins"), CLPRIMS_U64, &bins));
    JOB_TRY(job, value_element("--range", range[0], CLPRIMS_F64, &desc->least));
    JOB_TRY(job, value_element("--range", range[1], CLPRIMS_F64, &desc->most));
    desc->bins = (size_t)bins;
    if (desc->least != desc->most) return;
    desc->least -= 0.5; /* as NumPy does */
    desc->most += 0.5;
}

/* Describes bins by edges, which are to be freed. */
static void describe_edges(cli_job *job, clprims_histogram_desc *desc, histogram_plan *plan,
                           unsigned char **edges) {
    const char *const unused = job_text(job, "--bins")    ? "--bins"
                               : job_text(job, "--range") ? "--range"
                                                          : NULL;
    if (unused)
        JOB_TRY(job, complain(EXIT_USAGE,
                              "--edges stands in for --bins and --range; %s is too much", unused));
    npy_input *const file = job_open(job, "--edges", NPY_ELEMENTS);
    desc->by = CLPRIMS_HISTOGRAM_EDGES;
    read_edges(job, file, desc->type, edges, &desc->bins);
    desc->edges = *edges;
    plan->bins = file->n - 1;
    if (desc->bins > 0) return;
    desc->bins = 1;
    plan->n = 0;
}

static clprims_type sums_type(clprims_type weights) {
    if (weights == CLPRIMS_F32 || weights == CLPRIMS_F64) return weights;
    return weights >= CLPRIMS_U8 ? CLPRIMS_U64 : CLPRIMS_I64;
}

static void describe(cli_job *job, const npy_input *in, const npy_input *weights,
                     clprims_histogram_desc *desc, histogram_plan *plan, unsigned char **edges) {
    plan->n = in->n;
    desc->type = in->type;
    desc->max_n = job_most(in->n);
    if (weights->path) desc->weights = weights->type;
    desc->sums = sums_type(desc->weights);
    if (weights->path && weights->n != in->n)
        JOB_TRY(job, complain(EXIT_USAGE, "%s has %zu elements, %s %zu", weights->path, weights->n,
                              in->path, in->n));
    if (job_text(job, "--edges")) {
        describe_edges(job, desc, plan, edges);
        return;
    }
    read_range(job, desc);
    plan->bins = desc->bins;
}

/* ---- The run ---- */

static void run_plan(cli_job *job, npy_input *in, npy_input *weights,
                     const clprims_histogram_desc *desc, histogram_plan *plan) {
    const size_t sum = clprims_type_bytes(desc->sums);
    const cl_ulong zero = 0;
    clprims_histogram_report report = {0};
    job_load(job, "the input", in, &plan->at.in.mem);
    if (weights->path) job_load(job, "the weights", weights, &plan->at.weights.mem);
    job_output(job, "the counts", "-o", npy_vector(desc->sums, false, plan->bins),
               &plan->at.out.mem);
    if (desc->bins < plan->bins)
        JOB_TRY(job, device_fill(&job->device, plan->at.out.mem, &zero, sum, plan->bins));
    job_run_reported(job, submit_histogram, plan, &plan->at.report.mem, &report, sizeof report);
    JOB_TRY(job, library_exit(clprims_histogram_check(&report)));
    job_store(job);
}

static void run(cli_job *job) {
    clprims_histogram_desc desc = {0};
    clprims_histogram_info info = {0};
    histogram_plan plan = {0};
    unsigned char *edges = NULL;
    npy_input *const in = job_open(job, "IN.npy", NPY_ELEMENTS);
    npy_input *const weights = job_open(job, "--weights", NPY_ELEMENTS);
    describe(job, in, weights, &desc, &plan, &edges);
    job_start(job);
    JOB_CREATE(job, histogram, &plan, &desc, NULL, NULL);
    run_plan(job, in, weights, &desc, &plan);
    JOB_TRY(job, library_exit(clprims_histogram_describe(plan.histogram, plan.n, &info)));
    job_print(job, CLI_BYTES,
              plan.n * (clprims_type_bytes(desc.type) + clprims_type_bytes(desc.weights)) +
                  plan.bins * clprims_type_bytes(desc.sums),
              "%zu bins of %zu %s (%s)", plan.bins, plan.n, clprims_type_name(desc.type),
              info.variant);
    clprims_histogram_destroy(plan.histogram);
    free(edges);
}

const cli_command histogram_command = {
    .name = "histogram",
    .summary = "how many elements of an array are in each bin, or the sums of their weights",
    .purpose =
        "Counts the elements in each bin, as numpy.histogram: int64, or with --weights sums of\n"
        "integers as int64 or uint64, of floats in their type with the same bits on every device.\n"
        "Each bin includes its first edge; the last one also includes its last edge.\n"
        "Elements outside, NaN too, are left out.",
    OPTIONS(options),
    .run = run,
};
