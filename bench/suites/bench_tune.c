/* SPDX-License-Identifier: MIT */
/*
 * Finds the scan's knobs for this device: for each size of element, one knob after another is set
 * to each of its values and the best is kept, until no knob gains any more or the time is up. What
 * beats the tuning that is there is printed as lines for a tuning file.
 */
#include "harness/bench.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KNOBS = 8, MOST_VALUES = 7, TUNING_BYTES = 160 };

static const double SECONDS_A_SIZE = 24;
static const double LEAST_GAIN = 1.02;

typedef struct knob {
    const char *name;
    unsigned values[MOST_VALUES]; /* 0 ends them */
} knob;

static const knob group_knobs[] = {
    {"GROUP", {128, 256, 512, 1024}}, {"ROWS", {1, 2, 4, 8, 16, 24}}, {NULL, {0}}};
static const knob alone_knobs[] = {{"ROWS", {2048, 4096, 8192, 16384, 32768, 65536}},
                                   {"STREAM", {1, 1u << 20, 1u << 22, 1u << 24, 1u << 31}},
                                   {NULL, {0}}};
static const knob ring_knobs[] = {{"ROWS", {2, 3, 4, 6, 8, 12, 16}},
                                  {"STAGES", {2, 3, 4, 5, 6, 8}},
                                  {"SCANNERS", {4, 6, 8, 12, 16}},
                                  {"REDUCERS", {2, 3, 4, 6, 8, 12}},
                                  {"UNITS", {2, 4, 8}},
                                  {"GROUPS", {1, 2, 3, 4}},
                                  {"LOADERS", {1, 2, 4}},
                                  {NULL, {0}}};

/* The scan of one type. */
typedef struct subject {
    bench *b;
    clprims_type type;
    clprims_algorithm algorithm;
    const knob *knobs;
    unsigned chosen[MOST_KNOBS]; /* 0: as the tuning has it */
    size_t n, bytes;
    cl_mem in, out;
    char *expected, *actual; /* the result without any of the knobs, and another */
    double deadline;
    size_t tried;
} subject;

typedef struct run_job {
    const subject *of;
    clprims_scan *scan;
} run_job;

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const run_job *job = self;
    const clprims_buffer in = {job->of->in, 0}, out = {job->of->out, 0};
    return clprims_scan_enqueue(job->scan, queue, in, out, job->of->n, 0, NULL, event);
}

static void write_tuning(const subject *s, char text[TUNING_BYTES]) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t k = 0; s->knobs[k].name != NULL; k++) {
        if (s->chosen[k] == 0) continue;
        const int more = snprintf(text + used, TUNING_BYTES - used, "%s%s=%u", used > 0 ? " " : "",
                                  s->knobs[k].name, s->chosen[k]);
        used += (size_t)more;
    }
}

/* Whether the plan's result is that of the plan without knobs. */
static bool is_right(subject *s) {
    const bool first = s->expected == NULL;
    if (first) s->expected = bench_alloc(s->bytes);
    bench_read(s->b, s->out, 0, s->bytes, first ? s->expected : s->actual);
    return first || memcmp(s->expected, s->actual, s->bytes) == 0;
}

/* Seconds of the fastest run with the chosen knobs, which other work beside disturbs least; 0 where
 * the device or the knobs do not allow them. */
static double time_chosen(subject *s) {
    char tuning[TUNING_BYTES];
    clprims_scan_desc desc = CLPRIMS_SCAN_DESC_INIT;
    clprims_scan *scan = NULL;
    bench_time time = {0};
    write_tuning(s, tuning);
    bench_step("tuning %s: %s", clprims_type_name(s->type), tuning);
    desc.type = s->type;
    desc.max_n = s->n;
    desc.algorithm = s->algorithm;
    desc.tuning = tuning;
    if (clprims_scan_create(&scan, s->b->context, &desc) != CLPRIMS_OK) return 0;
    run_job job = {s, scan};
    const bench_job timed = {submit, &job};
    bench_buffer_poison(s->b, s->out, s->bytes);
    bool good = bench_once(s->b, timed) == CLPRIMS_OK;
    if (good && !is_right(s)) {
        bench_die(BENCH_EXIT_WRONG, "%s with %s gives another result; please report it",
                  clprims_type_name(s->type), tuning[0] != '\0' ? tuning : "its defaults");
    }
    good = good && bench_measure(s->b, timed, &time) == CLPRIMS_OK;
    clprims_scan_destroy(scan);
    s->tried++;
    return good ? time.least : 0;
}

