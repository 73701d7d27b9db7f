/* SPDX-License-Identifier: MIT */
/* The user's own operators, structs and input expressions along a list. */
#include "fixtures/list/listscan_cases.h"
#include "harness/special_floats.h"
#include "subjects/draws/drawn_input.h"
#include "subjects/runs/subject_buffers.h"

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

static void fill_window(void *in, size_t n) {
    for (size_t i = 0; i < n; i++) {
        ((int32_t *)in)[i] = (int32_t)((uint32_t)test_random() % 1000000) + 1;
    }
}

static const window nothing = {{0, 0, 0, 0, 0}};
static const custom_operand custom_window = {
    .name = "window",
    .type = CLPRIMS_I32,
    .accumulator = CLPRIMS_STRUCT,
    .op = CLPRIMS_CUSTOM,
    .custom = {"slide(a, b)", window_text, "window", sizeof(window), NULL, 0},
    .input = "one(x)",
    .init = &nothing,
    .twin = {load_window, slide, sizeof(window)},
    .fill = fill_window};

/* ---- Cases ---- */

enum { AFFINE, WINDOW, MARKED, STARTLESS, SQUARES, SCALED, OPERANDS };

static const custom_operand *const operands[OPERANDS] = {&custom_affine,  &custom_window,
                                                         &custom_marked,  &custom_affine,
                                                         &custom_squares, &custom_scaled};

typedef struct custom_case {
    const custom_operand *operand;
    clprims_listscan_desc desc;
} custom_case;

static void custom_is_right(const void *data) {
    static const size_t sizes[] = {1, 2, 65, 300, 4099, 20011};
    const custom_case *c = data;
    const size_t most = c->desc.max_n;
    test_want_group(c->desc.tuning);
    list_links l = list_links_create(most);
    void *values = test_scratch(most, 8);
    clprims_listscan *plan = listscan_create(&c->desc);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0] && sizes[k] <= most; k++) {
        l.n = sizes[k];
        list_visit(&l, LIST_RANDOM);
        c->operand->fill(values, l.n);
        const listscan_case run = {.plan = plan,
                                   .desc = &c->desc,
                                   .twin = &c->operand->twin,
                                   .next = l.next,
                                   .values = values,
                                   .head = l.head,
                                   .n = l.n,
                                   .first = k % 3,
                                   .without_report = true};
        listscan_expect(&run, NULL);
    }
}

/* The size suits the setting. */
static custom_case case_of(const custom_operand *operand, const list_setting *setting) {
    custom_case c = {operand, {0}};
    CUSTOM_DESCRIBE(c.operand, &c.desc);
    c.desc.max_n = test_small() ? 65 : setting == &listscan_settings[3] ? 300 : 20011;
    c.desc.tuning = setting->tuning;
    c.desc.link = CLPRIMS_I32;
    return c;
}

/* Special floats, in each setting in the long tier. */
static void add_special(test_cases *cases) {
    for (int mode = 0; mode < SPECIAL_FLOATS * LISTSCAN_SETTINGS; mode++) {
        const int operand = mode / LISTSCAN_SETTINGS, turn = mode % LISTSCAN_SETTINGS;
        const list_setting *setting = &listscan_settings[turn];
        custom_case c = case_of(special_floats[operand], setting);
        c.desc.inclusive = mode % 2 == 0;
        if (!c.desc.inclusive) c.desc.init = special_inits[operand];
        if (!listscan_suits(setting) ||
            (!test_long() && (turn != operand || operand % 2 > 0 || operand > 2))) {
            continue;
        }
        test_add_row(cases, custom_is_right, c, "listscan/special-floats/%s/%s/%s", c.operand->name,
                     c.desc.inclusive ? "inclusive" : "exclusive", setting->name);
    }
}

/* ---- Parameters ---- */

/* An input expression with parameters, which differ from run to run of a plan. */
static void parameters_are_used(const void *data) {
    static const size_t sizes[] = {1, 65, 300, 4099};
    const list_setting *setting = data;
    const clprims_listscan_desc desc = {.link = CLPRIMS_I32,
                                        .type = CLPRIMS_U32,
                                        .inclusive = 1,
                                        .max_n = 4099,
                                        .input = DRAWN_WEIGHED,
                                        .parameters = DRAWN_WEIGHTS,
                                        .tuning = setting->tuning};
    test_want_group(desc.tuning);
    clprims_listscan *plan = listscan_create(&desc);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        subject_data d = {.of = &subject_listscan, .desc = &desc, .most = {desc.max_n}};
        subject_draw_about(&d, sizes[k]);
        test_buffer weights = test_buffer_create(d.weight, SUBJECT_WEIGHTS, sizeof *d.weight, 0);
        d.weights = weights.at.mem;
        expect_ok(d.of->prepare(plan, &d));
        subject_enqueue_is_right(&d, plan);
        subject_run_is_right(&d, plan);
    }
}

