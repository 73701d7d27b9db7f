/* SPDX-License-Identifier: MIT */
/* Contexts for GPUs that are not there. */
#include "harness/fake_opencl.h"
#include "store/packs_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* On the fake GPU that is not NVIDIA's. */
static clprims_context_options offline(const char *architecture) {
    return (clprims_context_options){.device = "4", .offline_architecture = architecture};
}

/* The texts of an offline context are to the last character what each GPU of that architecture
 * builds, however many compute units it has, and then finds. Contexts do not take the texts
 * themselves. */
static void expect_texts(const store_gpu *g, size_t scale, unsigned units) {
    size_t count, bytes;
    const test_folder f = test_folder_make("a.pack");
    (void)fake_count_created();
    const clprims_context_options there = offline(g->architecture);
    const clprims_context_info texts = store_plans(&there, scale, f.path);
    assert_int_equal(fake_count_created().from_source, 0);
    assert_int_equal(texts.layer, CLPRIMS_LAYER_NVIDIA);
    unsigned char *pack = test_file_read(f.path, &count);
    unsigned char *code = store_assembled(pack, count, g->architecture, &bytes);
    clprims_context_options options = {
        .device = g->number, .program_pack = pack, .program_pack_bytes = count};
    assert_int_equal(store_plans(&options, 0, NULL).programs_found, 0);
    options.program_pack = code;
    options.program_pack_bytes = bytes;
    fake_sizes(0, units);
    const clprims_context_info info = store_plans(&options, scale, NULL);
    fake_sizes(0, 0);
    assert_int_equal(info.programs_built, 0);
    assert_int_equal(info.programs_assembled, texts.programs_built);
}

static void every_plan(const void *data) {
    enum { LARGE = 1 << 8, UNITS = 100 };
    expect_texts(data, 1, 0);
    expect_texts(data, LARGE, UNITS);
}

/* ---- The command ---- */

/* In place of clang: leaves LLVM's form and PTX of one kernel. Its last word is what it reads, and
 * the word before its last but one is "-o". */
#define CLANG                                                                                      \
    "#!/bin/sh\n"                                                                                  \
    "for word; do case $before in -o) to=$word;; esac; before=$word; done\n"                       \
    "case $to in\n"                                                                                \
    "*.ll) grep -q 'kernel' \"$before\" || exit 1; printf '\\n%s\\n%s\\n%s\\n'"                    \
    " 'define void @clp_k_other(i32 %0) !reqd_work_group_size !3 {'"                               \
    " 'define void @clp_k(i32 %0) #1 !reqd_work_group_size !31 {'"                                 \
    " '!3 = !{i32 7, i32 1, i32 1}'; echo '!31 = !{i32 96, i32 1, i32 1}';;\n"                     \
    "*) printf '%s\\n' // .version\\ 6.3 '.target sm_70, texmode_independent'"                     \
    " '.entry clp_k(' ')' '{' 'ret;' '}';;\n"                                                      \
    "esac > \"$to\"\n"

/* In place of ptxas: wants what clprims made of that. */
#define PTXAS                                                                                      \
    "#!/bin/sh\n"                                                                                  \
    "[ \"$1\" = '-arch=sm_86' ] || exit 1\n"                                                       \
    "grep -q '^.target sm_86, texmode_independent$' \"$5\" || exit 1\n"                            \
    "grep -q '^.version 8.7$' \"$5\" || exit 1\n"                                                  \
    "[ \"$(grep -n -A1 '^.reqntid 96, 1, 1$' \"$5\" | tail -n 1 | tail -c 2)\" = '{' ] || exit "   \
    "1\n"                                                                                          \
    "grep -q '^\"clp_k\",$' \"$5\" || exit 1\n"                                                    \
    "grep -q '^\"reqd_work_group_size(96,1,1)\"$' \"$5\" || exit 1\n"                              \
    "printf '//\\n' > \"$4\"\n"

typedef struct command_row {
    const char *name, *options, *clang;
    int status;
    const char *says;
} command_row;

static const command_row command_rows[] = {
    {"text", "--assemble sm_86", CLANG, 0, ""},
    {"refused", "--assemble sm_86", "#!/bin/sh\necho 'program.cl:1:1: error: no'\nexit 1\n", 1,
     "/clang: program.cl:1:1: error: no\n"},
    {"no-ptx", "--assemble sm_86", "#!/bin/sh\nexit 0\n", 2, "can't be written"},
    {"others", "--assemble sm_90a", CLANG, 1, "no program got machine code for sm_90a"},
    {"no-clang", "--assemble sm_86", NULL, 2, "/clang: can't be run"}};

