/* SPDX-License-Identifier: MIT */
/* Blocks for the caller's kernels beside their plain-C twins, over types, work-groups, elements of
 * a work-item and counts. */
#include "blocks/blocks_case.h"
#include "harness/oracle.h"

#include <math.h>

/* A kernel's head; in and out begin BLOCKS_FIRST elements into their buffers. */
#define HEAD                                                                                       \
    "CLPRIMS_KERNEL(CLPRIMS_GROUP) void test(const global T *in, uint number, global T *out,\n"    \
    "                                        global uint *words MORE) {\n"                         \
    "    local CLPRIMS_LOCAL(b) room;\n"                                                           \
    "    const uint item = (uint)get_local_id(0);\n"                                               \
    "    in += 3; out += 3;\n"

/* ---- Reductions and scans -------------------------------------------------------------------- */

static const char scan_source[] =
    "#define MORE\n" HEAD "    T x[N];\n"
    "    const T start = in[0];\n"
    "    clprims_b_load(x, in, number);\n"
    "    const T sum = clprims_b_reduce(x, number, &room);\n"
    "    clprims_b_store(x, out, number);\n"
    "    out += CLPRIMS_b_TILE;\n"
    "    const T all = clprims_b_inclusive(x, number, &room);\n"
    "    clprims_b_store(x, out, number);\n"
    "    out += CLPRIMS_b_TILE;\n"
    "    clprims_b_load(x, in, number);\n"
    "    const T onto = clprims_b_inclusive_from(x, start, number, &room);\n"
    "    clprims_b_store(x, out, number);\n"
    "    out += CLPRIMS_b_TILE;\n"
    "    clprims_b_load_striped(x, in, number);\n"
    "    clprims_b_store_striped(x, out, number);\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "    clprims_b_load(x, out, number);\n"
    "    const T before = clprims_b_exclusive(x, start, number, &room);\n"
    "    clprims_b_store(x, out, number);\n"
    "    out += CLPRIMS_b_TILE + item;\n"
    "    out[0] = sum; out[CLPRIMS_GROUP] = all;\n"
    "    out[2 * CLPRIMS_GROUP] = onto; out[3 * CLPRIMS_GROUP] = before;\n"
    "    out[4 * CLPRIMS_GROUP] = clprims_b_broadcast(in[item], CLPRIMS_GROUP / 2, &room);\n"
    "    words[1 + item] = clprims_b_reserve(words, item + 3, &room);\n"
    "}\n";

enum { OUTS = 4, SUMS = 5 };

static void expect_every(const blocks_kind *kind, const void *expected, const unsigned char *found,
                         size_t n, const char *what) {
    test_note("%s, to every work-item", what);
    for (size_t i = 0; i < n; i++)
        expect_elements(expected, found + i * kind->bytes, 1, kind->bytes);
}

static void expect_scans(const blocks_shape *shape, size_t count, const unsigned char *in,
                         unsigned char *out) {
    const blocks_kind *kind = &blocks_kinds[shape->kind];
    const size_t bytes = kind->bytes, tile = shape->group * shape->items;
    unsigned char *expected = test_scratch(tile * OUTS, bytes);
    unsigned char all[BLOCKS_MOST_BYTES], onto[BLOCKS_MOST_BYTES];
    for (size_t i = 0; i < count; i++) {
        const unsigned char *x = in + i * bytes;
        memcpy(expected + i * bytes, x, bytes);
        if (i == 0) {
            memcpy(all, x, bytes);
            memcpy(onto, in, bytes);
        } else {
            blocks_combine(kind, all, x, all);
        }
        memcpy(expected + (tile + i) * bytes, all, bytes);
        memcpy(expected + (3 * tile + i) * bytes, onto, bytes);
        blocks_combine(kind, onto, x, onto);
        memcpy(expected + (2 * tile + i) * bytes, onto, bytes);
    }
    for (size_t k = 0; k < OUTS; k++) {
        test_note("section %zu", k);
        expect_elements(expected + k * tile * bytes, out + k * tile * bytes, count, bytes);
    }
    const unsigned char *sums = out + OUTS * tile * bytes;
    const size_t row = shape->group * bytes;
    expect_every(kind, all, sums, shape->group, "reduce");
    expect_every(kind, all, sums + row, shape->group, "inclusive");
    expect_every(kind, onto, sums + 2 * row, shape->group, "inclusive_from");
    expect_every(kind, onto, sums + 3 * row, shape->group, "exclusive");
    expect_every(kind, in + shape->group / 2 * bytes, sums + 4 * row, shape->group, "broadcast");
}

