/* SPDX-License-Identifier: MIT */
/* Texts of blocks: the names in them, their programs and errors, local memory, and what is refused.
 */
#include "blocks/blocks_case.h"

#include <ctype.h>

enum { EVERY_USE = CLPRIMS_BLOCK_TILES | CLPRIMS_BLOCK_SORT | CLPRIMS_BLOCK_LOOK_BACK };

/* Whether a line of the text gives a name that does not begin as the library's do: the word behind
 * #define, or one that stands before a parenthesis or ends a typedef. */
static void expect_own_names(const char *text) {
    char name[64];
    for (const char *at = text; (at = strstr(at, "clp_")) != NULL; at++)
        assert_true(at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_'));
    assert_null(strstr(text, "CLP_"));
    for (const char *at = text; (at = strstr(at, "#define ")) != NULL; at++) {
        assert_int_equal(sscanf(at, "#define %63[A-Za-z0-9_]", name), 1);
        test_note("#define %s", name);
        assert_true(strncmp(name, "CLPRIMS_", 8) == 0 || strncmp(name, "clprims_", 8) == 0);
    }
    for (const char *at = text; (at = strstr(at, "\n} ")) != NULL; at++) {
        if (sscanf(at, "\n} %63[A-Za-z0-9_]", name) != 1) continue;
        test_note("typedef of %s", name);
        assert_int_equal(strncmp(name, "clprims_", 8), 0);
    }
}

static void names_are_own(void) {
    blocks_shape shape = {.group = 64, .items = 4, .bins = 9};
    char *text;
    size_t length;
    for (shape.uses = 0; shape.uses <= EVERY_USE; shape.uses++) {
        clprims_block block;
        const clprims_blocks_desc desc = blocks_describe(&shape, &block);
        test_note_subject("uses %u", shape.uses);
        const clprims_status status = clprims_blocks_text(&text, &length, test_context(), &desc);
        if (status == CLPRIMS_ERR_UNSUPPORTED && (shape.uses & CLPRIMS_BLOCK_LOOK_BACK) != 0)
            continue;
        expect_status_ok(status);
        test_leave(free, text);
        assert_int_equal(length, strlen(text));
        expect_own_names(text);
        expect_contains(text, "/* clprims: -cl-std=");
        expect_contains(text, "clprims_b_exclusive");
        test_take_back(text);
        clprims_blocks_free(text);
    }
}

/* Three blocks of one text, two of them with names that begin alike; the last error's line. */
static void programs_are_whole(void) {
    const clprims_block blocks[] = {
        {.name = "a", .type = CLPRIMS_U32, .items = 2, .uses = CLPRIMS_BLOCK_SORT},
        {.name = "ab", .type = CLPRIMS_I16, .op = CLPRIMS_MAX, .bins = 7},
        {.name = "long", .type = CLPRIMS_F32, .items = 3, .uses = CLPRIMS_BLOCK_TILES}};
    const clprims_blocks_desc desc = {.group = 8, .blocks = blocks, .block_count = 3};
    static const char source[] = "CLPRIMS_KERNEL(CLPRIMS_GROUP) void sizes(global uint *bytes) {\n"
                                 "    bytes[0] = sizeof(CLPRIMS_LOCAL(a));\n"
                                 "    bytes[1] = sizeof(CLPRIMS_LOCAL(ab));\n"
                                 "    bytes[2] = sizeof(CLPRIMS_LOCAL(long));\n"
                                 "}\n";
    cl_program program;
    cl_uint found[3];
    const size_t group = 8;
    expect_ok(clprims_blocks_program(&program, test_context(), &desc, source));
    cl_kernel kernel = clCreateKernel(program, "sizes", NULL);
    test_buffer bytes = test_buffer_create(NULL, 3, sizeof(cl_uint), 0);
    expect_cl(clSetKernelArg(kernel, 0, sizeof bytes.at.mem, &bytes.at.mem));
    expect_cl(clEnqueueNDRangeKernel(test_queue(), kernel, 1, NULL, &group, &group, 0, NULL, NULL));
    test_buffer_read(&bytes, found);
    for (size_t b = 0; b < 3; b++) {
        size_t expected;
        expect_ok(clprims_blocks_local(&expected, test_context(), &desc, b));
        assert_int_equal(found[b], expected);
    }
    test_buffer_release(&bytes);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    expect_failure(clprims_blocks_program(&program, test_context(), &desc, "\n\nkernel void x("),
                   CLPRIMS_ERR_BUILD, "source:3");
    assert_null(program);
}

static void expect_refused(clprims_blocks_desc desc, clprims_status status, const char *part) {
    char *text;
    test_note("%s", part);
    expect_failure(clprims_blocks_text(&text, NULL, test_context(), &desc), status, part);
    assert_null(text);
}

static void bad_descriptions_are_refused(void) {
    const clprims_block good = {.name = "b", .type = CLPRIMS_U32};
    const clprims_blocks_desc none = {.group = 8};
    const clprims_status bad = CLPRIMS_ERR_ARGUMENT;
    const struct {
        clprims_block block;
        clprims_status status;
        const char *part;
    } rows[] = {
        {{.type = CLPRIMS_U32}, bad, "blocks[0].name is NULL"},
        {{.name = "1b", .type = CLPRIMS_U32}, bad, "it must be a letter"},
        {{.name = "b_c", .type = CLPRIMS_U32}, bad, "it must be a letter"},
        {{.name = "lane", .type = CLPRIMS_U32, .op = CLPRIMS_CUSTOM}, bad, "custom.op"},
        {{.name = "subgroup", .type = CLPRIMS_U32}, bad, "names of every text begin"},
        {{.name = "b", .type = CLPRIMS_U32, .uses = 8}, bad, "uses = 8"},
        {{.name = "b", .type = CLPRIMS_U32, .descending = 1}, bad, "does not sort"},
        {{.name = "b", .type = CLPRIMS_U32, .items = 65}, bad, "items = 65, at most 64"},
        {{.name = "b", .type = CLPRIMS_U32, .items = 33, .uses = CLPRIMS_BLOCK_TILES},
         bad,
         "items = 33, at most 32"},
        {{.name = "b",
          .type = CLPRIMS_STRUCT,
          .op = CLPRIMS_CUSTOM,
          .custom = {.op = "a", .type_name = "uint2", .type_bytes = 8},
          .uses = CLPRIMS_BLOCK_SORT},
         bad,
         "sorts elements of CLPRIMS_STRUCT"},
        {{.name = "b",
          .type = CLPRIMS_U32,
          .op = CLPRIMS_CUSTOM,
          .custom = {.op = "a", .declarations = ""}},
         bad,
         "desc.declarations"},
        {{.name = "b", .type = CLPRIMS_U32, .bins = SIZE_MAX}, CLPRIMS_ERR_TOO_LARGE, "takes"}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        expect_refused(
            (clprims_blocks_desc){.group = 8, .blocks = &rows[r].block, .block_count = 1},
            rows[r].status, rows[r].part);
    const clprims_block twice[] = {good, good};
    expect_refused(none, bad, "give at least one block");
    expect_refused((clprims_blocks_desc){.blocks = &good, .block_count = 1}, bad, "group = 0");
    expect_refused((clprims_blocks_desc){.group = 8, .blocks = twice, .block_count = 2}, bad,
                   "which is the name of blocks[0]");
    expect_refused((clprims_blocks_desc){SIZE_MAX, &good, 1, NULL}, CLPRIMS_ERR_TOO_LARGE,
                   "the most work-items");
}

static void bad_calls_are_refused(void) {
    const clprims_block block = {.name = "b", .type = CLPRIMS_U32};
    const clprims_blocks_desc desc = {.group = 8, .blocks = &block, .block_count = 1};
    clprims_buffer scratch;
    cl_program program;
    size_t bytes;
    expect_failure(clprims_blocks_program(&program, test_context(), &desc, NULL),
                   CLPRIMS_ERR_ARGUMENT, "source");
    expect_failure(clprims_blocks_local(&bytes, test_context(), &desc, 1), CLPRIMS_ERR_ARGUMENT,
                   "block = 1, but block_count = 1");
    expect_failure(clprims_blocks_scratch(&scratch, test_context(), &desc, 0, 5),
                   CLPRIMS_ERR_ARGUMENT, "does not look back");
}

static void waiting_groups_are_refused(void) {
    const clprims_block block = {.name = "b", .type = CLPRIMS_U32, .uses = CLPRIMS_BLOCK_LOOK_BACK};
    const clprims_blocks_desc desc = {.group = 8, .blocks = &block, .block_count = 1};
    clprims_context_options options = test_options();
    clprims_context *context;
    cl_program program;
    options.probed = "progress=failed";
    expect_ok(clprims_context_create(&context, &options));
    expect_failure(clprims_blocks_program(&program, context, &desc, ""), CLPRIMS_ERR_UNSUPPORTED,
                   "b looks back, which needs");
    clprims_context_destroy(context);
}

void blocks_text_cases(test_cases *cases) {
    test_add_plain(cases, names_are_own, "blocks/texts/names");
    test_add_plain(cases, programs_are_whole, "blocks/texts/programs");
    test_add_plain(cases, bad_descriptions_are_refused, "blocks/refuses/descriptions");
    test_add_plain(cases, bad_calls_are_refused, "blocks/refuses/calls");
    test_add_plain(cases, waiting_groups_are_refused, "blocks/refuses/waits");
}
