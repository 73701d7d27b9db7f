/* SPDX-License-Identifier: MIT */
#include "cli/pack_work.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

const char *pack_body(const pack_program *program) {
    return (const char *)program->pack + program->first_byte + program->info.bytes -
           program->info.binary_bytes;
}

/* ---- Files ---- */

int pack_work_begin(pack_work *w) {
    const char *const parent = getenv("TMPDIR");
    const int chars = snprintf(w->folder, sizeof w->folder, "%s/clprims-pack-XXXXXX",
                               parent && *parent ? parent : "/tmp");
    if ((size_t)chars < sizeof w->folder && mkdtemp(w->folder)) return EXIT_FINE;
    return complain(EXIT_USAGE, "no folder for the assembler's files: %s", strerror(errno));
}

void pack_work_end(const pack_work *w) {
    static const char *const names[] = {"program.cl",  "program.ll",    "clang.ptx",
                                        "program.ptx", "program.cubin", "log"};
    char path[PACK_PATH_CHARS];
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) remove(pack_path(w, names[i], path));
    rmdir(w->folder);
}

const char *pack_path(const pack_work *w, const char *name, char path[PACK_PATH_CHARS]) {
    snprintf(path, PACK_PATH_CHARS, "%s/%s", w->folder, name);
    return path;
}

FILE *pack_open(const pack_work *w, const char *name, const char *mode) {
    char path[PACK_PATH_CHARS];
    return fopen(pack_path(w, name, path), mode);
}

int pack_close_written(const pack_work *w, FILE *file) {
    const bool is_written = file && !ferror(file);
    if (file && fclose(file) == 0 && is_written) return EXIT_FINE;
    return complain(EXIT_USAGE, "%s: can't be written: %s", w->folder, strerror(errno));
}

char *pack_read(const pack_work *w, const char *name, size_t *bytes) {
    FILE *const file = pack_open(w, name, "rb");
    char *text = NULL;
    long end = -1;
    if (file && fseek(file, 0, SEEK_END) == 0) end = ftell(file);
    if (end > 0) text = malloc((size_t)end + 1);
    if (text) {
        rewind(file);
        *bytes = fread(text, 1, (size_t)end, file);
        text[*bytes] = '\0';
    }
    if (file) fclose(file);
    return text;
}

/* ---- Tools ---- */

/* The first line of what the tool said that names an error. */
static void say_refusal(const pack_work *w, const char *tool) {
    enum { DIGEST_CHARS = 12 };
    size_t bytes;
    char *const log = pack_read(w, "log", &bytes);
    const char *at = log ? strstr(log, "error") : NULL;
    while (at && at > log && at[-1] != '\n') --at;
    const char *const why = at ? at : log ? log : "it failed without a word";
    remark("program %.*s is left without machine code for %s: %s: %.*s", DIGEST_CHARS,
           w->program->info.digest, w->architecture, tool, (int)strcspn(why, "\n"), why);
    free(log);
}

int pack_run(const pack_work *w, const char *const *words, bool *took) {
    char log[PACK_PATH_CHARS];
    posix_spawn_file_actions_t actions;
    pid_t process;
    int state = -1, failure = posix_spawn_file_actions_init(&actions);
    if (failure == 0) {
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, pack_path(w, "log", log),
                                         O_WRONLY | O_CREAT | O_TRUNC, 0600);
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
        failure = posix_spawnp(&process, words[0], &actions, NULL, (char *const *)words, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    if (failure != 0)
        return complain(EXIT_USAGE, "%s: can't be run: %s", words[0], strerror(failure));
    while (waitpid(process, &state, 0) < 0 && errno == EINTR) continue;
    *took = state == 0;
    if (!*took) say_refusal(w, words[0]);
    return EXIT_FINE;
}
