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

/* Puts up to 8 values of these types, in order. */
#define CLP_PUT(a, ...)                                                                            \
    CLP_PUT_CHOOSE(__VA_ARGS__, CLP_PUT_8, CLP_PUT_7, CLP_PUT_6, CLP_PUT_5, CLP_PUT_4, CLP_PUT_3,  \
                   CLP_PUT_2, CLP_PUT_1, 0)                                                        \
    (a, __VA_ARGS__)
#define CLP_PUT_CHOOSE(x1, x2, x3, x4, x5, x6, x7, x8, put, ...) put
#define CLP_PUT_1(a, x)                                                                            \
    _Generic((x), cl_mem                                                                           \
             : clp_put_mem, clprims_buffer                                                         \
             : clp_put_buffer, unsigned int                                                        \
             : clp_put_uint, unsigned long                                                         \
             : clp_put_value, unsigned long long                                                   \
             : clp_put_value)(a, x)
#define CLP_PUT_2(a, x, ...) CLP_PUT_1(a, x), CLP_PUT_1(a, __VA_ARGS__)
#define CLP_PUT_3(a, x, ...) CLP_PUT_1(a, x), CLP_PUT_2(a, __VA_ARGS__)
#define CLP_PUT_4(a, x, ...) CLP_PUT_1(a, x), CLP_PUT_3(a, __VA_ARGS__)
#define CLP_PUT_5(a, x, ...) CLP_PUT_1(a, x), CLP_PUT_4(a, __VA_ARGS__)
#define CLP_PUT_6(a, x, ...) CLP_PUT_1(a, x), CLP_PUT_5(a, __VA_ARGS__)
#define CLP_PUT_7(a, x, ...) CLP_PUT_1(a, x), CLP_PUT_6(a, __VA_ARGS__)
#define CLP_PUT_8(a, x, ...) CLP_PUT_1(a, x), CLP_PUT_7(a, __VA_ARGS__)

/* Any other value, which must live until the arguments are set. */
void clp_put_bytes(clp_arguments *a, size_t bytes, const void *value);

/* The caller's parameters, behind all others. */
void clp_put_parameters(clp_arguments *a, const clp_plan *plan);

clprims_status clp_arguments_set(const clp_arguments *a, const clp_plan *plan, cl_kernel kernel);

#endif
