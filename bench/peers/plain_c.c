/* SPDX-License-Identifier: MIT */
/* Plain C on one core: what a loop does. */
#include "host.h"
#include <string.h>

#define SCAN(NAME, TYPE, SUM)                                                                      \
    static void NAME(host_task *it) {                                                              \
        const TYPE *in = it->in[0];                                                                \
        TYPE *out = it->out[0];                                                                    \
        SUM sum = 0;                                                                               \
        for (size_t i = 0; i < it->task.n; i++) {                                                  \
            const TYPE x = in[i];                                                                  \
            out[i] = (TYPE)sum;                                                                    \
            sum = (SUM)(sum + x);                                                                  \
        }                                                                                          \
    }

SCAN(scan_8, uint8_t, uint8_t)
SCAN(scan_16, uint16_t, uint16_t)
SCAN(scan_32, uint32_t, uint32_t)
SCAN(scan_64, uint64_t, uint64_t)
SCAN(scan_f32, float, float)
SCAN(scan_f64, double, double)

#define REDUCE(NAME, TYPE)                                                                         \
    static void NAME(host_task *it) {                                                              \
        const TYPE *in = it->in[0];                                                                \
        TYPE sum = 0;                                                                              \
        for (size_t i = 0; i < it->task.n; i++) sum = (TYPE)(sum + in[i]);                         \
        memcpy(it->out[0], &sum, sizeof sum);                                                      \
    }

REDUCE(reduce_8, uint8_t)
REDUCE(reduce_16, uint16_t)
REDUCE(reduce_32, uint32_t)
REDUCE(reduce_64, uint64_t)
REDUCE(reduce_f32, float)
REDUCE(reduce_f64, double)

#define SELECT_IF(NAME, TYPE)                                                                      \
    static void NAME(host_task *it) {                                                              \
        const TYPE *in = it->in[0], limit = (TYPE)it->task.limit;                                  \
        TYPE *out = it->out[0];                                                                    \
        uint64_t kept = 0;                                                                         \
        for (size_t i = 0; i < it->task.n; i++) {                                                  \
            const TYPE x = in[i];                                                                  \
            if (x < limit) out[kept++] = x;                                                        \
        }                                                                                          \
        memcpy(it->out[1], &kept, sizeof kept);                                                    \
    }

SELECT_IF(select_if_8, uint8_t)
SELECT_IF(select_if_16, uint16_t)
SELECT_IF(select_if_32, uint32_t)
SELECT_IF(select_if_64, uint64_t)

static void select_flagged(host_task *it) {
    const uint32_t *in = it->in[0];
    const uint8_t *flags = it->in[1];
    uint32_t *out = it->out[0];
    uint64_t kept = 0;
    for (size_t i = 0; i < it->task.n; i++)
        if (flags[i] != 0) out[kept++] = in[i];
    memcpy(it->out[1], &kept, sizeof kept);
}

static void unique(host_task *it) {
    const uint32_t *in = it->in[0];
    uint32_t *out = it->out[0];
    uint64_t kept = 0;
    for (size_t i = 0; i < it->task.n; i++)
        if (i == 0 || in[i] != in[i - 1]) out[kept++] = in[i];
    memcpy(it->out[1], &kept, sizeof kept);
}

static void encode(host_task *it) {
    const uint32_t *in = it->in[0];
    uint32_t *out = it->out[0], *lengths = it->out[2];
    uint64_t runs = 0;
    for (size_t i = 0; i < it->task.n; i++) {
        if (i == 0 || in[i] != in[i - 1]) {
            out[runs] = in[i];
            lengths[runs++] = 0;
        }
        lengths[runs - 1]++;
    }
    memcpy(it->out[1], &runs, sizeof runs);
}

#define OFFSETS(NAME, TYPE)                                                                        \
    static void NAME(host_task *it) {                                                              \
        const TYPE *starts = it->in[0], *stops = it->in[1];                                        \
        int64_t *out = it->out[0], sum = 0;                                                        \
        out[0] = 0;                                                                                \
        for (size_t i = 0; i < it->task.n; i++) {                                                  \
            sum += (int64_t)stops[i] - (int64_t)starts[i];                                         \
            out[i + 1] = sum;                                                                      \
        }                                                                                          \
    }

OFFSETS(offsets_i32, int32_t)
OFFSETS(offsets_u32, uint32_t)
OFFSETS(offsets_i64, int64_t)

static size_t segments_of(const host_task *it) {
    return it->task.in_bytes[1] / sizeof(int64_t) - 1;
}

static void segmented_sum(host_task *it) {
    const float *in = it->in[0];
    const int64_t *offsets = it->in[1];
    float *out = it->out[0];
    const size_t segments = segments_of(it);
    for (size_t s = 0; s < segments; s++) {
        float sum = 0;
        for (int64_t i = offsets[s]; i < offsets[s + 1]; i++) sum += in[i];
        out[s] = sum;
    }
}

static void segmented_scan(host_task *it) {
    const uint32_t *in = it->in[0];
    const int64_t *offsets = it->in[1];
    uint32_t *out = it->out[0];
    const size_t segments = segments_of(it);
    for (size_t s = 0; s < segments; s++) {
        uint32_t sum = 0;
        for (int64_t i = offsets[s]; i < offsets[s + 1]; i++) out[i] = sum += in[i];
    }
}

