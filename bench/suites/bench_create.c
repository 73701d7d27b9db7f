/* SPDX-License-Identifier: MIT */
/*
 * What the making of each kind of plan costs: with empty driver caches; in another context, when
 * the driver has cached the programs; a second, equal plan in one context; the first run after the
 * first making beside the second one; and the making from a program store, with empty driver caches
 * again. bench.c gives the drivers empty caches of their own when this suite is asked for. A result
 * is not compared here: the other suites do that.
 */
#include "harness/bench.h"
#include "suites/suites.h"

#include <stdlib.h>

/* LARGE: max_n of plans that have every kernel of a GPU; CPUs have the same kernels at N. */
enum { N = 1 << 20, LONG_N = 10000000, SIDE = 512, LARGE = 1 << 27 };

typedef struct subject {
    bench *b;
    cl_mem links, long_links, values, out, more; /* links of lists of N and LONG_N */
} subject;

typedef struct kind {
    const char *name;
    size_t n; /* of a run */
    size_t max_n;
    clprims_status (*create)(clprims_context *context, size_t max_n, void **plan);
    clprims_status (*run)(void *plan, const subject *s);
    void (*destroy)(void *plan);
} kind;

#define QUEUE s->b->info.queue

/* ---- Scans, offsets, selections ---- */

static clprims_status create_scan(clprims_context *context, clprims_scan_desc desc, size_t max_n,
                                  void **plan) {
    clprims_scan *scan = NULL;
    desc.max_n = max_n;
    const clprims_status status = clprims_scan_create(&scan, context, &desc);
    *plan = scan;
    return status;
}

static clprims_status create_scan_words(clprims_context *context, size_t max_n, void **plan) {
    clprims_scan_desc desc = {0};
    desc.type = CLPRIMS_U32;
    return create_scan(context, desc, max_n, plan);
}

static clprims_status create_scan_bytes(clprims_context *context, size_t max_n, void **plan) {
    clprims_scan_desc desc = {0};
    desc.type = CLPRIMS_U8;
    desc.accumulator = CLPRIMS_U32;
    return create_scan(context, desc, max_n, plan);
}

static clprims_status create_scan_floats(clprims_context *context, size_t max_n, void **plan) {
    clprims_scan_desc desc = {0};
    desc.type = CLPRIMS_F32;
    return create_scan(context, desc, max_n, plan);
}

static clprims_status create_scan_pairs(clprims_context *context, size_t max_n, void **plan) {
    clprims_scan_desc desc = {0};
    desc.type = CLPRIMS_STRUCT;
    desc.op = CLPRIMS_CUSTOM;
    desc.custom = (clprims_custom){.op = "(uint2)(a.x * b.x, a.y * b.x + b.y)",
                                   .declarations = "",
                                   .type_name = "uint2",
                                   .type_bytes = 8};
    desc.inclusive = 1;
    return create_scan(context, desc, max_n, plan);
}

static clprims_status run_scan(void *plan, const subject *s) {
    const clprims_buffer in = {s->values, 0}, out = {s->out, 0};
    return clprims_scan_enqueue(plan, QUEUE, &(clprims_scan_buffers){.in = in, .out = out}, N, 0,
                                NULL, NULL);
}

static void destroy_scan(void *plan) {
    clprims_scan_destroy(plan);
}

static clprims_status create_offsets(clprims_context *context, size_t max_n, void **plan) {
    clprims_offsets_desc desc = {0};
    clprims_offsets *offsets = NULL;
    desc.type = CLPRIMS_U32;
    desc.counts = 1;
    desc.max_n = max_n;
    const clprims_status status = clprims_offsets_create(&offsets, context, &desc);
    *plan = offsets;
    return status;
}

static clprims_status run_offsets(void *plan, const subject *s) {
    const clprims_buffer counts = {s->values, 0}, out = {s->out, 0};
    return clprims_offsets_enqueue(
        plan, QUEUE, &(clprims_offsets_buffers){.stops = counts, .offsets = out}, N, 0, NULL, NULL);
}

