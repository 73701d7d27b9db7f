/* SPDX-License-Identifier: MIT */
/* The program store and packs on a fake driver, which counts what is made of source and of
 * binaries: damaged and foreign files, other drivers, the bound, many processes. */
#include "core/test_hooks.h"
#include "harness/fake_opencl.h"
#include "store/packs_cases.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Starts ------------------------------------------------------------------------------------
 */

clprims_context_options store_options(const char *folder) {
    return (clprims_context_options){.device = "4", .program_store = folder}; /* FAKE_GPU */
}

/* The programs of a context alone, with a scan's where it is wanted. */
static store_start start_with(const clprims_context_options *options, bool scans,
                              const char *pack) {
    clprims_context *context = NULL;
    clprims_context_info info;
    clprims_scan *scan = NULL;
    const clprims_scan_desc desc = {.type = CLPRIMS_U32, .max_n = 1000};
    (void)fake_count_created();
    expect_ok(clprims_context_create(&context, options));
    if (scans) expect_ok(clprims_scan_create(&scan, context, &desc));
    if (pack != NULL) expect_ok(clprims_context_save_programs(context, pack));
    expect_ok(clprims_context_describe(context, &info));
    clprims_scan_destroy(scan);
    clprims_context_destroy(context);
    const fake_created created = fake_count_created();
    assert_int_equal(info.programs_built, created.from_source);
    return (store_start){info.programs_built, info.programs_found};
}

store_start store_begin(const clprims_context_options *options) {
    return start_with(options, false, NULL);
}

void store_expect(const clprims_context_options *options, size_t built, size_t found) {
    const store_start start = store_begin(options);
    if (start.built == built && start.found == found) return;
    test_fail("built %zu and found %zu programs, not %zu and %zu", start.built, start.found, built,
              found);
}

size_t store_programs(void) {
    const clprims_context_options options = store_options(NULL);
    return store_begin(&options).built;
}

/* ---- Warm starts ---- */

static void warm(const void *data) {
    const char *const *device = data;
    const test_folder f = test_folder_make("store");
    clprims_context_options options = store_options(f.path);
    options.device = *device;
    const store_start first = start_with(&options, true, NULL);
    assert_true(first.built >= 2 && first.found == 0);
    assert_int_equal(test_files_in(f.path, NULL), first.built);
    const store_start second = start_with(&options, true, NULL);
    assert_int_equal(second.built, 0);
    assert_int_equal(second.found, first.built);
}

/* Tests' programs, and those with checks, are others. */
static void marks(void) {
    const test_folder f = test_folder_make("store");
    const clprims_context_options options = store_options(f.path);
    const store_start first = start_with(&options, true, NULL);
    const clp_test_hooks hooks = {.drop = 3};
    clp_test_hooks_set(&hooks);
    const store_start hooked = start_with(&options, true, NULL);
    clp_test_hooks_set(NULL);
    assert_true(hooked.built > 0);
    clp_checked = true;
    const store_start checked = start_with(&options, true, NULL);
    clp_checked = false;
    assert_int_equal(checked.built, first.built);
    assert_int_equal(start_with(&options, true, NULL).built, 0);
}

static void other_driver(void) {
    char pack[TEST_PATH];
    const char *const path = pack;
    const test_folder f = test_folder_make("store");
    const clprims_context_options options = store_options(f.path);
    const size_t all = store_begin(&options).built;
    fake_driver("a later one");
    store_expect(&options, all, 0);
    store_expect(&options, 0, all);
    fake_driver(NULL);
    store_expect(&options, 0, all);
    clprims_context_options packed = store_options(NULL);
    snprintf(pack, sizeof pack, "%s/a.pack", f.folder);
    (void)start_with(&options, false, pack);
    packed.program_packs = &path;
    packed.program_pack_count = 1;
    store_expect(&packed, 0, all);
    fake_driver("ekaf"); /* of the same length as "fake" */
    store_expect(&packed, all, 0);
    fake_driver(NULL);
}

typedef struct binaries_row {
    const char *name;
    fake_binaries first, second; /* what the driver does at the first start and at the second */
    bool found; /* at the second start */
} binaries_row;

