/* SPDX-License-Identifier: MIT */
/* The program of histogram: a prelude that holds every choice, and the files that belong to it. */
#include "cl_sources.h"
#include "core/program.h"
#include "core/type.h"
#include "histogram/histogram_plan.h"

/* Of clp_report in cl/histogram/histogram.cl. */
enum { REPORT_BYTES = sizeof(clprims_histogram_report) };

enum { MANTISSA_32 = 23, MANTISSA_64 = 52, NOT_FINITE_32 = 255, NOT_FINITE_64 = 2047 };

static void add_element(clp_text *text, const clp_histogram_spec *spec) {
    const char *type =
        spec->type == CLPRIMS_STRUCT ? spec->custom->type_name : clp_type_text(spec->type);
    clp_text_add(text, "#define CLP_E %s\n#define CLP_E_BYTES %zu\n", type, spec->type_bytes);
}

static void add_users_bin(clp_text *text, const clprims_histogram *plan) {
    clp_text_add(text, "static inline ulong clp_users_bin(CLP_E x, ulong i");
    clp_text_add_function(text, &plan->head.parameters, "bin", plan->spec.bin, NULL);
}

static void add_product(clp_text *text, const clp_histogram_product *p) {
    clp_text_add(text, "#define CLP_BY_SHIFT %d\n", p->is_shift);
    clp_text_add(text, "#define CLP_BY_PRODUCT %d\n", p->is_exact && !p->is_shift);
    if (!p->is_shift) return;
    clp_text_add(text, "#define CLP_FIRST %uu\n#define CLP_SHIFT %u\n", (unsigned)p->first,
                 p->shift);
}

static void add_bins(clp_text *text, const clprims_histogram *plan) {
    const clp_histogram_spec *spec = &plan->spec;
    const bool even = spec->by == CLPRIMS_HISTOGRAM_EVEN;
    clp_text_add(text, "#define CLP_BINS %zuu\n", spec->bins);
    clp_text_add(text, "#define CLP_BY_EDGES %d\n", spec->by == CLPRIMS_HISTOGRAM_EDGES);
    add_product(text, &spec->product);
    clp_text_add(text, "#define CLP_TAKES_ALL %d\n", clp_histogram_takes_all(spec));
    clp_text_add(text, "#define CLP_BY_DOUBLES %d\n", even && !spec->product.is_exact);
    clp_text_add(text, "#define CLP_EDGE %s\n", spec->type == CLPRIMS_F32 ? "float" : "double");
    if (spec->by == CLPRIMS_HISTOGRAM_EXPRESSION) add_users_bin(text, plan);
}

static void add_sums(clp_text *text, const clp_histogram_spec *spec) {
    const bool weighted = spec->weights != CLPRIMS_TYPE_DEFAULT;
    clp_text_add(text, "#define CLP_OUT %s\n#define CLP_WORDS %zu\n", clp_type_text(spec->sums),
                 spec->words);
    clp_text_add(text, "#define CLP_WEIGHTED %d\n#define CLP_FLOATS %d\n", weighted, spec->floats);
    if (weighted) clp_text_add(text, "#define CLP_WEIGHT %s\n", clp_type_text(spec->weights));
    clp_text_add(text, "#define CLP_REFUSE_OUTSIDE %d\n", spec->refuses_outside);
    clp_text_add(text, "#define CLP_FAULT_OUTSIDE %d\n#define CLP_FAULT_WEIGHT %d\n",
                 CLPRIMS_HISTOGRAM_OUTSIDE, CLPRIMS_HISTOGRAM_WEIGHT);
    clp_text_add(text, "#define CLP_EXTRA 0\n#define CLP_FAULT_COUNT %d\n",
                 CLPRIMS_HISTOGRAM_COUNT);
    clp_text_add(text, "#define CLP_HISTOGRAM_REPORT_BYTES %d\n#define CLP_FOUND_WORDS %d\n",
                 REPORT_BYTES, CLP_HISTOGRAM_FOUND_WORDS);
    if (!spec->floats) return;
    const bool wide = spec->weights == CLPRIMS_F64;
    clp_text_add(text, "#define CLP_MANTISSA %d\n#define CLP_FIELD_NOT_FINITE %du\n",
                 wide ? MANTISSA_64 : MANTISSA_32, wide ? NOT_FINITE_64 : NOT_FINITE_32);
    clp_text_add(text, "#define CLP_OUT_MANTISSA %d\n",
                 spec->sums == CLPRIMS_F64 ? MANTISSA_64 : MANTISSA_32);
}

