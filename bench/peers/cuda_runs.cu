/* SPDX-License-Identifier: MIT */
/* Runs of equal elements by CUB: their first elements, and their lengths too. */
#include "cuda.h"
#include <cub/cub.cuh>

static cudaError_t unique(cuda_task *it) {
    return cub::DeviceSelect::Unique(
        it->scratch, it->scratch_bytes, static_cast<const uint32_t *>(it->in[0]),
        static_cast<uint32_t *>(it->out[0]), static_cast<uint64_t *>(it->out[1]),
        static_cast<int64_t>(it->task.n));
}

static cudaError_t encode(cuda_task *it) {
    return cub::DeviceRunLengthEncode::Encode(
        it->scratch, it->scratch_bytes, static_cast<const uint32_t *>(it->in[0]),
        static_cast<uint32_t *>(it->out[0]), static_cast<uint32_t *>(it->out[2]),
        static_cast<uint64_t *>(it->out[1]), static_cast<int64_t>(it->task.n));
}

cuda_launch *cub_runs_of(const peer_task *task) {
    if (task->type != PEER_U32) return nullptr;
    if (task->primitive == PEER_UNIQUE) return unique;
    return task->primitive == PEER_ENCODE ? encode : nullptr;
}
