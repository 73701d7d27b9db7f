/* SPDX-License-Identifier: MIT */
/* Top-k beside its definition: types, orders, k against n, data that defeat guesses and digits. */
#include "fixtures/sort_cases.h"
#include "subjects/runs/subject_counted.h"
#include "topk/topk_suite.h"

#include <stdio.h>
#include <string.h>

/* A way of finding: little room, so that a few thousand elements are selected from. */
typedef struct way {
    const char *name;
    const char *tuning;
} way;

static const way ways[] = {
    {"serial", "GROUP=1 ITEMS=3 GROUPS=5 ROOM=100 ONE=0 SAMPLE=256"},
    {"groups", "GROUP=16 ITEMS=4 GROUPS=7 ROOM=60 ONE=0 SAMPLE=1"},
    {"sample", "GROUP=8 ITEMS=8 GROUPS=3 ROOM=500 ONE=0 SAMPLE=100"},
    {"few", "GROUP=1 ITEMS=2 GROUPS=5 ONE=300 SAMPLE=300"},
    {"few-groups", "GROUP=64 ITEMS=2 GROUPS=5 ONE=300 SINGLE=100"},
    {"chosen", NULL},
};
enum { WAYS = sizeof ways / sizeof ways[0], CHOSEN = WAYS - 1 };

static topk_case describe(clprims_type type, const way *how, size_t n, size_t k) {
    topk_case c;
    memset(&c, 0, sizeof c);
    const clprims_topk_desc init = {0};
    c.desc = init;
    c.desc.type = type;
    c.desc.max_n = 5000;
    c.desc.max_k = 300;
    c.desc.indices = CLPRIMS_I32;
    c.desc.tuning = how->tuning;
    c.n = n;
    c.k = k;
    return c;
}

static void add_case(test_cases *cases, const topk_case *c, const way *how, const char *what) {
    test_add(cases, topk_is_right, c, sizeof *c, "topk/%s/%s/%s/%s/%s/n=%zu/k=%zu%s%s", what,
             clprims_type_name(c->desc.type), how->name, c->desc.least ? "least" : "greatest",
             sort_data_names[c->data], c->n, c->k, c->first > 0 ? "/first" : "",
             c->by_run ? "/run" : "");
}

/* All data by one plan, whose max_n and max_k are larger. */
static void add_data(test_cases *cases, topk_case c, const way *how, const char *what) {
    static const size_t ks[] = {1, 2, 99, 300};
    for (int data = 0; data < SORT_DATA_KINDS; data++) {
        if (test_small() && data % 3 != 0) continue;
        c.data = (sort_data)data;
        for (size_t k = 0; k < 4; k++) {
            if (test_small() && k % 2 == 0) continue;
            c.k = ks[k];
            c.first = (size_t)data % 3;
            add_case(cases, &c, how, what);
        }
    }
    c.by_run = true;
    c.data = SORT_SPRINKLED;
    add_case(cases, &c, how, what);
}

static void add_types(test_cases *cases) {
    for (int type = CLPRIMS_I8; type <= CLPRIMS_F64; type++) {
        for (size_t w = 0; w < WAYS; w++) {
            const bool now =
                (type == CLPRIMS_U32 && (w == 0 || w == 3)) || (type == CLPRIMS_F32 && w == 2);
            if (!test_long() && !now) continue;
            if (test_small() && w == 1) continue;
            topk_case c = describe((clprims_type)type, &ways[w], test_small() ? 700 : 4000, 1);
            c.desc.least = (type + (int)w) % 2;
            if (w == 0) c.desc.indices = CLPRIMS_I64;
            if (w == 2) c.desc.no_values = type % 2;
            add_data(cases, c, &ways[w], "types");
        }
    }
}

