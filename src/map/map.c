/* SPDX-License-Identifier: MIT */
/* Map: plans, checks, runs. cl/map/map.cl says how it works. */
#include "cl_sources.h"
#include "core/check.h"
#include "core/tuning.h"
#include "core/type.h"
#include "map/map_knobs.h"
#include "plan/plan_arguments.h"

#include <clprims/map.h>
#include <stdio.h>

/* Of clp_report in cl/engine/count_report.cl. */
enum { REPORT_BYTES = sizeof(clprims_map_report) };

enum { SERIAL_TILE = 8192 };

struct clprims_map {
    clp_plan head;
    size_t in_bytes; /* of an element; 0: there is no input array */
    size_t outputs;
    size_t widest, least; /* bytes of an element of any array */
    size_t out_bytes[CLPRIMS_MAP_OUTPUTS];
    size_t max_n;
    size_t group; /* work-items; 1: they take element after element */
    size_t depth;
    size_t vec; /* elements of a vector */
    size_t tile; /* elements of a group */
    size_t stage_bytes; /* local memory for tiles of elements that have several units */
    cl_kernel kernel;
};

/* ---- The description ---- */

/* The input's type as an output has it; and an output with the defaults filled in. */
static clprims_map_output input_of(const clprims_map_desc *desc) {
    const clprims_custom *custom = &desc->custom;
    return (clprims_map_output){desc->type, custom->type_name, custom->type_bytes, NULL};
}

static clprims_map_output output_of(const clprims_map_desc *desc, size_t k) {
    const clprims_map_output input = input_of(desc);
    clprims_map_output output = desc->output[k];
    output.type = clp_type_or(output.type, input.type);
    if (output.type_name == NULL) output.type_name = input.type_name;
    if (output.type_bytes == 0) output.type_bytes = input.type_bytes;
    return output;
}

/* Checks a type and sets the size of its elements. name: of the description's member. */
static clprims_status take_type(clprims_map *map, const char *name, clprims_map_output of,
                                size_t *bytes) {
    const bool is_struct = of.type == CLPRIMS_STRUCT;
    *bytes = is_struct ? of.type_bytes : clprims_type_bytes(of.type);
    CLP_FAIL_IF(is_struct && of.type_name == NULL, CLPRIMS_ERR_ARGUMENT,
                "map: %s is CLPRIMS_STRUCT, which needs a type_name; it is NULL", name);
    CLP_FAIL_IF(is_struct && (*bytes == 0 || *bytes > CLP_LARGEST_VALUE), CLPRIMS_ERR_ARGUMENT,
                "map: %s has type_bytes = %zu; it must be 1 to %d", name, *bytes,
                CLP_LARGEST_VALUE);
    CLP_TRY(clp_check_type("map", name, of.type));
    if (*bytes > map->widest) map->widest = *bytes;
    if (*bytes < map->least || map->least == 0) map->least = *bytes;
    return clp_check_float64(map->head.context, "map", of.type, of.type);
}

static clprims_status read_texts(clprims_map *map, const clprims_map_desc *desc) {
    const char *operands = desc->no_input_array ? "i" : "x i";
    const clp_user_text texts[] = {{"output[0].value", desc->output[0].value, operands, NULL},
                                   {"custom.op", desc->custom.op, NULL, "a map has no operator"},
                                   {NULL}};
    return clp_plan_read_texts(&map->head, texts, &desc->custom, desc->parameters);
}

