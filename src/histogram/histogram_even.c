/* SPDX-License-Identifier: MIT */
/* Even bins: their edges, and for integers of up to 32 bits one product in place of comparisons. */
#include "core/type.h"
#include "histogram/histogram_plan.h"

#include <math.h>

double clp_histogram_edge(const clp_histogram_spec *spec, size_t b) {
    const double width = (spec->most - spec->least) / (double)spec->bins;
    const double before = (double)b * width; /* rounded by itself: a fused sum differs */
    return b == spec->bins ? spec->most : before + spec->least;
}

enum { FACTOR_BITS = 31, MOST_SHIFT = 62 };
/* So many edges are compared with a candidate. */
static const size_t most_bins = (size_t)1 << 20;

static int64_t least_of(clprims_type type) {
    return type == CLPRIMS_I8    ? INT8_MIN
           : type == CLPRIMS_I16 ? INT16_MIN
           : type == CLPRIMS_I32 ? INT32_MIN
                                 : 0;
}

static int64_t greatest_of(clprims_type type) {
    return type == CLPRIMS_I8    ? INT8_MAX
           : type == CLPRIMS_I16 ? INT16_MAX
           : type == CLPRIMS_I32 ? INT32_MAX
           : type == CLPRIMS_U8  ? UINT8_MAX
           : type == CLPRIMS_U16 ? UINT16_MAX
                                 : UINT32_MAX;
}

static uint64_t guess(const clp_histogram_product *p, uint64_t distance) {
    return (distance * p->factor + p->addend) >> p->shift;
}

/* Whether the product is right at every edge; it never falls, so it is right between them. */
static bool is_right(const clp_histogram_spec *spec, const clp_histogram_product *p) {
    for (size_t b = 1; b < spec->bins; b++) {
        const double at = ceil(clp_histogram_edge(spec, b)) - (double)p->first;
        if (at > 0 && guess(p, at > (double)p->span ? p->span : (uint64_t)at - 1) >= b) {
            return false;
        }
        if (at <= (double)p->span && guess(p, at < 0 ? 0 : (uint64_t)at) < b) return false;
    }
    return true;
}

void clp_histogram_product_find(const clp_histogram_spec *spec, clp_histogram_product *product) {
    const double low = fmax(ceil(spec->least), (double)least_of(spec->type));
    const double high = fmin(floor(spec->most), (double)greatest_of(spec->type));
    const double scale = (double)spec->bins / (spec->most - spec->least);
    clp_histogram_product p = {.is_exact = false};
    *product = p;
    if (low > high || spec->bins > most_bins) return;
    p.first = (int64_t)low;
    p.span = (uint32_t)(high - low);
    int exponent;
    (void)frexp(scale, &exponent); /* scale < 2^exponent */
    const int shift = FACTOR_BITS - exponent;
    if (shift < 0) return;
    p.shift = (unsigned)(shift < MOST_SHIFT ? shift : MOST_SHIFT);
    const double factor = ldexp(scale, (int)p.shift);
    const double addend = ldexp((low - spec->least) * scale, (int)p.shift);
    if (factor < 1 || addend + factor * p.span >= ldexp(1, 63)) return;
    for (int more = 0; more < 2 && !p.is_exact; more++) {
        p.factor = (uint32_t)factor + (uint32_t)more;
        p.addend = (uint64_t)addend;
        p.is_exact = is_right(spec, &p);
    }
    p.is_closed = guess(&p, p.span) >= spec->bins;
    *product = p;
}
