/* SPDX-License-Identifier: MIT */
/*
 * Draws closures and products of integers near all limits, and compares them with arithmetic of 128
 * bits: what has a result in range is exact, all else is a data error.
 */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;

/* A plan's limits, as the header has them. */
typedef struct limits {
    clprims_type type;
    int64_t least, most, none;
} limits;

static int64_t quarter_of(clprims_type type) {
    return (int64_t)1 << (type == CLPRIMS_I64 ? 61 : 29);
}

static int64_t get(clprims_type type, const void *values, size_t i) {
    return type == CLPRIMS_I64 ? ((const int64_t *)values)[i] : ((const int32_t *)values)[i];
}

static void put(clprims_type type, void *values, size_t i, int64_t value) {
    test_store_integer(clprims_type_bytes(type), values, i, (uint64_t)value);
}

static bool is_within(const limits *l, int64_t value) {
    return value == l->none || (value >= l->least && value <= l->most);
}

/* Of the type's values some that are no length; the same bits for both types. */
static int64_t draw_beyond(const limits *l) {
    const wide most = l->type == CLPRIMS_I64 ? INT64_MAX : INT32_MAX, one = 1;
    const wide some[] = {l->most + one, l->least - one, l->none + one,
                         l->none - one, most,           -most - 1,
                         most / 2,      -most / 2,      l->most + one * l->most / 2};
    for (;;) {
        const wide value = some[test_random_below(sizeof some / sizeof *some)];
        const bool fits = value <= most && value >= -most - 1;
        if (fits && !is_within(l, (int64_t)value)) return (int64_t)value;
    }
}

static const char *draw_tuning(void) {
    static const char *const some[] = {
        NULL, "HIGH=1 WIDE=1 ROWS=2 COLUMNS=32 BLOCKS=2 DEPTH=8",
        "HIGH=4 WIDE=8 ROWS=4 COLUMNS=4 DEPTH=8 PAIRS=4 UNROLL=2 BARRIERS=1",
        "HIGH=2 WIDE=8 ROWS=4 COLUMNS=4 DEPTH=8 PAIRS=3 UNROLL=2 BARRIERS=1"};
    /* Groups of many take PoCL long to compile. */
    return some[test_random_below(test_long() ? 4 : 2)];
}

/* ---- Closures ---------------------------------------------------------------------------------
 */

typedef struct closure {
    clprims_paths_desc desc;
    clprims_paths *plan;
    limits limits;
} closure;

/* An edge's length near `scale`, cut at the limits. */
static int64_t near_scale(const limits *l, int64_t scale, int64_t spread, bool negative) {
    int64_t length = scale - (int64_t)test_random_below((uint64_t)spread + 1);
    if (test_random_below(4) == 0) length += (int64_t)test_random_below(3);
    if (length > l->most) length = l->most;
    if (negative) length = -length < l->least ? l->least : -length;
    return length;
}

/* Potentials keep cycles at or above zero, so that lengths of both signs are near the limits. */
static void draw_edges(const limits *l, size_t n, int64_t *edge) {
    const uint64_t kind = test_random_below(5), share = 1 + test_random_below(16);
    const size_t hops = fuzz_between(1, n);
    const int64_t scale = kind == 4 ? 100 : l->most / (int64_t)hops;
    const int64_t spread = test_random_below(2) ? 3 : scale / 2;
    int64_t *potential = test_alloc(n, sizeof *potential);
    for (size_t i = 0; i < n; i++)
        potential[i] = (int64_t)test_random_below((uint64_t)l->most / (1 + kind) + 1);
    for (size_t cell = 0; cell < n * n; cell++) {
        const size_t from = cell / n, to = cell % n;
        edge[cell] = l->none;
        if (kind <= 1 ? to != from + 1 && test_random_below(64) >= share : from == to) continue;
        if (kind > 1 && test_random_below(16) >= share) continue;
        edge[cell] = near_scale(l, scale, spread, kind == 1 || (kind == 3 && fuzz_coin()));
        if (kind != 2) continue;
        edge[cell] = potential[from] - potential[to] + (int64_t)test_random_below(3);
        if (!is_within(l, edge[cell])) edge[cell] = l->none;
    }
    free(potential);
}

enum { UNREACHED = 127 }; /* as an exponent: no path is that long */

static wide unreached(void) {
    return (wide)1 << (UNREACHED - 1);
}

