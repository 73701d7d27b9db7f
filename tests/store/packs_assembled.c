/* SPDX-License-Identifier: MIT */
/* Machine code in packs. */
#include "fixtures/plan_kinds.h"
#include "harness/fake_opencl.h"
#include "store/packs_cases.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

unsigned char *store_assembled(const unsigned char *pack, size_t count, const char *architecture,
                               size_t *bytes) {
    unsigned char *out = test_scratch(2 * count + (1 << 20), 1);
    clprims_program_info info;
    size_t code_bytes;
    const char *code = fake_binary(&code_bytes);
    *bytes = 0;
    for (size_t at = 0; at < count; at += info.bytes) {
        size_t room = code_bytes + CLPRIMS_PROGRAM_HEAD_BYTES;
        expect_ok(clprims_pack_describe(pack, count, at, &info));
        expect_ok(clprims_pack_assembled(pack, count, at, architecture, code, code_bytes,
                                         out + *bytes, &room));
        *bytes += room;
        assert_true(*bytes < 2 * count + (1 << 20) - 2 * CLPRIMS_PROGRAM_HEAD_BYTES);
    }
    return out;
}

/* ---- Packs of fake devices ---- */

const store_gpu store_gpus[STORE_GPUS] = {{"0", "sm_90a"},   {"1", "sm_80"},  {"6", "sm_70"},
                                          {"7", "sm_75"},    {"8", "sm_86"},  {"9", "sm_89"},
                                          {"10", "sm_100a"}, {"11", "sm_120"}};

static clprims_context *of_plans;

static clprims_context *before(const char *name) {
    test_note("%s", name);
    return of_plans;
}

/* A way's own knobs may not suit so many elements. */
static void after(clprims_status status) {
    if (status != CLPRIMS_ERR_TOO_LARGE) expect_status_ok(status);
}

clprims_context_info store_plans(const clprims_context_options *options, size_t scale,
                                 const char *pack) {
    const plan_visitor visitor = {before, after, true, scale, NULL};
    clprims_context_info info;
    expect_ok(clprims_context_create(&of_plans, options));
    if (scale > 0) plan_kinds(&visitor);
    if (pack != NULL) expect_ok(clprims_context_save_programs(of_plans, pack));
    expect_ok(clprims_context_describe(of_plans, &info));
    clprims_context_destroy(of_plans);
    return info;
}

/* Saves the programs of a start on the fake H200; returns the pack's bytes. */
static unsigned char *save_start(test_folder *f, size_t *count) {
    *f = test_folder_make("a.pack");
    (void)store_plans(&(clprims_context_options){.device = "0"}, 0, f->path);
    return test_file_read(f->path, count);
}

/* ---- Finding machine code ---- */

static void every_plan(const void *data) {
    const store_gpu *g = data;
    size_t count, bytes;
    const test_folder f = test_folder_make("a.pack");
    clprims_context_options options = {.device = g->number};
    const size_t programs = store_plans(&options, 1, f.path).programs_built;
    unsigned char *pack = test_file_read(f.path, &count);
    unsigned char *code = store_assembled(pack, count, g->architecture, &bytes);
    options.program_pack = code;
    options.program_pack_bytes = bytes;
    const clprims_context_info info = store_plans(&options, 1, NULL);
    assert_int_equal(info.programs_built, 0);
    assert_int_equal(info.programs_found, programs);
    assert_int_equal(info.programs_assembled, programs);
}

/* Machine code of other architectures is not taken; a driver that refuses it gets the source. */
static void not_taken(void) {
    static const char *const others[] = {"sm_80", "sm_100", "sm_900", "sm_90a"};
    test_folder f;
    size_t count, bytes;
    unsigned char *pack = save_start(&f, &count);
    clprims_context_options options = {.device = "0"};
    const size_t all = store_begin(&options).built;
    for (size_t i = 0; i < 4; i++) {
        if (i == 3) fake_make_binaries(FAKE_BINARIES_REFUSED);
        unsigned char *code = store_assembled(pack, count, others[i], &bytes);
        options.program_pack = code;
        options.program_pack_bytes = bytes;
        store_expect(&options, all, 0);
        fake_make_binaries(FAKE_BINARIES);
        if (i == 3) store_expect(&options, 0, all);
    }
}

