/* SPDX-License-Identifier: MIT */
/* The shapes of a single pass's tiles: defaults, tuning, what a device allows, and their macros. */
#include "engine/single_pass_shape.h"
#include "core/context.h"
#include "core/layer.h"
#include "core/test_hooks.h"
#include "core/tuning.h"
#include "engine/single_pass_knobs.h"

#include <stdio.h>
#include <string.h>

size_t clp_shape_vec(size_t a_bytes, size_t b_bytes) {
    const size_t narrow = a_bytes < b_bytes ? a_bytes : b_bytes;
    const size_t wide = a_bytes + b_bytes - narrow;
    const size_t per_wide = wide < 16 ? 16 / wide : 1;
    const size_t vec = narrow < wide ? 2 * per_wide : per_wide;
    size_t power = 1;
    while (2 * power <= vec) power *= 2;
    return power;
}

static size_t or_default(size_t wanted, size_t usual) {
    return wanted > 0 ? wanted : usual;
}

/* ---- One tile a group ---- */

/* Rows of a group of many, which are unrolled in the program's text. */
enum { GROUP_ROWS = 4, MOST_UNROLLED_ROWS = 64 };

static clprims_status check_rows(const char *who, const clp_shape *shape) {
    if (shape->group == 1 || shape->rows <= MOST_UNROLLED_ROWS) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: ROWS=%zu; for GROUP=%zu it must be at most %d", who,
                    shape->rows, shape->group, MOST_UNROLLED_ROWS);
}

static clprims_status check_group(const clprims_context *context, const char *who, size_t group) {
    const size_t width = context->subgroup_width;
    const size_t most = context->device.max_group;
    const size_t subgroups = group / width;
    const bool fits = context->layer == CLPRIMS_LAYER_LOCAL || group == 1 ||
                      (group % width == 0 && subgroups <= width);
    if (group > most || !fits) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: GROUP=%zu; it must be 1 or a multiple of the sub-group's width "
                        "%zu, at most %zu times it, and at most %zu",
                        who, group, width, width, most);
    }
    return CLPRIMS_OK;
}

static clprims_status check_wave(const clprims_context *context, const char *who,
                                 const clp_shape *shape) {
    if (shape->wave && shape->group < context->subgroup_width) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: WAVE=1 with GROUP=%zu; it needs a sub-group's width of %zu at least",
                        who, shape->group, context->subgroup_width);
    }
    return CLPRIMS_OK;
}

/* The tests' wishes, on top of what the knobs say. */
static clprims_status take_hooks(const clprims_context *context, const char *who,
                                 clp_shape *shape) {
    const clp_test_hooks *hooks = clp_test_hooks_get();
    const size_t own = (size_t)context->device.compute_capability;
    shape->mute = hooks->mute;
    shape->late = hooks->late;
    shape->first_run = hooks->first_run;
    shape->capability = or_default(hooks->capability, own);
    if (shape->capability <= own) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                    "%s: a test asks for compute capability %zu; the device has %zu", who,
                    shape->capability, own);
}

/* Elements that fill the largest cache, input and output together. */
static size_t choose_stream_n(const clprims_context *context, const clp_pass_need *need) {
    const size_t bits = need->staged_bits + 8 * need->out_bytes;
    const size_t n = bits > 0 ? 8 * context->device.cache_bytes / bits : 0;
    return n > 0 ? n : 1;
}

/* Fewer elements are scanned by one core before a second one has been woken. */
enum { ALONE_N = 5 << 14 };

static void set_serial(const clprims_context *context, const clp_pass_need *need,
                       const clp_knob *knobs, clp_shape *shape) {
    const bool is_cpu = context->device.is_cpu;
    shape->simd = is_cpu && need->simd > 0 ? need->simd : 1;
    shape->ahead = context->device.cache_bytes > 0 ? context->device.info.compute_units : 0;
    if (shape->group > 1 || shape->simd == 1) return;
    if (knobs[CLP_TILE_ALONE].set) {
        shape->alone_n = knobs[CLP_TILE_ALONE].value;
    } else {
        /* Whoever sets the rows of a tile wants such tiles. */
        shape->alone_n = knobs[CLP_TILE_ROWS].set ? 0 : ALONE_N;
    }
}

/* Work-items that exchange values through local memory have a place each. */
static clprims_status check_exchange(const clprims_context *context, const clp_pass_need *need,
                                     const clp_shape *shape) {
    const size_t bytes = clp_exchange_bytes(shape, need->value_bytes);
    if (bytes <= context->device.local_bytes) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "%s: GROUP=%zu takes %zu bytes of local memory; \"%s\" has %zu", need->who,
                    shape->group, bytes, context->device.info.name, context->device.local_bytes);
}

