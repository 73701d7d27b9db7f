/* SPDX-License-Identifier: MIT */
/* Cases, context and random data; guarded memory is in guarded.c, expectations in expect.c. */
#include "harness/harness.h"
#include "harness/programs.h"

#include <locale.h>
#include <math.h>
#include <time.h>

enum { NAME_BYTES = 192, NOTE_BYTES = 1024, EXIT_SKIPPED = 77 };

typedef struct test_case {
    char name[NAME_BYTES];
    test_function *run; /* NULL: run_plain */
    test_plain *run_plain;
    void *data;
} test_case;

struct test_cases {
    struct CMUnitTest *units;
    size_t count;
    size_t capacity;
};

static struct {
    clprims_context *context;
    clprims_context *replacement; /* NULL: none */
    void (*end)(void); /* NULL: none */
    clprims_context_info info;
    uint64_t seed;
    const test_case *running;
    char note[NOTE_BYTES], about[NOTE_BYTES];
    bool finished;
    bool skipped;
    size_t passed_count;
    size_t failed_count;
    size_t skipped_count;
} fixture = {0};

/* Of each thread its own. */
static _Thread_local uint64_t random_state;
static _Thread_local bool runs_case;

/* What the running case leaves to be released, on its thread. */
enum { LEFT_MOST = 1 << 16 };
static struct {
    void (*release)(void *thing);
    void *thing;
} left[LEFT_MOST];
static size_t left_count;

/* ---- Cases ----------------------------------------------------------------------------------- */

static void *checked(void *memory) {
    if (memory == NULL) {
        fprintf(stderr, "the test harness is out of host memory\n");
        exit(EXIT_FAILURE);
    }
    return memory;
}

static bool is_set(const char *variable) {
    const char *value = getenv(variable);
    return value != NULL && value[0] != '\0' && strcmp(value, "0") != 0;
}

static uint64_t name_hash(const char *name) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *name != '\0'; name++) hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
    return hash;
}

static void run_case(void **state) {
    const test_case *test = *state;
    fixture.running = test;
    fixture.finished = false;
    fixture.skipped = false;
    fixture.note[0] = fixture.about[0] = '\0';
    random_state = fixture.seed ^ name_hash(test->name);
    runs_case = true;
    if (test->run != NULL) {
        test->run(test->data);
    } else {
        test->run_plain();
    }
    fixture.finished = true;
}

void test_leave(void (*release)(void *thing), void *thing) {
    if (!runs_case) return;
    if (left_count == LEFT_MOST) test_fail("the case leaves more than %d things", LEFT_MOST);
    left[left_count].release = release;
    left[left_count++].thing = thing;
}

bool test_take_back(const void *thing) {
    size_t k = runs_case ? left_count : 0;
    while (k > 0 && left[k - 1].thing != thing) k--;
    if (k == 0) return false;
    memmove(&left[k - 1], &left[k], (left_count-- - k) * sizeof left[0]);
    return true;
}

/* cmocka calls it after a failure as well, which leaves run_case by longjmp. */
static int close_case(void **state) {
    const test_case *test = *state;
    while (left_count > 0) {
        left_count--;
        left[left_count].release(left[left_count].thing);
    }
    runs_case = false;
    if (fixture.finished) {
        fixture.passed_count++;
    } else if (fixture.skipped) {
        fixture.skipped_count++;
    } else {
        fixture.failed_count++;
        fprintf(stderr, "FAILED %s\n  replay: CLPRIMS_TEST_SEED=%llu PROGRAM '%s'\n  device: %s\n",
                test->name, (unsigned long long)fixture.seed, test->name,
                fixture.context != NULL ? fixture.info.device.name : "no context yet");
        if (fixture.about[0] != '\0') fprintf(stderr, "  of: %s\n", fixture.about);
        if (fixture.note[0] != '\0') fprintf(stderr, "  at: %s\n", fixture.note);
        if (is_set("CLPRIMS_TEST_FIRST_FAILURE")) _Exit(EXIT_FAILURE);
    }
    fixture.running = NULL;
    return 0;
}

