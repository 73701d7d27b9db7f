/* SPDX-License-Identifier: MIT */
/*
 * What plans of list ranking and list scan have room for, beside what each run takes: by the
 * library's own functions, for knobs and max_n drawn from all that is legal, without a device.
 */
#include "sizes/sizes.h"

#include "list/list_engine.h"

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

static clp_list draw_list(clprims_context *context, clp_knob knobs[CLP_LIST_KNOBS]) {
    clp_list plan = {.head.context = context, .team = 1, .spec = {.who = "list", .ranks = true}};
    clp_list_spec *spec = &plan.spec;
    spec->link = test_random_below(2) == 0 ? CLPRIMS_I32 : CLPRIMS_I64;
    spec->algorithm = (clprims_list_algorithm)(1 + test_random_below(3));
    spec->result = test_random_below(4) == 0 && spec->algorithm != CLPRIMS_LIST_IN_PLACE
                       ? CLPRIMS_LIST_ORDER
                       : CLPRIMS_LIST_RANKS;
    spec->what.working_bytes = spec->what.accumulator_bytes = clprims_type_bytes(spec->link);
    spec->max_n = 1 + draw_between(0, spec->link == CLPRIMS_I32                  ? INT32_MAX - 1
                                      : spec->algorithm == CLPRIMS_LIST_IN_PLACE ? (size_t)1 << 40
                                                                                 : UINT32_MAX - 2);
    memcpy(knobs, clp_list_knobs, sizeof clp_list_knobs);
    draw_knobs(knobs, CLP_LIST_KNOBS, plan.knobs);
    clp_list_fit(&plan, knobs);
    /* One or two windows more than as many as make both passes' buckets most. */
    const size_t windows = (size_t)1 << 2 * test_random_below(12);
    const size_t next_to = (windows + 1) * plan.knobs[CLP_LIST_WINDOW];
    if (test_random_below(3) == 0 && next_to < INT32_MAX) spec->max_n = next_to;
    return plan;
}

/* Levels, each shorter than the one below, behind one another in scratch. */
static void expect_levels(const clp_list *plan, const clp_list_layout *here, size_t n) {
    const clp_list_level *levels = here->levels;
    const size_t group = plan->knobs[CLP_LIST_LAST_GROUP];
    size_t at = 0;
    assert_true(here->last <= plan->most.last && here->nodes <= plan->most.nodes);
    assert_int_equal(levels[0].count, n);
    for (size_t k = 0; k <= here->last; k++) {
        assert_true(levels[k].count <= levels[k].mask + 1);
        assert_true(levels[k].ids <= levels[k].mask + 1);
        if (k > 0) assert_in_range(levels[k].count, levels[k - 1].ids, levels[k - 1].mask + 1);
        if (k > 1) assert_true(levels[k].count < levels[k - 1].count);
        if (k > 0) assert_int_equal(levels[k].at, at);
        if (k > 0) assert_int_equal(levels[k - 1].above, at);
        if (k > 0) at += levels[k].count;
    }
    assert_int_equal(here->nodes, at);
    assert_true(levels[here->last].ids <= group);
    if (here->last > 0) assert_true(levels[here->last].count <= plan->knobs[CLP_LIST_LAST]);
    if (here->last > 0) assert_int_equal(here->lanes % plan->knobs[CLP_LIST_GROUP], 0);
}

/* What a ranking has beside its levels. */
static void expect_ways(const clp_list *plan, const clp_list_layout *here, size_t n) {
    const clp_list_level *first = &here->levels[0];
    const size_t spare = clp_list_spare(plan, n);
    assert_int_equal(first->sublists, first->ids + 1);
    if (here->last == 0) {
        assert_true(n <= plan->knobs[CLP_LIST_LAST]);
        return;
    }
    if (here->algorithm == CLPRIMS_LIST_SCATTERED) assert_true(n <= plan->most.pairs);
    if (here->algorithm != CLPRIMS_LIST_IN_PLACE) {
        assert_int_equal(here->levels[1].count, first->sublists);
        return;
    }
    /* The numbers of all sublists fit a word beside mark and place. */
    const size_t bits = 8 * clprims_type_bytes(plan->spec.link) - 1 - plan->offset_bits;
    assert_true(first->sublists + spare <= (size_t)1 << bits);
    assert_true(spare >= n >> plan->offset_bits);
    assert_int_equal(here->levels[1].count, first->sublists + spare);
}

