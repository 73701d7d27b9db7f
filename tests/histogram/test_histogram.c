/* SPDX-License-Identifier: MIT */
/* Histograms beside their plain-C twin: every way to count, every n around tiles and slices. */
#include "histogram/histogram_cases.h"

/* GROUP=1 is what CPUs take; PARTS=0 leaves device memory alone. */
const histogram_shape histogram_shapes[HISTOGRAM_SHAPES] = {
    {"serial", "GROUP=1 SLICES=3"},
    {"local", "GROUP=64 SLICES=3 DEPTH=2 COPIES=8"},
    {"parts", "GROUP=32 SLICES=9 DEPTH=1 COPIES=4 PARTS=64 PART_BINS=100"},
    {"global", "GROUP=64 SLICES=2 DEPTH=4 PARTS=0"},
    {"bytewise", "GROUP=64 DEPTH=2 BYTEWISE=1 FEW=1000"}};

/* ---- Plans and runs ---- */

clprims_histogram *histogram_plan(const clprims_histogram_desc *desc) {
    test_needs_types(desc->type, desc->weights);
    return subject_kept_plan(&subject_histogram, desc);
}

static void compare(const histogram_twin *twin, const histogram_given *given, size_t first,
                    size_t n, bool by_run) {
    const size_t firsts[SUBJECT_SLOTS] = {first, first % 4, first % 3, first % 2};
    const subject_data like = {.of = &subject_histogram,
                               .desc = &twin->desc,
                               .n = {n},
                               .most = {twin->desc.max_n},
                               .user = given};
    subject_drawn_is_right(&like, histogram_plan(&twin->desc), firsts, by_run);
}

void histogram_compare(const histogram_twin *twin, const void *in, const void *weights,
                       size_t first, size_t n) {
    compare(twin, &(const histogram_given){twin->bin, in, weights}, first, n, false);
}

void histogram_compare_run(const histogram_twin *twin, const void *in, size_t n) {
    compare(twin, &(const histogram_given){twin->bin, in, NULL}, 0, n, true);
}

histogram_twin histogram_even(clprims_type type, size_t bins, double least, double most,
                              size_t max_n) {
    histogram_twin twin = {{0}, NULL};
    twin.desc.type = type;
    twin.desc.bins = bins;
    twin.desc.least = least;
    twin.desc.most = most;
    twin.desc.max_n = max_n;
    return twin;
}

static uint64_t byte(const void *element, uint64_t i) {
    (void)i;
    return *(const uint8_t *)element;
}

histogram_twin histogram_by_value(size_t bins, clprims_type weights, size_t max_n) {
    histogram_twin twin = {{0}, byte};
    twin.desc.type = CLPRIMS_U8;
    twin.desc.by = CLPRIMS_HISTOGRAM_EXPRESSION;
    twin.desc.bin = "x";
    twin.desc.bins = bins;
    twin.desc.weights = weights;
    twin.desc.max_n = max_n;
    return twin;
}

/* ---- Expressions ---- */

static uint64_t high_byte(const void *element, uint64_t i) {
    uint32_t x;
    (void)i;
    memcpy(&x, element, sizeof x);
    return x >> 24;
}

/* (x - 3) % 7 of an int, which is negative for some. */
static uint64_t signed_rest(const void *element, uint64_t i) {
    int32_t x;
    (void)i;
    memcpy(&x, element, sizeof x);
    return (uint64_t)(int64_t)(x % 7);
}

static uint64_t by_index(const void *element, uint64_t i) {
    uint16_t x;
    memcpy(&x, element, sizeof x);
    return i % 1000 + x % 16;
}

typedef struct expression {
    const char *name;
    clprims_type type;
    const char *text;
    histogram_bin *bin;
    size_t bins;
    clprims_type sums;
    size_t shape; /* the only one outside of the long tier, but for the first expression */
} expression;

