/* SPDX-License-Identifier: MIT */
/*
 * The list engine, for list ranking, list scan and forests: plans, the layout of a run, the run
 * itself. cl/list/list.cl says how it works. A ranking of 10^8 elements on a GPU, from the call to
 * its kernels and back:
 *   list.c             clprims_list_enqueue; plan.h has what is between it and clp_list_submit
 *   list_submit.c      checks; the chain of kernels, their names and parameters; submission
 *   list_levels.c      how many levels, sublists, columns, windows
 *   list.cl            nodes, splitters; the kernels begin, sum, find
 *   list_walk.cl       which sublists a work-item walks, when a walk ends
 *   list_visit_log.cl  the walk of level 0; the order, or the first pass of a sort of the ranks
 *   list_levels.cl     up-sweep, last level, down-sweep
 *   list_place.cl      second pass of the sort, windows of the ranks
 *   list_fault.cl      the kernel diagnose: what is wrong with a malformed list
 *   list_report.c      the status of a report
 * Other ways:
 *   list_elements.cl   level 0 of rankings that are scattered or in place: copy, walk, expand
 *   listscan.c, .cl    a list scan, in place of list.c and list_visit_log.cl
 *   forest.c, .cl      a forest: a list scan of pairs; whether the given heads are right
 *   list_single_group.cl, listscan_single_group.cl  a short list by one kernel
 *   list_serial.cl     the same on CPUs
 * When the plan is created:
 *   list_build.c       defaults of knobs by device, the algorithm, the program's files, scratch
 *   list_fit.c         knobs that fit local memory and max_n
 *   list_knobs.c       what tuning may set
 */
#ifndef CLP_LIST_ENGINE_H
#define CLP_LIST_ENGINE_H

#include "core/knobs.h"
#include "plan/operation.h"
#include "plan/plan.h"

#include <clprims/list.h>

enum {
    CLP_LIST_LEVELS = 64,
    CLP_LIST_STAGES = 4, /* as in cl/list/list.cl */
    CLP_LIST_STATE_BYTES = 1024, /* of clp_list_state, as cl/list/list.cl checks */
    CLP_LIST_LEVEL_BYTES = 112, /* of clp_list_level, in C and in kernels */
    CLP_LIST_SIDE = 32, /* interleaved columns, as in cl/list/list_visit_log.cl */
    CLP_LIST_SCAN_BUCKETS = 512, /* of a pass of a list scan */
    CLP_LIST_MOST_STEPS = 2 * CLP_LIST_LEVELS + 24,
    CLP_LIST_KINDS = 24, /* of kernels, in list_submit.c */
    CLP_LIST_MOST_ARGUMENTS = 26 /* before the parameters of the texts */
};

/* As in cl/list/list.cl, which explains the members. */
typedef struct clp_list_level {
    cl_ulong count;
    cl_ulong ids;
    cl_ulong sublists;
    cl_ulong links_at;
    cl_ulong at;
    cl_ulong above;
    cl_ulong number;
    cl_ulong mask;
    cl_ulong shift;
    cl_ulong seed;
    cl_ulong stride;
    cl_ulong retry_steps;
    cl_ulong fixed;
    cl_ulong batch;
} clp_list_level;
_Static_assert(sizeof(clp_list_level) == CLP_LIST_LEVEL_BYTES, "as in cl/list/list.cl");

/* Knobs: first the knobs of both tables, then of ranking, or of list scan and forests. */
enum {
    CLP_LIST_SUBLIST,
    CLP_LIST_UPPER,
    CLP_LIST_SPLITTERS,
    CLP_LIST_LAST,
    CLP_LIST_LAST_GROUP,
    CLP_LIST_GROUP,
    CLP_LIST_LANES,
    CLP_LIST_WALKS,
    CLP_LIST_BATCH,
    CLP_LIST_RETRY,
    CLP_LIST_COARSE,
    CLP_LIST_WINDOW,
    CLP_LIST_LEAST,
    CLP_LIST_SHARED,
    CLP_LIST_SHORT = CLP_LIST_SHARED,
    CLP_LIST_WIDE,
    CLP_LIST_FIXED,
    CLP_LIST_FEW,
    CLP_LIST_SEED,
    CLP_LIST_ROWS,
    CLP_LIST_SORT_GROUP,
    CLP_LIST_BUCKETS,
    CLP_LIST_WINDOW_GROUP,
    CLP_LIST_KNOBS,
    CLP_LISTSCAN_CHUNK = CLP_LIST_SHARED,
    CLP_LISTSCAN_BUCKET,
    CLP_LISTSCAN_SINGLE,
    CLP_LISTSCAN_SINGLE_SUBLIST,
    CLP_LISTSCAN_KNOBS
};

