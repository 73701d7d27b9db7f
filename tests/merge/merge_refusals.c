/* SPDX-License-Identifier: MIT */
/* Bad input: each kind has its own status and a message with the values in it. */
#include "merge/merge_groups.h"

#include <string.h>

enum { LARGEST_TILE_BYTES = 1024 * 63 * 258 };

/* ---- create ---- */

typedef struct bad_desc {
    const char *name;
    void (*spoil)(clprims_merge_desc *desc);
    clprims_status status;
    const char *message; /* a part of it */
} bad_desc;

#define SPOIL(name, statements)                                                                    \
    static void name(clprims_merge_desc *d) {                                                      \
        statements;                                                                                \
    }
SPOIL(old_size, d->struct_size = 8)
SPOIL(no_type, d->type = CLPRIMS_TYPE_DEFAULT)
SPOIL(no_max, d->max_a = d->max_b = 0)
SPOIL(huge_max_a, d->max_a = SIZE_MAX)
SPOIL(huge_max_b, d->max_b = SIZE_MAX)
SPOIL(large_payload, d->payload_bytes = 17)
SPOIL(broken_less, d->less = "a < elephants")
SPOIL(parameters_for_none, d->parameters = "int number")
SPOIL(bad_parameters, (d->less = "a < b", d->parameters = "struct cat *x"))
SPOIL(struct_without_less, d->type = CLPRIMS_STRUCT)
SPOIL(struct_without_text, (d->type = CLPRIMS_STRUCT, d->less = "a.x < b.x"))
SPOIL(struct_bytes, (struct_without_text(d), d->custom.type_name = "t",
                     d->custom.declarations = "typedef int t;", d->custom.type_bytes = 6))
SPOIL(unknown_knob, d->tuning = "COLOR=3")
SPOIL(group_no_power, d->tuning = "GROUP=48")
SPOIL(items_zero, d->tuning = "ITEMS=0")
SPOIL(groups_zero, d->tuning = "GROUPS=0")
SPOIL(tile_too_large,
      (struct_bytes(d), d->custom.type_bytes = 256, d->tuning = "GROUP=1024 ITEMS=63"))

static const bad_desc bad_descs[] = {
    {"struct-size", old_size, CLPRIMS_ERR_ARGUMENT, "struct_size"},
    {"no-type", no_type, CLPRIMS_ERR_ARGUMENT, "merge: type = 0 is none of clprims_type"},
    {"no-max", no_max, CLPRIMS_ERR_ARGUMENT, "max_a = 0 and max_b = 0"},
    {"huge-max_a", huge_max_a, CLPRIMS_ERR_TOO_LARGE, "max_a = 18446744073709551615 exceeds"},
    {"huge-max_b", huge_max_b, CLPRIMS_ERR_TOO_LARGE, "max_b = 18446744073709551615 exceeds"},
    {"payload", large_payload, CLPRIMS_ERR_ARGUMENT, "payload_bytes = 17; it must be at most 16"},
    {"broken-less", broken_less, CLPRIMS_ERR_BUILD, "elephants"},
    {"parameters-for-none", parameters_for_none, CLPRIMS_ERR_ARGUMENT,
     "1 parameters, but no desc.less"},
    {"bad-parameters", bad_parameters, CLPRIMS_ERR_ARGUMENT, "parameter 0"},
    {"struct-without-less", struct_without_less, CLPRIMS_ERR_ARGUMENT, "needs desc.less"},
    {"struct-without-text", struct_without_text, CLPRIMS_ERR_ARGUMENT, "type_name is NULL"},
    {"struct-bytes", struct_bytes, CLPRIMS_ERR_ARGUMENT, "custom.type_bytes = 6"},
    {"unknown-knob", unknown_knob, CLPRIMS_ERR_ARGUMENT, "COLOR"},
    {"group-no-power", group_no_power, CLPRIMS_ERR_ARGUMENT, "GROUP=48"},
    {"items-zero", items_zero, CLPRIMS_ERR_ARGUMENT, "ITEMS=0"},
    {"groups-zero", groups_zero, CLPRIMS_ERR_ARGUMENT, "GROUPS=0"},
    {"tile-too-large", tile_too_large, CLPRIMS_ERR_UNSUPPORTED, "need 16515074 bytes"},
};

