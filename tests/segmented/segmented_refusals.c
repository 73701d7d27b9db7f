/* SPDX-License-Identifier: MIT */
/* Bad input: each kind has its own status and a message with the values in it. */
#include "segmented/segmented_tries.h"

#include <string.h>

/* ---- create ---- */

typedef struct bad_desc {
    const char *name;
    void (*spoil)(clprims_segmented_desc *desc);
    clprims_status status;
    const char *message; /* a part of it */
} bad_desc;

#define SPOIL(name, statements)                                                                    \
    static void name(clprims_segmented_desc *d) {                                                  \
        statements;                                                                                \
    }
SPOIL(old_size, d->struct_size = 8)
SPOIL(strange_result, d->result = (clprims_segmented_result)3)
SPOIL(negative_result, d->result = (clprims_segmented_result)-1)
SPOIL(strange_by, d->by = (clprims_segments_by)4)
SPOIL(no_type, d->type = CLPRIMS_TYPE_DEFAULT)
SPOIL(strange_accumulator, d->accumulator = (clprims_type)-3)
SPOIL(strange_op, d->op = (clprims_op)41)
SPOIL(scan_by_argmin, (d->op = CLPRIMS_ARGMIN, d->result = CLPRIMS_SEGMENTED_INCLUSIVE))
SPOIL(local_index_of_sum, d->local_index = 1)
SPOIL(no_max_n, d->max_n = 0)
SPOIL(huge_max_n, d->max_n = SIZE_MAX / 2)
SPOIL(huge_max_segments, d->max_segments = SIZE_MAX / 2)
SPOIL(custom_without_text, d->op = CLPRIMS_CUSTOM)
SPOIL(no_input_at_all, d->no_input_array = 1)
SPOIL(xor_of_floats, (d->type = CLPRIMS_F32, d->op = CLPRIMS_XOR))
SPOIL(broken_input, d->input = "x * elephants")
SPOIL(broken_equal,
      (d->by = CLPRIMS_SEGMENTS_KEYS, d->heads_type = CLPRIMS_I32, d->equal = "a == crocodile"))
SPOIL(offsets_of_floats, d->heads_type = CLPRIMS_F32)
SPOIL(offsets_unsigned, d->heads_type = CLPRIMS_U64)
SPOIL(keys_without_type, d->by = CLPRIMS_SEGMENTS_KEYS)
SPOIL(keys_of_strange_type, (d->by = CLPRIMS_SEGMENTS_KEYS, d->heads_type = (clprims_type)77))
SPOIL(keys_of_struct, (d->by = CLPRIMS_SEGMENTS_KEYS, d->heads_type = CLPRIMS_STRUCT))
SPOIL(flags_with_type, (d->by = CLPRIMS_SEGMENTS_FLAGS, d->heads_type = CLPRIMS_U8))
SPOIL(bits_with_type, (d->by = CLPRIMS_SEGMENTS_BITS, d->heads_type = CLPRIMS_U8))
SPOIL(equal_by_offsets, d->equal = "a == b")
SPOIL(unique_by_offsets, d->unique_keys = 1)
SPOIL(exclusive_without_start,
      (d->op = CLPRIMS_CUSTOM, d->custom.op = "a + b", d->result = CLPRIMS_SEGMENTED_EXCLUSIVE))
SPOIL(unknown_knob, d->tuning = "COLOR=3")
SPOIL(group_too_large, d->tuning = "GROUP=2048")
SPOIL(group_no_power, d->tuning = "GROUP=48")
SPOIL(no_groups, d->tuning = "GROUPS=0")
SPOIL(no_share, d->tuning = "SHARE=0")
SPOIL(single_pass_of_sums, d->tuning = "SINGLE=1")

static void declare_two(clprims_segmented_desc *d) {
    d->custom.declarations = "typedef struct { int a; int b; } two;";
    d->custom.type_name = "two";
    d->custom.type_bytes = 8;
}

