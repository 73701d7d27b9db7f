/* SPDX-License-Identifier: MIT */
/* A fake GPU with sub-groups of each width that the library takes, by the words of OpenCL, Intel
 * and Qualcomm: what the context finds, that every plan has a shape there, and that a kernel with
 * sub-groups of another width is refused. Every plan has a shape where groups are small, too. */
#include "fixtures/plan_kinds.h"
#include "harness/fake_opencl.h"

#include <clprims/blocks.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ATOMICS "cl_khr_fp64 cl_khr_int64_base_atomics "

typedef struct row {
    const char *extensions;
    unsigned width;
    clprims_layer layer;
    size_t found; /* as the width */
    bool has_all; /* plans of every kind are made; else a scan */
} row;

static const row rows[] = {
    {ATOMICS "cl_khr_subgroup_shuffle cl_khr_subgroup_ballot", 8, CLPRIMS_LAYER_SUBGROUP, 8, true},
    {ATOMICS "cl_khr_subgroup_shuffle", 8, CLPRIMS_LAYER_SUBGROUP, 8, false},
    {ATOMICS "cl_intel_subgroups cl_intel_required_subgroup_size", 16, CLPRIMS_LAYER_SUBGROUP, 16,
     false},
    {ATOMICS "cl_khr_subgroup_shuffle cl_khr_subgroup_ballot", 32, CLPRIMS_LAYER_SUBGROUP, 32,
     false},
    {ATOMICS "cl_khr_subgroup_shuffle cl_khr_subgroup_ballot", 64, CLPRIMS_LAYER_SUBGROUP, 64,
     true},
    {ATOMICS "cl_qcom_subgroup_shuffle cl_qcom_reqd_sub_group_size", 64, CLPRIMS_LAYER_SUBGROUP, 64,
     false},
    {ATOMICS "cl_khr_subgroup_ballot", 32, CLPRIMS_LAYER_LOCAL, 1, false}};

static int failures;
static clprims_context *context;
static const char *plan = "context";
static size_t group; /* the most work-items of one; 0: the device's own */

static void fail(const row *r, const char *what, size_t found) {
    fprintf(stderr, "%s, width %u, %s: %zu (%s)\n", r->extensions, r->width, what, found,
            clprims_last_error()->message);
    failures++;
}

static bool open_context(const row *r) {
    clprims_context_options options = {0};
    clprims_context_info info = {0};
    options.device = "2"; /* FAKE_SUBGROUPS_GPU */
    fake_subgroups(r->extensions, r->width);
    if (clprims_context_create(&context, &options) != CLPRIMS_OK ||
        clprims_context_describe(context, &info) != CLPRIMS_OK) {
        fail(r, "no context", 0);
        return false;
    }
    if (info.layer != r->layer) fail(r, "layer", info.layer);
    if (info.subgroup_width != r->found) fail(r, "width found", info.subgroup_width);
    return true;
}

static clprims_context *before(const char *name) {
    plan = name;
    return context;
}

/* A way whose own knobs ask for too large a group is refused with the number. */
static bool is_too_large(void) {
    char limit[32];
    const size_t length = (size_t)snprintf(limit, sizeof limit, " %zu", group);
    const char *at = strstr(clprims_last_error()->message, limit);
    if (group == 0 || strstr(plan, ".auto") != NULL) return false;
    return at != NULL && (at[length] < '0' || at[length] > '9');
}

static void after(clprims_status status) {
    if (status == CLPRIMS_OK || is_too_large()) return;
    fprintf(stderr, "%s, groups of %zu: %s\n", plan, group, clprims_last_error()->message);
    failures++;
}

static void expect_scan(const row *r, clprims_status expected, const char *message) {
    clprims_scan *scan = NULL;
    clprims_scan_desc desc = {.type = CLPRIMS_U32, .max_n = 1 << 20};
    const clprims_status status = clprims_scan_create(&scan, context, &desc);
    if (status != expected || strstr(clprims_last_error()->message, message) == NULL)
        fail(r, "scan", (size_t)status);
    clprims_scan_destroy(scan);
}

/* A compiler that chooses another width for a kernel than for the probe. */
static void try_other_width(const row *r) {
    const bool has_subgroups = r->layer == CLPRIMS_LAYER_SUBGROUP;
    fake_kernel_width(r->width);
    if (open_context(r)) expect_scan(r, CLPRIMS_OK, "");
    clprims_context_destroy(context);
    fake_kernel_width(r->width / 2);
    if (open_context(r))
        expect_scan(r, has_subgroups ? CLPRIMS_ERR_UNSUPPORTED : CLPRIMS_OK,
                    has_subgroups ? "gives a kernel sub-groups of" : "");
    clprims_context_destroy(context);
    fake_kernel_width(0);
}

/* The text of a work-group of two sub-groups, or of one where the device has none, says so. */
static void expect_blocks(const row *r) {
    const clprims_block block = {
        .name = "b", .type = CLPRIMS_F64, .items = 3, .uses = CLPRIMS_BLOCK_SORT};
    const clprims_blocks_desc desc = {
        .group = 2 * (size_t)r->width, .blocks = &block, .block_count = 1};
    const size_t width = r->found > 1 ? r->found : desc.group;
    char *text = NULL, sums[64];
    if (clprims_blocks_text(&text, NULL, context, &desc) != CLPRIMS_OK) {
        fail(r, "blocks", desc.group);
        return;
    }
    snprintf(sums, sizeof sums, "#define CLPRIMS_b_SUMS %zu\n", r->found > 1 ? 2 : 2 * width);
    if (strstr(text, sums) == NULL) fail(r, "counts of blocks", width);
    clprims_blocks_free(text);
}

/* Launches of larger groups fail; so do plans, unless something else is asked for. */
static void try_groups(const plan_visitor *visitor) {
    static const struct {
        const char *device;
        size_t group;
    } small[] = {{"4", 128}, {"4", 96}, {"4", 64}, {"4", 32}, {"4", 16}, {"4", 1}, /* FAKE_GPU */
                 {"2", 128}, {"2", 64}, {"2", 32}, {"2", 16}};
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
        const clprims_context_options options = {.device = small[i].device};
        group = small[i].group;
        fake_sizes(group, 0);
        after(clprims_context_create(&context, &options));
        plan_kinds(visitor);
        clprims_context_destroy(context);
    }
}

int main(void) {
    const plan_visitor visitor = {.before = before, .after = after};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const row *r = &rows[i];
        if (r->has_all && open_context(r)) {
            plan_kinds(&visitor);
            clprims_context_destroy(context);
        }
        if (open_context(r)) {
            expect_blocks(r);
            clprims_context_destroy(context);
        }
        try_other_width(r);
    }
    fake_subgroups(NULL, 0);
    try_groups(&visitor);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
