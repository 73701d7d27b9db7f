/* SPDX-License-Identifier: MIT */
/* Checks and defaults of an operation, and the kernel text that defines it. */
#include "plan/operation.h"
#include "core/check.h"
#include "core/context.h"
#include "core/device.h"
#include "core/program.h"
#include "core/status.h"
#include "core/text.h"
#include "core/type.h"

#include <string.h>

/* ---- Checks ---- */

static clprims_status check_enumerators(const char *who, const clp_operation *o) {
    CLP_TRY(clp_check_type(who, "type", o->type));
    CLP_TRY(clp_check_type(who, "accumulator", o->accumulator));
    CLP_TRY(clp_check_type(who, "result_type", o->out_type));
    CLP_FAIL_IF(o->is_arg && !o->takes_arg, CLPRIMS_ERR_ARGUMENT,
                "%s: op = %d (%s) is for reduce and segmented only", who, (int)o->op,
                clprims_op_name(o->op));
    CLP_TRY(clp_check_enumerator(who, "op", (int)o->op, CLPRIMS_ARGMAX, "clprims_op"));
    return CLPRIMS_OK;
}

static clprims_status check_struct(const char *who, const clp_operation *o) {
    if (o->type != CLPRIMS_STRUCT && o->accumulator != CLPRIMS_STRUCT &&
        o->out_type != CLPRIMS_STRUCT) {
        return CLPRIMS_OK;
    }
    CLP_TRY(clp_check_struct(who, &o->custom));
    CLP_FAIL_IF(o->op != CLPRIMS_CUSTOM &&
                    (o->accumulator == CLPRIMS_STRUCT || (o->is_arg && o->type == CLPRIMS_STRUCT)),
                CLPRIMS_ERR_ARGUMENT,
                "%s: op = %d (%s) is not defined for structs; use CLPRIMS_CUSTOM", who, (int)o->op,
                clprims_op_name(o->op));
    CLP_FAIL_IF(o->type != o->accumulator && o->input == NULL, CLPRIMS_ERR_ARGUMENT,
                "%s: there is no conversion from %s to %s; give one as desc.input", who,
                clprims_type_name(o->type), clprims_type_name(o->accumulator));
    CLP_FAIL_IF(o->out_type != o->result_type && o->result == NULL &&
                    (o->out_type == CLPRIMS_STRUCT || o->result_type == CLPRIMS_STRUCT),
                CLPRIMS_ERR_ARGUMENT,
                "%s: there is no conversion from %s to %s; give one as desc.result", who,
                clprims_type_name(o->result_type), clprims_type_name(o->out_type));
    return CLPRIMS_OK;
}

static clprims_status check_operator(const clprims_context *context, const char *who,
                                     const clp_operation *o) {
    const bool bits = o->op == CLPRIMS_AND || o->op == CLPRIMS_OR || o->op == CLPRIMS_XOR;
    CLP_FAIL_IF(bits && clp_type_is_float(o->accumulator), CLPRIMS_ERR_UNSUPPORTED,
                "%s: op = %d (%s) is not defined for %s", who, (int)o->op, clprims_op_name(o->op),
                clprims_type_name(o->accumulator));
    CLP_FAIL_IF(o->op == CLPRIMS_CUSTOM && o->custom.op == NULL, CLPRIMS_ERR_ARGUMENT,
                "%s: CLPRIMS_CUSTOM needs custom.op; it is NULL", who);
    CLP_FAIL_IF(o->op != CLPRIMS_CUSTOM && o->custom.op != NULL, CLPRIMS_ERR_ARGUMENT,
                "%s: custom.op = \"%s\", but op = %d (%s); only CLPRIMS_CUSTOM reads it", who,
                o->custom.op, (int)o->op, clprims_op_name(o->op));
    CLP_TRY(clp_check_float64(context, who, o->type, o->accumulator));
    return clp_check_float64(context, who, o->out_type, o->out_type);
}

/* ---- Defaults ---- */

/* Built-in operators on 8 and 16 bits work in 32 bits. The low bits are the same, and the compiler
 * need not truncate every intermediate result. */
