/* SPDX-License-Identifier: MIT */
/* clprims parents, gather and scatter: results and refusals. */
#include "cli/cli_run.h"

static const cli_file files[] = {
    {"offsets", "int64 2 2 5 6"},   {"falling", "int64 0 3 1 4"},
    {"negative", "int64 -5"},       {"far", "int64 0 9223372036854775807"},
    {"narrow", "int32 0 4 4"},      {"index", "int32 2 0 2 1"},
    {"outside", "int32 0 1 -1 3"},  {"beyond", "uint32 3"},
    {"values", "float64 0.5 -1 7"}, {"none", "int64"},
    {"four", "float64 1 2 3 4"},    {"no-values", "float64"},
    {"truths", "bool 1 0 1 1"},
};

static const cli_success results[] = {
    {"parents", "parents offsets -o out", "out int64 -1 -1 1 1 1 2"},
    {"local-parents", "parents --local offsets -o out", "out int64 -1 -1 0 1 2 0"},
    {"narrow-parents", "parents narrow -o out", "out int64 0 0 0 0"},
    {"gather", "gather index values -o out", "out float64 7 0.5 7 -1"},
    {"gather-none", "gather none values -o out", "out float64"},
    {"scatter", "scatter index four values -o out", "out float64 2 4 3"},
    {"scatter-min", "scatter --op min index four values -o out", "out float64 0.5 -1 1"},
    {"scatter-add", "scatter --op add index four values -o out", "out float64 2.5 3 11"},
    {"scatter-none", "scatter none no-values values -o out", "out float64 0.5 -1 7"},
};

static const cli_message refusals[] = {
    {"float-offsets", "parents values -o out", 2,
     "its elements are float64; offsets are int32 or int64"},
    {"no-offsets", "parents none -o out", 2, "it is empty; there is one more offset than segments"},
    {"falling-offsets", "parents falling -o out", 1,
     "falling: offsets[2] = 1 is less than offsets[1] = 3"},
    {"negative-offsets", "parents negative -o out", 1, "negative: offsets[0] = -5 is less than 0"},
    {"far-offsets", "parents --local far -o out", 1,
     "the last offset, 9223372036854775807, exceeds"},
    {"float-index", "gather values values -o out", 2,
     "its elements are float64; indices are int32, int64 or uint32"},
    {"no-input", "gather index -o out", 2, "IN.npy"},
    {"negative-index", "gather outside values -o out", 1,
     "clprims gather: index[2] = -1 is outside of the elements, the first that is"},
    {"index-beyond", "gather beyond values -o out", 1, "clprims gather: index[0] = 3 is outside"},
    {"of-nothing", "gather index none -o out", 1, "clprims gather: index[0] = 2 is outside"},
    {"scatter-outside", "scatter outside four values -o out", 1,
     "clprims scatter: index[2] = -1 is outside of the elements, the first that is"},
    {"scatter-float-index", "scatter four four values -o out", 2, "indices are int32, int64"},
    {"scatter-lengths", "scatter index values values -o out", 2,
     "values has 3 elements, but index has 4 indices"},
    {"scatter-types", "scatter index index values -o out", 2,
     "index: its elements are int32, but values has float64"},
    {"scatter-bools", "scatter --op add index truths truths -o out", 2,
     "its elements are bool; use --op or"},
    {"scatter-mul", "scatter --op mul index four values -o out", 2, "is none of add, min, max"},
};

void cli_add_jagged(test_cases *cases) {
    cli_add_successes(cases, "cli/jagged", files, results, 1);
    cli_add_messages(cases, "cli/jagged/refused", files, refusals);
}