static void expect_rows(const clp_list *plan, const clp_list_layout *here, size_t n) {
    const clp_list_limits *most = &plan->most;
    const size_t *knobs = plan->knobs;
    const size_t group = knobs[CLP_LIST_GROUP], window = knobs[CLP_LIST_WINDOW];
    const size_t lanes = (knobs[CLP_LIST_LANES] + group - 1) / group * group;
    const size_t batch = knobs[CLP_LIST_SORT_GROUP] * knobs[CLP_LIST_ROWS];
    assert_true(here->chunks <= most->chunks);
    assert_true(here->chunks >= n / knobs[CLP_LIST_ROWS] + lanes);
    if (plan->spec.result == CLPRIMS_LIST_ORDER) return;
    assert_true(n <= most->items && here->windows * window >= n);
    assert_true(here->buckets <= most->buckets && here->buckets << here->bits >= here->windows);
    assert_true(here->cursors <= most->cursors);
    assert_true(here->buckets + (here->bits > 0 ? here->windows : 0) <= here->cursors);
    if (here->bits == 0) return;
    assert_true(most->two_passes && (size_t)1 << here->bits <= most->buckets);
    assert_int_equal((window << here->bits) % batch, 0);
    assert_true(window << here->bits <= UINT32_MAX);
}

static void expect_list(const clp_list *plan, size_t n) {
    clp_list_layout here;
    clp_list_lay_out(plan, n, &here);
    expect_levels(plan, &here, n);
    expect_ways(plan, &here, n);
    if (here.algorithm == CLPRIMS_LIST_VISIT_LOG) expect_rows(plan, &here, n);
    assert_int_equal(plan->most.buckets % plan->knobs[CLP_LIST_SORT_GROUP], 0);
}

/* ---- List scan and forests ---- */

static clp_list draw_scan(clprims_context *context, clp_knob knobs[CLP_LISTSCAN_KNOBS]) {
    static const size_t bytes[] = {40, 32, 16, 8, 4, 1};
    clp_list plan = {.head.context = context,
                     .spec = {.who = "sizes", .algorithm = CLPRIMS_LIST_SCATTERED}};
    clp_list_spec *spec = &plan.spec;
    const size_t size = (size_t)test_random_below(6);
    plan.team = test_random_below(2) == 0 ? 1 : 32;
    spec->what.working_bytes = spec->what.accumulator_bytes = bytes[size];
    spec->link = test_random_below(2) == 0 ? CLPRIMS_I32 : CLPRIMS_I64;
    spec->forest = test_random_below(3) == 0;
    spec->max_n = 1 + draw_between(0, spec->link == CLPRIMS_I32 ? INT32_MAX - 1 : (size_t)1 << 40);
    memcpy(knobs, clp_listscan_knobs, sizeof clp_listscan_knobs);
    knobs[CLP_LIST_GROUP].least = knobs[CLP_LISTSCAN_CHUNK].least = plan.team;
    draw_knobs(knobs, CLP_LISTSCAN_KNOBS, plan.knobs);
    clp_list_fit(&plan, knobs);
    return plan;
}

static void expect_scan_layout(const clp_list *plan, size_t n) {
    const clp_list_limits *most = &plan->most;
    const size_t *knobs = plan->knobs;
    clp_list_layout here;
    clp_list_lay_out(plan, n, &here);
    expect_levels(plan, &here, n);
    if (here.last == 0) assert_true(n <= knobs[CLP_LISTSCAN_SINGLE]);
    assert_true(here.words <= most->words && n <= most->items);
    assert_true(here.chunks <= most->chunks && here.cursors <= most->cursors);
    assert_true(here.chunks * knobs[CLP_LISTSCAN_CHUNK] >= n);
    if (here.buckets == 0) return;
    assert_true(here.windows * plan->window >= n);
    const size_t tile = knobs[CLP_LIST_GROUP] * knobs[CLP_LIST_ROWS];
    const size_t finer = (size_t)1 << here.bits, bucket = plan->window << here.bits;
    assert_true(clp_list_partitions(plan, plan->spec.max_n) && (finer == 1 || most->two_passes));
    assert_true(here.buckets <= most->buckets && here.buckets * bucket >= n);
    assert_true(finer <= most->buckets);
    assert_true(finer == 1 || bucket % tile == 0);
    assert_true(here.cursors >= here.buckets + (finer > 1 ? here.windows : 0));
}

/* ---- Plans ---- */

static const struct layouts {
    const char *name;
    clp_list (*draw)(clprims_context *context, clp_knob *knobs);
    void (*expect)(const clp_list *plan, size_t n);
    size_t knobs;
    bool may_be_too_large;
} layouts[] = {{"list", draw_list, expect_list, CLP_LIST_KNOBS, true},
               {"listscan", draw_scan, expect_scan_layout, CLP_LISTSCAN_KNOBS, false}};

