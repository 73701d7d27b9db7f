/* SPDX-License-Identifier: MIT */
/* clprims histogram: results, refusals, the line of --stats. */
#include "cli/cli_run.h"

#include <math.h>
#include <string.h>

typedef struct histogram_case {
    const char *name;
    const char *in; /* of the files below */
    const char *words[9]; /* ends with NULL */
    clprims_type type;
    double expected[4];
    size_t bins;
} histogram_case;

static const histogram_case histogram_cases[] = {
    {"even", "@bytes.npy", {"--bins", "2", "--range", "-28", "101"}, CLPRIMS_I64, {1, 2}, 2},
    {"closed", "@floats.npy", {"--bins=3", "--range", "0", "3"}, CLPRIMS_I64, {0, 2, 1}, 3},
    {"point", "@floats.npy", {"--bins", "2", "--range", "1", "1"}, CLPRIMS_I64, {0, 2}, 2},
    {"edges", "@bytes.npy", {"--edges", "@edges.npy"}, CLPRIMS_I64, {0, 3}, 2},
    {"whole-edges", "@floats.npy", {"--edges", "@whole.npy"}, CLPRIMS_I64, {1, 2, 1}, 3},
    {"own-edges", "@bytes.npy", {"--edges", "@own.npy"}, CLPRIMS_I64, {1, 2}, 2},
    {"bools", "@bools.npy", {"--bins", "2", "--range", "0", "2"}, CLPRIMS_I64, {1, 3}, 2},
    {"none", "@none.npy", {"--bins", "2", "--range", "0", "1"}, CLPRIMS_I64, {0, 0}, 2},
    {"weights",
     "@bytes.npy",
     {"--weights", "@floats4.npy", "--bins", "2", "--range", "-28", "127"},
     CLPRIMS_F32,
     {0.5, 4},
     2},
    {"unsigned",
     "@bytes.npy",
     {"--weights", "@bools.npy", "--bins", "1", "--range", "0", "127"},
     CLPRIMS_U64,
     {2},
     1},
};

static void write_inputs(void) {
    static const int8_t bytes[] = {100, 127, 101, -28}, own[] = {-28, 100, 101};
    static const float floats[] = {1.5f, -0.5f, 3.0f, 1.5f, NAN},
                       weights[] = {1.5f, -0.5f, 3, 0.5f};
    static const double edges[] = {-1000.5, -28.5, 126.5}, falling[] = {0, 1.5, -0.5, 3},
                        nan[] = {2, NAN, 3}, infinite[] = {2, 1, INFINITY, 3};
    static const int64_t whole[] = {-1, 0, 2, 3};
    static const cli_header bools = {1, 0,
                                     "{'descr': '|b1', 'fortran_order': False, 'shape': (4,), }"};
    cli_clear();
    cli_write_npy("bytes.npy", CLPRIMS_I8, bytes, 4);
    cli_write_npy("own.npy", CLPRIMS_I8, own, 3);
    cli_write_npy("floats.npy", CLPRIMS_F32, floats, 5);
    cli_write_npy("floats4.npy", CLPRIMS_F32, weights, 4);
    cli_write_npy("edges.npy", CLPRIMS_F64, edges, 3);
    cli_write_npy("falling.npy", CLPRIMS_F64, falling, 4);
    cli_write_npy("nan.npy", CLPRIMS_F64, nan, 3);
    cli_write_npy("infinite.npy", CLPRIMS_F64, infinite, 4);
    cli_write_npy("whole.npy", CLPRIMS_I64, whole, 4);
    cli_write_npy("none.npy", CLPRIMS_F64, NULL, 0);
    cli_write_header("bools.npy", &bools, "\1\0\1\1", 4);
}

static const char all_inputs[] = "bools.npy bytes.npy edges.npy falling.npy floats.npy floats4.npy "
                                 "infinite.npy nan.npy none.npy "
                                 "own.npy whole.npy ";

static void counts(const void *data) {
    const histogram_case *const c = data;
    const char *words[CLI_WORDS] = {"histogram", c->in, "-o", "@out.npy"};
    int64_t integers[4];
    float floats[4];
    write_inputs();
    for (size_t i = 0; c->words[i]; ++i) words[4 + i] = c->words[i];
    for (size_t b = 0; b < c->bins; ++b) {
        integers[b] = (int64_t)c->expected[b];
        floats[b] = (float)c->expected[b];
    }
    cli_expect_quiet(words, c->type);
    cli_expect_npy("out.npy", c->type,
                   c->type == CLPRIMS_F32 ? (const void *)floats : (const void *)integers, c->bins);
}

typedef struct histogram_refusal {
    const char *name;
    const char *part; /* of the message */
    const char *words[9]; /* ends with NULL */
} histogram_refusal;

