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

/* The lowest fault is named. */
static const cli_file interval_files[] = {
    {"a", "int32 0 2 4 9 9"}, {"b", "int32 2 4 3 9 8"},
    {"c", "int8 5 -128 5"},   {"large", "int64 1 9223372036854775807 1"},
    {"old", "uint8 1 2 3"},
};

static const cli_message interval_faults[] = {
    {"stop", "offsets a b -o out", 1,
     "clprims offsets: stops[2] = 3 is less than starts[2] = 4, at i = 2\n"},
    {"stop-from-first", "offsets a b --starts-first 3 --stops-first 3 -o old", 1,
     "stops[4] = 8 is less than starts[4] = 9, at i = 1\n"},
    {"count", "offsets --counts c -o old", 1, "clprims offsets: counts[1] = -128 is negative\n"},
    {"absent", "offsets --counts absent -o old", 2, "No such file"},
    {"total", "offsets --counts large -o old", 1, "the total exceeds 9223372036854775807 at i = 1"},
};

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

/* The offsets leave out the first segmented element and the last one. */
static const cli_file files[] = {
    {"in", "uint8 3 0 3 4"},
    {"five", "uint8 3 0 3 4 5"},
    {"wide", "int32 3 0 3 4"},
    {"floats", "float32 3 0 3 4"},
    {"bools", "bool 1 2 0 -1"},
    {"keys", "int16 3 -1 3 0"},
    {"values", "uint8 10 11 12 13"},
    {"offsets", "int32 1 3 3 6"},
    {"falling", "int64 1 0"},
    {"segmented", "int16 9 3 -1 5 2 3 1"},
    {"seven", "uint8 10 11 12 13 14 15 16"},
    {"most", "int16 3 -1 3 0 2"},
    {"runs", "int16 0 7 7 -1"},
};

static const cli_success results[] = {
    {"sort", "sort --values values --values-out w keys -o out",
     "out int16 -1 0 3 3; w uint8 11 13 10 12"},
    {"sort/onto-input", "sort keys -o keys", "keys int16 -1 0 3 3"},
    {"sort/segments", "sort --offsets offsets --values seven --values-out w segmented -o out",
     "out int16 9 -1 3 2 3 5 1; w uint8 10 12 11 14 15 13 16"},
    {"sort/rows", "sort --length 3 segmented -o out", "out int16 -1 3 9 2 3 5 1"},
    {"argsort/rows", "argsort --length 2 --descending segmented -o out", "out int64 0 1 3 2 5 4 6"},
    {"argsort", "argsort --descending keys -o out", "out int64 0 2 3 1"},
    {"argsort/segments", "argsort --offsets offsets --descending segmented -o out",
     "out int64 -1 1 2 3 5 4 -1"},
    {"topk", "topk --k 3 most -o out --indices i", "out int16 3 3 2; i int64 0 2 4"},
    {"topk/least", "topk --k=2 --least most --indices i", "i int64 1 3"},
    {"topk/rows", "topk --k 2 --length 3 most -o out --indices i",
     "out int16 3 3 2 0; i int64 0 2 4 3"},
    {"topk/segments", "topk --k 2 --least --offsets offsets segmented --indices i",
     "i int64 2 1 -1 -1 4 5"},
    {"select/onto-input", "select runs -o runs", "runs int16 7 7 -1"},
    {"unique/onto-input", "unique runs -o runs", "runs int16 0 7 -1"},
    {"partition/onto-input", "$C partition --where 'x < 0' runs -o runs | grep -qx 1",
     "runs int16 -1 0 7 7"},
    {"bools/select", "select bools -o out", "out bool 1 1 1"},
    {"bools/scan", "scan --inclusive bools -o out", "out int64 1 2 2 3"},
    {"bools/max", "scan --op max bools -o out", "out bool 0 1 1 1"},
};

