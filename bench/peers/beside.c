/* SPDX-License-Identifier: MIT */
/* Loads the peers, and has tasks done by them. */
#include "beside.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 20, RUNS = 15, LEAST_RUNS = 3, MAX_PEERS = 16 };

static const double BUDGET_SECONDS = 1.5;

/* Beside a GPU, the CPU's way is of interest as long as a call takes no second. */
static const size_t MOST_N_ON_HOST = (size_t)1 << 24;

extern const peer_library peer_plain_c;

/* The modules; `lacking` is what CMake did not find, "" where the module was built. */
static const struct {
    const char *libraries, *module, *lacking;
} modules[] = {{"CUB and Thrust", "clprims-peer-cuda.so", PEER_CUDA_LACKS},
               {"Boost.Compute", "clprims-peer-boost.so", PEER_BOOST_LACKS},
               {"oneTBB", "clprims-peer-tbb.so", PEER_TBB_LACKS},
               {"the C++ standard library", "clprims-peer-std.so", PEER_STD_LACKS}};

static struct {
    const peer_library *peers[MAX_PEERS];
    size_t count;
    bool loaded;
} house;

static void space(void *self) {
    bench_space(self);
}

static peer_device device_of(bench *b) {
    return (peer_device){b->info.device.name,
                         (void *)b->info.context,
                         (void *)b->info.device_id,
                         (void *)b->info.queue,
                         b->is_cpu,
                         space,
                         b};
}

static void take(bench *b, const peer_library *peer, const peer_device *device) {
    const char *why = peer->refuses != NULL ? peer->refuses(device) : NULL;
    if (why != NULL)
        bench_missing(b, peer->name, why);
    else if (house.count < MAX_PEERS)
        house.peers[house.count++] = peer;
}

static void load_module(bench *b, size_t k, const peer_device *device) {
    if (modules[k].lacking[0] != '\0') {
        char why[160];
        snprintf(why, sizeof why, "%s was not found when clprims-bench was built",
                 modules[k].lacking);
        bench_missing(b, modules[k].libraries, why);
        return;
    }
    bench_step("loading %s", modules[k].libraries);
    void *module = dlopen(modules[k].module, RTLD_NOW | RTLD_LOCAL);
    void *symbol = module != NULL ? dlsym(module, "peer_libraries") : NULL;
    if (symbol == NULL) {
        bench_missing(b, modules[k].libraries, dlerror());
        return;
    }
    peer_libraries_function *libraries = NULL;
    memcpy(&libraries, &symbol, sizeof libraries);
    for (const peer_library *const *peer = libraries(); *peer != NULL; peer++)
        take(b, *peer, device);
}

static void load(bench *b, const peer_device *device) {
    if (house.loaded) return;
    house.loaded = true;
    for (size_t k = 0; k < sizeof modules / sizeof *modules; k++) load_module(b, k, device);
    take(b, &peer_plain_c, device);
}

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

static const char *upload(const peer_library *peer, void *state, const beside_job *job) {
    const char *why = NULL;
    for (int input = 0; input < PEER_INPUTS; input++) {
        const size_t each = job->in_element_bytes[input];
        if (job->task.in_bytes[input] == 0) continue;
        char *chunk = bench_alloc(CHUNK * each);
        for (size_t first = 0; why == NULL && first < job->task.n; first += CHUNK) {
            const size_t rest = job->task.n - first, count = rest < CHUNK ? rest : CHUNK;
            job->fill(job->self, input, first, count, chunk);
            why = peer->write(state, input, first * each, count * each, chunk);
        }
        free(chunk);
    }
    return why;
}

static const char *measure(const peer_library *peer, void *state, bench_time *time) {
    double device[RUNS], wall[RUNS], total = 0;
    size_t runs = 0;
    while (runs < RUNS && (runs < LEAST_RUNS || total < BUDGET_SECONDS)) {
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
        why = measure(peer, state, &row->time);
    peer->destroy(state);
    return why;
}

void bench_beside(bench *b, const beside_job *job) {
    const peer_device device = device_of(b);
    if (b->options.alone) return;
    load(b, &device);
    for (size_t k = 0; k < house.count; k++) {
        const peer_library *peer = house.peers[k];
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
