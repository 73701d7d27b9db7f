/* SPDX-License-Identifier: MIT */
/* The operators of custom_operators.h and their twins. */
#include "custom_operators.h"

#include <string.h>

enum { PRIME = CUSTOM_PRIME };

void custom_load_affine(const void *in, size_t i, void *value) {
    memcpy(value, (const affine *)in + i, sizeof(affine));
}

void custom_compose(const void *earlier, const void *later, void *result) {
    affine a, b;
    memcpy(&a, earlier, sizeof a);
    memcpy(&b, later, sizeof b);
    const affine c = {(uint32_t)((uint64_t)a.scale * b.scale % PRIME),
                      (uint32_t)(((uint64_t)a.shift * b.scale + b.shift) % PRIME)};
    memcpy(result, &c, sizeof c);
}

const char custom_affine[] = "typedef struct { uint scale; uint shift; } affine;\n"
                             "affine compose(affine a, affine b) {\n"
                             "    affine c;\n"
                             "    c.scale = (uint)((ulong)a.scale * b.scale % 65521);\n"
                             "    c.shift = (uint)(((ulong)a.shift * b.scale + b.shift) % 65521);\n"
                             "    return c;\n"
                             "}\n";

const char custom_last_marked[] = "a == 0 || b == 0 ? 3 : b % 4 != 0 ? b : a";

void custom_load_u32(const void *in, size_t i, void *value) {
    memcpy(value, (const uint32_t *)in + i, sizeof(uint32_t));
}

void custom_keep_last_marked(const void *earlier, const void *later, void *result) {
    uint32_t a, b;
    memcpy(&a, earlier, sizeof a);
    memcpy(&b, later, sizeof b);
    const uint32_t c = b % 4 != 0 ? b : a;
    memcpy(result, &c, sizeof c);
}

void custom_load_square(const void *in, size_t i, void *value) {
    (void)in;
    const uint64_t square = (uint64_t)i * i;
    memcpy(value, &square, sizeof square);
}

void custom_load_scaled(const void *in, size_t i, void *value) {
    const uint64_t x = (uint64_t)((const uint8_t *)in)[i] * 3 + i % 7;
    memcpy(value, &x, sizeof x);
}

void custom_add_u64(const void *earlier, const void *later, void *result) {
    uint64_t a, b;
    memcpy(&a, earlier, sizeof a);
    memcpy(&b, later, sizeof b);
    a += b;
    memcpy(result, &a, sizeof a);
}
