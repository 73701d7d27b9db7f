/* SPDX-License-Identifier: MIT */
/* Shortest paths over ranks beside Floyd and Warshall's loops for the whole graph. */
#include "mpi/grid/mpi_grid.h"
#include "mpi/ranks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 67, GAP = 3, MARK = 77 };

typedef struct kind {
    clprims_type type;
    int predecessors;
    int64_t no_edge; /* 0: the default */
    size_t width, chosen; /* limits of the plan */
} kind;

static const kind kinds[] = {{CLPRIMS_F32, 0, 0, 16, 500},
                             {CLPRIMS_I32, 1, 0, 7, 500},
                             {CLPRIMS_I64, 0, 1000000, 0, 500},
                             {CLPRIMS_F64, 1, 0, 0, 5000}};
enum { KINDS = sizeof kinds / sizeof kinds[0], DEFAULT_KINDS = 3 };

static clprims_mpi_paths *plans[KINDS];

typedef struct path_case {
    size_t kind;
    size_t n;
    ranks_layout rows, columns;
    unsigned edges; /* of 16 possible ones */
    unsigned longest; /* of edges, but for potentials: short ones make cycles of length 0 */
    size_t cycle; /* vertices of the one negative cycle; 0: none */
} path_case;

/* ---- Plans and blocks ---- */

static clprims_paths_desc describe(const kind *k) {
    static int32_t narrow;
    clprims_paths_desc desc = CLPRIMS_PATHS_DESC_INIT;
    desc.type = k->type;
    desc.predecessors = k->predecessors;
    desc.max_n = LARGEST;
    narrow = (int32_t)k->no_edge;
    if (k->no_edge != 0) {
        desc.no_edge = k->type == CLPRIMS_I64 ? (const void *)&k->no_edge : &narrow;
    }
    return desc;
}

static clprims_mpi_paths *plan_of(size_t number) {
    const kind *k = &kinds[number];
    const clp_mpi_limits limits = clp_mpi_limits_now;
    const clprims_paths_desc desc = describe(k);
    test_needs_types(k->type, k->type);
    if (plans[number] != NULL) return plans[number];
    clp_mpi_limits_now = (clp_mpi_limits){k->width, k->chosen};
    expect_ranks_ok(clprims_mpi_paths_create(&plans[number], ranks_mpi(), &desc));
    clp_mpi_limits_now = limits;
    return plans[number];
}

/* A rank's block of the matrix, with gaps behind its rows, and of the predecessors. */
typedef struct block {
    const kind *k;
    size_t n, bytes;
    clprims_mpi_block rows, columns;
    size_t ld, span;
    char *lengths;
    int32_t *before;
    test_buffer d, via;
} block;

static clprims_matrix matrix_of(const block *b, const test_buffer *buffer) {
    return (clprims_matrix){buffer->at.mem, buffer->at.first, b->ld, 0};
}

static double none_of(const kind *k) {
    if (k->no_edge != 0) return (double)k->no_edge;
    return k->type == CLPRIMS_I64   ? (double)CLPRIMS_NO_EDGE_I64
           : k->type == CLPRIMS_I32 ? (double)CLPRIMS_NO_EDGE_I32
                                    : INFINITY;
}

static void put(const kind *k, void *values, size_t at, double length) {
    const double none = none_of(k);
    const int64_t no_edge = k->no_edge != 0 ? k->no_edge : CLPRIMS_NO_EDGE_I64;
    if (k->type == CLPRIMS_F32) ((float *)values)[at] = (float)length;
    if (k->type == CLPRIMS_F64) ((double *)values)[at] = length;
    if (k->type == CLPRIMS_I32) {
        ((int32_t *)values)[at] = (int32_t)(length < INFINITY ? length : none);
    }
    if (k->type == CLPRIMS_I64) {
        ((int64_t *)values)[at] = length < INFINITY ? (int64_t)length : no_edge;
    }
}

