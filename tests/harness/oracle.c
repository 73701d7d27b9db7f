/* SPDX-License-Identifier: MIT */
/* Plain-C twins of scan and list ranking. */
#include "harness/oracle.h"

#include <float.h>
#include <math.h>

/* ---- Scan: integers, modulo 2^64 ------------------------------------------------------------- */

bool oracle_is_float(clprims_type type) {
    return type == CLPRIMS_F32 || type == CLPRIMS_F64;
}

static bool is_signed(clprims_type type) {
    return type >= CLPRIMS_I8 && type <= CLPRIMS_I64;
}

/* Wraps to the type and extends again, so that comparisons see the value that the type holds. */
static uint64_t wrap_integer(clprims_type type, uint64_t value) {
    const unsigned bits = 8 * (unsigned)clprims_type_bytes(type);
    if (bits == 64) return value;
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    const uint64_t sign = is_signed(type) ? (uint64_t)1 << (bits - 1) : 0;
    return ((value & mask) ^ sign) - sign;
}

uint64_t oracle_load_integer(clprims_type type, const void *values, size_t i) {
    const size_t bytes = clprims_type_bytes(type);
    uint64_t value = 0;
    memcpy(&value, (const char *)values + i * bytes, bytes);
    return wrap_integer(type, value);
}

bool oracle_less_integer(clprims_type type, uint64_t a, uint64_t b) {
    /* Flipping the top bit maps the order of signed values onto that of unsigned ones. */
    const uint64_t flip = is_signed(type) ? (uint64_t)1 << 63 : 0;
    return (a ^ flip) < (b ^ flip);
}

uint64_t oracle_combine_integer(clprims_type type, clprims_op op, uint64_t a, uint64_t b) {
    switch (op) {
    case CLPRIMS_ADD:
        return wrap_integer(type, a + b);
    case CLPRIMS_MUL:
        return wrap_integer(type, a * b);
    case CLPRIMS_MIN:
        return oracle_less_integer(type, b, a) ? b : a;
    case CLPRIMS_MAX:
        return oracle_less_integer(type, a, b) ? b : a;
    case CLPRIMS_AND:
        return a & b;
    case CLPRIMS_OR:
        return a | b;
    case CLPRIMS_XOR:
        return a ^ b;
    default:
        test_fail("the oracle has no operator %d", (int)op);
        return 0;
    }
}

static uint64_t identity_integer(clprims_type type, clprims_op op) {
    const unsigned bits = 8 * (unsigned)clprims_type_bytes(type);
    const uint64_t sign = (uint64_t)1 << (bits - 1);
    switch (op) {
    case CLPRIMS_MUL:
        return 1;
    case CLPRIMS_AND:
        return wrap_integer(type, UINT64_MAX);
    case CLPRIMS_MIN:
        return wrap_integer(type, is_signed(type) ? sign - 1 : UINT64_MAX);
    case CLPRIMS_MAX:
        return wrap_integer(type, is_signed(type) ? sign : 0);
    default:
        return 0;
    }
}

/* ---- Scan: floats, in long double ------------------------------------------------------------ */

/* The value, and for the error bound the same combination of absolute values. */
typedef struct reference {
    long double value;
    long double magnitude;
} reference;

long double oracle_load_float(clprims_type type, const void *values, size_t i) {
    if (type == CLPRIMS_F32) return ((const float *)values)[i];
    if (type == CLPRIMS_F64) return ((const double *)values)[i];
    const uint64_t bits = oracle_load_integer(type, values, i);
    return is_signed(type) ? (long double)(int64_t)bits : (long double)bits;
}

static reference combine_float(clprims_op op, reference a, reference b) {
    switch (op) {
    case CLPRIMS_ADD:
        return (reference){a.value + b.value, a.magnitude + b.magnitude};
    case CLPRIMS_MUL:
        return (reference){a.value * b.value, a.magnitude * b.magnitude};
    case CLPRIMS_MIN:
        return (reference){fminl(a.value, b.value), 0};
    case CLPRIMS_MAX:
        return (reference){fmaxl(a.value, b.value), 0};
    default:
        test_fail("the oracle has no float operator %d", (int)op);
        return a;
    }
}

