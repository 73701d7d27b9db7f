/* SPDX-License-Identifier: MIT */
/* Values of options: names out of the library's own lists, and elements of every type. */
#include "cli/command.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of_op(int value) {
    return clprims_op_name((clprims_op)value);
}

static const char *name_of_type(int value) {
    return clprims_type_name((clprims_type)value);
}

static const char *name_of_layer(int value) {
    return clprims_layer_name((clprims_layer)value);
}

/* Runs of enumerators and the library's names for them. */
static const struct {
    const char *(*name)(int value);
    int first;
    int last;
} choices[] = {
    [CHOICE_OP] = {name_of_op, CLPRIMS_ADD, CLPRIMS_XOR},
    [CHOICE_REDUCTION] = {name_of_op, CLPRIMS_ADD, CLPRIMS_ARGMAX},
    [CHOICE_TYPE] = {name_of_type, CLPRIMS_I8, CLPRIMS_F64},
    [CHOICE_LAYER] = {name_of_layer, CLPRIMS_LAYER_AUTO, CLPRIMS_LAYER_LOCAL},
};

int value_choose(const char *option, const char *text, cli_choice choice, int *value) {
    char legal[256] = "";
    if (!text) return EXIT_FINE;
    for (int i = choices[choice].first; i <= choices[choice].last; ++i) {
        const char *const name = choices[choice].name(i);
        if (choice == CHOICE_REDUCTION && i == CLPRIMS_CUSTOM) continue;
        if (strcmp(text, name) == 0) {
            *value = i;
            return EXIT_FINE;
        }
        if (*legal) strncat(legal, ", ", sizeof legal - strlen(legal) - 1);
        strncat(legal, name, sizeof legal - strlen(legal) - 1);
    }
    return complain(EXIT_USAGE, "%s '%s' is unknown; one of %s is needed", option, text, legal);
}

int job_choose(cli_job *job, const char *option, cli_choice choice, int standard) {
    JOB_TRY(job, value_choose(option, job_text(job, option), choice, &standard));
    return standard;
}

typedef enum parse { PARSED, NO_NUMBER, OUT_OF_RANGE } parse;

/* Octal by a leading zero would surprise; hexadecimal is asked for by 0x. */
static int base_of(const char *digits) {
    return digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X') ? 16 : 10;
}

static parse parse_integer(const char *text, size_t bytes, bool is_signed, void *value) {
    const bool negative = *text == '-';
    const char *const digits = text + (negative || *text == '+');
    const uint64_t most = UINT64_MAX >> (64 - 8 * bytes + is_signed);
    char *end = NULL;
    if (!isdigit((unsigned char)*digits)) return NO_NUMBER;
    errno = 0;
    const uint64_t magnitude = strtoumax(digits, &end, base_of(digits));
    if (*end) return NO_NUMBER;
    const uint64_t limit = !negative ? most : is_signed ? most + 1 : 0;
    if (errno == ERANGE || magnitude > limit) return OUT_OF_RANGE;
    const uint64_t number = negative ? 0 - magnitude : magnitude;
    memcpy(value, &number, bytes); /* little endian, as npy.c makes sure */
    return PARSED;
}

/* A magnitude that is too small becomes a subnormal or zero, as in C and in NumPy. */
static parse parse_float(const char *text, size_t bytes, void *value) {
    char *end = NULL;
    if (*text == '\0' || isspace((unsigned char)*text)) return NO_NUMBER;
    errno = 0;
    if (bytes == sizeof(float)) {
        const float number = strtof(text, &end);
        if (errno == ERANGE && fabsf(number) == HUGE_VALF) return OUT_OF_RANGE;
        memcpy(value, &number, sizeof number);
    } else {
        const double number = strtod(text, &end);
        if (errno == ERANGE && fabs(number) == HUGE_VAL) return OUT_OF_RANGE;
        memcpy(value, &number, sizeof number);
    }
    return *end ? NO_NUMBER : PARSED;
}

int value_element(const char *option, const char *text, clprims_type type, void *value) {
    const size_t bytes = clprims_type_bytes(type);
    const bool is_float = type == CLPRIMS_F32 || type == CLPRIMS_F64;
    const parse result = is_float ? parse_float(text, bytes, value)
                                  : parse_integer(text, bytes, type < CLPRIMS_U8, value);
    if (result == NO_NUMBER)
        return complain(EXIT_USAGE, "%s '%s' is not a number of type %s", option, text,
                        clprims_type_name(type));
    if (result == OUT_OF_RANGE)
        return complain(EXIT_USAGE, "%s %s does not fit %s", option, text, clprims_type_name(type));
    return EXIT_FINE;
}
