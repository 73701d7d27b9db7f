/* SPDX-License-Identifier: MIT */
/*
 * The fuzzer: draws plans and runs, and compares each with its twin.
 *
 * test_fuzz [--seconds N | --draws N | --draw SEED] [PATTERN]: as many draws of each primitive as
 * fit into its share of N seconds, or until N gave a plan, or the one of that seed, which a failure
 * names. Nothing named: a few draws, always the same; five minutes of ever new ones in the long
 * tier.
 */
#include "fuzz/fuzz.h"

#include "core/test_hooks.h"
#include "harness/crash.h"

typedef struct primitive {
    const char *name;
    void (*draw)(void);
    size_t draws; /* when neither time nor a number is named: a few seconds, mostly of compilers */
} primitive;

static const primitive primitives[] = {{"scan", fuzz_scan, 7},
                                       {"offsets", fuzz_offsets, 2},
                                       {"select", fuzz_select, 5},
                                       {"reduce", fuzz_reduce, 6},
                                       {"segmented", fuzz_segmented, 6},
                                       {"sort", fuzz_sort, 2},
                                       {"segmented-sort", fuzz_segmented_sort, 2},
                                       {"topk", fuzz_topk, 2},
                                       {"histogram", fuzz_histogram, 4},
                                       {"merge", fuzz_merge, 2},
                                       {"search", fuzz_search, 3},
                                       {"parents", fuzz_parents, 2},
                                       {"gather", fuzz_gather, 2},
                                       {"scatter", fuzz_scatter, 3},
                                       {"map", fuzz_map, 3},
                                       {"list", fuzz_list, 2},
                                       {"listscan", fuzz_listscan, 1},
                                       {"forest", fuzz_forest, 1},
                                       {"minplus", fuzz_minplus, 3},
                                       {"paths", fuzz_paths, 5}};
enum { PRIMITIVES = sizeof primitives / sizeof primitives[0] };

enum { LONG_SECONDS = 300 };

static struct {
    double seconds; /* of all primitives; 0: by count */
    size_t draws; /* of each; 0: as the table says */
    bool one; /* the draw of this seed alone */
    uint64_t seed;
} wanted;

/* ---- Contexts ---------------------------------------------------------------------------------
 */

/* What draws work in: half of them in the program's own context, the others in those of devices
 * about which the library knows less, or where it uses less of them. */
static struct {
    const char *name, *probed;
    clprims_layer layer;
    clprims_context *context; /* NULL before the first draw, and where it is refused */
    bool is_tried;
} contexts[] = {
    {"words=failed progress=failed", "words=failed progress=failed", CLPRIMS_LAYER_AUTO, NULL,
     false},
    {"progress=failed", "progress=failed", CLPRIMS_LAYER_AUTO, NULL, false},
    {"layer local", NULL, CLPRIMS_LAYER_LOCAL, NULL, false},
    {"layer subgroup", NULL, CLPRIMS_LAYER_SUBGROUP, NULL, false},
};
enum { CONTEXTS = sizeof contexts / sizeof contexts[0] };

static const char *around = "its own"; /* the running draw's context */

/* They share the cl_context and the queue, so that buffers suit them all. */
static void create_context(size_t i) {
    const clprims_context_info own = test_info();
    clprims_context_options options = test_options();
    contexts[i].is_tried = true;
    if (contexts[i].layer == own.layer) return;
    options.device = NULL;
    options.context = own.context;
    options.device_id = own.device_id;
    options.queue = own.queue;
    if (contexts[i].probed != NULL) options.probed = contexts[i].probed;
    if (contexts[i].layer != CLPRIMS_LAYER_AUTO) options.layer = contexts[i].layer;
    const clprims_status status = clprims_context_create(&contexts[i].context, &options);
    if (status != CLPRIMS_ERR_UNSUPPORTED) expect_status_ok(status);
}

static void draw_context(void) {
    const size_t i = fuzz_between(0, 2 * CONTEXTS - 1);
    test_context_replace(NULL);
    around = "its own";
    if (i >= CONTEXTS) return;
    if (!contexts[i].is_tried) create_context(i);
    if (contexts[i].context == NULL) return;
    test_context_replace(contexts[i].context);
    around = contexts[i].name;
}

