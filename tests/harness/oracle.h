/* SPDX-License-Identifier: MIT */
/* Plain-C twins of what the library computes: slow, serial, and short enough to be believed. */
#ifndef TESTS_ORACLE_H
#define TESTS_ORACLE_H

#include "harness/harness.h"

/* ---- Values ---------------------------------------------------------------------------------- */

bool oracle_is_float(clprims_type type);

/* Reads an integer as the 64 bits of its sign- or zero-extended value. */
uint64_t oracle_load_integer(clprims_type type, const void *values, size_t i);

/* Whether a < b, both extended so from the type. */
bool oracle_less_integer(clprims_type type, uint64_t a, uint64_t b);

/* What the operator makes of both, extended so as well. */
uint64_t oracle_combine_integer(clprims_type type, clprims_op op, uint64_t a, uint64_t b);

/* An element of any built-in type. */
long double oracle_load_float(clprims_type type, const void *values, size_t i);

/* ---- Scan ------------------------------------------------------------------------------------ */

/*
 * Fails the case unless out[0, n) is the scan of in[0, n) that desc describes (a built-in type and
 * operator, no input expression). Nothing is allocated: it bears 2^32 elements.
 *
 * Integers must be equal. Floats may differ from a reference of higher precision by `roundings`
 * rounding errors of the sum (or product) of absolute values; 0 asks for equality.
 */
#define expect_scan(desc, in, out, n, roundings)                                                   \
    oracle_expect_scan(desc, in, out, n, roundings, __FILE__, __LINE__)
void oracle_expect_scan(const clprims_scan_desc *desc, const void *in, const void *out, size_t n,
                        double roundings, const char *file, int line);

/* The most additions in a row that a scan of n elements by this plan puts a value through. */
double oracle_roundings(const clprims_scan_info *info, size_t n);

/* The same scan written to an array; bit-exact for integers and for exact floats. */
void oracle_scan(const clprims_scan_desc *desc, const void *in, void *out, size_t n);

enum { ORACLE_TWIN_BYTES = 64 };

/*
 * A scan by functions, for custom operators, structs and input expressions: load writes element
 * i's accumulator value, combine writes op(earlier, later), which may be one of the two places.
 * init is needed for an exclusive scan; NULL: an inclusive scan starts with the first element.
 */
typedef struct oracle_twin {
    void (*load)(const void *in, size_t i, void *value);
    void (*combine)(const void *earlier, const void *later, void *result);
    size_t accumulator_bytes; /* at most ORACLE_TWIN_BYTES */
    bool (*same)(const void *expected, const void *actual); /* NULL: of the same bytes */
} oracle_twin;

/* Whether an accumulator value is what it should be. */
bool oracle_twin_agrees(const oracle_twin *twin, const void *expected, const void *actual);

/* Fails the case unless all n of them are. */
void oracle_expect_custom(const oracle_twin *twin, const void *expected, const void *actual,
                          size_t n);

void oracle_scan_custom(const oracle_twin *twin, bool inclusive, const void *init, const void *in,
                        void *out, size_t n);

/* ---- List ------------------------------------------------------------------------------------ */

/* Ranks a valid list by walking it; link is CLPRIMS_I32 or CLPRIMS_I64. */
void oracle_rank(clprims_type link, const void *next, int64_t head, void *rank, size_t n);

/* The element of each rank. */
void oracle_order(clprims_type link, const void *next, int64_t head, void *order, size_t n);

/* Whether the path from head visits every one of the n elements once and ends at -1. */
bool oracle_list_valid(clprims_type link, const void *next, int64_t head, size_t n);

/* The one element that nobody's link names, -1 if there is none or more than one. */
int64_t oracle_list_head(clprims_type link, const void *next, size_t n);

/*
 * Whether what the report says is true of the list as clprims/list.h words it, with head as it was
 * given (FIND_HEAD included). A list with several faults has several true reports.
 */
bool oracle_report_true(clprims_type link, const void *next, int64_t head, size_t n,
                        const clprims_list_report *report);

/* ---- Reduce: the tree of include/clprims/reduce.h, bit by bit ------------------------------- */

/* The result of n > 0 elements by functions, in the order of the header's tree; init may be NULL.
 */
void oracle_reduce_custom(const oracle_twin *twin, bool commutes, const void *init, const void *in,
                          void *out, size_t n);

/* The same for a built-in operator, ARGMIN and ARGMAX included, and no input expression. */
void oracle_reduce(const clprims_reduce_desc *desc, const void *in, void *out, size_t n);

/* Bytes of the result. */
size_t oracle_reduce_bytes(const clprims_reduce_desc *desc);

/* n values next to the edges: zeros and NaN of both signs, infinities, extremes, a few of them. */
void oracle_edge_values(clprims_type type, void *values, size_t n);

/* ---- The min-plus product -------------------------------------------------------------------- */

/* Element (i, j) is values[i * ld + j]. */
typedef struct oracle_matrix {
    void *values;
    size_t ld;
} oracle_matrix;

/*
 * The product that desc describes, not custom, of I32, I64, U8, U32, F32 or F64, bit by bit unless
 * zeros differ in sign. argmin: NULL, or int32 with the leading dimension of c.
 */
void oracle_minplus(const clprims_minplus_desc *desc, const oracle_matrix *a,
                    const oracle_matrix *b, const oracle_matrix *c, int32_t *argmin, size_t m,
                    size_t n, size_t k);

#endif
