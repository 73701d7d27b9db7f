/* SPDX-License-Identifier: MIT */
/* Scatter beside its plain-C twin; indices outside; bad input. */
#include "fixtures/jagged_cases.h"
#include "subjects/runs/subject_refusals.h"

enum { MOST_N = 40000, N = 100, LENGTH = 50 };

/* ---- Right, or the lowest position of an index outside ---- */

typedef struct scatter_case {
    clprims_scatter_desc desc;
    gather_try how;
} scatter_case;

static void scatter_is_right(const void *data) {
    const scatter_case *c = data;
    indexed_expect(&subject_scatter, &c->desc, &c->how);
}

static const struct {
    const char *name, *tuning;
} shapes[] = {
    {"one", "GROUP=1 GROUPS=3"}, {"many", "GROUP=8 GROUPS=512 DEPTH=2"}, {"default", NULL}};

/* What a plan does with elements, and of which type. */
typedef struct scatter_what {
    const char *name;
    bool is_long; /* for the long tier alone */
    clprims_scatter_repeats repeats;
    clprims_type type;
    size_t bytes; /* of a struct */
    clprims_op op;
} scatter_what;

#define STORED(name, is_long, how, type, bytes)                                                    \
    { name, is_long, CLPRIMS_SCATTER_##how, CLPRIMS_##type, bytes, 0 }
#define COMBINED(name, is_long, type, op)                                                          \
    { name, is_long, CLPRIMS_SCATTER_COMBINE, CLPRIMS_##type, 0, CLPRIMS_##op }

static const scatter_what whats[] = {
    STORED("last-u32", false, LAST, U32, 0),
    STORED("last-i8", true, LAST, I8, 0),
    STORED("last-struct256", true, LAST, STRUCT, 256),
    STORED("last-struct3", false, LAST, STRUCT, 3),
    STORED("distinct-f64", false, DISTINCT, F64, 0),
    STORED("distinct-i16", true, DISTINCT, I16, 0),
    STORED("distinct-struct16", true, DISTINCT, STRUCT, 16),
    STORED("distinct-struct20", false, DISTINCT, STRUCT, 20),
    COMBINED("add-u32", false, U32, ADD),
    COMBINED("add-i8", true, I8, ADD),
    COMBINED("add-u64", true, U64, ADD),
    COMBINED("add-f32", false, F32, ADD),
    COMBINED("add-f64", true, F64, ADD),
    COMBINED("min-i32", false, I32, MIN),
    COMBINED("min-u16", false, U16, MIN),
    COMBINED("min-i64", true, I64, MIN),
    COMBINED("min-f32", false, F32, MIN),
    COMBINED("max-i16", false, I16, MAX),
    COMBINED("max-u32", true, U32, MAX),
    COMBINED("max-u64", false, U64, MAX),
    COMBINED("max-f64", false, F64, MAX),
    COMBINED("and-u8", false, U8, AND),
    COMBINED("and-i64", true, I64, AND),
    COMBINED("or-u16", true, U16, OR),
    COMBINED("or-i32", true, I32, OR),
    COMBINED("xor-i8", false, I8, XOR),
    COMBINED("xor-u64", true, U64, XOR),
};

/* Numbers of indices around tiles, of more and fewer elements than indices. */
static void add_sweep(test_cases *cases, scatter_case c, const char *name, size_t shape) {
    static const size_t sizes[] = {0, 1, 2, 3, 16, 63, 129, 513, 4097, 20000};
    static const size_t lengths[] = {1, 3, 1000, 0, 7, 30001};
    c.desc.tuning = shapes[shape].tuning;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
            c.how.n = sizes[k];
            c.how.length = lengths[l];
            if (!gather_turn(&c.how, k, l, shape)) continue;
            if (!test_long() && (k + l) % 3 == 2) continue;
            test_add_row(cases, scatter_is_right, c,
                         "scatter/%s/%s/n=%zu/length=%zu/first=%zu/outside=%zu/%s/%s", name,
                         clprims_type_name(c.desc.index_type), c.how.n, c.how.length, c.how.first,
                         c.how.outside, shapes[shape].name, jagged_ways[c.how.way]);
        }
    }
}

static scatter_case case_of(const scatter_what *what) {
    scatter_case c = {.desc.type = what->type,
                      .desc.custom.type_bytes = what->bytes,
                      .desc.repeats = what->repeats,
                      .desc.op = what->op,
                      .desc.fast_floats = 1};
    c.desc.max_n = c.desc.max_length = MOST_N;
    return c;
}

