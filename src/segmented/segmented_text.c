/* SPDX-License-Identifier: MIT */
/* The program of segmented: a prelude that holds every choice, and the files that belong to it. */
#include "core/program.h"
#include "core/test_hooks.h"
#include "core/type.h"
#include "segmented/segmented_plan.h"

/* Of clp_report in cl/segmented/segmented_report.cl. */
enum { REPORT_BYTES = 24 };
_Static_assert(sizeof(clprims_segmented_report) == REPORT_BYTES, "kernels write it");

void clp_segmented_add_report(clp_text *text) {
    clp_text_add(text, "#define CLP_SEGMENTED_REPORT_BYTES %d\n", REPORT_BYTES);
}

static void add_values(clp_text *text, const clp_segmented_spec *spec) {
    clp_text_add(text, "#define CLP_REDUCES %d\n#define CLP_ARG %d\n", spec->reduces, spec->is_arg);
    clp_text_add(text, "#define CLP_EMPTY %d\n", spec->is_empty_fault);
    clp_text_add(text, "#define CLP_VALUE_BYTES %zu\n", spec->value_bytes);
    clp_text_add(text, "#define CLP_PART_BYTES %d\n", CLP_SEGMENTED_PART_BYTES);
    clp_segmented_add_report(text);
    if (!spec->is_arg) return;
    clp_text_add(text, "#define CLP_LOCAL_INDEX %d\n", spec->local_index);
    clp_text_add(text, "#define CLP_BETTER %s\n", clp_operation_better(&spec->what));
}

void clp_segmented_add_heads(clp_text *text, const clp_segmented_spec *spec) {
    const char *type = spec->heads_type == CLPRIMS_STRUCT ? spec->what.custom.type_name
                                                          : clp_type_text(spec->heads_type);
    clp_text_add(text, "#define CLP_HEAD %s\n", type);
    clp_text_add(text,
                 "#define CLP_BY_OFFSETS %d\n#define CLP_BY_KEYS %d\n#define CLP_BY_BITS %d\n",
                 clp_segmented_by_offsets(spec), spec->by == CLPRIMS_SEGMENTS_KEYS,
                 spec->by == CLPRIMS_SEGMENTS_BITS);
    clp_text_add(text, "#define CLP_UNIQUE %d\n", spec->unique_keys);
    if (spec->by != CLPRIMS_SEGMENTS_KEYS) return;
    clp_text_add(text,
                 "typedef char clp_key_has_the_stated_size[sizeof(CLP_HEAD) == %zu ? 1 : -1];\n",
                 spec->heads_bytes);
    clp_text_add(text, "static inline bool clp_same(CLP_HEAD a, CLP_HEAD b%s) { ",
                 clp_parameters_last(spec->what.parameters));
    clp_text_add_parameter_names(text, spec->what.parameters);
    clp_text_add(text, "return (");
    clp_text_add_expression(text, "equal", spec->equal != NULL ? spec->equal : "a == b", "); }");
}

#define PARTS                                                                                      \
    "tile/types.cl", "tile/parameters.cl", "segmented/segmented_report.cl", "engine/count.cl",     \
        "engine/last_group.cl", "segmented/segmented.cl", "segmented/segmented_finish.cl"
#define TEAM_PARTS(...)                                                                            \
    {                                                                                              \
        PARTS, "segmented/segmented_share.cl", __VA_ARGS__, "segmented/segmented_team_kernel.cl",  \
            NULL                                                                                   \
    }

static const char *const direct[] = {"tile/types.cl",
                                     "tile/parameters.cl",
                                     "segmented/segmented_report.cl",
                                     "engine/count.cl",
                                     "engine/last_group.cl",
                                     "segmented/segmented.cl",
                                     "segmented/segmented_direct_elements.cl",
                                     "segmented/segmented_direct_totals.cl",
                                     "segmented/segmented_direct.cl",
                                     NULL};
static const char *const serial[] = {PARTS, "segmented/segmented_serial.cl", NULL};
static const char *const by_offsets[] =
    TEAM_PARTS("segmented/segmented_team.cl", "segmented/segmented_team_offsets.cl");
static const char *const by_heads[] =
    TEAM_PARTS("segmented/segmented_team.cl", "segmented/segmented_team_heads.cl");
static const char *const by_rings[] =
    TEAM_PARTS("segmented/segmented_streams.cl", "segmented/segmented_steps.cl",
               "segmented/segmented_merge.cl", "segmented/segmented_rings.cl");

static void add_rings(clp_text *text, const clp_segmented_spec *spec,
                      const clp_segmented_shape *shape) {
    clp_text_add(text, "#define CLP_LOADERS 1\n#define CLP_HEAD_BYTES %zu\n", spec->heads_bytes);
    clp_text_add(text, "#define CLP_IN_RING %zu\n#define CLP_END_RING %zu\n", shape->in_ring,
                 shape->end_ring);
}

static void add_groups(clp_text *text, const clp_segmented_spec *spec,
                       const clp_segmented_shape *shape) {
    clp_text_add(text, "#define CLP_DELAYED_SHARES %zu\n", clp_test_hooks_get()->delay);
    clp_text_add(text, "#define CLP_SEGMENT_LANES %zu\n#define CLP_LONG_BLOCK %zu\n", shape->team,
                 shape->block);
    clp_text_add(text, "#define CLP_OFFSETS_CHECKED %zu\n", shape->checked);
    clp_text_add(text, "#define CLP_MOST_CHECKERS %zu\n",
                 clp_segmented_checkers(shape, spec->max_segments));
}

clprims_status clp_segmented_build(const clprims_context *context, const clp_segmented_spec *spec,
                                   const clp_segmented_shape *shape, cl_program *program) {
    clp_text prelude = {0};
    const char *const *parts = shape->team > 0                  ? direct
                               : !shape->by_teams               ? serial
                               : shape->in_ring > 0             ? by_rings
                               : clp_segmented_by_offsets(spec) ? by_offsets
                                                                : by_heads;
    clp_text_add_operation(&prelude, context, &spec->what);
    add_values(&prelude, spec);
    clp_segmented_add_heads(&prelude, spec);
    clp_text_add(&prelude, "#define CLP_EXTRA 0\n#define CLP_GROUP %zu\n#define CLP_BY_TEAMS %d\n",
                 shape->group, shape->by_teams);
    clp_text_add(&prelude, "#define CLP_NOTES_HEADS %d\n", clp_segmented_notes_heads(spec, shape));
    clp_text_add(&prelude, "#define CLP_BY_GROUPS %d\n", shape->by_groups);
    if (shape->by_groups) add_groups(&prelude, spec, shape);
    if (shape->by_teams) clp_text_add(&prelude, "#define CLP_ITEMS %zu\n", shape->items);
    if (shape->in_ring > 0) add_rings(&prelude, spec, shape);
    const clprims_status status =
        clp_program_build_limited(context, "segmented", &prelude, parts, shape->registers, program);
    clp_text_free(&prelude);
    return status;
}