static void unique_of_scan(clprims_segmented_desc *d) {
    d->by = CLPRIMS_SEGMENTS_KEYS;
    d->heads_type = CLPRIMS_I32;
    d->result = CLPRIMS_SEGMENTED_INCLUSIVE;
    d->unique_keys = 1;
}

static void struct_keys_without_equal(clprims_segmented_desc *d) {
    keys_of_struct(d);
    declare_two(d);
}

static void struct_keys_without_declarations(clprims_segmented_desc *d) {
    struct_keys_without_equal(d);
    d->equal = "a.a == b.a";
    d->custom.declarations = NULL;
}

static void struct_keys_of_odd_size(clprims_segmented_desc *d) {
    struct_keys_without_equal(d);
    d->equal = "a.a == b.a";
    d->custom.type_bytes = 7;
}

static void struct_keys_of_other_size(clprims_segmented_desc *d) {
    struct_keys_without_equal(d);
    d->equal = "a.a == b.a";
    d->custom.type_bytes = 12;
}

static void struct_by_argmin(clprims_segmented_desc *d) {
    declare_two(d);
    d->type = CLPRIMS_STRUCT;
    d->op = CLPRIMS_ARGMIN;
}

#define ARGUMENT CLPRIMS_ERR_ARGUMENT
static const bad_desc bad_descs[] = {
    {"struct-size", old_size, ARGUMENT, "struct_size"},
    {"result", strange_result, ARGUMENT, "result = 3 is none of clprims_segmented_result"},
    {"negative-result", negative_result, ARGUMENT, "result = -1 is none of"},
    {"by", strange_by, ARGUMENT, "by = 4 is none of clprims_segments_by"},
    {"no-type", no_type, ARGUMENT, "segmented: type = 0 is none of clprims_type"},
    {"accumulator", strange_accumulator, ARGUMENT, "accumulator = -3"},
    {"op", strange_op, ARGUMENT, "op = 41 is none of clprims_op"},
    {"scan-by-argmin", scan_by_argmin, ARGUMENT,
     "segmented: operator argmin needs a reduction; result = 1"},
    {"local-index-of-sum", local_index_of_sum, ARGUMENT,
     "local_index needs argmin or argmax; op = 0 (add)"},
    {"no-max_n", no_max_n, ARGUMENT, "max_n"},
    {"huge-max_n", huge_max_n, CLPRIMS_ERR_TOO_LARGE, "max_n = 9223372036854775807"},
    {"huge-max_segments", huge_max_segments, CLPRIMS_ERR_TOO_LARGE,
     "max_segments = 9223372036854775807 exceeds"},
    {"custom-without-text", custom_without_text, ARGUMENT, "custom.op; it is NULL"},
    {"no-input-at-all", no_input_at_all, ARGUMENT, "no_input_array"},
    {"xor-of-floats", xor_of_floats, CLPRIMS_ERR_UNSUPPORTED, "operator xor"},
    {"broken-input", broken_input, CLPRIMS_ERR_BUILD, "elephants"},
    {"broken-equal", broken_equal, CLPRIMS_ERR_BUILD, "crocodile"},
    {"offsets-of-floats", offsets_of_floats, ARGUMENT,
     "heads_type = 9 (float32); offsets are int32 or int64"},
    {"offsets-unsigned", offsets_unsigned, ARGUMENT, "heads_type = 8 (uint64)"},
    {"keys-without-type", keys_without_type, ARGUMENT, "heads_type = 0 is none of clprims_type"},
    {"keys-of-strange-type", keys_of_strange_type, ARGUMENT, "heads_type = 77 is none of"},
    {"keys-of-struct", keys_of_struct, ARGUMENT, "and equal; type_name is NULL"},
    {"struct-keys-without-declarations", struct_keys_without_declarations, ARGUMENT,
     "declarations is NULL"},
    {"struct-keys-without-equal", struct_keys_without_equal, ARGUMENT, "equal is NULL"},
    {"struct-keys-of-odd-size", struct_keys_of_odd_size, ARGUMENT, "custom.type_bytes = 7"},
    {"struct-keys-of-other-size", struct_keys_of_other_size, CLPRIMS_ERR_BUILD, ""},
    {"flags-with-type", flags_with_type, ARGUMENT, "heads_type = 5 (uint8); flags and bits"},
    {"bits-with-type", bits_with_type, ARGUMENT, "heads_type = 5 (uint8); flags and bits"},
    {"equal-by-offsets", equal_by_offsets, ARGUMENT, "equal compares keys, but by = 0"},
    {"unique-by-offsets", unique_by_offsets, ARGUMENT, "a reduction by keys; reduces = 1, by = 0"},
    {"unique-of-scan", unique_of_scan, ARGUMENT, "a reduction by keys; reduces = 0, by = 1"},
    {"exclusive-without-start", exclusive_without_start, ARGUMENT, "init or custom.identity"},
    {"struct-by-argmin", struct_by_argmin, ARGUMENT,
     "segmented: operator argmin does not know structs"},
    {"unknown-knob", unknown_knob, ARGUMENT, "COLOR"},
    {"group-too-large", group_too_large, ARGUMENT, "GROUP=2048"},
    {"group-no-power", group_no_power, ARGUMENT, "GROUP=48"},
    {"no-groups", no_groups, ARGUMENT, "GROUPS=0"},
    {"no-share", no_share, ARGUMENT, "SHARE=0"},
    {"single-pass-of-sums", single_pass_of_sums, ARGUMENT, "SINGLE=1"},
};

