/* SPDX-License-Identifier: MIT */
/* Predicates that compare elements of 1 or 2 bytes with a number, in every way to write them. */
#include "fixtures/select_cases.h"

typedef enum compares { LESS, AT_MOST, MORE, AT_LEAST, SAME, OTHER } compares;

typedef struct compare_case {
    clprims_type type;
    const char *text;
    compares how;
    long long number;
} compare_case;

static const compare_case compare_cases[] = {{CLPRIMS_U8, "x < (uint)100", LESS, 100},
                                             {CLPRIMS_I8, "x>(int)5", MORE, 5},
                                             {CLPRIMS_U16, "x <= 300", AT_MOST, 300},
                                             {CLPRIMS_I16, " x == 7 ", SAME, 7},
                                             /* for the long tier on CPUs */
                                             {CLPRIMS_U8, "x < 128", LESS, 128},
                                             {CLPRIMS_U8, "x >= (ulong)200", AT_LEAST, 200},
                                             {CLPRIMS_U8, "x > 254", MORE, 254},
                                             {CLPRIMS_U8, "x <= 255", AT_MOST, 255},
                                             {CLPRIMS_U8, "x < 0", LESS, 0},
                                             {CLPRIMS_U8, "x == 013", SAME, 11},
                                             {CLPRIMS_U8, "x > -1", MORE, -1},
                                             {CLPRIMS_I8, "x < 100", LESS, 100},
                                             {CLPRIMS_I8, "x < 0", LESS, 0},
                                             {CLPRIMS_I8, "x != (long)127", OTHER, 127},
                                             {CLPRIMS_I8, "x <= 127", AT_MOST, 127},
                                             {CLPRIMS_U16, "x >= 32768", AT_LEAST, 32768},
                                             {CLPRIMS_U16, "x < (uint)40000", LESS, 40000},
                                             {CLPRIMS_U16, "x != 65535", OTHER, 65535},
                                             {CLPRIMS_I16, "x <= 1000", AT_MOST, 1000},
                                             {CLPRIMS_I16, "x>=32767", AT_LEAST, 32767}};
enum { COMPARE_CASES = sizeof compare_cases / sizeof compare_cases[0], QUICK = 4 };

static bool compares_so(compares how, long long x, long long number) {
    return how == LESS       ? x < number
           : how == AT_MOST  ? x <= number
           : how == MORE     ? x > number
           : how == AT_LEAST ? x >= number
           : how == SAME     ? x == number
                             : x != number;
}

static long long value_of(const compare_case *c, const unsigned char *element) {
    int16_t wide;
    memcpy(&wide, element, clprims_type_bytes(c->type) == 2 ? 2 : 1);
    switch (c->type) {
    case CLPRIMS_I8:
        return (signed char)element[0];
    case CLPRIMS_U8:
        return element[0];
    case CLPRIMS_I16:
        return wide;
    default:
        return (uint16_t)wide;
    }
}

/* Elements near the number and all others, in no order. */
static void make_elements(unsigned char *elements, size_t n, const compare_case *c) {
    const size_t bytes = clprims_type_bytes(c->type);
    for (size_t i = 0; i < n; i++) {
        const uint64_t random = (i + 1) * 0x9e3779b97f4a7c15u;
        const uint64_t near = (uint64_t)c->number - 1 + (random >> 40) % 3;
        const uint64_t x = random >> 60 < 5 ? near : random >> 32;
        for (size_t b = 0; b < bytes; b++) elements[i * bytes + b] = (unsigned char)(x >> 8 * b);
    }
}

static void compares_right(const void *data) {
    const compare_case *c = data;
    const size_t bytes = clprims_type_bytes(c->type), n = test_small() ? 3001 : 150011;
    const clprims_context_info info = test_info();
    size_t count, kept = 0;
    unsigned char *in = test_scratch(n, bytes), *out = test_scratch(n, bytes),
                  *right = test_scratch(n, bytes);
    make_elements(in, n, c);
    for (size_t i = 0; i < n; i++) {
        if (!compares_so(c->how, value_of(c, in + i * bytes), c->number)) continue;
        memcpy(right + kept++ * bytes, in + i * bytes, bytes);
    }
    clprims_select_desc desc = {.by = CLPRIMS_SELECT_PREDICATE,
                                .arrays = 1,
                                .type[0] = c->type,
                                .predicate = c->text,
                                .max_n = n};
    if (info.layer == CLPRIMS_LAYER_NVIDIA) desc.algorithm = CLPRIMS_ALGORITHM_LOOKAHEAD;
    clprims_select *plan = subject_made_plan(&subject_select, &desc);
    const clprims_select_arrays arrays = {.in = {in}, .out = {out}, .count = &count};
    expect_ok(clprims_select_run(plan, &arrays, n));
    if (count != kept) test_fail("%zu are kept, not %zu", count, kept);
    for (size_t i = 0; i < kept * bytes; i++) {
        if (out[i] != right[i]) test_fail("byte %zu is %u, not %u", i, out[i], right[i]);
    }
}

void add_compare_cases(test_cases *cases, bool all) {
    for (size_t c = 0; c < (all ? COMPARE_CASES : QUICK); c++) {
        test_add_row(cases, compares_right, compare_cases[c], "select/compares/%s/%s",
                     clprims_type_name(compare_cases[c].type), compare_cases[c].text);
    }
}
