/* SPDX-License-Identifier: MIT */
/* What a run begins and ends with: lengths beyond the limits, negative cycles, and which to name.
 */
#include "mpi/grid/mpi_paths.h"

#include <math.h>

/* ---- Kernels over this rank's block ---- */

static clprims_status clear(const clp_mpi_paths_run *r, cl_mem mem, size_t count) {
    const clprims_mpi *mpi = r->paths->grid.head.mpi;
    return clp_mpi_fill(mpi, mpi->queue, mem, 0, count, UINT32_MAX);
}

static clprims_status start(const clp_mpi_paths_run *r) {
    const clprims_mpi_paths *paths = r->paths;
    const clprims_mpi *mpi = paths->grid.head.mpi;
    CLP_MPI_TRY(clear(r, paths->beyond, r->rows));
    return CLP_MPI_LAUNCH_CELLS(mpi, mpi->queue, paths->kernels[CLP_MPI_PATHS_START], r->rows,
                                r->columns, CLP_MPI_MATRIX(r->d), CLP_MPI_MATRIX(r->via),
                                CLP_MPI_INT(paths->grid.chooses), CLP_MPI_INT(r->row),
                                CLP_MPI_INT(r->column), CLP_MPI_INT(r->rows),
                                CLP_MPI_INT(r->columns), CLP_MPI_VALUE(paths->beyond));
}

static clprims_status finish(const clp_mpi_paths_run *r) {
    const clprims_mpi_paths *paths = r->paths;
    const clprims_mpi *mpi = paths->grid.head.mpi;
    if (!paths->limited) return CLPRIMS_OK;
    CLP_MPI_TRY(clear(r, paths->beyond, r->rows));
    return CLP_MPI_LAUNCH_CELLS(mpi, mpi->queue, paths->kernels[CLP_MPI_PATHS_FINISH], r->rows,
                                r->columns, CLP_MPI_MATRIX(r->d), CLP_MPI_INT(r->rows),
                                CLP_MPI_INT(r->columns), CLP_MPI_VALUE(paths->beyond));
}

/* The lowest negative element of a diagonal, UINT32_MAX for none. */
static clprims_status find_negative(const clp_mpi_paths_run *r, clprims_matrix d, size_t n,
                                    cl_uint *lowest) {
    const clprims_mpi_paths *paths = r->paths;
    const clprims_mpi *mpi = paths->grid.head.mpi;
    *lowest = UINT32_MAX;
    CLP_MPI_TRY(clear(r, paths->lowest, 1));
    CLP_MPI_TRY(CLP_MPI_LAUNCH(mpi, paths->kernels[CLP_MPI_PATHS_DIAGONAL], n, CLP_MPI_MATRIX(d),
                               CLP_MPI_INT(n), CLP_MPI_VALUE(paths->lowest)));
    return clp_mpi_read(mpi, paths->lowest, 0, sizeof *lowest, lowest);
}

/* ---- Negative cycles ---- */

/* Lengths of any type, exact. */
static long double length_at(const clprims_mpi_paths *paths, const void *values, size_t i) {
    const bool wide = paths->grid.element == 8;
    if (!paths->limited) return wide ? ((const double *)values)[i] : ((const float *)values)[i];
    const int64_t top = wide ? INT64_MAX : INT32_MAX;
    const int64_t length = wide ? ((const int64_t *)values)[i] : ((const int32_t *)values)[i];
    return length < top / 2 ? (long double)length : (long double)INFINITY;
}

/* Floyd and Warshall's loops until a diagonal element is negative; the vertex through which it
 * became so, or which had one; size: none, where sums round otherwise. See
 * cl/minplus/minplus_paths.cl for why that vertex is on a negative cycle. */
static size_t vertex_on_cycle(long double *d, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (d[i * size + i] < 0) return i;
    }
    for (size_t k = 0; k < size; k++) {
        for (size_t i = 0; i < size; i++) {
            const long double factor = d[i * size + k];
            for (size_t j = 0; j < size && factor < INFINITY; j++) {
                const long double length = factor + d[k * size + j];
                if (length < d[i * size + j]) d[i * size + j] = length;
            }
            if (d[i * size + i] < 0) return k;
        }
    }
    return size;
}

/* The vertex to report of a block whose closure has a negative element on its diagonal. own: the
 * call's memory. */
static clprims_status name_vertex(const clprims_mpi_paths *paths, clp_mpi_plan *own, size_t size,
                                  cl_uint negative, size_t *vertex) {
    const size_t count = size * size, element = paths->grid.element;
    void *values;
    long double *lengths;
    CLP_MPI_TRY(clp_mpi_plan_host(own, count, element, &values));
    CLP_MPI_TRY(clp_mpi_plan_host(own, count, sizeof *lengths, &lengths));
    CLP_MPI_TRY(clp_mpi_read(own->mpi, paths->squares[CLP_MPI_GIVEN], 0, count * element, values));
    for (size_t i = 0; i < count; i++) lengths[i] = length_at(paths, values, i);
    *vertex = vertex_on_cycle(lengths, size);
    if (*vertex == size) *vertex = negative;
    return CLPRIMS_OK;
}

