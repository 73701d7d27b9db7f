/* SPDX-License-Identifier: MIT */
/* What the command prints for people: times, devices, help and version. */
#include "cli/cli_run.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static void expect_stats(const cli_result *result, const char *part) {
    double milliseconds = 0;
    double rate = 0;
    const char *const numbers = strstr(result->err, " layer): ");
    setlocale(LC_NUMERIC, "C"); /* the command has no other */
    expect_contains(result->err, part);
    if (!numbers ||
        sscanf(numbers, " layer): %lf ms on the device, %lf GB/s", &milliseconds, &rate) != 2)
        test_fail("no time and rate in: %s", result->err);
    if (!(milliseconds > 0 && rate > 0)) test_fail("time or rate are zero in: %s", result->err);
}

static void prints_stats(const void *data) {
    (void)data;
    enum { N = 100000 };
    static int32_t next[N];
    for (int32_t i = 0; i < N; ++i) next[i] = i - 1;
    cli_clear();
    cli_write_npy("next.npy", CLPRIMS_I32, next, N);
    expect_stats(
        cli_expect(CLI("scan", "--stats", "--accumulate", "int64", "@next.npy", "-o", "@out.npy"),
                   NULL, 0, "clprims scan: add of 100000 int32 to int64 by "),
        "(1200000 bytes read and written)");
    expect_stats(cli_expect(CLI("rank", "@next.npy", "--stats", "-o", "@rank.npy"), NULL, 0,
                            "clprims rank: 100000 int32 links in "),
                 "(800000 bytes read and written)");
    expect_stats(cli_expect(CLI("offsets", "@next.npy", "@next.npy", "--stats", "-o", "@out.npy"),
                            NULL, 0, "clprims offsets: 100000 int32 intervals by "),
                 "(1600008 bytes read and written)");
    expect_stats(cli_expect(CLI("select", "@rank.npy", "--stats", "-o", "@out.npy"), NULL, 0,
                            "clprims select: 99999 of 100000 int32 by "),
                 "(799996 bytes read and written)");
    /* The measured run is the second; its results are those of the first. */
    for (int32_t i = 0; i < N; ++i) next[i] = N - 1 - i;
    cli_expect_npy("rank.npy", CLPRIMS_I32, next, N);
    expect_stats(cli_expect(CLI("info", "--stats"), NULL, 0, "clprims info: add of 1048576 int32"),
                 "(8388608 bytes read and written)");
}

/* Products and paths count pairs, not bytes. */
static void prints_pairs(const void *data) {
    (void)data;
    static const int32_t edges[4] = {0, 1, 2, 0};
    static const cli_header square = {
        .major = 1, .text = "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2), }\n"};
    cli_clear();
    cli_write_header("d.npy", &square, edges, sizeof edges);
    cli_expect(CLI("minplus", "@d.npy", "@d.npy", "--stats", "-o", "@out.npy"), NULL, 0,
               " G pairs/s");
    expect_contains(cli_expect(CLI("paths", "@d.npy", "--stats", "-o", "@out.npy"), NULL, 0,
                               "clprims paths: 2 vertices, int32, on ")
                        ->err,
                    " G pairs/s");
}

static void prints_every_device(const void *data) {
    (void)data;
    size_t count = 0;
    const cli_result *const result = cli_expect(CLI("info"), NULL, 0, "");
    const char *const star = strchr(result->out, '*');
    expect_ok(clprims_device_count(&count));
    for (size_t i = 0; i < count; ++i) {
        clprims_device_info info = CLPRIMS_DEVICE_INFO_INIT;
        char line[256];
        expect_ok(clprims_device_describe(i, &info));
        snprintf(line, sizeof line, " device %zu: %s\n", i, info.name);
        expect_contains(result->out, line);
        expect_contains(result->out, info.driver);
    }
    if (!star || strchr(star + 1, '*')) test_fail("not one device has a star: %s", result->out);
    expect_contains(star, test_info().device.name);
    expect_contains(result->out, clprims_layer_name(test_info().layer));
    expect_contains(result->out, test_info().reason);
    expect_contains(result->out, "scan      int32: ");
    expect_contains(result->out, "rank      int32: ");
}

/* The clock of the measured run writes to no array: neither to keys that are sorted in their own
 * place nor to elements in no segment, which no run writes. */
static void keeps_arrays(const void *data) {
    (void)data;
    static const int32_t keys[3] = {1, 2, 3}, sorted[3] = {3, 2, 1}, offsets[2] = {1, 3};
    static const int64_t parents[3] = {-1, 0, 0}, indices[3] = {-1, 1, 2};
    cli_clear();
    cli_write_npy("keys.npy", CLPRIMS_I32, keys, 3);
    cli_write_npy("offsets.npy", CLPRIMS_I32, offsets, 2);
    cli_expect(CLI("sort", "--descending", "--stats", "@keys.npy", "-o", "@out.npy"), NULL, 0, "");
    cli_expect_npy("out.npy", CLPRIMS_I32, sorted, 3);
    cli_expect(CLI("parents", "--stats", "@offsets.npy", "-o", "@out.npy"), NULL, 0, "");
    cli_expect_npy("out.npy", CLPRIMS_I64, parents, 3);
    cli_expect(
        CLI("argsort", "--stats", "--offsets", "@offsets.npy", "@keys.npy", "-o", "@out.npy"), NULL,
        0, "");
    cli_expect_npy("out.npy", CLPRIMS_I64, indices, 3);
}

