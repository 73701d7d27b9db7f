/* SPDX-License-Identifier: MIT */
/*
 * All-pairs shortest paths by blocks: close a block of the diagonal, then everything in its rows
 * and columns, then everything else, block after block. All but the first is a product.
 */
#include "minplus_plan.h"

#include <stdlib.h>

enum { BLOCK_BYTES = 256, MOST = INT32_MAX, GROUP_OF_MANY = 256 };

struct clprims_paths {
    clprims_context *context;
    clp_minplus_spec spec;
    size_t max_n;
    size_t group;
    size_t block; /* vertices of a block */
    clp_minplus_both tiles;
    cl_program program;
    cl_kernel start, close, rows, copy;
    cl_mem columns; /* a block's, as they were before it */
    cl_mem steps; /* lengths within the block, see cl/minplus_paths.cl */
    cl_mem report; /* for runs whose caller wants none */
};

/* ---- Create -----------------------------------------------------------------------------------
 */

static clprims_status build(clprims_paths *paths) {
    const char *const parts[] = {"minplus_values.cl", "minplus_paths.cl", NULL};
    const clp_minplus_shape shape = {.group = paths->group};
    clp_text prelude = {0};
    clp_minplus_add_values(&prelude, paths->context, &paths->spec, &shape);
    clp_text_add(&prelude, "#define CLP_BLOCK %zu\n#define CLP_PREDECESSORS %d\n", paths->block,
                 paths->spec.argmin);
    const clprims_status status =
        clp_program_build(paths->context, "paths", &prelude, parts, &paths->program);
    clp_text_free(&prelude);
    if (status != CLPRIMS_OK) return status;
    CLP_TRY(clp_kernel_create(paths->program, "paths", "clp_paths_start", &paths->start));
    CLP_TRY(clp_kernel_create(paths->program, "paths", "clp_paths_block", &paths->close));
    CLP_TRY(clp_kernel_create(paths->program, "paths", "clp_paths_rows", &paths->rows));
    return clp_kernel_create(paths->program, "paths", "clp_paths_copy", &paths->copy);
}

static clprims_status allocate(clprims_paths *paths) {
    const size_t bytes = BLOCK_BYTES;
    const clprims_context *context = paths->context;
    CLP_TRY(clp_scratch_create(context, "paths", paths->max_n * bytes, false, &paths->columns));
    CLP_TRY(clp_scratch_create(context, "paths", paths->block * bytes, false, &paths->steps));
    return clp_scratch_create(context, "paths", sizeof(cl_int), false, &paths->report);
}

static clprims_status check_desc(const clprims_paths_desc *desc) {
    if (desc->struct_size != sizeof *desc) {
        return clp_fail(
            CLPRIMS_ERR_ARGUMENT,
            "paths: desc.struct_size = %zu, not %zu; start from CLPRIMS_PATHS_DESC_INIT",
            desc->struct_size, sizeof *desc);
    }
    if (desc->max_n == 0) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "paths: max_n = 0; set the most vertices that the plan will be given");
    }
    if (desc->max_n > MOST) {
        return clp_fail(CLPRIMS_ERR_TOO_LARGE, "paths: max_n = %zu; at most %d", desc->max_n, MOST);
    }
    return CLPRIMS_OK;
}

static clprims_status fill_plan(clprims_paths *paths, const clprims_paths_desc *desc) {
    const clp_device *device = &paths->context->device;
    CLP_TRY(check_desc(desc));
    paths->spec = (clp_minplus_spec){.who = "paths",
                                     .type = desc->type,
                                     .semiring = CLPRIMS_MIN_PLUS,
                                     .accumulate = true,
                                     .argmin = desc->predecessors != 0,
                                     .follows = desc->predecessors != 0,
                                     .keeps = true};
    paths->max_n = desc->max_n;
    paths->group = device->is_cpu ? 1 : GROUP_OF_MANY;
    while (paths->group > device->max_group) paths->group /= 2;
    CLP_TRY(clp_minplus_take_type(paths->context, desc->no_edge, &paths->spec));
    paths->block = BLOCK_BYTES / clprims_type_bytes(desc->type);
    CLP_TRY(clp_minplus_both_build(paths->context, &paths->spec, desc->tuning, &paths->tiles));
    CLP_TRY(build(paths));
    return allocate(paths);
}

