/* SPDX-License-Identifier: MIT */
/* Primitives over distributed matrices. */
#include "mpi/ranks.h"

static void add_all(test_cases *cases) {
    add_grid_cases(cases);
    add_path_cases(cases);
    add_product_cases(cases);
    add_grid_fault_cases(cases);
}

int main(int argc, char **argv) {
    return ranks_main(argc, argv, add_all);
}
