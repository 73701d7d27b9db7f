/* SPDX-License-Identifier: MIT */
/*
 * Descriptions that differ between ranks. The digests of all descriptions are compared for a change
 * of each byte of each member, of each text and of each value behind a pointer; a member that these
 * tables lack leaves a gap. Some members are changed on one rank, whose plan none may get.
 */
#include "mpi/mpi_digest.h"
#include "mpi/ranks.h"

#include <stddef.h>
#include <string.h>

/* ---- Members ---- */

typedef enum nature {
    BYTES,
    TEXT,
    VALUE, /* a pointer to VALUE_BYTES */
    GIVEN, /* a pointer of which only counts whether it is NULL */
    OWN /* of a rank */
} nature;

typedef struct member {
    const char *name;
    size_t offset, bytes;
    nature nature;
} member;

enum { VALUE_BYTES = sizeof(uint32_t), MOST_BYTES = 512 };

#define MEMBER(kind, member, nature)                                                               \
    {                                                                                              \
#member, offsetof(clprims_##kind##_desc, member),                                          \
            sizeof(((clprims_##kind##_desc *)NULL)->member), nature                                \
    }
#define CUSTOM(kind, how)                                                                          \
    MEMBER(kind, custom.struct_size, OWN), MEMBER(kind, custom.op, TEXT),                          \
        MEMBER(kind, custom.declarations, TEXT), MEMBER(kind, custom.type_name, TEXT),             \
        MEMBER(kind, custom.type_bytes, BYTES), MEMBER(kind, custom.identity, how),                \
        MEMBER(kind, custom.commutative, BYTES)

static const member reduce_members[] = {
    MEMBER(reduce, struct_size, OWN),      MEMBER(reduce, type, BYTES),
    MEMBER(reduce, accumulator, BYTES),    MEMBER(reduce, op, BYTES),
    MEMBER(reduce, init, VALUE),           MEMBER(reduce, max_n, OWN),
    MEMBER(reduce, fast_floats, BYTES),    MEMBER(reduce, input, TEXT),
    MEMBER(reduce, no_input_array, BYTES), CUSTOM(reduce, VALUE),
    MEMBER(reduce, tuning, TEXT),          MEMBER(reduce, parameters, TEXT)};

static const member scan_members[] = {MEMBER(scan, struct_size, OWN),
                                      MEMBER(scan, type, BYTES),
                                      MEMBER(scan, accumulator, BYTES),
                                      MEMBER(scan, op, BYTES),
                                      MEMBER(scan, inclusive, BYTES),
                                      MEMBER(scan, init, VALUE),
                                      MEMBER(scan, max_n, OWN),
                                      MEMBER(scan, algorithm, BYTES),
                                      MEMBER(scan, fast_floats, BYTES),
                                      MEMBER(scan, input, TEXT),
                                      MEMBER(scan, no_input_array, BYTES),
                                      CUSTOM(scan, VALUE),
                                      MEMBER(scan, tuning, TEXT),
                                      MEMBER(scan, parameters, TEXT)};

static const member select_members[] = {MEMBER(select, struct_size, OWN),
                                        MEMBER(select, by, BYTES),
                                        MEMBER(select, arrays, BYTES),
                                        MEMBER(select, type, BYTES),
                                        MEMBER(select, no_values, BYTES),
                                        MEMBER(select, indices, BYTES),
                                        MEMBER(select, lengths, BYTES),
                                        MEMBER(select, partition, BYTES),
                                        MEMBER(select, predicate, TEXT),
                                        MEMBER(select, equal, TEXT),
                                        MEMBER(select, max_n, OWN),
                                        MEMBER(select, algorithm, BYTES),
                                        CUSTOM(select, GIVEN),
                                        MEMBER(select, tuning, TEXT),
                                        MEMBER(select, parameters, TEXT)};

static const member offsets_members[] = {
    MEMBER(offsets, struct_size, OWN), MEMBER(offsets, type, BYTES),
    MEMBER(offsets, counts, BYTES),    MEMBER(offsets, max_n, OWN),
    MEMBER(offsets, algorithm, BYTES), MEMBER(offsets, tuning, TEXT)};

static const member sort_members[] = {
    MEMBER(sort, struct_size, OWN),  MEMBER(sort, type, BYTES),
    MEMBER(sort, descending, BYTES), MEMBER(sort, floats, BYTES),
    MEMBER(sort, begin_bit, BYTES),  MEMBER(sort, end_bit, BYTES),
    MEMBER(sort, payloads, BYTES),   MEMBER(sort, payload_bytes, BYTES),
    MEMBER(sort, indices, BYTES),    MEMBER(sort, no_keys, BYTES),
    MEMBER(sort, max_n, OWN),        MEMBER(sort, algorithm, BYTES),
    MEMBER(sort, tuning, TEXT),      MEMBER(sort, key, TEXT),
    MEMBER(sort, elements, BYTES),   CUSTOM(sort, GIVEN),
    MEMBER(sort, parameters, TEXT)};

static const member list_members[] = {
    MEMBER(list, struct_size, OWN), MEMBER(list, link, BYTES), MEMBER(list, result, BYTES),
    MEMBER(list, algorithm, BYTES), MEMBER(list, max_n, OWN),  MEMBER(list, tuning, TEXT)};

static const member minplus_members[] = {MEMBER(minplus, struct_size, OWN),
                                         MEMBER(minplus, type, BYTES),
                                         MEMBER(minplus, semiring, BYTES),
                                         MEMBER(minplus, accumulate, BYTES),
                                         MEMBER(minplus, argmin, BYTES),
                                         MEMBER(minplus, nonnegative, BYTES),
                                         MEMBER(minplus, no_edge, VALUE),
                                         MEMBER(minplus, custom.struct_size, OWN),
                                         MEMBER(minplus, custom.extend, TEXT),
                                         MEMBER(minplus, custom.combine, TEXT),
                                         MEMBER(minplus, custom.declarations, TEXT),
                                         MEMBER(minplus, custom.identity, VALUE),
                                         MEMBER(minplus, tuning, TEXT),
                                         MEMBER(minplus, max, OWN)};

static const member paths_members[] = {
    MEMBER(paths, struct_size, OWN),    MEMBER(paths, type, BYTES),    MEMBER(paths, max_n, OWN),
    MEMBER(paths, predecessors, BYTES), MEMBER(paths, no_edge, VALUE), MEMBER(paths, tuning, TEXT)};

/* ---- Digests ---- */

typedef enum kind { REDUCE, SCAN, SELECT, OFFSETS, SORT, LIST, MINPLUS, PATHS, KINDS } kind;

#define ROW(kind)                                                                                  \
    {                                                                                              \
#kind, kind##_members,                                                                     \
            sizeof kind##_members / sizeof kind##_members[0], sizeof(clprims_##kind##_desc)        \
    }
static const struct {
    const char *name;
    const member *members;
    size_t count, bytes;
} rows[KINDS] = {ROW(reduce), ROW(scan), ROW(select),  ROW(offsets),
                 ROW(sort),   ROW(list), ROW(minplus), ROW(paths)};

static uint64_t digest_of(kind k, const void *desc) {
    switch (k) {
    case REDUCE:
        return clp_mpi_digest_reduce(desc);
    case SCAN:
        return clp_mpi_digest_scan(desc);
    case SELECT:
        return clp_mpi_digest_select(desc);
    case OFFSETS:
        return clp_mpi_digest_offsets(desc);
    case SORT:
        return clp_mpi_digest_sort(desc);
    case LIST:
        return clp_mpi_digest_list(desc);
    case MINPLUS:
        return clp_mpi_digest_minplus(desc);
    default:
        return clp_mpi_digest_paths(desc);
    }
}

/* Each member is next to the one before, but for what aligns it. */
static void expect_no_gap(kind k) {
    const size_t aligned = sizeof(size_t);
    size_t end = 0;
    for (size_t m = 0; m < rows[k].count; m++) {
        const member *now = &rows[k].members[m];
        if (now->offset != end && (now->offset % aligned != 0 || now->offset - end >= aligned)) {
            test_fail("a member of clprims_%s_desc in front of %s is not in the table",
                      rows[k].name, now->name);
        }
        end = now->offset + now->bytes;
    }
    if (rows[k].bytes - end >= aligned) {
        test_fail("a member at the end of clprims_%s_desc is not in the table", rows[k].name);
    }
}

/* The digest after the member has been replaced is another one, or of a rank's own the same. */
static void expect_change(kind k, const void *desc, const member *m, const void *replacement) {
    _Alignas(16) unsigned char changed[MOST_BYTES];
    memcpy(changed, desc, rows[k].bytes);
    memcpy(changed + m->offset, replacement, m->bytes);
    if ((digest_of(k, changed) == digest_of(k, desc)) != (m->nature == OWN)) {
        test_fail("%s.%s: another one, and the digest is %s", rows[k].name, m->name,
                  m->nature == OWN ? "another one, too" : "the same");
    }
}

static void expect_changes(kind k, const unsigned char *desc, const member *m) {
    static const uint32_t others[4] = {1, 1u << 8, 1u << 16, 1u << 31};
    static const char *const texts[] = {NULL, "", "y", "xx"};
    const void *none = NULL;
    switch (m->nature) {
    case TEXT:
        for (size_t t = 0; t < 4; t++) expect_change(k, desc, m, &texts[t]);
        return;
    case VALUE:
        for (size_t v = 0; v < 4; v++) {
            const void *other = &others[v];
            expect_change(k, desc, m, &other);
        }
        expect_change(k, desc, m, &none);
        return;
    case GIVEN:
        expect_change(k, desc, m, &none);
        return;
    default:
        for (size_t b = 0; b < m->bytes; b++) {
            unsigned char bytes[64];
            memcpy(bytes, desc + m->offset, m->bytes);
            bytes[b] ^= 1;
            expect_change(k, desc, m, bytes);
        }
    }
}

static void set(kind k, unsigned char *desc, const char *name, int value) {
    for (size_t m = 0; m < rows[k].count; m++) {
        if (strcmp(rows[k].members[m].name, name) != 0) continue;
        memcpy(desc + rows[k].members[m].offset, &value, sizeof value);
    }
}

static void members_are_digested(const void *data) {
    const kind k = *(const kind *)data;
    static const uint32_t values[64] = {0};
    static const char *const text = "x";
    _Alignas(16) unsigned char desc[MOST_BYTES] = {0};
    const void *value = values;
    expect_no_gap(k);
    for (size_t m = 0; m < rows[k].count; m++) {
        const member *now = &rows[k].members[m];
        if (now->nature == TEXT) memcpy(desc + now->offset, &text, sizeof text);
        if (now->nature == VALUE || now->nature == GIVEN) {
            memcpy(desc + now->offset, &value, sizeof value);
        }
    }
    set(k, desc, "type", CLPRIMS_U32);
    set(k, desc, "op", CLPRIMS_CUSTOM);
    set(k, desc, "semiring", CLPRIMS_SEMIRING_CUSTOM);
    for (size_t m = 0; m < rows[k].count; m++) expect_changes(k, desc, &rows[k].members[m]);
}

/* ---- Ranks ---- */

static const uint32_t zero = 0, three = 3;
static const int32_t edge = 1000, other_edge = 2000;

typedef union any_desc {
    clprims_reduce_desc reduce;
    clprims_scan_desc scan;
    clprims_select_desc select;
    clprims_offsets_desc offsets;
    clprims_sort_desc sort;
    clprims_list_desc list;
    clprims_minplus_desc minplus;
    clprims_paths_desc paths;
} any_desc;

static void describe(kind k, any_desc *d) {
    switch (k) {
    case REDUCE:
        d->reduce = (clprims_reduce_desc)CLPRIMS_REDUCE_DESC_INIT;
        d->reduce.type = CLPRIMS_U32;
        d->reduce.op = CLPRIMS_CUSTOM;
        d->reduce.custom.op = "a + b";
        d->reduce.custom.identity = &zero;
        d->reduce.init = &zero;
        d->reduce.max_n = 10;
        return;
    case SCAN:
        d->scan = (clprims_scan_desc)CLPRIMS_SCAN_DESC_INIT;
        d->scan.type = CLPRIMS_U32;
        d->scan.op = CLPRIMS_CUSTOM;
        d->scan.custom.op = "a + b";
        d->scan.custom.identity = &zero;
        d->scan.init = &zero;
        d->scan.max_n = 10;
        return;
    case SELECT:
        d->select = (clprims_select_desc)CLPRIMS_SELECT_DESC_INIT;
        d->select.by = CLPRIMS_SELECT_NONZERO;
        d->select.arrays = 1;
        d->select.type[0] = CLPRIMS_U32;
        d->select.indices = CLPRIMS_U32;
        d->select.max_n = 10;
        return;
    case OFFSETS:
        d->offsets = (clprims_offsets_desc)CLPRIMS_OFFSETS_DESC_INIT;
        d->offsets.type = CLPRIMS_I64;
        d->offsets.max_n = 10;
        return;
    case SORT:
        d->sort = (clprims_sort_desc)CLPRIMS_SORT_DESC_INIT;
        d->sort.type = CLPRIMS_U32;
        d->sort.payloads = 1;
        d->sort.payload_bytes[0] = 4;
        d->sort.max_n = 10;
        return;
    case LIST:
        d->list = (clprims_list_desc)CLPRIMS_LIST_DESC_INIT;
        d->list.link = CLPRIMS_I64;
        d->list.max_n = 10;
        return;
    case MINPLUS:
        d->minplus = (clprims_minplus_desc)CLPRIMS_MINPLUS_DESC_INIT;
        d->minplus.type = CLPRIMS_I32;
        d->minplus.no_edge = &edge;
        d->minplus.max = (clprims_minplus_size){1, 1, 1, 1};
        return;
    default:
        d->paths = (clprims_paths_desc)CLPRIMS_PATHS_DESC_INIT;
        d->paths.type = CLPRIMS_I32;
        d->paths.no_edge = &edge;
        d->paths.max_n = 1;
    }
}

static clprims_status create(kind k, const any_desc *d) {
    void *plan = NULL;
    clprims_mpi *mpi = ranks_mpi();
    clprims_status status = CLPRIMS_OK;
#define CREATE(room, name)                                                                         \
    case room: {                                                                                   \
        clprims_mpi_##name *made = NULL;                                                           \
        status = clprims_mpi_##name##_create(&made, mpi, &d->name);                                \
        clprims_mpi_##name##_destroy(made);                                                        \
        plan = status != CLPRIMS_OK ? made : NULL;                                                 \
        break;                                                                                     \
    }
    switch (k) {
        CREATE(REDUCE, reduce)
        CREATE(SCAN, scan)
        CREATE(SELECT, select)
        CREATE(OFFSETS, offsets)
        CREATE(SORT, sort)
        CREATE(LIST, list)
        CREATE(MINPLUS, minplus)
        CREATE(PATHS, paths)
    default:
        break;
    }
#undef CREATE
    assert_null(plan);
    return status;
}

/* What the core takes as well; most of it is of the same programs. */
typedef struct difference {
    kind kind;
    const char *name;
    size_t offset;
    size_t bytes;
    const void *replacement;
} difference;

static const void *const to_three = &three;
static const void *const to_edge = &other_edge;
static const char *const to_empty = "";
static const int to_one = 1;
static const size_t to_eight = 8;

#define DIFFERENCE(kind, name, member, replacement)                                                \
    {                                                                                              \
        kind, #name "." #member, offsetof(clprims_##name##_desc, member), sizeof(replacement),     \
            &(replacement)                                                                         \
    }
static const difference differences[] = {
    DIFFERENCE(REDUCE, reduce, custom.identity, to_three),
    DIFFERENCE(REDUCE, reduce, init, to_three),
    DIFFERENCE(REDUCE, reduce, custom.declarations, to_empty),
    DIFFERENCE(REDUCE, reduce, tuning, to_empty),
    DIFFERENCE(SCAN, scan, custom.identity, to_three),
    DIFFERENCE(SCAN, scan, init, to_three),
    DIFFERENCE(SCAN, scan, fast_floats, to_one),
    DIFFERENCE(SCAN, scan, tuning, to_empty),
    DIFFERENCE(SELECT, select, custom.declarations, to_empty),
    DIFFERENCE(SELECT, select, tuning, to_empty),
    DIFFERENCE(OFFSETS, offsets, counts, to_one),
    DIFFERENCE(OFFSETS, offsets, tuning, to_empty),
    DIFFERENCE(SORT, sort, descending, to_one),
    DIFFERENCE(SORT, sort, payload_bytes, to_eight),
    DIFFERENCE(SORT, sort, tuning, to_empty),
    DIFFERENCE(LIST, list, result, to_one),
    DIFFERENCE(MINPLUS, minplus, no_edge, to_edge),
    DIFFERENCE(MINPLUS, minplus, tuning, to_empty),
    DIFFERENCE(PATHS, paths, no_edge, to_edge),
    DIFFERENCE(PATHS, paths, tuning, to_empty),
};
enum { DIFFERENCES = sizeof differences / sizeof differences[0] };

static void difference_is_named(const void *data) {
    const difference *d = data;
    const int last = ranks_count() - 1;
    any_desc desc;
    describe(d->kind, &desc);
    if (ranks_rank() == last) {
        memcpy((unsigned char *)&desc + d->offset, d->replacement, d->bytes);
    }
    if (last == 0) {
        expect_ranks_ok(create(d->kind, &desc));
    } else {
        expect_ranks_failure(create(d->kind, &desc), CLPRIMS_ERR_ARGUMENT, last,
                             "the description differs from that of rank 0");
    }
}

void add_digest_cases(test_cases *cases) {
    for (kind k = REDUCE; k < KINDS; k++) {
        ranks_add(cases, members_are_digested, &k, sizeof k, "ranks/digests/%s", rows[k].name);
    }
    for (size_t d = 0; d < DIFFERENCES; d++) {
        /* Products take long to compile; test_grids has one of each that differ. */
        if (differences[d].kind >= MINPLUS && !test_long()) continue;
        ranks_add(cases, difference_is_named, &differences[d], sizeof differences[d],
                  "ranks/differences/%s", differences[d].name);
    }
}
