/* SPDX-License-Identifier: MIT */
/* Structures of other versions: shorter ones are taken, and what lies behind them is neither read
 * nor written; longer ones are refused. */
#include "core/core_cases.h"

#include <clprims/clprims.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { NOISE = 0xa5, MORE = 64 };

/* Makes the structure one of so many bytes: behind them is noise, which is no pointer to anything.
 */
static void cut(void *structure, size_t whole, size_t bytes) {
    if (bytes < whole + MORE) memset((char *)structure + bytes, NOISE, whole + MORE - bytes);
    memcpy(structure, &bytes, sizeof bytes);
}

/* The first bytes of the structure, which end where a page begins that must not be touched. */
static void *at_end_of_page(const void *structure, size_t bytes) {
    enum { PAGE = 1 << 16 };
    static char *pages;
    if (pages == NULL) {
        const int zeros = open("/dev/zero", O_RDONLY);
        pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, zeros, 0);
        assert_true(pages != MAP_FAILED);
        assert_int_equal(mprotect(pages + PAGE, PAGE, PROT_NONE), 0);
        close(zeros);
    }
    return memcpy(pages + PAGE - bytes, structure, bytes);
}

/* ---- Descriptions ---------------------------------------------------------------------------- */

/* Creates something from a description of so many bytes, and gives it back. */
typedef clprims_status create_sized(size_t bytes);

typedef struct sized {
    const char *name;
    create_sized *create;
    size_t bytes; /* today */
    size_t shorter; /* still enough */
} sized;

#define END(type, member) ((offsetof(type, member) + sizeof(((type *)NULL)->member) + 7) / 8 * 8)

#define CREATE(prim, INIT, set)                                                                    \
    static clprims_status create_##prim(size_t bytes) {                                            \
        struct {                                                                                   \
            clprims_##prim##_desc desc;                                                            \
            char more[MORE];                                                                       \
        } s = {INIT, {0}};                                                                         \
        clprims_##prim *plan = NULL;                                                               \
        set;                                                                                       \
        cut(&s.desc, sizeof s.desc, bytes);                                                        \
        const clprims_status status =                                                              \
            clprims_##prim##_create(&plan, test_context(), at_end_of_page(&s.desc, bytes));        \
        clprims_##prim##_destroy(plan);                                                            \
        return status;                                                                             \
    }

CREATE(scan, CLPRIMS_SCAN_DESC_INIT, (s.desc.type = CLPRIMS_I32, s.desc.max_n = 100))
CREATE(offsets, CLPRIMS_OFFSETS_DESC_INIT, (s.desc.type = CLPRIMS_I32, s.desc.max_n = 100))
CREATE(select, CLPRIMS_SELECT_DESC_INIT,
       (s.desc.arrays = 1, s.desc.type[0] = CLPRIMS_I32, s.desc.max_n = 100))
CREATE(reduce, CLPRIMS_REDUCE_DESC_INIT, (s.desc.type = CLPRIMS_I32, s.desc.max_n = 100))
CREATE(segmented, CLPRIMS_SEGMENTED_DESC_INIT,
       (s.desc.type = CLPRIMS_I32, s.desc.max_n = s.desc.max_segments = 100))
CREATE(sort, CLPRIMS_SORT_DESC_INIT, (s.desc.type = CLPRIMS_I32, s.desc.max_n = 100))
CREATE(segmented_sort, CLPRIMS_SEGMENTED_SORT_DESC_INIT,
       (s.desc.type = CLPRIMS_I32, s.desc.max_n = s.desc.max_segments = 100))
CREATE(topk, CLPRIMS_TOPK_DESC_INIT, (s.desc.type = CLPRIMS_I32, s.desc.max_n = s.desc.max_k = 100))
CREATE(histogram, CLPRIMS_HISTOGRAM_DESC_INIT,
       (s.desc.type = CLPRIMS_I32, s.desc.bins = 4, s.desc.most = 8, s.desc.max_n = 100))
