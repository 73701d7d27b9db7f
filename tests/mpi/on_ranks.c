/* SPDX-License-Identifier: MIT */
/* The program's object, cases that all ranks run, distributions, expectations. */
#include "mpi/ranks.h"

#include "mpi/mpi_staging.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static clprims_mpi *shared;
static int my_rank, all_ranks;
static bool is_running;

static void give_up(const char *why) {
    fprintf(stderr, "rank %d of %d: %s\n", my_rank, all_ranks, why);
    fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

clprims_mpi *ranks_mpi(void) {
    return shared;
}

int ranks_rank(void) {
    return my_rank;
}

int ranks_count(void) {
    return all_ranks;
}

/* ---- Cases ---- */

typedef struct ranks_case {
    test_function *run;
    unsigned char data[128];
} ranks_case;

/* A case that failed left by longjmp. */
static void run_on_ranks(const void *data) {
    const ranks_case *c = data;
    if (is_running) give_up("the case before failed");
    is_running = true;
    c->run(c->data);
    is_running = false;
}

void ranks_add(test_cases *cases, test_function *run, const void *data, size_t data_bytes,
               const char *name, ...) {
    char text[160];
    ranks_case c = {.run = run};
    va_list arguments;
    va_start(arguments, name);
    vsnprintf(text, sizeof text, name, arguments);
    va_end(arguments);
    if (data_bytes > sizeof c.data) give_up("the data of a case are too large");
    if (data_bytes > 0) memcpy(c.data, data, data_bytes);
    test_add(cases, run_on_ranks, &c, sizeof c, "%s", text);
}

/* ---- Distributions ---- */

const char *ranks_layout_name(ranks_layout layout) {
    static const char *const names[] = {"even", "uneven", "holes", "first", "last"};
    return names[layout];
}

static size_t share_of(ranks_layout layout, int strips, int strip, size_t left, size_t total) {
    const size_t even = total / (size_t)strips + 1;
    if (strip == strips - 1) return left;
    switch (layout) {
    case RANKS_EVEN:
        return even < left ? even : left;
    case RANKS_UNEVEN:
        return test_random_below(left + 1);
    case RANKS_HOLES:
        if (strip % 2 == 0) return 0;
        return 2 * even < left ? 2 * even : left;
    case RANKS_FIRST:
        return left;
    default:
        return 0;
    }
}

clprims_mpi_block ranks_strip(ranks_layout layout, size_t total, int strips, int strip) {
    clprims_mpi_block block = {0, 0, total};
    size_t start = 0;
    for (int s = 0; s < strips; s++) {
        const size_t n = share_of(layout, strips, s, total - start, total);
        if (s == strip) block.n = n, block.start = start;
        start += n;
    }
    return block;
}

clprims_mpi_block ranks_block(ranks_layout layout, size_t total) {
    return ranks_strip(layout, total, all_ranks, my_rank);
}

/* ---- Expectations ---- */

void ranks_expect_ok(clprims_status actual, const char *call, const char *file, int line) {
    const clprims_mpi_error *error = clprims_mpi_last_error();
    if (actual == CLPRIMS_OK && error->status == CLPRIMS_OK && error->rank == -1) return;
    test_fail_at(file, line, "%s: %s: %s\n%s", call, clprims_status_name(actual), error->message,
                 error->build_log);
}

void ranks_expect_failure(clprims_status actual, clprims_status expected, int rank,
                          const char *part, const char *call, const char *file, int line) {
    const clprims_mpi_error *error = clprims_mpi_last_error();
    if (actual == expected && error->status == expected && error->rank == rank &&
        strstr(error->message, part) != NULL) {
        return;
    }
    test_fail_at(file, line, "%s: %s of rank %d: \"%s\"; expected %s of rank %d: \"%s\"", call,
                 clprims_status_name(actual), error->rank, error->message,
                 clprims_status_name(expected), rank, part);
}

cl_mem ranks_bad_create(int k) {
    return k == 1 && test_has_images() ? test_image_create() : test_foreign_buffer_create();
}

const char *ranks_refusal(const char *name, int k) {
    static char text[64];
    snprintf(text, sizeof text, "%s.mem is %s", name,
             k == 1 && test_has_images() ? "an image" : "of another context than the plan");
    return text;
}

/* ---- The program ---- */

static void (*add_cases)(test_cases *cases);

static void add_all(test_cases *cases) {
    clprims_context *context = test_context();
    clp_mpi_chunk_bytes = RANKS_CHUNK;
    if (clprims_mpi_create(&shared, MPI_COMM_WORLD, context) != CLPRIMS_OK) {
        give_up(clprims_mpi_last_error()->message);
    }
    add_cases(cases);
}

/* In the long tier the harness takes the time for a seed, which ranks may read apart. */
static void share_seed(void) {
    unsigned long long seed = (unsigned long long)time(NULL);
    char text[24];
    MPI_Bcast(&seed, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
    snprintf(text, sizeof text, "%llu", seed);
    if (test_long()) setenv("CLPRIMS_TEST_SEED", text, 0);
}

int ranks_main(int argc, char **argv, void (*add)(test_cases *cases)) {
    add_cases = add;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &all_ranks);
    share_seed();
    /* One rank reports; failures of the others are on standard error. */
    if (my_rank > 0 && freopen("/dev/null", "w", stdout) == NULL) give_up("no /dev/null");
    const int result = test_main(argc, argv, add_all);
    if (result != EXIT_SUCCESS) give_up("failed");
    clprims_mpi_destroy(shared);
    MPI_Finalize();
    return result;
}
