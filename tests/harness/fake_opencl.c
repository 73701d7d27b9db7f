/* SPDX-License-Identifier: MIT */
/* Fake OpenCL: the functions that the library calls to create contexts and plans. */
#include "harness/fake_opencl.h"
#include "harness/programs.h"

#include <clprims/core.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifndef CL_API_CALL
#define CL_API_CALL
#endif

/* The functions have OpenCL's parameters, most of which a fake has no use for. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

typedef struct fake_device {
    const char *name, *version, *extensions;
    cl_device_type type;
    cl_uint subgroups; /* sub-groups of a work-group, at most */
    cl_uint width; /* of a sub-group */
    cl_uint units;
    cl_uint capability; /* as in fake_capability */
    size_t group; /* work-items of a group at most; 0: 1024 */
    cl_ulong local_bytes; /* 0: 48 KB */
} fake_device;

#define ATOMICS "cl_khr_fp64 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics "

#define SUBGROUPS                                                                                  \
    "cl_khr_subgroup_shuffle cl_khr_subgroup_shuffle_relative cl_khr_subgroup_ballot "             \
    "cl_intel_required_subgroup_size"

#define NVIDIA "cl_nv_device_attribute_query"

#define NVIDIA_GPU(name_, units_, capability_)                                                     \
    {                                                                                              \
        .name = name_ " (fake)", .version = "OpenCL 3.0", .extensions = ATOMICS NVIDIA,            \
        .type = CL_DEVICE_TYPE_GPU, .width = 32, .units = units_, .capability = capability_        \
    }

static const fake_device devices[FAKE_KINDS] = {
    NVIDIA_GPU("NVIDIA H200", 132, 90),
    NVIDIA_GPU("NVIDIA A100", 108, 80),
    {"a GPU with sub-groups", "OpenCL 3.0", ATOMICS SUBGROUPS, CL_DEVICE_TYPE_GPU, 64, 16, 132, 0,
     0, 0},
    {"a CPU with sub-groups", "OpenCL 3.0", ATOMICS SUBGROUPS, CL_DEVICE_TYPE_CPU, 64, 8, 132, 0, 0,
     0},
    {"a GPU", "OpenCL 1.2", ATOMICS, CL_DEVICE_TYPE_GPU, 0, 1, 132, 0, 0, 0},
    {"a CPU", "OpenCL 1.2", ATOMICS, CL_DEVICE_TYPE_CPU, 0, 1, 132, 0, 0, 0},
    NVIDIA_GPU("Tesla V100", 80, 70),
    NVIDIA_GPU("NVIDIA GeForce RTX 2080", 46, 75),
    NVIDIA_GPU("NVIDIA GeForce RTX 3090", 82, 86),
    NVIDIA_GPU("NVIDIA GeForce RTX 4090", 128, 89),
    NVIDIA_GPU("NVIDIA B200", 148, 100),
    NVIDIA_GPU("NVIDIA GeForce RTX 5090", 170, 120),
    {"a small GPU", "OpenCL 1.2", ATOMICS, CL_DEVICE_TYPE_GPU, 0, 1, 12, 0, 128, 32 << 10}};

unsigned fake_capability(fake_kind kind) {
    return devices[kind].capability;
}

enum { MOST_KERNELS = 64 }; /* then the first ones are used again */
/* A buffer is a place among these; the first ones are of before fake_log. */
enum { MOST_BUFFERS = 4096, LOGGED = 1024 };
static char buffers[MOST_BUFFERS];

static struct {
    const char *folder, *name;
    size_t count;
    const fake_device *device; /* of the last context */
    char *text; /* of the last program */
    cl_uint arguments; /* number of arguments, up to the one that was set last */
    const char *refused;
    fake_refusal refusal;
    char kernels[MOST_KERNELS][64]; /* names; a kernel is a place among them */
    size_t kernel_count;
    cl_ulong memory, most_alloc; /* 0: a lot */
    size_t allocated;
    size_t kernel_width; /* of sub-groups; 0: not said */
    const char *subgroups; /* extensions of devices with sub-groups; NULL: their own */
    cl_uint width; /* the same of their sub-groups */
    size_t group; /* work-items of a group at most; 0: the device's own */
    cl_uint units; /* likewise */
    cl_uint unseen; /* bits of what work-groups don't see of each other */
    fake_binaries binaries;
    const char *driver; /* version; NULL: "fake" */
    fake_created created;
    int is_loaded; /* the last program is of a binary */
    FILE *log;
    size_t buffer_count;
} fake;