/* All elements, and drawn numbers of them, around the work-items' shares too. */
static size_t draw_count(size_t trial, const blocks_shape *shape) {
    const size_t tile = shape->group * shape->items;
    if (trial == 0) return UINT32_MAX;
    if (trial == 1) return 1;
    if (trial == 2) return tile;
    if (trial == 3) return 1 + test_random_below(shape->items);
    return 1 + test_random_below(tile);
}

enum { TRIALS = 7 };

static void scans_are_right(const void *data) {
    const blocks_shape *shape = data;
    const blocks_kind *kind = &blocks_kinds[shape->kind];
    const size_t tile = shape->group * shape->items, out_n = OUTS * tile + SUMS * shape->group;
    cl_kernel kernel = blocks_kernel(shape, scan_source);
    unsigned char *in = test_scratch(tile, kind->bytes), *out = test_scratch(out_n, kind->bytes);
    cl_uint *words = test_scratch(1 + shape->group, sizeof *words);
    for (size_t trial = 0; trial < TRIALS; trial++) {
        const size_t count = draw_count(trial, shape);
        test_note_subject("count = %zu", count);
        blocks_fill(kind, in, tile);
        blocks_launch(&(blocks_run){shape, kernel, in, 1, tile, (cl_uint)count, out, out_n, words,
                                    1 + shape->group, NULL});
        expect_scans(shape, count < tile ? count : tile, in, out);
        for (size_t i = 0; i < shape->group; i++) {
            test_note("reserve, by work-item %zu", i);
            assert_int_equal(words[1 + i], words[0] - 3);
        }
    }
}

/* ---- Sub-groups ------------------------------------------------------------------------------ */

static const char lanes_source[] =
    "#define MORE\n" HEAD "    const T x = in[item], start = in[0];\n"
    "    const uint lane = clprims_lane();\n"
    "    const bool yes = (item * 2654435761u >> number) % 2 != 0;\n"
    "    global T *to = out + item;\n"
    "    to[0] = clprims_b_lanes_shuffle(x, (lane * 5 + number) % CLPRIMS_SUBGROUP, &room);\n"
    "    to[CLPRIMS_GROUP] = clprims_b_lanes_xor(x, CLPRIMS_SUBGROUP % 2 == 0, &room);\n"
    "    to[2 * CLPRIMS_GROUP] = clprims_b_lanes_up(x, number, &room);\n"
    "    to[3 * CLPRIMS_GROUP] = clprims_b_lanes_down(x, number, &room);\n"
    "    to[4 * CLPRIMS_GROUP] = clprims_b_lanes_inclusive(x, &room);\n"
    "    to[5 * CLPRIMS_GROUP] = clprims_b_lanes_exclusive(x, start, &room);\n"
    "    to[6 * CLPRIMS_GROUP] = clprims_b_lanes_reduce(x, &room);\n"
    "    words += 1 + item;\n"
    "    const uint first = item / 32 * 32 % CLPRIMS_SUBGROUP / 32 * 32;\n"
    "    words[0] = clprims_lane() | clprims_subgroup_number() << 16;\n"
    "    words[CLPRIMS_GROUP] = clprims_b_lanes_ballot(yes, number % 3 * 32, &room);\n"
    "    words[2 * CLPRIMS_GROUP] = clprims_b_lanes_match(in[item % 3], number % 3 * 32, &room);\n"
    "    words[3 * CLPRIMS_GROUP] = clprims_b_lanes_any(lane == number, &room);\n"
    "    words[4 * CLPRIMS_GROUP] = clprims_b_lanes_all(lane != number, &room);\n"
    "    if (item == 0) words[-1] = CLPRIMS_SUBGROUP;\n"
    "}\n";

