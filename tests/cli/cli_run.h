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

/* Removes a file or a folder there. */
void cli_remove(const char *name);

/* A file's path there, valid until the fourth call after this one. */
const char *cli_path(const char *name);

/* Names of all files there, hidden ones too, each followed by a blank, in the order of strcmp. */
const char *cli_listing(void);

void cli_write(const char *name, const void *bytes, size_t count);
void cli_expect_file(const char *name, const void *bytes, size_t count);

/* A whole .npy file as NumPy would write it. */
void cli_write_npy(const char *name, clprims_type type, const void *values, size_t n);
void cli_expect_npy(const char *name, clprims_type type, const void *values, size_t n);

/* A file of at most 32 values in a text: "int32 3 1 4", "bool (2, 2) 1 0 0 1", "float64"; or a link
 * to a file, "-> FILE". */
void cli_write_values(const char *name, const char *values);
void cli_expect_values(const char *name, const char *values);

/* ---- Runs ---- */

typedef struct cli_result {
    int exit_status; /* -1 after a signal */
    char out[32768];
    char err[32768];
} cli_result;

/* Runs a script of the shell in the folder, which ends with its first command that fails. $C is
 * the command; a script without it is the command's line: "scan in -o out". The result is valid
 * until the next run. */
const cli_result *cli_run(const char *script);

/* The two halves of cli_run, and what may be asked in between. */
pid_t cli_start(const char *script);
bool cli_is_running(pid_t child);
const cli_result *cli_wait(pid_t child);

/* cli_run by a user without rights, with a copy of the command. The case is skipped where the test
 * has not the right to become another user. */
const cli_result *cli_run_as_nobody(const char *script);

/* cli_run, and fails the case unless the exit status is this and standard error contains part; ""
 * with status 0: unless standard error is empty. A device without float64 says so, and nothing is
 * to be compared then: the case is skipped. */
const cli_result *cli_expect(const char *script, int exit_status, const char *part);

/* ---- Tables ---- */

typedef struct cli_file {
    const char *name;
    const char *values; /* as for cli_write_values */
} cli_file;

/* Writes the files of a table into the empty folder. */
void cli_write_table(const cli_file *files, size_t count);

/* ---- cli_cases.c ---- */

/* A run of the command on small files, which a text of cases/ describes. */
typedef struct cli_case {
    const char *name;
    const cli_file *files; /* that stand in the folder at first */
    const size_t *count;
    const char *script;
    const char *makes; /* files that it makes or changes; NULL: the run says something */
    int exit_status;
    const char *part; /* of standard error */
} cli_case;

/* Runs a script, which is or replaces the case's, where the case's files stand, and compares all
 * that the case says. */
const cli_result *cli_expect_case(const cli_case *c, const char *script);

/* Adds the cases of cases/NAME.txt. run: gets a cli_case. */
void cli_add_text(test_cases *cases, const char *name, test_function *run);

/* The texts that need nothing but their files. */
void cli_add_texts(test_cases *cases);

/* In cli_prints.c, cli_foreign.c and cli_files.c. */
void cli_add_prints(test_cases *cases);
void cli_add_foreign(test_cases *cases);
void cli_add_files(test_cases *cases);

#endif