void fake_log(FILE *to) {
    fake.log = to;
    fake.buffer_count = LOGGED;
}

/* The prelude ends where the first file begins. */
static void log_program(const char *options) {
    static const char file[] = "\n#line 1 \"";
    const char *at = strstr(fake.text, file);
    if (fake.log == NULL) return;
    fprintf(fake.log, "program %s\n%.*s\n", options, (int)(at - fake.text), fake.text);
    for (; at != NULL; at = strstr(at + 1, file)) {
        const char *name = at + strlen(file);
        fprintf(fake.log, "of %.*s\n", (int)strcspn(name, "\""), name);
    }
}

static void log_bytes(const char *what, const void *from, size_t bytes) {
    uintptr_t place = 0;
    if (fake.log == NULL) return;
    fprintf(fake.log, "%s, %zu bytes ", what, bytes);
    if (from != NULL && bytes == sizeof place) memcpy(&place, from, bytes);
    if (place - (uintptr_t)buffers < MOST_BUFFERS) {
        fprintf(fake.log, "buffer %zu", (size_t)(place - (uintptr_t)buffers));
    } else {
        for (size_t i = 0; from != NULL && i < bytes; i++) {
            fprintf(fake.log, "%02x", ((const unsigned char *)from)[i]);
        }
    }
    fputc('\n', fake.log);
}

void fake_make_binaries(fake_binaries how) {
    fake.binaries = how;
}

void fake_driver(const char *version) {
    fake.driver = version;
}

fake_created fake_count_created(void) {
    const fake_created created = fake.created;
    fake.created = (fake_created){0, 0};
    return created;
}

void fake_kernel_width(size_t width) {
    fake.kernel_width = width;
}

void fake_subgroups(const char *extensions, unsigned width) {
    fake.subgroups = extensions;
    fake.width = width;
}

void fake_sizes(size_t group, unsigned units) {
    fake.group = group;
    fake.units = units;
}

void fake_see(unsigned bits) {
    fake.unseen = ~(cl_uint)bits;
}

void fake_memory(size_t bytes, size_t most) {
    fake.memory = bytes;
    fake.most_alloc = most;
    fake.allocated = 0;
}

size_t fake_allocated(void) {
    return fake.allocated;
}

void fake_keep(const char *folder, const char *name) {
    fake.folder = folder;
    fake.name = name;
    fake.count = 0;
}

void fake_refuse(const char *text, fake_refusal how) {
    fake.refused = text;
    fake.refusal = how;
}

static int refuses(fake_refusal how) {
    return fake.refusal == how && fake.text != NULL && strstr(fake.text, fake.refused) != NULL;
}

size_t fake_kept(void) {
    return fake.count;
}

/* An object without contents. */
static void *object(cl_int *code) {
    static int nothing;
    if (code != NULL) *code = CL_SUCCESS;
    return &nothing;
}

/* ---- Devices ------------------------------------------------------------------------------------
 */

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformIDs(cl_uint room, cl_platform_id *ids,
                                                 cl_uint *count) {
    if (count != NULL) *count = 1;
    if (ids != NULL && room > 0) ids[0] = object(NULL);
    return CL_SUCCESS;
}

static cl_int answer(const void *value, size_t bytes, size_t room, void *to, size_t *needed) {
    if (needed != NULL) *needed = bytes;
    if (to == NULL) return CL_SUCCESS;
    if (room < bytes) return CL_INVALID_VALUE;
    memcpy(to, value, bytes);
    return CL_SUCCESS;
}

