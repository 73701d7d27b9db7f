/* SPDX-License-Identifier: MIT */
/* Sums of segments by offsets, scans and sums of runs of equal keys, by CUB. */
#include "cuda.h"
#include <cub/cub.cuh>

struct add {
    __host__ __device__ uint32_t operator()(uint32_t a, uint32_t b) const { return a + b; }
};

static cudaError_t segmented_sum(cuda_task *it) {
    const int64_t *offsets = static_cast<const int64_t *>(it->in[1]);
    const int64_t segments = static_cast<int64_t>(it->task.in_bytes[1] / sizeof *offsets) - 1;
    return cub::DeviceSegmentedReduce::Sum(
        it->scratch, it->scratch_bytes, static_cast<const float *>(it->in[0]),
        static_cast<float *>(it->out[0]), segments, offsets, offsets + 1);
}

/* CUB has segments of one length from 3.1 on. */
#if CUB_VERSION >= 300100
static cudaError_t row_sum(cuda_task *it) {
    const int64_t rows = static_cast<int64_t>(it->task.n / it->task.length);
    return cub::DeviceSegmentedReduce::Sum(
        it->scratch, it->scratch_bytes, static_cast<const float *>(it->in[0]),
        static_cast<float *>(it->out[0]), rows, static_cast<int>(it->task.length));
}
#else
static cuda_launch *const row_sum = nullptr;
#endif

static cudaError_t scan_by_key(cuda_task *it) {
    return cub::DeviceScan::InclusiveSumByKey(
        it->scratch, it->scratch_bytes, static_cast<const uint32_t *>(it->in[1]),
        static_cast<const uint32_t *>(it->in[0]), static_cast<uint32_t *>(it->out[0]),
        static_cast<uint32_t>(it->task.n));
}

static cudaError_t sum_by_key(cuda_task *it) {
    return cub::DeviceReduce::ReduceByKey(
        it->scratch, it->scratch_bytes, static_cast<const uint32_t *>(it->in[1]),
        static_cast<uint32_t *>(it->out[1]), static_cast<const uint32_t *>(it->in[0]),
        static_cast<uint32_t *>(it->out[0]), static_cast<uint64_t *>(it->out[2]), add(),
        static_cast<uint32_t>(it->task.n));
}

cuda_launch *cub_segmented_of(const peer_task *task) {
    if (task->primitive == PEER_SEGMENTED_SUM && task->type == PEER_F32) return segmented_sum;
    if (task->primitive == PEER_ROW_SUM && task->type == PEER_F32) return row_sum;
    if (task->type != PEER_I32) return nullptr;
    if (task->primitive == PEER_SCAN_BY_KEY) return scan_by_key;
    return task->primitive == PEER_SUM_BY_KEY ? sum_by_key : nullptr;
}
