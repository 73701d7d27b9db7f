/* SPDX-License-Identifier: MIT */
/* The program of a segmented sort: a prelude that holds every choice, and the files that belong to
 * it. */
#include "cl_sources.h"
#include "core/type.h"
#include "segmented_sort/segments_plan.h"

static void add_values(clp_text *text, const clprims_segmented_sort *plan) {
    const clp_sort_spec *spec = &plan->spec;
    const size_t moved = clp_segments_moved(spec);
    for (size_t k = 0; k < moved; k++) {
        clp_sort_add_payload(text, k, spec->value_bytes[k]);
        clp_text_add(text, "#define CLP_VALUE%zu_OF(from, begin, item) (from)[(begin) + (item)]\n",
                     k);
    }
    if (clp_sort_has_indices(spec)) {
        const char *type = clp_type_text(spec->indices);
        const size_t k = moved;
        clp_text_add(text, "#define CLP_VALUE%zu_TYPE %s\n", k, type);
        clp_text_add(text, "#define CLP_VALUE%zu_OF(from, begin, item) ((%s)(%s(item)))\n", k, type,
                     plan->local_indices ? "" : "(begin) + ");
    }
    clp_text_add(text, "#define CLP_VALUES %zu\n#define CLP_PAYLOADS %zu\n", spec->values, moved);
    clp_text_add_each(text, "CLP_EACH_VALUE", spec->values);
    clp_text_add_each(text, "CLP_EACH_PAYLOAD", moved);
}

static void add_shape(clp_text *text, const clprims_segmented_sort *plan) {
    enum { REPORT_BYTES = sizeof(clprims_segmented_sort_report) };
    const clp_segments_shape *shape = &plan->shape;
    clp_text_add(text, "#define CLP_SEGMENTS_REPORT_BYTES %d\n#define CLP_INDEX_OF_VALID -1\n",
                 REPORT_BYTES);
    clp_text_add(text,
                 "#define CLP_FAULT_OFFSETS %d\n#define CLP_FAULT_COUNT %d\n"
                 "#define CLP_FAULT_SEGMENTS %d\n",
                 CLPRIMS_SEGMENTED_SORT_OFFSETS, CLPRIMS_SEGMENTED_SORT_COUNT,
                 CLPRIMS_SEGMENTED_SORT_SEGMENTS);
    clp_text_add(text, "#define CLP_BEGIN_BIT %u\n#define CLP_END_BIT %u\n", plan->spec.begin,
                 plan->spec.end);
    clp_text_add(text, "#define CLP_OFFSET %s\n#define CLP_COUNT %s\n",
                 clp_offset_text(plan->offsets), clp_sort_unsigned(shape->count_bytes));
    clp_text_add(text, "#define CLP_BY_LENGTH %d\n", plan->by_length);
    clp_text_add(text, "#define CLP_CLASSES %zu\n#define CLP_BLOCK %zu\n#define CLP_GROUP %zu\n",
                 shape->classes, shape->block, shape->group);
    clp_text_add_each(text, "CLP_EACH_ROUND", clp_sort_rounds(shape->group));
    clp_text_add(text, "#define CLP_FEW_LAUNCHES %d\n#define CLP_BY_LANES %d\n", shape->few > 0,
                 shape->by_lanes);
    clp_text_add(text, "#define CLP_LONG_BY_TILES %d\n", shape->long_by_tiles);
}

static void add_teams(clp_text *text, const clp_segments_shape *shape) {
    bool has_large = false;
    clp_text_add(text, "#define CLP_SHORT %d\n#define CLP_STAYS %d\n", CLP_SEGMENTS_SHORT,
                 shape->stays);
    clp_text_add(text, "#define CLP_CLASS_OF(length) (0");
    for (size_t c = 0; c + 1 < shape->classes; c++) {
        clp_text_add(text, " + ((length) > %zu)", shape->class[c].most);
        has_large = has_large || shape->class[c].by == CLP_SEGMENTS_BY_LARGE;
    }
    clp_text_add(text, ")\n#define CLP_TEAMS_GROUP %zu\n#define CLP_TEAMS_ROOM %zu\n",
                 shape->teams_group, shape->merges ? shape->teams_group * shape->teams_items : 0);
    clp_text_add_each(text, "CLP_EACH_TEAMS_ROUND", clp_sort_rounds(shape->teams_group));
    clp_text_add(text, "#define CLP_LARGE_GROUP %zu\n#define CLP_LARGE_ROOM %zu\n",
                 shape->large_group, has_large ? shape->large_group * shape->large_items : 0);
    clp_text_add_each(text, "CLP_EACH_LARGE_ROUND", clp_sort_rounds(shape->large_group));
}

