/* SPDX-License-Identifier: MIT */
/* fake_launches: prints what a device of each kind is given for a plan of every kind and for its
 * runs: preludes, files, scratch, kernels' arguments and launches. fake_launches.py compares it
 * with what was recorded. */
#include "core/test_hooks.h"
#include "fixtures/plan_kinds.h"
#include "harness/fake_opencl.h"
#include "subjects/subjects.h"

static clprims_context *context;
static clprims_context_options options;

static void must(clprims_status status) {
    if (status == CLPRIMS_OK) return;
    fprintf(stderr, "%s\n", clprims_last_error()->message);
    exit(EXIT_FAILURE);
}

/* A context of its own for each plan: what a plan before has built and launched is not repeated. */
static clprims_context *before(const char *name) {
    fake_log(NULL);
    clprims_context_destroy(context);
    must(clprims_context_create(&context, &options));
    printf("plan %s %s\n", options.device, name);
    fake_log(stdout);
    return context;
}

static void after(clprims_status status) {
    if (status != CLPRIMS_OK) printf("refused: %s\n", clprims_last_error()->message);
}

static void print_number(const char *what, const unsigned char *info, size_t place) {
    size_t number;
    memcpy(&number, info + place, sizeof number);
    if (place > 0) printf("%s %zu\n", what, number);
}

static void print_info(const subject_data *d, const void *plan) {
    _Alignas(16) unsigned char info[512];
    const subject_info *places = &d->of->info;
    if (d->of->describe(plan, d->n, info, places->bytes) != CLPRIMS_OK) return;
    print_number("scratch", info, places->scratch);
    print_number("group", info, places->group);
    print_number("groups", info, places->groups);
    print_number("launches", info, places->launches);
}

/* Numbers of a run: the plan's own, or drawn for n elements. */
static subject_data numbered(const subject_data *like, size_t n) {
    subject_data d = *like;
    memcpy(d.n, d.most, sizeof d.n);
    if (n != SIZE_MAX) d.n[0] = n < d.most[0] ? n : d.most[0];
    if (n != SIZE_MAX && d.of->numbers != NULL) d.of->numbers(&d, d.n[0]);
    for (size_t k = 0; k < SUBJECT_NUMBERS; k++) {
        if (d.n[k] == SUBJECT_DRAWN) d.n[k] = d.n[0];
    }
    return d;
}

static void add(subject_submission *call, size_t slot) {
    cl_int code;
    cl_mem mem = clCreateBuffer(NULL, CL_MEM_READ_WRITE, 1, NULL, &code);
    call->at[slot] = (clprims_buffer){mem, 16 * slot};
}

/* Slots of numbers in device memory, without which runs are not counted. */
static void find_numbers(const subject *of, bool is_number[SUBJECT_SLOTS]) {
    subject_data d = {.of = of, .desc = of->plain, .counted = true};
    subject_limit_for(of, 8, d.most);
    subject_draw_about(&d, 5);
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) is_number[k] = d.at[k].is_number;
    subject_free(&d);
}

/* Parameters are 1, or a buffer, whatever their types are. */
static void set_parameters(const subject *of, void *plan) {
    const uint64_t value[2] = {1, 0};
    for (size_t k = 0; k < SUBJECT_WEIGHTS && of->set_parameter != NULL; k++) {
        size_t bytes = 1;
        while (bytes < sizeof value && of->set_parameter(plan, k, bytes, value) != CLPRIMS_OK) {
            bytes *= 2;
        }
    }
}

/* The arrays that a run needs or may have: with one of them a call gets further than without. */
static void find_arrays(const subject_data *d, void *plan, const bool is_number[SUBJECT_SLOTS],
                        subject_submission *call) {
    char last[256] = "";
    clprims_status status = d->of->enqueue(plan, d, call);
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        if (is_number[k] || call->at[k].mem != NULL) continue;
        if (status != CLPRIMS_OK) snprintf(last, sizeof last, "%s", clprims_last_error()->message);
        subject_submission more = *call;
        add(&more, k);
        const clprims_status now = d->of->enqueue(plan, d, &more);
        const char *message = clprims_last_error()->message;
        const bool is_new = status != CLPRIMS_OK && strcmp(message, last) != 0;
        if (now != CLPRIMS_OK && (!is_new || strstr(message, "is not NULL") != NULL)) continue;
        *call = more;
        status = now;
        k = SIZE_MAX; /* what was no use may be now */
    }
}

static void run(const subject_data *d, const subject_submission *call, void *plan) {
    printf("run %zu %zu %zu\n", d->n[0], d->n[1], d->n[2]);
    if (d->of->enqueue(plan, d, call) != CLPRIMS_OK) {
        printf("refused: %s\n", clprims_last_error()->message);
    } else if (d->of->info.bytes > 0) {
        print_info(d, plan);
    }
}

static void use(const subject_data *like, void *plan) {
    static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 1, 0, 1, 5000};
    bool is_number[SUBJECT_SLOTS];
    subject_submission call = {.queue = NULL};
    test_random_restart(1);
    subject_data d = numbered(like, 5000);
    fake_log(NULL);
    set_parameters(d.of, plan);
    find_numbers(d.of, is_number);
    find_arrays(&d, plan, is_number, &call);
    fake_log(stdout);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        d = numbered(like, sizes[k]);
        run(&d, &call, plan);
    }
    d = numbered(like, SIZE_MAX - 1);
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) call.at[k].first |= 1;
    run(&d, &call, plan);
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        if (!is_number[k]) continue;
        subject_submission more = call;
        add(&more, k);
        if (d.of->enqueue(plan, &d, &more) == CLPRIMS_OK) call = more;
    }
    run(&d, &call, plan);
}

/* The plans without room to spare. */
static void use_call(const subject *of, const subject_call *call) {
    char name[128];
    subject_data d = {.of = of, .desc = call->desc};
    void *plan = NULL;
    for (size_t i = 0; i < SUBJECT_NUMBERS; i++) {
        d.most[i] = call->most[i] > 0 ? call->most[i] : call->n[i];
    }
    snprintf(name, sizeof name, "call.%s", call->name);
    const clprims_status status = subject_plan(&d, before(name), call->tuning, &plan);
    after(status);
    if (status == CLPRIMS_OK) use(&d, plan);
    of->destroy(plan);
}

int main(void) {
    static const fake_kind kinds[] = {FAKE_NVIDIA,        FAKE_AMPERE, FAKE_SUBGROUPS_GPU,
                                      FAKE_SUBGROUPS_CPU, FAKE_GPU,    FAKE_CPU,
                                      FAKE_SMALL_GPU};
    const clp_test_hooks hooks = {.place = 1 << 20};
    clp_test_hooks_set(&hooks);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const plan_visitor visitor = {before, after, fake_capability(kinds[i]) > 0, 1, use};
        char number[8];
        snprintf(number, sizeof number, "%d", (int)kinds[i]);
        options.device = number;
        plan_kinds(&visitor);
        for (size_t s = 0; s < SUBJECT_COUNT; s++) {
            const subject_tables *plans = &subjects[s]->plans;
            for (size_t k = 0; k < plans->call_count; k++) use_call(subjects[s], &plans->calls[k]);
        }
    }
    fake_log(NULL);
    clprims_context_destroy(context);
    return 0;
}