static test_case *new_case(test_cases *cases, const char *name, va_list arguments) {
    test_case *test = checked(calloc(1, sizeof *test));
    const int length = vsnprintf(test->name, sizeof test->name, name, arguments);
    if (length < 0 || (size_t)length >= sizeof test->name) {
        fprintf(stderr, "the case name %s... is too long\n", test->name);
        exit(EXIT_FAILURE);
    }
    if (cases->count == cases->capacity) {
        cases->capacity = cases->capacity == 0 ? 64 : 2 * cases->capacity;
        cases->units = checked(realloc(cases->units, cases->capacity * sizeof *cases->units));
    }
    cases->units[cases->count++] =
        (struct CMUnitTest){test->name, run_case, NULL, close_case, test};
    return test;
}

void test_add(test_cases *cases, test_function *run, const void *data, size_t data_bytes,
              const char *name, ...) {
    va_list arguments;
    va_start(arguments, name);
    test_case *test = new_case(cases, name, arguments);
    va_end(arguments);
    test->run = run;
    if (data_bytes == 0) return;
    test->data = checked(malloc(data_bytes));
    memcpy(test->data, data, data_bytes);
}

void test_add_plain(test_cases *cases, test_plain *run, const char *name, ...) {
    va_list arguments;
    va_start(arguments, name);
    new_case(cases, name, arguments)->run_plain = run;
    va_end(arguments);
}

void test_add_table(test_cases *cases, test_function *run, const void *rows, size_t bytes,
                    size_t row_bytes, const char *prefix) {
    for (const char *row = rows, *end = row + bytes; row < end; row += row_bytes)
        test_add(cases, run, row, row_bytes, "%s/%s", prefix,
                 *(const char *const *)(const void *)row);
}

static void free_case(test_case *test) {
    free(test->data);
    free(test);
}

static void free_cases(test_cases *cases) {
    for (size_t i = 0; i < cases->count; i++) free_case(cases->units[i].initial_state);
    free(cases->units);
}

/* Drops the cases whose names contain the part. */
static void drop_cases(test_cases *cases, const char *part) {
    size_t kept = 0;
    for (size_t i = 0; i < cases->count; i++) {
        if (strstr(cases->units[i].name, part) != NULL) {
            free_case(cases->units[i].initial_state);
        } else {
            cases->units[kept++] = cases->units[i];
        }
    }
    cases->count = kept;
}

bool test_long(void) {
    return is_set("CLPRIMS_TEST_LONG");
}

bool test_small(void) {
    return is_set("CLPRIMS_TEST_SMALL");
}

void test_note(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fixture.note, sizeof fixture.note, format, arguments);
    va_end(arguments);
}

void test_note_subject(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fixture.about, sizeof fixture.about, format, arguments);
    va_end(arguments);
}

const char *test_option(int *argc, char **argv, const char *option) {
    for (int i = 1; i + 1 < *argc; i++) {
        if (strcmp(argv[i], option) != 0) continue;
        const char *value = argv[i + 1];
        for (int k = i; k + 2 < *argc; k++) argv[k] = argv[k + 2];
        *argc -= 2;
        return value;
    }
    return NULL;
}

double test_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static uint64_t choose_seed(void) {
    if (is_set("CLPRIMS_TEST_SEED")) return strtoull(getenv("CLPRIMS_TEST_SEED"), NULL, 0);
    return test_long() ? (uint64_t)time(NULL) : 1;
}

/* Whether a whole run of the default tier kept to the programs that tests/CMakeLists.txt allows it.
 */
static bool keeps_to_budget(bool is_whole) {
    const char *const budget = getenv("CLPRIMS_TEST_PROGRAMS");
    printf("programs: %zu\n", programs_count());
    if (!is_whole || test_long() || budget == NULL) return true;
    if (programs_count() <= strtoul(budget, NULL, 10)) return true;
    fprintf(
        stderr,
        "FAILED: %zu programs for the OpenCL compiler, %s are allowed by tests/CMakeLists.txt\n",
        programs_count(), budget);
    return false;
}

