/* SPDX-License-Identifier: MIT */
/* How a segmented sort is cut: knobs, and the classes of segments. */
#include "core/status.h"
#include "core/test_hooks.h"
#include "core/tuning.h"
#include "segmented_sort/segments_plan.h"

#include <stdio.h>

enum { LEAST_TEAM = 8, STEP = 4, LANES_GROUP = 128, LARGEST_WORD = 8 };
enum { RADIX_LEAST_TEAM = 256, RADIX_ROWS = 4, RADIX_ITEMS_OF_8 = 12, RADIX_ITEMS_OF_PAIRS = 16 };

/* Local memory of a group's teams, as cl/segmented_sort/segments_groups.cl declares it: two copies.
 */
static size_t team_bytes(const clp_sort_spec *spec, size_t group, size_t items) {
    const size_t item_bytes = spec->values > 0 ? sizeof(cl_ushort) : 0;
    return 2 * group * items * (spec->key_bytes + item_bytes) + 64;
}

static size_t short_bytes(const clp_sort_spec *spec, size_t group) {
    enum { OTHERS = 256 };
    return group * (CLP_SEGMENTS_SHORT * spec->key_bytes + sizeof(cl_ulong) + sizeof(cl_uint)) +
           OTHERS;
}

/* Local memory of a group that sorts by digits, as cl/segmented_sort/segments_radix.cl declares it.
 */
static size_t radix_bytes(const clp_sort_spec *spec, size_t items) {
    enum { SUBGROUP = 32, ROW = 256 * 4, NOTES = 3456 }; /* the rest, and what alignment loses */
    const size_t origin_bytes = spec->values > 0 ? sizeof(cl_ushort) : 0;
    return CLP_SEGMENTS_RADIX_GROUP / SUBGROUP * ROW +
           CLP_SEGMENTS_RADIX_GROUP * items * (spec->key_bytes + origin_bytes) + NOTES;
}

/* Whether teams may sort by digits. */
static bool has_radix(const clprims_segmented_sort *plan) {
    return plan->head.context->layer == CLPRIMS_LAYER_NVIDIA &&
           plan->head.context->device.max_group >= CLP_SEGMENTS_RADIX_GROUP;
}

static void suit_radix(const clprims_segmented_sort *plan, size_t *items) {
    const clp_sort_spec *spec = &plan->spec;
    const size_t local_bytes = plan->head.context->device.static_local_bytes;
    if (spec->values > 0) *items = RADIX_ITEMS_OF_PAIRS;
    if (spec->key_bytes == 8) *items = RADIX_ITEMS_OF_8;
    while (*items > 0 && radix_bytes(spec, *items) > local_bytes) *items -= RADIX_ROWS;
}

/* Defaults that the device has room for. */
static void suit_gpu(const clprims_segmented_sort *plan, clp_knob *knobs) {
    const clp_device *device = &plan->head.context->device;
    const size_t local = device->static_local_bytes;
    size_t *group = &knobs[CLP_SEGMENTS_GROUP].value, *items = &knobs[CLP_SEGMENTS_ITEMS].value;
    size_t *teams = &knobs[CLP_SEGMENTS_TEAMS].value, *large = &knobs[CLP_SEGMENTS_LARGE].value;
    size_t *large_items = &knobs[CLP_SEGMENTS_LARGE_ITEMS].value;
    suit_radix(plan, &knobs[CLP_SEGMENTS_RADIX].value);
    knobs[CLP_SEGMENTS_GROUP].least = CLP_SEGMENTS_SHORT;
    while (short_bytes(&plan->spec, *group) > local) *group /= 2;
    *teams = clp_halved(*teams, device->max_group);
    *large = clp_halved(*large, device->max_group);
    while (*items > 1 && team_bytes(&plan->spec, *teams, *items) > local) *items -= 2;
    while (*large_items > 1 && team_bytes(&plan->spec, *large, *large_items) > local) {
        *large_items -= 2;
    }
}

