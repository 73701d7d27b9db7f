/* SPDX-License-Identifier: MIT */
/*
 * Machines without a platform, and with two devices of which the better one does not work. Each is
 * seen by a process of its own, since the loader and PoCL look at the environment once.
 */
#include "faults/faults_devices.h"

#include "faults/faulty.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *program_path;

/* ---- In the process ---- */

/* The process' exit status; says what is wrong. */
static int judge(bool right, const char *what, clprims_status status) {
    if (right) return EXIT_SUCCESS;
    fprintf(stderr, "%s: %s, '%s'\n", what, clprims_status_name(status),
            clprims_last_error()->message);
    return EXIT_FAILURE;
}

static int see_no_platform(void) {
    size_t count = 1;
    clprims_context *context = (clprims_context *)&count;
    const clprims_status counted = clprims_device_count(&count);
    const bool count_right = counted == CLPRIMS_ERR_NO_DEVICE && count == 0;
    const clprims_status created = clprims_context_create(&context, NULL);
    const bool create_right = created == CLPRIMS_ERR_NO_DEVICE && context == NULL;
    const bool words_right = strstr(clprims_last_error()->message, "no OpenCL platform") != NULL;
    return judge(count_right && create_right && words_right, "without a platform",
                 count_right ? created : counted);
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
    clprims_device_info first = {0}, second = {0};
    clprims_context_info info = {0};
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

/* A device that can't be described, before one that is asked for by name. */
static int see_silent_device(void) {
    clprims_device_info second = {0};
    clprims_context_info info = {0};
    clprims_context *context = NULL;
    clprims_status status = clprims_device_describe(1, &second);
    clprims_context_options options = {.device = second.name};
    faulty_arm_call("clGetDeviceInfo", 1, CL_DEVICE_NOT_AVAILABLE);
    if (status == CLPRIMS_OK) status = clprims_context_create(&context, &options);
    const bool fired = faulty_disarm() != NULL;
    if (status == CLPRIMS_OK) status = clprims_context_describe(context, &info);
    clprims_context_destroy(context);
    const bool opened = fired && status == CLPRIMS_OK && info.device_id == second.id;
    if (judge(opened, "named", status) != EXIT_SUCCESS) return EXIT_FAILURE;
    options.device = "99";
    faulty_arm_call("clGetDeviceInfo", 1, CL_DEVICE_NOT_AVAILABLE);
    status = clprims_context_create(&context, &options);
    (void)faulty_disarm();
    const char *message = clprims_last_error()->message;
    const bool named = status == CLPRIMS_ERR_NO_DEVICE && strstr(message, "(no answer)") != NULL &&
                       strstr(message, second.name) != NULL;
    return judge(named, "not named", status);
}

/* A platform that can't list its devices, before one that can. */
static int see_silent_platform(void) {
    size_t count = 0;
    faulty_repeat_platform();
    faulty_arm_call("clGetDeviceIDs", 1, CL_OUT_OF_RESOURCES);
    const clprims_status status = clprims_device_count(&count);
    const bool fired = faulty_disarm() != NULL;
    const bool quiet = clprims_last_error()->message[0] == '\0';
    return judge(fired && quiet && status == CLPRIMS_OK && count == 1, "not one device", status);
}

/* PoCL shows no device where it can't make its cache. */
static int see_no_cache(void) {
    size_t count = 0;
    const clprims_status status = clprims_device_count(&count);
    const bool named = strstr(clprims_last_error()->message, "POCL_CACHE_DIR") != NULL;
    return judge(named && status == CLPRIMS_ERR_NO_DEVICE, "without a cache", status);
}

/* No file may have a byte: then PoCL can't write the program that it is to build. */
static int see_full_cache(void) {
    const struct rlimit none = {0, 0};
    clprims_context *context = NULL;
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &none) != 0) return EXIT_FAILURE;
    const clprims_status status = clprims_context_create(&context, NULL);
    const clprims_error *error = clprims_last_error();
    const bool named = strstr(error->message, "POCL_CACHE_DIR") != NULL;
    const bool of_build = error->cl_code == CL_BUILD_PROGRAM_FAILURE;
    return judge(named && of_build && status == CLPRIMS_ERR_OPENCL, "in a full cache", status);
}

