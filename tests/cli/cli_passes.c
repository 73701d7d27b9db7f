/* SPDX-License-Identifier: MIT */
/* clprims offsets, select, unique, partition: results beside plain loops, refusals. */
#include "cli/cli_run.h"

/* ---- Offsets -------------------------------------------------------------------------------- */

typedef struct offsets_case {
    clprims_type type;
    size_t n;
    size_t starts_first, stops_first;
    size_t behind; /* elements of the files that --length leaves out */
    bool counts;
} offsets_case;

/* Intervals anywhere in the type's lower half, none longer than 99. */
static void put_interval(const offsets_case *c, char *starts, char *stops, size_t i,
                         int64_t *length) {
    const size_t bytes = clprims_type_bytes(c->type);
    const uint64_t half = (uint64_t)1 << (8 * bytes - 1);
    const uint64_t count = test_random_below(c->counts ? 100 : half < 100 ? half : 100);
    const uint64_t start = c->counts ? 0 : test_random_below(half - count);
    const uint64_t stop = start + count;
    memcpy(starts + (c->starts_first + i) * bytes, &start, bytes);
    memcpy(stops + (c->stops_first + i) * bytes, &stop, bytes);
    *length = (int64_t)count;
}

static void run_offsets(const offsets_case *c) {
    char firsts[64] = "", length[32] = "", script[160];
    if (c->starts_first + c->stops_first > 0)
        snprintf(firsts, sizeof firsts, " --starts-first %zu --stops-first=%zu", c->starts_first,
                 c->stops_first);
    if (c->behind > 0) snprintf(length, sizeof length, " --length %zu", c->n);
    snprintf(script, sizeof script, "offsets %s -o offsets.npy%s%s",
             c->counts ? "--counts stops.npy" : "starts.npy stops.npy", firsts, length);
    cli_expect(script, 0, "");
}

static void sums_lengths(const void *data) {
    const offsets_case *const c = data;
    const size_t bytes = clprims_type_bytes(c->type);
    const size_t starts_n = c->starts_first + c->n + c->behind;
    const size_t stops_n = c->stops_first + c->n + c->behind;
    /* What the firsts and the length leave out would be a fault. */
    char *const starts = memset(test_scratch(starts_n, bytes), 1, starts_n * bytes);
    char *const stops = memset(test_scratch(stops_n, bytes), 0, stops_n * bytes);
    int64_t *const offsets = test_scratch(c->n + 1, sizeof *offsets);
    offsets[0] = 0;
    for (size_t i = 0; i < c->n; ++i) {
        put_interval(c, starts, stops, i, &offsets[i + 1]);
        offsets[i + 1] += offsets[i];
    }
    cli_clear();
    cli_write_npy("starts.npy", c->type, starts, starts_n);
    cli_write_npy("stops.npy", c->type, stops, stops_n);
    run_offsets(c);
    cli_expect_npy("offsets.npy", CLPRIMS_I64, offsets, c->n + 1);
    cli_expect_npy("stops.npy", c->type, stops, stops_n);
    assert_string_equal(cli_listing(), "offsets.npy starts.npy stops.npy ");
}

static void add_offsets(test_cases *cases) {
    static const size_t sizes[] = {1000, 0, 65537, 1, 4097};
    for (int type = CLPRIMS_I8; type <= CLPRIMS_U64; ++type)
        for (int kind = type; kind < type + (test_long() ? 2 : 1); ++kind) {
            const int turn = kind % 3;
            if (!test_long() && type % 3 != 0) continue;
            const offsets_case c = {.type = (clprims_type)type,
                                    .n = sizes[(type + turn) % 5],
                                    .starts_first = turn == 1 ? 3 : 0,
                                    .stops_first = turn == 1 ? 5 : 0,
                                    .behind = turn == 0 ? 0 : 2,
                                    .counts = turn == 2};
            test_add_row(cases, sums_lengths, c, "cli/offsets/%s/%s/n=%zu",
                         clprims_type_name(c.type),
                         turn == 0   ? "intervals"
                         : turn == 1 ? "parts-of-files"
                                     : "counts",
                         c.n);
        }
}

/* ---- Select --------------------------------------------------------------------------------- */

typedef enum select_way { BY_NONZERO, BY_BYTES, BY_BOOL, BY_TEXT, SELECT_WAYS } select_way;

static const char *const way_names[] = {"nonzero", "bytes", "bool", "where"};

typedef struct select_case {
    clprims_type type;
    select_way way;
    const char *command;
    size_t n;
    bool indices;
} select_case;

/* What a case reads and what must come out. */
typedef struct select_data {
    char *in, *out, *flags;
    int64_t *indices, *lengths;
    size_t kept;
} select_data;

/* Elements 0 to 3 of the type, which every way can tell apart. */
static void put_small(clprims_type type, char *at, unsigned value) {
    const float narrow = (float)value;
    const double wide = value;
    const uint64_t whole = value;
    const void *const from = type == CLPRIMS_F32   ? (const void *)&narrow
                             : type == CLPRIMS_F64 ? (const void *)&wide
                                                   : &whole;
    memcpy(at, from, clprims_type_bytes(type));
}