static void destroy_offsets(void *plan) {
    clprims_offsets_destroy(plan);
}

static clprims_status create_select(clprims_context *context, clprims_select_by by, int partition,
                                    size_t max_n, void **plan) {
    clprims_select_desc desc = {0};
    clprims_select *select = NULL;
    desc.by = by;
    desc.predicate = by == CLPRIMS_SELECT_PREDICATE ? "x > 3" : NULL;
    desc.arrays = 1;
    desc.type[0] = CLPRIMS_U32;
    desc.partition = partition;
    desc.max_n = max_n;
    const clprims_status status = clprims_select_create(&select, context, &desc);
    *plan = select;
    return status;
}

static clprims_status create_select_values(clprims_context *context, size_t max_n, void **plan) {
    return create_select(context, CLPRIMS_SELECT_PREDICATE, 0, max_n, plan);
}

static clprims_status create_select_flags(clprims_context *context, size_t max_n, void **plan) {
    return create_select(context, CLPRIMS_SELECT_FLAGS, 0, max_n, plan);
}

static clprims_status create_partition(clprims_context *context, size_t max_n, void **plan) {
    return create_select(context, CLPRIMS_SELECT_PREDICATE, 1, max_n, plan);
}

static clprims_status run_select(void *plan, const subject *s) {
    const clprims_select_buffers buffers = {.in = {{s->values, 0}},
                                            .out = {{s->out, 0}},
                                            .flags = {s->links, 0},
                                            .count = {s->more, 0}};
    return clprims_select_enqueue(plan, QUEUE, &buffers, N, 0, NULL, NULL);
}

static void destroy_select(void *plan) {
    clprims_select_destroy(plan);
}

/* ---- Lists ---- */

static clprims_status create_list(clprims_context *context, clprims_list_result result,
                                  size_t max_n, void **plan) {
    clprims_list_desc desc = {0};
    clprims_list *list = NULL;
    desc.result = result;
    desc.max_n = max_n;
    const clprims_status status = clprims_list_create(&list, context, &desc);
    *plan = list;
    return status;
}

static clprims_status create_ranks(clprims_context *context, size_t max_n, void **plan) {
    return create_list(context, CLPRIMS_LIST_RANKS, max_n, plan);
}

static clprims_status create_order(clprims_context *context, size_t max_n, void **plan) {
    return create_list(context, CLPRIMS_LIST_ORDER, max_n, plan);
}

static clprims_status run_list_of(void *plan, const subject *s, cl_mem links, size_t n) {
    const clprims_buffer next = {links, 0}, out = {s->out, 0}, report = {s->more, 0};
    return clprims_list_enqueue(plan, QUEUE,
                                &(clprims_list_buffers){.next = next, .out = out, .report = report},
                                n, 0, NULL, NULL);
}

static clprims_status run_list(void *plan, const subject *s) {
    return run_list_of(plan, s, s->links, N);
}

static clprims_status run_long_list(void *plan, const subject *s) {
    return run_list_of(plan, s, s->long_links, LONG_N);
}

static void destroy_list(void *plan) {
    clprims_list_destroy(plan);
}

static clprims_status create_listscan(clprims_context *context, size_t max_n, void **plan) {
    clprims_listscan_desc desc = {0};
    clprims_listscan *scan = NULL;
    desc.type = CLPRIMS_U32;
    desc.max_n = max_n;
    const clprims_status status = clprims_listscan_create(&scan, context, &desc);
    *plan = scan;
    return status;
}

static clprims_status run_listscan(void *plan, const subject *s) {
    const clprims_buffer next = {s->links, 0}, in = {s->values, 0}, out = {s->out, 0};
    const clprims_buffer report = {s->more, 0};
    return clprims_listscan_enqueue(
        plan, QUEUE,
        &(clprims_listscan_buffers){.next = next, .values = in, .out = out, .report = report}, N, 0,
        NULL, NULL);
}