enum { LANE_OUTS = 7, LANE_WORDS = 5 };

/* The lane that the value of section k comes from. */
static size_t source_lane(size_t k, size_t lane, size_t number, size_t width) {
    if (k == 0) return (lane * 5 + number) % width;
    if (k == 1) return width % 2 == 0 ? lane ^ 1 : lane;
    if (k == 2) return lane >= number ? lane - number : lane;
    return lane + number < width ? lane + number : lane;
}

static void expect_lane_values(const blocks_shape *shape, size_t width, size_t number,
                               const unsigned char *in, const unsigned char *out) {
    const blocks_kind *kind = &blocks_kinds[shape->kind];
    const size_t bytes = kind->bytes, row = shape->group * bytes;
    unsigned char up_to[BLOCKS_MOST_BYTES], onto[BLOCKS_MOST_BYTES];
    for (size_t i = 0; i < shape->group; i++) {
        const size_t lane = i % width, first = i - lane;
        test_note("work-item %zu", i);
        for (size_t k = 0; k < 4; k++) {
            const size_t from = first + source_lane(k, lane, number, width);
            expect_elements(in + from * bytes, out + k * row + i * bytes, 1, bytes);
        }
        if (lane == 0) {
            memcpy(up_to, in + i * bytes, bytes);
            memcpy(onto, in, bytes);
        } else {
            blocks_combine(kind, up_to, in + i * bytes, up_to);
            blocks_combine(kind, onto, in + (i - 1) * bytes, onto);
        }
        expect_elements(up_to, out + 4 * row + i * bytes, 1, bytes);
        expect_elements(onto, out + 5 * row + i * bytes, 1, bytes);
        if (lane == width - 1)
            expect_every(kind, up_to, out + 6 * row + first * bytes, width, "lanes_reduce");
    }
}

static void expect_lane_bits(const blocks_shape *shape, size_t width, size_t number,
                             const unsigned char *in, const cl_uint *words) {
    const size_t group = shape->group, bytes = blocks_kinds[shape->kind].bytes;
    for (size_t i = 0; i < group; i++) {
        const size_t lane = i % width, first = i - lane;
        cl_uint ballot = 0, alike = 0;
        test_note("work-item %zu", i);
        assert_int_equal(words[i], lane | i / width << 16);
        for (size_t l = 0; l < 32; l++) {
            const size_t other = number % 3 * 32 + l;
            if (other >= width) break;
            const size_t of = first + other;
            if (((cl_uint)of * 2654435761u >> number) % 2 != 0) ballot |= (cl_uint)1 << l;
            if (memcmp(in + of % 3 * bytes, in + i % 3 * bytes, bytes) == 0)
                alike |= (cl_uint)1 << l;
        }
        assert_int_equal(words[group + i], ballot);
        assert_int_equal(words[2 * group + i], alike);
        assert_int_equal(words[3 * group + i], number < width);
        assert_int_equal(words[4 * group + i], number >= width);
    }
}

static void lanes_are_right(const void *data) {
    const blocks_shape *shape = data;
    const blocks_kind *kind = &blocks_kinds[shape->kind];
    const size_t group = shape->group;
    cl_kernel kernel = blocks_kernel(shape, lanes_source);
    unsigned char *in = test_scratch(group + 3, kind->bytes);
    unsigned char *out = test_scratch(LANE_OUTS * group, kind->bytes);
    cl_uint *words = test_scratch(1 + LANE_WORDS * group, sizeof *words);
    for (size_t trial = 0; trial < TRIALS; trial++) {
        const size_t number = trial < 3 ? trial : test_random_below(30);
        test_note_subject("number = %zu", number);
        blocks_fill(kind, in, group + 3);
        blocks_launch(&(blocks_run){shape, kernel, in, 1, group + 3, (cl_uint)number, out,
                                    LANE_OUTS * group, words, 1 + LANE_WORDS * group, NULL});
        assert_true(words[0] > 0 && group % words[0] == 0);
        expect_lane_values(shape, words[0], number, in, out);
        expect_lane_bits(shape, words[0], number, in, words + 1);
    }
}

