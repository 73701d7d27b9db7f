/* SPDX-License-Identifier: MIT */
/* Shortest paths. The variant is the gap between rows in device memory. */
#include "subjects/draws/drawn_matrix.h"

/* The last one is no argument, but has the closure, whose numbers are wide. */
enum { LENGTHS, VIA, REPORT, EXACT };
enum { SIDE = 9, FAULTS_SIDE = 70, GAP = 2 };

SUBJECT_PLAN(paths)
SUBJECT_DESCRIBE(paths, n[0])
SUBJECT_CHECK(paths)

static size_t gap_of(const subject_data *d) {
    return d->is_plain ? 0 : (size_t)d->variant;
}

static clprims_matrix place(const subject_data *d, clprims_buffer at) {
    return drawn_matrix_at(at, d->n[0], d->n[0], gap_of(d));
}

static clprims_status enqueue(void *plan, const subject_data *d, const subject_submission *s) {
    const clprims_paths_buffers buffers = {
        .d = place(d, s->at[LENGTHS]), .via = place(d, s->at[VIA]), .report = s->at[REPORT]};
    return clprims_paths_enqueue(plan, s->queue, SUBJECT_GIVEN(d, &buffers), d->n[0],
                                 SUBJECT_WAITS(s));
}

SUBJECT_RUN(paths, .d = at[LENGTHS], .via = at[VIA])

/* ---- Edges ---- */

/* Of floats such that all sums are exact. */
static drawn_limits limits_of(const clprims_paths_desc *desc) {
    const int64_t quarter = drawn_quarter(desc->type);
    drawn_limits l = {desc->type, -quarter, quarter - 1, 2 * quarter - 1};
    if (desc->type >= CLPRIMS_F32)
        return (drawn_limits){desc->type, -(1 << 16), 1 << 16, INT64_MAX};
    if (desc->no_edge != NULL) l.none = drawn_get(&l, desc->no_edge, 0);
    if (l.most >= l.none) l.most = l.none - 1;
    return l;
}

/* Of a fifth of the pairs none. */
static void draw_short_edges(const drawn_limits *l, size_t n, int64_t *edge) {
    const uint64_t most = l->most < 1000000 ? (uint64_t)l->most : 1000000;
    for (size_t cell = 0; cell < n * n; cell++) {
        edge[cell] = test_random_below(5) == 0 ? l->none : (int64_t)test_random_below(most);
    }
}

/* An edge's length near `scale`, cut at the limits. */
static int64_t near_scale(const drawn_limits *l, int64_t scale, int64_t spread, bool negative) {
    int64_t length = scale - (int64_t)test_random_below((uint64_t)spread + 1);
    if (test_random_below(4) == 0) length += (int64_t)test_random_below(3);
    if (length > l->most) length = l->most;
    if (negative) length = -length < l->least ? l->least : -length;
    return length;
}

/* Potentials keep cycles at or above zero, so that lengths of both signs are near the limits. */
static void draw_edges(const drawn_limits *l, size_t n, int64_t *edge) {
    const uint64_t kind = test_random_below(5), share = 1 + test_random_below(16);
    const size_t hops = 1 + test_random_below(n);
    const int64_t scale = kind == 4 ? 100 : l->most / (int64_t)hops;
    const int64_t spread = test_random_below(2) ? 3 : scale / 2;
    int64_t *potential = test_alloc(n, sizeof *potential);
    for (size_t i = 0; i < n; i++) {
        potential[i] = (int64_t)test_random_below((uint64_t)l->most / (1 + kind) + 1);
    }
    for (size_t cell = 0; cell < n * n; cell++) {
        const size_t from = cell / n, to = cell % n;
        edge[cell] = l->none;
        if (kind <= 1 ? to != from + 1 && test_random_below(64) >= share : from == to) continue;
        if (kind > 1 && test_random_below(16) >= share) continue;
        const bool negative = kind == 1 || (kind == 3 && test_random_below(2) == 0);
        edge[cell] = near_scale(l, scale, spread, negative);
        if (kind != 2) continue;
        edge[cell] = potential[from] - potential[to] + (int64_t)test_random_below(3);
        if (!drawn_is_length(l, edge[cell])) edge[cell] = l->none;
    }
    free(potential);
}

/* ---- The closure ---- */

