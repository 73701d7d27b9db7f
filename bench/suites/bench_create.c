/* SPDX-License-Identifier: MIT */
/*
 * What the making of each kind of plan costs: with empty driver caches; in another context, when
 * the driver has cached the programs; a second, equal plan in one context; the first run after the
 * first making beside the second one; and the making from a program store and from a pack, with
 * empty driver caches again. bench.c gives the drivers empty caches of their own when this suite is
 * asked for. A result is not compared here: the other suites do that. With --offline the plans are
 * made for a GPU that is not there, nothing is measured, and their programs are written to the
 * pack.
 */
#include "harness/bench.h"
#include "suites/suites.h"

#include <stdio.h>
#include <stdlib.h>

/* LARGE: max_n of plans that have every kernel of a GPU. */
enum { N = 1 << 20, LENGTH = 1 << 6, LONG_N = 10000000, SIDE = 512, LARGE = 1 << 27 };

typedef struct subject {
    bench *b;
    cl_mem links, long_links, values, zeros, out, more; /* links of lists of N and LONG_N */
} subject;

typedef struct kind {
    const char *name;
    size_t n; /* of a run */
    size_t max_n;
    clprims_status (*create)(clprims_context *context, size_t max_n, void **plan);
    clprims_status (*run)(void *plan, const subject *s);
    void (*destroy)(void *plan);
} kind;

/* ---- Plans ----------------------------------------------------------------------------------- */

/* So that a semicolon ends each use. */
#define END _Static_assert(N > 0, "")

/* Defines create_NAME and destroy_NAME. The description may speak of max_n. */
#define PLAN(name, primitive, ...)                                                                 \
    static clprims_status create_##name(clprims_context *context, size_t max_n, void **plan) {     \
        clprims_##primitive *made = NULL;                                                          \
        clprims_##primitive##_desc desc = __VA_ARGS__;                                             \
        desc.max_n = max_n;                                                                        \
        const clprims_status status = clprims_##primitive##_create(&made, context, &desc);         \
        *plan = made;                                                                              \
        return status;                                                                             \
    }                                                                                              \
    static void destroy_##name(void *plan) {                                                       \
        clprims_##primitive##_destroy(plan);                                                       \
    }                                                                                              \
    END

/* Defines run_NAME, of n elements on these buffers. */
#define RUN(name, primitive, elements, ...)                                                        \
    static clprims_status run_##name(void *plan, const subject *s) {                               \
        const clprims_##primitive##_buffers buffers = __VA_ARGS__;                                 \
        return clprims_##primitive##_enqueue(plan, s->b->info.queue, &buffers, elements, 0, NULL,  \
                                             NULL);                                                \
    }                                                                                              \
    END

/* clang-format off */

PLAN(scan_words, scan, {.type = CLPRIMS_U32});
PLAN(scan_bytes, scan, {.type = CLPRIMS_U8, .accumulator = CLPRIMS_U32});
PLAN(scan_floats, scan, {.type = CLPRIMS_F32});
PLAN(scan_maps, scan, {.type = CLPRIMS_STRUCT, .op = CLPRIMS_CUSTOM, .inclusive = 1,
                       .custom = {.op = "(uint2)(a.x * b.x, a.y * b.x + b.y)",
                                  .declarations = "", .type_name = "uint2", .type_bytes = 8}});
RUN(scan, scan, N, {.in = {s->values, 0}, .out = {s->out, 0}});

PLAN(reduce, reduce, {.type = CLPRIMS_F32});
RUN(reduce, reduce, N, {.in = {s->values, 0}, .out = {s->out, 0}});

PLAN(offsets, offsets, {.type = CLPRIMS_U32, .counts = 1});
RUN(offsets, offsets, N, {.stops = {s->values, 0}, .offsets = {s->out, 0}});

PLAN(select_values, select, {.by = CLPRIMS_SELECT_PREDICATE, .predicate = "x > 3", .arrays = 1, .type = {CLPRIMS_U32}});
PLAN(select_flags, select, {.by = CLPRIMS_SELECT_FLAGS, .arrays = 1, .type = {CLPRIMS_U32}});
PLAN(partition, select, {.by = CLPRIMS_SELECT_PREDICATE, .predicate = "x > 3", .arrays = 1, .type = {CLPRIMS_U32}, .partition = 1});
RUN(select, select, N, {.in = {{s->values, 0}}, .out = {{s->out, 0}}, .count = {s->more, 0}});
RUN(flagged, select, N, {.in = {{s->values, 0}}, .out = {{s->out, 0}}, .flags = {s->links, 0},
                         .count = {s->more, 0}});

PLAN(segmented, segmented, {.by = CLPRIMS_SEGMENTS_EQUAL, .type = CLPRIMS_F32,
                            .max_segments = max_n / LENGTH});
