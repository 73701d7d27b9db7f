/* SPDX-License-Identifier: MIT */
/* Plans over ranks: how they come and go, and what they own. */
#include "mpi/mpi_plan.h"

#include <assert.h>
#include <clprims/listscan.h>
#include <clprims/merge.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- Calls ---- */

enum { MOST_DESC_BYTES = 512 };

/* *plan: NULL, or what destroy gives back after a failure. */
static clprims_status create(clp_mpi_plan **plan, bool has_out, clprims_mpi *mpi,
                             const clp_mpi_plan_kind *kind, const void *desc, size_t desc_bytes) {
    max_align_t full[MOST_DESC_BYTES / sizeof(max_align_t)];
    assert(kind->desc_bytes <= sizeof full);
    if (!has_out) return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "%s: out is NULL", kind->name);
    CLP_MPI_TRY(clp_mpi_take(kind->name, "desc", desc, desc_bytes, full, kind->desc_bytes));
    *plan = calloc(1, kind->bytes);
    CLP_MPI_FAIL_IF(*plan == NULL, CLPRIMS_ERR_HOST_MEMORY, "%s: no host memory for a plan",
                    kind->name);
    (*plan)->mpi = mpi;
    return kind->fill(*plan, full);
}

clprims_status clp_mpi_plan_create(void *out, clprims_mpi *mpi, const clp_mpi_plan_kind *kind,
                                   const void *desc, size_t desc_bytes) {
    clp_mpi_plan *plan = NULL;
    CLP_MPI_TRY(clp_mpi_enter(mpi, kind->name));
    clprims_status status = create(&plan, out != NULL, mpi, kind, desc, desc_bytes);
    status = clp_mpi_same(mpi, status, status == CLPRIMS_OK ? plan->digest : 0);
    if (status == CLPRIMS_OK && kind->complete != NULL) status = kind->complete(plan);
    if (status != CLPRIMS_OK) {
        clp_mpi_plan_destroy(plan);
        plan = NULL;
    }
    if (out != NULL) memcpy(out, &plan, sizeof plan);
    return status;
}

void clp_mpi_plan_destroy(void *plan) {
    clp_mpi_plan *head = plan;
    if (head == NULL) return;
    clp_mpi_plan_release(head);
    free(head);
}

clprims_status clp_mpi_plan_check(const void *plan, const char *who, const char *name) {
    clp_mpi_clear_error();
    if (plan != NULL) return CLPRIMS_OK;
    return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "%s: %s is NULL", who, name);
}

clprims_status clp_mpi_plan_enter(void *plan, const char *who, const char *name) {
    CLP_MPI_TRY(clp_mpi_plan_check(plan, who, name));
    ((clp_mpi_plan *)plan)->mpi->who = who;
    return CLPRIMS_OK;
}

/* ---- What a plan owns ---- */

/* clang-format off */
#define DESTROY(primitive)                                                                         \
    void clp_mpi_destroy_##primitive(void *plan) { clprims_##primitive##_destroy(plan); }
DESTROY(reduce)
DESTROY(scan)
DESTROY(select)
DESTROY(offsets)
DESTROY(sort)
DESTROY(merge)
DESTROY(list)
DESTROY(listscan)
DESTROY(minplus)
DESTROY(paths)
/* clang-format on */

clprims_status clp_mpi_plan_core(clp_mpi_plan *plan, clprims_status status, const void *core,
                                 clp_mpi_destroy *destroy) {
    CLP_MPI_TRY(clp_mpi_core(status));
    memcpy(&plan->cores[plan->core_count], core, sizeof plan->cores[0]);
    plan->destroys[plan->core_count++] = destroy;
    return CLPRIMS_OK;
}

void clp_mpi_plan_own(clp_mpi_plan *plan, cl_mem *buffer) {
    plan->buffers[plan->buffer_count++] = buffer;
}

clprims_status clp_mpi_plan_buffer(clp_mpi_plan *plan, size_t bytes, cl_mem *out) {
    clp_mpi_plan_own(plan, out);
    return clp_mpi_buffer_create(plan->mpi, bytes, out);
}

clprims_status clp_mpi_plan_host(clp_mpi_plan *plan, size_t count, size_t element_bytes,
                                 void *out) {
    void *memory = calloc(count > 0 ? count : 1, element_bytes);
    memcpy(out, &memory, sizeof memory);
    plan->host[plan->host_count++] = memory;
    if (memory != NULL) return CLPRIMS_OK;
    return clp_mpi_fail(CLPRIMS_ERR_HOST_MEMORY, "%s: no host memory for %zu elements of %zu bytes",
                        plan->mpi->who, count, element_bytes);
}

clprims_status clp_mpi_plan_numbers(clp_mpi_plan *plan, size_t count, uint64_t **out) {
    return clp_mpi_plan_host(plan, count, sizeof **out, out);
}

clprims_status clp_mpi_plan_kernels(clp_mpi_plan *plan, const char *definitions, const char *file,
                                    const clp_mpi_kernel *kernels, size_t count, cl_kernel *out) {
    const clprims_status status =
        clp_mpi_kernels_create(plan->mpi, definitions, file, kernels, count, out);
    for (size_t k = 0; k < count; k++) plan->kernels[plan->kernel_count++] = out[k];
    return status;
}

clprims_status clp_mpi_plan_kernel(clp_mpi_plan *plan, const char *file, const char *name,
                                   const char *arguments, cl_kernel *out) {
    const clp_mpi_kernel kernel = {name, arguments};
    return clp_mpi_plan_kernels(plan, NULL, file, &kernel, 1, out);
}

clprims_status clp_mpi_plan_parts(clp_mpi_plan *plan, clp_mpi_parts *parts) {
    const size_t ranks = (size_t)plan->mpi->ranks;
    CLP_MPI_TRY(clp_mpi_plan_host(plan, 4 * ranks, sizeof(uint64_t), &parts->from_first));
    parts->from_count = parts->from_first + ranks;
    parts->to_first = parts->from_first + 2 * ranks;
    parts->to_count = parts->from_first + 3 * ranks;
    return CLPRIMS_OK;
}

void clp_mpi_plan_release(clp_mpi_plan *plan) {
    for (size_t k = 0; k < plan->core_count; k++) plan->destroys[k](plan->cores[k]);
    for (size_t k = 0; k < plan->kernel_count; k++) {
        if (plan->kernels[k] != NULL) clReleaseKernel(plan->kernels[k]);
    }
    for (size_t k = 0; k < plan->buffer_count; k++) {
        if (*plan->buffers[k] != NULL) clReleaseMemObject(*plan->buffers[k]);
    }
    for (size_t k = 0; k < plan->host_count; k++) free(plan->host[k]);
    if (plan->behind != NULL) clReleaseCommandQueue(plan->behind);
}
