/* SPDX-License-Identifier: MIT */
/* Shortest paths beside Floyd and Warshall's three loops; negative cycles beside their makers. */
#include "minplus/minplus_cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct paths_case {
    clprims_paths_desc desc;
    size_t n, gap, first;
    unsigned edges; /* of 16 possible ones; the rest are none */
    size_t cycle; /* vertices of the one negative cycle; 0: none */
    bool level; /* all cycles have length 0, so that any walk is a shortest one */
    bool by_run;
    const char *shape;
} paths_case;

static struct {
    clprims_paths_desc desc;
    clprims_paths *paths;
} kept;

void paths_plan_forget(void) {
    clprims_paths_destroy(kept.paths);
    kept.paths = NULL;
}

clprims_paths *paths_plan(const clprims_paths_desc *desc) {
    test_needs_types(desc->type, desc->type);
    if (kept.paths != NULL && memcmp(&kept.desc, desc, sizeof *desc) == 0) return kept.paths;
    paths_plan_forget();
    expect_ok(clprims_paths_create(&kept.paths, test_context(), desc));
    memcpy(&kept.desc, desc, sizeof *desc);
    return kept.paths;
}

/* ---- Graphs: lengths as doubles, exact in every type; infinity is no edge ---------------------
 */

/* Potentials make some edges negative and keep every cycle's length above or at zero. */
static double *make_graph(const paths_case *p) {
    const size_t n = p->n;
    double *graph = test_alloc(n * n, sizeof *graph);
    int *potential = test_alloc(n, sizeof *potential);
    for (size_t i = 0; i < n; i++) potential[i] = (int)test_random_below(50);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            const int length =
                (p->level ? 0 : (int)test_random_below(40)) + potential[i] - potential[j];
            const bool is_edge = test_random_below(16) < p->edges;
            graph[i * n + j] = is_edge ? (double)length : INFINITY;
        }
    }
    free(potential);
    return graph;
}

/* A cycle of length -1 through random vertices that nothing else reaches or leaves in a cycle:
 * its vertices have edges to each other along the cycle only, and edges from lower to higher ones
 * elsewhere make a graph without further cycles. member: which vertices are on it. */
static double *make_cycle(const paths_case *p, bool *member) {
    const size_t n = p->n;
    double *graph = test_alloc(n * n, sizeof *graph);
    size_t *order = test_alloc(n, sizeof *order);
    memset(member, 0, n * sizeof *member);
    for (size_t i = 0; i < n; i++) order[i] = i;
    for (size_t i = n; i > 1; i--) {
        const size_t other = test_random_below(i), held = order[i - 1];
        order[i - 1] = order[other];
        order[other] = held;
    }
    for (size_t i = 0; i < n * n; i++) graph[i] = INFINITY;
    /* Positive cycles through members and others: there and back costs a lot. */
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            if (i != j && test_random_below(16) < p->edges) graph[i * n + j] = 1000;
        }
    }
    for (size_t i = 0; i < p->cycle; i++) {
        const size_t from = order[i], to = order[(i + 1) % p->cycle];
        graph[from * n + to] = i == 0 ? -(double)p->cycle : 1;
        member[from] = true;
    }
    free(order);
    return graph;
}

static void want_iterations(const paths_case *p) {
    if (strcmp(p->shape, "serial") == 0) minplus_want_serial_closure(p->desc.type, p->n);
}

static double none_of(clprims_type type) {
    return type == CLPRIMS_I64   ? (double)(INT64_MAX / 2)
           : type == CLPRIMS_I32 ? (double)(INT32_MAX / 2)
                                 : INFINITY;
}

static void put(clprims_type type, void *values, size_t at, double length) {
    const double none = none_of(type);
    if (type == CLPRIMS_F32) ((float *)values)[at] = (float)length;
    if (type == CLPRIMS_F64) ((double *)values)[at] = length;
    if (type == CLPRIMS_I32) ((int32_t *)values)[at] = (int32_t)(length < none ? length : none);
    if (type == CLPRIMS_I64) {
        ((int64_t *)values)[at] = length < none ? (int64_t)length : INT64_MAX / 2;
    }
}

/* ---- Expectations -----------------------------------------------------------------------------
 */

static void close_graph(double *d, size_t n) {
    for (size_t i = 0; i < n; i++) d[i * n + i] = fmin(d[i * n + i], 0);
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++) {
                d[i * n + j] = fmin(d[i * n + j], d[i * n + k] + d[k * n + j]);
            }
        }
    }
}

