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

enum { WARP = 32 };

static size_t or_default(size_t wanted, size_t usual) {
    return wanted > 0 ? wanted : usual;
}

/* The knob's value, or what is usual where no tuning text sets it. */
static size_t if_set(const clp_knob *knob, size_t usual) {
    return knob->set ? knob->value : usual;
}

/* ---- One tile a group ---- */

/* Rows of a group of many, which are unrolled in the program's text. */
enum { GROUP_ROWS = 4, JOINED_ROWS = 8, MOST_UNROLLED_ROWS = 64 };
/* Of a work-item, as cl/tile/io.cl has them; of a tile. */
enum { CHUNK = 16, MOST_TURNED = 8, TURNED_BYTES = 40 << 10, JOINED_BYTES = 32 << 10 };

static clprims_status check_rows(const char *who, const clp_shape *shape) {
    if (clp_shape_is_serial(shape) || shape->rows <= MOST_UNROLLED_ROWS) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: ROWS=%zu; for GROUP=%zu it must be at most %d", who,
                    shape->rows, shape->group, MOST_UNROLLED_ROWS);
}

/* Local memory of a work-group whose work-items exchange values there, or whose vectors go through
 * it with a gap of a chunk each: clp_shared_room of cl/engine/group_scan.cl. */
static size_t group_bytes(const clp_pass_need *need, const clp_shape *shape) {
    const size_t wide = clp_at_least(need->element_bytes, need->out_bytes);
    const size_t chunks = shape->rows * shape->vec * wide / CHUNK;
    const bool turns = chunks <= MOST_TURNED && shape->group * (chunks + 1) * CHUNK <= TURNED_BYTES;
    return clp_exchange_bytes(
        shape, clp_at_least(need->value_bytes, turns ? (chunks + 1) * CHUNK / 2 : 0));
}

/* Whether a work-group may be so large. One sub-group scans the aggregates of all sub-groups of its
 * work-group, a lane each: there are at most as many sub-groups as lanes. In the local layer all
 * work-items exchange values through local memory. */
static bool has_room(const clprims_context *context, const clp_pass_need *need, size_t group) {
    const clp_shape shape = {.group = group};
    const size_t width = context->subgroup_width;
    if (group == 1) return true;
    if (context->layer != CLPRIMS_LAYER_LOCAL) return group <= width * width;
    return group_bytes(need, &shape) <= context->device.local_bytes;
}

static clprims_status check_group(const clprims_context *context, const char *who, size_t group) {
    const size_t width = context->subgroup_width;
    const bool fits = group == 1 || (group % width == 0 && group / width <= width);
    CLP_FAIL_IF(!fits && context->layer != CLPRIMS_LAYER_LOCAL, CLPRIMS_ERR_ARGUMENT,
                "%s: GROUP=%zu; it must be 1 or a multiple of the sub-group's width %zu, at most "
                "%zu times it",
                who, group, width, width);
    return CLPRIMS_OK;
}

static clprims_status check_wave(const clprims_context *context, const char *who, size_t group) {
    if (group >= context->subgroup_width) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "%s: WAVE=1 with GROUP=%zu; GROUP must be at least the sub-group's width %zu",
                    who, group, context->subgroup_width);
}

/* The compute capability whose instructions are used. A test may ask for an older one. */
static clprims_status choose_capability(const clprims_context *context, const char *who,
                                        size_t *capability) {
    const size_t own = (size_t)context->device.compute_capability;
    *capability = or_default(clp_test_hooks_get()->capability, own);
    if (*capability <= own) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                    "%s: a test asks for compute capability %zu; the device has %zu", who,
                    *capability, own);
}

/* The number of elements whose input and output fill a CPU's largest cache. */
static size_t choose_stream_n(const clprims_context *context, const clp_pass_need *need) {
    const size_t bits = need->staged_bits + 8 * need->out_bytes;
    const size_t n = bits > 0 ? 8 * context->device.cache_bytes / bits : 0;
    return !context->device.is_cpu ? SIZE_MAX : n > 0 ? n : 1;
}

/* One core scans fewer elements before a second core has been woken. */
enum { SINGLE_N = 5 << 14 };

