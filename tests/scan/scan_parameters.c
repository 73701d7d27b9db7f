/* SPDX-License-Identifier: MIT */
/* What is set between runs: parameters of the input's expression, the initial value. */
#include "scan/scan_cases.h"
#include "subjects/runs/subject_parameters.h"

enum { N = 5000 };

/* What the library chooses by itself. */
static const scan_shape chosen = {"chosen", NULL, NULL};

static clprims_scan_desc describe(clprims_algorithm algorithm, const scan_shape *shape) {
    clprims_scan_desc desc = {.type = CLPRIMS_U32,
                              .max_n = N,
                              .input = SUBJECT_WEIGHTED_INPUT,
                              .parameters = SUBJECT_WEIGHTED_PARAMETERS};
    scan_set(&desc, algorithm, shape);
    return desc;
}

typedef struct parameter_case {
    clprims_algorithm algorithm;
    const scan_shape *shape;
} parameter_case;

static void parameters_are_used(const void *data) {
    const parameter_case *c = data;
    const clprims_scan_desc desc = describe(c->algorithm, c->shape);
    const subject_data like = scan_data(&desc, N);
    subject_parameters_are_used(&like);
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
                                     {"global const\tuint *const p13", sizeof(cl_mem)},
                                     {"size_t p14", 8},
                                     {"const uint *p15", sizeof(cl_mem)}};
enum { SPELLINGS = sizeof spellings / sizeof spellings[0] };
static const char all_spellings[] =
    "x + p0 + p1 + p2 + p3 + p4 + p5 + p6 + p7 + p8.z + p9.z + p10.z + p11 + p12 + p13[1] + "
    "p14 + p15[1]";

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

static void spellings_are_taken(void) {
    const uint32_t sevens[2] = {1000, 7}, in[3] = {1, 2, 3};
    uint32_t out[3] = {0};
    char text[512] = "";
    clprims_scan_desc desc = describe(CLPRIMS_ALGORITHM_AUTO, &chosen);
    test_buffer buffer = test_buffer_create(sevens, 2, 4, 0);
    for (size_t k = 0; k < SPELLINGS; k++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", k > 0 ? "," : "", spellings[k].text);
    }
    desc.parameters = text;
    desc.input = all_spellings;
    desc.inclusive = 1;
    clprims_scan *scan = subject_made_plan(&subject_scan, &desc);
    for (size_t k = 0; k < SPELLINGS; k++) set_spelling(scan, k, buffer.at.mem);
    expect_ok(clprims_scan_run(scan, &(clprims_scan_arrays){.in = in, .out = out}, 3));
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(out[i], (i + 1) * (i + 2) / 2 + (i + 1) * 7 * SPELLINGS);
    }
}

/* A structure by value, and an array that begins within a buffer. */
static void structures_and_offsets_are_taken(void) {
    static const struct { uint32_t factor, unused[62], shift; } wide = {.factor = 3, .shift = 5};
    static const uint32_t table[5] = {1, 1, 1, 100, 200}, in[3] = {1, 2, 3};
    uint32_t out[3];
    test_buffer buffer = test_buffer_create(table, 5, 4, 2);
    const clprims_buffer last = {buffer.at.mem, buffer.at.first + 3};
    const clprims_scan_desc desc = {
        .type = CLPRIMS_U32,
        .inclusive = 1,
        .max_n = N,
        .input = "x * w.factor + w.shift + table[1]",
        .parameters = "wide w, uint *table",
        .custom = {.declarations = "typedef struct { uint factor, unused[62], shift; } wide;",
                   .type_name = "wide",
                   .type_bytes = sizeof wide}};
    clprims_scan *scan = subject_made_plan(&subject_scan, &desc);
    expect_ok(clprims_scan_set_parameter(scan, 0, sizeof wide, &wide));
    expect_ok(clprims_scan_set_parameter(scan, 1, sizeof last, &last));
    expect_ok(clprims_scan_run(scan, &(clprims_scan_arrays){.in = in, .out = out}, 3));
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(out[i], (i + 1) * (i + 2) / 2 * 3 + (i + 1) * 205);
    }
}

/* ---- Names ---- */

/* Names that are operands of other texts or of none, or a built-in function's. Without an input
 * array x is none of the operands. */
typedef struct name_case {
    const char *name, *parameters, *input, *result;
    uint32_t count; /* of the parameters */
    bool has_array;
} name_case;

