/* SPDX-License-Identifier: MIT */
/* Segmented sort beside its definition: lengths, types, orders, arrays, places, classes. */
#include "fixtures/sort_cases.h"
#include "segmented_sort/segmented_sort_suite.h"
#include "subjects/runs/subject_counted.h"

/* A way of sorting: classes of few elements, so that small arrays have segments of all. */
typedef struct way {
    const char *name;
    clprims_segmented_sort_algorithm algorithm;
    const char *tuning;
} way;

static const way ways[] = {
    {"serial", CLPRIMS_SEGMENTED_SORT_SERIAL, "MOST=50"},
    {"groups", CLPRIMS_SEGMENTED_SORT_GROUPS,
     "GROUP=32 TEAMS=32 ITEMS=5 LARGE=64 LARGE_ITEMS=5 RADIX=0"},
    {"teams", CLPRIMS_SEGMENTED_SORT_GROUPS,
     "GROUP=64 TEAMS=16 ITEMS=7 LARGE=8 LARGE_ITEMS=1 RADIX=0"},
};
enum { WAYS = sizeof ways / sizeof ways[0] };
static const way digits = {"digits", CLPRIMS_SEGMENTED_SORT_GROUPS,
                           "LANES=512 RADIX=4 LARGE=8 LARGE_ITEMS=1 FEW=0"};
/* The way of few launches, for runs of up to that number of elements. */
static const way few = {"few", CLPRIMS_SEGMENTED_SORT_GROUPS,
                        "LANES=512 RADIX=4 LARGE=8 LARGE_ITEMS=1 FEW=40000"};
/* The same, but by tiles where most elements are in long segments. */
static const way by_tiles = {"tiles", CLPRIMS_SEGMENTED_SORT_GROUPS,
                             "LANES=512 RADIX=4 LARGE=8 LARGE_ITEMS=1 FEW=40000 TILES=20000"};
static const way chosen = {"chosen", CLPRIMS_SEGMENTED_SORT_AUTO, NULL};

static segmented_sort_case describe(clprims_type type, const way *how, size_t n, size_t segments) {
    segmented_sort_case c;
    memset(&c, 0, sizeof c);
    const clprims_segmented_sort_desc init = {0};
    c.desc = init;
    c.desc.type = type;
    c.desc.max_n = 5000;
    c.desc.max_segments = 600;
    c.desc.algorithm = how->algorithm;
    c.desc.tuning = how->tuning;
    c.n = n;
    c.segments = segments;
    return c;
}

static void add_case(test_cases *cases, const segmented_sort_case *c, const way *how,
                     const char *what) {
    const clprims_segmented_sort_desc *d = &c->desc;
    test_add_row(cases, segmented_sort_is_right, *c,
                 "segmented-sort/%s/%s/%s%s/%s/%s%zu/n=%zu/segments=%zu%s%s%s", what,
                 clprims_type_name(d->type), how->name, d->descending ? "/descending" : "",
                 sort_data_names[c->data], segment_lengths_names[c->lengths], c->length, c->n,
                 c->segments, c->in_place ? "/in-place" : "", c->first > 0 ? "/first" : "",
                 c->by_run ? "/run" : "");
}

/* All kinds of lengths by one plan, in each way of being called. */
static void add_lengths(test_cases *cases, segmented_sort_case c, const way *how,
                        const char *what) {
    static const size_t alike[] = {1, 8, 16, 32, 33, 100};
    const size_t n = c.n;
    for (int lengths = 0; lengths < LENGTHS_KINDS; lengths++) {
        c.lengths = (segment_lengths)lengths;
        c.data = lengths % 2 == 0 ? SORT_SPRINKLED : SORT_FEW;
        c.in_place = lengths % 2 == 1;
        c.first = (size_t)lengths % 3;
        c.lead = (size_t)lengths % 4 * 7;
        c.length = lengths == LENGTHS_ALIKE ? alike[test_small() ? 1 : 5] : 0;
        c.n = n;
        add_case(cases, &c, how, what);
    }
    c.lengths = LENGTHS_ALIKE;
    for (size_t i = 0; i < sizeof alike / sizeof alike[0] && !test_small(); i++) {
        c.length = alike[i];
        c.data = i % 2 == 0 ? SORT_REVERSED : SORT_LOW_ENTROPY;
        c.in_place = i % 2 == 0;
        add_case(cases, &c, how, what);
    }
    c.lengths = LENGTHS_MIXED;
    c.by_run = true;
    c.lead = 5;
    c.length = 0;
    for (int in_place = 0; in_place < 2; in_place++) {
        c.in_place = in_place != 0;
        add_case(cases, &c, how, what);
    }
}

