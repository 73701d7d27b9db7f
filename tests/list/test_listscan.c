/* SPDX-License-Identifier: MIT */
/* List scan of valid lists: orders, sizes, types, operators; and the same bits in every run. */
#include "fixtures/list/listscan_cases.h"

/* ---- Orders and sizes ---- */

typedef struct ordered {
    const list_setting *setting;
    size_t order; /* of list_orders */
} ordered;

static size_t most_elements(const list_setting *setting) {
    if (test_small()) return 129;
    /* Each element of the one with one sublist is a level's work: it is there for small lists. */
    return setting == &listscan_settings[3] ? 2049 : 20011;
}

static void scan_order(listscan_case *c, size_t order, size_t n, bool gives_head) {
    list_links l = list_links_create(n);
    list_visit(&l, order);
    c->first = n % 4;
    const int64_t head = gives_head ? l.head : FIND_HEAD;
    const clprims_list_report report = listscan_run(c, l.next, head, n);
    assert_int_equal(report.fault, CLPRIMS_LIST_VALID);
    assert_int_equal(report.head, l.head);
}

static void scans(const void *data) {
    static const size_t sizes[] = {1,    2,    3,    5,    31,   32,   33,   34,
                                   64,   65,   127,  129,  255,  257,  1000, 1024,
                                   1025, 2049, 2050, 4096, 4097, 8191, 20011};
    const ordered *o = data;
    const size_t most = most_elements(o->setting);
    const clprims_listscan_desc desc = listscan_sums(o->setting, most);
    listscan_case c = listscan_open(&desc, 0, false);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0] && sizes[k] <= most; k++)
        scan_order(&c, o->order, sizes[k], k % 2 == 0);
}

/* The output lies on the values. A single work-item scans the whole list, and nothing reads the
 * values after it. */
static void scans_onto_values(void) {
    enum { N = 100 };
    int64_t own[N], sums[N];
    const clprims_listscan_desc desc = listscan_sums(&listscan_settings[LISTSCAN_THRESHOLD], N);
    listscan_case c = listscan_open(&desc, 0, false);
    list_links l = list_links_create(N);
    list_visit(&l, LIST_RANDOM);
    c.next = l.next;
    c.head = l.head;
    c.n = N;
    listscan_expect(&c, sums);
    void *links = list_narrow(desc.link, l.next, N);
    test_buffer from = test_buffer_create(links, N, clprims_type_bytes(desc.link), 1);
    test_buffer onto = test_buffer_create(c.values, N, sizeof own[0], 1);
    expect_ok(clprims_listscan_enqueue(
        c.plan, test_queue(),
        &(clprims_listscan_buffers){
            .next = from.at, .values = onto.at, .out = onto.at, .head = head_given(&l.head)},
        N, 0, NULL, NULL));
    test_buffer_read(&onto, own);
    assert_memory_equal(own, sums, sizeof sums);
}

/* Memory that no cache holds. */
static void scans_large(const void *data) {
    const ordered *o = data;
    const size_t n = test_long() ? 20000003 : 1000003;
    const clprims_listscan_desc desc = listscan_sums(o->setting, n);
    listscan_case c = listscan_open(&desc, 0, false);
    scan_order(&c, o->order, n, false);
}

static void add_orders(test_cases *cases, const list_setting *setting) {
    for (size_t k = 0; k < LIST_ORDERS; k++) {
        const ordered o = {setting, k};
        if (test_small() && k % 4 != 0) continue;
        const size_t turn = (size_t)(setting - listscan_settings);
        if (!test_long() && k % (turn < 2 ? 1 : turn < LISTSCAN_ONE_GROUP ? 2 : 4) != 0) continue;
        test_add_row(cases, scans, o, "listscan/%s/%s/n<=%zu", setting->name, list_orders[k].name,
                     most_elements(setting));
    }
    if (test_small() || setting > &listscan_settings[1]) return;
    for (size_t k = 0; k < 3; k++) {
        const ordered o = {setting, k};
        test_add_row(cases, scans_large, o, "listscan/%s/%s/large", setting->name,
                     list_orders[k].name);
    }
}

/* ---- Types and operators ---- */

typedef struct typed {
    clprims_type type;
    clprims_type accumulator;
    clprims_op op;
    bool inclusive;
    const list_setting *setting;
} typed;

static clprims_listscan_desc describe(const typed *t, size_t n) {
    clprims_listscan_desc desc = {.link = CLPRIMS_I32,
                                  .type = t->type,
                                  .accumulator = t->accumulator,
                                  .op = t->op,
                                  .inclusive = t->inclusive,
                                  .max_n = n,
                                  .tuning = t->setting->tuning};
    return desc;
}

static void combines(const void *data) {
    const typed *t = data;
    const bool in_group = t->setting == &listscan_settings[LISTSCAN_ONE_GROUP];
    const size_t n = test_small() ? 100 : in_group ? 2001 : 3001;
    test_needs_types(t->type, t->accumulator);
    const clprims_listscan_desc desc = describe(t, n);
    list_links l = list_links_create(n);
    listscan_case c = listscan_open(&desc, 3, false);
    list_visit(&l, LIST_RANDOM);
    c.without_report = true;
    listscan_run(&c, l.next, l.head, n);
}

