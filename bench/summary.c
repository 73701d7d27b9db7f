/* SPDX-License-Identifier: MIT */
/* Where the library is ahead of its peers and where behind, in words. */
#include "bench.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED = 6 };

/* Below this a call on a GPU is little else than its launch. */
static const double LAUNCH_SECONDS = 15e-6;

/* Timers and clocks do not agree better: closer than this is neither ahead nor behind. */
static const double LEVEL = 0.02;

typedef struct match {
    const bench_row *row; /* the peer's */
    const bench_row *own;
    double times; /* how many times as fast the library is */
} match;

static bool is_peer(const bench_row *row) {
    return row->library != NULL && row->fault == NULL && row->time.median > 0;
}

/* The library's own row beside this one: the first, which is what AUTO takes. */
static const bench_row *own_row(const bench *b, const bench_row *row) {
    for (size_t k = 0; k < b->kept_count; k++) {
        const bench_row *own = &b->kept[k];
        if (own->library == NULL && own->n == row->n && own->fault == NULL &&
            strcmp(own->suite, row->suite) == 0 && strcmp(own->name, row->name) == 0)
            return own;
    }
    return NULL;
}

static int slower_first(const void *a, const void *b) {
    const double x = ((const match *)a)->times, y = ((const match *)b)->times;
    return (x > y) - (x < y);
}

static void print_match(const match *it) {
    char count[24];
    if (strcmp(it->row->library, BENCH_TEXTBOOK) == 0)
        printf("%s, %s", it->row->name, it->row->method);
    else
        printf("%s %s", it->row->suite, it->row->name);
    printf(" at %s (%.2f)", bench_count_text(it->row->n, count), it->times);
}

static void print_behind(const match *matches, size_t behind) {
    bool launches = true;
    printf("; behind in %zu:", behind);
    for (size_t k = 0; k < behind; k++) {
        launches = launches && matches[k].own->time.median < LAUNCH_SECONDS;
        if (k >= NAMED) continue;
        printf("%s ", k > 0 ? "," : "");
        print_match(&matches[k]);
    }
    if (behind > NAMED) printf(" and %zu more", behind - NAMED);
    if (launches) printf(", all calls so short that the launch decides");
}

/* One sentence about one peer; the matches are sorted, where the library is slowest first. */
static void print_peer(const char *library, const match *matches, size_t count) {
    size_t behind = 0, level = 0;
    for (size_t k = 0; k < count; k++) {
        behind += matches[k].times < 1 - LEVEL;
        level += matches[k].times >= 1 - LEVEL && matches[k].times <= 1 + LEVEL;
    }
    const size_t ahead = count - behind - level;
    const bool textbook = strcmp(library, BENCH_TEXTBOOK) == 0;
    printf("beside %s: clprims is ahead in %zu of %zu results",
           textbook ? "the textbook's steps" : library, ahead, count);
    if (ahead > 0) {
        printf(", %.2f times as fast at the median, most of all ", matches[count / 2].times);
        print_match(&matches[count - 1]);
    }
    if (level > 0) printf("; level in %zu", level);
    if (behind > 0) print_behind(matches, behind);
    printf(".\n");
}

static bool is_first_of(const bench *b, size_t k) {
    for (size_t j = 0; j < k; j++)
        if (is_peer(&b->kept[j]) && strcmp(b->kept[j].library, b->kept[k].library) == 0)
            return false;
    return true;
}

void bench_summary(const bench *b) {
    match *matches = bench_alloc(b->kept_count * sizeof *matches);
    for (size_t k = 0; k < b->kept_count; k++) {
        if (!is_peer(&b->kept[k]) || !is_first_of(b, k)) continue;
        size_t count = 0;
        for (size_t j = k; j < b->kept_count; j++) {
            const bench_row *row = &b->kept[j];
            if (!is_peer(row) || strcmp(row->library, b->kept[k].library) != 0) continue;
            const bench_row *own = own_row(b, row);
            if (own != NULL && own->time.median > 0)
                matches[count++] = (match){row, own, row->time.median / own->time.median};
        }
        if (count == 0) continue;
        qsort(matches, count, sizeof *matches, slower_first);
        print_peer(b->kept[k].library, matches, count);
    }
    for (size_t k = 0; k < b->missing_count; k++)
        printf("%s %s: %s\n", k == 0 ? "not compared with" : "             nor with",
               b->missing[k].library, b->missing[k].why);
    free(matches);
}
