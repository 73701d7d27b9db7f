/* SPDX-License-Identifier: MIT */
/* Which device a rank takes: the ranks of a host take its devices in turn. */
#include "core/device.h"
#include "mpi/mpi_object.h"

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

static clprims_status create(clprims_context **out, size_t turn,
                             const clprims_context_options *options, size_t options_bytes) {
    clprims_context_options own = {0};
    char name[24];
    if (options != NULL) {
        CLP_MPI_TRY(clp_mpi_take("context", "options", options, options_bytes, &own, sizeof own));
    }
    size_t number = 0;
    const bool is_open = own.context == NULL && (own.device == NULL || !is_number(own.device));
    /* What no device fits the core refuses in its own words. */
    if (is_open && choose(own.device, turn, &number)) {
        snprintf(name, sizeof name, "%zu", number);
        own.device = name;
    }
    return clp_mpi_core(clprims_context_create(out, &own));
}

clprims_status clprims_mpi_context_create_sized(clprims_context **out, MPI_Comm comm,
                                                const clprims_context_options *options,
                                                size_t options_bytes) {
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
        status = create(out, (size_t)turn, options, options_bytes);
    }
    status = clp_mpi_agree_on(comm, status);
    if (status != CLPRIMS_OK && out != NULL) {
        clprims_context_destroy(*out);
        *out = NULL;
    }
    return status;
}
