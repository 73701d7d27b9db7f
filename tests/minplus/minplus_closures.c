/* SPDX-License-Identifier: MIT */
/* Shortest paths beside Floyd and Warshall's three loops; negative cycles beside their makers. */
#include "fixtures/graph_cases.h"
#include "minplus/minplus_cases.h"
#include "subjects/subjects.h"

typedef struct paths_case {
    clprims_paths_desc desc;
    graph_case graph;
    size_t gap, first;
    bool by_run;
    const char *shape;
} paths_case;

clprims_paths *paths_plan(const clprims_paths_desc *desc) {
    test_needs_types(desc->type, desc->type);
    return subject_kept_plan(&subject_paths, desc);
}

static void want_iterations(const paths_case *p) {
    if (strcmp(p->shape, "serial") == 0) minplus_want_serial_closure(p->desc.type, p->graph.n);
}

/* The matrix with `gap` numbers behind each row, and as many vertices. */
static void *make_lengths(const paths_case *p, const double *graph) {
    const size_t n = p->graph.n, ld = n + p->gap;
    char *d = test_scratch(n * ld, clprims_type_bytes(p->desc.type));
    for (size_t i = 0; i < n * ld; i++) {
        graph_put(p->desc.type, 0, d, i, i % ld < n ? graph[i / ld * n + i % ld] : 77);
    }
    return d;
}

static int32_t *make_vias(const paths_case *p) {
    const size_t cells = p->graph.n * (p->graph.n + p->gap);
    int32_t *via = test_scratch(cells, sizeof *via);
    for (size_t i = 0; i < cells; i++) via[i] = 77;
    return via;
}

/* ---- Cases ------------------------------------------------------------------------------------
 */

/* The closed matrix, its predecessors and the report, from buffers with guards and gaps. */
static clprims_paths_report close_on_device(const paths_case *p, void *d, int32_t *via, size_t ld) {
    const size_t bytes = clprims_type_bytes(p->desc.type);
    const size_t n = p->graph.n, span = (n - 1) * ld + n;
    clprims_paths_report report = {-7, -7, -7, -7, -7};
    test_buffer lengths = test_buffer_create(d, span, bytes, p->first);
    test_buffer befores = test_buffer_create(via, span, sizeof *via, 2 * p->first);
    test_buffer found = test_buffer_create(NULL, 1, sizeof report, p->first);
    const clprims_paths_buffers buffers = {
        .d = {lengths.at.mem, lengths.at.first, ld, 0},
        .via = {p->desc.predecessors ? befores.at.mem : NULL, befores.at.first, ld, 0},
        .report = found.at};
    expect_ok(
        clprims_paths_enqueue(paths_plan(&p->desc), test_queue(), &buffers, n, 0, NULL, NULL));
    test_buffer_read(&found, &report);
    test_buffer_read(&lengths, d);
    test_buffer_read(&befores, via);
    return report;
}

static void paths_are_shortest(const void *data) {
    const paths_case *p = data;
    const size_t n = p->graph.n, ld = n + p->gap, bytes = clprims_type_bytes(p->desc.type);
    want_iterations(p);
    double *graph = graph_draw(&p->graph), *closed = graph_close(graph, n);
    char *d = make_lengths(p, graph), *want = make_lengths(p, closed);
    int32_t *via = make_vias(p);
    const clprims_paths_arrays arrays = {d, p->desc.predecessors ? via : NULL};
    if (p->by_run) {
        expect_ok(clprims_paths_run(paths_plan(&p->desc), &arrays, n));
    } else {
        const clprims_paths_report report = close_on_device(p, d, via, ld);
        if (report.vertex != -1 || report.from != -1)
            test_fail("the report names vertices %d, %d", (int)report.vertex, (int)report.from);
        expect_ok(clprims_paths_check(&report));
    }
    for (size_t i = 0; i < n; i++) {
        expect_values(p->desc.type, want + i * ld * bytes, d + i * ld * bytes, n);
    }
    if (p->desc.predecessors) graph_expect_chains(graph, closed, via, ld, n);
    for (size_t i = 0; i + 1 < n; i++) {
        for (size_t j = n; j < ld; j++) {
            if (via[i * ld + j] != 77) test_fail("row %zu was written beyond its end", i);
        }
    }
}

static void cycle_is_found(const void *data) {
    const paths_case *p = data;
    const size_t n = p->graph.n;
    want_iterations(p);
    bool *member = test_scratch(n, sizeof *member);
    double *graph = graph_draw_cycle(&p->graph, member);
    void *d = make_lengths(p, graph);
    int32_t *via = make_vias(p);
    const clprims_paths_arrays arrays = {d, p->desc.predecessors ? via : NULL};
    if (p->by_run) {
        expect_failure(clprims_paths_run(paths_plan(&p->desc), &arrays, n), CLPRIMS_ERR_DATA,
                       "is on a cycle of negative length");
        if (via[0] != 77) test_fail("via was written");
    } else {
        const clprims_paths_report report = close_on_device(p, d, via, n + p->gap);
        if (report.vertex < 0 || (size_t)report.vertex >= n || !member[report.vertex]) {
            test_fail("the report names vertex %d", (int)report.vertex);
        }
        expect_failure(clprims_paths_check(&report), CLPRIMS_ERR_DATA, "paths: vertex ");
    }
}

