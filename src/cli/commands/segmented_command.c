/* SPDX-License-Identifier: MIT */
/* clprims segreduce and segscan: an array and what says where its segments begin in; one element a
 * segment, or one an element, out. */
#include "cli/chosen_device.h"
#include "cli/combination.h"
#include "cli/commands/commands.h"
#include "cli/commands/offsets_input.h"
#include "cli/message.h"

typedef enum segmented_kind { REDUCE, SCAN } segmented_kind;

typedef struct segmented_request {
    const char *op, *accumulate, *init, *inclusive, *exclusive, *local_index;
    const char *offsets, *keys, *flags, *unique;
    const char *in;
    const char *out;
} segmented_request;

typedef struct segmented_job {
    clprims_segmented *plan;
    clprims_segmented_buffers buffers;
    npy_type result;
    size_t n, segments; /* a reduction's, as soon as they are known */
    size_t found; /* segments */
} segmented_job;

static const char *const names[] = {"segreduce", "segscan"};

/* ---- What is asked for ---- */

static size_t list_heads(segmented_request *request, cli_option *options) {
    size_t count = 0;
    options[count++] =
        (cli_option){"--offsets", "O.npy",
                     "int32 or int64: segment i goes from element O[i] to O[i + 1], excluded",
                     OPTIONAL, &request->offsets};
    options[count++] = (cli_option){
        "--keys", "K.npy", "a key for each element: neighbours with equal keys are one segment",
        OPTIONAL, &request->keys};
    options[count++] = (cli_option){"--flags", "F.npy",
                                    "a flag, bool or uint8, for each element: one that is not 0 "
                                    "begins a segment",
                                    OPTIONAL, &request->flags};
    return count;
}

static size_t list_options(segmented_kind kind, segmented_request *request, cli_option *options) {
    size_t count = list_heads(request, options);
    options[count++] = (cli_option){
        "--op", "NAME",
        kind == REDUCE ? "add (the default), min, max, mul, and, or, xor, argmin, argmax"
                       : "add (the default), min, max, mul, and, or, xor",
        OPTIONAL, &request->op};
    options[count++] =
        (cli_option){"--accumulate", "TYPE", "type of the running value and the result, e.g. int64",
                     OPTIONAL, &request->accumulate};
    options[count++] =
        (cli_option){"--init", "V",
                     kind == REDUCE ? "a value before the first element of each "
                                      "segment; of argmin and argmax: of an empty one"
                                    : "a value before the first element of each "
                                      "segment",
                     OPTIONAL, &request->init};
    if (kind == SCAN) {
        options[count++] = (cli_option){"--exclusive", NULL,
                                        "combine what comes before each element (the default)",
                                        OPTIONAL, &request->exclusive};
        options[count++] = (cli_option){"--inclusive", NULL, "combine up to and with each element",
                                        OPTIONAL, &request->inclusive};
    } else {
        options[count++] = (cli_option){"--local-index", NULL,
                                        "argmin, argmax: count from the segment's first element",
                                        OPTIONAL, &request->local_index};
        options[count++] =
            (cli_option){"--unique", "KEYS.npy", "with --keys: where each segment's key goes",
                         OUTPUT, &request->unique};
    }
    options[count++] = (cli_option){
        "IN.npy", NULL, "one-dimensional array of bool, int8 to uint64, float32 or float64",
        REQUIRED, &request->in};
    options[count++] = (cli_option){"-o", "OUT.npy", "where the result goes; may be the input",
                                    REQUIRED | OUTPUT, &request->out};
    return count;
}

static int check_request(const segmented_request *r) {
    const int heads = (r->offsets != NULL) + (r->keys != NULL) + (r->flags != NULL);
    if (heads == 0) return complain(EXIT_USAGE, "one of --offsets, --keys and --flags is needed");
    if (heads > 1) return complain(EXIT_USAGE, "--offsets, --keys and --flags exclude each other");
    if (r->unique && !r->keys) return complain(EXIT_USAGE, "--unique goes with --keys");
    if (r->inclusive && r->exclusive)
        return complain(EXIT_USAGE, "--inclusive and --exclusive exclude each other");
    return EXIT_FINE;
}

