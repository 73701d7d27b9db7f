/* SPDX-License-Identifier: MIT */
#include "plan/plan_arguments.h"

void clp_put_bytes(clp_arguments *a, size_t bytes, const void *value) {
    a->list[a->count++] = (clp_argument){bytes, value};
}

void clp_put_value(clp_arguments *a, uint64_t value) {
    cl_ulong *place = &a->values[a->count];
    *place = value;
    clp_put_bytes(a, sizeof *place, place);
}

void clp_put_uint(clp_arguments *a, cl_uint value) {
    cl_uint *place = &a->uints[a->count];
    *place = value;
    clp_put_bytes(a, sizeof *place, place);
}

void clp_put_mem(clp_arguments *a, cl_mem mem) {
    cl_mem *place = &a->mems[a->count];
    *place = mem;
    clp_put_bytes(a, sizeof *place, place);
}

void clp_put_buffer(clp_arguments *a, clprims_buffer buffer) {
    clp_put_mem(a, buffer.mem);
    clp_put_value(a, buffer.first);
}

void clp_put_array(clp_arguments *a, const clprims_context *context, clprims_buffer array) {
    const clprims_buffer blank = {context->blank, 0};
    clp_put_buffer(a, array.mem != NULL ? array : blank);
}

void clp_put_report(clp_arguments *a, const clp_plan *plan, clprims_buffer report) {
    const clprims_buffer own = {plan->report, 0};
    clp_put_buffer(a, report.mem != NULL ? report : own);
}

void clp_put_parameters(clp_arguments *a, const clp_plan *plan) {
    clp_parameters_append(&plan->parameters, &plan->context->blank, a->list, &a->count);
}

clprims_status clp_arguments_set(const clp_arguments *a, const clp_plan *plan, cl_kernel kernel) {
    return clp_kernel_arguments(kernel, plan->kind->name, a->list, (cl_uint)a->count);
}
