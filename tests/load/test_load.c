/* SPDX-License-Identifier: MIT */
/*
 * The load: as many calls as fit into the time, by several threads at once.
 *
 * test_load [--seconds N] [--threads N] [--size N] [PATTERN]: N seconds of load/plain, then of
 * load/faults, in which OpenCL calls and allocations inside of the library fail at random. Memory
 * of the process must stay as it is after a third of the time, and in the end nothing that the
 * library made may be left.
 */
#include "faults/faulty.h"
#include "load/load.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 64, MOST_TRIES = 1000 };
enum { SUBJECTS = LOAD_PASSES + LOAD_SEGMENTS + LOAD_SORTS + LOAD_LISTS + LOAD_MATRICES + 1 };

static struct {
    double seconds;
    size_t threads;
    size_t max_n;
} wanted = {5, 8, 20000};

static atomic_bool stopped; /* the time is over, or a thread has found a fault */
static atomic_uint_fast64_t done; /* calls of all threads */
static atomic_size_t ready; /* threads whose plans are there */
static pthread_mutex_t telling = PTHREAD_MUTEX_INITIALIZER;
static char failure[2000]; /* the first one */

static const load_subject *subjects[SUBJECTS];

/* ---- Threads ---------------------------------------------------------------------------------
 */

typedef struct worker {
    load_thread t;
    void *plans[SUBJECTS];
    pthread_t thread;
} worker;

/* Until it is there: creating it may be made to fail. */
static bool create_plan(load_thread *t, const load_subject *subject, void **plan) {
    t->name = subject->name;
    for (size_t i = 0; i < MOST_TRIES && !atomic_load(&stopped); i++) {
        *plan = NULL;
        if (LOAD_TRY(t, CLPRIMS_OK, subject->create(t, plan))) {
            t->counts.plans++;
            return true;
        }
        if (*plan != NULL) load_fail(t, "create failed and left a plan");
    }
    return false;
}

static void give_back(load_thread *t) {
    for (size_t i = 0; i < t->array_count; i++) free(t->arrays[i]);
    for (size_t i = 0; i < t->buffer_count; i++) clReleaseMemObject(t->buffers[i]);
    t->array_count = t->buffer_count = 0;
}

/* After a call that was made to fail, the next one must be right. */
static void call_once_or_twice(load_thread *t, const load_subject *subject, void *plan) {
    t->name = subject->name;
    for (int i = 0; i < 2 && !atomic_load(&stopped); i++) {
        t->failed_now = false;
        t->calm = i == 1;
        subject->call(t, plan);
        give_back(t);
        atomic_fetch_add(&done, 1);
        if (!t->failed_now) break;
    }
    t->calm = false;
}

static void *work(void *argument) {
    worker *w = argument;
    load_thread *t = &w->t;
    for (size_t i = 0; i < SUBJECTS; i++) create_plan(t, subjects[i], &w->plans[i]);
    atomic_fetch_add(&ready, 1);
    while (!atomic_load(&stopped)) {
        const size_t i = load_below(t, SUBJECTS);
        if (load_below(t, 50) == 0) {
            subjects[i]->destroy(w->plans[i]);
            if (!create_plan(t, subjects[i], &w->plans[i])) break;
        }
        call_once_or_twice(t, subjects[i], w->plans[i]);
    }
    for (size_t i = 0; i < SUBJECTS; i++) subjects[i]->destroy(w->plans[i]);
    return NULL;
}

/* ---- For the subjects ------------------------------------------------------------------------
 */

void load_fail(load_thread *t, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&telling);
    if (failure[0] == '\0') {
        const int length = snprintf(failure, sizeof failure, "%s: ", t->name);
        vsnprintf(failure + length, sizeof failure - (size_t)length, format, arguments);
    }
    pthread_mutex_unlock(&telling);
    va_end(arguments);
    atomic_store(&stopped, true);
}

typedef struct load_fault {
    cl_int code; /* CL_SUCCESS: an allocation fails */
    clprims_status status;
} load_fault;

