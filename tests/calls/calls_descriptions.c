/* SPDX-License-Identifier: MIT */
/* What primitives refuse alike: sizes, types, operators and texts of descriptions; of calls NULL,
 * arrays that are too small, numbers beyond the plan's. */
#include "calls/calls.h"

#include "subjects/runs/subject_counted.h"
#include "subjects/runs/subject_refusals.h"

/* ---- Members ---- */

static void set_number(void *desc, size_t member, int number) {
    memcpy((char *)desc + member - 1, &number, sizeof number);
}

static void set_text(void *desc, size_t member, const char *text) {
    memcpy((char *)desc + member - 1, &text, sizeof text);
}

static void set_size(void *desc, size_t place, size_t size) {
    memcpy((char *)desc + place, &size, sizeof size);
}

static void set_custom(void *desc, const subject_members *m, const char *op) {
    static const uint64_t zeros[4] = {0};
    clprims_custom custom = {.op = op, .identity = zeros};
    memcpy((char *)desc + m->custom - 1, &custom, sizeof custom);
    set_number(desc, m->op, CLPRIMS_CUSTOM);
}

/* A structure of 8 bytes. */
static void set_struct(void *desc, const subject_members *m, const char *name, size_t bytes) {
    static const uint64_t zeros[4] = {0};
    const clprims_custom custom = {.op = "a",
                                   .declarations = "typedef struct { int a; int b; } two;",
                                   .type_name = name,
                                   .type_bytes = bytes,
                                   .identity = zeros};
    memcpy((char *)desc + m->custom - 1, &custom, sizeof custom);
    set_number(desc, m->type, CLPRIMS_STRUCT);
    set_number(desc, m->op, CLPRIMS_CUSTOM);
}

/* ---- Rows ---- */

static void spoil_types(void *desc, subject_refusal *r) {
    const subject *of = subject_refusal_of(r);
    const subject_members *m = &of->members;
    ILLEGAL("unknown-knob", "COLOR", set_text(desc, of->tuning + 1, "COLOR=3"))
    ILLEGAL("knob-of-no-number", "many", set_text(desc, of->tuning + 1, "GROUP=many"))
    ILLEGAL("knob-without-value", "\"GROUP\"", set_text(desc, of->tuning + 1, "GROUP"))
    if (!of->traits.needs_no_max) {
        REFUSED("huge-max_n", TOO_LARGE, "18446744073709551615",
                set_size(desc, of->max[0], SIZE_MAX))
        ILLEGAL("no-max_n", "max_n = 0",
                for (size_t k = 0; k < SUBJECT_NUMBERS; k++) if (of->max[k] != 0)
                    set_size(desc, of->max[k], 0))
    }
    if (m->type == 0) return;
    ILLEGAL("no-type", "type = 0", set_number(desc, m->type, CLPRIMS_TYPE_DEFAULT))
    ILLEGAL("type", "type = 99", set_number(desc, m->type, 99))
    if (m->result_type == 0) return;
    ILLEGAL("result-type", "result_type = 99 is not a value of clprims_type",
            set_number(desc, m->result_type, 99))
    ILLEGAL("struct-without-result", "from int32 to struct; give one as desc.result",
            set_struct(desc, m, "two", 8), set_number(desc, m->type, CLPRIMS_I32),
            set_number(desc, m->op, CLPRIMS_ADD), set_text(desc, m->custom, NULL),
            set_number(desc, m->result_type, CLPRIMS_STRUCT))
}

