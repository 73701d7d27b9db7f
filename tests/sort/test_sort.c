/* SPDX-License-Identifier: MIT */
/* Sort beside its definition: types, orders, windows, payloads, indices, sizes and places. */
#include "core/test_hooks.h"
#include "fixtures/sort_cases.h"
#include "sort/sort_suite.h"
#include "subjects/runs/subject_counted.h"

/* A way of sorting: small parts and tiles, so that few keys take many. */
typedef struct way {
    const char *name;
    clprims_sort_algorithm algorithm;
    const char *tuning;
    const char *small; /* the same for the small tier */
    size_t tile; /* around which sizes are interesting */
} way;

/* The last one's kernel for few keys is one that takes long to compile. An interpreter needs few
 * digits. */
static const way ways[] = {
    {"parts", CLPRIMS_SORT_SERIAL, "PARTS=3 SINGLE=20 LINE=16 STREAM=0 BITS=6",
     "PARTS=3 SINGLE=20 LINE=16 STREAM=0 BITS=5", 12},
    {"tiles", CLPRIMS_SORT_COUNT_SCATTER, "GROUP=64 ITEMS=3 SINGLE=0 PARTS=2",
     "GROUP=8 ITEMS=3 SINGLE=0 PARTS=2 BITS=5", 24},
    {"wide", CLPRIMS_SORT_SERIAL, "PARTS=2 SINGLE=0 LINE=8 BITS=11",
     "PARTS=2 SINGLE=0 LINE=8 BITS=6", 16},
    {"narrow", CLPRIMS_SORT_COUNT_SCATTER, "GROUP=4 ITEMS=5 SINGLE=0 PARTS=3 BITS=4",
     "GROUP=4 ITEMS=5 SINGLE=0 PARTS=3 BITS=4", 20},
    {"group", CLPRIMS_SORT_COUNT_SCATTER, "GROUP=4 ITEMS=5 SINGLE=19 PARTS=3",
     "GROUP=4 ITEMS=5 SINGLE=19 PARTS=3 BITS=5", 20},
    {"onesweep-small", CLPRIMS_SORT_ONESWEEP, "RANKERS=9 ITEMS=10 SINGLE=0 SMALL=5024", NULL, 2880},
    {"onesweep", CLPRIMS_SORT_ONESWEEP, "RANKERS=8 ITEMS=4 SINGLE=0", NULL, 1024},
    {"onesweep-larger", CLPRIMS_SORT_ONESWEEP, "RANKERS=9 ITEMS=8 SINGLE=0", NULL, 2304},
};
enum { WAYS = sizeof ways / sizeof ways[0], FEW = 4, ONESWEEPS = 3 };

/* On NVIDIA's layer, where no plan compiles for long, every way takes all cases. */
static bool has_onesweep(void) {
    return test_info().layer == CLPRIMS_LAYER_NVIDIA;
}

static bool is_onesweep(const way *how) {
    return how->algorithm == CLPRIMS_SORT_ONESWEEP;
}

static size_t way_count(void) {
    return has_onesweep() ? WAYS : WAYS - ONESWEEPS;
}

static const way chosen = {"chosen", CLPRIMS_SORT_AUTO, NULL, NULL, 24};

static sort_case describe(clprims_type type, const way *how, size_t n) {
    sort_case c;
    memset(&c, 0, sizeof c);
    const clprims_sort_desc init = {0};
    c.desc = init;
    c.desc.type = type;
    c.desc.max_n = n > 3000 ? n : 3000;
    c.desc.algorithm = how->algorithm;
    c.desc.tuning = test_small() ? how->small : how->tuning;
    c.least_n = c.most_n = n;
    return c;
}

static void add_case(test_cases *cases, const sort_case *c, const way *how, const char *what) {
    const clprims_sort_desc *d = &c->desc;
    test_add_row(cases, sort_is_right, *c, "sort/%s/%s/%s%s/%s/n=%zu%s%s%s", what,
                 clprims_type_name(d->type), how->name, d->descending ? "/descending" : "",
                 sort_data_names[c->data], c->most_n, c->keys_in_place ? "/in-place" : "",
                 c->first > 0 ? "/first" : "", c->by_run ? "/run" : "");
}

