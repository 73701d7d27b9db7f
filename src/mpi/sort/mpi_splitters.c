/* SPDX-License-Identifier: MIT */
/*
 * Boundary b, a position in the sorted whole, is found as the greatest key v with no more than b
 * keys below it: from the top bits on, a few in a round, all boundaries at once. A round counts the
 * keys below each candidate on all ranks, which is a histogram around each boundary. Of the keys
 * like v, an earlier rank's come first.
 */
#include "mpi/sort/mpi_splitters.h"

#include <string.h>

/* ---- Create ---- */

static cl_uint order_of(const clprims_sort_desc *desc) {
    switch (desc->type) {
    case CLPRIMS_F32:
    case CLPRIMS_F64:
        return 2 + (cl_uint)desc->floats;
    case CLPRIMS_U8:
    case CLPRIMS_U16:
    case CLPRIMS_U32:
    case CLPRIMS_U64:
        return 0;
    default:
        return 1;
    }
}

static clprims_status allocate(clp_mpi_plan *plan, clp_mpi_splitters *s, size_t boundaries) {
    const size_t bytes = s->most_probes * sizeof(cl_ulong);
    CLP_MPI_TRY(clp_mpi_plan_numbers(plan, s->most_probes, &s->asked));
    CLP_MPI_TRY(clp_mpi_plan_numbers(plan, s->most_probes, &s->found));
    CLP_MPI_TRY(clp_mpi_plan_numbers(plan, boundaries, &s->values));
    CLP_MPI_TRY(clp_mpi_plan_numbers(plan, boundaries, &s->below));
    CLP_MPI_TRY(clp_mpi_plan_numbers(plan, boundaries, &s->alike));
    CLP_MPI_TRY(clp_mpi_plan_numbers(plan, boundaries, &s->all_below));
    CLP_MPI_TRY(clp_mpi_plan_numbers(plan, boundaries, &s->before));
    CLP_MPI_TRY(clp_mpi_plan_buffer(plan, bytes, &s->probes));
    return clp_mpi_plan_buffer(plan, bytes, &s->counts);
}

clprims_status clp_mpi_splitters_create(clp_mpi_plan *plan, const clprims_sort_desc *desc,
                                        clp_mpi_splitters *s) {
    enum { MOST_PROBES = 1 << 16 };
    const size_t boundaries = (size_t)plan->mpi->ranks - 1;
    const cl_uint key_bits = 8 * (cl_uint)clprims_type_bytes(desc->type);
    const cl_uint end = desc->end_bit == 0 ? key_bits : desc->end_bit;
    s->key_bytes = key_bits / 8;
    s->order = order_of(desc);
    s->descending = desc->descending != 0;
    s->begin = desc->begin_bit;
    s->width = end - desc->begin_bit;
    for (s->digit = 8; s->digit > 1 && boundaries << s->digit > MOST_PROBES;) s->digit--;
    /* The least and the greatest key like a boundary's are two probes. */
    s->most_probes = boundaries << s->digit;
    CLP_MPI_TRY(allocate(plan, s, boundaries));
    return clp_mpi_plan_kernel(plan, "splitters.cl", "clp_mpi_count_keys", "bliiiiiblb", &s->count);
}

/* ---- Find ---- */

/* found[k]: how many of this rank's keys are not above asked[k]. */
static clprims_status count_own(const clprims_mpi *mpi, clp_mpi_splitters *s, cl_mem keys,
                                uint64_t n, size_t probes) {
    const size_t bytes = probes * sizeof(cl_ulong);
    memset(s->found, 0, bytes);
    if (n == 0 || probes == 0) return CLPRIMS_OK;
    CLP_MPI_TRY(clp_mpi_write(mpi, s->probes, 0, bytes, s->asked));
    CLP_MPI_TRY(CLP_MPI_LAUNCH(mpi, s->count, probes, CLP_MPI_VALUE(keys), CLP_MPI_LONG(n),
                               CLP_MPI_VALUE(s->key_bytes), CLP_MPI_VALUE(s->order),
                               CLP_MPI_VALUE(s->descending), CLP_MPI_VALUE(s->begin),
                               CLP_MPI_VALUE(s->width), CLP_MPI_VALUE(s->probes),
                               CLP_MPI_LONG(probes), CLP_MPI_VALUE(s->counts)));
    return clp_mpi_read(mpi, s->counts, 0, bytes, s->found);
}

