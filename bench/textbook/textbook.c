/* SPDX-License-Identifier: MIT */
/* What the textbook steps share: the list of tables, messages, programs, launches, clocks. */
#include "textbook.h"
#include "textbook_sources.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TEXTBOOK_STEM(stem) extern const textbook_table textbook_##stem;
#include "textbook_stems.h"
#undef TEXTBOOK_STEM

#define TEXTBOOK_STEM(stem) &textbook_##stem,
const textbook_table *const textbook_tables[] = {
#include "textbook_stems.h"
    NULL};
#undef TEXTBOOK_STEM

enum { LOCAL_LANES = 32 };

static char message[2048];

bool textbook_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return false;
}

const char *textbook_message(void) {
    return message;
}

bool textbook_cl(cl_int code, const char *what) {
    return code == CL_SUCCESS || textbook_fail("%s: OpenCL status %d", what, (int)code);
}

static const textbook_source *source_of(const char *file) {
    for (const textbook_source *source = textbook_sources; source->name != NULL; source++)
        if (strcmp(source->name, file) == 0) return source;
    return NULL;
}

static bool fail_with_log(cl_program program, cl_device_id device, const char *file, cl_int code) {
    char log[1600] = "";
    size_t bytes = 0;
    /* The beginning is what is wanted of a long log, and OpenCL gives all or nothing. */
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    char *whole = malloc(bytes + 1);
    if (whole != NULL && clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, whole,
                                               NULL) == CL_SUCCESS) {
        whole[bytes] = '\0';
        snprintf(log, sizeof log, "%s", whole);
    }
    free(whole);
    return textbook_fail("%s does not compile (OpenCL status %d): %s", file, (int)code, log);
}

textbook_device textbook_device_of(clprims_context *context, const clprims_context_info *info) {
    const bool local = info->layer == CLPRIMS_LAYER_LOCAL;
    return (textbook_device){context,
                             info->context,
                             info->device_id,
                             info->queue,
                             (info->device.type & CL_DEVICE_TYPE_CPU) != 0,
                             info->layer,
                             local ? LOCAL_LANES : info->subgroup_width};
}

enum { MAX_TEXTS = 8 };

/* The defines, then the files that are named, in their order. */
static bool build(const textbook_device *device, const char *defines, const char *const files[],
                  size_t count, const char *options, cl_program *program) {
    const char *texts[2 * MAX_TEXTS + 1] = {defines};
    char lines[MAX_TEXTS][96];
    cl_int code = CL_SUCCESS;
    *program = NULL;
    for (size_t k = 0; k < count; k++) {
        const textbook_source *source = source_of(files[k]);
        if (source == NULL) return textbook_fail("%s is not in bench/textbook", files[k]);
        snprintf(lines[k], sizeof lines[k], "\n#line 1 \"%s\"\n", files[k]);
        texts[2 * k + 1] = lines[k];
        texts[2 * k + 2] = source->text;
    }
    cl_program built =
        clCreateProgramWithSource(device->context, (cl_uint)(2 * count + 1), texts, NULL, &code);
    if (!textbook_cl(code, "clCreateProgramWithSource")) return false;
    code = clBuildProgram(built, 1, &device->id, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        fail_with_log(built, device->id, files[count - 1], code);
        clReleaseProgram(built);
        return false;
    }
    *program = built;
    return true;
}

bool textbook_build(const textbook_device *device, const char *file, const char *defines,
                    cl_program *program) {
    return build(device, defines, &file, 1, "-cl-std=CL1.2", program);
}

size_t textbook_lanes_group(const textbook_device *device, size_t most) {
    if (device->layer == CLPRIMS_LAYER_LOCAL) return device->lanes;
    const size_t square = device->lanes * device->lanes;
    return most < square ? most : square;
}

