/* SPDX-License-Identifier: MIT */
/* Plain C on all cores: the loop twice, to count what each part keeps and to write it. */
#include "harness/parallel.h"
#include "host.h"
#include <string.h>
#include <unistd.h>

enum { MOST_PARTS = 64 };

typedef struct shares {
    const void *in;
    void *out;
    uint64_t limit;
    size_t n, parts;
    size_t kept[MOST_PARTS]; /* by each part, then before it */
} shares;

static size_t part_begin(const shares *s, size_t part) {
    return s->n / s->parts * part + (part < s->n % s->parts ? part : s->n % s->parts);
}

/* COUNT counts what a part keeps, WRITE writes it after what is before it. */
#define SELECT_IF(COUNT, WRITE, TYPE)                                                              \
    static void COUNT(void *self, size_t part) {                                                   \
        shares *s = self;                                                                          \
        const TYPE *in = s->in, limit = (TYPE)s->limit;                                            \
        const size_t end = part_begin(s, part + 1);                                                \
        size_t kept = 0;                                                                           \
        for (size_t i = part_begin(s, part); i < end; i++) kept += in[i] < limit;                  \
        s->kept[part] = kept;                                                                      \
    }                                                                                              \
    static void WRITE(void *self, size_t part) {                                                   \
        const shares *s = self;                                                                    \
        const TYPE *in = s->in, limit = (TYPE)s->limit;                                            \
        TYPE *to = (TYPE *)s->out + s->kept[part];                                                 \
        const size_t end = part_begin(s, part + 1);                                                \
        for (size_t i = part_begin(s, part); i < end; i++) {                                       \
            const TYPE x = in[i];                                                                  \
            if (x < limit) *to++ = x;                                                              \
        }                                                                                          \
    }

SELECT_IF(count_8, write_8, uint8_t)
SELECT_IF(count_16, write_16, uint16_t)
SELECT_IF(count_32, write_32, uint32_t)
SELECT_IF(count_64, write_64, uint64_t)

static const struct {
    peer_type type;
    void (*count)(void *self, size_t part), (*write)(void *self, size_t part);
} ways[] = {{PEER_U8, count_8, write_8},
            {PEER_U16, count_16, write_16},
            {PEER_U32, count_32, write_32},
            {PEER_U64, count_64, write_64}};
enum { WAYS = sizeof ways / sizeof *ways };

/* The type's place in `ways`, or WAYS. */
static size_t way_of(peer_type type) {
    size_t way = 0;
    while (way < WAYS && ways[way].type != type) way++;
    return way;
}

static void select_if(host_task *it) {
    const size_t way = way_of(it->task.type);
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    shares s = {.in = it->in[0],
                .out = it->out[0],
                .limit = it->task.limit,
                .n = it->task.n,
                .parts = cores > MOST_PARTS ? MOST_PARTS
                         : cores > 1        ? (size_t)cores
                                            : 1};
    uint64_t kept = 0;
    bench_each_part(s.parts, ways[way].count, &s);
    for (size_t part = 0; part < s.parts; part++) {
        const size_t own = s.kept[part];
        s.kept[part] = kept;
        kept += own;
    }
    bench_each_part(s.parts, ways[way].write, &s);
    memcpy(it->out[1], &kept, sizeof kept);
}

static bool knows(const peer_task *task) {
    return task->primitive == PEER_SELECT_IF && way_of(task->type) < WAYS;
}

static const char *create(void **state, const peer_task *task, const peer_device *device) {
    (void)device;
    return host_create(state, task, select_if);
}

extern const peer_library peer_plain_c_cores;
const peer_library peer_plain_c_cores = {
    "plain C, threads", "all cores", true,        NULL,     knows,       create,
    host_write,         host_read,   host_poison, host_run, host_destroy};
