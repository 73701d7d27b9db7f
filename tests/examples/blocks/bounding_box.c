/* SPDX-License-Identifier: MIT */
/*
 * The bounding box of points, by tiles: a work-group takes every 16th tile, keeps the box of what
 * its work-items saw, and combines these boxes once. The same kernel combines the work-groups'
 * boxes.
 */
#include "../call.h"

#include <clprims/blocks.h>

enum { N = 123457, GROUP = 128, GROUPS = 16 };
typedef struct box {
    cl_float least[2], greatest[2];
} box;

static const char declarations[] = "typedef struct { float2 least, greatest; } box;\n"
                                   "box join(box a, box b) {\n"
                                   "    a.least = fmin(a.least, b.least);\n"
                                   "    a.greatest = fmax(a.greatest, b.greatest);\n"
                                   "    return a;\n"
                                   "}\n";

static const char source[] =
    "CLPRIMS_KERNEL(CLPRIMS_GROUP)\n"
    "void join_all(const global box *in, uint n, global box *out) {\n"
    "    local CLPRIMS_LOCAL(boxes) room;\n"
    "    box x[2], seen = in[0];\n"
    "    const uint step = get_num_groups(0) * CLPRIMS_boxes_TILE;\n"
    "    for (uint first = get_group_id(0) * CLPRIMS_boxes_TILE; first < n; first += step) {\n"
    "        const uint rest = n - first;\n"
    "        clprims_boxes_load_striped(x, in + first, rest);\n"
    "        for (uint j = 0; j < 2; j++)\n"
    "            if (j * CLPRIMS_GROUP + get_local_id(0) < rest) seen = join(seen, x[j]);\n"
    "    }\n"
    "    x[0] = x[1] = seen;\n"
    "    seen = clprims_boxes_reduce(x, CLPRIMS_WHOLE, &room);\n"
    "    if (get_local_id(0) == 0) out[get_group_id(0)] = seen;\n"
    "}\n";

static void launch(cl_kernel kernel, cl_command_queue queue, cl_mem in, cl_uint n, cl_mem out,
                   size_t groups) {
    const size_t size = groups * GROUP, group = GROUP;
    clSetKernelArg(kernel, 0, sizeof in, &in);
    clSetKernelArg(kernel, 1, sizeof n, &n);
    clSetKernelArg(kernel, 2, sizeof out, &out);
    if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &group, 0, NULL, NULL) != 0)
        exit(EXIT_FAILURE);
}

static box on_device(clprims_context *context, const box *points) {
    const clprims_block block = {
        .name = "boxes",
        .type = CLPRIMS_STRUCT,
        .op = CLPRIMS_CUSTOM,
        .custom = {.op = "join(a, b)", .type_name = "box", .type_bytes = sizeof(box)},
        .items = 2};
    const clprims_blocks_desc desc = {
        .group = GROUP, .blocks = &block, .block_count = 1, .declarations = declarations};
    clprims_context_info info;
    clprims_buffer in, some, all;
    cl_program program;
    box result;
    call(clprims_context_describe(context, &info));
    call(clprims_blocks_program(&program, context, &desc, source));
    call(clprims_buffer_create(&in, context, N * sizeof(box), points));
    call(clprims_buffer_create(&some, context, GROUPS * sizeof(box), NULL));
    call(clprims_buffer_create(&all, context, sizeof(box), NULL));
    cl_kernel kernel = clCreateKernel(program, "join_all", NULL);
    launch(kernel, info.queue, in.mem, N, some.mem, GROUPS);
    launch(kernel, info.queue, some.mem, GROUPS, all.mem, 1);
    call(clprims_buffer_read(context, all, sizeof result, 1, &result));
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clprims_buffer_release(&in);
    clprims_buffer_release(&some);
    clprims_buffer_release(&all);
    return result;
}

int main(void) {
    static box points[N]; /* each the box of one point */
    box e = {{1e9f, 1e9f}, {-1e9f, -1e9f}};
    clprims_context *context;
    for (cl_uint i = 0; i < 2 * N; i++) {
        const float x = (float)(i * 2654435761u >> 8) - 1e7f;
        points[i / 2].least[i % 2] = points[i / 2].greatest[i % 2] = x;
        if (x < e.least[i % 2]) e.least[i % 2] = x;
        if (x > e.greatest[i % 2]) e.greatest[i % 2] = x;
    }
    call(clprims_context_create(&context, NULL));
    const box b = on_device(context, points);
    clprims_context_destroy(context);
    const int right = b.least[0] == e.least[0] && b.least[1] == e.least[1] &&
                      b.greatest[0] == e.greatest[0] && b.greatest[1] == e.greatest[1];
    printf("the box of %d points, %s plain C\n", N, right ? "as by" : "unlike");
    return !right;
}
