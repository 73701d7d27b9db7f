/* SPDX-License-Identifier: MIT */
/*
 * Segmented reductions and scans: the checked description, the variant that runs it, the plan. Sums
 * of short segments by offsets, from the call to the kernel and back:
 *   segmented.c           clprims_segmented_enqueue; plan.h has what is between it and submit();
 *                         kernels' arguments; submission
 *   segmented_buffers.c   which arrays a run has, and of which size
 *   segmented_variants.c  the table of variants: submit() calls the plan's
 *   segmented_direct.c    the variant "direct": the number of work-groups, one launch
 *   segmented.cl          what its kernel is given (and a map of all kernels)
 *   segmented_direct.cl   the kernel; it checks offsets, combines blocks, or segments
 *   segmented_direct_elements.cl  what a team or a worker combines of the array
 *   segmented_direct_totals.cl    who stores a long segment's result, and the report
 * In place of segmented_direct.c the other variants have:
 *   segmented_shares.c     "serial", "merge-path", "sub-group": shares of elements and
 *                          ends
 *   segmented_rows.c       the same by length: tiles of rows, where these are short
 *   segmented_lookahead.c  "lookahead": a single pass of engine/single_pass.h
 *   segmented_marks.c      by offsets, the two launches before that pass
 * When the plan is created:
 *   segmented_spec.c       checks the description
 *   segmented_variants.c   clp_segmented_shape_choose: the first variant that fits. "direct" is for
 *                          plans up to a size (clp_segmented_set_team_knobs); larger sums by
 *                          offsets take shares
 *   segmented_knobs.c      the knobs that a tuning text may set
 *   segmented_text.c       the prelude; the table of variants has the files of each program
 */
#ifndef CLP_SEGMENTED_PLAN_H
#define CLP_SEGMENTED_PLAN_H

#include "core/knobs.h"
#include "engine/single_pass.h"
#include "plan/operation.h"

#include <clprims/segmented.h>

enum {
    CLP_SEGMENTED_GROUP,
    CLP_SEGMENTED_GROUPS,
    CLP_SEGMENTED_ITEMS,
    CLP_SEGMENTED_SHARE,
    CLP_SEGMENTED_SINGLE,
    CLP_SEGMENTED_TEAM,
    CLP_SEGMENTED_BLOCK,
    CLP_SEGMENTED_KNOBS
};
extern const clp_knob clp_segmented_knobs[CLP_SEGMENTED_KNOBS];

/* A description with every default filled in. The texts are the caller's: create alone reads them.
 */
typedef struct clp_segmented_spec {
    clp_operation what; /* for ARGMIN and ARGMAX: MIN and MAX of the elements */
    clprims_segments_by by;
    clprims_type heads_type; /* of offsets or keys; U8 for flags and bits */
    size_t heads_bytes;
    const char *equal;
    bool reduces;
    bool local_index;
    bool unique_keys;
    bool is_empty_fault; /* an empty segment has no result */
    size_t value_bytes; /* of a running value in scratch */
    size_t result_bytes; /* of an element of the output */
    size_t max_n;
    size_t max_segments; /* 0 unless by offsets or by length */
} clp_segmented_spec;

/* The variants: what runs a plan is one of these values, and describe says its name. A plan takes
 * the first that fits. */
typedef enum clp_segmented_variant {
    CLP_SEGMENTED_DIRECT, /* a team of work-items combines each segment */
    CLP_SEGMENTED_LOOKAHEAD, /* a single pass of the engine */
    CLP_SEGMENTED_SUBGROUP, /* a sub-group has a share, and scans tiles in registers */
    CLP_SEGMENTED_PATH, /* a work-group has a share, and scans tiles in local memory */
    CLP_SEGMENTED_SERIAL, /* a work-item has a share */
    CLP_SEGMENTED_VARIANTS
} clp_segmented_variant;

/* What a variant's kernels are built for. */
typedef struct clp_segmented_shape {
    clp_segmented_variant variant;
    size_t group; /* work-items */
    size_t most_groups;
    size_t lanes; /* work-items that have a share, or combine a long segment, together */
    size_t share; /* elements and ends of segments of a share, at least */
    size_t registers; /* of a work-item, at most; 0: as many as the compiler takes */
    size_t items; /* of a work-item in a tile of shares */
    size_t row_tile; /* elements of a work-group's tile of rows of one length; 0: there are none */
    size_t team; /* "direct": work-items that combine a short segment */
    size_t block; /* "direct": elements of a block, of which a long segment covers some */
    size_t checked; /* "direct": offsets that a work-item checks */
} clp_segmented_shape;

