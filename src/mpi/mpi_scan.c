/* SPDX-License-Identifier: MIT */
/* Scan: each rank reduces its block, the values are exchanged, each block is scanned from what
 * comes before it. */
#include "mpi/mpi_partials.h"

struct clprims_mpi_scan {
    clp_mpi_plan head;
    clprims_reduce *sum; /* of a block, without an initial value */
    clprims_scan *block; /* with an initial value, set for each run */
    clprims_scan *first; /* without; of an inclusive plan that has none before its first element */
    cl_mem result; /* of sum */
    bool has_init;
    clp_mpi_partials partials;
};

/* ---- The plan ---- */

static clprims_reduce_desc sum_desc(const clprims_scan_desc *desc) {
    clprims_reduce_desc sum = {0};
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

static clprims_status fill(clp_mpi_plan *head, const void *description) {
    /* A plan has an initial value where its description has one, whatever it is. */
    static const unsigned char some_value[CLP_MPI_LARGEST_VALUE];
    unsigned char identity[CLP_MPI_LARGEST_VALUE];
    clprims_mpi_scan *scan = (clprims_mpi_scan *)head;
    const clprims_scan_desc *desc = description;
    clprims_scan_desc own = *desc;
    CLP_MPI_TRY(clp_mpi_check_result("scan", desc->result, desc->result_type));
    if (own.max_n == 0) own.max_n = 1;
    clprims_reduce_desc sum = sum_desc(&own);
    if (!desc->inclusive || desc->init != NULL) {
        scan->has_init = true;
    } else {
        CLP_MPI_TRY(CLP_MPI_CORE(head, scan, &scan->first, &own));
        own.init = some_value;
    }
    CLP_MPI_TRY(CLP_MPI_CORE(head, scan, &scan->block, &own));
    CLP_MPI_TRY(CLP_MPI_CORE(head, reduce, &scan->sum, &sum));
    sum.init = desc->init;
    if (!desc->inclusive && desc->init == NULL) {
        /* As on one device: 0.0 + -0.0 is 0.0, and the greater of -inf and NaN -inf. */
        CLP_MPI_TRY(clp_mpi_core(
            clprims_reduce_run(scan->sum, &(clprims_reduce_arrays){.out = identity}, 0)));
        sum.init = identity;
    }
    CLP_MPI_TRY(clp_mpi_partials_create(head, &sum, &scan->partials));
    head->digest = clp_mpi_digest_scan(desc);
    return clp_mpi_plan_buffer(head, CLP_MPI_LARGEST_VALUE, &scan->result);
}

CLP_MPI_PLAN_CREATE(scan, fill, NULL)

clprims_status clprims_mpi_scan_set_parameter(clprims_mpi_scan *scan, size_t k, size_t bytes,
                                              const void *value) {
    CLP_MPI_TRY(clp_mpi_plan_check(scan, "mpi_scan", "scan"));
    CLP_MPI_TRY(clp_mpi_core(clprims_reduce_set_parameter(scan->sum, k, bytes, value)));
    CLP_MPI_TRY(clp_mpi_core(clprims_scan_set_parameter(scan->block, k, bytes, value)));
    if (scan->first == NULL) return CLPRIMS_OK;
    return clp_mpi_core(clprims_scan_set_parameter(scan->first, k, bytes, value));
}

/* ---- Run ---- */

/* Combines this rank's block. No rank needs the value of the last one. */
static clprims_status reduce_block(clprims_mpi_scan *scan, clprims_buffer in, size_t n,
                                   clp_mpi_partial *mine) {
    const clprims_mpi *mpi = scan->head.mpi;
    const clprims_buffer result = {scan->result, 0};
    mine->n = n;
    CLP_MPI_TRY(clp_mpi_begin(mpi));
    if (n == 0 || mpi->rank == mpi->ranks - 1) return CLPRIMS_OK;
    CLP_MPI_TRY(CLP_MPI_ENQUEUE(reduce, mpi, scan->sum, n,
                                &(clprims_reduce_buffers){.in = in, .out = result}));
    return clp_mpi_read(mpi, scan->result, 0, scan->partials.value_bytes, mine->value);
}

static clprims_status scan_block(clprims_mpi_scan *scan, clprims_buffer in, clprims_buffer out,
                                 size_t n) {
    const clprims_mpi *mpi = scan->head.mpi;
    unsigned char before[CLP_MPI_LARGEST_VALUE];
    const size_t count = clp_mpi_partials_collect(&scan->partials, mpi->rank);
    const bool is_first = count == 0 && !scan->has_init;
    if (n == 0) return CLPRIMS_OK;
    if (!is_first && (count > 0 || mpi->rank > 0)) {
        CLP_MPI_TRY(clp_mpi_partials_combine(&scan->partials, count, before));
        CLP_MPI_TRY(clp_mpi_core(clprims_scan_set_init(scan->block, before)));
    }
    CLP_MPI_TRY(CLP_MPI_ENQUEUE(scan, mpi, is_first ? scan->first : scan->block, n,
                                &(clprims_scan_buffers){.in = in, .out = out}));
    return clp_mpi_finish(mpi);
}

clprims_status clprims_mpi_scan_run(clprims_mpi_scan *scan, clprims_buffer in, clprims_buffer out,
                                    size_t n) {
    CLP_MPI_TRY(clp_mpi_plan_enter(scan, "mpi_scan", "scan"));
    clp_mpi_partial mine = {0, 0, {0}};
    const clprims_status status = reduce_block(scan, in, n, &mine);
    CLP_MPI_TRY(clp_mpi_partials_gather(scan->head.mpi, status, &mine, &scan->partials));
    return clp_mpi_agree(scan->head.mpi, scan_block(scan, in, out, n));
}
