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
#include "core/launch.h"
#include "core/program.h"
#include "core/status.h"
#include "core/test_hooks.h"
#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
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
        if (!read_told(text, length, &word)) {
            return clp_fail(CLPRIMS_ERR_ARGUMENT,
                            "context: probed has \"%.*s\"; legal are layer=nvidia, subgroup or "
                            "local, width=N, local=BYTES, and words= and progress=known, shown, "
                            "failed or probe",
                            (int)length, text);
        }
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

/* ---- The probe ---- */

typedef struct probe {
    cl_program program;
    cl_kernel kernel;
    cl_mem found;
    cl_mem state;
    cl_mem data;
    cl_uint words[2 * PROBE_ITEMS];
} probe;

static clprims_status run_probe_on(const clprims_context *context, probe *p) {
    static const clp_part parts[] = {&clp_probe_cl, NULL};
    clp_text prelude = {0};
    clp_text_add(&prelude, "#define CLP_GROUP %d\n", PROBE_GROUP);
    const clprims_status built = clp_program_build(context, "probe", &prelude, parts, &p->program);
    clp_text_free(&prelude);
    CLP_TRY(built);
    CLP_TRY(clp_kernel_create(p->program, "probe", "clp_probe", &p->kernel));
    CLP_TRY(clp_scratch_create(context, "probe", sizeof p->words, true, &p->found));
    CLP_TRY(clp_scratch_create(context, "probe", PROBE_ITEMS * sizeof(cl_ulong), true, &p->state));
    CLP_TRY(clp_scratch_create(context, "probe", PROBE_ITEMS * sizeof(cl_uint4), true, &p->data));
    const clp_argument arguments[] = {CLP_ARGUMENT(p->found), CLP_ARGUMENT(p->state),
                                      CLP_ARGUMENT(p->data)};
    CLP_TRY(clp_kernel_arguments(p->kernel, "probe", arguments, 3));
    const clp_step steps[] = {{p->kernel, PROBE_GROUPS, PROBE_GROUP}};
    CLP_TRY(clp_steps_enqueue(context->queue, "probe", steps, 1, 0, NULL, NULL));
    return clp_download(context, "probe", p->found, p->words, sizeof p->words);
}

static clprims_status run_probe(const clprims_context *context, probe *p) {
    *p = (probe){.program = NULL};
    const clprims_status status = run_probe_on(context, p);
    const cl_mem mems[] = {p->data, p->state, p->found};
    clp_release_buffers(mems, 3);
    if (p->kernel != NULL) clReleaseKernel(p->kernel);
    if (p->program != NULL) clReleaseProgram(p->program);
    return status;
}

/* ---- What work-groups see of each other ---- */

/* As in probe_groups.cl. */
enum { WORD_SEEN = 1, DATA_SEEN = 2, WENT_ON = 4 };

/* Several groups for each place that a device may have for them; and how often a group looks in
 * vain before it gives up: a time slice of a CPU's thread is many looks. */
enum { GROUPS_PER_UNIT = 16, LEAST_GROUPS = 64, MOST_GROUPS = 4096 };
enum { MOST_POLLS = 1 << 18, MOST_POLLS_CPU = 1 << 27 };

typedef struct groups_probe {
    cl_program program;
    cl_kernel kernel;
    cl_mem found, words, flags, data, tickets;
    cl_uint bits;
} groups_probe;

static size_t probe_groups_of(const clp_device *device) {
    const size_t groups = GROUPS_PER_UNIT * (size_t)device->info.compute_units;
    return groups < LEAST_GROUPS ? LEAST_GROUPS : groups > MOST_GROUPS ? MOST_GROUPS : groups;
}

static clprims_status build_groups_probe(const clprims_context *context, groups_probe *p) {
    static const clp_part parts[] = {&clp_probe_groups_cl, NULL};
    clp_text prelude = {0};
    clp_text_add(&prelude, "#define CLP_GROUP %d\n", PROBE_GROUP);
    const clprims_status built = clp_program_build(context, "probe", &prelude, parts, &p->program);
    clp_text_free(&prelude);
    CLP_TRY(built);
    return clp_kernel_create(p->program, "probe", "clp_probe_groups", &p->kernel);
}