/* Sets the knob to its best value; whether that gained. */
static bool improve(subject *s, size_t k, double *best) {
    const double before = *best;
    unsigned winner = s->chosen[k];
    for (size_t v = 0; v < MOST_VALUES && s->knobs[k].values[v] != 0; v++) {
        const unsigned value = s->knobs[k].values[v];
        if (value == winner || bench_now() > s->deadline) continue;
        s->chosen[k] = value;
        const double seconds = time_chosen(s);
        if (seconds <= 0 || seconds * LEAST_GAIN > *best) continue;
        *best = seconds;
        winner = value;
    }
    s->chosen[k] = winner;
    return *best < before;
}

static void search(subject *s, double *usual, double *best) {
    unsigned found[MOST_KNOBS];
    *best = *usual = time_chosen(s);
    if (*usual <= 0)
        bench_die(BENCH_EXIT_DEVICE, "%s: %s", clprims_type_name(s->type),
                  clprims_last_error()->message);
    s->deadline = bench_now() + (s->b->options.quick ? SECONDS_A_SIZE / 4 : SECONDS_A_SIZE);
    for (bool gained = true; gained && bench_now() < s->deadline;) {
        gained = false;
        for (size_t k = 0; s->knobs[k].name != NULL; k++) gained = improve(s, k, best) || gained;
    }
    /* The first measurement may have met a device that was not warm yet. */
    memcpy(found, s->chosen, sizeof found);
    memset(s->chosen, 0, sizeof s->chosen);
    const double again = time_chosen(s);
    if (again > 0 && again < *usual) *usual = again;
    if (*best * LEAST_GAIN <= *usual) memcpy(s->chosen, found, sizeof found);
}

static void tune(subject *s) {
    char tuning[TUNING_BYTES], count[24];
    double usual, best;
    const bench *b = s->b;
    const bool ahead = s->algorithm == CLPRIMS_ALGORITHM_LOOKAHEAD;
    search(s, &usual, &best);
    write_tuning(s, tuning);
    bench_count_text(s->n, count);
    if (tuning[0] == '\0')
        printf("# scan, %zu bytes: none of %zu shapes gains 2 %% at %s\n",
               clprims_type_bytes(s->type), s->tried, count);
    else
        printf("\"%s\" scan%s %zu %s  # %.2fx the tuning before at %s, driver %s, %s\n",
               b->info.device.name, ahead ? "-lookahead" : "", clprims_type_bytes(s->type), tuning,
               usual / best, count, b->info.device.driver, b->date);
    bench_progress_seen();
    fflush(stdout);
}

/* What AUTO takes for the type decides which knobs there are. */
static void choose_knobs(subject *s) {
    clprims_scan_desc desc = CLPRIMS_SCAN_DESC_INIT;
    clprims_scan_info info = CLPRIMS_SCAN_INFO_INIT;
    clprims_scan *scan = NULL;
    desc.type = s->type;
    desc.max_n = s->n;
    clprims_status status = clprims_scan_create(&scan, s->b->context, &desc);
    if (status == CLPRIMS_OK) status = clprims_scan_describe(scan, s->n, &info);
    if (status != CLPRIMS_OK)
        bench_die(BENCH_EXIT_DEVICE, "%s: %s", clprims_type_name(s->type),
                  clprims_last_error()->message);
    s->algorithm = info.algorithm;
    s->knobs = info.algorithm == CLPRIMS_ALGORITHM_LOOKAHEAD ? ring_knobs
               : info.group == 1                             ? alone_knobs
                                                             : group_knobs;
    clprims_scan_destroy(scan);
}

static void tune_type(bench *b, clprims_type type) {
    subject s = {.b = b, .type = type, .n = (size_t)1 << (b->is_cpu ? 24 : 28)};
    if (b->options.sized) s.n = b->options.least;
    s.bytes = s.n * clprims_type_bytes(type);
    while (!bench_fits(b, (double)s.bytes, 2.0 * (double)s.bytes)) s.n /= 2, s.bytes /= 2;
    s.in = bench_buffer(b, s.bytes);
    s.out = bench_buffer(b, s.bytes);
    s.actual = bench_alloc(s.bytes);
    choose_knobs(&s);
    tune(&s);
    clReleaseMemObject(s.in);
    clReleaseMemObject(s.out);
    free(s.expected);
    free(s.actual);
}

void bench_tune(bench *b) {
    static const clprims_type types[] = {CLPRIMS_I8, CLPRIMS_I16, CLPRIMS_I32, CLPRIMS_I64};
    printf("# Found by clprims-bench --tune; put these lines into a tuning file of your own.\n");
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (bench_wanted(&b->options, clprims_type_name(types[k]))) tune_type(b, types[k]);
}
