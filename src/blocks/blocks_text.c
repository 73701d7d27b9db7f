/* SPDX-License-Identifier: MIT */
/* The text of a block: its prelude, then files of cl/, with the block's name in theirs. */
#include "blocks/blocks_text.h"
#include "cl_sources.h"
#include "core/knobs.h"
#include "core/program.h"
#include "core/type.h"

#include <string.h>

/* ---- Local memory ---- */

enum { LEAST_ALIGNMENT = 16, CHUNK = 16, LOOKS = 64 /* CLP_SEEN at most */ };

/* No type has a larger alignment than the lowest bit of its size. */
static size_t alignment_of(const clp_block *block) {
    const size_t bytes = block->operation.type_bytes;
    return clp_at_least(bytes & (0 - bytes), LEAST_ALIGNMENT);
}

static size_t round_up(size_t bytes, size_t alignment) {
    return (bytes + alignment - 1) / alignment * alignment;
}

/* Elements as blocks_room.cl pads them. */
static size_t padded(size_t n) {
    return n + n / 32 + 1;
}

/* A pass scans the counters of all digits, which pays where a work-item ranks many elements. */
static size_t radix_bits(const clp_block *block) {
    return block->items >= 8 ? 5 : 4;
}

/* Words of a work-item's counters as blocks_room.cl has them. */
static size_t counters_of(const clp_block *block) {
    const size_t digits = (size_t)1 << radix_bits(block);
    return (block->group * block->items < 65536 ? digits / 2 : digits) + 1;
}

/* Words for the scan of counts, or for a reservation and a turn. */
static size_t sums_of(const clp_block *block) {
    return clp_at_least(block->is_group ? 2 * block->group : block->group / block->subgroup, 2);
}

size_t clp_block_head_bytes(const clp_block *block) {
    return round_up(sums_of(block) * sizeof(cl_uint), alignment_of(block));
}

/* What blocks_room.cl has in its union. */
static size_t union_bytes(const clp_block *block) {
    const size_t value = block->operation.type_bytes, tile = block->group * block->items;
    const size_t exchange =
        block->is_group ? 2 * block->group + 1 : 1 + block->group / block->subgroup;
    size_t bytes = clp_at_least(exchange * value, block->group);
    if ((block->uses & CLPRIMS_BLOCK_TILES) != 0) {
        const size_t chunks = (block->items * value + CHUNK - 1) / CHUNK * block->group;
        bytes = clp_at_least(bytes, padded(tile) * value);
        bytes = clp_at_least(bytes, (chunks + chunks / 8 + 1) * CHUNK);
    }
    if ((block->uses & CLPRIMS_BLOCK_SORT) != 0) {
        const size_t counters = block->group * counters_of(block) * sizeof(cl_uint);
        bytes = clp_at_least(bytes, round_up(counters, 8) +
                                        padded(tile) * clp_at_least(value, sizeof(cl_uint)));
    }
    if ((block->uses & CLPRIMS_BLOCK_LOOK_BACK) != 0) {
        bytes = clp_at_least(bytes, LOOKS * (value + sizeof(cl_uint)) + alignment_of(block));
    }
    return round_up(clp_at_least(bytes, block->bins * sizeof(cl_uint)), alignment_of(block));
}

size_t clp_block_local_bytes(const clp_block *block) {
    return clp_block_head_bytes(block) + union_bytes(block);
}

/* ---- Names ---- */

/* Whether a text has that word. */
static bool has_word(const char *text, const char *word, size_t length) {
    char name[96];
    if (length >= sizeof name) return false;
    memcpy(name, word, length);
    name[length] = '\0';
    for (const char *at = text; (at = strstr(at, name)) != NULL; at += length) {
        const bool begins = at == text || !clp_is_word(at[-1]);
        if (begins && !clp_is_word(at[length])) return true;
    }
    return false;
}

void clp_text_add_renamed(clp_text *text, const char *chars, const char *block,
                          const char *shared) {
    while (*chars != '\0') {
        size_t length = 0;
        while (clp_is_word(chars[length])) length++;
        const bool is_macro = strncmp(chars, "CLP_", 4) == 0;
        if (length > 0 && (is_macro || strncmp(chars, "clp_", 4) == 0)) {
            clp_text_add(text, is_macro ? "CLPRIMS_" : "clprims_");
            if (block != NULL && !has_word(shared, chars, length)) clp_text_add(text, "%s_", block);
            clp_text_add_bytes(text, chars + 4, length - 4);
        } else {
            length = length > 0 ? length : 1;
            clp_text_add_bytes(text, chars, length);
        }
        chars += length;
    }
}

/* ---- A block ---- */

