/* SPDX-License-Identifier: MIT */
/*
 * Finds knobs for this device: for each key of tuning lines that plans ask for, one knob after
 * another is set to each of its values and the best is kept, until no knob gains any more or the
 * time is up. What beats the tuning that is there is printed as lines for a tuning file.
 */
#include "core/knobs.h"
#include "core/test_hooks.h"
#include "tuning/tune.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TUNING_BYTES = 200, KEY_BYTES = 64 };

/* All keys take five minutes together: each gets its share of what those before it left. */
static const double SECONDS = 290, MOST_SECONDS_A_KEY = 24;
static const double LEAST_GAIN = 1.02;

/* The search for one key. */
typedef struct search {
    tune_job job;
    const tune_knob *knobs;
    unsigned chosen[TUNE_KNOBS]; /* 0: as the tuning has it */
    char name[KEY_BYTES]; /* "int32 scan" */
    char *own; /* the text of --tuning, or NULL */
    size_t bytes; /* of an element, by which a plan looks for the key's lines; 0: it does not */
    char *expected, *actual; /* the result without any of the knobs, and another */
    double seconds, deadline;
    size_t tried;
} search;

static void write_tuning(const search *s, char text[TUNING_BYTES]) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t k = 0; s->knobs[k].name != NULL; k++) {
        if (s->chosen[k] == 0) continue;
        const int more = snprintf(text + used, TUNING_BYTES - used, "%s%s=%u", used > 0 ? " " : "",
                                  s->knobs[k].name, s->chosen[k]);
        used += (size_t)more;
    }
}

/* ---- Plans with knobs ---------------------------------------------------------------------------
 */

static void note_key(void *self, const char *key, size_t element_bytes) {
    search *s = self;
    if (strcmp(key, s->job.what->key) == 0) s->bytes = element_bytes;
}

static char *read_text(const char *path) {
    FILE *file = path != NULL ? fopen(path, "r") : NULL;
    if (file == NULL) return NULL;
    enum { MOST = 1 << 20 };
    char *text = bench_alloc(MOST + 1);
    text[fread(text, 1, MOST, file)] = '\0';
    fclose(file);
    return text;
}

/* A tuning file: the user's own lines, then one with the chosen knobs. */
static void write_lines(const search *s, const char *tuning, char path[]) {
    const int handle = mkstemp(path);
    FILE *file = handle >= 0 ? fdopen(handle, "w") : NULL;
    if (file == NULL) bench_die(BENCH_EXIT_USAGE, "%s can't be written", path);
    fprintf(file, "%s\n", s->own != NULL ? s->own : "");
    if (tuning[0] != '\0') fprintf(file, "\"*\" %s * %s\n", s->job.what->key, tuning);
    if (fclose(file) != 0) bench_die(BENCH_EXIT_USAGE, "%s can't be written", path);
}

/* A context with that tuning beside the benchmark's own, and the plan in it. */
static clprims_status create(search *s, const char *tuning) {
    char path[] = "/tmp/clprims-tune-XXXXXX";
    const bench *b = s->job.b;
    clprims_context_options options = {0};
    options.context = b->info.context;
    options.device_id = b->info.device_id;
    options.queue = b->info.queue;
    options.layer = b->info.layer;
    options.cl_dir = b->options.cl_dir;
    options.tuning_file = path;
    write_lines(s, tuning, path);
    s->job.context = NULL;
    s->job.plan = NULL;
    clprims_status status = clprims_context_create(&s->job.context, &options);
    unlink(path);
    clp_keys_watch(note_key, s);
    if (status == CLPRIMS_OK) status = s->job.what->of->create(&s->job);
    clp_keys_watch(NULL, NULL);
    return status;
}

static void destroy(search *s) {
    s->job.what->of->destroy(&s->job);
    clprims_context_destroy(s->job.context);
}

/* ---- The search ---------------------------------------------------------------------------------
 */

/* Whether the plan's result is that of the plan without knobs. */
static bool is_right(search *s) {
    const bool first = s->expected == NULL;
    if (first) s->expected = bench_alloc(s->job.out_bytes);
    bench_read(s->job.b, s->job.out, 0, s->job.out_bytes, first ? s->expected : s->actual);
    return first || memcmp(s->expected, s->actual, s->job.out_bytes) == 0;
}

/* Seconds of the fastest run with the chosen knobs, which other work beside disturbs least; 0 where
 * the device or the knobs do not allow them. */
static double time_chosen(search *s) {
    bench *b = s->job.b;
    char tuning[TUNING_BYTES];
    bench_time time = {0};
    write_tuning(s, tuning);
    bench_step("tuning %s: %s", s->name, tuning);
    bool good = create(s, tuning) == CLPRIMS_OK;
    if (good) {
        const bench_job timed = {s->job.what->of->submit, &s->job};
        bench_buffer_poison(b, s->job.out, s->job.out_bytes);
        good = bench_once(b, timed) == CLPRIMS_OK;
        if (good && !is_right(s)) {
            bench_die(BENCH_EXIT_WRONG, "%s with %s gives another result; please report it",
                      s->name, tuning[0] != '\0' ? tuning : "its defaults");
        }
        good = good && bench_measure(b, timed, &time) == CLPRIMS_OK;
        s->tried++;
    }
    destroy(s);
    return good ? time.least : 0;
}

