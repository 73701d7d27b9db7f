/* SPDX-License-Identifier: MIT */
/* Plans whose elements and ends of segments fit the local memory of a single wave of groups:
 * cl/segmented/segmented_group.cl. */
#include "segmented/segmented_plan.h"

enum { SMALL_GROUP = 256, SMALL_SHARE = 1024, WAVE = 4 }; /* groups that a compute unit holds */
enum { SMALL_VALUE = 32 }; /* the largest value that is published, in bytes */
enum { MOST_ITEMS = 17, LEAST_GROUP = 64 };

bool clp_segmented_can_wait(const clprims_context *context) {
    return context->words_arrive && context->groups_progress && context->device.has_int64_atomics;
}

bool clp_segmented_can_publish(const clprims_context *context, const clp_segmented_spec *spec) {
    return clp_segmented_can_wait(context) && spec->reduces && clp_segmented_by_offsets(spec) &&
           spec->value_bytes <= SMALL_VALUE;
}

/* Of a group: clp_shared in cl/segmented/segmented_group.cl. */
static size_t local_bytes(const clp_segmented_spec *spec, size_t group, size_t items) {
    const size_t element = spec->what.has_input_array ? spec->what.type_bytes : 0;
    const size_t value = (spec->value_bytes + 3) / 4 * 4, open = (value + 8 + 7) / 8 * 8;
    return group * (items * (element + sizeof(cl_ushort)) + 2 * open + 2 * value) + 256;
}

/* Half a group's work-items ask for places of a search, three times. */
static bool finds_all(const clp_segmented_spec *spec, size_t group) {
    const size_t probes = group / 2;
    return spec->max_segments <= probes * probes * probes;
}

/* Whether a tuning text asks for this, and not for the shape of other workers. */
static bool is_asked(const clp_knob *knobs) {
    const int of_others[] = {CLP_SEGMENTED_GROUP, CLP_SEGMENTED_GROUPS, CLP_SEGMENTED_ITEMS,
                             CLP_SEGMENTED_SHARE, CLP_SEGMENTED_RING};
    bool given = false;
    for (size_t i = 0; i < sizeof of_others / sizeof of_others[0]; i++) {
        given = given || knobs[of_others[i]].given;
    }
    return knobs[CLP_SEGMENTED_SMALL].given || !given;
}

bool clp_segmented_fit_groups(const clprims_context *context, const clp_segmented_spec *spec,
                              const clp_knob *knobs, clp_segmented_shape *shape) {
    const clp_device *device = &context->device;
    const size_t work = spec->max_n + spec->max_segments;
    const size_t group = knobs[CLP_SEGMENTED_GROUP].given ? shape->group : SMALL_GROUP;
    const size_t wave = WAVE * device->info.compute_units;
    size_t groups = device->info.compute_units, items = MOST_ITEMS;
    while (items > 1 && local_bytes(spec, group, items) > device->static_local_bytes / WAVE) {
        items -= 2;
    }
    /* Few groups with many items each were faster than many with few. */
    while (groups < wave && work > groups * group * items) groups *= 2;
    if (knobs[CLP_SEGMENTED_GROUPS].given) groups = shape->most_groups;
    if (groups > 2 * group) groups = 2 * group;
    if (!clp_segmented_can_publish(context, spec) || !is_asked(knobs) ||
        work > knobs[CLP_SEGMENTED_SMALL].value || work > groups * group * items ||
        group < LEAST_GROUP || group > device->max_group || !finds_all(spec, group) ||
        local_bytes(spec, group, items) > device->static_local_bytes) {
        return false;
    }
    shape->by_groups = true;
    shape->group = group;
    shape->most_groups = groups;
    shape->share_items = items;
    if (!knobs[CLP_SEGMENTED_SHARE].given) shape->share = SMALL_SHARE;
    shape->looks_ahead = false;
    return true;
}
