/* SPDX-License-Identifier: MIT */
/* The table of subjects, and what their files share. */
#include "subjects/subjects.h"

#define SUBJECT_ADDRESS(name) &subject_##name,
const subject *const subjects[SUBJECT_COUNT] = {SUBJECTS(SUBJECT_ADDRESS)};

const subject_way subject_pass_ways[SUBJECT_PASS_WAYS] = {
    {"auto", NULL, CLPRIMS_ALGORITHM_AUTO}, /* few elements' as well */
    {"lookback", NULL, CLPRIMS_ALGORITHM_LOOKBACK},
    {"fallback", NULL, CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK},
    {"levels", NULL, CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN},
    {"lookahead", NULL, CLPRIMS_ALGORITHM_LOOKAHEAD}};

/* ---- Plans ----------------------------------------------------------------------------------- */

void subject_describe(const subject *of, const void *desc, const char *tuning,
                      const size_t most[SUBJECT_NUMBERS], void *described) {
    char *bytes = memcpy(described, desc, of->desc_bytes);
    for (size_t k = 0; k < SUBJECT_NUMBERS; k++) {
        if (of->max[k] != 0) memcpy(bytes + of->max[k], &most[k], sizeof most[k]);
    }
    if (tuning != NULL) memcpy(bytes + of->tuning, &tuning, sizeof tuning);
}

clprims_status subject_create(const subject *of, clprims_context *context, const void *desc,
                              const char *tuning, const size_t most[SUBJECT_NUMBERS], void **plan) {
    union {
        char bytes[SUBJECT_DESC_BYTES];
        max_align_t alignment;
    } own;
    subject_describe(of, desc, tuning, most, own.bytes);
    return of->create(plan, context, own.bytes, of->desc_bytes);
}

clprims_status subject_plan(const subject_data *d, clprims_context *context, const char *tuning,
                            void **plan) {
    static const size_t none[SUBJECT_NUMBERS];
    return subject_create(d->of, context, d->desc, tuning,
                          d->of->traits.needs_no_max ? none : d->most, plan);
}

void *subject_opened_plan(const subject_data *d, const char *tuning) {
    void *plan = NULL;
    expect_ok(subject_plan(d, test_context(), tuning, &plan));
    test_leave(d->of->destroy, plan);
    return plan;
}

static struct {
    _Alignas(16) unsigned char desc[SUBJECT_DESC_BYTES];
    void *plan;
} kept_plans[SUBJECT_COUNT];

void *subject_made_plan(const subject *of, const void *desc) {
    void *plan = NULL;
    expect_ok(of->create(&plan, test_context(), desc, of->desc_bytes));
    test_leave(of->destroy, plan);
    return plan;
}

void *subject_kept_plan(const subject *of, const void *desc) {
    size_t k = 0;
    while (subjects[k] != of) k++;
    if (kept_plans[k].plan != NULL && memcmp(kept_plans[k].desc, desc, of->desc_bytes) == 0)
        return kept_plans[k].plan;
    of->destroy(kept_plans[k].plan);
    kept_plans[k].plan = NULL;
    expect_ok(of->create(&kept_plans[k].plan, test_context(), desc, of->desc_bytes));
    memcpy(kept_plans[k].desc, desc, of->desc_bytes);
    return kept_plans[k].plan;
}

void subject_forget_plans(void) {
    for (size_t k = 0; k < SUBJECT_COUNT; k++) {
        subjects[k]->destroy(kept_plans[k].plan);
        kept_plans[k].plan = NULL;
    }
}

subject_described subject_described_by(const subject *of, const void *desc) {
    subject_described c = {.of = of};
    memcpy(c.desc.bytes, desc, of->desc_bytes);
    return c;
}

subject_data subject_data_like(const subject_described *c) {
    subject_data d = {.of = c->of, .desc = c->desc.bytes};
    for (size_t k = 0; k < SUBJECT_NUMBERS; k++) {
        const size_t place = c->of->max[k];
        if (place != 0) memcpy(&d.most[k], c->desc.bytes + place, sizeof d.most[k]);
    }
    return d;
}

void subject_limit_for(const subject *of, size_t n, size_t most[SUBJECT_NUMBERS]) {
    for (size_t k = 0; k < SUBJECT_NUMBERS; k++) most[k] = n;
    if (of->limit != NULL) of->limit(n, most);
}

