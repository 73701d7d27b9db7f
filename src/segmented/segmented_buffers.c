/* SPDX-License-Identifier: MIT */
/* Checks a run's sizes and buffers: which buffers it needs, and which of them may overlap. */
#include "core/check.h"
#include "segmented/segmented_plan.h"

size_t clp_segmented_heads(const clp_segmented_spec *spec, size_t n, size_t segments) {
    if (clp_segmented_by_offsets(spec)) return segments + 1;
    return spec->by == CLPRIMS_SEGMENTS_BITS ? (n + 7) / 8 : n;
}

size_t clp_segmented_outputs(const clp_segmented_spec *spec, size_t n, size_t segments) {
    return spec->reduces ? segments : n;
}

clprims_status clp_segmented_check_sizes(const char *who, const clp_segmented_spec *spec, size_t n,
                                         size_t segments) {
    CLP_TRY(clp_check_n(who, n, spec->max_n));
    if (!clp_segmented_by_offsets(spec) || segments <= spec->max_segments) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE, "%s: segments = %zu exceeds max_segments = %zu", who,
                    segments, spec->max_segments);
}

enum { MOST_INPUTS = 4, MOST_OUTPUTS = 4 };

static clp_array heads_of(const clp_segmented_spec *spec, clprims_buffer heads, size_t n,
                          size_t segments) {
    if (spec->by != CLPRIMS_SEGMENTS_BITS) {
        return (clp_array){"heads", heads, clp_segmented_heads(spec, n, segments),
                           spec->heads_bytes};
    }
    const clprims_buffer bytes = {heads.mem, heads.first / 8};
    return (clp_array){"heads", bytes, (heads.first % 8 + n + 7) / 8, 1};
}

/* The elements come first. */
static size_t list_inputs(const clp_segmented_spec *spec, const clp_segmented_run *run,
                          clp_array *inputs) {
    const clprims_segmented_buffers *b = &run->buffers;
    const size_t n = run->n;
    size_t count = 0;
    if (n > 0 && spec->what.has_input_array) {
        inputs[count++] = (clp_array){"in", b->in, n, spec->what.type_bytes};
    }
    if (n > 0 || clp_segmented_by_offsets(spec)) {
        inputs[count++] = heads_of(spec, b->heads, n, run->segments);
    }
    if (run->counted.mem != NULL) {
        inputs[count++] = (clp_array){"n", run->counted, 1, sizeof(cl_ulong)};
    }
    if (run->counted_segments.mem != NULL) {
        inputs[count++] = (clp_array){"segments", run->counted_segments, 1, sizeof(cl_ulong)};
    }
    return count;
}

/* The values come first. */
static size_t list_outputs(const clp_segmented_spec *spec, const clp_segmented_run *run,
                           clp_array *outputs) {
    const clprims_segmented_buffers *b = &run->buffers;
    const size_t segments = run->segments, values = clp_segmented_outputs(spec, run->n, segments);
    size_t count = 0;
    if (values > 0) outputs[count++] = (clp_array){"out", b->out, values, spec->result_bytes};
    if (spec->unique_keys && segments > 0) {
        outputs[count++] = (clp_array){"keys", b->keys, segments, spec->heads_bytes};
    }
    if (clp_segmented_counts(spec)) {
        outputs[count++] = (clp_array){"count", b->count, 1, sizeof(cl_ulong)};
    }
    if (b->report.mem != NULL) {
        outputs[count++] = (clp_array){"report", b->report, 1, sizeof(clprims_segmented_report)};
    }
    return count;
}

/* A scan's output may be its input. */
static clprims_status check_pair(const clp_segmented_spec *spec, const clp_array *in,
                                 const clp_array *out, bool own) {
    bool in_place = false;
    if (own && !spec->reduces) {
        CLP_TRY(clp_arrays_begin_alike("segmented", in, out, &in_place));
    }
    return in_place ? CLPRIMS_OK : clp_arrays_apart("segmented", in, out);
}

clprims_status clp_segmented_check_buffers(const clprims_segmented *plan,
                                           const clp_segmented_run *run) {
    const clprims_context *context = plan->context;
    const clp_segmented_spec *spec = &plan->spec;
    clp_array inputs[MOST_INPUTS], outputs[MOST_OUTPUTS];
    const size_t ins = list_inputs(spec, run, inputs), outs = list_outputs(spec, run, outputs);
    const bool has_values = clp_segmented_outputs(spec, run->n, run->segments) > 0;
    const bool has_elements = run->n > 0 && spec->what.has_input_array;
    if (!spec->what.has_input_array && run->buffers.in.mem != NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "segmented: in.mem is not NULL, but the plan has no input array");
    }
    for (size_t i = 0; i < ins; i++) CLP_TRY(clp_array_check(context, "segmented", &inputs[i]));
    for (size_t o = 0; o < outs; o++) {
        CLP_TRY(clp_array_check(context, "segmented", &outputs[o]));
        for (size_t i = 0; i < ins; i++) {
            const bool own = o == 0 && has_values && i == 0 && has_elements;
            CLP_TRY(check_pair(spec, &inputs[i], &outputs[o], own));
        }
        for (size_t p = 0; p < o; p++) {
            CLP_TRY(clp_arrays_apart("segmented", &outputs[p], &outputs[o]));
        }
    }
    return CLPRIMS_OK;
}
