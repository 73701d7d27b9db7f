/* SPDX-License-Identifier: MIT */
/* Segmented: reductions by offsets and keys, scans by offsets, flags and bits. */
#include "fixtures/segmented_cases.h"
#include "subjects/draws/drawn_result.h"

enum {
    IN = SEGMENTED_IN,
    HEADS = SEGMENTED_HEADS,
    OUT = SEGMENTED_OUT,
    KEYS = SEGMENTED_KEYS,
    COUNT = SEGMENTED_COUNT,
    REPORT = SEGMENTED_REPORT,
    N = SEGMENTED_N,
    SEGMENTS = SEGMENTED_SEGMENTS
};
enum { FEW = 100, FEW_SEGMENTS = 60, FAULTS_N = 100000 };
enum { LENGTH = SUBJECT_LENGTH };

SUBJECT_PLAN(segmented)
SUBJECT_PARAMETERS(segmented)
SUBJECT_CHECK(segmented)

static bool by_offsets(const clprims_segmented_desc *desc) {
    return desc->by == CLPRIMS_SEGMENTS_OFFSETS;
}

static bool by_length(const clprims_segmented_desc *desc) {
    return desc->by == CLPRIMS_SEGMENTS_EQUAL;
}

static bool reduces(const clprims_segmented_desc *desc) {
    return desc->kind == CLPRIMS_SEGMENTED_REDUCE;
}

/* By keys and flags the second number is the room of the outputs. */
static bool is_bounded(const subject_data *d, size_t k) {
    return k != 1 || by_offsets(d->desc) || by_length(d->desc);
}

/* By length, too many segments have one element each. */
static clprims_segmented_sizes sizes(const subject_data *d, size_t segments) {
    if (by_offsets(d->desc)) return (clprims_segmented_sizes){.segments = segments};
    if (by_length(d->desc)) {
        return (clprims_segmented_sizes){.length = d->n[1] > d->most[1] ? 1 : d->n[LENGTH]};
    }
    return (clprims_segmented_sizes){.capacity = reduces(d->desc) ? d->n[1] : 0};
}

/* A plan refuses the sizes that it has no use for. */
static clprims_status describe(const void *plan, const size_t *n, void *info, size_t bytes) {
    const clprims_segmented_sizes sizes[] = {
        {.segments = n[1]}, {.length = n[LENGTH] > 0 ? n[LENGTH] : 1}, {0}};
    clprims_status status = CLPRIMS_ERR_ARGUMENT;
    for (size_t k = 0; k < 3 && status == CLPRIMS_ERR_ARGUMENT; k++) {
        status = clprims_segmented_describe_sized(plan, n[0], sizes[k], info, bytes);
    }
    return status;
}

SUBJECT_ENQUEUE(segmented, .in = s->at[IN], .heads = s->at[HEADS], .out = s->at[OUT],
                .keys = s->at[KEYS], .count = s->at[COUNT], .report = s->at[REPORT], .n = s->at[N],
                .segments = s->at[SEGMENTS], .sizes = sizes(d, subject_room(d, 1)))

/* The count of segments that are given, which is no array, is compared here. */
static clprims_status run(void *plan, const subject_data *d, void *const *at) {
    size_t count = 0;
    const clprims_segmented_arrays arrays = {.in = at[IN],
                                             .heads = at[HEADS],
                                             .out = at[OUT],
                                             .keys = at[KEYS],
                                             .count = &count,
                                             .sizes = sizes(d, d->n[1])};
    const clprims_segmented_report *report = d->at[REPORT].expected;
    const size_t counted = report->segments < 0 ? 0 : (size_t)report->segments;
    const clprims_status status = clprims_segmented_run(plan, SUBJECT_GIVEN(d, &arrays), d->n[0]);
    if (at[COUNT] != NULL) *(uint64_t *)at[COUNT] = count;
    return status == CLPRIMS_OK && count != counted ? CLPRIMS_ERR_INTERNAL : status;
}

/* By keys and flags the second number is the room for segments. */
static void numbers(subject_data *d, size_t n) {
    subject_draw_segments(d, n);
    if (!by_offsets(d->desc)) d->n[1] = SUBJECT_DRAWN;
    if (by_length(d->desc)) subject_draw_length(d, n);
}

/* ---- Data ---- */

