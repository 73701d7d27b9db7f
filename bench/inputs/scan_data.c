/* SPDX-License-Identifier: MIT */
/* The inputs and plain-C twins of the scans that are measured. */
#include "inputs/scan_data.h"
#include <string.h>

typedef struct affine {
    uint32_t scale, shift;
} affine;

/* Spreads an index over 64 bits. */
static uint64_t scatter(uint64_t i) {
    uint64_t x = i * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u;
    x = (x ^ (x >> 31)) * 0xda942042e4dd58b5u;
    return x ^ (x >> 29);
}

/* A whole number in [-3, 3], 0 on average. Sums of fewer than 2^32 of them stay far below 2^24,
 * so floats add them exactly in any order and one wrong element shows. */
static int small_number(uint64_t i) {
    const uint64_t bits = scatter(i);
    return (int)(bits >> 62) - (int)(bits >> 60 & 3);
}

#define DEFINE_FILL(NAME, TYPE, VALUE)                                                             \
    static void NAME(void *in, size_t first, size_t count) {                                       \
        TYPE *out = in;                                                                            \
        for (size_t k = 0; k < count; k++) {                                                       \
            const uint64_t i = first + k;                                                          \
            out[k] = (TYPE)(VALUE);                                                                \
        }                                                                                          \
    }

DEFINE_FILL(fill_8, uint8_t, scatter(i) >> 56)
DEFINE_FILL(fill_16, uint16_t, scatter(i) >> 48)
DEFINE_FILL(fill_32, uint32_t, scatter(i) >> 32)
DEFINE_FILL(fill_64, uint64_t, scatter(i))
DEFINE_FILL(fill_float, float, small_number(i))
DEFINE_FILL(fill_double, double, small_number(i))
/* Falls slowly, so that the minimum goes on changing to the end. */
DEFINE_FILL(fill_falling, int32_t, (int64_t)(scatter(i) >> 48) - (int64_t)(i >> 2 & 0x3fffffff))

DEFINE_FILL(fill_rising, int32_t, (int64_t)(i >> 2 & 0x3fffffff) - (int64_t)(scatter(i) >> 48))
/* Sums that are full after 2^28 elements and some. */
DEFINE_FILL(fill_small, uint32_t, scatter(i) >> 59)
/* Maps whose scale is odd, so that each one tells on all that come after it. */
DEFINE_FILL(fill_half_maps, uint32_t, scatter(i) >> 32 | 1)
DEFINE_FILL(fill_maps, uint64_t, scatter(i) | 1)

/* Sums of integers wrap alike with and without sign, so the twins are unsigned. */
#define DEFINE_TWIN(NAME, IN, OUT, NEXT)                                                           \
    static void NAME(const void *in, void *out, size_t count, bool inclusive, void *carry) {       \
        const IN *x = in;                                                                          \
        OUT *to = out, a;                                                                          \
        memcpy(&a, carry, sizeof a);                                                               \
        for (size_t i = 0; i < count; i++) {                                                       \
            const IN b = x[i];                                                                     \
            if (!inclusive) to[i] = a;                                                             \
            a = NEXT;                                                                              \
            if (inclusive) to[i] = a;                                                              \
        }                                                                                          \
        memcpy(carry, &a, sizeof a);                                                               \
    }                                                                                              \
    static void join_##NAME(const void *carry, void *next) {                                       \
        OUT a, b;                                                                                  \
        memcpy(&a, carry, sizeof a);                                                               \
        memcpy(&b, next, sizeof b);                                                                \
        a = NEXT;                                                                                  \
        memcpy(next, &a, sizeof a);                                                                \
    }

