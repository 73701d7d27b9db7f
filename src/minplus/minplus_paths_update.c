/* SPDX-License-Identifier: MIT */
/*
 * A run of the closure that closes each outer block by itself, step by step in scratch memory; two
 * launches then do phases 2 and 3 of blocked Floyd-Warshall.
 */
#include "minplus/minplus_paths.h"

clprims_status clp_paths_submit_step(clp_paths_run *r, const clp_step *step) {
    const bool last = step->kernel == r->paths->kernels.write_report;
    cl_event done = NULL;
    if (r->warm_up != NULL) {
        r->warm_up[r->submitted++] = (clp_step){step->kernel, 1, step->group};
        return CLPRIMS_OK;
    }
    const cl_event *wait = r->submitted == 0 ? r->call.wait : &r->last;
    const cl_uint num_wait = r->submitted == 0 ? r->call.num_wait : r->last != NULL;
    const clprims_status status =
        clp_steps_enqueue(r->call.queue, "paths", step, 1, num_wait, num_wait > 0 ? wait : NULL,
                          last || !r->in_order ? &done : NULL);
    if (status != CLPRIMS_OK) return status;
    if (r->last != NULL) clReleaseEvent(r->last);
    r->last = done;
    r->submitted++;
    return CLPRIMS_OK;
}

clprims_status clp_paths_launch(clp_paths_run *r, cl_kernel kernel, size_t groups,
                                const clp_arguments *a) {
    const clp_step step = {kernel, groups, r->paths->group};
    CLP_TRY(clp_arguments_set(a, &r->paths->head, kernel));
    return clp_paths_submit_step(r, &step);
}

/* Rows of which a work-group gathers the block's columns, and elements of a work-item; see
 * minplus_step.cl. */
enum { GATHERED = 4 };

/* The current outer block, and where the last one is, closed; ld: in scratch memory, with whole
 * inner blocks. */
typedef struct block_run {
    size_t begin, size, ld;
    cl_mem closed;
    size_t closed_begin, closed_size, closed_ld;
} block_run;

static size_t parts_of(size_t whole, size_t part) {
    return (whole + part - 1) / part;
}

static clprims_status gather(clp_paths_run *r, const block_run *b) {
    const clprims_paths *paths = r->paths;
    const bool has_others = r->n > b->size && b->size > 0;
    const size_t wanted = r->n > b->begin + b->ld ? r->n : b->begin + b->ld;
    const size_t all =
        wanted > 0 ? wanted : 1; /* a warm-up has none, but its work-group needs one */
    const size_t rows_groups = has_others ? b->size * parts_of(r->n, paths->group * GATHERED) : 0;
    clp_arguments a = {.count = 0};
    clp_minplus_put_matrix(&a, r->d);
    CLP_PUT(&a, (cl_uint)r->n, (cl_uint)b->begin, (cl_uint)b->size, (cl_uint)b->ld, (cl_uint)all,
            paths->columns, has_others ? paths->rows : paths->columns, b->closed);
    CLP_PUT(&a, (cl_uint)b->closed_begin, (cl_uint)b->closed_size, (cl_uint)b->closed_ld,
            paths->outside);
    return clp_paths_launch(r, paths->kernels.gather, parts_of(all, GATHERED) + rows_groups, &a);
}

static clprims_status take_step(clp_paths_run *r, const block_run *b, clprims_matrix from,
                                clprims_matrix to, size_t at, size_t wanted) {
    const clprims_paths *paths = r->paths;
    const clp_step_place place = {.from_first = from.first,
                                  .to_first = to.first,
                                  .to_ld = to.ld,
                                  .report_first = r->report.first,
                                  .ld = (cl_uint)from.ld,
                                  .limit = (cl_uint)wanted,
                                  .begin = (cl_uint)b->begin,
                                  .at = (cl_uint)at};
    clp_arguments a = {.count = 0};
    CLP_PUT(&a, from.mem, to.mem, paths->pivot, paths->outside, r->report.mem);
    clp_put_bytes(&a, sizeof place, &place);
    return clp_paths_launch(r, paths->kernels.step,
                            b->ld / paths->panel_columns * (b->ld / paths->block), &a);
}

/* Closes the outer block, from its gathered columns; writes to d if the block is the whole graph.
 */
static clprims_status close_block(clp_paths_run *r, block_run *b) {
    const clprims_paths *paths = r->paths;
    clprims_matrix from = {paths->columns, b->begin * b->ld, b->ld, 0};
    size_t turn = 0;
    for (size_t at = 0; at < b->size; at += paths->block) {
        const bool ends = at + paths->block == b->ld && b->size == r->n;
        const clprims_matrix to = ends ? r->d : (clprims_matrix){paths->turns[turn], 0, b->ld, 0};
        CLP_TRY(take_step(r, b, from, to, at, ends ? r->n : b->ld));
        from = to;
        turn ^= 1;
    }
    b->closed = from.mem;
    b->closed_begin = b->begin;
    b->closed_size = b->size == r->n ? 0 : b->size;
    b->closed_ld = b->ld;
    return CLPRIMS_OK;
}

