/* SPDX-License-Identifier: MIT */
/*
 * Keys that an expression makes of elements. A kernel in front of the sort makes the keys; behind
 * it elements that are too large to move in each pass come by their sorted indices. The program of
 * these kernels is one of its own, so that plans with other expressions share the sort's.
 */
#include "core/status.h"
#include "core/type.h"
#include "plan/plan_arguments.h"
#include "sort/sort_plan.h"

enum { GROUP = 256, EACH_OF_CPU = 4096 };

/* ---- The description ---- */

static clprims_type type_of_elements(const clprims_sort_desc *desc) {
    return desc->elements == CLPRIMS_TYPE_DEFAULT ? desc->type : desc->elements;
}

clprims_status clp_sort_elements_check(const clprims_context *context, const char *who,
                                       const clprims_sort_desc *desc, clp_sort_spec *spec) {
    const clprims_type type = type_of_elements(desc);
    const bool is_struct = type == CLPRIMS_STRUCT;
    if (desc->key == NULL) {
        if (desc->elements == CLPRIMS_TYPE_DEFAULT) return CLPRIMS_OK;
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: elements = %d (%s) and no desc.key that makes keys of them", who,
                        (int)desc->elements, clprims_type_name(desc->elements));
    }
    if (is_struct) CLP_TRY(clp_check_struct(who, &desc->custom));
    spec->element_bytes = is_struct ? desc->custom.type_bytes : clprims_type_bytes(type);
    CLP_TRY(clp_check_type(who, "elements", type));
    CLP_TRY(clp_check_float64(context, who, type, desc->type));
    spec->has_expression = true;
    spec->no_keys = true;
    return CLPRIMS_OK;
}

/* ---- Create and destroy ---- */

static void add_elements(clp_text *text, const clp_sort_elements *elements,
                         const clp_sort_spec *spec, const clprims_sort_desc *desc) {
    enum { REPORT_BYTES = sizeof(clprims_sort_report) };
    const clprims_type type = type_of_elements(desc);
    clp_text_add(text, "#define CLP_EXTRA 0\n#define CLP_SORT_REPORT_BYTES %d\n", REPORT_BYTES);
    clp_text_add(text, "#define CLP_E %s\n#define CLP_E_BYTES %zu\n",
                 type == CLPRIMS_STRUCT ? desc->custom.type_name : clp_type_text(type),
                 spec->element_bytes);
    clp_text_add(text, "#define CLP_MADE %s\n#define CLP_GROUP %zu\n", clp_type_text(spec->type),
                 elements->group);
    clp_text_add(text, "#define CLP_EACH %zu\n", elements->each);
    clp_text_add(text, "#define CLP_HAS_ORDER %d\n", clp_sort_has_order(spec));
    if (clp_sort_has_order(spec)) {
        clp_text_add(text, "#define CLP_INDEX %s\n", clp_type_text(spec->order));
    }
}

static clprims_status build(clp_sort_elements *elements, const clprims_sort_desc *desc,
                            const clp_sort_spec *spec) {
    static const char *const parts[] = {"sort/sort_report.cl", "tile/parameters.cl",
                                        "engine/count.cl", "sort/sort_elements.cl", NULL};
    clp_text text = {0};
    clp_text_add_declarations(&text, elements->plan->context, desc->custom.declarations,
                              &elements->plan->parameters);
    if (type_of_elements(desc) == CLPRIMS_STRUCT) clp_text_add_type(&text, &desc->custom);
    add_elements(&text, elements, spec, desc);
    clp_text_add(&text, "static inline CLP_MADE clp_users_key(CLP_E x, ulong i%s) { ",
                 clp_parameters_last(&elements->plan->parameters));
    clp_text_add_parameter_names(&text, &elements->plan->parameters);
    clp_text_add(&text, "return (CLP_MADE)(");
    clp_text_add_expression(&text, "key", desc->key, "); }");
    return clp_plan_build(elements->plan, &text, parts, 0, &elements->program);
}

