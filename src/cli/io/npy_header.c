/* SPDX-License-Identifier: MIT */
/* Parses { 'descr': '<i4', 'fortran_order': False, 'shape': (3,), } with its keys in any order. */
#include "cli/io/npy_header.h"

#include "cli/message.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    clprims_type type;
    const char *descr;
} types[] = {
    {CLPRIMS_I8, "|i1"},  {CLPRIMS_I16, "<i2"}, {CLPRIMS_I32, "<i4"}, {CLPRIMS_I64, "<i8"},
    {CLPRIMS_U8, "|u1"},  {CLPRIMS_U16, "<u2"}, {CLPRIMS_U32, "<u4"}, {CLPRIMS_U64, "<u8"},
    {CLPRIMS_F32, "<f4"}, {CLPRIMS_F64, "<f8"},
};
enum { TYPE_COUNT = sizeof types / sizeof *types };

/* A piece of the header's text; NULL while its key has not been met. */
typedef struct text_piece {
    const char *text;
    int length; /* as printf's %.*s takes it */
} text_piece;

typedef struct dictionary {
    text_piece descr; /* without its quotes, or with the brackets of a structure */
    text_piece order;
    text_piece shape; /* with its parentheses */
} dictionary;

const char *npy_descr(npy_type type) {
    if (type.is_bool) return "|b1";
    for (size_t i = 0; i < TYPE_COUNT; ++i)
        if (types[i].type == type.type) return types[i].descr;
    return "";
}

static bool piece_is(text_piece piece, const char *text) {
    return piece.text && (size_t)piece.length == strlen(text) &&
           memcmp(piece.text, text, strlen(text)) == 0;
}

static const char *skip_blanks(const char *at) {
    while (*at == ' ') ++at;
    return at;
}

/* The text between two quotes of one kind; *at moves past the second. */
static text_piece take_quoted(const char **at) {
    text_piece none = {NULL, 0};
    if (**at == 'u') ++*at; /* Python 2's mark of Unicode text */
    const char quote = **at;
    if (quote != '\'' && quote != '"') return none;
    const char *const first = *at + 1;
    const char *const last = strchr(first, quote);
    if (!last) return none;
    *at = last + 1;
    return (text_piece){first, (int)(last - first)};
}

static text_piece take_word(const char **at) {
    const char *const first = *at;
    while (isalpha((unsigned char)**at)) ++*at;
    return (text_piece){*at > first ? first : NULL, (int)(*at - first)};
}

static text_piece take_parentheses(const char **at) {
    text_piece none = {NULL, 0};
    const char *const first = *at;
    const char *const last = *first == '(' ? strchr(first, ')') : NULL;
    if (!last) return none;
    *at = last + 1;
    return (text_piece){first, (int)(last + 1 - first)};
}

/* A list of fields, which may hold lists and tuples, up to its own last bracket. */
static text_piece take_brackets(const char **at) {
    text_piece none = {NULL, 0};
    const char *const first = *at;
    size_t open = 0;
    char quote = '\0';
    for (const char *c = first; *c; ++c) {
        if (quote) {
            if (*c == quote) quote = '\0';
        } else if (*c == '\'' || *c == '"') {
            quote = *c;
        } else if (*c == '[') {
            ++open;
        } else if (*c == ']' && --open == 0) {
            *at = c + 1;
            return (text_piece){first, (int)(c + 1 - first)};
        }
    }
    return none;
}

/* One value goes where its key says; false when the text is not what the format asks for. */
static bool take_item(const char **at, dictionary *found) {
    const text_piece key = take_quoted(at);
    *at = skip_blanks(*at);
    if (!key.text || *(*at)++ != ':') return false;
    *at = skip_blanks(*at);
    text_piece *const place = piece_is(key, "descr")           ? &found->descr
                              : piece_is(key, "fortran_order") ? &found->order
                              : piece_is(key, "shape")         ? &found->shape
                                                               : NULL;
    if (!place || place->text) return false;
    if (place == &found->descr) *place = **at == '[' ? take_brackets(at) : take_quoted(at);
    if (place == &found->order) *place = take_word(at);
    if (place == &found->shape) *place = take_parentheses(at);
    return place->text != NULL;
}

static bool take_dictionary(const char *text, dictionary *found) {
    const char *at = skip_blanks(text);
    if (*at++ != '{') return false;
    for (;;) {
        at = skip_blanks(at);
        if (*at == '}') break;
        if (!take_item(&at, found)) return false;
        at = skip_blanks(at);
        if (*at == ',')
            ++at;
        else if (*at != '}')
            return false;
    }
    return *skip_blanks(at + 1) == '\0' && found->descr.text && found->shape.text &&
           (piece_is(found->order, "True") || piece_is(found->order, "False"));
}

