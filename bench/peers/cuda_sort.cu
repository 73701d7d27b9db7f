/* SPDX-License-Identifier: MIT */
/* Radix sort by CUB: keys and pairs, with the outputs apart from the inputs; keys in segments. */
#include "cuda.h"
#include <cub/cub.cuh>

template <class K> static cudaError_t keys(cuda_task *it) {
    return cub::DeviceRadixSort::SortKeys(
        it->scratch, it->scratch_bytes, static_cast<const K *>(it->in[0]),
        static_cast<K *>(it->out[0]), static_cast<int64_t>(it->task.n));
}

template <class K, class V> static cudaError_t pairs(cuda_task *it) {
    return cub::DeviceRadixSort::SortPairs(
        it->scratch, it->scratch_bytes, static_cast<const K *>(it->in[0]),
        static_cast<K *>(it->out[0]), static_cast<const V *>(it->in[1]),
        static_cast<V *>(it->out[1]), static_cast<int64_t>(it->task.n));
}

static cudaError_t segments(cuda_task *it) {
    const auto *offsets = static_cast<const int64_t *>(it->in[1]);
    const auto count = static_cast<int64_t>(it->task.in_bytes[1] / sizeof *offsets) - 1;
    return cub::DeviceSegmentedSort::SortKeys(
        it->scratch, it->scratch_bytes, static_cast<const uint32_t *>(it->in[0]),
        static_cast<uint32_t *>(it->out[0]), static_cast<int64_t>(it->task.n), count, offsets,
        offsets + 1);
}

static cuda_launch *keys_of(peer_type type) {
    switch (type) {
    case PEER_U8:
        return keys<uint8_t>;
    case PEER_U16:
        return keys<uint16_t>;
    case PEER_U32:
        return keys<uint32_t>;
    case PEER_U64:
        return keys<uint64_t>;
    case PEER_F32:
        return keys<float>;
    case PEER_F64:
        return keys<double>;
    default:
        return nullptr;
    }
}

static cuda_launch *pairs_of(const peer_task *task) {
    const bool is_long = task->in_bytes[1] == task->n * sizeof(uint64_t);
    if (task->type == PEER_U32)
        return is_long ? pairs<uint32_t, uint64_t> : pairs<uint32_t, uint32_t>;
    if (task->type != PEER_U64) return nullptr;
    return is_long ? pairs<uint64_t, uint64_t> : pairs<uint64_t, uint32_t>;
}

cuda_launch *cub_sort_of(const peer_task *task) {
    if (task->primitive == PEER_SORT) return keys_of(task->type);
    if (task->primitive == PEER_SEGMENTED_SORT) {
        return task->type == PEER_U32 ? segments : nullptr;
    }
    return task->primitive == PEER_SORT_PAIRS ? pairs_of(task) : nullptr;
}
