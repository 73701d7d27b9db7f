/* SPDX-License-Identifier: MIT */
/*
 * Top-k of each segment. The first launch finds the results of all segments but the long ones,
 * which it cuts into pieces. The second launch finds the first k elements of each piece, and the
 * third one finds the results of each long segment among its pieces' elements. One piece's elements
 * stand in order behind those of the piece before, so that of equal keys the one with the lower
 * index still comes first.
 *
 * One array is a row, or its pieces are, which need no list: then the first launch is left out.
 *
 * Below, a row is what one launch finds k elements of. Here a work-item takes a row, and keeps its
 * first k elements in a heap, whose root is the last one of them; topk_teams.cl has teams of
 * work-items.
 */

#define CLP_PIECES 0 /* the word of `found` that counts them */
#define CLP_MOST_PIECES 1024 /* of a segment */

/* What the rows of a launch are. */
#define CLP_OF_SEGMENTS 0
#define CLP_OF_PIECES 1
#define CLP_OF_LONG 2

/* What a launch has. In the list of pieces x is the number of the segment; y is the number of the
 * piece in the segment, and below it the number of the segment's pieces. */
typedef struct clp_rows {
    clp_offsets offsets;
    ulong n, segments;
    const global CLP_K *keys; /* of the elements; of long segments, those of their pieces */
    const global clp_topk_element *elements;
    global clp_topk_element *values;
    global CLP_INDEX *indices;
    global uint *counts; /* or NULL */
    global uint *found;
    global ulong2 *pieces;
    global CLP_K *piece_keys; /* k of each piece, and their indices in the segment */
    global CLP_COUNT *piece_indices;
    ulong k;
    ulong piece; /* a segment of more than two times that number of elements is long */
    ulong room; /* of the list: offsets that do not ascend may have more pieces */
    uint what;
} clp_rows;

#define CLP_ROWS_PARAMETERS                                                                        \
    const global CLP_OFFSET *offsets, ulong offsets_first, CLP_SIZE_PARAMETERS,                    \
        const global CLP_K *keys, ulong keys_first, const global clp_topk_element *elements,       \
        ulong elements_first, global clp_topk_element *values, ulong values_first,                 \
        global CLP_INDEX *indices, ulong indices_first, global uint *counts, ulong counts_first,   \
        global uint *found, global ulong2 *pieces, global CLP_K *piece_keys,                       \
        global CLP_COUNT *piece_indices, ulong k, ulong piece, ulong room, uint what

#if CLP_TEAMS
#define CLP_OF_ROWS local /* registers are few there */
#else
#define CLP_OF_ROWS
#endif

/* Declares n, segments, and what a launch has, for a clp_rows. A macro because it takes the
 * kernel's parameters. */
#define CLP_TAKE_ROWS                                                                              \
    CLP_SIZES                                                                                      \
    const clp_rows taken = {CLP_OFFSETS,                                                           \
                            n,                                                                     \
                            segments,                                                              \
                            what == CLP_OF_LONG ? piece_keys : keys + keys_first,                  \
                            elements + elements_first,                                             \
                            values + values_first,                                                 \
                            indices + indices_first,                                               \
                            counts != 0 ? counts + counts_first : counts,                          \
                            found,                                                                 \
                            pieces,                                                                \
                            piece_keys,                                                            \
                            piece_indices,                                                         \
                            k,                                                                     \
                            piece,                                                                 \
                            room,                                                                  \
                            what};

/* How many pieces a segment of that length has. */
CLP_INLINE uint clp_rows_pieces(const CLP_OF_ROWS clp_rows *rows, ulong length) {
    return length == 0 ? 0 : (uint)min((length - 1) / rows->piece + 1, (ulong)CLP_MOST_PIECES);
}

CLP_INLINE ulong clp_rows_count(const CLP_OF_ROWS clp_rows *rows) {
    if (rows->what == CLP_OF_SEGMENTS) return max(rows->segments, 1ul);
    if (CLP_ONE_ROW) return clp_rows_pieces(rows, rows->n);
    if (rows->found[CLP_FAULT] != 0) return 0; /* lists may have had no room */
    return rows->found[CLP_PIECES];
}

