/* SPDX-License-Identifier: MIT */
/* Checks of the operands of a product: sizes, buffers, and overlap of C with what is read. */
#include "minplus/minplus_plan.h"

enum { MOST = INT32_MAX };

/* The elements from the first to the last of a batch, gaps included. */
static size_t span_of(const clp_minplus_operand *x, size_t batch) {
    if (x->rows == 0 || x->columns == 0 || batch == 0) return 0;
    return (batch > 1 ? (batch - 1) * x->at.stride : 0) + (x->rows - 1) * x->at.ld + x->columns;
}

/* Returns whether the span has more bytes than size_t can count. */
static bool span_overflows(const clp_minplus_operand *x, size_t batch) {
    const size_t room = SIZE_MAX / 4 / sizeof(cl_ulong);
    if (x->rows == 0 || x->columns == 0 || batch == 0) return false;
    return x->at.ld > room / x->rows || (batch > 1 && x->at.stride > room / batch);
}

clprims_status clp_minplus_check_place(const char *who, const clp_minplus_operand *x,
                                       size_t batch) {
    CLP_FAIL_IF(x->at.mem != NULL && x->rows > 0 && x->at.ld < x->columns, CLPRIMS_ERR_ARGUMENT,
                "%s: %s.ld = %zu is less than its %zu columns", who, x->name, x->at.ld, x->columns);
    if (!span_overflows(x, batch)) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                    "%s: %s has %zu rows, ld = %zu, batch = %zu, stride = %zu: more bytes than can "
                    "be counted",
                    who, x->name, x->rows, x->at.ld, batch, x->at.stride);
}

clp_run_array clp_minplus_row(const clp_minplus_operand *x, size_t batch, unsigned roles,
                              clprims_buffer *buffer) {
    *buffer = (clprims_buffer){x->at.mem, x->at.first};
    return (clp_run_array){.name = x->name,
                           .buffer = buffer,
                           .n = span_of(x, batch),
                           .element_bytes = x->element_bytes,
                           .roles = roles};
}

/* Returns whether the operands are blocks of one matrix in disjoint columns. */
static bool are_side_by_side(const clp_minplus_operand *x, const clp_minplus_operand *y,
                             size_t batch) {
    const size_t ld = x->at.ld;
    if (batch > 1 || x->at.mem != y->at.mem || ld != y->at.ld || ld == 0 ||
        x->element_bytes != y->element_bytes) {
        return false;
    }
    const size_t x_at = x->at.first % ld, x_end = x_at + x->columns;
    const size_t y_at = y->at.first % ld, y_end = y_at + y->columns;
    return x_end <= ld && y_end <= ld && (x_end <= y_at || y_end <= x_at);
}

static clp_array array_of(const clp_minplus_operand *x, size_t batch) {
    return (clp_array){x->name, {x->at.mem, x->at.first}, span_of(x, batch), x->element_bytes};
}

/* Checks that matrices of a batch that are written do not overlap. */
static clprims_status check_stride(const char *who, const clp_minplus_operand *x, size_t batch) {
    const size_t one = span_of(x, 1);
    if (batch <= 1 || x->at.stride >= one) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "%s: %s.stride = %zu is less than the %zu elements of one matrix", who, x->name,
                    x->at.stride, one);
}

clprims_status clp_minplus_check_apart(const char *who, const clp_minplus_operand *all,
                                       size_t written, size_t batch) {
    const clp_array own = array_of(&all[written], batch);
    CLP_TRY(check_stride(who, &all[written], batch));
    for (size_t i = 0; i < written; i++) {
        const clp_array other = array_of(&all[i], batch);
        if (other.n == 0 || are_side_by_side(&all[i], &all[written], batch)) continue;
        CLP_TRY(clp_arrays_apart(who, &other, &own));
    }
    return CLPRIMS_OK;
}

clprims_status clp_minplus_check_size(const clp_minplus_spec *spec, clp_minplus_size s) {
    const struct {
        const char *name, *most_name;
        size_t size, most;
    } all[] = {{"m", "max.m", s.m, spec->most.m},
               {"n", "max_n", s.n, spec->most.n},
               {"k", "max.k", s.k, spec->most.k},
               {"batch", "max.batch", s.batch, spec->most.batch}};
    CLP_FAIL_IF(s.m > MOST || s.n > MOST || s.k > MOST, CLPRIMS_ERR_TOO_LARGE,
                "%s: m = %zu, n = %zu, k = %zu; at most %d each", spec->who, s.m, s.n, s.k, MOST);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i].most == 0 || all[i].size <= all[i].most) continue;
        return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                        "%s: %s = %zu exceeds %s = %zu given to create; create a larger plan",
                        spec->who, all[i].name, all[i].size, all[i].most_name, all[i].most);
    }
    return CLPRIMS_OK;
}
