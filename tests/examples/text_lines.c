/* SPDX-License-Identifier: MIT */
/*
 * The lines of a text as a jagged array: select finds the ends of lines, and the characters between
 * the ends; offsets says where each line begins among these characters. Prints the longest lines.
 *
 *   text_lines [FILE]       without one, those of its own source
 */
#include <clprims/clprims.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHOWN = 3 };

typedef struct text {
    char *bytes; /* the last one ends a line */
    size_t n;
} text;

typedef struct lines {
    char *characters; /* of all lines, without their ends */
    int64_t *offsets; /* line k is characters[offsets[k]] to characters[offsets[k + 1] - 1] */
    size_t count;
} lines;

static void *fail(const char *what) {
    fprintf(stderr, "text_lines: %s\n", what);
    exit(EXIT_FAILURE);
}

static void call(clprims_status status) {
    if (status != CLPRIMS_OK) fail(clprims_last_error()->message);
}

static void *room(size_t bytes) {
    void *const memory = malloc(bytes);
    return memory != NULL ? memory : fail("no memory");
}

static text read_text(const char *path) {
    FILE *const file = fopen(path, "rb");
    if (file == NULL) fail("the file can't be opened");
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    if (size < 0) fail("the file can't be read");
    rewind(file);
    text t = {room((size_t)size + 1), 0};
    t.n = fread(t.bytes, 1, (size_t)size, file);
    fclose(file);
    if (t.n == 0 || t.bytes[t.n - 1] != '\n') t.bytes[t.n++] = '\n';
    return t;
}

/* The bytes for which the predicate is true, or where they are; returns how many. */
static size_t pick(clprims_context *context, const text *t, const char *predicate, char *values,
                   int64_t *indices) {
    clprims_select_desc desc = {.by = CLPRIMS_SELECT_PREDICATE, .arrays = 1, .max_n = t->n};
    desc.type[0] = CLPRIMS_I8, desc.predicate = predicate;
    desc.no_values = values == NULL;
    desc.indices = indices != NULL ? CLPRIMS_I64 : CLPRIMS_TYPE_DEFAULT;
    size_t count = 0;
    const clprims_select_arrays arrays = {
        .in = {t->bytes}, .out = {values}, .indices = indices, .count = &count};
    clprims_select *select;
    call(clprims_select_create(&select, context, &desc));
    call(clprims_select_run(select, &arrays, t->n));
    return count;
}

static lines split(clprims_context *context, const text *t) {
    int64_t *const stops = room(t->n * sizeof *stops), *const starts = room(t->n * sizeof *starts);
    lines l = {room(t->n), room((t->n + 1) * sizeof *l.offsets), 0};
    l.count = pick(context, t, "x == '\\n'", NULL, stops);
    pick(context, t, "x != '\\n'", l.characters, NULL);
    /* A line begins behind the end of the one before. */
    for (size_t k = 0; k < l.count; k++) starts[k] = k == 0 ? 0 : stops[k - 1] + 1;
    clprims_offsets *offsets;
    const clprims_offsets_desc desc = {.type = CLPRIMS_I64, .max_n = l.count};
    const clprims_offsets_arrays arrays = {.starts = starts, .stops = stops, .offsets = l.offsets};
    call(clprims_offsets_create(&offsets, context, &desc));
    call(clprims_offsets_run(offsets, &arrays, l.count));
    free(starts);
    free(stops);
    return l;
}

/* The same by a plain loop. */
static int is_right(const text *t, const lines *l) {
    size_t line = 0, place = 0;
    int right = l->offsets[0] == 0;
    for (size_t i = 0; right && i < t->n; i++) {
        if (t->bytes[i] != '\n')
            right = l->characters[place++] == t->bytes[i];
        else
            right = ++line <= l->count && l->offsets[line] == (int64_t)place;
    }
    return right && line == l->count;
}

static void print_longest(const lines *l) {
    size_t shown[SHOWN];
    for (size_t rank = 0; rank < SHOWN && rank < l->count; rank++) {
        size_t best = l->count;
        for (size_t k = 0; k < l->count; k++) {
            int taken = 0;
            for (size_t r = 0; r < rank; r++) taken = taken || shown[r] == k;
            if (!taken && (best == l->count || l->offsets[k + 1] - l->offsets[k] >
                                                   l->offsets[best + 1] - l->offsets[best]))
                best = k;
        }
        const size_t length = (size_t)(l->offsets[best + 1] - l->offsets[best]);
        shown[rank] = best;
        printf("line %zu, %zu bytes: ", best + 1, length);
        fwrite(l->characters + l->offsets[best], 1, length, stdout);
        putchar('\n');
    }
}

int main(int argc, char **argv) {
    clprims_context *context;
    const text t = read_text(argc > 1 ? argv[1] : __FILE__);
    call(clprims_context_create(&context, NULL));
    const lines l = split(context, &t);
    clprims_context_destroy(context);
    if (!is_right(&t, &l)) fail("a plain loop finds other lines");
    printf("%zu lines, %lld bytes without their ends\n", l.count, (long long)l.offsets[l.count]);
    print_longest(&l);
    free(l.characters);
    free(l.offsets);
    free(t.bytes);
    return 0;
}
