/* SPDX-License-Identifier: MIT */
/* One wrapper for each function that the library calls; see faulty.h. */
#include "faults/faulty.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct { atomic_long blocks, contexts, queues, programs, kernels, buffers, events; } live;

static _Thread_local struct {
    size_t calls_left; /* 0: disarmed */
    cl_int code;
    const char *only; /* NULL: calls of all functions */
    const char *fired;
    cl_event last; /* of the last command, or NULL; not retained */
    bool running; /* the last command was not waited for */
} faults;

faulty_live faulty_count(void) {
    return (faulty_live){.blocks = live.blocks,
                         .contexts = live.contexts,
                         .queues = live.queues,
                         .programs = live.programs,
                         .kernels = live.kernels,
                         .buffers = live.buffers,
                         .events = live.events};
}

void faulty_arm(size_t k, cl_int code) {
    faults.calls_left = k;
    faults.code = code;
    faults.only = faults.fired = NULL;
    faults.last = NULL;
    faults.running = false;
}

bool faulty_left_running(void) {
    return faults.running;
}

void faulty_arm_call(const char *name, size_t k, cl_int code) {
    faulty_arm(k, code);
    faults.only = name;
}

const char *faulty_disarm(void) {
    faults.calls_left = 0;
    return faults.fired;
}

static bool is_due(const char *name) {
    if (faults.only != NULL && strcmp(faults.only, name) != 0) return false;
    if (faults.calls_left == 0 || --faults.calls_left > 0) return false;
    faults.fired = name;
    return true;
}

static bool is_memory_due(const char *name) {
    return faults.code == CL_SUCCESS && is_due(name);
}

static bool is_cl_due(const char *name) {
    return faults.code != CL_SUCCESS && is_due(name);
}

/* ---- Commands ---- */

static struct {
    faulty_command commands[FAULTY_MOST_COMMANDS];
    size_t count;
    bool on;
} record;

void faulty_record(void) {
    record.count = 0;
    record.on = true;
}

const faulty_command *faulty_recorded(size_t *count) {
    record.on = false;
    *count = record.count;
    return record.commands;
}

static void keep(const char *name, cl_uint n, const cl_event *wait, const cl_event *event) {
    faults.last = event != NULL ? *event : NULL;
    /* A marker uses nothing that a caller might give back. */
    if (strcmp(name, "clEnqueueMarkerWithWaitList") != 0) {
        faults.running = strcmp(name, "clFinish") != 0;
    }
    if (!record.on || record.count++ >= FAULTY_MOST_COMMANDS) return;
    faulty_command *command = &record.commands[record.count - 1];
    *command = (faulty_command){.name = name, .num_wait = n};
    if (event != NULL) command->event = *event;
    for (cl_uint i = 0; i < n && i < FAULTY_MOST_WAITS; i++) command->wait[i] = wait[i];
}

static struct {
    cl_event events[FAULTY_MOST_COMMANDS];
    size_t count;
    bool on;
} held;

__typeof__(clRetainEvent) __real_clRetainEvent;
__typeof__(clReleaseEvent) __real_clReleaseEvent;

void faulty_hold(void) {
    held.on = true;
}

void faulty_let_go(void) {
    for (size_t i = 0; i < held.count; i++) __real_clReleaseEvent(held.events[i]);
    held.on = false;
    held.count = 0;
}

/* Where a command's event goes: where it is wanted, or else where it is held. */
static cl_event *place_of_event(cl_event *wanted) {
    const bool takes = held.on && wanted == NULL && held.count < FAULTY_MOST_COMMANDS;
    return takes ? &held.events[held.count++] : wanted;
}

static void hold_wanted(const cl_event *wanted) {
    if (!held.on || wanted == NULL || held.count == FAULTY_MOST_COMMANDS) return;
    if (__real_clRetainEvent(*wanted) == CL_SUCCESS) held.events[held.count++] = *wanted;
}

/* ---- The allocator ----------------------------------------------------------------------------
 */

__typeof__(malloc) __real_malloc, __wrap_malloc;
__typeof__(calloc) __real_calloc, __wrap_calloc;
__typeof__(realloc) __real_realloc, __wrap_realloc;
__typeof__(free) __real_free, __wrap_free;

