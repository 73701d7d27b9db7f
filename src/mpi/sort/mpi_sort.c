/* SPDX-License-Identifier: MIT */
/* Sort: each rank its block, splitters, one exchange of each array, each rank merges or sorts what
 * it got. */
#include "mpi/mpi_blocks.h"
#include "mpi/sort/mpi_runs.h"
#include "mpi/sort/mpi_splitters.h"

#include <inttypes.h>

struct clprims_mpi_sort {
    clp_mpi_plan head;
    clprims_scan
        *make; /* with desc.key: keys, beside which the elements move as the last payload */
    cl_mem made; /* keys, before and after */
    clprims_sort *before; /* of a rank's block: into scratch */
    clp_mpi_runs runs; /* what it gets */
    clprims_sort *after; /* of that, where it is not merged: in place; indices are a payload more */
    size_t payloads;
    size_t key_bytes;
    size_t payload_bytes[CLPRIMS_SORT_PAYLOADS]; /* of indices too */
    clprims_type indices;
    size_t max_n;
    cl_kernel placer; /* NULL without indices */
    cl_mem keys;
    cl_mem payload[CLPRIMS_SORT_PAYLOADS];
    clp_mpi_splitters splitters;
    uint64_t *starts, *ends, *cuts; /* ranks + 1 each */
    clp_mpi_parts parts;
};

/* Arrays that move with the keys. */
static size_t moved_arrays(const clprims_mpi_sort *sort) {
    return sort->payloads + (sort->indices != CLPRIMS_TYPE_DEFAULT);
}

/* ---- The plan ---- */

static clprims_status check_desc(const clprims_sort_desc *desc) {
    const bool has_indices = desc->indices != CLPRIMS_TYPE_DEFAULT, has_key = desc->key != NULL;
    CLP_MPI_FAIL_IF(desc->no_keys, CLPRIMS_ERR_UNSUPPORTED,
                    "mpi_sort: the ranks exchange keys; no_keys must be zero");
    for (size_t k = 0; k + 1 < CLPRIMS_SORT_KEYS; k++) {
        if (desc->then[k] == NULL) continue;
        return clp_mpi_fail(CLPRIMS_ERR_UNSUPPORTED,
                            "mpi_sort: the ranks sort by one key; then[%zu] must be NULL", k);
    }
    CLP_MPI_FAIL_IF((has_indices || has_key) &&
                        desc->payloads > (size_t)CLPRIMS_SORT_PAYLOADS - has_indices - has_key,
                    CLPRIMS_ERR_ARGUMENT, "mpi_sort: %zu payloads%s%s; at most %d together",
                    desc->payloads, has_indices ? " and indices" : "",
                    has_key ? " and elements of a key" : "", CLPRIMS_SORT_PAYLOADS);
    return CLPRIMS_OK;
}

/* Elements become a payload. */
static clprims_status take_elements(const clprims_sort_desc *desc, clprims_sort_desc *own) {
    enum { LARGEST = 16 };
    const size_t bytes = clp_mpi_value_bytes(desc->type, desc->elements, &desc->custom);
    *own = *desc;
    if (desc->key == NULL) return CLPRIMS_OK;
    CLP_MPI_FAIL_IF(bytes == 0 || bytes > LARGEST,
                    bytes == 0 ? CLPRIMS_ERR_ARGUMENT : CLPRIMS_ERR_UNSUPPORTED,
                    "mpi_sort: elements = %d (%s) of %zu bytes; over ranks "
                    "elements with a key have 1 to %d bytes",
                    (int)desc->elements, clprims_type_name(desc->elements), bytes, LARGEST);
    own->payload_bytes[own->payloads++] = bytes;
    own->key = own->parameters = NULL;
    own->elements = CLPRIMS_TYPE_DEFAULT;
    return CLPRIMS_OK;
}

/* A scan by the operator b stores its inputs. */
static clprims_status create_make(clprims_mpi_sort *sort, const clprims_sort_desc *desc) {
    clprims_scan_desc make = {0};
    if (desc->key == NULL) return CLPRIMS_OK;
    make.type = desc->elements != CLPRIMS_TYPE_DEFAULT ? desc->elements : desc->type;
    make.accumulator = desc->type;
    make.op = CLPRIMS_CUSTOM;
    make.inclusive = 1;
    make.max_n = desc->max_n > 0 ? desc->max_n : 1;
    make.input = desc->key;
    make.parameters = desc->parameters;
    make.custom.op = "b";
    make.custom.declarations = desc->custom.declarations;
    make.custom.type_name = desc->custom.type_name;
    make.custom.type_bytes = desc->custom.type_bytes;
    CLP_MPI_TRY(CLP_MPI_CORE(&sort->head, scan, &sort->make, &make));
    return clp_mpi_plan_buffer(&sort->head, make.max_n * sort->key_bytes, &sort->made);
}