static const histogram_refusal refusals[] = {
    {"no-bins", "--bins and --range, or --edges, are needed", {"@bytes.npy"}},
    {"no-range", "--bins and --range, or --edges, are needed", {"--bins", "3", "@bytes.npy"}},
    {"half-range",
     "--range needs two values, LO HI",
     {"@bytes.npy", "--bins", "3", "--range", "1"}},
    {"range-equals", "--range needs two values, LO HI", {"--range=1", "2", "@bytes.npy"}},
    {"range-text",
     "--range 'x' is not a number of type float64",
     {"--bins", "3", "--range", "x", "2", "@bytes.npy"}},
    {"zero-bins",
     "bins = 0; it must be from 1 to 2147483648",
     {"--bins", "0", "--range", "1", "2", "@bytes.npy"}},
    {"falling", "least = 2, most = 1", {"--bins", "2", "--range", "2", "1", "@bytes.npy"}},
    {"both",
     "--edges stands in for --bins and --range; --bins is too much",
     {"--bins", "3", "--edges", "@edges.npy", "@bytes.npy"}},
    {"few-edges", "0 edges make no bin", {"--edges", "@none.npy", "@bytes.npy"}},
    {"nan-edge", "is NaN or below", {"--edges", "@floats.npy", "@floats.npy"}},
    {"falling-edges",
     "edge 2, -0.5, is NaN or below the one before, 1.5",
     {"--edges", "@falling.npy", "@bytes.npy"}},
    {"nan-edges",
     "edge 1, nan, is NaN or below the one before, 2",
     {"--edges", "@nan.npy", "@bytes.npy"}},
    {"edges-type",
     "float32 edges for elements of int8; int8, float64 or int64 are needed",
     {"--edges", "@floats.npy", "@bytes.npy"}},
    {"weights-n",
     "floats.npy has 5 elements",
     {"--weights", "@floats.npy", "--bins", "2", "--range", "0", "1", "@bytes.npy"}},
    {"absent", "No such file", {"--edges", "@absent.npy", "@bytes.npy"}},
};

static void refuses(const void *data) {
    const histogram_refusal *const r = data;
    const char *words[CLI_WORDS] = {"histogram", "-o", "@out.npy"};
    write_inputs();
    for (size_t i = 0; r->words[i]; ++i) words[3 + i] = r->words[i];
    cli_expect(words, NULL, 2, r->part);
    assert_string_equal(cli_listing(), all_inputs);
}

/* Edges that a pipe claims to have, whose bytes as float64 are 8 by the count of size_t. */
static void refuses_endless_edges(const void *data) {
    static const cli_header edges = {
        1, 0, "{'descr': '|i1', 'fortran_order': False, 'shape': (2305843009213693953,), }"};
    (void)data;
    write_inputs();
    cli_write_header("edges.npy", &edges, "", 0);
    const cli_result *const result =
        cli_script("cat edges.npy | $C histogram --edges - bytes.npy -o out.npy", false);
    if (result->exit_status != 3) test_fail("exit status %d", result->exit_status);
    expect_contains(result->err, "standard input: no memory for its 2305843009213693953 edges");
}

static void refuses_infinite_weights(const void *data) {
    (void)data;
    write_inputs();
    cli_expect(CLI("histogram", "--bins", "1", "--range", "-128", "127", "--weights",
                   "@infinite.npy", "@bytes.npy", "-o", "@out.npy"),
               NULL, 1, "clprims histogram: weight 2 is infinite or NaN, the first of these\n");
    assert_string_equal(cli_listing(), all_inputs);
}

static void says_stats(const void *data) {
    (void)data;
    write_inputs();
    cli_expect(CLI("histogram", "@bytes.npy", "--bins", "2", "--range", "0", "9", "-o", "@out.npy",
                   "--stats"),
               NULL, 0, "clprims histogram: 2 bins of 4 int8 (");
}

void cli_add_histogram(test_cases *cases) {
    for (size_t i = 0; i < sizeof histogram_cases / sizeof *histogram_cases;
         i += test_long() ? 1 : 3)
        test_add(cases, counts, &histogram_cases[i], sizeof *histogram_cases, "cli/histogram/%s",
                 histogram_cases[i].name);
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i)
        test_add(cases, refuses, &refusals[i], sizeof *refusals, "cli/histogram/refused/%s",
                 refusals[i].name);
    test_add(cases, refuses_endless_edges, NULL, 0, "cli/histogram/refused/endless-edges");
    test_add(cases, refuses_infinite_weights, NULL, 0, "cli/histogram/infinite-weight");
    test_add(cases, says_stats, NULL, 0, "cli/histogram/stats");
}
