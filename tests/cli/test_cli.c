/* SPDX-License-Identifier: MIT */
/* The command as a user runs it: files in, files out, compared with the plain-C twins. */
#include "cli/cli_run.h"
#include "harness/oracle.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

static const clprims_type all_types[] = {CLPRIMS_I8,  CLPRIMS_I16, CLPRIMS_I32, CLPRIMS_I64,
                                         CLPRIMS_U8,  CLPRIMS_U16, CLPRIMS_U32, CLPRIMS_U64,
                                         CLPRIMS_F32, CLPRIMS_F64};
enum { TYPE_COUNT = sizeof all_types / sizeof *all_types };

static void expect_run(const char *script) {
    assert_string_equal(cli_expect(script, 0, "")->out, "");
}

/* ---- Scan ----------------------------------------------------------------------------------- */

typedef struct scan_case {
    clprims_type type;
    clprims_op op;
    bool inclusive;
    size_t n;
} scan_case;

static void scans(const void *data) {
    const scan_case *const scan = data;
    const size_t bytes = clprims_type_bytes(scan->type);
    void *const in = test_scratch(scan->n, bytes);
    void *const expected = test_scratch(scan->n, bytes);
    char script[80];
    clprims_scan_desc desc = {
        .type = scan->type, .op = scan->op, .inclusive = scan->inclusive, .max_n = scan->n};
    test_random_values(scan->type, scan->op, in, scan->n);
    oracle_scan(&desc, in, expected, scan->n);
    cli_clear();
    cli_write_npy("in.npy", scan->type, in, scan->n);
    snprintf(script, sizeof script, "scan --op %s %s in.npy -o out.npy", clprims_op_name(scan->op),
             scan->inclusive ? "--inclusive" : "--exclusive");
    expect_run(script);
    cli_expect_npy("out.npy", scan->type, expected, scan->n);
    cli_expect_npy("in.npy", scan->type, in, scan->n);
    assert_string_equal(cli_listing(), "in.npy out.npy ");
}

static void add_scans(test_cases *cases) {
    for (size_t t = 0; t < TYPE_COUNT; ++t) {
        const bool is_float = all_types[t] >= CLPRIMS_F32;
        for (int op = CLPRIMS_ADD; op <= (is_float ? CLPRIMS_MUL : CLPRIMS_XOR); ++op) {
            /* In the long tier each type with each operator; the kinds and sizes take turns. */
            static const size_t sizes[] = {1, 1000, 0, 65537, 2};
            const size_t turn = t + (size_t)op;
            const scan_case scan = {all_types[t], (clprims_op)op, (turn + turn / 4) % 2 == 0,
                                    sizes[turn % (sizeof sizes / sizeof *sizes)]};
            if (!test_long() && (t % 4 != 0 || (size_t)op != t % (is_float ? 4 : 7))) continue;
            test_add_row(cases, scans, scan, "cli/scan/%s/%s/%s/n=%zu",
                         clprims_type_name(scan.type), clprims_op_name(scan.op),
                         scan.inclusive ? "inclusive" : "exclusive", scan.n);
        }
    }
}

/* Small examples with every option, checked by hand. */
static const cli_file files[] = {
    {"i32", "int32 3 1 4"},        {"i8", "int8 3 1 4"},    {"u64", "uint64 1 2"},
    {"u8", "uint8 1 2"},           {"f32", "float32 2 1"},  {"most", "uint8 255 255 255"},
    {"least", "int8 -128 -128 1"}, {"i16", "int16 -3 4 5"}, {"u32", "uint32 3 1 4"},
    {"u16", "uint16 6 3 5"},       {"i64", "int64 1 2 4"},  {"links", "int32 -1 0 1"},
};

/* ---- Rank ----------------------------------------------------------------------------------- */

typedef enum list_order { ORDERED, REVERSED, RANDOM, ORDER_COUNT } list_order;

static const char *const order_names[] = {"ordered", "reversed", "random"};

typedef struct rank_case {
    clprims_type link;
    list_order order;
    size_t n;
    bool head_is_given;
} rank_case;

/* Links through the elements in an order of the wanted kind; gives back the first of them. */
static int64_t make_list(const rank_case *rank, void *next) {
    const size_t n = rank->n;
    int64_t *const order = test_scratch(n, sizeof *order);
    for (size_t i = 0; i < n; ++i) order[i] = (int64_t)(rank->order == REVERSED ? n - 1 - i : i);
    for (size_t i = n; rank->order == RANDOM && i > 1; --i) {
        const size_t other = test_random_below(i);
        const int64_t swapped = order[i - 1];
        order[i - 1] = order[other];
        order[other] = swapped;
    }
    for (size_t i = 0; i < n; ++i)
        test_store_integer(clprims_type_bytes(rank->link), next, (size_t)order[i],
                           (uint64_t)(i + 1 < n ? order[i + 1] : -1));
    const int64_t head = n > 0 ? order[0] : -1;
    return head;
}

