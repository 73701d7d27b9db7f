/* SPDX-License-Identifier: MIT */
/* Calls of the primitives of lists and of matrices. */
#include "calls/calls.h"

/* Rows of a matrix have a gap behind them. */
enum { N = CALL_LIST_N, SIDE = 9, LD = SIDE + 2, CELLS = (SIDE - 1) * LD + SIDE };

/* ---- Lists ---- */

static void *list_of(clprims_type link, clprims_list_result result) {
    clprims_list_desc desc = CLPRIMS_LIST_DESC_INIT;
    clprims_list *plan = NULL;
    desc.link = link;
    desc.result = result;
    desc.max_n = N;
    expect_ok(clprims_list_create(&plan, test_context(), &desc));
    return plan;
}

static void *list_ranks(void) {
    return list_of(CLPRIMS_I32, CLPRIMS_LIST_RANKS);
}

static void *list_order(void) {
    return list_of(CLPRIMS_I64, CLPRIMS_LIST_ORDER);
}

/* Levels, as long lists have them. */
static void *list_by_levels(void) {
    clprims_list_desc desc = CLPRIMS_LIST_DESC_INIT;
    clprims_list *plan = NULL;
    desc.max_n = N;
    desc.tuning = "LAST=4 SUBLIST=4 SHORT=2 UPPER=2 LAST_GROUP=1";
    expect_ok(clprims_list_create(&plan, test_context(), &desc));
    return plan;
}

static void destroy_list(void *plan) {
    clprims_list_destroy(plan);
}

static clprims_status enqueue_list(void *plan, cl_command_queue queue, const clprims_buffer *at,
                                   cl_uint num_wait, const cl_event *wait, cl_event *event) {
    return clprims_list_enqueue(plan, queue, at[0], at[1], CLPRIMS_LIST_FIND_HEAD, N, at[2],
                                num_wait, wait, event);
}

static void *create_listscan(const char *tuning) {
    clprims_listscan_desc desc = CLPRIMS_LISTSCAN_DESC_INIT;
    clprims_listscan *plan = NULL;
    desc.type = CLPRIMS_U32;
    desc.max_n = N;
    desc.tuning = tuning;
    expect_ok(clprims_listscan_create(&plan, test_context(), &desc));
    return plan;
}

static void *listscan_single_group(void) {
    return create_listscan(NULL);
}

static void *listscan_by_levels(void) {
    return create_listscan("SINGLE=0 LAST=4 UPPER=2");
}

static void destroy_listscan(void *plan) {
    clprims_listscan_destroy(plan);
}

static clprims_status enqueue_listscan(void *plan, cl_command_queue queue, const clprims_buffer *at,
                                       cl_uint num_wait, const cl_event *wait, cl_event *event) {
    return clprims_listscan_enqueue(plan, queue, at[0], at[1], at[2], CLPRIMS_LIST_FIND_HEAD, N,
                                    at[3], num_wait, wait, event);
}

static void *create_forest(void) {
    clprims_forest_desc desc = CLPRIMS_FOREST_DESC_INIT;
    clprims_forest *plan = NULL;
    desc.max_n = N;
    desc.tuning = "SINGLE=0";
    expect_ok(clprims_forest_create(&plan, test_context(), &desc));
    return plan;
}

static void destroy_forest(void *plan) {
    clprims_forest_destroy(plan);
}

static clprims_status enqueue_forest(void *plan, cl_command_queue queue, const clprims_buffer *at,
                                     cl_uint num_wait, const cl_event *wait, cl_event *event) {
    const clprims_forest_arrays arrays = {.struct_size = sizeof arrays,
                                          .next = at[0],
                                          .rank = at[1],
                                          .head = at[2],
                                          .heads = at[3],
                                          .num_heads = 1};
    return clprims_forest_enqueue(plan, queue, &arrays, N, at[4], num_wait, wait, event);
}

/* Ranks are not wanted, and the given heads are none: the report says which is missing. */
static clprims_status enqueue_forest_of_no_heads(void *plan, cl_command_queue queue,
                                                 const clprims_buffer *at, cl_uint num_wait,
                                                 const cl_event *wait, cl_event *event) {
    const clprims_forest_arrays arrays = {
        .struct_size = sizeof arrays, .next = at[0], .head = at[1], .heads = at[2]};
    return clprims_forest_enqueue(plan, queue, &arrays, N, at[3], num_wait, wait, event);
}

/* ---- Matrices ---- */

static clprims_matrix square(clprims_buffer at) {
    return (clprims_matrix){at.mem, at.first, LD, 0};
}

static void *create_minplus(void) {
    clprims_minplus_desc desc = CLPRIMS_MINPLUS_DESC_INIT;
    clprims_minplus *plan = NULL;
    desc.type = CLPRIMS_I32;
    desc.argmin = 1;
    expect_ok(clprims_minplus_create(&plan, test_context(), &desc));
    return plan;
}

static void destroy_minplus(void *plan) {
    clprims_minplus_destroy(plan);
}

#define MINPLUS_ENQUEUE(name, m, k)                                                                \
    static clprims_status name(void *plan, cl_command_queue queue, const clprims_buffer *at,       \
                               cl_uint num_wait, const cl_event *wait, cl_event *event) {          \
        const clprims_minplus_size size = {m, SIDE, k, 1};                                         \
        return clprims_minplus_enqueue(plan, queue, square(at[0]), square(at[1]), square(at[2]),   \
                                       square(at[3]), size, num_wait, wait, event);                \
    }
