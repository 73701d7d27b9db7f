/* SPDX-License-Identifier: MIT */
/* Characters as the C locale has them. Those of <ctype.h> follow the application's locale: in a
 * Turkish one the lower case of "I" is no "i". */
#ifndef CLP_ASCII_H
#define CLP_ASCII_H

#include <stdbool.h>

static inline bool clp_is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool clp_is_digit(char c) {
    return c >= '0' && c <= '9';
}

static inline char clp_lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline bool clp_is_letter(char c) {
    return clp_lower(c) >= 'a' && clp_lower(c) <= 'z';
}

#endif
