/* SPDX-License-Identifier: MIT */
/* Gather beside its plain-C twin; indices outside; bad input. */
#include "fixtures/jagged_cases.h"
#include "subjects/runs/subject_refusals.h"

enum { MOST_N = 40000, N = 100, LENGTH = 50 };

/* ---- Right, or the lowest position of an index outside ---- */

typedef struct gather_case {
    clprims_gather_desc desc;
    gather_try how;
} gather_case;

static void gather_is_right(const void *data) {
    const gather_case *c = data;
    indexed_expect(&subject_gather, &c->desc, &c->how);
}

static const struct {
    const char *name, *tuning;
} shapes[] = {{"one", "GROUP=1 GROUPS=3"},
              {"many", "GROUP=8 DEPTH=1 GROUPS=512"},
              {"few", "GROUP=32 DEPTH=4 GROUPS=2"},
              {"default", NULL}};

/* Numbers of indices around tiles, of more and fewer elements than indices. */
static void add_sweep(test_cases *cases, gather_case c, size_t shape) {
    static const size_t sizes[] = {0, 1, 2, 3, 15, 16, 17, 64, 127, 129, 513, 4095, 4097, 20000};
    static const size_t lengths[] = {1, 3, 1000, 0, 70000};
    if (shape > 0 && shape < 3 && !test_bears_shapes()) return;
    c.desc.tuning = shapes[shape].tuning;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
            c.how.n = sizes[k];
            c.how.length = lengths[l];
            if (!gather_turn(&c.how, k, l, shape)) continue;
            if (c.how.n > 6000 && !test_long() && l % 2 != 0) continue;
            test_add_row(cases, gather_is_right, c,
                         "gather/%s-%zu/%s/n=%zu/length=%zu/first=%zu/outside=%zu/%s/%s",
                         clprims_type_name(c.desc.type), c.desc.custom.type_bytes,
                         clprims_type_name(c.desc.index_type), c.how.n, c.how.length, c.how.first,
                         c.how.outside, shapes[shape].name, jagged_ways[c.how.way]);
        }
    }
}

static void add_sweeps(test_cases *cases) {
    static const struct {
        clprims_type type;
        size_t bytes;
    } types[] = {{CLPRIMS_F32, 0},     {CLPRIMS_STRUCT, 12}, {CLPRIMS_U8, 0},
                 {CLPRIMS_STRUCT, 16}, {CLPRIMS_F64, 0},     {CLPRIMS_I16, 0},
                 {CLPRIMS_STRUCT, 8},  {CLPRIMS_STRUCT, 3},  {CLPRIMS_STRUCT, 20},
                 {CLPRIMS_STRUCT, 6},  {CLPRIMS_STRUCT, 256}};
    static const clprims_type indices[] = {CLPRIMS_I64, CLPRIMS_I32, CLPRIMS_U32};
    for (size_t shape = 0; shape < sizeof shapes / sizeof shapes[0]; shape++) {
        for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
            for (size_t i = 0; i < sizeof indices / sizeof indices[0]; i++) {
                /* In the default tier each type has one of the shapes and of the indices. */
                const bool few = t % 4 == shape && i == (t + 1) % 3;
                if (!few && !test_long()) continue;
                gather_case c = {.desc.type = types[t].type,
                                 .desc.custom.type_bytes = types[t].bytes,
                                 .desc.index_type = indices[i],
                                 .desc.max_n = MOST_N};
                add_sweep(cases, c, shape);
            }
        }
    }
}

/* Types of one size have one program. */
static void programs_are_shared(void) {
    static const clprims_type types[] = {CLPRIMS_U32, CLPRIMS_I32, CLPRIMS_F32, CLPRIMS_STRUCT};
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        gather_case c = {.desc.type = types[k],
                         .desc.custom.type_bytes = 4,
                         .desc.max_n = N,
                         .how = (gather_try){N, LENGTH, (jagged_way)(k % JAGGED_WAYS), 1, 0}};
        gather_is_right(&c);
    }
}

/* ---- Bad input ---- */

static const clprims_gather_desc good = {.type = CLPRIMS_I32, .max_n = N};

static void spoil(void *desc, subject_refusal *r) {
    clprims_gather_desc *d = desc;
    ILLEGAL("struct-of-0", "custom.type_bytes = 0; it must", d->type = CLPRIMS_STRUCT)
    ILLEGAL("struct-of-257", "custom.type_bytes = 257; it must be from 1 to 256",
            d->type = CLPRIMS_STRUCT, d->custom.type_bytes = 257)
    ILLEGAL("index", "index_type = 6 (uint16) is none of", d->index_type = CLPRIMS_U16)
    ILLEGAL("float-index", "index_type = 9 (float32) is none of", d->index_type = CLPRIMS_F32)
    ILLEGAL("op-unread", "gather: custom.op = \"a\" is never read", d->custom.op = "a")
}

static void run_refuses(void) {
    clprims_gather *plan = subject_kept_plan(&subject_gather, &good);
    int64_t index[N] = {0};
    int32_t out[N];
    clprims_gather_info info = {0};
    expect_failure(clprims_gather_run(plan, &(clprims_gather_arrays){index, NULL, out, {0}}, N),
                   CLPRIMS_ERR_DATA, "gather: index[0] = 0 is outside");
    expect_ok(clprims_gather_run(plan, &(clprims_gather_arrays){.sizes.length = LENGTH}, 0));
    expect_ok(clprims_gather_describe(plan, 0, (clprims_gather_sizes){0}, &info));
    if (info.groups != 1) test_fail("%zu groups", info.groups);
}

/* Where a number on the device is too great, the report has it, and no index. */
static void numbers_are_reported(void) {
    clprims_gather *plan = subject_kept_plan(&subject_gather, &good);
    const uint64_t numbers[] = {N + 1, LENGTH + 2};
    test_buffer counts = test_buffer_create(numbers, 2, sizeof *numbers, 1);
    test_buffer report = test_buffer_create(NULL, 1, sizeof(clprims_gather_report), 1);
    clprims_gather_buffers b = {.index = {test_mem(8 * N), 0},
                                .in = {test_mem(4 * LENGTH), 0},
                                .out = {test_mem(4 * N), 0},
                                .report = report.at,
                                .sizes.length = LENGTH};
    for (size_t k = 0; k < 2; k++) {
        const clprims_buffer number = {counts.at.mem, counts.at.first + k};
        const int64_t fault = k == 0 ? CLPRIMS_GATHER_COUNT : CLPRIMS_GATHER_LENGTH;
        const clprims_gather_report wanted = {fault, -1, 0, (int64_t)numbers[k]};
        clprims_gather_report found;
        b.n = k == 0 ? number : (clprims_buffer){NULL, 0};
        b.length = k == 1 ? number : (clprims_buffer){NULL, 0};
        expect_ok(clprims_gather_enqueue(plan, test_queue(), &b, N, 0, NULL, NULL));
        test_buffer_read(&report, &found);
        assert_memory_equal(&found, &wanted, sizeof found);
    }
    test_buffer_release(&counts);
    test_buffer_release(&report);
}

void test_program(test_cases *cases) {
    add_sweeps(cases);
    test_add_plain(cases, programs_are_shared, "gather/shared-programs");
    test_add_plain(cases, numbers_are_reported, "gather/reports/numbers");
    subject_add_refused(cases, &subject_gather, &good, spoil, "gather/refusals/create");
    test_add_plain(cases, run_refuses, "gather/refusals/run");
}