/* Makes one long row: each row would cost barriers, and none may stand in a loop. */
static clprims_status join_rows(const clp_pass_need *need, bool given, clp_shape *shape) {
    const size_t most = need->most_vec > 0 ? need->most_vec / shape->vec : MOST_UNROLLED_ROWS;
    if (given && shape->rows > most) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: ROWS=%zu; for GROUP=%zu in the local layer it must be at most %zu",
                        need->who, shape->rows, shape->group, most);
    }
    while (shape->rows > most) shape->rows /= 2;
    shape->vec *= shape->rows;
    shape->rows = 1;
    return CLPRIMS_OK;
}

clprims_status clp_shape_choose(const clprims_context *context, const clp_pass_need *need,
                                const char *name, const char *tuning, clp_shape *shape) {
    const bool is_cpu = context->device.is_cpu;
    const bool can_wave = need->can_wave && context->layer == CLPRIMS_LAYER_NVIDIA;
    clp_knob knobs[CLP_TILE_KNOBS];
    memcpy(knobs, clp_tile_knobs, sizeof knobs);
    knobs[CLP_TILE_GROUP].value = is_cpu ? 1 : 256;
    while (knobs[CLP_TILE_GROUP].value > context->device.max_group) {
        knobs[CLP_TILE_GROUP].value /= 2;
    }
    knobs[CLP_TILE_ROWS].value = or_default(need->rows, is_cpu ? 8192 : GROUP_ROWS);
    knobs[CLP_TILE_WAVE].value = can_wave && need->looks_ahead;
    knobs[CLP_TILE_WAVE].most = can_wave;
    knobs[CLP_TILE_FETCH].value = context->device.info.compute_units;
    knobs[CLP_TILE_STREAM].value = choose_stream_n(context, need);
    CLP_TRY(clp_knobs_set(context, name, need->element_bytes, tuning, knobs, CLP_TILE_KNOBS));
    if (!knobs[CLP_TILE_ROWS].set && knobs[CLP_TILE_GROUP].value > 1 &&
        knobs[CLP_TILE_ROWS].value > GROUP_ROWS) {
        knobs[CLP_TILE_ROWS].value = GROUP_ROWS; /* a CPU's own rows are for single work-items */
    }
    *shape = (clp_shape){.group = knobs[CLP_TILE_GROUP].value,
                         .rows = knobs[CLP_TILE_ROWS].value,
                         .vec = need->vec,
                         .spins = knobs[CLP_TILE_SPINS].value,
                         .stream_n = knobs[CLP_TILE_STREAM].value,
                         .wave = knobs[CLP_TILE_WAVE].value > 0};
    set_serial(context, need, knobs, shape);
    CLP_TRY(take_hooks(context, need->who, shape));
    CLP_TRY(check_group(context, need->who, shape->group));
    CLP_TRY(check_rows(need->who, shape));
    CLP_TRY(check_wave(context, need->who, shape));
    const bool lanes_share_memory = context->layer == CLPRIMS_LAYER_LOCAL && shape->group > 1;
    if (lanes_share_memory) {
        CLP_TRY(join_rows(need, knobs[CLP_TILE_ROWS].given, shape));
        CLP_TRY(check_exchange(context, need, shape));
    }
    const bool alone = shape->group == 1 || lanes_share_memory || is_cpu;
    const size_t width = context->subgroup_width < 32 ? context->subgroup_width : 32;
    shape->window = alone ? 1 : width;
    shape->tile = shape->group * shape->rows * shape->vec;
    shape->apart = need->looks_apart && !shape->wave && !alone &&
                   shape->group + width <= context->device.max_group;
    if (shape->apart) {
        shape->group += width;
        shape->fetch = knobs[CLP_TILE_FETCH].value;
    }
    return CLPRIMS_OK;
}

/* ---- Groups that stay ---- */

enum {
    WARP = 32,
    KB = 1024,
    RING_NOTES_BYTES = 1024 /* gates, numbers, padding: what a ring has besides values */
};

/* Local memory that a ring may take, with the means of that compute capability. */
static size_t most_local_bytes(const clprims_context *context, size_t capability) {
    const size_t most = clp_local_bytes_of((int)capability);
    const size_t here = context->device.static_local_bytes;
    return most < here ? most : here;
}

