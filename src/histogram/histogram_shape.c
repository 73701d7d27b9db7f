/* SPDX-License-Identifier: MIT */
/* How work-groups count: where, in how many parts, with how many counters of a bin. */
#include "core/tuning.h"
#include "histogram/histogram_plan.h"

#include <string.h>

/* Of clp_shared in cl/histogram/histogram_local.cl, besides counters. */
enum { FOUND_BYTES = 12 };
/* A serial work-item has SERIAL_COPIES counters of each bin if there are at most SERIAL_FEW_BINS.
 */
enum { SERIAL_FEW_BINS = 4096, SERIAL_COPIES = 4, MOST_COPIES = 32 };
/* Elements that are worth a serial work-item. */
enum { SERIAL_SLICE = 8192 };
/* Bins of a serial work-item, at most, if no knob says otherwise. */
static const size_t serial_bins = (size_t)1 << 22;
/* Elements of a slice that are counted with 32 bits. */
static const size_t most_slice = (size_t)1 << 31;
/* The most words whose sums the last work-group writes itself. */
enum { MOST_OWN_WORDS = 4096 };
/* Of histogram_bytes.cl: a group, its local memory, bytes that are worth a group. */
enum { BYTES_GROUP = 256, BYTES_LOCAL = 256 * 256 + 256 * 4 + 16, BYTES_SLICE = 32768 };
/* Fewer of them on a compute unit are slower than atomics. */
enum { BYTES_GROUPS = 3 };
/* Vectors ahead of a work-item: with four, its registers leave room for fewer work-groups. */
enum { BYTES_DEPTH = 3 };
/* In plans for at most SHORT_N elements a bin has SHORT_COPIES counters, which are soon cleared and
 * added up; at most SHORT_SLICES slices are added to sums of 32 bits that count them. */
enum { SHORT_N = 1 << 22, SHORT_COPIES = 2, SHORT_SLICES = 256 };
/* Elements that are worth another slice where every compute unit has one: sums that all slices are
 * added to by atomics take longer. */
static const size_t long_slice = (size_t)1 << 17;
/* Of histogram_bytes_few.cl: counters of a value, work-items of a group, groups of a compute unit.
 */
enum { FEW_COPIES = 2, FEW_GROUP = 512, FEW_GROUPS = 1 };

static size_t part_words(const clp_histogram_spec *spec) {
    return spec->weights == CLPRIMS_TYPE_DEFAULT ? 1 : spec->words;
}

static size_t table_bytes(const clp_histogram_spec *spec, size_t bins) {
    return bins * part_words(spec) * sizeof(cl_uint);
}

static size_t room(const clprims_context *context) {
    const size_t bytes = context->device.static_local_bytes;
    return bytes > FOUND_BYTES ? bytes - FOUND_BYTES : 0;
}

/* Bins that a work-group has room for. */
static size_t bins_that_fit(const clprims_context *context, const clp_histogram_spec *spec) {
    return room(context) / table_bytes(spec, 1);
}

/* Whether the counters leave room for several work-groups on a compute unit. */
static bool is_small(const clprims_context *context, const clp_histogram_spec *spec) {
    return table_bytes(spec, spec->bins) * MOST_COPIES <= room(context) / 4;
}

static size_t knob_or(const clp_knob *knob, size_t value) {
    return knob->value > 0 ? knob->value : value;
}

static void choose_serial(const clp_histogram_spec *spec, const clp_knob *knobs,
                          clp_histogram_shape *shape) {
    const bool fits = spec->bins <= knob_or(&knobs[CLP_HISTOGRAM_PART_BINS], serial_bins);
    const size_t copies = spec->bins <= SERIAL_FEW_BINS ? SERIAL_COPIES : 1;
    shape->way =
        fits && knobs[CLP_HISTOGRAM_PARTS].value > 0 ? CLP_HISTOGRAM_SERIAL : CLP_HISTOGRAM_GLOBAL;
    shape->parts = 1;
    shape->part_bins = spec->bins;
    shape->copies =
        shape->way == CLP_HISTOGRAM_SERIAL ? knob_or(&knobs[CLP_HISTOGRAM_COPIES], copies) : 1;
    shape->slice_n = SERIAL_SLICE;
}

