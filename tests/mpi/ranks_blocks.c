/* SPDX-License-Identifier: MIT */
/* The object, blocks, and moving elements from block to block. */
#include "mpi/mpi_shared.h"
#include "mpi/mpi_staging.h"
#include "mpi/ranks.h"

#include <limits.h>

static void info_is_right(void) {
    clprims_mpi_info info = {0};
    expect_ranks_ok(clprims_mpi_describe(ranks_mpi(), &info));
    assert_int_equal(info.rank, ranks_rank());
    assert_int_equal(info.ranks, ranks_count());
    assert_true(info.host_rank <= info.rank && info.host_ranks <= info.ranks);
    assert_ptr_equal(info.context, test_context());
    assert_int_equal(info.chunk_bytes, RANKS_CHUNK);
    assert_int_equal(info.staging_bytes, ranks_count() > 1 ? CLP_MPI_SLOTS * RANKS_CHUNK : 0);
}

/* Of the host's GPUs, or of all devices where it has none; platform: of its devices, unless NULL.
 */
static cl_device_id device_of_turn(size_t turn, cl_platform_id platform) {
    enum { MOST = 64 };
    cl_device_id ids[2][MOST];
    size_t found[2] = {0, 0}, count;
    expect_ok(clprims_device_count(&count));
    for (size_t k = 0; k < count && k < MOST; k++) {
        clprims_device_info info = {0};
        expect_ok(clprims_device_describe(k, &info));
        if (platform != NULL && info.platform != platform) continue;
        ids[0][found[0]++] = info.id;
        if (platform != NULL) continue;
        if ((info.type & CL_DEVICE_TYPE_GPU) != 0) ids[1][found[1]++] = info.id;
    }
    const size_t kind = found[1] > 0;
    return ids[kind][turn % found[kind]];
}

/* Ranks of one host take its devices in turn; a rank that asks for what is not there is named. */
static void contexts_are_made(void) {
    clprims_context_options options = test_options();
    clprims_context *context = NULL;
    clprims_context_info info = {0};
    clprims_mpi_info ranks = {0};
    const int last = ranks_count() - 1;
    expect_ranks_ok(clprims_mpi_describe(ranks_mpi(), &ranks));
    expect_ranks_ok(clprims_mpi_context_create(&context, MPI_COMM_WORLD, &options));
    expect_usable(context);
    expect_ok(clprims_context_describe(context, &info));
    if (options.device == NULL) {
        assert_ptr_equal(info.device_id, device_of_turn((size_t)ranks.host_rank, NULL));
    }
    clprims_context_destroy(context);
    if (ranks_rank() == last) options.device = "no such device";
    expect_ranks_failure(clprims_mpi_context_create(&context, MPI_COMM_WORLD, &options),
                         CLPRIMS_ERR_NO_DEVICE, last, "no such device");
    assert_null(context);
}

/* Of options of a newer header the core and the ranks refuse what they do not know, in the same
 * words; of an older header's the rest is zero. */
static void sizes_of_options_are_checked(void) {
    enum { ALL = sizeof(clprims_context_options), MORE = 8 };
    static const size_t sizes[] = {0, sizeof(char *), ALL, ALL + MORE, SIZE_MAX};
    const int last = ranks_count() - 1;
    const clprims_context_info info = test_info();
    const clprims_context_options options = {.device = info.device.name};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct {
            clprims_context_options options;
            char more[MORE];
        } given = {options, {0, 1}};
        const bool is_right = sizes[i] > 0 && sizes[i] <= ALL;
        clprims_context *context = NULL, *core = NULL;
        test_note("%zu bytes", sizes[i]);
        const clprims_status status = clprims_mpi_context_create_sized(
            &context, MPI_COMM_WORLD, &given.options, ranks_rank() == last ? sizes[i] : ALL);
        if (is_right) {
            expect_ranks_ok(status);
            expect_usable(context);
            clprims_context_destroy(context);
        } else {
            expect_failure(clprims_context_create_sized(&core, &given.options, sizes[i]),
                           CLPRIMS_ERR_ARGUMENT, "options");
            expect_ranks_failure(status, CLPRIMS_ERR_ARGUMENT, last, "options");
            assert_null(context);
        }
    }
}

/* A platform's devices by its vendor, of which PoCL's say nothing. */
static void platforms_are_shared(void) {
    const cl_platform_id platform = test_info().device.platform;
    clprims_context *context = NULL;
    clprims_context_info info = {0};
    clprims_mpi_info ranks = {0};
    char vendor[128] = "";
    expect_cl(clGetPlatformInfo(platform, CL_PLATFORM_VENDOR, sizeof vendor, vendor, NULL));
    expect_ranks_ok(clprims_mpi_describe(ranks_mpi(), &ranks));
    clprims_context_options options = {.device = vendor};
    expect_ranks_ok(clprims_mpi_context_create(&context, MPI_COMM_WORLD, &options));
    expect_ok(clprims_context_describe(context, &info));
    if (strstr(info.device.name, vendor) == NULL) {
        assert_ptr_equal(info.device_id, device_of_turn((size_t)ranks.host_rank, platform));
    }
    clprims_context_destroy(context);
}

