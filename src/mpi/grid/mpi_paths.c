/* SPDX-License-Identifier: MIT */
/* All-pairs shortest paths over ranks: plans and checks. */
#include "mpi/grid/mpi_paths.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    /* Bytes of a row of a round's square, from which products are as fast as with any depth. */
    ROUND_BYTES = 2048,
    /* With predecessors the rows of a round are relaxed vertex by vertex. */
    ROUND_WITH_PREDECESSORS = 64
};

/* ---- Create ---- */

static clprims_status take_no_edge(clprims_mpi_paths *paths, const clprims_paths_desc *desc) {
    if (!paths->limited) return CLPRIMS_OK;
    const int64_t own = clp_minplus_no_edge(desc->type, CLPRIMS_MIN_PLUS, NULL);
    const int64_t given = clp_minplus_no_edge(desc->type, CLPRIMS_MIN_PLUS, desc->no_edge);
    if (given <= 0) {
        return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT,
                            "mpi_paths: no_edge = %" PRId64 "; it must be above 0", given);
    }
    paths->limits = clp_minplus_limits_of(desc->type, CLPRIMS_MIN_PLUS, own);
    if (paths->limits.most >= given) paths->limits.most = given - 1;
    paths->limits.no_edge = given;
    return CLPRIMS_OK;
}

static clprims_status take_desc(clprims_mpi_paths *paths, const clprims_paths_desc *desc) {
    const clp_mpi_limits *limits = &clp_mpi_limits_now;
    if (desc->max_n > INT32_MAX) {
        return clp_mpi_fail(CLPRIMS_ERR_TOO_LARGE, "mpi_paths: max_n = %zu exceeds %d", desc->max_n,
                            INT32_MAX);
    }
    paths->element = clprims_type_bytes(desc->type);
    paths->is_long = desc->type == CLPRIMS_I64;
    paths->is_double = desc->type == CLPRIMS_F64;
    paths->limited = clp_minplus_is_limited(desc->type, CLPRIMS_MIN_PLUS);
    paths->predecessors = desc->predecessors != 0;
    paths->max_n = desc->max_n;
    paths->width = paths->predecessors  ? ROUND_WITH_PREDECESSORS
                   : paths->element > 0 ? ROUND_BYTES / paths->element
                                        : 1;
    if (limits->width > 0 && limits->width < paths->width) paths->width = limits->width;
    paths->chosen_elements = clp_mpi_chosen_elements(paths->max_n, paths->max_n);
    return take_no_edge(paths, desc);
}

static clprims_status create_product(clprims_mpi_paths *paths, const clprims_paths_desc *desc) {
    const size_t most = paths->max_n > paths->width ? paths->max_n : paths->width;
    clprims_minplus_desc own = CLPRIMS_MINPLUS_DESC_INIT;
    own.type = desc->type;
    own.accumulate = 1;
    own.argmin = paths->predecessors;
    /* Within, "no edge" is the type's own; start and finish convert it. */
    own.no_edge = paths->limited ? NULL : desc->no_edge;
    own.tuning = desc->tuning;
    own.max = (clprims_minplus_size){most, most, paths->width, 1};
    return clp_mpi_core(clprims_minplus_create(&paths->product, paths->mpi->context, &own));
}

static void write_definitions(const clprims_mpi_paths *paths, char *text, size_t bytes) {
    const char *type = paths->limited ? (paths->is_long ? "long" : "int")
                                      : (paths->is_double ? "double" : "float");
    if (paths->limited) {
        snprintf(text, bytes,
                 "#define CLP_T %s\n#define CLP_LIMITED 1\n#define CLP_NO_EDGE ((CLP_T)(%" PRId64
                 "L))\n#define CLP_GIVEN_NO_EDGE ((CLP_T)(%" PRId64
                 "L))\n#define CLP_LEAST ((CLP_T)(%" PRId64
                 "L))\n#define CLP_MOST ((CLP_T)(%" PRId64 "L))\n",
                 type, paths->is_long ? INT64_MAX / 2 : (int64_t)(INT32_MAX / 2),
                 paths->limits.no_edge, paths->limits.least, paths->limits.most);
        return;
    }
    snprintf(text, bytes,
             "%s#define CLP_T %s\n#define CLP_LIMITED 0\n#define CLP_NO_EDGE INFINITY\n",
             paths->is_double ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "", type);
}

