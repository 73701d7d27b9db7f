/* SPDX-License-Identifier: MIT */
/* clprims-bench: opens the device, runs the suites, says how they ended. */
#include "suites/suites.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

static const struct {
    const char *name;
    void (*run)(bench *b);
} suites[] = {
#define BENCH_SUITE_LINE(name) {#name, bench_##name},
    BENCH_SUITES(BENCH_SUITE_LINE)
#undef BENCH_SUITE_LINE
};

static clprims_layer layer_of(const char *name) {
    for (int layer = CLPRIMS_LAYER_AUTO; layer <= CLPRIMS_LAYER_LOCAL; layer++)
        if (strcmp(name, clprims_layer_name((clprims_layer)layer)) == 0)
            return (clprims_layer)layer;
    bench_die(BENCH_EXIT_USAGE, "--layer %s is none of auto, nvidia, subgroup, local", name);
}

static bool has_gpu(void) {
    size_t count = 0;
    bool has = false;
    if (clprims_device_count(&count) != CLPRIMS_OK) return false;
    for (size_t number = 0; number < count && !has; number++) {
        clprims_device_info device = {0};
        has = clprims_device_describe(number, &device) == CLPRIMS_OK &&
              (device.type & CL_DEVICE_TYPE_GPU) != 0;
    }
    return has;
}

static const char *store_of(const bench_options *options) {
    static char folder[4096];
    const char *const cache = getenv("XDG_CACHE_HOME"), *const home = getenv("HOME");
    if (options->no_store) return NULL;
    if (options->store != NULL || !has_gpu()) return options->store;
    if (cache != NULL && cache[0] == '/')
        snprintf(folder, sizeof folder, "%s/clprims", cache);
    else if (home != NULL && home[0] != '\0')
        snprintf(folder, sizeof folder, "%s/.cache/clprims", home);
    return folder[0] != '\0' ? folder : NULL;
}

static void open_device(bench *b) {
    clprims_context_options options = {0};
    options.device = b->options.device;
    options.cl_dir = b->options.cl_dir;
    options.tuning_file = b->options.tuning;
    if (b->options.layer != NULL) options.layer = layer_of(b->options.layer);
    options.probed = b->options.probed;
    options.program_store = store_of(&b->options);
    options.program_packs = &b->options.pack;
    options.program_pack_count = b->options.pack != NULL;
    bench_step("opening the device");
    b->info = (clprims_context_info){0};
    clprims_status status = clprims_context_create(&b->context, &options);
    if (status == CLPRIMS_OK) status = clprims_context_describe(b->context, &b->info);
    if (status != CLPRIMS_OK)
        bench_die(status == CLPRIMS_ERR_IO ? BENCH_EXIT_USAGE : BENCH_EXIT_DEVICE, "%s",
                  clprims_last_error()->message);
    b->is_cpu = (b->info.device.type & CL_DEVICE_TYPE_CPU) != 0;
    bench_tools_create(b);
}

static const char *type_text(cl_device_type type) {
    if ((type & CL_DEVICE_TYPE_GPU) != 0) return "GPU";
    return (type & CL_DEVICE_TYPE_CPU) != 0 ? "CPU" : "other";
}

static void print_devices(const bench *b) {
    size_t count = 0;
    if (clprims_device_count(&count) != CLPRIMS_OK) count = 0;
    printf("  number  type   units  GiB in all  GiB a buffer  device, platform, driver\n");
    for (size_t number = 0; number < count; number++) {
        clprims_device_info device = {0};
        if (clprims_device_describe(number, &device) != CLPRIMS_OK) continue;
        printf("%s %6zu  %-5s  %5u  %10.1f  %12.1f  %s, %s, %s\n",
               device.id == b->info.device_id ? ">" : " ", number, type_text(device.type),
               (unsigned)device.compute_units, (double)device.memory_bytes / (1 << 30),
               (double)device.max_alloc_bytes / (1 << 30), device.name, device.platform_name,
               device.driver);
    }
}

static void print_start(const bench *b) {
    bench_progress_hide();
    print_devices(b);
    printf("Measured on %s with clprims %s%s%s, %s; layer %s: %s.\n", b->info.device.name,
           clprims_version(), b->options.commit != NULL ? ", commit " : "",
           b->options.commit != NULL ? b->options.commit : "", b->date,
           clprims_layer_name(b->info.layer), b->info.reason);
    printf(
        "Every result is compared with plain C in full. Times are medians on the device, with\n"
        "half the range of the middle half of the runs as their spread; \"wall\" is a whole call\n"
        "as the host sees it; GB/s counts the bytes that must move, Gelem/s the n elements; \"of\n"
        "copy\" is the time of a copy that moves as many bytes, measured beside it, over this "
        "time.\n");
    bench_progress_seen();
}

