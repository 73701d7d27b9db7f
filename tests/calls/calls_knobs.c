/* SPDX-License-Identifier: MIT */
/* Every knob at both of its ends: the plan is refused with the knob's name in the message, or its
 * results are those of the default. */
#include "calls/calls.h"

#include "core/knobs.h"

#include <stdio.h>
#include <string.h>

/* ---- Plans with a tuning text ---- */

enum { N = CALL_LIST_N };

static clprims_status create_scan(void **plan, const char *tuning) {
    clprims_scan_desc desc = CLPRIMS_SCAN_DESC_INIT;
    clprims_scan *made = NULL;
    desc.type = CLPRIMS_U32;
    desc.algorithm = CLPRIMS_ALGORITHM_LOOKBACK;
    desc.max_n = N;
    desc.tuning = tuning;
    const clprims_status status = clprims_scan_create(&made, test_context(), &desc);
    *plan = made;
    return status;
}

static clprims_status create_reduce(void **plan, const char *tuning) {
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    clprims_reduce *made = NULL;
    desc.type = CLPRIMS_U32;
    desc.max_n = 2048;
    desc.tuning = tuning;
    const clprims_status status = clprims_reduce_create(&made, test_context(), &desc);
    *plan = made;
    return status;
}

static clprims_status create_segmented(void **plan, const char *tuning) {
    clprims_segmented_desc desc = CLPRIMS_SEGMENTED_DESC_INIT;
    clprims_segmented *made = NULL;
    desc.type = CLPRIMS_U32;
    desc.max_n = desc.max_segments = N;
    desc.tuning = tuning;
    const clprims_status status = clprims_segmented_create(&made, test_context(), &desc);
    *plan = made;
    return status;
}

static clprims_status create_histogram(void **plan, const char *tuning) {
    clprims_histogram_desc desc = CLPRIMS_HISTOGRAM_DESC_INIT;
    clprims_histogram *made = NULL;
    desc.type = CLPRIMS_U16;
    desc.bins = 7;
    desc.most = 6;
    desc.weights = CLPRIMS_I32;
    desc.max_n = N;
    desc.tuning = tuning;
    const clprims_status status = clprims_histogram_create(&made, test_context(), &desc);
    *plan = made;
    return status;
}

static clprims_status create_merge(void **plan, const char *tuning) {
    clprims_merge_desc desc = CLPRIMS_MERGE_DESC_INIT;
    clprims_merge *made = NULL;
    desc.type = CLPRIMS_U16;
    desc.max_a = N;
    desc.max_b = 60;
    desc.payload_bytes = 8;
    desc.tuning = tuning;
    const clprims_status status = clprims_merge_create(&made, test_context(), &desc);
    *plan = made;
    return status;
}

static clprims_status create_parents(void **plan, const char *tuning) {
    clprims_parents_desc desc = CLPRIMS_PARENTS_DESC_INIT;
    clprims_parents *made = NULL;
    desc.result = CLPRIMS_PARENTS_BOTH;
    desc.type = CLPRIMS_I32;
    desc.max_n = desc.max_segments = N;
    desc.tuning = tuning;
    const clprims_status status = clprims_parents_create(&made, test_context(), &desc);
    *plan = made;
    return status;
}

static clprims_status create_search(void **plan, const char *tuning) {
    clprims_search_desc desc = CLPRIMS_SEARCH_DESC_INIT;
    clprims_search *made = NULL;
    desc.type = CLPRIMS_U16;
    desc.positions = CLPRIMS_I32;
    desc.max_sorted = 60;
    desc.max_n = N;
    desc.tuning = tuning;
    const clprims_status status = clprims_search_create(&made, test_context(), &desc);
    *plan = made;
    return status;
}

static clprims_status create_gather(void **plan, const char *tuning) {
    clprims_gather_desc desc = CLPRIMS_GATHER_DESC_INIT;
    clprims_gather *made = NULL;
    desc.type = CLPRIMS_U16;
    desc.index_type = CLPRIMS_I32;
    desc.max_n = N;
    desc.tuning = tuning;
    const clprims_status status = clprims_gather_create(&made, test_context(), &desc);
    *plan = made;
    return status;
}

static clprims_status create_list(void **plan, const char *tuning) {
    clprims_list_desc desc = CLPRIMS_LIST_DESC_INIT;
    clprims_list *made = NULL;
    desc.max_n = N;
    desc.tuning = tuning;
    const clprims_status status = clprims_list_create(&made, test_context(), &desc);
    *plan = made;
    return status;
}

static clprims_status create_sort(void **plan, const char *tuning) {
    clprims_sort_desc desc = CLPRIMS_SORT_DESC_INIT;
    clprims_sort *made = NULL;
    desc.type = CLPRIMS_U16;
    desc.indices = CLPRIMS_I32;
    desc.no_keys = 1;
    desc.max_n = N;
    desc.tuning = tuning;
    const clprims_status status = clprims_sort_create(&made, test_context(), &desc);
    *plan = made;
    return status;
}

static clprims_status create_segmented_sort(void **plan, const char *tuning) {
    clprims_segmented_sort_desc desc = CLPRIMS_SEGMENTED_SORT_DESC_INIT;
    clprims_segmented_sort *made = NULL;
    desc.type = CLPRIMS_U16;
    desc.indices = CLPRIMS_I32;
    desc.payloads = 1;
    desc.payload_bytes[0] = 8;
    desc.max_n = N;
    desc.max_segments = N - 1;
    desc.tuning = tuning;
    const clprims_status status = clprims_segmented_sort_create(&made, test_context(), &desc);
    *plan = made;
    return status;
}

