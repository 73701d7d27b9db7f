/* SPDX-License-Identifier: MIT */
/*
 * The load: as many calls as fit into the time, by several threads at once.
 *
 * test_load [--seconds N] [--threads N] [--size N] [PATTERN]: N seconds of load/plain, then of
 * load/faults, in which OpenCL calls and allocations inside of the library fail at random. Each
 * call must end as one whose result was compared, whose data were refused, or that was made to
 * fail. Memory of the process must stay as it is after a quarter of the time, and in the end
 * nothing that the library made may be left. tests/load/record takes the figures into
 * tests/README.md.
 */
#include "faults/faulty.h"
#include "load/load.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 64, MOST_TRIES = 1000 };
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

enum { MOST_SUBJECTS = 64 };
static load_subject loaded[MOST_SUBJECTS];
static size_t loaded_count;

/* ---- Threads ---------------------------------------------------------------------------------
 */

typedef struct worker {
    load_thread t;
    void *plans[MOST_SUBJECTS];
    load_counts counts[MOST_SUBJECTS];
    pthread_t thread;
    uint64_t seed;
} worker;

static void turn_to(worker *w, size_t i) {
    w->t.name = loaded[i].name;
    w->t.counts = &w->counts[i];
}

/* Until it is there: creating it may be made to fail. */
static bool create_plan(worker *w, size_t i) {
    load_thread *t = &w->t;
    void **plan = &w->plans[i];
    turn_to(w, i);
    for (size_t tries = 0; tries < MOST_TRIES && !atomic_load(&stopped); tries++) {
        *plan = NULL;
        if (loaded[i].of == NULL ||
            LOAD_TRY(t, CLPRIMS_OK, load_create_sample(t, &loaded[i], plan))) {
            t->counts->plans++;
            return true;
        }
        if (*plan != NULL) load_fail(t, "create failed and left a plan");
    }
    if (!atomic_load(&stopped)) load_fail(t, "create failed %d times", MOST_TRIES);
    return false;
}

static void destroy_plan(worker *w, size_t i) {
    if (loaded[i].of != NULL) loaded[i].of->destroy(w->plans[i]);
}

static void give_back(load_thread *t) {
    for (size_t i = 0; i < t->array_count; i++) free(t->arrays[i]);
    t->array_count = 0;
}

static void count_call(load_thread *t) {
    load_counts *all = t->counts;
    if (t->now.failed > 0) {
        all->failed++;
    } else if (t->now.refused > 0) {
        all->refused++;
    } else if (t->now.compared > 0) {
        all->compared++;
        all->elements += t->now.elements;
    } else if (!atomic_load(&stopped)) {
        all->lost++;
        load_fail(t, "a call was neither compared nor refused");
    }
}

/* After a call that was made to fail, the next one must be right. */
static void call_once_or_twice(worker *w, size_t i) {
    load_thread *t = &w->t;
    turn_to(w, i);
    for (int k = 0; k < 2 && !atomic_load(&stopped); k++) {
        t->now = (load_counts){0, 0, 0, 0, 0, 0, 0};
        t->calm = k == 1;
        if (loaded[i].of != NULL) {
            load_call_sample(t, &loaded[i], w->plans[i]);
        } else {
            load_call_once(t);
        }
        give_back(t);
        count_call(t);
        atomic_fetch_add(&done, 1);
        if (t->now.failed == 0) break;
    }
    t->calm = false;
}

static void *work(void *argument) {
    worker *w = argument;
    test_random_restart(w->seed);
    for (size_t i = 0; i < loaded_count; i++) create_plan(w, i);
    atomic_fetch_add(&ready, 1);
    while (!atomic_load(&stopped)) {
        const size_t i = test_random_below(loaded_count);
        if (test_random_below(50) == 0) {
            destroy_plan(w, i);
            if (!create_plan(w, i)) break;
        }
        call_once_or_twice(w, i);
    }
    for (size_t i = 0; i < loaded_count; i++) destroy_plan(w, i);
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
    if (!t->faulty || t->calm || test_random_below(3) == 0) return;
    armed = &faults[test_random_below(sizeof faults / sizeof faults[0])];
    const uint64_t most = test_random_below(2) == 0 ? 8 : 200;
    faulty_arm(1 + test_random_below(armed->code == CL_SUCCESS ? 4 : most), armed->code);
}

bool load_judge(load_thread *t, clprims_status expected, clprims_status status, const char *call) {
    const clprims_error *error = clprims_last_error();
    const char *fired = armed == NULL ? NULL : faulty_disarm();
    if (fired == NULL) {
        t->now.refused += status == expected && expected != CLPRIMS_OK;
        if (status == expected) return true;
        load_fail(t, "%s gave %s, not %s: %s", call, clprims_status_name(status),
                  clprims_status_name(expected), error->message);
        return false;
    }
    t->now.failed++;
    t->counts->faults++;
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
    t->now.compared++;
    t->now.elements += n;
}

/* ---- Watching ---------------------------------------------------------------------------------
 */

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

/* MiB that are in use when all plans are there, after a quarter of the time, and at the end. */
typedef struct load_memory {
    double start, quarter, end;
} load_memory;

/* Waits for the end. The time begins when all plans are there. */
static load_memory watch(void) {
    load_memory memory = {0, 0, 0};
    double start = test_now();
    double next = 0;
    while (!atomic_load(&stopped)) {
        const struct timespec nap = {0, 100000000};
        const bool is_ready = atomic_load(&ready) == wanted.threads;
        if (!is_ready) start = test_now();
        const double passed = test_now() - start;
        if (passed >= next) {
            print_state(passed);
            next += wanted.seconds < 600 ? wanted.seconds / 10 : 60;
        }
        if (memory.start == 0 && is_ready) memory.start = resident();
        if (memory.quarter == 0 && 4 * passed >= wanted.seconds) memory.quarter = resident();
        if (passed >= wanted.seconds) break;
        nanosleep(&nap, NULL);
    }
    memory.end = resident();
    atomic_store(&stopped, true);
    return memory;
}