/* Sets the knob to its best value; whether that gained. */
static bool improve(search *s, size_t k, double *best) {
    const double before = *best;
    unsigned winner = s->chosen[k];
    for (size_t v = 0; v < TUNE_VALUES && s->knobs[k].values[v] != 0; v++) {
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

static void search_all(search *s, double *usual, double *best) {
    unsigned found[TUNE_KNOBS];
    *best = *usual;
    s->deadline = bench_now() + (s->job.b->options.quick ? s->seconds / 4 : s->seconds);
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

static void print_found(const search *s, double gain) {
    char tuning[TUNING_BYTES], count[24];
    const bench *b = s->job.b;
    write_tuning(s, tuning);
    bench_count_text(s->job.n, count);
    if (tuning[0] == '\0')
        printf("# %s, %zu bytes: none of %zu shapes gains 2 %% at %s\n", s->job.what->key, s->bytes,
               s->tried, count);
    else
        printf("\"%s\" %s %zu %s  # %.2fx the tuning before at %s, driver %s, %s\n",
               b->info.device.name, s->job.what->key, s->bytes, tuning, gain, count,
               b->info.device.driver, b->date);
    bench_progress_seen();
    fflush(stdout);
}

/* ---- Keys ---------------------------------------------------------------------------------------
 */

/* A knob that the registry lacks would be refused with each of its values. */
static void check_knobs(const search *s) {
    const char *name = s->job.what->key;
    const clp_tuning_key *key = clp_tuning_key_find(name, strlen(name));
    if (key == NULL) bench_die(BENCH_EXIT_USAGE, "there is no key %s", name);
    for (const tune_knob *knob = s->knobs; knob->name != NULL; knob++) {
        size_t at = 0;
        while (at < key->count && strcmp(key->knobs[at].name, knob->name) != 0) at++;
        if (at == key->count) bench_die(BENCH_EXIT_USAGE, "%s has no knob %s", name, knob->name);
    }
}

static void choose_size(search *s) {
    tune_job *job = &s->job;
    const bench *b = job->b;
    job->n = b->is_cpu ? job->what->cpu_n : job->what->gpu_n;
    if (b->options.sized && b->options.least < job->n) job->n = b->options.least;
    for (;; job->n /= 2) {
        job->what->of->prepare(job);
        const double bytes = (double)(job->in_bytes[0] + job->in_bytes[1] + job->out_bytes);
        if (job->n < 2 || bench_fits(b, bytes, 4 * bytes)) return;
    }
}

static void make_buffers(search *s) {
    tune_job *job = &s->job;
    for (int i = 0; i < TUNE_INPUTS; i++) {
        if (job->in_bytes[i] == 0) continue;
        void *values = bench_alloc(job->in_bytes[i]);
        memset(values, 0, job->in_bytes[i]);
        job->in[i] = bench_buffer(job->b, job->in_bytes[i]);
        job->what->of->fill(job, i, values);
        bench_write(job->b, job->in[i], 0, job->in_bytes[i], values);
        free(values);
    }
    job->out = bench_buffer(job->b, job->out_bytes);
    job->rest = bench_buffer(job->b, job->out_bytes);
    s->actual = bench_alloc(job->out_bytes);
}

static void free_buffers(search *s) {
    for (int i = 0; i < TUNE_INPUTS; i++)
        if (s->job.in[i] != NULL) clReleaseMemObject(s->job.in[i]);
    clReleaseMemObject(s->job.out);
    clReleaseMemObject(s->job.rest);
    free(s->expected);
    free(s->actual);
}

/* Whether the plan looks for lines of the key, on this device. */
static bool is_asked_for(search *s) {
    bench_step("tuning %s", s->name);
    if (create(s, "") != CLPRIMS_OK)
        bench_die(BENCH_EXIT_DEVICE, "%s: %s", s->name, clprims_last_error()->message);
    destroy(s);
    return s->bytes > 0;
}

static void name_key(const tune_subject *what, char name[KEY_BYTES]) {
    snprintf(name, KEY_BYTES, "%s %s", clprims_type_name(what->type), what->key);
}

/* Keys that are still to be tuned, if the first of them is to be. */
static size_t count_wanted(const bench *b, size_t first) {
    size_t wanted = 0;
    for (size_t k = first; k < tune_subject_count; k++) {
        char name[KEY_BYTES];
        name_key(&tune_subjects[k], name);
        if (bench_wanted(&b->options, name))
            wanted++;
        else if (k == first)
            return 0;
    }
    return wanted;
}

static void tune_key(bench *b, const tune_subject *what, char *own, double seconds) {
    search s = {.job = {.b = b, .what = what}, .knobs = b->is_cpu ? what->cpu : what->gpu};
    double best = 0;
    s.own = own;
    s.seconds = seconds < MOST_SECONDS_A_KEY ? seconds : MOST_SECONDS_A_KEY;
    name_key(what, s.name);
    check_knobs(&s);
    choose_size(&s);
    if (!is_asked_for(&s)) return;
    make_buffers(&s);
    double usual = time_chosen(&s);
    if (usual <= 0) bench_die(BENCH_EXIT_DEVICE, "%s: %s", s.name, clprims_last_error()->message);
    search_all(&s, &usual, &best);
    print_found(&s, usual / best);
    free_buffers(&s);
}

void bench_tune(bench *b) {
    char *own = read_text(b->options.tuning);
    printf("# Found by clprims-bench --tune; put these lines into a tuning file of your own.\n");
    const double end = bench_now() + SECONDS;
    for (size_t k = 0; k < tune_subject_count; k++) {
        const double left = end - bench_now();
        const size_t keys = count_wanted(b, k);
        if (keys > 0) tune_key(b, &tune_subjects[k], own, left > 0 ? left / (double)keys : 0);
    }
    free(own);
}
