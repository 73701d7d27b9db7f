/* SPDX-License-Identifier: MIT */
/*
 * Up to 2^15 keys, in one or two launches, by networks (sort_network.cl), where local memory has
 * room for their words.
 *
 * Sub-groups sort 128 words each, 4 in a lane, and sub-groups of a work-group are merged. Up to
 * 2048 words take one launch. More are sorted in tiles of 1024, and a second launch merges all
 * tiles at once: the place of a word is the sum, over all tiles, of the words that come before it,
 * found by a binary search of each tile in local memory. All words have different places: words
 * with numbers differ, and of other equal words the ones of lower tiles come first. No work-group
 * waits for another one: launches follow each other.
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
    const uint item = CLP_WORD_ITEM(word);
    const global CLP_K *in = keys_in + keys_in_first;
    if (!CLP_NO_KEYS) keys_out[keys_out_first + place] = clp_key_of_word(word, in);
    CLP_EACH_VALUE(CLP_MERGED_VALUE)
    (void)item;
}
#endif