CREATE(merge, CLPRIMS_MERGE_DESC_INIT,
       (s.desc.type = CLPRIMS_I32, s.desc.max_a = s.desc.max_b = 100))
CREATE(search, CLPRIMS_SEARCH_DESC_INIT,
       (s.desc.type = CLPRIMS_I32, s.desc.max_sorted = s.desc.max_n = 100))
CREATE(parents, CLPRIMS_PARENTS_DESC_INIT, s.desc.max_n = s.desc.max_segments = 100)
CREATE(gather, CLPRIMS_GATHER_DESC_INIT, (s.desc.type = CLPRIMS_I32, s.desc.max_n = 100))
CREATE(list, CLPRIMS_LIST_DESC_INIT, s.desc.max_n = 100)
CREATE(listscan, CLPRIMS_LISTSCAN_DESC_INIT, (s.desc.type = CLPRIMS_I32, s.desc.max_n = 100))
CREATE(forest, CLPRIMS_FOREST_DESC_INIT, s.desc.max_n = 100)
CREATE(minplus, CLPRIMS_MINPLUS_DESC_INIT, s.desc.type = CLPRIMS_F32)
CREATE(paths, CLPRIMS_PATHS_DESC_INIT, s.desc.max_n = 100)

static char device_name[128];

static clprims_status create_context(size_t bytes) {
    struct {
        clprims_context_options options;
        char more[MORE];
    } s = {CLPRIMS_CONTEXT_OPTIONS_INIT, {0}};
    clprims_context *context = NULL;
    snprintf(device_name, sizeof device_name, "%s", test_info().device.name);
    s.options.device = device_name;
    cut(&s.options, sizeof s.options, bytes);
    const clprims_status status =
        clprims_context_create(&context, at_end_of_page(&s.options, bytes));
    clprims_context_destroy(context);
    return status;
}

