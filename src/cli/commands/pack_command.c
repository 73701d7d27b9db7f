/* SPDX-License-Identifier: MIT */
/* clprims pack: what is in files of programs; merges and prunes them. */
#include "cli/commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file as it was read, and which of its programs are kept. */
typedef struct bundle {
    const char *name;
    unsigned char *bytes;
    size_t count;
} bundle;

typedef struct kept {
    clprims_program_info *infos; /* of the programs, so that none is kept twice */
    size_t count;
    cli_output *output; /* NULL: programs are listed */
} kept;

static int read_bundle(bundle *b, const char *path) {
    cli_input input = INPUT_INIT;
    int status = input_open(&input, path);
    b->name = input.name;
    if (status == EXIT_FINE && !input.has_size)
        status = complain(EXIT_USAGE, "%s: is no regular file", b->name);
    if (status == EXIT_FINE) b->bytes = malloc((size_t)input.bytes + 1);
    if (status == EXIT_FINE && !b->bytes)
        status = complain(EXIT_DEVICE, "%s: no memory for its bytes", b->name);
    if (status == EXIT_FINE) status = input_read(&input, b->bytes, (size_t)input.bytes, &b->count);
    input_close(&input);
    return status;
}

static bool is_known(const kept *k, const clprims_program_info *info) {
    for (size_t i = 0; i < k->count; ++i)
        if (k->infos[i].kind == info->kind && strcmp(k->infos[i].digest, info->digest) == 0 &&
            strcmp(k->infos[i].target, info->target) == 0)
            return true;
    return false;
}

/* A file may say anything; the terminal gets printable characters alone. */
static void print_program(const clprims_program_info *info) {
    enum { DIGITS = 12 };
    printf("%.*s  %10zu bytes  ", DIGITS, info->digest, info->binary_bytes);
    for (const char *at = info->target; *at; ++at) putchar(*at >= ' ' && *at <= '~' ? *at : '?');
    putchar('\n');
}

static int keep(kept *k, const bundle *b, size_t first_byte, const clprims_program_info *info) {
    clprims_program_info *const more = realloc(k->infos, (k->count + 1) * sizeof *k->infos);
    if (!more) return complain(EXIT_DEVICE, "no memory for %zu programs", k->count + 1);
    k->infos = more;
    k->infos[k->count++] = *info;
    if (k->output) return output_write(k->output, b->bytes + first_byte, info->bytes);
    print_program(info);
    return EXIT_FINE;
}

/* Damage is said, and what is behind it is kept where it can be found. */
static int keep_programs(kept *k, const bundle *b, const char *target) {
    clprims_program_info info = {0};
    int status = EXIT_FINE, damage = EXIT_FINE;
    for (size_t at = 0; at < b->count && status == EXIT_FINE; at += info.bytes) {
        if (clprims_pack_describe(b->bytes, b->count, at, &info) != CLPRIMS_OK)
            return complain(EXIT_DATA, "%s: %s", b->name, clprims_last_error()->message);
        if (!info.is_whole)
            damage = complain(EXIT_DATA, "%s: the program at byte %zu of %zu is damaged", b->name,
                              at, b->count);
        else if ((!target || strstr(info.target, target)) && !is_known(k, &info))
            status = keep(k, b, at, &info);
    }
    return status == EXIT_FINE ? damage : status;
}

static int write_pack(kept *k, const bundle *bundles, size_t count, const char *target,
                      const char *path) {
    cli_output output = OUTPUT_INIT;
    int damage = EXIT_FINE, status = path ? output_find(&output, path) : EXIT_FINE;
    if (path && status == EXIT_FINE) status = output_open(&output);
    k->output = path ? &output : NULL;
    for (size_t i = 0; i < count && status == EXIT_FINE; ++i) {
        status = keep_programs(k, &bundles[i], target);
        if (status == EXIT_DATA) {
            damage = status;
            status = EXIT_FINE;
        }
    }
    if (path && status == EXIT_FINE) status = output_finish(&output);
    if (path && status == EXIT_FINE) status = output_publish(&output);
    output_close(&output);
    return status == EXIT_FINE ? damage : status;
}

static const cli_option options[] = {
    {"PACK", NULL, "programs, as the library's clprims_context_save_programs writes them",
     REQUIRED},
    {"OTHER", NULL, "more programs, or a file of a program store", OPTIONAL},
    {"-o", "OUT", "write the programs to a pack instead of listing them; may be an input", OUTPUT},
    {"--for", "TEXT", "only programs with TEXT in the name of device, driver or platform",
     OPTIONAL},
};

static void run(cli_job *job) {
    bundle bundles[2] = {{0}, {0}};
    kept k = {NULL, 0, NULL};
    size_t count = 0;
    for (; count < 2 && job_text(job, options[count].name) && job->status == EXIT_FINE; ++count)
        job->status = read_bundle(&bundles[count], job_text(job, options[count].name));
    JOB_TRY(job, write_pack(&k, bundles, count, job_text(job, "--for"), job_text(job, "-o")));
    for (size_t i = 0; i < 2; ++i) free(bundles[i].bytes);
    free(k.infos);
}

const cli_command pack_command = {
    .name = "pack",
    .summary = "list, check, merge and prune packs of built programs",
    .purpose =
        "Lists the programs of a pack, or of two: the head of each one's digest, the bytes of\n"
        "its binary, and the device, driver and platform that it was built for. A program\n"
        "that is twice there is listed once. With -o the programs become a pack: so packs\n"
        "are merged, and with --for pruned. Damaged programs are named on standard error,\n"
        "left out, and the exit status is 1. A pack is code: whoever can write it can run\n"
        "code in the processes that use it.",
    OPTIONS(options),
    .run = run,
};