static void add_floats(test_cases *cases) {
    static const char *const names[] = {"nan-last", "nan-by-bits", "total-order"};
    for (int floats = 0; floats <= CLPRIMS_SORT_TOTAL_ORDER; floats++) {
        for (int least = 0; least < 2; least++) {
            if (!test_long() && (floats != 0 || least != 0)) continue;
            const way *how = &ways[(floats + least) % 3];
            topk_case c = describe(CLPRIMS_F64, how, test_small() ? 500 : 3000, 1);
            c.desc.floats = (clprims_sort_floats)floats;
            c.desc.least = least;
            add_data(cases, c, how, names[floats]);
        }
    }
}

/* One plan for many n and k, around the room for candidates and where k meets n. */
static void add_sizes(test_cases *cases) {
    static const size_t sizes[] = {1,   2,   7,    50,   100,  200,  399,  400,
                                   401, 402, 1000, 1199, 1200, 1201, 4999, 5000};
    for (size_t w = 0; w < CHOSEN; w++) {
        if (!test_long() && (w == 1 || w == 4)) continue;
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            const size_t n = sizes[i], most = n < 300 ? n : 300;
            if (test_small() && (n > 1000 || i % 2 == 1)) continue;
            topk_case c = describe(CLPRIMS_U32, &ways[w], n, 1);
            if (w == 0) c.desc.indices = CLPRIMS_I64;
            c.desc.least = (CLPRIMS_U32 + (int)w) % 2;
            c.data = i % 2 == 0 ? SORT_LOW_ENTROPY : SORT_ALIKE;
            add_case(cases, &c, &ways[w], "sizes");
            c.k = most;
            add_case(cases, &c, &ways[w], "sizes");
            c.k = most / 2 + 1;
            c.data = SORT_FEW;
            add_case(cases, &c, &ways[w], "sizes");
        }
    }
}

/* The guess is wrong, and the k-th element is found by its index. */
static void add_index_passes(test_cases *cases) {
    static const way little = {"little", "GROUP=1 ITEMS=2 GROUPS=5 ONE=0 ROOM=30 SAMPLE=1"};
    static const sort_data data[] = {SORT_ALIKE, SORT_LOW_ENTROPY, SORT_FEW};
    topk_case c = describe(CLPRIMS_U32, &little, test_small() ? 600 : 4001, 10);
    c.desc.max_k = 10;
    for (size_t i = 0; i < sizeof data / sizeof data[0]; i++) {
        c.data = data[i];
        add_case(cases, &c, &little, "index-passes");
    }
}

/* All elements, by a plan whose max_k is its max_n; the shapes that the library chooses. */
static void add_all(test_cases *cases) {
    topk_case c = describe(CLPRIMS_U32, &ways[CHOSEN], 3000, 3000);
    c.desc.max_n = c.desc.max_k = 3000;
    if (!test_small()) add_case(cases, &c, &ways[CHOSEN], "all");
    c.desc.max_n = c.n = 400000;
    c.desc.max_k = 1000;
    for (int data = 0; test_long() && data < SORT_DATA_KINDS; data++) {
        c.data = (sort_data)data;
        c.k = data % 2 == 0 ? 1000 : 10;
        add_case(cases, &c, &ways[CHOSEN], "chosen");
    }
}

/* By plans that other cases have, too, and one whose elements are all candidates. */
static void add_counted(test_cases *cases) {
    for (size_t w = 0; w < CHOSEN; w++) {
        topk_case c = describe(CLPRIMS_U32, &ways[w], 0, 0);
        if (!test_long() && (w == 1 || w == 4)) continue;
        c.desc.least = (CLPRIMS_U32 + (int)w) % 2;
        if (test_small()) c.desc.max_n = 1000;
        char name[32];
        snprintf(name, sizeof name, "topk/counted/%s", ways[w].name);
        subject_add_counted(cases, &subject_topk, &c.desc, 100, false, name);
        c.desc.max_n = 300; /* all are candidates */
        if (w == 2) {
            subject_add_counted(cases, &subject_topk, &c.desc, 100, false, "topk/counted/sort");
        }
    }
}

/* ---- Samples whose elements are known ---- */

