/* SPDX-License-Identifier: MIT */
/*
 * Descriptions that differ between ranks. The digests of all descriptions are compared for a change
 * of each byte of each member, as tests/package/abi/layouts.txt has them, of each text and of each
 * value behind a pointer. Some members are changed on one rank, whose plan none may get.
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

enum { VALUE_BYTES = sizeof(uint32_t), MOST_BYTES = 512, MOST_MEMBERS = 32, NAME = 40 };

typedef struct member {
    char name[NAME];
    size_t offset, bytes;
    nature nature;
} member;

/* Of a description. */
typedef struct member_list {
    size_t count;
    member members[MOST_MEMBERS];
} member_list;

/* Of all descriptions, or of one: what is no int or enumerator of four bytes. */
static const struct {
    const char *name;
    nature nature;
    size_t bytes;
} natures[] = {
    {"arrays", BYTES, sizeof(size_t)},
    {"custom.combine", TEXT, sizeof(char *)},
    {"custom.declarations", TEXT, sizeof(char *)},
    {"custom.extend", TEXT, sizeof(char *)},
    {"custom.op", TEXT, sizeof(char *)},
    {"custom.type_bytes", BYTES, sizeof(size_t)},
    {"custom.type_name", TEXT, sizeof(char *)},
    {"equal", TEXT, sizeof(char *)},
    {"init", VALUE, sizeof(void *)},
    {"input", TEXT, sizeof(char *)},
    {"key", TEXT, sizeof(char *)},
    {"list.link", OWN, sizeof(clprims_type)},
    {"max", OWN, sizeof(clprims_minplus_sizes)},
    {"max_n", OWN, sizeof(size_t)},
    {"no_edge", VALUE, sizeof(void *)},
    {"parameters", TEXT, sizeof(char *)},
    {"payload_bytes", BYTES, CLPRIMS_SORT_PAYLOADS * sizeof(size_t)},
    {"payloads", BYTES, sizeof(size_t)},
    {"predicate", TEXT, sizeof(char *)},
    {"result", TEXT, sizeof(char *)},
    {"select.custom.identity", GIVEN, sizeof(void *)},
    {"select.type", BYTES, CLPRIMS_SELECT_ARRAYS * sizeof(clprims_type)},
    {"sort.custom.identity", GIVEN, sizeof(void *)},
    {"custom.identity", VALUE, sizeof(void *)},
    {"then", TEXT, (CLPRIMS_SORT_KEYS - 1) * sizeof(char *)},
    {"then_type", BYTES, (CLPRIMS_SORT_KEYS - 1) * sizeof(clprims_type)},
    {"tuning", TEXT, sizeof(char *)},
};

/* Adds the member, of an array of texts each of these. */
static void add_member(member_list *list, const char *of, const char *name, size_t offset) {
    member m = {.offset = offset, .bytes = sizeof(int), .nature = BYTES};
    char full[2 * NAME];
    snprintf(full, sizeof full, "%s.%s", of, name);
    snprintf(m.name, sizeof m.name, "%s", name);
    for (size_t k = sizeof natures / sizeof natures[0]; k-- > 0;) {
        if (strcmp(natures[k].name, name) != 0 && strcmp(natures[k].name, full) != 0) continue;
        m.bytes = natures[k].bytes;
        m.nature = natures[k].nature;
    }
    const size_t texts = m.nature == TEXT ? m.bytes / sizeof(char *) : 1;
    m.bytes /= texts;
    for (size_t k = 0; k < texts; k++, m.offset += m.bytes) {
        assert_true(list->count < MOST_MEMBERS);
        list->members[list->count++] = m;
    }
}

/* Adds the members of a structure, whose line is "NAME BYTES: MEMBER:OFFSET ...". */
static void add_members(member_list *list, const char *of, const char *structure,
                        const char *prefix, size_t first) {
    static const char path[] = CLPRIMS_SOURCE_CL_DIR "/../tests/package/abi/layouts.txt";
    char head[NAME], name[NAME / 2];
    size_t bytes, offset;
    int length;
    snprintf(head, sizeof head, "\n%s ", structure);
    const char *at = strstr((const char *)test_file_read(path, &bytes), head);
    if (at == NULL) test_fail("%s lacks %s", path, structure);
    for (at = strchr(at, ':') + 1; sscanf(at, " %19[^: \n]:%zu%n", name, &offset, &length) == 2;
         at += length) {
        char full[NAME];
        const bool is_custom = strcmp(name, "custom") == 0;
        snprintf(full, sizeof full, "%s%s", prefix, name);
        if (is_custom && strcmp(of, "minplus") == 0) {
            add_members(list, of, "clprims_semiring_custom", "custom.", offset);
        } else if (is_custom) {
            add_members(list, of, "clprims_custom", "custom.", offset);
        } else {
            add_member(list, of, full, first + offset);
        }
    }
}

static member_list members_of(const char *of) {
    member_list list = {0};
    char structure[NAME];
    snprintf(structure, sizeof structure, "clprims_%s_desc", of);
    add_members(&list, of, structure, "", 0);
    return list;
}

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
    uint64_t (*digest)(const void *desc);
    const void *desc;
} row;

#define SUMS                                                                                       \
    .type = CLPRIMS_U32, .op = CLPRIMS_CUSTOM, .init = &zero, .max_n = 10,                         \
    .custom = {.op = "a + b", .identity = &zero}
#define ROW(prim, desc) [NUMBER_OF_##prim] = {&ranks_##prim, digest_##prim, desc}
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

static void set(const member_list *list, unsigned char *desc, const char *name, int value) {
    for (size_t m = 0; m < list->count; m++) {
        if (strcmp(list->members[m].name, name) != 0) continue;
        memcpy(desc + list->members[m].offset, &value, sizeof value);
    }
}

static void members_are_digested(const void *data) {
    const row *r = &rows[*(const number *)data];
    static const uint32_t values[64] = {0};
    static const char *const text = "x";
    _Alignas(16) unsigned char desc[MOST_BYTES] = {0};
    const void *value = values;
    const member_list list = members_of(r->of->name);
    for (size_t m = 0; m < list.count; m++) {
        const member *now = &list.members[m];
        if (now->nature == TEXT) memcpy(desc + now->offset, &text, sizeof text);
        if (now->nature == VALUE || now->nature == GIVEN) {
            memcpy(desc + now->offset, &value, sizeof value);
        }
    }
    set(&list, desc, "type", CLPRIMS_U32);
    set(&list, desc, "op", CLPRIMS_CUSTOM);
    set(&list, desc, "semiring", CLPRIMS_SEMIRING_CUSTOM);
    for (size_t m = 0; m < list.count; m++) expect_changes(r, desc, &list.members[m]);
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
