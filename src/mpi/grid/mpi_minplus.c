/* SPDX-License-Identifier: MIT */
/*
 * Min-plus products over a grid of ranks. Panel by panel, A's next columns go along the rows of the
 * grid and B's next rows along its columns, while each rank multiplies the panels before and folds
 * the product into its block of C.
 */
#include "minplus/minplus_limits.h"
#include "mpi/grid/mpi_grid.h"

#include <inttypes.h>

/* What a run reads: a, b and, accumulating, c. */
enum { MOST_READ = 3 };

struct clprims_mpi_minplus {
    clp_mpi_grid_plan grid; /* rounds go through columns of A and rows of B; a block is C's */
    bool accumulates;
    bool limited; /* integers with limits */
    clp_minplus_limits limits, limits_of_sums; /* of a and b, and of c */
    clprims_minplus *first; /* of the first panel; NULL if C is accumulated to */
    clprims_minplus *next;
    cl_kernel choose; /* with argmin */
    cl_kernel beyond; /* with limits */
    cl_mem lowest; /* a row of each matrix that is read */
    uint64_t *starts; /* of rows or columns of C, of no use but to compare them */
};

/* ---- The plan ---- */

static clprims_status create_products(clprims_mpi_minplus *plan, const clprims_minplus_desc *desc) {
    clp_mpi_plan *head = &plan->grid.head;
    clprims_minplus_desc own = *desc;
    own.max.m = desc->max.m > 0 ? desc->max.m : 1;
    own.max_n = desc->max_n > 0 ? desc->max_n : 1;
    own.max.k = plan->grid.width;
    own.max.batch = 1;
    if (!plan->accumulates) {
        CLP_MPI_TRY(CLP_MPI_CORE(head, minplus, &plan->first, &own));
    }
    own.accumulate = 1;
    return CLP_MPI_CORE(head, minplus, &plan->next, &own);
}

static clprims_status create_kernels(clprims_mpi_minplus *plan) {
    clp_mpi_plan *head = &plan->grid.head;
    if (plan->grid.chooses) {
        CLP_MPI_TRY(
            clp_mpi_plan_kernel(head, "parts.cl", "clp_mpi_choose", "bibllll", &plan->choose));
    }
    if (!plan->limited) return CLPRIMS_OK;
    const char *name = plan->grid.element == 8 ? "clp_mpi_beyond_long" : "clp_mpi_beyond_int";
    CLP_MPI_TRY(clp_mpi_plan_kernel(head, "parts.cl", name, "blllllllbi", &plan->beyond));
    return clp_mpi_plan_buffer(head, MOST_READ * sizeof(cl_uint), &plan->lowest);
}

static clprims_status fill(clp_mpi_plan *head, const void *description) {
    clprims_mpi_minplus *plan = (clprims_mpi_minplus *)head;
    clprims_minplus_desc own = *(const clprims_minplus_desc *)description;
    const clprims_minplus_desc *desc = &own;
    if (own.type == CLPRIMS_TYPE_DEFAULT) own.type = CLPRIMS_F32;
    clp_mpi_grid_plan *grid = &plan->grid;
    CLP_MPI_FAIL_IF(desc->max.m > INT32_MAX || desc->max_n > INT32_MAX, CLPRIMS_ERR_TOO_LARGE,
                    "mpi_minplus: max.m = %zu and max_n = %zu; at most %d each", desc->max.m,
                    desc->max_n, INT32_MAX);
    grid->element = clprims_type_bytes(desc->type);
    grid->chooses = desc->argmin != 0;
    grid->max_rows = desc->max.m;
    grid->max_columns = desc->max_n;
    clp_mpi_grid_choose_width(grid, 0);
    plan->accumulates = desc->accumulate != 0;
    plan->limited = clp_minplus_is_limited(desc->type, desc->semiring);
    if (plan->limited) {
        plan->limits =
            clp_minplus_limits_of(desc->type, desc->semiring,
                                  clp_minplus_no_edge(desc->type, desc->semiring, desc->no_edge));
        plan->limits_of_sums = clp_minplus_limits_of_sums(desc->semiring, plan->limits);
    }
    CLP_MPI_TRY(create_products(plan, desc));
    head->digest = clp_mpi_digest_minplus(desc);
    CLP_MPI_TRY(clp_mpi_grid_fill(grid));
    CLP_MPI_TRY(clp_mpi_grid_allocate(grid));
    CLP_MPI_TRY(clp_mpi_plan_numbers(head, (size_t)head->mpi->ranks + 1, &plan->starts));
    return create_kernels(plan);
}

