/* SPDX-License-Identifier: MIT */
/* Shortest paths. The variant is the gap between rows. */
#include "subjects/draws/drawn_matrix.h"

#include <stdio.h>
#include <string.h>

enum { LENGTHS, VIA, REPORT };
enum { SIDE = 9, FAULTS_SIDE = 70, GAP = 2 };

SUBJECT_PLAN(paths)
SUBJECT_CHECK(paths)

static clprims_status enqueue(void *plan, const subject_data *d, const subject_submission *s) {
    const size_t ld = d->n[0] + (size_t)d->variant;
    return clprims_paths_enqueue(plan, s->queue, drawn_matrix_at(s->at[LENGTHS], ld),
                                 drawn_matrix_at(s->at[VIA], ld), d->n[0], s->at[REPORT],
                                 SUBJECT_WAITS(s));
}

static clprims_status run(void *plan, const subject_data *d, void *const *at) {
    return clprims_paths_run(plan, at[LENGTHS], at[VIA], d->n[0]);
}

static int32_t joined(int32_t a, int32_t b) {
    return a == CLPRIMS_NO_EDGE_I32 || b == CLPRIMS_NO_EDGE_I32 ? CLPRIMS_NO_EDGE_I32 : a + b;
}

static void close_plainly(int32_t *d, size_t n, size_t ld) {
    for (size_t i = 0; i < n; i++) d[i * ld + i] = 0;
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < n; i++) {
            if (d[i * ld + k] == CLPRIMS_NO_EDGE_I32) continue;
            for (size_t j = 0; j < n; j++) {
                const int32_t way = joined(d[i * ld + k], d[k * ld + j]);
                if (way < d[i * ld + j]) d[i * ld + j] = way;
            }
        }
    }
}

/* The vertex before j on a path from i is where its last edge begins. */
static const char *judge(const subject_data *d, void *const *results) {
    static _Thread_local char text[160];
    const size_t n = d->n[0], ld = n + (size_t)d->variant;
    const int32_t *edges = d->at[LENGTHS].values, *lengths = d->at[LENGTHS].expected;
    const int32_t *via = results[VIA];
    for (size_t cell = 0; via != NULL && cell < n * n; cell++) {
        const size_t from = cell / n, to = cell % n, at = from * ld + to, before = (size_t)via[at];
        const bool none = from == to || lengths[at] == CLPRIMS_NO_EDGE_I32;
        const bool inside = via[at] >= 0 && before < n;
        if (none ? via[at] == -1
                 : inside && joined(lengths[from * ld + before], edges[before * ld + to]) ==
                                 lengths[at]) {
            continue;
        }
        snprintf(text, sizeof text, "%d is not before %zu on the way from %zu", (int)via[at], to,
                 from);
        return text;
    }
    return NULL;
}

static void draw(subject_data *d) {
    const clprims_paths_desc *desc = d->desc;
    const clprims_paths_report report = {-1, -1, -1, 0, 0};
    const size_t n = d->n[0], ld = n + (size_t)d->variant;
    const size_t cells = drawn_matrix_cells(n, n, (size_t)d->variant);
    int32_t *closed = drawn_matrix_out(d, LENGTHS, "d", cells);
    drawn_matrix_fill(d->at[LENGTHS].values, cells);
    memcpy(closed, d->at[LENGTHS].values, cells * sizeof *closed);
    close_plainly(closed, n, ld);
    if (desc->predecessors) {
        drawn_matrix_out(d, VIA, "via", cells);
        d->at[VIA].is_judged = true;
    }
    d->at[LENGTHS].is_needed = d->at[VIA].is_needed = true;
    subject_report(d, REPORT, &report, sizeof report);
    d->at[REPORT].is_judged = true;
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
    SUBJECT(paths, max_n),
    .max = {SUBJECT_MAX(paths, max_n)},
    .plain = SUBJECT_DESC(paths, .type = CLPRIMS_F32, .predecessors = 1),
    .is_square = true,
    .check = check,
    .judge = judge,
    .calls = SUBJECT_TABLE(calls),
    .samples = SUBJECT_TABLE(samples),
    .faults = SUBJECT_TABLE(faults),
    .kinds = SUBJECT_TABLE(kinds),
};
