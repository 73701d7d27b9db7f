/* SPDX-License-Identifier: MIT */
/* What making a plan prints (nothing), builds and launches: once for all equal plans of a context,
 * and all that a run needs. */
#include "core/create_runs.h"
#include "fixtures/plan_kinds.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *program_path;

/* ---- What is called ---------------------------------------------------------------------------
 */

cl_int __real_clBuildProgram(cl_program program, cl_uint n, const cl_device_id *ids,
                             const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                             void *data);
cl_int __wrap_clBuildProgram(cl_program program, cl_uint n, const cl_device_id *ids,
                             const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                             void *data);
cl_int __real_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                     const size_t *offset, const size_t *global,
                                     const size_t *group, cl_uint n, const cl_event *wait,
                                     cl_event *event);
cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                     const size_t *offset, const size_t *global,
                                     const size_t *group, cl_uint n, const cl_event *wait,
                                     cl_event *event);

/* A kernel at a group size. */
typedef struct launched {
    cl_program program;
    char name[64];
    size_t group;
} launched;

enum { MOST_LAUNCHED = 256 };

static struct {
    size_t builds, launches;
    launched seen[MOST_LAUNCHED];
    size_t count;
    bool in_run; /* nothing new may be launched */
    launched missed; /* the first that was */
} calls;

cl_int __wrap_clBuildProgram(cl_program program, cl_uint n, const cl_device_id *ids,
                             const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                             void *data) {
    calls.builds++;
    return __real_clBuildProgram(program, n, ids, options, notify, data);
}

static void note_launch(cl_kernel kernel, size_t group) {
    launched it = {.group = group};
    calls.launches++;
    clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof it.program, &it.program, NULL);
    clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof it.name, it.name, NULL);
    for (size_t i = 0; i < calls.count; i++) {
        const launched *one = &calls.seen[i];
        if (one->program == it.program && one->group == group && strcmp(one->name, it.name) == 0) {
            return;
        }
    }
    if (calls.in_run && calls.missed.group == 0) calls.missed = it;
    if (calls.count < MOST_LAUNCHED) calls.seen[calls.count++] = it;
}

cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                     const size_t *offset, const size_t *global,
                                     const size_t *group, cl_uint n, const cl_event *wait,
                                     cl_event *event) {
    if (*global > 0) note_launch(kernel, *group); /* drivers take none, and do nothing */
    return __real_clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, group, n, wait,
                                         event);
}

static void forget_calls(void) {
    memset(&calls, 0, sizeof calls);
}

/* ---- Plans of every kind ----------------------------------------------------------------------
 */

/* Of the default tier, since each compiles for seconds. */
static const char *const few[] = {
    "scan.words.auto",           "offsets.counts.auto",      "select.bits.auto",
    "reduce.floats.chosen",      "segmented.floats.offsets", "sort.words.auto",
    "segmented-sort.words.auto", "topk.words.chosen",        "histogram.bytes.chosen",
    "merge.words.chosen",        "search.words.any",         "list.i32.ranks.scattered",
    "listscan.words.i32",        "minplus.floats.chosen",    "paths.floats.lengths"};

static clprims_context *context_of_all;
static const char *plan_made;

static clprims_context *take_context(const char *name) {
    bool wanted = test_long();
    for (size_t i = 0; i < sizeof few / sizeof few[0]; i++) {
        wanted = wanted || strcmp(few[i], name) == 0;
    }
    plan_made = name;
    return wanted ? context_of_all : NULL;
}

static void expect_made(clprims_status status) {
    if (status != CLPRIMS_OK && status != CLPRIMS_ERR_UNSUPPORTED) {
        test_fail("no plan: %s", clprims_last_error()->message);
    }
    create_expect_blank(plan_made);
}

static void equal_plans(const void *data) {
    const plan_visitor visitor = {take_context, expect_made, false};
    (void)data;
    context_of_all = test_context();
    create_guard_blank(context_of_all);
    forget_calls();
    plan_kinds(&visitor);
    assert_true(calls.builds > 0);
    assert_true(calls.launches > 0);
    calls.builds = calls.launches = 0;
    plan_kinds(&visitor);
    if (calls.builds > 0 || calls.launches > 0) {
        test_fail("equal plans were made with %zu builds and %zu launches", calls.builds,
                  calls.launches);
    }
    create_release_blank();
}

