/* SPDX-License-Identifier: MIT */
/* 10^6 strings of at most 32 bytes in the order of strcmp: four keys of 8 bytes, the first one the
 * most significant. */
#include <clprims/clprims.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000000 };
static char names[N][32], expected[N][32];

static int by_bytes(const void *a, const void *b) {
    return memcmp(a, b, sizeof names[0]);
}

int main(void) {
    clprims_context *context;
    clprims_sort *sort;
    const clprims_sort_desc order = {
        .type = CLPRIMS_U64,
        .elements = CLPRIMS_STRUCT,
        .max_n = N,
        .custom = {.declarations =
                       "ulong word(ulong x) { return as_ulong(as_uchar8(x).s76543210); }\n",
                   .type_name = "ulong4",
                   .type_bytes = 32},
        .key = "word(x.s0)",
        .then = {"word(x.s1)", "word(x.s2)", "word(x.s3)"}};
    for (unsigned i = 0, h = 1; i < N; i++, h = h * 1664525u + 1013904223u)
        snprintf(names[i], 32, "%s-%u-%u", i % 3 ? "event" : "particle", h >> 20, h >> 9);
    memcpy(expected, names, sizeof names);
    const clprims_sort_arrays arrays = {.keys_in = names, .keys_out = names};
    if (clprims_context_create(&context, NULL) || clprims_sort_create(&sort, context, &order) ||
        clprims_sort_run(sort, &arrays, N)) {
        fprintf(stderr, "sort_strings: %s\n", clprims_last_error()->message);
        return EXIT_FAILURE;
    }
    clprims_context_destroy(context);
    qsort(expected, N, sizeof names[0], by_bytes);
    const int differs = memcmp(names, expected, sizeof names) != 0;
    printf("%d strings, %s plain C\n", N, differs ? "unlike" : "as by");
    return differs;
}
