/* SPDX-License-Identifier: MIT */
/* Characters, growing text, files of text. */
#ifndef CLP_TEXT_H
#define CLP_TEXT_H

#include "core/status.h"

#include <stdbool.h>

/* Characters as the C locale has them. The functions of <ctype.h> follow the application's locale:
 * in a Turkish one the lower case of "I" is no "i". */
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

static inline bool clp_is_word(char c) {
    return clp_is_letter(c) || clp_is_digit(c) || c == '_';
}

/* Start from {0}. After a failed allocation `failed` stays set and additions do nothing. */
typedef struct clp_text {
    char *chars; /* always ends in '\0'; NULL while empty */
    size_t length;
    size_t capacity;
    bool failed;
} clp_text;

CLP_PRINTF(2, 3) void clp_text_add(clp_text *text, const char *format, ...);
void clp_text_add_bytes(clp_text *text, const char *chars, size_t length);

/* Whether an expression of OpenCL C has that name as an operand: outside of literals, and not as a
 * member of something. */
bool clp_text_names(const char *expression, const char *name);

/* A region of the caller's text, which the compiler's messages then name. */
void clp_text_add_users(clp_text *text, const char *name, const char *chars);

/* The same for an expression. end: the text that ends it, "); }", and meets what is missing there:
 * the compiler's messages place it on the caller's last line. */
void clp_text_add_expression(clp_text *text, const char *name, const char *chars, const char *end);

/* Declares `name` as a type of that many bytes for elements that are only moved: an unsigned
 * integer or uint4, or a structure of the widest of these that the size is a multiple of. */
void clp_text_add_moved(clp_text *text, const char *name, size_t bytes);

/* #define name(step) step(0) step(1) ...: loops that every compiler unrolls. */
void clp_text_add_each(clp_text *text, const char *name, size_t count);

void clp_text_free(clp_text *text);

enum { CLP_LONGEST_FILE = 1 << 24 };

/* Reads a whole file as text. Status: IO with the system's reason, or for what is no regular file
 * of CLP_LONGEST_FILE bytes at most; HOST_MEMORY. */
clprims_status clp_text_read_file(const char *path, clp_text *text);

#endif
