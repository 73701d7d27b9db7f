/* SPDX-License-Identifier: MIT */
/* clprims histogram: results and refusals. */
#include "cli/cli_run.h"

static const cli_file files[] = {
    {"bytes", "int8 100 127 101 -28"},
    {"own", "int8 -28 100 101"},
    {"floats", "float32 1.5 -0.5 3 1.5 nan"},
    {"floats4", "float32 1.5 -0.5 3 0.5"},
    {"edges", "float64 -1000.5 -28.5 126.5"},
    {"falling", "float64 0 1.5 -0.5 3"},
    {"nan", "float64 2 nan 3"},
    {"infinite", "float64 2 1 inf 3"},
    {"whole", "int64 -1 0 2 3"},
    {"none", "float64"},
    {"bools", "bool 1 0 1 1"},
    {"endless", "int8 (2305843009213693953,)"},
};

static const cli_success results[] = {
    {"even", "histogram bytes --bins 2 --range -28 101 -o out", "out int64 1 2"},
    {"closed", "histogram floats --bins=3 --range 0 3 -o out", "out int64 0 2 1"},
    {"point", "histogram floats --bins 2 --range 1 1 -o out", "out int64 0 2"},
    {"edges", "histogram bytes --edges edges -o out", "out int64 0 3"},
    {"whole-edges", "histogram floats --edges whole -o out", "out int64 1 2 1"},
    {"own-edges", "histogram bytes --edges own -o out", "out int64 1 2"},
    {"bools", "histogram bools --bins 2 --range 0 2 -o out", "out int64 1 3"},
    {"none", "histogram none --bins 2 --range 0 1 -o out", "out int64 0 0"},
    {"weights", "histogram bytes --weights floats4 --bins 2 --range -28 127 -o out",
     "out float32 0.5 4"},
    {"unsigned", "histogram bytes --weights bools --bins 1 --range 0 127 -o out", "out uint64 2"},
};

/* "endless" claims edges whose bytes as float64 are 8 by the count of size_t. */
static const cli_message refusals[] = {
    {"no-bins", "histogram bytes -o out", 2, "--bins and --range, or --edges, are needed"},
    {"no-range", "histogram --bins 3 bytes -o out", 2,
     "--bins and --range, or --edges, are needed"},
    {"half-range", "histogram -o out bytes --bins 3 --range 1", 2,
     "--range needs two values, LO HI"},
    {"range-equals", "histogram --range=1 2 bytes -o out", 2, "--range needs two values, LO HI"},
    {"range-text", "histogram --bins 3 --range x 2 bytes -o out", 2,
     "--range 'x' is not a number of type float64"},
    {"zero-bins", "histogram --bins 0 --range 1 2 bytes -o out", 2,
     "bins = 0; it must be from 1 to 2147483648"},
    {"falling", "histogram --bins 2 --range 2 1 bytes -o out", 2, "least = 2, most = 1"},
    {"both", "histogram --bins 3 --edges edges bytes -o out", 2,
     "--edges stands in for --bins and --range; --bins is too much"},
    {"few-edges", "histogram --edges none bytes -o out", 2, "0 edges make no bin"},
    {"nan-edge", "histogram --edges floats floats -o out", 2, "is not at least"},
    {"falling-edges", "histogram --edges falling bytes -o out", 2,
     "edge 2, -0.5, is NaN or below the one before, 1.5"},
    {"nan-edges", "histogram --edges nan bytes -o out", 2,
     "edge 1, nan, is NaN or below the one before, 2"},
    {"edges-type", "histogram --edges floats bytes -o out", 2,
     "float32 edges for elements of int8; int8, float64 or int64 are needed"},
    {"weights-n", "histogram --weights floats --bins 2 --range 0 1 bytes -o out", 2,
     "floats has 5 elements"},
    {"absent", "histogram --edges absent bytes -o out", 2, "No such file"},
    {"endless-edges", "cat endless | $C histogram --edges - bytes -o out", 3,
     "standard input: no memory for its 2305843009213693953 edges"},
    {"infinite-weight", "histogram --bins 1 --range -128 127 --weights infinite bytes -o out", 1,
     "clprims histogram: weight 2 is infinite or NaN, the first of these\n"},
};

void cli_add_histogram(test_cases *cases) {
    cli_add_successes(cases, "cli/histogram", files, results, 3);
    cli_add_messages(cases, "cli/histogram/refused", files, refusals);
}
