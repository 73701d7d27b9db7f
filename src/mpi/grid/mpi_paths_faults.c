/* SPDX-License-Identifier: MIT */
/* What a run begins and ends with: lengths beyond the limits, negative cycles, and which to name.
 */
#include "mpi/grid/mpi_paths.h"

#include <math.h>
#include <stdlib.h>

/* ---- Kernels over this rank's block ---- */

static clprims_status clear(clp_mpi_paths_run *r, cl_mem mem, size_t count) {
    const cl_uint none = UINT32_MAX;
    if (count == 0) return CLPRIMS_OK;
    const cl_int code = clEnqueueFillBuffer(r->paths->mpi->queue, mem, &none, sizeof none, 0,
                                            count * sizeof none, 0, NULL, NULL);
    return code == CL_SUCCESS ? CLPRIMS_OK : clp_mpi_fail_cl(code, "mpi_paths: no fill");
}

static clprims_status start(const clp_mpi_paths_run *r, bool warms_up) {
    const clprims_mpi_paths *paths = r->paths;
    const cl_ulong d_first = r->d.first, d_ld = r->d.ld, via_first = r->via.first;
    const cl_ulong via_ld = r->via.ld;
    const cl_uint predecessors = paths->predecessors, row = (cl_uint)r->row;
    const cl_uint column = (cl_uint)r->column, rows = (cl_uint)r->rows;
    const cl_uint columns = (cl_uint)r->columns;
    const clp_mpi_argument arguments[] = {
        CLP_MPI_ARGUMENT(r->d.mem),     CLP_MPI_ARGUMENT(d_first),
        CLP_MPI_ARGUMENT(d_ld),         CLP_MPI_ARGUMENT(r->via.mem),
        CLP_MPI_ARGUMENT(via_first),    CLP_MPI_ARGUMENT(via_ld),
        CLP_MPI_ARGUMENT(predecessors), CLP_MPI_ARGUMENT(row),
        CLP_MPI_ARGUMENT(column),       CLP_MPI_ARGUMENT(rows),
        CLP_MPI_ARGUMENT(columns),      CLP_MPI_ARGUMENT(paths->buffers[CLP_MPI_BEYOND])};
    return clp_mpi_launch_cells("mpi_paths", paths->mpi->queue, paths->kernels[CLP_MPI_PATHS_START],
                                arguments, 12, r->rows, r->columns, warms_up);
}

static clprims_status finish(const clp_mpi_paths_run *r, bool warms_up) {
    const clprims_mpi_paths *paths = r->paths;
    const cl_ulong d_first = r->d.first, d_ld = r->d.ld;
    const cl_uint rows = (cl_uint)r->rows, columns = (cl_uint)r->columns;
    const clp_mpi_argument arguments[] = {
        CLP_MPI_ARGUMENT(r->d.mem), CLP_MPI_ARGUMENT(d_first),
        CLP_MPI_ARGUMENT(d_ld),     CLP_MPI_ARGUMENT(rows),
        CLP_MPI_ARGUMENT(columns),  CLP_MPI_ARGUMENT(paths->buffers[CLP_MPI_BEYOND])};
    return clp_mpi_launch_cells("mpi_paths", paths->mpi->queue,
                                paths->kernels[CLP_MPI_PATHS_FINISH], arguments, 6, r->rows,
                                r->columns, warms_up);
}

static clprims_status look_at_diagonal(const clp_mpi_paths_run *r, clprims_matrix d, size_t n,
                                       bool warms_up) {
    const clprims_mpi_paths *paths = r->paths;
    const cl_ulong d_first = d.first, d_ld = d.ld;
    const cl_uint count = (cl_uint)n;
    const clp_mpi_argument arguments[] = {CLP_MPI_ARGUMENT(d.mem), CLP_MPI_ARGUMENT(d_first),
                                          CLP_MPI_ARGUMENT(d_ld), CLP_MPI_ARGUMENT(count),
                                          CLP_MPI_ARGUMENT(paths->buffers[CLP_MPI_LOWEST])};
    return clp_mpi_launch(paths->mpi, "mpi_paths", paths->kernels[CLP_MPI_PATHS_DIAGONAL],
                          arguments, 5, n, warms_up);
}

/* The lowest negative element of a diagonal, UINT32_MAX for none. */
static clprims_status find_negative(clp_mpi_paths_run *r, clprims_matrix d, size_t n,
                                    cl_uint *lowest) {
    *lowest = UINT32_MAX;
    CLP_MPI_TRY(clear(r, r->paths->buffers[CLP_MPI_LOWEST], 1));
    CLP_MPI_TRY(look_at_diagonal(r, d, n, false));
    return clp_mpi_read(r->paths->mpi, "mpi_paths", r->paths->buffers[CLP_MPI_LOWEST], 0,
                        sizeof *lowest, lowest);
}

