/* SPDX-License-Identifier: MIT */
#include "machine.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { ITEMS_MOST = LANES * SUBGROUPS_MOST, STACK = 1 << 16, ROLES = 16, ROUNDS_MOST = 2000000 };
enum { MBARRIERS_MOST = 1 << 10 };

typedef struct meeting {
    unsigned count, number;
} meeting;

/* A context of ucontext.h begins on its stack; from then on _setjmp and _longjmp, which leave the
 * signal mask alone and so make no system call, go from one to another. */
typedef struct item {
    ucontext_t first;
    jmp_buf context;
    place where;
    bool begun, done;
    const meeting *at; /* what the work-item waits at, while its number is `number` */
    unsigned number;
} item;

place here;
unsigned first_group, groups_of_launch, items_of_group;

static item items[GROUPS_MOST * ITEMS_MOST];
static char *stacks;
static jmp_buf scheduler;
static item *running;
static meeting subgroups[GROUPS_MOST][SUBGROUPS_MOST], groups[GROUPS_MOST];
static meeting roles[GROUPS_MOST][ROLES];
static uint64_t given[GROUPS_MOST][SUBGROUPS_MOST][LANES];
static uint32_t random_state = 2654435762u;
static void (*body_of_launch)(void);
static const uint64_t *mbarriers[MBARRIERS_MOST]; /* that the launch's groups have set */
static unsigned mbarriers_set;

static void stop(const char *why) {
    fprintf(stderr, "%s\n", why);
    exit(EXIT_FAILURE);
}

unsigned random_below(unsigned below) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state % below;
}

unsigned long random_length(unsigned trial, unsigned tile, unsigned most) {
    if (trial % 3 == 0) return trial == 0 ? 0 : random_below(50);
    if (trial % 3 == 1) return random_below(most);
    const unsigned long length = (unsigned long)tile * (1 + random_below(4)) + random_below(3) - 1;
    return length < most ? length : most;
}

/* ---- Launches ---- */

static void run_body(void) {
    body_of_launch();
    running->done = true;
    _longjmp(scheduler, 1);
}

void wait_a_turn(void) {
    if (_setjmp(running->context) == 0) _longjmp(scheduler, 1);
}

static void prepare(unsigned number) {
    item *own = &items[number];
    own->where = (place){number / items_of_group, number % items_of_group};
    own->begun = own->done = false;
    own->at = NULL;
    getcontext(&own->first);
    own->first.uc_stack.ss_sp = stacks + (size_t)number * STACK;
    own->first.uc_stack.ss_size = STACK;
    makecontext(&own->first, run_body, 0);
}

static void switch_to(item *own) {
    if (_setjmp(scheduler) != 0) return;
    if (own->begun) _longjmp(own->context, 1);
    own->begun = true;
    setcontext(&own->first);
}

/* Lets the work-item run until it waits; returns whether that was its end. */
static bool go_on(item *own) {
    if (own->done || (own->at != NULL && own->at->number == own->number)) return false;
    own->at = NULL;
    running = own;
    here = own->where;
    switch_to(own);
    return own->done;
}

/* The lanes of a sub-group, from a random one on. */
static unsigned go_on_with_subgroup(unsigned first) {
    const unsigned start = random_below(LANES), step = random_below(2) == 0 ? 1 : LANES - 1;
    unsigned ended = 0;
    for (unsigned l = 0; l < LANES; l++) {
        ended += go_on(&items[first + (start + l * step) % LANES]);
    }
    return ended;
}

static void run_groups(unsigned number, unsigned size, void (*body)(void)) {
    const unsigned all = number * size, subgroups_of_all = all / LANES;
    unsigned left = all, rounds = 0;
    if (stacks == NULL) stacks = malloc(sizeof items / sizeof items[0] * (size_t)STACK);
    if (stacks == NULL || number > GROUPS_MOST || size > ITEMS_MOST) stop("too large a launch");
    items_of_group = size;
    body_of_launch = body;
    memset(subgroups, 0, sizeof subgroups);
    memset(groups, 0, sizeof groups);
    memset(roles, 0, sizeof roles);
    mbarriers_set = 0;
    for (unsigned i = 0; i < all; i++) prepare(i);
    while (left > 0) {
        const unsigned start = random_below(subgroups_of_all);
        for (unsigned s = 0; s < subgroups_of_all; s++) {
            if (random_below(4) == 0) continue;
            left -= go_on_with_subgroup((start + s) % subgroups_of_all * LANES);
        }
        if (++rounds > ROUNDS_MOST) stop("work-items wait forever");
    }
}