static clprims_status run_groups_probe_on(const clprims_context *context, groups_probe *p) {
    const clp_test_hooks *hooks = clp_test_hooks_get();
    const size_t groups = probe_groups_of(&context->device);
    const cl_uint polls = context->device.is_cpu ? MOST_POLLS_CPU : MOST_POLLS;
    const cl_uint bound = hooks->probe_bound > 0 ? (cl_uint)hooks->probe_bound : polls;
    const cl_uint delayed = context->device.info.compute_units / 2, all = CL_UINT_MAX;
    const cl_uint fault = (cl_uint)hooks->probe_fault;
    CLP_TRY(build_groups_probe(context, p));
    CLP_TRY(clp_upload(context, "probe", &all, sizeof all, &p->found));
    CLP_TRY(clp_scratch_create(context, "probe", groups * sizeof(cl_ulong), true, &p->words));
    CLP_TRY(clp_scratch_create(context, "probe", groups * sizeof(cl_uint), true, &p->flags));
    CLP_TRY(clp_scratch_create(context, "probe", groups * PROBE_GROUP * sizeof(cl_uint), true,
                               &p->data));
    CLP_TRY(clp_scratch_create(context, "probe", 2 * sizeof(cl_uint), true, &p->tickets));
    const clp_argument arguments[] = {CLP_ARGUMENT(p->found),   CLP_ARGUMENT(p->words),
                                      CLP_ARGUMENT(p->flags),   CLP_ARGUMENT(p->data),
                                      CLP_ARGUMENT(p->tickets), CLP_ARGUMENT(delayed),
                                      CLP_ARGUMENT(bound),      CLP_ARGUMENT(fault)};
    CLP_TRY(clp_kernel_arguments(p->kernel, "probe", arguments, 8));
    const clp_step step = {p->kernel, groups, PROBE_GROUP};
    CLP_TRY(clp_steps_enqueue(context->queue, "probe", &step, 1, 0, NULL, NULL));
    return clp_download(context, "probe", p->found, &p->bits, sizeof p->bits);
}

