/* SPDX-License-Identifier: MIT */
/* What clprims scan and clprims listscan are asked to combine, and how: their common options. */
#ifndef CLI_COMBINATION_H
#define CLI_COMBINATION_H

#include "cli/arguments.h"
#include "cli/io/npy.h"
#include "cli/io/npy_header.h"

/* Start from {0}. It stays where it is while the description that was made of it is used. */
typedef struct combination {
    struct {
        const char *op, *custom, *identity, *inclusive, *exclusive, *init, *accumulate;
    } text; /* of the options */
    clprims_op op;
    npy_type result;
    int inclusive;
    const void *init;
    clprims_custom custom;
    unsigned char init_bytes[8], identity_bytes[8];
} combination;

/* How that differs from NumPy, for the help. */
#define COMBINATION_NOTE                                                                           \
    "The result has the elements' type, in which sums wrap around, unless --accumulate names\n"    \
    "another. bool counts as 0 and 1; its sums and products are int64, and --custom gives\n"       \
    "uint8. min and max leave NaNs out."

/* Rows of a table of options; c: a pointer to the combination. */
#define COMBINATION_OPTIONS(c)                                                                     \
    {"--op", "NAME", "add (the default), min, max, mul, and, or, xor", OPTIONAL, &(c)->text.op},   \
        {"--custom", "TEXT", "OpenCL C expression of a and b in place of --op, e.g. 'a + b'",      \
         OPTIONAL, &(c)->text.custom},                                                             \
        {"--identity", "V", "the value that leaves the other operand of --custom as it is",        \
         OPTIONAL, &(c)->text.identity},                                                           \
        {"--exclusive", NULL, "combine what comes before each element (the default)", OPTIONAL,    \
         &(c)->text.exclusive},                                                                    \
        {"--inclusive", NULL, "combine up to and with each element", OPTIONAL,                     \
         &(c)->text.inclusive},                                                                    \
        {"--init", "V", "a value before the first element", OPTIONAL, &(c)->text.init}, {          \
        "--accumulate", "TYPE", "type of the running value and the output, e.g. int64", OPTIONAL,  \
            &(c)->text.accumulate                                                                  \
    }

/* Each gives back an exit status, after a message unless it is EXIT_FINE. */

/* What can be said before the input is read: what excludes what, and the names of operators and
 * types. */
int combination_check(combination *c);

/* The rest, for these elements: all members but the texts are set then. */
int combination_complete(combination *c, const npy_input *elements);

/* The exit status of a plan's creation: text that does not compile is the user's. */
int combination_exit(const combination *c, clprims_status created);

/* ---- The parts of it that reductions have, too ---- */

/*
 * What a running value of such elements is: what --accumulate names, else of the elements' type.
 * Sums and products of bool are int64, as NumPy's. is_computed: a text of the user's says what is
 * combined, so that bools need not stay 0 and 1.
 */
int running_type(const npy_input *elements, clprims_op op, const char *accumulate, bool is_computed,
                 npy_type *type);

/* What --init says, at `value`, to which *init points then. Without --init the identities of min
 * and and are those of bool, if it is one, and not those of uint8. */
int running_init(const char *text, clprims_op op, npy_type type, void *value, const void **init);

#endif
