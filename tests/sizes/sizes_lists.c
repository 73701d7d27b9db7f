/* SPDX-License-Identifier: MIT */
/* Lists, list scans and forests: one plan and many n. */
#include "sizes/sizes.h"

#include "core/test_hooks.h"
#include "harness/crash.h"
#include "subjects/runs/subject_counted.h"

enum { THRESHOLDS = 8, ROOM = 400 };

/* A plan's tuning and what it makes matter. */
typedef struct setting {
    const char *name;
    const subject *of;
    const void *desc;
    const char *tuning;
    size_t max_n;
    size_t unit; /* the elements of which one more window or column is added for each */
    size_t thresholds[THRESHOLDS]; /* ends with 0 */
    bool is_long; /* for the long tier: a program takes its time to compile */
} setting;

/* ---- Numbers of elements ---- */

static void add_unique(size_t *sizes, size_t *count, size_t n, size_t max_n) {
    for (size_t k = 0; k < *count; k++)
        if (sizes[k] == n) return;
    if (n > max_n || *count == ROOM) return;
    sizes[(*count)++] = n;
}

static void add_around(size_t *sizes, size_t *count, size_t n, size_t max_n) {
    add_unique(sizes, count, n - 1, max_n);
    add_unique(sizes, count, n, max_n);
    add_unique(sizes, count, n + 1, max_n);
}

/* At most max_n, in random order: 0, 1, max_n, those next to powers of two, to powers of two of the
 * unit, and to the thresholds. Returns how many. */
static size_t draw_sizes(const setting *s, size_t sizes[ROOM]) {
    const size_t max_n = s->max_n;
    size_t count = 0;
    for (size_t power = 1; power <= max_n; power *= test_small() ? 16 : 2) {
        add_around(sizes, &count, power, max_n);
        add_around(sizes, &count, power * s->unit, max_n);
    }
    for (size_t k = 0; k < THRESHOLDS && s->thresholds[k] > 0; k++)
        add_around(sizes, &count, s->thresholds[k], max_n);
    for (size_t k = 1; k < (test_small() ? 3 : 8); k++)
        add_unique(sizes, &count, max_n / 8 * k + 3 * k, max_n);
    add_unique(sizes, &count, max_n - 1, max_n);
    add_unique(sizes, &count, max_n, max_n);
    test_shuffle(sizes, count);
    return count;
}

/* The next max_n to try after max_n: all next to thresholds, and every unit-th beside them. */
static size_t next_after(const setting *s, size_t max_n) {
    size_t next = max_n + s->unit;
    for (size_t k = 0; k < THRESHOLDS && s->thresholds[k] > 0; k++) {
        const size_t threshold = s->thresholds[k];
        if (max_n + 1 < threshold - 1 && next > threshold - 1) next = threshold - 1;
        if (max_n + 1 >= threshold - 1 && max_n <= threshold + 1) return max_n + 1;
    }
    return next;
}

/* ---- Runs ---- */

static char note[300];

static subject_data open_plan(const setting *s, size_t max_n, void **plan) {
    const subject_data like = {
        .of = s->of, .desc = s->desc, .most = {max_n}, .may_be_malformed = true};
    test_want_shapes();
    clp_checked = true;
    crash_tell_assertions(note);
    expect_ok(subject_plan(&like, test_context(), s->tuning, plan));
    return like;
}

static void run(const setting *s, const subject_data *like, void *plan, size_t n) {
    const size_t numbers[SUBJECT_NUMBERS] = {n};
    snprintf(note, sizeof note, "max_n = %zu, n = %zu, %s", like->most[0], n, s->tuning);
    test_note_subject("%s", note);
    subject_one_is_right(like, plan, numbers, false, false);
}

static void one_plan(const void *data) {
    const setting *s = data;
    size_t sizes[ROOM];
    const size_t count = draw_sizes(s, sizes);
    void *plan = NULL;
    const subject_data like = open_plan(s, s->max_n, &plan);
    for (size_t k = 0; k < count; k++) run(s, &like, plan, sizes[k]);
    s->of->destroy(plan);
}