/* Floyd and Warshall until a cycle is negative; whether one is. */
static bool close_exactly(wide *d, size_t n) {
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                if (d[i * n + k] == unreached() || d[k * n + j] == unreached()) continue;
                const wide sum = d[i * n + k] + d[k * n + j];
                if (sum < d[i * n + j]) d[i * n + j] = sum;
            }
        for (size_t i = 0; i < n; i++)
            if (d[i * n + i] < 0) return true;
    }
    return false;
}

static void expect_report(const closure *c, const clprims_paths_report *report, size_t n,
                          const wide *exact, size_t given, int64_t length, bool negative) {
    size_t beyond = 0;
    for (size_t i = 0; i < n * n && !negative; i++)
        beyond +=
            exact[i] != unreached() && (exact[i] < c->limits.least || exact[i] > c->limits.most);
    const clprims_status status = clprims_paths_check(report);
    if (given < n * n) {
        if (report->given != 1 || report->from != (int32_t)(given / n) ||
            report->to != (int32_t)(given % n) || report->length != length || report->vertex != -1)
            test_fail("the report names the edge from %d to %d of length %lld", (int)report->from,
                      (int)report->to, (long long)report->length);
    } else if (negative) {
        if (report->vertex >= (int32_t)n || report->given != 0 ||
            (report->vertex < 0 && report->from < 0))
            test_fail("a negative cycle was not seen");
    } else if (beyond > 0) {
        const size_t cell = (size_t)report->from * n + (size_t)report->to;
        if (report->vertex != -1 || report->from < 0 || report->given != 0 ||
            is_within(&c->limits, report->length) || exact[cell] == unreached() ||
            (wide)report->length < exact[cell])
            test_fail("%zu lengths are out of range, the report names vertex %d, from %d to %d",
                      beyond, (int)report->vertex, (int)report->from, (int)report->to);
    } else if (status != CLPRIMS_OK) {
        test_fail("all lengths are in range: %s", clprims_last_error()->message);
    }
    if (given < n * n || negative || beyond > 0) assert_int_equal(status, CLPRIMS_ERR_DATA);
}

static void expect_lengths(const closure *c, const void *d, const int32_t *via, const int64_t *edge,
                           const wide *exact, size_t n) {
    for (size_t i = 0; i < n * n; i++) {
        const bool reached = exact[i] != unreached();
        const int64_t want = reached ? (int64_t)exact[i] : c->limits.none;
        if (get(c->limits.type, d, i) != want)
            test_fail("from %zu to %zu: %lld, not %lld", i / n, i % n,
                      (long long)get(c->limits.type, d, i), (long long)want);
        if (via == NULL || i / n == i % n || !reached) continue;
        const size_t before = (size_t)via[i];
        if (before >= n || exact[i / n * n + before] + edge[before * n + i % n] != exact[i])
            test_fail("via(%zu, %zu) = %d", i / n, i % n, (int)via[i]);
    }
}

static void run_closure(closure *c) {
    const limits *l = &c->limits;
    const size_t n = fuzz_between(1, fuzz_coin() ? 8 : c->desc.max_n);
    const size_t bytes = clprims_type_bytes(l->type);
    int64_t *edge = test_alloc(n * n, sizeof *edge);
    wide *exact = test_alloc(n * n, sizeof *exact);
    char *d = test_alloc(n * n, bytes);
    int32_t *via = test_alloc(n * n, sizeof *via);
    size_t given = n * n;
    draw_edges(l, n, edge);
    for (size_t some = test_random_below(6) == 0 ? fuzz_between(1, 3) : 0; some > 0; some--) {
        const size_t cell = test_random_below(n * n);
        edge[cell] = draw_beyond(l);
        if (cell < given) given = cell;
    }
    fuzz_note("closure of %s, n %zu of %zu, predecessors %d, no edge %lld, tuning %s",
              clprims_type_name(l->type), n, c->desc.max_n, c->desc.predecessors,
              (long long)l->none, c->desc.tuning ? c->desc.tuning : "none");
    for (size_t i = 0; i < n * n; i++) {
        put(l->type, d, i, edge[i]);
        exact[i] = edge[i] == l->none ? unreached() : edge[i];
        if (i / n == i % n && exact[i] > 0) exact[i] = 0;
    }
    const bool negative = given == n * n && close_exactly(exact, n);
    clprims_paths_report report;
    test_buffer lengths = test_buffer_create(d, n * n, bytes, 2);
    test_buffer befores = test_buffer_create(NULL, n * n, sizeof *via, 3);
    test_buffer found = test_buffer_create(NULL, 1, sizeof report, 1);
    const clprims_matrix m = {lengths.at.mem, 2, n, 0};
    const clprims_matrix v = {c->desc.predecessors ? befores.at.mem : NULL, 3, n, 0};
    expect_ok(clprims_paths_enqueue(c->plan, test_queue(), m, v, n, found.at, 0, NULL, NULL));
    test_buffer_read(&found, &report);
    test_buffer_read(&lengths, d);
    test_buffer_read(&befores, via);
    expect_report(c, &report, n, exact, given, given < n * n ? edge[given] : 0, negative);
    if (report.vertex < 0 && report.from < 0)
        expect_lengths(c, d, c->desc.predecessors ? via : NULL, edge, exact, n);
    test_buffer_release(&lengths);
    test_buffer_release(&befores);
    test_buffer_release(&found);
    free(edge);
    free(exact);
    free(d);
    free(via);
}

