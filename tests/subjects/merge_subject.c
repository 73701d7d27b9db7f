/* SPDX-License-Identifier: MIT */
/* Merge: by pieces and by tiles. */
#include "fixtures/merge_cases.h"

enum { A, B, OUT, PAYLOAD_A, PAYLOAD_B, PAYLOAD_OUT, N, N_B, REPORT };
enum { FEW_A = 100, FEW_B = 60, HALF = 50000 };

SUBJECT_PLAN(merge)
SUBJECT_DESCRIBE(merge, n[0], (clprims_merge_sizes){n[1]})
SUBJECT_PARAMETERS(merge)
SUBJECT_CHECK(merge)

SUBJECT_ENQUEUE(merge, .a = s->at[A], .b = s->at[B], .out = s->at[OUT],
                .payload_a = s->at[PAYLOAD_A], .payload_b = s->at[PAYLOAD_B],
                .payload_out = s->at[PAYLOAD_OUT], .n = s->at[N], .n_b = s->at[N_B],
                .report = s->at[REPORT], .sizes = {subject_room(d, 1)})

SUBJECT_RUN(merge, .a = at[A], .b = at[B], .out = at[OUT], .payload_a = at[PAYLOAD_A],
            .payload_b = at[PAYLOAD_B], .payload_out = at[PAYLOAD_OUT], .sizes = {d->n[1]})

static void numbers(subject_data *d, size_t n) {
    d->n[0] = test_random_below(n + 1);
    d->n[1] = n - d->n[0];
}

/* Elements that ascend, unless a case says more. */
static void draw(subject_data *d) {
    const clprims_merge_desc *desc = d->desc;
    const clprims_merge_report report = {CLPRIMS_MERGE_VALID, (int64_t)d->n[0], (int64_t)d->n[1]};
    const merge_case *how = d->how;
    const merge_order order = how != NULL ? how->order : merge_order_of(desc->type);
    const size_t n_a = d->n[0], n_b = d->n[1], n = n_a + n_b, bytes = order.bytes;
    const size_t room_a = subject_room(d, 0), room_b = subject_room(d, 1);
    const size_t moved = desc->payload_bytes;
    char *a = subject_in(d, A, "a", n_a, room_a, bytes);
    char *b = subject_in(d, B, "b", n_b, room_b, bytes);
    char *out = subject_out(d, OUT, "out", n, room_a + room_b, bytes);
    char *payload_a = NULL, *payload_b = NULL, *payload_out = NULL;
    if (how != NULL) {
        merge_fill(&order, how->data, a, n_a, b, n_b);
    } else {
        subject_ascend(a, bytes, n_a, 3);
        subject_ascend(b, bytes, n_b, 3);
    }
    if (moved > 0) {
        payload_a = subject_in(d, PAYLOAD_A, "payload_a", n_a, room_a, moved);
        payload_b = subject_in(d, PAYLOAD_B, "payload_b", n_b, room_b, moved);
        payload_out = subject_out(d, PAYLOAD_OUT, "payload_out", n, room_a + room_b, moved);
        test_random_bytes(payload_a, n_a * moved);
        test_random_bytes(payload_b, n_b * moved);
    }
    for (size_t to = 0, i = 0, k = 0; to < n; to++) {
        const bool is_b = i == n_a || (k < n_b && order.less(b + k * bytes, a + i * bytes));
        const size_t from = is_b ? k++ : i++;
        memcpy(out + to * bytes, (is_b ? b : a) + from * bytes, bytes);
        if (moved == 0) continue;
        memcpy(payload_out + to * moved, (is_b ? payload_b : payload_a) + from * moved, moved);
    }
    /* Where the arrays are not sorted, only what is written is known. */
    d->at[OUT].is_judged = d->at[PAYLOAD_OUT].is_judged =
        how != NULL && how->data == MERGE_UNSORTED;
    subject_number(d, N, "n", 0);
    subject_number(d, N_B, "n_b", 1);
    if (d->counted) subject_report(d, REPORT, &report, sizeof report);
}

#define MERGE(...) SUBJECT_CUSTOM_DESC(merge, __VA_ARGS__)
#define PAIRS MERGE(.type = CLPRIMS_U16, .payload_bytes = 8)
#define TILES "GROUP=8 ITEMS=3"
#define FEW                                                                                        \
    { FEW_A, FEW_B }

static const subject_call calls[] = {
    {"merge-pieces", PAIRS, "GROUP=1", .n = FEW},
    {"merge-tiles", PAIRS, TILES, .n = FEW},
    {"merge-counted", MERGE(.type = CLPRIMS_U16), TILES, .n = {57, 57}, .most = FEW,
     .counted = true},
};

static const subject_sample samples[] = {
    {"merge", MERGE(.type = CLPRIMS_U32, .payload_bytes = 4), 12345678, 33554433},
    {"merge/signed", MERGE(.type = CLPRIMS_I32, .payload_bytes = 4), 0, 0},
};

static const subject_fault faults[] = {
    {"merge", "", MERGE(.type = CLPRIMS_I32, .payload_bytes = 4), .n = {HALF, HALF},
     .order = SUBJECT_BOTH_ORDERS},
};

static const subject_launch launched[] = {
    {"merge/chosen", .desc = MERGE(.type = CLPRIMS_U32)},
    {"merge/tiles", .desc = MERGE(.type = CLPRIMS_U32), TILES},
};

static const subject_way ways[] = {
    {"chosen", NULL, 0}, {"serial", "GROUP=1", 0}, {"tiles", "GROUP=64 ITEMS=7", 0}};

static const subject_kind kinds[] = {
    {"words", NULL, .desc = MERGE(.type = CLPRIMS_U32)},
    {"structs", NULL,
     .desc = SUBJECT_DESC(merge, .type = CLPRIMS_STRUCT,
                          .less = "a.scale * factor < b.scale * table[0]",
                          .parameters = "global const uint *table, uint factor",
                          .payload_bytes = 12, SUBJECT_AFFINE_BY(NULL, 0))},
};

const subject subject_merge = {
    SUBJECT(merge),
    SUBJECT_MEMBER(merge, type),
    .set_parameter = set_parameter,
    .traits = {.tells_numbers = true, .has_optional_numbers = true},
    .max = {SUBJECT_MAX(merge, max_n), SUBJECT_MAX(merge, max_n_b)},
    .plain = MERGE(.type = CLPRIMS_I32),
    SUBJECT_GROUPS(merge),
    .knobs = {.key = "merge", .call = "merge-tiles"},
    .check = check,
    .numbers = numbers,
    SUBJECT_LAUNCHED_PLANS,
    .plans.ways = SUBJECT_TABLE(ways),
};
