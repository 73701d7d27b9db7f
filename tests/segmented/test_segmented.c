/* SPDX-License-Identifier: MIT */
/* Segments of built-in types and operators beside their plain-C twins. */
#include "segmented/segmented_tries.h"
#include "subjects/runs/subject_buffers.h"

/* ---- Plans ---- */

clprims_segmented *segmented_plan(const clprims_segmented_desc *desc) {
    test_needs_types(desc->type, desc->accumulator);
    test_needs_types(desc->heads_type, desc->heads_type);
    return subject_kept_plan(&subject_segmented, desc);
}

/* ---- Cases ---- */

enum { MOST_N = 70000 };

typedef struct segmented_case {
    clprims_segmented_desc desc;
    segments_shape shape;
    size_t n;
    segmented_try how;
} segmented_case;

static void segmented_is_right(const void *data) {
    const segmented_case *c = data;
    segmented_try how = c->how;
    how.desc = &c->desc;
    clprims_segmented *plan = segmented_plan(&c->desc);
    test_segments segments = segments_make(c->shape, c->n, c->desc.by != CLPRIMS_SEGMENTS_OFFSETS);
    segmented_expect(plan, &how, &segments);
}

static const char *const by_names[] = {"offsets", "keys", "flags", "bits", "length"};
static const char *const kind_names[] = {"reduce", "inclusive", "exclusive"};

/* Shares so small that segments go through many; groups that have many of them. The default is a
 * single pass where there is one. */
static const struct {
    const char *name;
    const char *tuning;
} shapes[] = {{"one", "GROUP=1 SHARE=64 GROUPS=64 SINGLE=0"},
              {"many", "GROUP=8 SHARE=3 GROUPS=512 SINGLE=0"},
              {"few", "GROUP=4 SHARE=1000 GROUPS=3 SINGLE=0"},
              {"blocks", "TEAM=128 BLOCK=512"},
              {"default", NULL},
              {"teams", "TEAM=4 GROUP=64 BLOCK=128"}};

enum { BLOCKS = 3, DEFAULT = 4, TEAMS = 5 };

static void add_case(test_cases *cases, segmented_case *c, size_t shape) {
    const clprims_segmented_desc *d = &c->desc;
    if (shape != DEFAULT && shape > 0 && !test_bears_shapes()) return;
    c->desc.tuning = shapes[shape].tuning;
    if (d->max_n == 0) {
        c->desc.max_n = MOST_N;
        c->desc.max_segments = d->by == CLPRIMS_SEGMENTS_OFFSETS ? 5 * MOST_N
                               : d->by == CLPRIMS_SEGMENTS_EQUAL ? MOST_N
                                                                 : 0;
    }
    test_add_row(cases, segmented_is_right, *c,
                 "segmented/%s/%s-%s/%s-%s/%s/%s/n=%zu/first=%zu/%s%s%s%s%s%s", kind_names[d->kind],
                 by_names[d->by], clprims_type_name(d->heads_type), clprims_type_name(d->type),
                 clprims_type_name(d->accumulator), clprims_op_name(d->op),
                 segments_names[c->shape], c->n, c->how.first, shapes[shape].name,
                 c->how.by_run ? "/run" : "", c->how.in_place ? "/in-place" : "",
                 c->how.edges ? "/edges" : "",
                 c->how.spare < 0   ? "/no-room"
                 : c->how.spare > 0 ? "/room"
                                    : "",
                 d->init != NULL ? "/init" : "");
}

static segmented_case describe(clprims_segmented_kind kind, clprims_segments_by by,
                               clprims_type heads_type, clprims_type type, clprims_op op) {
    segmented_case c = {.desc.kind = kind,
                        .desc.by = by,
                        .desc.heads_type = heads_type,
                        .desc.type = type,
                        .desc.op = op};
    return c;
}

