/* SPDX-License-Identifier: MIT */
/* Calls of OpenCL that fail: the linker leads those of both libraries to faults/faulty.c. */
#include "mpi/failing.h"

#include "faults/faulty.h"

const char *const failing_names[FAILINGS] = {"nothing", "buffers",  "reads",
                                             "writes",  "launches", "builds"};

static const struct {
    const char *function;
    cl_int code;
} calls[FAILINGS] = {{NULL, CL_SUCCESS},
                     {"clCreateBuffer", CL_MEM_OBJECT_ALLOCATION_FAILURE},
                     {"clEnqueueReadBuffer", CL_OUT_OF_RESOURCES},
                     {"clEnqueueWriteBuffer", CL_OUT_OF_RESOURCES},
                     {"clEnqueueNDRangeKernel", CL_OUT_OF_RESOURCES},
                     {"clBuildProgram", CL_BUILD_PROGRAM_FAILURE}};

/* Runs the action with call k of the last rank's failing; whether there was a call k. */
static bool run_with_fault(failing what, clprims_status (*action)(void *arrays), void *arrays,
                           size_t k, clprims_status *status) {
    const bool is_last = ranks_rank() == ranks_count() - 1;
    if (is_last) faulty_arm_call(calls[what].function, k + 1, calls[what].code);
    *status = action(arrays);
    return faulty_disarm() != NULL && is_last;
}

void fail_each(failing what, clprims_status (*action)(void *arrays), void *arrays, int least) {
    fail_each_after(what, NULL, action, arrays, least);
}

void fail_each_after(failing what, clprims_status (*prepare)(void *arrays),
                     clprims_status (*action)(void *arrays), void *arrays, int least) {
    const clprims_status expected = what == BUILDS ? CLPRIMS_ERR_OPENCL : CLPRIMS_ERR_DEVICE_MEMORY;
    const char *part = what == BUILDS ? "can write its cache" : "";
    clprims_status status = CLPRIMS_ERR_INTERNAL;
    size_t k = 0;
    for (; status != CLPRIMS_OK; k++) {
        if (prepare != NULL) expect_ranks_ok(prepare(arrays));
        const bool has_failed = run_with_fault(what, action, arrays, k, &status);
        if (status == CLPRIMS_OK && has_failed) test_fail("call %zu failed, and nobody says so", k);
        if (status == CLPRIMS_OK) break;
        expect_ranks_failure(status, expected, ranks_count() - 1, part);
    }
    if (k < (size_t)least) test_fail("%zu calls failed; expected %d", k, least);
}

void fail_in_vain(failing what, clprims_status (*action)(void *arrays), void *arrays) {
    clprims_status status;
    const bool has_failed = run_with_fault(what, action, arrays, 0, &status);
    expect_ranks_ok(status);
    if (!has_failed && ranks_rank() > 0 && ranks_rank() == ranks_count() - 1) {
        test_fail("no call has failed");
    }
}
