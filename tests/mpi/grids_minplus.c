/* SPDX-License-Identifier: MIT */
/* Min-plus products over ranks beside the twin of the whole matrices. */
#include "fixtures/graph_cases.h"
#include "harness/oracle.h"
#include "mpi/grid/mpi_grid.h"
#include "mpi/grids.h"

#include <math.h>

enum { MOST = 40 };

typedef struct kind {
    const char *name;
    clprims_type type;
    clprims_semiring semiring;
    int accumulate, argmin;
    size_t width, chosen; /* limits of the plan */
} kind;

static const kind kinds[] = {
    {"float32-argmin", CLPRIMS_F32, CLPRIMS_MIN_PLUS, 0, 1, 7, 90},
    {"int32-max-plus-added", CLPRIMS_I32, CLPRIMS_MAX_PLUS, 1, 1, 11, 0},
    {"uint8-or-and", CLPRIMS_U8, CLPRIMS_OR_AND, 0, 0, 9, 90},
    {"uint32-in-order", CLPRIMS_U32, CLPRIMS_SEMIRING_CUSTOM, 1, 0, 5, 90},
    {"float64-min-max", CLPRIMS_F64, CLPRIMS_MIN_MAX, 0, 0, 0, 90},
    {"int64-added", CLPRIMS_I64, CLPRIMS_MIN_PLUS, 1, 0, 3, 90},
};
enum { KINDS = sizeof kinds / sizeof kinds[0], DEFAULT_KINDS = 4 };

typedef struct product_case {
    size_t kind;
    size_t m, n, k;
    ranks_layout rows, columns, a_columns, b_rows;
} product_case;

static const uint32_t first_value = 1;

static clprims_minplus_desc describe(const kind *k, size_t m) {
    clprims_minplus_desc desc = {.type = k->type,
                                 .semiring = k->semiring,
                                 .accumulate = k->accumulate,
                                 .argmin = k->argmin,
                                 .max.m = m > MOST ? m : MOST,
                                 .max_n = MOST};
    if (k->semiring == CLPRIMS_SEMIRING_CUSTOM) {
        desc.custom.extend = "a * 3u + b";
        desc.custom.combine = "a * 5u + b"; /* the order counts */
        desc.custom.identity = &first_value;
    }
    return desc;
}

/* Of matrices of m rows: a plan for more than MOST has limits of its own choosing. */
static clprims_mpi_minplus *plan_of(size_t number, size_t m) {
    const kind *k = &kinds[number];
    const clp_mpi_limits limits = clp_mpi_limits_now;
    const clprims_minplus_desc desc = describe(k, m);
    test_needs_types(k->type, k->type);
    if (m <= MOST) clp_mpi_limits_now = (clp_mpi_limits){k->width, k->chosen};
    clprims_mpi_minplus *plan =
        ranks_plan(&ranks_minplus, m > MOST ? number + KINDS : number, &desc);
    clp_mpi_limits_now = limits;
    return plan;
}

/* ---- Matrices ---- */

/* Small values, a fifth of them no edge. */
static void draw(clprims_type type, const clprims_minplus_desc *desc, void *values, size_t n) {
    const bool mirrored = desc->semiring == CLPRIMS_MAX_PLUS;
    for (size_t i = 0; i < n; i++) {
        const int value = (int)test_random_below(60) - 20;
        const bool none = test_random_below(5) == 0;
        if (type == CLPRIMS_U8) {
            ((uint8_t *)values)[i] = (uint8_t)test_random_below(4);
        } else if (type == CLPRIMS_U32) {
            ((uint32_t *)values)[i] = (uint32_t)test_random();
        } else {
            graph_put(type, mirrored ? -CLPRIMS_NO_EDGE_I32 - 1 : 0, values, i,
                      none ? (double)INFINITY : value);
        }
    }
}

static void multiply_in_order(uint32_t *c, const uint32_t *a, const uint32_t *b,
                              const product_case *p) {
    for (size_t i = 0; i < p->m * p->n; i++) {
        for (size_t t = 0; t < p->k; t++) {
            c[i] = c[i] * 5u + (a[i / p->n * p->k + t] * 3u + b[t * p->n + i % p->n]);
        }
    }
}