static clprims_status create_plans(clprims_mpi_sort *sort, const clprims_sort_desc *desc) {
    const clprims_mpi *mpi = sort->head.mpi;
    clprims_sort_desc own = *desc;
    if (own.max_n == 0) own.max_n = 1;
    CLP_MPI_TRY(CLP_MPI_CORE(&sort->head, sort, &sort->before, &own));
    if (sort->indices != CLPRIMS_TYPE_DEFAULT) {
        own.payload_bytes[own.payloads++] = clprims_type_bytes(sort->indices);
    }
    for (size_t k = 0; k < own.payloads; k++) sort->payload_bytes[k] = own.payload_bytes[k];
    if (mpi->ranks == 1) return CLPRIMS_OK;
    own.indices = CLPRIMS_TYPE_DEFAULT;
    CLP_MPI_TRY(clp_mpi_runs_create(&sort->head, &own, &sort->runs));
    if (sort->runs.plan != NULL) return CLPRIMS_OK;
    return CLP_MPI_CORE(&sort->head, sort, &sort->after, &own);
}

static clprims_status create_scratch(clprims_mpi_sort *sort) {
    clp_mpi_plan *head = &sort->head;
    CLP_MPI_TRY(clp_mpi_plan_buffer(head, sort->max_n * sort->key_bytes, &sort->keys));
    for (size_t k = 0; k < moved_arrays(sort); k++) {
        const size_t bytes = sort->max_n * sort->payload_bytes[k];
        CLP_MPI_TRY(clp_mpi_plan_buffer(head, bytes, &sort->payload[k]));
    }
    if (sort->indices == CLPRIMS_TYPE_DEFAULT) return CLPRIMS_OK;
    return clp_mpi_placer_create(head, sort->indices, &sort->placer);
}

static clprims_status fill(clp_mpi_plan *head, const void *description) {
    clprims_mpi_sort *sort = (clprims_mpi_sort *)head;
    const clprims_sort_desc *desc = description;
    clprims_sort_desc own;
    CLP_MPI_TRY(check_desc(desc));
    CLP_MPI_TRY(take_elements(desc, &own));
    sort->payloads = own.payloads;
    sort->key_bytes = clprims_type_bytes(desc->type);
    sort->indices = desc->indices;
    sort->max_n = desc->max_n;
    CLP_MPI_TRY(create_plans(sort, &own));
    CLP_MPI_TRY(create_make(sort, desc));
    head->digest = clp_mpi_digest_sort(desc);
    CLP_MPI_TRY(clp_mpi_plan_numbers(head, (size_t)head->mpi->ranks + 1, &sort->starts));
    CLP_MPI_TRY(clp_mpi_plan_numbers(head, (size_t)head->mpi->ranks + 1, &sort->ends));
    CLP_MPI_TRY(clp_mpi_plan_numbers(head, (size_t)head->mpi->ranks + 1, &sort->cuts));
    CLP_MPI_TRY(clp_mpi_plan_parts(head, &sort->parts));
    if (head->mpi->ranks == 1) return CLPRIMS_OK;
    CLP_MPI_TRY(create_scratch(sort));
    return clp_mpi_splitters_create(head, &own, &sort->splitters);
}

CLP_MPI_PLAN_CREATE(sort, fill, NULL)

clprims_status clprims_mpi_sort_set_parameter(clprims_mpi_sort *sort, size_t k, size_t bytes,
                                              const void *value) {
    CLP_MPI_TRY(clp_mpi_plan_check(sort, "mpi_sort", "sort"));
    if (sort->make == NULL) {
        return clp_mpi_core(clprims_sort_set_parameter(sort->before, k, bytes, value));
    }
    return clp_mpi_core(clprims_scan_set_parameter(sort->make, k, bytes, value));
}

/* ---- Run ---- */

/* Where payload k goes; the one behind the last is that of the indices. */
static clprims_buffer payload_out(const clprims_mpi_sort *sort, const clprims_sort_buffers *buffers,
                                  size_t k) {
    return k < sort->payloads ? buffers->payload_out[k] : buffers->indices;
}

static const char *name_of_output(const clprims_mpi_sort *sort, size_t k) {
    if (k >= sort->payloads) return "indices";
    return sort->make != NULL && k == sort->payloads - 1 ? "keys_out" : "payload_out";
}

