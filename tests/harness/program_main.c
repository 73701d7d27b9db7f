/* SPDX-License-Identifier: MIT */
/* main of the programs that take no options of their own. */
#include "harness/harness.h"

int main(int argc, char **argv) {
    return test_main(argc, argv, test_program);
}