/* All data of one description, and its ways of being called. */
static void add_data(test_cases *cases, sort_case c, const way *how, const char *what) {
    for (int data = 0; data < SORT_DATA_KINDS; data++) {
        if (test_small() && data != SORT_SPRINKLED && data != SORT_ALIKE) continue;
        c.data = (sort_data)data;
        c.keys_in_place = data % 2 == 1;
        c.payloads_in_place = data % 3 == 1;
        c.first = (size_t)data % 4;
        add_case(cases, &c, how, what);
    }
    c.data = SORT_SPRINKLED;
    c.by_run = true;
    add_case(cases, &c, how, what);
}

/* What the default tier leaves to the long one: each plan compiles for seconds. Windows, floats and
 * payloads have plans of these types. */
static bool is_later(clprims_type type) {
    return type == CLPRIMS_I64 || type == CLPRIMS_U8 || type == CLPRIMS_U16 || type == CLPRIMS_F64;
}

static void add_types(test_cases *cases) {
    for (int type = CLPRIMS_I8; type <= CLPRIMS_F64; type++) {
        for (size_t w = 0; w < way_count(); w++) {
            const bool short_key = clprims_type_bytes((clprims_type)type) <= 2;
            const size_t turn = type == CLPRIMS_F32 ? 1 : short_key ? FEW * (size_t)(type % 2) : 0;
            const bool now = w == turn && !is_later((clprims_type)type);
            if (!test_long() && !now && !is_onesweep(&ways[w])) continue;
            const size_t n = is_onesweep(&ways[w]) ? 9001 : test_small() ? 50 : 700;
            sort_case c = describe((clprims_type)type, &ways[w], n);
            c.desc.descending = (type / 2 + (int)w) % 2;
            c.desc.payloads = ((size_t)type + w) % 3 == 0;
            c.desc.payload_bytes[0] = 4;
            add_data(cases, c, &ways[w], "types");
        }
    }
}

static void add_float(test_cases *cases, int floats, clprims_type type, const way *how) {
    static const char *const names[] = {"nan-last", "nan-by-bits", "total-order"};
    sort_case c = describe(type, how, is_onesweep(how) ? 5003 : test_small() ? 50 : 500);
    c.desc.floats = (clprims_sort_floats)floats;
    c.desc.descending = floats != 1;
    c.desc.indices = how == &ways[WAYS - 1] ? CLPRIMS_TYPE_DEFAULT : CLPRIMS_I32;
    add_data(cases, c, how, names[floats]);
}

static void add_floats(test_cases *cases) {
    for (int floats = 0; floats <= CLPRIMS_SORT_TOTAL_ORDER; floats++) {
        for (int turn = 0; turn < 4; turn++) {
            if (!test_long() && (turn != (floats == 0 ? 2 : 0) || floats == 1)) continue;
            add_float(cases, floats, turn / 2 == 0 ? CLPRIMS_F32 : CLPRIMS_F64, &ways[turn % 2]);
        }
        for (int turn = 0; has_onesweep() && turn < 4; turn++) {
            add_float(cases, floats, turn / 2 == 0 ? CLPRIMS_F32 : CLPRIMS_F64,
                      &ways[WAYS - 1 - turn % 2]);
        }
    }
}

/* Windows of b bits between 0, b/3, 3b/4 and b. */
static void add_windows(test_cases *cases) {
    static const clprims_type types[] = {CLPRIMS_U32, CLPRIMS_I16, CLPRIMS_U8,
                                         CLPRIMS_F32, CLPRIMS_I64, CLPRIMS_U64};
    static const size_t windows[] = {4 * 1 + 2, 4 * 0 + 2, 4 * 1 + 3,
                                     4 * 2 + 3, 4 * 0 + 1, 4 * 0 + 2};
    for (size_t t = 0; t < (test_long() ? 6 : 4); t++) {
        const unsigned b = 8 * (unsigned)clprims_type_bytes(types[t]);
        const unsigned ends[] = {0, b / 3, 3 * b / 4, b};
        for (size_t i = 0; i < 4; i++) {
            for (size_t j = i + 1; j < 4; j++) {
                if (!test_long() && !has_onesweep() && 4 * i + j != windows[t]) continue;
                const size_t others = test_long() ? WAYS - ONESWEEPS : 3;
                const way *how =
                    has_onesweep() ? &ways[WAYS - 1 - (i + j) % 2] : &ways[(i + j + t) % others];
                sort_case c = describe(types[t], how, test_small() ? 50 : 400);
                char name[32];
                c.desc.begin_bit = ends[i];
                c.desc.end_bit = ends[j];
                c.desc.descending = (int)(j % 2);
                c.desc.floats = CLPRIMS_SORT_NAN_BY_BITS;
                c.desc.indices = CLPRIMS_I64;
                snprintf(name, sizeof name, "bits=%u-%u", ends[i], ends[j]);
                add_data(cases, c, how, name);
            }
        }
    }
}