clprims_status clp_sort_elements_create(clp_sort_elements *elements, clp_plan *plan,
                                        const clprims_sort_desc *desc, const clp_sort_spec *spec) {
    const size_t most = plan->context->device.max_group;
    const bool is_cpu = plan->context->device.is_cpu;
    const size_t bytes = spec->max_n * spec->key_bytes;
    elements->plan = plan;
    CLP_TRY(clp_plan_read_parameters(plan, desc->parameters, spec->has_expression, "desc.key"));
    if (!spec->has_expression) return CLPRIMS_OK;
    elements->group = is_cpu ? 1 : most < GROUP ? most : GROUP;
    elements->each = is_cpu ? EACH_OF_CPU : 1;
    CLP_TRY(build(elements, desc, spec));
    CLP_TRY(clp_plan_kernel(plan, elements->program, "clp_sort_make", &elements->make));
    CLP_TRY(clp_plan_scratch(plan, bytes, false, &elements->keys));
    if (!clp_sort_has_order(spec)) return CLPRIMS_OK;
    return clp_plan_kernel(plan, elements->program, "clp_sort_gather", &elements->gather);
}

clprims_status clp_sort_elements_create_order(clp_sort_elements *elements,
                                              const clp_sort_spec *spec) {
    clp_plan *plan = elements->plan;
    const size_t order_bytes = spec->max_n * clprims_type_bytes(spec->order);
    if (!clp_sort_has_order(spec)) return CLPRIMS_OK;
    CLP_TRY(clp_plan_kernel(plan, elements->program, "clp_sort_place", &elements->place));
    CLP_TRY(clp_plan_scratch(plan, order_bytes, false, &elements->order));
    return clp_plan_scratch(plan, spec->max_n * spec->element_bytes, false, &elements->gathered);
}

/* ---- Steps ---- */

static clprims_status add(const clp_sort_elements *elements, cl_kernel kernel, size_t n,
                          const clp_arguments *arguments, clp_step *steps, size_t *count) {
    const size_t group = elements->group, tile = group * elements->each;
    const size_t groups = n / tile + (n % tile > 0);
    CLP_TRY(clp_arguments_set(arguments, elements->plan, kernel));
    steps[(*count)++] = (clp_step){kernel, groups > 0 ? groups : 1, group};
    return CLPRIMS_OK;
}

clprims_status clp_sort_elements_make(clp_sort_elements *elements, const clp_sort_elements_run *run,
                                      clp_step *steps, size_t *count) {
    clp_arguments a = {.count = 0};
    if (elements->make == NULL) return CLPRIMS_OK;
    clp_put_buffer(&a, run->in);
    clp_put_value(&a, run->n);
    clp_put_buffer(&a, run->counted);
    clp_put_mem(&a, elements->keys);
    clp_put_parameters(&a, elements->plan);
    return add(elements, elements->make, run->n, &a, steps, count);
}

clprims_status clp_sort_elements_gather(clp_sort_elements *elements,
                                        const clp_sort_elements_run *run, cl_mem order,
                                        clprims_buffer to, clp_step *steps, size_t *count) {
    clp_arguments a = {.count = 0};
    if (elements->gather == NULL) return CLPRIMS_OK;
    clp_put_buffer(&a, run->in);
    clp_put_buffer(&a, to);
    clp_put_value(&a, run->n);
    clp_put_buffer(&a, run->counted);
    clp_put_mem(&a, order);
    return add(elements, elements->gather, run->n, &a, steps, count);
}

clprims_status clp_sort_elements_place(clp_sort_elements *elements,
                                       const clp_sort_elements_run *run, clprims_buffer to,
                                       clp_step *steps, size_t *count) {
    clp_arguments a = {.count = 0};
    if (elements->place == NULL) return CLPRIMS_OK;
    clp_put_mem(&a, elements->gathered);
    clp_put_buffer(&a, to);
    clp_put_value(&a, run->n);
    clp_put_buffer(&a, run->counted);
    return add(elements, elements->place, run->n, &a, steps, count);
}
