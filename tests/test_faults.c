/* SPDX-License-Identifier: MIT */
/*
 * Each public call with every allocation and every OpenCL call inside it made to fail, one after
 * another: it must fail with the right status and a message, leak nothing, and work afterwards.
 */
#include "faults_calls.h"
#include "faulty.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_CALLS = 10000 };

static const char *program_path;

/* ---- Failing
 * ------------------------------------------------------------------------------------- */

typedef struct fault {
    const char *name;
    cl_int code;
    clprims_status status;
} fault;

static const fault faults[] = {
    {"NULL", CL_SUCCESS, CLPRIMS_ERR_HOST_MEMORY},
    {"CL_OUT_OF_HOST_MEMORY", CL_OUT_OF_HOST_MEMORY, CLPRIMS_ERR_HOST_MEMORY},
    {"CL_OUT_OF_RESOURCES", CL_OUT_OF_RESOURCES, CLPRIMS_ERR_DEVICE_MEMORY},
    {"CL_MEM_OBJECT_ALLOCATION_FAILURE", CL_MEM_OBJECT_ALLOCATION_FAILURE,
     CLPRIMS_ERR_DEVICE_MEMORY},
    {"CL_DEVICE_NOT_AVAILABLE", CL_DEVICE_NOT_AVAILABLE, CLPRIMS_ERR_OPENCL},
};

typedef struct faults_case {
    const operation *operation;
    const fault *fault;
} faults_case;

static void expect_live(const faulty_live *before, const char *name, size_t k) {
    const faulty_live now = faulty_count();
    if (memcmp(before, &now, sizeof now) != 0)
        test_fail("call %zu, %s, failed and leaked: blocks %+ld, contexts %+ld, queues %+ld, "
                  "programs %+ld, kernels %+ld, buffers %+ld, events %+ld",
                  k, name, now.blocks - before->blocks, now.contexts - before->contexts,
                  now.queues - before->queues, now.programs - before->programs,
                  now.kernels - before->kernels, now.buffers - before->buffers,
                  now.events - before->events);
}

static void expect_fault(const fault *f, clprims_status status, const char *name, size_t k) {
    const clprims_error *error = clprims_last_error();
    const bool named = f->code == CL_SUCCESS || strstr(error->message, f->name) != NULL;
    if (status != f->status || error->status != status || error->cl_code != f->code ||
        error->message[0] == '\0' || !named)
        test_fail("call %zu, %s, gave %s\n  and left %s, cl code %d, '%s'\n  expected %s", k, name,
                  f->name, clprims_status_name(status), (int)error->cl_code, error->message,
                  clprims_status_name(f->status));
}

/* Lets the k-th call fail; false when there are fewer than k. */
static bool fail_once(stage *s, const operation *o, const fault *f, size_t k) {
    s->made = NULL;
    s->event = NULL;
    const faulty_live before = faulty_count();
    faulty_arm(k, f->code);
    const clprims_status status = o->run(s);
    const char *name = faulty_disarm();
    if (name == NULL) {
        test_expect_ok(status, o->name, __FILE__, __LINE__);
        o->undo(s);
        expect_live(&before, "nothing", k);
        return false;
    }
    if (status == CLPRIMS_OK) test_fail("call %zu, %s, failed unnoticed", k, name);
    expect_fault(f, status, name, k);
    if (s->made != NULL) test_fail("call %zu, %s, failed and left a plan", k, name);
    /* Of a chain of commands the first may be under way. */
    expect_cl(clFinish(s->queue));
    expect_live(&before, name, k);
    return true;
}

static void one_after_another(const void *data) {
    const faults_case *c = data;
    stage *s = stage_set(c->operation);
    size_t k = 1;
    while (k < MOST_CALLS && fail_once(s, c->operation, c->fault, k)) {
        s->made = NULL;
        s->event = NULL;
        test_expect_ok(c->operation->run(s), "afterwards", __FILE__, __LINE__);
        c->operation->undo(s);
        k++;
    }
    assert_true(k < MOST_CALLS);
    printf("  %zu calls failed in turn\n", k - 1);
    stage_clear(s);
}

/* ---- No platform
 * ---------------------------------------------------------------------------------- */

/* In a process of its own, since the loader looks for platforms once. */
static int see_no_platform(void) {
    size_t count = 1;
    clprims_context *context = (clprims_context *)&count;
    const clprims_status counted = clprims_device_count(&count);
    const bool count_right = counted == CLPRIMS_ERR_NO_DEVICE && count == 0;
    const clprims_status created = clprims_context_create(&context, NULL);
    const bool create_right = created == CLPRIMS_ERR_NO_DEVICE && context == NULL;
    const char *message = clprims_last_error()->message;
    const bool words_right = strstr(message, "no OpenCL platform") != NULL;
    if (!count_right || !create_right || !words_right)
        fprintf(stderr, "without a platform: count %s, create %s, '%s'\n",
                clprims_status_name(counted), clprims_status_name(created), message);
    return count_right && create_right && words_right ? EXIT_SUCCESS : EXIT_FAILURE;
}

static void no_platform(const void *data) {
    (void)data;
    char folder[] = "/tmp/clprims-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setenv("OCL_ICD_VENDORS", folder, 1);
        setenv("OPENCL_VENDOR_PATH", folder, 1);
        unsetenv("OCL_ICD_FILENAMES");
        execl(program_path, program_path, "--no-platform", (char *)NULL);
        _exit(127);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    rmdir(folder);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), EXIT_SUCCESS);
}

static void add_cases(test_cases *cases) {
    test_add(cases, no_platform, NULL, 0, "faults/no-platform");
    for (const operation *o = operations; o->name != NULL; o++)
        for (size_t k = 0; k < sizeof faults / sizeof faults[0]; k++) {
            const faults_case c = {o, &faults[k]};
            test_add(cases, one_after_another, &c, sizeof c, "faults/%s/%s", o->name,
                     faults[k].name);
        }
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--no-platform") == 0) return see_no_platform();
    program_path = argv[0];
    return test_main(argc, argv, add_cases);
}
