/* SPDX-License-Identifier: MIT */
/* Selections beside their plain-C twin. */
#include "select_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const pattern_names[SELECT_PATTERNS] = {
    "all",  "none",   "first", "last", "tile-ends", "alternating",
    "runs", "rarely", "half",  "most", "but-first"};

/* ---- Data ----------------------------------------------------------------------------------- */

static bool is_kept(select_pattern pattern, size_t i, size_t n) {
    switch (pattern) {
    case KEEP_ALL:
        return true;
    case KEEP_FIRST:
        return i == 0;
    case KEEP_LAST:
        return i == n - 1;
    case KEEP_TILE_ENDS:
        return i % 16 == 15;
    case KEEP_ALTERNATING:
        return i % 2 == 0;
    case KEEP_RUNS: {
        size_t run = 1;
        while (2 * run - 1 <= i) run *= 2;
        return (run & 0x55555555) != 0;
    }
    case KEEP_RARELY:
        return test_random_below(100) == 0;
    case KEEP_HALF:
        return test_random_below(2) == 0;
    case KEEP_MOST:
        return test_random_below(100) != 0;
    case KEEP_BUT_FIRST:
        return i >= 40;
    default:
        return false;
    }
}

/* What a case works on, and what must come out. */
typedef struct data {
    size_t bytes[CLPRIMS_SELECT_ARRAYS];
    char *in[CLPRIMS_SELECT_ARRAYS];
    char *out[CLPRIMS_SELECT_ARRAYS];
    unsigned char *flags;
    size_t flag_count; /* bytes */
    bool *keeps;
    uint64_t *indices;
    uint64_t *lengths;
    size_t kept;
} data;

/* Element i of the array that decides. Bytes are random but for what the decision needs: the
 * predicate asks for the lowest bit of the first byte; runs repeat the element before. */
static void decide_by_element(const select_case *c, data *d, size_t i) {
    const size_t bytes = d->bytes[0];
    char *x = d->in[0] + i * bytes;
    switch (c->desc.by) {
    case CLPRIMS_SELECT_PREDICATE:
        x[0] = (char)((x[0] & ~1) | d->keeps[i]);
        break;
    case CLPRIMS_SELECT_NONZERO:
        memset(x, 0, bytes);
        if (d->keeps[i]) x[test_random_below(bytes)] = (char)(1 + test_random_below(126));
        break;
    case CLPRIMS_SELECT_RUNS:
        if (i == 0) d->keeps[0] = true;
        memcpy(x, i == 0 ? x : x - bytes, bytes);
        if (d->keeps[i]) x[0] = (char)(x[0] ^ 1);
        break;
    default:
        break;
    }
}

static void fill(const select_case *c, data *d) {
    const size_t bit = c->desc.by == CLPRIMS_SELECT_BITS ? c->flags_first % 8 : 0;
    const bool floats = clprims_type_name(c->desc.type[0])[0] == 'f';
    for (size_t k = 0; k < c->desc.arrays; k++) {
        for (size_t b = 0; b < c->n * d->bytes[k]; b++) {
            /* No exponent of all ones: NaN is not equal to itself. */
            const bool high = b % d->bytes[k] == d->bytes[k] - 1;
            d->in[k][b] = (char)test_random_below(floats && high ? 64 : 256);
        }
    }
    for (size_t b = 0; b < d->flag_count; b++) d->flags[b] = (unsigned char)test_random();
    for (size_t i = 0; i < c->n; i++) {
        d->keeps[i] = is_kept(c->pattern, i, c->n);
        decide_by_element(c, d, i);
        if (c->desc.by == CLPRIMS_SELECT_FLAGS) {
            d->flags[i] = (unsigned char)(d->keeps[i] ? 1 + test_random_below(255) : 0);
        } else if (c->desc.by == CLPRIMS_SELECT_BITS) {
            unsigned char *byte = &d->flags[(bit + i) / 8];
            const unsigned mask = 1u << (bit + i) % 8;
            *byte = (unsigned char)(d->keeps[i] ? *byte | mask : *byte & ~mask);
        }
    }
}