#define SIZED(prim, member)                                                                        \
    { #prim, create_##prim, sizeof(clprims_##prim##_desc), END(clprims_##prim##_desc, member) }

static const sized descriptions[] = {
    SIZED(scan, max_n),
    SIZED(offsets, max_n),
    SIZED(select, max_n),
    SIZED(reduce, max_n),
    SIZED(segmented, max_segments),
    SIZED(sort, max_n),
    SIZED(segmented_sort, max_segments),
    SIZED(topk, max_k),
    SIZED(histogram, most),
    SIZED(merge, max_b),
    SIZED(search, max_n),
    SIZED(parents, max_segments),
    SIZED(gather, max_n),
    SIZED(list, max_n),
    SIZED(listscan, max_n),
    SIZED(forest, max_n),
    SIZED(minplus, semiring),
    SIZED(paths, max_n),
    {"context", create_context, sizeof(clprims_context_options),
     END(clprims_context_options, queue)},
};

static void description(const void *data) {
    const sized *s = data;
    char sizes[64];
    expect_ok(s->create(s->bytes));
    expect_ok(s->create(s->shorter));
    snprintf(sizes, sizeof sizes, "struct_size = %zu exceeds the %zu", s->bytes + 8, s->bytes);
    expect_failure(s->create(s->bytes + 8), CLPRIMS_ERR_ARGUMENT, sizes);
    expect_failure(s->create(8), CLPRIMS_ERR_ARGUMENT, "struct_size = 8 is no size from");
    for (size_t bytes = 9; bytes < s->bytes; bytes++) {
        if (bytes % sizeof(size_t) == 0) continue;
        expect_failure(s->create(bytes), CLPRIMS_ERR_ARGUMENT, "is no size from");
    }
}

/* ---- What an older caller has in the middle -------------------------------------------------- */

/* scan.h of a version whose clprims_custom ended behind the operator. */
typedef struct old_scan_desc {
    size_t struct_size;
    clprims_type type, accumulator;
    clprims_op op;
    int inclusive;
    const void *init;
    size_t max_n;
    clprims_algorithm algorithm;
    int fast_floats;
    const char *input;
    int no_input_array;
    struct {
        size_t struct_size;
        const char *op;
    } custom;
    const char *tuning;
} old_scan_desc;

static void inner_taken(const void *data) {
    (void)data;
    static const int32_t in[3] = {1, 5, 2}, expected[3] = {1, 5, 5};
    old_scan_desc desc = {.struct_size = sizeof desc,
                          .type = CLPRIMS_I32,
                          .op = CLPRIMS_CUSTOM,
                          .inclusive = 1,
                          .max_n = 100,
                          .custom = {sizeof desc.custom, "a > b ? a : b"}};
    const clprims_scan_desc *given = (const void *)&desc;
    clprims_scan *scan = NULL;
    int32_t out[3];
    expect_ok(clprims_scan_create(&scan, test_context(), given));
    expect_ok(clprims_scan_run(scan, in, out, 3));
    expect_values(CLPRIMS_I32, expected, out, 3);
    clprims_scan_destroy(scan);
    desc.tuning = "NONSENSE=1";
    expect_failure(clprims_scan_create(&scan, test_context(), given), CLPRIMS_ERR_ARGUMENT,
                   "NONSENSE=1");
    desc.custom.struct_size = sizeof(clprims_custom) + 8;
    expect_failure(clprims_scan_create(&scan, test_context(), given), CLPRIMS_ERR_ARGUMENT,
                   "custom.struct_size");
    desc.custom.struct_size = 0;
    expect_failure(clprims_scan_create(&scan, test_context(), given), CLPRIMS_ERR_ARGUMENT,
                   "custom.struct_size = 0");
}

typedef struct old_context_info {
    cl_context context;
    cl_device_id device_id;
    cl_command_queue queue;
    size_t device_size;
    cl_platform_id platform;
    cl_device_id id;
    clprims_layer layer;
    size_t subgroup_width;
    const char *reason;
} old_context_info;

static void inner_given(const void *data) {
    (void)data;
    struct {
        size_t struct_size;
        old_context_info info;
        unsigned char behind[8];
    } s;
    const clprims_context_info info = test_info();
    memset(&s, NOISE, sizeof s);
    s.struct_size = sizeof s.struct_size + sizeof s.info;
    s.info.device_size = 3 * sizeof(size_t);
    expect_ok(clprims_context_describe(test_context(), (clprims_context_info *)(void *)&s));
    assert_int_equal(s.struct_size, sizeof s.struct_size + sizeof s.info);
    assert_int_equal(s.info.device_size, 3 * sizeof(size_t));
    assert_ptr_equal(s.info.queue, info.queue);
    assert_ptr_equal(s.info.id, info.device.id);
    assert_int_equal(s.info.layer, info.layer);
    assert_int_equal(s.info.subgroup_width, info.subgroup_width);
    assert_string_equal(s.info.reason, info.reason);
    for (size_t i = 0; i < sizeof s.behind; i++) assert_int_equal(s.behind[i], NOISE);
    const size_t into_device = offsetof(clprims_context_info, device) + 1;
    s.struct_size = into_device;
    expect_failure(clprims_context_describe(test_context(), at_end_of_page(&s, into_device)),
                   CLPRIMS_ERR_ARGUMENT, "is no size from");
}

/* ---- What is described ----------------------------------------------------------------------- */

typedef clprims_status describe_sized(void *info);

typedef struct info_row {
    const char *name;
    describe_sized *describe;
    size_t bytes,
        first_bytes; /* first_bytes: of the member behind struct_size; padding may follow */
} info_row;

static clprims_status describe_device(void *info) {
    return clprims_device_describe(0, info);
}

static clprims_status describe_knob(void *info) {
    return clprims_knob_describe(0, info);
}

static clprims_status describe_scan(void *info) {
    clprims_scan_desc desc = CLPRIMS_SCAN_DESC_INIT;
    clprims_scan *scan = NULL;
    desc.type = CLPRIMS_I32;
    desc.max_n = 100;
    expect_ok(clprims_scan_create(&scan, test_context(), &desc));
    const clprims_status status = clprims_scan_describe(scan, 100, info);
    if (status == CLPRIMS_OK) clprims_scan_destroy(scan);
    return status;
}

static clprims_status describe_offsets(void *info) {
    clprims_offsets_desc desc = CLPRIMS_OFFSETS_DESC_INIT;
    clprims_offsets *plan = NULL;
    desc.type = CLPRIMS_I32;
    desc.max_n = 100;
    expect_ok(clprims_offsets_create(&plan, test_context(), &desc));
    const clprims_status status = clprims_offsets_describe(plan, 100, info);
    if (status == CLPRIMS_OK) clprims_offsets_destroy(plan);
    return status;
}

static clprims_status describe_select(void *info) {
    clprims_select_desc desc = CLPRIMS_SELECT_DESC_INIT;
    clprims_select *plan = NULL;
    desc.arrays = 1;
    desc.type[0] = CLPRIMS_I32;
    desc.max_n = 100;
    expect_ok(clprims_select_create(&plan, test_context(), &desc));
    const clprims_status status = clprims_select_describe(plan, 100, info);
    if (status == CLPRIMS_OK) clprims_select_destroy(plan);
    return status;
}

static clprims_status describe_reduce(void *info) {
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    clprims_reduce *plan = NULL;
    desc.type = CLPRIMS_I32;
    desc.max_n = 100;
    expect_ok(clprims_reduce_create(&plan, test_context(), &desc));
    const clprims_status status = clprims_reduce_describe(plan, 100, info);
    if (status == CLPRIMS_OK) clprims_reduce_destroy(plan);
    return status;
}

static clprims_status describe_segmented(void *info) {
    clprims_segmented_desc desc = CLPRIMS_SEGMENTED_DESC_INIT;
    clprims_segmented *plan = NULL;
    desc.type = CLPRIMS_I32;
    desc.max_n = desc.max_segments = 100;
    expect_ok(clprims_segmented_create(&plan, test_context(), &desc));
    const clprims_status status = clprims_segmented_describe(plan, 100, 100, info);
    if (status == CLPRIMS_OK) clprims_segmented_destroy(plan);
    return status;
}

static clprims_status describe_sort(void *info) {
    clprims_sort_desc desc = CLPRIMS_SORT_DESC_INIT;
    clprims_sort *plan = NULL;
    desc.type = CLPRIMS_I32;
    desc.max_n = 100;
    expect_ok(clprims_sort_create(&plan, test_context(), &desc));
    const clprims_status status = clprims_sort_describe(plan, 100, info);
    if (status == CLPRIMS_OK) clprims_sort_destroy(plan);
    return status;
}

static clprims_status describe_segmented_sort(void *info) {
    clprims_segmented_sort_desc desc = CLPRIMS_SEGMENTED_SORT_DESC_INIT;
    clprims_segmented_sort *plan = NULL;
    desc.type = CLPRIMS_I32;
    desc.max_n = desc.max_segments = 100;
    expect_ok(clprims_segmented_sort_create(&plan, test_context(), &desc));
    const clprims_status status = clprims_segmented_sort_describe(plan, 100, 100, info);
    if (status == CLPRIMS_OK) clprims_segmented_sort_destroy(plan);
    return status;
}

static clprims_status describe_topk(void *info) {
    clprims_topk_desc desc = CLPRIMS_TOPK_DESC_INIT;
    clprims_topk *plan = NULL;
    desc.type = CLPRIMS_I32;
    desc.max_n = desc.max_k = 100;
    expect_ok(clprims_topk_create(&plan, test_context(), &desc));
    const clprims_status status = clprims_topk_describe(plan, 100, 100, info);
    if (status == CLPRIMS_OK) clprims_topk_destroy(plan);
    return status;
}

static clprims_status describe_histogram(void *info) {
    clprims_histogram_desc desc = CLPRIMS_HISTOGRAM_DESC_INIT;
    clprims_histogram *plan = NULL;
    desc.type = CLPRIMS_I32;
    desc.bins = 4;
    desc.most = 8;
    desc.max_n = 100;
    expect_ok(clprims_histogram_create(&plan, test_context(), &desc));
    const clprims_status status = clprims_histogram_describe(plan, 100, info);
    if (status == CLPRIMS_OK) clprims_histogram_destroy(plan);
    return status;
}

static clprims_status describe_merge(void *info) {
    clprims_merge_desc desc = CLPRIMS_MERGE_DESC_INIT;
    clprims_merge *plan = NULL;
    desc.type = CLPRIMS_I32;
    desc.max_a = desc.max_b = 100;
    expect_ok(clprims_merge_create(&plan, test_context(), &desc));
    const clprims_status status = clprims_merge_describe(plan, 100, info);
    if (status == CLPRIMS_OK) clprims_merge_destroy(plan);
    return status;
}

static clprims_status describe_search(void *info) {
    clprims_search_desc desc = CLPRIMS_SEARCH_DESC_INIT;
    clprims_search *plan = NULL;
    desc.type = CLPRIMS_I32;
    desc.max_sorted = desc.max_n = 100;
    expect_ok(clprims_search_create(&plan, test_context(), &desc));
    const clprims_status status = clprims_search_describe(plan, 100, 100, info);
    if (status == CLPRIMS_OK) clprims_search_destroy(plan);
    return status;
}

static clprims_status describe_parents(void *info) {
    clprims_parents_desc desc = CLPRIMS_PARENTS_DESC_INIT;
    clprims_parents *plan = NULL;
    desc.max_n = desc.max_segments = 100;
    expect_ok(clprims_parents_create(&plan, test_context(), &desc));
    const clprims_status status = clprims_parents_describe(plan, 100, 100, info);
    if (status == CLPRIMS_OK) clprims_parents_destroy(plan);
    return status;
}

static clprims_status describe_gather(void *info) {
    clprims_gather_desc desc = CLPRIMS_GATHER_DESC_INIT;
    clprims_gather *plan = NULL;
    desc.type = CLPRIMS_I32;
    desc.max_n = 100;
    expect_ok(clprims_gather_create(&plan, test_context(), &desc));
    const clprims_status status = clprims_gather_describe(plan, 100, info);
    if (status == CLPRIMS_OK) clprims_gather_destroy(plan);
    return status;
}

static clprims_status describe_list(void *info) {
    clprims_list_desc desc = CLPRIMS_LIST_DESC_INIT;
    clprims_list *list = NULL;
    desc.max_n = 100;
    expect_ok(clprims_list_create(&list, test_context(), &desc));
    const clprims_status status = clprims_list_describe(list, 100, info);
    if (status == CLPRIMS_OK) clprims_list_destroy(list);
    return status;
}

static clprims_status describe_minplus(void *info) {
    const clprims_minplus_desc desc = CLPRIMS_MINPLUS_DESC_INIT;
    clprims_minplus *minplus = NULL;
    expect_ok(clprims_minplus_create(&minplus, test_context(), &desc));
    const clprims_status status = clprims_minplus_describe(minplus, info);
    if (status == CLPRIMS_OK) clprims_minplus_destroy(minplus);
    return status;
}

#define INFO(name, first)                                                                          \
    {                                                                                              \
#name, describe_##name, sizeof(clprims_##name##_info),                                     \
            sizeof(((clprims_##name##_info *)NULL)->first)                                         \
    }
static const info_row infos[] = {
    INFO(device, platform),   INFO(knob, key),         INFO(scan, algorithm),
    INFO(offsets, algorithm), INFO(select, algorithm), INFO(reduce, group),
    INFO(segmented, group),   INFO(sort, algorithm),   INFO(segmented_sort, algorithm),
    INFO(topk, group),        INFO(histogram, group),  INFO(merge, group),
    INFO(search, group),      INFO(parents, group),    INFO(gather, group),
    INFO(list, algorithm),    INFO(minplus, group),
};

/* The first half of the structure, as the whole one has it, and nothing behind it. */
static void half_given(const void *data) {
    const info_row *row = data;
    const size_t half = row->bytes / 16 * 8;
    unsigned char *whole = test_alloc(row->bytes + MORE, 1),
                  *part = test_alloc(row->bytes + MORE, 1);
    cut(whole, row->bytes, row->bytes);
    expect_ok(row->describe(whole));
    memset(part, 0, row->bytes);
    cut(part, row->bytes, half);
    expect_ok(row->describe(part));
    expect_elements(whole + 8, part + 8, row->first_bytes, 1);
    expect_elements(whole + 16, part + 16, half - 16, 1);
    for (size_t i = half; i < row->bytes + MORE; i++) assert_int_equal(part[i], NOISE);
    cut(part, row->bytes, row->bytes + 8);
    if (row->describe == describe_device)
        expect_failure(row->describe(part), CLPRIMS_ERR_ARGUMENT, "struct_size");
    free(whole);
    free(part);
}

/* ---- What a run is given --------------------------------------------------------------------- */

static void buffers(const void *data) {
    (void)data;
    clprims_select_desc desc = CLPRIMS_SELECT_DESC_INIT;
    clprims_select_buffers b = CLPRIMS_SELECT_BUFFERS_INIT;
    clprims_select_arrays a = CLPRIMS_SELECT_ARRAYS_INIT;
    clprims_select *select = NULL;
    const clprims_status wrong = CLPRIMS_ERR_ARGUMENT;
    size_t count;
    desc.arrays = 1;
    desc.type[0] = CLPRIMS_I32;
    desc.max_n = 100;
    expect_ok(clprims_select_create(&select, test_context(), &desc));
    b.struct_size += 8;
    expect_failure(clprims_select_enqueue(select, test_queue(), &b, 0, 0, 0, NULL, NULL), wrong,
                   "buffers.struct_size");
    b.struct_size = 0;
    expect_failure(clprims_select_enqueue(select, test_queue(), &b, 0, 0, 0, NULL, NULL), wrong,
                   "buffers.struct_size = 0");
    a.struct_size += 8;
    expect_failure(clprims_select_run(select, &a, 0, 0, &count), wrong, "arrays.struct_size");
    clprims_select_destroy(select);
}

static void arrays(const void *data) {
    (void)data;
    clprims_forest_desc desc = CLPRIMS_FOREST_DESC_INIT;
    clprims_forest_arrays a = CLPRIMS_FOREST_ARRAYS_INIT;
    clprims_forest *forest = NULL;
    const clprims_buffer none = {NULL, 0};
    desc.max_n = 100;
    expect_ok(clprims_forest_create(&forest, test_context(), &desc));
    a.struct_size += 8;
    expect_failure(clprims_forest_enqueue(forest, test_queue(), &a, 0, none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "arrays.struct_size");
    clprims_forest_destroy(forest);
}

void core_add_sizes(test_cases *cases) {
    for (size_t i = 0; i < sizeof descriptions / sizeof descriptions[0]; i++)
        test_add(cases, description, &descriptions[i], sizeof descriptions[i], "core/sizes/%s",
                 descriptions[i].name);
    for (size_t i = 0; i < sizeof infos / sizeof infos[0]; i++)
        test_add(cases, half_given, &infos[i], sizeof infos[i], "core/sizes/info/%s",
                 infos[i].name);
    test_add(cases, inner_taken, NULL, 0, "core/sizes/custom");
    test_add(cases, inner_given, NULL, 0, "core/sizes/info/context");
    test_add(cases, buffers, NULL, 0, "core/sizes/select-buffers");
    test_add(cases, arrays, NULL, 0, "core/sizes/forest-arrays");
}