CLP_MPI_PLAN_CREATE(minplus, fill, NULL)

/* ---- A run on this rank ---- */

/* It goes on after a failure, without the device, until the ranks agree. */
typedef struct run {
    clprims_mpi_minplus *plan;
    clprims_matrix a, b, c, best;
    clprims_mpi_minplus_size size;
    uint64_t k; /* columns of A in all */
    clprims_status status;
} run;

/* Copies this rank's part of the panels, and sends both to the ranks that lack them. */
static void take_and_send(run *r, const clp_mpi_round *round, cl_mem panels) {
    const clp_mpi_grid_plan *grid = &r->plan->grid;
    const clprims_matrix columns = clp_mpi_columns_panel(round, panels);
    const clprims_matrix rows = clp_mpi_rows_panel(grid, panels, r->size.n);
    if (r->status == CLPRIMS_OK && grid->grid.column == round->column) {
        const size_t at = (size_t)(round->begin - grid->column_starts[round->column]);
        r->status = clp_mpi_copy_part(&grid->copier, clp_mpi_part(r->a, 0, at), columns, r->size.m,
                                      round->size);
    }
    if (r->status == CLPRIMS_OK && grid->grid.row == round->row) {
        const size_t at = (size_t)(round->begin - grid->row_starts[round->row]);
        r->status = clp_mpi_copy_part(&grid->copier, clp_mpi_part(r->b, at, 0), rows, round->size,
                                      r->size.n);
    }
    clp_mpi_keep(&r->status, clp_mpi_finish(grid->head.mpi));
    clp_mpi_keep(&r->status, clp_mpi_send_panels(grid, round, panels, r->size.m, r->size.n));
}

/* What a product chose of its panels becomes a choice of k. */
static clprims_status choose(const run *r, const clp_mpi_round *round, clprims_matrix best,
                             size_t rows) {
    const clp_mpi_grid_plan *grid = &r->plan->grid;
    return CLP_MPI_LAUNCH_CELLS(grid->head.mpi, grid->head.behind, r->plan->choose, rows, r->size.n,
                                CLP_MPI_VALUE(grid->chosen), CLP_MPI_INT(round->begin),
                                CLP_MPI_MATRIX(best), CLP_MPI_LONG(rows), CLP_MPI_LONG(r->size.n));
}

/* Rows [row, row + rows) of C. */
static clprims_status multiply_rows(const run *r, const clp_mpi_round *round, cl_mem panels,
                                    size_t row, size_t rows) {
    const clprims_mpi_minplus *plan = r->plan;
    const clp_mpi_grid_plan *grid = &plan->grid;
    const size_t n = r->size.n;
    const bool chooses = grid->chooses && round->begin > 0;
    const clprims_matrix best = clp_mpi_part(r->best, row, 0), chosen = {grid->chosen, 0, n, 0};
    const clp_mpi_product product = {.a =
                                         clp_mpi_part(clp_mpi_columns_panel(round, panels), row, 0),
                                     .b = clp_mpi_rows_panel(grid, panels, n),
                                     .c = clp_mpi_part(r->c, row, 0),
                                     .chosen = chooses ? chosen : best,
                                     .m = rows,
                                     .n = n,
                                     .k = round->size};
    clprims_minplus *core = round->begin == 0 && !plan->accumulates ? plan->first : plan->next;
    CLP_MPI_TRY(clp_mpi_multiply(grid, grid->head.behind, core, &product));
    return chooses ? choose(r, round, best, rows) : CLPRIMS_OK;
}

static void multiply(run *r, const clp_mpi_round *round, cl_mem panels) {
    const clp_mpi_grid_plan *grid = &r->plan->grid;
    const size_t m = r->size.m, n = r->size.n;
    if (m == 0 || n == 0) return;
    const size_t most = round->begin > 0 ? clp_mpi_rows_at_a_time(grid, m, n) : m;
    for (size_t row = 0; row < m && r->status == CLPRIMS_OK; row += most) {
        r->status = multiply_rows(r, round, panels, row, m - row < most ? m - row : most);
    }
    clFlush(grid->head.behind);
}

