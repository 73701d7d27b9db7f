/* SPDX-License-Identifier: MIT */
/* The commands on lists beyond ranking: listscan, and rank --forest. */
#include "cli/cli_run.h"

#include <string.h>

/* ---- Small examples, checked by hand ---- */

/* The list is 2, 0, 3, 1. */
static const int32_t next[4] = {3, -1, 0, 1};
static const int32_t values[4] = {10, 20, 30, 40};

typedef struct scan_case {
    const char *name;
    int64_t out[4];
    clprims_type out_type;
    const char *words[CLI_WORDS]; /* beside the files */
} scan_case;

static const scan_case scan_cases[] = {
    {"exclusive", {30, 80, 0, 40}, CLPRIMS_I32, {NULL}},
    {"inclusive", {40, 100, 30, 80}, CLPRIMS_I32, {"--inclusive"}},
    {"head", {30, 80, 0, 40}, CLPRIMS_I32, {"--head", "2"}},
    {"op-init", {30, 10, 99, 10}, CLPRIMS_I32, {"--op", "min", "--init", "99"}},
    {"accumulate", {30, 80, 0, 40}, CLPRIMS_I64, {"--accumulate", "int64"}},
    {"custom", {10, 20, 30, 40}, CLPRIMS_I32, {"--custom", "b", "--inclusive"}},
    {"identity", {30, 40, 5, 10}, CLPRIMS_I32, {"--custom", "b", "--identity=5"}},
};

static void scans(const void *data) {
    const scan_case *const scan = data;
    const char *words[CLI_WORDS] = {"listscan",  "--values", "@values.npy",
                                    "@next.npy", "-o",       "@out.npy"};
    int32_t narrow[4];
    for (size_t i = 0; scan->words[i]; ++i) words[6 + i] = scan->words[i];
    for (size_t i = 0; i < 4; ++i) narrow[i] = (int32_t)scan->out[i];
    cli_clear();
    cli_write_npy("next.npy", CLPRIMS_I32, next, 4);
    cli_write_npy("values.npy", CLPRIMS_I32, values, 4);
    cli_expect(words, NULL, 0, "");
    cli_expect_npy("out.npy", scan->out_type,
                   scan->out_type == CLPRIMS_I32 ? (const void *)narrow : scan->out, 4);
    assert_string_equal(cli_listing(), "next.npy out.npy values.npy ");
}

/* Two lists, 3 -> 0 -> 1 and 4 -> 2. */
static void ranks_forest(const void *data) {
    (void)data;
    static const int64_t links[5] = {1, -1, -1, 0, 2}, ranks[5] = {1, 2, 1, 0, 0};
    static const int64_t firsts[5] = {3, 3, 4, 3, 4}, heads[2] = {4, 3};
    cli_clear();
    cli_write_npy("next.npy", CLPRIMS_I64, links, 5);
    cli_write_npy("heads.npy", CLPRIMS_I64, heads, 2);
    cli_expect(CLI("rank", "--forest", "@next.npy", "-o", "@rank.npy"), NULL, 0, "");
    cli_expect_npy("rank.npy", CLPRIMS_I64, ranks, 5);
    assert_string_equal(cli_listing(), "heads.npy next.npy rank.npy ");
    cli_expect(CLI("rank", "--forest", "--heads", "@heads.npy", "--head-of", "@first.npy",
                   "@next.npy", "-o", "@next.npy", "--stats"),
               NULL, 0, "clprims rank: 5 int64 links of a forest on ");
    cli_expect_npy("next.npy", CLPRIMS_I64, ranks, 5);
    cli_expect_npy("first.npy", CLPRIMS_I64, firsts, 5);
}

/* Ranks and heads appear both or neither. */
static void keeps_what_was_there(const void *data) {
    (void)data;
    static const int32_t links[2] = {1, -1};
    static const char old[] = "what was there before";
    cli_clear();
    cli_write_npy("next.npy", CLPRIMS_I32, links, 2);
    cli_write("old.npy", old, sizeof old);
    cli_expect(
        CLI("rank", "--forest", "--head-of", "@absent/first.npy", "@next.npy", "-o", "@old.npy"),
        NULL, 2, "absent/first.npy: ");
    cli_expect(CLI("rank", "--forest", "--head-of", "@old.npy", "@next.npy", "-o", "@old.npy"),
               NULL, 2, "are one file; each output needs its own");
    cli_expect_file("old.npy", old, sizeof old);
    assert_string_equal(cli_listing(), "next.npy old.npy ");
}

static void takes_nothing(const void *data) {
    (void)data;
    cli_clear();
    cli_write_npy("next.npy", CLPRIMS_I32, NULL, 0);
    cli_write_npy("values.npy", CLPRIMS_F32, NULL, 0);
    cli_expect(CLI("listscan", "--values", "@values.npy", "@next.npy", "-o", "@out.npy", "--stats"),
               NULL, 0, "clprims listscan: add of 0 float32 along int32 links on ");
    cli_expect_npy("out.npy", CLPRIMS_F32, NULL, 0);
    cli_expect(CLI("rank", "--forest", "@next.npy", "-o", "@out.npy"), NULL, 0, "");
    cli_expect_npy("out.npy", CLPRIMS_I32, NULL, 0);
}