/* ---- Cases ------------------------------------------------------------------------------------
 */

static void add_up(load_counts *all, const load_counts *some) {
    all->compared += some->compared;
    all->refused += some->refused;
    all->failed += some->failed;
    all->lost += some->lost;
    all->elements += some->elements;
    all->plans += some->plans;
    all->faults += some->faults;
}

static void print_counts(const char *name, const load_counts *c) {
    printf("%s: %llu compared, %llu refused, %llu failed, %llu lost, %llu elements, %llu plans, "
           "%llu faults\n",
           name, (unsigned long long)c->compared, (unsigned long long)c->refused,
           (unsigned long long)c->failed, (unsigned long long)c->lost,
           (unsigned long long)c->elements, (unsigned long long)c->plans,
           (unsigned long long)c->faults);
}

/* A line for each subject and one for all; tests/load/record reads the last one. */
static load_counts print_all(const worker *workers, const char *name) {
    load_counts all = {0, 0, 0, 0, 0, 0, 0};
    for (size_t i = 0; i < loaded_count; i++) {
        load_counts some = {0, 0, 0, 0, 0, 0, 0};
        for (size_t k = 0; k < wanted.threads; k++) add_up(&some, &workers[k].counts[i]);
        print_counts(loaded[i].name, &some);
        add_up(&all, &some);
        if (wanted.seconds >= 60 && some.compared == 0)
            test_fail("no call of %s was compared", loaded[i].name);
    }
    print_counts(name, &all);
    return all;
}

static void print_where(const char *name, const load_memory *memory) {
    const clprims_context_info info = test_info();
#if defined(__SANITIZE_ADDRESS__)
    const char *build = "with sanitizers";
#else
    const char *build = "without sanitizers";
#endif
    printf("%s: %.0f s, %zu threads, arrays of up to %zu, seed %llu, %.0f MiB at the start, "
           "%.0f MiB after a quarter, %.0f MiB at the end, %s, on %s, driver %s\n",
           name, wanted.seconds, wanted.threads, wanted.max_n, (unsigned long long)test_seed(),
           memory->start, memory->quarter, memory->end, build, info.device.name,
           info.device.driver);
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
    clprims_context_info info = {0};
    cl_int code = CL_SUCCESS;
    expect_ok(clprims_context_describe(context, &info));
    w->t = (load_thread){.context = context,
                         .cl = info.context,
                         .shared = info.queue,
                         .max_n = wanted.max_n,
                         .faulty = faulty};
    w->seed = 88172645463325252u + test_seed() + 1000003 * number;
    w->t.queue = clCreateCommandQueue(info.context, info.device_id, 0, &code);
    expect_cl(code);
    assert_int_equal(pthread_create(&w->thread, NULL, work, w), 0);
}

static void load(const void *data) {
    const bool faulty = *(const bool *)data;
    const char *name = faulty ? "load/faults" : "load/plain";
    const clprims_context_options options = test_options();
    test_context(); /* its line names the device */
    const faulty_live before = faulty_count();
    worker *workers = test_alloc(wanted.threads, sizeof *workers);
    clprims_context *context = NULL;
    memset(workers, 0, wanted.threads * sizeof *workers);
    failure[0] = '\0';
    atomic_store(&stopped, false);
    atomic_store(&done, 0);
    atomic_store(&ready, 0);
    expect_ok(clprims_context_create(&context, &options));
    for (size_t i = 0; i < wanted.threads; i++) start(&workers[i], context, faulty, i);
    const load_memory memory = watch();
    for (size_t i = 0; i < wanted.threads; i++) {
        pthread_join(workers[i].thread, NULL);
        clReleaseCommandQueue(workers[i].t.queue);
    }
    clprims_context_destroy(context);
    if (failure[0] != '\0') test_fail("%s", failure);
    print_where(name, &memory);
    const load_counts all = print_all(workers, name);
    if (faulty && all.faults == 0) test_fail("no call was made to fail");
    free(workers);
    expect_nothing_left(&before);
    if (wanted.seconds >= 60 && memory.end > 1.1 * memory.quarter + 16)
        test_fail("memory grew from %.0f to %.0f MiB", memory.quarter, memory.end);
}

static void add_all(test_cases *cases) {
    const bool no = false, yes = true;
    for (size_t i = 0; i < SUBJECT_COUNT; i++) {
        for (size_t k = 0; k < subjects[i]->plans.sample_count; k++) {
            const subject_sample *sample = &subjects[i]->plans.samples[k];
            assert_true(loaded_count + 1 < MOST_SUBJECTS);
            loaded[loaded_count++] = (load_subject){sample->name, subjects[i], sample->desc};
        }
    }
    loaded[loaded_count++] = (load_subject){"once", NULL, NULL};
    test_add_row(cases, load, no, "load/plain");
    test_add_row(cases, load, yes, "load/faults");
}

int main(int argc, char **argv) {
    const char *seconds = test_option(&argc, argv, "--seconds");
    const char *threads = test_option(&argc, argv, "--threads");
    const char *size = test_option(&argc, argv, "--size");
    if (seconds != NULL) wanted.seconds = strtod(seconds, NULL);
    if (threads != NULL) wanted.threads = strtoul(threads, NULL, 10);
    if (size != NULL) wanted.max_n = strtoul(size, NULL, 10);
    return test_main(argc, argv, add_all);
}