/* Without an array of values, the walks evaluate the expression. The list goes through the array in
 * order. */
static void parameters_need_no_array(const void *data) {
    const list_setting *setting = data;
    const clprims_listscan_desc desc = {.type = CLPRIMS_U32,
                                        .inclusive = 1,
                                        .max_n = 3000,
                                        .input = "(uint)i * factor",
                                        .no_input_array = 1,
                                        .parameters = "uint factor",
                                        .tuning = setting->tuning};
    int32_t next[3000];
    uint32_t out[3000];
    test_want_group(desc.tuning);
    clprims_listscan *plan = listscan_create(&desc);
    for (size_t i = 0; i < 3000; i++) next[i] = i + 1 < 3000 ? (int32_t)i + 1 : -1;
    for (uint32_t factor = 3; factor < 8; factor += 4) {
        uint32_t sum = 0;
        expect_ok(clprims_listscan_set_parameter(plan, 0, sizeof factor, &factor));
        const clprims_listscan_arrays arrays = {.next = next, .out = out};
        expect_ok(clprims_listscan_run(plan, &arrays, 3000));
        for (uint32_t i = 0; i < 3000; i++) assert_int_equal(out[i], sum += i * factor);
    }
}

static void parameters_are_refused(void) {
    clprims_listscan *plan = NULL;
    clprims_listscan_desc desc = {.type = CLPRIMS_U32, .max_n = 9, .parameters = "uint factor"};
    const uint32_t in[1] = {5};
    const int32_t next[1] = {-1};
    uint32_t out[1];
    const clprims_listscan_arrays arrays = {.next = next, .values = in, .out = out};
    expect_failure(clprims_listscan_create(&plan, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "listscan: 1 parameters, but no text such as desc.input");
    desc.input = "x * x";
    desc.parameters = "uint x";
    expect_failure(clprims_listscan_create(&plan, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "listscan: parameter 0, \"uint x\", has the name of an operand of desc.input");
    desc.parameters = "uint factor";
    plan = listscan_create(&desc);
    expect_failure(clprims_listscan_run(plan, &arrays, 1), CLPRIMS_ERR_ARGUMENT,
                   "listscan: parameter 0, factor, was never set");
}

static void add_parameters(test_cases *cases) {
    for (int s = 0; s < LISTSCAN_SETTINGS; s++) {
        const list_setting *setting = &listscan_settings[s];
        const bool is_usual = s == 0 || s == 2; /* which have all kernels but the group's */
        if (!listscan_suits(setting)) continue;
        if (!test_long() && !is_usual && s != LISTSCAN_ONE_GROUP) continue;
        test_add_row(cases, parameters_are_used, *setting, "listscan/parameters/%s", setting->name);
        if (!is_usual) continue;
        test_add_row(cases, parameters_need_no_array, *setting, "listscan/parameters/no-array/%s",
                     setting->name);
    }
    test_add_plain(cases, parameters_are_refused, "listscan/parameters/refused");
}

void listscan_add_custom(test_cases *cases) {
    add_special(cases);
    add_parameters(cases);
    /* By operand: no start is seen by the levels alone. */
    static const int turns[OPERANDS] = {0, 1, 2, 2, 1, 0};
    for (int mode = 0; mode < OPERANDS * LISTSCAN_SETTINGS; mode++) {
        const int kind = mode / LISTSCAN_SETTINGS;
        const list_setting *setting = &listscan_settings[mode % LISTSCAN_SETTINGS];
        custom_case c = case_of(operands[kind], setting);
        if (kind == STARTLESS) c.desc.custom.identity = NULL;
        /* What has no start is inclusive; the others take turns. */
        c.desc.inclusive = kind == STARTLESS || mode % 2 == 0;
        c.desc.link = mode % 3 == 0 ? CLPRIMS_I64 : CLPRIMS_I32;
        /* Each is a program of its own; one setting for each operand shows most. */
        const int turn = mode % LISTSCAN_SETTINGS;
        const bool in_group = turn == LISTSCAN_ONE_GROUP && kind <= STARTLESS;
        const bool chosen = turn == turns[kind] || in_group;
        /* Large values: as many as local memory has room for. */
        if (in_group) c.desc.tuning = "SINGLE_GROUP=32";
        if (!listscan_suits(setting) || (!test_long() && (!chosen || kind == SQUARES))) continue;
        if (test_small() && kind != AFFINE) continue;
        test_add_row(cases, custom_is_right, c, "listscan/custom/%s/%s/%s",
                     kind == STARTLESS ? "startless" : c.operand->name,
                     c.desc.inclusive ? "inclusive" : "exclusive", setting->name);
    }
}
