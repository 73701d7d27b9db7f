/* SPDX-License-Identifier: MIT */
/* Exclusive sums by CUB. */
#include "cuda.h"
#include <cub/cub.cuh>

template <class T> static cudaError_t scan(cuda_task *it) {
    return cub::DeviceScan::ExclusiveSum(
        it->scratch, it->scratch_bytes, static_cast<const T *>(it->in[0]),
        static_cast<T *>(it->out[0]), static_cast<uint32_t>(it->task.n));
}

cuda_launch *cub_scan_of(const peer_task *task) {
    if (task->primitive != PEER_SCAN) return nullptr;
    switch (task->type) {
    case PEER_I8:
        return scan<int8_t>;
    case PEER_I16:
        return scan<int16_t>;
    case PEER_I32:
        return scan<int32_t>;
    case PEER_I64:
        return scan<int64_t>;
    case PEER_F32:
        return scan<float>;
    case PEER_F64:
        return scan<double>;
    default:
        return nullptr;
    }
}
