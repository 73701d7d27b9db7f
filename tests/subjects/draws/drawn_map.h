/* SPDX-License-Identifier: MIT */
/* Types and values of map, for its subject, its tests and its fuzzer. */
#ifndef TESTS_DRAWN_MAP_H
#define TESTS_DRAWN_MAP_H

#include "subjects/subjects.h"

/* A type of elements: `count` numbers of one type. */
typedef struct map_type {
    clprims_type type; /* of a number by itself that number's; else STRUCT */
    const char *name; /* of a STRUCT */
    size_t bytes;
    clprims_type number;
    size_t count;
    const char *first; /* the first number of x */
    const char *next; /* a value of this type of an x of this type, and of i or not */
    const char *indexed; /* a value of this type of i alone */
} map_type;

enum { MAP_TYPES = 23 };
extern const map_type map_types[MAP_TYPES];

/* What structs of map_types need. */
extern const char map_declarations[];

/* A value of an output. in: of x; NULL: there is no input. */
const char *map_value(const map_type *in, const map_type *out, bool by_index);

/* Puts n of the types behind one another into the outputs, from type number `first` on, each by
 * `step` more. in: of the input, as above. */
void map_describe(clprims_map_desc *desc, const map_type *in, size_t outputs, size_t first,
                  size_t step);

/* The types of a description's input, NULL where there is none, and of its output k, NULL where
 * there is none. */
const map_type *map_input(const clprims_map_desc *desc);
const map_type *map_output(const clprims_map_desc *desc, size_t k);

/* Whether output k may be the input. */
bool map_may_be_in_place(const clprims_map_desc *desc, size_t k);

#endif
