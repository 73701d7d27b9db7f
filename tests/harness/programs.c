/* SPDX-License-Identifier: MIT */
/* This clBuildProgram stands in front of the loader's, for the shared library too. */
#define _GNU_SOURCE
#include "harness/programs.h"

#ifdef _WIN32 /* whose programs can't stand in front of a library */
size_t programs_count(void) {
    return 0;
}
#else

#include <CL/cl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096, LONGEST = 1 << 21 };

typedef CL_API_ENTRY cl_int CL_API_CALL build_function(cl_program, cl_uint, const cl_device_id *,
                                                       const char *,
                                                       void(CL_CALLBACK *)(cl_program, void *),
                                                       void *);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t hashes[MOST];
static size_t count;
static char source[LONGEST];

/* FNV-1a */
static uint64_t hash(uint64_t value, const char *text) {
    for (; *text != '\0'; text++) value = (value ^ (unsigned char)*text) * 1099511628211u;
    return value;
}

/* Writes the program's text, its options in a comment before it, into the folder that the
 * environment names. */
static void keep(uint64_t value, const char *options) {
    const char *const folder = getenv("CLPRIMS_TEST_KEEP_PROGRAMS");
    if (folder == NULL) return;
    char path[1024];
    snprintf(path, sizeof path, "%s/%016llx.cl", folder, (unsigned long long)value);
    FILE *const file = fopen(path, "w");
    if (file == NULL) return;
    fprintf(file, "// %s\n%s", options, source);
    fclose(file);
}

static void remember(const char *options) {
    const uint64_t value = hash(hash(14695981039346656037u, source), options);
    size_t i = 0;
    while (i < count && hashes[i] != value) i++;
    if (i < count || count == MOST) return;
    hashes[count++] = value;
    keep(value, options);
}

size_t programs_count(void) {
    return count;
}

CL_API_ENTRY cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint devices,
                                               const cl_device_id *list, const char *options,
                                               void(CL_CALLBACK *notify)(cl_program, void *),
                                               void *data) {
    build_function *next;
    void *const found = dlsym(RTLD_NEXT, "clBuildProgram");
    /* No malloc: test_faults counts and fails it. */
    pthread_mutex_lock(&lock);
    if (clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof source, source, NULL) == CL_SUCCESS)
        remember(options ? options : "");
    pthread_mutex_unlock(&lock);
    memcpy(&next, &found, sizeof next);
    return next(program, devices, list, options, notify, data);
}

#endif