static clprims_status create_topk(void **plan, const char *tuning) {
    clprims_topk_desc desc = CLPRIMS_TOPK_DESC_INIT;
    clprims_topk *made = NULL;
    desc.type = CLPRIMS_U16;
    desc.indices = CLPRIMS_I32;
    desc.max_n = N;
    desc.max_k = 40;
    desc.tuning = tuning;
    const clprims_status status = clprims_topk_create(&made, test_context(), &desc);
    *plan = made;
    return status;
}

static clprims_status create_listscan(void **plan, const char *tuning) {
    clprims_listscan_desc desc = CLPRIMS_LISTSCAN_DESC_INIT;
    clprims_listscan *made = NULL;
    desc.type = CLPRIMS_U32;
    desc.max_n = N;
    desc.tuning = tuning;
    const clprims_status status = clprims_listscan_create(&made, test_context(), &desc);
    *plan = made;
    return status;
}

static clprims_status create_minplus(void **plan, const char *tuning) {
    clprims_minplus_desc desc = CLPRIMS_MINPLUS_DESC_INIT;
    clprims_minplus *made = NULL;
    desc.type = CLPRIMS_I32;
    desc.argmin = 1;
    desc.tuning = tuning;
    const clprims_status status = clprims_minplus_create(&made, test_context(), &desc);
    *plan = made;
    return status;
}

static const struct {
    const char *key; /* one for each table of knobs that a plan of any device has */
    const char *call;
    clprims_status (*create)(void **plan, const char *tuning);
} tuned[] = {{"scan", "scan", create_scan},
             {"reduce", "reduce", create_reduce},
             {"segmented", "segmented-offsets", create_segmented},
             {"histogram", "histogram", create_histogram},
             {"merge", "merge-tiles", create_merge},
             {"search", "search-any", create_search},
             {"parents", "parents", create_parents},
             {"gather", "gather", create_gather},
             {"list", "list", create_list},
             {"sort", "argsort-parts", create_sort},
             {"segmented-sort", "segmented-sort-serial", create_segmented_sort},
             {"topk", "topk", create_topk},
             {"listscan", "listscan", create_listscan},
             {"minplus", "minplus", create_minplus}};

typedef struct knob_case {
    size_t which; /* of tuned */
    const call *c;
    char text[64]; /* "ROWS=65536" */
    char name[32];
} knob_case;

/* ---- The cases ---- */

/* Runs the call on buffers of its own and returns the bytes that it wrote. */
static size_t run(const call *c, void *plan, unsigned char *results) {
    test_buffer buffers[CALL_MOST_BUFFERS];
    clprims_buffer at[CALL_MOST_BUFFERS];
    size_t bytes = 0;
    for (size_t k = 0; k < call_count(c); k++) {
        buffers[k] = call_make_buffer(c, k, 0);
        at[k] = buffers[k].at;
    }
    expect_ok(c->enqueue(plan, test_queue(), at, 0, NULL, NULL));
    expect_cl(clFinish(test_queue()));
    for (size_t k = 0; k < call_count(c); k++) {
        if (c->buffers[k].written) {
            test_buffer_read(&buffers[k], results + bytes);
            bytes += c->buffers[k].n * c->buffers[k].element_bytes;
        }
        test_buffer_release(&buffers[k]);
    }
    return bytes;
}

static void knob_is_at_its_end(const void *data) {
    const knob_case *k = data;
    static unsigned char expected[CALL_MOST_BYTES], results[CALL_MOST_BYTES];
    void *plan = NULL;
    const clprims_status status = tuned[k->which].create(&plan, k->text);
    if (status != CLPRIMS_OK) {
        expect_contains(clprims_last_error()->message, k->name);
        if (status != CLPRIMS_ERR_ARGUMENT && status != CLPRIMS_ERR_UNSUPPORTED &&
            status != CLPRIMS_ERR_TOO_LARGE) {
            test_fail("%s: %s", clprims_status_name(status), clprims_last_error()->message);
        }
        return;
    }
    const size_t bytes = run(k->c, plan, results);
    k->c->destroy(plan);
    expect_ok(tuned[k->which].create(&plan, NULL));
    assert_int_equal(run(k->c, plan, expected), bytes);
    k->c->destroy(plan);
    expect_elements(expected, results, bytes, 1);
}

static const call *find_call(const char *name) {
    for (size_t i = 0; i < CALLS; i++) {
        if (strcmp(call_at(i)->name, name) == 0) return call_at(i);
    }
    return NULL;
}

/* Most of these compile programs of their own: each end of each knob is for the long tier. */
void calls_add_knobs(test_cases *cases) {
    enum { EVERY = 5 };
    size_t number = 0;
    for (size_t w = 0; w < sizeof tuned / sizeof tuned[0]; w++) {
        const clp_tuning_key *key = clp_tuning_key_find(tuned[w].key, strlen(tuned[w].key));
        for (size_t k = 0; key != NULL && k < key->count; k++) {
            const clp_knob *knob = &key->knobs[k];
            for (int end = 0; end < 2; end++, number++) {
                knob_case c = {.which = w, .c = find_call(tuned[w].call)};
                snprintf(c.name, sizeof c.name, "%s", knob->name);
                snprintf(c.text, sizeof c.text, "%s=%zu", knob->name,
                         end == 0 ? knob->least : knob->most);
                if (!test_long() && number % EVERY != 0) continue;
                test_add(cases, knob_is_at_its_end, &c, sizeof c, "calls/knobs/%s/%s", tuned[w].key,
                         c.text);
            }
        }
    }
}