static void run_all(run *r) {
    const clp_mpi_grid_plan *grid = &r->plan->grid;
    clp_mpi_round now = clp_mpi_round_at(grid, 0, r->k, grid->width);
    size_t turn = 0;
    if (now.size > 0) take_and_send(r, &now, grid->panels[turn]);
    do { /* without any k there is a product, too, whose elements are no edge */
        const clp_mpi_round next = clp_mpi_round_at(grid, now.begin + now.size, r->k, grid->width);
        multiply(r, &now, grid->panels[turn]);
        turn ^= 1;
        if (next.size > 0) take_and_send(r, &next, grid->panels[turn]);
        clp_mpi_keep(&r->status, clp_mpi_finish_queue(grid->head.mpi, grid->head.behind));
        now = next;
    } while (now.size > 0);
}

/* ---- Checks ---- */

static clprims_status check(const run *r) {
    const clp_mpi_grid_plan *grid = &r->plan->grid;
    const clprims_mpi *mpi = grid->head.mpi;
    const clprims_mpi_minplus_size *size = &r->size;
    const clp_mpi_operand c = {"c", r->c, size->m, size->n, grid->element};
    const clp_mpi_operand others[] = {
        {"a", r->a, size->m, size->a_columns, grid->element},
        {"b", r->b, size->b_rows, size->n, grid->element},
        {"argmin", r->best, size->m, grid->chooses ? size->n : 0, sizeof(cl_int)}};
    CLP_MPI_TRY(clp_mpi_check_most(mpi, "m", size->m, "max.m", grid->max_rows));
    CLP_MPI_TRY(clp_mpi_check_most(mpi, "n", size->n, "max_n", grid->max_columns));
    CLP_MPI_FAIL_IF(!grid->chooses && r->best.mem != NULL, CLPRIMS_ERR_ARGUMENT,
                    "mpi_minplus: argmin.mem is not NULL, but the plan was made without "
                    "argmin");
    CLP_MPI_TRY(clp_mpi_check_operand(mpi, &c));
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        CLP_MPI_TRY(clp_mpi_check_operand(mpi, &others[k]));
        CLP_MPI_TRY(clp_mpi_check_disjoint(mpi, &c, &others[k]));
        if (k == 2) continue;
        CLP_MPI_TRY(clp_mpi_check_disjoint(mpi, &others[2], &others[k]));
    }
    return clp_mpi_begin(mpi);
}

/* Collective: blocks of one strip are alike, and A has as many columns as B has rows. */
static clprims_status find_strips(run *r, clprims_status status) {
    const clp_mpi_grid_plan *grid = &r->plan->grid;
    const clprims_mpi_minplus_size *size = &r->size;
    uint64_t *const starts = r->plan->starts, *const a_starts = grid->column_starts;
    CLP_MPI_TRY(clp_mpi_strips(grid, status, "rows of A and C", true, size->m, starts));
    CLP_MPI_TRY(clp_mpi_strips(grid, CLPRIMS_OK, "columns of B and C", false, size->n, starts));
    CLP_MPI_TRY(clp_mpi_strips(grid, CLPRIMS_OK, "columns of A", false, size->a_columns, a_starts));
    CLP_MPI_TRY(
        clp_mpi_strips(grid, CLPRIMS_OK, "rows of B", true, size->b_rows, grid->row_starts));
    r->k = grid->column_starts[grid->grid.columns];
    const uint64_t rows = grid->row_starts[grid->grid.rows];
    if (r->k != rows) {
        status = clp_mpi_fail(CLPRIMS_ERR_ARGUMENT,
                              "mpi_minplus: A has %" PRIu64 " columns in all, and B %" PRIu64
                              " rows; they must be as many",
                              r->k, rows);
    }
    return clp_mpi_agree(grid->head.mpi, status);
}

static const clp_minplus_limits *limits_of(const clprims_mpi_minplus *plan, cl_uint k) {
    return k == 2 ? &plan->limits_of_sums : &plan->limits;
}

