/* SPDX-License-Identifier: MIT */
/* The prelude of a product: the only place that names a type or an operator to a kernel. */
#include "core/context.h"
#include "core/type.h"
#include "minplus/minplus_plan.h"
#include "plan/operation.h"

typedef struct semiring_text {
    const char *extend;
    const char *combine;
    const char *better; /* NULL: no argmin */
} semiring_text;

/*
 * Floats on GPUs use fmin and fmax, one instruction each. On CPUs a comparison is one instruction
 * and fmin is many. The accumulator is never NaN, so that both drop the same NaN.
 */
static semiring_text text_of(const clp_minplus_spec *spec, bool compares) {
    const bool is_float = clp_type_is_float(spec->type);
    const char *least = !is_float ? "min(a, b)" : compares ? "b < a ? b : a" : "fmin(a, b)";
    const char *most = !is_float ? "max(a, b)" : compares ? "b > a ? b : a" : "fmax(a, b)";
    const char *greater = is_float && compares ? "(a > b) | (b != b) ? a : b" : most;
    switch (spec->semiring) {
    case CLPRIMS_MIN_PLUS:
        return (semiring_text){"a + b", least, "a < b"};
    case CLPRIMS_MAX_PLUS:
        return (semiring_text){"a + b", most, "a > b"};
    case CLPRIMS_MIN_MAX:
        return (semiring_text){greater, least, "a < b"};
    case CLPRIMS_OR_AND:
        return (semiring_text){"a & b", "a | b", NULL};
    case CLPRIMS_SEMIRING_CUSTOM:
        break;
    }
    return (semiring_text){spec->custom.extend, spec->custom.combine, NULL};
}

static void add_function(clp_text *text, const char *name, const char *expression, bool users) {
    clp_text_add(text, "static inline CLP_W clp_%s(CLP_W a, CLP_W b) { return (", name);
    if (users) {
        clp_text_add_expression(text, name, expression, "); }");
    } else {
        clp_text_add(text, "%s); }\n", expression);
    }
}

static void add_semiring(clp_text *text, const clp_minplus_spec *spec, bool compares) {
    const semiring_text semiring = text_of(spec, compares);
    const bool users = spec->semiring == CLPRIMS_SEMIRING_CUSTOM;
    add_function(text, "extend", semiring.extend, users);
    add_function(text, "combine", semiring.combine, users);
    if (semiring.better != NULL) {
        const char order = semiring.better[2];
        clp_text_add(text, "#define CLP_IS_BETTER(x, than) ((x) %c (than))\n", order);
    }
}

/* The value of "no edge", and the amount and direction of the shift of integers. */
static void add_values(clp_text *text, const clp_minplus_spec *spec) {
    const bool is_float = clp_type_is_float(spec->type);
    const bool mirrored = spec->semiring == CLPRIMS_MAX_PLUS;
    const bool has_no_edge = spec->semiring <= CLPRIMS_MIN_MAX;
    const bool shifted = !is_float && has_no_edge && spec->semiring != CLPRIMS_MIN_MAX;
    const int64_t most = clprims_type_bytes(spec->type) == 8 ? INT64_MAX : INT32_MAX;
    const int64_t reach = mirrored ? most / 4 : most / 4 + 1;
    if (spec->semiring == CLPRIMS_OR_AND) {
        clp_text_add(text, "#define CLP_NO_EDGE ((CLP_T)0)\n");
    } else if (is_float && has_no_edge) {
        clp_text_add(text, "#define CLP_NO_EDGE ((CLP_T)(%sINFINITY))\n", mirrored ? "-" : "");
    } else {
        clp_text_add_bits(text, "CLP_NO_EDGE", spec->type, spec->no_edge);
    }
    clp_text_add(text, "#define CLP_REACH ((CLP_T)(%s%lldL))\n", mirrored ? "-" : "",
                 (long long)(shifted ? reach : 0));
    clp_text_add(text, "#define CLP_SHIFTED %d\n#define CLP_MIRRORED %d\n", shifted, mirrored);
    clp_text_add(text, "#define CLP_HAS_NO_EDGE %d\n#define CLP_BETTER_OF(a, b) %s%s(a, b)\n",
                 has_no_edge, is_float ? "f" : "", mirrored ? "max" : "min");
}

/* #define NAME(step) step(0, 0) step(0, 1) ... */
static void add_each_of_two(clp_text *text, const char *name, size_t rows, size_t columns) {
    clp_text_add(text, "#define %s(step)", name);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) clp_text_add(text, " step(%zu, %zu)", i, j);
    }
    clp_text_add(text, "\n");
}

