/* SPDX-License-Identifier: MIT */
/* clprims offsets: two .npy files of intervals in, or one of counts; where each part begins, out.
 */
#include "cli/chosen_device.h"
#include "cli/commands/commands.h"
#include "cli/message.h"

typedef struct offsets_request {
    const char *counts;
    const char *starts_first;
    const char *stops_first;
    const char *length;
    const char *starts;
    const char *stops;
    const char *out;
} offsets_request;

typedef struct offsets_job {
    clprims_offsets *offsets;
    clprims_buffer starts; /* no memory: the stops are counts */
    clprims_buffer stops;
    clprims_buffer out;
    clprims_buffer report;
    size_t n;
} offsets_job;

static bool read_request(offsets_request *request, cli_settings *common, int argc, char **argv,
                         int *exit_status) {
    const cli_option options[] = {
        {"--counts", "COUNTS.npy", "how long each part is, in place of STARTS.npy and STOPS.npy",
         OPTIONAL, &request->counts},
        {"--starts-first", "A", "the first interval begins at element A of STARTS.npy; else at 0",
         OPTIONAL, &request->starts_first},
        {"--stops-first", "B", "it ends at element B of STOPS.npy; else at 0", OPTIONAL,
         &request->stops_first},
        {"--length", "N", "how many intervals or counts there are; else all from the first on",
         OPTIONAL, &request->length},
        {"STARTS.npy", NULL, "where each interval begins, of any integer type", OPTIONAL,
         &request->starts},
        {"STOPS.npy", NULL, "where it ends, of the same type", OPTIONAL, &request->stops},
        {"-o", "OFFSETS.npy", "where the offsets go: int64, one more than intervals",
         REQUIRED | OUTPUT, &request->out},
    };
    const cli_syntax syntax = {"offsets",
                               "Sums up the lengths of intervals: part i goes from offsets[i] to\n"
                               "offsets[i + 1].",
                               options, sizeof options / sizeof *options};
    if (!arguments_read(&syntax, common, argc, argv, exit_status)) return false;
    *exit_status = EXIT_USAGE;
    if (!request->counts && !request->stops)
        complain(EXIT_USAGE, "%s missing; --counts takes the place of both",
                 request->starts ? "STOPS.npy is" : "STARTS.npy and STOPS.npy are");
    else if (request->counts && (request->starts || request->starts_first || request->stops_first))
        complain(EXIT_USAGE, "--counts and %s exclude each other",
                 request->starts         ? "STARTS.npy"
                 : request->starts_first ? "--starts-first"
                                         : "--stops-first");
    else
        *exit_status = EXIT_FINE;
    return *exit_status == EXIT_FINE;
}

/* ---- Sizes ---- */

/* An option's number of elements, at most `most`; what: of which array that is the size. */
static int read_size(const char *option, const char *text, const npy_input *input, size_t most,
                     size_t *size) {
    uint64_t value = *size;
    if (!text) return EXIT_FINE;
    const int status = value_element(option, text, CLPRIMS_U64, &value);
    if (status != EXIT_FINE) return status;
    if (value > most)
        return complain(EXIT_USAGE, "%s %s is too large: %s has %zu elements%s", option, text,
                        input->path, most, most < input->n ? " from its first on" : "");
    *size = (size_t)value;
    return EXIT_FINE;
}

static int check_types(const npy_input *starts, const npy_input *stops) {
    if (stops->type >= CLPRIMS_F32)
        return complain(EXIT_USAGE, "%s: its elements are %s; offsets come from integers",
                        stops->path, npy_type_name(stops));
    if (starts->path && starts->type != stops->type)
        return complain(EXIT_USAGE, "%s: its elements are %s, but those of %s %s", stops->path,
                        npy_type_name(stops), starts->path, npy_type_name(starts));
    return EXIT_FINE;
}

static int find_sizes(const offsets_request *request, const npy_input *starts,
                      const npy_input *stops, offsets_job *job) {
    int status = EXIT_FINE;
    if (starts->path)
        status = read_size("--starts-first", request->starts_first, starts, starts->n,
                           &job->starts.first);
    if (status == EXIT_FINE)
        status =
            read_size("--stops-first", request->stops_first, stops, stops->n, &job->stops.first);
    if (status != EXIT_FINE) return status;
    const size_t to_end = stops->n - job->stops.first;
    const size_t starts_to_end = starts->path ? starts->n - job->starts.first : to_end;
    if (!request->length && starts_to_end != to_end)
        return complain(EXIT_USAGE,
                        "%s has %zu elements from its first on, but %s %zu; --length says how many "
                        "count",
                        starts->path, starts_to_end, stops->path, to_end);
    job->n = to_end;
    if (starts->path)
        status = read_size("--length", request->length, starts, starts_to_end, &job->n);
    if (status == EXIT_FINE)
        status = read_size("--length", request->length, stops, to_end, &job->n);
    return status;
}

/* ---- The run ---- */

static clprims_status submit(void *job, cl_command_queue queue, cl_event *event) {
    const offsets_job *const o = job;
    return clprims_offsets_enqueue(o->offsets, queue, o->starts, o->stops, o->out, o->n, o->report,
                                   0, NULL, event);
}

