/* SPDX-License-Identifier: MIT */
/*
 * Prints the lines of a text in the order of `LC_ALL=C sort -s`: by their bytes, a line that begins
 * another one before it. Stable sorts of line numbers, first by length, then by 8 bytes of each
 * line, from the last ones to the first. The number of lines stays on the device.
 *
 *   sort_lines [FILE]       without one, those of its own source
 */
#include "call.h"

#include <clprims/clprims.h>
#include <stdio.h>
#include <stdlib.h>

/* On the device: the text, where lines end, their numbers in order, how many, the longest one. */
enum { TEXT, STOPS, ORDER, COUNT, LONGEST, BUFFERS };

typedef struct plans {
    clprims_select *ends;
    clprims_sort *by_length, *by_bytes;
    clprims_reduce *longest;
} plans;

static const char length_of_line[] = "x - (i == 0 ? 0 : stops[i - 1] + 1)";
static const char bytes_of_line[] =
    "ulong bytes_of(global const uchar *text, long begin, long end, uint round) {\n"
    "    ulong key = 0;\n"
    "    for (long at = begin + 8 * round; at < begin + 8 * round + 8; at++)\n"
    "        key = key << 8 | (at < end ? text[at] : 0);\n"
    "    return key;\n"
    "}\n";

static unsigned char *read_text(const char *path, size_t *n) {
    FILE *const file = fopen(path, "rb");
    unsigned char *text = NULL;
    long size = -1;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) size = ftell(file);
    if (size >= 0) text = malloc((size_t)size + 1);
    if (text == NULL) {
        fprintf(stderr, "sort_lines: %s can't be read\n", path);
        exit(EXIT_FAILURE);
    }
    rewind(file);
    *n = fread(text, 1, (size_t)size, file);
    fclose(file);
    if (*n == 0 || text[*n - 1] != '\n') text[(*n)++] = '\n';
    return text;
}

static plans create(clprims_context *context, size_t n, const clprims_buffer *at) {
    clprims_sort_desc sort = {0};
    clprims_reduce_desc reduce = {0};
    plans p;
    clprims_select_desc select = {.by = CLPRIMS_SELECT_PREDICATE,
                                  .predicate = "x == '\\n'",
                                  .arrays = 1,
                                  .type[0] = CLPRIMS_U8,
                                  .no_values = 1,
                                  .indices = CLPRIMS_I64};
    reduce.type = sort.elements = CLPRIMS_I64;
    reduce.op = CLPRIMS_MAX;
    reduce.input = sort.key = length_of_line;
    reduce.parameters = sort.parameters = "global const long *stops";
    sort.type = CLPRIMS_U64;
    sort.no_keys = 1;
    sort.indices = CLPRIMS_U32;
    select.max_n = reduce.max_n = sort.max_n = n;
    call(clprims_select_create(&p.ends, context, &select));
    call(clprims_reduce_create(&p.longest, context, &reduce));
    call(clprims_reduce_set_parameter(p.longest, 0, sizeof(cl_mem), &at[STOPS].mem));
    call(clprims_sort_create(&p.by_length, context, &sort));
    call(clprims_sort_set_parameter(p.by_length, 0, sizeof(cl_mem), &at[STOPS].mem));
    sort.no_keys = 0;
    sort.indices = CLPRIMS_TYPE_DEFAULT;
    sort.elements = CLPRIMS_U32;
    sort.key = "bytes_of(text, x == 0 ? 0 : stops[x - 1] + 1, stops[x], round)";
    sort.custom.declarations = bytes_of_line;
    sort.parameters = "global const uchar *text, global const long *stops, uint round";
    call(clprims_sort_create(&p.by_bytes, context, &sort));
    call(clprims_sort_set_parameter(p.by_bytes, 0, sizeof(cl_mem), &at[TEXT].mem));
    call(clprims_sort_set_parameter(p.by_bytes, 1, sizeof(cl_mem), &at[STOPS].mem));
    return p;
}

static void submit(const plans *p, clprims_context *context, const clprims_buffer *at, size_t n) {
    clprims_sort_buffers lengths = {0}, bytes = {0};
    const clprims_reduce_buffers longest = {.in = at[STOPS], .out = at[LONGEST], .n = at[COUNT]};
    int64_t most;
    clprims_select_buffers lines = {.in[0] = at[TEXT]};
    lines.indices = lengths.keys_in = at[STOPS];
    lines.count = lengths.n = bytes.n = at[COUNT];
    lengths.indices = bytes.keys_in = bytes.keys_out = at[ORDER];
    call(clprims_select_enqueue(p->ends, NULL, &lines, n, 0, NULL, NULL));
    call(clprims_reduce_enqueue(p->longest, NULL, &longest, n, 0, NULL, NULL));
    call(clprims_sort_enqueue(p->by_length, NULL, &lengths, n, 0, NULL, NULL));
    call(clprims_buffer_read(context, at[LONGEST], sizeof most, 1, &most));
    for (cl_uint round = (cl_uint)((most + 7) / 8); round-- > 0;) {
        call(clprims_sort_set_parameter(p->by_bytes, 2, sizeof round, &round));
        call(clprims_sort_enqueue(p->by_bytes, NULL, &bytes, n, 0, NULL, NULL));
    }
}

static void print(clprims_context *context, const clprims_buffer *at, const unsigned char *text) {
    uint64_t count = 0;
    call(clprims_buffer_read(context, at[COUNT], sizeof count, 1, &count));
    int64_t *const stops = malloc(count * sizeof *stops);
    uint32_t *const order = malloc(count * sizeof *order);
    if (stops == NULL || order == NULL) exit(EXIT_FAILURE);
    call(clprims_buffer_read(context, at[STOPS], sizeof *stops, count, stops));
    call(clprims_buffer_read(context, at[ORDER], sizeof *order, count, order));
    for (uint64_t k = 0; k < count; k++) {
        const int64_t begin = order[k] == 0 ? 0 : stops[order[k] - 1] + 1;
        fwrite(text + begin, 1, (size_t)(stops[order[k]] + 1 - begin), stdout);
    }
    free(stops);
    free(order);
}

int main(int argc, char **argv) {
    size_t n = 0;
    unsigned char *const text = read_text(argc > 1 ? argv[1] : __FILE__, &n);
    const size_t bytes[BUFFERS] = {n, n * sizeof(int64_t), n * sizeof(uint32_t), 8, 8};
    clprims_context *context;
    clprims_buffer at[BUFFERS];
    call(clprims_context_create(&context, NULL));
    for (int k = 0; k < BUFFERS; k++)
        call(clprims_buffer_create(&at[k], context, bytes[k], k == TEXT ? text : NULL));
    const plans p = create(context, n, at);
    submit(&p, context, at, n);
    print(context, at, text);
    for (int k = 0; k < BUFFERS; k++) clprims_buffer_release(&at[k]);
    clprims_context_destroy(context);
    free(text);
    return 0;
}
