/* SPDX-License-Identifier: MIT */
/* Which device a rank takes: those of a host go to its ranks in turn. */
#include "core/device.h"
#include "mpi/mpi_status.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* "", too, which the core refuses. */
static bool is_number(const char *text) {
    return text[strspn(text, "0123456789")] == '\0';
}

/* How a device is wanted, from the narrowest sense on: by its own name, then by its platform's. */
typedef enum sense { OWN_NAME, PLATFORM, GPU, ANY } sense;

static bool fits(const clprims_device_info *info, const char *wanted, sense as) {
    switch (as) {
    case OWN_NAME:
        return clp_device_naming(info, wanted) == CLP_NAMES_DEVICE;
    case PLATFORM:
        return clp_device_naming(info, wanted) == CLP_NAMES_PLATFORM;
    case GPU:
        return (info->type & CL_DEVICE_TYPE_GPU) != 0;
    default:
        return true;
    }
}

/* How many devices fit, and the number of the one that has `turn` such before it. */
static size_t find_turn(const char *wanted, sense as, size_t turn, size_t *number) {
    size_t count, fitting = 0;
    if (clprims_device_count(&count) != CLPRIMS_OK) return 0;
    for (size_t k = 0; k < count; k++) {
        clprims_device_info info = CLPRIMS_DEVICE_INFO_INIT;
        /* One that can't be described is none that is wanted. */
        if (clprims_device_describe(k, &info) != CLPRIMS_OK || !fits(&info, wanted, as)) continue;
        if (fitting == turn) *number = k;
        fitting++;
    }
    return fitting;
}

static bool choose(const char *wanted, size_t turn, size_t *number) {
    const sense first = wanted != NULL ? OWN_NAME : GPU;
    for (sense as = first; as <= first + 1; as++) {
        const size_t fitting = find_turn(wanted, as, turn, number);
        if (fitting > 0) return find_turn(wanted, as, turn % fitting, number) > 0;
    }
    return false;
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
