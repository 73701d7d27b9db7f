/* SPDX-License-Identifier: MIT */
/* Segmented sort: plain arrays. */
#include "core/check.h"
#include "core/status.h"
#include "segmented_sort/segments_plan.h"

static clprims_status check_arrays(const clprims_segmented_sort *plan,
                                   const clprims_segmented_sort_arrays *arrays, size_t n,
                                   size_t segments) {
    const clp_sort_spec *spec = &plan->spec;
    const char *lacking = arrays->offsets == NULL ? "offsets" : NULL;
    if (n > 0) {
        if (clp_sort_has_indices(spec) && arrays->indices == NULL) lacking = "indices";
        for (size_t k = 0; k < spec->payloads; k++) {
            if (arrays->payload_in[k] == NULL) lacking = "an array of payload_in";
            if (arrays->payload_out[k] == NULL) lacking = "an array of payload_out";
        }
        if (!spec->no_elements && arrays->keys_out == NULL) lacking = "keys_out";
        if (arrays->keys_in == NULL) lacking = "keys_in";
    }
    if (lacking == NULL) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "segmented_sort: %s is NULL, with n = %zu and segments = %zu", lacking, n,
                    segments);
}

/* An output on the device begins with what stands in the caller's: elements in no segment stay. */
typedef struct output {
    void *host;
    clprims_buffer *buffer;
    size_t bytes;
} output;

static size_t list_outputs(const clprims_segmented_sort *plan,
                           const clprims_segmented_sort_arrays *arrays, size_t n,
                           clprims_segmented_sort_buffers *b, output outputs[CLP_SORT_OUTPUTS]) {
    const clp_sort_spec *spec = &plan->spec;
    size_t count = 0;
    if (!spec->no_elements) {
        outputs[count++] = (output){arrays->keys_out, &b->keys_out, n * spec->element_bytes};
    }
    for (size_t k = 0; k < spec->payloads; k++) {
        outputs[count++] =
            (output){arrays->payload_out[k], &b->payload_out[k], n * spec->value_bytes[k]};
    }
    if (clp_sort_has_indices(spec)) {
        const size_t bytes = clprims_type_bytes(spec->indices);
        outputs[count++] = (output){arrays->indices, &b->indices, n * bytes};
    }
    return count;
}

static clprims_status upload(const clprims_segmented_sort *plan, const void *host, size_t bytes,
                             clprims_buffer *buffer) {
    if (bytes == 0) return CLPRIMS_OK;
    return clp_upload(plan->context, "segmented_sort", host, bytes, &buffer->mem);
}

static clprims_status run_on(clprims_segmented_sort *plan,
                             const clprims_segmented_sort_arrays *arrays, size_t n, size_t segments,
                             clprims_segmented_sort_buffers *b) {
    const clprims_context *context = plan->context;
    const clp_sort_spec *spec = &plan->spec;
    clprims_segmented_sort_report report;
    output outputs[CLP_SORT_OUTPUTS];
    const size_t outs = list_outputs(plan, arrays, n, b, outputs);
    CLP_TRY(upload(plan, arrays->offsets, (segments + 1) * clprims_type_bytes(plan->offsets),
                   &b->offsets));
    CLP_TRY(upload(plan, arrays->keys_in, n * spec->element_bytes, &b->keys_in));
    for (size_t k = 0; k < spec->payloads; k++) {
        CLP_TRY(upload(plan, arrays->payload_in[k], n * spec->value_bytes[k], &b->payload_in[k]));
    }
    for (size_t o = 0; o < outs; o++) {
        CLP_TRY(upload(plan, outputs[o].host, outputs[o].bytes, outputs[o].buffer));
    }
    CLP_TRY(clp_upload(context, "segmented_sort", NULL, sizeof report, &b->report.mem));
    clp_segments_run run = {.queue = context->queue, .buffers = *b, .n = n, .segments = segments};
    CLP_TRY(clp_segments_enqueue(plan, &run));
    CLP_TRY(clp_download(context, "segmented_sort", b->report.mem, &report, sizeof report));
    CLP_TRY(clprims_segmented_sort_check(&report));
    for (size_t o = 0; o < outs; o++) {
        if (outputs[o].bytes == 0) continue;
        CLP_TRY(clp_download(context, "segmented_sort", outputs[o].buffer->mem, outputs[o].host,
                             outputs[o].bytes));
    }
    return CLPRIMS_OK;
}

static const clp_layout arrays_layout =
    CLP_LAYOUT(clprims_segmented_sort_arrays, indices, "CLPRIMS_SEGMENTED_SORT_ARRAYS_INIT");

clprims_status clprims_segmented_sort_run(clprims_segmented_sort *plan,
                                          const clprims_segmented_sort_arrays *arrays, size_t n,
                                          size_t segments) {
    clprims_segmented_sort_buffers b = CLPRIMS_SEGMENTED_SORT_BUFFERS_INIT;
    clprims_segmented_sort_arrays full = CLPRIMS_SEGMENTED_SORT_ARRAYS_INIT;
    clp_clear_error();
    if (plan == NULL || arrays == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "segmented_sort: %s is NULL",
                        plan == NULL ? "plan" : "arrays");
    }
    CLP_TRY(clp_struct_take("segmented_sort", "arrays", &arrays_layout, arrays, &full));
    CLP_TRY(clp_segments_check_sizes("segmented_sort", plan, n, segments));
    CLP_TRY(check_arrays(plan, &full, n, segments));
    const clprims_status status = run_on(plan, &full, n, segments, &b);
    const cl_mem mems[] = {b.offsets.mem, b.keys_in.mem, b.keys_out.mem, b.indices.mem,
                           b.report.mem};
    clp_release_buffers(mems, sizeof mems / sizeof mems[0]);
    for (size_t k = 0; k < CLPRIMS_SORT_PAYLOADS; k++) {
        const cl_mem payload[] = {b.payload_in[k].mem, b.payload_out[k].mem};
        clp_release_buffers(payload, 2);
    }
    return status;
}
