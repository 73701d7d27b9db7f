/* SPDX-License-Identifier: MIT */
/*
 * files.h on Windows, in place of the other files of this folder that call POSIX: a name stands for
 * a file or a device ("NUL"), links are Windows' own matter, and a file's access list goes over to
 * the file that replaces it.
 */
#include "cli/io/replacement.h"
#include "cli/message.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

enum { PATH_CHARS = 4096, MODE = _S_IREAD | _S_IWRITE };

void files_begin(void) {
    for (int fd = 0; fd < 2; ++fd) (void)_setmode(fd, _O_BINARY);
}

void files_wait(int fd, bool to_write) {
    (void)fd;
    (void)to_write;
}

/* ---- Inputs ---- */

int input_open(cli_input *input, const char *path) {
    static bool is_taken;
    struct stat now;
    const bool is_standard = strcmp(path, "-") == 0;
    input->name = is_standard ? "standard input" : path;
    if (is_standard && is_taken)
        return complain(EXIT_USAGE, "%s: can be read only once, but two inputs need it",
                        input->name);
    is_taken = is_taken || is_standard;
    input->fd = is_standard ? _dup(0) : _open(path, _O_RDONLY | _O_BINARY | _O_NOINHERIT);
    if (input->fd < 0 || fstat(input->fd, &now) != 0) return input_fail(input);
    const __int64 at = S_ISREG(now.st_mode) ? _telli64(input->fd) : -1;
    input->has_size = at >= 0;
    input->bytes = input->has_size ? (uint64_t)(_filelengthi64(input->fd) - at) : 0;
    return EXIT_FINE;
}

/* ---- Outputs ---- */

bool output_goes_to(const char *path, int descriptor) {
    return descriptor == 1 && strcmp(path, "-") == 0;
}

int output_find(cli_output *output, const char *path) {
    char full[PATH_CHARS];
    output->path = output->name = path;
    if (strcmp(path, "-") == 0) {
        output->descriptor = 1;
        output->name = "standard output";
        return EXIT_FINE;
    }
    const DWORD chars = GetFullPathNameA(path, sizeof full, full, NULL);
    errno = chars == 0 || chars >= sizeof full ? ENAMETOOLONG : 0;
    if (errno != 0) return output_fail(output);
    output->exists = stat(full, &output->now) == 0;
    if (output->exists && S_ISDIR(output->now.st_mode)) errno = EISDIR;
    if (output->exists && (errno == EISDIR || _access(full, 2) != 0)) return output_fail(output);
    /* Windows gives devices such names. */
    if (strncmp(full, "\\\\.\\", 4) != 0) output->target = _strdup(full);
    return EXIT_FINE;
}

bool outputs_are_one(const cli_output *a, const cli_output *b) {
    return a->target && b->target ? _stricmp(a->target, b->target) == 0
                                  : a->descriptor == 1 && b->descriptor == 1;
}

int output_open(cli_output *output) {
    static unsigned number;
    const int flags = _O_WRONLY | _O_BINARY | _O_NOINHERIT;
    if (output->target) {
        output->temporary = malloc(strlen(output->target) + 64);
        if (!output->temporary) return output_fail(output);
        sprintf(output->temporary, "%s.clprims-%lx-%x", output->target, GetCurrentProcessId(),
                number++);
        output->fd = _open(output->temporary, flags | _O_CREAT | _O_EXCL, MODE);
    } else {
        output->fd =
            output->descriptor >= 0 ? _dup(output->descriptor) : _open(output->path, flags);
    }
    return output->fd >= 0 ? EXIT_FINE : output_fail(output);
}

int replacement_publish(cli_output *output) {
    const BOOL is_done = output->exists
                             ? ReplaceFileA(output->target, output->temporary, NULL, 0, NULL, NULL)
                             : MoveFileExA(output->temporary, output->target, 0);
    errno = EACCES;
    if (!is_done) return output_fail(output);
    free(output->temporary);
    output->temporary = NULL;
    return EXIT_FINE;
}

void replacement_remove(cli_output *output) {
    if (output->temporary) (void)DeleteFileA(output->temporary);
    free(output->temporary);
    output->temporary = NULL;
}
