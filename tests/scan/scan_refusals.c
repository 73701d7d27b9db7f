/* SPDX-License-Identifier: MIT */
/* Bad input: each kind has its own status and a message with the values in it. */
#include "scan/scan_cases.h"

#include <string.h>

/* ---- create -----------------------------------------------------------------------------------
 */

typedef struct bad_desc {
    const char *name;
    void (*spoil)(clprims_scan_desc *desc);
    clprims_status status;
    const char *message; /* a part of it */
} bad_desc;

static void old_size(clprims_scan_desc *d) {
    d->struct_size = 8;
}
static void no_type(clprims_scan_desc *d) {
    d->type = CLPRIMS_TYPE_DEFAULT;
}
static void strange_type(clprims_scan_desc *d) {
    d->type = (clprims_type)99;
}
static void strange_accumulator(clprims_scan_desc *d) {
    d->accumulator = (clprims_type)-3;
}
static void strange_op(clprims_scan_desc *d) {
    d->op = (clprims_op)41;
}
static void strange_algorithm(clprims_scan_desc *d) {
    d->algorithm = (clprims_algorithm)7;
}
static void no_max_n(clprims_scan_desc *d) {
    d->max_n = 0;
}
static void huge_max_n(clprims_scan_desc *d) {
    d->max_n = SIZE_MAX / 2;
}
static void custom_without_text(clprims_scan_desc *d) {
    d->op = CLPRIMS_CUSTOM;
}
static void no_input_at_all(clprims_scan_desc *d) {
    d->no_input_array = 1;
}

static void and_of_floats(clprims_scan_desc *d) {
    d->type = CLPRIMS_F32;
    d->op = CLPRIMS_AND;
}

static void custom_exclusive(clprims_scan_desc *d) {
    d->op = CLPRIMS_CUSTOM;
    d->custom.op = "a + b";
}

static void struct_without_text(clprims_scan_desc *d) {
    d->type = CLPRIMS_STRUCT;
    d->op = CLPRIMS_CUSTOM;
    d->custom.op = "a";
}

static void struct_without_name(clprims_scan_desc *d) {
    struct_without_text(d);
    d->custom.declarations = "typedef struct { int a; } one;";
    d->custom.type_bytes = 4;
}

static void struct_without_declarations(clprims_scan_desc *d) {
    struct_without_text(d);
    d->custom.type_name = "one";
    d->custom.type_bytes = 4;
}

static void struct_of_odd_size(clprims_scan_desc *d) {
    struct_without_text(d);
    d->custom.declarations = "typedef struct { char c[6]; } six;";
    d->custom.type_name = "six";
    d->custom.type_bytes = 6;
}

static void struct_by_add(clprims_scan_desc *d) {
    struct_of_odd_size(d);
    d->custom.type_bytes = 8;
    d->op = CLPRIMS_ADD;
}

static void struct_from_int(clprims_scan_desc *d) {
    struct_of_odd_size(d);
    d->custom.type_bytes = 8;
    d->type = CLPRIMS_I32;
    d->accumulator = CLPRIMS_STRUCT;
}

static void struct_of_wrong_size(clprims_scan_desc *d) {
    struct_of_odd_size(d);
    d->custom.declarations = "typedef struct { int a; int b; int c; } six;";
    d->custom.type_bytes = 8;
    d->inclusive = 1;
}

static void broken_operator(clprims_scan_desc *d) {
    d->op = CLPRIMS_CUSTOM;
    d->inclusive = 1;
    d->custom.op = "a + nonsense";
}

static void broken_input(clprims_scan_desc *d) {
    d->input = "x * elephants";
}

static void broken_declarations(clprims_scan_desc *d) {
    d->custom.declarations = "int good;\nint half(";
}

/* An algorithm of every device, with these knobs. */
static void by_levels(clprims_scan_desc *d, const char *tuning) {
    d->algorithm = CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN;
    d->tuning = tuning;
}

static void unknown_knob(clprims_scan_desc *d) {
    by_levels(d, "GROUP=64 COLOR=3");
}
static void knob_without_value(clprims_scan_desc *d) {
    by_levels(d, "GROUP");
}
static void knob_of_no_number(clprims_scan_desc *d) {
    by_levels(d, "GROUP=many");
}
static void knob_too_large(clprims_scan_desc *d) {
    by_levels(d, "GROUP=65536");
}
static void group_no_power(clprims_scan_desc *d) {
    by_levels(d, "GROUP=48");
}
static void scratch_too_large(clprims_scan_desc *d) {
    by_levels(d, "GROUP=1 ROWS=1");
    struct_without_text(d);
    d->custom.declarations = "typedef struct { int a[64]; } wide;";
    d->custom.type_name = "wide";
    d->custom.type_bytes = 256;
    d->inclusive = 1;
    d->max_n = UINT32_MAX / 2;
}
static void many_rows(clprims_scan_desc *d) {
    by_levels(d, "GROUP=64 ROWS=65");
}

