/* SPDX-License-Identifier: MIT */
/* Digests of descriptions: each member's bytes, each text, each value behind a pointer. */
#include "mpi/mpi_digest.h"

#include <stdbool.h>
#include <string.h>

typedef struct part {
    const void *at; /* NULL: the caller gives none */
    size_t bytes;
} part;

/* clang-format off */
#define MEMBER(member) { &(member), sizeof(member) }
#define TEXT(text) { text, (text) != NULL ? strlen(text) : 0 }
#define CUSTOM(custom, value_bytes)                                                                \
    TEXT((custom).op), TEXT((custom).declarations), TEXT((custom).type_name),                      \
    MEMBER((custom).type_bytes), MEMBER((custom).commutative), { (custom).identity, value_bytes }
#define VALUE(pointer, bytes) { pointer, bytes }
#define DIGEST(...)                                                                                \
    digest((const part[]){__VA_ARGS__}, sizeof((const part[]){__VA_ARGS__}) / sizeof(part))
/* clang-format on */

/* FNV-1a */
static uint64_t add(uint64_t digest, const void *bytes, size_t count) {
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < count; i++) digest = (digest ^ byte[i]) * 0x100000001b3u;
    return digest;
}

/* The length of each part comes first, so that neighbours can't exchange bytes. */
static uint64_t digest(const part *parts, size_t count) {
    uint64_t digest = 0xcbf29ce484222325u;
    for (size_t k = 0; k < count; k++) {
        const size_t bytes = parts[k].at != NULL ? parts[k].bytes : SIZE_MAX;
        digest = add(digest, &bytes, sizeof bytes);
        if (parts[k].at != NULL) digest = add(digest, parts[k].at, bytes);
    }
    return digest;
}

size_t clp_mpi_value_bytes(clprims_type type, clprims_type accumulator,
                           const clprims_custom *custom) {
    if (accumulator != CLPRIMS_TYPE_DEFAULT) type = accumulator;
    return type == CLPRIMS_STRUCT ? custom->type_bytes : clprims_type_bytes(type);
}

uint64_t clp_mpi_digest_reduce(const clprims_reduce_desc *d) {
    const size_t value = clp_mpi_value_bytes(d->type, d->accumulator, &d->custom);
    const bool is_arg = d->op == CLPRIMS_ARGMIN || d->op == CLPRIMS_ARGMAX;
    return DIGEST(MEMBER(d->type), MEMBER(d->accumulator), MEMBER(d->op),
                  VALUE(d->init, is_arg ? sizeof(int64_t) : value), MEMBER(d->fast_floats),
                  TEXT(d->input), MEMBER(d->no_input_array),
                  CUSTOM(d->custom, d->op == CLPRIMS_CUSTOM ? value : 0), TEXT(d->tuning),
                  TEXT(d->parameters), TEXT(d->result), MEMBER(d->result_type));
}

uint64_t clp_mpi_digest_scan(const clprims_scan_desc *d) {
    const size_t value = clp_mpi_value_bytes(d->type, d->accumulator, &d->custom);
    return DIGEST(MEMBER(d->type), MEMBER(d->accumulator), MEMBER(d->op), MEMBER(d->inclusive),
                  VALUE(d->init, value), MEMBER(d->algorithm), MEMBER(d->fast_floats),
                  TEXT(d->input), MEMBER(d->no_input_array),
                  CUSTOM(d->custom, d->op == CLPRIMS_CUSTOM ? value : 0), TEXT(d->tuning),
                  TEXT(d->parameters), TEXT(d->result), MEMBER(d->result_type));
}

uint64_t clp_mpi_digest_select(const clprims_select_desc *d) {
    return DIGEST(MEMBER(d->by), MEMBER(d->arrays), MEMBER(d->type), MEMBER(d->no_values),
                  MEMBER(d->indices), MEMBER(d->lengths), MEMBER(d->partition), TEXT(d->predicate),
                  TEXT(d->equal), MEMBER(d->algorithm), CUSTOM(d->custom, 0), TEXT(d->tuning),
                  TEXT(d->parameters), TEXT(d->result), MEMBER(d->result_type));
}

uint64_t clp_mpi_digest_offsets(const clprims_offsets_desc *d) {
    return DIGEST(MEMBER(d->type), MEMBER(d->counts), MEMBER(d->algorithm), TEXT(d->tuning));
}

uint64_t clp_mpi_digest_sort(const clprims_sort_desc *d) {
    return DIGEST(MEMBER(d->type), MEMBER(d->descending), MEMBER(d->floats), MEMBER(d->begin_bit),
                  MEMBER(d->end_bit), MEMBER(d->payloads), MEMBER(d->indices),
                  MEMBER(d->payload_bytes), MEMBER(d->no_keys), MEMBER(d->algorithm),
                  TEXT(d->tuning), TEXT(d->key), MEMBER(d->elements), CUSTOM(d->custom, 0),
                  TEXT(d->parameters), TEXT(d->then[0]), TEXT(d->then[1]), TEXT(d->then[2]),
                  MEMBER(d->then_type));
}

uint64_t clp_mpi_digest_list(const clprims_list_desc *d) {
    return DIGEST(MEMBER(d->result), MEMBER(d->algorithm), TEXT(d->tuning));
}

uint64_t clp_mpi_digest_minplus(const clprims_minplus_desc *d) {
    const size_t element = clprims_type_bytes(d->type);
    const bool is_custom = d->semiring == CLPRIMS_SEMIRING_CUSTOM;
    return DIGEST(MEMBER(d->type), MEMBER(d->semiring), MEMBER(d->accumulate), MEMBER(d->argmin),
                  MEMBER(d->nonnegative), VALUE(d->no_edge, element), TEXT(d->custom.extend),
                  TEXT(d->custom.combine), TEXT(d->custom.declarations),
                  VALUE(d->custom.identity, is_custom ? element : 0), TEXT(d->tuning));
}

uint64_t clp_mpi_digest_paths(const clprims_paths_desc *d) {
    return DIGEST(MEMBER(d->type), MEMBER(d->predecessors),
                  VALUE(d->no_edge, clprims_type_bytes(d->type)), TEXT(d->tuning));
}
