/* SPDX-License-Identifier: MIT */
/* Plans that only count: no room is needed for what they do not write. */
#include "fixtures/select_cases.h"

void add_count_cases(test_cases *cases) {
    static const pass_way chosen = {CLPRIMS_ALGORITHM_AUTO, NULL, "chosen"};
    static const clprims_select_by by[] = {CLPRIMS_SELECT_FLAGS, CLPRIMS_SELECT_PREDICATE,
                                           CLPRIMS_SELECT_NONZERO, CLPRIMS_SELECT_RUNS};
    static const char *const names[] = {"flags", "predicate", "nonzero", "runs"};
    for (size_t i = 0; i < 4 * sizeof by / sizeof by[0]; i++) {
        const bool none = i % 2 == 0;
        select_case c = {.desc = select_describe(by[i / 4], CLPRIMS_I32, 1, &chosen),
                         .pattern = KEEP_HALF,
                         .n = 1000,
                         .in_first = 1,
                         .lacking = none ? SIZE_MAX : 1,
                         .by_run = i / 2 % 2 == 0};
        c.desc.no_values = 1;
        c.desc.max_n = c.n;
        test_add_row(cases, select_is_right, c, "select/only-counts/%s/%s%s", names[i / 4],
                     none ? "no-room" : "less-room", c.by_run ? "/run" : "");
    }
}
