/* SPDX-License-Identifier: MIT */
/*
 * Depth and subtree size of every folder and file below a folder (the first argument, or /usr; a
 * limited number of them) by list scans along the Euler tour of the tree. Source: Tarjan and
 * Vishkin, "An Efficient Parallel Biconnectivity Algorithm", 1985.
 */
#define _XOPEN_SOURCE 700
#include <clprims/clprims.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST = 50000, PATH_BYTES = 4096 };

/* A node's number is that of its discovery; its parent has a lower one. */
static char *paths[MOST];
static int32_t parent[MOST], first_child[MOST], sibling[MOST], last_child[MOST];
static int32_t count;

/* The tour enters node i at element 2 i and leaves it at element 2 i + 1. */
static int32_t next[2 * MOST], steps[2 * MOST], arrivals[2 * MOST];
static int32_t levels[2 * MOST], arrived[2 * MOST];

static int add_node(int32_t above, const char *folder, const char *name) {
    char path[PATH_BYTES];
    const int length = snprintf(path, sizeof path, "%s%s%s", folder, *name ? "/" : "", name);
    if (count == MOST || length < 0 || length >= PATH_BYTES) return 0;
    char *copy = malloc((size_t)length + 1);
    if (copy == NULL) return 0;
    memcpy(copy, path, (size_t)length + 1);
    paths[count] = copy;
    parent[count] = above;
    first_child[count] = last_child[count] = sibling[count] = -1;
    if (above >= 0 && first_child[above] < 0) first_child[above] = count;
    if (above >= 0 && last_child[above] >= 0) sibling[last_child[above]] = count;
    if (above >= 0) last_child[above] = count;
    return ++count;
}

/* Lists folder after folder; links are nodes, but are not followed. */
static void read_tree(const char *root) {
    add_node(-1, root, "");
    for (int32_t i = 0; i < count && count < MOST; i++) {
        struct stat status;
        if (lstat(paths[i], &status) != 0 || !S_ISDIR(status.st_mode)) continue;
        DIR *folder = opendir(paths[i]);
        if (folder == NULL) continue;
        for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
            if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
            if (!add_node(i, paths[i], entry->d_name)) break;
        }
        closedir(folder);
    }
}

static void link_tour(void) {
    for (int32_t i = 0; i < count; i++) {
        next[2 * i] = first_child[i] >= 0 ? 2 * first_child[i] : 2 * i + 1;
        next[2 * i + 1] = sibling[i] >= 0  ? 2 * sibling[i]
                          : parent[i] >= 0 ? 2 * parent[i] + 1
                                           : -1;
        steps[2 * i] = arrivals[2 * i] = 1;
        steps[2 * i + 1] = -1;
        arrivals[2 * i + 1] = 0;
    }
}

/* The same by plain loops: the answers that the scans must give. */
static int is_right(void) {
    static int32_t depth[MOST], size[MOST];
    for (int32_t i = 0; i < count; i++) {
        depth[i] = parent[i] < 0 ? 0 : depth[parent[i]] + 1;
        size[i] = 1;
    }
    for (int32_t i = count - 1; i > 0; i--) size[parent[i]] += size[i];
    for (int32_t i = 0; i < count; i++)
        if (levels[2 * i] != depth[i] || arrived[2 * i + 1] - arrived[2 * i] != size[i]) return 0;
    return 1;
}

int main(int argc, char **argv) {
    clprims_context *context = NULL;
    clprims_listscan *scan = NULL;
    clprims_listscan_desc desc = {0}; /* an exclusive sum */
    read_tree(argc > 1 ? argv[1] : "/usr");
    link_tour();
    const size_t n = 2 * (size_t)count;
    desc.type = CLPRIMS_I32;
    desc.max_n = n;
    if (clprims_context_create(&context, NULL) != CLPRIMS_OK ||
        clprims_listscan_create(&scan, context, &desc) != CLPRIMS_OK ||
        clprims_listscan_run(
            scan,
            &(clprims_listscan_arrays){
                .next = next, .values = steps, .out = levels, .head = &(const int64_t){0}},
            n) != CLPRIMS_OK ||
        clprims_listscan_run(
            scan,
            &(clprims_listscan_arrays){
                .next = next, .values = arrivals, .out = arrived, .head = &(const int64_t){0}},
            n) != CLPRIMS_OK) {
        fprintf(stderr, "%s\n", clprims_last_error()->message);
        return 1;
    }
    clprims_context_destroy(context);
    int32_t deepest = 0;
    for (int32_t i = 0; i < count; i++)
        if (levels[2 * i] > levels[2 * deepest]) deepest = i;
    printf("%d folders and files; the deepest, at depth %d: %s\n", (int)count,
           (int)levels[2 * deepest], paths[deepest]);
    const int right = is_right();
    printf("depths and sizes are %s\n", right ? "right" : "wrong");
    for (int32_t i = 0; i < count; i++) free(paths[i]);
    return right ? 0 : 1;
}