struct clprims_segmented {
    clp_plan head;
    clp_segmented_spec spec; /* its pointers into the description are cleared after create */
    clp_segmented_shape shape;
    unsigned char start[CLP_LARGEST_VALUE]; /* in front of each segment */
    unsigned char empty[CLP_LARGEST_VALUE]; /* the result of an empty segment */
    cl_kernel prefixes; /* of shares: the first of two launches; a reduction by offsets has none */
    cl_kernel outputs; /* of shares the last launch, of "direct" the only one */
    cl_kernel rows; /* in place of shares, where rows are short; NULL: the plan has none */
    cl_mem firsts, parts; /* of shares */
    cl_mem tails; /* of shares; of "direct" words under a run's number */
    cl_mem tickets;
    cl_uint run; /* of "direct": the number of the last run submitted */
    clp_pass pass; /* of "lookahead" */
    cl_kernel clear, mark; /* a pass by offsets: make bits of them before it */
    cl_mem bits, fault;
    cl_mem count; /* for runs without a count of their own */
};

/* One run's arguments. */
typedef struct clp_segmented_run {
    clp_call call;
    clprims_segmented_buffers buffers;
    size_t n; /* in a counted run the most that it may be */
    size_t
        segments; /* by offsets as n; by length of n elements; else the capacity of the outputs */
    bool is_plain; /* on plain arrays */
    clprims_segmented_arrays arrays; /* the caller's of a plain run, where count may be NULL */
    bool warms_up; /* its kernels are launched once, on the context's queue, without elements */
} clp_segmented_run;

/* Whether the ends of segments are known without the elements: offsets in an array or, by length,
 * multiples of it. */
static inline bool clp_segmented_by_offsets(const clp_segmented_spec *spec) {
    return spec->by == CLPRIMS_SEGMENTS_OFFSETS || spec->by == CLPRIMS_SEGMENTS_EQUAL;
}

/* Whether a run gives the number of segments. */
static inline bool clp_segmented_counts(const clp_segmented_spec *spec) {
    return spec->reduces && !clp_segmented_by_offsets(spec);
}

/* ---- segmented_spec.c ---- */

/* Checks the description against the device and fills the spec. start, empty: room for
 * CLP_LARGEST_VALUE bytes. */
clprims_status clp_segmented_spec_fill(const clprims_context *context,
                                       const clprims_segmented_desc *desc, clp_segmented_spec *spec,
                                       void *start, void *empty);

/* ---- segmented_variants.c ---- */

/* How a variant is submitted. */
typedef struct clp_segmented_launches {
    clprims_status (*prepare)(clprims_segmented *plan); /* kernels and scratch */
    /* run: all arrays filled in. */
    clprims_status (*enqueue)(clprims_segmented *plan, const clp_segmented_run *run);
    /* Fills in group, groups, launches and, unless it is the plan's, variant. */
    void (*describe)(const clprims_segmented *plan, const clp_segmented_run *run,
                     clprims_segmented_info *info);
} clp_segmented_launches;

/* Whether a variant fits the description, the device and the knobs. */
typedef bool clp_segmented_fit(const clprims_context *context, const clp_segmented_spec *spec,
                               const clp_knob *knobs);

/* Adjusts what the knobs say of a shape to the description and the device. */
typedef clprims_status clp_segmented_adjust(const clprims_context *context,
                                            const clp_segmented_spec *spec, const clp_knob *knobs,
                                            clp_segmented_shape *shape);

/* Sets the defaults of the knobs. */
typedef void clp_segmented_set_knobs(const clprims_context *context, const clp_segmented_spec *spec,
                                     clp_knob *knobs);

typedef struct clp_segmented_traits {
    const char *name; /* for users */
    int knob; /* the one whose value 0 turns the variant off; CLP_SEGMENTED_KNOBS: none does */
    unsigned rivals; /* a bit for each knob that, given without `knob`, asks for another variant */
    const clp_part *parts; /* files of cl/ of its program, NULL at the end */
    const clp_segmented_launches *launches;
    clp_segmented_fit *fits; /* NULL: it fits every plan */
    clp_segmented_adjust *adjust; /* NULL: nothing is adjusted */
} clp_segmented_traits;

extern const clp_segmented_traits clp_segmented_variants[CLP_SEGMENTED_VARIANTS];

/* Reads the knobs, chooses the variant and its shape. */
clprims_status clp_segmented_shape_choose(const clprims_context *context,
                                          const clp_segmented_spec *spec, const char *tuning,
                                          clp_segmented_shape *shape);

/* ---- segmented_shares.c ---- */

extern const clp_segmented_launches clp_segmented_share_launches;
clp_segmented_set_knobs clp_segmented_set_share_knobs;
clp_segmented_fit clp_segmented_fits_subgroups, clp_segmented_fits_path;
clp_segmented_adjust clp_segmented_adjust_serial, clp_segmented_adjust_subgroups,
    clp_segmented_adjust_path;