static clprims_status take_desc(clprims_map *map, const clprims_map_desc *desc) {
    static const char *const names[] = {"output[0].type", "output[1].type", "output[2].type",
                                        "output[3].type"};
    CLP_TRY(clp_check_max_n("map", desc->max_n, SIZE_MAX / CLP_LARGEST_VALUE));
    map->max_n = desc->max_n;
    if (!desc->no_input_array) {
        CLP_TRY(take_type(map, "type", input_of(desc), &map->in_bytes));
    }
    for (size_t k = 0; k < CLPRIMS_MAP_OUTPUTS && desc->output[k].value != NULL; k++) {
        const clprims_map_output output = output_of(desc, k);
        CLP_TRY(take_type(map, names[k], output, &map->out_bytes[k]));
        CLP_FAIL_IF(output.type != CLPRIMS_STRUCT && desc->output[k].type_bytes > 0,
                    CLPRIMS_ERR_ARGUMENT,
                    "map: output[%zu].type_bytes = %zu is never read: the type is %s", k,
                    output.type_bytes, clprims_type_name(output.type));
        map->outputs++;
    }
    for (size_t k = map->outputs; k < CLPRIMS_MAP_OUTPUTS; k++) {
        if (map->outputs > 0 && desc->output[k].value == NULL) continue;
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "map: output[%zu].value is NULL; %s", map->outputs,
                        k > map->outputs ? "a later one is not" : "give an expression of x and i");
    }
    return read_texts(map, desc);
}

/* The largest type of at most 16 bytes that divides that many: 2^unit bytes. */
static unsigned find_unit(size_t bytes) {
    unsigned unit = 0;
    while (unit < 4 && bytes % ((size_t)2 << unit) == 0) unit++;
    return unit;
}

static bool has_units(size_t bytes) {
    return bytes != (size_t)1 << find_unit(bytes);
}

/* Sets the group, the elements of a vector, as many as give each access 8 bytes where elements are
 * short and 16 where they have one byte, and its depth. On an H200 at 2^27 uint16 take 133 us by 16
 * bytes a work-item and 136 us by 32, a copy 131 us; uint8 from offset 1 to 0 70.8 us by vectors of
 * 16 bytes and 72.9 us by vectors of 8, a copy 67.8 us; vectors of 16 bytes 1006 us by 16, 1046 us
 * by 32 and 1059 us by 64, a copy 1009 us; structures of 32 bytes 2023 us by groups of 128 and
 * 2077 us by groups of 256, a copy 2029 us. Driver 580.159.04, 2026-11-28. */
static void choose_vectors(const clprims_map *map, clp_knob *knobs) {
    const clp_device *device = &map->head.context->device;
    const size_t most = has_units(map->widest) ? 48 : 16; /* bytes of a work-item */
    const size_t bytes = map->least == 1 ? 16 : 8; /* of a vector, at most */
    size_t vec = 1, depth = 4;
    while (map->least < 4 && vec * map->least < bytes && vec * map->widest < 16) vec *= 2;
    while (depth > (vec > 1 ? 2 : 1) && depth * vec * map->widest > most) depth /= 2;
    knobs[CLP_MAP_GROUP].value = device->is_cpu ? 1 : has_units(map->widest) ? 128 : 256;
    knobs[CLP_MAP_VEC].value = vec;
    knobs[CLP_MAP_DEPTH].value = depth;
}

/* The bytes of a stage for a tile of such elements: one more chunk where an input begins within
 * one; 0: they have one unit, or chunks do not fill a tile. */
static size_t stage_for(const clprims_map *map, size_t bytes) {
    const bool fits = map->group > 1 && map->vec == 1 && map->tile * bytes % 16 == 0;
    return fits && has_units(bytes) ? map->tile * bytes + 16 : 0;
}

static clprims_status choose_shape(clprims_map *map, const char *tuning) {
    CLP_KNOBS(knobs, clp_map_knobs);
    choose_vectors(map, knobs);
    CLP_TRY(
        clp_knobs_set(map->head.context, "map", map->out_bytes[0], tuning, knobs, CLP_MAP_KNOBS));
    map->group = knobs[CLP_MAP_GROUP].value;
    map->depth = knobs[CLP_MAP_DEPTH].value;
    map->vec = knobs[CLP_MAP_VEC].value;
    /* Vectors of the input fill words. */
    if (map->vec == 2 && map->in_bytes % 2 > 0) map->vec = 4;
    map->tile = map->group == 1 ? SERIAL_TILE : map->group * map->depth * map->vec;
    return CLPRIMS_OK;
}