enum { N = 100 };

static clprims_segmented_desc usual(void) {
    clprims_segmented_desc desc = CLPRIMS_SEGMENTED_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.max_n = desc.max_segments = N;
    return desc;
}

static void create_refuses(const void *data) {
    const bad_desc *bad = data;
    clprims_segmented_desc desc = usual();
    clprims_segmented *plan = (clprims_segmented *)&desc;
    bad->spoil(&desc);
    expect_failure(clprims_segmented_create(&plan, test_context(), &desc), bad->status,
                   bad->message);
    if (plan != NULL) test_fail("out was not set to NULL");
}

static void create_refuses_null(const void *data) {
    clprims_segmented_desc desc = usual();
    clprims_segmented *plan = NULL;
    (void)data;
    expect_failure(clprims_segmented_create(NULL, test_context(), &desc), ARGUMENT,
                   "segmented: out is NULL");
    expect_failure(clprims_segmented_create(&plan, NULL, &desc), ARGUMENT,
                   "segmented: context is NULL");
    expect_failure(clprims_segmented_create(&plan, test_context(), NULL), ARGUMENT,
                   "segmented: desc is NULL");
    clprims_segmented_destroy(NULL);
}

/* ---- enqueue ---- */

static clprims_segmented *plan_of(const clprims_segmented_desc *desc) {
    clprims_segmented *plan = NULL;
    expect_ok(clprims_segmented_create(&plan, test_context(), desc));
    return plan;
}

/* What is wrong with the buffers of a plan. */
typedef struct bad_buffers {
    const char *name;
    bool by_keys;
    void (*spoil)(clprims_segmented_buffers *b);
    const char *message;
} bad_buffers;

#define BUFFERS_OF(name, statements)                                                               \
    static void name(clprims_segmented_buffers *b) {                                               \
        statements;                                                                                \
    }
#define NONE(member)                                                                               \
    b->member = (clprims_buffer) {                                                                 \
        NULL, 0                                                                                    \
    }