static void add_sweeps(test_cases *cases) {
    static const clprims_type indices[] = {CLPRIMS_I64, CLPRIMS_I32, CLPRIMS_U32};
    for (size_t k = 0; k < sizeof whats / sizeof whats[0]; k++) {
        for (size_t shape = 0; shape < sizeof shapes / sizeof shapes[0]; shape++) {
            for (size_t i = 0; i < sizeof indices / sizeof indices[0]; i++) {
                /* In the default tier each has one of the shapes and of the indices; where the last
                 * element wins, each shape is another way. */
                const bool all = whats[k].repeats == CLPRIMS_SCATTER_LAST;
                const bool few =
                    (all || k % 3 == shape) && i == (k / 3 + shape) % 3 && !whats[k].is_long;
                if (!few && !test_long()) continue;
                if (shape < 2 && !test_bears_shapes()) continue;
                scatter_case c = case_of(&whats[k]);
                c.desc.index_type = indices[i];
                add_sweep(cases, c, whats[k].name, shape);
            }
        }
    }
}

/* Types of one size have one program. */
static void programs_are_shared(void) {
    static const clprims_type types[] = {CLPRIMS_U32, CLPRIMS_I32, CLPRIMS_F32, CLPRIMS_STRUCT};
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        scatter_case c = {.desc = {.type = types[k], .max_n = N, .max_length = LENGTH}};
        c.desc.custom.type_bytes = 4;
        c.how = (gather_try){N, LENGTH, (jagged_way)(k % JAGGED_WAYS), 1, 0};
        scatter_is_right(&c);
    }
}

/* ---- The ends of a buffer ---- */

/* A buffer's bytes, of which some lie in words that it does not fill: `before` at its begin. */
typedef struct edges_case {
    size_t before, bytes;
    clprims_type type;
    clprims_op op;
} edges_case;

enum { EDGES_N = 2000, EDGES_BYTES = 16, EDGES_RUNS = 2 };

/* Draws elements and indices, and what all runs make of them. */
static void draw_edges(const edges_case *c, int64_t *index, void *in, unsigned char *expected) {
    const size_t element = clprims_type_bytes(c->type), length = c->bytes / element;
    for (size_t i = 0; i < EDGES_N; i++) {
        const uint64_t x = test_random();
        unsigned char *place = expected + c->before + x % length * element;
        index[i] = (int64_t)(x % length);
        test_store_integer(element, in, i, x >> 32);
        for (int run = 0; run < EDGES_RUNS; run++) {
            test_store_integer(element, place, 0,
                               oracle_combine_integer(c->type, c->op,
                                                      oracle_load_integer(c->type, place, 0),
                                                      oracle_load_integer(c->type, in, i)));
        }
    }
}

/* The first plan warms up, and the second one finds the edges as create left them. */
static void edges_are_combined(const void *data) {
    const edges_case *c = data;
    const clprims_scatter_desc desc = {
        .type = c->type, .max_n = EDGES_N, .repeats = CLPRIMS_SCATTER_COMBINE, .op = c->op};
    const size_t element = clprims_type_bytes(c->type);
    clprims_scatter *first = NULL, *plan = NULL;
    _Alignas(128) unsigned char memory[EDGES_BYTES], expected[EDGES_BYTES];
    int64_t index[EDGES_N];
    uint16_t in[EDGES_N];
    cl_int code;
    for (size_t k = 0; k < EDGES_BYTES; k++) expected[k] = memory[k] = (unsigned char)(255 - k);
    draw_edges(c, index, in, expected);
    test_buffer indices = test_buffer_create(index, EDGES_N, sizeof index[0], 0);
    test_buffer values = test_buffer_create(in, EDGES_N, element, 0);
    cl_mem out = clCreateBuffer(test_info().context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                c->bytes, memory + c->before, &code);
    expect_cl(code);
    const clprims_scatter_buffers at = {
        .index = indices.at, .in = values.at, .out = {out, 0}, .sizes.length = c->bytes / element};
    expect_ok(clprims_scatter_create(&first, test_context(), &desc));
    expect_ok(clprims_scatter_create(&plan, test_context(), &desc));
    for (int run = 0; run < EDGES_RUNS; run++) {
        expect_ok(clprims_scatter_enqueue(plan, test_queue(), &at, EDGES_N, 0, NULL, NULL));
    }
    expect_cl(clEnqueueReadBuffer(test_queue(), out, CL_TRUE, 0, c->bytes, memory + c->before, 0,
                                  NULL, NULL));
    assert_memory_equal(memory, expected, sizeof memory);
    clprims_scatter_destroy(plan);
    clprims_scatter_destroy(first);
    expect_cl(clReleaseMemObject(out));
}

static void add_edges(test_cases *cases) {
    static const struct {
        clprims_type type;
        clprims_op op;
    } combined[] = {
        {CLPRIMS_U8, CLPRIMS_ADD}, {CLPRIMS_I8, CLPRIMS_MIN}, {CLPRIMS_U16, CLPRIMS_MIN}};
    for (size_t k = 0; k < sizeof combined / sizeof combined[0]; k++) {
        const size_t element = clprims_type_bytes(combined[k].type);
        for (size_t before = 0; before < 4; before += element) {
            for (size_t bytes = element; bytes <= 9; bytes += element) {
                const edges_case c = {before, bytes, combined[k].type, combined[k].op};
                test_add_row(cases, edges_are_combined, c, "scatter/edges/%s/%s/%zu-%zu",
                             clprims_type_name(c.type), clprims_op_name(c.op), before,
                             before + bytes);
            }
        }
    }
}