static const binaries_row binaries_rows[] = {
    {"of-two", FAKE_BINARIES_OF_TWO, FAKE_BINARIES_OF_TWO, true},
    {"refused", FAKE_BINARIES, FAKE_BINARIES_REFUSED, false},
    {"not-built", FAKE_BINARIES, FAKE_BINARIES_NOT_BUILT, false},
    {"none", FAKE_BINARIES_NONE, FAKE_BINARIES, false},
    {"fail", FAKE_BINARIES_FAIL, FAKE_BINARIES, false}};

static void binaries(const void *data) {
    const binaries_row *row = data;
    const test_folder f = test_folder_make("store");
    const clprims_context_options options = store_options(f.path);
    const size_t all = store_programs();
    fake_make_binaries(row->first);
    store_expect(&options, all, 0);
    fake_make_binaries(row->second);
    store_expect(&options, row->found ? 0 : all, row->found ? all : 0);
    fake_make_binaries(FAKE_BINARIES);
    store_expect(&options, 0, all);
}

/* ---- Damage ---- */

/* Calls `damage` with copies of a file that are damaged in one place each. */
static void each_damage(const unsigned char *bytes, size_t count, bool cuts,
                        void (*damage)(void *of, const void *bytes, size_t count), void *of) {
    unsigned char *copy = test_scratch(count + 1, 1);
    for (size_t i = 0; i < count; i++) {
        test_note("byte %zu of %zu%s", i, count, cuts ? ", cut off there" : "");
        memcpy(copy, bytes, count);
        copy[i] ^= 0x10;
        damage(of, copy, cuts ? i : count);
    }
}

typedef struct entry_damage {
    const char *path;
    clprims_context_options options;
    size_t all; /* programs of a start */
    const unsigned char *bytes; /* undamaged */
    size_t count;
} entry_damage;

/* One program is built again, and its file is then what it was. */
static void damage_entry(void *of, const void *bytes, size_t count) {
    const entry_damage *d = of;
    size_t now;
    test_file_write(d->path, bytes, count);
    store_expect(&d->options, 1, d->all - 1);
    unsigned char *replaced = test_file_read(d->path, &now);
    assert_int_equal(now, d->count);
    assert_memory_equal(replaced, d->bytes, now);
}

static void damaged_entry(const void *data) {
    const bool *cuts = data;
    char path[TEST_PATH];
    size_t count;
    const test_folder f = test_folder_make("store");
    const clprims_context_options options = store_options(f.path);
    const size_t all = store_begin(&options).built;
    assert_int_equal(test_files_in(f.path, path), all);
    unsigned char *bytes = test_file_read(path, &count);
    entry_damage d = {path, options, all, bytes, count};
    each_damage(bytes, count, *cuts, damage_entry, &d);
}

typedef struct pack_damage {
    const char *path;
    size_t all;
} pack_damage;

static void damage_pack(void *of, const void *bytes, size_t count) {
    const pack_damage *d = of;
    clprims_context_options options = store_options(NULL);
    test_file_write(d->path, bytes, count);
    options.program_packs = &d->path;
    options.program_pack_count = 1;
    const store_start of_file = store_begin(&options);
    assert_true(of_file.built > 0);
    assert_int_equal(of_file.built + of_file.found, d->all);
    options = store_options(NULL);
    options.program_pack = bytes;
    options.program_pack_bytes = count;
    const store_start of_bytes = store_begin(&options);
    assert_int_equal(of_bytes.built, of_file.built);
    assert_int_equal(of_bytes.found, of_file.found);
}

static void damaged_pack(const void *data) {
    const bool *cuts = data;
    size_t count;
    const test_folder f = test_folder_make("a.pack");
    const clprims_context_options none = store_options(NULL);
    const size_t all = start_with(&none, false, f.path).built;
    unsigned char *bytes = test_file_read(f.path, &count);
    pack_damage d = {f.path, all};
    each_damage(bytes, count, *cuts, damage_pack, &d);
}

/* ---- Packs ---- */

