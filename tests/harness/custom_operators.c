/* SPDX-License-Identifier: MIT */
/* The operands of custom_operators.h, each with its twin. */
#include "harness/custom_operators.h"

const void *custom_start(const custom_operand *operand) {
    static const uint64_t zero = 0;
    if (operand->init != NULL) return operand->init;
    return operand->custom.identity != NULL ? operand->custom.identity : &zero;
}

/* ---- Affine maps ---- */

enum { PRIME = 65521 };

typedef struct affine {
    uint32_t scale;
    uint32_t shift;
} affine;

const char custom_affine_text[] = "typedef struct { uint scale; uint shift; } affine;\n"
                                  "affine compose(affine a, affine b) {\n"
                                  "    affine c;\n"
                                  "    c.scale = (uint)((ulong)a.scale * b.scale % 65521);\n"
                                  "    c.shift = (uint)(((ulong)a.shift * b.scale + b.shift) % "
                                  "65521);\n"
                                  "    return c;\n"
                                  "}\n";
const uint32_t custom_affine_identity[2] = {1, 0};

static void load_affine(const void *in, size_t i, void *value) {
    memcpy(value, (const affine *)in + i, sizeof(affine));
}

static void compose(const void *earlier, const void *later, void *result) {
    affine a, b;
    memcpy(&a, earlier, sizeof a);
    memcpy(&b, later, sizeof b);
    const affine c = {(uint32_t)((uint64_t)a.scale * b.scale % PRIME),
                      (uint32_t)(((uint64_t)a.shift * b.scale + b.shift) % PRIME)};
    memcpy(result, &c, sizeof c);
}

static void fill_affine(void *in, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const uint32_t x = (uint32_t)test_random();
        ((affine *)in)[i] = (affine){x % PRIME, (x >> 8) % PRIME};
    }
}

const custom_operand custom_affine = {.name = "affine",
                                      .type = CLPRIMS_STRUCT,
                                      .op = CLPRIMS_CUSTOM,
                                      .custom = {"compose(a, b)", custom_affine_text, "affine",
                                                 sizeof(affine), custom_affine_identity, 0},
                                      .twin = {load_affine, compose, sizeof(affine)},
                                      .fill = fill_affine};

/* ---- The last marked value ---- */

static const uint32_t nine = 9;

static void load_u32(const void *in, size_t i, void *value) {
    memcpy(value, (const uint32_t *)in + i, sizeof(uint32_t));
}

static void keep_last_marked(const void *earlier, const void *later, void *result) {
    uint32_t a, b;
    memcpy(&a, earlier, sizeof a);
    memcpy(&b, later, sizeof b);
    const uint32_t c = b % 4 != 0 ? b : a;
    memcpy(result, &c, sizeof c);
}

static void fill_marked(void *in, size_t n) {
    for (size_t i = 0; i < n; i++) ((uint32_t *)in)[i] = (uint32_t)test_random() % 1000 + 1;
}

const custom_operand custom_marked = {.name = "marked",
                                      .type = CLPRIMS_U32,
                                      .op = CLPRIMS_CUSTOM,
                                      .custom = {.op = "a == 0 || b == 0 ? 3 : b % 4 != 0 ? b : a"},
                                      .init = &nine,
                                      .twin = {load_u32, keep_last_marked, sizeof(uint32_t)},
                                      .fill = fill_marked};

/* ---- Sums of inputs that are expressions ---- */

static void load_square(const void *in, size_t i, void *value) {
    (void)in;
    const uint64_t square = (uint64_t)i * i;
    memcpy(value, &square, sizeof square);
}

static void load_scaled(const void *in, size_t i, void *value) {
    const uint64_t x = (uint64_t)((const uint8_t *)in)[i] * 3 + i % 7;
    memcpy(value, &x, sizeof x);
}

static void add_u64(const void *earlier, const void *later, void *result) {
    uint64_t a, b;
    memcpy(&a, earlier, sizeof a);
    memcpy(&b, later, sizeof b);
    a += b;
    memcpy(result, &a, sizeof a);
}

static void fill_unused(void *in, size_t n) {
    memset(in, 0, n * sizeof(uint64_t));
}

static void fill_scaled(void *in, size_t n) {
    for (size_t i = 0; i < n; i++) ((uint8_t *)in)[i] = (uint8_t)test_random();
}

const custom_operand custom_squares = {.name = "squares",
                                       .type = CLPRIMS_U64,
                                       .input = "i * i",
                                       .no_input_array = 1,
                                       .twin = {load_square, add_u64, sizeof(uint64_t)},
                                       .fill = fill_unused};

const custom_operand custom_scaled = {.name = "scaled",
                                      .type = CLPRIMS_U8,
                                      .accumulator = CLPRIMS_U64,
                                      .input = "(ulong)x * 3 + i % 7",
                                      .twin = {load_scaled, add_u64, sizeof(uint64_t)},
                                      .fill = fill_scaled};

/* ---- All ---- */

const custom_operand *const custom_operands[CUSTOM_OPERANDS] = {&custom_affine, &custom_marked,
                                                                &custom_squares, &custom_scaled};
