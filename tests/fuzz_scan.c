/* SPDX-License-Identifier: MIT */
/* Draws scans: types, operators of ours and of the user's, algorithms, knobs, sizes, places. */
#include "fuzz.h"
#include "oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A plan and the text that it was made of. */
typedef struct drawn_scan {
    clprims_scan_desc desc;
    clprims_scan *scan;
    const oracle_twin *twin; /* NULL: a built-in operator */
    uint64_t init[2];
    char tuning[96];
} drawn_scan;

/* ---- Operators of the user's ------------------------------------------------------------------
 */

enum { PRIME = 65521 };

/* x -> scale * x + shift modulo PRIME, composed: associative, not commutative. */
typedef struct line {
    uint32_t scale, shift;
} line;

static const char line_text[] =
    "typedef struct { uint scale, shift; } line;\n"
    "line along(line a, line b) {\n"
    "    line c;\n"
    "    c.scale = (uint)((ulong)a.scale * b.scale % 65521);\n"
    "    c.shift = (uint)(((ulong)a.shift * b.scale + b.shift) % 65521);\n"
    "    return c;\n"
    "}\n";

static const line same_line = {1, 0};

static void load_line(const void *in, size_t i, void *value) {
    memcpy(value, (const line *)in + i, sizeof(line));
}

static void along(const void *earlier, const void *later, void *result) {
    line a, b;
    memcpy(&a, earlier, sizeof a);
    memcpy(&b, later, sizeof b);
    const line c = {(uint32_t)((uint64_t)a.scale * b.scale % PRIME),
                    (uint32_t)(((uint64_t)a.shift * b.scale + b.shift) % PRIME)};
    memcpy(result, &c, sizeof c);
}

/* The last that is not 0: associative, not commutative. */
static void load_word(const void *in, size_t i, void *value) {
    memcpy(value, (const uint32_t *)in + i, sizeof(uint32_t));
}

static void last_set(const void *earlier, const void *later, void *result) {
    uint32_t a, b;
    memcpy(&a, earlier, sizeof a);
    memcpy(&b, later, sizeof b);
    if (b != 0) a = b;
    memcpy(result, &a, sizeof a);
}

/* x * x + i, summed. */
static void load_square(const void *in, size_t i, void *value) {
    const uint32_t x = ((const uint32_t *)in)[i], y = x * x + (uint32_t)i;
    memcpy(value, &y, sizeof y);
}

static void add_words(const void *earlier, const void *later, void *result) {
    uint32_t a, b;
    memcpy(&a, earlier, sizeof a);
    memcpy(&b, later, sizeof b);
    a += b;
    memcpy(result, &a, sizeof a);
}

static const oracle_twin line_twin = {load_line, along, sizeof(line)};
static const oracle_twin set_twin = {load_word, last_set, sizeof(uint32_t)};
static const oracle_twin square_twin = {load_square, add_words, sizeof(uint32_t)};

static void draw_custom(drawn_scan *d) {
    static const uint32_t zero = 0;
    const uint64_t kind = test_random_below(3);
    d->desc.type = kind == 0 ? CLPRIMS_STRUCT : CLPRIMS_U32;
    if (kind == 0) {
        d->twin = &line_twin;
        d->desc.op = CLPRIMS_CUSTOM;
        d->desc.custom =
            (clprims_custom){"along(a, b)", line_text, "line", sizeof(line), &same_line, 0};
    } else if (kind == 1) {
        d->twin = &set_twin;
        d->desc.op = CLPRIMS_CUSTOM;
        d->desc.custom = (clprims_custom){"b != 0 ? b : a", NULL, NULL, 0, &zero, 0};
    } else {
        d->twin = &square_twin;
        d->desc.input = "x * x + (uint)i";
    }
}

/* ---- Descriptions -----------------------------------------------------------------------------
 */

static void draw_built_in(drawn_scan *d) {
    clprims_scan_desc *desc = &d->desc;
    const double seven = 7;
    desc->type = (clprims_type)fuzz_between(CLPRIMS_I8, CLPRIMS_F64);
    const bool is_float = desc->type >= CLPRIMS_F32;
    desc->op = (clprims_op)fuzz_between(CLPRIMS_ADD, is_float ? CLPRIMS_MUL : CLPRIMS_XOR);
    desc->accumulator = desc->type;
    if (fuzz_coin()) {
        desc->accumulator = is_float ? CLPRIMS_F64 : (clprims_type)fuzz_between(1, CLPRIMS_U64);
    }
    if (test_random_below(3) != 0) return;
    desc->init = d->init;
    d->init[0] = 7;
    if (desc->accumulator == CLPRIMS_F64) memcpy(d->init, &seven, sizeof seven);
    if (desc->accumulator == CLPRIMS_F32) memcpy(d->init, &(float){7}, sizeof(float));
}

/* Knobs that are mostly allowed, tiles small enough for many of them. */
static void draw_tuning(drawn_scan *d) {
    const bool alone = fuzz_coin();
    const size_t group = alone ? 1 : (size_t)1 << fuzz_between(4, 8);
    if (test_random_below(4) == 0) return;
    d->desc.tuning = d->tuning;
    if (d->desc.algorithm == CLPRIMS_SCAN_LOOKAHEAD) {
        static const char *const means[] = {"", " CAPABILITY=70", " CAPABILITY=80"};
        snprintf(d->tuning, sizeof d->tuning, "SCANNERS=%zu REDUCERS=%zu ROWS=%zu STAGES=%zu%s",
                 fuzz_between(1, 6), fuzz_between(1, 4), fuzz_between(1, 6), fuzz_between(2, 6),
                 means[fuzz_between(0, 2)]);
    } else {
        snprintf(d->tuning, sizeof d->tuning, "GROUP=%zu ROWS=%zu SPINS=%zu", group,
                 alone ? fuzz_between(1, 200) : fuzz_between(1, 6), fuzz_between(1, 64));
    }
}

