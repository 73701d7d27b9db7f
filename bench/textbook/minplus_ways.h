/* SPDX-License-Identifier: MIT */
/* The steps of seed 003, for its table and for the min-plus suite, which times them beside the
 * library and the limit. */
#ifndef TEXTBOOK_MINPLUS_WAYS_H
#define TEXTBOOK_MINPLUS_WAYS_H

#include "textbook.h"

typedef enum minplus_way {
    MINPLUS_ROWS_APART, /* V0 */
    MINPLUS_SIDE_BY_SIDE, /* V1 */
    MINPLUS_IN_REGISTERS, /* V2 */
    MINPLUS_IN_LOCAL_MEMORY, /* V3 */
    MINPLUS_IN_VECTORS, /* V4 */
    MINPLUS_WAYS
} minplus_way;

typedef struct minplus_steps minplus_steps;

/* For square matrices of n floats a row. NULL and a message on failure. */
minplus_steps *minplus_steps_create(const textbook_device *device, minplus_way way, size_t n);
/* r = d (x) d without gaps between rows; the event is of the last command. As in the seed, the
 * padded copies that V2 to V4 read are part of the run. */
bool minplus_steps_enqueue(minplus_steps *steps, cl_mem d, cl_mem r, size_t n, cl_event *event);
void minplus_steps_destroy(minplus_steps *steps);

/* "V0" to "V4". */
const char *minplus_way_name(minplus_way way);

#endif
