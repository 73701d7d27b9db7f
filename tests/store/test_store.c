/* SPDX-License-Identifier: MIT */
/*
 * The program store and packs on a real driver. A start is a process of its own, in which the
 * driver's caches are empty: what it does not compile comes from the store or the pack.
 */
#define _XOPEN_SOURCE 700
#include "core/program.h"
#include "harness/harness.h"

#include <ftw.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *program_path;

/* ---- In the process ----------------------------------------------------------------------------
 */

__typeof__(clCreateProgramWithBinary) __real_clCreateProgramWithBinary,
    __wrap_clCreateProgramWithBinary;
__typeof__(clCreateKernel) __real_clCreateKernel, __wrap_clCreateKernel;
__typeof__(clCreateProgramWithSource) __real_clCreateProgramWithSource,
    __wrap_clCreateProgramWithSource;

static struct {
    size_t sources; /* programs from source */
    size_t kernels; /* that PoCL had compiled when the last cl_kernel was created */
    size_t counted;
    bool compiled; /* more were compiled after that, at a launch */
} seen;

static int count_kernel(const char *path, const struct stat *facts, int kind, struct FTW *place) {
    const char *dot = strrchr(path, '.');
    (void)facts, (void)kind, (void)place;
    seen.counted += dot != NULL && strcmp(dot, ".so") == 0;
    return 0;
}

/* PoCL's compiled kernels; other drivers have none there. */
static size_t count_kernels(void) {
    enum { OPEN_AT_ONCE = 16 };
    seen.counted = 0;
    nftw(getenv("POCL_CACHE_DIR"), count_kernel, OPEN_AT_ONCE, FTW_PHYS);
    return seen.counted;
}

static void look_for_kernels(void) {
    seen.compiled = seen.compiled || count_kernels() != seen.kernels;
}

/* PoCL takes kernels out of a program's binary from its creation on. Before the next program is
 * created, the last one's kernels were launched. */
cl_program __wrap_clCreateProgramWithBinary(cl_context context, cl_uint n, const cl_device_id *ids,
                                            const size_t *bytes, const unsigned char **binaries,
                                            cl_int *of_devices, cl_int *code) {
    look_for_kernels();
    return __real_clCreateProgramWithBinary(context, n, ids, bytes, binaries, of_devices, code);
}

cl_program __wrap_clCreateProgramWithSource(cl_context context, cl_uint count, const char **texts,
                                            const size_t *lengths, cl_int *code) {
    seen.sources++;
    return __real_clCreateProgramWithSource(context, count, texts, lengths, code);
}

cl_kernel __wrap_clCreateKernel(cl_program program, const char *name, cl_int *code) {
    cl_kernel kernel = __real_clCreateKernel(program, name, code);
    seen.kernels = count_kernels();
    return kernel;
}

static void must(clprims_status status) {
    if (status == CLPRIMS_OK) return;
    fprintf(stderr, "%s\n", clprims_last_error()->message);
    exit(EXIT_FAILURE);
}

/* PoCL compiles kernels for few work-groups and for many. */
static void scan(clprims_context *context) {
    static const size_t sizes[] = {10, 3000, 1 << 18};
    static uint32_t in[1 << 18], out[1 << 18];
    clprims_scan *plan = NULL;
    must(clprims_scan_create(&plan, context,
                             &(clprims_scan_desc){.type = CLPRIMS_U32, .max_n = sizes[2]}));
    for (size_t i = 0; i < sizes[2]; i++) in[i] = (uint32_t)(i * i + 3);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        uint32_t sum = 0;
        must(clprims_scan_run(plan, &(clprims_scan_arrays){.in = in, .out = out}, sizes[k]));
        for (size_t i = 0; i < sizes[k]; sum += in[i++]) {
            if (out[i] == sum) continue;
            fprintf(stderr, "out[%zu] of %zu is %u, not %u\n", i, sizes[k], out[i], sum);
            exit(EXIT_FAILURE);
        }
    }
    clprims_scan_destroy(plan);
}

static const char *given(const char *argument) {
    return strcmp(argument, "-") == 0 ? NULL : argument;
}

/* --start STORE PACK SAVED WHAT: the first three are paths, or - for none. WHAT: "scan", "again",
 * which also scans in a context that has forgotten its programs, "uncached", which removes PoCL's
 * cache before the context ends, or "context". */
static int start(char **arguments) {
    clprims_context_options options = test_options();
    clprims_context *context = NULL;
    clprims_context_info info;
    const char *pack = given(arguments[1]), *saved = given(arguments[2]);
    options.program_store = given(arguments[0]);
    options.program_packs = &pack;
    options.program_pack_count = pack != NULL;
    must(clprims_context_create(&context, &options));
    if (strcmp(arguments[3], "context") != 0) scan(context);
    if (saved != NULL) must(clprims_context_save_programs(context, saved));
    if (strcmp(arguments[3], "again") == 0) {
        clp_programs_forget(context->programs);
        scan(context);
    }
    must(clprims_context_describe(context, &info));
    look_for_kernels();
    printf("%zu %zu %zu %d\n", info.programs_built, info.programs_found, seen.sources,
           seen.compiled);
    if (strcmp(arguments[3], "uncached") == 0 && system("rm -rf \"$POCL_CACHE_DIR\"/*") != 0)
        return EXIT_FAILURE;
    clprims_context_destroy(context);
    return EXIT_SUCCESS;
}

/* ---- Outside of it ---- */