/* Unsigned integers of the bits of a key, and its order; sort_keys.cl reads them. */
static void add_key(clp_text *text, const clp_block *block) {
    static const char *const words[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong"};
    const clprims_type type = block->operation.type;
    const size_t bytes = block->operation.type_bytes;
    const bool is_signed = type >= CLPRIMS_I8 && type <= CLPRIMS_I64;
    clp_text_add(text, "#define CLP_K %s\n#define CLP_K_BYTES %zu\n", words[bytes], bytes);
    clp_text_add(text, "#define CLP_TO_K(x) as_%s(x)\n#define CLP_FROM_K(k) as_%s(k)\n",
                 words[bytes], clp_type_text(type));
    clp_text_add(text, "#define CLP_ORDER %d\n#define CLP_DESCENDING %d\n",
                 clp_type_is_float(type) ? 4 : is_signed, block->descending);
    clp_text_add(text, "#define CLP_RADIX_BITS %zu\n", radix_bits(block));
}

static void add_look_back(clp_text *text, const clp_block *block) {
    const size_t window = block->subgroup < 64 ? block->subgroup : 64;
    clp_text_add(text, "#define CLP_WINDOW %zu\n#define CLP_SPINS 1\n",
                 block->is_group ? 1 : window);
    clp_text_add(text, "#define CLP_FALLBACK 0\n#define CLP_DELAY 0\n#define CLP_DROP 0\n");
    clp_text_add(text, "#define CLP_REPRODUCIBLE %d\n", clp_operation_rounds(&block->operation));
}

static void add_block_prelude(clp_text *text, const clprims_context *context,
                              const clp_block *block) {
    const clp_operation *operation = &block->operation;
    const bool is_word = operation->type == CLPRIMS_I32 || operation->type == CLPRIMS_U32;
    const bool sorts = (block->uses & CLPRIMS_BLOCK_SORT) != 0;
    const bool looks = (block->uses & CLPRIMS_BLOCK_LOOK_BACK) != 0;
    size_t rounds = 0;
    while ((size_t)1 << rounds < block->group) rounds++;
    clp_text_add_operation(text, context, operation);
    clp_text_add(text, "#define CLP_ITEMS %zu\n#define CLP_BINS %zu\n", block->items, block->bins);
    clp_text_add(text, "#define CLP_HAS_TILES %d\n#define CLP_HAS_SORT %d\n",
                 (block->uses & CLPRIMS_BLOCK_TILES) != 0, sorts);
    clp_text_add(text, "#define CLP_HAS_LOOK_BACK %d\n", looks);
    clp_text_add(text, "#define CLP_SUMS %zu\n#define CLP_ROOM_HEAD %zu\n", sums_of(block),
                 clp_block_head_bytes(block));
    clp_text_add(text, "#define CLP_ROOM_BYTES %zu\n#define CLP_ROOM_ALIGNMENT %zu\n",
                 union_bytes(block), alignment_of(block));
    clp_text_add(text, "#define CLP_COUNT uint\n#define CLP_ADDS_WORDS %d\n",
                 is_word && operation->op == CLPRIMS_ADD && !block->is_group);
    clp_text_add_each(text, "CLP_EACH_ROUND", rounds);
    if (sorts) add_key(text, block);
    if (looks) add_look_back(text, block);
}

clprims_status clp_block_add(clp_text *text, const clprims_context *context, const clp_block *block,
                             const char *shared) {
    const bool sorts = (block->uses & CLPRIMS_BLOCK_SORT) != 0;
    const bool looks = (block->uses & CLPRIMS_BLOCK_LOOK_BACK) != 0;
    const clp_part parts[] = {&clp_types_cl,
                              looks ? &clp_blocks_padding_cl : NULL,
                              looks ? &clp_lookback_cl : NULL,
                              block->is_group ? &clp_sort_sums_cl : NULL,
                              sorts ? &clp_sort_keys_cl : NULL,
                              &clp_blocks_room_cl,
                              &clp_blocks_lanes_cl,
                              &clp_blocks_group_cl,
                              &clp_blocks_tile_cl,
                              sorts ? &clp_blocks_sort_cl : NULL,
                              looks ? &clp_blocks_look_back_cl : NULL};
    clp_text own = {0};
    clprims_status status = CLPRIMS_OK;
    clp_text_add(&own, "\n#line 1 \"prelude\"\n");
    add_block_prelude(&own, context, block);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == CLPRIMS_OK; i++) {
        if (parts[i] != NULL) status = clp_program_add_part(context, parts[i], &own);
    }
    if (!own.failed) clp_text_add_renamed(text, own.chars, block->name, shared);
    text->failed |= own.failed;
    clp_text_free(&own);
    return status;
}
