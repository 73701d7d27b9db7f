/* SPDX-License-Identifier: MIT */
/* Files and processes for the cases of test_cli. */
#define _DEFAULT_SOURCE /* setgroups */
#define _XOPEN_SOURCE 700 /* nftw */
#include "cli/cli_run.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef CLPRIMS_COMMAND
#error "cli_run.c: CLPRIMS_COMMAND, the path of the built command, is not set by CMake"
#endif

enum { PATH_BYTES = 512, NPY_HEADER_BYTES = 128 };

static char folder[] = "/tmp/clprims-cli-XXXXXX";

/* ---- Files ---------------------------------------------------------------------------------- */

void cli_open_folder(void) {
    if (!mkdtemp(folder)) {
        perror(folder);
        exit(EXIT_FAILURE);
    }
    chmod(folder, 0755); /* for other users */
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

static void remove_tree(const char *path) {
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

void cli_close_folder(void) {
    remove_tree(folder);
}

const char *cli_path(const char *name) {
    static char paths[4][PATH_BYTES];
    static unsigned turn;
    char *const path = paths[turn++ % 4];
    snprintf(path, PATH_BYTES, "%s/%s", folder, name);
    return path;
}

/* What another user runs, and what it kept of that; made once a program. */
static const char others[] = ".others";

static int is_named(const struct dirent *entry) {
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
           strcmp(entry->d_name, others) != 0;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Names into text, and each file removed if wanted. */
static void walk_folder(char *text, size_t size, bool removed) {
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, is_named, by_name);
    if (count < 0) test_fail("%s can't be listed", folder);
    text[0] = '\0';
    for (int i = 0; i < count; ++i) {
        const char *const name = entries[i]->d_name;
        snprintf(text + strlen(text), size - strlen(text), "%s ", name);
        if (removed) remove_tree(cli_path(name));
        free(entries[i]);
    }
    free(entries);
}

const char *cli_listing(void) {
    static char text[4096];
    walk_folder(text, sizeof text, false);
    return text;
}

void cli_clear(void) {
    char text[4096];
    walk_folder(text, sizeof text, true);
}

void cli_write(const char *name, const void *bytes, size_t count) {
    FILE *const file = fopen(cli_path(name), "wb");
    if (!file) test_fail("%s can't be written", cli_path(name));
    const size_t written = fwrite(bytes, 1, count, file);
    if (fclose(file) != 0 || written != count) test_fail("%s can't be written", cli_path(name));
}

void cli_expect_file(const char *name, const void *bytes, size_t count) {
    FILE *const file = fopen(cli_path(name), "rb");
    if (!file) test_fail("%s is not there", name);
    unsigned char *const actual = test_alloc(count + 1, 1);
    const size_t got = fread(actual, 1, count + 1, file);
    fclose(file);
    if (got != count) test_fail("%s has %zu bytes or more, not %zu as expected", name, got, count);
    expect_elements(bytes, actual, count, 1);
    free(actual);
}

void cli_expect_same(const char *name, const char *other) {
    unsigned char bytes[512];
    FILE *const file = fopen(cli_path(other), "rb");
    if (!file) test_fail("%s is not there", other);
    const size_t got = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    cli_expect_file(name, bytes, got);
}

void *cli_npy(clprims_type type, const void *values, size_t n, size_t *count) {
    const size_t bytes = clprims_type_bytes(type);
    const char kind = type >= CLPRIMS_F32 ? 'f' : type >= CLPRIMS_U8 ? 'u' : 'i';
    char *const file = test_alloc(NPY_HEADER_BYTES + n * bytes, 1);
    char text[NPY_HEADER_BYTES];
    memset(file, ' ', NPY_HEADER_BYTES);
    memcpy(file, "\x93NUMPY\x01\x00\x76\x00", 10);
    snprintf(text, sizeof text, "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': (%zu,), }",
             bytes == 1 ? '|' : '<', kind, bytes, n);
    memcpy(file + 10, text, strlen(text));
    file[NPY_HEADER_BYTES - 1] = '\n';
    if (n > 0) memcpy(file + NPY_HEADER_BYTES, values, n * bytes);
    *count = NPY_HEADER_BYTES + n * bytes;
    return file;
}

void cli_write_npy(const char *name, clprims_type type, const void *values, size_t n) {
    size_t count = 0;
    void *const file = cli_npy(type, values, n, &count);
    cli_write(name, file, count);
    free(file);
}

void cli_expect_npy(const char *name, clprims_type type, const void *values, size_t n) {
    size_t count = 0;
    void *const file = cli_npy(type, values, n, &count);
    cli_expect_file(name, file, count);
    free(file);
}

void cli_write_header(const char *name, const cli_header *header, const void *data, size_t count) {
    char bytes[512] = "\x93NUMPY";
    const size_t start = header->major < 2 ? 10 : 12;
    const size_t length = strlen(header->text) + 1;
    const size_t claimed = header->claimed ? header->claimed : length;
    if (start + length + count > sizeof bytes) test_fail("%s is too large", name);
    bytes[6] = (char)header->major;
    for (size_t i = 8; i < start; ++i) bytes[i] = (char)(claimed >> 8 * (i - 8) & 0xff);
    memcpy(bytes + start, header->text, length - 1);
    bytes[start + length - 1] = '\n';
    memcpy(bytes + start + length, data, count);
    cli_write(name, bytes, start + length + count);
}

/* ---- Processes ------------------------------------------------------------------------------ */

static void read_text(const char *name, char *text, size_t size) {
    FILE *const file = fopen(cli_path(name), "rb");
    const size_t got = file ? fread(text, 1, size - 1, file) : 0;
    text[got] = '\0';
    if (file) fclose(file);
    remove(cli_path(name));
}

static void redirect(const char *path, int number) {
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || dup2(fd, number) < 0) _exit(126);
    close(fd);
}

/* The build may be where only its owner looks: all that the command needs is copied. */
static void prepare_others(void) {
    static const char script[] =
        "set -e; mkdir -m 755 \"$1\"; cd \"$1\"; mkdir -m 755 icd; mkdir -m 777 cache\n"
        "cp -L \"$2\" clprims; cp -L \"$3\" \"$4\"; chmod 755 clprims \"$4\"\n"
        "drivers=${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}\n"
        "if [ -d \"$drivers\" ]; then cp -L \"$drivers\"/*.icd icd; else cp -L \"$drivers\" icd; "
        "fi\n"
        "chmod 644 icd/*";
    const char *const words[] = {
        "sh",           "-c", script, "sh", cli_path(others), CLPRIMS_COMMAND, CLPRIMS_LIBRARY,
        CLPRIMS_SONAME, NULL};
    int status = 0;
    if (access(cli_path(others), F_OK) == 0) return;
    const pid_t child = fork();
    if (child == 0) {
        execv("/bin/sh", (char **)(uintptr_t)words);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        test_fail("nothing can be made ready for another user");
}

static void become_nobody(void) {
    enum { NOBODY = 65534 };
    static char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, others);
    setenv("LD_LIBRARY_PATH", path, 1);
    setenv("HOME", path, 1);
    snprintf(path, sizeof path, "%s/%s/cache", folder, others);
    setenv("POCL_CACHE_DIR", path, 1);
    setenv("GCOV_PREFIX", path, 1); /* where a build for gcovr leaves its counts */
    snprintf(path, sizeof path, "%s/%s/icd", folder, others);
    setenv("OCL_ICD_VENDORS", path, 1);
    snprintf(path, sizeof path, "%s/%s/clprims", folder, others);
    setenv("C", path, 1);
    /* Its suppressions may be out of reach, too. */
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    unsetenv("LSAN_OPTIONS");
    if (setgroups(0, NULL) != 0 || setgid(NOBODY) != 0 || setuid(NOBODY) != 0) _exit(125);
}

static void become_script(const cli_world *world) {
    setenv("C", CLPRIMS_COMMAND, 1);
    if (chdir(folder) != 0) _exit(124);
    if (world->as_nobody) become_nobody();
    execl("/bin/sh", "sh", "-ec", world->script, (char *)NULL);
    _exit(127);
}

static void become_command(char **words, const cli_world *world) {
    redirect(world->stdout_path ? world->stdout_path : cli_path(".stdout"), STDOUT_FILENO);
    redirect(cli_path(".stderr"), STDERR_FILENO);
    if (world->variable) setenv(world->variable, world->value, 1);
    if (world->mask != 0) umask(world->mask);
    if (world->file_bytes_most > 0) {
        const struct rlimit limit = {world->file_bytes_most, world->file_bytes_most};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    if (world->script) become_script(world);
    execv(CLPRIMS_COMMAND, words);
    _exit(127);
}

pid_t cli_start(const char *const *words, const cli_world *world) {
    static char paths[CLI_WORDS][PATH_BYTES];
    char *argv[CLI_WORDS + 1] = {paths[0]};
    const cli_world plain = {0};
    size_t count = 1;
    snprintf(paths[0], PATH_BYTES, "%s", CLPRIMS_COMMAND);
    for (; words[count - 1]; ++count) {
        const char *const word = words[count - 1];
        if (count >= CLI_WORDS) test_fail("more than %d words", CLI_WORDS);
        snprintf(paths[count], PATH_BYTES, "%s", word[0] == '@' ? cli_path(word + 1) : word);
        argv[count] = paths[count];
    }
    const pid_t child = fork();
    if (child < 0) test_fail("no process can be made");
    if (child == 0) become_command(argv, world ? world : &plain);
    return child;
}

bool cli_is_running(pid_t child) {
    siginfo_t state;
    memset(&state, 0, sizeof state);
    if (waitid(P_PID, (id_t)child, &state, WEXITED | WNOHANG | WNOWAIT) != 0)
        test_fail("the command can't be watched");
    return state.si_pid == 0;
}

const cli_result *cli_wait(pid_t child) {
    static cli_result result;
    int status = 0;
    if (waitpid(child, &status, 0) != child) test_fail("the command can't be waited for");
    result.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    read_text(".stdout", result.out, sizeof result.out);
    read_text(".stderr", result.err, sizeof result.err);
    return &result;
}

const cli_result *cli_run(const char *const *words, const cli_world *world) {
    return cli_wait(cli_start(words, world));
}

const cli_result *cli_script(const char *script, bool as_nobody) {
    const cli_world world = {.script = script, .as_nobody = as_nobody};
    if (as_nobody && geteuid() != 0)
        test_skip("only root can become another user; this is user %ld", (long)geteuid());
    if (as_nobody) prepare_others();
    return cli_run(CLI(NULL), &world);
}

const cli_result *cli_expect(const char *const *words, const cli_world *world, int exit_status,
                             const char *part) {
    const cli_result *const result = cli_run(words, world);
    if (result->exit_status != exit_status)
        test_fail("exit status %d, not %d as expected; standard error: %s", result->exit_status,
                  exit_status, result->err);
    expect_contains(result->err, part);
    return result;
}

const cli_result *cli_expect_quiet(const char *const *words, clprims_type type) {
    const cli_result *const result = cli_run(words, NULL);
    if (result->exit_status == 3 && type == CLPRIMS_F64 && strstr(result->err, "float64"))
        test_skip("%s", result->err);
    if (result->exit_status != 0)
        test_fail("exit status %d; standard error: %s", result->exit_status, result->err);
    assert_string_equal(result->err, "");
    return result;
}
