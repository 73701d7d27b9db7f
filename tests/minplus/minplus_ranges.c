/* SPDX-License-Identifier: MIT */
/* Integers at the limits of lengths: what is exact, and what is refused by name. */
#include "minplus/minplus_cases.h"

/* ---- Paths ------------------------------------------------------------------------------------
 */

enum { VERTICES = 9 };

/* A chain 0 -> 1 -> ... of so many edges of one length: in units of 2^27 (int64: 2^59), and `more`.
 */
typedef struct chain_case {
    const char *name;
    clprims_type type;
    int units, more;
    size_t edges;
    const char *part; /* of the message; NULL: all is right */
    int predecessors;
} chain_case;

static int64_t unit_of(clprims_type type) {
    return (int64_t)1 << (type == CLPRIMS_I64 ? 59 : 27);
}

static int64_t default_no_edge(clprims_type type) {
    return type == CLPRIMS_I64 ? CLPRIMS_NO_EDGE_I64 : CLPRIMS_NO_EDGE_I32;
}

static void put(clprims_type type, void *values, size_t at, int64_t value) {
    test_store_integer(clprims_type_bytes(type), values, at, (uint64_t)value);
}

static int64_t get(clprims_type type, const void *values, size_t at) {
    return (int64_t)oracle_load_integer(type, values, at);
}

static clprims_paths_desc describe(clprims_type type, int predecessors, const void *no_edge) {
    clprims_paths_desc desc = {
        .type = type, .max_n = 200, .predecessors = predecessors, .no_edge = no_edge};
    return desc;
}

static clprims_status close_plain(clprims_paths *paths, void *d, size_t n) {
    const clprims_paths_arrays arrays = {.d = d};
    return clprims_paths_run(paths, &arrays, n);
}

static void chain_is_exact_or_refused(const void *data) {
    const chain_case *p = data;
    const int64_t length = p->units * unit_of(p->type) + p->more;
    int64_t d[VERTICES * VERTICES] = {0}, before[VERTICES * VERTICES];
    int32_t via[VERTICES * VERTICES];
    const clprims_paths_desc desc = describe(p->type, p->predecessors, NULL);
    minplus_want_serial_closure(p->type, VERTICES);
    for (size_t i = 0; i < VERTICES * VERTICES; i++) {
        const bool is_edge = i % VERTICES == i / VERTICES + 1 && i / VERTICES < p->edges;
        put(p->type, d, i, is_edge ? length : default_no_edge(p->type));
    }
    memcpy(before, d, sizeof d);
    const clprims_paths_arrays arrays = {d, p->predecessors ? via : NULL};
    const clprims_status status = clprims_paths_run(paths_plan(&desc), &arrays, VERTICES);
    if (p->part != NULL) {
        expect_failure(status, CLPRIMS_ERR_DATA, p->part);
        expect_elements(before, d, VERTICES * VERTICES, clprims_type_bytes(p->type));
        return;
    }
    expect_status_ok(status);
    for (size_t i = 0; i < VERTICES * VERTICES; i++) {
        const size_t from = i / VERTICES, to = i % VERTICES;
        const bool reached = from == to || (from < to && to <= p->edges);
        const int64_t want = reached ? (int64_t)(to - from) * length : default_no_edge(p->type);
        if (get(p->type, d, i) != want)
            test_fail("from %zu to %zu: %lld, not %lld", from, to, (long long)get(p->type, d, i),
                      (long long)want);
    }
}

/* An edge that is no length, in a late row. */
typedef struct given_case {
    const char *name;
    clprims_type type;
    int64_t given;
    const char *part; /* NULL: it is taken */
} given_case;

