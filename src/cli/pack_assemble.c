/* SPDX-License-Identifier: MIT */
/* From PTX to machine code: the driver's PTX with the architecture's name, or clang's. */
#include "cli/pack_assemble.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The driver's PTX ---- */

/* The text behind ".target " of PTX, whose line ends in the program, or NULL. */
static const char *target_of(const pack_program *p) {
    static const char target[] = "\n.target ";
    const char *const body = pack_body(p), *const end = body + p->info.binary_bytes;
    if (p->info.binary_bytes < 2 || memcmp(body, "//", 2) != 0) return NULL;
    for (const char *at = body; at + sizeof target + 8 < end && *at; ++at) {
        if (memcmp(at, target, strlen(target)) != 0) continue;
        at += strlen(target);
        return memchr(at, '\n', (size_t)(end - at)) ? at : NULL;
    }
    return NULL;
}

/* The driver's PTX ends in NULs. */
static int write_ptx(const pack_work *w) {
    const char *const body = pack_body(w->program), *const target = target_of(w->program);
    const char *const rest = target + strcspn(target, ",\n");
    const char *const end = body + w->program->info.binary_bytes;
    const char *const nul = memchr(rest, '\0', (size_t)(end - rest));
    FILE *const file = pack_open(w, "program.ptx", "wb");
    if (file) {
        fwrite(body, 1, (size_t)(target - body), file);
        fputs(w->architecture, file);
        fwrite(rest, 1, (size_t)((nul ? nul : end) - rest), file);
    }
    return pack_close_written(w, file);
}

/* ---- The assembler ---- */

static int run_ptxas(const pack_work *w, bool *took) {
    static const char limit[] = "-cl-nv-maxrregcount=";
    const char *const limited = strstr(w->program->info.options, limit);
    char ptx[PACK_PATH_CHARS], code[PACK_PATH_CHARS], architecture[40], registers[40];
    snprintf(architecture, sizeof architecture, "-arch=%s", w->architecture);
    snprintf(registers, sizeof registers, "-maxrregcount=%lu",
             limited ? strtoul(limited + strlen(limit), NULL, 10) : 255ul);
    const char *const words[] = {w->tools->ptxas,
                                 architecture,
                                 registers,
                                 "-o",
                                 pack_path(w, "program.cubin", code),
                                 pack_path(w, "program.ptx", ptx),
                                 NULL};
    return pack_run(w, words, took);
}

/* ---- A program ---- */

bool pack_is_for(const pack_program *program, const char *architecture) {
    const clprims_program_kind kind = program->info.kind;
    const char *const target = kind == CLPRIMS_PROGRAM_SOURCE      ? program->info.target
                               : kind == CLPRIMS_PROGRAM_OF_DRIVER ? target_of(program)
                                                                   : NULL;
    const size_t length = strlen("sm_") + strspn(architecture + strlen("sm_"), "0123456789");
    return target && strncmp(target, architecture, length) == 0 &&
           strspn(target + length, "0123456789") == 0;
}

/* The program with the code that ptxas left. */
static int take_code(const pack_work *w, unsigned char **out, size_t *bytes) {
    size_t code_bytes = 0;
    const pack_program *const p = w->program;
    char *const code = pack_read(w, "program.cubin", &code_bytes);
    *bytes = code_bytes + CLPRIMS_PROGRAM_HEAD_BYTES;
    *out = code ? malloc(*bytes) : NULL;
    const int status =
        *out ? library_exit(clprims_pack_assembled(p->pack, p->pack_bytes, p->first_byte,
                                                   w->architecture, code, code_bytes, *out, bytes))
             : complain(EXIT_DEVICE, "no memory for %zu bytes of machine code", code_bytes);
    free(code);
    return status;
}

int pack_assemble(const pack_tools *tools, const pack_program *program, const char *architecture,
                  unsigned char **out, size_t *bytes) {
    pack_work w = {.tools = tools, .program = program, .architecture = architecture};
    bool took = true;
    *out = NULL;
    int status = pack_work_begin(&w);
    if (status != EXIT_FINE) return status;
    status = program->info.kind == CLPRIMS_PROGRAM_SOURCE ? pack_compile(&w, &took) : write_ptx(&w);
    if (status == EXIT_FINE && took) status = run_ptxas(&w, &took);
    if (status == EXIT_FINE && took) status = take_code(&w, out, bytes);
    pack_work_end(&w);
    return status;
}
