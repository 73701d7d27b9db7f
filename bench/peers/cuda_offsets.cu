/* SPDX-License-Identifier: MIT */
/* Offsets of starts and stops by CUB: a sum over a transform iterator, without validation. */
#include "cuda.h"
#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

template <class C> struct length_at {
    const C *starts, *stops;
    __host__ __device__ int64_t operator()(int64_t i) const {
        return static_cast<int64_t>(stops[i]) - static_cast<int64_t>(starts[i]);
    }
};

template <class C> static cudaError_t offsets(cuda_task *it) {
    const auto lengths = thrust::make_transform_iterator(
        thrust::counting_iterator<int64_t>(0),
        length_at<C>{static_cast<const C *>(it->in[0]), static_cast<const C *>(it->in[1])});
    int64_t *out = static_cast<int64_t *>(it->out[0]);
    if (it->scratch != nullptr) {
        const cudaError_t status = cudaMemsetAsync(out, 0, sizeof *out);
        if (status != cudaSuccess) return status;
    }
    return cub::DeviceScan::InclusiveSum(it->scratch, it->scratch_bytes, lengths, out + 1,
                                         static_cast<int64_t>(it->task.n));
}

cuda_launch *cub_offsets_of(const peer_task *task) {
    if (task->primitive != PEER_OFFSETS) return nullptr;
    if (task->type == PEER_I32) return offsets<int32_t>;
    if (task->type == PEER_U32) return offsets<uint32_t>;
    return task->type == PEER_I64 ? offsets<int64_t> : nullptr;
}