static clprims_merge_desc good_desc(void) {
    clprims_merge_desc desc = CLPRIMS_MERGE_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.max_a = 100;
    desc.max_b = 50;
    return desc;
}

static void needs_little_local_memory(void) {
    cl_ulong bytes = 0;
    expect_cl(clGetDeviceInfo(test_info().device_id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof bytes, &bytes,
                              NULL));
    if (bytes >= LARGEST_TILE_BYTES) test_skip("the device has room for the largest tile");
}

static void create_refuses(const void *data) {
    const bad_desc *bad = data;
    clprims_merge_desc desc = good_desc();
    clprims_merge *plan = (clprims_merge *)&desc;
    bad->spoil(&desc);
    if (bad->status == CLPRIMS_ERR_UNSUPPORTED) needs_little_local_memory();
    expect_failure(clprims_merge_create(&plan, test_context(), &desc), bad->status,
                   bad->status == CLPRIMS_ERR_BUILD ? "merge" : bad->message);
    if (bad->status == CLPRIMS_ERR_BUILD) {
        expect_contains(clprims_last_error()->build_log, bad->message);
    }
    if (plan != NULL) test_fail("the plan is not NULL");
}

static void create_refuses_null(const void *data) {
    const clprims_merge_desc desc = good_desc();
    clprims_merge *plan = NULL;
    (void)data;
    expect_failure(clprims_merge_create(NULL, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "merge: out is NULL");
    expect_failure(clprims_merge_create(&plan, NULL, &desc), CLPRIMS_ERR_ARGUMENT,
                   "merge: context is NULL");
    expect_failure(clprims_merge_create(&plan, test_context(), NULL), CLPRIMS_ERR_ARGUMENT,
                   "merge: desc is NULL");
    clprims_merge_destroy(NULL);
}

/* ---- enqueue ---- */

enum { N_A = 100, N_B = 50, N_OUT = N_A + N_B };

/* What a bad call changes. */
typedef struct bad_call {
    const char *name;
    size_t n_a, n_b;
    size_t short_array; /* the array that has an element too few, from 1 on; 0: none */
    clprims_status status;
    const char *message;
} bad_call;

static const bad_call bad_calls[] = {
    {"n_a", N_A + 1, 1, 0, CLPRIMS_ERR_TOO_LARGE, "n_a = 101 exceeds max_a = 100"},
    {"n_b", 1, N_B + 1, 0, CLPRIMS_ERR_TOO_LARGE, "n_b = 51 exceeds max_b = 50"},
    {"short-a", N_A, N_B, 1, CLPRIMS_ERR_ARGUMENT, "a"},
    {"short-b", N_A, N_B, 2, CLPRIMS_ERR_ARGUMENT, "b"},
    {"short-out", N_A, N_B, 3, CLPRIMS_ERR_ARGUMENT, "out"},
    {"short-payload_a", N_A, N_B, 4, CLPRIMS_ERR_ARGUMENT, "payload_a"},
    {"short-payload_b", N_A, N_B, 5, CLPRIMS_ERR_ARGUMENT, "payload_b"},
    {"short-payload_out", N_A, N_B, 6, CLPRIMS_ERR_ARGUMENT, "payload_out"},
};

static cl_mem make_mem(size_t n, size_t element_bytes) {
    cl_int code;
    cl_mem mem =
        clCreateBuffer(test_info().context, CL_MEM_READ_WRITE, n * element_bytes, NULL, &code);
    expect_cl(code);
    return mem;
}

static clprims_merge *payload_plan(void) {
    clprims_merge_desc desc = good_desc();
    clprims_merge *plan = NULL;
    desc.payload_bytes = 8;
    expect_ok(clprims_merge_create(&plan, test_context(), &desc));
    return plan;
}

static void enqueue_refuses(const void *data) {
    static const size_t sizes[6] = {N_A, N_B, N_OUT, N_A, N_B, N_OUT};
    const bad_call *bad = data;
    clprims_merge *plan = payload_plan();
    cl_mem mems[6];
    clprims_merge_buffers at = CLPRIMS_MERGE_BUFFERS_INIT;
    clprims_buffer *const places[6] = {&at.a,         &at.b,         &at.out,
                                       &at.payload_a, &at.payload_b, &at.payload_out};
    for (size_t k = 0; k < 6; k++) {
        mems[k] = make_mem(sizes[k] - (bad->short_array == k + 1), k < 3 ? 4 : 8);
        places[k]->mem = mems[k];
    }
    expect_failure(
        clprims_merge_enqueue(plan, test_queue(), &at, bad->n_a, bad->n_b, 0, NULL, NULL),
        bad->status, bad->message);
    for (size_t k = 0; k < 6; k++) clReleaseMemObject(mems[k]);
    clprims_merge_destroy(plan);
}

static void enqueue_refuses_null(const void *data) {
    (void)data;
    const clprims_buffer none = {NULL, 0};
    clprims_merge *plan = payload_plan(), *plain = NULL;
    const clprims_merge_desc desc = good_desc();
    clprims_merge_buffers at = CLPRIMS_MERGE_BUFFERS_INIT;
    cl_mem mem = make_mem(4 * N_OUT, 8);
    const clprims_buffer some = {mem, 0};
    expect_ok(clprims_merge_create(&plain, test_context(), &desc));
    expect_failure(clprims_merge_enqueue(NULL, test_queue(), &at, 1, 1, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "merge: plan is NULL");
    expect_failure(clprims_merge_enqueue(plan, NULL, &at, 1, 1, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "merge: queue is NULL");
    expect_failure(clprims_merge_enqueue(plan, test_queue(), NULL, 1, 1, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "merge: buffers is NULL");
    expect_failure(
        clprims_merge_enqueue_counted(plan, test_queue(), &at, none, some, none, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "n_a.mem is NULL");
    expect_failure(
        clprims_merge_enqueue_counted(plan, test_queue(), &at, some, none, none, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "n_b.mem is NULL");
    at.payload_b = some;
    expect_failure(clprims_merge_enqueue(plain, test_queue(), &at, 1, 1, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "payload_b.mem is not NULL, but the plan has no payload");
    at.struct_size = 1;
    expect_failure(clprims_merge_enqueue(plain, test_queue(), &at, 1, 1, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "buffers.struct_size = 1");
    at = (clprims_merge_buffers)CLPRIMS_MERGE_BUFFERS_INIT;
    expect_ok(clprims_merge_enqueue(plan, test_queue(), &at, 0, 0, 0, NULL, NULL));
    expect_cl(clFinish(test_queue()));
    clReleaseMemObject(mem);
    clprims_merge_destroy(plan);
    clprims_merge_destroy(plain);
}

/* ---- run, describe, set_parameter ---- */

static void run_refuses(const void *data) {
    (void)data;
    clprims_merge *plan = payload_plan(), *plain = NULL;
    const clprims_merge_desc desc = good_desc();
    clprims_merge_arrays at = CLPRIMS_MERGE_ARRAYS_INIT;
    int64_t values[4 * N_OUT] = {0};
    const void **const places[] = {&at.a,         &at.b,         (const void **)&at.out,
                                   &at.payload_a, &at.payload_b, (const void **)&at.payload_out};
    static const char *const lacking[] = {"a is NULL, with n = 2", "b is NULL",
                                          "out is NULL",           "payload_a is NULL",
                                          "payload_b is NULL",     "payload_out is NULL"};
    expect_ok(clprims_merge_create(&plain, test_context(), &desc));
    expect_failure(clprims_merge_run(NULL, &at, 0, 0), CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    expect_failure(clprims_merge_run(plan, NULL, 0, 0), CLPRIMS_ERR_ARGUMENT, "arrays is NULL");
    expect_failure(clprims_merge_run(plan, &at, 0, N_B + 1), CLPRIMS_ERR_TOO_LARGE, "n_b = 51");
    for (size_t k = 0; k < 6; k++) {
        expect_failure(clprims_merge_run(plan, &at, 2, 3), CLPRIMS_ERR_ARGUMENT, lacking[k]);
        *places[k] = values + k * 20;
    }
    expect_ok(clprims_merge_run(plan, &at, 2, 3));
    expect_failure(clprims_merge_run(plain, &at, 2, 3), CLPRIMS_ERR_ARGUMENT,
                   "but the plan has no payload");
    clprims_merge_destroy(plan);
    clprims_merge_destroy(plain);
}

static void others_refuse(const void *data) {
    (void)data;
    clprims_merge_info info = CLPRIMS_MERGE_INFO_INIT;
    clprims_merge *plan = payload_plan();
    const int value = 3;
    expect_failure(clprims_merge_describe(NULL, 0, &info), CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    expect_failure(clprims_merge_describe(plan, 0, NULL), CLPRIMS_ERR_ARGUMENT, "info is NULL");
    expect_failure(clprims_merge_describe(plan, N_OUT + 1, &info), CLPRIMS_ERR_TOO_LARGE,
                   "n = 151 exceeds max_a + max_b = 150");
    expect_failure(clprims_merge_set_parameter(NULL, 0, 4, &value), CLPRIMS_ERR_ARGUMENT,
                   "plan is NULL");
    expect_failure(clprims_merge_set_parameter(plan, 0, 4, &value), CLPRIMS_ERR_ARGUMENT,
                   "parameter 0 of 0");
    clprims_merge_destroy(plan);
}

/* A parameter that was never set. */
static void unset_parameter_is_refused(const void *data) {
    (void)data;
    clprims_merge_desc desc = good_desc();
    clprims_merge_buffers at = CLPRIMS_MERGE_BUFFERS_INIT;
    clprims_merge_arrays arrays = CLPRIMS_MERGE_ARRAYS_INIT;
    clprims_merge *plan = NULL;
    desc.less = "sign * a < sign * b";
    desc.parameters = "int sign";
    expect_ok(clprims_merge_create(&plan, test_context(), &desc));
    expect_failure(clprims_merge_enqueue(plan, test_queue(), &at, 0, 0, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "parameter 0, sign, was never set");
    expect_failure(clprims_merge_run(plan, &arrays, 0, 0), CLPRIMS_ERR_ARGUMENT,
                   "parameter 0, sign, was never set");
    clprims_merge_destroy(plan);
}

void merge_add_refusals(test_cases *cases) {
    for (size_t i = 0; i < sizeof bad_descs / sizeof bad_descs[0]; i++) {
        test_add(cases, create_refuses, &bad_descs[i], sizeof bad_descs[i],
                 "merge/refusals/create/%s", bad_descs[i].name);
    }
    for (size_t i = 0; i < sizeof bad_calls / sizeof bad_calls[0]; i++) {
        test_add(cases, enqueue_refuses, &bad_calls[i], sizeof bad_calls[i],
                 "merge/refusals/enqueue/%s", bad_calls[i].name);
    }
    test_add(cases, create_refuses_null, NULL, 0, "merge/refusals/create/null");
    test_add(cases, enqueue_refuses_null, NULL, 0, "merge/refusals/enqueue/null");
    test_add(cases, run_refuses, NULL, 0, "merge/refusals/run");
    test_add(cases, others_refuse, NULL, 0, "merge/refusals/others");
    test_add(cases, unset_parameter_is_refused, NULL, 0, "merge/refusals/parameter");
}
