/* SPDX-License-Identifier: MIT */
/* One thread at a time where drivers start: PoCL crashes when two ask for its devices first. */
#include "internal.h"

#include <pthread.h>

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;

void clp_lock_drivers(void) {
    (void)pthread_mutex_lock(&starting);
}

void clp_unlock_drivers(void) {
    (void)pthread_mutex_unlock(&starting);
}