static clp_serial_shape choose_serial(const clprims_context *context, const clp_pass_need *need,
                                      const clp_knob *knobs) {
    clp_serial_shape serial = {.spins = knobs[CLP_TILE_SPINS].value,
                               .simd = context->device.is_cpu ? or_default(need->simd, 1) : 1,
                               .stream_n = knobs[CLP_TILE_STREAM].value};
    if (context->device.is_cpu && context->device.cache_bytes > 0)
        serial.ahead = context->device.info.compute_units;
    if (serial.simd == 1) return serial;
    /* Whoever sets the rows of a tile wants tiles, not one work-item for all. */
    const size_t usual = knobs[CLP_TILE_ROWS].set ? 0 : SINGLE_N;
    serial.single_n = if_set(&knobs[CLP_TILE_SINGLE], usual);
    return serial;
}

/* Work-items that exchange values through local memory have a place there each. */
static clprims_status check_exchange(const clprims_context *context, const clp_pass_need *need,
                                     const clp_shape *shape) {
    const size_t bytes = group_bytes(need, shape);
    if (bytes <= context->device.local_bytes) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "%s: GROUP=%zu takes %zu bytes of local memory; \"%s\" has %zu", need->who,
                    shape->group, bytes, context->device.info.name, context->device.local_bytes);
}

/* Joins the rows to one: each row costs barriers, and no barrier may stand in a loop. There are as
 * many as tiles of 32 KB have: int64 of 2^27 takes 592 us, not 779 with 16 KB, offsets 610, not 779
 * (H200, 2026-11-29). The gaps of what goes through local memory are a quarter at most. */
static clprims_status join_rows(const clprims_context *context, const clp_pass_need *need,
                                bool given, clp_shape *shape) {
    const size_t most = need->packs_rows ? GROUP_ROWS : MOST_UNROLLED_ROWS;
    const size_t row = shape->vec * clp_at_least(need->element_bytes, need->out_bytes);
    const size_t tile = clp_at_most(2 * context->device.local_bytes / 3, JOINED_BYTES);
    const size_t fitting = clp_at_most(tile / shape->group, MOST_TURNED * CHUNK) / row;
    CLP_FAIL_IF(given && shape->rows > most, CLPRIMS_ERR_ARGUMENT,
                "%s: ROWS=%zu; for GROUP=%zu in the local layer it must be at most %zu", need->who,
                shape->rows, shape->group, most);
    if (need->packs_rows) return CLPRIMS_OK;
    if (!given) shape->rows = clp_halved(JOINED_ROWS, clp_at_least(fitting, 1));
    shape->vec *= shape->rows;
    shape->rows = 1;
    return CLPRIMS_OK;
}

/* Whether the plan may launch a single wave, by itself or because a knob asks for one. */
static bool may_be_wave(const clprims_context *context, const clp_pass_need *need) {
    return clp_variant_is_there(context, need, CLP_SINGLE_WAVE) &&
           (need->algorithm == CLPRIMS_ALGORITHM_LOOKBACK ||
            need->algorithm == CLPRIMS_ALGORITHM_LOOKAHEAD);
}

static clprims_status read_knobs(const clprims_context *context, const clp_pass_need *need,
                                 clp_variant wish, const char *tuning,
                                 clp_knob knobs[CLP_TILE_KNOBS]) {
    const bool is_cpu = context->device.is_cpu;
    const bool may_wave = may_be_wave(context, need);
    char key[64];
    snprintf(key, sizeof key, "%s%s", need->who, clp_variants[wish].key);
    memcpy(knobs, clp_tile_knobs, CLP_TILE_KNOBS * sizeof *knobs);
    knobs[CLP_TILE_GROUP].value = or_default(need->group, is_cpu ? 1 : 256);
    while (!has_room(context, need, knobs[CLP_TILE_GROUP].value)) knobs[CLP_TILE_GROUP].value /= 2;
    knobs[CLP_TILE_ROWS].value = or_default(need->rows, is_cpu ? 8192 : GROUP_ROWS);
    knobs[CLP_TILE_WAVE].value = may_wave && clp_variants[wish].is_wave;
    knobs[CLP_TILE_WAVE].most = may_wave;
    knobs[CLP_TILE_STREAM].value = choose_stream_n(context, need);
    CLP_TRY(clp_knobs_set(context, key, need->element_bytes, tuning, knobs, CLP_TILE_KNOBS));
    if (!knobs[CLP_TILE_ROWS].set && knobs[CLP_TILE_GROUP].value > 1 &&
        knobs[CLP_TILE_ROWS].value > GROUP_ROWS) {
        knobs[CLP_TILE_ROWS].value = GROUP_ROWS; /* a CPU's own rows are for single work-items */
    }
    return CLPRIMS_OK;
}