static cl_int answer_text(const char *text, size_t room, void *to, size_t *needed) {
    return answer(text, strlen(text) + 1, room, to, needed);
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id id, cl_platform_info key,
                                                  size_t room, void *to, size_t *needed) {
    return answer_text("fake", room, to, needed);
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id platform, cl_device_type type,
                                               cl_uint room, cl_device_id *ids, cl_uint *count) {
    if (count != NULL) *count = FAKE_KINDS;
    for (cl_uint i = 0; ids != NULL && i < room && i < FAKE_KINDS; i++)
        ids[i] = (cl_device_id)(uintptr_t)&devices[i];
    return CL_SUCCESS;
}

static const fake_device *device_of(cl_device_id id) {
    return (const fake_device *)(const void *)id;
}

static size_t most_group(const fake_device *device) {
    return fake.group > 0 ? fake.group : device->group > 0 ? device->group : 1024;
}

static cl_int answer_number(cl_device_info key, const fake_device *device, size_t room, void *to,
                            size_t *needed) {
    /* cl_nv_device_attribute_query's; CL_DEVICE_MAX_NUM_SUB_GROUPS of OpenCL 2.1 */
    enum { MAJOR_NV = 0x4000, MINOR_NV = 0x4001, MOST_SUBGROUPS = 0x105c };
    const cl_uint units = fake.units > 0 ? fake.units : device->units;
    const cl_uint word = key == MAJOR_NV                      ? device->capability / 10
                         : key == MINOR_NV                    ? device->capability % 10
                         : key == MOST_SUBGROUPS              ? device->subgroups
                         : key == CL_DEVICE_MAX_COMPUTE_UNITS ? units
                                                              : 8; /* of vectors */
    const cl_ulong plenty = (cl_ulong)1 << 34;
    const cl_ulong local = device->local_bytes > 0 ? device->local_bytes : 48 << 10;
    const cl_ulong memory = fake.memory > 0 ? fake.memory : plenty;
    const cl_ulong most = fake.most_alloc > 0 ? fake.most_alloc : plenty;
    const cl_ulong bytes = key == CL_DEVICE_LOCAL_MEM_SIZE       ? local
                           : key == CL_DEVICE_GLOBAL_MEM_SIZE    ? memory
                           : key == CL_DEVICE_MAX_MEM_ALLOC_SIZE ? most
                                                                 : plenty;
    const size_t group = most_group(device);
    switch (key) {
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        return answer(&group, sizeof group, room, to, needed);
    case CL_DEVICE_LOCAL_MEM_SIZE:
    case CL_DEVICE_GLOBAL_MEM_SIZE:
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
        return answer(&bytes, sizeof bytes, room, to, needed);
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_INT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG:
    case CL_DEVICE_MAX_COMPUTE_UNITS:
    case MAJOR_NV:
    case MINOR_NV:
    case MOST_SUBGROUPS:
        return answer(&word, sizeof word, room, to, needed);
    default:
        return CL_INVALID_VALUE;
    }
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceInfo(cl_device_id id, cl_device_info key, size_t room,
                                                void *to, size_t *needed) {
    const fake_device *device = device_of(id);
    const cl_platform_id platform = object(NULL);
    switch (key) {
    case CL_DEVICE_PLATFORM:
        return answer(&platform, sizeof platform, room, to, needed);
    case CL_DEVICE_TYPE:
        return answer(&device->type, sizeof device->type, room, to, needed);
    case CL_DEVICE_NAME:
        return answer_text(device->name, room, to, needed);
    case CL_DEVICE_VENDOR:
        return answer_text(device->capability > 0 ? "NVIDIA Corporation" : "fake", room, to,
                           needed);
    case CL_DRIVER_VERSION:
        return answer_text(fake.driver != NULL ? fake.driver : "fake", room, to, needed);
    case CL_DEVICE_VERSION:
        return answer_text(device->version, room, to, needed);
    case CL_DEVICE_EXTENSIONS:
        if (fake.subgroups != NULL && device->subgroups > 0)
            return answer_text(fake.subgroups, room, to, needed);
        return answer_text(device->extensions, room, to, needed);
    default:
        return answer_number(key, device, room, to, needed);
    }
}

/* ---- Programs -----------------------------------------------------------------------------------
 */

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count,
                                                              const char **texts,
                                                              const size_t *lengths, cl_int *code) {
    free(fake.text);
    fake.text = calloc(lengths[0] + 1, 1);
    if (fake.text == NULL) abort();
    memcpy(fake.text, texts[0], lengths[0]);
    fake.created.from_source++;
    fake.is_loaded = 0;
    return object(code);
}

