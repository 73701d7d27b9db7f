/* SPDX-License-Identifier: MIT */
/* What primitives refuse. */
#include "subjects/runs/subject_refusals.h"

/* ---- Descriptions ---- */

struct subject_refusal {
    test_cases *cases; /* NULL: the row's changes are wanted */
    subject_described good;
    subject_spoil *spoil;
    const char *prefix;
    size_t wanted, row;
    clprims_status status;
    const char *part;
};

static void refuse(const subject *of, const void *desc, clprims_status status, const char *part) {
    int other = 0;
    void *plan = &other; /* create must set it */
    const bool is_text = status == CLPRIMS_ERR_BUILD;
    expect_failure(of->create(&plan, test_context(), desc, of->desc_bytes), status,
                   is_text ? "" : part);
    if (plan != NULL) test_fail("a refused create left a plan");
    if (!is_text) return;
    const clprims_error *error = clprims_last_error();
    if (error->build_log[0] == '\0') test_fail("a text that does not compile left no build log");
    if (error->message[strlen(error->message) - 1] == ' ') test_fail("the message has no error");
    if (strstr(error->message, part) == NULL) expect_contains(error->build_log, part);
}

void subject_is_refused(const subject *of, const void *desc, clprims_status status,
                        const char *part) {
    refuse(of, desc, status, part);
    expect_usable(test_context());
}

static void desc_is_refused(const void *data) {
    subject_refusal r = *(const subject_refusal *)data;
    subject_described spoiled = r.good;
    r.spoil(spoiled.desc.bytes, &r);
    subject_is_refused(r.good.of, spoiled.desc.bytes, r.status, r.part);
}

bool subject_refusal_is(subject_refusal *r, const char *name, clprims_status status,
                        const char *part) {
    const size_t row = r->row++;
    if (r->cases != NULL) {
        const subject_refusal one = {.good = r->good, .spoil = r->spoil, .wanted = row};
        test_add(r->cases, desc_is_refused, &one, sizeof one, "%s/%s", r->prefix, name);
        return false;
    }
    if (row != r->wanted) return false;
    r->status = status;
    r->part = part;
    return true;
}

const subject *subject_refusal_of(const subject_refusal *r) {
    return r->good.of;
}

void subject_add_refused(test_cases *cases, const subject *of, const void *good,
                         subject_spoil *spoil, const char *prefix) {
    subject_refusal r = {
        .cases = cases, .good = subject_described_by(of, good), .spoil = spoil, .prefix = prefix};
    spoil(NULL, &r);
}

/* ---- Pointers ---- */

static void expect_argument(clprims_status status, const char *name, const char *what) {
    char part[96];
    snprintf(part, sizeof part, "%s%s", name, what);
    test_note("%s", part);
    expect_failure(status, CLPRIMS_ERR_ARGUMENT, part);
}

void subject_null_is_refused(const subject *of, const void *good) {
    int other = 0;
    void *plan = &other; /* create must set it */
    expect_argument(of->create(NULL, test_context(), good, of->desc_bytes), "", ": out is NULL");
    expect_argument(of->create(&plan, NULL, good, of->desc_bytes), "", ": context is NULL");
    assert_null(plan);
    expect_argument(of->create(&plan, test_context(), NULL, of->desc_bytes), "", ": desc is NULL");
    of->destroy(NULL);
}

/* ---- Calls ---- */

/* One more than the plan takes, of each number that it bounds. */
static bool exceed(const subject_data *d, size_t k, subject_data *larger) {
    const bool is_bounded = d->of->is_bounded == NULL || d->of->is_bounded(d, k);
    if (d->of->traits.needs_no_max || d->of->max[k] == 0 || d->most[k] == 0 || !is_bounded) {
        return false;
    }
    *larger = *d;
    larger->n[k] = d->most[k] + 1;
    test_note("number %zu: %zu", k, larger->n[k]);
    return true;
}

/* Whether the call reads number k in device memory. */
static bool is_on_device(const subject_data *d, size_t k) {
    bool is_there = false;
    for (size_t i = 0; i < SUBJECT_SLOTS; i++) {
        is_there = is_there || (d->at[i].is_number && d->at[i].number == k);
    }
    return is_there;
}

static void spoil_arrays(const subject_data *d, void *plan, const subject_buffers *b) {
    subject_submission call = b->call;
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        const subject_array *array = &d->at[k];
        if (array->name == NULL || array->n == 0) continue;
        const size_t short_of_one = b->own[k].bytes / array->bytes - array->n + 1;
        call.at[k] = subject_place(array, b->own[k].at.mem, short_of_one);
        expect_argument(d->of->enqueue(plan, d, &call), array->name, " has room for");
        call.at[k].first = SIZE_MAX / 2;
        expect_argument(d->of->enqueue(plan, d, &call), array->name, " has room for");
        const bool may_be_missing =
            array->is_report || array->is_optional || array->is_number || array->is_needed;
        if (!may_be_missing) {
            call.at[k] = (clprims_buffer){NULL, 0};
            expect_argument(d->of->enqueue(plan, d, &call), array->name, ".mem is NULL");
        }
        call.at[k] = b->call.at[k];
    }
}