static void choose_working(clp_operation *o) {
    const bool narrow = o->accumulator_bytes < 4 && o->op != CLPRIMS_CUSTOM;
    o->working = o->accumulator;
    o->working_bytes = o->accumulator_bytes;
    if (!narrow) return;
    const bool is_signed = o->accumulator == CLPRIMS_I8 || o->accumulator == CLPRIMS_I16;
    o->working = is_signed ? CLPRIMS_I32 : CLPRIMS_U32;
    o->working_bytes = 4;
}

/* Converts a value of the accumulator's type to the working type, in place. */
static void widen(const clp_operation *o, void *value) {
    int8_t i8;
    int16_t i16;
    int32_t wide = 0;
    if (o->working == o->accumulator) return;
    if (o->accumulator == CLPRIMS_I8) {
        memcpy(&i8, value, sizeof i8);
        wide = i8;
    } else if (o->accumulator == CLPRIMS_I16) {
        memcpy(&i16, value, sizeof i16);
        wide = i16;
    } else {
        memcpy(&wide, value, o->accumulator_bytes); /* unsigned; the low bytes come first */
    }
    memcpy(value, &wide, sizeof wide);
}

void clp_operation_set_start(const clp_operation *o, const void *value, void *start) {
    memcpy(start, value, o->accumulator_bytes);
    widen(o, start);
}

static clprims_status take_start(const char *who, const void *init, clp_operation *o, void *start) {
    const void *custom_identity = o->custom.identity;
    o->has_start = init != NULL || !o->inclusive;
    if (init != NULL) {
        memcpy(start, init, o->accumulator_bytes);
    } else if (!o->has_start) {
        memset(start, 0, o->accumulator_bytes);
    } else if (o->op != CLPRIMS_CUSTOM) {
        clp_op_identity(o->op, o->accumulator, start);
    } else if (custom_identity != NULL) {
        memcpy(start, custom_identity, o->accumulator_bytes);
    } else {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: an exclusive scan by a custom operator needs its first output; "
                        "give init or custom.identity",
                        who);
    }
    widen(o, start);
    return CLPRIMS_OK;
}

clprims_status clp_operation_fill(const clprims_context *context, const char *who, const void *init,
                                  clp_operation *o, void *start) {
    if (o->accumulator == CLPRIMS_TYPE_DEFAULT) o->accumulator = o->type;
    o->is_arg = o->op == CLPRIMS_ARGMIN || o->op == CLPRIMS_ARGMAX;
    o->result_type = o->is_arg ? CLPRIMS_I64 : o->accumulator;
    if (o->out_type == CLPRIMS_TYPE_DEFAULT) o->out_type = o->result_type;
    CLP_TRY(check_enumerators(who, o));
    CLP_TRY(check_struct(who, o));
    CLP_TRY(check_operator(context, who, o));
    CLP_FAIL_IF(!o->has_input_array && o->input == NULL, CLPRIMS_ERR_ARGUMENT,
                "%s: no_input_array without desc.input; give an expression of i", who);
    if (o->is_arg) o->op = o->op == CLPRIMS_ARGMIN ? CLPRIMS_MIN : CLPRIMS_MAX;
    const size_t custom_bytes = o->custom.type_bytes;
    o->type_bytes = o->type == CLPRIMS_STRUCT ? custom_bytes : clprims_type_bytes(o->type);
    o->accumulator_bytes =
        o->accumulator == CLPRIMS_STRUCT ? custom_bytes : clprims_type_bytes(o->accumulator);
    o->out_bytes = o->out_type == CLPRIMS_STRUCT ? custom_bytes : clprims_type_bytes(o->out_type);
    choose_working(o);
    return take_start(who, o->is_arg ? NULL : init, o, start);
}

void clp_operation_forget_texts(clp_operation *o) {
    o->custom = (clprims_custom){0};
    o->input = o->result = NULL;
}

bool clp_operation_rounds(const clp_operation *o) {
    const bool exact_op = o->op == CLPRIMS_MIN || o->op == CLPRIMS_MAX;
    return o->accumulator == CLPRIMS_STRUCT || (clp_type_is_float(o->accumulator) && !exact_op);
}

/* ---- Kernel text ---- */

