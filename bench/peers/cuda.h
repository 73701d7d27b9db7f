/* SPDX-License-Identifier: MIT */
/* What the CUDA peers share. Each primitive is a file of its own, since nvcc takes long. */
#ifndef BENCH_PEERS_CUDA_H
#define BENCH_PEERS_CUDA_H

#include "peers.h"
#include <cuda_runtime.h>

struct cuda_task {
    peer_task task;
    void *in[PEER_INPUTS], *out[PEER_OUTPUTS];
    void *scratch;
    size_t scratch_bytes;
    cudaEvent_t before, after;
    /* Enqueues one run; with scratch == NULL only sets scratch_bytes. */
    cudaError_t (*launch)(cuda_task *task);
};

typedef cudaError_t cuda_launch(cuda_task *task);

/* How CUB or Thrust does a task, or NULL. */
cuda_launch *cub_scan_of(const peer_task *task);
cuda_launch *cub_reduce_of(const peer_task *task);
cuda_launch *cub_select_of(const peer_task *task);
cuda_launch *cub_runs_of(const peer_task *task);
cuda_launch *cub_offsets_of(const peer_task *task);
cuda_launch *cub_segmented_of(const peer_task *task);
cuda_launch *cub_sort_of(const peer_task *task);
cuda_launch *cub_topk_of(const peer_task *task);
cuda_launch *cub_block_of(const peer_task *task);
cuda_launch *cub_merge_of(const peer_task *task);
cuda_launch *thrust_search_of(const peer_task *task);
cuda_launch *thrust_of(const peer_task *task);

#endif
