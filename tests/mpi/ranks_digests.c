/* SPDX-License-Identifier: MIT */
/*
 * Descriptions that differ between ranks. The digests of all descriptions are compared for a change
 * of each byte of each member, of each text and of each value behind a pointer; a member that these
 * tables lack leaves a gap. Some members are changed on one rank, whose plan none may get.
 */
#include "mpi/mpi_digest.h"
#include "mpi/ranks.h"
#include "subjects/subjects.h"

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
    MEMBER(kind, custom.op, TEXT), MEMBER(kind, custom.declarations, TEXT),                        \
        MEMBER(kind, custom.type_name, TEXT), MEMBER(kind, custom.type_bytes, BYTES),              \
        MEMBER(kind, custom.identity, how), MEMBER(kind, custom.commutative, BYTES)

static const member reduce_members[] = {
    MEMBER(reduce, type, BYTES),     MEMBER(reduce, accumulator, BYTES),
    MEMBER(reduce, op, BYTES),       MEMBER(reduce, init, VALUE),
    MEMBER(reduce, max_n, OWN),      MEMBER(reduce, fast_floats, BYTES),
    MEMBER(reduce, input, TEXT),     MEMBER(reduce, no_input_array, BYTES),
    MEMBER(reduce, result, TEXT),    MEMBER(reduce, result_type, BYTES),
    CUSTOM(reduce, VALUE),           MEMBER(reduce, tuning, TEXT),
    MEMBER(reduce, parameters, TEXT)};

static const member scan_members[] = {MEMBER(scan, type, BYTES),
                                      MEMBER(scan, accumulator, BYTES),
                                      MEMBER(scan, op, BYTES),
                                      MEMBER(scan, inclusive, BYTES),
                                      MEMBER(scan, init, VALUE),
                                      MEMBER(scan, max_n, OWN),
                                      MEMBER(scan, algorithm, BYTES),
                                      MEMBER(scan, fast_floats, BYTES),
                                      MEMBER(scan, input, TEXT),
                                      MEMBER(scan, no_input_array, BYTES),
                                      MEMBER(scan, result, TEXT),
                                      MEMBER(scan, result_type, BYTES),
                                      CUSTOM(scan, VALUE),
                                      MEMBER(scan, tuning, TEXT),
                                      MEMBER(scan, parameters, TEXT)};

static const member select_members[] = {
    MEMBER(select, by, BYTES),          MEMBER(select, arrays, BYTES),
    MEMBER(select, type, BYTES),        MEMBER(select, no_values, BYTES),
    MEMBER(select, indices, BYTES),     MEMBER(select, lengths, BYTES),
    MEMBER(select, partition, BYTES),   MEMBER(select, predicate, TEXT),
    MEMBER(select, equal, TEXT),        MEMBER(select, result, TEXT),
    MEMBER(select, result_type, BYTES), MEMBER(select, max_n, OWN),
    MEMBER(select, algorithm, BYTES),   CUSTOM(select, GIVEN),
    MEMBER(select, tuning, TEXT),       MEMBER(select, parameters, TEXT)};

static const member offsets_members[] = {
    MEMBER(offsets, type, BYTES), MEMBER(offsets, counts, BYTES), MEMBER(offsets, max_n, OWN),
    MEMBER(offsets, algorithm, BYTES), MEMBER(offsets, tuning, TEXT)};

static const member sort_members[] = {MEMBER(sort, type, BYTES),
                                      MEMBER(sort, descending, BYTES),
                                      MEMBER(sort, floats, BYTES),
                                      MEMBER(sort, begin_bit, BYTES),
                                      MEMBER(sort, end_bit, BYTES),
                                      MEMBER(sort, payloads, BYTES),
                                      MEMBER(sort, payload_bytes, BYTES),
                                      MEMBER(sort, indices, BYTES),
                                      MEMBER(sort, no_keys, BYTES),
                                      MEMBER(sort, max_n, OWN),
                                      MEMBER(sort, algorithm, BYTES),
                                      MEMBER(sort, tuning, TEXT),
                                      MEMBER(sort, key, TEXT),
                                      MEMBER(sort, elements, BYTES),
                                      CUSTOM(sort, GIVEN),
                                      MEMBER(sort, parameters, TEXT),
                                      MEMBER(sort, then[0], TEXT),
                                      MEMBER(sort, then[1], TEXT),
                                      MEMBER(sort, then[2], TEXT),
                                      MEMBER(sort, then_type, BYTES)};

static const member list_members[] = {MEMBER(list, link, OWN), MEMBER(list, result, BYTES),
                                      MEMBER(list, algorithm, BYTES), MEMBER(list, max_n, OWN),
                                      MEMBER(list, tuning, TEXT)};