/* Which run this is, for tests/where/record. */
static void print_run(const char *program, bool is_whole) {
    const char *const tier = test_long() ? "long" : test_small() ? "small" : "default";
    const time_t now = time(NULL);
    char date[16];
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    printf("%s: clprims %s, seed %llu, %s tier, %s, %s\n", program, clprims_version(),
           (unsigned long long)fixture.seed, tier, is_whole ? "all cases" : "chosen cases", date);
}

/* Applications have a locale, on which the library must not depend. */
static void take_locale(void) {
    const char *const wanted = getenv("CLPRIMS_TEST_LOCALE");
    if (setlocale(LC_ALL, wanted != NULL ? wanted : "") == NULL && wanted != NULL) {
        fprintf(stderr, "CLPRIMS_TEST_LOCALE=%s: the system lacks this locale\n", wanted);
        exit(EXIT_FAILURE);
    }
}

int test_main(int argc, char **argv, void (*add)(test_cases *cases)) {
    /* A crash must not swallow the name of the case that it happened in. */
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    take_locale();
    fixture.seed = choose_seed();
    const char *slash = strrchr(argv[0], '/');
    const char *program = slash == NULL ? argv[0] : slash + 1;
    print_run(program, argc == 1);
    test_cases cases = {NULL, 0, 0};
    add(&cases);
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    for (int i = 2; i < argc; i++) drop_cases(&cases, argv[i]);
    _cmocka_run_group_tests(program, cases.units, cases.count, NULL, NULL);
    if (fixture.end != NULL) fixture.end();
    clprims_context_destroy(fixture.context);
    free_cases(&cases);
    printf("cases: %zu passed, %zu failed, %zu skipped\n", fixture.passed_count,
           fixture.failed_count, fixture.skipped_count);
    if (fixture.passed_count + fixture.failed_count + fixture.skipped_count == 0) {
        fprintf(stderr, "no case matches %s\n", argc > 1 ? argv[1] : "at all");
        return EXIT_FAILURE;
    }
    const bool is_in_budget = keeps_to_budget(argc == 1);
    return fixture.failed_count == 0 && is_in_budget ? EXIT_SUCCESS : EXIT_FAILURE;
}

void test_skip(const char *reason, ...) {
    va_list arguments;
    va_start(arguments, reason);
    printf("SKIPPED %s: ", fixture.running->name);
    vprintf(reason, arguments);
    printf("\n");
    va_end(arguments);
    fixture.skipped = true;
    skip();
}

/* ---- The context ----------------------------------------------------------------------------- */

