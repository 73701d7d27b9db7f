/* SPDX-License-Identifier: MIT */
/*
 * Work-groups of sub-groups of 32 lanes on the host, each work-item a context of its own that runs
 * until it waits. Which one goes on next is random, so that what a kernel takes for granted of the
 * order of work-items shows.
 */
#ifndef EMULATED_MACHINE_H
#define EMULATED_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

enum { GROUPS_MOST = 4, LANES = 32, SUBGROUPS_MOST = 32 };

typedef struct place {
    unsigned group, item;
} place;

/* Of the work-item that runs. */
extern place here;
extern unsigned first_group, groups_of_launch, items_of_group;

/* A random number from 0 to below - 1. */
unsigned random_below(unsigned below);
/* Elements of a trial, up to `most`: none in trial 0, few, any number, or about some whole tiles.
 */
unsigned long random_length(unsigned trial, unsigned tile, unsigned most);

/* Runs body in each work-item until all have returned; ends the program if they never do. */
void launch(unsigned groups, unsigned items, void (*body)(void));
/* The same for more groups than the machine has room for, `at_once` of them at a time, lower ones
 * first. */
void launch_in_turn(unsigned groups, unsigned at_once, unsigned items, void (*body)(void));

/* The test's: main draws as many trials as its argument says, runs each and looks at it. */
void draw(unsigned number);
void run(void);
bool is_right(void);

/* Others go on first. */
void wait_a_turn(void);

/* All lanes of the sub-group; all work-items of the group; `subgroups` of them at barrier `number`.
 */
void meet_subgroup(void);
void meet_group(void);
void meet_role(unsigned number, unsigned subgroups);
/* The same, and whether any of them says yes. */
bool any_of_role(unsigned number, unsigned subgroups, bool yes);

/* What lane `from` of the sub-group gives. All lanes call it. */
uint64_t exchange_lanes(uint64_t given, unsigned from);
/* A bit for each lane. */
uint32_t ballot_lanes(bool yes);
/* The lanes among them that give the same word. */
uint32_t match_lanes(uint32_t word);

/* mbarriers of a bulk copy, as of compute capability 9.0. */
void mbarrier_set(uint64_t *mbarrier, unsigned arrivals);
void mbarrier_arrive(uint64_t *mbarrier);
void mbarrier_expect(uint64_t *mbarrier, unsigned bytes);
void mbarrier_copy(uint64_t *mbarrier, void *to, const void *from, unsigned bytes);
void mbarrier_wait(uint64_t *mbarrier, unsigned parity);

#endif