RUN(segmented, segmented, N, {.in = {s->values, 0}, .out = {s->out, 0},
                              .sizes = {.length = LENGTH}});

PLAN(sort, sort, {.type = CLPRIMS_U32});
PLAN(pairs, sort, {.type = CLPRIMS_U64, .payloads = 1, .payload_bytes = {4}});
RUN(sort, sort, N, {.keys_in = {s->values, 0}, .keys_out = {s->out, 0}});
RUN(pairs, sort, N, {.keys_in = {s->values, 0}, .keys_out = {s->out, 0},
                     .payload_in = {{s->links, 0}}, .payload_out = {{s->long_links, 0}}});

PLAN(segmented_sort, segmented_sort, {.by = CLPRIMS_SEGMENTS_EQUAL, .type = CLPRIMS_U32,
                                      .max_segments = max_n / LENGTH});
RUN(segmented_sort, segmented_sort, N, {.keys_in = {s->values, 0}, .keys_out = {s->out, 0},
                                        .sizes = {.length = LENGTH}});

PLAN(topk, topk, {.type = CLPRIMS_F32, .indices = CLPRIMS_I32, .max_k = 100});
RUN(topk, topk, N, {.in = {s->values, 0}, .values = {s->out, 0}, .indices = {s->more, 0},
                    .sizes = {.k = 100}});

PLAN(histogram, histogram, {.type = CLPRIMS_U32, .bins = 256, .most = 4294967296.0});
RUN(histogram, histogram, N, {.in = {s->values, 0}, .out = {s->more, 0}});

PLAN(merge, merge, {.type = CLPRIMS_U32, .max_n_b = max_n});
RUN(merge, merge, N, {.a = {s->values, 0}, .b = {s->values, 0}, .out = {s->out, 0},
                      .sizes = {.n_b = N}});

PLAN(search, search, {.type = CLPRIMS_U32, .max_length = max_n});
RUN(search, search, N, {.sorted = {s->values, 0}, .needles = {s->links, 0}, .out = {s->out, 0},
                        .sizes = {.length = N}});

PLAN(gather, gather, {.type = CLPRIMS_U32});
RUN(gather, gather, N, {.index = {s->zeros, 0}, .in = {s->values, 0}, .out = {s->out, 0},
                        .sizes = {.length = N}});

PLAN(scatter, scatter, {.type = CLPRIMS_U32, .max_length = max_n,
                        .repeats = CLPRIMS_SCATTER_COMBINE});
RUN(scatter, scatter, N, {.index = {s->zeros, 0}, .in = {s->values, 0}, .out = {s->out, 0},
                          .sizes = {.length = N}});

PLAN(map, map, {.type = CLPRIMS_F32, .output = {{.value = "2 * x"}}});
RUN(map, map, N, {.in = {s->values, 0}, .out = {{s->out, 0}}});

PLAN(ranks, list, {0});
PLAN(order, list, {.result = CLPRIMS_LIST_ORDER});
RUN(list, list, N, {.next = {s->links, 0}, .out = {s->out, 0}, .report = {s->more, 0}});
RUN(long_list, list, LONG_N, {.next = {s->long_links, 0}, .out = {s->out, 0},
                              .report = {s->more, 0}});

PLAN(listscan, listscan, {.type = CLPRIMS_U32});
RUN(listscan, listscan, N, {.next = {s->links, 0}, .values = {s->values, 0}, .out = {s->out, 0},
                            .report = {s->more, 0}});

PLAN(forest, forest, {0});
RUN(forest, forest, N, {.next = {s->links, 0}, .rank = {s->out, 0}, .report = {s->more, 0}});

PLAN(product, minplus, {.max = {max_n, max_n, max_n > 0}});
RUN(product, minplus, SIDE, {.a = {s->values, 0, SIDE, 0}, .b = {s->values, 0, SIDE, 0},
                             .c = {s->out, 0, SIDE, 0}, .sizes = {SIDE, SIDE, 1}});

PLAN(paths, paths, {0});
RUN(paths, paths, SIDE, {.d = {s->out, 0, SIDE, 0}, .report = {s->more, 0}});

