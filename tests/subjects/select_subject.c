/* SPDX-License-Identifier: MIT */
/* Select: by each way to decide, runs and partitions. */
#include "subjects/subjects.h"

#include <stdlib.h>
#include <string.h>

enum { IN, OUT = IN + 2, FLAGS = OUT + 2, INDICES, LENGTHS, COUNT, N };
enum { FEW = 100, FAULTS_N = 100000, ARRAYS = 2 };

SUBJECT_PLAN(select)
SUBJECT_DESCRIBE(select, n[0])
SUBJECT_PARAMETERS(select)

/* The count of a run that was refused is none. */
static clprims_status check(const void *count) {
    return *(const uint64_t *)count == CLPRIMS_SELECT_REFUSED ? CLPRIMS_ERR_DATA : CLPRIMS_OK;
}

static clprims_status enqueue(void *plan, const subject_data *d, const subject_submission *s) {
    const clprims_buffer *at = s->at;
    const clprims_select_buffers buffers = {.struct_size = sizeof buffers,
                                            .in = {at[IN], at[IN + 1]},
                                            .out = {at[OUT], at[OUT + 1]},
                                            .flags = at[FLAGS],
                                            .indices = at[INDICES],
                                            .lengths = at[LENGTHS],
                                            .count = at[COUNT]};
    if (d->counted) {
        return clprims_select_enqueue_counted(plan, s->queue, &buffers, at[N], d->n[1],
                                              SUBJECT_WAITS(s));
    }
    return clprims_select_enqueue(plan, s->queue, &buffers, d->n[0], d->n[1], SUBJECT_WAITS(s));
}

static clprims_status run(void *plan, const subject_data *d, void *const *at) {
    const clprims_select_arrays arrays = {.struct_size = sizeof arrays,
                                          .in = {at[IN], at[IN + 1]},
                                          .out = {at[OUT], at[OUT + 1]},
                                          .flags = at[FLAGS],
                                          .indices = at[INDICES],
                                          .lengths = at[LENGTHS]};
    size_t count = SIZE_MAX;
    const clprims_status status = clprims_select_run(plan, &arrays, d->n[0], d->n[1], &count);
    if (status == CLPRIMS_OK || status == CLPRIMS_ERR_TOO_LARGE) *(uint64_t *)at[COUNT] = count;
    return status;
}

static void numbers(subject_data *d, size_t n) {
    (void)n;
    d->n[1] = SUBJECT_DRAWN;
}

/* ---- Data ---- */

static void draw_inputs(subject_data *d, size_t n, size_t room) {
    static const char *const names[ARRAYS] = {"in[0]", "in[1]"};
    const clprims_select_desc *desc = d->desc;
    const uint64_t few = 2 + test_random_below(3);
    for (size_t k = 0; k < desc->arrays; k++) {
        const size_t bytes = clprims_type_bytes(desc->type[k]);
        void *in = subject_in(d, IN + k, names[k], n, room, bytes);
        subject_fill(in, bytes, n, desc->by >= CLPRIMS_SELECT_NONZERO ? few : 1000);
    }
    if (desc->by == CLPRIMS_SELECT_FLAGS) {
        subject_fill(subject_in(d, FLAGS, "flags", n, room, 1), 1, n, few);
    } else if (desc->by == CLPRIMS_SELECT_BITS) {
        subject_fill(subject_in(d, FLAGS, "flags", (n + 7) / 8, (room + 7) / 8, 1), 1, (n + 7) / 8,
                     0);
        d->at[FLAGS].has_bits = true;
    }
}

static const char multiples[] = "x % 3 == 0"; /* the other predicate asks for the lowest bit */

static bool is_kept(const subject_data *d, size_t i) {
    const clprims_select_desc *desc = d->desc;
    const unsigned char *flags = d->at[FLAGS].values;
    const size_t bytes = d->at[IN].bytes;
    const uint64_t x = subject_load(bytes, d->at[IN].values, i);
    switch (desc->by) {
    case CLPRIMS_SELECT_FLAGS:
        return flags[i] != 0;
    case CLPRIMS_SELECT_BITS:
        return (flags[i / 8] >> i % 8 & 1) != 0;
    case CLPRIMS_SELECT_PREDICATE:
        return strcmp(desc->predicate, multiples) == 0 ? x % 3 == 0 : x % 2 == 1;
    case CLPRIMS_SELECT_RUNS:
        return i == 0 || x != subject_load(bytes, d->at[IN].values, i - 1);
    default:
        return x != 0;
    }
}

