/* SPDX-License-Identifier: MIT */
/* The files that a context's options name: a folder of kernels, tuning. */
#include "core/files_macros.h"
#include "subjects/subjects.h"

#include "core/tuning.h"

#include <sys/stat.h>
#include <unistd.h>

/* Copies the kernels that scan needs; `broken`, "engine/group_scan.cl", gets a first line that does
 * not compile. */
static void copy_kernels(const test_folder *f, const char *broken) {
    char command[4 * TEST_PATH];
    const int length =
        snprintf(command, sizeof command, "cd '%s' && cp -r device tile engine scan '%s'",
                 CLPRIMS_SOURCE_CL_DIR, f->folder);
    if (broken != NULL) {
        snprintf(command + length, sizeof command - (size_t)length,
                 " && { echo 'never_declared spoils;' && cat %s; } > '%s/%s'", broken, f->folder,
                 broken);
    }
    assert_int_equal(system(command), 0);
}

static void cl_dir_good(void) {
    clprims_context_options options = test_options();
    options.cl_dir = CLPRIMS_SOURCE_CL_DIR;
    assert_int_equal(expect_context(&options).layer, test_info().layer);
}

static void cl_dir_missing(void) {
    clprims_context_options options = test_options();
    options.cl_dir = "/no/such/folder";
    expect_no_context(&options, CLPRIMS_ERR_IO, "/no/such/folder");
    const test_folder empty = test_folder_make("");
    options.cl_dir = empty.folder;
    expect_no_context(&options, CLPRIMS_ERR_IO, empty.folder);
    /* A file is no folder. */
    options.cl_dir = CLPRIMS_SOURCE_CL_DIR "/engine/group_scan.cl";
    expect_no_context(&options, CLPRIMS_ERR_IO, "is not a folder");
}

static void cl_dir_broken(void) {
    const test_folder f = test_folder_make("");
    copy_kernels(&f, "device/probe.cl");
    clprims_context_options options = test_options();
    options.cl_dir = f.folder;
    expect_no_context(&options, CLPRIMS_ERR_BUILD, "never_declared");
    expect_contains(clprims_last_error()->message, "cl/device/probe.cl:1");
    expect_contains(clprims_last_error()->build_log, "never_declared");
}

static void cl_dir_broken_scan(void) {
    const test_folder f = test_folder_make("");
    copy_kernels(&f, "tile/types.cl");
    clprims_context_options options = test_options();
    options.cl_dir = f.folder;
    clprims_context *context = test_context_create(&options);
    clprims_scan_desc desc = {.type = CLPRIMS_U32, .max_n = 1000};
    clprims_scan *scan = NULL;
    expect_failure(clprims_scan_create(&scan, context, &desc), CLPRIMS_ERR_BUILD, "never_declared");
    expect_contains(clprims_last_error()->message, "cl/tile/types.cl:1");
    /* The folder is read anew by each create: mended, the same context works. */
    copy_kernels(&f, NULL);
    expect_usable(context);
}

typedef struct tuning_row {
    const char *name;
    const char *text;
    const char *part; /* of the message; NULL: the file is good */
} tuning_row;

static const tuning_row tuning_rows[] = {
    {"empty", "", NULL},
    {"comments", "# nothing\n\n   # here\n", NULL},
    {"good", "\"*\" scan-few 4 GROUP=64 ROWS=1\n\"A B*\" minplus-float-narrow * DEPTH=8 # yes\n",
     NULL},
    {"no-quotes", "# first\nscan 4 GROUP=64\n", ":2: \"scan 4 GROUP=64\""},
    {"no-knobs", "\n\n\"*\" scan 4\n", ":3: "},
    {"open-quote", "\"* scan 4 GROUP=64\n", ":1: "},
    /* Whatever device a line is for. */
    {"unknown-primitive", "\n\"No such device\" scam 4 GROUP=64\n", ":2: \"scam\""},
    {"unknown-rank", "\"No such device\" offsets-few 4 GROUP=64\n", ":1: \"offsets-few\""},
    {"unknown-knob", "\"*\" list 4 LANES=8\n\"No such device\" scan * GROUP=1 NONSENSE=1\n",
     ":2: \"NONSENSE=1\""},
    {"knob-of-another", "\"No such device\" scan * SUBLIST=8\n", ":1: \"SUBLIST=8\""},
    {"no-value", "\"No such device\" scan * GROUP\n", ":1: \"GROUP\""},
    {"value-too-large", "\"No such device\" listscan 8 WALKS=33\n", "from 1 to 32"},
    {"value-no-power", "\"No such device\" minplus-tiny 4 HIGH=3\n", "a power of two from 1 to 64"},
    {"value-beyond-64-bits", "\"No such device\" scan 4 STREAM=18446744073709551616\n",
     ":1: \"STREAM=18446744073709551616\""},
    {"no-bytes", "\"No such device\" scan four GROUP=64\n", ":1: \"four\""},
    {"hook-drop", "\"*\" scan * DROP=2\n", ":1: \"DROP=2\""},
    {"hook-delay", "\"*\" scan-lookahead * DELAY=2\n", ":1: \"DELAY=2\""},
    {"hook-run", "\"*\" select * RUN=2\n", ":1: \"RUN=2\""},
    {"hook-capability", "\"*\" scan-lookahead 4 CAPABILITY=80\n", ":1: \"CAPABILITY=80\""},
};

