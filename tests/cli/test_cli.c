/* SPDX-License-Identifier: MIT */
/* The command says what the library says: of devices, knobs and its version. command_cases.py runs
 * the command on small files, numpy_agrees.py on large ones of every type. */
#include "harness/harness.h"

#ifndef CLPRIMS_COMMAND
#error "test_cli.c: CLPRIMS_COMMAND, the path of the built command, is not set by CMake"
#endif

/* What the command prints; valid until the next run. */
static const char *output_of(const char *options) {
    static char text[1 << 16];
    char line[512];
    snprintf(line, sizeof line, "XDG_CACHE_HOME=/nonexistent %s %s", CLPRIMS_COMMAND, options);
    FILE *const pipe = popen(line, "r");
    if (!pipe) test_fail("no process can be made");
    text[fread(text, 1, sizeof text - 1, pipe)] = '\0';
    if (pclose(pipe) != 0) test_fail("%s fails", line);
    return text;
}

static void prints_every_device(void) {
    size_t count = 0;
    const char *const out = output_of("info"), *const star = strchr(out, '*');
    expect_ok(clprims_device_count(&count));
    for (size_t i = 0; i < count; ++i) {
        clprims_device_info info = {0};
        char line[256];
        expect_ok(clprims_device_describe(i, &info));
        snprintf(line, sizeof line, " device %zu: %s\n", i, info.name);
        expect_contains(out, line);
        expect_contains(out, info.driver);
    }
    if (!star || strchr(star + 1, '*')) test_fail("not one device has a star: %s", out);
    expect_contains(star, test_info().device.name);
    expect_contains(out, clprims_layer_name(test_info().layer));
    expect_contains(out, test_info().reason);
    expect_contains(out, "scan      int32: ");
}

/* A line for each knob below a line with its key. */
static void prints_knobs(void) {
    clprims_knob_info knob = {0};
    const char *const out = output_of("info --knobs");
    for (size_t i = 0; i < clprims_knob_count(); ++i) {
        char part[160];
        expect_ok(clprims_knob_describe(i, &knob));
        test_note("knob %zu: %s of %s", i, knob.name, knob.key);
        snprintf(part, sizeof part, "\n%s\n", knob.key);
        /* The first line is a key. */
        const char *const section =
            strncmp(out, part + 1, strlen(part) - 1) == 0 ? out : strstr(out, part);
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
    expect_contains(out, "    SPINS          1..4294967295       256         polls of");
    expect_contains(out, "    SMALL          from 0              524288 ");
    expect_contains(out, "    GROUP          1..1024, 2^k        by plan     work-items of");
}

static void prints_version(void) {
    char line[64];
    snprintf(line, sizeof line, "clprims %s\n", clprims_version());
    assert_string_equal(output_of("--version"), line);
    assert_string_equal(output_of("scan --version"), line);
}

void test_program(test_cases *cases) {
    test_add_plain(cases, prints_every_device, "cli/info/every-device");
    test_add_plain(cases, prints_knobs, "cli/info/knobs");
    test_add_plain(cases, prints_version, "cli/version");
}