/* The same with every max_n around the thresholds: plans of one program, whose scratch differs; of
 * three where results are sorted in one pass, in two, or not at all. */
static void every_max_n(const void *data) {
    const setting *s = data;
    for (size_t max_n = 1; max_n <= s->max_n; max_n = next_after(s, max_n)) {
        void *plan = NULL;
        const subject_data like = open_plan(s, max_n, &plan);
        for (size_t n = max_n; n > 0; n = n > max_n / 2 ? n / 2 : 0) run(s, &like, plan, n);
        for (size_t k = 0; k < THRESHOLDS && s->thresholds[k] > 0; k++)
            if (s->thresholds[k] < max_n) run(s, &like, plan, s->thresholds[k]);
        s->of->destroy(plan);
    }
}

/* ---- Settings ---- */

#define LIST(link_, algorithm_, result_)                                                           \
    &subject_list, SUBJECT_DESC(list, .link = link_, .algorithm = CLPRIMS_LIST_##algorithm_,       \
                                .result = CLPRIMS_LIST_##result_)
#define SCAN(link_)                                                                                \
    &subject_listscan, SUBJECT_CUSTOM_DESC(listscan, .link = link_, .type = CLPRIMS_I64)
#define FOREST(link_) &subject_forest, SUBJECT_DESC(forest, .link = link_)

#define ROWS                                                                                       \
    "GROUP=8 WALKS=1 SUBLIST=12 SHORT=12 UPPER=8 LAST=64 LAST_GROUP=8 BATCH=2 RETRY=32 ROWS=8 "    \
    "SORT_GROUP=32 BUCKETS=128 WINDOW=60 WINDOW_GROUP=16 "
#define IN_PLACE "GROUP=4 WALKS=1 LANES=32 WIDE=32 SPLITTERS=1 LAST=64 LAST_GROUP=16 RETRY=0"
#define SMALL "WALKS=1 LANES=64 SUBLIST=12 UPPER=4 BATCH=2 RETRY=32 "
#define PASSES SMALL "LEAST=1 GROUP=32 CHUNK=64 LAST=16 BUCKET=64 WINDOW=16 SINGLE=6 SINGLE_GROUP=1"
#define PLACES                                                                                     \
    SMALL "LEAST=100 GROUP=128 CHUNK=40 LAST=1 BUCKET=8 WINDOW=8 SINGLE=500 SINGLE_GROUP=32"

/* Thresholds. */
#define AT(...)                                                                                    \
    { __VA_ARGS__ }

/* list/levels: one work-group of four up to LAST = 5, then levels of two nodes a sublist, of one
 * more behind each power of two. list/visit-log: from 40 elements on a log, with windows of 60, of
 * which one pass takes 8; in two passes it has at most 8 buckets, too, so that there are two
 * programs. list/in-place: a sublist is cut each 1024 elements. levels: one work-group of four up
 * to SINGLE = 9, then as those of lists. passes: results are sorted from 18 elements on, in two
 * passes from 1025 on, which makes 513 windows. */
#define LEVELS                                                                                     \
    "WALKS=1 LANES=32 SUBLIST=2 LEAST=1 UPPER=2 LAST=5 BATCH=2 RETRY=8 GROUP=32 CHUNK=32 "         \
    "SINGLE=9 SINGLE_GROUP=4 BUCKET=1048576"
static const setting around[] = {
    {"list/levels", LIST(CLPRIMS_I32, SCATTERED, RANKS),
     "GROUP=4 WALKS=2 LANES=16 WIDE=16 SUBLIST=2 SHORT=2 UPPER=2 LAST=5 LAST_GROUP=4 "
     "BATCH=1 FIXED=40 RETRY=8",
     600, 37, AT(2, 4, 6, 9, 12, 17, 33, 65), false},
    {"list/visit-log", LIST(CLPRIMS_I32, VISIT_LOG, RANKS),
     "GROUP=8 WALKS=1 LANES=16 WIDE=16 SUBLIST=6 SHORT=6 UPPER=4 LAST=8 LAST_GROUP=4 BATCH=2 "
     "FIXED=60 LEAST=40 ROWS=4 SORT_GROUP=8 BUCKETS=8 WINDOW=60 WINDOW_GROUP=16",
     700, 97, AT(8, 40, 60, 120, 240, 481, 540), true},
    {"list/in-place", LIST(CLPRIMS_I32, IN_PLACE, RANKS), IN_PLACE, 3200, 800,
     AT(64, 1024, 2048, 3072), true},
    {"listscan/levels", SCAN(CLPRIMS_I32), LEVELS, 600, 37, AT(5, 9, 16, 32, 64, 128, 256), false},
    {"forest/levels", FOREST(CLPRIMS_I32), LEVELS, 600, 37, AT(5, 9, 16, 32, 64, 128, 256), true},
    {"listscan/passes", SCAN(CLPRIMS_I32), PASSES, 1100, 210, AT(6, 17, 32, 64, 1024), true},
    {"forest/passes", FOREST(CLPRIMS_I32), PASSES, 1100, 210, AT(6, 17, 32, 64, 1024), true},
};

/* visit-log: one group, scattered, a log with one pass and with two: 200 windows of 60 take two
 * passes of 64 buckets at most, 65 to 128 windows would fit one pass of BUCKETS. one-lane: columns
 * are used up to the last one. in-place: one sublist is cut each 1024 elements. passes: one
 * work-item, places, buckets of one pass up to 512 windows of two elements, of two passes beyond.
 * places: windows of one element, 512 of which one pass takes; two passes would need more; one
 * group up to 500 elements, and up to 1024 more sublists than their mean length asks for. */
static const setting settings[] = {
    {"list/visit-log", LIST(CLPRIMS_I32, VISIT_LOG, RANKS),
     ROWS "LANES=64 WIDE=64 FIXED=60 LEAST=700", 12000, 60,
     AT(64, 700, 3900, 2601, 5440, 7680, 7740), false},
    {"list/one-lane", LIST(CLPRIMS_I32, VISIT_LOG, RANKS), ROWS "LANES=1 WIDE=1 FIXED=0 LEAST=1",
     12000, 60, AT(64, 5440, 7680), false},
    {"list/order", LIST(CLPRIMS_I32, VISIT_LOG, ORDER), ROWS "LANES=5 WIDE=40 FIXED=30 LEAST=700",
     7000, 256, AT(64, 700), false},
    {"list/in-place", LIST(CLPRIMS_I32, IN_PLACE, RANKS), IN_PLACE, 9300, 1024, AT(64, 4095, 8191),
     false},
    {"list/levels", LIST(CLPRIMS_I64, SCATTERED, RANKS),
     "GROUP=4 WALKS=3 LANES=64 WIDE=64 SUBLIST=2 SHORT=2 UPPER=2 LAST=5 LAST_GROUP=4 BATCH=1 "
     "FIXED=90 COARSE=3",
     4300, 5, AT(4, 5, 10), true},
    {"listscan/passes", SCAN(CLPRIMS_I32), PASSES, 6000, 2, AT(6, 17, 1024, 4096), false},
    {"forest/passes", FOREST(CLPRIMS_I32), PASSES, 6000, 2, AT(6, 17, 1024, 4096), true},
    {"listscan/places", SCAN(CLPRIMS_I64), PLACES, 3000, 40, AT(500, 512), true},
    {"forest/places", FOREST(CLPRIMS_I64), PLACES, 3000, 40, AT(500, 512), false},
};

void sizes_add_lists(test_cases *cases) {
    for (size_t k = 0; k < sizeof around / sizeof around[0]; k++) {
        const setting *s = &around[k];
        if (s->is_long && !test_long()) continue;
        test_add_row(cases, every_max_n, *s, "sizes/%s/every-max_n", s->name);
    }
    for (size_t k = 0; k < sizeof settings / sizeof settings[0]; k++) {
        const setting *s = &settings[k];
        if (s->is_long && !test_long()) continue;
        test_add_row(cases, one_plan, *s, "sizes/%s/max_n=%zu", s->name, s->max_n);
    }
}
