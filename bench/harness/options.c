/* SPDX-License-Identifier: MIT */
/* The benchmark's options: environment first, then the command line, which wins. */
#include "suites/suites.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usage[] =
    "usage: clprims-bench [OPTION]... [TEXT]\n"
    "Measures clprims on one OpenCL device, verifies every result against plain C first, then\n"
    "inverts the Burrows-Wheeler transform of TEXT by list ranking.\n"
    "\n"
    "  --device NAME|NUMBER  part of a device's name, or its number; default: a GPU, else a CPU\n"
    "  --layer NAME          force a device layer: nvidia, subgroup or local\n"
    "  --cl-dir DIR          load the kernels from DIR instead of the library\n"
    "  --tuning FILE         tuning lines that win over the shipped ones\n"
    "  --store DIR           keep built programs in DIR; default: clprims in the user's cache "
    "where\n"
    "                        there is a GPU: of a CPU, keeping takes as long as compiling\n"
    "  --no-store            keep no programs\n"
    "  --pack FILE           take programs from this pack; the suite create also makes its\n"
    "                        plans from it, and writes a file that is not there\n"
    "  --offline GPU         of the suite create: write the pack for a GPU that is not there, as\n"
    "                        \"RTX 3090\", and measure nothing\n"
    "  --suite NAME,...      of:"
#define BENCH_SUITE_NAME(name) " " #name
    BENCH_SUITES(BENCH_SUITE_NAME)
#undef BENCH_SUITE_NAME
        "; default: all but textbook\n"
        "  --only PART|...       only what has one of the PARTs in its name as it is printed, "
        "such\n"
        "                        as \"int32 add\" or \"int32 add excl\"\n"
        "  --size N | A..B       this size or these limits, as 5000, 2^20 or 10^6\n"
        "  --algorithms NAME,... also measure these scan algorithms beside AUTO, or all:\n"
        "                        lookahead, lookback, lookback-fallback, reduce-then-scan\n"
        "  --probed TEXT         what is known of the device; progress=failed: as on a device "
        "where\n"
        "                        waiting work-groups are not safe\n"
        "  --alone               without other libraries\n"
        "  --try MODULE          one small task by another library's module, as is done before it "
        "is\n"
        "                        used: exit status 0 if it can be trusted\n"
        "  --quick               fewer and smaller sizes\n"
        "  --brief               the usual case of each primitive at two sizes; void beside "
        "--suite,\n"
        "                        --only, --size, --algorithms, --quick and --tune. bench/run takes "
        "it\n"
        "                        unless it is given --full\n"
        "  --portable            the cases by which bench/results/tables.md compares the layers, "
        "each at\n"
        "                        one size; of them those of --suite, at most the size of --size\n"
        "  --tune                measure knobs instead, and print the lines for a tuning file that "
        "gain\n"
        "                        on this device: five minutes, or half a minute a key; --only "
        "\"int32 scan\"\n"
        "  --csv FILE            write the figures to FILE as well; bench/figures makes tables, "
        "plots,\n"
        "                        JSON and a summary in words of it\n"
        "  --spoil               change every result before it is compared: all must be found "
        "wrong\n"
        "  --commit ID           the source's commit, for the CSV file\n"
        "  --help, --version\n"
        "\n"
        "CLPRIMS_DEVICE, CLPRIMS_LAYER, CLPRIMS_PROBED, CLPRIMS_CL_DIR and CLPRIMS_TUNING in the\n"
        "environment stand for the options of those names. TEXT is "
        "/usr/share/common-licenses/GPL-3 by default.\n"
        "Exit status: 0; 1 for a wrong or failed result; 2 for wrong usage or an unreadable file;\n"
        "3 for a device or OpenCL failure.\n";

