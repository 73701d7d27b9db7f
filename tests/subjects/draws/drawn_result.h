/* SPDX-License-Identifier: MIT */
/* Texts of results, and what they store. */
#ifndef TESTS_DRAWN_RESULT_H
#define TESTS_DRAWN_RESULT_H

#include "subjects/subjects.h"

#define DRAWN_OF_X "(ulong)x * 1000 + r"
#define DRAWN_OF_PREVIOUS "r - previous"
#define DRAWN_MEMBER "r.shift" /* of custom_affine */

/* The result of one element, or of a whole run. */
typedef struct drawn_result {
    clprims_type type; /* of r and previous */
    const void *r, *previous;
    clprims_type x_type;
    const void *x; /* NULL: there is none */
    uint64_t i;
} drawn_result;

/* Stores what the text makes of it, which is one of these above or was drawn; NULL stands for r. */
void drawn_result_store(const char *text, clprims_type type, const drawn_result *result, void *out);

/* Draws a text and its type for results of that type, with the operands that it may name; at times
 * none. */
void drawn_result_draw(clprims_type type, bool has_x, bool has_previous, const char **text,
                       clprims_type *stored);

#endif