/* ---- Bad input ---- */

static const clprims_scatter_desc good = {.type = CLPRIMS_I32, .max_n = N, .max_length = LENGTH};

static void spoil_type(clprims_scatter_desc *d, subject_refusal *r) {
    ILLEGAL("struct-of-0", "custom.type_bytes = 0; it must", d->type = CLPRIMS_STRUCT)
    ILLEGAL("struct-of-257", "custom.type_bytes = 257; it must", d->type = CLPRIMS_STRUCT,
            d->custom.type_bytes = 257)
    ILLEGAL("index", "scatter: index_type = 6 (uint16) is none of", d->index_type = CLPRIMS_U16)
    REFUSED("large-max_n", TOO_LARGE, "max_n = 4294967296 exceeds 4294967295",
            d->max_n = (size_t)1 << 32)
    ILLEGAL("no-max_length", "max_length = 0; set", d->max_length = 0)
    REFUSED("huge-max_length", TOO_LARGE, "max_length = 18446744073709551615 exceeds",
            d->max_length = SIZE_MAX)
}

static void spoil(void *desc, subject_refusal *r) {
    clprims_scatter_desc *d = desc;
    spoil_type(d, r);
    ILLEGAL("repeats", "repeats = 3 is not a value of clprims_scatter_repeats",
            d->repeats = (clprims_scatter_repeats)3)
    ILLEGAL("op-unread", "op = 1 (min) is never read: repeats = 0", d->op = CLPRIMS_MIN)
    ILLEGAL("negative-repeats", "repeats = -1 is not", d->repeats = -1)
    ILLEGAL("mul", "op = 3 (mul) is none of", d->repeats = CLPRIMS_SCATTER_COMBINE,
            d->op = CLPRIMS_MUL)
    ILLEGAL("custom", "op = 7 (custom) is none of", d->repeats = CLPRIMS_SCATTER_COMBINE,
            d->op = CLPRIMS_CUSTOM)
    ILLEGAL("combined-structs", "type = 11 (struct) has no operator",
            d->repeats = CLPRIMS_SCATTER_COMBINE, d->type = CLPRIMS_STRUCT,
            d->custom.type_bytes = 4)
    REFUSED("bits-of-floats", UNSUPPORTED, "op = 6 (xor) is not defined for float32",
            d->repeats = CLPRIMS_SCATTER_COMBINE, d->op = CLPRIMS_XOR, d->type = CLPRIMS_F32)
    ILLEGAL("sums-of-floats", "sums of float32 differ from run to run; set fast_floats",
            d->repeats = CLPRIMS_SCATTER_COMBINE, d->type = CLPRIMS_F32)
}

static void run_refuses(void) {
    clprims_scatter *plan = subject_kept_plan(&subject_scatter, &good);
    int64_t index[N] = {0};
    int32_t in[N];
    clprims_scatter_info info = {0};
    expect_failure(clprims_scatter_run(plan, &(clprims_scatter_arrays){index, in, NULL, {0}}, N),
                   CLPRIMS_ERR_DATA, "scatter: index[0] = 0 is outside");
    expect_ok(clprims_scatter_run(plan, &(clprims_scatter_arrays){.sizes.length = LENGTH}, 0));
    expect_ok(clprims_scatter_describe(plan, 0, (clprims_scatter_sizes){0}, &info));
    if (info.groups != 1) test_fail("%zu groups", info.groups);
    assert_string_equal(info.variant, "last");
}

/* Without max_length a plan takes every length, and has no scratch for it. */
static void any_length_is_taken(void) {
    static const clprims_scatter_desc desc = {
        .type = CLPRIMS_I32, .max_n = N, .repeats = CLPRIMS_SCATTER_DISTINCT};
    clprims_scatter *plan = subject_kept_plan(&subject_scatter, &desc);
    clprims_scatter_info info = {0};
    expect_ok(clprims_scatter_describe(plan, N, (clprims_scatter_sizes){SIZE_MAX / 64}, &info));
    assert_string_equal(info.variant, "distinct");
    scatter_case c = {desc, {N, MOST_N, JAGGED_ENQUEUE, 3, 0}};
    scatter_is_right(&c);
}

void test_program(test_cases *cases) {
    add_sweeps(cases);
    test_add_plain(cases, programs_are_shared, "scatter/shared-programs");
    test_add_plain(cases, any_length_is_taken, "scatter/any-length");
    add_edges(cases);
    subject_add_refused(cases, &subject_scatter, &good, spoil, "scatter/refusals/create");
    test_add_plain(cases, run_refuses, "scatter/refusals/run");
}
