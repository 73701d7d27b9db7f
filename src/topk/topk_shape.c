/* SPDX-License-Identifier: MIT */
/* How a top-k is cut: knobs, room for candidates, samples, the program. */
#include "cl_sources.h"
#include "core/status.h"
#include "core/test_hooks.h"
#include "core/tuning.h"
#include "core/type.h"
#include "topk/topk_plan.h"

#include <string.h>

enum { CELLS = 256, LEAST_STRIDE = 4, FEW_ROOM = 4 };

size_t clp_topk_index_passes(const clprims_topk *plan, size_t n) {
    const clp_topk_shape *shape = &plan->shape;
    size_t above = clp_sort_rounds(n), passes = 0;
    do {
        above -= above < shape->bits ? above : shape->bits;
        passes++;
    } while ((size_t)1 << above > shape->room - plan->max_k && above > 0);
    return passes;
}

/* As clp_sample_of in cl/topk/topk.cl: of a sample some four standard deviations more than
 * the share of k. */
size_t clp_topk_rank(const clp_topk_shape *shape, size_t n, size_t k) {
    const size_t stride = shape->sample > 0 ? n / shape->sample : 0;
    if (stride < LEAST_STRIDE || n <= shape->room) return 0;
    const size_t share = k / stride + 1;
    size_t root = 1;
    while (root * root < share && root < shape->cells) root++;
    const size_t rank = share + 4 * root + 2;
    return 2 * rank <= shape->cells && 2 * rank <= shape->room / stride ? rank : 0;
}

/* Beyond max_k the room is for the digit in which the k-th element is; of few, a work-group is to
 * sort the candidates. */
static clprims_status choose_room(clprims_topk *plan, const clp_knob *room, size_t few) {
    clp_topk_shape *shape = &plan->shape;
    const size_t max_n = plan->spec.max_n, width = clp_sort_rounds(max_n);
    const size_t digit = (size_t)1 << (width > shape->bits ? width - shape->bits : 0);
    const size_t more = room->given ? room->value : clp_at_least(digit, room->value);
    shape->room = plan->max_k <= few ? FEW_ROOM * few : plan->max_k + more;
    if (shape->room > max_n) shape->room = max_n;
    shape->cells = CELLS;
    while (shape->cells > 1 && (shape->cells > shape->sample / 4 || shape->cells > shape->room)) {
        shape->cells /= 2;
    }
    if (shape->room < UINT32_MAX) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                    "topk: max_k = %zu of max_n = %zu need room for %zu candidates; at most %zu",
                    plan->max_k, max_n, shape->room, (size_t)UINT32_MAX - 1);
}

clprims_status clp_topk_choose_shape(clprims_topk *plan, const char *tuning) {
    const clp_device *device = &plan->head.context->device;
    const size_t units = device->info.compute_units > 0 ? device->info.compute_units : 1;
    const bool suits_cpu = device->is_cpu && plan->head.context->layer == CLPRIMS_LAYER_LOCAL;
    clp_topk_shape *shape = &plan->shape;
    clp_knob knobs[CLP_TOPK_KNOBS];
    memcpy(knobs, clp_topk_knobs, sizeof knobs);
    size_t *group = &knobs[CLP_TOPK_GROUP].value;
    if (suits_cpu) *group = 1;
    while (*group > device->max_group) *group /= 2;
    knobs[CLP_TOPK_GROUPS].value = suits_cpu ? 4 * units : 8 * units;
    CLP_TRY(clp_knobs_set(plan->head.context, "topk", plan->spec.key_bytes, tuning, knobs,
                          CLP_TOPK_KNOBS));
    *shape = (clp_topk_shape){.group = *group,
                              .items = knobs[CLP_TOPK_ITEMS].value,
                              .bits = knobs[CLP_TOPK_BITS].value,
                              .groups = knobs[CLP_TOPK_GROUPS].value,
                              .sample = knobs[CLP_TOPK_SAMPLE].value};
    const size_t width = 8 * plan->spec.key_bytes;
    if (shape->group > device->max_group || shape->group > (size_t)1 << shape->bits) {
        return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                        "topk: GROUP = %zu exceeds the device's %zu work-items of a group, or the "
                        "%zu digits of BITS = %zu",
                        shape->group, device->max_group, (size_t)1 << shape->bits, shape->bits);
    }
    const bool is_wide = plan->spec.max_n > UINT32_MAX || clp_test_hooks_get()->wide_counts != 0;
    shape->count_bytes = is_wide ? sizeof(cl_ulong) : sizeof(cl_uint);
    if (shape->bits > width) shape->bits = width;
    while (shape->group > (size_t)1 << shape->bits) shape->group /= 2;
    shape->passes = (width + shape->bits - 1) / shape->bits;
    clp_topk_choose_rows(plan, knobs);
    if (plan->by_rows) return CLPRIMS_OK;
    shape->stays = shape->group == 1 || plan->head.context->layer == CLPRIMS_LAYER_NVIDIA;
    return choose_room(plan, &knobs[CLP_TOPK_ROOM], knobs[CLP_TOPK_ONE].value);
}

clp_topk_way clp_topk_way_of(const clprims_topk *plan, size_t n, size_t k) {
    if (n <= plan->shape.room) return CLP_TOPK_SORT;
    return clp_topk_rank(&plan->shape, n, k) > 0 ? CLP_TOPK_BY_SAMPLE : CLP_TOPK_SELECT;
}

clprims_status clp_topk_build(clprims_topk *plan) {
    enum { REPORT_BYTES = sizeof(clprims_topk_report) };
    static const clp_part parts[] = {
        &clp_sort_report_cl, &clp_count_cl, &clp_last_group_cl,  &clp_sort_keys_cl,
        &clp_sort_sums_cl,   &clp_topk_cl,  &clp_topk_gather_cl, NULL};
    const clp_topk_shape *shape = &plan->shape;
    const bool has_indices = clp_sort_has_indices(&plan->spec);
    clp_text prelude = {0};
    clp_text_add(&prelude, "#define CLP_EXTRA 0\n#define CLP_SORT_REPORT_BYTES %d\n", REPORT_BYTES);
    clp_sort_add_keys(&prelude, &plan->spec);
    clp_text_add(&prelude, "#define CLP_GROUP %zu\n#define CLP_ITEMS %zu\n#define CLP_BITS %zu\n",
                 shape->group, shape->items, shape->bits);
    clp_text_add(&prelude, "#define CLP_COUNT %s\n#define CLP_STAYS %d\n",
                 clp_sort_unsigned(shape->count_bytes), shape->stays);
    clp_text_add(&prelude, "#define CLP_SAMPLE %zuu\n#define CLP_CELLS %zuu\n", shape->sample,
                 shape->cells);
    clp_text_add(&prelude, "#define CLP_LEAST_STRIDE %d\n", LEAST_STRIDE);
    clp_text_add(&prelude, "#define CLP_HAS_INDICES %d\n#define CLP_INDEX %s\n", has_indices,
                 has_indices ? clp_type_text(plan->spec.indices) : "uint");
    clp_text_add_each(&prelude, "CLP_EACH_ROUND", clp_sort_rounds(shape->group));
    return clp_plan_build(&plan->head, &prelude, parts, 0, &plan->program);
}