void *__wrap_malloc(size_t bytes) {
    void *block = is_memory_due("malloc") ? NULL : __real_malloc(bytes);
    live.blocks += block != NULL;
    return block;
}

void *__wrap_calloc(size_t n, size_t bytes) {
    void *block = is_memory_due("calloc") ? NULL : __real_calloc(n, bytes);
    live.blocks += block != NULL;
    return block;
}

void *__wrap_realloc(void *block, size_t bytes) {
    const bool is_new = block == NULL;
    void *moved = is_memory_due("realloc") ? NULL : __real_realloc(block, bytes);
    live.blocks += is_new && moved != NULL;
    return moved;
}

void __wrap_free(void *block) {
    live.blocks -= block != NULL;
    __real_free(block);
}

/* ---- OpenCL -------------------------------------------------------------------------------------
 */

/* A call that makes nothing, and never fails when `exempt` holds. */
#define WRAP_UNLESS(exempt, name, parameters, arguments)                                           \
    WRAP_BY(__real_##name, exempt, name, parameters, arguments)
#define WRAP_BY(call, exempt, name, parameters, arguments)                                         \
    __typeof__(name) __real_##name, __wrap_##name;                                                 \
    cl_int __wrap_##name parameters {                                                              \
        return !(exempt) && is_cl_due(#name) ? faults.code : call arguments;                       \
    }
#define WRAP(name, parameters, arguments) WRAP_UNLESS(false, name, parameters, arguments)

/* A call that returns a new object and sets *errcode. */
#define WRAP_CREATE(type, kind, name, parameters, arguments)                                       \
    WRAP_CREATE_BY(__real_##name, type, kind, name, parameters, arguments)
#define WRAP_CREATE_BY(call, type, kind, name, parameters, arguments)                              \
    __typeof__(name) __real_##name, __wrap_##name;                                                 \
    type __wrap_##name parameters {                                                                \
        type made = NULL;                                                                          \
        if (is_cl_due(#name)) {                                                                    \
            if (errcode != NULL) *errcode = faults.code;                                           \
        } else {                                                                                   \
            made = call arguments;                                                                 \
        }                                                                                          \
        live.kind += made != NULL;                                                                 \
        return made;                                                                               \
    }

#define WRAP_RETAIN(type, kind, name)                                                              \
    __typeof__(name) __real_##name, __wrap_##name;                                                 \
    cl_int __wrap_##name(type object) {                                                            \
        const cl_int code = is_cl_due(#name) ? faults.code : __real_##name(object);                \
        live.kind += code == CL_SUCCESS;                                                           \
        return code;                                                                               \
    }

#define WRAP_RELEASE(type, kind, name)                                                             \
    __typeof__(name) __real_##name, __wrap_##name;                                                 \
    cl_int __wrap_##name(type object) {                                                            \
        const cl_int code = __real_##name(object);                                                 \
        live.kind -= code == CL_SUCCESS;                                                           \
        return code;                                                                               \
    }

/* A command, whose event is a new object when it is wanted. */
#define WRAP_ENQUEUE(name, parameters, arguments)                                                  \
    __typeof__(name) __real_##name, __wrap_##name;                                                 \
    cl_int __wrap_##name parameters {                                                              \
        cl_event *const wanted = event;                                                            \
        if (is_cl_due(#name)) return faults.code;                                                  \
        event = place_of_event(wanted);                                                            \
        const cl_int code = __real_##name arguments;                                               \
        if (code != CL_SUCCESS) return code;                                                       \
        live.events += wanted != NULL;                                                             \
        hold_wanted(wanted);                                                                       \
        keep(#name, n, wait, wanted);                                                              \
        return code;                                                                               \
    }

/* cl.h declares it for OpenCL 2.1 and later. */
enum { MAX_NUM_SUB_GROUPS = 0x105C };

static bool may_be_refused(cl_device_info key) {
    return key == CL_DEVICE_NAME || key == CL_DEVICE_VENDOR || key == CL_DEVICE_VERSION ||
           key == CL_DRIVER_VERSION || key == MAX_NUM_SUB_GROUPS;
}

static bool repeats_platform;

void faulty_repeat_platform(void) {
    repeats_platform = true;
}

__typeof__(clGetPlatformIDs) __real_clGetPlatformIDs, __wrap_clGetPlatformIDs;
cl_int __wrap_clGetPlatformIDs(cl_uint n, cl_platform_id *ids, cl_uint *count) {
    if (is_cl_due("clGetPlatformIDs")) return faults.code;
    const cl_int code = __real_clGetPlatformIDs(n, ids, count);
    if (repeats_platform && code == CL_SUCCESS && *count < n) ids[(*count)++] = ids[0];
    return code;
}
WRAP_UNLESS(true, clGetPlatformInfo,
            (cl_platform_id id, cl_platform_info key, size_t bytes, void *value, size_t *got),
            (id, key, bytes, value, got))
WRAP(clGetDeviceIDs,
     (cl_platform_id id, cl_device_type type, cl_uint n, cl_device_id *ids, cl_uint *count),
     (id, type, n, ids, count))
WRAP_UNLESS(may_be_refused(key), clGetDeviceInfo,
            (cl_device_id id, cl_device_info key, size_t bytes, void *value, size_t *got),
            (id, key, bytes, value, got))

WRAP_CREATE(cl_context, contexts, clCreateContext,
            (const cl_context_properties *properties, cl_uint n, const cl_device_id *ids,
             void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data,
             cl_int *errcode),
            (properties, n, ids, notify, data, errcode))
WRAP_RETAIN(cl_context, contexts, clRetainContext)
WRAP_RELEASE(cl_context, contexts, clReleaseContext)
WRAP(clGetContextInfo,
     (cl_context context, cl_context_info key, size_t bytes, void *value, size_t *got),
     (context, key, bytes, value, got))

WRAP_CREATE(cl_command_queue, queues, clCreateCommandQueue,
            (cl_context context, cl_device_id id, cl_command_queue_properties properties,
             cl_int *errcode),
            (context, id, properties, errcode))
WRAP_RETAIN(cl_command_queue, queues, clRetainCommandQueue)
WRAP_RELEASE(cl_command_queue, queues, clReleaseCommandQueue)
WRAP(clGetCommandQueueInfo,
     (cl_command_queue queue, cl_command_queue_info key, size_t bytes, void *value, size_t *got),
     (queue, key, bytes, value, got))
WRAP(clFlush, (cl_command_queue queue), (queue))

__typeof__(clFinish) __real_clFinish, __wrap_clFinish;
cl_int __wrap_clFinish(cl_command_queue queue) {
    const cl_int code = is_cl_due("clFinish") ? faults.code : __real_clFinish(queue);
    if (code == CL_SUCCESS) keep("clFinish", 0, NULL, NULL);
    return code;
}

/* PoCL preprocesses a text before it looks for the program in its cache, which would take most of
 * the time of thousands of calls that fail: of one context, a program that was built serves for
 * every later one of its text. The library sees a new object that it builds. */
enum { KEPT_MOST = 256, TEXT_MOST = 1 << 21 };

static struct {
    cl_context context; /* NULL: none is kept */
    size_t count;
    uint64_t texts[KEPT_MOST], options[KEPT_MOST]; /* hashes */
    cl_program programs[KEPT_MOST];
} kept;

void faulty_keep_programs(cl_context context) {
    kept.context = context;
}

/* FNV-1a; bytes 0: up to the zero byte. */
static uint64_t hash(uint64_t value, const char *text, size_t bytes) {
    if (bytes == 0) bytes = strlen(text);
    for (size_t i = 0; i < bytes; i++) value = (value ^ (unsigned char)text[i]) * 1099511628211u;
    return value;
}

enum { HASH_OF_NOTHING = 17 };

__typeof__(clRetainProgram) __real_clRetainProgram;
__typeof__(clGetProgramInfo) __real_clGetProgramInfo;
__typeof__(clCreateProgramWithSource) __real_clCreateProgramWithSource;
__typeof__(clBuildProgram) __real_clBuildProgram;

static cl_program create_program(cl_context context, cl_uint n, const char **texts,
                                 const size_t *lengths, cl_int *errcode) {
    uint64_t all = HASH_OF_NOTHING;
    for (cl_uint i = 0; i < n && context == kept.context; i++) {
        all = hash(all, texts[i], lengths != NULL ? lengths[i] : 0);
    }
    for (size_t i = 0; i < kept.count && context == kept.context; i++) {
        if (kept.texts[i] != all) continue;
        const cl_int code = __real_clRetainProgram(kept.programs[i]);
        if (errcode != NULL) *errcode = code;
        return kept.programs[i];
    }
    return __real_clCreateProgramWithSource(context, n, texts, lengths, errcode);
}

static void keep_program(cl_program program, uint64_t options) {
    static char text[TEXT_MOST];
    cl_context context = NULL;
    __real_clGetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof context, &context, NULL);
    if (context != kept.context || kept.count == KEPT_MOST) return;
    if (__real_clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof text, text, NULL) ||
        __real_clRetainProgram(program))
        return;
    kept.texts[kept.count] = hash(HASH_OF_NOTHING, text, 0);
    kept.options[kept.count] = options;
    kept.programs[kept.count++] = program;
}

static cl_int build_program(cl_program program, cl_uint n, const cl_device_id *ids,
                            const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                            void *data) {
    const uint64_t own = hash(HASH_OF_NOTHING, options, 0);
    for (size_t i = 0; i < kept.count; i++) {
        if (kept.programs[i] != program) continue;
        if (kept.options[i] == own) return CL_SUCCESS;
        fprintf(stderr, "faulty.c: a program is built again with other options, %s\n", options);
        abort();
    }
    const cl_int code = __real_clBuildProgram(program, n, ids, options, notify, data);
    if (code == CL_SUCCESS && kept.context != NULL) keep_program(program, own);
    return code;
}

WRAP_CREATE_BY(create_program, cl_program, programs, clCreateProgramWithSource,
               (cl_context context, cl_uint n, const char **texts, const size_t *lengths,
                cl_int *errcode),
               (context, n, texts, lengths, errcode))
WRAP_CREATE(cl_program, programs, clCreateProgramWithBinary,
            (cl_context context, cl_uint n, const cl_device_id *ids, const size_t *lengths,
             const unsigned char **binaries, cl_int *statuses, cl_int *errcode),
            (context, n, ids, lengths, binaries, statuses, errcode))
/* harness/programs.c asks for the source, and for nothing else. */
WRAP_UNLESS(key == CL_PROGRAM_SOURCE, clGetProgramInfo,
            (cl_program program, cl_program_info key, size_t bytes, void *value, size_t *got),
            (program, key, bytes, value, got))
WRAP_RETAIN(cl_program, programs, clRetainProgram)
WRAP_RELEASE(cl_program, programs, clReleaseProgram)
WRAP_BY(build_program, false, clBuildProgram,
        (cl_program program, cl_uint n, const cl_device_id *ids, const char *options,
         void(CL_CALLBACK *notify)(cl_program, void *), void *data),
        (program, n, ids, options, notify, data))
WRAP(clGetProgramBuildInfo,
     (cl_program program, cl_device_id id, cl_program_build_info key, size_t bytes, void *value,
      size_t *got),
     (program, id, key, bytes, value, got))

WRAP_CREATE(cl_kernel, kernels, clCreateKernel,
            (cl_program program, const char *name, cl_int *errcode), (program, name, errcode))
WRAP_RELEASE(cl_kernel, kernels, clReleaseKernel)
WRAP(clGetKernelInfo,
     (cl_kernel kernel, cl_kernel_info key, size_t bytes, void *value, size_t *got),
     (kernel, key, bytes, value, got))
WRAP(clGetKernelWorkGroupInfo,
     (cl_kernel kernel, cl_device_id id, cl_kernel_work_group_info key, size_t bytes, void *value,
      size_t *got),
     (kernel, id, key, bytes, value, got))
#ifndef NDEBUG
WRAP(clGetKernelArgInfo,
     (cl_kernel kernel, cl_uint i, cl_kernel_arg_info key, size_t bytes, void *value, size_t *got),
     (kernel, i, key, bytes, value, got))
#endif
WRAP(clSetKernelArg, (cl_kernel kernel, cl_uint i, size_t bytes, const void *value),
     (kernel, i, bytes, value))

static bool spoils_buffers;

void faulty_spoil_buffers(bool on) {
    spoils_buffers = on;
}

__typeof__(clCreateBuffer) __real_clCreateBuffer, __wrap_clCreateBuffer;
cl_mem __wrap_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host,
                             cl_int *errcode) {
    void *junk = spoils_buffers && host == NULL ? __real_malloc(bytes) : NULL;
    cl_mem made = NULL;
    if (is_cl_due("clCreateBuffer")) {
        if (errcode != NULL) *errcode = faults.code;
    } else if (junk != NULL) {
        memset(junk, 0x6b, bytes);
        made = __real_clCreateBuffer(context, flags | CL_MEM_COPY_HOST_PTR, bytes, junk, errcode);
    } else {
        made = __real_clCreateBuffer(context, flags, bytes, host, errcode);
    }
    __real_free(junk);
    live.buffers += made != NULL;
    return made;
}
WRAP_CREATE(cl_mem, buffers, clCreateImage,
            (cl_context context, cl_mem_flags flags, const cl_image_format *format,
             const cl_image_desc *desc, void *host, cl_int *errcode),
            (context, flags, format, desc, host, errcode)) /* by tests alone */
