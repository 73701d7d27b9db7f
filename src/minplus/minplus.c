/* SPDX-License-Identifier: MIT */
/* The min-plus product: plans, launches, plain arrays. */
#include "minplus/minplus_plan.h"

struct clprims_minplus {
    clp_plan head;
    clp_minplus_spec spec; /* create clears its pointers into the description */
    clp_minplus_choice choice;
};

/* ---- Create ---- */

static clprims_status warm_up(const clprims_minplus *minplus) {
    const clp_minplus_choice *choice = &minplus->choice;
    clp_step steps[CLP_MINPLUS_RANKS];
    for (size_t i = 0; i < choice->count; i++) {
        CLP_TRY(
            clp_minplus_blank_step(minplus->head.context, &choice->tiles[i], "minplus", &steps[i]));
    }
    return clp_plan_warm_up(&minplus->head, steps, choice->count);
}

static clprims_status fill(clp_plan *head, const void *description) {
    clprims_minplus *minplus = (clprims_minplus *)head;
    const clprims_minplus_desc *desc = description;
    clp_minplus_spec *spec = &minplus->spec;
    CLP_TRY(clp_minplus_spec_fill(head->context, desc, spec));
    CLP_TRY(clp_minplus_choice_build(head->context, spec, desc->tuning, &minplus->choice));
    spec->custom = (clprims_semiring_custom){0};
    return warm_up(minplus);
}

static void release(clp_plan *head) {
    clp_minplus_choice_free(&((clprims_minplus *)head)->choice);
}

static const clp_plan_kind kind = {.name = "minplus",
                                   .bytes = sizeof(clprims_minplus),
                                   .desc_bytes = sizeof(clprims_minplus_desc),
                                   .fill = fill,
                                   .release = release};

clprims_status clprims_minplus_create_sized(clprims_minplus **out, clprims_context *context,
                                            const clprims_minplus_desc *desc, size_t desc_bytes) {
    clprims_minplus_desc full;
    return clp_plan_create(out, context, &kind, desc, desc_bytes, &full);
}

void clprims_minplus_destroy(clprims_minplus *minplus) {
    clp_plan_destroy(minplus);
}

clprims_status clprims_minplus_describe_sized(const clprims_minplus *minplus,
                                              clprims_minplus_info *info, size_t info_bytes) {
    CLP_TRY(clp_begin("minplus_describe", "plan", minplus));
    const clp_minplus_choice *choice = &minplus->choice;
    const clp_minplus_shape *wide = &choice->tiles[0].shape;
    const clp_minplus_shape *narrow = &choice->tiles[choice->count > 1].shape;
    const clp_minplus_shape *small = &choice->tiles[choice->count - 1].shape;
    const clprims_minplus_info full = {.group = wide->group,
                                       .tile_rows = wide->tile_rows,
                                       .tile_columns = wide->tile_columns,
                                       .tile_depth = wide->depth,
                                       .narrow_rows = narrow->tile_rows,
                                       .narrow_columns = narrow->tile_columns,
                                       .small_rows = small->tile_rows,
                                       .small_columns = small->tile_columns};
    return clp_give("minplus_describe", "info", &full, sizeof full, info, info_bytes);
}

/* ---- Enqueue ---- */

/* Returns whether there is no element to write. */
static bool is_empty(clprims_minplus_size size) {
    return size.m == 0 || size.n == 0 || size.batch == 0;
}

static clprims_status enqueue(const clprims_minplus *minplus, cl_command_queue queue,
                              const clp_minplus_operands *operands, cl_uint num_wait,
                              const cl_event *wait, cl_event *event) {
    clp_step step;
    CLP_TRY(clp_minplus_check(minplus->head.context, &minplus->spec, operands));
    CLP_TRY(clp_minplus_step(&minplus->choice, "minplus", operands, &step));
    return clp_steps_enqueue(queue, "minplus", &step, 1, num_wait, wait, event);
}

clprims_status clprims_minplus_enqueue(clprims_minplus *minplus, cl_command_queue queue,
                                       clprims_matrix a, clprims_matrix b, clprims_matrix c,
                                       clprims_matrix argmin, clprims_minplus_size size,
                                       cl_uint num_wait, const cl_event *wait, cl_event *event) {
    CLP_TRY(clp_begin("minplus", "plan", minplus));
    CLP_TRY(clp_given("minplus", "queue", queue));
    CLP_TRY(clp_check_submission(minplus->head.context, "minplus", queue, num_wait, wait));
    if (is_empty(size)) {
        return clp_steps_enqueue(queue, "minplus", NULL, 0, num_wait, wait, event);
    }
    const clp_minplus_operands operands = {.a = a, .b = b, .c = c, .best = argmin, .size = size};
    return enqueue(minplus, queue, &operands, num_wait, wait, event);
}

