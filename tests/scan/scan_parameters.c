/* SPDX-License-Identifier: MIT */
/* What is set between runs: parameters of the input's expression, the initial value. */
#include "scan/scan_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 5000, WEIGHTS = 7 };

static const char declared[] = "global const uint *weight, const uint limit , uint2 step";
static const char expression[] = "min(x, limit) * weight[i % 7] + step.y";

typedef struct values {
    uint32_t weight[WEIGHTS];
    uint32_t limit;
    uint32_t step[2];
} values;

static const values sets[] = {{{1, 1, 1, 1, 1, 1, 1}, UINT32_MAX, {9, 0}},
                              {{3, 0, 7, 1, 0, 2, 1u << 30}, 50, {0, 11}}};

/* What the library chooses by itself. */
static const scan_shape chosen = {"chosen", NULL, NULL};

static clprims_scan_desc describe(clprims_algorithm algorithm, const scan_shape *shape) {
    clprims_scan_desc desc = CLPRIMS_SCAN_DESC_INIT;
    desc.type = CLPRIMS_U32;
    desc.max_n = N;
    desc.input = expression;
    desc.parameters = declared;
    scan_set(&desc, algorithm, shape);
    return desc;
}

/* The elements that the expression makes, to be scanned as they are. */
static uint32_t *twin_input(const uint32_t *in, const values *v, size_t n) {
    uint32_t *made = test_alloc(n, sizeof *made);
    for (size_t i = 0; i < n; i++) {
        made[i] = (in[i] < v->limit ? in[i] : v->limit) * v->weight[i % WEIGHTS] + v->step[1];
    }
    return made;
}

static void expect_with(const clprims_scan_desc *desc, const uint32_t *in, const values *v,
                        const uint32_t *out, size_t n) {
    clprims_scan_desc plain = *desc;
    uint32_t *made = twin_input(in, v, n);
    plain.input = plain.parameters = NULL;
    expect_scan(&plain, made, out, n, 0);
    free(made);
}

static void set_scalars(clprims_scan *scan, const values *v) {
    expect_ok(clprims_scan_set_parameter(scan, 1, sizeof v->limit, &v->limit));
    expect_ok(clprims_scan_set_parameter(scan, 2, sizeof v->step, v->step));
}

typedef struct parameter_case {
    clprims_algorithm algorithm;
    const scan_shape *shape;
} parameter_case;

/* One plan: each value stays until it is set again; runs that were submitted keep the old one. */
static void parameters_are_used(const void *data) {
    const parameter_case *c = data;
    static const size_t counts[] = {N, 1, N - 777, 65};
    const clprims_scan_desc desc = describe(c->algorithm, c->shape);
    clprims_scan *scan = NULL;
    expect_ok(clprims_scan_create(&scan, test_context(), &desc));
    uint32_t in[N], out[N];
    test_random_values(CLPRIMS_U32, CLPRIMS_ADD, in, N);
    test_buffer from = test_buffer_create(in, N, 4, 3), to[2], weight[2];
    for (int v = 0; v < 2; v++) {
        weight[v] = test_buffer_create(sets[v].weight, WEIGHTS, 4, 0);
        to[v] = test_buffer_create(NULL, N, 4, 1);
    }
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        for (int v = 0; v < 2; v++) {
            expect_ok(clprims_scan_set_parameter(scan, 0, sizeof(cl_mem), &weight[v].at.mem));
            set_scalars(scan, &sets[v]);
            expect_ok(clprims_scan_enqueue(scan, test_queue(), from.at, to[v].at, counts[k], 0,
                                           NULL, NULL));
        }
        for (int v = 0; v < 2; v++) {
            test_buffer_read(&to[v], out);
            expect_with(&desc, in, &sets[v], out, counts[k]);
        }
    }
    values mixed = sets[1];
    mixed.limit = sets[0].limit;
    expect_ok(clprims_scan_set_parameter(scan, 1, sizeof mixed.limit, &mixed.limit));
    expect_ok(clprims_scan_run(scan, in, out, N));
    expect_with(&desc, in, &mixed, out, N);
    for (int v = 0; v < 2; v++) {
        test_buffer_expect_unchanged(&weight[v], sets[v].weight);
        test_buffer_release(&weight[v]);
        test_buffer_release(&to[v]);
    }
    test_buffer_release(&from);
    clprims_scan_destroy(scan);
}

/* ---- As a kernel may declare them ---- */

typedef struct spelling {
    const char *text;
    size_t bytes;
} spelling;