/* ---- Tiles ----------------------------------------------------------------------------------- */

static const char tiles_source[] =
    "#define MORE\n" HEAD "    T x[N];\n"
    "    uint from[N], keeps = 0;\n"
    "    clprims_b_load_striped(x, in, CLPRIMS_WHOLE);\n"
    "    clprims_b_to_blocked(x, &room);\n"
    "    clprims_b_store(x, out, CLPRIMS_WHOLE);\n"
    "    clprims_b_to_striped(x, &room);\n"
    "    clprims_b_store_striped(x, out + CLPRIMS_b_TILE, CLPRIMS_WHOLE);\n"
    "    const uint count = number * CLPRIMS_b_TILE / 8;\n"
    "    out += 4 * CLPRIMS_b_TILE;\n"
    "    clprims_b_prefetch(in, count);\n"
    "    clprims_b_load_transposed(x, in, count, &room);\n"
    "    clprims_b_store(x, out, count);\n"
    "    clprims_b_load(x, in, CLPRIMS_WHOLE);\n"
    "    clprims_b_store_transposed(x, out + CLPRIMS_b_TILE, count, &room);\n"
    "    const uint aligned = (16 / sizeof(T) - 3 % (16 / sizeof(T))) % (16 / sizeof(T));\n"
    "    clprims_b_load_transposed(x, in + aligned, CLPRIMS_WHOLE, &room);\n"
    "    clprims_b_store_transposed(x, out + 2 * CLPRIMS_b_TILE + aligned, CLPRIMS_WHOLE, &room);\n"
    "    out -= 4 * CLPRIMS_b_TILE;\n"
    "    clprims_b_load(x, in, CLPRIMS_WHOLE);\n"
    "    for (uint j = 0; j < N; j++) {\n"
    "        const uint i = item * N + j;\n"
    "        from[j] = CLPRIMS_b_TILE - 1 - i;\n"
    "        if ((i * 2654435761u >> 7) % 8 < number) keeps |= 1u << j;\n"
    "    }\n"
    "    clprims_b_take(x, from, &room);\n"
    "    clprims_b_store(x, out + 2 * CLPRIMS_b_TILE, CLPRIMS_WHOLE);\n"
    "    words[item] = clprims_b_compact(x, keeps, &room);\n"
    "    clprims_b_store_striped(x, out + 3 * CLPRIMS_b_TILE, words[item]);\n"
    "}\n";

enum { TILE_OUTS = 7, ALIGNS = 15 };

static void tiles_are_right(const void *data) {
    const blocks_shape *shape = data;
    const size_t bytes = blocks_kinds[shape->kind].bytes, tile = shape->group * shape->items;
    cl_kernel kernel = blocks_kernel(shape, tiles_source);
    const size_t in_n = tile + ALIGNS, out_n = TILE_OUTS * tile + ALIGNS;
    unsigned char *in = test_scratch(in_n, bytes), *out = test_scratch(out_n, bytes);
    unsigned char *turned = test_scratch(tile, bytes), *kept = test_scratch(tile, bytes);
    cl_uint *words = test_scratch(shape->group, sizeof *words);
    for (cl_uint number = 0; number < 9; number += 2) {
        const size_t real = number * tile / 8,
                     aligned = (16 / bytes - 3 % (16 / bytes)) % (16 / bytes);
        size_t count = 0;
        test_note_subject("%u of 8 are kept", number);
        test_random_bytes(in, in_n * bytes);
        for (size_t i = 0; i < tile; i++) {
            memcpy(turned + i * bytes, in + (tile - 1 - i) * bytes, bytes);
            if (((cl_uint)i * 2654435761u >> 7) % 8 < number)
                memcpy(kept + count++ * bytes, turned + i * bytes, bytes);
        }
        blocks_launch(&(blocks_run){shape, kernel, in, 1, in_n, number, out, out_n, words,
                                    shape->group, NULL});
        test_note("load_transposed, store_transposed");
        expect_elements(in, out + 4 * tile * bytes, real, bytes);
        expect_elements(in, out + 5 * tile * bytes, real, bytes);
        expect_elements(in + aligned * bytes, out + (6 * tile + aligned) * bytes, tile, bytes);
        test_note("exchanges, compact");
        expect_elements(in, out, tile, bytes);
        expect_elements(in, out + tile * bytes, tile, bytes);
        expect_elements(turned, out + 2 * tile * bytes, tile, bytes);
        for (size_t i = 0; i < shape->group; i++) assert_int_equal(words[i], count);
        expect_elements(kept, out + 3 * tile * bytes, count, bytes);
    }
}

