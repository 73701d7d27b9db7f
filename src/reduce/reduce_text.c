/* SPDX-License-Identifier: MIT */
/* The program of reduce: a prelude that holds every choice, and the files that belong to it. */
#include "cl_sources.h"
#include "core/test_hooks.h"
#include "core/type.h"
#include "reduce/reduce_plan.h"

/* Of clp_report in cl/reduce/reduce.cl. */
enum { REPORT_BYTES = sizeof(clprims_reduce_report) };

/* The combination of a and b, with the same bits on every device: fmin and fmax of zeros differ
 * between devices, and compilers contract sums and products. */
static const char *combined(const clp_operation *what) {
    if (!clp_type_is_float(what->working)) return "clp_op(a, b)";
    if (what->op == CLPRIMS_ADD) return "clp_add_rounded(a, b)";
    if (what->op == CLPRIMS_MIN) return "(b < a || a != a ? b : a)";
    if (what->op == CLPRIMS_MAX) return "(b > a || a != a ? b : a)";
    return "clp_op(a, b)";
}

static void add_values(clp_text *text, const clp_reduce_spec *spec) {
    const clp_operation *what = &spec->what;
    clp_text_add(text, "#define CLP_ARG %d\n", spec->what.is_arg);
    clp_text_add(text, "#define CLP_EXACT %d\n", spec->exact);
    clp_text_add(text, "#define CLP_EMPTY %d\n", spec->is_empty_fault);
    clp_text_add(text, "#define CLP_VALUE_BYTES %zu\n", spec->value_bytes);
    clp_text_add(text, "#define CLP_REDUCE_REPORT_BYTES %d\n", REPORT_BYTES);
    if (spec->what.is_arg) {
        clp_text_add(text, "#define CLP_BETTER %s\n", clp_operation_better(what));
        return;
    }
    clp_text_add(text, "#define CLP_COMBINED %s\n", combined(what));
    if (!clp_type_is_float(what->working)) return;
    const bool is_double = what->working == CLPRIMS_F64;
    clp_text_add_bits(text, "CLP_NAN", what->working,
                      is_double ? 0x7ff8000000000000u : 0x7fc00000u);
}

/* combined() for vectors, whose comparisons give masks. */
static const char *combined_wide(const clp_operation *what) {
    if (!clp_type_is_float(what->working)) return clp_op_text(what->op, what->working, false);
    if (what->op == CLPRIMS_MIN) return "select(a, b, (b < a) | (a != a))";
    if (what->op == CLPRIMS_MAX) return "select(a, b, (b > a) | (a != a))";
    return clp_op_text(what->op, what->working, false);
}

static const char *better_wide(const clp_operation *what) {
    const bool least = what->op == CLPRIMS_MIN;
    if (clp_type_is_float(what->working)) {
        return least ? "(~(a >= b) & (a == a))" : "(~(a <= b) & (a == a))";
    }
    return least ? "(a < b)" : "(a > b)";
}

/* Defines the conversion of a vector of elements to accumulators, then to the working type. */
static void add_widened(clp_text *text, const clp_operation *what, size_t simd) {
    const char *value = clp_type_text(what->working);
    if (what->type == what->working) {
        clp_text_add(text, "#define CLP_WIDENED(x) (x)\n");
    } else if (what->type == what->accumulator || what->working == what->accumulator) {
        clp_text_add(text, "#define CLP_WIDENED(x) convert_%s%zu(x)\n", value, simd);
    } else {
        clp_text_add(text, "#define CLP_WIDENED(x) convert_%s%zu(convert_%s%zu(x))\n", value, simd,
                     clp_type_text(what->accumulator), simd);
    }
}

/* Vectors of 64 bytes, the longest that a CPU has; OpenCL C has none of more than 16 elements. */
static void add_wide(clp_text *text, const clp_reduce_spec *spec, const clp_reduce_shape *shape) {
    const clp_operation *what = &spec->what;
    const bool reads_wide = what->input == NULL && what->has_input_array;
    const char *value = clp_type_text(what->working);
    const size_t simd = shape->simd;
    clp_text_add(text, "#define CLP_SIMD %zu\n", simd);
    if (simd == 1) return;
    clp_text_add(text, "#define CLP_A_WIDE %s%zu\n", value, simd);
    clp_text_add(text, "#define CLP_INPUT_WIDE %d\n", reads_wide);
    if (reads_wide) {
        clp_text_add(text, "#define CLP_E_WIDE %s%zu\n", clp_type_text(what->type), simd);
        add_widened(text, what, simd);
    }
    if (spec->what.is_arg) {
        clp_text_add(text, "#define CLP_ROW_WIDE %s%zu\n",
                     what->working_bytes == 8 ? "ulong" : "uint", simd);
        clp_text_add(text, "#define CLP_BETTER_WIDE %s\n", better_wide(what));
        return;
    }
    clp_text_add(text,
                 "static inline CLP_A_WIDE clp_combine_wide(CLP_A_WIDE a, CLP_A_WIDE b) "
                 "{ return %s; }\n",
                 combined_wide(what));
}

