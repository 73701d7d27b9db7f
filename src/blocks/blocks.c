/* SPDX-License-Identifier: MIT */
/* Blocks for the caller's own kernels: checks, texts, programs, scratch. cl/blocks/blocks_shared.cl
 * has a map of the kernels' side. */
#include "blocks/blocks_text.h"
#include "cl_sources.h"
#include "core/check.h"
#include "core/program.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 64, LONGEST_NAME = 31, ALL_USES = 7, SCRATCH_HEAD = 2 * sizeof(cl_ulong) };

/* ---- The description ---- */

static clprims_status check_name(const clprims_blocks_desc *desc, size_t b) {
    const char *name = desc->blocks[b].name;
    size_t length = 0;
    CLP_FAIL_IF(name == NULL, CLPRIMS_ERR_ARGUMENT, "blocks: blocks[%zu].name is NULL", b);
    while (clp_is_letter(name[length]) || clp_is_digit(name[length])) length++;
    CLP_FAIL_IF(!clp_is_letter(name[0]) || name[length] != '\0' || length > LONGEST_NAME,
                CLPRIMS_ERR_ARGUMENT,
                "blocks: blocks[%zu].name = \"%s\"; it must be a letter, then letters and digits, "
                "at most %d in all",
                b, name, LONGEST_NAME);
    for (size_t other = 0; other < b; other++) {
        CLP_FAIL_IF(strcmp(desc->blocks[other].name, name) == 0, CLPRIMS_ERR_ARGUMENT,
                    "blocks: blocks[%zu].name = \"%s\", which is the name of blocks[%zu]", b, name,
                    other);
    }
    return CLPRIMS_OK;
}

static clprims_status check_uses(const clprims_context *context, const clprims_block *given,
                                 const char *name) {
    const bool sorts = (given->uses & CLPRIMS_BLOCK_SORT) != 0;
    CLP_FAIL_IF(given->uses > ALL_USES, CLPRIMS_ERR_ARGUMENT,
                "blocks: %s has uses = %u; the values of clprims_block_use add up to %d", name,
                given->uses, ALL_USES);
    CLP_FAIL_IF(sorts && given->type == CLPRIMS_STRUCT, CLPRIMS_ERR_ARGUMENT,
                "blocks: %s sorts elements of CLPRIMS_STRUCT; sort a key of a scalar type, and "
                "move structures by its order",
                name);
    CLP_FAIL_IF(given->descending != 0 && !sorts, CLPRIMS_ERR_ARGUMENT,
                "blocks: %s has descending = %d, but does not sort", name, given->descending);
    if ((given->uses & CLPRIMS_BLOCK_LOOK_BACK) == 0) return CLPRIMS_OK;
    CLP_FAIL_IF(!context->device.has_int64_atomics, CLPRIMS_ERR_UNSUPPORTED,
                "blocks: %s looks back, which needs 64-bit atomics; \"%s\" lacks them", name,
                context->device.info.name);
    CLP_FAIL_IF(!context->words_arrive || !context->groups_progress, CLPRIMS_ERR_UNSUPPORTED,
                "blocks: %s looks back, which needs work-groups that see each other's words and "
                "go on once they have started; \"%s\" does not promise that (%s)",
                name, context->device.info.name, context->probed);
    return CLPRIMS_OK;
}

static clprims_status take_block(const clprims_context *context, const clprims_blocks_desc *desc,
                                 size_t b, clp_block *block) {
    const clprims_block *given = &desc->blocks[b];
    unsigned char start[CLP_LARGEST_VALUE];
    CLP_TRY(check_name(desc, b));
    block->name = given->name;
    block->operation = (clp_operation){.type = given->type,
                                       .op = given->op,
                                       .custom = given->custom,
                                       .has_input_array = true,
                                       .inclusive = true};
    CLP_TRY(clp_operation_fill(context, "blocks", NULL, &block->operation, start));
    block->operation.working = block->operation.accumulator;
    block->operation.working_bytes = block->operation.accumulator_bytes;
    CLP_FAIL_IF(given->custom.declarations != NULL, CLPRIMS_ERR_ARGUMENT,
                "blocks: %s has custom.declarations; give all of them as desc.declarations",
                given->name);
    CLP_TRY(check_uses(context, given, given->name));
    block->items = given->items > 0 ? given->items : 1;
    const size_t most = (given->uses & CLPRIMS_BLOCK_TILES) != 0 ? 32 : MOST_ITEMS;
    CLP_FAIL_IF(block->items > most, CLPRIMS_ERR_ARGUMENT,
                "blocks: %s has items = %zu, at most %zu", given->name, block->items, most);
    block->uses = given->uses;
    block->descending = given->descending != 0;
    block->bins = given->bins;
    block->group = desc->group;
    block->is_group = context->layer == CLPRIMS_LAYER_LOCAL;
    block->subgroup = block->is_group ? desc->group : context->subgroup_width;
    const size_t room = context->device.static_local_bytes;
    CLP_FAIL_IF(given->bins > room || clp_block_local_bytes(block) > room, CLPRIMS_ERR_TOO_LARGE,
                "blocks: %s takes %zu bytes of local memory, of which \"%s\" has %zu", given->name,
                clp_block_local_bytes(block), context->device.info.name, room);
    return CLPRIMS_OK;
}

