/* SPDX-License-Identifier: MIT */
/*
 * The shortest lines that connect the cities of the time zones on a flat map, none of them over 20
 * degrees long: a minimum spanning forest (Boruvka 1926). A round finds the shortest line out of
 * each component by sort and segmented minimum, follows these lines by gather (pointer jumping),
 * and keeps the lines between different components. All rounds are submitted at once; the numbers
 * of lines and components stay on the device, and a round without lines does nothing.
 *
 *   spanning_forest [ZONE1970.TAB]
 */
#include "inputs/zones.h"
#include <clprims/clprims.h>

enum { ROUNDS = 9 };
static zone_lines all;
static int64_t order[ROOM]; /* of the lines: the shortest first */
static char found[ROOM]; /* in this order: whether a line is taken */

/* On the device, all int64. By line and direction: the components that it leads from and to, and
 * its number. By component: name, place of the shortest line, component at its end. By round: how
 * many lines and components there are, and the shortest lines of the components. */
enum { FROM, TO, LINE, NEW_FROM, NEW_TO, NEW_LINE, FROM_AT, TO_AT, NAME, PLACE, NEXT, JUMP };
enum { NEW_NAME = JUMP + 1, LINES, COUNT, CHOSEN, BUFFERS };
static clprims_buffer at[BUFFERS];
static cl_command_queue queue;
static clprims_sort *sorter;
static clprims_segmented *shortest;
static clprims_gather *gatherer;
static clprims_search *searcher;
static clprims_select *keeper;

static void call(clprims_status status) {
    if (status == CLPRIMS_OK) return;
    fprintf(stderr, "spanning_forest: %s\n", clprims_last_error()->message);
    exit(EXIT_FAILURE);
}

static void create(clprims_context *context) {
    clprims_sort_desc sort = {0};
    clprims_segmented_desc segmented = {0};
    const clprims_gather_desc gather = {.type = CLPRIMS_I64, .max_n = ROOM};
    const clprims_search_desc search = {.type = CLPRIMS_I64, .max_length = CITIES, .max_n = ROOM};
    const clprims_select_desc select = {.by = CLPRIMS_SELECT_PREDICATE,
                                        .arrays = 3,
                                        .type = {CLPRIMS_I64, CLPRIMS_I64, CLPRIMS_I64},
                                        .predicate = "x != to[i]",
                                        .parameters = "global const long *to",
                                        .max_n = ROOM};
    sort.type = segmented.type = segmented.heads_type = CLPRIMS_I64;
    sort.max_n = segmented.max_n = ROOM;
    sort.payloads = 2;
    sort.payload_bytes[0] = sort.payload_bytes[1] = sizeof(int64_t);
    segmented.by = CLPRIMS_SEGMENTS_KEYS;
    segmented.op = CLPRIMS_ARGMIN;
    segmented.unique_keys = 1;
    call(clprims_sort_create(&sorter, context, &sort));
    call(clprims_segmented_create(&shortest, context, &segmented));
    call(clprims_gather_create(&gatherer, context, &gather));
    call(clprims_search_create(&searcher, context, &search));
    call(clprims_select_create(&keeper, context, &select));
    call(clprims_select_set_parameter(keeper, 0, sizeof(cl_mem), &at[NEW_TO].mem));
}

static void gather(clprims_buffer index, clprims_buffer in, clprims_buffer out, clprims_buffer n) {
    const clprims_gather_buffers g = {
        .index = index, .in = in, .out = out, .n = n, .sizes.length = ROOM - in.first};
    call(clprims_gather_enqueue(gatherer, queue, &g, ROOM - out.first, 0, NULL, NULL));
}

