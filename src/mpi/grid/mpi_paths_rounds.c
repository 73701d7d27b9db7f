/* SPDX-License-Identifier: MIT */
/*
 * Blocked Floyd-Warshall over the grid. A round's vertices K have a panel of rows, d(K, .), on one
 * row of the grid and a panel of columns, d(., K), on one column. The diagonal block is closed on
 * the rank where they meet and goes along its row of the grid, whose ranks relax the panel of rows
 * by it. That panel then goes along the columns of the grid, and the panel of columns, as it was,
 * along the rows. Every rank relaxes its other rows by the product of both.
 *
 * Look-ahead: the rows and columns of the next round are relaxed first. Their panels are made and
 * sent while the device multiplies for the other rows.
 *
 * Without predecessors the diagonal block is closed by squaring it. With them the rows of the panel
 * are relaxed vertex by vertex, because chains of predecessors end then although cycles may have
 * length 0, for the reason that cl/minplus/minplus_paths.cl gives; so the diagonal block is closed
 * vertex by vertex, too, and what goes along the row is its column of each vertex, as it was when
 * its turn came.
 */
#include "mpi/grid/mpi_paths.h"

static void keep(clp_mpi_paths_run *r, clprims_status status) {
    if (r->status == CLPRIMS_OK) r->status = status;
}

/* The round that begins with a vertex. */
static clp_mpi_round round_at(const clp_mpi_paths_run *r, uint64_t begin) {
    const clprims_mpi_paths *paths = r->paths;
    clp_mpi_round round = {begin, 0, -1, -1};
    if (begin >= r->n) return round;
    round.row = clp_mpi_strip_of(paths->row_starts, begin);
    round.column = clp_mpi_strip_of(paths->column_starts, begin);
    uint64_t end = begin + r->width;
    if (end > paths->row_starts[round.row + 1]) end = paths->row_starts[round.row + 1];
    if (end > paths->column_starts[round.column + 1]) end = paths->column_starts[round.column + 1];
    round.size = (size_t)(end - begin);
    return round;
}

static bool has_rows(const clp_mpi_paths_run *r, const clp_mpi_round *round) {
    return round->row == r->paths->routes.grid.row;
}

static bool has_columns(const clp_mpi_paths_run *r, const clp_mpi_round *round) {
    return round->column == r->paths->routes.grid.column;
}

/* Where the round's rows and columns begin in this rank's block. */
static size_t row_of(const clp_mpi_paths_run *r, const clp_mpi_round *round) {
    return (size_t)(round->begin - r->row);
}

static size_t column_of(const clp_mpi_paths_run *r, const clp_mpi_round *round) {
    return (size_t)(round->begin - r->column);
}

static clprims_matrix columns_panel(const clp_mpi_round *round, const clp_mpi_panels *panels) {
    return (clprims_matrix){panels->lengths, 0, round->size, 0};
}

static clprims_matrix rows_panel(const clp_mpi_paths_run *r, const clp_mpi_panels *panels) {
    return (clprims_matrix){panels->lengths, r->paths->width * r->paths->max_n, r->columns, 0};
}

static clprims_matrix via_panel(const clp_mpi_paths_run *r, const clp_mpi_panels *panels) {
    return (clprims_matrix){panels->via, 0, r->columns, 0};
}

static void copy_lengths(clp_mpi_paths_run *r, clprims_matrix from, clprims_matrix to, size_t rows,
                         size_t columns) {
    if (r->status != CLPRIMS_OK) return;
    keep(r, clp_mpi_copy_part(&r->paths->lengths, "mpi_paths", from, to, rows, columns, false));
}

static void copy_vertices(clp_mpi_paths_run *r, clprims_matrix from, clprims_matrix to, size_t rows,
                          size_t columns) {
    if (r->status != CLPRIMS_OK || !r->paths->predecessors) return;
    keep(r, clp_mpi_copy_part(&r->paths->vertices, "mpi_paths", from, to, rows, columns, false));
}

static void wait_for(clp_mpi_paths_run *r, cl_command_queue queue) {
    const cl_int code = clFinish(queue);
    if (code != CL_SUCCESS) keep(r, clp_mpi_fail_cl(code, "mpi_paths: a kernel failed"));
}

/* ---- Products ---- */

/* c = min(c, a (x) b). chosen: where each of c's elements came from; {NULL}: nobody asks. */
typedef struct product {
    clprims_matrix a, b, c, chosen;
    clprims_minplus_size size;
} product;

static void multiply(clp_mpi_paths_run *r, cl_command_queue queue, const product *p) {
    if (r->status != CLPRIMS_OK || p->size.m == 0 || p->size.n == 0) return;
    keep(r, clp_mpi_core(clprims_minplus_enqueue(r->paths->product, queue, p->a, p->b, p->c,
                                                 p->chosen, p->size, 0, NULL, NULL)));
}

