/* SPDX-License-Identifier: MIT */
/*
 * Min-plus products over a grid of ranks. Panel by panel, A's next columns go along the rows of the
 * grid and B's next rows along its columns, while each rank multiplies the panels before and folds
 * the product into its block of C.
 */
#include "minplus/minplus_limits.h"
#include "mpi/grid/mpi_grid.h"

#include <inttypes.h>
#include <stdlib.h>

/* What a run reads: a, b and, accumulating, c. */
enum { MOST_READ = 3 };

struct clprims_mpi_minplus {
    clprims_mpi *mpi;
    size_t element; /* bytes */
    bool accumulates, chooses;
    bool limited; /* integers with limits */
    clp_minplus_limits limits, limits_of_sums; /* of a and b, and of c */
    size_t max_m, max_n; /* of this rank's block of C */
    size_t width; /* of a panel, at most */
    clprims_minplus *first; /* of the first panel; NULL if C is accumulated to */
    clprims_minplus *next;
    clp_mpi_copier copier;
    cl_kernel choose; /* with argmin */
    cl_kernel beyond; /* with limits */
    cl_command_queue behind; /* of products */
    cl_mem panels[2]; /* that of A's columns, and that of B's rows behind it */
    cl_mem chosen;
    size_t chosen_elements;
    cl_mem lowest; /* a row of each matrix that is read */
    clp_mpi_routes routes;
    uint64_t *a_starts, *b_starts; /* strips of k, one allocation with what follows */
    uint64_t *starts; /* of rows or columns, of no use but to compare them */
};

/* ---- Create ---- */

static clprims_status create_products(clprims_mpi_minplus *plan, const clprims_minplus_desc *desc) {
    clprims_minplus_desc own = *desc;
    own.max.m = plan->max_m > 0 ? plan->max_m : 1;
    own.max.n = plan->max_n > 0 ? plan->max_n : 1;
    own.max.k = plan->width;
    own.max.batch = 1;
    if (!plan->accumulates) {
        CLP_MPI_TRY(clp_mpi_core(clprims_minplus_create(&plan->first, plan->mpi->context, &own)));
    }
    own.accumulate = 1;
    return clp_mpi_core(clprims_minplus_create(&plan->next, plan->mpi->context, &own));
}

static clprims_status create_buffers(clprims_mpi_minplus *plan) {
    const clprims_mpi *mpi = plan->mpi;
    const size_t lengths = (plan->max_m + plan->max_n) * plan->width;
    for (size_t k = 0; k < 2; k++) {
        CLP_MPI_TRY(
            clp_mpi_buffer_create(mpi, "mpi_minplus", lengths * plan->element, &plan->panels[k]));
    }
    if (plan->limited) {
        CLP_MPI_TRY(
            clp_mpi_buffer_create(mpi, "mpi_minplus", MOST_READ * sizeof(cl_uint), &plan->lowest));
    }
    if (!plan->chooses) return CLPRIMS_OK;
    plan->chosen_elements = clp_mpi_chosen_elements(plan->max_m, plan->max_n);
    return clp_mpi_buffer_create(mpi, "mpi_minplus", plan->chosen_elements * sizeof(cl_int),
                                 &plan->chosen);
}

static clprims_status submit_choose(const clprims_mpi_minplus *plan, clprims_matrix best,
                                    size_t begin, size_t rows, size_t columns, bool warms_up) {
    const cl_ulong first = best.first, ld = best.ld, down = rows, across = columns;
    const cl_int start = (cl_int)begin;
    const clp_mpi_argument arguments[] = {CLP_MPI_ARGUMENT(plan->chosen), CLP_MPI_ARGUMENT(start),
                                          CLP_MPI_ARGUMENT(best.mem),     CLP_MPI_ARGUMENT(first),
                                          CLP_MPI_ARGUMENT(ld),           CLP_MPI_ARGUMENT(down),
                                          CLP_MPI_ARGUMENT(across)};
    return clp_mpi_launch_cells("mpi_minplus", warms_up ? plan->mpi->queue : plan->behind,
                                plan->choose, arguments, 7, rows, columns, warms_up);
}

