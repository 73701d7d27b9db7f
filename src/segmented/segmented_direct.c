/* SPDX-License-Identifier: MIT */
/* Plans whose segments a team of work-items combines, one each: cl/segmented/segmented_direct.cl.
 */
#include "segmented/segmented_plan.h"

enum { WORKER = 32, GROUP = 256, SHORT_PARTS = 16 };
enum {
    CHECKED = 16,
    CHECKED_MOST = 64
}; /* offsets that a work-item checks; where one group checks all */
enum { OF_CHECKER = 2, OF_BLOCK = 3 }; /* words of one, values of the other that are published */
enum { REGISTERS = 64 }; /* four groups of 256 have room in a multiprocessor's 65536 */
enum { OWN = 13 }; /* elements that a team's work-item has of a segment of the mean length */
enum { VALUE = 32 }; /* the largest value that is published, in bytes */
enum { LONG = 1500 }; /* the mean length from which a work-group combines a segment */

static bool can_team(const clprims_context *context, const clp_segmented_spec *spec) {
    const bool can_publish =
        context->words_arrive && context->groups_progress && context->device.has_int64_atomics;
    const bool commutes = spec->what.op != CLPRIMS_CUSTOM || spec->what.custom.commutative;
    return can_publish && spec->reduces && clp_segmented_by_offsets(spec) &&
           !spec->is_arg && commutes && spec->value_bytes <= VALUE &&
           spec->max_segments < UINT32_MAX / 2;
}

static size_t mean_of(const clp_segmented_spec *spec) {
    return spec->max_segments > 0 ? spec->max_n / spec->max_segments : spec->max_n;
}

/* Elements and ends of a plan up to which it was faster, by the mean length of its segments. */
static size_t most_work(size_t mean) {
    if (mean >= LONG) return SIZE_MAX;
    return mean >= 32 ? 1 << 25 : mean >= 4 ? 1 << 23 : 1 << 22;
}

/* Groups of blocks that no segment covers take time, too: there are some hundred to 2048. */
static size_t block_of(size_t mean, size_t max_n) {
    if (mean < LONG) return max_n > 1 << 22 ? 4096 : 1024;
    return max_n > 1 << 25 ? 1 << 17 : max_n > 1 << 22 ? 1 << 15 : 1 << 14;
}

/* As far as the host sees the lengths, each work-item gets about OWN elements at first. */
void clp_segmented_set_teams(const clprims_context *context, const clp_segmented_spec *spec,
                             clp_knob *knobs) {
    const bool shuffles = context->layer == CLPRIMS_LAYER_NVIDIA;
    const size_t mean = mean_of(spec), work = spec->max_n + spec->max_segments;
    size_t team = 1;
    while (team < WORKER && team * OWN < mean) team *= 2;
    if (mean >= LONG) team = spec->max_n > 1 << 21 ? GROUP / 2 : GROUP;
    knobs[CLP_SEGMENTED_TEAM].value = shuffles && work <= most_work(mean) ? team : 0;
    knobs[CLP_SEGMENTED_BLOCK].value = block_of(mean, spec->max_n);
}

/* Whether a tuning text asks for this, and not for the shape of other workers. */
static bool is_asked(const clp_knob *knobs) {
    const int of_others[] = {CLP_SEGMENTED_GROUP, CLP_SEGMENTED_GROUPS, CLP_SEGMENTED_ITEMS,
                             CLP_SEGMENTED_SHARE, CLP_SEGMENTED_RING};
    bool given = false;
    for (size_t i = 0; i < sizeof of_others / sizeof of_others[0]; i++) {
        given = given || knobs[of_others[i]].given;
    }
    return knobs[CLP_SEGMENTED_TEAM].given || !given;
}

static bool is_power(size_t team) {
    return team > 0 && (team & (team - 1)) == 0;
}

static bool is_wide(const clp_segmented_shape *shape) {
    return shape->team > WORKER;
}

bool clp_segmented_fit_teams(const clprims_context *context, const clp_segmented_spec *spec,
                             const clp_knob *knobs, clp_segmented_shape *shape) {
    clp_segmented_shape own = *shape;
    own.shuffles = context->layer == CLPRIMS_LAYER_NVIDIA;
    own.team = knobs[CLP_SEGMENTED_TEAM].value;
    if (!can_team(context, spec) || !is_asked(knobs) || !is_power(own.team)) return false;
    if (!own.shuffles) own.team = 1;
    if (is_wide(&own)) {
        own.group = own.team;
    } else if (!knobs[CLP_SEGMENTED_GROUP].given) {
        own.group = own.shuffles ? GROUP : 64;
    }
    own.block = knobs[CLP_SEGMENTED_BLOCK].value;
    while (!is_wide(&own) && own.block <= SHORT_PARTS * own.team) own.block *= 2;
    if (own.group > context->device.max_group || own.group < own.team ||
        (own.shuffles && own.group % WORKER != 0)) {
        return false;
    }
    own.registers = spec->value_bytes <= 4 && spec->what.type_bytes <= 4 ? REGISTERS : 0;
    /* What several groups publish takes longer than what one checks. */
    own.checked = spec->max_segments < CHECKED_MOST * own.group ? CHECKED_MOST : CHECKED;
    own.by_groups = true;
    own.most_groups = 1;
    own.looks_ahead = false;
    *shape = own;
    return true;
}

size_t clp_segmented_checkers(const clp_segmented_shape *shape, size_t segments) {
    return segments / (shape->checked * shape->group) + 1;
}

size_t clp_segmented_direct_words(const clp_segmented_spec *spec,
                                  const clp_segmented_shape *shape) {
    const size_t blocks = spec->max_n / shape->block, of_value = (spec->value_bytes + 3) / 4;
    return OF_CHECKER * clp_segmented_checkers(shape, spec->max_segments) +
           OF_BLOCK * blocks * of_value;
}

static size_t workers_of(const clp_segmented_shape *shape) {
    return is_wide(shape) ? 1 : shape->shuffles ? shape->group / WORKER : shape->group;
}

size_t clp_segmented_direct_groups(const clp_segmented_shape *shape, size_t n, size_t segments) {
    const size_t workers = workers_of(shape), each = shape->group / shape->team;
    const size_t with_blocks = (n / shape->block + workers - 1) / workers;
    return clp_segmented_checkers(shape, segments) + with_blocks + (segments + each - 1) / each;
}