MINPLUS_ENQUEUE(enqueue_minplus, SIDE, SIDE)
MINPLUS_ENQUEUE(enqueue_minplus_of_no_k, SIDE, 0)
MINPLUS_ENQUEUE(enqueue_minplus_of_no_rows, 0, SIDE)

static void *create_paths(void) {
    clprims_paths_desc desc = CLPRIMS_PATHS_DESC_INIT;
    clprims_paths *plan = NULL;
    desc.type = CLPRIMS_I32;
    desc.predecessors = 1;
    desc.max_n = SIDE;
    expect_ok(clprims_paths_create(&plan, test_context(), &desc));
    return plan;
}

static void destroy_paths(void *plan) {
    clprims_paths_destroy(plan);
}

#define PATHS_ENQUEUE(name, n)                                                                     \
    static clprims_status name(void *plan, cl_command_queue queue, const clprims_buffer *at,       \
                               cl_uint num_wait, const cl_event *wait, cl_event *event) {          \
        return clprims_paths_enqueue(plan, queue, square(at[0]), square(at[1]), n, at[2],          \
                                     num_wait, wait, event);                                       \
    }
PATHS_ENQUEUE(enqueue_paths, SIDE)
PATHS_ENQUEUE(enqueue_paths_of_none, 0)

/* ---- The table ---- */

#define LINKS(bytes)                                                                               \
    { "next", N, bytes, CALL_LINKS, false, false }
const call calls_of_lists[] = {
    {"list",
     list_ranks,
     destroy_list,
     enqueue_list,
     {LINKS(4), CALL_OUT("rank", N, 4), CALL_REPORT(clprims_list_report)},
     {{0, 0, CALL_APART}}},
    {"list-order",
     list_order,
     destroy_list,
     enqueue_list,
     {LINKS(8), CALL_OUT("order", N, 8), CALL_REPORT(clprims_list_report)},
     {{0, 0, CALL_APART}}},
    {"list-levels",
     list_by_levels,
     destroy_list,
     enqueue_list,
     {LINKS(4), CALL_OUT("rank", N, 4), CALL_REPORT(clprims_list_report)},
     {{0, 0, CALL_APART}}},
    {"listscan",
     listscan_single_group,
     destroy_listscan,
     enqueue_listscan,
     {LINKS(4), CALL_IN("values", N, 4), CALL_OUT("out", N, 4), CALL_REPORT(clprims_list_report)},
     {{0, 2, CALL_ANYWHERE}, {1, 2, CALL_ANYWHERE}}},
    {"listscan-levels",
     listscan_by_levels,
     destroy_listscan,
     enqueue_listscan,
     {LINKS(4), CALL_IN("values", N, 4), CALL_OUT("out", N, 4), CALL_REPORT(clprims_list_report)},
     {{0, 2, CALL_ANYWHERE}, {1, 2, CALL_ANYWHERE}}},
    {"forest",
     create_forest,
     destroy_forest,
     enqueue_forest,
     {LINKS(4),
      CALL_OUT("rank", N, 4),
      CALL_OUT("head", N, 4),
      {"heads", 1, 4, CALL_HEADS, false, false},
      CALL_REPORT(clprims_list_report)},
     {{0, 1, CALL_ANYWHERE}, {0, 2, CALL_ANYWHERE}, {1, 3, CALL_ANYWHERE}, {2, 3, CALL_ANYWHERE}}},
    {"forest-of-no-heads",
     create_forest,
     destroy_forest,
     enqueue_forest_of_no_heads,
     {LINKS(4), CALL_OUT("head", N, 4), CALL_IN("heads", 0, 4), CALL_REPORT(clprims_list_report)},
     {{0, 1, CALL_ANYWHERE}}},
    {"minplus",
     create_minplus,
     destroy_minplus,
     enqueue_minplus,
     {CALL_IN("a", CELLS, 4), CALL_IN("b", CELLS, 4), CALL_OUT("c", CELLS, 4),
      CALL_OUT("argmin", CELLS, 4)},
     {{0, 0, CALL_APART}}},
    {"minplus-of-no-k",
     create_minplus,
     destroy_minplus,
     enqueue_minplus_of_no_k,
     {CALL_IN("a", 0, 4), CALL_IN("b", 0, 4), CALL_OUT("c", CELLS, 4),
      CALL_OUT("argmin", CELLS, 4)},
     {{0, 0, CALL_APART}}},
    {"minplus-of-no-rows",
     create_minplus,
     destroy_minplus,
     enqueue_minplus_of_no_rows,
     {CALL_NO_IN("a", 4), CALL_NO_IN("b", 4), CALL_NO_OUT("c", 4), CALL_NO_OUT("argmin", 4)},
     {{0, 0, CALL_APART}}},
    {"paths",
     create_paths,
     destroy_paths,
     enqueue_paths,
     {{"d", CELLS, 4, CALL_VALUES, true, false},
      CALL_OUT("via", CELLS, 4),
      CALL_REPORT(clprims_paths_report)},
     {{0, 0, CALL_APART}}},
    {"paths-of-none",
     create_paths,
     destroy_paths,
     enqueue_paths_of_none,
     {{"d", 0, 4, CALL_VALUES, true, false},
      CALL_OUT("via", 0, 4),
      CALL_REPORT(clprims_paths_report)},
     {{0, 0, CALL_APART}}},
};