static const clp_minplus_limits *limits_of(const clprims_mpi_minplus *plan, cl_uint k) {
    return k == 2 ? &plan->limits_of_sums : &plan->limits;
}

/* Looks for the first row of matrix k that has an element beyond the limits. */
static clprims_status submit_beyond(const clprims_mpi_minplus *plan, clprims_matrix from, cl_uint k,
                                    size_t rows, size_t columns, bool warms_up) {
    const clp_minplus_limits *limits = limits_of(plan, k);
    const cl_ulong first = from.first, ld = from.ld, down = rows, across = columns;
    const cl_long least = limits->least, most = limits->most, no_edge = limits->no_edge;
    const clp_mpi_argument arguments[] = {CLP_MPI_ARGUMENT(from.mem),     CLP_MPI_ARGUMENT(first),
                                          CLP_MPI_ARGUMENT(ld),           CLP_MPI_ARGUMENT(down),
                                          CLP_MPI_ARGUMENT(across),       CLP_MPI_ARGUMENT(least),
                                          CLP_MPI_ARGUMENT(most),         CLP_MPI_ARGUMENT(no_edge),
                                          CLP_MPI_ARGUMENT(plan->lowest), CLP_MPI_ARGUMENT(k)};
    return clp_mpi_launch_cells("mpi_minplus", plan->mpi->queue, plan->beyond, arguments, 10, rows,
                                columns, warms_up);
}

static clprims_status create_kernels(clprims_mpi_minplus *plan) {
    const clprims_matrix from = {plan->panels[0], 0, 0, 0}, to = {plan->panels[1], 0, 0, 0};
    CLP_MPI_TRY(clp_mpi_copier_create(plan->mpi, "mpi_minplus", plan->element, &plan->copier));
    CLP_MPI_TRY(clp_mpi_copy_part(&plan->copier, "mpi_minplus", from, to, 0, 0, true));
    if (plan->chooses) {
        CLP_MPI_TRY(clp_mpi_kernel_create(plan->mpi, "mpi_minplus", "parts.cl", "clp_mpi_choose",
                                          &plan->choose));
        CLP_MPI_TRY(submit_choose(plan, to, 0, 0, 0, true));
    }
    if (plan->limited) {
        const char *name = plan->element == 8 ? "clp_mpi_beyond_long" : "clp_mpi_beyond_int";
        CLP_MPI_TRY(
            clp_mpi_kernel_create(plan->mpi, "mpi_minplus", "parts.cl", name, &plan->beyond));
        CLP_MPI_TRY(submit_beyond(plan, from, 0, 0, 0, true));
    }
    return clp_mpi_finish(plan->mpi, "mpi_minplus");
}

static clprims_status create_rest(clprims_mpi_minplus *plan) {
    cl_int code;
    CLP_MPI_TRY(clp_mpi_routes_create(plan->mpi, "mpi_minplus", &plan->routes));
    const size_t most = (size_t)plan->mpi->ranks + 1; /* strips of any kind, and the end */
    plan->a_starts = calloc(3 * most, sizeof *plan->a_starts);
    if (plan->a_starts == NULL) {
        return clp_mpi_fail(CLPRIMS_ERR_HOST_MEMORY, "mpi_minplus: no host memory");
    }
    plan->b_starts = plan->a_starts + most;
    plan->starts = plan->b_starts + most;
    plan->behind = clCreateCommandQueue(plan->mpi->cl, plan->mpi->device, 0, &code);
    if (code == CL_SUCCESS) return CLPRIMS_OK;
    return clp_mpi_fail_cl(code, "mpi_minplus: no queue");
}