/* list_knobs.c, which explains them. */
extern const clp_knob clp_list_knobs[CLP_LIST_KNOBS];
extern const clp_knob clp_listscan_knobs[CLP_LISTSCAN_KNOBS];

/* The buffers of a plan. */
enum {
    CLP_LIST_STATE,
    CLP_LIST_PARTS,
    CLP_LIST_LEADS,
    CLP_LIST_OFFSETS,
    CLP_LIST_STATES,
    CLP_LIST_PAIRS,
    CLP_LIST_BITS,
    CLP_LIST_CURSORS,
    CLP_LIST_VISITS,
    CLP_LIST_FILLS, /* of the chunks of the visit log; of a ranking, what each column starts with */
    CLP_LIST_ITEMS, /* to place; before that, the records of a list scan */
    CLP_LIST_FINER,
    CLP_LIST_BUFFERS
};

/* The arguments of create. */
typedef struct clp_list_spec {
    const char *who; /* the primitive, for messages and tuning; a literal */
    clprims_type link;
    size_t max_n;
    bool ranks; /* a ranking; else a list scan */
    bool forest; /* several lists; the operation is that of forest.c */
    clprims_list_result result; /* of a ranking */
    clprims_list_algorithm algorithm; /* of a ranking; in a plan never AUTO */
    clp_operation what; /* its texts are read during create only */
    const char *tuning;
} clp_list_spec;

/* The layout of a run of n elements. */
typedef struct clp_list_layout {
    clp_list_level levels[CLP_LIST_LEVELS];
    size_t last; /* number of the last level; 0: a single work-group does it all */
    size_t nodes; /* of all levels above level 0 */
    clprims_list_algorithm algorithm; /* of level 0 of a ranking */
    size_t lanes; /* that walk level 0 */
    size_t chunks; /* of the visit log; columns in a ranking */
    size_t words; /* of the marks, if the output does not hold them */
    size_t windows; /* of the result */
    size_t bits; /* log2 of the windows per bucket of the first pass; 0: one pass is enough */
    size_t buckets; /* of the first pass; 0: results are scattered directly */
    size_t cursors; /* of the most buckets of a first pass, then of the windows */
} clp_list_layout;

/* The capacity of kernels and scratch: the most that a run of 0 to max_n elements needs. */
typedef struct clp_list_limits {
    size_t last, nodes, chunks, words, cursors;
    size_t pairs; /* of level 0 */
    size_t buckets; /* of a pass, in the kernels' local memory */
    size_t items; /* to place */
    bool two_passes; /* some runs may still take one */
} clp_list_limits;

typedef struct clp_list {
    clp_plan head;
    clp_list_spec spec;
    unsigned char start[CLP_LARGEST_VALUE];
    size_t knobs[CLP_LIST_KNOBS]; /* ROWS 0: a list scan without buckets */
    size_t team; /* lanes that fill a chunk of the visit log together */
    size_t window; /* elements of a window of the result */
    size_t offset_bits; /* in place: bits of the offset in a word */
    size_t most_ids; /* in place: sublists that the other bits can number */
    clp_list_limits most;
    cl_ulong salt; /* of a ranking, for seeds that nobody can predict */
    cl_program program;
    cl_kernel kernels[CLP_LIST_KINDS][CLP_LIST_LEVELS];
    cl_mem buffers[CLP_LIST_BUFFERS];
} clp_list;

/* Each primitive's plan is an engine. */
struct clprims_list {
    clp_list engine;
};

/* What kernels are given that differs between the steps of a run: named as parameters. */
typedef struct clp_list_values {
    clp_list_level level;
    cl_mem sorted;
    cl_uint attempt, only_near, pieces, launched;
} clp_list_values;

/* The arguments of a run; a missing buffer is {NULL, 0}. Then the run under construction. */
typedef struct clp_list_run {
    clp_call call;
    clp_list *plan; /* of the run under construction */
    /* Of a run on plain arrays; what is missing is NULL. given: a forest's heads; heads: the output
     * of them. */
    struct {
        const void *next, *values, *given;
        void *out, *heads;
    } plain;
    bool warms_up; /* kernels that are missing are created */
    clprims_buffer next;
    clprims_buffer values;
    clprims_buffer out; /* forest: ranks */
    clprims_buffer out_heads; /* of a forest */
    clprims_buffer given; /* heads, of a forest */
    cl_ulong num_given;
    bool gives_heads;
    clprims_buffer report;
    bool gives_head;
    cl_long head; /* -1 where the run finds it, and in a forest */
    cl_ulong n;
    clp_list_layout layout;
    clp_list_values has;
    size_t taken[CLP_LIST_KINDS];
    clp_step steps[CLP_LIST_MOST_STEPS];
    size_t count;
} clp_list_run;

