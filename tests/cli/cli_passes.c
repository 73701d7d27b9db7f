/* SPDX-License-Identifier: MIT */
/* clprims offsets, select, unique, partition: results beside plain loops, refusals. */
#include "cli/cli_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUES(type, ...) ((const type[]){__VA_ARGS__})

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
    char a[24], b[24], n[24];
    snprintf(a, sizeof a, "%zu", c->starts_first);
    snprintf(b, sizeof b, "--stops-first=%zu", c->stops_first);
    snprintf(n, sizeof n, "%zu", c->n);
    if (c->counts && c->behind > 0)
        cli_expect_quiet(
            CLI("offsets", "--counts", "@stops.npy", "--length", n, "-o", "@offsets.npy"), c->type);
    else if (c->counts)
        cli_expect_quiet(CLI("offsets", "--counts", "@stops.npy", "-o", "@offsets.npy"), c->type);
    else if (c->starts_first + c->stops_first + c->behind > 0)
        cli_expect_quiet(CLI("offsets", "@starts.npy", "@stops.npy", "-o", "@offsets.npy",
                             "--starts-first", a, b, "--length", n),
                         c->type);
    else
        cli_expect_quiet(CLI("offsets", "@starts.npy", "@stops.npy", "-o", "@offsets.npy"),
                         c->type);
}

static void sums_lengths(const void *data) {
    const offsets_case *const c = data;
    const size_t bytes = clprims_type_bytes(c->type);
    const size_t starts_n = c->starts_first + c->n + c->behind;
    const size_t stops_n = c->stops_first + c->n + c->behind;
    /* What the firsts and the length leave out would be a fault. */
    char *const starts = memset(test_alloc(starts_n, bytes), 1, starts_n * bytes);
    char *const stops = memset(test_alloc(stops_n, bytes), 0, stops_n * bytes);
    int64_t *const offsets = test_alloc(c->n + 1, sizeof *offsets);
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
    free(starts);
    free(stops);
    free(offsets);
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
            test_add(cases, sums_lengths, &c, sizeof c, "cli/offsets/%s/%s/n=%zu",
                     clprims_type_name(c.type),
                     turn == 0   ? "intervals"
                     : turn == 1 ? "parts-of-files"
                                 : "counts",
                     c.n);
        }
}

/* The lowest fault is named, and nothing is left or changed. */
static void refuses_intervals(const void *data) {
    (void)data;
    static const char old[] = "what was there before";
    cli_clear();
    cli_write_npy("a.npy", CLPRIMS_I32, VALUES(int32_t, 0, 2, 4, 9, 9), 5);
    cli_write_npy("b.npy", CLPRIMS_I32, VALUES(int32_t, 2, 4, 3, 9, 8), 5);
    cli_expect(CLI("offsets", "@a.npy", "@b.npy", "-o", "@out.npy"), NULL, 1,
               "clprims offsets: stops[2] = 3 is less than starts[2] = 4, at i = 2\n");
    assert_string_equal(cli_listing(), "a.npy b.npy ");
    cli_write("out.npy", old, sizeof old);
    cli_expect(CLI("offsets", "@a.npy", "@b.npy", "--starts-first", "3", "--stops-first", "3", "-o",
                   "@out.npy"),
               NULL, 1, "stops[4] = 8 is less than starts[4] = 9, at i = 1\n");
    cli_expect_file("out.npy", old, sizeof old);
    cli_write_npy("c.npy", CLPRIMS_I8, VALUES(int8_t, 5, -128, 5), 3);
    cli_expect(CLI("offsets", "--counts", "@c.npy", "-o", "@out.npy"), NULL, 1,
               "clprims offsets: counts[1] = -128 is negative\n");
    cli_expect_file("out.npy", old, sizeof old);
    cli_expect(CLI("offsets", "--counts", "@d.npy", "-o", "@out.npy"), NULL, 2, "No such file");
    cli_write_npy("c.npy", CLPRIMS_I64, VALUES(int64_t, 1, INT64_MAX, 1), 3);
    cli_expect(CLI("offsets", "--counts", "@c.npy", "-o", "@out.npy"), NULL, 1,
               "the total exceeds 9223372036854775807 at i = 1");
    cli_expect_file("out.npy", old, sizeof old);
    assert_string_equal(cli_listing(), "a.npy b.npy c.npy out.npy ");
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
    char *const others = test_alloc(c->n, bytes);
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
    free(others);
    return d;
}

/* As NumPy writes an array of bool. */
static void write_bools(const char *name, const char *flags, size_t n) {
    size_t count = 0;
    char *const file = cli_npy(CLPRIMS_U8, flags, n, &count);
    file[strcspn(file + 10, "|") + 11] = 'b';
    cli_write(name, file, count);
    free(file);
}

