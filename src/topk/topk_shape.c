/* SPDX-License-Identifier: MIT */
/* How a top-k is cut: knobs, and what both of its programs say of elements. */
#include "core/status.h"
#include "core/test_hooks.h"
#include "core/tuning.h"
#include "core/type.h"
#include "topk/topk_plan.h"

#include <string.h>

clprims_status clp_topk_choose_shape(clprims_topk *plan, const char *tuning) {
    enum { SAMPLE_OF_CPU = 1 << 16, FEW = 1 << 18, MANY = 1 << 20 };
    const clp_device *device = &plan->head.context->device;
    const size_t units = clp_at_least(device->info.compute_units, 1);
    const bool suits_cpu = device->is_cpu && plan->head.context->layer == CLPRIMS_LAYER_LOCAL;
    clp_topk_shape *shape = &plan->shape;
    clp_knob knobs[CLP_TOPK_KNOBS];
    memcpy(knobs, clp_topk_knobs, sizeof knobs);
    const size_t most = clp_at_most(knobs[CLP_TOPK_GROUP].value, device->max_group);
    knobs[CLP_TOPK_GROUPS].value = units * (suits_cpu ? 4 : knobs[CLP_TOPK_GROUP].value / most);
    knobs[CLP_TOPK_GROUP].value = suits_cpu ? 1 : most;
    if (!suits_cpu) {
        knobs[CLP_TOPK_ITEMS].value = plan->spec.max_n <= FEW    ? 4
                                      : plan->spec.max_n <= MANY ? 8
                                                                 : 16;
    }
    if (device->is_cpu) knobs[CLP_TOPK_SAMPLE].value = SAMPLE_OF_CPU;
    CLP_TRY(clp_knobs_set(plan->head.context, "topk", plan->spec.key_bytes, tuning, knobs,
                          CLP_TOPK_KNOBS));
    const bool is_wide = plan->spec.max_n > UINT32_MAX || clp_test_hooks_get()->wide_counts != 0;
    *shape = (clp_topk_shape){.group = knobs[CLP_TOPK_GROUP].value,
                              .items = knobs[CLP_TOPK_ITEMS].value,
                              .groups = knobs[CLP_TOPK_GROUPS].value,
                              .sample = knobs[CLP_TOPK_SAMPLE].value,
                              .count_bytes = is_wide ? sizeof(cl_ulong) : sizeof(cl_uint)};
    clp_topk_choose_rows(plan, knobs);
    return plan->by_rows ? CLPRIMS_OK : clp_topk_choose_room(plan, knobs);
}

void clp_topk_add_elements(clp_text *text, const clprims_topk *plan) {
    const clp_sort_spec *spec = &plan->spec;
    const bool has_indices = clp_sort_has_indices(spec);
    clp_sort_add_keys(text, spec);
    clp_text_add_moved(text, "clp_topk_element", spec->element_bytes);
    clp_text_add(text, "#define CLP_COUNT %s\n#define CLP_NO_VALUES %d\n",
                 clp_sort_unsigned(plan->shape.count_bytes), spec->no_elements);
    clp_text_add(text, "#define CLP_HAS_INDICES %d\n#define CLP_INDEX %s\n", has_indices,
                 has_indices ? clp_type_text(spec->indices) : "uint");
}