#define FAR(member) b->member.first = 1 << 20
BUFFERS_OF(b_size, b->struct_size = 8)
BUFFERS_OF(b_no_in, NONE(in))
BUFFERS_OF(b_no_heads, NONE(heads))
BUFFERS_OF(b_no_out, NONE(out))
BUFFERS_OF(b_no_keys, NONE(keys))
BUFFERS_OF(b_no_count, NONE(count))
BUFFERS_OF(b_far_in, FAR(in))
BUFFERS_OF(b_far_heads, FAR(heads))
BUFFERS_OF(b_far_out, FAR(out))
BUFFERS_OF(b_far_keys, FAR(keys))
BUFFERS_OF(b_far_count, FAR(count))
BUFFERS_OF(b_far_report, FAR(report))
BUFFERS_OF(b_out_is_in, b->out = b->in)
BUFFERS_OF(b_out_is_heads, b->out = b->heads)
BUFFERS_OF(b_keys_are_heads, b->keys = b->heads)
BUFFERS_OF(b_keys_are_out, b->keys = b->out)
BUFFERS_OF(b_count_is_out, (b->count = b->out, b->count.first = 2))
BUFFERS_OF(b_report_is_in, b->report = b->in)
BUFFERS_OF(b_report_is_count, b->report = b->count)

static const bad_buffers bad_ones[] = {
    {"struct-size", true, b_size, "struct_size"},
    {"no-in", true, b_no_in, "in.mem is NULL"},
    {"no-heads", true, b_no_heads, "heads.mem is NULL"},
    {"no-offsets", false, b_no_heads, "heads.mem is NULL"},
    {"no-out", false, b_no_out, "out.mem is NULL"},
    {"no-keys", true, b_no_keys, "keys.mem is NULL"},
    {"no-count", true, b_no_count, "count.mem is NULL"},
    {"far-in", true, b_far_in, "in has room"},
    {"far-heads", false, b_far_heads, "heads has room"},
    {"far-out", true, b_far_out, "out has room"},
    {"far-keys", true, b_far_keys, "keys has room"},
    {"far-count", true, b_far_count, "count has room"},
    {"far-report", false, b_far_report, "report has room"},
    {"out-is-in", false, b_out_is_in, "out (first = 0"},
    {"out-is-heads", true, b_out_is_heads, "out (first = 0"},
    {"keys-are-heads", true, b_keys_are_heads, "keys (first = 0"},
    {"keys-are-out", true, b_keys_are_out, "keys (first = 0, n = 100) overlaps out"},
    {"count-is-out", true, b_count_is_out, "overlaps out"},
    {"report-is-in", false, b_report_is_in, "report (first = 0"},
    {"report-is-count", true, b_report_is_count, "overlaps count"},
};

static clprims_segmented_desc by_keys_or_offsets(bool by_keys) {
    clprims_segmented_desc desc = usual();
    if (!by_keys) return desc;
    desc.by = CLPRIMS_SEGMENTS_KEYS;
    desc.heads_type = CLPRIMS_I32;
    desc.unique_keys = 1;
    return desc;
}

enum { BUFFERS = 6 };

static void enqueue_refuses(const void *data) {
    const bad_buffers *bad = data;
    const clprims_segmented_desc desc = by_keys_or_offsets(bad->by_keys);
    clprims_segmented *plan = plan_of(&desc);
    const size_t heads = bad->by_keys ? N : N + 1;
    test_buffer made[BUFFERS] = {test_buffer_create(NULL, N, 4, 0),
                                 test_buffer_create(NULL, heads, segmented_head_bytes(&desc), 0),
                                 test_buffer_create(NULL, N, 4, 0),
                                 test_buffer_create(NULL, N, 4, 0),
                                 test_buffer_create(NULL, 3, 8, 0),
                                 test_buffer_create(NULL, 1, 24, 0)};
    clprims_segmented_buffers b = CLPRIMS_SEGMENTED_BUFFERS_INIT;
    clprims_buffer *const members[BUFFERS] = {&b.in,   &b.heads, &b.out,
                                              &b.keys, &b.count, &b.report};
    for (size_t k = 0; k < BUFFERS; k++) *members[k] = made[k].at;
    bad->spoil(&b);
    expect_failure(clprims_segmented_enqueue(plan, test_queue(), &b, N, N, 0, NULL, NULL), ARGUMENT,
                   bad->message);
    for (size_t k = 0; k < BUFFERS; k++) {
        test_buffer_expect_unchanged(&made[k], NULL);
        test_buffer_release(&made[k]);
    }
    clprims_segmented_destroy(plan);
}

