/* SPDX-License-Identifier: MIT */
/* What the commands on lists share: their links, their head, their report. */
#include "cli/commands/list_input.h"

static int check_links(const npy_input *links) {
    if (links->type == CLPRIMS_I32 || links->type == CLPRIMS_I64) return EXIT_FINE;
    return complain(EXIT_USAGE, "%s: its elements are %s; links are int32 or int64", links->path,
                    npy_type_name(links));
}

npy_input *list_open_links(cli_job *job) {
    npy_input *const links = job_open(job, "NEXT.npy", npy_open);
    JOB_TRY(job, check_links(links));
    return links;
}

bool list_reads_head(cli_job *job, const npy_input *links, int64_t *head) {
    const char *const text = job_text(job, "--head");
    if (!text) return false;
    JOB_TRY(job, value_element("--head", text, CLPRIMS_I64, head));
    if (*head < 0 || (uint64_t)*head >= links->n)
        JOB_TRY(job, complain(EXIT_USAGE, "--head %s is no element: %s has %zu", text, links->path,
                              links->n));
    return true;
}

void list_run(cli_job *job, device_submit submit, void *plan, cl_mem *mem,
              clprims_status (*check)(const clprims_list_report *report)) {
    clprims_list_report report = {0};
    job_run_reported(job, submit, plan, mem, &report, sizeof report);
    JOB_TRY(job, library_exit(check(&report)));
}
