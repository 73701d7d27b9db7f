/* SPDX-License-Identifier: MIT */
/*
 * Segmented sort of few elements: one launch for all segments that are sorted by digits, however
 * long, because a launch costs more than what it finds to do. Work-groups take tasks in order, from
 * a counter: first a chunk of a long segment each, which is sorted like a segment; then the other
 * segments, by teams; then rounds of merges, in which a task writes a chunk of two merged runs
 * (Green, McColl, Bader 2012). A task of a round waits until the round before is done, that is for
 * tasks which work-groups have taken before it. The last round of a segment writes to the output.
 * Where all segments are short, each is sorted by a work-group by the network of sort_network.cl.
 * Of many elements the long segments are left to other kernels.
 */
#define CLP_LONG_MOST 1024 /* long segments, of which each work-item looks at one */
typedef char clp_a_work_item_a_segment[CLP_LONG_MOST == CLP_RADIX_GROUP ? 1 : -1];

/* Where keys and, if values move, their numbers in the segment are between the rounds: at their
 * places in the arrays, in two copies in turn. */
typedef struct clp_between {
    global CLP_K *keys_a, *keys_b;
    global uint *numbers_a, *numbers_b;
} clp_between;

/* What round `round` writes. */
CLP_INLINE global CLP_K *clp_keys_of_round(const clp_between *between, uint round) {
    return round % 2 == 0 ? between->keys_a : between->keys_b;
}

CLP_INLINE global uint *clp_numbers_of_round(const clp_between *between, uint round) {
    return round % 2 == 0 ? between->numbers_a : between->numbers_b;
}

/* ---- Tasks ---- */

/* What all groups know alike of the long segments. */
typedef struct clp_longs {
    const local ushort *ends; /* chunks of all segments up to this one */
    const global ulong *list; /* 0: all segments are looked at, which need not be long */
    uint count, chunks, rounds;
    uint chunk; /* elements of one */
    uint most; /* of a segment that is not long, where all are looked at */
    bool is_fault;
} clp_longs;

CLP_INLINE uint clp_rounds_of(uint chunks) {
    return chunks > 1 ? 32 - clz(chunks - 1) : 0;
}

#define CLP_WORD_ROUNDS (CLP_RADIX_GROUP / 32)
#define CLP_WORD_MOST (CLP_WORD_ROUNDS + 1)
#define CLP_WORD_FAULT (CLP_WORD_ROUNDS + 2)
#define CLP_TASK_WORDS (CLP_WORD_ROUNDS + 3)

CLP_INLINE ulong clp_longs_segment(const clp_longs *longs, uint at) {
    return longs->list != 0 ? longs->list[at] : at;
}

/* By all work-items, behind a barrier: of what each one looks at. words: of local memory, one for
 * each sub-group, then the highest bit of rounds, the most elements that are not long, and the
 * complement of the block with the first fault. */
CLP_INLINE void clp_longs_sum(clp_longs *longs, uint own, uint length, bool is_fault,
                              local ushort *ends, local uint *words) {
    const uint lane = (uint)get_local_id(0), subgroup = lane / 32;
    uint end = clp_sum_to_lane(own);
    const uint rounds = clp_or_lanes(own > 1 ? 1u << clp_rounds_of(own) : 0);
    if (lane < CLP_TASK_WORDS - CLP_WORD_ROUNDS) words[CLP_WORD_ROUNDS + lane] = 0;
    if (clp_lane() == 31) words[subgroup] = end;
    CLP_GROUP_BARRIER; /* words, written above, read and added to below */
    for (uint w = 0; w < subgroup; w++) end += words[w];
    ends[lane] = (ushort)end;
    if (clp_lane() == 0) atomic_or(&words[CLP_WORD_ROUNDS], rounds); /* with the others */
    if (own == 0 && length > 0) atomic_max(&words[CLP_WORD_MOST], length); /* with the others */
    if (is_fault) atomic_max(&words[CLP_WORD_FAULT], ~(lane / CLP_BLOCK)); /* with the others */
    CLP_GROUP_BARRIER; /* ends and words, written above, read below */
    longs->is_fault = longs->is_fault || words[CLP_WORD_FAULT] != 0;
    longs->chunks = longs->is_fault ? 0 : ends[longs->count - 1];
    longs->rounds = 31 - clz(words[CLP_WORD_ROUNDS] | 1);
    longs->most = words[CLP_WORD_MOST];
}