static bool is_wanted(const select_case *c, const select_data *d, size_t i, unsigned value,
                      unsigned before) {
    if (strcmp(c->command, "unique") == 0) return i == 0 || value != before;
    switch (c->way) {
    case BY_BYTES:
    case BY_BOOL:
        return d->flags[i] != 0;
    case BY_TEXT:
        return value > 1 && i % 3 != 0;
    default:
        return value != 0;
    }
}

/* The twin: kept elements from the front, and for a partition the others behind them. */
static select_data make_data(const select_case *c) {
    const size_t bytes = clprims_type_bytes(c->type);
    select_data d = {.in = test_alloc(c->n, bytes), .out = test_alloc(c->n, bytes)};
    char *const others = test_scratch(c->n, bytes);
    unsigned value = 0;
    d.flags = test_alloc(c->n, 1);
    d.indices = test_alloc(c->n, sizeof *d.indices);
    d.lengths = test_alloc(c->n, sizeof *d.lengths);
    for (size_t i = 0; i < c->n; ++i) {
        const unsigned before = value;
        value = test_random_below(3) == 0 ? before : (unsigned)test_random_below(4);
        put_small(c->type, d.in + i * bytes, value);
        d.flags[i] = (char)(test_random_below(2) << (c->way == BY_BOOL ? 0 : i % 7));
        if (is_wanted(c, &d, i, value, before)) {
            memcpy(d.out + d.kept * bytes, d.in + i * bytes, bytes);
            d.lengths[d.kept] = 0;
            d.indices[d.kept++] = (int64_t)i;
        } else {
            memcpy(others + (i - d.kept) * bytes, d.in + i * bytes, bytes);
        }
        if (d.kept > 0) ++d.lengths[d.kept - 1];
    }
    memcpy(d.out + d.kept * bytes, others, (c->n - d.kept) * bytes);
    return d;
}

static const cli_result *run_select(const select_case *c) {
    static const char *const conditions[] = {"", " --flags flags.npy", " --flags flags.npy",
                                             " --where='x > 1 && i % 3 != 0'"};
    const bool runs = strcmp(c->command, "unique") == 0;
    char script[160];
    snprintf(script, sizeof script, "%s in.npy -o out.npy%s%s", c->command, conditions[c->way],
             !c->indices ? ""
             : runs      ? " --counts counts.npy"
                         : " --indices");
    return cli_expect(script, 0, "");
}

static void selects(const void *data) {
    const select_case *const c = data;
    const bool parts = strcmp(c->command, "partition") == 0;
    const bool runs = strcmp(c->command, "unique") == 0;
    select_data d = make_data(c);
    char kept[24] = "";
    cli_clear();
    cli_write_npy("in.npy", c->type, d.in, c->n);
    if (c->way == BY_BOOL)
        cli_write_bools("flags.npy", d.flags, c->n);
    else
        cli_write_npy("flags.npy", CLPRIMS_U8, d.flags, c->n);
    const cli_result *const result = run_select(c);
    if (parts) snprintf(kept, sizeof kept, "%zu\n", d.kept);
    assert_string_equal(result->out, kept);
    if (c->indices && !runs)
        cli_expect_npy("out.npy", CLPRIMS_I64, d.indices, d.kept);
    else
        cli_expect_npy("out.npy", c->type, d.out, parts ? c->n : d.kept);
    if (c->indices && runs) cli_expect_npy("counts.npy", CLPRIMS_I64, d.lengths, d.kept);
    cli_expect_npy("in.npy", c->type, d.in, c->n);
    free(d.in);
    free(d.out);
    free(d.flags);
    free(d.indices);
    free(d.lengths);
}

static void add_select(test_cases *cases, const select_case *c) {
    test_add_row(cases, selects, *c, "cli/%s/%s/%s/n=%zu%s", c->command, clprims_type_name(c->type),
                 way_names[c->way], c->n,
                 !c->indices                         ? ""
                 : strcmp(c->command, "unique") == 0 ? "/counts"
                                                     : "/indices");
}

/* Each type, in the long tier in two ways; ways, commands, results and sizes take turns. */
static void add_selects(test_cases *cases) {
    static const size_t sizes[] = {1000, 1, 65537, 0, 4097};
    for (int type = CLPRIMS_I8; type <= CLPRIMS_F64; ++type) {
        for (int way = type % 2; way < SELECT_WAYS; way += 2) {
            const int turn = type + way;
            const bool parts = turn % 3 == 0;
            if (!test_long() && (way != type % SELECT_WAYS || type % 3 == 1)) continue;
            const select_case c = {.type = (clprims_type)type,
                                   .way = (select_way)way,
                                   .command = parts ? "partition" : "select",
                                   .n = sizes[(type + 2 * way) % 5],
                                   .indices = !parts && turn / 2 % 2 == 0};
            add_select(cases, &c);
        }
        if (type % (test_long() ? 3 : 6) != 0) continue;
        const select_case runs = {.type = (clprims_type)type,
                                  .command = "unique",
                                  .n = sizes[(type + 3) % 5],
                                  .indices = type != CLPRIMS_I32};
        add_select(cases, &runs);
    }
}

/* ---- Small examples ---- */

void cli_add_passes(test_cases *cases) {
    add_offsets(cases);
    add_selects(cases);
}