static void given_is_taken_or_refused(const void *data) {
    const size_t n = test_small() ? 20 : 160, from = n - 10, to = 3;
    const given_case *p = data;
    const clprims_paths_desc desc = describe(p->type, 0, NULL);
    const size_t bytes = clprims_type_bytes(p->type);
    char *d = test_scratch(n * n, bytes);
    clprims_paths *paths = paths_plan(&desc);
    for (size_t i = 0; i < n * n; i++) put(p->type, d, i, default_no_edge(p->type));
    put(p->type, d, from * n + to, p->given);
    put(p->type, d, (from + 1) * n, p->given);
    put(p->type, d, (from + 1) * n + 1, -1);
    /* A negative cycle is not what is told then. */
    if (p->part != NULL) put(p->type, d, 0, -1);
    clprims_paths_report report = {-7, -7, -7, -7, -7};
    test_buffer lengths = test_buffer_create(d, n * n, bytes, 1);
    test_buffer found = test_buffer_create(NULL, 1, sizeof report, 1);
    const clprims_paths_buffers buffers = {.d = {lengths.at.mem, 1, n, 0}, .report = found.at};
    expect_ok(clprims_paths_enqueue(paths, test_queue(), &buffers, n, 0, NULL, NULL));
    test_buffer_read(&found, &report);
    if (p->part == NULL) {
        expect_ok(clprims_paths_check(&report));
        expect_ok(close_plain(paths, d, n));
        assert_true(get(p->type, d, from * n + to) == p->given);
    } else {
        assert_int_equal(report.from, from);
        assert_int_equal(report.to, to);
        assert_int_equal(report.given, 1);
        assert_true(report.length == p->given);
        expect_failure(clprims_paths_check(&report), CLPRIMS_ERR_DATA, p->part);
        expect_failure(close_plain(paths, d, n), CLPRIMS_ERR_DATA, p->part);
    }
}

/* The caller's own value for no edge. */
static void own_no_edge_is_kept(const void *data) {
    const int32_t none = *(const int32_t *)data, most = none <= 1 << 29 ? none - 1 : (1 << 29) - 1;
    const int32_t length = most / 2;
    const clprims_paths_desc desc = describe(CLPRIMS_I32, 0, &none);
    clprims_paths *paths = NULL;
    int32_t d[9] = {none, length, none, none, none, length, none, none, none};
    const int32_t want[9] = {0, length, 2 * length, none, 0, length, none, none, 0};
    int32_t beyond[4] = {0, most, none, 0}, last[9];
    memcpy(last, d, sizeof d);
    expect_ok(clprims_paths_create(&paths, test_context(), &desc));
    expect_ok(close_plain(paths, d, 3));
    expect_values(CLPRIMS_I32, want, d, 9);
    expect_ok(close_plain(paths, beyond, 2));
    last[1]++;
    last[5]++;
    expect_failure(close_plain(paths, last, 3), CLPRIMS_ERR_DATA,
                   "the shortest path from vertex 0 to vertex 2");
    beyond[1] = none;
    if (none < INT32_MAX) {
        beyond[2] = none + 1;
        expect_failure(close_plain(paths, beyond, 2), CLPRIMS_ERR_DATA,
                       "the edge from vertex 1 to vertex 0");
    }
    clprims_paths_destroy(paths);
}

/* ---- Products ---------------------------------------------------------------------------------
 */

typedef struct value_case {
    const char *name;
    clprims_semiring semiring;
    clprims_type type;
    char operand;
    int64_t value;
    const char *part; /* NULL: it is taken */
} value_case;

static void value_is_taken_or_refused(const void *data) {
    enum { M = 3, n = 4, K = 5, BATCH = 2 };
    const value_case *p = data;
    clprims_minplus_desc desc = {.type = CLPRIMS_F32};
    int64_t a[M * K * BATCH] = {0}, b[K * n * BATCH] = {0}, c[M * n * BATCH] = {0},
                      before[M * n * BATCH];
    desc.type = p->type;
    desc.semiring = p->semiring;
    desc.accumulate = 1;
    void *values = p->operand == 'a' ? a : p->operand == 'b' ? b : c;
    const size_t last = (p->operand == 'a' ? M * K : p->operand == 'b' ? K * n : M * n) * BATCH - 1;
    put(p->type, values, last, p->value);
    memcpy(before, c, sizeof c);
    clprims_minplus *minplus = minplus_plan(&desc);
    const clprims_minplus_arrays arrays = {a, b, c, NULL, {M, K, BATCH}};
    const clprims_status status = clprims_minplus_run(minplus, &arrays, n);
    if (p->part == NULL) {
        /* The other operands are 0. */
        const bool stays = p->semiring == CLPRIMS_MIN_PLUS ? p->value < 0 : p->value > 0;
        expect_status_ok(status);
        if (p->operand == 'c') assert_int_equal(get(p->type, c, last), stays ? p->value : 0);
        return;
    }
    expect_failure(status, CLPRIMS_ERR_DATA, p->part);
    expect_elements(before, c, M * n * BATCH, clprims_type_bytes(p->type));
}

