/* SPDX-License-Identifier: MIT */
/* The selection's shapes and program text. */
#include "cl_sources.h"
#include "core/type.h"
#include "select/select_plan.h"

/* ---- Text ---- */

static const char *type_text(const clp_select_spec *spec, clprims_type type) {
    return type == CLPRIMS_STRUCT ? spec->custom.type_name : clp_type_text(type);
}

static const char *optional_type(const clp_select_spec *spec, clprims_type type) {
    return type == CLPRIMS_TYPE_DEFAULT ? "uint" : type_text(spec, type);
}

static void add_arrays(clp_text *text, const clp_select_spec *spec) {
    clp_text_add(text, "#define CLP_ARRAYS %zu\n", spec->arrays);
    for (size_t k = 0; k < CLPRIMS_SELECT_ARRAYS; k++) {
        const bool there = k < spec->arrays;
        clp_text_add(text, "#define CLP_T%zu_BYTES %zu\n", k, there ? spec->bytes[k] : 0);
        if (!there) continue;
        clp_text_add(text, "typedef %s clp_t%zu;\n", type_text(spec, spec->type[k]), k);
    }
    clp_text_add_each(text, "CLP_EACH_ARRAY", spec->arrays);
}

/* A comparison whose narrow elements are compared by the word: cl/select/select_tests.cl. */
static void add_test(clp_text *text, const clp_select_spec *spec, const clp_shape *shape) {
    clp_select_test test;
    const bool words = clp_shape_is_ring(shape) && shape->vec * spec->bytes[0] == 16 &&
                       clp_select_find_test(spec, &test);
    clp_text_add(text, "#define CLP_TESTS_WORDS %d\n", words);
    if (!words) return;
    clp_text_add(text, "#define CLP_TEST_LESS %d\n#define CLP_TEST_NOT %d\n", test.less,
                 test.negated);
    clp_text_add(text, "#define CLP_TEST_SIGNED %d\n#define CLP_TEST_NUMBER %lluu\n",
                 test.is_signed, (unsigned long long)test.number);
}

static void add_decision(clp_text *text, const clp_select_spec *spec) {
    const bool by_value =
        spec->by == CLPRIMS_SELECT_PREDICATE || spec->by == CLPRIMS_SELECT_NONZERO;
    clp_text_add(text, "#define CLP_BY_FLAGS %d\n#define CLP_BY_BITS %d\n",
                 spec->by == CLPRIMS_SELECT_FLAGS, spec->by == CLPRIMS_SELECT_BITS);
    clp_text_add(text, "#define CLP_BY_VALUE %d\n#define CLP_BY_RUNS %d\n", by_value,
                 spec->by == CLPRIMS_SELECT_RUNS);
    if (by_value) {
        clp_text_add(text, "static inline bool clp_keep(clp_t0 x, ulong i");
        clp_text_add_function(text, spec->parameters, "predicate", spec->predicate, "x != 0");
    } else if (spec->by == CLPRIMS_SELECT_RUNS) {
        clp_text_add(text, "static inline bool clp_same(clp_t0 a, clp_t0 b");
        clp_text_add_function(text, spec->parameters, "equal", spec->equal, "a == b");
    }
}

/* What is stored of an element that is kept, where that is not the element or its index. */
static void add_result(clp_text *text, const clp_select_spec *spec) {
    const bool reads = clp_select_reads_again(spec);
    clp_text_add(text, "#define CLP_STORES_TEXT %d\n#define CLP_STORES_X %d\n", spec->stores_text,
                 reads);
    if (!spec->stores_text) return;
    clp_text_add(text, "static inline CLP_INDEX clp_stored(%sulong i",
                 reads ? "clp_t0 x, clp_t0 r, " : "");
    clp_text_add_function(text, spec->parameters, "result", spec->result, NULL);
}

