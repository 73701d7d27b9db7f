/* SPDX-License-Identifier: MIT */
/* What the command prints for people: times, devices, knobs and version. */
#include "cli/cli_run.h"

#include <locale.h>

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

typedef struct stats_line {
    const char *script;
    const char *what;
    const char *bytes;
} stats_line;

static const stats_line stats_lines[] = {
    {"scan --stats --accumulate int64 next.npy -o out.npy",
     "clprims scan: add of 100000 int32 to int64 by ", "(1200000 bytes read and written)"},
    {"rank next.npy --stats -o rank.npy", "clprims rank: 100000 int32 links in ",
     "(800000 bytes read and written)"},
    {"offsets next.npy next.npy --stats -o out.npy", "clprims offsets: 100000 int32 intervals by ",
     "(1600008 bytes read and written)"},
    {"select rank.npy --stats -o out.npy", "clprims select: 99999 of 100000 int32 by ",
     "(799996 bytes read and written)"},
    {"info --stats", "clprims info: add of 1048576 int32", "(8388608 bytes read and written)"},
};

static void prints_stats(void) {
    enum { N = 100000 };
    static int32_t next[N];
    for (int32_t i = 0; i < N; ++i) next[i] = i - 1;
    cli_clear();
    cli_write_npy("next.npy", CLPRIMS_I32, next, N);
    for (size_t i = 0; i < sizeof stats_lines / sizeof *stats_lines; ++i)
        expect_stats(cli_expect(stats_lines[i].script, 0, stats_lines[i].what),
                     stats_lines[i].bytes);
    /* The measured run is the second; its results are the first's. */
    for (int32_t i = 0; i < N; ++i) next[i] = N - 1 - i;
    cli_expect_npy("rank.npy", CLPRIMS_I32, next, N);
}

/* ---- What goes to standard output ---- */

static void prints_every_device(void) {
    size_t count = 0;
    const cli_result *const result = cli_expect("info", 0, "");
    const char *const star = strchr(result->out, '*');
    expect_ok(clprims_device_count(&count));
    for (size_t i = 0; i < count; ++i) {
        clprims_device_info info = {0};
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
static void prints_knobs(void) {
    clprims_knob_info knob = {0};
    const cli_result *const result = cli_expect("info --knobs", 0, "");
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

static void prints_version(void) {
    char line[64];
    snprintf(line, sizeof line, "clprims %s\n", clprims_version());
    assert_string_equal(cli_expect("--version", 0, "")->out, line);
    assert_string_equal(cli_expect("scan --version", 0, "")->out, line);
}

void cli_add_prints(test_cases *cases) {
    test_add_plain(cases, prints_stats, "cli/stats");
    test_add_plain(cases, prints_every_device, "cli/info/every-device");
    test_add_plain(cases, prints_knobs, "cli/info/knobs");
    test_add_plain(cases, prints_version, "cli/version");
}