/* Puts element i, and what belongs to it, in place `at`. */
static void put(subject_data *d, size_t i, size_t at) {
    const clprims_select_desc *desc = d->desc;
    for (size_t k = 0; k < desc->arrays && !desc->no_values; k++) {
        const size_t bytes = d->at[IN + k].bytes;
        if (at >= d->at[OUT + k].written) continue;
        test_store_integer(bytes, d->at[OUT + k].expected, at,
                           subject_load(bytes, d->at[IN + k].values, i));
    }
}

static void draw_outputs(subject_data *d, const bool *keeps, size_t n, size_t kept) {
    static const char *const names[ARRAYS] = {"out[0]", "out[1]"};
    const clprims_select_desc *desc = d->desc;
    const size_t fits = kept < d->n[1] ? kept : d->n[1];
    for (size_t k = 0; k < desc->arrays && !desc->no_values; k++) {
        subject_out(d, OUT + k, names[k], desc->partition ? n : fits, d->n[1], d->at[IN + k].bytes);
        const bool is_in_place = !desc->partition && desc->algorithm == CLPRIMS_ALGORITHM_LOOKBACK;
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

static void draw(subject_data *d) {
    const clprims_select_desc *desc = d->desc;
    const size_t n = d->n[0];
    bool *keeps = test_alloc(n, sizeof *keeps);
    uint64_t kept = 0;
    draw_inputs(d, n, subject_room(d, 0));
    for (size_t i = 0; i < n; i++) kept += keeps[i] = is_kept(d, i);
    if (d->n[1] == SUBJECT_DRAWN) {
        /* In every third run some elements have no room: they are counted and not written. */
        d->n[1] = desc->partition             ? subject_room(d, 0)
                  : test_random_below(3) == 0 ? test_random_below(kept + 1)
                                              : kept;
    }
    draw_outputs(d, keeps, n, kept);
    if (kept > d->n[1]) d->status = CLPRIMS_ERR_TOO_LARGE;
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
    {"select-without-room", BY_FLAGS, TILES, .n = {FEW, 0}, .most = {FEW}},
    {"select-bits", ONE_PASS(.by = CLPRIMS_SELECT_BITS, WORDS), TILES, .n = {FEW, FEW}},
    {"select-runs",
     ONE_PASS(.by = CLPRIMS_SELECT_RUNS, WORDS, .indices = CLPRIMS_U64, .lengths = CLPRIMS_I32),
     TILES, .n = {FEW, FEW}},
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

#define MULTIPLES .by = CLPRIMS_SELECT_PREDICATE, .predicate = multiples

static const subject_sample samples[] = {
    {"select", SELECT(MULTIPLES, WORDS, .indices = CLPRIMS_I64), 12345678, 33554433},
    {"select/runs",
     SELECT(.by = CLPRIMS_SELECT_RUNS, .type = {CLPRIMS_I32}, .lengths = CLPRIMS_I64), 0, 0},
    {"select/partition", SELECT(MULTIPLES, .type = {CLPRIMS_I32}, .partition = 1), 0, 0},
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
    {"predicate", NULL, .desc = TWO(LIMITED)},
    {"predicate-alone", NULL, .desc = SELECT(WORDS, LIMITED)},
    {"bits", NULL, .desc = SELECT(WORDS, .by = CLPRIMS_SELECT_BITS, .partition = 1)},
    {"runs", NULL,
     .desc = SELECT(.type = {CLPRIMS_F64}, .by = CLPRIMS_SELECT_RUNS, .lengths = CLPRIMS_U32)},
    {"bytes", NULL,
     .desc = SELECT(.type = {CLPRIMS_U8}, .by = CLPRIMS_SELECT_PREDICATE, .predicate = "x < 100")},
};

const subject subject_select = {
    SUBJECT(select, max_n),
    .set_parameter = set_parameter,
    .max = {SUBJECT_MAX(select, max_n)},
    .plain = SELECT(.type = {CLPRIMS_I32}),
    SUBJECT_GROUP(select, algorithm),
    .check = check,
    .numbers = numbers,
    SUBJECT_PLANS,
    .plans.launched = SUBJECT_TABLE(launched),
    .plans.limits = SUBJECT_TABLE(limits),
    .plans.ways = subject_pass_ways,
    .plans.way_count = SUBJECT_PASS_WAYS,
    .plans.set_way = set_way,
};
