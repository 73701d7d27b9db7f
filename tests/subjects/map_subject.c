/* SPDX-License-Identifier: MIT */
/* Map. The variant is the output, counted from 0, that takes the input's place first. */
#include "subjects/draws/drawn_input.h"
#include "subjects/draws/drawn_map.h"

enum { IN, OUT, N = OUT + CLPRIMS_MAP_OUTPUTS, REPORT };
enum { FEW = 1000, FAULTS_N = 100000 };

SUBJECT_PLAN(map)
SUBJECT_DESCRIBE(map, n[0])
SUBJECT_PARAMETERS(map)
SUBJECT_CHECK(map)

static clprims_status prepare(void *plan, const subject_data *d) {
    return drawn_input_prepare(plan, d, ((const clprims_map_desc *)d->desc)->parameters);
}

static clprims_status enqueue(void *plan, const subject_data *d, const subject_submission *s) {
    const clprims_buffer *at = s->at;
    const clprims_map_buffers buffers = {
        at[IN], {at[OUT], at[OUT + 1], at[OUT + 2], at[OUT + 3]}, at[N], at[REPORT]};
    return clprims_map_enqueue(plan, s->queue, SUBJECT_GIVEN(d, &buffers), subject_room(d, 0),
                               SUBJECT_WAITS(s));
}

SUBJECT_RUN(map, at[IN], {at[OUT], at[OUT + 1], at[OUT + 2], at[OUT + 3]})

/* ---- The twin ---- */

/* Number k of an element, converted to the type. */
static void convert(const map_type *from, const void *x, clprims_type to, void *number) {
    const size_t bytes = clprims_type_bytes(from->number), to_bytes = clprims_type_bytes(to);
    const unsigned spare = 64 - 8 * (unsigned)bytes;
    uint64_t bits = subject_load(bytes, x, 0);
    float f32;
    double f64;
    memcpy(&f32, &bits, sizeof f32);
    memcpy(&f64, &bits, sizeof f64);
    if (from->number == CLPRIMS_F32) f64 = f32;
    if (from->number < CLPRIMS_U8) bits = (uint64_t)((int64_t)(bits << spare) >> spare);
    if (from->number >= CLPRIMS_F32) bits = (uint64_t)(int64_t)f64;
    if (from->number < CLPRIMS_F32) {
        f64 = from->number < CLPRIMS_U8 ? (double)(int64_t)bits : (double)bits;
        f32 = from->number < CLPRIMS_U8 ? (float)(int64_t)bits : (float)bits;
    } else {
        f32 = (float)f64;
    }
    memcpy(number,
           to == CLPRIMS_F32   ? (const void *)&f32
           : to == CLPRIMS_F64 ? (const void *)&f64
                               : (const void *)&bits,
           to_bytes);
}

static void store(clprims_type type, uint64_t value, void *number) {
    const map_type from = {.number = CLPRIMS_U64};
    convert(&from, &value, type, number);
}

/* What `next` makes of x. */
static void evaluate_next(const map_type *type, const unsigned char *x, size_t i,
                          unsigned char *to) {
    const size_t bytes = clprims_type_bytes(type->number);
    for (size_t k = 0; k < type->count; k++) {
        if (type->name == NULL || strncmp(type->name, "bytes", 5) != 0) {
            uint64_t number = 0;
            const map_type from = {.number = type->number};
            convert(&from, x + k * bytes, CLPRIMS_U64, &number);
            store(type->number, type->name == NULL ? number * 3 + 1 : number + 1, to + k * bytes);
        } else {
            to[k] = (unsigned char)(x[type->count - 1 - k] + i);
        }
    }
}

static void evaluate(const char *value, const map_type *in, const void *x, const map_type *out,
                     size_t i, unsigned char *to) {
    const size_t bytes = clprims_type_bytes(out->number);
    if (strcmp(value, out->indexed) == 0) {
        const bool counts = out->name != NULL && strncmp(out->name, "bytes", 5) == 0;
        for (size_t k = 0; k < out->count; k++) {
            store(out->number, counts ? i * 7 + k : i % 100, to + k * bytes);
        }
    } else if (strcmp(value, out->next) == 0) {
        evaluate_next(out, x, i, to);
    } else {
        convert(in, x, out->number, to);
    }
}

/* Numbers that each type holds; of structs any bytes, but for floats. */
static void fill(const subject_data *d, const map_type *type, unsigned char *in, size_t n) {
    const size_t bytes = clprims_type_bytes(type->number);
    if (subject_fill_as_told(d, in, n)) return;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < type->count; k++) {
            const bool is_small = type->name == NULL || type->number >= CLPRIMS_F32;
            store(type->number, is_small ? test_random_below(41) : test_random(),
                  in + i * type->bytes + k * bytes);
        }
    }
}

/* A vector of three has the size of one of four. */
static bool same_three(const void *expected, const void *actual) {
    return memcmp(expected, actual, 3 * sizeof(uint32_t)) == 0;
}

static const oracle_twin three = {.accumulator_bytes = 16, .same = same_three};

