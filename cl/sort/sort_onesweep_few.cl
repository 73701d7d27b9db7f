/* SPDX-License-Identifier: MIT */
/*
 * Up to 2^16 keys, in one to three launches. Two algorithms: radix passes by one work-group, and
 * networks (sort_network.cl) whose tiles are merged. The host takes the networks where local memory
 * has room for their words.
 */

/* ---- Passes by one work-group ---- */

/*
 * One launch: all passes in local memory, in which the keys stay from pass to pass. The number of
 * the element that each key came from moves with the key, and says at the end where the values are.
 * Ranks are found by atomics and repaired where the atomics were not served in order, as in a pass
 * over many keys (sort_onesweep_pass.cl). Here the number of a key's place before the pass stands
 * in the word below its digit, so that words in order are keys in order, and a word at a lower
 * place than a lesser one shows what is to be repaired.
 */
#define CLP_FEW_ITEMS (CLP_FEW / CLP_GROUP)
#define CLP_FEW_RANKERS (CLP_GROUP / 32)

#if CLP_FEW > 0
typedef struct clp_few {
    local uint *counters; /* a row for each sub-group */
    local uint *sums; /* of 32 digits each */
    local CLP_K *ordered;
    local uint *words; /* the digit times 4 above the key's number in the order before */
    local ushort *origins; /* the key's number in the input */
    uint rows; /* of a sub-group's keys */
    uint below, above; /* lanes */
} clp_few;

CLP_INLINE uint clp_few_item(const clp_few *few, uint row) {
    return (clp_subgroup_number() * few->rows + row) * 32 + clp_lane();
}

CLP_INLINE uint clp_few_counters(const clp_few *few) {
    return clp_local_address(few->counters + clp_subgroup_number() * CLP_ROW);
}

CLP_INLINE void clp_few_count(const clp_few *few, const CLP_K *keys, clp_cut cut) {
    clp_clear_counters(few->counters);
    const uint at = clp_few_counters(few) ^ cut.flip;
    CLP_UNROLL
    for (uint i = 0; i < CLP_FEW_ITEMS; i++) {
        if (i < few->rows) clp_count_at(clp_digit_at(keys[i], cut, at, false));
    }
}

/* By the first work-items, one a digit: the digit's count; sums of 32 digits. */
CLP_INLINE uint clp_few_sum(const clp_few *few) {
    const uint digit = (uint)get_local_id(0);
    uint sum = 0;
    CLP_UNROLL
    for (uint w = 0; w < CLP_FEW_RANKERS; w++) sum += few->counters[w * CLP_ROW + digit];
    const uint before = clp_sum_to_lane(sum);
    if (clp_lane() == 31) few->sums[digit / 32] = before;
    return before - sum;
}

/* Counts become slots. before: keys of lower digits within the 32. */
CLP_INLINE void clp_few_set(const clp_few *few, uint before) {
    const uint digit = (uint)get_local_id(0);
    uint slot = before;
    CLP_UNROLL
    for (uint g = 0; g < CLP_ROW_GROUPS - 1; g++) {
        if (g < digit / 32) slot += few->sums[g];
    }
    CLP_UNROLL
    for (uint w = 0; w < CLP_FEW_RANKERS; w++) {
        const uint count = few->counters[w * CLP_ROW + digit];
        few->counters[w * CLP_ROW + digit] = slot;
        slot += count;
    }
}

CLP_INLINE void clp_few_rank(const clp_few *few, const CLP_K *keys, const ushort *origins,
                             clp_cut cut) {
    const uint at = clp_few_counters(few) ^ cut.flip;
    CLP_UNROLL
    for (uint i = 0; i < CLP_FEW_ITEMS; i++) {
        if (i < few->rows) {
            const uint counter = clp_digit_at(keys[i], cut, at, false);
            const uint slot = clp_add_at(counter, 1);
            few->ordered[slot] = keys[i];
            few->words[slot] = (counter & 4 * (CLP_ROW - 1)) << 16 | clp_few_item(few, i);
            if (CLP_VALUES > 0) few->origins[slot] = origins[i];
        }
    }
}

CLP_INLINE void clp_few_exchange(const clp_few *few, uint slot) {
    const CLP_K key = few->ordered[slot];
    const uint word = few->words[slot];
    few->ordered[slot] = few->ordered[slot + 1];
    few->words[slot] = few->words[slot + 1];
    few->ordered[slot + 1] = key;
    few->words[slot + 1] = word;
    if (CLP_VALUES > 0) {
        const ushort origin = few->origins[slot];
        few->origins[slot] = few->origins[slot + 1];
        few->origins[slot + 1] = origin;
    }
}

