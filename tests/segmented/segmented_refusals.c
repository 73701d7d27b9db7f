/* SPDX-License-Identifier: MIT */
/* Bad input: each kind has its own status and a message with the values in it. */
#include "segmented/segmented_tries.h"
#include "subjects/runs/subject_refusals.h"

enum { N = 100 };

static clprims_segmented_desc usual(void) {
    clprims_segmented_desc desc = {.type = CLPRIMS_I32};
    desc.max_n = desc.max_segments = N;
    return desc;
}

static clprims_segmented_desc by_keys_or_offsets(bool by_keys) {
    clprims_segmented_desc desc = usual();
    if (!by_keys) return desc;
    desc.by = CLPRIMS_SEGMENTS_KEYS;
    desc.heads_type = CLPRIMS_I32;
    desc.unique_keys = 1;
    return desc;
}

/* ---- create ---- */

static void keys_of_struct(clprims_segmented_desc *d) {
    d->by = CLPRIMS_SEGMENTS_KEYS, d->heads_type = CLPRIMS_STRUCT;
}

static void declare_two(clprims_segmented_desc *d) {
    d->custom.declarations = "typedef struct { int a; int b; } two;", d->custom.type_name = "two",
    d->custom.type_bytes = 8;
}

static void struct_keys_without_equal(clprims_segmented_desc *d) {
    keys_of_struct(d), declare_two(d);
}

static void spoil_values(void *desc, subject_refusal *r) {
    clprims_segmented_desc *d = desc;
    ILLEGAL("kind", "kind = 3 is not a value of clprims_segmented_kind",
            d->kind = (clprims_segmented_kind)3)
    ILLEGAL("negative-kind", "kind = -1 is not a value of", d->kind = (clprims_segmented_kind)-1)
    ILLEGAL("by", "by = 5 is not a value of clprims_segments_by", d->by = (clprims_segments_by)5)
    ILLEGAL("scan-by-argmin", "segmented: op = 8 (argmin) needs a reduction; kind = 1 (inclusive)",
            d->op = CLPRIMS_ARGMIN, d->kind = CLPRIMS_SEGMENTED_INCLUSIVE)
    ILLEGAL("local-index-of-sum", "local_index needs argmin or argmax; op = 0 (add)",
            d->local_index = 1)
    ILLEGAL("no-max_segments", "segmented: max_segments = 0; set", d->max_segments = 0)
    REFUSED("huge-max_segments", TOO_LARGE, "max_segments = 9223372036854775807 exceeds",
            d->max_segments = SIZE_MAX / 2)
    REFUSED("broken-equal", BUILD, "crocodile", d->by = CLPRIMS_SEGMENTS_KEYS,
            d->heads_type = CLPRIMS_I32, d->equal = "a == crocodile")
}

static void spoil_heads(void *desc, subject_refusal *r) {
    clprims_segmented_desc *d = desc;
    ILLEGAL("offsets-of-floats", "heads_type = 9 (float32); offsets are int32, int64, uint32",
            d->heads_type = CLPRIMS_F32)
    ILLEGAL("offsets-unsigned", "heads_type = 6 (uint16)", d->heads_type = CLPRIMS_U16)
    REFUSED("offsets-uint32", TOO_LARGE,
            "segmented: max_n = 2147483648 exceeds 2147483647, the most with heads_type uint32",
            d->heads_type = CLPRIMS_U32, d->max_n = (size_t)1 << 31)
    ILLEGAL("keys-without-type", "heads_type = 0; set the type of the elements",
            d->by = CLPRIMS_SEGMENTS_KEYS)
    ILLEGAL("keys-of-strange-type", "heads_type = 77 is not a value of",
            d->by = CLPRIMS_SEGMENTS_KEYS, d->heads_type = (clprims_type)77)
    ILLEGAL("keys-of-struct", "heads_type = 11 (struct) needs desc.equal; it is NULL",
            keys_of_struct(d))
    REFUSED("struct-keys-without-declarations", BUILD, "", struct_keys_without_equal(d),
            d->equal = "a.a == b.a", d->custom.declarations = NULL)
    ILLEGAL("struct-keys-without-equal", "needs desc.equal", struct_keys_without_equal(d))
    ILLEGAL("struct-keys-of-odd-size", "type_bytes = 7, the device's sizeof is 8",
            struct_keys_without_equal(d), d->equal = "a.a == b.a", d->custom.type_bytes = 7)
    ILLEGAL("struct-keys-of-other-size", "segmented: type_bytes = 12, the device's sizeof is 8",
            struct_keys_without_equal(d), d->equal = "a.a == b.a", d->custom.type_bytes = 12)
    ILLEGAL("flags-with-type", "heads_type = 5 (uint8), but by = ", d->by = CLPRIMS_SEGMENTS_FLAGS,
            d->heads_type = CLPRIMS_U8)
    ILLEGAL("bits-with-type", "heads_type = 5 (uint8), but by = ", d->by = CLPRIMS_SEGMENTS_BITS,
            d->heads_type = CLPRIMS_U8)
    ILLEGAL("equal-by-offsets", "desc.equal = \"a == b\" is never read: by = 0 (offsets)",
            d->equal = "a == b")
    ILLEGAL("unique-by-offsets", "a reduction by keys; reduces = 1, by = 0", d->unique_keys = 1)
    ILLEGAL("unique-of-scan", "a reduction by keys; reduces = 0, by = 1",
            d->by = CLPRIMS_SEGMENTS_KEYS, d->heads_type = CLPRIMS_I32,
            d->kind = CLPRIMS_SEGMENTED_INCLUSIVE, d->unique_keys = 1)
    ILLEGAL("exclusive-without-start", "init or custom.identity", d->op = CLPRIMS_CUSTOM,
            d->custom.op = "a + b", d->kind = CLPRIMS_SEGMENTED_EXCLUSIVE)
    ILLEGAL("struct-by-argmin", "segmented: op = 8 (argmin) is not defined for structs",
            declare_two(d), d->type = CLPRIMS_STRUCT, d->op = CLPRIMS_ARGMIN)
    ILLEGAL("single-pass-of-sums", "SINGLE=1", d->tuning = "SINGLE=1")
}

