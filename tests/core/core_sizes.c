/* SPDX-License-Identifier: MIT */
/* Structures of other versions: shorter ones are taken, and what lies behind them is neither read
 * nor written; longer ones are refused. */
#include "core/core_cases.h"
#include "subjects/subjects.h"

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

typedef struct sized {
    const char *name;
    const subject *of; /* NULL: a context */
    size_t bytes; /* today */
    size_t shorter; /* still enough */
} sized;

#define END(type, member) ((offsetof(type, member) + sizeof(((type *)NULL)->member) + 7) / 8 * 8)

static const size_t sizes_of_plans[SUBJECT_NUMBERS] = {100, 100, 100};

static clprims_status create_plan(const subject *of, size_t bytes) {
    char described[SUBJECT_DESC_BYTES + MORE];
    void *plan = NULL;
    subject_describe(of, of->plain, NULL, sizes_of_plans, described);
    cut(described, of->desc_bytes, bytes);
    const clprims_status status =
        of->create(&plan, test_context(), at_end_of_page(described, bytes));
    of->destroy(plan);
    return status;
}

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

static clprims_status create_sized(const sized *s, size_t bytes) {
    return s->of != NULL ? create_plan(s->of, bytes) : create_context(bytes);
}

static void description(const void *data) {
    const sized *s = data;
    char sizes[64];
    expect_ok(create_sized(s, s->bytes));
    expect_ok(create_sized(s, s->shorter));
    snprintf(sizes, sizeof sizes, "struct_size = %zu exceeds the %zu", s->bytes + 8, s->bytes);
    expect_failure(create_sized(s, s->bytes + 8), CLPRIMS_ERR_ARGUMENT, sizes);
    expect_failure(create_sized(s, 8), CLPRIMS_ERR_ARGUMENT, "struct_size = 8 is no size from");
    for (size_t bytes = 9; bytes < s->bytes; bytes++) {
        if (bytes % sizeof(size_t) == 0) continue;
        expect_failure(create_sized(s, bytes), CLPRIMS_ERR_ARGUMENT, "is no size from");
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

typedef struct info_row {
    const char *name;
    const subject *of; /* NULL: `describe` has no plan */
    clprims_status (*describe)(void *info);
    size_t bytes, first_bytes; /* the second: of the member behind struct_size */
} info_row;

static clprims_status describe_device(void *info) {
    return clprims_device_describe(0, info);
}

static clprims_status describe_knob(void *info) {
    return clprims_knob_describe(0, info);
}

static clprims_status describe(const info_row *row, void *info) {
    void *plan = NULL;
    if (row->of == NULL) return row->describe(info);
    expect_ok(subject_create(row->of, test_context(), row->of->plain, NULL, sizes_of_plans, &plan));
    const clprims_status status = row->of->describe(plan, sizes_of_plans, info);
    row->of->destroy(plan);
    return status;
}

#define INFO(name, first)                                                                          \
    {                                                                                              \
#name, NULL, describe_##name, sizeof(clprims_##name##_info),                               \
            sizeof(((clprims_##name##_info *)NULL)->first)                                         \
    }
static const info_row infos[] = {INFO(device, platform), INFO(knob, key)};

/* The first half of the structure, as the whole one has it, and nothing behind it. */
static void half_given(const void *data) {
    const info_row *row = data;
    const size_t half = row->bytes / 16 * 8;
    unsigned char *whole = test_alloc(row->bytes + MORE, 1),
                  *part = test_alloc(row->bytes + MORE, 1);
    cut(whole, row->bytes, row->bytes);
    expect_ok(describe(row, whole));
    memset(part, 0, row->bytes);
    cut(part, row->bytes, half);
    expect_ok(describe(row, part));
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
    const sized context = {"context", NULL, sizeof(clprims_context_options),
                           END(clprims_context_options, queue)};
    test_add(cases, description, &context, sizeof context, "core/sizes/%s", context.name);
    test_add_rows(cases, half_given, infos, "core/sizes/info");
    for (size_t i = 0; i < SUBJECT_COUNT; i++) {
        const subject *of = subjects[i];
        const sized s = {of->name, of, of->desc_bytes, of->least_desc_bytes};
        const info_row info = {of->name, of, NULL, of->info.bytes, of->info.first_bytes};
        test_add(cases, description, &s, sizeof s, "core/sizes/%s", of->name);
        if (of->describe == NULL) continue;
        test_add(cases, half_given, &info, sizeof info, "core/sizes/info/%s", of->name);
    }
    test_add(cases, inner_taken, NULL, 0, "core/sizes/custom");
    test_add(cases, inner_given, NULL, 0, "core/sizes/info/context");
    test_add(cases, buffers, NULL, 0, "core/sizes/select-buffers");
    test_add(cases, arrays, NULL, 0, "core/sizes/forest-arrays");
}