/* Machine code wins over what the driver gave, also where its pack comes later. */
static void machine_code_first(void) {
    test_folder f;
    char second[TEST_PATH];
    size_t count, bytes;
    unsigned char *pack = save_start(&f, &count);
    unsigned char *code = store_assembled(pack, count, "sm_90a", &bytes);
    snprintf(second, sizeof second, "%s/b.pack", f.folder);
    test_file_write(second, code, bytes);
    const char *const paths[] = {f.path, second};
    const clprims_context_options options = {
        .device = "0", .program_packs = paths, .program_pack_count = 2};
    const clprims_context_info info = store_plans(&options, 0, NULL);
    assert_int_equal(info.programs_built, 0);
    assert_true(info.programs_found > 0);
    assert_int_equal(info.programs_assembled, info.programs_found);
}

/* ---- What a plan says of its programs ---- */

/* Of a sort by two keys, which has plans within it, with that pack on the fake H200. */
static const char *programs_of(const void *pack, size_t count, const char *saved) {
    const clprims_context_options options = {
        .device = "0", .program_pack = pack, .program_pack_bytes = count};
    const clprims_sort_desc desc = {
        .type = CLPRIMS_U32, .key = "x & 15u", .then = {"x >> 4"}, .max_n = 1000};
    clprims_context *context = NULL;
    clprims_sort *sort = NULL;
    clprims_sort_info info = {0};
    expect_ok(clprims_context_create(&context, &options));
    for (size_t i = 0; i < 2; i++) {
        expect_ok(clprims_sort_create(&sort, context, &desc));
        expect_ok(clprims_sort_describe(sort, desc.max_n, &info));
        clprims_sort_destroy(sort);
    }
    if (saved != NULL) expect_ok(clprims_context_save_programs(context, saved));
    clprims_context_destroy(context);
    return info.programs;
}

/* Each of the programs in turn, then all, are machine code; the others are compiled. */
static void origins(void) {
    size_t count, bytes, all = 0, mixed = 0;
    clprims_program_info info;
    const test_folder f = test_folder_make("a.pack");
    assert_string_equal(programs_of(NULL, 0, f.path), "source");
    const unsigned char *pack = test_file_read(f.path, &count);
    const unsigned char *code = store_assembled(pack, count, "sm_90a", &bytes);
    assert_string_equal(programs_of(pack, count, NULL), "driver's binary");
    assert_string_equal(programs_of(code, bytes, NULL), "machine code");
    for (size_t at = 0; at < bytes; at += info.bytes, all++) {
        expect_ok(clprims_pack_describe(code, bytes, at, &info));
        mixed += strcmp(programs_of(code + at, info.bytes, NULL), "machine code, source") == 0;
    }
    assert_int_equal(mixed, all - 2); /* the others are the context's two probes */
}

/* ---- The command ---- */

/* In place of ptxas: refuses other arguments than the command gives, and leaves what the fake
 * driver takes. */
#define PTXAS                                                                                      \
    "#!/bin/sh\n"                                                                                  \
    "[ \"$1 $2 $3\" = '-arch=sm_90a -maxrregcount=255 -o' ] || exit 1\n"                           \
    "grep -q '^.target sm_90a, texmode_independent$' \"$5\" || exit 1\n"                           \
    "sed s/sm_90a/sm_90/ \"$5\" > \"$4\"\nprintf '\\000' >> \"$4\"\n"

typedef struct command_row {
    const char *name, *options, *ptxas; /* what stands in for it; NULL: nothing does */
    int status;
    const char *says;
} command_row;

static const command_row command_rows[] = {
    {"machine-code", "--assemble sm_86,sm_90a", PTXAS, 0, ""},
    {"refused", "--assemble sm_90a", "#!/bin/sh\necho a line\necho 'error : too much'\nexit 1\n", 1,
     "/ptxas: error : too much\n"},
    {"silent", "--assemble sm_90a", "#!/bin/sh\nexit 1\n", 1, "without a word"},
    {"no-code", "--assemble sm_90a", "#!/bin/sh\nexit 0\n", 3, "0 bytes of machine code"},
    {"others", "--assemble sm_86", PTXAS, 1, "no program got machine code for sm_86"},
    {"no-ptxas", "--assemble sm_90a", NULL, 2, "/ptxas: can't be run"},
    {"wrong", "--assemble sm_90,x", PTXAS, 2, "sm_86,sm_90a"}};

