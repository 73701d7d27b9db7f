/* SPDX-License-Identifier: MIT */
/* Sums and histograms by CUB. */
#include "cuda.h"
#include <cub/cub.cuh>

template <class T> static cudaError_t reduce(cuda_task *it) {
    return cub::DeviceReduce::Sum(it->scratch, it->scratch_bytes, static_cast<const T *>(it->in[0]),
                                  static_cast<T *>(it->out[0]), static_cast<uint32_t>(it->task.n));
}

/* Levels are doubles, as floats put some elements of 32 bits into the bin above. */
template <class T> static cudaError_t histogram(cuda_task *it) {
    const double end = sizeof(T) == 1 ? 256.0 : 4294967296.0;
    return cub::DeviceHistogram::HistogramEven(
        it->scratch, it->scratch_bytes, static_cast<const T *>(it->in[0]),
        static_cast<unsigned *>(it->out[0]), static_cast<int>(it->task.limit) + 1, 0.0, end,
        static_cast<int64_t>(it->task.n));
}

cuda_launch *cub_reduce_of(const peer_task *task) {
    if (task->primitive == PEER_HISTOGRAM) {
        /* Beyond, CUB 3.0.1 leaves its memory ("an illegal memory access"), and nothing else of
         * CUDA works in that process any more. */
        if (task->limit > 1 << 20) return nullptr;
        if (task->type == PEER_U8) return histogram<uint8_t>;
        return task->type == PEER_U32 ? histogram<uint32_t> : nullptr;
    }
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
