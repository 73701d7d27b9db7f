/* SPDX-License-Identifier: MIT */
/*
 * What every plan over ranks shares. A plan's structure begins with a clp_mpi_plan; a
 * clp_mpi_plan_kind says what is the primitive's own. From that come create and destroy:
 *
 *   clprims_mpi_X_create -> clp_mpi_plan_create -> kind->fill on each rank
 *     -> the ranks agree on one status and compare their descriptions -> kind->complete
 *
 * What clp_mpi_plan_buffer and the like give is the plan's, and destroy gives it back.
 */
#ifndef CLP_MPI_PLAN_H
#define CLP_MPI_PLAN_H

#include "mpi/mpi_program.h"

typedef struct clp_mpi_plan clp_mpi_plan;

typedef struct clp_mpi_plan_kind {
    const char *name; /* "mpi_scan", for messages */
    size_t bytes, desc_bytes; /* of the plan's structure, and of the description */
    /* Local: creates the core's plans, allocates, and sets plan->digest. */
    clprims_status (*fill)(clp_mpi_plan *plan, const void *desc);
    /* Collective, when all ranks have filled plans of the same description; NULL: nothing. */
    clprims_status (*complete)(clp_mpi_plan *plan);
} clp_mpi_plan_kind;

/* Defines the kind of clprims_mpi_X, its create and destroy: a macro, as each primitive has types
 * of its own. ...: fill and complete. */
#define CLP_MPI_PLAN_CREATE(x, ...)                                                                \
    static const clp_mpi_plan_kind kind = {"mpi_" #x, sizeof(clprims_mpi_##x),                     \
                                           sizeof(clprims_##x##_desc), __VA_ARGS__};               \
    clprims_status clprims_mpi_##x##_create_sized(clprims_mpi_##x **out, clprims_mpi *mpi,         \
                                                  const clprims_##x##_desc *desc,                  \
                                                  size_t desc_bytes) {                             \
        return clp_mpi_plan_create(out, mpi, &kind, desc, desc_bytes);                             \
    }                                                                                              \
    void clprims_mpi_##x##_destroy(clprims_mpi_##x *plan) {                                        \
        clp_mpi_plan_destroy(plan);                                                                \
    }

enum { CLP_MPI_PLAN_CORES = 8, CLP_MPI_PLAN_BUFFERS = 320 };
enum { CLP_MPI_PLAN_KERNELS = 16, CLP_MPI_PLAN_HOST = 16 };

/* Destroys a plan of the core. */
typedef void clp_mpi_destroy(void *plan);

/* The first member of every plan's structure. A call that needs memory of its own has one besides.
 */
struct clp_mpi_plan {
    clprims_mpi *mpi;
    uint64_t digest; /* of the description */
    cl_command_queue behind; /* of what runs beside an exchange, or NULL */
    size_t core_count, buffer_count, kernel_count, host_count;
    void *cores[CLP_MPI_PLAN_CORES];
    clp_mpi_destroy *destroys[CLP_MPI_PLAN_CORES];
    cl_mem *buffers[CLP_MPI_PLAN_BUFFERS]; /* where they stand: one may be replaced */
    cl_kernel kernels[CLP_MPI_PLAN_KERNELS];
    void *host[CLP_MPI_PLAN_HOST];
};

/* ---- Calls ---- */

/* Collective: clprims_mpi_X_create. out: the address of the caller's pointer. */
clprims_status clp_mpi_plan_create(void *out, clprims_mpi *mpi, const clp_mpi_plan_kind *kind,
                                   const void *desc, size_t desc_bytes);

/* clprims_mpi_X_destroy; NULL is no plan. */
void clp_mpi_plan_destroy(void *plan);

/* Begins a call that is this rank's alone. name: of the plan, for messages. */
clprims_status clp_mpi_plan_check(const void *plan, const char *who, const char *name);

/* Begins a run. */
clprims_status clp_mpi_plan_enter(void *plan, const char *who, const char *name);

/* ---- What a plan owns ---- */

clp_mpi_destroy clp_mpi_destroy_reduce, clp_mpi_destroy_scan, clp_mpi_destroy_select,
    clp_mpi_destroy_offsets, clp_mpi_destroy_sort, clp_mpi_destroy_merge, clp_mpi_destroy_list,
    clp_mpi_destroy_listscan, clp_mpi_destroy_minplus, clp_mpi_destroy_paths;

/* A plan of the core. status: of its creation. core: the address of a pointer. */
clprims_status clp_mpi_plan_core(clp_mpi_plan *plan, clprims_status status, const void *core,
                                 clp_mpi_destroy *destroy);
#define CLP_MPI_CORE(plan, primitive, out, desc)                                                   \
    clp_mpi_plan_core(plan, clprims_##primitive##_create(out, (plan)->mpi->context, desc), out,    \
                      clp_mpi_destroy_##primitive)

/* Remembers where a buffer stands, or will. */
void clp_mpi_plan_own(clp_mpi_plan *plan, cl_mem *buffer);

/* Device memory. */
clprims_status clp_mpi_plan_buffer(clp_mpi_plan *plan, size_t bytes, cl_mem *out);

/* Host memory, zeroed. out: the address of a pointer. */
clprims_status clp_mpi_plan_host(clp_mpi_plan *plan, size_t count, size_t element_bytes, void *out);
clprims_status clp_mpi_plan_numbers(clp_mpi_plan *plan, size_t count, uint64_t **out);

/* clp_mpi_kernels_create. */
clprims_status clp_mpi_plan_kernels(clp_mpi_plan *plan, const char *definitions, const char *file,
                                    const clp_mpi_kernel *kernels, size_t count, cl_kernel *out);

/* One kernel of a file's shared program. */
clprims_status clp_mpi_plan_kernel(clp_mpi_plan *plan, const char *file, const char *name,
                                   const char *arguments, cl_kernel *out);

/* Room for what goes to and comes from each rank. */
clprims_status clp_mpi_plan_parts(clp_mpi_plan *plan, clp_mpi_parts *parts);

/* Gives back all that the plan owns. */
void clp_mpi_plan_release(clp_mpi_plan *plan);

#endif
