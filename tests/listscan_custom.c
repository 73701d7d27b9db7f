/* SPDX-License-Identifier: MIT */
/* The user's own operators, structs and input expressions along a list. */
#include "custom_operators.h"
#include "listscan_cases.h"

#include <stdlib.h>
#include <string.h>

/* ---- Operators and their twins ---- */

/* Forty bytes, of which the result keeps all: the five values seen last. */
typedef struct window {
    int64_t seen[5];
} window;

static const char window_text[] =
    "typedef struct { long seen[5]; } window;\n"
    "window one(int x) {\n"
    "    window w;\n"
    "    for (int k = 0; k < 4; k++) w.seen[k] = 0;\n"
    "    w.seen[4] = x;\n"
    "    return w;\n"
    "}\n"
    "window slide(window a, window b) {\n"
    "    window c;\n"
    "    int held = 0;\n"
    "    for (int k = 4; k >= 0; k--) if (b.seen[k] != 0) held = 5 - k;\n"
    "    for (int k = 0; k < 5; k++) c.seen[k] = k < 5 - held ? a.seen[k + held] : b.seen[k];\n"
    "    return c;\n"
    "}\n";

static void load_window(const void *in, size_t i, void *value) {
    const window w = {{0, 0, 0, 0, ((const int32_t *)in)[i]}};
    memcpy(value, &w, sizeof w);
}

static void slide(const void *earlier, const void *later, void *result) {
    window a, b, c;
    size_t held = 0;
    memcpy(&a, earlier, sizeof a);
    memcpy(&b, later, sizeof b);
    for (size_t k = 0; k < 5; k++)
        if (b.seen[k] != 0 && held == 0) held = 5 - k;
    for (size_t k = 0; k < 5; k++) c.seen[k] = k < 5 - held ? a.seen[k + held] : b.seen[k];
    memcpy(result, &c, sizeof c);
}

/* ---- Cases ---- */

typedef enum operand { AFFINE, WINDOW, MARKED, STARTLESS, SQUARES, SCALED, OPERANDS } operand;

static const char *const operand_names[OPERANDS] = {"affine",    "window",  "marked",
                                                    "startless", "squares", "scaled"};
static const oracle_twin twins[OPERANDS] = {
    {custom_load_affine, custom_compose, sizeof(affine)},
    {load_window, slide, sizeof(window)},
    {custom_load_u32, custom_keep_last_marked, sizeof(uint32_t)},
    {custom_load_affine, custom_compose, sizeof(affine)},
    {custom_load_square, custom_add_u64, sizeof(uint64_t)},
    {custom_load_scaled, custom_add_u64, sizeof(uint64_t)}};

typedef struct custom_case {
    operand operand;
    clprims_listscan_desc desc;
} custom_case;

static clprims_listscan_desc describe(operand kind) {
    static const affine no_change = {1, 0};
    static const window nothing = {{0, 0, 0, 0, 0}};
    static const uint32_t first = 9;
    clprims_listscan_desc desc = CLPRIMS_LISTSCAN_DESC_INIT;
    desc.op = CLPRIMS_CUSTOM;
    switch (kind) {
    case AFFINE:
    case STARTLESS:
        desc.type = CLPRIMS_STRUCT;
        desc.custom = (clprims_custom){"compose(a, b)",
                                       custom_affine,
                                       "affine",
                                       sizeof(affine),
                                       kind == AFFINE ? &no_change : NULL,
                                       0};
        break;
    case WINDOW:
        desc.type = CLPRIMS_I32;
        desc.accumulator = CLPRIMS_STRUCT;
        desc.input = "one(x)";
        desc.init = &nothing;
        desc.custom =
            (clprims_custom){"slide(a, b)", window_text, "window", sizeof(window), NULL, 0};
        break;
    case MARKED:
        desc.type = CLPRIMS_U32;
        desc.init = &first;
        desc.custom.op = custom_last_marked;
        break;
    case SQUARES:
        desc.type = CLPRIMS_U64;
        desc.op = CLPRIMS_ADD;
        desc.input = "i * i";
        desc.no_input_array = 1;
        break;
    default:
        desc.type = CLPRIMS_U8;
        desc.op = CLPRIMS_ADD;
        desc.accumulator = CLPRIMS_U64;
        desc.input = "(ulong)x * 3 + i % 7";
        break;
    }
    return desc;
}

static void fill(operand kind, void *in, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const uint32_t x = (uint32_t)test_random();
        if (kind == AFFINE || kind == STARTLESS)
            ((affine *)in)[i] = (affine){x % CUSTOM_PRIME, (x >> 8) % CUSTOM_PRIME};
        if (kind == WINDOW) ((int32_t *)in)[i] = (int32_t)(x % 1000000) + 1;
        if (kind == MARKED) ((uint32_t *)in)[i] = x % 1000 + 1;
        if (kind == SCALED) ((uint8_t *)in)[i] = (uint8_t)x;
        if (kind == SQUARES) ((uint64_t *)in)[i] = 0;
    }
}

static void custom_is_right(const void *data) {
    static const size_t sizes[] = {1, 2, 65, 300, 4099, 20011};
    const custom_case *c = data;
    const size_t most = c->desc.max_n;
    int64_t *order = test_alloc(most, sizeof *order);
    int64_t *next = test_alloc(most, sizeof *next);
    void *values = test_alloc(most, 8);
    clprims_listscan *plan = listscan_create(&c->desc);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0] && sizes[k] <= most; k++) {
        const size_t n = sizes[k];
        list_random(order, n);
        list_link(order, next, n);
        fill(c->operand, values, n);
        const listscan_case run = {.plan = plan,
                                   .desc = &c->desc,
                                   .twin = &twins[c->operand],
                                   .next = next,
                                   .values = values,
                                   .head = order[0],
                                   .n = n,
                                   .first = k % 3,
                                   .without_report = true};
        listscan_expect(&run, NULL);
    }
    clprims_listscan_destroy(plan);
    free(order);
    free(next);
    free(values);
}

void listscan_add_custom(test_cases *cases) {
    for (int mode = 0; mode < OPERANDS * LISTSCAN_SETTINGS; mode++) {
        const operand kind = (operand)(mode / LISTSCAN_SETTINGS);
        const list_setting *setting = &listscan_settings[mode % LISTSCAN_SETTINGS];
        custom_case c = {kind, describe(kind)};
        /* What has no start is inclusive; the others take turns. */
        c.desc.inclusive = kind == STARTLESS || mode % 2 == 0;
        c.desc.link = mode % 3 == 0 ? CLPRIMS_I64 : CLPRIMS_I32;
        c.desc.max_n = test_small() ? 65 : setting == &listscan_settings[3] ? 300 : 20011;
        c.desc.tuning = setting->tuning;
        /* Each is a program of its own; one setting for each operand shows most. */
        const bool chosen = mode % LISTSCAN_SETTINGS == (int)kind % 3;
        if (!listscan_suits(setting) || (!test_long() && (!chosen || kind == SQUARES))) continue;
        if (test_small() && kind != AFFINE) continue;
        test_add(cases, custom_is_right, &c, sizeof c, "listscan/custom/%s/%s/%s",
                 operand_names[kind], c.desc.inclusive ? "inclusive" : "exclusive", setting->name);
    }
}
