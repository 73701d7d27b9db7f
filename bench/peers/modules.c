/* SPDX-License-Identifier: MIT */
/*
 * Finds the peers: loads the modules that lie beside the program. bench_try_peers has tried the
 * ones that take another library to the device. */
#include "beside.h"
#include <dlfcn.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_PEERS = 16, TRIAL_N = 5000 };

extern char **environ;
extern const peer_library peer_plain_c, peer_plain_c_cores;

/* The modules; `lacking` is what CMake did not find, "" where the module was built. */
static const struct {
    const char *libraries, *module, *lacking;
    bool tried;
} modules[] = {{"CUB and Thrust", "clprims-peer-cuda.so", PEER_CUDA_LACKS, true},
               {"Boost.Compute", "clprims-peer-boost.so", PEER_BOOST_LACKS, true},
               {"oneTBB", "clprims-peer-tbb.so", PEER_TBB_LACKS, false},
               {"C++'s std", "clprims-peer-std.so", PEER_STD_LACKS, false}};

static struct {
    const peer_library *peers[MAX_PEERS];
    size_t count;
    bool loaded;
    char why[sizeof modules / sizeof *modules][256]; /* a module is not to be trusted; else "" */
} registry;

static void space(void *self) {
    bench_space(self);
}

peer_device bench_peer_device(bench *b) {
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
    else if (registry.count < MAX_PEERS)
        registry.peers[registry.count++] = peer;
}

/* Modules lie beside the program: the path of one, as far as it fits. */
static void find_module(const char *name, char *path, size_t bytes) {
    const ssize_t length = readlink("/proc/self/exe", path, bytes - 1);
    path[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(path, '/');
    char *end = slash != NULL ? slash + 1 : path;
    snprintf(end, bytes - (size_t)(end - path), "%s", name);
}

static void *open_module(const char *name) {
    char path[1024];
    find_module(name, path, sizeof path);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static bool is_built(const char *name) {
    char path[1024];
    find_module(name, path, sizeof path);
    return access(path, F_OK) == 0;
}

/* The libraries of a module, or NULL. */
static const peer_library *const *open_libraries(const char *name) {
    void *module = open_module(name);
    void *symbol = module != NULL ? dlsym(module, "peer_libraries") : NULL;
    if (symbol == NULL) return NULL;
    peer_libraries_function *libraries = NULL;
    memcpy(&libraries, &symbol, sizeof libraries);
    return libraries();
}

/* ---- Trials ------------------------------------------------------------------------------------
 */

/* One small task; what it computes is not looked at. */
static bool try_task(const peer_library *peer, const peer_device *device, const peer_task *task,
                     const void *zeros) {
    void *state = NULL;
    peer_seconds seconds = {0, 0};
    if (!peer->knows(task)) return true;
    const char *why = peer->create(&state, task, device);
    if (why == NULL) why = peer->write(state, 0, 0, task->in_bytes[0], zeros);
    if (why == NULL) why = peer->poison(state);
    if (why == NULL) why = peer->run(state, &seconds);
    if (why != NULL) fprintf(stderr, "%s: %s\n", peer->name, why);
    peer->destroy(state);
    return why == NULL;
}

int bench_trial(bench *b, const char *module) {
    const peer_device device = bench_peer_device(b);
    const size_t bytes = TRIAL_N * sizeof(uint32_t);
    const peer_library *const *peer = open_libraries(module);
    bool good = true;
    void *zeros = calloc(1, bytes);
    if (zeros == NULL) return BENCH_EXIT_DEVICE;
    for (; peer != NULL && *peer != NULL; peer++) {
        if ((*peer)->refuses != NULL && (*peer)->refuses(&device) != NULL) continue;
        const peer_task scan = {.primitive = PEER_SCAN,
                                .type = PEER_I32,
                                .n = TRIAL_N,
                                .in_bytes = {bytes},
                                .out_bytes = {bytes}};
        const peer_task select = {.primitive = PEER_SELECT_IF,
                                  .type = PEER_U32,
                                  .n = TRIAL_N,
                                  .limit = 1,
                                  .in_bytes = {bytes},
                                  .out_bytes = {bytes, sizeof(uint64_t)}};
        good = try_task(*peer, &device, &scan, zeros) && try_task(*peer, &device, &select, zeros) &&
               good;
    }
    free(zeros);
    return good ? 0 : BENCH_EXIT_WRONG;
}

/* Why the module is not to be trusted, in `why`; else that stays empty. */
static void try_module(const bench *b, const char *module, char *why, size_t bytes) {
    /* By its own name: some systems start /proc/self/exe without the variables that drivers read.
     */
    char program[1024], try[] = "--try", device[] = "--device";
    char *arguments[] = {program, try, (char *)module, device, (char *)b->options.device, NULL};
    char line[160] = "it says nothing";
    posix_spawn_file_actions_t quietly;
    pid_t child = 0;
    int status = 0;
    FILE *said = tmpfile();
    if (said == NULL) return;
    if (b->options.device == NULL) arguments[3] = NULL;
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    posix_spawn_file_actions_init(&quietly);
    posix_spawn_file_actions_addopen(&quietly, STDOUT_FILENO, "/dev/null", 1, 0);
    posix_spawn_file_actions_adddup2(&quietly, fileno(said), STDERR_FILENO);
    const int failed = posix_spawn(&child, program, &quietly, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&quietly);
    const bool ended = failed == 0 && waitpid(child, &status, 0) == child;
    rewind(said);
    while (fgets(line, sizeof line, said) != NULL) continue; /* the last one is nearest the end */
    fclose(said);
    line[strcspn(line, "\n")] = '\0';
    if (!ended || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) return;
    if (WIFSIGNALED(status))
        snprintf(why, bytes, "it ended a trial with signal %d: %s", WTERMSIG(status), line);
    else
        snprintf(why, bytes, "it failed in a trial: %s", line);
}

void bench_try_peers(const bench *b) {
    for (size_t k = 0; k < sizeof modules / sizeof *modules; k++) {
        if (modules[k].tried && is_built(modules[k].module))
            try_module(b, modules[k].module, registry.why[k], sizeof registry.why[k]);
    }
}

/* ---- Loading ------------------------------------------------------------------------------------
 */

static void load_module(bench *b, size_t k, const peer_device *device) {
    const char *name = modules[k].libraries;
    if (modules[k].lacking[0] != '\0') {
        char why[160];
        snprintf(why, sizeof why, "%s was not found when clprims-bench was built",
                 modules[k].lacking);
        bench_missing(b, name, why);
        return;
    }
    if (!is_built(modules[k].module)) {
        bench_missing(b, name, "its module was not built; the target clprims-peers builds it");
        return;
    }
    bench_step("loading %s", name);
    const char *why = registry.why[k];
    const peer_library *const *peer = why[0] == '\0' ? open_libraries(modules[k].module) : NULL;
    if (peer == NULL) bench_missing(b, name, why[0] != '\0' ? why : dlerror());
    for (; peer != NULL && *peer != NULL; peer++) take(b, *peer, device);
}

const peer_library *bench_peer(bench *b, size_t number) {
    if (!registry.loaded) {
        const peer_device device = bench_peer_device(b);
        registry.loaded = true;
        for (size_t k = 0; k < sizeof modules / sizeof *modules; k++) load_module(b, k, &device);
        take(b, &peer_plain_c, &device);
        take(b, &peer_plain_c_cores, &device);
    }
    return number < registry.count ? registry.peers[number] : NULL;
}
