/* SPDX-License-Identifier: MIT */
/* List scan and forests: one plan and many n. */
#include "sizes/sizes.h"

#include "core/test_hooks.h"
#include "fixtures/list/forest_cases.h"
#include "fixtures/list/listscan_cases.h"
#include "harness/crash.h"

#include <stdio.h>
#include <stdlib.h>

#define SMALL "WALKS=1 LANES=64 SUBLIST=12 UPPER=4 BATCH=2 RETRY=32 "

/* passes: one work-item, places, buckets of one pass up to 512 windows of two elements, of two
 * passes beyond. places: windows of one element, 512 of which one pass takes; two passes would need
 * more; one group up to 500 elements, and up to 1024 more sublists than their mean length asks for.
 */
static const sizes_setting settings[] = {
    {{"passes",
      SMALL "LEAST=1 GROUP=32 CHUNK=64 LAST=16 BUCKET=64 WINDOW=16 SINGLE=6 SINGLE_GROUP=1",
      CLPRIMS_LIST_AUTO, CLPRIMS_LIST_RANKS},
     CLPRIMS_I32,
     6000,
     2,
     {6, 17, 1024, 4096}},
    {{"places",
      SMALL "LEAST=100 GROUP=128 CHUNK=40 LAST=1 BUCKET=8 WINDOW=8 SINGLE=500 SINGLE_GROUP=32",
      CLPRIMS_LIST_AUTO, CLPRIMS_LIST_RANKS},
     CLPRIMS_I64,
     3000,
     40,
     {500, 512}},
};

static char note[300];

static void note_run(const sizes_setting *s, size_t n) {
    snprintf(note, sizeof note, "max_n = %zu, n = %zu, %s", s->max_n, n, s->how.tuning);
    test_note("%s", note);
}

static void expect_empty_report(test_buffer *place) {
    const clprims_list_report expected = {CLPRIMS_LIST_VALID, -1, -1, -1};
    clprims_list_report report;
    test_buffer_read(place, &report);
    list_expect_report(expected, report, CLPRIMS_LIST_FIND_HEAD, 0);
    test_buffer_release(place);
}

/* Every fourth list is none; its head, or that it is to be found. */
static int64_t draw_list(clprims_type link, int64_t *order, int64_t *next, size_t n, bool good) {
    if (!good) return list_mutated(link, order, next, n);
    list_random(order, n);
    list_link(order, next, n);
    return n % 2 == 0 ? order[0] : CLPRIMS_LIST_FIND_HEAD;
}

/* ---- List scan ---- */

static void scan_one(clprims_listscan *plan, const clprims_listscan_desc *desc, size_t n,
                     bool good) {
    int64_t *order = test_alloc(n, sizeof *order), *next = test_alloc(n, sizeof *next);
    int64_t *values = test_alloc(n, sizeof *values);
    test_random_values(CLPRIMS_I64, CLPRIMS_ADD, values, n);
    const listscan_case c = {.plan = plan,
                             .desc = desc,
                             .next = next,
                             .values = values,
                             .head = draw_list(desc->link, order, next, n, good),
                             .n = n,
                             .first = n % 4};
    const int64_t fault = listscan_expect(&c, NULL).fault;
    if (good) assert_int_equal(fault, CLPRIMS_LIST_VALID);
    free(order);
    free(next);
    free(values);
}

static void scan_none(clprims_listscan *plan) {
    const clprims_buffer none = {NULL, 0};
    test_buffer place = test_buffer_create(NULL, 1, sizeof(clprims_list_report), 0);
    expect_ok(clprims_listscan_enqueue(plan, test_queue(), none, none, none, CLPRIMS_LIST_FIND_HEAD,
                                       0, place.at, 0, NULL, NULL));
    expect_empty_report(&place);
}

static void scans(const void *data) {
    const sizes_setting *s = data;
    size_t sizes[SIZES_ROOM];
    const size_t count = sizes_draw(s, sizes);
    clprims_listscan_desc desc = CLPRIMS_LISTSCAN_DESC_INIT;
    desc.link = s->link;
    desc.type = CLPRIMS_I64;
    desc.max_n = s->max_n;
    desc.tuning = s->how.tuning;
    clp_checked = true;
    crash_tell_assertions(note);
    clprims_listscan *plan = listscan_create(&desc);
    for (size_t k = 0; k < count; k++) {
        note_run(s, sizes[k]);
        if (sizes[k] == 0)
            scan_none(plan);
        else
            scan_one(plan, &desc, sizes[k], k % 4 != 3);
    }
    clprims_listscan_destroy(plan);
}

/* The same with every max_n around the thresholds: plans of one program, whose scratch differs; of
 * three where results are sorted in one pass, in two, or not at all. */
static void scans_every_max_n(const void *data) {
    clprims_listscan_desc desc = CLPRIMS_LISTSCAN_DESC_INIT;
    const sizes_setting *s = data;
    sizes_setting own = *s;
    desc.link = s->link;
    desc.type = CLPRIMS_I64;
    desc.tuning = s->how.tuning;
    clp_checked = true;
    crash_tell_assertions(note);
    for (size_t max_n = 1; max_n <= s->max_n; max_n = sizes_next(s, max_n)) {
        own.max_n = desc.max_n = max_n;
        clprims_listscan *plan = listscan_create(&desc);
        for (size_t n = max_n; n > 0; n = n > max_n / 2 ? n / 2 : 0) {
            note_run(&own, n);
            scan_one(plan, &desc, n, max_n % 4 != 3);
        }
        for (size_t k = 0; k < SIZES_THRESHOLDS && s->thresholds[k] > 0; k++)
            if (s->thresholds[k] < max_n) scan_one(plan, &desc, s->thresholds[k], true);
        clprims_listscan_destroy(plan);
    }
}