static long double identity_float(clprims_op op) {
    switch (op) {
    case CLPRIMS_MUL:
        return 1;
    case CLPRIMS_MIN:
        return HUGE_VALL;
    case CLPRIMS_MAX:
        return -HUGE_VALL;
    default:
        return 0;
    }
}

static long double round_to(clprims_type type, long double value) {
    return type == CLPRIMS_F32 ? (long double)(float)value : (long double)(double)value;
}

static bool agrees(clprims_type type, reference expected, long double actual, double roundings) {
    const long double rounded = round_to(type, expected.value);
    if (isnan(rounded) || isnan(actual)) return isnan(rounded) && isnan(actual);
    if (rounded == actual) return true;
    const long double epsilon = type == CLPRIMS_F32 ? FLT_EPSILON : DBL_EPSILON;
    return fabsl(expected.value - actual) <= roundings * epsilon * expected.magnitude;
}

/* ---- Scan: both ------------------------------------------------------------------------------ */

static clprims_type accumulator_of(const clprims_scan_desc *desc) {
    return desc->accumulator == CLPRIMS_TYPE_DEFAULT ? desc->type : desc->accumulator;
}

/* An input element in the accumulator's type, as C converts it. */
static uint64_t element_integer(const clprims_scan_desc *desc, const void *in, size_t i) {
    const clprims_type accumulator = accumulator_of(desc);
    if (!oracle_is_float(desc->type))
        return wrap_integer(accumulator, oracle_load_integer(desc->type, in, i));
    const long double value = oracle_load_float(desc->type, in, i);
    return wrap_integer(accumulator, value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value);
}

static reference element_float(const clprims_scan_desc *desc, const void *in, size_t i) {
    const long double value = round_to(accumulator_of(desc), oracle_load_float(desc->type, in, i));
    return (reference){value, fabsl(value)};
}

static uint64_t initial_integer(const clprims_scan_desc *desc) {
    const clprims_type accumulator = accumulator_of(desc);
    return desc->init != NULL ? oracle_load_integer(accumulator, desc->init, 0)
                              : identity_integer(accumulator, desc->op);
}

static reference initial_float(const clprims_scan_desc *desc) {
    const long double value = desc->init != NULL
                                  ? oracle_load_float(accumulator_of(desc), desc->init, 0)
                                  : identity_float(desc->op);
    return (reference){value, fabsl(value)};
}

static void expect_integers(const clprims_scan_desc *desc, const void *in, const void *out,
                            size_t n, const char *file, int line) {
    const clprims_type accumulator = accumulator_of(desc);
    uint64_t running = initial_integer(desc);
    for (size_t i = 0; i < n; i++) {
        const uint64_t next =
            oracle_combine_integer(accumulator, desc->op, running, element_integer(desc, in, i));
        const uint64_t expected = desc->inclusive ? next : running;
        const uint64_t actual = oracle_load_integer(accumulator, out, i);
        if (actual != expected)
            test_fail_at(file, line, "out[%zu] of %zu is %lld (0x%llx), expected %lld (0x%llx)", i,
                         n, (long long)actual, (unsigned long long)actual, (long long)expected,
                         (unsigned long long)expected);
        running = next;
    }
}

static void expect_floats(const clprims_scan_desc *desc, const void *in, const void *out, size_t n,
                          double roundings, const char *file, int line) {
    const clprims_type accumulator = accumulator_of(desc);
    reference running = initial_float(desc);
    for (size_t i = 0; i < n; i++) {
        const reference next = combine_float(desc->op, running, element_float(desc, in, i));
        const reference expected = desc->inclusive ? next : running;
        const long double actual = oracle_load_float(accumulator, out, i);
        if (!agrees(accumulator, expected, actual, roundings))
            test_fail_at(file, line,
                         "out[%zu] of %zu is %.17Lg, expected %.17Lg within %g roundings of %.3Lg",
                         i, n, actual, expected.value, roundings, expected.magnitude);
        running = next;
    }
}