static const load_fault faults[] = {
    {CL_SUCCESS, CLPRIMS_ERR_HOST_MEMORY},
    {CL_OUT_OF_HOST_MEMORY, CLPRIMS_ERR_HOST_MEMORY},
    {CL_OUT_OF_RESOURCES, CLPRIMS_ERR_DEVICE_MEMORY},
    {CL_MEM_OBJECT_ALLOCATION_FAILURE, CLPRIMS_ERR_DEVICE_MEMORY},
    {CL_DEVICE_NOT_AVAILABLE, CLPRIMS_ERR_OPENCL},
};

static _Thread_local const load_fault *armed;

/* One call in four or so fails, at its first OpenCL call or a later one. */
void load_arm(load_thread *t) {
    armed = NULL;
    if (!t->faulty || t->calm || load_below(t, 3) == 0) return;
    armed = &faults[load_below(t, sizeof faults / sizeof faults[0])];
    const uint64_t most = load_below(t, 2) == 0 ? 8 : 200;
    faulty_arm(1 + load_below(t, armed->code == CL_SUCCESS ? 4 : most), armed->code);
}

bool load_judge(load_thread *t, clprims_status expected, clprims_status status, const char *call) {
    const clprims_error *error = clprims_last_error();
    const char *fired = armed == NULL ? NULL : faulty_disarm();
    if (fired == NULL) {
        if (status == expected) return true;
        load_fail(t, "%s gave %s, not %s: %s", call, clprims_status_name(status),
                  clprims_status_name(expected), error->message);
        return false;
    }
    t->failed_now = true;
    t->counts.faults++;
    if (status != armed->status || error->cl_code != armed->code || error->message[0] == '\0')
        load_fail(t, "%s: %s failed with %d, which gave %s, code %d, '%s'", call, fired,
                  (int)armed->code, clprims_status_name(status), (int)error->cl_code,
                  error->message);
    /* What was submitted before may still run. */
    clFinish(t->queue);
    clFinish(t->shared);
    return false;
}

void load_compare(load_thread *t, const void *expected, const void *actual, size_t count,
                  size_t bytes, size_t n) {
    const unsigned char *one = expected, *other = actual;
    for (size_t i = 0; i < count; i++) {
        if (memcmp(one + i * bytes, other + i * bytes, bytes) == 0) continue;
        uint64_t a = 0, b = 0;
        memcpy(&a, one + i * bytes, bytes);
        memcpy(&b, other + i * bytes, bytes);
        load_fail(t, "n = %zu: element %zu of %zu is %#llx, not %#llx", n, i, count,
                  (unsigned long long)b, (unsigned long long)a);
        return;
    }
    if (n > 0) {
        t->counts.calls++;
        t->counts.elements += n;
    }
}

uint64_t load_below(load_thread *t, uint64_t bound) {
    t->random ^= t->random << 13;
    t->random ^= t->random >> 7;
    t->random ^= t->random << 17;
    return (t->random >> 11) % bound;
}

size_t load_size(load_thread *t, size_t most) {
    switch (load_below(t, 4)) {
    case 0:
        return most;
    case 1:
        return load_below(t, most < 70 ? most + 1 : 70);
    default:
        return load_below(t, most + 1);
    }
}

void *load_array(load_thread *t, size_t n, size_t bytes) {
    void *array = calloc(n > 0 ? n : 1, bytes);
    if (array == NULL || t->array_count == LOAD_MOST_ARRAYS) abort();
    t->arrays[t->array_count++] = array;
    return array;
}

int32_t *load_int32(load_thread *t, size_t n, uint64_t bound) {
    int32_t *values = load_array(t, n, sizeof *values);
    for (size_t i = 0; bound > 0 && i < n; i++) values[i] = (int32_t)load_below(t, bound);
    return values;
}

