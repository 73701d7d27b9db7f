/* SPDX-License-Identifier: MIT */
/* Reductions by length of short rows: a work-group takes a tile of whole rows
 * (cl/segmented/segmented_rows.cl). The room of a tile, and which runs it is for. */
#include "segmented/segmented_plan.h"

/* Up to 32 elements of a work-item in a tile; fewer of values of more than 4 bytes. */
enum { ITEM_BYTES = 128, MOST_ITEMS = 32, LEAST_ITEMS = 4 };
enum { LEAST_GROUP = 4 };

/* Returns the local memory of a group, at most: the values and the numbers of a run. */
static size_t bytes_of(size_t tile, size_t value_bytes) {
    enum { LOADED = 16, PAD = 8, OTHERS = 64 };
    const size_t places = tile + LOADED;
    return (places + places / PAD + 1) * value_bytes + OTHERS;
}

size_t clp_segmented_row_tile(const clprims_context *context, const clp_segmented_spec *spec,
                              const clp_segmented_shape *shape) {
    const size_t fitting = clp_at_least(ITEM_BYTES / spec->value_bytes, LEAST_ITEMS);
    const size_t tile = shape->group * (fitting < MOST_ITEMS ? fitting : MOST_ITEMS);
    const bool fits = bytes_of(tile, spec->value_bytes) <= context->device.static_local_bytes;
    return spec->reduces && spec->by == CLPRIMS_SEGMENTS_EQUAL && shape->group >= LEAST_GROUP &&
                   fits
               ? tile
               : 0;
}

bool clp_segmented_by_rows(const clprims_segmented *plan, const clp_segmented_run *run) {
    const size_t length = run->buffers.sizes.length;
    return plan->rows != NULL && !run->warms_up && length <= CLP_SEGMENTED_SHORT_ROW &&
           length <= plan->shape.row_tile;
}

/* Tiles begin at whole loads of 16 bytes, where elements of 4 bytes do. */
size_t clp_segmented_rows_of_tile(const clprims_segmented *plan, const clp_segmented_run *run) {
    const size_t rows = plan->shape.row_tile / clp_at_least(run->buffers.sizes.length, 1);
    return rows < 4 ? rows : rows / 4 * 4;
}