typedef struct started {
    size_t built, found, sources;
    int compiled;
} started;

typedef struct process {
    FILE *output;
    char cache[64];
} process;

static process begin(const char *store, const char *pack, const char *saved, const char *what) {
    char command[2048];
    process p = {.cache = "/tmp/clprims-store-cache-XXXXXX"};
    assert_non_null(mkdtemp(p.cache));
    snprintf(command, sizeof command,
             "POCL_CACHE_DIR='%s' CUDA_CACHE_DISABLE=1 '%s' --start '%s' '%s' '%s' %s", p.cache,
             program_path, store, pack, saved, what);
    fflush(NULL);
    p.output = popen(command, "r");
    assert_non_null(p.output);
    return p;
}

static started end(const process *p) {
    char command[128], line[256] = "";
    started s = {0};
    const bool has_line = fgets(line, sizeof line, p->output) != NULL;
    const int status = pclose(p->output);
    snprintf(command, sizeof command, "rm -rf '%s'", p->cache);
    assert_int_equal(system(command), 0);
    if (status != 0 || !has_line ||
        sscanf(line, "%zu %zu %zu %d", &s.built, &s.found, &s.sources, &s.compiled) != 4) {
        test_fail("a start ended with %d, and said '%s'", status, line);
    }
    assert_int_equal(s.built, s.sources);
    return s;
}

static started run(const char *store, const char *pack, const char *saved, const char *what) {
    const process p = begin(store, pack, saved, what);
    return end(&p);
}

static void expect_warm(const started *s, size_t programs) {
    if (s->built == 0 && s->found == programs && !s->compiled) return;
    test_fail("%zu programs were built and %zu of %zu found%s", s->built, s->found, programs,
              s->compiled ? "; kernels were compiled at their launch" : "");
}

/* The second start compiles nothing, neither when plans are made nor when they run; nor does one
 * with a pack that was saved by the first one, or by the second. */
static void warm(void) {
    char pack[TEST_PATH], again[TEST_PATH];
    const test_folder f = test_folder_make("store");
    snprintf(pack, sizeof pack, "%s/a.pack", f.folder);
    snprintf(again, sizeof again, "%s/again.pack", f.folder);
    const started cold = run(f.path, "-", pack, "scan");
    assert_true(cold.built >= 2 && cold.found == 0);
    assert_int_equal(test_files_in(f.path, NULL), cold.built);
    const started stored = run(f.path, "-", again, "scan");
    expect_warm(&stored, cold.built);
    const started packed = run("-", pack, "-", "scan");
    expect_warm(&packed, cold.built);
    const started packed_again = run("-", again, "-", "scan");
    expect_warm(&packed_again, cold.built);
}

/* Programs that a context forgets are in its store, on a CPU too. */
static void forgotten(void) {
    const test_folder f = test_folder_make("store");
    const started s = run(f.path, "-", "-", "again");
    assert_true(s.found > 0 && s.built > s.found);
}

/* Whatever byte of a driver's binary is changed, the driver does not see it. */
static void damaged(void) {
    enum { PLACES = 5 };
    char file[TEST_PATH];
    size_t count;
    const test_folder f = test_folder_make("store");
    assert_true(run(f.path, "-", "-", "context").built > 0);
    const size_t files = test_files_in(f.path, file);
    unsigned char *bytes = test_file_read(file, &count);
    for (size_t i = 0; i < PLACES; i++) {
        const size_t at = count / PLACES * i + test_random_below(count / PLACES);
        test_note("byte %zu of %zu", at, count);
        bytes[at] ^= 1;
        test_file_write(file, bytes, count);
        const started s = run(f.path, "-", "-", "context");
        assert_int_equal(s.built, 1);
        assert_int_equal(s.found, files - 1);
        bytes[at] ^= 1;
    }
}

/* Of a program whose files PoCL has lost, PoCL gives a binary that ends the process that loads it.
 */
static void uncached(void) {
    const test_folder f = test_folder_make("store");
    const started first = run(f.path, "-", "-", "uncached");
    assert_true(first.built > 0);
    const started second = run(f.path, "-", "-", "scan");
    assert_int_equal(second.built + second.found, first.built);
    assert_int_equal(run(f.path, "-", "-", "scan").built, 0);
}

/* Eight processes at once fill a store, and eight use it. */
static void together(void) {
    enum { PROCESSES = 8, ROUNDS = 2 };
    process p[PROCESSES];
    started s = {0};
    size_t programs = 0;
    const test_folder f = test_folder_make("store");
    for (size_t round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < PROCESSES; i++) p[i] = begin(f.path, "-", "-", "context");
        for (size_t i = 0; i < PROCESSES; i++) {
            s = end(&p[i]);
            if (round > 0) expect_warm(&s, programs);
        }
        programs = s.built + s.found;
    }
    assert_int_equal(test_files_in(f.path, NULL), programs);
}

static void add_cases(test_cases *cases) {
    test_add_plain(cases, warm, "store/start/warm");
    test_add_plain(cases, forgotten, "store/start/forgotten");
    test_add_plain(cases, damaged, "store/start/damaged");
    test_add_plain(cases, uncached, "store/start/uncached");
    test_add_plain(cases, together, "store/start/together");
}

int main(int argc, char **argv) {
    program_path = argv[0];
    if (argc == 6 && strcmp(argv[1], "--start") == 0) return start(argv + 2);
    return test_main(argc, argv, add_cases);
}