/* Of the run, as they are given or drawn; by offsets their number is known. */
static test_segments choose_segments(const subject_data *d) {
    const size_t n = d->n[0];
    if (by_length(d->desc)) return segments_alike(n, d->n[LENGTH]);
    if (d->offsets == NULL && !by_offsets(d->desc)) {
        return segments_make((segments_shape)test_random_below(SEGMENTS_SPARSE), n, true);
    }
    test_segments segments = {.n = n, .count = by_offsets(d->desc) ? d->n[1] : 0};
    while (!by_offsets(d->desc) && (size_t)d->offsets[segments.count] < n) segments.count++;
    segments.offsets = test_alloc(segments.count + 1, sizeof *segments.offsets);
    if (d->offsets == NULL) {
        subject_cut(segments.offsets, sizeof *segments.offsets, n, segments.count);
    } else {
        memcpy(segments.offsets, d->offsets, (segments.count + 1) * sizeof *segments.offsets);
    }
    return segments;
}

/* An input of which anything stands behind the first `own` elements. */
static void *put(subject_data *d, size_t slot, const char *name, size_t own, size_t room,
                 size_t bytes) {
    char *values = subject_in(d, slot, name, own, room, bytes);
    if (own < room) subject_fill(values + own * bytes, 1, (room - own) * bytes, 0);
    return values;
}

static void *draw_input(subject_data *d, size_t n) {
    const clprims_segmented_desc *desc = d->desc;
    const size_t bytes = segmented_in_bytes(desc);
    if (desc->no_input_array) return NULL;
    void *in = put(d, IN, "in", n, subject_room(d, 0), bytes);
    if (subject_fill_as_told(d, in, n)) return in;
    if (desc->op == CLPRIMS_ADD && desc->type < CLPRIMS_F32) {
        subject_fill(in, bytes, n, 0);
    } else {
        test_random_values(desc->type, desc->op >= CLPRIMS_ARGMIN ? CLPRIMS_MIN : desc->op, in, n);
    }
    return in;
}

static void draw_heads(subject_data *d, const test_segments *segments) {
    const clprims_segmented_desc *desc = d->desc;
    const bool bits = desc->by == CLPRIMS_SEGMENTS_BITS;
    const size_t bytes = segmented_head_bytes(desc), room = subject_room(d, 0);
    size_t own;
    void *heads = segmented_heads(desc, segments, d->first_bit, &own);
    const size_t most = by_offsets(desc) ? subject_room(d, 1) + 1
                        : bits           ? (d->first_bit + room + 7) / 8
                                         : room;
    memcpy(put(d, HEADS, "heads", own, most, bytes), heads, own * bytes);
    d->at[HEADS].has_bits = bits;
    d->at[HEADS].first_bit = d->first_bit;
    free(heads);
}

/* A scan leaves elements of no segment as they are. */
static void draw_output(subject_data *d, const test_segments *segments, const void *in,
                        size_t written, size_t room) {
    const clprims_segmented_desc *desc = d->desc;
    const size_t bytes = segmented_out_bytes(desc), most = segments->count;
    const size_t all = reduces(desc) ? most : segments->n;
    char *out = subject_out(d, OUT, "out", written, room, bytes);
    char *whole = test_alloc(all, bytes);
    if (!reduces(desc) && by_offsets(desc)) {
        if (!d->in_place) subject_keep(d, OUT);
        memcpy(whole, d->in_place ? in : out, all * bytes);
    }
    segmented_define(d, segments, in, whole);
    memcpy(out, whole, written * bytes);
    free(whole);
    if (d->operand != NULL && d->operand->twin.same != NULL &&
        desc->result_type == CLPRIMS_TYPE_DEFAULT)
        d->at[OUT].twin = &d->operand->twin;
    if (!reduces(desc) && in != NULL && segmented_in_bytes(desc) == bytes) {
        subject_may_overlap(d, IN, OUT, SUBJECT_SAME_PLACE);
    }
}

/* The first key of each segment. */
static void draw_keys(subject_data *d, const test_segments *segments, size_t written) {
    const size_t bytes = d->at[HEADS].bytes;
    const char *heads = d->at[HEADS].values;
    char *keys = subject_out(d, KEYS, "keys", written, d->n[1], bytes);
    for (size_t s = 0; s < written; s++) {
        memcpy(keys + s * bytes, heads + (size_t)segments->offsets[s] * bytes, bytes);
    }
}