const char *clp_operation_better(const clp_operation *o) {
    const bool least = o->op == CLPRIMS_MIN;
    if (clp_type_is_float(o->working)) {
        return least ? "(!(a >= b) && a == a)" : "(!(a <= b) && a == a)";
    }
    return least ? "(a < b)" : "(a > b)";
}

void clp_text_add_bits(clp_text *text, const char *name, clprims_type type, uint64_t bits) {
    static const char *const carriers[] = {
        [1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong"};
    const size_t bytes = clprims_type_bytes(type);
    if (bytes < sizeof bits) bits &= ((uint64_t)1 << 8 * bytes) - 1;
    clp_text_add(text, "#define %s as_%s((%s)0x%llxul)\n", name, clp_type_text(type),
                 carriers[bytes], (unsigned long long)bits);
}

/* The value that leaves every other value's bits as they are under a built-in operator. */
static void add_padding(clp_text *text, clprims_op op, clprims_type type) {
    unsigned char bytes[8];
    uint64_t bits = 0;
    clp_op_padding(op, type, bytes);
    for (size_t i = clprims_type_bytes(type); i-- > 0;) bits = bits << 8 | bytes[i];
    clp_text_add_bits(text, "CLP_IDENTITY", type, bits);
}

static const char *type_text(const clp_operation *o, clprims_type type) {
    return type == CLPRIMS_STRUCT ? o->custom.type_name : clp_type_text(type);
}

static void add_input(clp_text *text, const clp_operation *o) {
    clp_text_add(text, "static inline %s clp_input(%sulong i", type_text(o, o->accumulator),
                 o->has_input_array ? "CLP_E x, " : "");
    clp_text_add_function(text, o->parameters, "input", o->input, "x");
}

static void add_operator(clp_text *text, const clprims_context *context, const clp_operation *o) {
    const bool orders_zeros = context->layer == CLPRIMS_LAYER_NVIDIA;
    clp_text_add(text, "static inline CLP_A clp_op(CLP_A a, CLP_A b) { return (");
    if (o->op == CLPRIMS_CUSTOM) {
        clp_text_add_expression(text, "operator", o->custom.op, "); }");
    } else {
        clp_text_add(text, "%s); }\n", clp_op_text(o->op, o->working, orders_zeros));
    }
}

void clp_text_add_operation(clp_text *text, const clprims_context *context,
                            const clp_operation *o) {
    clp_text_add_declarations(text, context, &o->custom, o->parameters);
    clp_text_add(text, "#define CLP_E %s\n#define CLP_E_BYTES %zu\n", type_text(o, o->type),
                 o->type_bytes);
    clp_text_add(text, "#define CLP_A %s\n#define CLP_A_BYTES %zu\n", type_text(o, o->working),
                 o->working_bytes);
    clp_text_add(text, "#define CLP_R %s\n", type_text(o, o->result_type));
    clp_text_add(text, "#define CLP_OUT %s\n#define CLP_OUT_BYTES %zu\n", type_text(o, o->out_type),
                 o->out_bytes);
    if (o->op != CLPRIMS_CUSTOM) add_padding(text, o->op, o->accumulator);
    clp_text_add(text, "#define CLP_INPUTS %d\n#define CLP_HAS_START %d\n", o->has_input_array,
                 o->has_start);
    clp_text_add(text, "#define CLP_INCLUSIVE %d\n", o->inclusive);
    clp_text_add(text, "#define CLP_COMMUTATIVE %d\n",
                 o->op != CLPRIMS_CUSTOM || o->custom.commutative);
    add_input(text, o);
    add_operator(text, context, o);
}

bool clp_operation_names(const clp_operation *o, const char *operand) {
    return o->result != NULL && clp_text_names(o->result, operand);
}

void clp_text_add_stored(clp_text *text, const clp_operation *o, bool has_x, const char *operands) {
    const bool reads = has_x && o->has_input_array && clp_operation_names(o, "x");
    clp_text_add(text, "#define CLP_STORES_TEXT %d\n#define CLP_STORES_X %d\n", o->result != NULL,
                 reads);
    clp_text_add(text, "static inline CLP_OUT clp_stored(%s%s", reads ? "CLP_E x, " : "", operands);
    clp_text_add_function(text, o->parameters, "result", o->result, "r");
}
