/* SPDX-License-Identifier: MIT */
/* What the command refuses: wrong usage, bad lists, devices and outputs without a place. */
#include "cli/cli_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Usage ---------------------------------------------------------------------------------- */

typedef struct usage_case {
    const char *name;
    int exit_status;
    const char *part; /* of the message */
    const char *words[CLI_WORDS];
} usage_case;

/* in.npy holds uint8, floats.npy float32. */
static const usage_case usage_cases[] = {
    {"no-command", 2, "usage: clprims COMMAND", {NULL}},
    {"unknown-command", 2, "clprims: unknown command 'shuffle'", {"shuffle"}},
    {"unknown-option", 2, "clprims scan: unknown option '--fast'", {"scan", "--fast"}},
    {"unknown-letter", 2, "unknown option '-x'", {"scan", "-x"}},
    {"no-value", 2, "--op lacks its value, NAME", {"scan", "@in.npy", "--op"}},
    {"value-of-flag", 2, "--stats takes no value, but has 'yes'", {"scan", "--stats=yes"}},
    {"twice", 2, "--op is given twice", {"scan", "--op", "min", "--op=max"}},
    {"no-input", 2, "IN.npy is missing", {"scan", "-o", "@out.npy"}},
    {"no-output", 2, "-o is missing", {"rank", "@in.npy"}},
    {"minplus-one-input", 2, "B.npy is missing", {"minplus", "@in.npy", "-o", "@out.npy"}},
    {"minplus-no-output", 2, "-o is missing", {"minplus", "@in.npy", "@in.npy"}},
    {"minplus-vector",
     2,
     "two dimensions are needed",
     {"minplus", "@in.npy", "@floats.npy", "-o", "@out.npy"}},
    {"paths-no-input", 2, "D.npy is missing", {"paths", "-o", "@out.npy"}},
    {"paths-vector", 2, "two dimensions are needed", {"paths", "@floats.npy", "-o", "@out.npy"}},
    {"two-inputs", 2, "is one argument too many", {"scan", "@in.npy", "@in.npy"}},
    {"info-knobs-stats", 2, "leave out --stats", {"info", "--knobs", "--stats"}},
    {"info-knobs-device", 2, "leave out --device", {"info", "--device", "0", "--knobs"}},
    {"info-knobs-layer", 2, "leave out --layer", {"info", "--knobs", "--layer", "local"}},
    {"info-operand", 2, "'in.npy' is one argument too many", {"info", "in.npy"}},
    {"op",
     2,
     "--op 'plus' is unknown; one of add, min,",
     {"scan", "--op", "plus", "@in.npy", "-o", "@out.npy"}},
    {"op-and-custom",
     2,
     "--op and --custom exclude each other",
     {"scan", "--op", "add", "--custom", "a + b", "@in.npy", "-o", "@out.npy"}},
    {"both-kinds",
     2,
     "--inclusive and --exclusive exclude each other",
     {"scan", "--inclusive", "--exclusive", "@in.npy", "-o", "@out.npy"}},
    {"identity-alone",
     2,
     "--identity goes with --custom; --op min has its own",
     {"scan", "--op", "min", "--identity", "0", "@in.npy", "-o", "@out.npy"}},
    {"custom-without-start",
     2,
     "--custom needs --identity, --init or --inclusive",
     {"scan", "--custom", "a + b", "@in.npy", "-o", "@out.npy"}},
    {"fallback-of-floats",
     2,
     "--algorithm lookback-fallback can't promise the same bits of float32 in every run; add "
     "--fast-floats, or take lookback or reduce-then-scan\n",
     {"scan", "--algorithm", "lookback-fallback", "@floats.npy", "-o", "@out.npy"}},
    {"minplus-type",
     2,
     "its elements are uint8; matrices are of float32, float64, int32 or int64",
     {"minplus", "@square.npy", "@square.npy", "-o", "@out.npy"}},
    {"no-device-name",
     2,
     "clprims scan: --device '' names no device",
     {"scan", "--device", "", "@in.npy", "-o", "@out.npy"}},
    {"help-of-nothing", 2, "clprims: unknown command 'shuffle'", {"help", "shuffle"}},
    {"help-of-two", 2, "clprims: 'rank' is one argument too many", {"help", "scan", "rank"}},
    {"accumulate",
     2,
     "--accumulate 'int128' is unknown; one of int8,",
     {"scan", "--accumulate", "int128", "@in.npy", "-o", "@out.npy"}},
    {"algorithm",
     2,
     "--algorithm 'magic' is unknown; one of auto, lookback,",
     {"scan", "--algorithm", "magic", "@in.npy", "-o", "@out.npy"}},
    {"layer",
     2,
     "--layer 'cuda' is unknown; one of auto, nvidia,",
     {"scan", "--layer", "cuda", "@in.npy", "-o", "@out.npy"}},
    {"init-too-large",
     2,
     "--init 300 does not fit uint8",
     {"scan", "--init", "300", "@in.npy", "-o", "@out.npy"}},
    {"init-negative",
     2,
     "--init -1 does not fit uint8",
     {"scan", "--init", "-1", "@in.npy", "-o", "@out.npy"}},
    {"init-int64",
     2,
     "--init 9223372036854775808 does not fit int64",
     {"scan", "--accumulate", "int64", "--init", "9223372036854775808", "@in.npy", "-o",
      "@out.npy"}},
    {"init-uint64",
     2,
     "--init 18446744073709551616 does not fit uint64",
     {"scan", "--accumulate", "uint64", "--init", "18446744073709551616", "@in.npy", "-o",
      "@out.npy"}},
    {"init-int16",
     2,
     "--init -32769 does not fit int16",
     {"scan", "--accumulate", "int16", "--init=-32769", "@in.npy", "-o", "@out.npy"}},
    {"init-fraction",
     2,
     "--init '1.5' is not a number of type uint8",
     {"scan", "--init", "1.5", "@in.npy", "-o", "@out.npy"}},
    {"init-empty",
     2,
     "--init '' is not a number of type uint8",
     {"scan", "--init", "", "@in.npy", "-o", "@out.npy"}},
    {"init-float",
     2,
     "--init 1e39 does not fit float32",
     {"scan", "--init", "1e39", "@floats.npy", "-o", "@out.npy"}},
    {"init-float-word",
     2,
     "--init 'ten' is not a number of type float32",
     {"scan", "--init", "ten", "@floats.npy", "-o", "@out.npy"}},
    {"identity-too-large",
     2,
     "--identity 256 does not fit uint8",
     {"scan", "--custom", "a + b", "--identity", "256", "@in.npy", "-o", "@out.npy"}},
    {"xor-of-floats",
     2,
     "--op xor needs integers, but the elements are floats",
     {"scan", "--op", "xor", "@floats.npy", "-o", "@out.npy"}},
    {"and-to-floats",
     2,
     "--op and needs integers, but --accumulate says otherwise",
     {"scan", "--op", "and", "--accumulate", "float32", "@in.npy", "-o", "@out.npy"}},
    {"rank-of-uint8",
     2,
     "its elements are uint8; links are int32 or int64",
     {"rank", "@in.npy", "-o", "@out.npy"}},
    {"head-beyond", 2, "--head 4 is no element", {"rank", "--head", "4", "@list.npy", "-o", "@o"}},
    {"head-negative",
     2,
     "--head -1 is no element",
     {"rank", "--head", "-1", "@list.npy", "-o", "@o"}},
    {"head-word",
     2,
     "--head 'first' is not a number",
     {"rank", "--head", "first", "@list.npy", "-o", "@o"}},
    {"no-such-device",
     3,
     "no such device",
     {"scan", "--device", "no such device", "@in.npy", "-o", "@out.npy"}},
    {"no-such-device-info", 3, "no such device", {"info", "--device", "no such device"}},
    {"no-such-device-number", 3, "999", {"rank", "--device", "999", "@list.npy", "-o", "@out.npy"}},
};