void subject_enqueue_refuses(const subject_data *d, void *plan) {
    subject_buffers b = subject_buffers_create(d, NULL, 0);
    subject_submission call = b.call;
    subject_data other = *d;
    expect_argument(d->of->enqueue(NULL, d, &call), "plan", " is NULL");
    other.lacks_structure = true;
    expect_argument(d->of->enqueue(plan, &other, &call), "", ": buffers is NULL");
    for (size_t k = 0; k < SUBJECT_NUMBERS; k++) {
        if (is_on_device(d, k) || !exceed(d, k, &other)) continue;
        expect_failure(d->of->enqueue(plan, &other, &call), CLPRIMS_ERR_TOO_LARGE, " exceeds ");
    }
    call.num_wait = 1;
    expect_argument(d->of->enqueue(plan, d, &call), "num_wait", " = 1, but wait is NULL");
    spoil_arrays(d, plan, &b);
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        if (d->at[k].name != NULL) test_buffer_expect_unchanged(&b.own[k], d->at[k].values);
    }
}

void subject_run_refuses(const subject_data *d, void *plan) {
    const subject *of = d->of;
    subject_arrays a = subject_arrays_create(d);
    subject_data other = *d;
    expect_argument(of->run(NULL, d, a.at), "plan", " is NULL");
    other.lacks_structure = true;
    expect_argument(of->run(plan, &other, a.at), "", ": arrays is NULL");
    for (size_t k = 0; k < SUBJECT_NUMBERS; k++) {
        if (!exceed(d, k, &other)) continue;
        expect_failure(of->run(plan, &other, a.at), CLPRIMS_ERR_TOO_LARGE, " exceeds ");
    }
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        const subject_array *array = &d->at[k];
        const bool is_given =
            !array->is_report && !array->is_count && !array->is_number && !array->is_optional;
        void *const at = a.at[k];
        if (array->name == NULL || array->n == 0 || !is_given) continue;
        a.at[k] = NULL;
        expect_argument(of->run(plan, d, a.at), array->name, " is NULL");
        a.at[k] = at;
    }
}

void subject_unset_is_refused(const subject_data *like, void *plan, const char *name) {
    char part[96];
    snprintf(part, sizeof part, "%s: parameter 0, %s, was never set", like->of->name, name);
    for (int counted = 0; counted < 2; counted++) {
        subject_data d = *like;
        d.counted = counted != 0;
        subject_draw_about(&d, 1);
        subject_buffers b = subject_buffers_create(&d, NULL, 0);
        subject_arrays a = subject_arrays_create(&d);
        expect_failure(d.of->enqueue(plan, &d, &b.call), CLPRIMS_ERR_ARGUMENT, part);
        if (!d.counted) expect_failure(d.of->run(plan, &d, a.at), CLPRIMS_ERR_ARGUMENT, part);
    }
}

static void describe_refuses(const subject_data *d, const void *plan) {
    const subject *of = d->of;
    _Alignas(16) unsigned char info[SUBJECT_DESC_BYTES] = {0};
    subject_data larger;
    const size_t bytes = of->info.bytes;
    expect_argument(of->describe(NULL, d->n, info, bytes), "plan", " is NULL");
    expect_failure(of->describe(plan, d->n, NULL, bytes), CLPRIMS_ERR_ARGUMENT,
                   of->max[1] == 0 ? "info is NULL"
                                   : ""); /* of segments, several sizes are tried */
    for (size_t k = 0; k < SUBJECT_NUMBERS; k++) {
        const bool follows = k == 1 && d->n[SUBJECT_LENGTH] > 0; /* the number of segments */
        if (follows || !exceed(d, k, &larger)) continue;
        expect_failure(of->describe(plan, larger.n, info, bytes), CLPRIMS_ERR_TOO_LARGE,
                       " exceeds ");
    }
    expect_ok(of->describe(plan, d->n, info, bytes));
}

void subject_others_refuse(const subject_data *d, void *plan) {
    const subject *of = d->of;
    const int64_t strange[8] = {99};
    const int value = 3;
    if (of->describe != NULL) describe_refuses(d, plan);
    if (of->check != NULL && of->traits.tells_numbers) {
        expect_argument(of->check(NULL), "report", " is NULL");
        expect_argument(of->check(strange), "report", ".fault = 99");
    }
    if (of->set_parameter != NULL) {
        expect_argument(of->set_parameter(NULL, 0, 4, &value), "plan", " is NULL");
        expect_argument(of->set_parameter(plan, 0, 4, &value), "no parameter 0",
                        "; desc.parameters has 0");
    }
}

/* The first array is the input's. */
void subject_input_is_refused(const subject_data *like) {
    static const char refusal[] = " is not NULL, but the plan has no input array";
    subject_data d = *like;
    void *plan = subject_opened_plan(like, NULL);
    subject_draw_about(&d, d.most[0]);
    subject_buffers b = subject_buffers_create(&d, NULL, 0);
    subject_arrays a = subject_arrays_create(&d);
    b.call.at[0] = subject_no_buffer();
    a.at[0] = &d;
    expect_argument(d.of->enqueue(plan, &d, &b.call), "in.mem", refusal);
    expect_argument(d.of->run(plan, &d, a.at), "in", refusal);
    a.at[0] = NULL;
    expect_ok(d.of->run(plan, &d, a.at));
    subject_arrays_expect(&d, &a);
}
