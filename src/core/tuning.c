/* SPDX-License-Identifier: MIT */
/*
 * Knobs: defaults from the primitive's table, then tuning lines, then the plan's own text.
 *
 * A tuning line:  "DEVICE PATTERN" primitive element-bytes KNOB=value ...   # receipt
 * The pattern is matched against the device's name, against its vendor's and its own, since names
 * need not begin with the vendor's, and against the architecture of NVIDIA's GPUs, "sm_90"; *
 * stands for anything. element-bytes may be *. A later matching line wins over an earlier one, knob
 * by knob. # starts a comment. Every line is checked against the registry when a context is
 * created, whatever device it is for.
 */
#include "core/tuning.h"
#include "core/check.h"
#include "core/context.h"
#include "core/knobs.h"
#include "core/program.h"
#include "core/status.h"
#include "core/test_hooks.h"

#include <errno.h>
#include <stdio.h>
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
    while (s.length > 0 && clp_is_space(s.start[0])) s.start++, s.length--;
    while (s.length > 0 && clp_is_space(s.start[s.length - 1])) s.length--;
    return s;
}

/* Cuts the first word off *rest. */
static span take_word(span *rest) {
    *rest = trim(*rest);
    span word = {rest->start, 0};
    while (word.length < rest->length && !clp_is_space(word.start[word.length])) {
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

static bool is_whole(span s) {
    size_t digits = 0;
    while (digits < s.length && clp_is_digit(s.start[digits])) digits++;
    return digits > 0 && digits == s.length;
}

static bool is_number(span s, size_t number) {
    char text[24];
    snprintf(text, sizeof text, "%zu", number);
    return equals(s, text);
}

/* ---- Knobs ---- */

/* Where a text stands, and the status of its faults. */
typedef struct origin {
    clprims_status status;
    const char *name;
    size_t line; /* 0: it has one line only */
} origin;

/* Fails at that place; subject: the text that is wrong. */
static clprims_status fail_at(const origin *place, span subject, const char *what) {
    char line[24] = "";
    if (place->line > 0) snprintf(line, sizeof line, ":%zu", place->line);
    return clp_fail(place->status, "tuning: %s%s: \"%.*s\" %s", place->name, line,
                    (int)subject.length, subject.start, what);
}

/* Reads KNOB=value; *at gets the knob's place in the table. */
static clprims_status read_knob(const clp_knob *knobs, size_t count, span word, const origin *place,
                                size_t *at, size_t *value) {
    const char *equal = memchr(word.start, '=', word.length);
    const span name = {word.start, equal ? (size_t)(equal - word.start) : word.length};
    char what[160];
    for (*at = 0; *at < count && !equals(name, knobs[*at].name);) ++*at;
    if (equal == NULL || *at == count) {
        snprintf(what, sizeof what, "names no knob of this primitive; %s is one", knobs[0].name);
        return fail_at(place, word, what);
    }
    const clp_knob *knob = &knobs[*at];
    char *end;
    errno = 0;
    const unsigned long long number = strtoull(equal + 1, &end, 10);
    const bool whole = clp_is_digit(equal[1]) && end == word.start + word.length && errno == 0;
    const bool power = number > 0 && (number & (number - 1)) == 0;
    if (!whole || number < knob->least || number > knob->most || (knob->power_of_two && !power)) {
        snprintf(what, sizeof what, "is not allowed; %s is %s from %zu to %zu", knob->name,
                 knob->power_of_two ? "a power of two" : "a whole number", knob->least, knob->most);
        return fail_at(place, word, what);
    }
    *value = (size_t)number;
    return CLPRIMS_OK;
}

/* A table that is being set. */
typedef struct knob_table {
    clp_knob *knobs;
    size_t count;
} knob_table;

static clprims_status set_knobs(const knob_table *table, span text, const origin *place,
                                bool given) {
    for (span word = take_word(&text); word.length > 0; word = take_word(&text)) {
        size_t at, value;
        CLP_TRY(read_knob(table->knobs, table->count, word, place, &at, &value));
        clp_knob *knob = &table->knobs[at];
        knob->value = value;
        knob->set = true;
        knob->given = given;
    }
    return CLPRIMS_OK;
}

/* ---- Files ---- */

/* Checks one line against the registry. */
static clprims_status check_line(const tuning_line *line, const origin *place) {
    const clp_tuning_key *key = clp_tuning_key_find(line->primitive.start, line->primitive.length);
    if (key == NULL) return fail_at(place, line->primitive, "names no primitive");
    if (!equals(line->bytes, "*") && !is_whole(line->bytes)) {
        return fail_at(place, line->bytes, "is neither * nor the bytes of an element");
    }
    span text = line->knobs;
    for (span word = take_word(&text); word.length > 0; word = take_word(&text)) {
        size_t at, value;
        CLP_TRY(read_knob(key->knobs, key->count, word, place, &at, &value));
    }
    return CLPRIMS_OK;
}

clprims_status clp_tuning_check(const char *text, const char *path) {
    origin place = {CLPRIMS_ERR_IO, path, 0};
    span line;
    tuning_line parsed;
    while (text != NULL && take_line(&text, &line)) {
        place.line++;
        const line_kind kind = parse_line(line, &parsed);
        if (kind == LINE_FAULTY) {
            return fail_at(&place, line,
                           "is not of the form \"DEVICE\" primitive bytes KNOB=value");
        }
        if (kind == LINE_TUNING) CLP_TRY(check_line(&parsed, &place));
    }
    return CLPRIMS_OK;
}

clprims_status clp_tuning_check_shipped(void) {
    for (const clp_part *file = clp_tuning_files; *file != NULL; file++) {
        CLP_TRY(clp_tuning_check((*file)->text, (*file)->name));
    }
    return CLPRIMS_OK;
}

/* ---- What a plan gets ---- */

/* What the lines of a file are asked for. */
typedef struct subject {
    const char *device;
    const char *of_vendor; /* the vendor's name in front of the device's */
    const char *architecture;
    const char *key;
    size_t element_bytes;
} subject;

static clprims_status apply_lines(const char *text, const subject *wanted, const knob_table *table,
                                  origin place, bool given) {
    span line;
    tuning_line parsed;
    while (text != NULL && take_line(&text, &line)) {
        place.line++;
        if (parse_line(line, &parsed) != LINE_TUNING) continue;
        const bool bytes =
            equals(parsed.bytes, "*") || is_number(parsed.bytes, wanted->element_bytes);
        if (bytes && equals(parsed.primitive, wanted->key) &&
            (matches(parsed.pattern, wanted->device) ||
             matches(parsed.pattern, wanted->of_vendor) ||
             matches(parsed.pattern, wanted->architecture))) {
            CLP_TRY(set_knobs(table, parsed.knobs, &place, given));
        }
    }
    return CLPRIMS_OK;
}

static _Thread_local struct {
    clp_key_watcher *watcher;
    void *user;
} watch;

void clp_keys_watch(clp_key_watcher *watcher, void *user) {
    watch.watcher = watcher;
    watch.user = user;
}

static void limit_groups(const knob_table *table, size_t most) {
    for (clp_knob *knob = table->knobs; knob < table->knobs + table->count; knob++) {
        if (!knob->is_group) continue;
        knob->value = clp_halved(knob->value, most);
        knob->most = clp_at_most(knob->most, most);
    }
}

clprims_status clp_knobs_set(const clprims_context *context, const char *key, size_t element_bytes,
                             const char *plan_text, clp_knob *knobs, size_t count) {
    const clprims_device_info *device = &context->device.info;
    char of_vendor[sizeof device->vendor + sizeof device->name];
    char architecture[16];
    snprintf(of_vendor, sizeof of_vendor, "%s %s", device->vendor, device->name);
    snprintf(architecture, sizeof architecture, "sm_%d", context->device.compute_capability);
    const subject wanted = {device->name, of_vendor, architecture, key, element_bytes};
    const knob_table table = {knobs, count};
    const origin file = {CLPRIMS_ERR_ARGUMENT, "the tuning file", 0};
    const origin plan = {CLPRIMS_ERR_ARGUMENT, "the plan's text", 0};
    CLP_FAIL_IF(clp_tuning_key_find(key, strlen(key)) == NULL, CLPRIMS_ERR_INTERNAL,
                "tuning: \"%s\" is not in the registry", key);
    if (watch.watcher != NULL) watch.watcher(watch.user, key, element_bytes);
    for (const clp_part *at = clp_tuning_files; *at != NULL; at++) {
        const origin shipped = {CLPRIMS_ERR_ARGUMENT, (*at)->name, 0};
        CLP_TRY(apply_lines((*at)->text, &wanted, &table, shipped, false));
    }
    limit_groups(&table, context->device.max_group);
    CLP_TRY(apply_lines(context->tuning, &wanted, &table, file, true));
    if (plan_text == NULL) return CLPRIMS_OK;
    return set_knobs(&table, (span){plan_text, strlen(plan_text)}, &plan, true);
}

/* ---- The registry of knobs ---- */

const clp_tuning_key *clp_tuning_key_at(size_t number) {
    for (size_t i = 0; clp_tuning_keys[i] != NULL; i++) {
        for (const clp_tuning_key *key = clp_tuning_keys[i]; key->name != NULL; key++) {
            if (number-- == 0) return key;
        }
    }
    return NULL;
}

const clp_tuning_key *clp_tuning_key_find(const char *name, size_t length) {
    const clp_tuning_key *key;
    for (size_t number = 0; (key = clp_tuning_key_at(number)) != NULL; number++) {
        if (strlen(key->name) == length && memcmp(key->name, name, length) == 0) return key;
    }
    return NULL;
}

size_t clprims_knob_count(void) {
    const clp_tuning_key *key;
    size_t count = 0;
    for (size_t number = 0; (key = clp_tuning_key_at(number)) != NULL; number++) {
        count += key->count;
    }
    return count;
}

clprims_status clprims_knob_describe_sized(size_t number, clprims_knob_info *info,
                                           size_t info_bytes) {
    size_t left = number, at = 0;
    CLP_TRY(clp_begin("knob_describe", "info", info));
    const clp_tuning_key *key = clp_tuning_key_at(at);
    for (; key != NULL && left >= key->count; key = clp_tuning_key_at(++at)) left -= key->count;
    CLP_FAIL_IF(key == NULL, CLPRIMS_ERR_ARGUMENT, "knob_describe: number %zu of %zu knobs", number,
                clprims_knob_count());
    const clp_knob *knob = &key->knobs[left];
    const clprims_knob_info full = {.key = key->name,
                                    .name = knob->name,
                                    .meaning = knob->meaning,
                                    .least = knob->least,
                                    .most = knob->most,
                                    .power_of_two = knob->power_of_two,
                                    .has_default = knob->is_fixed,
                                    .default_value = knob->is_fixed ? knob->value : 0};
    return clp_give("knob_describe", "info", &full, sizeof full, info, info_bytes);
}