/* ---- Plain arrays ---- */

/* Allocates a batch of packed matrices, with the values of the host unless `host` is NULL. */
static clprims_status upload(const clprims_minplus *minplus, const void *host, size_t rows,
                             size_t columns, size_t batch, size_t bytes, clprims_matrix *out) {
    const size_t elements = rows * columns;
    *out = (clprims_matrix){NULL, 0, columns, elements};
    if (elements == 0) return clp_upload(minplus->head.context, "minplus", NULL, bytes, &out->mem);
    if (columns > SIZE_MAX / bytes / rows || batch > SIZE_MAX / bytes / elements) {
        return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                        "minplus: %zu matrices of %zu * %zu have more bytes than can be counted",
                        batch, rows, columns);
    }
    return clp_upload(minplus->head.context, "minplus", host, batch * elements * bytes, &out->mem);
}

/* The host's arrays of one run. */
typedef struct host_arrays {
    const void *a, *b;
    void *c;
    int32_t *argmin;
} host_arrays;

/* Refuses integers out of range, which enqueue would clamp. */
static clprims_status check_values(const clprims_minplus *minplus, const host_arrays *host,
                                   clprims_minplus_size s) {
    const clp_minplus_spec *spec = &minplus->spec;
    CLP_TRY(clp_minplus_check_values(spec, "a", host->a, s.m, s.k, s.batch, false));
    CLP_TRY(clp_minplus_check_values(spec, "b", host->b, s.k, s.n, s.batch, false));
    if (!spec->accumulate) return CLPRIMS_OK;
    return clp_minplus_check_values(spec, "c", host->c, s.m, s.n, s.batch, true);
}

static clprims_status upload_all(const clprims_minplus *minplus, const host_arrays *host,
                                 clp_minplus_operands *o) {
    const clprims_minplus_size s = o->size;
    const size_t bytes = clprims_type_bytes(minplus->spec.type);
    const bool reads_c = minplus->spec.accumulate;
    CLP_TRY(upload(minplus, host->a, s.m, s.k, s.batch, bytes, &o->a));
    CLP_TRY(upload(minplus, host->b, s.k, s.n, s.batch, bytes, &o->b));
    CLP_TRY(upload(minplus, reads_c ? host->c : NULL, s.m, s.n, s.batch, bytes, &o->c));
    if (!minplus->spec.argmin) return CLPRIMS_OK;
    return upload(minplus, reads_c ? host->argmin : NULL, s.m, s.n, s.batch, sizeof(int32_t),
                  &o->best);
}

static clprims_status run_on(const clprims_minplus *minplus, const host_arrays *host,
                             clp_minplus_operands *o) {
    const size_t cells = o->size.m * o->size.n * o->size.batch;
    const clprims_context *context = minplus->head.context;
    CLP_TRY(upload_all(minplus, host, o));
    CLP_TRY(check_values(minplus, host, o->size));
    CLP_TRY(enqueue(minplus, context->queue, o, 0, NULL, NULL));
    CLP_TRY(clp_download(context, "minplus", o->c.mem, host->c,
                         cells * clprims_type_bytes(minplus->spec.type)));
    if (!minplus->spec.argmin) return CLPRIMS_OK;
    return clp_download(context, "minplus", o->best.mem, host->argmin, cells * sizeof(int32_t));
}

static clprims_status check_arrays(const clprims_minplus *minplus, const host_arrays *host,
                                   size_t k) {
    const char *missing = host->c == NULL                                ? "c"
                          : k > 0 && host->a == NULL                     ? "a"
                          : k > 0 && host->b == NULL                     ? "b"
                          : minplus->spec.argmin && host->argmin == NULL ? "argmin"
                                                                         : NULL;
    if (missing != NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "minplus: %s is NULL", missing);
    if (minplus->spec.argmin || host->argmin == NULL) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "minplus: argmin is not NULL, but the plan was made without argmin");
}

clprims_status clprims_minplus_run(clprims_minplus *minplus, const void *a, const void *b, void *c,
                                   int32_t *argmin, clprims_minplus_size size) {
    CLP_TRY(clp_begin("minplus", "plan", minplus));
    if (is_empty(size)) return CLPRIMS_OK;
    const host_arrays host = {a, b, c, argmin};
    CLP_TRY(check_arrays(minplus, &host, size.k));
    clp_minplus_operands o = {.size = size};
    const clprims_status status = run_on(minplus, &host, &o);
    const cl_mem mems[] = {o.a.mem, o.b.mem, o.c.mem, o.best.mem};
    clp_release_buffers(mems, sizeof mems / sizeof mems[0]);
    return status;
}
