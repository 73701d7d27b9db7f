/* SPDX-License-Identifier: MIT */
/* Bad input: each kind has its own status and a message with the values in it. */
#include "reduce/reduce_cases.h"
#include "subjects/runs/subject_refusals.h"

enum { N = 100 };

static const clprims_reduce_desc good = {.type = CLPRIMS_I32, .max_n = N};
static const subject_data like = {.of = &subject_reduce, .desc = &good, .most = {N}};

/* ---- create ---- */

static void struct_without_text(clprims_reduce_desc *d) {
    d->type = CLPRIMS_STRUCT, d->op = CLPRIMS_CUSTOM, d->custom.op = "a";
}

static void spoil(void *desc, subject_refusal *r) {
    clprims_reduce_desc *d = desc;
    ILLEGAL("no-type", "reduce: type = 0; set the type of the elements",
            d->type = CLPRIMS_TYPE_DEFAULT)
    ILLEGAL("accumulator", "accumulator = -3", d->accumulator = (clprims_type)-3)
    ILLEGAL("op", "op = 41 is not a value of clprims_op", d->op = (clprims_op)41)
    REFUSED("element-of-a-result", BUILD, "result:1:", d->result = "r + x")
    ILLEGAL("result-type", "result_type = 99 is not a value of clprims_type",
            d->result_type = (clprims_type)99)
    ILLEGAL("struct-without-result", "from int32 to struct; give one as desc.result",
            d->result_type = CLPRIMS_STRUCT, d->custom.type_name = "int4",
            d->custom.declarations = "", d->custom.type_bytes = 16)
    ILLEGAL("no-max_n", "max_n", d->max_n = 0)
    REFUSED("huge-max_n", TOO_LARGE, "max_n = 9223372036854775807", d->max_n = SIZE_MAX / 2)
    REFUSED("scratch", TOO_LARGE, "exceeds", d->max_n = (size_t)1 << 58, d->tuning = "GROUP=1")
    REFUSED("groups", TOO_LARGE,
            "max_n = 288230376151711744 takes more than 2147483647 work-groups",
            d->max_n = (size_t)1 << 58, d->tuning = "GROUP=32")
    ILLEGAL("custom-without-text", "custom.op; it is NULL", d->op = CLPRIMS_CUSTOM)
    ILLEGAL("custom-op-unread", "reduce: custom.op = \"a + b\", but op = 8 (argmin)",
            d->custom.op = "a + b", d->op = CLPRIMS_ARGMIN)
    ILLEGAL("no-input-at-all", "no_input_array", d->no_input_array = 1)
    REFUSED("xor-of-floats", UNSUPPORTED, "op = 6 (xor)", d->type = CLPRIMS_F32,
            d->op = CLPRIMS_XOR)
    REFUSED("broken-input", BUILD, "elephants", d->input = "x * elephants")
    ILLEGAL("parameter-of-element",
            "reduce: parameter 0, \"uint x\", has the name of an operand of desc.input",
            d->input = "x", d->parameters = "uint x")
    ILLEGAL("parameters-for-none", "reduce: 2 parameters, but no text such as desc.input",
            d->parameters = "uint first, uint second")
    REFUSED("broken-operator", BUILD, "nonsense", d->op = CLPRIMS_CUSTOM,
            d->custom.op = "a + nonsense")
    ILLEGAL("struct-without-text", "type_name is NULL", struct_without_text(d))
    ILLEGAL("struct-by-argmin", "reduce: op = 8 (argmin) is not defined for structs",
            struct_without_text(d),
            d->custom.declarations = "typedef struct { int a; int b; } two;",
            d->custom.type_name = "two", d->custom.type_bytes = 8, d->op = CLPRIMS_ARGMIN)
    ILLEGAL("unknown-knob", "COLOR", d->tuning = "COLOR=3")
    ILLEGAL("knob-of-no-number", "many", d->tuning = "GROUP=many")
    ILLEGAL("group-too-large", "GROUP=2048", d->tuning = "GROUP=2048")
    ILLEGAL("group-no-power", "GROUP=48", d->tuning = "GROUP=48")
    ILLEGAL("group-too-small", "GROUP=16; it must be 1, or 32", d->tuning = "GROUP=16")
    ILLEGAL("depth-zero", "DEPTH=0", d->tuning = "DEPTH=0")
    ILLEGAL("no-groups", "GROUPS=0", d->tuning = "GROUPS=0")
}

/* Of other primitives. */
static void scan_refuses_argmin(void) {
    clprims_scan *scan = NULL;
    clprims_scan_desc desc = {.type = CLPRIMS_I32, .max_n = 100, .op = CLPRIMS_ARGMIN};
    expect_failure(clprims_scan_create(&scan, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "scan: op = 8 (argmin) is for reduce and segmented only");
}

/* ---- enqueue and run ---- */

static void input_where_none_belongs(void) {
    clprims_reduce_desc desc = good;
    subject_data generated = reduce_data(&desc, 0);
    CUSTOM_DESCRIBE(&custom_squares, &desc);
    generated.operand = &custom_squares;
    subject_input_is_refused(&generated);
}

void add_refusal_cases(test_cases *cases) {
    subject_add_refused(cases, &subject_reduce, &good, spoil, "reduce/refuses/create");
    subject_add_refused_calls(cases, &like, "reduce/refuses");
    test_add_plain(cases, scan_refuses_argmin, "reduce/refuses/scan-by-argmin");
    test_add_plain(cases, input_where_none_belongs, "reduce/refuses/input-array");
}
