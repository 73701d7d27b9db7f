/* SPDX-License-Identifier: MIT */
/* Fake devices that show their work-groups' progress or fail to, and known ones: what a context
 * finds, and which algorithms follow. */
#include "harness/fake_opencl.h"

#include <clprims/clprims.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As in cl/device/probe_groups.cl. */
enum { WORDS = 1, DATA = 2, PROGRESS = 4, ALL = WORDS | DATA | PROGRESS };

static int failures;

static void fail(const char *what, int kind, const char *found, const char *expected) {
    fprintf(stderr, "device %d, %s: '%s', not '%s' (%s)\n", kind, what, found, expected,
            clprims_last_error()->message);
    failures++;
}

static void expect_part(const char *what, int kind, const char *found, const char *expected) {
    if (strstr(found, expected) == NULL) fail(what, kind, found, expected);
}

typedef struct row {
    int kind;
    unsigned seen;
    fake_refusal refusal; /* of the probe of groups */
    const char *told;
    const char *probed, *reason;
    clprims_algorithm algorithm;
} row;

#define LEVELS CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN
#define LOOKBACK CLPRIMS_ALGORITHM_LOOKBACK
#define LOOKAHEAD CLPRIMS_ALGORITHM_LOOKAHEAD

static const row rows[] = {
    {FAKE_GPU, ALL, FAKE_TAKES, NULL, "layer=local width=1 local=49152 words=shown progress=shown",
     "local: the probe ran right", LOOKBACK},
    {FAKE_GPU, ALL & ~WORDS, FAKE_TAKES, NULL, "words=failed progress=shown", "missed another's",
     LEVELS},
    {FAKE_GPU, ALL & ~PROGRESS, FAKE_TAKES, NULL, "words=shown progress=failed", "waited in vain",
     LEVELS},
    {FAKE_GPU, ALL, FAKE_NO_BUILD, NULL, "words=failed progress=failed", "waited in vain", LEVELS},
    {FAKE_GPU, 0, FAKE_TAKES, "words=shown progress=shown", "words=shown progress=shown",
     "the probe ran right", LOOKBACK},
    {FAKE_GPU, ALL & ~PROGRESS, FAKE_TAKES, "words=shown", "words=shown progress=failed",
     "waited in vain", LEVELS},
    {FAKE_GPU, ALL, FAKE_TAKES, "progress=failed", "words=shown progress=failed", "waited in vain",
     LEVELS},
    {FAKE_SUBGROUPS_GPU, ALL, FAKE_TAKES, NULL, "layer=subgroup width=16 local=49152 words=shown",
     "subgroup: the probe ran right", LOOKBACK},
    {FAKE_SUBGROUPS_GPU, ALL & ~PROGRESS, FAKE_TAKES, NULL, "layer=subgroup width=16",
     "waited in vain", LEVELS},
    {FAKE_CPU, 0, FAKE_NO_BUILD, NULL, "words=known progress=known", "local", LOOKBACK},
    {FAKE_CPU, ALL & ~WORDS, FAKE_TAKES, "words=probe", "words=failed progress=known",
     "missed another's", LEVELS},
    {FAKE_NVIDIA, 0, FAKE_NO_BUILD, NULL, "layer=nvidia width=32 local=231424 words=known",
     "nvidia: the probe ran right", LOOKAHEAD},
    {FAKE_NVIDIA, 0, FAKE_TAKES, "layer=nvidia width=32 local=231424 progress=failed",
     "words=known progress=failed", "as options.probed has it", LEVELS},
    {FAKE_NVIDIA, 0, FAKE_TAKES, "words=failed", "words=failed progress=known", "missed another's",
     LEVELS},
    {FAKE_NVIDIA, 0, FAKE_TAKES, "local=49152", "local=49152 words=known", "the probe ran right",
     LOOKAHEAD},
};

static clprims_context *create(const row *r, clprims_status *status) {
    clprims_context *context = NULL;
    char number[8];
    snprintf(number, sizeof number, "%d", r->kind);
    clprims_context_options options = {.device = number, .probed = r->told};
    fake_see(r->seen);
    fake_refuse("void clp_probe_groups(", r->refusal);
    *status = clprims_context_create(&context, &options);
    return context;
}

static void expect_algorithm(const char *what, const row *r, clprims_status status,
                             clprims_algorithm found) {
    const char *names[] = {clprims_algorithm_name(found), clprims_algorithm_name(r->algorithm)};
    if (status != CLPRIMS_OK || found != r->algorithm) fail(what, r->kind, names[0], names[1]);
}

enum { MAX_N = 1 << 22 };

static void expect_plans(const row *r, clprims_context *context) {
    clprims_scan_desc scan_desc = {0};
    clprims_scan_info scan_info = {0};
    clprims_select_desc select_desc = {0};
    clprims_select_info select_info = {0};
    clprims_scan *scan = NULL;
    clprims_select *select = NULL;
    scan_desc.type = select_desc.type[0] = CLPRIMS_U32;
    scan_desc.max_n = select_desc.max_n = MAX_N;
    clprims_status status = clprims_scan_create(&scan, context, &scan_desc);
    if (status == CLPRIMS_OK) status = clprims_scan_describe(scan, MAX_N, &scan_info);
    expect_algorithm("scan", r, status, scan_info.algorithm);
    clprims_scan_destroy(scan);
    select_desc.by = CLPRIMS_SELECT_NONZERO;
    select_desc.arrays = 1;
    status = clprims_select_create(&select, context, &select_desc);
    if (status == CLPRIMS_OK) status = clprims_select_describe(select, MAX_N, &select_info);
    expect_algorithm("select", r, status, select_info.algorithm);
    clprims_select_destroy(select);
}

static void try(const row *r) {
    clprims_context_info info = {0};
    clprims_status status;
    clprims_context *context = create(r, &status);
    if (status == CLPRIMS_OK) status = clprims_context_describe(context, &info);
    if (status != CLPRIMS_OK) {
        fail("context", r->kind, clprims_status_name(status), "one");
        return;
    }
    expect_part("probed", r->kind, info.probed, r->probed);
    expect_part("reason", r->kind, info.reason, r->reason);
    expect_plans(r, context);
    clprims_context_destroy(context);
}

/* Where data of another work-group are missed, the next layer is tried, and the last is refused. */
static void try_without_data(void) {
    for (int kind = FAKE_SUBGROUPS_GPU; kind <= FAKE_GPU; kind += FAKE_GPU - FAKE_SUBGROUPS_GPU) {
        const row r = {.kind = kind, .seen = ALL & ~DATA};
        clprims_status status;
        clprims_context *context = create(&r, &status);
        const char *message = clprims_last_error()->message;
        if (status != CLPRIMS_ERR_UNSUPPORTED)
            fail("without data", kind, clprims_status_name(status), "CLPRIMS_ERR_UNSUPPORTED");
        if (kind == FAKE_SUBGROUPS_GPU)
            expect_part("without data", kind, message, "subgroup: the probe failed at data that");
        expect_part("without data", kind, message, "local: the probe failed at data that");
        clprims_context_destroy(context);
    }
}

int main(void) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) try(&rows[i]);
    try_without_data();
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
