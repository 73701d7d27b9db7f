/* SPDX-License-Identifier: MIT */
/* Knobs: what a tuning text may set. Each primitive registers its tables, which are the only place
 * where a knob's name, meaning and legal values stand. */
#ifndef CLP_KNOBS_H
#define CLP_KNOBS_H

#include <stdbool.h>
#include <stddef.h>

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
} clp_knob;

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

/* The key of that name, which has so many characters; NULL: there is none. */
const clp_tuning_key *clp_tuning_key_find(const char *name, size_t length);

/* ---- Tables that several keys share --------------------------------------------------------- */

/* pass_knobs.c: of a single pass whose groups take one tile each. */
enum {
    CLP_TILE_GROUP,
    CLP_TILE_ROWS,
    CLP_TILE_WAVE,
    CLP_TILE_SPINS,
    CLP_TILE_FETCH,
    CLP_TILE_STREAM,
    CLP_TILE_ALONE,
    CLP_TILE_KNOBS
};
extern const clp_knob clp_tile_knobs[CLP_TILE_KNOBS];

/* pass_knobs.c: of a look-ahead, whose groups stay. */
enum {
    CLP_RING_SCANNERS,
    CLP_RING_REDUCERS,
    CLP_RING_ROWS,
    CLP_RING_LOADERS,
    CLP_RING_STAGES,
    CLP_RING_GROUPS,
    CLP_RING_UNITS,
    CLP_RING_BURST,
    CLP_RING_SMALL,
    CLP_RING_FEW,
    CLP_RING_KNOBS
};
extern const clp_knob clp_ring_knobs[CLP_RING_KNOBS];

#define CLP_TILE_KEY(name)                                                                         \
    { name, clp_tile_knobs, CLP_TILE_KNOBS }
#define CLP_RING_KEY(name)                                                                         \
    { name, clp_ring_knobs, CLP_RING_KNOBS }

#endif
