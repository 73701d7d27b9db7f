/* SPDX-License-Identifier: MIT */
/* Has tasks done by the peers, which modules.c finds. */
#include "beside.h"
#include <stdio.h>

enum { RUNS = 15, LEAST_RUNS = 3 };

static const double BUDGET_SECONDS = 1.5;

/* Beside a GPU, the CPU's way is of interest as long as a call takes no second. */
static const size_t MOST_N_ON_HOST = (size_t)1 << 24;

void bench_result_read(const bench_result *result, int output, size_t first_byte, size_t bytes,
                       void *to) {
    if (result->peer == NULL) {
        bench_read(result->b, result->buffers[output], first_byte, bytes, to);
        return;
    }
    const char *why = result->peer->read(result->state, output, first_byte, bytes, to);
    if (why != NULL)
        bench_die(BENCH_EXIT_DEVICE, "%s: reading a result: %s", result->peer->name, why);
    bench_spoil(result->b, to, bytes);
}

typedef struct target {
    const peer_library *peer;
    void *state;
    int input;
} target;

static const char *write_part(void *sink, size_t first_byte, size_t bytes, const void *from) {
    const target *to = sink;
    return to->peer->write(to->state, to->input, first_byte, bytes, from);
}

static const char *upload(const peer_library *peer, void *state, const beside_job *job) {
    const char *why = NULL;
    for (int input = 0; why == NULL && input < PEER_INPUTS; input++) {
        if (job->task.in_bytes[input] == 0) continue;
        target to = {peer, state, input};
        why = bench_chunks(job->fill, job->self, input,
                           job->task.in_bytes[input] / job->in_element_bytes[input],
                           job->in_element_bytes[input], write_part, &to);
    }
    return why;
}

static const char *measure(const peer_library *peer, void *state, double budget, bench_time *time) {
    double device[RUNS], wall[RUNS], total = 0;
    size_t runs = 0;
    while (runs < RUNS && (runs < LEAST_RUNS || total < budget)) {
        peer_seconds seconds = {0, 0};
        const char *why = peer->run(state, &seconds);
        if (why != NULL) return why;
        device[runs] = seconds.device;
        wall[runs++] = seconds.wall;
        total += seconds.device + seconds.wall;
    }
    *time = bench_summarize(device, runs);
    time->wall = bench_summarize(wall, runs).median;
    return NULL;
}

/* Runs the task once, verifies and times it; returns why a call failed, or NULL. */
static const char *try_peer(bench *b, const peer_library *peer, const peer_device *device,
                            const beside_job *job, bench_row *row, char *fault,
                            size_t fault_bytes) {
    void *state = NULL;
    peer_seconds first = {0, 0};
    const char *why = peer->create(&state, &job->task, device);
    if (why == NULL) why = upload(peer, state, job);
    if (why == NULL) why = peer->poison(state);
    if (why == NULL) why = peer->run(state, &first);
    const bench_result result = {.b = b, .peer = peer, .state = state};
    if (why == NULL && job->verify(job->self, &result, fault, fault_bytes))
        why = measure(peer, state, bench_budget(b, BUDGET_SECONDS), &row->time);
    peer->destroy(state);
    return why;
}

void bench_beside(bench *b, const beside_job *job) {
    const peer_device device = bench_peer_device(b);
    if (b->options.alone) return;
    for (size_t k = 0; bench_peer(b, k) != NULL; k++) {
        const peer_library *peer = bench_peer(b, k);
        char fault[256] = "", count[24];
        bench_row row = {.suite = job->suite, .name = job->name, .library = peer->name};
        if (!peer->knows(&job->task)) continue;
        if (peer->on_host && !b->is_cpu && job->task.n > MOST_N_ON_HOST) continue;
        bench_step("%s %s by %s, n = %s", job->suite, job->name, peer->name,
                   bench_count_text(job->task.n, count));
        row.method = peer->version;
        row.n = job->task.n;
        row.bytes = job->bytes;
        row.copy_seconds = job->copy_seconds;
        const char *why = try_peer(b, peer, &device, job, &row, fault, sizeof fault);
        row.failed = why != NULL;
        if (why != NULL) snprintf(fault, sizeof fault, "%s", why);
        if (fault[0] != '\0') row.fault = fault;
        bench_row_report(b, &row);
    }
}
