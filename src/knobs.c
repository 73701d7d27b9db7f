/* SPDX-License-Identifier: MIT */
/* Looks into the registry of knobs. */
#include "internal.h"

#include <string.h>

const clp_tuning_key *clp_tuning_key_at(size_t number) {
    for (size_t i = 0; clp_tuning_keys[i] != NULL; i++) {
        for (const clp_tuning_key *key = clp_tuning_keys[i]; key->name != NULL; key++) {
            if (number-- == 0) return key;
        }
    }
    return NULL;
}

const clp_tuning_key *clp_tuning_key_find(const char *name, size_t length) {
    const clp_tuning_key *key;
    for (size_t number = 0; (key = clp_tuning_key_at(number)) != NULL; number++) {
        if (strlen(key->name) == length && memcmp(key->name, name, length) == 0) return key;
    }
    return NULL;
}

/* ---- For users ---- */

size_t clprims_knob_count(void) {
    const clp_tuning_key *key;
    size_t count = 0;
    for (size_t number = 0; (key = clp_tuning_key_at(number)) != NULL; number++) {
        count += key->count;
    }
    return count;
}

static const clp_layout info_layout = CLP_LAYOUT(clprims_knob_info, key, "CLPRIMS_KNOB_INFO_INIT");

clprims_status clprims_knob_describe(size_t number, clprims_knob_info *info) {
    size_t left = number, at = 0;
    clp_clear_error();
    if (info == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "knob_describe: info is NULL");
    const clp_tuning_key *key = clp_tuning_key_at(at);
    for (; key != NULL && left >= key->count; key = clp_tuning_key_at(++at)) left -= key->count;
    if (key == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "knob_describe: number %zu of %zu knobs", number,
                        clprims_knob_count());
    }
    const clp_knob *knob = &key->knobs[left];
    const clprims_knob_info full = {.key = key->name,
                                    .name = knob->name,
                                    .meaning = knob->meaning,
                                    .least = knob->least,
                                    .most = knob->most,
                                    .power_of_two = knob->power_of_two};
    return clp_struct_give("knob_describe", "info", &info_layout, &full, info);
}
