/* SPDX-License-Identifier: MIT */
/*
 * The union of intervals, busy times for example. They are sorted by where they begin; one that
 * begins behind the ends of all before it opens a new part of the union, which a scan of the ends
 * says by its `result`; and a segmented reduction makes one interval of each part.
 */
#include "call.h"

#include <clprims/clprims.h>
#include <stdio.h>
#include <string.h>

enum { N = 200000, LINE = 2000000 };
static cl_int2 interval[N], part[N]; /* from s[0] to before s[1] */
static unsigned char opens[N];

static size_t on_device(clprims_context *context) {
    clprims_custom type = {.type_name = "int2", .type_bytes = 8};
    clprims_sort *sort;
    clprims_scan *open;
    clprims_segmented *join;
    size_t count = 0;
    clprims_sort_desc by_begin = {.type = CLPRIMS_I32, .elements = CLPRIMS_STRUCT, .max_n = N};
    by_begin.custom = type, by_begin.key = "x.s0";
    call(clprims_sort_create(&sort, context, &by_begin));
    call(clprims_sort_run(sort, &(clprims_sort_arrays){.keys_in = interval, .keys_out = interval},
                          N));

    clprims_scan_desc greatest = {.type = CLPRIMS_STRUCT, .accumulator = CLPRIMS_I32, .max_n = N};
    greatest.custom = type, greatest.op = CLPRIMS_MAX, greatest.input = "x.s1";
    greatest.result = "x.s0 > r", greatest.result_type = CLPRIMS_U8; /* r: of all before x */
    call(clprims_scan_create(&open, context, &greatest));
    call(clprims_scan_run(open, &(clprims_scan_arrays){.in = interval, .out = opens}, N));

    clprims_segmented_desc bounds = {.by = CLPRIMS_SEGMENTS_FLAGS, .type = CLPRIMS_STRUCT};
    bounds.custom = type, bounds.max_n = N;
    bounds.op = CLPRIMS_CUSTOM, bounds.custom.op = "(int2)(a.s0, max(a.s1, b.s1))";
    const clprims_segmented_arrays parts = {
        .in = interval, .heads = opens, .out = part, .count = &count};
    call(clprims_segmented_create(&join, context, &bounds));
    call(clprims_segmented_run(join, &parts, N));
    return count;
}

int main(void) {
    static char covered[LINE + 1];
    clprims_context *context;
    size_t at = 0, wrong = 0;
    for (cl_uint i = 0, h = 1; i < N; i++, h = h * 1664525u + 1013904223u) {
        interval[i].s[0] = (int)(h % (LINE - 64));
        interval[i].s[1] = interval[i].s[0] + 1 + (int)(h >> 27);
        memset(covered + interval[i].s[0], 1, (size_t)(interval[i].s[1] - interval[i].s[0]));
    }
    call(clprims_context_create(&context, NULL));
    const size_t parts = on_device(context);
    clprims_context_destroy(context);
    for (size_t k = 0; k < parts; k++) {
        while (at < LINE && !covered[at]) at++;
        wrong += part[k].s[0] != (int)at;
        while (covered[at]) at++;
        wrong += part[k].s[1] != (int)at;
    }
    wrong += memchr(covered + at, 1, LINE - at) != NULL;
    printf("%d intervals, %zu parts, %s plain C\n", N, parts, wrong ? "unlike" : "as by");
    return wrong != 0;
}