static clprims_status create_kernels(clprims_mpi_paths *paths) {
    const struct {
        const char *name;
        bool wanted;
    } all[] = {[CLP_MPI_PATHS_START] = {"clp_mpi_paths_start", true},
               [CLP_MPI_PATHS_FINISH] = {"clp_mpi_paths_finish", paths->limited},
               [CLP_MPI_PATHS_DIAGONAL] = {"clp_mpi_paths_diagonal", true},
               [CLP_MPI_PATHS_STEP] = {"clp_mpi_paths_step", paths->predecessors},
               [CLP_MPI_PATHS_FOLLOW] = {"clp_mpi_paths_follow", paths->predecessors}};
    char definitions[512];
    write_definitions(paths, definitions, sizeof definitions);
    CLP_MPI_TRY(
        clp_mpi_program_create(paths->mpi, "mpi_paths", definitions, "paths.cl", &paths->program));
    for (size_t i = 0; i < CLP_MPI_PATHS_KERNELS; i++) {
        cl_int code;
        if (!all[i].wanted) continue;
        paths->kernels[i] = clCreateKernel(paths->program, all[i].name, &code);
        if (code == CL_SUCCESS) continue;
        paths->kernels[i] = NULL;
        return clp_mpi_fail_cl(code, "mpi_paths: no kernel %s", all[i].name);
    }
    CLP_MPI_TRY(clp_mpi_copier_create(paths->mpi, "mpi_paths", paths->element, &paths->lengths));
    if (!paths->predecessors) return CLPRIMS_OK;
    return clp_mpi_copier_create(paths->mpi, "mpi_paths", sizeof(cl_int), &paths->vertices);
}

static clprims_status create_buffers(clprims_mpi_paths *paths) {
    const clprims_mpi *mpi = paths->mpi;
    const size_t panel = paths->width * paths->max_n;
    for (size_t k = 0; k < 2; k++) {
        CLP_MPI_TRY(clp_mpi_buffer_create(mpi, "mpi_paths", 2 * panel * paths->element,
                                          &paths->panels[k].lengths));
        if (!paths->predecessors) continue;
        CLP_MPI_TRY(
            clp_mpi_buffer_create(mpi, "mpi_paths", panel * sizeof(cl_int), &paths->panels[k].via));
    }
    for (size_t k = 0; k < CLP_MPI_SQUARES; k++) {
        CLP_MPI_TRY(clp_mpi_buffer_create(
            mpi, "mpi_paths", paths->width * paths->width * paths->element, &paths->buffers[k]));
    }
    if (paths->predecessors) {
        CLP_MPI_TRY(clp_mpi_buffer_create(mpi, "mpi_paths", paths->chosen_elements * sizeof(cl_int),
                                          &paths->buffers[CLP_MPI_CHOSEN]));
    }
    CLP_MPI_TRY(clp_mpi_buffer_create(mpi, "mpi_paths", paths->max_n * sizeof(cl_uint),
                                      &paths->buffers[CLP_MPI_BEYOND]));
    return clp_mpi_buffer_create(mpi, "mpi_paths", sizeof(cl_uint),
                                 &paths->buffers[CLP_MPI_LOWEST]);
}

static clprims_status create_strips(clprims_mpi_paths *paths) {
    CLP_MPI_TRY(clp_mpi_routes_create(paths->mpi, "mpi_paths", &paths->routes));
    const clprims_mpi_grid *grid = &paths->routes.grid;
    paths->row_starts = calloc((size_t)(grid->rows + grid->columns) + 2, sizeof *paths->row_starts);
    paths->found = malloc((paths->max_n + 1) * sizeof *paths->found);
    if (paths->row_starts == NULL || paths->found == NULL) {
        return clp_mpi_fail(CLPRIMS_ERR_HOST_MEMORY, "mpi_paths: no host memory for %zu rows",
                            paths->max_n);
    }
    paths->column_starts = paths->row_starts + grid->rows + 1;
    return CLPRIMS_OK;
}

