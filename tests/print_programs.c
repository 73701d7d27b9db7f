/* SPDX-License-Identifier: MIT */
/*
 * print_programs FOLDER KIND: leaves in FOLDER each program that the library puts together for that
 * kind of device (a number of paper_kind), as a compiler would be given it. No device is needed.
 */
#include "paper.h"
#include "plan_kinds.h"

#include <stdio.h>
#include <stdlib.h>

static clprims_context *context;
static clprims_context_options options = CLPRIMS_CONTEXT_OPTIONS_INIT;
static const char *folder;

static void must(clprims_status status) {
    if (status == CLPRIMS_OK && paper_kept() > 0) return;
    fprintf(stderr, "no program: %s\n", clprims_last_error()->message);
    exit(EXIT_FAILURE);
}

/* A context of its own for each plan: one that keeps programs would not build an equal one again.
 */
static void open_context(const char *keeps_in, const char *name) {
    paper_keep(keeps_in, name);
    clprims_context_destroy(context);
    const clprims_status status = clprims_context_create(&context, &options);
    if (keeps_in != NULL || status != CLPRIMS_OK) must(status);
}

static clprims_context *before(const char *name) {
    open_context(NULL, NULL);
    paper_keep(folder, name);
    return context;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: print_programs FOLDER KIND\n");
        return 2;
    }
    const plan_visitor visitor = {before, must, atoi(argv[2]) == PAPER_NVIDIA};
    folder = argv[1];
    options.device = argv[2];
    open_context(folder, "probe.of.layer");
    plan_kinds(&visitor);
    clprims_context_destroy(context);
    return 0;
}
