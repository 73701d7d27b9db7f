/* SPDX-License-Identifier: MIT */
/* Runs without elements, and what they do not look at; calls/ has operands on each other. */
#include "minplus/minplus_cases.h"
#include "subjects/runs/subject_buffers.h"

enum { SIDE = 4, CELLS = SIDE * SIDE };

static clprims_status enqueue(clprims_minplus *minplus, const clprims_minplus_buffers *at) {
    return clprims_minplus_enqueue(minplus, test_queue(), at, SIDE, 0, NULL, NULL);
}

/* What needs no memory may lie anywhere, and strides that are not used may be any. */
static void empty_and_unused_are_taken(void) {
    clprims_minplus_desc desc = {.type = CLPRIMS_F32, .argmin = 1};
    clprims_minplus *minplus = minplus_plan(&desc);
    test_buffer buffer = test_buffer_create(NULL, 8 * CELLS, 4, 0);
    const cl_mem mem = buffer.at.mem;
    clprims_minplus_buffers at = {.a = {mem, 0, SIDE, SIZE_MAX},
                                  .b = {mem, CELLS, SIDE, SIZE_MAX},
                                  .c = {mem, 2 * CELLS, SIDE, SIZE_MAX},
                                  .argmin = {mem, 4 * CELLS, SIDE, SIZE_MAX},
                                  .sizes = {SIDE, SIDE, 1}};
    expect_ok(enqueue(minplus, &at));
    /* k = 0: a within c, and b without rows. */
    at.sizes.k = 0;
    at.a = (clprims_matrix){mem, 2 * CELLS + 5, 0, 3};
    at.b = (clprims_matrix){mem, 2 * CELLS + 3, 0, 5};
    expect_ok(enqueue(minplus, &at));
    at.sizes.batch = 2;
    at.c.stride = CELLS;
    at.argmin.stride = CELLS - 1;
    expect_failure(enqueue(minplus, &at), CLPRIMS_ERR_ARGUMENT,
                   "minplus: argmin.stride = 15 is less than the 16 elements");
    at.argmin.stride = CELLS;
    expect_ok(enqueue(minplus, &at));
    at.sizes.k = SIDE;
    at.a = at.b = (clprims_matrix){mem, 0, SIDE, CELLS};
    for (size_t divisor = 1; divisor <= 256; divisor *= 2) {
        at.sizes.batch = SIZE_MAX / divisor;
        expect_failure(enqueue(minplus, &at), CLPRIMS_ERR_TOO_LARGE,
                       "more bytes than can be counted");
    }
    float host[CELLS] = {0};
    int32_t bests[CELLS];
    const clprims_minplus_arrays arrays = {host, host, host, bests, {SIDE, SIDE, SIZE_MAX / 8}};
    expect_failure(clprims_minplus_run(minplus, &arrays, SIDE), CLPRIMS_ERR_TOO_LARGE,
                   "more bytes than can be counted");
    expect_cl(clFinish(test_queue()));
}

static void no_vertices(const void *data) {
    const subject_data like = {.of = &subject_paths, .desc = data, .most = {SIDE}};
    subject_none_is_right(&like, subject_kept_plan(&subject_paths, data));
}

void add_minplus_places(test_cases *cases) {
    test_add_plain(cases, empty_and_unused_are_taken, "minplus/places/empty-and-unused");
    for (int type = 0; type < 2; type++)
        for (int predecessors = 0; predecessors < 2; predecessors++) {
            clprims_paths_desc desc = {.type = type ? CLPRIMS_I32 : CLPRIMS_F32,
                                       .max_n = SIDE,
                                       .predecessors = predecessors};
            test_add_row(cases, no_vertices, desc, "minplus/paths/%s/no-vertices%s",
                         clprims_type_name(desc.type), predecessors ? "/predecessors" : "");
        }
}
