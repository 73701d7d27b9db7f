/* SPDX-License-Identifier: MIT */
/* The program's object, cases that all ranks run, distributions, expectations. */
#include "mpi/ranks.h"

#include "faults/faulty.h"
#include "mpi/mpi_staging.h"

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
    test_function *run; /* NULL: run_plain */
    test_plain *run_plain;
    unsigned char data[128];
} ranks_case;

/* A case that failed left by longjmp. */
static void run_on_ranks(const void *data) {
    const ranks_case *c = data;
    if (is_running) give_up("the case before failed");
    is_running = true;
    if (c->run != NULL) {
        c->run(c->data);
    } else {
        c->run_plain();
    }
    is_running = false;
}

static void add_to(test_cases *cases, const ranks_case *c, const char *name, va_list arguments) {
    char text[160];
    vsnprintf(text, sizeof text, name, arguments);
    test_add_row(cases, run_on_ranks, *c, "%s", text);
}

void ranks_add(test_cases *cases, test_function *run, const void *data, size_t data_bytes,
               const char *name, ...) {
    ranks_case c = {.run = run};
    va_list arguments;
    va_start(arguments, name);
    if (data_bytes > sizeof c.data) give_up("the data of a case are too large");
    memcpy(c.data, data, data_bytes);
    add_to(cases, &c, name, arguments);
    va_end(arguments);
}

void ranks_add_plain(test_cases *cases, test_plain *run, const char *name, ...) {
    const ranks_case c = {.run_plain = run};
    va_list arguments;
    va_start(arguments, name);
    add_to(cases, &c, name, arguments);
    va_end(arguments);
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

size_t *ranks_starts(ranks_layout layout, size_t total) {
    const size_t ranks = (size_t)all_ranks;
    const size_t owner = layout == RANKS_DRAWN ? test_random_below(ranks) : ranks;
    const uint64_t drawn = layout == RANKS_DRAWN ? test_random_below(RANKS_DRAWN + 1) : layout;
    size_t *starts = test_scratch(ranks + 1, sizeof *starts);
    starts[0] = 0;
    for (int r = 0; r < all_ranks; r++) {
        const size_t left = total - starts[r];
        size_t n = share_of((ranks_layout)drawn, all_ranks, r, left, total);
        if (drawn == RANKS_DRAWN) n = (size_t)r == owner ? total : 0;
        starts[r + 1] = starts[r] + n;
    }
    return starts;
}

clprims_mpi_block ranks_own(const size_t *starts) {
    const size_t start = starts[my_rank];
    return (clprims_mpi_block){starts[my_rank + 1] - start, start, starts[all_ranks]};
}

clprims_mpi_block ranks_block(ranks_layout layout, size_t total) {
    size_t *starts = ranks_starts(layout, total);
    const clprims_mpi_block block = ranks_own(starts);
    return block;
}

test_buffer ranks_buffer(const void *whole, clprims_mpi_block block, size_t bytes) {
    return test_buffer_create((const unsigned char *)whole + block.start * bytes, block.n, bytes,
                              test_random_below(5));
}

void ranks_expect_block(const test_buffer *buffer, const void *whole, clprims_mpi_block block,
                        size_t bytes) {
    unsigned char *own = test_scratch(buffer->n, bytes);
    test_buffer_read(buffer, own);
    expect_elements((const unsigned char *)whole + block.start * bytes, own, block.n, bytes);
}

unsigned char *ranks_reorder(const void *in, const size_t *order, size_t n, size_t bytes) {
    unsigned char *out = test_scratch(n, bytes);
    for (size_t i = 0; i < n; i++) {
        memcpy(out + i * bytes, (const unsigned char *)in + order[i] * bytes, bytes);
    }
    return out;
}

unsigned char *ranks_positions(const size_t *order, size_t n, clprims_type type) {
    const size_t bytes = clprims_type_bytes(type);
    unsigned char *out = test_scratch(n, bytes);
    for (size_t i = 0; i < n && bytes > 0; i++) test_store_integer(bytes, out, i, order[i]);
    return out;
}

/* ---- Drawn descriptions ---- */

size_t drawn_total(void) {
    switch (test_random_below(5)) {
    case 0:
        return 0;
    case 1:
        return 1;
    case 2:
        return (size_t)all_ranks;
    default:
        return test_random_below(DRAWN_LARGEST + 1);
    }
}

bool drawn_coin(void) {
    return test_random_below(2) == 0;
}

clprims_type drawn_integer(void) {
    return (clprims_type)(CLPRIMS_I8 + test_random_below(8));
}

const char *drawn_text(clprims_type type) {
    static const char *const names[] = {"",      "char",   "short", "int",  "long",
                                        "uchar", "ushort", "uint",  "ulong"};
    return names[type];
}

/* ---- Plans ---- */

#define PRIMITIVE(prim)                                                                            \
    static clprims_status create_##prim(void **plan, const void *desc) {                           \
        if (plan == NULL) return clprims_mpi_##prim##_create(NULL, shared, desc);                  \
        clprims_mpi_##prim *made = *plan;                                                          \
        const clprims_status status = clprims_mpi_##prim##_create(&made, shared, desc);            \
        *plan = made;                                                                              \
        return status;                                                                             \
    }                                                                                              \
    static void destroy_##prim(void *plan) {                                                       \
        clprims_mpi_##prim##_destroy(plan);                                                        \
    }                                                                                              \
    const ranks_primitive ranks_##prim = {#prim, sizeof(clprims_##prim##_desc), create_##prim,     \
                                          destroy_##prim};
