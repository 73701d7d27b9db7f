/* SPDX-License-Identifier: MIT */
/* The arrays of a run, one row each. */
#ifndef CLP_PLAN_ARRAYS_H
#define CLP_PLAN_ARRAYS_H

#include "core/launch.h"

enum { CLP_MOST_ARRAYS = 16 };

typedef enum clp_array_role {
    CLP_READ = 1,
    CLP_WRITTEN = 2,
    CLP_OPTIONAL = 4, /* the caller may have no buffer; plain arrays have none */
    CLP_BITS = 8, /* the elements are bits, `first` is a bit */
    CLP_SHARES = 16, /* plain arrays: written where `place` stands */
    CLP_AFTER_INPUTS = 32, /* written after all inputs were read, which it may overlap */
    CLP_WITH_GAPS = 64 /* the primitive looks for overlap, as others may lie in the gaps */
} clp_array_role;

typedef struct clp_run_array {
    const char *name; /* of the caller's member or parameter */
    clprims_buffer *buffer; /* in the run's structure */
    size_t n; /* an array of 0 elements is not looked at */
    size_t element_bytes; /* of bits 0 */
    unsigned roles;
    const char *lacks; /* "has no payload": why the caller must not give it; NULL: it may */
    size_t place; /* 1 + the row of the input that this output may overwrite in place; 0: none */
    bool in_place; /* set by the check: it does */
    const void *from; /* of a run on plain arrays: the caller's input, or NULL */
    void *to; /* the caller's output, or NULL; with CLP_READ it is copied in as well */
} clp_run_array;

/* Rows of an input and an output. plain: the caller's array of a run on plain arrays, else NULL. */
clp_run_array clp_read_row(const char *name, clprims_buffer *buffer, const void *plain, size_t n,
                           size_t element_bytes);
clp_run_array clp_written_row(const char *name, clprims_buffer *buffer, void *plain, size_t n,
                              size_t element_bytes);

/* The rows of a number that stands in device memory, and of a report. */
clp_run_array clp_count_row(const char *name, clprims_buffer *buffer);
clp_run_array clp_report_row(clprims_buffer *buffer, size_t bytes);

/* Refuses arrays that are missing, too small, or of another context, and pairs of which one is
 * written and that overlap, unless the pair is in place. A blank buffer takes the place of one that
 * stands for an array of 0 elements. */
clprims_status clp_arrays_check(const clprims_context *context, const char *who,
                                clp_run_array *rows, size_t count);

/* Refuses plain arrays that are missing, and arrays that the plan does not take. */
clprims_status clp_plain_check(const char *who, const clp_run_array *rows, size_t count);

/* Gives each plain array a buffer; `clp_arrays_release` gives all of them back. */
clprims_status clp_arrays_upload(const clprims_context *context, const char *who,
                                 const clp_run_array *rows, size_t count);
clprims_status clp_arrays_download(const clprims_context *context, const char *who,
                                   const clp_run_array *rows, size_t count);
void clp_arrays_release(const clp_run_array *rows, size_t count);

#endif
