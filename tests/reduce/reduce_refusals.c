/* SPDX-License-Identifier: MIT */
/* Bad input: each kind has its own status and a message with the values in it. */
#include "reduce/reduce_cases.h"

#include <string.h>

/* ---- create ---- */

typedef struct bad_desc {
    const char *name;
    void (*spoil)(clprims_reduce_desc *desc);
    clprims_status status;
    const char *message; /* a part of it */
} bad_desc;

#define SPOIL(name, statements)                                                                    \
    static void name(clprims_reduce_desc *d) {                                                     \
        statements;                                                                                \
    }
SPOIL(old_size, d->struct_size = 8)
SPOIL(no_type, d->type = CLPRIMS_TYPE_DEFAULT)
SPOIL(strange_accumulator, d->accumulator = (clprims_type)-3)
SPOIL(strange_op, d->op = (clprims_op)41)
SPOIL(no_max_n, d->max_n = 0)
SPOIL(huge_max_n, d->max_n = SIZE_MAX / 2)
SPOIL(scratch_too_large, (d->max_n = (size_t)1 << 58, d->tuning = "GROUP=1"))
SPOIL(groups_too_many, (d->max_n = (size_t)1 << 58, d->tuning = "GROUP=32"))
SPOIL(custom_without_text, d->op = CLPRIMS_CUSTOM)
SPOIL(no_input_at_all, d->no_input_array = 1)
SPOIL(xor_of_floats, (d->type = CLPRIMS_F32, d->op = CLPRIMS_XOR))
SPOIL(broken_input, d->input = "x * elephants")
SPOIL(broken_operator, (d->op = CLPRIMS_CUSTOM, d->custom.op = "a + nonsense"))
SPOIL(struct_without_text, (d->type = CLPRIMS_STRUCT, d->op = CLPRIMS_CUSTOM, d->custom.op = "a"))
SPOIL(unknown_knob, d->tuning = "COLOR=3")
SPOIL(knob_of_no_number, d->tuning = "GROUP=many")
SPOIL(group_too_large, d->tuning = "GROUP=2048")
SPOIL(group_no_power, d->tuning = "GROUP=48")
SPOIL(group_too_small, d->tuning = "GROUP=16")
SPOIL(depth_zero, d->tuning = "DEPTH=0")
SPOIL(no_groups, d->tuning = "GROUPS=0")

static void struct_by_argmin(clprims_reduce_desc *d) {
    struct_without_text(d);
    d->custom.declarations = "typedef struct { int a; int b; } two;";
    d->custom.type_name = "two";
    d->custom.type_bytes = 8;
    d->op = CLPRIMS_ARGMIN;
}

static const bad_desc bad_descs[] = {
    {"struct-size", old_size, CLPRIMS_ERR_ARGUMENT, "struct_size"},
    {"no-type", no_type, CLPRIMS_ERR_ARGUMENT, "reduce: type = 0 is none of clprims_type"},
    {"accumulator", strange_accumulator, CLPRIMS_ERR_ARGUMENT, "accumulator = -3"},
    {"op", strange_op, CLPRIMS_ERR_ARGUMENT, "op = 41 is none of clprims_op"},
    {"no-max_n", no_max_n, CLPRIMS_ERR_ARGUMENT, "max_n"},
    {"huge-max_n", huge_max_n, CLPRIMS_ERR_TOO_LARGE, "max_n = 9223372036854775807"},
    {"scratch", scratch_too_large, CLPRIMS_ERR_TOO_LARGE, "exceeds"},
    {"groups", groups_too_many, CLPRIMS_ERR_TOO_LARGE,
     "max_n = 288230376151711744 takes more than 2147483647 work-groups"},
    {"custom-without-text", custom_without_text, CLPRIMS_ERR_ARGUMENT, "custom.op; it is NULL"},
    {"no-input-at-all", no_input_at_all, CLPRIMS_ERR_ARGUMENT, "no_input_array"},
    {"xor-of-floats", xor_of_floats, CLPRIMS_ERR_UNSUPPORTED, "operator xor"},
    {"broken-input", broken_input, CLPRIMS_ERR_BUILD, "elephants"},
    {"broken-operator", broken_operator, CLPRIMS_ERR_BUILD, "nonsense"},
    {"struct-without-text", struct_without_text, CLPRIMS_ERR_ARGUMENT, "type_name is NULL"},
    {"struct-by-argmin", struct_by_argmin, CLPRIMS_ERR_ARGUMENT,
     "reduce: operator argmin is not defined for structs"},
    {"unknown-knob", unknown_knob, CLPRIMS_ERR_ARGUMENT, "COLOR"},
    {"knob-of-no-number", knob_of_no_number, CLPRIMS_ERR_ARGUMENT, "many"},
    {"group-too-large", group_too_large, CLPRIMS_ERR_ARGUMENT, "GROUP=2048"},
    {"group-no-power", group_no_power, CLPRIMS_ERR_ARGUMENT, "GROUP=48"},
    {"group-too-small", group_too_small, CLPRIMS_ERR_ARGUMENT, "GROUP=16; it must be 1, or 32"},
    {"depth-zero", depth_zero, CLPRIMS_ERR_ARGUMENT, "DEPTH=0"},
    {"no-groups", no_groups, CLPRIMS_ERR_ARGUMENT, "GROUPS=0"},
};

