/* SPDX-License-Identifier: MIT */
/* Segmented: reductions by offsets and keys, scans by offsets, flags and bits. */
#include "harness/custom_operators.h"
#include "subjects/subjects.h"

#include <stdlib.h>

enum { IN, HEADS, OUT, KEYS, COUNT, REPORT, N, SEGMENTS };
enum { FEW = 100, FEW_SEGMENTS = 60, FAULTS_N = 100000 };

SUBJECT_PLAN(segmented)
SUBJECT_DESCRIBE(segmented, n[0], n[1])
SUBJECT_PARAMETERS(segmented)
SUBJECT_CHECK(segmented)

static bool by_offsets(const clprims_segmented_desc *desc) {
    return desc->by == CLPRIMS_SEGMENTS_OFFSETS;
}

static bool reduces(const clprims_segmented_desc *desc) {
    return desc->result == CLPRIMS_SEGMENTED_REDUCE;
}

static clprims_status enqueue(void *plan, const subject_data *d, const subject_submission *s) {
    const clprims_segmented_buffers buffers = {.struct_size = sizeof buffers,
                                               .in = s->at[IN],
                                               .heads = s->at[HEADS],
                                               .out = s->at[OUT],
                                               .keys = s->at[KEYS],
                                               .count = s->at[COUNT],
                                               .report = s->at[REPORT]};
    if (d->counted) {
        return clprims_segmented_enqueue_counted(plan, s->queue, &buffers, s->at[N],
                                                 s->at[SEGMENTS], d->n[1], SUBJECT_WAITS(s));
    }
    return clprims_segmented_enqueue(plan, s->queue, &buffers, d->n[0], d->n[1], SUBJECT_WAITS(s));
}

static clprims_status run(void *plan, const subject_data *d, void *const *at) {
    const clprims_segmented_arrays arrays = {.struct_size = sizeof arrays,
                                             .in = at[IN],
                                             .heads = at[HEADS],
                                             .out = at[OUT],
                                             .keys = at[KEYS]};
    size_t count = 0;
    const bool counts = at[COUNT] != NULL;
    const clprims_status status =
        clprims_segmented_run(plan, &arrays, d->n[0], d->n[1], counts ? &count : NULL);
    if (counts) *(uint64_t *)at[COUNT] = count;
    return status;
}

/* By keys and flags the second number is the room for segments. */
static void numbers(subject_data *d, size_t n) {
    subject_draw_segments(d, n);
    if (!by_offsets(d->desc)) d->n[1] = SUBJECT_DRAWN;
}

/* ---- Data ---- */

/* Draws what says where segments begin, and fills the segment of each element; returns how many
 * segments there are. */
static size_t draw_heads(subject_data *d, uint32_t *segments) {
    const clprims_segmented_desc *desc = d->desc;
    const size_t n = d->n[0], room = subject_room(d, 0);
    const size_t bytes = desc->by >= CLPRIMS_SEGMENTS_FLAGS ? 1
                         : desc->heads_type == CLPRIMS_TYPE_DEFAULT
                             ? 8
                             : clprims_type_bytes(desc->heads_type);
    size_t count = 0;
    if (by_offsets(desc)) {
        void *offsets = subject_in(d, HEADS, "heads", d->n[1] + 1, subject_room(d, 1) + 1, bytes);
        subject_cut(offsets, bytes, n, d->n[1]);
        for (size_t s = 0; s < d->n[1]; s++) {
            const size_t end = subject_load(bytes, offsets, s + 1);
            for (size_t i = subject_load(bytes, offsets, s); i < end; i++) {
                segments[i] = (uint32_t)s;
            }
        }
        return d->n[1];
    }
    const bool bits = desc->by == CLPRIMS_SEGMENTS_BITS, keys = desc->by == CLPRIMS_SEGMENTS_KEYS;
    const size_t heads_n = bits ? (n + 7) / 8 : n, heads_room = bits ? (room + 7) / 8 : room;
    unsigned char *heads = subject_in(d, HEADS, "heads", heads_n, heads_room, bytes);
    d->at[HEADS].has_bits = bits;
    if (keys) {
        subject_ascend(heads, bytes, n, 2);
    } else {
        subject_fill(heads, 1, heads_n, bits ? 0 : 1 + test_random_below(7));
    }
    for (size_t i = 0; i < n; i++) {
        const bool begins =
            keys   ? i > 0 && subject_load(bytes, heads, i) != subject_load(bytes, heads, i - 1)
            : bits ? (heads[i / 8] >> i % 8 & 1) != 0
                   : heads[i] != 0;
        count += i == 0 || begins;
        segments[i] = (uint32_t)(count - 1);
    }
    return count;
}

