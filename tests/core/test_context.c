/* SPDX-License-Identifier: MIT */
/* Contexts: how a device is named, the caller's own objects, layers. */
#include "harness/harness.h"

#include <time.h>

/* ---- Which device ---------------------------------------------------------------------------- */

static void best(void) {
    clprims_context *context = NULL;
    clprims_context_info info = {0};
    expect_ok(clprims_context_create(&context, NULL));
    expect_ok(clprims_context_describe(context, &info));
    clprims_context_destroy(context);
    size_t count = 0;
    expect_ok(clprims_device_count(&count));
    for (size_t i = 0; i < count; i++) {
        clprims_device_info other = {0};
        expect_ok(clprims_device_describe(i, &other));
        if (info.device.type & CL_DEVICE_TYPE_GPU) return;
        /* A GPU that is there and was passed over is named by nothing but its failure. */
        if (other.type & CL_DEVICE_TYPE_GPU) {
            clprims_context_options options = {.device = other.name};
            assert_true(clprims_context_create(&context, &options) != CLPRIMS_OK);
        }
    }
}

static void by_number(void) {
    clprims_device_info device = {0};
    expect_ok(clprims_device_describe(0, &device));
    clprims_context_options options = {.device = "0"};
    const clprims_context_info info = expect_context(&options);
    assert_ptr_equal(info.device_id, device.id);
    assert_string_equal(info.device.name, device.name);
}

/* In upper case, whatever that is in the locale. */
static void fold(const char *text, char *folded) {
    for (; *text != '\0'; text++, folded++) {
        *folded = *text >= 'a' && *text <= 'z' ? (char)(*text - 'a' + 'A') : *text;
    }
}

static void by_part_of_name(void) {
    char name[8] = "", part[8] = "";
    snprintf(name, sizeof name, "%.6s", test_info().device.name);
    fold(name, part);
    clprims_context_options options = {.device = part};
    clprims_context *context = NULL;
    clprims_context_info info = {0};
    expect_ok(clprims_context_create(&context, &options));
    expect_ok(clprims_context_describe(context, &info));
    assert_memory_equal(info.device.name, test_info().device.name, strlen(part));
    clprims_context_destroy(context);
}

/* One of its platform where no device has the name itself: PoCL's say nothing of PoCL. */
static void by_platform(void) {
    char vendor[128] = "", folded[2][128] = {"", ""};
    const clprims_device_info device = test_info().device;
    expect_cl(clGetPlatformInfo(device.platform, CL_PLATFORM_VENDOR, sizeof vendor, vendor, NULL));
    fold(vendor, folded[0]);
    fold(device.platform_name, folded[1]);
    clprims_context_options options = {0};
    const char *const names[] = {device.platform_name, vendor, folded[0], folded[1]};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        options.device = names[i];
        const clprims_context_info info = expect_context(&options);
        if (strstr(info.device.name, names[i]) == NULL)
            assert_ptr_equal(info.device.platform, device.platform);
    }
}

static void no_device_name(void) {
    clprims_context_options options = {.device = ""};
    expect_no_context(&options, CLPRIMS_ERR_ARGUMENT, "device = \"\"");
}

static void unknown_device(const void *data) {
    const char *wanted = data;
    clprims_context_options options = {.device = wanted};
    expect_no_context(&options, CLPRIMS_ERR_NO_DEVICE, wanted);
    clprims_device_info device = {0};
    expect_ok(clprims_device_describe(0, &device));
    expect_no_context(&options, CLPRIMS_ERR_NO_DEVICE, device.name);
}

/* The number behind the last. */
static void number_beyond(void) {
    char number[32];
    size_t count = 0;
    clprims_context_options options = {0};
    expect_ok(clprims_device_count(&count));
    snprintf(number, sizeof number, "%zu", count);
    options.device = number;
    expect_no_context(&options, CLPRIMS_ERR_NO_DEVICE, number);
}

/* ---- The caller's own OpenCL objects --------------------------------------------------------- */

static cl_uint references(cl_context context) {
    cl_uint count = 0;
    expect_cl(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL));
    return count;
}

/* A driver may let go of a finished command, and so of its context, a moment after the wait for it
 * ended: the count has two seconds to come down. */
static void expect_references(cl_context context, cl_uint count) {
    const struct timespec moment = {0, 1000000};
    for (int tries = 0; tries < 2000 && references(context) > count; tries++) {
        nanosleep(&moment, NULL);
    }
    assert_int_equal(references(context), count);
}

typedef struct adoption {
    const char *name;
    bool with_queue;
    cl_command_queue_properties properties;
} adoption;

static const adoption adoptions[] = {
    {"without-queue", false, 0},
    {"with-queue", true, 0},
    {"with-queue/out-of-order", true, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE},
};