/* ---- The program ---- */

static const char *unit_text(size_t bytes) {
    static const char *const types[] = {"uchar", "ushort", "uint", "uint2", "uint4"};
    return types[find_unit(bytes)];
}

/* The type `name` and the types in which its vectors and its elements move. An output may be the
 * input, whose type differs: a compiler must not move the store in front of the load. */
static void add_type(clp_text *text, clprims_map *map, const char *name, clprims_map_output of,
                     size_t bytes) {
    const size_t stage = stage_for(map, bytes), stages = map->stage_bytes + stage;
    const bool fits = stage > 0 && stages <= map->head.context->device.local_bytes;
    const char *type = of.type == CLPRIMS_STRUCT ? of.type_name : clp_type_text(of.type);
    clp_text_add(text, "typedef %s %s __attribute__((may_alias));\n", type, name);
    clp_text_add(text, "typedef %s %s_piece;\ntypedef %s %s_unit;\n", unit_text(bytes * map->vec),
                 name, unit_text(bytes), name);
    clp_text_add(text, "enum { %s_stage = %d };\n", name, fits ? (int)map->stage_bytes : -1);
    if (fits) map->stage_bytes = stages;
    clp_text_add_type(text, name, type, bytes);
}

static void add_output(clp_text *text, clprims_map *map, const clprims_map_desc *desc, size_t k) {
    const clprims_map_output output = output_of(desc, k);
    char name[32];
    snprintf(name, sizeof name, "clp_out%zu", k);
    add_type(text, map, name, output, map->out_bytes[k]);
    clp_text_add(text, "static inline %s clp_value%zu(%sulong i", name, k,
                 map->in_bytes > 0 ? "clp_in x, " : "");
    snprintf(name, sizeof name, "output[%zu]", k);
    clp_text_add_function(text, &map->head.parameters, name, output.value, NULL);
}

static const clp_part parts[] = {&clp_parameters_cl, &clp_count_report_cl, &clp_count_cl,
                                 &clp_map_cl, NULL};

static clprims_status build(clprims_map *map, const clprims_map_desc *desc) {
    clp_text prelude = {0};
    cl_program program;
    clp_text_add_declarations(&prelude, map->head.context, &desc->custom, &map->head.parameters);
    clp_text_add(&prelude, "#define CLP_MAP_INPUTS %d\n", map->in_bytes > 0);
    clp_text_add(&prelude, "#define CLP_EXTRA 0\n#define CLP_COUNT_REPORT_BYTES %d\n",
                 REPORT_BYTES);
    clp_text_add(&prelude, "#define CLP_GROUP %zu\n#define CLP_MAP_TILE %zu\n", map->group,
                 map->tile);
    clp_text_add(&prelude, "#define CLP_VEC %zu\n#define CLP_DEPTH %zu\n", map->vec, map->depth);
    if (map->in_bytes > 0) add_type(&prelude, map, "clp_in", input_of(desc), map->in_bytes);
    for (size_t k = 0; k < map->outputs; k++) add_output(&prelude, map, desc, k);
    clp_text_add(&prelude, "#define CLP_MAP_STAGE_BYTES %zu\n", map->stage_bytes);
    clp_text_add_each(&prelude, "CLP_EACH_OUTPUT", map->outputs);
    CLP_TRY(clp_plan_build(&map->head, &prelude, parts, 0, &program));
    return clp_plan_kernel(&map->head, program, "clp_map", &map->kernel);
}

/* ---- Launches ---- */

/* One run's arguments. */
typedef struct map_run {
    clp_call call;
    clprims_map_buffers buffers;
    size_t n;
    clprims_map_arrays arrays; /* of a run on plain arrays */
} map_run;

static size_t groups_for(const clprims_map *map, size_t n) {
    const size_t whole = n / map->tile;
    if (map->group > 1) return whole + map->depth * map->vec; /* CLP_MAP_ENDS */
    return whole + (n % map->tile > 0 || whole == 0);
}

