/* SPDX-License-Identifier: MIT */
/* clprims merge and searchsorted: results and refusals. */
#include "cli/cli_run.h"

static const cli_file files[] = {
    {"a", "int16 -3 1 1 8"}, {"b", "int16 -9 1 9"},  {"needles", "int16 9 1 -3 0 1"},
    {"none", "int16"},       {"words", "int32 1 2"}, {"bools", "bool 0 1 1"},
};

static const cli_success merges[] = {
    {"results", "merge a b -o out", "out int16 -9 -3 1 1 1 8 9"},
    {"none-first", "merge none b -o out", "out int16 -9 1 9"},
    {"none", "merge none none -o out", "out int16"},
    {"onto-input", "merge a b -o a", "a int16 -9 -3 1 1 1 8 9"},
    {"bools", "merge bools bools -o out", "out bool 0 0 1 1 1 1"},
};

static const cli_success searches[] = {
    {"results", "searchsorted a needles -o out", "out int64 4 1 0 1 1"},
    {"right", "searchsorted --right a needles -o out", "out int64 4 3 1 1 3"},
    {"both", "searchsorted --upper out a needles -o words", "out int64 4 3 1 1 3"},
    {"both-lower", "searchsorted --upper words a needles -o out", "out int64 4 1 0 1 1"},
    {"in-none", "searchsorted none b -o out", "out int64 0 0 0"},
    {"none", "searchsorted a none -o out", "out int64"},
};

static const cli_message refusals[] = {
    {"merge-types", "merge a words -o out", 2, "words: its elements are int32, but"},
    {"search-types", "searchsorted bools a -o out", 2, "a: its elements are int16, but"},
    {"merge-right", "merge --right a b -o out", 2, "unknown option '--right'"},
    {"right-and-both", "searchsorted --right --upper upper a needles -o out", 2, "--upper"},
    {"merge-one", "merge a -o out", 2, "B.npy"},
    {"search-one", "searchsorted a -o out", 2, "NEEDLES.npy"},
    {"merge-absent", "merge a absent -o out", 2, "No such file"},
};

void cli_add_merge(test_cases *cases) {
    cli_add_successes(cases, "cli/merge", files, merges, 1);
    cli_add_successes(cases, "cli/searchsorted", files, searches, 1);
    cli_add_messages(cases, "cli/merge/refusals", files, refusals);
}