uint8_t *load_uint8(load_thread *t, size_t n, uint64_t bound) {
    uint8_t *values = load_array(t, n, 1);
    for (size_t i = 0; bound > 0 && i < n; i++) values[i] = (uint8_t)load_below(t, bound);
    return values;
}

static int compare_int32(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

int32_t *load_offsets(load_thread *t, size_t n, size_t segments) {
    int32_t *offsets = load_int32(t, segments + 1, n + 1);
    offsets[0] = 0;
    offsets[segments] = (int32_t)n;
    qsort(offsets, segments + 1, sizeof *offsets, compare_int32);
    return offsets;
}

clprims_buffer load_buffer(load_thread *t, const void *values, size_t n, size_t bytes) {
    cl_int code = CL_SUCCESS;
    cl_mem mem = clCreateBuffer(t->cl, CL_MEM_READ_WRITE, (n + 1) * bytes, NULL, &code);
    if (code != CL_SUCCESS || t->buffer_count == LOAD_MOST_ARRAYS) abort();
    t->buffers[t->buffer_count++] = mem;
    if (n > 0 && clEnqueueWriteBuffer(t->queue, mem, CL_TRUE, bytes, n * bytes, values, 0, NULL,
                                      NULL) != CL_SUCCESS)
        load_fail(t, "clEnqueueWriteBuffer of %zu bytes failed", n * bytes);
    return (clprims_buffer){mem, 1};
}

void load_read(load_thread *t, clprims_buffer buffer, void *values, size_t n, size_t bytes) {
    if (n > 0 && clEnqueueReadBuffer(t->queue, buffer.mem, CL_TRUE, bytes, n * bytes, values, 0,
                                     NULL, NULL) != CL_SUCCESS)
        load_fail(t, "clEnqueueReadBuffer of %zu bytes failed", n * bytes);
}

/* ---- Watching ---------------------------------------------------------------------------------
 */

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* MiB of the process's memory that are in use. */
static double resident(void) {
    long all = 0, used = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL) return 0;
    if (fscanf(file, "%ld %ld", &all, &used) != 2) used = 0;
    fclose(file);
    return (double)used * (double)sysconf(_SC_PAGESIZE) / 1048576;
}

static void print_state(double seconds) {
    const faulty_live live = faulty_count();
    printf("%6.0f s: %llu calls, %.0f MiB, %ld programs, %ld kernels, %ld buffers, %ld events\n",
           seconds, (unsigned long long)atomic_load(&done), resident(), live.programs, live.kernels,
           live.buffers, live.events);
}

/* Waits for the end; the memory after a third of the time, and at the end. The time begins when all
 * plans are there. */
static void watch(double *early, double *late) {
    double start = now();
    double next = 0;
    *early = 0;
    while (!atomic_load(&stopped)) {
        const struct timespec nap = {0, 100000000};
        if (atomic_load(&ready) < wanted.threads) start = now();
        const double passed = now() - start;
        if (passed >= next) {
            print_state(passed);
            next += wanted.seconds < 600 ? wanted.seconds / 10 : 60;
        }
        if (*early == 0 && 3 * passed >= wanted.seconds) *early = resident();
        if (passed >= wanted.seconds) break;
        nanosleep(&nap, NULL);
    }
    *late = resident();
    atomic_store(&stopped, true);
}

/* ---- Cases ------------------------------------------------------------------------------------
 */

static void add_up(load_counts *all, const load_counts *some) {
    all->calls += some->calls;
    all->elements += some->elements;
    all->refused += some->refused;
    all->plans += some->plans;
    all->faults += some->faults;
}

static void expect_nothing_left(const faulty_live *before) {
    const faulty_live now_live = faulty_count();
    if (memcmp(before, &now_live, sizeof now_live) != 0)
        test_fail("left: blocks %+ld, contexts %+ld, queues %+ld, programs %+ld, kernels %+ld, "
                  "buffers %+ld, events %+ld",
                  now_live.blocks - before->blocks, now_live.contexts - before->contexts,
                  now_live.queues - before->queues, now_live.programs - before->programs,
                  now_live.kernels - before->kernels, now_live.buffers - before->buffers,
                  now_live.events - before->events);
}