/* Out of order, a command that waits for nothing may overtake others: here or there it will. */
static void adopted(const void *data) {
    const adoption *a = data;
    const int times = a->properties != 0 ? 20 : 1;
    const clprims_context_info ours = test_info();
    cl_int code = CL_SUCCESS;
    cl_context cl = clCreateContext(NULL, 1, &ours.device_id, NULL, NULL, &code);
    expect_cl(code);
    cl_command_queue queue = clCreateCommandQueue(cl, ours.device_id, a->properties, &code);
    if (a->properties != 0 && code == CL_INVALID_QUEUE_PROPERTIES) {
        test_skip("%s has no out-of-order queues", ours.device.name);
    }
    expect_cl(code);
    const cl_uint before = references(cl);
    clprims_context_options options = {
        .context = cl, .device_id = ours.device_id, .queue = a->with_queue ? queue : NULL};
    for (int i = 0; i < times; i++) {
        const clprims_context_info info = expect_context(&options);
        assert_ptr_equal(info.context, cl);
        if (a->with_queue) assert_ptr_equal(info.queue, queue);
    }
    expect_references(cl, before);
    expect_cl(clReleaseCommandQueue(queue));
    expect_cl(clReleaseContext(cl));
}

static void adopted_wrongly(void) {
    const clprims_context_info ours = test_info();
    cl_int code = CL_SUCCESS;
    cl_context other = clCreateContext(NULL, 1, &ours.device_id, NULL, NULL, &code);
    expect_cl(code);
    clprims_context_options options = {.context = other};
    expect_no_context(&options, CLPRIMS_ERR_ARGUMENT, "device_id");
    options.device_id = ours.device_id;
    options.queue = ours.queue;
    expect_no_context(&options, CLPRIMS_ERR_ARGUMENT, "the queue belongs to another context");
    options.device = "0";
    options.queue = NULL;
    expect_no_context(&options, CLPRIMS_ERR_ARGUMENT, "device \"0\" and the caller's own context");
    options = (clprims_context_options){0};
    options.device_id = ours.device_id;
    expect_no_context(&options, CLPRIMS_ERR_ARGUMENT, "context");
    options = (clprims_context_options){0};
    options.queue = ours.queue;
    expect_no_context(&options, CLPRIMS_ERR_ARGUMENT, "a queue without its context");
    expect_cl(clReleaseContext(other));
}

/* A device that the caller's context does not have. */
static void adopted_of_other_device(void) {
    const clprims_context_info ours = test_info();
    cl_device_id other = test_sub_device();
    clprims_context_options options = {.context = ours.context, .device_id = other};
    expect_no_context(&options, CLPRIMS_ERR_ARGUMENT, "device_id is not one of");
    expect_cl(clReleaseDevice(other));
}

static void options_wrong(void) {
    clprims_context_options options = {.layer = (clprims_layer)17};
    expect_no_context(&options, CLPRIMS_ERR_ARGUMENT, "layer = 17");
    options.layer = (clprims_layer)-1;
    expect_no_context(&options, CLPRIMS_ERR_ARGUMENT, "layer = -1");
}

/* ---- Layers ---------------------------------------------------------------------------------- */

static void forced_layer(const void *data) {
    const clprims_layer layer = *(const clprims_layer *)data;
    const clprims_device_info device = test_info().device;
    clprims_context_options options = test_options();
    options.layer = layer;
    options.tuning_file = NULL;
    const bool pocl = strstr(device.platform_name, "Portable Computing Language") != NULL;
    const bool nvidia = strstr(device.platform_name, "NVIDIA") != NULL;
    clprims_context *context = NULL;
    const clprims_status status = clprims_context_create(&context, &options);
    clprims_context_destroy(context);
    const bool must_work =
        layer == CLPRIMS_LAYER_LOCAL || (nvidia && layer == CLPRIMS_LAYER_NVIDIA);
    const bool must_fail = pocl && layer == CLPRIMS_LAYER_NVIDIA;
    if (must_fail || (status != CLPRIMS_OK && !must_work)) {
        expect_no_context(&options, CLPRIMS_ERR_UNSUPPORTED, clprims_layer_name(layer));
        expect_contains(clprims_last_error()->message, device.name);
        return;
    }
    assert_int_equal(expect_context(&options).layer, layer);
}

void test_program(test_cases *cases) {
    static const char *const unknown[] = {"No Such Device", "4711"};
    test_add_plain(cases, best, "context/best");
    test_add_plain(cases, by_number, "context/by-number");
    test_add_plain(cases, by_part_of_name, "context/by-part-of-name");
    test_add_plain(cases, by_platform, "context/by-platform");
    test_add_plain(cases, no_device_name, "context/no-device-name");
    for (size_t i = 0; i < 2; i++)
        test_add(cases, unknown_device, unknown[i], strlen(unknown[i]) + 1,
                 "context/unknown-device/%s", unknown[i]);
    test_add_rows(cases, adopted, adoptions, "context/adopted");
    test_add_plain(cases, number_beyond, "context/unknown-device/number-behind-last");
    test_add_plain(cases, adopted_wrongly, "context/adopted/wrongly");
    test_add_plain(cases, adopted_of_other_device, "context/adopted/other-device");
    test_add_plain(cases, options_wrong, "context/options-wrong");
    for (clprims_layer layer = CLPRIMS_LAYER_NVIDIA; layer <= CLPRIMS_LAYER_LOCAL; layer++)
        test_add(cases, forced_layer, &layer, sizeof layer, "context/layer/%s",
                 clprims_layer_name(layer));
}
