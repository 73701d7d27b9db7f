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

static const cli_message usage[] = {
    {"no-command", "", 2, "usage: clprims COMMAND"},
    {"unknown-command", "shuffle", 2, "clprims: unknown command 'shuffle'"},
    {"unknown-option", "scan --fast", 2, "clprims scan: unknown option '--fast'"},
    {"unknown-letter", "scan -x", 2, "unknown option '-x'"},
    {"no-value", "scan in --op", 2, "--op lacks its value, NAME"},
    {"value-of-flag", "scan --stats=yes", 2, "--stats takes no value, but has 'yes'"},
    {"twice", "scan --op min --op=max", 2, "--op is given twice"},
    {"no-input", "scan -o out", 2, "IN.npy is missing"},
    {"no-output", "rank in", 2, "-o is missing"},
    {"minplus-one-input", "minplus in -o out", 2, "B.npy is missing"},
    {"minplus-no-output", "minplus in in", 2, "-o is missing"},
    {"minplus-vector", "minplus in floats -o out", 2, "two dimensions are needed"},
    {"paths-no-input", "paths -o out", 2, "D.npy is missing"},
    {"paths-vector", "paths floats -o out", 2, "two dimensions are needed"},
    {"two-inputs", "scan in in", 2, "is one argument too many"},
    {"info-knobs-stats", "info --knobs --stats", 2, "leave out --stats"},
    {"info-knobs-device", "info --device 0 --knobs", 2, "leave out --device"},
    {"info-knobs-layer", "info --knobs --layer local", 2, "leave out --layer"},
    {"info-operand", "info in", 2, "'in' is one argument too many"},
    {"op", "scan --op plus in -o out", 2, "--op 'plus' is unknown; one of add, min,"},
    {"op-and-custom", "scan --op add --custom 'a + b' in -o out", 2,
     "--op and --custom exclude each other"},
    {"both-kinds", "scan --inclusive --exclusive in -o out", 2,
     "--inclusive and --exclusive exclude each other"},
    {"identity-alone", "scan --op min --identity 0 in -o out", 2,
     "--identity goes with --custom; --op min has its own"},
    {"custom-without-start", "scan --custom 'a + b' in -o out", 2,
     "--custom needs --identity, --init or --inclusive"},
    {"fallback-of-floats", "scan --algorithm lookback-fallback floats -o out", 2,
     "--algorithm lookback-fallback can't promise the same bits of float32 in every run; add "
     "--fast-floats, or take lookback or reduce-then-scan\n"},
    {"minplus-type", "minplus square square -o out", 2,
     "its elements are uint8; matrices are of float32, float64, int32 or int64"},
    {"no-device-name", "scan --device '' in -o out", 2,
     "clprims scan: --device '' names no device"},
    {"help-of-nothing", "help shuffle", 2, "clprims: unknown command 'shuffle'"},
    {"help-of-two", "help scan rank", 2, "clprims: 'rank' is one argument too many"},
    {"accumulate", "scan --accumulate int128 in -o out", 2,
     "--accumulate 'int128' is unknown; one of int8,"},
    {"algorithm", "scan --algorithm magic in -o out", 2,
     "--algorithm 'magic' is unknown; one of auto, lookback,"},
    {"layer", "scan --layer cuda in -o out", 2, "--layer 'cuda' is unknown; one of auto, nvidia,"},
    {"init-too-large", "scan --init 300 in -o out", 2, "--init 300 does not fit uint8"},
    {"init-negative", "scan --init -1 in -o out", 2, "--init -1 does not fit uint8"},
    {"init-int64", "scan --accumulate int64 --init 9223372036854775808 in -o out", 2,
     "--init 9223372036854775808 does not fit int64"},
    {"init-uint64", "scan --accumulate uint64 --init 18446744073709551616 in -o out", 2,
     "--init 18446744073709551616 does not fit uint64"},
    {"init-int16", "scan --accumulate int16 --init=-32769 in -o out", 2,
     "--init -32769 does not fit int16"},
    {"init-fraction", "scan --init 1.5 in -o out", 2, "--init '1.5' is not a number of type uint8"},
    {"init-empty", "scan --init '' in -o out", 2, "--init '' is not a number of type uint8"},
    {"init-float", "scan --init 1e39 floats -o out", 2, "--init 1e39 does not fit float32"},
    {"init-float-word", "scan --init ten floats -o out", 2,
     "--init 'ten' is not a number of type float32"},
    {"identity-too-large", "scan --custom 'a + b' --identity 256 in -o out", 2,
     "--identity 256 does not fit uint8"},
    {"xor-of-floats", "scan --op xor floats -o out", 2,
     "--op xor needs integers, but the elements are floats"},
    {"and-to-floats", "scan --op and --accumulate float32 in -o out", 2,
     "--op and needs integers, but --accumulate says otherwise"},
    {"rank-of-uint8", "rank in -o out", 2, "its elements are uint8; links are int32 or int64"},
    {"head-beyond", "rank --head 4 list -o o", 2, "--head 4 is no element"},
    {"head-negative", "rank --head -1 list -o o", 2, "--head -1 is no element"},
    {"head-word", "rank --head first list -o o", 2, "--head 'first' is not a number"},
    {"no-such-device", "scan --device 'no such device' in -o out", 3, "no such device"},
    {"no-such-device-info", "info --device 'no such device'", 3, "no such device"},
    {"no-such-device-number", "rank --device 999 list -o out", 3, "999"},
};