/* Segments in lists: the long ones. rows: 0 where they are left to other kernels. */
CLP_INLINE clp_longs clp_longs_listed(clp_offsets offsets, ulong n, const global uint *found,
                                      const global ulong *lists, const global ulong *table,
                                      uint rows, local ushort *ends, local uint *words) {
    const uint lane = (uint)get_local_id(0);
    clp_longs longs = {ends, lists + table[2 * CLP_LONG], 0, 0,
                       0,    rows * CLP_RADIX_GROUP,      0, false};
    longs.is_fault = found[CLP_FAULT] != 0;
    const ulong noted =
        longs.is_fault || rows == 0 ? 0 : clp_segments_noted(found, table, CLP_LONG);
    longs.count = (uint)min(noted, (ulong)CLP_LONG_MOST);
    if (longs.count == 0) return longs;
    uint own = 0;
    if (lane < longs.count) {
        const ulong length = clp_segments_take(offsets, n, longs.list[lane]).length;
        own = (uint)((length + longs.chunk - 1) / longs.chunk);
    }
    clp_longs_sum(&longs, own, 0, false, ends, words);
    return longs;
}

/* Without lists: all segments, fewer than work-items. */
CLP_INLINE clp_longs clp_longs_direct(clp_offsets offsets, ulong n, uint segments, uint rows,
                                      local ushort *ends, local uint *words) {
    const uint lane = (uint)get_local_id(0);
    clp_longs longs = {ends, 0, segments, 0, 0, rows * CLP_RADIX_GROUP, 0, false};
    ulong length = 0;
    if (lane < segments) length = clp_segments_take(offsets, n, lane).length;
    const bool is_long = length > CLP_RADIX_ROOM;
    const bool is_fault = lane <= segments && clp_segments_is_fault(offsets, n, lane);
    const uint own = is_long ? (uint)((length + longs.chunk - 1) / longs.chunk) : 0;
    if (longs.count == 0) longs.count = 1;
    clp_longs_sum(&longs, own, (uint)length, is_fault, ends, words);
    longs.count = segments;
    return longs;
}

/* A task: elements of an array that begins at `begin`, and what is done with them. */
typedef struct clp_task {
    ulong begin; /* of the segment */
    uint length; /* its elements; 0: nothing is to do */
    uint chunks, number; /* of them, and which one this is */
    uint round; /* 0: it is sorted, or all of the segment if that has no chunks */
    uint bits; /* of a team */
} clp_task;

CLP_INLINE clp_task clp_task_of_long(const clp_longs *longs, clp_offsets offsets, ulong n, uint at,
                                     uint round) {
    uint low = 0, high = longs->count - 1;
    while (low < high) {
        const uint middle = (low + high) / 2;
        low = longs->ends[middle] <= at ? middle + 1 : low;
        high = longs->ends[middle] <= at ? high : middle;
    }
    const uint first = low > 0 ? longs->ends[low - 1] : 0;
    const clp_segment segment = clp_segments_take(offsets, n, clp_longs_segment(longs, low));
    clp_task task = {
        segment.begin, (uint)segment.length, longs->ends[low] - first, at - first, round, 10};
    return task;
}

/* log2 of a team's work-items: larger teams than segments ask for, where there are fewer of these
 * than teams. */
CLP_INLINE uint clp_radix_bits(ulong count, ulong groups, uint bits) {
    while (1u << bits < CLP_RADIX_GROUP && count << bits <= groups * (CLP_RADIX_GROUP / 2)) bits++;
    return bits;
}

/* The segments that the kernel before has listed by class, of the classes [first, end). The teams
 * of class `first` have 1 << least_bits work-items or more, the teams of each next class
 * twice as many.
 */
typedef struct clp_classes {
    const global uint *found;
    const global ulong *lists, *table;
    uint first, end, least_bits;
} clp_classes;

/* Sets the at-th task of the classes, a segment for each team or none. Returns false if they have
 * fewer tasks; then subtracts these from *at. */
