/* SPDX-License-Identifier: MIT */
/* clprims pack: what is in files of programs; merges and prunes them, adds machine code. */
#include "cli/commands/commands.h"
#include "cli/pack_assemble.h"

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
    const char *target; /* part of what is kept; NULL: all */
    const char *architectures; /* "sm_86,sm_90a": for which machine code is added; or NULL */
    pack_tools tools;
    size_t assembled;
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
    static const char *const kinds[] = {"?", "driver's", "code", "text"};
    const int kind = (int)info->kind;
    printf("%.*s  %-8s  %10zu bytes  ", DIGITS, info->digest,
           kinds[kind > 0 && kind < 4 ? kind : 0], info->binary_bytes);
    for (const char *at = info->target; *at; ++at) putchar(*at >= ' ' && *at <= '~' ? *at : '?');
    putchar('\n');
}

/* program: as it stands in the pack, info->bytes of it. */
static int keep(kept *k, const unsigned char *program, const clprims_program_info *info) {
    clprims_program_info *const more = realloc(k->infos, (k->count + 1) * sizeof *k->infos);
    if (!more) return complain(EXIT_DEVICE, "no memory for %zu programs", k->count + 1);
    k->infos = more;
    k->infos[k->count++] = *info;
    if (k->output) return output_write(k->output, program, info->bytes);
    print_program(info);
    return EXIT_FINE;
}

/* Adds machine code of one architecture where the program can have it. */
static int keep_assembled(kept *k, const pack_program *program, const char *architecture) {
    clprims_program_info info = program->info;
    unsigned char *out = NULL;
    size_t bytes;
    info.kind = CLPRIMS_PROGRAM_MACHINE_CODE;
    snprintf(info.target, sizeof info.target, "%s", architecture);
    if (!pack_is_for(program, architecture) || is_known(k, &info)) return EXIT_FINE;
    int status = pack_assemble(&k->tools, program, architecture, &out, &bytes);
    if (out && status == EXIT_FINE)
        status = library_exit(clprims_pack_describe(out, bytes, 0, &info));
    if (out && status == EXIT_FINE) {
        status = keep(k, out, &info);
        ++k->assembled;
    }
    free(out);
    return status;
}

/* A text is of no use to contexts: it is kept where machine code is not asked for. */
static int keep_whole(kept *k, const pack_program *program) {
    int status = EXIT_FINE;
    if (!k->architectures || program->info.kind != CLPRIMS_PROGRAM_SOURCE)
        status = keep(k, program->pack + program->first_byte, &program->info);
    const char *name = k->architectures ? k->architectures : "";
    for (size_t length; *name && status == EXIT_FINE; name += length + (name[length] == ',')) {
        char architecture[24];
        length = strcspn(name, ",");
        snprintf(architecture, sizeof architecture, "%.*s", (int)length, name);
        status = keep_assembled(k, program, architecture);
    }
    return status;
}

/* Damage is said, and what is behind it is kept where it can be found. */
static int keep_programs(kept *k, const bundle *b) {
    pack_program p = {.pack = b->bytes, .pack_bytes = b->count};
    int status = EXIT_FINE, damage = EXIT_FINE;
    for (; p.first_byte < b->count && status == EXIT_FINE; p.first_byte += p.info.bytes) {
        if (clprims_pack_describe(b->bytes, b->count, p.first_byte, &p.info) != CLPRIMS_OK)
            return complain(EXIT_DATA, "%s: %s", b->name, clprims_last_error()->message);
        if (!p.info.is_whole)
            damage = complain(EXIT_DATA, "%s: the program at byte %zu of %zu is damaged", b->name,
                              p.first_byte, b->count);
        else if ((!k->target || strstr(p.info.target, k->target)) && !is_known(k, &p.info))
            status = keep_whole(k, &p);
    }
    return status == EXIT_FINE ? damage : status;
}

static int write_pack(kept *k, const bundle *bundles, size_t count, const char *path) {
    cli_output output = OUTPUT_INIT;
    int damage = EXIT_FINE, status = path ? output_find(&output, path) : EXIT_FINE;
    if (path && status == EXIT_FINE) status = output_open(&output);
    k->output = path ? &output : NULL;
    for (size_t i = 0; i < count && status == EXIT_FINE; ++i) {
        status = keep_programs(k, &bundles[i]);
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
    {"--assemble", "ARCH,...", "add machine code for NVIDIA's architectures, as sm_86,sm_90a",
     OPTIONAL},
    {"--ptxas", "FILE", "NVIDIA's assembler; default: ptxas", OPTIONAL},
    {"--clang", "FILE", "the compiler of an offline_architecture's texts; default: clang",
     OPTIONAL},
    {"--libclc", "FILE", "LLVM's OpenCL functions; default: /usr/lib/clc/nvptx64--nvidiacl.bc",
     OPTIONAL},
};

static const char *text_or(const cli_job *job, const char *option, const char *usual) {
    const char *const text = job_text(job, option);
    return text ? text : usual;
}

/* "sm_86,sm_90a"; the library looks at the names again. */
static int check_architectures(const char *names) {
    for (const char *name = names; *name; name += strcspn(name, ","), name += *name == ',') {
        const size_t digits = strncmp(name, "sm_", 3) == 0 ? strspn(name + 3, "0123456789") : 0;
        const char *const end = name + 3 + digits;
        if (digits >= 2 && digits <= 3 && strchr(",a", *end)) continue;
        return complain(EXIT_USAGE,
                        "--assemble %s: give architectures as ptxas names them: "
                        "sm_86,sm_90a",
                        names);
    }
    return EXIT_FINE;
}

static void run(cli_job *job) {
    bundle bundles[2] = {{0}, {0}};
    kept k = {.target = job_text(job, "--for"),
              .architectures = job_text(job, "--assemble"),
              .tools = {text_or(job, "--ptxas", "ptxas"), text_or(job, "--clang", "clang"),
                        text_or(job, "--libclc", "/usr/lib/clc/nvptx64--nvidiacl.bc")}};
    size_t count = 0;
    if (k.architectures) job->status = check_architectures(k.architectures);
    for (; count < 2 && job_text(job, options[count].name) && job->status == EXIT_FINE; ++count)
        job->status = read_bundle(&bundles[count], job_text(job, options[count].name));
    JOB_TRY(job, write_pack(&k, bundles, count, job_text(job, "-o")));
    if (k.architectures && job->status == EXIT_FINE && k.assembled == 0)
        job->status = complain(EXIT_DATA, "no program got machine code for %s", k.architectures);
    for (size_t i = 0; i < 2; ++i) free(bundles[i].bytes);
    free(k.infos);
}

const cli_command pack_command = {
    .name = "pack",
    .summary = "list, check, merge, prune and assemble packs of built programs",
    .purpose =
        "Lists the programs of a pack, or of two: the head of each one's digest, what it is,\n"
        "its bytes, and the device, driver and platform that it was built for. A program\n"
        "that is twice there is listed once. With -o the programs become a pack: so packs\n"
        "are merged, and with --for pruned. Damaged programs are named on standard error,\n"
        "left out, and the exit status is 1. A pack is code: whoever can write it can run\n"
        "code in the processes that use it.\n"
        "With --assemble, PTX that NVIDIA's driver gave for a GPU of such an architecture gets\n"
        "machine code beside it, by ptxas, and so do the texts of a context with an\n"
        "offline_architecture, by clang and ptxas: programs then start without being compiled.\n"
        "Packs of several GPUs may be assembled together; no GPU is needed. A program that a\n"
        "tool refuses is named on standard error, and contexts compile it.",
    OPTIONS(options),
    .run = run,
};