static bool asks_subgroup_width(const textbook_device *device) {
    char extensions[8192] = "";
    clGetDeviceInfo(device->id, CL_DEVICE_EXTENSIONS, sizeof extensions - 1, extensions, NULL);
    return device->layer == CLPRIMS_LAYER_SUBGROUP &&
           strstr(extensions, "cl_intel_required_subgroup_size") != NULL;
}

bool textbook_build_lanes(const textbook_device *device, const char *file, size_t group,
                          const char *defines, cl_program *program) {
    char layer[64], prelude[1024];
    snprintf(layer, sizeof layer, "device_%s.cl", clprims_layer_name(device->layer));
    snprintf(prelude, sizeof prelude,
             "#define CLP_GROUP %zu\n#define CLP_SUBGROUP_WIDTH %zu\n"
             "#define CLP_ASK_SUBGROUP_WIDTH %d\n#define CLP_INT64_ATOMICS 1\n"
             "#define CLP_COMPUTE_CAPABILITY 0\n%s",
             group, device->lanes, asks_subgroup_width(device), defines);
    const bool is_nvidia = device->layer == CLPRIMS_LAYER_NVIDIA; /* which lacks nothing */
    const char *const files[] = {"device_portable.cl", layer, "lanes.cl", file};
    return build(device, prelude, files + is_nvidia, 4 - (size_t)is_nvidia,
                 device->layer == CLPRIMS_LAYER_SUBGROUP ? "-cl-std=CL3.0" : "-cl-std=CL1.2",
                 program);
}

bool textbook_kernel(cl_program program, const char *name, cl_kernel *kernel) {
    cl_int code = CL_SUCCESS;
    *kernel = clCreateKernel(program, name, &code);
    return textbook_cl(code, name);
}

bool textbook_buffer(const textbook_device *device, size_t bytes, cl_mem *buffer) {
    cl_int code = CL_SUCCESS;
    *buffer =
        clCreateBuffer(device->context, CL_MEM_READ_WRITE, bytes > 0 ? bytes : 1, NULL, &code);
    return code == CL_SUCCESS ||
           textbook_fail("no buffer of %zu bytes: OpenCL status %d", bytes, (int)code);
}

bool textbook_launch_with(const textbook_device *device, cl_kernel kernel, size_t groups,
                          size_t group, cl_event *event, const textbook_arg *args, size_t count) {
    if (groups == 0)
        return event == NULL ||
               textbook_cl(clEnqueueMarkerWithWaitList(device->queue, 0, NULL, event),
                           "clEnqueueMarkerWithWaitList");
    for (size_t k = 0; k < count; k++)
        if (!textbook_cl(clSetKernelArg(kernel, (cl_uint)k, args[k].bytes, args[k].value),
                         "clSetKernelArg"))
            return false;
    const size_t items = groups * group;
    return textbook_cl(
        clEnqueueNDRangeKernel(device->queue, kernel, 1, NULL, &items, &group, 0, NULL, event),
        "clEnqueueNDRangeKernel");
}

void textbook_release(cl_program program) {
    if (program != NULL) clReleaseProgram(program);
}

void textbook_release_kernel(cl_kernel kernel) {
    if (kernel != NULL) clReleaseKernel(kernel);
}

void textbook_release_buffer(cl_mem buffer) {
    if (buffer != NULL) clReleaseMemObject(buffer);
}

double textbook_event_seconds(cl_event first, cl_event last) {
    cl_ulong began = 0, ended = 0;
    clGetEventProfilingInfo(first, CL_PROFILING_COMMAND_START, sizeof began, &began, NULL);
    clGetEventProfilingInfo(last, CL_PROFILING_COMMAND_END, sizeof ended, &ended, NULL);
    return (double)(ended - began) * 1e-9;
}

double textbook_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

uint64_t textbook_scatter(uint64_t i) {
    uint64_t x = i * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u;
    x = (x ^ (x >> 31)) * 0xda942042e4dd58b5u;
    return x ^ (x >> 29);
}
