/* SPDX-License-Identifier: MIT */
/* The same by Thrust, which takes its scratch from the device in every call. */
#include "cuda.h"
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

template <class T> struct below {
    T limit;
    __host__ __device__ bool operator()(T x) const { return x < limit; }
};

struct is_set {
    __host__ __device__ bool operator()(uint8_t flag) const { return flag != 0; }
};

/* The count comes back to the host, and goes where the other libraries leave it. */
template <class T> static cudaError_t keep_count(cuda_task *it, const T *end) {
    const uint64_t count = static_cast<uint64_t>(end - static_cast<const T *>(it->out[0]));
    return cudaMemcpyAsync(it->out[1], &count, sizeof count, cudaMemcpyHostToDevice);
}

template <class T> static cudaError_t scan(cuda_task *it) {
    if (it->scratch == nullptr) return cudaSuccess;
    const T *in = static_cast<const T *>(it->in[0]);
    thrust::exclusive_scan(thrust::device, in, in + it->task.n, static_cast<T *>(it->out[0]), T(0));
    return cudaGetLastError();
}

template <class T> static cudaError_t copy_if(cuda_task *it) {
    if (it->scratch == nullptr) return cudaSuccess;
    const T *in = static_cast<const T *>(it->in[0]);
    const T *end =
        thrust::copy_if(thrust::device, in, in + it->task.n, static_cast<T *>(it->out[0]),
                        below<T>{static_cast<T>(it->task.limit)});
    return keep_count(it, end);
}

static cudaError_t copy_flagged(cuda_task *it) {
    if (it->scratch == nullptr) return cudaSuccess;
    const uint32_t *in = static_cast<const uint32_t *>(it->in[0]);
    const uint32_t *end = thrust::copy_if(thrust::device, in, in + it->task.n,
                                          static_cast<const uint8_t *>(it->in[1]),
                                          static_cast<uint32_t *>(it->out[0]), is_set());
    return keep_count(it, end);
}

static cudaError_t unique(cuda_task *it) {
    if (it->scratch == nullptr) return cudaSuccess;
    const uint32_t *in = static_cast<const uint32_t *>(it->in[0]);
    const uint32_t *end = thrust::unique_copy(thrust::device, in, in + it->task.n,
                                              static_cast<uint32_t *>(it->out[0]));
    return keep_count(it, end);
}

/* Thrust sorts in place; the copy is timed, too. */
template <class T> static cudaError_t sort(cuda_task *it) {
    if (it->scratch == nullptr) return cudaSuccess;
    const T *in = static_cast<const T *>(it->in[0]);
    T *out = static_cast<T *>(it->out[0]);
    thrust::copy(thrust::device, in, in + it->task.n, out);
    thrust::sort(thrust::device, out, out + it->task.n);
    return cudaGetLastError();
}

static cuda_launch *sort_of(peer_type type) {
    switch (type) {
    case PEER_U32:
        return sort<uint32_t>;
    case PEER_U64:
        return sort<uint64_t>;
    case PEER_F32:
        return sort<float>;
    default:
        return nullptr;
    }
}

cuda_launch *thrust_of(const peer_task *task) {
    const bool is_u32 = task->type == PEER_U32;
    switch (task->primitive) {
    case PEER_SCAN:
        if (task->type == PEER_I32) return scan<int32_t>;
        if (task->type == PEER_I64) return scan<int64_t>;
        if (task->type == PEER_F32) return scan<float>;
        return nullptr;
    case PEER_SELECT_IF:
        if (task->type == PEER_U8) return copy_if<uint8_t>;
        if (task->type == PEER_U16) return copy_if<uint16_t>;
        if (task->type == PEER_U64) return copy_if<uint64_t>;
        return is_u32 ? copy_if<uint32_t> : nullptr;
    case PEER_SELECT_FLAGGED:
        return is_u32 ? copy_flagged : nullptr;
    case PEER_UNIQUE:
        return is_u32 ? unique : nullptr;
    case PEER_SORT:
        return sort_of(task->type);
    case PEER_LOWER_BOUND:
        return thrust_search_of(task);
    default:
        return nullptr;
    }
}