CLP_INLINE bool clp_task_of_classes(clp_offsets offsets, ulong n, const clp_classes *classes,
                                    uint *at, clp_task *task) {
    for (uint class = classes->end; class -- > classes->first;) {
        const ulong count = clp_segments_noted(classes->found, classes->table, class);
        const uint bits = clp_radix_bits(count, get_num_groups(0),
                                         classes->least_bits + (class - classes->first));
        const uint teams = CLP_RADIX_GROUP >> bits;
        const uint turns = (uint)((count + teams - 1) / teams);
        if (*at >= turns) {
            *at -= turns;
            continue;
        }
        const ulong place = (ulong)*at * teams + ((uint)get_local_id(0) >> bits);
        clp_segment segment = {0, 0};
        if (place < count) {
            segment =
                clp_segments_take(offsets, n, classes->lists[classes->table[2 * class] + place]);
        }
        *task = (clp_task){segment.begin, (uint)segment.length, 1, 0, 0, bits};
        return true;
    }
    return false;
}

/* The same where all segments are looked at. */
CLP_INLINE bool clp_task_direct(const clp_longs *longs, clp_offsets offsets, ulong n, uint *at,
                                clp_task *task) {
    uint bits = 8;
    while (longs->most > (uint)CLP_RADIX_ITEMS << bits) bits++;
    /* Larger teams where some would have no segment, unless their least rows hold the longest. */
    while (1u << bits < CLP_RADIX_GROUP && (uint)CLP_RADIX_MATCHED << bits < longs->most &&
           longs->count << bits <= (uint)get_num_groups(0) * (CLP_RADIX_GROUP / 2)) {
        bits++;
    }
    const uint teams = CLP_RADIX_GROUP >> bits, turns = (longs->count + teams - 1) / teams;
    if (*at >= turns) {
        *at -= turns;
        return false;
    }
    const uint place = *at * teams + ((uint)get_local_id(0) >> bits);
    clp_segment segment = {0, 0};
    if (place < longs->count) segment = clp_segments_take(offsets, n, place);
    if (segment.length > CLP_RADIX_ROOM) segment.length = 0;
    *task = (clp_task){segment.begin, (uint)segment.length, 1, 0, 0, bits};
    return true;
}

/* ---- Merges ---- */

/* Two runs of a segment, and what a task writes of them. */
typedef struct clp_merge {
    uint left, right; /* where they begin in the segment */
    uint left_length, right_length;
    uint place, end; /* in the merged run */
} clp_merge;

CLP_INLINE clp_merge clp_merge_of(const clp_task *task, uint chunk) {
    const uint run = chunk << (task->round - 1);
    clp_merge merge;
    merge.left = (task->number >> task->round << task->round) * chunk;
    merge.left_length = min(run, task->length - merge.left);
    merge.right = merge.left + merge.left_length;
    merge.right_length = min(run, task->length - merge.right);
    merge.place = task->number * chunk - merge.left;
    merge.end = min(merge.place + chunk, merge.left_length + merge.right_length);
    return merge;
}

/* How many of the first `place` elements of the merged run come from its left part. By a
 * sub-group, whose lanes look at 32 elements at once. */
CLP_INLINE uint clp_merge_split(const clp_merge *merge, const global CLP_K *keys, uint place) {
    const global CLP_K *left = keys + merge->left, *right = keys + merge->right;
    uint low = place > merge->right_length ? place - merge->right_length : 0;
    uint high = min(place, merge->left_length);
    CLP_NO_UNROLL
    while (low < high) {
        const uint step = (high - low + 31) / 32, at = low + (clp_lane() + 1) * step - 1;
        const bool is_left =
            at < high && clp_compared(left[at]) <= clp_compared(right[place - 1 - at]);
        const uint from_left = low + popcount(clp_ballot(is_left)) * step;
        high = min(high, from_left + step - 1);
        low = from_left;
    }
    return low;
}

