/* SPDX-License-Identifier: MIT */
/* The grid, strips of matrices, panels from rank to ranks. */
#include "mpi/grid/mpi_grid.h"
#include "mpi/mpi_blocks.h"

#include <inttypes.h>

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

clprims_mpi_block clprims_mpi_even_rows(const clprims_mpi *mpi, uint64_t total) {
    const clprims_mpi_grid grid = clprims_mpi_grid_of(mpi);
    return clp_mpi_even_part(total, grid.rows, grid.row);
}

clprims_mpi_block clprims_mpi_even_columns(const clprims_mpi *mpi, uint64_t total) {
    const clprims_mpi_grid grid = clprims_mpi_grid_of(mpi);
    return clp_mpi_even_part(total, grid.columns, grid.column);
}

/* ---- Plans ---- */

clp_mpi_limits clp_mpi_limits_now = {0, (size_t)1 << 26};

/* Bytes of a panel of columns' row, from which products are as fast as with any depth. */
enum { PANEL_BYTES = 2048 };

clprims_status clp_mpi_grid_fill(clp_mpi_grid_plan *plan) {
    clp_mpi_plan *head = &plan->head;
    const size_t ranks = (size_t)head->mpi->ranks; /* as many strips, at most */
    plan->grid = clprims_mpi_grid_of(head->mpi);
    CLP_MPI_TRY(clp_mpi_plan_parts(head, &plan->parts));
    CLP_MPI_TRY(clp_mpi_plan_numbers(head, ranks, &plan->gathered));
    CLP_MPI_TRY(clp_mpi_plan_numbers(head, ranks + 1, &plan->row_starts));
    return clp_mpi_plan_numbers(head, ranks + 1, &plan->column_starts);
}

void clp_mpi_grid_choose_width(clp_mpi_grid_plan *plan, size_t width) {
    const size_t most = clp_mpi_limits_now.width;
    if (width == 0) width = plan->element > 0 ? PANEL_BYTES / plan->element : 1;
    plan->width = most > 0 && most < width ? most : width;
}

/* Scratch for what products choose of a rank's block: one row at least, all of it if there is
 * room. */
static size_t choose_elements(size_t rows, size_t columns) {
    const size_t most = clp_mpi_limits_now.chosen;
    if (columns >= most) return columns;
    return columns > 0 && rows > most / columns ? most : rows * columns;
}

clprims_status clp_mpi_grid_allocate(clp_mpi_grid_plan *plan) {
    clp_mpi_plan *head = &plan->head;
    const size_t lengths = (plan->max_rows + plan->max_columns) * plan->width;
    CLP_MPI_TRY(clp_mpi_queue_create(head->mpi, &head->behind));
    CLP_MPI_TRY(clp_mpi_copier_create(head, plan->element, &plan->copier));
    for (size_t k = 0; k < 2; k++) {
        CLP_MPI_TRY(clp_mpi_plan_buffer(head, lengths * plan->element, &plan->panels[k]));
    }
    if (!plan->chooses) return CLPRIMS_OK;
    plan->chosen_elements = choose_elements(plan->max_rows, plan->max_columns);
    return clp_mpi_plan_buffer(head, plan->chosen_elements * sizeof(cl_int), &plan->chosen);
}

/* ---- Strips and rounds ---- */

/* This rank's block is as high, or as wide, as that of the first rank of its strip. */
static clprims_status check_strip(const clp_mpi_grid_plan *plan, const char *name, bool by_row) {
    const clprims_mpi *mpi = plan->head.mpi;
    const uint64_t *all = plan->gathered;
    const int first = by_row ? plan->grid.row * plan->grid.columns : plan->grid.column;
    if (all[mpi->rank] == all[first]) return CLPRIMS_OK;
    return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: %" PRIu64 " %s, but rank %d in the same %s of the grid has %" PRIu64,
                        mpi->who, all[mpi->rank], name, first, by_row ? "row" : "column",
                        all[first]);
}

