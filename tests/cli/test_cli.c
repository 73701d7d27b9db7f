/* SPDX-License-Identifier: MIT */
/* The command as a user runs it: files in, files out. Texts in cases/ have most of it;
 * numpy_agrees.py compares large files of every type. */
#include "cli/cli_run.h"

#include <signal.h>

/* Whether the signal comes in time is a matter of luck; that nothing is left behind is not. */
static void removes_unfinished(void) {
    enum { N = 1 << 26 };
    uint8_t *const zeros = calloc(N, 1);
    if (!zeros) test_fail("no memory");
    cli_clear();
    cli_write_npy("in.npy", CLPRIMS_U8, zeros, N);
    const pid_t child = cli_start("scan in.npy -o out.npy");
    while (cli_is_running(child) && !strstr(cli_listing(), ".clprims-")) continue;
    kill(child, SIGTERM);
    cli_wait(child);
    if (strcmp(cli_listing(), "in.npy ") != 0) {
        assert_string_equal(cli_listing(), "in.npy out.npy ");
        cli_expect_npy("out.npy", CLPRIMS_U8, zeros, N);
    }
    free(zeros);
}

static void chooses_device(void) {
    cli_clear();
    cli_write_values("u8", "uint8 1 2");
    setenv("DEVICE", test_info().device.name, 1);
    cli_expect("export CLPRIMS_DEVICE='no such device'; $C info --device 0; "
               "$C scan --device \"$DEVICE\" u8 -o out",
               0, "");
    cli_expect_values("out", "uint8 0 1");
}

static void add_cases(test_cases *cases) {
    test_add_plain(cases, removes_unfinished, "cli/output/killed");
    test_add_plain(cases, chooses_device, "cli/device");
    cli_add_texts(cases);
    cli_add_prints(cases);
    cli_add_foreign(cases);
    cli_add_files(cases);
}

int main(int argc, char **argv) {
    cli_open_folder();
    setenv("XDG_CACHE_HOME", "/nonexistent", 1); /* nothing is kept in the user's */
    const int status = test_main(argc, argv, add_cases);
    cli_close_folder();
    return status;
}
