/* SPDX-License-Identifier: MIT */
/* Buffers, kernel arguments, and chains of kernels. */
#include "core/launch.h"
#include "core/context.h"
#include "core/status.h"

#include <stdio.h>
#include <string.h>

/* ---- Buffers ---- */

clprims_status clp_mem_check(const clprims_context *context, const char *who, const char *name,
                             cl_mem mem) {
    cl_context owner = NULL;
    cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
    CLP_FAIL_IF(mem == NULL, CLPRIMS_ERR_ARGUMENT, "%s: %s is NULL; give a buffer", who, name);
    cl_int code = clGetMemObjectInfo(mem, CL_MEM_CONTEXT, sizeof owner, &owner, NULL);
    if (code == CL_SUCCESS) {
        code = clGetMemObjectInfo(mem, CL_MEM_TYPE, sizeof type, &type, NULL);
    }
    if (code != CL_SUCCESS) return clp_fail_cl(code, "%s: %s is refused", who, name);
    CLP_FAIL_IF(owner != context->cl, CLPRIMS_ERR_ARGUMENT,
                "%s: %s is of another context than the plan", who, name);
    if (type == CL_MEM_OBJECT_BUFFER) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "%s: %s is an image or a pipe, of CL_MEM_TYPE 0x%x; give a buffer", who, name,
                    (unsigned)type);
}

clprims_status clp_array_check(const clprims_context *context, const char *who,
                               const clp_array *array) {
    const clprims_buffer buffer = array->buffer;
    size_t bytes = 0;
    char name[64];
    snprintf(name, sizeof name, "%s.mem", array->name);
    CLP_TRY(clp_mem_check(context, who, name, buffer.mem));
    const cl_int code = clGetMemObjectInfo(buffer.mem, CL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    if (code != CL_SUCCESS) return clp_fail_cl(code, "%s: asking for its size failed", name);
    const size_t room = bytes / array->element_bytes;
    CLP_FAIL_IF(buffer.first > room || array->n > room - buffer.first, CLPRIMS_ERR_ARGUMENT,
                "%s: %s has room for %zu elements of %zu bytes, fewer than first = %zu "
                "plus n = %zu",
                who, array->name, room, array->element_bytes, buffer.first, array->n);
    return CLPRIMS_OK;
}

/* The parent of a sub-buffer and the buffer's first byte in it; a parent is its own. */
static clprims_status find_parent(const char *who, cl_mem mem, cl_mem *parent, size_t *origin) {
    *parent = NULL;
    *origin = 0;
    cl_int code =
        clGetMemObjectInfo(mem, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof *parent, parent, NULL);
    if (code == CL_SUCCESS && *parent == NULL) {
        *parent = mem;
    } else if (code == CL_SUCCESS) {
        code = clGetMemObjectInfo(mem, CL_MEM_OFFSET, sizeof *origin, origin, NULL);
    }
    if (code != CL_SUCCESS)
        return clp_fail_cl(code, "%s: asking for a buffer's parent failed", who);
    return CLPRIMS_OK;
}

/* A range of bytes of a parent. */
typedef struct byte_range {
    cl_mem parent;
    size_t start, end;
} byte_range;

static clprims_status find_range(const char *who, const clp_array *array, byte_range *range) {
    CLP_TRY(find_parent(who, array->buffer.mem, &range->parent, &range->start));
    range->start += array->buffer.first * array->element_bytes;
    range->end = range->start + array->n * array->element_bytes;
    return CLPRIMS_OK;
}

clprims_status clp_arrays_apart(const char *who, const clp_array *a, const clp_array *b) {
    byte_range x, y;
    CLP_TRY(find_range(who, a, &x));
    CLP_TRY(find_range(who, b, &y));
    const size_t start = x.start > y.start ? x.start : y.start;
    const size_t end = x.end < y.end ? x.end : y.end;
    if (x.parent != y.parent || start >= end) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "%s: %s (first = %zu, n = %zu) overlaps %s (first = %zu, n = %zu); give each "
                    "memory of its own",
                    who, a->name, a->buffer.first, a->n, b->name, b->buffer.first, b->n);
}

