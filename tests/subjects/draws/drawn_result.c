/* SPDX-License-Identifier: MIT */
/* Texts of results, and what they store. */
#include "subjects/draws/drawn_result.h"

typedef struct result_values {
    uint64_t r, previous, x, i;
} result_values;

static uint64_t of_index(const result_values *v) {
    return v->r ^ v->i;
}

static uint64_t is_in_step(const result_values *v) {
    return v->r % 5 == v->i % 5;
}

static uint64_t of_x(const result_values *v) {
    return v->x * 1000 + v->r;
}

static uint64_t of_previous(const result_values *v) {
    return v->r - v->previous;
}

static const struct {
    const char *text;
    clprims_type type;
    bool reads_x, reads_previous;
    uint64_t (*value)(const result_values *v);
} texts[] = {
    {"r ^ i", CLPRIMS_U64, false, false, of_index},
    {"r % 5 == i % 5", CLPRIMS_U8, false, false, is_in_step},
    {DRAWN_OF_X, CLPRIMS_U64, true, false, of_x},
    {DRAWN_OF_PREVIOUS, CLPRIMS_U16, false, true, of_previous},
};

enum { TEXTS = sizeof texts / sizeof texts[0] };

static bool is_unsigned(clprims_type type) {
    return type >= CLPRIMS_U8 && type <= CLPRIMS_U64;
}

void drawn_result_store(const char *text, clprims_type type, const drawn_result *result,
                        void *out) {
    if (result->type == CLPRIMS_STRUCT) {
        memcpy(out, (const uint32_t *)result->r + 1, sizeof(uint32_t));
        return;
    }
    result_values v = {.r = oracle_load_integer(result->type, result->r, 0), .i = result->i};
    if (result->previous != NULL)
        v.previous = oracle_load_integer(result->type, result->previous, 0);
    if (result->x != NULL) v.x = oracle_load_integer(result->x_type, result->x, 0);
    uint64_t value = v.r;
    for (size_t t = 0; text != NULL && t < TEXTS; t++) {
        if (strcmp(text, texts[t].text) == 0) value = texts[t].value(&v);
    }
    test_store_integer(clprims_type_bytes(type), out, 0, value);
}

void drawn_result_draw(clprims_type type, bool has_x, bool has_previous, const char **text,
                       clprims_type *stored) {
    const size_t t = test_random_below(TEXTS + 1);
    if (type == CLPRIMS_STRUCT) {
        *text = DRAWN_MEMBER;
        *stored = CLPRIMS_U32;
    } else if (is_unsigned(type) && t == TEXTS) {
        *stored = (clprims_type)(CLPRIMS_U8 + test_random_below(4));
    } else if (is_unsigned(type) && (has_x || !texts[t].reads_x) &&
               (has_previous || !texts[t].reads_previous)) {
        *text = texts[t].text;
        *stored = texts[t].type;
    }
}
