/* SPDX-License-Identifier: MIT */
/*
 * files.h on Windows, in place of the other files of this folder that call POSIX: a name stands for
 * a file or a device ("NUL"), links are Windows' own matter, and a file's access list goes over to
 * the file that replaces it.
 */
#include "cli/io/files.h"
#include "cli/message.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

enum { PATH_CHARS = 4096, MOST_AT_ONCE = 1 << 30, MODE = _S_IREAD | _S_IWRITE };

void files_begin(void) {
    for (int fd = 0; fd < 2; ++fd) (void)_setmode(fd, _O_BINARY);
}

static int fail(const char *name, const char *done) {
    return complain(EXIT_USAGE, "%s: can't be %s: %s", name, done, strerror(errno));
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
    if (input->fd < 0 || fstat(input->fd, &now) != 0) return fail(input->name, "read");
    const __int64 at = S_ISREG(now.st_mode) ? _telli64(input->fd) : -1;
    input->has_size = at >= 0;
    input->bytes = input->has_size ? (uint64_t)(_filelengthi64(input->fd) - at) : 0;
    return EXIT_FINE;
}

int input_read(cli_input *input, void *bytes, size_t count, size_t *got) {
    for (*got = 0; *got < count;) {
        const size_t left = count - *got;
        const int more = _read(input->fd, (char *)bytes + *got,
                               left < MOST_AT_ONCE ? (unsigned)left : MOST_AT_ONCE);
        if (more < 0) return fail(input->name, "read");
        if (more == 0) break;
        *got += (size_t)more;
    }
    return EXIT_FINE;
}

void input_close(cli_input *input) {
    if (input->fd >= 0) _close(input->fd);
    input->fd = -1;
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
    if (errno != 0) return fail(path, "written");
    output->exists = stat(full, &output->now) == 0;
    if (output->exists && S_ISDIR(output->now.st_mode)) errno = EISDIR;
    if (output->exists && (errno == EISDIR || _access(full, 2) != 0)) return fail(path, "written");
    /* Windows gives devices such names. */
    if (strncmp(full, "\\\\.\\", 4) != 0) output->target = _strdup(full);
    return EXIT_FINE;
}

int outputs_check(const cli_output *outputs, size_t count) {
    for (size_t i = 1; i < count; ++i) {
        const cli_output *const a = &outputs[i - 1], *const b = &outputs[i];
        const bool are_one = a->target && b->target ? _stricmp(a->target, b->target) == 0
                                                    : a->descriptor == 1 && b->descriptor == 1;
        if (are_one)
            return complain(EXIT_USAGE, "%s and %s are one file; each output needs its own",
                            a->name, b->name);
    }
    return EXIT_FINE;
}

bool output_is_file(const cli_output *output) {
    return output->target != NULL;
}

int output_open(cli_output *output) {
    static unsigned number;
    const int flags = _O_WRONLY | _O_BINARY | _O_NOINHERIT;
    if (output->target) {
        output->temporary = malloc(strlen(output->target) + 64);
        if (!output->temporary) return fail(output->name, "written");
        sprintf(output->temporary, "%s.clprims-%lx-%x", output->target, GetCurrentProcessId(),
                number++);
        output->fd = _open(output->temporary, flags | _O_CREAT | _O_EXCL, MODE);
    } else {
        output->fd =
            output->descriptor >= 0 ? _dup(output->descriptor) : _open(output->path, flags);
    }
    return output->fd >= 0 ? EXIT_FINE : fail(output->name, "written");
}

int output_write(cli_output *output, const void *bytes, size_t count) {
    for (size_t done = 0; done < count;) {
        const size_t left = count - done;
        const int more = _write(output->fd, (const char *)bytes + done,
                                left < MOST_AT_ONCE ? (unsigned)left : MOST_AT_ONCE);
        if (more <= 0) return fail(output->name, "written");
        done += (size_t)more;
    }
    return EXIT_FINE;
}

int output_finish(cli_output *output) {
    const bool synced = !output_is_file(output) || _commit(output->fd) == 0;
    const bool closed = _close(output->fd) == 0;
    output->fd = -1;
    return synced && closed ? EXIT_FINE : fail(output->name, "written");
}

int output_publish(cli_output *output) {
    if (!output_is_file(output)) return EXIT_FINE;
    const BOOL is_done = output->exists
                             ? ReplaceFileA(output->target, output->temporary, NULL, 0, NULL, NULL)
                             : MoveFileExA(output->temporary, output->target, 0);
    errno = EACCES;
    if (!is_done) return fail(output->name, output->exists ? "replaced" : "written");
    free(output->temporary);
    output->temporary = NULL;
    return EXIT_FINE;
}

void output_close(cli_output *output) {
    if (output->fd >= 0) _close(output->fd);
    if (output->temporary) (void)DeleteFileA(output->temporary);
    free(output->temporary);
    free(output->target);
    output->fd = -1;
    output->temporary = output->target = NULL;
}

/* ---- Work of other programs ---- */

bool files_make_folder(char *name, size_t room) {
    char parent[MAX_PATH];
    const DWORD chars = GetTempPathA(sizeof parent, parent);
    const int length = snprintf(name, room, "%sclprims-pack-XXXXXX", parent);
    return chars > 0 && chars < sizeof parent && (size_t)length < room &&
           _mktemp_s(name, (size_t)length + 1) == 0 && CreateDirectoryA(name, NULL);
}

/* cmd takes the outermost quotation marks away. */
int files_run(const char *const *words, const char *log, int *state) {
    char line[8192] = "\"", quoted[2 * PATH_CHARS];
    for (; *words; ++words) {
        snprintf(quoted, sizeof quoted, "\"%s\" ", *words);
        if (strlen(line) + strlen(quoted) + strlen(log) + 16 > sizeof line) return E2BIG;
        strcat(line, quoted);
    }
    sprintf(line + strlen(line), "> \"%s\" 2>&1\"", log);
    *state = system(line);
    return 0;
}