static void bad_creates_are_named(void) {
    clprims_mpi *mpi = NULL;
    const int last = ranks_count() - 1;
    clprims_context *context = ranks_rank() == last ? NULL : test_context();
    expect_ranks_failure(clprims_mpi_create(&mpi, MPI_COMM_WORLD, context), CLPRIMS_ERR_ARGUMENT,
                         last, "mpi: context is NULL");
    assert_null(mpi);
}

static void blocks_are_located(void) {
    clprims_mpi_block block;
    for (ranks_layout layout = RANKS_EVEN; layout < RANKS_LAYOUTS; layout++) {
        const clprims_mpi_block expected = ranks_block(layout, 1234);
        expect_ranks_ok(clprims_mpi_locate(ranks_mpi(), expected.n, &block));
        assert_memory_equal(&block, &expected, sizeof block);
    }
    if (ranks_count() < 2) return;
    expect_ranks_failure(clprims_mpi_locate(ranks_mpi(), INT64_MAX, &block), CLPRIMS_ERR_TOO_LARGE,
                         0, "the blocks of ranks 0 to 1 hold 2^63 elements or more");
}

static void even_blocks_are_even(void) {
    clprims_mpi_block block;
    for (uint64_t total = 0; total < 12; total++) {
        const clprims_mpi_block even = clprims_mpi_even(ranks_mpi(), total);
        const uint64_t least = total / (uint64_t)ranks_count();
        assert_true(even.n >= least && even.n <= least + 1);
        expect_ranks_ok(clprims_mpi_locate(ranks_mpi(), even.n, &block));
        assert_memory_equal(&block, &even, sizeof block);
    }
}

/* ---- Rebalance ---- */

/* What pairs and single ranks that share memory hold: ranks of other pairs send it messages. */
enum { SHARINGS = 2 };
static clprims_mpi *of_sharings[SHARINGS];

/* One object of each number of ranks that share memory: of one, of two, of all. */
static clprims_mpi *sharing(size_t k) {
    if (k == SHARINGS) return ranks_mpi();
    if (of_sharings[k] == NULL) {
        clp_mpi_sharing_ranks = (int)k + 1;
        expect_ranks_ok(clprims_mpi_create(&of_sharings[k], MPI_COMM_WORLD, test_context()));
        clp_mpi_sharing_ranks = INT_MAX;
    }
    return of_sharings[k];
}

enum { PART = 5000 };

static void memory_is_shared(void) {
    const int me = ranks_rank(), ranks = ranks_count();
    unsigned char **parts = test_scratch((size_t)ranks, sizeof *parts);
    assert_true(clp_mpi_shared_create(MPI_COMM_WORLD, PART, parts));
    for (int k = 0; k < PART; k++) parts[me][k] = (unsigned char)(me + k);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int r = 0; r < ranks; r++) {
        for (int k = 0; k < PART; k++) assert_int_equal(parts[r][k], (unsigned char)(r + k));
    }
    clp_mpi_shared_release(parts, ranks, PART);
    for (int r = 0; r < ranks; r++) assert_null(parts[r]);
}

/* Of one rank there is no room: none has any. */
static void memory_is_short(void) {
    const int ranks = ranks_count();
    const bool is_last = ranks_rank() == ranks - 1;
    unsigned char **parts = test_scratch((size_t)ranks, sizeof *parts);
    assert_false(clp_mpi_shared_create(MPI_COMM_WORLD, is_last ? (size_t)1 << 45 : PART, parts));
    for (int r = 0; r < ranks; r++) assert_null(parts[r]);
}

static void staging_is_as_needed(void) {
    const bool is_paired = (ranks_rank() ^ 1) < ranks_count();
    const size_t slots = CLP_MPI_SLOTS * RANKS_CHUNK;
    clprims_mpi_info info = {0};
    expect_ranks_ok(clprims_mpi_describe(sharing(0), &info));
    assert_int_equal(info.staging_bytes, ranks_count() > 1 ? 2 * slots : 0);
    expect_ranks_ok(clprims_mpi_describe(sharing(1), &info));
    assert_int_equal(info.staging_bytes, ranks_count() == 1                ? 0
                                         : is_paired && ranks_count() == 2 ? slots
                                                                           : 2 * slots);
    expect_ranks_ok(clprims_mpi_describe(sharing(2), &info));
    assert_int_equal(info.staging_bytes, ranks_count() > 1 ? slots : 0);
}

static void sharings_are_destroyed(void) {
    for (size_t k = 0; k < SHARINGS; k++) {
        clprims_mpi_destroy(of_sharings[k]);
        of_sharings[k] = NULL;
    }
}

typedef struct move_case {
    ranks_layout from, to;
    size_t total;
    size_t element_bytes;
    size_t sharing;
} move_case;