static clprims_status set_arguments(const clprims_map *map, const map_run *run) {
    const clprims_context *context = map->head.context;
    const clprims_buffer none = {NULL, 0};
    clp_arguments a = {.count = 0};
    clp_put_report(&a, &map->head, run->buffers.report);
    CLP_PUT(&a, run->n, run->buffers.n);
    if (map->in_bytes > 0) clp_put_array(&a, context, run->n > 0 ? run->buffers.in : none);
    for (size_t k = 0; k < map->outputs; k++) {
        clp_put_array(&a, context, run->n > 0 ? run->buffers.out[k] : none);
    }
    clp_put_parameters(&a, &map->head);
    return clp_arguments_set(&a, &map->head, map->kernel);
}

static clprims_status submit(clp_plan *head, clp_call *call) {
    const clprims_map *map = (const clprims_map *)head;
    const map_run *run = (const map_run *)call;
    const clp_step step = {map->kernel, groups_for(map, run->n), map->group};
    CLP_TRY(set_arguments(map, run));
    return clp_plan_enqueue_steps(head, call, &step, 1);
}

/* ---- The plan ---- */

static clprims_status fill(clp_plan *head, const void *description) {
    clprims_map *map = (clprims_map *)head;
    const clprims_map_desc *desc = description;
    const map_run none = {.n = 0};
    CLP_TRY(take_desc(map, desc));
    CLP_TRY(choose_shape(map, desc->tuning));
    CLP_TRY(build(map, desc));
    CLP_TRY(set_arguments(map, &none));
    return clp_plan_warm_up(head, &(clp_step){map->kernel, 1, map->group}, 1);
}

CLP_PLAN_CHECK_N(map, map_run, max_n)

enum { IN, OUT, N = OUT + CLPRIMS_MAP_OUTPUTS, REPORT, ARRAYS };

static size_t list_arrays(const clp_plan *head, clp_call *call, clp_run_array *rows) {
    static const char *const names[] = {"out[0]", "out[1]", "out[2]", "out[3]"};
    const clprims_map *map = (const clprims_map *)head;
    map_run *run = (map_run *)call;
    rows[IN] = clp_read_row("in", &run->buffers.in, run->arrays.in, run->n, map->in_bytes);
    rows[IN].lacks = map->in_bytes > 0 ? NULL : "has no input array";
    for (size_t k = 0; k < CLPRIMS_MAP_OUTPUTS; k++) {
        clp_run_array *out = &rows[OUT + k];
        *out = clp_written_row(names[k], &run->buffers.out[k], run->arrays.out[k], run->n,
                               map->out_bytes[k]);
        out->lacks = k < map->outputs ? NULL : "has no output of this number";
        out->place = IN + 1;
    }
    rows[N] = clp_count_row("n", &run->buffers.n);
    rows[REPORT] = clp_report_row(&run->buffers.report, sizeof(clprims_map_report));
    return ARRAYS;
}

CLP_PLAN_FINISH(map)

static const clp_plan_kind kind = {CLP_PLAN_KIND_REPORTING(map),
                                   CLP_PLAN_HOOKS(fill, map_check_sizes, list_arrays, submit),
                                   .finish = map_finish};

/* ---- The interface ---- */

CLP_PLAN_CREATE(map, kind)

CLP_PLAN_SET_PARAMETER(map)
CLP_PLAN_ENQUEUE(map, kind, map_run)

static clprims_status describe(const clprims_map *map, const char *who, size_t n,
                               clprims_map_info *info) {
    info->group = map->group;
    info->groups = groups_for(map, n);
    info->tile = map->tile;
    info->variant = map->group == 1 ? "serial" : "vectors";
    return clp_check_n(who, n, map->max_n);
}

CLP_PLAN_DESCRIBE(map, describe)

clprims_status clprims_map_check(const clprims_map_report *report) {
    CLP_TRY(clp_begin("map_check", "report", report));
    return clp_check_count_report("map", report->fault, report->count);
}

CLP_PLAN_RUN(map, kind, map_run)