static void choose_local(const clprims_context *context, const clp_histogram_spec *spec,
                         const clp_knob *knobs, clp_histogram_shape *shape) {
    const size_t fit = bins_that_fit(context, spec);
    size_t part_bins = knob_or(&knobs[CLP_HISTOGRAM_PART_BINS], fit);
    if (part_bins > fit) part_bins = fit;
    if (part_bins > spec->bins) part_bins = spec->bins;
    shape->way = CLP_HISTOGRAM_GLOBAL;
    shape->parts = shape->copies = 1;
    shape->part_bins = spec->bins;
    shape->slice_n = shape->group * shape->vec * shape->depth;
    if (part_bins == 0) return;
    const size_t parts = (spec->bins + part_bins - 1) / part_bins;
    if (parts > knobs[CLP_HISTOGRAM_PARTS].value) return;
    shape->way = CLP_HISTOGRAM_LOCAL;
    shape->parts = parts;
    shape->part_bins = (spec->bins + parts - 1) / parts;
    const size_t bytes = table_bytes(spec, shape->part_bins);
    const bool is_short = spec->max_n <= SHORT_N && part_words(spec) == 1;
    const size_t copies = is_short ? SHORT_COPIES : MOST_COPIES;
    shape->copies = knob_or(&knobs[CLP_HISTOGRAM_COPIES], copies);
    while (shape->copies > 1 && shape->copies * bytes > room(context)) shape->copies /= 2;
    shape->local_bytes = shape->copies * bytes + FOUND_BYTES;
}

static bool suits_bytes(const clp_histogram_spec *spec) {
    return spec->type_bytes == 1 && spec->by == CLPRIMS_HISTOGRAM_EVEN &&
           spec->weights == CLPRIMS_TYPE_DEFAULT && clp_histogram_takes_all(spec);
}

static void choose_bytes(const clprims_context *context, const clp_histogram_spec *spec,
                         const clp_knob *knobs, clp_histogram_shape *shape) {
    const size_t fit = context->device.static_local_bytes / BYTES_LOCAL;
    shape->few = knobs[CLP_HISTOGRAM_FEW].value;
    shape->few_copies = knob_or(&knobs[CLP_HISTOGRAM_COPIES], FEW_COPIES);
    shape->few_slices =
        knob_or(&knobs[CLP_HISTOGRAM_SLICES], FEW_GROUPS) * context->device.info.compute_units;
    shape->way = CLP_HISTOGRAM_BYTES;
    shape->parts = 1;
    shape->part_bins = spec->bins;
    shape->copies = shape->group;
    shape->slice_n = BYTES_SLICE;
    shape->local_bytes = BYTES_LOCAL;
    shape->few_group = clp_at_most(FEW_GROUP, context->device.max_group);
    shape->slices = fit * context->device.info.compute_units;
    if (shape->slices < spec->max_n / most_slice + 1) {
        shape->slices = spec->max_n / most_slice + 1;
    }
}

/* Work-groups of a compute unit at the same time. */
static size_t resident(const clprims_context *context, const clp_histogram_spec *spec) {
    return is_small(context, spec) ? 4 : 1;
}

/* Slices, of every way but by bytes. */
static void choose_slices(const clprims_context *context, const clp_histogram_spec *spec,
                          const clp_knob *knobs, clp_histogram_shape *shape) {
    const size_t units = context->device.info.compute_units;
    const size_t usual = shape->way == CLP_HISTOGRAM_LOCAL    ? resident(context, spec)
                         : shape->way == CLP_HISTOGRAM_GLOBAL ? 4
                         : spec->bins <= SERIAL_FEW_BINS      ? 4
                                                              : 1;
    shape->slices = knob_or(&knobs[CLP_HISTOGRAM_SLICES], usual) * units / shape->parts;
    if (shape->slices < spec->max_n / most_slice + 1) {
        shape->slices = spec->max_n / most_slice + 1;
    }
}

/* Sets the defaults that depend on the device, and reads the knobs. */
static clprims_status read_knobs(const clprims_context *context, const clp_histogram_spec *spec,
                                 const char *tuning, clp_knob *knobs) {
    const clp_device *device = &context->device;
    const bool bytes = suits_bytes(spec) && !device->is_cpu &&
                       device->static_local_bytes >= BYTES_GROUPS * (size_t)BYTES_LOCAL;
    const size_t many = bytes ? BYTES_GROUP : is_small(context, spec) ? 512 : 1024;
    memcpy(knobs, clp_histogram_knobs, CLP_HISTOGRAM_KNOBS * sizeof *knobs);
    knobs[CLP_HISTOGRAM_GROUP].value = device->is_cpu ? 1 : many;
    knobs[CLP_HISTOGRAM_BYTEWISE].value = bytes;
    return clp_knobs_set(context, "histogram", spec->type_bytes, tuning, knobs,
                         CLP_HISTOGRAM_KNOBS);
}

/* Whether every work-group has a sum of each bin, and no element is outside. */
static bool suits_arrivals(const clp_histogram_spec *spec, const clp_histogram_shape *shape) {
    const bool every_bin = shape->way == CLP_HISTOGRAM_LOCAL ||
                           (shape->way == CLP_HISTOGRAM_BYTES && clp_histogram_is_identity(spec));
    return every_bin && spec->weights == CLPRIMS_TYPE_DEFAULT && clp_histogram_takes_all(spec) &&
           spec->bins <= MOST_OWN_WORDS;
}