typedef struct clp_row {
    ulong begin; /* of the segment, in the elements */
    ulong first, length; /* of the keys */
    ulong to; /* the place of the first result */
} clp_row;

static __attribute__((noinline)) void clp_rows_list(const CLP_OF_ROWS clp_rows *rows, ulong segment,
                                                    ulong length) {
    const uint count = clp_rows_pieces(rows, length);
    const uint first = atomic_add(&rows->found[CLP_PIECES], count); /* with the other rows' */
    ulong2 listed;
    listed.x = segment;
    CLP_NO_UNROLL
    for (uint i = 0; i < count && (ulong)first + i < rows->room; i++) {
        listed.y = (ulong)i << 32 | count;
        rows->pieces[first + i] = listed;
    }
}

/* Piece r, or the long segment whose first piece it is. */
static __attribute__((noinline)) clp_row clp_row_listed(const CLP_OF_ROWS clp_rows *rows, ulong r) {
    ulong2 listed;
    if (CLP_ONE_ROW) {
        listed.x = 0;
        listed.y = r << 32 | clp_rows_pieces(rows, rows->n);
    } else {
        listed = rows->pieces[r];
    }
    const clp_segment segment = clp_segments_take(rows->offsets, rows->n, listed.x);
    const ulong number = listed.y >> 32, count = (uint)listed.y;
    const ulong before = segment.length * number / count;
    clp_row row = {segment.begin, r * rows->k,
                   number > 0  ? 0
                   : count > 1 ? count * rows->k
                               : min(segment.length, rows->k),
                   listed.x * rows->k};
    if (rows->what == CLP_OF_PIECES) {
        row.first = segment.begin + before;
        row.length = segment.length * (number + 1) / count - before;
        row.to = r * rows->k;
    }
    return row;
}

/* Row r; without elements where it is a long segment, which one work-item lists. leads: whether
 * this work-item is that one. */
CLP_INLINE clp_row clp_row_take(const CLP_OF_ROWS clp_rows *rows, ulong r, bool leads) {
    if (rows->what != CLP_OF_SEGMENTS) return clp_row_listed(rows, r);
    clp_row row = {0, 0, 0, r * rows->k};
    if (!CLP_BY_LENGTH && leads &&
        ((r == 0 && clp_segments_is_fault(rows->offsets, rows->n, 0)) ||
         (r < rows->segments && clp_segments_is_fault(rows->offsets, rows->n, r + 1)))) {
        atomic_max(&rows->found[CLP_FAULT], ~(uint)(r / CLP_BLOCK)); /* with the other rows' */
    }
    if (r == rows->segments) return row;
    const clp_segment segment = clp_segments_take(rows->offsets, rows->n, r);
    const bool is_long = segment.length > 2 * rows->piece;
    row.begin = row.first = segment.begin;
    row.length = is_long ? 0 : segment.length;
    if (leads && rows->counts != 0) rows->counts[r] = (uint)min(segment.length, rows->k);
    if (leads && is_long) clp_rows_list(rows, r, segment.length);
    return row;
}

/* Writes result `to`: element `index` of the segment that begins at `begin`. */
#define CLP_ROW_WRITE(rows, to, begin, index)                                                      \
    do {                                                                                           \
        if (!CLP_NO_VALUES) (rows)->values[to] = (rows)->elements[(begin) + (index)];              \
        if (CLP_HAS_INDICES)                                                                       \
            (rows)->indices[to] = (CLP_INDEX)(CLP_LOCAL_INDICES ? (index) : (begin) + (index));    \
    } while (0)

/* Writes a result: the j-th one is the row's element with the given number. */
CLP_INLINE void clp_row_put(const CLP_OF_ROWS clp_rows *rows, const clp_row *row, ulong j,
                            ulong number) {
    const ulong to = row->to + j;
    const ulong index = rows->what == CLP_OF_LONG ? rows->piece_indices[row->first + number]
                                                  : row->first - row->begin + number;
    if (rows->what == CLP_OF_PIECES) {
        rows->piece_keys[to] = rows->keys[row->begin + index];
        rows->piece_indices[to] = (CLP_COUNT)index;
        return;
    }
    CLP_ROW_WRITE(rows, to, row->begin, index);
}

