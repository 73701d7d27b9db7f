/* SPDX-License-Identifier: MIT */
/* CUB's functions of a thread block, in a kernel that does nothing else. */
#include "../cuda.h"
#include <cub/cub.cuh>

/* In dynamic memory, since a sort of 16384 elements takes more than static memory may. */
template <int what, int group, int items> union rooms {
    typename cub::BlockScan<uint32_t, group, cub::BLOCK_SCAN_WARP_SCANS>::TempStorage scan;
    typename cub::BlockReduce<uint32_t, group>::TempStorage reduce;
    typename cub::BlockRadixSort<uint32_t, group, items>::TempStorage sort;
};

template <int what, int group, int items>
__global__ void __launch_bounds__(group) rounds(const uint32_t *in, uint32_t *out) {
    using scan = cub::BlockScan<uint32_t, group, cub::BLOCK_SCAN_WARP_SCANS>;
    using reduce = cub::BlockReduce<uint32_t, group>;
    using sort = cub::BlockRadixSort<uint32_t, group, items>;
    extern __shared__ __align__(16) char memory[];
    rooms<what, group, items> &room = *reinterpret_cast<rooms<what, group, items> *>(memory);
    const size_t first = static_cast<size_t>(blockIdx.x) * group * items + threadIdx.x * items;
    uint32_t x[items];
    for (int j = 0; j < items; j++) x[j] = in[first + j];
    for (uint32_t round = 0; round < PEER_BLOCK_ROUNDS; round++) {
        for (int j = 0; j < items; j++) x[j] = x[j] * 2654435761u + round;
        if (what == PEER_BLOCK_SCAN) scan(room.scan).InclusiveSum(x, x);
        if (what == PEER_BLOCK_REDUCE) {
            const uint32_t sum = reduce(room.reduce).Sum(x);
            if (threadIdx.x == 0) x[0] += sum;
        }
        if (what == PEER_BLOCK_SORT) sort(room.sort).Sort(x);
        __syncthreads();
    }
    for (int j = 0; j < items; j++) out[first + j] = x[j];
}

template <int what, int group, int items> static cudaError_t run(cuda_task *it) {
    const size_t sorts = sizeof(rooms<what, group, items>);
    const size_t bytes = what == PEER_BLOCK_SORT ? sorts : 4096;
    if (it->scratch == nullptr)
        return cudaFuncSetAttribute(rounds<what, group, items>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(bytes));
    const unsigned blocks = static_cast<unsigned>(it->task.n / (group * items));
    rounds<what, group, items><<<blocks, group, bytes>>>(static_cast<const uint32_t *>(it->in[0]),
                                                         static_cast<uint32_t *>(it->out[0]));
    return cudaGetLastError();
}

template <int what, int group> static cuda_launch *of_items(size_t items) {
    return items == 1    ? run<what, group, 1>
           : items == 4  ? run<what, group, 4>
           : items == 16 ? run<what, group, 16>
                         : nullptr;
}

template <int what> static cuda_launch *of_group(const peer_task *task) {
    if (task->primitive != what) return nullptr;
    return task->limit == 256    ? of_items<what, 256>(task->length)
           : task->limit == 1024 ? of_items<what, 1024>(task->length)
                                 : nullptr;
}

cuda_launch *cub_block_of(const peer_task *task) {
    cuda_launch *const ways[] = {of_group<PEER_BLOCK_SCAN>(task), of_group<PEER_BLOCK_REDUCE>(task),
                                 of_group<PEER_BLOCK_SORT>(task)};
    for (cuda_launch *way : ways)
        if (way != nullptr) return way;
    return nullptr;
}
