/* SPDX-License-Identifier: MIT */
/*
 * How far apart are the installed packages of a Debian system? Hop distances by their
 * dependencies, as its own status file tells them, and the longest shortest chain by name.
 *
 * usage: package_hops [STATUS]     /var/lib/dpkg/status by default; ends with 77 without one
 */
#include <clprims/clprims.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PACKAGES = 4096, LINE = 1 << 16, NO_EDGE = INT32_MAX / 2 };

/* Which package has a name: its own, or one that it provides. */
typedef struct named {
    char *name;
    int package;
} named;

typedef struct packages {
    int count;
    char *names[MOST_PACKAGES], *depends[MOST_PACKAGES];
    named *known;
    size_t known_count;
} packages;

static void *need(void *memory) {
    if (memory == NULL) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    return memory;
}

static char *copy(const char *text, size_t length) {
    char *made = need(malloc(length + 1));
    memcpy(made, text, length);
    made[length] = '\0';
    return made;
}

static void know(packages *all, const char *name, size_t length) {
    all->known = need(realloc(all->known, (all->known_count + 1) * sizeof *all->known));
    all->known[all->known_count++] = (named){copy(name, length), all->count};
}

/* The first name of a list such as "libc6 (>= 2.36) | libc6-udeb, zlib1g:any". */
static size_t name_length(const char *at) {
    return strcspn(at, " \t\n(),|:");
}

static const char *after_blanks(const char *at) {
    return at + strspn(at, " \t\n,|");
}

/* Cuts what stands in parentheses, such as versions. */
static void drop_versions(char *text) {
    char *to = text;
    int depth = 0;
    for (const char *from = text; *from != '\0'; from++) {
        depth += *from == '(';
        if (depth == 0) *to++ = *from;
        depth -= *from == ')';
    }
    *to = '\0';
}

typedef struct paragraph {
    char name[256], depends[LINE], provides[LINE];
    int installed;
} paragraph;

static void end_paragraph(packages *all, paragraph *p) {
    if (p->installed && p->name[0] != '\0' && all->count < MOST_PACKAGES) {
        drop_versions(p->depends);
        drop_versions(p->provides);
        know(all, p->name, strlen(p->name));
        for (const char *at = after_blanks(p->provides); *at != '\0'; at = after_blanks(at)) {
            know(all, at, name_length(at));
            at += strcspn(at, ",");
        }
        all->names[all->count] = copy(p->name, strlen(p->name));
        all->depends[all->count++] = copy(p->depends, strlen(p->depends));
    }
    memset(p, 0, sizeof *p);
}

static void read_packages(FILE *file, packages *all) {
    static char line[LINE];
    static paragraph p;
    while (fgets(line, sizeof line, file) != NULL) {
        const char *value = strchr(line, ':');
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '\0') end_paragraph(all, &p);
        if (value == NULL || line[0] == ' ') continue;
        value += 1 + (value[1] == ' ');
        const size_t used = strlen(p.depends);
        if (strncmp(line, "Package:", 8) == 0) snprintf(p.name, sizeof p.name, "%s", value);
        if (strncmp(line, "Status:", 7) == 0) p.installed = strstr(value, " installed") != NULL;
        if (strncmp(line, "Depends:", 8) == 0 || strncmp(line, "Pre-Depends:", 12) == 0)
            snprintf(p.depends + used, sizeof p.depends - used, "%s, ", value);
        if (strncmp(line, "Provides:", 9) == 0)
            snprintf(p.provides, sizeof p.provides, "%s", value);
    }
    end_paragraph(all, &p);
}

static int compare(const void *a, const void *b) {
    return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

/* Of alternatives, the first that is installed counts. */
static void add_edges(const packages *all, int package, int32_t *row) {
    const char *at = after_blanks(all->depends[package]);
    while (*at != '\0') {
        char name[256];
        const size_t length = name_length(at);
        const named key = {name, 0};
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        const named *found = bsearch(&key, all->known, all->known_count, sizeof key, compare);
        if (found != NULL && found->package != package) row[found->package] = 1;
        at += found != NULL ? strcspn(at, ",") : strcspn(at, ",|");
        at = after_blanks(at);
    }
}

static void print_longest(const packages *all, const int32_t *hops, const int32_t *via) {
    const size_t n = (size_t)all->count;
    size_t longest = 0;
    for (size_t i = 0; i < n * n; i++)
        if (hops[i] < NO_EDGE && (hops[longest] >= NO_EDGE || hops[i] > hops[longest])) longest = i;
    const size_t from = longest / n;
    size_t to = longest % n;
    printf("%d packages; the farthest needed is %d hops away, from the last to the first:\n",
           all->count, (int)hops[longest]);
    printf("%s", all->names[to]);
    while (to != from) {
        to = (size_t)via[from * n + to];
        printf(" <- %s", all->names[to]);
    }
    printf("\n");
}

static int find_hops(const packages *all) {
    const size_t n = (size_t)all->count;
    int32_t *hops = need(malloc(n * n * sizeof *hops)), *via = need(malloc(n * n * sizeof *via));
    clprims_context *context = NULL;
    clprims_paths *paths = NULL;
    clprims_paths_desc desc = CLPRIMS_PATHS_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.max_n = n;
    desc.predecessors = 1;
    for (size_t i = 0; i < n * n; i++) hops[i] = i / n == i % n ? 0 : NO_EDGE;
    for (int i = 0; i < all->count; i++) add_edges(all, i, hops + (size_t)i * n);
    const int found = clprims_context_create(&context, NULL) == CLPRIMS_OK &&
                      clprims_paths_create(&paths, context, &desc) == CLPRIMS_OK &&
                      clprims_paths_run(paths, hops, via, n) == CLPRIMS_OK;
    if (found)
        print_longest(all, hops, via);
    else
        fprintf(stderr, "%s\n", clprims_last_error()->message);
    clprims_paths_destroy(paths);
    clprims_context_destroy(context);
    free(hops);
    free(via);
    return found ? 0 : 1;
}

int main(int argc, char **argv) {
    static packages all;
    const char *path = argc > 1 ? argv[1] : "/var/lib/dpkg/status";
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "SKIPPED: %s can't be read\n", path);
        return 77;
    }
    read_packages(file, &all);
    fclose(file);
    if (all.count == 0) {
        fprintf(stderr, "SKIPPED: %s names no installed package\n", path);
        return 77;
    }
    qsort(all.known, all.known_count, sizeof *all.known, compare);
    const int status = find_hops(&all);
    for (int i = 0; i < all.count; i++) {
        free(all.names[i]);
        free(all.depends[i]);
    }
    for (size_t k = 0; k < all.known_count; k++) free(all.known[k].name);
    free(all.known);
    return status;
}
