/* SPDX-License-Identifier: MIT */
/* Parameters of the caller's texts: "global const float *weight, float limit". Kernels take them
 * after all their own arguments, and hand them to the function that a text becomes. */
#ifndef CLP_PARAMETERS_H
#define CLP_PARAMETERS_H

#include "core/context.h"
#include "core/launch.h"
#include "core/text.h"

enum { CLP_MOST_PARAMETERS = 16, CLP_LARGEST_PARAMETER = 256, CLP_LONGEST_PARAMETER = 96 };

typedef struct clp_parameter {
    char type[CLP_LONGEST_PARAMETER];
    char name[CLP_LONGEST_PARAMETER];
    bool is_array; /* its value is a cl_mem */
    bool is_set;
    size_t bytes; /* of the value */
    union {
        unsigned char bytes[CLP_LARGEST_PARAMETER]; /* of a structure at most */
        cl_mem mem;
    } value;
    cl_ulong first; /* element of an array */
} clp_parameter;

typedef struct clp_parameters {
    size_t count;
    clp_parameter list[CLP_MOST_PARAMETERS];
} clp_parameters;

/* A text of the caller's description. The rows of a description end with a NULL name. */
typedef struct clp_user_text {
    const char *name; /* of the member, "desc.input" */
    const char *text; /* NULL: not set */
    const char *operands; /* "x i"; NULL: parameters do not reach the text */
    const char *unread; /* why the plan has no use for the text, "by = 0 (flags)"; NULL: it has */
} clp_user_text;

/* Refuses a text that is set and never read. Status: ARGUMENT. */
clprims_status clp_texts_check(const char *who, const clp_user_text *texts);

/* Reads desc.parameters, which the texts may name; NULL and blank ones have none. custom: its type
 * may be a parameter's. Status: ARGUMENT. */
clprims_status clp_parameters_read(const char *who, const char *text, const clprims_custom *custom,
                                   const clp_user_text *texts, clp_parameters *parameters);

/* Sets one as clSetKernelArg does; an array may be a clprims_buffer. Status: ARGUMENT. */
clprims_status clp_parameters_set(clp_parameters *parameters, const clprims_context *context,
                                  const char *who, size_t k, size_t bytes, const void *value);

/* Status: ARGUMENT, with the name of one that is not set. */
clprims_status clp_parameters_check(const clp_parameters *parameters, const char *who);

/* What the caller's texts stand on: float64 where the device has it, the caller's declarations,
 * the check of the type's size, and the macros and the structure of parameters, if there are any.
 */
void clp_text_add_declarations(clp_text *text, const clprims_context *context,
                               const clprims_custom *custom, const clp_parameters *parameters);

/* Adds the rest of a function made of a caller's text, behind its operands: the last parameter, and
 * the body, in which the parameters have their names. name: of the text, for the compiler's
 * messages. usual: the expression if the text is NULL. parameters: NULL: none. */
void clp_text_add_function(clp_text *text, const clp_parameters *parameters, const char *name,
                           const char *expression, const char *usual);

/* Puts the values behind a kernel's own arguments, of which there are *count. blank: what arrays
 * are that were not set. */
void clp_parameters_append(const clp_parameters *parameters, const cl_mem *blank,
                           clp_argument *arguments, size_t *count);

#endif