/* The twin. */
static void define(const select_case *c, data *d) {
    for (size_t i = 0; i < c->n; i++) {
        if (d->keeps[i]) {
            if (d->kept > 0) d->lengths[d->kept - 1] = i - d->indices[d->kept - 1];
            d->lengths[d->kept] = c->n - i;
            d->indices[d->kept++] = i;
        }
    }
    for (size_t k = 0; k < c->desc.arrays; k++) {
        const size_t bytes = d->bytes[k];
        size_t at = 0;
        for (size_t i = 0; i < d->kept; i++) {
            memcpy(d->out[k] + at++ * bytes, d->in[k] + d->indices[i] * bytes, bytes);
        }
        for (size_t i = 0; i < c->n && c->desc.partition; i++) {
            if (!d->keeps[i]) memcpy(d->out[k] + at++ * bytes, d->in[k] + i * bytes, bytes);
        }
    }
}

static size_t bytes_of(const clprims_select_desc *desc, size_t array) {
    const clprims_type type = desc->type[array];
    return type == CLPRIMS_STRUCT ? desc->custom.type_bytes : clprims_type_bytes(type);
}

static data make_data(const select_case *c) {
    data d = {.kept = 0};
    for (size_t k = 0; k < c->desc.arrays; k++) {
        d.bytes[k] = bytes_of(&c->desc, k);
        d.in[k] = test_alloc(c->n, d.bytes[k]);
        d.out[k] = test_alloc(c->n, d.bytes[k]);
    }
    d.flag_count = c->desc.by == CLPRIMS_SELECT_BITS ? (c->flags_first % 8 + c->n + 7) / 8 : c->n;
    d.flags = test_alloc(d.flag_count, 1);
    d.keeps = test_alloc(c->n, sizeof *d.keeps);
    d.indices = test_alloc(c->n, sizeof *d.indices);
    d.lengths = test_alloc(c->n, sizeof *d.lengths);
    fill(c, &d);
    define(c, &d);
    return d;
}

static void free_data(data *d) {
    for (size_t k = 0; k < CLPRIMS_SELECT_ARRAYS; k++) {
        free(d->in[k]);
        free(d->out[k]);
    }
    free(d->flags);
    free(d->keeps);
    free(d->indices);
    free(d->lengths);
}

/* ---- Checks --------------------------------------------------------------------------------- */

static void expect_numbers(clprims_type type, const uint64_t *expected, const void *actual,
                           size_t n) {
    const size_t bytes = clprims_type_bytes(type);
    char *narrow = test_alloc(n, bytes);
    for (size_t i = 0; i < n; i++) memcpy(narrow + i * bytes, &expected[i], bytes);
    expect_elements(narrow, actual, n, bytes);
    free(narrow);
}

static bool has_values(const select_case *c) {
    return !c->desc.no_values;
}

static size_t room_of(const select_case *c, const data *d) {
    if (c->desc.partition) return c->n + c->spare;
    if (c->lacking > 0) return d->kept > c->lacking ? d->kept - c->lacking : 0;
    return (c->tight ? d->kept : c->n) + c->spare;
}

/* The first element of output `number`: the arrays, then indices and lengths. */
static size_t out_first_of(const select_case *c, size_t number) {
    return c->out_first + (number + 1) * c->apart;
}

/* A run that lacks room leaves its outputs as they are. */
static void expect_array(const test_array *out, bool written, const void *expected, size_t n,
                         size_t bytes) {
    if (written) {
        expect_elements(expected, out->values, n, bytes);
    } else {
        test_array_expect_untouched(out);
    }
    test_array_expect_guards(out);
}

