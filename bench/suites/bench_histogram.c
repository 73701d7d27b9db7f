#include "harness/bench.h"
void bench_histogram(bench *b) { (void)b; }
