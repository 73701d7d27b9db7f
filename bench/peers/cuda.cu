/* SPDX-License-Identifier: MIT */
/* CUB and Thrust as peers: memory, events, and the module's list. */
#include "cuda.h"
#include <chrono>
#include <cstdio>
#include <cstring>
#include <cub/version.cuh>
#include <exception>
#include <new>
#include <thrust/version.h>

/* Long enough for the host to submit what is timed. */
static const unsigned long long SPACER_NANOSECONDS = 150000;

static __global__ void wait_a_while(unsigned long long nanoseconds) {
    unsigned long long began, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(began));
    do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - began < nanoseconds);
}

static const char *why(cudaError_t status) {
    return status == cudaSuccess ? nullptr : cudaGetErrorString(status);
}

static cuda_launch *cub_of(const peer_task *task) {
    if (task->n > UINT32_MAX) return nullptr;
    cuda_launch *const ways[] = {cub_scan_of(task),      cub_select_of(task), cub_runs_of(task),
                                 cub_offsets_of(task),   cub_reduce_of(task), cub_sort_of(task),
                                 cub_segmented_of(task), cub_merge_of(task),  cub_topk_of(task),
                                 cub_block_of(task)};
    for (cuda_launch *way : ways)
        if (way != nullptr) return way;
    return nullptr;
}

static const char *refuses(const peer_device *device) {
    static char text[200];
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) return "no CUDA device is here";
    cudaDeviceProp properties;
    for (int k = 0; k < count; k++)
        if (cudaGetDeviceProperties(&properties, k) == cudaSuccess &&
            strcmp(properties.name, device->name) == 0)
            return why(cudaSetDevice(k));
    snprintf(text, sizeof text, "%s is no CUDA device", device->name);
    return text;
}

static const char *create(void **state, const peer_task *task, cuda_launch *launch) {
    cuda_task *it = new (std::nothrow) cuda_task();
    if (it == nullptr) return "no host memory";
    *state = it;
    it->task = *task;
    it->launch = launch;
    cudaError_t status = cudaEventCreate(&it->before);
    if (status == cudaSuccess) status = cudaEventCreate(&it->after);
    for (int k = 0; k < PEER_INPUTS; k++)
        if (status == cudaSuccess && task->in_bytes[k] > 0)
            status = cudaMalloc(&it->in[k], task->in_bytes[k]);
    for (int k = 0; k < PEER_OUTPUTS; k++)
        if (status == cudaSuccess && task->out_bytes[k] > 0)
            status = cudaMalloc(&it->out[k], task->out_bytes[k]);
    if (status == cudaSuccess) status = launch(it);
    if (status == cudaSuccess)
        status = cudaMalloc(&it->scratch, it->scratch_bytes > 0 ? it->scratch_bytes : 1);
    return why(status);
}

static const char *create_cub(void **state, const peer_task *task, const peer_device *) {
    return create(state, task, cub_of(task));
}

static const char *create_thrust(void **state, const peer_task *task, const peer_device *) {
    return create(state, task, thrust_of(task));
}

static const char *write_input(void *state, int input, size_t first_byte, size_t bytes,
                               const void *from) {
    cuda_task *it = static_cast<cuda_task *>(state);
    return why(cudaMemcpy(static_cast<char *>(it->in[input]) + first_byte, from, bytes,
                          cudaMemcpyHostToDevice));
}

static const char *read_output(void *state, int output, size_t first_byte, size_t bytes, void *to) {
    const cuda_task *it = static_cast<const cuda_task *>(state);
    return why(cudaMemcpy(to, static_cast<const char *>(it->out[output]) + first_byte, bytes,
                          cudaMemcpyDeviceToHost));
}

static const char *poison(void *state) {
    const cuda_task *it = static_cast<const cuda_task *>(state);
    for (int k = 0; k < PEER_OUTPUTS; k++)
        if (it->out[k] != nullptr) {
            const cudaError_t status = cudaMemset(it->out[k], 0xa5, it->task.out_bytes[k]);
            if (status != cudaSuccess) return why(status);
        }
    return why(cudaDeviceSynchronize());
}

static cudaError_t run_once(cuda_task *it, peer_seconds *seconds) {
    float milliseconds = 0;
    wait_a_while<<<1, 1>>>(SPACER_NANOSECONDS);
    cudaError_t status = cudaEventRecord(it->before);
    if (status == cudaSuccess) status = it->launch(it);
    if (status == cudaSuccess) status = cudaEventRecord(it->after);
    if (status == cudaSuccess) status = cudaEventSynchronize(it->after);
    if (status == cudaSuccess) status = cudaEventElapsedTime(&milliseconds, it->before, it->after);
    if (status == cudaSuccess) status = cudaDeviceSynchronize();
    if (status != cudaSuccess) return status;
    seconds->device = milliseconds * 1e-3;
    const auto began = std::chrono::steady_clock::now();
    status = it->launch(it);
    if (status == cudaSuccess) status = cudaDeviceSynchronize();
    seconds->wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return status;
}

static const char *run(void *state, peer_seconds *seconds) {
    static char text[200];
    try {
        return why(run_once(static_cast<cuda_task *>(state), seconds));
    } catch (const std::exception &error) {
        snprintf(text, sizeof text, "%s", error.what());
        return text;
    }
}

static void destroy(void *state) {
    cuda_task *it = static_cast<cuda_task *>(state);
    if (it == nullptr) return;
    for (void *memory : it->in) cudaFree(memory);
    for (void *memory : it->out) cudaFree(memory);
    cudaFree(it->scratch);
    if (it->before != nullptr) cudaEventDestroy(it->before);
    if (it->after != nullptr) cudaEventDestroy(it->after);
    delete it;
}

static bool cub_knows(const peer_task *task) {
    return cub_of(task) != nullptr;
}

static bool thrust_knows(const peer_task *task) {
    return thrust_of(task) != nullptr;
}

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

static const peer_library cub_peer = {
    "CUB",       TEXT(CUB_VERSION), false,  refuses, cub_knows, create_cub,
    write_input, read_output,       poison, run,     destroy};
static const peer_library thrust_peer = {
    "Thrust",    TEXT(THRUST_VERSION), false,  refuses, thrust_knows, create_thrust,
    write_input, read_output,          poison, run,     destroy};
static const peer_library *const libraries[] = {&cub_peer, &thrust_peer, nullptr};

extern "C" const peer_library *const *peer_libraries(void) {
    return libraries;
}
