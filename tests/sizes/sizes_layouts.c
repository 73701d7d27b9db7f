/* SPDX-License-Identifier: MIT */
/*
 * What plans of list ranking and list scan have room for, beside what each run takes: by the
 * library's own functions, for knobs and max_n drawn from all that is legal, without a device.
 */
#include "sizes/sizes.h"

#include "core/context.h"
#include "list/list_plan.h"
#include "list/listscan_engine.h"

#include <stdio.h>
#include <string.h>

static char described[600];

/* In [least, most], small ones as often as large ones. */
static size_t draw_between(size_t least, size_t most) {
    size_t span = 1;
    while (span <= most - least && test_random_below(24) != 0) span *= 2;
    const size_t drawn = least + (size_t)test_random_below(span);
    return drawn < most ? drawn : most;
}

static size_t draw_knob(const clp_knob *knob) {
    const size_t value = draw_between(knob->least, knob->most);
    size_t power = 1;
    if (!knob->power_of_two) return value;
    while (2 * power <= value) power *= 2;
    return power < knob->least ? knob->least : power;
}

/* Half of the knobs are given legal values, or none is; the others keep their defaults. */
static void draw_knobs(clp_knob *knobs, size_t count, size_t *values) {
    const bool any = test_random_below(4) != 0;
    size_t length = 0;
    for (size_t k = 0; k < count; k++) {
        knobs[k].given = any && test_random_below(2) == 0;
        if (knobs[k].given) knobs[k].value = draw_knob(&knobs[k]);
        values[k] = knobs[k].value;
        if (!knobs[k].given) continue;
        length += (size_t)snprintf(described + length, sizeof described - length, " %s=%zu",
                                   knobs[k].name, values[k]);
    }
}

/* A knob that was given is had as it is. */
static void expect_given(const clp_knob *knobs, size_t count, const size_t *had) {
    for (size_t k = 0; k < count; k++)
        if (knobs[k].given && had[k] != knobs[k].value)
            test_fail("%s = %zu was given, the plan has %zu", knobs[k].name, knobs[k].value,
                      had[k]);
}

/* What every n must be tried of: those next to powers of two and of thresholds, and any. */
static size_t draw_n(size_t max_n, size_t unit) {
    size_t n = (size_t)1 << test_random_below(40);
    if (test_random_below(3) == 0) n *= unit;
    if (test_random_below(3) == 0) n = (size_t)test_random_below(max_n);
    n += (size_t)test_random_below(5);
    n = n > 2 ? n - 2 : 1;
    return n < max_n ? n : max_n;
}

static clprims_context fake_context(void) {
    static const size_t local[] = {32 << 10, 48 << 10, 64 << 10, 512 << 10};
    clprims_context context = {.layer = CLPRIMS_LAYER_LOCAL};
    context.device.local_bytes = context.device.static_local_bytes = local[test_random_below(4)];
    context.device.max_group = 1024;
    context.device.info.compute_units = 132;
    return context;
}

/* ---- List ranking ---- */

static clprims_list draw_list(clprims_context *context, clp_knob knobs[CLP_LIST_KNOBS]) {
    clprims_list list = {.context = context};
    list.link = test_random_below(2) == 0 ? CLPRIMS_I32 : CLPRIMS_I64;
    list.algorithm = (clprims_list_algorithm)(1 + test_random_below(3));
    list.result = test_random_below(4) == 0 && list.algorithm != CLPRIMS_LIST_IN_PLACE
                      ? CLPRIMS_LIST_ORDER
                      : CLPRIMS_LIST_RANKS;
    list.max_n = 1 + draw_between(0, list.link == CLPRIMS_I32                  ? INT32_MAX - 1
                                     : list.algorithm == CLPRIMS_LIST_IN_PLACE ? (size_t)1 << 40
                                                                               : UINT32_MAX - 2);
    memcpy(knobs, clp_list_knobs, sizeof clp_list_knobs);
    draw_knobs(knobs, CLP_LIST_KNOBS, list.knobs);
    clp_list_fit(&list, knobs);
    /* One or two windows more than as many as make both passes' buckets most. */
    const size_t windows = (size_t)1 << 2 * test_random_below(12);
    const size_t next_to = (windows + 1) * list.knobs[CLP_LIST_WINDOW];
    if (test_random_below(3) == 0 && next_to < INT32_MAX) list.max_n = next_to;
    return list;
}

