/* SPDX-License-Identifier: MIT */
/* Work in parts: each thread takes the next part that nobody has. */
#include "parallel.h"
#include "bench.h"
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_THREADS = 64 };

typedef struct crew {
    pthread_mutex_t lock;
    size_t next, parts;
    void (*work)(void *self, size_t part);
    void *self;
} crew;

static void *take_parts(void *argument) {
    crew *all = argument;
    for (;;) {
        pthread_mutex_lock(&all->lock);
        const size_t part = all->next++;
        pthread_mutex_unlock(&all->lock);
        if (part >= all->parts) return NULL;
        all->work(all->self, part);
    }
}

void bench_each_part(size_t parts, void (*work)(void *self, size_t part), void *self) {
    crew all = {PTHREAD_MUTEX_INITIALIZER, 0, parts, work, self};
    pthread_t threads[MOST_THREADS];
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t wanted = cores > MOST_THREADS ? MOST_THREADS : cores > 1 ? (size_t)cores : 1, count = 0;
    if (wanted > parts) wanted = parts;
    /* This thread is one of them; what can't be started is not missed. */
    while (count + 1 < wanted && pthread_create(&threads[count], NULL, take_parts, &all) == 0)
        count++;
    take_parts(&all);
    for (size_t k = 0; k < count; k++) pthread_join(threads[k], NULL);
    pthread_mutex_destroy(&all.lock);
}

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

const char *bench_feed(bench_fill *fill, void *self, int input, size_t n, size_t element_bytes,
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
