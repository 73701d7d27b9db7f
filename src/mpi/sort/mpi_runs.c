/* SPDX-License-Identifier: MIT */
/* Merging sorted runs, two at a time: equal keys of lower ranks stay in front. */
#include "mpi/sort/mpi_runs.h"

/* ---- Create ---- */

static bool is_merged(const clprims_sort_desc *desc) {
    const bool is_float = desc->type == CLPRIMS_F32;
    const unsigned bits = 8 * (unsigned)clprims_type_bytes(desc->type);
    const bool has_all_bits = desc->begin_bit == 0 && (desc->end_bit == 0 || desc->end_bit == bits);
    return desc->payloads <= 1 && has_all_bits && desc->type != CLPRIMS_F64 &&
           (!is_float || desc->floats == CLPRIMS_SORT_NAN_LAST);
}

clprims_status clp_mpi_runs_create(clp_mpi_plan *plan, const clprims_sort_desc *desc,
                                   clp_mpi_runs *runs) {
    clprims_merge_desc merge = {0};
    const size_t most = desc->max_n > 0 ? desc->max_n : 1;
    if (!is_merged(desc)) return CLPRIMS_OK;
    runs->mpi = plan->mpi;
    runs->payload_bytes = desc->payloads > 0 ? desc->payload_bytes[0] : 0;
    merge.type = desc->type;
    merge.max_n = merge.max_n_b = most;
    merge.payload_bytes = runs->payload_bytes;
    if (desc->descending) {
        merge.less = desc->type == CLPRIMS_F32 ? "a > b || (isnan(b) && !isnan(a))" : "a > b";
    }
    CLP_MPI_TRY(CLP_MPI_CORE(plan, merge, &runs->plan, &merge));
    CLP_MPI_TRY(clp_mpi_plan_buffer(plan, most * clprims_type_bytes(desc->type), &runs->keys));
    if (desc->payloads == 0) return CLPRIMS_OK;
    return clp_mpi_plan_buffer(plan, most * runs->payload_bytes, &runs->payload);
}

/* ---- Merge ---- */

bool clp_mpi_runs_begin_inside(size_t count) {
    bool is_odd = false;
    for (; count > 1; count = (count + 1) / 2) is_odd = !is_odd;
    return is_odd;
}

static clprims_buffer behind(clprims_buffer buffer, uint64_t first) {
    return (clprims_buffer){buffer.mem, buffer.first + (size_t)first};
}

/* Runs [low, middle) and [middle, high), which may be empty, of one array to the same places. */
static clprims_status merge_two(const clp_mpi_runs *runs, const clprims_buffer *from,
                                const clprims_buffer *to, uint64_t low, uint64_t middle,
                                uint64_t high) {
    clprims_merge_buffers buffers = {0};
    buffers.a = behind(from[0], low);
    buffers.b = behind(from[0], middle);
    buffers.out = behind(to[0], low);
    buffers.sizes.n_b = (size_t)(high - middle);
    if (runs->payload_bytes > 0) {
        buffers.payload_a = behind(from[1], low);
        buffers.payload_b = behind(from[1], middle);
        buffers.payload_out = behind(to[1], low);
    }
    return CLP_MPI_ENQUEUE(merge, runs->mpi, runs->plan, (size_t)(middle - low), &buffers);
}

clprims_status clp_mpi_runs_merge(const clp_mpi_runs *runs, clprims_buffer keys,
                                  clprims_buffer payload, size_t count, uint64_t *bounds) {
    const clprims_buffer arrays[2][2] = {{keys, payload}, {{runs->keys, 0}, {runs->payload, 0}}};
    size_t from = clp_mpi_runs_begin_inside(count);
    const uint64_t end = bounds[count];
    for (; count > 1; from = 1 - from) {
        const size_t merged = (count + 1) / 2;
        for (size_t k = 0; k < merged; k++) {
            const uint64_t high = 2 * k + 2 < count ? bounds[2 * k + 2] : end;
            const uint64_t middle = 2 * k + 1 < count ? bounds[2 * k + 1] : end;
            CLP_MPI_TRY(
                merge_two(runs, arrays[from], arrays[1 - from], bounds[2 * k], middle, high));
        }
        for (size_t k = 0; k < merged; k++) bounds[k] = bounds[2 * k];
        count = merged;
    }
    return clp_mpi_finish(runs->mpi);
}
