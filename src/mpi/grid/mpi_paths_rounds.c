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

/* Rows or columns of this rank's block. */
typedef struct span {
    size_t begin, end;
} span;

/* What a round relaxes, and on which queue. */
typedef struct pass {
    clp_mpi_paths_run *run;
    cl_command_queue queue;
    const clp_mpi_round *round;
    size_t turn; /* of the round's panels */
} pass;

static bool has_rows(const clp_mpi_paths_run *r, const clp_mpi_round *round) {
    return round->row == r->paths->grid.grid.row;
}

static bool has_columns(const clp_mpi_paths_run *r, const clp_mpi_round *round) {
    return round->column == r->paths->grid.grid.column;
}

/* The round's rows and columns of this rank's block. */
static span rows_of(const clp_mpi_paths_run *r, const clp_mpi_round *round) {
    const size_t begin = (size_t)(round->begin - r->row);
    return (span){begin, begin + round->size};
}

static span columns_of(const clp_mpi_paths_run *r, const clp_mpi_round *round) {
    const size_t begin = (size_t)(round->begin - r->column);
    return (span){begin, begin + round->size};
}

/* A round's panels. */
static clprims_matrix columns_panel(const pass *p) {
    return clp_mpi_columns_panel(p->round, p->run->paths->grid.panels[p->turn]);
}

static clprims_matrix rows_panel(const pass *p) {
    const clp_mpi_grid_plan *grid = &p->run->paths->grid;
    return clp_mpi_rows_panel(grid, grid->panels[p->turn], p->run->columns);
}

static clprims_matrix via_panel(const pass *p) {
    return (clprims_matrix){p->run->paths->via_panels[p->turn], 0, p->run->columns, 0};
}

static void copy_lengths(clp_mpi_paths_run *r, clprims_matrix from, clprims_matrix to, size_t rows,
                         size_t columns) {
    if (r->status != CLPRIMS_OK) return;
    r->status = clp_mpi_copy_part(&r->paths->grid.copier, from, to, rows, columns);
}

static void copy_vertices(clp_mpi_paths_run *r, clprims_matrix from, clprims_matrix to, size_t rows,
                          size_t columns) {
    if (r->status != CLPRIMS_OK || !r->paths->grid.chooses) return;
    r->status = clp_mpi_copy_part(&r->paths->vertices, from, to, rows, columns);
}

static void wait_for(clp_mpi_paths_run *r, cl_command_queue queue) {
    clp_mpi_keep(&r->status, clp_mpi_finish_queue(r->paths->grid.head.mpi, queue));
}

/* ---- Products ---- */

static void multiply(clp_mpi_paths_run *r, cl_command_queue queue, const clp_mpi_product *p) {
    if (r->status != CLPRIMS_OK || p->m == 0 || p->n == 0) return;
    r->status = clp_mpi_multiply(&r->paths->grid, queue, r->paths->product, p);
}

/* What a product chose becomes predecessors. */
static void follow(const pass *p, clprims_matrix from, clprims_matrix via, size_t rows,
                   size_t columns) {
    clp_mpi_paths_run *r = p->run;
    const clp_mpi_grid_plan *grid = &r->paths->grid;
    if (r->status != CLPRIMS_OK || !grid->chooses) return;
    r->status =
        CLP_MPI_LAUNCH_CELLS(grid->head.mpi, p->queue, r->paths->kernels[CLP_MPI_PATHS_FOLLOW],
                             rows, columns, CLP_MPI_VALUE(grid->chosen), CLP_MPI_MATRIX(from),
                             CLP_MPI_MATRIX(via), CLP_MPI_INT(rows), CLP_MPI_INT(columns));
}

/* Relaxes rows and columns of this rank's block through the round's vertices. */
static void relax(const pass *p, span rows, span columns) {
    const clp_mpi_paths_run *r = p->run;
    const clp_mpi_grid_plan *grid = &r->paths->grid;
    const size_t across = columns.end - columns.begin, column = columns.begin;
    if (rows.begin == rows.end || across == 0) return;
    const size_t most = clp_mpi_rows_at_a_time(grid, rows.end - rows.begin, across);
    for (size_t at = rows.begin; at < rows.end; at += most) {
        const size_t down = rows.end - at < most ? rows.end - at : most;
        const clp_mpi_product rest = {.a = clp_mpi_part(columns_panel(p), at, 0),
                                      .b = clp_mpi_part(rows_panel(p), 0, column),
                                      .c = clp_mpi_part(r->d, at, column),
                                      .chosen = {grid->chosen, 0, across, 0},
                                      .m = down,
                                      .n = across,
                                      .k = p->round->size};
        multiply(p->run, p->queue, &rest);
        follow(p, clp_mpi_part(via_panel(p), 0, column), clp_mpi_part(r->via, at, column), down,
               across);
    }
}