/* The variant that the knobs make of the wished one. */
static clp_variant choose_variant(clp_variant wish, size_t group, bool waves) {
    if (group == 1) return clp_variants[wish].serial;
    if (waves) return clp_variants[wish].is_wave ? wish : CLP_SINGLE_WAVE;
    return clp_variants[wish].is_wave ? CLP_LOOKBACK : wish;
}

clprims_status clp_shape_choose(const clprims_context *context, const clp_pass_need *need,
                                clp_variant wish, const char *tuning, clp_shape *shape) {
    clp_knob knobs[CLP_TILE_KNOBS];
    CLP_TRY(read_knobs(context, need, wish, tuning, knobs));
    const size_t group = knobs[CLP_TILE_GROUP].value;
    const bool waves = knobs[CLP_TILE_WAVE].value > 0;
    *shape = (clp_shape){.variant = choose_variant(wish, group, waves),
                         .group = group,
                         .rows = knobs[CLP_TILE_ROWS].value,
                         .vec = need->vec};
    CLP_TRY(choose_capability(context, need->who, &shape->capability));
    CLP_TRY(check_group(context, need->who, group));
    CLP_TRY(check_rows(need->who, shape));
    if (waves) CLP_TRY(check_wave(context, need->who, group));
    const bool lanes_share_memory = context->layer == CLPRIMS_LAYER_LOCAL && group > 1;
    if (lanes_share_memory) {
        if (!knobs[CLP_TILE_ROWS].given && shape->rows > GROUP_ROWS) shape->rows = GROUP_ROWS;
        CLP_TRY(join_rows(context, need, knobs[CLP_TILE_ROWS].given, shape));
        CLP_TRY(check_exchange(context, need, shape));
    }
    shape->tile = group * shape->rows * shape->vec;
    if (clp_shape_is_serial(shape)) {
        shape->serial = choose_serial(context, need, knobs);
        return CLPRIMS_OK;
    }
    const size_t width = context->subgroup_width;
    const bool one_looks = lanes_share_memory || context->device.is_cpu;
    shape->grouped =
        (clp_group_shape){.window = one_looks ? 1 : width, .spins = knobs[CLP_TILE_SPINS].value};
    return CLPRIMS_OK;
}

/* ---- Persistent groups ---- */

enum {
    KB = 1024,
    RING_NOTES_BYTES = 1024 /* mbarriers, tile numbers and padding of a ring */
};

/* The most local memory that a ring may take on that compute capability. */
static size_t most_local_bytes(const clprims_context *context, size_t capability) {
    const size_t most = clp_local_bytes_of((int)capability);
    const size_t here = context->device.static_local_bytes;
    return most < here ? most : here;
}

static size_t ring_bytes(const clp_pass_need *need, const clp_shape *shape) {
    const clp_ring_shape *ring = &shape->ring;
    const size_t input = shape->tile / 8 * need->staged_bits;
    const size_t notes = 2 * ring->scanners * need->value_bytes + 64;
    const size_t slots = ring->freed_early ? 2 * ring->stages : ring->stages;
    return ring->stages * (input + need->ring.stage_bytes + 384) + slots * notes +
           RING_NOTES_BYTES + shape->tile / 8 * need->ring.kept_bits + need->ring.bytes;
}

static clprims_status check_ring(const clprims_context *context, const clp_pass_need *need,
                                 const clp_shape *shape) {
    const size_t bytes = ring_bytes(need, shape);
    const size_t most = most_local_bytes(context, shape->capability);
    CLP_FAIL_IF(bytes > most || shape->group > 1024, CLPRIMS_ERR_ARGUMENT,
                "%s: lookahead with SCANNERS=%zu REDUCERS=%zu ROWS=%zu STAGES=%zu takes "
                "%zu bytes of local memory and %zu work-items; at most %zu and 1024",
                need->who, shape->ring.scanners, shape->ring.reducers, shape->rows,
                shape->ring.stages, bytes, shape->group, most);
    return CLPRIMS_OK;
}

/* Whether a multiprocessor has less room than that of 9.0, on which the ample rings were
 * measured. */
static bool is_tight(size_t capability) {
    return clp_local_bytes_of((int)capability) < 227 * KB;
}

