/* SPDX-License-Identifier: MIT */
/* Sums of bytes and halves, which are made within words, or to 64 bits in 32 as long as they
 * fit; and arrays that start at any element, for which a look-ahead has a kernel of its own. */
#include "scan/scan_cases.h"

/* What the bytes of the input are. */
static void fill_random_bits(const subject_data *d, void *in, size_t n) {
    subject_fill(in, d->at[SCAN_IN].bytes, n, 0);
}

static void fill_all_ones(const subject_data *d, void *in, size_t n) {
    memset(in, 0xff, n * d->at[SCAN_IN].bytes);
}

static void fill_top_bits(const subject_data *d, void *in, size_t n) {
    memset(in, 0x80, n * d->at[SCAN_IN].bytes);
}

enum { FILLINGS = 3 };
static const struct {
    const char *name;
    void (*fill)(const subject_data *d, void *in, size_t n);
} fillings[FILLINGS] = {
    {"random-bits", fill_random_bits}, {"all-ones", fill_all_ones}, {"top-bits", fill_top_bits}};

static void add_case(test_cases *cases, scan_case c, int filling, const char *extra) {
    const clprims_scan_desc *d = &c.desc;
    if (d->type < CLPRIMS_F32) c.fill = fillings[filling].fill;
    test_add_row(cases, scan_is_right, c, "scan/narrow/%s%s%s/%s/%s/n=%zu/first=%zu,%zu/%s/%s%s",
                 clprims_type_name(d->type), d->accumulator ? "-" : "",
                 d->accumulator ? clprims_type_name(d->accumulator) : "", clprims_op_name(d->op),
                 d->inclusive ? "inclusive" : "exclusive", c.n, c.in_first, c.out_first,
                 clprims_algorithm_name(d->algorithm), fillings[filling].name, extra);
}

/* Plans take long to compile: where there is no look-ahead, there are fewer. */
static bool has_lookahead(void) {
    return scan_algorithm_count() == 4;
}

static scan_case describe(clprims_type type, clprims_type accumulator,
                          clprims_algorithm algorithm) {
    scan_case c = {.desc.type = type, .desc.accumulator = accumulator, .desc.max_n = 1 << 16};
    c.desc.fast_floats = 1; /* values of these cases are exact in every order */
    scan_set(&c.desc, algorithm, &scan_shapes[1]);
    return c;
}

/* Sizes that cut words, vectors, rows and tiles anywhere; starts that use every bit. */
static void add_words(test_cases *cases) {
    static const clprims_type types[][2] = {
        {CLPRIMS_I8, CLPRIMS_TYPE_DEFAULT}, {CLPRIMS_I16, CLPRIMS_TYPE_DEFAULT},
        {CLPRIMS_U8, CLPRIMS_TYPE_DEFAULT}, {CLPRIMS_U16, CLPRIMS_TYPE_DEFAULT},
        {CLPRIMS_U8, CLPRIMS_I8},           {CLPRIMS_I16, CLPRIMS_U16},
        {CLPRIMS_I8, CLPRIMS_I64},          {CLPRIMS_I16, CLPRIMS_U64},
        {CLPRIMS_U16, CLPRIMS_I64}};
    static const size_t sizes[] = {1,  2,  3,   4,   5,   7,    8,    9,    15,   16,
                                   17, 33, 511, 512, 513, 1023, 1535, 3071, 3073, 20011};
    static const uint64_t start = 0xfff3;
    const size_t count = has_lookahead() ? sizeof types / sizeof *types : test_small() ? 2 : 4;
    for (size_t k = 0; k < count; k++) {
        for (int mode = 0; mode < 2; mode++) {
            const int turn = (int)k + mode;
            const bool ahead = has_lookahead() && turn % 2 == 0;
            if (!has_lookahead() && mode == (int)k % 2) continue;
            scan_case c = describe(types[k][0], types[k][1], scan_algorithm(ahead ? 3 : turn % 3));
            c.desc.inclusive = mode;
            if (k % 2 == 0) c.desc.init = &start;
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
                c.n = sizes[i];
                c.in_first = 3 * i % 17;
                c.out_first = 5 * i % 16;
                if (!test_small() || i % 5 == 2) add_case(cases, c, (int)(i % FILLINGS), "");
            }
        }
    }
}

/* Each place of 16 bytes and more, of input and of output, from and to types of every size. */
static void add_places(test_cases *cases) {
    static const clprims_type types[][2] = {
        {CLPRIMS_U8, CLPRIMS_TYPE_DEFAULT},  {CLPRIMS_I16, CLPRIMS_TYPE_DEFAULT},
        {CLPRIMS_F32, CLPRIMS_TYPE_DEFAULT}, {CLPRIMS_I64, CLPRIMS_TYPE_DEFAULT},
        {CLPRIMS_U8, CLPRIMS_U64},           {CLPRIMS_U16, CLPRIMS_U32},
        {CLPRIMS_I64, CLPRIMS_I32},          {CLPRIMS_I32, CLPRIMS_I8}};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        scan_case c =
            describe(types[k][0], types[k][1], scan_algorithm(has_lookahead() ? 3 : (int)k % 3));
        if (!has_lookahead() && (k > 0 || test_small())) continue;
        const clprims_type to = types[k][1] == CLPRIMS_TYPE_DEFAULT ? types[k][0] : types[k][1];
        const size_t bytes = clprims_type_bytes(types[k][0]), out_bytes = clprims_type_bytes(to);
        const size_t places = 16 / (bytes < out_bytes ? bytes : out_bytes);
        c.desc.inclusive = k % 2;
        c.desc.op = k % 3 == 2 ? CLPRIMS_MAX : CLPRIMS_ADD;
        for (size_t place = 0; place <= places; place++) {
            c.n = 13003 - 97 * place;
            c.in_first = place;
            c.out_first = 5 * place % (places + 3);
            c.in_place = false;
            add_case(cases, c, 0, "");
            c.in_place = bytes == out_bytes && place % 3 == 1;
            if (c.in_place) add_case(cases, c, 0, "/in-place");
        }
    }
}

/* A negative start, which keeps its sign where it is widened. */
static void add_negative_starts(test_cases *cases) {
    static const clprims_type types[] = {CLPRIMS_I8, CLPRIMS_I16};
    static const uint64_t start = 0xfff3;
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        scan_case c = describe(types[k], CLPRIMS_TYPE_DEFAULT, CLPRIMS_ALGORITHM_LOOKBACK);
        c.desc.op = k == 0 ? CLPRIMS_MAX : CLPRIMS_MIN;
        c.desc.init = &start;
        c.n = 100;
        add_case(cases, c, 0, "/negative-start");
    }
}

void add_narrow_cases(test_cases *cases) {
    add_negative_starts(cases);
    add_words(cases);
    add_places(cases);
}
