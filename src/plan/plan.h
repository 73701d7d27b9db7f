/* SPDX-License-Identifier: MIT */
/*
 * What every plan shares. A plan's structure begins with a clp_plan, a run's with a clp_call; a
 * clp_plan_kind says what is the primitive's own. From that come create, destroy, set_parameter,
 * the checks of a run, and the run on plain arrays.
 *
 *   plan.h, plan.c                what a plan is made of and owns: create, destroy
 *   operation.h, operation.c      what is combined and how: element type, operator, input text
 *   plan_runs.c                   enqueue and run
 *   plan_order.c                  one run after another, whatever their queues
 *   plan_arrays.h, plan_arrays.c  the arrays of a run: checks, overlap, copies of plain arrays
 *   plan_arguments.h, .c          a kernel's arguments
 *   parameters.h, parameters.c    parameters of the caller's texts
 *
 * A call:  clprims_X_enqueue (CLP_PLAN_ENQUEUE) -> clp_plan_enqueue -> kind->check_sizes,
 *          list_arrays, clp_arrays_check -> kind->submit, which sets arguments and lists launches
 *          -> clp_plan_enqueue_steps -> clp_steps_enqueue (core/launch.c), which submits them;
 *          the caller's event is that of the last launch.
 */
#ifndef CLP_PLAN_H
#define CLP_PLAN_H

#include "core/check.h"
#include "core/context.h"
#include "core/program.h"
#include "plan/parameters.h"
#include "plan/plan_arrays.h"

#include <string.h>

/* The first member of every run's structure. */
typedef struct clp_call {
    cl_command_queue queue;
    cl_uint num_wait;
    const cl_event *wait;
    cl_event *event;
    clp_run_array *rows; /* as list_arrays wrote them, for the hooks behind the checks */
} clp_call;

typedef struct clp_plan clp_plan;

/* What is a primitive's own. plan, run: the first members of its structures. */
typedef struct clp_plan_kind {
    const char *name; /* "merge", for messages */
    size_t bytes; /* of the plan's structure */
    size_t desc_bytes, buffers_bytes, arrays_bytes; /* of the caller's structures */
    size_t report_bytes; /* of the plan's own report, for runs without one; 0: there is none */
    bool runs_share_nothing; /* a run does not wait for the plan's last run */
    /* Checks the description, builds the programs, allocates scratch, launches each kernel once. */
    clprims_status (*fill)(clp_plan *plan, const void *desc);
    /* Gives back what the plan does not own by clp_plan_scratch and the like; NULL: nothing. */
    void (*release)(clp_plan *plan);
    /* Refuses sizes beyond the plan's. */
    clprims_status (*check_sizes)(const clp_plan *plan, const clp_call *run);
    /* Writes a row for each array, at most CLP_MOST_ARRAYS, and returns the number of rows, which
     * depends on the primitive alone. */
    size_t (*list_arrays)(const clp_plan *plan, clp_call *run, clp_run_array *rows);
    /* Enqueues the kernels of a run that was checked. */
    clprims_status (*submit)(clp_plan *plan, clp_call *run);
    /* Of a run on plain arrays, after submit. report: a copy of the plan's own. Fails if it is a
     * fault, and sets n of outputs whose length the device found; NULL: there is none. */
    clprims_status (*finish)(const clp_plan *plan, clp_call *run, const void *report);
} clp_plan_kind;