static void multiply(const product_case *p, const clprims_minplus_desc *desc, void *a, void *b,
                     void *c, int32_t *best) {
    const oracle_matrix left = {a, p->k}, right = {b, p->n}, result = {c, p->n};
    if (desc->semiring == CLPRIMS_SEMIRING_CUSTOM) {
        multiply_in_order(c, a, b, p);
    } else {
        oracle_minplus(desc, &left, &right, &result, desc->argmin ? best : NULL, p->m, p->n, p->k);
    }
}

/* The blocks of a product's matrices: a, b, c, argmin. */
enum { OPERANDS = 4 };
typedef struct shared_product {
    shared_matrix m[OPERANDS];
    clprims_mpi_minplus_size size;
} shared_product;

static shared_product share_product(const product_case *p, clprims_type type,
                                    char *const whole[OPERANDS]) {
    const clprims_mpi_block rows = grids_rows(p->rows, p->m);
    const clprims_mpi_block columns = grids_columns(p->columns, p->n);
    const clprims_mpi_block of_a = grids_columns(p->a_columns, p->k);
    const clprims_mpi_block of_b = grids_rows(p->b_rows, p->k);
    return (shared_product){{grids_share(type, whole[0], rows, of_a),
                             grids_share(type, whole[1], of_b, columns),
                             grids_share(type, whole[2], rows, columns),
                             grids_share(CLPRIMS_I32, whole[3], rows, columns)},
                            {rows.n, columns.n, of_a.n, of_b.n}};
}

static void draw_product(const product_case *p, const clprims_minplus_desc *desc,
                         char *whole[OPERANDS]) {
    const size_t cells[] = {p->m * p->k, p->k * p->n, p->m * p->n};
    for (size_t i = 0; i < 3; i++) {
        whole[i] = test_scratch(cells[i], clprims_type_bytes(desc->type));
        draw(desc->type, desc, whole[i], cells[i]);
    }
    int32_t *best = test_scratch(cells[2], sizeof *best);
    for (size_t i = 0; i < cells[2]; i++) best[i] = -9;
    whole[3] = (char *)best;
}

static clprims_status run_product(const shared_product *s, clprims_mpi_minplus *plan, bool argmin) {
    const clprims_matrix none = {NULL, 0, 0, 0};
    return clprims_mpi_minplus_run(plan, grids_at(&s->m[0]), grids_at(&s->m[1]), grids_at(&s->m[2]),
                                   argmin ? grids_at(&s->m[3]) : none, s->size);
}

/* They are what the whole matrices are by now. */
static void expect_product(shared_product *s) {
    for (size_t i = 0; i < OPERANDS; i++) {
        grids_expect(&s->m[i]);
    }
}

static void product_is_right(const void *data) {
    const product_case *p = data;
    clprims_mpi_minplus *plan = plan_of(p->kind, p->m);
    const clprims_minplus_desc desc = describe(&kinds[p->kind], p->m);
    char *whole[OPERANDS];
    draw_product(p, &desc, whole);
    shared_product s = share_product(p, desc.type, whole);
    multiply(p, &desc, whole[0], whole[1], whole[2], (int32_t *)(void *)whole[3]);
    expect_ranks_ok(run_product(&s, plan, desc.argmin));
    expect_product(&s);
}

/* ---- Elements beyond the limits, beside the core's run ---- */

/* Around a limit of elements or of sums, or far beyond. */
static int64_t draw_length(clprims_type type) {
    const unsigned bits = type == CLPRIMS_I64 ? 64 : 32;
    const int64_t top = type == CLPRIMS_I64 ? INT64_MAX : INT32_MAX;
    const int64_t near =
        ((int64_t)1 << (bits - 3 + test_random_below(2))) + (int64_t)test_random_below(5) - 2;
    switch (test_random_below(6)) {
    case 0:
        return top;
    case 1:
        return -top - 1;
    default:
        return test_random_below(2) == 0 ? near : -near;
    }
}