clprims_status clp_arrays_begin_alike(const char *who, const clp_array *a, const clp_array *b,
                                      bool *alike) {
    byte_range x, y;
    CLP_TRY(find_range(who, a, &x));
    CLP_TRY(find_range(who, b, &y));
    *alike = x.parent == y.parent && x.start == y.start && a->element_bytes == b->element_bytes;
    return CLPRIMS_OK;
}

/* Of a device that is offline only the probes of its layer read buffers, and they read less. */
enum { OFFLINE_BYTES = 4096 };

static clprims_status create_buffer(const clprims_context *context, const char *who, size_t bytes,
                                    cl_mem *out) {
    cl_int code;
    CLP_FAIL_IF(bytes > context->device.info.max_alloc_bytes, CLPRIMS_ERR_TOO_LARGE,
                "%s: a buffer of %zu bytes exceeds the %llu that \"%s\" allocates at most", who,
                bytes, (unsigned long long)context->device.info.max_alloc_bytes,
                context->device.info.name);
    if (context->device.is_offline) bytes = OFFLINE_BYTES;
    cl_mem mem = clCreateBuffer(context->cl, CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (code != CL_SUCCESS) {
        return clp_fail_cl(code, "%s: creating a buffer of %zu bytes failed", who, bytes);
    }
    *out = mem;
    return CLPRIMS_OK;
}

clprims_status clp_scratch_create(const clprims_context *context, const char *who, size_t bytes,
                                  bool zeroed, cl_mem *out) {
    const cl_uchar zero = 0;
    cl_mem mem = NULL;
    CLP_TRY(create_buffer(context, who, bytes, &mem));
    cl_int code = CL_SUCCESS;
    if (zeroed && !context->device.is_offline) {
        code =
            clEnqueueFillBuffer(context->queue, mem, &zero, sizeof zero, 0, bytes, 0, NULL, NULL);
        if (code == CL_SUCCESS) code = clFinish(context->queue);
    }
    if (code != CL_SUCCESS) {
        clReleaseMemObject(mem);
        return clp_fail_cl(code, "%s: clearing %zu bytes of scratch failed", who, bytes);
    }
    *out = mem;
    return CLPRIMS_OK;
}

clprims_status clp_upload(const clprims_context *context, const char *who, const void *host,
                          size_t bytes, cl_mem *out) {
    cl_mem mem = NULL;
    CLP_TRY(create_buffer(context, who, bytes, &mem));
    if (host != NULL && !context->device.is_offline) {
        const cl_int code =
            clEnqueueWriteBuffer(context->queue, mem, CL_TRUE, 0, bytes, host, 0, NULL, NULL);
        if (code != CL_SUCCESS) {
            clReleaseMemObject(mem);
            return clp_fail_cl(code, "%s: copying %zu bytes to the device failed", who, bytes);
        }
    }
    *out = mem;
    return CLPRIMS_OK;
}

clprims_status clp_download(const clprims_context *context, const char *who, cl_mem mem, void *host,
                            size_t bytes) {
    /* The caller's queue may be out of order. */
    cl_int code = clEnqueueBarrierWithWaitList(context->queue, 0, NULL, NULL);
    if (code == CL_SUCCESS) {
        code = clEnqueueReadBuffer(context->queue, mem, CL_TRUE, 0, bytes, host, 0, NULL, NULL);
    }
    if (code != CL_SUCCESS) {
        return clp_fail_cl(code, "%s: copying %zu bytes from the device failed", who, bytes);
    }
    return CLPRIMS_OK;
}

void clp_release_buffers(const cl_mem *buffers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (buffers[i] != NULL) clReleaseMemObject(buffers[i]);
    }
}

/* ---- Queues and events ---- */

static clprims_status check_queue(const clprims_context *context, const char *who,
                                  cl_command_queue queue) {
    cl_context owner = NULL;
    cl_device_id device = NULL;
    cl_int code = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof owner, &owner, NULL);
    if (code == CL_SUCCESS) {
        code = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    }
    if (code != CL_SUCCESS) return clp_fail_cl(code, "%s: the queue is refused", who);
    if (owner == context->cl && device == context->device.info.id) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: the queue is of another %s than the plan", who,
                    owner != context->cl ? "context" : "device");
}

