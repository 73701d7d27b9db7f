/* SPDX-License-Identifier: MIT */
/* clprims select, unique and partition: an array in; its wanted elements, heads of runs, or all of
 * it in another order, out. */
#include "cli/commands/commands.h"

#include <stdio.h>
#include <unistd.h>

enum { SELECT = 1, UNIQUE = 2, PARTITION = 4 };

typedef struct select_plan {
    CLI_PLAN_MEMBERS(select)
    size_t room; /* of the outputs: all elements for a partition, else what is kept */
    size_t kept;
} select_plan;

CLI_SUBMIT(select)

static const cli_option options[] = {
    {"--flags", "F.npy", "take the elements whose flag, bool or uint8, is not 0",
     OPTIONAL | OF(SELECT | PARTITION)},
    {"--where", "TEXT", "take elements for which this OpenCL C of x and the index i is true",
     OPTIONAL | OF(SELECT | PARTITION)},
    {"--indices", NULL, "give their indices, int64, in place of the elements",
     OPTIONAL | OF(SELECT)},
    {"--counts", "C.npy", "where the runs' lengths go, int64", OUTPUT | OF(UNIQUE)},
    OPTION_IN,
    OPTION_OUT,
};

static void describe(const cli_job *job, const npy_input *in, clprims_select_desc *desc) {
    desc->predicate = job_text(job, "--where");
    desc->by = job->command->variant == UNIQUE ? CLPRIMS_SELECT_RUNS
               : job_text(job, "--flags")      ? CLPRIMS_SELECT_FLAGS
               : desc->predicate               ? CLPRIMS_SELECT_PREDICATE
                                               : CLPRIMS_SELECT_NONZERO;
    desc->arrays = 1;
    desc->type[0] = in->type;
    desc->no_values = job_text(job, "--indices") != NULL;
    if (desc->no_values) desc->indices = CLPRIMS_I64;
    if (job_text(job, "--counts")) desc->lengths = CLPRIMS_I64;
    desc->partition = job->command->variant == PARTITION;
    desc->max_n = job_most(in->n);
}

static void read_count(cli_job *job, select_plan *plan) {
    cl_ulong kept = 0;
    job_read(job, plan->at.count.mem, sizeof kept, &kept);
    plan->kept = (size_t)kept;
}

/* A run with room for one element tells of the number that need room. */
static void find_room(cli_job *job, const clprims_select_desc *desc, select_plan *plan) {
    clprims_select_buffers *const b = &plan->at;
    b->sizes.capacity = desc->partition ? 0 : 1;
    if (!desc->partition) {
        job_allocate(job, "one result", sizeof(cl_ulong),
                     desc->no_values ? &b->indices.mem : &b->out[0].mem);
        if (desc->lengths) job_allocate(job, "one length", sizeof(cl_ulong), &b->lengths.mem);
        JOB_TRY(job, device_run(&job->device, submit_select, plan));
        read_count(job, plan);
    }
    plan->room = desc->partition ? plan->n : plan->kept;
    if (plan->kept > 0) b->sizes.capacity = plan->room;
}

static void allocate_outputs(cli_job *job, const npy_input *in, const clprims_select_desc *desc,
                             select_plan *plan) {
    clprims_select_buffers *const b = &plan->at;
    const npy_array numbers = npy_vector(CLPRIMS_I64, false, plan->room);
    if (desc->no_values)
        job_output(job, "the indices", "-o", numbers, &b->indices.mem);
    else
        job_output(job, "the output", "-o", npy_vector(in->type, in->is_bool, plan->room),
                   &b->out[0].mem);
    job_output(job, "the lengths", "--counts", numbers, &b->lengths.mem);
}

/* The bytes that must move: what decides, the flags, and what is written. A partition looks at what
 * decides twice, which is its own affair. */
static void print_stats(cli_job *job, const clprims_select_desc *desc, const select_plan *plan) {
    clprims_select_info info = {0};
    const size_t element = clprims_type_bytes(desc->type[0]);
    const bool has_flags = plan->at.flags.mem != NULL;
    const size_t read = (has_flags ? 1 : 0) + (has_flags && desc->no_values ? 0 : element);
    const size_t written = (desc->no_values ? 0 : element) + clprims_type_bytes(desc->indices) +
                           clprims_type_bytes(desc->lengths);
    JOB_TRY(job, library_exit(clprims_select_describe(plan->select, plan->n, &info)));
    job_print(job, CLI_BYTES, plan->n * read + plan->room * written, "%zu of %zu %s by %s (%s)",
              plan->kept, plan->n, clprims_type_name(desc->type[0]),
              clprims_algorithm_name(info.algorithm), info.variant);
}

static void run_plan(cli_job *job, npy_input *in, npy_input *flags, bool count_aside) {
    clprims_select_desc desc = {0};
    select_plan plan = {.n = in->n};
    describe(job, in, &desc);
    job_start(job);
    JOB_CREATE(job, select, &plan, &desc, "--where", desc.predicate);
    job_load(job, "the input", in, &plan.at.in[0].mem);
    if (flags->path) job_load(job, "the flags", flags, &plan.at.flags.mem);
    job_allocate(job, "the count", sizeof(cl_ulong), &plan.at.count.mem);
    find_room(job, &desc, &plan);
    allocate_outputs(job, in, &desc, &plan);
    job_run(job, submit_select, &plan);
    read_count(job, &plan);
    job_store(job);
    if (job->status == EXIT_FINE && desc.partition)
        fprintf(count_aside ? stderr : stdout, "%zu\n", plan.kept);
    print_stats(job, &desc, &plan);
    clprims_select_destroy(plan.select);
}

static void run(cli_job *job) {
    const char *const out = job_text(job, "-o");
    const bool count_aside =
        job->command->variant == PARTITION && output_goes_to(out, STDOUT_FILENO);
    job_exclude(job, "--flags", "--where");
    if (count_aside) JOB_TRY(job, arguments_keep_apart(out));
    npy_input *const in = job_open(job, "IN.npy", NPY_ELEMENTS);
    npy_input *const flags = job_open(job, "--flags", NPY_FLAGS);
    if (flags->path && flags->n != in->n)
        JOB_TRY(job, complain(EXIT_USAGE, "%s: it has %zu flags for the %zu elements of %s",
                              flags->path, flags->n, in->n, in->path));
    run_plan(job, in, flags, count_aside);
}

const cli_command select_command = {
    .name = "select",
    .summary = "the elements of an array that are wanted, side by side",
    .purpose = "Takes the elements that are not 0, or that an option asks for, in their order.",
    OPTIONS(options),
    .variant = SELECT,
    .run = run,
};

const cli_command unique_command = {
    .name = "unique",
    .summary = "an array without repeated neighbours, and the lengths of its runs",
    .purpose = "Takes the first of each run of equal elements.",
    OPTIONS(options),
    .variant = UNIQUE,
    .run = run,
};

const cli_command partition_command = {
    .name = "partition",
    .summary = "the elements that are wanted first, then the others",
    .purpose =
        "Puts the elements that are not 0, or that an option asks for, first, then the\n"
        "others, each in their order, and prints how many come first: on standard error where the\n"
        "result goes to standard output.",
    OPTIONS(options),
    .variant = PARTITION,
    .run = run,
};