static const cli_result *run_select(const select_case *c) {
    const char *words[CLI_WORDS] = {c->command, "@in.npy", "-o", "@out.npy"};
    size_t count = 4;
    if (c->way == BY_BYTES || c->way == BY_BOOL) {
        words[count++] = "--flags";
        words[count++] = "@flags.npy";
    } else if (c->way == BY_TEXT) {
        words[count++] = "--where=x > 1 && i % 3 != 0";
    }
    if (c->indices) words[count++] = strcmp(c->command, "unique") == 0 ? "--counts" : "--indices";
    if (c->indices && strcmp(c->command, "unique") == 0) words[count++] = "@counts.npy";
    words[count] = NULL;
    return cli_expect_quiet(words, c->type);
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
        write_bools("flags.npy", d.flags, c->n);
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
    test_add(cases, selects, c, sizeof *c, "cli/%s/%s/%s/n=%zu%s", c->command,
             clprims_type_name(c->type), way_names[c->way], c->n,
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

static void sorts(const void *data) {
    (void)data;
    cli_clear();
    cli_write_npy("a.npy", CLPRIMS_I16, VALUES(int16_t, 3, -1, 3, 0), 4);
    cli_write_npy("v.npy", CLPRIMS_U8, VALUES(uint8_t, 10, 11, 12, 13), 4);
    cli_expect_quiet(
        CLI("sort", "--values", "@v.npy", "--values-out", "@w.npy", "@a.npy", "-o", "@out.npy"),
        CLPRIMS_I16);
    cli_expect_npy("out.npy", CLPRIMS_I16, VALUES(int16_t, -1, 0, 3, 3), 4);
    cli_expect_npy("w.npy", CLPRIMS_U8, VALUES(uint8_t, 11, 13, 10, 12), 4);
    cli_expect_quiet(CLI("argsort", "--descending", "@a.npy", "-o", "@out.npy"), CLPRIMS_I16);
    cli_expect_npy("out.npy", CLPRIMS_I64, VALUES(int64_t, 0, 2, 3, 1), 4);
    cli_expect_quiet(CLI("sort", "@a.npy", "-o", "@a.npy"), CLPRIMS_I16);
    cli_expect_npy("a.npy", CLPRIMS_I16, VALUES(int16_t, -1, 0, 3, 3), 4);
}

/* The offsets leave out the first element and the last one. */
static void sorts_segments(const void *data) {
    (void)data;
    cli_clear();
    cli_write_npy("a.npy", CLPRIMS_I16, VALUES(int16_t, 9, 3, -1, 5, 2, 3, 1), 7);
    cli_write_npy("o.npy", CLPRIMS_I32, VALUES(int32_t, 1, 3, 3, 6), 4);
    cli_write_npy("falling.npy", CLPRIMS_I64, VALUES(int64_t, 1, 0), 2);
    cli_write_npy("v.npy", CLPRIMS_U8, VALUES(uint8_t, 10, 11, 12, 13, 14, 15, 16), 7);
    cli_expect_quiet(CLI("sort", "--offsets", "@o.npy", "--values", "@v.npy", "--values-out",
                         "@w.npy", "@a.npy", "-o", "@out.npy"),
                     CLPRIMS_I16);
    cli_expect_npy("out.npy", CLPRIMS_I16, VALUES(int16_t, 9, -1, 3, 2, 3, 5, 1), 7);
    cli_expect_npy("w.npy", CLPRIMS_U8, VALUES(uint8_t, 10, 12, 11, 14, 15, 13, 16), 7);
    cli_expect_quiet(
        CLI("argsort", "--offsets", "@o.npy", "--descending", "@a.npy", "-o", "@out.npy"),
        CLPRIMS_I16);
    cli_expect_npy("out.npy", CLPRIMS_I64, VALUES(int64_t, -1, 1, 2, 3, 5, 4, -1), 7);
    cli_expect(CLI("sort", "--offsets", "@falling.npy", "@a.npy", "-o", "@new.npy"), NULL, 1,
               "falling.npy: offsets[1] = 0 is less than offsets[0] = 1");
    cli_expect(CLI("sort", "--stats", "--offsets", "@o.npy", "@a.npy", "-o", "@out.npy"), NULL, 0,
               "7 int16 in 3 segments (short) on ");
}

static void finds_greatest(const void *data) {
    (void)data;
    cli_clear();
    cli_write_npy("a.npy", CLPRIMS_I16, VALUES(int16_t, 3, -1, 3, 0, 2), 5);
    cli_expect_quiet(CLI("topk", "--k", "3", "@a.npy", "-o", "@out.npy", "--indices", "@i.npy"),
                     CLPRIMS_I16);
    cli_expect_npy("out.npy", CLPRIMS_I16, VALUES(int16_t, 3, 3, 2), 3);
    cli_expect_npy("i.npy", CLPRIMS_I64, VALUES(int64_t, 0, 2, 4), 3);
    cli_expect_quiet(CLI("topk", "--k=2", "--least", "@a.npy", "--indices", "@i.npy"), CLPRIMS_I16);
    cli_expect_npy("i.npy", CLPRIMS_I64, VALUES(int64_t, 1, 3), 2);
    cli_expect(CLI("topk", "--k=5", "--stats", "@a.npy", "-o", "@out.npy"), NULL, 0,
               "5 of 5 int16 (sort) on ");
}

static void writes_onto_input(const void *data) {
    (void)data;
    cli_clear();
    cli_write_npy("a.npy", CLPRIMS_I16, VALUES(int16_t, 0, 7, 7, -1), 4);
    cli_expect_quiet(CLI("select", "@a.npy", "-o", "@a.npy"), CLPRIMS_I16);
    cli_expect_npy("a.npy", CLPRIMS_I16, VALUES(int16_t, 7, 7, -1), 3);
    cli_expect_quiet(CLI("unique", "@a.npy", "-o", "@a.npy"), CLPRIMS_I16);
    cli_expect_npy("a.npy", CLPRIMS_I16, VALUES(int16_t, 7, -1), 2);
    cli_expect_quiet(CLI("partition", "--where", "x < 0", "@a.npy", "-o", "@a.npy"), CLPRIMS_I16);
    cli_expect_npy("a.npy", CLPRIMS_I16, VALUES(int16_t, -1, 7), 2);
    assert_string_equal(cli_listing(), "a.npy ");
}

/* ---- Bools ---- */

static void takes_bools(const void *data) {
    (void)data;
    static const char in[] = {1, 2, 0, -1}, kept[] = {1, 1, 1}, greatest[] = {0, 1, 1, 1};
    cli_clear();
    write_bools("in.npy", in, 4);
    write_bools("expected.npy", kept, 3);
    write_bools("greatest.npy", greatest, 4);
    cli_expect_quiet(CLI("select", "@in.npy", "-o", "@out.npy"), CLPRIMS_U8);
    cli_expect_same("out.npy", "expected.npy");
    cli_expect_quiet(CLI("scan", "--inclusive", "@in.npy", "-o", "@out.npy"), CLPRIMS_I64);
    cli_expect_npy("out.npy", CLPRIMS_I64, VALUES(int64_t, 1, 2, 2, 3), 4);
    cli_expect_quiet(CLI("scan", "--op", "max", "@in.npy", "-o", "@out.npy"), CLPRIMS_U8);
    cli_expect_same("out.npy", "greatest.npy");
}

/* ---- Refusals ------------------------------------------------------------------------------- */

typedef struct refusal {
    const char *name;
    const char *part; /* of the message */
    const char *words[CLI_WORDS];
} refusal;

/* in.npy: 4 uint8; five.npy: 5 uint8; wide.npy: 4 int32; floats.npy: 4 float32; bools.npy: 4. */
static const refusal refusals[] = {
    {"offsets-no-input",
     "STARTS.npy and STOPS.npy are missing; --counts takes the place of both",
     {"offsets", "-o", "@out.npy"}},
    {"offsets-one-input", "STOPS.npy is missing", {"offsets", "@in.npy", "-o", "@out.npy"}},
    {"offsets-counts-and-starts",
     "--counts and STARTS.npy exclude each other",
     {"offsets", "--counts", "@in.npy", "@in.npy", "-o", "@out.npy"}},
    {"offsets-counts-and-first",
     "--counts and --stops-first exclude each other",
     {"offsets", "--counts", "@in.npy", "--stops-first", "1", "-o", "@out.npy"}},
    {"offsets-types",
     "its elements are int32, but those of ",
     {"offsets", "@in.npy", "@wide.npy", "-o", "@out.npy"}},
    {"offsets-floats",
     "its elements are float32; offsets come from integers",
     {"offsets", "@floats.npy", "@floats.npy", "-o", "@out.npy"}},
    {"offsets-lengths",
     "has 4 elements from its first on, but ",
     {"offsets", "@in.npy", "@five.npy", "-o", "@out.npy"}},
    {"offsets-first-beyond",
     "--starts-first 5 is too large: ",
     {"offsets", "@in.npy", "@in.npy", "--starts-first", "5", "-o", "@out.npy"}},
    {"offsets-length-beyond",
     "has 3 elements from its first on",
     {"offsets", "@in.npy", "@in.npy", "--stops-first", "1", "--length", "4", "-o", "@out.npy"}},
    {"offsets-length-word",
     "--length 'all' is not a number",
     {"offsets", "--counts", "@in.npy", "--length", "all", "-o", "@out.npy"}},
    {"offsets-first-negative",
     "--starts-first -1 does not fit uint64",
     {"offsets", "@in.npy", "@in.npy", "--starts-first=-1", "-o", "@out.npy"}},
    {"select-both",
     "--flags and --where exclude each other",
     {"select", "--flags", "@in.npy", "--where", "x", "@in.npy", "-o", "@out.npy"}},
    {"select-where-empty",
     "--where '': the OpenCL compiler refuses the program: ",
     {"select", "--where", "", "@in.npy", "-o", "@out.npy"}},
    {"select-flag-count",
     "it has 5 flags for the 4 elements of ",
     {"select", "--flags", "@five.npy", "@in.npy", "-o", "@out.npy"}},
    {"select-flag-type",
     "wide.npy: its elements are int32; flags are bool or uint8",
     {"partition", "--flags", "@wide.npy", "@in.npy", "-o", "@out.npy"}},
    {"sort-values-alone",
     "--values and --values-out need each other; --values-out is not given",
     {"sort", "--values", "@in.npy", "@in.npy", "-o", "@out.npy"}},
    {"sort-values-out-alone",
     "--values and --values-out need each other; --values is not given",
     {"sort", "--values-out", "@w.npy", "@in.npy", "-o", "@out.npy"}},
    {"sort-value-count",
     "it has 5 values for the 4 elements of ",
     {"sort", "--values", "@five.npy", "--values-out", "@w.npy", "@in.npy", "-o", "@out.npy"}},
    {"sort-offset-type",
     "in.npy: its elements are uint8; offsets are int32 or int64",
     {"sort", "--offsets", "@in.npy", "@in.npy", "-o", "@out.npy"}},
    {"topk-none", "neither -o nor --indices is given", {"topk", "--k=1", "@in.npy"}},
    {"topk-zero", "--k 0 is not from 1 to ", {"topk", "--k=0", "@in.npy", "-o", "@out.npy"}},
    {"topk-many",
     "--k 5 is not from 1 to 4, the number of elements of ",
     {"topk", "--k=5", "@in.npy", "-o", "@out.npy"}},
    {"topk-word", "--k", {"topk", "--k=many", "@in.npy", "-o", "@out.npy"}},
    {"argsort-values", "unknown option '--values'", {"argsort", "--values", "@in.npy", "@in.npy"}},
    {"bools-as-links",
     "bools.npy: its elements are bool; links are int32 or int64",
     {"rank", "@bools.npy", "-o", "@out.npy"}},
    {"unique-flags", "unknown option '--flags'", {"unique", "--flags", "@in.npy", "@in.npy"}},
    {"partition-indices", "unknown option '--indices'", {"partition", "--indices", "@in.npy"}},
};

static void refuses(const void *data) {
    const refusal *const r = data;
    static const char flags[] = {1, 0, 1, 1};
    cli_clear();
    cli_write_npy("in.npy", CLPRIMS_U8, VALUES(uint8_t, 3, 0, 3, 4), 4);
    cli_write_npy("five.npy", CLPRIMS_U8, VALUES(uint8_t, 3, 0, 3, 4, 5), 5);
    cli_write_npy("wide.npy", CLPRIMS_I32, VALUES(int32_t, 3, 0, 3, 4), 4);
    cli_write_npy("floats.npy", CLPRIMS_F32, VALUES(float, 3, 0, 3, 4), 4);
    write_bools("bools.npy", flags, 4);
    cli_expect(r->words, NULL, 2, r->part);
    assert_string_equal(cli_listing(), "bools.npy five.npy floats.npy in.npy wide.npy ");
}

void cli_add_passes(test_cases *cases) {
    add_offsets(cases);
    test_add(cases, refuses_intervals, NULL, 0, "cli/offsets/faults");
    add_selects(cases);
    test_add(cases, writes_onto_input, NULL, 0, "cli/select/onto-input");
    test_add(cases, sorts, NULL, 0, "cli/sort");
    test_add(cases, sorts_segments, NULL, 0, "cli/sort/segments");
    test_add(cases, finds_greatest, NULL, 0, "cli/topk");
    test_add(cases, takes_bools, NULL, 0, "cli/bools");
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i)
        test_add(cases, refuses, &refusals[i], sizeof *refusals, "cli/refused/%s",
                 refusals[i].name);
}