/* The context as these work-groups need it: sub-groups serve where they divide the work-group, and
 * where one of them can scan a value of each. */
static clprims_context context_for(const clprims_context *context, size_t group) {
    clprims_context like = *context;
    const size_t width = context->subgroup_width;
    if (group % width != 0 || group / width > width) {
        like.layer = CLPRIMS_LAYER_LOCAL;
        like.subgroup_width = 1;
    }
    return like;
}

/* What every function begins with. like: the context for the group. */
static clprims_status take_desc(const clprims_context *context, const clprims_blocks_desc *given,
                                size_t given_bytes, clprims_blocks_desc *desc,
                                clprims_context *like) {
    CLP_TRY(clp_begin("blocks", "context", context));
    CLP_TRY(clp_take("blocks", "desc", given, given_bytes, desc, sizeof *desc));
    CLP_FAIL_IF(desc->group == 0, CLPRIMS_ERR_ARGUMENT, "blocks: group = 0; it must be at least 1");
    CLP_FAIL_IF(desc->group > context->device.max_group, CLPRIMS_ERR_TOO_LARGE,
                "blocks: group = %zu exceeds %zu, the most work-items of a work-group of \"%s\"",
                desc->group, context->device.max_group, context->device.info.name);
    CLP_FAIL_IF(desc->block_count == 0 || desc->blocks == NULL, CLPRIMS_ERR_ARGUMENT,
                "blocks: block_count = %zu and blocks is %sNULL; give at least one block",
                desc->block_count, desc->blocks == NULL ? "" : "not ");
    *like = context_for(context, desc->group);
    return CLPRIMS_OK;
}

/* ---- Texts ---- */

static clprims_status write_shared(const clprims_context *context, const clprims_blocks_desc *desc,
                                   clp_text *shared) {
    static const clp_part parts[] = {&clp_blocks_shared_cl, NULL};
    clp_text prelude = {0};
    clp_text_add(&prelude, "#define CLP_GROUP %zu\n", desc->group);
    const clprims_status status = clp_program_write(context, "blocks", &prelude, parts, shared);
    clp_text_free(&prelude);
    return status;
}