/* Chooses the sums that count slices, too: of 32 bits if they have room, of 64, or none. Of 2^24
 * equal elements each slice has some, so that what the others have added fits in 24 bits. By bytes
 * only few elements use these sums: the slices of more take longer to add to them than a ticket
 * takes. */
static void choose_arrivals(const clprims_context *context, const clp_histogram_spec *spec,
                            clp_histogram_shape *shape) {
    const bool by_bytes = shape->way == CLP_HISTOGRAM_BYTES;
    if (!suits_arrivals(spec, shape)) return;
    if (by_bytes || spec->max_n <= (size_t)1 << CLP_HISTOGRAM_SHORT_SUM_BITS) {
        if (shape->few_slices > SHORT_SLICES) shape->few_slices = SHORT_SLICES;
        if (!by_bytes && shape->slices > SHORT_SLICES) shape->slices = SHORT_SLICES;
        shape->arrivals = 1;
    } else if (context->device.has_int64_atomics && spec->max_n >> CLP_HISTOGRAM_SUM_BITS == 0 &&
               shape->slices >> (64 - CLP_HISTOGRAM_SUM_BITS) == 0) {
        shape->arrivals = 2;
    }
}

/* A wave of slices, if no knob says how many there are. */
static void choose_wave(const clprims_context *context, const clp_knob *knobs,
                        clp_histogram_shape *shape) {
    const size_t units = context->device.info.compute_units / shape->parts;
    const bool by_wave = shape->way == CLP_HISTOGRAM_LOCAL && shape->arrivals > 0 &&
                         knobs[CLP_HISTOGRAM_SLICES].value == 0;
    shape->wave = by_wave && units > 0 && units < shape->slices ? units : shape->slices;
    shape->long_n = long_slice > shape->slice_n ? long_slice : shape->slice_n;
}

clprims_status clp_histogram_shape_choose(const clprims_context *context,
                                          const clp_histogram_spec *spec, const char *tuning,
                                          clp_histogram_shape *shape) {
    clp_knob knobs[CLP_HISTOGRAM_KNOBS];
    const size_t bytes = spec->type_bytes;
    CLP_TRY(read_knobs(context, spec, tuning, knobs));
    *shape = (clp_histogram_shape){.group = knobs[CLP_HISTOGRAM_GROUP].value};
    shape->vec = bytes <= 16 && 16 % bytes == 0 ? 16 / bytes : 1;
    const bool bytewise = knobs[CLP_HISTOGRAM_BYTEWISE].value > 0 && suits_bytes(spec) &&
                          shape->group > 1 && shape->group <= BYTES_GROUP &&
                          context->device.static_local_bytes >= BYTES_LOCAL;
    shape->depth = knob_or(&knobs[CLP_HISTOGRAM_DEPTH], bytewise ? BYTES_DEPTH : bytes < 4 ? 2 : 4);
    if (bytewise) {
        choose_bytes(context, spec, knobs, shape);
    } else {
        if (shape->group == 1) {
            choose_serial(spec, knobs, shape);
        } else {
            choose_local(context, spec, knobs, shape);
        }
        choose_slices(context, spec, knobs, shape);
    }
    choose_arrivals(context, spec, shape);
    choose_wave(context, knobs, shape);
    shape->ends_itself = shape->arrivals > 0 || spec->bins <= MOST_OWN_WORDS / spec->words;
    shape->leaves_counters = shape->way == CLP_HISTOGRAM_SERIAL && !shape->ends_itself;
    while ((spec->max_n - 1) >> shape->block_shift >= UINT32_MAX) shape->block_shift++;
    return CLPRIMS_OK;
}

bool clp_histogram_is_few(const clp_histogram_shape *shape, size_t n) {
    return shape->way == CLP_HISTOGRAM_BYTES && n <= shape->few;
}

static size_t divided(size_t n, size_t by) {
    return n / by + (n % by > 0);
}

size_t clp_histogram_groups(const clp_histogram_shape *shape, size_t n) {
    const bool is_few = clp_histogram_is_few(shape, n);
    const size_t most = is_few ? shape->few_slices : shape->slices;
    size_t slices = divided(n, is_few ? shape->few_group * shape->vec : shape->slice_n);
    if (!is_few && slices > shape->wave) {
        const size_t longer = divided(n, shape->long_n);
        slices = longer > shape->wave ? longer : shape->wave;
    }
    if (slices > most) slices = most;
    return (slices > 0 ? slices : 1) * shape->parts;
}
