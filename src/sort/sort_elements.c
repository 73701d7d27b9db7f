/* SPDX-License-Identifier: MIT */
/*
 * Keys that expressions make of elements. A kernel in front of the sort makes the keys; behind it
 * elements that are too large to move in each pass come by their sorted indices. The program of
 * these kernels is one of its own, so that plans with other expressions share the sort's.
 *
 * Segmented sort and top-k take one key, which is made of several: their bits in one integer where
 * 64 bits are enough, else the element's rank in a sort by all keys, as sort_then.c has it. Packed
 * keys gain 3.3 times in segmented sort and 5 times in top-k over ranks: two uint32 of 2^22
 * elements on two cores, PoCL 3.1, 2026-11-28.
 */
#include "cl_sources.h"
#include "core/status.h"
#include "core/type.h"
#include "plan/plan_arguments.h"
#include "sort/sort_plan.h"

#include <stdio.h>

enum { GROUP = 256, EACH_OF_CPU = 4096 };

/* ---- The description ---- */

static clprims_type type_of_elements(const clprims_sort_desc *desc) {
    return desc->elements == CLPRIMS_TYPE_DEFAULT ? desc->type : desc->elements;
}

static const char *expression_of(const clprims_sort_desc *desc, size_t key) {
    return key == 0 ? desc->key : desc->then[key - 1];
}

static clprims_status check_then(const clprims_context *context, const char *who,
                                 const clprims_sort_desc *desc, clp_sort_spec *spec) {
    spec->keys = 1;
    spec->key_types[0] = desc->type;
    spec->key_bits[0] = spec->end - spec->begin;
    for (size_t k = 0; k + 1 < CLPRIMS_SORT_KEYS; k++) {
        const bool is_own = desc->then_type[k] != CLPRIMS_TYPE_DEFAULT;
        const clprims_type type = is_own ? desc->then_type[k] : desc->type;
        if (desc->then[k] == NULL) continue;
        CLP_FAIL_IF(spec->keys <= k, CLPRIMS_ERR_ARGUMENT,
                    "%s: then[%zu] stands behind then[%zu] = NULL", who, k, k - 1);
        CLP_FAIL_IF(clprims_type_bytes(type) == 0, CLPRIMS_ERR_ARGUMENT,
                    "%s: then_type[%zu] = %d (%s) is no integer or float type", who, k, (int)type,
                    clprims_type_name(type));
        CLP_TRY(clp_check_float64(context, who, type, desc->type));
        spec->key_bits[spec->keys] = 8 * (unsigned)clprims_type_bytes(type);
        spec->key_types[spec->keys++] = type;
    }
    return CLPRIMS_OK;
}

/* The elements are the keys. */
static clprims_status check_no_key(const char *who, const clprims_sort_desc *desc) {
    for (size_t k = 0; k + 1 < CLPRIMS_SORT_KEYS; k++) {
        if (desc->then[k] == NULL) continue;
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: then[%zu] = \"%s\" follows desc.key, which is NULL", who, k,
                        desc->then[k]);
    }
    if (desc->elements == CLPRIMS_TYPE_DEFAULT) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "%s: elements = %d (%s) and no desc.key that makes keys of them", who,
                    (int)desc->elements, clprims_type_name(desc->elements));
}

clprims_status clp_sort_elements_check(const clprims_context *context, const char *who,
                                       const clprims_sort_desc *desc, clp_sort_spec *spec) {
    const clprims_type type = type_of_elements(desc);
    const bool is_struct = type == CLPRIMS_STRUCT;
    if (desc->key == NULL) return check_no_key(who, desc);
    if (is_struct) CLP_TRY(clp_check_struct(who, &desc->custom));
    spec->element_bytes = is_struct ? desc->custom.type_bytes : clprims_type_bytes(type);
    CLP_TRY(clp_check_type(who, "elements", type));
    CLP_TRY(clp_check_float64(context, who, type, desc->type));
    CLP_TRY(check_then(context, who, desc, spec));
    spec->has_expression = true;
    spec->no_keys = true;
    return CLPRIMS_OK;
}