static const member minplus_members[] = {MEMBER(minplus, type, BYTES),
                                         MEMBER(minplus, semiring, BYTES),
                                         MEMBER(minplus, accumulate, BYTES),
                                         MEMBER(minplus, argmin, BYTES),
                                         MEMBER(minplus, nonnegative, BYTES),
                                         MEMBER(minplus, no_edge, VALUE),
                                         MEMBER(minplus, custom.extend, TEXT),
                                         MEMBER(minplus, custom.combine, TEXT),
                                         MEMBER(minplus, custom.declarations, TEXT),
                                         MEMBER(minplus, custom.identity, VALUE),
                                         MEMBER(minplus, tuning, TEXT),
                                         MEMBER(minplus, max_n, OWN),
                                         MEMBER(minplus, max, OWN)};

static const member paths_members[] = {MEMBER(paths, type, BYTES), MEMBER(paths, max_n, OWN),
                                       MEMBER(paths, predecessors, BYTES),
                                       MEMBER(paths, no_edge, VALUE), MEMBER(paths, tuning, TEXT)};

/* ---- Descriptions ---- */

static const uint32_t zero = 0, three = 3;
static const int32_t edge = 1000, other_edge = 2000;

#define NUMBER(prim) NUMBER_OF_##prim,
typedef enum number { RANKS_PRIMITIVES(NUMBER) NUMBERS } number;

#define DIGEST(prim)                                                                               \
    static uint64_t digest_##prim(const void *desc) {                                              \
        return clp_mpi_digest_##prim(desc);                                                        \
    }
RANKS_PRIMITIVES(DIGEST)

/* desc: one that create takes. */
typedef struct row {
    const ranks_primitive *of;
    const member *members;
    size_t count;
    uint64_t (*digest)(const void *desc);
    const void *desc;
} row;

#define SUMS                                                                                       \
    .type = CLPRIMS_U32, .op = CLPRIMS_CUSTOM, .init = &zero, .max_n = 10,                         \
    .custom = {.op = "a + b", .identity = &zero}
