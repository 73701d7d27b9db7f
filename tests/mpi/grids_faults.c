/* SPDX-License-Identifier: MIT */
/* Calls of OpenCL that fail on one rank while matrices are multiplied and closed. */
#include "mpi/failing.h"
#include "mpi/grid/mpi_grid.h"
#include "mpi/grids.h"
#include "subjects/subjects.h"

enum { N = 5 };

typedef struct job {
    void *paths, *product;
    shared_matrix given, d, via; /* d is overwritten with what was given before each run */
} job;

static void destroy_all(job *j) {
    ranks_paths.destroy(j->paths);
    ranks_minplus.destroy(j->product);
    j->paths = j->product = NULL;
}

static clprims_status create_all(void *data) {
    static const clprims_semiring_custom no_custom;
    job *j = data;
    const clp_mpi_limits limits = clp_mpi_limits_now;
    const clprims_paths_desc *paths =
        SUBJECT_DESC(paths, .type = CLPRIMS_I32, .predecessors = 1, .max_n = N);
    const clprims_minplus_desc *product =
        SUBJECT_DESC(minplus, .custom = no_custom, .type = CLPRIMS_I32, .argmin = 1,
                     .accumulate = 1, .max_n = N, .max.m = N);
    destroy_all(j);
    clp_mpi_limits_now = (clp_mpi_limits){2, 7};
    clprims_status status = ranks_paths.create(&j->paths, paths);
    if (status == CLPRIMS_OK) status = ranks_minplus.create(&j->product, product);
    clp_mpi_limits_now = limits;
    return status;
}

static void restore(const job *j) {
    const test_buffer *from = &j->given.buffer, *to = &j->d.buffer;
    const size_t first = from->at.first * from->element_bytes, bytes = from->n * sizeof(int32_t);
    if (bytes == 0) return;
    expect_cl(clEnqueueCopyBuffer(test_queue(), from->at.mem, to->at.mem, first, first, bytes, 0,
                                  NULL, NULL));
    expect_cl(clFinish(test_queue()));
}

static clprims_status close_again(void *data) {
    const job *j = data;
    restore(j);
    return clprims_mpi_paths_run(j->paths, grids_at(&j->d), grids_at(&j->via), j->d.down.n,
                                 j->d.across.n);
}

static clprims_status multiply_again(void *data) {
    const job *j = data;
    const clprims_matrix given = grids_at(&j->given);
    const size_t rows = j->d.down.n, columns = j->d.across.n;
    const clprims_mpi_minplus_size size = {rows, columns, columns, rows};
    restore(j);
    return clprims_mpi_minplus_run(j->product, given, given, grids_at(&j->d), grids_at(&j->via),
                                   size);
}

/* All ones but for zeros on the diagonal, which is closed. */
static shared_matrix make_closed(clprims_mpi_block rows, clprims_mpi_block columns) {
    int32_t *whole = test_scratch(N * N, sizeof *whole);
    for (size_t c = 0; c < N * N; c++) whole[c] = c / N == c % N ? 0 : 1;
    return grids_share(CLPRIMS_I32, whole, rows, columns);
}

static void failures_are_shared(const void *data) {
    const failing what = *(const failing *)data;
    const clprims_mpi_block rows = clprims_mpi_even_rows(ranks_mpi(), N);
    const clprims_mpi_block columns = clprims_mpi_even_columns(ranks_mpi(), N);
    job j = {NULL, NULL, make_closed(rows, columns), make_closed(rows, columns),
             make_closed(rows, columns)};
    expect_ranks_ok(create_all(&j));
    /* One rank's plans are the core's. */
    const int fewer = ranks_count() > 1 ? 0 : 1;
    if (what == BUFFERS) fail_each(what, create_all, &j, 10 - 6 * fewer);
    if (what == BUILDS) fail_each(what, create_all, &j, 1 - fewer);
    fail_each(what, close_again, &j, what == LAUNCHES || what == READS ? 2 - fewer : 0);
    grids_expect(&j.d);
    fail_each(what, multiply_again, &j, what == LAUNCHES ? 2 : 0);
    grids_expect(&j.d);
    grids_expect(&j.given);
    destroy_all(&j);
}

void add_grid_fault_cases(test_cases *cases) {
    for (failing what = BUFFERS; what < FAILINGS; what++) {
        ranks_add_row(cases, failures_are_shared, what, "grids/faults/%s", failing_names[what]);
    }
}