/* What a product chose becomes predecessors. */
static void follow(clp_mpi_paths_run *r, cl_command_queue queue, clprims_matrix from,
                   clprims_matrix via, size_t rows, size_t columns, bool warms_up) {
    const clprims_mpi_paths *paths = r->paths;
    const cl_ulong from_first = from.first, from_ld = from.ld, via_first = via.first;
    const cl_ulong via_ld = via.ld;
    const cl_uint down = (cl_uint)rows, across = (cl_uint)columns;
    const clp_mpi_argument arguments[] = {CLP_MPI_ARGUMENT(paths->buffers[CLP_MPI_CHOSEN]),
                                          CLP_MPI_ARGUMENT(from.mem),
                                          CLP_MPI_ARGUMENT(from_first),
                                          CLP_MPI_ARGUMENT(from_ld),
                                          CLP_MPI_ARGUMENT(via.mem),
                                          CLP_MPI_ARGUMENT(via_first),
                                          CLP_MPI_ARGUMENT(via_ld),
                                          CLP_MPI_ARGUMENT(down),
                                          CLP_MPI_ARGUMENT(across)};
    if (r->status != CLPRIMS_OK) return;
    keep(r, clp_mpi_launch_cells("mpi_paths", queue, paths->kernels[CLP_MPI_PATHS_FOLLOW],
                                 arguments, 9, rows, columns, warms_up));
}

/* Relaxes rows and columns of this rank's block, [row, row_end) and [column, column_end), through
 * the round's vertices. */
static void relax(clp_mpi_paths_run *r, cl_command_queue queue, const clp_mpi_round *round,
                  const clp_mpi_panels *panels, size_t row, size_t row_end, size_t column,
                  size_t column_end) {
    const clprims_mpi_paths *paths = r->paths;
    const size_t across = column_end - column;
    const clprims_matrix b = clp_mpi_part(rows_panel(r, panels), 0, column);
    size_t most = row_end - row;
    if (row == row_end || across == 0) return;
    if (paths->predecessors && most > paths->chosen_elements / across) {
        most = paths->chosen_elements / across;
    }
    for (size_t at = row; at < row_end; at += most) {
        const size_t down = row_end - at < most ? row_end - at : most;
        const product rest = {.a = clp_mpi_part(columns_panel(round, panels), at, 0),
                              .b = b,
                              .c = clp_mpi_part(r->d, at, column),
                              .chosen = {paths->buffers[CLP_MPI_CHOSEN], 0, across, 0},
                              .size = {down, across, round->size, 1}};
        const cl_int none = -1;
        if (paths->predecessors && r->status == CLPRIMS_OK) {
            const cl_int code =
                clEnqueueFillBuffer(queue, paths->buffers[CLP_MPI_CHOSEN], &none, sizeof none, 0,
                                    down * across * sizeof none, 0, NULL, NULL);
            if (code != CL_SUCCESS) keep(r, clp_mpi_fail_cl(code, "mpi_paths: no fill"));
        }
        multiply(r, queue, &rest);
        if (!paths->predecessors) continue;
        follow(r, queue, clp_mpi_part(via_panel(r, panels), 0, column),
               clp_mpi_part(r->via, at, column), down, across, false);
    }
}

/* Relaxes columns of all rows but those of two rounds. */
static void relax_others(clp_mpi_paths_run *r, cl_command_queue queue, const clp_mpi_round *round,
                         const clp_mpi_round *next, const clp_mpi_panels *panels, size_t column,
                         size_t column_end) {
    size_t row = 0;
    if (has_rows(r, round)) {
        relax(r, queue, round, panels, row, row_of(r, round), column, column_end);
        row = row_of(r, round) + round->size;
    }
    if (has_rows(r, next)) {
        relax(r, queue, round, panels, row, row_of(r, next), column, column_end);
        row = row_of(r, next) + next->size;
    }
    relax(r, queue, round, panels, row, r->rows, column, column_end);
}

/* ---- The diagonal block ---- */

/* Squares the block until it holds the paths of all lengths: each square of a matrix with zeros on
 * its diagonal is at most that matrix. */
static cl_mem close_by_squares(clp_mpi_paths_run *r, size_t size) {
    cl_mem from = r->paths->buffers[CLP_MPI_CLOSED], to = r->paths->buffers[CLP_MPI_OTHER];
    for (size_t edges = 1; edges < size; edges *= 2) {
        const clprims_matrix a = {from, 0, size, 0};
        const product square = {
            .a = a, .b = a, .c = {to, 0, size, 0}, .size = {size, size, size, 1}};
        const cl_mem last = from;
        multiply(r, r->paths->mpi->queue, &square);
        from = to;
        to = last;
    }
    return from;
}

