/* SPDX-License-Identifier: MIT */
/* The suites, in the order in which they run: bench_<name>() in bench_<name>.c, a line each. */
#ifndef BENCH_SUITES_H
#define BENCH_SUITES_H

#include "harness/bench.h"

/* clang-format off */
#define BENCH_SUITES(SUITE) \
    SUITE(scan) \
    SUITE(offsets) \
    SUITE(select) \
    SUITE(reduce) \
    SUITE(segmented) \
    SUITE(counted) \
    SUITE(sort) \
    SUITE(segmented_sort) \
    SUITE(topk) \
    SUITE(histogram) \
    SUITE(merge) \
    SUITE(search) \
    SUITE(jagged) \
    SUITE(scatter) \
    SUITE(map) \
    SUITE(blocks) \
    SUITE(calls) \
    SUITE(list) \
    SUITE(list_steps) \
    SUITE(list_faults) \
    SUITE(listscan) \
    SUITE(forest) \
    SUITE(bwt) \
    SUITE(minplus) \
    SUITE(create) \
    SUITE(textbook)
/* clang-format on */

#define BENCH_SUITE_DECLARE(name) void bench_##name(bench *b);
BENCH_SUITES(BENCH_SUITE_DECLARE)
#undef BENCH_SUITE_DECLARE

#endif
