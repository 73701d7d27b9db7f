/* SPDX-License-Identifier: MIT */
/* The thread's record of errors that all ranks share, and how the ranks agree on one. */
#ifndef CLP_MPI_STATUS_H
#define CLP_MPI_STATUS_H

#include <clprims/mpi.h>

#if defined(__GNUC__)
#define CLP_MPI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CLP_MPI_PRINTF(text, first)
#endif

/* Every public function that returns a status calls this first. */
void clp_mpi_clear_error(void);

/* Fill this rank's record and return the status. The record is not the caller's to read before the
 * ranks have agreed. */
CLP_MPI_PRINTF(2, 3)
clprims_status clp_mpi_fail(clprims_status status, const char *format, ...);

/* clp_mpi_fail for a failed OpenCL call. */
CLP_MPI_PRINTF(2, 3) clprims_status clp_mpi_fail_cl(cl_int code, const char *format, ...);

/* Takes over what clprims_last_error says of a failure. Wraps each call of libclprims. */
clprims_status clp_mpi_core(clprims_status status);

/*
 * Collective: every rank gives its status and gets that of the lowest rank that failed, whose
 * record all have then; OK where none did. A rank that failed takes part in what the others do up
 * to their next agreement, so that nobody waits for it.
 */
clprims_status clp_mpi_agree_on(MPI_Comm comm, clprims_status status);

/* Keeps the first failure of several steps. */
static inline void clp_mpi_keep(clprims_status *status, clprims_status next) {
    if (*status == CLPRIMS_OK) *status = next;
}

/* Returns a failure, as clp_mpi_fail fills the record, where the condition holds. */
#define CLP_MPI_FAIL_IF(condition, status, ...)                                                    \
    do {                                                                                           \
        if (condition) return clp_mpi_fail(status, __VA_ARGS__);                                   \
    } while (0)

/* Propagates a failure. */
#define CLP_MPI_TRY(expression)                                                                    \
    do {                                                                                           \
        const clprims_status clp_mpi_try_status = (expression);                                    \
        if (clp_mpi_try_status != CLPRIMS_OK) return clp_mpi_try_status;                           \
    } while (0)

#endif
