/* SPDX-License-Identifier: MIT */
/* The grid, strips of matrices, panels from rank to ranks. */
#include "mpi/grid/mpi_grid.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- The grid ---- */

clprims_mpi_grid clprims_mpi_grid_of(const clprims_mpi *mpi) {
    clprims_mpi_grid grid = {1, mpi->ranks, 0, 0};
    for (int rows = 2; rows <= mpi->ranks / rows; rows++) {
        if (mpi->ranks % rows == 0) grid.rows = rows;
    }
    grid.columns = mpi->ranks / grid.rows;
    grid.row = mpi->rank / grid.columns;
    grid.column = mpi->rank % grid.columns;
    return grid;
}

static clprims_mpi_block even_strip(uint64_t total, int strips, int strip) {
    const uint64_t count = (uint64_t)strips, s = (uint64_t)strip, left = total % count;
    return (clprims_mpi_block){.n = total / count + (s < left),
                               .start = total / count * s + (s < left ? s : left),
                               .total = total};
}

clprims_mpi_block clprims_mpi_even_rows(const clprims_mpi *mpi, uint64_t total) {
    const clprims_mpi_grid grid = clprims_mpi_grid_of(mpi);
    return even_strip(total, grid.rows, grid.row);
}

clprims_mpi_block clprims_mpi_even_columns(const clprims_mpi *mpi, uint64_t total) {
    const clprims_mpi_grid grid = clprims_mpi_grid_of(mpi);
    return even_strip(total, grid.columns, grid.column);
}

/* ---- Strips ---- */

/* This rank's block is as high, or as wide, as that of the first rank of its strip. */
static clprims_status check_strip(const clprims_mpi *mpi, const char *who, const char *name,
                                  bool by_row, const uint64_t *all) {
    const clprims_mpi_grid grid = clprims_mpi_grid_of(mpi);
    const int first = by_row ? grid.row * grid.columns : grid.column;
    if (all[mpi->rank] == all[first]) return CLPRIMS_OK;
    return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: %" PRIu64 " %s, but rank %d in the same %s of the grid has %" PRIu64,
                        who, all[mpi->rank], name, first, by_row ? "row" : "column", all[first]);
}

static clprims_status add_strips(const char *who, const char *name, const clprims_mpi_grid *grid,
                                 bool by_row, const uint64_t *all, uint64_t *starts) {
    const int strips = by_row ? grid->rows : grid->columns;
    starts[0] = 0;
    for (int s = 0; s < strips; s++) {
        const uint64_t n = all[by_row ? s * grid->columns : s];
        if (n > INT32_MAX - starts[s]) {
            return clp_mpi_fail(CLPRIMS_ERR_TOO_LARGE, "%s: more than %d %s in all", who, INT32_MAX,
                                name);
        }
        starts[s + 1] = starts[s] + n;
    }
    return CLPRIMS_OK;
}

clprims_status clp_mpi_strips(const clprims_mpi *mpi, const char *who, clprims_status status,
                              const char *name, bool by_row, uint64_t mine, uint64_t *starts) {
    const clprims_mpi_grid grid = clprims_mpi_grid_of(mpi);
    uint64_t *all = malloc((size_t)mpi->ranks * sizeof *all);
    if (all == NULL && status == CLPRIMS_OK) {
        status = clp_mpi_fail(CLPRIMS_ERR_HOST_MEMORY, "%s: no host memory", who);
    }
    status = clp_mpi_gather(mpi, status, mine, all);
    if (status == CLPRIMS_OK) {
        status = clp_mpi_agree(mpi, check_strip(mpi, who, name, by_row, all));
    }
    if (status == CLPRIMS_OK) {
        status = clp_mpi_agree(mpi, add_strips(who, name, &grid, by_row, all, starts));
    }
    free(all);
    return status;
}