/* Payloads of every size, the indices beside them, and what is left out. */
static void add_arrays(test_cases *cases) {
    static const size_t bytes[][CLPRIMS_SORT_PAYLOADS] = {{1, 2, 4, 8},     {16, 3, 12, 0},
                                                          {6, 0, 0, 0},     {5, 7, 0, 0},
                                                          {10, 14, 15, 16}, {256, 33, 96, 128}};
    for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++) {
        for (size_t w = 0; w < way_count(); w++) {
            const bool now = w == (i % 5 == 1) && i != 2 && i != 3;
            /* On a GPU work-items have no room for lines of wide payloads, and onesweep none for
             * tiles of them. */
            const bool by_tiles_alone = bytes[i][0] > 16 && has_onesweep();
            if (by_tiles_alone && ways[w].algorithm != CLPRIMS_SORT_COUNT_SCATTER) continue;
            if (!test_long() && !now && !by_tiles_alone && !is_onesweep(&ways[w])) continue;
            sort_case c = describe(CLPRIMS_U16, &ways[w], test_small() ? 60 : 300);
            memcpy(c.desc.payload_bytes, bytes[i], sizeof bytes[i]);
            while (c.desc.payloads < CLPRIMS_SORT_PAYLOADS && bytes[i][c.desc.payloads] > 0) {
                c.desc.payloads++;
            }
            c.desc.no_keys = i % 2 == 1;
            if (i % 3 == 0) c.desc.indices = CLPRIMS_U32;
            add_data(cases, c, &ways[w], "payloads");
        }
    }
    for (size_t w = 0; w < way_count(); w++) {
        if (w >= 2 && !is_onesweep(&ways[w])) continue;
        sort_case c =
            describe(w % 2 == 0 ? CLPRIMS_U64 : CLPRIMS_I16, &ways[w], test_small() ? 60 : 500);
        c.desc.indices = w % 2 == 0 ? CLPRIMS_I64 : CLPRIMS_I32;
        c.desc.no_keys = 1;
        c.desc.descending = 1;
        add_data(cases, c, &ways[w], "argsort");
    }
}

/* Every n up to three small tiles, and around thresholds, by plans whose max_n is far beyond. */
static void add_sizes(test_cases *cases) {
    for (size_t w = 0; w < way_count(); w++) {
        const size_t usual = test_small() ? 40 : 10;
        const size_t step = is_onesweep(&ways[w]) ? 251 : usual; /* some meet a tile's end */
        for (int in_place = 0; in_place < 2; in_place++) {
            sort_case c = describe(w == FEW ? CLPRIMS_U16 : CLPRIMS_U32, &ways[w], 0);
            c.desc.max_n = 3000 + 4 * ways[w].tile;
            c.desc.indices = CLPRIMS_I32;
            c.desc.payloads = 1;
            c.desc.payload_bytes[0] = 2;
            c.keys_in_place = c.payloads_in_place = in_place != 0;
            c.data = SORT_REVERSED; /* parts of one key each, which all differ */
            c.most_n = 5;
            add_case(cases, &c, &ways[w], "sizes");
            c.data = SORT_LOW_ENTROPY;
            for (size_t least = 0; least < 3 * ways[w].tile + 10; least += step) {
                c.least_n = least;
                c.most_n = least + (test_small() ? 3 : 9);
                add_case(cases, &c, &ways[w], "sizes");
            }
        }
    }
}

/* Keys in order, of which two neighbours may change places: wherever these are, passes have
 * something to do. */