/* ---- Refusals ---- */

typedef struct refusal {
    const char *name;
    int exit_status;
    const char *part; /* of the message */
    const char *words[CLI_WORDS];
} refusal;

#define FILES "@next.npy", "-o", "@out.npy"
#define SCAN "listscan", "--values", "@values.npy"

static const refusal refusals[] = {
    {"no-values", 2, "--values is missing", {"listscan", FILES}},
    {"no-links", 2, "NEXT.npy is missing", {SCAN, "-o", "@out.npy"}},
    {"fewer-values",
     2,
     "has 2 values for the 4 links of",
     {"listscan", "--values", "@two.npy", FILES}},
    {"absent-values", 2, "can't be read", {"listscan", "--values", "@absent.npy", FILES}},
    {"float-links", 2, "links are int32 or int64", {SCAN, "@floats.npy", "-o", "@out.npy"}},
    {"op", 2, "--op 'plus' is unknown", {SCAN, "--op", "plus", FILES}},
    {"op-and-custom", 2, "exclude each other", {SCAN, "--op=add", "--custom=a", FILES}},
    {"both-kinds", 2, "exclude each other", {SCAN, "--inclusive", "--exclusive", FILES}},
    {"identity-alone", 2, "--identity goes with --custom", {SCAN, "--identity", "0", FILES}},
    {"custom-without-start", 2, "--custom needs --identity", {SCAN, "--custom", "a + b", FILES}},
    {"custom-text", 2, "undeclared", {SCAN, "--custom", "undeclared", "--init", "0", FILES}},
    {"init", 2, "--init 'x' is not a number", {SCAN, "--init", "x", FILES}},
    {"accumulate", 2, "--accumulate 'int3' is unknown", {SCAN, "--accumulate", "int3", FILES}},
    {"float-bits",
     2,
     "--accumulate says otherwise",
     {SCAN, "--op=or", "--accumulate=float32", FILES}},
    {"head", 2, "--head 4 is no element", {SCAN, "--head", "4", FILES}},
    {"bad-list", 1, "next[0] and next[1] are both -1", {SCAN, "@tails.npy", "-o", "@out.npy"}},
    {"forest-and-head", 2, "--forest and --head exclude", {"rank", "--forest", "--head=0", FILES}},
    {"heads-alone", 2, "--heads goes with --forest", {"rank", "--heads", "@two.npy", FILES}},
    {"head-of-alone", 2, "--head-of goes with --forest", {"rank", "--head-of", "@o.npy", FILES}},
    {"heads-type",
     2,
     "its elements are float32",
     {"rank", "--forest", "--heads", "@floats.npy", FILES}},
    {"heads-number",
     2,
     "has 4 heads for the 2 elements",
     {"rank", "--forest", "--heads", "@next.npy", "@two.npy", "-o", "@out.npy"}},
    {"wrong-heads",
     1,
     "forest: element 0 is given as a head, but next[2]",
     {"rank", "--forest", "--heads", "@two.npy", FILES}},
    {"forest-cycle",
     1,
     "forest: element 0 is on a cycle",
     {"rank", "--forest", "--head-of", "@o.npy", "@two.npy", "-o", "@out.npy"}},
};

static void refuses(const void *data) {
    static const float floats[4] = {1, 2, 3, 4};
    static const int32_t two[2] = {1, 0}, tails[4] = {-1, -1, 0, 1};
    const refusal *const r = data;
    cli_clear();
    cli_write_npy("next.npy", CLPRIMS_I32, next, 4);
    cli_write_npy("values.npy", CLPRIMS_I32, values, 4);
    cli_write_npy("floats.npy", CLPRIMS_F32, floats, 4);
    cli_write_npy("two.npy", CLPRIMS_I32, two, 2);
    cli_write_npy("tails.npy", CLPRIMS_I32, tails, 4);
    cli_expect(r->words, NULL, r->exit_status, r->part);
    assert_string_equal(cli_listing(), "floats.npy next.npy tails.npy two.npy values.npy ");
}

void cli_add_lists(test_cases *cases) {
    for (size_t i = 0; i < sizeof scan_cases / sizeof *scan_cases; i += test_long() ? 1 : 3)
        test_add(cases, scans, &scan_cases[i], sizeof *scan_cases, "cli/listscan/%s",
                 scan_cases[i].name);
    test_add(cases, ranks_forest, NULL, 0, "cli/forest");
    test_add(cases, keeps_what_was_there, NULL, 0, "cli/forest/both-or-none");
    test_add(cases, takes_nothing, NULL, 0, "cli/listscan/n=0");
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i)
        test_add(cases, refuses, &refusals[i], sizeof *refusals, "cli/listscan/usage/%s",
                 refusals[i].name);
}
