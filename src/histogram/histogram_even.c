/* SPDX-License-Identifier: MIT */
/* Even bins: their edges, and for integers of up to 32 bits one product in place of comparisons. */
#include "histogram/histogram_plan.h"

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

/* The least integer that is not below x, less the first element; what is beyond the span is one
 * beyond. The library does without libm. */
static int64_t distance_of(const clp_histogram_product *p, double x) {
    const double distance = x - (double)p->first;
    if (distance <= 0) return distance == 0 ? 0 : -1;
    if (distance > (double)p->span) return (int64_t)p->span + 1;
    const int64_t whole = (int64_t)distance;
    return whole + ((double)whole < distance);
}

bool clp_histogram_takes_all(const clp_histogram_spec *spec) {
    const int64_t first = least_of(spec->type), last = greatest_of(spec->type);
    return spec->product.is_exact && spec->product.first == first &&
           (int64_t)spec->product.span == last - first;
}

static uint64_t bin_at(const clp_histogram_product *p, int64_t distance) {
    return ((uint64_t)distance * p->factor + p->addend) >> p->shift;
}

bool clp_histogram_is_identity(const clp_histogram_spec *spec) {
    if (spec->type_bytes > 1 || spec->bins != UINT8_MAX + 1) return false;
    for (int64_t value = 0; value <= UINT8_MAX; value++) {
        const uint64_t bin = bin_at(&spec->product, value);
        if ((bin < UINT8_MAX ? bin : UINT8_MAX) != (uint64_t)value) return false;
    }
    return true;
}

/* Whether the product is right at every edge; it never falls, so it is right between them. */
static bool is_right(const clp_histogram_spec *spec, const clp_histogram_product *p) {
    for (size_t b = 1; b < spec->bins; b++) {
        const int64_t at = distance_of(p, clp_histogram_edge(spec, b));
        if (at > 0 && bin_at(p, at - 1) >= b) return false;
        if (at <= (int64_t)p->span && bin_at(p, at < 0 ? 0 : at) < b) return false;
    }
    return true;
}

/* The elements from least to most; false: there are none. */
static bool find_span(const clp_histogram_spec *spec, clp_histogram_product *p) {
    int64_t first = least_of(spec->type), last = greatest_of(spec->type);
    if (spec->least > (double)last || spec->most < (double)first) return false;
    if (spec->least > (double)first) {
        first = (int64_t)spec->least;
        if ((double)first < spec->least) first++;
    }
    if (spec->most < (double)last) {
        last = (int64_t)spec->most;
        if ((double)last > spec->most) last--;
    }
    p->first = first;
    p->span = (uint32_t)(last - first);
    return first <= last;
}

/* Scales to FACTOR_BITS bits; false: no shift does. */
static bool find_shift(double scale, clp_histogram_product *p, double *factor) {
    *factor = scale;
    while (*factor < (double)(1u << (FACTOR_BITS - 1)) && p->shift < MOST_SHIFT) {
        *factor *= 2;
        p->shift++;
    }
    return *factor >= 1 && *factor < (double)(1u << FACTOR_BITS);
}

/* All elements of the type in a number of bins that is a power of two: the bin is their high bits.
 */
static void find_high_bits(const clp_histogram_spec *spec, clp_histogram_product *product) {
    enum { MOST = 31 };
    clp_histogram_product p = {.is_exact = true,
                               .is_shift = true,
                               .first = product->first,
                               .span = product->span,
                               .factor = 1};
    while (p.shift < MOST && p.span >> p.shift >= spec->bins) p.shift++;
    if (p.span >> p.shift < spec->bins && is_right(spec, &p)) *product = p;
}

void clp_histogram_product_find(const clp_histogram_spec *spec, clp_histogram_product *product) {
    const double scale = (double)spec->bins / (spec->most - spec->least);
    const double most_product = (double)((uint64_t)1 << 63);
    clp_histogram_product p = {.is_exact = false};
    double factor;
    *product = p;
    if (spec->bins > most_bins || !find_span(spec, &p) || !find_shift(scale, &p, &factor)) return;
    const double addend = ((double)p.first - spec->least) * factor;
    if (addend + (factor + 1) * p.span >= most_product) return;
    p.addend = (uint64_t)addend;
    for (uint32_t more = 0; more < 2 && !p.is_exact; more++) {
        p.factor = (uint32_t)factor + more;
        p.is_exact = is_right(spec, &p);
    }
    *product = p;
    if (clp_histogram_takes_all(spec)) find_high_bits(spec, product);
}
