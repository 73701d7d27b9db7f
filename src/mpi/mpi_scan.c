/* SPDX-License-Identifier: MIT */
/* Scan: each rank reduces its block, the values are exchanged, each block is scanned from what
 * comes before it. */
#include "mpi/mpi_partials.h"

#include <stdlib.h>

struct clprims_mpi_scan {
    clprims_mpi *mpi;
    clprims_reduce *sum; /* of a block, without an initial value */
    clprims_scan *block; /* with an initial value, set for each run */
    clprims_scan *first; /* without; of an inclusive plan that has none before its first element */
    cl_mem result; /* of sum */
    bool has_init;
    clp_mpi_partials partials;
};

/* ---- Create ---- */

static clprims_reduce_desc sum_desc(const clprims_scan_desc *desc) {
    clprims_reduce_desc sum = CLPRIMS_REDUCE_DESC_INIT;
    sum.type = desc->type;
    sum.accumulator = desc->accumulator;
    sum.op = desc->op;
    sum.max_n = desc->max_n;
    sum.fast_floats = desc->fast_floats;
    sum.input = desc->input;
    sum.no_input_array = desc->no_input_array;
    sum.custom = desc->custom;
    sum.parameters = desc->parameters;
    return sum;
}

static clprims_status create_plans(clprims_mpi_scan *scan, const clprims_scan_desc *desc) {
    /* A plan has an initial value where its description has one, whatever it is. */
    static const unsigned char some_value[CLP_MPI_LARGEST_VALUE];
    unsigned char identity[CLP_MPI_LARGEST_VALUE];
    clprims_context *context = scan->mpi->context;
    clprims_scan_desc own = *desc;
    if (own.max_n == 0) own.max_n = 1;
    clprims_reduce_desc sum = sum_desc(&own);
    if (!desc->inclusive || desc->init != NULL) {
        scan->has_init = true;
    } else {
        CLP_MPI_TRY(clp_mpi_core(clprims_scan_create(&scan->first, context, &own)));
        own.init = some_value;
    }
    CLP_MPI_TRY(clp_mpi_core(clprims_scan_create(&scan->block, context, &own)));
    CLP_MPI_TRY(clp_mpi_core(clprims_reduce_create(&scan->sum, context, &sum)));
    sum.init = desc->init;
    if (!desc->inclusive && desc->init == NULL) {
        /* As on one device: 0.0 + -0.0 is 0.0, and the greater of -inf and NaN -inf. */
        CLP_MPI_TRY(clp_mpi_core(clprims_reduce_run(scan->sum, NULL, identity, 0)));
        sum.init = identity;
    }
    CLP_MPI_TRY(clp_mpi_partials_create(scan->mpi, "mpi_scan", &sum, &scan->partials));
    return clp_mpi_buffer_create(scan->mpi, "mpi_scan", CLP_MPI_LARGEST_VALUE, &scan->result);
}

static clprims_status create(clprims_mpi_scan **out, clprims_mpi *mpi,
                             const clprims_scan_desc *desc) {
    if (out == NULL) return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_scan: out is NULL");
    *out = NULL;
    CLP_MPI_TRY(CLP_MPI_CHECK_STRUCT("mpi_scan", desc, "CLPRIMS_SCAN_DESC_INIT"));
    clprims_mpi_scan *scan = calloc(1, sizeof *scan);
    if (scan == NULL) {
        return clp_mpi_fail(CLPRIMS_ERR_HOST_MEMORY, "mpi_scan: no host memory for a plan");
    }
    *out = scan;
    scan->mpi = mpi;
    return create_plans(scan, desc);
}