static void write_inputs(void) {
    static const uint8_t bytes[] = {3, 1, 4, 1, 5};
    static const float floats[] = {3, 1, 4, 1, 5};
    static const int32_t list[] = {1, 2, 3, -1};
    static const cli_header square = {
        .major = 1, .text = "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }"};
    cli_clear();
    cli_write_npy("in.npy", CLPRIMS_U8, bytes, 5);
    cli_write_npy("floats.npy", CLPRIMS_F32, floats, 5);
    cli_write_npy("list.npy", CLPRIMS_I32, list, 4);
    cli_write_header("square.npy", &square, bytes, 4);
}

static void refuses_usage(const void *data) {
    const usage_case *const usage = data;
    write_inputs();
    cli_expect(usage->words, NULL, usage->exit_status, usage->part);
    assert_string_equal(cli_listing(), "floats.npy in.npy list.npy square.npy ");
}

/* ---- Texts that do not compile ---- */

typedef struct text_case {
    const char *name;
    const char *option;
    const char *text;
    const char *place; /* in the user's text */
    const char *fault; /* as LLVM's compiler has it */
} text_case;

static const text_case text_cases[] = {
    {"unfinished", "--custom", "a +", "operator:1:", "expected expression"},
    {"unknown-name", "--custom", "a + nowhere", "operator:1:5", "identifier 'nowhere'"},
    {"second-line", "--custom", "a + // more\n", "operator:2:", "expected expression"},
    {"open-bracket", "--where", "(x > 0", "predicate:1:", "expected ')'"},
};

