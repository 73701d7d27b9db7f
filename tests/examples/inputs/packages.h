/* SPDX-License-Identifier: MIT */
/* What package_hops.c needs and no device does: the installed packages of a Debian system and what
 * each depends on, from its status file. */
#ifndef PACKAGES_H
#define PACKAGES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PACKAGES = 4096, LINE = 1 << 16 };

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

static int compare_names(const void *a, const void *b) {
    return strcmp(((const named *)a)->name, ((const named *)b)->name);
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
    qsort(all->known, all->known_count, sizeof *all->known, compare_names);
}

/* Of alternatives, the first that is installed counts. */
static void add_edges(const packages *all, int package, int32_t *row) {
    const char *at = after_blanks(all->depends[package]);
    while (*at != '\0') {
        char name[256];
        const size_t length = name_length(at);
        const named key = {name, 0};
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        const named *found = bsearch(&key, all->known, all->known_count, sizeof key, compare_names);
        if (found != NULL && found->package != package) row[found->package] = 1;
        at += found != NULL ? strcspn(at, ",") : strcspn(at, ",|");
        at = after_blanks(at);
    }
}

static void free_packages(packages *all) {
    for (int i = 0; i < all->count; i++) {
        free(all->names[i]);
        free(all->depends[i]);
    }
    for (size_t k = 0; k < all->known_count; k++) free(all->known[k].name);
    free(all->known);
}

#endif