/* Bytes that an element takes in the local memory of one tile a group. */
static size_t staged_bytes(const clp_select_spec *spec) {
    size_t bytes = 0;
    for (size_t k = 0; k < spec->arrays && spec->values; k++) bytes += spec->bytes[k];
    if (spec->indices != CLPRIMS_TYPE_DEFAULT || spec->lengths != CLPRIMS_TYPE_DEFAULT) bytes += 2;
    return bytes;
}

static clprims_status check_shape(const clprims_context *context, const clp_select_spec *spec,
                                  const clp_shape *shape) {
    const size_t value_bytes = spec->lengths != CLPRIMS_TYPE_DEFAULT ? 16 : 8;
    const size_t bytes = shape->tile * staged_bytes(spec) + clp_exchange_bytes(shape, value_bytes);
    const bool is_ring = clp_shape_is_ring(shape);
    const size_t segment = is_ring ? shape->tile / shape->ring.scanners : shape->tile;
    CLP_FAIL_IF(segment > 65536, CLPRIMS_ERR_ARGUMENT,
                "select: tiles of %zu elements; a place has 16 bits: at most 65536", segment);
    CLP_FAIL_IF(!is_ring && bytes > context->device.local_bytes, CLPRIMS_ERR_ARGUMENT,
                "select: GROUP=%zu ROWS=%zu takes %zu bytes of local memory; \"%s\" has "
                "%zu",
                shape->group, shape->rows, bytes, context->device.info.name,
                context->device.local_bytes);
    return CLPRIMS_OK;
}

static clprims_status add_prelude(const clprims_context *context, const void *user,
                                  const clp_shape *shape, clp_text *text) {
    const clp_select_spec *spec = user;
    CLP_TRY(check_shape(context, spec, shape));
    const bool lengths = spec->lengths != CLPRIMS_TYPE_DEFAULT;
    const bool indices = spec->indices != CLPRIMS_TYPE_DEFAULT;
    clp_text_add_declarations(text, context, &spec->custom, spec->parameters);
    add_arrays(text, spec);
    add_decision(text, spec);
    add_test(text, spec, shape);
    clp_text_add(text, "#define CLP_VALUES %d\n#define CLP_PARTITION %d\n", spec->values,
                 spec->partition);
    clp_text_add(text, "#define CLP_INDICES %d\n#define CLP_INDEX %s\n", indices,
                 optional_type(spec, spec->indices));
    clp_text_add(text, "#define CLP_LENGTHS %d\n#define CLP_LENGTH %s\n", lengths,
                 optional_type(spec, spec->lengths));
    add_result(text, spec);
    clp_text_add(text, "#define CLP_PLACES %d\n", indices || lengths);
    clp_text_add(text, "#define CLP_E uchar\n#define CLP_E_BYTES 1\n");
    clp_text_add(text, "#define CLP_OUT uchar\n#define CLP_OUT_BYTES 1\n");
    clp_text_add(text, "#define CLP_A %s\n#define CLP_A_BYTES %d\n",
                 lengths ? "clp_heads" : "ulong", lengths ? 16 : 8);
    clp_text_add(text,
                 "#define CLP_GUARD 0\n#define CLP_HAS_START 0\n#define CLP_REPRODUCIBLE 0\n");
    clp_text_add(text, "#define CLP_EXTRA 0\n");
    clp_text_add(text, "#define CLP_COMMUTATIVE 1\n");
    clp_shape_add(text, shape, lengths ? 16 : 8, !lengths || shape->tile < 65536);
    return CLPRIMS_OK;
}

/* ---- The programs ---- */

static const clp_part serial[] = {
    &clp_parameters_cl, &clp_select_cl,        &clp_count_cl, &clp_types_cl,
    &clp_lookback_cl,   &clp_select_serial_cl, NULL};

#define GROUP_PARTS(look, kernel)                                                                  \
    &clp_parameters_cl, &clp_select_cl, &clp_count_cl, &clp_types_cl, &clp_select_chunks_cl, look, \
        &clp_select_group_cl, kernel

