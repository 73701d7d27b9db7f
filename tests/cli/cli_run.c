/* SPDX-License-Identifier: MIT */
/* Files and processes for the cases of test_cli. */
#define _DEFAULT_SOURCE /* setgroups */
#define _XOPEN_SOURCE 700 /* nftw */
#include "cli/cli_run.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <locale.h>
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

void cli_remove(const char *name) {
    remove_tree(cli_path(name));
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
        if (removed) cli_remove(name);
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

/* The parts of a .npy file. */
typedef struct npy_array {
    char kind; /* b, i, u or f */
    size_t bytes; /* of an element */
    const char *shape; /* within its brackets; NULL: one dimension */
    const void *values;
    size_t n;
} npy_array;

static npy_array array_of(clprims_type type, const void *values, size_t n) {
    return (npy_array){.kind = type >= CLPRIMS_F32  ? 'f'
                               : type >= CLPRIMS_U8 ? 'u'
                                                    : 'i',
                       .bytes = clprims_type_bytes(type),
                       .values = values,
                       .n = n};
}

/* The whole file as NumPy would write it; free it. */
static void *make_npy(const npy_array *array, size_t *count) {
    const size_t bytes = array->n * array->bytes;
    char *const file = test_alloc(NPY_HEADER_BYTES + bytes, 1);
    char line[24];
    snprintf(line, sizeof line, "%zu,", array->n);
    memset(file, ' ', NPY_HEADER_BYTES);
    memcpy(file, "\x93NUMPY\x01\x00\x76\x00", 10);
    const int length = snprintf(file + 10, NPY_HEADER_BYTES - 10,
                                "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': (%s), }",
                                array->bytes == 1 ? '|' : '<', array->kind, array->bytes,
                                array->shape ? array->shape : line);
    file[10 + length] = ' ';
    file[NPY_HEADER_BYTES - 1] = '\n';
    if (bytes > 0) memcpy(file + NPY_HEADER_BYTES, array->values, bytes);
    *count = NPY_HEADER_BYTES + bytes;
    return file;
}

static void write_array(const char *name, const npy_array *array) {
    size_t count = 0;
    void *const file = make_npy(array, &count);
    cli_write(name, file, count);
    free(file);
}

static void expect_array(const char *name, const npy_array *array) {
    size_t count = 0;
    void *const file = make_npy(array, &count);
    cli_expect_file(name, file, count);
    free(file);
}

void cli_write_npy(const char *name, clprims_type type, const void *values, size_t n) {
    const npy_array array = array_of(type, values, n);
    write_array(name, &array);
}

void cli_expect_npy(const char *name, clprims_type type, const void *values, size_t n) {
    const npy_array array = array_of(type, values, n);
    expect_array(name, &array);
}

/* An array from its text, which stays in it. */
typedef struct npy_text {
    npy_array array;
    char text[256];
    uint64_t values[32];
} npy_text;

static void take_type(npy_array *array, const char *name) {
    *array = (npy_array){.kind = 'b', .bytes = 1};
    if (strcmp(name, "bool") == 0) return;
    for (int type = CLPRIMS_I8; type <= CLPRIMS_F64; ++type)
        if (strcmp(clprims_type_name((clprims_type)type), name) == 0) {
            *array = array_of((clprims_type)type, NULL, 0);
            return;
        }
    test_fail("no .npy file has elements of '%s'", name);
}

static void take_value(npy_text *text, const char *word) {
    npy_array *const array = &text->array;
    const size_t i = array->n++;
    if (array->n > sizeof text->values / sizeof *text->values) test_fail("more than 32 values");
    if (array->kind != 'f')
        test_store_integer(array->bytes, text->values, i,
                           word[0] == '-' ? (uint64_t)strtoll(word, NULL, 10)
                                          : strtoull(word, NULL, 10));
    else if (array->bytes == sizeof(float))
        ((float *)(void *)text->values)[i] = strtof(word, NULL);
    else
        ((double *)(void *)text->values)[i] = strtod(word, NULL);
}

static void take_text(npy_text *text, const char *from) {
    char *rest = NULL, *word;
    setlocale(LC_NUMERIC, "C"); /* numbers have points */
    snprintf(text->text, sizeof text->text, "%s", from);
    take_type(&text->array, strtok_r(text->text, " ", &rest));
    if (rest[0] == '(') text->array.shape = strtok_r(NULL, "()", &rest);
    while ((word = strtok_r(NULL, " ", &rest)) != NULL) take_value(text, word);
    text->array.values = text->values;
}

/* What a link leads to, in the values of a file; NULL: it is no link. */
static const char *target_in(const char *values) {
    return strncmp(values, "-> ", 3) == 0 ? values + 3 : NULL;
}

void cli_write_values(const char *name, const char *values) {
    const char *const target = target_in(values);
    npy_text text;
    if (target) {
        if (symlink(target, cli_path(name)) != 0) test_fail("no link can be made");
        return;
    }
    take_text(&text, values);
    write_array(name, &text.array);
}

void cli_expect_values(const char *name, const char *values) {
    const char *const target = target_in(values);
    char found[PATH_BYTES] = "";
    npy_text text;
    if (target) {
        if (readlink(cli_path(name), found, sizeof found - 1) < 0) test_fail("%s is no link", name);
        assert_string_equal(found, target);
        return;
    }
    take_text(&text, values);
    expect_array(name, &text.array);
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

static void become_script(const char *script, bool as_nobody) {
    redirect(cli_path(".stdout"), STDOUT_FILENO);
    redirect(cli_path(".stderr"), STDERR_FILENO);
    setenv("C", CLPRIMS_COMMAND, 1);
    if (chdir(folder) != 0) _exit(124);
    if (as_nobody) become_nobody();
    execl("/bin/sh", "sh", "-ec", script, (char *)NULL);
    _exit(127);
}

static pid_t start_script(const char *script, bool as_nobody) {
    char line[2048];
    snprintf(line, sizeof line, "%s%s", strstr(script, "$C") ? "" : "exec $C ", script);
    const pid_t child = fork();
    if (child < 0) test_fail("no process can be made");
    if (child == 0) become_script(line, as_nobody);
    return child;
}

pid_t cli_start(const char *script) {
    return start_script(script, false);
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

const cli_result *cli_run(const char *script) {
    return cli_wait(cli_start(script));
}

const cli_result *cli_run_as_nobody(const char *script) {
    if (geteuid() != 0)
        test_skip("only root can become another user; this is user %ld", (long)geteuid());
    prepare_others();
    return cli_wait(start_script(script, true));
}

const cli_result *cli_expect(const char *script, int exit_status, const char *part) {
    const cli_result *const result = cli_run(script);
    if (exit_status == 0 && result->exit_status == 3 && strstr(result->err, "float64"))
        test_skip("%s", result->err);
    if (result->exit_status != exit_status)
        test_fail("%s: exit status %d, not %d as expected; standard error: %s", script,
                  result->exit_status, exit_status, result->err);
    if (strchr(result->err, '\x1b')) test_fail("control characters reach the terminal");
    if (exit_status == 0 && part[0] == '\0')
        assert_string_equal(result->err, "");
    else
        expect_contains(result->err, part);
    return result;
}

/* ---- Tables --------------------------------------------------------------------------------- */

void cli_write_table(const cli_file *files, size_t count) {
    cli_clear();
    for (size_t i = 0; i < count; ++i) cli_write_values(files[i].name, files[i].values);
}
