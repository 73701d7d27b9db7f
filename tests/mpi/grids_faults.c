/* SPDX-License-Identifier: MIT */
/* Calls of OpenCL that fail on one rank while matrices are multiplied and closed. */
#include "mpi/failing.h"
#include "mpi/grid/mpi_grid.h"

enum { N = 5, MOST = N * N };

typedef struct job {
    clprims_mpi_paths *paths;
    clprims_mpi_minplus *product;
    clprims_mpi_block rows, columns;
    test_buffer given, d, via; /* d is overwritten with what was given before each run */
} job;

static clprims_status create_all(void *data) {
    job *j = data;
    clprims_paths_desc paths = CLPRIMS_PATHS_DESC_INIT;
    clprims_minplus_desc product = CLPRIMS_MINPLUS_DESC_INIT;
    const clp_mpi_limits limits = clp_mpi_limits_now;
    clprims_mpi_paths_destroy(j->paths);
    clprims_mpi_minplus_destroy(j->product);
    j->paths = NULL;
    j->product = NULL;
    paths.type = product.type = CLPRIMS_I32;
    paths.predecessors = product.argmin = 1;
    product.accumulate = 1;
    paths.max_n = product.max.m = product.max.n = N;
    clp_mpi_limits_now = (clp_mpi_limits){2, 7};
    clprims_status status = clprims_mpi_paths_create(&j->paths, ranks_mpi(), &paths);
    if (status == CLPRIMS_OK) {
        status = clprims_mpi_minplus_create(&j->product, ranks_mpi(), &product);
    }
    clp_mpi_limits_now = limits;
    return status;
}

static clprims_matrix matrix_of(const job *j, const test_buffer *buffer) {
    return (clprims_matrix){buffer->at.mem, buffer->at.first, (size_t)j->columns.n, 0};
}

static void restore(const job *j) {
    const size_t bytes = (size_t)(j->rows.n * j->columns.n) * sizeof(int32_t);
    if (bytes == 0) return;
    expect_cl(clEnqueueCopyBuffer(test_queue(), j->given.at.mem, j->d.at.mem,
                                  j->given.at.first * sizeof(int32_t),
                                  j->d.at.first * sizeof(int32_t), bytes, 0, NULL, NULL));
    expect_cl(clFinish(test_queue()));
}

static clprims_status close_again(void *data) {
    const job *j = data;
    restore(j);
    return clprims_mpi_paths_run(j->paths, matrix_of(j, &j->d), matrix_of(j, &j->via),
                                 (size_t)j->rows.n, (size_t)j->columns.n);
}

static clprims_status multiply_again(void *data) {
    const job *j = data;
    const clprims_matrix given = matrix_of(j, &j->given);
    const clprims_mpi_minplus_size size = {(size_t)j->rows.n, (size_t)j->columns.n,
                                           (size_t)j->columns.n, (size_t)j->rows.n};
    restore(j);
    return clprims_mpi_minplus_run(j->product, given, given, matrix_of(j, &j->d),
                                   matrix_of(j, &j->via), size);
}

/* Element (i, j) of this rank's block of a matrix that is all ones but for zeros on its diagonal.
 */
static void expect_closed(const job *j) {
    int32_t closed[MOST];
    test_buffer_read(&j->d, closed);
    for (size_t c = 0; c < j->rows.n * j->columns.n; c++) {
        const uint64_t row = j->rows.start + c / j->columns.n;
        assert_int_equal(closed[c], row == j->columns.start + c % j->columns.n ? 0 : 1);
    }
}

static void failures_are_shared(const void *data) {
    const failing what = *(const failing *)data;
    job j = {.paths = NULL, .product = NULL};
    int32_t given[MOST];
    j.rows = clprims_mpi_even_rows(ranks_mpi(), N);
    j.columns = clprims_mpi_even_columns(ranks_mpi(), N);
    const size_t cells = (size_t)(j.rows.n * j.columns.n);
    for (size_t c = 0; c < cells; c++) {
        const uint64_t row = j.rows.start + c / j.columns.n;
        given[c] = row == j.columns.start + c % j.columns.n ? 0 : 1;
    }
    j.given = test_buffer_create(given, cells, sizeof *given, 1);
    j.d = test_buffer_create(NULL, cells, sizeof *given, 2);
    j.via = test_buffer_create(NULL, cells, sizeof *given, 0);
    expect_ranks_ok(create_all(&j));
    /* One rank's plans are the core's. */
    const int fewer = ranks_count() > 1 ? 0 : 1;
    if (what == BUFFERS) fail_each(what, create_all, &j, 10 - 6 * fewer);
    if (what == BUILDS) fail_each(what, create_all, &j, 1 - fewer);
    fail_each(what, close_again, &j, what == LAUNCHES || what == READS ? 2 - fewer : 0);
    expect_closed(&j);
    fail_each(what, multiply_again, &j, what == LAUNCHES ? 2 : 0);
    expect_closed(&j);
    test_buffer_expect_unchanged(&j.given, given);
    clprims_mpi_paths_destroy(j.paths);
    clprims_mpi_minplus_destroy(j.product);
    test_buffer_release(&j.given);
    test_buffer_release(&j.d);
    test_buffer_release(&j.via);
}

void add_grid_fault_cases(test_cases *cases) {
    for (failing what = BUFFERS; what < FAILINGS; what++) {
        ranks_add(cases, failures_are_shared, &what, sizeof what, "grids/faults/%s",
                  failing_names[what]);
    }
}
