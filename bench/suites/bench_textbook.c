/* SPDX-License-Identifier: MIT */
/* The textbook suite: the seeds' tables, every step verified and timed, the library's row last. */
#include "harness/bench.h"
#include "harness/parallel.h"
#include "suites/suites.h"
#include "textbook.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_STEPS = 64,
    MAX_SIZES = 2 * BENCH_MAX_SIZES,
    SELF_TIMED_RUNS = 15,
    LEAST_SELF_TIMED = 3
};
enum { REPORT_BYTES = TEXTBOOK_REPORT_WORDS * sizeof(cl_ulong) };

static const double SELF_TIMED_SECONDS = 0.1, MOST_SELF_TIMED_SECONDS = 1;

/* One table for one variant, with arrays for its largest size. */
typedef struct lesson {
    bench *b;
    const textbook_table *table;
    textbook_device device;
    textbook_problem problem;
    void *expected;
    uint64_t expected_report, host_report;
    size_t sizes[MAX_SIZES], size_count;
    size_t beside_first; /* index of the first size that stands beside a power */
    void *states[MAX_STEPS];
    bool usable[MAX_STEPS];
    char name[64];
} lesson;

typedef struct step_job {
    const textbook_step *step;
    void *state;
    const textbook_problem *problem;
} step_job;

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const step_job *job = self;
    (void)queue;
    return job->step->submit(job->state, job->problem, event) ? CLPRIMS_OK : CLPRIMS_ERR_OPENCL;
}

/* ---- Data --------------------------------------------------------------------------------------
 */

static void shape(lesson *l, size_t n) {
    l->problem.n = n;
    l->table->subject->shape(&l->problem);
}

static void upload(const lesson *l) {
    const textbook_problem *p = &l->problem;
    for (int k = 0; k < TEXTBOOK_INPUTS; k++)
        if (p->in_bytes[k] > 0) bench_write(l->b, p->in[k], 0, p->in_bytes[k], p->host_in[k]);
}

static void poison_part(void *self, size_t begin, size_t end) {
    memset((unsigned char *)self + begin, TEXTBOOK_POISON, end - begin);
}

static void poison_host(void *memory, size_t bytes) {
    bench_parallel(bytes, poison_part, memory);
}

static void prepare(lesson *l, size_t n) {
    char count[24];
    bench_step("%s, n = %s: making the input", l->name, bench_count_text(n, count));
    shape(l, n);
    l->table->subject->fill(&l->problem);
    poison_host(l->expected, l->problem.out_bytes);
    memset(&l->expected_report, TEXTBOOK_POISON, sizeof l->expected_report);
    l->table->subject->twin(&l->problem, l->expected, &l->expected_report);
    upload(l);
}

static void poison(const lesson *l, const textbook_step *step) {
    const textbook_problem *p = &l->problem;
    memset(p->host_report, TEXTBOOK_POISON, sizeof *p->host_report);
    if (step->on_host) {
        poison_host(p->host_out, p->out_bytes);
    } else {
        bench_buffer_poison(l->b, p->out, p->out_bytes);
        bench_buffer_poison(l->b, p->report, REPORT_BYTES);
    }
}

static void fetch(const lesson *l, const textbook_step *step) {
    const textbook_problem *p = &l->problem;
    if (step->on_host) {
        bench_spoil(l->b, p->host_out, p->out_bytes);
        return;
    }
    bench_read(l->b, p->out, 0, p->out_bytes, p->host_out);
    bench_cl(clEnqueueReadBuffer(l->b->info.queue, p->report, CL_TRUE,
                                 TEXTBOOK_REPORT_WORD * sizeof(cl_ulong), sizeof(cl_ulong),
                                 p->host_report, 0, NULL, NULL),
             "clEnqueueReadBuffer");
}

typedef struct comparison {
    const unsigned char *got, *want;
    atomic_bool differs;
} comparison;

static void compare_part(void *self, size_t begin, size_t end) {
    comparison *c = self;
    if (memcmp(c->got + begin, c->want + begin, end - begin) != 0) c->differs = true;
}

