/* SPDX-License-Identifier: MIT */
/* Plots of the share of a copy against n, or of the time an element where there is no copy to
 * compare with: SVG by hand, PNG by whichever converter is installed. */
#include "bench.h"
#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { WIDTH = 760, HEIGHT = 440, LEFT = 64, RIGHT = 200, TOP = 48, BOTTOM = 56, MAX_LINES = 24 };

extern char **environ;

/* Told apart by people who do not see all colours, and by their dashes. */
static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#e69f00", "#56b4e9", "#555555", "#b2182b"};
static const char *const dashes[] = {"none", "7 3", "2 3"};
enum { COLORS = sizeof colors / sizeof *colors, DASHES = sizeof dashes / sizeof *dashes };

/* One subject: the rows with its suite and name. */
typedef struct plot {
    const bench *b;
    const char *suite, *name;
    char lines[MAX_LINES][64];
    size_t line_count;
    double least_n, most_n, least, most; /* most and least: of what is drawn */
    bool per_element; /* nanoseconds an element are drawn: no row has a copy beside it */
    bool logarithmic;
} plot;

static double value_of(const plot *p, const bench_row *row) {
    return p->per_element ? row->time.median * 1e9 / (double)row->n
                          : row->copy_seconds / row->time.median;
}

static bool is_subject(const plot *p, const bench_row *row) {
    return row->fault == NULL && row->time.median > 0 && row->n > 0 &&
           strcmp(row->suite, p->suite) == 0 && strcmp(row->name, p->name) == 0;
}

static bool is_drawn(const plot *p, const bench_row *row) {
    return is_subject(p, row) && (p->per_element || row->copy_seconds > 0);
}

/* ---- What is on it ------------------------------------------------------------------------------
 */

/* The library's own methods are lines of their own where it has several. */
static const char *line_of(const plot *p, const bench_row *row) {
    static char own[64];
    if (p->per_element && row->library == NULL) return row->method;
    if (row->library != NULL || strcmp(row->method, "clprims") == 0) return bench_row_label(row);
    snprintf(own, sizeof own, "clprims, %s", row->method);
    return own;
}

static size_t line_number(const plot *p, const bench_row *row) {
    size_t k = 0;
    while (k < p->line_count && strcmp(p->lines[k], line_of(p, row)) != 0) k++;
    return k;
}

static void survey(plot *p) {
    p->least_n = p->least = INFINITY;
    p->most_n = p->most = 0;
    p->per_element = true;
    for (size_t k = 0; k < p->b->kept_count; k++)
        if (is_subject(p, &p->b->kept[k]) && p->b->kept[k].copy_seconds > 0) p->per_element = false;
    for (size_t k = 0; k < p->b->kept_count; k++) {
        const bench_row *row = &p->b->kept[k];
        if (!is_drawn(p, row)) continue;
        const size_t line = line_number(p, row);
        if (line == MAX_LINES) continue;
        if (line == p->line_count)
            snprintf(p->lines[p->line_count++], sizeof p->lines[0], "%s", line_of(p, row));
        p->least_n = fmin(p->least_n, (double)row->n);
        p->most_n = fmax(p->most_n, (double)row->n);
        p->least = fmin(p->least, value_of(p, row));
        p->most = fmax(p->most, value_of(p, row));
    }
    p->logarithmic = p->per_element || p->least < 0.02;
    if (!p->logarithmic) p->least = 0;
    p->most *= p->logarithmic ? 1.2 : 1.05;
    if (!p->per_element) p->most = fmax(p->most, 1);
    if (p->logarithmic) p->least = pow(10, floor(log10(p->least)));
}

static double x_of(const plot *p, double n) {
    const double range = log(p->most_n / p->least_n);
    return LEFT + (range > 0 ? log(n / p->least_n) / range : 0.5) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const plot *p, double share) {
    const double part =
        p->logarithmic ? log(share / p->least) / log(p->most / p->least) : share / p->most;
    return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM);
}

/* ---- SVG ------------------------------------------------------------------------------------- */