int clp_mpi_strip_of(const uint64_t *starts, uint64_t position) {
    int strip = 0;
    while (position >= starts[strip + 1]) strip++;
    return strip;
}

/* ---- Parts of matrices ---- */

clp_mpi_limits clp_mpi_limits_now = {0, (size_t)1 << 26};

size_t clp_mpi_chosen_elements(size_t rows, size_t columns) {
    const size_t most = clp_mpi_limits_now.chosen;
    if (columns >= most) return columns;
    return columns > 0 && rows > most / columns ? most : rows * columns;
}

clprims_status clp_mpi_check_operand(const clprims_mpi *mpi, const char *who,
                                     const clp_mpi_operand *o) {
    const size_t rows = o->rows, columns = o->columns;
    size_t bytes = 0;
    if (rows == 0 || columns == 0) return CLPRIMS_OK;
    if (o->at.ld < columns) {
        return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "%s: %s.ld = %zu is less than its %zu columns",
                            who, o->name, o->at.ld, columns);
    }
    if (o->at.mem == NULL) {
        return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "%s: %s.mem is NULL, with %zu x %zu elements",
                            who, o->name, rows, columns);
    }
    CLP_MPI_TRY(clp_mpi_check_mem(mpi, who, o->name, o->at.mem, &bytes));
    const size_t room = bytes / o->element_bytes;
    if (o->at.first <= room && columns <= room - o->at.first &&
        rows - 1 <= (room - o->at.first - columns) / o->at.ld) {
        return CLPRIMS_OK;
    }
    return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: %s.mem holds %zu elements of %zu bytes; %zu rows of %zu columns with "
                        "ld = %zu from %zu on are wanted",
                        who, o->name, room, o->element_bytes, rows, columns, o->at.ld, o->at.first);
}

/* Behind the last of its elements, in bytes. */
static size_t end_of(const clp_mpi_operand *o) {
    return (o->at.first + (o->rows - 1) * o->at.ld + o->columns) * o->element_bytes;
}

clprims_status clp_mpi_check_disjoint(const char *who, const clp_mpi_operand *a,
                                      const clp_mpi_operand *b) {
    const clp_mpi_operand *low = a, *high = b;
    if (a->at.mem != b->at.mem || a->rows == 0 || a->columns == 0 || b->rows == 0 ||
        b->columns == 0) {
        return CLPRIMS_OK;
    }
    if (b->at.first * b->element_bytes < a->at.first * a->element_bytes) low = b, high = a;
    if (end_of(low) <= high->at.first * high->element_bytes) return CLPRIMS_OK;
    if (a->at.ld == b->at.ld && a->element_bytes == b->element_bytes) {
        const size_t across = (high->at.first - low->at.first) % low->at.ld;
        if (across >= low->columns && across + high->columns <= low->at.ld) return CLPRIMS_OK;
    }
    return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "%s: %s and %s overlap", who, a->name, b->name);
}

clprims_status clp_mpi_copier_create(clprims_mpi *mpi, const char *who, size_t element_bytes,
                                     clp_mpi_copier *copier) {
    const bool is_long = element_bytes == sizeof(cl_ulong),
               is_int = element_bytes == sizeof(cl_uint);
    *copier = (clp_mpi_copier){.mpi = mpi, .units = is_long || is_int ? 1 : element_bytes};
    return clp_mpi_kernel_create(mpi, who, "parts.cl",
                                 is_long  ? "clp_mpi_copy_ulong"
                                 : is_int ? "clp_mpi_copy_uint"
                                          : "clp_mpi_copy_uchar",
                                 &copier->kernel);
}

void clp_mpi_copier_release(clp_mpi_copier *copier) {
    if (copier->kernel != NULL) clReleaseKernel(copier->kernel);
    copier->kernel = NULL;
}

