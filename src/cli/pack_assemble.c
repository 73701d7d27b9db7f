/* SPDX-License-Identifier: MIT */
/*
 * From a program to machine code, in a folder of its own: program.ptx is the driver's PTX with the
 * architecture's name, program.cubin what ptxas makes of it, log what ptxas says.
 */
#include "cli/pack_assemble.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { FOLDER_CHARS = 256, PATH_CHARS = FOLDER_CHARS + 16, DIGEST_CHARS = 12 };

typedef struct work {
    const char *ptxas;
    const pack_program *program;
    const char *architecture;
    char folder[FOLDER_CHARS];
} work;

/* ---- Files of the folder ---- */

static const char *const work_files[] = {"program.ptx", "program.cubin", "log"};

static const char *path_of(const work *w, const char *name, char path[PATH_CHARS]) {
    snprintf(path, PATH_CHARS, "%s/%s", w->folder, name);
    return path;
}

static FILE *open_file(const work *w, const char *name, const char *mode) {
    char path[PATH_CHARS];
    return fopen(path_of(w, name, path), mode);
}

/* Returns the file's bytes and a NUL, which the caller frees; NULL where there are none. */
static char *read_file(const work *w, const char *name, size_t *bytes) {
    FILE *const file = open_file(w, name, "rb");
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

static int make_folder(work *w) {
    const char *const parent = getenv("TMPDIR");
    const int chars = snprintf(w->folder, sizeof w->folder, "%s/clprims-pack-XXXXXX",
                               parent && *parent ? parent : "/tmp");
    if ((size_t)chars < sizeof w->folder && mkdtemp(w->folder)) return EXIT_FINE;
    return complain(EXIT_USAGE, "no folder for the assembler's files: %s", strerror(errno));
}

static void remove_folder(const work *w) {
    char path[PATH_CHARS];
    for (size_t i = 0; i < sizeof work_files / sizeof *work_files; ++i)
        remove(path_of(w, work_files[i], path));
    rmdir(w->folder);
}

/* ---- PTX ---- */

static const char *body_of(const pack_program *p) {
    return (const char *)p->pack + p->first_byte + p->info.bytes - p->info.binary_bytes;
}

/* The text behind ".target " of PTX, whose line ends in the program, or NULL. */
static const char *target_of(const pack_program *p) {
    static const char target[] = "\n.target ";
    const char *const body = body_of(p), *const end = body + p->info.binary_bytes;
    if (p->info.binary_bytes < 2 || memcmp(body, "//", 2) != 0) return NULL;
    for (const char *at = body; at + sizeof target + 8 < end && *at; ++at) {
        if (memcmp(at, target, strlen(target)) != 0) continue;
        at += strlen(target);
        return memchr(at, '\n', (size_t)(end - at)) ? at : NULL;
    }
    return NULL;
}

/* The driver's PTX ends in NULs. */
static int write_ptx(const work *w) {
    const char *const body = body_of(w->program), *const target = target_of(w->program);
    const char *const rest = target + strcspn(target, ",\n");
    const char *const end = body + w->program->info.binary_bytes;
    const char *const nul = memchr(rest, '\0', (size_t)(end - rest));
    FILE *const file = open_file(w, "program.ptx", "wb");
    if (file) {
        fwrite(body, 1, (size_t)(target - body), file);
        fputs(w->architecture, file);
        fwrite(rest, 1, (size_t)((nul ? nul : end) - rest), file);
    }
    const bool is_written = file && !ferror(file);
    if (file && fclose(file) == 0 && is_written) return EXIT_FINE;
    return complain(EXIT_USAGE, "%s: can't be written: %s", w->folder, strerror(errno));
}

/* ---- The assembler ---- */

static void say_refusal(const work *w, const char *why) {
    remark("program %.*s is left without machine code for %s: %s: %.*s", DIGEST_CHARS,
           w->program->info.digest, w->architecture, w->ptxas, (int)strcspn(why, "\n"), why);
}

/* The first line of what ptxas said that names an error. */
static void say_log(const work *w) {
    size_t bytes;
    char *const log = read_file(w, "log", &bytes);
    const char *at = log ? strstr(log, "error") : NULL;
    while (at && at > log && at[-1] != '\n') --at;
    say_refusal(w, at ? at : log ? log : "it failed without a word");
    free(log);
}

/* Sets *made; a ptxas that can't be run is an error. */
static int run_ptxas(const work *w, bool *made) {
    static const char limit[] = "-cl-nv-maxrregcount=";
    const char *const limited = strstr(w->program->info.options, limit);
    char ptx[PATH_CHARS], code[PATH_CHARS], log[PATH_CHARS], architecture[40], registers[40];
    snprintf(architecture, sizeof architecture, "-arch=%s", w->architecture);
    snprintf(registers, sizeof registers, "-maxrregcount=%lu",
             limited ? strtoul(limited + strlen(limit), NULL, 10) : 255ul);
    const char *const words[] = {w->ptxas,
                                 architecture,
                                 registers,
                                 "-o",
                                 path_of(w, "program.cubin", code),
                                 path_of(w, "program.ptx", ptx),
                                 NULL};
    posix_spawn_file_actions_t actions;
    pid_t process;
    int state = -1, failure = posix_spawn_file_actions_init(&actions);
    if (failure == 0) {
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, path_of(w, "log", log),
                                         O_WRONLY | O_CREAT | O_TRUNC, 0600);
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
        failure = posix_spawnp(&process, w->ptxas, &actions, NULL, (char *const *)words, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    if (failure != 0)
        return complain(EXIT_USAGE, "--ptxas %s: can't be run: %s", w->ptxas, strerror(failure));
    while (waitpid(process, &state, 0) < 0 && errno == EINTR) continue;
    *made = state == 0;
    if (!*made) say_log(w);
    return EXIT_FINE;
}

/* ---- A program ---- */

bool pack_is_for(const pack_program *program, const char *architecture) {
    const char *const target =
        program->info.kind == CLPRIMS_PROGRAM_OF_DRIVER ? target_of(program) : NULL;
    const size_t length = strlen("sm_") + strspn(architecture + strlen("sm_"), "0123456789");
    return target && strncmp(target, architecture, length) == 0 &&
           strspn(target + length, "0123456789") == 0;
}

/* The program with the code that ptxas left. */
static int take_code(const work *w, unsigned char **out, size_t *bytes) {
    size_t code_bytes = 0;
    const pack_program *const p = w->program;
    char *const code = read_file(w, "program.cubin", &code_bytes);
    *bytes = code_bytes + CLPRIMS_PROGRAM_HEAD_BYTES;
    *out = code ? malloc(*bytes) : NULL;
    const int status =
        *out ? library_exit(clprims_pack_assembled(p->pack, p->pack_bytes, p->first_byte,
                                                   w->architecture, code, code_bytes, *out, bytes))
             : complain(EXIT_DEVICE, "no memory for %zu bytes of machine code", code_bytes);
    free(code);
    return status;
}

int pack_assemble(const char *ptxas, const pack_program *program, const char *architecture,
                  unsigned char **out, size_t *bytes) {
    work w = {ptxas, program, architecture, ""};
    bool made = false;
    *out = NULL;
    int status = make_folder(&w);
    if (status != EXIT_FINE) return status;
    status = write_ptx(&w);
    if (status == EXIT_FINE) status = run_ptxas(&w, &made);
    if (made) status = take_code(&w, out, bytes);
    remove_folder(&w);
    return status;
}
