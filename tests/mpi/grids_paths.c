/* SPDX-License-Identifier: MIT */
/* Shortest paths over ranks beside Floyd and Warshall's loops for the whole graph. */
#include "fixtures/graph_cases.h"
#include "mpi/grid/mpi_grid.h"
#include "mpi/grids.h"

#include <math.h>

enum { LARGEST = 67, MARK = 77 };

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

typedef struct path_case {
    size_t kind;
    graph_case graph;
    ranks_layout rows, columns;
} path_case;

/* ---- Plans and blocks ---- */

static clprims_paths_desc describe(const kind *k) {
    static int32_t narrow;
    clprims_paths_desc desc = {.type = k->type, .predecessors = k->predecessors, .max_n = LARGEST};
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
    clp_mpi_limits_now = (clp_mpi_limits){k->width, k->chosen};
    clprims_mpi_paths *plan = ranks_plan(&ranks_paths, number, &desc);
    clp_mpi_limits_now = limits;
    return plan;
}

/* This rank's blocks of the matrix and of the predecessors. */
typedef struct block {
    const kind *k;
    size_t n;
    shared_matrix d, via;
} block;

static void put_all(const kind *k, void *values, const double *lengths, size_t n) {
    for (size_t i = 0; i < n; i++) graph_put(k->type, k->no_edge, values, i, lengths[i]);
}

static block make_block(const path_case *c, const double *graph) {
    const size_t n = c->graph.n;
    const kind *k = &kinds[c->kind];
    const clprims_mpi_block rows = grids_rows(c->rows, n), columns = grids_columns(c->columns, n);
    char *lengths = test_scratch(n * n, clprims_type_bytes(k->type));
    int32_t *before = test_scratch(n * n, sizeof *before);
    put_all(k, lengths, graph, n * n);
    for (size_t i = 0; i < n * n; i++) before[i] = MARK;
    return (block){k, n, grids_share(k->type, lengths, rows, columns),
                   grids_share(CLPRIMS_I32, before, rows, columns)};
}

static clprims_status run_block(const block *b, clprims_mpi_paths *paths) {
    const clprims_matrix none = {NULL, 0, 0, 0};
    return clprims_mpi_paths_run(paths, grids_at(&b->d),
                                 b->k->predecessors ? grids_at(&b->via) : none, (size_t)b->d.down.n,
                                 (size_t)b->d.across.n);
}

/* ---- Expectations ---- */

