/* SPDX-License-Identifier: MIT */
/*
 * Keys that an expression makes of elements. A kernel in front of the sort makes the keys; behind
 * it elements that are too large to move in each pass come by their sorted indices. The program of
 * these kernels is one of its own, so that plans with other expressions share the sort's.
 */
#include "core/program.h"
#include "core/status.h"
#include "core/type.h"
#include "sort/sort_plan.h"

enum { LARGEST_ELEMENT = 256, GROUP = 256 };

/* ---- The description ---- */

static clprims_status check_struct(const char *who, const clprims_custom *custom) {
    if (custom->type_name == NULL || custom->declarations == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: CLPRIMS_STRUCT needs custom.type_name and custom.declarations; "
                        "%s is NULL",
                        who, custom->type_name == NULL ? "type_name" : "declarations");
    }
    if (custom->type_bytes > 0 && custom->type_bytes % 4 == 0 &&
        custom->type_bytes <= LARGEST_ELEMENT) {
        return CLPRIMS_OK;
    }
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "%s: custom.type_bytes = %zu; it must be a multiple of 4 from 4 to %d", who,
                    custom->type_bytes, LARGEST_ELEMENT);
}

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
    if (is_struct) CLP_TRY(check_struct(who, &desc->custom));
    spec->element_bytes = is_struct ? desc->custom.type_bytes : clprims_type_bytes(type);
    if (spec->element_bytes == 0) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: elements = %d is none of clprims_type", who,
                        (int)desc->elements);
    }
    if ((type == CLPRIMS_F64 || desc->type == CLPRIMS_F64) && !context->device.has_float64) {
        return clp_fail(CLPRIMS_ERR_UNSUPPORTED, "%s: \"%s\" has no float64", who,
                        context->device.info.name);
    }
    spec->has_expression = true;
    spec->no_keys = true;
    return CLPRIMS_OK;
}

/* ---- Create and destroy ---- */

static void add_elements(clp_text *text, size_t group, const clp_sort_spec *spec,
                         const clprims_sort_desc *desc) {
    enum { REPORT_BYTES = sizeof(clprims_sort_report) };
    const clprims_type type = type_of_elements(desc);
    clp_text_add(text, "#define CLP_EXTRA 0\n#define CLP_SORT_REPORT_BYTES %d\n", REPORT_BYTES);
    clp_text_add(text, "#define CLP_E %s\n#define CLP_E_BYTES %zu\n",
                 type == CLPRIMS_STRUCT ? desc->custom.type_name : clp_type_text(type),
                 spec->element_bytes);
    clp_text_add(text, "#define CLP_MADE %s\n#define CLP_GROUP %zu\n", clp_type_text(spec->type),
                 group);
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
    if (elements->context->device.has_float64) {
        clp_text_add(&text, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
    }
    if (desc->custom.declarations != NULL) {
        clp_text_add_users(&text, "declarations", desc->custom.declarations);
    }
    clp_text_add_parameters(&text, &elements->parameters);
    add_elements(&text, elements->group, spec, desc);
    clp_text_add(&text, "static inline CLP_MADE clp_users_key(CLP_E x, ulong i%s) { ",
                 clp_parameters_last(&elements->parameters));
    clp_text_add_parameter_names(&text, &elements->parameters);
    clp_text_add(&text, "return (CLP_MADE)(");
    clp_text_add_expression(&text, "key", desc->key, "); }");
    const clprims_status status =
        clp_program_build(elements->context, elements->who, &text, parts, &elements->program);
    clp_text_free(&text);
    return status;
}

static clprims_status add_scratch(const clp_sort_elements *elements, const clp_sort_spec *spec,
                                  size_t element_bytes, cl_mem *out, size_t *scratch_bytes) {
    const size_t bytes = spec->max_n * element_bytes;
    CLP_TRY(clp_scratch_create(elements->context, elements->who, bytes, false, out));
    *scratch_bytes += bytes;
    return CLPRIMS_OK;
}

clprims_status clp_sort_elements_create(clp_sort_elements *elements, clprims_context *context,
                                        const char *who, const clprims_sort_desc *desc,
                                        const clp_sort_spec *spec, size_t *scratch_bytes) {
    const size_t most = context->device.max_group;
    elements->context = context;
    elements->who = who;
    CLP_TRY(clp_parameters_read(who, desc->parameters, &elements->parameters));
    if (elements->parameters.count > 0 && !spec->has_expression) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: %zu parameters and no desc.key that could name them", who,
                        elements->parameters.count);
    }
    if (!spec->has_expression) return CLPRIMS_OK;
    elements->group = most < GROUP ? most : GROUP;
    CLP_TRY(build(elements, desc, spec));
    CLP_TRY(clp_kernel_create(elements->program, who, "clp_sort_make", &elements->make));
    CLP_TRY(add_scratch(elements, spec, spec->key_bytes, &elements->keys, scratch_bytes));
    if (!clp_sort_has_order(spec)) return CLPRIMS_OK;
    return clp_kernel_create(elements->program, who, "clp_sort_gather", &elements->gather);
}