static size_t usual_n(void) {
    return test_small() ? 200 : 3000;
}

/* The default tier has each type once; integers, floats and bytes in each way. */
static void add_types(test_cases *cases) {
    for (int type = CLPRIMS_I8; type <= CLPRIMS_F64; type++) {
        for (size_t w = 0; w < WAYS; w++) {
            const bool now = (type == CLPRIMS_U32 && w < 2) || (type == CLPRIMS_F32 && w == 2);
            if (!test_long() && !now) continue;
            if (test_small() && w == 2) continue;
            segmented_sort_case c = describe((clprims_type)type, &ways[w], usual_n(), 90);
            c.desc.descending = (type + (int)w) % 2;
            c.desc.offsets = type % 2 == 0 ? CLPRIMS_I32 : CLPRIMS_TYPE_DEFAULT;
            add_lengths(cases, c, &ways[w], "types");
        }
    }
}

static void add_floats(test_cases *cases) {
    static const char *const names[] = {"nan-last", "nan-by-bits", "total-order"};
    for (int floats = 0; floats <= CLPRIMS_SORT_TOTAL_ORDER; floats++) {
        for (int wide = 0; wide < 2; wide++) {
            if (!test_long() && (floats != 0 || wide == 0)) continue;
            const way *how = &ways[(floats + wide) % WAYS];
            segmented_sort_case c = describe(wide ? CLPRIMS_F64 : CLPRIMS_F32, how, usual_n(), 70);
            c.desc.floats = (clprims_sort_floats)floats;
            c.desc.descending = floats != 1;
            c.desc.indices = CLPRIMS_I32;
            add_lengths(cases, c, how, names[floats]);
        }
    }
}

/* Payloads of every size, the indices beside them, and what is left out. */
static void add_arrays(test_cases *cases) {
    static const size_t bytes[][CLPRIMS_SORT_PAYLOADS] = {
        {1, 2, 4, 8}, {16, 3, 0, 0}, {4, 0, 0, 0}, {0, 0, 0, 0}, {256, 33, 96, 0}};
    for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++) {
        for (size_t w = 0; w < WAYS; w++) {
            const bool now = (i == 1 && w == 1) || (i == 0 && w == 0) || (i == 4 && w == 1);
            if (!test_long() && !now) continue;
            if (test_small() && w == 2) continue;
            segmented_sort_case c =
                describe(w == 0 ? CLPRIMS_U8 : CLPRIMS_I16, &ways[w], usual_n() / 2, 50);
            memcpy(c.desc.payload_bytes, bytes[i], sizeof bytes[i]);
            while (c.desc.payloads < CLPRIMS_SORT_PAYLOADS && bytes[i][c.desc.payloads] > 0) {
                c.desc.payloads++;
            }
            c.desc.no_keys = i % 2 == 1;
            if (i != 2) c.desc.indices = i % 2 == 0 ? CLPRIMS_U32 : CLPRIMS_I64;
            c.desc.local_indices = i == 1;
            add_lengths(cases, c, &ways[w], i == 3 ? "argsort" : "payloads");
        }
    }
}

/* Many runs of one plan, of sizes far below what it was made for. */
static void add_sizes(test_cases *cases) {
    static const size_t sizes[] = {0, 1, 2, 31, 32, 33, 50, 51, 160, 161, 320, 321, 1000};
    for (size_t w = 0; w < 2; w++) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            segmented_sort_case c = describe(CLPRIMS_U32, &ways[w], sizes[i], 1);
            if (test_small() && sizes[i] > 60) continue;
            c.desc.descending = (CLPRIMS_U32 + (int)w) % 2;
            c.lengths = LENGTHS_GIANT;
            add_case(cases, &c, &ways[w], "sizes");
            c.segments = 31 + i % 4;
            add_case(cases, &c, &ways[w], "sizes");
            c.segments = 0;
            c.lead = sizes[i];
            add_case(cases, &c, &ways[w], "sizes");
        }
    }
}