static void many_tiles(clprims_scan_desc *d) {
    by_levels(d, "GROUP=1 ROWS=1");
    d->max_n = SIZE_MAX / 2;
}

static void reproducible_fallback(clprims_scan_desc *d) {
    d->type = CLPRIMS_F32;
    d->algorithm = CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK;
}

static void struct_of_260(clprims_scan_desc *d) {
    struct_of_odd_size(d);
    d->custom.type_bytes = 260;
}

static void reproducible_struct_fallback(clprims_scan_desc *d) {
    struct_of_odd_size(d);
    d->custom.type_bytes = 8;
    d->inclusive = 1;
    d->algorithm = CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK;
}

static const bad_desc bad_descs[] = {
    {"old-size", old_size, CLPRIMS_ERR_ARGUMENT, "struct_size = 8"},
    {"no-type", no_type, CLPRIMS_ERR_ARGUMENT, "type = 0"},
    {"strange-type", strange_type, CLPRIMS_ERR_ARGUMENT, "type = 99"},
    {"strange-accumulator", strange_accumulator, CLPRIMS_ERR_ARGUMENT, "accumulator = -3"},
    {"strange-op", strange_op, CLPRIMS_ERR_ARGUMENT, "op = 41"},
    {"strange-algorithm", strange_algorithm, CLPRIMS_ERR_ARGUMENT, "algorithm = 7"},
    {"no-max-n", no_max_n, CLPRIMS_ERR_ARGUMENT, "max_n = 0"},
    {"huge-max-n", huge_max_n, CLPRIMS_ERR_TOO_LARGE, "9223372036854775807"},
    {"and-of-floats", and_of_floats, CLPRIMS_ERR_UNSUPPORTED, "and is not defined for float32"},
    {"custom-without-text", custom_without_text, CLPRIMS_ERR_ARGUMENT, "custom.op"},
    {"custom-exclusive", custom_exclusive, CLPRIMS_ERR_ARGUMENT, "init or custom.identity"},
    {"no-input-at-all", no_input_at_all, CLPRIMS_ERR_ARGUMENT, "desc.input"},
    {"struct-without-text", struct_without_text, CLPRIMS_ERR_ARGUMENT, "type_name is NULL"},
    {"struct-without-name", struct_without_name, CLPRIMS_ERR_ARGUMENT, "type_name is NULL"},
    {"struct-without-declarations", struct_without_declarations, CLPRIMS_ERR_ARGUMENT,
     "declarations is NULL"},
    {"struct-of-odd-size", struct_of_odd_size, CLPRIMS_ERR_ARGUMENT, "type_bytes = 6"},
    {"struct-of-260", struct_of_260, CLPRIMS_ERR_ARGUMENT, "type_bytes = 260"},
    {"struct-by-add", struct_by_add, CLPRIMS_ERR_ARGUMENT, "add is not defined for structs"},
    {"struct-from-int", struct_from_int, CLPRIMS_ERR_ARGUMENT, "from int32 to struct"},
    {"struct-of-wrong-size", struct_of_wrong_size, CLPRIMS_ERR_BUILD, "error"},
    {"broken-operator", broken_operator, CLPRIMS_ERR_BUILD, "operator:1:"},
    {"broken-input", broken_input, CLPRIMS_ERR_BUILD, "input:1:"},
    {"broken-declarations", broken_declarations, CLPRIMS_ERR_BUILD, "declarations:"},
    {"unknown-knob", unknown_knob, CLPRIMS_ERR_ARGUMENT, "COLOR=3"},
    {"knob-without-value", knob_without_value, CLPRIMS_ERR_ARGUMENT, "\"GROUP\""},
    {"knob-of-no-number", knob_of_no_number, CLPRIMS_ERR_ARGUMENT, "GROUP=many"},
    {"knob-too-large", knob_too_large, CLPRIMS_ERR_ARGUMENT, "power of two from 1 to 1024"},
    {"group-no-power", group_no_power, CLPRIMS_ERR_ARGUMENT, "GROUP=48"},
    {"scratch-too-large", scratch_too_large, CLPRIMS_ERR_TOO_LARGE, "allocates at most"},
    {"many-rows", many_rows, CLPRIMS_ERR_ARGUMENT, "for GROUP=64 it must be at most 64"},
    {"many-tiles", many_tiles, CLPRIMS_ERR_TOO_LARGE, "more than 2147483647 tiles"},
    {"reproducible-fallback", reproducible_fallback, CLPRIMS_ERR_UNSUPPORTED, "fast_floats"},
    {"reproducible-struct-fallback", reproducible_struct_fallback, CLPRIMS_ERR_UNSUPPORTED,
     "fast_floats"}};