/* The predecessors of all ranks, which become the whole matrix's. */
static const int32_t *gather_vias(const block *b) {
    const size_t n = b->n;
    const shared_matrix *m = &b->via;
    int32_t *own = test_scratch(m->down.n * m->ld, sizeof *own);
    int32_t *all = (int32_t *)(void *)m->whole;
    test_buffer_read(&m->buffer, own);
    for (size_t i = 0; i < n * n; i++) all[i] = INT32_MIN;
    for (size_t i = 0; i < m->down.n; i++) {
        memcpy(all + (m->down.start + i) * n + m->across.start, own + i * m->ld,
               m->across.n * sizeof *all);
    }
    MPI_Allreduce(MPI_IN_PLACE, all, (int)(n * n), MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

/* A run of the edges that are given closes the graph. */
static void expect_closed(const path_case *c, const double *given, const double *graph) {
    double *closed = graph_close(graph, c->graph.n);
    block b = make_block(c, given);
    expect_ranks_ok(run_block(&b, plan_of(c->kind)));
    put_all(b.k, b.d.whole, closed, b.n * b.n);
    grids_expect(&b.d);
    if (b.k->predecessors) graph_expect_chains(graph, closed, gather_vias(&b), b.n, b.n);
    grids_expect(&b.via);
}

static void paths_are_shortest(const void *data) {
    const path_case *c = data;
    double *graph = graph_draw(&c->graph);
    expect_closed(c, graph, graph);
}

/* Which rank has an element, of layouts without random sizes. */
static int owner_of(const path_case *c, size_t row, size_t column) {
    const clprims_mpi_grid grid = clprims_mpi_grid_of(ranks_mpi());
    const size_t n = c->graph.n;
    int owner = 0;
    for (int r = 0; r < ranks_count(); r++) {
        const clprims_mpi_block down = ranks_strip(c->rows, n, grid.rows, r / grid.columns);
        const clprims_mpi_block across = ranks_strip(c->columns, n, grid.columns, r % grid.columns);
        if (row >= down.start && row < down.start + down.n && column >= across.start &&
            column < across.start + across.n) {
            owner = r;
        }
    }
    return owner;
}

/* A run of the graph names the rank of an element, and says so. */
static void expect_named(const path_case *c, const double *graph, size_t row, size_t column,
                         const char *part) {
    block b = make_block(c, graph);
    expect_ranks_failure(run_block(&b, plan_of(c->kind)), CLPRIMS_ERR_DATA,
                         owner_of(c, row, column), part);
}

static void cycle_is_found(const void *data) {
    static const char text[] = "paths: vertex ";
    const path_case *c = data;
    bool member[LARGEST];
    clprims_mpi_paths *paths = plan_of(c->kind);
    double *graph = graph_draw_cycle(&c->graph, member);
    block b = make_block(c, graph);
    const clprims_status status = run_block(&b, paths);
    const char *message = clprims_mpi_last_error()->message, *at = strstr(message, text);
    if (status != CLPRIMS_ERR_DATA || at == NULL) test_fail("%d: \"%s\"", (int)status, message);
    const size_t vertex = strtoul(at + sizeof text - 1, NULL, 10);
    if (vertex >= c->graph.n || !member[vertex]) test_fail("\"%s\"", message);
    expect_ranks_failure(status, CLPRIMS_ERR_DATA, owner_of(c, vertex, vertex),
                         "is on a cycle of negative length");
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
    const size_t row = c->row[c->named], column = c->column[c->named];
    char part[128];
    double *graph = graph_draw(&p->graph);
    for (size_t k = 0; k < 2; k++) graph[c->row[k] * p->graph.n + c->column[k]] = c->length[k];
    snprintf(part, sizeof part, "the edge from vertex %zu to vertex %zu has length %.0f", row,
             column, c->length[c->named]);
    expect_named(p, graph, row, column, part);
}

/* An edge around a limit. Returns whether both the core's run and the ranks' refuse it, in the same
 * words but for a cycle, of whose vertices any is right. */
static bool limit_is_of_core(const path_case *p, clprims_paths *core) {
    char words[300];
    const kind *k = &kinds[p->kind];
    const double most = k->type == CLPRIMS_I32 ? INT32_MAX : ldexp(1, 61) + 512;
    const double none = k->no_edge != 0 ? (double)k->no_edge : CLPRIMS_NO_EDGE_I32;
    const double tops[] = {ldexp(1, 29), none, most};
    const double length = fmin(tops[test_random_below(3)] + (double)test_random_below(3) - 1, most);
    const size_t n = p->graph.n, cells = n * n, cell = test_random_below(cells);
    char *whole = test_scratch(cells, sizeof(int64_t));
    int32_t *before = test_scratch(cells, sizeof *before);
    double *graph = graph_draw(&p->graph);
    graph[cell] = test_random_below(2) == 0 ? -length : length == none ? INFINITY : length;
    put_all(k, whole, graph, cells);
    const clprims_paths_arrays arrays = {whole, k->predecessors ? before : NULL};
    const bool is_fine = clprims_paths_run(core, &arrays, n) == CLPRIMS_OK;
    snprintf(words, sizeof words, "%s", clprims_last_error()->message);
    if (is_fine) {
        expect_closed(p, graph, graph);
    } else if (strstr(words, "the edge from") != NULL) {
        expect_named(p, graph, cell / n, cell % n, words);
    } else {
        block b = make_block(p, graph);
        const clprims_status own = run_block(&b, plan_of(p->kind));
        expect_ranks_failure(own, CLPRIMS_ERR_DATA, clprims_mpi_last_error()->rank,
                             strstr(words, "is on a cycle") != NULL ? "is on a cycle" : words);
    }
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

/* A path of two edges beyond the limits, from the first vertex to the last. */
static void far_path_is_named(const void *data) {
    const path_case *c = data;
    const size_t n = c->graph.n;
    const double step = 300000000;
    char part[128];
    double *graph = test_scratch(n * n, sizeof *graph);
    for (size_t i = 0; i < n * n; i++) graph[i] = INFINITY;
    graph[n / 2] = graph[n / 2 * n + n - 1] = step;
    snprintf(part, sizeof part, "the shortest path from vertex 0 to vertex %zu has length %.0f",
             n - 1, 2 * step);
    expect_named(c, graph, 0, n - 1, part);
    /* A way around makes it near enough. */
    graph[n / 2 + 1] = 1;
    graph[(n / 2 + 1) * n + n - 1] = 1;
    expect_closed(c, graph, graph);
}

static void nan_is_no_edge(const void *data) {
    const path_case *c = data;
    const size_t cells = c->graph.n * c->graph.n;
    double *graph = graph_draw(&c->graph), *given = test_scratch(cells, sizeof *given);
    for (size_t i = 0; i < cells; i++) {
        given[i] = graph[i] == INFINITY && test_random_below(2) == 0 ? NAN : graph[i];
    }
    expect_closed(c, given, graph);
}

/* ---- Refusals ---- */

static void bad_creates_are_refused(void) {
    static const int64_t zero;
    clprims_mpi_paths *paths = NULL;
    clprims_paths_desc desc = {.type = CLPRIMS_F32, .max_n = 4};
    clprims_paths_desc bad = desc;
    assert_int_equal(clprims_mpi_paths_create(&paths, NULL, &desc), CLPRIMS_ERR_ARGUMENT);
    grids_nulls_are_refused(&ranks_paths, &desc, "desc");
    bad.max_n = (size_t)INT32_MAX + 1;
    ranks_desc_is_refused(&ranks_paths, &desc, &bad, CLPRIMS_ERR_TOO_LARGE,
                          "max_n = 2147483648 exceeds");
    bad = desc;
    bad.type = CLPRIMS_U32;
    ranks_desc_is_refused(&ranks_paths, &desc, &bad, CLPRIMS_ERR_UNSUPPORTED, "uint32");
    bad.type = CLPRIMS_I64;
    bad.no_edge = &zero;
    ranks_desc_is_refused(&ranks_paths, &desc, &bad, CLPRIMS_ERR_ARGUMENT,
                          "no_edge = 0; it must be above 0");
    bad.type = CLPRIMS_I32;
    bad.no_edge = NULL;
    if (ranks_count() == 1) return;
    ranks_desc_is_refused(&ranks_paths, &desc, &bad, CLPRIMS_ERR_ARGUMENT,
                          "differs from that of rank 0");
}

/* What a rank gives a run. */
typedef struct offer {
    clprims_matrix d, via;
    size_t rows, columns;
} offer;

static void run_is_refused(clprims_mpi_paths *paths, const offer *good, const offer *bad,
                           clprims_status status, const char *part) {
    const int last = ranks_count() - 1;
    const offer *o = ranks_rank() == last ? bad : good;
    expect_ranks_failure(clprims_mpi_paths_run(paths, o->d, o->via, o->rows, o->columns), status,
                         last, part);
}

static void bad_matrices_are_refused(clprims_mpi_paths *paths, const offer *good, size_t beyond) {
    const clprims_status wrong = CLPRIMS_ERR_ARGUMENT;
    offer bad = *good;
    bad.via = bad.d;
    run_is_refused(paths, good, &bad, wrong, "d and via overlap");
    bad = *good;
    bad.d.first = beyond;
    run_is_refused(paths, good, &bad, wrong, "d.mem holds ");
    for (int is_via = 0; is_via < 2; is_via++) {
        bad = *good;
        clprims_matrix *m = is_via ? &bad.via : &bad.d;
        const cl_mem mem = m->mem;
        m->ld = good->columns - 1;
        run_is_refused(paths, good, &bad, wrong, is_via ? "via.ld = " : "d.ld = ");
        m->ld = good->columns;
        m->mem = NULL;
        run_is_refused(paths, good, &bad, wrong,
                       is_via ? "via.mem is NULL, with 4 x " : "d.mem is NULL, with 4 x ");
        for (int k = 0; k < RANKS_BAD; k++) {
            m->mem = ranks_bad_create(k);
            run_is_refused(paths, good, &bad, wrong, ranks_refusal(is_via ? "via" : "d", k));
        }
        m->mem = mem;
    }
}

static void bad_runs_are_refused(const void *data) {
    const path_case *c = data;
    const clprims_mpi_grid grid = clprims_mpi_grid_of(ranks_mpi());
    const size_t rows = 4, columns = rows * (size_t)grid.rows; /* grid.columns times too wide */
    clprims_mpi_paths *paths = plan_of(c->kind);
    test_buffer d = test_buffer_create(NULL, rows * columns, 4, 0);
    test_buffer via = test_buffer_create(NULL, rows * columns, 4, 0);
    const offer good = {{d.at.mem, 0, columns, 0}, {via.at.mem, 0, columns, 0}, rows, columns};
    offer bad = good;
    assert_int_equal(clprims_mpi_paths_run(NULL, good.d, good.via, rows, columns),
                     CLPRIMS_ERR_ARGUMENT);
    bad.rows = LARGEST + 1;
    run_is_refused(paths, &good, &bad, CLPRIMS_ERR_TOO_LARGE, "rows = 68 exceeds max_n = 67");
    bad = good;
    bad.columns = LARGEST + 1;
    run_is_refused(paths, &good, &bad, CLPRIMS_ERR_TOO_LARGE, "columns = 68 exceeds max_n = 67");
    bad_matrices_are_refused(paths, &good, d.bytes);
    bad = good;
    bad.rows--;
    if (grid.columns > 1) {
        run_is_refused(paths, &good, &bad, CLPRIMS_ERR_ARGUMENT, "3 rows, but rank ");
        expect_ranks_failure(clprims_mpi_paths_run(paths, good.d, good.via, rows, columns),
                             CLPRIMS_ERR_ARGUMENT, 0, "they must be as many");
    }
    bad = good;
    bad.columns--;
    if (grid.rows > 1) {
        run_is_refused(paths, &good, &bad, CLPRIMS_ERR_ARGUMENT, "columns, but rank ");
    }
}

/* A plan without predecessors takes no matrix for them. */
static void vias_are_refused(const void *data) {
    const path_case *c = data;
    double *graph = graph_draw(&c->graph);
    block b = make_block(c, graph);
    expect_ranks_failure(clprims_mpi_paths_run(plan_of(c->kind), grids_at(&b.d), grids_at(&b.via),
                                               b.d.down.n, b.d.across.n),
                         CLPRIMS_ERR_ARGUMENT, 0, "via.mem is not NULL");
}

/* ---- Cases ---- */

static void grid_is_whole(void) {
    const clprims_mpi_grid grid = clprims_mpi_grid_of(ranks_mpi());
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
    ranks_add_plain(cases, grid_is_whole, "grids/grid");
}

static void add_case(test_cases *cases, test_function *function, const path_case *c) {
    const kind *k = &kinds[c->kind];
    const graph_case *g = &c->graph;
    ranks_add_row(
        cases, function, *c, "grids/paths/%s%s/n=%zu/%s-by-%s/edges=%u/longest=%u/cycle=%zu",
        clprims_type_name(k->type), k->predecessors ? "-predecessors" : "", g->n,
        ranks_layout_name(c->rows), ranks_layout_name(c->columns), g->edges, g->longest, g->cycle);
}

static void add_closures(test_cases *cases, size_t number) {
    static const size_t sizes[] = {0, 1, 2, 7, 33, 64, LARGEST};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (ranks_layout rows = RANKS_EVEN; rows < RANKS_LAYOUTS; rows++) {
            path_case c = {number,
                           {sizes[i], i % 2 != 0 ? 12 : 2, (rows + i) % 2 == 0 ? 40 : 2, 0},
                           rows,
                           (ranks_layout)((rows + i) % RANKS_LAYOUTS)};
            if (!test_long() && (sizes[i] < 7 || sizes[i] > 33) && (rows + i) % 3 != 0) continue;
            add_case(cases, paths_are_shortest, &c);
            if (c.graph.n < 2 || rows == RANKS_UNEVEN || c.columns == RANKS_UNEVEN) continue;
            c.graph.edges = rows % 2 == 0 ? 0 : 2;
            c.graph.cycle = 1 + (5 * i + rows) % c.graph.n;
            add_case(cases, cycle_is_found, &c);
        }
    }
}

static void add_beyond(test_cases *cases) {
    static const double top = 536870912, bottom = -536870912;
    const beyond_case all[] = {
        {{1, {33, 3, 40, 0}, RANKS_EVEN, RANKS_EVEN}, {30, 2}, {1, 31}, {top, top + 1}, 1},
        {{1, {33, 3, 40, 0}, RANKS_EVEN, RANKS_LAST}, {4, 4}, {32, 5}, {bottom - 1, top}, 1},
        {{1, {33, 3, 40, 0}, RANKS_EVEN, RANKS_EVEN}, {32, 32}, {0, 32}, {bottom, 2 * top}, 1},
        {{2, {33, 3, 40, 0}, RANKS_EVEN, RANKS_EVEN}, {20, 25}, {20, 0}, {1000001, 2000000}, 0}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        ranks_add_row(cases, edge_is_named, all[i], "grids/paths/edge-beyond/%zu", i);
    }
}

void add_path_cases(test_cases *cases) {
    path_case c = {1, {33, 3, 40, 0}, RANKS_EVEN, RANKS_EVEN};
    ranks_add_plain(cases, bad_creates_are_refused, "grids/paths/create-refused");
    ranks_add_row(cases, bad_runs_are_refused, c, "grids/paths/refused");
    add_beyond(cases);
    ranks_add_row(cases, limits_are_of_core, c, "grids/paths/limits/int32");
    ranks_add_row(cases, far_path_is_named, c, "grids/paths/path-beyond");
    c.kind = 2;
    ranks_add_row(cases, limits_are_of_core, c, "grids/paths/limits/int64");
    c.kind = 0;
    ranks_add_row(cases, nan_is_no_edge, c, "grids/paths/nan");
    ranks_add_row(cases, vias_are_refused, c, "grids/paths/via-refused");
    for (size_t k = 0; k < KINDS; k++) {
        if (k < DEFAULT_KINDS || test_long()) add_closures(cases, k);
    }
}