/* Every type with every operator takes a program each: that is for the long tier. */
static void add_all_types(test_cases *cases) {
    static const clprims_type types[] = {CLPRIMS_I8,  CLPRIMS_I16, CLPRIMS_I32, CLPRIMS_I64,
                                         CLPRIMS_U8,  CLPRIMS_U16, CLPRIMS_U32, CLPRIMS_U64,
                                         CLPRIMS_F32, CLPRIMS_F64};
    size_t turn = 0;
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        const bool is_float = types[k] >= CLPRIMS_F32;
        for (int op = CLPRIMS_ADD; op <= (is_float ? CLPRIMS_MUL : CLPRIMS_XOR); op++, turn++) {
            const list_setting *setting = &listscan_settings[turn % 3];
            const typed t = {types[k], CLPRIMS_TYPE_DEFAULT, (clprims_op)op, turn % 2 == 0,
                             setting};
            test_add_row(cases, combines, t, "listscan/every/%s/%s/%s/%s",
                         clprims_type_name(t.type), clprims_op_name(t.op),
                         t.inclusive ? "inclusive" : "exclusive", setting->name);
        }
    }
}

static void add_types(test_cases *cases) {
    const typed few[] = {
        {CLPRIMS_U8, CLPRIMS_U64, CLPRIMS_ADD, true, &listscan_settings[2]},
        {CLPRIMS_F64, CLPRIMS_TYPE_DEFAULT, CLPRIMS_MUL, false, &listscan_settings[0]},
        {CLPRIMS_I8, CLPRIMS_TYPE_DEFAULT, CLPRIMS_MIN, true, &listscan_settings[2]},
        {CLPRIMS_I8, CLPRIMS_TYPE_DEFAULT, CLPRIMS_MIN, true,
         &listscan_settings[LISTSCAN_ONE_GROUP]},
        {CLPRIMS_U16, CLPRIMS_I32, CLPRIMS_XOR, false, &listscan_settings[LISTSCAN_ONE_GROUP]},
        {CLPRIMS_U16, CLPRIMS_I32, CLPRIMS_XOR, false, &listscan_settings[2]},
    };
    for (size_t k = 0; k < (test_small() ? 1 : test_long() ? 6 : 5); k++)
        test_add_row(cases, combines, few[k], "listscan/%s/%s/%s", clprims_type_name(few[k].type),
                     clprims_op_name(few[k].op), few[k].setting->name);
    if (test_long()) add_all_types(cases);
}

/* ---- The same bits ---- */

#define REPEATED                                                                                   \
    {                                                                                              \
        "SINGLE=0 SUBLIST=8 LEAST=1 UPPER=4 LAST=16 GROUP=32 WALKS=1 LANES=32 BATCH=1 CHUNK=32 "   \
        "BUCKET=1048576",                                                                          \
            "SINGLE=0 SUBLIST=8 LEAST=1 UPPER=4 LAST=16 GROUP=64 WALKS=1 LANES=4096 BATCH=7 "      \
            "CHUNK=640 BUCKET=64"                                                                  \
    }

typedef struct repeated {
    clprims_type type;
    size_t n;
    const char *name;
    const char *tunings[2];
} repeated;

static const repeated repetitions[] = {
    {CLPRIMS_F32, 30011, "float32", REPEATED},
    {CLPRIMS_F32, 3001, "float32/one-group", {"SINGLE_GROUP=64", "SINGLE_GROUP=64 GROUP=32"}},
    {CLPRIMS_F64, 30011, "float64", REPEATED}};

/* However many lanes there are and however they are grouped: floats that round. */
static void repeats(const void *data) {
    const repeated *r = data;
    const typed t = {r->type, CLPRIMS_TYPE_DEFAULT, CLPRIMS_ADD, true, &listscan_settings[0]};
    const size_t n = test_small() ? 300 : r->n;
    const size_t bytes = n * clprims_type_bytes(r->type);
    test_needs_types(t.type, t.accumulator);
    clprims_listscan_desc desc = describe(&t, n);
    list_links l = list_links_create(n);
    void *first = test_scratch(bytes, 1), *again = test_scratch(bytes, 1);
    listscan_case c = listscan_open(&desc, 0, true);
    list_visit(&l, LIST_RANDOM);
    c.next = l.next;
    c.head = l.head;
    c.n = n;
    c.without_report = true;
    for (int k = 0; k < 6; k++) {
        desc.tuning = r->tunings[k / 3];
        c.plan = listscan_create(&desc);
        listscan_expect(&c, k == 0 ? first : again);
        if (k > 0) assert_memory_equal(first, again, bytes);
    }
}

void test_program(test_cases *cases) {
    for (size_t s = 0; s < LISTSCAN_SETTINGS; s++)
        if (listscan_suits(&listscan_settings[s])) add_orders(cases, &listscan_settings[s]);
    if (!test_small()) test_add_plain(cases, scans_onto_values, "listscan/threshold/onto-values");
    add_types(cases);
    for (size_t k = 0; k < (test_long() ? 3 : test_small() ? 0 : 2); k++)
        test_add_row(cases, repeats, repetitions[k], "listscan/same-bits/%s", repetitions[k].name);
    listscan_add_custom(cases);
    listscan_add_malformed(cases);
    listscan_add_second(cases);
    listscan_add_calls(cases);
}
