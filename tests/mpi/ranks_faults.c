/* SPDX-License-Identifier: MIT */
/*
 * Calls of OpenCL that fail on one rank, each in turn: every rank gets the status and the rank's
 * number, nobody waits for ever, and afterwards the same plan works.
 */
#include "mpi/failing.h"
#include "mpi/list/mpi_list.h"
#include "subjects/subjects.h"

#include <limits.h>

enum { N = 700 };

enum { SORT, SCAN, LIST, PLANS };

typedef struct job {
    void *plans[PLANS];
    clprims_sort_buffers buffers;
    clprims_buffer links;
} job;

static const struct {
    const ranks_primitive *of;
    const void *desc;
} described[PLANS] = {{&ranks_sort, SUBJECT_CUSTOM_DESC(sort, .type = CLPRIMS_U32, .max_n = N)},
                      {&ranks_scan, SUBJECT_CUSTOM_DESC(scan, .type = CLPRIMS_U32, .max_n = N)},
                      {&ranks_list, SUBJECT_DESC(list, .link = CLPRIMS_I64,
                                                 .result = CLPRIMS_LIST_ORDER, .max_n = N)}};

static void destroy_all(job *j) {
    for (size_t k = 0; k < PLANS; k++) {
        described[k].of->destroy(j->plans[k]);
        j->plans[k] = NULL;
    }
}

static clprims_status create_all(void *data) {
    job *j = data;
    clprims_mpi *mpi = NULL;
    clprims_status status = CLPRIMS_OK;
    destroy_all(j);
    for (size_t k = 0; k < PLANS && status == CLPRIMS_OK; k++) {
        status = described[k].of->create(&j->plans[k], described[k].desc);
    }
    /* An object that shares nothing has pinned memory; one that can't register its shares goes on.
     */
    clp_mpi_sharing_ranks = 1;
    if (status == CLPRIMS_OK) status = clprims_mpi_create(&mpi, MPI_COMM_WORLD, test_context());
    clprims_mpi_destroy(mpi);
    clp_mpi_sharing_ranks = INT_MAX;
    return status;
}

static clprims_status sort_again(void *data) {
    const job *j = data;
    return clprims_mpi_sort_run(j->plans[SORT], &j->buffers, N, N);
}

static clprims_status scan_again(void *data) {
    const job *j = data;
    return clprims_mpi_scan_run(j->plans[SCAN], j->buffers.keys_in, j->buffers.keys_out, N);
}

static clprims_status rank_again(void *data) {
    const job *j = data;
    return clprims_mpi_list_run(j->plans[LIST], j->links, j->buffers.keys_out, 0, N / 2, N / 2,
                                NULL);
}

/* The list of all elements in order, N / 2 on each rank. */
static test_buffer make_links(void) {
    int64_t next[N / 2];
    const int64_t start = ranks_rank() * (N / 2), total = ranks_count() * (N / 2);
    for (int64_t i = 0; i < N / 2; i++) next[i] = start + i + 1 < total ? start + i + 1 : -1;
    return test_buffer_create(next, N / 2, 8, 0);
}

static clprims_status create_sharing(void *data) {
    clprims_mpi **mpi = data;
    clprims_mpi_destroy(*mpi);
    return clprims_mpi_create(mpi, MPI_COMM_WORLD, test_context());
}

/* The driver of one rank does not take the memory that ranks share. */
static void refused_registers_are_fine(clprims_buffer in, clprims_buffer out) {
    clprims_mpi *mpi = NULL;
    fail_in_vain(BUFFERS, create_sharing, &mpi);
    expect_ranks_ok(clprims_mpi_rebalance(mpi, in, N, out, N, 4));
    clprims_mpi_destroy(mpi);
}

/* Of a list that one rank has, and over levels. */
static void fail_each_of_lists(failing what, job *j) {
    const int least = what == BUFFERS || ranks_count() == 1 ? 0 : 3;
    const clp_mpi_list_limits limits[] = {
        {N * 64, 0, 0, 0, 0}, {0, 30, SIZE_MAX, 0, 50}, {0, 30, 0, 0, 0}};
    for (size_t k = 0; k < sizeof limits / sizeof limits[0]; k++) {
        clp_mpi_list_limits_now = limits[k];
        fail_each(what, rank_again, j, k > 0 ? least : 0);
    }
}

