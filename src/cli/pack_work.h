/* SPDX-License-Identifier: MIT */
/* The tools that turn a pack's program into machine code, and the folder where they work. */
#ifndef CLI_PACK_WORK_H
#define CLI_PACK_WORK_H

#include "cli/command.h"

#include <stdio.h>

/* A program of a pack. */
typedef struct pack_program {
    const unsigned char *pack;
    size_t pack_bytes, first_byte;
    clprims_program_info info;
} pack_program;

/* Names of files. */
typedef struct pack_tools {
    const char *ptxas;
    const char *clang;
    const char *libclc; /* LLVM's functions of OpenCL C for NVIDIA's GPUs */
} pack_tools;

enum { PACK_FOLDER_CHARS = 256, PACK_PATH_CHARS = PACK_FOLDER_CHARS + 16 };

/*
 * A program on its way to machine code. Its folder has a file for each step: an offline
 * architecture's text (.cl), LLVM's form of the text (.ll) and PTX (.ptx of "clang"), both by
 * clang; the PTX that ptxas gets, clang's or the driver's, for the architecture (.ptx of
 * "program"); machine code
 * (.cubin); and what the last tool said (log).
 */
typedef struct pack_work {
    const pack_tools *tools;
    const pack_program *program;
    const char *architecture; /* "sm_90a" */
    char folder[PACK_FOLDER_CHARS];
} pack_work;

/* The program's bytes: info.binary_bytes. */
const char *pack_body(const pack_program *program);

int pack_work_begin(pack_work *work);
void pack_work_end(const pack_work *work);

const char *pack_path(const pack_work *work, const char *name, char path[PACK_PATH_CHARS]);
FILE *pack_open(const pack_work *work, const char *name, const char *mode);

/* A file that could not be opened (NULL) or written is said. */
int pack_close_written(const pack_work *work, FILE *file);

/* Returns the file's bytes and a NUL, which the caller frees; NULL where there are none. */
char *pack_read(const pack_work *work, const char *name, size_t *bytes);

/* Runs words[0] with the others, a NULL behind them, and waits. A tool that can't be run is an
 * error. *took: whether it took the program; that it did not is said. */
int pack_run(const pack_work *work, const char *const *words, bool *took);

/* pack_compile.c: writes program.ptx of the program's text, by clang. *took: whether clang took the
 * text. */
int pack_compile(const pack_work *work, bool *took);

#endif