void clp_sort_combine_keys(clp_sort_spec *spec) {
    enum { MOST_BITS = 64 };
    static const clprims_type types[] = {CLPRIMS_U8, CLPRIMS_U16, CLPRIMS_U32, CLPRIMS_U64};
    size_t bits = 0, log2_bytes = 0;
    if (spec->keys <= 1) return;
    for (size_t k = 0; k < spec->keys; k++) bits += spec->key_bits[k];
    spec->combined = bits <= MOST_BITS ? CLP_SORT_PACKED : CLP_SORT_RANKS;
    while (bits <= MOST_BITS && (size_t)8 << log2_bytes < bits) log2_bytes++;
    spec->type = bits <= MOST_BITS ? types[log2_bytes] : clp_sort_index_type(spec->max_n);
    spec->key_bytes = clprims_type_bytes(spec->type);
    spec->descending = false;
    spec->begin = 0;
    spec->end = 8 * (unsigned)spec->key_bytes;
}

/* ---- Create and destroy ---- */

clprims_type clp_sort_order_type(const clp_sort_spec *spec) {
    const bool is_ranked = spec->combined == CLP_SORT_RANKS && !clp_sort_has_order(spec);
    return is_ranked ? spec->type : spec->order;
}

/* What comes by its indices: behind one key large elements, behind several all that moves. */
static size_t list_moved(const clp_sort_spec *spec, size_t bytes[CLP_SORT_MOVED]) {
    size_t count = 0;
    if (!clp_sort_has_order(spec)) return 0;
    for (size_t k = 0; k < spec->payloads && spec->keys > 1; k++) {
        bytes[count++] = spec->value_bytes[k];
    }
    if (!spec->no_elements) bytes[count++] = spec->element_bytes;
    return count;
}

static void add_elements(clp_text *text, const clp_sort_elements *elements,
                         const clprims_sort_desc *desc) {
    enum { REPORT_BYTES = sizeof(clprims_sort_report) };
    const clp_sort_spec *spec = elements->spec;
    const clprims_type type = type_of_elements(desc), order = clp_sort_order_type(spec);
    size_t bytes[CLP_SORT_MOVED];
    const size_t moved = list_moved(spec, bytes);
    clp_text_add(text, "#define CLP_EXTRA 0\n#define CLP_COUNT_REPORT_BYTES %d\n", REPORT_BYTES);
    clp_text_add(text, "#define CLP_E %s\n#define CLP_E_BYTES %zu\n",
                 type == CLPRIMS_STRUCT ? desc->custom.type_name : clp_type_text(type),
                 spec->element_bytes);
    clp_text_add(text, "#define CLP_GROUP %zu\n#define CLP_EACH %zu\n", elements->group,
                 elements->each);
    clp_text_add(text, "#define CLP_HAS_ORDER %d\n", order != CLPRIMS_TYPE_DEFAULT);
    if (order != CLPRIMS_TYPE_DEFAULT) {
        clp_text_add(text, "#define CLP_INDEX %s\n", clp_type_text(order));
    }
    for (size_t k = 0; k < moved; k++) {
        char name[32];
        snprintf(name, sizeof name, "clp_moved%zu", k);
        clp_text_add_moved(text, name, bytes[k]);
    }
    clp_text_add(text, "#define CLP_KEYS %zu\n#define CLP_MOVED %zu\n", spec->keys, moved);
    clp_text_add(text, "#define CLP_IS_PACKED %d\n#define CLP_HAS_RANKS %d\n",
                 spec->combined == CLP_SORT_PACKED, spec->combined == CLP_SORT_RANKS);
    clp_text_add(text, "#define CLP_DESCENDING %d\n#define CLP_MADE %s\n", desc->descending != 0,
                 clp_type_text(spec->type));
    clp_text_add_each(text, "CLP_EACH_KEY", spec->keys);
    clp_text_add_each(text, "CLP_EACH_MOVED", moved);
}

/* CLP_PACKED(x, i): calls of clp_pack, one in another, the first key's inmost. */
static void add_packed(clp_text *text, const clp_sort_spec *spec, unsigned begin_bit) {
    clp_text_add(text, "#define CLP_PACKED(x, i) ");
    for (size_t k = 0; k < spec->keys; k++) clp_text_add(text, "clp_pack(");
    clp_text_add(text, "0");
    for (size_t k = 0; k < spec->keys; k++) {
        const size_t bytes = clprims_type_bytes(spec->key_types[k]);
        clp_text_add(text, ", as_%s(CLP_KEY_OF(%zu, x, i)), %zu, %d, %u, %u)",
                     clp_sort_unsigned(bytes), k, 8 * bytes,
                     clp_sort_order(spec->key_types[k], spec->floats), k == 0 ? begin_bit : 0,
                     spec->key_bits[k]);
    }
    clp_text_add(text, "\n");
}

