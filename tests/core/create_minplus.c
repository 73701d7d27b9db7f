/* SPDX-License-Identifier: MIT */
/* Runs of min-plus products and closures launch no kernel that create had not launched. */
#include "core/create_runs.h"
#include "subjects/subjects.h"

#define GROUP "HIGH=2 WIDE=4 ROWS=4 COLUMNS=4 DEPTH=8 UNROLL=2 SIGNLESS=0 BARRIERS=1"

/* The last two are for tiles that few devices but GPUs have. */
static const struct {
    size_t n;
    clprims_minplus_sizes others;
} sizes[] = {{1, {1, 1, 1}},     {5, {3, 7, 2}},         {64, {128, 300, 2}},   {64, {128, 20, 9}},
             {700, {16, 40, 1}}, {1000, {1000, 300, 1}}, {2048, {2048, 300, 2}}};
enum { SIZES = sizeof sizes / sizeof sizes[0], GPU_SIZES = 2, MOST_CELLS = 2 * 2048 * 2048 };

/* All elements are 0. */
static int32_t left[MOST_CELLS], right[MOST_CELLS], cells[MOST_CELLS], best[MOST_CELLS];

static bool is_cpu(void) {
    return (test_info().device.type & CL_DEVICE_TYPE_CPU) != 0;
}

/* A CPU takes groups of many only when it is told to. */
static void want_shape(const char *tuning) {
    if (tuning != NULL && is_cpu()) test_want_shapes();
}

typedef struct product {
    const char *name, *tuning;
    clprims_type type;
    bool accumulate, argmin;
} product;

/* The last one compiles for seconds on a CPU: it is for the long tier. */
static const product products[] = {{"minplus/floats", NULL, CLPRIMS_F32, false, false},
                                   {"minplus/floats/argmin", NULL, CLPRIMS_F32, false, true},
                                   {"minplus/integers", NULL, CLPRIMS_I32, true, false},
                                   {"minplus/group/argmin", GROUP, CLPRIMS_I32, true, true},
                                   {"minplus/group/floats", GROUP, CLPRIMS_F32, true, false}};
enum { PRODUCTS = sizeof products / sizeof products[0], SHORT_PRODUCTS = PRODUCTS - 1 };

static void run_products(const void *data) {
    const product *p = data;
    clprims_minplus_desc desc = {
        .type = p->type, .accumulate = p->accumulate, .argmin = p->argmin, .tuning = p->tuning};
    want_shape(p->tuning);
    clprims_minplus *minplus = subject_made_plan(&subject_minplus, &desc);
    create_is_over();
    for (size_t i = 0; i < SIZES - (is_cpu() ? GPU_SIZES : 0); i++) {
        const clprims_minplus_arrays arrays = {left, right, cells, p->argmin ? best : NULL,
                                               sizes[i].others};
        expect_ok(clprims_minplus_run(minplus, &arrays, sizes[i].n));
    }
}

typedef struct closure {
    const char *name, *tuning;
    clprims_type type;
    bool predecessors;
    size_t max_n;
} closure;

/* A few vertices are one block, some hundred a block of blocks. The last two are for the long tier,
 * likewise. */
static const closure closures[] = {{"paths/few", NULL, CLPRIMS_F32, false, 40},
                                   {"paths/lengths", NULL, CLPRIMS_F32, false, 600},
                                   {"paths/predecessors", NULL, CLPRIMS_I32, true, 600},
                                   {"paths/group/lengths", GROUP, CLPRIMS_I64, false, 300},
                                   {"paths/group/few", GROUP, CLPRIMS_I32, false, 40},
                                   {"paths/group/predecessors", GROUP, CLPRIMS_F32, true, 600}};
enum { CLOSURES = sizeof closures / sizeof closures[0], SHORT_CLOSURES = CLOSURES - 2 };

static void run_closures(const void *data) {
    static const size_t numbers[] = {0, 1, 40, 70, 300, 600};
    const closure *c = data;
    clprims_paths_desc desc = {
        .type = c->type, .max_n = c->max_n, .predecessors = c->predecessors, .tuning = c->tuning};
    want_shape(c->tuning);
    clprims_paths *paths = subject_made_plan(&subject_paths, &desc);
    create_is_over();
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && numbers[i] <= c->max_n; i++) {
        const clprims_paths_arrays arrays = {cells, c->predecessors ? best : NULL};
        expect_ok(clprims_paths_run(paths, &arrays, numbers[i]));
    }
}

void create_add_minplus(test_cases *cases) {
    for (size_t i = 0; i < (test_long() ? PRODUCTS : SHORT_PRODUCTS); i++) {
        create_add_run(cases, products[i].name, run_products, &products[i]);
    }
    for (size_t i = 0; i < (test_long() ? CLOSURES : SHORT_CLOSURES); i++) {
        create_add_run(cases, closures[i].name, run_closures, &closures[i]);
    }
}