static clprims_status check_buffers(const clprims_mpi_sort *sort,
                                    const clprims_sort_buffers *buffers, size_t n, size_t out_n) {
    const clprims_mpi *mpi = sort->head.mpi;
    CLP_MPI_FAIL_IF(buffers->n.mem != NULL || buffers->report.mem != NULL, CLPRIMS_ERR_ARGUMENT,
                    "mpi_sort: buffers.%s.mem is not NULL; the host's n is the number",
                    buffers->n.mem != NULL ? "n" : "report");
    CLP_MPI_TRY(clp_mpi_check_most(mpi, "n", n, "max_n", sort->max_n));
    CLP_MPI_TRY(clp_mpi_check_most(mpi, "out_n", out_n, "max_n", sort->max_n));
    CLP_MPI_TRY(clp_mpi_check_room(mpi, "keys_out", buffers->keys_out, out_n, sort->key_bytes));
    for (size_t k = 0; k < moved_arrays(sort); k++) {
        CLP_MPI_TRY(clp_mpi_check_room(mpi, name_of_output(sort, k), payload_out(sort, buffers, k),
                                       out_n, sort->payload_bytes[k]));
    }
    return clp_mpi_begin(mpi);
}

/* The keys that the plan makes take the place of the caller's elements. */
static clprims_status take_buffers(const clprims_mpi_sort *sort, size_t n, size_t out_n,
                                   clprims_sort_buffers *own) {
    const size_t last = sort->payloads - 1;
    const clprims_buffer in = own->keys_in, out = own->keys_out;
    if (sort->make == NULL) return check_buffers(sort, own, n, out_n);
    own->keys_in = own->keys_out = (clprims_buffer){sort->made, 0};
    own->payload_in[last] = in;
    own->payload_out[last] = out;
    CLP_MPI_TRY(check_buffers(sort, own, n, out_n));
    return CLP_MPI_ENQUEUE(scan, sort->head.mpi, sort->make, n,
                           &(clprims_scan_buffers){.in = in, .out = own->keys_in});
}

/* From the caller's arrays into scratch. */
static clprims_status sort_block(const clprims_mpi_sort *sort, const clprims_sort_buffers *buffers,
                                 size_t n) {
    clprims_sort_buffers own = *buffers;
    own.keys_out = (clprims_buffer){sort->keys, 0};
    for (size_t k = 0; k < sort->payloads; k++) {
        own.payload_out[k] = (clprims_buffer){sort->payload[k], 0};
    }
    if (sort->indices != CLPRIMS_TYPE_DEFAULT) {
        own.indices = (clprims_buffer){sort->payload[sort->payloads], 0};
    }
    return CLP_MPI_ENQUEUE(sort, sort->head.mpi, sort->before, n, &own);
}

/* Indices become positions in the whole array. */
static clprims_status place_indices(const clprims_mpi_sort *sort, size_t n) {
    const clprims_mpi *mpi = sort->head.mpi;
    const clprims_buffer indices = {sort->payload[sort->payloads], 0};
    if (sort->indices == CLPRIMS_TYPE_DEFAULT) return CLPRIMS_OK;
    CLP_MPI_TRY(clp_mpi_check_positions(mpi, sort->indices, sort->starts[mpi->ranks]));
    return clp_mpi_place(mpi, sort->placer, indices, n, sort->starts[mpi->rank]);
}

/* One rank: from the caller's arrays into the caller's. */
static clprims_status sort_single(const clprims_mpi_sort *sort, const clprims_sort_buffers *buffers,
                                  size_t n) {
    CLP_MPI_TRY(CLP_MPI_ENQUEUE(sort, sort->head.mpi, sort->before, n, buffers));
    return clp_mpi_finish(sort->head.mpi);
}

/* Who gets what of this rank's, and what comes from whom. */
static void count_parts(const clprims_mpi_sort *sort) {
    const clprims_mpi *mpi = sort->head.mpi;
    const clp_mpi_parts *parts = &sort->parts;
    for (int r = 0; r < mpi->ranks; r++) {
        parts->from_first[r] = sort->cuts[r];
        parts->from_count[r] = sort->cuts[r + 1] - sort->cuts[r];
    }
    MPI_Alltoall(parts->from_count, 1, MPI_UINT64_T, parts->to_count, 1, MPI_UINT64_T, mpi->comm);
}

/* Sends an array of scratch to the ranks' outputs. */
static clprims_status exchange(const clprims_mpi_sort *sort, cl_mem scratch, clprims_buffer out,
                               size_t element_bytes) {
    clprims_mpi *mpi = sort->head.mpi;
    uint64_t first = out.first;
    for (int r = 0; r < mpi->ranks; r++) {
        sort->parts.to_first[r] = first;
        first += sort->parts.to_count[r];
    }
    return clp_mpi_exchange(mpi, &sort->parts, scratch, out.mem, element_bytes);
}

