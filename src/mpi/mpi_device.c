/* SPDX-License-Identifier: MIT */
/* Which device a rank takes: those of a host go to its ranks in turn. */
#include "mpi/mpi_status.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool contains_ignoring_case(const char *text, const char *part) {
    const size_t length = strlen(part);
    for (;; text++) {
        size_t same = 0;
        while (same < length &&
               tolower((unsigned char)text[same]) == tolower((unsigned char)part[same])) {
            same++;
        }
        if (same == length) return true;
        if (*text == '\0') return false;
    }
}

static bool is_number(const char *text) {
    return *text != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* How a device is wanted, from the narrowest sense on: by its own name, then by its platform's. */
typedef enum sense { OWN_NAME, PLATFORM, GPU, ANY } sense;

static bool fits(const clprims_device_info *info, const char *wanted, sense as) {
    switch (as) {
    case OWN_NAME:
        return contains_ignoring_case(info->name, wanted);
    case PLATFORM:
        return contains_ignoring_case(info->platform_name, wanted) ||
               contains_ignoring_case(info->vendor, wanted);
    case GPU:
        return (info->type & CL_DEVICE_TYPE_GPU) != 0;
    default:
        return true;
    }
}

/* The number of the device that fits and has `turn` such before it, and how many fit. */
static clprims_status find_turn(const char *wanted, sense as, size_t turn, size_t *number,
                                size_t *fitting) {
    size_t count;
    *fitting = 0;
    CLP_MPI_TRY(clp_mpi_core(clprims_device_count(&count)));
    for (size_t k = 0; k < count; k++) {
        clprims_device_info info = CLPRIMS_DEVICE_INFO_INIT;
        CLP_MPI_TRY(clp_mpi_core(clprims_device_describe(k, &info)));
        if (!fits(&info, wanted, as)) continue;
        if (*fitting == turn) *number = k;
        ++*fitting;
    }
    return CLPRIMS_OK;
}

static clprims_status choose(const char *wanted, size_t turn, size_t *number) {
    const sense first = wanted != NULL ? OWN_NAME : GPU;
    size_t fitting = 0;
    for (sense as = first; as <= first + 1; as++) {
        CLP_MPI_TRY(find_turn(wanted, as, turn, number, &fitting));
        if (fitting > 0) return find_turn(wanted, as, turn % fitting, number, &fitting);
    }
    return clp_mpi_fail(CLPRIMS_ERR_NO_DEVICE, "device: none is named \"%s\"",
                        wanted != NULL ? wanted : "");
}

/* As much of the options as their owner knows. */
static clprims_context_options full_options(const clprims_context_options *options) {
    clprims_context_options full = CLPRIMS_CONTEXT_OPTIONS_INIT;
    if (options == NULL) return full;
    memcpy(&full, options, options->struct_size < sizeof full ? options->struct_size : sizeof full);
    if (options->struct_size >= offsetof(clprims_context_options, context) &&
        options->struct_size < sizeof full) {
        full.struct_size = sizeof full;
    }
    return full;
}

static clprims_status create(clprims_context **out, size_t turn,
                             const clprims_context_options *options) {
    clprims_context_options own = full_options(options);
    char name[24];
    if (own.context == NULL && (own.device == NULL || !is_number(own.device))) {
        size_t number = 0;
        CLP_MPI_TRY(choose(own.device, turn, &number));
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