/* Two packs, of which the second has what the first lacks, and a file that is not there. */
static void packs(void) {
    char with_scan[TEST_PATH], missing[TEST_PATH];
    const test_folder f = test_folder_make("context.pack");
    snprintf(with_scan, sizeof with_scan, "%s/scan.pack", f.folder);
    snprintf(missing, sizeof missing, "%s/missing.pack", f.folder);
    clprims_context_options options = store_options(NULL);
    const size_t few = start_with(&options, false, f.path).built;
    const size_t all = start_with(&options, true, with_scan).built;
    const char *const paths[] = {missing, f.folder, f.path, with_scan};
    options.program_packs = paths;
    for (size_t count = 1; count <= 4; count++) {
        options.program_pack_count = count;
        const store_start start = start_with(&options, true, NULL);
        assert_int_equal(start.found, count < 3 ? 0 : count == 3 ? few : all);
        assert_int_equal(start.built + start.found, all);
    }
}

/* Programs that were found in a pack are saved, too; a store does not get them. */
static void saved_again(void) {
    char again[TEST_PATH], folder[TEST_PATH];
    size_t count, count_again;
    const test_folder f = test_folder_make("a.pack");
    snprintf(again, sizeof again, "%s/again.pack", f.folder);
    snprintf(folder, sizeof folder, "%s/store", f.folder);
    clprims_context_options options = store_options(NULL);
    (void)start_with(&options, true, f.path);
    const char *const path = f.path;
    options.program_packs = &path;
    options.program_pack_count = 1;
    options.program_store = folder;
    assert_int_equal(start_with(&options, true, again).built, 0);
    assert_int_equal(test_files_in(folder, NULL), 0);
    unsigned char *bytes = test_file_read(f.path, &count),
                  *bytes_again = test_file_read(again, &count_again);
    assert_int_equal(count, count_again);
    assert_memory_equal(bytes, bytes_again, count);
}

static void described(void) {
    clprims_program_info info;
    size_t count, programs = 0;
    const test_folder f = test_folder_make("a.pack");
    const clprims_context_options options = store_options(NULL);
    const size_t all = start_with(&options, false, f.path).built;
    unsigned char *bytes = test_file_read(f.path, &count);
    for (size_t at = 0; at < count; at += info.bytes, programs++) {
        expect_ok(clprims_pack_describe(bytes, count, at, &info));
        assert_int_equal(info.kind, CLPRIMS_PROGRAM_OF_DRIVER);
        assert_true(info.is_whole && info.binary_bytes < info.bytes);
        assert_int_equal(strlen(info.digest), 64);
        expect_contains(info.target, "a GPU, driver fake");
    }
    assert_int_equal(programs, all);
    bytes[count - 1] ^= 1;
    expect_ok(clprims_pack_describe(bytes, count, count - info.bytes, &info));
    assert_false(info.is_whole);
    expect_failure(clprims_pack_describe(bytes, count, 1, &info), CLPRIMS_ERR_IO, "byte 1 of");
    expect_failure(clprims_pack_describe(bytes, count, count, &info), CLPRIMS_ERR_ARGUMENT,
                   "first_byte = ");
    expect_failure(clprims_pack_describe(NULL, count, 0, &info), CLPRIMS_ERR_ARGUMENT,
                   "pack is NULL");
    expect_failure(clprims_pack_describe(bytes, count, 0, NULL), CLPRIMS_ERR_ARGUMENT,
                   "info is NULL");
}

static void refusals(void) {
    const char *const paths[] = {"a.pack", NULL};
    clprims_context_options options = store_options("");
    expect_no_context(&options, CLPRIMS_ERR_ARGUMENT, "program_store = \"\"");
    options = store_options(NULL);
    options.program_pack_count = 2;
    expect_no_context(&options, CLPRIMS_ERR_ARGUMENT, "program_packs is NULL");
    options.program_packs = paths;
    expect_no_context(&options, CLPRIMS_ERR_ARGUMENT, "program_packs[1] of 2 is NULL");
    options = store_options(NULL);
    options.program_pack_bytes = 1;
    expect_no_context(&options, CLPRIMS_ERR_ARGUMENT, "program_pack is NULL");
}

