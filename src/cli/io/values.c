/* SPDX-License-Identifier: MIT */
/* Values of options: names out of the library's own lists, and elements of every type. */
#include "cli/arguments.h"
#include "cli/message.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A run of enumerators and the library's names for them. */
typedef struct name_list {
    const char *(*name)(int value);
    int first;
    int last;
} name_list;

static const char *name_of_op(int value) {
    return clprims_op_name((clprims_op)value);
}

/* The operators of a reduction: all but custom ones. */
static clprims_op reduction(int value) {
    return (clprims_op)(value > CLPRIMS_XOR ? value + CLPRIMS_ARGMIN - CLPRIMS_CUSTOM : value);
}

static const char *name_of_reduction(int value) {
    return clprims_op_name(reduction(value));
}

static const char *name_of_type(int value) {
    return clprims_type_name((clprims_type)value);
}

static const char *name_of_algorithm(int value) {
    return clprims_algorithm_name((clprims_algorithm)value);
}

static const char *name_of_layer(int value) {
    return clprims_layer_name((clprims_layer)value);
}

static int choose(const char *option, const char *text, name_list names, int *value) {
    char legal[256] = "";
    for (int i = names.first; i <= names.last; ++i) {
        const char *const name = names.name(i);
        if (strcmp(text, name) == 0) {
            *value = i;
            return EXIT_FINE;
        }
        if (i > names.first) strncat(legal, ", ", sizeof legal - strlen(legal) - 1);
        strncat(legal, name, sizeof legal - strlen(legal) - 1);
    }
    return complain(EXIT_USAGE, "%s '%s' is unknown; one of %s is needed", option, text, legal);
}

int value_op(const char *option, const char *text, clprims_op *value) {
    int chosen = (int)*value;
    const name_list ops = {name_of_op, CLPRIMS_ADD, CLPRIMS_XOR};
    const int status = text ? choose(option, text, ops, &chosen) : EXIT_FINE;
    *value = (clprims_op)chosen;
    return status;
}

int value_reduction(const char *option, const char *text, clprims_op *value) {
    int chosen = CLPRIMS_ADD;
    const name_list ops = {name_of_reduction, CLPRIMS_ADD, CLPRIMS_ARGMAX - 1};
    const int status = text ? choose(option, text, ops, &chosen) : EXIT_FINE;
    if (text) *value = reduction(chosen);
    return status;
}

int value_type(const char *option, const char *text, clprims_type *value) {
    int chosen = (int)*value;
    const name_list types = {name_of_type, CLPRIMS_I8, CLPRIMS_F64};
    const int status = text ? choose(option, text, types, &chosen) : EXIT_FINE;
    *value = (clprims_type)chosen;
    return status;
}

int value_algorithm(const char *option, const char *text, clprims_algorithm *value) {
    int chosen = (int)*value;
    const name_list algorithms = {name_of_algorithm, CLPRIMS_ALGORITHM_AUTO,
                                  CLPRIMS_ALGORITHM_LOOKAHEAD};
    const int status = text ? choose(option, text, algorithms, &chosen) : EXIT_FINE;
    *value = (clprims_algorithm)chosen;
    return status;
}

int value_layer(const char *option, const char *text, clprims_layer *value) {
    int chosen = (int)*value;
    const name_list layers = {name_of_layer, CLPRIMS_LAYER_AUTO, CLPRIMS_LAYER_LOCAL};
    const int status = text ? choose(option, text, layers, &chosen) : EXIT_FINE;
    *value = (clprims_layer)chosen;
    return status;
}

typedef enum parse { PARSED, NO_NUMBER, OUT_OF_RANGE } parse;

/* Octal by a leading zero would surprise; hexadecimal is asked for by 0x. */
static int base_of(const char *digits) {
    return digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X') ? 16 : 10;
}

static parse parse_signed(const char *text, size_t bytes, void *value) {
    const char *const digits = text + (*text == '-' || *text == '+');
    char *end = NULL;
    if (!isdigit((unsigned char)*digits)) return NO_NUMBER;
    errno = 0;
    const int64_t number = strtoimax(text, &end, base_of(digits));
    if (*end) return NO_NUMBER;
    const int64_t most = INT64_MAX >> (64 - 8 * bytes);
    if (errno == ERANGE || number > most || number < -most - 1) return OUT_OF_RANGE;
    memcpy(value, &number, bytes); /* little endian, as npy.c makes sure */
    return PARSED;
}

static parse parse_unsigned(const char *text, size_t bytes, void *value) {
    const char *const digits = text + (*text == '-' || *text == '+');
    char *end = NULL;
    if (!isdigit((unsigned char)*digits)) return NO_NUMBER;
    errno = 0;
    const uint64_t number = strtoumax(digits, &end, base_of(digits));
    if (*end) return NO_NUMBER;
    const bool negative = *text == '-' && number != 0;
    if (errno == ERANGE || negative || number > UINT64_MAX >> (64 - 8 * bytes)) return OUT_OF_RANGE;
    memcpy(value, &number, bytes);
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
    parse result = NO_NUMBER;
    if (type == CLPRIMS_F32 || type == CLPRIMS_F64)
        result = parse_float(text, bytes, value);
    else if (type >= CLPRIMS_U8)
        result = parse_unsigned(text, bytes, value);
    else
        result = parse_signed(text, bytes, value);
    if (result == NO_NUMBER)
        return complain(EXIT_USAGE, "%s '%s' is not a number of type %s", option, text,
                        clprims_type_name(type));
    if (result == OUT_OF_RANGE)
        return complain(EXIT_USAGE, "%s %s does not fit %s", option, text, clprims_type_name(type));
    return EXIT_FINE;
}

void value_print(clprims_type type, const void *value, char text[VALUE_CHARS]) {
    const size_t bytes = clprims_type_bytes(type);
    const uint64_t sign = UINT64_C(1) << (8 * bytes - 1);
    uint64_t bits = 0;
    memcpy(&bits, value, bytes);
    if (type >= CLPRIMS_U8)
        snprintf(text, VALUE_CHARS, "%" PRIu64, bits);
    else
        snprintf(text, VALUE_CHARS, "%" PRId64, (int64_t)((bits ^ sign) - sign));
}