static void check_by_run(const select_case *c, const data *d) {
    const size_t room = room_of(c, d), written = c->desc.partition ? c->n : d->kept;
    const size_t capacity = c->endless ? SIZE_MAX / 16 : room;
    const bool fits = c->desc.partition || d->kept <= room;
    clprims_select_arrays arrays = {.struct_size = sizeof(clprims_select_arrays),
                                    .flags = d->flags};
    test_array out[CLPRIMS_SELECT_ARRAYS];
    test_array indices = test_array_create(NULL, room, clprims_type_bytes(c->desc.indices));
    test_array lengths = test_array_create(NULL, room, clprims_type_bytes(c->desc.lengths));
    size_t count = SIZE_MAX;
    for (size_t k = 0; k < c->desc.arrays; k++) {
        out[k] = test_array_create(NULL, room, d->bytes[k]);
        arrays.in[k] = d->in[k];
        arrays.out[k] = out[k].values;
    }
    arrays.indices = indices.values;
    arrays.lengths = lengths.values;
    const clprims_status status =
        clprims_select_run(select_plan(&c->desc), &arrays, c->n, capacity, &count);
    if (fits) {
        expect_ok(status);
    } else {
        expect_failure(status, CLPRIMS_ERR_TOO_LARGE, "elements are kept, more than capacity = ");
    }
    if (count != d->kept) test_fail("count = %zu, not %zu", count, d->kept);
    for (size_t k = 0; k < c->desc.arrays; k++) {
        expect_array(&out[k], fits && has_values(c), d->out[k], written, d->bytes[k]);
        test_array_free(&out[k]);
    }
    if (c->desc.indices && fits) {
        expect_numbers(c->desc.indices, d->indices, indices.values, d->kept);
    }
    if (c->desc.lengths && fits) {
        expect_numbers(c->desc.lengths, d->lengths, lengths.values, d->kept);
    }
    test_array_expect_guards(&indices);
    test_array_expect_guards(&lengths);
    test_array_free(&indices);
    test_array_free(&lengths);
}

/* Reads `room` elements of which `written` must be as expected; the others are not looked at. */
static void *read_back(const test_buffer *buffer) {
    void *values = test_alloc(buffer->n, buffer->element_bytes);
    test_buffer_read(buffer, values);
    return values;
}

static void check_numbers(clprims_type type, const uint64_t *expected, test_buffer *buffer,
                          size_t n) {
    if (type == CLPRIMS_TYPE_DEFAULT) return;
    void *actual = read_back(buffer);
    expect_numbers(type, expected, actual, n);
    free(actual);
    test_buffer_release(buffer);
}

static void check_array(const select_case *c, const data *d, size_t k, test_buffer *in,
                        test_buffer *out, size_t written) {
    if (has_values(c)) {
        char *values = read_back(c->in_place ? in : out);
        expect_elements(d->out[k], values, written, d->bytes[k]);
        free(values);
        if (!c->in_place) test_buffer_release(out);
    }
    if (!c->in_place) test_buffer_expect_unchanged(in, d->in[k]);
    test_buffer_release(in);
}

static void check_on_device(const select_case *c, const data *d) {
    const size_t room = room_of(c, d), fits = room < d->kept ? room : d->kept;
    test_buffer in[CLPRIMS_SELECT_ARRAYS], out[CLPRIMS_SELECT_ARRAYS] = {{.n = 0}};
    test_buffer flags, indices, lengths;
    test_buffer count = test_buffer_create(NULL, 1, sizeof(uint64_t), 2);
    clprims_select_buffers b = {.struct_size = sizeof(clprims_select_buffers), .count = count.at};
    uint64_t kept = 0;
    for (size_t k = 0; k < c->desc.arrays; k++) {
        in[k] = test_buffer_create(d->in[k], c->n, d->bytes[k], c->in_first + k * c->apart);
        if (has_values(c) && !c->in_place) {
            out[k] = test_buffer_create(NULL, room, d->bytes[k], out_first_of(c, k));
        }
        b.in[k] = in[k].at;
        b.out[k] = c->in_place ? in[k].at : out[k].at;
    }
    const bool bits = c->desc.by == CLPRIMS_SELECT_BITS;
    flags = test_buffer_create(d->flags, d->flag_count, 1, c->flags_first / (bits ? 8 : 1));
    b.flags = (clprims_buffer){flags.at.mem, c->flags_first};
    if (c->desc.indices) {
        indices = test_buffer_create(NULL, room, clprims_type_bytes(c->desc.indices),
                                     out_first_of(c, c->desc.arrays));
        b.indices = indices.at;
    }
    if (c->desc.lengths) {
        lengths = test_buffer_create(NULL, room, clprims_type_bytes(c->desc.lengths),
                                     out_first_of(c, c->desc.arrays + 1));
        b.lengths = lengths.at;
    }
    pass_turn turn = c->turn;
    expect_ok(clprims_select_enqueue(select_plan(&c->desc), pass_turn_queue(&turn), &b, c->n, room,
                                     pass_turn_waits(&turn), turn.gate ? &turn.gate : NULL, NULL));
    pass_turn_end(&turn);
    test_buffer_read(&count, &kept);
    if (kept != d->kept) {
        test_fail("count = %llu, not %zu", (unsigned long long)kept, d->kept);
    }
    for (size_t k = 0; k < c->desc.arrays; k++) {
        check_array(c, d, k, &in[k], &out[k], c->desc.partition ? c->n : fits);
    }
    check_numbers(c->desc.indices, d->indices, &indices, fits);
    check_numbers(c->desc.lengths, d->lengths, &lengths, fits);
    test_buffer_expect_unchanged(&flags, d->flags);
    test_buffer_release(&flags);
    test_buffer_release(&count);
}