/* The expression of all_spellings adds p0, p1, ...; of a vector the last component. */
static const spelling spellings[] = {{"unsigned int p0", 4},
                                     {"int const p1", 4},
                                     {"const\tint p2", 4},
                                     {"unsigned p3", 4},
                                     {"const unsigned short int p4", 2},
                                     {"long unsigned int p5", 8},
                                     {"signed char p6", 1},
                                     {"volatile uint\np7", 4},
                                     {"int3 p8", 16},
                                     {"const\nuchar3 p9", 4},
                                     {"ulong3 p10", 32},
                                     {"short int p11", 2},
                                     {"long p12", 8},
                                     {"global const\tuint *const p13", sizeof(cl_mem)}};
enum { SPELLINGS = sizeof spellings / sizeof spellings[0] };
static const char all_spellings[] =
    "x + p0 + p1 + p2 + p3 + p4 + p5 + p6 + p7 + p8.z + p9.z + p10.z + p11 + p12 + p13[1]";

/* Every parameter is 7, a vector in its last component alone. */
static void set_spelling(clprims_scan *scan, size_t k, cl_mem sevens) {
    const spelling *s = &spellings[k];
    const bool is_vector = strstr(s->text, "3 p") != NULL;
    const size_t lane = is_vector ? s->bytes / 4 : s->bytes;
    unsigned char value[32] = {0};
    if (is_vector) value[0] = value[lane] = 100;
    value[is_vector ? 2 * lane : 0] = 7;
    test_note("%s", s->text);
    expect_failure(clprims_scan_set_parameter(scan, k, s->bytes + 1, value), CLPRIMS_ERR_ARGUMENT,
                   "bytes = ");
    const void *from = s->bytes == sizeof sevens && strchr(s->text, '*') != NULL
                           ? (const void *)&sevens
                           : (const void *)value;
    expect_ok(clprims_scan_set_parameter(scan, k, s->bytes, from));
}

static void spellings_are_taken(const void *data) {
    const uint32_t sevens[2] = {1000, 7}, in[3] = {1, 2, 3};
    uint32_t out[3] = {0};
    char text[512] = "";
    clprims_scan_desc desc = describe(CLPRIMS_ALGORITHM_AUTO, &chosen);
    clprims_scan *scan = NULL;
    test_buffer buffer = test_buffer_create(sevens, 2, 4, 0);
    (void)data;
    for (size_t k = 0; k < SPELLINGS; k++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", k > 0 ? "," : "", spellings[k].text);
    }
    desc.parameters = text;
    desc.input = all_spellings;
    desc.inclusive = 1;
    expect_ok(clprims_scan_create(&scan, test_context(), &desc));
    for (size_t k = 0; k < SPELLINGS; k++) set_spelling(scan, k, buffer.at.mem);
    expect_ok(clprims_scan_run(scan, in, out, 3));
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(out[i], (i + 1) * (i + 2) / 2 + (i + 1) * 7 * SPELLINGS);
    }
    clprims_scan_destroy(scan);
    test_buffer_release(&buffer);
}

/* ---- Bad ones ---- */

typedef struct bad_text {
    const char *name, *text, *message;
} bad_text;

static const bad_text bad_texts[] = {
    {"no-name", "uint ", "\"uint\", is neither a scalar or vector"},
    {"no-type", "limit", "\"limit\", is neither a scalar or vector"},
    {"empty", "uint a1,,uint a2", "parameter 1, \"\", does not end with a name"},
    {"array", "uint limit[4]", "does not end with a name"},
    {"number", "uint 7", "does not end with a name"},
    {"element", "uint x", "stands for an element"},
    {"index", "uint2 i", "stands for an element"},
    {"twice", "uint limit, float limit", "parameters 0 and 1 are both named limit"},
    {"local", "local uint *shared", "is neither a scalar or vector"},
    {"private", "uint *p", "is neither a scalar or vector"},
    {"struct", "pair limit", "is neither a scalar or vector"},
    {"bool", "bool limit", "is neither a scalar or vector"},
    {"vector-of-5", "uint5 limit", "is neither a scalar or vector"},
    {"long-long", "long long limit", "is neither a scalar or vector"},
    {"two-lengths", "short long limit", "is neither a scalar or vector"},
    {"two-signs", "signed unsigned limit", "is neither a scalar or vector"},
    {"char-int", "char int limit", "is neither a scalar or vector"},
    {"unsigned-float", "unsigned float limit", "is neither a scalar or vector"},
    {"const-alone", "const limit", "is neither a scalar or vector"},
    {"image", "read_only image2d_t limit", "is neither a scalar or vector"},
    {"seventeen",
     "int a0,int a1,int a2,int a3,int a4,int a5,int a6,int a7,int a8,int a9,int b0,int b1,int b2,"
     "int b3,int b4,int b5,int b6",
     "more than 16 parameters"}};

