/* SPDX-License-Identifier: MIT */
/* Sums of bytes and halves, which are made within words, or to 64 bits in 32 as long as they
 * fit; and arrays that start at any element, for which a look-ahead has a kernel of its own. */
#include "scan/scan_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the bytes of the input are. */
typedef enum filling { RANDOM_BITS, ALL_ONES, TOP_BITS, FILLINGS } filling;

static const char *const filling_names[FILLINGS] = {"random-bits", "all-ones", "top-bits"};

typedef struct narrow_case {
    clprims_scan_desc desc;
    size_t n, in_first, out_first;
    filling filling;
    bool in_place;
} narrow_case;

static void fill(const narrow_case *c, void *in) {
    unsigned char *bytes = in;
    if (c->desc.type >= CLPRIMS_F32) {
        test_random_values(c->desc.type, c->desc.op, in, c->n);
        return;
    }
    for (size_t i = 0; i < c->n * scan_in_bytes(&c->desc); i++) {
        const unsigned char random = (unsigned char)test_random();
        bytes[i] = c->filling == RANDOM_BITS ? random : c->filling == ALL_ONES ? 0xff : 0x80;
    }
}

static void narrow_is_right(const void *data) {
    const narrow_case *c = data;
    clprims_scan *scan = scan_plan(&c->desc);
    void *in = test_alloc(c->n, scan_in_bytes(&c->desc));
    fill(c, in);
    if (c->in_place) {
        test_buffer both = test_buffer_create(in, c->n, scan_in_bytes(&c->desc), c->in_first);
        void *out = test_alloc(c->n, scan_out_bytes(&c->desc));
        expect_ok(clprims_scan_enqueue(scan, test_queue(), both.at, both.at, c->n, 0, NULL, NULL));
        test_buffer_read(&both, out);
        expect_scan(&c->desc, in, out, c->n, 0);
        test_buffer_release(&both);
        free(out);
    } else {
        void *out = scan_on_device(scan, &c->desc, in, c->in_first, c->out_first, c->n);
        expect_scan(&c->desc, in, out, c->n, 0);
        free(out);
    }
    free(in);
}

static void add_case(test_cases *cases, const narrow_case *c, const char *extra) {
    const clprims_scan_desc *d = &c->desc;
    test_add(cases, narrow_is_right, c, sizeof *c,
             "scan/narrow/%s%s%s/%s/%s/n=%zu/first=%zu,%zu/%s/%s%s", clprims_type_name(d->type),
             d->accumulator ? "-" : "", d->accumulator ? clprims_type_name(d->accumulator) : "",
             clprims_op_name(d->op), d->inclusive ? "inclusive" : "exclusive", c->n, c->in_first,
             c->out_first, clprims_algorithm_name(d->algorithm), filling_names[c->filling], extra);
}

/* Plans take long to compile: where there is no look-ahead, there are fewer. */
static bool has_lookahead(void) {
    return scan_algorithm_count() == 4;
}

static narrow_case describe(clprims_type type, clprims_type accumulator,
                            clprims_algorithm algorithm) {
    narrow_case c = {.desc = CLPRIMS_SCAN_DESC_INIT};
    c.desc.type = type;
    c.desc.accumulator = accumulator;
    c.desc.max_n = 1 << 16;
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
            narrow_case c =
                describe(types[k][0], types[k][1], scan_algorithm(ahead ? 3 : turn % 3));
            c.desc.inclusive = mode;
            if (k % 2 == 0) c.desc.init = &start;
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
                c.n = sizes[i];
                c.filling = (filling)(i % FILLINGS);
                c.in_first = 3 * i % 17;
                c.out_first = 5 * i % 16;
                if (!test_small() || i % 5 == 2) add_case(cases, &c, "");
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
        narrow_case c =
            describe(types[k][0], types[k][1], scan_algorithm(has_lookahead() ? 3 : (int)k % 3));
        if (!has_lookahead() && (k > 0 || test_small())) continue;
        const size_t bytes = scan_in_bytes(&c.desc), out_bytes = scan_out_bytes(&c.desc);
        const size_t places = 16 / (bytes < out_bytes ? bytes : out_bytes);
        c.desc.inclusive = k % 2;
        c.desc.op = k % 3 == 2 ? CLPRIMS_MAX : CLPRIMS_ADD;
        for (size_t place = 0; place <= places; place++) {
            c.n = 13003 - 97 * place;
            c.in_first = place;
            c.out_first = 5 * place % (places + 3);
            c.in_place = false;
            add_case(cases, &c, "");
            c.in_place = bytes == out_bytes && place % 3 == 1;
            if (c.in_place) add_case(cases, &c, "/in-place");
        }
    }
}

/* A negative start, which keeps its sign where it is widened. */
static void add_negative_starts(test_cases *cases) {
    static const clprims_type types[] = {CLPRIMS_I8, CLPRIMS_I16};
    static const uint64_t start = 0xfff3;
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        narrow_case c = describe(types[k], CLPRIMS_TYPE_DEFAULT, CLPRIMS_ALGORITHM_LOOKBACK);
        c.desc.op = k == 0 ? CLPRIMS_MAX : CLPRIMS_MIN;
        c.desc.init = &start;
        c.n = 100;
        c.filling = RANDOM_BITS;
        add_case(cases, &c, "/negative-start");
    }
}

void add_narrow_cases(test_cases *cases) {
    add_negative_starts(cases);
    add_words(cases);
    add_places(cases);
}
