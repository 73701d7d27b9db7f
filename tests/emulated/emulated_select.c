/* SPDX-License-Identifier: MIT */
/*
 * emulated_select TRIALS: the look-ahead or the single wave (KERNEL) of select by flags, of two
 * arrays with their indices, or the partition of such arrays (PROGRAM), on the machine of
 * machine.h, beside plain C: few, some or all kept, lengths around tiles, room for fewer than are
 * kept, counts in device memory, refused ones too, one state for all runs. Of a wave only the last
 * tiles run, as the machine has few groups: what the earlier ones publish is there.
 */
#include "device_emulated.h"
#include "emulated_wave.h"

enum { MOST = EARLIER_MOST * CLP_TILE + RUN_MOST };

#define TRIAL "n = %lu", t.n

static clp_t0 in0[MOST + MARGIN] __attribute__((aligned(256))), out0[MOST + MARGIN];
static clp_t1 in1[MOST + MARGIN] __attribute__((aligned(256))), out1[MOST + MARGIN];
static uchar flags[MOST + MARGIN] __attribute__((aligned(256)));
static CLP_INDEX indices[MOST + MARGIN];
static ulong total; /* the number of kept elements, which a partition reads */
/* By position behind the output's first element. */
static enum { NOT_WRITTEN, REJECTED, KEPT } written[MOST + MARGIN];

static struct trial {
    uint number;
    ulong n, most, room, first0, first1, first_flag, first_out, earlier, reach; /* elements */
    bool is_counted, is_refused;
} t;

void draw(uint number) {
    const uint kept_of_8 = number % 4 == 0 ? 8 * random_below(2) : random_below(9);
    /* What is read begins at a multiple of 16 bytes; what is written anywhere. */
    t = (struct trial){.number = number,
                       .n = random_length(number, CLP_TILE, RUN_MOST),
                       .first0 = random_below(3) * 4,
                       .first1 = random_below(3) * 8,
                       .first_flag = random_below(3) * 16,
                       .first_out = random_below(16)};
    if (IS_WAVE && t.n > 0) t.earlier = draw_earlier() * CLP_TILE;
    t.n += t.earlier;
    t.reach = min(t.n + 2 * MARGIN, MOST + 1ul * MARGIN);
    t.is_counted = random_below(3) == 0;
    t.is_refused = t.is_counted && t.n > 0 && t.earlier == 0 && random_below(3) == 0;
    t.most = t.is_refused ? t.n - 1 : t.is_counted ? t.n + 1000 : t.n;
    t.room = !CLP_PARTITION && random_below(3) == 0 ? random_below((uint)t.n + 1) : t.n;
    for (uint i = 0; i < t.reach; i++) {
        in0[i] = random_below(1u << 30);
        in1[i] = (clp_t1)random_below(1 << 15);
        flags[i] = random_below(8) < kept_of_8 ? (uchar)(1 + random_below(255)) : 0;
        written[i] = NOT_WRITTEN;
        out0[i] = GUARD;
        out1[i] = GUARD;
        indices[i] = GUARD;
    }
}

static void body(void) {
    KERNEL(in0, t.first0, out0, t.first_out, in1, t.first1, out1, t.first_out + 1, flags,
           t.first_flag, indices, t.first_out + 2, 0, 0, &count, 0, &total, t.room, t.most,
           state_words, tickets, t.number + 1, t.is_counted ? &counted_word : 0, 0);
}

static ulong count_kept(ulong begin, ulong n) {
    ulong kept = 0;
    for (ulong i = begin; i < begin + n; i++) kept += flags[t.first_flag + i] != 0;
    return kept;
}

/* Tiles that do not run have published, and taken tickets. */
static void publish_earlier(void) {
    tickets[0] = (uint)(t.earlier / CLP_TILE);
    for (ulong tile = 0; tile < tickets[0]; tile++) {
        const ulong tag = (t.number + 1) << 2 | CLP_AGGREGATE;
        state_words[tile] = tag << 32 | count_kept(tile * CLP_TILE, CLP_TILE);
    }
}

void run(void) {
    counted_word = t.n;
    total = count_kept(0, t.n);
    publish_earlier();
    launch_tiles(IS_WAVE && !t.is_refused ? t.n - t.earlier : t.most, body);
}

/* What the output that begins `shift` elements behind first_out has at element i. */
static uint written_at(ulong i, ulong shift) {
    const ulong begin = t.first_out + shift;
    return i < begin ? NOT_WRITTEN : written[i - begin];
}

bool is_right(void) {
    const ulong read = t.is_refused ? 0 : t.n;
    ulong kept = 0;
    CHECK(tickets[0] == 0);
    for (ulong i = 0; i < read; i++) {
        const bool keeps = flags[t.first_flag + i] != 0;
        const ulong place = keeps ? kept : total + i - kept, at = t.first_out + place;
        kept += keeps;
        if ((!keeps && !CLP_PARTITION) || place >= t.room || i < t.earlier) continue;
        written[place] = keeps ? KEPT : REJECTED;
        CHECK(out0[at] == in0[t.first0 + i]);
        CHECK(out1[at + 1] == in1[t.first1 + i]);
        if (keeps && CLP_INDICES) CHECK(indices[at + 2] == (CLP_INDEX)i);
    }
    CHECK(count == (t.is_refused ? CLP_REFUSED : kept));
    for (ulong i = 0; i < t.reach; i++) {
        if (written_at(i, 0) == NOT_WRITTEN) CHECK(out0[i] == GUARD);
        if (written_at(i, 1) == NOT_WRITTEN) CHECK(out1[i] == GUARD);
        if (!CLP_INDICES || written_at(i, 2) != KEPT) CHECK(indices[i] == GUARD);
    }
    return true;
}