/* One round: `bits` more bits of each boundary's value, from `shift` on. */
static clprims_status refine(const clprims_mpi *mpi, clp_mpi_splitters *s, cl_mem keys, uint64_t n,
                             const uint64_t *ends, cl_uint shift, cl_uint bits) {
    const size_t boundaries = (size_t)mpi->ranks - 1, steps = ((size_t)1 << bits) - 1;
    for (size_t b = 0; b < boundaries; b++)
        for (size_t k = 0; k < steps; k++) {
            s->asked[b * steps + k] = s->values[b] + ((uint64_t)(k + 1) << shift) - 1;
        }
    CLP_MPI_TRY(clp_mpi_agree(mpi, count_own(mpi, s, keys, n, boundaries * steps)));
    MPI_Allreduce(MPI_IN_PLACE, s->found, (int)(boundaries * steps), MPI_UINT64_T, MPI_SUM,
                  mpi->comm);
    for (size_t b = 0; b < boundaries; b++) {
        size_t digit = 0;
        while (digit < steps && s->found[b * steps + digit] <= ends[b + 1]) digit++;
        s->values[b] += (uint64_t)digit << shift;
    }
    return CLPRIMS_OK;
}

/* below and alike of each boundary's value. */
static clprims_status count_alike(const clprims_mpi *mpi, clp_mpi_splitters *s, cl_mem keys,
                                  uint64_t n) {
    const size_t boundaries = (size_t)mpi->ranks - 1;
    for (size_t b = 0; b < boundaries; b++) {
        s->asked[2 * b] = s->values[b] > 0 ? s->values[b] - 1 : 0;
        s->asked[2 * b + 1] = s->values[b];
    }
    CLP_MPI_TRY(clp_mpi_agree(mpi, count_own(mpi, s, keys, n, 2 * boundaries)));
    for (size_t b = 0; b < boundaries; b++) {
        s->below[b] = s->values[b] > 0 ? s->found[2 * b] : 0;
        s->alike[b] = s->found[2 * b + 1] - s->below[b];
    }
    MPI_Allreduce(s->below, s->all_below, (int)boundaries, MPI_UINT64_T, MPI_SUM, mpi->comm);
    memset(s->before, 0, boundaries * sizeof *s->before);
    MPI_Exscan(s->alike, s->before, (int)boundaries, MPI_UINT64_T, MPI_SUM, mpi->comm);
    /* Of rank 0 MPI leaves the result undefined. */
    if (mpi->rank == 0) memset(s->before, 0, boundaries * sizeof *s->before);
    return CLPRIMS_OK;
}

clprims_status clp_mpi_splitters_find(const clprims_mpi *mpi, clp_mpi_splitters *s, cl_mem keys,
                                      uint64_t n, const uint64_t *ends, uint64_t *cuts) {
    const size_t ranks = (size_t)mpi->ranks, boundaries = ranks - 1;
    cuts[0] = 0;
    cuts[ranks] = n;
    if (boundaries == 0) return CLPRIMS_OK;
    memset(s->values, 0, boundaries * sizeof *s->values);
    for (cl_uint left = s->width; left > 0;) {
        const cl_uint bits = left < s->digit ? left : s->digit;
        left -= bits;
        CLP_MPI_TRY(refine(mpi, s, keys, n, ends, left, bits));
    }
    CLP_MPI_TRY(count_alike(mpi, s, keys, n));
    for (size_t b = 0; b < boundaries; b++) {
        /* So many of all keys alike come before the boundary; the ranks before this one give first.
         */
        const uint64_t wanted = ends[b + 1] - s->all_below[b];
        const uint64_t left = wanted > s->before[b] ? wanted - s->before[b] : 0;
        cuts[b + 1] = s->below[b] + (left < s->alike[b] ? left : s->alike[b]);
    }
    return CLPRIMS_OK;
}
