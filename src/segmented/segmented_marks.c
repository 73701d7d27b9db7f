/* SPDX-License-Identifier: MIT */
/* The variant "lookahead" by offsets: the two launches before the pass, which make bits of the
 * offsets (cl/segmented/segmented_marks.cl). */
#include "cl_sources.h"
#include "segmented/segmented_plan.h"

enum { GROUP = 256, GROUPS = 8 }; /* work-items; groups for each compute unit, at most */
enum { CLEARED = 4, MARKED = 8 }; /* words, offsets of a work-item */

void clp_segmented_add_marks(clp_text *text, const clp_segmented_spec *spec) {
    clp_text_add(text, "#define CLP_MARKED %d\n", clp_segmented_by_offsets(spec));
    if (!clp_segmented_by_offsets(spec)) return;
    clp_text_add(text, "#define CLP_OFFSET %s\n", clp_offset_text(spec->heads_type));
}

static const clp_part parts[] = {&clp_segmented_report_cl, &clp_count_cl, &clp_segmented_offsets_cl,
                                 &clp_segmented_marks_cl, NULL};

static clprims_status build(clprims_segmented *plan, cl_program *program) {
    clp_text prelude = {0};
    clp_segmented_add_marks(&prelude, &plan->spec);
    clp_segmented_add_report(&prelude);
    clp_text_add(&prelude, "#define CLP_GROUP %d\n#define CLP_EXTRA 0\n", GROUP);
    return clp_plan_build(&plan->head, &prelude, parts, 0, program);
}

/* Returns the number of words of the bits: whole chunks of 16 bytes. */
static size_t words_of(size_t n) {
    return (n / 32 + 2 + 3) / 4 * 4;
}

clprims_status clp_segmented_prepare_marks(clprims_segmented *plan) {
    const size_t bytes = words_of(plan->spec.max_n) * sizeof(cl_uint);
    cl_program program;
    CLP_TRY(build(plan, &program));
    CLP_TRY(clp_plan_kernel(&plan->head, program, "clp_segmented_clear", &plan->clear));
    CLP_TRY(clp_plan_kernel(&plan->head, program, "clp_segmented_mark", &plan->mark));
    CLP_TRY(clp_plan_scratch(&plan->head, bytes, false, &plan->bits));
    return clp_plan_scratch(&plan->head, sizeof(cl_uint), true, &plan->fault);
}

static clprims_status set_arguments(const clprims_segmented *plan, cl_kernel kernel,
                                    const clp_segmented_run *run) {
    clp_arguments a = {.count = 0};
    clp_put_array(&a, plan->head.context, run->buffers.heads);
    CLP_PUT(&a, run->n, run->segments, plan->bits, plan->fault, run->buffers.n,
            run->buffers.segments);
    return clp_arguments_set(&a, &plan->head, kernel);
}

static size_t groups_of(const clprims_segmented *plan, size_t count, size_t each) {
    const size_t most = GROUPS * plan->head.context->device.info.compute_units;
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