void clp_mpi_paths_look_for_cycle(clp_mpi_paths_run *r, const clp_mpi_round *round, cl_mem closed) {
    cl_uint negative;
    size_t vertex = 0;
    if (r->status != CLPRIMS_OK || r->cycle != INT64_MAX) return;
    r->status =
        find_negative(r, (clprims_matrix){closed, 0, round->size, 0}, round->size, &negative);
    if (r->status != CLPRIMS_OK || negative == UINT32_MAX) return;
    clp_mpi_plan own = {.mpi = r->paths->grid.head.mpi};
    r->status = name_vertex(r->paths, &own, round->size, negative, &vertex);
    clp_mpi_plan_release(&own);
    if (r->status == CLPRIMS_OK) r->cycle = round->begin + vertex;
}

/* Elements of the whole diagonal that sums of floats made negative, though no block's. */
static void look_at_own_diagonal(clp_mpi_paths_run *r) {
    const uint64_t begin = r->row > r->column ? r->row : r->column;
    const uint64_t row_end = r->row + r->rows, column_end = r->column + r->columns;
    const uint64_t end = row_end < column_end ? row_end : column_end;
    cl_uint negative;
    if (r->status != CLPRIMS_OK || r->cycle != INT64_MAX || begin >= end) return;
    const clprims_matrix part =
        clp_mpi_part(r->d, (size_t)(begin - r->row), (size_t)(begin - r->column));
    r->status = find_negative(r, part, (size_t)(end - begin), &negative);
    if (r->status == CLPRIMS_OK && negative != UINT32_MAX) r->cycle = begin + negative;
}

/* ---- What the ranks agree on ---- */

/* Collective: the fault with the lowest key of all ranks, INT64_MAX for none, ends the run on all.
 * report: of this rank's. */
static clprims_status agree_on_fault(const clp_mpi_paths_run *r, uint64_t key,
                                     const clprims_paths_report *report) {
    const clprims_mpi *mpi = r->paths->grid.head.mpi;
    int64_t least =
        (int64_t)key; /* signed: MPICH 4.0.2 on 3 ranks compares others as signed, too */
    clprims_status status = CLPRIMS_OK;
    CLP_MPI_TRY(clp_mpi_agree(mpi, r->status));
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT64_T, MPI_MIN, mpi->comm);
    if (least == INT64_MAX) return CLPRIMS_OK;
    if (least == (int64_t)key) status = clp_mpi_core(clprims_paths_check(report));
    return clp_mpi_agree(mpi, status);
}

static clprims_status read_length(const clp_mpi_paths_run *r, size_t row, size_t column,
                                  int64_t *length) {
    const clprims_mpi_paths *paths = r->paths;
    const size_t at = r->d.first + row * r->d.ld + column, element = paths->grid.element;
    int32_t narrow = 0;
    const bool wide = element == sizeof *length;
    void *to = wide ? (void *)length : (void *)&narrow;
    CLP_MPI_TRY(clp_mpi_read(paths->grid.head.mpi, r->d.mem, at * element, element, to));
    if (!wide) *length = narrow;
    return CLPRIMS_OK;
}

/* The first element in the order of rows that a kernel found beyond the limits. */
static clprims_status find_beyond(clp_mpi_paths_run *r, bool given, uint64_t *key,
                                  clprims_paths_report *report) {
    const clprims_mpi_paths *paths = r->paths;
    *report = (clprims_paths_report){-1, -1, -1, 0, 0};
    if (!paths->limited || r->rows == 0 || r->columns == 0) return CLPRIMS_OK;
    CLP_MPI_TRY(clp_mpi_read(paths->grid.head.mpi, paths->beyond, 0, r->rows * sizeof *paths->found,
                             paths->found));
    for (size_t i = 0; i < r->rows; i++) {
        const size_t j = paths->found[i];
        if (j == UINT32_MAX) continue;
        report->from = (int32_t)(r->row + i);
        report->to = (int32_t)(r->column + j);
        report->given = given;
        *key = (uint64_t)report->from << 32 | (uint32_t)report->to;
        return read_length(r, i, j, &report->length);
    }
    return CLPRIMS_OK;
}

clprims_status clp_mpi_paths_begin(clp_mpi_paths_run *r) {
    uint64_t key = INT64_MAX;
    clprims_paths_report report;
    r->status = start(r);
    if (r->status == CLPRIMS_OK) r->status = find_beyond(r, true, &key, &report);
    return agree_on_fault(r, key, &report);
}

/* Of the rounds that found a vertex the first is right: the others come after it. */
static clprims_status agree_on_cycle(const clp_mpi_paths_run *r) {
    const clprims_paths_report report = {r->cycle == INT64_MAX ? -1 : (int32_t)r->cycle, -1, -1, 0,
                                         0};
    return agree_on_fault(r, r->cycle, &report);
}

clprims_status clp_mpi_paths_end(clp_mpi_paths_run *r) {
    uint64_t key = INT64_MAX;
    clprims_paths_report report;
    CLP_MPI_TRY(agree_on_cycle(r));
    /* Only now: behind a cycle, closed walks make other elements of the diagonal negative. */
    look_at_own_diagonal(r);
    CLP_MPI_TRY(agree_on_cycle(r));
    r->status = finish(r);
    if (r->status == CLPRIMS_OK) r->status = find_beyond(r, false, &key, &report);
    CLP_MPI_TRY(agree_on_fault(r, key, &report));
    return clp_mpi_agree(r->paths->grid.head.mpi, clp_mpi_finish(r->paths->grid.head.mpi));
}
