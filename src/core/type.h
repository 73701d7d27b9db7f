/* SPDX-License-Identifier: MIT */
/* Element types and built-in operators. */
#ifndef CLP_TYPE_H
#define CLP_TYPE_H

#include <clprims/core.h>
#include <stdbool.h>

/* The text of an enumerator, which counts from 0; `unknown` behind the end of the table. Tables are
 * arrays of arrays, which the loader need not relocate. */
#define CLP_TEXT_OF_ENUMERATOR(table, value, unknown)                                              \
    ((size_t)(value) < sizeof(table) / sizeof *(table) ? (table)[(size_t)(value)] : (unknown))

bool clp_type_is_float(clprims_type type);

/* What CLPRIMS_TYPE_DEFAULT stands for: `usual`; other types are as they are. */
clprims_type clp_type_or(clprims_type type, clprims_type usual);

/* The type in OpenCL C, "uchar", "long"; NULL for CLPRIMS_STRUCT and unknown values. */
const char *clp_type_text(clprims_type type);

enum { CLP_NUMBER_CHARS = 24 };

/* Element i of the caller's numbers of that type, for a message. */
void clp_print_number(clprims_type type, const void *values, int64_t i,
                      char text[CLP_NUMBER_CHARS]);

/* The operator as an OpenCL C expression of a and b, scalars or vectors; NULL for CLPRIMS_CUSTOM.
 * orders_zeros: the device's fmin and fmax take -0.0 for less than 0.0. */
const char *clp_op_text(clprims_op op, clprims_type type, bool orders_zeros);

/* Writes the result of op (not CUSTOM) for no elements, a value of a built-in type,
 * clprims_type_bytes(type) bytes: 0.0 for a sum. */
void clp_op_identity(clprims_op op, clprims_type type, void *identity);

/* Writes the value that leaves every other as it is, to its bits; fills places without elements. Of
 * floats it is not always the above: 0.0 + -0.0 is 0.0, and the greater of NaN and -inf is -inf. */
void clp_op_padding(clprims_op op, clprims_type type, void *padding);

#endif
