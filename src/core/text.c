/* SPDX-License-Identifier: MIT */
/* Growing text, with which programs are put together. */
#include "core/text.h"
#include "core/status.h"
#include "store/store_files.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for `more` characters and the final '\0'; false when memory is out. */
static bool grow(clp_text *text, size_t more) {
    const size_t needed = text->length + more + 1;
    if (text->failed) return false;
    if (needed <= text->capacity) return true;
    size_t capacity = text->capacity ? text->capacity : 4096;
    while (capacity < needed) capacity *= 2;
    char *chars = realloc(text->chars, capacity);
    if (chars == NULL) {
        text->failed = true;
        return false;
    }
    text->chars = chars;
    text->capacity = capacity;
    return true;
}

void clp_text_add_bytes(clp_text *text, const char *chars, size_t length) {
    if (length == 0 || !grow(text, length)) return;
    memcpy(text->chars + text->length, chars, length);
    text->length += length;
    text->chars[text->length] = '\0';
}

void clp_text_add(clp_text *text, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    if (length < 0) {
        text->failed = true;
    } else if (grow(text, (size_t)length)) {
        vsnprintf(text->chars + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

void clp_text_add_users(clp_text *text, const char *name, const char *chars) {
    clp_text_add(text, "\n#line 1 \"%s\"\n", name);
    clp_text_add_bytes(text, chars, strlen(chars));
    clp_text_add(text, "\n#line 1 \"prelude\"\n");
}

void clp_text_add_expression(clp_text *text, const char *name, const char *chars, const char *end) {
    size_t last = 1;
    for (const char *at = chars; *at != '\0'; at++) last += *at == '\n';
    /* A line of its own, as the caller's text may end in a comment. */
    clp_text_add(text, "\n#line 1 \"%s\"\n%s\n#line %zu \"%s\"\n%s\n#line 1 \"prelude\"\n", name,
                 chars, last, name, end);
}

bool clp_text_names(const char *expression, const char *name) {
    const size_t length = strlen(name);
    char before = ' '; /* the last character that is no blank */
    for (const char *at = expression; *at != '\0';) {
        size_t word = 0;
        while (clp_is_word(at[word])) word++;
        if (word == length && strncmp(at, name, length) == 0 && before != '.') return true;
        at += word > 0 ? word : 1;
        if (!clp_is_space(at[-1])) before = at[-1];
    }
    return false;
}

void clp_text_add_moved(clp_text *text, const char *name, size_t bytes) {
    static const char *const words[] = {"uchar", "ushort", "uint", "ulong", "uint4"};
    size_t log = 0;
    while (log < 4 && bytes % ((size_t)2 << log) == 0) log++;
    if (bytes >> log == 1) {
        clp_text_add(text, "typedef %s %s;\n", words[log], name);
    } else {
        clp_text_add(text, "typedef struct { %s words[%zu]; } %s;\n", words[log], bytes >> log,
                     name);
    }
}

void clp_text_add_each(clp_text *text, const char *name, size_t count) {
    clp_text_add(text, "#define %s(step)", name);
    for (size_t i = 0; i < count; i++) clp_text_add(text, " step(%zu)", i);
    clp_text_add(text, "\n");
}

void clp_text_free(clp_text *text) {
    free(text->chars);
    *text = (clp_text){0};
}

static clprims_status read_all(FILE *file, const char *path, clp_text *text) {
    size_t bytes = 0;
    for (;;) {
        char block[4096];
        const size_t got = fread(block, 1, sizeof block, file);
        bytes += got;
        CLP_FAIL_IF(bytes > CLP_LONGEST_FILE, CLPRIMS_ERR_IO,
                    "%s has more than %d bytes, the most that is read", path, CLP_LONGEST_FILE);
        clp_text_add_bytes(text, block, got);
        if (got < sizeof block) break;
    }
    CLP_FAIL_IF(ferror(file), CLPRIMS_ERR_IO, "reading %s failed: %s", path, strerror(errno));
    CLP_FAIL_IF(text->failed, CLPRIMS_ERR_HOST_MEMORY, "no host memory for the text of %s", path);
    return CLPRIMS_OK;
}

clprims_status clp_text_read_file(const char *path, clp_text *text) {
    struct stat facts;
    /* A device may have no end, and the opening of a pipe waits for whoever writes. */
    CLP_FAIL_IF(stat(path, &facts) == 0 && !S_ISREG(facts.st_mode), CLPRIMS_ERR_IO,
                "%s is not a regular file", path);
    FILE *file = fopen(path, "rb");
    CLP_FAIL_IF(file == NULL, CLPRIMS_ERR_IO, "%s can't be opened: %s", path, strerror(errno));
    const clprims_status status = read_all(file, path, text);
    fclose(file);
    return status;
}
