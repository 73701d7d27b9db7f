/* SPDX-License-Identifier: MIT */
/*
 * The suffix array of a text by prefix doubling: suffixes sorted by h letters are sorted by 2h when
 * the rank of the suffix h letters later decides, too (Manber and Myers 1993). All rounds are
 * submitted at once; when all ranks differ, the number of rows to sort, in device memory, becomes
 * 0. List ranking finds the same array from the Burrows-Wheeler transform alone.
 *
 *   suffix_array [FILE]     reads 4 MiB at most; without one, its own source
 */
#include "call.h"

#include <clprims/clprims.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef CLPRIMS_DIVSUFSORT
#include <divsufsort.h>
#endif

enum { MOST = 1 << 22 };
static unsigned char text[MOST];
static cl_int found[MOST + 1], ranked[MOST + 1];

/* On the device. By place in the text: the letter in front, the rank of the suffix. By row: the
 * suffix, its new rank. LEFT is n or 0. NEXT: the row of the suffix one letter shorter. */
enum { FRONT, RANK, ORDER, NEW_RANK, LEFT, NEXT, PLACE, BUFFERS };

typedef struct plans {
    clprims_sort *by_two_ranks, *by_front;
    clprims_scatter *to_places;
    clprims_scan *number;
    clprims_map *left;
    clprims_list *rank;
} plans;

static plans create(clprims_context *context, cl_uint n, const clprims_buffer *at) {
    plans p;
    clprims_sort_desc two = {.type = CLPRIMS_U64, .elements = CLPRIMS_U32, .max_n = n};
    clprims_sort_desc front = {.type = CLPRIMS_U32, .indices = CLPRIMS_I32, .max_n = n};
    clprims_scan_desc number = {.type = CLPRIMS_U32, .inclusive = 1, .max_n = n};
    clprims_scatter_desc places = {.type = CLPRIMS_U32, .index_type = CLPRIMS_U32, .max_n = n};
    clprims_map_desc left = {.type = CLPRIMS_U32, .parameters = "uint n", .max_n = 1};
    const clprims_list_desc list = {.max_n = n};
    two.key = "(ulong)rank[x] << 32 | rank[x + h]";
    two.parameters = "global const uint *rank, uint h";
    /* A new rank begins where one of the two differs from the row before. */
    number.input = "i && (rank[x] != rank[row[i - 1]] || rank[x + h] != rank[row[i - 1] + h])";
    number.parameters = "global const uint *rank, uint h, global const uint *row";
    places.repeats = CLPRIMS_SCATTER_DISTINCT;
    left.output[0].type = CLPRIMS_U64;
    left.output[0].value = "x + 1 < n ? n : 0"; /* of the last new rank, n - 1 if all differ */
    front.no_keys = 1;
    front.key = "front[x]", front.parameters = "global const uint *front";
    call(clprims_sort_create(&p.by_two_ranks, context, &two));
    call(clprims_sort_set_parameter(p.by_two_ranks, 0, sizeof(cl_mem), &at[RANK].mem));
    call(clprims_scan_create(&p.number, context, &number));
    call(clprims_scan_set_parameter(p.number, 0, sizeof(cl_mem), &at[RANK].mem));
    call(clprims_scan_set_parameter(p.number, 2, sizeof(cl_mem), &at[ORDER].mem));
    call(clprims_scatter_create(&p.to_places, context, &places));
    call(clprims_map_create(&p.left, context, &left));
    call(clprims_map_set_parameter(p.left, 0, sizeof n, &n));
    call(clprims_sort_create(&p.by_front, context, &front));
    call(clprims_sort_set_parameter(p.by_front, 0, sizeof(cl_mem), &at[FRONT].mem));
    call(clprims_list_create(&p.rank, context, &list));
    return p;
}