/* One program each, in every shape of segments and at every size around the shares. */
static void add_sweep(test_cases *cases, segmented_case c, size_t shape) {
    static const size_t sizes[] = {0,  1,  2,   3,   4,    7,    8,    63,
                                   64, 65, 127, 129, 1000, 4096, 5001, 69000};
    const bool by_offsets = c.desc.by == CLPRIMS_SEGMENTS_OFFSETS;
    const bool by_length = c.desc.by == CLPRIMS_SEGMENTS_EQUAL;
    const bool scans = c.desc.kind != CLPRIMS_SEGMENTED_REDUCE;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        c.n = sizes[k];
        if (test_small() && c.n > 200) continue;
        for (size_t s = 0; s < SEGMENTS_SHAPES; s++) {
            if (by_length != (s == SEGMENTS_ALIKE)) continue;
            if (!by_length && !by_offsets && s >= SEGMENTS_SPARSE) continue;
            if (c.n > 6000 && !test_long() && (s + shape) % 3 != 0) continue;
            if (test_small() && (s + k) % 3 != 0) continue;
            c.shape = (segments_shape)s;
            c.how.first = (k + s) % 6;
            c.how.by_run = (k + s) % 5 == 4;
            c.how.in_place = scans && (k + s) % 4 == 3;
            c.how.spare = (int)((k + s) % 3) - 1;
            if (by_offsets || by_length || scans) c.how.spare = 0;
            add_case(cases, &c, shape);
        }
    }
}

static void add_sweeps(test_cases *cases) {
    static const clprims_type heads[] = {CLPRIMS_I64, CLPRIMS_U32, CLPRIMS_TYPE_DEFAULT,
                                         CLPRIMS_TYPE_DEFAULT};
    for (int by = CLPRIMS_SEGMENTS_OFFSETS; by <= CLPRIMS_SEGMENTS_BITS; by++) {
        for (int kind = 0; kind < 3; kind++) {
            const clprims_type type = kind == 0 ? CLPRIMS_F32 : CLPRIMS_I32;
            segmented_case c = describe((clprims_segmented_kind)kind, (clprims_segments_by)by,
                                        heads[by], type, CLPRIMS_ADD);
            c.desc.unique_keys = by == CLPRIMS_SEGMENTS_KEYS && kind == 0;
            const size_t shape = (size_t)(by + kind) % 2;
            add_sweep(cases, c, shape);
            if (by < CLPRIMS_SEGMENTS_FLAGS && kind == 0) add_sweep(cases, c, 1 - shape);
            if (by == CLPRIMS_SEGMENTS_OFFSETS && kind == 0) {
                add_sweep(cases, c, TEAMS);
                add_sweep(cases, c, BLOCKS);
            }
            if ((by != CLPRIMS_SEGMENTS_OFFSETS || kind > 0) && !test_small())
                add_sweep(cases, c, DEFAULT);
        }
    }
    for (int kind = 0; kind < 3; kind++) {
        segmented_case c = describe((clprims_segmented_kind)kind, CLPRIMS_SEGMENTS_EQUAL,
                                    CLPRIMS_TYPE_DEFAULT, CLPRIMS_I32, CLPRIMS_ADD);
        for (size_t shape = 0; shape < sizeof shapes / sizeof shapes[0]; shape++) {
            const bool reduces = kind == 0 && (shape == 0 || shape >= BLOCKS);
            if (reduces || shape == DEFAULT || shape + 1 == (size_t)kind) {
                add_sweep(cases, c, shape);
            }
        }
    }
    segmented_case c = describe(CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_I32,
                                CLPRIMS_I64, CLPRIMS_MAX);
    add_sweep(cases, c, 2);
    c = describe(CLPRIMS_SEGMENTED_INCLUSIVE, CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_I32, CLPRIMS_F32,
                 CLPRIMS_ADD);
    add_sweep(cases, c, DEFAULT);
}

