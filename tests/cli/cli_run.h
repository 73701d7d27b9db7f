/* SPDX-License-Identifier: MIT */
/* Runs the built command on files of a folder of its own. For the cases of test_cli. */
#ifndef TESTS_CLI_RUN_H
#define TESTS_CLI_RUN_H

#include "harness/harness.h"

#include <sys/types.h>

/* The folder, made once a program. cli_clear empties it but for what cli_script keeps there; each
 * case begins with that. */
void cli_open_folder(void);
void cli_close_folder(void);
void cli_clear(void);

/* A file's path there, valid until the fourth call after this one. */
const char *cli_path(const char *name);

/* Names of all files there, hidden ones too, each followed by a blank, in the order of strcmp. */
const char *cli_listing(void);

void cli_write(const char *name, const void *bytes, size_t count);
void cli_expect_file(const char *name, const void *bytes, size_t count);

/* The same bytes as in another file. */
void cli_expect_same(const char *name, const char *other);

/* A whole .npy file as NumPy would write it; free it. */
void *cli_npy(clprims_type type, const void *values, size_t n, size_t *count);
void cli_write_npy(const char *name, clprims_type type, const void *values, size_t n);
void cli_expect_npy(const char *name, clprims_type type, const void *values, size_t n);

/* A .npy file by its parts, right or wrong. */
typedef struct cli_header {
    int major; /* version */
    size_t claimed; /* the header's length as the file says it; 0: the truth */
    const char *text;
} cli_header;

void cli_write_header(const char *name, const cli_header *header, const void *data, size_t count);

/* What a run meets; all zero for nothing special. */
typedef struct cli_world {
    const char *variable; /* of the environment */
    const char *value;
    const char *stdout_path;
    size_t file_bytes_most; /* RLIMIT_FSIZE */
    mode_t mask; /* umask; 0: the test's own */
    const char *script; /* of the shell, run in the folder in place of the words; $C: the command */
    bool as_nobody; /* by a user without rights, with a copy of the command */
} cli_world;

typedef struct cli_result {
    int exit_status; /* -1 after a signal */
    char out[32768];
    char err[32768];
} cli_result;

enum { CLI_WORDS = 16 };

/* Runs the command. words end with NULL; one that begins with '@' names a file of the folder. The
 * result is valid until the next run. */
const cli_result *cli_run(const char *const *words, const cli_world *world);

/* The two halves of cli_run, and what may be asked in between. */
pid_t cli_start(const char *const *words, const cli_world *world);
bool cli_is_running(pid_t child);
const cli_result *cli_wait(pid_t child);

/* Runs a shell's script so, which ends with its first command that fails. As nobody, the case is
 * skipped where the test has not the right to become another user. */
const cli_result *cli_script(const char *script, bool as_nobody);

/* cli_run, and fails the case unless the exit status is this and standard error contains part. */
const cli_result *cli_expect(const char *const *words, const cli_world *world, int exit_status,
                             const char *part);

/* cli_run, which must succeed without a message. A device without float64 says so, and nothing is
 * to be compared then: the case is skipped. */
const cli_result *cli_expect_quiet(const char *const *words, clprims_type type);

/* The same with the words as arguments. */
#define CLI(...) ((const char *const[]){__VA_ARGS__, NULL})

/* In cli_prints.c, cli_foreign.c, cli_files.c, cli_lists.c, cli_refusals.c, cli_passes.c,
 * cli_reduce.c, cli_segmented.c, cli_histogram.c, cli_merge.c and cli_jagged.c. */
void cli_add_prints(test_cases *cases);
void cli_add_foreign(test_cases *cases);
void cli_add_files(test_cases *cases);
void cli_add_lists(test_cases *cases);
void cli_add_refusals(test_cases *cases);
void cli_add_passes(test_cases *cases);
void cli_add_reduce(test_cases *cases);
void cli_add_segmented(test_cases *cases);
void cli_add_histogram(test_cases *cases);
void cli_add_merge(test_cases *cases);
void cli_add_jagged(test_cases *cases);

#endif