static void draw_output(subject_data *d, const map_type *type, const unsigned char *in, size_t k) {
    static const char *const names[] = {"out[0]", "out[1]", "out[2]", "out[3]"};
    const clprims_map_desc *desc = d->desc;
    const map_type *out = map_output(desc, k);
    const size_t n = d->n[0];
    unsigned char *to = subject_out(d, OUT + k, names[k], n, subject_room(d, 0), out->bytes);
    uint32_t *made = NULL;
    if (desc->parameters != NULL && d->operand == NULL) {
        made = drawn_input_made(d, desc->parameters, (const uint32_t *)(const void *)in, n);
    }
    for (size_t i = 0; i < n; i++) {
        unsigned char *element = to + i * out->bytes;
        if (d->operand != NULL) {
            d->operand->twin.load(in, i, element);
        } else if (made != NULL) {
            memcpy(element, &made[i], sizeof made[i]);
        } else {
            evaluate(desc->output[k].value, type, type != NULL ? in + i * type->bytes : NULL, out,
                     i, element);
        }
    }
    free(made);
    if (out->count == 3) d->at[OUT + k].twin = &three;
}

static void draw(subject_data *d) {
    const clprims_map_desc *desc = d->desc;
    const clprims_map_report report = {CLPRIMS_MAP_VALID, (int64_t)d->n[0]};
    const map_type *type = map_input(desc);
    const size_t n = d->n[0];
    unsigned char *in = NULL;
    if (type != NULL) {
        in = subject_in(d, IN, "in", n, subject_room(d, 0), type->bytes);
        fill(d, type, in, n);
    }
    for (size_t k = 0; map_output(desc, k) != NULL; k++) draw_output(d, type, in, k);
    for (size_t j = 0; j < CLPRIMS_MAP_OUTPUTS; j++) {
        const size_t k = ((size_t)d->variant + j) % CLPRIMS_MAP_OUTPUTS;
        if (map_may_be_in_place(desc, k)) subject_may_overlap(d, IN, OUT + k, SUBJECT_SAME_PLACE);
    }
    subject_number(d, N, "n", 0);
    subject_report(d, REPORT, &report, sizeof report);
}

/* ---- The plans ---- */

/* The value is the text of map_types. */
#define MAP(...) SUBJECT_CUSTOM_DESC(map, __VA_ARGS__)
#define WORDS MAP(.type = CLPRIMS_U32, .output[0].value = "x * 3 + 1")
#define BYTES MAP(.type = CLPRIMS_U8, .output[0].value = "x * 3 + 1")
#define NONE MAP(.type = CLPRIMS_F32, .no_input_array = 1, .output[0].value = "i % 100")
#define TWO                                                                                        \
    MAP(.type = CLPRIMS_F32,                                                                       \
        .output = {{.value = "x * 3 + 1"}, {.type = CLPRIMS_I16, .value = "x"}})
#define POINTS                                                                                     \
    MAP(.type = CLPRIMS_STRUCT, .output[0].value = "turn12(x, (uint)i)",                           \
        .custom = {.declarations = map_declarations, .type_name = "bytes12", .type_bytes = 12})
#define VECTORS "GROUP=8 DEPTH=2"

static const subject_call calls[] = {
    {"map", WORDS, "GROUP=1", .n = {FEW}},
    {"map-vectors", BYTES, VECTORS, .n = {FEW}, .needs_shapes = true},
    {"map-counted", WORDS, VECTORS, .n = {57}, .most = {FEW}, .counted = true,
     .needs_shapes = true},
    {"map-of-none", WORDS, "GROUP=1", .n = {0}, .most = {FEW}},
};

static const subject_sample samples[] = {
    {"map", WORDS, 12345678, 33554433},
    {"map/two", TWO, 0, 0},
};

static const subject_fault faults[] = {
    {"map", "", WORDS, .n = {FAULTS_N}, .order = SUBJECT_BOTH_ORDERS},
};

static const subject_launch launched[] = {{"map", .desc = WORDS}};

static const subject_way ways[] = {
    {"chosen", NULL, 0}, {"serial", "GROUP=1", 0}, {"small", "GROUP=64 DEPTH=2 VEC=2", 0}};

static const subject_kind kinds[] = {
    {"words", NULL, .desc = WORDS}, {"bytes", NULL, .desc = BYTES},    {"none", NULL, .desc = NONE},
    {"two", NULL, .desc = TWO},     {"structs", NULL, .desc = POINTS},
};

const subject subject_map = {
    SUBJECT(map),
    SUBJECT_MEMBER(map, type),
    .set_parameter = set_parameter,
    .traits = {.tells_numbers = true, .has_one_launch = true},
    .max = {SUBJECT_MAX(map, max_n)},
    .plain = WORDS,
    SUBJECT_GROUPS(map),
    .knobs = {.key = "map", .call = "map"},
    .check = check,
    .prepare = prepare,
    SUBJECT_LAUNCHED_PLANS,
    .plans.ways = SUBJECT_TABLE(ways),
};
