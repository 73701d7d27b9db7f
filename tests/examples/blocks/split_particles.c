/* SPDX-License-Identifier: MIT */
/*
 * Particles split into the eight octants of space. A work-group counts those of its tile, reserves
 * a place in each bin by one atomic, and ranks its particles: where a bin begins in the tile and in
 * the output says where each goes. The order within a bin is not that of the input.
 */
#include "../call.h"

#include <clprims/blocks.h>

enum { N = 54321, GROUP = 64, ITEMS = 4, TILE = GROUP * ITEMS, BINS = 8 };

static const char source[] =
    "CLPRIMS_KERNEL(CLPRIMS_GROUP)\n"
    "void split(const global float4 *in, uint n, global uint *next, global float4 *out) {\n"
    "    local CLPRIMS_LOCAL(bins) room;\n"
    "    local uint to[8];\n"
    "    const uint first = get_group_id(0) * CLPRIMS_bins_TILE, count = n - first;\n"
    "    const uint item = get_local_id(0);\n"
    "    uint bin[4] = {0}, place[4];\n"
    "    for (uint j = 0; j < 4; j++) {\n"
    "        if (item * 4 + j >= count) continue;\n"
    "        const float4 p = in[first + item * 4 + j];\n"
    "        bin[j] = (p.x >= 0) + 2 * (p.y >= 0) + 4 * (p.z >= 0);\n"
    "    }\n"
    "    const local uint *counts = clprims_bins_histogram(bin, count, &room);\n"
    "    if (item < 8) {\n"
    "        to[item] = atomic_add(&next[item], counts[item]);\n"
    "        for (uint b = 0; b < item; b++) to[item] -= counts[b];\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    clprims_bins_rank(bin, place, count, &room);\n"
    "    for (uint j = 0; j < 4; j++)\n"
    "        if (item * 4 + j < count) out[to[bin[j]] + place[j]] = in[first + item * 4 + j];\n"
    "}\n";

static unsigned bin_of(cl_float4 p) {
    return (p.s[0] >= 0) + 2u * (p.s[1] >= 0) + 4u * (p.s[2] >= 0);
}

/* next: where each bin begins. */
static void on_device(clprims_context *context, const cl_float4 *particles, const cl_uint *next,
                      cl_float4 *out) {
    const clprims_block block = {.name = "bins",
                                 .type = CLPRIMS_U32,
                                 .items = ITEMS,
                                 .uses = CLPRIMS_BLOCK_SORT,
                                 .bins = BINS};
    const clprims_blocks_desc desc = {.group = GROUP, .blocks = &block, .block_count = 1};
    const size_t bytes = N * sizeof *out, group = GROUP, size = (N + TILE - 1) / TILE * GROUP;
    const cl_uint n = N;
    cl_program program;
    clprims_buffer from, begins, to;
    clprims_context_info info;
    call(clprims_context_describe(context, &info));
    call(clprims_blocks_program(&program, context, &desc, source));
    call(clprims_buffer_create(&from, context, bytes, particles));
    call(clprims_buffer_create(&begins, context, BINS * sizeof *next, next));
    call(clprims_buffer_create(&to, context, bytes, NULL));
    cl_kernel kernel = clCreateKernel(program, "split", NULL);
    clSetKernelArg(kernel, 0, sizeof(cl_mem), &from.mem);
    clSetKernelArg(kernel, 1, sizeof n, &n);
    clSetKernelArg(kernel, 2, sizeof(cl_mem), &begins.mem);
    clSetKernelArg(kernel, 3, sizeof(cl_mem), &to.mem);
    if (clEnqueueNDRangeKernel(info.queue, kernel, 1, NULL, &size, &group, 0, NULL, NULL) != 0)
        exit(EXIT_FAILURE);
    call(clprims_buffer_read(context, to, sizeof *out, N, out));
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clprims_buffer_release(&from);
    clprims_buffer_release(&begins);
    clprims_buffer_release(&to);
}

int main(void) {
    static cl_float4 particle[N], out[N]; /* the last element of each is its number */
    static char found[N];
    cl_uint begin[BINS + 1] = {0};
    clprims_context *context;
    size_t wrong = 0;
    for (cl_uint i = 0; i < N; i++) {
        for (cl_uint k = 0; k < 3; k++)
            particle[i].s[k] = (float)((3 * i + k) * 2654435761u >> 16) - 3e4f;
        particle[i].s[3] = (float)i;
        for (unsigned b = bin_of(particle[i]) + 1; b <= BINS; b++) begin[b]++;
    }
    call(clprims_context_create(&context, NULL));
    on_device(context, particle, begin, out);
    clprims_context_destroy(context);
    for (cl_uint i = 0; i < N; i++) {
        const unsigned b = bin_of(out[i]);
        wrong += i < begin[b] || i >= begin[b + 1] || found[(size_t)out[i].s[3]]++ != 0;
    }
    printf("%d particles in %d bins, %s plain C\n", N, BINS, wrong == 0 ? "as by" : "unlike");
    return wrong != 0;
}
