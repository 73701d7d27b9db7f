/* SPDX-License-Identifier: MIT */
/* clprims rank and clprims order: one .npy file of links in; the position of each element, or the
 * element in each position, out. */
#include "cli/commands/commands.h"
#include "cli/commands/list_input.h"

enum { RANK = 1, ORDER = 2 };

typedef struct list_plan {
    CLI_PLAN_MEMBERS(list)
    int64_t head;
} list_plan;

CLI_SUBMIT(list)

static const cli_option options[] = {
    OPTION_HEAD,
    OPTION_NEXT,
    {"-o", "RANK.npy", "where the ranks go: links from the head; may be the input",
     REQUIRED | OUTPUT | OF(RANK)},
    {"-o", "ORDER.npy", "where the elements go, from head to tail; may be the input",
     REQUIRED | OUTPUT | OF(ORDER)},
    {"--forest", NULL, "rank several lists, each element within its own", OPTIONAL | OF(RANK)},
    {"--heads", "HEADS.npy", "the heads of a forest, checked; without it, they are found",
     OPTIONAL | OF(RANK)},
    {"--head-of", "FIRST.npy", "where the head of each element's list goes, of a forest",
     OUTPUT | OF(RANK)},
};

static int check_request(const cli_job *job) {
    const bool is_forest = job_text(job, "--forest") != NULL;
    const char *const heads = job_text(job, "--heads");
    if (is_forest && job_text(job, "--head"))
        return complain(EXIT_USAGE,
                        "--forest and --head exclude each other; --heads gives several");
    if (!is_forest && (heads || job_text(job, "--head-of")))
        return complain(EXIT_USAGE, "%s goes with --forest", heads ? "--heads" : "--head-of");
    return EXIT_FINE;
}

static void run_list(cli_job *job) {
    clprims_list_desc desc = {0};
    npy_input *const links = job_open(job, "NEXT.npy", NPY_LINKS);
    list_plan plan = {.n = links->n};
    if (list_reads_head(job, links, &plan.head)) plan.at.head = &plan.head;
    desc.link = links->type;
    desc.result = job->command->variant == RANK ? CLPRIMS_LIST_RANKS : CLPRIMS_LIST_ORDER;
    desc.max_n = job_most(plan.n);
    job_start(job);
    JOB_CREATE(job, list, &plan, &desc, NULL, NULL);
    job_load(job, "the links", links, &plan.at.next.mem);
    job_output(job, "the result", "-o", npy_vector(links->type, false, plan.n), &plan.at.out.mem);
    list_run(job, submit_list, &plan, &plan.at.report.mem, clprims_list_check);
    job_store(job);
    job_print(job, CLI_BYTES, 2 * plan.n * clprims_type_bytes(links->type), "%zu %s links", plan.n,
              clprims_type_name(links->type));
    clprims_list_destroy(plan.list);
}

static void run(cli_job *job) {
    JOB_TRY(job, check_request(job));
    if (job_text(job, "--forest"))
        forest_run(job);
    else
        run_list(job);
}

const cli_command rank_command = {
    .name = "rank",
    .summary = "positions of the elements of a linked list, or of several",
    .purpose = "Gives each element of a linked list its position.",
    OPTIONS(options),
    .variant = RANK,
    .run = run,
};

const cli_command order_command = {
    .name = "order",
    .summary = "elements of a linked list, from its head to its tail",
    .purpose = "Lists the elements of a linked list from head to tail.",
    OPTIONS(options),
    .variant = ORDER,
    .run = run,
};
