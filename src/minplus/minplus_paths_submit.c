/* SPDX-License-Identifier: MIT */
/*
 * A run of the closure, block after block: a panel kernel closes the rows of the block, then a
 * product relaxes all other rows through its vertices. There are two levels of blocks, so that the
 * large product has many k and only small products run between panel kernels.
 * minplus_paths_update.c submits each kernel, and has the blocks that are closed by themselves.
 */
#include "core/context.h"
#include "minplus/minplus_paths.h"

/* Of cl/minplus/minplus_relax.cl: rows and columns of a tile, work-items of a group. */
enum { RELAX_TILE = 64, RELAX_GROUP = 128 };

/* Of cl/minplus/minplus_transpose.cl: rows and columns of a tile. */
enum { TRANSPOSED_TILE = 32 };

static clprims_status start(clp_paths_run *r) {
    const clprims_paths *paths = r->paths;
    clp_arguments a = {.count = 0};
    clp_minplus_put_matrix(&a, r->d);
    clp_minplus_put_matrix(&a, r->via);
    CLP_PUT(&a, (cl_uint)r->n, r->report, paths->outside, paths->beyond);
    return clp_paths_launch(r, paths->kernels.start, r->n > 0 ? r->n : 1, &a);
}

/* Copies the columns of `size` vertices of the rows from row to before rows. */
static clprims_status copy_columns(clp_paths_run *r, size_t row, size_t rows, size_t from,
                                   size_t size) {
    const clprims_paths *paths = r->paths;
    const size_t below = paths->group > paths->block ? paths->group / paths->block : 1;
    clp_arguments a = {.count = 0};
    clp_minplus_put_matrix(&a, r->d);
    CLP_PUT(&a, (cl_uint)row, (cl_uint)rows, (cl_uint)from, (cl_uint)size, paths->columns,
            paths->outside);
    return clp_paths_launch(r, paths->kernels.copy, (rows - row + below - 1) / below, &a);
}

/* A block, where its columns are, from row `row` on, and the next block of the same outer one, if
 * there is one. */
typedef struct inner_block {
    size_t from, size, row;
    cl_mem columns, next_columns;
    size_t next_size;
} inner_block;

/* Closes the rows of the block. */
static clprims_status close_rows(clp_paths_run *r, const inner_block *b, size_t begin) {
    const clprims_paths *paths = r->paths;
    clp_arguments a = {.count = 0};
    clp_minplus_put_matrix(&a, r->d);
    clp_minplus_put_matrix(&a, r->via);
    CLP_PUT(&a, (cl_uint)r->n, (cl_uint)b->from, (cl_uint)b->size, b->columns,
            (b->from - b->row) * b->size, paths->pivot, paths->outside, r->report);
    if (paths->group > 1) {
        CLP_PUT(&a, b->next_columns, (b->from - begin) * b->next_size, (cl_uint)(b->from + b->size),
                (cl_uint)b->next_size);
    }
    return clp_paths_launch(r, paths->kernels.panel,
                            (r->n + paths->panel_columns - 1) / paths->panel_columns, &a);
}

static clprims_matrix part(clprims_matrix matrix, size_t row, size_t column) {
    matrix.first += row * matrix.ld + column;
    return matrix;
}

/* Relaxes the given rows, except the block's, through the vertices of the block, whose columns were
 * copied from row `copied` on. */
static clprims_status relax_through(clp_paths_run *r, size_t copied, size_t row, size_t rows,
                                    size_t from, size_t size) {
    const cl_uint at = (cl_uint)(from - row), end = (cl_uint)(from - row + size);
    const clp_minplus_operands operands = {
        .a = {r->paths->columns, (row - copied) * size, size, 0},
        .b = part(r->d, from, 0),
        .c = part(r->d, row, 0),
        .best = part(r->via, row, 0),
        .via = part(r->via, from, 0),
        .transposed = {r->paths->transposed, 0, r->paths->outer, 0},
        .keep = {{at, end, 0, 0}},
        .size = {rows - row, r->n, size, 1}};
    clp_step step;
    CLP_TRY(clp_minplus_step(&r->paths->choice, "paths", &operands, &step));
    return clp_paths_submit_step(r, &step);
}