/* knobs: the knobs on which the group depends, with their values. */
static clprims_status check_group(const clprims_segmented_sort *plan, const char *knobs,
                                  size_t group, size_t bytes) {
    const clp_device *device = &plan->head.context->device;
    if (group <= device->max_group && bytes <= device->static_local_bytes) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                    "segmented_sort: %s: a group needs %zu work-items and %zu bytes of local "
                    "memory; the device has %zu and %zu",
                    knobs, group, bytes, device->max_group, device->static_local_bytes);
}

static clprims_status check_gpu(const clprims_segmented_sort *plan) {
    const clp_sort_spec *spec = &plan->spec;
    const clp_segments_shape *shape = &plan->shape;
    CLP_FAIL_IF(shape->teams_items % 2 == 0 || shape->large_items % 2 == 0, CLPRIMS_ERR_ARGUMENT,
                "segmented_sort: ITEMS = %zu and LARGE_ITEMS = %zu; both must be odd",
                shape->teams_items, shape->large_items);
    char knobs[64];
    if (shape->radix_items > 0) {
        snprintf(knobs, sizeof knobs, "RADIX = %zu", shape->radix_items);
        CLP_TRY(check_group(plan, knobs, CLP_SEGMENTS_RADIX_GROUP,
                            radix_bytes(spec, shape->radix_items)));
    }
    snprintf(knobs, sizeof knobs, "GROUP = %zu", shape->group);
    CLP_TRY(check_group(plan, knobs, clp_at_least(shape->group, CLP_SEGMENTS_SHORT),
                        short_bytes(spec, shape->group)));
    snprintf(knobs, sizeof knobs, "TEAMS = %zu, ITEMS = %zu", shape->teams_group,
             shape->teams_items);
    CLP_TRY(check_group(plan, knobs, shape->teams_group,
                        team_bytes(spec, shape->teams_group, shape->teams_items)));
    snprintf(knobs, sizeof knobs, "LARGE = %zu, LARGE_ITEMS = %zu", shape->large_group,
             shape->large_items);
    return check_group(plan, knobs, shape->large_group,
                       team_bytes(spec, shape->large_group, shape->large_items));
}

/* A class of longer segments than the one before, unless it has none. */
static void add_class(clp_segments_shape *shape, size_t team, size_t items, clp_segments_by by) {
    const size_t least = shape->most, most = team * items;
    if (most <= least) return;
    clp_segments_class *class = &shape->class[shape->classes++];
    *class = (clp_segments_class){.least = least, .most = most, .by = by};
    class->bits = (cl_uint)clp_sort_rounds(team);
    shape->most = most;
    if (by == CLP_SEGMENTS_BY_TEAMS || by == CLP_SEGMENTS_BY_LARGE) shape->merges = true;
}

/* Teams of less than a group. */
static void add_teams(clp_segments_shape *shape, size_t most) {
    for (size_t team = LEAST_TEAM; team < most; team *= STEP) {
        add_class(shape, team, shape->teams_items, CLP_SEGMENTS_BY_TEAMS);
    }
}

static void add_radix(clp_segments_shape *shape) {
    for (size_t team = RADIX_LEAST_TEAM; team <= CLP_SEGMENTS_RADIX_GROUP; team *= 2) {
        add_class(shape, team, shape->radix_items, CLP_SEGMENTS_BY_RADIX);
    }
}

static void add_classes(clp_segments_shape *shape) {
    shape->most = CLP_SEGMENTS_SHORT;
    if (shape->by_lanes) {
        add_class(shape, 32, 4, CLP_SEGMENTS_BY_LANES_128);
        add_class(shape, 32, 16, CLP_SEGMENTS_BY_LANES_512);
        if (shape->most_words == 32) add_class(shape, 32, 32, CLP_SEGMENTS_BY_LANES_1024);
    }
    if (shape->radix_items == 0) {
        add_teams(shape, shape->teams_group);
        add_class(shape, shape->teams_group, shape->teams_items, CLP_SEGMENTS_BY_TEAMS);
    } else {
        if (!shape->by_lanes) add_teams(shape, RADIX_LEAST_TEAM);
        add_radix(shape);
    }
    add_class(shape, shape->large_group, shape->large_items, CLP_SEGMENTS_BY_LARGE);
}