static void elements_are_moved(const void *data) {
    const move_case *c = data;
    const size_t bytes = c->element_bytes;
    unsigned char *whole = test_scratch(c->total, bytes);
    test_random_bytes(whole, c->total * bytes);
    const clprims_mpi_block from = ranks_block(c->from, c->total);
    const clprims_mpi_block to = ranks_block(c->to, c->total);
    test_buffer in = ranks_buffer(whole, from, bytes);
    test_buffer out = test_buffer_create(NULL, to.n, bytes, test_random_below(7));
    clprims_mpi *mpi = sharing(c->sharing);
    expect_ranks_ok(clprims_mpi_rebalance(mpi, in.at, from.n, out.at, to.n, bytes));
    ranks_expect_block(&out, whole, to, bytes);
    test_buffer_expect_unchanged(&in, whole + from.start * bytes);
}

static void bad_moves_are_refused(void) {
    const int last = ranks_count() - 1;
    const bool is_last = ranks_rank() == last;
    test_buffer in = test_buffer_create(NULL, 10, 4, 0), out = test_buffer_create(NULL, 10, 4, 0);
    clprims_mpi *mpi = ranks_mpi();
    const size_t huge = in.bytes;
    expect_ranks_failure(clprims_mpi_rebalance(mpi, in.at, is_last ? huge : 10, out.at, 10, 4),
                         CLPRIMS_ERR_ARGUMENT, last, "in has room for");
    expect_ranks_failure(clprims_mpi_rebalance(mpi, in.at, 10, out.at, is_last ? 9 : 10, 4),
                         CLPRIMS_ERR_ARGUMENT, 0, "elements in all, and blocks wanted for");
    expect_ranks_failure(clprims_mpi_rebalance(mpi, in.at, 10, is_last ? in.at : out.at, 10, 4),
                         CLPRIMS_ERR_ARGUMENT, last, "in and out overlap");
    expect_ranks_failure(clprims_mpi_rebalance(mpi, in.at, 0, out.at, 0, is_last ? 0 : 4),
                         CLPRIMS_ERR_ARGUMENT, last, "element_bytes = 0");
    if (last > 0) {
        expect_ranks_failure(clprims_mpi_rebalance(mpi, in.at, 0, out.at, 0, is_last ? 8 : 4),
                             CLPRIMS_ERR_ARGUMENT, last, "differs from that of rank 0");
    }
    expect_ranks_failure(
        clprims_mpi_rebalance(mpi, is_last ? (clprims_buffer){NULL, 0} : in.at, 1, out.at, 1, 4),
        CLPRIMS_ERR_ARGUMENT, last, "in.mem is NULL, with 1 elements");
    for (int k = 0; k < RANKS_BAD; k++) {
        const clprims_buffer bad = {ranks_bad_create(k), 0};
        expect_ranks_failure(clprims_mpi_rebalance(mpi, is_last ? bad : in.at, 10, out.at, 10, 4),
                             CLPRIMS_ERR_ARGUMENT, last, ranks_refusal("in", k));
        expect_ranks_failure(clprims_mpi_rebalance(mpi, in.at, 10, is_last ? bad : out.at, 10, 4),
                             CLPRIMS_ERR_ARGUMENT, last, ranks_refusal("out", k));
    }
}

void add_block_cases(test_cases *cases) {
    static const size_t totals[] = {0, 2, 3000};
    static const size_t widths[] = {1, 8, 20};
    ranks_add_plain(cases, info_is_right, "ranks/object/info");
    ranks_add_plain(cases, contexts_are_made, "ranks/object/context");
    ranks_add_plain(cases, sizes_of_options_are_checked, "ranks/object/context/sizes");
    ranks_add_plain(cases, platforms_are_shared, "ranks/object/context/platform");
    ranks_add_plain(cases, bad_creates_are_named, "ranks/object/refused");
    ranks_add_plain(cases, blocks_are_located, "ranks/blocks/locate");
    ranks_add_plain(cases, even_blocks_are_even, "ranks/blocks/even");
    ranks_add_plain(cases, bad_moves_are_refused, "ranks/rebalance/refused");
    ranks_add_plain(cases, staging_is_as_needed, "ranks/object/staging");
    ranks_add_plain(cases, memory_is_shared, "ranks/shared/memory");
    ranks_add_plain(cases, memory_is_short, "ranks/shared/short");
    for (ranks_layout from = RANKS_EVEN; from < RANKS_LAYOUTS; from++)
        for (ranks_layout to = RANKS_EVEN; to < RANKS_LAYOUTS; to++)
            for (size_t k = 0; k < 3; k++) {
                const move_case c = {from, to, totals[k], widths[(k + from + to) % 3],
                                     (k + from + 2 * to) % (SHARINGS + 1)};
                ranks_add_row(
                    cases, elements_are_moved, c, "ranks/rebalance/%s-to-%s/n=%zu/%zu-bytes/%s",
                    ranks_layout_name(from), ranks_layout_name(to), c.total, c.element_bytes,
                    c.sharing == 0   ? "messages"
                    : c.sharing == 1 ? "pairs"
                                     : "shared");
            }
    ranks_add_plain(cases, sharings_are_destroyed, "ranks/rebalance/destroy");
}