/* levels: one work-group of four up to SINGLE = 9, then levels of two nodes a sublist, of one more
 * behind each power of two. passes: results are sorted from 18 elements on, in two passes from 1025
 * on, which makes 513 windows. */
static const sizes_setting around[] = {
    {{"levels",
      "WALKS=1 LANES=32 SUBLIST=2 LEAST=1 UPPER=2 LAST=5 BATCH=2 RETRY=8 GROUP=32 CHUNK=32 "
      "SINGLE=9 SINGLE_GROUP=4 BUCKET=1048576",
      CLPRIMS_LIST_AUTO, CLPRIMS_LIST_RANKS},
     CLPRIMS_I32,
     600,
     37,
     {5, 9, 16, 32, 64, 128, 256}},
    {{"passes",
      SMALL "LEAST=1 GROUP=32 CHUNK=64 LAST=16 BUCKET=64 WINDOW=16 SINGLE=6 SINGLE_GROUP=1",
      CLPRIMS_LIST_AUTO, CLPRIMS_LIST_RANKS},
     CLPRIMS_I32,
     1100,
     210,
     {6, 17, 32, 64, 1024}},
};

/* ---- Forests ---- */

static void rank_one(clprims_forest *plan, clprims_type link, size_t n, bool good) {
    int64_t *order = test_alloc(n, sizeof *order), *next = test_alloc(n, sizeof *next);
    const uint64_t cuts = 1 + test_random_below(n + 1);
    size_t count;
    draw_list(link, order, next, n, good);
    for (uint64_t k = 0; k < cuts; k++) next[test_random_below(n)] = -1;
    int64_t *heads = forest_heads(next, n, &count);
    const bool given = n % 3 == 0;
    const forest_case c = {.plan = plan,
                           .link = link,
                           .next = next,
                           .n = n,
                           .heads = given ? heads : NULL,
                           .num_heads = given ? count : 0,
                           .without_rank = n % 5 == 3,
                           .without_head = n % 5 == 4,
                           .first = n % 4};
    const int64_t fault = forest_expect(&c).fault;
    if (good) assert_int_equal(fault, CLPRIMS_LIST_VALID);
    free(order);
    free(next);
    free(heads);
}

static void rank_none(clprims_forest *plan) {
    const clprims_forest_arrays arrays = CLPRIMS_FOREST_ARRAYS_INIT;
    test_buffer place = test_buffer_create(NULL, 1, sizeof(clprims_list_report), 0);
    expect_ok(clprims_forest_enqueue(plan, test_queue(), &arrays, 0, place.at, 0, NULL, NULL));
    expect_empty_report(&place);
}

static void ranks(const void *data) {
    const sizes_setting *s = data;
    size_t sizes[SIZES_ROOM];
    const size_t count = sizes_draw(s, sizes);
    clprims_forest_desc desc = CLPRIMS_FOREST_DESC_INIT;
    clprims_forest *plan = NULL;
    desc.link = s->link;
    desc.max_n = s->max_n;
    desc.tuning = s->how.tuning;
    test_want_shapes();
    clp_checked = true;
    crash_tell_assertions(note);
    expect_ok(clprims_forest_create(&plan, test_context(), &desc));
    for (size_t k = 0; k < count; k++) {
        note_run(s, sizes[k]);
        if (sizes[k] == 0)
            rank_none(plan);
        else
            rank_one(plan, s->link, sizes[k], k % 4 != 3);
    }
    clprims_forest_destroy(plan);
}

static void forests_every_max_n(const void *data) {
    const sizes_setting *s = data;
    sizes_setting own = *s;
    clprims_forest_desc desc = CLPRIMS_FOREST_DESC_INIT;
    desc.link = s->link;
    desc.tuning = s->how.tuning;
    test_want_shapes();
    clp_checked = true;
    crash_tell_assertions(note);
    for (size_t max_n = 1; max_n <= s->max_n; max_n = sizes_next(s, max_n)) {
        clprims_forest *plan = NULL;
        own.max_n = desc.max_n = max_n;
        expect_ok(clprims_forest_create(&plan, test_context(), &desc));
        for (size_t n = max_n; n > 0; n = n > max_n / 2 ? n / 2 : 0) {
            note_run(&own, n);
            rank_one(plan, s->link, n, max_n % 4 != 3);
        }
        for (size_t k = 0; k < SIZES_THRESHOLDS && s->thresholds[k] > 0; k++)
            if (s->thresholds[k] < max_n) rank_one(plan, s->link, s->thresholds[k], true);
        clprims_forest_destroy(plan);
    }
}

/* Each is a program, which takes its time to compile: most of them are for the long tier. */
void sizes_add_scans(test_cases *cases) {
    for (size_t k = 0; k < sizeof around / sizeof around[0]; k++) {
        const sizes_setting *s = &around[k];
        if (k == 0 || test_long())
            test_add(cases, scans_every_max_n, s, sizeof *s, "sizes/listscan/%s/every-max_n",
                     s->how.name);
        if (test_long())
            test_add(cases, forests_every_max_n, s, sizeof *s, "sizes/forest/%s/every-max_n",
                     s->how.name);
    }
    for (size_t k = 0; k < sizeof settings / sizeof settings[0]; k++) {
        if (k == 0 || test_long())
            test_add(cases, scans, &settings[k], sizeof settings[k], "sizes/listscan/%s/max_n=%zu",
                     settings[k].how.name, settings[k].max_n);
        if (k == 1 || test_long())
            test_add(cases, ranks, &settings[k], sizeof settings[k], "sizes/forest/%s/max_n=%zu",
                     settings[k].how.name, settings[k].max_n);
    }
}
