/* SPDX-License-Identifier: MIT */
/* Segmented reductions and scans of plain arrays: copies in, a run on the context's queue, copies
 * out. */
#include "core/check.h"
#include "segmented/segmented_plan.h"

static clprims_status check_arrays(const clprims_segmented *plan,
                                   const clprims_segmented_arrays *arrays, size_t n,
                                   size_t segments, const size_t *count) {
    const clp_segmented_spec *spec = &plan->spec;
    const bool has_in = spec->what.has_input_array;
    const char *lacking = NULL;
    if (arrays->in == NULL && has_in && n > 0) lacking = "in";
    if (arrays->heads == NULL && (n > 0 || clp_segmented_by_offsets(spec))) lacking = "heads";
    if (arrays->out == NULL && clp_segmented_outputs(spec, n, segments) > 0) lacking = "out";
    if (arrays->keys == NULL && spec->unique_keys && segments > 0) lacking = "keys";
    if (count == NULL && clp_segmented_counts(spec)) lacking = "count";
    if (lacking != NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "segmented: %s is NULL, with n = %zu and segments = %zu", lacking, n,
                        segments);
    }
    if (arrays->in != NULL && !has_in) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "segmented: in is not NULL, but the plan has no input array");
    }
    return CLPRIMS_OK;
}

static clprims_status upload(const clprims_segmented *plan, const void *host, size_t bytes,
                             clprims_buffer *buffer) {
    if (bytes == 0) return CLPRIMS_OK;
    return clp_upload(plan->context, "segmented", host, bytes, &buffer->mem);
}

/* A scan by offsets leaves elements outside of all segments as they are, so that its output is
 * copied in, too. */
static clprims_status upload_all(const clprims_segmented *plan,
                                 const clprims_segmented_arrays *arrays, size_t n, size_t segments,
                                 clprims_segmented_buffers *b) {
    const clp_segmented_spec *spec = &plan->spec;
    const size_t outputs = clp_segmented_outputs(spec, n, segments);
    const bool keeps = !spec->reduces && clp_segmented_by_offsets(spec);
    if (spec->what.has_input_array) {
        CLP_TRY(upload(plan, arrays->in, n * spec->what.type_bytes, &b->in));
    }
    CLP_TRY(upload(plan, arrays->heads, clp_segmented_heads(spec, n, segments) * spec->heads_bytes,
                   &b->heads));
    CLP_TRY(upload(plan, keeps ? arrays->out : NULL, outputs * spec->result_bytes, &b->out));
    if (!spec->unique_keys) return CLPRIMS_OK;
    return upload(plan, NULL, segments * spec->heads_bytes, &b->keys);
}

static clprims_status download(const clprims_segmented *plan, clprims_buffer buffer, void *host,
                               size_t bytes) {
    if (bytes == 0) return CLPRIMS_OK;
    return clp_download(plan->context, "segmented", buffer.mem, host, bytes);
}

static clprims_status run_on(clprims_segmented *plan, const clprims_segmented_arrays *arrays,
                             size_t n, size_t segments, size_t *count,
                             clprims_segmented_buffers *b) {
    const clp_segmented_spec *spec = &plan->spec;
    const bool counts = clp_segmented_counts(spec);
    const size_t room = counts && n < segments ? n : segments;
    clprims_segmented_report report;
    CLP_TRY(upload_all(plan, arrays, n, room, b));
    const clp_segmented_run run = {
        .queue = plan->context->queue, .buffers = *b, .n = n, .segments = room};
    CLP_TRY(clp_segmented_submit(plan, &run));
    CLP_TRY(clp_download(plan->context, "segmented", plan->report, &report, sizeof report));
    CLP_TRY(clprims_segmented_check(&report));
    const size_t found = report.segments < 0 ? 0 : (size_t)report.segments;
    if (count != NULL) *count = found;
    if (counts && found > segments) {
        return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                        "segmented: %zu segments exceed segments = %zu, the room of the outputs",
                        found, segments);
    }
    const size_t outputs = clp_segmented_outputs(spec, n, found);
    CLP_TRY(download(plan, b->out, arrays->out, outputs * spec->result_bytes));
    if (!spec->unique_keys) return CLPRIMS_OK;
    return download(plan, b->keys, arrays->keys, found * spec->heads_bytes);
}

static const clp_layout arrays_layout =
    CLP_LAYOUT(clprims_segmented_arrays, keys, "CLPRIMS_SEGMENTED_ARRAYS_INIT");

clprims_status clprims_segmented_run(clprims_segmented *plan,
                                     const clprims_segmented_arrays *arrays, size_t n,
                                     size_t segments, size_t *count) {
    clprims_segmented_buffers b = CLPRIMS_SEGMENTED_BUFFERS_INIT;
    clp_clear_error();
    if (plan == NULL || arrays == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "segmented: %s is NULL",
                        plan == NULL ? "plan" : "arrays");
    }
    clprims_segmented_arrays full = CLPRIMS_SEGMENTED_ARRAYS_INIT;
    CLP_TRY(clp_struct_take("segmented", "arrays", &arrays_layout, arrays, &full));
    CLP_TRY(clp_segmented_check_sizes("segmented", &plan->spec, n, segments));
    CLP_TRY(clp_parameters_check(&plan->parameters, "segmented"));
    CLP_TRY(check_arrays(plan, &full, n, segments, count));
    const clprims_status status = run_on(plan, &full, n, segments, count, &b);
    const cl_mem mems[] = {b.in.mem, b.heads.mem, b.out.mem, b.keys.mem};
    clp_release_buffers(mems, sizeof mems / sizeof mems[0]);
    return status;
}