static void start(worker *w, clprims_context *context, bool faulty, size_t number) {
    clprims_context_info info = CLPRIMS_CONTEXT_INFO_INIT;
    cl_int code = CL_SUCCESS;
    expect_ok(clprims_context_describe(context, &info));
    w->t = (load_thread){.context = context,
                         .cl = info.context,
                         .shared = info.queue,
                         .max_n = wanted.max_n,
                         .random = 88172645463325252u + test_seed() + 1000003 * number,
                         .faulty = faulty};
    w->t.queue = clCreateCommandQueue(info.context, info.device_id, 0, &code);
    expect_cl(code);
    assert_int_equal(pthread_create(&w->thread, NULL, work, w), 0);
}

static void load(const void *data) {
    const bool faulty = *(const bool *)data;
    const clprims_context_options options = test_options();
    test_context(); /* its line names the device */
    const faulty_live before = faulty_count();
    worker *workers = test_alloc(wanted.threads, sizeof *workers);
    clprims_context *context = NULL;
    load_counts all = {0, 0, 0, 0, 0};
    double early, late;
    memset(workers, 0, wanted.threads * sizeof *workers);
    atomic_store(&stopped, false);
    atomic_store(&done, 0);
    atomic_store(&ready, 0);
    expect_ok(clprims_context_create(&context, &options));
    for (size_t i = 0; i < wanted.threads; i++) start(&workers[i], context, faulty, i);
    watch(&early, &late);
    for (size_t i = 0; i < wanted.threads; i++) {
        pthread_join(workers[i].thread, NULL);
        add_up(&all, &workers[i].t.counts);
        clReleaseCommandQueue(workers[i].t.queue);
    }
    clprims_context_destroy(context);
    free(workers);
    printf("%s: %llu calls compared, %llu elements, %llu malformed inputs refused, %llu plans, "
           "%llu calls made to fail, %.0f MiB after a third, %.0f MiB at the end\n",
           faulty ? "faults" : "plain", (unsigned long long)all.calls,
           (unsigned long long)all.elements, (unsigned long long)all.refused,
           (unsigned long long)all.plans, (unsigned long long)all.faults, early, late);
    if (failure[0] != '\0') test_fail("%s", failure);
    expect_nothing_left(&before);
    if (wanted.seconds >= 60 && late > 1.1 * early + 16)
        test_fail("memory grew from %.0f to %.0f MiB", early, late);
}

static void add_table(const load_subject *some, size_t count) {
    static size_t next;
    for (size_t i = 0; i < count; i++) subjects[next++] = &some[i];
}

static void add_all(test_cases *cases) {
    const bool no = false, yes = true;
    add_table(load_passes, LOAD_PASSES);
    add_table(load_segments, LOAD_SEGMENTS);
    add_table(load_sorts, LOAD_SORTS);
    add_table(load_lists, LOAD_LISTS);
    add_table(load_matrices, LOAD_MATRICES);
    add_table(&load_once, 1);
    test_add(cases, load, &no, sizeof no, "load/plain");
    test_add(cases, load, &yes, sizeof yes, "load/faults");
}

/* Takes an option and its number off the command line. */
static size_t take(int *argc, char **argv, const char *option, size_t otherwise) {
    for (int i = 1; i + 1 < *argc; i++) {
        if (strcmp(argv[i], option) != 0) continue;
        const size_t value = strtoul(argv[i + 1], NULL, 10);
        for (int k = i; k + 2 < *argc; k++) argv[k] = argv[k + 2];
        *argc -= 2;
        return value;
    }
    return otherwise;
}

int main(int argc, char **argv) {
    wanted.seconds = (double)take(&argc, argv, "--seconds", 5);
    wanted.threads = take(&argc, argv, "--threads", 8);
    wanted.max_n = take(&argc, argv, "--size", 20000);
    return test_main(argc, argv, add_all);
}
