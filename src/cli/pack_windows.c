/* SPDX-License-Identifier: MIT */
/* pack_assemble.h on Windows, where the command runs no other programs. */
#include "cli/pack_assemble.h"

bool pack_is_for(const pack_program *program, const char *architecture) {
    return program && architecture;
}

int pack_assemble(const pack_tools *tools, const pack_program *program, const char *architecture,
                  unsigned char **out, size_t *bytes) {
    (void)tools, (void)program;
    *out = NULL;
    *bytes = 0;
    return complain(EXIT_USAGE, "--assemble %s: not on Windows", architecture);
}