static block make_block(const path_case *c, const double *graph) {
    const clprims_mpi_grid grid = clprims_mpi_grid_of(ranks_mpi());
    block b = {.k = &kinds[c->kind], .n = c->n};
    b.bytes = clprims_type_bytes(b.k->type);
    b.rows = ranks_strip(c->rows, c->n, grid.rows, grid.row);
    b.columns = ranks_strip(c->columns, c->n, grid.columns, grid.column);
    b.ld = b.columns.n + GAP;
    b.span = b.rows.n * b.ld;
    b.lengths = test_alloc(b.span, b.bytes);
    b.before = test_alloc(b.span, sizeof *b.before);
    for (size_t i = 0; i < b.span; i++) {
        put(b.k, b.lengths, i, MARK);
        b.before[i] = MARK;
    }
    for (size_t i = 0; i < b.rows.n; i++) {
        for (size_t j = 0; j < b.columns.n; j++) {
            put(b.k, b.lengths, i * b.ld + j,
                graph[(b.rows.start + i) * c->n + b.columns.start + j]);
        }
    }
    b.d = test_buffer_create(b.lengths, b.span, b.bytes, 5);
    b.via = test_buffer_create(b.before, b.span, sizeof *b.before, 2);
    return b;
}

static void release_block(block *b) {
    test_buffer_release(&b->d);
    test_buffer_release(&b->via);
    free(b->lengths);
    free(b->before);
}

static clprims_status run_block(const block *b, clprims_mpi_paths *paths) {
    const clprims_matrix none = {NULL, 0, 0, 0};
    return clprims_mpi_paths_run(paths, matrix_of(b, &b->d),
                                 b->k->predecessors ? matrix_of(b, &b->via) : none,
                                 (size_t)b->rows.n, (size_t)b->columns.n);
}

/* ---- Graphs: lengths as doubles, exact in every type; infinity is no edge ---- */

/* Potentials make some edges negative and keep every cycle's length at zero or above. */
static double *make_graph(const path_case *c) {
    const size_t n = c->n;
    double *graph = test_alloc(n * n, sizeof *graph);
    int potential[LARGEST];
    for (size_t i = 0; i < n; i++) potential[i] = (int)test_random_below(50);
    for (size_t i = 0; i < n * n; i++) {
        const int length = (int)test_random_below(c->longest) + potential[i / n] - potential[i % n];
        graph[i] = test_random_below(16) < c->edges ? (double)length : INFINITY;
    }
    return graph;
}

/* One cycle of length -1 through random vertices; other cycles pass long edges. Without such edges
 * each other vertex has an edge to and from one vertex of the cycle: closed walks through it are
 * negative, but no cycle is. */
static double *make_cycle(const path_case *c, bool *member) {
    const size_t n = c->n;
    double *graph = test_alloc(n * n, sizeof *graph);
    size_t order[LARGEST];
    for (size_t i = 0; i < n; i++) order[i] = i;
    for (size_t i = n; i > 1; i--) {
        const size_t other = test_random_below(i), held = order[i - 1];
        order[i - 1] = order[other];
        order[other] = held;
    }
    for (size_t i = 0; i < n * n; i++) {
        graph[i] = i / n != i % n && test_random_below(16) < c->edges ? 1000 : INFINITY;
    }
    for (size_t i = c->cycle; i < n && c->edges == 0; i++) {
        graph[order[i] * n + order[0]] = graph[order[0] * n + order[i]] = 0;
    }
    memset(member, 0, LARGEST * sizeof *member);
    for (size_t i = 0; i < c->cycle; i++) {
        const size_t from = order[i], to = order[(i + 1) % c->cycle];
        graph[from * n + to] = i == 0 ? -(double)c->cycle : 1;
        member[from] = true;
    }
    return graph;
}

static double *close_graph(const double *graph, size_t n) {
    double *d = test_alloc(n * n, sizeof *d);
    memcpy(d, graph, n * n * sizeof *d);
    for (size_t i = 0; i < n; i++) d[i * n + i] = fmin(d[i * n + i], 0);
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < n * n; i++) {
            d[i] = fmin(d[i], d[i / n * n + k] + d[k * n + i % n]);
        }
    }
    return d;
}

/* ---- Expectations ---- */

static void expect_lengths(const block *b, const double *closed) {
    char *want = test_alloc(b->ld, b->bytes);
    test_buffer_read(&b->d, b->lengths);
    for (size_t i = 0; i < b->rows.n; i++) {
        for (size_t j = 0; j < b->ld; j++) {
            put(b->k, want, j,
                j < b->columns.n ? closed[(b->rows.start + i) * b->n + b->columns.start + j]
                                 : MARK);
        }
        test_note("row %zu of the block", i);
        expect_values(b->k->type, want, b->lengths + i * b->ld * b->bytes, b->ld);
    }
    free(want);
}

