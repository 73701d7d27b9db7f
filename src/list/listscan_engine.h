/* SPDX-License-Identifier: MIT */
/* The list scan engine, for list scan and the ranking of forests. */
#ifndef CLP_LISTSCAN_ENGINE_H
#define CLP_LISTSCAN_ENGINE_H

#include "core/knobs.h"
#include "core/launch.h"
#include "engine/operation.h"
#include "core/text.h"

enum {
    CLP_LISTSCAN_LEVELS = 40,
    CLP_LISTSCAN_BUCKETS = 512,
    CLP_LISTSCAN_STATE_BYTES = 1024, /* of clp_list_state, as cl/list/listscan.cl checks */
    CLP_LISTSCAN_LEVEL_BYTES = 72 /* of clp_listscan_level, and clp_list_level there */
};

/* As in cl/list/listscan.cl, which explains the members. */
typedef struct clp_listscan_level {
    cl_ulong count;
    cl_ulong ids;
    cl_ulong at;
    cl_ulong above;
    cl_ulong number;
    cl_ulong mask;
    cl_ulong shift;
    cl_ulong seed;
    cl_ulong retry_steps;
} clp_listscan_level;
_Static_assert(sizeof(clp_listscan_level) == CLP_LISTSCAN_LEVEL_BYTES, "as in cl/list/listscan.cl");

enum {
    CLP_LISTSCAN_SUBLIST,
    CLP_LISTSCAN_LEAST,
    CLP_LISTSCAN_UPPER,
    CLP_LISTSCAN_SPLITTERS,
    CLP_LISTSCAN_LAST,
    CLP_LISTSCAN_GROUP,
    CLP_LISTSCAN_LANES,
    CLP_LISTSCAN_WALKS,
    CLP_LISTSCAN_BATCH,
    CLP_LISTSCAN_CHUNK,
    CLP_LISTSCAN_BUCKET,
    CLP_LISTSCAN_WINDOW,
    CLP_LISTSCAN_RETRY,
    CLP_LISTSCAN_COARSE,
    CLP_LISTSCAN_SINGLE,
    CLP_LISTSCAN_SINGLE_GROUP,
    CLP_LISTSCAN_SINGLE_SUBLIST,
    CLP_LISTSCAN_KNOBS
};

/* list_knobs.c, which explains them. */
extern const clp_knob clp_listscan_knobs[CLP_LISTSCAN_KNOBS];

/* The arguments of create. */
typedef struct clp_listscan_spec {
    const char *who; /* the primitive, for messages and tuning; a literal */
    clprims_type link;
    size_t max_n;
    bool forest; /* several lists; the operation is that of cl/list/forest.cl */
    clp_operation what; /* its texts are read during create only */
    const char *tuning;
} clp_listscan_spec;

/* The capacity of a plan's kernels and scratch. */
typedef struct clp_listscan_most {
    size_t last; /* level */
    size_t nodes, chunks, words, cursors;
} clp_listscan_most;

typedef struct clp_listscan {
    clprims_context *context;
    clp_listscan_spec spec;
    unsigned char start[CLP_LARGEST_VALUE];
    size_t knobs[CLP_LISTSCAN_KNOBS];
    size_t team; /* lanes that fill a chunk of the visit log together */
    size_t held; /* results that a work-item holds on the way to a bucket; 0: no buckets */
    size_t window_bits; /* log2 of the elements of a window of the output */
    size_t scratch_bytes;
    clp_listscan_most most;
    cl_program program;
    cl_kernel clear, pack, find, walk[2], again, last, scatter, partition, partition_finer,
        scatter_window;
    cl_kernel up_sweep[CLP_LISTSCAN_LEVELS], down_sweep[CLP_LISTSCAN_LEVELS];
    cl_kernel name, find_faults[2], classify, reach, write_report;
    cl_kernel give, compare, classify_heads;
    cl_kernel single_group;
    cl_mem state, parts, leads, states, bits, fills, cursors, records, visits;
} clp_listscan;

/* The arguments of a run; a missing buffer is {NULL, 0}. */
typedef struct clp_listscan_run {
    clprims_buffer next;
    clprims_buffer values;
    clprims_buffer out; /* forest: ranks */
    clprims_buffer out_heads; /* of a forest */
    clprims_buffer given; /* heads, of a forest */
    size_t num_given;
    clprims_buffer report;
    cl_long head; /* or CLPRIMS_LIST_FIND_HEAD, as in a forest */
    size_t n;
} clp_listscan_run;

/* The layout of a run. All sizes grow with n, except bucket_bits and buckets, which no scratch
 * depends on: the layout of max_n has capacity for every n. */
typedef struct clp_listscan_layout {
    clp_listscan_level levels[CLP_LISTSCAN_LEVELS];
    size_t last; /* number of the last level, at least 1 */
    size_t nodes;
    size_t lanes; /* of the walk */
    size_t chunks;
    size_t words; /* of the marks */
    size_t bucket_bits; /* window_bits where one pass is enough */
    size_t buckets; /* of the first pass; 0: results are scattered directly */
    size_t windows;
    size_t cursors; /* of the most buckets there can be, followed by those of windows */
} clp_listscan_layout;

/* ---- listscan_plan.c ---- */

/* Checks link, max_n and the operation, compiles, allocates. plan: zeros. clp_listscan_release
 * frees it, also after a failure. init: as in clp_operation_fill. */
clprims_status clp_listscan_prepare(clp_listscan *plan, clprims_context *context,
                                    const clp_listscan_spec *spec, const void *init);
void clp_listscan_release(clp_listscan *plan);

/* ---- listscan_fit.c ---- */

/* Reduces the default knobs to the device's local memory and to max_n; refuses given knobs that do
 * not fit. Status: UNSUPPORTED. */
clprims_status clp_listscan_fit(clp_listscan *plan, const clp_knob *knobs);

/* ---- listscan_plan.c: layout ---- */

/* Computes the layout of a run of n > 0 elements. */
void clp_listscan_lay_out(const clp_listscan *plan, size_t n, clp_listscan_layout *layout);

/* Return whether some run of up to max_n elements partitions its results into buckets, and in two
 * passes. */
bool clp_listscan_may_partition(const clp_listscan *plan);
bool clp_listscan_may_partition_finer(const clp_listscan *plan);

/* ---- listscan_single_group.c ---- */

/* Adds the prelude of cl/list/listscan_single_group.cl and cl/list/listscan_local.cl. */
void clp_listscan_add_single_group(const clp_listscan *plan, clp_text *prelude);

/* Returns whether a single work-group runs n elements. */
bool clp_listscan_is_short(const clp_listscan *plan, size_t n);

/* clp_listscan_submit for a short run. */
clprims_status clp_listscan_submit_single_group(clp_listscan *plan, const clp_listscan_run *run,
                                                cl_command_queue queue, cl_uint num_wait,
                                                const cl_event *wait, cl_event *event);

/* Sets *step for a warm-up: a run without elements. */
clprims_status clp_listscan_warm_up_single_group(clp_listscan *plan, const clp_listscan_run *run,
                                                 clp_step *step);

/* ---- listscan_submit.c ---- */

/* Submits a run whose arguments are checked. */
clprims_status clp_listscan_submit(clp_listscan *plan, const clp_listscan_run *run,
                                   cl_command_queue queue, cl_uint num_wait, const cl_event *wait,
                                   cl_event *event);

/* Launches each kernel of the plan once. */
clprims_status clp_listscan_warm_up(clp_listscan *plan);

#endif
