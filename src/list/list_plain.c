/* SPDX-License-Identifier: MIT */
/* Runs on plain arrays, for ranking, list scan and forests. */
#include "core/context.h"
#include "list/list_engine.h"
#include "list/list_report.h"

static clprims_status run_on(clp_list_run *r, const clp_list_plain *arrays, size_t count,
                             const void *next, cl_mem mem[CLP_LIST_PLAIN + 1]) {
    const clprims_context *context = r->plan->context;
    const char *who = r->plan->spec.who;
    clprims_list_report report;
    for (size_t i = 0; i < count; i++) {
        if (arrays[i].bytes == 0) continue;
        CLP_TRY(clp_upload(context, who, arrays[i].in, arrays[i].bytes, &mem[i]));
        *arrays[i].to = (clprims_buffer){mem[i], 0};
    }
    CLP_TRY(clp_upload(context, who, NULL, sizeof report, &mem[count]));
    r->report = (clprims_buffer){mem[count], 0};
    CLP_TRY(clp_list_submit(r, context->queue, 0, NULL, NULL));
    CLP_TRY(clp_download(context, who, mem[count], &report, sizeof report));
    CLP_TRY(clp_list_report_status(who, &report, r->plan->spec.link, next));
    for (size_t i = 0; i < count; i++) {
        if (arrays[i].out == NULL || arrays[i].bytes == 0) continue;
        CLP_TRY(clp_download(context, who, mem[i], arrays[i].out, arrays[i].bytes));
    }
    return CLPRIMS_OK;
}

clprims_status clp_list_run_plain(clp_list_run *r, const clp_list_plain *arrays, size_t count,
                                  const void *next) {
    cl_mem mem[CLP_LIST_PLAIN + 1] = {NULL};
    const clprims_status status = run_on(r, arrays, count, next, mem);
    clp_release_buffers(mem, CLP_LIST_PLAIN + 1);
    return status;
}