static void enqueue_refuses_numbers(const void *data) {
    const clprims_segmented_desc desc = usual();
    clprims_segmented *plan = plan_of(&desc);
    const clprims_segmented_buffers b = CLPRIMS_SEGMENTED_BUFFERS_INIT;
    cl_command_queue queue = test_queue();
    (void)data;
    expect_failure(clprims_segmented_enqueue(NULL, queue, &b, N, N, 0, NULL, NULL), ARGUMENT,
                   "segmented: plan is NULL");
    expect_failure(clprims_segmented_enqueue(plan, NULL, &b, N, N, 0, NULL, NULL), ARGUMENT,
                   "segmented: queue is NULL");
    expect_failure(clprims_segmented_enqueue(plan, queue, NULL, N, N, 0, NULL, NULL), ARGUMENT,
                   "segmented: buffers is NULL");
    expect_failure(clprims_segmented_enqueue(plan, queue, &b, N + 1, N, 0, NULL, NULL),
                   CLPRIMS_ERR_TOO_LARGE, "n = 101 exceeds max_n = 100");
    expect_failure(clprims_segmented_enqueue(plan, queue, &b, N, N + 1, 0, NULL, NULL),
                   CLPRIMS_ERR_TOO_LARGE, "segments = 101 exceeds max_segments = 100");
    clprims_segmented_destroy(plan);
}

/* ---- run, check, describe ---- */

static void run_refuses(const void *data) {
    const clprims_segmented_desc desc = by_keys_or_offsets(true);
    clprims_segmented *plan = plan_of(&desc);
    int32_t in[N] = {0}, keys[N] = {0}, out[N] = {0}, unique[N] = {0};
    size_t count = 0;
    (void)data;
    const clprims_segmented_arrays full = {sizeof full, in, keys, out, unique};
    clprims_segmented_arrays a = full;
    expect_failure(clprims_segmented_run(NULL, &a, N, N, &count), ARGUMENT, "plan is NULL");
    expect_failure(clprims_segmented_run(plan, NULL, N, N, &count), ARGUMENT, "arrays is NULL");
    expect_failure(clprims_segmented_run(plan, &a, N, N, NULL), ARGUMENT, "count is NULL");
    expect_failure(clprims_segmented_run(plan, &a, N + 1, N, &count), CLPRIMS_ERR_TOO_LARGE,
                   "n = 101 exceeds max_n = 100");
    a.struct_size = 4;
    expect_failure(clprims_segmented_run(plan, &a, N, N, &count), ARGUMENT, "struct_size");
    a = full;
    a.in = NULL;
    expect_failure(clprims_segmented_run(plan, &a, N, N, &count), ARGUMENT,
                   "in is NULL, with n = 100");
    a = full;
    a.heads = NULL;
    expect_failure(clprims_segmented_run(plan, &a, N, N, &count), ARGUMENT, "heads is NULL");
    a = full;
    a.out = NULL;
    expect_failure(clprims_segmented_run(plan, &a, N, N, &count), ARGUMENT, "out is NULL");
    a = full;
    a.keys = NULL;
    expect_failure(clprims_segmented_run(plan, &a, N, N, &count), ARGUMENT, "keys is NULL");
    clprims_segmented_destroy(plan);
}

