/* SPDX-License-Identifier: MIT */
/* Sums by CUB. */
#include "cuda.h"
#include <cub/cub.cuh>

template <class T> static cudaError_t reduce(cuda_task *it) {
    return cub::DeviceReduce::Sum(it->scratch, it->scratch_bytes, static_cast<const T *>(it->in[0]),
                                  static_cast<T *>(it->out[0]), static_cast<uint32_t>(it->task.n));
}

cuda_launch *cub_reduce_of(const peer_task *task) {
    if (task->primitive != PEER_REDUCE) return nullptr;
    switch (task->type) {
    case PEER_I8:
        return reduce<int8_t>;
    case PEER_I16:
        return reduce<int16_t>;
    case PEER_I32:
        return reduce<int32_t>;
    case PEER_I64:
        return reduce<int64_t>;
    case PEER_F32:
        return reduce<float>;
    case PEER_F64:
        return reduce<double>;
    default:
        return nullptr;
    }
}