/* Returns the number of tiles of `length` in d, but for tiles entirely within the block. */
static size_t tiles_beside(size_t n, size_t length, const block_run *b) {
    return clp_minplus_count_tiles(n, length, b->begin, b->begin + b->size);
}

/* count: columns and rows of tiles of the product. columns_tiles: columns of tiles of the block's
 * columns. */
static clprims_status submit_update(clp_paths_run *r, const block_run *b,
                                    const clp_minplus_tiles *tiles, cl_uint2 count,
                                    cl_uint columns_tiles, size_t groups) {
    const clprims_paths *paths = r->paths;
    const cl_uint2 block = {{(cl_uint)b->begin, (cl_uint)(b->begin + b->size)}};
    const cl_int one = 1;
    const clp_step step = {tiles->kernel, groups, tiles->shape.group};
    clp_arguments a = {.count = 0};
    if (groups == 0) return CLPRIMS_OK;
    clp_minplus_put_matrix(&a, r->d);
    clp_put_uint(&a, (cl_uint)r->n);
    clp_put_bytes(&a, sizeof block, &block);
    CLP_PUT(&a, b->closed, paths->columns, (cl_uint)b->ld, paths->rows);
    clp_put_bytes(&a, sizeof count, &count);
    clp_put_uint(&a, columns_tiles);
    clp_put_bytes(&a, sizeof one, &one);
    CLP_TRY(clp_arguments_set(&a, &paths->head, step.kernel));
    return clp_paths_submit_step(r, &step);
}

static clprims_status update(clp_paths_run *r, const block_run *b, bool own) {
    const clprims_paths *paths = r->paths;
    const clp_minplus_choice *choice = &paths->choice;
    const clp_minplus_tiles *wide = &choice->tiles[0];
    const double cells = own ? 2 * (double)r->n * (double)b->size : (double)r->n * (double)r->n;
    const double many = cells / (double)(wide->shape.tile_rows * wide->shape.tile_columns);
    const clp_minplus_tiles *tiles =
        clp_minplus_is_wide(choice, many * 1.25, 1) ? wide : &choice->tiles[1];
    const clp_minplus_shape *shape = &tiles->shape;
    const size_t rows = shape->tile_rows, columns = shape->tile_columns;
    const size_t across = own ? parts_of(r->n, columns) : tiles_beside(r->n, columns, b);
    const size_t down = own ? parts_of(b->size, rows) : tiles_beside(r->n, rows, b);
    const size_t more = own ? parts_of(b->size, columns) : 0;
    const cl_uint2 count = {{(cl_uint)across, (cl_uint)down}};
    return submit_update(r, b, tiles, count, (cl_uint)more,
                         across * down + more * tiles_beside(r->n, rows, b));
}

clprims_status clp_paths_submit_updates(clp_paths_run *r) {
    const size_t outer = r->paths->outer, block = r->paths->block;
    block_run b = {0, 0, 0, r->paths->turns[0], 0, 0, 0};
    for (size_t begin = 0; begin < r->n; begin += outer) {
        b.begin = begin;
        b.size = r->n - begin < outer ? r->n - begin : outer;
        b.ld = parts_of(b.size, block) * block;
        CLP_TRY(gather(r, &b));
        CLP_TRY(close_block(r, &b));
        if (b.size == r->n) continue;
        CLP_TRY(update(r, &b, true));
        CLP_TRY(update(r, &b, false));
    }
    /* Diagonal elements that the last block made negative. */
    b.begin = 0;
    b.size = 0;
    b.ld = 0;
    return r->n > 0 ? gather(r, &b) : CLPRIMS_OK;
}

/* The step reads a block of zeros and writes nothing; the other kernels have no vertices. */
clprims_status clp_paths_warm_up_updates(clp_paths_run *r) {
    const clprims_paths *paths = r->paths;
    const size_t block = paths->block;
    const clprims_matrix from = {paths->pivot, 0, block, 0}, to = {paths->turns[0], 0, block, 0};
    const cl_uint2 one = {{1, 1}};
    const block_run b = {.closed = paths->turns[0]};
    CLP_TRY(gather(r, &b));
    CLP_TRY(take_step(r, &b, from, to, 0, 0));
    for (size_t i = 0; i < paths->choice.count && !paths->spec.idle; i++) {
        CLP_TRY(submit_update(r, &b, &paths->choice.tiles[i], one, 0, 1));
    }
    return CLPRIMS_OK;
}