static clprims_status create(clprims_mpi_minplus **out, clprims_mpi *mpi,
                             const clprims_minplus_desc *desc) {
    const clp_mpi_limits *limits = &clp_mpi_limits_now;
    if (out == NULL) return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_minplus: out is NULL");
    *out = NULL;
    CLP_MPI_TRY(CLP_MPI_CHECK_STRUCT("mpi_minplus", desc, "CLPRIMS_MINPLUS_DESC_INIT"));
    if (desc->max.m > INT32_MAX || desc->max.n > INT32_MAX) {
        return clp_mpi_fail(CLPRIMS_ERR_TOO_LARGE,
                            "mpi_minplus: max.m = %zu and max.n = %zu; at most %d each",
                            desc->max.m, desc->max.n, INT32_MAX);
    }
    clprims_mpi_minplus *plan = calloc(1, sizeof *plan);
    if (plan == NULL) {
        return clp_mpi_fail(CLPRIMS_ERR_HOST_MEMORY, "mpi_minplus: no host memory for a plan");
    }
    *out = plan;
    plan->mpi = mpi;
    plan->element = clprims_type_bytes(desc->type);
    plan->accumulates = desc->accumulate != 0;
    plan->chooses = desc->argmin != 0;
    plan->limited = clp_minplus_is_limited(desc->type, desc->semiring);
    if (plan->limited) {
        plan->limits =
            clp_minplus_limits_of(desc->type, desc->semiring,
                                  clp_minplus_no_edge(desc->type, desc->semiring, desc->no_edge));
        plan->limits_of_sums = clp_minplus_limits_of_sums(desc->semiring, plan->limits);
    }
    plan->max_m = desc->max.m;
    plan->max_n = desc->max.n;
    plan->width = plan->element > 0 ? CLP_MPI_PANEL_BYTES / plan->element : 1;
    if (limits->width > 0 && limits->width < plan->width) plan->width = limits->width;
    CLP_MPI_TRY(create_products(plan, desc));
    CLP_MPI_TRY(create_buffers(plan));
    CLP_MPI_TRY(create_kernels(plan));
    return create_rest(plan);
}

clprims_status clprims_mpi_minplus_create(clprims_mpi_minplus **out, clprims_mpi *mpi,
                                          const clprims_minplus_desc *desc) {
    clp_mpi_clear_error();
    if (mpi == NULL) return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_minplus: mpi is NULL");
    clprims_status status = create(out, mpi, desc);
    status = clp_mpi_same(mpi, status, "mpi_minplus",
                          status == CLPRIMS_OK ? clp_mpi_digest_minplus(desc) : 0);
    if (status != CLPRIMS_OK && out != NULL) {
        clprims_mpi_minplus_destroy(*out);
        *out = NULL;
    }
    return status;
}

void clprims_mpi_minplus_destroy(clprims_mpi_minplus *plan) {
    if (plan == NULL) return;
    clprims_minplus_destroy(plan->first);
    clprims_minplus_destroy(plan->next);
    clp_mpi_copier_release(&plan->copier);
    clp_mpi_routes_release(&plan->routes);
    if (plan->choose != NULL) clReleaseKernel(plan->choose);
    if (plan->beyond != NULL) clReleaseKernel(plan->beyond);
    if (plan->behind != NULL) clReleaseCommandQueue(plan->behind);
    for (size_t k = 0; k < 2; k++) {
        if (plan->panels[k] != NULL) clReleaseMemObject(plan->panels[k]);
    }
    if (plan->chosen != NULL) clReleaseMemObject(plan->chosen);
    if (plan->lowest != NULL) clReleaseMemObject(plan->lowest);
    free(plan->a_starts);
    free(plan);
}

/* ---- A run on this rank ---- */

/* It goes on after a failure, without the device, until the ranks agree. */
typedef struct run {
    clprims_mpi_minplus *plan;
    clprims_matrix a, b, c, best;
    clprims_mpi_minplus_size size;
    uint64_t k; /* columns of A in all */
    clprims_status status;
} run;

/* The k of a panel lie in one strip of A's columns and one of B's rows. */
typedef struct panel {
    uint64_t begin;
    size_t size; /* 0: there is none */
    int column, row; /* those strips */
} panel;

static void keep(run *r, clprims_status status) {
    if (r->status == CLPRIMS_OK) r->status = status;
}