/* ---- A compiler that prints -------------------------------------------------------------------
 */

static void must(clprims_status status) {
    if (status == CLPRIMS_OK || status == CLPRIMS_ERR_UNSUPPORTED) return;
    fprintf(stderr, "%s\n", clprims_last_error()->message);
    exit(EXIT_FAILURE);
}

/* The process of its own, whose output is looked at. */
static int make_all(void) {
    const plan_visitor visitor = {take_context, must, false};
    const clprims_context_options options = test_options();
    must(clprims_context_create(&context_of_all, &options));
    plan_kinds(&visitor);
    clprims_context_destroy(context_of_all);
    return EXIT_SUCCESS;
}

static void silent(const void *data) {
    char folder[] = "/tmp/clprims-create-XXXXXX", command[4096], out[4096] = "";
    (void)data;
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command,
             "mkdir '%s/cache' && POCL_CACHE_DIR='%s/cache' CUDA_CACHE_DISABLE=1 '%s' make-all "
             "> '%s/out' 2>&1",
             folder, folder, program_path, folder);
    const int status = system(command);
    snprintf(command, sizeof command, "%s/out", folder);
    FILE *file = fopen(command, "r");
    assert_non_null(file);
    const size_t length = fread(out, 1, sizeof out - 1, file);
    fclose(file);
    /* The other cases need the same programs. */
    snprintf(command, sizeof command,
             "[ -z \"$POCL_CACHE_DIR\" ] || cp -rn '%s/cache/.' \"$POCL_CACHE_DIR\"; rm -r '%s'",
             folder, folder);
    assert_int_equal(system(command), 0);
    if (status != 0 || length > 0) test_fail("status %d; it printed:\n%s", status, out);
}

/* ---- Threads ------------------------------------------------------------------------------------
 */

static void *make_scan(void *of) {
    clprims_scan_desc desc = CLPRIMS_SCAN_DESC_INIT;
    clprims_scan *scan = NULL;
    desc.type = CLPRIMS_I16;
    desc.op = CLPRIMS_XOR;
    desc.max_n = 1000;
    *(clprims_status *)of = clprims_scan_create(&scan, test_context(), &desc);
    clprims_scan_destroy(scan);
    return NULL;
}