static const kind kinds[] = {
    {"scan uint32", N, N, create_scan_words, run_scan, destroy_scan_words},
    {"scan uint32, large", N, LARGE, create_scan_words, run_scan, destroy_scan_words},
    {"scan float32, large", N, LARGE, create_scan_floats, run_scan, destroy_scan_floats},
    {"scan uint8 to uint32", N, N, create_scan_bytes, run_scan, destroy_scan_bytes},
    {"scan of maps, large", N, LARGE, create_scan_maps, run_scan, destroy_scan_maps},
    {"reduce float32, large", N, LARGE, create_reduce, run_reduce, destroy_reduce},
    {"offsets", N, N, create_offsets, run_offsets, destroy_offsets},
    {"offsets, large", N, LARGE, create_offsets, run_offsets, destroy_offsets},
    {"select predicate", N, N, create_select_values, run_select, destroy_select_values},
    {"select predicate, large", N, LARGE, create_select_values, run_select, destroy_select_values},
    {"select flags, large", N, LARGE, create_select_flags, run_flagged, destroy_select_flags},
    {"partition, large", N, LARGE, create_partition, run_select, destroy_partition},
    {"segmented sums, large", N, LARGE, create_segmented, run_segmented, destroy_segmented},
    {"sort uint32", N, N, create_sort, run_sort, destroy_sort},
    {"sort uint32, large", N, LARGE, create_sort, run_sort, destroy_sort},
    {"sort pairs of uint64, large", N, LARGE, create_pairs, run_pairs, destroy_pairs},
    {"segmented sort, large", N, LARGE, create_segmented_sort, run_segmented_sort,
     destroy_segmented_sort},
    {"top-k", N, N, create_topk, run_topk, destroy_topk},
    {"top-k, large", N, LARGE, create_topk, run_topk, destroy_topk},
    {"histogram, large", N, LARGE, create_histogram, run_histogram, destroy_histogram},
    {"merge, large", N, LARGE, create_merge, run_merge, destroy_merge},
    {"search, large", N, LARGE, create_search, run_search, destroy_search},
    {"gather, large", N, LARGE, create_gather, run_gather, destroy_gather},
    {"scatter, large", N, LARGE, create_scatter, run_scatter, destroy_scatter},
    {"map, large", N, LARGE, create_map, run_map, destroy_map},
    {"list ranks", N, N, create_ranks, run_list, destroy_ranks},
    {"list ranks, large", LONG_N, LARGE, create_ranks, run_long_list, destroy_ranks},
    {"list order, large", LONG_N, LARGE, create_order, run_long_list, destroy_order},
    {"list scan, large", N, LARGE, create_listscan, run_listscan, destroy_listscan},
    {"forest, large", N, LARGE, create_forest, run_forest, destroy_forest},
    {"minplus, any size", SIDE, 0, create_product, run_product, destroy_product},
    {"minplus up to 512", SIDE, SIDE, create_product, run_product, destroy_product},
    {"paths", SIDE, SIDE, create_paths, run_paths, destroy_paths},
    {"paths, large", SIDE, 4096, create_paths, run_paths, destroy_paths}};

/* clang-format on */

/* ---- Measuring ------------------------------------------------------------------------------- */

static void report(bench *b, const kind *k, const char *method, double seconds) {
    double one = seconds;
    const bench_row row = {.suite = "create",
                           .name = k->name,
                           .method = method,
                           .n = k->n,
                           .time = bench_summarize(&one, 1)};
    bench_row_report(b, &row);
}

/* CPUs have every kernel at any size. */
static bool is_for_cpu(const bench *b) {
    return b->is_cpu && b->options.offline == NULL;
}

static double seconds_of_create(const bench *b, const kind *k, clprims_context *context,
                                void **plan) {
    const double began = bench_now();
    const size_t max_n = k->max_n == LARGE && is_for_cpu(b) ? k->n : k->max_n;
    if (k->create(context, max_n, plan) != CLPRIMS_OK) {
        bench_die(BENCH_EXIT_DEVICE, "%s: %s", k->name, clprims_last_error()->message);
    }
    return bench_now() - began;
}

static double seconds_of_run(const kind *k, void *plan, const subject *s) {
    const double began = bench_now();
    if (k->run(plan, s) != CLPRIMS_OK) {
        bench_die(BENCH_EXIT_DEVICE, "%s: %s", k->name, clprims_last_error()->message);
    }
    bench_cl(clFinish(s->b->info.queue), "clFinish");
    return bench_now() - began;
}

static clprims_context *create_context(const bench *b, const char *store, const char *pack) {
    clprims_context_options options = {
        .program_store = store, .program_packs = &pack, .program_pack_count = pack != NULL};
    clprims_context *context = NULL;
    options.context = b->info.context;
    options.device_id = b->info.device_id;
    if (clprims_context_create(&context, &options) != CLPRIMS_OK) {
        bench_die(BENCH_EXIT_DEVICE, "create: %s", clprims_last_error()->message);
    }
    return context;
}

/* The drivers' caches are empty: the programs come from the store or the pack. */
static void measure_kept(const kind *k, const subject *s, const char *store, const char *pack) {
    void *plan;
    clprims_context_info info;
    bench_caches_clear();
    clprims_context *context = create_context(s->b, store, pack);
    const double made = seconds_of_create(s->b, k, context, &plan);
    const double run = seconds_of_run(k, plan, s);
    report(s->b, k, pack != NULL ? "created, of the pack" : "created, store full", made);
    report(s->b, k, pack != NULL ? "first run, of the pack" : "first run, store full", run);
    if (clprims_context_describe(context, &info) == CLPRIMS_OK && info.programs_built > 0) {
        bench_note("%s: %zu programs were compiled, %zu found", k->name, info.programs_built,
                   info.programs_found);
    }
    k->destroy(plan);
    clprims_context_destroy(context);
}

