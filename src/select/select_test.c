/* SPDX-License-Identifier: MIT */
/* Select: predicates that compare a narrow element with a number, recognized in their text. */
#include "select/select_plan.h"

#include <string.h>

static const char *skip_blanks(const char *text) {
    while (clp_is_space(*text)) text++;
    return text;
}

/* ---- Parts of the text ---- */

typedef struct comparison {
    const char *sign;
    bool less, negated, up; /* up: of number + 1 */
} comparison;

static const comparison comparisons[] = {{"<=", true, false, true},   {">=", true, true, false},
                                         {"==", false, false, false}, {"!=", false, true, false},
                                         {"<", true, false, false},   {">", true, true, true}};

static const comparison *take_comparison(const char **text) {
    for (size_t c = 0; c < sizeof comparisons / sizeof comparisons[0]; c++) {
        const size_t length = strlen(comparisons[c].sign);
        if (strncmp(*text, comparisons[c].sign, length) != 0) continue;
        *text = skip_blanks(*text + length);
        return &comparisons[c];
    }
    return NULL;
}

/* A conversion that changes neither a small number nor a comparison of it, if there is one. */
static bool take_cast(const char **text, bool is_signed) {
    static const char *const signed_types[] = {"(int)", "(long)"};
    static const char *const unsigned_types[] = {"(uint)", "(ulong)"};
    if (**text != '(') return true;
    for (size_t t = 0; t < 4; t++) {
        if (t >= 2 && is_signed) return false;
        const char *type = t < 2 ? signed_types[t] : unsigned_types[t - 2];
        if (strncmp(*text, type, strlen(type)) != 0) continue;
        *text = skip_blanks(*text + strlen(type));
        return true;
    }
    return false;
}

/* A decimal number below 2^16, to the text's end. */
static bool take_number(const char *text, unsigned *number) {
    if (!clp_is_digit(*text) || (text[0] == '0' && clp_is_digit(text[1]))) {
        return false;
    }
    for (*number = 0; clp_is_digit(*text); text++) {
        *number = 10 * *number + (unsigned)(*text - '0');
        if (*number > 65535) return false;
    }
    return *skip_blanks(text) == '\0';
}

/* ---- The test ---- */

static bool read_test(const char *text, const clp_select_spec *spec, clp_select_test *test) {
    text = skip_blanks(text);
    if (*text != 'x') return false;
    text = skip_blanks(text + 1);
    const comparison *how = take_comparison(&text);
    if (how == NULL || !take_cast(&text, test->is_signed)) return false;
    if (!take_number(text, &test->number)) return false;
    const unsigned half = 1u << (8 * spec->bytes[0] - 1), end = test->is_signed ? half : 2 * half;
    if (test->number >= end) return false;
    test->less = how->less;
    test->negated = how->negated;
    test->number += how->up;
    if (test->less && test->is_signed) test->number += half;
    return !test->less || (test->number > 0 && test->number < 2 * half);
}

bool clp_select_find_test(const clp_select_spec *spec, clp_select_test *test) {
    const clprims_type type = spec->type[0];
    *test = (clp_select_test){.is_signed = type == CLPRIMS_I8 || type == CLPRIMS_I16};
    if (!test->is_signed && type != CLPRIMS_U8 && type != CLPRIMS_U16) return false;
    if (spec->by == CLPRIMS_SELECT_PREDICATE) return read_test(spec->predicate, spec, test);
    test->negated = spec->by == CLPRIMS_SELECT_NONZERO;
    return test->negated;
}