static void destroy_listscan(void *plan) {
    clprims_listscan_destroy(plan);
}

static clprims_status create_forest(clprims_context *context, size_t max_n, void **plan) {
    clprims_forest_desc desc = {0};
    clprims_forest *forest = NULL;
    desc.max_n = max_n;
    const clprims_status status = clprims_forest_create(&forest, context, &desc);
    *plan = forest;
    return status;
}

static clprims_status run_forest(void *plan, const subject *s) {
    const clprims_forest_buffers buffers = {
        .next = {s->links, 0}, .rank = {s->out, 0}, .report = {s->more, 0}};
    return clprims_forest_enqueue(plan, QUEUE, &buffers, N, 0, NULL, NULL);
}

static void destroy_forest(void *plan) {
    clprims_forest_destroy(plan);
}

/* ---- Matrices ---- */

static clprims_status create_product(clprims_context *context, size_t max_n, void **plan) {
    clprims_minplus_desc desc = {0};
    clprims_minplus *product = NULL;
    desc.max_n = max_n;
    if (max_n > 0) desc.max = (clprims_minplus_sizes){max_n, max_n, 1};
    const clprims_status status = clprims_minplus_create(&product, context, &desc);
    *plan = product;
    return status;
}

static clprims_status run_product(void *plan, const subject *s) {
    const clprims_matrix a = {s->values, 0, SIDE, 0}, c = {s->out, 0, SIDE, 0};
    const clprims_minplus_buffers buffers = {.a = a, .b = a, .c = c, .sizes = {SIDE, SIDE, 1}};
    return clprims_minplus_enqueue(plan, QUEUE, &buffers, SIDE, 0, NULL, NULL);
}

static void destroy_product(void *plan) {
    clprims_minplus_destroy(plan);
}

static clprims_status create_paths(clprims_context *context, size_t max_n, void **plan) {
    clprims_paths_desc desc = {0};
    clprims_paths *paths = NULL;
    desc.max_n = max_n;
    const clprims_status status = clprims_paths_create(&paths, context, &desc);
    *plan = paths;
    return status;
}

static clprims_status run_paths(void *plan, const subject *s) {
    const clprims_paths_buffers buffers = {.d = {s->out, 0, SIDE, 0}, .report = {s->more, 0}};
    return clprims_paths_enqueue(plan, QUEUE, &buffers, SIDE, 0, NULL, NULL);
}

static void destroy_paths(void *plan) {
    clprims_paths_destroy(plan);
}

/* ---- All of them ---- */

static const kind kinds[] = {
    {"scan uint32", N, N, create_scan_words, run_scan, destroy_scan},
    {"scan uint32, large", N, LARGE, create_scan_words, run_scan, destroy_scan},
    {"scan float32, large", N, LARGE, create_scan_floats, run_scan, destroy_scan},
    {"scan uint8 to uint32", N, N, create_scan_bytes, run_scan, destroy_scan},
    {"scan of maps, large", N, LARGE, create_scan_pairs, run_scan, destroy_scan},
    {"offsets", N, N, create_offsets, run_offsets, destroy_offsets},
    {"offsets, large", N, LARGE, create_offsets, run_offsets, destroy_offsets},
    {"select predicate", N, N, create_select_values, run_select, destroy_select},
    {"select predicate, large", N, LARGE, create_select_values, run_select, destroy_select},
    {"select flags, large", N, LARGE, create_select_flags, run_select, destroy_select},
    {"partition, large", N, LARGE, create_partition, run_select, destroy_select},
    {"list ranks", N, N, create_ranks, run_list, destroy_list},
    {"list ranks, large", LONG_N, LARGE, create_ranks, run_long_list, destroy_list},
    {"list order, large", LONG_N, LARGE, create_order, run_long_list, destroy_list},
    {"list scan, large", N, LARGE, create_listscan, run_listscan, destroy_listscan},
    {"forest, large", N, LARGE, create_forest, run_forest, destroy_forest},
    {"minplus, any size", SIDE, 0, create_product, run_product, destroy_product},
    {"minplus up to 512", SIDE, SIDE, create_product, run_product, destroy_product},
    {"paths", SIDE, SIDE, create_paths, run_paths, destroy_paths},
    {"paths, large", SIDE, 4096, create_paths, run_paths, destroy_paths}};

