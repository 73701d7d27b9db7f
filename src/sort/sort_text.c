/* SPDX-License-Identifier: MIT */
/* The program of a sort: a prelude that holds every choice, and the files that belong to it. */
#include "core/program.h"
#include "core/type.h"
#include "sort/sort_plan.h"

static const char *unsigned_text(size_t bytes) {
    return bytes == 1 ? "uchar" : bytes == 2 ? "ushort" : bytes == 4 ? "uint" : "ulong";
}

/* CLP_ORDER, as cl/sort/sort.cl explains it. */
static int order_of(const clp_sort_spec *spec) {
    if (clp_type_is_float(spec->type)) return 2 + (int)spec->floats;
    return spec->type <= CLPRIMS_I64;
}

static void add_keys(clp_text *text, const clp_sort_spec *spec) {
    clp_text_add(text, "#define CLP_K %s\n#define CLP_K_BYTES %zu\n",
                 unsigned_text(spec->key_bytes), spec->key_bytes);
    clp_text_add(text, "#define CLP_ORDER %d\n#define CLP_DESCENDING %d\n", order_of(spec),
                 spec->descending);
    if (spec->type == CLPRIMS_F32) clp_text_add(text, "#define CLP_INFINITY_BITS 0x7f800000u\n");
    if (spec->type == CLPRIMS_F64) {
        clp_text_add(text, "#define CLP_INFINITY_BITS 0x7ff0000000000000ul\n");
    }
    clp_text_add(text, "#define CLP_BEGIN_BIT %u\n#define CLP_END_BIT %u\n", spec->begin,
                 spec->end);
    clp_text_add(text, "#define CLP_NO_KEYS %d\n", spec->no_keys);
}

/* Elements of a payload are moved as words, or as several of them. */
static void add_payload(clp_text *text, size_t k, size_t bytes) {
    const size_t word = bytes % 4 == 0 ? 4 : bytes % 2 == 0 ? 2 : 1;
    if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) {
        clp_text_add(text, "#define CLP_VALUE%zu_TYPE %s\n", k, unsigned_text(bytes));
    } else if (bytes == 16) {
        clp_text_add(text, "#define CLP_VALUE%zu_TYPE uint4\n", k);
    } else {
        clp_text_add(text, "typedef struct { %s words[%zu]; } clp_value%zu;\n", unsigned_text(word),
                     bytes / word, k);
        clp_text_add(text, "#define CLP_VALUE%zu_TYPE clp_value%zu\n", k, k);
    }
    clp_text_add(text, "#define CLP_VALUE%zu_AT(from, makes, i) (from)[i]\n", k);
}

static void add_values(clp_text *text, const clp_sort_spec *spec) {
    for (size_t k = 0; k < spec->payloads; k++) add_payload(text, k, spec->value_bytes[k]);
    if (clp_sort_has_indices(spec)) {
        const char *type = clp_type_text(spec->indices);
        const size_t k = spec->payloads;
        clp_text_add(text, "#define CLP_VALUE%zu_TYPE %s\n", k, type);
        clp_text_add(text,
                     "#define CLP_VALUE%zu_AT(from, makes, i) ((makes) ? (%s)(i) : (from)[i])\n", k,
                     type);
    }
    clp_text_add_each(text, "CLP_EACH_VALUE", spec->values);
}

static size_t rounds_of(size_t group) {
    size_t rounds = 0;
    while ((size_t)1 << rounds < group) rounds++;
    return rounds;
}

static void add_shape(clp_text *text, const clprims_sort *plan) {
    const clp_sort_shape *shape = &plan->shape;
    const size_t passes = shape->passes > 0 ? shape->passes : 1;
    clp_text_add(text, "#define CLP_GROUP %zu\n#define CLP_COUNT %s\n", shape->group,
                 unsigned_text(shape->count_bytes));
    clp_text_add(text, "#define CLP_BITS %zu\n#define CLP_DIGITS %zu\n#define CLP_PASSES %zu\n",
                 shape->bits, shape->digits, passes);
    clp_text_add_each(text, "CLP_EACH_ROUND", rounds_of(shape->group));
    if (clp_sort_is_serial(plan)) {
        clp_text_add(text, "#define CLP_LINE %zu\n#define CLP_STREAM_N %zuul\n", shape->line,
                     shape->stream);
        return;
    }
    clp_text_add(text, "#define CLP_ITEMS %zu\n#define CLP_RETURNS %d\n", shape->items,
                 !plan->context->device.is_cpu);
    clp_text_add_each(text, "CLP_EACH_PASS", passes);
}

clprims_status clp_sort_build(clprims_sort *plan) {
    static const char *const tile[] = {"sort/sort.cl", "sort/sort_tile.cl", NULL};
    static const char *const serial[] = {"sort/sort.cl", "sort/sort_serial.cl", NULL};
    clp_text prelude = {0};
    add_keys(&prelude, &plan->spec);
    add_values(&prelude, &plan->spec);
    add_shape(&prelude, plan);
    const clprims_status status = clp_program_build(
        plan->context, "sort", &prelude, clp_sort_is_serial(plan) ? serial : tile, &plan->program);
    clp_text_free(&prelude);
    return status;
}