static void saving_fails(void) {
    clprims_context *context = NULL;
    const clprims_context_options options = store_options(NULL);
    size_t count;
    const test_folder f = test_folder_make("a.pack");
    expect_ok(clprims_context_create(&context, &options));
    expect_failure(clprims_context_save_programs(NULL, f.path), CLPRIMS_ERR_ARGUMENT,
                   "context is NULL");
    expect_failure(clprims_context_save_programs(context, NULL), CLPRIMS_ERR_ARGUMENT,
                   "path is NULL");
    expect_failure(clprims_context_save_programs(context, f.folder), CLPRIMS_ERR_IO, f.folder);
    assert_int_equal(mkfifo(f.path, 0600), 0); /* as a device would be */
    expect_failure(clprims_context_save_programs(context, f.path), CLPRIMS_ERR_IO, f.path);
    assert_int_equal(unlink(f.path), 0);
    expect_failure(clprims_context_save_programs(context, "/no/such/folder/a.pack"), CLPRIMS_ERR_IO,
                   strerror(ENOENT));
    fake_make_binaries(FAKE_BINARIES_NONE);
    expect_failure(clprims_context_save_programs(context, f.path), CLPRIMS_ERR_OPENCL,
                   "gives no binary");
    fake_make_binaries(FAKE_BINARIES_FAIL);
    expect_failure(clprims_context_save_programs(context, f.path), CLPRIMS_ERR_DEVICE_MEMORY,
                   "CL_OUT_OF_RESOURCES");
    fake_make_binaries(FAKE_BINARIES);
    assert_int_equal(test_files_in(f.folder, NULL), 0);
    test_file_write(f.path, "what was there", 14);
    const struct rlimit few = {64, RLIM_INFINITY}, any = {RLIM_INFINITY, RLIM_INFINITY};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &few), 0);
    const clprims_status status = clprims_context_save_programs(context, f.path);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &any), 0);
    assert_int_equal(status, CLPRIMS_ERR_IO);
    expect_contains(clprims_last_error()->message, strerror(EFBIG));
    (void)test_file_read(f.path, &count);
    assert_int_equal(count, 14);
    expect_ok(clprims_context_save_programs(context, f.path));
    assert_int_equal(test_files_in(f.folder, NULL), 1);
    clprims_context_destroy(context);
}

/* ---- Many processes ---- */

/* The bound holds few programs, so that processes also remove what others read. */
static int hammer(const char *folder) {
    enum { ROUNDS = 25 };
    for (size_t i = 0; i < ROUNDS; i++) {
        clprims_context_options options = store_options(folder);
        options.program_store_bytes = i % 3 == 0 ? 500 : 0;
        clprims_context *context = NULL;
        if (clprims_context_create(&context, &options) != CLPRIMS_OK) return EXIT_FAILURE;
        clprims_context_destroy(context);
    }
    return EXIT_SUCCESS;
}

static void processes(void) {
    enum { PROCESSES = 8 };
    pid_t children[PROCESSES];
    const test_folder f = test_folder_make("store");
    const size_t all = store_programs();
    fflush(NULL);
    for (size_t i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0) _exit(hammer(f.path));
    }
    for (size_t i = 0; i < PROCESSES; i++) {
        int status = 0;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
    }
    const clprims_context_options options = store_options(f.path);
    (void)store_begin(&options);
    store_expect(&options, 0, all);
    assert_int_equal(test_files_in(f.path, NULL), all); /* and no temporary one */
}

void test_program(test_cases *cases) {
    static const char *const devices[] = {"4", "5", "0"}; /* a GPU, a CPU, NVIDIA's */
    static const bool cuts[] = {false, true};
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        test_add(cases, warm, &devices[i], sizeof devices[i], "store/warm/%s", devices[i]);
    }
    for (size_t i = 0; i < 2; i++) {
        const char *what = cuts[i] ? "cut" : "damaged";
        test_add(cases, damaged_entry, &cuts[i], sizeof cuts[i], "store/entry/%s", what);
        test_add(cases, damaged_pack, &cuts[i], sizeof cuts[i], "store/pack/%s", what);
    }
    test_add_plain(cases, marks, "store/marks");
    test_add_plain(cases, other_driver, "store/driver/other");
    test_add_rows(cases, binaries, binaries_rows, "store/driver");
    test_add_plain(cases, packs, "store/packs");
    test_add_plain(cases, saved_again, "store/packs/saved-again");
    test_add_plain(cases, described, "store/packs/described");
    test_add_plain(cases, refusals, "store/refusals");
    test_add_plain(cases, saving_fails, "store/refusals/save");
    test_add_plain(cases, processes, "store/processes");
    store_add_folders(cases);
    store_add_assembled(cases);
    store_add_compressed(cases);
    store_add_offline(cases);
}
