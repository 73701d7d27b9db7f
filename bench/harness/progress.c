/* SPDX-License-Identifier: MIT */
/* A thread that says on stderr how far the run is, and what the program is at. */
#include "harness/bench.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* A terminal shows its line after so long without output; other files get one so often. */
static const double QUIET_SECONDS = 0.5, LINE_SECONDS = 20;

static struct {
    pthread_mutex_t lock;
    pthread_t thread;
    bool running, stop;
    bool is_terminal, is_shown;
    double began, last_output, last_line, step_began;
    const char *suite;
    size_t part, parts, rows;
    char step[160];
} progress = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* "scan: part 2 of 20, 14 rows, about 80 s left; int32 add by CUB (3 s)" */
static void print_line(double now) {
    enum { WIDTH = 79 }; /* a terminal takes back one line only */
    const size_t done = progress.part > 0 ? progress.part - 1 : 0;
    char place[64] = "", left[48] = "", line[320];
    if (progress.part > 0)
        snprintf(place, sizeof place, "%s: part %zu of %zu, %zu rows, ", progress.suite,
                 progress.part, progress.parts, progress.rows);
    if (done > 0)
        snprintf(left, sizeof left, "about %.0f s left; ",
                 (now - progress.began) / (double)done * (double)(progress.parts - done));
    snprintf(line, sizeof line, "  ... %s%s%s (%.0f s)", place, left, progress.step,
             now - progress.step_began);
    if (progress.is_terminal)
        fprintf(stderr, "\r\033[K%.*s", WIDTH, line);
    else
        fprintf(stderr, "%s\n", line);
}

static bool is_due(double now) {
    return progress.is_terminal ? now - progress.last_output >= QUIET_SECONDS
                                : now - progress.last_line >= LINE_SECONDS;
}

static void *watch(void *unused) {
    (void)unused;
    const struct timespec pause = {0, 200 * 1000 * 1000};
    pthread_mutex_lock(&progress.lock);
    while (!progress.stop) {
        const double now = bench_now();
        if (is_due(now)) {
            print_line(now);
            progress.is_shown = progress.is_terminal;
            progress.last_line = now;
        }
        pthread_mutex_unlock(&progress.lock);
        nanosleep(&pause, NULL);
        pthread_mutex_lock(&progress.lock);
    }
    pthread_mutex_unlock(&progress.lock);
    return NULL;
}

void bench_progress_start(void) {
    progress.began = progress.last_output = progress.last_line = progress.step_began = bench_now();
    progress.is_terminal = isatty(STDERR_FILENO);
    progress.running = pthread_create(&progress.thread, NULL, watch, NULL) == 0;
}

void bench_progress_stop(void) {
    if (!progress.running) return;
    bench_progress_hide();
    pthread_mutex_lock(&progress.lock);
    progress.stop = true;
    pthread_mutex_unlock(&progress.lock);
    pthread_join(progress.thread, NULL);
    progress.running = false;
}

void bench_progress_part(const char *suite, size_t part, size_t parts) {
    pthread_mutex_lock(&progress.lock);
    progress.suite = suite;
    progress.part = part;
    progress.parts = parts;
    pthread_mutex_unlock(&progress.lock);
}

void bench_progress_row(void) {
    pthread_mutex_lock(&progress.lock);
    progress.rows++;
    pthread_mutex_unlock(&progress.lock);
}

void bench_step(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&progress.lock);
    vsnprintf(progress.step, sizeof progress.step, format, arguments);
    progress.step_began = bench_now();
    pthread_mutex_unlock(&progress.lock);
    va_end(arguments);
}

void bench_progress_hide(void) {
    pthread_mutex_lock(&progress.lock);
    if (progress.is_shown) fputs("\r\033[K", stderr);
    progress.is_shown = false;
    progress.last_output = bench_now();
    pthread_mutex_unlock(&progress.lock);
}

void bench_progress_seen(void) {
    fflush(stdout);
    /* A table that goes to a file is not seen by whoever watches stderr. */
    if (!isatty(STDOUT_FILENO)) return;
    pthread_mutex_lock(&progress.lock);
    progress.last_output = bench_now();
    pthread_mutex_unlock(&progress.lock);
}
