/* SPDX-License-Identifier: MIT */
/* Runs on plain arrays, for ranking, list scan and forests. */
#include "core/context.h"
#include "list/list_engine.h"

/* Memory on the device for a plain array: `in` is uploaded, `out` downloaded; one of them is NULL.
 * Of 0 bytes: there is no array. */
typedef struct plain_array {
    const void *in;
    void *out;
    size_t bytes;
    clprims_buffer *to; /* member of the run */
} plain_array;
enum { ARRAYS = 4, REPORT = ARRAYS };

static clprims_status check_plain(const clp_list_run *r, const clp_list_plain *plain) {
    const clp_list_spec *spec = &r->plan->spec;
    const bool needs_values = spec->what.has_input_array;
    const char *missing = plain->next == NULL                     ? "next"
                          : plain->out == NULL && !spec->forest   ? clp_list_result_name(spec)
                          : plain->values == NULL && needs_values ? "values"
                                                                  : NULL;
    if (missing != NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: %s is NULL, with n = %zu", spec->who, missing,
                        (size_t)r->n);
    }
    if (plain->values != NULL && !needs_values) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: values is not NULL, but the plan has no input array", spec->who);
    }
    return CLPRIMS_OK;
}

static clprims_status run_on(clp_list_run *r, const plain_array arrays[ARRAYS],
                             cl_mem mem[ARRAYS + 1]) {
    const clprims_context *context = r->plan->context;
    const char *who = r->plan->spec.who;
    clprims_list_report report;
    for (size_t i = 0; i < ARRAYS; i++) {
        if (arrays[i].bytes == 0) continue;
        CLP_TRY(clp_upload(context, who, arrays[i].in, arrays[i].bytes, &mem[i]));
        *arrays[i].to = (clprims_buffer){mem[i], 0};
    }
    CLP_TRY(clp_upload(context, who, NULL, sizeof report, &mem[REPORT]));
    r->report = (clprims_buffer){mem[REPORT], 0};
    CLP_TRY(clp_list_submit(r, context->queue, 0, NULL, NULL));
    CLP_TRY(clp_download(context, who, mem[REPORT], &report, sizeof report));
    CLP_TRY(clp_list_report_status(who, &report, r->plan->spec.link, arrays[0].in));
    for (size_t i = 0; i < ARRAYS; i++) {
        if (arrays[i].out == NULL || arrays[i].bytes == 0) continue;
        CLP_TRY(clp_download(context, who, mem[i], arrays[i].out, arrays[i].bytes));
    }
    return CLPRIMS_OK;
}

clprims_status clp_list_run_plain(clp_list_run *r, const clp_list_names *names,
                                  const clp_list_plain *plain) {
    cl_mem mem[ARRAYS + 1] = {NULL};
    CLP_TRY(clp_list_check_run(r, names));
    if (r->n == 0) return CLPRIMS_OK;
    CLP_TRY(check_plain(r, plain));
    const clp_list_spec *spec = &r->plan->spec;
    const size_t link = r->n * clprims_type_bytes(spec->link);
    const size_t result = spec->ranks || spec->forest ? link : r->n * spec->what.accumulator_bytes;
    const plain_array arrays[ARRAYS] = {
        {plain->next, NULL, link, &r->next},
        {plain->values, NULL, plain->values != NULL ? r->n * spec->what.type_bytes : 0, &r->values},
        {NULL, plain->out, plain->out != NULL ? result : 0, &r->out},
        {NULL, plain->heads, plain->heads != NULL ? link : 0, &r->out_heads}};
    const clprims_status status = run_on(r, arrays, mem);
    clp_release_buffers(mem, ARRAYS + 1);
    return status;
}
