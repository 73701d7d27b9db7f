/* SPDX-License-Identifier: MIT */
/* The scan's prelude: the only place where a type or an operator is named to a kernel. */
#include "scan_engine.h"

#include <string.h>

/* Opens a region of the caller's text, so that the compiler's messages name it. */
static void add_user_text(clp_text *text, const char *name, const char *chars) {
    clp_text_add(text, "\n#line 1 \"%s\"\n", name);
    clp_text_add_bytes(text, chars, strlen(chars));
    clp_text_add(text, "\n#line 1 \"prelude\"\n");
}

/* The identity of a built-in operator as an OpenCL C expression, exact to the bit. */
static void add_identity(clp_text *text, clprims_op op, clprims_type type) {
    unsigned char bytes[8];
    unsigned long long bits = 0;
    const size_t size = clprims_type_bytes(type);
    clp_op_identity(op, type, bytes);
    for (size_t i = size; i-- > 0;) bits = bits << 8 | bytes[i];
    const char *const carriers[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong"};
    clp_text_add(text, "#define CLP_IDENTITY as_%s((%s)0x%llxul)\n", clp_type_text(type),
                 carriers[size], bits);
}

static const char *type_text(const clp_scan_spec *spec, clprims_type type) {
    return type == CLPRIMS_STRUCT ? spec->custom.type_name : clp_type_text(type);
}

static void add_input(clp_text *text, const clp_scan_spec *spec) {
    clp_text_add(text, "static inline CLP_A clp_input(%sulong i) { const CLP_OUT value = ",
                 spec->has_input_array ? "CLP_E x, " : "");
    if (spec->input != NULL) {
        clp_text_add(text, "(");
        add_user_text(text, "input", spec->input);
        clp_text_add(text, ")");
    } else {
        clp_text_add(text, "%s", spec->accumulator == CLPRIMS_STRUCT ? "x" : "(CLP_OUT)x");
    }
    clp_text_add(text, "; return value; }\n");
}

static void add_operator(clp_text *text, const clp_scan_spec *spec) {
    clp_text_add(text, "static inline CLP_A clp_op(CLP_A a, CLP_A b) { return (");
    if (spec->op == CLPRIMS_CUSTOM) {
        add_user_text(text, "operator", spec->custom.op);
    } else {
        clp_text_add(text, "%s", clp_op_text(spec->op, spec->working));
    }
    clp_text_add(text, "); }\n");
}

static void add_prelude(clp_text *text, const clp_device *device, const clp_scan_spec *spec,
                        const clp_shape *shape) {
    if (device->has_float64) {
        clp_text_add(text, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
    }
    if (spec->custom.declarations != NULL) {
        add_user_text(text, "declarations", spec->custom.declarations);
    }
    clp_text_add(text, "#define CLP_E %s\n#define CLP_E_BYTES %zu\n", type_text(spec, spec->type),
                 spec->type_bytes);
    clp_text_add(text, "#define CLP_A %s\n#define CLP_A_BYTES %zu\n",
                 type_text(spec, spec->working), spec->working_bytes);
    clp_text_add(text, "#define CLP_OUT %s\n#define CLP_OUT_BYTES %zu\n",
                 type_text(spec, spec->accumulator), spec->accumulator_bytes);
    /* Structs know no cast, and need none. */
    clp_text_add(text, "#define CLP_STORED(value) %s(value)\n",
                 spec->accumulator == CLPRIMS_STRUCT ? "" : "(CLP_OUT)");
    clp_text_add(text, "#define CLP_GUARD %d\n", spec->op == CLPRIMS_CUSTOM);
    if (spec->op != CLPRIMS_CUSTOM) add_identity(text, spec->op, spec->accumulator);
    clp_text_add(text, "#define CLP_INPUTS %d\n#define CLP_EXTRA 0\n#define CLP_REPORTS 0\n#define CLP_HAS_START %d\n",
                 spec->has_input_array, spec->has_start);
    clp_text_add(text, "#define CLP_INCLUSIVE %d\n#define CLP_REPRODUCIBLE %d\n", spec->inclusive,
                 spec->order_matters);
    clp_shape_add(text, shape, spec->working_bytes);
    clp_text_add(text, "#define CLP_COMMUTATIVE %d\n",
                 spec->op != CLPRIMS_CUSTOM || spec->custom.commutative);
    clp_text_add(text, "#define CLP_FALLBACK %d\n",
                 spec->algorithm == CLPRIMS_SCAN_LOOKBACK_FALLBACK);
    add_input(text, spec);
    add_operator(text, spec);
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