/* ---- Data ------------------------------------------------------------------------------------ */

void subject_draw(subject_data *d) {
    d->status = d->verdict = CLPRIMS_OK;
    d->part = NULL;
    d->of->draw(d);
    if (d->in_place) subject_put_in_place(d);
}

void subject_draw_about(subject_data *d, size_t n) {
    d->n[0] = n;
    if (d->of->numbers != NULL) d->of->numbers(d, n);
    subject_draw(d);
}

void subject_free(subject_data *d) {
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        test_scratch_free(d->at[k].values);
        test_scratch_free(d->at[k].expected);
    }
    memset(d->at, 0, sizeof d->at);
    memset(d->pairs, 0, sizeof d->pairs);
}

static void *allocate(size_t n, size_t bytes) {
    void *values = test_scratch(n, bytes);
    memset(values, 0, n * bytes);
    return values;
}

/* Room for as many elements as the larger of the two has. */
static void move_into(subject_array *out, subject_array *in) {
    out->values = in->values;
    if (in->n < out->n) {
        out->values = allocate(out->n, out->bytes);
        memcpy(out->values, in->values, in->n * in->bytes);
        test_scratch_free(in->values);
    }
    if (out->n < in->n) out->n = in->n;
}

void subject_put_in_place(subject_data *d) {
    for (size_t k = 0; k < SUBJECT_PAIRS; k++) {
        const subject_pair *pair = &d->pairs[k];
        subject_array *in = &d->at[pair->one], *out = &d->at[pair->other];
        if (pair->rule != SUBJECT_SAME_PLACE || in->name == NULL) continue;
        move_into(out, in);
        *in = (subject_array){.shares = pair->other + 1};
    }
}

size_t subject_slot(const subject_data *d, const char *name) {
    for (size_t k = 0; k < SUBJECT_SLOTS; k++) {
        if (d->at[k].name != NULL && strcmp(d->at[k].name, name) == 0) return k;
    }
    test_fail("%s has no array %s", d->of->name, name);
    return 0;
}

void subject_leave_out(subject_data *d, const char *name) {
    subject_array *array = &d->at[subject_slot(d, name)];
    test_scratch_free(array->values);
    test_scratch_free(array->expected);
    *array = (subject_array){.name = NULL};
}

subject_rule subject_rule_of(const subject_data *d, size_t one, size_t other) {
    if (!d->at[one].is_written && !d->at[other].is_written) return SUBJECT_ANYWHERE;
    for (size_t k = 0; k < SUBJECT_PAIRS; k++) {
        const subject_pair *pair = &d->pairs[k];
        if ((pair->one == one && pair->other == other) ||
            (pair->one == other && pair->other == one)) {
            return pair->rule;
        }
    }
    return SUBJECT_APART;
}

bool subject_fill_as_told(const subject_data *d, void *in, size_t n) {
    if (d->fill != NULL) {
        d->fill(d, in, n);
    } else if (d->operand != NULL) {
        d->operand->fill(in, n);
    }
    return d->fill != NULL || d->operand != NULL;
}

size_t subject_room(const subject_data *d, size_t k) {
    return d->counted ? d->most[k] : d->n[k];
}

void *subject_in(subject_data *d, size_t slot, const char *name, size_t n, size_t room,
                 size_t bytes) {
    d->at[slot] = (subject_array){.name = name, .n = room > n ? room : n, .bytes = bytes};
    char *values = d->at[slot].values = allocate(d->at[slot].n, bytes);
    memset(values + n * bytes, 0xff, (d->at[slot].n - n) * bytes);
    return values;
}

void *subject_out(subject_data *d, size_t slot, const char *name, size_t n, size_t room,
                  size_t bytes) {
    d->at[slot] = (subject_array){
        .name = name, .n = room > n ? room : n, .bytes = bytes, .written = n, .is_written = true};
    d->at[slot].expected = allocate(n, bytes);
    return d->at[slot].expected;
}

void subject_keep(subject_data *d, size_t slot) {
    subject_array *array = &d->at[slot];
    array->values = test_scratch(array->n, array->bytes);
    memset(array->values, 0x5a, array->n * array->bytes);
    memcpy(array->expected, array->values, array->written * array->bytes);
}

