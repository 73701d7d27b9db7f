/* SPDX-License-Identifier: MIT */
/* Run lengths of 5 MB, and the differences between neighbours: each byte less the one
 * before it. */
#include "../examples/call.h"

#include <clprims/clprims.h>
#include <stdio.h>

enum { N = 5000000 };
static unsigned char bytes[N], values[N], deltas[N];
static cl_uint lengths[N];

static size_t on_device(clprims_context *context) {
    clprims_select *runs;
    clprims_map *less;
    clprims_buffer text; /* what the map reads beside x */
    size_t count = 0;
    const clprims_select_desc equal = {.by = CLPRIMS_SELECT_RUNS,
                                       .arrays = 1,
                                       .type = {CLPRIMS_U8},
                                       .lengths = CLPRIMS_U32,
                                       .max_n = N};
    call(clprims_select_create(&runs, context, &equal));
    call(clprims_select_run(
        runs, &(clprims_select_arrays){{bytes}, {values}, .lengths = lengths, .count = &count}, N));

    const clprims_map_desc difference = {.type = CLPRIMS_U8,
                                         .max_n = N,
                                         .output[0].value = "x - (i > 0 ? text[i - 1] : 0)",
                                         .parameters = "global const uchar *text"};
    call(clprims_map_create(&less, context, &difference));
    call(clprims_buffer_create(&text, context, N, bytes));
    call(clprims_map_set_parameter(less, 0, sizeof text, &text));
    call(clprims_map_run(less, &(clprims_map_arrays){bytes, {deltas}}, N));
    clprims_buffer_release(&text);
    return count;
}

int main(void) {
    clprims_context *context;
    size_t at = 0, wrong = 0;
    for (cl_uint h = 1; at < N; h = h * 1664525u + 1013904223u)
        for (cl_uint k = h >> 28; k > 0 && at < N; k--) bytes[at++] = (unsigned char)(h >> 20);
    call(clprims_context_create(&context, NULL));
    const size_t count = on_device(context);
    clprims_context_destroy(context);
    at = 0;
    for (size_t r = 0; r < count; r++) { /* runs are maximal, and make the bytes again */
        wrong += r > 0 && values[r] == values[r - 1];
        for (cl_uint k = 0; k < lengths[r] && at < N; k++) wrong += bytes[at++] != values[r];
    }
    for (size_t i = 1; i < N; i++) wrong += deltas[i] != (unsigned char)(bytes[i] - bytes[i - 1]);
    wrong += at != N || deltas[0] != bytes[0];
    printf("%d bytes, %zu runs, %s plain C\n", N, count, wrong ? "unlike" : "as by");
    return wrong != 0;
}
