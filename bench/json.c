/* SPDX-License-Identifier: MIT */
/* The figures of a run as one JSON object. */
#include "bench.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static void put_text(FILE *file, const char *text) {
    fputc('"', file);
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++) {
        if (*at == '"' || *at == '\\')
            fprintf(file, "\\%c", *at);
        else if (*at < 0x20)
            fprintf(file, "\\u%04x", (unsigned)*at);
        else
            fputc(*at, file);
    }
    fputc('"', file);
}

static void put_member(FILE *file, const char *name, const char *text, const char *after) {
    put_text(file, name);
    fputs(": ", file);
    put_text(file, text);
    fputs(after, file);
}

static void put_number(FILE *file, const char *name, double value, const char *after) {
    fprintf(file, "\"%s\": %.9g%s", name, value, after);
}

static void put_row(FILE *file, const bench_row *row) {
    fputs("    {", file);
    put_member(file, "suite", row->suite, ", ");
    put_member(file, "name", row->name, ", ");
    put_member(file, "library", row->library != NULL ? row->library : "clprims", ", ");
    put_member(file, "method", row->method, ", ");
    fprintf(file, "\"n\": %zu, \"bytes\": %.0f, \"runs\": %zu, ", row->n, row->bytes,
            row->time.runs);
    put_number(file, "seconds", row->time.median, ", ");
    put_number(file, "seconds_least", row->time.least, ", ");
    put_number(file, "seconds_most", row->time.most, ", ");
    put_number(file, "seconds_spread", row->time.spread, ", ");
    put_number(file, "wall_seconds", row->time.wall, ", ");
    put_number(file, "copy_seconds", row->copy_seconds, ", ");
    put_number(file, "serial_seconds", row->serial_seconds, ", ");
    fprintf(file, "\"parts\": %zu, ", row->parts);
    const char *verdict = row->failed ? "failed" : "wrong";
    put_member(file, "verdict", row->fault == NULL ? "equal" : verdict, "");
    if (row->fault != NULL) {
        fputs(", ", file);
        put_member(file, "fault", row->fault, "");
    }
    fputc('}', file);
}

void bench_json_write(const bench *b) {
    if (b->options.json == NULL) return;
    FILE *file = fopen(b->options.json, "w");
    if (file == NULL)
        bench_die(BENCH_EXIT_USAGE, "can't write %s: %s", b->options.json, strerror(errno));
    fputs("{\n", file);
    put_member(file, "device", b->origin.name, ",\n");
    put_member(file, "driver", b->origin.driver, ",\n");
    put_member(file, "platform", b->origin.platform, ",\n");
    put_member(file, "layer", b->origin.layer, ",\n");
    put_member(file, "version", b->origin.version, ",\n");
    put_member(file, "commit", b->origin.commit, ",\n");
    put_member(file, "date", b->date, ",\n");
    fputs("\"missing\": {", file);
    for (size_t k = 0; k < b->missing_count; k++)
        put_member(file, b->missing[k].library, b->missing[k].why,
                   k + 1 < b->missing_count ? ", " : "");
    fputs("},\n\"rows\": [\n", file);
    for (size_t k = 0; k < b->kept_count; k++) {
        put_row(file, &b->kept[k]);
        fputs(k + 1 < b->kept_count ? ",\n" : "\n", file);
    }
    fputs("]}\n", file);
    const bool bad = ferror(file) != 0;
    if (fclose(file) != 0 || bad)
        bench_die(BENCH_EXIT_USAGE, "can't write all of %s", b->options.json);
    printf("the same figures are in %s\n", b->options.json);
}