/* ---- Cases ------------------------------------------------------------------------------------
 */

static void add_chains(test_cases *cases) {
    static const char *const beyond = "out of the range of lengths";
    static const chain_case chains[] = {
        {"-2^28", CLPRIMS_I32, -2, 0, 8, beyond, 0},
        {"-2^27", CLPRIMS_I32, -1, 0, 8, "from vertex 0 to vertex 5 has length -671088640", 0},
        {"2^28", CLPRIMS_I32, 2, 0, 8, "from vertex 0 to vertex 2 has length 536870912", 0},
        {"2^29-1", CLPRIMS_I32, 4, -1, 8, "from vertex 0 to vertex 2 has length 1073741822", 0},
        {"2^29-1", CLPRIMS_I32, 4, -1, 1, NULL, 0},
        {"-2^29", CLPRIMS_I32, -4, 0, 1, NULL, 0},
        {"-2^28", CLPRIMS_I32, -2, 0, 2, NULL, 0},
        {"2^28-1", CLPRIMS_I32, 2, -1, 2, NULL, 0},
        {"-2^27", CLPRIMS_I32, -1, 0, 4, NULL, 0},
        {"-2^60", CLPRIMS_I64, -2, 0, 8, beyond, 0},
        {"2^60", CLPRIMS_I64, 2, 0, 8, "from vertex 0 to vertex 2 has length 2305843009213693952",
         0},
        {"-2^59", CLPRIMS_I64, -1, 0, 4, NULL, 0},
        {"2^59-1", CLPRIMS_I64, 1, -1, 4, NULL, 0}};
    enum { CHAINS = sizeof chains / sizeof *chains };
    for (size_t i = 0; i < 4 * (size_t)CHAINS; i++) {
        chain_case c = chains[i % CHAINS];
        c.predecessors = i / CHAINS % 2;
        if ((c.type == CLPRIMS_I64) != (i / CHAINS / 2 == 1)) continue;
        if (test_small() && i % 5 != 0) continue;
        test_add_row(cases, chain_is_exact_or_refused, c, "minplus/limits/chain/%s/edges=%zu*%s%s",
                     clprims_type_name(c.type), c.edges, c.name,
                     c.predecessors ? "/predecessors" : "");
    }
}

static void add_given(test_cases *cases) {
    static const given_case given[] = {
        {"10^9", CLPRIMS_I32, 1000000000, "to vertex 3 has length 1000000000"},
        {"INT32_MAX", CLPRIMS_I32, INT32_MAX, "to vertex 3 has length 2147483647"},
        {"INT32_MIN", CLPRIMS_I32, INT32_MIN, "to vertex 3 has length -2147483648"},
        {"2^29", CLPRIMS_I32, 1 << 29, "to vertex 3 has length 536870912"},
        {"-2^29-1", CLPRIMS_I32, -(1 << 29) - 1, "to vertex 3 has length -536870913"},
        {"no-edge+1", CLPRIMS_I32, CLPRIMS_NO_EDGE_I32 + 1, "to vertex 3 has length 1073741824"},
        {"no-edge-1", CLPRIMS_I32, CLPRIMS_NO_EDGE_I32 - 1, "to vertex 3 has length 1073741822"},
        {"2^29-1", CLPRIMS_I32, (1 << 29) - 1, NULL},
        {"no-edge", CLPRIMS_I32, CLPRIMS_NO_EDGE_I32, NULL},
        {"INT64_MAX", CLPRIMS_I64, INT64_MAX, "vertex 3 has length 9223372036854775807"},
        {"INT64_MIN", CLPRIMS_I64, INT64_MIN, "vertex 3 has length -9223372036854775808"},
        {"2^61-1", CLPRIMS_I64, ((int64_t)1 << 61) - 1, NULL},
        {"-2^61-1", CLPRIMS_I64, -((int64_t)1 << 61) - 1, "has length -2305843009213693953"}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        if (test_small() && i % 6 != 0) continue;
        test_add_row(cases, given_is_taken_or_refused, given[i], "minplus/limits/given/%s/%s",
                     clprims_type_name(given[i].type), given[i].name);
    }
}