static clprims_status check_event(const clprims_context *context, const char *who, cl_event event,
                                  cl_uint number, cl_uint count) {
    cl_context owner = NULL;
    CLP_FAIL_IF(event == NULL, CLPRIMS_ERR_ARGUMENT, "%s: wait[%u] is NULL, with num_wait = %u",
                who, number, count);
    const cl_int code = clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof owner, &owner, NULL);
    if (code != CL_SUCCESS) return clp_fail_cl(code, "%s: wait[%u] is refused", who, number);
    if (owner == context->cl) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: wait[%u] is of another context than the plan", who,
                    number);
}

clprims_status clp_check_device(const clprims_context *context, const char *who) {
    if (!context->device.is_offline) return CLPRIMS_OK;
    return clp_fail(
        CLPRIMS_ERR_UNSUPPORTED,
        "%s: nothing runs on \"%s\" of an offline_architecture; its context keeps programs", who,
        context->device.info.name);
}

clprims_status clp_check_submission(const clprims_context *context, const char *who,
                                    cl_command_queue queue, cl_uint num_wait,
                                    const cl_event *wait) {
    CLP_TRY(clp_check_device(context, who));
    CLP_TRY(check_queue(context, who, queue));
    CLP_FAIL_IF((num_wait > 0) != (wait != NULL), CLPRIMS_ERR_ARGUMENT,
                "%s: num_wait = %u, but wait is %sNULL", who, num_wait, wait != NULL ? "not " : "");
    for (cl_uint i = 0; i < num_wait; i++) {
        CLP_TRY(check_event(context, who, wait[i], i, num_wait));
    }
    return CLPRIMS_OK;
}

/* ---- Watching ---- */

static _Thread_local struct {
    clprims_watcher *watcher;
    void *user;
} watch;

void clprims_watch(clprims_watcher *watcher, void *user) {
    watch.watcher = watcher;
    watch.user = user;
}

/* ---- Kernels ---- */

void clp_release_kernels(const cl_kernel *kernels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (kernels[i] != NULL) clReleaseKernel(kernels[i]);
    }
}

#ifndef NDEBUG
/* An argument that is left out would keep its value of the launch before. */
static clprims_status check_count(cl_kernel kernel, const char *who, cl_uint count) {
    char name[96] = "";
    cl_uint taken = 0;
    cl_int code = clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof taken, &taken, NULL);
    if (code == CL_SUCCESS && taken == count) return CLPRIMS_OK;
    if (code == CL_SUCCESS) {
        code = clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    }
    if (code != CL_SUCCESS) {
        return clp_fail_cl(code, "%s: asking for a kernel's arguments failed", who);
    }
    return clp_fail(CLPRIMS_ERR_INTERNAL, "%s: %s takes %u arguments, but %u were set", who, name,
                    taken, count);
}
#endif

clprims_status clp_kernel_arguments(cl_kernel kernel, const char *who,
                                    const clp_argument *arguments, cl_uint count) {
    if (kernel == NULL) return CLPRIMS_OK;
    for (cl_uint i = 0; i < count; i++) {
        const cl_int code = clSetKernelArg(kernel, i, arguments[i].bytes, arguments[i].value);
        if (code != CL_SUCCESS) return clp_fail_cl(code, "%s: kernel argument %u failed", who, i);
    }
#ifndef NDEBUG
    return check_count(kernel, who, count);
#else
    return CLPRIMS_OK;
#endif
}

