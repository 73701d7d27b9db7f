/* SPDX-License-Identifier: MIT */
/* An input made chunk by chunk on all cores, and handed on in its order. */
#include "harness/bench.h"
#include "harness/parallel.h"
#include <stdlib.h>

typedef struct window {
    bench_fill *fill;
    void *self;
    int input;
    size_t first, n, element_bytes;
    char *host;
} window;

static void fill_chunk(void *self, size_t part) {
    const window *w = self;
    const size_t first = w->first + part * BENCH_CHUNK, rest = w->n - first;
    w->fill(w->self, w->input, first, rest < BENCH_CHUNK ? rest : BENCH_CHUNK,
            w->host + part * BENCH_CHUNK * w->element_bytes);
}

const char *bench_chunks(bench_fill *fill, void *self, int input, size_t n, size_t element_bytes,
                         bench_take *take, void *sink) {
    const size_t most = (size_t)BENCH_WINDOW * BENCH_CHUNK;
    window w = {fill, self, input, 0, n, element_bytes, NULL};
    const char *why = NULL;
    w.host = bench_alloc((n < most ? n : most) * element_bytes);
    for (; why == NULL && w.first < n; w.first += most) {
        const size_t rest = n - w.first, count = rest < most ? rest : most;
        bench_each_part((count + BENCH_CHUNK - 1) / BENCH_CHUNK, fill_chunk, &w);
        why = take(sink, w.first * element_bytes, count * element_bytes, w.host);
    }
    free(w.host);
    return why;
}
