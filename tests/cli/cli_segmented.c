/* SPDX-License-Identifier: MIT */
/* clprims segreduce and segscan: results and refusals. */
#include "cli/cli_run.h"

static const cli_file files[] = {
    {"in", "int32 3 1 4 1 5 9 2"},       {"none", "int32"},
    {"few", "uint8 0 0 1 1 0"},          {"short", "int32 1 3 3 7"},
    {"offsets", "int64 1 3 3 7"},        {"falling", "int64 0 5 4 7"},
    {"keys", "uint16 7 7 8 7 7 7 1"},    {"flags", "uint8 0 0 1 1 0 0 1"},
    {"floats", "float32 1 2 3 4 5 6 7"},
};

static const cli_success results[] = {
    {"offsets", "segreduce in -o out --offsets offsets", "out int32 5 0 17"},
    {"offsets-int32", "segreduce in -o out --offsets short --op=max", "out int32 4 -2147483648 9"},
    {"keys", "segreduce in -o out --keys keys", "out int32 4 4 15 2"},
    {"unique", "segreduce in -o out --keys keys --unique unique",
     "out int32 4 4 15 2; unique uint16 7 8 7 1"},
    {"flags", "segreduce in -o out --flags flags --op min", "out int32 1 4 1 2"},
    {"argmin", "segreduce in -o out --offsets offsets --op=argmin", "out int64 1 -1 3"},
    {"argmax-local", "segreduce in -o out --offsets offsets --op=argmax --local-index",
     "out int64 1 -1 2"},
    {"argmin-init", "segreduce in -o out --offsets offsets --op=argmin --init 99",
     "out int64 1 99 3"},
    {"init", "segreduce in -o out --offsets offsets --accumulate=int64 --init=-100",
     "out int64 -95 -100 -83"},
    {"scan-offsets", "segscan in -o out --offsets offsets", "out int32 0 0 1 0 1 6 15"},
    {"scan-inclusive", "segscan in -o out --offsets offsets --inclusive",
     "out int32 0 1 5 1 6 15 17"},
    {"scan-keys", "segscan in -o out --keys keys --init 10", "out int32 10 13 10 10 11 16 10"},
    {"scan-flags", "segscan in -o out --flags flags --inclusive --op=max",
     "out int32 3 3 4 1 5 9 2"},
    {"length", "segreduce in -o out --length 3", "out int32 8 15 2"},
    {"length-one", "segreduce in -o out --length 100 --op max", "out int32 9"},
    {"length-of-none", "segreduce none -o out --length 3", "out int32"},
    {"scan-length", "segscan in -o out --length 2 --inclusive", "out int32 3 4 4 5 5 14 2"},
    {"none", "segreduce none --keys none -o out", "out int32"},
};

static const cli_message refusals[] = {
    {"no-heads", "segscan in -o out", 2,
     "one of --offsets, --keys, --flags and --length is needed"},
    {"two-heads", "segscan in --keys keys --flags flags -o out", 2,
     "just one of --offsets, --keys, --flags and --length is needed"},
    {"unique", "segreduce in --flags flags --unique unique -o out", 2, "--unique goes with --keys"},
    {"length-0", "segreduce in --length 0 -o out", 2, "--length 0 is not at least 1"},
    {"length-text", "segreduce in --length x -o out", 2, "--length"},
    {"both-scans", "segscan in --flags flags --inclusive --exclusive -o out", 2,
     "--inclusive and --exclusive exclude each other"},
    {"op", "segreduce in --flags flags --op sum -o out", 2, "--op 'sum' is unknown"},
    {"scan-op", "segscan in --flags flags --op argmin -o out", 2, "--op 'argmin' is unknown"},
    {"local-index", "segreduce in --flags flags --local-index -o out", 2,
     "--local-index goes with --op argmin and argmax, not add"},
    {"init", "segreduce in --flags flags --init 3000000000 -o out", 2,
     "--init 3000000000 does not fit int32"},
    {"floats", "segreduce floats --flags flags --op xor -o out", 2,
     "--op xor needs integers, but the elements are floats"},
    {"float-offsets", "segreduce in --offsets floats -o out", 2,
     "its elements are float32; offsets are int32 or int64"},
    {"no-offsets", "segreduce in --offsets none -o out", 2,
     "it is empty; there is one more offset than segments"},
    {"few-flags", "segreduce in --flags few -o out", 2, "it has 5 flags for the 7 elements of"},
    {"few-keys", "segscan in --keys few -o out", 2, "it has 5 keys for the 7 elements of"},
    {"flags-of-words", "segscan in --flags keys -o out", 2, "flags"},
    {"absent", "segscan in --keys absent -o out", 2, "No such file"},
    {"falling-offsets", "segreduce in --offsets falling -o out", 1,
     "falling: offsets[2] = 4 is less than offsets[1] = 5"},
    {"far-offsets", "segreduce few --offsets short -o out", 1,
     "short: offsets[3] = 7 exceeds the number of elements, 5"},
};

void cli_add_segmented(test_cases *cases) {
    cli_add_successes(cases, "cli/segmented", files, results, 3);
    cli_add_messages(cases, "cli/segmented/refused", files, refusals);
}