clprims_status clp_sort_elements_create_order(clp_sort_elements *elements,
                                              const clp_sort_spec *spec, size_t *scratch_bytes) {
    const size_t index_bytes = clprims_type_bytes(spec->order);
    if (!clp_sort_has_order(spec)) return CLPRIMS_OK;
    CLP_TRY(
        clp_kernel_create(elements->program, elements->who, "clp_sort_place", &elements->place));
    CLP_TRY(add_scratch(elements, spec, index_bytes, &elements->order, scratch_bytes));
    return add_scratch(elements, spec, spec->element_bytes, &elements->gathered, scratch_bytes);
}

void clp_sort_elements_destroy(clp_sort_elements *elements) {
    const cl_mem mems[] = {elements->keys, elements->order, elements->gathered};
    const cl_kernel kernels[] = {elements->make, elements->gather, elements->place};
    clp_release_kernels(kernels, sizeof kernels / sizeof kernels[0]);
    clp_release_buffers(mems, sizeof mems / sizeof mems[0]);
    if (elements->program != NULL) clReleaseProgram(elements->program);
}

/* ---- Steps ---- */

static clprims_status add(const clp_sort_elements *elements, cl_kernel kernel, size_t n,
                          const clp_argument *arguments, size_t arguments_count, clp_step *steps,
                          size_t *count) {
    const size_t group = elements->group, groups = n / group + (n % group > 0);
    CLP_TRY(clp_kernel_arguments(kernel, elements->who, arguments, (cl_uint)arguments_count));
    steps[(*count)++] = (clp_step){kernel, groups > 0 ? groups : 1, group};
    return CLPRIMS_OK;
}

clprims_status clp_sort_elements_make(clp_sort_elements *elements, const clp_sort_elements_run *run,
                                      clp_step *steps, size_t *count) {
    enum { OWN = 6 };
    cl_ulong first = run->in.first, n = run->n, counted_first = run->counted.first;
    clp_argument arguments[OWN + CLP_MOST_PARAMETERS] = {
        CLP_ARGUMENT(run->in.mem),      CLP_ARGUMENT(first),         CLP_ARGUMENT(n),
        CLP_ARGUMENT(run->counted.mem), CLP_ARGUMENT(counted_first), CLP_ARGUMENT(elements->keys)};
    size_t arguments_count = OWN;
    if (elements->make == NULL) return CLPRIMS_OK;
    clp_parameters_append(&elements->parameters, &elements->context->blank, arguments,
                          &arguments_count);
    return add(elements, elements->make, run->n, arguments, arguments_count, steps, count);
}

#define COUNT(arguments) (sizeof(arguments) / sizeof(arguments)[0])

clprims_status clp_sort_elements_gather(clp_sort_elements *elements,
                                        const clp_sort_elements_run *run, cl_mem order,
                                        clprims_buffer to, clp_step *steps, size_t *count) {
    cl_ulong first = run->in.first, to_first = to.first, n = run->n;
    cl_ulong counted_first = run->counted.first;
    const clp_argument arguments[] = {
        CLP_ARGUMENT(run->in.mem),   CLP_ARGUMENT(first), CLP_ARGUMENT(to.mem),
        CLP_ARGUMENT(to_first),      CLP_ARGUMENT(n),     CLP_ARGUMENT(run->counted.mem),
        CLP_ARGUMENT(counted_first), CLP_ARGUMENT(order)};
    if (elements->gather == NULL) return CLPRIMS_OK;
    return add(elements, elements->gather, run->n, arguments, COUNT(arguments), steps, count);
}

clprims_status clp_sort_elements_place(clp_sort_elements *elements,
                                       const clp_sort_elements_run *run, clprims_buffer to,
                                       clp_step *steps, size_t *count) {
    cl_ulong to_first = to.first, n = run->n, counted_first = run->counted.first;
    const clp_argument arguments[] = {
        CLP_ARGUMENT(elements->gathered), CLP_ARGUMENT(to.mem),
        CLP_ARGUMENT(to_first),           CLP_ARGUMENT(n),
        CLP_ARGUMENT(run->counted.mem),   CLP_ARGUMENT(counted_first)};
    if (elements->place == NULL) return CLPRIMS_OK;
    return add(elements, elements->place, run->n, arguments, COUNT(arguments), steps, count);
}
