/* SPDX-License-Identifier: MIT */
/* The scan suite: every case of scan_data.c, exclusive and inclusive, by each algorithm asked for.
 */
#include "core/test_hooks.h"
#include "inputs/scan_check.h"
#include "suites/suites.h"
#include <stdio.h>

enum { NAME_CHARS = 48 };

/* One case with its buffers and the times of the copies that it is compared with. */
typedef struct subject {
    bench *b;
    const scan_case *what;
    cl_mem in, out;
    size_t sizes[BENCH_MAX_SIZES];
    size_t size_count;
    double copy[BENCH_MAX_SIZES];
    scan_check *check;
} subject;

typedef struct scan_job {
    clprims_scan *scan;
    const subject *of;
    size_t n;
} scan_job;

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const scan_job *job = self;
    const scan_case *what = job->of->what;
    const clprims_buffer in = {job->of->in, what->in_first};
    const clprims_buffer out = {job->of->out, what->out_first};
    return clprims_scan_enqueue(job->scan, queue, &(clprims_scan_buffers){.in = in, .out = out},
                                job->n, 0, NULL, event);
}

static const char *print_name(const scan_case *what, bool inclusive, char name[NAME_CHARS]) {
    snprintf(name, NAME_CHARS, "%s %s", what->name, inclusive ? "incl" : "excl");
    return name;
}

static bool is_wanted(const bench *b, const scan_case *what, bool inclusive) {
    char name[NAME_CHARS];
    return (inclusive ? what->inclusive : what->exclusive) &&
           bench_wanted(&b->options, print_name(what, inclusive, name));
}

/* The row's method and variant. */
static clprims_status name_method(const clprims_scan *scan, bench_row *row) {
    clprims_scan_info info = {0};
    const clprims_status status = clprims_scan_describe(scan, row->n, &info);
    row->method = clprims_algorithm_name(info.algorithm);
    row->variant = info.variant;
    return status;
}

static void measure_size(subject *s, clprims_scan *scan, bool inclusive, size_t k) {
    bench *b = s->b;
    const scan_case *what = s->what;
    const size_t n = s->sizes[k];
    scan_job job = {scan, s, n};
    const bench_job timed = {submit, &job};
    char name[NAME_CHARS], fault[BENCH_FAULT_CHARS] = "", count[24];
    print_name(what, inclusive, name);
    bench_row row = {.suite = "scan", .name = name, .n = n};
    row.bytes = (double)n * (double)(what->in_bytes + what->out_bytes);
    bench_step("scan %s, n = %s: verifying", name, bench_count_text(n, count));
    bench_buffer_poison(b, s->out, (what->out_first + n) * what->out_bytes);
    clprims_status status = name_method(scan, &row);
    if (status == CLPRIMS_OK) status = bench_once(b, timed);
    const bench_result result = {.b = b, .buffers = {s->out}};
    if (status == CLPRIMS_OK &&
        scan_check_result(s->check, n, inclusive, &result, fault, sizeof fault)) {
        bench_step("scan %s, n = %s: timing", name, count);
        if (s->copy[k] <= 0) s->copy[k] = bench_copy_seconds(b, row.bytes);
        row.copy_seconds = s->copy[k];
        status = bench_measure(b, timed, &row.time);
    }
    bench_row_conclude(b, &row, status, fault);
}

/* Creates the plan; returns NULL, with the reason reported, where that fails. */
static clprims_scan *create(subject *s, bool inclusive, clprims_algorithm algorithm,
                            clprims_scan_info *info) {
    const scan_case *what = s->what;
    const size_t most = s->sizes[s->size_count - 1];
    clprims_scan_desc desc = {0};
    desc.type = what->type;
    desc.accumulator = what->accumulator;
    desc.op = what->op;
    desc.inclusive = inclusive;
    desc.max_n = most;
    desc.algorithm = algorithm;
    if (what->custom.type_name != NULL || what->custom.op != NULL) desc.custom = what->custom;
    desc.fast_floats = what->fast_floats;
    desc.tuning = what->means;
    clprims_scan *scan = NULL;
    bench_step("scan %s: creating the plan", what->name);
    clp_test_hooks_set(&(clp_test_hooks){.capability = what->capability});
    clprims_status status = clprims_scan_create(&scan, s->b->context, &desc);
    clp_test_hooks_set(NULL);
    if (status == CLPRIMS_OK) status = clprims_scan_describe(scan, most, info);
    if (status == CLPRIMS_OK) return scan;
    const clprims_error *error = clprims_last_error();
    const char *method = clprims_algorithm_name(algorithm);
    if (status == CLPRIMS_ERR_UNSUPPORTED) {
        bench_note("%s by %s is skipped: %s", what->name, method, error->message);
        s->b->skipped++;
    } else {
        if (error->build_log[0] != '\0') fprintf(stderr, "%s\n", error->build_log);
        bench_row_report(s->b, &(bench_row){.suite = "scan",
                                            .name = what->name,
                                            .method = method,
                                            .n = most,
                                            .fault = error->message,
                                            .failed = true});
    }
    return NULL;
}