static void threads(const void *data) {
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    clprims_status status[THREADS];
    (void)data;
    test_context();
    forget_calls();
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&thread[i], NULL, make_scan, &status[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
    for (size_t i = 0; i < THREADS; i++) assert_int_equal(status[i], CLPRIMS_OK);
    const size_t builds = calls.builds;
    make_scan(&status[0]);
    assert_int_equal(calls.builds, builds);
    assert_true(builds <= 4); /* the programs of one plan */
}

/* ---- Runs after create -------------------------------------------------------------------------
 */

enum { MOST_N = 40000 };

static int32_t links[MOST_N];
static uint32_t words[MOST_N], sums[MOST_N];
static int64_t offsets[MOST_N + 1];
static int32_t results[MOST_N];
static uint8_t flags[MOST_N];

static const size_t sizes[] = {1, 2, 30, 1000, 9000, MOST_N};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

void create_is_over(void) {
    calls.in_run = true;
}

static void expect_nothing_new(void) {
    if (calls.missed.group == 0) return;
    test_fail("a run launched %s in groups of %zu, which create had not", calls.missed.name,
              calls.missed.group);
}

static void link_up(size_t n) {
    for (size_t i = 0; i < n; i++) links[i] = i + 1 < n ? (int32_t)i + 1 : -1;
}

static void scans(const void *data) {
    clprims_scan_desc desc = CLPRIMS_SCAN_DESC_INIT;
    clprims_scan *scan = NULL;
    desc.type = CLPRIMS_U32;
    desc.max_n = MOST_N;
    desc.algorithm = *(const clprims_algorithm *)data;
    expect_ok(clprims_scan_create(&scan, test_context(), &desc));
    create_is_over();
    for (size_t i = 0; i < SIZES; i++) expect_ok(clprims_scan_run(scan, words, sums, sizes[i]));
    clprims_scan_destroy(scan);
}

static void reductions(const void *data) {
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    clprims_reduce *reduce = NULL;
    desc.type = CLPRIMS_U32;
    desc.max_n = MOST_N;
    desc.tuning = data;
    expect_ok(clprims_reduce_create(&reduce, test_context(), &desc));
    create_is_over();
    for (size_t i = 0; i < SIZES; i++) expect_ok(clprims_reduce_run(reduce, words, sums, sizes[i]));
    clprims_reduce_destroy(reduce);
}

/* By offsets: segments of three elements each; by keys: runs of words. */
static void segments(const void *data) {
    static int64_t ends[MOST_N + 1];
    clprims_segmented_desc desc = CLPRIMS_SEGMENTED_DESC_INIT;
    clprims_segmented *plan = NULL;
    size_t count = 0;
    desc.by = *(const clprims_segments_by *)data;
    desc.type = CLPRIMS_U32;
    if (desc.by == CLPRIMS_SEGMENTS_KEYS) desc.heads_type = CLPRIMS_U32;
    desc.max_n = desc.max_segments = MOST_N;
    expect_ok(clprims_segmented_create(&plan, test_context(), &desc));
    create_is_over();
    for (size_t i = 0; i <= MOST_N; i++) ends[i] = 3 * (int64_t)i;
    for (size_t i = 0; i < SIZES; i++) {
        const bool by_keys = desc.by == CLPRIMS_SEGMENTS_KEYS;
        const clprims_segmented_arrays arrays = {.struct_size = sizeof arrays,
                                                 .in = words,
                                                 .out = sums,
                                                 .heads = by_keys ? (const void *)words
                                                                  : (const void *)ends};
        expect_ok(clprims_segmented_run(plan, &arrays, sizes[i], by_keys ? sizes[i] : sizes[i] / 3,
                                        &count));
    }
    clprims_segmented_destroy(plan);
}

static void histograms(const void *data) {
    clprims_histogram_desc desc = CLPRIMS_HISTOGRAM_DESC_INIT;
    clprims_histogram *plan = NULL;
    desc.type = CLPRIMS_U32;
    desc.by = CLPRIMS_HISTOGRAM_EXPRESSION;
    desc.bin = "x % 4";
    desc.bins = 4;
    desc.weights = CLPRIMS_F32;
    desc.max_n = MOST_N;
    desc.tuning = data;
    expect_ok(clprims_histogram_create(&plan, test_context(), &desc));
    create_is_over();
    for (size_t i = 0; i < SIZES; i++) {
        const clprims_status status =
            clprims_histogram_run(plan, words, words, sums, sizes[i], NULL);
        if (status != CLPRIMS_ERR_DATA) expect_ok(status);
    }
    clprims_histogram_destroy(plan);
}

/* From less than one tile to many. */
static void merges(const void *data) {
    clprims_merge_desc desc = CLPRIMS_MERGE_DESC_INIT;
    clprims_merge *plan = NULL;
    desc.type = CLPRIMS_U32;
    desc.max_a = desc.max_b = MOST_N / 2;
    desc.tuning = data;
    expect_ok(clprims_merge_create(&plan, test_context(), &desc));
    create_is_over();
    for (size_t i = 0; i < SIZES; i++) {
        const clprims_merge_arrays arrays = {
            .struct_size = sizeof arrays, .a = words, .b = words, .out = sums};
        expect_ok(clprims_merge_run(plan, &arrays, sizes[i] / 2, sizes[i] / 2));
    }
    clprims_merge_destroy(plan);
}

static void searches(const void *data) {
    clprims_search_desc desc = CLPRIMS_SEARCH_DESC_INIT;
    clprims_search *plan = NULL;
    desc.type = desc.positions = CLPRIMS_U32;
    desc.max_sorted = desc.max_n = MOST_N;
    desc.needles_sorted = *(const bool *)data;
    desc.tuning = desc.needles_sorted ? "GROUP=8 ITEMS=3" : NULL;
    expect_ok(clprims_search_create(&plan, test_context(), &desc));
    create_is_over();
    for (size_t i = 0; i < SIZES; i++) {
        expect_ok(clprims_search_run(plan, words, sizes[i], words, sums, sizes[i]));
    }
    clprims_search_destroy(plan);
}

static void jagged_arrays(const void *data) {
    clprims_parents_desc parents_desc = CLPRIMS_PARENTS_DESC_INIT;
    clprims_gather_desc gather_desc = CLPRIMS_GATHER_DESC_INIT;
    clprims_parents *parents = NULL;
    clprims_gather *gather = NULL;
    (void)data;
    parents_desc.offsets_type = parents_desc.type = gather_desc.index_type = CLPRIMS_I32;
    parents_desc.max_n = parents_desc.max_segments = gather_desc.max_n = MOST_N;
    gather_desc.type = CLPRIMS_U32;
    expect_ok(clprims_parents_create(&parents, test_context(), &parents_desc));
    expect_ok(clprims_gather_create(&gather, test_context(), &gather_desc));
    create_is_over();
    for (size_t i = 0; i < SIZES; i++) {
        const clprims_status status =
            clprims_parents_run(parents, words, results, NULL, sizes[i], 0);
        if (status != CLPRIMS_ERR_DATA) expect_ok(status);
        expect_ok(clprims_gather_run(gather, words, words, sums, sizes[i], MOST_N));
    }
    clprims_gather_destroy(gather);
    clprims_parents_destroy(parents);
}

static void sorts(const void *data) {
    clprims_sort_desc desc = CLPRIMS_SORT_DESC_INIT;
    clprims_sort *sort = NULL;
    desc.type = CLPRIMS_U32;
    desc.max_n = MOST_N;
    desc.indices = CLPRIMS_I32;
    desc.algorithm = *(const clprims_sort_algorithm *)data;
    expect_ok(clprims_sort_create(&sort, test_context(), &desc));
    create_is_over();
    for (size_t i = 0; i < SIZES; i++) {
        const clprims_sort_arrays arrays = {
            .struct_size = sizeof arrays, .keys_in = words, .keys_out = sums, .indices = results};
        expect_ok(clprims_sort_run(sort, &arrays, sizes[i]));
    }
    clprims_sort_destroy(sort);
}

static void sorted_segments(const void *data) {
    clprims_segmented_sort_desc desc = CLPRIMS_SEGMENTED_SORT_DESC_INIT;
    clprims_segmented_sort *plan = NULL;
    desc.type = CLPRIMS_U32;
    desc.max_n = MOST_N;
    desc.max_segments = 2;
    desc.indices = CLPRIMS_I32;
    desc.tuning = data;
    expect_ok(clprims_segmented_sort_create(&plan, test_context(), &desc));
    create_is_over();
    for (size_t i = 0; i < SIZES; i++) {
        const int64_t bounds[] = {0, (int64_t)(sizes[i] / 3), (int64_t)sizes[i]};
        const clprims_segmented_sort_arrays arrays = {.struct_size = sizeof arrays,
                                                      .offsets = bounds,
                                                      .keys_in = words,
                                                      .keys_out = sums,
                                                      .indices = results};
        expect_ok(clprims_segmented_sort_run(plan, &arrays, sizes[i], 2));
    }
    clprims_segmented_sort_destroy(plan);
}

static void greatest(const void *data) {
    clprims_topk_desc desc = CLPRIMS_TOPK_DESC_INIT;
    clprims_topk *plan = NULL;
    desc.type = CLPRIMS_U32;
    desc.max_n = MOST_N;
    desc.max_k = 10;
    desc.tuning = data;
    expect_ok(clprims_topk_create(&plan, test_context(), &desc));
    create_is_over();
    for (size_t i = 0; i < SIZES; i++) {
        const clprims_topk_arrays arrays = {
            .struct_size = sizeof arrays, .in = words, .values = sums};
        if (sizes[i] > 0) expect_ok(clprims_topk_run(plan, &arrays, sizes[i], 1));
    }
    clprims_topk_destroy(plan);
}

static void passes(const void *data) {
    clprims_offsets_desc counts = CLPRIMS_OFFSETS_DESC_INIT;
    clprims_select_desc parts = CLPRIMS_SELECT_DESC_INIT;
    clprims_offsets *plan = NULL;
    clprims_select *select = NULL;
    size_t count = 0;
    counts.type = CLPRIMS_U32;
    counts.counts = 1;
    counts.max_n = parts.max_n = MOST_N;
    counts.algorithm = parts.algorithm = *(const clprims_algorithm *)data;
    /* Several tiles, for which levels have more kernels. */
    counts.tuning = parts.tuning = counts.algorithm != CLPRIMS_ALGORITHM_AUTO ? "ROWS=4" : NULL;
    parts.arrays = 1;
    parts.type[0] = CLPRIMS_U32;
    parts.partition = 1;
    expect_ok(clprims_offsets_create(&plan, test_context(), &counts));
    expect_ok(clprims_select_create(&select, test_context(), &parts));
    create_is_over();
    for (size_t i = 0; i < SIZES; i++) {
        const clprims_select_arrays arrays = {
            .struct_size = sizeof arrays, .in = {words}, .out = {sums}, .flags = flags};
        expect_ok(clprims_offsets_run(plan, NULL, words, offsets, sizes[i]));
        expect_ok(clprims_select_run(select, &arrays, sizes[i], sizes[i], &count));
    }
    clprims_offsets_destroy(plan);
    clprims_select_destroy(select);
}

#define GROUPS                                                                                     \
    "SUBLIST=8 SHORT=4 UPPER=4 LAST=64 LAST_GROUP=16 GROUP=16 LANES=64 WIDE=128 WALKS=1 "          \
    "LEAST=5000 ROWS=4 SORT_GROUP=16 WINDOW_GROUP=32 "

typedef struct ranking {
    const char *name, *tuning;
    clprims_list_algorithm algorithm;
    clprims_list_result result;
} ranking;

static const ranking rankings[] = {
    {"list/default", NULL, CLPRIMS_LIST_AUTO, CLPRIMS_LIST_RANKS},
    {"list/scattered", GROUPS, CLPRIMS_LIST_SCATTERED, CLPRIMS_LIST_RANKS},
    {"list/visit-log", GROUPS "BUCKETS=64 WINDOW=100", CLPRIMS_LIST_VISIT_LOG, CLPRIMS_LIST_RANKS},
    {"list/visit-log/order", GROUPS, CLPRIMS_LIST_VISIT_LOG, CLPRIMS_LIST_ORDER},
    {"list/in-place", GROUPS, CLPRIMS_LIST_IN_PLACE, CLPRIMS_LIST_RANKS}};

static void lists(const void *data) {
    const ranking *r = data;
    clprims_list_desc desc = CLPRIMS_LIST_DESC_INIT;
    clprims_list *list = NULL;
    desc.max_n = MOST_N;
    desc.tuning = r->tuning;
    desc.algorithm = r->algorithm;
    desc.result = r->result;
    expect_ok(clprims_list_create(&list, test_context(), &desc));
    create_is_over();
    for (size_t i = 0; i < SIZES; i++) {
        link_up(sizes[i]);
        expect_ok(clprims_list_run(list, links, results, CLPRIMS_LIST_FIND_HEAD, sizes[i]));
        links[0] = 0;
        assert_int_equal(clprims_list_run(list, links, results, 0, sizes[i]), CLPRIMS_ERR_DATA);
    }
    clprims_list_destroy(list);
}

static void list_scans(const void *data) {
    clprims_listscan_desc desc = CLPRIMS_LISTSCAN_DESC_INIT;
    clprims_forest_desc trees = CLPRIMS_FOREST_DESC_INIT;
    clprims_listscan *scan = NULL;
    clprims_forest *forest = NULL;
    desc.type = CLPRIMS_U32;
    desc.max_n = trees.max_n = MOST_N;
    desc.tuning = trees.tuning = data;
    expect_ok(clprims_listscan_create(&scan, test_context(), &desc));
    expect_ok(clprims_forest_create(&forest, test_context(), &trees));
    create_is_over();
    for (size_t i = 0; i < SIZES; i++) {
        link_up(sizes[i]);
        expect_ok(clprims_listscan_run(scan, links, words, sums, CLPRIMS_LIST_FIND_HEAD, sizes[i]));
        expect_ok(clprims_forest_run(forest, links, results, NULL, sizes[i]));
        links[0] = 0;
        assert_int_equal(clprims_listscan_run(scan, links, words, sums, 0, sizes[i]),
                         CLPRIMS_ERR_DATA);
    }
    clprims_listscan_destroy(scan);
    clprims_forest_destroy(forest);
}

typedef struct run_case {
    test_function *run;
    const void *data;
} run_case;

static void nothing_new(const void *data) {
    const run_case *c = data;
    forget_calls();
    c->run(c->data);
    expect_nothing_new();
}

void create_add_run(test_cases *cases, const char *name, test_function *run, const void *data) {
    const run_case c = {run, data};
    test_add(cases, nothing_new, &c, sizeof c, "create/launches-all/%s", name);
}

static void add_cases(test_cases *cases) {
    static const clprims_algorithm algorithms[] = {CLPRIMS_ALGORITHM_AUTO,
                                                   CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN};
    static const clprims_segments_by by[] = {CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_SEGMENTS_KEYS};
    static const clprims_sort_algorithm sort_algorithms[] = {CLPRIMS_SORT_SERIAL,
                                                             CLPRIMS_SORT_COUNT_SCATTER};
    static const bool needles_sorted[] = {false, true};
    static const char tuned[] = "SINGLE=500 SINGLE_GROUP=16 SUBLIST=8 LEAST=1 UPPER=4 LAST=16 "
                                "GROUP=16 LANES=64 CHUNK=64 BUCKET=64 WINDOW=64";
    test_add(cases, silent, NULL, 0, "create/silent");
    create_add_run(cases, "scan/auto", scans, &algorithms[0]);
    create_add_run(cases, "scan/levels", scans, &algorithms[1]);
    create_add_run(cases, "passes/auto", passes, &algorithms[0]);
    create_add_run(cases, "passes/levels", passes, &algorithms[1]);
    create_add_run(cases, "reduce", reductions, NULL);
    create_add_run(cases, "segmented/offsets", segments, &by[0]);
    create_add_run(cases, "segmented/keys", segments, &by[1]);
    create_add_run(cases, "histogram", histograms, NULL);
    create_add_run(cases, "merge/chosen", merges, NULL);
    create_add_run(cases, "merge/tiles", merges, "GROUP=8 ITEMS=3");
    create_add_run(cases, "search/any", searches, &needles_sorted[0]);
    create_add_run(cases, "search/sorted", searches, &needles_sorted[1]);
    create_add_run(cases, "parents, gather", jagged_arrays, NULL);
    create_add_run(cases, "sort/serial", sorts, &sort_algorithms[0]);
    create_add_run(cases, "sort/count-scatter", sorts, &sort_algorithms[1]);
    create_add_run(cases, "segmented-sort", sorted_segments, "MOST=100");
    create_add_run(cases, "topk", greatest, "ROOM=500 FEW=0 SAMPLE=100");
    for (size_t i = 0; i < (test_long() ? sizeof rankings / sizeof rankings[0] : 3); i++) {
        create_add_run(cases, rankings[i].name, lists, &rankings[i]);
    }
    create_add_run(cases, "listscan/default", list_scans, NULL);
    if (test_info().layer == CLPRIMS_LAYER_LOCAL) {
        create_add_run(cases, "listscan/buckets", list_scans, tuned);
    }
    create_add_minplus(cases);
    test_add(cases, equal_plans, NULL, 0, "create/equal");
    test_add(cases, threads, NULL, 0, "create/threads");
}

int main(int argc, char **argv) {
    program_path = argv[0];
    if (argc == 2 && strcmp(argv[1], "make-all") == 0) return make_all();
    return test_main(argc, argv, add_cases);
}