/* Compares output and report with the twin's. */
static bool verify(const lesson *l, char *fault, size_t fault_bytes) {
    const textbook_problem *p = &l->problem;
    comparison c = {p->host_out, l->expected, false};
    size_t i = 0;
    bench_parallel(p->out_bytes, compare_part, &c);
    if (!c.differs) {
        if (*p->host_report == l->expected_report) return true;
        snprintf(fault, fault_bytes, "the report is %llu, in plain C %llu",
                 (unsigned long long)*p->host_report, (unsigned long long)l->expected_report);
        return false;
    }
    while (c.got[i] == c.want[i]) i++;
    snprintf(fault, fault_bytes, "byte %zu of %zu is %#x, in plain C %#x", i, p->out_bytes,
             (unsigned)c.got[i], (unsigned)c.want[i]);
    return false;
}

/* ---- Measuring ---------------------------------------------------------------------------------
 */

static bool run_once(const lesson *l, const step_job *job) {
    textbook_time time = {0};
    if (job->step->run != NULL) return job->step->run(job->state, job->problem, &time);
    step_job copy = *job;
    return bench_once(l->b, (bench_job){submit, &copy}) == CLPRIMS_OK;
}

static bool time_self_timed(const step_job *job, bench_time *out, textbook_time *last) {
    double seconds[SELF_TIMED_RUNS], total = 0;
    size_t runs = 0;
    while (runs < 1 || (runs < LEAST_SELF_TIMED && total < MOST_SELF_TIMED_SECONDS) ||
           (runs < SELF_TIMED_RUNS && total < SELF_TIMED_SECONDS)) {
        if (!job->step->run(job->state, job->problem, last)) return false;
        seconds[runs] = last->seconds;
        total += seconds[runs++];
    }
    *out = bench_summarize(seconds, runs);
    out->wall = out->median;
    return true;
}

static void print_parts(const textbook_time *time) {
    char text[24];
    for (size_t k = 0; k < time->part_count; k++)
        bench_note("%s: %s", time->parts[k].name, bench_seconds_text(time->parts[k].seconds, text));
}

static void measure_step(lesson *l, size_t k, double *copy_seconds) {
    const textbook_step *step = &l->table->steps[k];
    step_job job = {step, l->states[k], &l->problem};
    char fault[2048] = "", count[24];
    textbook_time parts = {0};
    bench_row row = {.suite = "textbook", .name = l->name, .method = step->name};
    if (strcmp(step->name, "clprims") != 0) row.library = BENCH_TEXTBOOK;
    row.n = l->problem.n;
    row.bytes = l->table->subject->bytes(&l->problem);
    bench_step("%s, %s, n = %s", l->name, step->name, bench_count_text(row.n, count));
    poison(l, step);
    bool good = run_once(l, &job);
    if (good) fetch(l, step);
    if (good && verify(l, fault, sizeof fault)) {
        if (*copy_seconds <= 0) *copy_seconds = bench_copy_seconds(l->b, row.bytes);
        row.copy_seconds = *copy_seconds;
        if (step->run != NULL)
            good = time_self_timed(&job, &row.time, &parts);
        else
            good = bench_measure(l->b, (bench_job){submit, &job}, &row.time) == CLPRIMS_OK;
    }
    if (!good) {
        row.failed = true;
        snprintf(fault, sizeof fault, "%s", textbook_message());
    }
    if (fault[0] != '\0') row.fault = fault;
    bench_row_report(l->b, &row);
    if (good) print_parts(&parts);
}

static bool step_wanted(const lesson *l, const textbook_step *step) {
    char name[160];
    snprintf(name, sizeof name, "%s, %s", l->name, step->name);
    return bench_wanted(&l->b->options, name);
}

static void create_steps(lesson *l) {
    for (size_t k = 0; k < l->table->step_count && k < MAX_STEPS; k++) {
        const textbook_step *step = &l->table->steps[k];
        if (!step_wanted(l, step)) continue;
        bench_step("%s: preparing %s", l->name, step->name);
        l->usable[k] = step->create == NULL ||
                       step->create(&l->states[k], &l->device, &l->problem, step->number);
        if (!l->usable[k])
            bench_row_report(l->b, &(bench_row){.suite = "textbook",
                                                .name = l->name,
                                                .method = step->name,
                                                .n = l->problem.n,
                                                .failed = true,
                                                .fault = textbook_message()});
    }
}

static void destroy_steps(lesson *l) {
    for (size_t k = 0; k < l->table->step_count && k < MAX_STEPS; k++)
        if (l->table->steps[k].destroy != NULL) l->table->steps[k].destroy(l->states[k]);
}

/* ---- Tables ------------------------------------------------------------------------------------
 */

