/* SPDX-License-Identifier: MIT */
/* A thread that says on stderr what the program is at when nothing was printed for two seconds. */
#include "harness/bench.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double QUIET_SECONDS = 2;

static struct {
    pthread_mutex_t lock;
    pthread_t thread;
    bool running;
    bool stop;
    double last_output;
    double step_began;
    char step[160];
} progress = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *watch(void *unused) {
    (void)unused;
    const struct timespec pause = {0, 100 * 1000 * 1000};
    pthread_mutex_lock(&progress.lock);
    while (!progress.stop) {
        const double now = bench_now();
        if (progress.step[0] != '\0' && now - progress.last_output >= QUIET_SECONDS) {
            fprintf(stderr, "  ... %s (%.0f s)\n", progress.step, now - progress.step_began);
            progress.last_output = now;
        }
        pthread_mutex_unlock(&progress.lock);
        nanosleep(&pause, NULL);
        pthread_mutex_lock(&progress.lock);
    }
    pthread_mutex_unlock(&progress.lock);
    return NULL;
}

void bench_progress_start(void) {
    progress.last_output = progress.step_began = bench_now();
    progress.running = pthread_create(&progress.thread, NULL, watch, NULL) == 0;
}

void bench_progress_stop(void) {
    if (!progress.running) return;
    pthread_mutex_lock(&progress.lock);
    progress.stop = true;
    pthread_mutex_unlock(&progress.lock);
    pthread_join(progress.thread, NULL);
    progress.running = false;
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

void bench_progress_seen(void) {
    fflush(stdout);
    /* A table that goes to a file is not seen by whoever watches stderr. */
    if (!isatty(STDOUT_FILENO) && isatty(STDERR_FILENO)) return;
    pthread_mutex_lock(&progress.lock);
    progress.last_output = bench_now();
    pthread_mutex_unlock(&progress.lock);
}
