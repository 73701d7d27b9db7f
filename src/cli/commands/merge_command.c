/* SPDX-License-Identifier: MIT */
/* clprims merge and searchsorted: two arrays in, of which one at least is sorted; both as one, or
 * positions of one's elements among the other's, out. */
#include "cli/commands/commands.h"

#define TYPES "of bool, int8 to uint64, float32 or float64"

/* The array, the needles or the second array, and what comes of them. */
typedef struct merge_plan {
    clprims_merge *merge;
    clprims_search *search; /* one of both is NULL */
    clprims_buffer a, b, out, out_upper;
    size_t n_a, n_b;
} merge_plan;

static const cli_option merge_options[] = {
    {"A.npy", NULL, "sorted array " TYPES, REQUIRED},
    {"B.npy", NULL, "sorted array of the same type", REQUIRED},
    {"-o", "OUT.npy", "where the result goes; may be an input", REQUIRED | OUTPUT},
};

static const cli_option search_options[] = {
    {"--right", NULL, "behind equal elements; the default is before them", OPTIONAL},
    {"--upper", "UPPER.npy",
     "where the positions behind equal elements go, beside those before them", OPTIONAL | OUTPUT},
    {"SORTED.npy", NULL, "sorted array " TYPES, REQUIRED},
    {"NEEDLES.npy", NULL, "array of the same type, in any order", REQUIRED},
    {"-o", "OUT.npy", "where the positions go; may be an input", REQUIRED | OUTPUT},
};

static int check_types(const npy_input *a, const npy_input *b) {
    if (a->type == b->type && a->is_bool == b->is_bool) return EXIT_FINE;
    return complain(EXIT_USAGE, "%s: its elements are %s, but %s has %s", b->path, npy_type_name(b),
                    a->path, npy_type_name(a));
}

static int create(const cli_job *job, bool searches, const npy_input *a, merge_plan *plan) {
    clprims_merge_desc merge = {0};
    clprims_search_desc search = {0};
    merge.type = search.type = a->type;
    merge.max_n = search.max_length = job_most(plan->n_a);
    merge.max_n_b = search.max_n = plan->n_b;
    if (job_text(job, "--right") != NULL) search.bound = CLPRIMS_SEARCH_UPPER;
    if (job_text(job, "--upper") != NULL) search.bound = CLPRIMS_SEARCH_BOTH;
    return library_exit(searches
                            ? clprims_search_create(&plan->search, job->device.context, &search)
                            : clprims_merge_create(&plan->merge, job->device.context, &merge));
}

static clprims_status submit(void *self, cl_command_queue queue, cl_event *event) {
    const merge_plan *const p = self;
    const clprims_merge_buffers merge = {.a = p->a, .b = p->b, .out = p->out, .sizes.n_b = p->n_b};
    const clprims_search_buffers search = {.sorted = p->a,
                                           .needles = p->b,
                                           .out = p->out,
                                           .out_upper = p->out_upper,
                                           .sizes.length = p->n_a};
    return p->search != NULL
               ? clprims_search_enqueue(p->search, queue, &search, p->n_b, 0, NULL, event)
               : clprims_merge_enqueue(p->merge, queue, &merge, p->n_a, 0, NULL, event);
}

static const char *variant(cli_job *job, const merge_plan *plan) {
    clprims_merge_info merge = {0};
    clprims_search_info search = {0};
    const clprims_merge_sizes n_b = {plan->n_b};
    const clprims_search_sizes length = {plan->n_a};
    JOB_TRY(job,
            library_exit(plan->search
                             ? clprims_search_describe(plan->search, plan->n_b, length, &search)
                             : clprims_merge_describe(plan->merge, plan->n_a, n_b, &merge)));
    return plan->search ? search.variant : merge.variant;
}

/* Of the bytes that must move, inputs are read once, the result is written once. */
static void run_plan(cli_job *job, bool searches, npy_input *a, npy_input *b) {
    merge_plan plan = {.n_a = a->n, .n_b = b->n};
    const npy_array out = searches ? npy_vector(CLPRIMS_I64, false, b->n)
                                   : npy_vector(a->type, a->is_bool, a->n + b->n);
    job_exclude(job, "--right", "--upper");
    JOB_TRY(job, check_types(a, b));
    job_start(job);
    JOB_TRY(job, create(job, searches, a, &plan));
    job_load(job, "the first array", a, &plan.a.mem);
    job_load(job, "the second array", b, &plan.b.mem);
    job_output(job, "the output", "-o", out, &plan.out.mem);
    job_output(job, "the upper bounds", "--upper", out, &plan.out_upper.mem);
    job_run(job, submit, &plan);
    job_store(job);
    job_print(job, CLI_BYTES,
              (a->n + b->n) * clprims_type_bytes(a->type) + out.rows * clprims_type_bytes(out.type),
              "%zu and %zu %s (%s)", a->n, b->n, clprims_type_name(a->type), variant(job, &plan));
    clprims_merge_destroy(plan.merge);
    clprims_search_destroy(plan.search);
}

static void run_merge(cli_job *job) {
    npy_input *const a = job_open(job, "A.npy", NPY_ELEMENTS);
    npy_input *const b = job_open(job, "B.npy", NPY_ELEMENTS);
    run_plan(job, false, a, b);
}

static void run_search(cli_job *job) {
    npy_input *const sorted = job_open(job, "SORTED.npy", NPY_ELEMENTS);
    npy_input *const needles = job_open(job, "NEEDLES.npy", NPY_ELEMENTS);
    run_plan(job, true, sorted, needles);
}

const cli_command merge_command = {
    .name = "merge",
    .summary = "two sorted arrays as one",
    .purpose = "Merges two sorted arrays; A.npy's elements precede equal ones of B.npy. NaN comes "
               "last.\n"
               "Arrays that are not sorted give some order of their elements.",
    OPTIONS(merge_options),
    .run = run_merge,
};

const cli_command searchsorted_command = {
    .name = "searchsorted",
    .summary = "where elements would stand in a sorted array",
    .purpose =
        "Gives the positions, int64, at which elements would stand in a sorted array, as NumPy's\n"
        "searchsorted. NaN comes last.",
    OPTIONS(search_options),
    .run = run_search,
};
