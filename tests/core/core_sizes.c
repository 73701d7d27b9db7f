/* SPDX-License-Identifier: MIT */
/* Structures of other versions: what a shorter one lacks is zero, and what lies behind it is
 * neither read nor written; what a longer one has besides must be zero. */
#include "core/core_cases.h"
#include "subjects/subjects.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

enum { NOISE = 0xa5, MORE = 64, HALF = 1 << 16 };

/* Two halves, of which the second must not be touched. */
static char *guarded_pages(void) {
#ifdef _WIN32
    DWORD was;
    char *pages = VirtualAlloc(NULL, 2 * HALF, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);
    assert_non_null(pages);
    assert_true(VirtualProtect(pages + HALF, HALF, PAGE_NOACCESS, &was));
#else
    const int zeros = open("/dev/zero", O_RDONLY);
    char *pages = mmap(NULL, 2 * HALF, PROT_READ | PROT_WRITE, MAP_PRIVATE, zeros, 0);
    assert_true(pages != MAP_FAILED);
    assert_int_equal(mprotect(pages + HALF, HALF, PROT_NONE), 0);
    close(zeros);
#endif
    return pages;
}

/* The first bytes of the structure, which end where a page begins that must not be touched. */
static void *at_end_of_page(const void *structure, size_t bytes) {
    static char *pages;
    if (pages == NULL) pages = guarded_pages();
    return memcpy(pages + HALF - bytes, structure, bytes);
}

/* ---- What is taken --------------------------------------------------------------------------- */

/* A structure that a call takes, and the call, with a structure of that size. */
typedef struct taken {
    const char *name; /* "desc" */
    const subject *of;
    size_t bytes; /* today */
    size_t least; /* the last byte that is not 0, and what is before that */
    clprims_status (*call)(const struct taken *t, const void *given, size_t bytes);
} taken;

static const size_t sizes_of_plans[SUBJECT_NUMBERS] = {100, 100, 100, 100};

static clprims_status create_plan(const taken *t, const void *given, size_t bytes) {
    void *plan = NULL;
    const clprims_status status = t->of->create(&plan, test_context(), given, bytes);
    t->of->destroy(plan);
    return status;
}

static clprims_status create_context(const taken *t, const void *given, size_t bytes) {
    clprims_context *context = NULL;
    (void)t;
    const clprims_status status = clprims_context_create_sized(&context, given, bytes);
    clprims_context_destroy(context);
    return status;
}

/* Sizes from the least one on are as the whole. */
static void expect_taken(const taken *t, const void *structure) {
    unsigned char room[SUBJECT_DESC_BYTES + MORE] = {0};
    char message[96];
    memcpy(room, structure, t->bytes);
    for (size_t bytes = t->least; bytes <= t->bytes; bytes += 7) {
        test_note("%zu bytes of %zu", bytes, t->bytes);
        expect_ok(t->call(t, at_end_of_page(room, bytes), bytes));
    }
    expect_ok(t->call(t, room, t->bytes + MORE));
    snprintf(message, sizeof message, "%s has %zu bytes, of which byte %zu is not 0", t->name,
             t->bytes + MORE, t->bytes + MORE - 1);
    room[t->bytes + MORE - 1] = 1;
    expect_failure(t->call(t, room, t->bytes + MORE), CLPRIMS_ERR_ARGUMENT, message);
    snprintf(message, sizeof message, "%s_bytes = 0", t->name);
    expect_failure(t->call(t, room, 0), CLPRIMS_ERR_ARGUMENT, message);
    snprintf(message, sizeof message, "%s_bytes = %zu", t->name, SIZE_MAX);
    expect_failure(t->call(t, room, SIZE_MAX), CLPRIMS_ERR_ARGUMENT, message);
}

static size_t least_of(const void *structure, size_t bytes) {
    while (bytes > 1 && ((const unsigned char *)structure)[bytes - 1] == 0) bytes--;
    return bytes;
}

static void description(const void *data) {
    const subject *of = ((const taken *)data)->of;
    char described[SUBJECT_DESC_BYTES];
    subject_describe(of, of->plain, NULL, sizes_of_plans, described);
    const taken t = {"desc", of, of->desc_bytes, least_of(described, of->desc_bytes), create_plan};
    expect_taken(&t, described);
}

static void options(void) {
    static char name[128];
    snprintf(name, sizeof name, "%s", test_info().device.name);
    const clprims_context_options chosen = {.device = name};
    const taken t = {"options", NULL, sizeof chosen, sizeof chosen.device, create_context};
    expect_taken(&t, &chosen);
}

/* ---- What is described ----------------------------------------------------------------------- */

typedef struct info_row {
    const char *name;
    const subject *of; /* NULL: `describe` has no plan */
    clprims_status (*describe)(void *info, size_t bytes);
    size_t bytes;
} info_row;

static clprims_status describe_device(void *info, size_t bytes) {
    return clprims_device_describe_sized(0, info, bytes);
}

static clprims_status describe_knob(void *info, size_t bytes) {
    return clprims_knob_describe_sized(0, info, bytes);
}

static clprims_status describe_context(void *info, size_t bytes) {
    return clprims_context_describe_sized(test_context(), info, bytes);
}

#define INFO(name)                                                                                 \
    { #name, NULL, describe_##name, sizeof(clprims_##name##_info) }
static const info_row infos[] = {INFO(device), INFO(knob), INFO(context)};

static clprims_status describe(const info_row *row, void *plan, void *info, size_t bytes) {
    if (row->of == NULL) return row->describe(info, bytes);
    return row->of->describe(plan, sizes_of_plans, info, bytes);
}

/* A part of the structure is as in the whole one, with nothing written behind it; what is beyond
 * the whole one is zero. */
static void parts_given(const void *data) {
    const info_row *row = data;
    const size_t room = row->bytes + MORE;
    unsigned char *whole = test_scratch(room, 1), *part = test_scratch(room, 1);
    void *plan = NULL;
    if (row->of != NULL) {
        expect_ok(
            subject_create(row->of, test_context(), row->of->plain, NULL, sizes_of_plans, &plan));
    }
    memset(whole, NOISE, room);
    expect_ok(describe(row, plan, whole, room));
    for (size_t i = row->bytes; i < room; i++) assert_int_equal(whole[i], 0);
    for (size_t bytes = 0; bytes <= row->bytes; bytes++) {
        memset(part, NOISE, room);
        expect_ok(describe(row, plan, part, bytes));
        assert_memory_equal(whole, part, bytes);
        for (size_t i = bytes; i < room; i++) assert_int_equal(part[i], NOISE);
    }
    if (row->of != NULL) row->of->destroy(plan);
}

void core_add_sizes(test_cases *cases) {
    test_add_plain(cases, options, "core/sizes/context");
    test_add_rows(cases, parts_given, infos, "core/sizes/info");
    for (size_t i = 0; i < SUBJECT_COUNT; i++) {
        const subject *of = subjects[i];
        const taken t = {.of = of};
        const info_row info = {of->name, of, NULL, of->info.bytes};
        test_add_row(cases, description, t, "core/sizes/%s", of->name);
        if (of->describe == NULL) continue;
        test_add_row(cases, parts_given, info, "core/sizes/info/%s", of->name);
    }
}