void store_tool(const test_folder *f, const char *name, const char *script) {
    char path[TEST_PATH];
    if (script == NULL) return;
    snprintf(path, sizeof path, "%s/%s", f->folder, name);
    test_file_write(path, script, strlen(script));
    assert_int_equal(chmod(path, 0700), 0);
}

void store_command(const test_folder *f, const char *options, int status, const char *says) {
    char line[4 * TEST_PATH], path[TEST_PATH];
    size_t said;
    snprintf(line, sizeof line,
             "cd %s && %s pack a.pack %s --ptxas ./ptxas --clang ./clang -o out 2> said", f->folder,
             CLPRIMS_COMMAND, options);
    const int state = system(line);
    snprintf(path, sizeof path, "%s/said", f->folder);
    const char *words = (const char *)test_file_read(path, &said);
    test_note("%s", words);
    assert_true(WIFEXITED(state));
    assert_int_equal(WEXITSTATUS(state), status);
    expect_contains(words, says);
}

static void command(const void *data) {
    const command_row *row = data;
    test_folder f;
    size_t count;
    char path[TEST_PATH];
    (void)save_start(&f, &count);
    store_tool(&f, "ptxas", row->ptxas);
    store_command(&f, row->options, row->status, row->says);
    if (row->status != 0) return;
    snprintf(path, sizeof path, "%s/out", f.folder);
    const char *const out = path;
    const clprims_context_info info = store_plans(
        &(clprims_context_options){.device = "0", .program_packs = &out, .program_pack_count = 1},
        0, NULL);
    assert_int_equal(info.programs_built, 0);
    assert_int_equal(info.programs_assembled, info.programs_found);
}

/* ---- What is refused ---- */

static void assembled_refusals(void) {
    static const char *const architectures[] = {"", "90", "sm_9", "sm_90b", "sm_90aa", "sm_9000"};
    unsigned char out[4096];
    test_folder f;
    size_t count;
    unsigned char *pack = save_start(&f, &count);
    size_t room = sizeof out;
    for (size_t i = 0; i < sizeof architectures / sizeof architectures[0]; i++)
        expect_failure(
            clprims_pack_assembled(pack, count, 0, architectures[i], "code", 4, out, &room),
            CLPRIMS_ERR_ARGUMENT, "as ptxas names them");
    room = 100;
    expect_failure(clprims_pack_assembled(pack, count, 0, "sm_90", "code", 4, out, &room),
                   CLPRIMS_ERR_ARGUMENT, "room for 100 bytes");
    assert_true(room > 100 && room <= 4 + CLPRIMS_PROGRAM_HEAD_BYTES);
    expect_ok(clprims_pack_assembled(pack, count, 0, "sm_90", "code", 4, out, &room));
    expect_failure(clprims_pack_assembled(pack, count, 1, "sm_90", "code", 4, out, &room),
                   CLPRIMS_ERR_IO, "byte 1 of");
    expect_failure(clprims_pack_assembled(pack, count, 0, NULL, "code", 4, out, &room),
                   CLPRIMS_ERR_ARGUMENT, "architecture is NULL");
    expect_failure(clprims_pack_assembled(pack, count, 0, "sm_90", NULL, 4, out, &room),
                   CLPRIMS_ERR_ARGUMENT, "code is NULL");
    expect_failure(clprims_pack_assembled(pack, count, 0, "sm_90", "code", 4, NULL, &room),
                   CLPRIMS_ERR_ARGUMENT, "out is NULL");
    expect_failure(clprims_pack_assembled(pack, count, 0, "sm_90", "code", 4, out, NULL),
                   CLPRIMS_ERR_ARGUMENT, "out_bytes is NULL");
}

void store_add_assembled(test_cases *cases) {
    for (size_t i = 0; i < STORE_GPUS; i++)
        test_add(cases, every_plan, &store_gpus[i], sizeof store_gpus[i], "store/assembled/%s",
                 store_gpus[i].architecture);
    test_add_rows(cases, command, command_rows, "store/assembled/command");
    test_add_plain(cases, not_taken, "store/assembled/not-taken");
    test_add_plain(cases, machine_code_first, "store/assembled/first");
    test_add_plain(cases, origins, "store/packs/origins");
    test_add_plain(cases, assembled_refusals, "store/assembled/refusals");
}
