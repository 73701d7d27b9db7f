/* SPDX-License-Identifier: MIT */
/* What work-groups see of each other: the probe with planted faults, what a context is told in its
 * place, and which algorithms follow. */
#include "core/test_hooks.h"
#include "harness/harness.h"
#include "harness/programs.h"

enum { N = 3000, FEW_POLLS = 2000 };

/* ---- Plans of a context ---- */

static void expect_scan(clprims_context *context, clprims_algorithm wanted,
                        clprims_algorithm expected) {
    clprims_scan_desc desc = {0};
    clprims_scan_info info = {0};
    clprims_scan *scan = NULL;
    uint32_t in[N], out[N], sums[N], sum = 0;
    for (size_t i = 0; i < N; i++) {
        in[i] = (uint32_t)(i * i + 7);
        sums[i] = sum;
        sum += in[i];
    }
    desc.type = CLPRIMS_U32;
    desc.max_n = N;
    desc.algorithm = wanted;
    desc.tuning = expected == CLPRIMS_ALGORITHM_LOOKAHEAD ? NULL : "GROUP=1 ROWS=64";
    expect_ok(clprims_scan_create(&scan, context, &desc));
    expect_ok(clprims_scan_describe(scan, N, &info));
    assert_string_equal(clprims_algorithm_name(info.algorithm), clprims_algorithm_name(expected));
    expect_ok(clprims_scan_run(scan, &(clprims_scan_arrays){.in = in, .out = out}, N));
    expect_values(CLPRIMS_U32, sums, out, N);
    clprims_scan_destroy(scan);
}

static void expect_select(clprims_context *context, clprims_algorithm expected) {
    clprims_select_info info = {0};
    clprims_select *plan = NULL;
    clprims_select_desc desc = {
        .by = CLPRIMS_SELECT_NONZERO, .arrays = 1, .type[0] = CLPRIMS_U32, .max_n = N};
    expect_ok(clprims_select_create(&plan, context, &desc));
    expect_ok(clprims_select_describe(plan, N, &info));
    assert_string_equal(clprims_algorithm_name(info.algorithm), clprims_algorithm_name(expected));
    clprims_select_destroy(plan);
}

static void expect_look_back_refused(clprims_context *context) {
    clprims_scan *scan = NULL;
    clprims_scan_desc desc = {
        .type = CLPRIMS_U32, .max_n = N, .algorithm = CLPRIMS_ALGORITHM_LOOKBACK};
    expect_failure(clprims_scan_create(&scan, context, &desc), CLPRIMS_ERR_UNSUPPORTED,
                   "see each other's words");
    desc.algorithm = CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK;
    expect_failure(clprims_scan_create(&scan, context, &desc), CLPRIMS_ERR_UNSUPPORTED,
                   "see each other's words");
}

/* ---- The probe ---- */

typedef struct probe_case {
    const char *name;
    size_t fault; /* as in probe_groups.cl */
    size_t bound; /* 0: as usual, far longer than another process may take a core away */
    const char *found;
    const char *reason;
} probe_case;

static const probe_case probes[] = {
    {"right", 0, 0, "words=shown progress=shown", "the probe ran right"},
    {"words-are-lost", 1, FEW_POLLS, "words=failed", "words: a work-group missed another's"},
    {"words-are-torn", 2, FEW_POLLS, "words=failed", "words: a work-group missed another's"},
    {"group-stalls", 4, FEW_POLLS, "progress=failed", "progress: a work-group waited in vain"},
};

static clprims_context *create_with(const char *probed) {
    clprims_context_options options = test_options();
    options.probed = probed;
    return test_context_create(&options);
}

static clprims_context_info describe(const clprims_context *context) {
    clprims_context_info info = {0};
    expect_ok(clprims_context_describe(context, &info));
    return info;
}

static void probed(const void *data) {
    const probe_case *c = data;
    const clp_test_hooks hooks = {.probe_fault = c->fault, .probe_bound = c->bound};
    clp_test_hooks_set(&hooks);
    clprims_context *context = create_with("words=probe progress=probe");
    clp_test_hooks_set(NULL);
    const clprims_context_info info = describe(context);
    expect_contains(info.probed, c->found);
    expect_contains(info.reason, c->reason);
    const clprims_algorithm single_pass = info.layer == CLPRIMS_LAYER_NVIDIA
                                              ? CLPRIMS_ALGORITHM_LOOKAHEAD
                                              : CLPRIMS_ALGORITHM_LOOKBACK;
    const clprims_algorithm expected =
        c->fault == 0 ? single_pass : CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN;
    expect_scan(context, CLPRIMS_ALGORITHM_AUTO, expected);
    expect_select(context, expected);
    if (strcmp(c->found, "words=failed") == 0) expect_look_back_refused(context);
}