/* How many of the first `place` keys of two runs in local memory come from the left one. */
CLP_INLINE uint clp_merge_split_local(const local CLP_K *left, uint left_length,
                                      const local CLP_K *right, uint right_length, uint place) {
    uint low = place > right_length ? place - right_length : 0, high = min(place, left_length);
    CLP_NO_UNROLL
    while (low < high) {
        const uint middle = (low + high) / 2;
        const bool more = clp_compared(left[middle]) <= clp_compared(right[place - 1 - middle]);
        low = more ? middle + 1 : low;
        high = more ? high : middle;
    }
    return low;
}

/* Merges what stands in local memory: of left_length and right_length keys this work-item has
 * `share` from `first` on, and where they come from. */
CLP_INLINE void clp_merge_keys(const local CLP_K *ordered, uint left_length, uint right_length,
                               uint first, uint share, CLP_K *keys, uint *notes) {
    const uint all = left_length + right_length;
    uint a = clp_merge_split_local(ordered, left_length, ordered + left_length, right_length,
                                   min(first, all));
    uint b = left_length + min(first, all) - a;
    CLP_K left_key = ordered[min(a, all - 1)], right_key = ordered[min(b, all - 1)];
    CLP_UNROLL
    for (uint i = 0; i < CLP_RADIX_ITEMS; i++) {
        if (i >= share) continue;
        const bool is_right =
            a >= left_length || (b < all && clp_compared(right_key) < clp_compared(left_key));
        keys[i] = is_right ? right_key : left_key;
        clp_radix_set_origin(notes, i, min(is_right ? b : a, all - 1));
        a += is_right ? 0 : 1;
        b += is_right ? 1 : 0;
        const CLP_K next = ordered[min(is_right ? b : a, all - 1)];
        left_key = is_right ? left_key : next;
        right_key = is_right ? next : right_key;
    }
}

/* Element `at` of what a task merged: its number in the segment, from where it was. A macro for
 * CLP_MERGED_VALUE: it reads the variables of the kernel's part. */
#define CLP_MERGED_NUMBER(source)                                                                  \
    from[(source) < left_length ? merge.left + from_left + (source)                                \
                                : merge.right + from_right + (source)-left_length]

#define CLP_MERGED_VALUE(k)                                                                        \
    for (uint at = lane; at < count; at += CLP_RADIX_GROUP) {                                      \
        const uint item = CLP_MERGED_NUMBER(origins[at]);                                          \
        out##k[out_first##k + begin + to + at] =                                                   \
            CLP_VALUE##k##_OF(in##k + in_first##k, begin, item);                                   \
    }

/* A task of a round. room: as many keys as a chunk has; splits: two words. */
CLP_INLINE void clp_segments_merge(CLP_SEGMENT_PARAMETERS, const clp_task *task, uint rows,
                                   const clp_between *between, local CLP_K *room,
                                   local ushort *origins, local uint *splits) {
    const uint lane = (uint)get_local_id(0), subgroup = lane / 32;
    const ulong begin = task->begin;
    const clp_merge merge = clp_merge_of(task, rows * CLP_RADIX_GROUP);
    const global CLP_K *in = clp_keys_of_round(between, task->round - 1) + begin;
    if (subgroup < 2) {
        const uint split = clp_merge_split(&merge, in, subgroup == 0 ? merge.place : merge.end);
        if (clp_lane() == 0) splits[subgroup] = split;
    }
    CLP_GROUP_BARRIER; /* splits, written above, read below */
    const uint from_left = splits[0], from_right = merge.place - from_left;
    const uint left_length = splits[1] - from_left, count = merge.end - merge.place;
    for (uint at = lane; at < count; at += CLP_RADIX_GROUP) {
        room[at] = at < left_length ? in[merge.left + from_left + at]
                                    : in[merge.right + from_right + at - left_length];
    }
    CLP_GROUP_BARRIER; /* room, written above, read below */
    /* An odd share where there is room for it: no two work-items in one bank. */
    const uint share = rows < CLP_RADIX_ITEMS ? rows + 1 : rows, first = lane * share;
    CLP_K keys[CLP_RADIX_ITEMS];
    uint notes[CLP_RADIX_NOTES];
    clp_merge_keys(room, left_length, count - left_length, first, share, keys, notes);
    CLP_GROUP_BARRIER; /* room, read above, overwritten below */
    CLP_UNROLL
    for (uint i = 0; i < CLP_RADIX_ITEMS; i++) {
        if (i >= share || first + i >= count) continue;
        room[first + i] = keys[i];
        if (CLP_VALUES > 0) origins[first + i] = (ushort)clp_radix_origin_of(notes, i);
    }
    CLP_GROUP_BARRIER; /* room and origins, written above, read below */
    const uint to = merge.left + merge.place;
    const bool is_last = task->chunks <= 1u << task->round;
    global CLP_K *out =
        begin + (is_last ? keys_out + keys_out_first : clp_keys_of_round(between, task->round));
    for (uint at = lane; at < count && !(is_last && CLP_NO_KEYS); at += CLP_RADIX_GROUP) {
        out[to + at] = room[at];
    }
#if CLP_VALUES > 0
    const global uint *from = clp_numbers_of_round(between, task->round - 1) + begin;
    global uint *numbers = clp_numbers_of_round(between, task->round) + begin;
    if (is_last) {
        CLP_EACH_VALUE(CLP_MERGED_VALUE)
    } else {
        for (uint at = lane; at < count; at += CLP_RADIX_GROUP) {
            numbers[to + at] = CLP_MERGED_NUMBER(origins[at]);
        }
    }
#endif
}

