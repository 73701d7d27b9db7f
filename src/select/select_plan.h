/* SPDX-License-Identifier: MIT */
/*
 * Select: a checked description, the plan, one run. cl/select/select.cl says how it works. From the
 * call to the kernel and back:
 *   select.c           clprims_select_enqueue; plan.h has what is between it and submit(), which
 *                      sets arguments; a partition counts by one pass, then writes by another
 *   select_check.c     which arrays a run has; which outputs may be in the place of inputs
 *   single_pass.h      the engine; its kernels for select:
 *     lookahead                          select_lookahead.cl, on the files that it calls:
 *                                        select_stages.cl (the ring), select_staged.cl (its
 *                                        stages), select_tests.cl, select_packing.cl,
 *                                        select_copy.cl; of run lengths select_heads.cl
 *     single-wave                        select_single_wave.cl, on select_group.cl
 *     lookback, lookback-fallback, levels  select_lookback.cl, on select_group.cl
 *     serial-tile, levels-serial         select_serial.cl
 *   select_chunks.cl   chunks in registers, of all kernels but the serial one
 * When the plan is created:
 *   select_check.c     checks the description
 *   select_text.c      what select asks of the engine; the prelude; the files of each program
 *   select_test.c      predicates that compare a narrow element with a number
 *   select_knobs.c     what tuning may set
 */
#ifndef CLP_SELECT_PLAN_H
#define CLP_SELECT_PLAN_H

#include "engine/single_pass.h"
#include <clprims/select.h>

/* A description with its defaults filled in. The texts are the caller's: they are read during
 * create only. */
typedef struct clp_select_spec {
    clprims_select_by by;
    size_t arrays;
    clprims_type type[CLPRIMS_SELECT_ARRAYS];
    size_t bytes[CLPRIMS_SELECT_ARRAYS];
    bool values; /* the arrays are written too */
    /* DEFAULT: none. With a text of results, which are written as indices are, of their type. */
    clprims_type indices;
    clprims_type lengths;
    size_t index_bytes;
    bool stores_text; /* `result` is there */
    const char *result;
    bool partition;
    const char *predicate, *equal;
    clprims_custom custom;
    const clp_parameters *parameters; /* of the texts */
    clprims_algorithm algorithm; /* never AUTO */
    size_t max_n;
} clp_select_spec;

struct clprims_select {
    clp_plan head;
    clp_select_spec spec; /* its texts are cleared after create */
    clp_pass pass;
    clp_pass counter; /* of a partition: counts first */
    cl_mem total; /* what it counted */
    cl_mem counted; /* room for the count of run() */
};

/* One run's arguments. */
typedef struct clp_select_run {
    clp_call call;
    clprims_select_buffers buffers; /* sizes.capacity: never a 0 that stands for n */
    size_t n;
    clprims_select_arrays arrays; /* of a run on plain arrays, which has a count */
} clp_select_run;

/* Whether it writes more than the count. */
static inline bool clp_select_has_outputs(const clp_select_spec *spec) {
    return spec->values || spec->indices != CLPRIMS_TYPE_DEFAULT ||
           spec->lengths != CLPRIMS_TYPE_DEFAULT;
}

/* Whether what is stored of an element is made of the element. */
static inline bool clp_select_reads_again(const clp_select_spec *spec) {
    return spec->stores_text && spec->arrays > 0 &&
           (clp_text_names(spec->result, "x") || clp_text_names(spec->result, "r"));
}

static inline bool clp_select_has_flags(const clp_select_spec *spec) {
    return spec->by == CLPRIMS_SELECT_FLAGS || spec->by == CLPRIMS_SELECT_BITS;
}

/* select_check.c */
clprims_status clp_select_spec_fill(const clprims_context *context, const clprims_select_desc *desc,
                                    clp_select_spec *spec);
clprims_status clp_select_read_texts(clp_plan *plan, const clprims_select_desc *desc);

/* The rows of a run: all inputs, then all outputs, then the count. */
enum {
    CLP_SELECT_IN,
    CLP_SELECT_FLAGS = CLP_SELECT_IN + CLPRIMS_SELECT_ARRAYS,
    CLP_SELECT_OUT,
    CLP_SELECT_INDICES = CLP_SELECT_OUT + CLPRIMS_SELECT_ARRAYS,
    CLP_SELECT_LENGTHS,
    CLP_SELECT_COUNT,
    CLP_SELECT_COUNTED,
    CLP_SELECT_ROWS
};
size_t clp_select_list_arrays(const clp_plan *plan, clp_call *run, clp_run_array *rows);

/* Refuses outputs in the place of inputs where the plan cannot work in place. */
clprims_status clp_select_check_in_place(const clp_select_spec *spec, const clp_run_array *rows);

/* A comparison of x with a number: x < number or x == number, or the contrary. For signed elements
 * and `less` the number is above the least element. */
typedef struct clp_select_test {
    bool less, negated, is_signed;
    unsigned number;
} clp_select_test;

/* select_test.c: whether the decision is a comparison of elements of 1 or 2 bytes. */
bool clp_select_find_test(const clp_select_spec *spec, clp_select_test *test);

/* select_text.c: what the spec asks of the engine. */
clp_pass_need clp_select_need(const clp_select_spec *spec, const clprims_context *context,
                              const char *tuning);

#endif