/* The first members of the kind of clprims_X. */
#define CLP_PLAN_KIND(x)                                                                           \
    .name = #x, .bytes = sizeof(clprims_##x), .desc_bytes = sizeof(clprims_##x##_desc),            \
    .buffers_bytes = sizeof(clprims_##x##_buffers), .arrays_bytes = sizeof(clprims_##x##_arrays)

/* The same of a primitive with a report. */
#define CLP_PLAN_KIND_REPORTING(x) CLP_PLAN_KIND(x), .report_bytes = sizeof(clprims_##x##_report)
/* The hooks of a primitive that has a function of its own for each. */
#define CLP_PLAN_HOOKS(fills, checks, lists, submits)                                              \
    .fill = fills, .check_sizes = checks, .list_arrays = lists, .submit = submits

/* Define calls of clprims_X. They are macros, as each primitive has types of its own. */
#define CLP_PLAN_CREATE(x, kind)                                                                   \
    clprims_status clprims_##x##_create_sized(clprims_##x **out, clprims_context *context,         \
                                              const clprims_##x##_desc *desc, size_t desc_bytes) { \
        clprims_##x##_desc full;                                                                   \
        return clp_plan_create(out, context, &(kind), desc, desc_bytes, &full);                    \
    }                                                                                              \
    void clprims_##x##_destroy(clprims_##x *plan) {                                                \
        clp_plan_destroy(plan);                                                                    \
    }
#define CLP_PLAN_SET_PARAMETER(x)                                                                  \
    clprims_status clprims_##x##_set_parameter(clprims_##x *plan, size_t k, size_t bytes,          \
                                               const void *value) {                                \
        return clp_plan_set_parameter(plan, #x, k, bytes, value);                                  \
    }
/* describe(plan, who, n, info) checks n and sets what is the primitive's own. No bytes of the stack
 * reach the caller between the members. */
#define CLP_PLAN_DESCRIBE_BEGIN(x)                                                                 \
    static const char who[] = #x "_describe";                                                      \
    clprims_##x##_info full;                                                                       \
    CLP_TRY(clp_begin(who, "plan", plan));                                                         \
    memset(&full, 0, sizeof full);                                                                 \
    full.scratch_bytes = ((const clp_plan *)plan)->scratch_bytes;                                  \
    full.programs = clp_plan_programs((const clp_plan *)plan);
#define CLP_PLAN_DESCRIBE(x, describe)                                                             \
    clprims_status clprims_##x##_describe_sized(const clprims_##x *plan, size_t n,                 \
                                                clprims_##x##_info *info, size_t info_bytes) {     \
        CLP_PLAN_DESCRIBE_BEGIN(x)                                                                 \
        CLP_TRY(describe(plan, who, n, &full));                                                    \
        return clp_give(who, "info", &full, sizeof full, info, info_bytes);                        \
    }
/* The same of a call with sizes: describe(plan, who, n, sizes, info). */
#define CLP_PLAN_DESCRIBE_SIZED(x, describe)                                                       \
    clprims_status clprims_##x##_describe_sized(const clprims_##x *plan, size_t n,                 \
                                                clprims_##x##_sizes sizes,                         \
                                                clprims_##x##_info *info, size_t info_bytes) {     \
        CLP_PLAN_DESCRIBE_BEGIN(x)                                                                 \
        CLP_TRY(describe(plan, who, n, sizes, &full));                                             \
        return clp_give(who, "info", &full, sizeof full, info, info_bytes);                        \
    }

/* run_type: of a run, in which the caller's buffers follow the clp_call. */
#define CLP_PLAN_ENQUEUE(x, kind, run_type)                                                        \
    clprims_status clprims_##x##_enqueue_sized(                                                    \
        clprims_##x *plan, cl_command_queue queue, const clprims_##x##_buffers *buffers,           \
        size_t buffers_bytes, size_t n, cl_uint num_wait, const cl_event *wait, cl_event *event) { \
        run_type run = {.call = {queue, num_wait, wait, event, NULL}, .n = n};                     \
        CLP_TRY(clp_plan_take_buffers(plan, &(kind), buffers, buffers_bytes, &run.buffers));       \
        return clp_plan_enqueue((clp_plan *)plan, &run.call);                                      \
    }

/* The same for a run that is not just the caller's buffers: run_of(plan, buffers, n) returns it. */
#define CLP_PLAN_ENQUEUE_AS(x, kind, run_type, run_of)                                             \
    clprims_status clprims_##x##_enqueue_sized(                                                    \
        clprims_##x *plan, cl_command_queue queue, const clprims_##x##_buffers *buffers,           \
        size_t buffers_bytes, size_t n, cl_uint num_wait, const cl_event *wait, cl_event *event) { \
        clprims_##x##_buffers full;                                                                \
        CLP_TRY(clp_plan_take_buffers(plan, &(kind), buffers, buffers_bytes, &full));              \
        run_type run = run_of(plan, &full, n);                                                     \
        run.call = (clp_call){queue, num_wait, wait, event, NULL};                                 \
        return clp_plan_enqueue((clp_plan *)plan, &run.call);                                      \
    }