WRAP_RELEASE(cl_mem, buffers, clReleaseMemObject)
WRAP(clGetMemObjectInfo, (cl_mem mem, cl_mem_info key, size_t bytes, void *value, size_t *got),
     (mem, key, bytes, value, got))

WRAP_RETAIN(cl_event, events, clRetainEvent)
WRAP_RELEASE(cl_event, events, clReleaseEvent)

WRAP(clGetEventInfo, (cl_event event, cl_event_info key, size_t bytes, void *value, size_t *got),
     (event, key, bytes, value, got))

__typeof__(clWaitForEvents) __real_clWaitForEvents, __wrap_clWaitForEvents;
cl_int __wrap_clWaitForEvents(cl_uint n, const cl_event *events) {
    for (cl_uint i = 0; i < n; i++) {
        if (events[i] == faults.last) faults.running = false;
    }
    return is_cl_due("clWaitForEvents") ? faults.code : __real_clWaitForEvents(n, events);
}

WRAP_ENQUEUE(clEnqueueNDRangeKernel,
             (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
              const size_t *global, const size_t *group, cl_uint n, const cl_event *wait,
              cl_event *event),
             (queue, kernel, dimensions, offset, global, group, n, wait, event))
WRAP_ENQUEUE(clEnqueueMarkerWithWaitList,
             (cl_command_queue queue, cl_uint n, const cl_event *wait, cl_event *event),
             (queue, n, wait, event))
