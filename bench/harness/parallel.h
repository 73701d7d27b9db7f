/* SPDX-License-Identifier: MIT */
/* Making inputs and comparing results on all cores, chunk by chunk. */
#ifndef BENCH_PARALLEL_H
#define BENCH_PARALLEL_H

#include <stddef.h>

/* Elements of a chunk; chunks that are held on the host at a time. */
enum { BENCH_CHUNK = 1 << 20, BENCH_WINDOW = 32 };

/* Calls work for each part below `parts`, on all cores and in any order. */
void bench_each_part(size_t parts, void (*work)(void *self, size_t part), void *self);

/* Does all of [0, n) in a few ranges side by side, on all cores. */
typedef void bench_part(void *self, size_t begin, size_t end);
void bench_parallel(size_t n, bench_part *part, void *self);

/* What makes an input: count elements of it from element `first` on, a multiple of BENCH_CHUNK. Is
 * called from several threads at once. */
typedef void bench_fill(void *self, int input, size_t first, size_t count, void *to);

/* What takes bytes of an input in their order; returns why it failed, or NULL. */
typedef const char *bench_take(void *sink, size_t first_byte, size_t bytes, const void *from);

/* Makes the n elements of an input and hands them on; returns why that failed, or NULL. */
const char *bench_chunks(bench_fill *fill, void *self, int input, size_t n, size_t element_bytes,
                         bench_take *take, void *sink);

#endif