#ifndef NDEBUG
clprims_status clp_kernel_check_name(cl_kernel kernel, const char *who, cl_uint i,
                                     const char *name) {
    char has[64] = "", function[96] = "";
    if (kernel == NULL) return CLPRIMS_OK;
    cl_int code = clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_NAME, sizeof has, has, NULL);
    if (code == CL_KERNEL_ARG_INFO_NOT_AVAILABLE) return CLPRIMS_OK;
    if (code == CL_SUCCESS && strcmp(has, name) == 0) return CLPRIMS_OK;
    if (code == CL_SUCCESS) {
        code = clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof function, function, NULL);
    }
    if (code != CL_SUCCESS) {
        return clp_fail_cl(code, "%s: asking for a kernel's arguments failed", who);
    }
    return clp_fail(CLPRIMS_ERR_INTERNAL, "%s: parameter %u of %s is %s, but %s would be set", who,
                    i, function, has, name);
}
#else
clprims_status clp_kernel_check_name(cl_kernel kernel, const char *who, cl_uint i,
                                     const char *name) {
    (void)kernel, (void)who, (void)i, (void)name;
    return CLPRIMS_OK;
}
#endif

clprims_status clp_queue_is_in_order(cl_command_queue queue, const char *who, bool *in_order) {
    cl_command_queue_properties properties = 0;
    const cl_int code =
        clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
    if (code != CL_SUCCESS) return clp_fail_cl(code, "%s: the queue is refused", who);
    *in_order = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
    return CLPRIMS_OK;
}

static clprims_status no_steps(cl_command_queue queue, const char *who, cl_uint num_wait,
                               const cl_event *wait, cl_event *event) {
    const cl_int code = clEnqueueMarkerWithWaitList(queue, num_wait, wait, event);
    if (code != CL_SUCCESS) return clp_fail_cl(code, "%s: submitting a marker failed", who);
    return CLPRIMS_OK;
}

/* Submits a kernel behind `before`, or behind the wait list where that is NULL. */
static cl_int enqueue_step(cl_command_queue queue, const clp_step *step, cl_uint num_wait,
                           const cl_event *wait, cl_event before, cl_event *event) {
    const size_t global = step->groups * step->group;
    const cl_uint waits = before != NULL ? 1 : num_wait;
    return clEnqueueNDRangeKernel(queue, step->kernel, 1, NULL, &global, &step->group, waits,
                                  before != NULL ? &before : wait, event);
}

static bool is_user_event_to_be_set(cl_event event) {
    cl_command_type type = 0;
    cl_int state = CL_COMPLETE;
    clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL);
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    return type == CL_COMMAND_USER && state > CL_COMPLETE;
}

void clp_steps_abandon(cl_command_queue queue, cl_event last, cl_uint num_wait,
                       const cl_event *wait) {
    for (cl_uint i = 0; i < num_wait; i++) {
        if (is_user_event_to_be_set(wait[i])) return;
    }
    if (last != NULL) {
        clWaitForEvents(1, &last);
    } else {
        clFinish(queue);
    }
}

clprims_status clp_steps_enqueue(cl_command_queue queue, const char *who, const clp_step *steps,
                                 size_t count, cl_uint num_wait, const cl_event *wait,
                                 cl_event *event) {
    bool in_order = false;
    if (count > 0 && steps[0].kernel == NULL) return CLPRIMS_OK;
    if (count == 0) return no_steps(queue, who, num_wait, wait, event);
    CLP_TRY(clp_queue_is_in_order(queue, who, &in_order));
    const bool watched = watch.watcher != NULL;
    cl_event before = NULL;
    for (size_t i = 0; i < count; i++) {
        const bool last = i + 1 == count;
        const bool kept = last ? event != NULL : !in_order;
        cl_event done = NULL;
        const cl_int code =
            enqueue_step(queue, &steps[i], i == 0 ? num_wait : 0, i == 0 ? wait : NULL, before,
                         kept || watched ? &done : NULL);
        if (code != CL_SUCCESS && i > 0) clp_steps_abandon(queue, before, num_wait, wait);
        if (before != NULL) clReleaseEvent(before);
        before = NULL;
        if (code != CL_SUCCESS) {
            return clp_fail_cl(code, "%s: submitting step %zu of %zu (%zu groups of %zu) failed",
                               who, i + 1, count, steps[i].groups, steps[i].group);
        }
        if (watched) watch.watcher(watch.user, steps[i].kernel, done);
        if (!kept) {
            if (done != NULL) clReleaseEvent(done);
        } else if (last) {
            *event = done;
        } else {
            before = done;
        }
    }
    return CLPRIMS_OK;
}