static void tuning_file(const void *data) {
    const tuning_row *row = data;
    const test_folder f = test_folder_make("mine.tune");
    test_file_write(f.path, row->text, strlen(row->text));
    clprims_context_options options = test_options();
    options.tuning_file = f.path;
    if (row->part == NULL) {
        expect_context(&options);
    } else {
        expect_no_context(&options, CLPRIMS_ERR_IO, row->part);
        expect_contains(clprims_last_error()->message, f.path);
    }
}

static void tuning_file_missing(void) {
    clprims_context_options options = test_options();
    options.tuning_file = "/no/such/file.tune";
    expect_no_context(&options, CLPRIMS_ERR_IO, "/no/such/file.tune");
    options.tuning_file = "/tmp";
    expect_no_context(&options, CLPRIMS_ERR_IO, "/tmp is not a regular file");
}

/* What has no end, waits for a writer, or is no text of a reasonable size. */
static void tuning_file_endless(void) {
    const test_folder pipe = test_folder_make("pipe"), large = test_folder_make("large");
    clprims_context_options options = test_options();
    options.tuning_file = "/dev/zero";
    expect_no_context(&options, CLPRIMS_ERR_IO, "/dev/zero is not a regular file");
    assert_int_equal(mkfifo(pipe.path, 0600), 0);
    options.tuning_file = pipe.path;
    expect_no_context(&options, CLPRIMS_ERR_IO, "pipe is not a regular file");
    test_file_write(large.path, "", 0);
    assert_int_equal(truncate(large.path, ((off_t)1 << 24) + 1), 0);
    options.tuning_file = large.path;
    expect_no_context(&options, CLPRIMS_ERR_IO, "has more than 16777216 bytes");
    assert_int_equal(truncate(large.path, (off_t)1 << 24), 0);
    test_context_create(&options);
}

/* A kernel's file is read in the same way. */
static void cl_dir_endless(void) {
    const test_folder f = test_folder_make("device/probe.cl");
    clprims_context_options options = test_options();
    copy_kernels(&f, NULL);
    assert_int_equal(unlink(f.path), 0);
    assert_int_equal(symlink("/dev/zero", f.path), 0);
    options.cl_dir = f.folder;
    expect_no_context(&options, CLPRIMS_ERR_IO, "probe.cl is not a regular file");
}

/* Whether the check of tuning files takes the line that sets this knob. */
static bool takes(const clp_tuning_key *key, const clp_knob *knob, size_t value) {
    char line[128];
    snprintf(line, sizeof line, "\"*\" %s * %s=%zu", key->name, knob->name, value);
    return clp_tuning_check(line, "this") == CLPRIMS_OK;
}

/* Every knob of every key is taken at its limits and not beyond. */
static void registry(void) {
    const clp_tuning_key *key;
    size_t keys = 0;
    for (; (key = clp_tuning_key_at(keys)) != NULL; keys++) {
        assert_ptr_equal(clp_tuning_key_find(key->name, strlen(key->name)), key);
        for (size_t k = 0; k < key->count; k++) {
            const clp_knob *knob = &key->knobs[k];
            const size_t step = knob->power_of_two ? knob->most : 1; /* to the next above */
            assert_non_null(knob->name);
            assert_true(strlen(knob->meaning) > 9 && strlen(knob->meaning) < 100);
            if (!takes(key, knob, knob->least) || !takes(key, knob, knob->most))
                test_fail("%s %s is not taken at its limits", key->name, knob->name);
            if ((knob->least > 0 && takes(key, knob, knob->least - 1)) ||
                (knob->most < SIZE_MAX && takes(key, knob, knob->most + step)))
                test_fail("%s %s is taken beyond its limits", key->name, knob->name);
        }
    }
    assert_true(keys > 20);
    assert_non_null(clp_tuning_key_find("scan-few", 8));
    assert_non_null(clp_tuning_key_find("minplus-float-narrow", 20));
    assert_int_equal(clp_tuning_check_shipped(), CLPRIMS_OK);
}