/* ---- Sorts and histograms -------------------------------------------------------------------- */

static const char sort_source[] =
    "#define MORE\n" HEAD "    T x[N];\n"
    "    uint from[N];\n"
    "    clprims_b_load(x, in, number);\n"
    "    clprims_b_sort(x, number, &room);\n"
    "    clprims_b_store(x, out, number);\n"
    "    clprims_b_load(x, in, number);\n"
    "    clprims_b_sort_from(x, from, number, &room);\n"
    "    clprims_b_store(x, out + CLPRIMS_b_TILE, number);\n"
    "    for (uint j = 0; j < N; j++) words[item * N + j] = from[j];\n"
    "    for (uint j = 0; j < N; j++) from[j] = (item * N + j) * 2654435761u >> 27;\n"
    "    const local uint *bins = clprims_b_histogram(from, number, &room);\n"
    "    words += CLPRIMS_b_TILE;\n"
    "    for (uint b = item; b < 20; b += CLPRIMS_GROUP) words[CLPRIMS_b_TILE + b] = bins[b];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint j = 0; j < N; j++) from[j] %= 16;\n"
    "    uint place[N];\n"
    "    clprims_b_rank(from, place, number, &room);\n"
    "    for (uint j = 0; j < N; j++) words[item * N + j] = place[j];\n"
    "}\n";

enum { BINS = 20, DIGITS = 16 };

static struct order {
    const blocks_kind *kind;
    bool descending;
    const unsigned char *in;
} order;

/* The sign of the comparison of two keys, by their bits where floats are equal. */
static int compare_keys(const void *a, const void *b) {
    int less, greater;
    if (oracle_is_float(order.kind->type)) {
        const long double x = oracle_load_float(order.kind->type, a, 0);
        const long double y = oracle_load_float(order.kind->type, b, 0);
        less = x < y || (x == y && signbit(x) && !signbit(y));
        greater = y < x || (x == y && signbit(y) && !signbit(x));
    } else {
        const uint64_t x = oracle_load_integer(order.kind->type, a, 0);
        const uint64_t y = oracle_load_integer(order.kind->type, b, 0);
        less = oracle_less_integer(order.kind->type, x, y);
        greater = oracle_less_integer(order.kind->type, y, x);
    }
    return order.descending ? less - greater : greater - less;
}

static int compare_numbers(const void *a, const void *b) {
    const cl_uint i = *(const cl_uint *)a, j = *(const cl_uint *)b;
    const int keys =
        compare_keys(order.in + i * order.kind->bytes, order.in + j * order.kind->bytes);
    return keys != 0 ? keys : (i > j) - (i < j);
}

static void expect_order(const blocks_shape *shape, size_t count, const unsigned char *in,
                         const unsigned char *out, const cl_uint *from) {
    const size_t bytes = blocks_kinds[shape->kind].bytes, tile = shape->group * shape->items;
    cl_uint *number = test_scratch(tile, sizeof *number);
    unsigned char *sorted = test_scratch(tile, bytes);
    for (size_t i = 0; i < count; i++) number[i] = (cl_uint)i;
    order = (struct order){&blocks_kinds[shape->kind], shape->descending != 0, in};
    qsort(number, count, sizeof *number, compare_numbers);
    for (size_t i = 0; i < count; i++) memcpy(sorted + i * bytes, in + number[i] * bytes, bytes);
    test_note("sort");
    expect_elements(sorted, out, count, bytes);
    test_note("sort_from");
    expect_elements(sorted, out + tile * bytes, count, bytes);
    expect_values(CLPRIMS_U32, number, from, count);
}

