/* SPDX-License-Identifier: MIT */
/* Machine code for a pack's programs, by NVIDIA's assembler. */
#ifndef CLI_PACK_ASSEMBLE_H
#define CLI_PACK_ASSEMBLE_H

#include "cli/command.h"

/* A program of a pack. */
typedef struct pack_program {
    const unsigned char *pack;
    size_t pack_bytes, first_byte;
    clprims_program_info info;
} pack_program;

/* Whether the program is PTX for that architecture's number, "sm_90a": it was put together for such
 * a GPU. */
bool pack_is_for(const pack_program *program, const char *architecture);

/* Sets *out, which the caller frees, to a program with machine code of *bytes bytes; NULL where
 * ptxas, the file of that name, refuses the program, which is said on standard error. */
int pack_assemble(const char *ptxas, const pack_program *program, const char *architecture,
                  unsigned char **out, size_t *bytes);

#endif
