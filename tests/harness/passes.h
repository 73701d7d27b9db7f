/* SPDX-License-Identifier: MIT */
/* The algorithms and small shapes in which the tests of offsets and select try each case. */
#ifndef TESTS_PASSES_H
#define TESTS_PASSES_H

#include "harness/harness.h"

/* A single-pass algorithm with tiles so small that a test crosses many of them. */
typedef struct pass_way {
    clprims_algorithm algorithm;
    const char *tuning;
    const char *name; /* "lookback/one" */
} pass_way;

/* The ways that the device can go; *count gets their number. */
const pass_way *pass_ways(size_t *count);

/* Whether the device can go that way with offsets. */
bool pass_can_go(const pass_way *way);

/* Whether its selections may be in place. */
bool pass_is_in_place(clprims_algorithm algorithm);

/* In the small tier, elements of a few of the way's tiles. */
size_t pass_small_n(const pass_way *way);

/* Where a run is submitted, and what it waits for. */
typedef struct pass_turn {
    cl_command_queue queue; /* NULL: test_queue() */
    cl_event gate; /* a user event; NULL: none */
} pass_turn;

cl_command_queue pass_turn_queue(const pass_turn *turn);
cl_uint pass_turn_waits(const pass_turn *turn);

/* Opens the gate, which is gone then, and waits until the run has ended. */
void pass_turn_end(pass_turn *turn);

#endif