static void spoil(void *desc, subject_refusal *r) {
    spoil_values(desc, r);
    spoil_heads(desc, r);
}

/* ---- Structures ---- */

static void structures_are_refused(void) {
    const clprims_segmented_desc desc = by_keys_or_offsets(true);
    clprims_segmented *plan = segmented_plan(&desc);
    const clprims_segmented_arrays good = {0};
    expect_failure(clprims_segmented_run(plan, &good, N), CLPRIMS_ERR_ARGUMENT, "count is NULL");
}

static void sizes_are_refused(void) {
    static const struct {
        clprims_segments_by by;
        size_t segments, capacity, length;
        clprims_status status;
        const char *part;
    } tries[] = {
        {CLPRIMS_SEGMENTS_KEYS, 2, 0, 0, CLPRIMS_ERR_ARGUMENT, "sizes.segments = 2, but by = 1"},
        {CLPRIMS_SEGMENTS_OFFSETS, 0, 3, 0, CLPRIMS_ERR_ARGUMENT, "sizes.capacity = 3; only"},
        {CLPRIMS_SEGMENTS_OFFSETS, 0, 0, 3, CLPRIMS_ERR_ARGUMENT,
         "sizes.length = 3, but by = 0 (offsets) has no use for it"},
        {CLPRIMS_SEGMENTS_EQUAL, 0, 0, 0, CLPRIMS_ERR_ARGUMENT,
         "sizes.length = 0, but by = 4 (equal) needs at least 1"},
        {CLPRIMS_SEGMENTS_EQUAL, 0, 0, 1, CLPRIMS_ERR_TOO_LARGE, "segments = "},
    };
    for (size_t k = 0; k < sizeof tries / sizeof tries[0]; k++) {
        const clprims_segmented_sizes sizes = {tries[k].segments, tries[k].capacity,
                                               tries[k].length};
        clprims_segmented_info info = {0};
        clprims_segmented_desc desc = by_keys_or_offsets(tries[k].by == CLPRIMS_SEGMENTS_KEYS);
        if (tries[k].by == CLPRIMS_SEGMENTS_EQUAL) {
            desc = (clprims_segmented_desc){.by = CLPRIMS_SEGMENTS_EQUAL,
                                            .type = CLPRIMS_I32,
                                            .max_n = N,
                                            .max_segments = N / 2};
        }
        expect_failure(clprims_segmented_describe(segmented_plan(&desc), N, sizes, &info),
                       tries[k].status, tries[k].part);
    }
}

/* ---- describe ---- */

static clprims_status describe(const clprims_segmented *plan, size_t n, size_t segments,
                               clprims_segmented_info *info) {
    return clprims_segmented_describe(plan, n, (clprims_segmented_sizes){.segments = segments},
                                      info);
}

static void describe_has_numbers(void) {
    const clprims_segmented_desc desc = usual();
    clprims_segmented_info info = {0};
    expect_ok(describe(segmented_plan(&desc), N, N, &info));
    if (info.launches < 1 || info.groups == 0 || info.scratch_bytes == 0) {
        test_fail("%zu launches of %zu groups, %zu bytes", info.launches, info.groups,
                  info.scratch_bytes);
    }
}

/* Groups follow the elements and ends of segments up to what the tuning allows. */
static void describe_counts_groups(void) {
    clprims_segmented_desc desc = usual();
    clprims_segmented_info info = {0};
    desc.max_n = desc.max_segments = 1 << 20;
    desc.tuning = "GROUP=1 SHARE=100 GROUPS=3";
    clprims_segmented *plan = segmented_plan(&desc);
    const size_t most = 3 * test_info().device.compute_units;
    expect_ok(describe(plan, 0, 0, &info));
    assert_int_equal(info.groups, 1);
    expect_ok(describe(plan, 60, 41, &info));
    assert_int_equal(info.groups, 2);
    expect_ok(describe(plan, 1 << 20, 1 << 20, &info));
    assert_int_equal(info.groups, most);
}