static const char *text_of(const char *variable) {
    const char *value = getenv(variable);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

static clprims_layer layer_of(const char *name) {
    if (name == NULL || name[0] == '\0') return CLPRIMS_LAYER_AUTO;
    for (int layer = CLPRIMS_LAYER_AUTO; layer <= CLPRIMS_LAYER_LOCAL; layer++)
        if (strcmp(clprims_layer_name((clprims_layer)layer), name) == 0) {
            return (clprims_layer)layer;
        }
    fprintf(stderr, "CLPRIMS_LAYER=%s is none of auto, nvidia, subgroup, local\n", name);
    exit(EXIT_FAILURE);
}

clprims_context_options test_options(void) {
    static const char *pack;
    pack = text_of("CLPRIMS_TEST_PACK");
    clprims_context_options options = {.device = text_of("CLPRIMS_DEVICE"),
                                       .layer = layer_of(getenv("CLPRIMS_LAYER")),
                                       .cl_dir = text_of("CLPRIMS_CL_DIR"),
                                       .tuning_file = text_of("CLPRIMS_TUNING"),
                                       .probed = text_of("CLPRIMS_PROBED"),
                                       .program_store = text_of("CLPRIMS_TEST_STORE"),
                                       .program_packs = &pack,
                                       .program_pack_count = pack != NULL};
    return options;
}

/* Ends the program as skipped where the layer asked for is the one that the library takes anyway,
 * and the plain run has shown. */
static void want_other_layer(clprims_layer layer) {
    clprims_context_options options = test_options();
    clprims_context *chosen = NULL;
    clprims_context_info info = {0};
    options.layer = CLPRIMS_LAYER_AUTO;
    if (clprims_context_create(&chosen, &options) != CLPRIMS_OK) return;
    const clprims_status status = clprims_context_describe(chosen, &info);
    clprims_context_destroy(chosen);
    if (status != CLPRIMS_OK || info.layer != layer) return;
    fprintf(stderr, "SKIPPED ALL: the run without CLPRIMS_LAYER has layer %s as well\n",
            clprims_layer_name(layer));
    exit(EXIT_SKIPPED);
}

clprims_context *test_context(void) {
    if (fixture.replacement != NULL) return fixture.replacement;
    if (fixture.context != NULL) return fixture.context;
    const clprims_context_options options = test_options();
    if (is_set("CLPRIMS_TEST_OTHER_LAYER")) want_other_layer(options.layer);
    clprims_status status = clprims_context_create(&fixture.context, &options);
    if (status == CLPRIMS_OK) status = clprims_context_describe(fixture.context, &fixture.info);
    if (status != CLPRIMS_OK) {
        const clprims_error *error = clprims_last_error();
        const bool refused = status == CLPRIMS_ERR_UNSUPPORTED;
        fprintf(stderr, "%s: %s\n%s", refused ? "SKIPPED ALL" : clprims_status_name(status),
                error->message, error->build_log);
        exit(refused && options.layer != CLPRIMS_LAYER_AUTO ? EXIT_SKIPPED : EXIT_FAILURE);
    }
    const clprims_device_info *device = &fixture.info.device;
    printf("on %s (%s, %s, driver %s), layer %s: %s\n", device->name, device->platform_name,
           device->version, device->driver, clprims_layer_name(fixture.info.layer),
           fixture.info.reason);
    return fixture.context;
}

clprims_context_info test_info(void) {
    clprims_context_info info = {0};
    test_context();
    if (fixture.replacement == NULL) return fixture.info;
    expect_ok(clprims_context_describe(fixture.replacement, &info));
    return info;
}

void test_at_end(void (*end)(void)) {
    fixture.end = end;
}

static void destroy_context(void *context) {
    clprims_context_destroy(context);
}

clprims_context *test_context_create(const clprims_context_options *options) {
    clprims_context *context = NULL;
    expect_ok(clprims_context_create(&context, options));
    test_leave(destroy_context, context);
    return context;
}

void test_context_replace(clprims_context *context) {
    fixture.replacement = context;
}

void test_want_memory(size_t bytes, size_t most) {
    const clprims_device_info device = test_info().device;
    if (device.memory_bytes >= bytes && device.max_alloc_bytes >= most) return;
    test_skip("needs %zu bytes, and a buffer of %zu; this device has %llu, in pieces of %llu",
              bytes, most, (unsigned long long)device.memory_bytes,
              (unsigned long long)device.max_alloc_bytes);
}

bool test_bears_shapes(void) {
    const clprims_context_info info = test_info();
    return strcmp(info.device.platform_name, "Portable Computing Language") != 0 ||
           strncmp(info.device.driver, "6.", 2) != 0;
}

static bool left_memory;

int __lsan_is_turned_off(void);

/* LeakSanitizer asks this at the end. */
int __lsan_is_turned_off(void) {
    return left_memory;
}

/* Cases come to this with memory in their hands. */
void test_want_shapes(void) {
    left_memory = left_memory || !test_bears_shapes();
    if (left_memory)
        test_skip("PoCL %s ends inside LLVM on some shapes of kernels", test_info().device.driver);
}

cl_command_queue test_queue(void) {
    return test_info().queue;
}

static void release_queue(void *queue) {
    clReleaseCommandQueue(queue);
}

cl_command_queue test_queue_create(bool out_of_order) {
    const clprims_context_info info = test_info();
    cl_int code = CL_SUCCESS;
    cl_command_queue queue =
        clCreateCommandQueue(info.context, info.device_id,
                             out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &code);
    if (out_of_order && code == CL_INVALID_QUEUE_PROPERTIES)
        test_skip("%s has no out-of-order queues", info.device.name);
    expect_cl(code);
    test_leave(release_queue, queue);
    return queue;
}

cl_event test_gate(void) {
    cl_int code;
    cl_event gate = clCreateUserEvent(test_info().context, &code);
    expect_cl(code);
    return gate;
}

void test_gate_open(cl_event gate) {
    expect_cl(clSetUserEventStatus(gate, CL_COMPLETE));
    expect_cl(clReleaseEvent(gate));
}

/* ---- Random data ----------------------------------------------------------------------------- */

uint64_t test_random(void) {
    random_state += 0x9e3779b97f4a7c15u;
    uint64_t x = random_state;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

uint64_t test_seed(void) {
    return fixture.seed;
}

void test_random_restart(uint64_t seed) {
    random_state = seed;
}

uint64_t test_random_below(uint64_t bound) {
    return test_random() % bound;
}

/* Climbs from 0 to 2^bits over the n elements, so that MAX keeps changing; half are stragglers. */
static uint64_t climbing(size_t i, size_t n, int bits) {
    const uint64_t top = (uint64_t)ldexp((double)i / (double)n, bits);
    return test_random() % 2 == 0 ? top : test_random_below(top + 1);
}

static uint64_t random_integer(clprims_op op, size_t i, size_t n, int bits, bool is_signed) {
    const uint64_t rare_bit =
        test_random_below(256) == 0 ? (uint64_t)1 << test_random_below((uint64_t)bits) : 0;
    const uint64_t sign = is_signed ? (uint64_t)1 << (bits - 1) : 0;
    switch (op) {
    case CLPRIMS_MUL:
        return test_random() | 1;
    case CLPRIMS_AND:
        return ~rare_bit;
    case CLPRIMS_OR:
        return rare_bit;
    case CLPRIMS_MAX:
        return climbing(i, n, bits) ^ sign;
    case CLPRIMS_MIN:
        return ~climbing(i, n, bits) ^ sign;
    default:
        return test_random();
    }
}

static double random_float(clprims_op op, size_t i, size_t n) {
    switch (op) {
    case CLPRIMS_MUL:
        return (i % 2 == 0 ? 2.0 : 0.5) * (test_random() % 2 == 0 ? 1.0 : -1.0);
    case CLPRIMS_MAX:
        return (double)climbing(i, n, 20) / 8.0 - 65536.0;
    case CLPRIMS_MIN:
        return 65536.0 - (double)climbing(i, n, 20) / 8.0;
    default:
        return (double)test_random_below(17) - 8.0;
    }
}

void test_store_integer(size_t bytes, void *values, size_t i, uint64_t value) {
    memcpy((char *)values + i * bytes, &value, bytes);
}

void test_random_values(clprims_type type, clprims_op op, void *values, size_t n) {
    const size_t bytes = clprims_type_bytes(type);
    const bool is_signed = type >= CLPRIMS_I8 && type <= CLPRIMS_I64;
    for (size_t i = 0; i < n; i++) {
        if (type == CLPRIMS_F32) {
            ((float *)values)[i] = (float)random_float(op, i, n);
        } else if (type == CLPRIMS_F64) {
            ((double *)values)[i] = random_float(op, i, n);
        } else {
            const uint64_t value = random_integer(op, i, n, (int)(8 * bytes), is_signed);
            test_store_integer(bytes, values, i, value);
        }
    }
}

void test_random_bytes(void *bytes, size_t n) {
    for (size_t i = 0; i < n; i += sizeof(uint64_t)) {
        const uint64_t drawn = test_random();
        memcpy((char *)bytes + i, &drawn, n - i < sizeof drawn ? n - i : sizeof drawn);
    }
}

void test_shuffle(size_t *sizes, size_t count) {
    for (size_t i = count; i > 1; i--) {
        const size_t other = (size_t)test_random_below(i), kept = sizes[i - 1];
        sizes[i - 1] = sizes[other];
        sizes[other] = kept;
    }
}

void test_random_unit(clprims_type type, void *values, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (type == CLPRIMS_F32) {
            ((float *)values)[i] = (float)(test_random() >> 40) * 0x1p-24f;
        } else {
            ((double *)values)[i] = (double)(test_random() >> 11) * 0x1p-53;
        }
}
