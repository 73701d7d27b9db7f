/* SPDX-License-Identifier: MIT */
/*
 * What the command reads and writes: files, pipes and devices by their names, standard input and
 * output by "-". Each call that gives back an int gives back EXIT_FINE, or EXIT_USAGE after a
 * message.
 */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#ifdef _WIN32
#include <io.h>
#define fsync _commit
#endif

/* ---- Inputs ---- */

/* The most that one command reads. */
enum { INPUTS_MOST = 3 };

/* Start from INPUT_INIT. Bytes are read once and in order, so that a pipe serves as well. */
typedef struct cli_input {
    const char *name; /* for messages */
    int fd;
    bool has_size; /* of a regular file, whose bytes can be counted before they are read */
    uint64_t bytes; /* how many there are, if it has */
} cli_input;

#define INPUT_INIT                                                                                 \
    { NULL, -1, false, 0 }

/* A pipe, a device or standard input can be opened for one input only. */
int input_open(cli_input *input, const char *path);

/* The next `count` bytes, or what is left of them. */
int input_read(cli_input *input, void *bytes, size_t count, size_t *got);

void input_close(cli_input *input);

/* Says what errno says. */
int input_fail(const cli_input *input);

/* ---- Outputs ---- */

/* The most that one command writes at a time. */
enum { OUTPUTS_MOST = 2 };

/*
 * A regular file is replaced whole or not at all: its bytes go to a temporary file in its folder,
 * which has its owner, group, mode, access list and attributes from the start and takes its name at
 * the end. Links are followed; a hard link's other names keep the old bytes. Everything else is
 * written to as the bytes come: standard output, /dev/stdout and other descriptors of this process,
 * pipes, devices. Start from OUTPUT_INIT.
 */
typedef struct cli_output {
    const char *name; /* for messages */
    const char *path;
    int descriptor; /* this process's own that the path stands for, or -1 */
    char *target; /* of a regular file: its name, which is no link; NULL for all others */
    bool exists; /* or will be made */
    struct stat now; /* if it exists */
    int fd;
    char *temporary; /* NULL: there is none now */
} cli_output;

#define OUTPUT_INIT                                                                                \
    { .descriptor = -1, .fd = -1 }

/* Finds out where the bytes are to go, and refuses what can't be written. Nothing is opened or made
 * before output_open. */
int output_find(cli_output *output, const char *path);

/* Whether two outputs were found to be one file, pipe or terminal. */
bool outputs_are_one(const cli_output *a, const cli_output *b);

/* Refuses two outputs that are one. */
int outputs_check(const cli_output *outputs, size_t count);

/* Opens what was found. */
int output_open(cli_output *output);

int output_write(cli_output *output, const void *bytes, size_t count);

/* Makes sure that all bytes have arrived. */
int output_finish(cli_output *output);

/* Gives a finished regular file its name; nothing to do for others. */
int output_publish(cli_output *output);

bool output_is_file(const cli_output *output);

/* Removes what was not published and frees all; fine in any state, and again. */
void output_close(cli_output *output);

/* Says what errno says. */
int output_fail(const cli_output *output);

/* Whether bytes for this path go where the descriptor's go, /dev/null aside. */
bool output_goes_to(const char *path, int descriptor);

/* ---- Names ---- */

/* Before anything is opened: no file becomes standard input, output or error by being the first to
 * be opened where one of the three is closed; and a file above the limit is an error of write,
 * which cleans up and says so, and no signal. */
void files_begin(void);

/*
 * Follows links to the last name, whether it is there or not; free it. NULL: errno says why.
 * *descriptor: the number of this process's own descriptor that the path stands for, or -1.
 */
char *files_follow(const char *path, int *descriptor);

/* Whether both are one file, pipe or device. */
bool files_are_one(const struct stat *a, const struct stat *b);

/* After errno said EAGAIN: until the descriptor is ready, which its other users made one that does
 * not wait by itself. */
void files_wait(int fd, bool to_write);

#endif
