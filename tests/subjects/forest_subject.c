/* SPDX-License-Identifier: MIT */
/* Forests. The second number is that of the heads that are given. */
#include "fixtures/list/forest_cases.h"
#include "subjects/draws/drawn_list.h"

enum { NEXT, RANK, HEAD, HEADS, REPORT };
enum { FEW = 100, FAULTS_N = 100000, LARGE = 33554433 };

/* Whose heads: they are found, or where data may be malformed given as well; the one of a single
 * list is given; or none is given and no rank is wanted. */
enum { FOUND, GIVEN, NONE };

SUBJECT_PLAN(forest)
SUBJECT_DESCRIBE(forest, n[0], (clprims_forest_sizes){n[1]})
SUBJECT_CHECK(forest)

static clprims_status enqueue(void *plan, const subject_data *d, const subject_submission *s) {
    const clprims_forest_buffers buffers = {s->at[NEXT],  s->at[RANK],   s->at[HEAD],
                                            s->at[HEADS], s->at[REPORT], {d->at[HEADS].n}};
    return clprims_forest_enqueue(plan, s->queue, SUBJECT_GIVEN(d, &buffers), d->n[0],
                                  SUBJECT_WAITS(s));
}

SUBJECT_RUN(forest, at[NEXT], at[RANK], at[HEAD], at[HEADS], {d->at[HEADS].n})

/* Cuts a list into several: nearly all elements alone, or a few long lists. */
static void cut(int64_t *next, size_t n) {
    const uint64_t one_in = (uint64_t)1 << test_random_below(24);
    for (size_t i = 0; i < n; i++) {
        if (test_random_below(one_in) == 0) next[i] = -1;
    }
}

/* One head is another element, or none, or is missing. */
static void mutate_heads(int64_t *heads, size_t *count, size_t n) {
    const size_t at = test_random_below(*count);
    switch (test_random_below(3)) {
    case 0:
        heads[at] = (int64_t)test_random_below(n);
        break;
    case 1:
        heads[at] = test_random_below(2) == 0 ? -1 : (int64_t)n;
        break;
    default:
        heads[at] = heads[--*count];
    }
}

static void put_heads(subject_data *d, const forest_case *c) {
    const size_t bytes = clprims_type_bytes(c->link), count = c->num_heads;
    void *given = subject_in(d, HEADS, "heads", count, count, bytes);
    for (size_t k = 0; k < count; k++) test_store_integer(bytes, given, k, (uint64_t)c->heads[k]);
    d->at[HEADS].is_needed = true;
}

/* An output, unless it is not wanted, which a malformed forest leaves as it is. */
static void give_output(subject_data *d, size_t slot, const int64_t *values) {
    const size_t n = d->n[0], bytes = d->at[NEXT].bytes;
    void *expected = subject_out(d, slot, slot == RANK ? "rank" : "head", n, n, bytes);
    for (size_t i = 0; i < n && d->status == CLPRIMS_OK; i++) {
        test_store_integer(bytes, expected, i, (uint64_t)values[i]);
    }
    drawn_list_settle(d, slot);
    subject_may_overlap(d, NEXT, slot, SUBJECT_ANYWHERE);
    if (d->variant == GIVEN) subject_may_overlap(d, HEADS, slot, SUBJECT_ANYWHERE);
}

/* The links, which are to be freed, and what is wanted of them; heads as there are or mutated. */
static forest_case draw_case(subject_data *d, clprims_type link) {
    const size_t n = d->n[0];
    const bool is_found = d->variant == FOUND, is_drawn = is_found && d->may_be_malformed;
    const uint64_t missing = is_drawn ? test_random_below(6) : d->variant == NONE ? 0 : 2;
    int64_t *next = drawn_links(d, link);
    forest_case c = {.link = link, .next = next, .n = n};
    c.without_rank = missing == 0;
    c.without_head = missing == 1;
    if (is_found) cut(next, n);
    if (is_found && !(is_drawn && test_random_below(2) == 0)) return c;
    int64_t *heads = forest_heads(next, n, &c.num_heads);
    c.heads = heads;
    if (d->variant == NONE || (is_drawn && test_random_below(16) == 0)) c.num_heads = 0;
    if (is_drawn && c.num_heads > 0 && test_random_below(3) == 0) {
        mutate_heads(heads, &c.num_heads, n);
    }
    return c;
}

/* d->how: a forest_case, or NULL. */
static void draw(subject_data *d) {
    const size_t n = d->n[0];
    const clprims_type link = ((const clprims_forest_desc *)d->desc)->link;
    int64_t *ranks = test_alloc(n, sizeof *ranks), *firsts = test_alloc(n, sizeof *firsts);
    const forest_case c = d->how != NULL ? *(const forest_case *)d->how : draw_case(d, link);
    const clprims_list_report report = forest_expected(&c, ranks, firsts);
    if (report.fault != CLPRIMS_LIST_VALID) d->status = d->verdict = CLPRIMS_ERR_DATA;
    drawn_links_put(d, NEXT, link, c.next);
    if (c.heads != NULL) put_heads(d, &c);
    if (!c.without_rank) give_output(d, RANK, ranks);
    if (!c.without_head) give_output(d, HEAD, firsts);
    d->at[RANK].is_optional = d->at[HEAD].is_optional = true;
    subject_report(d, REPORT, &report, sizeof report);
    free(ranks);
    free(firsts);
    if (d->how != NULL) return;
    free((void *)c.next);
    if (c.heads != NULL) test_scratch_free((void *)c.heads);
}

#define TREES SUBJECT_DESC(forest, .link = CLPRIMS_I32)
#define BUCKETS                                                                                    \
    "SINGLE=500 SINGLE_GROUP=16 SUBLIST=8 LEAST=1 UPPER=4 LAST=16 GROUP=16 LANES=64 CHUNK=64 "     \
    "BUCKET=64 WINDOW=64"

static const subject_call calls[] = {
    {"forest", TREES, "SINGLE=0", .n = {FEW}, .variant = GIVEN},
    {"forest-of-no-heads", TREES, "SINGLE=0", .n = {FEW}, .variant = NONE},
};

static const subject_sample samples[] = {{"forest", TREES, 5000000, LARGE}};

static const subject_fault faults[] = {
    {"forest", "", TREES, .n = {FAULTS_N}, .order = SUBJECT_IN_ORDER}};

static const subject_launch launched[] = {
    {"listscan/default", .desc = TREES},
    {"listscan/buckets", .desc = TREES, BUCKETS, .is_local = true},
};

static const subject_kind kinds[] = {
    {"trees", "i32", .desc = TREES},
};

const subject subject_forest = {
    SUBJECT(forest),         .max = {SUBJECT_MAX(forest, max_n)},
    .plain = TREES,          SUBJECT_INFO(forest),
    SUBJECT_SCRATCH(forest), .fitting = 1 << 23,
    .check = check,          SUBJECT_LAUNCHED_PLANS,
};
