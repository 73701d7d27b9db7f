/* SPDX-License-Identifier: MIT */
/* Which device a rank takes: the ranks of a host take its devices in turn. */
#include "core/device.h"
#include "mpi/mpi_status.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* "", too, which the core refuses. */
static bool is_number(const char *text) {
    return text[strspn(text, "0123456789")] == '\0';
}

static bool describe(void *from, size_t number, clprims_device_info *info) {
    (void)from;
    return clprims_device_describe(number, info) == CLPRIMS_OK;
}

/* Chooses as the core does, but for the turn. */
static bool choose(const char *wanted, size_t turn, size_t *number) {
    clp_devices devices = {0, describe, NULL};
    if (clprims_device_count(&devices.count) != CLPRIMS_OK) return false;
    return clp_device_choose(&devices, wanted, turn, number);
}

/* As much of the options as their owner knows, no more than all; the core judges the size. */
static clprims_context_options full_options(const clprims_context_options *options) {
    clprims_context_options full = CLPRIMS_CONTEXT_OPTIONS_INIT;
    if (options == NULL) return full;
    memcpy(&full, options, options->struct_size);
    full.struct_size = options->struct_size;
    return full;
}

static clprims_status create(clprims_context **out, size_t turn,
                             const clprims_context_options *options) {
    clprims_context_options own;
    char name[24];
    const size_t bytes = options != NULL ? options->struct_size : 0;
    /* Of a larger structure, or of half a member, the core alone says what to do. */
    if (bytes > sizeof own || bytes % sizeof bytes != 0) {
        return clp_mpi_core(clprims_context_create(out, options));
    }
    own = full_options(options);
    size_t number = 0;
    const bool is_open = own.context == NULL && (own.device == NULL || !is_number(own.device));
    /* What no device fits the core refuses in its own words. */
    if (is_open && choose(own.device, turn, &number)) {
        snprintf(name, sizeof name, "%zu", number);
        own.device = name;
    }
    return clp_mpi_core(clprims_context_create(out, &own));
}

clprims_status clprims_mpi_context_create(clprims_context **out, MPI_Comm comm,
                                          const clprims_context_options *options) {
    clp_mpi_clear_error();
    MPI_Comm host;
    int turn;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &turn);
    MPI_Comm_free(&host);
    clprims_status status = CLPRIMS_OK;
    if (out == NULL) {
        status = clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_context: out is NULL");
    } else {
        *out = NULL;
        status = create(out, (size_t)turn, options);
    }
    status = clp_mpi_agree_on(comm, status);
    if (status != CLPRIMS_OK && out != NULL) {
        clprims_context_destroy(*out);
        *out = NULL;
    }
    return status;
}