/* The most elements of a run of few launches, whose work-groups wait for others, and look at
 * LONG_MOST long segments at most. */
static size_t few_elements(const clprims_segmented_sort *plan, size_t wanted) {
    enum { LONG_MOST = 1024 };
    const clprims_context *context = plan->head.context;
    const clp_segments_shape *shape = &plan->shape;
    const size_t most = LONG_MOST * (shape->most + 1);
    if (shape->radix_items == 0 || !context->words_arrive || !context->groups_progress) return 0;
    return wanted < most ? wanted : most;
}

/* Whether onesweep suits the keys, with the places of their elements where others move with them.
 */
static bool suits_tiles(const clprims_segmented_sort *plan) {
    clp_sort_spec spec = plan->spec;
    spec.values = spec.values > 0 ? 1 : 0;
    spec.value_bytes[0] = plan->shape.count_bytes;
    return !plan->shape.is_serial && clp_onesweep_suits(plan->head.context, &spec);
}

clprims_status clp_segments_choose_shape(clprims_segmented_sort *plan, const char *tuning) {
    const clprims_context *context = plan->head.context;
    clp_segments_shape *shape = &plan->shape;
    const bool is_wide = plan->spec.max_n > UINT32_MAX || clp_test_hooks_get()->wide_counts != 0;
    CLP_KNOBS(knobs, clp_segments_knobs);
    if (shape->is_serial) {
        knobs[CLP_SEGMENTS_GROUP].value = knobs[CLP_SEGMENTS_GROUP].most = 1;
    } else {
        suit_gpu(plan, knobs);
    }
    CLP_TRY(clp_knobs_set(context, "segmented-sort", plan->spec.key_bytes, tuning, knobs,
                          CLP_SEGMENTS_KNOBS));
    shape->group = knobs[CLP_SEGMENTS_GROUP].value;
    shape->block = shape->is_serial ? 64 : shape->group;
    shape->teams_group = knobs[CLP_SEGMENTS_TEAMS].value;
    shape->teams_items = knobs[CLP_SEGMENTS_ITEMS].value;
    shape->large_group = knobs[CLP_SEGMENTS_LARGE].value;
    shape->large_items = knobs[CLP_SEGMENTS_LARGE_ITEMS].value;
    shape->count_bytes = is_wide ? sizeof(cl_ulong) : sizeof(cl_uint);
    shape->units = context->device.info.compute_units > 0 ? context->device.info.compute_units : 1;
    shape->stays = !context->device.is_cpu;
    shape->by_lanes = context->layer == CLPRIMS_LAYER_NVIDIA && !shape->is_serial &&
                      clp_sort_word_bytes(&plan->spec) <= LARGEST_WORD;
    shape->lanes_group = LANES_GROUP;
    const bool has_words =
        knobs[CLP_SEGMENTS_LANES].value == 1024 && clp_sort_word_bytes(&plan->spec) == 4;
    shape->most_words = has_words ? 32 : 16;
    CLP_FAIL_IF(knobs[CLP_SEGMENTS_RADIX].value % RADIX_ROWS != 0, CLPRIMS_ERR_ARGUMENT,
                "segmented_sort: RADIX = %zu is no multiple of %d", knobs[CLP_SEGMENTS_RADIX].value,
                RADIX_ROWS);
    shape->radix_items = has_radix(plan) && !shape->is_serial ? knobs[CLP_SEGMENTS_RADIX].value : 0;
    shape->classes = 0;
    if (shape->is_serial) {
        shape->most = knobs[CLP_SEGMENTS_MOST].value;
    } else {
        CLP_TRY(check_gpu(plan));
        add_classes(shape);
    }
    shape->class[shape->classes++] = (clp_segments_class){.least = shape->most, .most = SIZE_MAX};
    shape->few = few_elements(plan, knobs[CLP_SEGMENTS_FEW].value);
    shape->long_by_tiles = suits_tiles(plan);
    shape->tiles_n = knobs[CLP_SEGMENTS_TILES].value;
    return CLPRIMS_OK;
}
