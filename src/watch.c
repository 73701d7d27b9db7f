/* SPDX-License-Identifier: MIT */
/* Who is told of the kernels that a thread submits. */
#include "internal.h"

static _Thread_local struct {
    clprims_watcher *watcher;
    void *user;
} watch;

void clprims_watch(clprims_watcher *watcher, void *user) {
    watch.watcher = watcher;
    watch.user = user;
}

bool clp_is_watched(void) {
    return watch.watcher != NULL;
}

void clp_tell_watcher(cl_kernel kernel, cl_event event) {
    watch.watcher(watch.user, kernel, event);
}