WRAP_ENQUEUE(clEnqueueBarrierWithWaitList,
             (cl_command_queue queue, cl_uint n, const cl_event *wait, cl_event *event),
             (queue, n, wait, event))
WRAP_ENQUEUE(clEnqueueFillBuffer,
             (cl_command_queue queue, cl_mem mem, const void *pattern, size_t pattern_bytes,
              size_t offset, size_t bytes, cl_uint n, const cl_event *wait, cl_event *event),
             (queue, mem, pattern, pattern_bytes, offset, bytes, n, wait, event))
WRAP_ENQUEUE(clEnqueueCopyBuffer,
             (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset,
              size_t bytes, cl_uint n, const cl_event *wait, cl_event *event),
             (queue, from, to, from_offset, to_offset, bytes, n, wait, event))
WRAP_ENQUEUE(clEnqueueWriteBuffer,
             (cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset, size_t bytes,
              const void *from, cl_uint n, const cl_event *wait, cl_event *event),
             (queue, mem, blocking, offset, bytes, from, n, wait, event))
WRAP_ENQUEUE(clEnqueueReadBuffer,
             (cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset, size_t bytes,
              void *to, cl_uint n, const cl_event *wait, cl_event *event),
             (queue, mem, blocking, offset, bytes, to, n, wait, event))