static bool read_request(segmented_kind kind, segmented_request *request, cli_settings *common,
                         int argc, char **argv, int *exit_status) {
    static const char *const purposes[] = {
        "Combines the elements of each segment of an array. An empty segment gives the operator's\n"
        "identity, True for min and and of bool, and -1 for argmin and argmax. Indices count from\n"
        "the array's first element.\n"
        "The result has the elements' type, in which sums wrap around, unless --accumulate names\n"
        "another; that of argmin and argmax is int64. bool counts as 0 and 1, and its sums and\n"
        "products are int64. min, max, argmin and argmax leave NaNs out.",
        "Combines the elements of each segment of an array one after another, from its first on.\n"
        "Elements in no segment, before the first offset and from the last on, give 0.\n"
        "The result has the elements' type, in which sums wrap around, unless --accumulate names\n"
        "another. bool counts as 0 and 1, and its sums and products are int64. min and max leave\n"
        "NaNs out."};
    cli_option options[12];
    const size_t count = list_options(kind, request, options);
    const cli_syntax syntax = {names[kind], purposes[kind], options, count};
    if (!arguments_read(&syntax, common, argc, argv, exit_status)) return false;
    *exit_status = check_request(request);
    return *exit_status == EXIT_FINE;
}

/* ---- The description ---- */

static bool is_arg(const clprims_segmented_desc *desc) {
    return desc->op == CLPRIMS_ARGMIN || desc->op == CLPRIMS_ARGMAX;
}

/* init: room for the value that the description then points to. */
static int describe_operation(segmented_kind kind, const segmented_request *request,
                              const npy_input *input, clprims_segmented_desc *desc,
                              npy_type *result, uint64_t *init) {
    int status = kind == REDUCE ? value_reduction("--op", request->op, &desc->op)
                                : value_op("--op", request->op, &desc->op);
    if (status == EXIT_FINE)
        status = running_type(input, desc->op, request->accumulate, false, result);
    if (status != EXIT_FINE) return status;
    desc->type = input->type;
    desc->accumulator = result->type;
    if (request->local_index && !is_arg(desc))
        return complain(EXIT_USAGE, "--local-index goes with --op argmin and argmax, not %s",
                        clprims_op_name(desc->op));
    desc->local_index = request->local_index != NULL;
    desc->result = kind == REDUCE       ? CLPRIMS_SEGMENTED_REDUCE
                   : request->inclusive ? CLPRIMS_SEGMENTED_INCLUSIVE
                                        : CLPRIMS_SEGMENTED_EXCLUSIVE;
    if (is_arg(desc)) *result = (npy_type){CLPRIMS_I64, false};
    return running_init(request->init, desc->op, *result, init, &desc->init);
}

static int describe_heads(const segmented_request *request, const npy_input *input,
                          const npy_input *heads, clprims_segmented_desc *desc,
                          segmented_job *job) {
    job->n = input->n;
    desc->max_n = input->n > 0 ? input->n : 1;
    desc->by = request->offsets ? CLPRIMS_SEGMENTS_OFFSETS
               : request->keys  ? CLPRIMS_SEGMENTS_KEYS
                                : CLPRIMS_SEGMENTS_FLAGS;
    if (!request->flags) desc->heads_type = heads->type;
    desc->unique_keys = request->unique != NULL;
    if (!request->offsets) {
        if (heads->n == input->n) return EXIT_FINE;
        return complain(EXIT_USAGE, "%s: it has %zu %s for the %zu elements of %s", heads->path,
                        heads->n, request->keys ? "keys" : "flags", input->n, input->path);
    }
    const int status = offsets_check_input(heads);
    if (status != EXIT_FINE) return status;
    job->segments = desc->max_segments = heads->n - 1;
    return EXIT_FINE;
}

/* ---- The run ---- */