static void expect_command(const char *command, const rank_case *rank, int64_t head,
                           const void *expected) {
    char script[80], option[32] = "";
    if (rank->head_is_given) snprintf(option, sizeof option, "--head %lld ", (long long)head);
    snprintf(script, sizeof script, "%s %snext.npy -o out.npy", command, option);
    expect_run(script);
    cli_expect_npy("out.npy", rank->link, expected, rank->n);
}

static void ranks(const void *data) {
    const rank_case *const rank = data;
    const size_t bytes = clprims_type_bytes(rank->link);
    void *const next = test_scratch(rank->n, bytes);
    void *const expected = test_scratch(rank->n, bytes);
    const int64_t head = make_list(rank, next);
    cli_clear();
    cli_write_npy("next.npy", rank->link, next, rank->n);
    oracle_rank(rank->link, next, head, expected, rank->n);
    expect_command("rank", rank, head, expected);
    oracle_order(rank->link, next, head, expected, rank->n);
    expect_command("order", rank, head, expected);
    cli_expect_npy("next.npy", rank->link, next, rank->n);
}

static void add_ranks(test_cases *cases) {
    static const size_t sizes[] = {0, 1, 2, 1000, 100003};
    for (int order = ORDERED; order < ORDER_COUNT; ++order)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s)
            for (int wide = 0; wide < 2; ++wide) {
                if (sizes[s] < 2 && order != ORDERED) continue;
                if (!test_long() && wide != (order + (int)s) % 2) continue;
                const rank_case rank = {wide ? CLPRIMS_I64 : CLPRIMS_I32, (list_order)order,
                                        sizes[s], sizes[s] > 0 && (s + (size_t)wide) % 2 == 0};
                test_add_row(cases, ranks, rank, "cli/rank/%s/%s/n=%zu/%s",
                             clprims_type_name(rank.link), order_names[order], rank.n,
                             rank.head_is_given ? "head" : "find-head");
            }
}

/* ---- Files ---------------------------------------------------------------------------------- */

static void expect_mode(const char *name, mode_t mode) {
    struct stat status;
    if (lstat(cli_path(name), &status) != 0) test_fail("%s is not there", name);
    assert_true(S_ISREG(status.st_mode));
    assert_int_equal(status.st_mode & 0777, mode);
}

static void replaces_output(void) {
    struct stat status;
    cli_write_files(files);
    cli_write("old", "old", 3);
    if (chmod(cli_path("old"), 0604) != 0) test_fail("no mode can be set");
    if (symlink("old", cli_path("link")) != 0) test_fail("no link can be made");
    cli_expect("umask 027; $C scan u8 -o link; $C scan u8 -o new", 0, "");
    cli_expect_values("old", "uint8 0 1");
    cli_expect_values("new", "uint8 0 1");
    expect_mode("old", 0604);
    expect_mode("new", 0640);
    if (lstat(cli_path("link"), &status) != 0 || !S_ISLNK(status.st_mode))
        test_fail("the link was replaced, not the file that it leads to");
}

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
    cli_write_files(files);
    setenv("DEVICE", test_info().device.name, 1);
    cli_expect("export CLPRIMS_DEVICE='no such device'; $C info --device 0; "
               "$C scan --device \"$DEVICE\" u8 -o out",
               0, "");
    cli_expect_values("out", "uint8 0 1");
}

static void add_cases(test_cases *cases) {
    add_scans(cases);
    add_ranks(cases);
    test_add_plain(cases, removes_unfinished, "cli/output/killed");
    test_add_plain(cases, replaces_output, "cli/output/replaced");
    test_add_plain(cases, chooses_device, "cli/device");
    cli_add_texts(cases);
    cli_add_prints(cases);
    cli_add_foreign(cases);
    cli_add_files(cases);
    cli_add_refusals(cases);
    cli_add_passes(cases);
    cli_add_store(cases);
}

int main(int argc, char **argv) {
    cli_open_folder();
    setenv("XDG_CACHE_HOME", "/nonexistent", 1); /* nothing is kept in the user's */
    const int status = test_main(argc, argv, add_cases);
    cli_close_folder();
    return status;
}