/* The run on plain arrays: the caller's structure is the run's `arrays`. */
#define CLP_PLAN_RUN(x, kind, run_type)                                                            \
    clprims_status clprims_##x##_run_sized(clprims_##x *plan, const clprims_##x##_arrays *arrays,  \
                                           size_t arrays_bytes, size_t n) {                        \
        run_type run = {.n = n};                                                                   \
        CLP_TRY(clp_plan_take_arrays(plan, &(kind), arrays, arrays_bytes, &run.arrays));           \
        return clp_plan_run((clp_plan *)plan, &run.call);                                          \
    }
/* The same for a run that has sizes. */
#define CLP_PLAN_RUN_SIZED(x, kind, run_type)                                                      \
    clprims_status clprims_##x##_run_sized(clprims_##x *plan, const clprims_##x##_arrays *arrays,  \
                                           size_t arrays_bytes, size_t n) {                        \
        run_type run = {.n = n};                                                                   \
        CLP_TRY(clp_plan_take_arrays(plan, &(kind), arrays, arrays_bytes, &run.arrays));           \
        run.buffers.sizes = run.arrays.sizes;                                                      \
        return clp_plan_run((clp_plan *)plan, &run.call);                                          \
    }
/* The same for a run that has more: run_of(plan, arrays, n) returns it. */
#define CLP_PLAN_RUN_AS(x, kind, run_type, run_of)                                                 \
    clprims_status clprims_##x##_run_sized(clprims_##x *plan, const clprims_##x##_arrays *arrays,  \
                                           size_t arrays_bytes, size_t n) {                        \
        clprims_##x##_arrays full;                                                                 \
        CLP_TRY(clp_plan_take_arrays(plan, &(kind), arrays, arrays_bytes, &full));                 \
        run_type run = run_of(plan, &full, n);                                                     \
        return clp_plan_run((clp_plan *)plan, &run.call);                                          \
    }

/* Defines X_check_sizes, of a run of n elements alone. most: the plan's member. */
#define CLP_PLAN_CHECK_N(x, run_type, most)                                                        \
    static clprims_status x##_check_sizes(const clp_plan *plan, const clp_call *run) {             \
        return clp_check_n(#x, ((const run_type *)run)->n, ((const clprims_##x *)plan)->most);     \
    }

/* Defines X_finish, of a run of which the report says all. */
#define CLP_PLAN_FINISH(x)                                                                         \
    static clprims_status x##_finish(const clp_plan *plan, clp_call *run, const void *report) {    \
        (void)plan, (void)run;                                                                     \
        return clprims_##x##_check(report);                                                        \
    }

enum { CLP_MOST_REPORT_BYTES = 64 };
enum { CLP_PLAN_BUFFERS = 32, CLP_PLAN_KERNELS = 256, CLP_PLAN_PROGRAMS = 4 };

/* The first member of every plan's structure. */
struct clp_plan {
    const clp_plan_kind *kind;
    clprims_context *context;
    clp_plan *newer, *older; /* in the list of the context's plans */
    clp_parameters parameters; /* of the caller's texts */
    const char *reason; /* why the algorithm was chosen, or NULL */
    size_t scratch_bytes;
    unsigned origins; /* 1 << clp_origin each, of its programs and those of plans within it */
    cl_mem report; /* of runs without one */
    cl_command_queue last_queue; /* of the last run, or NULL */
    bool holds_queue; /* it is retained */
    cl_event last_run; /* if that queue is out of order, else NULL */
    size_t buffer_count, kernel_count, program_count;
    cl_mem buffers[CLP_PLAN_BUFFERS]; /* what destroy gives back */
    cl_kernel kernels[CLP_PLAN_KERNELS];
    cl_program programs[CLP_PLAN_PROGRAMS];
};