void launch_in_turn(unsigned number, unsigned at_once, unsigned size, void (*body)(void)) {
    groups_of_launch = number;
    for (first_group = 0; first_group < number; first_group += at_once) {
        const unsigned left = number - first_group;
        run_groups(left < at_once ? left : at_once, size, body);
    }
}

void launch(unsigned number, unsigned size, void (*body)(void)) {
    launch_in_turn(number, number, size, body);
}

int main(int argc, char **argv) {
    const int trials = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < trials; i++) {
        draw((unsigned)i);
        run();
        if (!is_right()) return EXIT_FAILURE;
    }
    printf("%d trials right\n", trials);
    return trials > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- Meetings ---- */

static void meet(meeting *at, unsigned all) {
    if (++at->count == all) {
        at->count = 0;
        at->number++;
        return;
    }
    running->at = at;
    running->number = at->number;
    wait_a_turn();
}

void meet_subgroup(void) {
    meet(&subgroups[here.group][here.item / LANES], LANES);
}

void meet_group(void) {
    meet(&groups[here.group], items_of_group);
}

void meet_role(unsigned number, unsigned all) {
    meet(&roles[here.group][number], all * LANES);
}

bool any_of_role(unsigned number, unsigned all, bool yes) {
    static bool said[GROUPS_MOST][ROLES];
    if (yes) said[here.group][number] = true;
    meet_role(number, all);
    const bool any = said[here.group][number];
    meet_role(number, all);
    said[here.group][number] = false;
    meet_role(number, all);
    return any;
}

/* What the sub-group's lanes give, which stays until they meet again. */
static const uint64_t *give(uint64_t own) {
    uint64_t *lanes = given[here.group][here.item / LANES];
    lanes[here.item % LANES] = own;
    meet_subgroup();
    return lanes;
}

uint64_t exchange_lanes(uint64_t own, unsigned from) {
    const uint64_t value = give(own)[from % LANES];
    meet_subgroup();
    return value;
}

uint32_t ballot_lanes(bool yes) {
    const uint64_t *lanes = give(yes);
    uint32_t bits = 0;
    for (unsigned l = 0; l < LANES; l++) bits |= (uint32_t)lanes[l] << l;
    meet_subgroup();
    return bits;
}

uint32_t match_lanes(uint32_t word) {
    const uint64_t *lanes = give(word);
    uint32_t bits = 0;
    for (unsigned l = 0; l < LANES; l++) bits |= (uint32_t)(lanes[l] == word) << l;
    meet_subgroup();
    return bits;
}

/* ---- mbarriers ---- */

typedef union state {
    uint64_t word;
    struct {
        uint16_t pending, expected;
        int32_t bytes : 31;
        uint32_t phase : 1;
    } is;
} state;

static void complete(state *s) {
    if (s->is.pending > 0 || s->is.bytes != 0) return;
    s->is.phase ^= 1;
    s->is.pending = s->is.expected;
}

/* Each once: PTX leaves undefined what a second time does. */
void mbarrier_set(uint64_t *mbarrier, unsigned arrivals) {
    state *s = (state *)mbarrier;
    for (unsigned m = 0; m < mbarriers_set; m++) {
        if (mbarriers[m] == mbarrier) stop("an mbarrier is set twice");
    }
    if (mbarriers_set == MBARRIERS_MOST) stop("too many mbarriers");
    mbarriers[mbarriers_set++] = mbarrier;
    s->word = 0;
    s->is.pending = s->is.expected = (uint16_t)arrivals;
}

void mbarrier_arrive(uint64_t *mbarrier) {
    state *s = (state *)mbarrier;
    if (s->is.pending == 0) stop("more arrivals than an mbarrier awaits");
    s->is.pending--;
    complete(s);
}

void mbarrier_expect(uint64_t *mbarrier, unsigned bytes) {
    ((state *)mbarrier)->is.bytes += (int32_t)bytes;
    mbarrier_arrive(mbarrier);
}

void mbarrier_copy(uint64_t *mbarrier, void *to, const void *from, unsigned bytes) {
    state *s = (state *)mbarrier;
    if ((((uintptr_t)to | (uintptr_t)from | bytes) & 15) != 0) stop("a copy is not aligned");
    if (bytes == 0) stop("a copy of no bytes"); /* GPUs wait for it forever */
    memcpy(to, from, bytes);
    s->is.bytes -= (int32_t)bytes;
    complete(s);
}

void mbarrier_wait(uint64_t *mbarrier, unsigned parity) {
    do wait_a_turn();
    while (((state *)mbarrier)->is.phase == parity);
}