static int finish(const bench *b, double began) {
    char time[24];
    if (b->rows == 0)
        bench_die(BENCH_EXIT_USAGE, "nothing was measured: %s",
                  b->last_line[0] != '\0' ? b->last_line
                                          : "no result has such a name and a size that fits");
    printf("\n%zu results on %s in %s: ", b->rows, b->info.device.name,
           bench_seconds_text(bench_now() - began, time));
    if (b->skipped > 0) printf("%zu more were skipped, ", b->skipped);
    if (b->wrong + b->failed > 0)
        printf("%zu WRONG, %zu FAILED\n", b->wrong, b->failed);
    else
        printf("all are equal to plain C\n");
    if (b->options.csv != NULL) printf("figures are in %s\n", b->options.csv);
    if (b->options.spoil && b->wrong == b->rows) printf("every spoiled result was noticed\n");
    bench_missing_report(b);
    if (b->wrong + b->failed > 0) {
        printf("clprims-bench: FAILED\n");
        return BENCH_EXIT_WRONG;
    }
    if (b->last_line[0] != '\0') printf("%s\n", b->last_line);
    return 0;
}

/* The textbook steps take long and are no users' choice, and the making of plans wants the drivers'
 * caches empty: only by name. */
static bool is_wanted(const bench *b, const char *suite) {
    if (b->options.suites == NULL) return strcmp(suite, "textbook") && strcmp(suite, "create");
    return bench_names_have(b->options.suites, suite);
}

typedef struct bench_case {
    void (*run)(bench *b);
    const char *suite, *name; /* as it is printed; NULL: all */
    size_t n; /* 0: the suite's sizes */
} bench_case;

/* What --brief measures: the usual case of each primitive. */
static const bench_case brief[] = {
    {bench_scan, "scan", "int32 add excl", 0},
    {bench_offsets, "offsets", "int32 intervals", 0},
    {bench_select, "select", "uint32 predicate 50 %", 0},
    {bench_select, "select", "uint32 unique 8", 0},
    {bench_reduce, "reduce", "float32 add", 0},
    {bench_segmented, "segmented", "float32 sums, segments of 8", 0},
    {bench_sort, "sort", "uint32 keys", 0},
    {bench_segmented_sort, "segmented_sort", "uint32 keys, segments of 100", 0},
    {bench_topk, "topk", "uint32 top 100", 0},
    {bench_histogram, "histogram", "uint32, 256 bins", 0},
    {bench_merge, "merge", "uint32", 0},
    {bench_search, "search", "uint32, random needles", 0},
    {bench_jagged, "jagged", "int64 parents, segments of 8", 0},
    {bench_jagged, "jagged", "float32 by int64 at random", 0},
    {bench_list, "list", "random", 0},
    {bench_listscan, "listscan", "random int64 add excl", 0},
    {bench_forest, "forest", "10^3 lists", 0},
    {bench_minplus, "minplus", "float32", 0},
    {bench_minplus, "minplus", "float32, paths", 0},
    {bench_bwt, "bwt", NULL, 0},
};

enum { SHORT = 1 << 16, MIDDLE = 1 << 20, LONG = 1 << 27, LONGER = 1 << 28, LISTED = 100000000 };

