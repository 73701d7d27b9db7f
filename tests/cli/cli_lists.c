/* SPDX-License-Identifier: MIT */
/* The commands on lists beyond ranking: listscan, and rank --forest. */
#include "cli/cli_run.h"

/* The list in "next" is 2, 0, 3, 1; the lists in "lists" are 3, 0, 1 and 4, 2. */
static const cli_file files[] = {
    {"next", "int32 3 -1 0 1"},    {"values", "int32 10 20 30 40"},
    {"floats", "float32 1 2 3 4"}, {"two", "int32 1 0"},
    {"tails", "int32 -1 -1 0 1"},  {"lists", "int64 1 -1 -1 0 2"},
    {"heads", "int64 4 3"},        {"none", "int32"},
    {"no-values", "float32"},      {"pair", "int32 1 -1"},
    {"old", "uint8 1 2 3"},
};

static const cli_success scans[] = {
    {"exclusive", "listscan --values values next -o out", "out int32 30 80 0 40"},
    {"inclusive", "listscan --values values next --inclusive -o out", "out int32 40 100 30 80"},
    {"head", "listscan --values values next --head 2 -o out", "out int32 30 80 0 40"},
    {"op-init", "listscan --values values next --op min --init 99 -o out", "out int32 30 10 99 10"},
    {"accumulate", "listscan --values values next --accumulate int64 -o out",
     "out int64 30 80 0 40"},
    {"custom", "listscan --values values next --custom b --inclusive -o out",
     "out int32 10 20 30 40"},
    {"identity", "listscan --values values next --custom b --identity=5 -o out",
     "out int32 30 40 5 10"},
};

static const cli_success others[] = {
    {"forest", "rank --forest lists -o out", "out int64 1 2 1 0 0"},
    {"forest/heads", "rank --forest --heads heads --head-of firsts lists -o lists",
     "lists int64 1 2 1 0 0; firsts int64 3 3 4 3 4"},
    {"forest/n=0", "rank --forest none -o out", "out int32"},
    {"listscan/n=0", "listscan --values no-values none -o out", "out float32"},
};

static const cli_message refusals[] = {
    {"no-values", "listscan next -o out", 2, "--values is missing"},
    {"no-links", "listscan --values values -o out", 2, "NEXT.npy is missing"},
    {"fewer-values", "listscan --values two next -o out", 2, "has 2 values for the 4 links of"},
    {"absent-values", "listscan --values absent next -o out", 2, "can't be read"},
    {"float-links", "listscan --values values floats -o out", 2, "links are int32 or int64"},
    {"op", "listscan --values values --op plus next -o out", 2, "--op 'plus' is unknown"},
    {"op-and-custom", "listscan --values values --op=add --custom=a next -o out", 2,
     "exclude each other"},
    {"both-kinds", "listscan --values values --inclusive --exclusive next -o out", 2,
     "exclude each other"},
    {"identity-alone", "listscan --values values --identity 0 next -o out", 2,
     "--identity goes with --custom"},
    {"custom-without-start", "listscan --values values --custom 'a + b' next -o out", 2,
     "--custom needs --identity"},
    {"custom-text", "listscan --values values --custom undeclared --init 0 next -o out", 2,
     "undeclared"},
    {"init", "listscan --values values --init x next -o out", 2, "--init 'x' is not a number"},
    {"accumulate", "listscan --values values --accumulate int3 next -o out", 2,
     "--accumulate 'int3' is unknown"},
    {"float-bits", "listscan --values values --op=or --accumulate=float32 next -o out", 2,
     "--accumulate says otherwise"},
    {"head", "listscan --values values --head 4 next -o out", 2, "--head 4 is no element"},
    {"bad-list", "listscan --values values tails -o out", 1, "next[0] and next[1] are both -1"},
    {"forest-and-head", "rank --forest --head=0 next -o out", 2, "--forest and --head exclude"},
    {"heads-alone", "rank --heads two next -o out", 2, "--heads goes with --forest"},
    {"head-of-alone", "rank --head-of o next -o out", 2, "--head-of goes with --forest"},
    {"heads-type", "rank --forest --heads floats next -o out", 2,
     "floats: its elements are float32, the links of next are int32"},
    {"heads-number", "rank --forest --heads next two -o out", 2, "has 4 heads for the 2 elements"},
    {"wrong-heads", "rank --forest --heads two next -o out", 1,
     "forest: element 0 is given as a head, but next[2]"},
    {"forest-cycle", "rank --forest --head-of o two -o out", 1, "forest: element 0 is on a cycle"},
    {"forest-absent", "rank --forest --head-of absent/first pair -o old", 2, "absent/first: "},
    {"forest-one-file", "rank --forest --head-of old pair -o old", 2,
     "are one file; each output needs its own"},
};

void cli_add_lists(test_cases *cases) {
    cli_add_successes(cases, "cli/listscan", files, scans, 3);
    cli_add_successes(cases, "cli", files, others, 1);
    cli_add_messages(cases, "cli/listscan/usage", files, refusals);
}
