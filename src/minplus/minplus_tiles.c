/* SPDX-License-Identifier: MIT */
/* One specialisation of the product: builds it and launches it. */
#include "cl_sources.h"
#include "core/context.h"
#include "core/program.h"
#include "minplus/minplus_plan.h"

/* Least k for argmin by slab: searching the last slab for k costs as much as folding some tens of
 * pairs. */
enum { SLAB_ARGMIN_K = 256 };

/* Cells per compute unit from which on tiles of a rank are faster than tiles of the next rank: one
 * and a half tiles. */
static const double least_cells[CLP_MINPLUS_RANKS] = {
    [CLP_MINPLUS_NARROW] = 1.5 * 64 * 64, [CLP_MINPLUS_SMALL] = 1.5 * 32 * 32};

static clprims_status build(const clprims_context *context, const clp_minplus_spec *spec,
                            clp_minplus_tiles *tiles) {
    static const clp_part serial[] = {&clp_minplus_values_cl, &clp_minplus_serial_cl, NULL};
    const bool serially = tiles->shape.group == 1,
               updates_panels = spec->updates_panels && !serially;
    clp_part many[8] = {&clp_minplus_values_cl, &clp_minplus_split_cl, &clp_minplus_cells_cl,
                        &clp_minplus_staged_cl};
    size_t parts = 4;
    if (tiles->argmin_by_slab) many[parts++] = &clp_minplus_argmin_cl;
    if (updates_panels) many[parts++] = &clp_minplus_panel_update_cl;
    if (tiles->shape.split > 1) many[parts++] = &clp_minplus_split_reduce_cl;
    many[parts] = &clp_minplus_cl;
    clp_text prelude = {0};
    clp_minplus_add_prelude(&prelude, context, spec, &tiles->shape);
    clp_text_add(&prelude, "#define CLP_PANEL_UPDATE %d\n#define CLP_ARGMIN_BY_SLAB %d\n",
                 updates_panels, tiles->argmin_by_slab);
    const clprims_status status =
        clp_program_build(context, spec->who, &prelude, serially ? serial : many, &tiles->program);
    clp_text_free(&prelude);
    if (status != CLPRIMS_OK) return status;
    return clp_kernel_create(tiles->program, spec->who,
                             updates_panels ? "clp_paths_panel_update" : "clp_minplus_product",
                             &tiles->kernel);
}

/* Returns whether the tiles equal the tiles before them. */
static bool is_repeated(const clp_minplus_choice *choice) {
    if (choice->count == 0) return false;
    const clp_minplus_tiles *tiles = &choice->tiles[choice->count], *before = tiles - 1;
    return tiles->shape.tile_rows == before->shape.tile_rows &&
           tiles->shape.tile_columns == before->shape.tile_columns && !before->argmin_by_slab;
}

static bool fills_by_wide(const clp_minplus_choice *choice, double tiles) {
    return tiles >= 2.0 * (double)choice->compute_units;
}

static bool fills(const clp_minplus_choice *choice, const clp_minplus_tiles *tiles, double cells) {
    return cells >= least_cells[tiles->rank] * (double)choice->compute_units;
}

/* Wide tiles waste the cells outside C, and too few of them leave compute units idle. */
bool clp_minplus_is_wide(const clp_minplus_choice *choice, double tiles, double waste) {
    return choice->count == 1 || (fills_by_wide(choice, tiles) && waste < 1.5);
}

static double tiles_of(const clp_minplus_shape *shape, clp_minplus_size size) {
    const size_t down = (size.m + shape->tile_rows - 1) / shape->tile_rows;
    const size_t across = (size.n + shape->tile_columns - 1) / shape->tile_columns;
    return (double)down * (double)across * (double)size.batch;
}

/* All cells that the tiles compute, also outside C. */
static double cells_of(const clp_minplus_shape *shape, clp_minplus_size size) {
    return tiles_of(shape, size) * (double)(shape->tile_rows * shape->tile_columns);
}

/* Returns whether the tiles fill the device and the next rank would not halve the cells
 * computed.
 */
static bool suits(const clp_minplus_choice *choice, size_t at, clp_minplus_size size) {
    const clp_minplus_tiles *tiles = &choice->tiles[at];
    const double cells = cells_of(&tiles->shape, size);
    if (tiles->argmin_by_slab && size.k < SLAB_ARGMIN_K) return false;
    if (tiles->rank == CLP_MINPLUS_WIDE) {
        const double wanted = (double)size.m * (double)size.n * (double)size.batch;
        return clp_minplus_is_wide(choice, tiles_of(&tiles->shape, size), cells / wanted);
    }
    return fills(choice, tiles, cells) && cells < 2 * cells_of(&choice->tiles[at + 1].shape, size);
}

/* Returns whether a launch can choose the tiles: whether they fill the device with the largest
 * product. Serial tiles are cheap to compile, and tuning lines name the first ones. */
static bool can_suit(const clp_minplus_choice *choice, const clp_minplus_tiles *tiles,
                     clp_minplus_size most) {
    if (tiles->shape.group == 1 || most.m == 0 || most.n == 0 || most.batch == 0) return true;
    if (tiles->argmin_by_slab && most.k > 0 && most.k < SLAB_ARGMIN_K) return false;
    if (tiles->rank == CLP_MINPLUS_WIDE) {
        return fills_by_wide(choice, tiles_of(&tiles->shape, most));
    }
    return fills(choice, tiles, cells_of(&tiles->shape, most));
}

/* Closures have no small tiles: their blocks fill the device, and their plans compile enough. A
 * plan with a tuning text has none either, because the text would have to suit them too. Tiles that
 * no size can choose are omitted. */