static void draw_desc(drawn_scan *d) {
    d->desc = (clprims_scan_desc)CLPRIMS_SCAN_DESC_INIT;
    if (test_random_below(4) == 0) {
        draw_custom(d);
    } else {
        draw_built_in(d);
    }
    d->desc.inclusive = fuzz_coin();
    d->desc.fast_floats = fuzz_coin();
    d->desc.algorithm =
        (clprims_scan_algorithm)fuzz_between(CLPRIMS_SCAN_AUTO, CLPRIMS_SCAN_REDUCE_THEN_SCAN);
    if (test_random_below(16) == 0) d->desc.algorithm = CLPRIMS_SCAN_LOOKAHEAD;
    d->desc.max_n = 2 + fuzz_size(test_small() ? 600 : 300000);
    if (d->desc.algorithm != CLPRIMS_SCAN_AUTO) draw_tuning(d);
    fuzz_note("scan %s to %s %s %s, init %s, input %s, max_n %zu, %s, fast %d, tuning %s",
              clprims_type_name(d->desc.type), clprims_type_name(d->desc.accumulator),
              clprims_op_name(d->desc.op), d->desc.inclusive ? "inclusive" : "exclusive",
              d->desc.init ? "7" : "none", d->desc.input ? d->desc.input : "x", d->desc.max_n,
              clprims_scan_algorithm_name(d->desc.algorithm), d->desc.fast_floats,
              d->desc.tuning ? d->desc.tuning : "none");
}

/* ---- Runs -------------------------------------------------------------------------------------
 */

static void expect_result(const drawn_scan *d, const void *in, const void *out, size_t n) {
    if (d->twin == NULL) {
        expect_scan(&d->desc, in, out, n, 0);
        return;
    }
    static const uint32_t zero[2] = {0, 0};
    const void *identity = d->twin == &line_twin ? (const void *)&same_line : zero;
    void *expected = test_alloc(n, d->twin->accumulator_bytes);
    oracle_scan_custom(d->twin, d->desc.inclusive, identity, in, expected, n);
    expect_elements(expected, out, n, d->twin->accumulator_bytes);
    free(expected);
}

static void run_enqueued(const drawn_scan *d, const void *in, size_t in_bytes, size_t out_bytes,
                         size_t n) {
    const bool in_place = in_bytes == out_bytes && fuzz_coin();
    test_buffer from = test_buffer_create(in, n, in_bytes, fuzz_between(0, 9));
    test_buffer to = test_buffer_create(NULL, n, out_bytes, fuzz_between(0, 9));
    const test_buffer *target = in_place ? &from : &to;
    void *out = test_alloc(n, out_bytes);
    expect_ok(clprims_scan_enqueue(d->scan, test_queue(), from.at, target->at, n, 0, NULL, NULL));
    test_buffer_read(target, out);
    if (!in_place) test_buffer_expect_unchanged(&from, in);
    expect_result(d, in, out, n);
    test_buffer_release(&from);
    test_buffer_release(&to);
    free(out);
}

static void run_plain(const drawn_scan *d, const void *in, size_t in_bytes, size_t out_bytes,
                      size_t n) {
    test_array from = test_array_create(in, n, in_bytes);
    test_array to = test_array_create(NULL, n, out_bytes);
    void *out = in_bytes == out_bytes && fuzz_coin() ? from.values : to.values;
    expect_ok(clprims_scan_run(d->scan, from.values, out, n));
    expect_result(d, in, out, n);
    test_array_expect_guards(&from);
    test_array_expect_guards(&to);
    test_array_free(&from);
    test_array_free(&to);
}

static void run(const drawn_scan *d) {
    const bool is_struct = d->desc.type == CLPRIMS_STRUCT;
    const size_t in_bytes = is_struct ? sizeof(line) : clprims_type_bytes(d->desc.type);
    const size_t out_bytes =
        d->twin != NULL ? d->twin->accumulator_bytes : clprims_type_bytes(d->desc.accumulator);
    const size_t n = fuzz_size(d->desc.max_n);
    void *in = test_alloc(n, in_bytes);
    if (is_struct) {
        for (size_t i = 0; i < n; i++)
            ((line *)in)[i] =
                (line){(uint32_t)fuzz_between(1, PRIME - 1), (uint32_t)fuzz_between(0, PRIME - 1)};
    } else {
        test_random_values(d->desc.type, d->twin ? CLPRIMS_ADD : d->desc.op, in, n);
    }
    for (size_t i = 0; d->twin == &set_twin && i < n; i++)
        if (test_random_below(8) != 0) ((uint32_t *)in)[i] = 0;
    if (test_random_below(4) == 0) {
        run_plain(d, in, in_bytes, out_bytes, n);
    } else {
        run_enqueued(d, in, in_bytes, out_bytes, n);
    }
    free(in);
}

void fuzz_scan(void) {
    drawn_scan d = {.scan = NULL};
    draw_desc(&d);
    if (!fuzz_created(clprims_scan_create(&d.scan, test_context(), &d.desc))) return;
    const size_t runs = fuzz_between(1, 8);
    for (size_t i = 0; i < runs; i++) run(&d);
    clprims_scan_destroy(d.scan);
}
