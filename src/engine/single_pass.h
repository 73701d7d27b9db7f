/* SPDX-License-Identifier: MIT */
/*
 * The single-pass engine of scan, offsets, select and segmented. One launch computes the exclusive
 * prefixes of all tiles and applies them, by look-back (Merrill and Garland 2016) or by look-ahead.
 * Where work-groups cannot pass values to each other, three launches do (reduce-then-scan, "by
 * levels"). A primitive brings its programs and its own arguments. The engine chooses the variants
 * and their tiles, and brings the published state, the tickets and the run's number.
 *
 * From a plan to its programs:
 *   the primitive        fills a clp_pass_need (single_pass_shape.h): scan_spec.c, offsets.c,
 *                        select_text.c, segmented_lookahead.c
 *   operation.c          types, operator, initial value: checks, and the text that defines them
 *   single_pass.c        clp_pass_prepare: the variants of the plan, up to which n each, programs
 *   variants.c           what each variant is: name, key of its tuning lines, kind of tiles
 *   single_pass_shape.c  a variant's tiles, from defaults, tuning and what the device allows; the
 *                        macros that tell the program
 *   single_pass_knobs.c  what tuning may set
 *
 * From a run to its kernel, whose file is in cl/engine (count.cl lists all of them):
 *   scan.c               clprims_scan_enqueue: checks, arguments
 *   single_pass.c        clp_pass_enqueue: the variant for this n, arguments, launches
 *   run_number.h         the number that all published words of the run bear
 *     lookahead                            lookahead_kernel.cl, on lookahead.cl
 *     single-wave                          single_wave.cl, on single_wave_tile.cl
 *     single-wave-small                    single_wave_small.cl, on single_wave_tile.cl
 *     lookback, lookback-fallback          lookback_kernel.cl, on lookback.cl
 *     serial-tile, serial-tile-fallback    lookback_serial.cl, on lookback.cl
 *     levels                               lookback_kernel.cl, on levels.cl; level_sums.cl
 *     levels-serial                        lookback_serial.cl, on levels.cl; level_sums.cl
 * A kernel loads and stores tiles by cl/tile; types.cl lists the files. Select and segmented have
 * kernels of their own on the same files, in cl/select and cl/segmented. Back to the caller:
 * clp_pass_enqueue submits the launches by clp_plan_enqueue_steps, whose event is the caller's.
 */
#ifndef CLP_PASS_H
#define CLP_PASS_H

#include "engine/single_pass_shape.h"
#include "plan/plan_arguments.h"

/* The algorithm for whole numbers, whose order of addition does not matter: `wanted`, or for AUTO
 * the fastest that is known to be safe. */
clprims_status clp_pass_choose(const clprims_context *context, const char *who,
                               clprims_algorithm wanted, clprims_algorithm *chosen);

/* Whether tiles can publish words to each other; if not, UNSUPPORTED says why. */
clprims_status clp_pass_check_words(const clprims_context *context, const char *who,
                                    clprims_algorithm wanted);

static inline bool clp_pass_can_look_ahead(const clprims_context *context) {
    return context->layer == CLPRIMS_LAYER_NVIDIA;
}

/* Whether look-ahead takes elements of that size out of its stages. */
static inline bool clp_pass_stages(size_t bytes) {
    return bytes <= 2 || bytes % 4 == 0;
}

/* A variant that a plan may launch. */
typedef struct clp_pass_kernel {
    clp_shape shape;
    size_t most_n; /* it takes runs of up to this number of elements; 0: none */
    cl_program program; /* NULL where no n up to max_n gets this variant */
    cl_kernel kernel;
    cl_kernel reduce, sums; /* by levels: launched before the kernel; NULL: one tile at most */
} clp_pass_kernel;

enum { CLP_PASS_MOST_KERNELS = 3 };

/* All kernels of a plan share the state. That is safe as no two runs bear the same number: what one
 * kernel published is nothing to another's run. */
typedef struct clp_pass {
    clp_plan *plan; /* owns all that the pass makes */
    clp_pass_kernel kernels[CLP_PASS_MOST_KERNELS]; /* the first one that takes n runs */
    size_t count;
    cl_mem state;
    cl_mem tickets;
    cl_uint run; /* the last one submitted */
} clp_pass;

/* *pass is {0}. */
clprims_status clp_pass_prepare(clp_pass *pass, clp_plan *plan, const clp_pass_need *need);

/* The kernel that n elements get. It was built if n <= max_n. */
const clp_pass_kernel *clp_pass_choose_kernel(const clp_pass *pass, size_t n);

/* Work-groups that n elements get. */
size_t clp_pass_groups(const clp_shape *shape, size_t n);

/* One run's place in a queue. */
typedef struct clp_pass_run {
    clp_call call;
    size_t n; /* elements; 0 is one empty tile */
    clprims_buffer counted; /* holds the number of elements, at most n; {NULL, 0}: it is n */
    bool warms_up; /* launches all kernels in place of the run; n does not count, nor the queue */
} clp_pass_run;

/* Submits a run. The kernel gets the primitive's arguments, to which state, tickets, the run's
 * number and where its elements are counted are added. */
clprims_status clp_pass_enqueue(clp_pass *pass, clp_arguments *arguments, const clp_pass_run *run);

#endif
