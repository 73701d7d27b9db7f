/* SPDX-License-Identifier: MIT */
/*
 * The list_faults suite: how long list ranking takes to refuse what is no list, beside a good list
 * of that length. Every report is compared with that of a checker in plain C.
 */
#include "list_data.h"
#include "list_job.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 22, CYCLE = 1000 };

/* ---- What is spoiled: the random list, of at least eight elements -----------------------------
 */

static int32_t element(const list_data *list, size_t rank) {
    return (int32_t)list_random_element(list->n, rank);
}

static void keep(list_data *list) {
    (void)list;
}

/* All splitters that the library tries first, one after another, and then all other elements. */
static void against_hash(list_data *list) {
    uint64_t bits = 1, k = 0;
    while (((uint64_t)1 << bits) < list->n) bits++;
    const uint64_t mask = ((uint64_t)1 << bits) - 1, shift = (bits + 1) / 2;
    for (uint64_t key = 0; key <= mask; key++) {
        uint64_t x = key ^ key >> shift;
        x = x * UINT64_C(0x96de1b173f119089) & mask;
        x ^= x >> shift;
        x = x * UINT64_C(0xf1de83e19937733d) & mask;
        x ^= x >> shift;
        if (x < list->n) list->rank[k++] = (int32_t)x;
    }
    list_link_in_order(list);
}

static void self_loop(list_data *list) {
    const int32_t at = element(list, list->n / 2);
    list->next[at] = at;
}

static void rho(list_data *list) {
    list->next[element(list, list->n - 1)] = element(list, list->n / 3);
}

static void whole_cycle(list_data *list) {
    list->next[element(list, list->n - 1)] = list->head;
}

static void half_on_cycle(list_data *list) {
    list->next[element(list, list->n / 2 - 1)] = -1;
    list->next[element(list, list->n - 1)] = element(list, list->n / 2);
}

/* Path and cycles of a thousand elements each. */
static void many_cycles(list_data *list) {
    const size_t n = list->n, length = n > 2 * CYCLE ? CYCLE : n / 4;
    for (size_t end = length; end <= n; end += length)
        list->next[element(list, end - 1)] = end == length ? -1 : element(list, end - length);
    if (n % length != 0) list->next[element(list, n - 1)] = element(list, n - n % length);
}

static void two_tails(list_data *list) {
    list->next[element(list, list->n / 2)] = -1;
}

static void same_successor(list_data *list) {
    list->next[element(list, list->n / 2)] = list->next[element(list, list->n / 4)];
}

static void link_too_large(list_data *list) {
    list->next[element(list, list->n / 2)] = (int32_t)list->n;
}

static void link_too_small(list_data *list) {
    list->next[element(list, list->n / 2)] = INT32_MIN;
}

static void wrong_head(list_data *list) {
    list->head = element(list, list->n / 2);
}

static void all_zero(list_data *list) {
    memset(list->next, 0, list->n * sizeof *list->next);
}

static void all_tails(list_data *list) {
    memset(list->next, 0xff, list->n * sizeof *list->next);
}

static void random_function(list_data *list) {
    for (size_t i = 0; i < list->n; i++) {
        const uint64_t x = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        list->next[i] = (int32_t)(((x ^ x >> 31) & UINT32_MAX) * list->n >> 32);
    }
    list->next[element(list, list->n / 2)] = -1;
}

static const struct {
    const char *name;
    void (*spoil)(list_data *list);
} cases[] = {{"good list", keep},
             {"good list, against the hash", against_hash},
             {"self-loop", self_loop},
             {"rho", rho},
             {"one cycle", whole_cycle},
             {"half on a cycle", half_on_cycle},
             {"cycles of 1000", many_cycles},
             {"two tails", two_tails},
             {"same successor", same_successor},
             {"a link n", link_too_large},
             {"a link INT_MIN", link_too_small},
             {"wrong head", wrong_head},
             {"all links 0", all_zero},
             {"all links -1", all_tails},
             {"random function", random_function},
             {"good list again", keep}};
enum { CASES = sizeof cases / sizeof *cases };

/* ---- The checker ----------------------------------------------------------------------------- */

/* The lowest element from `start` on with this link, but not `skipped`; n: none. */
static size_t naming(const list_data *list, int32_t link, size_t start, size_t skipped) {
    size_t i = start;
    while (i < list->n && (list->next[i] != link || i == skipped)) i++;
    return i;
}

/* Of links in range with one tail: what is wrong with the names and with the path from head. */
static clprims_list_report fault_of_path(const list_data *list, unsigned char *named) {
    const size_t n = list->n;
    size_t i = 0;
    memset(named, 0, n);
    for (i = 0; i < n; i++)
        if (list->next[i] >= 0 && named[list->next[i]] < 2) named[list->next[i]]++;
    for (i = 0; i < n && (list->next[i] < 0 || named[list->next[i]] < 2);) i++;
    if (i < n) {
        const int64_t other = (int64_t)naming(list, list->next[i], 0, i);
        return (clprims_list_report){CLPRIMS_LIST_SAME_SUCCESSOR, (int64_t)i, other, list->head};
    }
    if (named[list->head] > 0) {
        const int64_t other = (int64_t)naming(list, list->head, 0, n);
        return (clprims_list_report){CLPRIMS_LIST_HEAD, list->head, other, list->head};
    }
    memset(named, 0, n);
    for (int32_t at = list->head; at >= 0; at = list->next[at]) named[at] = 1;
    for (i = 0; i < n && named[i];) i++;
    if (i < n) return (clprims_list_report){CLPRIMS_LIST_CYCLE, (int64_t)i, -1, list->head};
    return (clprims_list_report){CLPRIMS_LIST_VALID, -1, -1, list->head};
}