RANKS_PRIMITIVES(PRIMITIVE)

enum { MOST_PLANS = 64 };

static struct {
    const ranks_primitive *of;
    size_t number;
    void *plan;
} plans[MOST_PLANS];
static size_t plan_count;

void *ranks_plan(const ranks_primitive *of, size_t number, const void *desc) {
    void *plan = NULL;
    for (size_t k = 0; k < plan_count; k++) {
        if (plans[k].of == of && plans[k].number == number) return plans[k].plan;
    }
    if (plan_count == MOST_PLANS) give_up("there is no room for more plans");
    expect_ranks_ok(of->create(&plan, desc));
    plans[plan_count].of = of;
    plans[plan_count].number = number;
    plans[plan_count++].plan = plan;
    return plan;
}

static void destroy_plans(void) {
    for (size_t k = 0; k < plan_count; k++) plans[k].of->destroy(plans[k].plan);
    clprims_mpi_destroy(shared);
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

void ranks_desc_is_refused(const ranks_primitive *of, const void *good, const void *bad,
                           clprims_status status, const char *part) {
    void *plan = NULL;
    const int last = all_ranks - 1;
    expect_ranks_failure(of->create(&plan, my_rank == last ? bad : good), status, last, part);
    if (plan != NULL) test_fail("%s: a refused create left a plan", of->name);
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

/* Of all that the cases made, failed calls among them. */
static void expect_nothing_left(void) {
    const faulty_live left = faulty_count();
    const long objects[] = {left.contexts, left.queues,  left.programs,
                            left.kernels,  left.buffers, left.events};
    char text[160];
    snprintf(text, sizeof text,
             "%ld contexts, %ld queues, %ld programs, %ld kernels, %ld buffers and %ld events are "
             "left",
             left.contexts, left.queues, left.programs, left.kernels, left.buffers, left.events);
    for (size_t k = 0; k < sizeof objects / sizeof objects[0]; k++) {
        if (objects[k] != 0) give_up(text);
    }
}

int ranks_main(int argc, char **argv, void (*add)(test_cases *cases)) {
    add_cases = add;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &all_ranks);
    share_seed();
    /* One rank reports; failures of the others are on standard error. */
    if (my_rank > 0 && freopen("/dev/null", "w", stdout) == NULL) give_up("no /dev/null");
    test_at_end(destroy_plans);
    const int result = test_main(argc, argv, add_all);
    if (result != EXIT_SUCCESS) give_up("failed");
    expect_nothing_left();
    MPI_Finalize();
    return result;
}
