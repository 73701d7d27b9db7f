/* SPDX-License-Identifier: MIT */
/* clprims segreduce and segscan: results, refusals, the line of --stats. */
#include "cli/cli_run.h"

#include <string.h>

enum { MOST = 8 };

typedef struct segmented_case {
    const char *name;
    const char *words[10];
    clprims_type type;
    size_t n;
    int64_t expected[MOST];
} segmented_case;

/* The elements 3, 1, 4, 1, 5, 9, 2 of int32; the offsets 1, 3, 3, 7; the keys 7, 7, 8, 7, 7, 7, 1;
 * the flags 0, 0, 1, 1, 0, 0, 1. */
#define REDUCED "segreduce", "@in.npy", "-o", "@out.npy"
#define SCANNED "segscan", "@in.npy", "-o", "@out.npy"
static const segmented_case segmented_cases[] = {
    {"offsets", {REDUCED, "--offsets", "@offsets.npy"}, CLPRIMS_I32, 3, {5, 0, 17}},
    {"offsets-int32",
     {REDUCED, "--offsets", "@short.npy", "--op=max"},
     CLPRIMS_I32,
     3,
     {4, INT32_MIN, 9}},
    {"keys", {REDUCED, "--keys", "@keys.npy"}, CLPRIMS_I32, 4, {4, 4, 15, 2}},
    {"unique",
     {REDUCED, "--keys", "@keys.npy", "--unique", "@unique.npy"},
     CLPRIMS_I32,
     4,
     {4, 4, 15, 2}},
    {"flags", {REDUCED, "--flags", "@flags.npy", "--op", "min"}, CLPRIMS_I32, 4, {1, 4, 1, 2}},
    {"argmin", {REDUCED, "--offsets", "@offsets.npy", "--op=argmin"}, CLPRIMS_I64, 3, {1, -1, 3}},
    {"argmax-local",
     {REDUCED, "--offsets", "@offsets.npy", "--op=argmax", "--local-index"},
     CLPRIMS_I64,
     3,
     {1, -1, 2}},
    {"argmin-init",
     {REDUCED, "--offsets", "@offsets.npy", "--op=argmin", "--init", "99"},
     CLPRIMS_I64,
     3,
     {1, 99, 3}},
    {"init",
     {REDUCED, "--offsets", "@offsets.npy", "--accumulate=int64", "--init=-100"},
     CLPRIMS_I64,
     3,
     {-95, -100, -83}},
    {"scan-offsets",
     {SCANNED, "--offsets", "@offsets.npy"},
     CLPRIMS_I32,
     7,
     {0, 0, 1, 0, 1, 6, 15}},
    {"scan-inclusive",
     {SCANNED, "--offsets", "@offsets.npy", "--inclusive"},
     CLPRIMS_I32,
     7,
     {0, 1, 5, 1, 6, 15, 17}},
    {"scan-keys",
     {SCANNED, "--keys", "@keys.npy", "--init", "10"},
     CLPRIMS_I32,
     7,
     {10, 13, 10, 10, 11, 16, 10}},
    {"scan-flags",
     {SCANNED, "--flags", "@flags.npy", "--inclusive", "--op=max"},
     CLPRIMS_I32,
     7,
     {3, 3, 4, 1, 5, 9, 2}},
    {"none",
     {"segreduce", "@none.npy", "--keys", "@none.npy", "-o", "@out.npy"},
     CLPRIMS_I32,
     0,
     {0}},
};

static const char listing[] = "falling.npy few.npy flags.npy floats.npy in.npy keys.npy none.npy "
                              "offsets.npy short.npy ";

static void write_inputs(void) {
    static const int32_t in[] = {3, 1, 4, 1, 5, 9, 2}, short_offsets[] = {1, 3, 3, 7};
    static const int64_t offsets[] = {1, 3, 3, 7}, falling[] = {0, 5, 4, 7};
    static const uint16_t keys[] = {7, 7, 8, 7, 7, 7, 1};
    static const uint8_t flags[] = {0, 0, 1, 1, 0, 0, 1};
    static const float floats[] = {1, 2, 3, 4, 5, 6, 7};
    cli_clear();
    cli_write_npy("in.npy", CLPRIMS_I32, in, 7);
    cli_write_npy("none.npy", CLPRIMS_I32, NULL, 0);
    cli_write_npy("few.npy", CLPRIMS_U8, flags, 5);
    cli_write_npy("short.npy", CLPRIMS_I32, short_offsets, 4);
    cli_write_npy("offsets.npy", CLPRIMS_I64, offsets, 4);
    cli_write_npy("falling.npy", CLPRIMS_I64, falling, 4);
    cli_write_npy("keys.npy", CLPRIMS_U16, keys, 7);
    cli_write_npy("flags.npy", CLPRIMS_U8, flags, 7);
    cli_write_npy("floats.npy", CLPRIMS_F32, floats, 7);
}

