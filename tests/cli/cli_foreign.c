/* SPDX-License-Identifier: MIT */
/* .npy files of every make, by headers of cases/headers.txt: some that the command reads, and some
 * that it refuses. */
#include "cli/cli_run.h"

/* The file of "VERSION BYTES LENGTH `HEADER`". */
static void write_foreign(const char *script) {
    static const int32_t in[32] = {3, 1, 4};
    char bytes[512] = "\x93NUMPY";
    const char *const header = strchr(script, '`') + 1;
    const size_t length = (size_t)(strrchr(header, '`') - header);
    size_t count = 0, claimed = 0;
    int major = 0;
    if (sscanf(script, "%d %zu %zu", &major, &count, &claimed) != 3)
        test_fail("no three numbers: %s", script);
    const size_t start = major < 2 ? 10 : 12;
    if (start + length + 1 + count > sizeof bytes || count > sizeof in)
        test_fail("%s is too long", script);
    if (claimed == 0) claimed = length + 1;
    bytes[6] = (char)major;
    for (size_t i = 8; i < start; ++i) bytes[i] = (char)(claimed >> 8 * (i - 8) & 0xff);
    memcpy(bytes + start, header, length);
    bytes[start + length] = '\n';
    memcpy(bytes + start + length + 1, in, count);
    cli_write("foreign", bytes, start + length + 1 + count);
}

static void reads_header(const void *data) {
    const cli_case *const c = data;
    cli_write_table(c->files, *c->count);
    write_foreign(c->script);
    const cli_result *const result = cli_expect_case(c, "scan foreign -o out");
    if (c->exit_status != 0) expect_contains(result->err, "foreign: ");
}

void cli_add_foreign(test_cases *cases) {
    cli_add_text(cases, "headers", reads_header);
}