static void add_orders(test_cases *cases) {
    for (size_t w = 0; w < 2 * way_count(); w++) {
        const way *how = &ways[w / 2];
        const size_t step = is_onesweep(how) ? 251 : 1;
        sort_case c = describe(w / 2 == FEW ? CLPRIMS_U16 : CLPRIMS_U32, how, 0);
        c.desc.max_n = 10000 + 4 * how->tile;
        c.desc.indices = CLPRIMS_I32;
        c.desc.payloads = 1;
        c.desc.payload_bytes[0] = 2;
        c.data = w % 2 == 0 ? SORT_SORTED : SORT_ALL_BUT_ONE;
        for (size_t places = 0; places < (test_small() ? 2 : 5); places++) {
            c.keys_in_place = c.payloads_in_place = places % 2 == 1;
            c.least_n = 21 + places * 9 * step;
            c.most_n = c.least_n + (test_small() ? 2 : 39);
            c.first = places % 3;
            add_case(cases, &c, how, "orders");
        }
    }
}

/* The shapes that the library chooses, around where one work-group no longer sorts all. */
static void add_chosen(test_cases *cases) {
    static const size_t sizes[] = {1,     100,   3839,  3840,  3841,  8191,   8192,   8193,
                                   12288, 12289, 16383, 16384, 16385, 100003, 1000003};
    static const clprims_type types[] = {CLPRIMS_U32, CLPRIMS_F64, CLPRIMS_I8};
    for (size_t t = 0; t < (test_long() ? 3 : 2); t++) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            const bool large = sizes[i] > 100000;
            if ((test_small() && sizes[i] > 100) || (large && t > 0 && !test_long())) continue;
            sort_case c = describe(types[t], &chosen, sizes[i]);
            c.desc.max_n = 1000003;
            c.data = t == 0 ? SORT_RANDOM : SORT_SPRINKLED;
            c.desc.payloads = t;
            c.desc.payload_bytes[0] = 8;
            c.desc.payload_bytes[1] = 2;
            c.first = i % 2;
            add_case(cases, &c, &chosen, "chosen");
            c.keys_in_place = c.payloads_in_place = true;
            add_case(cases, &c, &chosen, "chosen");
        }
    }
}

/* By plans of its own, which have what the library has for tests alone. */
static void is_right_with(const void *data, clp_test_hooks hooks) {
    subject_forget_plans();
    clp_test_hooks_set(&hooks);
    sort_is_right(data);
    clp_test_hooks_set(NULL);
    subject_forget_plans();
}

/* As plans of more than 2^32 keys have them, whose scratch few devices have room for. */
static void counts_have_64_bits(const void *data) {
    is_right_with(data, (clp_test_hooks){.wide_counts = 1});
}

static void add_wide_counts(test_cases *cases) {
    for (size_t w = 0; w < way_count(); w++) {
        if (w >= 2 && !is_onesweep(&ways[w])) continue;
        sort_case c = describe(CLPRIMS_U8, &ways[w], test_small() ? 60 : 9000);
        test_add_row(cases, counts_have_64_bits, c, "sort/wide-counts/%s", ways[w].name);
    }
}

/* As on a device that serves local atomics in another order. */
static void atomics_are_out_of_order(const void *data) {
    is_right_with(data, (clp_test_hooks){.disorder = 1});
}

static void add_disorder(test_cases *cases) {
    static const clprims_type types[] = {CLPRIMS_U32, CLPRIMS_F32, CLPRIMS_I64, CLPRIMS_I16};
    static const sort_data kinds[] = {SORT_RANDOM, SORT_LOW_ENTROPY, SORT_SPRINKLED};
    for (size_t i = 0; has_onesweep() && i < 36; i++) {
        const way *how = i % 3 == 2 ? &chosen : &ways[WAYS - 1 - i % 3];
        sort_case c = describe(types[i / 3 % 4], how, i < 18 ? 20000 + i : 500 * i);
        c.desc.payloads = i / 6 % 2;
        c.desc.payload_bytes[0] = 2 + i % 9;
        c.desc.descending = i % 5 == 0;
        c.data = kinds[i % 3];
        test_add_row(cases, atomics_are_out_of_order, c, "sort/disorder/%s/%s/%s/n=%zu%s",
                     clprims_type_name(c.desc.type), how->name, sort_data_names[c.data], c.most_n,
                     c.desc.descending ? "/descending" : "");
    }
}

/* Each third tile of each pass publishes late: others look again, and none goes on too early. */
static void tiles_are_late(const void *data) {
    is_right_with(data, (clp_test_hooks){.delay = 3});
}