/* The powers first, then the sizes beside them, which are a table of their own. */
static void choose_sizes(lesson *l) {
    const bench_options *options = &l->b->options;
    const textbook_sizes *range = l->b->is_cpu ? &l->table->cpu : &l->table->gpu;
    size_t sizes[BENCH_MAX_SIZES];
    unsigned last = range->last;
    if (options->quick && last > range->first + 4) last = range->first + 4;
    const size_t count = bench_sizes(options, range->base, range->first, last, range->step, sizes);
    for (size_t k = 0; k < count; k++) {
        char text[24];
        shape(l, sizes[k]);
        const double in = (double)l->problem.in_bytes[0] + (double)l->problem.in_bytes[1];
        const double out = (double)l->problem.out_bytes;
        /* As much again for what steps keep, and for the copy. */
        if (!bench_fits(l->b, in > out ? in : out, 3 * (in + out))) {
            bench_note("%s: n = %s and more do not fit the device", l->name,
                       bench_count_text(sizes[k], text));
            break;
        }
        l->sizes[l->size_count++] = sizes[k];
    }
    l->beside_first = l->size_count;
    if (range->beside == 0 || options->least == options->most) return;
    for (size_t k = 0; k < l->beside_first; k++)
        if (l->sizes[k] > range->beside) l->sizes[l->size_count++] = l->sizes[k] - range->beside;
}

static void allocate(lesson *l) {
    textbook_problem *p = &l->problem;
    shape(l, l->sizes[l->beside_first - 1]);
    bench_step("%s: allocating", l->name);
    for (int k = 0; k < TEXTBOOK_INPUTS; k++) {
        if (p->in_bytes[k] == 0) continue;
        p->in[k] = bench_buffer(l->b, p->in_bytes[k]);
        p->host_in[k] = bench_alloc_touched(p->in_bytes[k]);
    }
    p->out = bench_buffer(l->b, p->out_bytes);
    p->report = bench_buffer(l->b, REPORT_BYTES);
    p->host_out = bench_alloc_touched(p->out_bytes);
    p->host_report = &l->host_report;
    l->expected = bench_alloc_touched(p->out_bytes);
}

static void release(lesson *l) {
    textbook_problem *p = &l->problem;
    for (int k = 0; k < TEXTBOOK_INPUTS; k++) {
        if (p->in[k] != NULL) clReleaseMemObject(p->in[k]);
        free(p->host_in[k]);
    }
    clReleaseMemObject(p->out);
    clReleaseMemObject(p->report);
    free(p->host_out);
    free(l->expected);
}

static void measure_size(lesson *l, size_t n) {
    double copy_seconds = 0;
    prepare(l, n);
    for (size_t k = 0; k < l->table->step_count && k < MAX_STEPS; k++) {
        const size_t most = l->table->steps[k].most_n;
        if (l->usable[k] && (most == 0 || n <= most)) measure_step(l, k, &copy_seconds);
    }
}

static void measure_variant(bench *b, const textbook_table *table,
                            const textbook_variant *variant) {
    lesson l = {.b = b, .table = table, .problem = {.variant = variant}};
    l.device = textbook_device_of(b->context, &b->info);
    snprintf(l.name, sizeof l.name, "%s %s%s%s", table->seed, table->title,
             variant->name[0] != '\0' ? ", " : "", variant->name);
    bool wanted = false;
    for (size_t k = 0; k < table->step_count; k++)
        wanted = wanted || step_wanted(&l, &table->steps[k]);
    if (wanted) choose_sizes(&l);
    if (l.size_count == 0) return;
    allocate(&l);
    create_steps(&l);
    for (size_t s = 0; s < l.size_count; s++) {
        if (s == l.beside_first) strncat(l.name, ", no power", sizeof l.name - strlen(l.name) - 1);
        if (s == 0 || s == l.beside_first) bench_table_begin(l.name);
        measure_size(&l, l.sizes[s]);
    }
    destroy_steps(&l);
    release(&l);
}

void bench_textbook(bench *b) {
    for (const textbook_table *const *table = textbook_tables; *table != NULL; table++) {
        const size_t measured = (*table)->measured_variants;
        const size_t count = measured > 0 ? measured : (*table)->variant_count;
        for (size_t v = 0; v < count; v++) measure_variant(b, *table, &(*table)->variants[v]);
    }
}
