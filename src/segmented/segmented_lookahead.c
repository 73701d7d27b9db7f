/* SPDX-License-Identifier: MIT */
/* The variant "lookahead": one pass of the single-pass engine; by offsets, behind two launches that
 * make bits of them (segmented_marks.c). cl/segmented/segmented_lookahead.cl has the kernel. */
#include "cl_sources.h"
#include "core/layer.h"
#include "segmented/segmented_plan.h"

enum { ROWS = 17, SCANNERS = 8, REDUCERS = 8, UNITS = 3 }; /* of a ring */

/* ---- Whether ---- */

/* Whether the places of a stage suit elements of that size. */
static bool is_plain(size_t bytes) {
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

static bool can_look_ahead(const clprims_context *context, const clp_segmented_spec *spec) {
    clprims_algorithm chosen;
    const bool by_offsets = clp_segmented_by_offsets(spec);
    if (spec->what.is_arg || (by_offsets && spec->reduces)) return false;
    if (spec->by == CLPRIMS_SEGMENTS_EQUAL) return false; /* its heads are in an array */
    if (spec->what.accumulator == CLPRIMS_STRUCT || spec->what.result != NULL) return false;
    if (spec->what.out_type != spec->what.accumulator) return false;
    if (by_offsets && spec->max_segments >= UINT32_MAX) return false;
    if (!spec->what.has_input_array || spec->max_n > UINT32_MAX) return false;
    if ((!by_offsets && !is_plain(spec->heads_bytes)) || !is_plain(spec->what.type_bytes))
        return false;
    if (spec->result_bytes > spec->what.type_bytes || spec->value_bytes > 8) return false;
    if (!is_plain(spec->result_bytes) || (!spec->reduces && spec->result_bytes < 4)) return false;
    return clp_pass_choose(context, "segmented", CLPRIMS_ALGORITHM_AUTO, &chosen) == CLPRIMS_OK &&
           chosen == CLPRIMS_ALGORITHM_LOOKAHEAD;
}

/* Whether the device's local memory holds the rings that were measured. */
static bool has_room(const clprims_context *context) {
    return clp_local_bytes_of(context->device.compute_capability) >= 227 << 10;
}

void clp_segmented_set_pass_knobs(const clprims_context *context, const clp_segmented_spec *spec,
                                  clp_knob *knobs) {
    const bool can = can_look_ahead(context, spec);
    knobs[CLP_SEGMENTED_SINGLE].value = can && has_room(context);
    knobs[CLP_SEGMENTED_SINGLE].most = can;
}

bool clp_segmented_fits_pass(const clprims_context *context, const clp_segmented_spec *spec,
                             const clp_knob *knobs) {
    (void)knobs;
    return can_look_ahead(context, spec);
}

/* ---- The program ---- */

/* Returns the size of clp_runs in cl/segmented/segmented_runs.cl. */
static size_t runs_bytes(const clp_segmented_spec *spec) {
    return spec->value_bytes > 4 ? 16 : 8;
}

/* By offsets the pass sees bits. */
static void add_heads(clp_text *text, const clp_segmented_spec *spec) {
    clp_segmented_spec heads = *spec;
    if (clp_segmented_by_offsets(spec)) {
        heads.by = CLPRIMS_SEGMENTS_BITS;
        heads.heads_type = CLPRIMS_U8;
        heads.heads_bytes = 1;
    }
    clp_segmented_add_heads(text, &heads);
    clp_segmented_add_marks(text, spec);
    clp_text_add(text, "#define CLP_HEAD_BYTES %zu\n", heads.heads_bytes);
}

static clprims_status add_prelude(const clprims_context *context, const void *user,
                                  const clp_shape *shape, clp_text *text) {
    const clp_segmented_spec *spec = user;
    CLP_FAIL_IF(shape->rows > 32, CLPRIMS_ERR_ARGUMENT,
                "segmented: lookahead with ROWS=%zu; at most 32", shape->rows);
    clp_text_add(text, "#define clp_op clp_value_op\n");
    clp_text_add_operation(text, context, &spec->what);
    clp_operation stored = spec->what; /* r as it is */
    stored.parameters = NULL;
    clp_text_add_stored(text, &stored, false, "CLP_R r");
    clp_text_add(text, "#undef clp_op\ntypedef CLP_A clp_value;\n");
    clp_text_add(text, "#undef CLP_A\n#undef CLP_A_BYTES\n#undef CLP_COMMUTATIVE\n");
    clp_text_add(text, "#undef CLP_HAS_START\n#define CLP_HAS_START 1\n");
    clp_text_add(text, "#define CLP_STARTS %d\n", spec->what.has_start);
    clp_text_add(text, "#define CLP_A clp_runs\n#define CLP_A_BYTES %zu\n", runs_bytes(spec));
    clp_text_add(text, "#define CLP_COMMUTATIVE 0\n#define CLP_GUARD 0\n");
    clp_text_add(text, "#define CLP_REPRODUCIBLE 0\n#define CLP_EXTRA 0\n");
    add_heads(text, spec);
    clp_text_add(text, "#define CLP_REDUCES %d\n", spec->reduces);
    clp_text_add(text, "#define CLP_VALUE_BYTES %zu\n", spec->value_bytes);
    clp_segmented_add_report(text);
    clp_shape_add(text, shape, runs_bytes(spec), false);
    return CLPRIMS_OK;
}

const clp_part clp_segmented_lookahead_parts[] = {&clp_parameters_cl,
                                                  &clp_segmented_report_cl,
                                                  &clp_segmented_runs_cl,
                                                  &clp_count_cl,
                                                  &clp_segmented_offsets_cl,
                                                  &clp_types_cl,
                                                  &clp_lookback_cl,
                                                  &clp_lookahead_cl,
                                                  &clp_segmented_lookahead_cl,
                                                  NULL};

static const clp_variant_program programs[CLP_VARIANTS] = {
    [CLP_LOOKAHEAD] = {"clp_segmented_lookahead", clp_segmented_lookahead_parts}};

static clprims_status prepare(clprims_segmented *plan) {
    enum { RING = 221 << 10, REGIONS = 224 }; /* REGIONS: beyond what the engine allows for */
    const clp_segmented_spec *spec = &plan->spec;
    const bool are_bits = spec->by == CLPRIMS_SEGMENTS_BITS || clp_segmented_by_offsets(spec);
    const size_t head_bits = are_bits ? 1 : 8 * spec->heads_bytes;
    const size_t bits = head_bits + 8 * spec->what.type_bytes;
    const size_t stage = SCANNERS * ROWS * 32 * bits / 8 + REGIONS + 384;
    const size_t fitting = RING / stage;
    const clp_pass_need need = {.who = "segmented",
                                .programs = programs,
                                .prelude = add_prelude,
                                .user = spec,
                                .algorithm = CLPRIMS_ALGORITHM_LOOKAHEAD,
                                .element_bytes = spec->what.type_bytes,
                                .vec = 1,
                                .value_bytes = runs_bytes(spec),
                                .staged_bits = bits,
                                .max_n = spec->max_n,
                                .ring = {.stage_bytes = REGIONS,
                                         .scanners = SCANNERS,
                                         .reducers = REDUCERS,
                                         .units = UNITS,
                                         .rows = ROWS,
                                         .stages = fitting < 2   ? 2
                                                   : fitting > 8 ? 8
                                                                 : fitting}};
    if (clp_segmented_by_offsets(spec)) CLP_TRY(clp_segmented_prepare_marks(plan));
    return clp_pass_prepare(&plan->pass, &plan->head, &need);
}

/* ---- Launches ---- */

static clprims_status enqueue_pass(clprims_segmented *plan, const clp_segmented_run *run,
                                   const clp_pass_run *pass_run) {
    const clprims_buffer bits = {plan->bits, 0};
    const bool by_offsets = clp_segmented_by_offsets(&plan->spec);
    clp_arguments a = {.count = 0};
    clp_segmented_put_arrays(&a, plan, run, by_offsets ? bits : run->buffers.heads);
    CLP_PUT(&a, run->n, run->segments);
    clp_put_bytes(&a, plan->spec.what.working_bytes, plan->start);
    if (by_offsets) {
        clp_put_array(&a, plan->head.context, run->buffers.heads);
        CLP_PUT(&a, run->segments, run->buffers.segments, plan->fault);
    }
    return clp_pass_enqueue(&plan->pass, &a, pass_run);
}

static clprims_status enqueue(clprims_segmented *plan, const clp_segmented_run *run) {
    const clp_call *call = &run->call;
    clp_pass_run pass_run = {
        .call = *call, .n = run->n, .counted = run->buffers.n, .warms_up = run->warms_up};
    if (!clp_segmented_by_offsets(&plan->spec)) return enqueue_pass(plan, run, &pass_run);
    cl_event marked = NULL;
    clp_segmented_run marks = *run;
    clp_step steps[2];
    marks.call.event = &marked;
    CLP_TRY(clp_segmented_list_marks(plan, run, steps));
    CLP_TRY(clp_segmented_enqueue_steps(plan, &marks, steps, 2));
    if (run->warms_up) return enqueue_pass(plan, run, &pass_run);
    pass_run.call.num_wait = 1;
    pass_run.call.wait = &marked;
    const clprims_status status = enqueue_pass(plan, run, &pass_run);
    if (status != CLPRIMS_OK) clp_steps_abandon(call->queue, marked, call->num_wait, call->wait);
    clReleaseEvent(marked);
    return status;
}

static void describe(const clprims_segmented *plan, const clp_segmented_run *run,
                     clprims_segmented_info *info) {
    const clp_shape *shape = &clp_pass_choose_kernel(&plan->pass, run->n)->shape;
    info->group = shape->group;
    info->groups = clp_pass_groups(shape, run->n);
    info->launches = plan->mark != NULL ? 3 : 1;
}

const clp_segmented_launches clp_segmented_pass_launches = {prepare, enqueue, describe};