/* Looks for the first row of matrix k that has an element beyond the limits. */
static clprims_status find_beyond(const clprims_mpi_minplus *plan, const clp_mpi_operand *o,
                                  cl_uint k) {
    const clprims_mpi *mpi = plan->grid.head.mpi;
    const clp_minplus_limits *limits = limits_of(plan, k);
    if (o->rows == 0 || o->columns == 0) return CLPRIMS_OK;
    return CLP_MPI_LAUNCH_CELLS(mpi, mpi->queue, plan->beyond, o->rows, o->columns,
                                CLP_MPI_MATRIX(o->at), CLP_MPI_LONG(o->rows),
                                CLP_MPI_LONG(o->columns), CLP_MPI_LONG(limits->least),
                                CLP_MPI_LONG(limits->most), CLP_MPI_LONG(limits->no_edge),
                                CLP_MPI_VALUE(plan->lowest), CLP_MPI_VALUE(k));
}

/* Names the first element of a row that is beyond the limits. values: room for the row. */
static clprims_status name_element(const run *r, const clp_mpi_operand *o, cl_uint k, cl_uint row,
                                   void *values) {
    const clp_minplus_limits *limits = limits_of(r->plan, k);
    const size_t at = o->at.first + row * o->at.ld, bytes = o->element_bytes;
    CLP_MPI_TRY(
        clp_mpi_read(r->plan->grid.head.mpi, o->at.mem, at * bytes, o->columns * bytes, values));
    for (size_t j = 0; j < o->columns; j++) {
        const int64_t value = bytes == 8 ? ((int64_t *)values)[j] : ((int32_t *)values)[j];
        if (clp_minplus_is_within(limits, value)) continue;
        return clp_mpi_fail(CLPRIMS_ERR_DATA,
                            "mpi_minplus: %s(%" PRIu32 ", %zu) of the block is %" PRId64
                            "; lengths are from "
                            "%" PRId64 " to %" PRId64 ", and no edge is %" PRId64,
                            o->name, row, j, value, limits->least, limits->most, limits->no_edge);
    }
    return CLPRIMS_OK;
}

/* DATA for an element of this rank's blocks beyond the limits, which products would clamp. own: the
 * call's memory. */
static clprims_status check_values(const run *r, clp_mpi_plan *own) {
    const clprims_mpi_minplus *plan = r->plan;
    const clprims_mpi_minplus_size *size = &r->size;
    const size_t element = plan->grid.element;
    const clp_mpi_operand read[MOST_READ] = {
        {"a", r->a, size->m, size->a_columns, element},
        {"b", r->b, size->b_rows, size->n, element},
        {"c", r->c, plan->accumulates ? size->m : 0, size->n, element}};
    cl_uint lowest[MOST_READ] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    CLP_MPI_TRY(clp_mpi_write(own->mpi, plan->lowest, 0, sizeof lowest, lowest));
    for (cl_uint k = 0; k < MOST_READ; k++) CLP_MPI_TRY(find_beyond(plan, &read[k], k));
    CLP_MPI_TRY(clp_mpi_read(own->mpi, plan->lowest, 0, sizeof lowest, lowest));
    for (cl_uint k = 0; k < MOST_READ; k++) {
        void *values;
        if (lowest[k] == UINT32_MAX) continue;
        CLP_MPI_TRY(clp_mpi_plan_host(own, read[k].columns, element, &values));
        return name_element(r, &read[k], k, lowest[k], values);
    }
    return CLPRIMS_OK;
}

clprims_status clprims_mpi_minplus_run(clprims_mpi_minplus *minplus, clprims_matrix a,
                                       clprims_matrix b, clprims_matrix c, clprims_matrix argmin,
                                       clprims_mpi_minplus_size size) {
    CLP_MPI_TRY(clp_mpi_plan_enter(minplus, "mpi_minplus", "minplus"));
    clprims_mpi *mpi = minplus->grid.head.mpi;
    clp_mpi_plan own = {.mpi = mpi};
    run r = {.plan = minplus, .a = a, .b = b, .c = c, .best = argmin, .size = size};
    CLP_MPI_TRY(find_strips(&r, check(&r)));
    if (minplus->limited) {
        r.status = clp_mpi_agree(mpi, check_values(&r, &own));
        clp_mpi_plan_release(&own);
        if (r.status != CLPRIMS_OK) return r.status;
    }
    run_all(&r);
    return clp_mpi_agree(mpi, r.status);
}
