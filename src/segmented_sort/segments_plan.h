/* SPDX-License-Identifier: MIT */
/*
 * Segmented sort: shape, plan, run. cl/segmented_sort/segments.cl says how it works. From
 * clprims_segmented_sort_enqueue for 2^28 uint32 keys in segments of many lengths, on an NVIDIA
 * GPU, to the kernels and back:
 *   segmented_sort.c    checks of the call
 *   segments_submit.c   list_steps: the launches below, if the plan's classes need them
 *   segments_groups.cl  clp_segments_short reads the offsets, sorts short segments by what
 *                       segments_lanes.cl has, and lists the others by class
 *   segments_lanes.cl   the classes that a sub-group sorts in registers
 *   segments_radix.cl   the classes that a team of a work-group sorts by digits
 *   segments_long.cl    tiles of long segments, for the onesweep of a plan of sort
 *   segments.cl         offsets, lists of segments; segments_ends.cl begins and reports
 * Few elements take one launch after the first (segments_few.cl). Other GPUs merge in teams of
 * segments_groups.cl, and gather long segments; CPUs have segments_serial.cl. The classes were
 * chosen when the plan was created (segments_shape.c), and the files of its programs are listed in
 * segments_text.c.
 */
#ifndef CLP_SEGMENTS_PLAN_H
#define CLP_SEGMENTS_PLAN_H

#include "sort/sort_plan.h"

#include <clprims/segmented_sort.h>

enum {
    CLP_SEGMENTS_GROUP,
    CLP_SEGMENTS_TEAMS,
    CLP_SEGMENTS_ITEMS,
    CLP_SEGMENTS_LARGE,
    CLP_SEGMENTS_LARGE_ITEMS,
    CLP_SEGMENTS_LANES,
    CLP_SEGMENTS_RADIX,
    CLP_SEGMENTS_FEW,
    CLP_SEGMENTS_TILES,
    CLP_SEGMENTS_MOST,
    CLP_SEGMENTS_KNOBS
};
enum { CLP_SEGMENTS_TILE_BYTES = 16 }; /* as cl/sort/sort_keys.cl has a tile */
enum { CLP_SEGMENTS_SHORT = 32, CLP_SEGMENTS_CLASSES = 8, CLP_SEGMENTS_RADIX_GROUP = 1024 };
enum { CLP_SEGMENTS_DIRECT = 1023 }; /* segments that one launch finds and sorts, at most */

/* segmented_sort_knobs.c, which explains them. */
extern const clp_knob clp_segments_knobs[CLP_SEGMENTS_KNOBS];

enum {
    CLP_SEGMENTS_KERNEL_BEGIN,
    CLP_SEGMENTS_KERNEL_FIRST, /* short or serial */
    CLP_SEGMENTS_KERNEL_STARTS,
    CLP_SEGMENTS_KERNEL_TILES,
    CLP_SEGMENTS_KERNEL_GATHER,
    CLP_SEGMENTS_KERNEL_SCATTER,
    CLP_SEGMENTS_KERNEL_COPY,
    CLP_SEGMENTS_KERNEL_FINISH,
    CLP_SEGMENTS_KERNEL_LANES, /* all of lanes, of few elements */
    CLP_SEGMENTS_KERNEL_FEW, /* all by digits */
    CLP_SEGMENTS_KERNEL_CLASSES, /* one each, but for the last class */
    CLP_SEGMENTS_KERNELS = CLP_SEGMENTS_KERNEL_CLASSES + CLP_SEGMENTS_CLASSES
};

/* What sorts the segments of a class: the lanes of a sub-group, or a team of work-items, which
 * merges or goes by digits. */
typedef enum clp_segments_by {
    CLP_SEGMENTS_BY_LANES_128, /* elements */
    CLP_SEGMENTS_BY_LANES_512,
    CLP_SEGMENTS_BY_LANES_1024,
    CLP_SEGMENTS_BY_TEAMS,
    CLP_SEGMENTS_BY_LARGE, /* a team is a whole group */
    CLP_SEGMENTS_BY_RADIX
} clp_segments_by;

/* Segments of more than `least` elements, up to `most`; the last class has no limit. */
typedef struct clp_segments_class {
    size_t least, most;
    cl_uint bits; /* log2 of a team's work-items */
    clp_segments_by by;
} clp_segments_class;

