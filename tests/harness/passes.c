/* SPDX-License-Identifier: MIT */
/* The ways of a single pass: GROUP=64 is two sub-groups or more of most devices. */
#include "harness/passes.h"

static const pass_way all[] = {
    {CLPRIMS_ALGORITHM_LOOKBACK, "GROUP=1 ROWS=16", "lookback/one"},
    {CLPRIMS_ALGORITHM_LOOKBACK, "GROUP=64 ROWS=2", "lookback/many"},
    {CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK, "GROUP=1 ROWS=16 SPINS=2 DROP=3", "fallback/one"},
    {CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK, "GROUP=64 ROWS=2 SPINS=2 DROP=3", "fallback/many"},
    {CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN, "GROUP=1 ROWS=16", "levels/one"},
    {CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN, "GROUP=64 ROWS=2", "levels/many"},
    {CLPRIMS_ALGORITHM_LOOKAHEAD, "SCANNERS=1 REDUCERS=1 ROWS=1 STAGES=2 UNITS=1", "lookahead/one"},
    {CLPRIMS_ALGORITHM_LOOKAHEAD, "SCANNERS=3 REDUCERS=2 ROWS=2 STAGES=3 UNITS=3",
     "lookahead/many"},
    {CLPRIMS_ALGORITHM_LOOKAHEAD,
     "SCANNERS=3 REDUCERS=2 LOADERS=1 ROWS=1 STAGES=3 UNITS=3 CAPABILITY=70", "lookahead/fed-70"},
    {CLPRIMS_ALGORITHM_LOOKAHEAD,
     "SCANNERS=3 REDUCERS=2 LOADERS=2 ROWS=2 STAGES=2 UNITS=3 CAPABILITY=80", "lookahead/fed-80"}};

bool pass_can_go(const pass_way *way) {
    clprims_offsets *plan = NULL;
    if (!test_bears_group(way->tuning)) return true; /* its cases say why they are skipped */
    clprims_offsets_desc desc = {
        .type = CLPRIMS_I32, .max_n = 1, .algorithm = way->algorithm, .tuning = way->tuning};
    const clprims_status status = clprims_offsets_create(&plan, test_context(), &desc);
    clprims_offsets_destroy(plan);
    return status == CLPRIMS_OK;
}

/* A device that can't go one way of an algorithm can't go the next ones of the same. */
static size_t find_ways(pass_way *ways) {
    size_t count = 0;
    clprims_algorithm lacking = CLPRIMS_ALGORITHM_AUTO;
    for (size_t w = 0; w < sizeof all / sizeof all[0]; w++) {
        if (all[w].algorithm == lacking) continue;
        if (pass_can_go(&all[w])) {
            ways[count++] = all[w];
        } else {
            lacking = all[w].algorithm;
        }
    }
    return count;
}

const pass_way *pass_ways(size_t *count) {
    static pass_way ways[sizeof all / sizeof all[0]];
    static size_t known = 0;
    if (known == 0) known = find_ways(ways);
    *count = known;
    return ways;
}

bool pass_is_in_place(clprims_algorithm algorithm) {
    return algorithm != CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK &&
           algorithm != CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN;
}

size_t pass_small_n(const pass_way *way) {
    return strncmp(way->tuning, "GROUP=1 ", 8) == 0 ? 200 : 600;
}

/* ---- Turns ---- */

cl_command_queue pass_turn_queue(const pass_turn *turn) {
    return turn->queue != NULL ? turn->queue : test_queue();
}

cl_uint pass_turn_waits(const pass_turn *turn) {
    return turn->gate != NULL;
}

void pass_turn_end(pass_turn *turn) {
    if (turn->gate != NULL) {
        test_gate_open(turn->gate);
        turn->gate = NULL;
    }
    expect_cl(clFinish(pass_turn_queue(turn)));
}
