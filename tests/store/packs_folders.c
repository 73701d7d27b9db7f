/* SPDX-License-Identifier: MIT */
/* Whose folders and files the store trusts, what it does where it can't write, and its bound. */
#include "store/packs_cases.h"

#include "store/entry.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { OTHER_USER = 65534, HOUR = 3600 };

/* ---- Trust -------------------------------------------------------------------------------------
 */

typedef struct trust_row {
    const char *name;
    bool of_folder; /* else of the folder's first file */
    mode_t mode; /* 0: as it is */
    uid_t owner; /* 0: as it is */
    bool link; /* a symbolic link in its place */
    bool trusted;
} trust_row;

static const trust_row trust_rows[] = {{"folder/own", true, 0755, 0, false, true},
                                       {"folder/of-group", true, 0770, 0, false, false},
                                       {"folder/of-all", true, 0702, 0, false, false},
                                       {"folder/of-other", true, 0, OTHER_USER, false, false},
                                       {"folder/link", true, 0, 0, true, false},
                                       {"file/own", false, 0444, 0, false, true},
                                       {"file/of-group", false, 0620, 0, false, false},
                                       {"file/of-all", false, 0602, 0, false, false},
                                       {"file/of-other", false, 0, OTHER_USER, false, false},
                                       {"file/link", false, 0, 0, true, false}};

static void change(const char *path, const trust_row *row) {
    char moved[TEST_PATH + 8];
    snprintf(moved, sizeof moved, "%s.moved", path);
    if (row->mode != 0) assert_int_equal(chmod(path, row->mode), 0);
    if (row->owner != 0) assert_int_equal(chown(path, row->owner, row->owner), 0);
    if (!row->link) return;
    assert_int_equal(rename(path, moved), 0);
    assert_int_equal(symlink(moved, path), 0);
}

/* What is not trusted is built again: a file is replaced, a folder left as it is. */
static void trust(const void *data) {
    const trust_row *row = data;
    char file[TEST_PATH];
    if (row->owner != 0 && geteuid() != 0) test_skip("only root gives a file away");
    const test_folder f = test_folder_make("store");
    const clprims_context_options options = store_options(f.path);
    const size_t all = store_begin(&options).built;
    assert_int_equal(test_files_in(f.path, file), all);
    change(row->of_folder ? f.path : file, row);
    const size_t built = row->trusted ? 0 : row->of_folder ? all : 1;
    store_expect(&options, built, all - built);
    store_expect(&options, row->of_folder ? built : 0, row->of_folder ? all - built : all);
}

/* Nothing is written into a folder that is not trusted. */
static void untouched(void) {
    const test_folder f = test_folder_make("store");
    assert_int_equal(mkdir(f.path, 0700), 0);
    assert_int_equal(chmod(f.path, 0777), 0);
    const clprims_context_options options = store_options(f.path);
    assert_true(store_begin(&options).built > 0);
    assert_int_equal(test_files_in(f.path, NULL), 0);
}

/* ---- Formats ---- */

/* An entry of another format, or another kind, whose checksum holds. */
static void other_format(const void *data) {
    const bool *of_kind = data;
    char path[TEST_PATH];
    size_t count;
    clp_entry_header header;
    const test_folder f = test_folder_make("store");
    const clprims_context_options options = store_options(f.path);
    const size_t all = store_begin(&options).built;
    (void)test_files_in(f.path, path);
    unsigned char *bytes = test_file_read(path, &count);
    memcpy(&header, bytes, sizeof header);
    *(*of_kind ? &header.kind : &header.format) += 1;
    const clp_span spans[] = {{&header, offsetof(clp_entry_header, checksum)},
                              {bytes + sizeof header, count - sizeof header}};
    header.checksum = clp_digest_of(spans, 2);
    memcpy(bytes, &header, sizeof header);
    test_file_write(path, bytes, count);
    store_expect(&options, 1, all - 1);
    store_expect(&options, 0, all);
}

/* ---- Places where nothing can be kept ---- */

static void missing(void) {
    struct stat facts;
    char deep[TEST_PATH + 16];
    const test_folder f = test_folder_make("store");
    snprintf(deep, sizeof deep, "%s/deep", f.path);
    clprims_context_options options = store_options(deep);
    const size_t all = store_begin(&options).built;
    assert_int_equal(stat(f.path, &facts), -1); /* no parent, no folder */
    options.program_store = f.path;
    store_expect(&options, all, 0);
    assert_int_equal(stat(f.path, &facts), 0);
    assert_int_equal(facts.st_mode & 07777, 0700);
    char file[TEST_PATH];
    (void)test_files_in(f.path, file);
    options.program_store = file; /* no folder */
    store_expect(&options, all, 0);
}