static void report(bench *b, const kind *k, const char *method, double seconds) {
    double one = seconds;
    const bench_row row = {.suite = "create",
                           .name = k->name,
                           .method = method,
                           .n = k->n,
                           .time = bench_summarize(&one, 1)};
    bench_row_report(b, &row);
}

static double seconds_of_create(const kind *k, clprims_context *context, void **plan) {
    const double began = bench_now();
    if (k->create(context, k->max_n, plan) != CLPRIMS_OK) {
        bench_die(BENCH_EXIT_DEVICE, "%s: %s", k->name, clprims_last_error()->message);
    }
    return bench_now() - began;
}

static double seconds_of_run(const kind *k, void *plan, const subject *s) {
    const double began = bench_now();
    if (k->run(plan, s) != CLPRIMS_OK) {
        bench_die(BENCH_EXIT_DEVICE, "%s: %s", k->name, clprims_last_error()->message);
    }
    bench_cl(clFinish(QUEUE), "clFinish");
    return bench_now() - began;
}

static clprims_context *create_context(const bench *b, const char *store) {
    clprims_context_options options = {.program_store = store};
    clprims_context *context = NULL;
    options.context = b->info.context;
    options.device_id = b->info.device_id;
    if (clprims_context_create(&context, &options) != CLPRIMS_OK) {
        bench_die(BENCH_EXIT_DEVICE, "create: %s", clprims_last_error()->message);
    }
    return context;
}

/* The drivers' caches are empty: the programs come from the store. */
static void measure_stored(const kind *k, const subject *s, const char *store) {
    void *plan;
    bench_caches_clear();
    clprims_context *context = create_context(s->b, store);
    report(s->b, k, "created, store full", seconds_of_create(k, context, &plan));
    report(s->b, k, "first run, store full", seconds_of_run(k, plan, s));
    k->destroy(plan);
    clprims_context_destroy(context);
}

/* In contexts that have built nothing, of which the second finds what the driver has kept. The
 * first one's programs go to a store: a GPU's when they are built, a CPU's in the end. */
static void measure(const kind *k, const subject *s) {
    const char *store = bench_caches_store();
    bench_caches_clear();
    clprims_context *context = create_context(s->b, store), *other = create_context(s->b, NULL);
    void *first, *equal, *warm;
    report(s->b, k, "created, caches empty", seconds_of_create(k, context, &first));
    const double first_run = seconds_of_run(k, first, s), second_run = seconds_of_run(k, first, s);
    report(s->b, k, "created, equal plan before", seconds_of_create(k, context, &equal));
    report(s->b, k, "created, caches full", seconds_of_create(k, other, &warm));
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
    measure_stored(k, s, store);
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

void bench_create(bench *b) {
    const subject s = {.b = b,
                       .links = link_up(b, N),
                       .long_links = link_up(b, LONG_N),
                       .values = bench_buffer(b, N * sizeof(cl_ulong)),
                       .out = bench_buffer(b, LONG_N * sizeof(cl_ulong)),
                       .more = bench_buffer(b, 4096)};
    bench_table_begin("create");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (!bench_wanted(&b->options, kinds[i].name)) continue;
        if (kinds[i].max_n == LARGE && b->info.device.type == CL_DEVICE_TYPE_CPU) continue;
        bench_step("making %s", kinds[i].name);
        measure(&kinds[i], &s);
    }
    const cl_mem mems[] = {s.links, s.long_links, s.values, s.out, s.more};
    for (size_t i = 0; i < sizeof mems / sizeof mems[0]; i++) clReleaseMemObject(mems[i]);
}