/* In contexts that have built nothing, of which the second finds what the driver has kept. The
 * first one's programs go to a store: a GPU's when they are built, a CPU's in the end. */
static void measure(const kind *k, const subject *s) {
    const char *store = bench_caches_store();
    bench_caches_clear();
    clprims_context *context = create_context(s->b, store, NULL),
                    *other = create_context(s->b, NULL, NULL);
    void *first, *equal, *warm;
    report(s->b, k, "created, caches empty", seconds_of_create(s->b, k, context, &first));
    const double first_run = seconds_of_run(k, first, s), second_run = seconds_of_run(k, first, s);
    report(s->b, k, "created, equal plan before", seconds_of_create(s->b, k, context, &equal));
    report(s->b, k, "created, caches full", seconds_of_create(s->b, k, other, &warm));
    report(s->b, k, "first run", first_run);
    report(s->b, k, "second run", second_run);
    bench_note("%s: the first run took %.1f times the second one's time", k->name,
               first_run / second_run);
    k->destroy(warm);
    k->destroy(equal);
    k->destroy(first);
    clprims_context_destroy(other);
    const double began = bench_now();
    clprims_context_destroy(context);
    report(s->b, k, "context destroyed, programs kept", bench_now() - began);
    measure_kept(k, s, store, NULL);
}

/* The links of a list of n elements, in their own order. */
static cl_mem link_up(bench *b, size_t n) {
    int32_t *links = bench_alloc(n * sizeof *links);
    for (size_t i = 0; i < n; i++) links[i] = i + 1 < n ? (int32_t)i + 1 : -1;
    cl_mem mem = bench_buffer(b, n * sizeof *links);
    bench_write(b, mem, 0, n * sizeof *links, links);
    free(links);
    return mem;
}

static bool is_measured(const bench *b, const kind *k) {
    const bool is_again = k > kinds && k[-1].create == k->create;
    return bench_wanted(&b->options, k->name) && !(is_again && is_for_cpu(b));
}

static bool is_there(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file != NULL) fclose(file);
    return file != NULL;
}

/* All programs of the suite, of this device or of one that is not there. */
static void write_pack(const bench *b) {
    const clprims_context_options options = {.offline_architecture = b->options.offline};
    clprims_context *context = NULL;
    if (options.offline_architecture == NULL) {
        context = create_context(b, NULL, NULL);
    } else if (clprims_context_create(&context, &options) != CLPRIMS_OK) {
        bench_die(BENCH_EXIT_USAGE, "%s", clprims_last_error()->message);
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        void *plan;
        if (!is_measured(b, &kinds[i])) continue;
        (void)seconds_of_create(b, &kinds[i], context, &plan);
        kinds[i].destroy(plan);
    }
    if (clprims_context_save_programs(context, b->options.pack) != CLPRIMS_OK) {
        bench_die(BENCH_EXIT_USAGE, "%s", clprims_last_error()->message);
    }
    clprims_context_destroy(context);
}

void bench_create(bench *b) {
    if (b->options.offline != NULL) {
        write_pack(b);
        return;
    }
    const bool has_pack = b->options.pack != NULL && is_there(b->options.pack);
    const subject s = {.b = b,
                       .links = link_up(b, N),
                       .long_links = link_up(b, LONG_N),
                       .values = bench_buffer(b, N * sizeof(cl_ulong)),
                       .zeros = bench_buffer(b, N * sizeof(cl_ulong)),
                       .out = bench_buffer(b, LONG_N * sizeof(cl_ulong)),
                       .more = bench_buffer(b, 4096)};
    const cl_ulong zero = 0;
    bench_cl(clEnqueueFillBuffer(b->info.queue, s.zeros, &zero, sizeof zero, 0, N * sizeof zero, 0,
                                 NULL, NULL),
             "clEnqueueFillBuffer");
    bench_table_begin("create");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (!is_measured(b, &kinds[i])) continue;
        bench_step("making %s", kinds[i].name);
        measure(&kinds[i], &s);
        if (has_pack) measure_kept(&kinds[i], &s, NULL, b->options.pack);
    }
    if (b->options.pack != NULL && !has_pack) write_pack(b);
    const cl_mem mems[] = {s.links, s.long_links, s.values, s.zeros, s.out, s.more};
    for (size_t i = 0; i < sizeof mems / sizeof mems[0]; i++) clReleaseMemObject(mems[i]);
}