/* A pattern of a tuning line: before, between and behind two places of the device's name, or of its
 * vendor's and its own. */
typedef struct pattern_row {
    const char *name;
    const char *before;
    size_t from, upto; /* percent of the name */
    const char *behind;
    const char *bytes; /* of the elements, which have 4 */
    bool matches;
    bool of_vendor;
} pattern_row;

static const pattern_row pattern_rows[] = {
    {"star", "*", 0, 0, "", "*", true, false},
    {"whole", "", 0, 100, "", "*", true, false},
    {"whole-star", "", 0, 100, "*", "*", true, false},
    {"whole-stars", "", 0, 100, "**", "*", true, false},
    {"star-whole", "*", 0, 100, "", "*", true, false},
    {"beginning-star", "", 0, 50, "*", "*", true, false},
    {"star-end", "*", 50, 100, "", "*", true, false},
    {"star-middle-star", "*", 30, 60, "*", "*", true, false},
    {"beginning", "", 0, 50, "", "*", false, false},
    {"end", "", 50, 100, "", "*", false, false},
    {"star-beginning", "*", 0, 50, "", "*", false, false},
    {"end-star", "", 50, 100, "*", "*", false, false},
    {"whole-and-more", "", 0, 100, "^", "*", false, false},
    {"whole-and-more-star", "", 0, 100, "^*", "*", false, false},
    {"bytes", "*", 0, 0, "", "4", true, false},
    {"other-bytes", "*", 0, 0, "", "8", false, false},
    {"vendor-whole", "", 0, 100, "", "*", true, true},
    {"vendor-star", "", 0, 10, "*", "*", true, true},
    {"vendor-beginning", "", 0, 50, "", "*", false, true},
    {"vendor-end-star", "", 10, 100, "*", "*", false, true}};

static size_t tile_of(clprims_context *context, const char *tuning) {
    clprims_scan_info info = {0};
    clprims_scan *scan = NULL;
    clprims_scan_desc desc = {.type = CLPRIMS_U32,
                              .max_n = 100,
                              .algorithm = CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN,
                              .tuning = tuning};
    expect_ok(clprims_scan_create(&scan, context, &desc));
    expect_ok(clprims_scan_describe(scan, desc.max_n, &info));
    clprims_scan_destroy(scan);
    return info.tile;
}

static clprims_context *context_with_line(const char *line) {
    const test_folder f = test_folder_make("mine.tune");
    clprims_context_options options = test_options();
    test_file_write(f.path, line, strlen(line));
    options.tuning_file = f.path;
    test_note("%s", line);
    return test_context_create(&options);
}

/* A line of a tuning file does what the plan's own text would, if its pattern has the device. */
static void pattern_matches(const void *data) {
    const pattern_row *row = data;
    const clprims_device_info info = test_info().device;
    const char *knobs = "GROUP=64 ROWS=3";
    char device[sizeof info.vendor + sizeof info.name];
    snprintf(device, sizeof device, "%s%s%s", row->of_vendor ? info.vendor : "",
             row->of_vendor ? " " : "", info.name);
    const size_t length = strlen(device), from = length * row->from / 100;
    char line[512];
    snprintf(line, sizeof line, "\"%s%.*s%s\" scan %s %s\n", row->before,
             (int)(length * row->upto / 100 - from), device + from, row->behind, row->bytes, knobs);
    clprims_context *context = context_with_line(line);
    const size_t tuned = tile_of(test_context(), knobs), usual = tile_of(test_context(), NULL);
    assert_int_not_equal(tuned, usual);
    assert_int_equal(tile_of(context, NULL), row->matches ? tuned : usual);
}

typedef struct size_row {
    const char *key;
    size_t max_n, max_n_b;
    bool matches;
} size_row;

static const size_row size_rows[] = {{"merge", 1 << 24, 0, true},
                                     {"merge", 1 << 23, (1 << 23) + 1, false},
                                     {"merge-many", 1 << 24, 0, false},
                                     {"merge-many", 1 << 23, (1 << 23) + 1, true}};

/* Lines of merge-many are for plans of more than 2^24 outputs, lines of merge for the others. */
static void size_matches(const void *data) {
    const size_row *row = data;
    const char *knobs = "GROUP=4 ITEMS=7";
    char line[128];
    snprintf(line, sizeof line, "\"*\" %s 4 %s\n", row->key, knobs);
    clprims_context *context = context_with_line(line);
    clprims_merge_info info = {0};
    clprims_merge *merge = NULL;
    clprims_merge_desc desc = {.type = CLPRIMS_U32, .max_n = row->max_n, .max_n_b = row->max_n_b};
    expect_ok(clprims_merge_create(&merge, context, &desc));
    expect_ok(clprims_merge_describe(merge, 3, (clprims_merge_sizes){0}, &info));
    assert_int_equal(info.tile == 4 * 7, row->matches);
    clprims_merge_destroy(merge);
}