static size_t ring_bytes(const clp_pass_need *need, const clp_shape *shape) {
    const size_t input = shape->tile / 8 * need->staged_bits;
    const size_t notes = 2 * shape->scanners * need->value_bytes + 64;
    const size_t slots = shape->freed_early ? 2 * shape->stages : shape->stages;
    return shape->stages * (input + need->stage_bytes + 384) + slots * notes + RING_NOTES_BYTES +
           shape->tile / 8 * need->kept_bits + need->ring_bytes;
}

static clprims_status check_ring(const clprims_context *context, const clp_pass_need *need,
                                 const clp_shape *shape) {
    const size_t bytes = ring_bytes(need, shape);
    const size_t most = most_local_bytes(context, shape->capability);
    if (bytes > most || shape->group > 1024) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: lookahead with SCANNERS=%zu REDUCERS=%zu ROWS=%zu STAGES=%zu takes "
                        "%zu bytes of local memory and %zu work-items; at most %zu and 1024",
                        need->who, shape->scanners, shape->reducers, shape->rows, shape->stages,
                        bytes, shape->group, most);
    }
    return CLPRIMS_OK;
}

/* Where a multiprocessor has less room than the 9.0 that the ample rings were measured on. */
static bool is_tight(size_t capability) {
    return clp_local_bytes_of((int)capability) < 227 * KB;
}

/* Makes tiles smaller until the ring fits so many bytes. */
static void shrink_ring(const clp_pass_need *need, size_t most, clp_shape *shape) {
    for (;;) {
        shape->tile = shape->scanners * shape->rows * shape->vec * WARP;
        if (ring_bytes(need, shape) <= most) return;
        if (shape->rows > 1) {
            shape->rows--;
        } else if (shape->stages > 2) {
            shape->stages--;
        } else if (shape->scanners > 1) {
            shape->scanners /= 2;
        } else {
            return;
        }
    }
}

/* What the tuning leaves open. */
static clp_shape default_ring(const clprims_context *context, const clp_pass_need *need,
                              size_t capability) {
    clp_shape ample = {.scanners = or_default(need->scanners, 8),
                       .reducers = or_default(need->reducers, 4),
                       .rows = or_default(need->ring_rows, 8),
                       .stages = or_default(need->stages, 6),
                       .vec = or_default(need->ring_vec, need->vec),
                       .loaders = 1,
                       .units = or_default(need->units, 3),
                       .most_groups = 1};
    clp_shape small = {.scanners = 7,
                       .reducers = 7,
                       .rows = 4,
                       .stages = 3,
                       .vec = ample.vec,
                       .loaders = capability < 80 ? 4 : 2,
                       .units = or_default(need->units, 2),
                       .freed_early = true,
                       .most_groups = 2};
    shrink_ring(need, most_local_bytes(context, capability), &ample);
    shrink_ring(need, 48 * KB, &small);
    return is_tight(capability) ? small : ample;
}

/* What a block of tiles may read and write, so that the next block's input, which comes into the
 * cache while this one's is taken, is not pushed out again. Devices do not say how large their
 * level 2 cache is, but none has fewer than 400 KB a multiprocessor where this is used. */
static size_t burst_kb(const clprims_context *context) {
    return 136 * context->device.info.compute_units;
}

/* Below 9.0 each tile is brought into the cache by itself. */
static size_t burst_tiles(const clp_pass_need *need, const clp_shape *shape) {
    const size_t bytes = shape->tile * (need->staged_bits + 8 * need->out_bytes) / 8;
    return need->bursts && shape->capability >= 90 ? KB * shape->burst_kb / bytes : 0;
}

/* The knob's value, or what is usual where no tuning text sets it. */
static size_t if_set(const clp_knob *knob, size_t usual) {
    return knob->set ? knob->value : usual;
}

static clprims_status read_ring(const clprims_context *context, const clp_pass_need *need,
                                clp_shape *shape, clp_pass_sizes *sizes) {
    char name[64];
    clp_knob knobs[CLP_RING_KNOBS];
    snprintf(name, sizeof name, "%s-lookahead", need->who);
    memcpy(knobs, clp_ring_knobs, sizeof knobs);
    knobs[CLP_RING_BURST].value = need->bursts ? burst_kb(context) : 0;
    if (!need->bursts) knobs[CLP_RING_BURST].most = 0;
    CLP_TRY(clp_knobs_set(context, name, need->element_bytes, need->tuning, knobs, CLP_RING_KNOBS));
    *shape = (clp_shape){.vec = or_default(need->ring_vec, need->vec),
                         .window = WARP,
                         .spins = 1,
                         .burst_kb = knobs[CLP_RING_BURST].value};
    CLP_TRY(take_hooks(context, need->who, shape));
    const clp_shape usual = default_ring(context, need, shape->capability);
    shape->scanners = if_set(&knobs[CLP_RING_SCANNERS], usual.scanners);
    shape->reducers = if_set(&knobs[CLP_RING_REDUCERS], usual.reducers);
    shape->loaders = if_set(&knobs[CLP_RING_LOADERS], usual.loaders);
    shape->rows = if_set(&knobs[CLP_RING_ROWS], usual.rows);
    shape->stages = if_set(&knobs[CLP_RING_STAGES], usual.stages);
    shape->units = if_set(&knobs[CLP_RING_UNITS], usual.units);
    shape->most_groups = if_set(&knobs[CLP_RING_GROUPS], usual.most_groups);
    shape->freed_early = usual.freed_early;
    sizes->small = knobs[CLP_RING_SMALL].value;
    sizes->few = knobs[CLP_RING_FEW].value;
    return CLPRIMS_OK;
}