static const clp_part group[] = {GROUP_PARTS(&clp_lookback_cl, &clp_select_lookback_cl), NULL};
static const clp_part wave[] = {GROUP_PARTS(&clp_lookback_cl, &clp_select_single_wave_cl), NULL};
static const clp_part levels[] = {GROUP_PARTS(&clp_levels_cl, &clp_select_lookback_cl),
                                  &clp_level_sums_cl, NULL};
static const clp_part levels_serial[] = {
    &clp_parameters_cl, &clp_select_cl,        &clp_count_cl,      &clp_types_cl,
    &clp_levels_cl,     &clp_select_serial_cl, &clp_level_sums_cl, NULL};

#define LOOKAHEAD_PARTS(sums)                                                                      \
    &clp_parameters_cl, &clp_select_cl, &clp_count_cl, &clp_types_cl, &clp_select_chunks_cl,       \
        &clp_select_stages_cl, &clp_lookback_cl, &clp_lookahead_cl, sums, &clp_select_copy_cl,     \
        &clp_select_packing_cl, &clp_select_tests_cl, &clp_select_staged_cl,                       \
        &clp_select_lookahead_cl

static const clp_part lookahead[] = {LOOKAHEAD_PARTS(&clp_lookahead_sums_cl), NULL};
static const clp_part lookahead_lengths[] = {LOOKAHEAD_PARTS(&clp_select_heads_cl), NULL};

#define PROGRAMS(lookahead)                                                                        \
    {                                                                                              \
        [CLP_SERIAL_TILE] = {"clp_select_serial", serial},                                         \
        [CLP_SERIAL_TILE_FALLBACK] = {"clp_select_serial", serial},                                \
        [CLP_LOOKBACK] = {"clp_select_lookback", group},                                           \
        [CLP_LOOKBACK_FALLBACK] = {"clp_select_lookback", group},                                  \
        [CLP_SINGLE_WAVE] = {"clp_select_single_wave", wave},                                      \
        [CLP_LOOKAHEAD] = {"clp_select_lookahead", lookahead},                                     \
        [CLP_LEVELS] = {"clp_select_lookback", levels},                                            \
        [CLP_LEVELS_SERIAL] = {"clp_select_serial", levels_serial},                                \
    }

static const clp_variant_program programs[CLP_VARIANTS] = PROGRAMS(lookahead);
static const clp_variant_program length_programs[CLP_VARIANTS] = PROGRAMS(lookahead_lengths);

/* ---- Shapes ---- */

/* Bits that an element takes in a stage of the ring, without its chunk's note. */
static size_t ring_bits(const clp_select_spec *spec) {
    size_t bits = 0;
    for (size_t k = 0; k < spec->arrays; k++) bits += 8 * spec->bytes[k];
    if (spec->by == CLPRIMS_SELECT_FLAGS) bits += 8;
    if (spec->by == CLPRIMS_SELECT_BITS) bits += 1;
    return bits;
}

/* A chunk's note: 16 bits where its own bits and a place in the segment fit, as in
 * cl/select/select_stages.cl. */
static size_t note_bits(size_t vec) {
    return (vec <= 4 ? 16 : 32) / vec;
}

enum { LINE = 128 };

/* Bytes that a region takes beyond its elements: a line in front, and what rounds the region up to
 * lines; rows that are whole lines need no rounding. bits: of an element. */
static size_t region_extra(size_t bits, size_t vec) {
    const bool whole_lines = 32 * vec * bits % (8 * LINE) == 0;
    return whole_lines ? LINE : bits < 8 ? 2 * LINE : 2 * LINE - 16;
}

/* Bytes that a stage's regions take beyond their elements, and beyond what the engine allows for:
 * cl/select/select_stages.cl lays them out. */
static size_t extra_lines(const clp_select_spec *spec, size_t vec) {
    enum { ALLOWED = 384 };
    size_t bytes = spec->by == CLPRIMS_SELECT_RUNS ? LINE : 0;
    for (size_t k = 0; k < spec->arrays; k++) bytes += region_extra(8 * spec->bytes[k], vec);
    if (spec->by == CLPRIMS_SELECT_FLAGS) bytes += region_extra(8, vec);
    if (spec->by == CLPRIMS_SELECT_BITS) bytes += region_extra(1, vec);
    return bytes > ALLOWED ? bytes - ALLOWED : 0;
}