/* The user's option and text, the place and the fault, each once. */
static void blames_text(const void *data) {
    const text_case *const c = data;
    char start[128];
    write_inputs();
    const cli_result *const result =
        strcmp(c->option, "--where") == 0
            ? cli_run(CLI("select", "--where", c->text, "@in.npy", "-o", "@out.npy"), NULL)
            : cli_run(CLI("scan", "--init=0", "--custom", c->text, "@in.npy", "-o", "@out.npy"),
                      NULL);
    assert_int_equal(result->exit_status, 2);
    snprintf(start, sizeof start, ": %s '%s': the OpenCL compiler refuses the program: ", c->option,
             c->text);
    expect_contains(result->err, start);
    expect_contains(result->err, c->place);
    const char *const fault = strstr(result->err, c->fault);
    if (!fault || strstr(fault + 1, c->fault))
        test_fail("'%s' is not there once: %s", c->fault, result->err);
    if (strstr(result->err, "prelude:")) test_fail("the prelude is blamed: %s", result->err);
    assert_string_equal(cli_listing(), "floats.npy in.npy list.npy square.npy ");
}

/* ---- Lists ---------------------------------------------------------------------------------- */

typedef struct list_case {
    const char *name;
    const char *head; /* or NULL */
    const char *part;
    int32_t next[5];
} list_case;

static const list_case list_cases[] = {
    {"link-too-large", NULL, "next[3] = 5 is neither -1 nor", {1, 2, 3, 5, -1}},
    {"link-negative", NULL, "next[2] = -2 is neither -1 nor", {1, 2, -2, 4, -1}},
    {"two-tails", NULL, "next[1] and next[4] are both -1", {1, -1, 3, 4, -1}},
    {"no-tail", "0", "no link is -1", {1, 2, 0, 4, 3}},
    {"same-successor", NULL, "next[1] is also next[3]", {1, 2, 3, 2, -1}},
    {"cycle", NULL, "element 2 is on a cycle", {1, -1, 3, 4, 2}},
    {"head-on-cycle", "0", "head = 0 is not the first element: next[2]", {1, 2, 0, 4, -1}},
    {"head-in-the-middle", "2", "head = 2 is not the first element: next[1]", {1, 2, 3, 4, -1}},
};

static void refuses_list(const void *data) {
    const list_case *const list = data;
    cli_clear();
    cli_write_npy("next.npy", CLPRIMS_I32, list->next, 5);
    cli_expect(list->head ? CLI("rank", "--head", list->head, "@next.npy", "-o", "@rank.npy")
                          : CLI("rank", "@next.npy", "-o", "@rank.npy"),
               NULL, 1, list->part);
    assert_string_equal(cli_listing(), "next.npy ");
}