static int allocate_inputs(const cli_device *device, const clprims_segmented_desc *desc,
                           const npy_input *heads, segmented_job *job) {
    clprims_segmented_buffers *const b = &job->buffers;
    const size_t heads_bytes = heads->n * clprims_type_bytes(heads->type);
    *b = (clprims_segmented_buffers)CLPRIMS_SEGMENTED_BUFFERS_INIT;
    int status =
        device_allocate(device, "the input", job->n * clprims_type_bytes(desc->type), &b->in.mem);
    if (status == EXIT_FINE)
        status = device_allocate(device, "what the segments begin by", heads_bytes, &b->heads.mem);
    if (status == EXIT_FINE)
        status = device_allocate(device, "the count", sizeof(cl_ulong), &b->count.mem);
    if (status == EXIT_FINE)
        status =
            device_allocate(device, "the report", sizeof(clprims_segmented_report), &b->report.mem);
    return status;
}

static int allocate_outputs(const cli_device *device, const clprims_segmented_desc *desc,
                            const npy_input *heads, segmented_job *job) {
    clprims_segmented_buffers *const b = &job->buffers;
    const size_t outputs = desc->result == CLPRIMS_SEGMENTED_REDUCE ? job->segments : job->n;
    const size_t bytes = clprims_type_bytes(job->result.type);
    if (outputs > SIZE_MAX / bytes)
        return complain(EXIT_USAGE, "%zu elements of %s have more bytes than can be counted",
                        outputs, clprims_type_name(job->result.type));
    const int status = device_allocate(device, "the output", outputs * bytes, &b->out.mem);
    if (status != EXIT_FINE || !desc->unique_keys) return status;
    return device_allocate(device, "the unique keys",
                           job->segments * clprims_type_bytes(heads->type), &b->keys.mem);
}

/* A scan by offsets leaves elements in no segment as they are, so that they are 0 then. */
static int clear_output(const cli_device *device, const clprims_segmented_desc *desc,
                        const segmented_job *job) {
    const cl_ulong zero = 0;
    if (desc->result == CLPRIMS_SEGMENTED_REDUCE || desc->by != CLPRIMS_SEGMENTS_OFFSETS)
        return EXIT_FINE;
    return device_fill(device, "the output", job->buffers.out.mem, &zero,
                       clprims_type_bytes(desc->accumulator), job->n);
}

static clprims_status submit(void *job, cl_command_queue queue, cl_event *event) {
    const segmented_job *const s = job;
    return clprims_segmented_enqueue(s->plan, queue, &s->buffers, s->n, s->segments, 0, NULL,
                                     event);
}

static int check_report(const cli_device *device, const npy_input *heads, segmented_job *job) {
    clprims_segmented_report report;
    int status = device_read(device, "the report", job->buffers.report.mem, sizeof report, &report);
    if (status == EXIT_FINE && report.fault == CLPRIMS_SEGMENTED_OFFSETS)
        return offsets_complain(device, heads, job->buffers.heads.mem, report.index, job->n);
    if (status == EXIT_FINE) status = library_exit(clprims_segmented_check(&report));
    if (status == EXIT_FINE && report.segments >= 0) job->found = (size_t)report.segments;
    return status;
}

/* By keys and flags, a run without room for outputs says how many segments need room. */
static int count_segments(const cli_device *device, const clprims_segmented_desc *desc,
                          const npy_input *heads, segmented_job *job) {
    if (desc->result != CLPRIMS_SEGMENTED_REDUCE || desc->by == CLPRIMS_SEGMENTS_OFFSETS)
        return EXIT_FINE;
    int status = device_run(device, submit, job, job->buffers.count.mem, NULL);
    if (status == EXIT_FINE) status = check_report(device, heads, job);
    job->segments = job->found;
    return status;
}

static int run_plan(const cli_device *device, const clprims_segmented_desc *desc, npy_input *input,
                    npy_input *heads, double *seconds, segmented_job *job) {
    int status = allocate_inputs(device, desc, heads, job);
    if (status == EXIT_FINE) status = device_load(device, input, job->buffers.in.mem);
    if (status == EXIT_FINE) status = device_load(device, heads, job->buffers.heads.mem);
    if (status == EXIT_FINE) status = count_segments(device, desc, heads, job);
    if (status == EXIT_FINE) status = allocate_outputs(device, desc, heads, job);
    if (status == EXIT_FINE) status = clear_output(device, desc, job);
    if (status == EXIT_FINE)
        status = device_run(device, submit, job, job->buffers.count.mem, seconds);
    return status == EXIT_FINE ? check_report(device, heads, job) : status;
}

