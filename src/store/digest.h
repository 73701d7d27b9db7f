/* SPDX-License-Identifier: MIT */
/* Digests of texts and files. */
#ifndef CLP_DIGEST_H
#define CLP_DIGEST_H

#include <stddef.h>
#include <stdint.h>

typedef struct clp_span {
    const void *bytes;
    size_t count;
} clp_span;

enum { CLP_DIGEST_BYTES = 32, CLP_DIGEST_CHARS = 2 * CLP_DIGEST_BYTES + 1 };

typedef struct clp_digest {
    uint8_t bytes[CLP_DIGEST_BYTES];
} clp_digest;

/* The SHA-256 of the spans one behind another. */
clp_digest clp_digest_of(const clp_span *spans, size_t count);

/* In hexadecimal. */
void clp_digest_print(const clp_digest *digest, char text[CLP_DIGEST_CHARS]);

#endif