static clprims_status write_blocks(const clprims_context *context, const clprims_blocks_desc *desc,
                                   const char *shared, clp_text *text) {
    clp_text_add(text, "/* clprims: %s */\n", clp_program_language(context));
    clp_text_add_renamed(text, shared, NULL, NULL);
    if (desc->declarations != NULL) {
        if (context->device.has_float64) {
            clp_text_add(text, "\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
        }
        clp_text_add_users(text, "declarations", desc->declarations);
    }
    for (size_t b = 0; b < desc->block_count; b++) {
        clp_block block = {0};
        clp_text taken = {0};
        CLP_TRY(take_block(context, desc, b, &block));
        clp_text_add(&taken, "clp_%s_", block.name);
        const bool is_taken = !taken.failed && strstr(shared, taken.chars) != NULL;
        clp_text_free(&taken);
        CLP_FAIL_IF(is_taken, CLPRIMS_ERR_ARGUMENT,
                    "blocks: blocks[%zu].name = \"%s\", by which names of every text begin", b,
                    block.name);
        CLP_TRY(clp_block_add(text, context, &block, shared));
    }
    clp_text_add(text, "\n#line 1 \"source\"\n");
    return CLPRIMS_OK;
}

/* What the caller described, with `source` behind it. like: the context for the group. */
static clprims_status write_text(const clprims_context *context, const clprims_blocks_desc *given,
                                 size_t given_bytes, const char *source, clprims_context *like,
                                 clp_text *text) {
    clprims_blocks_desc desc;
    clp_text shared = {0};
    CLP_TRY(take_desc(context, given, given_bytes, &desc, like));
    clprims_status status = write_shared(like, &desc, &shared);
    if (status == CLPRIMS_OK) status = write_blocks(like, &desc, shared.chars, text);
    clp_text_free(&shared);
    clp_text_add_bytes(text, source, strlen(source));
    if (status == CLPRIMS_OK && text->failed)
        status = clp_fail(CLPRIMS_ERR_HOST_MEMORY, "blocks: no host memory for the text");
    if (status != CLPRIMS_OK) clp_text_free(text);
    return status;
}

clprims_status clprims_blocks_text_sized(char **out, size_t *length, clprims_context *context,
                                         const clprims_blocks_desc *given, size_t given_bytes) {
    clprims_context like;
    clp_text text = {0};
    CLP_TRY(clp_begin("blocks", "out", out));
    *out = NULL;
    CLP_TRY(write_text(context, given, given_bytes, "", &like, &text));
    *out = text.chars;
    if (length != NULL) *length = text.length;
    return CLPRIMS_OK;
}

void clprims_blocks_free(char *text) {
    free(text);
}

clprims_status clprims_blocks_program_sized(cl_program *out, clprims_context *context,
                                            const clprims_blocks_desc *given, size_t given_bytes,
                                            const char *source) {
    clprims_context like;
    clp_text text = {0};
    CLP_TRY(clp_begin("blocks", "out", out));
    *out = NULL;
    CLP_TRY(clp_given("blocks", "source", source));
    CLP_TRY(write_text(context, given, given_bytes, source, &like, &text));
    const clprims_status status = clp_program_build_text(&like, "blocks", text.chars, out);
    clp_text_free(&text);
    return status;
}

/* ---- Memory ---- */

static clprims_status take_one(const clprims_context *context, const clprims_blocks_desc *given,
                               size_t given_bytes, size_t number, clp_block *block) {
    clprims_blocks_desc desc;
    clprims_context like;
    CLP_TRY(take_desc(context, given, given_bytes, &desc, &like));
    CLP_FAIL_IF(number >= desc.block_count, CLPRIMS_ERR_ARGUMENT,
                "blocks: block = %zu, but block_count = %zu", number, desc.block_count);
    return take_block(&like, &desc, number, block);
}

clprims_status clprims_blocks_local_sized(size_t *bytes, clprims_context *context,
                                          const clprims_blocks_desc *desc, size_t desc_bytes,
                                          size_t block) {
    clp_block found = {0};
    CLP_TRY(clp_begin("blocks", "bytes", bytes));
    *bytes = 0;
    CLP_TRY(take_one(context, desc, desc_bytes, block, &found));
    *bytes = clp_block_local_bytes(&found);
    return CLPRIMS_OK;
}

clprims_status clprims_blocks_scratch_sized(clprims_buffer *out, clprims_context *context,
                                            const clprims_blocks_desc *desc, size_t desc_bytes,
                                            size_t block, size_t max_groups) {
    static const cl_ulong zero;
    clp_block found = {0};
    CLP_TRY(clp_begin("blocks", "out", out));
    *out = (clprims_buffer){0};
    CLP_TRY(take_one(context, desc, desc_bytes, block, &found));
    CLP_FAIL_IF((found.uses & CLPRIMS_BLOCK_LOOK_BACK) == 0, CLPRIMS_ERR_ARGUMENT,
                "blocks: %s does not look back; CLPRIMS_BLOCK_LOOK_BACK is not among its uses",
                found.name);
    CLP_FAIL_IF(max_groups == 0 || max_groups > UINT32_MAX, CLPRIMS_ERR_ARGUMENT,
                "blocks: max_groups = %zu; it must be 1 to %u", max_groups, UINT32_MAX);
    const size_t words = (found.operation.type_bytes + 3) / 4; /* of a tile */
    const size_t bytes = SCRATCH_HEAD + max_groups * words * sizeof(cl_ulong);
    CLP_TRY(clprims_buffer_create(out, context, bytes, NULL));
    const clprims_status status =
        clprims_buffer_fill(context, *out, sizeof zero, bytes / sizeof zero, &zero);
    if (status != CLPRIMS_OK) clprims_buffer_release(out);
    return status;
}
