/* SPDX-License-Identifier: MIT */
/* The scan's program: a prelude that holds every choice, and the files that belong to it. */
#include "scan_engine.h"

static void add_prelude(clp_text *text, const clp_device *device, const clp_scan_spec *spec,
                        const clp_shape *shape) {
    clp_text_add_operation(text, device, &spec->what);
    clp_text_add(text, "#define CLP_GUARD %d\n", spec->what.op == CLPRIMS_CUSTOM);
    clp_text_add(text, "#define CLP_EXTRA 0\n#define CLP_REPORTS 0\n");
    clp_text_add(text, "#define CLP_REPRODUCIBLE %d\n", spec->order_matters);
    clp_shape_add(text, shape, spec->what.working_bytes);
    clp_text_add(text, "#define CLP_FALLBACK %d\n",
                 spec->algorithm == CLPRIMS_SCAN_LOOKBACK_FALLBACK);
}

clprims_status clp_scan_build(const clprims_context *context, const clp_scan_spec *spec,
                              const clp_shape *shape, cl_program *program) {
    const char *tile = shape->group == 1 ? "tile_serial.cl" : "tile.cl";
    const char *const lookback[] = {"types.cl",         "io.cl", tile, "scan.cl", "lookback.cl",
                                    "scan_lookback.cl", NULL};
    const char *const lookahead[] = {
        "types.cl", "io.cl", tile, "lookback.cl", "lookahead.cl", "scan_lookahead.cl", NULL};
    const char *const levels[] = {"types.cl", "io.cl", tile, "scan.cl", "scan_levels.cl", NULL};
    const char *const *parts = lookback;
    if (spec->algorithm == CLPRIMS_SCAN_LOOKAHEAD) parts = lookahead;
    if (spec->algorithm == CLPRIMS_SCAN_REDUCE_THEN_SCAN) parts = levels;
    clp_text prelude = {0};
    add_prelude(&prelude, &context->device, spec, shape);
    const clprims_status status = clp_program_build(context, "scan", &prelude, parts, program);
    clp_text_free(&prelude);
    return status;
}
