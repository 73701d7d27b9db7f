/* SPDX-License-Identifier: MIT */
/* What a primitive combines: element type, running value, operator, initial value. Map of the room:
 * single_pass.h. */
#ifndef CLP_OPERATION_H
#define CLP_OPERATION_H

#include "core/text.h"
#include "plan/parameters.h"

#include <stdbool.h>

/* Elements, running value and operator. clp_operation_fill sets the sizes and `working`. The texts
 * are the caller's, and are read during create only. */
typedef struct clp_operation {
    clprims_type type;
    clprims_type accumulator; /* of the output; CLPRIMS_TYPE_DEFAULT before filling: as type */
    clprims_type working; /* of the running value: the accumulator, or for a built-in operator on
                             narrow ones 32 bits, whose low bits are the same */
    size_t type_bytes;
    clprims_type result_type; /* of the result r: the accumulator, or int64 for an index */
    clprims_type out_type; /* of the output's elements; CLPRIMS_TYPE_DEFAULT before filling: as r */
    size_t accumulator_bytes;
    size_t working_bytes;
    size_t out_bytes;
    clprims_op op; /* before filling as the caller has it; then of ARGMIN and ARGMAX: MIN and MAX */
    bool takes_arg; /* the primitive has ARGMIN and ARGMAX */
    bool is_arg;
    clprims_custom custom;
    const char *input;
    const char *result; /* what is stored in place of r; NULL: r */
    const clp_parameters *parameters; /* of input and result; NULL: none */
    bool has_input_array;
    bool inclusive;
    bool has_start; /* something comes before the first element */
} clp_operation;

/* The members that come from a description of a scan, a reduction or segments. */
#define CLP_OPERATION_OF(desc)                                                                     \
    .type = (desc)->type, .accumulator = (desc)->accumulator, .op = (desc)->op,                    \
    .custom = (desc)->custom, .input = (desc)->input, .result = (desc)->result,                    \
    .out_type = (desc)->result_type, .has_input_array = !(desc)->no_input_array

/* Checks what the caller set, and fills in the rest. who: for messages. init: the value before the
 * first element, or NULL; not read for ARGMIN and ARGMAX. start: room for CLP_LARGEST_VALUE bytes.
 */
clprims_status clp_operation_fill(const clprims_context *context, const char *who, const void *init,
                                  clp_operation *operation, void *start);

/* Sets start from a value of the accumulator's type; the operation has a start. */
void clp_operation_set_start(const clp_operation *operation, const void *value, void *start);

/* Clears the pointers into the caller's description, once create has read them. */
void clp_operation_forget_texts(clp_operation *operation);

/* Whether regrouping the operands changes the result's bits. A user's operator on integers is
 * associative by its contract; one on floats or structs may hide rounding. */
bool clp_operation_rounds(const clp_operation *operation);

/* For ARGMIN (op MIN) and ARGMAX (op MAX): the expression that says whether a comes before b. NaN
 * comes before nothing. */
const char *clp_operation_better(const clp_operation *operation);

/* Defines a macro as the built-in type's value with these bits. */
void clp_text_add_bits(clp_text *text, const char *name, clprims_type type, uint64_t bits);

/* Whether the text of the result has that word as an operand. */
bool clp_operation_names(const clp_operation *operation, const char *operand);

/* The part of a prelude that names types and operator: CLP_E, CLP_A, CLP_R, CLP_OUT, clp_input,
 * clp_op. */
void clp_text_add_operation(clp_text *text, const clprims_context *context,
                            const clp_operation *operation);

/* Behind it: clp_stored, what is stored of a result. operands: its parameters, "CLP_R r, ulong i".
 * has_x: a result belongs to an element, x, which stands first where the text reads it. */
void clp_text_add_stored(clp_text *text, const clp_operation *operation, bool has_x,
                         const char *operands);

#endif
