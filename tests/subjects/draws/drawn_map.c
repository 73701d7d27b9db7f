/* SPDX-License-Identifier: MIT */
/* Types and values of map. */
#include "subjects/draws/drawn_map.h"

#define NUMBER(type, bytes)                                                                        \
    { type, NULL, bytes, type, 1, "x", "x * 3 + 1", "i % 100" }
#define BYTES(n)                                                                                   \
    {                                                                                              \
        CLPRIMS_STRUCT, "bytes" #n, n, CLPRIMS_U8, n, "x.b[0]", "turn" #n "(x, (uint)i)",          \
            "make" #n "((uint)i)"                                                                  \
    }
#define VECTOR(name, of, number, bytes, count)                                                     \
    {                                                                                              \
        CLPRIMS_STRUCT, name, bytes, number, count, "x.x", "x + (" name ")(1)",                    \
            "(" name ")((" of ")(i % 100))"                                                        \
    }

/* Structs of bytes, with the least alignment, and OpenCL C's own types. */
const map_type map_types[MAP_TYPES] = {
    NUMBER(CLPRIMS_I8, 1),
    NUMBER(CLPRIMS_I16, 2),
    NUMBER(CLPRIMS_I32, 4),
    NUMBER(CLPRIMS_I64, 8),
    NUMBER(CLPRIMS_U8, 1),
    NUMBER(CLPRIMS_U16, 2),
    NUMBER(CLPRIMS_U32, 4),
    NUMBER(CLPRIMS_U64, 8),
    NUMBER(CLPRIMS_F32, 4),
    NUMBER(CLPRIMS_F64, 8),
    BYTES(1),
    BYTES(2),
    BYTES(3),
    BYTES(6),
    BYTES(12),
    BYTES(16),
    BYTES(20),
    BYTES(48),
    BYTES(256),
    VECTOR("uchar4", "uchar", CLPRIMS_U8, 4, 4),
    VECTOR("float2", "float", CLPRIMS_F32, 8, 2),
    VECTOR("uint3", "uint", CLPRIMS_U32, 16, 3),
    VECTOR("ulong16", "ulong", CLPRIMS_U64, 128, 16),
};

const char map_declarations[] =
    "#define BYTES(n) \\\n"
    "typedef struct bytes##n { uchar b[n]; } bytes##n; \\\n"
    "static inline bytes##n make##n(uint i) { \\\n"
    "    bytes##n made; \\\n"
    "    for (uint k = 0; k < n; k++) made.b[k] = (uchar)(i * 7 + k); \\\n"
    "    return made; } \\\n"
    "static inline bytes##n turn##n(bytes##n x, uint i) { \\\n"
    "    bytes##n made; \\\n"
    "    for (uint k = 0; k < n; k++) made.b[k] = (uchar)(x.b[n - 1 - k] + i); \\\n"
    "    return made; }\n"
    "BYTES(1) BYTES(2) BYTES(3) BYTES(6) BYTES(12) BYTES(16) BYTES(20) BYTES(48) BYTES(256)\n";

const char *map_value(const map_type *in, const map_type *out, bool by_index) {
    if (in == NULL || by_index) return out->indexed;
    if (in == out) return in->next;
    return out->count == 1 && out->type != CLPRIMS_STRUCT ? in->first : out->indexed;
}

void map_describe(clprims_map_desc *desc, const map_type *in, size_t outputs, size_t first,
                  size_t step) {
    desc->no_input_array = in == NULL;
    if (in != NULL) {
        desc->type = in->type;
        desc->custom = (clprims_custom){
            .declarations = map_declarations, .type_name = in->name, .type_bytes = in->bytes};
    }
    desc->custom.declarations = map_declarations;
    for (size_t k = 0; k < outputs; k++) {
        const map_type *out = &map_types[(first + k * step) % MAP_TYPES];
        desc->output[k] =
            (clprims_map_output){out->type, out->name, out->name != NULL ? out->bytes : 0,
                                 map_value(in, out, k > 0 && (first + k) % 5 == 0)};
        if (out == in) desc->output[k].type_name = NULL;
        if (out == in) desc->output[k].type_bytes = 0;
    }
}

static const map_type *find(clprims_type type, const char *name) {
    for (size_t t = 0; t < MAP_TYPES; t++) {
        const map_type *one = &map_types[t];
        if (one->type == type && (one->name == NULL || strcmp(one->name, name) == 0)) return one;
    }
    test_fail("no type of map has the number %d", (int)type);
    return NULL;
}

const map_type *map_input(const clprims_map_desc *desc) {
    return desc->no_input_array ? NULL : find(desc->type, desc->custom.type_name);
}

const map_type *map_output(const clprims_map_desc *desc, size_t k) {
    const clprims_map_output *output = &desc->output[k];
    if (k >= CLPRIMS_MAP_OUTPUTS || output->value == NULL) return NULL;
    return find(output->type == CLPRIMS_TYPE_DEFAULT ? desc->type : output->type,
                output->type_name == NULL ? desc->custom.type_name : output->type_name);
}

bool map_may_be_in_place(const clprims_map_desc *desc, size_t k) {
    const map_type *in = map_input(desc), *out = map_output(desc, k);
    return in != NULL && out != NULL && in->bytes == out->bytes;
}