static void spoil_operation(void *desc, subject_refusal *r) {
    const subject_members *m = &subject_refusal_of(r)->members;
    if (m->op == 0) return;
    ILLEGAL("accumulator", "accumulator = -3", set_number(desc, m->accumulator, -3))
    ILLEGAL("op", "op = 41", set_number(desc, m->op, 41))
    ILLEGAL("custom-without-text", "custom.op", set_number(desc, m->op, CLPRIMS_CUSTOM))
    ILLEGAL("custom-op-unread", ": custom.op = \"a + b\", but op = 0 (add)",
            set_text(desc, m->custom, "a + b"))
    REFUSED("broken-operator", BUILD, "operator:1:", set_custom(desc, m, "a + nonsense"))
    REFUSED("xor-of-floats", UNSUPPORTED, ": op = 6 (xor) is not defined for float32",
            set_number(desc, m->type, CLPRIMS_F32), set_number(desc, m->op, CLPRIMS_XOR))
    REFUSED("broken-input", BUILD, "input:1:", set_text(desc, m->input, "x * elephants"))
    ILLEGAL("no-input-at-all", "no_input_array", set_number(desc, m->no_input_array, 1))
    ILLEGAL("parameter-of-element",
            ": parameter 0, \"uint x\", has the name of an operand of desc.input",
            set_text(desc, m->input, "x"), set_text(desc, m->parameters, "uint x"))
    ILLEGAL("parameters-for-none", ": 2 parameters, but no text such as desc.input",
            set_text(desc, m->parameters, "uint first, uint second"))
    ILLEGAL("struct-without-name", "type_name is NULL", set_struct(desc, m, NULL, 8))
    REFUSED("struct-without-declarations", BUILD, "three", set_struct(desc, m, "three", 8))
    ILLEGAL("struct-of-260", "type_bytes = 260; it must be", set_struct(desc, m, "two", 260))
    ILLEGAL("struct-of-odd-size", ": type_bytes = 5, the device's sizeof is 8",
            set_struct(desc, m, "two", 5))
    ILLEGAL("struct-of-other-size", ": type_bytes = 12, the device's sizeof is 8",
            set_struct(desc, m, "two", 12))
}

static void spoil(void *desc, subject_refusal *r) {
    spoil_types(desc, r);
    spoil_operation(desc, r);
}

/* ---- Inputs that a text makes of the index ---- */

/* The input is the first array of these. */
static void array_is_refused(const void *data) {
    const subject *of = *(const subject *const *)data;
    const subject_members *m = &of->members;
    subject_described made = subject_described_by(of, of->plain);
    subject_data like = {.of = of, .desc = made.desc.bytes, .operand = &custom_squares};
    subject_limit_for(of, 100, like.most);
    set_number(made.desc.bytes, m->type, custom_squares.type);
    set_text(made.desc.bytes, m->input, custom_squares.input);
    set_number(made.desc.bytes, m->no_input_array, 1);
    subject_input_is_refused(&like);
}

/* ---- Calls ---- */

static void call_refuses(const void *data) {
    subject_scene scene = subject_scene_open(data);
    subject_enqueue_refuses(&scene.data, scene.plan);
    if (!scene.data.counted) subject_run_refuses(&scene.data, scene.plan);
    subject_others_refuse(&scene.data, scene.plan);
    if (scene.data.counted) {
        subject_free(&scene.data);
        subject_numbers_are_refused(&scene.data, scene.plan);
    }
    expect_usable(test_context());
}

static void null_is_refused(const void *data) {
    const subject *of = *(const subject *const *)data;
    subject_null_is_refused(of, of->plain);
}

/* The least description of each primitive, for some elements. */
void calls_add_descriptions(test_cases *cases) {
    for (size_t i = 0; i < SUBJECT_COUNT; i++) {
        const subject *of = subjects[i];
        subject_described good;
        size_t most[SUBJECT_NUMBERS];
        char prefix[64];
        subject_limit_for(of, 100, most);
        subject_describe(of, of->plain, NULL, most, good.desc.bytes);
        snprintf(prefix, sizeof prefix, "calls/description/%s", of->name);
        subject_add_refused(cases, of, good.desc.bytes, spoil, prefix);
        test_add_row(cases, null_is_refused, of, "%s/null", prefix);
        if (of->members.result_type != 0)
            test_add_row(cases, array_is_refused, of, "%s/input-array", prefix);
    }
    subject_add_calls(cases, call_refuses, "calls/refused");
}
