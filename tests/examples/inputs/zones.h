/* SPDX-License-Identifier: MIT */
/* What spanning_forest.c needs and no device does: cities and the lines between them from a table
 * of time zones, and the same forest by Kruskal's algorithm. */
#ifndef ZONES_H
#define ZONES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { CITIES = 512, REACH = 20 * 60, ROOM = CITIES * CITIES };

typedef struct zone_lines {
    size_t cities, n;
    int64_t length[ROOM], ends[2][ROOM];
} zone_lines;

/* Places such as "AD +4230+00131", in degrees, minutes and perhaps seconds, which are dropped. All
 * pairs of cities within reach are lines on the map. */
static void read_lines(FILE *file, zone_lines *lines) {
    static int map[CITIES][2];
    char text[512];
    for (int y, x; lines->cities < CITIES && fgets(text, sizeof text, file) != NULL;) {
        if (sscanf(text, "%*[A-Z,] %d%d", &y, &x) != 2) continue;
        const int unit = abs(y) > 9000 ? 100 : 1;
        map[lines->cities][0] = y / unit / 100 * 60 + y / unit % 100;
        map[lines->cities++][1] = x / unit / 100 * 60 + x / unit % 100;
    }
    for (size_t a = 0; a < lines->cities; a++) {
        for (size_t b = 0; b < a; b++) {
            const int64_t y = map[a][0] - map[b][0], x = map[a][1] - map[b][1];
            lines->ends[0][lines->n] = (int64_t)a;
            lines->ends[1][lines->n] = (int64_t)b;
            lines->length[lines->n] = y * y + x * x;
            lines->n += y * y + x * x <= REACH * REACH;
        }
    }
}

/* Kruskal's algorithm: the shortest line first, each one is taken unless its ends are connected,
 * which union-find tells. Returns how many are taken, and whether others are in `found`. */
static size_t take_by_plain_c(const zone_lines *lines, const int64_t *order, const char *found,
                              int *differs) {
    static int64_t parent[CITIES];
    size_t taken = 0;
    for (int64_t c = 0; c < CITIES; c++) parent[c] = c;
    for (size_t k = 0; k < lines->n; k++) {
        int64_t a = lines->ends[0][order[k]], b = lines->ends[1][order[k]];
        while (parent[a] != a) a = parent[a] = parent[parent[a]];
        while (parent[b] != b) b = parent[b] = parent[parent[b]];
        *differs |= found[k] != (a != b);
        taken += a != b;
        parent[a] = b;
    }
    return taken;
}

#endif