static const expression expressions[] = {
    {"high-byte", CLPRIMS_U32, "x >> 24", high_byte, 256, CLPRIMS_U32, 0},
    {"bytes", CLPRIMS_U8, "x", byte, 256, CLPRIMS_U64, HISTOGRAM_LOCAL},
    {"signed", CLPRIMS_I32, "x % 7", signed_rest, 5, CLPRIMS_I64, HISTOGRAM_SERIAL},
    {"by-index", CLPRIMS_U16, "i % 1000 + x % 16", by_index, 1010, CLPRIMS_U32, HISTOGRAM_PARTS},
};
enum { EXPRESSIONS = sizeof expressions / sizeof expressions[0] };

typedef struct count_case {
    const expression *what;
    const histogram_shape *shape;
    size_t n, first;
    bool alike; /* all elements */
    bool by_run; /* through clprims_histogram_run */
} count_case;

static histogram_twin twin_of(const expression *what, const histogram_shape *shape) {
    histogram_twin twin = {{0}, what->bin};
    twin.desc.type = what->type;
    twin.desc.by = CLPRIMS_HISTOGRAM_EXPRESSION;
    twin.desc.bin = what->text;
    twin.desc.bins = what->bins;
    twin.desc.sums = what->sums;
    twin.desc.max_n = 70000;
    twin.desc.tuning = shape->tuning;
    return twin;
}

static void counts_are_right(const void *data) {
    const count_case *c = data;
    const histogram_twin twin = twin_of(c->what, c->shape);
    const size_t bytes = clprims_type_bytes(c->what->type);
    unsigned char *in = test_scratch(c->n, bytes);
    test_random_values(c->what->type, CLPRIMS_XOR, in, c->n);
    for (size_t i = 1; i < c->n && c->alike; i++) memcpy(in + i * bytes, in, bytes);
    if (c->by_run) {
        histogram_compare_run(&twin, in, c->n);
    } else {
        histogram_compare(&twin, in, NULL, c->first, c->n);
    }
}

static void add_count(test_cases *cases, const count_case *c) {
    if (c->shape != &histogram_shapes[HISTOGRAM_SERIAL] && !test_bears_shapes()) return;
    test_add_row(cases, counts_are_right, *c, "histogram/%s/%s/n=%zu/first=%zu%s%s", c->what->name,
                 c->shape->name, c->n, c->first, c->alike ? "/alike" : "", c->by_run ? "/run" : "");
}

/* Around vectors, tiles of 256 to 1024 elements, and slices of 8192. */
static void add_counts(test_cases *cases) {
    static const size_t sizes[] = {0,    1,    2,    3,     4,     5,     15,    16,   17,
                                   63,   64,   65,   127,   255,   256,   257,   511,  512,
                                   513,  1023, 1024, 1025,  2047,  2048,  2049,  4097, 8191,
                                   8192, 8193, 9999, 16384, 16385, 24577, 40000, 70000};
    const size_t largest = test_small() ? 1025 : SIZE_MAX;
    for (size_t e = 0; e < EXPRESSIONS; e++) {
        for (size_t s = 0; s < HISTOGRAM_BYTEWISE; s++) {
            const bool all = e == 0 || test_long();
            count_case c = {.what = &expressions[e], .shape = &histogram_shapes[s]};
            if (e > 0 && s != expressions[e].shape && !test_long()) continue;
            if (test_small() && e > 1) continue;
            for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
                c.n = sizes[i];
                c.first = i % 19;
                if (c.n <= largest && (all || i % 3 == 0)) add_count(cases, &c);
            }
            c.n = test_small() ? 700 : 33333;
            c.alike = true;
            add_count(cases, &c);
            c.alike = false;
            c.by_run = true;
            add_count(cases, &c);
        }
    }
}

/* ---- Bytes by their values ---- */

typedef enum byte_values { RANDOM, ALIKE, TWO, ONE_OF_EACH_16 } byte_values;

static const char *const byte_values_names[] = {
    [RANDOM] = "", [ALIKE] = "/alike", [TWO] = "/two", [ONE_OF_EACH_16] = "/one-of-each-16"};

typedef struct byte_case {
    size_t n, first;
    byte_values values;
} byte_case;