static const name_case names[] = {
    {"input", "uint a, uint b, uint r, uint previous, uint value, uint min",
     "x * (a + b + r + previous + value + min)", NULL, 6, true},
    {"result", "uint a, uint b, uint value, uint out", NULL, "r * (a + b + value + out)", 4, true},
    {"input-without-array", "uint x, uint out", "(uint)i * (x + out)", NULL, 2, false},
    {"result-without-array", "uint x", "(uint)i", "r * x", 1, false}};

/* Each parameter is 7, and the elements are 0, 1, 2, ... */
static void names_are_taken(const void *data) {
    const name_case *c = data;
    const uint32_t seven = 7, in[4] = {0, 1, 2, 3};
    uint32_t out[4];
    const clprims_scan_desc desc = {.type = CLPRIMS_U32,
                                    .inclusive = 1,
                                    .max_n = N,
                                    .input = c->input,
                                    .result = c->result,
                                    .no_input_array = !c->has_array,
                                    .parameters = c->parameters};
    clprims_scan *scan = subject_made_plan(&subject_scan, &desc);
    for (size_t k = 0; k < c->count; k++) {
        expect_ok(clprims_scan_set_parameter(scan, k, sizeof seven, &seven));
    }
    const clprims_scan_arrays arrays = {c->has_array ? in : NULL, out};
    expect_ok(clprims_scan_run(scan, &arrays, 4));
    for (uint32_t i = 0; i < 4; i++) assert_int_equal(out[i], i * (i + 1) / 2 * 7 * c->count);
}

/* ---- Bad ones ---- */

typedef struct bad_text {
    const char *name, *text, *message;
} bad_text;

static const bad_text bad_texts[] = {
    {"no-name", "uint ", "\"uint\", is no scalar or vector"},
    {"no-type", "limit", "\"limit\", is no scalar or vector"},
    {"empty", "uint a1,,uint a2", "parameter 1, \"\", does not end with a name"},
    {"array", "uint limit[4]", "does not end with a name"},
    {"number", "uint 7", "does not end with a name"},
    {"element", "uint x", "parameter 0, \"uint x\", has the name of an operand of desc.input"},
    {"index", "uint2 i", "\"uint2 i\", has the name of an operand of desc.input"},
    {"result", "uint limit, uint r", "\"uint r\", has the name of an operand of desc.result"},
    {"previous", "uint previous", "has the name of an operand of desc.result"},
    {"library", "uint clp_given", "has a name that begins as the library's own names do"},
    {"library-macro", "uint CLP_GROUP", "has a name that begins as the library's own names do"},
    {"keyword", "uint local", "\"uint local\", has a name that is a keyword or a type"},
    {"name-of-type", "global int *half", "has a name that is a keyword or a type"},
    {"name-of-vector", "int limit, uint float4",
     "parameter 1, \"uint float4\", has a name that is"},
    {"twice", "uint limit, float limit", "parameters 0 and 1 are both named limit"},
    {"local", "local uint *shared", "is no scalar or vector"},
    {"private", "private uint *p", "is no scalar or vector"},
    {"struct", "pair limit", "give another structure as \"global const TYPE *\""},
    {"pointer-to-pointer", "global uint **p", "no pointer to global or constant memory"},
    {"bool", "bool limit", "is no scalar or vector"},
    {"vector-of-5", "uint5 limit", "is no scalar or vector"},
    {"long-long", "long long limit", "is no scalar or vector"},
    {"two-lengths", "short long limit", "is no scalar or vector"},
    {"two-signs", "signed unsigned limit", "is no scalar or vector"},
    {"char-int", "char int limit", "is no scalar or vector"},
    {"unsigned-float", "unsigned float limit", "is no scalar or vector"},
    {"const-alone", "const limit", "is no scalar or vector"},
    {"image", "read_only image2d_t limit", "is no scalar or vector"},
    {"seventeen",
     "int a0,int a1,int a2,int a3,int a4,int a5,int a6,int a7,int a8,int a9,int b0,int b1,int b2,"
     "int b3,int b4,int b5,int b6",
     "more than 16 parameters"}};