void select_is_right(const void *argument) {
    const select_case *c = argument;
    data d = make_data(c);
    (c->by_run ? check_by_run : check_on_device)(c, &d);
    free_data(&d);
}

/* ---- Descriptions and plans ----------------------------------------------------------------- */

static const char *const by_names[] = {"flags", "bits", "predicate", "nonzero", "runs"};

static const char triple[] = "typedef struct triple { uint a, b, c; } triple;";

clprims_select_desc select_describe(clprims_select_by by, clprims_type type, size_t arrays,
                                    const pass_way *way) {
    clprims_select_desc desc = CLPRIMS_SELECT_DESC_INIT;
    desc.by = by;
    desc.arrays = arrays;
    for (size_t k = 0; k < arrays; k++) desc.type[k] = type;
    desc.max_n = 1 << 20;
    desc.algorithm = way->algorithm;
    desc.tuning = way->tuning;
    desc.predicate = type == CLPRIMS_STRUCT ? "(x.a & 1) != 0"
                     : type == CLPRIMS_F32  ? "(as_uint(x) & 1) != 0"
                     : type == CLPRIMS_F64  ? "(as_ulong(x) & 1) != 0"
                                            : "(x & 1) != 0 && i < 0xffffffffffUL";
    if (type == CLPRIMS_STRUCT) {
        desc.equal = "a.a == b.a && a.b == b.b && a.c == b.c";
        desc.custom.type_name = "triple";
        desc.custom.type_bytes = 12;
        desc.custom.declarations = triple;
    }
    return desc;
}

void select_add(test_cases *cases, const select_case *c, const char *way, const char *extra) {
    const char *type = c->desc.arrays == 0                 ? "indices"
                       : c->desc.type[0] == CLPRIMS_STRUCT ? "struct"
                                                           : clprims_type_name(c->desc.type[0]);
    test_add(cases, select_is_right, c, sizeof *c, "select/%s/%s/%s/n=%zu/%s%s",
             by_names[c->desc.by], type, pattern_names[c->pattern], c->n, way, extra);
}

static struct {
    clprims_select_desc desc;
    clprims_select *plan;
} kept_plan;

void select_forget_plan(void) {
    clprims_select_destroy(kept_plan.plan);
    kept_plan.plan = NULL;
}

clprims_select *select_plan(const clprims_select_desc *desc) {
    if (kept_plan.plan != NULL && memcmp(&kept_plan.desc, desc, sizeof *desc) == 0) {
        return kept_plan.plan;
    }
    select_forget_plan();
    expect_ok(clprims_select_create(&kept_plan.plan, test_context(), desc));
    memcpy(&kept_plan.desc, desc, sizeof *desc);
    return kept_plan.plan;
}