/* Transposes the closed rows of the outer block. */
static clprims_status transpose_rows(clp_paths_run *r, size_t begin, size_t end) {
    const clprims_paths *paths = r->paths;
    const size_t tiles = (end - begin + TRANSPOSED_TILE - 1) / TRANSPOSED_TILE;
    const size_t down = tiles > 0 ? tiles : 1;
    clp_arguments a = {.count = 0};
    if (paths->kernels.transpose == NULL) return CLPRIMS_OK;
    clp_minplus_put_matrix(&a, r->d);
    CLP_PUT(&a, (cl_uint)r->n, (cl_uint)begin, (cl_uint)(end - begin), (cl_uint)down,
            paths->transposed, paths->outer);
    return clp_paths_launch(r, paths->kernels.transpose,
                            down * ((r->n + TRANSPOSED_TILE - 1) / TRANSPOSED_TILE), &a);
}

/* Relaxes the other rows of the outer block through the vertices of the block, and copies the
 * columns of the next block. */
static clprims_status relax_rows(clp_paths_run *r, const inner_block *b, size_t begin, size_t end) {
    const clprims_paths *paths = r->paths;
    const clp_relax_operands operands = {.d_first = r->d.first,
                                         .d_ld = r->d.ld,
                                         .via_first = r->via.first,
                                         .via_ld = r->via.ld,
                                         .columns_first = (begin - b->row) * b->size,
                                         .n = (cl_uint)r->n,
                                         .begin = (cl_uint)begin,
                                         .end = (cl_uint)end,
                                         .from = (cl_uint)b->from,
                                         .block = (cl_uint)b->size,
                                         .next = (cl_uint)(b->from + b->size),
                                         .next_block = (cl_uint)b->next_size};
    const size_t at = b->from - begin;
    const size_t down = clp_minplus_count_tiles(end - begin, RELAX_TILE, at, at + b->size);
    const size_t across = (r->n + RELAX_TILE - 1) / RELAX_TILE;
    const size_t groups = r->warm_up != NULL ? 1 : down * across;
    const clp_step step = {paths->kernels.relax, groups, RELAX_GROUP};
    clp_arguments a = {.count = 0};
    if (groups == 0) return CLPRIMS_OK;
    CLP_PUT(&a, r->d.mem, r->via.mem, b->columns, b->next_columns, paths->outside);
    clp_put_bytes(&a, sizeof operands, &operands);
    CLP_TRY(clp_arguments_set(&a, &paths->head, step.kernel));
    return clp_paths_submit_step(r, &step);
}

/* Closes the rows of the outer block from `begin` to before `end`. Its first copy takes all rows,
 * to check the whole diagonal. */
static clprims_status close_outer(clp_paths_run *r, size_t begin, size_t end) {
    const clprims_paths *paths = r->paths;
    const size_t block = paths->block;
    inner_block b = {0, 0, 0, paths->columns, paths->columns, 0};
    for (size_t from = begin, turn = 0; from < end; from += block, turn ^= 1) {
        const bool copies = from == begin || !paths->relaxes;
        b.from = from;
        b.size = end - from < block ? end - from : block;
        b.row = from == begin ? 0 : begin;
        if (paths->relaxes) {
            const size_t behind = end - from - b.size;
            b.columns = copies ? paths->columns : b.next_columns;
            b.next_columns = paths->turns[turn];
            b.next_size = behind < block ? behind : block;
        }
        if (copies) CLP_TRY(copy_columns(r, b.row, from == begin ? r->n : end, from, b.size));
        CLP_TRY(close_rows(r, &b, begin));
        if (end - begin <= b.size) continue;
        CLP_TRY(paths->relaxes ? relax_rows(r, &b, begin, end)
                               : relax_through(r, b.row, begin, end, from, b.size));
    }
    return CLPRIMS_OK;
}