#if CLP_BY_LANES
/* ---- Short segments alone ---- */

#define CLP_LOG_WORDS 2 /* of a lane */
#define CLP_WORDS_OF_LANE (1 << CLP_LOG_WORDS)
#define CLP_NETWORK_MOST 1024 /* elements */
typedef char clp_counters_hold_words_twice
    [2 * CLP_NETWORK_MOST * CLP_WORD_BYTES <= CLP_RADIX_GROUP / 32 * CLP_ROW * 4 ? 1 : -1];

#define CLP_NETWORK_VALUE(k)                                                                       \
    CLP_UNROLL                                                                                     \
    for (uint r = 0; r < CLP_WORDS_OF_LANE; r++) {                                                 \
        const uint item = CLP_WORD_ITEM(words[r]);                                                 \
        const ulong to = begin + at + r;                                                           \
        if (at + r < length) {                                                                     \
            CLP_VALUE_TO(k)                                                                        \
        }                                                                                          \
    }

/* A segment by the group's first work-items. room: of 2 * CLP_NETWORK_MOST words. */
CLP_INLINE void clp_segment_by_network(CLP_SEGMENT_PARAMETERS, clp_segment segment,
                                       local CLP_WORD *room) {
    const uint length = (uint)segment.length, at = (uint)get_local_id(0) << CLP_LOG_WORDS;
    const ulong begin = segment.begin;
    const global CLP_K *in = keys_in + keys_in_first + begin;
    CLP_WORD words[CLP_WORDS_OF_LANE];
    CLP_K keys[CLP_WORDS_OF_LANE];
    clp_read_words(in, length, clp_subgroup_number() * (32 << CLP_LOG_WORDS), CLP_LOG_WORDS, words);
    clp_sort_teams(words, CLP_LOG_WORDS, clp_log_teams(length, CLP_LOG_WORDS), room,
                   CLP_NETWORK_MOST >> CLP_LOG_WORDS);
    CLP_UNROLL
    for (uint r = 0; r < CLP_WORDS_OF_LANE; r++) {
        if (at + r < length) keys[r] = clp_key_of_word(words[r], in);
    }
    CLP_GROUP_BARRIER; /* keys, read above, overwritten below if in place; room, too */
    CLP_UNROLL
    for (uint r = 0; r < CLP_WORDS_OF_LANE; r++) {
        if (!CLP_NO_KEYS && at + r < length) keys_out[keys_out_first + begin + at + r] = keys[r];
    }
    CLP_EACH_VALUE(CLP_NETWORK_VALUE)
}

/* Sorts all segments, if all are looked at and none is long or at fault; else returns false. */
CLP_INLINE bool clp_segments_by_network(CLP_SEGMENT_PARAMETERS, const clp_longs *longs,
                                        local CLP_WORD *room) {
    CLP_SIZES
    const bool has_long = longs->chunks > 0 || longs->most > CLP_NETWORK_MOST;
    if (longs->list != 0 || longs->is_fault || has_long) return false;
    CLP_NO_UNROLL
    for (ulong s = get_group_id(0); s < segments; s += get_num_groups(0)) {
        const clp_segment segment = clp_segments_take(CLP_OFFSETS, n, s);
        clp_segment_by_network(CLP_SEGMENT_ARGUMENTS, segment, room);
    }
    return true;
}
#endif

