/* SPDX-License-Identifier: MIT */
/*
 * SELECT product, COUNT(*), SUM(price), MAX(price) GROUP BY product, of a CSV text: a selection
 * reads the lines, a sort puts rows of one product side by side, a segmented reduction combines
 * these. The plans take plain arrays.
 */
#include "call.h"

#include <clprims/clprims.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 200000, PRODUCTS = 5000 };
typedef struct row { /* of one line, then of all lines of a product */
    cl_uint product, count;
    cl_float sum, most;
} row;
static row rows[ROWS], groups[ROWS], expected[PRODUCTS];
static char text[ROWS * 12 + 16] = "product,price\n";
static const char declarations[] =
    "typedef struct row { uint product, count; float sum, most; } row;\n"
    "row parse(global const char *at) {\n" /* "1203,17.25" and the end of the line */
    "    uint product = 0, cents = 0;\n"
    "    for (; *at != ','; at++) product = 10 * product + *at - '0';\n"
    "    for (at++; *at != '\\n'; at++) cents = *at == '.' ? cents : 10 * cents + *at - '0';\n"
    "    return (row){product, 1, cents / 100.0f, cents / 100.0f};\n"
    "}\n";

static size_t on_device(clprims_context *context, size_t bytes) {
    clprims_custom type = {.declarations = declarations, .type_name = "row", .type_bytes = 16};
    clprims_select *parse;
    clprims_sort *sort;
    clprims_segmented *combine;
    clprims_buffer csv; /* the text, of which `result` reads more than the character x */
    size_t n = 0, made = 0;

    /* The first line names the columns, so each end of a line but the last has a row behind it. */
    clprims_select_desc ends = {.by = CLPRIMS_SELECT_PREDICATE, .arrays = 1, .max_n = bytes};
    ends.predicate = "x == '\\n'", ends.type[0] = CLPRIMS_I8;
    ends.result = "parse(csv + i + 1)", ends.result_type = CLPRIMS_STRUCT, ends.custom = type;
    ends.parameters = "global const char *csv";
    const clprims_select_arrays lines = {.in = {text}, .out = {rows}, .count = &n};
    call(clprims_select_create(&parse, context, &ends));
    call(clprims_buffer_create(&csv, context, bytes, text));
    call(clprims_select_set_parameter(parse, 0, sizeof csv.mem, &csv.mem));
    call(clprims_select_run(parse, &lines, bytes - 1));

    clprims_sort_desc order = {.type = CLPRIMS_U32, .elements = CLPRIMS_STRUCT, .max_n = n};
    order.key = "x.product", order.custom = type;
    call(clprims_sort_create(&sort, context, &order));
    call(clprims_sort_run(sort, &(clprims_sort_arrays){.keys_in = rows, .keys_out = rows}, n));

    clprims_segmented_desc sums = {.by = CLPRIMS_SEGMENTS_KEYS, .op = CLPRIMS_CUSTOM, .max_n = n};
    sums.type = sums.heads_type = CLPRIMS_STRUCT, sums.custom = type;
    sums.equal = "a.product == b.product"; /* the rows are their own keys */
    sums.custom.op = "(row){a.product, a.count + b.count, a.sum + b.sum, max(a.most, b.most)}";
    const clprims_segmented_arrays all = {.in = rows, .heads = rows, .out = groups, .count = &made};
    call(clprims_segmented_create(&combine, context, &sums));
    call(clprims_segmented_run(combine, &all, n));

    clprims_buffer_release(&csv);
    return made;
}

int main(void) {
    clprims_context *context;
    size_t bytes = strlen(text);
    for (cl_uint i = 0; i < ROWS; i++) {
        const cl_uint product = i * 2654435761u % PRODUCTS, cents = i * 2246822519u % 400 * 25;
        row *const e = &expected[product];
        *e = (row){product, e->count + 1, e->sum + (float)cents / 100, e->most};
        if (e->most < (float)cents / 100) e->most = (float)cents / 100;
        bytes += (size_t)sprintf(text + bytes, "%u,%u.%02u\n", product, cents / 100, cents % 100);
    }
    call(clprims_context_create(&context, NULL));
    const size_t made = on_device(context, bytes);
    clprims_context_destroy(context);
    const int differs = memcmp(groups, expected, sizeof expected) != 0;
    printf("%zu groups of %d rows, %s plain C\n", made, ROWS, differs ? "unlike" : "as by");
    return differs;
}