static const cli_message refusals[] = {
    {"offsets-no-input", "offsets -o out", 2,
     "STARTS.npy and STOPS.npy are missing; --counts takes the place of both"},
    {"offsets-one-input", "offsets in -o out", 2, "STOPS.npy is missing"},
    {"offsets-counts-and-starts", "offsets --counts in in -o out", 2,
     "--counts and STARTS.npy exclude each other"},
    {"offsets-counts-and-first", "offsets --counts in --stops-first 1 -o out", 2,
     "--counts and --stops-first exclude each other"},
    {"offsets-types", "offsets in wide -o out", 2, "its elements are int32, but those of "},
    {"offsets-floats", "offsets floats floats -o out", 2,
     "its elements are float32; offsets come from integers"},
    {"offsets-lengths", "offsets in five -o out", 2, "has 4 elements from its first on, but "},
    {"offsets-first-beyond", "offsets in in --starts-first 5 -o out", 2,
     "--starts-first 5 is too large: "},
    {"offsets-length-beyond", "offsets in in --stops-first 1 --length 4 -o out", 2,
     "has 3 elements from its first on"},
    {"offsets-length-word", "offsets --counts in --length all -o out", 2,
     "--length 'all' is not a number"},
    {"offsets-first-negative", "offsets in in --starts-first=-1 -o out", 2,
     "--starts-first -1 does not fit uint64"},
    {"select-both", "select --flags in --where x in -o out", 2,
     "--flags and --where exclude each other"},
    {"select-where-empty", "select --where '' in -o out", 2,
     "--where '': the OpenCL compiler refuses the program: "},
    {"select-flag-count", "select --flags five in -o out", 2,
     "it has 5 flags for the 4 elements of "},
    {"select-flag-type", "partition --flags wide in -o out", 2,
     "wide: its elements are int32; flags are bool or uint8"},
    {"sort-values-alone", "sort --values in in -o out", 2,
     "--values and --values-out need each other; --values-out is not given"},
    {"sort-values-out-alone", "sort --values-out w in -o out", 2,
     "--values and --values-out need each other; --values is not given"},
    {"sort-value-count", "sort --values five --values-out w in -o out", 2,
     "it has 5 values for the 4 elements of "},
    {"sort-length", "sort --length 0 in -o out", 2, "--length 0 is not at least 1"},
    {"sort-length-offsets", "sort --length 2 --offsets offsets in -o out", 2, "exclude each other"},
    {"sort-offset-type", "sort --offsets in in -o out", 2,
     "in: its elements are uint8; offsets are int32 or int64"},
    {"topk-none", "topk --k=1 in", 2, "neither -o nor --indices is given"},
    {"topk-zero", "topk --k=0 in -o out", 2, "--k 0 is not from 1 to "},
    {"topk-many", "topk --k=5 in -o out", 2,
     "--k 5 is not from 1 to 4, the number of elements of "},
    {"topk-falling", "topk --k=1 --offsets falling segmented -o out", 1,
     "falling: offsets[1] = 0 is less than offsets[0] = 1"},
    {"topk-word", "topk --k=many in -o out", 2, "--k"},
    {"argsort-values", "argsort --values in in", 2, "unknown option '--values'"},
    {"bools-as-links", "rank bools -o out", 2,
     "bools: its elements are bool; links are int32 or int64"},
    {"unique-flags", "unique --flags in in", 2, "unknown option '--flags'"},
    {"partition-indices", "partition --indices in", 2, "unknown option '--indices'"},
    {"sort-falling-offsets", "sort --offsets falling segmented -o out", 1,
     "falling: offsets[1] = 0 is less than offsets[0] = 1"},
};

void cli_add_passes(test_cases *cases) {
    add_offsets(cases);
    add_selects(cases);
    cli_add_messages(cases, "cli/offsets/faults", interval_files, interval_faults);
    cli_add_successes(cases, "cli", files, results, 1);
    cli_add_messages(cases, "cli/refused", files, refusals);
}