static void destroy_contexts(void) {
    test_context_replace(NULL);
    for (size_t i = 0; i < CONTEXTS; i++) clprims_context_destroy(contexts[i].context);
}

static uint64_t running; /* the seed of the running draw */
static size_t refused, tried;

/* ---- For the primitives -----------------------------------------------------------------------
 */

void fuzz_note(const char *format, ...) {
    static char text[1200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    crash_tell_assertions(text);
    test_note_subject("%s\n  context: %s\n  replay: PROGRAM --draw %llu, with the same pattern",
                      text, around, (unsigned long long)running);
}

size_t fuzz_between(size_t least, size_t most) {
    return least + (size_t)test_random_below(most - least + 1);
}

bool fuzz_coin(void) {
    return test_random_below(2) == 0;
}

size_t fuzz_size(size_t most) {
    const uint64_t kind = test_random_below(4);
    size_t power = 1, n;
    while (2 * power <= most && test_random_below(16) != 0) power *= 2;
    n = kind == 0 ? fuzz_between(0, 70) : kind == 1 ? power + fuzz_between(0, 4) : 0;
    if (kind == 1) n = n > 2 ? n - 2 : n;
    if (kind >= 2) n = fuzz_between(0, power);
    return n < most ? n : most;
}

bool fuzz_created(clprims_status status) {
    tried++;
    if (status == CLPRIMS_ERR_ARGUMENT || status == CLPRIMS_ERR_UNSUPPORTED ||
        status == CLPRIMS_ERR_TOO_LARGE) {
        if (clprims_last_error()->message[0] == '\0') test_fail("a refusal without a message");
        printf("refused: %s\n", clprims_last_error()->message);
        refused++;
        return false;
    }
    expect_status_ok(status);
    return true;
}

/* ---- Draws ------------------------------------------------------------------------------------
 */

static void draw(const primitive *drawn, uint64_t seed) {
    running = seed;
    fuzz_note("nothing drawn yet");
    test_random_restart(seed);
    draw_context();
    drawn->draw();
}

/* Refusals prove nothing: most plans must come to be. */
static void expect_plans(const primitive *drawn, size_t draws) {
    printf("%s: %zu draws, %zu plans, %zu refused\n", drawn->name, draws, tried - refused, refused);
    if (2 * refused > tried + 2) test_fail("%zu of %zu plans were refused", refused, tried);
}

static void fuzz(const void *data) {
    const primitive *drawn = data;
    const double end = test_now() + wanted.seconds / PRIMITIVES;
    const size_t most = wanted.draws > 0 ? wanted.draws : test_small() ? 1 : drawn->draws;
    size_t draws = 0;
    refused = tried = 0;
    if (wanted.one) {
        draw(drawn, wanted.seed);
        return;
    }
    /* By number: what was refused does not count, unless all of it is. */
    while (wanted.seconds > 0 ? test_now() < end : tried - refused < most && draws < 20 * most) {
        draw(drawn, test_seed() * 1000003 + draws);
        draws++;
    }
    expect_plans(drawn, draws);
}

static void add_all(test_cases *cases) {
    for (size_t i = 0; i < PRIMITIVES; i++) {
        test_add_row(cases, fuzz, primitives[i], "fuzz/%s", primitives[i].name);
    }
}

int main(int argc, char **argv) {
    const char *seconds = test_option(&argc, argv, "--seconds");
    const char *draws = test_option(&argc, argv, "--draws");
    const char *one = test_option(&argc, argv, "--draw");
    clp_checked = true;
    if (test_long()) wanted.seconds = LONG_SECONDS;
    if (draws != NULL) wanted.seconds = 0, wanted.draws = strtoul(draws, NULL, 10);
    if (seconds != NULL) wanted.seconds = strtod(seconds, NULL);
    if (one != NULL) wanted.one = true, wanted.seed = strtoull(one, NULL, 10);
    const int result = test_main(argc, argv, add_all);
    destroy_contexts();
    return result;
}
