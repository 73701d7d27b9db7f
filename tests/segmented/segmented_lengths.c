/* SPDX-License-Identifier: MIT */
/* Reductions of rows of one length: rows of every short length, and of lengths around pieces, tiles
 * and parts of rows, by one plan of each description. */
#include "segmented/segmented_tries.h"

enum { MOST = 6000, LONGEST_SHORT = 40 };

typedef struct rows_kind {
    const char *name;
    const custom_operand *operand; /* NULL: a built-in operator */
    clprims_segmented_desc desc;
} rows_kind;

typedef struct rows_case {
    const rows_kind *kind;
    size_t n, length;
    segmented_try how;
} rows_case;

static void rows_are_right(const void *data) {
    const rows_case *c = data;
    clprims_segmented_desc desc = c->kind->desc;
    segmented_try how = c->how;
    how.desc = &desc;
    how.operand = c->kind->operand;
    if (how.operand != NULL) {
        CUSTOM_DESCRIBE(how.operand, &desc);
        desc.init = custom_start(how.operand);
    }
    const test_segments segments = segments_alike(c->n, c->length);
    segmented_expect(segmented_plan(&desc), &how, &segments);
}

#define BY_LENGTH                                                                                  \
    .by = CLPRIMS_SEGMENTS_EQUAL, .max_n = MOST, .max_segments = MOST,                             \
    .kind = CLPRIMS_SEGMENTED_REDUCE

/* Tiles of 128 to 1024 elements, loaded one by one or by vectors. */
static const int64_t seven = 7;
static const rows_kind kinds[] = {
    {"sums", NULL, {BY_LENGTH, .type = CLPRIMS_I32, .tuning = "GROUP=16"}},
    {"argmin",
     NULL,
     {BY_LENGTH, .type = CLPRIMS_I8, .op = CLPRIMS_ARGMIN, .local_index = 1, .init = &seven,
      .tuning = "GROUP=16 ITEMS=4"}},
    {"bytes",
     NULL,
     {BY_LENGTH, .type = CLPRIMS_U8, .op = CLPRIMS_MAX, .tuning = "GROUP=32 ITEMS=16"}},
    /* Does not commute. */
    {"custom", &custom_affine, {BY_LENGTH, .tuning = "GROUP=16"}},
};

static void add_rows(test_cases *cases, size_t kind, size_t n, size_t length, size_t first) {
    const rows_case c = {&kinds[kind], n, length, {.first = first, .by_run = first == 5}};
    test_add_row(cases, rows_are_right, c, "segmented/rows/%s/n=%zu/length=%zu/first=%zu",
                 kinds[kind].name, n, length, first);
}

/* Tiles of 512 elements, of whole rows; four at least, their number is a multiple of four. */
static void describe_says_whether_rows_are_short(void) {
    static const struct {
        size_t length, groups; /* 0: rows are too long */
    } runs[] = {{1, 10}, {3, 10}, {40, 11}, {100, 13}, {256, 10}, {257, 0}, {5000, 0}};
    const clprims_segmented *const plan = segmented_plan(&kinds[0].desc);
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        const clprims_segmented_sizes sizes = {.length = runs[k].length};
        clprims_segmented_info info = {0};
        expect_ok(clprims_segmented_describe(plan, 5000, sizes, &info));
        assert_int_equal(strcmp(info.variant, "rows") == 0, runs[k].groups > 0);
        if (runs[k].groups == 0) continue;
        assert_int_equal(info.groups, runs[k].groups);
        assert_int_equal(info.launches, 1);
    }
}

void add_row_cases(test_cases *cases) {
    if (!test_bears_shapes()) return;
    test_add_plain(cases, describe_says_whether_rows_are_short, "segmented/describe/rows");
    static const size_t lengths[] = {47,  48,  49,  63,  64,  65,   127,  128,  129, 255,
                                     256, 257, 511, 512, 513, 1023, 1024, 1025, 3000};
    const size_t more = sizeof lengths / sizeof lengths[0];
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        for (size_t j = 0; j < LONGEST_SHORT + more; j++) {
            const size_t length = j < LONGEST_SHORT ? j + 1 : lengths[j - LONGEST_SHORT];
            if (test_small() && (length > 256 || (j + k) % 4 != 0)) continue;
            const size_t many = test_small() ? 300 : MOST - j;
            add_rows(cases, k, many, length, (j + k) % 6);
            add_rows(cases, k, length + j % 3, length, (j + 3 * k) % 6);
        }
        add_rows(cases, k, 100, SIZE_MAX, k);
    }
}