static void text_is_refused(const void *data) {
    const bad_text *bad = data;
    clprims_scan *scan = NULL;
    clprims_scan_desc desc = describe(CLPRIMS_ALGORITHM_AUTO, &chosen);
    desc.parameters = bad->text;
    expect_failure(clprims_scan_create(&scan, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   bad->message);
    assert_null(scan);
}

static void parameters_want_an_input(const void *data) {
    clprims_scan *scan = NULL;
    clprims_scan_desc desc = describe(CLPRIMS_ALGORITHM_AUTO, &chosen);
    (void)data;
    desc.input = NULL;
    expect_failure(clprims_scan_create(&scan, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "3 parameters, but no desc.input");
}

static void values_are_checked(const void *data) {
    const clprims_scan_desc desc = describe(CLPRIMS_ALGORITHM_AUTO, &chosen);
    const values *v = &sets[0];
    uint32_t in[4] = {1, 2, 3, 4}, out[4];
    const cl_mem none = NULL;
    cl_mem foreign = test_foreign_buffer_create();
    clprims_scan *scan = NULL;
    (void)data;
    expect_ok(clprims_scan_create(&scan, test_context(), &desc));
    expect_failure(clprims_scan_set_parameter(NULL, 0, 8, &none), CLPRIMS_ERR_ARGUMENT, "NULL");
    expect_failure(clprims_scan_set_parameter(scan, 3, 4, in), CLPRIMS_ERR_ARGUMENT,
                   "parameter 3 of 3");
    expect_failure(clprims_scan_set_parameter(scan, 1, 4, NULL), CLPRIMS_ERR_ARGUMENT,
                   "parameter 1, limit, is NULL");
    expect_failure(clprims_scan_set_parameter(scan, 1, 8, in), CLPRIMS_ERR_ARGUMENT,
                   "bytes = 8 for parameter 1, \"uint limit\", which has 4");
    expect_failure(clprims_scan_set_parameter(scan, 2, 4, in), CLPRIMS_ERR_ARGUMENT, "has 8");
    expect_failure(clprims_scan_set_parameter(scan, 0, 4, in), CLPRIMS_ERR_ARGUMENT, "a cl_mem");
    expect_failure(clprims_scan_set_parameter(scan, 0, sizeof none, &none), CLPRIMS_ERR_ARGUMENT,
                   "parameter 0, weight, is NULL");
    expect_failure(clprims_scan_set_parameter(scan, 0, sizeof foreign, &foreign),
                   CLPRIMS_ERR_ARGUMENT, "of another context");
    expect_failure(clprims_scan_run(scan, in, out, 4), CLPRIMS_ERR_ARGUMENT,
                   "parameter 0, weight, was never set");
    set_scalars(scan, v);
    expect_failure(clprims_scan_run(scan, in, out, 0), CLPRIMS_ERR_ARGUMENT,
                   "parameter 0, weight, was never set");
    test_buffer weight = test_buffer_create(v->weight, WEIGHTS, 4, 0);
    expect_ok(clprims_scan_set_parameter(scan, 0, sizeof(cl_mem), &weight.at.mem));
    expect_ok(clprims_scan_run(scan, in, out, 4));
    expect_with(&desc, in, v, out, 4);
    test_buffer_release(&weight);
    clprims_scan_destroy(scan);
    expect_cl(clReleaseMemObject(foreign));
}

static void image_is_refused(const void *data) {
    const clprims_scan_desc desc = describe(CLPRIMS_ALGORITHM_AUTO, &chosen);
    cl_mem image = test_image_create();
    clprims_scan *scan = NULL;
    (void)data;
    expect_ok(clprims_scan_create(&scan, test_context(), &desc));
    expect_failure(clprims_scan_set_parameter(scan, 0, sizeof image, &image), CLPRIMS_ERR_ARGUMENT,
                   "parameter 0, weight, is an image");
    clprims_scan_destroy(scan);
    expect_cl(clReleaseMemObject(image));
}

static void there_are_none(const void *data) {
    clprims_scan *scan = NULL;
    clprims_scan_desc desc = describe(CLPRIMS_ALGORITHM_AUTO, &chosen);
    const uint32_t one = 1;
    (void)data;
    desc.input = "x + 1";
    desc.parameters = " ";
    expect_ok(clprims_scan_create(&scan, test_context(), &desc));
    expect_failure(clprims_scan_set_parameter(scan, 0, sizeof one, &one), CLPRIMS_ERR_ARGUMENT,
                   "parameter 0 of 0");
    clprims_scan_destroy(scan);
}

/* ---- Another initial value ---- */

static clprims_scan_desc describe_init(clprims_algorithm algorithm, const scan_shape *shape) {
    clprims_scan_desc desc = CLPRIMS_SCAN_DESC_INIT;
    desc.type = CLPRIMS_I16;
    desc.inclusive = 1;
    desc.max_n = N;
    scan_set(&desc, algorithm, shape);
    return desc;
}

/* It holds until it is set again; runs that were submitted keep the old one. */
static void init_is_set(const void *data) {
    const parameter_case *c = data;
    static const int16_t inits[] = {-300, 7, -1};
    clprims_scan_desc desc = describe_init(c->algorithm, c->shape);
    clprims_scan *scan = NULL;
    int16_t in[N], out[N];
    test_buffer to[3];
    test_random_values(CLPRIMS_I16, CLPRIMS_ADD, in, N);
    test_buffer from = test_buffer_create(in, N, 2, 3);
    desc.init = &inits[0];
    expect_ok(clprims_scan_create(&scan, test_context(), &desc));
    for (size_t k = 0; k < 3; k++) {
        to[k] = test_buffer_create(NULL, N, 2, 1);
        if (k > 0) expect_ok(clprims_scan_set_init(scan, &inits[k]));
        expect_ok(
            clprims_scan_enqueue(scan, test_queue(), from.at, to[k].at, N - k, 0, NULL, NULL));
    }
    for (size_t k = 0; k < 3; k++) {
        desc.init = &inits[k];
        test_buffer_read(&to[k], out);
        expect_scan(&desc, in, out, N - k, 0);
        test_buffer_release(&to[k]);
    }
    test_buffer_release(&from);
    clprims_scan_destroy(scan);
}

static void init_is_refused(const void *data) {
    const clprims_scan_desc desc = describe_init(CLPRIMS_ALGORITHM_AUTO, &chosen);
    const int16_t init = 5;
    clprims_scan *scan = NULL;
    (void)data;
    expect_ok(clprims_scan_create(&scan, test_context(), &desc));
    expect_failure(clprims_scan_set_init(scan, &init), CLPRIMS_ERR_ARGUMENT,
                   "the plan is inclusive and was created without desc.init");
    expect_failure(clprims_scan_set_init(scan, NULL), CLPRIMS_ERR_ARGUMENT, "init is NULL");
    expect_failure(clprims_scan_set_init(NULL, &init), CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    clprims_scan_destroy(scan);
}

void add_parameter_cases(test_cases *cases) {
    for (int a = 0; a < scan_algorithm_count(); a++) {
        const parameter_case c = {scan_algorithm(a), &scan_shapes[a % SCAN_SHAPES]};
        test_add(cases, init_is_set, &c, sizeof c, "scan/set-init/%s/%s",
                 clprims_algorithm_name(c.algorithm), c.shape->name);
    }
    test_add(cases, init_is_refused, NULL, 0, "scan/set-init/refused");
    for (int a = 0; a < scan_algorithm_count(); a++) {
        for (int s = 0; s < SCAN_SHAPES; s++) {
            const parameter_case c = {scan_algorithm(a), &scan_shapes[s]};
            test_add(cases, parameters_are_used, &c, sizeof c, "scan/parameters/%s/%s",
                     clprims_algorithm_name(c.algorithm), c.shape->name);
        }
    }
    for (size_t b = 0; b < sizeof bad_texts / sizeof bad_texts[0]; b++) {
        test_add(cases, text_is_refused, &bad_texts[b], sizeof bad_texts[b],
                 "scan/parameters/refused/%s", bad_texts[b].name);
    }
    test_add(cases, parameters_want_an_input, NULL, 0, "scan/parameters/refused/no-input");
    test_add(cases, values_are_checked, NULL, 0, "scan/parameters/values");
    test_add(cases, image_is_refused, NULL, 0, "scan/parameters/image");
    test_add(cases, there_are_none, NULL, 0, "scan/parameters/none");
    test_add(cases, spellings_are_taken, NULL, 0, "scan/parameters/spellings");
}
