/* SPDX-License-Identifier: MIT */
/*
 * The library's hooks for tests, written as knobs: in a program that links this file a plan of
 * scan, offsets, select, reduce or segmented may be created with "ROWS=4 DROP=2 DELAY=5
 * RUN=1073741820 CAPABILITY=80". These words are cut off before the library sees the text, which
 * would refuse them.
 */
#include "harness/harness.h"

#include "core/test_hooks.h"

static bool take_hook(const char *word, clp_test_hooks *hooks) {
    const struct {
        const char *name;
        size_t *value;
    } known[] = {{"DROP=", &hooks->drop},
                 {"DELAY=", &hooks->delay},
                 {"RUN=", &hooks->first_run},
                 {"CAPABILITY=", &hooks->capability}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const size_t length = strlen(known[i].name);
        if (strncmp(word, known[i].name, length) != 0) continue;
        *known[i].value = strtoull(word + length, NULL, 10);
        return true;
    }
    return false;
}

enum { TEXT_BYTES = 512 };

/* Sets the text's hooks and returns its knobs, in `rest`; NULL for NULL and for hooks alone. */
static const char *set_hooks(const char *tuning, char rest[TEXT_BYTES]) {
    clp_test_hooks hooks = {0};
    char words[TEXT_BYTES], *place = NULL;
    rest[0] = '\0';
    if (tuning != NULL) {
        assert_true(strlen(tuning) < TEXT_BYTES);
        strcpy(words, tuning);
        for (char *word = strtok_r(words, " ", &place); word != NULL;
             word = strtok_r(NULL, " ", &place)) {
            if (take_hook(word, &hooks)) continue;
            if (rest[0] != '\0') strcat(rest, " ");
            strcat(rest, word);
        }
    }
    clp_test_hooks_set(&hooks);
    return rest[0] != '\0' ? rest : NULL;
}

#define HOOKED(primitive, want)                                                                    \
    __typeof__(clprims_##primitive##_create_sized) __real_clprims_##primitive##_create_sized,      \
        __wrap_clprims_##primitive##_create_sized;                                                 \
    clprims_status __wrap_clprims_##primitive##_create_sized(                                      \
        clprims_##primitive **out, clprims_context *context, const clprims_##primitive##_desc *d,  \
        size_t desc_bytes) {                                                                       \
        char rest[TEXT_BYTES];                                                                     \
        clprims_##primitive##_desc copy;                                                           \
        if (d != NULL && desc_bytes == sizeof copy) {                                              \
            copy = *d;                                                                             \
            want(d->tuning);                                                                       \
            copy.tuning = set_hooks(d->tuning, rest);                                              \
            d = &copy;                                                                             \
        }                                                                                          \
        const clprims_status status =                                                              \
            __real_clprims_##primitive##_create_sized(out, context, d, desc_bytes);                \
        clp_test_hooks_set(NULL);                                                                  \
        return status;                                                                             \
    }

static void want_nothing(const char *tuning) {
    (void)tuning;
}

HOOKED(scan, test_want_group)
HOOKED(offsets, test_want_group)
HOOKED(select, test_want_group)
HOOKED(reduce, want_nothing)
HOOKED(segmented, want_nothing)
