/* SPDX-License-Identifier: MIT */
/* Programs that are kept and found, for test_faults. What fails there is built from source. */
#include "faults/faults_stage.h"

enum { PATH = 128 };

static const char *make_folder(void) {
    static char folder[PATH];
    snprintf(folder, sizeof folder, "/tmp/clprims-faults-XXXXXX");
    assert_non_null(mkdtemp(folder));
    return folder;
}

static void remove_folder(const char *folder) {
    char command[PATH + 16];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    assert_int_equal(system(command), 0);
}

/* A context from its creation to its destruction, which keeps what a CPU has compiled. save: a
 * pack, or NULL. */
static clprims_status use_context(const char *store, const char *save) {
    clprims_context_options options = test_options();
    clprims_context *context = NULL;
    const clprims_context_info info = test_info();
    options.device = info.device.name;
    options.program_store = store;
    clprims_status status = clprims_context_create(&context, &options);
    if (status == CLPRIMS_OK && save != NULL) {
        status = clprims_context_save_programs(context, save);
    }
    clprims_context_destroy(context);
    return status;
}

static clprims_status run_keep(stage *s) {
    (void)s;
    const char *folder = make_folder();
    const clprims_status status = use_context(folder, NULL);
    remove_folder(folder);
    return status;
}

/* The folder is filled by the first run, before a call fails, and stays until the program ends. */
static char filled[PATH];

static void remove_filled(void) {
    remove_folder(filled);
}

static clprims_status run_find(stage *s) {
    (void)s;
    if (filled[0] == '\0') {
        snprintf(filled, sizeof filled, "%s", make_folder());
        assert_int_equal(atexit(remove_filled), 0);
    }
    return use_context(filled, NULL);
}

static clprims_status run_save(stage *s) {
    char path[PATH + 8];
    (void)s;
    const char *folder = make_folder();
    snprintf(path, sizeof path, "%s/a.pack", folder);
    const clprims_status status = use_context(NULL, path);
    remove_folder(folder);
    return status;
}

void faults_append_store(operations *to) {
    operation *keep = faults_append(to, "store", "_keep", "");
    operation *find = faults_append(to, "store", "_find", "");
    keep->run = run_keep;
    find->run = run_find;
    keep->builds_instead = find->builds_instead = true;
    faults_append(to, "store", "_save", "")->run = run_save;
}
