/* SPDX-License-Identifier: MIT */
/* PTX of the texts that a context with an offline_architecture keeps, by clang. */
#ifndef CLI_PACK_COMPILE_H
#define CLI_PACK_COMPILE_H

#include "cli/pack_work.h"

/* Writes program.ptx of the program's text. *took: whether clang took the text. */
int pack_compile(const pack_work *work, bool *took);

#endif
