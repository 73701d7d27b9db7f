/* SPDX-License-Identifier: MIT */
/*
 * The main job on real input: a text's Burrows-Wheeler transform, made on the host, is inverted by
 * ranking a list on the device, and compared byte by byte with the text.
 */
#include "inputs/bwt.h"
#include "inputs/list_job.h"
#include "suites/suites.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char default_text[] = "/usr/share/common-licenses/GPL-3";

typedef struct text {
    const char *path;
    unsigned char *bytes;
    size_t n;
} text;

static void read_text(const bench *b, text *out) {
    out->path = b->options.text != NULL ? b->options.text : default_text;
    FILE *file = fopen(out->path, "rb");
    if (file == NULL)
        bench_die(BENCH_EXIT_USAGE, "can't open %s: %s%s", out->path, strerror(errno),
                  b->options.text == NULL ? "; name a text" : "");
    size_t capacity = 1 << 16, got = 1;
    out->bytes = bench_alloc(capacity);
    out->n = 0;
    while (got > 0) {
        if (out->n == capacity) {
            capacity *= 2;
            unsigned char *larger = realloc(out->bytes, capacity);
            if (larger == NULL) bench_die(BENCH_EXIT_DEVICE, "no host memory for %s", out->path);
            out->bytes = larger;
        }
        errno = 0;
        got = fread(out->bytes + out->n, 1, capacity - out->n, file);
        out->n += got;
        if (out->n > BWT_MAX_BYTES)
            bench_die(BENCH_EXIT_USAGE, "%s has more than %zu bytes", out->path, BWT_MAX_BYTES);
    }
    if (ferror(file)) bench_die(BENCH_EXIT_USAGE, "can't read %s: %s", out->path, strerror(errno));
    fclose(file);
}

static void print_step(const char *what, double began) {
    char time[24];
    printf("  %-44s %9s\n", what, bench_seconds_text(bench_now() - began, time));
    bench_progress_seen();
}

/* Makes the transform; suffixes has room for n, out->last for n + 1. */
static void transform(const text *of, int32_t *suffixes, bwt *out) {
    double began = bench_now();
    bench_step("sorting the suffixes of %zu bytes by libdivsufsort", of->n);
    if (!bwt_sort_suffixes(of->bytes, suffixes, of->n))
        bench_die(BENCH_EXIT_DEVICE, "no host memory to sort %zu suffixes", of->n);
    print_step("suffixes sorted by libdivsufsort, host", began);
    began = bench_now();
    bench_step("making the transform");
    bwt_transform(of->bytes, suffixes, of->n, out);
    print_step("transform made from the suffixes, host", began);
}

typedef struct inversion {
    int32_t *next, *rank;
    unsigned char *bytes;
    size_t rows, primary;
} inversion;

static void walk(void *self) {
    const inversion *it = self;
    list_walk(it->next, (int32_t)it->primary, it->rank, it->rows);
}

/* Ranks on the device into it->rank, then rebuilds and compares the text. */
static clprims_status invert(list_job *job, const text *of, const bwt *transformed, inversion *it,
                             char *fault, size_t fault_bytes) {
    size_t firsts[257];
    double began = bench_now();
    bench_step("linking the rows");
    bwt_links(transformed, it->next, firsts);
    print_step("rows linked by a counting sort, host", began);
    began = bench_now();
    bench_step("ranking %zu rows", it->rows);
    const clprims_status status =
        list_job_run(job, it->next, it->rows, (int64_t)transformed->primary);
    if (status != CLPRIMS_OK) return status;
    list_job_read(job, 0, it->rows, it->rank);
    print_step("rows ranked on the device, with all copies", began);
    began = bench_now();
    bench_step("rebuilding the text");
    memset(it->bytes, 0, of->n);
    if (!bwt_rebuild(firsts, it->rank, of->n, it->bytes)) {
        snprintf(fault, fault_bytes, "a rank lies outside the text");
        return CLPRIMS_OK;
    }
    print_step("text rebuilt from the ranks, host", began);
    size_t i = 0;
    while (i < of->n && it->bytes[i] == of->bytes[i]) i++;
    if (i < of->n)
        snprintf(fault, fault_bytes, "byte %zu is %u, in the text %u", i, (unsigned)it->bytes[i],
                 (unsigned)of->bytes[i]);
    return CLPRIMS_OK;
}

static void measure(bench *b, list_job *job, const text *of, const bwt *transformed,
                    inversion *it) {
    char fault[BENCH_FAULT_CHARS] = "";
    bench_row row = {.suite = "bwt", .name = "rows of the transform", .method = "ranking"};
    row.n = it->rows;
    row.bytes = list_job_bytes(row.n);
    clprims_status status = list_job_create(b, it->rows, job);
    if (status == CLPRIMS_OK) status = invert(job, of, transformed, it, fault, sizeof fault);
    if (status == CLPRIMS_OK && fault[0] == '\0') {
        bench_step("timing the ranking");
        status = list_job_measure(job, &row.time);
        row.copy_seconds = bench_copy_seconds(b, row.bytes);
        bench_step("walking the rows in C");
        row.serial_seconds = bench_host_seconds(walk, it);
    }
    bench_table_begin("list of the text");
    bench_row_conclude(b, &row, status, fault);
    if (row.fault == NULL)
        snprintf(b->last_line, sizeof b->last_line, "text inverted: %zu bytes of %s are equal",
                 of->n, of->path);
}

void bench_bwt(bench *b) {
    text of = {0};
    read_text(b, &of);
    const size_t rows = of.n + 1;
    printf("\ntext      %zu bytes of %s\n", of.n, of.path);
    bench_progress_seen();
    bwt transformed = {bench_alloc(rows), rows, 0};
    inversion it = {bench_alloc(rows * sizeof(int32_t)), bench_alloc(rows * sizeof(int32_t)),
                    bench_alloc(of.n), rows, 0};
    /* The suffixes are gone before the ranks come, so they may stand in the same place. */
    transform(&of, it.rank, &transformed);
    it.primary = transformed.primary;
    list_job job = {0};
    measure(b, &job, &of, &transformed, &it);
    list_job_destroy(&job);
    free(it.next);
    free(it.rank);
    free(it.bytes);
    free(transformed.last);
    free(of.bytes);
}
