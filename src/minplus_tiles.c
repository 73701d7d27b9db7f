/* SPDX-License-Identifier: MIT */
/* One specialisation of the product: compiling it, and one launch of it. */
#include "minplus_plan.h"

/* From so many k on it pays to note slabs for argmin: looking for k in the last one takes as long
 * as folding some tens of pairs. */
enum { NOTED_K = 256 };

static clprims_status build(const clprims_context *context, const clp_minplus_spec *spec,
                            clp_minplus_tiles *tiles) {
    static const char *const serial[] = {"minplus_values.cl", "minplus_serial.cl", NULL};
    static const char *const many[] = {"minplus_values.cl", "minplus_noting.cl", "minplus_cells.cl",
                                       "minplus_staged.cl", "minplus.cl",        NULL};
    static const char *const noting[] = {"minplus_values.cl",
                                         "minplus_noting.cl",
                                         "minplus_cells.cl",
                                         "minplus_staged.cl",
                                         "minplus_argmin.cl",
                                         "minplus.cl",
                                         NULL};
    static const char *const cross[] = {"minplus_values.cl",
                                        "minplus_noting.cl",
                                        "minplus_cells.cl",
                                        "minplus_staged.cl",
                                        "minplus_cross.cl",
                                        "minplus.cl",
                                        NULL};
    const bool serially = tiles->shape.group == 1, crosses = spec->crosses && !serially;
    const char *const *parts = serially             ? serial
                               : crosses            ? cross
                               : tiles->notes_slabs ? noting
                                                    : many;
    clp_text prelude = {0};
    clp_minplus_add_prelude(&prelude, context, spec, &tiles->shape);
    clp_text_add(&prelude, "#define CLP_CROSSES %d\n#define CLP_NOTES_SLABS %d\n", crosses,
                 tiles->notes_slabs);
    const clprims_status status = clp_program_build_limited(
        context, spec->who, &prelude, parts, tiles->shape.registers, &tiles->program);
    clp_text_free(&prelude);
    if (status != CLPRIMS_OK) return status;
    return clp_kernel_create(tiles->program, spec->who,
                             crosses ? "clp_paths_cross" : "clp_minplus_product", &tiles->kernel);
}

clprims_status clp_minplus_both_build(const clprims_context *context, const clp_minplus_spec *spec,
                                      const char *tuning, clp_minplus_both *both) {
    clp_minplus_shape *wide = &both->wide.shape, *narrow = &both->narrow.shape;
    both->compute_units = context->device.info.compute_units;
    CLP_TRY(clp_minplus_shape_choose(context, spec, false, tuning, wide));
    CLP_TRY(clp_minplus_shape_choose(context, spec, true, tuning, narrow));
    both->wide.notes_slabs = spec->argmin && wide->group > 1;
    if (spec->follows) *narrow = *wide;
    CLP_TRY(build(context, spec, &both->wide));
    if (narrow->tile_rows == wide->tile_rows && narrow->tile_columns == wide->tile_columns &&
        !both->wide.notes_slabs) {
        return CLPRIMS_OK;
    }
    return build(context, spec, &both->narrow);
}

static void free_tiles(clp_minplus_tiles *tiles) {
    if (tiles->kernel != NULL) clReleaseKernel(tiles->kernel);
    if (tiles->program != NULL) clReleaseProgram(tiles->program);
}

void clp_minplus_both_free(clp_minplus_both *both) {
    free_tiles(&both->wide);
    free_tiles(&both->narrow);
}

/* Wide tiles waste what lies outside of C, and leave compute units without a group when few. */
bool clp_minplus_is_wide(const clp_minplus_both *both, double tiles, double waste) {
    return both->narrow.program == NULL ||
           (tiles >= 2.0 * (double)both->compute_units && waste < 1.5);
}

static const clp_minplus_tiles *choose_tiles(const clp_minplus_both *both,
                                             clprims_minplus_size size) {
    const clp_minplus_shape *shape = &both->wide.shape;
    const size_t down = (size.m + shape->tile_rows - 1) / shape->tile_rows;
    const size_t across = (size.n + shape->tile_columns - 1) / shape->tile_columns;
    const double tiles = (double)down * (double)across * (double)size.batch;
    const double waste = (double)(down * shape->tile_rows) *
                         (double)(across * shape->tile_columns) / ((double)size.m * (double)size.n);
    const bool is_short = both->wide.notes_slabs && size.k < NOTED_K;
    return !is_short && clp_minplus_is_wide(both, tiles, waste) ? &both->wide : &both->narrow;
}

size_t clp_minplus_count_tiles(size_t n, size_t length, size_t kept, size_t kept_end) {
    const size_t first = (kept + length - 1) / length, end = kept_end / length;
    return (n + length - 1) / length - (end > first ? end - first : 0);
}

typedef struct matrix_words {
    cl_ulong first, ld, stride;
} matrix_words;

static matrix_words words_of(clprims_matrix matrix) {
    return (matrix_words){matrix.first, matrix.ld, matrix.stride};
}

clprims_status clp_minplus_step(const clp_minplus_both *both, const char *who,
                                const clp_minplus_operands *o, clp_step *step) {
    const clp_minplus_tiles *tiles = choose_tiles(both, o->size);
    const clp_minplus_shape *shape = &tiles->shape;
    const matrix_words a = words_of(o->a), b = words_of(o->b), c = words_of(o->c);
    const matrix_words best = words_of(o->best), via = words_of(o->via);
    const cl_uint m = (cl_uint)o->size.m, n = (cl_uint)o->size.n, k = (cl_uint)o->size.k;
    const cl_uint2 count = {{(cl_uint)clp_minplus_count_tiles(o->size.n, shape->tile_columns, 0, 0),
                             (cl_uint)clp_minplus_count_tiles(o->size.m, shape->tile_rows,
                                                              o->keep.s[0], o->keep.s[1])}};
    const cl_int one = 1;
    const uint64_t each = (uint64_t)count.s[0] * count.s[1];
    if (each > UINT32_MAX || o->size.batch > SIZE_MAX / shape->group / each) {
        return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                        "%s: m = %zu, n = %zu, batch = %zu are too many tiles of %zu * %zu", who,
                        o->size.m, o->size.n, o->size.batch, shape->tile_rows, shape->tile_columns);
    }
    const clp_argument arguments[] = {
        CLP_ARGUMENT(o->a.mem),    CLP_ARGUMENT(a.first),    CLP_ARGUMENT(a.ld),
        CLP_ARGUMENT(a.stride),    CLP_ARGUMENT(o->b.mem),   CLP_ARGUMENT(b.first),
        CLP_ARGUMENT(b.ld),        CLP_ARGUMENT(b.stride),   CLP_ARGUMENT(o->c.mem),
        CLP_ARGUMENT(c.first),     CLP_ARGUMENT(c.ld),       CLP_ARGUMENT(c.stride),
        CLP_ARGUMENT(o->best.mem), CLP_ARGUMENT(best.first), CLP_ARGUMENT(best.ld),
        CLP_ARGUMENT(best.stride), CLP_ARGUMENT(o->via.mem), CLP_ARGUMENT(via.first),
        CLP_ARGUMENT(via.ld),      CLP_ARGUMENT(o->keep),    CLP_ARGUMENT(m),
        CLP_ARGUMENT(n),           CLP_ARGUMENT(k),          CLP_ARGUMENT(count),
        CLP_ARGUMENT(one)};
    *step = (clp_step){tiles->kernel, (size_t)each * o->size.batch, shape->group};
    return clp_kernel_arguments(tiles->kernel, who, arguments,
                                sizeof arguments / sizeof arguments[0]);
}
