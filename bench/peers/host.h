/* SPDX-License-Identifier: MIT */
/* What peers on the CPU share: arrays in host memory, and a clock around a call. */
#ifndef BENCH_PEERS_HOST_H
#define BENCH_PEERS_HOST_H

#include "peers.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct host_task {
    peer_task task;
    void *in[PEER_INPUTS], *out[PEER_OUTPUTS];
    void (*work)(struct host_task *task);
} host_task;

/* peer_library's functions for a task of the host; work is what run calls. */
const char *host_create(void **state, const peer_task *task, void (*work)(host_task *task));
const char *host_write(void *state, int input, size_t first_byte, size_t bytes, const void *from);
const char *host_read(void *state, int output, size_t first_byte, size_t bytes, void *to);
const char *host_poison(void *state);
const char *host_run(void *state, peer_seconds *seconds);
void host_destroy(void *state);

#ifdef __cplusplus
}
#endif

#endif