static void add_late_tiles(test_cases *cases) {
    static const clprims_type types[] = {CLPRIMS_U32, CLPRIMS_F64, CLPRIMS_U16};
    for (size_t i = 0; has_onesweep() && i < 12; i++) {
        const way *how = i % 4 == 3 ? &chosen : &ways[WAYS - 1 - i % 2];
        sort_case c = describe(types[i % 3], how, i % 4 == 3 ? 3000000 : 200000 + i);
        c.desc.payloads = i / 3 % 2;
        c.desc.payload_bytes[0] = 4;
        c.keys_in_place = c.payloads_in_place = i / 6 == 1;
        c.data = i % 2 == 0 ? SORT_RANDOM : SORT_FEW;
        test_add_row(cases, tiles_are_late, c, "sort/late-tiles/%s/%s/%s/n=%zu",
                     clprims_type_name(c.desc.type), how->name, sort_data_names[c.data], c.most_n);
    }
}

/* Few keys: around what a network of one work-group sorts, and what tiles hold. */
static void add_networks(test_cases *cases) {
    static const clprims_type types[] = {CLPRIMS_U32, CLPRIMS_F32, CLPRIMS_I16,
                                         CLPRIMS_U64, CLPRIMS_F64, CLPRIMS_I8};
    static const size_t sizes[] = {1,     2,     127,   128,   129,   1023,  1024,
                                   1025,  2047,  2048,  2049,  4097,  16385, 27649,
                                   32768, 32769, 49152, 49153, 65536, 65537};
    static const sort_data kinds[] = {SORT_RANDOM, SORT_SPRINKLED, SORT_ALIKE, SORT_FEW,
                                      SORT_REVERSED};
    for (size_t i = 0; has_onesweep() && i < 6 * 4 * 20; i++) {
        const size_t kind = i / 20;
        sort_case c = describe(types[kind % 6], &chosen, sizes[i % 20]);
        c.desc.max_n = 70000;
        c.desc.descending = kind % 4 == 1;
        c.desc.payloads = kind / 6 % 2;
        c.desc.payload_bytes[0] = 4;
        if (kind / 6 == 2) c.desc.indices = CLPRIMS_I32;
        c.desc.no_keys = kind / 6 == 2 && kind % 2 == 0;
        if (kind / 6 == 3) {
            c.desc.end_bit = 7;
            c.desc.floats = CLPRIMS_SORT_NAN_BY_BITS;
        }
        c.data = kinds[i % 5];
        c.first = i % 4;
        c.keys_in_place = !c.desc.no_keys && i % 2 == 1;
        c.payloads_in_place = i % 2 == 1;
        add_case(cases, &c, &chosen, "networks");
    }
}

/* One plan whose runs of up to 2^21 keys take smaller tiles, in turn with others. */
static void add_small_tiles(test_cases *cases) {
    static const size_t sizes[] = {3000000, 40000, 2097153, 2097152, 1000003, 3000000};
    static const clprims_type types[] = {CLPRIMS_U32, CLPRIMS_F64, CLPRIMS_I16};
    for (size_t i = 0; has_onesweep() && i < 3 * 6; i++) {
        sort_case c = describe(types[i / 6], &chosen, sizes[i % 6]);
        c.desc.max_n = 3000000;
        c.desc.payloads = i / 6;
        c.desc.payload_bytes[0] = 4;
        c.desc.payload_bytes[1] = 16;
        c.data = i % 4 == 3 ? SORT_FEW : SORT_RANDOM;
        c.first = i % 3;
        c.keys_in_place = c.payloads_in_place = i % 2 == 1;
        add_case(cases, &c, &chosen, "small-tiles");
    }
}

/* Keys of two bytes alone, which are written by their counts. */
static void add_short_keys(test_cases *cases) {
    static const size_t sizes[] = {1, 7, 20000, 65536, 200003};
    const way how = {"onesweep-counted", CLPRIMS_SORT_ONESWEEP, "SINGLE=0 COUNTED=0", NULL, 0};
    for (size_t i = 0; has_onesweep() && i < 2 * 2 * 5; i++) {
        sort_case c = describe(i % 2 == 0 ? CLPRIMS_I16 : CLPRIMS_U16, &how, sizes[i / 4]);
        c.desc.max_n = 200003;
        c.desc.descending = i / 2 % 2;
        c.first = i / 2 % 2; /* an odd place */
        for (int data = 0; data < SORT_DATA_KINDS; data++) {
            c.data = (sort_data)data;
            c.keys_in_place = data % 2 == 1;
            add_case(cases, &c, &how, "short-keys");
        }
    }
}

