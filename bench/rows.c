/* SPDX-License-Identifier: MIT */
/* The rows of a run, kept for what is made of them at its end, or read from an earlier run's CSV.
 */
#include "bench.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FIELDS = 32, LINE_BYTES = 4096 };

static char *copy_text(const char *text) {
    if (text == NULL) return NULL;
    const size_t bytes = strlen(text) + 1;
    char *copy = bench_alloc(bytes);
    memcpy(copy, text, bytes);
    return copy;
}

void bench_rows_keep(bench *b, const bench_row *row) {
    if (b->kept_count == b->kept_capacity) {
        b->kept_capacity = b->kept_capacity == 0 ? 256 : 2 * b->kept_capacity;
        bench_row *larger = realloc(b->kept, b->kept_capacity * sizeof *larger);
        if (larger == NULL) bench_die(BENCH_EXIT_DEVICE, "no host memory for the rows");
        b->kept = larger;
    }
    bench_row *kept = &b->kept[b->kept_count++];
    *kept = *row;
    kept->suite = copy_text(row->suite);
    kept->name = copy_text(row->name);
    kept->library = copy_text(row->library);
    kept->method = copy_text(row->method);
    kept->fault = copy_text(row->fault);
}

void bench_rows_free(bench *b) {
    for (size_t k = 0; k < b->kept_count; k++) {
        free((void *)b->kept[k].suite);
        free((void *)b->kept[k].name);
        free((void *)b->kept[k].library);
        free((void *)b->kept[k].method);
        free((void *)b->kept[k].fault);
    }
    free(b->kept);
}

const char *bench_row_label(const bench_row *row) {
    if (row->library == NULL) return "clprims";
    return strcmp(row->library, BENCH_TEXTBOOK) == 0 ? row->method : row->library;
}

void bench_missing(bench *b, const char *library, const char *why) {
    const size_t most = sizeof b->missing / sizeof *b->missing;
    for (size_t k = 0; k < b->missing_count; k++)
        if (strcmp(b->missing[k].library, library) == 0) return;
    if (b->missing_count == most) return;
    snprintf(b->missing[b->missing_count].library, sizeof b->missing[0].library, "%s", library);
    snprintf(b->missing[b->missing_count].why, sizeof b->missing[0].why, "%s", why);
    b->missing_count++;
}

/* ---- Reading ----------------------------------------------------------------------------------
 */

/* Splits a line of the program's own CSV in place; returns how many fields it has. */
static size_t split(char *line, char *fields[MAX_FIELDS]) {
    size_t count = 0;
    char *at = line;
    while (count < MAX_FIELDS) {
        const bool quoted = *at == '"';
        char *to = at += quoted;
        fields[count++] = to;
        while (*at != '\0' && *at != '\n' && (quoted ? *at != '"' || at[1] == '"' : *at != ',')) {
            if (quoted && *at == '"') at++;
            *to++ = *at++;
        }
        at += quoted && *at == '"';
        const bool more = *at == ',';
        *to = '\0';
        if (!more) break;
        at++;
    }
    return count;
}

static const char *field_of(char *const names[], char *const fields[], size_t count,
                            const char *name) {
    for (size_t k = 0; k < count; k++)
        if (strcmp(names[k], name) == 0) return fields[k];
    return "";
}

static void keep_origin(bench *b, char *const names[], char *const fields[], size_t count) {
    const struct {
        const char *name;
        char *to;
        size_t bytes;
    } parts[] = {{"device", b->origin.name, sizeof b->origin.name},
                 {"driver", b->origin.driver, sizeof b->origin.driver},
                 {"platform", b->origin.platform, sizeof b->origin.platform},
                 {"layer", b->origin.layer, sizeof b->origin.layer},
                 {"version", b->origin.version, sizeof b->origin.version},
                 {"commit", b->origin.commit, sizeof b->origin.commit},
                 {"date", b->date, sizeof b->date}};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        snprintf(parts[k].to, parts[k].bytes, "%s", field_of(names, fields, count, parts[k].name));
}

static void keep_line(bench *b, char *const names[], char *const fields[], size_t count) {
    const struct {
        const char *name;
        size_t at;
    } numbers[] = {{"bytes", offsetof(bench_row, bytes)},
                   {"seconds", offsetof(bench_row, time.median)},
                   {"seconds_least", offsetof(bench_row, time.least)},
                   {"seconds_most", offsetof(bench_row, time.most)},
                   {"seconds_spread", offsetof(bench_row, time.spread)},
                   {"wall_seconds", offsetof(bench_row, time.wall)},
                   {"copy_seconds", offsetof(bench_row, copy_seconds)},
                   {"serial_seconds", offsetof(bench_row, serial_seconds)}};
    bench_row row = {.suite = field_of(names, fields, count, "suite"),
                     .name = field_of(names, fields, count, "name"),
                     .library = field_of(names, fields, count, "library"),
                     .method = field_of(names, fields, count, "method")};
    if (row.library[0] == '\0' || strcmp(row.library, "clprims") == 0) row.library = NULL;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        const double value = strtod(field_of(names, fields, count, numbers[k].name), NULL);
        memcpy((char *)&row + numbers[k].at, &value, sizeof value);
    }
    row.n = (size_t)strtoull(field_of(names, fields, count, "n"), NULL, 10);
    row.time.runs = (size_t)strtoull(field_of(names, fields, count, "runs"), NULL, 10);
    row.parts = (size_t)strtoull(field_of(names, fields, count, "parts"), NULL, 10);
    const char *verdict = field_of(names, fields, count, "verdict");
    if (strcmp(verdict, "equal") != 0) row.fault = verdict;
    row.failed = strcmp(verdict, "failed") == 0;
    b->rows++;
    b->wrong += row.fault != NULL && !row.failed;
    b->failed += row.failed;
    bench_rows_keep(b, &row);
}

void bench_rows_read(bench *b) {
    static char head[LINE_BYTES], line[LINE_BYTES];
    char *names[MAX_FIELDS], *fields[MAX_FIELDS];
    FILE *file = fopen(b->options.from, "r");
    if (file == NULL)
        bench_die(BENCH_EXIT_USAGE, "can't read %s: %s", b->options.from, strerror(errno));
    if (fgets(head, sizeof head, file) == NULL || strncmp(head, "suite,name,", 11) != 0)
        bench_die(BENCH_EXIT_USAGE, "%s is no CSV file of this program", b->options.from);
    const size_t columns = split(head, names);
    for (size_t number = 2; fgets(line, sizeof line, file) != NULL; number++) {
        if (split(line, fields) != columns)
            bench_die(BENCH_EXIT_USAGE, "%s, line %zu: it has not the %zu fields of the first",
                      b->options.from, number, columns);
        if (number == 2) keep_origin(b, names, fields, columns);
        keep_line(b, names, fields, columns);
    }
    fclose(file);
}
