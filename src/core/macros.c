/* SPDX-License-Identifier: MIT */
/*
 * The contract between preludes and kernels: cl/ROOM/ROOM.macros lists each macro that C code
 * writes, a line each, with its values and the parts that need it. From these tables come the
 * #error guards before each part and, in debug builds, a check of every prelude.
 */
#include "cl_sources.h"
#include "core/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line of a table. */
typedef struct macro {
    char name[64];
    char values[64];
    char parts[256]; /* stems of the parts that are refused without it, or "-" */
    char meaning[192];
} macro;

enum { LINE_BYTES = 640 };

/* Cuts the first line off a text, and its end where it is longer than that; false at the end. */
static bool take_line(const char **text, char line[LINE_BYTES]) {
    const size_t length = strcspn(*text, "\n");
    if (**text == '\0') return false;
    snprintf(line, LINE_BYTES, "%.*s", length < LINE_BYTES ? (int)length : LINE_BYTES - 1, *text);
    *text += length + ((*text)[length] == '\n');
    return true;
}

/* Reads the next entry of a table; false at its end. */
static bool next_macro(const char **table, macro *entry) {
    char line[LINE_BYTES];
    while (take_line(table, line)) {
        if (sscanf(line, "%63[A-Z0-9_] | %63[^|]| %*[^|]| %255[^|]| %191[^\n]", entry->name,
                   entry->values, entry->parts, entry->meaning) == 4)
            return true;
    }
    return false;
}

/* Whether a text has that word, between blanks. */
static bool has_word(const char *text, const char *word, size_t length) {
    for (const char *at = text; *at != '\0';) {
        const size_t here = strcspn(at, " ");
        if (here == length && strncmp(at, word, length) == 0) return true;
        at += here;
        at += strspn(at, " ");
    }
    return false;
}

/* Of rooms that every primitive builds on. */
static const clp_part shared[] = {&clp_device_macros, &clp_tile_macros, &clp_engine_macros};
enum { SHARED = sizeof shared / sizeof shared[0] };

static bool is_shared(clp_part part) {
    for (size_t i = 0; i < SHARED; i++) {
        if (part->macros == shared[i]) return true;
    }
    return false;
}

/* ---- What a part needs ---- */

/* Calls back with each macro that a part is refused without, until one fails. */
static clprims_status
each_needed(clp_part part, clprims_status (*take)(void *user, const macro *entry), void *user) {
    const char *stem = strchr(part->name, '/') + 1;
    const size_t length = strcspn(stem, ".");
    /* A shared room's macros may be another shared room's, too. */
    for (size_t i = 0; i < (is_shared(part) ? SHARED : 1); i++) {
        const char *table = is_shared(part) ? shared[i]->text : part->macros->text;
        for (macro entry; next_macro(&table, &entry);) {
            if (has_word(entry.parts, stem, length)) CLP_TRY(take(user, &entry));
        }
    }
    return CLPRIMS_OK;
}

static clprims_status add_guard(void *user, const macro *entry) {
    clp_text_add(user, "#ifndef %s\n#error \"the prelude lacks %s: %s\"\n#endif\n", entry->name,
                 entry->name, entry->meaning);
    return CLPRIMS_OK;
}

void clp_macros_add_guards(clp_text *text, clp_part part) {
    clp_text_add(text, "\n#line 1 \"guards of cl/%s\"\n", part->name);
    (void)each_needed(part, add_guard, text);
}

/* ---- The check of a prelude ---- */

/* Whether a value is among "0, 1", or "1..1024", or "integer"; other words allow any. */
static bool is_legal(const char *values, const char *value) {
    char *end, *next;
    if (strncmp(values, "integer", 7) != 0 && (*values < '0' || *values > '9')) return true;
    const unsigned long long number = strtoull(value, &end, 10);
    if (end == value || end[strspn(end, "ul")] != '\0') return false;
    if (values[0] == 'i') return true;
    for (const char *at = values; *at >= '0' && *at <= '9'; at = next + strspn(next, ", ")) {
        const unsigned long long least = strtoull(at, &next, 10);
        const unsigned long long most =
            strncmp(next, "..", 2) == 0 ? strtoull(next + 2, &next, 10) : least;
        if (number >= least && number <= most) return true;
    }
    return false;
}

static bool find_macro(const char *table, const char *name, macro *entry) {
    while (next_macro(&table, entry)) {
        if (strcmp(entry->name, name) == 0) return true;
    }
    return false;
}

/* In the tables of the parts' rooms, a primitive's first: it may give a shared name its own
 * meaning. */
static bool is_listed(const clp_part *parts, const char *name, macro *entry) {
    for (; *parts != NULL; parts++) {
        if (!is_shared(*parts) && find_macro((*parts)->macros->text, name, entry)) return true;
    }
    for (size_t i = 0; i < SHARED; i++) {
        if (find_macro(shared[i]->text, name, entry)) return true;
    }
    return false;
}

/* The next `#define CLP_...` of a prelude, without what it takes from its user; false at the end.
 * value: "" of a macro with parameters. */
static bool next_definition(const char **prelude, char name[64], char value[32]) {
    char line[LINE_BYTES], region[16];
    bool users = false;
    while (take_line(prelude, line)) {
        if (sscanf(line, "#line %*u \"%15[^\"]", region) == 1)
            users = strcmp(region, "prelude") != 0;
        value[0] = '\0';
        if (!users && sscanf(line, "#define %63[A-Z0-9_] %31[^\n(]", name, value) >= 1 &&
            strncmp(name, "CLP_", 4) == 0)
            return true;
    }
    return false;
}

/* Who builds a program, and its prelude. */
typedef struct subject {
    const char *who;
    const char *prelude;
    const char *part;
} subject;

static clprims_status expect_definition(void *user, const macro *entry) {
    const subject *of = user;
    const char *at = of->prelude;
    char name[64], value[32];
    while (next_definition(&at, name, value)) {
        if (strcmp(name, entry->name) == 0) return CLPRIMS_OK;
    }
    return clp_fail(CLPRIMS_ERR_INTERNAL, "%s: the prelude lacks %s, which cl/%s needs", of->who,
                    entry->name, of->part);
}

clprims_status clp_macros_check(const char *who, const char *prelude, const clp_part *parts) {
    char name[64], value[32];
    macro entry;
    for (const char *at = prelude; next_definition(&at, name, value);) {
        CLP_FAIL_IF(!is_listed(parts, name, &entry), CLPRIMS_ERR_INTERNAL,
                    "%s: the prelude sets %s, which no table of macros lists", who, name);
        CLP_FAIL_IF(value[0] != '\0' && !is_legal(entry.values, value), CLPRIMS_ERR_INTERNAL,
                    "%s: the prelude sets %s to %s; legal are %s", who, name, value, entry.values);
    }
    for (; *parts != NULL; parts++) {
        subject of = {who, prelude, (*parts)->name};
        CLP_TRY(each_needed(*parts, expect_definition, &of));
    }
    return CLPRIMS_OK;
}
