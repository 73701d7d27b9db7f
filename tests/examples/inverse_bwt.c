/* SPDX-License-Identifier: MIT */
/*
 * Inverts the Burrows-Wheeler transform of a text of more than a megabyte: the rows of the
 * transform form a list, whose order from the whole text's row on is that of the letters. Source:
 * Burrows and Wheeler, "A Block-sorting Lossless Data Compression Algorithm", 1994.
 */
#include <clprims/clprims.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 1200000, ROWS = LENGTH + 1 };

static char text[LENGTH + 1]; /* ends in '\0', which is smaller than every letter */
static int32_t suffixes[ROWS];
static char last[ROWS]; /* the transform: the letter before each row's suffix */
static int32_t next[ROWS];
static char begins[ROWS]; /* the letter that each row begins with */
static int32_t order[ROWS];
static char rebuilt[LENGTH + 1];

/* Words that follow one another by chance. */
static void write_text(void) {
    static const char *const words[] = {"the ",   "list ", "of ",   "all ",   "rows ", "in ",
                                        "order ", "is ",   "what ", "gives ", "a ",    "text "};
    uint32_t state = 1;
    size_t at = 0;
    while (at < LENGTH) {
        state = state * 1664525u + 1013904223u;
        for (const char *c = words[(state >> 16) % 12]; *c != '\0' && at < LENGTH; c++)
            text[at++] = *c;
    }
}

static int compare_suffixes(const void *a, const void *b) {
    return strcmp(text + *(const int32_t *)a, text + *(const int32_t *)b);
}

/* Row 0 is the end of the text alone. Returns the row of the whole text. */
static int32_t transform(void) {
    int32_t whole = 0;
    for (int32_t i = 0; i < ROWS; i++) suffixes[i] = i;
    qsort(suffixes, ROWS, sizeof suffixes[0], compare_suffixes);
    for (int32_t row = 0; row < ROWS; row++) {
        if (suffixes[row] == 0) whole = row;
        last[row] = suffixes[row] == 0 ? '\0' : text[suffixes[row] - 1];
    }
    return whole;
}

/* The k-th row that ends in a letter is the k-th that begins with it one letter earlier: the rows
 * of ever shorter suffixes are a list, from the whole text down to row 0. */
static void link_rows(void) {
    int32_t place[256] = {0}, first = 0;
    for (int32_t row = 0; row < ROWS; row++) place[(unsigned char)last[row]]++;
    for (int letter = 0; letter < 256; letter++) {
        const int32_t count = place[letter];
        memset(begins + first, letter, (size_t)count);
        place[letter] = first;
        first += count;
    }
    for (int32_t row = 0; row < ROWS; row++) {
        const int32_t earlier = place[(unsigned char)last[row]]++;
        next[earlier] = earlier == 0 ? -1 : row;
    }
}

int main(void) {
    clprims_context *context = NULL;
    clprims_list *list = NULL;
    write_text();
    const int32_t whole = transform();
    link_rows();
    clprims_list_desc desc = {.result = CLPRIMS_LIST_ORDER, .max_n = ROWS};
    if (clprims_context_create(&context, NULL) != CLPRIMS_OK ||
        clprims_list_create(&list, context, &desc) != CLPRIMS_OK ||
        clprims_list_run(
            list,
            &(clprims_list_arrays){.next = next, .out = order, .head = &(const int64_t){whole}},
            ROWS) != CLPRIMS_OK) {
        fprintf(stderr, "%s\n", clprims_last_error()->message);
        return 1;
    }
    clprims_context_destroy(context);
    for (int32_t k = 0; k < LENGTH; k++) rebuilt[k] = begins[order[k]];
    const int same = strcmp(text, rebuilt) == 0;
    printf("%d letters %s: %.40s...\n", (int)LENGTH, same ? "rebuilt" : "lost", rebuilt);
    return same ? 0 : 1;
}