static clprims_list_report check(const list_data *list) {
    const size_t n = list->n;
    const int64_t head = list->head;
    size_t i = 0;
    while (i < n && list->next[i] >= -1 && (list->next[i] < 0 || (size_t)list->next[i] < n)) i++;
    if (i < n)
        return (clprims_list_report){CLPRIMS_LIST_LINK_RANGE, (int64_t)i, list->next[i], head};
    const size_t tail = naming(list, -1, 0, n);
    if (tail == n) return (clprims_list_report){CLPRIMS_LIST_NO_TAIL, -1, -1, head};
    const size_t second = naming(list, -1, tail + 1, n);
    if (second < n)
        return (clprims_list_report){CLPRIMS_LIST_TWO_TAILS, (int64_t)tail, (int64_t)second, head};
    unsigned char *named = bench_alloc(n);
    const clprims_list_report report = fault_of_path(list, named);
    free(named);
    return report;
}

/* ---- One measurement ------------------------------------------------------------------------- */

static bool is_report(const list_job *job, const clprims_list_report *expected, char *fault,
                      size_t fault_bytes) {
    clprims_list_report got;
    bench_read(job->b, job->report, 0, sizeof got, &got);
    if (memcmp(&got, expected, sizeof got) == 0) return true;
    snprintf(fault, fault_bytes,
             "the report is {%" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64
             "}, in plain C {%" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64 "}",
             got.fault, got.index, got.other, got.head, expected->fault, expected->index,
             expected->other, expected->head);
    return false;
}

static bool is_ranked(const list_job *job, const list_data *list, char *fault, size_t fault_bytes) {
    int32_t *got = bench_alloc(CHUNK * sizeof *got);
    size_t wrong = list->n;
    list_walk(list->next, list->head, list->rank);
    for (size_t first = 0; first < list->n && wrong == list->n; first += CHUNK) {
        const size_t count = list->n - first < CHUNK ? list->n - first : CHUNK;
        list_job_read(job, first, count, got);
        for (size_t k = 0; k < count && wrong == list->n; k++)
            if (got[k] != list->rank[first + k]) wrong = first + k;
    }
    free(got);
    if (wrong < list->n) snprintf(fault, fault_bytes, "rank[%zu] is not what plain C has", wrong);
    return wrong == list->n;
}

/* Returns the seconds, 0 if something is wrong. */
static double measure(list_job *job, list_data *list, const char *name) {
    char fault[256] = "", count[24];
    bench_row row = {.suite = "list_faults", .name = name, .method = "clprims", .n = list->n};
    row.bytes = list_job_bytes(list->n);
    bench_step("list_faults %s, n = %s", name, bench_count_text(list->n, count));
    const clprims_list_report expected = check(list);
    const bool is_valid = expected.fault == CLPRIMS_LIST_VALID;
    clprims_status status = list_job_run(job, list->next, list->n, list->head);
    if (status == CLPRIMS_ERR_DATA && !is_valid) status = CLPRIMS_OK;
    if (status == CLPRIMS_OK && is_report(job, &expected, fault, sizeof fault) &&
        (!is_valid || is_ranked(job, list, fault, sizeof fault)))
        status = list_job_measure(job, &row.time);
    if (status != CLPRIMS_OK) {
        row.failed = status != CLPRIMS_ERR_DATA;
        snprintf(fault, sizeof fault, "%s", clprims_last_error()->message);
    }
    if (fault[0] != '\0') row.fault = fault;
    bench_row_report(job->b, &row);
    return row.time.median;
}

/* ---- The suite ------------------------------------------------------------------------------- */

static void measure_size(bench *b, list_job *job, list_data *list) {
    double good = 0, slowest = 0;
    const char *name = "";
    for (size_t k = 0; k < CASES; k++) {
        if (!bench_wanted(&b->options, cases[k].name)) continue;
        list->head = list_link_random(list->next, list->n);
        cases[k].spoil(list);
        const double seconds = measure(job, list, cases[k].name);
        if (k == 0) good = seconds;
        if (seconds > slowest) {
            slowest = seconds;
            name = cases[k].name;
        }
    }
    if (good > 0) bench_note("the slowest, %s: %.2f times a good list", name, slowest / good);
}

void bench_list_faults(bench *b) {
    size_t sizes[BENCH_MAX_SIZES];
    const unsigned last = (b->is_cpu ? 6u : 7u) - (b->options.quick ? 1u : 0u);
    const size_t count = bench_sizes(&b->options, 10, 4, last, 1, sizes);
    bench_table_begin("list_faults, int32 links");
    for (size_t k = 0; k < count; k++) {
        char text[24];
        const size_t n = sizes[k];
        if (n < 8 || n > INT32_MAX || !bench_fits(b, 8.0 * (double)n, 32.0 * (double)n)) {
            bench_note("no lists of %s elements", bench_count_text(n, text));
            b->skipped++;
            continue;
        }
        list_job job = {0};
        list_data list = list_data_create(n);
        list.n = n;
        if (list_job_create(b, n, &job) == CLPRIMS_OK)
            measure_size(b, &job, &list);
        else
            bench_row_report(b, &(bench_row){.suite = "list_faults",
                                             .name = "create",
                                             .method = "clprims",
                                             .n = n,
                                             .failed = true,
                                             .fault = clprims_last_error()->message});
        list_job_destroy(&job);
        list_data_destroy(&list);
    }
}