DEFINE_TWIN(add_8, uint8_t, uint8_t, (uint8_t)(a + b))
DEFINE_TWIN(add_16, uint16_t, uint16_t, (uint16_t)(a + b))
DEFINE_TWIN(add_32, uint32_t, uint32_t, a + b)
DEFINE_TWIN(add_64, uint64_t, uint64_t, a + b)
DEFINE_TWIN(add_8_to_64, uint8_t, uint64_t, a + b)
DEFINE_TWIN(add_float, float, float, a + b)
DEFINE_TWIN(add_double, double, double, a + b)
DEFINE_TWIN(min_32, int32_t, int32_t, a < b ? a : b)
DEFINE_TWIN(max_32, int32_t, int32_t, a > b ? a : b)
DEFINE_TWIN(add_until_full, uint32_t, uint32_t, a + b < a ? UINT32_MAX : a + b)
DEFINE_TWIN(compose_halves, uint32_t, uint32_t,
            ((a * b) & 0xffff) | ((a >> 16) * b + (b >> 16)) << 16)
DEFINE_TWIN(compose, affine, affine, ((affine){a.scale * b.scale, a.shift *b.scale + b.shift}))

static const uint64_t zero_bits = 0;
static const double zero_double = 0;
static const int32_t greatest = INT32_MAX;
static const int32_t smallest = INT32_MIN;
static const affine unchanged = {1, 0};

static const char affine_text[] =
    "typedef struct affine { uint scale; uint shift; } affine;\n"
    "affine compose(affine a, affine b) {\n"
    "    const affine both = {a.scale * b.scale, a.shift * b.scale + b.shift};\n"
    "    return both;\n"
    "}\n";

static const char halves_text[] =
    "uint compose(uint a, uint b) {\n"
    "    return (a * b & 0xffffu) | ((a >> 16) * b + (b >> 16)) << 16;\n"
    "}\n";

#define VARIANT(NAME, TYPE, BYTES, FILL, TWIN, ZERO, BOTH, IN, OUT, MORE, FAST)                    \
    {                                                                                              \
        NAME, TYPE, TYPE, CLPRIMS_ADD, true, BOTH, BYTES, BYTES, {0}, FILL, TWIN, join_##TWIN,     \
            &(ZERO), IN, OUT, MORE, FAST, CLPRIMS_ALGORITHM_AUTO, NULL, 0                          \
    }
#define AS_ON(MEANS, ALGORITHM, KNOBS, CAPABILITY)                                                 \
    {                                                                                              \
        "int32 add as on " MEANS, CLPRIMS_I32, CLPRIMS_I32, CLPRIMS_ADD, true, false, 4, 4, {0},   \
            fill_32, add_32, join_add_32, &zero_bits, 0, 0, 0, false, ALGORITHM, KNOBS, CAPABILITY \
    }
#define ADD(NAME, TYPE, BYTES, FILL, TWIN, ZERO)                                                   \
    VARIANT(NAME, TYPE, BYTES, FILL, TWIN, ZERO, true, 0, 0, 0, false)