static void failures_are_shared(const void *data) {
    const failing what = *(const failing *)data;
    uint32_t keys[N];
    test_random_values(CLPRIMS_U32, CLPRIMS_ADD, keys, N);
    test_buffer in = test_buffer_create(keys, N, 4, 0), out = test_buffer_create(NULL, N, 4, 0);
    test_buffer links = make_links();
    job j = {.links = links.at, .buffers.keys_in = in.at, .buffers.keys_out = out.at};
    expect_ranks_ok(create_all(&j));
    if (what == BUFFERS) refused_registers_are_fine(in.at, out.at);
    if (what == BUFFERS) fail_each(what, create_all, &j, 8);
    if (what != BUFFERS) fail_each(what, sort_again, &j, ranks_count() > 1 ? 3 : 0);
    fail_each(what, scan_again, &j, 0);
    fail_each_of_lists(what, &j);
    test_buffer_expect_unchanged(&in, keys);
    destroy_all(&j);
}

/* ---- Messages without room ---- */

/* A list of which the last rank has every 17th element: far more walks come to it at once than come
 * in a list in random order, for which a plan has room. */
enum { LAST = 64, RUN = 16, OTHERS = RUN * LAST };

typedef struct crowd {
    clprims_mpi_list *list;
    clprims_mpi_block block;
    test_buffer next, out;
} crowd;

static clprims_status create_crowded(void *data) {
    crowd *c = data;
    clprims_list_desc desc = *(const clprims_list_desc *)described[LIST].desc;
    desc.max_n = (size_t)c->block.n;
    clprims_mpi_list_destroy(c->list);
    return clprims_mpi_list_create(&c->list, ranks_mpi(), &desc);
}

static clprims_status rank_crowded(void *data) {
    const crowd *c = data;
    const size_t n = (size_t)c->block.n;
    return clprims_mpi_list_run(c->list, c->next.at, c->out.at, 0, n, n, NULL);
}

static crowd make_crowd(int64_t *next) {
    const uint64_t others = (uint64_t)ranks_count() - 1, me = (uint64_t)ranks_rank();
    crowd c = {.block = {LAST, OTHERS, OTHERS + LAST}};
    if (me < others) {
        c.block.start = OTHERS * me / others;
        c.block.n = OTHERS * (me + 1) / others - c.block.start;
    }
    for (uint64_t i = 0; i < c.block.n; i++) {
        const int64_t e = (int64_t)(c.block.start + i);
        next[i] = e % RUN == RUN - 1 ? OTHERS + e / RUN : e + 1;
        if (e >= OTHERS) next[i] = e + 1 < OTHERS + LAST ? (e - OTHERS + 1) * RUN : -1;
    }
    c.next = test_buffer_create(next, (size_t)c.block.n, sizeof *next, 1);
    c.out = test_buffer_create(NULL, (size_t)c.block.n, sizeof *next, 2);
    return c;
}

/* Whichever memory a run lacks, the others do not wait; afterwards the plan works. */
static void crowds_without_room_are_named(void) {
    static int64_t next[OTHERS], order[OTHERS];
    if (ranks_count() == 1) return;
    crowd c = make_crowd(next);
    clp_mpi_list_limits_now = (clp_mpi_list_limits){0, 30, 0, 0, SIZE_MAX};
    fail_each_after(BUFFERS, create_crowded, rank_crowded, &c, 2);
    /* One plan, which keeps what it could get before it failed. */
    expect_ranks_ok(create_crowded(&c));
    fail_each(BUFFERS, rank_crowded, &c, 1);
    expect_ranks_ok(rank_crowded(&c));
    test_buffer_read(&c.out, order);
    for (uint64_t i = 0; i < c.block.n; i++) {
        const int64_t at = (int64_t)(c.block.start + i);
        const int64_t run = at / (RUN + 1), within = at % (RUN + 1);
        assert_int_equal(order[i], within < RUN ? run * RUN + within : OTHERS + run);
    }
    test_buffer_expect_unchanged(&c.next, next);
    clprims_mpi_list_destroy(c.list);
}

void add_fault_cases(test_cases *cases) {
    for (failing what = BUFFERS; what < BUILDS; what++) {
        ranks_add_row(cases, failures_are_shared, what, "ranks/faults/%s", failing_names[what]);
    }
    ranks_add_plain(cases, crowds_without_room_are_named, "ranks/faults/crowds");
}
