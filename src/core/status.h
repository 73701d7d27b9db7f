/* SPDX-License-Identifier: MIT */
/* The thread's error record. */
#ifndef CLP_STATUS_H
#define CLP_STATUS_H

#include <clprims/core.h>

/* Plain printf would be Windows' own, which lacks %zu. */
#if defined(__MINGW32__) && !defined(__clang__)
#define CLP_PRINTF(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define CLP_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CLP_PRINTF(text, first)
#endif

/* Every public function that returns a status calls this first. */
void clp_clear_error(void);

/* Fill the record and return the status. Messages: "scan: <fact with both values>; <remedy>". */
CLP_PRINTF(2, 3) clprims_status clp_fail(clprims_status status, const char *format, ...);

/* The same for a failed OpenCL call; the status follows from the code, whose name is appended. */
CLP_PRINTF(2, 3) clprims_status clp_fail_cl(cl_int code, const char *format, ...);

/* CLPRIMS_ERR_BUILD; the log is copied into the record. */
CLP_PRINTF(2, 3) clprims_status clp_fail_build(const char *log, const char *format, ...);

/* Returns a failure, as clp_fail fills the record, where the condition holds. */
#define CLP_FAIL_IF(condition, status, ...)                                                        \
    do {                                                                                           \
        if (condition) return clp_fail(status, __VA_ARGS__);                                       \
    } while (0)

/* Propagates a failure whose record is filled already. */
#define CLP_TRY(expression)                                                                        \
    do {                                                                                           \
        const clprims_status clp_try_status = (expression);                                        \
        if (clp_try_status != CLPRIMS_OK) return clp_try_status;                                   \
    } while (0)

#endif
