/* SPDX-License-Identifier: MIT */
/* Plain C on all cores: the loop twice, to count what each part keeps and to write it. */
#include "../parallel.h"
#include "host.h"
#include <string.h>
#include <unistd.h>

enum { MOST_PARTS = 64 };

typedef struct shares {
    const uint32_t *in;
    uint32_t *out;
    uint32_t limit;
    size_t n, parts;
    size_t kept[MOST_PARTS]; /* by each part, then before it */
} shares;

static size_t part_begin(const shares *s, size_t part) {
    return s->n / s->parts * part + (part < s->n % s->parts ? part : s->n % s->parts);
}

static void count_part(void *self, size_t part) {
    shares *s = self;
    const uint32_t limit = s->limit;
    size_t kept = 0;
    for (size_t i = part_begin(s, part); i < part_begin(s, part + 1); i++) kept += s->in[i] < limit;
    s->kept[part] = kept;
}

static void write_part(void *self, size_t part) {
    const shares *s = self;
    const uint32_t limit = s->limit;
    uint32_t *to = s->out + s->kept[part];
    const size_t end = part_begin(s, part + 1);
    for (size_t i = part_begin(s, part); i < end; i++) {
        const uint32_t x = s->in[i];
        if (x < limit) *to++ = x;
    }
}

static void select_if(host_task *it) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    shares s = {.in = it->in[0],
                .out = it->out[0],
                .limit = (uint32_t)it->task.limit,
                .n = it->task.n,
                .parts = cores > MOST_PARTS ? MOST_PARTS
                         : cores > 1        ? (size_t)cores
                                            : 1};
    uint64_t kept = 0;
    bench_each_part(s.parts, count_part, &s);
    for (size_t part = 0; part < s.parts; part++) {
        const size_t own = s.kept[part];
        s.kept[part] = kept;
        kept += own;
    }
    bench_each_part(s.parts, write_part, &s);
    memcpy(it->out[1], &kept, sizeof kept);
}

static bool knows(const peer_task *task) {
    return task->primitive == PEER_SELECT_IF && task->type == PEER_U32;
}

static const char *create(void **state, const peer_task *task, const peer_device *device) {
    (void)device;
    return host_create(state, task, select_if);
}

extern const peer_library peer_plain_c_cores;
const peer_library peer_plain_c_cores = {
    "plain C, threads", "all cores", true,        NULL,     knows,       create,
    host_write,         host_read,   host_poison, host_run, host_destroy};
