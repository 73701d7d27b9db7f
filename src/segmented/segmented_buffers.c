/* SPDX-License-Identifier: MIT */
/* Checks a run's sizes and buffers: which buffers it needs, and which of them may overlap. */
#include "core/check.h"
#include "segmented/segmented_plan.h"

size_t clp_segmented_outputs(const clp_segmented_spec *spec, size_t n, size_t segments) {
    return spec->reduces ? segments : n;
}

size_t clp_segmented_segments(const clp_segmented_spec *spec, clprims_segmented_sizes sizes,
                              size_t n) {
    if (spec->by == CLPRIMS_SEGMENTS_OFFSETS) return sizes.segments;
    if (spec->by != CLPRIMS_SEGMENTS_EQUAL) return sizes.capacity > 0 ? sizes.capacity : n;
    return clp_rows(n, sizes.length);
}

clprims_status clp_segmented_check_sizes(const char *who, const clp_segmented_spec *spec, size_t n,
                                         clprims_segmented_sizes sizes) {
    const size_t capacity = sizes.capacity;
    CLP_TRY(clp_check_n(who, n, spec->max_n));
    CLP_TRY(clp_check_segment_sizes(who, spec->by, sizes.segments, sizes.length));
    CLP_FAIL_IF(!clp_segmented_counts(spec) && capacity > 0, CLPRIMS_ERR_ARGUMENT,
                "%s: sizes.capacity = %zu; only a reduction by keys or flags needs it", who,
                capacity);
    if (!clp_segmented_by_offsets(spec)) return CLPRIMS_OK;
    return clp_check_within(who, "segments", clp_segmented_segments(spec, sizes, n), "max_segments",
                            spec->max_segments);
}

/* By offsets a scan leaves elements outside of all segments as they are, so that a run on plain
 * arrays copies its output in, too. */
size_t clp_segmented_list_arrays(const clp_plan *plan, clp_call *call, clp_run_array *rows) {
    const clp_segmented_spec *spec = &((const clprims_segmented *)plan)->spec;
    clp_segmented_run *run = (clp_segmented_run *)call;
    clprims_segmented_buffers *b = &run->buffers;
    const clprims_segmented_arrays *plain = &run->arrays;
    const size_t n = run->n, segments = run->segments;
    const bool has_offsets = spec->by == CLPRIMS_SEGMENTS_OFFSETS;
    const bool are_bits = spec->by == CLPRIMS_SEGMENTS_BITS;
    rows[CLP_SEGMENTED_IN] = clp_read_row("in", &b->in, plain->in, n, spec->what.type_bytes);
    rows[CLP_SEGMENTED_IN].lacks = spec->what.has_input_array ? NULL : "has no input array";
    rows[CLP_SEGMENTED_HEADS] =
        clp_read_row("heads", &b->heads, plain->heads, has_offsets ? segments + 1 : n,
                     are_bits ? 0 : spec->heads_bytes);
    if (spec->by == CLPRIMS_SEGMENTS_EQUAL) {
        rows[CLP_SEGMENTED_HEADS].n = 0;
        rows[CLP_SEGMENTED_HEADS].lacks = "has segments of one length";
    }
    if (are_bits) rows[CLP_SEGMENTED_HEADS].roles |= CLP_BITS;
    rows[CLP_SEGMENTED_OUT] = clp_written_row(
        "out", &b->out, plain->out, clp_segmented_outputs(spec, n, segments), spec->what.out_bytes);
    if (!spec->reduces) rows[CLP_SEGMENTED_OUT].place = CLP_SEGMENTED_IN + 1;
    if (!spec->reduces && has_offsets) rows[CLP_SEGMENTED_OUT].roles |= CLP_READ;
    rows[CLP_SEGMENTED_KEYS] = clp_written_row("keys", &b->keys, plain->keys, segments,
                                               spec->unique_keys ? spec->heads_bytes : 0);
    rows[CLP_SEGMENTED_COUNT] = clp_written_row(
        "count", &b->count, NULL, clp_segmented_counts(spec) ? 1 : 0, sizeof(cl_ulong));
    if (run->is_plain) rows[CLP_SEGMENTED_COUNT].roles |= CLP_OPTIONAL;
    rows[CLP_SEGMENTED_COUNTED] = clp_count_row("n", &b->n);
    rows[CLP_SEGMENTED_COUNTED_SEGMENTS] = clp_count_row("segments", &b->segments);
    if (!has_offsets) rows[CLP_SEGMENTED_COUNTED_SEGMENTS].lacks = "has no offsets";
    rows[CLP_SEGMENTED_REPORT] = clp_report_row(&b->report, sizeof(clprims_segmented_report));
    return CLP_SEGMENTED_ROWS;
}