static void add_lanes(clp_text *text, const clprims_segmented_sort *plan) {
    clp_text_add(text, "#define CLP_LOCAL_INDICES %d\n#define CLP_LANES_GROUP %zu\n",
                 clp_sort_has_indices(&plan->spec) && plan->local_indices, plan->shape.lanes_group);
    clp_sort_add_words(text, &plan->spec, true, plan->shape.most_words);
}

/* Digits, as clp_sort_cut_window cuts them. */
static void add_radix(clp_text *text, const clprims_segmented_sort *plan) {
    enum { DIGIT_BITS = 8 };
    clp_sort_shape cut;
    clp_sort_cut_window(&plan->spec, DIGIT_BITS, &cut);
    clp_text_add(text, "#define CLP_BITS %zu\n#define CLP_PASSES %zu\n#define CLP_WIDE %d\n",
                 cut.bits, cut.passes, plan->shape.count_bytes == sizeof(cl_ulong));
    clp_text_add(text, "#define CLP_RADIX_ITEMS %zu\n", plan->shape.radix_items);
}

#define COMMON &clp_sort_keys_cl, &clp_sort_sums_cl, &clp_segments_cl
#define LISTING COMMON, &clp_segments_ends_cl, &clp_segments_long_cl
#define BY_DIGITS                                                                                  \
    COMMON, &clp_device_nvidia_ranks_cl, &clp_sort_onesweep_keys_cl, &clp_segments_radix_cl

static clprims_status build_radix(clprims_segmented_sort *plan) {
    static const clp_part digits[] = {BY_DIGITS, &clp_segments_few_cl, NULL};
    static const clp_part words[] = {BY_DIGITS, &clp_sort_network_cl, &clp_segments_few_cl, NULL};
    clp_text prelude = {0};
    clp_sort_add_keys(&prelude, &plan->spec);
    add_values(&prelude, plan);
    add_shape(&prelude, plan);
    add_radix(&prelude, plan);
    if (plan->shape.by_lanes) clp_sort_add_words(&prelude, &plan->spec, true, CLP_NETWORK_WORDS);
    return clp_plan_build(&plan->head, &prelude, plan->shape.by_lanes ? words : digits, 0,
                          &plan->radix_program);
}

clprims_status clp_segments_build(clprims_segmented_sort *plan) {
    static const clp_part serial[] = {LISTING, &clp_segments_serial_cl, NULL};
    static const clp_part groups[] = {LISTING, &clp_segments_groups_cl, NULL};
    static const clp_part lanes[] = {LISTING, &clp_sort_network_cl, &clp_segments_lanes_cl,
                                     &clp_segments_groups_cl, NULL};
    const clp_segments_shape *shape = &plan->shape;
    const clp_part *parts = shape->is_serial ? serial : shape->by_lanes ? lanes : groups;
    clp_text prelude = {0};
    clp_sort_add_keys(&prelude, &plan->spec);
    add_values(&prelude, plan);
    add_shape(&prelude, plan);
    if (shape->is_serial) {
        clp_text_add(&prelude, "#define CLP_MOST %zu\n", shape->most);
    } else {
        add_teams(&prelude, shape);
    }
    if (shape->by_lanes) add_lanes(&prelude, plan);
    CLP_TRY(clp_plan_build(&plan->head, &prelude, parts, 0, &plan->program));
    return shape->radix_items == 0 ? CLPRIMS_OK : build_radix(plan);
}