static int store(const cli_device *device, const clprims_segmented_desc *desc,
                 const segmented_request *request, const npy_input *heads,
                 const segmented_job *job) {
    const bool scans = desc->result != CLPRIMS_SEGMENTED_REDUCE;
    const device_result results[] = {
        {job->buffers.out.mem, request->out, job->result.type, 1, scans ? job->n : job->found, 1,
         job->result.is_bool},
        {job->buffers.keys.mem, request->unique, heads->type, 1, job->found, 1, heads->is_bool}};
    return device_store_all(device, results, request->unique ? 2 : 1);
}

/* The bytes that must move: elements, what the segments begin by, and the outputs. */
static int print_stats(const cli_device *device, const clprims_segmented_desc *desc,
                       const npy_input *heads, const segmented_job *job, double seconds) {
    char rate[128];
    clprims_segmented_info info = CLPRIMS_SEGMENTED_INFO_INIT;
    const size_t segments = desc->by == CLPRIMS_SEGMENTS_OFFSETS ? job->segments : 0;
    const int status = library_exit(clprims_segmented_describe(job->plan, job->n, segments, &info));
    if (status != EXIT_FINE) return status;
    const size_t head = clprims_type_bytes(heads->type);
    const bool reduces = desc->result == CLPRIMS_SEGMENTED_REDUCE;
    const size_t outputs = reduces ? job->found : job->n;
    device_print_rate(rate, sizeof rate, seconds,
                      job->n * clprims_type_bytes(desc->type) + heads->n * head +
                          outputs * clprims_type_bytes(job->result.type) +
                          (desc->unique_keys ? job->found * head : 0));
    remark("%s of %zu %s in %s (%s) on %s (%s layer): %s", clprims_op_name(desc->op), job->n,
           clprims_type_name(desc->type), clprims_type_name(desc->accumulator), info.variant,
           device->info.device.name, clprims_layer_name(device->info.layer), rate);
    return EXIT_FINE;
}

static void release(segmented_job *job) {
    const clprims_segmented_buffers *const b = &job->buffers;
    DEVICE_FREE(b->in.mem, b->heads.mem, b->out.mem, b->keys.mem, b->count.mem, b->report.mem);
    clprims_segmented_destroy(job->plan);
}

static int open_heads(const segmented_request *request, npy_input *heads) {
    if (request->flags) return npy_open_flags(heads, request->flags);
    return npy_open(heads, request->keys ? request->keys : request->offsets);
}

static int run(segmented_kind kind, int argc, char **argv) {
    segmented_request request = {0};
    cli_settings common = {0};
    clprims_segmented_desc desc = CLPRIMS_SEGMENTED_DESC_INIT;
    npy_input input = NPY_INPUT_INIT, heads = NPY_INPUT_INIT;
    cli_device device = {0};
    segmented_job job = {0};
    double seconds = 0;
    uint64_t init = 0;
    int status = EXIT_FINE;
    if (!read_request(kind, &request, &common, argc, argv, &status)) return status;
    const bool stats = common.stats != NULL;
    status = npy_open(&input, request.in);
    if (status == EXIT_FINE) status = open_heads(&request, &heads);
    if (status == EXIT_FINE)
        status = describe_operation(kind, &request, &input, &desc, &job.result, &init);
    if (status == EXIT_FINE) status = describe_heads(&request, &input, &heads, &desc, &job);
    if (status == EXIT_FINE) status = device_open(&device, &common);
    if (status == EXIT_FINE)
        status = library_exit(clprims_segmented_create(&job.plan, device.context, &desc));
    if (status == EXIT_FINE)
        status = run_plan(&device, &desc, &input, &heads, stats ? &seconds : NULL, &job);
    if (status == EXIT_FINE) status = store(&device, &desc, &request, &heads, &job);
    if (status == EXIT_FINE && stats) status = print_stats(&device, &desc, &heads, &job, seconds);
    release(&job);
    device_close(&device);
    npy_close(&heads);
    npy_close(&input);
    return status;
}

int segreduce_command(int argc, char **argv) {
    return run(REDUCE, argc, argv);
}

int segscan_command(int argc, char **argv) {
    return run(SCAN, argc, argv);
}