/* Makes tiles smaller, then stages fewer, until the ring fits `most` bytes. */
static void shrink_ring(const clp_pass_need *need, size_t most, clp_shape *shape) {
    clp_ring_shape *ring = &shape->ring;
    for (;;) {
        shape->tile = ring->scanners * shape->rows * shape->vec * WARP;
        if (ring_bytes(need, shape) <= most) return;
        if (shape->rows > 1) {
            shape->rows--;
        } else if (ring->stages > 2) {
            ring->stages--;
        } else if (ring->scanners > 1) {
            ring->scanners /= 2;
        } else {
            return;
        }
    }
}

/* The ring that tuning starts from: ample tiles, one work-group a multiprocessor; or, where local
 * memory is tight, small tiles of two work-groups, whose stages are freed early. */
static clp_shape default_ring(const clprims_context *context, const clp_pass_need *need,
                              size_t capability) {
    clp_shape ample = {.variant = CLP_LOOKAHEAD,
                       .rows = or_default(need->ring.rows, 8),
                       .vec = or_default(need->ring.vec, need->vec),
                       .ring = {.scanners = or_default(need->ring.scanners, 8),
                                .reducers = or_default(need->ring.reducers, 4),
                                .stages = or_default(need->ring.stages, 6),
                                .loaders = 1,
                                .units = or_default(need->ring.units, 3),
                                .most_groups = 1}};
    clp_shape small = {.variant = CLP_LOOKAHEAD,
                       .rows = 4,
                       .vec = ample.vec,
                       .ring = {.scanners = 7,
                                .reducers = 7,
                                .stages = 3,
                                .loaders = capability < 80 ? 4 : 2,
                                .units = or_default(need->ring.units, 2),
                                .freed_early = true,
                                .most_groups = 2}};
    shrink_ring(need, most_local_bytes(context, capability), &ample);
    shrink_ring(need, 48 * KB, &small);
    return is_tight(capability) ? small : ample;
}

/* KB that a block of tiles may read and write. The next block's input comes into the cache while
 * this block is processed, and must not be evicted by it. Devices do not tell the size of their
 * level 2 cache; of 9.0 and later it has at least three times as much. */
enum { BURST_KB = 136 * 132 };

/* The tiles of a block. Below 9.0 the loader prefetches each tile by itself. */
static size_t burst_tiles(const clp_pass_need *need, const clp_shape *shape) {
    const size_t bytes = shape->tile * (need->staged_bits + 8 * need->out_bytes) / 8;
    return need->ring.bursts && shape->capability >= 90 ? KB * shape->ring.burst_kb / bytes : 0;
}

static clprims_status read_ring(const clprims_context *context, const clp_pass_need *need,
                                clp_shape *shape, clp_wave_sizes *sizes) {
    char key[64];
    snprintf(key, sizeof key, "%s%s", need->who, clp_variants[CLP_LOOKAHEAD].key);
    CLP_KNOBS(knobs, clp_ring_knobs);
    knobs[CLP_RING_BURST].value = need->ring.bursts ? BURST_KB : 0;
    if (!need->ring.bursts) knobs[CLP_RING_BURST].most = 0;
    CLP_TRY(clp_knobs_set(context, key, need->element_bytes, need->tuning, knobs, CLP_RING_KNOBS));
    size_t capability = 0;
    CLP_TRY(choose_capability(context, need->who, &capability));
    const clp_shape usual = default_ring(context, need, capability);
    *shape = usual;
    shape->capability = capability;
    shape->rows = if_set(&knobs[CLP_RING_ROWS], usual.rows);
    clp_ring_shape *ring = &shape->ring;
    ring->burst_kb = knobs[CLP_RING_BURST].value;
    ring->scanners = if_set(&knobs[CLP_RING_SCANNERS], usual.ring.scanners);
    ring->reducers = if_set(&knobs[CLP_RING_REDUCERS], usual.ring.reducers);
    ring->loaders = if_set(&knobs[CLP_RING_LOADERS], usual.ring.loaders);
    ring->stages = if_set(&knobs[CLP_RING_STAGES], usual.ring.stages);
    ring->units = if_set(&knobs[CLP_RING_UNITS], usual.ring.units);
    ring->most_groups = if_set(&knobs[CLP_RING_GROUPS], usual.ring.most_groups);
    sizes->wave = knobs[CLP_RING_SMALL].value;
    sizes->small = knobs[CLP_RING_FEW].value;
    return CLPRIMS_OK;
}