clprims_status clp_mpi_copy_part(const clp_mpi_copier *copier, const char *who, clprims_matrix from,
                                 clprims_matrix to, size_t rows, size_t columns, bool warms_up) {
    const size_t units = copier->units;
    const cl_ulong from_first = from.first * units, from_ld = from.ld * units;
    const cl_ulong to_first = to.first * units, to_ld = to.ld * units;
    const cl_ulong down = rows, across = columns * units;
    const clp_mpi_argument arguments[] = {CLP_MPI_ARGUMENT(from.mem), CLP_MPI_ARGUMENT(from_first),
                                          CLP_MPI_ARGUMENT(from_ld),  CLP_MPI_ARGUMENT(to.mem),
                                          CLP_MPI_ARGUMENT(to_first), CLP_MPI_ARGUMENT(to_ld),
                                          CLP_MPI_ARGUMENT(down),     CLP_MPI_ARGUMENT(across)};
    return clp_mpi_launch_cells(who, copier->mpi->queue, copier->kernel, arguments, 8, rows,
                                columns * units, warms_up);
}

clprims_matrix clp_mpi_part(clprims_matrix matrix, size_t row, size_t column) {
    matrix.first += row * matrix.ld + column;
    return matrix;
}

/* ---- Routes ---- */

clprims_status clp_mpi_routes_create(const clprims_mpi *mpi, const char *who,
                                     clp_mpi_routes *routes) {
    const size_t ranks = (size_t)mpi->ranks;
    routes->grid = clprims_mpi_grid_of(mpi);
    routes->from_first = calloc(4 * ranks, sizeof *routes->from_first);
    if (routes->from_first == NULL) {
        return clp_mpi_fail(CLPRIMS_ERR_HOST_MEMORY, "%s: no host memory for %zu ranks", who,
                            ranks);
    }
    routes->from_count = routes->from_first + ranks;
    routes->to_first = routes->from_first + 2 * ranks;
    routes->to_count = routes->from_first + 3 * ranks;
    return CLPRIMS_OK;
}

void clp_mpi_routes_release(clp_mpi_routes *routes) {
    free(routes->from_first);
    routes->from_first = NULL;
}

void clp_mpi_routes_clear(const clp_mpi_routes *routes) {
    const int ranks = routes->grid.rows * routes->grid.columns;
    for (int r = 0; r < ranks; r++) routes->from_count[r] = routes->to_count[r] = 0;
}

static void send(const clp_mpi_routes *routes, int rank, uint64_t first, uint64_t count) {
    routes->from_first[rank] = first;
    routes->from_count[rank] = count;
}

static void receive(const clp_mpi_routes *routes, int rank, uint64_t first, uint64_t count) {
    routes->to_first[rank] = first;
    routes->to_count[rank] = count;
}

void clp_mpi_route_down(const clp_mpi_routes *routes, int row, uint64_t first, uint64_t count) {
    const clprims_mpi_grid *grid = &routes->grid;
    if (grid->row != row) {
        receive(routes, row * grid->columns + grid->column, first, count);
        return;
    }
    for (int r = 0; r < grid->rows; r++) {
        if (r != row) send(routes, r * grid->columns + grid->column, first, count);
    }
}

void clp_mpi_route_across(const clp_mpi_routes *routes, int column, uint64_t first,
                          uint64_t count) {
    const clprims_mpi_grid *grid = &routes->grid;
    if (grid->column != column) {
        receive(routes, grid->row * grid->columns + column, first, count);
        return;
    }
    for (int c = 0; c < grid->columns; c++) {
        if (c != column) send(routes, grid->row * grid->columns + c, first, count);
    }
}

clprims_status clp_mpi_route(clprims_mpi *mpi, const char *who, const clp_mpi_routes *routes,
                             cl_mem mem, size_t element_bytes) {
    const clp_mpi_side from = {mem, routes->from_first, routes->from_count};
    const clp_mpi_side to = {mem, routes->to_first, routes->to_count};
    return clp_mpi_exchange(mpi, who, &from, &to, element_bytes);
}
