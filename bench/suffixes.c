/* SPDX-License-Identifier: MIT */
/*
 * Prefix doubling. Suffixes that agree in their first `depth` bytes form a group, a range of the
 * array; a group's number is the place of its last member. Sorting each group by the group number
 * of the suffix `depth` bytes further on doubles the depth. Ranges that are done are marked by
 * minus their length, so that they are skipped in one step.
 */
#include "suffixes.h"
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 257 * 257, SHORT_RUN = 16 };

/* A suffix with its key above it, so that whole words compare. */
typedef uint64_t keyed;

typedef struct sorter {
    int32_t *suffixes;
    int32_t *group;
    size_t n;
    size_t depth;
    keyed *items, *merged; /* room for one group */
    size_t room;
} sorter;

static bool make_room(sorter *s, size_t count) {
    if (count <= s->room) return true;
    free(s->items);
    free(s->merged);
    s->room = count < s->n / 2 ? 2 * count : s->n;
    s->items = malloc(s->room * sizeof *s->items);
    s->merged = malloc(s->room * sizeof *s->merged);
    return s->items != NULL && s->merged != NULL;
}

static void sort_short_run(keyed *items, size_t count) {
    for (size_t i = 1; i < count; i++) {
        const keyed item = items[i];
        size_t k = i;
        for (; k > 0 && items[k - 1] > item; k--) items[k] = items[k - 1];
        items[k] = item;
    }
}

static void merge(const keyed *items, size_t middle, size_t count, keyed *to) {
    if (middle == count || items[middle - 1] <= items[middle]) {
        memcpy(to, items, count * sizeof *to);
        return;
    }
    size_t a = 0, b = middle;
    for (size_t k = 0; k < count; k++)
        to[k] = b >= count || (a < middle && items[a] <= items[b]) ? items[a++] : items[b++];
}

/* Sorts s->items. */
static void sort_items(sorter *s, size_t count) {
    for (size_t first = 0; first < count; first += SHORT_RUN)
        sort_short_run(s->items + first, count - first < SHORT_RUN ? count - first : SHORT_RUN);
    for (size_t run = SHORT_RUN; run < count; run *= 2) {
        for (size_t first = 0; first < count; first += 2 * run) {
            const size_t here = count - first < 2 * run ? count - first : 2 * run;
            merge(s->items + first, here < run ? here : run, here, s->merged + first);
        }
        keyed *held = s->items;
        s->items = s->merged;
        s->merged = held;
    }
}

/* Makes groups of the members [first, end) of suffixes, whose keys stand in s->items. */
static void split_group(sorter *s, size_t first, size_t end) {
    for (size_t from = first; from < end;) {
        const uint64_t key = s->items[from - first] >> 32;
        size_t to = from;
        while (to < end && s->items[to - first] >> 32 == key) to++;
        for (size_t i = from; i < to; i++) {
            s->suffixes[i] = (int32_t)(uint32_t)s->items[i - first];
            s->group[s->suffixes[i]] = (int32_t)(to - 1);
        }
        if (to - from == 1) s->suffixes[from] = -1;
        from = to;
    }
}

/* All keys are read before any group number changes, so that members compare alike. */
static bool sort_group(sorter *s, size_t first, size_t end) {
    const size_t count = end - first;
    if (!make_room(s, count)) return false;
    for (size_t i = 0; i < count; i++) {
        const size_t suffix = (size_t)s->suffixes[first + i], beyond = suffix + s->depth;
        const uint64_t key = beyond < s->n ? (uint64_t)s->group[beyond] + 1 : 0;
        s->items[i] = key << 32 | suffix;
    }
    sort_items(s, count);
    split_group(s, first, end);
    return true;
}

/* One doubling; *done says whether every suffix stands alone. */
static bool sort_groups(sorter *s, bool *done) {
    size_t place = 0, sorted = 0;
    *done = true;
    while (place < s->n) {
        if (s->suffixes[place] < 0) {
            const size_t length = (size_t)-s->suffixes[place];
            place += length;
            sorted += length;
            continue;
        }
        if (sorted > 0) s->suffixes[place - sorted] = -(int32_t)sorted;
        sorted = 0;
        *done = false;
        const size_t end = (size_t)s->group[s->suffixes[place]] + 1;
        if (!sort_group(s, place, end)) return false;
        place = end;
    }
    if (sorted > 0) s->suffixes[s->n - sorted] = -(int32_t)sorted;
    return true;
}

static size_t pair_at(const unsigned char *text, size_t i, size_t n) {
    return (text[i] + (size_t)1) * 257 + (i + 1 < n ? text[i + 1] + (size_t)1 : 0);
}

/* Groups by the first two bytes. */
static bool group_pairs(sorter *s, const unsigned char *text) {
    size_t *ends = calloc(PAIRS, sizeof *ends);
    if (ends == NULL) return false;
    for (size_t i = 0; i < s->n; i++) ends[pair_at(text, i, s->n)]++;
    size_t total = 0;
    for (size_t pair = 0; pair < PAIRS; pair++) ends[pair] = total += ends[pair];
    for (size_t i = 0; i < s->n; i++) s->group[i] = (int32_t)(ends[pair_at(text, i, s->n)] - 1);
    for (size_t i = s->n; i-- > 0;) s->suffixes[--ends[pair_at(text, i, s->n)]] = (int32_t)i;
    free(ends);
    s->depth = 2;
    return true;
}

bool suffixes_sort(const unsigned char *text, int32_t *suffixes, size_t n) {
    if (n == 0) return true;
    sorter s = {.suffixes = suffixes, .n = n, .group = malloc(n * sizeof(int32_t))};
    bool good = s.group != NULL && group_pairs(&s, text), done = false;
    while (good && !done) {
        good = sort_groups(&s, &done);
        s.depth *= 2;
    }
    if (good)
        for (size_t i = 0; i < n; i++) suffixes[s.group[i]] = (int32_t)i;
    free(s.group);
    free(s.items);
    free(s.merged);
    return good;
}