static void draw(subject_data *d) {
    const clprims_segmented_desc *desc = d->desc;
    const bool by_room = reduces(desc) && !by_offsets(desc) && !by_length(desc);
    const bool reports = reduces(desc) || by_offsets(desc) || by_length(desc);
    test_segments segments = choose_segments(d);
    const uint64_t count = segments.count;
    const clprims_segmented_report report = {CLPRIMS_SEGMENTED_VALID, -1,
                                             reports ? (int64_t)count : -1};
    const void *in = draw_input(d, d->n[0]);
    if (by_length(desc)) {
        d->n[1] = count;
    } else {
        draw_heads(d, &segments);
    }
    /* In every third run some segments have no room. */
    if (d->n[1] == SUBJECT_DRAWN) {
        const bool lacks = by_room && count > 1 && test_random_below(3) == 0;
        d->n[1] = lacks ? 1 + test_random_below(count - 1) : count;
    }
    if (by_room && d->n[1] == 0) d->n[1] = subject_room(d, 0) > 0; /* 0 stands for all */
    const size_t fits = count < d->n[1] ? count : d->n[1];
    draw_output(d, &segments, in, reduces(desc) ? fits : d->n[0],
                by_room           ? d->n[1]
                : !reduces(desc)  ? subject_room(d, 0)
                : by_length(desc) ? subject_rows(subject_room(d, 0), d->n[LENGTH])
                                  : subject_room(d, 1));
    if (desc->unique_keys) draw_keys(d, &segments, fits);
    if (by_room) {
        *(uint64_t *)subject_out(d, COUNT, "count", 1, 1, sizeof count) = count;
        d->at[COUNT].is_count = true;
        if (count > fits) d->status = CLPRIMS_ERR_TOO_LARGE;
    }
    subject_report(d, REPORT, &report, sizeof report);
    subject_number(d, N, "n", 0);
    if (by_offsets(desc)) subject_number(d, SEGMENTS, "segments", 1);
    segments_free(&segments);
    /* One offset lies behind the elements. */
    if (by_offsets(desc) && d->may_be_malformed && test_random_below(8) == 0) {
        const size_t at = test_random_below(d->n[1] + 1);
        segmented_spoil(d, at, (int64_t)d->n[0] + 1, (int64_t)at);
    }
}

/* ---- Plans ---- */

#define SEGMENTED(...) SUBJECT_CUSTOM_DESC(segmented, __VA_ARGS__)
#define WORDS(...) SEGMENTED(.type = CLPRIMS_U32, __VA_ARGS__)
#define OFFSETS WORDS(.by = CLPRIMS_SEGMENTS_OFFSETS)
#define KEYS_OF(heads, ...)                                                                        \
    WORDS(.by = CLPRIMS_SEGMENTS_KEYS, .heads_type = heads, .unique_keys = 1, __VA_ARGS__)
#define SUMS_BY_KEYS KEYS_OF(CLPRIMS_U16, .op = CLPRIMS_ADD)
#define INCLUSIVE(by_) WORDS(.kind = CLPRIMS_SEGMENTED_INCLUSIVE, .by = by_)
#define EXCLUSIVE(by_) WORDS(.kind = CLPRIMS_SEGMENTED_EXCLUSIVE, .by = by_)
#define SHARES "GROUP=1 SHARE=7 GROUPS=64"
#define FEW_OF_EACH                                                                                \
    { FEW, FEW_SEGMENTS }
#define FEW_ROOMY                                                                                  \
    { FEW, FEW }

