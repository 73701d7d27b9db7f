/* SPDX-License-Identifier: MIT */
/*
 * The lines of a text as a jagged array: select finds the line ends and the characters between
 * them, offsets says where each line begins among those. Prints the longest lines.
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

static int fail(const char *what) {
    fprintf(stderr, "text_lines: %s\n", what);
    return 0;
}

static int call(clprims_status status) {
    return status == CLPRIMS_OK ? 1 : fail(clprims_last_error()->message);
}

static int read_text(const char *path, text *t) {
    FILE *const file = fopen(path, "rb");
    if (file == NULL) return fail("the file can't be opened");
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    t->bytes = size < 0 ? NULL : malloc((size_t)size + 1);
    if (t->bytes != NULL) t->n = fread(t->bytes, 1, (size_t)size, file);
    fclose(file);
    if (t->bytes == NULL || t->n != (size_t)size) return fail("the file can't be read");
    if (t->n == 0 || t->bytes[t->n - 1] != '\n') t->bytes[t->n++] = '\n';
    return 1;
}

/* The bytes for which the predicate is true, or where they are. */
static int pick(clprims_context *context, const text *t, const char *predicate, char *values,
                int64_t *indices, size_t *count) {
    const clprims_select_desc desc = {.by = CLPRIMS_SELECT_PREDICATE,
                                      .predicate = predicate,
                                      .arrays = 1,
                                      .type = {CLPRIMS_I8},
                                      .no_values = values == NULL,
                                      .indices = indices != NULL ? CLPRIMS_I64 : 0,
                                      .max_n = t->n};
    const clprims_select_arrays arrays = {
        .in = {t->bytes}, .out = {values}, .indices = indices, .count = count};
    clprims_select *select = NULL;
    const int done = call(clprims_select_create(&select, context, &desc)) &&
                     call(clprims_select_run(select, &arrays, t->n));
    clprims_select_destroy(select);
    return done;
}

/* A line begins behind the end of the one before, so that starts are stops moved by one place. */
static int find_offsets(clprims_context *context, const int64_t *starts, const int64_t *stops,
                        lines *l) {
    clprims_offsets_desc desc = {0};
    clprims_offsets *offsets = NULL;
    desc.type = CLPRIMS_I64;
    desc.max_n = l->count;
    const int done =
        call(clprims_offsets_create(&offsets, context, &desc)) &&
        call(clprims_offsets_run(
            offsets,
            &(clprims_offsets_arrays){.starts = starts, .stops = stops, .offsets = l->offsets},
            l->count));
    clprims_offsets_destroy(offsets);
    return done;
}

static int split(clprims_context *context, const text *t, lines *l) {
    int64_t *const stops = malloc(t->n * sizeof *stops);
    int64_t *const starts = malloc(t->n * sizeof *starts);
    size_t kept = 0;
    l->characters = malloc(t->n);
    l->offsets = malloc((t->n + 1) * sizeof *l->offsets);
    int done = stops != NULL && starts != NULL && l->characters != NULL && l->offsets != NULL;
    if (!done) fail("no memory");
    done = done && pick(context, t, "x == '\\n'", NULL, stops, &l->count) &&
           pick(context, t, "x != '\\n'", l->characters, NULL, &kept);
    for (size_t k = 0; done && k < l->count; k++) starts[k] = k == 0 ? 0 : stops[k - 1] + 1;
    done = done && find_offsets(context, starts, stops, l);
    free(starts);
    free(stops);
    return done;
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
    return right && line == l->count ? 1 : fail("a plain loop finds other lines");
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
    clprims_context *context = NULL;
    text t = {NULL, 0};
    lines l = {NULL, NULL, 0};
    const int done = read_text(argc > 1 ? argv[1] : __FILE__, &t) &&
                     call(clprims_context_create(&context, NULL)) && split(context, &t, &l) &&
                     is_right(&t, &l);
    if (done) {
        printf("%zu lines, %lld bytes without their ends\n", l.count,
               (long long)l.offsets[l.count]);
        print_longest(&l);
    }
    clprims_context_destroy(context);
    free(l.characters);
    free(l.offsets);
    free(t.bytes);
    return done ? 0 : 1;
}
