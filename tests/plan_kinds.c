/* SPDX-License-Identifier: MIT */
/* A plan of every kind. */
#include "plan_kinds.h"

#include <stdint.h>
#include <stdio.h>

enum { MAX_N = 1 << 20 };

static const uint32_t one[2] = {1, 0};
static const clprims_custom affine = {
    .struct_size = sizeof(clprims_custom),
    .op = "after(a, b)",
    .declarations = "typedef struct { uint scale, shift; } map;\n"
                    "static map after(map a, map b) {\n"
                    "    map both = {a.scale * b.scale, a.shift * b.scale + b.shift};\n"
                    "    return both;\n"
                    "}\n",
    .type_name = "map",
    .type_bytes = sizeof one,
    .identity = one};

static clprims_context *context; /* of the plan that is made next */
static const plan_visitor *visitor;

static void begin(const char *primitive, const char *what, const char *how) {
    static char name[128];
    snprintf(name, sizeof name, "%s.%s.%s", primitive, what, how);
    context = visitor->before(name);
}

static void must(clprims_status status) {
    if (context != NULL) visitor->after(status);
}

/* ---- Single passes ---- */

typedef struct algorithm {
    clprims_scan_algorithm number;
    const char *name;
} algorithm;

static const algorithm algorithms[] = {{CLPRIMS_SCAN_AUTO, "auto"}, /* few elements' as well */
                                       {CLPRIMS_SCAN_LOOKBACK, "lookback"},
                                       {CLPRIMS_SCAN_LOOKBACK_FALLBACK, "fallback"},
                                       {CLPRIMS_SCAN_REDUCE_THEN_SCAN, "levels"},
                                       {CLPRIMS_SCAN_LOOKAHEAD, "lookahead"}};
enum { ALGORITHMS = sizeof algorithms / sizeof algorithms[0] };

/* A look-ahead is not for every device. */
static void must_by(const algorithm *a, clprims_status status) {
    const bool may_refuse = a->number == CLPRIMS_SCAN_LOOKAHEAD && !visitor->looks_ahead;
    if (!may_refuse || status != CLPRIMS_ERR_UNSUPPORTED) must(status);
}

static void make_scan(const clprims_scan_desc *what, const char *name) {
    for (size_t a = 0; a < ALGORITHMS; a++) {
        clprims_scan_desc desc = *what;
        clprims_scan *scan = NULL;
        desc.max_n = MAX_N;
        desc.algorithm = algorithms[a].number;
        desc.fast_floats = desc.algorithm == CLPRIMS_SCAN_LOOKBACK_FALLBACK;
        begin("scan", name, algorithms[a].name);
        must_by(&algorithms[a], clprims_scan_create(&scan, context, &desc));
        clprims_scan_destroy(scan);
    }
}

static void make_scans(void) {
    clprims_scan_desc desc = CLPRIMS_SCAN_DESC_INIT;
    desc.type = CLPRIMS_U32;
    make_scan(&desc, "words");
    desc.type = CLPRIMS_F32;
    desc.inclusive = 1;
    make_scan(&desc, "floats");
    desc.type = CLPRIMS_U8;
    desc.accumulator = CLPRIMS_U64;
    desc.input = "(ulong)x * 3 + i";
    make_scan(&desc, "sums-of-bytes");
    desc = (clprims_scan_desc)CLPRIMS_SCAN_DESC_INIT;
    desc.type = CLPRIMS_STRUCT;
    desc.op = CLPRIMS_CUSTOM;
    desc.custom = affine;
    make_scan(&desc, "structs");
}

static void make_offsets(void) {
    static const clprims_type types[] = {CLPRIMS_I32, CLPRIMS_U64, CLPRIMS_U8};
    static const char *const names[] = {"intervals", "wide-intervals", "counts"};
    for (size_t t = 0; t < 3; t++)
        for (size_t a = 0; a < ALGORITHMS; a++) {
            clprims_offsets_desc desc = CLPRIMS_OFFSETS_DESC_INIT;
            clprims_offsets *offsets = NULL;
            desc.type = types[t];
            desc.counts = t == 2;
            desc.max_n = MAX_N;
            desc.algorithm = algorithms[a].number;
            if (desc.algorithm == CLPRIMS_SCAN_REDUCE_THEN_SCAN) continue;
            begin("offsets", names[t], algorithms[a].name);
            must_by(&algorithms[a], clprims_offsets_create(&offsets, context, &desc));
            clprims_offsets_destroy(offsets);
        }
}

static void make_select(const clprims_select_desc *what, const char *name) {
    for (size_t a = 0; a < ALGORITHMS; a++) {
        clprims_select_desc desc = *what;
        clprims_select *select = NULL;
        desc.max_n = MAX_N;
        desc.algorithm = algorithms[a].number;
        if (desc.algorithm == CLPRIMS_SCAN_REDUCE_THEN_SCAN) continue;
        begin("select", name, algorithms[a].name);
        must_by(&algorithms[a], clprims_select_create(&select, context, &desc));
        clprims_select_destroy(select);
    }
}

