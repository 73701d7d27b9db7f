/* SPDX-License-Identifier: MIT */
/* Where the command's bytes come from and go to: pipes, links, devices, and what a file keeps. */
#include "cli/cli_run.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static const int32_t in[] = {3, 1, 4, 1, 5};
static const int32_t sums[] = {0, 3, 4, 8, 9};

static void write_inputs(void) {
    cli_clear();
    cli_write_npy("in.npy", CLPRIMS_I32, in, 5);
}

/* ---- Another user ---- */

static void serves_nobody(const void *data) {
    enum { NOBODY = 65534, ANYBODY = 4321 };
    const cli_case *const c = data;
    char script[1024];
    cli_write_table(c->files, *c->count);
    if (mkdir(cli_path("mine"), 0755) != 0) test_fail("no folder can be made");
    if (strcmp(c->name, "owner-and-group") == 0) {
        cli_write("mine/roots", "old\n", 4);
        cli_write("mine/others", "old\n", 4);
        if (chmod(cli_path("mine/roots"), 0666) != 0 ||
            chown(cli_path("mine/others"), NOBODY, ANYBODY) != 0)
            test_skip("files can't be given away here");
    }
    if (chown(cli_path("mine"), NOBODY, NOBODY) != 0) test_skip("files can't be given away here");
    snprintf(script, sizeof script, "cd mine; %s", c->script);
    const cli_result *const result = cli_run_as_nobody(script);
    if (result->exit_status != 0)
        test_fail("exit status %d; standard error: %s", result->exit_status, result->err);
    assert_string_equal(result->err, "");
    assert_string_equal(cli_listing(), "in.npy mine sums.npy ");
    cli_expect_npy("in.npy", CLPRIMS_I32, in, 5);
}

/* ---- What a file keeps ---- */

static void keeps_owner(void) {
    enum { OWNER = 12345, GROUP = 54321 };
    struct stat status;
    write_inputs();
    cli_write("out.npy", "old", 3);
    if (chown(cli_path("out.npy"), OWNER, GROUP) != 0)
        test_skip("only root can give files away; this is user %ld", (long)geteuid());
    cli_expect("scan in.npy -o out.npy", 0, "");
    cli_expect_npy("out.npy", CLPRIMS_I32, sums, 5);
    if (stat(cli_path("out.npy"), &status) != 0) test_fail("out.npy is not there");
    assert_int_equal(status.st_uid, OWNER);
    assert_int_equal(status.st_gid, GROUP);
}

/* An access list as Linux stores it: version 2, then tag, permissions and id of each entry. The
 * owner may all, user 4321 read, the group nothing, the mask allows reading, others nothing. */
static const unsigned char list[] = {2,   0,   0,   0,   1,   0,    6,    0,   255, 255, 255,
                                     255, 2,   0,   4,   0,   0xe1, 0x10, 0,   0,   4,   0,
                                     0,   0,   255, 255, 255, 255,  16,   0,   4,   0,   255,
                                     255, 255, 255, 32,  0,   0,    0,    255, 255, 255, 255};

static void set_attribute(const char *name, const char *attribute, const void *value,
                          size_t bytes) {
    if (setxattr(cli_path(name), attribute, value, bytes, 0) == 0) return;
    if (errno == ENOTSUP || errno == EPERM) test_skip("no %s on this file system", attribute);
    test_fail("%s of %s can't be set: %s", attribute, name, strerror(errno));
}

static void expect_attribute(const char *name, const char *attribute, const void *value,
                             size_t bytes) {
    char found[64] = "";
    const ssize_t got = getxattr(cli_path(name), attribute, found, sizeof found);
    if (got != (ssize_t)bytes) test_fail("%s of %s has %zd bytes", attribute, name, got);
    assert_memory_equal(found, value, bytes);
}

static void keeps_attributes(void) {
    struct stat status;
    write_inputs();
    cli_write("out.npy", "old", 3);
    set_attribute("out.npy", "user.note", "kept", 4);
    set_attribute("out.npy", "system.posix_acl_access", list, sizeof list);
    cli_expect("scan in.npy -o out.npy", 0, "");
    cli_expect_npy("out.npy", CLPRIMS_I32, sums, 5);
    expect_attribute("out.npy", "user.note", "kept", 4);
    expect_attribute("out.npy", "system.posix_acl_access", list, sizeof list);
    if (stat(cli_path("out.npy"), &status) != 0) test_fail("out.npy is not there");
    assert_int_equal(status.st_mode & 0777, 0640);
}

/* A folder's default list is for new files, not for what is replaced. */
static void takes_no_default_list(void) {
    write_inputs();
    if (mkdir(cli_path("sub"), 0755) != 0) test_fail("no folder can be made");
    cli_write("sub/old", "old", 3);
    set_attribute("sub", "system.posix_acl_default", list, sizeof list);
    cli_expect("scan in.npy -o sub/old", 0, "");
    cli_expect("scan in.npy -o sub/new", 0, "");
    if (getxattr(cli_path("sub/old"), "system.posix_acl_access", NULL, 0) >= 0)
        test_fail("sub/old got its folder's default access list");
    expect_attribute("sub/new", "system.posix_acl_access", list, sizeof list);
}

/* ---- Signals ---- */

static void wait_until_listed(pid_t child, const char *part) {
    const struct timespec moment = {0, 1000000};
    while (!strstr(cli_listing(), part)) {
        if (!cli_is_running(child)) test_fail("the command ended; there is %s", cli_listing());
        nanosleep(&moment, NULL);
    }
}

/* The first output has its temporary file while the second waits for the reader of its pipe. */
static void removes_temporary(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    write_inputs();
    cli_write("out.npy", "old", 3);
    if (mkfifo(cli_path("pipe"), 0600) != 0) test_fail("no pipe can be made");
    for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) {
        const pid_t child = cli_start("unique in.npy -o out.npy --counts pipe");
        wait_until_listed(child, ".clprims-");
        kill(child, signals[i]);
        assert_int_equal(cli_wait(child)->exit_status, -1);
        assert_string_equal(cli_listing(), "in.npy out.npy pipe ");
        cli_expect_file("out.npy", "old", 3);
    }
}

void cli_add_files(test_cases *cases) {
    cli_add_text(cases, "files_nobody", serves_nobody);
    test_add_plain(cases, keeps_owner, "cli/files/owner");
    test_add_plain(cases, keeps_attributes, "cli/files/attributes");
    test_add_plain(cases, takes_no_default_list, "cli/files/default-list");
    test_add_plain(cases, removes_temporary, "cli/files/signals");
}
