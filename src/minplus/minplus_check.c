/* SPDX-License-Identifier: MIT */
/* Checks of the operands of a product: sizes, buffers, and overlap of C with what is read. */
#include "minplus/minplus_plan.h"

enum { MOST = INT32_MAX };

size_t clp_minplus_span(clprims_matrix matrix, size_t rows, size_t columns, size_t batch) {
    if (rows == 0 || columns == 0 || batch == 0) return 0;
    return (batch > 1 ? (batch - 1) * matrix.stride : 0) + (rows - 1) * matrix.ld + columns;
}

/* Returns whether the span has more elements than size_t can count. */
static bool span_overflows(clprims_matrix matrix, size_t rows, size_t columns, size_t batch) {
    const size_t room = SIZE_MAX / 4;
    if (rows == 0 || columns == 0 || batch == 0) return false;
    return matrix.ld > room / rows || (batch > 1 && matrix.stride > room / batch);
}

clprims_status clp_minplus_check_matrix(const clprims_context *context, const char *who,
                                        const char *name, clprims_matrix matrix, size_t rows,
                                        size_t columns, size_t batch, size_t element_bytes) {
    if (matrix.mem != NULL && rows > 0 && matrix.ld < columns) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: %s.ld = %zu is less than its %zu columns", who,
                        name, matrix.ld, columns);
    }
    if (span_overflows(matrix, rows, columns, batch)) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: %s has %zu rows, ld = %zu, batch = %zu, stride = %zu: more elements "
                        "than can be counted",
                        who, name, rows, matrix.ld, batch, matrix.stride);
    }
    const clp_array array = {name,
                             {matrix.mem, matrix.first},
                             clp_minplus_span(matrix, rows, columns, batch),
                             element_bytes};
    return clp_array_check(context, who, &array);
}

typedef struct checked {
    const char *name;
    clprims_matrix matrix;
    size_t rows, columns, element_bytes;
} checked;

/* The span of an operand, gaps included. */
static clp_array array_of(const checked *x, size_t batch) {
    return (clp_array){x->name,
                       {x->matrix.mem, x->matrix.first},
                       clp_minplus_span(x->matrix, x->rows, x->columns, batch),
                       x->element_bytes};
}

/* Returns whether the operands are blocks of one matrix in disjoint columns. */
static bool are_side_by_side(const checked *x, const checked *y, size_t batch) {
    const size_t ld = x->matrix.ld;
    if (batch > 1 || x->matrix.mem != y->matrix.mem || ld != y->matrix.ld || ld == 0 ||
        x->element_bytes != y->element_bytes) {
        return false;
    }
    const size_t x_at = x->matrix.first % ld, x_end = x_at + x->columns;
    const size_t y_at = y->matrix.first % ld, y_end = y_at + y->columns;
    return x_end <= ld && y_end <= ld && (x_end <= y_at || y_end <= x_at);
}

static clprims_status check_apart(const char *who, const checked *x, const checked *y,
                                  size_t batch) {
    if (are_side_by_side(x, y, batch)) return CLPRIMS_OK;
    const clp_array a = array_of(x, batch), b = array_of(y, batch);
    return clp_arrays_apart(who, &a, &b);
}

/* Checks that matrices of a batch that are written do not overlap. */
static clprims_status check_stride(const char *who, const checked *x, size_t batch) {
    const size_t one = clp_minplus_span(x->matrix, x->rows, x->columns, 1);
    if (batch <= 1 || x->matrix.stride >= one) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "%s: %s.stride = %zu is less than the %zu elements of one matrix", who, x->name,
                    x->matrix.stride, one);
}

static clprims_status check_size(const clp_minplus_spec *spec, clprims_minplus_size s) {
    const struct {
        const char *name;
        size_t size, most;
    } all[] = {{"m", s.m, spec->most.m},
               {"n", s.n, spec->most.n},
               {"k", s.k, spec->most.k},
               {"batch", s.batch, spec->most.batch}};
    if (s.m > MOST || s.n > MOST || s.k > MOST) {
        return clp_fail(CLPRIMS_ERR_TOO_LARGE, "%s: m = %zu, n = %zu, k = %zu; at most %d each",
                        spec->who, s.m, s.n, s.k, MOST);
    }
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i].most == 0 || all[i].size <= all[i].most) continue;
        return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                        "%s: %s = %zu exceeds max.%s = %zu given to create; create a larger plan",
                        spec->who, all[i].name, all[i].size, all[i].name, all[i].most);
    }
    return CLPRIMS_OK;
}

clprims_status clp_minplus_check(const clprims_context *context, const clp_minplus_spec *spec,
                                 const clp_minplus_operands *o) {
    const size_t bytes = clprims_type_bytes(spec->type);
    const clprims_minplus_size s = o->size;
    const checked all[] = {{"a", o->a, s.m, s.k, bytes},
                           {"b", o->b, s.k, s.n, bytes},
                           {"c", o->c, s.m, s.n, bytes},
                           {"argmin", o->best, s.m, s.n, sizeof(cl_int)}};
    const size_t count = spec->argmin ? 4 : 3;
    CLP_TRY(check_size(spec, s));
    if (!spec->argmin && o->best.mem != NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: argmin.mem is not NULL, but the plan was made without argmin",
                        spec->who);
    }
    for (size_t i = 0; i < count; i++) {
        CLP_TRY(clp_minplus_check_matrix(context, spec->who, all[i].name, all[i].matrix,
                                         all[i].rows, all[i].columns, s.batch,
                                         all[i].element_bytes));
    }
    for (size_t written = 2; written < count; written++) {
        CLP_TRY(check_stride(spec->who, &all[written], s.batch));
        for (size_t i = 0; i < written; i++) {
            CLP_TRY(check_apart(spec->who, &all[i], &all[written], s.batch));
        }
    }
    return CLPRIMS_OK;
}