/* Relaxes columns of all rows but the rows of two rounds. */
static void relax_others(const pass *p, const clp_mpi_round *next, span columns) {
    const clp_mpi_paths_run *r = p->run;
    const clp_mpi_round *const rounds[] = {p->round, next};
    size_t row = 0;
    for (size_t k = 0; k < 2; k++) {
        if (!has_rows(r, rounds[k])) continue;
        const span rows = rows_of(r, rounds[k]);
        relax(p, (span){row, rows.begin}, columns);
        row = rows.end;
    }
    relax(p, (span){row, r->rows}, columns);
}

/* ---- The diagonal block ---- */

/* Squares the block until it holds the paths of all lengths: each square of a matrix with zeros on
 * its diagonal is at most that matrix. */
static cl_mem close_by_squares(clp_mpi_paths_run *r, size_t size) {
    cl_mem from = r->paths->squares[CLP_MPI_CLOSED], to = r->paths->squares[CLP_MPI_OTHER];
    for (size_t edges = 1; edges < size; edges *= 2) {
        const clprims_matrix a = {from, 0, size, 0};
        const clp_mpi_product square = {
            .a = a, .b = a, .c = {to, 0, size, 0}, .m = size, .n = size, .k = size};
        const cl_mem last = from;
        multiply(r, r->paths->grid.head.mpi->queue, &square);
        from = to;
        to = last;
    }
    return from;
}

/* Relaxes a panel's rows through each of them in turn. via: the panel's, NULL of the diagonal block
 * itself, which notes its columns among the factors. */
static void step_through(clp_mpi_paths_run *r, clprims_matrix panel, cl_mem via, size_t size,
                         cl_mem factors) {
    const clprims_mpi *mpi = r->paths->grid.head.mpi;
    const cl_kernel kernel = r->paths->kernels[CLP_MPI_PATHS_STEP];
    for (size_t k = 0; k < size && r->status == CLPRIMS_OK; k++) {
        r->status =
            CLP_MPI_LAUNCH_CELLS(mpi, mpi->queue, kernel, size, panel.ld, CLP_MPI_BUFFER(panel),
                                 CLP_MPI_VALUE(via), CLP_MPI_INT(size), CLP_MPI_INT(panel.ld),
                                 CLP_MPI_VALUE(factors), CLP_MPI_INT(k), CLP_MPI_INT(via == NULL));
    }
}

/* Closes the diagonal block on its rank; returns what the other ranks of the row need. */
static cl_mem close_block(clp_mpi_paths_run *r, const clp_mpi_round *round) {
    const cl_mem *squares = r->paths->squares;
    const size_t size = round->size;
    const clprims_matrix block =
        clp_mpi_part(r->d, rows_of(r, round).begin, columns_of(r, round).begin);
    for (size_t k = 0; k < CLP_MPI_SQUARES; k++) {
        copy_lengths(r, block, (clprims_matrix){squares[k], 0, size, 0}, size, size);
    }
    cl_mem closed = squares[CLP_MPI_CLOSED];
    if (!r->paths->grid.chooses) {
        closed = close_by_squares(r, size);
    } else {
        step_through(r, (clprims_matrix){closed, 0, size, 0}, NULL, size, squares[CLP_MPI_OTHER]);
    }
    clp_mpi_paths_look_for_cycle(r, round, closed);
    return r->paths->grid.chooses ? squares[CLP_MPI_OTHER] : closed;
}

/* ---- Panels ---- */

/* Copies the round's rows and columns of this rank's block. */
static void take_panels(const pass *p) {
    clp_mpi_paths_run *r = p->run;
    const size_t size = p->round->size;
    if (has_rows(r, p->round)) {
        const size_t row = rows_of(r, p->round).begin;
        copy_lengths(r, clp_mpi_part(r->d, row, 0), rows_panel(p), size, r->columns);
        copy_vertices(r, clp_mpi_part(r->via, row, 0), via_panel(p), size, r->columns);
    }
    if (has_columns(r, p->round)) {
        const size_t column = columns_of(r, p->round).begin;
        copy_lengths(r, clp_mpi_part(r->d, 0, column), columns_panel(p), r->rows, size);
    }
}