typedef struct clp_segments_shape {
    bool is_serial;
    size_t group; /* of the kernels that are not of teams; 1: serial */
    size_t block; /* offsets whose faults are noted together */
    size_t teams_group, teams_items; /* work-items of a group, elements of each */
    size_t large_group, large_items;
    size_t lanes_group; /* work-items of a group whose sub-groups sort in registers */
    bool by_lanes; /* whether they do */
    size_t most_words; /* of a lane */
    size_t radix_items; /* elements of a work-item of a team that sorts by digits; 0: none does */
    bool merges; /* some class is of teams that do */
    size_t most; /* elements of a segment that is sorted in local memory */
    size_t few; /* elements of a run that takes few launches, at most; 0: none does */
    size_t count_bytes; /* 4, or 8 for more elements than 32 bits count */
    size_t units;
    bool stays; /* groups take several turns */
    bool long_by_tiles; /* onesweep sorts long segments where they are */
    size_t tiles_n; /* elements of a run from which on it may, where few launches would do */
    size_t classes;
    clp_segments_class class[CLP_SEGMENTS_CLASSES];
} clp_segments_shape;

struct clprims_segmented_sort {
    clp_plan head;
    clp_sort_spec spec; /* of the keys and what moves with them */
    clprims_type offsets;
    bool by_length; /* no offsets: each segment has one length, which a run gives */
    bool local_indices;
    size_t max_segments;
    clp_segments_shape shape;
    cl_program program, radix_program;
    cl_kernel kernels[CLP_SEGMENTS_KERNELS];
    size_t list_room[CLP_SEGMENTS_CLASSES];
    cl_mem found, lists, table;
    cl_mem sizes; /* of a counted run */
    clp_sort_elements elements;
    cl_mem payloads[CLPRIMS_SORT_PAYLOADS + 1]; /* what in-place runs write first; elements last */
    cl_mem starts, total; /* of long segments: their tiles or gathered elements */
    cl_mem tiles; /* long_by_tiles: that onesweep takes */
    /* Of gathered elements, or of few launches, whose rounds use both copies in turn. */
    cl_mem keys[2], numbers[2];
    cl_mem places; /* where the elements of sorted keys were */
    clprims_sort *by_key; /* of long segments */
    clprims_sort *by_number; /* NULL where one segment at most is long, or with long_by_tiles */
};

/* What a run is asked for. */
typedef struct clp_segments_run {
    clp_call call;
    clprims_segmented_sort_buffers buffers;
    size_t n;
    bool in_place;
    clprims_sort_arrays arrays; /* of a run on plain arrays */
    const void *offsets; /* the same */
} clp_segments_run;

/* Whether some segment of n elements may have no room in local memory. */
static inline bool clp_segments_may_be_long(const clprims_segmented_sort *plan, size_t n) {
    return n > plan->shape.most;
}

/* Whether segments are so long, on average, that most elements are in long segments, which onesweep
 * sorts sooner than the merges of few launches do. */
static inline bool clp_segments_are_long(const clprims_segmented_sort *plan, size_t n,
                                         size_t segments) {
    const clp_segments_shape *shape = &plan->shape;
    return shape->long_by_tiles && n >= shape->tiles_n && segments <= n / 2 / shape->most;
}

/* Whether a run takes few launches. */
static inline bool clp_segments_is_few(const clprims_segmented_sort *plan, size_t n,
                                       size_t segments) {
    return n <= plan->shape.few && plan->shape.few > 0 && !clp_segments_are_long(plan, n, segments);
}

/* Whether long segments of n elements are sorted by launches of their own. */
static inline bool clp_segments_sorts_long(const clprims_segmented_sort *plan, size_t n,
                                           size_t segments) {
    return segments > 0 && clp_segments_may_be_long(plan, n) &&
           !clp_segments_is_few(plan, n, segments);
}

/* Whether some run of the plan does. */
static inline bool clp_segments_may_sort_long(const clprims_segmented_sort *plan) {
    return plan->max_segments > 0 && clp_segments_sorts_long(plan, plan->spec.max_n, 1);
}

/* Arrays that move as the keys do, indices aside: payloads, then elements of which keys are made.
 */
static inline size_t clp_segments_moved(const clp_sort_spec *spec) {
    return spec->payloads + clp_sort_moves_elements(spec);
}

/* The work-items of a group that sorts segments of that class. */
static inline size_t clp_segments_class_group(const clp_segments_shape *shape, clp_segments_by by) {
    switch (by) {
    case CLP_SEGMENTS_BY_LARGE:
        return shape->large_group;
    case CLP_SEGMENTS_BY_TEAMS:
        return shape->teams_group;
    default:
        return shape->lanes_group;
    }
}

/* The first class that is sorted by digits, or the last class. */
static inline size_t clp_segments_first_by_digits(const clp_segments_shape *shape) {
    size_t first = 0;
    while (first + 1 < shape->classes && shape->class[first].by != CLP_SEGMENTS_BY_RADIX) first++;
    return first;
}

/* segments_shape.c */
clprims_status clp_segments_choose_shape(clprims_segmented_sort *plan, const char *tuning);

/* segments_text.c */
clprims_status clp_segments_build(clprims_segmented_sort *plan);

/* segments_submit.c */
clprims_status clp_segments_submit(clprims_segmented_sort *plan, const clp_segments_run *run);
clprims_status clp_segments_warm_up(clprims_segmented_sort *plan);

#endif