/* Puts keys with the same digit in the order that they had, where atomics were not served so. */
CLP_INLINE void clp_few_repair(const clp_few *few) {
    const uint lane = (uint)get_local_id(0), count = few->rows * CLP_GROUP;
    bool bad = false;
    CLP_UNROLL
    for (uint i = 0; i < CLP_FEW_ITEMS; i++) {
        const uint slot = i * CLP_GROUP + lane;
        if (i < few->rows && slot + 1 < count) bad |= few->words[slot] > few->words[slot + 1];
    }
    while (clp_any_of(0, CLP_FEW_RANKERS, bad)) {
        bad = false;
        for (uint odd = 0; odd < 2; odd++) {
            for (uint slot = 2 * lane + odd; slot + 1 < count; slot += 2 * CLP_GROUP) {
                if (few->words[slot] > few->words[slot + 1]) {
                    clp_few_exchange(few, slot);
                    bad = true;
                }
            }
            CLP_ROLE_BARRIER(0, CLP_FEW_RANKERS); /* the other neighbours */
        }
    }
}

CLP_INLINE void clp_few_take(const clp_few *few, CLP_K *keys, ushort *origins) {
    CLP_UNROLL
    for (uint i = 0; i < CLP_FEW_ITEMS; i++) {
        if (i < few->rows) {
            const uint item = clp_few_item(few, i);
            keys[i] = few->ordered[item];
            if (CLP_VALUES > 0) origins[i] = few->origins[item];
        }
    }
}

/* A pass over the caller's keys and origins. A macro, as barriers stand at a kernel's top level. */
#define CLP_FEW_PASS(pass)                                                                         \
    clp_few_count(&few, keys, clp_cut_of(pass));                                                   \
    barrier(CLK_LOCAL_MEM_FENCE); /* counters: clp_few_count with clp_few_sum */                   \
    if (lane < CLP_ROW) before = clp_few_sum(&few);                                                \
    barrier(CLK_LOCAL_MEM_FENCE); /* sums: clp_few_sum with clp_few_set */                         \
    if (lane < CLP_ROW) clp_few_set(&few, before);                                                 \
    barrier(CLK_LOCAL_MEM_FENCE); /* counters: clp_few_set with clp_few_rank */                    \
    clp_few_rank(&few, keys, origins, clp_cut_of(pass));                                           \
    barrier(CLK_LOCAL_MEM_FENCE); /* slots: clp_few_rank with clp_few_repair */                    \
    clp_few_repair(&few);                                                                          \
    clp_few_take(&few, keys, origins);                                                             \
    barrier(CLK_LOCAL_MEM_FENCE); /* slots: clp_few_take with the next clp_few_rank */

#define CLP_FEW_VALUES(k)                                                                          \
    CLP_UNROLL                                                                                     \
    for (uint i = 0; i < CLP_FEW_ITEMS; i++) {                                                     \
        const uint item = clp_few_item(&few, i);                                                   \
        if (i < few.rows && item < n) to##k[item] = CLP_VALUE##k##_AT(from##k, true, origins[i]);  \
    }
#define CLP_FEW_COPY(k)                                                                            \
    for (uint i = lane; i < n; i += CLP_GROUP) to##k[i] = from##k[i];

/* In place the spare copies take the values first, as all must be read before one is written. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_onesweep_single(CLP_ARRAY_PARAMETERS, CLP_N_REPORT_PARAMETERS, uint in_place) {
    const ulong n = CLP_N_REPORTED;
    local uint counters[CLP_FEW_RANKERS * CLP_ROW] __attribute__((aligned(1024)));
    local CLP_K ordered[CLP_FEW];
    local uint words[CLP_FEW];
    local ushort all_origins[CLP_VALUES > 0 ? CLP_FEW : 1];
    local uint sums[CLP_ROW_GROUPS];
    const uint lane = (uint)get_local_id(0);
    clp_few few = {counters, sums, ordered, words, all_origins, 0, 0, 0};
    few.rows = ((uint)n + CLP_GROUP - 1) / CLP_GROUP;
    CLP_K keys[CLP_FEW_ITEMS];
    ushort origins[CLP_FEW_ITEMS];
    uint before = 0;
    const global CLP_K *in = keys_in + keys_in_first;
    CLP_UNROLL
    for (uint i = 0; i < CLP_FEW_ITEMS; i++) {
        const uint item = clp_few_item(&few, i);
        keys[i] = i < few.rows && item < n ? clp_enter(in[item]) : CLP_FILL;
        origins[i] = (ushort)item;
    }
    CLP_EACH_PASS(CLP_FEW_PASS)
    const bool by_spare = in_place != 0 && CLP_VALUES > 0;
    clp_role role;
    role.is_last = true;
    role.from = CLP_IN;
    role.to = by_spare ? CLP_SPARE : CLP_OUT;
    CLP_MOVES
    CLP_UNROLL
    for (uint i = 0; i < CLP_FEW_ITEMS; i++) {
        const uint item = clp_few_item(&few, i);
        if (keeps && i < few.rows && item < n) to[item] = clp_leave(keys[i]);
    }
    CLP_EACH_VALUE(CLP_FEW_VALUES)
    if (!by_spare) return;
    barrier(CLK_GLOBAL_MEM_FENCE); /* spare copies, written above, read below */
    role.from = CLP_SPARE;
    role.to = CLP_OUT;
    {
        CLP_MOVES
        for (uint i = lane; keeps && i < n; i += CLP_GROUP) to[i] = from[i];
        CLP_EACH_VALUE(CLP_FEW_COPY)
    }
}
#endif

