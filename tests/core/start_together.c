/* SPDX-License-Identifier: MIT */
/* Threads that create the first contexts of a process at once, in several processes: drivers start
 * then, and not all of them can be asked from two threads meanwhile. */
#include <clprims/clprims.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 6, PROCESSES = 4, PATIENCE_SECONDS = 300 };

static pthread_barrier_t start;

static int fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, clprims_last_error()->message);
    return 1;
}

static int use_context(void) {
    static const int32_t in[3] = {1, 2, 3};
    clprims_context *context = NULL;
    clprims_scan *scan = NULL;
    int32_t out[3] = {0};
    clprims_context_options options = {.device = getenv("CLPRIMS_DEVICE")};
    if (clprims_context_create(&context, &options) != CLPRIMS_OK) return fail("context");
    clprims_scan_desc desc = {.type = CLPRIMS_I32, .max_n = 3};
    if (clprims_scan_create(&scan, context, &desc) != CLPRIMS_OK) return fail("scan");
    if (clprims_scan_run(scan, &(clprims_scan_arrays){.in = in, .out = out}, 3) != CLPRIMS_OK)
        return fail("run");
    clprims_scan_destroy(scan);
    clprims_context_destroy(context);
    return out[2] == 3 ? 0 : 1;
}

static int ask_devices(void) {
    clprims_device_info info = {0};
    size_t count = 0;
    if (clprims_device_count(&count) != CLPRIMS_OK) return fail("count");
    return clprims_device_describe(count - 1, &info) == CLPRIMS_OK ? 0 : fail("describe");
}

static void *work(void *number) {
    static int failed = 1;
    pthread_barrier_wait(&start);
    return (*(int *)number % 3 == 2 ? ask_devices() : use_context()) == 0 ? NULL : &failed;
}

static int start_together(void) {
    pthread_t threads[THREADS];
    int numbers[THREADS], failed = 0;
    alarm(PATIENCE_SECONDS);
    pthread_barrier_init(&start, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, work, &numbers[i]) != 0) return EXIT_FAILURE;
    }
    for (int i = 0; i < THREADS; i++) {
        void *result = NULL;
        pthread_join(threads[i], &result);
        failed += result != NULL;
    }
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(void) {
    for (int i = 0; i < PROCESSES; i++) {
        int state = 0;
        const pid_t child = fork(); /* nothing of OpenCL has been called here */
        if (child == 0) _exit(start_together());
        if (child < 0 || waitpid(child, &state, 0) != child) return EXIT_FAILURE;
        if (WIFSIGNALED(state)) fprintf(stderr, "process %d: signal %d\n", i, WTERMSIG(state));
        if (!WIFEXITED(state) || WEXITSTATUS(state) != EXIT_SUCCESS) return EXIT_FAILURE;
    }
    printf("%d times %d threads\n", PROCESSES, THREADS);
    return EXIT_SUCCESS;
}