/* Returns the number of shares of a run. */
size_t clp_segmented_shares(const clp_segmented_spec *spec, const clp_segmented_shape *shape,
                            size_t n, size_t segments);

/* ---- segmented_rows.c ---- */

enum { CLP_SEGMENTED_SHORT_ROW = 256 }; /* the longest row of which tiles were faster than shares */

/* Returns the elements of a tile of rows; 0: the plan has none. */
size_t clp_segmented_row_tile(const clprims_context *context, const clp_segmented_spec *spec,
                              const clp_segmented_shape *shape);

/* Whether a run is of rows that tiles take. */
bool clp_segmented_by_rows(const clprims_segmented *plan, const clp_segmented_run *run);

/* Returns the rows of a tile. */
size_t clp_segmented_rows_of_tile(const clprims_segmented *plan, const clp_segmented_run *run);

/* ---- segmented_direct.c ---- */

extern const clp_segmented_launches clp_segmented_team_launches;
clp_segmented_set_knobs clp_segmented_set_team_knobs;
clp_segmented_fit clp_segmented_fits_teams;
clp_segmented_adjust clp_segmented_adjust_teams;

/* Returns the number of work-groups that check offsets. */
size_t clp_segmented_checkers(const clp_segmented_shape *shape, size_t segments);

/* ---- segmented_buffers.c ---- */

/* Returns the number of outputs. */
size_t clp_segmented_outputs(const clp_segmented_spec *spec, size_t n, size_t segments);

/* Returns the number of segments of a run or, by keys and flags, the room for them. */
size_t clp_segmented_segments(const clp_segmented_spec *spec, clprims_segmented_sizes sizes,
                              size_t n);

/* Checks that n and, by offsets or by length, the number of segments are within the plan's, and
 * that a size that the plan has no use for is 0. */
clprims_status clp_segmented_check_sizes(const char *who, const clp_segmented_spec *spec, size_t n,
                                         clprims_segmented_sizes sizes);

/* The arrays of a run; of 0 elements where the run does not have one. */
enum {
    CLP_SEGMENTED_IN,
    CLP_SEGMENTED_HEADS,
    CLP_SEGMENTED_OUT,
    CLP_SEGMENTED_KEYS,
    CLP_SEGMENTED_COUNT,
    CLP_SEGMENTED_COUNTED,
    CLP_SEGMENTED_COUNTED_SEGMENTS,
    CLP_SEGMENTED_REPORT,
    CLP_SEGMENTED_ROWS
};
size_t clp_segmented_list_arrays(const clp_plan *plan, clp_call *run, clp_run_array *rows);

/* ---- segmented_text.c ---- */

enum { CLP_SEGMENTED_PART_BYTES = 40 }; /* of clp_part in cl/segmented/segmented.cl */

/* Writes what says where segments begin: its kind (CLP_BY_KEYS ...), its type, and when two keys
 * are equal. */
void clp_segmented_add_heads(clp_text *text, const clp_segmented_spec *spec);
void clp_segmented_add_report(clp_text *text);

/* Builds the program of the plan's variant. */
clprims_status clp_segmented_build(clprims_segmented *plan, cl_program *program);

/* ---- segmented_lookahead.c, segmented_marks.c ---- */

extern const clp_segmented_launches clp_segmented_pass_launches;
extern const clp_part clp_segmented_lookahead_parts[];
clp_segmented_set_knobs clp_segmented_set_pass_knobs;
clp_segmented_fit clp_segmented_fits_pass;

/* By offsets, the launches before the pass. */
void clp_segmented_add_marks(clp_text *text, const clp_segmented_spec *spec);
clprims_status clp_segmented_prepare_marks(clprims_segmented *plan);
clprims_status clp_segmented_list_marks(const clprims_segmented *plan, const clp_segmented_run *run,
                                        clp_step steps[2]);

/* ---- segmented.c ---- */

/* Puts the arrays that all kernels take, from the elements to the report. */
void clp_segmented_put_arrays(clp_arguments *a, const clprims_segmented *plan,
                              const clp_segmented_run *run, clprims_buffer heads);

/* Sets the arguments of a kernel of shares or, under a run's number, of "direct". */
clprims_status clp_segmented_set_arguments(const clprims_segmented *plan, cl_kernel kernel,
                                           const clp_segmented_run *run, cl_uint number);

/* Submits one kernel after another, or warms them up. */
clprims_status clp_segmented_enqueue_steps(const clprims_segmented *plan,
                                           const clp_segmented_run *run, const clp_step *steps,
                                           size_t count);

#endif