static const char binary[] = "//\n// what a fake driver makes of a program\n"
                             ".version 9.0\n.target sm_90, texmode_independent\n";

const char *fake_binary(size_t *bytes) {
    *bytes = sizeof binary;
    return binary;
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint count,
                                                              const cl_device_id *ids,
                                                              const size_t *bytes,
                                                              const unsigned char **binaries,
                                                              cl_int *of_devices, cl_int *code) {
    const int is_own = bytes[0] == sizeof binary && memcmp(binaries[0], binary, bytes[0]) == 0;
    *of_devices = *code = CL_INVALID_BINARY;
    if (!is_own || fake.binaries == FAKE_BINARIES_REFUSED) return NULL;
    fake.created.from_binary++;
    fake.is_loaded = 1;
    *of_devices = CL_SUCCESS;
    return object(code);
}

CL_API_ENTRY cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info key,
                                                 size_t room, void *to, size_t *needed) {
    const size_t devices_count = fake.binaries == FAKE_BINARIES_OF_TWO ? 2 : 1;
    const size_t own = devices_count - 1;
    const size_t bytes = fake.binaries == FAKE_BINARIES_NONE ? 0 : sizeof binary;
    const cl_device_id device = (cl_device_id)(uintptr_t)fake.device;
    const cl_device_id ids[] = {own > 0 ? (cl_device_id)(uintptr_t)&binary : device, device};
    const size_t sizes[] = {own > 0 ? 7 : bytes, bytes};
    if (fake.binaries == FAKE_BINARIES_FAIL) return CL_OUT_OF_RESOURCES;
    switch (key) {
    case CL_PROGRAM_DEVICES:
        return answer(ids, devices_count * sizeof ids[0], room, to, needed);
    case CL_PROGRAM_BINARY_SIZES:
        return answer(sizes, devices_count * sizeof sizes[0], room, to, needed);
    case CL_PROGRAM_BINARIES:
        /* NULL: that device's is not wanted. */
        if (own > 0 && ((unsigned char **)to)[0] != NULL) abort();
        memcpy(((unsigned char **)to)[own], binary, sizeof binary);
        return CL_SUCCESS;
    default:
        return CL_INVALID_VALUE;
    }
}

/* In the place of harness/programs.c, whose clBuildProgram would be a second one. */
size_t programs_count(void) {
    return fake.count;
}

CL_API_ENTRY cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint count,
                                               const cl_device_id *ids, const char *options,
                                               void(CL_CALLBACK *notify)(cl_program, void *),
                                               void *data) {
    char path[1024], number[24] = "";
    if (refuses(FAKE_NO_BUILD)) return CL_BUILD_PROGRAM_FAILURE;
    if (fake.is_loaded) {
        return fake.binaries == FAKE_BINARIES_NOT_BUILT ? CL_INVALID_BINARY : CL_SUCCESS;
    }
    log_program(options);
    if (fake.folder == NULL) return CL_SUCCESS;
    if (++fake.count > 1) snprintf(number, sizeof number, ".%zu", fake.count);
    snprintf(path, sizeof path, "%s/%s%s.cl", fake.folder, fake.name, number);
    FILE *file = fopen(path, "w");
    const int written =
        file != NULL && fprintf(file, "%s\n/* options: %s */\n", fake.text, options) >= 0;
    if (file == NULL || fclose(file) != 0 || !written) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id id,
                                                      cl_program_build_info key, size_t room,
                                                      void *to, size_t *needed) {
    return answer_text("the fake compiler refuses it", room, to, needed);
}

