/* SPDX-License-Identifier: MIT */
/* clprims reduce and clprims map: results and refusals. */
#include "cli/cli_run.h"

static const cli_file files[] = {
    {"bytes", "int8 100 127 101 -28"},
    {"floats", "float32 1.5 -0.5 3 1.5 nan"},
    {"none", "float64"},
    {"bools", "bool 1 0 1 1"},
};

static const cli_success results[] = {
    {"add", "reduce bytes -o out", "out int8 44"},
    {"int64", "reduce bytes --accumulate int64 -o out", "out int64 300"},
    {"init", "reduce bytes --accumulate=int64 --init -7 -o out", "out int64 293"},
    {"min", "reduce bytes --op min -o out", "out int8 -28"},
    {"argmin", "reduce bytes --op argmin -o out", "out int64 3"},
    {"argmax", "reduce floats --op argmax -o out", "out int64 2"},
    {"squares", "reduce floats --input 'isnan(x) ? 0 : x * x' -o out", "out float32 13.75"},
    {"and", "reduce bytes --op and -o out", "out int8 100"},
    {"bools", "reduce bools -o out", "out int64 3"},
    {"none", "reduce none -o out", "out float64 0"},
    {"none-init", "reduce none --op argmin --init -1 -o out", "out int64 -1"},
};

static const cli_message refusals[] = {
    {"op", "reduce --op sum bytes -o out", 2,
     "--op 'sum' is unknown; one of add, min, max, mul, and, or, xor, argmin, argmax is needed"},
    {"custom", "reduce --op custom bytes -o out", 2, "--op 'custom' is unknown"},
    {"accumulate", "reduce --accumulate int7 bytes -o out", 2, "--accumulate 'int7' is unknown"},
    {"init", "reduce --init 1000 bytes -o out", 2, "--init 1000 does not fit int8"},
    {"init-of-bool", "reduce --op max --init 2 bools -o out", 2, "--init 2 does not fit bool"},
    {"floats", "reduce --op xor floats -o out", 2,
     "--op xor needs integers, but the elements are floats"},
    {"input", "reduce --input 'x +' bytes -o out", 2, "--input 'x +': the OpenCL compiler refuses"},
    {"absent", "reduce absent -o out", 2, "No such file"},
    {"no-elements", "reduce --op argmax none -o out", 1,
     "clprims reduce: n = 0, and the plan has neither an initial value nor an identity\n"},
};

static const cli_success maps[] = {
    {"next", "map --value 'x + 1' bytes -o out", "out int8 101 -128 102 -27"},
    {"type", "map --value 'x * 2 + i' --type int32 bytes -o out", "out int32 200 255 204 -53"},
    {"float", "map --value 'isnan(x)' --type uint8 floats -o out", "out uint8 0 0 0 0 1"},
    {"bools", "map --value '!x' bools -o out", "out uint8 0 1 0 0"},
    {"onto-input", "map --value i bytes -o bytes", "bytes int8 0 1 2 3"},
    {"none", "map --value x none -o out", "out float64"},
};

static const cli_message map_refusals[] = {
    {"no-value", "map bytes -o out", 2, "--value"},
    {"type", "map --value x --type int7 bytes -o out", 2, "--type 'int7' is unknown"},
    {"value", "map --value 'x +' bytes -o out", 2, "--value 'x +': the OpenCL compiler refuses"},
};

void cli_add_reduce(test_cases *cases) {
    cli_add_successes(cases, "cli/map", files, maps, 2);
    cli_add_messages(cases, "cli/map/refused", files, map_refusals);
    cli_add_successes(cases, "cli/reduce", files, results, 3);
    cli_add_messages(cases, "cli/reduce/refused", files, refusals);
}
