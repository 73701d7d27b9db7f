/* SPDX-License-Identifier: MIT */
/*
 * A scan's input and results on the host, a window at a time and on all cores. The twin's value
 * before each chunk is noted while the input is made, so that chunks are compared side by side.
 */
#ifndef BENCH_SCAN_CHECK_H
#define BENCH_SCAN_CHECK_H

#include "inputs/scan_data.h"
#include "peers/beside.h"

typedef struct scan_check scan_check;

/* For up to n elements of that case. */
scan_check *scan_check_create(bench *b, const scan_case *what, size_t n);
void scan_check_destroy(scan_check *check);

/* Makes the input and writes it to its place in the buffer; comes before any result. */
void scan_check_upload(scan_check *check, cl_mem in);

/* Compares all n elements of a result with the twin's; says in `fault` which one is wrong. */
bool scan_check_result(const scan_check *check, size_t n, bool inclusive,
                       const bench_result *result, char *fault, size_t fault_bytes);

#endif
