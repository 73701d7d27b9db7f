/* SPDX-License-Identifier: MIT */
/* Element types and built-in operators: names, sizes, OpenCL C text, identities. */
#include "core/type.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct type_facts {
    const char *name; /* as NumPy writes it */
    const char *text; /* as OpenCL C writes it */
    size_t bytes;
    bool is_float;
    bool is_signed;
} type_facts;

static const type_facts types[] = {
    [CLPRIMS_I8] = {"int8", "char", 1, false, true},
    [CLPRIMS_I16] = {"int16", "short", 2, false, true},
    [CLPRIMS_I32] = {"int32", "int", 4, false, true},
    [CLPRIMS_I64] = {"int64", "long", 8, false, true},
    [CLPRIMS_U8] = {"uint8", "uchar", 1, false, false},
    [CLPRIMS_U16] = {"uint16", "ushort", 2, false, false},
    [CLPRIMS_U32] = {"uint32", "uint", 4, false, false},
    [CLPRIMS_U64] = {"uint64", "ulong", 8, false, false},
    [CLPRIMS_F32] = {"float32", "float", 4, true, true},
    [CLPRIMS_F64] = {"float64", "double", 8, true, true},
};

/* NULL for CLPRIMS_TYPE_DEFAULT, CLPRIMS_STRUCT and values outside the enumeration. */
static const type_facts *facts(clprims_type type) {
    const size_t index = (size_t)type;
    const bool listed = index < sizeof types / sizeof types[0] && types[index].name != NULL;
    return listed ? &types[index] : NULL;
}

size_t clprims_type_bytes(clprims_type type) {
    const type_facts *found = facts(type);
    return found ? found->bytes : 0;
}

const char *clprims_type_name(clprims_type type) {
    if (type == CLPRIMS_STRUCT) return "struct";
    const type_facts *found = facts(type);
    return found ? found->name : "unknown";
}

clprims_type clp_type_or(clprims_type type, clprims_type usual) {
    return type == CLPRIMS_TYPE_DEFAULT ? usual : type;
}

bool clp_type_is_float(clprims_type type) {
    const type_facts *found = facts(type);
    return found && found->is_float;
}

const char *clp_type_text(clprims_type type) {
    const type_facts *found = facts(type);
    return found ? found->text : NULL;
}

void clp_print_number(clprims_type type, const void *values, int64_t i,
                      char text[CLP_NUMBER_CHARS]) {
    const type_facts *found = facts(type);
    const uint64_t sign = UINT64_C(1) << (8 * found->bytes - 1);
    const char *at = (const char *)values + (size_t)i * found->bytes;
    uint64_t value = 0;
    float single;
    double wide;
    /* The low bytes come first. */
    memcpy(&value, at, found->bytes);
    memcpy(&single, at, sizeof single < found->bytes ? sizeof single : found->bytes);
    memcpy(&wide, at, found->bytes);
    if (found->is_float) {
        snprintf(text, CLP_NUMBER_CHARS, "%.9g", found->bytes == sizeof wide ? wide : single);
    } else if (found->is_signed) {
        snprintf(text, CLP_NUMBER_CHARS, "%" PRId64, (int64_t)((value ^ sign) - sign));
    } else {
        snprintf(text, CLP_NUMBER_CHARS, "%" PRIu64, value);
    }
}

const char *clprims_op_name(clprims_op op) {
    static const char names[][8] = {"add", "min", "max",    "mul",    "and",
                                    "or",  "xor", "custom", "argmin", "argmax"};
    return CLP_TEXT_OF_ENUMERATOR(names, op, "unknown");
}

/* Of floats. fmin and fmax give either of 0.0 and -0.0: then the bits depend on the order of the
 * operands. min and max of PTX take -0.0 for less. */
static const char *float_extreme(bool least, bool orders_zeros) {
    if (orders_zeros) return least ? "fmin(a, b)" : "fmax(a, b)";
    return least ? "a == b ? (signbit(a) ? a : b) : fmin(a, b)"
                 : "a == b ? (signbit(a) ? b : a) : fmax(a, b)";
}

const char *clp_op_text(clprims_op op, clprims_type type, bool orders_zeros) {
    if (clp_type_is_float(type) && (op == CLPRIMS_MIN || op == CLPRIMS_MAX)) {
        return float_extreme(op == CLPRIMS_MIN, orders_zeros);
    }
    static const char texts[][10] = {"a + b", "min(a, b)", "max(a, b)", "a * b",
                                     "a & b", "a | b",     "a ^ b"};
    return CLP_TEXT_OF_ENUMERATOR(texts, op, NULL);
}

static void put_float(double value, size_t bytes, void *to) {
    const float narrow = (float)value;
    memcpy(to, bytes == sizeof narrow ? (const void *)&narrow : (const void *)&value, bytes);
}

static double float_identity(clprims_op op) {
    if (op == CLPRIMS_MIN) return HUGE_VAL;
    if (op == CLPRIMS_MAX) return -HUGE_VAL;
    return op == CLPRIMS_MUL ? 1.0 : 0.0;
}

void clp_op_identity(clprims_op op, clprims_type type, void *identity) {
    const type_facts *found = facts(type);
    if (found->is_float) {
        put_float(float_identity(op), found->bytes, identity);
        return;
    }
    const unsigned bits = (unsigned)(8 * found->bytes);
    const uint64_t ones = UINT64_MAX >> (64 - bits);
    const uint64_t top = UINT64_C(1) << (bits - 1);
    uint64_t value = 0;
    if (op == CLPRIMS_MUL) value = 1;
    if (op == CLPRIMS_AND) value = ones;
    if (op == CLPRIMS_MIN) value = found->is_signed ? top - 1 : ones;
    if (op == CLPRIMS_MAX) value = found->is_signed ? top : 0;
    unsigned char *out = identity;
    for (size_t i = 0; i < found->bytes; i++) {
        const size_t shift = 8 * i;
        out[i] = (unsigned char)(value >> shift);
    }
}

void clp_op_padding(clprims_op op, clprims_type type, void *padding) {
    clp_op_identity(op, type, padding);
    if (!clp_type_is_float(type) || op == CLPRIMS_MUL) return;
    put_float(op == CLPRIMS_ADD ? -0.0 : (double)NAN, clprims_type_bytes(type), padding);
}

const char *clprims_algorithm_name(clprims_algorithm algorithm) {
    static const char names[][20] = {"auto", "lookback", "lookback-fallback", "reduce-then-scan",
                                     "lookahead"};
    return CLP_TEXT_OF_ENUMERATOR(names, algorithm, "unknown");
}