/* Levels, each shorter than the one below, behind one another in scratch. */
static void expect_levels(const clprims_list *list, size_t n) {
    clp_list_level levels[CLP_LIST_LEVELS];
    size_t nodes, at = 0;
    const size_t last = clp_list_lay_out(list, n, levels, &nodes);
    assert_true(last <= list->most.last && nodes <= list->most.nodes);
    for (size_t k = 0; k <= last; k++) {
        assert_true(levels[k].count <= levels[k].mask + 1);
        assert_in_range(levels[k].ids, 1, levels[k].mask + 1);
        if (k > 0 && k < last) assert_true(levels[k + 1].count < levels[k].count);
        if (k > 0) assert_int_equal(levels[k].at, at);
        if (k > 0) at += levels[k].count;
    }
    assert_int_equal(nodes, at);
    assert_true(levels[last].count <= list->knobs[CLP_LIST_LAST]);
    assert_true(levels[last].ids <= list->knobs[CLP_LIST_LAST_GROUP]);
    const bool pairs = clp_list_choose(list, n) == CLPRIMS_LIST_SCATTERED;
    if (pairs && last > 0) assert_true(n <= list->most.pairs);
    if (list->algorithm != CLPRIMS_LIST_IN_PLACE || last == 0) return;
    /* The numbers of all sublists fit a word beside mark and place. */
    const size_t bits = 8 * clprims_type_bytes(list->link) - 1 - list->offset_bits;
    assert_true(levels[0].ids + clp_list_spare(list, n) <= (size_t)1 << bits);
    assert_true(clp_list_spare(list, n) >= n >> list->offset_bits);
}

static void expect_rows(const clprims_list *list, size_t n) {
    const clp_list_limits *most = &list->most;
    const size_t *knobs = list->knobs;
    const clp_list_room room = clp_list_room_of(list, n);
    const size_t group = knobs[CLP_LIST_GROUP], window = knobs[CLP_LIST_WINDOW];
    const size_t lanes = (knobs[CLP_LIST_LANES] + group - 1) / group * group;
    const size_t batch = knobs[CLP_LIST_SORT_GROUP] * knobs[CLP_LIST_ROWS];
    assert_true(room.columns <= most->columns);
    assert_true(room.columns >= n / knobs[CLP_LIST_ROWS] + lanes);
    if (list->result == CLPRIMS_LIST_ORDER) return;
    assert_true(n <= most->items && room.windows * window >= n);
    assert_true(room.buckets <= most->buckets && room.buckets << room.bits >= room.windows);
    assert_true(room.buckets + (room.bits > 0 ? room.windows : 0) <= most->cursors);
    if (room.bits == 0) return;
    assert_true(most->two_passes && (size_t)1 << room.bits <= most->buckets);
    assert_int_equal((window << room.bits) % batch, 0);
    assert_true(window << room.bits <= UINT32_MAX);
}

static void lists_have_room(const void *data) {
    (void)data;
    size_t plans = 0;
    for (size_t draw = 0; draw < (test_long() ? 400000 : 20000); draw++) {
        clprims_context context = fake_context();
        clp_knob knobs[CLP_LIST_KNOBS];
        clprims_list list = draw_list(&context, knobs);
        test_note("link %s, algorithm %d, result %d, max_n = %zu, knobs%s",
                  clprims_type_name(list.link), (int)list.algorithm, (int)list.result, list.max_n,
                  described);
        const clprims_status status = clp_list_fit_algorithm(&list);
        if (status != CLPRIMS_OK) {
            assert_true(status == CLPRIMS_ERR_UNSUPPORTED || status == CLPRIMS_ERR_TOO_LARGE);
            continue;
        }
        plans++;
        expect_given(knobs, CLP_LIST_KNOBS, list.knobs);
        assert_int_equal(list.most.buckets % list.knobs[CLP_LIST_SORT_GROUP], 0);
        for (size_t k = 0; k < 40; k++) {
            const size_t n = k == 0 ? list.max_n : draw_n(list.max_n, list.knobs[CLP_LIST_WINDOW]);
            expect_levels(&list, n);
            if (clp_list_choose(&list, n) == CLPRIMS_LIST_VISIT_LOG) expect_rows(&list, n);
        }
    }
    printf("%zu plans\n", plans);
    assert_true(plans > 1000);
}

