/* SPDX-License-Identifier: MIT */
/*
 * Softmax of rows in one kernel: a work-group has a row, which it reads once and writes once. Two
 * blocks share the row's elements: one finds the greatest, one adds up.
 */
#include "../call.h"

#include <clprims/blocks.h>
#include <math.h>

enum { ROWS = 300, COLUMNS = 1000, GROUP = 64, ITEMS = 16 };

static const char source[] =
    "CLPRIMS_KERNEL(CLPRIMS_GROUP) void softmax(global float *values, uint columns) {\n"
    "    local CLPRIMS_LOCAL(most) greatest;\n"
    "    local CLPRIMS_LOCAL(sum) sums;\n"
    "    global float *row = values + get_group_id(0) * columns;\n"
    "    float x[16];\n"
    "    clprims_most_load_striped(x, row, columns);\n"
    "    clprims_most_to_blocked(x, &greatest);\n"
    "    const float most = clprims_most_reduce(x, columns, &greatest);\n"
    "    for (int j = 0; j < 16; j++) x[j] = exp(x[j] - most);\n"
    "    const float sum = clprims_sum_reduce(x, columns, &sums);\n"
    "    for (int j = 0; j < 16; j++) x[j] /= sum;\n"
    "    clprims_most_to_striped(x, &greatest);\n"
    "    clprims_most_store_striped(x, row, columns);\n"
    "}\n";

static void on_device(clprims_context *context, float *values, size_t bytes) {
    const clprims_block blocks[] = {{.name = "most",
                                     .type = CLPRIMS_F32,
                                     .op = CLPRIMS_MAX,
                                     .items = ITEMS,
                                     .uses = CLPRIMS_BLOCK_TILES},
                                    {.name = "sum", .type = CLPRIMS_F32, .items = ITEMS}};
    const clprims_blocks_desc desc = {.group = GROUP, .blocks = blocks, .block_count = 2};
    const size_t size = (size_t)ROWS * GROUP, group = GROUP;
    const cl_uint columns = COLUMNS;
    cl_program program;
    clprims_buffer rows;
    clprims_context_info info;
    call(clprims_blocks_program(&program, context, &desc, source));
    call(clprims_buffer_create(&rows, context, bytes, values));
    call(clprims_context_describe(context, &info));
    cl_kernel kernel = clCreateKernel(program, "softmax", NULL);
    clSetKernelArg(kernel, 0, sizeof rows.mem, &rows.mem);
    clSetKernelArg(kernel, 1, sizeof columns, &columns);
    if (clEnqueueNDRangeKernel(info.queue, kernel, 1, NULL, &size, &group, 0, NULL, NULL) != 0)
        exit(EXIT_FAILURE);
    call(clprims_buffer_read(context, rows, 1, bytes, values));
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clprims_buffer_release(&rows);
}

int main(void) {
    static float values[ROWS * COLUMNS], given[ROWS * COLUMNS];
    clprims_context *context;
    double worst = 0;
    for (cl_uint i = 0; i < ROWS * COLUMNS; i++)
        given[i] = values[i] = (float)(i * 2654435761u >> 20) / 256;
    call(clprims_context_create(&context, NULL));
    on_device(context, values, sizeof values);
    clprims_context_destroy(context);
    for (size_t r = 0; r < ROWS; r++) {
        const float *row = given + r * COLUMNS;
        double sum = 0;
        for (size_t i = 0; i < COLUMNS; i++) sum += exp(row[i] - 16.0);
        for (size_t i = 0; i < COLUMNS; i++)
            worst = fmax(worst, fabs(values[r * COLUMNS + i] - exp(row[i] - 16.0) / sum));
    }
    const char *const how = worst < 1e-6 ? "as by" : "unlike";
    printf("softmax of %d rows, %s plain C\n", ROWS, how);
    return worst >= 1e-6;
}
