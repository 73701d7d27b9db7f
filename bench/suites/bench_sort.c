/* SPDX-License-Identifier: MIT */
#include "harness/bench.h"
void bench_sort(bench *b) { (void)b; }
