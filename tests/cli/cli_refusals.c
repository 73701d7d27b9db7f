/* SPDX-License-Identifier: MIT */
/* What the command refuses: wrong usage, bad lists, devices and outputs without a place. */
#include "cli/cli_run.h"

/* ---- Usage ---------------------------------------------------------------------------------- */

static const cli_file files[] = {
    {"in", "uint8 3 1 4 1 5"},
    {"floats", "float32 3 1 4 1 5"},
    {"list", "int32 1 2 3 -1"},
    {"square", "uint8 (2, 2) 3 1 4 1"},
};

/* ---- Texts that do not compile ---- */

typedef struct text_case {
    const char *name;
    const char *script;
    const char *start; /* of the message */
    const char *place; /* in the user's text */
    const char *fault; /* as LLVM's compiler has it */
} text_case;

static const text_case text_cases[] = {
    {"custom/unfinished", "scan --init=0 --custom 'a +' in -o out", "--custom 'a +'",
     "operator:1:", "expected expression"},
    {"custom/unknown-name", "scan --init=0 --custom 'a + nowhere' in -o out",
     "--custom 'a + nowhere'", "operator:1:5", "identifier 'nowhere'"},
    {"custom/second-line", "scan --init=0 --custom 'a + // more\n' in -o out",
     "--custom 'a + // more\n'", "operator:2:", "expected expression"},
    {"where/open-bracket", "select --where '(x > 0' in -o out", "--where '(x > 0'",
     "predicate:1:", "expected ')'"},
};

/* The user's option and text, the place and the fault, each once. */
static void blames_text(const void *data) {
    const text_case *const c = data;
    cli_write_files(files);
    const cli_result *const result =
        cli_expect(c->script, 2, "': the OpenCL compiler refuses the program: ");
    expect_contains(result->err, c->start);
    expect_contains(result->err, c->place);
    const char *const fault = strstr(result->err, c->fault);
    if (!fault || strstr(fault + 1, c->fault))
        test_fail("'%s' is not there once: %s", c->fault, result->err);
    if (strstr(result->err, "prelude:")) test_fail("the prelude is blamed: %s", result->err);
    assert_string_equal(cli_listing(), "floats in list square ");
}

/* ---- Lists ---------------------------------------------------------------------------------- */

/* ---- Outputs ---- */

/* The limit, in blocks of 512 bytes, is wide enough for what an OpenCL driver writes into its
 * cache. */
static void refuses_large_output(void) {
    enum { BYTES = 32768 * 512 };
    static const uint8_t bytes[BYTES + 1];
    cli_clear();
    cli_write_npy("in", CLPRIMS_U8, bytes, sizeof bytes);
    cli_write_values("out", "uint8 1 2 3");
    cli_expect("ulimit -f 32768; $C scan in -o out", 2, "out: can't be written: File too large");
    cli_expect_values("out", "uint8 1 2 3");
    assert_string_equal(cli_listing(), "in out ");
}

void cli_add_refusals(test_cases *cases) {
    test_add_rows(cases, blames_text, text_cases, "cli/text");
    test_add_plain(cases, refuses_large_output, "cli/output/refused");
}