static int refuse_type(const char *path, text_piece descr) {
    enum { LONGEST = 60 };
    return complain(EXIT_USAGE,
                    "%s: its elements are '%.*s%s'; little-endian bool, int8 to int64, uint8 to "
                    "uint64, float32 and float64 can be read",
                    path, descr.length < LONGEST ? descr.length : LONGEST, descr.text,
                    descr.length < LONGEST ? "" : "...");
}

static int find_type(const char *path, text_piece descr, npy_type *type) {
    const char *const text = descr.text;
    const bool is_one_byte = descr.length == 3 && text[2] == '1' && strchr("<>=|", text[0]);
    type->is_bool = is_one_byte && text[1] == 'b';
    type->type = CLPRIMS_U8;
    if (type->is_bool) return EXIT_FINE;
    const bool is_number = descr.length == 3 && strchr("iuf", text[1]);
    for (size_t i = 0; i < TYPE_COUNT; ++i) {
        const char *const known = types[i].descr;
        /* The order of one byte means nothing, and any mark for it is as good. */
        if (is_number && memcmp(text + 1, known + 1, 2) == 0 &&
            (text[0] == known[0] || is_one_byte)) {
            type->type = types[i].type;
            return EXIT_FINE;
        }
    }
    return refuse_type(path, descr);
}

/* Reads digits; false when they are more than can be counted. */
static bool take_size(const char **at, size_t *size) {
    bool fits = true;
    for (*size = 0; isdigit((unsigned char)**at); ++*at) {
        const size_t digit = (size_t)(**at - '0');
        fits = fits && *size <= (SIZE_MAX - digit) / 10;
        *size = *size * 10 + digit;
    }
    return fits;
}

/* Reads "(3,)", "(3L,)" or "(3, 4)", as many sizes as wanted; every other shape is refused. */
static int find_sizes(const char *path, text_piece shape, bool is_fortran, size_t wanted,
                      size_t *sizes) {
    const char *const needed = wanted == 1 ? "one dimension is" : "two dimensions are";
    const char *at = skip_blanks(shape.text + 1);
    bool fits = true;
    size_t found = 0;
    if (*at == ')')
        return complain(EXIT_USAGE, "%s: is a single value of shape (); %s needed", path, needed);
    while (*at != ')') {
        size_t size;
        const char *const digits = at;
        fits = take_size(&at, &size) && fits;
        const bool has_digits = at > digits;
        at = skip_blanks(at);
        if (*at == 'L') at = skip_blanks(at + 1); /* Python 2's mark of a long integer */
        if (!has_digits || (*at != ',' && (*at != ')' || found == 0)))
            return complain(EXIT_USAGE, "%s: its header's shape, %.*s, is no tuple of sizes", path,
                            shape.length, shape.text);
        if (found < wanted) sizes[found] = size;
        ++found;
        if (*at == ',') at = skip_blanks(at + 1);
    }
    if (found != wanted || (is_fortran && wanted > 1))
        return complain(EXIT_USAGE, "%s: its shape is %.*s%s; %s needed%s", path, shape.length,
                        shape.text, is_fortran ? " in Fortran order" : "", needed,
                        wanted > 1 ? ", in C order" : "");
    if (!fits || (wanted > 1 && sizes[1] > 0 && sizes[0] > SIZE_MAX / sizes[1]))
        return complain(EXIT_USAGE, "%s: its shape, %.*s, has more elements than can be counted",
                        path, shape.length, shape.text);
    return EXIT_FINE;
}

int npy_parse_header(const char *path, char *text, size_t length, npy_type *type, size_t dimensions,
                     size_t *sizes) {
    dictionary found = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    for (size_t i = 0; i < length; ++i) {
        if (isspace((unsigned char)text[i])) text[i] = ' ';
        if (!isprint((unsigned char)text[i])) text[i] = '?';
    }
    if (!take_dictionary(text, &found))
        return complain(EXIT_USAGE,
                        "%s: its header is not a dictionary of descr, fortran_order and shape: "
                        "%.60s",
                        path, text);
    const int status = find_type(path, found.descr, type);
    if (status != EXIT_FINE) return status;
    return find_sizes(path, found.shape, piece_is(found.order, "True"), dimensions, sizes);
}