clprims_status clp_shape_choose_ring(const clprims_context *context, const clp_pass_need *need,
                                     clp_shape *shape, clp_pass_sizes *sizes) {
    CLP_TRY(read_ring(context, need, shape, sizes));
    if (shape->capability >= 90) shape->loaders = 1; /* one work-item starts a bulk copy */
    shape->most_groups *= context->device.info.compute_units;
    shape->tile = shape->scanners * shape->rows * shape->vec * WARP;
    /* A line of a tuning file does not know how large the elements are. */
    if (need->tuning == NULL)
        shrink_ring(need, most_local_bytes(context, shape->capability), shape);
    shape->burst = burst_tiles(need, shape);
    shape->group = (shape->scanners + shape->reducers + 1 + shape->loaders) * WARP;
    return check_ring(context, need, shape);
}

/* ---- Macros ---- */

void clp_shape_add(clp_text *text, const clp_shape *shape, size_t value_bytes, bool word_sums) {
    const size_t words = word_sums ? 1 : clp_shape_words(value_bytes);
    clp_text_add(text, "#define CLP_GROUP %zu\n#define CLP_VEC %zu\n#define CLP_ROWS %zu\n",
                 shape->group, shape->vec, shape->rows);
    clp_text_add(text, "#define CLP_WINDOW %zu\n#define CLP_SPINS %zu\n#define CLP_MUTE %zu\n",
                 shape->window, shape->spins, shape->mute);
    clp_text_add(text, "#define CLP_LATE %zu\n#define CLP_UNALIGNED %d\n", shape->late,
                 shape->unaligned);
    clp_text_add(text, "#define CLP_SHORT_SUMS %d\n", shape->short_sums);
    if (shape->group == 1) {
        clp_text_add(text,
                     "#define CLP_SIMD %zu\n#define CLP_AHEAD %zu\n#define CLP_STREAM_N %zuul\n",
                     shape->simd, shape->ahead, shape->stream_n);
    }
    if (shape->group > 1) clp_text_add_each(text, "CLP_EACH_ROW", shape->rows);
    if (shape->wave) {
        clp_text_add(text, "#define CLP_WORD_SUMS %d\n#define CLP_FEW %d\n", word_sums, shape->few);
    }
    if (shape->apart) {
        clp_text_add(text, "#define CLP_SCANNERS %zu\n#define CLP_FETCH %zu\n",
                     shape->tile / (shape->rows * shape->vec * WARP), shape->fetch);
        clp_text_add(text, "#define CLP_WORD_SUMS %d\n", word_sums);
    }
    if (shape->apart || shape->stages > 0) {
        clp_text_add(text, "#undef CLP_COMPUTE_CAPABILITY\n#define CLP_COMPUTE_CAPABILITY %zu\n",
                     shape->capability);
    }
    if (shape->stages == 0) return;
    clp_text_add(text, "#define CLP_SCANNERS %zu\n#define CLP_REDUCERS %zu\n", shape->scanners,
                 shape->reducers);
    clp_text_add(text, "#define CLP_LOADERS %zu\n#define CLP_FREED_EARLY %d\n", shape->loaders,
                 shape->freed_early);
    clp_text_add(text, "#define CLP_STAGES %zu\n#define CLP_UNITS %zu\n#define CLP_BURST %zu\n",
                 shape->stages, shape->units, shape->burst);
    clp_text_add_each(text, "CLP_EACH_UNIT", shape->units);
    clp_text_add(text, "#define CLP_WORD_SUMS %d\n", word_sums);
    const size_t load_words = words % 2 == 0 ? 2 : 1;
    clp_text_add(text, "#define CLP_LOAD_WORDS %zu\n", load_words);
    clp_text_add_each(text, "CLP_EACH_LOAD", shape->units * words / load_words);
}
