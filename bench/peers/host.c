/* SPDX-License-Identifier: MIT */
/* What peers on the CPU share: arrays in host memory, and a clock around a call. */
#include "host.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *host_create(void **state, const peer_task *task, void (*work)(host_task *task)) {
    host_task *it = calloc(1, sizeof *it);
    if (it == NULL) return "no host memory";
    it->task = *task;
    it->work = work;
    *state = it;
    for (int k = 0; k < PEER_INPUTS; k++)
        if (task->in_bytes[k] > 0 && (it->in[k] = malloc(task->in_bytes[k])) == NULL)
            return "no host memory for the inputs";
    for (int k = 0; k < PEER_OUTPUTS; k++)
        if (task->out_bytes[k] > 0 && (it->out[k] = malloc(task->out_bytes[k])) == NULL)
            return "no host memory for the outputs";
    return NULL;
}

const char *host_write(void *state, int input, size_t first_byte, size_t bytes, const void *from) {
    host_task *it = state;
    memcpy((char *)it->in[input] + first_byte, from, bytes);
    return NULL;
}

const char *host_read(void *state, int output, size_t first_byte, size_t bytes, void *to) {
    const host_task *it = state;
    memcpy(to, (const char *)it->out[output] + first_byte, bytes);
    return NULL;
}

const char *host_poison(void *state) {
    const host_task *it = state;
    for (int k = 0; k < PEER_OUTPUTS; k++)
        if (it->out[k] != NULL) memset(it->out[k], 0xa5, it->task.out_bytes[k]);
    return NULL;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

const char *host_run(void *state, peer_seconds *seconds) {
    host_task *it = state;
    const double began = now();
    it->work(it);
    seconds->device = seconds->wall = now() - began;
    return NULL;
}

void host_destroy(void *state) {
    host_task *it = state;
    if (it == NULL) return;
    for (int k = 0; k < PEER_INPUTS; k++) free(it->in[k]);
    for (int k = 0; k < PEER_OUTPUTS; k++) free(it->out[k]);
    free(it);
}
