/* SPDX-License-Identifier: MIT */
/* Where operands may lie in memory: every two of them on each other and side by side. */
#include "minplus/minplus_cases.h"

#include <stdio.h>

enum { SIDE = 4, CELLS = SIDE * SIDE };

/* Two operands of a product with argmin, one element into each other, in both orders. */
typedef struct overlap_case {
    size_t under, over; /* 0: a, 1: b, 2: c, 3: argmin */
    bool before; /* `over` begins before `under` and ends in its first element */
    bool apart; /* it ends right before it, or begins right behind it */
} overlap_case;

static void overlaps_are_refused(const void *data) {
    static const char *const names[] = {"a", "b", "c", "argmin"};
    const overlap_case *p = data;
    clprims_minplus_desc desc = CLPRIMS_MINPLUS_DESC_INIT;
    const clprims_minplus_size size = {SIDE, SIDE, SIDE, 1};
    desc.argmin = 1;
    clprims_minplus *minplus = minplus_plan(&desc);
    test_buffer buffers[4];
    clprims_matrix at[4];
    for (size_t i = 0; i < 4; i++) {
        buffers[i] = test_buffer_create(NULL, 3 * CELLS, 4, 0);
        at[i] = (clprims_matrix){buffers[i].at.mem, CELLS, SIDE, 0};
    }
    const size_t step = CELLS - !p->apart;
    at[p->over].mem = at[p->under].mem;
    at[p->over].first = p->before ? CELLS - step : CELLS + step;
    const bool refused = !p->apart && (p->under >= 2 || p->over >= 2);
    const clprims_status status = clprims_minplus_enqueue(minplus, test_queue(), at[0], at[1],
                                                          at[2], at[3], size, 0, NULL, NULL);
    if (refused) {
        const size_t low = p->under < p->over ? p->under : p->over;
        const size_t high = p->under < p->over ? p->over : p->under;
        char part[60];
        snprintf(part, sizeof part, "minplus: %s (first = %zu, n = 16) overlaps %s", names[low],
                 at[low].first, names[high]);
        expect_failure(status, CLPRIMS_ERR_ARGUMENT, part);
    } else {
        expect_ok(status);
    }
    expect_cl(clFinish(test_queue()));
    for (size_t i = 0; i < 4; i++) test_buffer_release(&buffers[i]);
}

/* The same of a closure's: d, via and the report. */
static void paths_overlaps_are_refused(const void *data) {
    const overlap_case *p = data;
    static const char *const parts[] = {"d (first = ", "via (first = ", "report (first = "};
    clprims_paths_desc desc = CLPRIMS_PATHS_DESC_INIT;
    desc.max_n = SIDE;
    desc.predecessors = 1;
    clprims_paths *paths = paths_plan(&desc);
    test_buffer buffers[3];
    size_t first[3];
    for (size_t i = 0; i < 3; i++) {
        buffers[i] = test_buffer_create(NULL, 60, 8, 0);
        first[i] = i == 2 ? 4 : 24; /* of reports of 24 bytes, of elements of 4 */
    }
    cl_mem mem[3] = {buffers[0].at.mem, buffers[1].at.mem, buffers[2].at.mem};
    mem[p->over] = mem[p->under];
    if (p->over == 2) {
        first[2] = p->before ? 3 : 6;
        first[p->under] = p->before ? 24 - !p->apart : 20 + !p->apart;
    } else {
        first[1] = p->before ? 24 - CELLS + !p->apart : 24 + CELLS - !p->apart;
    }
    const clprims_matrix d = {mem[0], first[0], SIDE, 0}, via = {mem[1], first[1], SIDE, 0};
    const clprims_status status = clprims_paths_enqueue(
        paths, test_queue(), d, via, SIDE, (clprims_buffer){mem[2], first[2]}, 0, NULL, NULL);
    if (p->apart) {
        expect_ok(status);
    } else {
        expect_failure(status, CLPRIMS_ERR_ARGUMENT, parts[p->over == 2 ? 2 : p->under]);
        expect_contains(clprims_last_error()->message, "overlaps");
    }
    expect_cl(clFinish(test_queue()));
    for (size_t i = 0; i < 3; i++) test_buffer_release(&buffers[i]);
}

/* What needs no memory may lie anywhere, and strides that are not used may be any. */
static void empty_and_unused_are_taken(const void *data) {
    (void)data;
    clprims_minplus_desc desc = CLPRIMS_MINPLUS_DESC_INIT;
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

/* No vertex needs no buffer, and the report is written all the same. */
static void no_vertices(const void *data) {
    const clprims_paths_desc *desc = data;
    const clprims_matrix none = {NULL, 0, 0, 0};
    clprims_paths_report report = {-7, -7, -7, -7, -7};
    clprims_paths *paths = NULL;
    cl_event event = NULL;
    expect_ok(clprims_paths_create(&paths, test_context(), desc));
    test_buffer found = test_buffer_create(NULL, 1, sizeof report, 2);
    expect_ok(clprims_paths_enqueue(paths, test_queue(), none, none, 0, found.at, 0, NULL, &event));
    expect_cl(clWaitForEvents(1, &event));
    expect_cl(clReleaseEvent(event));
    test_buffer_read(&found, &report);
    expect_ok(clprims_paths_check(&report));
    assert_int_equal(report.from, -1);
    expect_ok(clprims_paths_enqueue(paths, test_queue(), none, none, 0, (clprims_buffer){NULL, 0},
                                    0, NULL, NULL));
    expect_ok(clprims_paths_run(paths, NULL, NULL, 0));
    expect_cl(clFinish(test_queue()));
    test_buffer_release(&found);
    clprims_paths_destroy(paths);
}

void add_minplus_places(test_cases *cases) {
    static const char *const names[] = {"a", "b", "c", "argmin"};
    static const char *const closure[] = {"d", "via", "report"};
    for (size_t turn = 0; turn < 4; turn++)
        for (size_t over = 1; over < 4; over++)
            for (size_t under = 0; under < over; under++) {
                const overlap_case c = {under, over, turn % 2, turn / 2};
                const char *how = c.apart ? "beside" : "on";
                const char *order = c.before ? "before" : "behind";
                test_add(cases, overlaps_are_refused, &c, sizeof c, "minplus/places/%s-%s-%s-%s",
                         names[over], how, names[under], order);
                if (over == 3) continue;
                test_add(cases, paths_overlaps_are_refused, &c, sizeof c,
                         "minplus/places/paths/%s-%s-%s-%s", closure[over], how, closure[under],
                         order);
            }
    test_add(cases, empty_and_unused_are_taken, NULL, 0, "minplus/places/empty-and-unused");
    for (int type = 0; type < 2; type++)
        for (int predecessors = 0; predecessors < 2; predecessors++) {
            clprims_paths_desc desc = CLPRIMS_PATHS_DESC_INIT;
            desc.type = type ? CLPRIMS_I32 : CLPRIMS_F32;
            desc.max_n = SIDE;
            desc.predecessors = predecessors;
            test_add(cases, no_vertices, &desc, sizeof desc, "minplus/paths/%s/no-vertices%s",
                     clprims_type_name(desc.type), predecessors ? "/predecessors" : "");
        }
}
