/* SPDX-License-Identifier: MIT */
/* Digests of descriptions, by which ranks see that theirs are the same. Members that are a rank's
 * own are left out: max_n, and the sizes of a min-plus product. */
#ifndef CLP_MPI_DIGEST_H
#define CLP_MPI_DIGEST_H

#include <clprims/mpi.h>

/* Of descriptions that the core has accepted. */
uint64_t clp_mpi_digest_reduce(const clprims_reduce_desc *desc);
uint64_t clp_mpi_digest_scan(const clprims_scan_desc *desc);
uint64_t clp_mpi_digest_select(const clprims_select_desc *desc);
uint64_t clp_mpi_digest_offsets(const clprims_offsets_desc *desc);
uint64_t clp_mpi_digest_sort(const clprims_sort_desc *desc);
uint64_t clp_mpi_digest_list(const clprims_list_desc *desc);
uint64_t clp_mpi_digest_minplus(const clprims_minplus_desc *desc);
uint64_t clp_mpi_digest_paths(const clprims_paths_desc *desc);

/* Bytes of the value that a reduction of elements of `type` has. */
size_t clp_mpi_value_bytes(clprims_type type, clprims_type accumulator,
                           const clprims_custom *custom);

#endif