void oracle_expect_scan(const clprims_scan_desc *desc, const void *in, const void *out, size_t n,
                        double roundings, const char *file, int line) {
    if (oracle_is_float(accumulator_of(desc)))
        expect_floats(desc, in, out, n, roundings, file, line);
    else
        expect_integers(desc, in, out, n, file, line);
}

double oracle_roundings(const clprims_scan_info *info, size_t n) {
    const double tile = (double)info->tile;
    const double group = (double)info->group;
    /* A work-item adds its share of the tile in a row, then the group combines as a tree. */
    return tile / group + ceil(log2(group)) + ceil((double)n / tile) + 2;
}

void oracle_scan(const clprims_scan_desc *desc, const void *in, void *out, size_t n) {
    const clprims_type accumulator = accumulator_of(desc);
    if (oracle_is_float(accumulator)) {
        reference running = initial_float(desc);
        for (size_t i = 0; i < n; i++) {
            const reference next = combine_float(desc->op, running, element_float(desc, in, i));
            const long double value = desc->inclusive ? next.value : running.value;
            if (accumulator == CLPRIMS_F32)
                ((float *)out)[i] = (float)value;
            else
                ((double *)out)[i] = (double)value;
            running = next;
        }
        return;
    }
    uint64_t running = initial_integer(desc);
    for (size_t i = 0; i < n; i++) {
        const uint64_t next =
            oracle_combine_integer(accumulator, desc->op, running, element_integer(desc, in, i));
        test_store_integer(clprims_type_bytes(accumulator), out, i,
                           desc->inclusive ? next : running);
        running = next;
    }
}

bool oracle_twin_agrees(const oracle_twin *twin, const void *expected, const void *actual) {
    if (twin->same != NULL) return twin->same(expected, actual);
    return memcmp(expected, actual, twin->accumulator_bytes) == 0;
}

void oracle_expect_custom(const oracle_twin *twin, const void *expected, const void *actual,
                          size_t n) {
    const size_t bytes = twin->accumulator_bytes;
    if (twin->same == NULL) {
        expect_elements(expected, actual, n, bytes);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const void *wanted = (const char *)expected + i * bytes;
        const void *found = (const char *)actual + i * bytes;
        uint64_t wanted_bits = 0, found_bits = 0;
        if (twin->same(wanted, found)) continue;
        memcpy(&wanted_bits, wanted, bytes < 8 ? bytes : 8);
        memcpy(&found_bits, found, bytes < 8 ? bytes : 8);
        test_fail("element %zu of %zu is 0x%llx, not 0x%llx", i, n, (unsigned long long)found_bits,
                  (unsigned long long)wanted_bits);
    }
}

void oracle_scan_custom(const oracle_twin *twin, bool inclusive, const void *init, const void *in,
                        void *out, size_t n) {
    unsigned char running[ORACLE_TWIN_BYTES];
    unsigned char element[ORACLE_TWIN_BYTES];
    const size_t bytes = twin->accumulator_bytes;
    if (bytes > sizeof running || (init == NULL && !inclusive))
        test_fail("a twin of %zu bytes, %s", bytes, init == NULL ? "without init" : "with init");
    if (init != NULL) memcpy(running, init, bytes);
    for (size_t i = 0; i < n; i++) {
        twin->load(in, i, element);
        unsigned char *to = (unsigned char *)out + i * bytes;
        if (!inclusive) memcpy(to, running, bytes);
        if (i == 0 && init == NULL)
            memcpy(running, element, bytes);
        else
            twin->combine(running, element, running);
        if (inclusive) memcpy(to, running, bytes);
    }
}
