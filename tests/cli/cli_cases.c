/* SPDX-License-Identifier: MIT */
/*
 * Cases that texts describe: a run of the command on small files. A line of cases/NAME.txt is
 *
 *   # a comment
 *   files                 begins a list of the files that stand in the folder before each run:
 *       NAME VALUES       as for cli_write_values
 *   successes PREFIX [STEP]   begins cases PREFIX/NAME, in the default tier one in STEP, of runs
 *       NAME: SCRIPT          without a message, as for cli_run, and
 *           NAME VALUES; ...  the files that a run makes or changes; NAME alone: whatever it holds
 *   messages PREFIX       begins cases of runs that say something; if one fails, all files must
 * stay: NAME: SCRIPT STATUS PART   the exit status, and a part of standard error, in which \n ends
 * a line
 */
#include "cli/cli_run.h"

#ifndef CLPRIMS_CLI_CASES
#error "cli_cases.c: CLPRIMS_CLI_CASES, the folder of the texts, is not set by CMake"
#endif

enum { MOST_FILES = 16, MOST_LISTS = 32, MOST_TEXTS = 16, TEXT_BYTES = 1 << 15 };

typedef struct file_list {
    size_t count;
    cli_file files[MOST_FILES];
} file_list;

/* ---- Runs ---- */

/* The files of the list, and no others but the files that were there before. */
static void expect_files(const char *list, const char *before) {
    char text[512], *rest = NULL;
    snprintf(text, sizeof text, "%s", list);
    for (char *file = strtok_r(text, ";", &rest); file; file = strtok_r(NULL, ";", &rest)) {
        char listed[64], *values = NULL;
        const char *const name = strtok_r(file, " ", &values);
        test_note("%s", name);
        snprintf(listed, sizeof listed, "%s ", name);
        if (values[0] != '\0')
            cli_expect_values(name, values);
        else
            expect_contains(cli_listing(), listed);
        if (!strstr(before, listed)) cli_remove(name);
    }
    assert_string_equal(cli_listing(), before);
}

static bool is_made(const cli_case *c, const char *name) {
    const size_t length = strlen(name);
    const char *at = c->makes;
    while (at && (at = strstr(at, name)) != NULL) {
        if ((at == c->makes || at[-1] == ' ') && strchr("; ", at[length])) return true;
        at += length;
    }
    return false;
}

const cli_result *cli_expect_case(const cli_case *c, const char *script) {
    char before[4096];
    snprintf(before, sizeof before, "%s", cli_listing());
    const cli_result *const result = cli_expect(script, c->exit_status, c->part);
    if (c->exit_status == 0 && !c->makes) return result;
    for (size_t i = 0; i < *c->count; ++i) {
        test_note("%s", c->files[i].name);
        if (!is_made(c, c->files[i].name)) cli_expect_values(c->files[i].name, c->files[i].values);
    }
    if (c->makes) assert_string_equal(result->out, "");
    expect_files(c->makes ? c->makes : "", before);
    return result;
}

static void runs(const void *data) {
    const cli_case *const c = data;
    cli_write_table(c->files, *c->count);
    cli_expect_case(c, c->script);
}

/* ---- Texts ---- */

static file_list lists[MOST_LISTS]; /* which cases point to */
static size_t list_count;

/* How far a text is read. */
typedef struct reader {
    test_cases *cases;
    file_list *files;
    const char *prefix; /* of the table; NULL: the list of files goes on */
    bool succeed; /* the table's runs */
    size_t step, row;
    test_function *run;
    cli_case next;
} reader;

/* Ends the line's first word, which `end` follows; returns what is behind it. */
static char *split(char *line, const char *end) {
    char *const at = strstr(line, end);
    if (!at) test_fail("a case without '%s': %s", end, line);
    *at = '\0';
    return at + strlen(end);
}

/* Behind "NAME:", which becomes the name; the script may be empty. */
static const char *script_of(char *line) {
    const char *const script = split(line, ":");
    return script + strspn(script, " ");
}

static void begin(reader *r, char *line) {
    r->row = 0;
    r->prefix = NULL;
    if (strcmp(line, "files") == 0) {
        if (list_count == MOST_LISTS) test_fail("more than %d lists of files", MOST_LISTS);
        r->files = &lists[list_count++];
        return;
    }
    char *const prefix = split(line, " "), *const step = strchr(prefix, ' ');
    if (step) *step = '\0';
    r->step = step ? strtoul(step + 1, NULL, 10) : 1;
    r->succeed = strcmp(line, "successes") == 0;
    r->prefix = prefix;
}

static void add_file(file_list *list, char *line) {
    if (list->count == MOST_FILES) test_fail("more than %d files", MOST_FILES);
    char *const values = split(line, " ");
    list->files[list->count++] = (cli_file){line, values};
}

/* The second line of a case. */
static void end_case(reader *r, char *line) {
    char *const last = strstr(line, "\\n");
    if (last) memcpy(last, "\n", 2);
    char *const part = r->succeed ? line + strlen(line) : split(line, " ");
    r->next.makes = r->succeed ? line : NULL;
    r->next.exit_status = r->succeed ? 0 : atoi(line);
    r->next.part = part;
    if (test_long() || r->row++ % r->step == 0)
        test_add_row(r->cases, r->run, r->next, "%s/%s", r->prefix, r->next.name);
}

static void take(reader *r, char *line) {
    const size_t indent = strspn(line, " ");
    if (line[0] == '#') return;
    if (indent == 0) {
        begin(r, line);
    } else if (!r->prefix) {
        add_file(r->files, line + indent);
    } else if (indent == 4) {
        r->next = (cli_case){.name = line + indent, .script = script_of(line + indent)};
        if (r->files) r->next.files = r->files->files, r->next.count = &r->files->count;
    } else {
        end_case(r, line + indent);
    }
}

void cli_add_text(test_cases *cases, const char *name, test_function *run) {
    static char texts[MOST_TEXTS][TEXT_BYTES]; /* cases point to their lines */
    static size_t count;
    char path[512], *rest = NULL;
    reader r = {.cases = cases, .run = run};
    snprintf(path, sizeof path, CLPRIMS_CLI_CASES "/%s.txt", name);
    if (count == MOST_TEXTS) test_fail("more than %d texts", MOST_TEXTS);
    char *const text = texts[count++];
    FILE *const file = fopen(path, "r");
    if (!file || fread(text, 1, TEXT_BYTES - 1, file) == TEXT_BYTES - 1)
        test_fail("%s can't be read, or is too long", path);
    fclose(file);
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        take(&r, line);
}

void cli_add_texts(test_cases *cases) {
    static const char *const names[] = {"files",    "histogram", "jagged",    "lists",
                                        "merge",    "passes",    "prints",    "reduce",
                                        "refusals", "scan",      "segmented", "store"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) cli_add_text(cases, names[i], runs);
}