/* Runs that come: from each rank that gives any. */
static size_t count_runs(const clprims_mpi_sort *sort) {
    size_t count = 0;
    for (int r = 0; r < sort->head.mpi->ranks; r++) count += sort->parts.to_count[r] > 0;
    return count;
}

static clprims_status exchange_all(const clprims_mpi_sort *sort,
                                   const clprims_sort_buffers *buffers) {
    const clp_mpi_runs *runs = &sort->runs;
    const bool inside = runs->plan != NULL && clp_mpi_runs_begin_inside(count_runs(sort));
    const clprims_buffer keys = inside ? (clprims_buffer){runs->keys, 0} : buffers->keys_out;
    clprims_status status = exchange(sort, sort->keys, keys, sort->key_bytes);
    for (size_t k = 0; k < moved_arrays(sort); k++) {
        const clprims_buffer out =
            inside ? (clprims_buffer){runs->payload, 0} : payload_out(sort, buffers, k);
        clp_mpi_keep(&status, exchange(sort, sort->payload[k], out, sort->payload_bytes[k]));
    }
    return status;
}

/* The cuts have done their work. */
static clprims_status merge_runs(const clprims_mpi_sort *sort,
                                 const clprims_sort_buffers *buffers) {
    uint64_t *bounds = sort->cuts, end = 0;
    size_t count = 0;
    for (int r = 0; r < sort->head.mpi->ranks; r++) {
        if (sort->parts.to_count[r] == 0) continue;
        bounds[count++] = end;
        end += sort->parts.to_count[r];
    }
    bounds[count] = end;
    return clp_mpi_runs_merge(&sort->runs, buffers->keys_out, payload_out(sort, buffers, 0), count,
                              bounds);
}

/* What came from one rank is sorted. */
static clprims_status sort_parts(const clprims_mpi_sort *sort, const clprims_sort_buffers *buffers,
                                 size_t out_n) {
    clprims_sort_buffers own = {0};
    if (count_runs(sort) <= 1) return CLPRIMS_OK;
    if (sort->runs.plan != NULL) return merge_runs(sort, buffers);
    own.keys_in = own.keys_out = buffers->keys_out;
    for (size_t k = 0; k < moved_arrays(sort); k++) {
        own.payload_in[k] = own.payload_out[k] = payload_out(sort, buffers, k);
    }
    CLP_MPI_TRY(CLP_MPI_ENQUEUE(sort, sort->head.mpi, sort->after, out_n, &own));
    return clp_mpi_finish(sort->head.mpi);
}

clprims_status clprims_mpi_sort_run_sized(clprims_mpi_sort *sort,
                                          const clprims_sort_buffers *buffers, size_t buffers_bytes,
                                          size_t n, size_t out_n) {
    CLP_MPI_TRY(clp_mpi_plan_enter(sort, "mpi_sort", "sort"));
    clprims_mpi *mpi = sort->head.mpi;
    clprims_sort_buffers own;
    clprims_status status =
        clp_mpi_take("mpi_sort", "buffers", buffers, buffers_bytes, &own, sizeof own);
    if (status == CLPRIMS_OK) status = take_buffers(sort, n, out_n, &own);
    if (status == CLPRIMS_OK && mpi->ranks > 1) status = sort_block(sort, &own, n);
    CLP_MPI_TRY(clp_mpi_starts(mpi, status, n, sort->starts));
    CLP_MPI_TRY(clp_mpi_starts(mpi, CLPRIMS_OK, out_n, sort->ends));
    status = clp_mpi_check_totals(mpi, sort->starts, sort->ends);
    if (mpi->ranks == 1) {
        return clp_mpi_agree(mpi, status == CLPRIMS_OK ? sort_single(sort, &own, n) : status);
    }
    if (status == CLPRIMS_OK) status = place_indices(sort, n);
    if (status == CLPRIMS_OK) status = clp_mpi_finish(mpi);
    CLP_MPI_TRY(clp_mpi_agree(mpi, status));
    CLP_MPI_TRY(
        clp_mpi_splitters_find(mpi, &sort->splitters, sort->keys, n, sort->ends, sort->cuts));
    count_parts(sort);
    CLP_MPI_TRY(clp_mpi_agree(mpi, exchange_all(sort, &own)));
    return clp_mpi_agree(mpi, sort_parts(sort, &own, out_n));
}
