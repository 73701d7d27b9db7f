/* SPDX-License-Identifier: MIT */
/* Input expressions with parameters. */
#include "subjects/draws/drawn_input.h"

static bool is_weighed(const char *parameters) {
    return strstr(parameters, "weight") != NULL;
}

uint32_t *drawn_input_made(subject_data *d, const char *parameters, const uint32_t *in, size_t n) {
    uint32_t *made = test_alloc(n, sizeof *made);
    for (size_t k = 0; k < SUBJECT_WEIGHTS; k++) {
        d->weight[k] = is_weighed(parameters) ? (uint32_t)test_random() : 3;
    }
    d->shift = (uint32_t)test_random();
    for (size_t i = 0; i < n; i++) made[i] = in[i] * d->weight[i % SUBJECT_WEIGHTS] + d->shift;
    return made;
}

clprims_status drawn_input_prepare(void *plan, const subject_data *d, const char *parameters) {
    if (parameters == NULL) return CLPRIMS_OK;
    const size_t table = is_weighed(parameters) ? 1 : 0;
    const clprims_status status = d->of->set_parameter(plan, table, sizeof d->shift, &d->shift);
    if (table == 0 || status != CLPRIMS_OK) return status;
    return d->of->set_parameter(plan, 0, sizeof d->weights, &d->weights);
}