/* Other types, operators, initial values, keys; some sizes each. */
static void add_types(test_cases *cases) {
    static const int64_t seven = 7;
    static const double number = 3.0;
    static const int8_t small = -5;
    static const struct {
        clprims_segmented_kind kind;
        clprims_segments_by by;
        clprims_type heads_type, type, accumulator;
        clprims_op op;
        const void *init;
        int local_index;
    } kinds[] = {
        {CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_I64, CLPRIMS_F32, CLPRIMS_F32,
         CLPRIMS_ARGMIN, NULL, 0},
        {CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_I32, CLPRIMS_F64, CLPRIMS_F64,
         CLPRIMS_ARGMAX, &seven, 1},
        {CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_KEYS, CLPRIMS_I8, CLPRIMS_I16, CLPRIMS_I16,
         CLPRIMS_ARGMAX, NULL, 1},
        {CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_I64, CLPRIMS_U8, CLPRIMS_I64,
         CLPRIMS_ADD, &seven, 0},
        {CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_KEYS, CLPRIMS_F64, CLPRIMS_I32, CLPRIMS_F64,
         CLPRIMS_ADD, &number, 0},
        {CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_I32, CLPRIMS_F64, CLPRIMS_F64,
         CLPRIMS_MIN, NULL, 0},
        {CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_I64, CLPRIMS_I16, CLPRIMS_I16,
         CLPRIMS_MUL, NULL, 0},
        {CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_FLAGS, CLPRIMS_TYPE_DEFAULT, CLPRIMS_U16,
         CLPRIMS_U16, CLPRIMS_MIN, NULL, 0},
        {CLPRIMS_SEGMENTED_INCLUSIVE, CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_I64, CLPRIMS_I8, CLPRIMS_I8,
         CLPRIMS_ADD, &small, 0},
        {CLPRIMS_SEGMENTED_EXCLUSIVE, CLPRIMS_SEGMENTS_KEYS, CLPRIMS_I64, CLPRIMS_F64, CLPRIMS_F64,
         CLPRIMS_MIN, NULL, 0},
        {CLPRIMS_SEGMENTED_INCLUSIVE, CLPRIMS_SEGMENTS_KEYS, CLPRIMS_F32, CLPRIMS_U64, CLPRIMS_U64,
         CLPRIMS_XOR, NULL, 0},
        {CLPRIMS_SEGMENTED_EXCLUSIVE, CLPRIMS_SEGMENTS_OFFSETS, CLPRIMS_I64, CLPRIMS_I16,
         CLPRIMS_I32, CLPRIMS_MUL, NULL, 0},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        segmented_case c =
            describe(kinds[k].kind, kinds[k].by, kinds[k].heads_type, kinds[k].type, kinds[k].op);
        c.desc.accumulator = kinds[k].accumulator;
        c.desc.init = kinds[k].init;
        c.desc.local_index = kinds[k].local_index;
        for (size_t s = 0; s < 4; s++) {
            c.shape = s == 0 ? SEGMENTS_SHORT : s == 1 ? SEGMENTS_GIANT : SEGMENTS_MIXED;
            c.n = test_small() ? 90 : s == 3 ? 257 : 9001;
            c.how.first = s;
            c.how.by_run = s == 2;
            c.how.edges = s >= 2 && kinds[k].op >= CLPRIMS_ARGMIN && kinds[k].type >= CLPRIMS_F32;
            if (test_small() && (k + s) % 4 != 0) continue;
            add_case(cases, &c, k % 2);
            if (!test_small()) add_case(cases, &c, DEFAULT);
            if (kinds[k].kind == CLPRIMS_SEGMENTED_REDUCE &&
                kinds[k].by == CLPRIMS_SEGMENTS_OFFSETS) {
                add_case(cases, &c, k % 2 == 0 ? TEAMS : BLOCKS);
            }
        }
    }
}

void test_program(test_cases *cases) {
    add_sweeps(cases);
    add_types(cases);
    add_chain_cases(cases);
    add_counted_cases(cases);
    add_custom_cases(cases);
    add_malformed_cases(cases);
    add_alike_cases(cases);
    add_block_cases(cases);
    add_late_cases(cases);
    add_parameter_cases(cases);
    add_refusal_cases(cases);
    add_row_cases(cases);
}