/* Every chain of predecessors leads back to i over edges whose lengths add up. */
static void expect_chains(const double *graph, const double *closed, const int32_t *via, size_t ld,
                          size_t n) {
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            size_t at = j, steps = 0;
            double length = 0;
            const bool reached = i != j && closed[i * n + j] < INFINITY;
            if ((via[i * ld + j] >= 0) != reached) {
                test_fail("via(%zu, %zu) = %d, length %g", i, j, (int)via[i * ld + j],
                          closed[i * n + j]);
            }
            while (reached && at != i && steps++ <= n) {
                const int32_t before = via[i * ld + at];
                if (before < 0 || (size_t)before >= n)
                    test_fail("via(%zu, %zu) = %d", i, at, before);
                length += graph[(size_t)before * n + at];
                at = (size_t)before;
            }
            if (reached && (at != i || length != closed[i * n + j])) {
                test_fail("the chain from %zu to %zu has length %g after %zu steps, not %g", i, j,
                          length, steps, closed[i * n + j]);
            }
        }
    }
}

static void expect_lengths(clprims_type type, const double *closed, const void *got, size_t ld,
                           size_t n) {
    const size_t bytes = clprims_type_bytes(type);
    char *want = test_alloc(n, bytes);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) put(type, want, j, closed[i * n + j]);
        expect_values(type, want, (const char *)got + i * ld * bytes, n);
    }
    free(want);
}

/* ---- Cases ------------------------------------------------------------------------------------
 */

/* The closed matrix, its predecessors and the report, from buffers with guards and gaps. */
static clprims_paths_report close_on_device(const paths_case *p, void *d, int32_t *via, size_t ld) {
    const size_t bytes = clprims_type_bytes(p->desc.type);
    const size_t span = (p->n - 1) * ld + p->n;
    clprims_paths_report report = {-7, -7, -7, -7, -7};
    test_buffer lengths = test_buffer_create(d, span, bytes, p->first);
    test_buffer befores = test_buffer_create(via, span, sizeof *via, 2 * p->first);
    test_buffer found = test_buffer_create(NULL, 1, sizeof report, p->first);
    const clprims_matrix m = {lengths.at.mem, lengths.at.first, ld, 0};
    const clprims_matrix v = {p->desc.predecessors ? befores.at.mem : NULL, befores.at.first, ld,
                              0};
    expect_ok(clprims_paths_enqueue(paths_plan(&p->desc), test_queue(), m, v, p->n, found.at, 0,
                                    NULL, NULL));
    test_buffer_read(&found, &report);
    test_buffer_read(&lengths, d);
    test_buffer_read(&befores, via);
    test_buffer_release(&lengths);
    test_buffer_release(&befores);
    test_buffer_release(&found);
    return report;
}

static void paths_are_shortest(const void *data) {
    const paths_case *p = data;
    const size_t n = p->n, ld = n + p->gap, bytes = clprims_type_bytes(p->desc.type);
    want_iterations(p);
    double *graph = make_graph(p);
    double *closed = test_alloc(n * n, sizeof *closed);
    char *d = test_alloc(n * ld, bytes);
    int32_t *via = test_alloc(n * ld, sizeof *via);
    memcpy(closed, graph, n * n * sizeof *closed);
    close_graph(closed, n);
    for (size_t i = 0; i < n * ld; i++) put(p->desc.type, d, i, 77);
    for (size_t i = 0; i < n * ld; i++) via[i] = 77;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) put(p->desc.type, d, i * ld + j, graph[i * n + j]);
    }
    if (p->by_run) {
        expect_ok(clprims_paths_run(paths_plan(&p->desc), d, p->desc.predecessors ? via : NULL, n));
    } else {
        const clprims_paths_report report = close_on_device(p, d, via, ld);
        if (report.vertex != -1 || report.from != -1)
            test_fail("the report names vertices %d, %d", (int)report.vertex, (int)report.from);
        expect_ok(clprims_paths_check(&report));
    }
    expect_lengths(p->desc.type, closed, d, ld, n);
    if (p->desc.predecessors) expect_chains(graph, closed, via, ld, n);
    for (size_t i = 0; i + 1 < n; i++) {
        for (size_t j = n; j < ld; j++) {
            if (via[i * ld + j] != 77) test_fail("row %zu was written beyond its end", i);
        }
    }
    free(graph);
    free(closed);
    free(d);
    free(via);
}