static drawn_wide unreached(void) {
    return (drawn_wide)1 << 126; /* no path is as long */
}

/* Floyd and Warshall until a cycle is negative; whether one is. */
static bool close_exactly(drawn_wide *exact, size_t n) {
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < n; i++) {
            if (exact[i * n + k] == unreached()) continue;
            for (size_t j = 0; j < n; j++) {
                if (exact[k * n + j] == unreached()) continue;
                const drawn_wide sum = exact[i * n + k] + exact[k * n + j];
                if (sum < exact[i * n + j]) exact[i * n + j] = sum;
            }
        }
        for (size_t i = 0; i < n; i++) {
            if (exact[i * n + i] < 0) return true;
        }
    }
    return false;
}

/* What is wrong with a report of a negative cycle, or of a path that is too long. */
static const char *judge_report(const subject_data *d, const clprims_paths_report *report) {
    const drawn_limits l = limits_of(d->desc);
    const size_t n = d->n[0], cell = (size_t)report->from * n + (size_t)report->to;
    const drawn_wide *exact = d->at[EXACT].values;
    const bool names_pair = report->from >= 0 && report->to >= 0 && cell < n * n;
    if (report->given != 0 || report->vertex >= (int32_t)n) return "the report names an edge";
    if (exact == NULL) {
        return report->vertex >= 0 || names_pair ? NULL : "a negative cycle was not seen";
    }
    const bool is_beyond = names_pair && report->vertex == -1 &&
                           !drawn_is_length(&l, report->length) && exact[cell] != unreached() &&
                           (drawn_wide)report->length >= exact[cell];
    return is_beyond ? NULL : "the report names no path that is too long";
}

/* The vertex before j on a path from i is where its last edge begins. */
static const char *judge(const subject_data *d, void *const *results) {
    static _Thread_local char text[160];
    const drawn_limits l = limits_of(d->desc);
    const size_t n = d->n[0], ld = n + gap_of(d);
    const drawn_wide *exact = d->at[EXACT].values;
    const int32_t *via = results[VIA];
    if (d->verdict != CLPRIMS_OK) {
        return results[REPORT] != NULL ? judge_report(d, results[REPORT]) : NULL;
    }
    for (size_t cell = 0; via != NULL && cell < n * n; cell++) {
        const size_t from = cell / n, to = cell % n, at = from * ld + to, before = (size_t)via[at];
        const bool is_inside = via[at] >= 0 && before < n;
        if (from == to || exact[cell] == unreached()) {
            if (via[at] == -1) continue;
        } else if (is_inside) {
            const int64_t last = drawn_get(&l, d->at[LENGTHS].values, before * ld + to);
            if (last != l.none && exact[from * n + before] + last == exact[cell]) continue;
        }
        snprintf(text, sizeof text, "%d is not before %zu on the way from %zu", (int)via[at], to,
                 from);
        return text;
    }
    return NULL;
}

/* ---- Data ---- */

/* Up to three edges are no lengths; the first of them, or n * n. */
static size_t spoil(const subject_data *d, const drawn_limits *l, int64_t *edge) {
    const size_t n = d->n[0];
    size_t first = n * n;
    if (!d->may_be_malformed || l->type >= CLPRIMS_F32 || n == 0) return first;
    for (size_t k = test_random_below(6) == 0 ? 1 + test_random_below(3) : 0; k > 0; k--) {
        const size_t cell = test_random_below(n * n);
        edge[cell] = drawn_beyond(l);
        if (cell < first) first = cell;
    }
    return first;
}

/* Whether the closure has a length that the plan's type has not. */
static bool is_beyond(const drawn_limits *l, const drawn_wide *exact, size_t n) {
    if (l->type >= CLPRIMS_F32) return false;
    for (size_t i = 0; i < n * n; i++) {
        if (exact[i] != unreached() && (exact[i] < l->least || exact[i] > l->most)) return true;
    }
    return false;
}

/* Nothing of d and via is defined, or all of it by the closure. */
static void settle(subject_data *d, const drawn_limits *l, bool is_right) {
    const size_t n = d->n[0], ld = n + gap_of(d);
    const drawn_wide *exact = d->at[EXACT].values;
    for (size_t cell = 0; is_right && cell < n * n; cell++) {
        const int64_t length = exact[cell] == unreached() ? l->none : (int64_t)exact[cell];
        drawn_put(l, d->at[LENGTHS].expected, cell / n * ld + cell % n, length);
    }
    if (is_right) return;
    for (size_t slot = LENGTHS; slot <= VIA; slot++) {
        d->at[slot].written = 0;
        d->at[slot].is_undefined_behind = true;
        d->at[slot].is_judged = false;
    }
    d->status = d->verdict = CLPRIMS_ERR_DATA;
}

