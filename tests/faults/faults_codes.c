/* SPDX-License-Identifier: MIT */
/* Whatever code OpenCL fails with, the record holds it and the message names it. And an argument
 * that the library itself forgets. */
#include "faults/faults_codes.h"

#include "core/launch.h"
#include "core/program.h"
#include "faults/faulty.h"

typedef struct code_name {
    cl_int code;
    const char *name;
} code_name;

#define CODE(name)                                                                                 \
    { name, #name }

static const code_name codes[] = {
    CODE(CL_DEVICE_NOT_FOUND),
    CODE(CL_DEVICE_NOT_AVAILABLE),
    CODE(CL_COMPILER_NOT_AVAILABLE),
    CODE(CL_MEM_OBJECT_ALLOCATION_FAILURE),
    CODE(CL_OUT_OF_RESOURCES),
    CODE(CL_OUT_OF_HOST_MEMORY),
    CODE(CL_PROFILING_INFO_NOT_AVAILABLE),
    CODE(CL_MEM_COPY_OVERLAP),
    CODE(CL_BUILD_PROGRAM_FAILURE),
    CODE(CL_MAP_FAILURE),
    CODE(CL_MISALIGNED_SUB_BUFFER_OFFSET),
    CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
    CODE(CL_INVALID_VALUE),
    CODE(CL_INVALID_DEVICE_TYPE),
    CODE(CL_INVALID_PLATFORM),
    CODE(CL_INVALID_DEVICE),
    CODE(CL_INVALID_CONTEXT),
    CODE(CL_INVALID_QUEUE_PROPERTIES),
    CODE(CL_INVALID_COMMAND_QUEUE),
    CODE(CL_INVALID_HOST_PTR),
    CODE(CL_INVALID_MEM_OBJECT),
    CODE(CL_INVALID_BINARY),
    CODE(CL_INVALID_BUILD_OPTIONS),
    CODE(CL_INVALID_PROGRAM),
    CODE(CL_INVALID_PROGRAM_EXECUTABLE),
    CODE(CL_INVALID_KERNEL_NAME),
    CODE(CL_INVALID_KERNEL_DEFINITION),
    CODE(CL_INVALID_KERNEL),
    CODE(CL_INVALID_ARG_INDEX),
    CODE(CL_INVALID_ARG_VALUE),
    CODE(CL_INVALID_ARG_SIZE),
    CODE(CL_INVALID_KERNEL_ARGS),
    CODE(CL_INVALID_WORK_DIMENSION),
    CODE(CL_INVALID_WORK_GROUP_SIZE),
    CODE(CL_INVALID_WORK_ITEM_SIZE),
    CODE(CL_INVALID_GLOBAL_OFFSET),
    CODE(CL_INVALID_EVENT_WAIT_LIST),
    CODE(CL_INVALID_EVENT),
    CODE(CL_INVALID_OPERATION),
    CODE(CL_INVALID_BUFFER_SIZE),
    CODE(CL_INVALID_GLOBAL_WORK_SIZE),
    CODE(CL_INVALID_PROPERTY),
    {-9999, "unknown OpenCL code"},
};

static void code_is_named(const void *data) {
    const code_name *expected = data;
    test_buffer in = test_buffer_create(NULL, 8, 4, 0);
    clprims_scan *scan = NULL;
    clprims_scan_desc desc = {.type = CLPRIMS_U32, .max_n = 8};
    expect_ok(clprims_scan_create(&scan, test_context(), &desc));
    faulty_arm(1, expected->code);
    const clprims_status status = clprims_scan_enqueue(
        scan, test_queue(), &(clprims_scan_buffers){.in = in.at, .out = in.at}, 8, 0, NULL, NULL);
    const clprims_error error = *clprims_last_error();
    assert_non_null(faulty_disarm());
    if (status == CLPRIMS_OK || error.status != status || error.cl_code != expected->code)
        test_fail("status %d, recorded %d with code %d", (int)status, (int)error.status,
                  (int)error.cl_code);
    expect_contains(error.message, expected->name);
    clprims_scan_destroy(scan);
    test_buffer_release(&in);
}

static void argument_is_left_out(void) {
    const char *text = "kernel void takes_two(global int *a, int n) { a[0] = n; }";
    const clprims_context_info info = test_info();
    test_buffer out = test_buffer_create(NULL, 1, 4, 0);
    const cl_int n = 1;
    const clp_argument arguments[] = {CLP_ARGUMENT(out.at.mem), CLP_ARGUMENT(n)};
    cl_int code;
    const cl_program program = clCreateProgramWithSource(info.context, 1, &text, NULL, &code);
    expect_cl(code);
    expect_cl(clBuildProgram(program, 1, &info.device_id, "-cl-kernel-arg-info", NULL, NULL));
    const cl_kernel kernel = clCreateKernel(program, "takes_two", &code);
    expect_cl(code);
    clp_clear_error();
    expect_status_ok(clp_kernel_arguments(kernel, "test", arguments, 2));
    expect_status_ok(clp_kernel_check_name(kernel, "test", 1, "n"));
#ifndef NDEBUG
    expect_failure(clp_kernel_check_name(kernel, "test", 1, "a"), CLPRIMS_ERR_INTERNAL,
                   "test: parameter 1 of takes_two is n, but a would be set");
    expect_failure(clp_kernel_arguments(kernel, "test", arguments, 1), CLPRIMS_ERR_INTERNAL,
                   "test: takes_two takes 2 arguments, but 1 were set");
#endif
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    test_buffer_release(&out);
}

void add_code_cases(test_cases *cases) {
    test_add_plain(cases, argument_is_left_out, "faults/argument-left-out");
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        test_add_row(cases, code_is_named, codes[i], "faults/code/%d", (int)codes[i].code);
}