/* Whether bytes or halves are added, as they stand in an array, to an integer. */
static bool adds_narrow_elements(const clp_operation *what) {
    return what->op == CLPRIMS_ADD && what->input == NULL && what->has_input_array &&
           what->type_bytes <= 2 && !clp_type_is_float(what->accumulator);
}

static void add_shape(clp_text *text, const clp_reduce_spec *spec, const clp_reduce_shape *shape) {
    clp_text_add(text, "#define CLP_EXTRA 0\n");
    clp_text_add(text, "#define CLP_GROUP %zu\n#define CLP_LANES %zu\n", shape->group,
                 shape->lanes);
    if (shape->by == CLP_REDUCE_BY_ITEM) return;
    clp_text_add(text, "#define CLP_BLOCK_ITEMS %zu\n#define CLP_BY_TICKET %d\n", shape->team,
                 shape->by_ticket);
    clp_text_add(text, "#define CLP_DELAYED_BLOCKS %zu\n", clp_test_hooks_get()->delay);
    clp_text_add(text, "#define CLP_LANE_VEC %zu\n#define CLP_CHUNKS %zu\n", shape->vec,
                 shape->chunks);
    clp_text_add(text, "#define CLP_DEPTH %zu\n", shape->depth);
    clp_text_add(text, "#define CLP_COUNTED_BLOCKS %zu\n", shape->counted_blocks);
    const bool is_narrow = !spec->what.is_arg && adds_narrow_elements(&spec->what);
    clp_text_add(text, "#define CLP_NARROW_SUMS %d\n", is_narrow);
    if (!is_narrow) return;
    clp_text_add(text, "#define CLP_SIGNED %d\n",
                 spec->what.type == CLPRIMS_I8 || spec->what.type == CLPRIMS_I16);
}

/* ---- Programs ---- */

/* What all programs begin with. */
#define BLOCKS                                                                                     \
    &clp_types_cl, &clp_parameters_cl, &clp_reduce_report_cl, &clp_count_cl, &clp_reduce_cl
#define BY_ITEMS &clp_last_group_cl, &clp_reduce_lanes_cl, &clp_reduce_serial_cl
#define BY_TEAMS &clp_reduce_team_cl, &clp_reduce_rows_cl

static const clp_part serial_parts[] = {BLOCKS, BY_ITEMS, &clp_reduce_serial_kernel_cl, NULL};
static const clp_part team_parts[] = {BLOCKS, BY_ITEMS, BY_TEAMS, &clp_reduce_team_kernel_cl, NULL};
static const clp_part group_parts[] = {BLOCKS, BY_TEAMS, &clp_reduce_group_kernel_cl,
                                       &clp_reduce_counted_kernel_cl, NULL};

static const struct {
    const clp_part *parts;
    const char *kernel;
    const char *counted;
} programs[] = {[CLP_REDUCE_BY_ITEM] = {serial_parts, "clp_reduce_serial", NULL},
                [CLP_REDUCE_BY_TEAM] = {team_parts, "clp_reduce_team", NULL},
                [CLP_REDUCE_BY_GROUP] = {group_parts, "clp_reduce_group", "clp_reduce_counted"}};

clprims_status clp_reduce_build(clprims_reduce *reduce) {
    const clp_reduce_spec *spec = &reduce->spec;
    clp_plan *head = &reduce->head;
    const char *const counted = programs[reduce->shape.by].counted;
    clp_text prelude = {0};
    cl_program program;
    clp_text_add(&prelude, "#pragma OPENCL FP_CONTRACT OFF\n");
    clp_text_add_operation(&prelude, head->context, &spec->what);
    clp_text_add_stored(&prelude, &spec->what, false, "CLP_R r, ulong i");
    add_values(&prelude, spec);
    add_shape(&prelude, spec, &reduce->shape);
    add_wide(&prelude, spec, &reduce->shape);
    CLP_TRY(clp_plan_build(head, &prelude, programs[reduce->shape.by].parts, 0, &program));
    CLP_TRY(clp_plan_kernel(head, program, programs[reduce->shape.by].kernel, &reduce->kernel));
    return counted == NULL ? CLPRIMS_OK : clp_plan_kernel(head, program, counted, &reduce->counted);
}
