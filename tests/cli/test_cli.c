/* SPDX-License-Identifier: MIT */
/* The command as a user runs it: files in, files out, compared with the plain-C twins. */
#include "cli/cli_run.h"
#include "harness/oracle.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const clprims_type all_types[] = {CLPRIMS_I8,  CLPRIMS_I16, CLPRIMS_I32, CLPRIMS_I64,
                                         CLPRIMS_U8,  CLPRIMS_U16, CLPRIMS_U32, CLPRIMS_U64,
                                         CLPRIMS_F32, CLPRIMS_F64};
enum { TYPE_COUNT = sizeof all_types / sizeof *all_types };

static void expect_run(const char *const *words, clprims_type type) {
    assert_string_equal(cli_expect_quiet(words, type)->out, "");
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
    void *const in = test_alloc(scan->n, bytes);
    void *const expected = test_alloc(scan->n, bytes);
    clprims_scan_desc desc = CLPRIMS_SCAN_DESC_INIT;
    desc.type = scan->type;
    desc.op = scan->op;
    desc.inclusive = scan->inclusive;
    desc.max_n = scan->n;
    test_random_values(scan->type, scan->op, in, scan->n);
    oracle_scan(&desc, in, expected, scan->n);
    cli_clear();
    cli_write_npy("in.npy", scan->type, in, scan->n);
    expect_run(CLI("scan", "--op", clprims_op_name(scan->op),
                   scan->inclusive ? "--inclusive" : "--exclusive", "@in.npy", "-o", "@out.npy"),
               scan->type);
    cli_expect_npy("out.npy", scan->type, expected, scan->n);
    cli_expect_npy("in.npy", scan->type, in, scan->n);
    assert_string_equal(cli_listing(), "in.npy out.npy ");
    free(in);
    free(expected);
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
            test_add(cases, scans, &scan, sizeof scan, "cli/scan/%s/%s/%s/n=%zu",
                     clprims_type_name(scan.type), clprims_op_name(scan.op),
                     scan.inclusive ? "inclusive" : "exclusive", scan.n);
        }
    }
}

/* Small examples with every option, checked by hand. */
typedef struct option_case {
    const char *name;
    clprims_type type;
    clprims_type out_type;
    const void *in;
    const void *out;
    size_t n;
    const char *words[CLI_WORDS]; /* before the files */
} option_case;

#define VALUES(type, ...) ((const type[]){__VA_ARGS__})

