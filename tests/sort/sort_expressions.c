/* SPDX-License-Identifier: MIT */
/* Keys that an expression with parameters makes of elements, structures and numbers. */
#include "fixtures/key_cases.h"
#include "sort/sort_suite.h"

/* ---- One key ---- */

static void spoil(void *desc, subject_refusal *r) {
    clprims_sort_desc *d = desc;
    KEY_REFUSED(sort)
    ILLEGAL("size-of-element", "sort: type_bytes = 16, the device's sizeof is 12",
            d->custom.type_bytes = 16)
}

#define KEYS(words, ...)                                                                           \
    { ELEMENT_MEMBERS(words), __VA_ARGS__ }
#define MOVED .indices = CLPRIMS_I64, .payloads = 1, .payload_bytes = {2}
#define SERIAL .algorithm = CLPRIMS_SORT_SERIAL, .tuning = test_small() ? NULL : "PARTS=3 SINGLE=0"
#define TILES                                                                                      \
    .algorithm = CLPRIMS_SORT_COUNT_SCATTER,                                                       \
    .tuning = test_small() ? NULL : "GROUP=8 ITEMS=3 SINGLE=0"

static void add_one_key(test_cases *cases) {
    const struct {
        const char *name;
        clprims_sort_desc desc;
    } ways[] = {
        {"numbers", KEYS(1, SERIAL, .type = CLPRIMS_U32, .max_n = 300)},
        {"moved", KEYS(2, TILES, .type = CLPRIMS_F32, .descending = 1, MOVED, .max_n = 100)},
        {"gathered", KEYS(3, SERIAL, .type = CLPRIMS_U32, MOVED, .max_n = 300)},
        {"gathered-alone", KEYS(3, SERIAL, .type = CLPRIMS_U32, .max_n = 300)},
        {"indices-alone", KEYS(10, .algorithm = CLPRIMS_SORT_SERIAL, .type = CLPRIMS_U16,
                               .descending = 1, .no_keys = 1, .indices = CLPRIMS_I64, .max_n = 99)},
        {"chosen", KEYS(10, .type = CLPRIMS_I64, .descending = 1, MOVED, .max_n = 300)},
    };
    enum { WAYS = sizeof ways / sizeof ways[0], GATHERED = 3 };
    const bool all = test_long() || test_info().layer == CLPRIMS_LAYER_NVIDIA;
    for (size_t w = 0; w < (all ? WAYS : WAYS - 1); w++) {
        key_add_case(cases, &subject_sort, &ways[w].desc, "sort", ways[w].name);
    }
    key_add_values(cases, &subject_sort, &ways[GATHERED].desc, "sort");
    subject_add_refused(cases, &subject_sort, &ways[GATHERED].desc, spoil,
                        "sort/expressions/refused");
}

/* ---- Several keys ---- */

#define SEVERAL(...)                                                                               \
    { __VA_ARGS__ }
#define PAYLOADS .payloads = 4, .payload_bytes = {1, 4, 12, 100}

static const struct {
    const char *name;
    size_t keys;
    clprims_type types[CLPRIMS_SORT_KEYS];
    clprims_sort_desc desc;
} several[] = {
    {"four-words", 4, SEVERAL(CLPRIMS_U32, CLPRIMS_U32, CLPRIMS_U32, CLPRIMS_U32),
     SEVERAL(.algorithm = CLPRIMS_SORT_SERIAL)},
    {"two-longs", 2, SEVERAL(CLPRIMS_U64, CLPRIMS_U64),
     SEVERAL(.algorithm = CLPRIMS_SORT_SERIAL, PAYLOADS, .indices = CLPRIMS_I64)},
    {"floats", 2, SEVERAL(CLPRIMS_I16, CLPRIMS_F32),
     SEVERAL(.algorithm = CLPRIMS_SORT_COUNT_SCATTER, .descending = 1, PAYLOADS)},
    {"window", 3, SEVERAL(CLPRIMS_U32, CLPRIMS_I8, CLPRIMS_U32),
     SEVERAL(.begin_bit = 4, .end_bit = 21, .no_keys = 1, .indices = CLPRIMS_I32)},
};
enum { SEVERAL_ROWS = sizeof several / sizeof several[0], LONGS = 1, FLOATS = 2 };