static void cycle_is_found(const void *data) {
    const paths_case *p = data;
    const size_t n = p->n;
    want_iterations(p);
    bool *member = test_alloc(n, sizeof *member);
    double *graph = make_cycle(p, member);
    char *d = test_alloc(n * n, clprims_type_bytes(p->desc.type));
    int32_t *via = test_alloc(n * n, sizeof *via);
    for (size_t i = 0; i < n * n; i++) put(p->desc.type, d, i, graph[i]);
    for (size_t i = 0; i < n * n; i++) via[i] = 77;
    if (p->by_run) {
        expect_failure(
            clprims_paths_run(paths_plan(&p->desc), d, p->desc.predecessors ? via : NULL, n),
            CLPRIMS_ERR_DATA, "is on a cycle of negative length");
        if (via[0] != 77) test_fail("via was written");
    } else {
        const clprims_paths_report report = close_on_device(p, d, via, n);
        if (report.vertex < 0 || (size_t)report.vertex >= n || !member[report.vertex]) {
            test_fail("the report names vertex %d", (int)report.vertex);
        }
        expect_failure(clprims_paths_check(&report), CLPRIMS_ERR_DATA, "paths: vertex ");
    }
    free(member);
    free(graph);
    free(d);
    free(via);
}

static void add_case(test_cases *cases, test_function *function, const paths_case *p) {
    test_add(cases, function, p, sizeof *p,
             "minplus/paths/%s/n=%zu/gap=%zu/edges=%u/%s%s%s%s/cycle=%zu",
             clprims_type_name(p->desc.type), p->n, p->gap, p->edges, p->shape,
             p->desc.predecessors ? "/predecessors" : "", p->by_run ? "/run" : "",
             p->level ? "/level" : "", p->cycle);
}

static void add_sizes(test_cases *cases, paths_case p) {
    static const size_t sizes[] = {1, 2, 3, 31, 63, 64, 65, 101, 127, 128, 129, 191};
    const size_t most = test_small() ? 66 : 200;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && sizes[i] < most; i++) {
        p.n = sizes[i];
        p.gap = i % 3;
        p.first = i % 4;
        p.edges = i % 2 ? 1 : 12;
        p.by_run = false;
        p.cycle = 0;
        add_case(cases, paths_are_shortest, &p);
        p.gap = 0;
        p.cycle = 1 + (5 * i) % p.n;
        p.edges = i % 2 ? 0 : 3;
        add_case(cases, cycle_is_found, &p);
        p.by_run = i % 2;
        add_case(cases, cycle_is_found, &p);
        p.cycle = 0;
        p.edges = 2;
        p.by_run = true;
        add_case(cases, paths_are_shortest, &p);
    }
}

/* Chains of predecessors end there only if each row takes its ties from the lowest vertex. Of 132
 * vertices rows are whole vectors, and the last block has fewer vertices. */
static void add_level(test_cases *cases) {
    static const size_t sizes[] = {66, 132, 530, 600};
    for (size_t i = 0; i < 4; i++) {
        const minplus_shape *shape = &minplus_shapes[2];
        paths_case p = {.desc = CLPRIMS_PATHS_DESC_INIT, .shape = shape->name, .level = true};
        if (test_small() || (!test_long() && i == 3)) continue;
        p.desc.type = CLPRIMS_I32;
        p.desc.predecessors = 1;
        p.desc.max_n = 600;
        p.desc.tuning = shape->tuning;
        p.n = sizes[i];
        p.edges = i % 2 ? 1 : 2;
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
        const minplus_shape *shape = &minplus_shapes[larger[i].shape];
        paths_case p = {.desc = CLPRIMS_PATHS_DESC_INIT, .shape = shape->name};
        if (test_small() || (!test_long() && i > 2)) continue;
        p.desc.type = larger[i].type;
        p.desc.predecessors = larger[i].predecessors;
        p.desc.max_n = 600;
        p.desc.tuning = shape->tuning;
        p.n = larger[i].n;
        p.first = larger[i].first;
        p.gap = p.first;
        p.edges = larger[i].cycle > 0 ? 0 : 2;
        p.cycle = larger[i].cycle;
        add_case(cases, p.cycle > 0 ? cycle_is_found : paths_are_shortest, &p);
    }
}

void add_paths_cases(test_cases *cases) {
    static const clprims_type types[] = {CLPRIMS_F32, CLPRIMS_I32, CLPRIMS_F64, CLPRIMS_I64};
    for (size_t i = 0; i < 8; i++) {
        /* Panels of many work-items take long to compile: of each type one. */
        const size_t turn = !test_long() && i == 1 ? 0 : i + i / 4;
        const minplus_shape *shape = &minplus_shapes[turn % MINPLUS_SHAPES];
        paths_case p = {.desc = CLPRIMS_PATHS_DESC_INIT, .shape = shape->name};
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