static clprims_scan_desc good_desc(void) {
    clprims_scan_desc desc = CLPRIMS_SCAN_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.max_n = 4096;
    return desc;
}

static void desc_is_refused(const void *data) {
    const bad_desc *bad = data;
    clprims_scan_desc desc = good_desc();
    clprims_scan *scan = (clprims_scan *)test_context();
    bad->spoil(&desc);
    expect_failure(clprims_scan_create(&scan, test_context(), &desc), bad->status, bad->message);
    if (scan != NULL) test_fail("a refused create left *out set");
    if (bad->status == CLPRIMS_ERR_BUILD && clprims_last_error()->build_log[0] == '\0') {
        test_fail("a program that does not compile left no build log");
    }
    expect_usable(test_context());
}

/* The largest struct is taken. */
static void struct_of_256(const void *data) {
    (void)data;
    clprims_scan_desc desc = good_desc();
    clprims_scan *scan = NULL;
    desc.type = CLPRIMS_STRUCT;
    desc.inclusive = 1;
    desc.op = CLPRIMS_CUSTOM;
    desc.custom.op = "a";
    desc.custom.declarations = "typedef struct { int of[64]; } many;";
    desc.custom.type_name = "many";
    desc.custom.type_bytes = 256;
    desc.max_n = 2;
    int32_t in[2][64], out[2][64];
    for (int i = 0; i < 128; i++) in[i / 64][i % 64] = i;
    expect_ok(clprims_scan_create(&scan, test_context(), &desc));
    expect_ok(clprims_scan_run(scan, in, out, 2));
    assert_memory_equal(out[0], in[0], sizeof in[0]);
    assert_memory_equal(out[1], in[0], sizeof in[0]);
    clprims_scan_destroy(scan);
}

static void null_arguments(const void *data) {
    (void)data;
    const clprims_scan_desc desc = good_desc();
    clprims_scan_info info = CLPRIMS_SCAN_INFO_INIT;
    clprims_scan *scan = NULL;
    const clprims_buffer nowhere = {NULL, 0};
    int value = 0;
    const clprims_status argument = CLPRIMS_ERR_ARGUMENT;
    expect_failure(clprims_scan_create(NULL, test_context(), &desc), argument, "out is NULL");
    expect_failure(clprims_scan_create(&scan, NULL, &desc), argument, "context is NULL");
    expect_failure(clprims_scan_create(&scan, test_context(), NULL), argument, "desc is NULL");
    expect_failure(clprims_scan_enqueue(NULL, test_queue(), nowhere, nowhere, 1, 0, NULL, NULL),
                   argument, "plan is NULL");
    expect_failure(clprims_scan_run(NULL, &value, &value, 1), argument, "plan is NULL");
    expect_failure(clprims_scan_describe(NULL, 1, &info), argument, "plan is NULL");
    expect_ok(clprims_scan_create(&scan, test_context(), &desc));
    expect_failure(clprims_scan_describe(scan, 1, NULL), argument, "info is NULL");
    expect_failure(clprims_scan_describe(scan, desc.max_n + 1, &info), CLPRIMS_ERR_TOO_LARGE,
                   "exceeds max_n");
    expect_failure(clprims_scan_enqueue(scan, NULL, nowhere, nowhere, 1, 0, NULL, NULL), argument,
                   "queue is NULL");
    expect_failure(clprims_scan_run(scan, NULL, &value, 1), argument, "in is NULL");
    expect_failure(clprims_scan_run(scan, &value, NULL, 1), argument, "out is NULL");
    clprims_scan_destroy(scan);
    clprims_scan_destroy(NULL);
}

/* ---- enqueue and run --------------------------------------------------------------------------
 */

static clprims_status enqueue(clprims_scan *scan, clprims_buffer in, clprims_buffer out, size_t n) {
    return clprims_scan_enqueue(scan, test_queue(), in, out, n, 0, NULL, NULL);
}

