/* SPDX-License-Identifier: MIT */
/* Scans of built-in types and operators beside their plain-C twins. */
#include "scan/scan_cases.h"

/* GROUP=64 is two sub-groups or more of most devices, and one of the local layer. A single
 * work-item takes 64 words at a time: a tile has a little more than two and a half times 64, and a
 * tile of 8-byte elements does not divide into four parts. */
const scan_shape scan_shapes[SCAN_SHAPES] = {
    {"one", "GROUP=1 ROWS=41", "SCANNERS=1 REDUCERS=1 ROWS=1 STAGES=2 UNITS=1"},
    {"many", "GROUP=64 ROWS=2", "SCANNERS=3 REDUCERS=2 ROWS=3 STAGES=3 UNITS=3"}};

bool scan_can_run(const clprims_scan_desc *desc) {
    clprims_scan *scan = NULL;
    if (!test_bears_group(desc->tuning)) return true; /* its cases say why they are skipped */
    const clprims_status status = clprims_scan_create(&scan, test_context(), desc);
    clprims_scan_destroy(scan);
    return status == CLPRIMS_OK;
}

static bool can_run(clprims_algorithm algorithm, const scan_shape *shape) {
    clprims_scan_desc desc = {.type = CLPRIMS_I32, .max_n = 1};
    scan_set(&desc, algorithm, shape);
    return scan_can_run(&desc);
}

clprims_algorithm scan_form_algorithm(const scan_shape *form) {
    return form->ahead != NULL ? CLPRIMS_ALGORITHM_LOOKAHEAD : CLPRIMS_ALGORITHM_LOOKBACK;
}

const scan_shape *scan_forms(int *count) {
    static const scan_shape forms[SCAN_MOST_FORMS] = {
        {"wave", "GROUP=64 ROWS=2 WAVE=1", NULL},
        {"fed-70", NULL, "SCANNERS=3 REDUCERS=2 LOADERS=1 ROWS=2 STAGES=3 UNITS=3 CAPABILITY=70"},
        {"fed-80", NULL, "SCANNERS=3 REDUCERS=2 LOADERS=2 ROWS=2 STAGES=2 UNITS=3 CAPABILITY=80"}};
    static int known = -1;
    for (int k = 0; known < 0; k++) {
        const bool runs = k < SCAN_MOST_FORMS && can_run(scan_form_algorithm(&forms[k]), &forms[k]);
        if (!runs) known = k;
    }
    *count = known;
    return forms;
}

int scan_algorithm_count(void) {
    static int count = 0;
    if (count == 0) count = can_run(CLPRIMS_ALGORITHM_LOOKAHEAD, &scan_shapes[0]) ? 4 : 3;
    return count;
}

clprims_algorithm scan_algorithm(int number) {
    static const clprims_algorithm all[] = {
        CLPRIMS_ALGORITHM_LOOKBACK, CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK,
        CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN, CLPRIMS_ALGORITHM_LOOKAHEAD};
    return all[number % scan_algorithm_count()];
}

void scan_set(clprims_scan_desc *desc, clprims_algorithm algorithm, const scan_shape *shape) {
    desc->algorithm = algorithm;
    desc->tuning = algorithm == CLPRIMS_ALGORITHM_LOOKAHEAD ? shape->ahead : shape->tuning;
}

/* ---- Plans and runs ---------------------------------------------------------------------------
 */

clprims_scan *scan_plan(const clprims_scan_desc *desc) {
    test_needs_types(desc->type, desc->accumulator);
    return subject_kept_plan(&subject_scan, desc);
}

subject_data scan_data(const clprims_scan_desc *desc, size_t n) {
    return (subject_data){.of = &subject_scan, .desc = desc, .n = {n}, .most = {desc->max_n}};
}