/* ---- list_build.c ---- */

/* Checks link, max_n and the operation, compiles, allocates, warms up. init: as in
 * clp_operation_fill. */
clprims_status clp_list_fill(clp_plan *plan, const clp_list_spec *spec, const void *init);

/* ---- list_fit.c ---- */

static inline void clp_list_limit(size_t *knob, size_t most) {
    if (*knob > most) *knob = most;
}

/* Reduces the default knobs to the device's local memory and to max_n. Knobs from the plan's text
 * or a tuning file stay as given. */
void clp_list_fit(clp_list *plan, const clp_knob *knobs);

/* Checks that the knobs and the algorithm (not AUTO) fit each other, and sets plan->most. Status:
 * UNSUPPORTED for given knobs that the device or max_n does not allow; TOO_LARGE. */
clprims_status clp_list_check_fit(clp_list *plan);

/* ---- list_levels.c ---- */

/* Returns the most elements that a single work-group takes. */
size_t clp_list_single_most(const clp_list *plan);

/* Computes the layout of a run of n > 0 elements. */
void clp_list_lay_out(const clp_list *plan, size_t n, clp_list_layout *layout);

/* Returns the sublists without a splitter that a ranking of n elements may need in place. */
size_t clp_list_spare(const clp_list *plan, size_t n);

/* Returns the columns that the walks of a ranking fill at most. */
size_t clp_list_columns(const clp_list *plan, size_t n);

/* Returns the most buckets of a pass of a ranking, for n from 1 to max_n; sets *two_passes. */
size_t clp_list_most_buckets(const clp_list *plan, bool *two_passes);

/* Returns the results that a work-group sorts at once; 0: a list scan without buckets. */
static inline size_t clp_list_batch(const clp_list *plan) {
    return plan->knobs[CLP_LIST_SORT_GROUP] * plan->knobs[CLP_LIST_ROWS];
}

/* Returns whether the results of a list scan of n elements are sorted into buckets, as no cache
 * holds them. */
bool clp_list_partitions(const clp_list *plan, size_t n);

/* Sets what describe says of a list of n elements alone. who: the function, for messages. */
clprims_status clp_list_describe(const clp_list *plan, const char *who, size_t n,
                                 clprims_list_info *info);

/* Sets plan->most, except, in a ranking, the buckets and passes, which are set. */
void clp_list_set_limits(clp_list *plan);

/* ---- list_submit.c ---- */

/* The members of the kinds of ranking, list scan and forests, and their hooks. */
#define CLP_LIST_KIND(x)                                                                           \
    CLP_PLAN_KIND(x), .report_bytes = sizeof(clprims_list_report),                                 \
                      .check_sizes = clp_list_check_sizes, .list_arrays = clp_list_list_arrays,    \
                      .submit = clp_list_submit, .finish = clp_list_finish
clprims_status clp_list_check_sizes(const clp_plan *plan, const clp_call *call);
size_t clp_list_list_arrays(const clp_plan *plan, clp_call *call, clp_run_array *rows);
clprims_status clp_list_submit(clp_plan *plan, clp_call *call);

/* A forest of n elements has no more heads. */
clprims_status clp_list_check_heads(const char *who, size_t n, size_t heads);

/* Creates the kernels that the runs of a plan need, and launches each once. */
clprims_status clp_list_warm_up(clp_list *plan);

/* Kernels write a report as four long. */
_Static_assert(sizeof(clprims_list_report) == 4 * sizeof(cl_long), "as in cl/list/list_fault.cl");

/* The hook of a run on plain arrays. */
clprims_status clp_list_finish(const clp_plan *plan, clp_call *call, const void *report);

/* Runs the plain arrays of run->plain. */
clprims_status clp_list_run_plain(clp_list *plan, clp_list_run *run);

/* Sets the head of a run. head: the caller's, or NULL. */
static inline void clp_list_set_head(clp_list_run *run, const int64_t *head) {
    run->gives_head = head != NULL;
    run->head = head != NULL ? *head : -1;
}

/* ---- list_report.c ---- */

/* Returns the status for a report. who: the primitive, for messages. next: the links on the host,
 * or NULL. */
clprims_status clp_list_report_status(const char *who, const clprims_list_report *report,
                                      clprims_type link, const void *next);

#endif