static void draw(subject_data *d) {
    const clprims_paths_desc *desc = d->desc;
    const drawn_limits l = limits_of(desc);
    const size_t n = d->n[0], ld = n + gap_of(d);
    const size_t cells = drawn_matrix_cells(n, n, gap_of(d), 1);
    clprims_paths_report report = {-1, -1, -1, 0, 0};
    int64_t *edge = test_alloc(n * n, sizeof *edge);
    drawn_wide *exact = test_scratch(n * n, sizeof *exact);
    drawn_matrix_out(d, LENGTHS, "d", cells, clprims_type_bytes(desc->type));
    if (desc->predecessors) drawn_matrix_out(d, VIA, "via", cells, sizeof(int32_t));
    d->at[VIA].is_judged = desc->predecessors != 0;
    if (d->may_be_malformed && n > 0) {
        draw_edges(&l, n, edge);
    } else {
        draw_short_edges(&l, n, edge);
    }
    const size_t given = spoil(d, &l, edge);
    for (size_t i = 0; i < n * n; i++) {
        const size_t at = i / n * ld + i % n;
        drawn_put(&l, d->at[LENGTHS].values, at, edge[i]);
        drawn_put(&l, d->at[LENGTHS].expected, at, edge[i]);
        exact[i] = edge[i] == l.none ? unreached() : edge[i];
        if (i / n == i % n && exact[i] > 0) exact[i] = 0;
    }
    const bool is_given = given < n * n, is_negative = !is_given && close_exactly(exact, n);
    d->at[EXACT].values = exact;
    if (is_given) {
        report =
            (clprims_paths_report){-1, (int32_t)(given / n), (int32_t)(given % n), 1, edge[given]};
    }
    settle(d, &l, !is_given && !is_negative && !is_beyond(&l, exact, n));
    subject_report(d, REPORT, &report, sizeof report);
    d->at[REPORT].is_judged = d->verdict != CLPRIMS_OK && !is_given;
    if (is_negative) {
        test_scratch_free(exact);
        d->at[EXACT].values = NULL;
    }
    free(edge);
}

#define PATHS(...) SUBJECT_DESC(paths, .type = CLPRIMS_I32, __VA_ARGS__)
#define PREDECESSORS PATHS(.predecessors = 1)

static const subject_call calls[] = {
    {"paths", PREDECESSORS, NULL, .n = {SIDE}, .variant = GAP},
    {"paths-of-none", PREDECESSORS, NULL, .n = {0}, .most = {SIDE}, .variant = GAP},
};

static const subject_sample samples[] = {
    {"paths", PATHS(.predecessors = 0), 300, 1000},
    {"paths/predecessors", PREDECESSORS, 0, 0},
};

/* updates: by groups of many, which close larger blocks by themselves. */
static const subject_fault faults[] = {
    {"paths", "", PREDECESSORS, .n = {FAULTS_SIDE}, .order = SUBJECT_BOTH_ORDERS},
    {"paths", "/updates", PATHS(.predecessors = 0), NULL,
     "HIGH=4 WIDE=8 ROWS=4 COLUMNS=4 DEPTH=8 BARRIERS=1", .n = {FAULTS_SIDE},
     .is_only_created = true},
};

/* Wide tiles among the others. */
static const subject_kind kinds[] = {
    {"floats", "lengths", .desc = SUBJECT_DESC(paths, .type = CLPRIMS_F32), .most = {5000}},
    {"floats", "predecessors", .desc = SUBJECT_DESC(paths, .type = CLPRIMS_F32, .predecessors = 1),
     .most = {5000}},
};

const subject subject_paths = {
    SUBJECT(paths),           .max = {SUBJECT_MAX(paths, max_n)},
    SUBJECT_GROUP(paths),     .plain = SUBJECT_DESC(paths, .type = CLPRIMS_F32, .predecessors = 1),
    .traits.is_square = true, .check = check,
    .judge = judge,           SUBJECT_PLANS,
};