static void plans_have_room(const void *data) {
    const struct layouts *l = data;
    size_t plans = 0;
    for (size_t draw = 0; draw < (test_long() ? 400000 : 20000); draw++) {
        clprims_context context = fake_context();
        clp_knob knobs[CLP_LIST_KNOBS];
        clp_list plan = l->draw(&context, knobs);
        const size_t max_n = plan.spec.max_n;
        test_note("link %s, algorithm %d, result %d, max_n = %zu, team %zu, values of %zu, knobs%s",
                  clprims_type_name(plan.spec.link), (int)plan.spec.algorithm,
                  (int)plan.spec.result, max_n, plan.team, plan.spec.what.working_bytes, described);
        const clprims_status status = clp_list_check_fit(&plan);
        if (status != CLPRIMS_OK) {
            assert_true(status == CLPRIMS_ERR_UNSUPPORTED ||
                        (l->may_be_too_large && status == CLPRIMS_ERR_TOO_LARGE));
            continue;
        }
        plans++;
        expect_given(knobs, l->knobs, plan.knobs);
        const size_t unit = plan.spec.ranks ? plan.knobs[CLP_LIST_WINDOW] : plan.window;
        for (size_t k = 0; k < 40; k++) l->expect(&plan, k == 0 ? max_n : draw_n(max_n, unit));
    }
    printf("%zu plans\n", plans);
    assert_true(plans > 1000);
}

/* ---- Messages ---- */

/* Of a device with 32 KiB of local memory, whatever the tests run on. */
static void knobs_are_refused(void) {
    static const struct {
        bool ranks;
        int knob;
        size_t value;
        const char *part;
    } rows[] = {
        {true, CLP_LIST_LAST, 5000, "list: LAST = 5000; local memory has room for "},
        {true, CLP_LIST_WINDOW, 9000, "list: WINDOW = 9000 takes 36000 bytes of local memory"},
        {true, CLP_LIST_BUCKETS, 8192, "and 8192 buckets takes"},
        {true, CLP_LIST_SORT_GROUP, 1024, "list: SORT_GROUP = 1024 with 16 results each"},
        {false, CLP_LIST_LAST, 3000, "sizes: LAST = 3000; local memory has room for "},
        {false, CLP_LIST_WINDOW, 1 << 16,
         "sizes: WINDOW = 65536 takes 65536 bytes of local memory"},
        {false, CLP_LIST_GROUP, 256, "sizes: GROUP = 256 with 8 results each"},
        {false, CLP_LISTSCAN_SINGLE, 4097, "sizes: SINGLE = 4097 with SINGLE_GROUP = "}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        const bool ranks = rows[k].ranks;
        const size_t count = ranks ? CLP_LIST_KNOBS : CLP_LISTSCAN_KNOBS, bytes = ranks ? 4 : 8;
        clprims_context context = fake_context();
        clp_knob knobs[CLP_LIST_KNOBS];
        clp_list plan = {
            .head.context = &context,
            .team = 1,
            .spec = {.who = ranks ? "list" : "sizes",
                     .ranks = ranks,
                     .link = CLPRIMS_I32,
                     .max_n = 10000,
                     .algorithm = ranks ? CLPRIMS_LIST_VISIT_LOG : CLPRIMS_LIST_SCATTERED}};
        context.device.local_bytes = context.device.static_local_bytes = 32 << 10;
        plan.spec.what.working_bytes = plan.spec.what.accumulator_bytes = bytes;
        memcpy(knobs, ranks ? clp_list_knobs : clp_listscan_knobs, count * sizeof *knobs);
        for (size_t i = 0; i < count; i++) plan.knobs[i] = knobs[i].value;
        plan.knobs[rows[k].knob] = rows[k].value;
        knobs[rows[k].knob].given = true;
        clp_list_fit(&plan, knobs);
        clp_clear_error();
        expect_failure(clp_list_check_fit(&plan), CLPRIMS_ERR_UNSUPPORTED, rows[k].part);
    }
}

void sizes_add_layouts(test_cases *cases) {
    for (size_t k = 0; k < sizeof layouts / sizeof layouts[0]; k++) {
        test_add_row(cases, plans_have_room, layouts[k], "sizes/layouts/%s", layouts[k].name);
    }
    test_add_plain(cases, knobs_are_refused, "sizes/knobs/refused");
}
