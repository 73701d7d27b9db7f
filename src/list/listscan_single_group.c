/* SPDX-License-Identifier: MIT */
/* Short runs of list scan: one launch of a single work-group, cl/list/listscan_single_group.cl. */
#include "list/listscan_engine.h"

#include <clprims/list.h>

/* ---- Program ---- */

void clp_listscan_add_single_group(const clp_listscan *plan, clp_text *prelude) {
    const size_t group = plan->knobs[CLP_LISTSCAN_SINGLE_GROUP];
    if (plan->knobs[CLP_LISTSCAN_SINGLE] == 0) return;
    clp_text_add(prelude, "#define CLP_SINGLE %zu\n#define CLP_SINGLE_GROUP %zu\n",
                 plan->knobs[CLP_LISTSCAN_SINGLE], group);
    clp_text_add(prelude, "#define CLP_EACH_SINGLE_ROUND(step)");
    for (unsigned round = 0; ((size_t)1 << round) < group; round++)
        clp_text_add(prelude, " step(%u)", round);
    clp_text_add(prelude, "\n");
}

bool clp_listscan_is_short(const clp_listscan *plan, size_t n) {
    return n > 0 && n <= plan->knobs[CLP_LISTSCAN_SINGLE];
}

/* ---- Submission ---- */

enum { MOST_ARGUMENTS = 24 };

typedef struct argument_list {
    clp_argument of[MOST_ARGUMENTS];
    cl_uint count;
} argument_list;

static void add(argument_list *list, size_t bytes, const void *value) {
    list->of[list->count++] = (clp_argument){bytes, value};
}

#define ADD(list, lvalue) add(list, sizeof(lvalue), &(lvalue))

/* Each lane but the last walks one sublist; the last one walks from the head. */
static clp_listscan_level level_of(const clp_listscan *plan, size_t n) {
    clp_listscan_layout layout;
    clp_listscan_lay_out(plan, n, &layout);
    clp_listscan_level level = layout.levels[0];
    const size_t lanes = plan->knobs[CLP_LISTSCAN_SINGLE_GROUP] - 1;
    const size_t ids = (level.mask + 1) / plan->knobs[CLP_LISTSCAN_SINGLE_SUBLIST];
    level.ids = ids > lanes ? lanes : ids;
    if (level.ids < 1) level.ids = 1;
    return level;
}

/* Sets the arguments of the kernel for this level 0. */
static clprims_status set_arguments(clp_listscan *plan, const clp_listscan_run *run,
                                    const clp_listscan_level *level) {
    const cl_ulong links_at = run->next.first, values_at = run->values.first;
    const cl_ulong out_at = run->out.first, heads_at = run->out_heads.first;
    const cl_ulong given_at = run->given.first, num_given = run->num_given;
    const cl_ulong report_at = run->report.first;
    const cl_uint wanted = run->report.mem != NULL, has_given = run->given.mem != NULL;
    const cl_uint has_out = run->out.mem != NULL, has_heads = run->out_heads.mem != NULL;
    argument_list list = {.count = 0};
    ADD(&list, run->next.mem);
    ADD(&list, links_at);
    ADD(&list, run->values.mem);
    ADD(&list, values_at);
    ADD(&list, plan->records);
    ADD(&list, plan->visits);
    ADD(&list, plan->bits);
    ADD(&list, plan->state);
    ADD(&list, *level);
    ADD(&list, run->head);
    add(&list, plan->spec.what.working_bytes, plan->start);
    ADD(&list, run->report.mem);
    ADD(&list, report_at);
    ADD(&list, wanted);
    ADD(&list, run->out.mem);
    ADD(&list, out_at);
    if (plan->spec.forest) {
        ADD(&list, has_out);
        ADD(&list, run->out_heads.mem);
        ADD(&list, heads_at);
        ADD(&list, has_heads);
        ADD(&list, run->given.mem);
        ADD(&list, given_at);
        ADD(&list, num_given);
        ADD(&list, has_given);
    }
    return clp_kernel_arguments(plan->single_group, plan->spec.who, list.of, list.count);
}

clprims_status clp_listscan_submit_single_group(clp_listscan *plan, const clp_listscan_run *run,
                                                cl_command_queue queue, cl_uint num_wait,
                                                const cl_event *wait, cl_event *event) {
    const clp_listscan_level level = level_of(plan, run->n);
    const clp_step step = {plan->single_group, 1, plan->knobs[CLP_LISTSCAN_SINGLE_GROUP]};
    CLP_TRY(set_arguments(plan, run, &level));
    return clp_steps_enqueue(queue, plan->spec.who, &step, 1, num_wait, wait, event);
}

clprims_status clp_listscan_warm_up_single_group(clp_listscan *plan, const clp_listscan_run *run,
                                                 clp_step *step) {
    const clp_listscan_level level = {.count = 0};
    *step = (clp_step){plan->single_group, 1, plan->knobs[CLP_LISTSCAN_SINGLE_GROUP]};
    return set_arguments(plan, run, &level);
}