static void scan_by_key(host_task *it) {
    const uint32_t *in = it->in[0], *keys = it->in[1];
    uint32_t *out = it->out[0], sum = 0;
    for (size_t i = 0; i < it->task.n; i++) {
        sum = i > 0 && keys[i] == keys[i - 1] ? sum + in[i] : in[i];
        out[i] = sum;
    }
}

static void sum_by_key(host_task *it) {
    const uint32_t *in = it->in[0], *keys = it->in[1];
    uint32_t *out = it->out[0], *firsts = it->out[1];
    uint64_t runs = 0;
    for (size_t i = 0; i < it->task.n; runs++) {
        const uint32_t key = keys[i];
        uint32_t sum = 0;
        for (; i < it->task.n && keys[i] == key; i++) sum += in[i];
        out[runs] = sum;
        firsts[runs] = key;
    }
    memcpy(it->out[2], &runs, sizeof runs);
}

#define HISTOGRAM(NAME, TYPE)                                                                      \
    static void NAME(host_task *it) {                                                              \
        const TYPE *in = it->in[0];                                                                \
        uint32_t *counts = it->out[0];                                                             \
        unsigned shift = 8 * sizeof *in;                                                           \
        for (uint64_t bins = it->task.limit; bins > 1; bins /= 2) shift--;                         \
        memset(counts, 0, it->task.limit * sizeof *counts);                                        \
        for (size_t i = 0; i < it->task.n; i++) counts[(uint64_t)in[i] >> shift]++;                \
    }

HISTOGRAM(histogram_8, uint8_t)
HISTOGRAM(histogram_32, uint32_t)

typedef void work_function(host_task *it);

static work_function *scan_of(peer_type type) {
    switch (type) {
    case PEER_I8:
    case PEER_U8:
        return scan_8;
    case PEER_I16:
    case PEER_U16:
        return scan_16;
    case PEER_I32:
    case PEER_U32:
        return scan_32;
    case PEER_I64:
    case PEER_U64:
        return scan_64;
    case PEER_F32:
        return scan_f32;
    case PEER_F64:
        return scan_f64;
    }
    return NULL;
}

static work_function *reduce_of(peer_type type) {
    switch (type) {
    case PEER_I8:
    case PEER_U8:
        return reduce_8;
    case PEER_I16:
    case PEER_U16:
        return reduce_16;
    case PEER_I32:
    case PEER_U32:
        return reduce_32;
    case PEER_I64:
    case PEER_U64:
        return reduce_64;
    case PEER_F32:
        return reduce_f32;
    case PEER_F64:
        return reduce_f64;
    }
    return NULL;
}

static work_function *offsets_of(peer_type type) {
    if (type == PEER_I32) return offsets_i32;
    if (type == PEER_U32) return offsets_u32;
    return type == PEER_I64 ? offsets_i64 : NULL;
}

static work_function *select_if_of(peer_type type) {
    switch (type) {
    case PEER_U8:
        return select_if_8;
    case PEER_U16:
        return select_if_16;
    case PEER_U32:
        return select_if_32;
    case PEER_U64:
        return select_if_64;
    default:
        return NULL;
    }
}

static work_function *work_of(const peer_task *task) {
    const bool is_u32 = task->type == PEER_U32;
    switch (task->primitive) {
    case PEER_SCAN:
        return scan_of(task->type);
    case PEER_SELECT_IF:
        return select_if_of(task->type);
    case PEER_SELECT_FLAGGED:
        return is_u32 ? select_flagged : NULL;
    case PEER_UNIQUE:
        return is_u32 ? unique : NULL;
    case PEER_ENCODE:
        return is_u32 ? encode : NULL;
    case PEER_OFFSETS:
        return offsets_of(task->type);
    case PEER_REDUCE:
        return reduce_of(task->type);
    case PEER_SEGMENTED_SUM:
        return task->type == PEER_F32 ? segmented_sum : NULL;
    case PEER_SEGMENTED_SCAN:
        return task->type == PEER_I32 ? segmented_scan : NULL;
    case PEER_SCAN_BY_KEY:
        return task->type == PEER_I32 ? scan_by_key : NULL;
    case PEER_SUM_BY_KEY:
        return task->type == PEER_I32 ? sum_by_key : NULL;
    case PEER_HISTOGRAM:
        return is_u32 ? histogram_32 : task->type == PEER_U8 ? histogram_8 : NULL;
    case PEER_BLOCK_SCAN:
    case PEER_BLOCK_REDUCE:
    case PEER_BLOCK_SORT:
    case PEER_NOTHING:
    case PEER_ROW_SUM:
    case PEER_TOP_K:
    case PEER_SORT:
    case PEER_SORT_PAIRS:
    case PEER_SEGMENTED_SORT:
    case PEER_ARGSORT:
    case PEER_MERGE:
    case PEER_LOWER_BOUND:
        return NULL;
    }
    return NULL;
}

static bool knows(const peer_task *task) {
    return work_of(task) != NULL;
}

static const char *create(void **state, const peer_task *task, const peer_device *device) {
    (void)device;
    return host_create(state, task, work_of(task));
}

extern const peer_library peer_plain_c;
const peer_library peer_plain_c = {"plain C",   "one core", true,        NULL,
                                   knows,       create,     host_write,  host_read,
                                   host_poison, host_run,   host_destroy};