static void add_key(clp_text *text, const clp_sort_elements *elements,
                    const clprims_sort_desc *desc, size_t k) {
    static const char *const names[CLPRIMS_SORT_KEYS] = {"key", "then[0]", "then[1]", "then[2]"};
    clp_text_add(text, "typedef %s clp_made%zu;\n", clp_type_text(elements->spec->key_types[k]), k);
    clp_text_add(text, "static inline clp_made%zu clp_users_key%zu(CLP_E x, ulong i", k, k);
    clp_text_add_function(text, &elements->plan->parameters, names[k], expression_of(desc, k),
                          NULL);
}

static clprims_status build(clp_sort_elements *elements, const clprims_sort_desc *desc) {
    static const clp_part parts[] = {&clp_count_report_cl, &clp_parameters_cl, &clp_count_cl,
                                     &clp_sort_elements_cl, NULL};
    clp_text text = {0};
    clp_text_add_declarations(&text, elements->plan->context, &desc->custom,
                              &elements->plan->parameters);
    add_elements(&text, elements, desc);
    for (size_t k = 0; k < elements->spec->keys; k++) add_key(&text, elements, desc, k);
    if (elements->spec->combined == CLP_SORT_PACKED) {
        add_packed(&text, elements->spec, desc->begin_bit);
    }
    return clp_plan_build(elements->plan, &text, parts, 0, &elements->program);
}

static clprims_status create_ranks(clp_sort_elements *elements, const clprims_sort_desc *desc) {
    const clp_sort_spec *spec = elements->spec;
    const size_t order_bytes = spec->max_n * clprims_type_bytes(clp_sort_order_type(spec));
    CLP_TRY(clp_plan_kernel(elements->plan, elements->program, "clp_sort_rank", &elements->rank));
    CLP_TRY(clp_plan_scratch(elements->plan, order_bytes, false, &elements->order));
    return clp_sort_then_create_sorts(elements, desc);
}

static clprims_status read_texts(clp_plan *plan, const clprims_sort_desc *desc) {
    const clp_user_text texts[] = {{"desc.key", desc->key, "x i", NULL},
                                   {"custom.op", desc->custom.op, NULL, "a sort has no operator"},
                                   {NULL}};
    return clp_plan_read_texts(plan, texts, &desc->custom, desc->parameters);
}

clprims_status clp_sort_elements_create(clp_sort_elements *elements, clp_plan *plan,
                                        const clprims_sort_desc *desc, const clp_sort_spec *spec) {
    const size_t most = plan->context->device.max_group;
    const bool is_cpu = plan->context->device.is_cpu;
    const size_t kernels = spec->combined == CLP_SORT_PACKED ? 1 : spec->keys;
    size_t bytes[CLP_SORT_MOVED], key_bytes = spec->key_bytes;
    elements->plan = plan;
    elements->spec = spec;
    CLP_TRY(read_texts(plan, desc));
    if (!spec->has_expression) return CLPRIMS_OK;
    elements->group = is_cpu ? 1 : most < GROUP ? most : GROUP;
    elements->each = is_cpu ? EACH_OF_CPU : 1;
    elements->moved = list_moved(spec, bytes);
    CLP_TRY(build(elements, desc));
    for (size_t k = 0; k < kernels; k++) {
        const size_t own = clprims_type_bytes(spec->key_types[k]);
        if (own > key_bytes && kernels > 1) key_bytes = own;
        CLP_TRY(clp_plan_kernel(plan, elements->program, "clp_sort_make", &elements->make[k]));
    }
    CLP_TRY(clp_plan_scratch(plan, spec->max_n * key_bytes, false, &elements->keys));
    if (spec->combined == CLP_SORT_RANKS) CLP_TRY(create_ranks(elements, desc));
    if (elements->moved == 0) return CLPRIMS_OK;
    return clp_plan_kernel(plan, elements->program, "clp_sort_gather", &elements->gather);
}