static void keeps_bad_list(const void *data) {
    (void)data;
    static const int32_t next[] = {1, 2, 0};
    cli_clear();
    cli_write_npy("next.npy", CLPRIMS_I32, next, 3);
    cli_expect(CLI("rank", "@next.npy", "-o", "@next.npy"), NULL, 1, "clprims rank: list: ");
    cli_expect_npy("next.npy", CLPRIMS_I32, next, 3);
    assert_string_equal(cli_listing(), "next.npy ");
}

/* ---- Surroundings --------------------------------------------------------------------------- */

typedef struct world_case {
    const char *name;
    int exit_status;
    const char *part;
    const char *variable;
    const char *value;
} world_case;

static const world_case world_cases[] = {
    {"no-platform", 3, "platform", "OCL_ICD_VENDORS", "/nonexistent/"},
    {"device", 3, "no such device", "CLPRIMS_DEVICE", "no such device"},
    {"layer", 2, "CLPRIMS_LAYER 'cuda' is unknown", "CLPRIMS_LAYER", "cuda"},
    {"cl-dir", 2, "/nonexistent", "CLPRIMS_CL_DIR", "/nonexistent"},
    {"tuning", 2, "/nonexistent.tune", "CLPRIMS_TUNING", "/nonexistent.tune"},
};

static void refuses_world(const void *data) {
    const world_case *const entry = data;
    const cli_world world = {.variable = entry->variable, .value = entry->value};
    write_inputs();
    cli_expect(CLI("scan", "@in.npy", "-o", "@out.npy"), &world, entry->exit_status, entry->part);
    assert_string_equal(cli_listing(), "floats.npy in.npy list.npy square.npy ");
}

static void refuses_output(const void *data) {
    (void)data;
    /* Wide enough for what an OpenCL driver writes into its cache. */
    const cli_world small = {.file_bytes_most = 1 << 24};
    static const uint8_t bytes[(1 << 24) + 1];
    static const char old[] = "what was there before";
    write_inputs();
    cli_expect(CLI("scan", "@in.npy", "-o", "@absent/out.npy"), NULL, 2, "No such file");
    cli_expect(CLI("scan", "@in.npy", "-o", "@."), NULL, 2, "Is a directory");
    cli_write_npy("in.npy", CLPRIMS_U8, bytes, sizeof bytes);
    cli_write("out.npy", old, sizeof old);
    cli_expect(CLI("scan", "@in.npy", "-o", "@out.npy"), &small, 2,
               "out.npy: can't be written: File too large");
    cli_expect_file("out.npy", old, sizeof old);
    assert_string_equal(cli_listing(), "floats.npy in.npy list.npy out.npy square.npy ");
}

static void refuses_full_stdout(const void *data) {
    (void)data;
    const cli_world world = {.stdout_path = "/dev/full"};
    cli_clear();
    if (access("/dev/full", W_OK) != 0) test_skip("there is no /dev/full here");
    cli_expect(CLI("info"), &world, 2, "standard output can't be written: No space left");
}

void cli_add_refusals(test_cases *cases) {
    for (size_t i = 0; i < sizeof usage_cases / sizeof *usage_cases; ++i)
        test_add(cases, refuses_usage, &usage_cases[i], sizeof *usage_cases, "cli/usage/%s",
                 usage_cases[i].name);
    for (size_t i = 0; i < sizeof text_cases / sizeof *text_cases; ++i)
        test_add(cases, blames_text, &text_cases[i], sizeof *text_cases, "cli/text/%s/%s",
                 text_cases[i].option + 2, text_cases[i].name);
    for (size_t i = 0; i < sizeof list_cases / sizeof *list_cases; ++i)
        test_add(cases, refuses_list, &list_cases[i], sizeof *list_cases, "cli/list/%s",
                 list_cases[i].name);
    for (size_t i = 0; i < sizeof world_cases / sizeof *world_cases; ++i)
        test_add(cases, refuses_world, &world_cases[i], sizeof *world_cases, "cli/environment/%s",
                 world_cases[i].name);
    test_add(cases, keeps_bad_list, NULL, 0, "cli/list/onto-input");
    test_add(cases, refuses_output, NULL, 0, "cli/output/refused");
    test_add(cases, refuses_full_stdout, NULL, 0, "cli/info/full");
}
