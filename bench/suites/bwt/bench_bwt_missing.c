/* SPDX-License-Identifier: MIT */
/* The suite bwt where libdivsufsort, which sorts its suffixes, was not found: says so. */
#include "suites/suites.h"
#include <stdio.h>

void bench_bwt(bench *b) {
    snprintf(b->last_line, sizeof b->last_line,
             "text not inverted: libdivsufsort was not found when clprims-bench was built");
}
