/* SPDX-License-Identifier: MIT */
/* Where the library is ahead of its peers and where behind, in words. */
#include "bench.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Below this a call is little else than its launch. */
static const double LAUNCH_SECONDS = 15e-6;

/* What a processor's own caches hold. */
static const double CACHED_BYTES = 1 << 20;

/* Timers and clocks do not agree better: closer than this is neither ahead nor behind. */
static const double LEVEL = 0.02;

static const char SERIAL[] = "plain C on one core";

/* A result of the library's beside a peer's. */
typedef struct match {
    const char *library; /* the peer */
    const bench_row *row; /* where its time stands */
    const bench_row *own;
    double times; /* how many times as fast the library is */
} match;

static bool is_measured(const bench_row *row) {
    return row->fault == NULL && row->time.median > 0;
}

/* The library's own row beside this one: the first, which is what AUTO takes. */
static const bench_row *own_row(const bench *b, const bench_row *row) {
    for (size_t k = 0; k < b->kept_count; k++) {
        const bench_row *own = &b->kept[k];
        if (own->library == NULL && own->n == row->n && is_measured(own) &&
            strcmp(own->suite, row->suite) == 0 && strcmp(own->name, row->name) == 0)
            return own;
    }
    return NULL;
}

/* Fills matches, a place for each row, and returns how many there are. The plain C of a list's row
 * stands in the row itself. */
static size_t find_matches(const bench *b, match *matches) {
    size_t count = 0;
    for (size_t k = 0; k < b->kept_count; k++) {
        const bench_row *row = &b->kept[k], *own = own_row(b, row);
        if (!is_measured(row) || own == NULL) continue;
        if (row->library != NULL)
            matches[count++] = (match){row->library, row, own, row->time.median / own->time.median};
        else if (row == own && row->serial_seconds > 0)
            matches[count++] = (match){SERIAL, row, own, row->serial_seconds / own->time.median};
    }
    return count;
}

/* ---- In words ----------------------------------------------------------------------------------
 */

static bool is_textbook(const match *it) {
    return strcmp(it->library, BENCH_TEXTBOOK) == 0;
}

static bool same_subject(const match *a, const match *b) {
    return strcmp(a->row->suite, b->row->suite) == 0 && strcmp(a->row->name, b->row->name) == 0 &&
           (!is_textbook(a) || strcmp(a->row->method, b->row->method) == 0);
}

static void print_subject(const match *it) {
    printf("%s%s%s", is_textbook(it) ? "" : it->row->suite, is_textbook(it) ? "" : " ",
           it->row->name);
    if (is_textbook(it)) printf(", %s", it->row->method);
}

static void print_size(const match *it) {
    char count[24];
    printf("%s (%.2f)", bench_count_text(it->row->n, count), it->times);
}

/* What a peer computes with plain loops on the host. */
static bool is_on_host(const match *it) {
    static const char *const others[] = {"CUB", "Thrust", "Boost.Compute"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strcmp(it->library, others[k]) == 0) return false;
    return !is_textbook(it) || strncmp(it->row->method, "CPU", 3) == 0;
}

/* Why a peer is ahead, as far as the figures tell; else "". */
static const char *reason(const match *it) {
    if (it->own->time.median < LAUNCH_SECONDS) return ": so short that the launch decides";
    if (is_on_host(it) && it->row->bytes < CACHED_BYTES)
        return ": so little that the host's caches hold it";
    return "";
}

/* A line for each subject and reason. */
static void print_behind(const match *matches, size_t behind) {
    for (size_t k = 0; k < behind; k++) {
        const match *it = &matches[k];
        const char *why = reason(it), *between = " at ";
        bool told = false;
        for (size_t j = 0; j < k && !told; j++)
            told = same_subject(&matches[j], it) && strcmp(reason(&matches[j]), why) == 0;
        if (told) continue;
        printf("    ");
        print_subject(it);
        for (size_t j = k; j < behind; j++) {
            if (!same_subject(&matches[j], it) || strcmp(reason(&matches[j]), why) != 0) continue;
            printf("%s", between);
            print_size(&matches[j]);
            between = ", ";
        }
        printf("%s\n", why);
    }
}

static int slower_first(const void *a, const void *b) {
    const double x = ((const match *)a)->times, y = ((const match *)b)->times;
    return (x > y) - (x < y);
}

/* What is said of one peer. */
static void print_peer(match *matches, size_t count) {
    size_t behind = 0, level = 0;
    qsort(matches, count, sizeof *matches, slower_first);
    for (size_t k = 0; k < count; k++) {
        behind += matches[k].times < 1 - LEVEL;
        level += matches[k].times >= 1 - LEVEL && matches[k].times <= 1 + LEVEL;
    }
    const size_t ahead = count - behind - level;
    printf("beside %s: clprims is ahead in %zu of %zu results",
           is_textbook(matches) ? "the textbook's steps" : matches->library, ahead, count);
    if (ahead > 0) {
        printf(", %.2f times as fast at the median, most of all ", matches[count / 2].times);
        print_subject(&matches[count - 1]);
        printf(" at ");
        print_size(&matches[count - 1]);
    }
    if (level > 0) printf("; level in %zu", level);
    if (behind > 0) printf("; behind in %zu", behind);
    printf(behind > 0 ? ":\n" : ".\n");
    print_behind(matches, behind);
}

void bench_summary(const bench *b) {
    match *matches = bench_alloc(b->kept_count * sizeof *matches);
    match *of_one = bench_alloc(b->kept_count * sizeof *of_one);
    size_t count = find_matches(b, matches);
    while (count > 0) {
        const char *library = matches[0].library;
        size_t taken = 0, left = 0;
        for (size_t k = 0; k < count; k++) {
            if (strcmp(matches[k].library, library) == 0)
                of_one[taken++] = matches[k];
            else
                matches[left++] = matches[k];
        }
        print_peer(of_one, taken);
        count = left;
    }
    for (size_t k = 0; k < b->missing_count; k++)
        printf("%s %s: %s\n", k == 0 ? "not compared with" : "             nor with",
               b->missing[k].library, b->missing[k].why);
    free(matches);
    free(of_one);
}
