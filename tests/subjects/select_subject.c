/* SPDX-License-Identifier: MIT */
/* Select: by each way to decide, runs and partitions. */
#include "fixtures/select_cases.h"
#include "subjects/draws/drawn_result.h"

enum {
    IN = SELECT_IN,
    OUT = SELECT_OUT,
    FLAGS = SELECT_FLAGS,
    INDICES = SELECT_INDICES,
    LENGTHS = SELECT_LENGTHS,
    COUNT = SELECT_COUNT,
    N = SELECT_N
};
enum { FEW = 100, FAULTS_N = 100000, ARRAYS = CLPRIMS_SELECT_ARRAYS };

SUBJECT_PLAN(select)
SUBJECT_DESCRIBE(select, n[0])
SUBJECT_PARAMETERS(select)
SUBJECT_CHECK(select)

static clprims_status enqueue(void *plan, const subject_data *d, const subject_submission *s) {
    clprims_select_buffers buffers = {.flags = s->at[FLAGS],
                                      .indices = s->at[INDICES],
                                      .lengths = s->at[LENGTHS],
                                      .count = s->at[COUNT],
                                      .n = s->at[N],
                                      .sizes = {d->n[1]}};
    memcpy(buffers.in, &s->at[IN], sizeof buffers.in);
    memcpy(buffers.out, &s->at[OUT], sizeof buffers.out);
    return clprims_select_enqueue(plan, s->queue, SUBJECT_GIVEN(d, &buffers), subject_room(d, 0),
                                  SUBJECT_WAITS(s));
}

static clprims_status run(void *plan, const subject_data *d, void *const *at) {
    size_t count = SIZE_MAX;
    clprims_select_arrays arrays = {.flags = at[FLAGS],
                                    .indices = at[INDICES],
                                    .lengths = at[LENGTHS],
                                    .count = &count,
                                    .sizes = {d->n[1]}};
    memcpy(arrays.in, &at[IN], sizeof arrays.in);
    memcpy(arrays.out, &at[OUT], sizeof arrays.out);
    const clprims_status status = clprims_select_run(plan, SUBJECT_GIVEN(d, &arrays), d->n[0]);
    if (status == CLPRIMS_OK || status == CLPRIMS_ERR_TOO_LARGE) *(uint64_t *)at[COUNT] = count;
    return status;
}

static void numbers(subject_data *d, size_t n) {
    (void)n;
    d->n[1] = SUBJECT_DRAWN;
}

/* ---- Data ---- */

static bool is_kept(select_pattern pattern, size_t i, size_t n) {
    switch (pattern) {
    case KEEP_ALL:
        return true;
    case KEEP_FIRST:
        return i == 0;
    case KEEP_LAST:
        return i == n - 1;
    case KEEP_TILE_ENDS:
        return i % 16 == 15;
    case KEEP_ALTERNATING:
        return i % 2 == 0;
    case KEEP_RUNS: {
        size_t run = 1;
        while (2 * run - 1 <= i) run *= 2;
        return (run & 0x55555555) != 0;
    }
    case KEEP_RARELY:
        return test_random_below(100) == 0;
    case KEEP_HALF:
        return test_random_below(2) == 0;
    case KEEP_MOST:
        return test_random_below(100) != 0;
    case KEEP_BUT_FIRST:
        return i >= 40;
    default:
        return false;
    }
}

/* As the operand says, where there is one. */
static void choose_by_operand(const subject_data *d, bool *keeps) {
    uint64_t kept;
    for (size_t i = 0; i < d->n[0]; i++) {
        d->operand->twin.load(d->at[IN].values, i, &kept);
        keeps[i] = kept != 0;
    }
}

/* As the case has it; else of few elements the half. The first one begins a run in any case. */
static void choose(const subject_data *d, bool *keeps) {
    static const select_pattern drawn[] = {KEEP_RUNS, KEEP_RARELY, KEEP_HALF, KEEP_MOST};
    const select_case *c = d->user;
    const size_t n = d->n[0];
    const select_pattern pattern = c != NULL ? c->pattern
                                   : n < 300 ? KEEP_HALF
                                             : drawn[test_random_below(4)];
    for (size_t i = 0; i < n; i++) keeps[i] = is_kept(pattern, i, n);
    if (n > 0 && ((const clprims_select_desc *)d->desc)->by == CLPRIMS_SELECT_RUNS) keeps[0] = true;
}

