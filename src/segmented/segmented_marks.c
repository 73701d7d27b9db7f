/* SPDX-License-Identifier: MIT */
/* The variant "lookahead" by offsets: the two launches before the pass, which make bits of the
 * offsets (cl/segmented/segmented_marks.cl). */
#include "core/program.h"
#include "core/type.h"
#include "segmented/segmented_plan.h"

enum { GROUP = 256, GROUPS = 8 }; /* work-items; groups for each compute unit, at most */
enum { CLEARED = 4, MARKED = 8 }; /* words, offsets of a work-item */

void clp_segmented_add_marks(clp_text *text, const clp_segmented_spec *spec) {
    clp_text_add(text, "#define CLP_MARKED %d\n", clp_segmented_by_offsets(spec));
    if (!clp_segmented_by_offsets(spec)) return;
    clp_text_add(text, "#define CLP_OFFSET %s\n", clp_type_text(spec->heads_type));
}

static const char *const parts[] = {"segmented/segmented_report.cl", "engine/count.cl",
                                    "segmented/segmented_offsets.cl",
                                    "segmented/segmented_marks.cl", NULL};

static clprims_status build(clprims_segmented *plan) {
    clp_text prelude = {0};
    clp_segmented_add_marks(&prelude, &plan->spec);
    clp_segmented_add_report(&prelude);
    clp_text_add(&prelude, "#define CLP_GROUP %d\n#define CLP_EXTRA 0\n", GROUP);
    const clprims_status status =
        clp_program_build(plan->context, "segmented", &prelude, parts, &plan->program);
    clp_text_free(&prelude);
    return status;
}

/* Returns the number of words of the bits: whole chunks of 16 bytes. */
static size_t words_of(size_t n) {
    return (n / 32 + 2 + 3) / 4 * 4;
}

clprims_status clp_segmented_prepare_marks(clprims_segmented *plan) {
    const size_t bytes = words_of(plan->spec.max_n) * sizeof(cl_uint);
    CLP_TRY(build(plan));
    CLP_TRY(clp_kernel_create(plan->program, "segmented", "clp_segmented_clear", &plan->clear));
    CLP_TRY(clp_kernel_create(plan->program, "segmented", "clp_segmented_mark", &plan->mark));
    CLP_TRY(clp_scratch_create(plan->context, "segmented", bytes, false, &plan->bits));
    plan->scratch_bytes += bytes + sizeof(cl_uint);
    return clp_scratch_create(plan->context, "segmented", sizeof(cl_uint), true, &plan->fault);
}

static clprims_status set_arguments(const clprims_segmented *plan, cl_kernel kernel,
                                    const clp_segmented_run *run) {
    const cl_ulong first = run->buffers.heads.first, n = run->n, segments = run->segments,
                   counted_first = run->counted.first,
                   counted_segments_first = run->counted_segments.first;
    const clp_argument arguments[] = {CLP_ARGUMENT(run->buffers.heads.mem),
                                      CLP_ARGUMENT(first),
                                      CLP_ARGUMENT(n),
                                      CLP_ARGUMENT(segments),
                                      CLP_ARGUMENT(plan->bits),
                                      CLP_ARGUMENT(plan->fault),
                                      CLP_ARGUMENT(run->counted.mem),
                                      CLP_ARGUMENT(counted_first),
                                      CLP_ARGUMENT(run->counted_segments.mem),
                                      CLP_ARGUMENT(counted_segments_first)};
    return clp_kernel_arguments(kernel, "segmented", arguments,
                                sizeof arguments / sizeof arguments[0]);
}

static size_t groups_of(const clprims_segmented *plan, size_t count, size_t each) {
    const size_t most = GROUPS * plan->context->device.info.compute_units;
    const size_t groups = (count + GROUP * each - 1) / (GROUP * each);
    return groups < most ? groups : most;
}

clprims_status clp_segmented_list_marks(const clprims_segmented *plan, const clp_segmented_run *run,
                                        clp_step steps[2]) {
    CLP_TRY(set_arguments(plan, plan->clear, run));
    CLP_TRY(set_arguments(plan, plan->mark, run));
    steps[0] = (clp_step){plan->clear, groups_of(plan, words_of(run->n), CLEARED), GROUP};
    steps[1] = (clp_step){plan->mark, groups_of(plan, run->segments + 1, MARKED), GROUP};
    return CLPRIMS_OK;
}
