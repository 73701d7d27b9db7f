/* SPDX-License-Identifier: MIT */
/* Plans by keys whose elements fit the local memory of a single wave of groups:
 * cl/segmented/segmented_wave.cl. */
#include "segmented/segmented_plan.h"

enum { FEW = 1 << 17, FEW_GROUP = 128 }; /* elements for which smaller groups were faster */
enum { GROUP = 256, LEAST_GROUP = 64, MOST_GROUP = 512 };
enum { SHARE = 256, WAVE = 4 }; /* groups that a compute unit holds */
enum { VALUE = 32 }; /* the largest value that is published, in bytes */
enum { MOST_ITEMS = 17 };

static bool can_wave(const clprims_context *context, const clp_segmented_spec *spec) {
    return clp_segmented_can_wait(context) && spec->by == CLPRIMS_SEGMENTS_KEYS &&
           spec->value_bytes <= VALUE && spec->max_n < UINT32_MAX / 2;
}

/* Of a group: clp_shared in cl/segmented/segmented_wave.cl. */
static size_t local_bytes(const clp_segmented_spec *spec, size_t group, size_t items) {
    const size_t open = (spec->value_bytes + 2 * sizeof(cl_uint) + 7) / 8 * 8;
    const size_t element = spec->heads_bytes + spec->value_bytes + sizeof(cl_ushort);
    return group * (items * element + 2 * open) + spec->heads_bytes + 128;
}

/* Whether a tuning text asks for this, and not for the shape of other workers. */
static bool is_asked(const clp_knob *knobs) {
    const int of_others[] = {CLP_SEGMENTED_GROUP, CLP_SEGMENTED_GROUPS, CLP_SEGMENTED_ITEMS,
                             CLP_SEGMENTED_SHARE, CLP_SEGMENTED_SINGLE};
    bool given = false;
    for (size_t i = 0; i < sizeof of_others / sizeof of_others[0]; i++) {
        given = given || knobs[of_others[i]].given;
    }
    return knobs[CLP_SEGMENTED_SMALL].given || !given;
}

bool clp_segmented_fit_wave(const clprims_context *context, const clp_segmented_spec *spec,
                            const clp_knob *knobs, clp_segmented_shape *shape) {
    const clp_device *device = &context->device;
    const size_t wave = WAVE * device->info.compute_units, n = spec->max_n;
    const size_t group = knobs[CLP_SEGMENTED_GROUP].given ? shape->group
                         : n <= FEW                       ? FEW_GROUP
                                                          : GROUP;
    size_t groups = device->info.compute_units, items = MOST_ITEMS;
    while (items > 1 && local_bytes(spec, group, items) > device->static_local_bytes / WAVE) {
        items -= 2;
    }
    /* Few groups with many elements each were faster than many with few. */
    while (groups < wave && n > groups * group * items) groups *= 2;
    if (knobs[CLP_SEGMENTED_GROUPS].given) groups = shape->most_groups;
    if (!can_wave(context, spec) || !is_asked(knobs) || n > knobs[CLP_SEGMENTED_SMALL].value ||
        n > groups * group * items || group < LEAST_GROUP || group > MOST_GROUP ||
        group > device->max_group || local_bytes(spec, group, items) > device->static_local_bytes) {
        return false;
    }
    shape->by_groups = true;
    shape->by_wave = true;
    shape->group = group;
    shape->most_groups = groups;
    shape->share_items = items;
    if (!knobs[CLP_SEGMENTED_SHARE].given) shape->share = SHARE;
    shape->looks_ahead = false;
    return true;
}