/* ---- Networks ---- */

/*
 * Sub-groups sort 128 words each, 4 in a lane, and sub-groups of a work-group are merged. Up to
 * 2048 words take one launch. More are sorted in tiles of 1024, and a second launch merges all
 * tiles at once: the place of a word is the sum, over all tiles, of the words that come before it,
 * found by a binary search of each tile in local memory. All words have different places: words
 * with numbers differ, and of other equal words the ones of lower tiles come first. Up to 65536
 * words take a third launch (below). No work-group waits for another one: launches follow each
 * other.
 */
#if CLP_MERGED_TILES > 0
#define CLP_LOG_WORDS 2
#define CLP_WORDS_OF_LANE (1 << CLP_LOG_WORDS)
#define CLP_WORDS_OF_TEAM 128
#define CLP_SINGLE_GROUP 512
#define CLP_TILE_GROUP 256
#define CLP_TILE_WORDS 1024
#define CLP_MERGE_GROUP 512
/* Words whose places a work-group finds: each work-item searches a quarter of the tiles. */
#define CLP_MERGED 128
#define CLP_SEARCHES ((CLP_MERGED_TILES + 3) / 4) /* of a work-item */

#define CLP_NETWORK_VALUE(k)                                                                       \
    {                                                                                              \
        CLP_VALUE##k##_TYPE value[CLP_WORDS_OF_LANE];                                              \
        CLP_UNROLL                                                                                 \
        for (uint r = 0; r < CLP_WORDS_OF_LANE; r++) {                                             \
            const uint item = CLP_WORD_ITEM(words[r]);                                             \
            if (at + r < n) value[r] = CLP_VALUE##k##_AT(in##k + in_first##k, true, item);         \
        }                                                                                          \
        barrier(CLK_GLOBAL_MEM_FENCE); /* values, read above, overwritten below if in place */     \
        CLP_UNROLL                                                                                 \
        for (uint r = 0; r < CLP_WORDS_OF_LANE; r++) {                                             \
            if (at + r < n) out##k[out_first##k + at + r] = value[r];                              \
        }                                                                                          \
    }

/* Up to CLP_WORDS_OF_LANE * CLP_SINGLE_GROUP keys. */
CLP_KERNEL(CLP_SINGLE_GROUP)
void clp_sort_network_single(CLP_ARRAY_PARAMETERS, CLP_N_REPORT_PARAMETERS) {
    const uint n = (uint)CLP_N_REPORTED;
    local CLP_WORD room[2 * CLP_WORDS_OF_LANE * CLP_SINGLE_GROUP];
    const uint at = CLP_WORDS_OF_LANE * (uint)get_local_id(0);
    const global CLP_K *in = keys_in + keys_in_first;
    CLP_WORD words[CLP_WORDS_OF_LANE];
    CLP_K keys[CLP_WORDS_OF_LANE];
    clp_read_words(in, n, clp_subgroup_number() * CLP_WORDS_OF_TEAM, CLP_LOG_WORDS, words);
    clp_sort_teams(words, CLP_LOG_WORDS, clp_log_teams(n, CLP_LOG_WORDS), room, CLP_SINGLE_GROUP);
    CLP_UNROLL
    for (uint r = 0; r < CLP_WORDS_OF_LANE; r++) {
        if (at + r < n) keys[r] = clp_key_of_word(words[r], in);
    }
    barrier(CLK_GLOBAL_MEM_FENCE); /* keys, read above, overwritten below if in place */
    CLP_UNROLL
    for (uint r = 0; r < CLP_WORDS_OF_LANE; r++) {
        if (!CLP_NO_KEYS && at + r < n) keys_out[keys_out_first + at + r] = keys[r];
    }
    CLP_EACH_VALUE(CLP_NETWORK_VALUE)
}