/* Writes a length at a drawn place of a drawn matrix that is read. text: what names the place, the
 * same on all ranks; returns the rank that has it. */
static int put_length(shared_product *s, clprims_type type, char *text, size_t bytes) {
    static const char names[] = "abc";
    const size_t which = test_random_below(3);
    shared_matrix *m = &s->m[which];
    const size_t row = test_random_below(m->down.total),
                 column = test_random_below(m->across.total);
    const int64_t length = draw_length(type);
    const int32_t narrow = (int32_t)length;
    const void *from = m->bytes == 8 ? (const void *)&length : &narrow;
    const size_t down = row - (size_t)m->down.start, across = column - (size_t)m->across.start;
    int owner = -1;
    memcpy(m->whole + (row * m->across.total + column) * m->bytes, from, m->bytes);
    if (down < m->down.n && across < m->across.n) { /* not below the start, where they wrap */
        owner = ranks_rank();
        snprintf(text, bytes, "mpi_minplus: %c(%zu, %zu) of the block", names[which], down, across);
        expect_cl(clEnqueueWriteBuffer(test_queue(), m->buffer.at.mem, CL_TRUE,
                                       (m->buffer.at.first + down * m->ld + across) * m->bytes,
                                       m->bytes, from, 0, NULL, NULL));
    }
    MPI_Allreduce(MPI_IN_PLACE, &owner, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Bcast(text, (int)bytes, MPI_CHAR, owner, MPI_COMM_WORLD);
    return owner;
}

/* The core's run and the ranks' take and refuse the same, and refuse it in the same words. */
static void limits_are_of_core(const void *data) {
    enum { TURNS = 40, TEXT = 400 };
    const size_t number = *(const size_t *)data;
    clprims_mpi_minplus *plan = plan_of(number, 0);
    clprims_minplus *core = NULL;
    clprims_minplus_desc desc = describe(&kinds[number], 0);
    size_t refused = 0;
    desc.max.k = kinds[number].width; /* as of the ranks' plan: its programs serve both */
    desc.max.batch = 1;
    expect_ok(clprims_minplus_create(&core, test_context(), &desc));
    for (size_t turn = 0; turn < TURNS; turn++) {
        char *whole[OPERANDS], text[TEXT] = "";
        const product_case p = {number,
                                1 + test_random_below(12),
                                1 + test_random_below(12),
                                1 + test_random_below(desc.max.k),
                                (ranks_layout)test_random_below(RANKS_LAYOUTS),
                                (ranks_layout)test_random_below(RANKS_LAYOUTS),
                                (ranks_layout)test_random_below(RANKS_LAYOUTS),
                                (ranks_layout)test_random_below(RANKS_LAYOUTS)};
        draw_product(&p, &desc, whole);
        shared_product s = share_product(&p, desc.type, whole);
        const int owner = put_length(&s, desc.type, text, TEXT / 2);
        const clprims_minplus_arrays arrays = {whole[0],
                                               whole[1],
                                               whole[2],
                                               desc.argmin ? (int32_t *)(void *)whole[3] : NULL,
                                               {.m = p.m, .k = p.k}};
        const clprims_status status = clprims_minplus_run(core, &arrays, p.n);
        test_note("turn %zu: %s", turn, text);
        if (status == CLPRIMS_OK) {
            expect_ranks_ok(run_product(&s, plan, desc.argmin));
        } else {
            const char *is = strstr(clprims_last_error()->message, " is ");
            snprintf(text + strlen(text), TEXT / 2, "%s", is != NULL ? is : "no value named");
            expect_ranks_failure(run_product(&s, plan, desc.argmin), CLPRIMS_ERR_DATA, owner, text);
            refused++;
        }
        expect_product(&s);
    }
    assert_true(refused > 0);
    clprims_minplus_destroy(core);
}

/* ---- Refusals ---- */

static void bad_creates_are_refused(void) {
    const clprims_minplus_desc desc = describe(&kinds[1], 0);
    clprims_minplus_desc bad = desc;
    clprims_mpi_minplus *plan = NULL;
    assert_int_equal(clprims_mpi_minplus_create(&plan, NULL, &desc), CLPRIMS_ERR_ARGUMENT);
    grids_nulls_are_refused(&ranks_minplus, &desc, "desc");
    bad.max_n = (size_t)INT32_MAX + 1;
    ranks_desc_is_refused(&ranks_minplus, &desc, &bad, CLPRIMS_ERR_TOO_LARGE,
                          "max_n = 2147483648; at most 2147483647");
    bad = desc;
    bad.type = CLPRIMS_U8;
    ranks_desc_is_refused(&ranks_minplus, &desc, &bad, CLPRIMS_ERR_UNSUPPORTED, "uint8");
    bad = desc;
    bad.semiring = CLPRIMS_SEMIRING_CUSTOM;
    bad.argmin = 0;
    bad.custom.extend = "a +";
    bad.custom.combine = "a";
    bad.custom.identity = &first_value;
    ranks_desc_is_refused(&ranks_minplus, &desc, &bad, CLPRIMS_ERR_BUILD, "");
    bad = desc;
    bad.argmin = 0;
    if (ranks_count() == 1) return;
    ranks_desc_is_refused(&ranks_minplus, &desc, &bad, CLPRIMS_ERR_ARGUMENT,
                          "differs from that of rank 0");
}

/* Operands of 4 x 4 elements and more, of a depth that is the same over rows and columns. */
typedef struct offer {
    test_buffer buffers[OPERANDS];
    clprims_matrix m[OPERANDS];
    clprims_mpi_minplus_size size;
} offer;

static offer make_offer(void) {
    const clprims_mpi_grid grid = clprims_mpi_grid_of(ranks_mpi());
    offer o = {.size = {4, 4, (size_t)grid.rows, (size_t)grid.columns}};
    for (size_t i = 0; i < OPERANDS; i++) {
        o.buffers[i] = test_buffer_create(NULL, 4 * MOST, 4, 1);
        o.m[i] = (clprims_matrix){o.buffers[i].at.mem, o.buffers[i].at.first, 9, 0};
    }
    return o;
}

/* The last rank has that matrix in the place of an operand, or that size. */
static void matrix_is_refused(const offer *o, size_t which, clprims_matrix bad, const char *part) {
    const int last = ranks_count() - 1;
    offer given = *o;
    if (ranks_rank() == last) given.m[which] = bad;
    expect_ranks_failure(clprims_mpi_minplus_run(plan_of(1, 0), given.m[0], given.m[1], given.m[2],
                                                 given.m[3], o->size),
                         CLPRIMS_ERR_ARGUMENT, last, part);
}

static void size_is_refused(const offer *o, clprims_mpi_minplus_size bad, clprims_status status,
                            int rank, const char *part) {
    const bool is_last = ranks_rank() == ranks_count() - 1;
    expect_ranks_failure(clprims_mpi_minplus_run(plan_of(1, 0), o->m[0], o->m[1], o->m[2], o->m[3],
                                                 is_last ? bad : o->size),
                         status, rank, part);
}

static void bad_buffers_are_refused(void) {
    static const char *const names[OPERANDS] = {"a", "b", "c", "argmin"};
    offer o = make_offer();
    for (int k = 0; k < OPERANDS * RANKS_BAD; k++) {
        const size_t which = (size_t)k % OPERANDS;
        clprims_matrix bad = o.m[which];
        bad.mem = ranks_bad_create(k / OPERANDS);
        matrix_is_refused(&o, which, bad, ranks_refusal(names[which], k / OPERANDS));
    }
}

static void bad_runs_are_refused(void) {
    enum { A, B, C, BEST };
    const int last = ranks_count() - 1;
    const clprims_mpi_grid grid = clprims_mpi_grid_of(ranks_mpi());
    const clprims_matrix none = {NULL, 0, 9, 0};
    const clprims_status wrong = CLPRIMS_ERR_ARGUMENT;
    offer o = make_offer();
    clprims_matrix low = o.m[A], far = o.m[B];
    clprims_mpi_minplus_size bad = o.size;
    low.ld = 0;
    far.first = o.buffers[B].bytes;
    assert_int_equal(clprims_mpi_minplus_run(NULL, o.m[A], o.m[B], o.m[C], o.m[BEST], o.size),
                     wrong);
    matrix_is_refused(&o, A, low, "a.ld = 0 is less than");
    matrix_is_refused(&o, B, far, "b.mem holds ");
    matrix_is_refused(&o, C, none, "c.mem is NULL, with 4 x 4");
    matrix_is_refused(&o, BEST, none, "argmin.mem is NULL");
    matrix_is_refused(&o, C, o.m[A], "c and a overlap");
    matrix_is_refused(&o, BEST, o.m[C], "c and argmin overlap");
    matrix_is_refused(&o, BEST, o.m[A], "argmin and a overlap");
    bad.m = MOST + 1;
    size_is_refused(&o, bad, CLPRIMS_ERR_TOO_LARGE, last, "m = 41 exceeds max.m = 40");
    bad = o.size;
    bad.n = MOST + 1;
    size_is_refused(&o, bad, CLPRIMS_ERR_TOO_LARGE, last, "n = 41 exceeds max_n = 40");
    bad = o.size;
    bad.m = 3;
    if (grid.columns > 1) size_is_refused(&o, bad, wrong, last, "3 rows of A and C, but");
    bad = o.size;
    bad.a_columns++;
    if (grid.rows == 1) size_is_refused(&o, bad, wrong, 0, "they must be as many");
    expect_ranks_failure(clprims_mpi_minplus_run(plan_of(2, 0), o.m[A], o.m[B], o.m[C],
                                                 ranks_rank() == last ? o.m[BEST] : none, o.size),
                         wrong, last, "argmin.mem is not NULL");
}

/* ---- Cases ---- */

static void add_products(test_cases *cases, size_t number) {
    static const size_t sizes[][3] = {{0, 5, 5}, {5, 0, 5}, {6, 5, 0}, {7, 3, 12}, {MOST, 33, 60}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (size_t layout = 0; layout < RANKS_LAYOUTS; layout++) {
            const ranks_layout next = (ranks_layout)((layout + i) % RANKS_LAYOUTS);
            if (!test_long() && i < 3 && layout % 3 != i) continue;
            const product_case c = {number,
                                    sizes[i][0],
                                    sizes[i][1],
                                    sizes[i][2],
                                    (ranks_layout)layout,
                                    next,
                                    RANKS_UNEVEN,
                                    (ranks_layout)((layout + number) % RANKS_LAYOUTS)};
            ranks_add_row(cases, product_is_right, c,
                          "grids/minplus/%s/m=%zu/n=%zu/k=%zu/%s-by-%s/%s-b", kinds[number].name,
                          c.m, c.n, c.k, ranks_layout_name(c.rows), ranks_layout_name(c.columns),
                          ranks_layout_name(c.b_rows));
        }
    }
}

void add_product_cases(test_cases *cases) {
    static const size_t limited[] = {1, 5};
    /* More rows than a kernel has work-items for a column. */
    static const product_case tall = {2,          16384 + 700, 3,          3,
                                      RANKS_LAST, RANKS_EVEN,  RANKS_EVEN, RANKS_FIRST};
    for (size_t i = 0; i < sizeof limited / sizeof limited[0]; i++) {
        ranks_add_row(cases, limits_are_of_core, limited[i], "grids/minplus/limits/%s",
                      kinds[limited[i]].name);
    }
    ranks_add_plain(cases, bad_creates_are_refused, "grids/minplus/create-refused");
    ranks_add_plain(cases, bad_runs_are_refused, "grids/minplus/refused");
    ranks_add_plain(cases, bad_buffers_are_refused, "grids/minplus/refused/buffers");
    ranks_add_row(cases, product_is_right, tall, "grids/minplus/tall");
    for (size_t k = 0; k < KINDS; k++) {
        if (k < DEFAULT_KINDS || test_long()) add_products(cases, k);
    }
}