static const cli_message surroundings[] = {
    {"environment/no-platform", "OCL_ICD_VENDORS=/nonexistent/ $C scan in -o out", 3, "platform"},
    {"environment/device", "CLPRIMS_DEVICE='no such device' $C scan in -o out", 3,
     "no such device"},
    {"environment/layer", "CLPRIMS_LAYER=cuda $C scan in -o out", 2,
     "CLPRIMS_LAYER 'cuda' is unknown"},
    {"environment/cl-dir", "CLPRIMS_CL_DIR=/nonexistent $C scan in -o out", 2, "/nonexistent"},
    {"environment/tuning", "CLPRIMS_TUNING=/nonexistent.tune $C scan in -o out", 2,
     "/nonexistent.tune"},
    {"output/absent-folder", "scan in -o absent/out", 2, "No such file"},
    {"output/folder", "scan in -o .", 2, "Is a directory"},
    {"info/full", "$C info > /dev/full", 2, "standard output can't be written: No space left"},
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

static const cli_file lists[] = {
    {"too-large", "int32 1 2 3 5 -1"},     {"negative", "int32 1 2 -2 4 -1"},
    {"two-tails", "int32 1 -1 3 4 -1"},    {"no-tail", "int32 1 2 0 4 3"},
    {"same", "int32 1 2 3 2 -1"},          {"cycle", "int32 1 -1 3 4 2"},
    {"head-on-cycle", "int32 1 2 0 4 -1"}, {"ordered", "int32 1 2 3 4 -1"},
};

static const cli_message bad_lists[] = {
    {"link-too-large", "rank too-large -o rank", 1, "next[3] = 5 is neither -1 nor"},
    {"link-negative", "rank negative -o rank", 1, "next[2] = -2 is neither -1 nor"},
    {"two-tails", "rank two-tails -o rank", 1, "next[1] and next[4] are both -1"},
    {"no-tail", "rank --head 0 no-tail -o rank", 1, "no link is -1"},
    {"same-successor", "rank same -o rank", 1, "next[1] is also next[3]"},
    {"cycle", "rank cycle -o rank", 1, "element 2 is on a cycle"},
    {"head-on-cycle", "rank --head 0 head-on-cycle -o rank", 1,
     "head = 0 is not the first element: next[2]"},
    {"head-in-the-middle", "rank --head 2 ordered -o rank", 1,
     "head = 2 is not the first element: next[1]"},
    {"onto-input", "rank no-tail -o no-tail", 1, "clprims rank: list: "},
};

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
    cli_add_messages(cases, "cli/usage", files, usage);
    cli_add_messages(cases, "cli", files, surroundings);
    cli_add_messages(cases, "cli/list", lists, bad_lists);
    test_add_rows(cases, blames_text, text_cases, "cli/text");
    test_add_plain(cases, refuses_large_output, "cli/output/refused");
}