static void measure_plan(subject *s, bool inclusive, clprims_algorithm algorithm,
                         clprims_algorithm *chosen) {
    clprims_scan_info info = {0};
    clprims_scan *scan = create(s, inclusive, algorithm, &info);
    if (scan == NULL) return;
    if (algorithm == CLPRIMS_ALGORITHM_AUTO) *chosen = info.algorithm;
    for (size_t k = 0; k < s->size_count; k++) measure_size(s, scan, inclusive, k);
    clprims_scan_destroy(scan);
}

/* Measures AUTO, then each algorithm that --algorithms names, except the one that AUTO took. */
static void measure_direction(subject *s, bool inclusive) {
    static const clprims_algorithm algorithms[] = {
        CLPRIMS_ALGORITHM_LOOKAHEAD, CLPRIMS_ALGORITHM_LOOKBACK,
        CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK, CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN};
    const char *wanted = s->b->options.algorithms;
    clprims_algorithm chosen = CLPRIMS_ALGORITHM_AUTO;
    if (s->what->algorithm != CLPRIMS_ALGORITHM_AUTO) {
        measure_plan(s, inclusive, s->what->algorithm, &chosen);
        return;
    }
    measure_plan(s, inclusive, CLPRIMS_ALGORITHM_AUTO, &chosen);
    for (size_t k = 0; k < sizeof algorithms / sizeof *algorithms; k++)
        if (algorithms[k] != chosen &&
            (bench_names_have(wanted, "all") ||
             bench_names_have(wanted, clprims_algorithm_name(algorithms[k]))))
            measure_plan(s, inclusive, algorithms[k], &chosen);
}

/* ---- Beside other libraries ---------------------------------------------------------------------
 */

typedef struct beside_size {
    const subject *of;
    size_t n;
} beside_size;

static void fill_beside(void *self, int input, size_t first, size_t count, void *to) {
    const beside_size *it = self;
    (void)input;
    it->of->what->fill(to, first, count);
}

static bool verify_beside(void *self, const bench_result *result, char *fault, size_t fault_bytes) {
    const beside_size *it = self;
    return scan_check_result(it->of->check, it->n, false, result, fault, fault_bytes);
}

/* Peers do exclusive sums of one type. */
static void measure_beside(subject *s) {
    const scan_case *what = s->what;
    char name[NAME_CHARS];
    if (what->op != CLPRIMS_ADD || what->type != what->accumulator) return;
    if (scan_is_variant(what) || !is_wanted(s->b, what, false)) return;
    print_name(what, false, name);
    for (size_t k = 0; k < s->size_count; k++) {
        const size_t n = s->sizes[k];
        beside_size self = {s, n};
        beside_job job = {.suite = "scan", .name = name, .self = &self};
        job.task = (peer_task){.primitive = PEER_SCAN, .type = (peer_type)what->type, .n = n};
        job.task.in_bytes[0] = n * what->in_bytes;
        job.task.out_bytes[0] = n * what->out_bytes;
        job.in_element_bytes[0] = what->in_bytes;
        job.bytes = (double)n * (double)(what->in_bytes + what->out_bytes);
        job.copy_seconds = s->copy[k];
        job.fill = fill_beside;
        job.verify = verify_beside;
        bench_beside(s->b, &job);
    }
}

static void choose_sizes(subject *s) {
    const bench *b = s->b;
    const double in = (double)s->what->in_bytes, out = (double)s->what->out_bytes;
    const bool quick = b->options.quick;
    const unsigned first = b->is_cpu ? 12 : 10;
    const unsigned last = b->is_cpu ? (quick ? 20 : 24) : (quick ? 26 : 30);
    const unsigned step = b->is_cpu || quick ? 4 : 2;
    size_t sizes[BENCH_MAX_SIZES];
    const size_t count = bench_sizes(&b->options, 2, first, last, step, sizes);
    for (size_t k = 0; k < count; k++) {
        const double n = (double)sizes[k];
        char text[24];
        /* Input and result, as much again for a peer, and the two buffers of the copy. */
        if (!bench_fits(b, n * (in > out ? in : out), 3 * n * (in + out))) {
            bench_note("%s: %s elements and more do not fit the device", s->what->name,
                       bench_count_text(sizes[k], text));
            break;
        }
        s->sizes[s->size_count++] = sizes[k] + s->what->more;
    }
}

static void measure_case(bench *b, const scan_case *what) {
    subject s = {.b = b, .what = what};
    if (b->is_cpu && what->algorithm != CLPRIMS_ALGORITHM_AUTO) return; /* means of GPUs */
    if (!is_wanted(b, what, false) && !is_wanted(b, what, true)) return;
    choose_sizes(&s);
    if (s.size_count == 0) {
        b->skipped++;
        return;
    }
    const size_t most = s.sizes[s.size_count - 1];
    s.check = scan_check_create(b, what, most);
    bench_step("scan %s: allocating", what->name);
    s.in = bench_buffer(b, (what->in_first + most) * what->in_bytes);
    s.out = bench_buffer(b, (what->out_first + most) * what->out_bytes);
    scan_check_upload(s.check, s.in);
    for (int inclusive = 0; inclusive < 2; inclusive++)
        if (is_wanted(b, what, inclusive)) measure_direction(&s, inclusive);
    measure_beside(&s);
    clReleaseMemObject(s.in);
    clReleaseMemObject(s.out);
    scan_check_destroy(s.check);
}

void bench_scan(bench *b) {
    bench_table_begin("scan");
    for (size_t k = 0; k < scan_case_count; k++) measure_case(b, &scan_cases[k]);
}
