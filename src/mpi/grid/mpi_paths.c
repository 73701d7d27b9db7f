/* SPDX-License-Identifier: MIT */
/* All-pairs shortest paths over ranks: plans and checks. */
#include "mpi/grid/mpi_paths.h"

#include <inttypes.h>
#include <stdio.h>

/* Vertices of a round with predecessors, whose rows are relaxed vertex by vertex. */
enum { ROUND_WITH_PREDECESSORS = 64 };

/* ---- The plan ---- */

static clprims_status take_no_edge(clprims_mpi_paths *paths, const clprims_paths_desc *desc) {
    if (!paths->limited) return CLPRIMS_OK;
    const int64_t own = clp_minplus_no_edge(desc->type, CLPRIMS_MIN_PLUS, NULL);
    const int64_t given = clp_minplus_no_edge(desc->type, CLPRIMS_MIN_PLUS, desc->no_edge);
    CLP_MPI_FAIL_IF(given <= 0, CLPRIMS_ERR_ARGUMENT,
                    "mpi_paths: no_edge = %" PRId64 "; it must be above 0", given);
    paths->limits = clp_minplus_limits_of(desc->type, CLPRIMS_MIN_PLUS, own);
    if (paths->limits.most >= given) paths->limits.most = given - 1;
    paths->limits.no_edge = given;
    return CLPRIMS_OK;
}

static clprims_status take_desc(clprims_mpi_paths *paths, const clprims_paths_desc *desc) {
    clp_mpi_grid_plan *grid = &paths->grid;
    CLP_MPI_TRY(clp_mpi_check_most(grid->head.mpi, "max_n", desc->max_n, "2^31 - 1", INT32_MAX));
    paths->limited = clp_minplus_is_limited(desc->type, CLPRIMS_MIN_PLUS);
    grid->element = clprims_type_bytes(desc->type);
    grid->chooses = desc->predecessors != 0;
    grid->max_rows = grid->max_columns = desc->max_n;
    clp_mpi_grid_choose_width(grid, grid->chooses ? ROUND_WITH_PREDECESSORS : 0);
    return take_no_edge(paths, desc);
}

static clprims_status create_product(clprims_mpi_paths *paths, const clprims_paths_desc *desc) {
    const size_t width = paths->grid.width, most = desc->max_n > width ? desc->max_n : width;
    clprims_minplus_desc own = {0};
    own.type = desc->type;
    own.accumulate = 1;
    own.argmin = paths->grid.chooses;
    /* Within, "no edge" is the type's own; start and finish convert it. */
    own.no_edge = paths->limited ? NULL : desc->no_edge;
    own.tuning = desc->tuning;
    own.max_n = most;
    own.max = (clprims_minplus_sizes){most, width, 1};
    return CLP_MPI_CORE(&paths->grid.head, minplus, &paths->product, &own);
}

static void write_definitions(const clprims_mpi_paths *paths, char *text, size_t bytes) {
    const bool wide = paths->grid.element == 8;
    const char *type = paths->limited ? (wide ? "long" : "int") : (wide ? "double" : "float");
    if (paths->limited) {
        snprintf(text, bytes,
                 "#define CLP_T %s\n#define CLP_LIMITED 1\n#define CLP_NO_EDGE ((CLP_T)(%" PRId64
                 "L))\n#define CLP_GIVEN_NO_EDGE ((CLP_T)(%" PRId64
                 "L))\n#define CLP_LEAST ((CLP_T)(%" PRId64
                 "L))\n#define CLP_MOST ((CLP_T)(%" PRId64 "L))\n",
                 type, wide ? INT64_MAX / 2 : (int64_t)(INT32_MAX / 2), paths->limits.no_edge,
                 paths->limits.least, paths->limits.most);
        return;
    }
    snprintf(text, bytes,
             "%s#define CLP_T %s\n#define CLP_LIMITED 0\n#define CLP_NO_EDGE INFINITY\n",
             wide ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "", type);
}