static const subject_call calls[] = {
    {"segmented-offsets", OFFSETS, SHARES, .n = FEW_OF_EACH},
    {"segmented-scan-offsets", EXCLUSIVE(CLPRIMS_SEGMENTS_OFFSETS), SHARES, .n = FEW_OF_EACH},
    {"segmented-keys", SUMS_BY_KEYS, SHARES, .n = FEW_ROOMY, .most = FEW_OF_EACH},
    {"segmented-keys-of-none", SUMS_BY_KEYS, SHARES, .n = {0, 0}, .most = FEW_OF_EACH},
    {"segmented-keys-without-room", SUMS_BY_KEYS, SHARES, .n = {FEW, 1}, .most = FEW_OF_EACH},
    {"segmented-flags", INCLUSIVE(CLPRIMS_SEGMENTS_FLAGS), SHARES, .n = FEW_OF_EACH},
    {"segmented-result",
     WORDS(.kind = CLPRIMS_SEGMENTED_EXCLUSIVE, .by = CLPRIMS_SEGMENTS_FLAGS, .result = DRAWN_OF_X,
           .result_type = CLPRIMS_U64),
     SHARES, .n = FEW_OF_EACH},
    {"segmented-length", WORDS(.by = CLPRIMS_SEGMENTS_EQUAL), SHARES, .n = {FEW, 34, 3},
     .most = {FEW, FEW - 1}},
    {"segmented-scan-length", EXCLUSIVE(CLPRIMS_SEGMENTS_EQUAL), SHARES, .n = {FEW, 15, 7},
     .most = {FEW, FEW - 1}},
    {"segmented-bits", INCLUSIVE(CLPRIMS_SEGMENTS_BITS), SHARES, .n = FEW_OF_EACH},
    {"segmented-offsets-counted", OFFSETS, SHARES, .n = {57, 57}, .most = FEW_OF_EACH,
     .counted = true},
    {"segmented-length-counted", WORDS(.by = CLPRIMS_SEGMENTS_EQUAL), SHARES, .n = {57, 19, 3},
     .most = FEW_OF_EACH, .counted = true},
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
    {"segmented scan", SEGMENTED(.kind = CLPRIMS_SEGMENTED_INCLUSIVE, .by = CLPRIMS_SEGMENTS_FLAGS,
                                 .type = CLPRIMS_F32)},
};

#define FLOATS(...) SEGMENTED(.type = CLPRIMS_F32, __VA_ARGS__)
#define GREATEST                                                                                   \
    SEGMENTED(.type = CLPRIMS_I16, .accumulator = CLPRIMS_I32, .op = CLPRIMS_MAX,                  \
              .heads_type = CLPRIMS_I32)
#define UNIQUE FLOATS(.by = CLPRIMS_SEGMENTS_KEYS, .heads_type = CLPRIMS_U32, .unique_keys = 1)
#define SCAN_OF(type_, result_, ...)                                                               \
    SEGMENTED(.type = type_, .kind = CLPRIMS_SEGMENTED_##result_, __VA_ARGS__)
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
    {"results", "offsets", .desc = WORDS(.result = "r ^ i", .result_type = CLPRIMS_U64),
     "TEAM=4 BLOCK=64"},
    {"results", "keys", .desc = WORDS(BY_KEYS, .result = "r ^ i", .result_type = CLPRIMS_U64)},
    {"results", "flags",
     .desc = SCAN_OF(CLPRIMS_U32, INCLUSIVE, .by = CLPRIMS_SEGMENTS_FLAGS, .result = DRAWN_OF_X,
                     .result_type = CLPRIMS_U64)},
    {"floats", "rows", .desc = FLOATS(.by = CLPRIMS_SEGMENTS_EQUAL), "TEAM=0"},
    {"floats", "rows-by-teams", .desc = FLOATS(.by = CLPRIMS_SEGMENTS_EQUAL), "TEAM=4 BLOCK=64"},
    {"scan-of-words", "rows",
     .desc = SCAN_OF(CLPRIMS_I32, EXCLUSIVE, .by = CLPRIMS_SEGMENTS_EQUAL)},
    {"structs", "offsets",
     .desc = SUBJECT_DESC(segmented, .type = CLPRIMS_STRUCT, .op = CLPRIMS_CUSTOM,
                          .kind = CLPRIMS_SEGMENTED_INCLUSIVE, SUBJECT_AFFINE(0))},
};

const subject subject_segmented = {
    SUBJECT(segmented),
    .is_bounded = is_bounded,
    SUBJECT_COMBINES(segmented),
    SUBJECT_MEMBER(segmented, result_type),
    .set_parameter = set_parameter,
    .traits = {.tells_numbers = true, .has_optional_numbers = true},
    .max = {SUBJECT_MAX(segmented, max_n), SUBJECT_MAX(segmented, max_segments)},
    .plain = SEGMENTED(.type = CLPRIMS_I32),
    SUBJECT_GROUPS(segmented),
    .info.launches = offsetof(clprims_segmented_info, launches),
    .knobs = {.key = "segmented", .call = "segmented-offsets"},
    .check = check,
    .limit = subject_limit_segments,
    .numbers = numbers,
    SUBJECT_LAUNCHED_PLANS,
    .plans.limits = SUBJECT_TABLE(limits),
};
