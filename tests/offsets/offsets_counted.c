/* SPDX-License-Identifier: MIT */
/* Offsets whose number of intervals stands in device memory. */
#include "offsets/offsets_cases.h"
#include "subjects/runs/subject_counted.h"

typedef struct counted_case {
    const pass_way *way;
    bool counts;
} counted_case;

static size_t most_n(void) {
    return test_small() ? 300 : 9001;
}

static clprims_offsets_desc describe(const counted_case *c) {
    clprims_offsets_desc desc = {.type = CLPRIMS_U32,
                                 .counts = c->counts,
                                 .max_n = most_n(),
                                 .algorithm = c->way->algorithm,
                                 .tuning = c->way->tuning};
    return desc;
}

/* Plain and counted runs of one plan in turn. */
static void counted_is_right(const void *data) {
    const clprims_offsets_desc desc = describe(data);
    const subject_data like = {.of = &subject_offsets, .desc = &desc, .most = {desc.max_n}};
    void *plan = subject_kept_plan(&subject_offsets, &desc);
    clprims_offsets_info info = {0};
    expect_ok(clprims_offsets_describe(plan, desc.max_n, &info));
    subject_counted_is_right(&like, plan, info.tile, false);
}

/* The lowest of faults that stand before n counts, none of those behind it. */
static void faults_behind_do_not_count(const void *data) {
    static const size_t numbers[] = {70, 71, 72, 300};
    offsets_case c = {.desc = describe(data), .counted = true, .bad = {71, 200, SIZE_MAX}};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        c.n = numbers[k];
        offsets_are_right(&c);
    }
}

void add_counted_cases(test_cases *cases) {
    size_t count;
    const pass_way *ways = pass_ways(&count);
    for (size_t w = 0; w < count; w++) {
        const counted_case c = {&ways[w], w % 3 == 1};
        test_add_row(cases, counted_is_right, c, "offsets/counted/%s%s", ways[w].name,
                     c.counts ? "/counts" : "");
        if (c.counts) continue;
        test_add_row(cases, faults_behind_do_not_count, c, "offsets/counted/faults/%s",
                     ways[w].name);
    }
}