static const option_case option_cases[] = {
    {"default",
     CLPRIMS_I32,
     CLPRIMS_I32,
     VALUES(int32_t, 3, 1, 4),
     VALUES(int32_t, 0, 3, 4),
     3,
     {"scan"}},
    {"equals",
     CLPRIMS_I32,
     CLPRIMS_I32,
     VALUES(int32_t, 3, 1, 4),
     VALUES(int32_t, 9, 3, 1),
     3,
     {"scan", "--op=min", "--init=9"}},
    {"init-negative",
     CLPRIMS_I8,
     CLPRIMS_I8,
     VALUES(int8_t, 3, 1, 4),
     VALUES(int8_t, -125, -124, -120),
     3,
     {"scan", "--inclusive", "--init", "-128"}},
    {"init-hexadecimal",
     CLPRIMS_U64,
     CLPRIMS_U64,
     VALUES(uint64_t, 1, 2),
     VALUES(uint64_t, UINT64_MAX, 0),
     2,
     {"scan", "--init", "0xffffffffffffffff"}},
    {"init-leading-zero",
     CLPRIMS_U8,
     CLPRIMS_U8,
     VALUES(uint8_t, 1, 2),
     VALUES(uint8_t, 10, 11),
     2,
     {"scan", "--init", "010"}},
    {"init-infinity",
     CLPRIMS_F32,
     CLPRIMS_F32,
     VALUES(float, 2, 1),
     VALUES(float, INFINITY, 2),
     2,
     {"scan", "--op", "min", "--init", "inf"}},
    {"init-fraction",
     CLPRIMS_F32,
     CLPRIMS_F32,
     VALUES(float, 2, 1),
     VALUES(float, -0.5f, 1.5f),
     2,
     {"scan", "--init", "-0.5"}},
    {"accumulate-wider",
     CLPRIMS_U8,
     CLPRIMS_U64,
     VALUES(uint8_t, 255, 255, 255),
     VALUES(uint64_t, 255, 510, 765),
     3,
     {"scan", "--inclusive", "--accumulate", "uint64"}},
    {"accumulate-signed",
     CLPRIMS_I8,
     CLPRIMS_I64,
     VALUES(int8_t, -128, -128, 1),
     VALUES(int64_t, 1000000000000, 999999999872, 999999999744),
     3,
     {"scan", "--accumulate", "int64", "--init", "1000000000000"}},
    {"accumulate-float",
     CLPRIMS_I16,
     CLPRIMS_F32,
     VALUES(int16_t, -3, 4, 5),
     VALUES(float, 0.25f, -2.75f, 1.25f),
     3,
     {"scan", "--accumulate", "float32", "--init", "0.25"}},
    {"custom-identity",
     CLPRIMS_I32,
     CLPRIMS_I32,
     VALUES(int32_t, 3, 1, 4),
     VALUES(int32_t, 1, 3, 3),
     3,
     {"scan", "--custom", "a * b", "--identity", "1"}},
    {"custom-init",
     CLPRIMS_U32,
     CLPRIMS_U32,
     VALUES(uint32_t, 3, 1, 4),
     VALUES(uint32_t, 2, 3, 3),
     3,
     {"scan", "--custom", "a > b ? a : b", "--init", "2"}},
    {"custom-order",
     CLPRIMS_I32,
     CLPRIMS_I32,
     VALUES(int32_t, 3, 1, 4),
     VALUES(int32_t, 3, 3, 3),
     3,
     {"scan", "--custom", "a", "--inclusive"}},
    {"reduce-then-scan",
     CLPRIMS_U16,
     CLPRIMS_U16,
     VALUES(uint16_t, 6, 3, 5),
     VALUES(uint16_t, 65535, 6, 2),
     3,
     {"scan", "--op", "and", "--algorithm", "reduce-then-scan"}},
    {"local-layer",
     CLPRIMS_I64,
     CLPRIMS_I64,
     VALUES(int64_t, 1, 2, 4),
     VALUES(int64_t, 1, 3, 7),
     3,
     {"scan", "--op", "or", "--inclusive", "--layer", "local"}},
};

static void takes_options(const void *data) {
    const option_case *const option = data;
    const char *words[CLI_WORDS + 4] = {NULL};
    size_t count = 0;
    cli_clear();
    cli_write_npy("in.npy", option->type, option->in, option->n);
    for (; option->words[count]; ++count) words[count] = option->words[count];
    words[count++] = "-o";
    words[count++] = "@out.npy";
    words[count++] = "--";
    words[count] = "@in.npy";
    expect_run(words, CLPRIMS_TYPE_DEFAULT);
    cli_expect_npy("out.npy", option->out_type, option->out, option->n);
}

/* ---- Rank ----------------------------------------------------------------------------------- */

typedef enum list_order { ORDERED, REVERSED, RANDOM, ORDER_COUNT } list_order;

static const char *const order_names[] = {"ordered", "reversed", "random"};

typedef struct rank_case {
    clprims_type link;
    list_order order;
    size_t n;
    bool head_is_given;
} rank_case;

static void put(clprims_type link, void *links, size_t i, int64_t value) {
    if (link == CLPRIMS_I32)
        ((int32_t *)links)[i] = (int32_t)value;
    else
        ((int64_t *)links)[i] = value;
}