static void generated_input_refuses_an_array(const void *data) {
    clprims_segmented_desc desc = usual();
    clprims_segmented_arrays a = CLPRIMS_SEGMENTED_ARRAYS_INIT;
    const int64_t offsets[] = {0, 3, 5};
    int32_t in[5] = {0}, out[2] = {0};
    (void)data;
    desc.no_input_array = 1;
    desc.input = "(int)i * 10";
    clprims_segmented *plan = plan_of(&desc);
    a.in = in;
    a.heads = offsets;
    a.out = out;
    expect_failure(clprims_segmented_run(plan, &a, 5, 2, NULL), ARGUMENT,
                   "in is not NULL, but the plan has no input array");
    a.in = NULL;
    expect_ok(clprims_segmented_run(plan, &a, 5, 2, NULL));
    if (out[0] != 30 || out[1] != 70) test_fail("the sums are %d and %d", out[0], out[1]);
    test_buffer buffer = test_buffer_create(NULL, N, 8, 0),
                other = test_buffer_create(NULL, 2, 4, 0);
    clprims_segmented_buffers b = CLPRIMS_SEGMENTED_BUFFERS_INIT;
    b.in = b.heads = buffer.at;
    b.out = other.at;
    expect_failure(clprims_segmented_enqueue(plan, test_queue(), &b, 5, 2, 0, NULL, NULL), ARGUMENT,
                   "in.mem is not NULL, but the plan has no input array");
    test_buffer_release(&buffer);
    test_buffer_release(&other);
    clprims_segmented_destroy(plan);
}

static void check_and_describe_refuse(const void *data) {
    const clprims_segmented_report strange = {77, 0, 0};
    const clprims_segmented_desc desc = usual();
    clprims_segmented_info info = CLPRIMS_SEGMENTED_INFO_INIT;
    clprims_segmented *plan = plan_of(&desc);
    (void)data;
    expect_failure(clprims_segmented_check(NULL), ARGUMENT, "report is NULL");
    expect_failure(clprims_segmented_check(&strange), ARGUMENT, "report.fault = 77");
    expect_failure(clprims_segmented_describe(NULL, 1, 1, &info), ARGUMENT, "plan is NULL");
    expect_failure(clprims_segmented_describe(plan, 1, 1, NULL), ARGUMENT, "info is NULL");
    expect_failure(clprims_segmented_describe(plan, N + 1, 1, &info), CLPRIMS_ERR_TOO_LARGE,
                   "n = 101");
    expect_failure(clprims_segmented_describe(plan, 1, N + 1, &info), CLPRIMS_ERR_TOO_LARGE,
                   "segments = 101");
    expect_ok(clprims_segmented_describe(plan, N, N, &info));
    if (info.launches != 1 || info.groups == 0 || info.scratch_bytes == 0) {
        test_fail("%zu launches of %zu groups, %zu bytes", info.launches, info.groups,
                  info.scratch_bytes);
    }
    clprims_segmented_destroy(plan);
}

/* Groups follow the elements and ends of segments up to what the tuning allows. */
static void describe_counts_groups(const void *data) {
    clprims_segmented_desc desc = usual();
    clprims_segmented_info info = CLPRIMS_SEGMENTED_INFO_INIT;
    (void)data;
    desc.max_n = desc.max_segments = 1 << 20;
    desc.tuning = "GROUP=1 SHARE=100 GROUPS=3";
    clprims_segmented *plan = plan_of(&desc);
    const size_t most = 3 * test_info().device.compute_units;
    expect_ok(clprims_segmented_describe(plan, 0, 0, &info));
    assert_int_equal(info.groups, 1);
    expect_ok(clprims_segmented_describe(plan, 60, 41, &info));
    assert_int_equal(info.groups, 2);
    expect_ok(clprims_segmented_describe(plan, 1 << 20, 1 << 20, &info));
    assert_int_equal(info.groups, most);
    clprims_segmented_destroy(plan);
}

/* As a reduction says, whose groups wait for each other, too. */
static bool groups_may_wait(void) {
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    clprims_reduce_info info = CLPRIMS_REDUCE_INFO_INIT;
    clprims_reduce *reduce = NULL;
    desc.type = CLPRIMS_I32;
    desc.max_n = 1;
    desc.tuning = "GROUP=128";
    expect_ok(clprims_reduce_create(&reduce, test_context(), &desc));
    expect_ok(clprims_reduce_describe(reduce, 1, &info));
    const bool by_groups = strcmp(info.variant, "group") == 0;
    clprims_reduce_destroy(reduce);
    return by_groups;
}

