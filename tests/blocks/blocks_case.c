/* SPDX-License-Identifier: MIT */
/* Blocks and kernels on them, for tests. */
#include "blocks/blocks_case.h"
#include "harness/custom_operators.h"

const blocks_kind blocks_kinds[BLOCKS_KINDS] = {
    {"int32-add", CLPRIMS_I32, CLPRIMS_ADD, "int", 4},
    {"float32-add", CLPRIMS_F32, CLPRIMS_ADD, "float", 4},
    {"uint8-max", CLPRIMS_U8, CLPRIMS_MAX, "uchar", 1},
    {"int64-min", CLPRIMS_I64, CLPRIMS_MIN, "long", 8},
    {"uint16-xor", CLPRIMS_U16, CLPRIMS_XOR, "ushort", 2},
    {"float64-max", CLPRIMS_F64, CLPRIMS_MAX, "double", 8},
    {"affine", CLPRIMS_STRUCT, CLPRIMS_CUSTOM, "affine", 8},
};

void blocks_fill(const blocks_kind *kind, void *values, size_t n) {
    if (kind->type == CLPRIMS_STRUCT)
        custom_affine.fill(values, n);
    else
        test_random_values(kind->type, kind->op, values, n);
}

void blocks_combine(const blocks_kind *kind, const void *earlier, const void *later, void *result) {
    float a, b;
    double c, d;
    if (kind->type == CLPRIMS_STRUCT) {
        custom_affine.twin.combine(earlier, later, result);
    } else if (kind->type == CLPRIMS_F32) {
        memcpy(&a, earlier, sizeof a);
        memcpy(&b, later, sizeof b);
        a += b;
        memcpy(result, &a, sizeof a);
    } else if (kind->type == CLPRIMS_F64) {
        memcpy(&c, earlier, sizeof c);
        memcpy(&d, later, sizeof d);
        if (d > c) c = d;
        memcpy(result, &c, sizeof c);
    } else {
        const uint64_t bits = oracle_combine_integer(kind->type, kind->op,
                                                     oracle_load_integer(kind->type, earlier, 0),
                                                     oracle_load_integer(kind->type, later, 0));
        test_store_integer(kind->bytes, result, 0, bits);
    }
}

clprims_blocks_desc blocks_describe(const blocks_shape *shape, clprims_block *block) {
    const blocks_kind *kind = &blocks_kinds[shape->kind];
    const bool is_struct = kind->type == CLPRIMS_STRUCT;
    *block = (clprims_block){.name = "b",
                             .type = kind->type,
                             .op = kind->op,
                             .items = shape->items,
                             .uses = shape->uses,
                             .descending = shape->descending,
                             .bins = shape->bins};
    if (is_struct) {
        block->custom.op = custom_affine.custom.op;
        block->custom.type_name = custom_affine.custom.type_name;
        block->custom.type_bytes = custom_affine.custom.type_bytes;
    }
    return (clprims_blocks_desc){.group = shape->group,
                                 .blocks = block,
                                 .block_count = 1,
                                 .declarations = is_struct ? custom_affine_text : NULL};
}

static void release_program(void *program) {
    clReleaseProgram(program);
}

static void release_kernel(void *kernel) {
    clReleaseKernel(kernel);
}

cl_kernel blocks_kernel(const blocks_shape *shape, const char *source) {
    clprims_block block;
    cl_program program;
    cl_int code;
    char *text = test_scratch(strlen(source) + 200, 1);
    const clprims_blocks_desc desc = blocks_describe(shape, &block);
    test_needs_types(block.type, block.type);
    sprintf(text, "#define T %s\n#define N %zu\n%s", blocks_kinds[shape->kind].text, shape->items,
            source);
    const clprims_status status = clprims_blocks_program(&program, test_context(), &desc, text);
    if (status == CLPRIMS_ERR_TOO_LARGE) test_skip("%s", clprims_last_error()->message);
    expect_status_ok(status);
    test_leave(release_program, program);
    cl_kernel kernel = clCreateKernel(program, "test", &code);
    expect_cl(code);
    test_leave(release_kernel, kernel);
    return kernel;
}

static void release_buffer(void *buffer) {
    test_buffer_release(buffer);
}

void blocks_launch(const blocks_run *run) {
    const size_t bytes = blocks_kinds[run->shape->kind].bytes;
    const size_t group = run->shape->group, size = run->groups * group;
    test_buffer in = test_buffer_create(run->in, run->in_n, bytes, BLOCKS_FIRST);
    test_buffer out = test_buffer_create(NULL, run->out_n, bytes, BLOCKS_FIRST);
    test_buffer words = test_buffer_create(NULL, run->words_n, sizeof(cl_uint), 0);
    test_leave(release_buffer, &in);
    test_leave(release_buffer, &out);
    test_leave(release_buffer, &words);
    expect_cl(clSetKernelArg(run->kernel, 0, sizeof in.at.mem, &in.at.mem));
    expect_cl(clSetKernelArg(run->kernel, 1, sizeof run->number, &run->number));
    expect_cl(clSetKernelArg(run->kernel, 2, sizeof out.at.mem, &out.at.mem));
    expect_cl(clSetKernelArg(run->kernel, 3, sizeof words.at.mem, &words.at.mem));
    if (run->scratch != NULL)
        expect_cl(clSetKernelArg(run->kernel, 4, sizeof(cl_mem), &run->scratch->mem));
    expect_cl(
        clEnqueueNDRangeKernel(test_queue(), run->kernel, 1, NULL, &size, &group, 0, NULL, NULL));
    test_buffer_expect_unchanged(&in, run->in);
    test_buffer_read(&out, run->out);
    test_buffer_read(&words, run->words);
    test_take_back(&in);
    test_take_back(&out);
    test_take_back(&words);
    test_buffer_release(&in);
    test_buffer_release(&out);
    test_buffer_release(&words);
}