/* Bytes are random, but floats are no NaN, which is not equal to itself. */
static void draw_arrays(subject_data *d, size_t n, size_t room) {
    static const char *const names[ARRAYS] = {"in[0]", "in[1]", "in[2]", "in[3]"};
    const clprims_select_desc *desc = d->desc;
    for (size_t k = 0; k < desc->arrays; k++) {
        const bool is_struct = desc->type[k] == CLPRIMS_STRUCT;
        const size_t bytes =
            is_struct ? desc->custom.type_bytes : clprims_type_bytes(desc->type[k]);
        const size_t word = !is_struct ? bytes : bytes % 4 == 0 ? 4 : 1;
        unsigned char *in = subject_in(d, IN + k, names[k], n, room, bytes);
        if (k > 0 || !subject_fill_as_told(d, in, n)) subject_fill(in, word, n * bytes / word, 0);
        if (is_struct || desc->type[k] < CLPRIMS_F32) continue;
        for (size_t i = 1; i <= n; i++) in[i * bytes - 1] &= 63;
    }
}

/* Makes element i of the array that decides one that is kept or not: the predicate asks for the
 * lowest bit of the first byte; runs repeat the element before. */
static void decide_by_element(const subject_data *d, size_t i, bool keeps) {
    const size_t bytes = d->at[IN].bytes;
    unsigned char *x = (unsigned char *)d->at[IN].values + i * bytes;
    switch (((const clprims_select_desc *)d->desc)->by) {
    case CLPRIMS_SELECT_PREDICATE:
        x[0] = (unsigned char)((x[0] & ~1) | keeps);
        break;
    case CLPRIMS_SELECT_NONZERO:
        memset(x, 0, bytes);
        if (keeps) x[test_random_below(bytes)] = (unsigned char)(1 + test_random_below(126));
        break;
    default:
        if (i > 0) memcpy(x, x - bytes, bytes);
        if (i > 0 && keeps) x[0] ^= 1;
        break;
    }
}

static void draw_flags(subject_data *d, const bool *keeps, size_t n, size_t room) {
    const bool bits = ((const clprims_select_desc *)d->desc)->by == CLPRIMS_SELECT_BITS;
    const size_t first = d->first_bit, own = bits ? (first + n + 7) / 8 : n;
    unsigned char *flags =
        subject_in(d, FLAGS, "flags", own, bits ? (first + room + 7) / 8 : room, 1);
    subject_fill(flags, 1, own, 0);
    for (size_t i = 0; i < n; i++) {
        unsigned char *byte = &flags[bits ? (first + i) / 8 : i];
        const unsigned mask = 1u << (first + i) % 8;
        if (bits) *byte = (unsigned char)(keeps[i] ? *byte | mask : *byte & ~mask);
        if (!bits) *byte = (unsigned char)(keeps[i] ? 1 + test_random_below(255) : 0);
    }
    d->at[FLAGS].has_bits = bits;
    if (bits) d->at[FLAGS].first_bit = first;
}

/* Puts element i, and what belongs to it, in place `at`. */
static void put(subject_data *d, size_t i, size_t at) {
    const clprims_select_desc *desc = d->desc;
    for (size_t k = 0; k < desc->arrays && !desc->no_values; k++) {
        const size_t bytes = d->at[IN + k].bytes;
        if (at >= d->at[OUT + k].written) continue;
        if (desc->result != NULL) {
            const void *x = (const char *)d->at[IN].values + i * bytes;
            const drawn_result one = {
                .type = desc->type[0], .r = x, .x_type = desc->type[0], .x = x, .i = i};
            drawn_result_store(desc->result, desc->result_type, &one,
                               (char *)d->at[OUT].expected + at * d->at[OUT].bytes);
            continue;
        }
        memcpy((char *)d->at[OUT + k].expected + at * bytes,
               (const char *)d->at[IN + k].values + i * bytes, bytes);
    }
}

static void draw_outputs(subject_data *d, const bool *keeps, size_t n, size_t kept) {
    static const char *const names[ARRAYS] = {"out[0]", "out[1]", "out[2]", "out[3]"};
    const clprims_select_desc *desc = d->desc;
    const size_t fits = kept < d->n[1] ? kept : d->n[1];
    for (size_t k = 0; k < desc->arrays && !desc->no_values; k++) {
        const size_t bytes =
            desc->result != NULL ? clprims_type_bytes(desc->result_type) : d->at[IN + k].bytes;
        subject_out(d, OUT + k, names[k], desc->partition ? n : fits, d->n[1], bytes);
        const bool is_in_place = !desc->partition && desc->result == NULL &&
                                 desc->algorithm != CLPRIMS_ALGORITHM_AUTO &&
                                 pass_is_in_place(desc->algorithm);
        if (is_in_place) subject_may_overlap(d, IN + k, OUT + k, SUBJECT_SAME_PLACE);
    }
    const size_t index_bytes = clprims_type_bytes(desc->indices);
    const size_t length_bytes = clprims_type_bytes(desc->lengths);
    if (index_bytes > 0) subject_out(d, INDICES, "indices", fits, d->n[1], index_bytes);
    if (length_bytes > 0) subject_out(d, LENGTHS, "lengths", fits, d->n[1], length_bytes);
    for (size_t i = 0, at = 0, rest = kept, length = 1; i < n; i++, length++) {
        const bool ends = i + 1 == n || keeps[i + 1];
        if (keeps[i]) {
            length = 1;
            put(d, i, at++);
            if (index_bytes > 0 && at <= fits) {
                test_store_integer(index_bytes, d->at[INDICES].expected, at - 1, i);
            }
        } else if (desc->partition) {
            put(d, i, rest++);
        }
        if (length_bytes > 0 && ends && at > 0 && at <= fits) {
            test_store_integer(length_bytes, d->at[LENGTHS].expected, at - 1, length);
        }
    }
}

