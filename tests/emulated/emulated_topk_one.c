/* SPDX-License-Identifier: MIT */
/*
 * emulated_topk_one TRIALS: top-k of one array, one program of it (PROGRAM), on the machine of
 * machine.h, beside a sort of plain C: elements that one work-group takes alone, that are all of
 * the sample, or that a sample guesses from; equal keys, keys in order; little room for candidates,
 * so that all elements are read again; cells in the launch or in one of their own, and cells that
 * come late.
 */
#include "device_emulated.h"

enum { MOST = 20000, FIRST = 3, K_MOST = CLP_SORTED, GUARD = 0x77 };

#define TRIAL "n %u, k %u, room %u, alone %u", t.n, t.k, t.room, t.alone

static struct trial {
    uint number, n, k, room, alone, groups;
    bool is_counted, is_apart;
} t;

static CLP_K in[MOST + FIRST];
static clp_topk_element elements[MOST + FIRST], values[K_MOST + FIRST + 1];
static CLP_INDEX indices[K_MOST + FIRST + 1];
static CLP_WORD candidates[MOST];
static CLP_COUNT none[1];
static ulong counted[1], state[3];
static ulong cells[CLP_CELLS];
static uint found[2], order[MOST];
static clp_report report;

/* Keys of few values, at random, all alike, or in order. */
static void draw_keys(void) {
    const uint how = random_below(4), several = 1 + random_below(2 * K_MOST);
    for (uint i = 0; i < t.n; i++) {
        CLP_K *key = &in[FIRST + i];
        *key = how == 0   ? random_below(several)
               : how == 1 ? random_below(~0u >> 1)
               : how == 2 ? several
                          : (t.number % 2 == 0 ? i : MOST - i);
        if (CLP_ORDER == 2 && how < 2 && random_below(2) == 0) *key ^= CLP_TOP_BIT;
        if (CLP_K_BYTES == 8 && how == 1) *key = *key << 29 ^ random_below(~0u >> 1);
    }
}

void draw(uint number) {
    t = (struct trial){.number = number};
    t.n = random_below(4) == 0 ? random_below(2 * K_MOST) : 1 + random_below(MOST - 1);
    if (random_below(4) == 0) t.n = CLP_CELLS - 1 + random_below(3);
    t.k = 1 + random_below(K_MOST);
    if (random_below(4) == 0) t.k = random_below(2) == 0 ? 1 : K_MOST;
    t.alone = K_MOST + random_below(random_below(2) == 0 ? 1000 : MOST);
    t.room = K_MOST + random_below(random_below(2) == 0 ? 100 : MOST - K_MOST);
    t.groups = 1 + random_below(3);
    t.is_counted = random_below(2) == 0;
    t.is_apart = random_below(2) == 0;
    draw_keys();
    for (uint i = 0; i < sizeof elements; i++) ((uchar *)elements)[i] = (uchar)random_below(256);
    memset(values, GUARD, sizeof values);
    memset(indices, GUARD, sizeof indices);
    memset(cells, 0, sizeof cells);
    memset(found, 0, sizeof found);
    counted[0] = t.n;
}

static uint steps;

static void body(void) {
    clp_topk_find(in, FIRST, elements, FIRST, values, FIRST, indices, FIRST, state, found, cells,
                  candidates, none, t.room, t.alone, steps, t.k, t.is_counted ? MOST : t.n,
                  t.is_counted ? counted : 0, 0, &report, 0);
}

void run(void) {
    steps = CLP_STEP_CELLS;
    if (t.is_apart) launch(t.groups, CLP_GROUP, body);
    steps = t.is_apart ? CLP_STEP_REST : CLP_STEP_CELLS | CLP_STEP_REST;
    launch(t.groups, CLP_GROUP, body);
}

static int compare(const void *one, const void *other) {
    const uint a = *(const uint *)one, b = *(const uint *)other;
    return clp_precedes(clp_ordered(in[FIRST + a]), a, clp_ordered(in[FIRST + b]), b) ? -1 : 1;
}

bool is_right(void) {
    const uint count = min(t.k, t.n);
    for (uint i = 0; i < t.n; i++) order[i] = i;
    qsort(order, t.n, sizeof order[0], compare);
    for (uint j = 0; j < count; j++) {
        CHECK(indices[FIRST + j] == order[j]);
        CHECK(memcmp(&values[FIRST + j], &elements[FIRST + order[j]], sizeof values[0]) == 0);
    }
    CHECK(((const uchar *)&indices[FIRST + count])[0] == GUARD);
    CHECK(((const uchar *)&values[FIRST + count])[0] == GUARD);
    CHECK(found[CLP_CANDIDATES] == 0 && found[CLP_DONE] == 0);
    for (uint c = 0; c < CLP_CELLS; c++) CHECK(cells[c] == CLP_NO_CELL);
    CHECK(!t.is_counted || (report.fault == 0 && report.count == (long)t.n));
    return true;
}