clprims_status clprims_mpi_scan_create(clprims_mpi_scan **out, clprims_mpi *mpi,
                                       const clprims_scan_desc *desc) {
    clp_mpi_clear_error();
    if (mpi == NULL) return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_scan: mpi is NULL");
    clprims_status status = create(out, mpi, desc);
    status =
        clp_mpi_same(mpi, status, "mpi_scan", status == CLPRIMS_OK ? clp_mpi_digest_scan(desc) : 0);
    if (status != CLPRIMS_OK && out != NULL) {
        clprims_mpi_scan_destroy(*out);
        *out = NULL;
    }
    return status;
}

void clprims_mpi_scan_destroy(clprims_mpi_scan *scan) {
    if (scan == NULL) return;
    clprims_reduce_destroy(scan->sum);
    clprims_scan_destroy(scan->block);
    clprims_scan_destroy(scan->first);
    clp_mpi_partials_release(&scan->partials);
    if (scan->result != NULL) clReleaseMemObject(scan->result);
    free(scan);
}

clprims_status clprims_mpi_scan_set_parameter(clprims_mpi_scan *scan, size_t k, size_t bytes,
                                              const void *value) {
    clp_mpi_clear_error();
    if (scan == NULL) return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_scan: scan is NULL");
    CLP_MPI_TRY(clp_mpi_core(clprims_reduce_set_parameter(scan->sum, k, bytes, value)));
    CLP_MPI_TRY(clp_mpi_core(clprims_scan_set_parameter(scan->block, k, bytes, value)));
    if (scan->first == NULL) return CLPRIMS_OK;
    return clp_mpi_core(clprims_scan_set_parameter(scan->first, k, bytes, value));
}

/* ---- Run ---- */

/* Combines this rank's block. No rank needs the value of the last one. */
static clprims_status reduce_block(clprims_mpi_scan *scan, clprims_buffer in, size_t n,
                                   clp_mpi_partial *mine) {
    const clprims_mpi *mpi = scan->mpi;
    const clprims_buffer result = {scan->result, 0}, none = {NULL, 0};
    mine->n = n;
    CLP_MPI_TRY(clp_mpi_begin(mpi, "mpi_scan"));
    if (n == 0 || mpi->rank == mpi->ranks - 1) return CLPRIMS_OK;
    CLP_MPI_TRY(clp_mpi_core(
        clprims_reduce_enqueue(scan->sum, mpi->queue, in, result, n, none, 0, NULL, NULL)));
    return clp_mpi_read(mpi, "mpi_scan", scan->result, 0, scan->partials.value_bytes, mine->value);
}

static clprims_status scan_block(clprims_mpi_scan *scan, clprims_buffer in, clprims_buffer out,
                                 size_t n) {
    const clprims_mpi *mpi = scan->mpi;
    unsigned char before[CLP_MPI_LARGEST_VALUE];
    const size_t count = clp_mpi_partials_collect(&scan->partials, mpi->rank);
    const bool is_first = count == 0 && !scan->has_init;
    if (n == 0) return CLPRIMS_OK;
    if (!is_first && (count > 0 || mpi->rank > 0)) {
        CLP_MPI_TRY(clp_mpi_partials_combine(&scan->partials, count, before));
        CLP_MPI_TRY(clp_mpi_core(clprims_scan_set_init(scan->block, before)));
    }
    CLP_MPI_TRY(clp_mpi_core(clprims_scan_enqueue(is_first ? scan->first : scan->block, mpi->queue,
                                                  in, out, n, 0, NULL, NULL)));
    return clp_mpi_finish(mpi, "mpi_scan");
}

clprims_status clprims_mpi_scan_run(clprims_mpi_scan *scan, clprims_buffer in, clprims_buffer out,
                                    size_t n) {
    clp_mpi_clear_error();
    if (scan == NULL) return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_scan: scan is NULL");
    clp_mpi_partial mine = {0, 0, {0}};
    const clprims_status status = reduce_block(scan, in, n, &mine);
    CLP_MPI_TRY(clp_mpi_partials_gather(scan->mpi, status, &mine, &scan->partials));
    return clp_mpi_agree(scan->mpi, scan_block(scan, in, out, n));
}