/* Relaxes a panel's rows through its row k. */
static void step(clp_mpi_paths_run *r, clprims_matrix panel, cl_mem via, size_t size,
                 cl_mem factors, size_t k, bool notes, bool warms_up) {
    const cl_uint wide = (cl_uint)size, across = (cl_uint)panel.ld, row = (cl_uint)k;
    const cl_uint noted = notes;
    const cl_ulong first = panel.first;
    const clp_mpi_argument arguments[] = {CLP_MPI_ARGUMENT(panel.mem), CLP_MPI_ARGUMENT(first),
                                          CLP_MPI_ARGUMENT(via),       CLP_MPI_ARGUMENT(wide),
                                          CLP_MPI_ARGUMENT(across),    CLP_MPI_ARGUMENT(factors),
                                          CLP_MPI_ARGUMENT(row),       CLP_MPI_ARGUMENT(noted)};
    if (r->status != CLPRIMS_OK) return;
    keep(r, clp_mpi_launch_cells("mpi_paths", r->paths->mpi->queue,
                                 r->paths->kernels[CLP_MPI_PATHS_STEP], arguments, 8, size,
                                 panel.ld, warms_up));
}

/* Closes the diagonal block on its rank; returns what the other ranks of the row need. */
static cl_mem close_block(clp_mpi_paths_run *r, const clp_mpi_round *round) {
    const clprims_mpi_paths *paths = r->paths;
    const size_t size = round->size;
    const clprims_matrix block = clp_mpi_part(r->d, row_of(r, round), column_of(r, round));
    for (size_t k = 0; k < CLP_MPI_SQUARES; k++) {
        copy_lengths(r, block, (clprims_matrix){paths->buffers[k], 0, size, 0}, size, size);
    }
    if (!paths->predecessors) {
        const cl_mem closed = close_by_squares(r, size);
        clp_mpi_paths_look_for_cycle(r, round, closed);
        return closed;
    }
    const clprims_matrix closed = {paths->buffers[CLP_MPI_CLOSED], 0, size, 0};
    for (size_t k = 0; k < size; k++) {
        step(r, closed, paths->buffers[CLP_MPI_CHOSEN], size, paths->buffers[CLP_MPI_OTHER], k,
             true, false);
    }
    clp_mpi_paths_look_for_cycle(r, round, closed.mem);
    return paths->buffers[CLP_MPI_OTHER];
}

/* ---- Panels ---- */

/* Copies the round's rows and columns of this rank's block. */
static void take_panels(clp_mpi_paths_run *r, const clp_mpi_round *round,
                        const clp_mpi_panels *panels) {
    if (has_rows(r, round)) {
        const size_t row = row_of(r, round);
        copy_lengths(r, clp_mpi_part(r->d, row, 0), rows_panel(r, panels), round->size, r->columns);
        copy_vertices(r, clp_mpi_part(r->via, row, 0), via_panel(r, panels), round->size,
                      r->columns);
    }
    if (has_columns(r, round)) {
        copy_lengths(r, clp_mpi_part(r->d, 0, column_of(r, round)), columns_panel(round, panels),
                     r->rows, round->size);
    }
}

/* The relaxed panel of rows becomes the matrix' rows. */
static void return_rows(clp_mpi_paths_run *r, const clp_mpi_round *round,
                        const clp_mpi_panels *panels) {
    if (!has_rows(r, round)) return;
    const size_t row = row_of(r, round);
    copy_lengths(r, rows_panel(r, panels), clp_mpi_part(r->d, row, 0), round->size, r->columns);
    copy_vertices(r, via_panel(r, panels), clp_mpi_part(r->via, row, 0), round->size, r->columns);
}

/* Closes the diagonal block and relaxes the panel of rows by it. */
static void close_rows(clp_mpi_paths_run *r, const clp_mpi_round *round,
                       const clp_mpi_panels *panels) {
    const clprims_mpi_paths *paths = r->paths;
    clprims_mpi *mpi = paths->mpi;
    const size_t size = round->size;
    const clprims_matrix panel = rows_panel(r, panels);
    cl_mem square = paths->buffers[CLP_MPI_CLOSED];
    if (!has_rows(r, round)) return;
    if (has_columns(r, round)) square = close_block(r, round);
    wait_for(r, mpi->queue);
    clp_mpi_routes_clear(&paths->routes);
    clp_mpi_route_across(&paths->routes, round->column, 0, size * size);
    keep(r, clp_mpi_route(mpi, "mpi_paths", &paths->routes, square, paths->element));
    if (paths->predecessors) {
        for (size_t k = 0; k < size; k++)
            step(r, panel, panels->via, size, square, k, false, false);
    } else {
        const product closed = {.a = {square, 0, size, 0},
                                .b = clp_mpi_part(r->d, row_of(r, round), 0),
                                .c = panel,
                                .size = {size, r->columns, size, 1}};
        multiply(r, mpi->queue, &closed);
    }
}

