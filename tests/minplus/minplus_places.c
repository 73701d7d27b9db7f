/* SPDX-License-Identifier: MIT */
/* Runs without elements, and what they do not look at; calls/ has operands on each other. */
#include "minplus/minplus_cases.h"
#include "subjects/runs/subject_buffers.h"

enum { SIDE = 4, CELLS = SIDE * SIDE };

/* What needs no memory may lie anywhere, and strides that are not used may be any. */
static void empty_and_unused_are_taken(const void *data) {
    (void)data;
    clprims_minplus_desc desc = {.type = CLPRIMS_F32};
    desc.argmin = 1;
    clprims_minplus *minplus = minplus_plan(&desc);
    test_buffer buffer = test_buffer_create(NULL, 8 * CELLS, 4, 0);
    const cl_mem mem = buffer.at.mem;
    clprims_matrix a = {mem, 0, SIDE, SIZE_MAX}, b = {mem, CELLS, SIDE, SIZE_MAX};
    clprims_matrix c = {mem, 2 * CELLS, SIDE, SIZE_MAX}, best = {mem, 4 * CELLS, SIDE, SIZE_MAX};
    clprims_minplus_size size = {SIDE, SIDE, SIDE, 1};
#define TAKEN()                                                                                    \
    expect_ok(clprims_minplus_enqueue(minplus, test_queue(), a, b, c, best, size, 0, NULL, NULL))
    TAKEN();
    /* k = 0: a within c, and b without rows. */
    size.k = 0;
    a = (clprims_matrix){mem, 2 * CELLS + 5, 0, 3};
    b = (clprims_matrix){mem, 2 * CELLS + 3, 0, 5};
    TAKEN();
    size.batch = 2;
    c.stride = CELLS;
    best.stride = CELLS - 1;
    expect_failure(
        clprims_minplus_enqueue(minplus, test_queue(), a, b, c, best, size, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "minplus: argmin.stride = 15 is less than the 16 elements");
    best.stride = CELLS;
    TAKEN();
    size.k = SIDE;
    a = b = (clprims_matrix){mem, 0, SIDE, CELLS};
    c.stride = best.stride = CELLS;
    for (size_t divisor = 1; divisor <= 16; divisor *= 2) {
        size.batch = SIZE_MAX / divisor;
        const clprims_status status =
            clprims_minplus_enqueue(minplus, test_queue(), a, b, c, best, size, 0, NULL, NULL);
        expect_failure(status, CLPRIMS_ERR_ARGUMENT, "more elements than can be counted");
    }
    size.batch = SIZE_MAX / 8;
    float host[CELLS] = {0};
    int32_t bests[CELLS];
    expect_failure(clprims_minplus_run(minplus, host, host, host, bests, size),
                   CLPRIMS_ERR_TOO_LARGE, "more bytes than can be counted");
    expect_cl(clFinish(test_queue()));
    test_buffer_release(&buffer);
}

static void no_vertices(const void *data) {
    const subject_data like = {.of = &subject_paths, .desc = data, .most = {SIDE}};
    subject_none_is_right(&like, subject_kept_plan(&subject_paths, data));
}

void add_minplus_places(test_cases *cases) {
    test_add(cases, empty_and_unused_are_taken, NULL, 0, "minplus/places/empty-and-unused");
    for (int type = 0; type < 2; type++)
        for (int predecessors = 0; predecessors < 2; predecessors++) {
            clprims_paths_desc desc = {.type = CLPRIMS_F32};
            desc.type = type ? CLPRIMS_I32 : CLPRIMS_F32;
            desc.max_n = SIDE;
            desc.predecessors = predecessors;
            test_add(cases, no_vertices, &desc, sizeof desc, "minplus/paths/%s/no-vertices%s",
                     clprims_type_name(desc.type), predecessors ? "/predecessors" : "");
        }
}