static void runs_are_refused(const void *data) {
    (void)data;
    const clprims_scan_desc desc = good_desc();
    clprims_scan *scan = scan_plan(&desc);
    test_buffer in = test_buffer_create(NULL, 100, 4, 0), out = test_buffer_create(NULL, 100, 4, 0);
    const clprims_buffer nowhere = {NULL, 0}, far = {out.at.mem, SIZE_MAX / 2};
    const clprims_buffer next = {in.at.mem, in.at.first + 1};
    int value = 0;
    expect_failure(enqueue(scan, in.at, out.at, 5000), CLPRIMS_ERR_TOO_LARGE,
                   "n = 5000 exceeds max_n = 4096");
    expect_failure(clprims_scan_run(scan, &value, &value, 5000), CLPRIMS_ERR_TOO_LARGE,
                   "n = 5000 exceeds max_n = 4096");
    expect_failure(enqueue(scan, in.at, out.at, 4000), CLPRIMS_ERR_ARGUMENT, "n = 4000");
    expect_failure(enqueue(scan, nowhere, out.at, 10), CLPRIMS_ERR_ARGUMENT, "in.mem is NULL");
    expect_failure(enqueue(scan, in.at, nowhere, 10), CLPRIMS_ERR_ARGUMENT, "out.mem is NULL");
    expect_failure(enqueue(scan, in.at, far, 10), CLPRIMS_ERR_ARGUMENT, "out has room for");
    expect_failure(enqueue(scan, in.at, next, 50), CLPRIMS_ERR_ARGUMENT, "overlap");
    test_buffer_release(&in);
    test_buffer_release(&out);
    expect_usable(test_context());
}

/* Sub-buffers of one parent are one memory. */
static void overlapping_sub_buffers(const void *data) {
    (void)data;
    const clprims_scan_desc desc = good_desc();
    clprims_scan *scan = scan_plan(&desc);
    cl_int code;
    cl_mem parent = clCreateBuffer(test_info().context, CL_MEM_READ_WRITE, 65536, NULL, &code);
    expect_cl(code);
    const cl_buffer_region low = {0, 16384}, high = {8192, 16384};
    cl_mem a = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &low, &code);
    expect_cl(code);
    cl_mem b = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &high, &code);
    expect_cl(code);
    expect_failure(enqueue(scan, (clprims_buffer){a, 0}, (clprims_buffer){b, 0}, 2049),
                   CLPRIMS_ERR_ARGUMENT, "overlap");
    expect_ok(enqueue(scan, (clprims_buffer){a, 0}, (clprims_buffer){b, 0}, 2048));
    expect_cl(clFinish(test_queue()));
    expect_cl(clReleaseMemObject(b));
    expect_cl(clReleaseMemObject(a));
    expect_cl(clReleaseMemObject(parent));
}

static void input_where_none_belongs(const void *data) {
    (void)data;
    clprims_scan_desc desc = good_desc();
    desc.input = "(int)i";
    desc.no_input_array = 1;
    clprims_scan *scan = scan_plan(&desc);
    test_buffer in = test_buffer_create(NULL, 10, 4, 0), out = test_buffer_create(NULL, 10, 4, 0);
    int values[10];
    expect_failure(enqueue(scan, in.at, out.at, 10), CLPRIMS_ERR_ARGUMENT, "in.mem is not NULL");
    expect_failure(clprims_scan_run(scan, values, values, 10), CLPRIMS_ERR_ARGUMENT,
                   "in is not NULL");
    test_buffer_release(&in);
    test_buffer_release(&out);
}

void add_refusal_cases(test_cases *cases) {
    if (test_small()) return; /* host code, which Oclgrind does not look at */
    for (size_t i = 0; i < sizeof bad_descs / sizeof bad_descs[0]; i++) {
        test_add(cases, desc_is_refused, &bad_descs[i], sizeof bad_descs[i], "scan/refused/%s",
                 bad_descs[i].name);
    }
    test_add(cases, struct_of_256, NULL, 0, "scan/largest-struct");
    test_add(cases, null_arguments, NULL, 0, "scan/refused/null");
    test_add(cases, runs_are_refused, NULL, 0, "scan/refused/runs");
    test_add(cases, overlapping_sub_buffers, NULL, 0, "scan/refused/sub-buffers");
    test_add(cases, input_where_none_belongs, NULL, 0, "scan/refused/input");
}