/* ---- Negative cycles ---- */

/* Lengths of any type, exact. */
static long double length_at(const clprims_mpi_paths *paths, const void *values, size_t i) {
    if (!paths->limited) {
        return paths->is_double ? ((const double *)values)[i] : ((const float *)values)[i];
    }
    const int64_t top = paths->is_long ? INT64_MAX : INT32_MAX;
    const int64_t length =
        paths->is_long ? ((const int64_t *)values)[i] : ((const int32_t *)values)[i];
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

/* The vertex to report of a block whose closure has a negative element on its diagonal. */
static clprims_status name_vertex(clp_mpi_paths_run *r, size_t size, cl_uint negative,
                                  size_t *vertex) {
    const clprims_mpi_paths *paths = r->paths;
    const size_t count = size * size;
    void *values = malloc(count * paths->element);
    long double *lengths = malloc(count * sizeof *lengths);
    clprims_status status = CLPRIMS_OK;
    if (values == NULL || lengths == NULL) {
        status = clp_mpi_fail(CLPRIMS_ERR_HOST_MEMORY, "mpi_paths: no host memory for %zu lengths",
                              count);
    } else {
        status = clp_mpi_read(paths->mpi, "mpi_paths", paths->buffers[CLP_MPI_GIVEN], 0,
                              count * paths->element, values);
    }
    if (status == CLPRIMS_OK) {
        for (size_t i = 0; i < count; i++) lengths[i] = length_at(paths, values, i);
        *vertex = vertex_on_cycle(lengths, size);
        if (*vertex == size) *vertex = negative;
    }
    free(values);
    free(lengths);
    return status;
}

void clp_mpi_paths_look_for_cycle(clp_mpi_paths_run *r, const clp_mpi_round *round, cl_mem closed) {
    cl_uint negative;
    size_t vertex = 0;
    if (r->status != CLPRIMS_OK || r->cycle != INT64_MAX) return;
    r->status =
        find_negative(r, (clprims_matrix){closed, 0, round->size, 0}, round->size, &negative);
    if (r->status != CLPRIMS_OK || negative == UINT32_MAX) return;
    r->status = name_vertex(r, round->size, negative, &vertex);
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
    const clprims_mpi *mpi = r->paths->mpi;
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
    const size_t at = r->d.first + row * r->d.ld + column;
    int32_t narrow = 0;
    void *to = paths->is_long ? (void *)length : (void *)&narrow;
    CLP_MPI_TRY(
        clp_mpi_read(paths->mpi, "mpi_paths", r->d.mem, at * paths->element, paths->element, to));
    if (!paths->is_long) *length = narrow;
    return CLPRIMS_OK;
}

/* The first element in the order of rows that a kernel found beyond the limits. */
static clprims_status find_beyond(clp_mpi_paths_run *r, bool given, uint64_t *key,
                                  clprims_paths_report *report) {
    const clprims_mpi_paths *paths = r->paths;
    *report = (clprims_paths_report){-1, -1, -1, 0, 0};
    if (!paths->limited || r->rows == 0 || r->columns == 0) return CLPRIMS_OK;
    CLP_MPI_TRY(clp_mpi_read(paths->mpi, "mpi_paths", paths->buffers[CLP_MPI_BEYOND], 0,
                             r->rows * sizeof *paths->found, paths->found));
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
    r->status = clear(r, r->paths->buffers[CLP_MPI_BEYOND], r->rows);
    if (r->status == CLPRIMS_OK) r->status = start(r, false);
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
    if (r->paths->limited) {
        r->status = clear(r, r->paths->buffers[CLP_MPI_BEYOND], r->rows);
        if (r->status == CLPRIMS_OK) r->status = finish(r, false);
    }
    if (r->status == CLPRIMS_OK) r->status = find_beyond(r, false, &key, &report);
    CLP_MPI_TRY(agree_on_fault(r, key, &report));
    return clp_mpi_agree(r->paths->mpi, clp_mpi_finish(r->paths->mpi, "mpi_paths"));
}

clprims_status clp_mpi_paths_warm_up_faults(const clp_mpi_paths_run *blank) {
    CLP_MPI_TRY(start(blank, true));
    if (blank->paths->limited) CLP_MPI_TRY(finish(blank, true));
    return look_at_diagonal(blank, blank->d, 0, true);
}
