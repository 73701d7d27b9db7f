/* SPDX-License-Identifier: MIT */
/* Bad input: each kind has its own status and a message with the values in it. */
#include "merge/merge_groups.h"
#include "subjects/runs/subject_counted.h"
#include "subjects/runs/subject_refusals.h"

enum { LARGEST_TILE_BYTES = 1024 * 63 * 258, N_A = 100, N_B = 50 };

static const clprims_merge_desc good = {.type = CLPRIMS_I32, .max_n = N_A, .max_n_b = N_B};

/* ---- create ---- */

static void needs_little_local_memory(void) {
    cl_ulong bytes = 0;
    expect_cl(clGetDeviceInfo(test_info().device_id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof bytes, &bytes,
                              NULL));
    if (bytes >= LARGEST_TILE_BYTES) test_skip("the device has room for the largest tile");
}

static void struct_without_text(clprims_merge_desc *d) {
    d->type = CLPRIMS_STRUCT, d->less = "a.x < b.x";
}

static void struct_bytes(clprims_merge_desc *d) {
    struct_without_text(d), d->custom.type_name = "t", d->custom.declarations = "typedef int t;",
                            d->custom.type_bytes = 6;
}

static void spoil(void *desc, subject_refusal *r) {
    clprims_merge_desc *d = desc;
    REFUSED("huge-max_n_b", TOO_LARGE, "max_n_b = 18446744073709551615 exceeds",
            d->max_n_b = SIZE_MAX)
    ILLEGAL("payload", "payload_bytes = 257; it must be at most 256", d->payload_bytes = 257)
    REFUSED("broken-less", BUILD, "elephants", d->less = "a < elephants")
    ILLEGAL("parameters-for-none", "1 parameters, but no text such as desc.less",
            d->parameters = "int number")
    ILLEGAL("bad-parameters", "parameter 0", d->less = "a < b",
            d->parameters = "local struct cat *x")
    ILLEGAL("unread-op", "merge: custom.op = \"a + b\" is never read", d->custom.op = "a + b")
    ILLEGAL("name-of-operand", "\"uint b\", has the name of an operand of desc.less",
            d->less = "a < b", d->parameters = "uint b")
    ILLEGAL("struct-without-less", "needs desc.less", d->type = CLPRIMS_STRUCT)
    ILLEGAL("struct-without-text", "type_name is NULL", struct_without_text(d))
    ILLEGAL("struct-bytes", "custom.type_bytes = 257; it must be", struct_bytes(d),
            d->custom.type_bytes = 257)
    ILLEGAL("struct-of-other-size", "merge: type_bytes = 8, the device's sizeof is 4",
            struct_bytes(d), d->less = "a < b", d->custom.type_bytes = 8)
    REFUSED("tile-too-large", UNSUPPORTED, "need 16515074 bytes", needs_little_local_memory(),
            struct_bytes(d), d->custom.type_bytes = 256, d->tuning = "GROUP=1024 ITEMS=63")
}

/* ---- enqueue ---- */

static const clprims_merge_desc pairs = {
    .type = CLPRIMS_I32, .payload_bytes = 8, .max_n = N_A, .max_n_b = N_B};
static const subject_data like = {.of = &subject_merge, .desc = &pairs, .most = {N_A, N_B}};

static void arrays_refuse(void) {
    subject_enqueue_refuses(&like);
}

static clprims_merge *plan_of(const clprims_merge_desc *desc) {
    return subject_made_plan(&subject_merge, desc);
}

static void enqueue_refuses_null(void) {
    clprims_merge *plan = plan_of(&good);
    test_buffer buffer = test_buffer_create(NULL, N_A + N_B, 8, 0);
    cl_command_queue queue = test_queue();
    const clprims_status bad = CLPRIMS_ERR_ARGUMENT;
    expect_failure(clprims_merge_enqueue(plan, queue, NULL, 1, 0, NULL, NULL), bad,
                   "merge: buffers is NULL");
    clprims_merge_buffers at = {.payload_b = buffer.at, .sizes.n_b = 1};
    expect_failure(clprims_merge_enqueue(plan, queue, &at, 1, 0, NULL, NULL), bad,
                   "payload_b.mem is not NULL, but the plan has no payload");
    at = (clprims_merge_buffers){0};
    expect_ok(clprims_merge_enqueue(plan, queue, &at, 0, 0, NULL, NULL));
    expect_cl(clFinish(queue));
}

/* ---- run, describe, set_parameter ---- */

static void run_refuses(void) {
    subject_run_refuses(&like);
    clprims_merge_arrays at = {0};
    int64_t values[3] = {0};
    clprims_merge *plan = plan_of(&good);
    expect_failure(clprims_merge_run(plan, NULL, 0), CLPRIMS_ERR_ARGUMENT, "arrays is NULL");
    at.a = at.b = at.payload_a = values;
    at.out = values + 1;
    at.sizes.n_b = 1;
    expect_failure(clprims_merge_run(plan, &at, 1), CLPRIMS_ERR_ARGUMENT,
                   "but the plan has no payload");
}

static void others_refuse(void) {
    subject_others_refuse(&like);
}

static void unset_parameter_is_refused(void) {
    clprims_merge_desc desc = good;
    const subject_data signs = {.of = &subject_merge, .desc = &desc, .most = {N_A, N_B}};
    desc.less = "sign * a < sign * b";
    desc.parameters = "int sign";
    clprims_merge *plan = plan_of(&desc);
    subject_unset_is_refused(&signs, plan, "sign");
}

void merge_add_refusals(test_cases *cases) {
    subject_add_refused(cases, &subject_merge, &good, spoil, "merge/refusals/create");
    subject_add_null(cases, &subject_merge, &good, "merge/refusals/create");
    test_add_plain(cases, arrays_refuse, "merge/refusals/enqueue/arrays");
    subject_add_counted_refused(cases, &subject_merge, &pairs, "merge/counted");
    test_add_plain(cases, enqueue_refuses_null, "merge/refusals/enqueue/null");
    test_add_plain(cases, run_refuses, "merge/refusals/run");
    test_add_plain(cases, others_refuse, "merge/refusals/others");
    test_add_plain(cases, unset_parameter_is_refused, "merge/refusals/parameter");
}