static void add_shape(clp_text *text, const clp_histogram_shape *shape) {
    clp_text_add(text, "#define CLP_GROUP %zu\n#define CLP_BLOCK_SHIFT %u\n", shape->group,
                 shape->block_shift);
    clp_text_add(text, "#define CLP_COPIES %zu\n", shape->copies);
    clp_text_add(text, "#define CLP_ARRIVALS %zu\n#define CLP_SUM_BITS %d\n", shape->arrivals,
                 shape->arrivals == 1 ? CLP_HISTOGRAM_SHORT_SUM_BITS : CLP_HISTOGRAM_SUM_BITS);
    clp_text_add(text, "#define CLP_LEAVES_COUNTERS %d\n", shape->leaves_counters);
    clp_text_add(text, "#define CLP_ENDS_ITSELF %d\n", shape->ends_itself);
    if (shape->way == CLP_HISTOGRAM_SERIAL) return;
    clp_text_add(text, "#define CLP_VEC %zu\n#define CLP_DEPTH %zu\n", shape->vec, shape->depth);
    if (shape->way == CLP_HISTOGRAM_GLOBAL) return;
    clp_text_add(text, "#define CLP_SHARED_BYTES %zu\n", shape->local_bytes);
    if (shape->way == CLP_HISTOGRAM_BYTES) {
        clp_text_add(text, "#define CLP_FEW_COPIES %zu\n#define CLP_FEW_GROUP %zu\n",
                     shape->few_copies, shape->few_group);
        return;
    }
    clp_text_add(text, "#define CLP_PARTS %zu\n#define CLP_PART_BINS %zu\n", shape->parts,
                 shape->part_bins);
}

enum { MOST_PARTS = 12 };

static const char *const count_kernels[] = {[CLP_HISTOGRAM_LOCAL] = "clp_histogram_local",
                                            [CLP_HISTOGRAM_BYTES] = "clp_histogram_bytes",
                                            [CLP_HISTOGRAM_SERIAL] = "clp_histogram_serial",
                                            [CLP_HISTOGRAM_GLOBAL] = "clp_histogram_global"};

static const clp_part count_files[] = {[CLP_HISTOGRAM_LOCAL] = &clp_histogram_local_cl,
                                       [CLP_HISTOGRAM_BYTES] = &clp_histogram_bytes_cl,
                                       [CLP_HISTOGRAM_SERIAL] = &clp_histogram_serial_cl,
                                       [CLP_HISTOGRAM_GLOBAL] = &clp_histogram_global_cl};

static clprims_status build_program(clprims_histogram *plan, cl_program *program) {
    clp_part parts[MOST_PARTS] = {&clp_histogram_report_cl, &clp_count_cl, &clp_last_group_cl,
                                  &clp_parameters_cl, &clp_histogram_cl};
    const clp_histogram_way way = plan->shape.way;
    size_t count = 5;
    if (plan->spec.floats) parts[count++] = &clp_histogram_floats_cl;
    if (way == CLP_HISTOGRAM_SERIAL) parts[count++] = &clp_histogram_counters_cl;
    parts[count++] = &clp_histogram_finish_cl;
    if (plan->shape.arrivals > 0) parts[count++] = &clp_histogram_arrivals_cl;
    if (way == CLP_HISTOGRAM_LOCAL || way == CLP_HISTOGRAM_GLOBAL) {
        parts[count++] = &clp_histogram_vectors_cl;
    }
    parts[count++] = count_files[way];
    if (way == CLP_HISTOGRAM_BYTES) parts[count++] = &clp_histogram_bytes_few_cl;
    clp_text prelude = {0};
    clp_text_add(&prelude, "#pragma OPENCL FP_CONTRACT OFF\n");
    clp_text_add_declarations(&prelude, plan->head.context, plan->spec.custom,
                              &plan->head.parameters);
    add_element(&prelude, &plan->spec);
    add_bins(&prelude, plan);
    add_sums(&prelude, &plan->spec);
    add_shape(&prelude, &plan->shape);
    return clp_plan_build(&plan->head, &prelude, parts, 0, program);
}

clprims_status clp_histogram_build(clprims_histogram *plan) {
    const char *const names[CLP_HISTOGRAM_KERNELS] = {
        [CLP_HISTOGRAM_CLEAR] = "clp_histogram_clear",
        [CLP_HISTOGRAM_LARGEST] = plan->spec.floats ? "clp_histogram_largest" : NULL,
        [CLP_HISTOGRAM_COUNT] = count_kernels[plan->shape.way],
        [CLP_HISTOGRAM_COUNT_FEW] =
            plan->shape.way == CLP_HISTOGRAM_BYTES ? "clp_histogram_bytes_few" : NULL,
        [CLP_HISTOGRAM_FINISH] = "clp_histogram_finish"};
    cl_program program;
    CLP_TRY(build_program(plan, &program));
    for (size_t k = 0; k < CLP_HISTOGRAM_KERNELS; k++) {
        if (names[k] == NULL) continue;
        CLP_TRY(clp_plan_kernel(&plan->head, program, names[k], &plan->kernels[k]));
    }
    return CLPRIMS_OK;
}