static void create_refuses(const void *data) {
    const bad_desc *bad = data;
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    clprims_reduce *reduce = (clprims_reduce *)&desc;
    desc.type = CLPRIMS_I32;
    desc.max_n = 100;
    bad->spoil(&desc);
    expect_failure(clprims_reduce_create(&reduce, test_context(), &desc), bad->status,
                   bad->message);
    if (reduce != NULL) test_fail("out was not set to NULL");
}

static void create_refuses_null(const void *data) {
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    clprims_reduce *reduce = NULL;
    (void)data;
    expect_failure(clprims_reduce_create(NULL, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "reduce: out is NULL");
    expect_failure(clprims_reduce_create(&reduce, NULL, &desc), CLPRIMS_ERR_ARGUMENT,
                   "reduce: context is NULL");
    expect_failure(clprims_reduce_create(&reduce, test_context(), NULL), CLPRIMS_ERR_ARGUMENT,
                   "reduce: desc is NULL");
    clprims_reduce_destroy(NULL);
}

/* Of other primitives. */
static void scan_refuses_argmin(const void *data) {
    clprims_scan_desc desc = CLPRIMS_SCAN_DESC_INIT;
    clprims_scan *scan = NULL;
    (void)data;
    desc.type = CLPRIMS_I32;
    desc.max_n = 100;
    desc.op = CLPRIMS_ARGMIN;
    expect_failure(clprims_scan_create(&scan, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "scan: op = 8 (argmin) is for reduce and segmented only");
}

/* ---- enqueue and run ---- */

enum { N = 100 };

static clprims_reduce *plan_with(const char *input, int no_input_array) {
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    clprims_reduce *reduce = NULL;
    desc.type = CLPRIMS_I32;
    desc.max_n = N;
    desc.input = input;
    desc.no_input_array = no_input_array;
    expect_ok(clprims_reduce_create(&reduce, test_context(), &desc));
    return reduce;
}

static void enqueue_refuses(const void *data) {
    clprims_reduce *reduce = plan_with(NULL, 0);
    test_buffer in = test_buffer_create(NULL, N + 1, 4, 0);
    test_buffer out = test_buffer_create(NULL, 1, 4, 0);
    test_buffer report = test_buffer_create(NULL, 1, sizeof(clprims_reduce_report), 0);
    const clprims_buffer none = {NULL, 0}, far = {in.at.mem, in.bytes / 4 - N + 1};
    const clprims_buffer inside = {in.at.mem, N - 1}, far_out = {out.at.mem, out.bytes / 4};
    const clprims_buffer far_report = {report.at.mem, report.bytes / sizeof(clprims_reduce_report)};
    cl_command_queue queue = test_queue();
    (void)data;
#define REFUSED(reduce, queue, in, out, n, report, status, part)                                   \
    expect_failure(clprims_reduce_enqueue(reduce, queue, in, out, n, report, 0, NULL, NULL),       \
                   status, part)
    REFUSED(NULL, queue, in.at, out.at, N, none, CLPRIMS_ERR_ARGUMENT, "reduce: plan is NULL");
    REFUSED(reduce, NULL, in.at, out.at, N, none, CLPRIMS_ERR_ARGUMENT, "reduce: queue is NULL");
    REFUSED(reduce, queue, in.at, out.at, N + 1, none, CLPRIMS_ERR_TOO_LARGE,
            "n = 101 exceeds max_n = 100");
    REFUSED(reduce, queue, none, out.at, N, none, CLPRIMS_ERR_ARGUMENT, "in.mem is NULL");
    REFUSED(reduce, queue, in.at, none, N, none, CLPRIMS_ERR_ARGUMENT, "out.mem is NULL");
    REFUSED(reduce, queue, in.at, none, 0, none, CLPRIMS_ERR_ARGUMENT, "out.mem is NULL");
    REFUSED(reduce, queue, far, out.at, N, none, CLPRIMS_ERR_ARGUMENT, "in has room");
    REFUSED(reduce, queue, in.at, far_out, N, none, CLPRIMS_ERR_ARGUMENT, "out has room");
    REFUSED(reduce, queue, in.at, inside, N, none, CLPRIMS_ERR_ARGUMENT, "out (first = 99");
    REFUSED(reduce, queue, in.at, out.at, N, far_report, CLPRIMS_ERR_ARGUMENT, "report has room");
    REFUSED(reduce, queue, report.at, out.at, 4, report.at, CLPRIMS_ERR_ARGUMENT,
            "report (first = 0");
    REFUSED(reduce, queue, in.at, report.at, N, report.at, CLPRIMS_ERR_ARGUMENT, "overlaps out");
    test_buffer_expect_unchanged(&out, NULL);
    test_buffer_release(&in);
    test_buffer_release(&out);
    test_buffer_release(&report);
    clprims_reduce_destroy(reduce);
}

static void run_refuses(const void *data) {
    clprims_reduce *reduce = plan_with(NULL, 0), *generated = plan_with("(int)i", 1);
    int32_t in[N] = {0}, out = 5;
    (void)data;
    expect_failure(clprims_reduce_run(NULL, in, &out, N), CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    expect_failure(clprims_reduce_run(reduce, NULL, &out, N), CLPRIMS_ERR_ARGUMENT,
                   "in is NULL, with n = 100");
    expect_failure(clprims_reduce_run(reduce, in, NULL, N), CLPRIMS_ERR_ARGUMENT, "out is NULL");
    expect_failure(clprims_reduce_run(reduce, in, &out, N + 1), CLPRIMS_ERR_TOO_LARGE,
                   "n = 101 exceeds max_n = 100");
    expect_failure(clprims_reduce_run(generated, in, &out, N), CLPRIMS_ERR_ARGUMENT,
                   "in is not NULL, but the plan has no input array");
    test_buffer from = test_buffer_create(in, N, 4, 0), to = test_buffer_create(NULL, 1, 4, 0);
    const clprims_buffer none = {NULL, 0};
    expect_failure(
        clprims_reduce_enqueue(generated, test_queue(), from.at, to.at, N, none, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "in.mem is not NULL, but the plan has no input array");
    if (out != 5) test_fail("out was written");
    expect_ok(clprims_reduce_run(generated, NULL, &out, N));
    if (out != N * (N - 1) / 2) test_fail("the sum of the indices is %d", out);
    test_buffer_release(&from);
    test_buffer_release(&to);
    clprims_reduce_destroy(reduce);
    clprims_reduce_destroy(generated);
}

static void check_and_describe_refuse(const void *data) {
    const clprims_reduce_report strange = {77, 0};
    clprims_reduce_info info = CLPRIMS_REDUCE_INFO_INIT;
    clprims_reduce *reduce = plan_with(NULL, 0);
    (void)data;
    expect_failure(clprims_reduce_check(NULL), CLPRIMS_ERR_ARGUMENT, "report is NULL");
    expect_failure(clprims_reduce_check(&strange), CLPRIMS_ERR_ARGUMENT, "report.fault = 77");
    expect_failure(clprims_reduce_describe(NULL, 1, &info), CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    expect_failure(clprims_reduce_describe(reduce, 1, NULL), CLPRIMS_ERR_ARGUMENT, "info is NULL");
    clprims_reduce_destroy(reduce);
}

void add_refusal_cases(test_cases *cases) {
    for (size_t i = 0; i < sizeof bad_descs / sizeof bad_descs[0]; i++) {
        test_add(cases, create_refuses, &bad_descs[i], sizeof bad_descs[i],
                 "reduce/refuses/create/%s", bad_descs[i].name);
    }
    test_add(cases, create_refuses_null, NULL, 0, "reduce/refuses/create/null");
    test_add(cases, scan_refuses_argmin, NULL, 0, "reduce/refuses/scan-by-argmin");
    test_add(cases, enqueue_refuses, NULL, 0, "reduce/refuses/enqueue");
    test_add(cases, run_refuses, NULL, 0, "reduce/refuses/run");
    test_add(cases, check_and_describe_refuse, NULL, 0, "reduce/refuses/check-and-describe");
}
