/* SPDX-License-Identifier: MIT */
/* What clprims scan and clprims listscan are asked to combine, and how: their common options. */
#ifndef CLI_COMBINATION_H
#define CLI_COMBINATION_H

#include "cli/command.h"
#include "cli/io/npy_header.h"

/* It stays where it is while the description that was made of it is used. */
typedef struct combination {
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

/* Rows of a table of options. */
#define COMBINATION_OPTIONS                                                                        \
    {"--op", "NAME", "add (the default), min, max, mul, and, or, xor", OPTIONAL},                  \
        {"--custom", "TEXT", "OpenCL C expression of a and b in place of --op, e.g. 'a + b'",      \
         OPTIONAL},                                                                                \
        {"--identity", "V", "the value that leaves the other operand of --custom as it is",        \
         OPTIONAL},                                                                                \
        {"--exclusive", NULL, "combine what comes before each element (the default)", OPTIONAL},   \
        {"--inclusive", NULL, "combine up to and with each element", OPTIONAL},                    \
        {"--init", "V", "a value before the first element", OPTIONAL}, {                           \
        "--accumulate", "TYPE", "type of the running value and the output, e.g. int64", OPTIONAL   \
    }

/* Says what can be said before the input is read: options that exclude each other, and the names of
 * operators and types. */
void combination_check(cli_job *job, combination *c);

/* Sets the rest, for these elements. */
void combination_complete(cli_job *job, combination *c, const npy_input *elements);

/* ---- The parts of it that reductions have, too ---- */

/*
 * Returns the type of a running value of these elements: the type that --accumulate names, else the
 * elements' own. Sums and products of bool are int64, as NumPy's. is_computed: a text of the user's
 * says what is combined, so that bools need not stay 0 and 1.
 */
npy_type running_type(cli_job *job, const npy_input *elements, clprims_op op, bool is_computed);

/* Puts the value of --init into `value` and returns `value`; NULL: without --init the operator's
 * identity is the one to use. A bool has its own identities of min and and. */
const void *running_init(cli_job *job, clprims_op op, npy_type type, void *value);

#endif
