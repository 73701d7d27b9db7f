/* SPDX-License-Identifier: MIT */
/* Draws segments: what is made of them, what says where they begin, types, operators of ours and of
 * the user's, knobs, sizes, places. */
#include "fixtures/segmented_cases.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_passes.h"
#include "subjects/draws/drawn_result.h"

/* A plan and the text that it was made of. */
typedef struct drawn_segmented {
    clprims_segmented_desc desc;
    const custom_operand *operand; /* NULL: a built-in operator */
    uint64_t init;
    char tuning[FUZZ_TUNING];
} drawn_segmented;

static void draw_built_in(drawn_segmented *d) {
    clprims_segmented_desc *desc = &d->desc;
    const bool reduces = desc->kind == CLPRIMS_SEGMENTED_REDUCE;
    desc->type = (clprims_type)fuzz_between(CLPRIMS_I8, CLPRIMS_F64);
    const bool is_float = desc->type >= CLPRIMS_F32;
    desc->accumulator = desc->type;
    if (!is_float && fuzz_coin()) {
        desc->accumulator = (clprims_type)fuzz_between(CLPRIMS_I8, CLPRIMS_U64);
    }
    desc->op = (clprims_op)fuzz_between(CLPRIMS_ADD, is_float ? CLPRIMS_MUL : CLPRIMS_XOR);
    if (reduces && test_random_below(3) == 0) {
        desc->op = fuzz_coin() ? CLPRIMS_ARGMIN : CLPRIMS_ARGMAX;
        desc->local_index = fuzz_coin();
    }
    /* Sums with three are exact, so that every order gives the same; products would grow beyond
     * what is exact. */
    if (desc->op != CLPRIMS_MUL && test_random_below(3) == 0) {
        const bool is_place = desc->op >= CLPRIMS_ARGMIN;
        desc->init = fuzz_init(is_place ? CLPRIMS_I64 : desc->accumulator, 3, &d->init);
    }
}

static void draw_heads(clprims_segmented_desc *desc) {
    desc->by = (clprims_segments_by)fuzz_between(0, CLPRIMS_SEGMENTS_EQUAL);
    if (desc->by == CLPRIMS_SEGMENTS_OFFSETS) {
        desc->heads_type = fuzz_index_type();
        desc->max_segments = 4 * desc->max_n + 10;
    } else if (desc->by == CLPRIMS_SEGMENTS_EQUAL) {
        desc->max_segments = fuzz_between(1, desc->max_n);
    } else if (desc->by == CLPRIMS_SEGMENTS_KEYS) {
        desc->heads_type = (clprims_type)fuzz_between(CLPRIMS_I8, CLPRIMS_F64);
        desc->unique_keys = desc->kind == CLPRIMS_SEGMENTED_REDUCE && fuzz_coin();
    }
}

static void draw_desc(drawn_segmented *d) {
    d->desc = (clprims_segmented_desc){0};
    d->desc.max_n = 1 + fuzz_size(test_small() ? 300 : 100000);
    d->desc.kind = (clprims_segmented_kind)fuzz_between(0, CLPRIMS_SEGMENTED_EXCLUSIVE);
    draw_heads(&d->desc);
    if (test_random_below(4) == 0) {
        d->operand = custom_operands[test_random_below(CUSTOM_OPERANDS)];
        CUSTOM_DESCRIBE(d->operand, &d->desc);
        d->desc.init = custom_start(d->operand);
    } else {
        draw_built_in(d);
    }
    clprims_segmented_desc *desc = &d->desc;
    const clprims_type r = desc->op >= CLPRIMS_ARGMIN ? CLPRIMS_I64 : desc->accumulator;
    if ((d->operand == NULL || d->operand == &custom_affine) && fuzz_coin()) {
        drawn_result_draw(r, desc->kind != CLPRIMS_SEGMENTED_REDUCE, false, &desc->result,
                          &desc->result_type);
    }
    if (test_random_below(4) != 0) {
        const size_t group = test_bears_shapes() ? (size_t)1 << test_random_below(9) : 1;
        snprintf(d->tuning, sizeof d->tuning, "GROUP=%zu GROUPS=%zu SHARE=%zu", group,
                 fuzz_between(1, 300), 1 + fuzz_size(3000));
        if (fuzz_coin()) {
            snprintf(d->tuning, sizeof d->tuning, "GROUP=%zu TEAM=%zu BLOCK=%zu", group,
                     (size_t)1 << test_random_below(9), (size_t)1 << test_random_below(12));
        }
        d->desc.tuning = d->tuning;
    }
    fuzz_note("segmented, kind %d by %d of %s, %s to %s %s, local index %d, init %s, unique %d, "
              "operand %s, result %s of %s, max_n %zu, tuning %s",
              (int)d->desc.kind, (int)d->desc.by, clprims_type_name(d->desc.heads_type),
              clprims_type_name(d->desc.type), clprims_type_name(d->desc.accumulator),
              clprims_op_name(d->desc.op), d->desc.local_index, d->desc.init ? "given" : "none",
              d->desc.unique_keys, d->operand != NULL ? d->operand->name : "none",
              desc->result ? desc->result : "r", clprims_type_name(desc->result_type),
              d->desc.max_n, d->desc.tuning ? d->desc.tuning : "none");
}

static void run(const drawn_segmented *d, clprims_segmented *plan) {
    const bool by_offsets = d->desc.by == CLPRIMS_SEGMENTS_OFFSETS;
    const bool reduces = d->desc.kind == CLPRIMS_SEGMENTED_REDUCE;
    const bool same_size = segmented_in_bytes(&d->desc) == segmented_out_bytes(&d->desc);
    const size_t n = fuzz_pass_size(d->desc.max_n);
    const bool by_length = d->desc.by == CLPRIMS_SEGMENTS_EQUAL;
    const int shapes = by_offsets ? SEGMENTS_SHAPES : SEGMENTS_SPARSE;
    const segments_shape shape = (segments_shape)test_random_below((uint64_t)shapes);
    test_segments segments = segments_make(by_length ? SEGMENTS_ALIKE : shape, n, !by_offsets);
    segmented_try how = {.desc = &d->desc,
                         .operand = d->operand,
                         .first = fuzz_between(0, 9),
                         .by_run = test_random_below(4) == 0};
    how.in_place = !reduces && same_size && !d->desc.no_input_array && fuzz_coin();
    if (reduces && !by_offsets && !by_length) how.spare = (int)fuzz_between(0, 2) - 1;
    if (segments.count <= d->desc.max_segments || d->desc.max_segments == 0) {
        segmented_expect(plan, &how, &segments);
    }
    segments_free(&segments);
}

void fuzz_segmented(void) {
    drawn_segmented d = {.operand = NULL};
    clprims_segmented *plan = NULL;
    draw_desc(&d);
    if (!fuzz_created(clprims_segmented_create(&plan, test_context(), &d.desc))) return;
    const size_t runs = fuzz_between(4, 12);
    for (size_t i = 0; i < runs; i++) run(&d, plan);
    clprims_segmented_destroy(plan);
}
