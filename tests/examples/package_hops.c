/* SPDX-License-Identifier: MIT */
/*
 * How far apart are the installed packages of a Debian system? Hop distances by their
 * dependencies, as its own status file tells them, and the longest shortest chain by name.
 *
 * usage: package_hops [STATUS]     /var/lib/dpkg/status by default; ends with 77 without one
 */
#include "inputs/packages.h"
#include <clprims/clprims.h>

enum { NO_EDGE = CLPRIMS_NO_EDGE_I32 };

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
    clprims_paths_desc desc = {.type = CLPRIMS_I32, .max_n = n, .predecessors = 1};
    for (size_t i = 0; i < n * n; i++) hops[i] = i / n == i % n ? 0 : NO_EDGE;
    for (int i = 0; i < all->count; i++) add_edges(all, i, hops + (size_t)i * n);
    const int found = clprims_context_create(&context, NULL) == CLPRIMS_OK &&
                      clprims_paths_create(&paths, context, &desc) == CLPRIMS_OK &&
                      clprims_paths_run(paths, &(clprims_paths_arrays){hops, via}, n) == CLPRIMS_OK;
    if (found)
        print_longest(all, hops, via);
    else
        fprintf(stderr, "%s\n", clprims_last_error()->message);
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
    const int status = find_hops(&all);
    free_packages(&all);
    return status;
}
