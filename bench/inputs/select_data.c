/* SPDX-License-Identifier: MIT */
/* Inputs of selections: random elements, flags and runs, the same in every run. */
#include "inputs/select_data.h"
#include "harness/bench.h"
#include <stdlib.h>

const select_case select_cases[] = {
    {"uint32 predicate 1 %", CLPRIMS_U32, CLPRIMS_SELECT_PREDICATE, 0.01, false, PEER_SELECT_IF},
    {"uint32 predicate 50 %", CLPRIMS_U32, CLPRIMS_SELECT_PREDICATE, 0.5, false, PEER_SELECT_IF},
    {"uint32 predicate 100 %", CLPRIMS_U32, CLPRIMS_SELECT_PREDICATE, 1, false, PEER_SELECT_IF},
    {"uint32 flags 1 %", CLPRIMS_U32, CLPRIMS_SELECT_FLAGS, 0.01, false, PEER_SELECT_FLAGGED},
    {"uint32 flags 50 %", CLPRIMS_U32, CLPRIMS_SELECT_FLAGS, 0.5, false, PEER_SELECT_FLAGGED},
    {"uint32 flags 100 %", CLPRIMS_U32, CLPRIMS_SELECT_FLAGS, 1, false, PEER_SELECT_FLAGGED},
    {"uint8 predicate 50 %", CLPRIMS_U8, CLPRIMS_SELECT_PREDICATE, 0.5, false, PEER_SELECT_IF},
    {"uint16 predicate 50 %", CLPRIMS_U16, CLPRIMS_SELECT_PREDICATE, 0.5, false, PEER_SELECT_IF},
    {"uint64 predicate 50 %", CLPRIMS_U64, CLPRIMS_SELECT_PREDICATE, 0.5, false, PEER_SELECT_IF},
    {"uint32 unique 1", CLPRIMS_U32, CLPRIMS_SELECT_RUNS, 1, false, PEER_UNIQUE},
    {"uint32 unique 8", CLPRIMS_U32, CLPRIMS_SELECT_RUNS, 1.0 / 8, false, PEER_UNIQUE},
    {"uint32 unique 100", CLPRIMS_U32, CLPRIMS_SELECT_RUNS, 0.01, false, PEER_UNIQUE},
    {"uint32 run lengths 8", CLPRIMS_U32, CLPRIMS_SELECT_RUNS, 1.0 / 8, true, PEER_ENCODE},
};
const size_t select_case_count = sizeof select_cases / sizeof *select_cases;

static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
    return x ^ (x >> 32);
}

uint64_t select_limit(const select_case *what) {
    const unsigned bits = 8 * (unsigned)clprims_type_bytes(what->type);
    const uint64_t most = ~(uint64_t)0 >> (64 - bits);
    if (what->share >= 1) return most;
    return (uint64_t)(what->share * ((double)most + 1));
}

uint64_t select_next(select_stream *stream) {
    const select_case *what = stream->what;
    const uint64_t random = mix(stream->made++);
    const unsigned bits = 8 * (unsigned)clprims_type_bytes(what->type);
    uint64_t x = random >> (64 - bits);
    const bool chosen = what->share >= 1 || (double)(mix(random) >> 11) < what->share * 0x1p53;
    switch (what->by) {
    case CLPRIMS_SELECT_RUNS:
        stream->keeps = stream->made == 1 || chosen;
        stream->run += stream->keeps;
        return stream->run * 2654435761u; /* odd: neighbours differ in 32 bits */
    case CLPRIMS_SELECT_FLAGS:
        stream->keeps = chosen;
        return x;
    default:
        if (what->share >= 1 && x == select_limit(what)) x--;
        stream->keeps = x < select_limit(what);
        return x;
    }
}

/* ---- Chunks ---- */

select_stream select_chunk(const select_input *input, size_t chunk) {
    return (select_stream){input->what, (uint64_t)chunk * BENCH_CHUNK, input->kept[chunk], false};
}

/* Leaves what a chunk itself has where the next one's sum will be. The number of the run does not
 * matter here. */
static void count_chunk(void *self, size_t chunk) {
    select_input *input = self;
    const size_t first = chunk * BENCH_CHUNK, rest = input->n - first;
    const size_t end = first + (rest < BENCH_CHUNK ? rest : BENCH_CHUNK);
    select_stream stream = {input->what, first, 0, false};
    size_t kept = 0, head = 0;
    for (size_t i = first; i < end; i++) {
        select_next(&stream);
        kept += stream.keeps;
        if (stream.keeps) head = i + 1;
    }
    input->kept[chunk + 1] = kept;
    input->head[chunk + 1] = head;
}

void select_input_make(select_input *input, const select_case *what, size_t n) {
    const size_t chunks = (n + BENCH_CHUNK - 1) / BENCH_CHUNK;
    *input = (select_input){what, n, NULL, NULL};
    input->kept = bench_alloc((chunks + 1) * sizeof *input->kept);
    input->head = bench_alloc((chunks + 1) * sizeof *input->head);
    input->kept[0] = input->head[0] = 0;
    bench_each_part(chunks, count_chunk, input);
    for (size_t c = 0; c < chunks; c++) {
        input->kept[c + 1] += input->kept[c];
        if (input->head[c + 1] == 0) input->head[c + 1] = input->head[c];
    }
}

void select_input_free(select_input *input) {
    free(input->kept);
    free(input->head);
}
