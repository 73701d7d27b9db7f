/* SPDX-License-Identifier: MIT */
/* Every knob at both of its ends: the plan is refused with the knob's name in the message, or its
 * results are right. Beyond its ends it is refused. */
#include "calls/calls.h"

#include "core/knobs.h"

typedef struct knob_case {
    const subject *of;
    char text[64]; /* "ROWS=65536" */
    char name[32];
} knob_case;

static void knob_is_at_its_end(const void *data) {
    const knob_case *k = data;
    /* PoCL 6.0 gets cells of 64 rows wrong, unless it compiles without optimization. */
    if (strcmp(k->of->knobs.key, "minplus") == 0 && strcmp(k->text, "ROWS=64") == 0)
        test_want_shapes();
    const subject_call_ref ref = subject_call_find(k->of->knobs.call);
    subject_data d = subject_call_draw(ref.of, ref.call);
    void *plan = NULL;
    if (k->of->knobs.desc != NULL) d.desc = k->of->knobs.desc;
    const clprims_status status = subject_plan(&d, test_context(), k->text, &plan);
    if (status == CLPRIMS_OK) {
        subject_enqueue_is_right(&d, plan);
        ref.of->destroy(plan);
    } else {
        expect_contains(clprims_last_error()->message, k->name);
        if (status != CLPRIMS_ERR_ARGUMENT && status != CLPRIMS_ERR_UNSUPPORTED &&
            status != CLPRIMS_ERR_TOO_LARGE) {
            test_fail("%s: %s", clprims_status_name(status), clprims_last_error()->message);
        }
    }
}

static void is_refused(const subject *of, const subject_data *d, const char *name, size_t value) {
    char text[64];
    void *plan = NULL;
    snprintf(text, sizeof text, "%s=%zu", name, value);
    expect_failure(subject_plan(d, test_context(), text, &plan), CLPRIMS_ERR_ARGUMENT, text);
    if (plan != NULL) test_fail("%s: a refused create left a plan of %s", text, of->name);
}

static void knobs_are_refused(const void *data) {
    const subject *of = *(const subject *const *)data;
    const clp_tuning_key *key = clp_tuning_key_find(of->knobs.key, strlen(of->knobs.key));
    const subject_call_ref ref = subject_call_find(of->knobs.call);
    subject_data d = subject_call_draw(ref.of, ref.call);
    if (of->knobs.desc != NULL) d.desc = of->knobs.desc;
    for (size_t k = 0; k < key->count; k++) {
        const clp_knob *knob = &key->knobs[k];
        if (knob->most < SIZE_MAX) is_refused(of, &d, knob->name, knob->most + 1);
        if (knob->least > 0) is_refused(of, &d, knob->name, knob->least - 1);
        if (knob->power_of_two && knob->most > 3) is_refused(of, &d, knob->name, 3);
    }
}

/* Most of these compile programs of their own: each end of each knob is for the long tier. */
void calls_add_knobs(test_cases *cases) {
    enum { EVERY = 5 };
    size_t number = 0;
    for (size_t i = 0; i < SUBJECT_COUNT; i++) {
        const subject *of = subjects[i];
        if (of->knobs.key == NULL) continue;
        const clp_tuning_key *key = clp_tuning_key_find(of->knobs.key, strlen(of->knobs.key));
        test_add_row(cases, knobs_are_refused, of, "calls/knobs/%s/refused", of->knobs.key);
        for (size_t k = 0; key != NULL && k < key->count; k++) {
            const clp_knob *knob = &key->knobs[k];
            for (int end = 0; end < 2; end++, number++) {
                knob_case c = {.of = of};
                snprintf(c.name, sizeof c.name, "%s", knob->name);
                snprintf(c.text, sizeof c.text, "%s=%zu", knob->name,
                         end == 0 ? knob->least : knob->most);
                if (!test_long() && number % EVERY != 0) continue;
                test_add_row(cases, knob_is_at_its_end, c, "calls/knobs/%s/%s", of->knobs.key,
                             c.text);
            }
        }
    }
}