/* ---- All of them ---- */

/* A chunk goes to the first copy. */
CLP_INLINE void clp_segments_keep(const clp_radix *radix, const CLP_K *keys, const uint *notes,
                                  int left, ulong begin, uint chunk_first,
                                  const clp_between *between) {
    const uint first = chunk_first + radix->first;
    clp_radix_write(radix, keys, left, between->keys_a + begin + first);
#if CLP_VALUES > 0
    global uint *to = between->numbers_a + begin + first;
    CLP_RADIX_EACH_ROW(radix, {
        if ((int)at < left) to[at] = chunk_first + clp_radix_origin_of(notes, i);
    })
#endif
}

/* Waits, by one work-item, until all tasks of the round before are done. */
CLP_INLINE void clp_round_await(global uint *found, uint round, uint tasks) {
    volatile global ulong *done = (volatile global ulong *)(found + CLP_DONE) + (round - 1);
    while ((uint)clp_observe(done) < tasks) {
    }
    clp_device_fence(); /* tasks counted above, what they wrote below; with the other groups' */
}

CLP_INLINE void clp_round_count(global uint *found, uint round) {
    clp_device_fence(); /* what the group wrote, before it is counted */
    atomic_inc(&found[CLP_DONE + 2 * round]); /* with the other groups' */
}

/* The task with that number: false where there are no more. */
CLP_INLINE bool clp_task_take(const clp_longs *longs, clp_offsets offsets, ulong n,
                              const clp_classes *classes, uint number, clp_task *task) {
    uint round = 0;
    if (number >= longs->chunks) {
        number -= longs->chunks;
        const bool is_other = longs->list == 0
                                  ? clp_task_direct(longs, offsets, n, &number, task)
                                  : clp_task_of_classes(offsets, n, classes, &number, task);
        if (is_other) return true;
        if (number >= longs->chunks * longs->rounds) return false;
        round = 1 + number / longs->chunks;
        number %= longs->chunks;
    }
    *task = clp_task_of_long(longs, offsets, n, number, round);
    return true;
}

/* The local memory of the teams' sorts. sums, differ: of each team. */
typedef struct clp_few_room {
    local uint *counters;
    local CLP_K *ordered;
    local ushort *origins;
    local uint (*sums)[CLP_ROW_GROUPS];
    local uint (*differ)[2][CLP_RADIX_WORDS];
} clp_few_room;

/* Sorts a segment for each team, or a chunk. */
CLP_INLINE void clp_segments_sort(CLP_SEGMENT_PARAMETERS, const clp_task *task, uint chunk,
                                  const clp_between *between, const clp_few_room *room) {
    const bool is_chunk = task->chunks > 1;
    const uint chunk_first = is_chunk ? task->number * chunk : 0;
    const uint length = is_chunk ? min(chunk, task->length - chunk_first) : task->length;
    const uint team = (uint)get_local_id(0) >> task->bits;
    const ulong begin = task->begin;
    clp_radix radix = clp_radix_of(room->counters, room->sums[team], room->ordered, room->origins,
                                   team, task->bits);
    CLP_K keys[CLP_RADIX_ITEMS];
    uint notes[CLP_RADIX_NOTES];
    if (length == 0) return;
    clp_radix_sort(&radix, keys_in + keys_in_first + begin + chunk_first, length,
                   room->differ[team][0], room->differ[team][1], keys, notes);
    const uint first = clp_anew(radix.first);
    const int left = (int)length - (int)first;
    if (is_chunk) {
        clp_segments_keep(&radix, keys, notes, left, begin, chunk_first, between);
        return;
    }
    if (!CLP_NO_KEYS)
        clp_radix_write(&radix, keys, left, keys_out + keys_out_first + begin + first);
    CLP_EACH_VALUE(CLP_RADIX_VALUE)
}