/* Links through the elements in an order of the wanted kind; gives back the first of them. */
static int64_t make_list(const rank_case *rank, void *next) {
    const size_t n = rank->n;
    int64_t *const order = test_alloc(n, sizeof *order);
    for (size_t i = 0; i < n; ++i) order[i] = (int64_t)(rank->order == REVERSED ? n - 1 - i : i);
    for (size_t i = n; rank->order == RANDOM && i > 1; --i) {
        const size_t other = test_random_below(i);
        const int64_t swapped = order[i - 1];
        order[i - 1] = order[other];
        order[other] = swapped;
    }
    for (size_t i = 0; i < n; ++i)
        put(rank->link, next, (size_t)order[i], i + 1 < n ? order[i + 1] : -1);
    const int64_t head = n > 0 ? order[0] : -1;
    free(order);
    return head;
}

static void ranks(const void *data) {
    const rank_case *const rank = data;
    const size_t bytes = clprims_type_bytes(rank->link);
    void *const next = test_alloc(rank->n, bytes);
    void *const expected = test_alloc(rank->n, bytes);
    const int64_t head = make_list(rank, next);
    char head_text[24];
    oracle_rank(rank->link, next, head, expected, rank->n);
    cli_clear();
    cli_write_npy("next.npy", rank->link, next, rank->n);
    snprintf(head_text, sizeof head_text, "%lld", (long long)head);
    expect_run(rank->head_is_given
                   ? CLI("rank", "--head", head_text, "@next.npy", "-o", "@rank.npy")
                   : CLI("rank", "@next.npy", "-o", "@rank.npy"),
               rank->link);
    cli_expect_npy("rank.npy", rank->link, expected, rank->n);
    oracle_order(rank->link, next, head, expected, rank->n);
    expect_run(rank->head_is_given
                   ? CLI("order", "--head", head_text, "@next.npy", "-o", "@order.npy")
                   : CLI("order", "@next.npy", "-o", "@order.npy"),
               rank->link);
    cli_expect_npy("order.npy", rank->link, expected, rank->n);
    cli_expect_npy("next.npy", rank->link, next, rank->n);
    free(next);
    free(expected);
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
                test_add(cases, ranks, &rank, sizeof rank, "cli/rank/%s/%s/n=%zu/%s",
                         clprims_type_name(rank.link), order_names[order], rank.n,
                         rank.head_is_given ? "head" : "find-head");
            }
}

/* ---- Files ---------------------------------------------------------------------------------- */

static void writes_onto_input(const void *data) {
    (void)data;
    cli_clear();
    cli_write_npy("a.npy", CLPRIMS_U8, VALUES(uint8_t, 200, 100, 7), 3);
    expect_run(CLI("scan", "--accumulate", "uint32", "@a.npy", "-o", "@a.npy"), CLPRIMS_U8);
    cli_expect_npy("a.npy", CLPRIMS_U32, VALUES(uint32_t, 0, 200, 300), 3);
    cli_write_npy("a.npy", CLPRIMS_I32, VALUES(int32_t, -1, 0, 1), 3);
    expect_run(CLI("rank", "@a.npy", "-o", "@a.npy"), CLPRIMS_I32);
    cli_expect_npy("a.npy", CLPRIMS_I32, VALUES(int32_t, 2, 1, 0), 3);
    assert_string_equal(cli_listing(), "a.npy ");
}

static void expect_mode(const char *name, mode_t mode) {
    struct stat status;
    if (lstat(cli_path(name), &status) != 0) test_fail("%s is not there", name);
    assert_true(S_ISREG(status.st_mode));
    assert_int_equal(status.st_mode & 0777, mode);
}

