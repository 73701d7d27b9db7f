/* SPDX-License-Identifier: MIT */
/* The variants of segmented, and which of them a plan takes. */
#include "cl_sources.h"
#include "core/tuning.h"
#include "segmented/segmented_plan.h"

#include <string.h>

/* ---- Programs ---- */

#define PARTS                                                                                      \
    &clp_types_cl, &clp_parameters_cl, &clp_segmented_report_cl, &clp_count_cl,                    \
        &clp_last_group_cl, &clp_segmented_cl
#define SHARE_PARTS PARTS, &clp_segmented_finish_cl

static const clp_part direct_parts[] = {PARTS, &clp_segmented_direct_elements_cl,
                                        &clp_segmented_direct_totals_cl, &clp_segmented_direct_cl,
                                        NULL};
static const clp_part subgroup_parts[] = {SHARE_PARTS,
                                          &clp_segmented_subgroup_cl,
                                          &clp_segmented_tile_cl,
                                          &clp_segmented_tile_offsets_cl,
                                          &clp_segmented_subgroup_kernels_cl,
                                          NULL};
static const clp_part path_parts[] = {SHARE_PARTS, &clp_segmented_path_cl, NULL};
static const clp_part serial_parts[] = {SHARE_PARTS, &clp_segmented_serial_cl, NULL};

/* ---- The table ---- */

/* Knobs of shares: a text that gives one, but no TEAM, asks for shares. */
#define OF_SHARES                                                                                  \
    (1u << CLP_SEGMENTED_GROUP | 1u << CLP_SEGMENTED_GROUPS | 1u << CLP_SEGMENTED_ITEMS |          \
     1u << CLP_SEGMENTED_SHARE)

const clp_segmented_traits clp_segmented_variants[CLP_SEGMENTED_VARIANTS] = {
    [CLP_SEGMENTED_DIRECT] = {.name = "direct",
                              .knob = CLP_SEGMENTED_TEAM,
                              .rivals = OF_SHARES,
                              .parts = direct_parts,
                              .launches = &clp_segmented_team_launches,
                              .fits = clp_segmented_fits_teams,
                              .adjust = clp_segmented_adjust_teams},
    [CLP_SEGMENTED_LOOKAHEAD] = {.name = "lookahead",
                                 .knob = CLP_SEGMENTED_SINGLE,
                                 .parts = clp_segmented_lookahead_parts,
                                 .launches = &clp_segmented_pass_launches,
                                 .fits = clp_segmented_fits_pass},
    [CLP_SEGMENTED_SUBGROUP] = {.name = "sub-group",
                                .knob = CLP_SEGMENTED_KNOBS,
                                .parts = subgroup_parts,
                                .launches = &clp_segmented_share_launches,
                                .fits = clp_segmented_fits_subgroups,
                                .adjust = clp_segmented_adjust_subgroups},
    [CLP_SEGMENTED_PATH] = {.name = "merge-path",
                            .knob = CLP_SEGMENTED_KNOBS,
                            .parts = path_parts,
                            .launches = &clp_segmented_share_launches,
                            .fits = clp_segmented_fits_path,
                            .adjust = clp_segmented_adjust_path},
    [CLP_SEGMENTED_SERIAL] = {.name = "serial",
                              .knob = CLP_SEGMENTED_KNOBS,
                              .parts = serial_parts,
                              .launches = &clp_segmented_share_launches,
                              .adjust = clp_segmented_adjust_serial},
};

/* ---- The choice ---- */

/* Whether the knobs leave the plan to the variant. */
static bool is_asked(const clp_segmented_traits *variant, const clp_knob *knobs) {
    if (variant->knob == CLP_SEGMENTED_KNOBS) return true;
    if (knobs[variant->knob].value == 0) return false;
    bool rival = false;
    for (int k = 0; k < CLP_SEGMENTED_KNOBS; k++) {
        rival = rival || ((variant->rivals >> k & 1) != 0 && knobs[k].given);
    }
    return knobs[variant->knob].given || !rival;
}

clprims_status clp_segmented_shape_choose(const clprims_context *context,
                                          const clp_segmented_spec *spec, const char *tuning,
                                          clp_segmented_shape *shape) {
    clp_knob knobs[CLP_SEGMENTED_KNOBS];
    memcpy(knobs, clp_segmented_knobs, sizeof knobs);
    clp_segmented_set_share_knobs(context, spec, knobs);
    clp_segmented_set_team_knobs(context, spec, knobs);
    clp_segmented_set_pass_knobs(context, spec, knobs);
    CLP_TRY(clp_knobs_set(context, "segmented", spec->what.type_bytes, tuning, knobs,
                          CLP_SEGMENTED_KNOBS));
    const clp_segmented_traits *chosen = clp_segmented_variants; /* the last one fits every plan */
    while (!is_asked(chosen, knobs) ||
           (chosen->fits != NULL && !chosen->fits(context, spec, knobs))) {
        chosen++;
    }
    *shape = (clp_segmented_shape){
        .variant = (clp_segmented_variant)(chosen - clp_segmented_variants),
        .group = knobs[CLP_SEGMENTED_GROUP].value,
        .most_groups = knobs[CLP_SEGMENTED_GROUPS].value * context->device.info.compute_units,
        .items = knobs[CLP_SEGMENTED_ITEMS].value,
        .share = knobs[CLP_SEGMENTED_SHARE].value};
    return chosen->adjust == NULL ? CLPRIMS_OK : chosen->adjust(context, spec, knobs, shape);
}
