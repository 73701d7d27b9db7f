/* SPDX-License-Identifier: MIT */
/* What making a plan prints (nothing), builds and launches: once for all equal plans of a context,
 * and all that a run needs. */
#include "core/create_runs.h"
#include "fixtures/plan_kinds.h"
#include "subjects/runs/subject_buffers.h"

#include <pthread.h>

static const char *program_path;

/* ---- What is called ---------------------------------------------------------------------------
 */

__typeof__(clBuildProgram) __real_clBuildProgram, __wrap_clBuildProgram;
__typeof__(clEnqueueNDRangeKernel) __real_clEnqueueNDRangeKernel, __wrap_clEnqueueNDRangeKernel;

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

static void equal_plans(void) {
    const plan_visitor visitor = {.before = take_context, .after = expect_made};
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

/* ---- Contexts around one cl_context -----------------------------------------------------------
 */

/* The second context builds and launches nothing for equal plans, also behind the end of the first,
 * and runs them. The last one gives the programs back. */
static void contexts_share(void) {
    const clprims_scan_desc desc = {.type = CLPRIMS_U32, .inclusive = 1, .max_n = 100};
    clprims_context_options options = test_options();
    clprims_context *both[2] = {NULL, NULL};
    const uint32_t in[3] = {5, 6, 7}, expected[3] = {5, 11, 18};
    uint32_t out[3];
    options.device = NULL;
    options.context = test_info().context;
    options.device_id = test_info().device_id;
    for (int k = 0; k < 2; k++) {
        clprims_scan *scan = NULL;
        forget_calls();
        expect_ok(clprims_context_create(&both[k], &options));
        expect_ok(clprims_scan_create(&scan, both[k], &desc));
        if (k > 0 && calls.builds > 0) test_fail("a second context built %zu", calls.builds);
        if (k > 0) clprims_context_destroy(both[0]);
        expect_ok(clprims_scan_run(scan, &(clprims_scan_arrays){.in = in, .out = out}, 3));
        expect_elements(expected, out, 3, sizeof out[0]);
        clprims_scan_destroy(scan);
    }
    clprims_context_destroy(both[1]);
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
    const plan_visitor visitor = {.before = take_context, .after = must};
    const clprims_context_options options = test_options();
    must(clprims_context_create(&context_of_all, &options));
    plan_kinds(&visitor);
    clprims_context_destroy(context_of_all);
    return EXIT_SUCCESS;
}

static void silent(void) {
    char folder[] = "/tmp/clprims-create-XXXXXX", command[4096], out[4096] = "";
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
    clprims_scan *scan = NULL;
    clprims_scan_desc desc = {.type = CLPRIMS_I16, .op = CLPRIMS_XOR, .max_n = 1000};
    *(clprims_status *)of = clprims_scan_create(&scan, test_context(), &desc);
    clprims_scan_destroy(scan);
    return NULL;
}

static void threads(void) {
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    clprims_status status[THREADS];
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

enum { MOST_N = 40000, MOST_PLANS = 4, MOST_NAMES = 64 };

static const size_t sizes[] = {1, 2, 30, 1000, 9000, MOST_N};

void create_is_over(void) {
    calls.in_run = true;
}

static void expect_nothing_new(void) {
    if (calls.missed.group == 0) return;
    test_fail("a run launched %s in groups of %zu, which create had not", calls.missed.name,
              calls.missed.group);
}

/* Plans of the subjects that have a row of the case's name. */
typedef struct subject_plans {
    void *plans[MOST_PLANS];
    subject_data data[MOST_PLANS];
    size_t count;
} subject_plans;

static void add_plan(subject_plans *p, const subject *of, const subject_launch *row) {
    subject_data *d = &p->data[p->count];
    assert_true(p->count < MOST_PLANS);
    *d = (subject_data){.of = of, .desc = row->desc, .may_be_malformed = true, .is_plain = true};
    subject_limit_for(of, MOST_N, d->most);
    for (size_t k = 0; k < SUBJECT_NUMBERS; k++) {
        if (row->most[k] > 0) d->most[k] = row->most[k];
    }
    expect_ok(subject_plan(d, test_context(), row->tuning, &p->plans[p->count++]));
}

static void subjects_launch(const void *data) {
    const char *name = data;
    static subject_plans p;
    p.count = 0;
    for (size_t i = 0; i < SUBJECT_COUNT; i++) {
        for (size_t k = 0; k < subjects[i]->plans.launched_count; k++) {
            const subject_launch *row = &subjects[i]->plans.launched[k];
            if (strcmp(row->name, name) == 0) add_plan(&p, subjects[i], row);
        }
    }
    create_is_over();
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (size_t k = 0; k < p.count; k++) {
            subject_draw_about(&p.data[k], sizes[i]);
            subject_run_is_right(&p.data[k], p.plans[k]);
            subject_free(&p.data[k]);
        }
    }
    for (size_t k = 0; k < p.count; k++) p.data[k].of->destroy(p.plans[k]);
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
    test_add_row(cases, nothing_new, c, "create/launches-all/%s", name);
}

static bool is_known(const char *const *names, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) return true;
    }
    return false;
}

/* A case for each name of rows. */
static void add_subjects(test_cases *cases) {
    static const char *names[MOST_NAMES];
    size_t count = 0;
    const bool is_local = test_info().layer == CLPRIMS_LAYER_LOCAL;
    for (size_t i = 0; i < SUBJECT_COUNT; i++) {
        for (size_t k = 0; k < subjects[i]->plans.launched_count; k++) {
            const subject_launch *row = &subjects[i]->plans.launched[k];
            if ((row->is_long && !test_long()) || (row->is_local && !is_local)) continue;
            if (is_known(names, count, row->name)) continue;
            assert_true(count < MOST_NAMES);
            names[count++] = row->name;
            create_add_run(cases, row->name, subjects_launch, row->name);
        }
    }
}

static void add_cases(test_cases *cases) {
    test_add_plain(cases, silent, "create/silent");
    add_subjects(cases);
    create_add_minplus(cases);
    test_add_plain(cases, equal_plans, "create/equal");
    test_add_plain(cases, contexts_share, "create/one-cl-context");
    test_add_plain(cases, threads, "create/threads");
}

int main(int argc, char **argv) {
    program_path = argv[0];
    if (argc == 2 && strcmp(argv[1], "make-all") == 0) return make_all();
    return test_main(argc, argv, add_cases);
}
