/* SPDX-License-Identifier: MIT */
/* clprims merge and searchsorted: results, refusals, the line of --stats. */
#include "cli/cli_run.h"

static void write_inputs(void) {
    static const int16_t a[] = {-3, 1, 1, 8}, b[] = {-9, 1, 9}, needles[] = {9, 1, -3, 0, 1};
    static const int32_t words[] = {1, 2};
    static const cli_header bools = {1, 0,
                                     "{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }"};
    cli_clear();
    cli_write_npy("a.npy", CLPRIMS_I16, a, 4);
    cli_write_npy("b.npy", CLPRIMS_I16, b, 3);
    cli_write_npy("needles.npy", CLPRIMS_I16, needles, 5);
    cli_write_npy("none.npy", CLPRIMS_I16, NULL, 0);
    cli_write_npy("words.npy", CLPRIMS_I32, words, 2);
    cli_write_header("bools.npy", &bools, "\0\1\1", 3);
}

static void merges(const void *data) {
    static const int16_t merged[] = {-9, -3, 1, 1, 1, 8, 9}, b[] = {-9, 1, 9};
    (void)data;
    write_inputs();
    cli_expect_quiet(CLI("merge", "@a.npy", "@b.npy", "-o", "@out.npy"), CLPRIMS_I16);
    cli_expect_npy("out.npy", CLPRIMS_I16, merged, 7);
    cli_expect_quiet(CLI("merge", "@none.npy", "@b.npy", "-o", "@out.npy"), CLPRIMS_I16);
    cli_expect_npy("out.npy", CLPRIMS_I16, b, 3);
    cli_expect_quiet(CLI("merge", "@none.npy", "@none.npy", "-o", "@out.npy"), CLPRIMS_I16);
    cli_expect_npy("out.npy", CLPRIMS_I16, NULL, 0);
    cli_expect_quiet(CLI("merge", "@a.npy", "@b.npy", "-o", "@a.npy"), CLPRIMS_I16);
    cli_expect_npy("a.npy", CLPRIMS_I16, merged, 7);
}

static void merges_bools(const void *data) {
    static const cli_header twice = {1, 0,
                                     "{'descr': '|b1', 'fortran_order': False, 'shape': (6,), }"};
    (void)data;
    write_inputs();
    cli_expect_quiet(CLI("merge", "@bools.npy", "@bools.npy", "-o", "@out.npy"), CLPRIMS_U8);
    cli_expect_quiet(CLI("sort", "@out.npy", "-o", "@sorted.npy"), CLPRIMS_U8);
    cli_expect_same("out.npy", "sorted.npy");
    cli_write_header("expected.npy", &twice, "\0\0\1\1\1\1", 6);
    cli_expect_quiet(CLI("sort", "@expected.npy", "-o", "@sorted.npy"), CLPRIMS_U8);
    cli_expect_same("out.npy", "sorted.npy");
}

static void searches(const void *data) {
    static const int64_t left[] = {4, 1, 0, 1, 1}, right[] = {4, 3, 1, 1, 3}, zeros[] = {0, 0, 0};
    (void)data;
    write_inputs();
    cli_expect_quiet(CLI("searchsorted", "@a.npy", "@needles.npy", "-o", "@out.npy"), CLPRIMS_I16);
    cli_expect_npy("out.npy", CLPRIMS_I64, left, 5);
    cli_expect_quiet(CLI("searchsorted", "--right", "@a.npy", "@needles.npy", "-o", "@out.npy"),
                     CLPRIMS_I16);
    cli_expect_npy("out.npy", CLPRIMS_I64, right, 5);
    cli_expect_quiet(CLI("searchsorted", "@none.npy", "@b.npy", "-o", "@out.npy"), CLPRIMS_I16);
    cli_expect_npy("out.npy", CLPRIMS_I64, zeros, 3);
    cli_expect_quiet(CLI("searchsorted", "@a.npy", "@none.npy", "-o", "@out.npy"), CLPRIMS_I16);
    cli_expect_npy("out.npy", CLPRIMS_I64, NULL, 0);
}

typedef struct merge_refusal {
    const char *name;
    const char *part; /* of the message */
    const char *words[5];
} merge_refusal;

static const merge_refusal refusals[] = {
    {"merge-types",
     "words.npy: its elements are int32, those of",
     {"merge", "@a.npy", "@words.npy"}},
    {"search-types",
     "a.npy: its elements are int16, those of",
     {"searchsorted", "@bools.npy", "@a.npy"}},
    {"merge-right", "unknown option '--right'", {"merge", "--right", "@a.npy", "@b.npy"}},
    {"merge-one", "B.npy", {"merge", "@a.npy"}},
    {"search-one", "NEEDLES.npy", {"searchsorted", "@a.npy"}},
    {"merge-absent", "No such file", {"merge", "@a.npy", "@absent.npy"}},
};

static void refuses(const void *data) {
    const merge_refusal *const r = data;
    const char *words[CLI_WORDS] = {NULL};
    size_t count = 0;
    write_inputs();
    for (size_t i = 0; r->words[i]; ++i) words[count++] = r->words[i];
    words[count++] = "-o";
    words[count++] = "@out.npy";
    cli_expect(words, NULL, 2, r->part);
}

static void says_stats(const void *data) {
    (void)data;
    write_inputs();
    cli_expect(CLI("merge", "@a.npy", "@b.npy", "-o", "@out.npy", "--stats"), NULL, 0,
               "clprims merge: 4 and 3 int16 (");
    cli_expect(CLI("searchsorted", "@a.npy", "@b.npy", "-o", "@out.npy", "--stats"), NULL, 0,
               "clprims searchsorted: 4 and 3 int16 (");
}

void cli_add_merge(test_cases *cases) {
    test_add(cases, merges, NULL, 0, "cli/merge/results");
    test_add(cases, merges_bools, NULL, 0, "cli/merge/bools");
    test_add(cases, searches, NULL, 0, "cli/searchsorted/results");
    test_add(cases, says_stats, NULL, 0, "cli/merge/stats");
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i)
        test_add(cases, refuses, &refusals[i], sizeof *refusals, "cli/merge/refusals/%s",
                 refusals[i].name);
}