/* The predecessors of all ranks. */
static int *gather_vias(const block *b) {
    const size_t n = b->n;
    int *all = test_alloc(n * n, sizeof *all);
    test_buffer_read(&b->via, b->before);
    for (size_t i = 0; i < n * n; i++) all[i] = INT32_MIN;
    for (size_t i = 0; i < b->rows.n; i++) {
        for (size_t j = 0; j < b->columns.n; j++) {
            all[(b->rows.start + i) * n + b->columns.start + j] = b->before[i * b->ld + j];
        }
        for (size_t j = b->columns.n; j < b->ld; j++) {
            if (b->before[i * b->ld + j] != MARK) test_fail("row %zu: a gap was written", i);
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, all, (int)(n * n), MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

/* The chain of predecessors from j leads back to i over edges whose lengths add up. */
static void expect_chain(const double *graph, const double *closed, const int *via, size_t n,
                         size_t i, size_t j) {
    const bool reached = i != j && closed[i * n + j] < INFINITY;
    size_t at = j, steps = 0;
    double length = 0;
    if ((via[i * n + j] >= 0) != reached) test_fail("via(%zu, %zu) = %d", i, j, via[i * n + j]);
    while (reached && at != i && steps++ <= n) {
        const int before = via[i * n + at];
        if (before < 0 || (size_t)before >= n) test_fail("via(%zu, %zu) = %d", i, at, before);
        length += graph[(size_t)before * n + at];
        at = (size_t)before;
    }
    if (reached && (at != i || length != closed[i * n + j])) {
        test_fail("the chain from %zu to %zu has length %g after %zu steps, not %g", i, j, length,
                  steps, closed[i * n + j]);
    }
}

static void paths_are_shortest(const void *data) {
    const path_case *c = data;
    clprims_mpi_paths *paths = plan_of(c->kind);
    double *graph = make_graph(c), *closed = close_graph(graph, c->n);
    block b = make_block(c, graph);
    expect_ranks_ok(run_block(&b, paths));
    expect_lengths(&b, closed);
    if (b.k->predecessors) {
        int *via = gather_vias(&b);
        for (size_t i = 0; i < c->n * c->n; i++) {
            expect_chain(graph, closed, via, c->n, i / c->n, i % c->n);
        }
        free(via);
    } else {
        test_buffer_expect_unchanged(&b.via, b.before);
    }
    release_block(&b);
    free(graph);
    free(closed);
}

/* Which rank has an element. */
static int owner_of(const path_case *c, size_t row, size_t column, ranks_layout rows,
                    ranks_layout columns) {
    const clprims_mpi_grid grid = clprims_mpi_grid_of(ranks_mpi());
    int owner = 0;
    for (int r = 0; r < ranks_count(); r++) {
        const clprims_mpi_block down = ranks_strip(rows, c->n, grid.rows, r / grid.columns);
        const clprims_mpi_block across = ranks_strip(columns, c->n, grid.columns, r % grid.columns);
        if (row >= down.start && row < down.start + down.n && column >= across.start &&
            column < across.start + across.n) {
            owner = r;
        }
    }
    return owner;
}

/* Of layouts without random sizes. */
static void cycle_is_found(const void *data) {
    static const char text[] = "paths: vertex ";
    const path_case *c = data;
    bool member[LARGEST];
    clprims_mpi_paths *paths = plan_of(c->kind);
    double *graph = make_cycle(c, member);
    block b = make_block(c, graph);
    const clprims_status status = run_block(&b, paths);
    const char *message = clprims_mpi_last_error()->message, *at = strstr(message, text);
    if (status != CLPRIMS_ERR_DATA || at == NULL) test_fail("%d: \"%s\"", (int)status, message);
    const size_t vertex = strtoul(at + sizeof text - 1, NULL, 10);
    if (vertex >= c->n || !member[vertex]) test_fail("\"%s\"", message);
    expect_ranks_failure(status, CLPRIMS_ERR_DATA, owner_of(c, vertex, vertex, c->rows, c->columns),
                         "is on a cycle of negative length");
    release_block(&b);
    free(graph);
}

/* ---- Lengths beyond the limits, NaN ---- */

typedef struct beyond_case {
    path_case graph;
    size_t row[2], column[2]; /* of the given lengths */
    double length[2];
    size_t named; /* which of them, in the order of rows */
} beyond_case;

static void edge_is_named(const void *data) {
    const beyond_case *c = data;
    const path_case *p = &c->graph;
    char part[128];
    clprims_mpi_paths *paths = plan_of(p->kind);
    double *graph = make_graph(p);
    for (size_t k = 0; k < 2; k++) graph[c->row[k] * p->n + c->column[k]] = c->length[k];
    block b = make_block(p, graph);
    snprintf(part, sizeof part, "the edge from vertex %zu to vertex %zu has length %.0f",
             c->row[c->named], c->column[c->named], c->length[c->named]);
    expect_ranks_failure(run_block(&b, paths), CLPRIMS_ERR_DATA,
                         owner_of(p, c->row[c->named], c->column[c->named], p->rows, p->columns),
                         part);
    release_block(&b);
    free(graph);
}

/* An edge around a limit. Returns whether both the core's run and the ranks' refuse it, in the same
 * words but for a cycle, of whose vertices any is right. */
static bool limit_is_of_core(const path_case *p, clprims_paths *core) {
    char words[300];
    const kind *k = &kinds[p->kind];
    const double most = k->type == CLPRIMS_I32 ? INT32_MAX : ldexp(1, 61) + 512;
    const double tops[] = {ldexp(1, 29), none_of(k), most};
    const double length = fmin(tops[test_random_below(3)] + (double)test_random_below(3) - 1, most);
    const size_t cells = p->n * p->n, cell = test_random_below(cells);
    char *whole = test_alloc(cells, sizeof(int64_t));
    int32_t *before = test_alloc(cells, sizeof *before);
    double *graph = make_graph(p);
    graph[cell] = test_random_below(2) == 0 ? -length : length == none_of(k) ? INFINITY : length;
    for (size_t i = 0; i < cells; i++) put(k, whole, i, graph[i]);
    double *closed = close_graph(graph, p->n);
    block b = make_block(p, graph);
    const bool is_fine =
        clprims_paths_run(core, whole, k->predecessors ? before : NULL, p->n) == CLPRIMS_OK;
    snprintf(words, sizeof words, "%s", clprims_last_error()->message);
    const clprims_status own = run_block(&b, plan_of(p->kind));
    const bool is_edge = strstr(words, "the edge from") != NULL;
    const int rank = is_edge ? owner_of(p, cell / p->n, cell % p->n, p->rows, p->columns)
                             : clprims_mpi_last_error()->rank;
    if (is_fine) expect_ranks_ok(own);
    if (is_fine) expect_lengths(&b, closed);
    const char *part = strstr(words, "is on a cycle") != NULL ? "is on a cycle" : words;
    if (!is_fine) expect_ranks_failure(own, CLPRIMS_ERR_DATA, rank, part);
    release_block(&b);
    void *const all[] = {whole, before, graph, closed};
    for (size_t i = 0; i < 4; i++) free(all[i]);
    return !is_fine;
}

static void limits_are_of_core(const void *data) {
    enum { TURNS = 30 };
    const path_case *p = data;
    const clprims_paths_desc desc = describe(&kinds[p->kind]);
    clprims_paths *core = NULL;
    size_t refused = 0;
    expect_ok(clprims_paths_create(&core, test_context(), &desc));
    for (size_t turn = 0; turn < TURNS; turn++) refused += limit_is_of_core(p, core);
    assert_true(refused > 0);
    clprims_paths_destroy(core);
}

/* A path of three edges beyond the limits, from the first vertex to the last. */
static void far_path_is_named(const void *data) {
    const path_case *c = data;
    const size_t n = c->n;
    const double step = 300000000;
    clprims_mpi_paths *paths = plan_of(c->kind);
    double *graph = test_alloc(n * n, sizeof *graph);
    for (size_t i = 0; i < n * n; i++) graph[i] = INFINITY;
    graph[n / 2] = graph[n / 2 * n + n - 1] = step;
    block b = make_block(c, graph);
    char part[128];
    snprintf(part, sizeof part, "the shortest path from vertex 0 to vertex %zu has length %.0f",
             n - 1, 2 * step);
    expect_ranks_failure(run_block(&b, paths), CLPRIMS_ERR_DATA,
                         owner_of(c, 0, n - 1, c->rows, c->columns), part);
    /* A way around makes it near enough. */
    graph[n / 2 + 1] = 1;
    graph[(n / 2 + 1) * n + n - 1] = 1;
    release_block(&b);
    b = make_block(c, graph);
    double *closed = close_graph(graph, n);
    expect_ranks_ok(run_block(&b, paths));
    expect_lengths(&b, closed);
    release_block(&b);
    free(graph);
    free(closed);
}

static void nan_is_no_edge(const void *data) {
    const path_case *c = data;
    clprims_mpi_paths *paths = plan_of(c->kind);
    double *graph = make_graph(c), *closed = close_graph(graph, c->n);
    for (size_t i = 0; i < c->n * c->n; i++) {
        if (graph[i] == INFINITY && test_random_below(2) == 0) graph[i] = NAN;
    }
    block b = make_block(c, graph);
    expect_ranks_ok(run_block(&b, paths));
    expect_lengths(&b, closed);
    release_block(&b);
    free(graph);
    free(closed);
}

/* ---- Refusals ---- */

static void bad_creates_are_refused(const void *data) {
    static const int64_t zero;
    const int last = ranks_count() - 1;
    const bool is_last = ranks_rank() == last;
    clprims_mpi_paths *paths = NULL;
    clprims_paths_desc desc = CLPRIMS_PATHS_DESC_INIT;
    (void)data;
    desc.max_n = 4;
    assert_int_equal(clprims_mpi_paths_create(&paths, NULL, &desc), CLPRIMS_ERR_ARGUMENT);
    expect_ranks_failure(clprims_mpi_paths_create(is_last ? NULL : &paths, ranks_mpi(), &desc),
                         CLPRIMS_ERR_ARGUMENT, last, "mpi_paths: out is NULL");
    expect_ranks_failure(clprims_mpi_paths_create(&paths, ranks_mpi(), is_last ? NULL : &desc),
                         CLPRIMS_ERR_ARGUMENT, last, "CLPRIMS_PATHS_DESC_INIT is NULL");
    clprims_paths_desc bad = desc;
    bad.struct_size = 3;
    expect_ranks_failure(clprims_mpi_paths_create(&paths, ranks_mpi(), is_last ? &bad : &desc),
                         CLPRIMS_ERR_ARGUMENT, last, "struct_size = 3");
    bad = desc;
    bad.max_n = (size_t)INT32_MAX + 1;
    expect_ranks_failure(clprims_mpi_paths_create(&paths, ranks_mpi(), is_last ? &bad : &desc),
                         CLPRIMS_ERR_TOO_LARGE, last, "max_n = 2147483648 exceeds");
    bad = desc;
    bad.type = CLPRIMS_U32;
    expect_ranks_failure(clprims_mpi_paths_create(&paths, ranks_mpi(), is_last ? &bad : &desc),
                         CLPRIMS_ERR_UNSUPPORTED, last, "uint32");
    bad.type = CLPRIMS_I64;
    bad.no_edge = &zero;
    expect_ranks_failure(clprims_mpi_paths_create(&paths, ranks_mpi(), is_last ? &bad : &desc),
                         CLPRIMS_ERR_ARGUMENT, last, "no_edge = 0; it must be above 0");
    assert_null(paths);
    if (last == 0) return;
    bad.type = CLPRIMS_I32;
    bad.no_edge = NULL;
    expect_ranks_failure(clprims_mpi_paths_create(&paths, ranks_mpi(), is_last ? &bad : &desc),
                         CLPRIMS_ERR_ARGUMENT, last, "differs from that of rank 0");
    assert_null(paths);
}

static void bad_runs_are_refused(const void *data) {
    const path_case *c = data;
    const int last = ranks_count() - 1;
    const bool is_last = ranks_rank() == last;
    const clprims_mpi_grid grid = clprims_mpi_grid_of(ranks_mpi());
    const size_t rows = 4, columns = rows * (size_t)grid.rows; /* grid.columns times too wide */
    clprims_mpi_paths *paths = plan_of(c->kind);
    test_buffer d = test_buffer_create(NULL, rows * columns, 4, 0);
    test_buffer via = test_buffer_create(NULL, rows * columns, 4, 0);
    const clprims_matrix m = {d.at.mem, d.at.first, columns, 0};
    const clprims_matrix v = {via.at.mem, via.at.first, columns, 0};
    clprims_matrix bad = m;
#define EXPECT_REFUSAL(bad_d, bad_via, bad_rows, bad_columns, status, part)                        \
    expect_ranks_failure(clprims_mpi_paths_run(paths, is_last ? bad_d : m, is_last ? bad_via : v,  \
                                               is_last ? bad_rows : rows,                          \
                                               is_last ? bad_columns : columns),                   \
                         status, last, part)
    assert_int_equal(clprims_mpi_paths_run(NULL, m, v, rows, columns), CLPRIMS_ERR_ARGUMENT);
    EXPECT_REFUSAL(m, v, LARGEST + 1, columns, CLPRIMS_ERR_TOO_LARGE,
                   "rows = 68 exceeds max_n = 67");
    EXPECT_REFUSAL(m, v, rows, LARGEST + 1, CLPRIMS_ERR_TOO_LARGE,
                   "columns = 68 exceeds max_n = 67");
    bad.ld = columns - 1;
    EXPECT_REFUSAL(bad, v, rows, columns, CLPRIMS_ERR_ARGUMENT, "d.ld = ");
    EXPECT_REFUSAL(m, bad, rows, columns, CLPRIMS_ERR_ARGUMENT, "via.ld = ");
    bad = m;
    bad.mem = NULL;
    EXPECT_REFUSAL(bad, v, rows, columns, CLPRIMS_ERR_ARGUMENT, "d.mem is NULL, with 4 x ");
    EXPECT_REFUSAL(m, bad, rows, columns, CLPRIMS_ERR_ARGUMENT, "via.mem is NULL, with 4 x ");
    bad = m;
    bad.first = d.bytes;
    EXPECT_REFUSAL(bad, v, rows, columns, CLPRIMS_ERR_ARGUMENT, "d.mem holds ");
    EXPECT_REFUSAL(m, m, rows, columns, CLPRIMS_ERR_ARGUMENT, "d and via overlap");
    for (int k = 0; k < RANKS_BAD; k++) {
        bad.mem = ranks_bad_create(k);
        EXPECT_REFUSAL(bad, v, rows, columns, CLPRIMS_ERR_ARGUMENT, ranks_refusal("d", k));
        EXPECT_REFUSAL(m, bad, rows, columns, CLPRIMS_ERR_ARGUMENT, ranks_refusal("via", k));
        expect_cl(clReleaseMemObject(bad.mem));
    }
    if (grid.columns > 1) {
        EXPECT_REFUSAL(m, v, rows - 1, columns, CLPRIMS_ERR_ARGUMENT, "3 rows, but rank ");
        expect_ranks_failure(clprims_mpi_paths_run(paths, m, v, rows, columns),
                             CLPRIMS_ERR_ARGUMENT, 0, "they must be as many");
    }
    if (grid.rows > 1) {
        EXPECT_REFUSAL(m, v, rows, columns - 1, CLPRIMS_ERR_ARGUMENT, "columns, but rank ");
    }
#undef EXPECT_REFUSAL
    test_buffer_release(&d);
    test_buffer_release(&via);
}

/* A plan without predecessors takes no matrix for them. */
static void vias_are_refused(const void *data) {
    const path_case *c = data;
    double *graph = make_graph(c);
    block b = make_block(c, graph);
    const clprims_matrix m = matrix_of(&b, &b.d), v = matrix_of(&b, &b.via);
    expect_ranks_failure(clprims_mpi_paths_run(plan_of(c->kind), m, v, b.rows.n, b.columns.n),
                         CLPRIMS_ERR_ARGUMENT, 0, "via.mem is not NULL");
    release_block(&b);
    free(graph);
}

/* ---- Cases ---- */

static void grid_is_whole(const void *data) {
    const clprims_mpi_grid grid = clprims_mpi_grid_of(ranks_mpi());
    (void)data;
    assert_int_equal(grid.rows * grid.columns, ranks_count());
    assert_int_equal(grid.row * grid.columns + grid.column, ranks_rank());
    assert_true(grid.rows <= grid.columns && grid.column < grid.columns);
    assert_int_equal(grid.rows, ranks_count() == 4 || ranks_count() == 6 ? 2 : 1);
    for (uint64_t total = 0; total < 12; total++) {
        const clprims_mpi_block rows = clprims_mpi_even_rows(ranks_mpi(), total);
        const clprims_mpi_block columns = clprims_mpi_even_columns(ranks_mpi(), total);
        uint64_t cells = rows.n * columns.n;
        assert_true(rows.start + rows.n <= total && columns.start + columns.n <= total);
        if (grid.row == grid.rows - 1) assert_int_equal(rows.start + rows.n, total);
        MPI_Allreduce(MPI_IN_PLACE, &cells, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
        assert_int_equal(cells, total * total);
    }
}

void add_grid_cases(test_cases *cases) {
    ranks_add(cases, grid_is_whole, NULL, 0, "grids/grid");
}

static void add_case(test_cases *cases, test_function *function, const path_case *c) {
    const kind *k = &kinds[c->kind];
    ranks_add(cases, function, c, sizeof *c,
              "grids/paths/%s%s/n=%zu/%s-by-%s/edges=%u/longest=%u/cycle=%zu",
              clprims_type_name(k->type), k->predecessors ? "-predecessors" : "", c->n,
              ranks_layout_name(c->rows), ranks_layout_name(c->columns), c->edges, c->longest,
              c->cycle);
}

static void add_closures(test_cases *cases, size_t number) {
    static const size_t sizes[] = {0, 1, 2, 7, 33, 64, LARGEST};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (ranks_layout rows = RANKS_EVEN; rows < RANKS_LAYOUTS; rows++) {
            path_case c = {number, sizes[i],
                           rows,   (ranks_layout)((rows + i) % RANKS_LAYOUTS),
                           2,      (rows + i) % 2 == 0 ? 40 : 2,
                           0};
            if (!test_long() && (sizes[i] < 7 || sizes[i] > 33) && (rows + i) % 3 != 0) continue;
            if (i % 2 != 0) c.edges = 12;
            add_case(cases, paths_are_shortest, &c);
            if (c.n < 2 || rows == RANKS_UNEVEN || c.columns == RANKS_UNEVEN) continue;
            c.edges = rows % 2 == 0 ? 0 : 2;
            c.cycle = 1 + (5 * i + rows) % c.n;
            add_case(cases, cycle_is_found, &c);
        }
    }
}

static void add_beyond(test_cases *cases) {
    static const double top = 536870912, bottom = -536870912;
    const beyond_case all[] = {
        {{1, 33, RANKS_EVEN, RANKS_EVEN, 3, 40, 0}, {30, 2}, {1, 31}, {top, top + 1}, 1},
        {{1, 33, RANKS_EVEN, RANKS_LAST, 3, 40, 0}, {4, 4}, {32, 5}, {bottom - 1, top}, 1},
        {{1, 33, RANKS_EVEN, RANKS_EVEN, 3, 40, 0}, {32, 32}, {0, 32}, {bottom, 2 * top}, 1},
        {{2, 33, RANKS_EVEN, RANKS_EVEN, 3, 40, 0}, {20, 25}, {20, 0}, {1000001, 2000000}, 0}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        ranks_add(cases, edge_is_named, &all[i], sizeof all[i], "grids/paths/edge-beyond/%zu", i);
    }
}

void add_path_cases(test_cases *cases) {
    path_case c = {1, 33, RANKS_EVEN, RANKS_EVEN, 3, 40, 0};
    ranks_add(cases, bad_creates_are_refused, NULL, 0, "grids/paths/create-refused");
    ranks_add(cases, bad_runs_are_refused, &c, sizeof c, "grids/paths/refused");
    add_beyond(cases);
    ranks_add(cases, limits_are_of_core, &c, sizeof c, "grids/paths/limits/int32");
    ranks_add(cases, far_path_is_named, &c, sizeof c, "grids/paths/path-beyond");
    c.kind = 2;
    ranks_add(cases, limits_are_of_core, &c, sizeof c, "grids/paths/limits/int64");
    c.kind = 0;
    ranks_add(cases, nan_is_no_edge, &c, sizeof c, "grids/paths/nan");
    ranks_add(cases, vias_are_refused, &c, sizeof c, "grids/paths/via-refused");
    for (size_t k = 0; k < KINDS; k++) {
        if (k < DEFAULT_KINDS || test_long()) add_closures(cases, k);
    }
}
