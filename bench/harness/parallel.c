/* SPDX-License-Identifier: MIT */
/* Work in parts: each thread takes the next part that nobody has. */
#include "harness/parallel.h"
#include <pthread.h>
#include <unistd.h>

enum { MOST_THREADS = 64, LEAST_SHARE = 1 << 16 };

typedef struct pool {
    pthread_mutex_t lock;
    size_t next, parts;
    void (*work)(void *self, size_t part);
    void *self;
} pool;

static void *take_parts(void *argument) {
    pool *all = argument;
    for (;;) {
        pthread_mutex_lock(&all->lock);
        const size_t part = all->next++;
        pthread_mutex_unlock(&all->lock);
        if (part >= all->parts) return NULL;
        all->work(all->self, part);
    }
}

void bench_each_part(size_t parts, void (*work)(void *self, size_t part), void *self) {
    pool all = {PTHREAD_MUTEX_INITIALIZER, 0, parts, work, self};
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

typedef struct ranges {
    bench_part *part;
    void *self;
    size_t n, each;
} ranges;

static void do_range(void *self, size_t part) {
    const ranges *all = self;
    const size_t begin = part * all->each, rest = all->n - begin;
    all->part(all->self, begin, begin + (rest < all->each ? rest : all->each));
}

void bench_parallel(size_t n, bench_part *part, void *self) {
    const size_t share = n / MOST_THREADS + 1;
    ranges all = {part, self, n, share > LEAST_SHARE ? share : LEAST_SHARE};
    bench_each_part((n + all.each - 1) / all.each, do_range, &all);
}