static const struct {
    const char *argument;
    int (*see)(void);
} processes[] = {
    {"--see-no-platform", see_no_platform},     {"--see-second-device", see_second_device},
    {"--see-silent-device", see_silent_device}, {"--see-silent-platform", see_silent_platform},
    {"--see-no-cache", see_no_cache},           {"--see-full-cache", see_full_cache}};

bool faults_is_process(const char *argument) {
    return strncmp(argument, "--see-", 6) == 0;
}

int faults_process(const char *argument) {
    for (size_t i = 0; i < sizeof processes / sizeof processes[0]; i++) {
        if (strcmp(processes[i].argument, argument) == 0) return processes[i].see();
    }
    return EXIT_FAILURE;
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

static void no_platform(void) {
    char folder[] = "/tmp/clprims-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    expect_process("--see-no-platform", hide_platforms, folder);
    rmdir(folder);
}

static void double_devices(const char *devices) {
    setenv("POCL_DEVICES", devices, 1);
}

static void second_device(void) {
    const clprims_context_info info = test_info();
    size_t count = 0;
    expect_ok(clprims_device_count(&count));
    if (count != 1 || strstr(info.device.platform_name, "Portable Computing Language") == NULL)
        test_skip("PoCL alone can show a device twice; this is %s", info.device.platform_name);
    expect_process("--see-second-device", double_devices, "pthread pthread");
    expect_process("--see-silent-device", double_devices, "pthread basic");
}

static void leave(const char *text) {
    (void)text;
}

static void silent_platform(void) {
    size_t count = 0;
    expect_ok(clprims_device_count(&count));
    if (count != 1) test_skip("there are %zu devices", count);
    expect_process("--see-silent-platform", leave, NULL);
}

static void put_cache(const char *folder) {
    setenv("POCL_CACHE_DIR", folder, 1);
}

/* What other releases of PoCL do then is their affair. */
static void cache_not_writable(void) {
    const clprims_device_info device = test_info().device;
    char folder[] = "/tmp/clprims-test-XXXXXX", command[64];
    if (strncmp(device.driver, "3.1", 3) != 0 || strstr(device.version, "PoCL") == NULL)
        test_skip("this is PoCL 3.1's way, and here is %s, %s", device.version, device.driver);
    expect_process("--see-no-cache", put_cache, "/dev/null/cache");
    assert_non_null(mkdtemp(folder));
    expect_process("--see-full-cache", put_cache, folder);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    assert_int_equal(system(command), 0);
}

/* A driver that fails and does not say why. */
static void build_without_a_word(void) {
    clprims_context *context = NULL;
    const clprims_context_options options = test_options();
    faulty_arm_call("clBuildProgram", 1, CL_BUILD_PROGRAM_FAILURE);
    const clprims_status status = clprims_context_create(&context, &options);
    assert_non_null(faulty_disarm());
    if (status == CLPRIMS_OK) {
        clprims_context_destroy(context);
        test_skip("another layer was taken");
    }
    assert_int_equal(status, CLPRIMS_ERR_OPENCL);
    expect_contains(clprims_last_error()->message, "names no error");
    expect_contains(clprims_last_error()->message, "CL_BUILD_PROGRAM_FAILURE");
    assert_string_equal(clprims_last_error()->build_log, "");
}

void add_device_cases(test_cases *cases, const char *program) {
    program_path = program;
    test_add_plain(cases, no_platform, "faults/no-platform");
    test_add_plain(cases, second_device, "faults/second-device");
    test_add_plain(cases, silent_platform, "faults/silent-platform");
    test_add_plain(cases, cache_not_writable, "faults/cache-not-writable");
    test_add_plain(cases, build_without_a_word, "faults/build-without-a-word");
}