static bool parse_power(const char **at, size_t *n) {
    char *end = NULL;
    errno = 0;
    const unsigned long long base = strtoull(*at, &end, 10);
    if (end == *at || errno != 0 || **at < '0' || **at > '9') return false;
    unsigned long long value = base;
    if (*end == '^') {
        const char *digits = end + 1;
        const unsigned long long exponent = strtoull(digits, &end, 10);
        if (end == digits || errno != 0 || *digits < '0' || *digits > '9') return false;
        value = 1;
        for (unsigned long long k = 0; k < exponent && value != 0; k++) {
            if (base > 1 && value > SIZE_MAX / base) return false;
            value *= base;
            if (base <= 1) break;
        }
    }
    *at = end;
    *n = (size_t)value;
    return value > 0 && value <= SIZE_MAX;
}

static void read_size(bench_options *options, const char *text) {
    const char *at = text;
    bool good = parse_power(&at, &options->least);
    options->most = options->least;
    if (good && strncmp(at, "..", 2) == 0) {
        at += 2;
        good = parse_power(&at, &options->most);
    }
    if (!good || *at != '\0' || options->most < options->least)
        bench_die(BENCH_EXIT_USAGE,
                  "--size %s is neither a size nor two with .. between, for example "
                  "2^20 or 1000..10^6",
                  text);
    options->sized = true;
}

/* The value of option `name` if argv[*i] is it, as "--name value" or "--name=value". */
static const char *value_of(const char *name, int argc, char **argv, int *i) {
    const char *argument = argv[*i];
    const size_t length = strlen(name);
    if (strncmp(argument, name, length) != 0) return NULL;
    if (argument[length] == '=') return argument + length + 1;
    if (argument[length] != '\0') return NULL;
    if (*i + 1 >= argc) bench_die(BENCH_EXIT_USAGE, "%s needs a value; see --help", name);
    *i += 1;
    return argv[*i];
}

static void check_names(const char *option, const char *names, const char *const *known) {
    for (const char *at = names; at != NULL && *at != '\0';) {
        const size_t length = strcspn(at, ",");
        bool found = false;
        for (size_t k = 0; known[k] != NULL; k++)
            found = found || (strlen(known[k]) == length && strncmp(known[k], at, length) == 0);
        if (!found)
            bench_die(BENCH_EXIT_USAGE, "%s %.*s is not known; see --help", option, (int)length,
                      at);
        at += length + (at[length] == ',');
    }
}

bool bench_names_have(const char *names, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = names; at != NULL && *at != '\0';) {
        const size_t here = strcspn(at, ",");
        if (here == length && strncmp(at, name, length) == 0) return true;
        at += here + (at[here] == ',');
    }
    return false;
}

bool bench_wanted(const bench_options *options, const char *name) {
    char part[128];
    if (options->only == NULL) return true;
    if (options->is_exact) return strcmp(name, options->only) == 0;
    for (const char *at = options->only; *at != '\0';) {
        const size_t length = strcspn(at, "|");
        snprintf(part, sizeof part, "%.*s", (int)length, at);
        if (strstr(name, part) != NULL) return true;
        at += length + (at[length] == '|');
    }
    return false;
}

static const char *from_environment(const char *name) {
    const char *value = getenv(name);
    return value != NULL && *value != '\0' ? value : NULL;
}

static void read_argument(bench_options *options, int argc, char **argv, int *i) {
    const struct {
        const char *name;
        const char **value;
    } valued[] = {
        {"--device", &options->device}, {"--layer", &options->layer},
        {"--probed", &options->probed}, {"--cl-dir", &options->cl_dir},
        {"--tuning", &options->tuning}, {"--store", &options->store},
        {"--pack", &options->pack},     {"--offline", &options->offline},
        {"--try", &options->trial},     {"--suite", &options->suites},
        {"--csv", &options->csv},       {"--algorithms", &options->algorithms},
        {"--commit", &options->commit}, {"--only", &options->only},
    };
    const char *argument = argv[*i];
    for (size_t k = 0; k < sizeof valued / sizeof *valued; k++) {
        const char *value = value_of(valued[k].name, argc, argv, i);
        if (value == NULL) continue;
        *valued[k].value = value;
        return;
    }
    const char *size = value_of("--size", argc, argv, i);
    if (size != NULL) {
        read_size(options, size);
    } else if (strcmp(argument, "--quick") == 0) {
        options->quick = true;
    } else if (strcmp(argument, "--brief") == 0) {
        options->brief = true;
    } else if (strcmp(argument, "--portable") == 0) {
        options->portable = true;
    } else if (strcmp(argument, "--tune") == 0) {
        options->tune = true;
    } else if (strcmp(argument, "--alone") == 0) {
        options->alone = true;
    } else if (strcmp(argument, "--no-store") == 0) {
        options->no_store = true;
    } else if (strcmp(argument, "--spoil") == 0) {
        options->spoil = true;
    } else if (strcmp(argument, "--help") == 0) {
        fputs(usage, stdout);
        exit(0);
    } else if (strcmp(argument, "--version") == 0) {
        printf("clprims-bench %s\n", clprims_version());
        exit(0);
    } else if (argument[0] == '-' && argument[1] != '\0') {
        bench_die(BENCH_EXIT_USAGE, "%s is not an option; see --help", argument);
    } else if (options->text != NULL) {
        bench_die(BENCH_EXIT_USAGE, "%s is a second text after %s; name one", argument,
                  options->text);
    } else {
        options->text = argument;
    }
}