static void goes_through(const void *data) {
    static const uint16_t unique[] = {7, 8, 7, 1};
    const segmented_case *const c = data;
    const char *words[CLI_WORDS] = {NULL};
    char expected[MOST * 8] = {0};
    bool has_unique = false;
    write_inputs();
    for (size_t i = 0; i < 10 && c->words[i]; ++i) {
        words[i] = c->words[i];
        has_unique = has_unique || strcmp(words[i], "--unique") == 0;
    }
    for (size_t i = 0; i < c->n; i++)
        test_store_integer(clprims_type_bytes(c->type), expected, i, (uint64_t)c->expected[i]);
    cli_expect_quiet(words, c->type);
    cli_expect_npy("out.npy", c->type, expected, c->n);
    if (has_unique) cli_expect_npy("unique.npy", CLPRIMS_U16, unique, 4);
}

static void refuses_bad_offsets(const void *data) {
    (void)data;
    write_inputs();
    cli_expect(CLI("segreduce", "@in.npy", "--offsets", "@falling.npy", "-o", "@out.npy"), NULL, 1,
               "falling.npy: offsets[2] = 4 is less than offsets[1] = 5");
    cli_expect(CLI("segreduce", "@few.npy", "--offsets", "@short.npy", "-o", "@out.npy"), NULL, 1,
               "short.npy: offsets[3] = 7 exceeds the number of elements, 5");
    assert_string_equal(cli_listing(), listing);
}

typedef struct segmented_refusal {
    const char *name;
    const char *part; /* of the message */
    const char *words[8];
} segmented_refusal;

static const segmented_refusal refusals[] = {
    {"no-heads", "one of --offsets, --keys and --flags is needed", {"segscan", "@in.npy"}},
    {"two-heads",
     "--offsets, --keys and --flags exclude each other",
     {"segscan", "@in.npy", "--keys", "@keys.npy", "--flags", "@flags.npy"}},
    {"unique",
     "--unique goes with --keys",
     {"segreduce", "@in.npy", "--flags", "@flags.npy", "--unique", "@unique.npy"}},
    {"both-scans",
     "--inclusive and --exclusive exclude each other",
     {"segscan", "@in.npy", "--flags", "@flags.npy", "--inclusive", "--exclusive"}},
    {"op",
     "--op 'sum' is unknown",
     {"segreduce", "@in.npy", "--flags", "@flags.npy", "--op", "sum"}},
    {"scan-op",
     "--op 'argmin' is unknown",
     {"segscan", "@in.npy", "--flags", "@flags.npy", "--op", "argmin"}},
    {"local-index",
     "--local-index goes with --op argmin and argmax, not add",
     {"segreduce", "@in.npy", "--flags", "@flags.npy", "--local-index"}},
    {"init",
     "--init 3000000000 does not fit int32",
     {"segreduce", "@in.npy", "--flags", "@flags.npy", "--init", "3000000000"}},
    {"floats",
     "--op xor needs integers, but the elements are floats",
     {"segreduce", "@floats.npy", "--flags", "@flags.npy", "--op", "xor"}},
    {"float-offsets",
     "its elements are float32; offsets are int32 or int64",
     {"segreduce", "@in.npy", "--offsets", "@floats.npy"}},
    {"no-offsets",
     "it is empty; there is one more offset than segments",
     {"segreduce", "@in.npy", "--offsets", "@none.npy"}},
    {"few-flags",
     "it has 5 flags for the 7 elements of",
     {"segreduce", "@in.npy", "--flags", "@few.npy"}},
    {"few-keys",
     "it has 5 keys for the 7 elements of",
     {"segscan", "@in.npy", "--keys", "@few.npy"}},
    {"flags-of-words", "flags", {"segscan", "@in.npy", "--flags", "@keys.npy"}},
    {"absent", "No such file", {"segscan", "@in.npy", "--keys", "@absent.npy"}},
};

static void refuses(const void *data) {
    const segmented_refusal *const r = data;
    const char *words[CLI_WORDS] = {NULL};
    size_t count = 0;
    write_inputs();
    for (; r->words[count]; ++count) words[count] = r->words[count];
    words[count++] = "-o";
    words[count] = "@out.npy";
    cli_expect(words, NULL, 2, r->part);
    assert_string_equal(cli_listing(), listing);
}

static void says_stats(const void *data) {
    (void)data;
    write_inputs();
    cli_expect(CLI("segscan", "@in.npy", "--offsets", "@offsets.npy", "-o", "@out.npy", "--stats"),
               NULL, 0, "clprims segscan: add of 7 int32 in int32 (");
}

void cli_add_segmented(test_cases *cases) {
    for (size_t i = 0; i < sizeof segmented_cases / sizeof *segmented_cases;
         i += test_long() ? 1 : 3)
        test_add(cases, goes_through, &segmented_cases[i], sizeof *segmented_cases,
                 "cli/segmented/%s", segmented_cases[i].name);
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i)
        test_add(cases, refuses, &refusals[i], sizeof *refusals, "cli/segmented/refused/%s",
                 refusals[i].name);
    test_add(cases, refuses_bad_offsets, NULL, 0, "cli/segmented/falling-offsets");
    test_add(cases, says_stats, NULL, 0, "cli/segmented/stats");
}
