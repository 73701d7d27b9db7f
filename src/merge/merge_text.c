/* SPDX-License-Identifier: MIT */
/* The programs of merge and search: a prelude that holds every choice, and their files. */
#include "cl_sources.h"
#include "core/program.h"
#include "core/type.h"
#include "merge/merge_plan.h"

/* Of clp_report in cl/merge/merge_path.cl. */
enum { REPORT_BYTES = sizeof(clprims_merge_report) };
_Static_assert(sizeof(clprims_search_report) == REPORT_BYTES, "kernels write it");

static void add_order(clp_text *text, const clp_merge_plan *plan) {
    const clp_merge_spec *spec = &plan->spec;
    const char *type =
        spec->type == CLPRIMS_STRUCT ? spec->custom->type_name : clp_type_text(spec->type);
    clp_text_add(text, "#define CLP_E %s\n#define CLP_E_BYTES %zu\n", type, spec->type_bytes);
    clp_text_add(text, "static inline bool clp_less(CLP_E a, CLP_E b");
    clp_text_add_function(text, &plan->head.parameters, "less", spec->less,
                          clp_type_is_float(spec->type) ? "!(a >= b) && a == a" : "a < b");
    clp_text_add(text, "#define CLP_UPPER %d\n#define CLP_MERGE_REPORT_BYTES %d\n",
                 spec->bound == CLPRIMS_SEARCH_UPPER, REPORT_BYTES);
}

static void add_payload(clp_text *text, size_t bytes) {
    clp_text_add(text, "#define CLP_PAYLOAD %d\n", bytes > 0);
    if (bytes == 0) return;
    clp_text_add_moved(text, "clp_value", bytes);
    clp_text_add(text, "#define CLP_VALUE clp_value\n");
}

static void add_shape(clp_text *text, const clp_merge_plan *plan) {
    const clp_merge_shape *shape = &plan->shape;
    clp_text_add(text, "#define CLP_GROUP %zu\n#define CLP_ITEMS %zu\n#define CLP_TILE %zu\n",
                 shape->group, shape->items, shape->tile);
    if (plan->spec.kind == CLP_MERGE_ARRAYS) {
        add_payload(text, plan->spec.payload_bytes);
    } else {
        clp_text_add(text, "#define CLP_OUT %s\n#define CLP_BOTH %d\n",
                     clp_type_text(plan->spec.positions), plan->spec.bound == CLPRIMS_SEARCH_BOTH);
    }
    if (plan->spec.kind != CLP_MERGE_SEARCH_ANY) return;
    clp_text_add(text, "#define CLP_PIVOTS %zu\n#define CLP_BLOCK_BITS %zu\n", shape->pivots,
                 shape->block_bits);
}

/* The files of a kind of plan, and its kernel. */
typedef struct way {
    clp_part parts[6];
    const char *prepare; /* NULL: none */
    const char *kernel;
} way;

#define COMMON &clp_parameters_cl, &clp_merge_path_cl
#define SEARCH COMMON, &clp_search_gallop_cl

static const way *choose_way(const clp_merge_plan *plan) {
    static const way ways[][2] = {
        [CLP_MERGE_ARRAYS] = {{{COMMON, &clp_merge_split_cl, &clp_merge_cl, NULL},
                               "clp_merge_split",
                               "clp_merge_tile"},
                              {{COMMON, &clp_merge_serial_cl, NULL}, NULL, "clp_merge_serial"}},
        [CLP_MERGE_SEARCH_ANY] = {{{SEARCH, &clp_search_cl, NULL},
                                   "clp_search_sample",
                                   "clp_search_any"},
                                  {{SEARCH, &clp_search_cl, NULL}, NULL, "clp_search_any"}},
        [CLP_MERGE_SEARCH_SORTED] = {{{SEARCH, &clp_merge_split_cl, &clp_search_tiles_cl, NULL},
                                      "clp_merge_split",
                                      "clp_search_tile"},
                                     {{SEARCH, &clp_search_serial_cl, NULL},
                                      NULL,
                                      "clp_search_serial"}},
    };
    return &ways[plan->spec.kind][clp_merge_is_serial(&plan->shape)];
}

clprims_status clp_merge_build(clp_merge_plan *plan) {
    const clp_merge_spec *spec = &plan->spec;
    const way *how = choose_way(plan);
    clp_text prelude = {0};
    clp_text_add_declarations(&prelude, plan->head.context, spec->custom, &plan->head.parameters);
    add_order(&prelude, plan);
    add_shape(&prelude, plan);
    cl_program program;
    CLP_TRY(clp_plan_build(&plan->head, &prelude, how->parts, 0, &program));
    if (how->prepare != NULL && (clp_merge_splits(plan) || plan->shape.block_bits > 0)) {
        CLP_TRY(clp_plan_kernel(&plan->head, program, how->prepare, &plan->prepare));
    }
    return clp_plan_kernel(&plan->head, program, how->kernel, &plan->kernel);
}