/* Room for the results: in every third run that says nothing of it some elements have none; they
 * are counted and not written. */
static size_t draw_room(const subject_data *d, size_t kept) {
    const clprims_select_desc *desc = d->desc;
    const select_case *c = d->user;
    if (c == NULL && desc->partition) return subject_room(d, 0);
    if (c == NULL) return test_random_below(3) == 0 ? test_random_below(kept + 1) : kept;
    if (desc->partition) return c->n + c->spare;
    if (c->lacking > 0) return kept > c->lacking ? kept - c->lacking : 0;
    return (c->tight ? kept : c->n) + c->spare;
}

static void draw(subject_data *d) {
    const clprims_select_desc *desc = d->desc;
    const size_t n = d->n[0], room = subject_room(d, 0);
    bool *keeps = test_alloc(n, sizeof *keeps);
    uint64_t kept = 0;
    draw_arrays(d, n, room);
    if (d->operand != NULL) choose_by_operand(d, keeps);
    if (d->operand == NULL) choose(d, keeps);
    if (desc->by <= CLPRIMS_SELECT_BITS) draw_flags(d, keeps, n, room);
    for (size_t i = 0; i < n; i++) {
        if (desc->by > CLPRIMS_SELECT_BITS && d->operand == NULL) decide_by_element(d, i, keeps[i]);
        kept += keeps[i];
    }
    if (d->n[1] == SUBJECT_DRAWN) d->n[1] = draw_room(d, kept);
    if (d->n[1] == 0) d->n[1] = room > 0; /* 0 stands for all */
    draw_outputs(d, keeps, n, kept);
    const bool has_values = desc->arrays > 0 && !desc->no_values;
    const bool only_counts = !has_values && !desc->indices && !desc->lengths;
    if (kept > d->n[1] && !only_counts) d->status = CLPRIMS_ERR_TOO_LARGE;
    subject_report(d, COUNT, &kept, sizeof kept);
    d->at[COUNT].name = "count";
    d->at[COUNT].is_count = true;
    subject_number(d, N, "n", 0);
    free(keeps);
}

/* ---- Plans ---- */

#define TILES "GROUP=1 ROWS=2"
#define SELECT(...) SUBJECT_CUSTOM_DESC(select, .arrays = 1, __VA_ARGS__)
#define ONE_PASS(...) SELECT(.algorithm = CLPRIMS_ALGORITHM_LOOKBACK, __VA_ARGS__)
#define BY_FLAGS                                                                                   \
    SUBJECT_CUSTOM_DESC(select, .arrays = 2, .type = {CLPRIMS_U8, CLPRIMS_U64},                    \
                        .indices = CLPRIMS_I32, .algorithm = CLPRIMS_ALGORITHM_LOOKBACK)
#define WORDS .type = {CLPRIMS_U32}

static const subject_call calls[] = {
    {"select-flags", BY_FLAGS, TILES, .n = {FEW, FEW}},
    {"select-of-none", BY_FLAGS, TILES, .n = {0, 0}, .most = {FEW}},
    {"select-without-room", BY_FLAGS, TILES, .n = {FEW, 1}, .most = {FEW}},
    {"select-bits", ONE_PASS(.by = CLPRIMS_SELECT_BITS, WORDS), TILES, .n = {FEW, FEW}},
    {"select-runs",
     ONE_PASS(.by = CLPRIMS_SELECT_RUNS, WORDS, .indices = CLPRIMS_U64, .lengths = CLPRIMS_I32),
     TILES, .n = {FEW, FEW}},
    {"select-result", ONE_PASS(WORDS, .result = "r % 5 == i % 5", .result_type = CLPRIMS_U8), TILES,
     .n = {FEW, FEW}},
    {"select-no-values",
     ONE_PASS(.by = CLPRIMS_SELECT_NONZERO, WORDS, .no_values = 1, .indices = CLPRIMS_U32), TILES,
     .n = {FEW, FEW}},
    {"select-fallback",
     SELECT(.by = CLPRIMS_SELECT_NONZERO, WORDS, .algorithm = CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK),
     TILES, .n = {FEW, FEW}},
    {"select-partition", ONE_PASS(WORDS, .partition = 1), TILES, .n = {FEW, FEW}},
    {"select-counted", ONE_PASS(WORDS), TILES, .n = {57, FEW}, .most = {FEW}, .counted = true},
    {"select-partition-counted", ONE_PASS(WORDS, .partition = 1), TILES, .n = {57, FEW},
     .most = {FEW}, .counted = true},
};

