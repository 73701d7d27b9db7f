/* SPDX-License-Identifier: MIT */
/* The thread-local error record and the names of status values and OpenCL codes. */
#include "core/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_BYTES = 1024, BUILD_LOG_BYTES = 16384 };

static _Thread_local struct {
    clprims_error error;
    char message[MESSAGE_BYTES];
    char build_log[BUILD_LOG_BYTES];
} record;

void clp_clear_error(void) {
    record.message[0] = '\0';
    record.build_log[0] = '\0';
    record.error = (clprims_error){CLPRIMS_OK, CL_SUCCESS, record.message, record.build_log};
}

static void fill(clprims_status status, cl_int code, const char *format, va_list arguments) {
    record.error = (clprims_error){status, code, record.message, record.build_log};
    vsnprintf(record.message, sizeof record.message, format, arguments);
}

#define NAME(value)                                                                                \
    case value:                                                                                    \
        return #value

static const char *name_of_code(cl_int code) {
    switch (code) {
        NAME(CL_SUCCESS);
        NAME(CL_DEVICE_NOT_FOUND);
        NAME(CL_DEVICE_NOT_AVAILABLE);
        NAME(CL_COMPILER_NOT_AVAILABLE);
        NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE);
        NAME(CL_OUT_OF_RESOURCES);
        NAME(CL_OUT_OF_HOST_MEMORY);
        NAME(CL_PROFILING_INFO_NOT_AVAILABLE);
        NAME(CL_MEM_COPY_OVERLAP);
        NAME(CL_BUILD_PROGRAM_FAILURE);
        NAME(CL_MAP_FAILURE);
        NAME(CL_MISALIGNED_SUB_BUFFER_OFFSET);
        NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        NAME(CL_INVALID_VALUE);
        NAME(CL_INVALID_DEVICE_TYPE);
        NAME(CL_INVALID_PLATFORM);
        NAME(CL_INVALID_DEVICE);
        NAME(CL_INVALID_CONTEXT);
        NAME(CL_INVALID_QUEUE_PROPERTIES);
        NAME(CL_INVALID_COMMAND_QUEUE);
        NAME(CL_INVALID_HOST_PTR);
        NAME(CL_INVALID_MEM_OBJECT);
        NAME(CL_INVALID_BINARY);
        NAME(CL_INVALID_BUILD_OPTIONS);
        NAME(CL_INVALID_PROGRAM);
        NAME(CL_INVALID_PROGRAM_EXECUTABLE);
        NAME(CL_INVALID_KERNEL_NAME);
        NAME(CL_INVALID_KERNEL_DEFINITION);
        NAME(CL_INVALID_KERNEL);
        NAME(CL_INVALID_ARG_INDEX);
        NAME(CL_INVALID_ARG_VALUE);
        NAME(CL_INVALID_ARG_SIZE);
        NAME(CL_INVALID_KERNEL_ARGS);
        NAME(CL_INVALID_WORK_DIMENSION);
        NAME(CL_INVALID_WORK_GROUP_SIZE);
        NAME(CL_INVALID_WORK_ITEM_SIZE);
        NAME(CL_INVALID_GLOBAL_OFFSET);
        NAME(CL_INVALID_EVENT_WAIT_LIST);
        NAME(CL_INVALID_EVENT);
        NAME(CL_INVALID_OPERATION);
        NAME(CL_INVALID_BUFFER_SIZE);
        NAME(CL_INVALID_GLOBAL_WORK_SIZE);
        NAME(CL_INVALID_PROPERTY);
    case -1001:
        return "CL_PLATFORM_NOT_FOUND_KHR";
    default:
        return "unknown OpenCL code";
    }
}

static clprims_status status_of_code(cl_int code) {
    switch (code) {
    case CL_OUT_OF_HOST_MEMORY:
        return CLPRIMS_ERR_HOST_MEMORY;
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_RESOURCES:
        return CLPRIMS_ERR_DEVICE_MEMORY;
    default:
        return CLPRIMS_ERR_OPENCL;
    }
}

clprims_status clp_fail(clprims_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(status, CL_SUCCESS, format, arguments);
    va_end(arguments);
    return status;
}

clprims_status clp_fail_cl(cl_int code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(status_of_code(code), code, format, arguments);
    va_end(arguments);
    const size_t used = strlen(record.message);
    snprintf(record.message + used, sizeof record.message - used, ": %s (%d)", name_of_code(code),
             (int)code);
    return record.error.status;
}

clprims_status clp_fail_build(const char *log, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(CLPRIMS_ERR_BUILD, CL_BUILD_PROGRAM_FAILURE, format, arguments);
    va_end(arguments);
    snprintf(record.build_log, sizeof record.build_log, "%s", log);
    return CLPRIMS_ERR_BUILD;
}

const clprims_error *clprims_last_error(void) {
    if (record.error.message == NULL) clp_clear_error();
    return &record.error;
}

#define CLP_TEXT(x) #x
#define CLP_TEXT_OF(x) CLP_TEXT(x)

const char *clprims_version(void) {
    return CLP_TEXT_OF(CLPRIMS_VERSION_MAJOR) "." CLP_TEXT_OF(
        CLPRIMS_VERSION_MINOR) "." CLP_TEXT_OF(CLPRIMS_VERSION_PATCH);
}

const char *clprims_status_name(clprims_status status) {
    switch (status) {
        NAME(CLPRIMS_OK);
        NAME(CLPRIMS_ERR_ARGUMENT);
        NAME(CLPRIMS_ERR_TOO_LARGE);
        NAME(CLPRIMS_ERR_UNSUPPORTED);
        NAME(CLPRIMS_ERR_DATA);
        NAME(CLPRIMS_ERR_BUILD);
        NAME(CLPRIMS_ERR_NO_DEVICE);
        NAME(CLPRIMS_ERR_HOST_MEMORY);
        NAME(CLPRIMS_ERR_DEVICE_MEMORY);
        NAME(CLPRIMS_ERR_OPENCL);
        NAME(CLPRIMS_ERR_IO);
        NAME(CLPRIMS_ERR_INTERNAL);
    }
    return "unknown status";
}