static panel panel_at(const run *r, uint64_t begin) {
    const clprims_mpi_minplus *plan = r->plan;
    panel p = {begin, 0, -1, -1};
    if (begin >= r->k) return p;
    p.column = clp_mpi_strip_of(plan->a_starts, begin);
    p.row = clp_mpi_strip_of(plan->b_starts, begin);
    uint64_t end = begin + plan->width;
    if (end > plan->a_starts[p.column + 1]) end = plan->a_starts[p.column + 1];
    if (end > plan->b_starts[p.row + 1]) end = plan->b_starts[p.row + 1];
    p.size = (size_t)(end - begin);
    return p;
}

/* Where a panel of B's rows begins in its buffer. */
static size_t rows_first(const clprims_mpi_minplus *plan) {
    return plan->max_m * plan->width;
}

/* Copies this rank's part of the panels, and sends both to the ranks that lack them. */
static void take_and_send(run *r, const panel *p, cl_mem mem) {
    const clprims_mpi_minplus *plan = r->plan;
    const clprims_mpi_grid *grid = &plan->routes.grid;
    const clprims_matrix columns = {mem, 0, p->size, 0};
    const clprims_matrix rows = {mem, rows_first(plan), r->size.n, 0};
    if (r->status == CLPRIMS_OK && grid->column == p->column) {
        const size_t at = (size_t)(p->begin - plan->a_starts[p->column]);
        keep(r, clp_mpi_copy_part(&plan->copier, "mpi_minplus", clp_mpi_part(r->a, 0, at), columns,
                                  r->size.m, p->size, false));
    }
    if (r->status == CLPRIMS_OK && grid->row == p->row) {
        const size_t at = (size_t)(p->begin - plan->b_starts[p->row]);
        keep(r, clp_mpi_copy_part(&plan->copier, "mpi_minplus", clp_mpi_part(r->b, at, 0), rows,
                                  p->size, r->size.n, false));
    }
    keep(r, clp_mpi_finish(plan->mpi, "mpi_minplus"));
    clp_mpi_routes_clear(&plan->routes);
    clp_mpi_route_across(&plan->routes, p->column, 0, r->size.m * p->size);
    clp_mpi_route_down(&plan->routes, p->row, rows.first, p->size * r->size.n);
    keep(r, clp_mpi_route(plan->mpi, "mpi_minplus", &plan->routes, mem, plan->element));
}

/* Rows [row, row + rows) of C. */
static clprims_status multiply_rows(const run *r, const panel *p, cl_mem mem, size_t row,
                                    size_t rows) {
    const clprims_mpi_minplus *plan = r->plan;
    const size_t n = r->size.n;
    const clprims_matrix a = {mem, row * p->size, p->size, 0};
    const clprims_matrix b = {mem, rows_first(plan), n, 0};
    const clprims_matrix c = clp_mpi_part(r->c, row, 0), best = clp_mpi_part(r->best, row, 0);
    const clprims_minplus_size size = {rows, n, p->size, 1};
    const bool chooses = plan->chooses && p->begin > 0;
    const clprims_matrix chosen = {plan->chosen, 0, n, 0};
    const cl_int none = -1;
    if (chooses) {
        const cl_int code = clEnqueueFillBuffer(plan->behind, plan->chosen, &none, sizeof none, 0,
                                                rows * n * sizeof none, 0, NULL, NULL);
        if (code != CL_SUCCESS) return clp_mpi_fail_cl(code, "mpi_minplus: no fill");
    }
    CLP_MPI_TRY(clp_mpi_core(clprims_minplus_enqueue(
        p->begin == 0 && !plan->accumulates ? plan->first : plan->next, plan->behind, a, b, c,
        chooses ? chosen : best, size, 0, NULL, NULL)));
    return chooses ? submit_choose(plan, best, (size_t)p->begin, rows, n, false) : CLPRIMS_OK;
}

