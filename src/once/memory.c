/* SPDX-License-Identifier: MIT */
/* Device buffers for callers without OpenCL of their own: on the context's queue, blocking. */
#include "core/check.h"
#include "core/context.h"
#include "core/launch.h"
#include "core/status.h"

clprims_status clprims_buffer_create(clprims_buffer *out, clprims_context *context, size_t bytes,
                                     const void *host) {
    const char *who = "buffer_create";
    CLP_TRY(clp_begin(who, "out", out));
    *out = (clprims_buffer){NULL, 0};
    CLP_TRY(clp_given(who, "context", context));
    CLP_FAIL_IF(bytes == 0, CLPRIMS_ERR_ARGUMENT, "%s: bytes = 0; OpenCL has no empty buffers",
                who);
    return clp_upload(context, who, host, bytes, &out->mem);
}

void clprims_buffer_release(clprims_buffer *buffer) {
    if (buffer == NULL) return;
    clp_release_buffers(&buffer->mem, 1);
    *buffer = (clprims_buffer){NULL, 0};
}

/* What the calls below refuse. host: the plain array, or the value. */
static clprims_status check(const char *who, const clprims_context *context, clprims_buffer buffer,
                            size_t element_bytes, size_t n, const char *name, const void *host) {
    const clp_array array = {"buffer", buffer, n, element_bytes};
    CLP_TRY(clp_begin(who, "context", context));
    CLP_FAIL_IF(element_bytes == 0, CLPRIMS_ERR_ARGUMENT, "%s: element_bytes = 0", who);
    if (n == 0) return CLPRIMS_OK;
    CLP_TRY(clp_given(who, name, host));
    return clp_array_check(context, who, &array);
}

/* The queue may be the caller's and out of order. */
static cl_int wait_for_all(const clprims_context *context) {
    return clEnqueueBarrierWithWaitList(context->queue, 0, NULL, NULL);
}

static clprims_status copied(const char *who, cl_int code, clprims_buffer buffer,
                             size_t element_bytes, size_t n) {
    if (code == CL_SUCCESS) return CLPRIMS_OK;
    return clp_fail_cl(code, "%s: n = %zu elements of %zu bytes from element %zu on failed", who, n,
                       element_bytes, buffer.first);
}

/* Writes `from` to the buffer or, where it is NULL, reads the buffer to `to`. */
static clprims_status copy(const char *who, clprims_context *context, clprims_buffer buffer,
                           size_t element_bytes, size_t n, const void *from, void *to) {
    const size_t at = buffer.first * element_bytes, bytes = n * element_bytes;
    const cl_command_queue queue = context->queue;
    if (n == 0) return CLPRIMS_OK;
    cl_int code = wait_for_all(context);
    if (code == CL_SUCCESS) {
        code =
            from != NULL
                ? clEnqueueWriteBuffer(queue, buffer.mem, CL_TRUE, at, bytes, from, 0, NULL, NULL)
                : clEnqueueReadBuffer(queue, buffer.mem, CL_TRUE, at, bytes, to, 0, NULL, NULL);
    }
    return copied(who, code, buffer, element_bytes, n);
}

clprims_status clprims_buffer_write(clprims_context *context, clprims_buffer buffer,
                                    size_t element_bytes, size_t n, const void *host) {
    CLP_TRY(check("buffer_write", context, buffer, element_bytes, n, "host", host));
    return copy("buffer_write", context, buffer, element_bytes, n, host, NULL);
}

clprims_status clprims_buffer_read(clprims_context *context, clprims_buffer buffer,
                                   size_t element_bytes, size_t n, void *host) {
    CLP_TRY(check("buffer_read", context, buffer, element_bytes, n, "host", host));
    return copy("buffer_read", context, buffer, element_bytes, n, NULL, host);
}

/* By copies, each of what the ones before have set: NVIDIA's driver 580.159.04 never ends a fill of
 * 8 GiB, and faults on one that begins 8 GiB behind the buffer's begin. */
clprims_status clprims_buffer_fill(clprims_context *context, clprims_buffer buffer,
                                   size_t element_bytes, size_t n, const void *value) {
    enum { MOST_COPIED = 1 << 30 };
    const char *who = "buffer_fill";
    CLP_TRY(check(who, context, buffer, element_bytes, n, "value", value));
    CLP_TRY(copy(who, context, buffer, element_bytes, n > 0, value, NULL));
    const size_t at = buffer.first * element_bytes;
    cl_int code = CL_SUCCESS;
    for (size_t done = 1, part; done < n && code == CL_SUCCESS; done += part) {
        part = done * element_bytes <= MOST_COPIED ? done : MOST_COPIED / element_bytes + 1;
        if (part > n - done) part = n - done;
        code = clEnqueueCopyBuffer(context->queue, buffer.mem, buffer.mem, at,
                                   at + done * element_bytes, part * element_bytes, 0, NULL, NULL);
        if (code == CL_SUCCESS) code = wait_for_all(context);
    }
    if (code == CL_SUCCESS) code = clFinish(context->queue);
    return copied(who, code, buffer, element_bytes, n);
}