/* The line that begins with a key or has it behind a comma. */
static const char *find_key(const char *out, const char *key) {
    const size_t length = strlen(key);
    for (const char *at = out; (at = strstr(at, key)) != NULL; ++at) {
        const bool begins = at == out || at[-1] == '\n' || strncmp(at - 2, ", ", 2) == 0;
        if (begins && (at[length] == ',' || at[length] == '\n')) return at;
    }
    return NULL;
}

/* A line for each knob below a line with its key. */
static void prints_knobs(const void *data) {
    (void)data;
    clprims_knob_info knob = CLPRIMS_KNOB_INFO_INIT;
    const cli_result *const result = cli_expect(CLI("info", "--knobs"), NULL, 0, "");
    for (size_t i = 0; i < clprims_knob_count(); ++i) {
        char part[160];
        expect_ok(clprims_knob_describe(i, &knob));
        test_note("knob %zu: %s of %s", i, knob.name, knob.key);
        const char *const section = find_key(result->out, knob.key);
        assert_non_null(section);
        snprintf(part, sizeof part, "    %s ", knob.name);
        const char *const line = strstr(section, part), *const end = strstr(section, "\n\n");
        assert_true(line && (!end || line < end));
        const size_t length = strcspn(line, "\n");
        snprintf(part, sizeof part, "%.*s", (int)(length < 159 ? length : 159), line);
        expect_contains(part, knob.meaning);
        assert_true(!strstr(part, ", 2^k") == !knob.power_of_two);
        assert_true(!strstr(part, "by plan") == (knob.has_default != 0));
    }
    expect_contains(result->out, "    SPINS          1..4294967295       256         polls of");
    expect_contains(result->out, "    SMALL          from 0              524288 ");
    expect_contains(result->out,
                    "    GROUP          1..1024, 2^k        by plan     work-items of");
}

static void expect_same_output(const char *const *words, const char *const *others,
                               const char *part) {
    char first[sizeof((cli_result *)0)->out];
    snprintf(first, sizeof first, "%s", cli_expect(words, NULL, 0, "")->out);
    expect_contains(first, part);
    assert_string_equal(first, cli_expect(others, NULL, 0, "")->out);
}

static void prints_help(const void *data) {
    (void)data;
    static const char *const options[] = {
        "--op",    "--custom",     "--identity",  "--exclusive",   "--inclusive",
        "--init",  "--accumulate", "--algorithm", "--fast-floats", "--device",
        "--layer", "--stats",      "--help",      "--version"};
    const cli_result *result = cli_expect(CLI("scan", "--help"), NULL, 0, "");
    expect_contains(result->out, "usage: clprims scan [options] IN.npy -o OUT.npy");
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i)
        expect_contains(result->out, options[i]);
    assert_string_equal(result->err, "");
    expect_contains(result->out, "in which sums wrap around");
    expect_contains(result->out, "min and max leave");
    result = cli_expect(CLI("rank", "--help"), NULL, 0, "");
    expect_contains(result->out, "usage: clprims rank [options] NEXT.npy -o RANK.npy");
    result = cli_expect(CLI("order", "--help"), NULL, 0, "");
    expect_contains(result->out, "usage: clprims order [options] NEXT.npy -o ORDER.npy");
    expect_contains(result->out, "--head H");
    result = cli_expect(CLI("info", "--help"), NULL, 0, "");
    expect_contains(result->out, "usage: clprims info [options]\n");
    expect_same_output(CLI("help"), CLI("--help"), "usage: clprims COMMAND");
    expect_same_output(CLI("help", "scan"), CLI("scan", "--help"), "usage: clprims scan [options]");
}

static void prints_version(const void *data) {
    (void)data;
    char line[64];
    snprintf(line, sizeof line, "clprims %s\n", clprims_version());
    assert_string_equal(cli_expect(CLI("--version"), NULL, 0, "")->out, line);
    assert_string_equal(cli_expect(CLI("scan", "--version"), NULL, 0, "")->out, line);
}

void cli_add_prints(test_cases *cases) {
    test_add(cases, prints_stats, NULL, 0, "cli/stats");
    test_add(cases, prints_pairs, NULL, 0, "cli/stats/pairs");
    test_add(cases, keeps_arrays, NULL, 0, "cli/stats/keeps-arrays");
    test_add(cases, prints_every_device, NULL, 0, "cli/info/every-device");
    test_add(cases, prints_knobs, NULL, 0, "cli/info/knobs");
    test_add(cases, prints_help, NULL, 0, "cli/help");
    test_add(cases, prints_version, NULL, 0, "cli/version");
}