/* As a reduction says, whose groups wait for each other, too. */
static bool groups_may_wait(void) {
    clprims_reduce_info info = {0};
    clprims_reduce_desc desc = {.type = CLPRIMS_I32, .max_n = 1, .tuning = "GROUP=128"};
    clprims_reduce *reduce = subject_made_plan(&subject_reduce, &desc);
    expect_ok(clprims_reduce_describe(reduce, 1, &info));
    const bool by_groups = strcmp(info.variant, "group") == 0;
    return by_groups;
}

/* Teams are for reductions by offsets whose operator commutes, and for groups that hold them. */
static void describe_says_whether_teams_work(void) {
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
    if (!groups_may_wait()) test_skip("work-groups may not wait on this device");
    for (size_t k = 0; k < sizeof plans / sizeof plans[0]; k++) {
        clprims_segmented_desc desc = usual();
        clprims_segmented_info info = {0};
        desc.op = plans[k].op;
        desc.max_n = 2000;
        desc.max_segments = 3000;
        desc.tuning = plans[k].tuning;
        clprims_segmented *plan = segmented_plan(&desc);
        expect_ok(describe(plan, plans[k].n, plans[k].segments, &info));
        const bool by_teams = strcmp(info.variant, "direct") == 0;
        const bool shuffles = test_info().layer == CLPRIMS_LAYER_NVIDIA;
        if (by_teams != (plans[k].groups > 0)) test_fail("plan %zu: %s", k, info.variant);
        if (by_teams && !shuffles && info.groups != plans[k].groups) {
            test_fail("plan %zu: %zu groups of %zu", k, info.groups, info.group);
        }
    }
}

/* Groups of more than one work-item take tiles, whatever the knobs of shares say; segments that are
 * counted have none. */
static void describe_says_whether_tiles_work(void) {
    static const struct {
        clprims_segmented_kind kind;
        clprims_segments_by by;
        const char *tuning;
        size_t groups, launches; /* of 1000 elements, and by offsets 1000 segments; 0: no tiles */
    } plans[] = {
        {CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_OFFSETS, "GROUP=8 ITEMS=16 GROUPS=512", 17, 1},
        {CLPRIMS_SEGMENTED_INCLUSIVE, CLPRIMS_SEGMENTS_OFFSETS, "GROUP=16 ITEMS=8 GROUPS=512", 18,
         2},
        {CLPRIMS_SEGMENTED_EXCLUSIVE, CLPRIMS_SEGMENTS_FLAGS, "GROUP=8 ITEMS=16 GROUPS=512", 9, 2},
        {CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_FLAGS, "GROUP=8 ITEMS=16 GROUPS=512", 9, 2},
        {CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_OFFSETS, "GROUP=1", 0, 0}};
    if (test_info().layer == CLPRIMS_LAYER_NVIDIA) test_skip("the nvidia layer has no tiles");
    for (size_t k = 0; k < sizeof plans / sizeof plans[0]; k++) {
        clprims_segmented_desc desc = usual();
        clprims_segmented_info info = {0};
        desc.kind = plans[k].kind;
        desc.by = plans[k].by;
        desc.max_n = 1000;
        desc.max_segments = desc.by == CLPRIMS_SEGMENTS_OFFSETS ? 1000 : 0;
        desc.tuning = plans[k].tuning;
        clprims_segmented *plan = segmented_plan(&desc);
        expect_ok(describe(plan, 1000, desc.max_segments, &info));
        if ((strcmp(info.variant, "merge-path") == 0) != (plans[k].launches > 0)) {
            test_fail("plan %zu: %s", k, info.variant);
        }
        if (plans[k].launches == 0) continue;
        assert_int_equal(info.groups, plans[k].groups);
        assert_int_equal(info.launches, plans[k].launches);
    }
}

void add_refusal_cases(test_cases *cases) {
    const clprims_segmented_desc good = usual();
    subject_add_refused(cases, &subject_segmented, &good, spoil, "segmented/refuses/create");
    test_add_plain(cases, structures_are_refused, "segmented/refuses/structures");
    test_add_plain(cases, sizes_are_refused, "segmented/refuses/sizes");
    test_add_plain(cases, describe_has_numbers, "segmented/describe/numbers");
    test_add_plain(cases, describe_counts_groups, "segmented/describe");
    if (test_bears_shapes()) {
        test_add_plain(cases, describe_says_whether_teams_work, "segmented/describe/teams");
        test_add_plain(cases, describe_says_whether_tiles_work, "segmented/describe/tiles");
    }
}