static void expect_ranks(size_t count, size_t tile, const cl_uint *places, const cl_uint *bins) {
    cl_uint expected[BINS] = {0}, begins[DIGITS + 1] = {0};
    for (size_t i = 0; i < count; i++) {
        const cl_uint digit = (cl_uint)i * 2654435761u >> 27;
        if (digit < BINS) expected[digit]++;
        begins[digit % DIGITS + 1]++;
    }
    for (size_t d = 0; d < DIGITS; d++) begins[d + 1] += begins[d];
    test_note("histogram");
    expect_values(CLPRIMS_U32, expected, bins, BINS);
    test_note("rank");
    for (size_t i = 0; i < tile; i++) {
        const cl_uint digit = ((cl_uint)i * 2654435761u >> 27) % DIGITS;
        assert_int_equal(places[i], i < count ? begins[digit]++ : i);
    }
}

static void sorts_are_right(const void *data) {
    const blocks_shape *shape = data;
    const blocks_kind *kind = &blocks_kinds[shape->kind];
    const size_t tile = shape->group * shape->items, words_n = 2 * tile + BINS;
    /* PoCL 6.0 spoils arrays that live across the barriers of a work-group of one. */
    if (shape->group == 1) test_want_shapes();
    cl_kernel kernel = blocks_kernel(shape, sort_source);
    unsigned char *in = test_scratch(tile, kind->bytes), *out = test_scratch(2 * tile, kind->bytes);
    cl_uint *words = test_scratch(words_n, sizeof *words);
    for (size_t trial = 0; trial < TRIALS; trial++) {
        const size_t count = draw_count(trial, shape), real = count < tile ? count : tile;
        test_note_subject("count = %zu", count);
        if (oracle_is_float(kind->type))
            blocks_fill(kind, in, tile);
        else
            test_random_bytes(in, tile * kind->bytes);
        for (size_t i = 1; trial % 3 == 1 && i < tile; i += 2)
            memcpy(in + i * kind->bytes, in, kind->bytes);
        blocks_launch(&(blocks_run){shape, kernel, in, 1, tile, (cl_uint)count, out, 2 * tile,
                                    words, words_n, NULL});
        expect_order(shape, real, in, out, words);
        expect_ranks(real, tile, words + tile, words + 2 * tile);
    }
}

/* ---- Look-back ------------------------------------------------------------------------------- */

static const char look_back_source[] =
    "#define MORE , volatile global ulong *scratch\n" HEAD "    T x[N];\n"
    "    const clprims_b_turn turn = clprims_b_begin(scratch, &room);\n"
    "    const uint first = turn.number * CLPRIMS_b_TILE;\n"
    "    const uint count = min(number - first, (uint)CLPRIMS_b_TILE);\n"
    "    clprims_b_load(x, in + first, count);\n"
    "    const T total = clprims_b_reduce(x, count, &room);\n"
    "    const T before = clprims_b_prefix(turn, total, in[0], &room);\n"
    "    clprims_b_exclusive(x, before, count, &room);\n"
    "    clprims_b_store(x, out + first, count);\n"
    "    if (item == 0) words[turn.number] = turn.run;\n"
    "}\n";

static void release_scratch(void *buffer) {
    clprims_buffer_release(buffer);
}