static int64_t value_of(const clprims_segmented_desc *desc, const subject_array *in, size_t i) {
    const uint64_t bits = subject_load(in->bytes, in->values, i);
    return desc->type == CLPRIMS_I32 ? (int32_t)bits : (int64_t)bits;
}

/* Sums and maxima of integers. */
static void define(subject_data *d, const uint32_t *segments, size_t written) {
    const clprims_segmented_desc *desc = d->desc;
    subject_array *out = &d->at[OUT];
    uint64_t running = 0;
    for (size_t i = 0; i < d->n[0]; i++) {
        const bool begins = i == 0 || segments[i] != segments[i - 1];
        const uint64_t value = (uint64_t)value_of(desc, &d->at[IN], i);
        const uint64_t before = begins ? 0 : running;
        running = desc->op == CLPRIMS_ADD ? before + value : value > before ? value : before;
        const size_t at = reduces(desc) ? segments[i] : i;
        if (at >= written) continue;
        test_store_integer(out->bytes, out->expected, at,
                           desc->result == CLPRIMS_SEGMENTED_EXCLUSIVE ? before : running);
        if (desc->unique_keys && begins) {
            const size_t bytes = d->at[HEADS].bytes;
            test_store_integer(bytes, d->at[KEYS].expected, at,
                               subject_load(bytes, d->at[HEADS].values, i));
        }
    }
}

/* One offset lies behind the elements. */
static void make_malformed(subject_data *d) {
    const size_t s = test_random_below(d->n[1]), bytes = d->at[HEADS].bytes;
    if (subject_load(bytes, d->at[HEADS].values, s + 1) == d->n[0] + 1) return;
    test_store_integer(bytes, d->at[HEADS].values, s, d->n[0] + 1);
    d->at[REPORT].written = 0;
    d->at[REPORT].is_undefined_behind = true;
    d->at[OUT].written = 0;
    d->at[OUT].is_undefined_behind = true;
    d->status = d->verdict = CLPRIMS_ERR_DATA;
}

static void draw(subject_data *d) {
    const clprims_segmented_desc *desc = d->desc;
    const size_t n = d->n[0], room = subject_room(d, 0), bytes = clprims_type_bytes(desc->type);
    const bool widens = desc->accumulator != CLPRIMS_TYPE_DEFAULT;
    const size_t out_bytes = widens ? clprims_type_bytes(desc->accumulator) : bytes;
    uint32_t *segments = test_alloc(n, sizeof *segments);
    subject_fill(subject_in(d, IN, "in", n, room, bytes), bytes, n, 0);
    const uint64_t count = draw_heads(d, segments);
    const bool by_room = reduces(desc) && !by_offsets(desc);
    /* In every third run some segments have no room. */
    if (d->n[1] == SUBJECT_DRAWN) {
        d->n[1] = by_room && test_random_below(3) == 0 ? test_random_below(count + 1) : count;
    }
    const size_t fits = count < d->n[1] ? count : d->n[1];
    const size_t written = reduces(desc) ? fits : n;
    const size_t out_room = by_room ? d->n[1] : reduces(desc) ? subject_room(d, 1) : room;
    subject_out(d, OUT, "out", written, out_room, out_bytes);
    if (desc->unique_keys) subject_out(d, KEYS, "keys", fits, d->n[1], d->at[HEADS].bytes);
    define(d, segments, written);
    if (!reduces(desc) && bytes == out_bytes) {
        subject_may_overlap(d, IN, OUT, SUBJECT_SAME_PLACE);
    }
    if (by_room) {
        *(uint64_t *)subject_out(d, COUNT, "count", 1, 1, sizeof count) = count;
        d->at[COUNT].is_count = true;
        if (count > fits) d->status = CLPRIMS_ERR_TOO_LARGE;
    }
    const bool reports = reduces(desc) || by_offsets(desc);
    const clprims_segmented_report report = {CLPRIMS_SEGMENTED_VALID, -1,
                                             reports ? (int64_t)count : -1};
    subject_report(d, REPORT, &report, sizeof report);
    subject_number(d, N, "n", 0);
    if (by_offsets(desc)) subject_number(d, SEGMENTS, "segments", 1);
    if (by_offsets(desc) && d->may_be_malformed && test_random_below(8) == 0) make_malformed(d);
    free(segments);
}