#define ROW(prim, desc)                                                                            \
    [NUMBER_OF_##prim] = {&ranks_##prim, prim##_members,                                           \
                          sizeof prim##_members / sizeof prim##_members[0], digest_##prim, desc}
static const row rows[NUMBERS] = {
    ROW(reduce, SUBJECT_DESC(reduce, SUMS)),
    ROW(scan, SUBJECT_DESC(scan, SUMS)),
    ROW(select, SUBJECT_CUSTOM_DESC(select, .by = CLPRIMS_SELECT_NONZERO, .arrays = 1,
                                    .type = {CLPRIMS_U32}, .indices = CLPRIMS_U32, .max_n = 10)),
    ROW(offsets, SUBJECT_DESC(offsets, .type = CLPRIMS_I64, .max_n = 10)),
    ROW(sort, SUBJECT_CUSTOM_DESC(sort, .type = CLPRIMS_U32, .payloads = 1, .payload_bytes = {4},
                                  .max_n = 10)),
    ROW(list, SUBJECT_DESC(list, .link = CLPRIMS_I64, .max_n = 10)),
    ROW(minplus,
        SUBJECT_DESC(minplus, .type = CLPRIMS_I32, .no_edge = &edge, .max_n = 1, .max = {1, 1, 1})),
    ROW(paths, SUBJECT_DESC(paths, .type = CLPRIMS_I32, .no_edge = &edge, .max_n = 1)),
};

/* ---- Digests ---- */

/* Each member is next to the one before, but for what aligns it. */
static void expect_no_gap(const row *r) {
    const size_t aligned = sizeof(size_t);
    size_t end = 0;
    for (size_t m = 0; m < r->count; m++) {
        const member *now = &r->members[m];
        if (now->offset != end && (now->offset % aligned != 0 || now->offset - end >= aligned)) {
            test_fail("a member of clprims_%s_desc in front of %s is not in the table", r->of->name,
                      now->name);
        }
        end = now->offset + now->bytes;
    }
    if (r->of->desc_bytes - end >= aligned) {
        test_fail("a member at the end of clprims_%s_desc is not in the table", r->of->name);
    }
}

/* The digest after the member has been replaced is another one, or of a rank's own the same. */
static void expect_change(const row *r, const void *desc, const member *m,
                          const void *replacement) {
    _Alignas(16) unsigned char changed[MOST_BYTES];
    memcpy(changed, desc, r->of->desc_bytes);
    memcpy(changed + m->offset, replacement, m->bytes);
    if ((r->digest(changed) == r->digest(desc)) != (m->nature == OWN)) {
        test_fail("%s.%s: another one, and the digest is %s", r->of->name, m->name,
                  m->nature == OWN ? "another one, too" : "the same");
    }
}

static void expect_changes(const row *r, const unsigned char *desc, const member *m) {
    static const uint32_t others[4] = {1, 1u << 8, 1u << 16, 1u << 31};
    static const char *const texts[] = {NULL, "", "y", "xx"};
    const void *none = NULL;
    switch (m->nature) {
    case TEXT:
        for (size_t t = 0; t < 4; t++) expect_change(r, desc, m, &texts[t]);
        return;
    case VALUE:
        for (size_t v = 0; v < 4; v++) {
            const void *other = &others[v];
            expect_change(r, desc, m, &other);
        }
        expect_change(r, desc, m, &none);
        return;
    case GIVEN:
        expect_change(r, desc, m, &none);
        return;
    default:
        for (size_t b = 0; b < m->bytes; b++) {
            unsigned char bytes[64];
            memcpy(bytes, desc + m->offset, m->bytes);
            bytes[b] ^= 1;
            expect_change(r, desc, m, bytes);
        }
    }
}

static void set(const row *r, unsigned char *desc, const char *name, int value) {
    for (size_t m = 0; m < r->count; m++) {
        if (strcmp(r->members[m].name, name) != 0) continue;
        memcpy(desc + r->members[m].offset, &value, sizeof value);
    }
}

static void members_are_digested(const void *data) {
    const row *r = &rows[*(const number *)data];
    static const uint32_t values[64] = {0};
    static const char *const text = "x";
    _Alignas(16) unsigned char desc[MOST_BYTES] = {0};
    const void *value = values;
    expect_no_gap(r);
    for (size_t m = 0; m < r->count; m++) {
        const member *now = &r->members[m];
        if (now->nature == TEXT) memcpy(desc + now->offset, &text, sizeof text);
        if (now->nature == VALUE || now->nature == GIVEN) {
            memcpy(desc + now->offset, &value, sizeof value);
        }
    }
    set(r, desc, "type", CLPRIMS_U32);
    set(r, desc, "op", CLPRIMS_CUSTOM);
    set(r, desc, "semiring", CLPRIMS_SEMIRING_CUSTOM);
    for (size_t m = 0; m < r->count; m++) expect_changes(r, desc, &r->members[m]);
}

/* ---- Ranks ---- */

/* What the core takes as well; most of it is of the same programs. */
typedef struct difference {
    number of;
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

#define DIFFERENCE(prim, member, replacement)                                                      \
    {                                                                                              \
        NUMBER_OF_##prim, #prim "." #member, offsetof(clprims_##prim##_desc, member),              \
            sizeof(replacement), &(replacement)                                                    \
    }
static const difference differences[] = {
    DIFFERENCE(reduce, custom.identity, to_three),
    DIFFERENCE(reduce, init, to_three),
    DIFFERENCE(reduce, custom.declarations, to_empty),
    DIFFERENCE(reduce, tuning, to_empty),
    DIFFERENCE(scan, custom.identity, to_three),
    DIFFERENCE(scan, init, to_three),
    DIFFERENCE(scan, fast_floats, to_one),
    DIFFERENCE(scan, tuning, to_empty),
    DIFFERENCE(select, custom.declarations, to_empty),
    DIFFERENCE(select, tuning, to_empty),
    DIFFERENCE(offsets, counts, to_one),
    DIFFERENCE(offsets, tuning, to_empty),
    DIFFERENCE(sort, descending, to_one),
    DIFFERENCE(sort, payload_bytes, to_eight),
    DIFFERENCE(sort, tuning, to_empty),
    DIFFERENCE(list, result, to_one),
    DIFFERENCE(minplus, no_edge, to_edge),
    DIFFERENCE(minplus, tuning, to_empty),
    DIFFERENCE(paths, no_edge, to_edge),
    DIFFERENCE(paths, tuning, to_empty),
};
enum { DIFFERENCES = sizeof differences / sizeof differences[0] };

static void difference_is_named(const void *data) {
    const difference *d = data;
    const row *r = &rows[d->of];
    _Alignas(16) unsigned char other[MOST_BYTES];
    void *plan = NULL;
    memcpy(other, r->desc, r->of->desc_bytes);
    memcpy(other + d->offset, d->replacement, d->bytes);
    if (ranks_count() > 1) {
        ranks_desc_is_refused(r->of, r->desc, other, CLPRIMS_ERR_ARGUMENT,
                              "the description differs from that of rank 0");
    } else {
        expect_ranks_ok(r->of->create(&plan, other));
        r->of->destroy(plan);
    }
}

void add_digest_cases(test_cases *cases) {
    for (number k = 0; k < NUMBERS; k++) {
        ranks_add_row(cases, members_are_digested, k, "ranks/digests/%s", rows[k].of->name);
    }
    for (size_t d = 0; d < DIFFERENCES; d++) {
        /* Products take long to compile; test_grids has one of each that differ. */
        if (differences[d].of >= NUMBER_OF_minplus && !test_long()) continue;
        ranks_add_row(cases, difference_is_named, differences[d], "ranks/differences/%s",
                      differences[d].name);
    }
}