#if !CLP_TEAMS
/* ---- A heap for each work-item ---- */

#define CLP_LOOKED_AT 16 /* elements that are compared with the heap's root together */

typedef struct clp_heap {
    global CLP_K *keys; /* ordered */
    global CLP_COUNT *numbers;
} clp_heap;

/* Puts an element into the heap of `count` elements in place of element `at`. */
CLP_INLINE void clp_heap_put(const clp_heap *heap, ulong at, ulong count, CLP_K key,
                             CLP_COUNT number) {
    for (ulong child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && clp_precedes(heap->keys[child], heap->numbers[child],
                                              heap->keys[child + 1], heap->numbers[child + 1])) {
            child++;
        }
        if (!clp_precedes(key, number, heap->keys[child], heap->numbers[child])) break;
        heap->keys[at] = heap->keys[child];
        heap->numbers[at] = heap->numbers[child];
        at = child;
    }
    heap->keys[at] = key;
    heap->numbers[at] = number;
}

/* Whether some of the elements that are compared together come before that key or have it. */
CLP_INLINE bool clp_heap_any(const global CLP_K *from, CLP_K last) {
    bool any = false;
    for (uint j = 0; j < CLP_LOOKED_AT; j++) any |= clp_ordered(from[j]) <= last;
    return any;
}

/* The heap of the row's first `count` elements takes the others, every 64th block of them first:
 * of elements in order each one would else be put into the heap. */
CLP_INLINE void clp_heap_take(const clp_heap *heap, const global CLP_K *from, ulong length,
                              ulong count) {
    const ulong apart = 64 * CLP_LOOKED_AT;
    CLP_K last = heap->keys[0];
    CLP_COUNT last_number = heap->numbers[0];
    for (uint turn = 0; turn < 2; turn++) {
        for (ulong begin = count; begin < length; begin += turn == 0 ? apart : CLP_LOOKED_AT) {
            const ulong end = min(begin + CLP_LOOKED_AT, length);
            if (turn == 1 && (begin - count) % apart == 0) continue;
            if (end - begin == CLP_LOOKED_AT && !clp_heap_any(from + begin, last)) continue;
            for (ulong i = begin; i < end; i++) {
                const CLP_K key = clp_ordered(from[i]);
                if (!clp_precedes(key, i, last, last_number)) continue;
                clp_heap_put(heap, 0, count, key, (CLP_COUNT)i);
                last = heap->keys[0];
                last_number = heap->numbers[0];
            }
        }
    }
}

CLP_KERNEL(CLP_GROUP)
void clp_topk_rows(CLP_ROWS_PARAMETERS, global CLP_K *heap_keys, global CLP_COUNT *heap_numbers) {
    CLP_TAKE_ROWS
    const ulong count = clp_rows_count(&taken);
    const clp_heap heap = {heap_keys + get_global_id(0) * k, heap_numbers + get_global_id(0) * k};
    for (ulong r = get_global_id(0); r < count; r += get_global_size(0)) {
        const clp_row row = clp_row_take(&taken, r, true);
        const ulong wanted = min(k, row.length);
        const global CLP_K *from = taken.keys + row.first;
        for (ulong i = 0; i < wanted; i++) {
            heap.keys[i] = clp_ordered(from[i]);
            heap.numbers[i] = (CLP_COUNT)i;
        }
        for (ulong i = wanted / 2; i-- > 0;) {
            clp_heap_put(&heap, i, wanted, heap.keys[i], heap.numbers[i]);
        }
        if (wanted > 0) clp_heap_take(&heap, from, row.length, wanted);
        for (ulong end = wanted; end-- > 1;) {
            const CLP_K key = heap.keys[end];
            const CLP_COUNT number = heap.numbers[end];
            heap.keys[end] = heap.keys[0];
            heap.numbers[end] = heap.numbers[0];
            clp_heap_put(&heap, 0, end, key, number);
        }
        for (ulong j = 0; j < wanted; j++) clp_row_put(&taken, &row, j, heap.numbers[j]);
    }
}
#endif