clprims_status clp_minplus_choice_build(const clprims_context *context,
                                        const clp_minplus_spec *spec, const char *tuning,
                                        clp_minplus_choice *choice) {
    const int ranks = spec->keeps || tuning != NULL ? CLP_MINPLUS_SMALL : CLP_MINPLUS_RANKS;
    choice->compute_units = context->device.info.compute_units;
    for (int rank = CLP_MINPLUS_WIDE; rank < ranks; rank++) {
        clp_minplus_tiles *tiles = &choice->tiles[choice->count];
        const bool wide = rank == CLP_MINPLUS_WIDE || spec->follows;
        CLP_TRY(clp_minplus_shape_choose(context, spec,
                                         wide ? CLP_MINPLUS_WIDE : (clp_minplus_rank)rank, tuning,
                                         &tiles->shape));
        tiles->rank = (clp_minplus_rank)rank;
        tiles->argmin_by_slab = rank == CLP_MINPLUS_WIDE && spec->argmin && tiles->shape.group > 1;
        if (spec->argmin && !tiles->argmin_by_slab) {
            tiles->shape.pairs = 1;
            tiles->shape.signless = 0;
        }
        if (is_repeated(choice)) continue;
        CLP_TRY(clp_minplus_shape_check(context, spec, &tiles->shape));
        if (rank + 1 < ranks && !spec->idle && !can_suit(choice, tiles, spec->most)) continue;
        choice->count++; /* before the build, so that a failure frees it */
        if (spec->idle) break;
        CLP_TRY(build(context, spec, tiles));
    }
    return CLPRIMS_OK;
}

void clp_minplus_choice_free(clp_minplus_choice *choice) {
    for (size_t i = 0; i < choice->count; i++) {
        if (choice->tiles[i].kernel != NULL) clReleaseKernel(choice->tiles[i].kernel);
        if (choice->tiles[i].program != NULL) clReleaseProgram(choice->tiles[i].program);
    }
}

const clp_minplus_tiles *clp_minplus_choose_tiles(const clp_minplus_choice *choice,
                                                  clp_minplus_size size) {
    size_t at = 0;
    while (at + 1 < choice->count && !suits(choice, at, size)) at++;
    return &choice->tiles[at];
}

size_t clp_minplus_count_tiles(size_t n, size_t length, size_t kept, size_t kept_end) {
    const size_t first = (kept + length - 1) / length, end = kept_end / length;
    return (n + length - 1) / length - (end > first ? end - first : 0);
}

void clp_minplus_put_matrix(clp_arguments *a, clprims_matrix matrix) {
    CLP_PUT(a, matrix.mem, matrix.first, matrix.ld);
}

static void put_batch(clp_arguments *a, clprims_matrix matrix) {
    clp_minplus_put_matrix(a, matrix);
    clp_put_value(a, matrix.stride);
}

/* count: columns and rows of tiles of a matrix. */
static clprims_status set_arguments(const clp_minplus_tiles *tiles, const char *who,
                                    const clp_minplus_operands *o, cl_uint2 count) {
    const cl_int one = 1;
    clp_arguments a = {.count = 0};
    put_batch(&a, o->a);
    put_batch(&a, o->b);
    put_batch(&a, o->c);
    put_batch(&a, o->best);
    clp_minplus_put_matrix(&a, o->via);
    clp_put_bytes(&a, sizeof o->keep, &o->keep);
    CLP_PUT(&a, (cl_uint)o->size.m, (cl_uint)o->size.n, (cl_uint)o->size.k);
    clp_put_bytes(&a, sizeof count, &count);
    clp_put_bytes(&a, sizeof one, &one);
    if (tiles->shape.group > 1) CLP_PUT(&a, o->transposed.mem, o->transposed.ld);
    return clp_kernel_arguments(tiles->kernel, who, a.list, (cl_uint)a.count);
}

clprims_status clp_minplus_step(const clp_minplus_choice *choice, const char *who,
                                const clp_minplus_operands *o, clp_step *step) {
    const clp_minplus_tiles *tiles = clp_minplus_choose_tiles(choice, o->size);
    const clp_minplus_shape *shape = &tiles->shape;
    const cl_uint2 count = {{(cl_uint)clp_minplus_count_tiles(o->size.n, shape->tile_columns, 0, 0),
                             (cl_uint)clp_minplus_count_tiles(o->size.m, shape->tile_rows,
                                                              o->keep.s[0], o->keep.s[1])}};
    const uint64_t each = (uint64_t)count.s[0] * count.s[1];
    CLP_FAIL_IF(each > UINT32_MAX || o->size.batch > SIZE_MAX / shape->group / each,
                CLPRIMS_ERR_TOO_LARGE,
                "%s: m = %zu, n = %zu, batch = %zu are too many tiles of %zu * %zu", who, o->size.m,
                o->size.n, o->size.batch, shape->tile_rows, shape->tile_columns);
    *step = (clp_step){tiles->kernel, (size_t)each * o->size.batch, shape->group};
    return set_arguments(tiles, who, o, count);
}

/* m, n and k are 0, so that the one tile is outside C. */
clprims_status clp_minplus_blank_step(const clprims_context *context,
                                      const clp_minplus_tiles *tiles, const char *who,
                                      clp_step *step) {
    const clprims_matrix blank = {context->blank, 0, 0, 0};
    const clp_minplus_operands o = {
        .a = blank, .b = blank, .c = blank, .best = blank, .via = blank};
    const cl_uint2 one = {{1, 1}};
    *step = (clp_step){tiles->kernel, 1, tiles->shape.group};
    return set_arguments(tiles, who, &o, one);
}