/* ---- Tiles ---- */

CLP_KERNEL(CLP_TILE_GROUP)
void clp_sort_network_tiles(const global CLP_K *keys_in, ulong keys_first, CLP_N_REPORT_PARAMETERS,
                            global CLP_WORD *tiles) {
    const uint n = (uint)CLP_N_REPORTED;
    local CLP_WORD room[2 * CLP_WORDS_OF_LANE * CLP_TILE_GROUP];
    const uint first = (uint)get_group_id(0) * CLP_TILE_WORDS;
    global CLP_WORD *to = tiles + first + CLP_WORDS_OF_LANE * get_local_id(0);
    CLP_WORD words[CLP_WORDS_OF_LANE];
    clp_read_words(keys_in + keys_first, n, first + clp_subgroup_number() * CLP_WORDS_OF_TEAM,
                   CLP_LOG_WORDS, words);
    clp_sort_teams(words, CLP_LOG_WORDS, 3, room, CLP_TILE_GROUP);
    CLP_UNROLL
    for (uint r = 0; r < CLP_WORDS_OF_LANE; r++) to[r] = words[r];
}

/* Whether a word of another tile comes before that word. is_lower: the other tile is the lower one,
 * whose words come first among equal ones. Words with numbers are never equal. A macro, as
 * CLP_IS_BEFORE is one. */
#define CLP_COMES_BEFORE(probe, word, is_lower)                                                    \
    (CLP_IS_BEFORE(probe, word) || ((is_lower) && CLP_IS_EQUAL(probe, word)))

/* The words before that one in every fourth tile, from a quarter's first one on. */
CLP_INLINE uint clp_count_before(const local CLP_WORD *all, uint count, uint quarter, CLP_WORD word,
                                 uint own_tile, uint own_place) {
    uint low[CLP_SEARCHES], sum = 0;
    CLP_UNROLL
    for (uint s = 0; s < CLP_SEARCHES; s++) low[s] = 0;
    CLP_NO_UNROLL
    for (uint step = CLP_TILE_WORDS / 2; step > 0; step /= 2) {
        CLP_UNROLL
        for (uint s = 0; s < CLP_SEARCHES; s++) {
            if (4 * s >= count) continue;
            const uint tile = quarter + 4 * s;
            const CLP_WORD probe = all[min(tile, count - 1) * CLP_TILE_WORDS + low[s] + step - 1];
            if (CLP_COMES_BEFORE(probe, word, tile < own_tile)) low[s] += step;
        }
    }
    CLP_UNROLL
    for (uint s = 0; s < CLP_SEARCHES; s++) {
        const uint tile = quarter + 4 * s;
        const CLP_WORD probe = all[min(tile, count - 1) * CLP_TILE_WORDS + low[s]];
        if (CLP_COMES_BEFORE(probe, word, tile < own_tile)) low[s]++;
        sum += tile >= count ? 0 : tile == own_tile ? own_place : low[s];
    }
    return sum;
}

#define CLP_MERGED_VALUE(k)                                                                        \
    out##k[out_first##k + place] = CLP_VALUE##k##_AT(in##k + in_first##k, true, item);

/* Returns the place of word `from` among all words of `count` tiles, and *word. By CLP_MERGE_GROUP
 * work-items, four for each word: each searches every fourth tile, and the places that the four
 * have found are added. NO_WORD has no place: is_word says whether there is a word. */