void scan_is_right(const void *data) {
    const scan_case *c = data;
    const size_t firsts[SUBJECT_SLOTS] = {
        [SCAN_IN] = c->in_first, [SCAN_OUT] = c->in_place ? c->in_first : c->out_first};
    subject_data like = scan_data(&c->desc, c->n);
    like.operand = c->operand;
    like.fill = c->fill;
    like.in_place = c->in_place;
    subject_drawn_is_right(&like, scan_plan(&c->desc), firsts, c->by_run);
}

/* ---- Cases ------------------------------------------------------------------------------------
 */

static clprims_scan_desc describe(clprims_type type, clprims_op op, bool inclusive,
                                  clprims_algorithm algorithm, const scan_shape *shape) {
    clprims_scan_desc desc = {.type = type, .op = op, .inclusive = inclusive, .max_n = 1 << 20};
    scan_set(&desc, algorithm, shape);
    desc.fast_floats = 1; /* values of these cases are exact in every order */
    return desc;
}

static void add_case(test_cases *cases, const scan_case *c, const scan_shape *shape,
                     const char *extra) {
    const clprims_scan_desc *d = &c->desc;
    const char *accumulator = d->accumulator ? clprims_type_name(d->accumulator) : "";
    test_add_row(cases, scan_is_right, *c, "scan/%s%s%s/%s/%s/n=%zu/%s/%s%s",
                 clprims_type_name(d->type), d->accumulator ? "-" : "", accumulator,
                 clprims_op_name(d->op), d->inclusive ? "inclusive" : "exclusive", c->n,
                 clprims_algorithm_name(d->algorithm), shape->name, extra);
}

/* Every size at which something can go wrong, for every algorithm, shape and kind of scan. */
static void add_sizes(test_cases *cases) {
    static const size_t sizes[] = {0,    1,    2,    3,    31,   32,    33,    63,    64,
                                   65,   127,  128,  129,  511,  512,   513,   1023,  1024,
                                   1025, 2047, 2049, 4095, 4097, 16384, 16385, 65537, 524295};
    const size_t largest = test_small() ? 520 : 1 << 20;
    for (int mode = 0; mode < scan_algorithm_count() * SCAN_SHAPES * 2; mode++) {
        const scan_shape *shape = &scan_shapes[mode / 2 % SCAN_SHAPES];
        scan_case c = {.desc = describe(CLPRIMS_U32, CLPRIMS_ADD, mode % 2,
                                        scan_algorithm(mode / 2 / SCAN_SHAPES), shape)};
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            c.n = sizes[i];
            if (c.n <= largest) add_case(cases, &c, shape, "");
        }
    }
}

/* Every type and operator, each type with each operator in the long tier, with the algorithms and
 * shapes in turn. */
static void add_types(test_cases *cases) {
    int turn = 0;
    for (int type = CLPRIMS_I8; type <= CLPRIMS_F64; type++) {
        const bool is_float = type >= CLPRIMS_F32;
        for (int op = CLPRIMS_ADD; op <= CLPRIMS_XOR; op++, turn++) {
            if (is_float && op >= CLPRIMS_AND) continue;
            if (test_small() && op != type % 4) continue;
            if (!test_long() && !test_small() && (type + 2 * op) % 3 != 0) continue;
            const scan_shape *shape = &scan_shapes[turn % SCAN_SHAPES];
            scan_case c = {.desc = describe((clprims_type)type, (clprims_op)op, turn / 2 % 2,
                                            scan_algorithm(turn), shape),
                           .n = test_small() ? 300 : 5003};
            c.in_first = (size_t)turn % 5;
            c.out_first = (size_t)turn % 3;
            add_case(cases, &c, shape, "/offsets");
            c.in_first = c.out_first = 0;
            c.n = test_small() ? 513 : 70001;
            add_case(cases, &c, shape, "");
        }
    }
}