static void multiply(run *r, const panel *p, cl_mem mem) {
    const clprims_mpi_minplus *plan = r->plan;
    const size_t m = r->size.m, n = r->size.n;
    if (m == 0 || n == 0) return;
    const size_t most = plan->chooses && p->begin > 0 ? plan->chosen_elements / n : m;
    for (size_t row = 0; row < m && r->status == CLPRIMS_OK; row += most) {
        r->status = multiply_rows(r, p, mem, row, m - row < most ? m - row : most);
    }
    clFlush(plan->behind);
}

static void run_all(run *r) {
    const clprims_mpi_minplus *plan = r->plan;
    panel now = panel_at(r, 0);
    size_t turn = 0;
    if (now.size > 0) take_and_send(r, &now, plan->panels[turn]);
    do { /* without any k there is a product, too, whose elements are no edge */
        const panel next = panel_at(r, now.begin + now.size);
        multiply(r, &now, plan->panels[turn]);
        turn ^= 1;
        if (next.size > 0) take_and_send(r, &next, plan->panels[turn]);
        const cl_int code = clFinish(plan->behind);
        if (code != CL_SUCCESS) keep(r, clp_mpi_fail_cl(code, "mpi_minplus: a kernel failed"));
        now = next;
    } while (now.size > 0);
}

/* ---- Checks ---- */

static clprims_status check(const run *r) {
    const clprims_mpi_minplus *plan = r->plan;
    const clprims_mpi_minplus_size *size = &r->size;
    const clp_mpi_operand c = {"c", r->c, size->m, size->n, plan->element};
    const clp_mpi_operand others[] = {
        {"a", r->a, size->m, size->a_columns, plan->element},
        {"b", r->b, size->b_rows, size->n, plan->element},
        {"argmin", r->best, size->m, plan->chooses ? size->n : 0, sizeof(cl_int)}};
    if (size->m > plan->max_m || size->n > plan->max_n) {
        return clp_mpi_fail(
            CLPRIMS_ERR_TOO_LARGE, "mpi_minplus: %s = %zu exceeds max.%s = %zu",
            size->m > plan->max_m ? "m" : "n", size->m > plan->max_m ? size->m : size->n,
            size->m > plan->max_m ? "m" : "n", size->m > plan->max_m ? plan->max_m : plan->max_n);
    }
    if (!plan->chooses && r->best.mem != NULL) {
        return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT,
                            "mpi_minplus: argmin.mem is not NULL, but the plan was made without "
                            "argmin");
    }
    CLP_MPI_TRY(clp_mpi_check_operand(plan->mpi, "mpi_minplus", &c));
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        CLP_MPI_TRY(clp_mpi_check_operand(plan->mpi, "mpi_minplus", &others[k]));
        CLP_MPI_TRY(clp_mpi_check_disjoint("mpi_minplus", &c, &others[k]));
        if (k == 2) continue;
        CLP_MPI_TRY(clp_mpi_check_disjoint("mpi_minplus", &others[2], &others[k]));
    }
    return clp_mpi_begin(plan->mpi, "mpi_minplus");
}

/* Collective: blocks of one strip are alike, and A has as many columns as B has rows. */
static clprims_status find_strips(run *r, clprims_status status) {
    const clprims_mpi_minplus *plan = r->plan;
    const clprims_mpi *mpi = plan->mpi;
    const clprims_mpi_grid *grid = &plan->routes.grid;
    CLP_MPI_TRY(clp_mpi_strips(mpi, "mpi_minplus", status, "rows of A and C", true, r->size.m,
                               plan->starts));
    CLP_MPI_TRY(clp_mpi_strips(mpi, "mpi_minplus", CLPRIMS_OK, "columns of B and C", false,
                               r->size.n, plan->starts));
    CLP_MPI_TRY(clp_mpi_strips(mpi, "mpi_minplus", CLPRIMS_OK, "columns of A", false,
                               r->size.a_columns, plan->a_starts));
    CLP_MPI_TRY(clp_mpi_strips(mpi, "mpi_minplus", CLPRIMS_OK, "rows of B", true, r->size.b_rows,
                               plan->b_starts));
    r->k = plan->a_starts[grid->columns];
    const uint64_t rows = plan->b_starts[grid->rows];
    if (r->k != rows) {
        status = clp_mpi_fail(CLPRIMS_ERR_ARGUMENT,
                              "mpi_minplus: A has %" PRIu64 " columns in all, and B %" PRIu64
                              " rows; they must be as many",
                              r->k, rows);
    }
    return clp_mpi_agree(mpi, status);
}

