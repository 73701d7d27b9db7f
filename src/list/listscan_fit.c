/* SPDX-License-Identifier: MIT */
/* Fits the knobs of list scan to the device's local memory and to max_n. Defaults are reduced;
 * values that the caller gave are used or refused. */
#include "core/context.h"
#include "list/listscan_engine.h"

static size_t at_least(size_t value, size_t least) {
    return value < least ? least : value;
}

/* Local memory for a kernel's arrays. The compiler may add a little of its own. */
static size_t local_bytes(const clp_listscan *plan) {
    return plan->context->device.static_local_bytes - 1024;
}

/* ---- What the kernels take ---- */

/* Results in transit to buckets, each with its element, and two words per bucket. */
static size_t tile_bytes(const clp_listscan *plan) {
    const size_t link = clprims_type_bytes(plan->spec.link);
    const size_t value = plan->spec.what.working_bytes;
    const size_t unit = value % 8 == 0 ? 8 : 4;
    const size_t record = value + (link < unit ? unit : link);
    const size_t results = plan->knobs[CLP_LISTSCAN_GROUP] * plan->held;
    return results == 0 ? 0 : results * record + 8 * CLP_LISTSCAN_BUCKETS + 4;
}

/* Local memory of the single work-group: values and numbers of sublists per lane, double-buffered;
 * a link, a value and, in a forest, two bits per element. A single work-item needs none. */
static size_t single_lane_bytes(const clp_listscan *plan) {
    return 2 * (plan->spec.what.working_bytes + 4);
}

static size_t single_most(const clp_listscan *plan) {
    const size_t lanes = plan->knobs[CLP_LISTSCAN_SINGLE_GROUP] * single_lane_bytes(plan);
    const size_t local = local_bytes(plan);
    const size_t quarters = 4 * (4 + plan->spec.what.working_bytes) + plan->spec.forest;
    if (plan->knobs[CLP_LISTSCAN_SINGLE_GROUP] == 1) return SIZE_MAX;
    return lanes < local ? (local - lanes) * 4 / quarters : 0;
}

/* Most nodes of the last level: link, value and state of each, besides what the kernel itself
 * needs. */
static size_t last_most(const clp_listscan *plan) {
    const size_t local = plan->context->device.local_bytes;
    const size_t node = 8 + plan->spec.what.working_bytes + 4;
    const size_t own = (plan->knobs[CLP_LISTSCAN_GROUP] + 64) * 8;
    return local > own ? at_least((local - own) * 15 / 16 / node, 1) : 1;
}

static size_t coarse_from(const clp_listscan *plan) {
    size_t coarse = 0;
    while (plan->spec.max_n >> coarse >= UINT32_MAX) coarse++;
    return coarse;
}

/* ---- Defaults give way ---- */

static void fit_single_group(clp_listscan *plan, const clp_knob *knobs) {
    size_t *group = &plan->knobs[CLP_LISTSCAN_SINGLE_GROUP],
           *most = &plan->knobs[CLP_LISTSCAN_SINGLE];
    const size_t quarter = local_bytes(plan) / 4;
    if (!knobs[CLP_LISTSCAN_SINGLE_GROUP].given)
        while (*group > 2 && *group * single_lane_bytes(plan) > quarter) *group /= 2;
    if (!knobs[CLP_LISTSCAN_SINGLE].given && *most > single_most(plan)) *most = single_most(plan);
}

/* At most half the local memory, so that one window is read while another is written. A window has
 * at least one element. */
static void fit_window(clp_listscan *plan, const clp_knob *knobs) {
    const size_t local = plan->context->device.static_local_bytes / 2;
    const size_t bytes = plan->spec.what.accumulator_bytes;
    size_t *window = &plan->knobs[CLP_LISTSCAN_WINDOW];
    while (!knobs[CLP_LISTSCAN_WINDOW].given && *window > local) *window /= 2;
    plan->window_bits = 0;
    while (bytes << (plan->window_bits + 1) <= *window) plan->window_bits++;
}

static void fit(clp_listscan *plan, const clp_knob *knobs) {
    size_t *last = &plan->knobs[CLP_LISTSCAN_LAST], *coarse = &plan->knobs[CLP_LISTSCAN_COARSE];
    size_t *group = &plan->knobs[CLP_LISTSCAN_GROUP];
    const size_t least = plan->team > 1 ? plan->team : 1;
    if (!knobs[CLP_LISTSCAN_GROUP].given)
        while (*group > least && tile_bytes(plan) > local_bytes(plan)) *group /= 2;
    fit_window(plan, knobs);
    fit_single_group(plan, knobs);
    if (!knobs[CLP_LISTSCAN_LAST].given && *last > last_most(plan)) *last = last_most(plan);
    if (!knobs[CLP_LISTSCAN_COARSE].given && *coarse < coarse_from(plan))
        *coarse = coarse_from(plan);
}

/* ---- What was given is refused ---- */

static clprims_status refuse(const clp_listscan *plan, const char *knob, size_t value,
                             const char *why, size_t most) {
    return clp_fail(CLPRIMS_ERR_UNSUPPORTED, "%s: %s = %zu; %s %zu", plan->spec.who, knob, value,
                    why, most);
}

clprims_status clp_listscan_fit(clp_listscan *plan, const clp_knob *knobs) {
    fit(plan, knobs);
    const size_t *has = plan->knobs;
    const size_t local = local_bytes(plan);
    if (tile_bytes(plan) > local) {
        return refuse(plan, "GROUP", has[CLP_LISTSCAN_GROUP],
                      "its results do not fit the device's local memory, in bytes", local);
    }
    if (plan->spec.what.accumulator_bytes << plan->window_bits > local) {
        return refuse(plan, "WINDOW", has[CLP_LISTSCAN_WINDOW],
                      "local memory has room for a window of", local);
    }
    if (has[CLP_LISTSCAN_SINGLE] > single_most(plan)) {
        return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                        "%s: SINGLE = %zu with SINGLE_GROUP = %zu; local memory has room for %zu "
                        "elements",
                        plan->spec.who, has[CLP_LISTSCAN_SINGLE], has[CLP_LISTSCAN_SINGLE_GROUP],
                        single_most(plan));
    }
    if (has[CLP_LISTSCAN_LAST] > last_most(plan)) {
        return refuse(plan, "LAST", has[CLP_LISTSCAN_LAST], "local memory has room for",
                      last_most(plan));
    }
    if (has[CLP_LISTSCAN_COARSE] < coarse_from(plan)) {
        return refuse(plan, "COARSE", has[CLP_LISTSCAN_COARSE],
                      "the least that counts max_n elements in 32 bits is", coarse_from(plan));
    }
    return CLPRIMS_OK;
}
