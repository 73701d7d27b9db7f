/* SPDX-License-Identifier: MIT */
/* A block: what it needs, and its part of a text. blocks.c has the public functions. */
#ifndef CLP_BLOCKS_TEXT_H
#define CLP_BLOCKS_TEXT_H

#include "core/context.h"
#include "plan/operation.h"

#include <clprims/blocks.h>

/* What a description asks for, with the defaults filled in. */
typedef struct clp_block {
    const char *name;
    clp_operation operation;
    size_t items;
    unsigned uses;
    bool descending;
    size_t bins;
    size_t group;
    size_t subgroup; /* lanes; the group where it is one sub-group */
    bool is_group; /* whether it is */
} clp_block;

/* Bytes of the room, of which the first ones hold counts. */
size_t clp_block_local_bytes(const clp_block *block);
size_t clp_block_head_bytes(const clp_block *block);

/* Writes `chars` with other names: clp_ becomes clprims_, and clprims_NAME_ but for the words of
 * `shared`. block: its name; NULL: all words are shared. */
void clp_text_add_renamed(clp_text *text, const char *chars, const char *block, const char *shared);

/* Adds a block behind the text that all of them share, whose names are not yet changed. */
clprims_status clp_block_add(clp_text *text, const clprims_context *context, const clp_block *block,
                             const char *shared);

#endif