clprims_status clprims_paths_create(clprims_paths **out, clprims_context *context,
                                    const clprims_paths_desc *desc) {
    clp_clear_error();
    if (out == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "paths: out is NULL");
    *out = NULL;
    if (context == NULL || desc == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "paths: %s is NULL",
                        context == NULL ? "context" : "desc");
    }
    clprims_paths *paths = calloc(1, sizeof *paths);
    if (paths == NULL) return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "paths: no host memory for a plan");
    paths->context = context;
    const clprims_status status = fill_plan(paths, desc);
    if (status != CLPRIMS_OK) {
        clprims_paths_destroy(paths);
        return status;
    }
    *out = paths;
    return CLPRIMS_OK;
}

void clprims_paths_destroy(clprims_paths *paths) {
    if (paths == NULL) return;
    const cl_kernel kernels[] = {paths->start, paths->close, paths->rows, paths->copy};
    const cl_mem mems[] = {paths->columns, paths->steps, paths->report};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        if (kernels[i] != NULL) clReleaseKernel(kernels[i]);
    }
    for (size_t i = 0; i < sizeof mems / sizeof mems[0]; i++) {
        if (mems[i] != NULL) clReleaseMemObject(mems[i]);
    }
    if (paths->program != NULL) clReleaseProgram(paths->program);
    clp_minplus_both_free(&paths->tiles);
    free(paths);
}

/* ---- Enqueue ----------------------------------------------------------------------------------
 */

/* One run while it is submitted, kernel by kernel; the next one waits for `last`
 * unless the queue is in order. */
typedef struct paths_run {
    clprims_paths *paths;
    cl_command_queue queue;
    bool in_order; /* the queue keeps the order by itself */
    size_t submitted;
    clprims_matrix d, via;
    clprims_buffer report;
    size_t n;
    cl_uint num_wait;
    const cl_event *wait;
    cl_event last; /* or NULL */
} paths_run;

static clprims_status submit(paths_run *r, const clp_step *step, bool last) {
    cl_event done = NULL;
    const cl_event *wait = r->submitted == 0 ? r->wait : &r->last;
    const cl_uint num_wait = r->submitted == 0 ? r->num_wait : r->last != NULL;
    const clprims_status status =
        clp_steps_enqueue(r->queue, "paths", step, 1, num_wait, num_wait > 0 ? wait : NULL,
                          last || !r->in_order ? &done : NULL);
    if (status != CLPRIMS_OK) return status;
    if (r->last != NULL) clReleaseEvent(r->last);
    r->last = done;
    r->submitted++;
    return CLPRIMS_OK;
}

static clprims_status start(paths_run *r) {
    const cl_ulong d_first = r->d.first, d_ld = r->d.ld;
    const cl_ulong via_first = r->via.first, via_ld = r->via.ld, report_first = r->report.first;
    const cl_uint n = (cl_uint)r->n;
    const clp_argument arguments[] = {
        CLP_ARGUMENT(r->d.mem),   CLP_ARGUMENT(d_first),       CLP_ARGUMENT(d_ld),
        CLP_ARGUMENT(r->via.mem), CLP_ARGUMENT(via_first),     CLP_ARGUMENT(via_ld),
        CLP_ARGUMENT(n),          CLP_ARGUMENT(r->report.mem), CLP_ARGUMENT(report_first)};
    const clp_step step = {r->paths->start, r->n > 0 ? r->n : 1, r->paths->group};
    CLP_TRY(clp_kernel_arguments(step.kernel, "paths", arguments, 9));
    return submit(r, &step, false);
}

/* Closes the block of `size` vertices; then its rows in all other columns. */
static clprims_status close_rows(paths_run *r, size_t from, size_t size) {
    const clprims_paths *paths = r->paths;
    const cl_ulong d_first = r->d.first, d_ld = r->d.ld;
    const cl_ulong via_first = r->via.first, via_ld = r->via.ld, report_first = r->report.first;
    const cl_uint n = (cl_uint)r->n, at = (cl_uint)from, block = (cl_uint)size;
    const size_t tiles = (r->n + paths->block - 1) / paths->block;
    const clp_argument arguments[] = {CLP_ARGUMENT(r->d.mem),
                                      CLP_ARGUMENT(d_first),
                                      CLP_ARGUMENT(d_ld),
                                      CLP_ARGUMENT(r->via.mem),
                                      CLP_ARGUMENT(via_first),
                                      CLP_ARGUMENT(via_ld),
                                      CLP_ARGUMENT(n),
                                      CLP_ARGUMENT(at),
                                      CLP_ARGUMENT(block),
                                      CLP_ARGUMENT(paths->steps),
                                      CLP_ARGUMENT(r->report.mem),
                                      CLP_ARGUMENT(report_first)};
    const clp_step close = {paths->close, 1, paths->group};
    const clp_step rows = {paths->rows, tiles - 1, paths->group};
    CLP_TRY(clp_kernel_arguments(close.kernel, "paths", arguments, 12));
    CLP_TRY(submit(r, &close, size == 0));
    if (size == 0 || tiles == 1) return CLPRIMS_OK;
    CLP_TRY(clp_kernel_arguments(rows.kernel, "paths", arguments, 10));
    return submit(r, &rows, false);
}

