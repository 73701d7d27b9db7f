/* SPDX-License-Identifier: MIT */
/* The prelude of a program of segmented, which holds every choice, and the program's files: those
 * of the table of variants, and the tiles of rows. */
#include "cl_sources.h"
#include "core/test_hooks.h"
#include "core/type.h"
#include "segmented/segmented_plan.h"

enum { MOST_PARTS = 16 };

/* The size of clp_report in cl/segmented/segmented_report.cl. */
enum { REPORT_BYTES = sizeof(clprims_segmented_report) };

void clp_segmented_add_report(clp_text *text) {
    clp_text_add(text, "#define CLP_SEGMENTED_REPORT_BYTES %d\n", REPORT_BYTES);
}

static void add_values(clp_text *text, const clp_segmented_spec *spec) {
    clp_text_add(text, "#define CLP_REDUCES %d\n#define CLP_ARG %d\n", spec->reduces,
                 spec->what.is_arg);
    clp_text_add(text, "#define CLP_EMPTY %d\n", spec->is_empty_fault);
    clp_text_add(text, "#define CLP_VALUE_BYTES %zu\n", spec->value_bytes);
    clp_text_add(text, "#define CLP_PART_BYTES %d\n", CLP_SEGMENTED_PART_BYTES);
    clp_segmented_add_report(text);
    if (!spec->what.is_arg) return;
    clp_text_add(text, "#define CLP_LOCAL_INDEX %d\n", spec->local_index);
    clp_text_add(text, "#define CLP_BETTER %s\n", clp_operation_better(&spec->what));
}

void clp_segmented_add_heads(clp_text *text, const clp_segmented_spec *spec) {
    const char *type = spec->heads_type == CLPRIMS_STRUCT     ? spec->what.custom.type_name
                       : spec->by == CLPRIMS_SEGMENTS_OFFSETS ? clp_offset_text(spec->heads_type)
                                                              : clp_type_text(spec->heads_type);
    clp_text_add(text, "#define CLP_HEAD %s\n", type);
    clp_text_add(text,
                 "#define CLP_BY_OFFSETS %d\n#define CLP_BY_KEYS %d\n#define CLP_BY_BITS %d\n"
                 "#define CLP_BY_LENGTH %d\n",
                 clp_segmented_by_offsets(spec), spec->by == CLPRIMS_SEGMENTS_KEYS,
                 spec->by == CLPRIMS_SEGMENTS_BITS, spec->by == CLPRIMS_SEGMENTS_EQUAL);
    clp_text_add(text, "#define CLP_UNIQUE %d\n", spec->unique_keys);
    if (spec->by != CLPRIMS_SEGMENTS_KEYS) return;
    clp_text_add(text, "static inline bool clp_same(CLP_HEAD a, CLP_HEAD b");
    clp_text_add_function(text, spec->what.parameters, "equal", spec->equal, "a == b");
}

static void add_teams(clp_text *text, const clp_segmented_spec *spec,
                      const clp_segmented_shape *shape) {
    clp_text_add(text, "#define CLP_DELAYED_SHARES %zu\n", clp_test_hooks_get()->delay);
    clp_text_add(text, "#define CLP_SEGMENT_LANES %zu\n#define CLP_LONG_BLOCK %zu\n", shape->team,
                 shape->block);
    clp_text_add(text, "#define CLP_OFFSETS_CHECKED %zu\n", shape->checked);
    clp_text_add(text, "#define CLP_MOST_CHECKERS %zu\n",
                 clp_segmented_checkers(shape, spec->max_segments));
}

static void add_shape(clp_text *text, const clp_segmented_spec *spec,
                      const clp_segmented_shape *shape) {
    const bool is_direct = shape->variant == CLP_SEGMENTED_DIRECT;
    clp_text_add(text, "#define CLP_EXTRA 0\n#define CLP_GROUP %zu\n#define CLP_SHARE_LANES %zu\n",
                 shape->group, shape->lanes);
    clp_text_add(text, "#define CLP_PUBLISHES %d\n", is_direct);
    if (is_direct) add_teams(text, spec, shape);
    if (!is_direct && shape->lanes > 1) clp_text_add(text, "#define CLP_ITEMS %zu\n", shape->items);
    if (shape->row_tile > 0) clp_text_add(text, "#define CLP_ROW_TILE %zu\n", shape->row_tile);
}

clprims_status clp_segmented_build(clprims_segmented *plan, cl_program *program) {
    const clp_segmented_spec *spec = &plan->spec;
    const clp_segmented_shape *shape = &plan->shape;
    clp_text prelude = {0};
    clp_text_add_operation(&prelude, plan->head.context, &spec->what);
    clp_text_add_stored(&prelude, &spec->what, !spec->reduces, "CLP_R r, ulong i");
    add_values(&prelude, spec);
    clp_segmented_add_heads(&prelude, spec);
    add_shape(&prelude, spec, shape);
    clp_part parts[MOST_PARTS] = {NULL};
    const clp_part *const own = clp_segmented_variants[shape->variant].parts;
    size_t count = 0;
    for (; own[count] != NULL; count++) parts[count] = own[count];
    if (shape->row_tile > 0) parts[count] = &clp_segmented_rows_cl;
    return clp_plan_build(&plan->head, &prelude, parts, shape->registers, program);
}
