/* SPDX-License-Identifier: MIT */
/* oneTBB on all cores: parallel_scan, compactions by a scan of the counts, parallel_reduce,
 * parallel_sort. */
#include "host.h"
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/parallel_sort.h>
#include <tbb/version.h>

typedef tbb::blocked_range<size_t> range;

template <class T> static void scan(host_task *it) {
    const T *in = static_cast<const T *>(it->in[0]);
    T *out = static_cast<T *>(it->out[0]);
    tbb::parallel_scan(
        range(0, it->task.n), T(0),
        [=](const range &part, T sum, bool is_final) {
            for (size_t i = part.begin(); i < part.end(); i++) {
                const T x = in[i];
                if (is_final) out[i] = sum;
                sum = static_cast<T>(sum + x);
            }
            return sum;
        },
        [](T a, T b) { return static_cast<T>(a + b); });
}

template <class T> static void reduce(host_task *it) {
    const T *in = static_cast<const T *>(it->in[0]);
    *static_cast<T *>(it->out[0]) = tbb::parallel_reduce(
        range(0, it->task.n), T(0),
        [=](const range &part, T sum) {
            for (size_t i = part.begin(); i < part.end(); i++) sum = static_cast<T>(sum + in[i]);
            return sum;
        },
        [](T a, T b) { return static_cast<T>(a + b); });
}

/* Keeps, in order, the elements i for which keeps(i). */
template <class T, class Keeps> static void compact(host_task *it, Keeps keeps) {
    const T *in = static_cast<const T *>(it->in[0]);
    T *out = static_cast<T *>(it->out[0]);
    *static_cast<uint64_t *>(it->out[1]) = tbb::parallel_scan(
        range(0, it->task.n), uint64_t(0),
        [=](const range &part, uint64_t kept, bool is_final) {
            for (size_t i = part.begin(); i < part.end(); i++)
                if (keeps(i)) {
                    if (is_final) out[kept] = in[i];
                    kept++;
                }
            return kept;
        },
        [](uint64_t a, uint64_t b) { return a + b; });
}

template <class T> static void select_if(host_task *it) {
    const T *in = static_cast<const T *>(it->in[0]);
    const T limit = static_cast<T>(it->task.limit);
    compact<T>(it, [=](size_t i) { return in[i] < limit; });
}

static void select_flagged(host_task *it) {
    const uint8_t *flags = static_cast<const uint8_t *>(it->in[1]);
    compact<uint32_t>(it, [=](size_t i) { return flags[i] != 0; });
}

static void unique(host_task *it) {
    const uint32_t *in = static_cast<const uint32_t *>(it->in[0]);
    compact<uint32_t>(it, [=](size_t i) { return i == 0 || in[i] != in[i - 1]; });
}

template <class C> static void offsets(host_task *it) {
    const C *starts = static_cast<const C *>(it->in[0]), *stops = static_cast<const C *>(it->in[1]);
    int64_t *out = static_cast<int64_t *>(it->out[0]);
    out[0] = 0;
    tbb::parallel_scan(
        range(0, it->task.n), int64_t(0),
        [=](const range &part, int64_t sum, bool is_final) {
            for (size_t i = part.begin(); i < part.end(); i++) {
                sum += static_cast<int64_t>(stops[i]) - static_cast<int64_t>(starts[i]);
                if (is_final) out[i + 1] = sum;
            }
            return sum;
        },
        [](int64_t a, int64_t b) { return a + b; });
}

/* The copy that it sorts is timed, too. */
template <class T> static void sort(host_task *it) {
    const T *in = static_cast<const T *>(it->in[0]);
    T *out = static_cast<T *>(it->out[0]);
    tbb::parallel_for(range(0, it->task.n), [=](const range &part) {
        std::copy(in + part.begin(), in + part.end(), out + part.begin());
    });
    tbb::parallel_sort(out, out + it->task.n);
}

static size_t segments_of(const host_task *it) {
    return it->task.in_bytes[1] / sizeof(int64_t) - 1;
}

static void segmented_sum(host_task *it) {
    const float *in = static_cast<const float *>(it->in[0]);
    const int64_t *offsets = static_cast<const int64_t *>(it->in[1]);
    float *out = static_cast<float *>(it->out[0]);
    tbb::parallel_for(range(0, segments_of(it)), [=](const range &part) {
        for (size_t s = part.begin(); s < part.end(); s++) {
            float sum = 0;
            for (int64_t i = offsets[s]; i < offsets[s + 1]; i++) sum += in[i];
            out[s] = sum;
        }
    });
}

static void segmented_scan(host_task *it) {
    const uint32_t *in = static_cast<const uint32_t *>(it->in[0]);
    const int64_t *offsets = static_cast<const int64_t *>(it->in[1]);
    uint32_t *out = static_cast<uint32_t *>(it->out[0]);
    tbb::parallel_for(range(0, segments_of(it)), [=](const range &part) {
        for (size_t s = part.begin(); s < part.end(); s++) {
            uint32_t sum = 0;
            for (int64_t i = offsets[s]; i < offsets[s + 1]; i++) out[i] = sum += in[i];
        }
    });
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

static work_function *scan_of(peer_type type) {
    switch (type) {
    case PEER_I8:
        return scan<uint8_t>;
    case PEER_I16:
        return scan<uint16_t>;
    case PEER_I32:
        return scan<uint32_t>;
    case PEER_I64:
        return scan<uint64_t>;
    case PEER_F32:
        return scan<float>;
    case PEER_F64:
        return scan<double>;
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

static work_function *select_if_of(peer_type type) {
    switch (type) {
    case PEER_U8:
        return select_if<uint8_t>;
    case PEER_U16:
        return select_if<uint16_t>;
    case PEER_U32:
        return select_if<uint32_t>;
    case PEER_U64:
        return select_if<uint64_t>;
    default:
        return nullptr;
    }
}

static work_function *offsets_of(peer_type type) {
    if (type == PEER_I32) return offsets<int32_t>;
    if (type == PEER_U32) return offsets<uint32_t>;
    return type == PEER_I64 ? offsets<int64_t> : nullptr;
}

static work_function *work_of(const peer_task *task) {
    if (task->primitive == PEER_SCAN) return scan_of(task->type);
    if (task->primitive == PEER_REDUCE) return reduce_of(task->type);
    if (task->primitive == PEER_OFFSETS) return offsets_of(task->type);
    if (task->primitive == PEER_SORT) return sort_of(task->type);
    if (task->primitive == PEER_SEGMENTED_SUM) return segmented_sum;
    if (task->primitive == PEER_SEGMENTED_SCAN) return segmented_scan;
    if (task->primitive == PEER_SELECT_IF) return select_if_of(task->type);
    if (task->type != PEER_U32) return nullptr;
    if (task->primitive == PEER_SELECT_FLAGGED) return select_flagged;
    return task->primitive == PEER_UNIQUE ? unique : nullptr;
}

static bool knows(const peer_task *task) {
    return work_of(task) != nullptr;
}

static const char *create(void **state, const peer_task *task, const peer_device *) {
    return host_create(state, task, work_of(task));
}

static const peer_library one_tbb = {
    "oneTBB",   TBB_VERSION_STRING, true,        nullptr,  knows,       create,
    host_write, host_read,          host_poison, host_run, host_destroy};
static const peer_library *const libraries[] = {&one_tbb, nullptr};

extern "C" const peer_library *const *peer_libraries(void) {
    return libraries;
}
