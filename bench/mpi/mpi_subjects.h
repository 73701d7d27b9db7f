/* SPDX-License-Identifier: MIT */
/* What clprims-bench-mpi measures. */
#ifndef BENCH_MPI_SUBJECTS_H
#define BENCH_MPI_SUBJECTS_H

#include <clprims/clprims.h>
#include <clprims/mpi.h>
#include <stdbool.h>

/* This rank, its device, and what the subject that runs has made. */
typedef struct mpi_job {
    int rank, ranks;
    size_t n; /* elements of this rank's block */
    clprims_context *context;
    clprims_context_info info;
    clprims_mpi *mpi;
    clprims_mpi_block block;
    cl_mem in, out, payload; /* n of 4 bytes, of the subjects of keys; payloads move in place */
    cl_mem links, own_links, ranks_out; /* n of 8 bytes, of the subjects of lists */
    uint32_t *host; /* as many */
    uint64_t sum; /* of the inputs of all ranks */
    clprims_mpi_reduce *reduce;
    clprims_mpi_scan *scan;
    clprims_mpi_sort *sort;
    clprims_mpi_list *list;
    clprims_reduce *own_reduce; /* of one device alone */
    clprims_scan *own_scan;
    clprims_sort *own_sort;
    clprims_list *own_list;
    uint32_t result;
    size_t shown; /* what is reported as n: the elements, or the vertices */
    size_t vertices; /* of paths, in all; 0: as many as make the elements of all ranks */
    clprims_mpi_block rows, columns, whole; /* of this rank's block of lengths; of one device's */
    clprims_mpi_paths *paths;
    clprims_paths *own_paths; /* of rank 0, as is what follows */
    cl_mem lengths, own_lengths;
} mpi_job;

typedef void mpi_step(const mpi_job *job);

typedef struct mpi_subject {
    const char *name;
    void (*create)(mpi_job *job);
    mpi_step *prepare; /* before each run, not timed; NULL: nothing */
    mpi_step *alone; /* one device with its own block: what all of them would take without others */
    mpi_step *together;
    bool (*is_right)(mpi_job *job); /* on all ranks alike */
    double (*crossing)(const mpi_job *job); /* bytes that leave a rank */
    void (*destroy)(mpi_job *job);
} mpi_subject;

extern const mpi_subject mpi_subjects[]; /* ends with a NULL name */

/* Creates context and object; total: of all ranks, in place of job->n of each. */
void mpi_job_open(mpi_job *job, const char *device, size_t total);
void mpi_job_close(mpi_job *job);

extern const mpi_subject mpi_list_subjects[]; /* the same, in mpi_list_subjects.c */

/* mpi_paths_subject.c */
void mpi_paths_create(mpi_job *job);
mpi_step mpi_paths_alone, mpi_paths_together;
bool mpi_paths_are_right(mpi_job *job);
double mpi_paths_bytes(const mpi_job *job);
void mpi_paths_destroy(mpi_job *job);

/* mpi_must.c: end the program on all ranks; where a call of libclprims-mpi, of libclprims or of
 * OpenCL failed. */
void mpi_bench_stop(const char *why);
void mpi_bench_must(clprims_status status);
void mpi_bench_must_core(clprims_status status);
void mpi_bench_must_cl(cl_int code);

#endif