static void add_values(test_cases *cases) {
    static const int64_t quarter = 1 << 29, none = CLPRIMS_NO_EDGE_I32;
    const value_case values[] = {
        {"2^29", CLPRIMS_MIN_PLUS, CLPRIMS_I32, 'a', quarter, "a(2, 4) of matrix 1 is 536870912"},
        {"2^29-1", CLPRIMS_MIN_PLUS, CLPRIMS_I32, 'a', quarter - 1, NULL},
        {"-2^29-1", CLPRIMS_MIN_PLUS, CLPRIMS_I32, 'b', -quarter - 1,
         "b(4, 3) of matrix 1 is -536870913; lengths are from -536870912 to 536870911"},
        {"-2^29", CLPRIMS_MIN_PLUS, CLPRIMS_I32, 'b', -quarter, NULL},
        {"no-edge", CLPRIMS_MIN_PLUS, CLPRIMS_I32, 'b', none, NULL},
        {"INT32_MAX", CLPRIMS_MIN_PLUS, CLPRIMS_I32, 'b', INT32_MAX, "no edge is 1073741823"},
        {"-2^30", CLPRIMS_MIN_PLUS, CLPRIMS_I32, 'c', -2 * quarter, NULL},
        {"-2^30-1", CLPRIMS_MIN_PLUS, CLPRIMS_I32, 'c', -2 * quarter - 1,
         "c(2, 3) of matrix 1 is -1073741825"},
        {"no-edge-1", CLPRIMS_MIN_PLUS, CLPRIMS_I32, 'c', none - 1, NULL},
        {"no-edge+1", CLPRIMS_MIN_PLUS, CLPRIMS_I32, 'c', none + 1, "c(2, 3) of matrix 1"},
        {"2^29", CLPRIMS_MAX_PLUS, CLPRIMS_I32, 'a', quarter, "a(2, 4) of matrix 1 is 536870912"},
        {"2^29-1", CLPRIMS_MAX_PLUS, CLPRIMS_I32, 'a', quarter - 1, NULL},
        {"-2^29", CLPRIMS_MAX_PLUS, CLPRIMS_I32, 'a', -quarter, "a(2, 4) of matrix 1 is -53687091"},
        {"-2^29+1", CLPRIMS_MAX_PLUS, CLPRIMS_I32, 'a', -quarter + 1, NULL},
        {"no-edge", CLPRIMS_MAX_PLUS, CLPRIMS_I32, 'b', -none - 1, NULL},
        {"2^30-2", CLPRIMS_MAX_PLUS, CLPRIMS_I32, 'c', none - 1, NULL},
        {"2^30-1", CLPRIMS_MAX_PLUS, CLPRIMS_I32, 'c', none, "c(2, 3) of matrix 1 is 1073741823"},
        {"no-edge+1", CLPRIMS_MIN_MAX, CLPRIMS_I64, 'a', INT64_MAX / 2 + 1, "a(2, 4) of matrix 1"},
        {"INT64_MIN", CLPRIMS_MIN_MAX, CLPRIMS_I64, 'a', INT64_MIN, NULL}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        test_add_row(cases, value_is_taken_or_refused, values[i],
                     "minplus/limits/values/%s/%s/%c=%s", clprims_semiring_name(values[i].semiring),
                     clprims_type_name(values[i].type), values[i].operand, values[i].name);
}

void add_minplus_limits(test_cases *cases) {
    static const int32_t own[] = {1000000000, INT32_MAX, CLPRIMS_NO_EDGE_I32, 999, 3};
    add_chains(cases);
    add_given(cases);
    for (size_t i = 0; i < (test_small() ? 1 : sizeof own / sizeof *own); i++)
        test_add_row(cases, own_no_edge_is_kept, own[i], "minplus/limits/own-no-edge=%d",
                     (int)own[i]);
    add_values(cases);
}
