/* SPDX-License-Identifier: MIT */
/* Element types and built-in operators. */
#ifndef CLP_TYPE_H
#define CLP_TYPE_H

#include <clprims/core.h>
#include <stdbool.h>

bool clp_type_is_float(clprims_type type);

/* The type in OpenCL C, "uchar", "long"; NULL for CLPRIMS_STRUCT and unknown values. */
const char *clp_type_text(clprims_type type);

enum { CLP_INTEGER_CHARS = 24 };

/* Element i of the caller's integers of that type, for a message. */
void clp_print_integer(clprims_type type, const void *values, int64_t i,
                       char text[CLP_INTEGER_CHARS]);

/* The operator as an OpenCL C expression of a and b; NULL for CLPRIMS_CUSTOM. */
const char *clp_op_text(clprims_op op, clprims_type type);

/* Writes the identity of op (not CUSTOM) for a built-in type, clprims_type_bytes(type) bytes. */
void clp_op_identity(clprims_op op, clprims_type type, void *identity);

#endif
