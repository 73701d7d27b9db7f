/* SPDX-License-Identifier: MIT */
/* Counted runs. */
#include "subjects/runs/subject_counted.h"
#include "fixtures/count_cases.h"
#include "subjects/runs/subject_refusals.h"

#include <inttypes.h>

static void enqueue(const subject_data *d, void *plan, const subject_buffers *b) {
    expect_ok(d->of->enqueue(plan, d, &b->call));
    expect_cl(clFinish(test_queue()));
    subject_buffers_expect(d, b);
}

void subject_one_is_right(const subject_data *like, void *plan, const size_t n[SUBJECT_NUMBERS],
                          bool counted, bool in_place) {
    subject_data d = *like;
    for (size_t k = 0; k < SUBJECT_NUMBERS; k++) d.n[k] = n[k];
    d.counted = counted;
    d.in_place = in_place;
    subject_draw(&d);
    subject_buffers b = subject_buffers_draw(&d);
    enqueue(&d, plan, &b);
    subject_buffers_release(&b);
    subject_free(&d);
}

/* The slot of the array of number k, or SUBJECT_SLOTS. */
static size_t slot_of(const subject_data *d, size_t k) {
    size_t slot = 0;
    while (slot < SUBJECT_SLOTS && !(d->at[slot].is_number && d->at[slot].number == k)) slot++;
    return slot;
}

/* Nothing but the report and a count is written, which say so. */
static void expect_nothing_written(subject_data *d) {
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        subject_array *array = &d->at[k];
        if (array->is_count) {
            *(uint64_t *)array->expected = UINT64_MAX;
        } else if (array->is_report) {
            array->is_judged = true;
        } else {
            array->written = 0;
            array->is_undefined_behind = false;
        }
    }
    d->verdict = CLPRIMS_ERR_DATA;
}

static void expect_refused(const subject_data *like, void *plan, size_t k, uint64_t number,
                           const char *name, bool in_place) {
    subject_data d = *like;
    char message[96];
    d.counted = true;
    d.in_place = in_place;
    subject_draw_about(&d, d.most[0] / 2 + 1);
    const size_t slot = slot_of(&d, k);
    *(uint64_t *)d.at[slot].values = number;
    snprintf(message, sizeof message, "%s = %" PRIu64 ", as read on the device, exceeds ",
             name != NULL ? name : d.at[slot].name, number);
    expect_nothing_written(&d);
    subject_buffers b = subject_buffers_draw(&d);
    enqueue(&d, plan, &b);
    if (name != NULL || d.of->traits.tells_numbers) {
        expect_contains(clprims_last_error()->message, message);
    }
    subject_buffers_release(&b);
    subject_free(&d);
}

void subject_number_is_refused(const subject_data *like, void *plan, size_t k, uint64_t number,
                               const char *name) {
    expect_refused(like, plan, k, number, name, false);
}

/* Whether number k may stand in device memory. */
static bool is_counted(const subject_data *like, size_t k) {
    subject_data d = *like;
    d.counted = true;
    subject_draw_about(&d, 1);
    const bool counts = slot_of(&d, k) < SUBJECT_SLOTS;
    subject_free(&d);
    return counts;
}

/* A plain run of about n elements. */
static void run_plain(const subject_data *like, void *plan, size_t n, bool in_place) {
    subject_data plain = *like;
    plain.n[0] = n;
    if (plain.of->numbers != NULL) plain.of->numbers(&plain, n);
    subject_one_is_right(like, plan, plain.n, false, in_place);
}

/* Runs of which number k is each of the cases. by_host: the other one is the host's. */
static void count(const subject_data *like, void *plan, size_t k, size_t tile, bool in_place,
                  bool by_host) {
    subject_data one = *like;
    one.by_host = by_host ? 2 - k : 0;
    for (size_t i = 0; i < COUNT_CASES; i++) {
        const uint64_t number = count_case(i, tile, like->most[k]);
        const bool is_first = i % 2 == 0 && number <= like->most[0];
        test_note("number %zu is %" PRIu64 "%s", k, number,
                  by_host ? ", the other the host's" : "");
        one.most[k] = like->most[k];
        if (number > like->most[k]) {
            expect_refused(&one, plan, k, number, NULL, in_place);
            continue;
        }
        one.most[k] = (size_t)number - (is_first && number > 0);
        if (number > one.most[k]) expect_refused(&one, plan, k, number, NULL, in_place);
        one.most[k] = (size_t)number;
        if (i % 3 > 0) one.most[k] += test_random_below(like->most[k] - number + 1);
        /* The other numbers as for a run of any size. */
        one.n[0] = is_first ? (size_t)number : test_random_below(one.most[0] + 1);
        if (one.of->numbers != NULL) one.of->numbers(&one, one.n[0]);
        if (by_host) one.n[1 - k] = one.most[1 - k];
        one.n[k] = (size_t)number;
        subject_one_is_right(&one, plan, one.n, true, in_place);
        const bool has_one = one.of->numbers == NULL;
        run_plain(like, plan, has_one ? one.n[0] : test_random_below(like->most[0] + 1), in_place);
    }
}

void subject_counted_is_right(const subject_data *like, void *plan, size_t tile, bool in_place) {
    for (size_t k = 0; k < SUBJECT_NUMBERS; k++) {
        if (!is_counted(like, k)) continue;
        count(like, plan, k, tile, in_place, false);
        if (like->of->traits.has_optional_numbers) count(like, plan, k, tile, in_place, true);
    }
}

void subject_numbers_are_refused(const subject_data *like, void *plan) {
    for (size_t k = 0; k < SUBJECT_NUMBERS; k++) {
        const uint64_t numbers[] = {like->most[k] + 1, (uint64_t)1 << 32, UINT64_MAX};
        if (!is_counted(like, k)) continue;
        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
            subject_number_is_refused(like, plan, k, numbers[i], NULL);
        }
    }
}

/* ---- Cases ---- */

typedef struct counted_case {
    subject_described described;
    size_t tile;
    bool in_place;
} counted_case;

static void counted_is_right(const void *data) {
    const counted_case *c = data;
    const subject_data like = subject_data_like(&c->described);
    void *plan = subject_made_plan(like.of, like.desc);
    subject_counted_is_right(&like, plan, c->tile, c->in_place);
}

void subject_add_counted(test_cases *cases, const subject *of, const void *desc, size_t tile,
                         bool in_place, const char *name) {
    const counted_case c = {subject_described_by(of, desc), tile, in_place};
    test_add_row(cases, counted_is_right, c, "%s%s", name, in_place ? "/in-place" : "");
}