/* So few segments of a length that the last ones of a sub-group are missing where it sorts several
 * at once, and lengths around what its lanes hold; keys alone, with a payload, and with indices. */
static void add_together(test_cases *cases) {
    static const size_t lengths[] = {33, 63, 64, 100, 127, 128, 129, 512};
    static const size_t counts[] = {1, 2, 3, 4, 5, 33};
    const size_t kinds = test_small() ? 0 : test_long() ? 3 : 2;
    for (size_t i = 0; i < kinds * 8 * 6; i++) {
        segmented_sort_case c = describe(CLPRIMS_U32, &ways[1], 0, counts[i % 6]);
        c.length = lengths[i / 6 % 8];
        while (c.segments * c.length > c.desc.max_n) c.segments /= 2;
        c.n = c.segments * c.length;
        c.lengths = LENGTHS_ALIKE;
        c.desc.descending = i / 48 == 0;
        c.desc.payloads = i / 48 == 1;
        if (i / 48 == 2) c.desc.indices = CLPRIMS_I32;
        c.desc.payload_bytes[0] = 16;
        c.data = i % 3 == 0 ? SORT_RANDOM : i % 3 == 1 ? SORT_REVERSED : SORT_FEW;
        c.in_place = i % 2 == 1;
        c.first = i % 3;
        add_case(cases, &c, &ways[1], "together");
    }
}

/* Lengths around what teams of 256, 512 and 1024 work-items have room for where NVIDIA GPUs sort by
 * digits, and around whole rows; more segments than teams; keys alone, and with all that moves. */
static void add_digits(test_cases *cases) {
    static const size_t lengths[] = {513,  767,  768,  769,  1023, 1024, 1025, 1536,
                                     2047, 2048, 2049, 3000, 4095, 4096, 4097};
    const bool is_taken = test_info().layer == CLPRIMS_LAYER_NVIDIA;
    const size_t kinds = !is_taken || test_small() ? 0 : 4;
    for (size_t i = 0; i < kinds * 15; i++) {
        const size_t kind = i / 15;
        const clprims_type types[] = {CLPRIMS_U32, CLPRIMS_F32, CLPRIMS_I64, CLPRIMS_U16};
        segmented_sort_case c = describe(types[kind], &digits, 0, 1 + i % 4);
        c.desc.max_n = 20000;
        c.length = lengths[i % 15];
        c.n = c.segments * c.length;
        c.lengths = LENGTHS_ALIKE;
        c.desc.descending = kind % 2 == 0;
        if (kind % 2 == 1) {
            c.desc.payloads = 1;
            c.desc.payload_bytes[0] = kind == 1 ? 4 : 16;
            c.desc.indices = CLPRIMS_I32;
        }
        if (kind == 3) c.desc.begin_bit = 3;
        c.data = i % 4 == 0   ? SORT_RANDOM
                 : i % 4 == 1 ? SORT_REVERSED
                 : i % 4 == 2 ? SORT_FEW
                              : SORT_LOW_ENTROPY;
        c.in_place = i % 2 == 1;
        c.first = i % 3;
        add_case(cases, &c, &digits, "digits");
    }
}

/* How many elements and segments a run has; length: of LENGTHS_ALIKE. */
typedef struct sized_run {
    size_t n, segments;
    segment_lengths lengths;
    size_t length;
} sized_run;

/* Case i: such a run by a plan that it shares with the others of its kind, of keys alone or, every
 * other kind, descending and with all that moves. */
static segmented_sort_case describe_run(clprims_type type, const way *how, const sized_run *run,
                                        size_t kind, size_t i) {
    segmented_sort_case c = describe(type, how, run->n, run->segments);
    c.desc.max_n = 50000;
    c.desc.max_segments = 1200;
    c.lengths = run->lengths;
    c.length = run->length;
    c.desc.descending = kind % 2 == 1;
    if (kind % 2 == 1) {
        c.desc.payloads = 1;
        c.desc.payload_bytes[0] = kind == 1 ? 4 : 16;
        c.desc.indices = CLPRIMS_I32;
    }
    c.data = i % 3 == 0 ? SORT_RANDOM : i % 3 == 1 ? SORT_FEW : SORT_LOW_ENTROPY;
    c.in_place = i % 2 == 1;
    c.first = i % 3;
    return c;
}

