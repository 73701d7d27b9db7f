/* SPDX-License-Identifier: MIT */
/* clprims parents and clprims gather: results, refusals, the line of --stats. */
#include "cli/cli_run.h"

static void write_inputs(void) {
    static const int64_t offsets[] = {2, 2, 5, 6}, falling[] = {0, 3, 1, 4}, negative[] = {-5};
    static const int64_t far[] = {0, INT64_MAX};
    static const int32_t narrow[] = {0, 4, 4}, index[] = {2, 0, 2, 1}, outside[] = {0, 1, -1, 3};
    static const uint32_t beyond[] = {3};
    static const double values[] = {0.5, -1, 7};
    cli_clear();
    cli_write_npy("offsets.npy", CLPRIMS_I64, offsets, 4);
    cli_write_npy("falling.npy", CLPRIMS_I64, falling, 4);
    cli_write_npy("negative.npy", CLPRIMS_I64, negative, 1);
    cli_write_npy("far.npy", CLPRIMS_I64, far, 2);
    cli_write_npy("narrow.npy", CLPRIMS_I32, narrow, 3);
    cli_write_npy("index.npy", CLPRIMS_I32, index, 4);
    cli_write_npy("outside.npy", CLPRIMS_I32, outside, 4);
    cli_write_npy("beyond.npy", CLPRIMS_U32, beyond, 1);
    cli_write_npy("values.npy", CLPRIMS_F64, values, 3);
    cli_write_npy("none.npy", CLPRIMS_I64, NULL, 0);
}

static const char all_inputs[] =
    "beyond.npy falling.npy far.npy index.npy narrow.npy negative.npy none.npy "
    "offsets.npy outside.npy values.npy ";

static void parents(const void *data) {
    static const int64_t numbers[] = {-1, -1, 1, 1, 1, 2}, indices[] = {-1, -1, 0, 1, 2, 0};
    static const int64_t zeros[] = {0, 0, 0, 0};
    (void)data;
    write_inputs();
    cli_expect_quiet(CLI("parents", "@offsets.npy", "-o", "@out.npy"), CLPRIMS_I64);
    cli_expect_npy("out.npy", CLPRIMS_I64, numbers, 6);
    cli_expect_quiet(CLI("parents", "--local", "@offsets.npy", "-o", "@out.npy"), CLPRIMS_I64);
    cli_expect_npy("out.npy", CLPRIMS_I64, indices, 6);
    cli_expect_quiet(CLI("parents", "@narrow.npy", "-o", "@out.npy"), CLPRIMS_I64);
    cli_expect_npy("out.npy", CLPRIMS_I64, zeros, 4);
}

static void gathers(const void *data) {
    static const double expected[] = {7, 0.5, 7, -1};
    (void)data;
    write_inputs();
    cli_expect_quiet(CLI("gather", "@index.npy", "@values.npy", "-o", "@out.npy"), CLPRIMS_F64);
    cli_expect_npy("out.npy", CLPRIMS_F64, expected, 4);
    cli_expect_quiet(CLI("gather", "@none.npy", "@values.npy", "-o", "@out.npy"), CLPRIMS_F64);
    cli_expect_npy("out.npy", CLPRIMS_F64, expected, 0);
}

typedef struct jagged_refusal {
    const char *name;
    int status;
    const char *part; /* of the message */
    const char *words[5]; /* ends with NULL */
} jagged_refusal;

static const jagged_refusal refusals[] = {
    {"float-offsets",
     2,
     "its elements are float64; offsets are int32 or int64",
     {"parents", "@values.npy"}},
    {"no-offsets",
     2,
     "it is empty; there is one more offset than segments",
     {"parents", "@none.npy"}},
    {"falling-offsets",
     1,
     "falling.npy: offsets[2] = 1 is less than offsets[1] = 3",
     {"parents", "@falling.npy"}},
    {"negative-offsets",
     1,
     "negative.npy: offsets[0] = -5 is less than 0",
     {"parents", "@negative.npy"}},
    {"far-offsets",
     1,
     "the last offset, 9223372036854775807, exceeds",
     {"parents", "--local", "@far.npy"}},
    {"float-index",
     2,
     "its elements are float64; indices are int32, int64 or uint32",
     {"gather", "@values.npy", "@values.npy"}},
    {"no-input", 2, "IN.npy", {"gather", "@index.npy"}},
    {"negative-index",
     1,
     "clprims gather: index[2] = -1 is outside of the elements, the first that is",
     {"gather", "@outside.npy", "@values.npy"}},
    {"index-beyond",
     1,
     "clprims gather: index[0] = 3 is outside",
     {"gather", "@beyond.npy", "@values.npy"}},
    {"of-nothing",
     1,
     "clprims gather: index[0] = 2 is outside",
     {"gather", "@index.npy", "@none.npy"}},
};

static void refuses(const void *data) {
    const jagged_refusal *const r = data;
    const char *words[CLI_WORDS] = {r->words[0], "-o", "@out.npy"};
    write_inputs();
    for (size_t i = 1; r->words[i]; ++i) words[2 + i] = r->words[i];
    cli_expect(words, NULL, r->status, r->part);
    assert_string_equal(cli_listing(), all_inputs);
}

static void says_stats(const void *data) {
    (void)data;
    write_inputs();
    cli_expect(CLI("parents", "@offsets.npy", "-o", "@out.npy", "--stats"), NULL, 0,
               "clprims parents: 6 elements of 3 segments (");
    cli_expect(CLI("gather", "@index.npy", "@values.npy", "-o", "@out.npy", "--stats"), NULL, 0,
               "clprims gather: 4 of 3 elements of float64 (");
}

void cli_add_jagged(test_cases *cases) {
    test_add(cases, parents, NULL, 0, "cli/jagged/parents");
    test_add(cases, gathers, NULL, 0, "cli/jagged/gather");
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i)
        test_add(cases, refuses, &refusals[i], sizeof *refusals, "cli/jagged/refused/%s",
                 refusals[i].name);
    test_add(cases, says_stats, NULL, 0, "cli/jagged/stats");
}
