/* SPDX-License-Identifier: MIT */
/* The C++ standard library on one core. */
#include "host.h"
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

static uint64_t *count_of(host_task *it) {
    return static_cast<uint64_t *>(it->out[1]);
}

template <class T> static void scan(host_task *it) {
    const T *in = static_cast<const T *>(it->in[0]);
    std::exclusive_scan(in, in + it->task.n, static_cast<T *>(it->out[0]), T(0));
}

template <class T> static void reduce(host_task *it) {
    const T *in = static_cast<const T *>(it->in[0]);
    *static_cast<T *>(it->out[0]) = std::reduce(in, in + it->task.n, T(0));
}

template <class T> static void copy_if(host_task *it) {
    const T *in = static_cast<const T *>(it->in[0]);
    const T limit = static_cast<T>(it->task.limit);
    T *out = static_cast<T *>(it->out[0]);
    *count_of(it) = static_cast<uint64_t>(
        std::copy_if(in, in + it->task.n, out, [=](T x) { return x < limit; }) - out);
}

static void unique(host_task *it) {
    const uint32_t *in = static_cast<const uint32_t *>(it->in[0]);
    uint32_t *out = static_cast<uint32_t *>(it->out[0]);
    *count_of(it) = static_cast<uint64_t>(std::unique_copy(in, in + it->task.n, out) - out);
}

template <class T> static void sort(host_task *it) {
    const T *in = static_cast<const T *>(it->in[0]);
    T *out = static_cast<T *>(it->out[0]);
    std::stable_sort(out, std::copy(in, in + it->task.n, out));
}

template <class K, class V> static void sort_pairs(host_task *it) {
    const K *keys = static_cast<const K *>(it->in[0]);
    const V *values = static_cast<const V *>(it->in[1]);
    K *keys_out = static_cast<K *>(it->out[0]);
    V *values_out = static_cast<V *>(it->out[1]);
    std::vector<std::pair<K, V>> pairs(it->task.n);
    for (size_t i = 0; i < it->task.n; i++) pairs[i] = {keys[i], values[i]};
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const auto &a, const auto &b) { return a.first < b.first; });
    for (size_t i = 0; i < it->task.n; i++) {
        keys_out[i] = pairs[i].first;
        values_out[i] = pairs[i].second;
    }
}

template <class T> static void merge(host_task *it) {
    const T *a = static_cast<const T *>(it->in[0]), *b = static_cast<const T *>(it->in[1]);
    std::merge(a, a + it->task.in_bytes[0] / sizeof(T), b, b + it->task.in_bytes[1] / sizeof(T),
               static_cast<T *>(it->out[0]));
}

template <class T> static void lower_bounds(host_task *it) {
    const T *sorted = static_cast<const T *>(it->in[0]);
    const T *end = sorted + it->task.in_bytes[0] / sizeof(T);
    const T *needles = static_cast<const T *>(it->in[1]);
    uint32_t *out = static_cast<uint32_t *>(it->out[0]);
    for (size_t i = 0; i < it->task.n; i++) {
        out[i] = static_cast<uint32_t>(std::lower_bound(sorted, end, needles[i]) - sorted);
    }
}

typedef void work_function(host_task *it);

static work_function *sort_of(peer_type type) {
    switch (type) {
    case PEER_U8:
        return sort<uint8_t>;
    case PEER_U16:
        return sort<uint16_t>;
    case PEER_U32:
        return sort<uint32_t>;
    case PEER_U64:
        return sort<uint64_t>;
    case PEER_F32:
        return sort<float>;
    case PEER_F64:
        return sort<double>;
    default:
        return nullptr;
    }
}

static work_function *sort_pairs_of(const peer_task *task) {
    const bool is_long = task->in_bytes[1] == task->n * sizeof(uint64_t);
    if (task->type == PEER_U32) {
        return is_long ? sort_pairs<uint32_t, uint64_t> : sort_pairs<uint32_t, uint32_t>;
    }
    if (task->type != PEER_U64) return nullptr;
    return is_long ? sort_pairs<uint64_t, uint64_t> : sort_pairs<uint64_t, uint32_t>;
}

static work_function *copy_if_of(peer_type type) {
    switch (type) {
    case PEER_U8:
        return copy_if<uint8_t>;
    case PEER_U16:
        return copy_if<uint16_t>;
    case PEER_U32:
        return copy_if<uint32_t>;
    case PEER_U64:
        return copy_if<uint64_t>;
    default:
        return nullptr;
    }
}

static work_function *reduce_of(peer_type type) {
    switch (type) {
    case PEER_I8:
        return reduce<uint8_t>;
    case PEER_I16:
        return reduce<uint16_t>;
    case PEER_I32:
        return reduce<uint32_t>;
    case PEER_I64:
        return reduce<uint64_t>;
    case PEER_F32:
        return reduce<float>;
    case PEER_F64:
        return reduce<double>;
    default:
        return nullptr;
    }
}

static work_function *merge_of(peer_type type) {
    return type == PEER_U32 ? merge<uint32_t> : type == PEER_U64 ? merge<uint64_t> : nullptr;
}

static work_function *lower_bounds_of(peer_type type) {
    return type == PEER_U32   ? lower_bounds<uint32_t>
           : type == PEER_U64 ? lower_bounds<uint64_t>
                              : nullptr;
}

static work_function *work_of(const peer_task *task) {
    if (task->primitive == PEER_SELECT_IF) return copy_if_of(task->type);
    if (task->primitive == PEER_UNIQUE && task->type == PEER_U32) return unique;
    if (task->primitive == PEER_REDUCE) return reduce_of(task->type);
    if (task->primitive == PEER_SORT) return sort_of(task->type);
    if (task->primitive == PEER_SORT_PAIRS) return sort_pairs_of(task);
    if (task->primitive == PEER_MERGE) return merge_of(task->type);
    if (task->primitive == PEER_LOWER_BOUND) return lower_bounds_of(task->type);
    if (task->primitive != PEER_SCAN) return nullptr;
    switch (task->type) {
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

static bool knows(const peer_task *task) {
    return work_of(task) != nullptr;
}

static const char *create(void **state, const peer_task *task, const peer_device *) {
    return host_create(state, task, work_of(task));
}

static const peer_library standard = {"std",       "one core", true,        nullptr,
                                      knows,       create,     host_write,  host_read,
                                      host_poison, host_run,   host_destroy};
static const peer_library *const libraries[] = {&standard, nullptr};

extern "C" const peer_library *const *peer_libraries(void) {
    return libraries;
}
