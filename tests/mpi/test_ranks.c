/* SPDX-License-Identifier: MIT */
/* Primitives over distributed arrays. */
#include "mpi/ranks.h"

static void add_all(test_cases *cases) {
    add_block_cases(cases);
    add_scan_cases(cases);
    add_select_cases(cases);
    add_sort_cases(cases);
    add_list_cases(cases);
    add_digest_cases(cases);
    add_fault_cases(cases);
}

int main(int argc, char **argv) {
    return ranks_main(argc, argv, add_all);
}
