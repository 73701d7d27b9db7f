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
    {"serial", "GROUP=1 ITEMS=3 BITS=6 GROUPS=5 ROOM=100 ONE=0 SAMPLE=256"},
    {"groups", "GROUP=16 ITEMS=4 BITS=5 GROUPS=7 ROOM=60 ONE=0 SAMPLE=0"},
    {"sample", "GROUP=8 ITEMS=8 BITS=8 GROUPS=3 ROOM=500 ONE=0 SAMPLE=100"},
    {"few", "GROUP=1 ITEMS=2 BITS=4 GROUPS=5 ONE=300 SAMPLE=300"},
    {"few-groups", "GROUP=64 ITEMS=2 BITS=6 GROUPS=5 ONE=300 SAMPLE=300"},
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

/* So little room that equal keys take several passes over their indices. */
static void add_index_passes(test_cases *cases) {
    static const way little = {"little",
                               "GROUP=1 ITEMS=2 BITS=4 GROUPS=5 ONE=0 ROOM=30 SAMPLE=300"};
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
        if (w == 0) subject_add_counted_refused(cases, &subject_topk, &c.desc, "topk/counted");
    }
}

/* ---- As many candidates as there is room for ---- */

enum { ROOM = 400, STRIDE = 4, SAMPLE = 1000, BORDER_N = SAMPLE * STRIDE + 999, BORDER_K = 50 };
/* Of the cell whose lowest element is the threshold for BORDER_K: clp_sample_of in topk.cl. */
enum { RANK = 31 };

/*
 * The threshold of the sample is known although the places of its elements are not, because the
 * STRIDE elements around each have one key: block RANK - 1 has the threshold, and up to STRIDE of
 * its elements are candidates with the blocks below. Behind the blocks nothing is sampled; there,
 * `low` more candidates stand, the best one last. Where one too many finds no room, it is that one.
 */
static void fill_border(uint32_t *keys, size_t low) {
    for (size_t i = 0; i < BORDER_N; i++) {
        keys[i] = (uint32_t)(BORDER_N + i / STRIDE);
        if (i + low >= BORDER_N) keys[i] = (uint32_t)(BORDER_N - i);
    }
}

/* ROOM - 1, ROOM and ROOM + 1 candidates are among these. */
static void border_is_right(const void *data) {
    clprims_topk_desc desc = {0};
    uint32_t keys[BORDER_N];
    const sort_draw how = {.keys = keys};
    const subject_data d = {
        .of = &subject_topk, .desc = &desc, .n = {BORDER_N, BORDER_K}, .how = &how};
    /* Candidates beside the low ones: this number, or up to STRIDE - 1 more. */
    const size_t others = (RANK - 1) * STRIDE + 1, most = ROOM + 1 - others;
    const size_t fewest = most - (STRIDE - 1) - (test_small() ? 0 : 2);
    desc.type = desc.indices = CLPRIMS_U32;
    desc.least = 1;
    desc.max_n = BORDER_N;
    desc.max_k = 100;
    desc.tuning = *(const char *const *)data;
    for (size_t low = fewest; low <= most; low++) {
        fill_border(keys, low);
        subject_case_is_right(&d, subject_kept_plan(d.of, d.desc), low % 3, false);
    }
}

/* By one work-item, which finds the candidates in order. */
static void add_border(test_cases *cases) {
    static const char *const tunings[] = {"GROUP=1 GROUPS=1 ITEMS=2 BITS=12 ONE=100 SAMPLE=1000",
                                          "GROUP=1 GROUPS=1 ITEMS=2 BITS=12 ONE=0 ROOM=300 "
                                          "SAMPLE=1000"};
    for (size_t i = 0; i < 2; i++) {
        test_add(cases, border_is_right, &tunings[i], sizeof tunings[i], "topk/border/%s",
                 i == 0 ? "few" : "many");
    }
}

/* ---- A sample that misleads ---- */

/* Cells of the sample, and the elements of each: clp_topk_sampled in src/topk/topk_shape.c. */
enum { FEW_SAMPLED = 128, CELLS = FEW_SAMPLED / 4, OF_CELL = 4, MISLED_N = 32 * FEW_SAMPLED };

/* As clp_sample_place in topk.cl. */
static size_t sample_place(uint32_t s) {
    const uint64_t stride = MISLED_N / FEW_SAMPLED;
    const uint32_t mixed = (s ^ s >> 15) * 0x9e3779b9u;
    const uint32_t random = (mixed ^ mixed >> 13) * 0x85ebca6bu;
    return (size_t)(s * stride + (random * stride >> 32));
}

/* The sampled elements are the first of all, cell by cell, so that the threshold leaves fewer
 * candidates than k. */
static void misled_sample(void) {
    uint32_t keys[MISLED_N];
    const sort_draw how = {.keys = keys};
    const clprims_topk_desc desc = {.type = CLPRIMS_U32,
                                    .indices = CLPRIMS_U32,
                                    .least = 1,
                                    .max_n = MISLED_N,
                                    .max_k = 100,
                                    .tuning = "GROUP=8 ITEMS=8 BITS=8 GROUPS=3 ROOM=1000 ONE=0 "
                                              "SAMPLE=128"};
    const subject_data d = {.of = &subject_topk, .desc = &desc, .n = {MISLED_N, 99}, .how = &how};
    for (uint32_t i = 0; i < MISLED_N; i++) keys[i] = MISLED_N + i;
    for (uint32_t s = 0; s < FEW_SAMPLED; s++) {
        keys[sample_place(s)] = s % CELLS * OF_CELL + s / CELLS;
    }
    subject_case_is_right(&d, subject_kept_plan(d.of, d.desc), 0, false);
}

static void add_cases(test_cases *cases) {
    add_border(cases);
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
    const int result = test_main(argc, argv, add_cases);
    subject_forget_plans();
    return result;
}