/* Of few keys, in small parts and tiles. */
static clprims_sort_desc describe(size_t row) {
    static char texts[SEVERAL_ROWS][SORT_KEYS_TEXT];
    clprims_sort_desc desc = several[row].desc;
    desc.max_n = 300;
    desc.parameters = element_parameters;
    if (desc.algorithm == CLPRIMS_SORT_SERIAL && !test_small()) desc.tuning = "PARTS=3 SINGLE=0";
    if (desc.algorithm == CLPRIMS_SORT_COUNT_SCATTER) desc.tuning = "GROUP=8 ITEMS=3 SINGLE=0";
    sort_by_keys(&desc, several[row].types, several[row].keys, texts[row]);
    return desc;
}

static void spoil_several(void *desc, subject_refusal *r) {
    clprims_sort_desc *d = desc;
    THEN_REFUSED(sort)
}

/* Texts of 16 characters, as two words whose first character is the most significant byte. */
enum { CHARACTERS = 16 };

static int compare_texts(const void *one, const void *other) {
    return memcmp(one, other, CHARACTERS);
}

static void texts_are_sorted(void) {
    enum { N = 5000 };
    clprims_sort_desc desc = {.type = CLPRIMS_U64, .elements = CLPRIMS_STRUCT, .max_n = N};
    char(*texts)[CHARACTERS] = test_scratch(N, CHARACTERS);
    char(*sorted)[CHARACTERS] = test_scratch(N, CHARACTERS);
    desc.custom.type_name = "uchar16";
    desc.custom.type_bytes = CHARACTERS;
    desc.key = "as_ulong(x.s76543210)";
    desc.then[0] = "as_ulong(x.sfedcba98)";
    for (size_t i = 0; i < N; i++) {
        const size_t alike = test_random_below(CHARACTERS + 1);
        for (size_t k = 0; k < CHARACTERS; k++) {
            texts[i][k] = (char)(k < alike ? 'a' : test_random_below(256));
        }
    }
    const clprims_sort_arrays arrays = {.keys_in = texts, .keys_out = sorted};
    clprims_sort *plan = subject_made_plan(&subject_sort, &desc);
    expect_ok(clprims_sort_run(plan, &arrays, N));
    qsort(texts, N, CHARACTERS, compare_texts);
    assert_memory_equal(sorted, texts, N * CHARACTERS);
}

/* A plan of several keys tells the passes of all. */
static void passes_are_told(void) {
    enum { BITS = 16 + 32 };
    const clprims_sort_desc desc = describe(FLOATS);
    clprims_sort_info info = {0};
    clprims_sort *plan = subject_made_plan(&subject_sort, &desc);
    expect_ok(clprims_sort_describe(plan, 300, &info));
    if (info.passes * info.digit_bits != BITS || info.tile != 24) {
        test_fail("passes = %zu, digit_bits = %zu, tile = %zu", info.passes, info.digit_bits,
                  info.tile);
    }
    expect_contains(info.variant, "count-scan-scatter");
    expect_contains(info.reason, "the description asks for it");
}

static void add_several_keys(test_cases *cases) {
    static const size_t sizes[] = {1, 1024, 2048, 2049, 40000, 200003};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    for (size_t row = 0; row < SEVERAL_ROWS; row++) {
        const clprims_sort_desc desc = describe(row);
        const bool has_sizes = !test_small() && (row == LONGS || row == FLOATS || test_long());
        sort_case c = {.desc = desc};
        c.desc.max_n = 200003;
        c.desc.tuning = c.desc.parameters = NULL;
        key_add_case(cases, &subject_sort, &desc, "sort/then", several[row].name);
        if (row == 0)
            subject_add_refused(cases, &subject_sort, &desc, spoil_several, "sort/then/refused");
        for (size_t i = 0; i < SIZES && has_sizes; i++) {
            c.least_n = c.most_n = sizes[i];
            c.data = i % 2 == 0 ? SORT_SPRINKLED : SORT_FEW;
            c.keys_in_place = c.payloads_in_place = i % 3 == 1;
            c.first = i % 4;
            test_add_row(cases, sort_is_right, c, "sort/then/sizes/%s/n=%zu", several[row].name,
                         sizes[i]);
        }
    }
    test_add_plain(cases, texts_are_sorted, "sort/then/texts");
    test_add_plain(cases, passes_are_told, "sort/then/passes");
}

void sort_add_expressions(test_cases *cases) {
    add_one_key(cases);
    add_several_keys(cases);
}
