/* SPDX-License-Identifier: MIT */
/* A kernel's arguments under construction, in the order of the kernel's parameters. */
#ifndef CLP_PLAN_ARGUMENTS_H
#define CLP_PLAN_ARGUMENTS_H

#include "plan/plan.h"

enum { CLP_MOST_ARGUMENTS = 96 };

/* The list points into the structure: it must not be copied. */
typedef struct clp_arguments {
    clp_argument list[CLP_MOST_ARGUMENTS];
    cl_mem mems[CLP_MOST_ARGUMENTS];
    cl_ulong values[CLP_MOST_ARGUMENTS];
    cl_uint uints[CLP_MOST_ARGUMENTS];
    size_t count;
} clp_arguments;

/* A number, as ulong. */
void clp_put_value(clp_arguments *a, uint64_t value);

/* A number of 32 bits, as uint. */
void clp_put_uint(clp_arguments *a, cl_uint value);

/* Memory; NULL is a null pointer in the kernel. */
void clp_put_mem(clp_arguments *a, cl_mem mem);

/* A buffer and the number of its first element. */
void clp_put_buffer(clp_arguments *a, clprims_buffer buffer);

/* An array and the number of its first element; the blank buffer of the context if it is NULL. */
void clp_put_array(clp_arguments *a, const clprims_context *context, clprims_buffer array);

/* The caller's report, or the plan's own. */
void clp_put_report(clp_arguments *a, const clp_plan *plan, clprims_buffer report);

/* Any other value, which must live until the arguments are set. */
void clp_put_bytes(clp_arguments *a, size_t bytes, const void *value);

/* The caller's parameters, behind all others. */
void clp_put_parameters(clp_arguments *a, const clp_plan *plan);

clprims_status clp_arguments_set(const clp_arguments *a, const clp_plan *plan, cl_kernel kernel);

#endif