static void prefixes_are_right(const void *data) {
    static clprims_buffer scratch;
    const blocks_shape *shape = data;
    const blocks_kind *kind = &blocks_kinds[shape->kind];
    const size_t tile = shape->group * shape->items, bytes = kind->bytes;
    const size_t most_groups = test_small() ? 5 : 100;
    clprims_block block;
    const clprims_blocks_desc desc = blocks_describe(shape, &block);
    const clprims_status status =
        clprims_blocks_scratch(&scratch, test_context(), &desc, 0, most_groups);
    if (status == CLPRIMS_ERR_UNSUPPORTED) test_skip("%s", clprims_last_error()->message);
    expect_status_ok(status);
    test_leave(release_scratch, &scratch);
    cl_kernel kernel = blocks_kernel(shape, look_back_source);
    unsigned char *in = test_scratch(most_groups * tile, bytes), running[BLOCKS_MOST_BYTES];
    unsigned char *out = test_scratch(most_groups * tile, bytes);
    unsigned char *expected = test_scratch(most_groups * tile, bytes);
    cl_uint *words = test_scratch(most_groups, sizeof *words);
    for (cl_uint run = 1; run < TRIALS; run++) {
        const size_t n = run == 1 ? 1 : 1 + test_random_below(most_groups * tile);
        const size_t groups = (n + tile - 1) / tile;
        test_note_subject("run %u, n = %zu", run, n);
        blocks_fill(kind, in, n);
        memcpy(running, in, bytes);
        for (size_t i = 0; i < n; i++) {
            memcpy(expected + i * bytes, running, bytes);
            blocks_combine(kind, running, in + i * bytes, running);
        }
        blocks_launch(&(blocks_run){shape, kernel, in, groups, n, (cl_uint)n, out, n, words, groups,
                                    &scratch});
        expect_elements(expected, out, n, bytes);
        for (size_t g = 0; g < groups; g++) assert_int_equal(words[g], run);
    }
}

/* ---- Cases ----------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    test_function *run;
    unsigned uses;
} functions[] = {{"scans", scans_are_right, 0},
                 {"lanes", lanes_are_right, 0},
                 {"tiles", tiles_are_right, CLPRIMS_BLOCK_TILES},
                 {"sorts", sorts_are_right, CLPRIMS_BLOCK_SORT},
                 {"prefixes", prefixes_are_right, CLPRIMS_BLOCK_LOOK_BACK}};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static void add_shape(test_cases *cases, size_t f, blocks_shape shape) {
    const blocks_kind *kind = &blocks_kinds[shape.kind];
    const bool sorts = functions[f].uses == CLPRIMS_BLOCK_SORT;
    shape.uses = functions[f].uses;
    shape.bins = sorts ? BINS : 0;
    if (sorts && kind->type == CLPRIMS_STRUCT) shape.kind = 0;
    if (!sorts) shape.descending = 0;
    test_add_row(cases, functions[f].run, shape, "blocks/%s/%s/group=%zu/items=%zu%s",
                 functions[f].name, blocks_kinds[shape.kind].name, shape.group, shape.items,
                 shape.descending ? "/descending" : "");
}

/* Drawn by the seed. Powers of two are frequent, as are small groups. */
static blocks_shape draw_shape(void) {
    const size_t bits = test_random_below(test_small() ? 6 : 11);
    const size_t odd = test_random_below(3) == 0 ? test_random_below((uint64_t)1 << bits) : 0;
    const size_t group = ((size_t)1 << bits) + odd, most = group > 256 ? 4 : 16;
    return (blocks_shape){.kind = test_random_below(BLOCKS_KINDS),
                          .group = group < 1024 ? group : 1024,
                          .items = 1 + test_random_below(most),
                          .descending = (int)test_random_below(2)};
}

void test_program(test_cases *cases) {
    static const blocks_shape shapes[] = {{.kind = 1, .group = 1, .items = 5},
                                          {.kind = 0, .group = 256, .items = 8},
                                          {.kind = 6, .group = 64, .items = 3}};
    const size_t drawn = test_long() ? 60 : 2, fixed = test_small() ? 1 : 3;
    for (size_t f = 0; f < FUNCTIONS; f++) {
        for (size_t s = 0; s < fixed; s++) add_shape(cases, f, shapes[s]);
        for (size_t s = 0; s < drawn; s++) add_shape(cases, f, draw_shape());
    }
    blocks_text_cases(cases);
}