/* ---- List scan and forests ---- */

static clp_listscan draw_scan(clprims_context *context, clp_knob knobs[CLP_LISTSCAN_KNOBS],
                              clprims_status *status) {
    static const size_t held[] = {0, 1, 4, 8}, bytes[] = {40, 32, 16, 8, 4, 1};
    clp_listscan plan = {.context = context, .spec = {.who = "sizes"}};
    const size_t size = (size_t)test_random_below(6);
    plan.team = test_random_below(2) == 0 ? 1 : 32;
    plan.held = held[size < 3 ? size : 3];
    plan.spec.what.working_bytes = plan.spec.what.accumulator_bytes = bytes[size];
    plan.spec.link = test_random_below(2) == 0 ? CLPRIMS_I32 : CLPRIMS_I64;
    plan.spec.forest = test_random_below(3) == 0;
    plan.spec.max_n =
        1 + draw_between(0, plan.spec.link == CLPRIMS_I32 ? INT32_MAX - 1 : (size_t)1 << 40);
    memcpy(knobs, clp_listscan_knobs, sizeof clp_listscan_knobs);
    knobs[CLP_LISTSCAN_GROUP].least = knobs[CLP_LISTSCAN_CHUNK].least = plan.team;
    draw_knobs(knobs, CLP_LISTSCAN_KNOBS, plan.knobs);
    *status = clp_listscan_fit(&plan, knobs);
    return plan;
}

static void expect_layout(const clp_listscan *plan, const clp_listscan_layout *most, size_t n) {
    const size_t *knobs = plan->knobs;
    clp_listscan_layout here;
    clp_listscan_lay_out(plan, n, &here);
    assert_in_range(here.last, 1, most->last);
    assert_true(here.nodes <= most->nodes && here.words <= most->words);
    assert_true(here.chunks <= most->chunks && here.cursors <= most->cursors);
    assert_true(here.levels[here.last].count <= knobs[CLP_LISTSCAN_LAST]);
    for (size_t k = 0; k <= here.last; k++)
        assert_in_range(here.levels[k].ids, 1, here.levels[k].mask + 1);
    assert_int_equal(here.lanes % knobs[CLP_LISTSCAN_GROUP], 0);
    assert_true(here.chunks * knobs[CLP_LISTSCAN_CHUNK] >= n);
    assert_true(here.windows << plan->window_bits >= n);
    if (here.buckets == 0) return;
    const size_t tile = knobs[CLP_LISTSCAN_GROUP] * plan->held;
    const size_t finer = (size_t)1 << (here.bucket_bits - plan->window_bits);
    assert_true(here.buckets <= CLP_LISTSCAN_BUCKETS && here.buckets << here.bucket_bits >= n);
    assert_true(finer <= CLP_LISTSCAN_BUCKETS);
    assert_true(finer == 1 || ((size_t)1 << here.bucket_bits) % tile == 0);
    assert_true(here.cursors >= CLP_LISTSCAN_BUCKETS + here.windows);
}

static void scans_have_room(const void *data) {
    (void)data;
    size_t plans = 0;
    for (size_t draw = 0; draw < (test_long() ? 400000 : 20000); draw++) {
        clprims_context context = fake_context();
        clprims_status status;
        clp_listscan_layout most;
        clp_knob knobs[CLP_LISTSCAN_KNOBS];
        const clp_listscan plan = draw_scan(&context, knobs, &status);
        test_note("max_n = %zu, team %zu, values of %zu, knobs%s", plan.spec.max_n, plan.team,
                  plan.spec.what.working_bytes, described);
        if (status != CLPRIMS_OK) {
            assert_int_equal(status, CLPRIMS_ERR_UNSUPPORTED);
            continue;
        }
        plans++;
        expect_given(knobs, CLP_LISTSCAN_KNOBS, plan.knobs);
        clp_listscan_lay_out(&plan, plan.spec.max_n, &most);
        for (size_t k = 0; k < 40; k++) {
            const size_t unit = (size_t)1 << plan.window_bits;
            const size_t n = k == 0 ? plan.spec.max_n : draw_n(plan.spec.max_n, unit);
            expect_layout(&plan, &most, n);
        }
    }
    printf("%zu plans\n", plans);
    assert_true(plans > 1000);
}

