/* SPDX-License-Identifier: MIT */
/* The greatest elements of one array and of each of many rows, which CUB has from 3.5 on. Its
 * results are in no order, and of equal elements it takes any. Segments have a length that is known
 * when CUB is compiled, as CUB advises: those that the suite measures. */
#include "cuda.h"
#include <cub/cub.cuh>

#if CUB_VERSION >= 300500
#include <cub/device/device_batched_topk.cuh>
#include <cub/device/device_topk.cuh>
#include <cuda/argument>
#include <cuda/iterator>

namespace execution = cuda::execution;

template <class T> static cudaError_t of_one(cuda_task *it) {
    const auto environment = cuda::std::execution::env{execution::require(
        execution::determinism::not_guaranteed, execution::output_ordering::unsorted)};
    return cub::DeviceTopK::MaxPairs(
        it->scratch, it->scratch_bytes, static_cast<const T *>(it->in[0]),
        static_cast<T *>(it->out[0]), cuda::make_counting_iterator<uint32_t>(0),
        static_cast<uint32_t *>(it->out[1]), static_cast<uint32_t>(it->task.n),
        static_cast<uint32_t>(it->task.limit), environment);
}

template <int length, int k> static cudaError_t of_rows(cuda_task *it) {
    const auto environment = cuda::std::execution::env{execution::require(
        execution::determinism::not_guaranteed, execution::tie_break::unspecified,
        execution::output_ordering::unsorted)};
    const auto rows = [](auto *first, int stride) {
        return cuda::make_strided_iterator(cuda::make_counting_iterator(first), stride);
    };
    return cub::DeviceBatchedTopK::MaxPairs(
        it->scratch, it->scratch_bytes, rows(static_cast<float *>(it->in[0]), length),
        rows(static_cast<float *>(it->out[0]), k),
        cuda::make_constant_iterator(cuda::make_counting_iterator<uint32_t>(0)),
        rows(static_cast<uint32_t *>(it->out[1]), k), cuda::args::constant<length>{},
        cuda::args::constant<k>{},
        cuda::args::immediate{static_cast<cuda::std::int64_t>(it->task.n / length)}, environment);
}

cuda_launch *cub_topk_of(const peer_task *task) {
    if (task->primitive != PEER_TOP_K) return nullptr;
    if (task->length == 0) {
        return task->type == PEER_U32   ? of_one<uint32_t>
               : task->type == PEER_F32 ? of_one<float>
                                        : nullptr;
    }
    if (task->type != PEER_F32 || task->n % task->length != 0) return nullptr;
    if (task->length == 128 && task->limit == 10) return of_rows<128, 10>;
    if (task->length == 1024 && task->limit == 32) return of_rows<1024, 32>;
    return task->length == 4096 && task->limit == 32 ? of_rows<4096, 32> : nullptr;
}
#else
cuda_launch *cub_topk_of(const peer_task *) {
    return nullptr;
}
#endif