/* One rank has the whole matrix, which the core closes. */
static clprims_status create_single(clprims_mpi_paths *paths, const clprims_paths_desc *desc) {
    clprims_paths_desc own = *desc;
    if (own.max_n == 0) own.max_n = 1;
    CLP_MPI_TRY(clp_mpi_core(clprims_paths_create(&paths->single, paths->mpi->context, &own)));
    return clp_mpi_buffer_create(paths->mpi, "mpi_paths", sizeof(clprims_paths_report),
                                 &paths->buffers[CLP_MPI_REPORT]);
}

static clprims_status create_rest(clprims_mpi_paths *paths) {
    const clprims_mpi *mpi = paths->mpi;
    cl_int code;
    paths->behind = clCreateCommandQueue(mpi->cl, mpi->device, 0, &code);
    if (code != CL_SUCCESS) return clp_mpi_fail_cl(code, "mpi_paths: no queue");
    return clp_mpi_paths_warm_up(paths);
}

static clprims_status create(clprims_mpi_paths **out, clprims_mpi *mpi,
                             const clprims_paths_desc *desc) {
    if (out == NULL) return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_paths: out is NULL");
    *out = NULL;
    CLP_MPI_TRY(CLP_MPI_CHECK_STRUCT("mpi_paths", desc, "CLPRIMS_PATHS_DESC_INIT"));
    clprims_mpi_paths *paths = calloc(1, sizeof *paths);
    if (paths == NULL) {
        return clp_mpi_fail(CLPRIMS_ERR_HOST_MEMORY, "mpi_paths: no host memory for a plan");
    }
    *out = paths;
    paths->mpi = mpi;
    CLP_MPI_TRY(take_desc(paths, desc));
    CLP_MPI_TRY(create_strips(paths));
    if (mpi->ranks == 1) return create_single(paths, desc);
    CLP_MPI_TRY(create_product(paths, desc));
    CLP_MPI_TRY(create_kernels(paths));
    CLP_MPI_TRY(create_buffers(paths));
    return create_rest(paths);
}

clprims_status clprims_mpi_paths_create(clprims_mpi_paths **out, clprims_mpi *mpi,
                                        const clprims_paths_desc *desc) {
    clp_mpi_clear_error();
    if (mpi == NULL) return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_paths: mpi is NULL");
    clprims_status status = create(out, mpi, desc);
    status = clp_mpi_same(mpi, status, "mpi_paths",
                          status == CLPRIMS_OK ? clp_mpi_digest_paths(desc) : 0);
    if (status != CLPRIMS_OK && out != NULL) {
        clprims_mpi_paths_destroy(*out);
        *out = NULL;
    }
    return status;
}

void clprims_mpi_paths_destroy(clprims_mpi_paths *paths) {
    if (paths == NULL) return;
    for (size_t k = 0; k < CLP_MPI_PATHS_KERNELS; k++) {
        if (paths->kernels[k] != NULL) clReleaseKernel(paths->kernels[k]);
    }
    for (size_t k = 0; k < CLP_MPI_PATHS_BUFFERS; k++) {
        if (paths->buffers[k] != NULL) clReleaseMemObject(paths->buffers[k]);
    }
    for (size_t k = 0; k < 2; k++) {
        if (paths->panels[k].lengths != NULL) clReleaseMemObject(paths->panels[k].lengths);
        if (paths->panels[k].via != NULL) clReleaseMemObject(paths->panels[k].via);
    }
    if (paths->behind != NULL) clReleaseCommandQueue(paths->behind);
    if (paths->program != NULL) clReleaseProgram(paths->program);
    clp_mpi_copier_release(&paths->lengths);
    clp_mpi_copier_release(&paths->vertices);
    clp_mpi_routes_release(&paths->routes);
    clprims_minplus_destroy(paths->product);
    clprims_paths_destroy(paths->single);
    free(paths->row_starts);
    free(paths->found);
    free(paths);
}

/* ---- Run ---- */

