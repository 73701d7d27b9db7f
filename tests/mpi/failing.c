/* SPDX-License-Identifier: MIT */
/* Calls of OpenCL that fail: the linker leads those of both libraries here. */
#include "mpi/failing.h"

const char *const failing_names[FAILINGS] = {"nothing", "buffers",  "reads",
                                             "writes",  "launches", "builds"};

static struct {
    failing what;
    int left; /* calls that succeed before the one that fails */
} fault;

static bool fails(failing what) {
    return fault.what == what && fault.left-- == 0;
}

cl_mem __real_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                             cl_int *code);
cl_mem __wrap_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                             cl_int *code);
cl_mem __wrap_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                             cl_int *code) {
    if (!fails(BUFFERS)) return __real_clCreateBuffer(context, flags, size, host, code);
    if (code != NULL) *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
}

cl_int __real_clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                  size_t offset, size_t size, void *host, cl_uint count,
                                  const cl_event *wait, cl_event *event);
cl_int __wrap_clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                  size_t offset, size_t size, void *host, cl_uint count,
                                  const cl_event *wait, cl_event *event);
cl_int __wrap_clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                  size_t offset, size_t size, void *host, cl_uint count,
                                  const cl_event *wait, cl_event *event) {
    if (fails(READS)) return CL_OUT_OF_RESOURCES;
    return __real_clEnqueueReadBuffer(queue, mem, blocking, offset, size, host, count, wait, event);
}

cl_int __real_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                   size_t offset, size_t size, const void *host, cl_uint count,
                                   const cl_event *wait, cl_event *event);
cl_int __wrap_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                   size_t offset, size_t size, const void *host, cl_uint count,
                                   const cl_event *wait, cl_event *event);
cl_int __wrap_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                   size_t offset, size_t size, const void *host, cl_uint count,
                                   const cl_event *wait, cl_event *event) {
    if (fails(WRITES)) return CL_OUT_OF_RESOURCES;
    return __real_clEnqueueWriteBuffer(queue, mem, blocking, offset, size, host, count, wait,
                                       event);
}

cl_int __real_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                     const size_t *offset, const size_t *global,
                                     const size_t *local, cl_uint count, const cl_event *wait,
                                     cl_event *event);
cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                     const size_t *offset, const size_t *global,
                                     const size_t *local, cl_uint count, const cl_event *wait,
                                     cl_event *event);
cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                     const size_t *offset, const size_t *global,
                                     const size_t *local, cl_uint count, const cl_event *wait,
                                     cl_event *event) {
    if (fails(LAUNCHES)) return CL_OUT_OF_RESOURCES;
    return __real_clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, count,
                                         wait, event);
}

typedef void(CL_CALLBACK *built)(cl_program program, void *data);
cl_int __real_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                             const char *options, built notify, void *data);
cl_int __wrap_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                             const char *options, built notify, void *data);
cl_int __wrap_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                             const char *options, built notify, void *data) {
    if (fails(BUILDS)) return CL_BUILD_PROGRAM_FAILURE;
    return __real_clBuildProgram(program, count, devices, options, notify, data);
}

/* Runs the action with call k of the last rank's failing; whether there was such a call. */
static bool run_with_fault(failing what, clprims_status (*action)(void *arrays), void *arrays,
                           int k, clprims_status *status) {
    fault.what = ranks_rank() == ranks_count() - 1 ? what : NOTHING;
    fault.left = k;
    *status = action(arrays);
    const bool has_failed = fault.what != NOTHING && fault.left < 0;
    fault.what = NOTHING;
    return has_failed;
}

void fail_each(failing what, clprims_status (*action)(void *arrays), void *arrays, int least) {
    fail_each_after(what, NULL, action, arrays, least);
}

void fail_each_after(failing what, clprims_status (*prepare)(void *arrays),
                     clprims_status (*action)(void *arrays), void *arrays, int least) {
    const clprims_status expected = what == BUILDS ? CLPRIMS_ERR_OPENCL : CLPRIMS_ERR_DEVICE_MEMORY;
    const char *part = what == BUILDS ? "can write its cache" : "";
    clprims_status status = CLPRIMS_ERR_INTERNAL;
    int k = 0;
    for (; status != CLPRIMS_OK; k++) {
        if (prepare != NULL) expect_ranks_ok(prepare(arrays));
        const bool has_failed = run_with_fault(what, action, arrays, k, &status);
        if (status == CLPRIMS_OK && has_failed) test_fail("call %d failed, and nobody says so", k);
        if (status == CLPRIMS_OK) break;
        expect_ranks_failure(status, expected, ranks_count() - 1, part);
    }
    if (k < least) test_fail("%d calls failed; expected %d", k, least);
}

void fail_in_vain(failing what, clprims_status (*action)(void *arrays), void *arrays) {
    clprims_status status;
    const bool has_failed = run_with_fault(what, action, arrays, 0, &status);
    expect_ranks_ok(status);
    if (!has_failed && ranks_rank() > 0 && ranks_rank() == ranks_count() - 1) {
        test_fail("no call has failed");
    }
}
