/* SPDX-License-Identifier: MIT */
/*
 * The shortest lines that connect the cities of the time zones on a flat map, none of them over 20
 * degrees long: a minimum spanning forest (Boruvka 1926). In a round each component of cities finds
 * the shortest line out of it, by a scatter that keeps the least number, and joins the component at
 * its other end; pointer jumping finds which components become one; a selection drops lines within
 * one. All rounds are submitted at once: the number of lines stays on the device, and a round
 * without lines does nothing.
 *
 *   spanning_forest [ZONE1970.TAB]
 */
#include "call.h"
#include "inputs/zones.h"

#include <clprims/clprims.h>

enum { ROUNDS = 9 };
static zone_lines all;
static int64_t order[ROOM]; /* of the lines: the shortest first */
static char found[ROOM]; /* in this order: whether a line is taken */

/* Line l, from the shortest one on, is arc 2 l from one end and arc 2 l + 1 from the other. On the
 * device, int32: the city where each arc begins; the component of each city; which component each
 * one joins; in each round, the shortest arc of each component. Of the arcs that are left: their
 * numbers, the components where they begin, and in each round how many they are, uint64. */
enum { BEGIN, COMPONENT, NEXT, JUMP, SHORTEST, ARC, LEFT, FROM, COUNT, BUFFERS };
static clprims_buffer at[BUFFERS];
static clprims_map *look_up, *join, *follow;
static clprims_scatter *least;
static clprims_select *keep;

static const char joined[] =
    "int joined(int arc, int c, global const int *shortest, global const int *component,\n"
    "           global const int *begin) {\n"
    "    if (arc == INT_MAX) return c;\n" /* there is no arc */
    "    const int other = component[begin[arc ^ 1]];\n"
    "    return shortest[other] == (arc ^ 1) && c < other ? c : other;\n" /* one of two stays */
    "}\n";

static void create(clprims_context *context) {
    clprims_map_desc begins = {.type = CLPRIMS_I32, .max_n = ROOM}, other = begins, next = begins;
    clprims_scatter_desc minimum = {.type = CLPRIMS_I32, .index_type = CLPRIMS_I32, .max_n = ROOM};
    clprims_select_desc between = {.by = CLPRIMS_SELECT_PREDICATE, .arrays = 1, .max_n = ROOM};
    begins.output[0].value = "component[begin[x]]";
    other.output[0].value = "joined(x, i, shortest + first, component, begin)";
    other.custom.declarations = joined;
    next.output[0].value = "next[x]", next.parameters = "global const int *next";
    minimum.repeats = CLPRIMS_SCATTER_COMBINE, minimum.op = CLPRIMS_MIN;
    between.type[0] = CLPRIMS_I32;
    between.predicate = "component[begin[x]] != component[begin[x ^ 1]]";
    begins.parameters = between.parameters = "global const int *begin, global const int *component";
    other.parameters = "global const int *begin, global const int *component, uint first,"
                       "global const int *shortest";
    call(clprims_map_create(&look_up, context, &begins));
    call(clprims_map_create(&join, context, &other));
    call(clprims_map_create(&follow, context, &next));
    call(clprims_scatter_create(&least, context, &minimum));
    call(clprims_select_create(&keep, context, &between));
    for (size_t k = BEGIN; k <= COMPONENT; k++) {
        call(clprims_map_set_parameter(look_up, k, sizeof(cl_mem), &at[k].mem));
        call(clprims_map_set_parameter(join, k, sizeof(cl_mem), &at[k].mem));
        call(clprims_select_set_parameter(keep, k, sizeof(cl_mem), &at[k].mem));
    }
    call(clprims_map_set_parameter(join, 3, sizeof(cl_mem), &at[SHORTEST].mem));
}

/* out[i] = next[in[i]] */
static void go(clprims_buffer in, clprims_buffer next, clprims_buffer out) {
    const clprims_map_buffers buffers = {.in = in, .out = {out}};
    call(clprims_map_set_parameter(follow, 0, sizeof next.mem, &next.mem));
    call(clprims_map_enqueue(follow, NULL, &buffers, all.cities, 0, NULL, NULL));
}

static void submit_round(cl_uint round) {
    const cl_uint first = round * CITIES;
    const clprims_buffer count = {at[COUNT].mem, round}, shortest = {at[SHORTEST].mem, first};
    const clprims_buffer arcs = at[ARC + round % 2], left = at[LEFT - round % 2];
    const clprims_map_buffers begins = {.in = arcs, .out = {at[FROM]}, .n = count};
    const clprims_scatter_buffers minimum = {
        .index = at[FROM], .in = arcs, .out = shortest, .n = count, .sizes.length = CITIES};
    const clprims_map_buffers next = {.in = shortest, .out = {at[NEXT]}};
    const clprims_select_buffers between = {
        .in = {arcs}, .out = {left}, .n = count, .count = {count.mem, round + 1}};
    call(clprims_map_enqueue(look_up, NULL, &begins, ROOM, 0, NULL, NULL));
    call(clprims_scatter_enqueue(least, NULL, &minimum, ROOM, 0, NULL, NULL));
    call(clprims_map_set_parameter(join, 2, sizeof first, &first));
    call(clprims_map_enqueue(join, NULL, &next, all.cities, 0, NULL, NULL));
    for (size_t reach = 1; reach < all.cities; reach *= 4) {
        go(at[NEXT], at[NEXT], at[JUMP]);
        go(at[JUMP], at[JUMP], at[NEXT]);
    }
    go(at[COMPONENT], at[NEXT], at[COMPONENT]);
    call(clprims_select_enqueue(keep, NULL, &between, ROOM, 0, NULL, NULL));
}

static void on_device(clprims_context *context) {
    static cl_int begin[ROOM], number[ROOM], shortest[ROUNDS * CITIES];
    const uint64_t counts[ROUNDS + 1] = {2 * all.n};
    const size_t a = sizeof number, c = CITIES * sizeof number[0];
    const size_t bytes[BUFFERS] = {a, c, c, c, sizeof shortest, a, a, a, sizeof counts};
    const void *const host[BUFFERS] = {begin,  number, NULL, NULL,  shortest,
                                       number, NULL,   NULL, counts};
    for (size_t k = 0; k < 2 * all.n; k++) begin[k] = (cl_int)all.ends[k % 2][order[k / 2]];
    for (cl_int k = 0; k < ROOM; k++) number[k] = k;
    for (int k = 0; k < ROUNDS * CITIES; k++) shortest[k] = INT32_MAX;
    for (int k = 0; k < BUFFERS; k++)
        call(clprims_buffer_create(&at[k], context, bytes[k], host[k]));
    create(context);
    for (cl_uint round = 0; round < ROUNDS; round++) submit_round(round);
    call(clprims_buffer_read(context, at[SHORTEST], sizeof shortest, 1, shortest));
    for (int k = 0; k < ROUNDS * CITIES; k++)
        if (shortest[k] < INT32_MAX) found[shortest[k] / 2] = 1;
    for (int k = 0; k < BUFFERS; k++) clprims_buffer_release(&at[k]);
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
