/* SPDX-License-Identifier: MIT */
/* Compressed machine code; digests. */
#include "store/compress.h"
#include "store/packs_cases.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 200000, GUARD = 0xA5 };

/* Bytes that come again at distances of up to `reach`, in runs of up to `run`. */
typedef struct bytes_row {
    const char *name;
    size_t count, reach, run;
} bytes_row;

static const bytes_row bytes_rows[] = {{"far", MOST, 70000, 300},  {"near", MOST, 64, 20},
                                       {"one", MOST, 1, 5000},     {"short", 5000, 5000, 12},
                                       {"thousand", 1000, 16, 40}, {"twelve", 12, 1, 12},
                                       {"thirteen", 13, 1, 13},    {"window", 140000, 65536, 9}};

static uint8_t *draw_bytes(const bytes_row *row) {
    uint8_t *bytes = test_scratch(row->count, 1);
    for (size_t at = 0; at < row->count;) {
        const size_t back = 1 + (size_t)test_random_below(row->reach);
        const size_t run = 1 + (size_t)test_random_below(row->run);
        if (back > at || test_random_below(4) == 0) {
            bytes[at++] = (uint8_t)test_random_below(256);
            continue;
        }
        for (size_t i = 0; i < run && at < row->count; i++, at++) bytes[at] = bytes[at - back];
    }
    return bytes;
}

/* What was compressed comes back; what is cut does not, and no byte behind the end is touched. */
static void round_trip(const void *data) {
    const bytes_row *row = data;
    const uint8_t *bytes = draw_bytes(row);
    uint8_t *small = test_scratch(row->count + 1, 1), *again = test_scratch(row->count + 1, 1);
    small[row->count] = again[row->count] = GUARD;
    const size_t count = clp_compress((clp_span){bytes, row->count}, small);
    test_note("%zu of %zu bytes", count, row->count);
    assert_int_equal(small[row->count], GUARD);
    assert_true(count < row->count && (count > 0 || row->count < 14));
    if (count == 0) return;
    assert_true(clp_decompress((clp_span){small, count}, again, row->count));
    assert_memory_equal(again, bytes, row->count);
    for (size_t cut = 1; cut < count; cut += 1 + cut / 8) {
        assert_false(clp_decompress((clp_span){small, count - cut}, again, row->count));
        assert_false(clp_decompress((clp_span){small, count}, again, row->count - cut));
    }
    assert_false(clp_decompress((clp_span){small, count}, again, row->count + 1));
    assert_int_equal(again[row->count], GUARD);
}

/* Each byte damaged to each value, and the block cut everywhere: whatever comes back, it was read
 * and written within two allocations of just those bytes, as the address sanitizer sees. */
static void damaged(void) {
    static const bytes_row row = {"", 1500, 700, 30};
    uint8_t *small = test_scratch(row.count, 1);
    const size_t count = clp_compress((clp_span){draw_bytes(&row), row.count}, small);
    uint8_t *block = malloc(count), *again = malloc(row.count);
    assert_true(count > 0 && block != NULL && again != NULL);
    memcpy(block, small, count);
    for (size_t i = 0; i < count; i++) {
        for (unsigned change = 1; change < 256; change++) {
            block[i] = (uint8_t)(small[i] ^ change);
            (void)clp_decompress((clp_span){block, count}, again, row.count);
        }
        block[i] = small[i];
    }
    assert_true(clp_decompress((clp_span){block, count}, again, row.count));
    for (size_t cut = 1; cut <= count; cut++) {
        memcpy(block + cut, small, count - cut);
        assert_false(clp_decompress((clp_span){block + cut, count - cut}, again, row.count));
    }
    free(block);
    free(again);
}

/* Noise is left as it is. */
static void noise(void) {
    uint8_t *bytes = test_scratch(MOST, 1), *small = test_scratch(MOST, 1);
    for (size_t i = 0; i < MOST; i++) bytes[i] = (uint8_t)test_random_below(256);
    assert_int_equal(clp_compress((clp_span){bytes, MOST}, small), 0);
    assert_int_equal(clp_compress((clp_span){bytes, 0}, small), 0);
}

/* By LZ4's description of its blocks: 3 literals, 5 bytes at a distance of 3, 300 literals. */
static void format(void) {
    uint8_t block[320] = {0x31, 'a', 'b', 'c', 3, 0, 0xF0, 255, 30}, out[308];
    for (size_t i = 0; i < 300; i++) block[9 + i] = (uint8_t)i;
    assert_true(clp_decompress((clp_span){block, 309}, out, sizeof out));
    assert_memory_equal(out, "abcabcab", 8);
    assert_memory_equal(out + 8, block + 9, 300);
    block[4] = 4;
    assert_false(clp_decompress((clp_span){block, 309}, out, sizeof out));
    block[4] = 0;
    assert_false(clp_decompress((clp_span){block, 309}, out, sizeof out));
}

/* ---- Digests ---- */

/* Of FIPS 180-4's examples, and of the empty text. */
typedef struct digest_row {
    const char *name, *text, *digest;
} digest_row;

static const digest_row digest_rows[] = {
    {"empty", "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"one-block", "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"two-blocks", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"}};

/* Whatever spans the text is cut into. */
static void digest(const void *data) {
    const digest_row *row = data;
    const size_t length = strlen(row->text);
    for (size_t cut = 0; cut <= length; cut++) {
        const clp_span spans[] = {{row->text, cut}, {row->text + cut, length - cut}};
        const clp_digest found = clp_digest_of(spans, 2);
        char text[CLP_DIGEST_CHARS];
        clp_digest_print(&found, text);
        assert_string_equal(text, row->digest);
    }
}

void store_add_compressed(test_cases *cases) {
    test_add_rows(cases, digest, digest_rows, "store/digest");
    test_add_rows(cases, round_trip, bytes_rows, "store/compressed");
    test_add_plain(cases, damaged, "store/compressed/damaged");
    test_add_plain(cases, noise, "store/compressed/noise");
    test_add_plain(cases, format, "store/compressed/format");
}