static void text_is_refused(const void *data) {
    const bad_text *bad = data;
    clprims_scan *scan = NULL;
    clprims_scan_desc desc = describe(CLPRIMS_ALGORITHM_AUTO, &chosen);
    desc.parameters = bad->text;
    desc.result = "r";
    expect_failure(clprims_scan_create(&scan, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   bad->message);
    assert_null(scan);
}

static void parameters_want_an_input(void) {
    clprims_scan *scan = NULL;
    clprims_scan_desc desc = describe(CLPRIMS_ALGORITHM_AUTO, &chosen);
    desc.input = NULL;
    expect_failure(clprims_scan_create(&scan, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "2 parameters, but no text such as desc.input");
}

static void values_are_checked(void) {
    const clprims_scan_desc desc = describe(CLPRIMS_ALGORITHM_AUTO, &chosen);
    const subject_data like = scan_data(&desc, N);
    subject_values_are_checked(&like);
}

static void there_are_none(void) {
    clprims_scan_desc desc = describe(CLPRIMS_ALGORITHM_AUTO, &chosen);
    const uint32_t one = 1;
    desc.input = "x + 1";
    desc.parameters = " ";
    clprims_scan *scan = subject_made_plan(&subject_scan, &desc);
    expect_failure(clprims_scan_set_parameter(scan, 0, sizeof one, &one), CLPRIMS_ERR_ARGUMENT,
                   "no parameter 0; desc.parameters has 0");
}

/* ---- Another initial value ---- */

static clprims_scan_desc describe_init(clprims_algorithm algorithm, const scan_shape *shape) {
    clprims_scan_desc desc = {.type = CLPRIMS_I16, .inclusive = 1, .max_n = N};
    scan_set(&desc, algorithm, shape);
    return desc;
}

/* It holds until it is set again; runs that were submitted keep the old one. */
static void init_is_set(const void *data) {
    const parameter_case *c = data;
    static const int16_t inits[] = {-300, 7, -1};
    clprims_scan_desc desc = describe_init(c->algorithm, c->shape);
    subject_data d[3];
    subject_buffers b[3];
    desc.init = &inits[0];
    clprims_scan *scan = subject_made_plan(&subject_scan, &desc);
    for (size_t k = 0; k < 3; k++) {
        static const size_t firsts[SUBJECT_SLOTS] = {3, 1};
        desc.init = &inits[k];
        d[k] = scan_data(&desc, N - k);
        subject_draw(&d[k]);
        b[k] = subject_buffers_create(&d[k], firsts, 0);
        if (k > 0) expect_ok(clprims_scan_set_init(scan, &inits[k]));
        expect_ok(subject_scan.enqueue(scan, &d[k], &b[k].call));
    }
    expect_cl(clFinish(test_queue()));
    for (size_t k = 0; k < 3; k++) {
        subject_buffers_expect(&d[k], &b[k]);
    }
}

static void init_is_refused(void) {
    const clprims_scan_desc desc = describe_init(CLPRIMS_ALGORITHM_AUTO, &chosen);
    const int16_t init = 5;
    clprims_scan *scan = subject_made_plan(&subject_scan, &desc);
    expect_failure(clprims_scan_set_init(scan, &init), CLPRIMS_ERR_ARGUMENT,
                   "the plan is inclusive and was created without desc.init");
    expect_failure(clprims_scan_set_init(scan, NULL), CLPRIMS_ERR_ARGUMENT, "init is NULL");
    expect_failure(clprims_scan_set_init(NULL, &init), CLPRIMS_ERR_ARGUMENT, "plan is NULL");
}

void add_parameter_cases(test_cases *cases) {
    for (int a = 0; a < scan_algorithm_count(); a++) {
        const parameter_case c = {scan_algorithm(a), &scan_shapes[a % SCAN_SHAPES]};
        test_add_row(cases, init_is_set, c, "scan/set-init/%s/%s",
                     clprims_algorithm_name(c.algorithm), c.shape->name);
    }
    test_add_plain(cases, init_is_refused, "scan/set-init/refused");
    for (int a = 0; a < scan_algorithm_count(); a++) {
        for (int s = 0; s < SCAN_SHAPES; s++) {
            const parameter_case c = {scan_algorithm(a), &scan_shapes[s]};
            test_add_row(cases, parameters_are_used, c, "scan/parameters/%s/%s",
                         clprims_algorithm_name(c.algorithm), c.shape->name);
        }
    }
    test_add_rows(cases, text_is_refused, bad_texts, "scan/parameters/refused");
    test_add_rows(cases, names_are_taken, names, "scan/parameters/names");
    test_add_plain(cases, parameters_want_an_input, "scan/parameters/refused/no-input");
    test_add_plain(cases, values_are_checked, "scan/parameters/values");
    test_add_plain(cases, there_are_none, "scan/parameters/none");
    test_add_plain(cases, structures_and_offsets_are_taken, "scan/parameters/wide");
    test_add_plain(cases, spellings_are_taken, "scan/parameters/spellings");
}
