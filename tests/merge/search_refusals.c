/* SPDX-License-Identifier: MIT */
/* Bad input: each kind has its own status and a message with the values in it. */
#include "merge/search_groups.h"
#include "subjects/runs/subject_refusals.h"

static const clprims_search_desc good = {.type = CLPRIMS_I32, .max_n = 100, .max_length = 50};

/* ---- create ---- */

static void spoil(void *desc, subject_refusal *r) {
    clprims_search_desc *d = desc;
    ILLEGAL("no-bound", "search: bound = 3 is not a value of clprims_search_bound",
            d->bound = (clprims_search_bound)3)
    REFUSED("huge-max_length", TOO_LARGE, "max_length = 1844674407370955", d->max_length = SIZE_MAX)
    ILLEGAL("narrow-positions", "positions = 2 (int16) is no", d->positions = CLPRIMS_I16)
    ILLEGAL("float-positions", "positions = 10 (float64) is no", d->positions = CLPRIMS_F64)
    REFUSED("beyond-int32", TOO_LARGE,
            "max_length = 2147483648 is beyond the reach of positions of type int32",
            d->positions = CLPRIMS_I32, d->max_length = (size_t)1 << 31)
    REFUSED("beyond-uint32", TOO_LARGE, "of type uint32; use int64", d->positions = CLPRIMS_U32,
            d->max_length = (size_t)1 << 32)
    REFUSED("broken-less", BUILD, "elephants", d->less = "a < elephants")
    ILLEGAL("parameters-for-none", "1 parameters, but no text such as desc.less",
            d->parameters = "int number")
    ILLEGAL("struct-without-less", "needs desc.less", d->type = CLPRIMS_STRUCT)
    ILLEGAL("struct-without-text", "type_name is NULL", d->type = CLPRIMS_STRUCT,
            d->less = "a.x < b.x")
    ILLEGAL("knob-of-sorted", "PIVOTS", d->needles_sorted = 1, d->tuning = "PIVOTS=3")
}

/* ---- Calls ---- */

static void enqueue_refuses(void) {
    cl_command_queue queue = test_queue();
    test_buffer in = test_buffer_create(NULL, 100, 4, 0);
    test_buffer out = test_buffer_create(NULL, 100, 8, 0);
    clprims_search *plan = subject_made_plan(&subject_search, &good);
    const clprims_search_buffers no_needles = {.sorted = in.at, .sizes.length = 50};
    const clprims_search_buffers no_elements = {.needles = in.at, .out = out.at};
    expect_ok(clprims_search_enqueue(plan, queue, &no_needles, 0, 0, NULL, NULL));
    expect_ok(clprims_search_enqueue(plan, queue, &no_elements, 100, 0, NULL, NULL));
    expect_cl(clFinish(queue));
}

void search_add_refusals(test_cases *cases) {
    subject_add_refused(cases, &subject_search, &good, spoil, "search/refusals/create");
    test_add_plain(cases, enqueue_refuses, "search/refusals/enqueue");
}