/* Accumulators of another type, with an initial value. */
static void add_accumulators(test_cases *cases) {
    static const clprims_type pairs[][2] = {{CLPRIMS_U8, CLPRIMS_U64},  {CLPRIMS_I8, CLPRIMS_I64},
                                            {CLPRIMS_I16, CLPRIMS_I32}, {CLPRIMS_U32, CLPRIMS_U64},
                                            {CLPRIMS_F32, CLPRIMS_F64}, {CLPRIMS_I64, CLPRIMS_I32}};
    static const uint64_t bits = 7;
    static const double number = 7.0;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const scan_shape *shape = &scan_shapes[i % SCAN_SHAPES];
        scan_case c = {.desc =
                           describe(pairs[i][0], CLPRIMS_ADD, i % 2, scan_algorithm((int)i), shape),
                       .n = test_small() ? 400 : 20011,
                       .in_first = 3};
        c.desc.accumulator = pairs[i][1];
        c.desc.init = pairs[i][1] == CLPRIMS_F64 ? (const void *)&number : (const void *)&bits;
        add_case(cases, &c, shape, "/init");
    }
}

/* In place, through run(), and with buffers at every alignment. */
static void add_places(test_cases *cases) {
    for (int mode = 0; mode < scan_algorithm_count() * SCAN_SHAPES; mode++) {
        const scan_shape *shape = &scan_shapes[mode % SCAN_SHAPES];
        scan_case c = {.desc = describe(CLPRIMS_U32, CLPRIMS_ADD, 0,
                                        scan_algorithm(mode / SCAN_SHAPES), shape),
                       .n = test_small() ? 515 : 30001};
        for (c.in_first = 0; c.in_first < 5; c.in_first++) {
            c.out_first = (2 * c.in_first) % 5;
            char extra[32];
            snprintf(extra, sizeof extra, "/first=%zu,%zu", c.in_first, c.out_first);
            add_case(cases, &c, shape, extra);
        }
        c.in_first = 3;
        c.in_place = true;
        add_case(cases, &c, shape, "/in-place");
        c.in_first = 0;
        c.by_run = true;
        add_case(cases, &c, shape, "/run-in-place");
        c.in_place = false;
        add_case(cases, &c, shape, "/run");
    }
}

/* Forms of some devices: every type, sizes around tiles, every alignment. */
static void add_forms(test_cases *cases) {
    static const size_t sizes[] = {1, 33, 767, 769, 1536, 16385, 524295};
    int count;
    const scan_shape *forms = scan_forms(&count);
    for (int k = 0; k < count; k++) {
        const scan_shape *form = &forms[k];
        const clprims_algorithm algorithm = scan_form_algorithm(form);
        scan_case c = {.desc = describe(CLPRIMS_U32, CLPRIMS_ADD, k % 2, algorithm, form)};
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            c.n = sizes[i];
            c.in_first = i % 5;
            c.out_first = 2 * i % 5;
            add_case(cases, &c, form, "/offsets");
        }
        c.in_place = true;
        add_case(cases, &c, form, "/in-place");
        for (int type = CLPRIMS_I8; type <= CLPRIMS_F64; type++) {
            const clprims_op op = type >= CLPRIMS_F32 ? CLPRIMS_ADD : (clprims_op)(type % 7);
            scan_case t = {.desc = describe((clprims_type)type, op, type % 2, algorithm, form),
                           .n = 20003,
                           .in_first = (size_t)type % 3};
            add_case(cases, &t, form, "/offsets");
        }
        c = (scan_case){.desc = describe(CLPRIMS_U8, CLPRIMS_ADD, 0, algorithm, form),
                        .n = 20011,
                        .in_first = 3};
        c.desc.accumulator = CLPRIMS_U64;
        add_case(cases, &c, form, "");
    }
}