static void put_text(FILE *file, double x, double y, const char *attributes, const char *text) {
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, attributes);
    for (; *text != '\0'; text++) {
        if (*text == '<')
            fputs("&lt;", file);
        else if (*text == '&')
            fputs("&amp;", file);
        else
            fputc(*text, file);
    }
    fputs("</text>\n", file);
}

static void put_rule(FILE *file, double x1, double y1, double x2, double y2, const char *stroke) {
    fprintf(file, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\"/>\n", x1, y1, x2, y2, stroke);
}

static void put_share_tick(FILE *file, const plot *p, double share) {
    char text[32];
    const double y = y_of(p, share);
    snprintf(text, sizeof text, "%g", share);
    put_rule(file, LEFT, y, WIDTH - RIGHT, y, share == 1 && !p->per_element ? "#888" : "#ddd");
    put_text(file, LEFT - 8, y + 4, "text-anchor=\"end\"", text);
}

static void put_share_axis(FILE *file, const plot *p) {
    if (p->logarithmic) {
        for (double share = p->least; share <= p->most * 1.001; share *= 10)
            put_share_tick(file, p, share > 0.5 && share < 2 ? 1 : share);
        return;
    }
    for (int tenths = 0; tenths <= 10 * p->most; tenths += 2)
        put_share_tick(file, p, tenths / 10.0);
}

static int compare_sizes(const void *a, const void *b) {
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* The sizes that were measured, as many as there is room for. */
static void put_n_axis(FILE *file, const plot *p) {
    size_t *sizes = bench_alloc(p->b->kept_count * sizeof *sizes), count = 0;
    for (size_t k = 0; k < p->b->kept_count; k++)
        if (is_drawn(p, &p->b->kept[k])) sizes[count++] = p->b->kept[k].n;
    qsort(sizes, count, sizeof *sizes, compare_sizes);
    double last = -INFINITY;
    for (size_t k = 0; k < count; k++) {
        char text[24];
        const double x = x_of(p, (double)sizes[k]);
        bench_count_text(sizes[k], text);
        /* Sizes beside a power of two crowd it. */
        if (x - last < 40 || (strchr(text, '^') == NULL && count > 8)) continue;
        put_rule(file, x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 5, "#333");
        put_text(file, x, HEIGHT - BOTTOM + 20, "text-anchor=\"middle\"", text);
        last = x;
    }
    free(sizes);
}

typedef struct point {
    double n, x, y;
} point;

static int smaller_n_first(const void *a, const void *b) {
    const double x = ((const point *)a)->n, y = ((const point *)b)->n;
    return (x > y) - (x < y);
}

/* The results of one line, by size: a file may hold the runs of several sizes in any order. */
static size_t points_of(const plot *p, size_t line, point *points) {
    size_t count = 0;
    for (size_t k = 0; k < p->b->kept_count; k++) {
        const bench_row *row = &p->b->kept[k];
        if (!is_drawn(p, row) || line_number(p, row) != line) continue;
        const double n = (double)row->n;
        points[count++] = (point){n, x_of(p, n), y_of(p, value_of(p, row))};
    }
    qsort(points, count, sizeof *points, smaller_n_first);
    return count;
}

static void put_line(FILE *file, const plot *p, size_t line, point *points) {
    const char *color = colors[line % COLORS], *dash = dashes[line / COLORS % DASHES];
    const size_t count = points_of(p, line, points);
    fprintf(file,
            "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\" "
            "stroke-dasharray=\"%s\" d=\"",
            color, dash);
    for (size_t k = 0; k < count; k++)
        fprintf(file, "%c%.1f %.1f", k > 0 ? 'L' : 'M', points[k].x, points[k].y);
    fputs("\"/>\n", file);
    for (size_t k = 0; k < count; k++)
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>\n", points[k].x,
                points[k].y, color);
    const double y = TOP + 8 + 18 * (double)line;
    fprintf(file,
            "<path d=\"M%d %.1fh24\" stroke=\"%s\" stroke-width=\"2\" "
            "stroke-dasharray=\"%s\"/>\n",
            WIDTH - RIGHT + 14, y, color, dash);
    put_text(file, WIDTH - RIGHT + 44, y + 4, "", p->lines[line]);
}

static void put_lines(FILE *file, const plot *p) {
    point *points = bench_alloc(p->b->kept_count * sizeof *points);
    for (size_t line = 0; line < p->line_count; line++) put_line(file, p, line, points);
    free(points);
}