/* Each sampled element is a cell: clp_sample_set in topk.cl. */
enum { SAMPLED = 512, STRIDE = 8, KNOWN_N = SAMPLED * STRIDE, KNOWN_K = 50, RANK = 25 };
enum { MOST_K = 100, ROOM = MOST_K + 300 };

/* As clp_sample_place in topk.cl. */
static size_t sample_place(uint32_t s) {
    const uint32_t mixed = (s ^ s >> 15) * 0x9e3779b9u;
    const uint32_t random = (mixed ^ mixed >> 13) * 0x85ebca6bu;
    return s * STRIDE + (size_t)((uint64_t)random * STRIDE >> 32);
}

/* By one work-item, which finds the candidates in order. */
static void known_is_right(const uint32_t *keys, size_t first) {
    static const clprims_topk_desc desc = {.type = CLPRIMS_U32,
                                           .indices = CLPRIMS_U32,
                                           .least = 1,
                                           .max_n = KNOWN_N,
                                           .max_k = MOST_K,
                                           .tuning = "GROUP=1 GROUPS=1 ITEMS=2 ONE=0 ROOM=300 "
                                                     "SAMPLE=512"};
    const sort_draw how = {.keys = keys};
    const subject_data d = {
        .of = &subject_topk, .desc = &desc, .n = {KNOWN_N, KNOWN_K}, .how = &how};
    subject_case_is_right(&d, subject_kept_plan(d.of, d.desc), first, false);
}

/* ROOM - 1, ROOM and ROOM + 1 candidates. Of the strides, each with one key, those before the
 * guess's own are candidates; so are low ones that are not sampled, the best one last. Where one
 * too many finds no room, it is that one. */
static void border(void) {
    const size_t others = sample_place(RANK - 1) + 1;
    uint32_t keys[KNOWN_N];
    for (size_t low = ROOM - 1 - others; low <= ROOM + 1 - others; low++) {
        for (size_t i = 0; i < KNOWN_N; i++) keys[i] = (uint32_t)(KNOWN_N + i / STRIDE);
        for (size_t j = 0; j < low; j++) {
            const size_t s = SAMPLED - low + j, at = sample_place((uint32_t)s);
            keys[at % STRIDE == 0 ? at + 1 : s * STRIDE] = (uint32_t)(low - j);
        }
        known_is_right(keys, low % 3);
    }
}

/* The sampled elements are the first of all, so that the guess leaves fewer candidates than k. */
static void misled_sample(void) {
    uint32_t keys[KNOWN_N];
    for (uint32_t i = 0; i < KNOWN_N; i++) keys[i] = KNOWN_N + i;
    for (uint32_t s = 0; s < SAMPLED; s++) keys[sample_place(s)] = s;
    known_is_right(keys, 0);
}

/* Cells of many sampled elements, and as many as k has in the sample. */
static void add_cells(test_cases *cases) {
    static const way cells = {"cells", "ONE=0"};
    static const sort_data data[] = {SORT_RANDOM, SORT_ALIKE, SORT_FEW};
    topk_case c = describe(CLPRIMS_U32, &cells, test_small() ? 3000 : 100000, 10);
    c.desc.max_n = c.n;
    c.desc.max_k = c.n / 4;
    for (size_t i = 0; i < sizeof data / sizeof data[0]; i++) {
        c.data = data[i];
        c.k = i == 0 ? c.desc.max_k : 10;
        add_case(cases, &c, &cells, "cells");
    }
}

static void add_cases(test_cases *cases) {
    test_add_plain(cases, border, "topk/border");
    add_cells(cases);
    test_add_plain(cases, misled_sample, "topk/misled-sample");
    add_types(cases);
    add_floats(cases);
    add_sizes(cases);
    add_index_passes(cases);
    add_all(cases);
    add_counted(cases);
    topk_add_expressions(cases);
    topk_add_segments(cases);
    topk_add_refusals(cases);
}

int main(int argc, char **argv) {
    return test_main(argc, argv, add_cases);
}
