/* SPDX-License-Identifier: MIT */
/* The product's twin: three loops over numbers that are wide enough. */

#include "harness/oracle.h"

#include <math.h>

/* An integer or a float; which one the type says. */
typedef struct number {
    int64_t whole;
    double real;
} number;

static number get(clprims_type type, const void *values, size_t i) {
    if (oracle_is_float(type)) return (number){0, (double)oracle_load_float(type, values, i)};
    return (number){(int64_t)oracle_load_integer(type, values, i), 0};
}

static void put(clprims_type type, void *values, size_t i, number x) {
    if (type == CLPRIMS_F32)
        ((float *)values)[i] = (float)x.real;
    else if (type == CLPRIMS_F64)
        ((double *)values)[i] = x.real;
    else
        test_store_integer(clprims_type_bytes(type), values, i, (uint64_t)x.whole);
}

/* The order is turned around for MAX_PLUS, so that less is better in all of what follows. */
static number mirror(const clprims_minplus_desc *desc, number x) {
    if (desc->semiring == CLPRIMS_MAX_PLUS) return (number){-x.whole, -x.real};
    return x;
}

static number no_edge(const clprims_minplus_desc *desc) {
    number none = {desc->type == CLPRIMS_I64 ? INT64_MAX / 2 : INT32_MAX / 2, INFINITY};
    if (desc->semiring == CLPRIMS_MAX_PLUS) none.whole++;
    if (desc->no_edge != NULL) none.whole = mirror(desc, get(desc->type, desc->no_edge, 0)).whole;
    if (desc->semiring == CLPRIMS_OR_AND) none.whole = 0;
    return none;
}

static number extend(const clprims_minplus_desc *desc, number a, number b) {
    const number none = no_edge(desc);
    if (desc->semiring == CLPRIMS_OR_AND) return (number){a.whole & b.whole, 0};
    if (desc->semiring == CLPRIMS_MIN_MAX) {
        return (number){a.whole > b.whole ? a.whole : b.whole, fmax(a.real, b.real)};
    }
    const bool none_of_both = a.whole >= none.whole || b.whole >= none.whole;
    number sum = {none_of_both ? none.whole : a.whole + b.whole, a.real + b.real};
    if (desc->type == CLPRIMS_F32) sum.real = (float)sum.real;
    return sum;
}

/* Whether x replaces all; or-and has no better one, but more bits. */
static bool combine(const clprims_minplus_desc *desc, number x, number *all) {
    const number before = *all;
    if (desc->semiring == CLPRIMS_OR_AND) {
        all->whole |= x.whole;
    } else if (oracle_is_float(desc->type) ? x.real < before.real : x.whole < before.whole) {
        *all = x;
        return true;
    }
    return false;
}

static number start(const clprims_minplus_desc *desc, const void *c, size_t at) {
    const number none = no_edge(desc);
    if (!desc->accumulate) return none;
    const number before = mirror(desc, get(desc->type, c, at));
    if (desc->semiring == CLPRIMS_OR_AND) return before;
    if (oracle_is_float(desc->type)) return isnan(before.real) ? none : before;
    return before.whole >= none.whole ? none : before;
}

void oracle_minplus(const clprims_minplus_desc *desc, const oracle_matrix *a,
                    const oracle_matrix *b, const oracle_matrix *c, int32_t *argmin, size_t m,
                    size_t n, size_t k) {
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            number all = start(desc, c->values, i * c->ld + j);
            int32_t best = -1;
            for (size_t w = 0; w < k; w++) {
                const number x = mirror(desc, get(desc->type, a->values, i * a->ld + w));
                const number y = mirror(desc, get(desc->type, b->values, w * b->ld + j));
                if (combine(desc, extend(desc, x, y), &all)) best = (int32_t)w;
            }
            put(desc->type, c->values, i * c->ld + j, mirror(desc, all));
            if (argmin != NULL && (best >= 0 || !desc->accumulate)) argmin[i * c->ld + j] = best;
        }
    }
}