const scan_case scan_cases[] = {
    ADD("int8 add", CLPRIMS_I8, 1, fill_8, add_8, zero_bits),
    ADD("int16 add", CLPRIMS_I16, 2, fill_16, add_16, zero_bits),
    ADD("int32 add", CLPRIMS_I32, 4, fill_32, add_32, zero_bits),
    ADD("int64 add", CLPRIMS_I64, 8, fill_64, add_64, zero_bits),
    ADD("float32 add", CLPRIMS_F32, 4, fill_float, add_float, zero_double),
    ADD("float64 add", CLPRIMS_F64, 8, fill_double, add_double, zero_double),
    VARIANT("int32 add unaligned", CLPRIMS_I32, 4, fill_32, add_32, zero_bits, false, 1, 3, 4321,
            false),
    AS_ON("8.0", CLPRIMS_ALGORITHM_LOOKAHEAD, "SCANNERS=7 REDUCERS=7 ROWS=4 STAGES=3 GROUPS=2", 80),
    AS_ON("7.0", CLPRIMS_ALGORITHM_LOOKAHEAD, "SCANNERS=5 REDUCERS=5 ROWS=6 STAGES=3 GROUPS=2", 70),
    AS_ON("7.0 looking back", CLPRIMS_ALGORITHM_LOOKBACK, NULL, 70),
    VARIANT("float32 add fast", CLPRIMS_F32, 4, fill_float, add_float, zero_double, false, 0, 0, 0,
            true),
    {"uint8 to uint64 add",
     CLPRIMS_U8,
     CLPRIMS_U64,
     CLPRIMS_ADD,
     true,
     false,
     1,
     8,
     {0},
     fill_8,
     add_8_to_64,
     join_add_8_to_64,
     &zero_bits,
     0,
     0,
     0,
     false,
     CLPRIMS_ALGORITHM_AUTO,
     NULL,
     0},
    {"int32 min", CLPRIMS_I32,
     CLPRIMS_I32, CLPRIMS_MIN,
     false,       true,
     4,           4,
     {0},         fill_falling,
     min_32,      join_min_32,
     &greatest,   0,
     0,           0,
     false,       CLPRIMS_ALGORITHM_AUTO,
     NULL,        0},
    {"int32 max", CLPRIMS_I32,
     CLPRIMS_I32, CLPRIMS_MAX,
     false,       true,
     4,           4,
     {0},         fill_rising,
     max_32,      join_max_32,
     &smallest,   0,
     0,           0,
     false,       CLPRIMS_ALGORITHM_AUTO,
     NULL,        0},
    {"uint32 saturating sums",
     CLPRIMS_U32,
     CLPRIMS_U32,
     CLPRIMS_CUSTOM,
     false,
     true,
     4,
     4,
     {"add_sat(a, b)", NULL, NULL, 0, &zero_bits, 1},
     fill_small,
     add_until_full,
     join_add_until_full,
     &zero_bits,
     0,
     0,
     0,
     false,
     CLPRIMS_ALGORITHM_AUTO,
     NULL,
     0},
    {"affine maps of halves",
     CLPRIMS_U32,
     CLPRIMS_U32,
     CLPRIMS_CUSTOM,
     true,
     false,
     4,
     4,
     {"compose(a, b)", halves_text, NULL, 0, &unchanged, 0},
     fill_half_maps,
     compose_halves,
     join_compose_halves,
     &unchanged,
     0,
     0,
     0,
     false,
     CLPRIMS_ALGORITHM_AUTO,
     NULL,
     0},
    {"affine maps",
     CLPRIMS_STRUCT,
     CLPRIMS_STRUCT,
     CLPRIMS_CUSTOM,
     true,
     false,
     sizeof(affine),
     sizeof(affine),
     {"compose(a, b)", affine_text, "affine", sizeof(affine), &unchanged, 0},
     fill_maps,
     compose,
     join_compose,
     &unchanged,
     0,
     0,
     0,
     false,
     CLPRIMS_ALGORITHM_AUTO,
     NULL,
     0},
};
const size_t scan_case_count = sizeof scan_cases / sizeof *scan_cases;

static bool same_value(clprims_type type, const void *a, const void *b, size_t bytes) {
    if (type == CLPRIMS_F32) {
        float x, y;
        memcpy(&x, a, sizeof x);
        memcpy(&y, b, sizeof y);
        return x == y;
    }
    if (type == CLPRIMS_F64) {
        double x, y;
        memcpy(&x, a, sizeof x);
        memcpy(&y, b, sizeof y);
        return x == y;
    }
    return memcmp(a, b, bytes) == 0;
}

size_t scan_compare(const scan_case *what, const void *got, const void *want, size_t count) {
    const size_t bytes = what->out_bytes;
    if (memcmp(got, want, count * bytes) == 0) return count;
    size_t i = 0;
    while (i < count && same_value(what->accumulator, (const char *)got + i * bytes,
                                   (const char *)want + i * bytes, bytes))
        i++;
    return i;
}
