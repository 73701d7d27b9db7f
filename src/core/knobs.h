/* SPDX-License-Identifier: MIT */
/* Knobs: what a tuning text may set. Each primitive registers its tables, which are the only place
 * where a knob's name, meaning and legal values stand. */
#ifndef CLP_KNOBS_H
#define CLP_KNOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* One knob. A registered table holds the widest legal range; create copies the table, replaces
 * defaults that depend on the device or the plan, and may narrow the range. */
typedef struct clp_knob {
    const char *name;
    const char *meaning; /* a short line */
    size_t value; /* the default, until a tuning text sets another value */
    size_t least;
    size_t most;
    bool power_of_two;
    bool set; /* by any tuning text */
    bool given; /* by the caller's: the context's tuning file or the plan's own text */
    bool is_fixed; /* in a registered table: the default is the same for every device and plan */
    bool is_group; /* work-items of a group, of which the device has a most */
} clp_knob;

/* Declares a copy of a table of knobs. */
#define CLP_KNOBS(knobs, table)                                                                    \
    clp_knob knobs[sizeof(table) / sizeof(table)[0]];                                              \
    memcpy(knobs, table, sizeof knobs)

#define CLP_GROUP_KNOB(name, meaning, value, least, most)                                          \
    { name, meaning, value, least, most, .power_of_two = true, .is_group = true }

/* What a tuning line may name, "scan-few", and the knobs that it may set. */
typedef struct clp_tuning_key {
    const char *name;
    const clp_knob *knobs;
    size_t count;
} clp_tuning_key;

/* The registry, generated from the list of primitives: clp_scan_keys and so on, each of which ends
 * with a key without a name; then NULL. */
extern const clp_tuning_key *const clp_tuning_keys[];

/* Key `number` of all primitives', counted from 0; NULL behind the last. */
const clp_tuning_key *clp_tuning_key_at(size_t number);

/* Returns the key of the name, which has `length` characters; NULL: there is none. */
const clp_tuning_key *clp_tuning_key_find(const char *name, size_t length);

/* ---- Shapes that follow from knobs ---- */

static inline size_t clp_at_most(size_t value, size_t most) {
    return value < most ? value : most;
}

static inline size_t clp_halved(size_t value, size_t most) {
    while (value > most) value /= 2;
    return value;
}

static inline size_t clp_at_least(size_t value, size_t least) {
    return value > least ? value : least;
}

#endif