static clprims_status copy_columns(paths_run *r, size_t from, size_t size) {
    const clprims_paths *paths = r->paths;
    const cl_ulong d_first = r->d.first, d_ld = r->d.ld;
    const cl_uint at = (cl_uint)from, block = (cl_uint)size;
    const clp_argument arguments[] = {CLP_ARGUMENT(r->d.mem), CLP_ARGUMENT(d_first),
                                      CLP_ARGUMENT(d_ld),     CLP_ARGUMENT(at),
                                      CLP_ARGUMENT(block),    CLP_ARGUMENT(paths->columns)};
    const clp_step step = {paths->copy, r->n, paths->group};
    CLP_TRY(clp_kernel_arguments(step.kernel, "paths", arguments, 6));
    return submit(r, &step, false);
}

static clprims_matrix part(clprims_matrix matrix, size_t row, size_t column) {
    matrix.first += row * matrix.ld + column;
    return matrix;
}

/* Lets the block's vertices on the way between all others. */
static clprims_status pass_block(paths_run *r, size_t from, size_t size) {
    const cl_uint at = (cl_uint)from, end = (cl_uint)(from + size);
    const clp_minplus_operands operands = {.a = {r->paths->columns, 0, size, 0},
                                           .b = part(r->d, from, 0),
                                           .c = r->d,
                                           .best = r->via,
                                           .via = part(r->via, from, 0),
                                           .keep = {{at, end, 0, 0}},
                                           .size = {r->n, r->n, size, 1}};
    clp_step step;
    CLP_TRY(copy_columns(r, from, size));
    CLP_TRY(clp_minplus_step(&r->paths->tiles, "paths", &operands, &step));
    return submit(r, &step, false);
}

static clprims_status submit_all(paths_run *r) {
    CLP_TRY(start(r));
    const size_t block = r->paths->block;
    for (size_t from = 0; from < r->n; from += block) {
        const size_t size = r->n - from < block ? r->n - from : block;
        CLP_TRY(close_rows(r, from, size));
        if (r->n > block) CLP_TRY(pass_block(r, from, size));
    }
    /* What the last block let become negative outside of itself. */
    return close_rows(r, 0, 0);
}

static clprims_status enqueue(paths_run *r, cl_event *event) {
    CLP_TRY(clp_queue_is_in_order(r->queue, "paths", &r->in_order));
    const clprims_status status = submit_all(r);
    if (status == CLPRIMS_OK && event != NULL) {
        *event = r->last;
    } else if (r->last != NULL) {
        clReleaseEvent(r->last);
    }
    return status;
}

static clprims_status check_n(const clprims_paths *paths, size_t n) {
    if (n <= paths->max_n) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                    "paths: n = %zu exceeds max_n = %zu given to create; create a larger plan", n,
                    paths->max_n);
}

static clprims_status check_apart(const paths_run *r, size_t d_bytes) {
    const clprims_buffer d = {r->d.mem, r->d.first}, via = {r->via.mem, r->via.first};
    const size_t d_span = clp_minplus_span(r->d, r->n, r->n, 1);
    const size_t via_span = clp_minplus_span(r->via, r->n, r->n, 1);
    bool apart = true;
    if (via.mem != NULL) {
        CLP_TRY(
            clp_buffers_apart("paths", d, d_span, d_bytes, via, via_span, sizeof(cl_int), &apart));
    }
    if (!apart) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "paths: d (first = %zu) and via (first = %zu) overlap for n = %zu", d.first,
                        via.first, r->n);
    }
    CLP_TRY(clp_buffers_apart("paths", d, d_span, d_bytes, r->report, 1, sizeof(cl_int), &apart));
    if (apart && via.mem != NULL) {
        CLP_TRY(clp_buffers_apart("paths", via, via_span, sizeof(cl_int), r->report, 1,
                                  sizeof(cl_int), &apart));
    }
    if (apart) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "paths: report (first = %zu) overlaps a matrix for n = %zu", r->report.first,
                    r->n);
}