static void command(const void *data) {
    const command_row *row = data;
    clprims_program_info info;
    size_t count, programs = 0;
    char path[TEST_PATH];
    const test_folder f = test_folder_make("a.pack");
    const clprims_context_options options = offline("sm_86");
    const size_t texts = store_plans(&options, 0, f.path).programs_built;
    store_tool(&f, "clang", row->clang);
    store_tool(&f, "ptxas", PTXAS);
    store_command(&f, row->options, row->status, row->says);
    if (row->status != 0) return;
    snprintf(path, sizeof path, "%s/out", f.folder);
    unsigned char *pack = test_file_read(path, &count);
    for (size_t at = 0; at < count; at += info.bytes, programs++) {
        expect_ok(clprims_pack_describe(pack, count, at, &info));
        assert_int_equal(info.kind, CLPRIMS_PROGRAM_MACHINE_CODE);
        assert_string_equal(info.target, "sm_86");
    }
    assert_int_equal(programs, texts);
}

/* ---- Tuning ---- */

/* The tile of a scan with that line in a tuning file. */
static size_t tuned_tile(const char *line) {
    clprims_context *context = NULL;
    clprims_scan *scan = NULL;
    clprims_scan_info info = {0};
    const test_folder f = test_folder_make("mine.tune");
    test_file_write(f.path, line, strlen(line));
    clprims_context_options options = offline("sm_90a");
    options.tuning_file = f.path;
    expect_ok(clprims_context_create(&context, &options));
    const clprims_scan_desc desc = {
        .type = CLPRIMS_U32, .max_n = 100, .algorithm = CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN};
    expect_ok(clprims_scan_create(&scan, context, &desc));
    expect_ok(clprims_scan_describe(scan, desc.max_n, &info));
    clprims_scan_destroy(scan);
    clprims_context_destroy(context);
    return info.tile;
}

/* A line names an architecture, or any of some. */
static void tuning(void) {
    const size_t usual = tuned_tile("\"sm_9\" scan * GROUP=64 ROWS=3\n");
    assert_int_not_equal(tuned_tile("\"sm_90\" scan * GROUP=64 ROWS=3\n"), usual);
    assert_int_not_equal(tuned_tile("\"sm_9*\" scan * GROUP=64 ROWS=3\n"), usual);
    assert_int_equal(tuned_tile("\"sm_80\" scan * GROUP=64 ROWS=3\n"), usual);
}

/* ---- What is refused ---- */

/* Plans run nothing, by whichever door. */
static void runs_nothing(void) {
    static const int32_t in[4] = {1, 2, 3, 4};
    int32_t out[4] = {7, 7, 7, 7};
    clprims_context *context = NULL;
    clprims_scan *scan = NULL;
    const clprims_context_options options = offline("sm_86");
    expect_ok(clprims_context_create(&context, &options));
    expect_ok(
        clprims_scan_create(&scan, context, &(clprims_scan_desc){.type = CLPRIMS_I32, .max_n = 4}));
    expect_failure(clprims_scan_run(scan, &(clprims_scan_arrays){.in = in, .out = out}, 4),
                   CLPRIMS_ERR_UNSUPPORTED, "\"NVIDIA sm_86\" of an offline_architecture");
    assert_int_equal(out[0], 7);
    const clprims_scan_buffers none = {.in = {0}, .out = {0}};
    expect_failure(clprims_scan_enqueue(scan, NULL, &none, 4, 0, NULL, NULL),
                   CLPRIMS_ERR_UNSUPPORTED, "an offline_architecture");
    clprims_scan_destroy(scan);
    clprims_context_destroy(context);
}

static void refusals(void) {
    static const char *const architectures[] = {
        "", "86", "sm_", "sm_61", "sm_86b", "sm_90aa", "sm_9", "sm_1000", "compute_86", "RTX 3090"};
    clprims_context *context = NULL;
    for (size_t i = 0; i < sizeof architectures / sizeof architectures[0]; i++) {
        const clprims_context_options options = offline(architectures[i]);
        expect_failure(clprims_context_create(&context, &options), CLPRIMS_ERR_ARGUMENT,
                       architectures[i]);
    }
    clprims_context_options options = offline("sm_86");
    options.program_store = "/tmp";
    expect_failure(clprims_context_create(&context, &options), CLPRIMS_ERR_ARGUMENT,
                   "a program_store or packs");
}

void store_add_offline(test_cases *cases) {
    for (size_t i = 0; i < STORE_GPUS; i++)
        test_add(cases, every_plan, &store_gpus[i], sizeof store_gpus[i], "store/offline/%s",
                 store_gpus[i].architecture);
    test_add_rows(cases, command, command_rows, "store/offline/command");
    test_add_plain(cases, tuning, "store/offline/tuning");
    test_add_plain(cases, runs_nothing, "store/offline/runs-nothing");
    test_add_plain(cases, refusals, "store/offline/refusals");
}
