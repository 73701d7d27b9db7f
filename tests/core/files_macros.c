/* SPDX-License-Identifier: MIT */
/* The tables of macros, cl/ROOM/ROOM.macros: what they refuse in a prelude, and their guards. */
#include "core/files_macros.h"

#include "cl_sources.h"

enum { MOST_PARTS = 4 };

/* A prelude and the parts that it is for. */
typedef struct prelude_row {
    const char *name;
    const char *text;
    clp_part parts[MOST_PARTS];
    const char *fault; /* of the message; NULL: it is good */
} prelude_row;

#define LOOKS                                                                                      \
    "#define CLP_WINDOW 64\n#define CLP_FALLBACK 0\n#define CLP_HAS_START 1\n"                     \
    "#define CLP_DELAY 0\n#define CLP_DROP 0\n#define CLP_REPRODUCIBLE 0\n"

static const prelude_row prelude_rows[] = {
    {"empty", "", {&clp_select_copy_cl}, NULL},
    {"good", LOOKS "#define CLP_SPINS 1\n", {&clp_lookback_cl}, NULL},
    {"no-end-of-line", LOOKS "#define CLP_SPINS 1", {&clp_lookback_cl}, NULL},
    {"missing", LOOKS, {&clp_lookback_cl}, "lacks CLP_SPINS, which cl/engine/lookback.cl needs"},
    /* The window is listed by another room that every primitive builds on. */
    {"missing-of-below", "", {&clp_lookback_cl}, "lacks CLP_WINDOW"},
    {"missing-of-second",
     "#define CLP_LOCAL_WORDS 1\n#define CLP_GROUP 1\n#define CLP_CHECKED 0\n",
     {&clp_assert_cl, &clp_probe_local_cl, &clp_last_group_cl, &clp_select_cl},
     "lacks CLP_ARRAYS"},
    {"unknown", "#define CLP_SPUN 1\n", {&clp_lookback_cl}, "CLP_SPUN, which no table"},
    {"of-another-primitive", "#define CLP_WALKS 1\n", {&clp_minplus_step_cl}, "CLP_WALKS"},
    {"of-its-own", "#define CLP_WALKS 32\n", {&clp_forest_cl}, NULL},
    {"function", "#define CLP_SPUN(x) x\n", {&clp_lookback_cl}, "CLP_SPUN"},
    {"no-macro-of-ours", "#define SPUN 1\n#define CLPX 2\n", {&clp_select_copy_cl}, NULL},
    {"users",
     "#line 1 \"declarations\"\n#define CLP_SPUN 1\n#line 1 \"prelude\"\n",
     {&clp_select_copy_cl},
     NULL},
    {"behind-users",
     "#line 1 \"equal\"\n\n#line 1 \"prelude\"\n#define CLP_SPUN 1\n",
     {&clp_select_copy_cl},
     "CLP_SPUN"},
    {"flag-of-2",
     "#define CLP_PACKED 2\n",
     {&clp_select_copy_cl},
     "CLP_PACKED to 2; legal are 0, 1"},
    {"range-below", "#define CLP_WINDOW 0\n", {&clp_select_copy_cl}, "CLP_WINDOW to 0"},
    {"range-above", "#define CLP_WINDOW 65\n", {&clp_select_copy_cl}, "CLP_WINDOW to 65"},
    {"range-ends",
     "#define CLP_SHORT_SUMS 1\n#define CLP_WINDOW 64\n",
     {&clp_select_copy_cl},
     NULL},
    {"listed-last", "#define CLP_SIMD 16\n", {&clp_select_copy_cl}, NULL},
    {"between-listed", "#define CLP_SIMD 9\n", {&clp_select_copy_cl}, "CLP_SIMD to 9"},
    {"no-number", "#define CLP_SPINS many\n", {&clp_select_copy_cl}, "CLP_SPINS to many"},
    {"suffix", "#define CLP_STREAM_N 12ul\n", {&clp_select_copy_cl}, NULL},
    {"type", "#define CLP_A ulong\n#define CLP_IDENTITY 0ul\n", {&clp_select_copy_cl}, NULL},
    /* A primitive's own meaning of a shared name wins. */
    {"own-range", "#define CLP_ROWS 64\n", {&clp_list_fault_cl}, "CLP_ROWS to 64"},
    {"shared-range", "#define CLP_ROWS 64\n", {&clp_select_copy_cl}, NULL},
};

static void prelude_is_checked(const void *data) {
    const prelude_row *row = data;
    clp_part parts[MOST_PARTS + 1] = {NULL};
    memcpy(parts, row->parts, sizeof row->parts);
    const clprims_status status = clp_macros_check("this", row->text, parts);
    assert_int_equal(status, row->fault == NULL ? CLPRIMS_OK : CLPRIMS_ERR_INTERNAL);
    if (row->fault != NULL) expect_contains(clprims_last_error()->message, row->fault);
}

static size_t count_of(const char *text, const char *part) {
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++) count++;
    return count;
}

/* What a part needs is guarded; and nothing else is. */
static void part_is_guarded(void) {
    clp_text text = {0};
    clp_macros_add_guards(&text, &clp_probe_local_cl);
    assert_false(text.failed);
    const size_t guards = count_of(text.chars, "#ifndef ");
    const size_t words = count_of(text.chars, "#ifndef CLP_LOCAL_WORDS\n#error");
    const size_t group = count_of(text.chars, "#ifndef CLP_GROUP\n#error \"the prelude lacks");
    clp_text_free(&text);
    assert_int_equal(guards, 2);
    assert_int_equal(words, 1);
    assert_int_equal(group, 1);
}

void files_add_macros(test_cases *cases) {
    test_add_rows(cases, prelude_is_checked, prelude_rows, "files/macros");
    test_add_plain(cases, part_is_guarded, "files/macros/guards");
}