static clprims_status add_strips(const clp_mpi_grid_plan *plan, const char *name, bool by_row,
                                 uint64_t *starts) {
    const clprims_mpi_grid *grid = &plan->grid;
    const int strips = by_row ? grid->rows : grid->columns;
    starts[0] = 0;
    for (int s = 0; s < strips; s++) {
        const uint64_t n = plan->gathered[by_row ? s * grid->columns : s];
        CLP_MPI_FAIL_IF(n > INT32_MAX - starts[s], CLPRIMS_ERR_TOO_LARGE,
                        "%s: more than %d %s in all", plan->head.mpi->who, INT32_MAX, name);
        starts[s + 1] = starts[s] + n;
    }
    return CLPRIMS_OK;
}

clprims_status clp_mpi_strips(const clp_mpi_grid_plan *plan, clprims_status status,
                              const char *name, bool by_row, uint64_t mine, uint64_t *starts) {
    const clprims_mpi *mpi = plan->head.mpi;
    CLP_MPI_TRY(clp_mpi_gather(mpi, status, mine, plan->gathered));
    CLP_MPI_TRY(clp_mpi_agree(mpi, check_strip(plan, name, by_row)));
    return clp_mpi_agree(mpi, add_strips(plan, name, by_row, starts));
}

/* The strip that holds a row or column, which is there. */
static int strip_of(const uint64_t *starts, uint64_t position) {
    int strip = 0;
    while (position >= starts[strip + 1]) strip++;
    return strip;
}

clp_mpi_round clp_mpi_round_at(const clp_mpi_grid_plan *plan, uint64_t begin, uint64_t n,
                               size_t width) {
    clp_mpi_round round = {begin, 0, -1, -1};
    if (begin >= n) return round;
    round.row = strip_of(plan->row_starts, begin);
    round.column = strip_of(plan->column_starts, begin);
    const uint64_t row_end = plan->row_starts[round.row + 1];
    const uint64_t column_end = plan->column_starts[round.column + 1];
    uint64_t end = begin + width;
    if (end > row_end) end = row_end;
    if (end > column_end) end = column_end;
    round.size = (size_t)(end - begin);
    return round;
}

clprims_status clp_mpi_send_panels(const clp_mpi_grid_plan *plan, const clp_mpi_round *round,
                                   cl_mem panels, size_t rows, size_t columns) {
    const size_t rows_first = clp_mpi_rows_panel(plan, panels, columns).first;
    const clp_mpi_route down = {round->row, rows_first, round->size * columns};
    const clp_mpi_route across = {round->column, 0, rows * round->size};
    return clp_mpi_send(plan, panels, plan->element, down, across);
}

/* ---- Products ---- */

size_t clp_mpi_rows_at_a_time(const clp_mpi_grid_plan *plan, size_t rows, size_t columns) {
    const size_t most = plan->chosen_elements / columns;
    return plan->chooses && most < rows ? most : rows;
}

clprims_status clp_mpi_multiply(const clp_mpi_grid_plan *plan, cl_command_queue queue,
                                clprims_minplus *core, const clp_mpi_product *p) {
    if (plan->chooses && p->chosen.mem == plan->chosen) {
        CLP_MPI_TRY(clp_mpi_fill(plan->head.mpi, queue, plan->chosen, 0, p->m * p->n, UINT32_MAX));
    }
    const clprims_minplus_buffers buffers = {p->a, p->b, p->c, p->chosen, {p->m, p->k, 1}};
    return clp_mpi_core(clprims_minplus_enqueue(core, queue, &buffers, p->n, 0, NULL, NULL));
}

/* ---- Parts of matrices ---- */

