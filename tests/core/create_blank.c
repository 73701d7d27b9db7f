/* SPDX-License-Identifier: MIT */
/* What the warm-ups of plans write to the context's blank buffer: nothing but reports of lists. */
#include "core/create_runs.h"

#include "core/program.h"

enum { GUARD_BYTES = 4096, ALL_BYTES = CLP_BLANK_BYTES + GUARD_BYTES };

static unsigned char fresh[ALL_BYTES];

static struct {
    clprims_context *context;
    cl_mem blank; /* its own */
} held;

void create_guard_blank(clprims_context *context) {
    cl_int code;
    memset(fresh + CLP_BLANK_BYTES, 0xa5, GUARD_BYTES);
    held.context = context;
    held.blank = context->blank;
    context->blank = clCreateBuffer(context->cl, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                    ALL_BYTES, fresh, &code);
    expect_cl(code);
    clp_programs_forget(context->programs);
}

void create_expect_blank(const char *plan) {
    const clprims_context *context = held.context;
    const bool reports = strncmp(plan, "list", 4) == 0 || strncmp(plan, "forest", 6) == 0;
    unsigned char got[ALL_BYTES];
    expect_cl(clEnqueueReadBuffer(context->queue, context->blank, CL_TRUE, 0, ALL_BYTES, got, 0,
                                  NULL, NULL));
    for (size_t i = reports ? sizeof(clprims_list_report) : 0; i < ALL_BYTES; i++) {
        if (got[i] == fresh[i]) continue;
        test_fail("the warm-up of %s wrote to byte %zu of the blank buffer, which has %d", plan, i,
                  CLP_BLANK_BYTES);
    }
    expect_cl(clEnqueueWriteBuffer(context->queue, context->blank, CL_TRUE, 0, ALL_BYTES, fresh, 0,
                                   NULL, NULL));
}

void create_release_blank(void) {
    expect_cl(clReleaseMemObject(held.context->blank));
    held.context->blank = held.blank;
}