static void submit_round(size_t round, size_t cities) {
    const clprims_buffer lines = {at[LINES].mem, round}, count = {at[COUNT].mem, round};
    const clprims_buffer chosen = {at[CHOSEN].mem, round * CITIES};
    clprims_sort_buffers s = {0};
    clprims_segmented_buffers least = {0};
    clprims_select_buffers keep = {0};
    s.keys_in = s.keys_out = least.heads = at[FROM];
    s.payload_in[0] = s.payload_out[0] = at[TO];
    s.payload_in[1] = at[LINE];
    s.payload_out[1] = least.in = at[NEW_LINE];
    least.keys = at[NAME], least.out = at[PLACE], least.count = count;
    s.n = lines;
    call(clprims_sort_enqueue(sorter, queue, &s, ROOM, 0, NULL, NULL));
    least.n = keep.n = lines, least.sizes.capacity = CITIES;
    call(clprims_segmented_enqueue(shortest, queue, &least, ROOM, 0, NULL, NULL));
    for (int k = 0; k < 2; k++) {
        const clprims_search_buffers find = {at[NAME], at[FROM + k], at[FROM_AT + k], lines,
                                             count,    {NULL, 0},    {CITIES},        {NULL, 0}};
        call(clprims_search_enqueue(searcher, queue, &find, ROOM, 0, NULL, NULL));
    }
    gather(at[PLACE], at[NEW_LINE], chosen, count);
    gather(at[PLACE], at[TO_AT], at[NEXT], count);
    for (size_t reach = 1; reach < cities; reach *= 4) {
        gather(at[NEXT], at[NEXT], at[JUMP], count);
        gather(at[JUMP], at[JUMP], at[NEXT], count);
    }
    /* All ways end between two components that chose the same line: its number is the new name. */
    gather(at[NEXT], chosen, at[NEW_NAME], count);
    for (int k = 0; k < 3; k++) {
        if (k < 2) gather(at[FROM_AT + k], at[NEW_NAME], at[NEW_FROM + k], lines);
        keep.in[k] = at[NEW_FROM + k];
        keep.out[k] = at[FROM + k];
    }
    keep.count = (clprims_buffer){at[LINES].mem, round + 1};
    call(clprims_select_enqueue(keeper, queue, &keep, ROOM, 0, NULL, NULL));
}

static void on_device(clprims_context *context) {
    static int64_t host[4][ROOM]; /* FROM, TO, LINE, and LINES of the first round */
    clprims_context_info info = {0};
    call(clprims_context_describe(context, &info));
    queue = info.queue;
    for (size_t k = 0; k < 2 * all.n; k++) {
        for (size_t side = 0; side < 2; side++)
            host[side][k] = all.ends[(k + side) % 2][order[k / 2]];
        host[2][k] = (int64_t)k / 2;
    }
    host[3][0] = 2 * (int64_t)all.n;
    for (int k = 0; k < BUFFERS; k++)
        at[k].mem = clCreateBuffer(info.context, CL_MEM_COPY_HOST_PTR, sizeof host[0],
                                   host[k < 3 ? k : 3], NULL);
    create(context);
    for (size_t round = 0; round < ROUNDS; round++) submit_round(round, all.cities);
    clEnqueueReadBuffer(queue, at[CHOSEN].mem, 1, 0, sizeof host[0], host[0], 0, NULL, NULL);
    clEnqueueReadBuffer(queue, at[COUNT].mem, 1, 0, sizeof host[1], host[1], 0, NULL, NULL);
    for (size_t k = 0; k < ROUNDS * CITIES; k++)
        if ((int64_t)k % CITIES < host[1][k / CITIES]) found[host[0][k]] = 1;
    for (int k = 0; k < BUFFERS; k++) clReleaseMemObject(at[k].mem);
    clprims_sort_destroy(sorter);
    clprims_segmented_destroy(shortest);
    clprims_gather_destroy(gatherer);
    clprims_search_destroy(searcher);
    clprims_select_destroy(keeper);
}

int main(int argc, char **argv) {
    clprims_context *context = NULL;
    int differs = 0;
    FILE *const file = fopen(argc > 1 ? argv[1] : "/usr/share/zoneinfo/zone1970.tab", "r");
    if (file == NULL) return fprintf(stderr, "SKIPPED: no table of time zones\n"), 77;
    read_lines(file, &all);
    fclose(file);
    call(clprims_context_create(&context, NULL));
    call(clprims_argsort(context, CLPRIMS_I64, all.length, all.n, order));
    on_device(context);
    clprims_context_destroy(context);
    const size_t taken = take_by_plain_c(&all, order, found, &differs);
    printf("%zu of %zu lines, %zu trees of cities, ", taken, all.n, all.cities - taken);
    printf("%s plain C\n", differs ? "unlike" : "as by");
    return differs;
}