/* The relaxed panel of rows becomes the matrix' rows. */
static void return_rows(const pass *p) {
    clp_mpi_paths_run *r = p->run;
    const size_t size = p->round->size;
    if (!has_rows(r, p->round)) return;
    const size_t row = rows_of(r, p->round).begin;
    copy_lengths(r, rows_panel(p), clp_mpi_part(r->d, row, 0), size, r->columns);
    copy_vertices(r, via_panel(p), clp_mpi_part(r->via, row, 0), size, r->columns);
}

/* Closes the diagonal block and relaxes the panel of rows by it. */
static void close_rows(const pass *p) {
    clp_mpi_paths_run *r = p->run;
    const clp_mpi_round *round = p->round;
    const clp_mpi_grid_plan *grid = &r->paths->grid;
    const size_t size = round->size;
    cl_mem square = r->paths->squares[CLP_MPI_CLOSED];
    if (!has_rows(r, round)) return;
    if (has_columns(r, round)) square = close_block(r, round);
    wait_for(r, grid->head.mpi->queue);
    const clp_mpi_route none = {0, 0, 0}, across = {round->column, 0, size * size};
    clp_mpi_keep(&r->status, clp_mpi_send(grid, square, grid->element, none, across));
    if (grid->chooses) {
        step_through(r, rows_panel(p), via_panel(p).mem, size, square);
    } else {
        const clp_mpi_product closed = {.a = {square, 0, size, 0},
                                        .b = clp_mpi_part(r->d, rows_of(r, round).begin, 0),
                                        .c = rows_panel(p),
                                        .m = size,
                                        .n = r->columns,
                                        .k = size};
        multiply(r, p->queue, &closed);
    }
}

/* The panels go to the ranks that lack them. */
static void send_panels(const pass *p) {
    clp_mpi_paths_run *r = p->run;
    const clp_mpi_grid_plan *grid = &r->paths->grid;
    clp_mpi_keep(&r->status,
                 clp_mpi_send_panels(grid, p->round, grid->panels[p->turn], r->rows, r->columns));
    if (!grid->chooses) return;
    const clp_mpi_route none = {0, 0, 0}, down = {p->round->row, 0, p->round->size * r->columns};
    clp_mpi_keep(&r->status, clp_mpi_send(grid, via_panel(p).mem, sizeof(cl_int), down, none));
}

/* ---- Rounds ---- */

/* Relaxes the next round's rows and columns before the others, and takes them. */
static void prepare_next(const pass *p, const pass *next) {
    const clp_mpi_paths_run *r = p->run;
    if (next->round->size == 0) return;
    if (has_rows(r, next->round)) {
        relax(p, rows_of(r, next->round), (span){0, r->columns});
    }
    if (has_columns(r, next->round)) {
        relax_others(p, next->round, columns_of(r, next->round));
    }
    take_panels(next);
    close_rows(next);
}

/* Relaxes what neither round has, beside what follows. */
static void relax_rest(const pass *p, const clp_mpi_round *next) {
    const clp_mpi_paths_run *r = p->run;
    size_t column = 0;
    if (has_columns(r, next)) {
        const span columns = columns_of(r, next);
        relax_others(p, next, (span){0, columns.begin});
        column = columns.end;
    }
    relax_others(p, next, (span){column, r->columns});
}

void clp_mpi_paths_close(clp_mpi_paths_run *r) {
    const clp_mpi_plan *head = &r->paths->grid.head;
    const cl_command_queue queue = head->mpi->queue;
    clp_mpi_round rounds[2] = {clp_mpi_round_at(&r->paths->grid, 0, r->n, r->width)};
    pass now = {r, queue, &rounds[0], 0}, next = {r, queue, &rounds[1], 1};
    if (now.round->size == 0) return;
    take_panels(&now);
    close_rows(&now);
    wait_for(r, queue);
    send_panels(&now);
    while (now.round->size > 0) {
        const uint64_t end = now.round->begin + now.round->size;
        const pass rest = {r, head->behind, now.round, now.turn};
        rounds[next.turn] = clp_mpi_round_at(&r->paths->grid, end, r->n, r->width);
        return_rows(&now);
        prepare_next(&now, &next);
        wait_for(r, queue);
        relax_rest(&rest, next.round);
        clFlush(head->behind);
        if (next.round->size > 0) send_panels(&next);
        wait_for(r, head->behind);
        const pass done = now;
        now = next;
        next = done;
    }
}
