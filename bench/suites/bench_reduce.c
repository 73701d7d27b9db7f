#include "harness/bench.h"
void bench_reduce(bench *b) { (void)b; }
