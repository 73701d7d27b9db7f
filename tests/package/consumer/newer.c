/* SPDX-License-Identifier: MIT */
/* An application that includes clprims first and calls what OpenCL 2.x and 3.0 have. */
#include <clprims/clprims.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    clprims_context_options options = {0};
    clprims_context_info info = {0};
    clprims_context *context;
    cl_name_version versions[64];
    cl_command_queue queue;
    size_t bytes;
    cl_int code;

    options.device = getenv("CLPRIMS_DEVICE");
    if (clprims_context_create(&context, &options) != CLPRIMS_OK ||
        clprims_context_describe(context, &info) != CLPRIMS_OK)
        return EXIT_FAILURE;
    queue = clCreateCommandQueueWithProperties(info.context, info.device_id, properties, &code);
    if (code == CL_SUCCESS) clReleaseCommandQueue(queue);
    if (clGetDeviceInfo(info.device_id, CL_DEVICE_OPENCL_C_ALL_VERSIONS, sizeof versions, versions,
                        &bytes) == CL_SUCCESS)
        printf("%d versions of OpenCL C\n", (int)(bytes / sizeof versions[0]));
    clprims_context_destroy(context);
    return EXIT_SUCCESS;
}
