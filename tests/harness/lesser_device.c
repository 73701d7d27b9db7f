/* SPDX-License-Identifier: MIT */
/*
 * A library for LD_PRELOAD, which makes the device lesser than it is: its list of extensions lacks
 * the words of CLPRIMS_TEST_LACKS, and its largest allocation has no more than
 * CLPRIMS_TEST_MOST_ALLOC bytes.
 */
#define _GNU_SOURCE
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef cl_int(CL_API_CALL get_device_info)(cl_device_id, cl_device_info, size_t, void *, size_t *);

static get_device_info *real_function(void) {
    get_device_info *function;
    *(void **)&function = dlsym(RTLD_NEXT, "clGetDeviceInfo");
    return function;
}

/* Blanks the word wherever it stands among others. */
static void cut(char *list, const char *word, size_t length) {
    for (char *at = strstr(list, word); at != NULL; at = strstr(at + length, word)) {
        const int starts = at == list || at[-1] == ' ';
        if (starts && (at[length] == ' ' || at[length] == '\0')) memset(at, ' ', length);
    }
}

static void cut_all(char *list, const char *words) {
    char word[64];
    while (*words != '\0') {
        const size_t length = strcspn(words, " ");
        if (length > 0 && length < sizeof word) {
            memcpy(word, words, length);
            word[length] = '\0';
            cut(list, word, length);
        }
        words += length + (words[length] == ' ');
    }
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info key,
                                                size_t bytes, void *value, size_t *needed) {
    const char *lacks = getenv("CLPRIMS_TEST_LACKS"), *most = getenv("CLPRIMS_TEST_MOST_ALLOC");
    const cl_int code = real_function()(device, key, bytes, value, needed);
    if (code != CL_SUCCESS || value == NULL) return code;
    if (key == CL_DEVICE_EXTENSIONS && lacks != NULL) cut_all(value, lacks);
    if (key == CL_DEVICE_MAX_MEM_ALLOC_SIZE && most != NULL) {
        const cl_ulong limit = strtoull(most, NULL, 10);
        if (*(cl_ulong *)value > limit) *(cl_ulong *)value = limit;
    }
    return code;
}