static void submit(const plans *p, clprims_context *context, const clprims_buffer *at, cl_uint n) {
    const clprims_buffer rows = at[ORDER], ranks = at[NEW_RANK], count = at[LEFT];
    const clprims_buffer last = {ranks.mem, n - 1}, next = at[NEXT];
    const clprims_sort_buffers two = {.keys_in = rows, .keys_out = rows, .n = count};
    const clprims_scan_buffers number = {.in = rows, .out = ranks, .n = count};
    const clprims_scatter_buffers places = {
        .index = rows, .in = ranks, .out = at[RANK], .n = count, .sizes.length = n};
    const clprims_sort_buffers front = {.keys_in = rows, .indices = next};
    const clprims_map_buffers left = {.in = last, .out = {count}};
    for (cl_uint h = 1; h < n; h *= 2) {
        call(clprims_sort_set_parameter(p->by_two_ranks, 1, sizeof h, &h));
        call(clprims_scan_set_parameter(p->number, 1, sizeof h, &h));
        call(clprims_sort_enqueue(p->by_two_ranks, NULL, &two, n, 0, NULL, NULL));
        call(clprims_scan_enqueue(p->number, NULL, &number, n, 0, NULL, NULL));
        call(clprims_scatter_enqueue(p->to_places, NULL, &places, n, 0, NULL, NULL));
        call(clprims_map_enqueue(p->left, NULL, &left, 1, 0, NULL, NULL));
    }
    /* The k-th row with a letter in front leads to the k-th that begins with this letter. */
    call(clprims_sort_enqueue(p->by_front, NULL, &front, n, 0, NULL, NULL));
    call(clprims_buffer_fill(context, next, sizeof(cl_int), 1, &(cl_int){-1}));
    call(clprims_list_enqueue(p->rank, NULL,
                              &(clprims_list_buffers){.next = next, .out = at[PLACE]}, n, 0, 0, 0));
}

/* Each suffix must come before the next, and libdivsufsort must find the same array. */
static int check(cl_int n) {
    int right = memcmp(found, ranked, (size_t)n * sizeof found[0]) == 0;
    for (cl_int k = 1; right && k < n; k++) {
        const cl_int a = found[k - 1], b = found[k];
        const int order = memcmp(text + a, text + b, (size_t)(n - 1 - (a > b ? a : b)));
        right = order < 0 || (order == 0 && a > b);
    }
#ifdef CLPRIMS_DIVSUFSORT
    right = right && divsufsort(text, ranked, n - 1) == 0 && /* without the end of the text */
            memcmp(found + 1, ranked, ((size_t)n - 1) * sizeof found[0]) == 0;
#endif
    printf("%d suffixes, sorted and ranked: %s\n", (int)n, right ? "right" : "wrong");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

static void on_device(clprims_context *context, cl_uint n) {
    static cl_uint letters[2 * MOST + 3]; /* zeros around letter + 1 */
    const size_t wide = n * sizeof(cl_uint);
    const size_t bytes[BUFFERS] = {wide, 2 * wide, wide, wide, sizeof(cl_ulong), wide, wide};
    cl_ulong left = n;
    void *const host[BUFFERS] = {letters, letters + 1, found, found, &left, found, found};
    clprims_buffer at[BUFFERS];
    for (cl_uint i = 0; i < n; i++) found[i] = (cl_int)i;
    for (cl_uint i = 1; i < n; i++) letters[i] = text[i - 1] + 1u;
    for (int k = 0; k < BUFFERS; k++)
        call(clprims_buffer_create(&at[k], context, bytes[k], host[k]));
    const plans p = create(context, n, at);
    submit(&p, context, at, n);
    call(clprims_buffer_read(context, at[ORDER], wide, 1, found));
    call(clprims_buffer_read(context, at[PLACE], wide, 1, ranked));
    for (int k = 0; k < BUFFERS; k++) clprims_buffer_release(&at[k]);
}

int main(int argc, char **argv) {
    clprims_context *context = NULL;
    FILE *const file = fopen(argc > 1 ? argv[1] : __FILE__, "rb");
    if (file == NULL) return perror("suffix_array"), EXIT_FAILURE;
    const cl_uint n = 1 + (cl_uint)fread(text, 1, MOST, file); /* the end is a suffix, too */
    fclose(file);
    call(clprims_context_create(&context, NULL));
    on_device(context, n);
    clprims_context_destroy(context);
    return check((cl_int)n);
}