/* Few launches: on both sides of FEW, and of the most segments that one launch finds, four a
 * multiprocessor (528 of an H100's); long segments
 * of a chunk and a half and of ten; keys alone, and with all that moves. */
static void add_few(test_cases *cases) {
    static const sized_run runs[] = {
        {40000, 528, LENGTHS_MIXED, 0},   {40000, 529, LENGTHS_MIXED, 0},
        {40000, 1, LENGTHS_GIANT, 0},     {40001, 1, LENGTHS_GIANT, 0},
        {40000, 1023, LENGTHS_MIXED, 0},  {40000, 1024, LENGTHS_MIXED, 0},
        {40000, 1024, LENGTHS_GIANT, 0},  {36000, 6, LENGTHS_ALIKE, 6000},
        {39996, 4, LENGTHS_ALIKE, 9999},  {33000, 1100, LENGTHS_ALIKE, 30},
        {40000, 1030, LENGTHS_EDGES, 0},  {0, 5, LENGTHS_MIXED, 0},
        {39600, 396, LENGTHS_ALIKE, 100}, {38400, 8, LENGTHS_ALIKE, 4800},
        {39936, 39, LENGTHS_ALIKE, 1024}, {39975, 39, LENGTHS_ALIKE, 1025},
        {40000, 80, LENGTHS_ALIKE, 500},  {528, 528, LENGTHS_ALIKE, 1},
        {40000, 528, LENGTHS_GIANT, 0}};
    const size_t count = sizeof runs / sizeof runs[0];
    const bool is_taken = test_info().layer == CLPRIMS_LAYER_NVIDIA && !test_small();
    for (size_t i = 0; i < (is_taken ? 4 * count : 0); i++) {
        const size_t kind = i / count, r = i % count;
        const clprims_type types[] = {CLPRIMS_U32, CLPRIMS_F32, CLPRIMS_I64, CLPRIMS_U16};
        segmented_sort_case c = describe_run(types[kind], &few, &runs[r], kind, i);
        add_case(cases, &c, &few, "few");
    }
}

/* Long segments by tiles: n on both sides of TILES and of FEW; as many segments as take tiles, and
 * one more; segments of whole tiles (3584 keys, fewer if keys are large) and of one element more; a
 * short segment beside a long one; keys alone, with all that moves, and without keys. */
static void add_tiles(test_cases *cases) {
    static const sized_run runs[] = {
        {19999, 1, LENGTHS_GIANT, 0},     {20000, 1, LENGTHS_GIANT, 0},
        {20000, 2, LENGTHS_GIANT, 0},     {20000, 3, LENGTHS_GIANT, 0},
        {40000, 4, LENGTHS_MIXED, 0},     {40000, 4, LENGTHS_ALIKE, 10000},
        {40000, 5, LENGTHS_ALIKE, 8000},  {35840, 2, LENGTHS_ALIKE, 17920},
        {35842, 2, LENGTHS_ALIKE, 17921}, {40001, 600, LENGTHS_GIANT, 0},
        {40001, 8, LENGTHS_ALIKE, 5000},  {50000, 4, LENGTHS_EDGES, 0}};
    const size_t count = sizeof runs / sizeof runs[0];
    const bool is_taken = test_info().layer == CLPRIMS_LAYER_NVIDIA && !test_small();
    for (size_t i = 0; i < (is_taken ? 5 * count : 0); i++) {
        const size_t kind = i / count, r = i % count;
        const clprims_type types[] = {CLPRIMS_U32, CLPRIMS_F32, CLPRIMS_I64, CLPRIMS_U8,
                                      CLPRIMS_F64};
        segmented_sort_case c = describe_run(types[kind], &by_tiles, &runs[r], kind, i);
        if (kind == 2) c.desc.begin_bit = 5;
        c.desc.local_indices = c.desc.no_keys = kind == 3;
        c.by_run = i % 7 == 3;
        add_case(cases, &c, &by_tiles, "tiles");
    }
}