/* The last work-group that ends leaves the counters as it found them. */
CLP_INLINE void clp_tasks_end(global uint *found) {
    clp_device_fence(); /* what was counted above; with the last group */
    if (atomic_inc(&found[CLP_ENDED]) + 1 < get_num_groups(0)) return; /* with the other groups' */
    for (uint w = CLP_TASKS; w < CLP_FOUND_WORDS; w++) found[w] = 0;
}

/* lists: NULL where no kernel came before, which is so for few segments. rows: elements of a chunk
 * for each work-item. keys_a, keys_b, numbers_a, numbers_b: clp_between.
 * report: or NULL. */
CLP_KERNEL(CLP_RADIX_GROUP)
void clp_segments_few(CLP_SEGMENT_PARAMETERS, CLP_LIST_PARAMETERS, uint first_class, uint end_class,
                      uint least_bits, uint rows, global CLP_K *keys_a, global CLP_K *keys_b,
                      global uint *numbers_a, global uint *numbers_b, global clp_report *report,
                      ulong report_first) {
    local uint counters[CLP_RADIX_GROUP / 32 * CLP_ROW] __attribute__((aligned(1024)));
    local CLP_K ordered[CLP_RADIX_ROOM];
    local ushort origins[CLP_VALUES > 0 ? CLP_RADIX_ROOM : 1];
    local ushort ends[CLP_LONG_MOST];
    local uint sums[CLP_RADIX_TEAMS][CLP_ROW_GROUPS];
    local uint differ[CLP_RADIX_TEAMS][2][CLP_RADIX_WORDS];
    local uint words[CLP_TASK_WORDS];
    CLP_SIZES
    const uint lane = (uint)get_local_id(0);
    const clp_offsets at = CLP_OFFSETS;
    const clp_between between = {keys_a, keys_b, numbers_a, numbers_b};
    const clp_few_room room = {counters, ordered, origins, sums, differ};
    const clp_classes classes = {found, lists, table, first_class, end_class, least_bits};
    const clp_longs longs = lists == 0
                                ? clp_longs_direct(at, n, (uint)segments, rows, ends, words)
                                : clp_longs_listed(at, n, found, lists, table, rows, ends, words);
    if (lists == 0 && get_global_id(0) == 0) found[CLP_FAULT] = words[CLP_WORD_FAULT];
    if (report != 0 && get_global_id(0) == 0) {
        const uint fault = lists == 0 ? words[CLP_WORD_FAULT] : found[CLP_FAULT];
        clp_segments_tell(at, n, segments, sizes, fault, report + report_first);
    }
#if CLP_BY_LANES
    if (clp_segments_by_network(CLP_SEGMENT_ARGUMENTS, &longs, (local CLP_WORD *)counters)) return;
#endif
    uint turn = (uint)get_group_id(0);
    CLP_NO_UNROLL
    for (;; turn += (uint)get_num_groups(0)) {
        clp_task task;
        CLP_GROUP_BARRIER; /* words and differ, read in the turn before, written below */
        if (lane == 0) {
            words[0] =
                longs.chunks > 0 ? atomic_inc(&found[CLP_TASKS]) : turn; /* with all groups */
        }
        if (lane < CLP_RADIX_TEAMS * 2 * CLP_RADIX_WORDS) (&differ[0][0][0])[lane] = 0;
        CLP_GROUP_BARRIER; /* words and differ, written above, read below */
        if (!clp_task_take(&longs, at, n, &classes, words[0], &task)) break;
        if (task.round == 0) {
            clp_segments_sort(CLP_SEGMENT_ARGUMENTS, &task, longs.chunk, &between, &room);
        } else {
            if (lane == 0) clp_round_await(found, task.round, longs.chunks);
            CLP_GROUP_BARRIER; /* the round before, awaited above, read below; words, too */
            if (task.chunks > 1u << (task.round - 1)) {
                clp_segments_merge(CLP_SEGMENT_ARGUMENTS, &task, rows, &between, ordered, origins,
                                   words);
            }
        }
        CLP_GROUP_BARRIER; /* what the group wrote, before it is counted */
        if (task.chunks > 1 && lane == 0) clp_round_count(found, task.round);
    }
    if (longs.chunks > 0 && lane == 0) clp_tasks_end(found);
}