void fuzz_paths_limits(void) {
    closure c = {.desc = CLPRIMS_PATHS_DESC_INIT};
    c.desc.type = c.limits.type = fuzz_coin() ? CLPRIMS_I32 : CLPRIMS_I64;
    c.desc.max_n = test_small() ? 12 : 80;
    c.desc.predecessors = fuzz_coin();
    c.desc.tuning = draw_tuning();
    const int64_t quarter = quarter_of(c.desc.type), default_none = 2 * quarter - 1;
    const int64_t nones[] = {default_none, default_none, 2 * default_none + 1,
                             quarter / 2 + (int64_t)test_random_below((uint64_t)quarter), 1000};
    c.limits.none = nones[test_random_below(5)];
    c.limits.least = -quarter;
    c.limits.most = c.limits.none - 1 < quarter - 1 ? c.limits.none - 1 : quarter - 1;
    int32_t narrow = (int32_t)c.limits.none;
    if (c.limits.none != default_none) {
        c.desc.no_edge = c.desc.type == CLPRIMS_I64 ? (void *)&c.limits.none : (void *)&narrow;
    }
    fuzz_note("closures of %s", clprims_type_name(c.desc.type));
    if (!fuzz_created(clprims_paths_create(&c.plan, test_context(), &c.desc))) return;
    const size_t runs = test_small() ? 4 : 40;
    for (size_t i = 0; i < runs; i++) run_closure(&c);
    clprims_paths_destroy(c.plan);
}

/* ---- Products ---------------------------------------------------------------------------------
 */

typedef struct product {
    clprims_minplus_desc desc;
    clprims_minplus *plan;
    limits limits, sums; /* of A and B, of C */
} product;

static int64_t draw_length(const limits *l) {
    const uint64_t kind = test_random_below(8);
    const int64_t some = (int64_t)test_random_below((uint64_t)quarter_of(l->type));
    if (kind <= 1) return l->none;
    if (kind == 2) return l->least;
    if (kind == 3) return l->most;
    const int64_t value = kind == 4   ? l->least + some % 3
                          : kind == 5 ? l->most - some % 3
                          : kind == 6 ? some - quarter_of(l->type) / 2
                                      : some % 100 - 50;
    return is_within(l, value) ? value : l->none;
}

/* Elements, of which one in twelve arrays has one that is no length: its place, or count. */
static size_t draw_lengths(const limits *l, void *values, size_t count) {
    for (size_t i = 0; i < count; i++) put(l->type, values, i, draw_length(l));
    if (count == 0 || test_random_below(12) > 0) return count;
    const size_t at = test_random_below(count);
    put(l->type, values, at, draw_beyond(l));
    return at;
}

/* Whether x is the better of two; no edge never is. */
static bool is_better(const product *p, wide x, wide than) {
    return p->desc.semiring == CLPRIMS_MAX_PLUS ? x > than : x < than;
}

static void expect_product(const product *p, const void *a, const void *b, const void *before,
                           const void *c, const int32_t *argmin, clprims_minplus_size s) {
    const clprims_type type = p->limits.type;
    const int64_t none = p->limits.none;
    for (size_t cell = 0; cell < s.m * s.n; cell++) {
        wide best = p->desc.accumulate ? get(type, before, cell) : none;
        int32_t from = p->desc.accumulate ? -7 : -1;
        for (size_t k = 0; k < s.k; k++) {
            const wide x = get(type, a, cell / s.n * s.k + k),
                       y = get(type, b, k * s.n + cell % s.n);
            if (x == none || y == none) continue;
            const wide both = p->desc.semiring == CLPRIMS_MIN_MAX ? (x > y ? x : y) : x + y;
            if (!is_better(p, both, best)) continue;
            best = both;
            from = (int32_t)k;
        }
        if ((wide)get(type, c, cell) != best)
            test_fail("c(%zu, %zu) = %lld, not %lld", cell / s.n, cell % s.n,
                      (long long)get(type, c, cell), (long long)best);
        if (argmin != NULL && argmin[cell] != from)
            test_fail("argmin(%zu, %zu) = %d, not %d", cell / s.n, cell % s.n, (int)argmin[cell],
                      (int)from);
    }
}