CLP_INLINE uint clp_find_place(const global CLP_WORD *tiles, uint count, uint from, bool is_word,
                               local CLP_WORD *all, local uint *places, CLP_WORD *word) {
    const uint lane = (uint)get_local_id(0), quads = count * (CLP_TILE_WORDS * CLP_WORD_BYTES / 16);
    for (uint i = lane; i < quads; i += CLP_MERGE_GROUP) {
        ((local uint4 *)all)[i] = ((const global uint4 *)tiles)[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all, written above, read below */
    *word = is_word ? all[from] : CLP_NO_WORD;
    places[lane] = is_word ? clp_count_before(all, count, lane / CLP_MERGED, *word,
                                              from / CLP_TILE_WORDS, from % CLP_TILE_WORDS)
                           : 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* places, written above, read below */
    uint place = 0;
    CLP_UNROLL
    for (uint q = 0; q < CLP_MERGE_GROUP / CLP_MERGED; q++) {
        place += places[q * CLP_MERGED + lane % CLP_MERGED];
    }
    return place;
}

/* Writes the key and the values of the caller's `word` to its `place`. A macro, as it names the
 * kernel's arrays of values. */
#define CLP_PUT_WORD                                                                               \
    const uint item = CLP_WORD_ITEM(word);                                                         \
    const global CLP_K *in = keys_in + keys_in_first;                                              \
    if (!CLP_NO_KEYS) keys_out[keys_out_first + place] = clp_key_of_word(word, in);                \
    CLP_EACH_VALUE(CLP_MERGED_VALUE)                                                               \
    (void)item;

/* Not in place, unless words hold their keys and there are no values. */
CLP_KERNEL(CLP_MERGE_GROUP)
void clp_sort_network_merge(CLP_ARRAY_PARAMETERS, CLP_N_PARAMETERS, const global CLP_WORD *tiles) {
    const uint n = (uint)CLP_N, lane = (uint)get_local_id(0);
    const uint count = (n + CLP_TILE_WORDS - 1) / CLP_TILE_WORDS;
    const uint from = (uint)get_group_id(0) * CLP_MERGED + lane % CLP_MERGED;
    local CLP_WORD all[CLP_MERGED_TILES * CLP_TILE_WORDS] __attribute__((aligned(16)));
    local uint places[CLP_MERGE_GROUP];
    CLP_WORD word;
    const uint place = clp_find_place(tiles, count, from, from < n, all, places, &word);
    if (lane >= CLP_MERGED || from >= n) return;
    CLP_PUT_WORD
}

/* ---- Blocks of tiles ---- */

/* More tiles than local memory holds are merged in blocks of 16, and these from device memory: 2^16
 * uint32 keys take 30.5 us, onesweep takes 34.8 (H100, driver 580.159.04, 13d6140). */
#if CLP_HAS_BLOCKS
#define CLP_BLOCK_TILES 16
#define CLP_BLOCK_WORDS (CLP_BLOCK_TILES * CLP_TILE_WORDS)
#define CLP_BLOCKS_GROUP 256

CLP_KERNEL(CLP_MERGE_GROUP)
void clp_sort_network_blocks(CLP_N_PARAMETERS, const global CLP_WORD *tiles,
                             global CLP_WORD *blocks) {
    const uint n = (uint)CLP_N, lane = (uint)get_local_id(0);
    const uint begin = (uint)get_group_id(0) * CLP_MERGED;
    const uint block = begin / CLP_BLOCK_WORDS * CLP_BLOCK_WORDS;
    local CLP_WORD all[CLP_BLOCK_WORDS] __attribute__((aligned(16)));
    local uint places[CLP_MERGE_GROUP];
    const uint end = block < n ? min(n - block, (uint)CLP_BLOCK_WORDS) : 0;
    const uint count = (end + CLP_TILE_WORDS - 1) / CLP_TILE_WORDS;
    const uint from = begin - block + lane % CLP_MERGED;
    CLP_WORD word;
    const uint place = clp_find_place(tiles + block, count, from, from < end, all, places, &word);
    if (lane < CLP_MERGED && from < end) blocks[block + place] = word;
}

/* The number of words of another block that come before that one. */
CLP_INLINE uint clp_count_of_block(const global CLP_WORD *block, uint length, CLP_WORD word,
                                   bool is_lower) {
    uint low = 0;
    CLP_UNROLL
    for (uint step = CLP_BLOCK_WORDS; step > 0; step /= 2) {
        const bool is_in = low + step <= length;
        if (is_in && CLP_COMES_BEFORE(block[low + step - 1], word, is_lower)) low += step;
    }
    return low;
}

/* Not in place, unless words hold their keys and there are no values. */
CLP_KERNEL(CLP_BLOCKS_GROUP)
void clp_sort_network_finish(CLP_ARRAY_PARAMETERS, CLP_N_PARAMETERS,
                             const global CLP_WORD *blocks) {
    const uint n = (uint)CLP_N, from = (uint)get_global_id(0);
    if (from >= n) return;
    const CLP_WORD word = blocks[from];
    const uint own = from / CLP_BLOCK_WORDS;
    uint place = from % CLP_BLOCK_WORDS;
    for (uint b = 0; b * CLP_BLOCK_WORDS < n; b++) {
        const uint first = b * CLP_BLOCK_WORDS;
        if (b == own) continue;
        place += clp_count_of_block(blocks + first, min(n - first, (uint)CLP_BLOCK_WORDS), word,
                                    b < own);
    }
    CLP_PUT_WORD
}
#endif
#endif