/* Vectors of a CPU's single work-item from and to places that are not aligned. */
static void add_vectors(test_cases *cases, const scan_shape *shape) {
    static const clprims_type types[][2] = {{CLPRIMS_U8, CLPRIMS_TYPE_DEFAULT},
                                            {CLPRIMS_I32, CLPRIMS_TYPE_DEFAULT},
                                            {CLPRIMS_F32, CLPRIMS_TYPE_DEFAULT},
                                            {CLPRIMS_U8, CLPRIMS_U64}};
    static const size_t sizes[] = {1, 5, 16, 17, 33, 159, 161, 700};
    for (int mode = 0; mode < 8; mode++) {
        const clprims_type *type = types[mode / 2];
        scan_case c = {
            .desc = describe(type[0], CLPRIMS_ADD, mode % 2, CLPRIMS_ALGORITHM_LOOKBACK, shape)};
        c.desc.accumulator = type[1];
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            char extra[32];
            c.n = sizes[i];
            c.in_first = (5 * i + 1) % 17;
            c.out_first = (3 * i) % 17;
            snprintf(extra, sizeof extra, "/first=%zu,%zu", c.in_first, c.out_first);
            add_case(cases, &c, shape, extra);
        }
        c.in_place = type[1] == CLPRIMS_TYPE_DEFAULT;
        if (c.in_place) add_case(cases, &c, shape, "/in-place");
    }
}

/* Outputs that go past the caches, which wants them aligned; elements that one work-item takes at
 * once, or as tiles. */
static void add_streams(test_cases *cases) {
    static const scan_shape stream = {"stream", "GROUP=1 ROWS=40 STREAM=1", NULL};
    static const scan_shape alone = {"alone", "GROUP=1 ROWS=10 SINGLE=159", NULL};
    add_vectors(cases, &stream);
    add_vectors(cases, &alone);
}

/* The shapes that the library chooses by itself. */
static void add_defaults(test_cases *cases) {
    static const scan_shape chosen = {"chosen", NULL, NULL};
    for (int type = CLPRIMS_I8; type <= CLPRIMS_F64; type++) {
        const clprims_scan_desc desc =
            describe((clprims_type)type, CLPRIMS_ADD, type % 2, CLPRIMS_ALGORITHM_AUTO, &chosen);
        const scan_case c = {.desc = desc, .n = test_small() ? 100 : 1000003 % (1 << 20)};
        add_case(cases, &c, &chosen, "");
    }
    for (int pair = 0; pair < 3; pair++) {
        static const clprims_type types[][2] = {
            {CLPRIMS_I64, CLPRIMS_I32}, {CLPRIMS_I32, CLPRIMS_I8}, {CLPRIMS_U16, CLPRIMS_U64}};
        scan_case c = {.desc = describe(types[pair][0], CLPRIMS_ADD, pair % 2,
                                        CLPRIMS_ALGORITHM_AUTO, &chosen),
                       .n = test_small() ? 100 : 900001};
        c.desc.accumulator = types[pair][1];
        add_case(cases, &c, &chosen, "");
        c.by_run = true;
        add_case(cases, &c, &chosen, "/run");
    }
    /* Neighbours cancel each other: products of every other element would overflow. */
    for (int type = CLPRIMS_F32; type <= CLPRIMS_F64; type++) {
        const scan_case c = {.desc = describe((clprims_type)type, CLPRIMS_MUL, type % 2,
                                              CLPRIMS_ALGORITHM_AUTO, &chosen),
                             .n = test_small() ? 100 : 900001};
        add_case(cases, &c, &chosen, "");
    }
}

void test_program(test_cases *cases) {
    add_sizes(cases);
    add_types(cases);
    add_accumulators(cases);
    add_places(cases);
    add_forms(cases);
    add_streams(cases);
    add_defaults(cases);
    add_counted_cases(cases);
    add_custom_cases(cases);
    add_narrow_cases(cases);
    add_run_cases(cases);
    add_safety_cases(cases);
    add_sweep_cases(cases);
    add_local_cases(cases);
    add_parameter_cases(cases);
    add_refusal_cases(cases);
}