/* Users see the knobs of all keys, each once. */
static void described(void) {
    const size_t count = clprims_knob_count();
    clprims_knob_info info = {0};
    size_t number = 0;
    const clp_tuning_key *key;
    for (size_t k = 0; (key = clp_tuning_key_at(k)) != NULL; k++)
        for (size_t i = 0; i < key->count; i++, number++) {
            expect_ok(clprims_knob_describe(number, &info));
            assert_string_equal(info.key, key->name);
            assert_string_equal(info.name, key->knobs[i].name);
            assert_string_equal(info.meaning, key->knobs[i].meaning);
            assert_int_equal(info.least, key->knobs[i].least);
            assert_int_equal(info.most, key->knobs[i].most);
            assert_int_equal(info.power_of_two, key->knobs[i].power_of_two);
            /* A fixed default is a legal value. */
            if (!info.has_default) continue;
            assert_int_equal(info.default_value, key->knobs[i].value);
            assert_in_range(info.default_value, info.least, info.most);
        }
    assert_int_equal(number, count);
    expect_failure(clprims_knob_describe(count, &info), CLPRIMS_ERR_ARGUMENT, "number");
    expect_failure(clprims_knob_describe(0, NULL), CLPRIMS_ERR_ARGUMENT, "info is NULL");
}

/* What only tests may ask for is no knob. */
static void hook_in_plan(const void *data) {
    const char *const *hook = data;
    clprims_scan *scan = NULL;
    clprims_scan_desc desc = {.type = CLPRIMS_U32,
                              .max_n = 1000,
                              .algorithm = CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK,
                              .tuning = *hook};
    expect_failure(clprims_scan_create(&scan, test_context(), &desc), CLPRIMS_ERR_ARGUMENT, *hook);
    assert_null(scan);
}

/* A text that is many times longer than the program was before it. */
static void long_text(void) {
    enum { LENGTH = 100000 };
    char *text = test_scratch(LENGTH + 1, 1);
    const int32_t in[3] = {1, 2, 3};
    int32_t out[3] = {0};
    memset(text, '\n', LENGTH);
    text[LENGTH] = '\0';
    clprims_scan_desc desc = {.type = CLPRIMS_I32,
                              .op = CLPRIMS_CUSTOM,
                              .inclusive = 1,
                              .custom.op = "a + b",
                              .custom.declarations = text,
                              .max_n = 3};
    clprims_scan *scan = subject_made_plan(&subject_scan, &desc);
    expect_ok(clprims_scan_run(scan, &(clprims_scan_arrays){.in = in, .out = out}, 3));
    assert_int_equal(out[2], 6);
}

void test_program(test_cases *cases) {
    test_add_plain(cases, long_text, "files/long-text");
    test_add_plain(cases, cl_dir_good, "files/cl-dir/good");
    test_add_plain(cases, cl_dir_missing, "files/cl-dir/missing");
    test_add_plain(cases, cl_dir_broken, "files/cl-dir/broken");
    test_add_plain(cases, cl_dir_broken_scan, "files/cl-dir/broken-scan");
    test_add_rows(cases, tuning_file, tuning_rows, "files/tuning");
    test_add_rows(cases, pattern_matches, pattern_rows, "files/tuning/pattern");
    for (size_t i = 0; i < sizeof size_rows / sizeof size_rows[0]; i++)
        test_add_row(cases, size_matches, size_rows[i], "files/tuning/size/%s/%s", size_rows[i].key,
                     size_rows[i].max_n_b > 0 ? "many" : "few");
    test_add_plain(cases, registry, "files/tuning/registry");
    test_add_plain(cases, described, "files/tuning/described");
    test_add_plain(cases, tuning_file_missing, "files/tuning/missing");
    test_add_plain(cases, tuning_file_endless, "files/tuning/endless");
    test_add_plain(cases, cl_dir_endless, "files/cl-dir/endless");
    static const char *const hooks[] = {"DROP=2", "DELAY=2", "RUN=2", "CAPABILITY=0"};
    for (size_t i = 0; i < sizeof hooks / sizeof hooks[0]; i++)
        test_add_row(cases, hook_in_plan, hooks[i], "files/tuning/plan/%s", hooks[i]);
    files_add_macros(cases);
}