/* Names the first element of a row that is beyond the limits. */
static clprims_status name_element(const run *r, const clp_mpi_operand *o, cl_uint k, cl_uint row) {
    const clprims_mpi_minplus *plan = r->plan;
    const clp_minplus_limits *limits = limits_of(plan, k);
    void *const values = malloc(o->columns * plan->element);
    clprims_status status = CLPRIMS_OK;
    if (values == NULL) {
        return clp_mpi_fail(CLPRIMS_ERR_HOST_MEMORY, "mpi_minplus: no host memory for %zu elements",
                            o->columns);
    }
    const size_t at = o->at.first + row * o->at.ld;
    status = clp_mpi_read(plan->mpi, "mpi_minplus", o->at.mem, at * plan->element,
                          o->columns * plan->element, values);
    for (size_t j = 0; j < o->columns && status == CLPRIMS_OK; j++) {
        const int64_t value =
            plan->element == 8 ? ((const int64_t *)values)[j] : ((const int32_t *)values)[j];
        if (clp_minplus_is_within(limits, value)) continue;
        status =
            clp_mpi_fail(CLPRIMS_ERR_DATA,
                         "mpi_minplus: %s(%" PRIu32 ", %zu) of the block is %" PRId64
                         "; lengths are from %" PRId64 " to %" PRId64 ", and no edge is %" PRId64,
                         o->name, row, j, value, limits->least, limits->most, limits->no_edge);
    }
    free(values);
    return status;
}

/* DATA for an element of this rank's blocks beyond the limits, which products would clamp. */
static clprims_status check_values(const run *r) {
    const clprims_mpi_minplus *plan = r->plan;
    const clprims_mpi_minplus_size *size = &r->size;
    const clp_mpi_operand read[MOST_READ] = {
        {"a", r->a, size->m, size->a_columns, plan->element},
        {"b", r->b, size->b_rows, size->n, plan->element},
        {"c", r->c, plan->accumulates ? size->m : 0, size->n, plan->element}};
    cl_uint lowest[MOST_READ] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    CLP_MPI_TRY(clp_mpi_write(plan->mpi, "mpi_minplus", plan->lowest, 0, sizeof lowest, lowest));
    for (cl_uint k = 0; k < MOST_READ; k++) {
        if (read[k].rows == 0 || read[k].columns == 0) continue;
        CLP_MPI_TRY(submit_beyond(plan, read[k].at, k, read[k].rows, read[k].columns, false));
    }
    CLP_MPI_TRY(clp_mpi_read(plan->mpi, "mpi_minplus", plan->lowest, 0, sizeof lowest, lowest));
    for (cl_uint k = 0; k < MOST_READ; k++) {
        if (lowest[k] != UINT32_MAX) return name_element(r, &read[k], k, lowest[k]);
    }
    return CLPRIMS_OK;
}

clprims_status clprims_mpi_minplus_run(clprims_mpi_minplus *minplus, clprims_matrix a,
                                       clprims_matrix b, clprims_matrix c, clprims_matrix argmin,
                                       clprims_mpi_minplus_size size) {
    clp_mpi_clear_error();
    if (minplus == NULL) {
        return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_minplus: minplus is NULL");
    }
    run r = {.plan = minplus, .a = a, .b = b, .c = c, .best = argmin, .size = size};
    CLP_MPI_TRY(find_strips(&r, check(&r)));
    if (minplus->limited) CLP_MPI_TRY(clp_mpi_agree(minplus->mpi, check_values(&r)));
    run_all(&r);
    return clp_mpi_agree(minplus->mpi, r.status);
}