static void read_only(void) {
    const uid_t user = geteuid();
    const test_folder f = test_folder_make("store");
    assert_int_equal(mkdir(f.path, 0500), 0);
    if (user == 0) {
        assert_int_equal(chmod(f.folder, 0755), 0);
        assert_int_equal(chown(f.path, OTHER_USER, OTHER_USER), 0);
        assert_int_equal(seteuid(OTHER_USER), 0);
    }
    const clprims_context_options options = store_options(f.path);
    const store_start first = store_begin(&options), second = store_begin(&options);
    if (user == 0) assert_int_equal(seteuid(0), 0);
    assert_true(first.built > 0 && second.built == first.built);
    assert_int_equal(test_files_in(f.path, NULL), 0);
}

/* A file may have that many bytes: a longer one would end the process by a signal. */
static void no_room(void) {
    const struct rlimit few = {100, RLIM_INFINITY}, any = {RLIM_INFINITY, RLIM_INFINITY};
    const test_folder f = test_folder_make("store");
    const clprims_context_options options = store_options(f.path);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &few), 0);
    const store_start start = store_begin(&options);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &any), 0);
    assert_true(start.built > 0 && start.found == 0);
    assert_int_equal(test_files_in(f.path, NULL), 0);
    store_expect(&options, start.built, 0);
    store_expect(&options, 0, start.built);
}

static void full_disk(void) {
    char command[TEST_PATH * 4];
    const test_folder f = test_folder_make("store");
    snprintf(command, sizeof command,
             "mkdir -m 700 '%s' && mount -t tmpfs -o size=4k,mode=700 tmpfs '%s' 2>'%s/said' && "
             "head -c 4096 /dev/zero >'%s/all'",
             f.path, f.path, f.folder, f.path);
    if (system(command) != 0) test_skip("no file system can be mounted");
    const clprims_context_options options = store_options(f.path);
    const store_start start = store_begin(&options);
    const size_t files = test_files_in(f.path, NULL);
    snprintf(command, sizeof command, "umount '%s'", f.path);
    assert_int_equal(system(command), 0);
    assert_true(start.built > 0);
    assert_int_equal(files, 1);
}

/* ---- The bound ---- */

static void use_before(const char *path, time_t seconds) {
    const struct timespec then = {.tv_sec = time(NULL) - seconds}, times[] = {then, then};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static bool is_there(const char *path) {
    return access(path, F_OK) == 0;
}

/* Files of the store that were not used for longest go, a temporary one among them; a file that is
 * used counts as new, and files of other names stay. */
static void bound(void) {
    static const char digits[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    char used[TEST_PATH], old[2 * TEST_PATH], left[2 * TEST_PATH], other[2 * TEST_PATH];
    size_t count;
    struct stat facts;
    const test_folder f = test_folder_make("store");
    clprims_context_options options = store_options(f.path);
    const size_t all = store_begin(&options).built;
    (void)test_files_in(f.path, used);
    unsigned char *bytes = test_file_read(used, &count);
    snprintf(old, sizeof old, "%s/%s.clprims", f.path, digits);
    snprintf(left, sizeof left, "%s/%s.clprims.1-2-3", f.path, digits);
    snprintf(other, sizeof other, "%s/notes.txt", f.path);
    test_file_write(old, bytes, count);
    test_file_write(left, bytes, count);
    test_file_write(other, bytes, count);
    use_before(used, 3 * HOUR);
    use_before(left, 2 * HOUR);
    use_before(old, HOUR);
    use_before(other, 4 * HOUR);
    store_expect(&options, 0, all);
    assert_int_equal(stat(used, &facts), 0);
    assert_true(facts.st_mtime > time(NULL) - HOUR);
    assert_int_equal(unlink(used), 0); /* so that a program is written, which removes */
    options.program_store_bytes = (all + 1) * count;
    store_expect(&options, 1, all - 1);
    assert_true(is_there(used) && is_there(old) && !is_there(left) && is_there(other));
    assert_int_equal(unlink(used), 0);
    options.program_store_bytes = all * count;
    store_expect(&options, 1, all - 1);
    assert_true(is_there(used) && !is_there(old) && is_there(other));
    assert_int_equal(unlink(used), 0);
    options.program_store_bytes = count - 1; /* a program that has no room is not written */
    store_expect(&options, 1, all - 1);
    assert_false(is_there(used));
}

void store_add_folders(test_cases *cases) {
    static const bool of_kind[] = {false, true};
    test_add_rows(cases, trust, trust_rows, "store/trust");
    test_add_plain(cases, untouched, "store/trust/untouched");
    test_add(cases, other_format, &of_kind[0], sizeof of_kind[0], "store/entry/other-format");
    test_add(cases, other_format, &of_kind[1], sizeof of_kind[1], "store/entry/other-kind");
    test_add_plain(cases, missing, "store/folder/missing");
    test_add_plain(cases, read_only, "store/folder/read-only");
    test_add_plain(cases, no_room, "store/folder/no-room");
    test_add_plain(cases, full_disk, "store/folder/full-disk");
    test_add_plain(cases, bound, "store/bound");
}
