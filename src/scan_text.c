/* SPDX-License-Identifier: MIT */
/* The scan's program: a prelude that holds every choice, and the files that belong to it. */
#include "scan_engine.h"

/* #define name(step) step(0) step(1) ...: loops that every compiler unrolls. */
static void add_each(clp_text *text, const char *name, size_t count) {
    clp_text_add(text, "#define %s(step)", name);
    for (size_t i = 0; i < count; i++) clp_text_add(text, " step(%zu)", i);
    clp_text_add(text, "\n");
}

static void add_shape(clp_text *text, const clp_scan_shape *shape, size_t words) {
    clp_text_add(text, "#define CLP_GROUP %zu\n#define CLP_VEC %zu\n#define CLP_ROWS %zu\n",
                 shape->group, shape->vec, shape->rows);
    clp_text_add(text, "#define CLP_WINDOW %zu\n#define CLP_SPINS %zu\n#define CLP_MUTE %zu\n",
                 shape->window, shape->spins, shape->mute);
    if (shape->group > 1) add_each(text, "CLP_EACH_ROW", shape->rows);
    if (shape->stages == 0) return;
    clp_text_add(text, "#define CLP_SCANNERS %zu\n#define CLP_REDUCERS %zu\n", shape->scanners,
                 shape->reducers);
    clp_text_add(text, "#define CLP_STAGES %zu\n#define CLP_UNITS %zu\n", shape->stages,
                 shape->units);
    add_each(text, "CLP_EACH_UNIT", shape->units);
    const size_t load_words = words % 2 == 0 ? 2 : 1;
    clp_text_add(text, "#define CLP_LOAD_WORDS %zu\n", load_words);
    add_each(text, "CLP_EACH_LOAD", shape->units * words / load_words);
}

static void add_prelude(clp_text *text, const clp_device *device, const clp_scan_spec *spec,
                        const clp_scan_shape *shape) {
    clp_text_add_operation(text, device, &spec->what);
    clp_text_add(text, "#define CLP_GUARD %d\n", spec->what.op == CLPRIMS_CUSTOM);
    clp_text_add(text, "#define CLP_REPRODUCIBLE %d\n", spec->order_matters);
    add_shape(text, shape, clp_scan_words(spec));
    clp_text_add(text, "#define CLP_FALLBACK %d\n",
                 spec->algorithm == CLPRIMS_SCAN_LOOKBACK_FALLBACK);
}

clprims_status clp_scan_build(const clprims_context *context, const clp_scan_spec *spec,
                              const clp_scan_shape *shape, cl_program *program) {
    const char *tile = shape->group == 1 ? "tile_serial.cl" : "tile.cl";
    const char *const lookback[] = {"types.cl",         tile, "scan.cl", "lookback.cl",
                                    "scan_lookback.cl", NULL};
    const char *const lookahead[] = {"types.cl",          tile, "lookback.cl", "lookahead.cl",
                                     "scan_lookahead.cl", NULL};
    const char *const levels[] = {"types.cl", tile, "scan.cl", "scan_levels.cl", NULL};
    const char *const *parts = lookback;
    if (spec->algorithm == CLPRIMS_SCAN_LOOKAHEAD) parts = lookahead;
    if (spec->algorithm == CLPRIMS_SCAN_REDUCE_THEN_SCAN) parts = levels;
    clp_text prelude = {0};
    add_prelude(&prelude, &context->device, spec, shape);
    const clprims_status status = clp_program_build(context, "scan", &prelude, parts, program);
    clp_text_free(&prelude);
    return status;
}
