/* SPDX-License-Identifier: MIT */
/* Plans for fake devices of 2 GB, which give a buffer a quarter of that: where the arrays fit, so
 * does the plan; more scratch than a buffer can have is refused with both numbers, and so is a
 * plain array that is larger. */
#include "harness/fake_opencl.h"
#include "subjects/subjects.h"

#define MEMORY ((size_t)2 << 30)
#define MOST_ALLOC (MEMORY / 4)

/* Elements that a plan must be made for, beside four arrays of 4 bytes each, where its subject does
 * not say less. */
enum { USUAL = 1 << 26, SORTED_SEGMENTS = 1 << 25, LINKS = 1 << 23 };

static int failures;
static clprims_context *context;

/* Rows of a square matrix of at most n elements, a power of two. */
static size_t side_of(size_t n) {
    size_t side = 1;
    while (4 * side * side <= n) side *= 2;
    return side;
}

typedef struct limited {
    const subject *of;
    const char *name;
    const void *desc;
    size_t fitting;
} limited;

static clprims_status create(const limited *l, size_t n) {
    size_t most[SUBJECT_NUMBERS];
    void *plan = NULL;
    subject_limit_for(l->of, l->of->traits.is_square ? side_of(n) : n, most);
    if (l->of->limit_of_memory != NULL) l->of->limit_of_memory(n, most);
    const clprims_status status = subject_create(l->of, context, l->desc, NULL, most, &plan);
    l->of->destroy(plan);
    return status;
}

static void complain(const char *what, const char *plan, int kind, size_t n) {
    fprintf(stderr, "%s: %s, n = %zu on device %d, %zu bytes: %s\n", plan, what, n, kind,
            fake_allocated(), clprims_last_error()->message);
    failures++;
}

/* Both numbers: what was wanted, and what there is. */
static bool says_both(void) {
    const char *message = clprims_last_error()->message;
    char limit[64];
    size_t bytes = 0;
    snprintf(limit, sizeof limit, "exceeds the %zu that", (size_t)MOST_ALLOC);
    const char *wanted = strstr(message, "a buffer of ");
    return wanted != NULL && sscanf(wanted, "a buffer of %zu bytes", &bytes) == 1 &&
           bytes > MOST_ALLOC && strstr(message, limit) != NULL;
}

/* Returns whether the plan was refused. */
static bool try(const limited *l, int kind, size_t n) {
    fake_memory(MEMORY, MOST_ALLOC);
    const clprims_status status = create(l, n);
    if (status == CLPRIMS_OK) {
        if (n <= l->fitting && fake_allocated() + 4 * 4 * n > MEMORY) {
            complain("too much scratch", l->name, kind, n);
        }
        return false;
    }
    if (n <= l->fitting) complain("refused", l->name, kind, n);
    if (status != CLPRIMS_ERR_TOO_LARGE || !says_both()) {
        complain("refused without the numbers", l->name, kind, n);
    }
    return true;
}

static void expect_refusal(const char *name, int kind, size_t n, clprims_status status) {
    if (status != CLPRIMS_ERR_TOO_LARGE || !says_both()) complain("plain arrays", name, kind, n);
}

/* Plain arrays of 1 GB, of which nothing is read: the device can't have a copy. */
static void try_arrays(int kind) {
    enum { N = 1 << 28 };
    const clprims_type type = CLPRIMS_I32;
    int32_t some[4] = {0};
    int64_t wide[4];
    size_t count;
    expect_refusal("sum", kind, N, clprims_sum(context, type, some, N, wide));
    expect_refusal("argmin", kind, N, clprims_argmin(context, type, some, N, wide));
    expect_refusal("cumsum", kind, N, clprims_cumsum(context, type, some, N, wide));
    expect_refusal("sort_in_place", kind, N, clprims_sort_in_place(context, type, some, N));
    expect_refusal("argsort", kind, N, clprims_argsort(context, type, some, N, wide));
    expect_refusal("nonzero", kind, N, clprims_nonzero(context, type, some, N, wide, &count));
}

/* The other descriptions of a subject are tried with the first two sizes. */
static size_t try_subject(const subject *of, int kind) {
    static const size_t sizes[] = {USUAL, (size_t)1 << 30, 1 << 16,
                                   LINKS, SORTED_SEGMENTS, (size_t)1 << 28};
    limited l = {of, of->name, of->plain, of->fitting > 0 ? of->fitting : USUAL};
    size_t refused = 0;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) refused += try(&l, kind, sizes[s]);
    for (size_t i = 0; i < of->plans.limit_count; i++) {
        l.name = of->plans.limits[i].name;
        l.desc = of->plans.limits[i].desc;
        for (size_t s = 0; s < 2; s++) refused += try(&l, kind, sizes[s]);
    }
    return refused;
}

int main(void) {
    size_t refused = 0;
    for (int kind = 0; kind <= FAKE_CPU; kind++) {
        char number[8];
        snprintf(number, sizeof number, "%d", kind);
        clprims_context_options options = {.device = number};
        fake_memory(MEMORY, MOST_ALLOC);
        if (clprims_context_create(&context, &options) != CLPRIMS_OK) {
            complain("no context", "", kind, 0);
            continue;
        }
        for (size_t i = 0; i < SUBJECT_COUNT; i++) refused += try_subject(subjects[i], kind);
        try_arrays(kind);
        clprims_context_destroy(context);
    }
    if (refused == 0) {
        fprintf(stderr, "no plan was refused\n");
        failures++;
    }
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
