/* SPDX-License-Identifier: MIT */
/* Merge by CUB, which has it from 2.7 on; lower bounds by Thrust. */
#include "cuda.h"
#include <cub/cub.cuh>
#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>

#if CUB_VERSION >= 200700
template <class T> static cudaError_t merge(cuda_task *it) {
    const int n_a = static_cast<int>(it->task.in_bytes[0] / sizeof(T));
    const int n_b = static_cast<int>(it->task.in_bytes[1] / sizeof(T));
    return cub::DeviceMerge::MergeKeys(
        it->scratch, it->scratch_bytes, static_cast<const T *>(it->in[0]), n_a,
        static_cast<const T *>(it->in[1]), n_b, static_cast<T *>(it->out[0]));
}

cuda_launch *cub_merge_of(const peer_task *task) {
    if (task->primitive != PEER_MERGE || task->n > INT32_MAX) return nullptr;
    return task->type == PEER_U32   ? merge<uint32_t>
           : task->type == PEER_U64 ? merge<uint64_t>
                                    : nullptr;
}
#else
cuda_launch *cub_merge_of(const peer_task *) {
    return nullptr;
}
#endif

template <class T> static cudaError_t search(cuda_task *it) {
    if (it->scratch == nullptr) return cudaSuccess;
    const T *sorted = static_cast<const T *>(it->in[0]);
    const T *needles = static_cast<const T *>(it->in[1]);
    const size_t n_sorted = it->task.in_bytes[0] / sizeof(T);
    thrust::lower_bound(thrust::device, sorted, sorted + n_sorted, needles, needles + it->task.n,
                        static_cast<uint32_t *>(it->out[0]));
    return cudaGetLastError();
}

cuda_launch *thrust_search_of(const peer_task *task) {
    if (task->primitive != PEER_LOWER_BOUND) return nullptr;
    return task->type == PEER_U32   ? search<uint32_t>
           : task->type == PEER_U64 ? search<uint64_t>
                                    : nullptr;
}
