/* SPDX-License-Identifier: MIT */
/* Scans whose number of elements stands in device memory. */
#include "scan/scan_cases.h"
#include "subjects/runs/subject_counted.h"

typedef struct counted_case {
    clprims_scan_desc desc;
    bool in_place;
} counted_case;

static void counted_is_right(const void *data) {
    const counted_case *c = data;
    const subject_data like = scan_data(&c->desc, 0);
    clprims_scan *scan = scan_plan(&c->desc);
    clprims_scan_info info = {0};
    expect_ok(clprims_scan_describe(scan, c->desc.max_n, &info));
    subject_counted_is_right(&like, scan, info.tile, c->in_place);
}

/* ---- Cases ---- */

/* Of the programs that test_scan.c has. */
static clprims_scan_desc describe(clprims_algorithm algorithm, const scan_shape *shape,
                                  size_t max_n) {
    clprims_scan_desc desc = {
        .type = CLPRIMS_U32, .inclusive = 1, .max_n = max_n, .fast_floats = 1};
    scan_set(&desc, algorithm, shape);
    return desc;
}

void add_counted_cases(test_cases *cases) {
    const size_t most = test_small() ? 700 : 70001;
    for (int mode = 0; mode < scan_algorithm_count() * SCAN_SHAPES * 2; mode++) {
        const clprims_algorithm algorithm = scan_algorithm(mode / 2 / SCAN_SHAPES);
        const scan_shape *shape = &scan_shapes[mode / 2 % SCAN_SHAPES];
        const bool few = mode % 2 == 1; /* one group of the launch may take all */
        counted_case c = {.desc = describe(algorithm, shape, few ? 100 : most),
                          .in_place = mode % 3 == 1};
        test_add_row(cases, counted_is_right, c, "scan/counted/%s/%s/max=%zu%s",
                     clprims_algorithm_name(algorithm), shape->name, c.desc.max_n,
                     c.in_place ? "/in-place" : "");
    }
}