/* Sets *bits to what all groups saw. */
static clprims_status run_groups_probe(const clprims_context *context, cl_uint *bits) {
    groups_probe p = {.program = NULL};
    const clprims_status status = run_groups_probe_on(context, &p);
    const cl_mem mems[] = {p.found, p.words, p.flags, p.data, p.tickets};
    clp_release_buffers(mems, 5);
    if (p.kernel != NULL) clReleaseKernel(p.kernel);
    if (p.program != NULL) clReleaseProgram(p.program);
    *bits = p.bits;
    return status;
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
    const clprims_status status = run_groups_probe(context, &bits);
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
static const char *first_failure(const probe *p) {
    cl_uint all = (1u << PROBE_BITS) - 1;
    for (size_t i = 0; i < PROBE_ITEMS; i++) all &= p->words[2 * i];
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

static clprims_status probe_with_width(clprims_context *context, size_t width, probe *p) {
    context->subgroup_width = width;
    return run_probe(context, p);
}

/* Whether the functions of the layer do what they should, with the width of sub-groups that is
 * found or told. A failing status is a fault that no other layer can mend. */
static clprims_status probe_functions(clprims_context *context, size_t told, bool *works) {
    const char *name = clprims_layer_name(context->layer);
    const bool has_subgroups = context->layer == CLPRIMS_LAYER_SUBGROUP;
    const size_t usual = context->layer == CLPRIMS_LAYER_LOCAL ? 1 : USUAL_WIDTH;
    probe p;
    clprims_status status = probe_with_width(context, has_subgroups && told > 0 ? told : usual, &p);
    const cl_uint width = p.words[1];
    if (status == CLPRIMS_OK && has_subgroups && told == 0 && width != USUAL_WIDTH &&
        width_is_usable(width)) {
        status = probe_with_width(context, width, &p);
    }
    *works = false;
    if (clp_build_failed(status) && context->layer != CLPRIMS_LAYER_LOCAL) {
        note(context, name, "the probe does not compile", "");
        clp_clear_error();
        return CLPRIMS_OK;
    }
    CLP_TRY(status);
    const bool is_offline = context->device.is_offline;
    const char *failure = is_offline ? NULL : first_failure(&p);
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
    if (has_subgroups ? !width_is_usable((cl_uint)width) : width != usual) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "context: probed has width=%zu; the layer %s needs %s", width,
                        clprims_layer_name(context->layer),
                        has_subgroups                           ? "a power of two from 2 to 64"
                        : context->layer == CLPRIMS_LAYER_LOCAL ? "1"
                                                                : "32");
    }
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
    switch (layer) {
    case CLPRIMS_LAYER_AUTO:
        return "auto";
    case CLPRIMS_LAYER_NVIDIA:
        return "nvidia";
    case CLPRIMS_LAYER_SUBGROUP:
        return "subgroup";
    case CLPRIMS_LAYER_LOCAL:
        return "local";
    }
    return "unknown";
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

typedef struct local_probe {
    cl_program program;
    cl_kernel kernel;
    cl_mem right;
    cl_uint words[LOCAL_PROBE_GROUP];
} local_probe;

static clprims_status run_local_probe(const clprims_context *context, size_t bytes,
                                      local_probe *p) {
    static const clp_part parts[] = {&clp_probe_local_cl, NULL};
    clp_text prelude = {0};
    clp_text_add(&prelude, "#define CLP_GROUP %d\n#define CLP_LOCAL_WORDS %zu\n", LOCAL_PROBE_GROUP,
                 bytes / sizeof(cl_uint));
    const clprims_status built = clp_program_build(context, "probe", &prelude, parts, &p->program);
    clp_text_free(&prelude);
    CLP_TRY(built);
    CLP_TRY(clp_kernel_create(p->program, "probe", "clp_probe_local", &p->kernel));
    CLP_TRY(clp_scratch_create(context, "probe", sizeof p->words, true, &p->right));
    const clp_argument argument = CLP_ARGUMENT(p->right);
    CLP_TRY(clp_kernel_arguments(p->kernel, "probe", &argument, 1));
    const clp_step step = {p->kernel, 1, LOCAL_PROBE_GROUP};
    CLP_TRY(clp_steps_enqueue(context->queue, "probe", &step, 1, 0, NULL, NULL));
    return clp_download(context, "probe", p->right, p->words, sizeof p->words);
}

static bool is_right(const local_probe *p) {
    for (size_t i = 0; i < LOCAL_PROBE_GROUP; i++) {
        if (p->words[i] == 0) return false;
    }
    return true;
}

/* What the device advertises, or all of it: where that is told, or a probe shows it. */
static clprims_status find_local_memory(clprims_context *context, size_t told) {
    clp_device *device = &context->device;
    const size_t whole = clp_local_bytes_of(device->compute_capability);
    const size_t most = whole > FREE ? whole - FREE : 0;
    local_probe p = {.program = NULL};
    device->static_local_bytes = device->local_bytes;
    if (told == device->local_bytes) return CLPRIMS_OK;
    if (told > 0 && told != most) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "context: probed has local=%zu; \"%s\" has %zu bytes of local memory", told,
                        device->info.name, most > device->local_bytes ? most : device->local_bytes);
    }
    if (told > 0) device->static_local_bytes = told;
    if (told > 0 || most <= device->local_bytes) return CLPRIMS_OK;
    const clprims_status status = run_local_probe(context, most, &p);
    if (p.right != NULL) clReleaseMemObject(p.right);
    if (p.kernel != NULL) clReleaseKernel(p.kernel);
    if (p.program != NULL) clReleaseProgram(p.program);
    if (status == CLPRIMS_ERR_HOST_MEMORY || status == CLPRIMS_ERR_IO) return status;
    const bool works = status == CLPRIMS_OK && (device->is_offline || is_right(&p));
    if (works) device->static_local_bytes = most;
    clp_clear_error();
    return CLPRIMS_OK;
}

/* ---- All of it ---- */

clprims_status clp_probed_check(const clprims_context_options *options) {
    findings told;
    CLP_TRY(read_findings(options->probed, &told));
    if (told.layer != CLPRIMS_LAYER_AUTO && options->layer != CLPRIMS_LAYER_AUTO &&
        told.layer != options->layer) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "context: probed has layer=%s, but layer is %s; give one of them",
                        clprims_layer_name(told.layer), clprims_layer_name(options->layer));
    }
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
