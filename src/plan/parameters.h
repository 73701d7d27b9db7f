/* SPDX-License-Identifier: MIT */
/* Parameters of the caller's texts: "global const float *weight, float limit". Kernels take them
 * after all their own arguments, and hand them to the function that a text becomes. */
#ifndef CLP_PARAMETERS_H
#define CLP_PARAMETERS_H

#include "core/context.h"
#include "core/launch.h"
#include "core/text.h"

enum { CLP_MOST_PARAMETERS = 16, CLP_LARGEST_PARAMETER = 128, CLP_LONGEST_PARAMETER = 96 };

typedef struct clp_parameter {
    char type[CLP_LONGEST_PARAMETER];
    char name[CLP_LONGEST_PARAMETER];
    bool is_array; /* its value is a cl_mem */
    bool is_set;
    size_t bytes; /* of the value */
    union {
        unsigned char bytes[CLP_LARGEST_PARAMETER]; /* of a double16 at most */
        cl_mem mem;
    } value;
} clp_parameter;

typedef struct clp_parameters {
    size_t count;
    clp_parameter list[CLP_MOST_PARAMETERS];
} clp_parameters;

/* Reads desc.parameters; NULL and blank texts have none. Status: ARGUMENT. */
clprims_status clp_parameters_read(const char *who, const char *text, clp_parameters *parameters);

/* Sets one as clSetKernelArg does. Status: ARGUMENT. */
clprims_status clp_parameters_set(clp_parameters *parameters, const clprims_context *context,
                                  const char *who, size_t k, size_t bytes, const void *value);

/* Status: ARGUMENT, with the name of one that is not set. */
clprims_status clp_parameters_check(const clp_parameters *parameters, const char *who);

/* What the caller's texts stand on: float64 where the device has it, the caller's declarations
 * unless NULL, and the macros and the structure of parameters, if there are any. */
void clp_text_add_declarations(clp_text *text, const clprims_context *context,
                               const char *declarations, const clp_parameters *parameters);

/* The last parameter of a function made of a caller's text, with its comma; "" without any. */
const char *clp_parameters_last(const clp_parameters *parameters);

/* A function with parameters begins with variables of their names. */
void clp_text_add_parameter_names(clp_text *text, const clp_parameters *parameters);

/* Puts the values behind a kernel's own arguments, of which there are *count. blank: what arrays
 * are that were not set. */
void clp_parameters_append(const clp_parameters *parameters, const cl_mem *blank,
                           clp_argument *arguments, size_t *count);

#endif