static clprims_status create_kernels(clprims_mpi_paths *paths) {
    const bool chooses = paths->grid.chooses;
    const clp_mpi_kernel kernels[CLP_MPI_PATHS_KERNELS] = {
        [CLP_MPI_PATHS_START] = {"clp_mpi_paths_start", "bllblliiiiib"},
        [CLP_MPI_PATHS_FINISH] = {paths->limited ? "clp_mpi_paths_finish" : NULL, "blliib"},
        [CLP_MPI_PATHS_DIAGONAL] = {"clp_mpi_paths_diagonal", "bllib"},
        [CLP_MPI_PATHS_STEP] = {chooses ? "clp_mpi_paths_step" : NULL, "blbiibii"},
        [CLP_MPI_PATHS_FOLLOW] = {chooses ? "clp_mpi_paths_follow" : NULL, "bbllbllii"}};
    char definitions[512];
    write_definitions(paths, definitions, sizeof definitions);
    return clp_mpi_plan_kernels(&paths->grid.head, definitions, "paths.cl", kernels,
                                CLP_MPI_PATHS_KERNELS, paths->kernels);
}

static clprims_status create_buffers(clprims_mpi_paths *paths) {
    const clp_mpi_grid_plan *grid = &paths->grid;
    clp_mpi_plan *head = &paths->grid.head;
    const size_t square = grid->width * grid->width * grid->element, rows = grid->max_rows;
    for (size_t k = 0; k < CLP_MPI_SQUARES; k++) {
        CLP_MPI_TRY(clp_mpi_plan_buffer(head, square, &paths->squares[k]));
    }
    CLP_MPI_TRY(clp_mpi_plan_buffer(head, rows * sizeof(cl_uint), &paths->beyond));
    CLP_MPI_TRY(clp_mpi_plan_host(head, rows, sizeof(cl_uint), &paths->found));
    CLP_MPI_TRY(clp_mpi_plan_buffer(head, sizeof(cl_uint), &paths->lowest));
    if (!grid->chooses) return CLPRIMS_OK;
    for (size_t k = 0; k < 2; k++) {
        const size_t bytes = grid->width * grid->max_columns * sizeof(cl_int);
        CLP_MPI_TRY(clp_mpi_plan_buffer(head, bytes, &paths->via_panels[k]));
    }
    return clp_mpi_copier_create(head, sizeof(cl_int), &paths->vertices);
}

/* One rank has the whole matrix, which the core closes. */
static clprims_status create_single(clprims_mpi_paths *paths, const clprims_paths_desc *desc) {
    clp_mpi_plan *head = &paths->grid.head;
    clprims_paths_desc own = *desc;
    if (own.max_n == 0) own.max_n = 1;
    CLP_MPI_TRY(CLP_MPI_CORE(head, paths, &paths->single, &own));
    return clp_mpi_plan_buffer(head, sizeof(clprims_paths_report), &paths->report);
}

static clprims_status fill(clp_mpi_plan *head, const void *description) {
    clprims_mpi_paths *paths = (clprims_mpi_paths *)head;
    clprims_paths_desc own = *(const clprims_paths_desc *)description;
    const clprims_paths_desc *desc = &own;
    if (own.type == CLPRIMS_TYPE_DEFAULT) own.type = CLPRIMS_F32;
    CLP_MPI_TRY(take_desc(paths, desc));
    CLP_MPI_TRY(clp_mpi_grid_fill(&paths->grid));
    if (head->mpi->ranks > 1) {
        CLP_MPI_TRY(create_product(paths, desc));
        CLP_MPI_TRY(create_kernels(paths));
        CLP_MPI_TRY(create_buffers(paths));
        CLP_MPI_TRY(clp_mpi_grid_allocate(&paths->grid));
    } else {
        CLP_MPI_TRY(create_single(paths, desc));
    }
    head->digest = clp_mpi_digest_paths(desc);
    return CLPRIMS_OK;
}

CLP_MPI_PLAN_CREATE(paths, fill, NULL)

/* ---- Run ---- */

