/* SPDX-License-Identifier: MIT */
/* Reduce: each rank its block, then the ranks' values. */
#include "mpi/mpi_partials.h"

#include <string.h>

struct clprims_mpi_reduce {
    clp_mpi_plan head;
    clprims_reduce *block; /* without an initial value, unless it is that of one rank */
    clprims_reduce *key; /* of ARGMIN and ARGMAX: the value that the index stands for */
    bool has_input; /* an expression, which may depend on the index */
    cl_mem result; /* of block, then of key */
    clp_mpi_partials partials;
    unsigned char init[sizeof(int64_t)]; /* of ARGMIN and ARGMAX, where there are no elements */
    bool has_init;
};

static bool is_arg(const clprims_reduce_desc *desc) {
    return desc->op == CLPRIMS_ARGMIN || desc->op == CLPRIMS_ARGMAX;
}

/* ---- The plan ---- */

static clprims_status fill(clp_mpi_plan *head, const void *description) {
    clprims_mpi_reduce *reduce = (clprims_mpi_reduce *)head;
    const clprims_reduce_desc *desc = description;
    clprims_reduce_desc own = *desc;
    CLP_MPI_TRY(clp_mpi_check_result("reduce", desc->result, desc->result_type));
    reduce->has_input = desc->input != NULL;
    reduce->has_init = is_arg(desc) && desc->init != NULL;
    if (reduce->has_init) memcpy(reduce->init, desc->init, sizeof reduce->init);
    if (is_arg(desc) || head->mpi->ranks > 1) own.init = NULL;
    if (own.max_n == 0) own.max_n = 1;
    CLP_MPI_TRY(CLP_MPI_CORE(head, reduce, &reduce->block, &own));
    if (is_arg(desc)) {
        own.op = desc->op == CLPRIMS_ARGMIN ? CLPRIMS_MIN : CLPRIMS_MAX;
        CLP_MPI_TRY(CLP_MPI_CORE(head, reduce, &reduce->key, &own));
    }
    own = *desc;
    if (is_arg(desc)) own.init = NULL;
    CLP_MPI_TRY(clp_mpi_partials_create(head, &own, &reduce->partials));
    head->digest = clp_mpi_digest_reduce(desc);
    return clp_mpi_plan_buffer(head, CLP_MPI_LARGEST_VALUE, &reduce->result);
}

CLP_MPI_PLAN_CREATE(reduce, fill, NULL)

clprims_status clprims_mpi_reduce_set_parameter(clprims_mpi_reduce *reduce, size_t k, size_t bytes,
                                                const void *value) {
    CLP_MPI_TRY(clp_mpi_plan_check(reduce, "mpi_reduce", "reduce"));
    CLP_MPI_TRY(clp_mpi_core(clprims_reduce_set_parameter(reduce->block, k, bytes, value)));
    if (reduce->key == NULL) return CLPRIMS_OK;
    return clp_mpi_core(clprims_reduce_set_parameter(reduce->key, k, bytes, value));
}

/* ---- Run ---- */

static clprims_status run_plan(const clprims_mpi_reduce *reduce, clprims_reduce *plan,
                               clprims_buffer in, size_t n, size_t bytes, void *out) {
    const clprims_buffer result = {reduce->result, 0};
    const clprims_mpi *mpi = reduce->head.mpi;
    CLP_MPI_TRY(
        CLP_MPI_ENQUEUE(reduce, mpi, plan, n, &(clprims_reduce_buffers){.in = in, .out = result}));
    return clp_mpi_read(mpi, reduce->result, 0, bytes, out);
}

/* This rank's value; without elements the run only checks. */
static clprims_status run_block(const clprims_mpi_reduce *reduce, clprims_buffer in, size_t n,
                                clp_mpi_partial *mine) {
    const size_t bytes = reduce->partials.value_bytes;
    mine->n = n;
    CLP_MPI_TRY(clp_mpi_begin(reduce->head.mpi));
    if (n == 0) return CLPRIMS_OK;
    if (reduce->key == NULL) return run_plan(reduce, reduce->block, in, n, bytes, mine->value);
    CLP_MPI_TRY(run_plan(reduce, reduce->block, in, n, sizeof mine->index, &mine->index));
    if (reduce->has_input) return run_plan(reduce, reduce->key, in, n, bytes, mine->value);
    in.first += (size_t)mine->index;
    return run_plan(reduce, reduce->key, in, 1, bytes, mine->value);
}

/* The place of the best value among the ranks' becomes a position in the whole array. */
static clprims_status find_best(clprims_mpi_reduce *reduce, size_t count, void *out) {
    clp_mpi_partials *partials = &reduce->partials;
    int64_t best = 0;
    if (count == 0 && reduce->has_init) {
        memcpy(out, reduce->init, sizeof reduce->init);
        return CLPRIMS_OK;
    }
    if (count != 1) CLP_MPI_TRY(clp_mpi_partials_combine(partials, count, &best));
    const int owner = partials->owners[best];
    best = partials->all[owner].index;
    for (int r = 0; r < owner; r++) best += (int64_t)partials->all[r].n;
    memcpy(out, &best, sizeof best);
    return CLPRIMS_OK;
}

clprims_status clprims_mpi_reduce_run(clprims_mpi_reduce *reduce, clprims_buffer in, size_t n,
                                      void *out) {
    CLP_MPI_TRY(clp_mpi_plan_enter(reduce, "mpi_reduce", "reduce"));
    clprims_mpi *mpi = reduce->head.mpi;
    clp_mpi_partial mine = {0, 0, {0}};
    clprims_status status = CLPRIMS_OK;
    if (out == NULL) {
        status = clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_reduce: out is NULL");
    } else {
        status = run_block(reduce, in, n, &mine);
    }
    CLP_MPI_TRY(clp_mpi_partials_gather(mpi, status, &mine, &reduce->partials));
    const size_t count = clp_mpi_partials_collect(&reduce->partials, mpi->ranks);
    if (reduce->key != NULL) {
        status = find_best(reduce, count, out);
    } else if (mpi->ranks == 1 && n > 0) { /* its plan has the initial value */
        memcpy(out, mine.value, reduce->partials.value_bytes);
    } else {
        status = clp_mpi_partials_combine(&reduce->partials, count, out);
    }
    return clp_mpi_agree(mpi, status);
}
