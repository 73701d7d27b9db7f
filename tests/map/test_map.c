/* SPDX-License-Identifier: MIT */
/* Map beside its plain-C twin: types, places, outputs in the place of the input; bad input. */
#include "subjects/draws/drawn_map.h"
#include "subjects/runs/subject_counted.h"
#include "subjects/runs/subject_parameters.h"
#include "subjects/runs/subject_refusals.h"

enum { MOST_N = 20000, N = 100 };

/* ---- Right ---- */

typedef struct map_case {
    clprims_map_desc desc;
    size_t n, first;
    int in_place; /* the output that is the input; -1: none */
    bool by_run;
} map_case;

static void map_is_right(const void *data) {
    const map_case *c = data;
    subject_data like = {.of = &subject_map, .desc = &c->desc, .most = {MOST_N}, .n = {c->n}};
    like.in_place = c->in_place >= 0;
    if (like.in_place) like.variant = c->in_place;
    subject_case_is_right(&like, subject_kept_plan(&subject_map, &c->desc), c->first, c->by_run);
}

static const char *const places[] = {"in-place-0", "in-place-1", "in-place-2", "in-place-3"};

static const struct {
    const char *name, *tuning;
} shapes[] = {{"one", "GROUP=1"},
              {"default-vectors", "GROUP=8"},
              {"vectors", "GROUP=8 DEPTH=2 VEC=4"},
              {"long-vectors", "GROUP=16 DEPTH=1 VEC=16"},
              {"default", NULL}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* Numbers of elements around vectors and tiles, at several places, now in place. */
static void add_sweep(test_cases *cases, map_case c, const char *name) {
    static const size_t sizes[] = {0,  1,  2,  3,   7,   8,    9,    31,   32,   33,
                                   63, 64, 65, 127, 513, 1025, 4095, 8192, 8193, 20000};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        c.n = sizes[k];
        c.first = k % 6;
        c.by_run = k % 7 == 3;
        c.in_place = (int)(k % 5) - 1;
        if (test_small() && (c.n > 200 || k % 3 == 1)) continue;
        if (c.by_run || c.in_place < 0 || !map_may_be_in_place(&c.desc, (size_t)c.in_place)) {
            c.in_place = -1;
        }
        test_add_row(cases, map_is_right, c, "map/%s/n=%zu/first=%zu/%s", name, c.n, c.first,
                     c.by_run           ? "run"
                     : c.in_place == -1 ? "enqueue"
                                        : places[c.in_place]);
    }
}

/* Each input type, and none, with four outputs: in the long tier every pair of types in every
 * shape, in the default tier some inputs, each with an output of its own type in one shape. */
static void add_types(test_cases *cases) {
    for (size_t t = 0; t <= MAP_TYPES; t++) {
        const map_type *in = t < MAP_TYPES ? &map_types[t] : NULL;
        for (size_t out = 0; out < 6; out++) {
            for (size_t s = 0; s < SHAPES; s++) {
                const bool few = t % 3 == 2 && out == 0 && s == t / 3 % SHAPES;
                map_case c = {.desc = {.max_n = MOST_N, .tuning = shapes[s].tuning}};
                char name[96];
                if (!few && !test_long()) continue;
                if (s > 0 && s < SHAPES - 1 && !test_bears_shapes()) continue;
                map_describe(&c.desc, in, CLPRIMS_MAP_OUTPUTS, t + out, 6);
                snprintf(name, sizeof name, "types/%s-to-%zu/%s",
                         in == NULL         ? "none"
                         : in->name == NULL ? clprims_type_name(in->type)
                                            : in->name,
                         out, shapes[s].name);
                add_sweep(cases, c, name);
            }
        }
    }
}

/* One output, at every place within a word of short elements, and within a chunk of structures. */
static void add_places(test_cases *cases) {
    static const struct {
        size_t type;
        const char *name, *tuning;
    } rows[] = {{4, "1-bytes", "GROUP=8 VEC=8"},    {4, "16-elements", "GROUP=8 VEC=16"},
                {4, "2-elements", "GROUP=8 VEC=2"}, {12, "3-bytes", "GROUP=8"},
                {14, "12-bytes", "GROUP=8"},        {17, "48-bytes", "GROUP=8"},
                {22, "128-bytes", "GROUP=8"}};
    for (size_t t = 0; t < sizeof rows / sizeof rows[0] && test_bears_shapes(); t++) {
        map_case c = {.desc = {.max_n = MOST_N, .tuning = rows[t].tuning}, .in_place = -1};
        map_describe(&c.desc, &map_types[rows[t].type], 1, rows[t].type, 0);
        for (c.first = 0; c.first < (t < 2 ? 17 : 5); c.first++) {
            c.n = 1000;
            test_add_row(cases, map_is_right, c, "map/places/%s/first=%zu", rows[t].name, c.first);
        }
    }
}

/* ---- Bad input ---- */

#define PLAIN .type = CLPRIMS_U32, .max_n = N, .output[0].value
#define WEIGHTED                                                                                   \
    .type = CLPRIMS_U32, .max_n = 3000, .output[0].value = SUBJECT_WEIGHTED_INPUT,                 \
    .parameters = SUBJECT_WEIGHTED_PARAMETERS