static clprims_status check(const clprims_mpi_paths *paths, clprims_matrix d, clprims_matrix via,
                            size_t rows, size_t columns) {
    const clp_mpi_grid_plan *grid = &paths->grid;
    const clprims_mpi *mpi = grid->head.mpi;
    const clp_mpi_operand lengths = {"d", d, rows, columns, grid->element};
    const clp_mpi_operand vertices = {"via", via, rows, columns, sizeof(cl_int)};
    CLP_MPI_TRY(clp_mpi_check_most(mpi, "rows", rows, "max_n", grid->max_rows));
    CLP_MPI_TRY(clp_mpi_check_most(mpi, "columns", columns, "max_n", grid->max_columns));
    CLP_MPI_TRY(clp_mpi_check_operand(mpi, &lengths));
    if (grid->chooses) {
        CLP_MPI_TRY(clp_mpi_check_operand(mpi, &vertices));
        CLP_MPI_TRY(clp_mpi_check_disjoint(mpi, &lengths, &vertices));
    } else if (via.mem != NULL) {
        return clp_mpi_fail(
            CLPRIMS_ERR_ARGUMENT,
            "mpi_paths: via.mem is not NULL, but the plan was made without predecessors");
    }
    return clp_mpi_begin(mpi);
}

static clprims_status check_square(uint64_t rows, uint64_t columns) {
    if (rows == columns) return CLPRIMS_OK;
    return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT,
                        "mpi_paths: the blocks of all ranks have %" PRIu64 " rows and %" PRIu64
                        " columns; they must be as many",
                        rows, columns);
}

/* Closing diagonal blocks by squaring is little work only beside many rounds. */
static size_t width_of(const clprims_mpi_paths *paths, uint64_t n) {
    const uint64_t least = 64, rounds = 16, wanted = n / rounds / least * least + least;
    return wanted < paths->grid.width ? (size_t)wanted : paths->grid.width;
}

static clprims_status run_single(const clprims_mpi_paths *paths, clprims_matrix d,
                                 clprims_matrix via, size_t n) {
    const clprims_mpi *mpi = paths->grid.head.mpi;
    const clprims_paths_buffers buffers = {d, via, {paths->report, 0}};
    clprims_paths_report report;
    CLP_MPI_TRY(CLP_MPI_ENQUEUE(paths, mpi, paths->single, n, &buffers));
    CLP_MPI_TRY(clp_mpi_read(mpi, paths->report, 0, sizeof report, &report));
    return clp_mpi_core(clprims_paths_check(&report));
}

clprims_status clprims_mpi_paths_run(clprims_mpi_paths *paths, clprims_matrix d, clprims_matrix via,
                                     size_t rows, size_t columns) {
    CLP_MPI_TRY(clp_mpi_plan_enter(paths, "mpi_paths", "paths"));
    const clp_mpi_grid_plan *plan = &paths->grid;
    const clprims_mpi_grid *grid = &plan->grid;
    const clprims_mpi *mpi = plan->head.mpi;
    const clprims_status status = check(paths, d, via, rows, columns);
    CLP_MPI_TRY(clp_mpi_strips(plan, status, "rows", true, rows, plan->row_starts));
    CLP_MPI_TRY(clp_mpi_strips(plan, CLPRIMS_OK, "columns", false, columns, plan->column_starts));
    const uint64_t n = plan->row_starts[grid->rows];
    CLP_MPI_TRY(clp_mpi_agree(mpi, check_square(n, plan->column_starts[grid->columns])));
    if (mpi->ranks == 1) return clp_mpi_agree(mpi, run_single(paths, d, via, rows));
    clp_mpi_paths_run r = {.paths = paths,
                           .d = d,
                           .via = via,
                           .rows = rows,
                           .columns = columns,
                           .row = plan->row_starts[grid->row],
                           .column = plan->column_starts[grid->column],
                           .n = n,
                           .width = width_of(paths, n),
                           .cycle = INT64_MAX};
    CLP_MPI_TRY(clp_mpi_paths_begin(&r));
    clp_mpi_paths_close(&r);
    return clp_mpi_paths_end(&r);
}
