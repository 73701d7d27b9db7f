/* SPDX-License-Identifier: MIT */
/* The kernels of seed 003's steps, compiled and launched. */
#include "minplus_ways.h"
#include <stdlib.h>

enum { TILE = 64, GROUP = 64, SQUARE = 16, PAD_GROUP = 64 };

struct minplus_steps {
    textbook_device device;
    minplus_way way;
    cl_program program;
    cl_kernel pad, multiply;
    cl_mem d, t; /* padded; NULL for V0 and V1 */
    size_t wide;
};

static const struct {
    const char *name, *kernel;
} ways[MINPLUS_WAYS] = {{"V0", "rows_apart"},
                        {"V1", "side_by_side"},
                        {"V2", "in_registers"},
                        {"V3", "in_local_memory"},
                        {"V4", "in_vectors"}};

const char *minplus_way_name(minplus_way way) {
    return ways[way].name;
}

static size_t wide_of(size_t n) {
    return (n + TILE - 1) / TILE * TILE;
}

static bool prepare(minplus_steps *steps, size_t n) {
    const textbook_device *device = &steps->device;
    steps->wide = wide_of(n);
    if (!textbook_build(device, "minplus.cl", "#define TILE 64\n", &steps->program) ||
        !textbook_kernel(steps->program, ways[steps->way].kernel, &steps->multiply))
        return false;
    if (steps->way < MINPLUS_IN_REGISTERS) return true;
    const size_t bytes = steps->wide * steps->wide * sizeof(cl_float);
    return textbook_kernel(steps->program, "pad", &steps->pad) &&
           textbook_buffer(device, bytes, &steps->d) && textbook_buffer(device, bytes, &steps->t);
}

minplus_steps *minplus_steps_create(const textbook_device *device, minplus_way way, size_t n) {
    minplus_steps *steps = calloc(1, sizeof *steps);
    if (steps == NULL) {
        textbook_fail("no host memory");
        return NULL;
    }
    steps->device = *device;
    steps->way = way;
    if (prepare(steps, n)) return steps;
    minplus_steps_destroy(steps);
    return NULL;
}

void minplus_steps_destroy(minplus_steps *steps) {
    if (steps == NULL) return;
    textbook_release_kernel(steps->pad);
    textbook_release_kernel(steps->multiply);
    textbook_release_buffer(steps->d);
    textbook_release_buffer(steps->t);
    textbook_release(steps->program);
    free(steps);
}

bool minplus_steps_enqueue(minplus_steps *steps, cl_mem d, cl_mem r, size_t n, cl_event *event) {
    const cl_ulong count = n, wide = wide_of(n);
    const size_t squares = (n + SQUARE - 1) / SQUARE;
    const size_t tiles = (size_t)wide / TILE;
    if (steps->way < MINPLUS_IN_REGISTERS)
        return textbook_launch(&steps->device, steps->multiply, squares * squares, SQUARE * SQUARE,
                               event, TEXTBOOK_ARG(d), TEXTBOOK_ARG(r), TEXTBOOK_ARG(count));
    return textbook_launch(&steps->device, steps->pad, (size_t)wide, PAD_GROUP, NULL,
                           TEXTBOOK_ARG(d), TEXTBOOK_ARG(steps->d), TEXTBOOK_ARG(steps->t),
                           TEXTBOOK_ARG(count), TEXTBOOK_ARG(wide)) &&
           textbook_launch(&steps->device, steps->multiply, tiles * tiles, GROUP, event,
                           TEXTBOOK_ARG(steps->d), TEXTBOOK_ARG(steps->t), TEXTBOOK_ARG(r),
                           TEXTBOOK_ARG(count), TEXTBOOK_ARG(wide));
}