/* No layer can do without what one work-group leaves for another. */
static void data_are_lost(void) {
    const clp_test_hooks hooks = {.probe_fault = 3};
    clprims_context_options options = test_options();
    options.probed = "progress=probe";
    clp_test_hooks_set(&hooks);
    expect_no_context(&options, CLPRIMS_ERR_UNSUPPORTED, "data that another work-group wrote");
    clp_test_hooks_set(NULL);
}

/* ---- What is told ---- */

/* All that a context says of the device: nothing is compiled for one that is told so. */
static void told_all(void) {
    char all[128];
    snprintf(all, sizeof all, "%s", test_info().probed);
    const size_t before = programs_count();
    clprims_context *context = create_with(all);
    const clprims_context_info info = describe(context);
    assert_string_equal(info.probed, all);
    assert_int_equal(info.layer, test_info().layer);
    assert_int_equal(info.subgroup_width, test_info().subgroup_width);
    expect_contains(info.reason, "as options.probed has it");
    assert_int_equal(programs_count(), before);
    expect_scan(context, CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN, CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN);
}

/* Where progress is denied, the caller may still ask for a look-back, and where words are, not. */
static void told_failed(void) {
    clprims_context *context = create_with("  words=known progress=shown progress=failed ");
    expect_contains(describe(context).probed, "words=known progress=failed");
    expect_scan(context, CLPRIMS_ALGORITHM_AUTO, CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN);
    expect_scan(context, CLPRIMS_ALGORITHM_LOOKBACK, CLPRIMS_ALGORITHM_LOOKBACK);
    expect_select(context, CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN);
    context = create_with("words=failed");
    expect_contains(describe(context).probed, "words=failed progress=known");
    expect_scan(context, CLPRIMS_ALGORITHM_AUTO, CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN);
    expect_look_back_refused(context);
}

typedef struct refusal {
    const char *name, *told, *message;
} refusal;

static const refusal refusals[] = {
    {"no-value", "width", "probed has \"width\""},
    {"empty-value", "words=", "probed has \"words=\""},
    {"empty-number", "width=", "probed has \"width=\""},
    {"unknown-layer", "words=shown layer=cuda", "probed has \"layer=cuda\""},
    {"auto-layer", "layer=auto", "probed has \"layer=auto\""},
    {"unknown-finding", "words=maybe", "probed has \"words=maybe\""},
    {"unknown-name", "speed=1", "probed has \"speed=1\""},
    {"no-name", "=1", "probed has \"=1\""},
    {"zero", "width=0", "probed has \"width=0\""},
    {"zero-behind-a-number", "width=1 width=0", "probed has \"width=0\""},
    {"negative", "local=-1", "probed has \"local=-1\""},
    {"too-many-digits", "local=1000000000", "probed has \"local=1000000000\""},
    {"a-line", "words=shown\nprogress=shown", "probed has \"words=shown\n"},
    {"width-of-local", "layer=local width=2", "width=2; the layer local needs 1"},
    {"local-bytes", "local=7", "local=7;"},
};

static void refused(const void *data) {
    const refusal *r = data;
    clprims_context_options options = test_options();
    options.layer = CLPRIMS_LAYER_AUTO;
    options.probed = r->told;
    expect_no_context(&options, CLPRIMS_ERR_ARGUMENT, r->message);
}

static void two_layers(void) {
    clprims_context_options options = test_options();
    options.layer = CLPRIMS_LAYER_LOCAL;
    options.probed = "layer=subgroup";
    expect_no_context(&options, CLPRIMS_ERR_ARGUMENT,
                      "probed has layer=subgroup, but layer is local");
}

void test_program(test_cases *cases) {
    test_add_rows(cases, probed, probes, "probe/groups");
    test_add_plain(cases, data_are_lost, "probe/groups/data-are-lost");
    test_add_plain(cases, told_all, "probe/told/all");
    test_add_plain(cases, told_failed, "probe/told/failed");
    test_add_rows(cases, refused, refusals, "probe/refused");
    test_add_plain(cases, two_layers, "probe/refused/two-layers");
}