static clprims_status check_run(const paths_run *r) {
    const clprims_paths *paths = r->paths;
    const size_t bytes = clprims_type_bytes(paths->spec.type);
    CLP_TRY(check_n(paths, r->n));
    CLP_TRY(clp_minplus_check_matrix("paths", "d", r->d, r->n, r->n, 1, bytes));
    if (paths->spec.argmin) {
        CLP_TRY(clp_minplus_check_matrix("paths", "via", r->via, r->n, r->n, 1, sizeof(cl_int)));
    } else if (r->via.mem != NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "paths: via.mem is not NULL, but the plan was made without predecessors");
    }
    CLP_TRY(clp_buffer_check("paths", "report", r->report, 1, sizeof(cl_int)));
    return check_apart(r, bytes);
}

clprims_status clprims_paths_enqueue(clprims_paths *paths, cl_command_queue queue, clprims_matrix d,
                                     clprims_matrix via, size_t n, clprims_buffer report,
                                     cl_uint num_wait, const cl_event *wait, cl_event *event) {
    clp_clear_error();
    if (paths == NULL || queue == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "paths: %s is NULL",
                        paths == NULL ? "paths" : "queue");
    }
    if (report.mem == NULL) report = (clprims_buffer){paths->report, 0};
    paths_run r = {.paths = paths,
                   .queue = queue,
                   .d = d,
                   .via = via,
                   .report = report,
                   .n = n,
                   .num_wait = num_wait,
                   .wait = wait};
    CLP_TRY(check_run(&r));
    return enqueue(&r, event);
}

/* ---- Reports and plain arrays -----------------------------------------------------------------
 */

static clprims_status judge(const clprims_paths_report *report) {
    if (report->vertex < 0) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_DATA,
                    "paths: vertex %d is on a cycle of negative length, so there are no shortest "
                    "paths",
                    (int)report->vertex);
}

clprims_status clprims_paths_check(const clprims_paths_report *report) {
    clp_clear_error();
    if (report == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "paths_check: report is NULL");
    return judge(report);
}

static clprims_status run_on(paths_run *r, void *d, int32_t *via) {
    const clprims_context *context = r->paths->context;
    const size_t bytes = r->n * r->n * clprims_type_bytes(r->paths->spec.type);
    const size_t via_bytes = r->n * r->n * sizeof *via;
    clprims_paths_report report;
    CLP_TRY(clp_upload(context, "paths", d, bytes, &r->d.mem));
    if (via != NULL) CLP_TRY(clp_upload(context, "paths", NULL, via_bytes, &r->via.mem));
    CLP_TRY(enqueue(r, NULL));
    CLP_TRY(clp_download(context, "paths", r->report.mem, &report, sizeof report));
    CLP_TRY(judge(&report));
    CLP_TRY(clp_download(context, "paths", r->d.mem, d, bytes));
    if (via == NULL) return CLPRIMS_OK;
    return clp_download(context, "paths", r->via.mem, via, via_bytes);
}

clprims_status clprims_paths_run(clprims_paths *paths, void *d, int32_t *via, size_t n) {
    clp_clear_error();
    if (paths == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "paths: paths is NULL");
    CLP_TRY(check_n(paths, n));
    if (n == 0) return CLPRIMS_OK;
    if (d == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "paths: d is NULL for n = %zu", n);
    if ((via != NULL) != paths->spec.argmin) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "paths: via is %s, but the plan was made %s",
                        via != NULL ? "not NULL" : "NULL",
                        paths->spec.argmin ? "with predecessors" : "without predecessors");
    }
    if (n > SIZE_MAX / n / 8) {
        return clp_fail(CLPRIMS_ERR_TOO_LARGE, "paths: n = %zu has more bytes than can be counted",
                        n);
    }
    paths_run r = {.paths = paths,
                   .queue = paths->context->queue,
                   .d = {NULL, 0, n, 0},
                   .via = {NULL, 0, n, 0},
                   .report = {paths->report, 0},
                   .n = n};
    const clprims_status status = run_on(&r, d, via);
    if (r.d.mem != NULL) clReleaseMemObject(r.d.mem);
    if (r.via.mem != NULL) clReleaseMemObject(r.via.mem);
    return status;
}