clprims_status clp_sort_elements_create_order(clp_sort_elements *elements) {
    clp_plan *plan = elements->plan;
    const clp_sort_spec *spec = elements->spec;
    const size_t order_bytes = spec->max_n * clprims_type_bytes(spec->order);
    size_t bytes[CLP_SORT_MOVED];
    if (!clp_sort_has_order(spec)) return CLPRIMS_OK;
    if (spec->keys == 1 || !clp_sort_has_indices(spec)) {
        CLP_TRY(clp_plan_scratch(plan, order_bytes, false, &elements->order));
    }
    if (elements->moved == 0) return CLPRIMS_OK;
    CLP_TRY(clp_plan_kernel(plan, elements->program, "clp_sort_gather", &elements->place));
    for (size_t k = 0; k < list_moved(spec, bytes); k++) {
        CLP_TRY(clp_plan_scratch(plan, spec->max_n * bytes[k], false, &elements->gathered[k]));
    }
    return CLPRIMS_OK;
}

void clp_sort_elements_release(clp_sort_elements *elements) {
    for (size_t k = 0; k < CLPRIMS_SORT_KEYS; k++) clprims_sort_destroy(elements->sorts[k]);
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

static void begin(clp_arguments *a, const clp_sort_elements_run *run) {
    CLP_PUT(a, run->n, run->counted);
}

/* The ranks take the place of the keys, which no sort reads after the last one. */
static clprims_status add_ranks(clp_sort_elements *elements, const clp_sort_elements_run *run,
                                clp_step *steps, size_t *count) {
    const clprims_buffer order = {elements->order, 0}, no_report = {NULL, 0};
    clp_arguments a = {.count = 0};
    CLP_TRY(clp_sort_then_add_order(elements, run, order, no_report, steps, count));
    begin(&a, run);
    CLP_PUT(&a, elements->order, elements->keys);
    return add(elements, elements->rank, run->n, &a, steps, count);
}

clprims_status clp_sort_elements_make(clp_sort_elements *elements, const clp_sort_elements_run *run,
                                      clp_step *steps, size_t *count) {
    clp_arguments a = {.count = 0};
    if (elements->make[0] == NULL) return CLPRIMS_OK;
    if (elements->rank != NULL) return add_ranks(elements, run, steps, count);
    clp_put_buffer(&a, run->in);
    begin(&a, run);
    clp_put_mem(&a, elements->keys);
    clp_put_parameters(&a, elements->plan);
    return add(elements, elements->make[0], run->n, &a, steps, count);
}

clprims_status clp_sort_elements_make_in_order(clp_sort_elements *elements,
                                               const clp_sort_elements_run *run, size_t key,
                                               clprims_buffer order, clp_step *steps,
                                               size_t *count) {
    clp_arguments a = {.count = 0};
    clp_put_buffer(&a, run->in);
    begin(&a, run);
    CLP_PUT(&a, (cl_uint)key, order, elements->before, elements->keys);
    clp_put_parameters(&a, elements->plan);
    return add(elements, elements->make[key], run->n, &a, steps, count);
}

static clprims_status add_move(const clp_sort_elements *elements, cl_kernel kernel,
                               const clp_sort_elements_run *run, clprims_buffer order,
                               const clp_sort_moves *moves, clp_step *steps, size_t *count) {
    clp_arguments a = {.count = 0};
    begin(&a, run);
    clp_put_buffer(&a, order);
    for (size_t k = 0; k < elements->moved; k++) CLP_PUT(&a, moves->from[k], moves->to[k]);
    return add(elements, kernel, run->n, &a, steps, count);
}

clprims_status clp_sort_elements_move(clp_sort_elements *elements, const clp_sort_elements_run *run,
                                      clprims_buffer order, const clp_sort_moves *moves,
                                      bool in_place, clp_step *steps, size_t *count) {
    clp_sort_moves there = *moves, back = *moves;
    if (elements->moved == 0) return CLPRIMS_OK;
    for (size_t k = 0; k < elements->moved && in_place; k++) {
        there.to[k] = back.from[k] = (clprims_buffer){elements->gathered[k], 0};
    }
    CLP_TRY(add_move(elements, elements->gather, run, order, &there, steps, count));
    if (!in_place) return CLPRIMS_OK;
    return add_move(elements, elements->place, run, (clprims_buffer){NULL, 0}, &back, steps, count);
}
