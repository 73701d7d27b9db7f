/* SPDX-License-Identifier: MIT */
/*
 * Which device layer works here. What a device says of itself is too little on some (NVIDIA
 * advertises no sub-groups, yet has them in PTX) and too much on others, so a small kernel that
 * tries what every layer has (cl/device/probe.cl) has the last word. OpenCL does not say whether
 * work-groups make progress beside each other; where no table knows, a second one shows it
 * (cl/device/probe_groups.cl). The caller may tell what is known, which is then not probed.
 */
#include "core/layer.h"
#include "cl_sources.h"
#include "core/context.h"
#include "core/device.h"
#include "core/knobs.h"
#include "core/launch.h"
#include "core/program.h"
#include "core/status.h"
#include "core/test_hooks.h"
#include "core/text.h"
#include "core/type.h"

#include <stdio.h>
#include <string.h>

/* ---- What is told and what is found, as a text ---- */

/* Of what work-groups see of each other. */
typedef enum finding { UNTOLD, PROBE, KNOWN, SHOWN, FAILED } finding;

typedef struct findings {
    clprims_layer layer; /* AUTO: not told */
    size_t width; /* 0: not told */
    size_t local_bytes; /* 0: not told */
    finding words, progress;
} findings;

static const char *const finding_names[] = {
    [PROBE] = "probe", [KNOWN] = "known", [SHOWN] = "shown", [FAILED] = "failed"};

