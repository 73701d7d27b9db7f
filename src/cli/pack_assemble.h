/* SPDX-License-Identifier: MIT */
/* Machine code for a pack's programs, by NVIDIA's assembler. */
#ifndef CLI_PACK_ASSEMBLE_H
#define CLI_PACK_ASSEMBLE_H

#include "cli/pack_work.h"

/* Whether the program is PTX or a text for that architecture's number, "sm_90a": it was put
 * together for such a GPU. */
bool pack_is_for(const pack_program *program, const char *architecture);

/* Sets *out, which the caller frees, to a program with machine code of *bytes bytes; NULL where
 * clang or ptxas refuses the program, which is said on standard error. */
int pack_assemble(const pack_tools *tools, const pack_program *program, const char *architecture,
                  unsigned char **out, size_t *bytes);

#endif