/* ---- Plans ---- */

#define SEGMENTED(...) SUBJECT_CUSTOM_DESC(segmented, __VA_ARGS__)
#define WORDS(...) SEGMENTED(.type = CLPRIMS_U32, __VA_ARGS__)
#define OFFSETS WORDS(.by = CLPRIMS_SEGMENTS_OFFSETS)
#define KEYS_OF(heads, ...)                                                                        \
    WORDS(.by = CLPRIMS_SEGMENTS_KEYS, .heads_type = heads, .unique_keys = 1, __VA_ARGS__)
#define SUMS_BY_KEYS KEYS_OF(CLPRIMS_U16, .op = CLPRIMS_ADD)
#define INCLUSIVE(by_) WORDS(.result = CLPRIMS_SEGMENTED_INCLUSIVE, .by = by_)
#define EXCLUSIVE(by_) WORDS(.result = CLPRIMS_SEGMENTED_EXCLUSIVE, .by = by_)
#define SHARES "GROUP=1 SHARE=7 GROUPS=64"
#define FEW_OF_EACH                                                                                \
    { FEW, FEW_SEGMENTS }
#define FEW_ROOMY                                                                                  \
    { FEW, FEW }

static const subject_call calls[] = {
    {"segmented-offsets", OFFSETS, SHARES, .n = FEW_OF_EACH},
    {"segmented-scan-offsets", EXCLUSIVE(CLPRIMS_SEGMENTS_OFFSETS), SHARES, .n = FEW_OF_EACH},
    {"segmented-keys", SUMS_BY_KEYS, SHARES, .n = FEW_ROOMY, .most = FEW_OF_EACH},
    {"segmented-keys-of-none", SUMS_BY_KEYS, SHARES, .n = {0, FEW}, .most = FEW_OF_EACH},
    {"segmented-keys-without-room", SUMS_BY_KEYS, SHARES, .n = {FEW, 0}, .most = FEW_OF_EACH},
    {"segmented-flags", INCLUSIVE(CLPRIMS_SEGMENTS_FLAGS), SHARES, .n = FEW_OF_EACH},
    {"segmented-bits", INCLUSIVE(CLPRIMS_SEGMENTS_BITS), SHARES, .n = FEW_OF_EACH},
    {"segmented-offsets-counted", OFFSETS, SHARES, .n = {57, 57}, .most = FEW_OF_EACH,
     .counted = true},
    {"segmented-keys-counted", SUMS_BY_KEYS, SHARES, .n = {57, FEW}, .most = FEW_OF_EACH,
     .counted = true},
};

static const subject_sample samples[] = {
    {"segmented/offsets", SEGMENTED(.type = CLPRIMS_I32, .accumulator = CLPRIMS_I64), 12345678,
     33554433},
    {"segmented/keys", KEYS_OF(CLPRIMS_U32, .op = CLPRIMS_MAX), 12345678, 33554433},
    {"segmented/flags", EXCLUSIVE(CLPRIMS_SEGMENTS_FLAGS), 12345678, 33554433},
    {"segmented/short-offsets", SEGMENTED(.type = CLPRIMS_I32, .heads_type = CLPRIMS_I32), 0, 0},
    {"segmented/inclusive", INCLUSIVE(CLPRIMS_SEGMENTS_FLAGS), 0, 0},
};

static const subject_fault faults[] = {
    {"segmented", "", KEYS_OF(CLPRIMS_I32, .op = CLPRIMS_ADD), .n = {FAULTS_N, FAULTS_N},
     .order = SUBJECT_BOTH_ORDERS},
};

static const subject_launch launched[] = {
    {"segmented/offsets", .desc = OFFSETS},
    {"segmented/keys", .desc = WORDS(.by = CLPRIMS_SEGMENTS_KEYS, .heads_type = CLPRIMS_U32)},
};

static const subject_limit limits[] = {
    {"reduce by key", SEGMENTED(.by = CLPRIMS_SEGMENTS_KEYS, .type = CLPRIMS_I32,
                                .heads_type = CLPRIMS_I32, .unique_keys = 1)},
    {"segmented scan", SEGMENTED(.result = CLPRIMS_SEGMENTED_INCLUSIVE,
                                 .by = CLPRIMS_SEGMENTS_FLAGS, .type = CLPRIMS_F32)},
};