static bool is_word(const char *text, size_t length, const char *word) {
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* Each reads the word behind "NAME=" and returns whether it is legal. */
static bool read_layer(const char *text, size_t length, clprims_layer *layer) {
    for (clprims_layer i = CLPRIMS_LAYER_NVIDIA; i <= CLPRIMS_LAYER_LOCAL; i++) {
        if (is_word(text, length, clprims_layer_name(i))) *layer = i;
    }
    return *layer != CLPRIMS_LAYER_AUTO;
}

static bool read_size(const char *text, size_t length, size_t *size) {
    enum { MOST_DIGITS = 9 };
    for (size_t i = 0; i < length && i < MOST_DIGITS; i++) {
        if (text[i] < '0' || text[i] > '9') return false;
        *size = 10 * *size + (size_t)(text[i] - '0');
    }
    return length <= MOST_DIGITS && *size > 0;
}

static bool read_finding(const char *text, size_t length, finding *is) {
    for (finding i = PROBE; i <= FAILED; i++) {
        if (is_word(text, length, finding_names[i])) *is = i;
    }
    return *is != UNTOLD;
}

/* Reads one word, "width=32"; false if it is none. */
static bool read_told(const char *word, size_t length, findings *told) {
    const char *equals = memchr(word, '=', length);
    if (equals == NULL) return false;
    const size_t name = (size_t)(equals - word);
    const size_t rest = length - name - 1;
    if (is_word(word, name, "layer")) return read_layer(equals + 1, rest, &told->layer);
    if (is_word(word, name, "width")) return read_size(equals + 1, rest, &told->width);
    if (is_word(word, name, "local")) return read_size(equals + 1, rest, &told->local_bytes);
    if (is_word(word, name, "words")) return read_finding(equals + 1, rest, &told->words);
    if (is_word(word, name, "progress")) return read_finding(equals + 1, rest, &told->progress);
    return false;
}

/* The last of two words for one thing counts. */
static clprims_status read_findings(const char *text, findings *told) {
    *told = (findings){.layer = CLPRIMS_LAYER_AUTO};
    if (text == NULL) return CLPRIMS_OK;
    for (text += strspn(text, " "); *text != '\0'; text += strspn(text, " ")) {
        const size_t length = strcspn(text, " ");
        findings word = *told;
        word.width = word.local_bytes = 0;
        CLP_FAIL_IF(!read_told(text, length, &word), CLPRIMS_ERR_ARGUMENT,
                    "context: probed has \"%.*s\"; legal are layer=nvidia, subgroup or "
                    "local, width=N, local=BYTES, and words= and progress=known, shown, "
                    "failed or probe",
                    (int)length, text);
        if (word.width == 0) word.width = told->width;
        if (word.local_bytes == 0) word.local_bytes = told->local_bytes;
        *told = word;
        text += length;
    }
    return CLPRIMS_OK;
}

enum {
    USUAL_WIDTH = 32,
    PROBE_GROUP = 64,
    PROBE_GROUPS = 2,
    PROBE_ITEMS = PROBE_GROUP * PROBE_GROUPS
};

static const char *const probe_bits[] = {"lane numbers", "shuffle",      "shuffle up",
                                         "ballot",       "publish word", "16-byte access"};
enum { PROBE_BITS = sizeof probe_bits / sizeof probe_bits[0] };

/* ---- A probe: one launch of one kernel ---- */

enum { PROBE_BUFFERS = 5, PROBE_ARGUMENTS = PROBE_BUFFERS + 3 };

typedef struct probe {
    const clprims_context *context;
    cl_program program;
    cl_kernel kernel;
    cl_mem buffers[PROBE_BUFFERS]; /* the kernel's first arguments; the first has what it finds */
    size_t count;
} probe;

/* local_words: 0: the kernel has no local memory. */
static clprims_status build_probe(probe *p, const clp_part *parts, const char *name, size_t group,
                                  size_t local_words) {
    clp_text prelude = {0};
    clp_text_add(&prelude, "#define CLP_GROUP %zu\n", group);
    if (local_words > 0) clp_text_add(&prelude, "#define CLP_LOCAL_WORDS %zu\n", local_words);
    const clprims_status built =
        clp_program_build(p->context, "probe", &prelude, parts, &p->program);
    clp_text_free(&prelude);
    CLP_TRY(built);
    return clp_kernel_create(p->program, "probe", name, &p->kernel);
}

static clprims_status add_buffer(probe *p, size_t bytes) {
    return clp_scratch_create(p->context, "probe", bytes, true, &p->buffers[p->count++]);
}

/* numbers: the arguments behind the buffers. found: `bytes` bytes of the first buffer. */
static clprims_status launch_probe(const probe *p, const cl_uint *numbers, size_t number_count,
                                   clp_step step, void *found, size_t bytes) {
    clp_argument arguments[PROBE_ARGUMENTS];
    cl_uint count = 0;
    for (size_t k = 0; k < p->count; k++) {
        arguments[count++] = (clp_argument)CLP_ARGUMENT(p->buffers[k]);
    }
    for (size_t k = 0; k < number_count; k++) {
        arguments[count++] = (clp_argument)CLP_ARGUMENT(numbers[k]);
    }
    CLP_TRY(clp_kernel_arguments(p->kernel, "probe", arguments, count));
    CLP_TRY(clp_steps_enqueue(p->context->queue, "probe", &step, 1, 0, NULL, NULL));
    return clp_download(p->context, "probe", p->buffers[0], found, bytes);
}

static void end_probe(const probe *p) {
    clp_release_buffers(p->buffers, p->count);
    if (p->kernel != NULL) clReleaseKernel(p->kernel);
    if (p->program != NULL) clReleaseProgram(p->program);
}

/* ---- The functions of a layer ---- */

static clprims_status run_probe_on(probe *p, cl_uint words[2 * PROBE_ITEMS]) {
    static const clp_part parts[] = {&clp_probe_cl, NULL};
    const size_t bytes = 2 * PROBE_ITEMS * sizeof *words;
    const size_t group = clp_halved(PROBE_GROUP, p->context->device.max_group);
    CLP_TRY(build_probe(p, parts, "clp_probe", group, 0));
    CLP_TRY(add_buffer(p, bytes));
    CLP_TRY(add_buffer(p, PROBE_ITEMS * sizeof(cl_ulong)));
    CLP_TRY(add_buffer(p, PROBE_ITEMS * sizeof(cl_uint4)));
    const clp_step step = {p->kernel, PROBE_ITEMS / group, group};
    return launch_probe(p, NULL, 0, step, words, bytes);
}

/* ---- What work-groups see of each other ---- */

/* As in probe_groups.cl. */
enum { WORD_SEEN = 1, DATA_SEEN = 2, WENT_ON = 4 };

/* Several groups for each place that a device may have for them; and how often a group looks in
 * vain before it gives up: a time slice of a CPU's thread is many looks. */
enum { GROUPS_PER_UNIT = 16, LEAST_GROUPS = 64, MOST_GROUPS = 4096 };
enum { MOST_POLLS = 1 << 18, MOST_POLLS_CPU = 1 << 27 };

static size_t probe_groups_of(const clp_device *device) {
    const size_t groups = GROUPS_PER_UNIT * (size_t)device->info.compute_units;
    return groups < LEAST_GROUPS ? LEAST_GROUPS : groups > MOST_GROUPS ? MOST_GROUPS : groups;
}

static clprims_status run_groups_probe_on(probe *p, cl_uint *bits) {
    static const clp_part parts[] = {&clp_probe_groups_cl, NULL};
    const clp_test_hooks *hooks = clp_test_hooks_get();
    const clp_device *device = &p->context->device;
    const size_t groups = probe_groups_of(device);
    const size_t group = clp_halved(PROBE_GROUP, device->max_group);
    const cl_uint polls = device->is_cpu ? MOST_POLLS_CPU : MOST_POLLS;
    const cl_uint delayed = device->info.compute_units / 2, all = CL_UINT_MAX;
    const cl_uint bound = hooks->probe_bound > 0 ? (cl_uint)hooks->probe_bound : polls;
    const cl_uint numbers[] = {delayed, bound, (cl_uint)hooks->probe_fault};
    CLP_TRY(build_probe(p, parts, "clp_probe_groups", group, 0));
    CLP_TRY(clp_upload(p->context, "probe", &all, sizeof all, &p->buffers[p->count++]));
    CLP_TRY(add_buffer(p, groups * sizeof(cl_ulong))); /* words */
    CLP_TRY(add_buffer(p, groups * sizeof(cl_uint))); /* flags */
    CLP_TRY(add_buffer(p, groups * group * sizeof(cl_uint))); /* data */
    CLP_TRY(add_buffer(p, 2 * sizeof(cl_uint))); /* tickets */
    const clp_step step = {p->kernel, groups, group};
    return launch_probe(p, numbers, 3, step, bits, sizeof *bits);
}

/* Words that are lost would hang a look-back, and groups that do not go on. */
static finding found_by(cl_uint bits, cl_uint bit) {
    return (bits & bit) != 0 ? SHOWN : FAILED;
}

static bool is_unknown(finding told) {
    return told == UNTOLD || told == PROBE;
}

/* Sets what is not told. *works: what one group leaves behind a fence another one sees. */
static clprims_status find_groups(const clprims_context *context, findings *found, bool *works) {
    const bool is_known = context->device.is_cpu || context->device.is_nvidia;
    cl_uint bits = 0;
    if (found->words == UNTOLD && is_known) found->words = KNOWN;
    if (found->progress == UNTOLD && is_known) found->progress = KNOWN;
    *works = true;
    if (!is_unknown(found->words) && !is_unknown(found->progress)) return CLPRIMS_OK;
    probe p = {.context = context};
    const clprims_status status = run_groups_probe_on(&p, &bits);
    end_probe(&p);
    if (clp_build_failed(status)) {
        clp_clear_error();
        bits = DATA_SEEN;
    } else {
        CLP_TRY(status);
    }
    if (is_unknown(found->words)) found->words = found_by(bits, WORD_SEEN);
    if (is_unknown(found->progress)) found->progress = found_by(bits, WENT_ON);
    *works = (bits & DATA_SEEN) != 0;
    return CLPRIMS_OK;
}

/* The name of the first function that failed on some work-item, or NULL. */
static const char *first_failure(const cl_uint words[2 * PROBE_ITEMS]) {
    cl_uint all = (1u << PROBE_BITS) - 1;
    for (size_t i = 0; i < PROBE_ITEMS; i++) all &= words[2 * i];
    for (size_t bit = 0; bit < PROBE_BITS; bit++) {
        if ((all >> bit & 1) == 0) return probe_bits[bit];
    }
    return NULL;
}

static bool width_is_usable(cl_uint width) {
    return width >= 2 && width <= PROBE_GROUP && (width & (width - 1)) == 0;
}

/* ---- The layers ---- */

/* Why the device can't have the layer by its own account, or NULL. */
static const char *ruled_out(const clp_device *device, clprims_layer layer) {
    if (layer == CLPRIMS_LAYER_NVIDIA && !device->is_nvidia) {
        return "the driver is not NVIDIA's own";
    }
    if (layer == CLPRIMS_LAYER_NVIDIA && device->compute_capability < 70) {
        return "the compute capability is below 7.0";
    }
    if (layer == CLPRIMS_LAYER_SUBGROUP && !device->has_subgroups) {
        return "the device has no sub-groups with shuffles";
    }
    return NULL;
}

static void note(clprims_context *context, const char *layer, const char *why, const char *detail) {
    const size_t used = strlen(context->reason);
    snprintf(context->reason + used, sizeof context->reason - used, "%s%s: %s%s", used ? "; " : "",
             layer, why, detail);
}

static clprims_status probe_with_width(clprims_context *context, size_t width, cl_uint *words) {
    probe p = {.context = context};
    context->subgroup_width = width;
    const clprims_status status = run_probe_on(&p, words);
    end_probe(&p);
    return status;
}

/* Whether the functions of the layer do what they should, with the width of sub-groups that is
 * found or told. A failing status is a fault that no other layer can mend. */
static clprims_status probe_functions(clprims_context *context, size_t told, bool *works) {
    const char *name = clprims_layer_name(context->layer);
    const bool has_subgroups = context->layer == CLPRIMS_LAYER_SUBGROUP;
    const size_t usual = context->layer == CLPRIMS_LAYER_LOCAL ? 1 : USUAL_WIDTH;
    cl_uint words[2 * PROBE_ITEMS] = {0};
    clprims_status status =
        probe_with_width(context, has_subgroups && told > 0 ? told : usual, words);
    const cl_uint width = words[1];
    if (status == CLPRIMS_OK && has_subgroups && told == 0 && width != USUAL_WIDTH &&
        width_is_usable(width)) {
        status = probe_with_width(context, width, words);
    }
    *works = false;
    if (clp_build_failed(status) && context->layer != CLPRIMS_LAYER_LOCAL) {
        note(context, name, "the probe does not compile", "");
        clp_clear_error();
        return CLPRIMS_OK;
    }
    CLP_TRY(status);
    const bool is_offline = context->device.is_offline;
    const char *failure = is_offline ? NULL : first_failure(words);
    *works = failure == NULL;
    note(context, name,
         is_offline        ? "not probed: its architecture is offline"
         : failure != NULL ? "the probe failed at "
                           : "the probe ran right",
         failure != NULL ? failure : "");
    return CLPRIMS_OK;
}

/* Layer and width are told. */
static clprims_status take_width(clprims_context *context, size_t width) {
    const bool has_subgroups = context->layer == CLPRIMS_LAYER_SUBGROUP;
    const size_t usual = context->layer == CLPRIMS_LAYER_LOCAL ? 1 : USUAL_WIDTH;
    CLP_FAIL_IF(has_subgroups ? !width_is_usable((cl_uint)width) : width != usual,
                CLPRIMS_ERR_ARGUMENT, "context: probed has width=%zu; the layer %s needs %s", width,
                clprims_layer_name(context->layer),
                has_subgroups                           ? "a power of two from 2 to 64"
                : context->layer == CLPRIMS_LAYER_LOCAL ? "1"
                                                        : "32");
    context->subgroup_width = width;
    note(context, clprims_layer_name(context->layer), "as options.probed has it", "");
    return CLPRIMS_OK;
}

/* Sets *works and notes why. found: what is told, and then what was found, too. */
static clprims_status try_layer(clprims_context *context, clprims_layer layer, findings *found,
                                bool *works) {
    const char *name = clprims_layer_name(layer);
    const char *reason = ruled_out(&context->device, layer);
    *works = false;
    if (reason != NULL) {
        note(context, name, reason, "");
        return CLPRIMS_OK;
    }
    context->layer = layer;
    if (found->layer == layer && found->width > 0) {
        CLP_TRY(take_width(context, found->width));
    } else {
        CLP_TRY(probe_functions(context, found->width, works));
        if (!*works) return CLPRIMS_OK;
    }
    CLP_TRY(find_groups(context, found, works));
    if (!*works) {
        note(context, name, "the probe failed at ", "data that another work-group wrote");
        return CLPRIMS_OK;
    }
    if (found->words == FAILED) note(context, "words", "a work-group missed another's", "");
    if (found->progress == FAILED) note(context, "progress", "a work-group waited in vain", "");
    return CLPRIMS_OK;
}

/* A layer that is told is the only one that is tried. */
static clprims_status choose_layer(clprims_context *context, clprims_layer wanted,
                                   findings *found) {
    const findings told = *found;
    for (clprims_layer layer = CLPRIMS_LAYER_NVIDIA; layer <= CLPRIMS_LAYER_LOCAL; layer++) {
        bool works;
        if (wanted != CLPRIMS_LAYER_AUTO && layer != wanted) continue;
        /* Work-items by themselves are what suits CPUs, and their sub-groups gain nothing. */
        if (wanted == CLPRIMS_LAYER_AUTO && context->device.is_cpu && layer != CLPRIMS_LAYER_LOCAL)
            continue;
        *found = told;
        CLP_TRY(try_layer(context, layer, found, &works));
        if (works) return CLPRIMS_OK;
    }
    return clp_fail(CLPRIMS_ERR_UNSUPPORTED, "context: no layer works on \"%s\": %s",
                    context->device.info.name, context->reason);
}

const char *clprims_layer_name(clprims_layer layer) {
    static const char names[][9] = {"auto", "nvidia", "subgroup", "local"};
    return CLP_TEXT_OF_ENUMERATOR(names, layer, "unknown");
}

/*
 * ---- Local memory: what the driver advertises, or more where the device has more and a kernel
 * that takes it runs right (cl/device/probe_local.cl) ----
 */

/* Plans leave so much of it free. */
enum { KB = 1024, FREE = KB, LOCAL_PROBE_GROUP = 128 };

/* NVIDIA advertises 48 KB on all of them; a multiprocessor keeps 1 KB for itself. */
size_t clp_local_bytes_of(int capability) {
    if (capability < 70) return 0;
    if (capability < 75) return 96 * KB;
    if (capability < 80) return 64 * KB;
    if (capability == 80 || capability == 87) return 163 * KB;
    return capability >= 90 && capability < 120 ? 227 * KB : 99 * KB;
}

static clprims_status run_local_probe(probe *p, size_t bytes, cl_uint words[LOCAL_PROBE_GROUP]) {
    static const clp_part parts[] = {&clp_probe_local_cl, NULL};
    const size_t found = LOCAL_PROBE_GROUP * sizeof *words;
    CLP_TRY(build_probe(p, parts, "clp_probe_local", LOCAL_PROBE_GROUP, bytes / sizeof(cl_uint)));
    CLP_TRY(add_buffer(p, found));
    const clp_step step = {p->kernel, 1, LOCAL_PROBE_GROUP};
    return launch_probe(p, NULL, 0, step, words, found);
}

static bool is_right(const cl_uint words[LOCAL_PROBE_GROUP]) {
    for (size_t i = 0; i < LOCAL_PROBE_GROUP; i++) {
        if (words[i] == 0) return false;
    }
    return true;
}

/* ptxas takes no more than NVIDIA advertises for architectures before sm_90: packs made ahead of
 * time have the programs for that much. */
static bool is_made_ahead(const clprims_context *context) {
    enum { MORE_SINCE = 90 };
    return context->device.compute_capability < MORE_SINCE &&
           (context->device.is_offline || clp_store_is_made_ahead(&context->store));
}

/* What the device advertises, or all of it: where that is told, or a probe shows it. */
static clprims_status find_local_memory(clprims_context *context, size_t told) {
    clp_device *device = &context->device;
    const size_t whole = clp_local_bytes_of(device->compute_capability);
    const size_t most = whole > FREE ? whole - FREE : 0;
    probe p = {.context = context};
    cl_uint words[LOCAL_PROBE_GROUP] = {0};
    device->static_local_bytes = device->local_bytes;
    if (told == device->local_bytes || (told == 0 && is_made_ahead(context))) return CLPRIMS_OK;
    CLP_FAIL_IF(told > 0 && told != most, CLPRIMS_ERR_ARGUMENT,
                "context: probed has local=%zu; \"%s\" has %zu bytes of local memory", told,
                device->info.name, most > device->local_bytes ? most : device->local_bytes);
    if (told > 0) device->static_local_bytes = told;
    if (told > 0 || most <= device->local_bytes) return CLPRIMS_OK;
    const clprims_status status = run_local_probe(&p, most, words);
    end_probe(&p);
    if (status == CLPRIMS_ERR_HOST_MEMORY || status == CLPRIMS_ERR_IO) return status;
    const bool works = status == CLPRIMS_OK && (device->is_offline || is_right(words));
    if (works) device->static_local_bytes = most;
    clp_clear_error();
    return CLPRIMS_OK;
}

/* ---- All of it ---- */

clprims_status clp_probed_check(const clprims_context_options *options) {
    findings told;
    CLP_TRY(read_findings(options->probed, &told));
    CLP_FAIL_IF(told.layer != CLPRIMS_LAYER_AUTO && options->layer != CLPRIMS_LAYER_AUTO &&
                    told.layer != options->layer,
                CLPRIMS_ERR_ARGUMENT,
                "context: probed has layer=%s, but layer is %s; give one of them",
                clprims_layer_name(told.layer), clprims_layer_name(options->layer));
    return CLPRIMS_OK;
}

clprims_status clp_probe(clprims_context *context, clprims_layer wanted, const char *told) {
    findings found;
    CLP_TRY(read_findings(told, &found));
    CLP_TRY(
        choose_layer(context, found.layer != CLPRIMS_LAYER_AUTO ? found.layer : wanted, &found));
    CLP_TRY(find_local_memory(context, found.local_bytes));
    context->words_arrive = found.words != FAILED;
    context->groups_progress = found.progress != FAILED;
    snprintf(context->probed, sizeof context->probed,
             "layer=%s width=%zu local=%zu words=%s progress=%s",
             clprims_layer_name(context->layer), context->subgroup_width,
             context->device.static_local_bytes, finding_names[found.words],
             finding_names[found.progress]);
    return CLPRIMS_OK;
}