static clprims_status close_in_rows(clp_paths_run *r) {
    const size_t outer = r->paths->outer;
    for (size_t begin = 0; begin < r->n; begin += outer) {
        const size_t end = r->n - begin < outer ? r->n : begin + outer;
        CLP_TRY(close_outer(r, begin, end));
        if (r->n <= outer) continue;
        CLP_TRY(copy_columns(r, 0, r->n, begin, end - begin));
        CLP_TRY(transpose_rows(r, begin, end));
        CLP_TRY(relax_through(r, 0, 0, r->n, begin, end - begin));
    }
    /* Diagonal elements outside the last block that it made negative. */
    return r->n > 0 ? copy_columns(r, 0, r->n, 0, 0) : CLPRIMS_OK;
}

/* Checks all lengths of integers. */
static clprims_status finish(clp_paths_run *r) {
    const cl_kernel kernel = r->paths->kernels.finish;
    clp_arguments a = {.count = 0};
    if (kernel == NULL || (r->n == 0 && r->warm_up == NULL)) return CLPRIMS_OK;
    clp_minplus_put_matrix(&a, r->d);
    CLP_PUT(&a, (cl_uint)r->n, r->paths->beyond);
    return clp_paths_launch(r, kernel, r->n, &a);
}

static clprims_status write_report(clp_paths_run *r) {
    clp_arguments a = {.count = 0};
    CLP_PUT(&a, r->paths->outside, r->paths->beyond, (cl_uint)r->n, r->report);
    return clp_paths_launch(r, r->paths->kernels.write_report, 1, &a);
}

static clprims_status submit_all(clp_paths_run *r) {
    CLP_TRY(start(r));
    CLP_TRY(r->paths->updates_panels ? clp_paths_submit_updates(r) : close_in_rows(r));
    CLP_TRY(finish(r));
    return write_report(r);
}

clprims_status clp_paths_submit(clp_paths_run *r) {
    const clp_call *call = &r->call;
    CLP_TRY(clp_queue_is_in_order(call->queue, "paths", &r->in_order));
    const clprims_status status = submit_all(r);
    if (status != CLPRIMS_OK && r->submitted > 0) {
        clp_steps_abandon(call->queue, r->last, call->num_wait, call->wait);
    }
    if (status == CLPRIMS_OK && call->event != NULL) {
        *call->event = r->last;
    } else if (r->last != NULL) {
        clReleaseEvent(r->last);
    }
    return status;
}

/* ---- Warming up ---- */

static clprims_status warm_up_rows(clp_paths_run *r) {
    const clprims_paths *paths = r->paths;
    const inner_block none = {.columns = paths->columns, .next_columns = paths->columns};
    CLP_TRY(copy_columns(r, 0, 0, 0, 0));
    CLP_TRY(close_rows(r, &none, 0));
    if (paths->relaxes) CLP_TRY(relax_rows(r, &none, 0, 0));
    CLP_TRY(transpose_rows(r, 0, 0));
    for (size_t i = 0; i < paths->choice.count && !paths->spec.idle; i++) {
        clp_step step;
        CLP_TRY(
            clp_minplus_blank_step(paths->head.context, &paths->choice.tiles[i], "paths", &step));
        CLP_TRY(clp_paths_submit_step(r, &step));
    }
    return CLPRIMS_OK;
}

/* The chain of a run without vertices, with all kernels of the plan. */
clprims_status clp_paths_warm_up(clprims_paths *paths) {
    enum { MOST_STEPS = 7 + CLP_MINPLUS_RANKS };
    const clprims_matrix blank = {paths->head.context->blank, 0, 0, 0};
    clp_step steps[MOST_STEPS];
    clp_paths_run r = {.paths = paths,
                       .warm_up = steps,
                       .d = blank,
                       .via = blank,
                       .report = {paths->head.report, 0}};
    CLP_TRY(start(&r));
    CLP_TRY(paths->updates_panels ? clp_paths_warm_up_updates(&r) : warm_up_rows(&r));
    CLP_TRY(finish(&r));
    CLP_TRY(write_report(&r));
    return clp_steps_warm_up(paths->head.context, "paths", steps, r.submitted);
}