/* Only probes read: all functions work, groups see all of each other, and sub-groups have the
 * device's width. */
CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer,
                                                    cl_bool blocking, size_t offset, size_t bytes,
                                                    void *to, cl_uint waits, const cl_event *wait,
                                                    cl_event *event) {
    const bool is_other = fake.subgroups != NULL && fake.device->subgroups > 0;
    const cl_uint width = is_other ? fake.width : fake.device->width;
    const cl_uint found[2] = {~(cl_uint)0, width}, seen = ~fake.unseen;
    for (size_t i = 0; i + sizeof found <= bytes; i += sizeof found)
        memcpy((char *)to + i, found, sizeof found);
    if (bytes == sizeof seen) memcpy(to, &seen, sizeof seen);
    if (refuses(FAKE_WRONG_RESULT)) memset(to, 0, bytes);
    return CL_SUCCESS;
}

/* ---- What is made and done, which is nothing ----------------------------------------------------
 */

CL_API_ENTRY cl_context CL_API_CALL
clCreateContext(const cl_context_properties *properties, cl_uint count, const cl_device_id *ids,
                void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data,
                cl_int *code) {
    fake.device = device_of(ids[0]);
    return object(code);
}

CL_API_ENTRY cl_command_queue CL_API_CALL clCreateCommandQueue(
    cl_context context, cl_device_id id, cl_command_queue_properties properties, cl_int *code) {
    return object(code);
}

CL_API_ENTRY cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char *name,
                                                  cl_int *code) {
    char *kernel = fake.kernels[fake.kernel_count++ % MOST_KERNELS];
    if (refuses(FAKE_NO_KERNEL)) {
        *code = CL_OUT_OF_RESOURCES;
        return NULL;
    }
    snprintf(kernel, sizeof fake.kernels[0], "%s", name);
    *code = CL_SUCCESS;
    return (cl_kernel)(void *)kernel;
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes,
                                               void *host, cl_int *code) {
    fake.allocated += bytes;
    log_bytes("buffer", NULL, bytes);
    if (fake.most_alloc > 0 && bytes > fake.most_alloc) {
        *code = CL_INVALID_BUFFER_SIZE;
        return NULL;
    }
    *code = CL_SUCCESS;
    return (cl_mem)(void *)&buffers[fake.buffer_count++ % MOST_BUFFERS];
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint number, size_t bytes,
                                               const void *value) {
    fake.arguments = number + 1;
    log_bytes("argument", value, bytes);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                                       cl_uint dimensions, const size_t *first,
                                                       const size_t *items, const size_t *group,
                                                       cl_uint waits, const cl_event *wait,
                                                       cl_event *event) {
    if (refuses(FAKE_NO_LAUNCH)) return CL_OUT_OF_RESOURCES;
    if (*group > most_group(fake.device)) return CL_INVALID_WORK_GROUP_SIZE;
    if (fake.log != NULL) {
        fprintf(fake.log, "launch %s %zux%zu\n", (const char *)(const void *)kernel,
                *items / *group, *group);
    }
    if (event != NULL) *event = object(NULL);
    return CL_SUCCESS;
}

