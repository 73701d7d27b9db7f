/* SPDX-License-Identifier: MIT */
/* clprims reduce: results, refusals, the line of --stats. */
#include "cli/cli_run.h"

#include <string.h>

typedef struct reduce_case {
    const char *name;
    const char *in; /* of the files below */
    const char *words[8];
    clprims_type type;
    double expected;
} reduce_case;

static const reduce_case reduce_cases[] = {
    {"add", "@bytes.npy", {NULL}, CLPRIMS_I8, 44},
    {"int64", "@bytes.npy", {"--accumulate", "int64"}, CLPRIMS_I64, 300},
    {"init", "@bytes.npy", {"--accumulate=int64", "--init", "-7"}, CLPRIMS_I64, 293},
    {"min", "@bytes.npy", {"--op", "min"}, CLPRIMS_I8, -28},
    {"argmin", "@bytes.npy", {"--op", "argmin"}, CLPRIMS_I64, 3},
    {"argmax", "@floats.npy", {"--op", "argmax"}, CLPRIMS_I64, 2},
    {"squares", "@floats.npy", {"--input", "isnan(x) ? 0 : x * x"}, CLPRIMS_F32, 13.75},
    {"and", "@bytes.npy", {"--op", "and"}, CLPRIMS_I8, 100},
    {"bools", "@bools.npy", {NULL}, CLPRIMS_I64, 3},
    {"none", "@none.npy", {NULL}, CLPRIMS_F64, 0},
    {"none-init", "@none.npy", {"--op", "argmin", "--init", "-1"}, CLPRIMS_I64, -1},
};

static void write_inputs(void) {
    static const int8_t bytes[] = {100, 127, 101, -28};
    static const float floats[] = {1.5f, -0.5f, 3.0f, 1.5f, 0.0f};
    static const cli_header bools = {1, 0,
                                     "{'descr': '|b1', 'fortran_order': False, 'shape': (4,), }"};
    float with_nan[5];
    const uint32_t nan_bits = 0x7fc00000u;
    memcpy(with_nan, floats, sizeof floats);
    memcpy(&with_nan[4], &nan_bits, sizeof nan_bits);
    cli_clear();
    cli_write_npy("bytes.npy", CLPRIMS_I8, bytes, 4);
    cli_write_npy("floats.npy", CLPRIMS_F32, with_nan, 5);
    cli_write_npy("none.npy", CLPRIMS_F64, NULL, 0);
    cli_write_header("bools.npy", &bools, "\1\0\1\1", 4);
}

static void reduces(const void *data) {
    const reduce_case *const c = data;
    const char *words[CLI_WORDS] = {"reduce", c->in, "-o", "@out.npy"};
    const float single = (float)c->expected;
    const int64_t whole = (int64_t)c->expected;
    write_inputs();
    for (size_t i = 0; c->words[i]; ++i) words[4 + i] = c->words[i];
    cli_expect_quiet(words, c->type);
    cli_expect_npy("out.npy", c->type,
                   c->type == CLPRIMS_F32   ? (const void *)&single
                   : c->type == CLPRIMS_F64 ? (const void *)&c->expected
                                            : (const void *)&whole,
                   1);
}

static void refuses_none(const void *data) {
    (void)data;
    write_inputs();
    cli_expect(CLI("reduce", "--op", "argmax", "@none.npy", "-o", "@out.npy"), NULL, 1,
               "clprims reduce: no elements, and the plan has neither an initial value nor an "
               "identity\n");
    assert_string_equal(cli_listing(), "bools.npy bytes.npy floats.npy none.npy ");
}

typedef struct reduce_refusal {
    const char *name;
    const char *part; /* of the message */
    const char *words[8];
} reduce_refusal;

static const reduce_refusal refusals[] = {
    {"op",
     "--op 'sum' is unknown; one of add, min, max, mul, and, or, xor, argmin, argmax is needed",
     {"--op", "sum", "@bytes.npy"}},
    {"custom", "--op 'custom' is unknown", {"--op", "custom", "@bytes.npy"}},
    {"accumulate", "--accumulate 'int7' is unknown", {"--accumulate", "int7", "@bytes.npy"}},
    {"init", "--init 1000 does not fit int8", {"--init", "1000", "@bytes.npy"}},
    {"init-of-bool", "--init 2 does not fit bool", {"--op", "max", "--init", "2", "@bools.npy"}},
    {"floats",
     "--op xor needs integers, but the elements are floats",
     {"--op", "xor", "@floats.npy"}},
    {"input", "--input 'x +': the OpenCL compiler refuses", {"--input", "x +", "@bytes.npy"}},
    {"absent", "No such file", {"@absent.npy"}},
};

static void refuses(const void *data) {
    const reduce_refusal *const r = data;
    const char *words[CLI_WORDS] = {"reduce", "-o", "@out.npy"};
    write_inputs();
    for (size_t i = 0; r->words[i]; ++i) words[3 + i] = r->words[i];
    cli_expect(words, NULL, 2, r->part);
    assert_string_equal(cli_listing(), "bools.npy bytes.npy floats.npy none.npy ");
}

static void says_stats(const void *data) {
    (void)data;
    write_inputs();
    cli_expect(CLI("reduce", "@bytes.npy", "--accumulate", "int64", "-o", "@out.npy", "--stats"),
               NULL, 0, "clprims reduce: add of 4 int8 in int64 (");
}

void cli_add_reduce(test_cases *cases) {
    for (size_t i = 0; i < sizeof reduce_cases / sizeof *reduce_cases; i += test_long() ? 1 : 3)
        test_add(cases, reduces, &reduce_cases[i], sizeof *reduce_cases, "cli/reduce/%s",
                 reduce_cases[i].name);
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i)
        test_add(cases, refuses, &refusals[i], sizeof *refusals, "cli/reduce/refused/%s",
                 refusals[i].name);
    test_add(cases, refuses_none, NULL, 0, "cli/reduce/no-elements");
    test_add(cases, says_stats, NULL, 0, "cli/reduce/stats");
}