static const clprims_map_desc good = {PLAIN = "x * 3 + 1"};
/* The first output may be the input, on which only the second depends. */
static const clprims_map_desc two = {
    .type = CLPRIMS_F32,
    .max_n = MOST_N,
    .output = {{.type = CLPRIMS_I32, .value = "i % 100"}, {.type = CLPRIMS_F64, .value = "x"}}};
static const clprims_map_desc without = {PLAIN = "i % 100", .no_input_array = 1};
static const clprims_map_desc counted = {.type = CLPRIMS_U16,
                                         .max_n = 1000,
                                         .output[0].value = "x * 3 + 1",
                                         .tuning = "GROUP=8 DEPTH=2"};
static const clprims_map_desc weighted[] = {{WEIGHTED}, {WEIGHTED, .tuning = "GROUP=8"}};

static subject_data like_of(const clprims_map_desc *desc) {
    return (subject_data){
        .of = &subject_map, .desc = desc, .most = {desc->max_n}, .n = {desc->max_n}};
}

static void spoil(void *desc, subject_refusal *r) {
    clprims_map_desc *d = desc;
    ILLEGAL("no-output-type", "map: output[0].type = 0; set the type of the elements",
            d->no_input_array = 1, d->type = CLPRIMS_TYPE_DEFAULT)
    ILLEGAL("strange-type", "map: output[1].type = 77 is not a value",
            d->output[1] = (clprims_map_output){.type = (clprims_type)77, .value = "x"})
    ILLEGAL("no-output", "map: output[0].value is NULL; give an expression",
            d->output[0].value = NULL)
    ILLEGAL("gap", "map: output[1].value is NULL; a later one is not", d->output[3].value = "x")
    ILLEGAL("no-name", "map: type is CLPRIMS_STRUCT, which needs a type_name",
            d->type = CLPRIMS_STRUCT, d->custom.type_bytes = 4)
    ILLEGAL("struct-of-0", "map: type has type_bytes = 0; it must be 1 to 256",
            d->type = CLPRIMS_STRUCT, d->custom.type_name = "uchar4")
    ILLEGAL("struct-of-257", "map: output[0].type has type_bytes = 257; it must",
            d->output[0].type = CLPRIMS_STRUCT, d->output[0].type_name = "uchar4",
            d->output[0].type_bytes = 257)
    ILLEGAL("other-size", "map: type_bytes = 12, the device's sizeof is 16 (uint3)",
            d->output[0] = (clprims_map_output){CLPRIMS_STRUCT, "uint3", 12, "(uint3)(x)"})
    REFUSED("value", BUILD, "output[0]", d->output[0].value = "x + ")
    ILLEGAL("parameters", "map: parameter 0", d->parameters = "float")
    ILLEGAL("name-of-operand", "\"float x\", has the name of an operand of output[0].value",
            d->parameters = "float x")
    ILLEGAL("type-unread", "output[0].type_bytes = 3 is never read: the type is uint32",
            d->output[0].type_bytes = 3)
    REFUSED("unknown-name", BUILD, "custom.type_name", d->type = CLPRIMS_STRUCT,
            d->custom.type_name = "point", d->custom.type_bytes = 12)
    ILLEGAL("op-unread", "map: custom.op = \"a + b\" is never read: a map has no operator",
            d->custom.op = "a + b")
}

static void arrays_are_refused(void) {
    const subject_data of_none = like_of(&without);
    subject_input_is_refused(&of_none);
}

static void parameters_are_used(const void *data) {
    const subject_data of_weights = like_of(data);
    subject_parameters_are_used(&of_weights);
}

static void values_are_checked(const void *data) {
    const subject_data of_weights = like_of(data);
    subject_values_are_checked(&of_weights);
}

/* Knobs of groups that have fewer work-items than a vector has elements. */
static void small_group_takes_all(void) {
    map_case c = {.desc = {PLAIN = "x * 3 + 1", .tuning = "GROUP=2 DEPTH=4 VEC=16"},
                  .in_place = -1};
    test_want_shapes();
    c.desc.max_n = MOST_N;
    c.desc.type = CLPRIMS_U8;
    for (c.first = 0; c.first < 6; c.first++) {
        for (c.n = 1; c.n < 60; c.n += 13) map_is_right(&c);
    }
}

void test_program(test_cases *cases) {
    add_types(cases);
    add_places(cases);
    add_sweep(cases, (map_case){.desc = two}, "two");
    test_add_plain(cases, small_group_takes_all, "map/small-group");
    const clprims_map_desc *used = &weighted[test_bears_shapes()];
    test_add_row(cases, parameters_are_used, *used, "map/parameters");
    test_add_row(cases, values_are_checked, *used, "map/parameters/values");
    subject_add_counted(cases, &subject_map, &good, 32, true, "map/counted/default");
    if (test_bears_shapes()) {
        subject_add_counted(cases, &subject_map, &counted, 32, false, "map/counted/vectors");
        subject_add_counted(cases, &subject_map, &counted, 32, true, "map/counted/vectors");
    }
    subject_add_refused(cases, &subject_map, &good, spoil, "map/refusals/create");
    test_add_plain(cases, arrays_are_refused, "map/refusals/arrays");
}
