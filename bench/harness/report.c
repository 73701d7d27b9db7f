/* SPDX-License-Identifier: MIT */
/* The table on stdout and the CSV file, one line a row in both. */
#include "harness/bench.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *bench_count_text(size_t n, char *text) {
    unsigned exponent = 0;
    size_t power = n;
    while (power >= 10 && power % 10 == 0) power /= 10, exponent++;
    if (power == 1 && exponent > 2) {
        snprintf(text, 24, "10^%u", exponent);
        return text;
    }
    exponent = 0;
    power = n;
    while (power >= 2 && power % 2 == 0) power /= 2, exponent++;
    if (power == 1 && exponent > 6)
        snprintf(text, 24, "2^%u", exponent);
    else
        snprintf(text, 24, "%zu", n);
    return text;
}

const char *bench_seconds_text(double seconds, char *text) {
    if (seconds < 1e-3)
        snprintf(text, 24, "%.1f us", seconds * 1e6);
    else if (seconds < 1)
        snprintf(text, 24, "%.3g ms", seconds * 1e3);
    else
        snprintf(text, 24, "%.3g s", seconds);
    return text;
}

void bench_table_begin(const char *title) {
    bench_progress_hide();
    printf("\n%-28s %9s  %-28s %9s %6s %9s %8s %8s %8s %9s\n", title, "n", "method", "time",
           "spread", "wall", "GB/s", "of copy", "Gelem/s", "x plain C");
    bench_progress_seen();
}

void bench_note(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    bench_progress_hide();
    printf("  (");
    vprintf(format, arguments);
    printf(")\n");
    va_end(arguments);
    bench_progress_seen();
}

static void print_ratio(int width, double over, double under) {
    if (over > 0 && under > 0)
        printf(" %*.*f", width, over < 0.1 * under ? 4 : 2, over / under);
    else
        printf(" %*s", width, "-");
}

static void print_spread(const bench_time *time) {
    printf(" %5.1f%%", time->median > 0 ? 100 * time->spread / time->median : 0);
}

enum { METHOD_CHARS = 80 };

/* "lookahead: single-wave", or the method alone where it has no variant of another name. */
static const char *method_text(const bench_row *row, char text[METHOD_CHARS]) {
    if (row->variant == NULL || strcmp(row->variant, row->method) == 0) return row->method;
    snprintf(text, METHOD_CHARS, "%s: %s", row->method, row->variant);
    return text;
}

static void print_row(const bench_row *row) {
    char count[24], time[24];
    const bool is_peer = row->library != NULL && strcmp(row->library, BENCH_TEXTBOOK) != 0;
    char method[METHOD_CHARS];
    bench_progress_hide();
    printf("%-28s %9s  %-28s ", row->name, bench_count_text(row->n, count),
           is_peer ? row->library : method_text(row, method));
    if (row->fault != NULL) {
        printf("%s: %s\n", row->failed ? "FAILED" : "WRONG", row->fault);
    } else {
        const double seconds = row->time.median;
        printf("%9s", bench_seconds_text(seconds, time));
        print_spread(&row->time);
        printf(" %9s", row->time.wall > 0 ? bench_seconds_text(row->time.wall, time) : "-");
        print_ratio(8, row->bytes * 1e-9, seconds);
        print_ratio(8, row->copy_seconds, seconds);
        print_ratio(8, (double)row->n * 1e-9, seconds);
        print_ratio(9, row->serial_seconds, seconds);
        printf("\n");
    }
    bench_progress_seen();
}

/* A field of the CSV file, in quotes, with the quotes in it doubled. */
static void put_field(FILE *file, const char *text, char end) {
    fputc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"') fputc('"', file);
        fputc(*text == '\n' || *text == '\r' ? ' ' : *text, file);
    }
    fputc('"', file);
    fputc(end, file);
}

static void put_csv(const bench *b, const bench_row *row) {
    FILE *file = b->csv;
    const char *verdict = "equal";
    char method[METHOD_CHARS], layer[METHOD_CHARS];
    const char *probed = b->options.probed;
    snprintf(layer, sizeof layer, "%s%s%s", clprims_layer_name(b->info.layer),
             probed != NULL ? ", " : "", probed != NULL ? probed : "");
    if (row->fault != NULL) verdict = row->failed ? "failed" : "wrong";
    put_field(file, row->suite, ',');
    put_field(file, row->name, ',');
    put_field(file, row->library != NULL ? row->library : "clprims", ',');
    put_field(file, method_text(row, method), ',');
    fprintf(file, "%zu,%.0f,%.9g,%.9g,%.9g,%.9g,%zu,%.9g,%.9g,%.9g,%zu,%s,", row->n, row->bytes,
            row->time.median, row->time.least, row->time.most, row->time.spread, row->time.runs,
            row->time.wall, row->copy_seconds, row->serial_seconds, row->parts, verdict);
    put_field(file, b->info.device.name, ',');
    put_field(file, b->info.device.driver, ',');
    put_field(file, b->info.device.platform_name, ',');
    put_field(file, layer, ',');
    put_field(file, clprims_version(), ',');
    put_field(file, b->options.commit != NULL ? b->options.commit : "", ',');
    put_field(file, b->date, '\n');
    fflush(file);
}

void bench_row_report(bench *b, const bench_row *row) {
    b->rows++;
    if (row->fault != NULL && row->failed) b->failed++;
    if (row->fault != NULL && !row->failed) b->wrong++;
    bench_progress_row();
    print_row(row);
    if (b->csv != NULL) put_csv(b, row);
}

void bench_row_conclude(bench *b, bench_row *row, clprims_status status,
                        char fault[BENCH_FAULT_CHARS]) {
    if (status != CLPRIMS_OK) {
        row->failed = status != CLPRIMS_ERR_DATA;
        snprintf(fault, BENCH_FAULT_CHARS, "%s", clprims_last_error()->message);
    }
    if (fault[0] != '\0') row->fault = fault;
    bench_row_report(b, row);
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

void bench_missing_report(const bench *b) {
    for (size_t k = 0; k < b->missing_count; k++)
        printf("not measured: %s: %s\n", b->missing[k].library, b->missing[k].why);
}

void bench_csv_open(bench *b) {
    if (b->options.csv == NULL) return;
    b->csv = fopen(b->options.csv, "w");
    if (b->csv == NULL)
        bench_die(BENCH_EXIT_USAGE, "can't write %s: %s", b->options.csv, strerror(errno));
    fputs(
        "suite,name,library,method,n,bytes,seconds,seconds_least,seconds_most,seconds_spread,runs,"
        "wall_seconds,copy_seconds,serial_seconds,parts,verdict,device,driver,platform,layer,"
        "version,"
        "commit,date\n",
        b->csv);
}

void bench_csv_close(bench *b) {
    if (b->csv == NULL) return;
    const bool bad = ferror((FILE *)b->csv) != 0;
    const bool unclosed = fclose(b->csv) != 0;
    b->csv = NULL;
    if (bad || unclosed)
        bench_die(BENCH_EXIT_USAGE, "can't write all of %s: %s", b->options.csv, strerror(errno));
}