static void replaces_output(const void *data) {
    (void)data;
    const cli_world world = {.mask = 027};
    struct stat status;
    cli_clear();
    cli_write_npy("in.npy", CLPRIMS_U8, VALUES(uint8_t, 2, 3), 2);
    cli_write("old.npy", "old", 3);
    if (chmod(cli_path("old.npy"), 0604) != 0) test_fail("no mode can be set");
    if (symlink("old.npy", cli_path("link.npy")) != 0) test_fail("no link can be made");
    cli_expect(CLI("scan", "@in.npy", "-o", "@link.npy"), &world, 0, "");
    cli_expect(CLI("scan", "@in.npy", "-o", "@new.npy"), &world, 0, "");
    cli_expect_npy("old.npy", CLPRIMS_U8, VALUES(uint8_t, 0, 2), 2);
    cli_expect_npy("new.npy", CLPRIMS_U8, VALUES(uint8_t, 0, 2), 2);
    expect_mode("old.npy", 0604);
    expect_mode("new.npy", 0640);
    if (lstat(cli_path("link.npy"), &status) != 0 || !S_ISLNK(status.st_mode))
        test_fail("the link was replaced, not the file that it leads to");
}

/* Whether the signal comes in time is a matter of luck; that nothing is left behind is not. */
static void removes_unfinished(const void *data) {
    (void)data;
    enum { N = 1 << 26 };
    uint8_t *const zeros = calloc(N, 1);
    if (!zeros) test_fail("no memory");
    cli_clear();
    cli_write_npy("in.npy", CLPRIMS_U8, zeros, N);
    const pid_t child = cli_start(CLI("scan", "@in.npy", "-o", "@out.npy"), NULL);
    while (cli_is_running(child) && !strstr(cli_listing(), ".clprims-")) continue;
    kill(child, SIGTERM);
    cli_wait(child);
    if (strcmp(cli_listing(), "in.npy ") != 0) {
        assert_string_equal(cli_listing(), "in.npy out.npy ");
        cli_expect_npy("out.npy", CLPRIMS_U8, zeros, N);
    }
    free(zeros);
}

static void chooses_device(const void *data) {
    (void)data;
    cli_world world = {.variable = "CLPRIMS_DEVICE", .value = "no such device"};
    cli_clear();
    cli_write_npy("in.npy", CLPRIMS_U8, VALUES(uint8_t, 2, 3), 2);
    cli_expect(CLI("scan", "--device", test_info().device.name, "@in.npy", "-o", "@out.npy"),
               &world, 0, "");
    cli_expect_npy("out.npy", CLPRIMS_U8, VALUES(uint8_t, 0, 2), 2);
    cli_expect(CLI("info", "--device", "0"), &world, 0, "");
    world = (cli_world){.variable = "CLPRIMS_LAYER", .value = "local"};
    cli_expect(CLI("scan", "@in.npy", "-o", "@out.npy", "--stats"), &world, 0, "(local layer)");
}

static void add_cases(test_cases *cases) {
    add_scans(cases);
    for (size_t i = 0; i < sizeof option_cases / sizeof *option_cases; i += test_long() ? 1 : 2)
        test_add(cases, takes_options, &option_cases[i], sizeof *option_cases, "cli/scan/%s",
                 option_cases[i].name);
    add_ranks(cases);
    test_add(cases, writes_onto_input, NULL, 0, "cli/output/onto-input");
    test_add(cases, removes_unfinished, NULL, 0, "cli/output/killed");
    test_add(cases, replaces_output, NULL, 0, "cli/output/replaced");
    test_add(cases, chooses_device, NULL, 0, "cli/device");
    cli_add_prints(cases);
    cli_add_foreign(cases);
    cli_add_files(cases);
    cli_add_lists(cases);
    cli_add_refusals(cases);
    cli_add_passes(cases);
    cli_add_reduce(cases);
    cli_add_segmented(cases);
    cli_add_histogram(cases);
    cli_add_merge(cases);
    cli_add_jagged(cases);
}

int main(int argc, char **argv) {
    cli_open_folder();
    const int status = test_main(argc, argv, add_cases);
    cli_close_folder();
    return status;
}
