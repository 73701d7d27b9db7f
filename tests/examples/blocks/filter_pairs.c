/* SPDX-License-Identifier: MIT */
/*
 * Stream compaction in a single pass, by a predicate over two arrays: of a measurement and its
 * error, those with an error below a hundredth are kept, in their order. Each work-group keeps what
 * it has of its tile, and learns by look-back where that goes.
 */
#include "../call.h"

#include <clprims/blocks.h>
#include <string.h>

enum { N = 100000, GROUP = 128, ITEMS = 4, TILE = GROUP * ITEMS, GROUPS = (N + TILE - 1) / TILE };

static const char source[] =
    "CLPRIMS_KERNEL(CLPRIMS_GROUP)\n"
    "void keep(const global uint *value, const global uint *error, uint n, global uint *out,\n"
    "          global uint *kept, volatile global ulong *scratch) {\n"
    "    local CLPRIMS_LOCAL(words) room;\n"
    "    const clprims_words_turn turn = clprims_words_begin(scratch, &room);\n"
    "    const uint first = turn.number * CLPRIMS_words_TILE, count = n - first;\n"
    "    uint x[4], e[4], keeps = 0;\n"
    "    clprims_words_load(x, value + first, count);\n"
    "    clprims_words_load(e, error + first, count);\n"
    "    for (uint j = 0; j < 4; j++) {\n"
    "        const bool real = get_local_id(0) * 4 + j < count;\n"
    "        if (real && e[j] < x[j] / 100) keeps |= 1u << j;\n"
    "    }\n"
    "    const uint own = clprims_words_compact(x, keeps, &room);\n"
    "    const uint before = clprims_words_prefix(turn, own, 0, &room);\n"
    "    clprims_words_store_striped(x, out + before, own);\n"
    "    if (turn.number == get_num_groups(0) - 1 && get_local_id(0) == 0) *kept = before + own;\n"
    "}\n";

/* Returns how many are kept. */
static cl_uint on_device(clprims_context *context, const cl_uint *value, const cl_uint *error,
                         cl_uint *out) {
    const clprims_block block = {.name = "words",
                                 .type = CLPRIMS_U32,
                                 .items = ITEMS,
                                 .uses = CLPRIMS_BLOCK_TILES | CLPRIMS_BLOCK_LOOK_BACK};
    const clprims_blocks_desc desc = {.group = GROUP, .blocks = &block, .block_count = 1};
    const size_t bytes = N * sizeof *value, size = (size_t)GROUPS * GROUP, group = GROUP;
    const cl_uint n = N;
    cl_program program;
    clprims_buffer in[2], to, count, scratch;
    clprims_context_info info;
    cl_uint kept;
    const clprims_status status = clprims_blocks_scratch(&scratch, context, &desc, 0, GROUPS);
    if (status == CLPRIMS_ERR_UNSUPPORTED) { /* work-groups may not wait for each other here */
        printf("%s\n", clprims_last_error()->message);
        exit(EXIT_SUCCESS);
    }
    call(status);
    call(clprims_blocks_program(&program, context, &desc, source));
    call(clprims_buffer_create(&in[0], context, bytes, value));
    call(clprims_buffer_create(&in[1], context, bytes, error));
    call(clprims_buffer_create(&to, context, bytes, NULL));
    call(clprims_buffer_create(&count, context, sizeof kept, NULL));
    call(clprims_context_describe(context, &info));
    cl_kernel kernel = clCreateKernel(program, "keep", NULL);
    clSetKernelArg(kernel, 0, sizeof(cl_mem), &in[0].mem);
    clSetKernelArg(kernel, 1, sizeof(cl_mem), &in[1].mem);
    clSetKernelArg(kernel, 2, sizeof n, &n);
    clSetKernelArg(kernel, 3, sizeof(cl_mem), &to.mem);
    clSetKernelArg(kernel, 4, sizeof(cl_mem), &count.mem);
    clSetKernelArg(kernel, 5, sizeof(cl_mem), &scratch.mem);
    if (clEnqueueNDRangeKernel(info.queue, kernel, 1, NULL, &size, &group, 0, NULL, NULL) != 0)
        exit(EXIT_FAILURE);
    call(clprims_buffer_read(context, count, sizeof kept, 1, &kept));
    call(clprims_buffer_read(context, to, sizeof *out, kept, out));
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clprims_buffer *const all[] = {&in[0], &in[1], &to, &count, &scratch};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) clprims_buffer_release(all[i]);
    return kept;
}

int main(void) {
    static cl_uint value[N], error[N], out[N], expected[N];
    clprims_context *context;
    cl_uint count = 0;
    for (cl_uint i = 0; i < N; i++) {
        value[i] = i * 2654435761u >> 8;
        error[i] = i * 2246822519u >> 15;
        if (error[i] < value[i] / 100) expected[count++] = value[i];
    }
    call(clprims_context_create(&context, NULL));
    const cl_uint kept = on_device(context, value, error, out);
    clprims_context_destroy(context);
    const int right = kept == count && memcmp(out, expected, kept * sizeof *out) == 0;
    printf("%u of %d are kept, %s plain C\n", kept, N, right ? "as by" : "unlike");
    return !right;
}
