/* SPDX-License-Identifier: MIT */
/*
 * Knobs: defaults from the primitive's table, then tuning lines, then the plan's own text.
 *
 * A tuning line:  "DEVICE PATTERN" primitive element-bytes KNOB=value ...   # receipt
 * The pattern is matched against the device's name, * standing for anything; element-bytes may
 * be *. A later matching line wins over an earlier one, knob by knob. # starts a comment.
 */
#include "internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lines ---- */

typedef struct span {
    const char *start;
    size_t length;
} span;

typedef struct tuning_line {
    span pattern;
    span primitive;
    span bytes;
    span knobs; /* "GROUP=256 ROWS=4" */
} tuning_line;

typedef enum line_kind { LINE_EMPTY, LINE_TUNING, LINE_FAULTY } line_kind;

static span trim(span s) {
    while (s.length > 0 && isspace((unsigned char)s.start[0])) s.start++, s.length--;
    while (s.length > 0 && isspace((unsigned char)s.start[s.length - 1])) s.length--;
    return s;
}

/* Cuts the first word off *rest. */
static span take_word(span *rest) {
    *rest = trim(*rest);
    span word = {rest->start, 0};
    while (word.length < rest->length && !isspace((unsigned char)word.start[word.length])) {
        word.length++;
    }
    rest->start += word.length;
    rest->length -= word.length;
    return word;
}

static line_kind parse_line(span rest, tuning_line *line) {
    const char *comment = memchr(rest.start, '#', rest.length);
    if (comment != NULL) rest.length = (size_t)(comment - rest.start);
    rest = trim(rest);
    if (rest.length == 0) return LINE_EMPTY;
    const char *quote = rest.start[0] == '"' ? memchr(rest.start + 1, '"', rest.length - 1) : NULL;
    if (quote == NULL) return LINE_FAULTY;
    line->pattern = (span){rest.start + 1, (size_t)(quote - rest.start) - 1};
    rest = (span){quote + 1, rest.length - (size_t)(quote - rest.start) - 1};
    line->primitive = take_word(&rest);
    line->bytes = take_word(&rest);
    line->knobs = trim(rest);
    return line->knobs.length > 0 ? LINE_TUNING : LINE_FAULTY;
}

/* Cuts the first line off *text; false at the end. */
static bool take_line(const char **text, span *line) {
    if (**text == '\0') return false;
    line->start = *text;
    line->length = strcspn(*text, "\n");
    *text += line->length + ((*text)[line->length] == '\n');
    return true;
}

clprims_status clp_tuning_check(const char *text, const char *path) {
    span line;
    tuning_line parsed;
    for (size_t number = 1; text != NULL && take_line(&text, &line); number++) {
        if (parse_line(line, &parsed) == LINE_FAULTY) {
            return clp_fail(CLPRIMS_ERR_IO,
                            "tuning: %s:%zu: \"%.*s\" is not of the form \"DEVICE\" primitive "
                            "bytes KNOB=value",
                            path, number, (int)line.length, line.start);
        }
    }
    return CLPRIMS_OK;
}

/* ---- Matching ---- */

/* Whether pattern, in which * stands for any characters, matches the whole of text. */
static bool matches(span pattern, const char *text) {
    size_t at = 0, star = SIZE_MAX;
    const char *resume = text;
    while (*text != '\0') {
        if (at < pattern.length && pattern.start[at] == '*') {
            star = at++;
            resume = text;
        } else if (at < pattern.length && pattern.start[at] == *text) {
            at++;
            text++;
        } else if (star != SIZE_MAX) {
            at = star + 1;
            text = ++resume;
        } else {
            return false;
        }
    }
    while (at < pattern.length && pattern.start[at] == '*') at++;
    return at == pattern.length;
}

static bool equals(span s, const char *text) {
    return s.length == strlen(text) && memcmp(s.start, text, s.length) == 0;
}

static bool is_number(span s, size_t number) {
    size_t value = 0;
    for (size_t i = 0; i < s.length; i++) {
        if (!isdigit((unsigned char)s.start[i])) return false;
        value = 10 * value + (size_t)(s.start[i] - '0');
    }
    return s.length > 0 && value == number;
}

/* ---- Knobs ---- */

static clp_knob *find_knob(clp_knob *knobs, size_t count, span name) {
    for (size_t i = 0; i < count; i++) {
        if (equals(name, knobs[i].name)) return &knobs[i];
    }
    return NULL;
}

static clprims_status set_knob(clp_knob *knobs, size_t count, span word, const char *origin) {
    const char *equal = memchr(word.start, '=', word.length);
    const size_t name_length = equal ? (size_t)(equal - word.start) : word.length;
    clp_knob *knob = find_knob(knobs, count, (span){word.start, name_length});
    if (equal == NULL || knob == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "tuning: \"%.*s\" in %s names no knob; %s is one",
                        (int)word.length, word.start, origin, knobs[0].name);
    }
    char *end;
    const unsigned long long value = strtoull(equal + 1, &end, 10);
    const bool whole = isdigit((unsigned char)equal[1]) && end == word.start + word.length;
    const bool power = value > 0 && (value & (value - 1)) == 0;
    if (!whole || value < knob->least || value > knob->most || (knob->power_of_two && !power)) {
        return clp_fail(
            CLPRIMS_ERR_ARGUMENT, "tuning: \"%.*s\" in %s is not allowed; %s is %s from %zu to %zu",
            (int)word.length, word.start, origin, knob->name,
            knob->power_of_two ? "a power of two" : "a whole number", knob->least, knob->most);
    }
    knob->value = (size_t)value;
    knob->given = true;
    return CLPRIMS_OK;
}

static clprims_status set_knobs(clp_knob *knobs, size_t count, span text, const char *origin) {
    for (span word = take_word(&text); word.length > 0; word = take_word(&text)) {
        CLP_TRY(set_knob(knobs, count, word, origin));
    }
    return CLPRIMS_OK;
}

static clprims_status apply_lines(const clprims_context *context, const char *text,
                                  const char *primitive, size_t element_bytes, clp_knob *knobs,
                                  size_t count, const char *origin) {
    span line;
    tuning_line parsed;
    while (text != NULL && take_line(&text, &line)) {
        if (parse_line(line, &parsed) != LINE_TUNING) continue;
        const bool bytes = equals(parsed.bytes, "*") || is_number(parsed.bytes, element_bytes);
        if (bytes && equals(parsed.primitive, primitive) &&
            matches(parsed.pattern, context->device.info.name)) {
            CLP_TRY(set_knobs(knobs, count, parsed.knobs, origin));
        }
    }
    return CLPRIMS_OK;
}

clprims_status clp_knobs_set(const clprims_context *context, const char *primitive,
                             size_t element_bytes, const char *plan_text, clp_knob *knobs,
                             size_t count) {
    for (const clp_source *source = clp_sources; source->name != NULL; source++) {
        if (strncmp(source->name, "tuning/", 7) != 0) continue;
        CLP_TRY(apply_lines(context, source->text, primitive, element_bytes, knobs, count,
                            source->name));
    }
    for (size_t i = 0; i < count; i++) knobs[i].given = false;
    CLP_TRY(apply_lines(context, context->tuning, primitive, element_bytes, knobs, count,
                        "the tuning file"));
    if (plan_text == NULL) return CLPRIMS_OK;
    return set_knobs(knobs, count, (span){plan_text, strlen(plan_text)}, "the plan's tuning");
}

size_t clp_knob_value(const clp_knob *knobs, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(knobs[i].name, name) == 0) return knobs[i].value;
    }
    return 0;
}