static void choose_bytes(const byte_case *c, uint8_t *in) {
    test_random_values(CLPRIMS_U8, CLPRIMS_XOR, in, c->n);
    for (size_t i = 0; i < c->n; i++) {
        if (c->values == ALIKE) in[i] = 0xfe;
        if (c->values == TWO) in[i] = in[i] & 1 ? 0x80 : 0xff;
        if (c->values == ONE_OF_EACH_16) in[i] = i % 16 == 0;
    }
}

static void bytes_are_counted(const void *data) {
    const byte_case *c = data;
    histogram_twin twin = histogram_even(CLPRIMS_U8, 256, 0, 256, 100000);
    uint8_t *in = test_scratch(c->n, 1);
    twin.desc.tuning = histogram_shapes[HISTOGRAM_BYTEWISE].tuning;
    choose_bytes(c, in);
    histogram_compare(&twin, in, NULL, c->first, c->n);
}

static void add_byte_case(test_cases *cases, size_t n, size_t first, byte_values values) {
    const byte_case c = {n, first, values};
    if (test_small() && n > 2049) return;
    test_add_row(cases, bytes_are_counted, c, "histogram/bytewise/n=%zu/first=%zu%s", n, first,
                 byte_values_names[values]);
}

/* Around vectors of 16, tiles of 2048, and shares of a group of 32768. More than 16384 equal bytes
 * of its 64 work-items are more than bytes count. Of 17 vectors each, and 14 single bytes, those
 * come last that let counters wrap around. */
static void add_bytes(test_cases *cases) {
    static const size_t sizes[] = {0,    1,    15,    16,    17,    31,    1023,  2047,  2048,
                                   2049, 4096, 32767, 32768, 32769, 65537, 70001, 100000};
    const size_t count = sizeof sizes / sizeof sizes[0];
    if (!test_bears_shapes()) return;
    for (size_t i = 0; i < 2 * count; i++) {
        add_byte_case(cases, sizes[i / 2], i % 19, i % 2 == 1 ? ALIKE : RANDOM);
    }
    for (size_t i = count - 5; i < count; i++) add_byte_case(cases, sizes[i], i, TWO);
    for (size_t first = 0; first < 3; first++) {
        add_byte_case(cases, 17 * 16 * 64 + 15, first, ONE_OF_EACH_16);
    }
}

/* ---- Counters that wrap around ---- */

/* More equal elements of a work-item than 16 bits count, of up to six compute units. */
static void counters_wrap(void) {
    enum { N = 400000 };
    histogram_twin twin = histogram_even(CLPRIMS_U32, 300, 0, 300, N);
    uint32_t *in = test_scratch(N, sizeof *in);
    for (size_t i = 0; i < N; i++) in[i] = 77;
    twin.desc.sums = CLPRIMS_U32;
    twin.desc.tuning = "GROUP=1 SLICES=1 COPIES=1";
    histogram_compare_run(&twin, in, N);
}

/* ---- More bins than counters ---- */

static size_t numbers; /* the bins of many_bins, and those outside */

static uint64_t rest(const void *element, uint64_t i) {
    uint32_t x;
    (void)i;
    memcpy(&x, element, sizeof x);
    return x % numbers;
}

/* A plan whose number of bins changes the default shape. */
static void many_bins(const void *data) {
    enum { N = 30000 };
    static char text[64];
    histogram_twin twin = {{0}, rest};
    uint32_t *in = test_scratch(N, sizeof *in);
    twin.desc.bins = *(const size_t *)data;
    numbers = twin.desc.bins + twin.desc.bins / 8;
    snprintf(text, sizeof text, "x %% %zuu", numbers);
    twin.desc.type = twin.desc.sums = CLPRIMS_U32;
    twin.desc.by = CLPRIMS_HISTOGRAM_EXPRESSION;
    twin.desc.bin = text;
    twin.desc.max_n = N;
    test_random_values(CLPRIMS_U32, CLPRIMS_XOR, in, N);
    histogram_compare_run(&twin, in, N);
}