/* The shapes that the library chooses; one segment at most may be long, or none. */
static void add_chosen(test_cases *cases) {
    for (size_t i = 0; i < (test_small() ? 0 : test_long() ? 3 : 1); i++) {
        segmented_sort_case c = describe(CLPRIMS_U32, &chosen, 2000 + 1500 * i, 1 + 100 * i);
        c.desc.max_n = 2048 + 3000 * i;
        c.desc.max_segments = c.segments;
        c.data = SORT_RANDOM;
        c.lengths = i == 0 ? LENGTHS_GIANT : LENGTHS_MIXED;
        c.desc.indices = CLPRIMS_I64;
        add_case(cases, &c, &chosen, "chosen");
    }
    for (size_t i = 0; test_long() && i < LENGTHS_KINDS; i++) {
        const way *how =
            i % 2 == 0 ? &chosen : &(way){"groups-chosen", CLPRIMS_SEGMENTED_SORT_GROUPS, NULL};
        segmented_sort_case c = describe(CLPRIMS_U32, how, 200000, 3000);
        c.desc.max_n = 300000;
        c.desc.max_segments = 3000;
        c.data = SORT_RANDOM;
        c.lengths = (segment_lengths)i;
        c.length = 10000;
        add_case(cases, &c, how, "chosen");
    }
}

/* Windows of the keys' bits: in the middle, up to the top one, and none. */
static void add_windows(test_cases *cases) {
    static const struct {
        clprims_type type;
        unsigned begin, end;
        int descending;
    } windows[] = {{CLPRIMS_U32, 8, 20, 0}, {CLPRIMS_I16, 9, 16, 1}, {CLPRIMS_U64, 7, 7, 0}};
    for (size_t w = 0; w < 3; w++) {
        const way *how = &ways[w == 1];
        segmented_sort_case c = describe(windows[w].type, how, test_small() ? 300 : 2000, 90);
        if (w == 2 && !test_long()) continue;
        if (w == 1) c.desc.max_n = c.n = 300; /* no segment is long: fewer programs */
        c.desc.begin_bit = windows[w].begin;
        c.desc.end_bit = windows[w].end;
        c.desc.descending = windows[w].descending;
        c.desc.indices = CLPRIMS_I32;
        c.data = w == 0 ? SORT_RANDOM : SORT_LOW_ENTROPY;
        add_case(cases, &c, how, "windows");
        c.lengths = LENGTHS_EDGES;
        c.in_place = true;
        add_case(cases, &c, how, "windows");
    }
}

static void add_counted(test_cases *cases) {
    for (size_t w = 0; w < 2; w++) {
        segmented_sort_case c = describe(CLPRIMS_U32, &ways[w], 0, 0);
        if (test_small()) c.desc.max_n = 400;
        char name[40];
        snprintf(name, sizeof name, "segmented-sort/counted/%s", ways[w].name);
        subject_add_counted(cases, &subject_segmented_sort, &c.desc, 40, false, name);
        subject_add_counted(cases, &subject_segmented_sort, &c.desc, 40, true, name);
    }
}

/* Segments of one length, with numbers in device memory and without, in each way. */
static void add_rows(test_cases *cases) {
    static const way *const all[] = {&ways[0], &ways[1], &digits, &few, &by_tiles, &chosen};
    for (size_t w = 0; w < sizeof all / sizeof all[0]; w++) {
        segmented_sort_case c = describe(CLPRIMS_U32, all[w], 0, 0);
        if (test_small()) c.desc.max_n = 400;
        if (w > 0 && !test_bears_shapes()) continue;
        c.desc.by = CLPRIMS_SEGMENTS_EQUAL;
        c.desc.indices = CLPRIMS_I32;
        c.desc.local_indices = w % 2 == 0;
        char name[40];
        snprintf(name, sizeof name, "segmented-sort/rows/%s", all[w]->name);
        subject_add_counted(cases, &subject_segmented_sort, &c.desc, 40, w % 2 == 1, name);
    }
}

static void add_cases(test_cases *cases) {
    add_windows(cases);
    add_rows(cases);
    add_counted(cases);
    add_types(cases);
    add_floats(cases);
    add_arrays(cases);
    add_sizes(cases);
    add_together(cases);
    add_digits(cases);
    add_few(cases);
    add_tiles(cases);
    add_chosen(cases);
    segmented_sort_add_expressions(cases);
    segmented_sort_add_refusals(cases);
}

int main(int argc, char **argv) {
    return test_main(argc, argv, add_cases);
}
