/* SPDX-License-Identifier: MIT */
/* clprims histogram: one .npy file in, how many of its elements are in each bin out, or the sums of
 * their weights; bins as numpy.histogram has them. */
#include "cli/chosen_device.h"
#include "cli/commands/commands.h"
#include "cli/message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct histogram_request {
    const char *bins, *range[2], *edges, *weights;
    const char *in;
    const char *out;
} histogram_request;

typedef struct histogram_job {
    clprims_histogram *histogram;
    clprims_buffer in, weights, out, report;
    size_t n; /* 0 where no element of the type is in any bin */
    size_t bins; /* of the output; the plan's are the first ones, the others stay 0 */
    clprims_type sums;
} histogram_job;

static bool read_request(histogram_request *request, cli_settings *common, int argc, char **argv,
                         int *exit_status) {
    const cli_option options[] = {
        {"--bins", "N", "number of bins of equal width, from the first to the last edge", OPTIONAL,
         &request->bins},
        {"--range", "LO HI", "these edges; HI itself is in the last bin", PAIR, request->range},
        {"--edges", "E.npy", "edges in ascending order, in place of --bins and --range", OPTIONAL,
         &request->edges},
        {"--weights", "W.npy", "array whose elements are added up, in place of ones", OPTIONAL,
         &request->weights},
        {"IN.npy", NULL, "one-dimensional array of bool, int8 to uint64, float32 or float64",
         REQUIRED, &request->in},
        {"-o", "COUNTS.npy", "where the counts or sums go, one for each bin", REQUIRED | OUTPUT,
         &request->out},
    };
    const cli_syntax syntax = {
        "histogram",
        "Counts the elements in each bin, as numpy.histogram: int64, or with --weights sums of\n"
        "integers as int64 or uint64, of floats in their type with the same bits on every device.\n"
        "Each bin includes its first edge; the last one also includes its last edge.\n"
        "Elements outside, NaN too, are left out.",
        options, sizeof options / sizeof *options};
    return arguments_read(&syntax, common, argc, argv, exit_status);
}

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

/* Reads the edges into *edges, which is to be freed; NULL if there is no such file. *wanted: the
 * bins that they make; *bins: those that the library is to have. */
static int read_edges(const char *path, clprims_type type, unsigned char **edges, size_t *wanted,
                      size_t *bins) {
    npy_input file = NPY_INPUT_INIT;
    unsigned char *values = NULL;
    int status = npy_open(&file, path);
    if (status == EXIT_FINE && file.n < 2)
        status = complain(EXIT_USAGE, "%s: %zu edges make no bin", file.path, file.n);
    if (status == EXIT_FINE && file.type != type && file.type != CLPRIMS_F64 &&
        file.type != CLPRIMS_I64)
        status = complain(
            EXIT_USAGE, "%s: %s edges for elements of %s; %s, float64 or int64 are needed",
            file.path, npy_type_name(&file), clprims_type_name(type), clprims_type_name(type));
    if (status == EXIT_FINE) {
        values = calloc(file.n, sizeof(double)); /* a pipe may claim more than can be counted */
        *edges = calloc(file.n, sizeof(double));
        if (!values || !*edges)
            status = complain(EXIT_DEVICE, "%s: no memory for its %zu edges", file.path, file.n);
    }
    if (status == EXIT_FINE)
        status = npy_read(&file, values, file.n * clprims_type_bytes(file.type));
    if (status == EXIT_FINE) status = npy_expect_end(&file);
    *wanted = *bins = file.n - 1;
    if (status == EXIT_FINE && file.type == type)
        memcpy(*edges, values, file.n * clprims_type_bytes(type));
    else if (status == EXIT_FINE)
        status = convert_edges(&file, type, values, *edges, bins);
    free(values);
    npy_close(&file);
    return status;
}

/* ---- The plan ---- */

static int read_range(const histogram_request *request, clprims_histogram_desc *desc) {
    uint64_t bins = 0;
    int status = EXIT_FINE;
    if (!request->bins || !request->range[1])
        return complain(EXIT_USAGE, "%s", "--bins and --range, or --edges, are needed");
    status = value_element("--bins", request->bins, CLPRIMS_U64, &bins);
    if (status == EXIT_FINE)
        status = value_element("--range", request->range[0], CLPRIMS_F64, &desc->least);
    if (status == EXIT_FINE)
        status = value_element("--range", request->range[1], CLPRIMS_F64, &desc->most);
    desc->bins = (size_t)bins;
    if (status != EXIT_FINE || desc->least != desc->most) return status;
    desc->least -= 0.5; /* as NumPy does */
    desc->most += 0.5;
    return EXIT_FINE;
}

static int describe(const histogram_request *request, const npy_input *input,
                    const npy_input *weights, clprims_histogram_desc *desc, unsigned char **edges,
                    histogram_job *job) {
    int status = EXIT_FINE;
    job->n = input->n;
    desc->type = input->type;
    desc->max_n = input->n > 0 ? input->n : 1;
    if (request->weights) desc->weights = weights->type;
    if (request->weights && weights->n != input->n)
        return complain(EXIT_USAGE, "%s has %zu elements, %s %zu", weights->path, weights->n,
                        input->path, input->n);
    if (!request->edges) {
        status = read_range(request, desc);
        job->bins = desc->bins;
        return status;
    }
    if (request->bins || request->range[0])
        return complain(EXIT_USAGE, "--edges stands in for --bins and --range; %s is too much",
                        request->bins ? "--bins" : "--range");
    desc->by = CLPRIMS_HISTOGRAM_EDGES;
    status = read_edges(request->edges, input->type, edges, &job->bins, &desc->bins);
    desc->edges = *edges;
    if (desc->bins == 0) {
        desc->bins = 1;
        job->n = 0;
    }
    return status;
}

