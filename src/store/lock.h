/* SPDX-License-Identifier: MIT */
/* A lock between threads: POSIX's, or Windows' own (store_files_windows.c). */
#ifndef CLP_LOCK_H
#define CLP_LOCK_H

#ifdef _WIN32
#include <stddef.h>

typedef void *clp_lock; /* an SRWLOCK; Windows' header would define names as short as IN */
#define CLP_LOCK_INIT NULL
#define clp_lock_destroy(lock) ((void)(lock))
void clp_lock_take(clp_lock *lock);
void clp_lock_give(clp_lock *lock);
#else
#include <pthread.h>

typedef pthread_mutex_t clp_lock;
#define CLP_LOCK_INIT PTHREAD_MUTEX_INITIALIZER
#define clp_lock_destroy(lock) ((void)pthread_mutex_destroy(lock))
#define clp_lock_take(lock) ((void)pthread_mutex_lock(lock))
#define clp_lock_give(lock) ((void)pthread_mutex_unlock(lock))
#endif

#endif