/* ---- Texts with types and parameters ---- */

typedef struct point {
    float x, y;
    uint32_t kind;
} point;

static float limit;

static uint64_t point_bin(const void *element, uint64_t i) {
    point p;
    (void)i;
    memcpy(&p, element, sizeof p);
    return p.x > limit ? 5 - p.kind : UINT64_MAX;
}

static void structs_and_parameters(void) {
    histogram_twin twin = {{0}, point_bin};
    const size_t n = test_small() ? 300 : 5000;
    const uint32_t map[6] = {5, 4, 3, 2, 1, 0};
    point *in = test_scratch(n, sizeof *in);
    twin.desc.type = CLPRIMS_STRUCT;
    twin.desc.custom.type_name = "point";
    twin.desc.custom.type_bytes = sizeof *in;
    twin.desc.custom.declarations = "typedef struct { float x, y; uint kind; } point;";
    twin.desc.by = CLPRIMS_HISTOGRAM_EXPRESSION;
    twin.desc.bin = "x.x > limit ? (long)map[x.kind] : -1l";
    twin.desc.parameters = "float limit, global const uint *map";
    twin.desc.bins = 6;
    twin.desc.max_n = n;
    for (size_t i = 0; i < n; i++) {
        const uint32_t kind = (uint32_t)test_random_below(6);
        in[i] = (point){(float)test_random_below(100), 0, kind};
    }
    clprims_histogram *plan = histogram_plan(&twin.desc);
    test_buffer table = test_buffer_create(map, 6, sizeof map[0], 0);
    expect_failure(clprims_histogram_run(plan, &(clprims_histogram_arrays){.in = in, .out = in}, n),
                   CLPRIMS_ERR_ARGUMENT, "histogram: parameter 0, limit, was never set");
    expect_ok(clprims_histogram_set_parameter(plan, 1, sizeof table.at.mem, &table.at.mem));
    for (limit = 20; limit < 100; limit += 50) {
        expect_ok(clprims_histogram_set_parameter(plan, 0, sizeof limit, &limit));
        histogram_compare_run(&twin, in, n);
    }
}

/* ---- What describe says ---- */

static void describes(void) {
    clprims_histogram_info info = {0};
    test_want_shapes();
    for (size_t s = 0; s < HISTOGRAM_BYTEWISE; s++) {
        static const char *const variants[] = {"serial", "local", "local", "global"};
        static const size_t parts[] = {1, 1, 3, 1}, copies[] = {2, 8, 4, 1};
        histogram_twin twin = twin_of(&expressions[0], &histogram_shapes[s]);
        if (s == HISTOGRAM_SERIAL) twin.desc.tuning = "GROUP=1 COPIES=2";
        clprims_histogram *plan = histogram_plan(&twin.desc);
        expect_ok(clprims_histogram_describe(plan, twin.desc.max_n, &info));
        expect_contains(info.variant, variants[s]);
        if (info.parts != parts[s] || info.copies != copies[s] || info.groups % parts[s] != 0 ||
            info.scratch_bytes < twin.desc.bins * 4) {
            test_fail("%s: %zu parts, %zu copies, %zu groups, %zu bytes", info.variant, info.parts,
                      info.copies, info.groups, info.scratch_bytes);
        }
    }
}

void test_program(test_cases *cases) {
    static const size_t many[] = {4097, ((size_t)1 << 22) + 1, 100003, 1};
    add_counts(cases);
    add_bytes(cases);
    if (!test_small()) test_add_plain(cases, counters_wrap, "histogram/counters-wrap");
    for (size_t i = 0; i < (test_long() ? 4 : 2) && !test_small(); i++) {
        test_add_row(cases, many_bins, many[i], "histogram/bins=%zu", many[i]);
    }
    test_add_plain(cases, structs_and_parameters, "histogram/structs-and-parameters");
    test_add_plain(cases, describes, "histogram/describes");
    add_range_cases(cases);
    add_weight_cases(cases);
    add_refusal_cases(cases);
    add_run_cases(cases);
    add_counted_cases(cases);
}