static void put_plot(FILE *file, const plot *p) {
    char text[400];
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    snprintf(text, sizeof text, "%s: %s", p->suite, p->name);
    put_text(file, LEFT, 20, "font-size=\"15\" font-weight=\"bold\"", text);
    snprintf(text, sizeof text, "%s, driver %s, clprims %s %s, %s", p->b->origin.name,
             p->b->origin.driver, p->b->origin.version, p->b->origin.commit, p->b->date);
    put_text(file, LEFT, 37, "font-size=\"10\" fill=\"#666\"", text);
    put_share_axis(file, p);
    put_rule(file, LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "#333");
    put_rule(file, LEFT, TOP, LEFT, HEIGHT - BOTTOM, "#333");
    put_n_axis(file, p);
    put_text(file, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14, "text-anchor=\"middle\"",
             "n, elements");
    snprintf(text, sizeof text, "text-anchor=\"middle\" transform=\"rotate(-90 16 %d)\"",
             (TOP + HEIGHT - BOTTOM) / 2);
    put_text(file, 16, (TOP + HEIGHT - BOTTOM) / 2.0, text,
             p->per_element ? "ns an element" : "share of a copy of the same bytes");
    put_lines(file, p);
    fputs("</svg>\n", file);
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* Tries the converters one after another; false where none is installed or works. */
static bool convert(char *svg, char *png) {
    char *const ways[][5] = {{"rsvg-convert", "-o", png, svg, NULL},
                             {"magick", svg, png, NULL, NULL},
                             {"convert", svg, png, NULL, NULL}};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        pid_t child = 0;
        int status = 0;
        if (posix_spawnp(&child, ways[k][0], NULL, NULL, ways[k], environ) != 0) continue;
        if (waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0)
            return true;
    }
    return false;
}

/* A file name from suite and name: letters and digits, '_' for the rest. */
static void path_of(const plot *p, const char *ending, char *path, size_t bytes) {
    const int length = snprintf(path, bytes, "%s/%s_%s", p->b->options.plot, p->suite, p->name);
    if (length < 0 || (size_t)length + strlen(ending) >= bytes)
        bench_die(BENCH_EXIT_USAGE, "the path %s... is too long", path);
    for (char *at = path + strlen(p->b->options.plot) + 1; *at != '\0'; at++)
        if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", *at) == NULL)
            *at = '_';
    memcpy(path + length, ending, strlen(ending) + 1);
}

static bool write_plot(const plot *p) {
    char svg[1024], png[1024];
    path_of(p, ".svg", svg, sizeof svg);
    path_of(p, ".png", png, sizeof png);
    FILE *file = fopen(svg, "w");
    if (file == NULL) bench_die(BENCH_EXIT_USAGE, "can't write %s: %s", svg, strerror(errno));
    put_plot(file, p);
    const bool bad = ferror(file) != 0;
    if (fclose(file) != 0 || bad) bench_die(BENCH_EXIT_USAGE, "can't write all of %s", svg);
    return convert(svg, png);
}

void bench_plots_write(const bench *b) {
    size_t written = 0, converted = 0;
    if (b->options.plot == NULL) return;
    if (mkdir(b->options.plot, 0777) != 0 && errno != EEXIST)
        bench_die(BENCH_EXIT_USAGE, "can't make %s: %s", b->options.plot, strerror(errno));
    for (size_t k = 0; k < b->kept_count; k++) {
        plot p = {.b = b, .suite = b->kept[k].suite, .name = b->kept[k].name};
        bool first = true;
        for (size_t j = 0; j < k && first; j++)
            first = strcmp(b->kept[j].suite, p.suite) != 0 || strcmp(b->kept[j].name, p.name) != 0;
        if (!first) continue;
        survey(&p);
        if (p.line_count == 0 || !(p.most_n > p.least_n)) continue;
        converted += write_plot(&p);
        written++;
    }
    printf("%zu plots are in %s, as SVG%s\n", written, b->options.plot,
           converted == written ? " and PNG"
                                : "; no PNG: neither rsvg-convert nor ImageMagick is installed");
}