void subject_number(subject_data *d, size_t slot, const char *name, size_t k) {
    if (!d->counted || d->by_host == k + 1) return;
    *(uint64_t *)subject_in(d, slot, name, 1, 1, sizeof(uint64_t)) = d->n[k];
    d->at[slot].is_number = true;
    d->at[slot].number = k;
}

void subject_report(subject_data *d, size_t slot, const void *expected, size_t bytes) {
    memcpy(subject_out(d, slot, "report", 1, 1, bytes), expected, bytes);
    d->at[slot].is_report = true;
}

void subject_may_overlap(subject_data *d, size_t one, size_t other, subject_rule rule) {
    size_t k = 0;
    while (d->pairs[k].rule != SUBJECT_APART) k++;
    d->pairs[k] = (subject_pair){one, other, rule};
}

/* ---- Values ---------------------------------------------------------------------------------- */

size_t subject_bytes(clprims_type type, const clprims_custom *custom) {
    return type == CLPRIMS_STRUCT ? custom->type_bytes : clprims_type_bytes(type);
}

uint64_t subject_load(size_t bytes, const void *values, size_t i) {
    uint64_t value = 0;
    memcpy(&value, (const char *)values + i * bytes, bytes);
    return value;
}

void subject_fill(void *values, size_t bytes, size_t n, uint64_t bound) {
    for (size_t i = 0; i < n; i++) {
        const uint64_t drawn = test_random();
        const uint64_t value = bound == 0 ? drawn : (drawn >> 32) * bound >> 32;
        memcpy((char *)values + i * bytes, &value, bytes);
    }
}

void subject_ascend(void *values, size_t bytes, size_t n, uint64_t step) {
    uint64_t value = 0;
    for (size_t i = 0; i < n; i++) {
        value += test_random_below(step);
        memcpy((char *)values + i * bytes, &value, bytes);
    }
}

void subject_limit_segments(size_t n, size_t most[SUBJECT_NUMBERS]) {
    most[1] = n + 1;
}

void subject_draw_segments(subject_data *d, size_t n) {
    const size_t drawn = 1 + test_random_below(n / (test_random_below(2) == 0 ? 3 : 300) + 1);
    d->n[1] = drawn < d->most[1] ? drawn : d->most[1];
}

void subject_draw_length(subject_data *d, size_t n) {
    const size_t least = d->most[0] / d->most[1] + 1;
    d->n[SUBJECT_LENGTH] = least + test_random_below(test_random_below(2) == 0 ? 20 : n + 2);
}

size_t subject_rows(size_t n, size_t length) {
    return n / length + (n % length > 0);
}

void subject_cut(void *offsets, size_t bytes, size_t n, size_t count) {
    const size_t giant = count > 0 ? test_random_below(count) : 0;
    const size_t each = count > 0 ? n / 2 / count * 2 + 1 : 1;
    size_t at = 0;
    for (size_t s = 0; s < count; s++) {
        test_store_integer(bytes, offsets, s, at);
        const size_t length = s == giant ? n / 3 : test_random_below(each);
        at += length < n - at ? length : n - at;
    }
    test_store_integer(bytes, offsets, count, count > 0 ? n : 0);
}

void subject_order_by(const uint64_t *numbers, size_t n, size_t *order) {
    enum { BITS = 11, DIGITS = 1 << BITS };
    size_t *const spare = test_alloc(n, sizeof *spare);
    size_t *from = order, *to = spare;
    uint64_t bits = 0;
    for (size_t i = 0; i < n; i++) {
        from[i] = i;
        bits |= numbers[i];
    }
    for (unsigned shift = 0; shift < 64 && bits >> shift != 0; shift += BITS) {
        size_t places[DIGITS] = {0}, sum = 0;
        for (size_t i = 0; i < n; i++) places[numbers[i] >> shift & (DIGITS - 1)]++;
        for (size_t k = 0; k < DIGITS; k++) {
            const size_t count = places[k];
            places[k] = sum;
            sum += count;
        }
        for (size_t i = 0; i < n; i++) {
            to[places[numbers[from[i]] >> shift & (DIGITS - 1)]++] = from[i];
        }
        size_t *const kept = from;
        from = to;
        to = kept;
    }
    if (from != order) memcpy(order, from, n * sizeof *order);
    free(spare);
}