/* Operands without a sign: how their words are added and compared. */
static void add_signless(clp_text *text, const clp_minplus_spec *spec,
                         const clp_minplus_shape *shape) {
    const bool is_float = clp_type_is_float(spec->type);
    const size_t known = spec->nonnegative ? 2 : shape->signless > 0;
    clp_text_add(text, "#define CLP_SIGNLESS %zu\n#define CLP_PAIRS_ARE_SIGNLESS %d\n",
                 shape->signless == 0 ? 0 : known, is_float && known == 1);
    clp_text_add(text, "#define CLP_TURNS_NEGATIVE %d\n",
                 is_float && shape->signless == 2 && !spec->nonnegative);
    if (shape->signless == 0) return;
    add_function(text, "signless_sum", is_float ? "a + b" : "as_int(as_uint(a) + as_uint(b))",
                 false);
    add_function(text, "signless_least",
                 is_float ? "as_float(min(as_int(a), as_int(b)))"
                          : "as_int(min(as_uint(a), as_uint(b)))",
                 false);
    if (is_float)
        add_function(text, "negative_least", "as_float(max(as_uint(a), as_uint(b)))", false);
}

static void add_tile_shape(clp_text *text, const clp_minplus_shape *shape) {
    const size_t left = shape->tile_rows * shape->depth / 4 / shape->group;
    const size_t right = shape->tile_columns * shape->depth / 4 / shape->group;
    clp_text_add(text, "#define CLP_HIGH %zu\n#define CLP_WIDE %zu\n#define CLP_PAIRS %zu\n",
                 shape->high, shape->wide, shape->pairs);
    clp_text_add(text, "#define CLP_SPLIT %zu\n", shape->split);
    clp_text_add(text, "#define CLP_UNROLL_ONES _Pragma(\"unroll %zu\")\n", shape->unroll);
    clp_text_add(text, "#define CLP_UNROLL_TWOS _Pragma(\"unroll %zu\")\n", shape->unroll / 2);
    clp_text_add(text, "#define CLP_LEFT_CHUNKS %zu\n#define CLP_RIGHT_CHUNKS %zu\n", left, right);
    clp_text_add(text, "#define CLP_BARRIERS_IN_LOOPS %d\n", shape->barriers);
    clp_text_add_each(text, "CLP_EACH_LEFT_CHUNK", left);
    clp_text_add_each(text, "CLP_EACH_RIGHT_CHUNK", right);
    add_each_of_two(text, "CLP_EACH_ROW_AND_CHUNK", shape->rows, shape->columns / 4);
    add_each_of_two(text, "CLP_EACH_CELL", shape->rows, shape->columns);
}

static void add_serial_shape(clp_text *text, clprims_type type, const clp_minplus_shape *shape) {
    const char *index = clprims_type_bytes(type) == 8 ? "long" : "int";
    clp_text_add(text, "#define CLP_LANES %zu\n#define CLP_BLOCKS %zu\n", shape->lanes,
                 shape->blocks);
    clp_text_add(text, "#define CLP_BEST_LANE %s\n#define CLP_BEST %s", index, index);
    if (shape->lanes > 1) clp_text_add(text, "%zu", shape->lanes);
    clp_text_add(text, "\n");
    clp_text_add_each(text, "CLP_EACH_ROW", shape->rows);
    add_each_of_two(text, "CLP_EACH_CELL", shape->rows, shape->columns / shape->lanes);
}

void clp_minplus_add_values(clp_text *text, const clprims_context *context,
                            const clp_minplus_spec *spec, const clp_minplus_shape *shape) {
    const char *type = clp_type_text(spec->type);
    const clprims_custom custom = {.declarations = spec->custom.declarations};
    clp_text_add_declarations(text, context, &custom, NULL);
    clp_text_add(text, "#define CLP_GROUP %zu\n", shape->group);
    clp_text_add(text, "#define CLP_T %s\n#define CLP_T4 %s4\n#define CLP_W %s", type, type, type);
    if (shape->lanes > 1) clp_text_add(text, "%zu", shape->lanes);
    clp_text_add(text, "\n");
    add_values(text, spec);
    add_semiring(text, spec, shape->group == 1);
}

void clp_minplus_add_prelude(clp_text *text, const clprims_context *context,
                             const clp_minplus_spec *spec, const clp_minplus_shape *shape) {
    clp_minplus_add_values(text, context, spec, shape);
    clp_text_add(text, "#define CLP_ROWS %zu\n#define CLP_COLUMNS %zu\n#define CLP_DEPTH %zu\n",
                 shape->rows, shape->columns, shape->depth);
    clp_text_add(text, "#define CLP_ACCUMULATE %d\n#define CLP_ARGMIN %d\n", spec->accumulate,
                 spec->argmin);
    clp_text_add(text, "#define CLP_FOLLOWS %d\n#define CLP_KEEPS %d\n", spec->follows,
                 spec->keeps);
    if (shape->group == 1) {
        add_serial_shape(text, spec->type, shape);
    } else {
        add_signless(text, spec, shape);
        add_tile_shape(text, shape);
        clp_text_add(text, "#define CLP_ONE_LOOP %d\n", context->device.is_cpu);
    }
}