#define FLOATS(...) SEGMENTED(.type = CLPRIMS_F32, __VA_ARGS__)
#define GREATEST                                                                                   \
    SEGMENTED(.type = CLPRIMS_I16, .accumulator = CLPRIMS_I32, .op = CLPRIMS_MAX,                  \
              .heads_type = CLPRIMS_I32)
#define UNIQUE FLOATS(.by = CLPRIMS_SEGMENTS_KEYS, .heads_type = CLPRIMS_U32, .unique_keys = 1)
#define SCAN_OF(type_, result_, ...)                                                               \
    SEGMENTED(.type = type_, .result = CLPRIMS_SEGMENTED_##result_, __VA_ARGS__)
#define BY_KEYS .by = CLPRIMS_SEGMENTS_KEYS, .heads_type = CLPRIMS_U32
static const subject_kind kinds[] = {
    {"floats", "offsets", .desc = FLOATS(.op = CLPRIMS_ADD), "TEAM=0"},
    {"argmin", "offsets", .desc = FLOATS(.op = CLPRIMS_ARGMIN, .local_index = 1), "TEAM=0"},
    {"greatest", "offsets", .desc = GREATEST, "TEAM=0"},
    {"floats", "short", .desc = FLOATS(.op = CLPRIMS_ADD), "TEAM=4 BLOCK=64"},
    {"greatest", "short", .desc = GREATEST, "TEAM=4 BLOCK=64"},
    {"floats", "short-8", .desc = FLOATS(.op = CLPRIMS_ADD), "TEAM=8 BLOCK=128"},
    {"greatest", "short-8", .desc = GREATEST, "TEAM=8 BLOCK=128"},
    {"floats", "long", .desc = FLOATS(.op = CLPRIMS_ADD), "TEAM=128 BLOCK=1024"},
    {"greatest", "long", .desc = GREATEST, "TEAM=128 BLOCK=1024"},
    {"floats", "keys", .desc = UNIQUE},
    {"floats", "keys-by-two", .desc = UNIQUE, "SINGLE=0"},
    {"parameters", "keys",
     .desc = FLOATS(BY_KEYS, .unique_keys = 1, .input = "x * weight[i % 8]",
                    .equal = "abs_diff(a, b) <= step",
                    .parameters = "global const float *weight, uint step")},
    {"scan-of-words", "keys", .desc = SCAN_OF(CLPRIMS_I32, INCLUSIVE, BY_KEYS)},
    {"scan-of-words", "keys-by-two", .desc = SCAN_OF(CLPRIMS_I32, INCLUSIVE, BY_KEYS), "SINGLE=0"},
    {"scan-of-words", "flags",
     .desc = SCAN_OF(CLPRIMS_I32, INCLUSIVE, .by = CLPRIMS_SEGMENTS_FLAGS)},
    {"scan-of-words", "bits", .desc = SCAN_OF(CLPRIMS_I32, EXCLUSIVE, .by = CLPRIMS_SEGMENTS_BITS)},
    {"scan-of-words", "offsets",
     .desc = SCAN_OF(CLPRIMS_I32, EXCLUSIVE, .by = CLPRIMS_SEGMENTS_OFFSETS)},
    {"scan-of-bytes", "keys", .desc = SCAN_OF(CLPRIMS_I8, INCLUSIVE, BY_KEYS)},
    {"scan-of-bytes", "bits", .desc = SCAN_OF(CLPRIMS_I8, EXCLUSIVE, .by = CLPRIMS_SEGMENTS_BITS)},
    {"structs", "offsets",
     .desc = SUBJECT_DESC(segmented, .type = CLPRIMS_STRUCT, .op = CLPRIMS_CUSTOM,
                          .result = CLPRIMS_SEGMENTED_INCLUSIVE, SUBJECT_AFFINE(0))},
};

const subject subject_segmented = {
    SUBJECT(segmented, max_segments),
    .set_parameter = set_parameter,
    .traits = {.tells_numbers = true, .has_optional_numbers = true},
    .max = {SUBJECT_MAX(segmented, max_n), SUBJECT_MAX(segmented, max_segments)},
    .plain = SEGMENTED(.type = CLPRIMS_I32),
    SUBJECT_GROUPS(segmented, group),
    .info.launches = offsetof(clprims_segmented_info, launches),
    .knobs = {.key = "segmented", .call = "segmented-offsets"},
    .check = check,
    .limit = subject_limit_segments,
    .numbers = numbers,
    SUBJECT_PLANS,
    .plans.launched = SUBJECT_TABLE(launched),
    .plans.limits = SUBJECT_TABLE(limits),
};