clprims_status clp_shape_choose_ring(const clprims_context *context, const clp_pass_need *need,
                                     clp_shape *shape, clp_wave_sizes *sizes) {
    clp_ring_shape *ring = &shape->ring;
    CLP_TRY(read_ring(context, need, shape, sizes));
    if (shape->capability >= 90) ring->loaders = 1; /* one work-item starts a bulk copy */
    ring->most_groups *= context->device.info.compute_units;
    shape->tile = ring->scanners * shape->rows * shape->vec * WARP;
    /* A line of a tuning file does not know how large the elements are. */
    if (need->tuning == NULL)
        shrink_ring(need, most_local_bytes(context, shape->capability), shape);
    ring->burst = burst_tiles(need, shape);
    shape->group = (ring->scanners + ring->reducers + 1 + ring->loaders) * WARP;
    return check_ring(context, need, shape);
}

/* ---- Macros ---- */

static void add_serial(clp_text *text, const clp_serial_shape *serial) {
    clp_text_add(text, "#define CLP_WINDOW 1\n#define CLP_SPINS %zu\n", serial->spins);
    clp_text_add(text, "#define CLP_SIMD %zu\n#define CLP_AHEAD %zu\n#define CLP_STREAM_N %zuul\n",
                 serial->simd, serial->ahead, serial->stream_n);
}

static void add_group(clp_text *text, const clp_shape *shape, bool word_sums) {
    const clp_group_shape *grouped = &shape->grouped;
    const bool is_wave = clp_variants[shape->variant].is_wave;
    clp_text_add(text, "#define CLP_WINDOW %zu\n#define CLP_SPINS %zu\n", grouped->window,
                 grouped->spins);
    if (is_wave) {
        clp_text_add(text, "#define CLP_WORD_SUMS %d\n", word_sums);
        clp_text_add(text, "#define CLP_SMALL_WAVE %d\n", shape->variant == CLP_SINGLE_WAVE_SMALL);
    }
}

static void add_ring(clp_text *text, const clp_ring_shape *ring, size_t value_bytes,
                     bool word_sums) {
    const size_t words = word_sums ? 1 : clp_shape_words(value_bytes);
    const size_t load_words = words % 2 == 0 ? 2 : 1;
    clp_text_add(text, "#define CLP_WINDOW %d\n#define CLP_SPINS 1\n", WARP);
    clp_text_add(text, "#define CLP_WORD_SUMS %d\n", word_sums);
    clp_text_add(text, "#define CLP_SCANNERS %zu\n#define CLP_REDUCERS %zu\n", ring->scanners,
                 ring->reducers);
    clp_text_add(text, "#define CLP_LOADERS %zu\n#define CLP_FREED_EARLY %d\n", ring->loaders,
                 ring->freed_early);
    clp_text_add(text, "#define CLP_STAGES %zu\n#define CLP_UNITS %zu\n#define CLP_BURST %zu\n",
                 ring->stages, ring->units, ring->burst);
    clp_text_add(text, "#define CLP_LOAD_WORDS %zu\n", load_words);
}

void clp_shape_add(clp_text *text, const clp_shape *shape, size_t value_bytes, bool word_sums) {
    const clp_test_hooks *hooks = clp_test_hooks_get();
    const bool is_ring = clp_shape_is_ring(shape);
    clp_text_add(text, "#define CLP_GROUP %zu\n#define CLP_VEC %zu\n#define CLP_ROWS %zu\n",
                 shape->group, shape->vec, shape->rows);
    clp_text_add(text, "#define CLP_FALLBACK %d\n#define CLP_BY_LEVELS %d\n",
                 clp_variants[shape->variant].falls_back, clp_variants[shape->variant].by_levels);
    clp_text_add(text, "#define CLP_SHORT_SUMS %d\n", is_ring && shape->ring.short_sums);
    clp_text_add(text, "#define CLP_DROP %zu\n#define CLP_DELAY %zu\n", hooks->drop, hooks->delay);
    if (!clp_shape_is_serial(shape)) clp_text_add_each(text, "CLP_EACH_ROW", shape->rows);
    if (is_ring) {
        clp_text_add(text, "#undef CLP_COMPUTE_CAPABILITY\n#define CLP_COMPUTE_CAPABILITY %zu\n",
                     shape->capability);
    }
    switch (clp_shape_kind_of(shape)) {
    case CLP_SHAPE_SERIAL:
        add_serial(text, &shape->serial);
        break;
    case CLP_SHAPE_GROUP:
        add_group(text, shape, word_sums);
        break;
    case CLP_SHAPE_RING:
        add_ring(text, &shape->ring, value_bytes, word_sums);
        break;
    }
}
