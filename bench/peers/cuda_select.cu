/* SPDX-License-Identifier: MIT */
/* Compaction by CUB: by a predicate and by flags. */
#include "cuda.h"
#include <cub/cub.cuh>

struct below {
    uint32_t limit;
    __host__ __device__ bool operator()(uint32_t x) const { return x < limit; }
};

static cudaError_t select_if(cuda_task *it) {
    const below predicate{static_cast<uint32_t>(it->task.limit)};
    return cub::DeviceSelect::If(
        it->scratch, it->scratch_bytes, static_cast<const uint32_t *>(it->in[0]),
        static_cast<uint32_t *>(it->out[0]), static_cast<uint64_t *>(it->out[1]),
        static_cast<int64_t>(it->task.n), predicate);
}

static cudaError_t select_flagged(cuda_task *it) {
    return cub::DeviceSelect::Flagged(
        it->scratch, it->scratch_bytes, static_cast<const uint32_t *>(it->in[0]),
        static_cast<const uint8_t *>(it->in[1]), static_cast<uint32_t *>(it->out[0]),
        static_cast<uint64_t *>(it->out[1]), static_cast<int64_t>(it->task.n));
}

cuda_launch *cub_select_of(const peer_task *task) {
    if (task->type != PEER_U32) return nullptr;
    if (task->primitive == PEER_SELECT_IF) return select_if;
    return task->primitive == PEER_SELECT_FLAGGED ? select_flagged : nullptr;
}