static void add_case(test_cases *cases, test_function *function, const paths_case *p) {
    test_add_row(cases, function, *p, "minplus/paths/%s/n=%zu/gap=%zu/edges=%u/%s%s%s%s/cycle=%zu",
                 clprims_type_name(p->desc.type), p->graph.n, p->gap, p->graph.edges, p->shape,
                 p->desc.predecessors ? "/predecessors" : "", p->by_run ? "/run" : "",
                 p->graph.longest == 1 ? "/level" : "", p->graph.cycle);
}

static void add_sizes(test_cases *cases, paths_case p) {
    static const size_t sizes[] = {1, 2, 3, 31, 63, 64, 65, 101, 127, 128, 129, 191};
    const size_t most = test_small() ? 66 : 200;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && sizes[i] < most; i++) {
        const size_t n = sizes[i];
        p.first = i % 4;
        p.gap = i % 3;
        p.by_run = false;
        p.graph = (graph_case){n, i % 2 ? 1 : 12, 40, 0};
        add_case(cases, paths_are_shortest, &p);
        p.gap = 0;
        p.graph = (graph_case){n, i % 2 ? 0 : 3, 40, 1 + (5 * i) % n};
        add_case(cases, cycle_is_found, &p);
        p.by_run = i % 2;
        add_case(cases, cycle_is_found, &p);
        p.by_run = true;
        p.graph = (graph_case){n, 2, 40, 0};
        add_case(cases, paths_are_shortest, &p);
    }
}

/* A plan of up to 600 vertices. */
static paths_case larger_case(clprims_type type, int predecessors, size_t shape) {
    paths_case p = {.shape = minplus_shapes[shape].name};
    p.desc.type = type;
    p.desc.predecessors = predecessors;
    p.desc.max_n = 600;
    p.desc.tuning = minplus_shapes[shape].tuning;
    return p;
}

/* Chains of predecessors end there only if each row takes its ties from the lowest vertex. Of 132
 * vertices rows are whole vectors, and the last block has fewer vertices. */
static void add_level(test_cases *cases) {
    static const size_t sizes[] = {66, 132, 530, 600};
    for (size_t i = 0; i < 4; i++) {
        paths_case p = larger_case(CLPRIMS_I32, 1, 2);
        if (test_small() || (!test_long() && i == 3)) continue;
        p.graph = (graph_case){sizes[i], i % 2 ? 1 : 2, 1, 0};
        add_case(cases, paths_are_shortest, &p);
    }
}

/* More vertices than one larger block has, by groups of many: 512 of 4 bytes, 256 of 8. The larger
 * ones are for the long tier, and none is for the small one: an interpreter takes minutes. */
static void add_larger(test_cases *cases) {
    static const struct {
        clprims_type type;
        size_t n, first, shape, cycle;
        int predecessors;
    } larger[] = {{CLPRIMS_I64, 300, 3, 1, 0, 0},   {CLPRIMS_I64, 290, 0, 1, 190, 0},
                  {CLPRIMS_I32, 530, 2, 2, 0, 1},   {CLPRIMS_F32, 577, 0, 1, 0, 0},
                  {CLPRIMS_F32, 577, 0, 1, 190, 0}, {CLPRIMS_I32, 580, 1, 2, 7, 1},
                  {CLPRIMS_I32, 600, 1, 1, 0, 0},   {CLPRIMS_F64, 300, 3, 1, 0, 0},
                  {CLPRIMS_F32, 580, 0, 2, 0, 1},   {CLPRIMS_F32, 584, 4, 2, 0, 1},
                  {CLPRIMS_F64, 290, 0, 2, 0, 1},   {CLPRIMS_F32, 570, 2, 2, 150, 1}};
    for (size_t i = 0; i < sizeof larger / sizeof *larger; i++) {
        const size_t cycle = larger[i].cycle;
        paths_case p = larger_case(larger[i].type, larger[i].predecessors, larger[i].shape);
        if (test_small() || (!test_long() && i > 2)) continue;
        p.graph = (graph_case){larger[i].n, cycle > 0 ? 0 : 2, 40, cycle};
        p.first = p.gap = larger[i].first;
        add_case(cases, cycle > 0 ? cycle_is_found : paths_are_shortest, &p);
    }
}

void add_paths_cases(test_cases *cases) {
    static const clprims_type types[] = {CLPRIMS_F32, CLPRIMS_I32, CLPRIMS_F64, CLPRIMS_I64};
    for (size_t i = 0; i < 8; i++) {
        /* Panels of many work-items take long to compile: of each type one. */
        const size_t turn = !test_long() && i == 1 ? 0 : i + i / 4;
        const minplus_shape *shape = &minplus_shapes[turn % MINPLUS_SHAPES];
        paths_case p = {.shape = shape->name};
        if (test_small() && i % 3 != 0) continue;
        /* The panels of groups with predecessors: of int32 by default. */
        if (!test_long() && i == 2) continue;
        p.desc.type = types[i % 4];
        p.desc.predecessors = (i + i / 4) % 2 == 0;
        p.desc.max_n = 200;
        p.desc.tuning = shape->tuning;
        add_sizes(cases, p);
    }
    add_level(cases);
    add_larger(cases);
}
