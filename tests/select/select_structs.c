/* SPDX-License-Identifier: MIT */
/* Elements of many sizes and alignments, alone and beside narrow ones. */
#include "fixtures/select_cases.h"
#include "fixtures/sized_structs.h"

typedef struct struct_case {
    const sized_struct *type;
    const pass_way *way;
    size_t k;
} struct_case;

static void struct_is_right(const void *data) {
    static const size_t sizes[] = {1, 63, 300, 1025};
    const struct_case *s = data;
    char predicate[64];
    select_case c = {.desc = select_describe(CLPRIMS_SELECT_PREDICATE, CLPRIMS_U8, 2, s->way)};
    snprintf(predicate, sizeof predicate, "(%s & 1) != 0", s->type->first);
    c.desc.predicate = predicate;
    c.desc.type[0] = CLPRIMS_STRUCT;
    c.desc.custom = sized_type(s->type);
    c.desc.partition = s->k % 3 == 1;
    c.desc.max_n = 1025;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (test_small() && sizes[i] > 100) continue;
        c.n = sizes[i];
        c.pattern = (select_pattern)((3 * i + s->k) % SELECT_PATTERNS);
        c.in_first = i;
        c.out_first = 2 * i;
        c.in_place = i % 2 == 1 && !c.desc.partition && pass_is_in_place(s->way->algorithm);
        test_note("n = %zu", c.n);
        select_is_right(&c);
    }
}

void add_struct_cases(test_cases *cases) {
    size_t count;
    const pass_way *ways = pass_ways(&count);
    for (size_t k = 0; k < SIZED_STRUCTS * count; k++) {
        const struct_case c = {&sized_structs[k % SIZED_STRUCTS], &ways[k / SIZED_STRUCTS], k};
        /* In the default tier each type has one of the ways. */
        if (!test_long() && k % SIZED_STRUCTS % count != k / SIZED_STRUCTS) continue;
        if (c.way->algorithm == CLPRIMS_ALGORITHM_LOOKAHEAD) continue;
        test_add_row(cases, struct_is_right, c, "select/structs/%s/%s", c.type->name, c.way->name);
    }
}