static void run_product(product *p) {
    const size_t most = test_small() ? 9 : 40, bytes = clprims_type_bytes(p->limits.type);
    const clprims_minplus_size s = {fuzz_between(1, most), fuzz_between(1, most),
                                    fuzz_between(0, most), 1};
    char *a = test_alloc(s.m * s.k, bytes), *b = test_alloc(s.k * s.n, bytes);
    char *c = test_alloc(s.m * s.n, bytes), *before = test_alloc(s.m * s.n, bytes);
    int32_t *argmin = test_alloc(s.m * s.n, sizeof *argmin);
    const bool a_is_bad = draw_lengths(&p->limits, a, s.m * s.k) < s.m * s.k;
    const bool b_is_bad = draw_lengths(&p->limits, b, s.k * s.n) < s.k * s.n;
    const bool c_is_bad = draw_lengths(&p->sums, c, s.m * s.n) < s.m * s.n && p->desc.accumulate;
    memcpy(before, c, s.m * s.n * bytes);
    for (size_t i = 0; i < s.m * s.n; i++) argmin[i] = -7;
    fuzz_note("%s of %s, %zu x %zu x %zu, accumulate %d, argmin %d, no edge %lld, tuning %s",
              clprims_semiring_name(p->desc.semiring), clprims_type_name(p->limits.type), s.m, s.n,
              s.k, p->desc.accumulate, p->desc.argmin, (long long)p->limits.none,
              p->desc.tuning ? p->desc.tuning : "none");
    const clprims_status status =
        clprims_minplus_run(p->plan, a, b, c, p->desc.argmin ? argmin : NULL, s);
    if (a_is_bad || b_is_bad || c_is_bad) {
        expect_failure(status, CLPRIMS_ERR_DATA,
                       a_is_bad   ? "minplus: a("
                       : b_is_bad ? "minplus: b("
                                  : "minplus: c(");
        expect_elements(before, c, s.m * s.n, bytes);
    } else {
        expect_ok(status);
        expect_product(p, a, b, before, c, p->desc.argmin ? argmin : NULL, s);
    }
    free(a);
    free(b);
    free(c);
    free(before);
    free(argmin);
}

void fuzz_minplus_limits(void) {
    product p = {.desc = CLPRIMS_MINPLUS_DESC_INIT};
    p.desc.type = fuzz_coin() ? CLPRIMS_I32 : CLPRIMS_I64;
    p.desc.semiring = (clprims_semiring)fuzz_between(CLPRIMS_MIN_PLUS, CLPRIMS_MIN_MAX);
    p.desc.accumulate = fuzz_coin();
    p.desc.argmin = fuzz_coin();
    p.desc.tuning = draw_tuning();
    const bool mirrored = p.desc.semiring == CLPRIMS_MAX_PLUS;
    const int64_t quarter = quarter_of(p.desc.type), far = 2 * quarter - !mirrored;
    int64_t none = fuzz_coin() ? far : 1 + (int64_t)test_random_below((uint64_t)far);
    if (mirrored) none = -none;
    int32_t narrow = (int32_t)none;
    p.desc.no_edge = p.desc.type == CLPRIMS_I64 ? (void *)&none : (void *)&narrow;
    p.limits = (limits){p.desc.type, -quarter, (none - 1) / 2, none};
    p.sums = (limits){p.desc.type, -2 * quarter, none - 1, none};
    if (mirrored) {
        p.limits = (limits){p.desc.type, (none + 1) / 2, quarter - 1, none};
        p.sums = (limits){p.desc.type, none + 1, 2 * (quarter - 1), none};
    } else if (p.desc.semiring == CLPRIMS_MIN_MAX) {
        p.limits.least = p.sums.least = -4 * (quarter - 1) - 4;
        p.limits.most = p.sums.most;
    }
    fuzz_note("products of %s", clprims_type_name(p.desc.type));
    if (!fuzz_created(clprims_minplus_create(&p.plan, test_context(), &p.desc))) return;
    const size_t runs = test_small() ? 4 : 30;
    for (size_t i = 0; i < runs; i++) run_product(&p);
    clprims_minplus_destroy(p.plan);
}
