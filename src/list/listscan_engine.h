/* SPDX-License-Identifier: MIT */
/* Combining along lists, for all primitives that do: the list scan, and the ranking of forests. */
#ifndef CLP_LISTSCAN_ENGINE_H
#define CLP_LISTSCAN_ENGINE_H

#include "core/knobs.h"
#include "core/launch.h"
#include "core/operation.h"
#include "core/text.h"

enum {
    CLP_LISTSCAN_LEVELS = 40,
    CLP_LISTSCAN_BUCKETS = 512,
    CLP_LISTSCAN_STATE_BYTES = 1024 /* of clp_list_state, as cl/list/listscan.cl checks */
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

/* listscan_knobs.c, which says what each is. */
extern const clp_knob clp_listscan_knobs[CLP_LISTSCAN_KNOBS];

/* What create is asked for. */
typedef struct clp_listscan_spec {
    const char *who; /* the primitive, for messages and tuning; a literal */
    clprims_type link;
    size_t max_n;
    bool forest; /* several lists; the operation is that of cl/list/forest.cl */
    clp_operation what; /* its texts are read during create only */
    const char *tuning;
} clp_listscan_spec;

/* What a plan's kernels and scratch have room for. */
typedef struct clp_listscan_most {
    size_t last; /* level */
    size_t nodes, chunks, words, cursors;
} clp_listscan_most;

typedef struct clp_listscan {
    clprims_context *context;
    clp_listscan_spec spec;
    unsigned char start[CLP_LARGEST_VALUE];
    size_t knobs[CLP_LISTSCAN_KNOBS];
    size_t team; /* lanes that fill a chunk of rows together */
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

/* One run's arguments; buffers that it does not have are {NULL, 0}. */
typedef struct clp_listscan_run {
    clprims_buffer next;
    clprims_buffer values;
    clprims_buffer out; /* of a forest the ranks */
    clprims_buffer out_heads; /* of a forest */
    clprims_buffer given; /* heads, of a forest */
    size_t num_given;
    clprims_buffer report;
    cl_long head; /* or CLPRIMS_LIST_FIND_HEAD, which is what a forest has */
    size_t n;
} clp_listscan_run;

/* How the elements of a run are cut up. Every size grows with n, but bucket_bits and buckets, which
 * no scratch depends on: the layout of max_n has room for that of every n. */
typedef struct clp_listscan_layout {
    clp_listscan_level levels[CLP_LISTSCAN_LEVELS];
    size_t last; /* number of the last level, at least 1 */
    size_t nodes;
    size_t lanes; /* of the walk */
    size_t chunks;
    size_t words; /* of the bits */
    size_t bucket_bits; /* window_bits where one pass is enough */
    size_t buckets; /* of the first pass; 0: the results go straight to their places */
    size_t windows;
    size_t cursors; /* of buckets, and behind all that there can be, of windows */
} clp_listscan_layout;

/* ---- listscan_plan.c ---- */

/* Checks link, max_n and the operation, compiles, allocates; plan: zeros. What it made, release
 * gives back, whether it succeeded or not. init: as in clp_operation_fill. */
clprims_status clp_listscan_prepare(clp_listscan *plan, clprims_context *context,
                                    const clp_listscan_spec *spec, const void *init);
void clp_listscan_release(clp_listscan *plan);

/* ---- listscan_fit.c ---- */

/* Lets the knobs that nobody gave, by the plan's text or a tuning file, give way to the device's
 * local memory and to max_n; refuses given ones that can't be had. Status: UNSUPPORTED. */
clprims_status clp_listscan_fit(clp_listscan *plan, const clp_knob *knobs);

/* ---- listscan_layout.c ---- */

/* Lays out a run of n > 0 elements. */
void clp_listscan_lay_out(const clp_listscan *plan, size_t n, clp_listscan_layout *layout);

/* Whether the results of some run of up to max_n elements go to their places by buckets, and by a
 * second pass of them. */
bool clp_listscan_may_partition(const clp_listscan *plan);
bool clp_listscan_may_partition_finer(const clp_listscan *plan);

/* ---- listscan_single_group.c ---- */

/* What cl/list/listscan_single_group.cl and cl/list/listscan_local.cl are told. */
void clp_listscan_add_single_group(const clp_listscan *plan, clp_text *prelude);

/* Whether a run of n > 0 elements is short: one group does all of it. */
bool clp_listscan_is_short(const clp_listscan *plan, size_t n);

/* As clp_listscan_submit, of a short run. */
clprims_status clp_listscan_submit_single_group(clp_listscan *plan, const clp_listscan_run *run,
                                                cl_command_queue queue, cl_uint num_wait,
                                                const cl_event *wait, cl_event *event);

/* The step of a run without elements. */
clprims_status clp_listscan_warm_up_single_group(clp_listscan *plan, const clp_listscan_run *run,
                                                 clp_step *step);

/* ---- listscan_submit.c ---- */

/* Submits a run whose arguments are checked. */
clprims_status clp_listscan_submit(clp_listscan *plan, const clp_listscan_run *run,
                                   cl_command_queue queue, cl_uint num_wait, const cl_event *wait,
                                   cl_event *event);

/* Launches once each kernel that a run of the plan may launch. */
clprims_status clp_listscan_warm_up(clp_listscan *plan);

#endif