static clprims_type sums_type(const clprims_histogram_desc *desc) {
    if (desc->weights == CLPRIMS_F32 || desc->weights == CLPRIMS_F64) return desc->weights;
    return desc->weights >= CLPRIMS_U8 ? CLPRIMS_U64 : CLPRIMS_I64;
}

/* ---- The run ---- */

static clprims_status submit(void *job, cl_command_queue queue, cl_event *event) {
    const histogram_job *const h = job;
    return clprims_histogram_enqueue(h->histogram, queue, h->in, h->weights, h->out, h->n,
                                     h->report, 0, NULL, event);
}

static int check_report(const cli_device *device, const histogram_job *job) {
    clprims_histogram_report report;
    const int status = device_read(device, "the report", job->report.mem, sizeof report, &report);
    return status == EXIT_FINE ? library_exit(clprims_histogram_check(&report)) : status;
}

static int print_stats(const cli_device *device, const clprims_histogram_desc *desc,
                       const histogram_job *job, double seconds) {
    char rate[128];
    clprims_histogram_info info = CLPRIMS_HISTOGRAM_INFO_INIT;
    const int status = library_exit(clprims_histogram_describe(job->histogram, job->n, &info));
    if (status != EXIT_FINE) return status;
    device_print_rate(rate, sizeof rate, seconds,
                      job->n *
                              (clprims_type_bytes(desc->type) + clprims_type_bytes(desc->weights)) +
                          job->bins * clprims_type_bytes(job->sums));
    remark("%zu bins of %zu %s (%s) on %s (%s layer): %s", job->bins, job->n,
           clprims_type_name(desc->type), info.variant, device->info.device.name,
           clprims_layer_name(device->info.layer), rate);
    return EXIT_FINE;
}

static int load(const cli_device *device, npy_input *input, const char *what, cl_mem *mem) {
    const int status =
        device_allocate(device, what, input->n * clprims_type_bytes(input->type), mem);
    return status == EXIT_FINE ? device_load(device, input, *mem) : status;
}

static int run_plan(const cli_device *device, npy_input *input, npy_input *weights,
                    const histogram_request *request, bool stats,
                    const clprims_histogram_desc *desc, histogram_job *job) {
    const cl_ulong zero = 0;
    double seconds = 0;
    job->sums = desc->sums;
    int status = load(device, input, "the input", &job->in.mem);
    if (status == EXIT_FINE && request->weights)
        status = load(device, weights, "the weights", &job->weights.mem);
    if (status == EXIT_FINE)
        status = device_allocate(device, "the counts", job->bins * clprims_type_bytes(job->sums),
                                 &job->out.mem);
    if (status == EXIT_FINE && desc->bins < job->bins)
        status = device_fill(device, "the counts", job->out.mem, &zero,
                             clprims_type_bytes(job->sums), job->bins);
    if (status == EXIT_FINE)
        status = device_allocate(device, "the report", sizeof(clprims_histogram_report),
                                 &job->report.mem);
    if (status == EXIT_FINE)
        status = device_run(device, submit, job, job->out.mem, stats ? &seconds : NULL);
    if (status == EXIT_FINE) status = check_report(device, job);
    if (status == EXIT_FINE)
        status = device_store(device, job->out.mem, request->out, job->sums, job->bins);
    if (status == EXIT_FINE && stats) status = print_stats(device, desc, job, seconds);
    return status;
}

int histogram_command(int argc, char **argv) {
    histogram_request request = {0};
    cli_settings common = {0};
    clprims_histogram_desc desc = CLPRIMS_HISTOGRAM_DESC_INIT;
    npy_input input = NPY_INPUT_INIT, weights = NPY_INPUT_INIT;
    cli_device device = {0};
    histogram_job job = {0};
    unsigned char *edges = NULL;
    int status = EXIT_FINE;
    if (!read_request(&request, &common, argc, argv, &status)) return status;
    status = npy_open(&input, request.in);
    if (status == EXIT_FINE && request.weights) status = npy_open(&weights, request.weights);
    if (status == EXIT_FINE) status = describe(&request, &input, &weights, &desc, &edges, &job);
    if (status == EXIT_FINE) status = device_open(&device, &common);
    if (status == EXIT_FINE) {
        desc.sums = sums_type(&desc);
        status = library_exit(clprims_histogram_create(&job.histogram, device.context, &desc));
    }
    if (status == EXIT_FINE)
        status = run_plan(&device, &input, &weights, &request, common.stats != NULL, &desc, &job);
    DEVICE_FREE(job.in.mem, job.weights.mem, job.out.mem, job.report.mem);
    clprims_histogram_destroy(job.histogram);
    device_close(&device);
    free(edges);
    npy_close(&weights);
    npy_close(&input);
    return status;
}
