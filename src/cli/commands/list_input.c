/* SPDX-License-Identifier: MIT */
/* What the commands on lists share: their links, their head, their report. */
#include "cli/commands/list_input.h"

#include "cli/message.h"

int list_check_links(const npy_input *input) {
    if (input->type == CLPRIMS_I32 || input->type == CLPRIMS_I64) return EXIT_FINE;
    return complain(EXIT_USAGE, "%s: its elements are %s; links are int32 or int64", input->path,
                    npy_type_name(input));
}

int list_find_head(const char *text, const npy_input *input, int64_t *head) {
    *head = CLPRIMS_LIST_FIND_HEAD;
    if (!text) return EXIT_FINE;
    const int status = value_element("--head", text, CLPRIMS_I64, head);
    if (status != EXIT_FINE) return status;
    if (*head < 0 || (uint64_t)*head >= input->n)
        return complain(EXIT_USAGE, "--head %s is no element: %s has %zu", text, input->path,
                        input->n);
    return EXIT_FINE;
}

int list_check_report(const cli_device *device, cl_mem mem,
                      clprims_status (*check)(const clprims_list_report *report)) {
    clprims_list_report report;
    const int status = device_read(device, "the report", mem, sizeof report, &report);
    return status == EXIT_FINE ? library_exit(check(&report)) : status;
}
