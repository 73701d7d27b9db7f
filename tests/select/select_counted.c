/* SPDX-License-Identifier: MIT */
/* Selections whose number of elements stands in device memory. */
#include "fixtures/select_cases.h"
#include "subjects/runs/subject_counted.h"

typedef struct counted_case {
    const pass_way *way;
    bool partition; /* else with indices */
    bool in_place;
} counted_case;

static size_t most_n(void) {
    return test_small() ? 300 : 9001;
}

static clprims_select_desc describe(const counted_case *c) {
    clprims_select_desc desc = select_describe(CLPRIMS_SELECT_PREDICATE, CLPRIMS_U32, 1, c->way);
    desc.indices = c->partition ? CLPRIMS_TYPE_DEFAULT : CLPRIMS_U32;
    desc.partition = c->partition;
    desc.max_n = most_n();
    return desc;
}

static subject_data data_like(const clprims_select_desc *desc) {
    return (subject_data){.of = &subject_select, .desc = desc, .most = {desc->max_n}};
}

/* Plain and counted runs of one plan in turn. */
static void counted_is_right(const void *data) {
    const counted_case *c = data;
    const clprims_select_desc desc = describe(c);
    const subject_data like = data_like(&desc);
    clprims_select *plan = select_plan(&desc);
    clprims_select_info info = {0};
    expect_ok(clprims_select_describe(plan, desc.max_n, &info));
    subject_counted_is_right(&like, plan, info.tile, c->in_place);
}

void add_counted_cases(test_cases *cases) {
    size_t count;
    const pass_way *ways = pass_ways(&count);
    for (size_t w = 0; w < count; w++) {
        const bool places = pass_is_in_place(ways[w].algorithm);
        for (int partition = 0; partition < (w % 2 == 0 ? 2 : 1); partition++) {
            const counted_case c = {&ways[w], partition, places && !partition && w % 2 == 1};
            test_add_row(cases, counted_is_right, c, "select/counted/%s%s%s", ways[w].name,
                         c.partition ? "/partition" : "", c.in_place ? "/in-place" : "");
        }
    }
}