static void make_selects(void) {
    clprims_select_desc desc = CLPRIMS_SELECT_DESC_INIT;
    desc.arrays = 2;
    desc.type[0] = CLPRIMS_U32;
    desc.type[1] = CLPRIMS_I16;
    desc.indices = CLPRIMS_I64;
    make_select(&desc, "flags");
    desc.by = CLPRIMS_SELECT_PREDICATE;
    desc.predicate = "x > 3 && i % 2 == 0";
    make_select(&desc, "predicate");
    desc.indices = CLPRIMS_TYPE_DEFAULT;
    desc.arrays = 1;
    make_select(&desc, "predicate-alone");
    desc.by = CLPRIMS_SELECT_BITS;
    desc.predicate = NULL;
    desc.partition = 1;
    make_select(&desc, "bits");
    desc.by = CLPRIMS_SELECT_RUNS;
    desc.type[0] = CLPRIMS_F64;
    desc.partition = 0;
    desc.lengths = CLPRIMS_U32;
    make_select(&desc, "runs");
}

/* ---- Lists ---- */

static void make_lists(void) {
    static const char *const names[] = {"", "pairs", "rows", "in-place"};
    static const char every_pass[] =
        "LEAST=1000 NEAR=2000 ROWS=4 SORT_GROUP=64 PLACE_GROUP=64 BUCKETS=64 WINDOW=1000";
    for (int way = CLPRIMS_LIST_PAIRS; way <= CLPRIMS_LIST_IN_PLACE; way++)
        for (int order = 0; order < 2; order++)
            for (int wide = 0; wide < 2; wide++) {
                clprims_list_desc desc = CLPRIMS_LIST_DESC_INIT;
                clprims_list *list = NULL;
                char what[32];
                desc.link = wide ? CLPRIMS_I64 : CLPRIMS_I32;
                desc.result = order ? CLPRIMS_LIST_ORDER : CLPRIMS_LIST_RANKS;
                desc.algorithm = (clprims_list_algorithm)way;
                desc.max_n = MAX_N;
                if (way == CLPRIMS_LIST_ROWS) desc.tuning = every_pass;
                if (order && way == CLPRIMS_LIST_IN_PLACE) continue;
                snprintf(what, sizeof what, "%s.%s", wide ? "i64" : "i32",
                         order ? "order" : "ranks");
                begin("list", what, names[way]);
                must(clprims_list_create(&list, context, &desc));
                clprims_list_destroy(list);
            }
}

static void make_list_scans(void) {
    clprims_listscan_desc desc = CLPRIMS_LISTSCAN_DESC_INIT;
    clprims_forest_desc trees = CLPRIMS_FOREST_DESC_INIT;
    clprims_listscan *scan = NULL;
    clprims_forest *forest = NULL;
    desc.type = CLPRIMS_U32;
    desc.max_n = MAX_N;
    begin("listscan", "words", "i32");
    must(clprims_listscan_create(&scan, context, &desc));
    clprims_listscan_destroy(scan);
    desc.link = CLPRIMS_I64;
    desc.type = CLPRIMS_STRUCT;
    desc.op = CLPRIMS_CUSTOM;
    desc.custom = affine;
    begin("listscan", "structs", "i64");
    must(clprims_listscan_create(&scan, context, &desc));
    clprims_listscan_destroy(scan);
    trees.max_n = MAX_N;
    begin("forest", "trees", "i32");
    must(clprims_forest_create(&forest, context, &trees));
    clprims_forest_destroy(forest);
}

/* ---- Matrices ---- */

static void make_product(const clprims_minplus_desc *what, const char *name) {
    static const char *const shapes[] = {
        NULL, "HIGH=4 WIDE=8 ROWS=4 COLUMNS=4 DEPTH=8 BARRIERS=1",
        "HIGH=1 WIDE=1 ROWS=2 COLUMNS=32 BLOCKS=3 DEPTH=16 PAIRS=1"};
    static const char *const shape_names[] = {"chosen", "group", "serial"};
    for (size_t s = 0; s < 3; s++) {
        clprims_minplus_desc desc = *what;
        clprims_minplus *product = NULL;
        desc.tuning = shapes[s];
        begin("minplus", name, shape_names[s]);
        must(clprims_minplus_create(&product, context, &desc));
        clprims_minplus_destroy(product);
    }
}

static void make_products(void) {
    clprims_minplus_desc desc = CLPRIMS_MINPLUS_DESC_INIT;
    clprims_paths_desc paths = CLPRIMS_PATHS_DESC_INIT;
    make_product(&desc, "floats");
    desc.nonnegative = 1;
    desc.accumulate = 1;
    make_product(&desc, "nonnegative");
    desc.nonnegative = 0;
    desc.type = CLPRIMS_I32;
    desc.argmin = 1;
    make_product(&desc, "argmin");
    desc.argmin = 0;
    desc.type = CLPRIMS_U8;
    desc.semiring = CLPRIMS_OR_AND;
    make_product(&desc, "bits");
    paths.max_n = 5000; /* wide tiles among the others */
    for (paths.predecessors = 0; paths.predecessors < 2; paths.predecessors++) {
        clprims_paths *plan = NULL;
        begin("paths", "floats", paths.predecessors ? "predecessors" : "lengths");
        must(clprims_paths_create(&plan, context, &paths));
        clprims_paths_destroy(plan);
    }
}

void plan_kinds(const plan_visitor *to) {
    visitor = to;
    make_scans();
    make_offsets();
    make_selects();
    make_lists();
    make_list_scans();
    make_products();
}