/* Numbers of keys that stand in device memory. */
static void add_counted_of(test_cases *cases, const way *how, size_t max_n) {
    sort_case c = describe(CLPRIMS_U32, how, 0);
    char name[64];
    c.desc.max_n = max_n;
    c.desc.payloads = 1;
    c.desc.payload_bytes[0] = 4;
    snprintf(name, sizeof name, "sort/counted/%s/max=%zu", how->name, max_n);
    subject_add_counted(cases, &subject_sort, &c.desc, how->tile, false, name);
    subject_add_counted(cases, &subject_sort, &c.desc, how->tile, true, name);
}

/* Distinct keys that are counted from 5000 keys on, and written by their counts if they are few;
 * not so of windows. */
static void add_distinct(test_cases *cases) {
    static const clprims_type types[] = {CLPRIMS_U32, CLPRIMS_F32, CLPRIMS_I64,
                                         CLPRIMS_F64, CLPRIMS_I32, CLPRIMS_U64};
    static const size_t sizes[] = {20000, 5000, 4999, 200003};
    static const way how = {"onesweep-distinct", CLPRIMS_SORT_ONESWEEP,
                            "RANKERS=8 ITEMS=4 SINGLE=0 DISTINCT=5000", NULL, 1024};
    for (size_t i = 0; has_onesweep() && i < 6 * 4; i++) {
        sort_case c = describe(types[i % 6], &how, sizes[i / 6]);
        c.desc.max_n = 200003;
        c.desc.descending = i % 6 >= 4;
        c.desc.floats = i / 6 % 2 == 0 ? CLPRIMS_SORT_TOTAL_ORDER : CLPRIMS_SORT_NAN_LAST;
        add_data(cases, c, &how, "distinct");
        if (i / 6 == 3) continue;
        c.data = i / 6 == 2 ? SORT_ALIKE : SORT_FEW;
        test_add_row(cases, counts_have_64_bits, c, "sort/distinct/wide-counts/%s/n=%zu",
                     clprims_type_name(c.desc.type), c.most_n);
        c.desc.begin_bit = 8;
        c.desc.floats = CLPRIMS_SORT_NAN_BY_BITS;
        add_case(cases, &c, &how, "distinct-window");
    }
    if (has_onesweep()) add_counted_of(cases, &how, 10000);
}

/* By many work-groups, and by one. */
static void add_counted(test_cases *cases) {
    for (size_t w = 0; w < way_count(); w++) {
        const way *how = &ways[w];
        if (w >= 2 && w != FEW && !is_onesweep(how)) continue;
        add_counted_of(cases, how, w == FEW ? 19 : 10 * how->tile);
    }
    if (has_onesweep()) add_counted_of(cases, &chosen, 3000);
}

/* What other libraries had wrong, each with the cases that would show it:
 *   CUB 353, a window without bits: sort/refusals/create/window/...
 *   CUB 258, 459, n near and beyond 2^32: sort/runs/n=4294967301; sort/wide-counts/...
 *   CCCL 4733, in == out: sort/.../in-place
 *   rocPRIM 775, a window up to the top bit: sort/bits=2-8/uint8/..., sort/bits=24-32/float32/...
 *   rocm-libraries 1368, tiles by the groups' numbers: sort/sizes/uint32/onesweep/...
 *   oneDPL 2713, order of -0.0 and +0.0: sort/nan-last/float64/.../zeros
 *   Boost.Compute 588, equal keys, descending: sort/argsort/.../descending/few
 *   VkRadixSort, other widths of sub-groups: all, as the tests of each device layer have them
 */
static void add_cases(test_cases *cases) {
    add_types(cases);
    add_floats(cases);
    add_windows(cases);
    add_arrays(cases);
    add_sizes(cases);
    add_orders(cases);
    add_chosen(cases);
    add_wide_counts(cases);
    sort_add_large(cases);
    add_disorder(cases);
    add_late_tiles(cases);
    add_networks(cases);
    add_short_keys(cases);
    add_distinct(cases);
    add_small_tiles(cases);
    add_counted(cases);
    sort_add_expressions(cases);
    sort_add_refusals(cases);
}

int main(int argc, char **argv) {
    return test_main(argc, argv, add_cases);
}