static clprims_status check(const clprims_mpi_paths *paths, clprims_matrix d, clprims_matrix via,
                            size_t rows, size_t columns) {
    if (rows > paths->max_n || columns > paths->max_n) {
        return clp_mpi_fail(CLPRIMS_ERR_TOO_LARGE, "mpi_paths: %s = %zu exceeds max_n = %zu",
                            rows > paths->max_n ? "rows" : "columns",
                            rows > paths->max_n ? rows : columns, paths->max_n);
    }
    CLP_MPI_TRY(clp_mpi_check_operand(paths->mpi, "mpi_paths",
                                      &(clp_mpi_operand){"d", d, rows, columns, paths->element}));
    if (!paths->predecessors && via.mem != NULL) {
        return clp_mpi_fail(
            CLPRIMS_ERR_ARGUMENT,
            "mpi_paths: via.mem is not NULL, but the plan was made without predecessors");
    }
    if (paths->predecessors) {
        CLP_MPI_TRY(
            clp_mpi_check_operand(paths->mpi, "mpi_paths",
                                  &(clp_mpi_operand){"via", via, rows, columns, sizeof(cl_int)}));
        CLP_MPI_TRY(clp_mpi_check_disjoint(
            "mpi_paths", &(clp_mpi_operand){"d", d, rows, columns, paths->element},
            &(clp_mpi_operand){"via", via, rows, columns, sizeof(cl_int)}));
    }
    return clp_mpi_begin(paths->mpi, "mpi_paths");
}

static clprims_status check_square(const clprims_mpi_paths *paths) {
    const clprims_mpi_grid *grid = &paths->routes.grid;
    const uint64_t rows = paths->row_starts[grid->rows];
    const uint64_t columns = paths->column_starts[grid->columns];
    if (rows == columns) return CLPRIMS_OK;
    return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT,
                        "mpi_paths: the blocks of all ranks have %" PRIu64 " rows and %" PRIu64
                        " columns; they must be as many",
                        rows, columns);
}

/* Closing diagonal blocks by squaring is little work only beside many rounds. */
static size_t width_of(const clprims_mpi_paths *paths, uint64_t n) {
    const uint64_t least = 64, rounds = 16, wanted = n / rounds / least * least + least;
    return wanted < paths->width ? (size_t)wanted : paths->width;
}

static clprims_status run_single(const clprims_mpi_paths *paths, clprims_matrix d,
                                 clprims_matrix via, size_t n) {
    const clprims_mpi *mpi = paths->mpi;
    clprims_paths_report report;
    CLP_MPI_TRY(clp_mpi_core(
        clprims_paths_enqueue(paths->single, mpi->queue, d, via, n,
                              (clprims_buffer){paths->buffers[CLP_MPI_REPORT], 0}, 0, NULL, NULL)));
    CLP_MPI_TRY(
        clp_mpi_read(mpi, "mpi_paths", paths->buffers[CLP_MPI_REPORT], 0, sizeof report, &report));
    return clp_mpi_core(clprims_paths_check(&report));
}

clprims_status clprims_mpi_paths_run(clprims_mpi_paths *paths, clprims_matrix d, clprims_matrix via,
                                     size_t rows, size_t columns) {
    clp_mpi_clear_error();
    if (paths == NULL) return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_paths: paths is NULL");
    const clprims_mpi *mpi = paths->mpi;
    const clprims_mpi_grid *grid = &paths->routes.grid;
    const clprims_status status = check(paths, d, via, rows, columns);
    CLP_MPI_TRY(clp_mpi_strips(mpi, "mpi_paths", status, "rows", true, rows, paths->row_starts));
    CLP_MPI_TRY(clp_mpi_strips(mpi, "mpi_paths", CLPRIMS_OK, "columns", false, columns,
                               paths->column_starts));
    CLP_MPI_TRY(clp_mpi_agree(mpi, check_square(paths)));
    if (mpi->ranks == 1) return clp_mpi_agree(mpi, run_single(paths, d, via, rows));
    clp_mpi_paths_run r = {.paths = paths,
                           .d = d,
                           .via = via,
                           .rows = rows,
                           .columns = columns,
                           .row = paths->row_starts[grid->row],
                           .column = paths->column_starts[grid->column],
                           .n = paths->row_starts[grid->rows],
                           .width = width_of(paths, paths->row_starts[grid->rows]),
                           .cycle = INT64_MAX};
    CLP_MPI_TRY(clp_mpi_paths_begin(&r));
    clp_mpi_paths_close(&r);
    return clp_mpi_paths_end(&r);
}