clprims_status clp_mpi_check_operand(const clprims_mpi *mpi, const clp_mpi_operand *o) {
    const size_t rows = o->rows, columns = o->columns;
    size_t bytes = 0;
    if (rows == 0 || columns == 0) return CLPRIMS_OK;
    CLP_MPI_FAIL_IF(o->at.ld < columns, CLPRIMS_ERR_ARGUMENT,
                    "%s: %s.ld = %zu is less than its %zu columns", mpi->who, o->name, o->at.ld,
                    columns);
    CLP_MPI_FAIL_IF(o->at.mem == NULL, CLPRIMS_ERR_ARGUMENT,
                    "%s: %s.mem is NULL, with %zu x %zu elements", mpi->who, o->name, rows,
                    columns);
    CLP_MPI_TRY(clp_mpi_check_mem(mpi, o->name, o->at.mem, &bytes));
    const size_t room = bytes / o->element_bytes;
    if (o->at.first <= room && columns <= room - o->at.first &&
        rows - 1 <= (room - o->at.first - columns) / o->at.ld) {
        return CLPRIMS_OK;
    }
    return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: %s.mem holds %zu elements of %zu bytes; %zu rows of %zu columns with "
                        "ld = %zu from %zu on are wanted",
                        mpi->who, o->name, room, o->element_bytes, rows, columns, o->at.ld,
                        o->at.first);
}

/* Behind the last of its elements, in bytes. */
static size_t end_of(const clp_mpi_operand *o) {
    return (o->at.first + (o->rows - 1) * o->at.ld + o->columns) * o->element_bytes;
}

clprims_status clp_mpi_check_disjoint(const clprims_mpi *mpi, const clp_mpi_operand *a,
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
    return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "%s: %s and %s overlap", mpi->who, a->name, b->name);
}

clprims_status clp_mpi_copier_create(clp_mpi_plan *plan, size_t element_bytes,
                                     clp_mpi_copier *copier) {
    const bool is_long = element_bytes == sizeof(cl_ulong),
               is_int = element_bytes == sizeof(cl_uint);
    *copier = (clp_mpi_copier){.mpi = plan->mpi, .units = is_long || is_int ? 1 : element_bytes};
    return clp_mpi_plan_kernel(plan, "parts.cl",
                               is_long  ? "clp_mpi_copy_ulong"
                               : is_int ? "clp_mpi_copy_uint"
                                        : "clp_mpi_copy_uchar",
                               "bllbllll", &copier->kernel);
}

clprims_status clp_mpi_copy_part(const clp_mpi_copier *copier, clprims_matrix from,
                                 clprims_matrix to, size_t rows, size_t columns) {
    const size_t units = copier->units;
    const clprims_matrix in = {from.mem, from.first * units, from.ld * units, 0};
    const clprims_matrix out = {to.mem, to.first * units, to.ld * units, 0};
    return CLP_MPI_LAUNCH_CELLS(copier->mpi, copier->mpi->queue, copier->kernel, rows,
                                columns * units, CLP_MPI_MATRIX(in), CLP_MPI_MATRIX(out),
                                CLP_MPI_LONG(rows), CLP_MPI_LONG(columns * units));
}

/* ---- Routes ---- */

/* Among every `step`-th rank from `begin` on. */
static void add_route(const clp_mpi_grid_plan *plan, clp_mpi_route route, int begin, int end,
                      int step) {
    const clp_mpi_parts *parts = &plan->parts;
    const int owner = begin + route.from * step;
    if (route.count == 0) return;
    if (plan->head.mpi->rank != owner) {
        parts->to_first[owner] = route.first;
        parts->to_count[owner] = route.count;
        return;
    }
    for (int r = begin; r < end; r += step) {
        parts->from_first[r] = route.first;
        parts->from_count[r] = r != owner ? route.count : 0;
    }
}

clprims_status clp_mpi_send(const clp_mpi_grid_plan *plan, cl_mem mem, size_t element_bytes,
                            clp_mpi_route down, clp_mpi_route across) {
    clprims_mpi *mpi = plan->head.mpi;
    const clprims_mpi_grid *grid = &plan->grid;
    const int begin = grid->row * grid->columns;
    for (int r = 0; r < mpi->ranks; r++) plan->parts.from_count[r] = plan->parts.to_count[r] = 0;
    add_route(plan, down, grid->column, mpi->ranks, grid->columns);
    add_route(plan, across, begin, begin + grid->columns, 1);
    return clp_mpi_exchange(mpi, &plan->parts, mem, mem, element_bytes);
}