/* Teams are for reductions by offsets whose operator commutes, and for groups that hold them. */
static void describe_says_whether_teams_work(const void *data) {
    static const struct {
        clprims_op op;
        const char *tuning;
        size_t n, segments, groups; /* groups: 0: no teams work */
    } plans[] = {{CLPRIMS_ADD, "TEAM=1 GROUP=64 BLOCK=128", 0, 0, 1},
                 {CLPRIMS_ADD, "TEAM=1 GROUP=64 BLOCK=128", 127, 64, 2},
                 {CLPRIMS_ADD, "TEAM=1 GROUP=64 BLOCK=128", 128, 65, 4},
                 {CLPRIMS_ADD, "TEAM=1 GROUP=64 BLOCK=128", 128, 3000, 49},
                 {CLPRIMS_ADD, "TEAM=1 GROUP=32 BLOCK=128", 128, 511, 18},
                 {CLPRIMS_ADD, "TEAM=1 GROUP=32 BLOCK=128", 128, 512, 19},
                 {CLPRIMS_MAX, "TEAM=1 GROUP=64 BLOCK=16", 31, 0, 1}, /* blocks of 32 */
                 {CLPRIMS_MAX, "TEAM=1 GROUP=64 BLOCK=16", 32, 0, 2},
                 {CLPRIMS_ARGMIN, "TEAM=1 GROUP=64 BLOCK=128", 0, 0, 0},
                 {CLPRIMS_ADD, "TEAM=3", 0, 0, 0},
                 {CLPRIMS_ADD, "GROUP=64 SHARE=5", 0, 0, 0},
                 {CLPRIMS_ADD, "TEAM=0", 0, 0, 0}};
    (void)data;
    if (!groups_may_wait()) test_skip("work-groups may not wait on this device");
    for (size_t k = 0; k < sizeof plans / sizeof plans[0]; k++) {
        clprims_segmented_desc desc = usual();
        clprims_segmented_info info = CLPRIMS_SEGMENTED_INFO_INIT;
        desc.op = plans[k].op;
        desc.max_n = 2000;
        desc.max_segments = 3000;
        desc.tuning = plans[k].tuning;
        clprims_segmented *plan = plan_of(&desc);
        expect_ok(clprims_segmented_describe(plan, plans[k].n, plans[k].segments, &info));
        const bool by_teams = strcmp(info.variant, "direct") == 0;
        const bool shuffles = test_info().layer == CLPRIMS_LAYER_NVIDIA;
        if (by_teams != (plans[k].groups > 0)) test_fail("plan %zu: %s", k, info.variant);
        if (by_teams && !shuffles && info.groups != plans[k].groups) {
            test_fail("plan %zu: %zu groups of %zu", k, info.groups, info.group);
        }
        clprims_segmented_destroy(plan);
    }
}

void add_refusal_cases(test_cases *cases) {
    for (size_t i = 0; i < sizeof bad_descs / sizeof bad_descs[0]; i++) {
        test_add(cases, create_refuses, &bad_descs[i], sizeof bad_descs[i],
                 "segmented/refuses/create/%s", bad_descs[i].name);
    }
    for (size_t i = 0; i < sizeof bad_ones / sizeof bad_ones[0]; i++) {
        test_add(cases, enqueue_refuses, &bad_ones[i], sizeof bad_ones[i],
                 "segmented/refuses/enqueue/%s", bad_ones[i].name);
    }
    test_add(cases, create_refuses_null, NULL, 0, "segmented/refuses/create/null");
    test_add(cases, enqueue_refuses_numbers, NULL, 0, "segmented/refuses/enqueue/numbers");
    test_add(cases, run_refuses, NULL, 0, "segmented/refuses/run");
    test_add(cases, generated_input_refuses_an_array, NULL, 0, "segmented/refuses/input-array");
    test_add(cases, check_and_describe_refuse, NULL, 0, "segmented/refuses/check-and-describe");
    test_add(cases, describe_counts_groups, NULL, 0, "segmented/describe");
    if (test_bears_shapes()) {
        test_add(cases, describe_says_whether_teams_work, NULL, 0, "segmented/describe/teams");
    }
}
