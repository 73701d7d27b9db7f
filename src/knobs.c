/* SPDX-License-Identifier: MIT */
/* Looks into the registry of knobs. */
#include "knobs.h"

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