/* ---- plan.c ---- */

/* clprims_X_create_sized. out: the address of the caller's pointer. full: room for the whole
 * description, and what the primitive has behind that. */
clprims_status clp_plan_create(void *out, clprims_context *context, const clp_plan_kind *kind,
                               const void *desc, size_t desc_bytes, void *full);

/* clprims_X_destroy; NULL is no plan. */
void clp_plan_destroy(void *plan);

/* What clprims_X_describe says of the plan's programs. */
const char *clp_plan_programs(const clp_plan *plan);

/* Device memory that the plan owns. The contents are undefined unless zeroed. */
clprims_status clp_plan_scratch(clp_plan *plan, size_t bytes, bool zeroed, cl_mem *out);

/* Device memory that the plan owns, with a copy of `bytes` bytes of the host. */
clprims_status clp_plan_upload(clp_plan *plan, const void *host, size_t bytes, cl_mem *out);

/* Builds a program that the plan owns, as clp_program_build_limited does; frees the prelude.
 * registers: 0 for as many as the compiler takes. */
clprims_status clp_plan_build(clp_plan *plan, clp_text *prelude, const clp_part *parts,
                              size_t registers, cl_program *out);

/* A kernel that the plan owns. */
clprims_status clp_plan_kernel(clp_plan *plan, cl_program program, const char *name,
                               cl_kernel *out);

/* Checks the texts of a description and reads desc.parameters. */
clprims_status clp_plan_read_texts(clp_plan *plan, const clp_user_text *texts,
                                   const clprims_custom *custom, const char *parameters);

/* clprims_X_set_parameter. */
clprims_status clp_plan_set_parameter(void *plan, const char *who, size_t k, size_t bytes,
                                      const void *value);

/* ---- plan_runs.c ---- */

/* The first step of clprims_X_enqueue and clprims_X_run: refuses a plan that is NULL, and copies
 * the caller's structure of the kind into *full. */
clprims_status clp_plan_take_buffers(const void *plan, const clp_plan_kind *kind,
                                     const void *buffers, size_t bytes, void *full);
clprims_status clp_plan_take_arrays(const void *plan, const clp_plan_kind *kind, const void *arrays,
                                    size_t bytes, void *full);

/* The last step of clprims_X_enqueue: checks and submits the run, whose sizes and buffers are
 * set. */
clprims_status clp_plan_enqueue(clp_plan *plan, clp_call *run);

/* A run between clp_plan_begin_run and clp_plan_end_run. */
typedef struct clp_order {
    bool in_order; /* of its queue */
    cl_command_queue queue;
    bool holds_queue; /* it is retained */
    cl_event *wait; /* the caller's events and the last run's, or NULL */
    cl_event behind; /* of the last run */
    cl_event own; /* of the run, where the caller wants none */
} clp_order;

/* Adds the plan's last run to what the run waits for, unless its queue orders both. */
clprims_status clp_plan_begin_run(const clp_plan *plan, clp_call *run, clp_order *order);

/* Makes the run the plan's last one, if it was submitted. */
void clp_plan_end_run(clp_plan *plan, const clp_call *run, clp_order *order, bool submitted);

/* Enqueues the steps of a submitted run; the event is the last one's. */
clprims_status clp_plan_enqueue_steps(const clp_plan *plan, const clp_call *call,
                                      const clp_step *steps, size_t count);

/* The same, behind a command that sets the plan's words to zero, unless `words` is NULL. */
clprims_status clp_plan_clear_and_enqueue(const clp_plan *plan, const clp_call *call, cl_mem words,
                                          const clp_step *steps, size_t count);

/* Launches the steps of a plan under construction once, as clp_steps_warm_up does. */
clprims_status clp_plan_warm_up(const clp_plan *plan, const clp_step *steps, size_t count);

/* The last step of clprims_X_run, on the context's queue. */
clprims_status clp_plan_run(clp_plan *plan, clp_call *run);

#endif