/* An element as text, from where the device still has it. */
static int read_element(const cli_device *device, const clprims_buffer *array, clprims_type type,
                        size_t i, char text[VALUE_CHARS]) {
    const size_t bytes = clprims_type_bytes(type);
    uint64_t value = 0;
    const int status =
        device_read_at(device, "an element", array->mem, (array->first + i) * bytes, bytes, &value);
    if (status == EXIT_FINE) value_print(type, &value, text);
    return status;
}

/* With the values, which the library's report does not hold. */
static int refuse_interval(const cli_device *device, const offsets_job *job, clprims_type type,
                           size_t i) {
    char start[VALUE_CHARS], stop[VALUE_CHARS];
    int status = read_element(device, &job->stops, type, i, stop);
    if (status == EXIT_FINE && !job->starts.mem)
        return complain(EXIT_DATA, "counts[%zu] = %s is negative", i, stop);
    if (status == EXIT_FINE) status = read_element(device, &job->starts, type, i, start);
    if (status != EXIT_FINE) return status;
    return complain(EXIT_DATA, "stops[%zu] = %s is less than starts[%zu] = %s, at i = %zu",
                    job->stops.first + i, stop, job->starts.first + i, start, i);
}

static int check_report(const cli_device *device, const offsets_job *job, clprims_type type) {
    clprims_offsets_report report;
    const int status = device_read(device, "the report", job->report.mem, sizeof report, &report);
    if (status != EXIT_FINE) return status;
    if (report.fault == CLPRIMS_OFFSETS_INTERVAL)
        return refuse_interval(device, job, type, (size_t)report.index);
    return library_exit(clprims_offsets_check(&report));
}

static int load(const cli_device *device, const char *what, npy_input *input, cl_mem *mem) {
    const int status =
        device_allocate(device, what, input->n * clprims_type_bytes(input->type), mem);
    return status == EXIT_FINE ? device_load(device, input, *mem) : status;
}

static int print_stats(const cli_device *device, const offsets_job *job, clprims_type type,
                       double seconds) {
    clprims_offsets_info info = CLPRIMS_OFFSETS_INFO_INIT;
    const int status = library_exit(clprims_offsets_describe(job->offsets, job->n, &info));
    if (status != EXIT_FINE) return status;
    const bool counts = job->starts.mem == NULL;
    char rate[128];
    device_print_rate(rate, sizeof rate, seconds,
                      job->n * clprims_type_bytes(type) * (counts ? 1 : 2) +
                          (job->n + 1) * sizeof(int64_t));
    remark("%zu %s %s by %s (%s) on %s (%s layer): %s", job->n, clprims_type_name(type),
           counts ? "counts" : "intervals", clprims_algorithm_name(info.algorithm), info.variant,
           device->info.device.name, clprims_layer_name(device->info.layer), rate);
    return EXIT_FINE;
}

static int run_plan(const cli_device *device, npy_input *starts, npy_input *stops, const char *out,
                    bool stats, offsets_job *job) {
    double seconds = 0;
    int status = EXIT_FINE;
    if (starts->path) status = load(device, "the starts", starts, &job->starts.mem);
    if (status == EXIT_FINE) status = load(device, "the stops", stops, &job->stops.mem);
    if (status == EXIT_FINE)
        status =
            device_allocate(device, "the offsets", (job->n + 1) * sizeof(int64_t), &job->out.mem);
    if (status == EXIT_FINE)
        status =
            device_allocate(device, "the report", sizeof(clprims_offsets_report), &job->report.mem);
    if (status == EXIT_FINE)
        status = device_run(device, submit, job, job->out.mem, stats ? &seconds : NULL);
    if (status == EXIT_FINE) status = check_report(device, job, stops->type);
    if (status == EXIT_FINE)
        status = device_store(device, job->out.mem, out, CLPRIMS_I64, job->n + 1);
    if (status == EXIT_FINE && stats) status = print_stats(device, job, stops->type, seconds);
    return status;
}

int offsets_command(int argc, char **argv) {
    offsets_request request = {0};
    cli_settings common = {0};
    clprims_offsets_desc desc = CLPRIMS_OFFSETS_DESC_INIT;
    npy_input starts = NPY_INPUT_INIT, stops = NPY_INPUT_INIT;
    cli_device device = {0};
    offsets_job job = {0};
    int status = EXIT_FINE;
    if (!read_request(&request, &common, argc, argv, &status)) return status;
    if (request.starts) status = npy_open(&starts, request.starts);
    if (status == EXIT_FINE)
        status = npy_open(&stops, request.counts ? request.counts : request.stops);
    if (status == EXIT_FINE) status = check_types(&starts, &stops);
    if (status == EXIT_FINE) status = find_sizes(&request, &starts, &stops, &job);
    if (status == EXIT_FINE) status = device_open(&device, &common);
    desc.type = stops.type;
    desc.counts = request.counts != NULL;
    desc.max_n = job.n > 0 ? job.n : 1;
    if (status == EXIT_FINE)
        status = library_exit(clprims_offsets_create(&job.offsets, device.context, &desc));
    if (status == EXIT_FINE)
        status = run_plan(&device, &starts, &stops, request.out, common.stats != NULL, &job);
    DEVICE_FREE(job.starts.mem, job.stops.mem, job.out.mem, job.report.mem);
    clprims_offsets_destroy(job.offsets);
    device_close(&device);
    npy_close(&starts);
    npy_close(&stops);
    return status;
}
