/* SPDX-License-Identifier: MIT */
/* What the files of segmented share: a checked description, the shape of its groups, the plan. */
#ifndef CLP_SEGMENTED_PLAN_H
#define CLP_SEGMENTED_PLAN_H

#include "core/context.h"
#include "core/knobs.h"
#include "core/launch.h"
#include "engine/operation.h"
#include "engine/single_pass.h"

#include <clprims/segmented.h>

enum {
    CLP_SEGMENTED_GROUP,
    CLP_SEGMENTED_GROUPS,
    CLP_SEGMENTED_ITEMS,
    CLP_SEGMENTED_SHARE,
    CLP_SEGMENTED_SINGLE,
    CLP_SEGMENTED_RING,
    CLP_SEGMENTED_TEAM,
    CLP_SEGMENTED_BLOCK,
    CLP_SEGMENTED_KNOBS
};
extern const clp_knob clp_segmented_knobs[CLP_SEGMENTED_KNOBS];

/* A description with every default filled in. The texts are the caller's: they are read during
 * create only. */
typedef struct clp_segmented_spec {
    clp_operation what; /* of ARGMIN and ARGMAX: MIN and MAX of the keys */
    clprims_segments_by by;
    clprims_type heads_type; /* of offsets or keys; of flags and bits U8 */
    size_t heads_bytes;
    const char *equal;
    bool reduces;
    bool is_arg;
    bool local_index;
    bool unique_keys;
    bool is_empty_fault; /* an empty segment has no result */
    size_t value_bytes; /* of a running value in scratch */
    size_t result_bytes; /* of an element of the output */
    size_t max_n;
    size_t max_segments; /* 0 unless by offsets */
} clp_segmented_spec;

/* How its groups work. */
typedef struct clp_segmented_shape {
    size_t group; /* work-items */
    size_t most_groups;
    size_t items; /* elements of a lane in a team's tile */
    size_t registers; /* of a work-item, at most; 0: as many as the compiler takes */
    bool by_groups; /* what groups come to is published under the run's number */
    size_t team; /* work-items that combine a short segment; 0: there are shares */
    size_t block; /* elements of a block that a long segment covers, where there are teams */
    size_t checked; /* offsets that a work-item of a group that checks them has */
    bool shuffles; /* a sub-group combines a longer one, else a work-item does */
    bool by_teams; /* a worker is 32 work-items, else one, unless it is a group */
    size_t share; /* elements and ends of segments that a worker has at least */
    bool looks_ahead; /* the plan has a single pass in place of workers */
    size_t in_ring, end_ring; /* bytes of a team's rings; 0: it has none */
} clp_segmented_shape;

struct clprims_segmented {
    clprims_context *context;
    clp_segmented_spec spec; /* its pointers into the description are cleared after create */
    clp_segmented_shape shape;
    unsigned char start[CLP_LARGEST_VALUE]; /* in front of each segment */
    unsigned char empty[CLP_LARGEST_VALUE]; /* what an empty one gives */
    clp_parameters parameters; /* of the input's and the keys' expressions */
    cl_program program;
    cl_kernel look, go; /* of the two launches; reduce by offsets has the second alone */
    clp_pass pass; /* looks ahead, in place of look and go */
    cl_kernel clear, mark; /* by offsets: make bits of them for the pass */
    cl_mem bits, fault;
    cl_mem firsts, tails, parts; /* of the workers; of groups only tails: words with tags */
    cl_uint run; /* the last one submitted that publishes under its number */
    cl_mem lane_heads; /* from the first launch to the second; NULL: none are noted */
    cl_mem tickets;
    cl_mem report, count; /* for runs without one */
    size_t scratch_bytes;
};

/* One run's arguments. */
typedef struct clp_segmented_run {
    cl_command_queue queue;
    clprims_segmented_buffers buffers;
    size_t n; /* of a counted run the most that there may be */
    size_t segments; /* the same, or the capacity */
    clprims_buffer counted; /* where the number of elements stands; {NULL, 0}: it is n */
    clprims_buffer counted_segments; /* the same of segments */
    cl_uint num_wait;
    const cl_event *wait;
    cl_event *event;
} clp_segmented_run;

static inline bool clp_segmented_by_offsets(const clp_segmented_spec *spec) {
    return spec->by == CLPRIMS_SEGMENTS_OFFSETS;
}

/* Whether it gives the number of segments. */
static inline bool clp_segmented_counts(const clp_segmented_spec *spec) {
    return spec->reduces && !clp_segmented_by_offsets(spec);
}

/* ---- segmented_spec.c ---- */