/* Says so before the long work begins; the text may be a pipe, which opens only once. */
static void check_text(const char *path) {
    struct stat about;
    if (stat(path, &about) != 0 || access(path, R_OK) != 0)
        bench_die(BENCH_EXIT_USAGE, "can't read %s: %s", path, strerror(errno));
    if (S_ISDIR(about.st_mode))
        bench_die(BENCH_EXIT_USAGE, "can't read %s: it is a directory", path);
}

void bench_options_read(bench_options *options, int argc, char **argv) {
#define BENCH_SUITE_NAME(name) #name,
    static const char *const suites[] = {BENCH_SUITES(BENCH_SUITE_NAME) NULL};
#undef BENCH_SUITE_NAME
    static const char *const algorithms[] = {
        "all", "auto", "lookback", "lookback-fallback", "reduce-then-scan", "lookahead", NULL};
    *options = (bench_options){.device = from_environment("CLPRIMS_DEVICE"),
                               .layer = from_environment("CLPRIMS_LAYER"),
                               .probed = from_environment("CLPRIMS_PROBED"),
                               .cl_dir = from_environment("CLPRIMS_CL_DIR"),
                               .tuning = from_environment("CLPRIMS_TUNING"),
                               .most = SIZE_MAX};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0 && i + 2 == argc && options->text == NULL) {
            options->text = argv[i + 1];
            break;
        }
        read_argument(options, argc, argv, &i);
    }
    if (options->offline != NULL && options->pack == NULL)
        bench_die(BENCH_EXIT_USAGE, "--offline needs --pack, the file to write");
    if (options->store != NULL && options->no_store)
        bench_die(BENCH_EXIT_USAGE, "--store and --no-store exclude each other");
    if (options->suites || options->only || options->sized || options->algorithms ||
        options->quick || options->tune || options->portable)
        options->brief = false;
    options->quick = options->quick || options->brief;
    check_names("--suite", options->suites, suites);
    check_names("--algorithms", options->algorithms, algorithms);
    if (options->text != NULL) check_text(options->text);
}

size_t bench_sizes(const bench_options *options, size_t base, unsigned first, unsigned last,
                   unsigned step, size_t sizes[BENCH_MAX_SIZES]) {
    if (options->sized && options->least == options->most) {
        sizes[0] = options->least;
        return 1;
    }
    if (options->sized) {
        first = base == 2 ? 2 : 1;
        step = base == 2 ? 2 : 1;
        last = 63;
    }
    if (options->brief) {
        const unsigned apart = base == 2 ? 6 : 2;
        step = last >= first + apart ? apart : 1;
        first = last - step;
    }
    size_t count = 0, n = 1;
    for (unsigned k = 0; k <= last && count < BENCH_MAX_SIZES; k++) {
        if (k >= first && (k - first) % step == 0 && n >= options->least && n <= options->most)
            sizes[count++] = n;
        if (n > SIZE_MAX / base) break;
        n *= base;
    }
    if (count == 0) sizes[count++] = options->least;
    return count;
}
