/* SPDX-License-Identifier: MIT */
/* Products and closures beside plain C, rows side by side on all cores. */
#include "inputs/minplus_verify.h"
#include "harness/parallel.h"
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHECKED_ROWS = 128 };

static float as_number(const void *values, bool is_int, size_t i) {
    if (!is_int) return ((const float *)values)[i];
    const int32_t value = ((const int32_t *)values)[i];
    return value >= INT32_MAX / 2 ? INFINITY : (float)value;
}

/* Row i of the product of a and b in plain C. */
static void row_in_c(const void *a, const void *b, bool is_int, const minplus_product *job,
                     size_t i, float *row) {
    for (size_t j = 0; j < job->size.n; j++) row[j] = INFINITY;
    for (size_t k = 0; k < job->size.k; k++) {
        const float left = as_number(a, is_int, i * job->a.ld + k);
        for (size_t j = 0; j < job->size.n; j++) {
            const float sum = left + as_number(b, is_int, k * job->b.ld + j);
            if (sum < row[j]) row[j] = sum;
        }
    }
}

static size_t checked_row(size_t number, size_t m) {
    return m <= CHECKED_ROWS ? number : (number * (m - 1) / (CHECKED_ROWS - 1));
}

/* One row of a matrix of the batch that is checked. */
typedef struct row_check {
    const minplus_product *job;
    size_t matrices, rows;
    atomic_size_t wrong; /* a check whose row is wrong; matrices * rows: none */
} row_check;

static size_t matrix_of(const row_check *c, size_t check) {
    const size_t matrix = check / c->rows;
    return matrix * (c->job->size.batch - 1) / (c->matrices > 1 ? c->matrices - 1 : 1);
}

/* The first element of that row that differs, n if none does; *row: what it should be. */
static size_t first_difference(const row_check *c, size_t check, float *row) {
    const minplus_product *job = c->job;
    const size_t matrix = matrix_of(c, check), i = checked_row(check % c->rows, job->size.m);
    const char *a = (const char *)job->host_a + 4 * matrix * job->a.stride;
    const char *b = (const char *)job->host_a + 4 * (job->b.first + matrix * job->b.stride);
    const char *got = (const char *)job->host_c + 4 * matrix * job->c.stride;
    size_t j = 0;
    row_in_c(a, b, job->is_int, job, i, row);
    while (j < job->size.n && as_number(got, job->is_int, i * job->c.ld + j) == row[j]) j++;
    return j;
}

static void check_row(void *self, size_t check) {
    row_check *c = self;
    float *row = bench_alloc(c->job->size.n * sizeof *row);
    if (first_difference(c, check, row) < c->job->size.n) c->wrong = check;
    free(row);
}

bool minplus_check(const minplus_product *job, char *fault, size_t fault_bytes) {
    const minplus_size size = job->size;
    const size_t matrices = size.batch > 1 ? 3 : 1,
                 rows = size.m < CHECKED_ROWS ? size.m : CHECKED_ROWS;
    row_check c = {job, matrices, rows, matrices * rows};
    bench_each_part(matrices * rows, check_row, &c);
    if (c.wrong == matrices * rows) return true;
    const size_t matrix = matrix_of(&c, c.wrong), i = checked_row(c.wrong % rows, size.m);
    float *row = bench_alloc(size.n * sizeof *row);
    const size_t j = first_difference(&c, c.wrong, row);
    const char *got = (const char *)job->host_c + 4 * matrix * job->c.stride;
    snprintf(fault, fault_bytes, "c[%zu][%zu] of matrix %zu is %g, in plain C %g", i, j, matrix,
             (double)as_number(got, job->is_int, i * job->c.ld + j), (double)row[j]);
    free(row);
    return false;
}

/* ---- Closures -------------------------------------------------------------------------------- */

/* Dijkstra's way from one vertex, over the whole row of each. */
static void lengths_from(const float *d, size_t n, size_t from, float *length, bool *done) {
    for (size_t j = 0; j < n; j++) length[j] = j == from ? 0 : INFINITY, done[j] = false;
    for (size_t turn = 0; turn < n; turn++) {
        size_t next = n;
        for (size_t j = 0; j < n; j++)
            if (!done[j] && (next == n || length[j] < length[next])) next = j;
        done[next] = true;
        for (size_t j = 0; j < n; j++) {
            const float sum = length[next] + d[next * n + j];
            if (sum < length[j]) length[j] = sum;
        }
    }
}

typedef struct closure_check {
    const float *d, *got;
    size_t n;
    atomic_size_t wrong; /* an element that is; n * n: none */
} closure_check;

static void check_lengths(void *self, size_t check) {
    closure_check *c = self;
    const size_t n = c->n, i = checked_row(check, n);
    const float *got = c->got + i * n;
    float *length = bench_alloc(n * sizeof *length);
    bool *done = bench_alloc(n * sizeof *done);
    lengths_from(c->d, n, i, length, done);
    for (size_t j = 0; j < n; j++)
        if (got[j] != length[j]) c->wrong = i * n + j;
    free(length);
    free(done);
}

bool minplus_check_closure(const float *d, const float *got, size_t n, char *fault,
                           size_t fault_bytes) {
    closure_check c = {d, got, n, n * n};
    bench_each_part(n < CHECKED_ROWS ? n : CHECKED_ROWS, check_lengths, &c);
    if (c.wrong == n * n) return true;
    snprintf(fault, fault_bytes, "d[%zu][%zu] is %g, which is not what plain C has", c.wrong / n,
             c.wrong % n, (double)got[c.wrong]);
    return false;
}
