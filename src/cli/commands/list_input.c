/* SPDX-License-Identifier: MIT */
/* What the commands on lists share: their links, their head, their report. */
#include "cli/commands/list_input.h"

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