#define ODD .by = CLPRIMS_SELECT_PREDICATE, .predicate = "x % 2 != 0"

static const subject_sample samples[] = {
    {"select", SELECT(ODD, WORDS, .indices = CLPRIMS_I64), 12345678, 33554433},
    {"select/runs",
     SELECT(.by = CLPRIMS_SELECT_RUNS, .type = {CLPRIMS_I32}, .lengths = CLPRIMS_I64), 0, 0},
    {"select/partition", SELECT(ODD, .type = {CLPRIMS_I32}, .partition = 1), 0, 0},
};

static const subject_fault faults[] = {
    {"select", "", SELECT(WORDS), .n = {FAULTS_N, FAULTS_N}, .order = SUBJECT_OUT_OF_ORDER},
    {"partition", "", SELECT(WORDS, .partition = 1), .n = {FAULTS_N, FAULTS_N},
     .order = SUBJECT_OUT_OF_ORDER},
};

static const subject_launch launched[] = {
    {"passes/auto", .desc = SELECT(WORDS, .partition = 1)},
    {"passes/levels",
     .desc = SELECT(WORDS, .partition = 1, .algorithm = CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN),
     "ROWS=4"},
};

static const subject_limit limits[] = {
    {"partition", SELECT(.by = CLPRIMS_SELECT_NONZERO, .type = {CLPRIMS_I32}, .partition = 1)},
    {"runs by levels",
     SELECT(.by = CLPRIMS_SELECT_RUNS, .type = {CLPRIMS_I32}, .lengths = CLPRIMS_I32,
            .algorithm = CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN)},
};

SUBJECT_SET_WAY(select, algorithm)

#define TWO(...)                                                                                   \
    SUBJECT_CUSTOM_DESC(select, .arrays = 2, .type = {CLPRIMS_U32, CLPRIMS_I16},                   \
                        .indices = CLPRIMS_I64, __VA_ARGS__)
#define LIMITED                                                                                    \
    .by = CLPRIMS_SELECT_PREDICATE, .predicate = "x > limit && i % 2 == 0",                        \
    .parameters = "float limit"
static const subject_kind kinds[] = {
    {"flags", NULL, .desc = TWO(.by = CLPRIMS_SELECT_FLAGS)},
    {"partition", NULL,
     .desc = SUBJECT_CUSTOM_DESC(select, .arrays = 2, .type = {CLPRIMS_U32, CLPRIMS_I16},
                                 .by = CLPRIMS_SELECT_FLAGS, .partition = 1)},
    {"predicate", NULL, .desc = TWO(LIMITED)},
    {"predicate-alone", NULL, .desc = SELECT(WORDS, LIMITED)},
    {"results", NULL,
     .desc = SELECT(WORDS, LIMITED, .result = DRAWN_OF_X, .result_type = CLPRIMS_U64)},
    {"results-by-flags", NULL,
     .desc = SELECT(WORDS, .result = "r ^ i", .result_type = CLPRIMS_U64)},
    {"bits", NULL, .desc = SELECT(WORDS, .by = CLPRIMS_SELECT_BITS, .partition = 1)},
    {"runs", NULL,
     .desc = SELECT(.type = {CLPRIMS_F64}, .by = CLPRIMS_SELECT_RUNS, .lengths = CLPRIMS_U32)},
    {"bytes", NULL,
     .desc = SELECT(.type = {CLPRIMS_U8}, .by = CLPRIMS_SELECT_PREDICATE, .predicate = "x < 100")},
};

const subject subject_select = {
    SUBJECT(select),
    .set_parameter = set_parameter,
    .max = {SUBJECT_MAX(select, max_n)},
    .plain = SELECT(.type = {CLPRIMS_I32}),
    SUBJECT_GROUP(select),
    .check = check,
    .numbers = numbers,
    SUBJECT_LAUNCHED_PLANS,
    .plans.limits = SUBJECT_TABLE(limits),
    .plans.ways = subject_pass_ways,
    .plans.way_count = SUBJECT_PASS_WAYS,
    .plans.set_way = set_way,
};
