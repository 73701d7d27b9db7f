/* SPDX-License-Identifier: MIT */
/* Compaction by CUB: by a predicate and by flags. */
#include "cuda.h"
#include <cub/cub.cuh>

template <class T> struct below {
    T limit;
    __host__ __device__ bool operator()(T x) const { return x < limit; }
};

template <class T> static cudaError_t select_if(cuda_task *it) {
    const below<T> predicate{static_cast<T>(it->task.limit)};
    return cub::DeviceSelect::If(it->scratch, it->scratch_bytes, static_cast<const T *>(it->in[0]),
                                 static_cast<T *>(it->out[0]), static_cast<uint64_t *>(it->out[1]),
                                 static_cast<int64_t>(it->task.n), predicate);
}

static cudaError_t select_flagged(cuda_task *it) {
    return cub::DeviceSelect::Flagged(
        it->scratch, it->scratch_bytes, static_cast<const uint32_t *>(it->in[0]),
        static_cast<const uint8_t *>(it->in[1]), static_cast<uint32_t *>(it->out[0]),
        static_cast<uint64_t *>(it->out[1]), static_cast<int64_t>(it->task.n));
}

static cuda_launch *select_if_of(peer_type type) {
    switch (type) {
    case PEER_U8:
        return select_if<uint8_t>;
    case PEER_U16:
        return select_if<uint16_t>;
    case PEER_U32:
        return select_if<uint32_t>;
    case PEER_U64:
        return select_if<uint64_t>;
    default:
        return nullptr;
    }
}

cuda_launch *cub_select_of(const peer_task *task) {
    if (task->primitive == PEER_SELECT_IF) return select_if_of(task->type);
    return task->primitive == PEER_SELECT_FLAGGED && task->type == PEER_U32 ? select_flagged
                                                                            : nullptr;
}