/* A GPU's local layer takes vectors of twice the length: half of 2^27 uint32 are selected in 259
 * us, not 359 (H200, 2026-11-29). */
static size_t choose_vec(const clprims_context *context, const clp_select_spec *spec) {
    const bool doubles = context->layer == CLPRIMS_LAYER_LOCAL && !context->device.is_cpu;
    size_t widest = 1;
    for (size_t k = 0; k < spec->arrays; k++) {
        if (spec->bytes[k] > widest) widest = spec->bytes[k];
    }
    return (doubles ? 2 : 1) * clp_shape_vec(widest, widest);
}

static size_t clamp(size_t value, size_t least, size_t most) {
    return value < least ? least : value > most ? most : value;
}

clp_pass_need clp_select_need(const clp_select_spec *spec, const clprims_context *context,
                              const char *tuning) {
    enum { CPU_TILE = 32 << 10, STAGE = 32 << 10, RING = 221 << 10 };
    const size_t vec = choose_vec(context, spec), bits = ring_bits(spec);
    const bool lengths = spec->lengths != CLPRIMS_TYPE_DEFAULT;
    /* Measured on an H200. */
    const size_t scanners = lengths ? 12 : spec->by == CLPRIMS_SELECT_FLAGS ? 9 : 8;
    const size_t reducers = lengths ? 8 : scanners;
    const size_t row = scanners * 32 * vec;
    const size_t fitting = clamp(8 * STAGE / (row * bits), 1, 8);
    const size_t ring_rows = (fitting - 1) | 1; /* odd: cl/select/select_stages.cl says why */
    const size_t stage = ring_rows * row / 8 * (bits + note_bits(vec));
    const bool places = spec->indices != CLPRIMS_TYPE_DEFAULT || lengths;
    const size_t widest = spec->arrays > 0 ? spec->bytes[0] : 1;
    const size_t bytes = staged_bytes(spec) + (staged_bytes(spec) == 0);
    const size_t room = context->device.local_bytes / 2;
    const size_t group_tile =
        context->layer == CLPRIMS_LAYER_LOCAL ? clamp(4 * room / 3, 1, 32 << 10) : 24 << 10;
    size_t work_items = 256;
    while (work_items > context->subgroup_width && work_items * vec * bytes > group_tile) {
        work_items /= 2;
    }
    /* Of an array that the caches hold; on an H200 bytes gained by smaller tiles. */
    const size_t most_rows = context->layer == CLPRIMS_LAYER_NVIDIA && vec == 16 ? 2 : 4;
    return (clp_pass_need){
        .who = "select",
        .programs = lengths ? length_programs : programs,
        .prelude = add_prelude,
        .user = spec,
        .algorithm = spec->algorithm,
        .tuning = tuning,
        .element_bytes = widest,
        .vec = vec,
        .value_bytes = lengths ? 16 : 8,
        .staged_bits = bits + note_bits(vec),
        .max_n = spec->max_n,
        .rows = context->device.is_cpu
                    ? clamp((room < CPU_TILE ? room : CPU_TILE) / (vec * bytes), 1, 65536 / vec)
                    : clamp(group_tile / (work_items * vec * bytes), 1, most_rows),
        .group = context->device.is_cpu ? 1 : work_items,
        .packs_rows = true,
        .ring = {.kept_bits = places ? 16 : 0,
                 /* The permute table of select_stages.cl. */
                 .bytes = vec > 4 ? sizeof(cl_uint) << vec / 2 : 0,
                 .stage_bytes = extra_lines(spec, vec),
                 .scanners = scanners,
                 .reducers = reducers,
                 .units = 3,
                 .rows = ring_rows,
                 .stages = clamp((RING - (places ? 2 * ring_rows * row : 0)) / stage, 2, 8)}};
}
