/* SPDX-License-Identifier: MIT */
/*
 * Machines without a platform, and with two devices of which the better one does not work. Each is
 * seen by a process of its own, since the loader and PoCL look at the environment once.
 */
#include "faults/faults_devices.h"

#include "faults/faulty.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *program_path;

/* ---- In the process ---- */

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

typedef struct failing_call {
    const char *name;
    cl_int code;
} failing_call;

static const failing_call failing_calls[] = {
    {"clGetDeviceInfo", CL_INVALID_VALUE},
    {"clCreateContext", CL_DEVICE_NOT_AVAILABLE},
    {"clCreateCommandQueue", CL_OUT_OF_HOST_MEMORY},
    {"clBuildProgram", CL_BUILD_PROGRAM_FAILURE},
    {"clBuildProgram", CL_COMPILER_NOT_AVAILABLE},
    {"clCreateBuffer", CL_MEM_OBJECT_ALLOCATION_FAILURE},
    {"clEnqueueNDRangeKernel", CL_OUT_OF_RESOURCES},
};

/* Whether a context goes on to the second device when that call fails on the first. */
static bool takes_second(const failing_call *call) {
    clprims_context *context = NULL;
    clprims_device_info first = CLPRIMS_DEVICE_INFO_INIT, second = CLPRIMS_DEVICE_INFO_INIT;
    clprims_context_info info = CLPRIMS_CONTEXT_INFO_INIT;
    clprims_status status = clprims_device_describe(0, &first);
    if (status == CLPRIMS_OK) status = clprims_device_describe(1, &second);
    faulty_arm_call(call->name, 1, call->code);
    if (status == CLPRIMS_OK) status = clprims_context_create(&context, NULL);
    const char *message = clprims_last_error()->message;
    const bool fired = faulty_disarm() != NULL;
    const bool quiet = message[0] == '\0';
    if (!fired || !quiet || status != CLPRIMS_OK)
        fprintf(stderr, "%s: %s, '%s'\n", call->name, clprims_status_name(status), message);
    if (status == CLPRIMS_OK) status = clprims_context_describe(context, &info);
    clprims_context_destroy(context);
    return fired && quiet && status == CLPRIMS_OK && info.device_id == second.id;
}

static int see_second_device(void) {
    size_t right = 0;
    const size_t count = sizeof failing_calls / sizeof failing_calls[0];
    for (size_t i = 0; i < count; i++) right += takes_second(&failing_calls[i]);
    return right == count ? EXIT_SUCCESS : EXIT_FAILURE;
}

bool faults_is_process(const char *argument) {
    return strncmp(argument, "--see-", 6) == 0;
}

int faults_process(const char *argument) {
    return strcmp(argument, "--see-no-platform") == 0 ? see_no_platform() : see_second_device();
}

/* ---- Outside of it ---- */

/* argument: what the process is to see; it has what `prepare` did to its environment. */
static void expect_process(const char *argument, void (*prepare)(const char *text),
                           const char *text) {
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        prepare(text);
        execl(program_path, program_path, argument, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), EXIT_SUCCESS);
}

static void hide_platforms(const char *folder) {
    setenv("OCL_ICD_VENDORS", folder, 1);
    setenv("OPENCL_VENDOR_PATH", folder, 1);
    unsetenv("OCL_ICD_FILENAMES");
}

static void no_platform(const void *data) {
    (void)data;
    char folder[] = "/tmp/clprims-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    expect_process("--see-no-platform", hide_platforms, folder);
    rmdir(folder);
}

static void double_devices(const char *devices) {
    setenv("POCL_DEVICES", devices, 1);
}

static void second_device(const void *data) {
    (void)data;
    const clprims_context_info info = test_info();
    size_t count = 0;
    expect_ok(clprims_device_count(&count));
    if (count != 1 || strstr(info.device.platform_name, "Portable Computing Language") == NULL)
        test_skip("PoCL alone can show a device twice; this is %s", info.device.platform_name);
    expect_process("--see-second-device", double_devices, "pthread pthread");
}

void add_device_cases(test_cases *cases, const char *program) {
    program_path = program;
    test_add(cases, no_platform, NULL, 0, "faults/no-platform");
    test_add(cases, second_device, NULL, 0, "faults/second-device");
}
