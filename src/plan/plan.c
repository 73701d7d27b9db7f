/* SPDX-License-Identifier: MIT */
/* The life of a plan, and what it owns. */
#include "plan/plan.h"
#include "core/status.h"

#include <stdlib.h>
#include <string.h>

/* ---- Create and destroy ---- */

/* Plans that a plan is made of were added before it, so that a context which begins with its newest
 * plan destroys none of them twice. */
static void add_to_context(clp_plan *plan) {
    clp_kept *plans = &plan->context->plans;
    clp_lock_take(&plan->context->lock);
    plan->older = plans->first;
    if (plan->older != NULL) plan->older->newer = plan;
    plans->first = plan;
    plans->destroy = clp_plan_destroy;
    clp_lock_give(&plan->context->lock);
}

/* A plan whose create failed is not in the list. */
static void take_from_context(const clp_plan *plan) {
    clp_kept *plans = &plan->context->plans;
    clp_lock_take(&plan->context->lock);
    if (plan->older != NULL) plan->older->newer = plan->newer;
    if (plan->newer != NULL) plan->newer->older = plan->older;
    if (plans->first == plan) plans->first = plan->older;
    clp_lock_give(&plan->context->lock);
}

clprims_status clp_plan_create(void *out, clprims_context *context, const clp_plan_kind *kind,
                               const void *desc, size_t desc_bytes, void *full) {
    clp_plan *plan = NULL;
    CLP_TRY(clp_begin(kind->name, "out", out));
    memcpy(out, &plan, sizeof plan);
    CLP_TRY(clp_given(kind->name, "context", context));
    CLP_TRY(clp_take(kind->name, "desc", desc, desc_bytes, full, kind->desc_bytes));
    plan = calloc(1, kind->bytes);
    CLP_FAIL_IF(plan == NULL, CLPRIMS_ERR_HOST_MEMORY, "%s: no host memory for a plan", kind->name);
    plan->kind = kind;
    plan->context = context;
    clprims_status status = CLPRIMS_OK;
    if (kind->report_bytes > 0) {
        status = clp_plan_scratch(plan, kind->report_bytes, false, &plan->report);
    }
    const unsigned before = clp_program_origins(0);
    if (status == CLPRIMS_OK) status = kind->fill(plan, full);
    plan->origins = clp_program_origins(0);
    (void)clp_program_origins(before | plan->origins);
    if (status == CLPRIMS_OK) {
        add_to_context(plan);
        memcpy(out, &plan, sizeof plan);
    } else {
        clp_plan_destroy(plan);
    }
    return status;
}

void clp_plan_destroy(void *plan) {
    clp_plan *head = plan;
    if (head == NULL) return;
    take_from_context(head);
    if (head->kind->release != NULL) head->kind->release(plan);
    if (head->last_run != NULL) clReleaseEvent(head->last_run);
    if (head->holds_queue) clReleaseCommandQueue(head->last_queue);
    clp_release_kernels(head->kernels, head->kernel_count);
    for (size_t i = 0; i < head->program_count; i++) {
        if (head->programs[i] != NULL) clReleaseProgram(head->programs[i]);
    }
    clp_release_buffers(head->buffers, head->buffer_count);
    free(head);
}

const char *clp_plan_programs(const clp_plan *plan) {
    enum { SOURCE = 1 << CLP_FROM_SOURCE, DRIVER = 1 << CLP_FROM_DRIVER };
    enum { CODE = 1 << CLP_FROM_ASSEMBLER };
    static const char *const words[] = {[0] = "none",
                                        [SOURCE] = "source",
                                        [DRIVER] = "driver's binary",
                                        [SOURCE | DRIVER] = "driver's binary, source",
                                        [CODE] = "machine code",
                                        [CODE | SOURCE] = "machine code, source",
                                        [CODE | DRIVER] = "machine code, driver's binary",
                                        [CODE | DRIVER | SOURCE] =
                                            "machine code, driver's binary, source"};
    return words[plan->origins];
}

/* ---- What a plan owns ---- */

static clprims_status check_room(const clp_plan *plan, const char *what, size_t count,
                                 size_t room) {
    if (count < room) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_INTERNAL, "%s: a plan of more than %zu %s", plan->kind->name, room,
                    what);
}

static void own_buffer(clp_plan *plan, size_t bytes, cl_mem buffer) {
    plan->scratch_bytes += bytes;
    plan->buffers[plan->buffer_count++] = buffer;
}

clprims_status clp_plan_scratch(clp_plan *plan, size_t bytes, bool zeroed, cl_mem *out) {
    CLP_TRY(check_room(plan, "buffers", plan->buffer_count, CLP_PLAN_BUFFERS));
    CLP_TRY(clp_scratch_create(plan->context, plan->kind->name, bytes, zeroed, out));
    own_buffer(plan, bytes, *out);
    return CLPRIMS_OK;
}

clprims_status clp_plan_upload(clp_plan *plan, const void *host, size_t bytes, cl_mem *out) {
    CLP_TRY(check_room(plan, "buffers", plan->buffer_count, CLP_PLAN_BUFFERS));
    CLP_TRY(clp_upload(plan->context, plan->kind->name, host, bytes, out));
    own_buffer(plan, bytes, *out);
    return CLPRIMS_OK;
}

clprims_status clp_plan_build(clp_plan *plan, clp_text *prelude, const clp_part *parts,
                              size_t registers, cl_program *out) {
    clprims_status status = check_room(plan, "programs", plan->program_count, CLP_PLAN_PROGRAMS);
    if (status == CLPRIMS_OK) {
        status = clp_program_build_limited(plan->context, plan->kind->name, prelude, parts,
                                           registers, out);
    }
    clp_text_free(prelude);
    CLP_TRY(status);
    plan->programs[plan->program_count++] = *out;
    return CLPRIMS_OK;
}

clprims_status clp_plan_kernel(clp_plan *plan, cl_program program, const char *name,
                               cl_kernel *out) {
    CLP_TRY(check_room(plan, "kernels", plan->kernel_count, CLP_PLAN_KERNELS));
    CLP_TRY(clp_kernel_create(program, plan->kind->name, name, out));
    plan->kernels[plan->kernel_count++] = *out;
    return CLPRIMS_OK;
}

/* ---- Parameters ---- */

clprims_status clp_plan_read_texts(clp_plan *plan, const clp_user_text *texts,
                                   const clprims_custom *custom, const char *parameters) {
    CLP_TRY(clp_texts_check(plan->kind->name, texts));
    return clp_parameters_read(plan->kind->name, parameters, custom, texts, &plan->parameters);
}

clprims_status clp_plan_set_parameter(void *plan, const char *who, size_t k, size_t bytes,
                                      const void *value) {
    clp_plan *head = plan;
    CLP_TRY(clp_begin(who, "plan", plan));
    return clp_parameters_set(&head->parameters, head->context, who, k, bytes, value);
}