/* ---- Messages ---- */

/* Of a device with 32 KiB of local memory, whatever the tests run on. */
static void knobs_are_refused(const void *data) {
    static const struct {
        int knob;
        size_t value;
        const char *part;
    } lists[] = {{CLP_LIST_LAST, 5000, "list: LAST = 5000 and LAST_GROUP = "},
                 {CLP_LIST_WINDOW, 9000, "list: WINDOW = 9000 takes 36000 bytes of local memory"},
                 {CLP_LIST_BUCKETS, 8192, "and BUCKETS = 8192 take"},
                 {CLP_LIST_SORT_GROUP, 1024, "list: SORT_GROUP = 1024, ROWS = 16"}},
      scans[] = {{CLP_LISTSCAN_LAST, 2000, "sizes: LAST = 2000; local memory has room for "},
                 {CLP_LISTSCAN_WINDOW, 1 << 16, "sizes: WINDOW = 65536; local memory"},
                 {CLP_LISTSCAN_GROUP, 256, "sizes: GROUP = 256; its results do not fit"},
                 {CLP_LISTSCAN_SINGLE, 4097, "sizes: SINGLE = 4097 with SINGLE_GROUP = "}};
    (void)data;
    for (size_t k = 0; k < 4; k++) {
        clprims_context context = fake_context();
        clp_knob knobs[CLP_LIST_KNOBS];
        clprims_list list = {.context = &context,
                             .link = CLPRIMS_I32,
                             .max_n = 10000,
                             .algorithm = CLPRIMS_LIST_VISIT_LOG};
        context.device.local_bytes = context.device.static_local_bytes = 32 << 10;
        memcpy(knobs, clp_list_knobs, sizeof knobs);
        for (size_t i = 0; i < CLP_LIST_KNOBS; i++) list.knobs[i] = knobs[i].value;
        list.knobs[lists[k].knob] = lists[k].value;
        knobs[lists[k].knob].given = true;
        clp_list_fit(&list, knobs);
        clp_clear_error();
        expect_failure(clp_list_fit_algorithm(&list), CLPRIMS_ERR_UNSUPPORTED, lists[k].part);
    }
    for (size_t k = 0; k < 4; k++) {
        clprims_context context = fake_context();
        clp_knob knobs[CLP_LISTSCAN_KNOBS];
        clp_listscan plan = {.context = &context,
                             .team = 1,
                             .held = 8,
                             .spec = {.who = "sizes", .link = CLPRIMS_I32, .max_n = 10000}};
        context.device.local_bytes = context.device.static_local_bytes = 32 << 10;
        plan.spec.what.working_bytes = plan.spec.what.accumulator_bytes = 8;
        memcpy(knobs, clp_listscan_knobs, sizeof knobs);
        for (size_t i = 0; i < CLP_LISTSCAN_KNOBS; i++) plan.knobs[i] = knobs[i].value;
        plan.knobs[scans[k].knob] = scans[k].value;
        knobs[scans[k].knob].given = true;
        clp_clear_error();
        expect_failure(clp_listscan_fit(&plan, knobs), CLPRIMS_ERR_UNSUPPORTED, scans[k].part);
    }
}

void sizes_add_layouts(test_cases *cases) {
    test_add(cases, lists_have_room, NULL, 0, "sizes/layouts/list");
    test_add(cases, scans_have_room, NULL, 0, "sizes/layouts/listscan");
    test_add(cases, knobs_are_refused, NULL, 0, "sizes/knobs/refused");
}