/* The panels go to the ranks that lack them. */
static void send_panels(clp_mpi_paths_run *r, const clp_mpi_round *round,
                        const clp_mpi_panels *panels) {
    const clprims_mpi_paths *paths = r->paths;
    const clp_mpi_routes *routes = &paths->routes;
    clp_mpi_routes_clear(routes);
    clp_mpi_route_down(routes, round->row, rows_panel(r, panels).first, round->size * r->columns);
    clp_mpi_route_across(routes, round->column, 0, r->rows * round->size);
    keep(r, clp_mpi_route(paths->mpi, "mpi_paths", routes, panels->lengths, paths->element));
    if (!paths->predecessors) return;
    clp_mpi_routes_clear(routes);
    clp_mpi_route_down(routes, round->row, 0, round->size * r->columns);
    keep(r, clp_mpi_route(paths->mpi, "mpi_paths", routes, panels->via, sizeof(cl_int)));
}

/* ---- Rounds ---- */

/* Relaxes the next round's rows and columns before the others, and takes them. */
static void prepare_next(clp_mpi_paths_run *r, const clp_mpi_round *round,
                         const clp_mpi_round *next, size_t turn) {
    const clp_mpi_panels *panels = r->paths->panels;
    const cl_command_queue queue = r->paths->mpi->queue;
    if (next->size == 0) return;
    if (has_rows(r, next)) {
        const size_t row = row_of(r, next);
        relax(r, queue, round, &panels[turn], row, row + next->size, 0, r->columns);
    }
    if (has_columns(r, next)) {
        const size_t column = column_of(r, next);
        relax_others(r, queue, round, next, &panels[turn], column, column + next->size);
    }
    take_panels(r, next, &panels[turn ^ 1]);
    close_rows(r, next, &panels[turn ^ 1]);
}

/* Relaxes what neither round has, beside what follows. */
static void relax_rest(clp_mpi_paths_run *r, const clp_mpi_round *round, const clp_mpi_round *next,
                       const clp_mpi_panels *panels) {
    const cl_command_queue queue = r->paths->behind;
    size_t column = 0;
    if (has_columns(r, next)) {
        relax_others(r, queue, round, next, panels, 0, column_of(r, next));
        column = column_of(r, next) + next->size;
    }
    relax_others(r, queue, round, next, panels, column, r->columns);
}

void clp_mpi_paths_close(clp_mpi_paths_run *r) {
    const clprims_mpi_paths *paths = r->paths;
    clp_mpi_round round = round_at(r, 0);
    size_t turn = 0;
    if (round.size == 0) return;
    take_panels(r, &round, &paths->panels[turn]);
    close_rows(r, &round, &paths->panels[turn]);
    wait_for(r, paths->mpi->queue);
    send_panels(r, &round, &paths->panels[turn]);
    while (round.size > 0) {
        const clp_mpi_round next = round_at(r, round.begin + round.size);
        return_rows(r, &round, &paths->panels[turn]);
        prepare_next(r, &round, &next, turn);
        wait_for(r, paths->mpi->queue);
        relax_rest(r, &round, &next, &paths->panels[turn]);
        clFlush(paths->behind);
        if (next.size > 0) send_panels(r, &next, &paths->panels[turn ^ 1]);
        wait_for(r, paths->behind);
        turn ^= 1;
        round = next;
    }
}

clprims_status clp_mpi_paths_warm_up(clprims_mpi_paths *paths) {
    const clprims_matrix square = {paths->buffers[CLP_MPI_GIVEN], 0, 0, 0};
    const clprims_matrix other = {paths->buffers[CLP_MPI_OTHER], 0, 0, 0};
    const clprims_matrix via = {paths->buffers[CLP_MPI_CHOSEN], 0, 0, 0};
    clp_mpi_paths_run blank = {.paths = paths, .d = square, .via = via};
    blank.status = clp_mpi_paths_warm_up_faults(&blank);
    keep(&blank, clp_mpi_copy_part(&paths->lengths, "mpi_paths", square, other, 0, 0, true));
    if (paths->predecessors) {
        keep(&blank, clp_mpi_copy_part(&paths->vertices, "mpi_paths", square, other, 0, 0, true));
        step(&blank, square, via.mem, 0, other.mem, 0, false, true);
        follow(&blank, paths->mpi->queue, via, via, 0, 0, true);
    }
    wait_for(&blank, paths->mpi->queue);
    return blank.status;
}