/* Commands of which only the name is seen. */
#define COMMAND(name, ...)                                                                         \
    CL_API_ENTRY cl_int CL_API_CALL name(__VA_ARGS__, cl_uint waits, const cl_event *wait,         \
                                         cl_event *event) {                                        \
        if (event != NULL) *event = object(NULL);                                                  \
        if (fake.log != NULL) fprintf(fake.log, "%s\n", #name);                                    \
        return CL_SUCCESS;                                                                         \
    }
COMMAND(clEnqueueWriteBuffer, cl_command_queue queue, cl_mem buffer, cl_bool blocking,
        size_t offset, size_t bytes, const void *from)
COMMAND(clEnqueueFillBuffer, cl_command_queue queue, cl_mem buffer, const void *pattern,
        size_t pattern_bytes, size_t offset, size_t bytes)
COMMAND(clEnqueueBarrierWithWaitList, cl_command_queue queue)
COMMAND(clEnqueueMarkerWithWaitList, cl_command_queue queue)

/* Queues are in order. */
CL_API_ENTRY cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue queue,
                                                      cl_command_queue_info key, size_t room,
                                                      void *to, size_t *needed) {
    const cl_command_queue_properties none = 0;
    const cl_context owner = object(NULL);
    switch (key) {
    case CL_QUEUE_PROPERTIES:
        return answer(&none, sizeof none, room, to, needed);
    case CL_QUEUE_CONTEXT:
        return answer(&owner, sizeof owner, room, to, needed);
    case CL_QUEUE_DEVICE:
        return answer(&fake.device, sizeof fake.device, room, to, needed);
    default:
        return CL_INVALID_VALUE;
    }
}

/* All buffers are one, of a size that holds everything. */
CL_API_ENTRY cl_int CL_API_CALL clGetMemObjectInfo(cl_mem buffer, cl_mem_info key, size_t room,
                                                   void *to, size_t *needed) {
    const size_t bytes = (size_t)1 << 40;
    const cl_context owner = object(NULL);
    const cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
    const cl_mem none = NULL;
    switch (key) {
    case CL_MEM_TYPE:
        return answer(&type, sizeof type, room, to, needed);
    case CL_MEM_SIZE:
        return answer(&bytes, sizeof bytes, room, to, needed);
    case CL_MEM_CONTEXT:
        return answer(&owner, sizeof owner, room, to, needed);
    case CL_MEM_ASSOCIATED_MEMOBJECT:
        return answer(&none, sizeof none, room, to, needed);
    default:
        return CL_INVALID_VALUE;
    }
}

/* Every kernel takes as many arguments as it was given. */
CL_API_ENTRY cl_int CL_API_CALL clGetKernelInfo(cl_kernel kernel, cl_kernel_info key, size_t room,
                                                void *to, size_t *needed) {
    const cl_program program = object(NULL);
    switch (key) {
    case CL_KERNEL_PROGRAM:
        return answer(&program, sizeof program, room, to, needed);
    case CL_KERNEL_NUM_ARGS:
        return answer(&fake.arguments, sizeof fake.arguments, room, to, needed);
    default:
        return answer_text((const char *)(const void *)kernel, room, to, needed);
    }
}

/* Of OpenCL 2.1, which the headers may not declare. */
extern CL_API_ENTRY cl_int CL_API_CALL clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id id,
                                                               cl_uint key, size_t given_bytes,
                                                               const void *given, size_t room,
                                                               void *to, size_t *needed);

CL_API_ENTRY cl_int CL_API_CALL clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id id,
                                                        cl_uint key, size_t given_bytes,
                                                        const void *given, size_t room, void *to,
                                                        size_t *needed) {
    if (fake.kernel_width == 0) return CL_INVALID_VALUE;
    return answer(&fake.kernel_width, sizeof fake.kernel_width, room, to, needed);
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel kernel, cl_uint i,
                                                   cl_kernel_arg_info key, size_t room, void *to,
                                                   size_t *needed) {
    return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
}

/* What takes one object and says nothing of it. */
#define NOTHING(name, type)                                                                        \
    CL_API_ENTRY cl_int CL_API_CALL name(type made) {                                              \
        return CL_SUCCESS;                                                                         \
    }
NOTHING(clReleaseContext, cl_context)
NOTHING(clRetainCommandQueue, cl_command_queue)
NOTHING(clReleaseCommandQueue, cl_command_queue)
NOTHING(clRetainProgram, cl_program)
NOTHING(clReleaseProgram, cl_program)
NOTHING(clReleaseKernel, cl_kernel)
NOTHING(clReleaseMemObject, cl_mem)
NOTHING(clReleaseEvent, cl_event)
NOTHING(clFinish, cl_command_queue)