/* What --portable measures: what the layers may do differently. */
static const bench_case portable[] = {
    {bench_scan, "scan", "int8 add excl", LONG},
    {bench_scan, "scan", "int32 add excl", LONG},
    {bench_scan, "scan", "float32 add excl", LONG},
    {bench_scan, "scan", "int64 add excl", LONG},
    {bench_scan, "scan", "int32 add excl", MIDDLE},
    {bench_offsets, "offsets", "int32 intervals", LONG},
    {bench_select, "select", "uint32 predicate 50 %", LONG},
    {bench_select, "select", "uint32 flags 50 %", LONG},
    {bench_select, "select", "uint32 unique 8", LONG},
    {bench_reduce, "reduce", "float32 add", LONG},
    {bench_reduce, "reduce", "float32 argmin", LONG},
    {bench_segmented, "segmented", "float32 sums, segments of 1", LONG},
    {bench_segmented, "segmented", "float32 sums, segments of 8", LONG},
    {bench_segmented, "segmented", "float32 sums, segments of 100", LONG},
    {bench_segmented, "segmented", "float32 sums, segments of 10000", LONG},
    {bench_segmented, "segmented", "float32 sums, power law", LONG},
    {bench_segmented, "segmented", "int32 scan by offsets, segments of 8", LONG},
    {bench_segmented, "segmented", "int32 scan by offsets, segments of 10000", LONG},
    {bench_segmented, "segmented", "int32 scan by keys, segments of 8", LONG},
    {bench_segmented, "segmented", "int32 scan by keys, segments of 10000", LONG},
    {bench_sort, "sort", "uint32 keys", SHORT},
    {bench_sort, "sort", "uint32 keys", MIDDLE},
    {bench_sort, "sort", "uint32 keys", LONGER},
    {bench_sort, "sort", "uint64 keys", LONGER},
    {bench_sort, "sort", "uint32,uint32 pairs", LONGER},
    {bench_segmented_sort, "segmented_sort", "uint32 keys, segments of 8", LONG},
    {bench_segmented_sort, "segmented_sort", "uint32 keys, segments of 100", LONG},
    {bench_segmented_sort, "segmented_sort", "uint32 keys, segments of 10000", LONG},
    {bench_topk, "topk", "uint32 top 100", MIDDLE},
    {bench_topk, "topk", "uint32 top 100", LONG},
    {bench_histogram, "histogram", "uint32, 256 bins", LONG},
    {bench_histogram, "histogram", "uint32, 2048 bins", LONG},
    {bench_histogram, "histogram", "uint32, 65536 bins", LONG},
    {bench_merge, "merge", "uint32", LONG},
    {bench_search, "search", "uint32, sorted needles", LONG},
    {bench_search, "search", "uint32, random needles", LONG},
    {bench_jagged, "jagged", "float32 by int64 at random", LONG},
    {bench_list, "list", "random", LISTED},
    {bench_list, "list", "random, order", LISTED},
    {bench_minplus, "minplus", "float32, nonnegative", 0},
    {bench_minplus, "minplus", "float32, paths", 0},
};

static void run_cases(bench *b, const bench_case *cases, size_t count) {
    const size_t most = b->options.most;
    b->options.is_exact = true;
    for (size_t k = 0; k < count; k++) {
        if (b->options.suites != NULL && !bench_names_have(b->options.suites, cases[k].suite))
            continue;
        bench_progress_part(cases[k].suite, k + 1, count);
        const size_t before = b->rows + b->skipped;
        b->options.only = cases[k].name;
        if (cases[k].n > 0) {
            b->options.sized = true;
            b->options.least = b->options.most = cases[k].n < most ? cases[k].n : most;
        }
        cases[k].run(b);
        if (cases[k].name != NULL && b->rows + b->skipped == before)
            bench_die(BENCH_EXIT_USAGE, "the suite %s has no result named %s", cases[k].suite,
                      cases[k].name);
    }
}

static void run_suites(bench *b) {
    size_t part = 0, parts = 0;
    for (size_t k = 0; k < sizeof suites / sizeof *suites; k++)
        parts += is_wanted(b, suites[k].name);
    for (size_t k = 0; k < sizeof suites / sizeof *suites; k++) {
        if (!is_wanted(b, suites[k].name)) continue;
        bench_progress_part(suites[k].name, ++part, parts);
        suites[k].run(b);
    }
}

static int measure(bench *b, double began) {
    bench_csv_open(b);
    print_start(b);
    if (b->options.brief)
        run_cases(b, brief, sizeof brief / sizeof *brief);
    else if (b->options.portable)
        run_cases(b, portable, sizeof portable / sizeof *portable);
    else
        run_suites(b);
    bench_progress_stop();
    bench_csv_close(b);
    return finish(b, began);
}

static int tune(bench *b) {
    bench_tune(b);
    bench_progress_stop();
    return 0;
}

static int run(bench *b, double began) {
    if (b->options.trial != NULL) {
        bench_progress_stop();
        return bench_trial(b, b->options.trial);
    }
    return b->options.tune ? tune(b) : measure(b, began);
}

int main(int argc, char **argv) {
    static bench b;
    const double began = bench_now();
    const time_t now = time(NULL);
    strftime(b.date, sizeof b.date, "%Y-%m-%d", gmtime(&now));
    bench_options_read(&b.options, argc, argv);
    if (b.options.suites != NULL && bench_names_have(b.options.suites, "create")) {
        bench_caches_empty();
        b.options.no_store = true; /* PoCL makes a program's binary of its cache */
    }
    bench_progress_start();
    if (!b.options.alone && !b.options.tune && b.options.trial == NULL) bench_try_peers(&b);
    open_device(&b);
    const int status = run(&b, began);
    bench_tools_destroy(&b);
    clprims_context_destroy(b.context);
    return status;
}