/* Checks the description against the device and fills the spec. start, empty: room for
 * CLP_LARGEST_VALUE bytes. */
clprims_status clp_segmented_spec_fill(const clprims_context *context,
                                       const clprims_segmented_desc *desc, clp_segmented_spec *spec,
                                       void *start, void *empty);

/* Reads the knobs. */
clprims_status clp_segmented_shape_choose(const clprims_context *context,
                                          const clp_segmented_spec *spec, const char *tuning,
                                          clp_segmented_shape *shape);

/* Whether the first launch notes where segments begin, so that the second need not ask again. */
static inline bool clp_segmented_notes_heads(const clp_segmented_spec *spec,
                                             const clp_segmented_shape *shape) {
    return shape->by_teams && clp_segmented_counts(spec) && spec->by != CLPRIMS_SEGMENTS_BITS;
}

/* Of what it notes; 0: nothing. */
size_t clp_segmented_lane_heads_bytes(const clp_segmented_spec *spec,
                                      const clp_segmented_shape *shape);

/* Workers for so many elements and ends of segments. */
size_t clp_segmented_workers(const clp_segmented_shape *shape, size_t work);

/* Groups of a run. */
size_t clp_segmented_groups(const clp_segmented_spec *spec, const clp_segmented_shape *shape,
                            size_t n, size_t segments);

/* ---- segmented_direct.c ---- */


/* The knobs' defaults. */
void clp_segmented_set_teams(const clprims_context *context, const clp_segmented_spec *spec,
                             clp_knob *knobs);

/* Where teams may combine the plan's segments, one each, its shape; false: they may not, or shares
 * are expected to be faster. */
bool clp_segmented_fit_teams(const clprims_context *context, const clp_segmented_spec *spec,
                             const clp_knob *knobs, clp_segmented_shape *shape);

/* Groups of such a run; those of them that check offsets; words that are published. */
size_t clp_segmented_direct_groups(const clp_segmented_shape *shape, size_t n, size_t segments);
size_t clp_segmented_checkers(const clp_segmented_shape *shape, size_t segments);
size_t clp_segmented_direct_words(const clp_segmented_spec *spec, const clp_segmented_shape *shape);

/* ---- segmented_buffers.c ---- */

/* Elements of the heads, as the caller counts them: of bits, their bytes. */
size_t clp_segmented_heads(const clp_segmented_spec *spec, size_t n, size_t segments);

/* Elements of the output. */
size_t clp_segmented_outputs(const clp_segmented_spec *spec, size_t n, size_t segments);

/* n and, by offsets, segments are within the plan's. */
clprims_status clp_segmented_check_sizes(const char *who, const clp_segmented_spec *spec, size_t n,
                                         size_t segments);

/* Refuses buffers that are too small, missing, or not apart. */
clprims_status clp_segmented_check_buffers(const clprims_segmented *plan,
                                           const clp_segmented_run *run);

/* ---- segmented_text.c ---- */

enum { CLP_SEGMENTED_PART_BYTES = 40 }; /* of clp_part in cl/segmented/segmented.cl */

/* Writes CLP_BY_KEYS and the like, what a head is, and whether two are the same. */
void clp_segmented_add_heads(clp_text *text, const clp_segmented_spec *spec);
void clp_segmented_add_report(clp_text *text);

clprims_status clp_segmented_build(const clprims_context *context, const clp_segmented_spec *spec,
                                   const clp_segmented_shape *shape, cl_program *program);

/* ---- segmented_lookahead.c ---- */

/* Whether the plan may look ahead, and whether it does so by default on that device. */
bool clp_segmented_can_look_ahead(const clprims_context *context, const clp_segmented_spec *spec);
bool clp_segmented_looks_ahead(const clprims_context *context);

clprims_status clp_segmented_prepare_pass(clprims_segmented *plan);

/* Launches before it, by offsets. */
void clp_segmented_add_marks(clp_text *text, const clp_segmented_spec *spec);
clprims_status clp_segmented_prepare_marks(clprims_segmented *plan);
clprims_status clp_segmented_list_marks(const clprims_segmented *plan, const clp_segmented_run *run,
                                        clp_step steps[2]);

/* run: all arrays filled in. */
clprims_status clp_segmented_enqueue_pass(clprims_segmented *plan, const clp_segmented_run *run);
clprims_status clp_segmented_warm_up_pass(clprims_segmented *plan, const clp_segmented_run *run);

/* ---- segmented.c ---- */

clprims_status clp_segmented_submit(clprims_segmented *plan, const clp_segmented_run *run);

#endif
